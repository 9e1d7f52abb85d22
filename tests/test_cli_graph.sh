#!/bin/sh
# `lvl render --graph`: DOT on stdout, the format by the extension, the same output for any number of threads.
. "$(dirname "$0")/support/shell.sh"
set -e

mkdir "$t/world"
printf 'GLEVNW01\nLINK b.nw 63 0 1 64 0 playery\n' >"$t/world/a.nw"
printf 'GLEVNW01\nLINK A.nw 0 0 1 64 61 playery\nLINK gone.nw 9 9 2 2 30 30\n' >"$t/world/b.nw"
printf '"a.nw","b.nw"\n' >"$t/world/map.txt"
printf 'not a level\n' >"$t/world/notes.txt"

"$lvl" render --graph "$t/world" >"$t/one" 2>"$t/said" || fail "DOT: $?"
grep -q '"a.nw" -> "b.nw" \[dir=both, label="1+1"' "$t/one" || fail "no edge both ways: $(cat "$t/one")"
grep -q '"gone.nw" \[style=dashed' "$t/one" || fail "the missing level isn't dashed"
grep -q '2 levels, 1 missing' "$t/said" || fail "said: $(cat "$t/said")"
"$lvl" render --graph -j 4 "$t/world" >"$t/four" 2>/dev/null
cmp "$t/one" "$t/four" || fail "threads make a difference"
"$lvl" render -q --graph "$t/world" -o "$t/links.dot" || fail "-o links.dot"
cmp "$t/one" "$t/links.dot" || fail "links.dot isn't what stdout was"
"$lvl" render -q --graph "$t/world" --size 32 -o "$t/links.png" || fail "-o links.png"
[ "$(head -c 4 "$t/links.png" | tail -c 3)" = PNG ] || fail "links.png is no PNG"
if "$lvl" render -q --graph "$t/world" -o "$t/links.png" 2>/dev/null; then
    fail "overwrote without -y"
fi
code=0
"$lvl" render -q --graph "$t/world" -o "$t/links.svg" 2>/dev/null || code=$?
[ $code = 2 ] || fail "links.svg: $code"
mkdir "$t/none"
code=0
"$lvl" render -q --graph "$t/none" >/dev/null 2>&1 || code=$?
[ $code = 1 ] || fail "an empty folder: $code"
# nothing to draw is a message, for a picture as for DOT
printf 'not a level\n' >"$t/notes.txt"
for nothing in "$t/none" "$t/notes.txt"; do
    code=0
    "$lvl" render --graph "$nothing" -o "$t/none.png" 2>"$t/said" || code=$?
    case $code in
    1 | 4) ;;
    *) fail "--graph $nothing -o none.png: $code" ;;
    esac
    grep -q 'no level found' "$t/said" || fail "nothing to draw: $(cat "$t/said")"
    [ ! -e "$t/none.png" ] || fail "wrote a picture of nothing"
done
mkdir "$t/alone"
printf 'GLEVNW01\n' >"$t/alone/a.nw"
printf 'GLEVNW01\n' >"$t/alone/b.nw"
"$lvl" render --graph "$t/alone" -o "$t/alone.png" 2>"$t/said" || fail "levels without links: $?"
grep -q '2 levels, no links between them' "$t/said" || fail "no links: $(cat "$t/said")"
# a file that can't be read would look like a missing level: no graph then, and a message
code=0
"$lvl" render --graph "$t/alone" "$t/nowhere.nw" -o "$t/part.png" 2>"$t/said" || code=$?
[ $code = 3 ] && [ ! -e "$t/part.png" ] && grep -q 'no graph written' "$t/said" || fail "a file that is not there: $code, $(cat "$t/said")"
finish
