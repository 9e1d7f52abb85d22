#!/bin/sh
# Edits of cells and lists: painting a layer whether there are chunks or not, filling, pasting what get prints,
# moving items, ids of new ones.
set -u
LC_ALL=C
export LC_ALL
unset LVL_ART NO_COLOR
: "${LVL:?the command to test}" "${LVL_SAMPLES:?the folder of samples}"
[ -f "$LVL_SAMPLES/sketchy/hill-v4.level" ] || { echo "no samples: skipped"; exit 77; }
lvl=$LVL
s=$LVL_SAMPLES
here=$(cd "$(dirname "$0")" && pwd)
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT
cd "$t" || exit 3
. "$here/support/shell.sh"
is() { printf '%s\n' "$2" | cmp -s - "$1" || { fail "$3"; sed 's/^/    /' "$1" | head -n 5; }; }
sound() { "$lvl" check -q --no-art "$1" >sound.out 2>&1 || { fail "$1 is not sound"; head -n 3 sound.out; }; }

# a layer is one grid, in which chunks are made as they are needed
for form in v1 v2 v3 v3.1 v4; do
    expect 0 "$lvl" set "$s/sketchy/hill-$form.level" 'layers[0].chunks[-300,-300 -200,-290]=water' -o painted.level -y
    sound painted.level
    expect 0 "$lvl" get painted.level 'layers[0].chunks[-302,-300 -299,-299]'
    is out '{"width":4,"height":2,"rows":[".*2 2*2",".*2 2*2"]}' "$form: pixels where no chunk was"
    expect 0 "$lvl" get painted.level 'layers[0].chunks[*].key'
    [ "$(grep -c , out)" = 7 ] || fail "$form: not as many chunks as are needed: $(tr '\n' ' ' <out)"
    expect 0 "$lvl" set painted.level 'layers[0].chunks[-1000,-1000 -900,-900]=.' -n
    [ ! -s out ] || fail "$form: painting nothing makes chunks"
    # pasting what get prints, across four chunks, and back
    expect 0 "$lvl" get "$s/sketchy/hill-$form.level" 'layers[0].chunks[-20,-20 19,19]'
    before=$(cat out)
    expect 0 "$lvl" set painted.level "layers[0].chunks[-320,-310]=$before" -o pasted.level -y
    expect 0 "$lvl" get pasted.level 'layers[0].chunks[-320,-310 -281,-271]'
    is out "$before" "$form: what was pasted is there"
    expect 0 "$lvl" set "$s/sketchy/hill-$form.level" 'layers[0].chunks[-20,0 19,19]=3' -o over.level -y
    expect 0 "$lvl" get "$s/sketchy/hill-$form.level" 'layers[0].chunks[-20,0 19,19]'
    before=$(cat out)
    expect 0 "$lvl" set over.level "layers[0].chunks[-20,0 19,19]=$before" -i
    expect 0 "$lvl" diff "$s/sketchy/hill-$form.level" over.level
done

# filling: what hangs together and no more
expect 0 "$lvl" set "$s/sketchy/hill-v4.level" 'layers[0].chunks[10,10 20,20]=.' 'layers[0].chunks[12,12 16,16]=ink' \
    'layers[0].chunks[fill 14,14]=lava' -o filled.level
expect 0 "$lvl" get filled.level 'layers[0].chunks[11,11 17,13]'
is out '{"width":7,"height":3,"rows":[".*7",". 3*5 .",". 3*5 ."]}' "a fill"
expect 1 "$lvl" get filled.level 'layers[0].chunks[fill 99999,0]'
grep -q 'no squares around that cell' err || fail "a fill outside of all chunks: $(cat err)"
expect 2 "$lvl" set filled.level 'layers[0].chunks[0,0]=gras' -n
grep -q 'a name in swatches' err || fail "a swatch that is none: $(cat err)"
expect 2 "$lvl" set filled.level 'layers[0].chunks[-9,-9 9,9]+=1' -n
expect 2 "$lvl" get filled.level 'layers[0].chunks[0,0].x'
expect 2 "$lvl" get filled.level 'actors[0,0]'
expect 1 "$lvl" get filled.level 'layers[0].chunks[0,0 2000000000,2000000000]'
grep -qi 'cells' err || fail "a region beyond the limit: $(cat err)"
expect 0 "$lvl" set "$s/wwd/cliffs.wwd" 'planes[Action].tiles[fill 0,0]=77' -n
expect 0 "$lvl" set "$s/wwd/cliffs.wwd" 'planes[Action].tiles[fill 0,0]=77' -o filled.wwd
expect 0 "$lvl" get filled.wwd 'planes[Action].tiles[0,0 1,1]'
is out '{"width":2,"height":2,"rows":["77*2","77*2"]}' "a fill of tiles"

# ids of new items: the next number, or one in the form of a UUID; the same edit gives the same
expect 0 "$lvl" get "$s/wwd/cliffs.wwd" 'planes[Action].objects[*].id'
most=$(sort -n out | tail -n 1)
expect 0 "$lvl" get "$s/wwd/cliffs.wwd" 'planes[Action].objects[0]'
one=$(cat out)
expect 0 "$lvl" set "$s/wwd/cliffs.wwd" "planes[Action].objects[+]=$one" 'planes[Action].objects[+]={"logic":"Rat"}' -o more.wwd
expect 0 "$lvl" get more.wwd 'planes[Action].objects[-2:].id'
is out "$((most + 1))
$((most + 2))" "ids of new objects"
expect 0 "$lvl" set more.wwd 'planes[Action].objects[+]={"logic":"Rat","id":70000}' -i
expect 0 "$lvl" get more.wwd 'planes[Action].objects[-1].id'
is out 70000 "an id that is free stays"
for i in 1 2; do
    expect 0 "$lvl" set "$s/sketchy/hill-v4.level" 'actors[+]={"filename":"key.doodad"}' 'actors[+]={"filename":"key.doodad"}' -o key$i.level
done
cmp key1.level key2.level || fail "the same edit gives the same id"
expect 0 "$lvl" get key1.level 'actors[filename=key.doodad].id'
[ "$(sort -u out | grep -cE '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$')" = 2 ] || fail "ids of new actors: $(cat out)"

# moving, and what means the items by number
expect 0 "$lvl" set "$s/wwd/cliffs.wwd" 'planes[0]@=-1' -o moved.wwd
expect 0 "$lvl" get moved.wwd 'planes[*].name'
mv out now
expect 0 "$lvl" get "$s/wwd/cliffs.wwd" 'planes[*].name'
[ "$(sed -n '$p' now)" = "$(sed -n 1p out)" ] || fail "the first plane is the last one"
expect 0 "$lvl" set moved.wwd 'planes[-1]@=0' -i
cmp moved.wwd "$s/wwd/cliffs.wwd" || fail "moved back, the level is the same"
expect 0 "$lvl" render "$s/sketchy/hill-v4.level" -o before.png
expect 0 "$lvl" set "$s/sketchy/hill-v4.level" 'swatches[0]@=3' 'swatches[fire=1]@=0' -o swatches.level
expect 0 "$lvl" render swatches.level -o after.png
cmp before.png after.png || fail "pixels follow swatches that move"
expect 2 "$lvl" set "$s/sketchy/hill-v4.level" 'actors[0]@=1' -n
grep -q 'the order of actors has no meaning' err || fail "actors have no order: $(cat err)"

echo "$tried commands, $failed failures"
[ $failed = 0 ]
