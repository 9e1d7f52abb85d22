#!/bin/sh
# The plan of a run: what `-n' lists is what the run then writes, for every verb that writes files and every kind of input: a file, a folder,
# standard input, a member of an archive, an archive as a whole. A dry run itself writes nothing, and both end with the same exit code.
. "$(dirname "$0")/support/shell.sh"

# The world that each command starts from: made once, copied for each run.
mkdir -p world/levels/sub world/parts
cp "$samples/wwd/cliffs.wwd" world/levels/a.wwd
cp "$samples/wwd/polish.wwd" world/levels/sub/b.wwd
printf 'not a level\n' >world/levels/notes.txt
cp "$samples/wwd/damaged/truncated.wwd" "$samples/sketchy/walk.levelpack" "$samples/sketchy/hill-v4.level" world/
cp "$samples/graal/versions/gr-v1.03.graal" world/
cp -R "$samples/graal/lakeside" world/lakeside
mkdir world/zipped
"$lvl" extract world/walk.levelpack -o world/unpacked -q || fail "extract"
"$lvl" pack world/unpacked -o world/zipped/inner.levelpack -q || fail "pack"
"$lvl" dump world/levels/a.wwd -o world/a.json -q || fail "dump"
"$lvl" extract --scripts --signs world/gr-v1.03.graal -o world/parts -q || fail "extract --signs"
"$lvl" set world/levels/a.wwd name=ours -o world/ours.wwd -q || fail "ours"
"$lvl" set world/levels/a.wwd author=theirs -o world/theirs.wwd -q || fail "theirs"
cp world/levels/a.wwd world/there.wwd

touch -t 200201010000 stamp
# begin: the world is complete; every file in it is older than the stamp.
names() { (cd "$1" && find . -type f | sed 's|^\./||' | sort); }
begin() {
    find world -type f -exec touch -t 200101010000 {} +
    names world >all
}
begin

# check ARGUMENT...: once with -n, once without, each in its own copy of the world; $input is the standard input of both.
input=/dev/null
check() {
    rm -rf dry real
    cp -Rp world dry && cp -Rp world real
    tried=$((tried + 2))
    (cd dry && "$lvl" "$@" -n <"$input" >"$t/out" 2>"$t/err") && dry_code=0 || dry_code=$?
    names dry | cmp -s - all && [ -z "$(find dry -type f -newer stamp)" ] || fail "-n wrote something: $*"
    # a member of an archive is a change of the archive on disk
    sed -n 's/: not written (dry run)$//p' err | sed 's|//.*||; s|^\./||' | sort -u >listed
    prints=$(grep -c ': would be written to standard output (dry run)$' err)
    (cd real && "$lvl" "$@" <"$input" >"$t/real.out" 2>"$t/real.err") && code=0 || code=$?
    { # new, or written again
        names real | comm -13 all -
        (cd real && find . -type f -newer ../stamp | sed 's|^\./||')
    } | sort -u >changed
    [ "$code" = "$dry_code" ] || fail "exit $dry_code with -n, $code without: $*"
    cmp -s listed changed || {
        fail "-n lists other files than are written: $*"
        diff listed changed | sed 's/^/    /'
        sed 's/^/    without -n: /; 6q' real.err
    }
    [ "$prints" = 0 ] || [ -s real.out ] || fail "-n lists standard output, where nothing was printed: $*"
}

# Sheets, lists of their frames, grids, animations: a file for each frame, or one for all, with another one beside it.
mkdir world/art
cp "$samples/wwd/art/hermit.pid" "$samples/wwd/art/chalice.pid" "$samples/wwd/art/main.pal" "$samples/sketchy/lantern.doodad" world/art
"$lvl" convert world/art/hermit.pid world/art/chalice.pid --sheet -o world/art/s.png -q 2>err || fail "a sheet"
"$lvl" render world/art/lantern.doodad -o world/art/l.gif -q || fail "a GIF"
begin
for to in "" "-o new.png" "-o new.txt" "-o newdir" "-o art/s.png" "-o art/s.png -y" "-o art/l.png" "-o none/new.png" "-i" "-o -"; do
    check convert art --sheet $to
    check render art/lantern.doodad --sheet --data array $to
done
for from in art/s.json art/l.gif "art/l.gif art/s.json" "art/s.png --slice 20x30" "art/hermit.pid --slice 2x2" art a.json; do
    for to in "--to pid" "--to png" "--to gani" "--to ani" "--to doodad" "--to gif" "--to nw"; do
        for o in "" "-o newdir" "-o newdir/" "-o art -y" "-o new.pid" "-i"; do
            check convert $from $to $o
        done
    done
done
for to in gani ani doodad gif apng pid pal json; do
    for from in art/s.json art/l.gif "art/s.png --slice 20x30"; do
        check convert $from -o new.$to
        check convert $from -o art/s.$to
        check convert $from -o art/l.$to -y
    done
done
rm -rf world/art
begin

# Folders of a level's own: in a folder, of archives, with one name for two levels, over what is there.
for to in csv ldtk; do
    for from in levels/a.wwd lakeside "levels lakeside" world "walk.levelpack//" a.json gr-v1.03.graal levels/notes.txt; do
        check convert $from --to $to -o newdir
    done
    check convert levels/a.wwd --to $to -o levels
    check convert levels/a.wwd --to $to
    check convert levels/a.wwd --to $to -o there.wwd
done

# Edits: in place, to a file, to a folder, to standard output, with and without -y, of unchanged and of damaged files.
for to in "-i" "-o new.wwd" "-o there.wwd" "-o there.wwd -y" "-o newdir/" "-o -" "-o no/such/x.wwd"; do
    check set levels/a.wwd name=x $to
    check move levels/a.wwd 'planes["Action"].objects[0]' 64,0 $to
    check resize levels/a.wwd --size 200x100 $to
    check repair truncated.wwd $to
    check merge levels/a.wwd ours.wwd theirs.wwd $to
    check copy levels/a.wwd 'planes["Action"].objects[0]' levels/sub/b.wwd $to
done
was=$("$lvl" get world/levels/a.wwd name)
for to in -i "-o new.wwd" "-o newdir/"; do
    check set levels/a.wwd "name=$was" $to
    check set levels -e "name=$was" $to
    check repair levels/a.wwd $to
    check set truncated.wwd name=x $to
    check set nothing.wwd name=x $to
    check set levels/notes.txt name=x $to
    check set levels/a.wwd 'nothing=1' $to
done
for to in -i "-o newdir" "-o levels/ -y" "-o levels/" "-o there.wwd"; do
    check set levels -e name=x $to
    check set levels/a.wwd levels/a.wwd -e name=x $to
    check set levels/a.wwd levels/sub/b.wwd -e name=x $to
    check repair . $to
    check resize levels --size 200x100 $to
    check move levels 'planes[0].objects[0]' 64,0 $to
done
cp -R world/levels world/yours
"$lvl" set world/yours name=yours -i -q || fail "yours"
begin
check merge levels/a.wwd levels/a.wwd levels/a.wwd -i
[ ! -s changed ] || fail 'a merge that changes nothing writes the file'
check merge levels levels yours -o merged
check merge levels levels yours -o levels/
check merge levels levels yours -o yours/sub
rm -rf world/yours
# "a.wwd" beside "a.nw" becomes "a.wwd.png", and so does "a.wwd.nw"; of a picture of that name nothing is drawn
mkdir world/two world/three
cp "$samples/graal/lakeside/lake_mill.nw" world/two/a.nw && cp world/levels/a.wwd world/two/a.wwd
cp world/two/* world/three && cp world/two/a.nw world/three/a.wwd.nw
"$lvl" render world/two -o world/two -q --size 32 || fail "render"
begin
check render two -o two --size 32 -y
check render two -o newdir --size 32
check render three -o newdir --size 32
[ "$code" = 2 ] && grep -qF 'three/a.wwd would be written to newdir/a.wwd.png, too' real.err || fail 'two inputs with one name'
rm -rf world/two world/three
begin
check set levels/a.wwd name=x -i -o new.wwd
# a file where a folder should be
for to in there.wwd/ there.wwd/sub/ there.wwd/x.wwd; do
    check set levels/a.wwd name=x -o $to
    [ "$code" = 3 ] || fail "exit $code: -o $to"
done
check set levels/a.wwd name=x -o there.wwd/
grep -qF 'expected a folder, but there.wwd is a file' real.err || fail "a file is not called a folder: $(cat real.err)"

# Members of archives: in their archive, in a copy of it, in files
for to in -i "-o copy.levelpack" "-o there.levelpack/" "-o walk.levelpack" "-o walk.levelpack -y" "-o one.level" "-o -"; do
    check set walk.levelpack//levels/hill.level title=x $to
    check set walk.levelpack//levels/hill.level "title=$("$lvl" get world/walk.levelpack//levels/hill.level title)" $to
done
for to in -i "-o copy.levelpack" "-o newdir"; do
    check set walk.levelpack//levels -e title=x $to
    check set walk.levelpack//levels zipped/inner.levelpack//levels -e title=x $to
    check repair walk.levelpack//levels $to
done
check set walk.levelpack title=x -i
check set walk.levelpack title=x -o copy.levelpack
check set walk.levelpack --members -e title=x -i
check set zipped --members -e title=x -i

# two members with one name: nobody can give the name of only one of them, so the first is written, and the rest of the folder
mkdir world/twins
cp world/levels/a.wwd world/twins/
python3 - world/lakeside/lake_mill.nw <<'END'
import sys, warnings, zipfile
warnings.simplefilter("ignore")
level = open(sys.argv[1], "rb").read()
with zipfile.ZipFile("world/twins/t.zip", "w") as z:
    for name in "a.nw", "a.nw", "b.nw":
        z.writestr(name, level)
END
begin
for to in "-o newdir" "-o newdir -y" "-o newdir -j1"; do
    check dump twins $to
    [ "$code" = 1 ] && [ "$(names real/newdir | tr '\n' ' ')" = 'a.wwd.json t.zip/a.nw.json t.zip/b.nw.json ' ] || fail "two members with one name: $to"
done
check render twins/t.zip -o newdir --size 32
rm -rf world/twins
begin

# Standard input
input=$t/world/levels/a.wwd
for to in -i "-o new.wwd" "-o newdir/" "-o there.wwd" "-o -"; do
    check set - name=x $to
    check repair - $to
    check convert - --to json $to
done
# without -o there is nothing that would be written
"$lvl" set - name=x -n <"$input" >out 2>err || fail 'set - -n'
grep -q 'dry run' err && fail 'set - -n lists an output, but none is named'
check dump -
check render - -o new.png
input=$t/world/a.json
check undump - -o new.wwd
input=/dev/null

# Conversions, dumps, pictures
for to in "-o new.nw" "-o gr-v1.03.graal --to nw" "-o newdir/ --to nw" "-o - --to nw" "-i --to gr-v1.01" "-o new.tmx" "-o new.json" "-o new.png"; do
    check convert gr-v1.03.graal $to --allow-loss
done
check convert levels --to json -o newdir
check convert levels --to tmx -o newdir
check convert levels/a.wwd -o new.tmx
check convert . --to nw -o newdir --allow-loss
check convert walk.levelpack//levels --to v3 -o newdir
check convert walk.levelpack//levels/hill.level --to v3 -o copy.levelpack
check convert walk.levelpack//levels/hill.level --to v3 -i
check convert levels -o new.json
for to in "" "-o new.json" "-o newdir/" "-o there.wwd" "-o levels/a.wwd"; do
    check dump levels/a.wwd $to
done
check dump levels -o newdir
check dump walk.levelpack//levels -o newdir
for to in "-o new.wwd" "-o newdir/" "-o there.wwd -y" "-o there.wwd" "-o a.json -y"; do
    check undump a.json $to
done
check render levels/a.wwd -o new.png --size 64
check render levels/a.wwd -o there.wwd --size 64
check render levels -o newdir --size 64
check render levels/a.wwd --tiles newdir
check render lakeside --tiles newdir --schematic
check render lakeside/lakeside.gmap --tiles lakeside -y
check render walk.levelpack -o newdir --size 64
check render levels/a.wwd -o new.jpg
check render lakeside/lakeside.gmap -o new.png --size 64
check render --graph lakeside -o new.dot

# Archives as a whole
check extract walk.levelpack -o newdir
check extract walk.levelpack -o levels
check extract walk.levelpack levels/hill.level -o new.level
check extract walk.levelpack levels/hill.level -o walk.levelpack
check extract walk.levelpack levels/hill.level -o -
check extract --scripts --signs gr-v1.03.graal -o newparts
check extract --scripts --signs gr-v1.03.graal -o parts
check extract --scripts --signs lakeside -o newparts
check pack unpacked -o new.levelpack
check pack unpacked -o walk.levelpack
check pack unpacked -o walk.levelpack -y
rm -f world/unpacked/levels/rings.level
begin
for to in -i "-o new.levelpack" "-o walk.levelpack" "-o walk.levelpack -y" "-o newdir/"; do
    check pack unpacked walk.levelpack --delete $to
done
check pack parts gr-v1.03.graal -i
check pack parts gr-v1.03.graal -o new.graal
check pack walk.levelpack --set title=x -i

# What makes one file of others
check new nw -o new.nw
check new nw -o there.wwd
check new nw -o levels
check new nw -o no/such.nw
check gmap lakeside -o new.gmap
check gmap lakeside -o lakeside/lakeside.gmap
printf '<html><script type="text/plain" id="lvl-wasm">x</script></html>\n' >page.html
for to in new.html there.wwd no/such.html -; do
    check view levels --page ../page.html -o $to
done
# A site: with -y the files of levels that are gone are named, not removed.
check view levels --site -o newsite
if (cd world && "$lvl" scan -q levels -o ../levels.db 2>"$t/err"); then
    check gallery ../levels.db --files . -o newsite
    "$lvl" view world/levels --site -o world/newsite -q
    rm -f world/levels/sub/b.wwd
    begin
    expect 0 "$lvl" view world/levels --site -o world/newsite -y -n
    err_has 'files of levels that are gone would be removed'
    names world | cmp -s - all || fail "-n of a site removed something"
    cp "$samples/wwd/polish.wwd" world/levels/sub/b.wwd
    rm -rf world/newsite
    begin
fi
check rename lakeside.gmap other.gmap --in lakeside
check rename pics1.png other.png --in lakeside --references-only

# What is installed: settings of git, its attributes, the extension of Tiled.
check tiled --project new.tiled-project
mkdir home repository
expect 0 env HOME="$PWD/home" XDG_CONFIG_HOME="$PWD/home" "$lvl" tiled --install -n
err_has 'home/tiled/extensions/lvl/lvl.js: not written (dry run)'
[ -z "$(ls -A home)" ] || fail "-n installs the extension"
if command -v git >/dev/null && (cd repository && git init -q 2>/dev/null); then
    (cd repository && "$lvl" git install -n >"$t/out" 2>"$t/err") || fail "git install -n"
    [ ! -e repository/.gitattributes ] && ! grep -q lvl repository/.git/config || fail "-n changes git's settings"
    sed -n 's/^git config --local \(.*\) would be set$/\1/p' out | sort >listed
    (cd repository && "$lvl" git install -q && git config --local --list --name-only) | tr A-Z a-z | grep -E 'lvl|keepbackup' | grep -v setskeepbackup | sort >changed
    tr A-Z a-z <listed | sort | cmp -s - changed || fail "-n lists other settings than are set"
    cp repository/.git/config config
    (cd repository && "$lvl" git uninstall -n >"$t/out" 2>"$t/err") || fail "git uninstall -n"
    cmp config repository/.git/config && [ -e repository/.gitattributes ] || fail "-n removes git's settings"
fi

# A file of the folder that is no level is skipped, whether -o has one of its name or not.
mkdir world/has
echo mine >world/has/notes.txt
begin
for to in "-o has" "-o has -y"; do
    check set levels -e name=x $to
    [ "$code" = 0 ] || fail "exit $code: $to"
    check convert levels --to wwd-1.3 $to
    check repair levels $to
done

# Targets that are one file through a link: the second result is refused, before and at the work.
mkdir linked linked/in linked/out
cp world/levels/a.wwd linked/in/a.wwd
cp world/levels/a.wwd linked/in/b.wwd
cp world/levels/a.wwd linked/out/b.wwd
if ln -s b.wwd linked/out/a.wwd 2>/dev/null; then
    for dry in -n -q; do
        expect 2 "$lvl" set linked/in -e 'planes["Action"].objects[0].x+=1' -o linked/out -y $dry
        err_has 'linked/in/b.wwd: linked/in/a.wwd would be written to linked/out/b.wwd, too; run lvl once for each'
    done
fi
# Hard links are files of their own once one is saved, but two spellings of one are not.
if ln linked/in/a.wwd linked/hard.wwd 2>/dev/null; then
    was=$("$lvl" get linked/hard.wwd 'planes["Action"].objects[0].x')
    expect 0 "$lvl" set linked/in/a.wwd linked/in/../in/a.wwd linked/hard.wwd -e 'planes["Action"].objects[0].x+=1' -i
    for file in linked/in/a.wwd linked/hard.wwd; do
        [ "$("$lvl" get "$file" 'planes["Action"].objects[0].x')" = $((was + 1)) ] || fail "$file was not edited once"
    done
fi

finish
