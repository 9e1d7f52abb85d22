#!/bin/sh
# `lvl merge` of three folders without git: each file by its contents; nothing that a side made is lost.
. "$(dirname "$0")/support/shell.sh"
said=$t/said
mkdir "$said" base base/sub
woods=$samples/graal/lakeside/lake_woods.nw
for name in same ours theirs both clash gone dropped kept restored; do
    cp "$woods" base/$name.nw
done
cp "$samples/wwd/cliffs.wwd" base/sub/cliffs.wwd
cp "$samples/wwd/cliffs.wwd" base/sub/cut.wwd
for name in notes theirs-notes both-notes; do echo base >base/$name.txt; done
cp -r base ours
cp -r base theirs
"$lvl" set -i ours/ours.nw 'npcs[0].x=3'
"$lvl" set -i theirs/theirs.nw 'npcs[0].x=4'
"$lvl" set -i ours/both.nw 'npcs[0].x=5'
"$lvl" set -i theirs/both.nw 'npcs[0].y=6'
"$lvl" set -i ours/sub/cliffs.wwd author=me
"$lvl" set -i theirs/sub/cliffs.wwd 'planes["Action"].objects[0].x=77'
rm ours/gone.nw theirs/dropped.nw
echo theirs >theirs/theirs-notes.txt
cp "$woods" ours/new-ours.nw
mkdir theirs/deep && cp "$woods" theirs/deep/new-theirs.nw
cp "$woods" ours/new-both.nw && cp "$woods" theirs/new-both.nw

expect 0 "$lvl" merge base ours theirs -o out
has_value() { # FILE PATH VALUE
    tried=$((tried + 1))
    [ "$("$lvl" get "$1" "$2")" = "$3" ] || fail "$1 $2 is not $3"
}
has_value out/ours.nw 'npcs[0].x' 3
has_value out/theirs.nw 'npcs[0].x' 4
has_value out/both.nw 'npcs[0].x' 5
has_value out/both.nw 'npcs[0].y' 6
has_value out/sub/cliffs.wwd author me
has_value out/sub/cliffs.wwd 'planes["Action"].objects[0].x' 77
same out/same.nw "$woods" "a file that nobody changed"
is out/theirs-notes.txt theirs "a file of another format"
for name in gone dropped; do [ ! -e out/$name.nw ] || fail "$name.nw was removed by one side"; done
(cd out && find . -type f | sort) >files
is files "./both-notes.txt
./both.nw
./clash.nw
./deep/new-theirs.nw
./kept.nw
./new-both.nw
./new-ours.nw
./notes.txt
./ours.nw
./restored.nw
./same.nw
./sub/cliffs.wwd
./sub/cut.wwd
./theirs-notes.txt
./theirs.nw" "the files of the result"

# conflicts: in a level; removed against changed; another format; a damaged side; both added
"$lvl" set -i ours/clash.nw 'npcs[0].x=5'
"$lvl" set -i theirs/clash.nw 'npcs[0].x=6'
"$lvl" set -i ours/kept.nw 'npcs[0].x=5' && rm theirs/kept.nw
"$lvl" set -i theirs/restored.nw 'npcs[0].x=6' && rm ours/restored.nw
echo ours >ours/both-notes.txt && echo theirs >theirs/both-notes.txt
head -c -2000 base/sub/cut.wwd >theirs/sub/cut.wwd
"$lvl" set -i theirs/new-both.nw 'npcs[0].x=9'
expect 1 "$lvl" merge base ours theirs -o out2
err_has "ours/clash.nw: error: lvl.merge.conflict: npc: base 46.5, ours 5, theirs 6 (npcs[0].x)"
err_has "ours/kept.nw: conflict: ours changed it, theirs removed it"
err_has "theirs/restored.nw: conflict: ours removed it, theirs changed it"
err_has "ours/both-notes.txt: conflict: both sides changed it, and it is not a level"
err_has "ours/sub/cut.wwd: error: lvl.merge.conflict: theirs is damaged"
err_has "ours/new-both.nw: conflict: both sides added it"
has_value out2/clash.nw 'npcs[0].x' 5
has_value out2/kept.nw 'npcs[0].x' 5
has_value out2/restored.nw 'npcs[0].x' 6
is out2/both-notes.txt ours "a file of another format that both changed"
same out2/sub/cut.wwd base/sub/cut.wwd "a damaged side"
same out2/new-both.nw "$woods" "a file that both added"
expect 1 "$lvl" merge base ours theirs -o out3 --theirs
has_value out3/clash.nw 'npcs[0].x' 6
has_value out3/new-both.nw 'npcs[0].x' 9
is out3/both-notes.txt theirs "--theirs of another format"
expect 1 "$lvl" merge base ours theirs -o out3 --base -y
is out3/both-notes.txt base "--base of another format"
err_has "both-notes.txt: conflict: both sides changed it, and it is not a level; the result is the base"
: >theirs/same.nw
expect 1 "$lvl" merge base ours theirs -o out4
err_has "ours/same.nw: conflict: one side is damaged"
same out4/same.nw "$woods" "an empty side"

# refused: nothing is written
expect 2 "$lvl" merge base ours theirs
expect 2 "$lvl" merge base ours theirs -i
expect 2 "$lvl" merge base ours theirs -o ours -y
expect 2 "$lvl" merge base ours theirs/both.nw -o out5
expect 2 "$lvl" merge base ours theirs -o out5 --choose
expect 1 "$lvl" merge base ours theirs -n
[ ! -e out5 ] || fail "a folder was written"
if [ "$(id -u)" != 0 ]; then
    chmod 0 theirs/deep
    expect 3 "$lvl" merge base ours theirs -o out5
    [ ! -e out5 ] || fail "a folder was written, though a side cannot be read"
fi

finish
