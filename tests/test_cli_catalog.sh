#!/bin/sh
# `lvl scan`, `lvl find`, `lvl catalog`: what a catalogue has, that it follows the files, and that it is not trusted.
. "$(dirname "$0")/support/shell.sh"
"$lvl" find --sql 'select 1' --in "$samples/graal/ganis" >/dev/null 2>"$t/said" || {
    grep -q 'without SQLite' "$t/said" && echo "skipped: built without SQLite" && exit 77
}
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
# One value of a query.
ask() { "$lvl" find --in "${2:-levels.db}" --csv --sql "$1" | sed 1d | tr -d '\r' | tr '\n' ' ' | sed 's/ $//'; }
# says WANTED QUERY [DATABASE]
says() {
    tried=$((tried + 1))
    got=$(ask "$2" "${3:-levels.db}")
    [ "$got" = "$1" ] || fail "expected $1, found $got: $2"
}

cp -r "$samples/graal/lakeside" "$samples/graal/versions" "$samples/sketchy" .
cp "$samples/wwd/cliffs.wwd" "$samples/wwd/cliffs-stored.wwd" .
chmod -R u+w .
echo text >lakeside/notes.txt
expect 0 "$lvl" scan lakeside versions sketchy cliffs.wwd cliffs-stored.wwd -o levels.db
err_has 'levels.db: ' 'scan'
says 1 "select count(*) > 30 from files"
says 0 "select count(*) from files where removed is not null"
says foreign "select verdict from files where name = 'notes.txt'"
says "The lvl samples" "select author from levels l join files f on f.id = l.file where f.path = 'cliffs.wwd'"
says "3840,896,60,14" "select width, height, columns, rows from levels l join files f on f.id = l.file where f.path = 'cliffs.wwd'"
says "$(sha256sum <cliffs.wwd | cut -d' ' -f1)" "select sha256 from files where path = 'cliffs.wwd'"
says "$(sha1sum <cliffs.wwd | cut -d' ' -f1)" "select sha1 from files where path = 'cliffs.wwd'"
says "$(python3 -c 'import zlib; print("%08x" % zlib.crc32(open("cliffs.wwd", "rb").read()))')" "select crc32 from files where path = 'cliffs.wwd'"
says "sketchy/walk.levelpack" "select distinct archive from files where archive is not null"
says 1 "select count(*) > 20 from thumbnails"
# the same level in five generations, and compressed or not
says 1 "select count(distinct content) from files where path like 'sketchy/hill-v%'"
says 1 "select count(distinct content) from files where path like 'cliffs%'"
for version in 3 4; do
    "$lvl" convert versions/gr-v1.0$version.graal --to nw -o nw-$version.nw -q || fail "convert"
done
expect 0 "$lvl" scan nw-3.nw nw-4.nw -o levels.db
for version in 3 4; do
    says 2 "select count(*) from files where content = (select content from files where path = 'nw-$version.nw')"
done
expect 0 "$lvl" find --duplicates --in levels.db -l
out_has sketchy/hill-v1.level
out_has 'sketchy/walk.levelpack//levels/hill.level'

# what `lvl info` says is a JSON object, and messages with and without numbers are whole
says 1 "select json_extract(info, '\$.enemies.Soldier') > 0 from levels l join files f on f.id = l.file where f.path = 'cliffs.wwd'"
says 0 "select count(*) from levels where not json_valid(info)"
says 0 "select count(*) from findings where coalesce(text, '') = ''"
"$lvl" check --json lakeside >check.json 2>/dev/null
python3 - <<'END' >said || fail "messages of check"
import json
findings = [f for line in open("check.json") for f in json.loads(line).get("findings", [])]
print(" ".join(sorted({f["text"] for f in findings if not any(c in f["text"] for c in '0123456789"')})))
END
[ -n "$(cat said)" ] || fail "no message without numbers to compare"
says "$(cat said)" "select distinct text from findings d join files f on f.id = d.file where f.path like 'lakeside/%' and text not glob '*[0-9\"]*' order by 1"
# files that were scanned without pictures get theirs, even if another scan with pictures came between
expect 0 "$lvl" scan versions nw-3.nw -o some.db -q --no-thumbnails
expect 0 "$lvl" scan nw-3.nw -o some.db -q
says 1 "select count(*) from thumbnails" some.db
expect 0 "$lvl" scan versions nw-3.nw -o some.db -q
says 1 "select count(*) > 4 from thumbnails" some.db

# words
expect 0 "$lvl" find treasure --in levels.db
out_has 'cliffs.wwd: planes[4].objects[31].logic: TreasurePowerup (28 times)'
"$lvl" get cliffs.wwd 'planes[4].objects[31].logic' | grep -qx TreasurePowerup || fail "the place is not that of the value"
expect 0 "$lvl" find '"hill by the pond"' --in levels.db -l
out_has sketchy/hill-v2.level
expect 1 "$lvl" find '"pond by the hill"' --in levels.db
expect 0 "$lvl" find logic:Soldier author:samples --in levels.db -l
[ "$(cat out)" = "cliffs-stored.wwd
cliffs.wwd" ] || fail "logic and author: $(cat out)"
expect 1 "$lvl" find author:Soldier --in levels.db
expect 2 "$lvl" find treasure levels.db # a place in the manner of grep
err_has '--in levels.db searches in it' 'a place as a word'
expect 2 "$lvl" find treasure .
expect 0 "$lvl" find format:wwd --in levels.db -0
[ "$(tr '\0' ' ' <out)" = "cliffs-stored.wwd cliffs.wwd " ] || fail "-0: $(tr '\0' ' ' <out)"
expect 0 "$lvl" find pond version:V2 --in levels.db -l
[ "$(sort out)" = "sketchy/damaged/cut-gzip.level
sketchy/hill-v2.level" ] || fail "a facet: $(cat out)"
expect 2 "$lvl" find --in levels.db
expect 2 "$lvl" find --missing --duplicates --in levels.db
expect 2 "$lvl" find a: --in levels.db
# without a catalogue, the same
expect 0 "$lvl" find pond lantern --in levels.db
sort out >from-db
expect 0 "$lvl" find pond lantern --in sketchy
sort out >from-files
same from-files from-db 'files and catalogue'
(cd sketchy && "$lvl" find pond -l 2>/dev/null | grep -q hill-v1.level) || fail "no words in the current folder"

# references
# of several words, one that few files have decides which texts are read; if these are too long, the index is
mkdir rare
python3 - <<'END'
level = "GLEVNW01\nSIGN 1 1\n{}\nSIGNEND\nSIGN 2 2\n{}\nSIGNEND\n"
for i in range(1200):
    open(f"rare/plain{i}.nw", "w").write(level.format("a common word", i))
for name, one, two in [("both", "scarce", "a Common word"), ("near", "scarce", "uncommon"), ("begun", "scarcely", "Comm\u00f6nly"),
                       ("order", "word common scarce", "x")]:
    open(f"rare/{name}.nw", "wb").write(level.format(one, two).encode("cp1252"))
END
rare() {
    expect "$1" "$lvl" find -l --in "$2" $3
    [ "$(sort out | sed 's/.*\///' | xargs)" = "$4" ] || fail "find $3 in $2: expected $4, found $(cat out)"
}
"$lvl" scan rare -o rare.db -q --no-thumbnails || fail 'scan rare'
cp rare.db long.db
for i in 1 2 3; do
    python3 -c "print('GLEVNW01\nSIGN 1 1\nscarce\nSIGNEND\nNPC - 3 3\n' + 'common = 1;\n' * 40000 + 'NPCEND')" >"rare/long$i.nw"
done
"$lvl" scan rare -o long.db -q --no-thumbnails || fail 'scan long'
rare 0 rare.db 'scarce common' 'begun.nw both.nw order.nw'
rare 0 long.db 'scarce common' 'begun.nw both.nw long1.nw long2.nw long3.nw order.nw'
for db in rare.db long.db; do
    rare 0 $db 'common scarce word' 'both.nw order.nw'
    rare 0 $db 'scarce file:BOTH' 'both.nw'
    rare 1 $db 'common near scarcely' ''
done
"$lvl" find scarce common --in rare.db >short.out
"$lvl" find scarce common --in long.db | grep -v /long >long.out
cmp -s short.out long.out || fail 'hits of two words differ by how they are found'
expect 0 "$lvl" find scarce '"common word"' --in rare.db -l
is out rare/both.nw 'a rare word and a phrase'
expect 1 "$lvl" find scarce '"word scarce"' --in rare.db
expect 0 "$lvl" find --uses well.png --in levels.db --json
is out '{"path":"lakeside/lake_village.nw","place":"npcs[0].image","kind":"picture","target":"well.png","count":1}' 'uses'
expect 0 "$lvl" find --uses LAKE_MILL.nw --in levels.db -l
out_has lakeside/lake_meadow.nw
printf 'GLEVNW01\nLINK gone.nw 63 0 1 64 0 playery\nLINK lake_mill.graal 0 0 1 64 0 playery\n' >lakeside/new.nw
expect 0 "$lvl" scan lakeside -o levels.db
err_has '1 read'
expect 0 "$lvl" find --missing --in levels.db
out_has 'lakeside/new.nw: links[0].level: level: gone.nw'
grep -q lake_mill out && fail "a level with another ending is missing"
expect 0 "$lvl" find --finding sketchy --in levels.db --csv
head -n 1 out | tr -d '\r' | grep -qx 'path,place,severity,id,text,count' || fail "CSV"

# an edited level is alike, a different one is not
"$lvl" set cliffs.wwd 'planes["Action"].objects[logic=Soldier].x+=64' 'planes["Action"].tiles[3,3]=5' -o edited.wwd -q
expect 0 "$lvl" find --like edited.wwd --in levels.db
head -n 1 out | grep -qE '^cliffs(-stored)?\.wwd: [89][0-9] %|^cliffs(-stored)?\.wwd: 100 %' || fail "like"
expect 0 "$lvl" find --like cliffs.wwd --in levels.db -l
grep -q sketchy out && fail "like: another game"

# what many levels share, as lines of a template, makes none of them alike
mkdir template
python3 - <<'PY'
import random
chance = random.Random(7)
word = lambda: "".join(chance.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(9))
shared = [f"message {word()};" for _ in range(40)]
for n in range(40):
    own = [f"message {word()};" for _ in range(40)]
    for name, lines in [(f"level{n}", own)] + [("edited", own[:30] + [f"message {word()};"] * 3)] * (n == 5):
        with open(f"template/{name}.nw", "w") as f:
            f.write("GLEVNW01\nNPC well.png 3 4\n" + "\n".join(shared + lines) + "\nNPCEND\n")
PY
expect 0 "$lvl" scan template -o template.db -q
expect 0 "$lvl" find --like template/edited.nw --in template.db -l
is out 'template/edited.nw
template/level5.nw' 'a template'

# an animation that a keyframe of a movie names without its ending
expect 0 "$lvl" scan "$samples/graal/ganis/meeting.gani" -o movie.db -q
expect 0 "$lvl" find --uses hero_walk.gani --in movie.db --json
out_has '"place":"actors[0].keyframes[0].values[0].value","kind":"animation","target":"hero_walk","count":2}'
expect 0 "$lvl" find --uses hero_idle --in movie.db -l
expect 1 "$lvl" find --uses hero_walk.png --in movie.db
# and a picture that one names, whatever the key
expect 0 "$lvl" find --uses head0.png --in movie.db --json
out_has '"place":"actors[0].keyframes[0].values[4].value","kind":"picture","target":"head0.png","count":1}'
# names in scripts, in strings and arguments; not in comments, nor within texts
cat >script.nw <<'END'
GLEVNW01
NPC well.png 3 4
if (playerenters) {
  setimg door.png; // setimg nodoor.png;
  setcharani sit,;
  this.head = "head7.png"; play ding.wav;
  message Look at world.png here;
  say("see http://a.example/c.png");
  setlevel2 other.nw,30,30;
}
NPCEND
END
expect 0 "$lvl" scan script.nw -o script.db -q
for name in door.png:picture sit.gani:animation head7.png:picture ding.wav:sound other.nw:level; do
    expect 0 "$lvl" find --uses "${name%:*}" --in script.db
    out_has "script.nw: npcs[0].script: ${name#*:}: " "$name"
done
for name in nodoor.png world.png c.png; do
    expect 1 "$lvl" find --uses $name --in script.db
done
expect 2 "$lvl" find --uses door.png --in script.nw movie.db
err_has 'movie.db is a file or folder, but a word was expected; --in movie.db' 'a second place'
expect 2 "$lvl" find --uses door.png --in script.db wood
err_has 'wood: with this search, expected NAME:WORD with one of: format ' 'a word beside --uses'

# files that another program writes meanwhile: a row is of one version, with its size, or says that it is of none
if [ -r /proc/version ]; then # has other bytes than its size says
    expect 0 "$lvl" scan /proc/version -o proc.db -q
    expect 0 "$lvl" find --sql 'SELECT verdict, sha256 IS NULL, error FROM files' --in proc.db
    is out 'unreadable	1	it was changed while it was read; scan it again' 'a file of another size'
fi
if command -v python3 >/dev/null; then
    python3 - "$lvl" <<'PY' || fail "rows of a file that was written meanwhile"
import hashlib, json, os, subprocess, sys, threading
texts = [b"GLEVNW01\nSIGN 1 1\n" + letter * size + b"\nSIGNEND\n" for letter, size in ((b"a", 40_000), (b"b", 400_000))]
states = {hashlib.sha256(t[:n]).hexdigest(): n for t in texts for n in (0, len(t) // 2, len(t))}
os.mkdir("live")
stop = threading.Event()
def write(n):
    for k in range(20):
        with open(f"live/{k}.nw", "wb", buffering=0) as f:
            f.write(texts[n % 2][:len(texts[n % 2]) // 2])
            f.write(texts[n % 2][len(texts[n % 2]) // 2:])
def turn():
    n = 0
    while not stop.is_set():
        n += 1
        write(n)
write(0)
writer = threading.Thread(target=turn)
writer.start()
for n in range(3):
    subprocess.run([sys.argv[1], "scan", "-q", "--no-thumbnails", "live", "-o", "live.db"], check=False)
stop.set()
writer.join()
query = "SELECT sha256, size, error FROM files"
rows = subprocess.run([sys.argv[1], "find", "--sql", query, "--json", "--in", "live.db"], stdout=subprocess.PIPE, check=True).stdout
rows = [json.loads(row) for row in rows.splitlines()]
assert len(rows) == 20
wrong = [row for row in rows if row["error"] is None and states.get(row["sha256"]) != row["size"]]
sys.exit(f"of no version: {wrong[0]}" if wrong else 0)
PY
fi

# dates in the path go before the file's time, also with the day first, where it must be the day; members of zips have times of their own
mkdir -p dated/31.12.2003 dated/12-31-2002 dated/05-06-2001 && for d in dated/*; do cp lakeside/lake_mill.nw "$d/dated.nw"; done
python3 - <<'PY'
import os, zipfile
os.utime("dated/05-06-2001/dated.nw", (978307200, 978307200))
with zipfile.ZipFile("dated/backup.zip", "w") as z:
    z.writestr(zipfile.ZipInfo("w/dated.nw", (2000, 2, 29, 23, 59, 58)), b"GLEVNW01\n")
    z.writestr(zipfile.ZipInfo("x/dated.nw", (2107, 12, 31, 0, 0, 0)), b"GLEVNW01\n")
PY
expect 0 "$lvl" find --in dated --csv --sql "select path, date, date_source from files where name = 'dated.nw' order by date"
[ "$(sed 1d out | cut -d, -f1-3 | tr -d '\r' | tr '\n' ' ')" = "dated/backup.zip//w/dated.nw,2000-02-29,time \
dated/05-06-2001/dated.nw,2001-01-01,time dated/12-31-2002/dated.nw,2002-12-31,path \
dated/31.12.2003/dated.nw,2003-12-31,path dated/backup.zip//x/dated.nw,2107-12-31,time " ] || fail "dates: $(cat out)"
# what no member has is a change, too: a line that is no command, and a key that the game does not know
mkdir -p unread/2001-02-03 unread/2002-02-03 unread/2003-02-03
cp lakeside/lake_mill.nw unread/2001-02-03/m.nw
for year in 2002 2003; do
    { cat lakeside/lake_mill.nw && echo 'left by a friend'; } >unread/$year-02-03/m.nw
done
expect 1 "$lvl" diff unread/2001-02-03/m.nw unread/2002-02-03/m.nw
is out '--- unread/2001-02-03/m.nw
+++ unread/2002-02-03/m.nw
content that lvl does not know: -0 +1 lines
  + left by a friend' 'diff of unread lines'
expect 1 "$lvl" diff --json unread/2002-02-03/m.nw unread/2001-02-03/m.nw
is out '{"file":"unread/2002-02-03/m.nw","change":"unread","path":"","old":"left by a friend"}' 'a line that is gone'
expect 1 "$lvl" diff --summary unread/2001-02-03/m.nw unread/2002-02-03/m.nw
out_has 'content that lvl does not know: -0 +1 lines'
printf '{"version":1,"gameVersion":"0.14.0","title":"A","palette":{"swatches":[]},"chunks":[]}' >key-a.level
sed 's/"title"/"mood":"fine",&/' key-a.level >key-b.level
expect 1 "$lvl" diff --json key-a.level key-b.level
is out '{"file":"key-a.level","change":"unread","path":"","new":"\"mood\":\"fine\""}' 'an unknown key'
# bytes that check reports as belonging to nothing: after a zip, a gzip, a document and the heights
gzip -c key-a.level >key-gzip.level
for level in "$samples/sketchy/hill-v4.level" "$samples/sketchy/walk.levelpack" "$samples/graal/versions/gr-v1.04.graal" \
    key-a.level key-gzip.level; do
    longer=longer.${level##*.}
    { cat "$level" && echo 'left by a friend'; } >"$longer"
    expect 1 "$lvl" check "$longer" --no-art
    expect 1 "$lvl" diff "$level" "$longer"
    is out "--- $level
+++ $longer
content that lvl does not know: -0 +1 lines
  + left by a friend" "diff of bytes after $level"
done
expect 0 "$lvl" set "$samples/graal/versions/gr-v1.04.graal" 'links[0].x=45' -o ours.graal
expect 1 "$lvl" merge "$samples/graal/versions/gr-v1.04.graal" ours.graal longer.graal -o merged.graal
err_has 'theirs added content that lvl does not know, and that is not in the result: left by a friend'

# a value that occurs nowhere, and the nearest one
expect 1 "$lvl" find logic:Soldire --in levels.db
err_has 'no file has logic Soldire; the nearest is Soldier' 'the nearest value'
expect 1 "$lvl" find author:sampels treasure --in cliffs.wwd
err_has 'no file has author sampels; the nearest is samples'
expect 1 "$lvl" find format:wvd --in levels.db
err_has 'no file has format wvd; the nearest is wwd'
expect 1 "$lvl" find logic:Qqqqqqqq --in levels.db
err_has 'no file has logic Qqqqqqqq'
grep -q nearest err && fail 'a value that is not near'
expect 1 "$lvl" find logic:Soldier format:nw --in levels.db # both occur
grep -q 'no file has' err && fail 'both values occur'

# the same in searches of other kinds, and what is nowhere
expect 1 "$lvl" find --duplicates format:wvd --in levels.db
err_has 'no file has format wvd; the nearest is wwd' 'a facet beside --duplicates'
expect 1 "$lvl" find --finding wwd.nothing --in levels.db
err_has "there is no finding \`wwd.nothing'" 'an ID that no finding has'
"$lvl" find --like gone.wwd --in levels.db >out 2>err && fail "like: a file that is nowhere"
err_has 'gone.wwd: expected a file, or the path of one as the catalogue has it'
expect 1 "$lvl" find --uses weel.png --in levels.db
err_has 'nothing found: no file names weel.png; the nearest is well.png' 'a name that no file uses'
expect 1 "$lvl" find --uses well.png format:wwd --in levels.db
err_has 'nothing found' 'a name that is used, in files that are not asked for'
grep -q nearest err && fail "a name that is used has a nearest one"
# paths for other verbs
"$lvl" find -0 --uses well.png --in levels.db >list0
expect 0 "$lvl" set --from0 list0 'npcs[image=well.png].image=fountain.png' -n
out_has 'image "well.png" -> "fountain.png"' 'set --from0'
expect 0 sh -c '"$0" find -0 --uses well.png --in levels.db | "$0" check --from0 - -q --no-art' "$lvl"
expect 0 "$lvl" get --from0 list0 -e 'npcs[image=well.png].x' -l
is out lakeside/lake_village.nw 'get --from0'
printf 'a.nw\nb.nw\n' >lines
expect 2 "$lvl" check --from0 lines
err_has 'expected a NUL after each path'
expect 2 "$lvl" get --from0 list0
expect 3 "$lvl" check --from0 gone0
expect 2 sh -c '"$0" check --from0 - - <"$1"' "$lvl" list0
err_has 'standard input has the list, so it cannot be an input, too'
# in a list it is a file of that name, as git ls-files -z prints it
mkdir dash
cp lakeside/lake_mill.nw dash/-
(cd dash && printf '%s\000' - >../dash0 && "$lvl" get --from0 ../dash0 -l -e 'links[*].x' </dev/null) >out || fail "a file called - in a list"
is out ./- 'a file called - in a list'
(cd dash && "$lvl" get --from0 - -l -e 'links[*].x' <../dash0) >out || fail "a file called - in a list from standard input"
is out ./- 'a file called - in a list from standard input'
printf '\000a.nw\000' >empty0
expect 2 "$lvl" check --from0 empty0
err_has 'expected a path before each NUL, found none'
expect 0 "$lvl" view --from0 list0 -n
: >none0
expect 1 "$lvl" view --from0 none0 -n
expect 2 "$lvl" info --csv --from0 list0
err_has '--csv takes no list of files'
expect 0 "$lvl" catalog stats --csv --in levels.db
head -n 1 out | tr -d '\r' | grep -qx 'what,value,files,bytes' || fail "stats as CSV: $(head -n 2 out)"
tr -d '\r' <out | grep -q '^format,wwd,[0-9]*,[0-9]*$' || fail "stats as CSV: $(cat out)"

# the catalogue follows the files
expect 0 "$lvl" scan lakeside -o levels.db
err_has ' 0 read'
touch -d 2001-01-01 lakeside/lake_mill.nw
expect 0 "$lvl" scan lakeside -o levels.db
err_has ' 0 read' 'a new time, the same content'
says 2001-01-01 "select date from files where path = 'lakeside/lake_mill.nw'"
"$lvl" set lakeside/lake_village.nw 'signs[0].text=Xylophone' -i -q
rm lakeside/lake_woods.nw
expect 0 "$lvl" scan lakeside -o levels.db
err_has ' 1 read'
err_has '1 removed'
expect 0 "$lvl" find xylophone --in levels.db
expect 1 "$lvl" find 'lake_woods' path:lakeside/lake_woods --in levels.db
says 1 "select count(*) from files where path = 'lakeside/lake_woods.nw' and removed is not null"
cp "$samples/graal/lakeside/lake_woods.nw" lakeside/
expect 0 "$lvl" scan lakeside -o levels.db
says 0 "select count(*) from files where path = 'lakeside/lake_woods.nw' and removed is not null"
python3 - <<'PY' || fail "the index does not agree with the texts"
import sqlite3
db = sqlite3.connect("levels.db")
db.execute("insert into texts_index(texts_index) values ('integrity-check')")
PY

# a scan of "." or ".." is not about what lies outside of it, whose path begins with a dot, too
mkdir -p roots/in/deep roots/out
cp "$samples/graal/lakeside/lake_mill.nw" roots/out
cp "$samples/graal/lakeside/lake_woods.nw" roots/in
tried=$((tried + 1))
(cd roots/in/deep && "$lvl" scan ../../out -o ../../roots.db -q && "$lvl" scan .. -o ../../roots.db -q) || fail 'a scan of ".."'
tried=$((tried + 1))
(cd roots/in && "$lvl" scan ../out . -o ../dot.db -q && "$lvl" scan . -o ../dot.db -q) || fail 'a scan of "."'
expect 1 "$lvl" find --sql "select path from files where removed is not null" --in roots/dot.db
[ ! -s "$said/out" ] || fail 'what is outside of "." was removed'
expect 1 "$lvl" find --sql "select path from files where removed is not null" --in roots/roots.db
[ ! -s "$said/out" ] || fail 'what is outside of ".." was removed'

# a file that keeps its size and its time, since it changed right after the scan
mkdir soon
cp "$samples/graal/lakeside/lake_mill.nw" soon
touch -d '+1 hour' soon/lake_mill.nw && cp -p soon/lake_mill.nw soon.nw
expect 0 "$lvl" scan soon -o soon.db
"$lvl" set soon/lake_mill.nw 'links[0].level=lake_meaXow.nw' -i -q
touch -r soon.nw soon/lake_mill.nw
expect 0 "$lvl" scan soon -o soon.db
err_has '1 read' 'a change within the second of the scan'
expect 0 "$lvl" scan soon -o soon.db
err_has ' 0 read' 'the same again'
expect 0 "$lvl" find lake_meaxow --in soon.db
# a member of an archive whose members have times of their own
tarred() { # tarred DATE: soon/a.tar, whose member keeps its time
    touch -d 2001-01-01 soon.nw && tar -cf soon/a.tar soon.nw && touch -d "$1" soon/a.tar
}
tarred 2002-01-01
expect 0 "$lvl" scan soon -o soon.db
"$lvl" set soon.nw 'links[0].level=lake_meaYow.nw' -i -q
tarred 2003-01-01
expect 0 "$lvl" scan soon -o soon.db
err_has '2 read' 'a member that kept its size and time'
expect 0 "$lvl" find lake_meayow --in soon.db
# no member is read if the archive has the same size and time
LC_ALL=C sed -i s/lake_meaYow/lake_meaZow/ soon/a.tar
touch -d 2003-01-01 soon/a.tar
expect 0 "$lvl" scan soon -o soon.db
err_has ' 0 read' 'an archive of the same size and time'
expect 1 "$lvl" find lake_meazow --in soon.db
touch -d 2004-01-01 soon/a.tar
expect 0 "$lvl" scan soon -o soon.db
err_has '2 read' 'an archive of another time'
expect 0 "$lvl" find lake_meazow --in soon.db
# an archive whose time is not known
tarred @0
expect 0 "$lvl" scan soon -o soon.db
LC_ALL=C sed -i s/lake_meaYow/lake_meaXow/ soon/a.tar
touch -d @0 soon/a.tar
expect 0 "$lvl" scan soon -o soon.db
err_has '2 read' 'an archive whose time is not known'
# an archive that is replaced after it was read, and before its turn: its members have the stamp of what was read
if [ -r /proc/self/io ]; then
    mkdir many
    for i in $(seq 150); do { cat cliffs.wwd && echo "$i"; } >"many/$i.wwd"; done
    head -c 20000000 /dev/zero >zeros
    touch -d 2001-01-01 soon.nw zeros
    tar -cf turn.tar soon.nw zeros && touch -d 2002-01-01 turn.tar
    "$lvl" set soon.nw 'links[0].level=lake_meaTurn.nw' -i -q
    touch -d 2001-01-01 soon.nw
    tar -cf other.tar soon.nw zeros && touch -d 2003-01-01 other.tar
    "$lvl" scan -q -j1 many turn.tar -o turn.db &
    while [ -r /proc/$!/io ] && [ "$(sed -n 's/^rchar: //p' /proc/$!/io)" -lt 20000000 ]; do sleep 0.01; done
    mv other.tar turn.tar
    wait $!
    expect 0 "$lvl" scan -j1 turn.tar -o turn.db
    expect 0 "$lvl" find lake_meaTurn --in turn.db
    rm -r many zeros turn.tar
fi
# of several members with one name, a path means the first
SAMPLES=$samples/graal/lakeside python3 - <<'PY'
import os, warnings, zipfile
warnings.simplefilter("ignore")
with zipfile.ZipFile("twins.zip", "w") as pack:
    for name in ("lake_mill.nw", "lake_woods.nw"):
        pack.write(os.path.join(os.environ["SAMPLES"], name), "a.nw")
PY
for again in 1 2; do
    expect 0 "$lvl" scan twins.zip -o twins.db
    err_has 'twins.zip//a.nw: several members have this name: only the first of them is in the catalogue'
done
is "$said/err" 'twins.zip//a.nw: several members have this name: only the first of them is in the catalogue
lvl: twins.db: 2 files; 0 read (0 sound, 0 faulty, 0 damaged, 0 unreadable, 0 foreign), 2 unchanged; 0 added, 0 changed, 0 moved, 0 removed' 'twins again'
expect 0 "$lvl" find --sql "select sha256 from files where name = 'a.nw'" --in twins.db
is "$said/out" "$(sha256sum "$samples/graal/lakeside/lake_mill.nw" | cut -d ' ' -f 1)" "the first of two members with one name"

# a second scan lists what is different; archives are rows, with checksums
mkdir state && cp lakeside/lake_mill.nw state/stays.nw && cp lakeside/lake_woods.nw state/changes.nw
cp lakeside/lake_village.nw state/moves.nw && echo 'GLEVNW01' >state/goes.nw
(cd state && python3 -c "
import zipfile
with zipfile.ZipFile('inner.zip', 'w') as z: z.write('stays.nw')
with zipfile.ZipFile('pack.zip', 'w') as z: z.write('inner.zip')
open('cut.zip', 'wb').write(open('inner.zip', 'rb').read()[:44])" && rm inner.zip)
touch -d 2001-01-01 state/*
expect 0 "$lvl" scan state -o state.db
[ ! -s "$said/out" ] || fail "a first scan lists nothing"
err_has '9 files; 9 read (5 sound, 0 faulty, 0 damaged, 2 unreadable, 2 foreign), 0 unchanged'
"$lvl" catalog --in state.db | tr -s ' ' >said
grep -q ' 2 unreadable' said || fail "scan and catalog say different things of what is unreadable: $(cat said)"
says "$(sha256sum <state/pack.zip | cut -d' ' -f1)" "select sha256 from files where path = 'state/pack.zip'" state.db
says "state/pack.zip" "select archive from files where path = 'state/pack.zip//inner.zip' and length(sha256) = 64" state.db
says "$(sha256sum <state/cut.zip | cut -d' ' -f1),unreadable" "select sha256, verdict from files where path = 'state/cut.zip'" state.db
rm state/cut.zip
"$lvl" set state/changes.nw 'signs[0].x=9' -i -q
mv state/moves.nw state/moved.nw && rm state/goes.nw && cp lakeside/lake_meadow.nw state/comes.nw && cp state/stays.nw state/copy.nw
expect 0 "$lvl" scan state -o state.db
is "$said/out" 'added: state/comes.nw
added: state/copy.nw
changed: state/changes.nw
moved: state/moves.nw -> state/moved.nw
removed: state/cut.zip
removed: state/cut.zip//stays.nw
removed: state/goes.nw' 'what is different'
err_has '; 2 added, 1 changed, 1 moved, 3 removed'
mv state/moved.nw state/moves.nw
expect 0 "$lvl" scan state -o state.db --json
grep -q '"removed":0' out || fail "as JSON: $(cat out)"
is "$said/out" "{\"change\":\"moved\",\"path\":\"state/moved.nw\",\"new_path\":\"state/moves.nw\"}
$(tail -n 1 out)" 'what is different, as JSON'
expect 0 "$lvl" scan state -o state.db -q
[ ! -s "$said/out" ] || fail "nothing is different"

# the same rows for any number of threads, and after an interruption
rows() {
    for table in files levels texts refs findings unknown_values likeness; do
        "$lvl" find --csv --sql "select * from $table order by 1, 2" --in "$1"
    done
    # not the PNGs: isa-l's output depends a little on the address of its stream
    "$lvl" find --csv --sql "select file from thumbnails order by 1" --in "$1"
}
"$lvl" scan sketchy versions -o one.db -j1 -q && "$lvl" scan sketchy versions -o four.db -j4 -q
rows one.db >one.csv && rows four.db >four.csv
same one.csv four.csv 'threads'
"$lvl" scan sketchy versions -o killed.db -j1 -q &
pid=$!
sleep 0.05
kill -9 $pid 2>/dev/null
wait $pid 2>/dev/null
expect 0 "$lvl" scan sketchy versions -o killed.db -q
rows killed.db >killed.csv
same one.csv killed.csv 'interrupted'

# only reading
for query in 'delete from files' "attach 'x.db' as x" 'pragma journal_mode=delete' 'select 1; select 2' 'select load_extension(1)' ''; do
    expect 2 "$lvl" find --sql "$query" --in levels.db
done
[ ! -e x.db ] || fail "a query made a file"
# and an endless one ends
# All columns of a row are shown, or the query is refused.
[ "$("$lvl" find --json --sql 'select f.*, a.* from files f left join all_levels a on a.path = f.path limit 1' --in levels.db | grep -c '"info"')" = 1 ] || fail 'a row of many columns'
expect 2 "$lvl" find --sql 'select f.*, f.*, f.*, f.*, f.*, f.*, f.* from files f' --in levels.db
err_has 'columns, expected at most 128'
expect 1 "$lvl" find --sql 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n' --in levels.db --limit work=10000000
err_has 'limit' 'an endless query'
err_has 'work' 'an endless query' 
cp levels.db before.db
expect 0 "$lvl" find pond --in levels.db
same levels.db before.db 'a search changed the catalogue'

# of a file that somebody made to do harm, no trigger runs, and what its views may take is limited
evil() {
    cp levels.db evil.db
    python3 - "$1" <<'PY'
import sqlite3, sys
db = sqlite3.connect("evil.db")
db.executescript(sys.argv[1])
db.commit()
PY
}
endless="with recursive n (i) as (select 1 union all select i from n)"
evil "create trigger t after insert on stored_files begin delete from stored_texts; end; create trigger u after update on stored_files begin delete from stored_texts; end"
touch -d 2001-01-01 lakeside/lake_mill.nw
cp lakeside/lake_mill.nw lakeside/another.nw
before=$(ask "select count(*) from texts" evil.db)
expect 0 "$lvl" scan lakeside -o evil.db
rm lakeside/another.nw
tried=$((tried + 1))
[ "$(ask "select count(*) from texts" evil.db)" -gt "$before" ] || fail "a trigger ran"
evil "create trigger t instead of insert on files begin delete from stored_files; end"
expect 0 "$lvl" find pond --in evil.db
# a view in place of a table
evil "alter table stored_files rename to hidden; create view stored_files as select * from hidden"
expect 3 "$lvl" scan lakeside -o evil.db
err_has 'evil.db: ' 'a view in place of a table'
evil "drop view missing; create view missing as select load_extension('x') as path, 1 as place, 1 as kind, 1 as target, 1 as count, 1 as file"
expect 2 "$lvl" find --missing --in evil.db
err_has 'load_extension' 'a function in a view'
# endless views
evil "drop view missing; create view missing as $endless select 'x' as path, 1 as place, 1 as kind, 1 as target, 1 as count, i as file from n where i = 2"
expect 1 "$lvl" find --missing --in evil.db --limit work=10000000
err_has 'steps' 'an endless view'
evil "drop table meta; create view meta as $endless select 'schema' as key, i as value from n where i = 3"
expect 1 "$lvl" scan lakeside -o evil.db --limit work=10000000
err_has 'steps' 'an endless view in a scan'
evil "drop table stored_refs"
expect 2 "$lvl" find --uses well.png --in evil.db
err_has 'stored_refs'
expect 3 "$lvl" scan lakeside -o evil.db
# keys whose texts would have none, and a number that has no negative one
for id in 9223372036854775807 36028797018963967 0 -1; do
    evil "update stored_files set id = $id where id = (select max(id) from stored_files)"
    expect 4 "$lvl" scan lakeside -o evil.db
    err_has 'evil.db: cannot be read: it has keys that lvl does not give' "the key $id"
done
evil "update stored_files set scanner = -9223372036854775807 - 1"
expect 0 "$lvl" scan lakeside -o evil.db
# special files are refused, and not waited for
if [ -z "$windows" ] && mkfifo fifo 2>/dev/null && command -v timeout >/dev/null; then
    for command in 'catalog --in fifo' 'gallery fifo -o nowhere' 'scan lakeside -o fifo'; do
        # shellcheck disable=SC2086  # words of a command
        expect 3 timeout 10 "$lvl" $command
        err_has 'fifo: expected a file, found a pipe or device' "$command"
    done
    expect 3 "$lvl" catalog --in lakeside
    err_has 'lakeside: expected a file, found a folder'
    rm fifo
fi
# another version, and another program's
evil "pragma user_version = 1"
expect 4 "$lvl" find pond --in evil.db
err_has 'evil.db: a catalogue of version 1, expected version'
expect 4 "$lvl" scan lakeside -o evil.db
evil "pragma user_version = 99"
expect 4 "$lvl" find pond --in evil.db
err_has 'a newer lvl'
evil "pragma application_id = 0"
expect 4 "$lvl" find pond --in evil.db
err_has 'evil.db: not a catalogue of this version of lvl'
python3 - <<'PY'
import sqlite3
sqlite3.connect("other.db").executescript("create table a(b)")
PY
expect 4 "$lvl" find pond --in other.db
expect 4 "$lvl" catalog --in cliffs.wwd
expect 3 "$lvl" catalog --in absent.db
for at in 100 5000 20000 50000; do
    cp levels.db damaged.db
    printf 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' |
        dd of=damaged.db bs=1 seek=$at conv=notrunc 2>/dev/null
    "$lvl" find pond --in damaged.db >out 2>err
    [ $? -le 4 ] || fail "a damaged catalogue: $at"
done
# a level that has one tile and an NPC: said, and not only that nothing was found
printf 'GLEVNW01\nNPC - 1 1\nhello;\nNPCEND\n' >small.nw
expect 0 "$lvl" scan small.nw -o small.db -q
"$lvl" find --like small.nw --in small.db 2>&1 | grep -q 'too few different tiles, things and texts to compare' || fail 'a level without a signature'
# names that are no UTF-8 can be passed on
mkdir bytes && python3 - <<'PY'
import os
for name in (b"na\xffme.nw", b"other\\xff.nw"):
    with open(b"bytes/" + name, "wb") as f: f.write(b"GLEVNW01\nSIGN 1 1\nheron\nSIGNEND\n")
PY
if [ -z "$windows" ] && [ "$(ls bytes | wc -l)" = 2 ]; then # Windows has no such names
    expect 0 "$lvl" scan bytes -o bytes.db -q
    "$lvl" find -0 heron --in bytes.db >names.0
    expect 0 "$lvl" check --from0 names.0 --no-art
    err_has '2 files checked: 2 sound'
    [ "$("$lvl" find -l heron --in bytes.db | tr -d '\n' | wc -c)" = 32 ] || fail 'names that are no UTF-8 in -l'
    # a byte and its escape are two names
    python3 -c 'open(b"bytes/na\\xffme.nw", "wb").write(b"GLEVNW01\nSIGN 1 1\nstork\nSIGNEND\n")'
    expect 0 "$lvl" scan bytes -o bytes.db -q
    says '3,3' 'select count(*), count(distinct path) from files' bytes.db
    says 'bytes/na\x5cxffme.nw' "select f.path from files f join texts t on t.file = f.id where t.text = 'stork'" bytes.db
    "$lvl" find -0 stork --in bytes.db | tr '\0' '\n' >found
    # shellcheck disable=SC1003  # a backslash
    [ "$(cat found)" = 'bytes/na\xffme.nw' ] || fail "the path of a name with an escape: $(cat found)"
    expect 0 "$lvl" scan bytes -o bytes.db
    err_has '0 added, 0 changed, 0 moved, 0 removed' 'names that are no UTF-8 again'
fi
# the rows of all files are lost: said of the file, and not that nothing was found
python3 - <<'PY'
import sqlite3
db = sqlite3.connect("levels.db")
page, size = db.execute("select rootpage, (select page_size from pragma_page_size) from sqlite_master where name = 'stored_texts'").fetchone()
data = bytearray(open("levels.db", "rb").read())
data[(page - 1) * size:page * size] = b"x" * size
open("page.db", "wb").write(data)
PY
expect 4 "$lvl" find pond --in page.db
err_has 'page.db: the database is damaged: scan again into a new one'
# a catalogue that nobody can write, in a folder that nobody can write, as on a disc
if [ -z "$windows" ] && [ "$(id -u)" = 0 ] && command -v su >/dev/null; then # Wine runs for one user only
    as_nobody() { su -s /bin/sh nobody -c 'cd / && exec "$@"' -- sh "$@"; }
    disc=$(mktemp -d /tmp/lvl-disc.XXXXXX)
    cp "$lvl" "$disc/lvl"
    [ ! -e "$(dirname "$lvl")/liblvl.so.0" ] || cp -L "$(dirname "$lvl")/liblvl.so.0" "$disc"
else
    as_nobody() { "$@"; }
    disc=$t/disc
    mkdir "$disc" && ln -s "$lvl" "$disc/lvl"
fi
mkdir "$disc/read only?#%41" && cp levels.db "$disc/read only?#%41"
chmod 444 "$disc/read only?#%41/levels.db" && chmod -R a+rX "$disc" && chmod 555 "$disc/read only?#%41"
if as_nobody test -w "$disc/read only?#%41"; then
    echo "not tried: a folder that cannot be written"
else
    expect 0 as_nobody env LD_LIBRARY_PATH="$disc" "$disc/lvl" find pond --in "$disc/read only?#%41/levels.db"
    out_has 'signs['
    expect 0 as_nobody env LD_LIBRARY_PATH="$disc" "$disc/lvl" catalog --in "$disc/read only?#%41/levels.db"
    [ "$(ls "$disc/read only?#%41")" = levels.db ] || fail 'files beside a catalogue that is only read'
fi
chmod -R u+w "$disc" && rm -rf "$disc"
head -c 9000 levels.db >cut.db
"$lvl" find pond --in cut.db >out 2>err
case $? in 1 | 3 | 4) ;; *) fail "a cut catalogue" ;; esac
# the place that is shown is that of the word, also with signs and accents
printf 'GLEVNW01\nSIGN 1 1\nother\nSIGNEND\nSIGN 2 2\nMind the "pond"\nSIGNEND\nSIGN 3 3\n\304pfel\nSIGNEND\n' >signs.nw
for words in 'mind-the' 'pond"' '"the pond"' 'the.po'; do
    expect 0 "$lvl" find "$words" --in signs.nw
    [ "$(tr -d '\r' <out)" = 'signs.nw: signs[1].text: Mind the "pond"' ] || fail "$words: $(cat out)"
done
expect 0 "$lvl" find apfel --in signs.nw
out_has 'signs[2].text'
# a number is a text where somebody wrote it
printf 'GLEVNW01\nLINK a.nw 31 62 2 1 4711 61\nSIGN 1 1\n1984\nSIGNEND\nNPC - 3 4\n20-26\nNPCEND\n' >numbers.nw
expect 0 "$lvl" find 1984 --in numbers.nw
out_has 'signs[0].text: 1984'
expect 0 "$lvl" find '"20 26"' --in numbers.nw
expect 1 "$lvl" find 4711 --in numbers.nw
# names that are SQL, options and broken UTF-8
mkdir hostile
cp lakeside/lake_mill.nw "hostile/'; drop table files; --.nw"
cp lakeside/lake_mill.nw hostile/-o.nw
hostile=2
if [ -z "$windows" ]; then # which has no such name
    cp lakeside/lake_mill.nw "hostile/$(printf 'broken\377\n.nw')"
    hostile=3
fi
expect 0 "$lvl" scan hostile -o hostile.db
says $hostile "select count(*) from files" hostile.db
expect 0 "$lvl" scan hostile -o hostile.db
err_has "$hostile unchanged"
expect 0 "$lvl" find "drop" --in hostile.db -l

# counts and tables
expect 0 "$lvl" catalog --in levels.db
out_has 'The lvl samples'
expect 0 "$lvl" catalog export --csv plain --in levels.db
err_has 'thumbnails: not exported'
[ ! -e plain/thumbnails.csv ] && [ -s plain/levels.csv ] || fail "pictures are exported that nobody asked for: $(ls plain)"
expect 2 "$lvl" catalog --thumbnails --in levels.db
expect 0 "$lvl" catalog export --thumbnails --csv tables --in levels.db
expect 0 "$lvl" catalog export --thumbnails --jsonl tables --in levels.db
expect 3 "$lvl" catalog export --csv tables --in levels.db
err_has meta.csv
python3 - <<'PY' || fail "the exported tables are not those of the catalogue"
import base64, csv, json, sqlite3
csv.field_size_limit(1 << 30)
db = sqlite3.connect("levels.db")
for table in "meta files levels texts refs findings unknown_values likeness thumbnails".split():
    rows = db.execute(f"select * from {table}").fetchall()
    names = [c[1] for c in db.execute(f"pragma table_info({table})")]
    with open(f"tables/{table}.jsonl", encoding="utf-8") as f:
        lines = [json.loads(line) for line in f]
    assert len(lines) == len(rows), (table, len(lines), len(rows))
    for line, row in zip(sorted(lines, key=str), sorted((dict(zip(names, (base64.b64encode(v).decode() if isinstance(v, bytes) else v for v in r))) for r in rows), key=str)):
        assert line == row, (table, line, row)
    if rows:
        with open(f"tables/{table}.csv", encoding="utf-8", newline="") as f:
            read = list(csv.reader(f))
        assert read[0] == names and len(read) == len(rows) + 1, table
PY

# A table of files without a catalogue; only the summary is printed of files that are all foreign.
expect 0 "$lvl" info --csv "$samples/wwd/cliffs.wwd" "$samples/sketchy/walk.levelpack"
tr -d '\r' <"$said/out" >table.csv
grep -q '^path,format,version,verdict,errors,warnings,size,file_date,sha256,title,author,game' table.csv || fail 'the columns of a table'
grep -q 'cliffs.wwd,wwd,.*,sound,0,.*,4944,.*,Grey Cliffs - Level 1,' table.csv || fail 'a level in a table'
grep -q 'walk.levelpack//levels/hill.level,sketchy,v4,' table.csv || fail 'a member in a table'
expect 2 "$lvl" info --csv --json "$samples/wwd/cliffs.wwd"
mkdir foreign && echo x >foreign/a.txt
expect 0 "$lvl" scan foreign -o foreign.db
[ "$(wc -l <"$said/err" | tr -d ' ')" = 1 ] || fail 'only the summary'

# the levels of a pack in a zip, too
python3 -c 'import sys, zipfile; zipfile.ZipFile("packed.zip", "w").write(sys.argv[1], "a/walk.levelpack")' "$samples/sketchy/walk.levelpack"
expect 0 "$lvl" scan packed.zip -o packed.db
got=$(ask "select path from files order by path" packed.db)
[ "$got" = "packed.zip packed.zip//a/walk.levelpack packed.zip//a/walk.levelpack//doodads/lantern.doodad packed.zip//a/walk.levelpack//index.json packed.zip//a/walk.levelpack//levels/hill.level packed.zip//a/walk.levelpack//levels/rings.level" ] ||
    fail "a pack in a zip: $got"

# Archives are in memory some at a time, not all to the end. The address sanitizer keeps what was freed.
if ! grep -qa __asan_init "$lvl"; then
    python3 - "$lvl" <<'PY' || fail 'memory of archives'
import resource, subprocess, sys, tarfile, io, os
os.mkdir('tars')
def make(n):
    with tarfile.open(f'tars/{n}.tar', 'w') as tar:
        member = tarfile.TarInfo('data.bin')
        member.size = 24 << 20
        tar.addfile(member, io.BytesIO(bytes([n]) * member.size))
def peak(database):
    done = subprocess.run([sys.argv[1], 'scan', '-q', '-j', '1', 'tars', '-o', database])
    assert done.returncode == 0
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss # the largest of all
make(1)
one = peak('one.db')
for n in range(2, 6):
    make(n)
five = peak('five.db')
assert five < one * 1.6, (one, five)
subprocess.run([sys.argv[1], 'find', '-q', '-j', '1', 'data', '--in', 'tars'], stdout=subprocess.DEVNULL)
found = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
assert found < one * 1.6, ('find without a catalogue', one, found)
PY
    "$lvl" find --in five.db --csv --sql "select count(*) from files where path like 'tars/%.tar//data.bin'" | grep -q '^[05]' || fail 'members of all archives'
    rm -rf tars
fi
# A named pipe is not read; a scan of nothing else fails, as every verb does, and makes no catalogue.
if [ -z "$windows" ] && mkfifo pipe 2>/dev/null; then
    rm -f of-pipe.db
    expect 1 "$lvl" scan -q pipe -o of-pipe.db
    err_has "no file that \`lvl scan' can read"
    [ ! -e of-pipe.db ] || fail "a scan of a pipe makes a catalogue"
fi
finish
