# What samples/make makes from the samples' sources is, byte for byte, what is committed.
set -eu
lvl=$LVL
. tests/support/shell.sh
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
samples=$PWD/samples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

expect 0 python3 "$samples/make" "$lvl" made
cp -R "$samples/src" "$samples/make" "$samples/README.md" made
diff -rq made "$samples" || fail "samples/ differs from what its sources make: run samples/make $lvl"

[ $failed = 0 ] || exit 1
echo "$(find made/graal made/sketchy made/wwd -type f | wc -l) samples are what their sources make"
