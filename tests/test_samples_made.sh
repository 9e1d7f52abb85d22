# The output of samples/make is, byte for byte, the committed samples.
set -eu
lvl=$LVL
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
samples=$PWD/samples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 "$samples/make" "$lvl" made
cp -R "$samples/src" "$samples/make" "$samples/README.md" made
if ! diff -rq made "$samples"; then
    echo "FAILED: samples/ is not what its sources make; run: samples/make build/release/lvl"
    exit 1
fi

echo "$(find made/graal made/sketchy made/small made/wwd -type f | wc -l) samples are what their sources make"
