#!/bin/sh
# Many files: a file without a match is not an error, a failure affects only its file, an unknown field is reported once; packs are entered;
# pipes and read-only files.
. "$(dirname "$0")/support/shell.sh"

level() { # IMAGE SIGN
    printf 'GLEVNW01\nNPC %s 30 20\nNPCEND\nSIGN 1 2\n%s\nSIGNEND\n' "$1" "$2"
}
mkdir -p w/sub was
level miller.png 'To the mill' >w/a.nw
level miller.png 'To the lake' >w/b.nw
level baker.png 'Bread' >w/c.nw
level smith.png 'Mill again' >w/sub/d.nw
cp "$samples/graal/lakeside/lakeside.gmap" w/e.gmap
cp -R w/. was

# get: what matches nothing in a file is counted
expect 0 "$lvl" get w 'signs[text~mill].text'
is out 'w/a.nw: To the mill
w/sub/d.nw: Mill again' "get of a condition"
is err 'lvl: 5 files: 2 with a match, 3 without a match' "get counts"
expect 0 "$lvl" get -q w 'signs[text~mill].text'
[ ! -s err ] || fail "get -q isn't silent"
expect 1 "$lvl" get w 'signs[text~castle].text'
is err 'lvl: 5 files: 0 with a match, 5 without a match' "get finds nothing in any file"
expect 1 "$lvl" get -q w 'signs[text~castle].text'
[ ! -s err ] && [ ! -s out ] || fail "get -q without a match isn't silent"
expect 0 "$lvl" get -v w 'npcs[image=miller.png].x'
grep -qF 'w/c.nw: "npcs[image=miller.png].x" finds nothing in this file; image is one of: baker.png' err || fail "get -v says why"

# a field that no format has is one error; one that some lack is none
expect 2 "$lvl" get w 'npsc[*].x'
[ "$(grep -c 'did you mean npcs?' err)" = 1 ] && [ "$(grep -c npsc err)" = 1 ] || fail "an unknown field is said once: $(cat err)"
expect 2 "$lvl" get w 'npcs[*].picture'
[ "$(grep -c 'picture' err)" = 1 ] || fail "an unknown field of a record is said once"
expect 2 "$lvl" get w 'npcs[0'
[ "$(grep -c 'is missing' err)" = 1 ] || fail "a path that is none is said once"
expect 2 "$lvl" set w 'npsc[*].x=1' -i
[ "$(grep -c npsc err)" = 1 ] || fail "set: an unknown field is said once"
diff -r w was || fail "set of an unknown field changed something"

# -e marks the paths, and all else are files
expect 0 "$lvl" get w/a.nw w/c.nw -e 'npcs[*].image' -e 'signs[*].text'
is out 'w/a.nw: miller.png
w/a.nw: To the mill
w/c.nw: baker.png
w/c.nw: Bread' "get of several files and paths"
expect 2 "$lvl" get w/a.nw w/c.nw 'npcs[*].image'
grep -qF 'lvl get FILE... -e PATH' err || fail "how several files are given"
expect 0 "$lvl" get -e 'npcs[0].image' w/a.nw
is out 'miller.png' "-e and one file"
expect 2 "$lvl" set w/a.nw x = 5 -i
grep -qF 'no blanks around the =' err || fail "blanks around ="
expect 2 "$lvl" set w/a.nw 'npcs[0].x = 5' -i
grep -qF 'no blank' err || fail "blanks around = in an argument"

# set: files without a match stay as they are; another run finds nothing to do
expect 0 "$lvl" set w 'npcs[image=miller.png].image=baker.png' -i
grep -qxF 'lvl: 5 files: 2 changed, 3 without a match' err || fail "set counts: $(cat err)"
same w/c.nw was/c.nw "a file without a match was changed"
[ "$("$lvl" get w/b.nw 'npcs[0].image')" = baker.png ] || fail "set in a folder"
expect 0 "$lvl" set -q w 'npcs[image=baker.png].image=baker.png' -i
[ ! -s err ] || fail "set -q isn't silent: $(cat err)"
touch -t 200001010000 w/a.nw
expect 0 "$lvl" set w 'npcs[image=baker.png].image=baker.png' -i
grep -qxF 'lvl: 5 files: 0 changed, 3 already had that value, 2 without a match' err || fail "set counts what was so: $(cat err)"
[ -z "$(find w/a.nw -newer w/c.nw)" ] || fail "a file that was so already is written"
expect 1 "$lvl" set w 'npcs[image=nobody.png].x=1' -i
expect 0 "$lvl" set was 'npcs[image=miller.png].x=1' -o copies
same copies/c.nw was/c.nw "-o DIR lacks a file without a match"
same copies/e.gmap was/e.gmap "-o DIR lacks a file of another format"
[ "$("$lvl" get copies/a.nw 'npcs[0].x')" = 1 ] || fail "-o DIR"

# two changes: each applies where its path matches
rm -rf w && cp -R was w
expect 0 "$lvl" set w 'npcs[image=miller.png].x=1' 'signs[text~mill].text=Closed' -i
[ "$("$lvl" get w -q -e 'npcs[*].x' -e 'signs[*].text' | tr '\n' ' ')" = \
    'w/a.nw: 1 w/a.nw: Closed w/b.nw: 1 w/b.nw: To the lake w/c.nw: 30 w/c.nw: Bread w/sub/d.nw: 30 w/sub/d.nw: Closed ' ] ||
    fail "two changes over a folder: $("$lvl" get w -q -e 'npcs[*].x' -e 'signs[*].text')"
grep -qF '3 changed, 2 without a match' err || fail "two changes are counted: $(cat err)"
expect 0 "$lvl" set w 'npcs[image=nobody.png].x=1' 'signs[text~closed].text=Open' -i
grep -qxF 'lvl: no match in any file: npcs[image=nobody.png].x=1' err || fail "a change that matched nowhere"
# an error leaves the whole file as it is, whatever stood before it, and is printed once
rm -rf w && cp -R was w
expect 1 "$lvl" set w 'npcs[*].x=2' 'signs[text~mill].x=wide' -i
[ "$(grep -c 'integer, got "wide"' err)" = 2 ] || fail "a bad value is printed once, and counted: $(cat err)"
grep -qF 'the same in 1 more file' err || fail "how many files have the same error"
same w/a.nw was/a.nw "a file with an error was changed"
same w/sub/d.nw was/sub/d.nw "a second file with an error was changed"
[ "$("$lvl" get w/b.nw 'npcs[0].x')" = 2 ] || fail "a file beside one with an error"
grep -qF '2 changed, 1 without a match, 2 failed' err || fail "errors are counted: $(cat err)"
# of one file alone, all or none
expect 1 "$lvl" set was/c.nw 'npcs[*].x=3' 'signs[text~mill].text=x' -o one.nw
[ ! -e one.nw ] || fail "one file: a path that finds nothing"
# taken out, in several files
cp w/c.nw c.before
expect 0 "$lvl" set w/a.nw w/c.nw w/e.gmap --unset 'signs[text~mill]' -i
[ "$("$lvl" get w/a.nw signs)" = '[]' ] || fail "--unset in several files"
same w/c.nw c.before "--unset where nothing matches"

# packs are entered
cp "$samples/sketchy/walk.levelpack" w/p.levelpack
expect 0 "$lvl" get w title
is out 'w/p.levelpack: A short walk' "a pack is a file"
expect 0 "$lvl" get --members w title
grep -qxF 'w/p.levelpack//levels/hill.level: The hill by the pond' out || fail "get --members"
expect 0 "$lvl" info --members --summary w/p.levelpack
[ "$(wc -l <out)" = 4 ] || fail "info --members of a pack: $(cat out)"
# a folder is a line for each file; a file that is named, --all and --count are a screen
screens() { grep -c '^  ' out || :; }
expect 0 "$lvl" "$samples/graal/damaged"
[ "$(wc -l <out)" = "$(find "$samples/graal/damaged" -type f | wc -l)" ] && [ "$(screens)" = 0 ] || fail "info of a folder: $(cat out)"
grep -qE '/cut-npcs.graal: Graal level, .* bytes, damaged: ' out || fail "info does not say what is damaged: $(cat out)"
grep -qE '/wrong-size.gmap: .* bytes: ' out || fail "info says that a whole file is damaged: $(cat out)"
expect 0 "$lvl" "$samples/wwd/SAMPLES.REZ//LEVEL1/PALETTES"
[ "$(screens)" = 0 ] || fail "info of a folder in an archive: $(cat out)"
for all in --all --count; do
    expect 0 "$lvl" info $all "$samples/graal/damaged"
    [ "$(screens)" -gt 40 ] || fail "info $all of a folder: $(cat out)"
done
expect 0 "$lvl" "$samples/wwd/cliffs.wwd" "$samples/graal/damaged"
[ "$(screens)" -gt 10 ] && grep -qE 'cut-npcs.graal: .*, damaged: ' out || fail "info of a file and a folder: $(cat out)"
expect 2 "$lvl" info --all --summary "$samples/graal/damaged"

expect 0 "$lvl" check --members w/p.levelpack
grep -qF '4 files checked' out err || fail "check --members: $(cat out err)"
expect 2 "$lvl" set --members w 'title=x' -o y
expect 0 "$lvl" set --members w -e 'swatches[name=ice].slippery=no' -i
[ "$("$lvl" get w/p.levelpack//levels/hill.level 'swatches["ice"].slippery')" = 0 ] || fail "set --members"
expect 0 "$lvl" check -q w/p.levelpack

# the summary of a check, as JSON and as text
# the names of what is missing, each once, with the number of files; of members of a zip, too
mkdir gone
cp "$samples/graal/well.png" "$samples/graal/lakeside/lake_mill.nw" gone
for n in 1 2; do
    printf 'GLEVNW01\nLINK gone.nw 63 0 1 64 0 playery\nLINK lake_mill.nw 0 0 1 64 0 playery\nNPC gone%s.png 3 4\nNPCEND\nNPC well.png 3 4\nNPCEND\nNPC gone%s.png 3 4\nNPCEND\n' $n $n >gone/level$n.nw
done
expect 0 "$lvl" check --summary gone
sed -n '/^missing/,$p' out >missing
is missing 'missing levels:
      2 files gone.nw
missing pictures:
      1 file  gone1.png
      1 file  gone2.png' 'what is missing'
expect 0 "$lvl" check --summary --json gone
out_has '"missing":[{"kind":"level","name":"gone.nw","files":2},{"kind":"picture","name":"gone1.png","files":1},'
expect 0 "$lvl" check gone
grep -q '^missing' out err && fail "a list without --summary"
if command -v python3 >/dev/null; then
    (cd gone && python3 -c 'import zipfile
z = zipfile.ZipFile("../gone.zip", "w")
for n in "12": z.write(f"level{n}.nw")')
    expect 0 "$lvl" check --summary --art gone gone.zip
    sed -n '/^missing/,$p' out >again
    same missing again 'what members of a zip miss'
fi
expect 1 "$lvl" check --no-art --summary --json "$samples/graal/lakeside" "$samples/graal/damaged/off-board.nw" "$samples/graal/damaged/cut-tiles.graal"
grep -qF '"unreadable":0,"foreign":0,"faulty":0,"findings":[{"id":"' out || fail "check --summary --json: $(cat out)"
counted=$(sed -E 's/.*"sound":([0-9]+),"damaged":([0-9]+),.*/\1 \2/' out)
expect 1 "$lvl" check --no-art --summary "$samples/graal/lakeside" "$samples/graal/damaged/off-board.nw" "$samples/graal/damaged/cut-tiles.graal"
grep -qE "${counted% *} sound, 0 faulty, ${counted#* } damaged" out || fail "check --summary: not $counted: $(cat out)"

# a pack and what is in it, changed at once: neither change is lost
cp "$samples/sketchy/walk.levelpack" both.levelpack
expect 0 "$lvl" set --members both.levelpack ./both.levelpack -e title=All -i
[ "$("$lvl" get --members -q both.levelpack title | sort -u | grep -c ': All$')" = 4 ] ||
    fail "a pack changed with its members: $("$lvl" get --members -q both.levelpack title)"
expect 0 "$lvl" set both.levelpack//levels/hill.level both.levelpack -e title=Two -i
[ "$("$lvl" get both.levelpack title) $("$lvl" get both.levelpack//levels/hill.level title)" = 'Two Two' ] ||
    fail "a member changed with its pack"
expect 0 "$lvl" check -q both.levelpack

# a file that is given twice is changed once, however it is spelled
mkdir -p twice
cp "$samples/wwd/cliffs.wwd" twice
before=$("$lvl" get twice/cliffs.wwd 'planes[0].z')
expect 0 "$lvl" set twice twice/cliffs.wwd twice/../twice/cliffs.wwd -e 'planes[0].z+=1' -i
[ "$("$lvl" get twice/cliffs.wwd 'planes[0].z')" = $((before + 1)) ] || fail "a file given twice"
grep -qxF 'lvl: 1 file: 1 changed' err || fail "a file given twice is counted once: $(cat err)"
if ln -s twice/cliffs.wwd linked.wwd 2>/dev/null; then
    expect 0 "$lvl" set twice linked.wwd -e 'planes[0].z+=1' -i
    grep -qxF 'lvl: 1 file: 1 changed' err || fail "a file given by a link too: $(cat err)"
    [ "$("$lvl" get twice/cliffs.wwd 'planes[0].z')" = $((before + 2)) ] || fail "a file given by a link too"
fi
# hard links are two files from the first save on
mkdir -p hard/a hard/b
cp "$samples/sketchy/walk.levelpack" hard/a/p.levelpack
cp "$samples/wwd/cliffs.wwd" hard/a
if ln hard/a/cliffs.wwd hard/b/cliffs.wwd && ln hard/a/p.levelpack hard/b/p.levelpack; then
    expect 0 "$lvl" set --members hard title=Both -i
    [ "$("$lvl" get --members -q hard title | grep -c ': Both$')" = 10 ] ||
        fail "hard links: $("$lvl" get --members -q hard title)"
fi 2>/dev/null
cp "$samples/wwd/SAMPLES.REZ" twice
expect 0 "$lvl" set twice/SAMPLES.REZ//LEVEL1/PALETTES/MAIN.PAL ./twice/SAMPLES.REZ//LEVEL1/PALETTES/MAIN.PAL \
    -e 'colors[0].red=7' -e 'colors[1].red=8' -i
grep -qxF 'lvl: 1 file: 1 changed' err || fail "a member given twice is counted once: $(cat err)"
[ "$("$lvl" get twice/SAMPLES.REZ//LEVEL1/PALETTES/MAIN.PAL 'colors[0].red' 'colors[1].red' | tr '\n' ' ')" = '7 8 ' ] ||
    fail "a member given twice"

# a field that is a list in one format and a number in another
cp "$samples/wwd/art/cave.pcx" twice
expect 0 "$lvl" set twice 'planes[0].z=4' -i
grep -qF '1 changed' err || fail "a list in one format only: $(cat err)"
expect 2 "$lvl" set twice/cave.pcx twice/cliffs.wwd -e 'planes[0].tiles[0]=4' -i
# values that do not fit together are named
expect 1 "$lvl" set twice/cave.pcx planes=4 -i
grep -qF 'with these values: fields of size and kind must agree' err || fail "values that do not fit together: $(cat err)"
cmp -s twice/cave.pcx "$samples/wwd/art/cave.pcx" || fail "a file that could not be written was changed"

# a level and what is attached to it: no change replaces another
cp "$samples/sketchy/walk.levelpack" all.levelpack
hill=all.levelpack//levels/hill.level
expect 0 "$lvl" set $hill $hill//assets/doodads/lantern.doodad -e title=Both -i
[ "$("$lvl" get $hill title; "$lvl" get $hill//assets/doodads/lantern.doodad title)" = "Both
Both" ] || fail "a level and its doodad lose a change"

# a copy that can't be written is a failure, also of a file without a match
tried=$((tried + 1))
{ (trap '' XFSZ; ulimit -f 0; exec "$lvl" set c.before was/e.gmap -e 'npcs[image=nobody.png].x=1' -o unwritten) 2>&1; echo $? >&3; } 3>code | cat >err
[ "$(cat code)" = 3 ] || fail "a copy that can't be written: exit $(cat code), not 3: $(cat err)"

# a title by the name that the format has for it
cp "$samples/wwd/cliffs.wwd" c.wwd
expect 0 "$lvl" get c.wwd title
is out 'Grey Cliffs - Level 1' "the title of a WWD"

# render and convert: what a file lacks is no error where there are many
expect 0 "$lvl" render -q "$samples/wwd" w --plane Clouds --size 16 -o pics
expect 1 "$lvl" render c.wwd --plane Nowhere -o none.png
expect 1 "$lvl" render w --plane Nowhere -o none
grep -qF '5 without a match' err || fail "render counts: $(cat err)"
expect 0 "$lvl" convert "$samples/sketchy/lantern.doodad" "$samples/sketchy/hill-v4.level" --layer lit -q --to png -o lits
expect 2 "$lvl" render c.wwd -o out.txt
grep -qF 'pictures are PNG' err || fail "-o out.txt for a picture"
expect 2 "$lvl" render c.wwd -o out.wwd
expect 2 "$lvl" diff c.wwd "$samples/wwd/polish.wwd" --image out.txt

# a member by one slash
cp "$samples/wwd/SAMPLES.REZ" A.REZ
expect 3 "$lvl" info A.REZ/LEVEL1
grep -qF 'A.REZ//LEVEL1' err || fail "one slash for two: $(cat err)"
expect 3 "$lvl" info nowhere/LEVEL1
grep -qF '//' err && fail "a hint at two slashes where no file is"

# a read-only file wants -y
cp c.wwd ro.wwd && chmod a-w ro.wwd
expect 3 "$lvl" set ro.wwd author=me -i
grep -qF 'read-only; -y' err || fail "a read-only file: $(cat err)"
same ro.wwd c.wwd "a read-only file was changed"
expect 3 "$lvl" repair "$samples/wwd/damaged/checksum.wwd" -o ro.wwd
expect 0 "$lvl" set ro.wwd author=me -i -y
[ "$("$lvl" get ro.wwd author)" = me ] || fail "-i -y of a read-only file"
cp A.REZ RO.REZ && chmod a-w RO.REZ
expect 3 "$lvl" set RO.REZ//LEVEL1/PALETTES/MAIN.PAL 'colors[0].red=1' -i
same RO.REZ A.REZ "a read-only archive was changed"

# a pipe that is named is passed over, unless it is open already
if [ -z "$windows" ] && mkfifo fifo 2>/dev/null; then # a program for Windows does not see it
    expect 0 timeout 10 "$lvl" info fifo c.wwd
    grep -qF 'fifo: skipped: a pipe' err || fail "a pipe by its name: $(cat err)"
    expect 0 timeout 10 "$lvl" info -q fifo c.wwd
    [ ! -s err ] || fail "-q about a pipe: $(cat err)"
    expect 1 timeout 10 "$lvl" check fifo
    # a comparison wants both
    timeout 10 cat c.wwd >fifo &
    expect 0 timeout 10 "$lvl" diff c.wwd fifo
    timeout 10 cat c.wwd >fifo &
    expect 0 timeout 10 "$lvl" diff fifo c.wwd
    expect 3 timeout 10 "$lvl" convert "$samples/graal/boat.png" --palette fifo -o boat.PID
    expect 3 timeout 10 "$lvl" convert "$samples/graal/boat.png" --like fifo -o boat.PID
    timeout 10 "$lvl" get /dev/stdin title <c.wwd >out 2>err || fail "/dev/stdin"
fi

# -n: nothing is written, whatever the verb
mkdir dry && cp "$samples/wwd/cliffs.wwd" dry/a.wwd && cp "$samples/graal/versions/gr-v1.03.graal" dry/
cp "$samples/sketchy/walk.levelpack" dry/
(cd dry && cksum ./*) >dry.before
expect 0 "$lvl" set dry/a.wwd author=me -n
grep -qF 'author: "The lvl samples" -> "me"' out || fail "set -n"
expect 0 "$lvl" set dry/a.wwd author=me -n -i
expect 0 "$lvl" set dry -e author=me -n
expect 0 "$lvl" set "dry/walk.levelpack//levels" -e author=me -n -i
expect 0 "$lvl" convert dry/gr-v1.03.graal --to nw -o dry/new.nw -n
grep -qF "dry/new.nw: not written (dry run)" err || fail "convert -n"
expect 0 "$lvl" convert dry/gr-v1.03.graal --to nw -o dry/folder/ -n
expect 0 "$lvl" convert dry/gr-v1.03.graal --to nw -n
[ ! -s out ] || fail "convert -n without -o printed the level"
grep -qF "dry/gr-v1.03.graal: would be written to standard output (dry run)" err || fail "convert -n without -o"
expect 0 "$lvl" convert dry/gr-v1.03.graal dry/a.wwd --to json -n
[ ! -s out ] || fail "convert -n of two files printed them"
grep -qF "2 files would be converted" err || fail "convert -n of two files"
expect 0 "$lvl" render dry/a.wwd --size 48 -o dry.png
expect 0 "$lvl" merge dry/a.wwd dry/a.wwd dry/a.wwd -n
expect 0 "$lvl" extract dry/walk.levelpack -o dry.walk
expect 0 "$lvl" pack dry.walk -o dry/new.levelpack -n
grep -qF "not written" err || fail "pack -n"
rm dry.walk/index.json
expect 0 "$lvl" pack dry.walk dry/walk.levelpack --delete -i -n
(cd dry && cksum ./*) >dry.after
cmp dry.before dry.after || fail "a dry run wrote something"

# a path that finds nothing names what is there, also in a list of plain texts; an empty name is no output
expect 1 "$lvl" get "$samples/wwd/cliffs.wwd" 'planes[0].image_sets["x"]'
grep -qF 'finds nothing in this file; image_sets: SKY' err || fail "a label in a list of texts: $(cat err)"
expect 1 "$lvl" get "$samples/sketchy/hill-v4.level" 'swatches["x"].color'
grep -qF 'swatches: earth, grass, water' err || fail "a label in a list of records: $(cat err)"
for verb in "dump $samples/wwd/cliffs.wwd" "render $samples/wwd/cliffs.wwd" "set $samples/wwd/cliffs.wwd name=x"; do
    expect 2 "$lvl" $verb -o ""
    grep -qF 'expected the name of a file or folder, got an empty text' err || fail "-o with no name: $(cat err)"
done

finish
