#!/bin/sh
# The page of web/viewer in Chromium; test_viewer_tasks.sh has the rest. Needs web/lvl.wasm (`make web`), chromium, and puppeteer-core
# (`npm install --prefix web/viewer`).
set -eu
. "$(dirname "$0")/support/browser.sh"
node web/viewer/build.mjs "$out/lvl.html"
node tests/web/viewer.mjs "$out/lvl.html" "$chromium" web/viewer
