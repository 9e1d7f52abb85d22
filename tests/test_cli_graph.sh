#!/bin/sh
# `lvl render --graph`: DOT on stdout, files by their ending, the same for any number of threads.
set -eu
lvl=${LVL:?}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset LVL_ART

fail() {
    echo "test_cli_graph: $*" >&2
    exit 1
}

mkdir "$dir/world"
printf 'GLEVNW01\nLINK b.nw 63 0 1 64 0 playery\n' >"$dir/world/a.nw"
printf 'GLEVNW01\nLINK A.nw 0 0 1 64 61 playery\nLINK gone.nw 9 9 2 2 30 30\n' >"$dir/world/b.nw"
printf '"a.nw","b.nw"\n' >"$dir/world/map.txt"
printf 'not a level\n' >"$dir/world/notes.txt"

"$lvl" render --graph "$dir/world" >"$dir/one" 2>"$dir/said" || fail "DOT: $?"
grep -q '"a.nw" -> "b.nw" \[dir=both, label="1+1"' "$dir/one" || fail "no edge both ways: $(cat "$dir/one")"
grep -q '"gone.nw" \[style=dashed' "$dir/one" || fail "the missing level isn't dashed"
grep -q '2 levels, 1 missing' "$dir/said" || fail "said: $(cat "$dir/said")"
"$lvl" render --graph -j 4 "$dir/world" >"$dir/four" 2>/dev/null
cmp "$dir/one" "$dir/four" || fail "threads make a difference"
"$lvl" render -q --graph "$dir/world" -o "$dir/links.dot" || fail "-o links.dot"
cmp "$dir/one" "$dir/links.dot" || fail "links.dot isn't what stdout was"
"$lvl" render -q --graph "$dir/world" --size 32 -o "$dir/links.png" || fail "-o links.png"
[ "$(head -c 4 "$dir/links.png" | tail -c 3)" = PNG ] || fail "links.png is no PNG"
if "$lvl" render -q --graph "$dir/world" -o "$dir/links.png" 2>/dev/null; then
    fail "overwrote without -y"
fi
code=0
"$lvl" render -q --graph "$dir/world" -o "$dir/links.svg" 2>/dev/null || code=$?
[ $code = 2 ] || fail "links.svg: $code"
mkdir "$dir/none"
code=0
"$lvl" render -q --graph "$dir/none" >/dev/null 2>&1 || code=$?
[ $code = 1 ] || fail "an empty folder: $code"
# nothing to draw is a message, for a picture as for DOT
printf 'not a level\n' >"$dir/notes.txt"
for nothing in "$dir/none" "$dir/notes.txt"; do
    code=0
    "$lvl" render --graph "$nothing" -o "$dir/none.png" 2>"$dir/said" || code=$?
    case $code in
    1 | 4) ;;
    *) fail "--graph $nothing -o none.png: $code" ;;
    esac
    grep -q 'no level found' "$dir/said" || fail "nothing to draw: $(cat "$dir/said")"
    [ ! -e "$dir/none.png" ] || fail "wrote a picture of nothing"
done
mkdir "$dir/alone"
printf 'GLEVNW01\n' >"$dir/alone/a.nw"
printf 'GLEVNW01\n' >"$dir/alone/b.nw"
"$lvl" render --graph "$dir/alone" -o "$dir/alone.png" 2>"$dir/said" || fail "levels without links: $?"
grep -q '2 levels, no links between them' "$dir/said" || fail "no links: $(cat "$dir/said")"
# a file that can't be read would look like a missing level: no graph then, and a message
code=0
"$lvl" render --graph "$dir/alone" "$dir/nowhere.nw" -o "$dir/part.png" 2>"$dir/said" || code=$?
[ $code = 3 ] && [ ! -e "$dir/part.png" ] && grep -q 'no graph written' "$dir/said" || fail "a file that is not there: $code, $(cat "$dir/said")"
echo "test_cli_graph: fine"
