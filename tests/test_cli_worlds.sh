#!/bin/sh
# `lvl rename` and `lvl gmap`: a file and all its names in a world, all or nothing; maps by links and by names.
set -eu
lvl=${LVL:?}
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
unset LVL_ART

fail() {
    echo "test_cli_worlds: $*" >&2
    exit 1
}
code_of() {
    code=0
    "$@" >"$dir/out" 2>"$dir/err" || code=$?
}

make_world() {
    rm -rf "$1"
    mkdir -p "$1/sub"
    printf 'GLEVNW01\nLINK B.nw 63 0 1 64 0 playery\nNPC - 1 1\nif (x) setlevel2 b.nw,3,3;\nNPCEND\n' >"$1/a.nw"
    printf 'GLEVNW01\nLINK a.nw 0 0 1 64 61 playery\nLINK b.nw 9 9 2 2 30 30\n' >"$1/b.nw"
    printf 'GLEVNW01\nLINK b.graal 1 1 2 2 30 30\nLINK bb.nw 1 1 2 2 30 30\n' >"$1/sub/c.nw"
    printf 'GRMAP001\r\nWIDTH 2\r\nHEIGHT 1\r\nLEVELNAMES\r\n"a.nw","b.nw"\r\nLEVELNAMESEND\r\n' >"$1/w.gmap"
    printf '"b.nw","a.nw"\n' >"$1/big.txt"
    printf 'no level: b.nw\n' >"$1/notes.txt"
}

# pictures of animations: of layers, and of what a movie changes
mkdir "$dir/a"
cp "$LVL_SAMPLES"/graal/head0.png "$LVL_SAMPLES"/graal/ganis/*.gani "$dir/a"
code_of "$lvl" rename head0.png other.png --in "$dir/a"
[ $code = 0 ] && ! grep -q head0 "$dir"/a/*.gani || fail "pictures of animations: $code $(grep head0 "$dir"/a/*.gani)"

make_world "$dir/w"
cp -r "$dir/w" "$dir/was"
code_of "$lvl" rename b.nw new.nw --in "$dir/w" -n
[ $code = 0 ] || fail "-n: $code $(cat "$dir/err")"
diff -r "$dir/w" "$dir/was" || fail "-n changed something"
for line in 'a.nw: links\[0\].level: B.nw -> new.nw' 'a.nw: npcs\[0\].script, line 1: b.nw: not changed' \
    'b.nw: links\[1\].level: b.nw -> new.nw' 'sub/c.nw: links\[0\].level: b.graal -> new.graal' \
    'w.gmap: rows\[0\].names\[1\]: b.nw -> new.nw' 'big.txt: rows\[0\].names\[0\]: b.nw -> new.nw' \
    'w/b.nw -> .*w/new.nw'; do
    grep -q "$line" "$dir/out" || fail "-n does not list $line: $(cat "$dir/out")"
done
grep -q '6 files: 5 would change, 1 without\|5 would change' "$dir/err" || fail "count: $(cat "$dir/err")"
cp "$dir/out" "$dir/one"
code_of "$lvl" rename b.nw new.nw --in "$dir/w" -n -j 4
cmp "$dir/out" "$dir/one" || fail "threads make a difference"

code_of "$lvl" rename B.NW new.nw --in "$dir/w"
[ $code = 0 ] || fail "rename: $code $(cat "$dir/err")"
[ ! -e "$dir/w/b.nw" ] || fail "the old file is still there"
grep -q '^LINK new.nw 63 0' "$dir/w/a.nw" && grep -q 'setlevel2 b.nw,3,3' "$dir/w/a.nw" || fail "a.nw: $(cat "$dir/w/a.nw")"
[ "$(sed s/new/b/ "$dir/w/new.nw")" = "$(cat "$dir/was/b.nw")" ] || fail "new.nw: $(cat "$dir/w/new.nw")"
[ "$(sed s/new/b/ "$dir/w/w.gmap")" = "$(cat "$dir/was/w.gmap")" ] || fail "w.gmap"
[ "$(cat "$dir/w/big.txt")" = '"new.nw","a.nw"' ] || fail "big.txt"
cmp "$dir/w/notes.txt" "$dir/was/notes.txt"
[ "$(ls -A "$dir/w" | tr '\n' ' ')" = "a.nw big.txt new.nw notes.txt sub w.gmap " ] || fail "left over: $(ls -A "$dir/w")"
# and back, with scripts; JSON lists each change
code_of "$lvl" rename new.nw b.nw --in "$dir/w" --scripts --json
[ $code = 0 ] || fail "back: $code $(cat "$dir/err")"
grep -q '"path":"links\[1\].level","old":"new.nw","new":"b.nw","changed":true}' "$dir/out" || fail "JSON: $(cat "$dir/out")"
grep -q '"renamed":".*w/b.nw"}' "$dir/out" || fail "JSON: $(cat "$dir/out")"

# all or nothing: a read-only file, a file that cannot be read, a name that is taken
make_world "$dir/w"
chmod a-w "$dir/w/w.gmap"
code_of "$lvl" rename b.nw new.nw --in "$dir/w"
[ $code = 3 ] && grep -q 'nothing was changed' "$dir/err" || fail "read-only: $code $(cat "$dir/err")"
diff -r "$dir/w" "$dir/was" || fail "a failed rename changed something"
code_of "$lvl" rename b.nw new.nw --in "$dir/w" -y
[ $code = 0 ] && grep -q new.nw "$dir/w/w.gmap" || fail "-y: $code $(cat "$dir/err")"
make_world "$dir/w"
printf 'GANI0001\n' >"$dir/w/x.gani"
ln -s nowhere "$dir/w/gone.nw"
code_of "$lvl" rename b.nw a.nw --in "$dir/w"
[ $code = 3 ] && grep -q 'already exists' "$dir/err" || fail "taken: $code $(cat "$dir/err")"
code_of "$lvl" rename zz.nw yy.nw --in "$dir/w"
[ $code = 1 ] || fail "no such file: $code"
code_of "$lvl" rename b.nw sub/b2.nw --in "$dir/w"
[ $code = 2 ] || fail "a folder in the new name: $code"
code_of "$lvl" rename b.nw b.graal --in "$dir/w"
[ $code = 2 ] && grep -q 'lvl convert' "$dir/err" || fail "another ending: $code"
cp "$dir/w/b.nw" "$dir/w/sub/b.nw"
code_of "$lvl" rename b.nw new.nw --in "$dir/w"
[ $code = 1 ] && grep -q '2 files' "$dir/err" || fail "two of that name: $code $(cat "$dir/err")"
code_of "$lvl" rename "$dir/w/sub/b.nw" new.nw --in "$dir/w"
[ $code = 0 ] && [ -e "$dir/w/sub/new.nw" ] && [ -e "$dir/w/b.nw" ] || fail "by path: $code $(cat "$dir/err")"
# the file was renamed by hand, or the command was interrupted: only names are left to change
make_world "$dir/w"
mv "$dir/w/b.nw" "$dir/w/new.nw"
code_of "$lvl" rename b.nw new.nw --in "$dir/w"
[ $code = 0 ] && grep -q 'LINK new.nw 63' "$dir/w/a.nw" || fail "by hand: $code $(cat "$dir/err")"
# another case only
code_of "$lvl" rename new.nw NEW.nw --in "$dir/w"
[ $code = 0 ] && [ -e "$dir/w/NEW.nw" ] && grep -q 'LINK NEW.nw 63' "$dir/w/a.nw" || fail "case: $code $(cat "$dir/err")"

# ---- gmap: a square of four levels by links, one of them called otherwise in case
mkdir "$dir/g"
right() { printf 'LINK %s 63 0 1 64 0 playery\n' "$1"; }
down() { printf 'LINK %s 0 63 64 1 playerx 0\n' "$1"; }
{ echo GLEVNW01 && right two.nw && down Three.nw; } >"$dir/g/one.nw"
{ echo GLEVNW01 && down four.nw; } >"$dir/g/two.nw"
{ echo GLEVNW01 && right four.nw && right gone.nw; } >"$dir/g/three.nw"
echo GLEVNW01 >"$dir/g/four.nw"
echo GLEVNW01 >"$dir/g/alone.nw"
printf '"four.nw","three.nw","two.nw","one.nw"\n' >"$dir/g/old.txt" # an older map has no say
code_of "$lvl" gmap "$dir/g" -o "$dir/made.gmap"
[ $code = 0 ] || fail "gmap: $code $(cat "$dir/err")"
grep -q '"one.nw","two.nw"' "$dir/made.gmap" && grep -q '"three.nw","four.nw"' "$dir/made.gmap" || fail "by links: $(cat "$dir/made.gmap")"
grep -q '2 by 2 with 4 levels; 1 other is not on it' "$dir/err" || fail "said: $(cat "$dir/err")"
"$lvl" check -q --no-art "$dir/made.gmap" || fail "the map is not sound"
code_of "$lvl" gmap "$dir/g" -o "$dir/made.gmap"
[ $code = 3 ] || fail "overwrote without -y: $code"
code_of "$lvl" gmap "$dir/g" -o "$dir/made.txt" -n
[ $code = 0 ] && [ ! -e "$dir/made.txt" ] || fail "-n: $code"
code_of "$lvl" gmap "$dir/g" -q
cmp "$dir/out" "$dir/made.gmap" || fail "stdout"
code_of "$lvl" gmap "$dir/g" --start alone.nw
[ $code = 1 ] || fail "a level without neighbours: $code"
# by names: letters and numbers; the links say that the number is x here
mkdir "$dir/n"
for name in town-a1 town-a2 town-b2 other; do echo GLEVNW01 >"$dir/n/$name.nw"; done
code_of "$lvl" gmap "$dir/n" -o "$dir/n.txt"
[ $code = 0 ] && [ "$(cat "$dir/n.txt")" = '"town-a1.nw",""
"town-a2.nw","town-b2.nw"' ] || fail "by names: $code $(cat "$dir/n.txt" "$dir/err")"
right town-a2.nw >>"$dir/n/town-a1.nw"
code_of "$lvl" gmap "$dir/n" -o "$dir/n.txt" -y --by names
[ "$(cat "$dir/n.txt")" = '"town-a1.nw","town-a2.nw"
"","town-b2.nw"' ] || fail "turned by links: $(cat "$dir/n.txt")"
echo GLEVNW01 >"$dir/n/town-zz9999.nw"
echo GLEVNW01 >"$dir/n/town-aa0.nw"
code_of "$lvl" gmap "$dir/n" -o "$dir/n.gmap" --by names
[ $code = 1 ] && grep -q 'cells are more than' "$dir/err" || fail "too large: $code $(cat "$dir/err")"
# one at a time: another run in the same folder is refused, a dry run is not
make_world "$dir/busy"
if command -v flock >/dev/null; then
    code_of flock "$dir/busy" "$lvl" rename b.nw new.nw --in "$dir/busy"
    [ $code = 3 ] && grep -q "another .lvl rename. is at work" "$dir/err" || fail "two at once: $code $(cat "$dir/err")"
    [ -e "$dir/busy/b.nw" ] || fail "two at once: renamed all the same"
    code_of flock "$dir/busy" "$lvl" rename b.nw new.nw --in "$dir/busy" -n
    [ $code = 0 ] || fail "two at once, -n: $code"
    code_of "$lvl" rename b.nw new.nw --in "$dir/busy"
    [ $code = 0 ] || fail "after the other: $code"
fi
echo "test_cli_worlds: ok"
