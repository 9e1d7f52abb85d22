#!/bin/sh
# Sheets: pictures into one PNG with a JSON, and out of it again: the same files. JSON of other programs, grids (--slice), what is refused.
# Pictures of the corpus (LVL_CORPUS), if there is one: those of each 16th folder, or of each LVL_SHEET_STEP-th.
. "$(dirname "$0")/support/shell.sh"
size() { "$lvl" info --json "$1" | sed -n 's/.*"size":"\([^"]*\)".*/\1/p'; }

# round_trip ENDING FOLDER: the set of pictures in that folder as a sheet and back; counts them, and those that are the same
round_trip() {
    rm -rf sheet.png sheet.json back
    find "$2" -maxdepth 1 -iname "*.$1" | LC_ALL=C sort >list
    [ -s list ] || return
    tr '\n' '\0' <list | "$lvl" convert --from0 - --sheet -o sheet.png -q 2>err || fail "no sheet of $2"
    "$lvl" convert sheet.json --to "$1" -o back/ -q 2>err || fail "no $1 of the sheet of $2"
    while IFS= read -r f; do
        name=$(basename "$f")
        all=$((all + 1))
        cmp -s "$f" "back/${name%.*}.$1" && exact=$((exact + 1))
    done <list
}

cp "$samples/wwd/art/hermit.pid" "$samples/wwd/art/chalice.pid" "$samples/wwd/art/main.pal" .
for form in array hash; do
    expect 0 "$lvl" convert hermit.pid chalice.pid --palette main.pal --sheet --data $form -o s.png -y
    expect 0 "$lvl" convert s.json --to pid -o back-$form
    same back-$form/hermit.pid hermit.pid
    same back-$form/chalice.pid chalice.pid
done
grep -q '"chalice.pid":{"frame"' s.json || fail "the hash has no member with the name of the frame"
expect 0 "$lvl" convert hermit.pid chalice.pid --sheet -o grey.png
err_has "no palette found"
expect 0 "$lvl" convert grey.json --to pid -o grey
same grey/hermit.pid hermit.pid
# also as PNG, and these as a sheet
expect 0 "$lvl" convert s.json --to png -o pngs
expect 0 "$lvl" convert pngs --sheet -o p.png
expect 0 "$lvl" convert p.json --to png -o pngs2
for f in pngs/*; do "$lvl" diff "$f" "pngs2/$(basename "$f")" >/dev/null 2>&1 || cmp -s "$f" "pngs2/$(basename "$f")" || fail "$f differs"; done
# -n lists what is written, and writes nothing
expect 0 "$lvl" convert s.json --to pid -o none -n
[ ! -e none ] || fail "-n has written"
expect 0 "$lvl" convert hermit.pid --sheet -o n.png -n
[ ! -e n.png ] && [ ! -e n.json ] || fail "-n has written a sheet"
# nothing is replaced without -y
expect 3 "$lvl" convert hermit.pid --sheet -o s.png
expect 3 "$lvl" convert s.json --to pid -o back-hash
rm -f n.png && echo old >n.json
expect 3 "$lvl" convert hermit.pid --sheet -o n.png
[ ! -e n.png ] || fail "a sheet without its list"

# ---- JSON of other programs ------------------------------------------------------------------------------
frame() { printf '{"filename":"%s","frame":{"x":%s,"y":%s,"w":%s,"h":%s}%s}' "$@"; }
list() { printf '{"frames":[%s],"meta":{"image":"%s"}}' "$1" "${2:-s.png}" >list.json; }
list "$(frame 'walk 1.aseprite' 0 0 8 8 ',"trimmed":true,"spriteSourceSize":{"x":4,"y":2,"w":8,"h":8},"sourceSize":{"w":20,"h":30}')"
expect 0 "$lvl" convert list.json --to pid -o trimmed
expect 0 "$lvl" get trimmed/'walk 1.pid' offset_x offset_y
is "$t/out" "-2
-9" "a trimmed frame is moved from the middle of its canvas"
expect 0 "$lvl" convert list.json --to png -o trimmed
[ "$(od -An -tu1 -j16 -N8 "trimmed/walk 1.png" | tr -s ' ')" = " 0 0 0 20 0 0 0 30" ] || fail "a PNG of a trimmed frame is not as large as its canvas"
list "$(frame a 0 0 8 8 ',"rotated":true')"
expect 1 "$lvl" convert list.json --to pid -o rotated
err_has "make the sheet without rotation"
list "$(frame a 9999 0 8 8 '')"
expect 1 "$lvl" convert list.json --to pid -o outside
err_has "is not within its picture"
list "$(frame a.png 0 0 8 8 ''),$(frame A.pid 0 8 8 8 '')"
expect 1 "$lvl" convert list.json --to pid -o twice
err_has "would both be written"
list "$(frame ../../a 0 0 8 8 ''),$(frame b/c.png 0 0 8 8 '')"
expect 0 "$lvl" convert list.json --to pid -o inside/it
[ -e inside/it/a.pid ] && [ -e inside/it/b/c.pid ] && [ ! -e a.pid ] || fail "names of frames lead out of the folder"
list "$(frame a 0 0 8 8 '')" ../../../etc/none.png
expect 3 "$lvl" convert list.json --to pid -o absent
err_has "none.png"
list "$(frame a 0 0 8 8 '')" list.json
expect 1 "$lvl" convert list.json --to pid -o itself
if [ -z "$windows" ] && mkfifo fifo.png 2>/dev/null && command -v timeout >/dev/null; then
    list "$(frame a 0 0 8 8 '')" fifo.png
    expect 3 timeout 10 "$lvl" convert list.json --to pid -o piped
    err_has "found a pipe"
fi
list ""
expect 1 "$lvl" convert list.json --to pid -o empty
err_has "it has no frames"
list "$(frame a 0 0 8 8 '')"
expect 2 "$lvl" convert list.json -o one.pid
err_has "name a folder"
expect 1 "$lvl" convert list.json --to nw -o level/
err_has "cannot convert the frames"

# ---- grids -----------------------------------------------------------------------------------------------
expect 0 "$lvl" convert hermit.pid --palette main.pal -o hermit.png
expect 0 "$lvl" convert hermit.png --slice 16x8 --to png -o cells
set -- $(od -An -tu1 -j16 -N8 hermit.png)
[ "$(ls cells | wc -l)" -le $(($4 / 16 * ($8 / 8))) ] && [ -e cells/hermit001.png ] || fail "cells of a grid"
expect 0 "$lvl" convert hermit.png --slice 16x8 -o cells.doodad
expect 1 "$lvl" convert hermit.png --slice 1600x8 --to png -o large
expect 2 "$lvl" convert hermit.png --slice 16 --to png -o wrong

# ---- animations ------------------------------------------------------------------------------------------
# same_frames FILE FILE FRAMES: both are drawn as the same pictures
same_frames() {
    n=0
    while [ $n -lt "$3" ]; do
        "$lvl" render -q "$1" --frame $n -o one.png -y && "$lvl" render -q "$2" --frame $n -o two.png -y && cmp -s one.png two.png ||
            fail "frame $n of $1 and $2"
        n=$((n + 1))
    done
}
cp "$samples/sketchy/lantern.doodad" . && cp "$samples"/graal/ganis/* .
for form in array hash; do
    expect 0 "$lvl" render lantern.doodad --sheet --data $form -o lantern.png -y
    expect 0 "$lvl" convert lantern.json -o again.doodad -y
    same_frames lantern.doodad again.doodad 2
    expect 0 "$lvl" get again.doodad layers[*].name
    is "$t/out" "dark
lit" "names of a doodad's frames"
done
expect 0 "$lvl" render lantern.doodad -o lantern.gif
expect 0 "$lvl" convert lantern.gif -o gif.doodad
same_frames lantern.doodad gif.doodad 2
expect 0 "$lvl" convert lantern.gif --to pid -o gif/
expect 0 "$lvl" get gif/lantern002.pid width height offset_x
is "$t/out" "11
17
0" "a frame is cut down to what is drawn"
expect 0 "$lvl" convert lantern.gif -o lantern.ani
expect 0 "$lvl" get lantern.ani steps[*].param steps[*].duration
is "$t/out" "1
2
250
250" "an animation of the frames of a GIF"
expect 0 "$lvl" convert lantern.gif -o one.pid
err_has "the first of 2 frames"
expect 0 "$lvl" convert lantern.gif -o lamp.gani
[ -e lamp.png ] || fail "no picture beside the animation"
expect 0 "$lvl" render lamp.gani -o lamp.gif
expect 0 "$lvl" convert lamp.gif --to pid -o lamp/
expect 2 "$lvl" convert lantern.gif --to gani
# a refused animation leaves no picture, so that the next run may write it
expect 0 "$lvl" convert lantern.gif --sheet -o lost.png
sed 's/"duration":[0-9]*/"duration":70/g' lost.json >lost70.json
expect 0 "$lvl" convert lost70.json -o lost.gif
rm lost.png
expect 1 "$lvl" convert lost.gif -o lost.gani
[ ! -e lost.png ] || fail "the picture of a refused animation"
expect 0 "$lvl" convert lost.gif -o lost.gani --allow-loss
# each animation, with its times and directions, as a sheet; and one of that
for f in *.gani; do
    [ "$f" = lamp.gani ] && continue
    expect 0 "$lvl" render "$f" --sheet --data array -o "${f%.gani}.png" -y -q
    expect 0 "$lvl" convert "${f%.gani}.json" -o back.gani -y
    expect 0 "$lvl" render back.gani --sheet -o back.png -y -q
    same back.png "${f%.gani}.png" "$f as a sheet and back"
done
expect 0 "$lvl" convert hero_walk.json --allow-loss -o walk.ani
printf '{"frames":{"walk":{"frame":{"x":0,"y":0,"w":8,"h":8},"duration":70}},"meta":{"image":"s.png"}}' >list.json
expect 1 "$lvl" convert list.json -o time.gani
err_has gani.loss.time
expect 0 "$lvl" convert list.json -o time.gani --allow-loss
expect 1 "$lvl" convert list.json -o time.ani
err_has "end in a number"
expect 2 "$lvl" render lantern.doodad --data array -o d.png
expect 2 "$lvl" render lantern.doodad --sheet --data array
# a sheet as an animated picture
for ending in gif apng; do
    expect 0 "$lvl" convert lantern.json -o film.$ending
    expect 0 "$lvl" render lantern.doodad -o drawn.$ending
    same film.$ending drawn.$ending "the film of a sheet"
    expect 1 "$lvl" convert hermit.png -o none.$ending
    expect 1 "$lvl" convert lantern.doodad -o none.$ending
done
expect 0 "$lvl" convert hermit.png --slice 16x16 -o cells.gif
expect 0 "$lvl" convert cells.gif -o cells.apng
# in a folder each picture stays one
mkdir pictures && cp lantern.gif hermit.png pictures
expect 0 "$lvl" convert pictures --to png -o out1
[ "$(ls out1)" = lantern.png ] || fail "pictures of a folder: $(ls out1)"
expect 1 "$lvl" convert pictures --to gani -o out2
expect 2 "$lvl" convert lantern.gif --to gani -i
[ -e lantern.gif ] || fail "the GIF is gone"
# a GIF that is cut off
head -c 100 lantern.gif >cut.gif
expect 1 "$lvl" convert cut.gif --to pid -o cut/

# ---- what results are made of is not replaced, also with -y ------------------------------------------------
cp lantern.gif walk.png
expect 2 "$lvl" convert walk.png -o walk.gani -y
same walk.png lantern.gif "a GIF that is called like the picture of its animation"
cp hermit.png own.png
expect 2 "$lvl" convert own.png chalice.pid --sheet -o own.png -y
expect 2 "$lvl" convert own.png s.json --sheet -o s.png -y
printf '{"frames":{"own.aseprite":{"frame":{"x":0,"y":0,"w":8,"h":8}}},"meta":{"image":"own.png"}}' >one.json
expect 2 "$lvl" convert one.json --to png -o . -y
err_has "which it is taken from"
same own.png hermit.png "the picture of a sheet"

# ---- what a sheet is not made of -------------------------------------------------------------------------
expect 1 "$lvl" convert "$samples/wwd/cliffs.wwd" --sheet -o level.png
expect 2 "$lvl" convert hermit.pid --sheet
expect 2 "$lvl" convert hermit.png --slice 8x8 --sheet -o s.png -y
expect 2 "$lvl" convert hermit.pid --sheet -o s.gif
expect 2 "$lvl" convert hermit.pid --data hash -o s.png

all=0 exact=0
if [ -n "$corpus" ]; then
    for ending in pid pcx bmp; do
        all=0 exact=0 others=0
        find "$corpus" -iname "*.$ending" | sed 's|/[^/]*$||' | LC_ALL=C sort -u |
            awk -v step="${LVL_SHEET_STEP:-16}" 'NR % step == 1 || step == 1' >folders
        while IFS= read -r folder; do
            before=$((all - exact))
            round_trip $ending "$folder"
            # frames that do not share a palette become true colours, which is said
            if [ $((all - exact)) != $before ]; then
                "$lvl" convert "$folder"/*.[A-Za-z][A-Za-z][A-Za-z] --sheet -o other.png -y 2>&1 | grep -q 'not the numbers' || fail "$folder: files differ"
                others=$((others + 1))
            fi
        done <folders
        echo "$ending: $exact of $all come back the same; $others sets have several palettes"
    done
else
    no_corpus
fi
finish
