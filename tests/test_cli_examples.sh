#!/bin/sh
# Runs every example of the help on the samples, in the order of the help, and compares the exit code with the one that the table says; then those
# of the readme, and file(1) with our magic.
set -u
LC_ALL=C
export LC_ALL
unset LVL_ART NO_COLOR
: "${LVL:?the command to test}" "${LVL_SAMPLES:?the folder of samples}"
[ -f "$LVL_SAMPLES/wwd/cliffs.wwd" ] || { echo "no samples: skipped"; exit 77; }
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT
# Some folders down: art is also looked for above a level, and the folder of temporary files is anybody's.
mkdir -p "$t/bin" "$t/1/2/3/4/work"
ln -s "$LVL" "$t/bin/lvl"
ln -s "$LVL_SAMPLES" "$t/1/2/3/4/work/samples"
PATH=$t/bin:$PATH
cd "$t/1/2/3/4/work" || exit 3

failed=0 tried=0
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
    cmp $pair || failed=$((failed + 1))
done

# file(1) knows them too, by data/lvl.magic.
magic=$(cd "$LVL_SAMPLES/.." && pwd)/data/lvl.magic
if command -v file >/dev/null; then
    while read -r name want; do
        got=$(file -b -m "$magic" "samples/$name" 2>&1)
        [ "$got" = "$want" ] && continue
        failed=$((failed + 1))
        echo "FAILED: file -m data/lvl.magic says \"$got\" of $name, not \"$want\""
    done <<END
graal/versions/z3-v1.02.zelda Zelda Online level, version Z3-V1.02
graal/versions/gr-v1.05.graal Graal level, version GR-V1.05
graal/styles/official_crlf.nw Graal level, text
graal/ganis/hero_walk.gani Graal animation
graal/ganis/hero_idle.gani Graal animation
graal/ganis/meeting.gani Graal movie
graal/lakeside/lakeside.gmap Graal world map
wwd/SAMPLES.REZ REZ archive
END
fi

# The readme's "$ lvl …" lines answer what stands below them, by stdout alone or with what is said on stderr.
readme=$(cd "$LVL_SAMPLES/.." && pwd)/README.md
mkdir -p "$t/1/2/3/4/readme" "$t/said" && cd "$t/1/2/3/4/readme" && ln -s "$LVL_SAMPLES" samples
awk -v dir="$t/said" '
    /^    \$ / { n++; inside = 1; print substr($0, 7) >(dir "/" n ".sh"); printf "" >(dir "/" n ".want"); next }
    inside && /^    / { print substr($0, 5) >(dir "/" n ".want"); next }
    { inside = 0 }
' "$readme"
shown=0
while [ -f "$t/said/$((shown + 1)).sh" ]; do
    shown=$((shown + 1))
    sh "$t/said/$shown.sh" >"$t/out" 2>"$t/err" </dev/null
    cmp -s "$t/out" "$t/said/$shown.want" && continue
    cat "$t/out" "$t/err" | cmp -s - "$t/said/$shown.want" && continue
    failed=$((failed + 1))
    echo "FAILED: the readme shows something else for: $(cat "$t/said/$shown.sh")"
    diff "$t/said/$shown.want" "$t/out" | head -n 6
done
[ $shown -gt 10 ] || failed=$((failed + 1))
echo "$tried examples, $shown of the readme, $failed failures"
[ $failed = 0 ] && [ $tried -gt 30 ]
