# What the tests of pages in Chromium share. Skips the test if something is missing; else $chromium is the browser and $out an empty folder,
# which is removed when the test ends.
skip() {
    echo "skipped: $*"
    exit 77
}
[ -f web/lvl.wasm ] || skip "there is no web/lvl.wasm; \`make web' builds it"
command -v node >/dev/null 2>&1 || skip "there is no node"
chromium=$(command -v chromium) || skip "there is no chromium"
[ -d web/viewer/node_modules/puppeteer-core ] ||
    skip "there is no puppeteer-core; \`npm install --prefix web/viewer' installs it"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
