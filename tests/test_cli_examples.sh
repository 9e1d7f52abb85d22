#!/bin/sh
# Runs every example of the help on the samples, in the order of the help, and compares the exit code with the one that the table says.
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

for made in *.wwd *.nw *.graal; do
    [ -e "$made" ] || continue
    lvl check --roundtrip -q "$made" >"$t/out" 2>&1 || { echo "FAILED: $made is not sound"; failed=$((failed + 1)); }
done
for pair in "again.wwd samples/wwd/cliffs.wwd" "same.wwd samples/wwd/cliffs.wwd" \
    "pond.graal samples/graal/versions/gr-v1.03.graal" "woods.nw samples/graal/lakeside/lake_woods.nw"; do
    # shellcheck disable=SC2086
    cmp $pair || failed=$((failed + 1))
done
echo "$tried examples, $failed failures"
[ $failed = 0 ] && [ $tried -gt 30 ]
