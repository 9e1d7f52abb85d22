#!/bin/sh
# Scans that several programs share: with four workers, of which one is killed, one has a wrong clock, and under whom the server is restarted, the catalogue is
# the same as by a scan into SQLite.
. "$(dirname "$0")/support/shell.sh"
. "$here/support/postgres.sh"
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
wrong_clock=
# The address sanitizer asks for the time before faketime is ready, and waits for ever then.
if ! grep -q __asan_init "$lvl" && timeout 20 faketime -f +700d "$lvl" --version >/dev/null 2>&1; then
    wrong_clock="faketime -f +700d"
else
    echo "no faketime: all clocks are right"
fi

python3 - <<'PY'
import os, zipfile
def level(n):
    sign = "\n".join(f"SIGN {i} {n % 60}\nword{n} sign{i} of level {n}: {'lorem ipsum ' * 20}\nSIGNEND" for i in range(20))
    board = "\n".join(f"BOARD 0 {y} 64 0 " + "".join(chr(65 + (n + y * x) % 26) + chr(97 + (n * x) % 26) for x in range(64)) for y in range(64))
    return f"GLEVNW01\n{board}\nLINK next{n}.nw 0 0 1 1 2 2\n{sign}\n"
os.makedirs("data/loose/deep")
n = 0
for z in range(4):
    with zipfile.ZipFile(f"data/pack{z}.zip", "w", zipfile.ZIP_DEFLATED) as out:
        for _ in range(50):
            out.writestr(f"levels/level{n}.nw", level(n))
            n += 1
for _ in range(500):
    with open(f"data/loose/{'deep/' if n % 2 else ''}level{n}.nw", "w") as f:
        f.write(level(n))
    n += 1
PY
cp -r "$samples/graal/lakeside" "$samples/sketchy" "$samples/wwd" data
chmod -R u+w data

left() { psql -d "$db" -c 'SELECT count(*) FROM scan_items' 2>/dev/null || echo 0; }
wait_left() { # until at most so many items are left
    tries=0
    while n=$(left) && [ "${n:-0}" -gt "$1" ] && [ $tries -lt 600 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
}
wait_list() {
    tries=0
    until [ "$(psql -d "$db" -c 'SELECT count(*) FROM scan_list WHERE ended = 0' 2>/dev/null)" = 1 ] || [ $tries -ge 200 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
}
done_with() { # PID NAME [CODE]: a worker ends well
    tried=$((tried + 1))
    wait "$1"
    code=$?
    [ $code = "${3:-0}" ] || { fail "worker $2: exit $code"; tail -n 3 "$2.err"; }
}
compare() {
    rm -rf sqlite postgres
    expect 0 "$lvl" catalog export --csv sqlite --in levels.db
    expect 0 "$lvl" catalog export --csv postgres --in "$url"
    for export in sqlite postgres; do python3 "$here/support/catalogue_rows.py" $export || fail "rows of $export"; done
    diff -r sqlite postgres >diff.txt || { fail "other rows than in SQLite: $1"; grep -c . diff.txt; head -n 5 diff.txt | cut -c1-300; }
}

db=shared
url=$(url $db)
expect 0 "$lvl" scan data -o levels.db -q
expect 1 "$lvl" scan --worker --to "$url"
err_has 'no scan is running'
expect 2 "$lvl" scan data --worker --to "$url"
expect 2 "$lvl" scan --worker

"$lvl" scan data -j1 --to "$url" 2>first.err & first=$!
wait_list
expect 3 "$lvl" scan data --to "$url"
err_has 'another scan is running'
"$lvl" scan --worker -j1 --to "$url" 2>killed.err & killed=$!
# shellcheck disable=SC2086  # words of a command
$wrong_clock "$lvl" scan --worker -j1 --to "$url" 2>clock.err & clock=$!
"$lvl" scan --worker -j1 --to "$url" 2>fourth.err & fourth=$!
wait_left 450
kill -9 $killed
wait $killed 2>/dev/null
wait_left 350
at_restart=$(left)
pg_stop immediate
sleep 0.5
pg_start
done_with $first first
done_with $clock clock
done_with $fourth fourth
[ "$at_restart" -gt 0 ] || fail "the server was restarted when all was done"
grep -q 'the connection to the database is lost (.*trying again in' ./*.err || fail "nobody has noticed the restart"
[ "$(psql -d $db -c "SELECT count(*) FROM scan_items")" = 0 ] || fail "items are left"
compare 'four workers'
cat ./*.err | sed 's/^/    /'

# another scan, of which who began it dies: the others end it
rm -r data/loose/deep data/pack3.zip
touch data/loose/level302.nw
cp data/loose/level200.nw data/new.nw
for file in data/loose/*.nw; do echo "SIGN 1 1
changed
SIGNEND" >>"$file"; done
expect 0 "$lvl" scan data -o levels.db -q
"$lvl" scan data -j1 --to "$url" 2>first.err & first=$!
wait_list
"$lvl" scan --worker -j1 --to "$url" 2>second.err & second=$!
wait_left 250
kill -9 $first
wait $first 2>/dev/null
done_with $second second
compare 'the first is killed'
[ "$(psql -d $db -c "SELECT count(*) > 0, min(removed) = max(removed) FROM files WHERE removed IS NOT NULL")" = 't|t' ] || fail 'nothing is marked as removed'

# a list that nobody works on any more is replaced, and a worker without the files refuses
"$lvl" scan data -j1 --no-thumbnails --to "$url" 2>first.err & first=$!
wait_list
kill -9 $first
wait $first 2>/dev/null
(cd / && "$lvl" scan --worker --to "$url" 2>"$t/other.err") && [ ! -s other.err ] && fail 'a worker without the files'
grep -q 'data is not found here\|no scan is running' other.err || fail "what is missing: $(cat other.err)"
expect 0 "$lvl" scan data --to "$url" -q
compare 'a new list'

finish
