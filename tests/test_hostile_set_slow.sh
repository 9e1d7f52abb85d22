# The set sweep in full: each scalar field of each sample, all unlikely values.
set -eu
dir=$(dirname "$LVL")
[ -x "$dir/test_hostile_set" ] || { echo "no test_hostile_set beside $LVL"; exit 77; }
LVL_HOSTILE=full "$dir/test_hostile_set"
