#!/bin/sh
# Work with drawings and packs on the command line, from beginning to end: messages for wrong names, diffs and dumps for git, members in
# place.
. "$(dirname "$0")/support/shell.sh"
s=$samples/sketchy
has() { # FILE TEXT
    grep -qF -- "$2" "$1" || { fail "no \`$2' in $1"; head -n 5 "$1" | sed 's/^/    /'; }
}

# wrong names are met with right ones
expect 1 "$lvl" info "$s/walk.levelpack//hill.level"
has err "did you mean levels/hill.level?"
expect 1 "$lvl" info "$s/walk.levelpack//levels/hil.level"
has err "did you mean levels/hill.level?"
expect 1 "$lvl" info "$s/walk.levelpack//nothing/of/that/kind"
grep -q "did you mean" err && fail "a guess at a name that is like none"
expect 2 "$lvl" get "$s/hill-v4.level" titel
has err "did you mean title?"
expect 2 "$lvl" get "$s/hill-v4.level" rules.difficulty
has err "it has kind, generation,"
expect 1 "$lvl" get "$s/hill-v4.level" 'swatches["gras"].solid'
has err 'did you mean "grass"?'
expect 1 "$lvl" get "$s/hill-v4.level" 'actors[0].options["Lit"].value'
grep -q "did you mean" err && fail "a guess where the list is empty"
expect 2 "$lvl" info --as sketch "$s/hill-v4.level"
has err "did you mean sketchy?"
expect 0 "$lvl" info --as level "$s/hill-v4.level"

# The game reads a zipped doodad into its default palette: a flag that is absent is set in the first, third and fourth swatch.
flags() { # FILE EXPECTED: solid, fire and water of each swatch, as the game has them
    n=0 got=
    while [ $n -lt "$("$lvl" get "$1" swatches | grep -o '"name"' | wc -l)" ]; do
        for flag in solid fire water; do got=$got$("$lvl" get "$1" "swatches[$n].$flag"); done
        got="$got " n=$((n + 1))
    done
    [ "$got" = "$2 " ] || fail "$1: the palette's flags are $got, expected $2"
}
palette() { # FILE: the text of a zipped doodad's palette
    "$lvl" convert "$1" --to v3.1 -o palette.doodad && python3 -c 'import zipfile; print(zipfile.ZipFile("palette.doodad").read("doodad.json").decode())' |
        grep -o '"swatches":[^]]*'
}
expect 0 "$lvl" set "$s/lantern.doodad" 'swatches[0].solid=0' 'swatches[2].fire=0' 'swatches[3].water=0' -o flagless.doodad
flags flagless.doodad "000 000 000 000"
palette flagless.doodad >out
for flag in solid fire water; do has out "\"$flag\":false"; done
expect 0 "$lvl" convert flagless.doodad --to v1 -o flagless-v1.doodad
flags flagless-v1.doodad "000 000 000 000"
expect 0 "$lvl" convert flagless-v1.doodad --to v3.1 -o flagless-v3.doodad
flags flagless-v3.doodad "000 000 000 000"
expect 0 "$lvl" set flagless.doodad 'swatches[+1]={"name":"x","color":"#112233"}' -y -o moved-flags.doodad
flags moved-flags.doodad "000 000 000 000 000"
expect 0 "$lvl" set flagless.doodad --unset 'swatches[1]' -y -o moved-flags.doodad
flags moved-flags.doodad "000 000 000"
expect 0 "$lvl" set "$s/lantern.doodad" 'swatches[3]@=0' -y -o moved-flags.doodad
flags moved-flags.doodad "000 100 000 010"
expect 0 "$lvl" render flagless.doodad -o flagless.png
expect 0 "$lvl" convert flagless.png -o flagless-colors.doodad
case $("$lvl" get flagless-colors.doodad swatches) in *solid*|*fire*|*water*) fail "a picture's colours behave: $("$lvl" get flagless-colors.doodad swatches)" ;; esac

# a level is no doodad, and the other way round; a picture of it becomes one
cp "$s/hill-v4.level" sort.level
for to in "-i" "-o sort.out" "-o -"; do
    expect 1 "$lvl" convert sort.level --to doodad $to
    err_has 'sort.level: cannot convert a level to a doodad; make a picture of it with -o FILE.png, and convert that'
done
cmp -s sort.level "$s/hill-v4.level" && [ ! -e sort.out ] || fail "a level was written as a doodad"
expect 1 "$lvl" convert "$s/lantern.doodad" --to level -o sort.out
err_has 'cannot convert a doodad to a level'
mkdir kinds && cp "$s/hill-v4.level" "$s/lantern.doodad" kinds
expect 0 "$lvl" convert kinds --to doodad -o kinds.out
[ "$(ls kinds.out)" = lantern.doodad ] || fail "a level got the name of a doodad: $(ls kinds.out)"

# whose judgement
expect 0 "$lvl" check "$s/hill-v4.level" "$s/hill-v3.level" "$s/hill-v1.level"
expect 0 "$lvl" check --profile game "$s/hill-v4.level"
expect 1 "$lvl" check --profile sketchy-0.14.0 "$s/hill-v4.level"
has out "0.14.0 shows it as blank"
expect 0 "$lvl" check --profile sketchy-0.14.0 "$s/hill-v3.level" "$s/hill-v1.level" "$s/hill-v3.1.level"
expect 0 "$lvl" check --profile sketchy-head "$s/hill-v4.level" "$s/hill-v3.1.level"
expect 1 "$lvl" check --profile sketchy-head "$s/hill-v3.level"
expect 1 "$lvl" check --profile sketchy-head "$s/hill-v1.level"
has out "hangs when it saves this"
expect 2 "$lvl" check --profile head "$s/hill-v4.level"
has err "one of: strict game salvage sketchy-0.14.0 sketchy-head"
expect 0 "$lvl" help --completions bash
has out "strict game salvage sketchy-0.14.0 sketchy-head"
expect 0 "$lvl" formats
has out "--profile sketchy-head"
expect 0 "$lvl" help reading
has out "sketchy-0.14.0"
expect 0 "$lvl" info "$s/hill-v4.level"
has out "blank in 0.14.0"
grep -q "^  pixels" out && fail "counts that nobody asked for"
expect 0 "$lvl" info --count "$s/hill-v4.level" "$s/walk.levelpack"
[ "$(grep -c "^  pixels" out)" = 2 ] || fail "no counts"
expect 2 "$lvl" check --count "$s/hill-v4.level"
expect 2 "$lvl" set "$s/hill-v4.level" --delete 'actors[0]' -o x.level
has err "did you mean --unset?"
cp "$s/hill-v4.level" ./-x.level
expect 2 "$lvl" info -x.level
has err "./-x.level"
expect 0 "$lvl" info -- -x.level

# what says yes or no is said as people say it
expect 0 "$lvl" set "$s/hill-v4.level" 'swatches["grass"].solid=yes' 'swatches["earth"].solid=false' -o x.level
expect 0 "$lvl" get x.level 'swatches[solid=true].name'
[ "$(tr '\n' ' ' <out)" = "grass ice " ] || fail "solid swatches: $(cat out)"
expect 2 "$lvl" set "$s/hill-v4.level" 'swatches["grass"].solid=maybe' -o y.level
has err "expected yes or no"
"$lvl" dump --no-kept x.level | sed 's/"solid":1/"solid":true/' >true.json
expect 0 "$lvl" undump true.json -o true.level
expect 0 "$lvl" diff x.level true.level

# generations are compared by what they say: one line tells them apart
for g in v1 v2 v3 v3.1; do
    expect 1 "$lvl" diff "$s/hill-$g.level" "$s/hill-v4.level"
    [ "$(wc -l <out)" = 3 ] || fail "$g and v4 differ in $(wc -l <out) lines"
    has out "generation: $g "
    expect 0 "$lvl" convert "$s/hill-$g.level" --to v4 -o "$g.level"
    expect 0 "$lvl" diff "$g.level" "$s/hill-v4.level"
done

# for git: one pixel is one line, and the order of members is none of the text's business
expect 0 "$lvl" set "$s/hill-v3.1.level" 'layers[0].chunks["0,0"].pixels[3,4]=2' -o pixel.level
"$lvl" dump --no-kept "$s/hill-v3.1.level" -o before.json
"$lvl" dump --no-kept pixel.level -o after.json
[ "$(diff before.json after.json | grep -c '^[<>]')" = 2 ] || fail "a pixel isn't one line of a dump"
"$lvl" dump --no-kept "$s/hill-v2.level" -o v2.json
"$lvl" dump --no-kept "$s/hill-v4.level" -o v4.json
diff v2.json v4.json | grep '^[<>]' | grep -vq '"generation"\|"encoding"' && fail "v2 and v4 differ in more than their form"
expect 0 "$lvl" undump v4.json -o again.level
expect 0 "$lvl" diff again.level "$s/hill-v4.level"

# a script is a list of lines there, and comes back from one
"$lvl" dump "$s/lantern.doodad" -o lantern.json
has lantern.json '    "function main() {",'
"$lvl" undump lantern.json -o same.doodad && cmp same.doodad "$s/lantern.doodad" || fail "a doodad doesn't come back from its lines"
sed 's/ ? 1 : 0));/ ? 0 : 1));/' lantern.json >edited.json
expect 0 "$lvl" undump edited.json -o edited.doodad
expect 1 "$lvl" diff "$s/lantern.doodad" edited.doodad
has out "script: -1 +1 lines"
sed 's/^    "function main() {",/    7,/' lantern.json >broken.json
expect 1 "$lvl" undump broken.json -o broken.doodad
has err "expected a line of a text, found"

# members are changed where they are, and never pass for their pack
cp "$s/walk.levelpack" p.levelpack
expect 0 "$lvl" set p.levelpack//levels/hill.level title=Inside -i
expect 0 "$lvl" get p.levelpack//levels/hill.level title
has out Inside
expect 1 "$lvl" diff "$s/walk.levelpack" p.levelpack
expect 0 "$lvl" set p.levelpack//levels/hill.level title=Out -o q.level
cp p.levelpack was.levelpack
expect 0 "$lvl" set p.levelpack//levels/hill.level title=Out -o q.levelpack
cmp -s p.levelpack was.levelpack || fail "a pack was changed by making another"
expect 0 "$lvl" set --json p.levelpack//levels/hill.level title=Out -o told.levelpack
has out '{"file":"p.levelpack//levels/hill.level","output":"told.levelpack//levels/hill.level"}'
expect 0 "$lvl" get q.levelpack//levels/hill.level title
has out Out
expect 3 "$lvl" set --json p.levelpack//levels/hill.level title=Out -o q.levelpack
! grep '"output"' out || fail "lists what was not written"
expect 0 "$lvl" set --json p.levelpack//levels/hill.level title=Again -i
has out '{"file":"p.levelpack//levels/hill.level","output":"p.levelpack//levels/hill.level"}'
expect 0 "$lvl" set p.levelpack//levels/hill.level title=Inside -i
expect 0 "$lvl" set p.levelpack//levels/hill.level title=New -n -y -o q.levelpack
has out '-> "New"'
expect 3 "$lvl" set p.levelpack//levels/hill.level title=New -n -o q.levelpack # as without -n
expect 0 "$lvl" set p.levelpack//levels/hill.level title=Out -o q.levelpack -y
expect 2 "$lvl" set p.levelpack//levels/hill.level titel=Out -o none.levelpack
[ ! -e none.levelpack ] || fail "a copy without the change that was asked for"
# -o with the ending of an archive around a member is a copy of that archive, with the member's own ending the member alone
box=assets/doodads/lantern.doodad
kind_of() { # FILE: the kind of drawing that the bytes are, whatever the name says
    cp "$1" kind-of.bin && "$lvl" get kind-of.bin kind
}
cp "$s/hill-v4.level" l.level
expect 0 "$lvl" set l.level//$box title=Crate -o copy.level
[ "$(kind_of copy.level)" = level ] || fail "a bare doodad under a level's name: $(kind_of copy.level)"
expect 0 "$lvl" get copy.level//$box title
has out Crate
expect 1 "$lvl" diff l.level copy.level
[ "$(grep -c '^[a-z]' out)" = 1 ] || fail "more than the doodad differs: $(cat out)"
expect 0 "$lvl" set --json l.level//$box title=Box -o copy.level -y
has out '"output":"copy.level//assets/doodads/lantern.doodad"'
expect 0 "$lvl" set l.level//$box title=Box -o alone.doodad
[ "$(kind_of alone.doodad)" = doodad ] || fail "no doodad: $(kind_of alone.doodad)"
for how in "set title=x" "repair" "convert --to v2" "convert --chunk-size 8"; do
    rm -f copy.level COPY.LEVEL
    # shellcheck disable=SC2086
    expect 0 "$lvl" ${how%% *} l.level//$box ${how#"${how%% *}"} -o COPY.LEVEL
    [ "$(kind_of COPY.LEVEL)" = level ] || fail "$how: a bare doodad under a level's name"
done
mkdir member-parts && echo 'function main() {}' >member-parts/script.js
expect 0 "$lvl" pack member-parts l.level//$box -o packed.level
[ "$(kind_of packed.level)" = level ] || fail "pack: a bare doodad under a level's name"
expect 0 "$lvl" get packed.level//$box script
has out 'function main() {}'
cp "$s/walk.levelpack" n.levelpack
expect 0 "$lvl" set n.levelpack//levels/hill.level//$box title=Crate -o n2.levelpack
expect 0 "$lvl" get n2.levelpack//levels/hill.level//$box title
has out Crate
expect 0 "$lvl" set n.levelpack//levels/hill.level//$box title=Crate -o n2.level
expect 0 "$lvl" get n2.level//$box title
has out Crate
[ "$(kind_of n2.level)" = level ] || fail "a bare doodad under a level's name"
expect 0 "$lvl" set n.levelpack//levels/hill.level//$box title=Crate -o n2.doodad
[ "$(kind_of n2.doodad)" = doodad ] || fail "no doodad"
cmp -s n.levelpack "$s/walk.levelpack" || fail "a pack was changed by making others"
# what is made of a member is never named like its archive, nor put in the input's place
for how in "dump" "render" "convert --to png" "convert --to json"; do
    for to in no.level l.level; do
        # shellcheck disable=SC2086
        expect 2 "$lvl" ${how%% *} l.level//$box ${how#"${how%% *}"} -o $to -y
    done
    # shellcheck disable=SC2086
    expect 2 "$lvl" ${how%% *} n.levelpack//levels/hill.level ${how#"${how%% *}"} -o no.levelpack
done
expect 2 "$lvl" convert l.level//$box -o no.level
has err "--to"
[ ! -e no.level ] && [ ! -e no.levelpack ] || fail "a picture or a dump named like an archive"
cmp -s l.level "$s/hill-v4.level" || fail "the input was replaced by a picture or a dump"
expect 2 "$lvl" dump l.level -o l.level -y
cmp -s l.level "$s/hill-v4.level" || fail "the input was replaced by a dump"
expect 0 "$lvl" dump l.level//$box -o box.json
expect 0 "$lvl" undump box.json -o box.doodad
expect 0 "$lvl" render l.level//$box -o box.png
# one member of an archive goes to a file of its ending; -o is a folder else, and never named like a file
expect 0 "$lvl" extract l.level $box -o took.doodad
cmp -s took.doodad "$s/lantern.doodad" || fail "not the member"
expect 2 "$lvl" extract l.level $box -o took.level
expect 2 "$lvl" extract l.level -o took.level
expect 2 "$lvl" extract l.level $box -o l.level -y
[ ! -e took.level ] || fail "a folder named like a level"
expect 0 "$lvl" extract l.level $box -o took
cmp -s took/$box "$s/lantern.doodad" || fail "not the member"
expect 0 "$lvl" extract "$s/lantern.doodad" -o nothing-there
has err "no files are attached"
expect 0 "$lvl" extract -l "$s/lantern.doodad"
has err "no files are attached"
expect 0 "$lvl" convert p.levelpack//levels --to v3 -o old.levelpack
expect 0 "$lvl" info --json old.levelpack//levels/rings.level
has out '"generation":"v3"'
expect 0 "$lvl" convert old.levelpack// --chunk-size 64 -o small.levelpack
expect 0 "$lvl" repair q.levelpack// -o whole.levelpack
cmp -s q.levelpack whole.levelpack || fail "a pack that needs no repair came out as another"
# what can't be repaired wholly goes into the copy as well, and never into the pack itself
expect 0 "$lvl" set p.levelpack//levels/hill.level 'swatches[0].color=red' -o ill.levelpack
expect 0 "$lvl" convert ill.levelpack//levels/hill.level --to v3 -i
cp ill.levelpack was.levelpack
expect 1 "$lvl" repair --profile sketchy-head ill.levelpack//levels/hill.level -o better.levelpack
cmp -s ill.levelpack was.levelpack || fail "a pack was changed by repairing a part of another"
[ -e better.levelpack ] || fail "what was repaired went nowhere"
expect 1 "$lvl" info --limit input_bytes=100 ill.levelpack
expect 1 "$lvl" info --limit input_bytes=100 ill.levelpack//
expect 4 "$lvl" info "$samples/graal/lakeside/lake_woods.nw//x"
mkdir bare1 bare2
expect 1 "$lvl" dump bare1 bare2
expect 1 "$lvl" convert p.levelpack --to v4 -o r.levelpack
has err 'lvl convert p.levelpack// '
expect 2 "$lvl" convert "$s" --to v4 -o r.level
has err "looks like a file"
expect 0 "$lvl" convert "$s/hill-v4.level" "$s/hill-v3.level" --to v4 -o r.level/
[ -f r.level/hill-v4.level ] || fail "a folder by its slash"

# what a name may hold doesn't break lines or drive terminals; JSON has it as it is. Windows has no such names.
if [ -z "$windows" ]; then
    odd=$(printf 'two\nlines\033[31m.level')
    cp "$s/hill-v1.level" "$odd"
    expect 0 "$lvl" check "$odd"
    [ "$(wc -l <out)" = 1 ] || fail "a name with a line break takes $(wc -l <out) lines"
    has out 'two\x0alines\x1b[31m.level: sound'
    expect 0 "$lvl" info --json "$odd"
    has out '"two\nlines\u001b[31m.level"'
fi

# a person sees which program shows it, a keeper what can't be reached
expect 0 "$lvl" info "$s/hill-v4.level"
has out "Sketchy Maze level, "
has out "blank in 0.14.0"
has out "1 of 1 doodads found"
expect 0 "$lvl" set "$s/walk.levelpack" --unset 'levels[filename=rings.level]' -o short.levelpack
expect 0 "$lvl" info short.levelpack
has out "not in the index"
expect 0 "$lvl" info --json short.levelpack
has out '"unlisted":[{"filename":"rings.level"}]'

# packs are compared level by level, as folders are
expect 1 "$lvl" diff "$s/walk.levelpack//levels" p.levelpack//levels
has out 'title: "The hill by the pond" -> "Inside"'
has err "2 files compared, 1 different"
expect 1 "$lvl" diff "$s/walk.levelpack//" short.levelpack//doodads
has out "only in"
expect 2 "$lvl" diff "$s/walk.levelpack//levels" p.levelpack//levels/hill.level
expect 3 "$lvl" diff "$s/walk.levelpack//levels" nothing
grep -q "only in" out && fail "what isn't there at all is compared"

# bytes of a zip are told apart, and say where to look further
expect 0 "$lvl" explain "$s/hill-v4.level" --depth 1
has out ": the document, from 0x"
has out "directory of the zip"

# drawings to pictures and back; wishes that make no sense are told
expect 0 "$lvl" convert "$s/hill-v4.level" -o plain.png
expect 0 "$lvl" convert plain.png --palette "$s/hill-v4.level" -o drawn.level
expect 0 "$lvl" convert drawn.level -o plain2.png
cmp -s plain.png plain2.png || fail "a drawing to a picture and back"
expect 1 "$lvl" convert "$s/lantern.doodad" --layer 7 -o x.png
has err "no layer"
expect 0 "$lvl" convert "$s/lantern.doodad" --layer lit -o lit.png
expect 1 "$lvl" convert lit.png --palette "$s/hill-v4.level" -o x.doodad
has err "sketchy.loss.color"
expect 0 "$lvl" convert lit.png --palette "$s/hill-v4.level" --more-colors -o more.doodad
expect 0 "$lvl" get more.doodad 'swatches[4].name'
has out ice
expect 2 "$lvl" convert lit.png --more-colors -o x.doodad
expect 2 "$lvl" convert lit.png --colors 257 -o x.doodad
expect 2 "$lvl" convert lit.png --alpha perhaps -o x.doodad
expect 2 "$lvl" convert lit.png --key '#12345' -o x.doodad
expect 0 "$lvl" convert lit.png --key 333333 --alpha '#ffffff' -o keyed.doodad
expect 1 "$lvl" get keyed.doodad 'swatches[color="#333333"].name'
echo '{"#333333": {"name": "iron", "solid": true}}' >palette.json
expect 0 "$lvl" convert lit.png --palette palette.json --more-colors -o iron.doodad
expect 0 "$lvl" get iron.doodad 'swatches[solid=yes].name'
has out iron
echo '{"mauve": {}}' >palette.json
expect 1 "$lvl" convert lit.png --palette palette.json -o x.doodad
# pictures as layers of a doodad, called as they are
expect 0 "$lvl" convert "$s/lantern.doodad" --layer dark -o dark.png
expect 0 "$lvl" convert dark.png --and lit.png --palette "$s/lantern.doodad" -o both.doodad
expect 0 "$lvl" get both.doodad 'layers[*].name'
has out dark
has out lit
for layer in dark lit; do
    expect 0 "$lvl" convert both.doodad --layer $layer -o again-$layer.png
    cmp -s $layer.png again-$layer.png || fail "layer $layer comes back otherwise"
done
expect 1 "$lvl" convert dark.png --and plain.png -o x.doodad
has err "layers are of one size"
expect 1 "$lvl" convert dark.png --and lit.png -o layered.level
has err "a level has one layer"
expect 1 "$lvl" convert dark.png --chunk-size 300 -o x.doodad
has err "expected 1 to 255"
printf '{"#333333":"edge","#667788":{"name":"frame","solid":"yes"},"#ffcc55":"flame"}' >named.json
expect 0 "$lvl" convert dark.png --palette named.json --allow-loss -o named.doodad
expect 0 "$lvl" get named.doodad 'swatches["edge"].color' 'swatches["frame"].solid'
has out '#333333'
echo '{' >broken.json
expect 1 "$lvl" convert dark.png --palette broken.json -o x.doodad
has err "expected a palette"
expect 3 "$lvl" convert dark.png --palette . -o x.doodad
if [ -n "$windows" ]; then has err "--palette .: can't open"; else has err "Is a directory"; fi
mkdir -p mixed && cp "$s/hill-v1.level" plain.png mixed
expect 0 "$lvl" convert mixed --to v3 -o forms
[ -f forms/hill-v1.level ] && [ ! -e forms/plain.level ] || fail "a picture among levels became one"
expect 0 "$lvl" convert mixed --to level -o drawings
[ -f drawings/plain.level ] || fail "a folder's pictures didn't become levels"
mkdir -p beside && cp "$s/hill-v4.level" beside
expect 0 "$lvl" diff "$s/hill-v4.level" beside
expect 0 "$lvl" diff beside "$s/hill-v4.level"
expect 1 "$lvl" pack beside -o y.level
has err "cannot make Sketchy Maze drawing (level or doodad) from a folder"
expect 2 "$lvl" get "$s/hill-v4.level" "$s/hill-v3.level" title
has err "is a file, but a path was expected"
expect 2 "$lvl" get title "$s/hill-v4.level"
has err "the file comes first"
expect 2 "$lvl" render "$s/hill-v4.level" nowhere.png
has err "to write it, use -o nowhere.png"
expect 0 "$lvl" set "$s/hill-v4.level" 'swatches["ice"].color=red' -o crashes.level
has err "new error: sketchy.swatch.color"
expect 0 "$lvl" set crashes.level 'title=Still so' -i
[ ! -s err ] || fail "an error that was there is told as new"
expect 2 "$lvl" draw x
has err 'did you mean `lvl render'
expect 2 "$lvl" render "$s/hill-v4.level" -o x.jpg
expect 2 "$lvl" convert "$s/hill-v4.level" --to v31 -o y.level
has err "did you mean v3.1?"
expect 2 "$lvl" set "$s/hill-v4.level" difficulty=insane -o y.level
has err "peaceful, normal, hard"
expect 3 "$lvl" convert dark.png --and nowhere.png -o x.doodad
expect 2 "$lvl" convert dark.png --and lit.png -o x.json

# a PNG keeps what it doesn't show, and what it can't keep is told and refused
for g in v1 v2 v3 v3.1 v4; do
    expect 0 "$lvl" convert "$s/hill-$g.level" -o kept.png -y
    expect 0 "$lvl" convert kept.png -o kept.level -y
    same_sample kept.level "$s/hill-$g.level" || fail "$g: a level and its PNG as a level differ"
done
expect 0 "$lvl" convert kept.png --to v2 -o kept-v2.level
expect 0 "$lvl" get kept-v2.level generation title
has out v2
has out 'The hill by the pond'
expect 0 "$lvl" convert "$s/lantern.doodad" --layer lit -o kept.png -y
expect 0 "$lvl" convert kept.png -o kept.doodad
same_sample kept.doodad "$s/lantern.doodad" || fail "a doodad and its PNG as a doodad differ"
expect 1 "$lvl" convert -v "$s/hill-v4.level" --no-kept -o bare.png
has err 'sketchy.loss.rest: 2 actors'
has err 'sketchy.loss.rest: the title'
[ ! -e bare.png ] || fail "a level lost all but its pixels without --allow-loss"
expect 0 "$lvl" convert "$s/hill-v4.level" --no-kept --allow-loss -o bare.png
expect 0 "$lvl" convert bare.png -o bare.level
expect 0 "$lvl" get bare.level title
has out ''
[ "$(cat out)" = "" ] || fail "a title out of nowhere"
expect 1 "$lvl" convert -v "$s/hill-v4.level" -o bare.pid
has err 'sketchy.loss.rest: 2 actors'
expect 1 "$lvl" convert kept.png -o wrong.level
has err 'a doodad (--no-kept'
expect 0 "$lvl" convert kept.png --no-kept -o wrong.level
# pictures of other kinds
printf 'GIF89a\004\000\004\000\201\000\000\310\012\012\012\310\012\012\012\310\360\360\144,\000\000\000\000\004\000\004\000\000\002\012\004\230\020\140\102\211\033\045\156\005\000;' >four.gif
expect 0 "$lvl" convert four.gif -o four.level
expect 0 "$lvl" get four.level 'swatches[*].color'
has out '#0a0ac8'
expect 0 "$lvl" convert four.gif -o four.png
expect 0 "$lvl" convert four.png --palette four.level -o four-again.level
expect 0 "$lvl" diff four.level four-again.level
printf '\377\330\377\340' >cut.jpg
expect 1 "$lvl" convert cut.jpg -o cut.level
has err JPEG

# frames by name and number, and a level that finds its doodads in its pack
expect 0 "$lvl" render "$s/lantern.doodad" --frame lit -o f1.png
expect 0 "$lvl" render "$s/lantern.doodad" --frame 1 -o f2.png
same_pixels f1.png f2.png || fail "a frame by name is not that by number"
expect 1 "$lvl" render "$s/lantern.doodad" --frame bright -o c.png
has err "no frame"
cp "$s/walk.levelpack" pack.levelpack
expect 0 "$lvl" set pack.levelpack//levels/hill.level --unset 'files["assets/doodads/lantern.doodad"]' -i
expect 0 "$lvl" render pack.levelpack//levels/hill.level -o a.png
# the camera stands where the game says, wherever the level begins
expect 0 "$lvl" set "$s/hill-v4.level" wallpaper=white.png page_type=unbounded -o open.level
expect 0 "$lvl" set "$s/hill-v4.level" wallpaper=white.png page_type=bounded -o shut.level
expect 0 "$lvl" render open.level --camera 40,20 --view 80x60 --hide objects -o open.png -v
has err "the point 0,0 is at"
expect 0 "$lvl" render shut.level --camera 40,20 --view 80x60 --hide objects -o shut.png -v
! grep -q 'the point 0,0 is at' err || fail 'a level that begins at 0,0 says so'
same_pixels open.png shut.png || fail "a level without bounds is looked at elsewhere"
expect 0 "$lvl" render shut.level --camera 48,20 --view 80x60 --hide objects -o shut.png -y
! same_pixels open.png shut.png || fail "the view of the hill is empty"

# a pack is drawn by what is in it
expect 0 "$lvl" render pack.levelpack -o drawn
[ -f drawn/doodads/lantern.png ] || fail "a doodad of a pack isn't drawn"
cmp -s drawn/levels/hill.png a.png || fail "a pack's level is drawn otherwise with the pack"
expect 2 "$lvl" render pack.levelpack -o drawn.png
expect 0 "$lvl" render "$s/hill-v4.level" -o b.png
same_pixels a.png b.png || fail "a doodad of the pack isn't drawn as the level's own is"
# whatever art is given, a pack's own doodad goes before it, and the level's own before that
mkdir mine
expect 0 "$lvl" set "$s/lantern.doodad" 'swatches[*].color=#ff00ff' -o mine/lantern.doodad
expect 0 "$lvl" render pack.levelpack//levels/hill.level --art mine -o d.png
same_pixels a.png d.png || fail "a doodad of the art is drawn instead of the pack's"
expect 0 "$lvl" render "$s/hill-v4.level" --art mine -o d.png -y
same_pixels b.png d.png || fail "a doodad of the art is drawn instead of the level's"
expect 0 "$lvl" set "$s/hill-v4.level" --unset 'files["assets/doodads/lantern.doodad"]' -o alone.level
expect 0 "$lvl" render alone.level -o c.png
has err "no picture for any of its 2 objects"
expect 0 "$lvl" render alone.level --art mine -o d.png -y
! same_pixels c.png d.png || fail "a doodad of the art isn't drawn"
expect 0 "$lvl" set alone.level 'actors[*].filename=lantern' -i
expect 0 "$lvl" render alone.level --art mine -o e.png
same_pixels d.png e.png || fail "a doodad isn't found without its ending, as the game does"

echo "$tried commands tried, $failed failed"
# chunks far apart: what lies between costs a comparison nothing
expect 0 "$lvl" set "$samples/sketchy/hill-v4.level" 'layers[0].chunks[0].key=16000,16000' page_type=unbounded -o far.level
expect 0 "$lvl" set far.level 'layers[0].chunks[1].pixels[1,1]=1' -o far-changed.level
expect 1 "$lvl" diff far.level far-changed.level --image far.png
[ -s far.png ] || fail "no picture of a change in a level with chunks far apart: $(cat err)"
# a chunk that moves takes its px with it, also where they are stored by their places in the level; what is no px
# would be lost, so then it does not move
for of in v1 v2 v3 v4; do
    hill=$samples/sketchy/hill-$of.level
    expect 0 "$lvl" set "$hill" 'layers[0].chunks[0].key=9,9' page_type=unbounded -o "moved-$of.level"
    "$lvl" get "$hill" 'layers[0].chunks[-64,-64 -1,-1]' >here.px
    "$lvl" get "moved-$of.level" 'layers[0].chunks[576,576 639,639]' >moved.px
    [ -s here.px ] && cmp -s here.px moved.px || fail "the px of a moved chunk, $of"
done
sed 's/"-10,-11":6/"oops":6/' "$samples/sketchy/hill-v1.level" >bad-px.level
expect 1 "$lvl" set bad-px.level 'layers[0].chunks[0].key=9,9' -o moved-bad.level
err_has 'lvl.write.lost'
# a doodad doesn't go under a level's name, nor a level under a doodad's
for verb in convert 'set title=x'; do
    set -- $verb
    expect 2 "$lvl" "$1" "$samples/sketchy/lantern.doodad" ${2+"$2"} -o kind.level
    grep -qF 'has another ending; use .doodad' err || fail "$verb of a doodad as a level: $(cat err)"
    expect 2 "$lvl" "$1" "$samples/sketchy/hill-v4.level" ${2+"$2"} -o kind.doodad
    grep -qF 'has another ending; use .level' err || fail "$verb of a level as a doodad: $(cat err)"
    [ ! -e kind.level ] && [ ! -e kind.doodad ] || fail "$verb: written under the other's name"
    expect 0 "$lvl" "$1" "$samples/sketchy/lantern.doodad" ${2+"$2"} -o kind.doodad
    rm kind.doodad
done
# an attached file that is damaged is a loss, too
printf '{"version":1,"gameVersion":"0.10.0","title":"a","files":{"assets/a.png":{"data":"AgQB!"}}}\n' >cut.level
expect 1 "$lvl" convert cut.level --to v3.1 -o none.level
grep -q 'sketchy.loss.file: .*(files\[0\])' err && [ ! -e none.level ] || fail "a damaged attachment: $(cat err)"
expect 0 "$lvl" convert cut.level --to v3.1 --allow-loss -o none.level
# so it is said when it is copied, or taken over by a merge
printf '{"version":1,"gameVersion":"0.10.0","title":"a"}\n' >bare.level
expect 0 "$lvl" copy cut.level 'files[0]' bare.level -o copied.level
grep -q 'warning: lvl.copy.damaged: .*(files\[0\])' err || fail "a damaged attachment copied: $(cat err)"
expect 0 "$lvl" set bare.level title=b -o titled.level
expect 0 "$lvl" merge bare.level titled.level cut.level -o merged.level
grep -q 'warning: lvl.copy.damaged: .*(files\[0\])' err || fail "a damaged attachment merged: $(cat err)"
expect 0 "$lvl" copy "$s/hill-v4.level" 'files[0]' bare.level -o copied.level -y
[ ! -s err ] || fail "a sound attachment copied: $(cat err)"
rm cut.level bare.level copied.level titled.level merged.level none.level
# levels of other games: refused with each loss named, or drawn; one pixel for N by N; a folder; other forms
v=$samples/graal/lakeside/lake_village.nw
expect 1 "$lvl" convert "$v" --to sketchy -o walk.level
grep -q 'lvl.convert.counterpart: well.png: .*(npcs\[0\])' err || fail "a loss without its place: $(cat err)"
[ ! -e walk.level ] || fail "written although something is lost"
expect 0 "$lvl" convert "$v" --to sketchy --allow-loss -o walk.level
expect 0 "$lvl" check walk.level
# the colours are those of the source: its picture without its things, and the level's own without its actors
expect 0 "$lvl" render "$v" -o village.png
expect 0 "$lvl" render walk.level --hide objects -o walk.png
same_pixels village.png walk.png || fail "the level does not look like its source"
expect 0 "$lvl" convert "$v" -o small.level --scale 1/4 --allow-loss -q
[ "$("$lvl" get small.level bounded_width)" = 256 ] || fail "--scale 1/4: $("$lvl" get small.level bounded_width) px"
expect 2 "$lvl" convert "$v" -o none.level --scale 4 --allow-loss
expect 0 "$lvl" convert "$v" --to v4 --allow-loss -q -o runs.level
expect 1 "$lvl" diff walk.level runs.level --summary
[ "$(grep -vc -e "^---" -e "^+++" out)" = 1 ] || fail "another form has other content: $(cat out)"
expect 0 "$lvl" convert "$samples/graal/lakeside" --to sketchy --allow-loss -q -o walkable
[ "$(find walkable -name '*.level' | wc -l)" -ge 6 ] || fail "a folder: $(find walkable)"
expect 0 "$lvl" check -q walkable
expect 1 "$lvl" convert "$samples/graal/ganis/hero_walk.gani" --to sketchy -o none.level
expect 0 "$lvl" set "$samples/wwd/cliffs.wwd" --unset 'planes[4]' -o no-main.wwd
expect 1 "$lvl" convert no-main.wwd --to sketchy --allow-loss -o none.level
grep -q 'expected a level whose main plane has tiles' err || fail "a level without a main plane: $(cat err)"
expect 1 "$lvl" convert "$samples/wwd/cliffs.wwd" --to sketchy --allow-loss --limit work=1M -o none.level
grep -q -- '--scale 1/N' err || fail "too large without a way out: $(cat err)"

# a damaged chunk: repair says which part of the drawing is doubtful, and puts nothing of it into sound chunks
cp "$s/hill-v3.1.level" hurt.level
printf U | dd of=hurt.level bs=1 seek=4850 conv=notrunc 2>/dev/null
expect 0 "$lvl" repair hurt.level -o repaired.level -v
out_has 'layers[0].chunks[4]: chunk 1,0, px 64,0 to 127,63 of the drawing: kept what can be read of it; look at it, some of its pixels may be wrong'
for part in -64,-64,63,63 64,-64,127,-1; do
    region=$(echo "$part" | tr , ' ' | awk '{ print $1 "," $2 " " $3 "," $4 }')
    for file in "$s/hill-v3.1.level" repaired.level; do
        "$lvl" get "$file" "layers[0].chunks[$region]" 2>&1
    done | uniq -c | grep -q '^ *2 ' || fail "px $region of the repaired drawing are not those of the original"
done

# a level that becomes very large says how to make a smaller one
expect 0 "$lvl" convert "$samples/wwd/cliffs.wwd" --to v1 --scale 1/1 --allow-loss -o large.level
err_has 'cliffs.wwd: the level has 20 MB; --scale 1/N makes a smaller one'
expect 0 "$lvl" convert "$samples/wwd/cliffs.wwd" --to v1 --scale 1/4 --allow-loss -o smaller.level
if grep -q 'makes a smaller one' err; then fail "said of a small level, too"; fi

# A key that a map has twice, of which the game uses the last: an option of an actor, an attached file, the pixels of a chunk. Nothing
# of it disappears in the document; a list of pixels that a conversion would leave out is a loss.
v1=$s/hill-v1.level
sed 's/"options":{"Brightness":/"options":{"Brightness":{"type":"int","name":"Brightness","value":7},"Brightness":/' "$v1" >option.level
sed 's|"files":{"assets/doodads/lantern.doodad":|"files":{"assets/doodads/lantern.doodad":{"data":"AAAA"},"assets/doodads/lantern.doodad":|' "$v1" >attached.level
sed 's/{"type":0,"data":{"-10,-11"/{"type":0,"data":{"-1,-1":2},"data":{"-10,-11"/' "$v1" >pixels.level
sed 's|"assets/doodads/lantern.doodad":{"data":|&"AAAA","data":|' "$v1" >data.level
sed 's/"chunks":{"-1,-1":{"type":0,/&"type":0,/' "$v1" >type.level
for kind in option attached pixels data type; do
    ! cmp -s "$v1" $kind.level || fail "$kind: the key was not doubled"
    expect 1 "$lvl" check $kind.level
    grep -q 'error: sketchy.json.double_key: a key occurs twice, and the game uses only the last one: ' out || fail "$kind: a doubled key is not reported"
    expect 0 "$lvl" dump $kind.level -o $kind.json
    expect 0 "$lvl" undump $kind.json -o $kind.back
    cmp $kind.level $kind.back || fail "$kind: a dump changes the file"
done
expect 1 "$lvl" convert pixels.level --to v4 -o pixels-v4.level
grep -q 'sketchy.loss.chunk: 1 list of pixels that is followed by another one' err || fail "the loss of pixels is not named"
expect 1 "$lvl" convert data.level --to v4 -o data-v4.level
grep -q 'sketchy.loss.file: 1 attached file that is followed by another one' err || fail "the loss of a file is not named"
[ ! -e pixels-v4.level ] && [ ! -e data-v4.level ] || fail "a conversion with a loss was written"
expect 0 "$lvl" convert option.level --to v4 -o option-v4.level
[ "$("$lvl" get option-v4.level 'actors[*].options[name=Brightness].value' | grep -c .)" = 2 ] || fail "a conversion drops one of two options"

# A known key that occurs twice: an edit changes the last value, which the game uses, and keeps the earlier text with what lvl does not
# know; only what an edit removes goes from both.
doubled() { # doubled PATTERN EARLIER EDIT PATH VALUE KEPT: the text that must still be there
    sed "s|\"$1\":|\"$1\":$2,\"$1\":|" "$v1" >twice.level
    ! cmp -s "$v1" twice.level || fail "$1: the key was not doubled"
    expect 0 "$lvl" set twice.level "$3" -o edited.level -y
    [ "$("$lvl" get edited.level "$4")" = "$5" ] || fail "$1: $3 gives $("$lvl" get edited.level "$4")"
    grep -qF "$6" edited.level || fail "$1: an edit loses the earlier value"
}
doubled title '"Old \\u0068ill"' title=new title new '"title":"Old \u0068ill","title":"new"'
doubled rules '{"difficulty":3,"odd":1}' difficulty=2 difficulty 2 '"rules":{"difficulty":3,"odd":1},"rules":{'
doubled rules '{"survival":true,"odd":1}' survival=false survival 0 '"rules":{"survival":true,"odd":1},"rules":{'
doubled palette '{"swatches":[{"name":"odd"}]}' 'swatches[0].name=x' 'swatches[0].name' x '"palette":{"swatches":[{"name":"odd"}]},"palette":{'
doubled actors '{"a":{"filename":"old.doodad","odd":1}}' 'actors[a].filename=x.doodad' 'actors[a].filename' x.doodad '"actors":{"a":{"filename":"old.doodad","odd":1}},"actors":{'
sed 's|"actors":|"actors":{"a":{"odd":1},"b":{"odd":2}},"actors":|' "$v1" >twice.level
count=$("$lvl" get twice.level 'actors[*].id' | grep -c .)
expect 0 "$lvl" set twice.level --unset 'actors[a]' -o edited.level -y
[ "$("$lvl" get edited.level 'actors[*].id' | grep -c .)" = $((count - 1)) ] || fail "an actor of the earlier value comes back"
grep -qF '"actors":{"b":{"odd":2}},"actors":{' edited.level || fail "removing one actor loses another one's earlier value"
expect 0 "$lvl" explain --all twice.level
sed 's|"title":|"title":"Old hill","title":|' "$v1" >twice.level
expect 0 "$lvl" explain --all twice.level
[ "$(grep -c 'title = ' out)" = 1 ] || fail "explain gives the later value for both"
grep -q 'the key occurs again' out || fail "explain does not say why a value is not used"

# What the game book knows about the doodads of a level.
expect 0 "$lvl" set "$s/hill-v4.level" 'actors[+]={"id":"snake","filename":"snake.doodad","options":[{"name":"No A.I.","value":"true"}]}' -o snake.level
expect 0 "$lvl" info snake.level
grep -q 'snake.doodad, No A.I., true, true: it stands still' out || fail "info does not say what an option means"
expect 0 "$lvl" info --json snake.level
grep -q '"filename":"snake.doodad","count":1,"is":"stays, and strikes at who is near"' out || fail "info does not say what a doodad is"

finish
