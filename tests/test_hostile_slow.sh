# The hostile-input harness in full: every bit, every length, every allocation. Takes minutes.
set -eu
dir=$(dirname "$LVL")
for test in wwd art; do
    [ -x "$dir/test_hostile_$test" ] || { echo "no test_hostile_$test beside $LVL"; exit 77; }
    LVL_HOSTILE=full "$dir/test_hostile_$test"
done
