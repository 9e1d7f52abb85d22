#!/bin/sh
# Links lead no write out of a folder that was named; a link that was typed itself is followed.
. "$(dirname "$0")/support/shell.sh"
said=$t/said
mkdir "$said" "$t/out" "$t/out/sub"
shore=$samples/graal/lakeside/lake_shore.nw
woods=$samples/graal/lakeside/lake_woods.nw

# new_world: w/, in which one file and one folder are links out of it, and one is a link inside
new_world() {
    chmod -R u+w w 2>/dev/null
    rm -rf w
    mkdir w w/inner
    cp "$woods" w/own.nw
    cp "$woods" w/inner/deep.nw
    cp "$woods" out/target.nw
    cp "$woods" out/sub/target.nw
    ln -s ../out/target.nw w/leaf.nw
    ln -s inner/deep.nw w/inside.nw
    ln -s ../out/sub w/folder
    cksum out/*.nw out/sub/*.nw >sums
}
# untouched WHAT: nothing outside of w has changed
untouched() {
    tried=$((tried + 1))
    cksum out/*.nw out/sub/*.nw 2>&1 | cmp -s - sums || fail "$1: a file outside of the folder was changed"
    [ "$(find out | wc -l)" = "${2:-4}" ] || { fail "$1: there are files outside of the folder"; find out; }
}

new_world
expect 1 "$lvl" set w 'npcs[0].x=3' -i
err_has "w/leaf.nw is a symbolic link that leads out of w" "set DIR -i"
untouched "set DIR -i"
expect 0 "$lvl" get w/own.nw w/inner/deep.nw -e 'npcs[0].x'
is "$said/out" "w/own.nw: 3
w/inner/deep.nw: 3" "files of the folder, and a link that stays in it"
[ -L w/inside.nw ] || fail "a link became a file"

# a typed link is followed, and so is a link that is the folder itself
new_world
expect 0 "$lvl" set w/leaf.nw 'npcs[0].x=3' -i
expect 0 "$lvl" get out/target.nw 'npcs[0].x'
is "$said/out" 3 "a link that was typed"
expect 0 "$lvl" set w/folder 'npcs[0].x=3' -i
expect 0 "$lvl" get out/sub/target.nw 'npcs[0].x'
is "$said/out" 3 "a folder that was typed"
[ -L w/leaf.nw ] && [ -L w/folder ] || fail "a link became a file"

new_world
cp "$shore" w/lake_shore.nw
expect 1 "$lvl" rename lake_shore.nw lake_beach.nw --in w
err_has "w/leaf.nw" "rename --in"
untouched "rename --in"
[ -e w/lake_shore.nw ] || fail "renamed, though a file could not be changed"
rm w/leaf.nw
expect 0 "$lvl" rename lake_shore.nw lake_beach.nw --in w
untouched "rename --in"

# the new name may be a path, with folders of the world
new_world
cp "$shore" w/lake_shore.nw && rm w/leaf.nw
for dir in w ./w "$t/w"; do
    for name in folder w/folder "$t/w/folder"; do
        expect 1 "$lvl" rename lake_shore.nw "$name/lake_beach.nw" --in "$dir"
        err_has "a symbolic link leads out of $dir" "rename to $name"
    done
done
(cd w && expect 1 "$lvl" rename lake_shore.nw folder/lake_beach.nw --in .) >sub.out
[ ! -s sub.out ] || fail "rename --in .: $(cat sub.out)"
untouched "rename to a folder that is a link"
expect 0 "$lvl" rename lake_shore.nw inner/lake_beach.nw --in w
[ -e w/inner/lake_beach.nw ] || fail "rename to a folder"
(cd w && expect 0 "$lvl" rename lake_beach.nw lake_coast.nw --in .) >sub.out
[ ! -s sub.out ] && [ -e w/inner/lake_coast.nw ] || fail "rename --in .: $(cat sub.out)"

# a pack that is a link, of which members change
new_world
cp "$samples/sketchy/walk.levelpack" out/ && ln -s ../out/walk.levelpack w/
cksum out/walk.levelpack >pack.sum
"$lvl" set --members w title=XX -i >/dev/null 2>err && fail "a member of a pack outside was changed"
grep -qF "w/walk.levelpack is a symbolic link that leads out of w" err || fail "set --members: $(cat err)"
cksum out/walk.levelpack | cmp -s - pack.sum || fail "a pack outside of the folder was changed"
rm out/walk.levelpack

# -o DIR: files and folders in it
new_world
mkdir in in/folder
cp "$woods" in/leaf.nw && cp "$woods" in/folder/target.nw && cp "$woods" in/folder/new.nw && cp "$woods" in/own.nw
expect 1 "$lvl" set in 'npcs[0].x=3' -o w -y
err_has "w/leaf.nw is a symbolic link that leads out of w" "-o DIR"
err_has "w/folder is a symbolic link that leads out of w" "-o DIR"
untouched "-o DIR"
expect 0 "$lvl" get w/own.nw 'npcs[0].x'
is "$said/out" 3 "-o DIR"
new_world
ln -s ../out/x.json w/own.json
ln -s ../out/none w/gone
mkdir -p in/gone && cp "$woods" in/gone/a.nw
expect 1 "$lvl" dump in -o w -y
untouched "dump -o DIR"
[ ! -e out/none ] || fail "a folder was made outside"
new_world
ln -s ../out w/own.tiles
expect 1 "$lvl" convert w/own.nw -o w/own.tmx
err_has "w/own.tiles is a symbolic link" "pictures of a map"
untouched "pictures of a map"

# archives and parts
new_world
cp "$samples/sketchy/walk.levelpack" in/
rm -rf x && mkdir x && ln -s ../out x/levels
expect 1 "$lvl" extract in/walk.levelpack -o x
err_has "x/levels is a symbolic link" "extract"
untouched extract

# ---- the page of `lvl view': a name that nobody can guess, for the user alone, and old ones go
mkdir tmp bin
printf '#!/bin/sh\n' >bin/xdg-open && chmod +x bin/xdg-open
printf '<html><script type="text/plain" id="lvl-wasm"></script></html>' >page.html
: >tmp/lvl-view-0123456789abcdef.html
: >tmp/lvl-view-0123456789abcdee.html
: >tmp/lvl-view-mine.html
touch -d '2 days ago' tmp/lvl-view-0123456789abcdef.html tmp/lvl-view-mine.html
for n in 1 2; do
    expect 0 env PATH="$t/bin:$PATH" TMPDIR="$t/tmp" "$lvl" view "$woods" --page page.html
done
tried=$((tried + 1))
[ "$(find tmp -name 'lvl-view-*.html' -perm 600 -size +1 | wc -l)" = 2 ] || { fail "pages of lvl view"; ls -l tmp; }
[ ! -e tmp/lvl-view-0123456789abcdef.html ] || fail "an old page stays"
[ -e tmp/lvl-view-0123456789abcdee.html ] || fail "a page of today was removed"
[ -e tmp/lvl-view-mine.html ] || fail "a file of somebody else was removed"

# a file that is elsewhere (on a server): its references are offered, and renamed when they are asked for
mkdir away && cp "$samples"/graal/lakeside/*.nw away
expect 1 "$lvl" rename cat.png dog.png --in away
err_has "no file called cat.png below away; 1 use of the name in 1 file can be renamed: --references-only"
! grep -q dog.png away/*.nw || fail "an offer changed files"
expect 0 "$lvl" rename cat.png dog.png --in away --references-only
grep -q dog.png away/lake_shore.nw || fail "the reference is not renamed"
expect 0 "$lvl" rename dog.png cat.png --in away --references-only -q
[ ! -s "$said/out" ] && [ ! -s "$said/err" ] || fail "-q prints"
expect 1 "$lvl" rename nowhere.png cat.png --in away
err_has "nothing refers to one"
# one of several files of a name is to be used by the levels of one folder
mkdir away/sub && cp away/lake_shore.nw away/sub && : >away/cat.png
expect 0 "$lvl" rename cat.png lion.png --in away/sub --references-only
grep -q lion.png away/sub/lake_shore.nw && ! grep -q lion.png away/lake_shore.nw || fail "references of one folder"
expect 0 "$lvl" rename cat.png tiger.png --in away --references-only
[ -e away/cat.png ] && grep -q tiger.png away/lake_shore.nw || fail "the file stays, its references do not"

finish
