#!/bin/sh
# Edits of cells and lists: painting a layer with and without chunks, filling, pasting the output of get, moving items, ids of new ones;
# copies, other sizes, new levels.
. "$(dirname "$0")/support/shell.sh"
s=$samples
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

# a tag decides which fields exist: what comes and goes is said with -v, and a value that goes always
expect 0 "$lvl" set "$s/wwd/cliffs.wwd" 'tile_properties[0].type=double' -o tags.wwd -v
err_has 'note: lvl.edit.fields: type decides which fields exist: no longer attribute, now outside, inside, rect (tile_properties[0].type)'
expect 0 "$lvl" set tags.wwd 'tile_properties[0].inside=death' 'tile_properties[0].rect.left=5' 'tile_properties[1].type=double' -i
[ ! -s err ] || fail "nothing was dropped: $(cat err)"
expect 0 "$lvl" set tags.wwd --unset 'tile_properties[0].type' -o gone.wwd
err_has 'warning: lvl.edit.dropped: inside death (4) is dropped: the field exists only while type is double (tile_properties[0].type)'
err_has 'warning: lvl.edit.dropped: rect {"left":5} is dropped'
"$lvl" set "$s/graal/lakeside/lakeside.gmap" 'map_image=a.png' -o tags.gmap || fail "the map has no image"
expect 0 "$lvl" set tags.gmap version=bigmap -o big.gmap
err_has 'map_image "a.png" is dropped: the field exists only while version is GRMAP001 (version)'
cp tags.gmap again.gmap
expect 0 "$lvl" set tags.gmap again.gmap -e version=bigmap -e version=bigmap -i
[ "$(grep -c 'map_image "a.png" is dropped' err)" = 2 ] || fail "not said of each of several files: $(cat err)"

# the links of an actor are a set: what it has is not added again, and two sides of a merge add to it
one='actors[0].links'
expect 0 "$lvl" set "$s/sketchy/hill-v4.level" "$one+=[\"first\",\"second\"]" -o links.level
expect 0 "$lvl" set links.level "$one+=second" "$one[+]=first" "$one+=[\"third\",\"second\"]" -o again.level -v
err_has 'note: lvl.edit.present: links has "second" already; it is not added again (actors[0].links[2])'
expect 0 "$lvl" get again.level "$one"
has=$("$lvl" get "$s/sketchy/hill-v4.level" "$one")
is out "${has%]},\"first\",\"second\",\"third\"]" "each link once"
expect 0 "$lvl" set "$s/sketchy/hill-v4.level" "$one=[\"fourth\",\"first\"]" -o theirs.level
expect 0 "$lvl" merge "$s/sketchy/hill-v4.level" again.level theirs.level -o links.level -y
expect 0 "$lvl" get links.level "$one"
is out '["first","second","third","fourth"]' "links of both sides, without the one that was removed"

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
"$lvl" diff -q moved.wwd "$s/wwd/cliffs.wwd" || fail "moved back, the level is the same"
expect 0 "$lvl" render "$s/sketchy/hill-v4.level" -o before.png
# each swatch keeps its own text when they change places: away and back is the file as it was
expect 0 "$lvl" set "$s/sketchy/hill-v1.level" 'swatches[0]@=3' -o away.level
! grep -q '"fire":false' away.level || fail "a swatch that moved took the keys of another one"
expect 0 "$lvl" set away.level 'swatches[3]@=0' -o back.level
cmp back.level "$s/sketchy/hill-v1.level" || fail "a swatch moved away and back"
expect 0 "$lvl" set "$s/sketchy/hill-v4.level" 'swatches[0]@=3' 'swatches[fire=1]@=0' -o swatches.level
expect 0 "$lvl" render swatches.level -o after.png
cmp before.png after.png || fail "pixels follow swatches that move"
expect 2 "$lvl" set "$s/sketchy/hill-v4.level" 'actors[0]@=1' -n
grep -q 'the order of actors has no meaning' err || fail "actors have no order: $(cat err)"

# copy: items after the last one, or before another; what they mean comes along
level() { # NPC SIGN CHESTSIGN
    printf 'GLEVNW01\nNPC %s 30 20\nNPCEND\n' "$1"
    [ -z "$3" ] || printf 'CHEST 5 6 greenrupee %s\n' "$3"
    printf 'SIGN 1 2\n%s\nSIGNEND\nSIGN 3 4\nsecond of %s\nSIGNEND\n' "$2" "$1"
}
level miller.png 'To the mill' 1 >a.nw
level baker.png 'Bread' '' >b.nw
expect 0 "$lvl" copy a.nw 'npcs[0]' b.nw -o copied.nw
expect 0 "$lvl" get copied.nw 'npcs[*].image'
is out 'baker.png
miller.png' "an NPC is added after the last one"
expect 0 "$lvl" copy a.nw 'npcs[image=miller.png]' b.nw 'npcs[+0]' -o first.nw
expect 0 "$lvl" get first.nw 'npcs[*].image'
is out 'miller.png
baker.png' "or before the first"
expect 0 "$lvl" copy a.nw 'chests[0]' b.nw -o chest.nw -v
grep -q 'lvl.copy.added: signs\[1\] is copied too' err || fail "the sign of a chest comes along: $(cat err)"
expect 0 "$lvl" get chest.nw 'chests[0].sign' 'signs[2].text'
is out '2
second of miller.png' "the chest shows the sign that it showed"
expect 0 "$lvl" copy a.nw 'chests[0]' chest.nw -i
expect 0 "$lvl" get chest.nw 'chests[*].sign'
is out '2
2' "a sign that is there is not copied again"
expect 0 "$lvl" get chest.nw 'signs[*].x'
[ "$(grep -c . out)" = 3 ] || fail "a sign too many"
expect 0 "$lvl" copy a.nw 'signs[0].text' b.nw 'signs[*].text' -o signs.nw
expect 0 "$lvl" get signs.nw 'signs[*].text'
is out 'To the mill
To the mill' "a value, to all places of a path"
expect 0 "$lvl" convert --to gr-v1.03 --allow-loss a.nw -o a.graal
expect 0 "$lvl" copy a.graal 'npcs[0]' b.nw -o from-binary.nw
expect 1 "$lvl" copy a.nw 'npcs[5]' b.nw -n
expect 2 "$lvl" copy a.nw 'npcs[0]' b.nw 'signs' -n
expect 2 "$lvl" copy a.nw 'npcs[0]' b.nw 'npcs[0].x' -n
expect 2 "$lvl" copy a.nw 'signs[*].text' b.nw 'signs[0].text' -n
expect 2 "$lvl" copy a.nw '' b.nw -n
expect 2 "$lvl" copy a.nw 'npcs[0]' b.nw
expect 2 "$lvl" copy a.nw 'npcs[0]'
expect 3 "$lvl" copy none.nw 'npcs[0]' b.nw -n
expect 2 "$lvl" copy "$s/wwd/cliffs.wwd" 'planes[0].name' b.nw 'signs' -n
# cells of another kind, as a whole and in part: nothing is written
cp "$s/wwd/cliffs.wwd" kind.wwd
expect 2 "$lvl" copy "$s/graal/lakeside/lake_meadow.nw" 'layers[0].tiles' kind.wwd 'planes[0].tiles' -i
# cells that come with their plane mean other tiles there; a doodad that an actor names is another one there
expect 0 "$lvl" copy "$s/wwd/cliffs.wwd" 'planes[0]' "$s/small/small.wwd" -o plane.wwd
err_has 'cell values have other tile_properties here; the first is 1 (planes[1])' "cells of a copied plane"
mkdir -p lit/assets/doodads
"$lvl" set "$s/sketchy/lantern.doodad" title=Lit -o lit/assets/doodads/lantern.doodad
"$lvl" pack lit "$s/sketchy/hill-v4.level" -o lit.level
expect 0 "$lvl" copy "$s/sketchy/hill-v4.level" 'actors[*]' lit.level -o lit-copied.level
err_has 'filename: there is another "lantern.doodad" here (actors[' "another doodad of that name"
expect 0 "$lvl" copy "$s/sketchy/hill-v4.level" 'actors[*]' "$s/sketchy/hill-v1.level" -o lit-copied.level -y
! grep -q warning "$said/err" || fail "the same doodad: $(cat "$said/err")"
expect 2 "$lvl" copy "$s/graal/lakeside/lake_meadow.nw" 'layers[0].tiles[0,0 3,3]' "$s/sketchy/hill-v4.level" 'layers[0].chunks[0,0]' -n
expect 2 "$lvl" copy kind.wwd 'planes[0].tiles' kind.wwd 'tile_properties[0].mask' -n
cmp -s kind.wwd "$s/wwd/cliffs.wwd" || fail "cells of another kind were copied"
# files of a folder that have no such list stay as they are; a field that nobody has is an error
rm -rf mixed && cp -r "$s/graal/lakeside" mixed
expect 0 "$lvl" copy a.nw 'npcs[0]' mixed -i
grep -q ' 0 failed\| failed' err && fail "files without such a list are failures: $(cat err)"
cmp -s mixed/lakeside.gmap "$s/graal/lakeside/lakeside.gmap" || fail "a map was changed"
expect 2 "$lvl" copy a.nw 'npcz[0]' mixed -n

# cells: to the same place, or another; swatches by what they are
cp "$s/graal/lakeside/lake_meadow.nw" m.nw
expect 0 "$lvl" get "$s/graal/lakeside/lake_village.nw" 'layers[0].tiles[10,10 20,16]'
house=$(cat out)
expect 0 "$lvl" copy "$s/graal/lakeside/lake_village.nw" 'layers[0].tiles[10,10 20,16]' m.nw -o house.nw
expect 0 "$lvl" get house.nw 'layers[0].tiles[10,10 20,16]'
is out "$house" "cells, to the same place"
expect 0 "$lvl" copy "$s/graal/lakeside/lake_village.nw" 'layers[0].tiles[10,10 20,16]' m.nw 'layers[0].tiles[53,57]' -o house.nw -y
expect 0 "$lvl" get house.nw 'layers[0].tiles[53,57 63,63]'
is out "$house" "cells, to another place"
expect 2 "$lvl" copy "$s/graal/lakeside/lake_village.nw" 'layers[0].tiles[10,10 20,16]' m.nw 'layers[0].tiles[54,57]' -n
grep -q 'do not fit there' err || fail "cells beyond the edge: $(cat err)"
expect 0 "$lvl" set "$s/sketchy/hill-v4.level" 'swatches[0]@=3' --unset 'swatches["lava"]' -o other.level
expect 0 "$lvl" copy "$s/sketchy/hill-v4.level" 'layers[0].chunks[-70,-10 70,80]' other.level 'layers[0].chunks[1000,1000]' -o hill2.level -v
grep -q 'lvl.copy.added: swatches\[3\]' err || fail "a swatch that is missing comes along: $(cat err)"
sound hill2.level
expect 0 "$lvl" get hill2.level 'swatches[-1].name'
is out lava "the swatch is there"
expect 0 "$lvl" copy "$s/sketchy/hill-v4.level" 'layers[0].chunks[-70,-10 70,80]' "$s/sketchy/hill-v1.level" -n
[ ! -s out ] || fail "copying what is there already changes nothing: $(cat out)"

# actors: free ids, links among the copies, embedded doodads
expect 0 "$lvl" copy "$s/sketchy/hill-v4.level" 'actors[*]' "$s/sketchy/hill-v4.level" -o twice.level
sound twice.level
expect 0 "$lvl" get twice.level 'actors[*].id'
[ "$(sort -u out | grep -c .)" = 4 ] || fail "copied actors have ids of their own: $(cat out)"
expect 0 "$lvl" set "$s/sketchy/hill-v4.level" 'actors[0].links+=5f0c9a52-0002-4f4e-9a0e-6b2d51aa0001' 'files+={"path":"assets/doodads/lantern.doodad","data":{"base64":"AAAA"}}' -o linked.level
expect 0 "$lvl" set "$s/sketchy/hill-v1.level" --unset actors -o empty.level
expect 0 "$lvl" copy linked.level 'actors[*]' linked.level -o more.level
expect 0 "$lvl" get more.level 'actors[*].links[*]'
sort -u out >links
expect 0 "$lvl" get more.level 'actors[*].id'
sort out | cmp -s - links || fail "links lead to the copies: $(cat links)"
expect 0 "$lvl" copy linked.level 'actors[0]' empty.level -o one.level
grep -q 'lvl.copy.reference: links: there is no' err || fail "a link that leads nowhere: $(cat err)"
# [+] is no item; a size that wraps 64 bits; an id after the greatest there can be
expect 2 "$lvl" copy linked.level 'actors[+]' empty.level -n
expect 2 "$lvl" copy "$s/graal/lakeside/lake_meadow.nw" 'links[+]' "$s/graal/lakeside/lake_meadow.nw" 'links[0]' -n
expect 1 "$lvl" get --limit cells=9000000000000000000 linked.level 'layers[0].chunks[0,0 4294967295,4294967295]'
expect 0 "$lvl" set "$s/wwd/cliffs.wwd" 'planes[4].objects[0].id=2147483647' -o last.wwd -y
expect 0 "$lvl" copy last.wwd 'planes[4].objects[0:3]' last.wwd -o after.wwd -y
expect 0 "$lvl" get after.wwd 'planes[4].objects[*].id'
[ -z "$(sort out | uniq -d)" ] || fail "ids that two objects have: $(sort out | uniq -d)"
# hundreds of items at once
expect 0 "$lvl" copy "$s/wwd/cliffs.wwd" 'planes[4].objects[*]' "$s/wwd/cliffs.wwd" -o many.wwd -y
expect 0 "$lvl" get one.level 'files[*].path'
grep -qx assets/doodads/lantern.doodad out || fail "the doodad of an actor comes along: $(cat out)"

# into every level of a folder; what lacks the place is no failure
mkdir -p w && cp a.nw b.nw w
printf 'GLEVNW01\n' >w/c.nw
expect 0 "$lvl" copy a.nw 'signs[0].text' w 'signs[1].text' -i
expect 0 "$lvl" get w 'signs[text="To the mill"].text' -q
[ "$(grep -c 'To the mill' out)" = 3 ] || fail "copies into a folder: $(cat out)"
expect 0 "$lvl" copy a.nw 'npcs[0]' b.nw -o json.nw --json
grep -q '"changed":1,"findings":\[' out || fail "--json: $(cat out)"

# a frame more in an animation: every line that was there stays as it is, and is all that is left without it
for g in "$s"/graal/ganis/*.gani; do
    "$lvl" get "$g" 'frames[0]' >frame.json 2>/dev/null && [ -s frame.json ] || continue
    expect 0 "$lvl" set "$g" "frames[+]=$(cat frame.json)" -o longer.gani -y
    ! diff "$g" longer.gani | grep -q '^<' || fail "$(basename "$g"): a new frame changes other lines"
    expect 0 "$lvl" set longer.gani --unset 'frames[-1]' -i
    cmp -s "$g" longer.gani || fail "$(basename "$g"): not as it was without the new frame"
done

# resize: content and what lies on it move together, and nothing else changes
c=$s/wwd/cliffs.wwd
for anchor in top-left top right center bottom-right; do
    expect 0 "$lvl" resize "$c" --size 70x20 --anchor $anchor -o larger.wwd -y
    sound larger.wwd
    expect 0 "$lvl" resize larger.wwd --size 60x14 --anchor $anchor -i
    "$lvl" diff -q larger.wwd "$c" || fail "$anchor: larger and back"
done
expect 0 "$lvl" resize "$c" --size 62x15 --anchor bottom-right -o moved.wwd -y
value() { "$lvl" get "$1" "$2"; }
[ "$(value moved.wwd start_x)" = $(($(value "$c" start_x) + 128)) ] || fail "the start moves"
[ "$(value moved.wwd 'planes[Action].objects[0].y')" = $(($(value "$c" 'planes[Action].objects[0].y') + 64)) ] || fail "objects move"
who='planes[Action].objects[logic=Officer,min_x>0]'
expect 0 "$lvl" get "$c" "$who.min_x"
first=$(sed -n 1p out)
expect 0 "$lvl" get moved.wwd "$who.min_x"
[ "$(sed -n 1p out)" = $((first + 128)) ] || fail "patrols move: $first, $(sed -n 1p out)"
expect 0 "$lvl" get moved.wwd 'planes[Action].objects[logic=Officer].speed_x'
mv out speeds
expect 0 "$lvl" get "$c" 'planes[Action].objects[logic=Officer].speed_x'
cmp out speeds || fail "what is no place stays"
expect 0 "$lvl" resize "$c" --size 62x15 --plane Sky -n
grep -q 'start_x' out && fail "the start lies on the main plane alone"
expect 0 "$lvl" resize "$c" --size 20x10 -n
grep -q 'lvl.resize.cut: .* cells that were not empty cut off' err && grep -q 'of the objects lie outside' err || fail "what is cut off: $(cat err)"
expect 0 "$lvl" resize "$c" --size 60x14 -n
[ ! -s out ] || fail "the size that it has"
expect 1 "$lvl" resize "$c" --size 60x14 --plane Nowhere -n
# a selector that leads into a list of a plane is none of a plane
expect 2 "$lvl" resize "$c" --size 70x70 --plane '4].objects[0' -n
expect 1 "$lvl" resize "$c" --size 60x14 --plane 9 -n
expect 1 "$lvl" resize "$c" --size 100000x100000 -n
expect 1 "$lvl" resize a.nw --size 60x14 -n
grep -q 'has 64 by 64 cells' err || fail "a size that is fixed: $(cat err)"
# a drawing gets a page; its pixels stay, and what lies beyond is listed
expect 0 "$lvl" resize "$s/sketchy/hill-v4.level" --size 40x30 -o page.level
grep -q 'lvl.resize.cut: 2 of the actors lie outside' err && grep -q 'lvl.resize.cut: 4 of the chunks lie outside' err || fail "a page: $(cat err)"
expect 0 "$lvl" resize page.level --size 40x20 -n
! grep -q 'lvl.resize.cut' err || fail "what was outside before: $(cat err)"
[ "$("$lvl" get page.level page_type bounded_width bounded_height | tr '\n' ' ')" = "bounded 40 30 " ] || fail "a page of another size"
"$lvl" set page.level page_type=unbounded bounded_width=2550 bounded_height=3300 -o unpaged.level
expect 0 "$lvl" diff unpaged.level "$s/sketchy/hill-v4.level"
expect 0 "$lvl" resize page.level --size 40x30 -n
[ ! -s out ] || fail "the same size: $(cat out)"
expect 2 "$lvl" resize page.level --size 60x60 --anchor bottom-right -n
expect 2 "$lvl" resize page.level --size 60x60 --plane 0 -n
expect 1 "$lvl" resize "$s/sketchy/lantern.doodad" --size 60x14 -n
for size in 0x5 5 -1x5 x 1x2x3; do
    expect 2 "$lvl" resize "$c" --size $size -n
done
expect 2 "$lvl" resize "$c" --size 5x5 --anchor north -n
expect 2 "$lvl" resize "$c" --size 5x5
expect 2 "$lvl" resize "$c" -n

# new: in every form, sound, and read again as the form that was asked for
for form in z3-v1.02 z3-v1.03 z3-v1.04 gr-v1.00 gr-v1.01 gr-v1.02 gr-v1.03 gr-v1.04 gr-v1.05 nw; do
    expect 0 "$lvl" new $form -o new-$form.level
    sound new-$form.level
    expect 0 "$lvl" get new-$form.level 'layers[0].tiles[0,0 63,63]' version
    grep -q '"width":64,"height":64,"rows":\["511\*64",' out || fail "$form: a meadow"
    [ $form = nw ] || [ "$(sed -n 2p out | tr 'A-Z' 'a-z')" = "$form" ] || fail "$form: $(sed -n 2p out)"
done
for form in v1 v2 v3 v3.1 v4; do
    for ending in level doodad; do
        expect 0 "$lvl" new $form -o new-$form.$ending
        expect 0 "$lvl" check -q --no-art --profile strict new-$form.$ending
        expect 0 "$lvl" get new-$form.$ending kind generation 'layers[*].chunks'
        is out "$ending
$form
[]" "a new $ending in $form"
        expect 0 "$lvl" set new-$form.$ending 'layers[0].chunks[0,0 9,9]=solid' -i
        sound new-$form.$ending
    done
done
expect 0 "$lvl" new wwd -o new.wwd
sound new.wwd
expect 0 "$lvl" check -q --no-art --profile strict new.wwd
expect 0 "$lvl" new wwd --size 200x30 -o wide.wwd
expect 0 "$lvl" get wide.wwd 'planes[0].tiles_wide' 'planes[0].tiles_high' 'planes[0].flags'
is out '200
30
main' "the size of a new level"
sound wide.wwd
expect 0 "$lvl" render wide.wwd -o wide.png
expect 0 "$lvl" new doodad --size 40x20 -o small.doodad
expect 0 "$lvl" get small.doodad size
is out '{"x":0,"y":0,"width":40,"height":20}' "the size of a new doodad"
# --like: settings, but neither cells nor objects
expect 0 "$lvl" new wwd --like "$s/wwd/cliffs.wwd" -o like.wwd
sound like.wwd
expect 1 "$lvl" get like.wwd 'planes[*].objects[*].id' 'planes[*].tiles[=1]'
[ ! -s out ] || fail "--like: something is left: $(head -n 2 out)"
for path in name image_dir 'planes[*].name' 'planes[*].movement_x' tile_properties; do
    "$lvl" get like.wwd "$path" >has && "$lvl" get "$s/wwd/cliffs.wwd" "$path" | cmp -s - has || fail "--like: another $path"
done
expect 0 "$lvl" new wwd --like "$s/wwd/cliffs.wwd" --size 70x33 -o like2.wwd
expect 0 "$lvl" get like2.wwd 'planes[Action].tiles_wide' 'planes[Sky].tiles_wide'
is out '70
16' "--like with a size"
expect 0 "$lvl" new v1 --like "$s/sketchy/hill-v4.level" -o like.level
expect 2 "$lvl" new doodad --like "$s/sketchy/hill-v4.level" -o like.doodad
err_has 'the output is a level, but like.doodad has another ending; use .level' "a doodad like a level"
expect 2 "$lvl" new v4 --like "$s/sketchy/lantern.doodad" -o none.level
expect 2 "$lvl" new doodad -o none.level
err_has 'expected a doodad, but the output is a level' "a doodad called .level"
[ ! -e none.level ] && [ ! -e like.doodad ] || fail "a level was called a doodad"
expect 0 "$lvl" new v3 --like "$s/sketchy/lantern.doodad" -o like.doodad
sound like.level
expect 0 "$lvl" get like.level generation 'swatches[*].name'
[ "$(sed -n 1p out)" = v1 ] && [ "$(sed -n 3p out)" = grass ] || fail "--like: swatches in another form"
expect 0 "$lvl" new gr-v1.03 --like "$s/graal/lakeside/lake_village.nw" -o like.graal
sound like.graal
expect 1 "$lvl" new wwd --like "$s/graal/lakeside/lake_village.nw" -o none.wwd
expect 1 "$lvl" new pid -o none.pid
expect 2 "$lvl" new nw --size 10x10 -o none.nw
expect 2 "$lvl" new nothing -o none.nw
expect 2 "$lvl" new nw --size 0x5 -o none.nw
expect 2 "$lvl" new -o none.nw
expect 3 "$lvl" new wwd --like none.wwd -o none2.wwd
expect 3 "$lvl" new nw -o new-nw.level
[ ! -e none.nw ] && [ ! -e none.wwd ] || fail "something was written"
expect 0 "$lvl" new nw -n
expect 0 "$lvl" new nw -o json.nw --json -y
grep -q '"format":"nw"' out || fail "new --json: $(cat out)"
"$lvl" new wwd | cmp -s - new.wwd || fail "a new level on stdout"

# a picture laid onto a layer: chunks as needed; actors, settings and all other pixels stay
h=$s/sketchy/hill-v4.level
expect 0 "$lvl" convert "$h" --no-kept --allow-loss -o hill.png
expect 0 "$lvl" convert hill.png --like "$h" -o onto.level
expect 0 "$lvl" diff "$h" onto.level
expect 0 "$lvl" convert hill.png --like "$s/sketchy/hill-v1.level" --at 1000,-2000 -o far.level
sound far.level
expect 0 "$lvl" get far.level generation 'actors[*].id' 'layers[0].chunks[1060,-1980 1080,-1960]'
expect 0 "$lvl" convert "$s/sketchy/lantern.doodad" --layer lit --no-kept --allow-loss -o lamp.png
expect 1 "$lvl" convert lamp.png --like "$h" -o none.level
expect 0 "$lvl" convert lamp.png --like "$h" --more-colors --at 500,500 -o lamp.level
sound lamp.level
expect 0 "$lvl" set "$s/sketchy/lantern.doodad" 'layers[lit].chunks[0,0 9,9]=.' -o cut.doodad
expect 0 "$lvl" convert lamp.png --like cut.doodad --layer lit -o back.doodad
expect 0 "$lvl" diff "$s/sketchy/lantern.doodad" back.doodad
expect 1 "$lvl" convert lamp.png --like cut.doodad --layer nowhere -o none.doodad
expect 2 "$lvl" convert lamp.png --like "$h" --at 5 -o none.level
expect 2 "$lvl" convert lamp.png --at 5,5 -o none.level
expect 2 "$lvl" convert lamp.png --like "$h" --and lamp.png -o none.level

# a picture becomes a level, tile by tile
for level in lake_village.nw lake_meadow.nw; do
    expect 0 "$lvl" render "$s/graal/lakeside/$level" --layers 0 -o tiles.png -y
    for form in nw gr-v1.03; do
        expect 0 "$lvl" convert tiles.png --tileset "$s/graal/pics1.png" --to $form -o traced.$form -y
        sound traced.$form
        expect 0 "$lvl" render traced.$form --art "$s/graal" -o traced.png -y
        cmp tiles.png traced.png || fail "$level: the level shows the picture ($form)"
    done
done
"$lvl" new doodad --size 32x16 -o brick.doodad && "$lvl" set brick.doodad 'layers[0].chunks[0,0 31,15]=decoration' -i
expect 0 "$lvl" convert brick.doodad --no-kept --allow-loss -o brick.png
expect 1 "$lvl" convert brick.png --tileset "$s/graal/pics1.png" -o brick.nw
grep -q 'graal.loss.picture: \[0,0 1,0\]: no tile' err || fail "cells without a tile: $(cat err)"
expect 0 "$lvl" convert brick.png --tileset "$s/graal/pics1.png" --allow-loss -o brick.nw
sound brick.nw
expect 0 "$lvl" get brick.nw 'layers[0].tiles[2,0]'
is out 511 "beyond the picture there is grass"
expect 1 "$lvl" convert brick.png -o none.nw
grep -q 'give --tileset' err || fail "without a tileset: $(cat err)"
expect 1 "$lvl" convert lamp.png --tileset "$s/graal/pics1.png" -o none.nw
expect 3 "$lvl" convert brick.png --tileset none.png -o none.nw
[ ! -e none.nw ] && [ ! -e none.level ] && [ ! -e none.doodad ] || fail "something was written"

# copy from standard input to several files: it is read once
mkdir pipe && cp b.nw pipe/1.nw && cp b.nw pipe/2.nw
"$lvl" copy - 'npcs[0]' pipe -i <a.nw >out 2>err || fail "copy from stdin: $(cat err)"
"$lvl" copy a.nw 'npcs[0]' b.nw -o piped.nw -y -q
cmp -s pipe/1.nw piped.nw && cmp -s pipe/2.nw piped.nw || fail "copy from stdin: not into every file"
expect 2 "$lvl" copy - 'npcs[0]' - -n
grep -q 'cannot both be standard input' err || fail "copy - to -: $(cat err)"
if [ -z "$windows" ] && mkfifo fifo 2>/dev/null; then
    expect 3 "$lvl" copy fifo 'npcs[0]' b.nw -n
    expect 3 "$lvl" new nw --like fifo -o none.nw
fi
# new maps, animations and archives: sound, and to be filled
for form in gmap gani levelpack rez; do
    expect 0 "$lvl" new $form -o "new.$form"
    expect 0 "$lvl" check --roundtrip "new.$form"
done
expect 0 "$lvl" new gmap --size 3x2 -o wide.gmap
[ "$("$lvl" get wide.gmap width height | tr '\n' ' ')" = "3 2 " ] || fail "a new map of 3 by 2 levels: $(cat wide.gmap)"
expect 0 "$lvl" set wide.gmap 'rows[1].names[2]=a.nw' -i
expect 1 "$lvl" new bigmap --size 2x2 -o big.txt
grep -q 'convert a file with content instead' err && [ ! -e big.txt ] || fail "a bigmap without names: $(cat err)"
mkdir -p newpack/levels && "$lvl" new v3.1 -o newpack/levels/one.level && expect 0 "$lvl" pack newpack new.levelpack -i
expect 0 "$lvl" check new.levelpack new.levelpack//levels/one.level
expect 2 "$lvl" new gani --size 3x3 -o none.gani
grep -q 'files of this format have no size' err || fail "a size of an animation: $(cat err)"
expect 1 "$lvl" new gmap --size 100000x100000 -o none.gmap
expect 1 "$lvl" new pal -o none.pal
# new: a size that files of this kind do not have
expect 1 "$lvl" new doodad --like "$s/sketchy/lantern.doodad" --size 5x5 -o none.doodad
grep -q 'only levels have a page' err || fail "new --size: $(cat err)"
if grep -q 'cannot make new files' err; then fail "new --size: $(cat err)"; fi
expect 0 "$lvl" new level --like "$s/sketchy/hill-v4.level" --size 500x400 -o paged.level
[ "$("$lvl" get paged.level bounded_width)" = 500 ] || fail "a new drawing like another, with a page"

# values of cells over a folder
mkdir -p tiles && cp new-nw.level tiles/a.nw && cp "$s/graal/lakeside/lake_meadow.nw" tiles/b.nw && cp a.nw tiles/c.nw
expect 0 "$lvl" set tiles 'layers[0].tiles[=511]=3' -i
grep -q '3 files: 2 changed, 1 without a match' err || fail "cells by value, over a folder: $(cat err)"
expect 1 "$lvl" get tiles 'layers[0].tiles[=511]' -q
cmp -s tiles/c.nw a.nw || fail "a file without such cells stays"

# a link of a binary level keeps the spelling of its other words, and all other links keep theirs
for form in z3-v1.02 z3-v1.03; do
    z=$s/graal/versions/$form.zelda
    links=$(grep -ac '^lake_.*\.0 .*\.0' "$z")
    [ "$links" -gt 0 ] || fail "$form: no link is spelled with fractions"
    LC_ALL=C sed '/^lake_/s/\.0 / /g' "$z" >short.zelda
    name=$("$lvl" get short.zelda 'links[0].level' | tr -d '"')
    other=$(printf %s "$name" | tr 'a-y' 'b-z')
    expect 0 "$lvl" set short.zelda "links[0].level=$other" -o renamed.zelda -y
    [ "$(wc -c <short.zelda)" = "$(wc -c <renamed.zelda)" ] || fail "$form: a new name changes other words of links"
    [ "$(cmp -l short.zelda renamed.zelda | wc -l)" -le ${#name} ] || fail "$form: a new name changes other bytes"
    expect 0 "$lvl" set renamed.zelda "links[0].level=$name" -o back.zelda -y
    cmp -s short.zelda back.zelda || fail "$form: the name set back does not give the bytes of before"
done

# what is written is read back: text that would make the file unknown is refused, with the field
long=$(printf 'x%.0s' $(seq 300))
for name in LEVEL_GÜLL "A	B" "A
B" "$long"; do
    expect 1 "$lvl" set "$s/wwd/art/gull.ani" "name=$name" -o unknown.ani
    err_has 'would not be known as a WAP32 animation any more: name: "LEVEL_GULL" -> "' "a name that is no name"
    [ -e unknown.ani ] && fail "a file that is not known was written"
done
expect 0 "$lvl" dump "$s/graal/ganis/sparks.gani" -o cast.json
sed '0,/"description":"/s//&a\\u0000b/' cast.json >zero.json
for verb in undump convert; do
    expect 1 "$lvl" $verb zero.json -o zero.gani
    err_has "this text holds the control character 0x00 (sprites[0].description)" "$verb: a NUL in a gani"
done
expect 0 "$lvl" dump "$s/wwd/cliffs.wwd" -o cliffs.json
sed '0,/"image_sets": \["/s//&A\\u0000/' cliffs.json >zero.json
for verb in undump convert; do
    expect 1 "$lvl" $verb zero.json -o zero.wwd
    err_has "plane \"Sky\"; image_sets: 1 item -> 2 items" "$verb: a NUL in an image set"
done

# a file that has the value already is not written
cp "$s/wwd/cliffs.wwd" same.wwd
touch -d 2001-01-01 same.wwd
expect 0 "$lvl" set same.wwd "author=$("$lvl" get same.wwd author)" -i -v
err_has "same.wwd: unchanged: 1 already had that value" "set to the same value"
[ -z "$(find same.wwd -newermt 2002-01-01)" ] || fail "a file was written that did not change"
expect 2 "$lvl" get same.wwd 'objects[logic=Rat].x'
err_has 'did you mean planes[*].objects?' "a list of all planes"

# a dump keeps its form if only an ending says what to make
expect 0 "$lvl" convert "$s/sketchy/hill-v4.level" -o form.json
expect 0 "$lvl" convert form.json -o form.level
cmp -s form.level "$s/sketchy/hill-v4.level" || fail "the dump of a v4 becomes something else"
expect 1 "$lvl" convert "$s/wwd/cliffs.wwd" -o form.nw
err_has "only to: json, tmx, tmj, csv, ldtk, sketchy" "what a level can be converted to"

# conditions: "," is and, "|" is or; both need parentheses
o='planes["Action"].objects'
expect 2 "$lvl" set same.wwd "$o[logic=Soldier|logic=Officer,health>15].health=1" -i
err_has "parentheses: [(logic=Soldier|logic=Officer),health>15] or [logic=Soldier|(logic=Officer,health>15)]" "a mixture has two readings"
cmp -s same.wwd "$s/wwd/cliffs.wwd" || fail "a refused condition changed a file"
expect 0 "$lvl" get same.wwd "$o[(logic=Soldier|logic=Officer),x>2800].x"
is out 3456 "or, then and"
expect 0 "$lvl" get same.wwd "$o[logic=Officer|(logic=Soldier,x>2000)].logic" -q
is out "$(printf 'Soldier\nOfficer\nOfficer')" "and, then or"
# an edit that changes nothing says so
n=$("$lvl" get same.wwd "$o[*].user1" | grep -c .)
expect 0 "$lvl" set same.wwd "$o[*].user1*=2" -n
err_has "same.wwd: unchanged: $n already had that value"
expect 0 "$lvl" resize same.wwd --size "$("$lvl" get same.wwd 'planes["Action"].tiles' | sed 's/.*"width":\([0-9]*\),"height":\([0-9]*\).*/\1x\2/')" -i
err_has "same.wwd: unchanged: it had that size already"
# cells by a value that does not occur: skipped, in one file as in many, so that many values are replaced by one command
expect 0 "$lvl" set same.wwd 'planes["Action"].tiles[=4001]=1' 'planes["Action"].tiles[=4]=5' -o mapped.wwd
err_has 'tiles[=4001]" finds nothing in this file' "which value does not occur"
expect 1 "$lvl" get mapped.wwd 'planes["Action"].tiles[=4]'
expect 1 "$lvl" set same.wwd 'planes["Action"].tiles[=4001]=1' -o none.wwd
[ ! -e none.wwd ] || fail "nothing was found, and a file written"

# words of a block that are no numbers are not lost with an edit of the block
printf 'GLEVNW01\nHEIGHTS\n1,2,x,4 # hill\nHEIGHTSEND\n' >hill.nw
expect 1 "$lvl" set hill.nw 'heights[3]=7' -o none.nw
err_has "has further text, which would be lost" "a word that is no number"
[ ! -e none.nw ] || fail "text of a block was lost"
expect 0 "$lvl" set hill.nw 'npcs[+]={"x":1,"y":2}' -o added.nw
grep -qF '1,2,x,4 # hill' added.nw || fail "an edit elsewhere changed a block"
# a map that only lvl knows, by a header with wrong bytes: an edit adds the header
printf 'GRXAP001\nWIDTH 1\nHEIGHT 1\nLEVELNAMES\n"a.nw"\nLEVELNAMESEND\n' >odd.gmap
expect 0 "$lvl" info odd.gmap
expect 0 "$lvl" set odd.gmap 'rows[0].names[0]=no map' -o named.gmap
{ echo GRMAP001; sed 's/"a.nw"/"no map"/' odd.gmap; } | cmp -s - named.gmap || fail "a map with a wrong header: $(cat named.gmap)"

# a dump in UTF-16, as Windows writes it; a character that one page has, and a text that none has
expect 0 "$lvl" dump "$s/graal/lakeside/lake_mill.nw" -o utf8.json
python3 -c "open('utf16.json','wb').write(open('utf8.json',encoding='utf-8').read().encode('utf-16'))"
expect 0 "$lvl" undump utf16.json -o utf16.nw
same utf16.nw "$s/graal/lakeside/lake_mill.nw" "a dump in UTF-16"
# half of a pair of UTF-16 is no character: an error, and nothing is dropped
expect 0 "$lvl" set utf16.nw 'signs[+]={"x":1,"y":1,"text":"half"}' -o half.nw
expect 0 "$lvl" dump half.nw -o half8.json
python3 -c "
text = open('half8.json', encoding='utf-8').read()
for name, half in ('high', '\\ud800'), ('low', '\\udc00'):
    open(name + '.json', 'wb').write(b'\\xff\\xfe' + text.replace('half', 'ha' + half + 'lf').encode('utf-16-le', 'surrogatepass'))
open('cut.json', 'wb').write(b'\\xff\\xfe' + text.encode('utf-16-le') + b'x')
open('pair.json', 'wb').write(b'\\xff\\xfe' + text.replace('half', 'ha\\U0001f600lf').encode('utf-16-le'))"
for half in high low; do
    expect 1 "$lvl" undump $half.json -o none.nw
    err_has "has no character U+FFFD" "half of a pair: $half"
done
expect 1 "$lvl" undump pair.json -o none.nw
err_has "has no character U+1F600" "a pair"
expect 1 "$lvl" undump cut.json -o none.nw
expect 2 "$lvl" set utf16.nw 'signs[+]={"x":1,"y":1,"text":"Пä"}' -o page.nw
err_has "windows-1252 has no character U+041F; windows-1251 has it, but not all of this text"
# a new level like a larger one has its start inside; a level made of a picture has an id
expect 0 "$lvl" new wwd --like "$s/wwd/cliffs.wwd" --size 20x10 -o small.wwd
expect 0 "$lvl" get small.wwd start_x start_y
is out "732
380" "the start of a smaller level"
expect 0 "$lvl" render "$s/graal/lakeside/lake_mill.nw" --size 32 -o small.png
expect 0 "$lvl" convert small.png -o drawn.level
expect 0 "$lvl" get drawn.level uuid
grep -Eqx '[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}' out || fail "uuid: $(cat out)"
# an item with the key of another one replaces it, which needs -y
expect 0 "$lvl" set "$s/sketchy/lantern.doodad" 'tags[0].value=other' -o tags-other.doodad
expect 1 "$lvl" copy "$s/sketchy/lantern.doodad" 'tags[0]' tags-other.doodad -o tags-copied.doodad
err_has 'another tag "category" was here; it is replaced (tags[0])'
err_has '1 item of the same name would be replaced; -y replaces'
[ ! -e tags-copied.doodad ] || fail "an item was replaced without -y"
expect 0 "$lvl" copy "$s/sketchy/lantern.doodad" 'tags[0]' tags-other.doodad -o tags-copied.doodad -y
[ "$("$lvl" get tags-copied.doodad 'tags[0].value')" = "$("$lvl" get "$s/sketchy/lantern.doodad" 'tags[0].value')" ] || fail "replaced"
expect 0 "$lvl" copy "$s/sketchy/lantern.doodad" 'tags[0]' "$s/sketchy/lantern.doodad" -n

# tables: out, unchanged back, changed back; what is wrong is named with its line and column, and nothing is written
cp "$s/wwd/cliffs.wwd" table.wwd; cp table.wwd same.wwd
expect 0 "$lvl" get --csv table.wwd 'planes[*].objects[*]'
cp out objects.csv
expect 0 "$lvl" set --csv objects.csv table.wwd -i
err_has 'table.wwd: unchanged: it has these values already'
cmp table.wwd same.wwd || fail "a table that was not changed changes the file"
expect 0 "$lvl" get --csv table.wwd 'planes[*].objects[*]' health x
sed '2s/,0,/,77,/' out >changed.csv
expect 0 "$lvl" set --csv changed.csv table.wwd -i
expect 0 "$lvl" get table.wwd 'planes[4].objects[0].health'
is out 77 "the changed cell"
for wrong in '3s/,.*/,x,1/' '3s/$/,1/' '$p' '1s/health/healht/' '3s/objects.1/objects[999/'; do
    sed "$wrong" changed.csv >wrong.csv
    expect 1 "$lvl" set --csv wrong.csv same.wwd -i
    err_has 'wrong.csv:'
    cmp -s same.wwd "$s/wwd/cliffs.wwd" || fail "a wrong table changes the file: $wrong"
done
expect 2 "$lvl" set --csv changed.csv same.wwd table.wwd -i
err_has 'has no column `file'"'"': one file was expected'
mkdir tables; cp same.wwd tables/a.wwd; cp same.wwd tables/b.wwd
expect 0 "$lvl" get --csv tables -e name -e author
sed 's/Grey/Green/' out >names.csv
grep -v b.wwd names.csv >one.csv
expect 0 "$lvl" set --csv one.csv tables -i
err_has '2 files: 1 changed, 1 without a match'
echo tables/c.wwd,,x,y >>names.csv
expect 1 "$lvl" set --csv names.csv tables -i
err_has 'names.csv:4: file: tables/c.wwd is not among the files to change; nothing was written'
cmp tables/b.wwd same.wwd || fail "a table with an unknown file changes a file"

# cells by a table, at once
printf 'from,to\n10,13\n13,10\n' >swap.csv
expect 0 "$lvl" set same.wwd --map swap.csv 'planes[*].tiles' -o swapped.wwd
err_has '10 -> 13: 26 cells'
err_has '13 -> 10: 7 cells'
expect 0 "$lvl" set swapped.wwd --map swap.csv 'planes[*].tiles' -i
cmp swapped.wwd same.wwd || fail "a swap and the swap back change the file"
expect 0 "$lvl" set "$s/graal/lakeside" --map swap.csv -e 'layers[*].tiles' -n
err_has '10 -> 13: '
printf '10,13\n0x0a,10\n' >twice.csv
expect 1 "$lvl" set same.wwd --map twice.csv 'planes[*].tiles' -i
err_has 'twice.csv:2: 10 is replaced twice, first in line 1'
cmp same.wwd "$s/wwd/cliffs.wwd" || fail "a wrong table of cells changes the file"

finish
