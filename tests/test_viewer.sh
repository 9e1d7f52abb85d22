#!/bin/sh
# The page of web/viewer in Chromium. Needs web/lvl.wasm (`make web`), chromium, and puppeteer-core
# (`npm install --prefix web/viewer`).
set -eu
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
node web/viewer/build.mjs "$out/lvl.html"
node tests/web/viewer.mjs "$out/lvl.html" "$chromium" web/viewer
node tests/web/redraws.mjs "$out/lvl.html" "$chromium" web/viewer
node tests/web/view.mjs "$LVL" "$out/lvl.html" "$chromium" web/viewer "$LVL_SAMPLES"
node tests/web/gallery.mjs "$LVL" "$out/lvl.html" "$chromium" web/viewer "$LVL_SAMPLES"
node tests/web/tasks.mjs "$out/lvl.html" "$chromium" web/viewer
