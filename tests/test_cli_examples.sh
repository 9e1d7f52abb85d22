#!/bin/sh
# Runs every example of the help on the samples, in the order of the help, and compares the exit code with the expected one; then the
# examples in the readme and the pages in docs/, and their pictures.
. "$(dirname "$0")/support/shell.sh"
mkdir "$test_root/bin"
ln -s "$lvl" "$test_root/bin/lvl"
ln -s "$samples" samples
PATH=$test_root/bin:$PATH
t=$test_root

lvl help --examples >"$t/list" || exit 1
while read -r want command; do
    tried=$((tried + 1))
    sh -c "$command" >"$t/out" 2>"$t/err" </dev/null
    code=$?
    [ $code = "$want" ] && continue
    failed=$((failed + 1))
    echo "FAILED: exit $code, not $want: $command"
    sed 's/^/    /' "$t/err" | head -n 4
done <"$t/list"

for made in *.wwd *.nw *.graal *.level *.doodad *.levelpack; do
    [ -e "$made" ] || continue
    lvl check --roundtrip -q "$made" >"$t/out" 2>&1 || { echo "FAILED: $made is not sound"; failed=$((failed + 1)); }
done
for pair in "again.wwd samples/wwd/cliffs.wwd" "same.wwd samples/wwd/cliffs.wwd" \
    "restored.level samples/sketchy/hill-v4.level" "lantern.doodad samples/sketchy/lantern.doodad" \
    "walk.levelpack samples/sketchy/walk.levelpack" "pond.graal samples/graal/versions/gr-v1.03.graal" "woods.nw samples/graal/lakeside/lake_woods.nw"; do
    # shellcheck disable=SC2086
    same_sample $pair || fail "they differ: $pair"
done

# What the readme and the pages in docs/ show. A "$ lvl …" line answers what stands below it, by stdout alone or with what is said on stderr; a line that begins with lvl
# itself works: exit 1 is an answer only of verbs that compare or check. Commands within a line are run too, unless a word in capitals stands for
# something else: their options exist. Each page has a folder of its own.
show() {
    work=$t/1/2/3/4/page.$2 said=$t/said.$2 n=0
    mkdir -p "$work" "$said" && cd "$work" && ln -s "$samples" samples
    awk -v dir="$said" '
        function next_one(text, kind) { n++; inside = 1; print text >(dir "/" n ".sh"); printf "" >(dir "/" n "." kind) }
        more { print substr($0, 5) >(dir "/" n ".sh"); more = /\\$/; next }
        /^    \$ / { next_one(substr($0, 7), "want"); next }
        /^    lvl / && !inside { next_one(substr($0, 5), "works"); inside = 0; more = /\\$/; next }
        inside && /^    / { print substr($0, 5) >(dir "/" n ".want"); next }
        { inside = 0 }
    ' "$1"
    while [ -f "$said/$((n + 1)).sh" ]; do
        n=$((n + 1)) shown=$((shown + 1))
        # not everybody has it
        grep -q '| jq' "$said/$n.sh" && ! command -v jq >/dev/null && continue
        sh "$said/$n.sh" >"$t/out" 2>"$t/err" </dev/null
        code=$?
        # nor the page of the viewer, which `make web` builds
        [ $code = 3 ] && grep -q 'the page of the viewer is not installed' "$t/err" && continue
        if [ -f "$said/$n.works" ]; then
            [ $code = 0 ] && continue
            # no is an answer
            [ $code = 1 ] && grep -qE '^lvl (check|diff|info|merge|repair) ' "$said/$n.sh" && continue
            echo "FAILED: exit $code in $2: $(cat "$said/$n.sh")"
            sed 's/^/    /' "$t/err" | head -n 4
        else
            cmp -s "$t/out" "$said/$n.want" && continue
            cat "$t/out" "$t/err" | cmp -s - "$said/$n.want" && continue
            echo "FAILED: $2 shows something else for: $(cat "$said/$n.sh")"
            cat "$t/out" "$t/err" | diff "$said/$n.want" - | head -n 12
        fi
        failed=$((failed + 1))
    done
    # shellcheck disable=SC2016
    grep -o '`lvl [a-z]* [^`]*`' "$1" | tr -d '`' | grep -vE '[A-Z]{3}|\.\.\.|install|^lvl view' >"$said/inline"
    while read -r command; do
        inline=$((inline + 1))
        sh -c "$command" >"$t/out" 2>"$t/err" </dev/null
        code=$?
        [ $code != 2 ] && continue
        grep -qE 'no input file|needs a value' "$t/err" && continue # the start of a command
        fail "exit $code in $2: $command"
        sed 's/^/    /' "$t/err" | head -n 4
    done <"$said/inline"
}
top=$(cd "$samples/.." && pwd)
shown=0 inline=0
for page in "$top/README.md" "$top"/docs/*.md; do
    show "$page" "$(basename "$page" .md)"
done
for page in "$top"/docs/formats/*.md; do
    show "$page" "format.$(basename "$page" .md)"
done
for page in web samples; do
    show "$top/$page/README.md" $page
done
[ $shown -gt 60 ] || fail "only $shown commands of the pages were found"
[ $inline -gt 5 ] || fail "only $inline commands within lines were found"

# The pictures in docs/ are what the readme's commands draw.
for picture in "$top"/docs/images/*.png; do
    case ${picture##*/} in
    viewer.png | tiled.png) continue ;; # screenshots: of the page in web/viewer; of Tiled, by hand, see docs/tiled.md
    notebook-*.png) continue ;; # output of the notebook: scripts/notebook --check
    graph.png) # the layout depends on the version of Graphviz; test_cli_graph.sh has its levels
        [ "$(head -c 4 "$t/1/2/3/4/page.README/graph.png" | tail -c 3)" = PNG ] || fail "docs/images/graph.png: its command makes no PNG"
        continue
        ;;
    esac
    made=$t/1/2/3/4/page.README/$(basename "$picture")
    cp "$picture" "$t/picture.png"
    cmp -s "$picture" "$made" || same_pixels "$t/picture.png" "$made" || fail "docs/images/$(basename "$picture") is out of date"
done
echo "$tried examples, $shown of the pages and $inline within lines, $failed failures"
[ $failed = 0 ] && [ $tried -gt 30 ]
