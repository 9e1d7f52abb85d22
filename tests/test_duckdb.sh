#!/bin/sh
# `lvl catalog export`: DuckDB makes Parquet of the tables, and its queries give what those of the catalogue give.
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
