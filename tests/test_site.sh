#!/bin/sh
# The project's site (scripts/site) in Chromium. Needs `make web', pandoc, rsvg-convert, chromium, and puppeteer-core.
set -eu
skip() {
    echo "skipped: $*"
    exit 77
}
[ -f web/lvl.wasm ] || skip "there is no web/lvl.wasm; \`make web' builds it"
for tool in node pandoc rsvg-convert; do
    command -v $tool >/dev/null 2>&1 || skip "there is no $tool"
done
chromium=$(command -v chromium) || skip "there is no chromium"
[ -d web/viewer/node_modules/puppeteer-core ] ||
    skip "there is no puppeteer-core; \`npm install --prefix web/viewer' installs it"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
scripts/site "$LVL" "$out/site"
node tests/web/site.mjs "$out/site" "$chromium" web/viewer
