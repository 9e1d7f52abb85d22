# The output of samples/make is, byte for byte, the committed samples. A libdeflate that compresses differently than the
# one they were made with gives the same content.
set -eu
lvl=$LVL
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
samples=$PWD/samples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 "$samples/make" "$lvl" made
cp -R "$samples/src" "$samples/make" "$samples/README.md" made
"$lvl" dump "$samples/wwd/cliffs.wwd" >cliffs.json
if ! diff -rq made "$samples" >different; then
    other=1
    if grep -q '"stream": {"libdeflate":6,' cliffs.json; then
        cat different
        other=0
    else # damage is in other bytes of a stream
        cp -R "$samples" committed
        rm -rf committed/*/damaged made/*/damaged
        "$lvl" diff -q committed made || other=0
    fi
    if [ $other = 0 ]; then
        echo "FAILED: samples/ is not what its sources make; run: samples/make build/release/lvl"
        exit 1
    fi
fi

echo "$(find made/graal made/sketchy made/small made/wwd -type f | wc -l) samples are what their sources make"
