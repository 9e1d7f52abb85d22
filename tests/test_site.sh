#!/bin/sh
# The project's site (scripts/site) in Chromium. Needs `make web', pandoc, rsvg-convert, chromium, and puppeteer-core.
set -eu
. "$(dirname "$0")/support/browser.sh"
for tool in pandoc rsvg-convert; do
    command -v $tool >/dev/null 2>&1 || skip "there is no $tool"
done
scripts/site "$LVL" "$out/site"
node tests/web/site.mjs "$out/site" "$chromium" web/viewer
