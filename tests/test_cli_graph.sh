#!/bin/sh
# `lvl render --graph`: DOT on stdout, the form by the ending, pictures by Graphviz, the same output for any number of threads.
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
"$lvl" help render | tr -s ' \n' ' ' | grep -q 'With --graph: the picture of each level, N from 16 to 1024' || fail "help: what --size means with --graph"
# a file has the pictures of its levels in a folder beside it, named relatively
"$lvl" render -q --graph "$t/world" -o "$t/links.dot" || fail "-o links.dot"
grep -q '"a.nw" \[.*SRC="links-pictures/1.png"' "$t/links.dot" || fail "no picture in links.dot: $(cat "$t/links.dot")"
for n in 1 2; do
    [ "$(head -c 4 "$t/links-pictures/$n.png" | tail -c 3)" = PNG ] || fail "links-pictures/$n.png is no PNG"
done
"$lvl" render -q --graph "$t/world" -o "$t/links.gv" -y && cmp "$t/links.dot" "$t/links.gv" || fail "-o links.gv"
if "$lvl" render -q --graph "$t/world" -o "$t/links.dot" 2>/dev/null; then
    fail "overwrote without -y"
fi
code=0
"$lvl" render -q --graph "$t/world" -o "$t/links.gif" 2>/dev/null || code=$?
[ $code = 2 ] || fail "links.gif: $code"

# ---- Graphviz
# a name with whatever DOT, SVG and options are made of
mkdir "$t/names" "$t/tmp"
hostile='-Tps"];<b>&lt;'
if [ -n "$windows" ]; then hostile='-Tps];&lt;'; fi
printf 'GLEVNW01\nLINK two.nw 63 0 1 64 0 playery\nLINK <i>"gone 9 9 2 2 30 30\n' >"$t/names/$hostile.nw"
printf 'GLEVNW01\n' >"$t/names/two.nw"
# without it: a message that says where to get it, and nothing is written
if [ -z "$windows" ]; then # Wine is found by the path
    code=0
    env PATH="$t/none" "$lvl" render -q --graph "$t/world" -o "$t/links.png" 2>"$t/said" || code=$?
    [ $code = 3 ] && grep -q 'install Graphviz.*https://graphviz.org/download' "$t/said" && [ ! -e "$t/links.png" ] ||
        fail "no Graphviz: $code, $(cat "$t/said")"
    # its messages are shown, with the program's name, and what they hide is not
    mkdir "$t/bin"
    printf '#!/bin/sh\nprintf "syntax \\033[2Jerror\\n" >&2\nexit 1\n' >"$t/bin/dot"
    chmod +x "$t/bin/dot"
    code=0
    env PATH="$t/bin" TMPDIR="$t/tmp" "$lvl" render -q --graph "$t/world" -o "$t/links.png" 2>"$t/said" || code=$?
    [ $code = 3 ] && grep -q '^lvl: dot: syntax .x1b.2Jerror$' "$t/said" && [ ! -e "$t/links.png" ] || fail "dot fails: $code, $(cat "$t/said")"
    [ -z "$(ls "$t/tmp")" ] || fail "temporary files stay: $(ls "$t/tmp")"
    # so many messages that not all are kept: the picture is saved
    cat >"$t/bin/dot" <<EOF
#!/bin/sh
PATH=$PATH
for word; do case \$word in -o*) cp "$samples/graal/well.png" "\${word#-o}" ;; esac; done
yes "a warning of Graphviz" | head -c 100000 >&2
EOF
    env PATH="$t/bin" TMPDIR="$t/tmp" "$lvl" render -q --graph "$t/world" -o "$t/talk.png" 2>"$t/said" || fail "100,000 bytes of messages: $?"
    cmp -s "$samples/graal/well.png" "$t/talk.png" || fail "100,000 bytes of messages: no picture"
    grep -q 'further messages are left out' "$t/said" || fail "messages are left out without a word: $(tail -n 1 "$t/said")"
    [ -z "$(ls "$t/tmp")" ] || fail "temporary files stay: $(ls "$t/tmp")"
fi
if [ -z "$windows" ] && command -v dot >/dev/null; then
    for folder in world names; do
        TMPDIR=$t/tmp "$lvl" render -q --graph "$t/$folder" -o "$t/$folder.png" 2>"$t/said" || fail "$folder.png: $(cat "$t/said")"
        [ "$(head -c 4 "$t/$folder.png" | tail -c 3)" = PNG ] || fail "$folder.png is no PNG"
        TMPDIR=$t/tmp "$lvl" render -q --graph "$t/$folder" -o "$t/$folder.svg" 2>"$t/said" || fail "$folder.svg: $(cat "$t/said")"
        # two levels with their pictures in it, a missing one, and nothing that is elsewhere
        [ "$(grep -c 'class="node"' "$t/$folder.svg")" = 3 ] || fail "$folder.svg: nodes"
        [ "$(grep -o 'xlink:href="data:image/png;base64,iVBOR' "$t/$folder.svg" | wc -l)" = 2 ] || fail "$folder.svg: pictures"
        if grep 'href="' "$t/$folder.svg" | grep -v 'href="data:image/png'; then fail "$folder.svg: a link to elsewhere"; fi
        [ -z "$(ls "$t/tmp")" ] || fail "temporary files stay: $(ls "$t/tmp")"
        # the DOT file, where it is, is the same picture
        "$lvl" render -q --graph "$t/$folder" -o "$t/$folder.dot" && (cd "$t" && dot -Tpng -Goverlap=prism "$folder.dot" -o again.png) &&
            cmp "$t/again.png" "$t/$folder.png" || fail "$folder.dot is another picture"
    done
    grep -q '>a.nw</text>' "$t/world.svg" && grep -q '>gone.nw</text>' "$t/world.svg" || fail "world.svg: names"
    # the names are texts: no element is of theirs
    if grep -q '<b>\|<i>' "$t/names.svg"; then fail "a name is markup: $(cat "$t/names.svg")"; fi
    # of many levels another program of Graphviz makes a picture that is not wider than a screen can show
    mkdir "$t/many"
    n=0
    while [ $n -lt 30 ]; do
        printf 'GLEVNW01\n' >"$t/many/m$n.nw"
        n=$((n + 1))
    done
    "$lvl" render -q --graph "$t/many" -o "$t/many.svg" || fail "many.svg"
    width=$(sed -n 's/^<svg width="\([0-9]*\)pt".*/\1/p' "$t/many.svg")
    [ "$width" -lt 2000 ] || fail "many.svg is $width wide"
else
    echo "no Graphviz: its pictures are not tested"
fi
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
"$lvl" render --graph "$t/alone" -o "$t/alone.dot" 2>"$t/said" || fail "levels without links: $?"
grep -q '2 levels, no links between them' "$t/said" || fail "no links: $(cat "$t/said")"
# a file that can't be read would look like a missing level: no graph then, and a message
code=0
"$lvl" render --graph "$t/alone" "$t/nowhere.nw" -o "$t/part.dot" 2>"$t/said" || code=$?
[ $code = 3 ] && [ ! -e "$t/part.dot" ] && grep -q 'no graph written' "$t/said" || fail "a file that is not there: $code, $(cat "$t/said")"
finish
