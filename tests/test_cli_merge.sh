#!/bin/sh
# `lvl merge` and `lvl git` on the samples, and with the real git: two branches with edits at different places of a level merge to the level
# with both; a conflict leaves a level that can be opened.
. "$(dirname "$0")/support/shell.sh"
. "$here/support/git.sh"

# ---- merge
cp "$samples/wwd/cliffs.wwd" base.wwd
"$lvl" set base.wwd 'author=me' 'planes["Action"].tiles[5,5]=9' -o ours.wwd
"$lvl" set base.wwd 'planes["Action"].objects[0].x=77' -o theirs.wwd
"$lvl" set ours.wwd 'planes["Action"].objects[0].x=77' -o both.wwd
expect 0 "$lvl" merge base.wwd ours.wwd theirs.wwd -o merged.wwd
same merged.wwd both.wwd "both edits"
expect 0 "$lvl" merge base.wwd base.wwd theirs.wwd -o merged.wwd -y
same merged.wwd theirs.wwd "only theirs changed"
expect 0 "$lvl" merge base.wwd ours.wwd base.wwd -o merged.wwd -y
same merged.wwd ours.wwd "only ours changed"
# a merge that changes nothing says so
has "$said/err" "ours.wwd: unchanged: it already has all changes of THEIRS" "theirs is the base"
cp both.wwd in-place.wwd
expect 0 "$lvl" merge base.wwd in-place.wwd theirs.wwd -i
has "$said/err" "in-place.wwd: unchanged: " "ours has both edits"
expect 0 "$lvl" merge -q base.wwd in-place.wwd theirs.wwd -i
[ ! -s "$said/err" ] || fail "merge -q: $(cat "$said/err")"
expect 0 "$lvl" merge base.wwd ours.wwd theirs.wwd -o merged.wwd -y
[ ! -s "$said/err" ] || fail "a merge that changes something: $(cat "$said/err")"
for side in base ours; do mkdir "one-$side" && cp base.wwd "one-$side/a.wwd"; done
expect 0 "$lvl" merge one-base one-ours one-base -o one-merged
has "$said/err" "0 files merged, 1 unchanged, 0 with conflicts or errors" "folders without a change"
expect 2 "$lvl" merge base.wwd ours.wwd theirs.wwd
has "$said/err" "-o FILE" "no output"
expect 2 "$lvl" merge base.wwd ours.wwd -o x.wwd
has "$said/err" "BASE OURS THEIRS" "two files"
expect 3 "$lvl" merge none.wwd ours.wwd theirs.wwd -o x.wwd
[ ! -e x.wwd ] || fail "a file was written"
expect 1 "$lvl" merge base.wwd ours.wwd "$samples/graal/lakeside/lake_woods.nw" -o x.wwd
has "$said/err" "different formats" "a level of another game"
[ ! -e x.wwd ] || fail "a file was written"
expect 1 "$lvl" merge base.wwd base.wwd "$samples/graal/lakeside/lake_woods.nw" -o x.wwd
has "$said/err" "different formats" "a level of another game, OURS as BASE"
[ ! -e x.wwd ] || fail "a file was written"

"$lvl" set base.wwd 'author=you' 'planes["Action"].tiles[5,5]=3' -o other.wwd
expect 1 "$lvl" merge base.wwd ours.wwd other.wwd -o conflict.wwd
has "$said/err" 'base "The lvl samples", ours "me", theirs "you" (author)' "a conflict of texts"
has "$said/err" "both sides changed 1 cell in [5,5 5,5]" "a conflict of cells"
has "$said/err" "2 conflicts; the result has ours there" "the count"
same conflict.wwd ours.wwd "ours is preferred"
expect 1 "$lvl" merge --theirs base.wwd ours.wwd other.wwd -o conflict.wwd -y
same conflict.wwd other.wwd "theirs is preferred"
expect 1 "$lvl" merge --base base.wwd ours.wwd other.wwd -o conflict.wwd -y
same conflict.wwd base.wwd "the base is preferred"
expect 1 "$lvl" merge --json base.wwd ours.wwd other.wwd -o conflict.wwd -y
has "$said/out" '"conflicts":2,"findings":[{"id":"lvl.merge.conflict"' "JSON"

# lists of numbers merge number by number
cp "$samples/graal/versions/gr-v1.04.graal" base.graal
"$lvl" set base.graal 'heights[0]=7' -o ours.graal
"$lvl" set base.graal 'heights[40]=-7' -o theirs.graal
"$lvl" set ours.graal 'heights[40]=-7' -o both.graal
expect 0 "$lvl" merge base.graal ours.graal theirs.graal -o merged.graal
same merged.graal both.graal "two heights"
"$lvl" set base.graal 'heights[0]=8' 'heights[40]=-7' -o theirs.graal -y
expect 1 "$lvl" merge base.graal ours.graal theirs.graal -o merged.graal -y
has "$said/err" "base 4, ours 7, theirs 8 (heights[0])" "a conflict of heights"
same merged.graal both.graal "ours is preferred for one height"

# levels in a pack merge as levels
for side in ours theirs; do
    cp "$samples/sketchy/walk.levelpack" "$side.levelpack"
done
expect 0 "$lvl" set -i ours.levelpack//levels/hill.level 'title=Hill'
expect 0 "$lvl" set -i theirs.levelpack//levels/hill.level 'author=me'
cp ours.levelpack both.levelpack
expect 0 "$lvl" set -i both.levelpack//levels/hill.level 'author=me'
expect 0 "$lvl" merge "$samples/sketchy/walk.levelpack" ours.levelpack theirs.levelpack -o joined.levelpack
expect 0 "$lvl" diff joined.levelpack both.levelpack
expect 0 "$lvl" diff joined.levelpack//levels/hill.level both.levelpack//levels/hill.level
expect 0 "$lvl" set -i theirs.levelpack//levels/hill.level 'title=Mount'
expect 1 "$lvl" merge "$samples/sketchy/walk.levelpack" ours.levelpack theirs.levelpack -o joined.levelpack -y
has "$said/err" 'ours "Hill", theirs "Mount"' "a conflict in a level of a pack"
expect 0 "$lvl" diff joined.levelpack both.levelpack

# a picture of the conflicts, only where there are some
# what is deleted on one side and used anew on the other stays: swatches against pixels, signs against chests
for generation in v1 v2 v3.1 v4; do
    drawing=$samples/sketchy/hill-$generation.level
    expect 0 "$lvl" set "$drawing" --unset 'swatches["ice"]' -o without.level -y
    expect 0 "$lvl" set "$drawing" 'layers[0].chunks["-1,-1"].pixels[5,5 15,15]=4' -o painted.level -y
    for sides in "without painted theirs" "painted without ours"; do
        set -- $sides
        expect 1 "$lvl" merge "$drawing" $1.level $2.level -o used.level -y
        has "$said/err" "swatch \"ice\": " "$generation: the swatch is named"
        has "$said/err" "but $3 uses it" "$generation: who uses it"
        expect 0 "$lvl" get used.level 'swatches["ice"].name'
        "$lvl" get used.level 'layers[0].chunks["-1,-1"].pixels[5,5]' 'layers[0].chunks["-1,-1"].pixels[15,15]' >"$t/pixels"
        printf '4\n4\n' | cmp -s - "$t/pixels" || fail "$generation: the paint is gone"
    done
    # both draw where BASE has nothing
    expect 0 "$lvl" set "$drawing" 'layers[0].chunks[705,705]=1' -o left.level -y
    expect 0 "$lvl" set "$drawing" 'layers[0].chunks[709,709]=2' -o right.level -y
    expect 0 "$lvl" merge "$drawing" left.level right.level -o both-drawn.level -y
    "$lvl" get both-drawn.level "layers[0].chunks[705,705]" "layers[0].chunks[709,709]" >"$t/pixels"
    printf '1\n2\n' | cmp -s - "$t/pixels" || fail "$generation: pixels drawn at two places of a new chunk"
done
shore=$samples/graal/lakeside/lake_shore.nw
expect 0 "$lvl" set "$shore" --unset 'signs[1]' -o without.nw
expect 0 "$lvl" set "$shore" 'chests[+]={"x":4,"y":5,"sign":1}' -o chest.nw
for sides in "without chest" "chest without"; do
    set -- $sides
    expect 1 "$lvl" merge "$shore" $1.nw $2.nw -o signs.nw -y
    [ "$("$lvl" get signs.nw 'chests[1].sign')" = 1 ] || fail "a chest lost its sign"
done
# one side converts and edits, the other edits: the result has the form and both edits
oldest=$samples/graal/versions/gr-v1.03.graal
expect 0 "$lvl" convert "$oldest" --to gr-v1.05 -o conv.graal
expect 0 "$lvl" set -i conv.graal 'links[0].level=far.nw'
expect 0 "$lvl" set "$oldest" 'npcs[0].image=other.png' -o conv-edit.graal
for sides in "conv conv-edit" "conv-edit conv"; do
    set -- $sides
    expect 0 "$lvl" merge "$oldest" $1.graal $2.graal -o both.graal -y
    [ "$("$lvl" get both.graal version 'links[0].level' 'npcs[0].image' | tr '\n' ' ')" = "GR-V1.05 far.nw other.png " ] ||
        fail "conversion and edits, $sides: $("$lvl" get both.graal version 'links[0].level' 'npcs[0].image')"
done
# what THEIRS adds and no field holds, lines that are not commands and unknown keys, is named, since it is not merged
{ cat "$shore"; printf '// a remark\nFOO 1 2\n'; } >remark.nw
expect 0 "$lvl" set "$shore" 'signs[0].x=3' -o remark-other.nw
expect 1 "$lvl" merge "$shore" remark-other.nw remark.nw -o remarked.nw
err_has 'theirs added content that lvl does not know, and that is not in the result: // a remark (and 1 more)'
expect 0 "$lvl" merge "$shore" remark.nw remark-other.nw -o remarked.nw -y
grep -q '^// a remark' remarked.nw && grep -q '^FOO 1 2' remarked.nw || fail "lines of OURS that are no command"
sed 's/^SIGN .*/& MORE 1/' "$shore" >more.nw
expect 1 "$lvl" merge "$shore" remark-other.nw more.nw -o remarked.nw -y
err_has 'not in the result: SIGN' 'further words of THEIRS'
sed 's/^\(SIGN .* MORE\) 1$/\1 2/' more.nw >more-changed.nw
expect 0 "$lvl" set more.nw 'links[0].level=x.nw' -o more-linked.nw
expect 1 "$lvl" merge more.nw more-linked.nw more-changed.nw -o remarked.nw -y
err_has 'MORE 2' 'other further words of THEIRS'
expect 0 "$lvl" set more.nw 'links[1].level=y.nw' -o more-moved.nw
expect 0 "$lvl" merge more.nw more-linked.nw more-moved.nw -o remarked.nw -y
grep -q '^SIGN .* MORE 1' remarked.nw || fail "further words that both sides have"
{ cat remark-other.nw; printf '// a remark\nFOO 1 2\n'; } >both-remarked.nw
expect 0 "$lvl" merge "$shore" both-remarked.nw remark.nw -o remarked.nw -y
sed 's/^ANI$/\/\/ a remark\nANI/' "$samples/graal/ganis/hero_walk.gani" >remark.gani
expect 0 "$lvl" set "$samples/graal/ganis/hero_walk.gani" loop=0 -o remark-other.gani
expect 1 "$lvl" merge "$samples/graal/ganis/hero_walk.gani" remark-other.gani remark.gani -o remarked.gani
err_has 'not in the result: // a remark'
sed 's/"palette":/"by":"me","palette":/' "$samples/sketchy/hill-v1.level" >key.level
expect 0 "$lvl" set "$samples/sketchy/hill-v1.level" title=x -o remark-other.level
expect 1 "$lvl" merge "$samples/sketchy/hill-v1.level" remark-other.level key.level -o remarked.level
err_has 'not in the result: "by":"me"'
expect 0 "$lvl" set key.level title=x -o key-other.level
sed 's/"by":"me"/"by":"you"/' key.level >key-changed.level
expect 1 "$lvl" merge key.level key-other.level key-changed.level -o remarked.level -y
err_has 'not in the result: "by":"you"'
gzip -nc key.level >key-gz.level
gzip -nc key-changed.level >key-gz-changed.level
expect 0 "$lvl" set key-gz.level title=x -o key-other.level -y
expect 1 "$lvl" merge key-gz.level key-other.level key-gz-changed.level -o remarked.level -y
err_has 'not in the result: "by":"you"'
expect 0 "$lvl" merge "$samples/sketchy/hill-v1.level" key.level remark-other.level -o remarked.level -y
grep -q '"by":"me"' remarked.level || fail "an unknown key of OURS"
# --base: what one side changed and the other removed is as in BASE
expect 0 "$lvl" set base.wwd --unset 'planes["Action"].objects[3]' -o removed.wwd -y
expect 0 "$lvl" set base.wwd 'planes["Action"].objects[3].x=5' -o changed.wwd -y
for sides in "removed changed" "changed removed"; do
    set -- $sides
    expect 1 "$lvl" merge --base base.wwd $1.wwd $2.wwd -o as-base.wwd -y
    expect 0 "$lvl" diff base.wwd as-base.wwd
done

# a sign that both sides write anew is one sign, not two
expect 0 "$lvl" set "$shore" 'signs[0].text=All about apples' 'signs[0].x=3' -o apples.nw
expect 0 "$lvl" set "$shore" 'signs[0].text=Pears, and where they grow' 'signs[0].y=9' -o pears.nw
expect 1 "$lvl" merge "$shore" apples.nw pears.nw -o fruit.nw
err_has 'sign "All about apples": x=3, y=50: both sides changed it; theirs is sign "Pears, and where they grow": x=54, y=9; base is sign "'
expect 0 "$lvl" diff apples.nw fruit.nw
expect 1 "$lvl" merge --theirs "$shore" apples.nw pears.nw -o fruit.nw -y
expect 0 "$lvl" diff pears.nw fruit.nw
# a small change of one side against a large one of the other: one item, and the place is named
expect 0 "$lvl" set "$shore" 'signs[0].x=3' -o near.nw
for sides in "near pears" "pears near"; do
    set -- $sides
    expect 1 "$lvl" merge "$shore" $1.nw $2.nw -o fruit.nw -y
    expect 0 "$lvl" diff $1.nw fruit.nw
    expect 1 "$lvl" merge --theirs "$shore" $1.nw $2.nw -o fruit.nw -y
    expect 0 "$lvl" diff $2.nw fruit.nw
done
# delete against edit: which item, and what was changed
expect 1 "$lvl" merge base.wwd removed.wwd changed.wwd -o gone.wwd
err_has 'object "BehindCandy": id=4, image_set="LEVEL_PINE": ours removed it, theirs changed x 232 -> 5 (planes[4].objects)'
# an NPC that one side changed nearly wholly is one NPC, also where both sides copied another one to the place before it: a copy is not
# taken for the changed NPC
seat='{"x":37,"y":58,"image":"seat.png","script":"sit;"}'
expect 0 "$lvl" new nw -o seats.nw
expect 0 "$lvl" set -i seats.nw 'npcs[+]={"x":40,"y":39,"image":"desk.png","script":"a"}' "npcs[+]=$seat" \
    'npcs[+]={"x":18,"y":58,"image":"seat.png","script":"sit;"}' 'npcs[+]={"x":22,"y":39,"image":"desk.png","script":"b"}'
expect 0 "$lvl" set seats.nw 'npcs[2].image=throne.png' 'npcs[2].x=19' 'npcs[2].script=rise;' "npcs[+2]=$seat" -o throne.nw
expect 0 "$lvl" set seats.nw 'npcs[2].y=60' "npcs[+2]=$seat" -o lower.nw
for sides in "throne lower" "lower throne"; do
    set -- $sides
    expect 1 "$lvl" merge seats.nw $1.nw $2.nw -o seated.nw -y
    err_has "both sides changed it; theirs is npc" "$sides"
    same seated.nw $1.nw "$sides"
    expect 1 "$lvl" merge --theirs seats.nw $1.nw $2.nw -o seated.nw -y
    expect 0 "$lvl" diff seated.nw $2.nw
done
# copies and moves alone are no conflict
expect 0 "$lvl" set seats.nw "npcs[+1]=$seat" 'npcs[0]@=4' -o copied.nw
expect 0 "$lvl" set seats.nw 'npcs[3].x=23' "npcs[+4]=$seat" -o other.nw
expect 0 "$lvl" merge seats.nw copied.nw other.nw -o seated.nw -y
[ "$("$lvl" get seated.nw 'npcs[image=seat.png].x' | tr '\n' ' ')" = "37 37 18 37 " ] || fail "copies: $("$lvl" get seated.nw npcs)"
[ "$("$lvl" get seated.nw 'npcs[image=desk.png].x' | sort | tr '\n' ' ')" = "23 40 " ] || fail "moved: $("$lvl" get seated.nw npcs)"
# both replaced it, and one added an item: nobody knows which is which, so both stay and it is said
expect 0 "$lvl" set seats.nw 'npcs[2].image=throne.png' 'npcs[2].x=19' 'npcs[2].script=rise;' \
    'npcs[+3]={"x":1,"y":1,"image":"new.png"}' -o replaced.nw
expect 0 "$lvl" set seats.nw 'npcs[2].image=bench.png' 'npcs[2].y=19' 'npcs[2].script=dine;' -o bench.nw
for sides in "replaced bench" "bench replaced"; do
    set -- $sides
    expect 1 "$lvl" merge seats.nw $1.nw $2.nw -o seated.nw -y
    err_has 'npc "seat.png": x=18, y=58: both sides changed or replaced it; the result has what both have there (npcs)' "$sides"
    [ "$("$lvl" get seated.nw 'npcs[*].image' | sort | tr '\n' ' ')" = "bench.png desk.png desk.png new.png seat.png throne.png " ] ||
        fail "both replaced: $("$lvl" get seated.nw npcs)"
done
# an animation whose frames were all removed is not cut off
expect 0 "$lvl" set "$samples/graal/ganis/hero_walk.gani" --unset 'frames[0:9]' -o still.gani
expect 0 "$lvl" set "$samples/graal/ganis/hero_walk.gani" loop=0 -o once.gani
expect 0 "$lvl" merge "$samples/graal/ganis/hero_walk.gani" still.gani once.gani -o merged.gani -y
[ "$("$lvl" get merged.gani loop)" = 0 ] || fail "a change beside removed frames is lost"
# what identifies an item changed on one side, and what is in it on the other
meeting=$samples/graal/ganis/meeting.gani
expect 0 "$lvl" set "$meeting" 'actors[0].keyframes[1].values[2].key=zzz' -o key.gani
expect 0 "$lvl" set "$meeting" 'actors[0].keyframes[1].tick=21' -o tick.gani
expect 0 "$lvl" set key.gani 'actors[0].keyframes[1].tick=21' -o key-and-tick.gani
for sides in "key tick" "tick key"; do
    set -- $sides
    expect 0 "$lvl" merge "$meeting" $1.gani $2.gani -o merged.gani -y
    same merged.gani key-and-tick.gani
done
# a row, and a column: both
map=$samples/graal/lakeside/lakeside.gmap
expect 0 "$lvl" set "$map" 'rows[+]={"names":["c1.nw","c2.nw"]}' -o row.gmap
expect 0 "$lvl" set "$map" 'rows[0].names+=x.nw' 'rows[1].names+=y.nw' -o column.gmap
expect 0 "$lvl" merge "$map" row.gmap column.gmap -o both.gmap
"$lvl" get column.gmap 'rows[*].names' >names
printf '["c1.nw","c2.nw"]\n' >>names
"$lvl" get both.gmap 'rows[*].names' | cmp -s - names || fail "a row and a column: $("$lvl" get both.gmap rows)"
# a file that ends without a line end is not damaged when its last NPC is deleted
{ printf 'GLEVNW01\nLINK a.nw 1 1 1 1 2 2\nNPC a.png 1 2\nhello\nNPCEND\nNPC b.png 3 4\nfoo\nNPCEND'; } >unended.nw
expect 0 "$lvl" set unended.nw 'npcs=[]' -o fewer.nw
expect 0 "$lvl" set unended.nw 'links[0].x=9' -o moved.nw
for sides in "fewer moved" "moved fewer"; do
    set -- $sides
    expect 0 "$lvl" merge unended.nw $1.nw $2.nw -o merged.nw -y
    [ "$("$lvl" get merged.nw 'links[0].x')" = 9 ] || fail "without a line end: $sides"
    [ "$("$lvl" get merged.nw npcs)" = "[]" ] || fail "without a line end: $sides"
done
# but one that was cut off at the end of a line is, if BASE ends with a line end
printf 'GLEVNW01\nLINK a.nw 1 1 1 1 2 2\nNPC b.png 3 4\nfoo\nNPCEND\n' >ended.nw
printf 'GLEVNW01\nLINK a.nw 1 1 1 1 2 2' >cut.nw
expect 0 "$lvl" set ended.nw 'links[0].x=9' -o moved.nw -y
expect 1 "$lvl" merge ended.nw moved.nw cut.nw -o merged.nw -y
err_has "theirs is damaged" "a file that was cut off at the end of a line"
[ "$("$lvl" get merged.nw 'npcs[*].y')" = 4 ] || fail "an NPC is lost"
# a board whose last rows are missing in BASE, too, is not cut off when the NPCs after it are deleted
{ head -n 6 "$samples/graal/styles/blank_after.nw"; printf 'NPC b.png 3 4\nfoo\nNPCEND\n'; } >rows.nw
expect 0 "$lvl" set rows.nw 'npcs=[]' -o fewer.nw -y
expect 0 "$lvl" set rows.nw 'layers[0].tiles[9,1]=77' -o painted.nw -y
for sides in "fewer painted" "painted fewer"; do
    set -- $sides
    expect 0 "$lvl" merge rows.nw $1.nw $2.nw -o merged.nw -y
    [ "$("$lvl" get merged.nw 'npcs' 'layers[0].tiles[9,1]' | tr '\n' ' ')" = "[] 77 " ] || fail "few rows: $sides"
done
# both add a layer of one number, each with few cells: those that a file leaves out are no change
for side in "one 0 9 AAA7" "two 0 3 AAA5" "same 0 9 AAA8"; do
    set -- $side
    { cat "$samples/graal/lakeside/lake_woods.nw"; printf 'BOARD %s %s 2 1 %s\n' $2 $3 $4; } >layer-$1.nw
done
for sides in "one two" "two one"; do
    set -- $sides
    expect 0 "$lvl" merge "$samples/graal/lakeside/lake_woods.nw" layer-$1.nw layer-$2.nw -o merged.nw -y
    [ "$("$lvl" get merged.nw 'layers[1].tiles[1,9]' 'layers[1].tiles[1,3]' 'layers[1].tiles[5,5]' | tr '\n' ' ')" = "59 57 65535 " ] ||
        fail "a layer of both: $sides"
done
expect 1 "$lvl" merge "$samples/graal/lakeside/lake_woods.nw" layer-one.nw layer-same.nw -o merged.nw -y
err_has 'both sides changed 1 cell in [1,9 1,9]: base 4095, ours 59, theirs 60' "one cell of a layer of both"
# each side is a file, but the format has none with both changes: a conflict, and OURS stays
printf 'GANI0001\nSPRITE 0 SPRITES 0 0 8 8 a\n\nANI\n0 0 0\n0 1 1\n0 2 2\n0 3 3\nWAIT 1\n\n0 4 4\n0 5 5\nWAIT 1\nANIEND\n' >dirs.gani
for i in 0 1; do expect 0 "$lvl" set dirs.gani --unset "frames[1].directions[$i]" -o without$i.gani; done
for sides in "0 1" "1 0"; do
    set -- $sides
    expect 1 "$lvl" merge dirs.gani without$1.gani without$2.gani -o merged.gani -y
    err_has 'a file cannot hold what both sides changed, so the result has only ours: frames[1]' "a frame without directions"
    expect 0 "$lvl" diff without$1.gani merged.gani
done
# what refers to a removed item loses its reference with it: no change of what has the reference
printf 'GLEVNW01\nCHEST 1 1 redrupee 0\nCHEST 2 2 redrupee 0\nSIGN 1 1\nfirst\nSIGNEND\nSIGN 2 2\nsecond\nSIGNEND\n' >chests.nw
expect 0 "$lvl" set chests.nw --unset 'signs[0]' -o unsigned.nw
expect 0 "$lvl" set chests.nw 'chests[0].sign=1' -o signed.nw
for sides in "unsigned signed" "signed unsigned"; do
    set -- $sides
    expect 0 "$lvl" merge chests.nw $1.nw $2.nw -o merged.nw -y
    [ "$("$lvl" get merged.nw 'signs[*].text' 'chests[*].sign' | tr '\n' ' ')" = "second 0 -1 " ] || fail "a chest with another sign: $sides"
done
lantern=$samples/sketchy/lantern.doodad
expect 0 "$lvl" set "$lantern" --unset 'swatches[0]' -o unswatched.doodad
expect 0 "$lvl" set "$lantern" --unset 'layers[1]' -o layer.doodad
for sides in "unswatched layer" "layer unswatched"; do
    set -- $sides
    expect 0 "$lvl" merge "$lantern" $1.doodad $2.doodad -o merged.doodad -y
    [ "$("$lvl" get merged.doodad 'layers[*].name')" = dark ] || fail "a removed layer: $sides"
    [ "$("$lvl" get merged.doodad 'swatches[0].name')" = "$("$lvl" get "$lantern" 'swatches[1].name')" ] || fail "a removed swatch: $sides"
done
# pixels in other chunks are no change of a layer that the other side removes
expect 0 "$lvl" convert "$lantern" --chunk-size 32 -o chunks.doodad
expect 0 "$lvl" set "$lantern" --unset layers -o blank.doodad
for sides in "chunks blank" "blank chunks"; do
    set -- $sides
    expect 0 "$lvl" merge "$lantern" $1.doodad $2.doodad -o merged.doodad -y
    [ "$("$lvl" get merged.doodad layers)" = "[]" ] || fail "removed layers: $sides"
done
# two sprites that both sides added with one id: the second one gets a new id, and what names it follows
walk=$samples/graal/ganis/hero_walk.gani
for side in "BODY 0 one" "HEAD 1 two"; do
    set -- $side
    expect 0 "$lvl" set "$walk" 'sprites[+]={"id":900,"source":"'$1'","x":'$2',"y":7'$2',"width":9'$2',"height":8'$2',"description":"'$3'"}' \
        'frames['$2'].directions[0].pieces[+]={"sprite":900,"dx":'$2',"dy":1}' -o $3.gani
done
expect 0 "$lvl" merge "$walk" one.gani two.gani -o sprites.gani
[ "$("$lvl" get sprites.gani 'sprites[-2].id' 'sprites[-1].id' 'frames[0].directions[0].pieces[-1].sprite' 'frames[1].directions[0].pieces[-1].sprite' |
    tr '\n' ' ')" = "900 901 900 901 " ] || fail "two sprites of one id: $("$lvl" diff "$walk" sprites.gani)"
# scripts show signs by number: the numbers follow, in an edit and in a merge, whatever else changed
printf 'GLEVNW01\nSIGN 1 1\nfirst\nSIGNEND\nSIGN 2 2\nsecond\nSIGNEND\nNPC a.png 5 5\nif (x) { say 1; }\n// say 1;\nNPCEND\n' >says.nw
expect 0 "$lvl" set says.nw 'signs[+0]={"x":9,"y":9,"text":"new"}' -o front.nw -y
[ "$("$lvl" get front.nw 'npcs[0].script')" = "if (x) { say 2; }
// say 1;" ] || fail "say after an inserted sign: $("$lvl" get front.nw npcs)"
expect 0 "$lvl" set says.nw 'signs[+1]={"x":7,"y":7,"text":"middle"}' -o middle.nw -y
sed 's/x)/y)/' says.nw >script.nw
for sides in "front middle 3 x" "middle front 3 x" "front script 2 y" "script front 2 y"; do
    set -- $sides
    expect 0 "$lvl" merge says.nw $1.nw $2.nw -o merged.nw -y
    [ "$("$lvl" get merged.nw "signs[$3].text" 'npcs[0].script' | tr '\n' ' ')" = "second if ($4) { say $3; } // say 1; " ] ||
        fail "say: $sides: $("$lvl" get merged.nw npcs)"
done
# one side removes a sign that a script of the other begins to show
expect 0 "$lvl" set says.nw --unset 'signs[0]' -o without.nw -y
sed 's/say 1; }/say 1; say 0; }/' says.nw >uses.nw
for sides in "without uses" "uses without"; do
    set -- $sides
    expect 1 "$lvl" merge says.nw $1.nw $2.nw -o merged.nw -y
    err_has "uses it at a place where" "say: $sides"
    [ "$("$lvl" get merged.nw 'signs[*].text' | tr '\n' ' ')" = "first second " ] || fail "a sign is lost: $sides"
done
# a side in a form that cannot hold what the other side has: a conflict, whichever side it is
expect 0 "$lvl" convert "$shore" --to gr-v1.02 -o base-1.02.graal -y --allow-loss
expect 0 "$lvl" convert base-1.02.graal --to gr-v1.00 -o first.graal -y --allow-loss
expect 0 "$lvl" set base-1.02.graal 'layers[0].tiles[3,3]=3000' -o high.graal -y
for sides in "first high" "high first"; do
    set -- $sides
    expect 1 "$lvl" merge base-1.02.graal $1.graal $2.graal -o merged.graal -y
    err_has "has the form gr-v1.00, which cannot hold this" "$sides"
    [ "$("$lvl" get merged.graal version 'layers[0].tiles[3,3]' | tr '\n' ' ')" = "GR-V1.02 3000 " ] || fail "$sides"
done
# line ends that a side changed
printf 'GLEVNW01\nNPC a.png 1 2\nhello\nNPCEND\n' >unix.nw
sed 's/$/\r/' unix.nw >windows.nw
expect 0 "$lvl" set unix.nw 'npcs[0].x=7' -o seven.nw
printf 'GLEVNW01\r\nNPC a.png 7 2\r\nhello\r\nNPCEND\r\n' >both.nw
for sides in "windows seven" "seven windows"; do
    set -- $sides
    expect 0 "$lvl" merge unix.nw $1.nw $2.nw -o merged.nw -y
    same merged.nw both.nw "line ends: $sides"
done
# another version: the result has it, whichever side changed it; what it cannot hold is a conflict
expect 0 "$lvl" convert "$shore" --to gr-v1.03 -o older-base.graal
expect 0 "$lvl" convert older-base.graal --to gr-v1.04 -o newer.graal
expect 0 "$lvl" set older-base.graal 'signs[0].x=3' -o moved.graal
for sides in "newer moved" "moved newer"; do
    set -- $sides
    expect 0 "$lvl" merge older-base.graal $1.graal $2.graal -o merged.graal -y
    [ "$("$lvl" get merged.graal version 'signs[0].x' | tr '\n' ' ')" = "GR-V1.04 3 " ] || fail "a version is lost: $sides"
done
expect 0 "$lvl" convert older-base.graal --to gr-v1.02 -o older.graal
expect 1 "$lvl" merge older-base.graal newer.graal older.graal -o merged.graal -y
err_has 'form: base gr-v1.03, ours gr-v1.04, theirs gr-v1.02'
# a key that the other side's kind of map cannot hold
expect 0 "$lvl" set "$map" tileset=pics.png -o tileset.gmap
expect 0 "$lvl" set "$map" version=bigmap -o bigmap.gmap
expect 1 "$lvl" merge "$map" tileset.gmap bigmap.gmap -o both.gmap -y
err_has 'theirs has the form bigmap, which cannot hold this: tileset (tileset)'
[ "$("$lvl" get both.gmap version tileset | tr '\n' ' ')" = "GRMAP001 pics.png " ] || fail "a tileset is lost"

# what a damaged side lacks was not deleted: a conflict, and the result is the sound side; so for the side that did not change
for file in wwd/cliffs.wwd graal/lakeside/lake_meadow.nw graal/versions/gr-v1.03.graal sketchy/hill-v4.level sketchy/hill-v2.level; do
    whole=$samples/$file size=$(wc -c <"$samples/$file")
    ending=${file##*.}
    case $ending in
    nw | graal) edit=npcs[0].x=7 ;;
    wwd) edit=author=me ;;
    *) edit=title=other ;;
    esac
    head -c $((size * 3 / 4)) "$whole" >cut.$ending
    expect 0 "$lvl" set "$whole" "$edit" -o edited.$ending -y
    expect 1 "$lvl" merge "$whole" edited.$ending cut.$ending -o sound.$ending -y
    has "$said/err" "theirs is damaged" "$file: the damage"
    expect 0 "$lvl" diff edited.$ending sound.$ending
    expect 1 "$lvl" merge "$whole" cut.$ending edited.$ending -o sound.$ending -y
    expect 0 "$lvl" diff edited.$ending sound.$ending
    expect 1 "$lvl" merge "$whole" "$whole" cut.$ending -o sound.$ending -y
    cmp -s "$whole" sound.$ending || fail "$file: the damaged side became the result"
done

expect 1 "$lvl" merge base.wwd ours.wwd other.wwd -o conflict.wwd -y --image conflict.png
[ "$(head -c 4 conflict.png | tail -c 3)" = PNG ] || fail "no picture of the conflicts"
expect 1 "$lvl" merge base.wwd ours.wwd other.wwd -o conflict.wwd -y --image conflict.png --theirs
same conflict.wwd other.wwd "--theirs with a picture"
expect 0 "$lvl" merge base.wwd ours.wwd base.wwd -o conflict.wwd -y --image none.png
[ ! -e none.png ] || fail "a picture without conflicts"
expect 2 "$lvl" merge base.wwd ours.wwd other.wwd -o conflict.wwd -y --image picture.txt

# a picture that cannot be written: neither is the merged file
printf kept >have.png
expect 3 "$lvl" merge base.wwd ours.wwd other.wwd -o unwritten.wwd --image have.png
has "$said/err" "have.png already exists" "the picture exists"
[ ! -e unwritten.wwd ] || fail "merged, though the picture exists"
has have.png kept "the file that was there"
expect 3 "$lvl" merge base.wwd ours.wwd other.wwd -o unwritten.wwd --image none/a.png
[ ! -e unwritten.wwd ] || fail "merged, though the picture cannot be written"

# both sides resize a plane to the same size, with other anchors; one resizes, the other adds an object
"$lvl" resize base.wwd --size 80x20 -o top.wwd
"$lvl" resize base.wwd --size 80x20 --anchor bottom-right -o bottom.wwd
expect 1 "$lvl" merge base.wwd top.wwd bottom.wwd -o resized.wwd
has "$said/err" "ours moved the content by 0,0 cells, theirs by 20,6" "two anchors"
expect 1 "$lvl" merge base.wwd top.wwd bottom.wwd -o resized.wwd -y --theirs
same resized.wwd bottom.wwd "two anchors, theirs preferred"
expect 0 "$lvl" merge base.wwd bottom.wwd bottom.wwd -o resized.wwd -y
"$lvl" set base.wwd 'planes["Action"].objects[+]={"id":9999,"logic":"Rat","x":100,"y":100}' -o added.wwd
# an object that one side added moves as far as the other side moved its own: 20 by 6 cells of 64 px, ranges too
"$lvl" set added.wwd 'planes["Action"].objects[id=9999].min_x=60' 'planes["Action"].objects[id=9999].max_x=160' -i
"$lvl" resize added.wwd --size 80x20 --anchor bottom-right -o far-both.wwd
expect 0 "$lvl" merge base.wwd bottom.wwd added.wwd -o resized.wwd -y
expect 0 "$lvl" diff resized.wwd far-both.wwd
[ "$("$lvl" get resized.wwd 'planes["Action"].objects[id=9999].x' 'planes["Action"].objects[id=9999].y' | tr '\n' ' ')" = "1380 484 " ] ||
    fail "an object of THEIRS was not moved"
# one resizes; the other changes one of two like objects, of which the first then lies where the second was
"$lvl" set base.wwd 'planes[4].objects[+]={"id":901,"logic":"Lift","image_set":"LIFT","x":640,"y":640,"speed_x":5}' \
    'planes[4].objects[+]={"id":902,"logic":"Lift","image_set":"LIFT","x":640,"y":256,"speed_x":5}' -o lifts.wwd
"$lvl" resize lifts.wwd --size 60x20 --anchor bottom -o deep-lifts.wwd
"$lvl" set lifts.wwd 'planes[4].objects[id=901].logic=OtherLift' -o other-lifts.wwd
"$lvl" resize other-lifts.wwd --size 60x20 --anchor bottom -o both-lifts.wwd
for sides in 'deep-lifts.wwd other-lifts.wwd' 'other-lifts.wwd deep-lifts.wwd'; do
    # shellcheck disable=SC2086 # two names
    expect 0 "$lvl" merge lifts.wwd $sides -o resized-lifts.wwd -y
    expect 0 "$lvl" diff resized-lifts.wwd both-lifts.wwd
done
# one resizes; the other moves an object, gives one a range, and removes one: as if it had done so afterwards
"$lvl" set base.wwd 'planes[4].objects[3].x=300' 'planes[4].objects[25].min_x=1300' 'planes[4].objects[25].max_x=1500' -o ranged.wwd
"$lvl" set ranged.wwd --unset 'planes[4].objects[66]' -i
"$lvl" resize base.wwd --size 66x20 --anchor bottom-right -o far.wwd
"$lvl" resize ranged.wwd --size 66x20 --anchor bottom-right -o far-ranged.wwd
# one crops a plane whose cells look the same at both of its ends: its objects say where the content went
"$lvl" resize "$samples/small/small.wwd" --size 1x7 --anchor right -o narrow.wwd
"$lvl" set "$samples/small/small.wwd" 'planes[0].tiles[2,0]=7' 'planes[0].objects[+]={"id":9,"logic":"Rat","x":150,"y":80}' -o rat.wwd
"$lvl" resize rat.wwd --size 1x7 --anchor right -o narrow-rat.wwd
for sides in 'base.wwd far ranged far-ranged' 'base.wwd ranged far far-ranged' "$samples/small/small.wwd narrow rat narrow-rat" \
    "$samples/small/small.wwd rat narrow narrow-rat"; do
    # shellcheck disable=SC2086 # four names
    set -- $sides
    expect 0 "$lvl" merge "$1" "$2.wwd" "$3.wwd" -o resized.wwd -y
    expect 0 "$lvl" diff resized.wwd "$4.wwd"
done
# one converts a drawing, the other paints where it had no pixels
for to in v1 v2 v3 v3.1; do
    "$lvl" convert "$samples/sketchy/hill-v4.level" --to $to -o form.level -y
    "$lvl" set "$samples/sketchy/hill-v4.level" 'layers[0].chunks[700,700]=1' -o painted.level -y
    "$lvl" convert painted.level --to $to -o both.level -y
    for sides in 'form.level painted.level' 'painted.level form.level'; do
        # shellcheck disable=SC2086 # two names
        expect 0 "$lvl" merge "$samples/sketchy/hill-v4.level" $sides -o merged.level -y
        expect 0 "$lvl" diff merged.level both.level
    done
    "$lvl" convert "$samples/sketchy/lantern.doodad" --to $to -o form.doodad -y
    expect 0 "$lvl" copy "$samples/sketchy/hill-v4.level" 'layers[0]' form.doodad -o copied.doodad -y
done
expect 0 "$lvl" merge base.wwd added.wwd bottom.wwd -o resized.wwd -y
expect 0 "$lvl" diff resized.wwd far-both.wwd
expect 0 "$lvl" merge base.wwd top.wwd added.wwd -o resized.wwd -y
# a baddy of a type without a name is one: no side has content that lvl does not know
baddies=$samples/graal/styles/blank_before.nw
"$lvl" set "$baddies" 'baddies[0].type=64' -o typed.nw
"$lvl" set "$baddies" 'baddies[0].x=45' -o put.nw
expect 1 "$lvl" diff "$baddies" typed.nw
! grep -q 'does not know' "$said/out" || fail "a type without a name is unread: $(cat "$said/out")"
expect 0 "$lvl" merge "$baddies" put.nw typed.nw -o put-typed.nw
[ "$("$lvl" get put-typed.nw 'baddies[0].type' 'baddies[0].x' | tr '\n' ' ')" = "64 45 " ] || fail "a type without a name"
sed 's/^BADDY 44 50 0/BADDY 44 50 wombat/' "$baddies" >wombat.nw
expect 1 "$lvl" merge "$baddies" put.nw wombat.nw -o put-typed.nw -y
err_has 'theirs added content that lvl does not know, and that is not in the result: BADDY 44 50 wombat' "a type that is no number"
# one that changed where the other side removed it: a conflict, but it lies where it should
"$lvl" set base.wwd 'planes["Action"].objects[3].health=77' -o changed3.wwd
"$lvl" set bottom.wwd --unset 'planes["Action"].objects[3]' -o removed3.wwd
"$lvl" set bottom.wwd 'planes["Action"].objects[3].health=77' -o want3.wwd
expect 1 "$lvl" merge base.wwd changed3.wwd removed3.wwd -o kept3.wwd
expect 0 "$lvl" diff kept3.wwd want3.wwd
expect 1 "$lvl" merge base.wwd removed3.wwd changed3.wwd --theirs -o kept3.wwd -y
expect 0 "$lvl" diff kept3.wwd want3.wwd
# who moves the cells and leaves the objects where they are: nobody knows where the new one belongs
"$lvl" set bottom.wwd 'planes["Action"].objects[*].x-=1280' 'planes["Action"].objects[*].y-=384' -o cells.wwd
expect 1 "$lvl" merge base.wwd cells.wwd added.wwd -o resized.wwd -y
has "$said/err" "theirs added it, and ours moved the cells, but not the objects" "an object that was not moved"
has "$said/err" 'planes[4].objects[85]' "the path of the object"
[ "$("$lvl" get resized.wwd 'planes["Action"].objects[id=9999].x')" = 100 ] || fail "an object was moved, though the others stayed"

# a drawing whose chunks one side made smaller, and both drew in: it merges by pixels, and gets that size
hill=$samples/sketchy/hill-v4.level
"$lvl" convert "$hill" --chunk-size 32 -o small.level
"$lvl" set small.level 'layers[0].chunks["0,0"].pixels[1,1 5,5]=1' -i
"$lvl" set "$hill" 'layers[0].chunks["0,0"].pixels[20,1 24,5]=2' title=Theirs -o drawn.level
expect 0 "$lvl" merge "$hill" small.level drawn.level -o a.level
expect 0 "$lvl" merge "$hill" drawn.level small.level -o b.level
expect 0 "$lvl" get a.level 'layers[0].size' 'layers[0].chunks["0,0"].pixels[3,3]' \
    'layers[0].chunks["0,0"].pixels[22,3]' title
printf '32\n1\n2\nTheirs\n' >wanted
same "$said/out" wanted "pixels of both sides in chunks of the new size"
expect 0 "$lvl" diff a.level b.level
"$lvl" set "$hill" 'layers[0].chunks["0,0"].pixels[1,1 5,5]=3' -o clash.level
expect 1 "$lvl" merge "$hill" small.level clash.level -o c.level
has "$said/err" "both sides changed" "a pixel that both changed"
"$lvl" convert clash.level --chunk-size 96 -o larger.level
expect 1 "$lvl" merge "$hill" small.level larger.level -o c.level -y
has "$said/err" "chunks: base 64 px, ours 32, theirs 96" "three sizes"
expect 0 "$lvl" get c.level 'layers[0].size'
has "$said/out" 32 "the size of OURS"
expect 1 "$lvl" merge "$hill" small.level larger.level -o c.level -y --theirs
expect 0 "$lvl" get c.level 'layers[0].size'
has "$said/out" 96 "the size of THEIRS"

# levels in a pack, each changed on one side
cp "$samples/sketchy/walk.levelpack" base.levelpack
"$lvl" extract --list base.levelpack | sed -nE 's|.*(levels/[^ ]*\.level).*|\1|p' >levels
first=$(sed -n 1p levels) second=$(sed -n 2p levels)
cp base.levelpack ours.levelpack
cp base.levelpack theirs.levelpack
"$lvl" set "ours.levelpack//$first" author=me -i
"$lvl" set "theirs.levelpack//$second" author=you -i
expect 0 "$lvl" merge base.levelpack ours.levelpack theirs.levelpack -o merged.levelpack
expect 0 "$lvl" get "merged.levelpack//$first" author
has "$said/out" me "the first level"
expect 0 "$lvl" get "merged.levelpack//$second" author
has "$said/out" you "the second level"

# ---- git
if ! command -v git >/dev/null; then
    echo "$tried commands, $failed failures; no git: the rest is skipped"
    [ $failed = 0 ] || exit 1
    exit 0
fi
expect 3 "$lvl" git install
has "$said/err" "no git repository here" "outside of a repository"
expect 2 "$lvl" git
mkdir repo && cd repo || exit 3
git init -q -b main . && git config user.name t && git config user.email t@example.org
git config --list --local >"$t/config.before"
printf '*.png binary\n' >.gitattributes
cp .gitattributes "$t/attributes.before"
expect 0 "$lvl" git install
has .gitattributes "*.[wW][wW][dD] -text diff=lvl merge=lvl" "the attributes"
has .gitattributes "*.png binary" "lines of others"
cp .gitattributes "$t/once"
expect 0 "$lvl" git install
same .gitattributes "$t/once" "install twice"

cp ../base.wwd level.wwd
git add -A && git commit -qm base
git checkout -qb side
cp ../theirs.wwd level.wwd
git commit -qam theirs
git checkout -q main
cp ../ours.wwd level.wwd
cp ../other.wwd fresh.wwd
git add -N fresh.wwd
git diff >"$t/diff"
has "$t/diff" "new file: fresh.wwd" "git diff of a new file"
has "$t/diff" "--- a/level.wwd" "git diff, the names"
git rm -q --cached fresh.wwd && rm fresh.wwd
has "$t/diff" 'author: "The lvl samples" -> "me"' "git diff"
git commit -qam ours
git log -p -1 >"$t/log"
has "$t/log" '"author": "me"' "git log -p"
expect 0 git merge -q --no-edit side
same level.wwd ../both.wwd "git merge"

git checkout -qb clash main~2
"$lvl" set level.wwd author=somebody -i -q
git commit -qam clash
git checkout -q main
expect 1 git merge --no-edit clash
expect 0 "$lvl" check --no-art level.wwd
expect 0 "$lvl" get level.wwd author
has "$said/out" me "the conflict keeps ours"
git status --short >"$t/status"
has "$t/status" "UU level.wwd" "git knows of the conflict"
git reset -q --hard

# a text file that is cut off anywhere is no deletion of what follows, also where the reader finds no error: in a line, after
# the board's first rows, before an animation's frames
cd "$t" || exit 3
for case in graal/lakeside/lake_mill.nw:signs[0].x=9 graal/lakeside/lake_woods.nw:links[0].dest_x=7 graal/ganis/hero_walk.gani:loop=1 \
    graal/lakeside/lakeside.gmap:no_auto_mapping=0; do
    whole=$samples/${case%%:*} end=${case%%:*}
    end=${end##*.} size=$(wc -c <"$samples/${case%%:*}")
    expect 0 "$lvl" set "$whole" "${case#*:}" -y -o mine.$end
    at=$((size / 3))
    while [ $at -lt $((size - 2)) ]; do
        head -c $at "$whole" >cut.$end
        "$lvl" merge "$whole" mine.$end cut.$end -q -y -o merged.$end 2>err && code=0 || code=$?
        tried=$((tried + 1))
        if [ $code = 0 ] && ! "$lvl" diff -q mine.$end merged.$end >/dev/null; then
            # at the end of a line behind the board, nobody can see that lines are missing
            [ "$(tail -c 1 cut.$end | wc -l)" = 1 ] || fail "${case%%:*}: cut to $at bytes, merged with exit 0: $(tail -c 30 cut.$end)"
        fi
        at=$((at + size / 25 + 1))
    done
    case $end in
    gani) sed '/^ANI/,$d' "$whole" >cut.$end ;;
    nw) sed '/^BOARD 0 5/,$d' "$whole" >cut.$end ;;
    gmap) sed '/^LEVELNAMES/,$d' "$whole" >cut.$end ;;
    esac
    expect 1 "$lvl" merge "$whole" mine.$end cut.$end -y -o merged.$end
    has "$said/err" "theirs is damaged" "${case%%:*}, cut behind a line"
    same merged.$end mine.$end "${case%%:*}, cut behind a line: the sound side"
done
cd - >/dev/null || exit 3

# the page of the conflicts: their texts, pictures, a choice for each, and the command that merges so
cd "$t" || exit 3
rm -f merged.wwd
expect 0 "$lvl" set base.wwd 'author=<b>"me"' 'planes["Action"].objects[2].x+=60' -o page-ours.wwd
expect 0 "$lvl" set base.wwd author=you 'planes["Action"].objects[2].x-=60' 'planes["Action"].objects[3].y+=1' -o "page theirs.wwd"
expect 1 "$lvl" merge base.wwd page-ours.wwd "page theirs.wwd" --html page.html
has "$said/err" "open page.html in a browser to choose" "the page"
has page.html 'ours \"\u003cb>' "a text is no markup"
has page.html 'base 2722, ours 2782, theirs 2662' "the three values"
has page.html '"seen":[{},{"places":[{' "pictures"
# the document has what --json prints; the result is beside OURS, and replaces no other
expect 1 "$lvl" merge base.wwd page-ours.wwd "page theirs.wwd" --json -n -o merged.wwd
has page.html "\"merge\":$(head -n 1 "$said/out" | sed 's/</\\u003c/g')" "what --json prints"
command=$(page_command page.html 11)
is_it="lvl merge --choices=11:$(expr "$command" : '.*=11:\([0-9a-f]*\) ') '--output=page-ours-merged.wwd' -- 'base.wwd' 'page-ours.wwd' 'page theirs.wwd'"
[ "$command" = "$is_it" ] || fail "the command of the page: $command"
[ ! -e page-ours-merged.wwd ] || fail "the page alone writes no merged file"
command=$(page_command page.html 23)
expect 0 sh -c "$command"
expect 0 "$lvl" get page-ours-merged.wwd author 'planes["Action"].objects[2].x'
cp "$said/out" "$t/got"
expect 3 sh -c "$command"
has "$said/err" 'page-ours-merged.wwd already exists' "a second result"
cp "$t/got" "$said/out"
printf 'you\n2722\n' >"$t/expected"
same "$said/out" "$t/expected" "what was chosen"
expect 1 "$lvl" merge --choices=2 base.wwd page-ours.wwd "page theirs.wwd" -y -o merged.wwd
has "$said/err" 'not merged: no choice for conflict 2 of 2: planes[4].objects[2].x' "too few choices"
expect 1 "$lvl" merge --choices=2 base.wwd page-ours.wwd "page theirs.wwd" -y --html page.html
has page.html '"chosen":[2]' "a page that begins with choices"
expect 1 "$lvl" merge --choices=212 base.wwd page-ours.wwd "page theirs.wwd" -y -o merged.wwd
has "$said/err" 'not merged: got 3 choices, but there are 2 conflicts' "too many choices"
expect 1 "$lvl" merge --choices=21:01234567 base.wwd page-ours.wwd "page theirs.wwd" -y -o merged.wwd
has "$said/err" 'the choices are for other versions of the three files' "choices for other files"
[ ! -e merged.wwd ] || fail "a refused merge writes nothing"
for bad in 4 2x "" 21: 21:0; do
    expect 2 "$lvl" merge "--choices=$bad" base.wwd page-ours.wwd "page theirs.wwd" -y -o merged.wwd
done
cd - >/dev/null || exit 3

printf '#!/bin/sh\ncp "$1" "%s/shown.png"\n' "$t" >"$t/bin/viewer"
chmod +x "$t/bin/viewer"
LVL_VIEWER=viewer
export LVL_VIEWER
expect 0 git difftool -y -t lvl side~1 side
tried=$((tried + 1))
[ -s "$t/shown.png" ] || { fail "git difftool shows no picture"; cat "$said/out" "$said/err"; }

expect 0 "$lvl" git uninstall
same .gitattributes "$t/attributes.before" "uninstall"
git config --list --local >"$t/config.after"
same "$t/config.after" "$t/config.before" "the configuration after uninstall"
expect 0 "$lvl" git uninstall

expect 0 "$lvl" git install --global
has "$XDG_CONFIG_HOME/git/attributes" "*.[lL][eE][vV][eE][lL] -text diff=lvl merge=lvl" "the user's attributes"
git config --global --get merge.lvl.driver >"$t/driver"
has "$t/driver" "lvl merge" "the user's configuration"
expect 0 "$lvl" git uninstall --global
tried=$((tried + 1))
[ ! -s "$XDG_CONFIG_HOME/git/attributes" ] || fail "lines are left in the user's attributes"

# A map whose header is damaged is a .gmap all the same, and no bigmap with a level called LEVELNAMES.
map=$samples/graal/lakeside/lakeside.gmap
sed 's/GRMAP001/GRMXP001/' "$map" >ours.gmap
sed 's/lake_woods/lake_wood/' "$map" >theirs.gmap
expect 0 "$lvl" merge "$map" ours.gmap theirs.gmap --as gmap -o merged.gmap
{ echo GRMAP001; sed 's/lake_woods/lake_wood/' ours.gmap; } | cmp -s - merged.gmap || fail "a merge of a map with a damaged header: $(cat merged.gmap)"
finish
