#!/bin/sh
# `lvl extract` and `lvl pack` as modders use them: attached files of levels and doodads, scripts, packs of levels; names that lead out of
# the folder; the corpus extracted and packed again without a changed byte.
. "$(dirname "$0")/support/shell.sh"
s=$samples/sketchy
says() {
    grep -qF -- "$1" err || fail "$2: says $(head -n 3 err)"
}

# out and back, in every generation: nothing changes
for g in v1 v2 v3 v3.1 v4; do
    expect 0 "$lvl" extract "$s/hill-$g.level" -o "hill-$g"
    expect 0 "$lvl" pack "hill-$g" "$s/hill-$g.level" -o same.level -y
    says "nothing changed" "out and back of $g"
    same same.level "$s/hill-$g.level" "out and back of $g"
    [ "$(head -c 4 "hill-$g/assets/wallpapers/custom.png" | tail -c 3)" = PNG ] || fail "$g: the wallpaper is no picture"
    # and of a change nothing else
    printf '\211PNG\r\n\032\nnew' >"hill-$g/assets/wallpapers/custom.png"
    expect 0 "$lvl" pack "hill-$g" "$s/hill-$g.level" -o changed.level -y
    says "1 file changed" "a wallpaper in $g"
    expect 0 "$lvl" extract changed.level assets/wallpapers -o "paper-$g"
    same "paper-$g/assets/wallpapers/custom.png" "hill-$g/assets/wallpapers/custom.png" "a wallpaper in $g"
    "$lvl" convert changed.level --to v4 -o changed-v4.level -y -q
    expect 0 "$lvl" get changed-v4.level 'files[path=assets/wallpapers/custom.b64img].data'
    grep -qF "$(printf '\211PNG\r\n\032\nnew' | base64 | tr -d '\n' | base64)" out || fail "$g: the wallpaper isn't text in the file"
done

# a value that is there already is no change
cp "$s/walk.levelpack" title.levelpack
expect 0 "$lvl" pack title.levelpack --set 'title=A short walk' -i
says "nothing changed" "--set of the same title"
same title.levelpack "$s/walk.levelpack" "--set of the same title"
expect 0 "$lvl" pack title.levelpack --set 'title=A long walk' -i
says "1 other change" "--set of another title"

# Names of members keep their bytes, whatever their code page, if their member or another one is changed. Only bytes that are
# UTF-8 are declared as such.
cat >names.py <<'P'
import sys, zipfile
def names(path):
    b, at, found = open(path, "rb").read(), 0, []
    while (at := b.find(b"PK\1\2", at)) >= 0:
        size = int.from_bytes(b[at + 28:at + 30], "little")
        name, utf8 = b[at + 46:at + 46 + size], bool(b[at + 9] & 8)
        local = int.from_bytes(b[at + 42:at + 46], "little")
        assert b[local + 30:local + 30 + size] == name, "the local name is another one"
        if utf8:
            name.decode()
        found.append(name)
        at += 46
    return found
if sys.argv[1] == "make":
    with zipfile.ZipFile(sys.argv[2]) as old, zipfile.ZipFile("new.zip", "w", zipfile.ZIP_DEFLATED) as new:
        for i in old.infolist():
            new.writestr(i.filename, old.read(i))
        new.writestr("doodads/GrXXXXe.doodad", old.read("doodads/lantern.doodad"))
    b = open("new.zip", "rb").read()
    for path, letters in ("raw437", b"\x81\xe1\x81\xe1"), ("rawutf8", "\u00fc\u00df".encode()):
        open(path + ".levelpack", "wb").write(b.replace(b"XXXX", letters))
else:
    before, after = names(sys.argv[1]), names(sys.argv[2])
    assert before == after and any(n != n.decode("ascii", "ignore").encode() for n in after), (before, after)
P
if command -v python3 >/dev/null; then
    python3 names.py make "$s/walk.levelpack" || fail "packs with names of other code pages"
    for p in raw437 rawutf8; do
        cp $p.levelpack edited.levelpack
        expect 0 "$lvl" set edited.levelpack//levels/hill.level title=Hi -i
        python3 names.py $p.levelpack edited.levelpack || fail "$p: names after an edit of another member"
        expect 0 "$lvl" set --members edited.levelpack//doodads title=Hi -i
        python3 names.py $p.levelpack edited.levelpack || fail "$p: names after an edit of their member"
    done
fi

# added, deleted on demand, refused
mkdir hill-v4/assets/screenshots
cp hill-v3/assets/wallpapers/custom.png hill-v4/assets/screenshots/large.png
rm -r hill-v4/assets/doodads
expect 0 "$lvl" pack hill-v4 changed.level -o more.level -v
says "added assets/screenshots/large.png" "a new file"
expect 0 "$lvl" extract -l more.level
[ "$(wc -l <out)" = 3 ] || fail "not three files: $(cat out)"
expect 0 "$lvl" pack hill-v4 more.level --delete -i
says "1 file removed" "--delete"
expect 0 "$lvl" check --roundtrip more.level
expect 0 "$lvl" extract -l more.level
grep -q doodad out && fail "--delete left a doodad"
cp more.level before.level
echo x >hill-v4/notes.txt
expect 1 "$lvl" pack hill-v4 more.level -i
says "notes.txt: the target has no place for a file of that name" "a stray file"
rm hill-v4/notes.txt
cp hill-v4/assets/wallpapers/custom.png hill-v4/assets/wallpapers/custom.gif
expect 1 "$lvl" pack hill-v4 more.level -i
says "two files belong to the same member" "two wallpapers of one name"
same more.level before.level "a refused change wrote something"

# a doodad's script and files in one folder
expect 0 "$lvl" extract "$s/lantern.doodad" --scripts -o lantern
[ -f lantern/script.js ] || fail "no script.js: $(ls lantern)"
expect 0 "$lvl" pack lantern "$s/lantern.doodad" -o lantern.doodad
same lantern.doodad "$s/lantern.doodad" "a script out and back"
echo "// changed" >>lantern/script.js
mkdir -p lantern/assets/sounds
echo beep >lantern/assets/sounds/on.wav
expect 0 "$lvl" pack lantern lantern.doodad -i
says "1 part changed, 1 file added" "script and sound"
expect 0 "$lvl" get lantern.doodad script
[ "$(tail -n 1 out)" = "// changed" ] || fail "the script: $(tail -n 1 out)"

# packs: out and back, members and index
expect 0 "$lvl" extract "$s/walk.levelpack" -o walk
expect 0 "$lvl" pack walk "$s/walk.levelpack" -o walk.levelpack
same walk.levelpack "$s/walk.levelpack" "a pack out and back"
cp "$s/chunk-1.level" "walk/levels/Stage 10.level"
expect 0 "$lvl" pack walk walk.levelpack -i
expect 0 "$lvl" pack walk walk.levelpack -i
expect 0 "$lvl" get walk.levelpack 'levels[*].filename'
printf 'hill.level\nrings.level\nStage 10.level\n' | cmp -s - out || fail "the index: $(cat out)"
expect 0 "$lvl" set 'walk.levelpack//levels/hill.level' title=Changed -i
# the index follows what it repeats of a level, and keeps what it says differently
expect 0 "$lvl" get walk.levelpack 'levels[filename=hill.level].title'
[ "$(cat out)" = Changed ] || fail "the index still says $(cat out)"
expect 0 "$lvl" set walk.levelpack 'levels[filename=hill.level].title=Our own' -i
expect 0 "$lvl" check walk.levelpack
grep -qF 'warning: sketchy.pack.stale: the title is "Our own" in the index, which players see, and "Changed" in the level' out ||
    fail "another title in the index: $(cat out)"
expect 0 "$lvl" set 'walk.levelpack//levels/hill.level' title=Again author=Someone -i
expect 0 "$lvl" get walk.levelpack 'levels[filename=hill.level].title' 'levels[filename=hill.level].author'
printf 'Our own\nSomeone\n' | cmp -s - out || fail "the index after another change: $(cat out)"
expect 0 "$lvl" extract walk.levelpack levels/rings.level -o one
same one/levels/rings.level walk/levels/rings.level "a neighbour of an edited member"
rm walk/levels/rings.level walk/index.json
expect 0 "$lvl" pack walk walk.levelpack --delete -i
expect 0 "$lvl" get walk.levelpack 'levels[*].filename'
printf 'hill.level\nStage 10.level\n' | cmp -s - out || fail "the index without rings: $(cat out)"
expect 0 "$lvl" check walk.levelpack

# and of a folder of levels
mkdir flat
cp "$s/hill-v2.level" "flat/Level 10.level"
cp "$s/hill-v4.level" "flat/Level 2.level"
cp "$s/lantern.doodad" flat
expect 0 "$lvl" pack flat -o flat.levelpack --set author=me
expect 0 "$lvl" get flat.levelpack title author created 'levels[*].filename'
printf 'flat\nme\n0001-01-01T00:00:00Z\nLevel 2.level\nLevel 10.level\n' | cmp -s - out || fail "a new pack: $(cat out)"
expect 0 "$lvl" check --roundtrip flat.levelpack
expect 0 "$lvl" pack flat -o again.levelpack --set author=me --set title=flat
same flat.levelpack again.levelpack "the same files, another pack"
expect 2 "$lvl" pack flat -o bad.levelpack --set nonsense
expect 1 "$lvl" pack flat -o bad.levelpack --set nonsense=1
[ ! -e bad.levelpack ] || fail "a pack that couldn't be set was written"
expect 2 "$lvl" pack flat -o bad.levelpack --delete
expect 0 "$lvl" pack flat.levelpack --dedupe -o thin.levelpack
says "2 other changes" "--dedupe"
expect 0 "$lvl" extract -l thin.levelpack//levels
grep -q doodad out && fail "--dedupe left doodads in levels"
expect 0 "$lvl" pack thin.levelpack --dedupe -i
says "nothing changed" "--dedupe twice"

# names that lead out, and such as not every system can have
mkdir -p jail/in bad/levels
cp "$s/chunk-1.level" bad/levels/a.level
cp "$s/chunk-1.level" bad/levels/b.level
expect 0 "$lvl" pack bad -o evil.levelpack
for name in ../up ../../up /tmp/lvl-evil-$$ 'levels/..' 'C:up' 'levels\..\..\up' levels/con 'levels/a.' 'x//y'; do
    expect 0 "$lvl" set evil.levelpack "files[0].path=$name" -o evil-one.levelpack -y
    expect 1 "$lvl" extract evil-one.levelpack -o jail/in/x -y
    says "not written" "$name"
    expect 0 "$lvl" info evil-one.levelpack
    expect 0 "$lvl" pack bad evil-one.levelpack -o jail/in/back.levelpack --delete -y
    # every member, by way of their names
    mkdir -p jail/in/m
    "$lvl" convert evil-one.levelpack// --to v4 -o jail/in/m -y >out 2>err </dev/null
    rm -rf jail/in/m jail/in/x jail/in/back.levelpack
    [ "$(find jail | wc -l)" = 2 ] || fail "$name led out: $(find jail)"
    [ ! -e "/tmp/lvl-evil-$$" ] || fail "$name led to /tmp"
done

# --delete removes the folders that it empties, but none that the disk has
rez=$samples/wwd/SAMPLES.REZ
expect 0 "$lvl" extract "$rez" -o rez -q
first=$(cd rez && find . -type f | LC_ALL=C sort | head -n 1 | cut -c3-)
folder=${first%/*}
rm -r "rez/$folder"
expect 0 "$lvl" pack rez "$rez" -o less.rez --delete -q
folders() {
    "$lvl" dump "$1" | grep -c "\"name\": *\"${folder##*/}\""
}
[ "$(folders less.rez)" = $(($(folders "$rez") - 1)) ] || fail "--delete left the empty folder $folder"
mkdir -p "rez/$folder"
expect 0 "$lvl" pack rez "$rez" -o less.rez --delete -q -y
[ "$(folders less.rez)" = "$(folders "$rez")" ] || fail "--delete removed the folder $folder, which the disk has"

# What cannot be read is an error, and nothing is deleted for it. Root may read everything, so the folder's path is too long for the system.
unreadable() { # FOLDER: moves it to where the system cannot list it, below `deep`
    long=$(printf '%0240d' 0)
    part=$long/$long/$long/$long/$long/$long/$long/$long/$long
    mkdir -p "deep/$part" "half/$part"
    mv "$1" "half/$part/below"
    (cd "deep/$part" && mv "$t/half/$long" "$long")
}
expect 0 "$lvl" extract "$rez" -o whole -q
cp "$rez" kept.rez
unreadable "whole/$folder"
mv deep/* "whole/$folder"
expect 3 "$lvl" pack whole kept.rez --delete -i --limit depth=64
says "nothing was packed or deleted, since this cannot be read: whole/" "pack --delete with a folder that cannot be listed"
same kept.rez "$rez" "pack --delete with a folder that cannot be listed"
expect 3 "$lvl" pack whole -o new.rez --limit depth=64
says "nothing was packed or deleted, since this cannot be read: whole/" "pack -o with a folder that cannot be listed"
[ ! -e new.rez ] || fail "an incomplete archive was written"
cp "$samples"/graal/lakeside/*.nw whole
expect 3 "$lvl" rename lake_woods.nw other.nw --in whole --limit depth=64
says "nothing was renamed" "rename in a folder that cannot be listed"
expect 3 "$lvl" check whole --limit depth=64 -q
rm -rf whole

# files that exist are one line, not one each
expect 0 "$lvl" extract "$s/walk.levelpack" -o again -q
expect 3 "$lvl" extract "$s/walk.levelpack" -o again
[ "$(wc -l <err)" = 1 ] && grep -q '4 files already exist below again; -y replaces them' err || fail "existing files: $(cat err)"
expect 3 "$lvl" extract "$s/walk.levelpack" -o again -v
grep -q 'again/index.json already exists' err || fail "existing files with -v: $(cat err)"

# a link that leads nowhere is no file, and no reason to delete the member of that name; a file that cannot be read is named
mkdir -p links few
echo 1 >few/ONE.TXT
echo 2 >few/TWO.TXT
expect 0 "$lvl" pack few -o links.rez
cp links.rez before.rez
cp few/ONE.TXT links
if [ -z "$windows" ]; then
    ln -s nowhere links/TWO.TXT
    expect 3 "$lvl" pack links links.rez -i --delete
    says "nothing was packed or deleted, since this cannot be read: links/TWO.TXT" "pack --delete with a link that leads nowhere"
    same links.rez before.rez
    rm links/TWO.TXT
fi
expect 0 "$lvl" pack links links.rez -i --delete
[ "$("$lvl" extract links.rez --list | wc -l)" = 1 ] || fail "--delete did not remove the file"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    as_nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
else
    as_nobody=
fi
chmod 000 few/TWO.TXT
if ! $as_nobody cat few/TWO.TXT >/dev/null 2>&1 && $as_nobody "$lvl" version >/dev/null 2>&1; then
    expect 3 $as_nobody "$lvl" pack few -o never.rez
    says "nothing was packed or deleted, since this cannot be read: few/TWO.TXT" "pack with a file that cannot be read"
fi
chmod 644 few/TWO.TXT
rm few/TWO.TXT

# thousands of members are changed, added and removed in time and memory that follow their number
mkdir -p many/levels few few/OTHER
awk 'BEGIN { for (i = 0; i < 4000; i++) {
    f = "many/levels/l" i ".level"
    print "{\"version\":1,\"gameVersion\":\"0.14.0\",\"title\":\"t\",\"palette\":{\"swatches\":[]},\"chunks\":{\"size\":128,\"chunks\":{}}}" >f
    close(f) } }'
echo 1 >few/ONE.TXT
echo 2 >few/OTHER/TWO.TXT
soon() { (ulimit -t 20 && exec "$@"); }
expect 0 soon "$lvl" pack many -o many.levelpack
expect 0 soon "$lvl" set many.levelpack// title=new -i -q
[ "$("$lvl" get many.levelpack//levels/l3999.level title)" = new ] || fail "the last member was not changed"
"$lvl" get many.levelpack 'levels[filename=l3999.level].title' | grep -q new || fail "the index does not follow"
rm many/levels/l[1-9]*
expect 0 soon "$lvl" pack many many.levelpack -i --delete
[ "$("$lvl" get many.levelpack 'levels[*].filename')" = l0.level ] || fail "the index has levels that were removed"
mkdir -p more/OTHER/DEEP more/KEPT
awk 'BEGIN { for (i = 0; i < 6000; i++) { f = "more/OTHER/DEEP/F" i ".TXT"; print i >f; close(f) } }'
echo 3 >more/KEPT/THREE.TXT
expect 0 "$lvl" pack more -o more.rez
expect 0 soon "$lvl" pack few more.rez -i --delete
"$lvl" extract more.rez --list >list
[ "$(awk '{ print $2 }' list | sort | tr '\n' ' ')" = "ONE.TXT OTHER/TWO.TXT " ] || fail "6,000 members removed: $(head -n 5 list)"

# the corpus
[ -n "$corpus" ] || no_corpus
count=0
for file in "$corpus"/sketchy/level-v3.1-bin/*.level "$corpus"/sketchy/made/*/*.level "$corpus"/sketchy/level-v2-gzip/T*.level; do
    [ -f "$file" ] && [ "$(wc -c <"$file")" -lt 400000 ] || continue
    [ $count -lt 40 ] || break
    count=$((count + 1))
    rm -rf c c.level
    mkdir c
    "$lvl" extract "$file" -o c -q >out 2>err || continue # one that can't be read
    expect 0 "$lvl" pack c "$file" -o c.level -q
    same c.level "$file" "out and back of $file"
done
echo "test_cli_pack: $count files of the corpus out and back"
[ $failed = 0 ]
