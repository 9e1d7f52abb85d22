#!/bin/sh
# `lvl catalog export`: DuckDB makes Parquet of the tables, and its queries give what those of the catalogue give. The same of rows of
# `lvl.scan_bytes` and of several catalogues, by the code of docs/catalogue.md.
# Needs node, and `npm install --prefix web/viewer`.
set -eu
skip() {
    echo "skipped: $*"
    exit 77
}
command -v node >/dev/null 2>&1 || skip "there is no node"
[ -d web/viewer/node_modules/@duckdb/node-api ] || skip "there is no @duckdb/node-api; \`npm install --prefix web/viewer' installs it"
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT
"$LVL" find --sql 'select 1' --in "$LVL_SAMPLES/graal/ganis" >/dev/null 2>&1 || skip "built without SQLite"
"$LVL" scan -q --no-thumbnails "$LVL_SAMPLES" -o "$t/samples.db"
"$LVL" catalog export -q --csv "$t/csv" --in "$t/samples.db"
"$LVL" catalog export -q --jsonl "$t/jsonl" --in "$t/samples.db"
mkdir "$t/parquet"
node tests/web/duckdb.mjs web/viewer "$t/csv" "$t/jsonl" "$t/parquet" >"$t/duckdb"
ask() { "$LVL" find --in "$t/samples.db" --csv --sql "$1" | sed 1d | tr -d '\r' | tr ',' ' '; }
{
    for table in files levels texts refs; do
        ask "SELECT '$table', (SELECT count(*) FROM $table), (SELECT count(*) FROM $table)"
    done
    ask "SELECT l.game, count(*) FROM levels l JOIN files f ON f.id = l.file GROUP BY 1 ORDER BY 1"
    ask "SELECT f.name, json_extract(l.info, '\$.enemies.Soldier') FROM levels l JOIN files f ON f.id = l.file WHERE f.name = 'cliffs.wwd'"
} >"$t/lvl"
cmp "$t/lvl" "$t/duckdb" || {
    diff "$t/lvl" "$t/duckdb" | head -n 10
    exit 1
}
cut -d' ' -f1 "$t/lvl" | grep -qx cliffs.wwd # the last query found something

# rows of scan_bytes as Parquet: the code on the page
[ -e "${LVL_LIBRARY:-}" ] || { echo "not tried: no shared library" && exit 0; }
page=$PWD/docs/catalogue.md modules=$PWD/web/viewer script=$PWD/tests/web/duckdb_docs.mjs
export PYTHONPATH="$PWD/bindings/python" PYTHONDONTWRITEBYTECODE=1
mkdir "$t/many" && cd "$t/many"
cp -r "$LVL_SAMPLES" files
awk '/^```/ { code = $0 == "```python"; next } code' "$page" | sed '/^from distributed/d' >page.py
python3 - <<'PY'
import glob
from page import scan
paths = sorted(p for ending in ("wwd", "nw", "graal", "zelda", "level", "doodad") for p in glob.glob(f"files/**/*.{ending}", recursive=True))
for part in range(3):
    scan(part, paths[part::3])
PY
"$LVL" scan -q --no-thumbnails files -o one.db
# and two machines, each with a part of the files
mkdir east west
"$LVL" scan -q --no-thumbnails files/wwd files/sketchy -o east/levels.db
"$LVL" scan -q --no-thumbnails files/graal -o west/levels.db
for part in east west; do "$LVL" catalog export -q --jsonl $part --in $part/levels.db; done
node "$script" "$modules" "$page" >duckdb
columns="path, name, format, version, size, sha256, title, author"
{
    "$LVL" find --in one.db --json --sql "SELECT $columns FROM all_levels WHERE path NOT LIKE '%//%' AND
        format IN ('wwd', 'nw', 'graal', 'sketchy') AND name NOT LIKE '%.levelpack' AND verdict <> 'unreadable' ORDER BY path"
    "$LVL" find --in one.db --json --sql "SELECT path, title, author FROM all_levels WHERE format = 'wwd' AND path NOT LIKE '%//%' AND
        json_extract(info, '\$.enemies.Soldier') > 0 ORDER BY path"
    "$LVL" find --in one.db --json --sql "SELECT f.path, d.id, d.text FROM findings d JOIN files f ON f.id = d.file WHERE d.severity = 'error' AND
        (f.path LIKE 'files/wwd/%' OR f.path LIKE 'files/sketchy/%' OR f.path LIKE 'files/graal/%') ORDER BY f.path, d.id"
} >lvl.json
cmp lvl.json duckdb || {
    diff lvl.json duckdb | head -n 10
    exit 1
}
[ "$(grep -c . lvl.json)" -gt 40 ]
