#!/bin/sh
# Catalogues in PostgreSQL: the same rows and answers as in SQLite, passwords nowhere, odd texts as data.
. "$(dirname "$0")/support/shell.sh"
. "$here/support/postgres.sh"
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }

# Tables of both catalogues as files.
export_both() {
    rm -rf sqlite postgres
    expect 0 "$lvl" catalog export --csv sqlite --in levels.db
    expect 0 "$lvl" catalog export --csv postgres --in "$url"
    for export in sqlite postgres; do python3 "$here/support/catalogue_rows.py" $export || fail "rows of $export"; done
    diff -r sqlite postgres >diff.txt || { fail "other rows than in SQLite: $1"; head -n 5 diff.txt | cut -c1-300; }
}
# Prints the same from both.
both() {
    tried=$((tried + 1))
    "$lvl" "$@" --in levels.db >of.sqlite 2>&1
    was=$?
    "$lvl" "$@" --in "$url" >of.postgres 2>&1
    [ $? = $was ] || fail "other exit code: $*"
    # the order of hits is that of another rank
    sort of.sqlite >sorted.sqlite
    sort of.postgres >sorted.postgres
    same sorted.sqlite sorted.postgres "$*"
}

cp -r "$samples/graal/lakeside" "$samples/graal/versions" "$samples/sketchy" .
cp "$samples/wwd/cliffs.wwd" "$samples/wwd/cliffs-stored.wwd" .
chmod -R u+w .
# names and texts that mean something in SQL, in COPY and in the full-text index; \x01 is a byte like any other
python3 - <<'PY'
import os, zipfile
texts = ["Robert'); DROP TABLE files;--", "\\N", "\\.", "tab\there", "back\\slash", "$1 $lvl$ %s", "\u00c4pfel \u03a9mega \u6c34 na\u00efve",
         "o'hara & <-> | ! :* (", "word " * 20000, "a" * 5000, "\x01\x1f", "often rare " * 600 + "often last"]
os.mkdir("odd")
for i, text in enumerate(texts):
    with open(f"odd/it's {i} \"q\" \\N.nw", "w", encoding="utf-8") as f:
        f.write("GLEVNW01\nBOARD 0 0 1 0 AA\nSIGN 10 10\n" + text + "\nSIGNEND\n")
with open("odd/broken.nw", "wb") as f:
    f.write(b"GLEVNW01\nSIGN 1 1\nbroken \xff\xfe\x80 text \xc3\nSIGNEND\nNPC pic\x00ture.png 3 4\nmessage a\x00b;\nNPCEND\n")
open(b"odd/na\xffme.nw", "wb").write(b"GLEVNW01\n")
with zipfile.ZipFile("odd/twice.zip", "w") as z:
    for i in range(3):  # the same name again, and one that is longer than an entry of an index can be
        z.writestr("same.nw", f"GLEVNW01\nSIGN 1 1\nversion {i}\nSIGNEND\n")
    z.writestr("long/" + "name" * 4000 + ".nw", "GLEVNW01\n")
PY
url=$(url one)
expect 0 "$lvl" scan lakeside versions sketchy cliffs.wwd cliffs-stored.wwd odd -o levels.db
expect 0 "$lvl" scan lakeside versions sketchy cliffs.wwd cliffs-stored.wwd odd --to "$url"
err_has ' files; ' 'scan --to'
export_both 'first scan'
both find treasure --json
# notes of people are the same in both, from one file
expect 0 "$lvl" catalog edit cliffs.wwd author="Rosa O'Mare" name+='100% "Cliffs"' --source 'a letter' --in levels.db -q
expect 0 "$lvl" catalog edit cliffs.wwd date=2003 --in "$url" --notes levels.notes.json -q
expect 0 "$lvl" catalog edit cliffs.wwd date=2003 --in levels.db -q
both find note:mare
both find note:100% treasure -l
both catalog edit cliffs.wwd
both catalog
both find logic:Soldire
expect 0 "$lvl" catalog edit cliffs.wwd author= --in "$url"
err_has '--notes FILE keeps them in a file, too' 'notes in the database only'
grep -q Rosa out && fail 'a removed note'
expect 0 "$lvl" catalog edit cliffs.wwd name= date= --in "$url" -q
expect 0 "$lvl" catalog edit cliffs.wwd name= date= author= --in levels.db -q
rm levels.notes.json
both find ice --json
both find '"hill by the pond"' --json
both find apfel --json
both find naive omega --json
both find "o'hara" --json
both find '"o'"'"'hara' --json
both find 'drop table' --json
both find sign:version --json
both find aaaaaaaaaaaaaa -l
both find word -l
both find '"often last"' --json # a vector of PostgreSQL has 255 places of a word
both find 'format:NW' -l
both find 'game:ÄB' -l
both find 'path:odd/it' -l
both find --duplicates --json
both find --missing --json
both find --uses well.png --json
both find --uses 'a_b%.png' --json
both find --finding nw --json
both find --history lake_mill.nw --json
both find --like cliffs.wwd --json
both catalog stats -v
both find --sql "select path, size, verdict from files where removed is null order by path" --csv
both find --sql "select count(*) as n, sum(size) as s, avg(errors * 0 + 1.5) as mean, min(name) as first, null as empty from files" --csv
both find --sql "select path, title, columns, rows, info from all_levels order by path" --csv
both find --sql "select path, place, kind, target, count from missing order by path, target" --csv
both find --sql "select * from field_values order by 1, 2, 3" --csv

# what changes is followed
printf 'GLEVNW01\nSIGN 1 1\nanother sign\nSIGNEND\n' >lakeside/lake_mill.nw
rm versions/*.graal
touch -d '2001-02-03 04:05:06 UTC' cliffs.wwd
cp lakeside/lake_mill.nw lakeside/new.nw
expect 0 "$lvl" scan lakeside versions sketchy cliffs.wwd cliffs-stored.wwd odd -o levels.db -q
expect 0 "$lvl" scan lakeside versions sketchy cliffs.wwd cliffs-stored.wwd odd --to "$url" --json
out_has '"read":2'
[ "$("$lvl" find --in "$url" --csv --sql 'select count(*) > 0 from files where removed is not null' | sed 1d | tr -d '\r')" = 1 ] || fail "nothing is marked as removed"
export_both 'second scan'
both find another --json
both find lantern --json

# a site of both is the same
expect 0 "$lvl" gallery levels.db -o site.sqlite
expect 0 "$lvl" gallery "$url" -o site.postgres
diff -r site.sqlite site.postgres >diff.txt || { fail "another site than from SQLite"; head -n 5 diff.txt | cut -c1-300; }

# queries can only read
for query in "DELETE FROM files" "UPDATE files SET path = ''" "DROP TABLE files" "SELECT 1; DELETE FROM files" "COPY files TO '/tmp/x'" \
    "WITH x AS (DELETE FROM files RETURNING id) SELECT count(*) FROM x" "SELECT nextval('files_keys')" "" "SELECT nothing"; do
    tried=$((tried + 1))
    "$lvl" find --in "$url" --sql "$query" >out 2>err && fail "allowed: $query"
    [ -s err ] || fail "no reason: $query"
done
export_both 'after queries'

# passwords: refused in an address, and never shown
for address in "postgresql://lvl:SECRET@/one?host=$pg" "postgresql://lvl@/one?host=$pg&password=SECRET" "postgres://lvl:SECRET@nowhere.invalid/one" \
    "postgresql://lvl:?SECRET@nowhere.invalid/one" "postgresql://lvl@/one?host=$pg&pa%73sword=SECRET"; do
    for command in "scan lakeside --to" "find treasure --in" "catalog --in" "gallery -o x"; do
        # shellcheck disable=SC2086  # words of a command
        "$lvl" $command "$address" >out 2>err && fail "accepted: $command"
        ! grep -q SECRET out err || fail "a password is shown: $command"
        grep -q pgpass err || fail "no hint to ~/.pgpass: $command: $(cat err)"
    done
done
PGPASSWORD=SECRET "$lvl" find treasure --in "postgresql://lvl@/none?host=$pg" >out 2>err && fail 'a database that is not there'
grep -q SECRET err && fail 'a password is shown'
grep -q 'none' err || fail 'which database'
expect 3 "$lvl" scan lakeside --to "postgresql://lvl@/one?host=$pg/nothing"
expect 2 "$lvl" scan lakeside --to levels.db
expect 2 "$lvl" scan lakeside -o "$url"
expect 2 "$lvl" scan lakeside -o x.db --to "$url"

# a database of others, one of another version, an empty one
url=$(url two)
psql -d two -c 'CREATE TABLE files (a integer)'
expect 3 "$lvl" scan lakeside --to "$url"
err_has files
expect 4 "$lvl" find treasure --in "$url"
url=$(url three)
expect 4 "$lvl" find treasure --in "$url"
err_has 'not a catalogue'
expect 0 "$lvl" scan lakeside --to "$url" -q
psql -d three -c "COMMENT ON TABLE stored_refs IS 'CREATE TABLE refs (of another version)'"
expect 4 "$lvl" find treasure --in "$url"
err_has refs
psql -d three -c 'DROP TABLE stored_refs CASCADE'
expect 4 "$lvl" find treasure --in "$url"
finish
