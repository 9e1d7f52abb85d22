#!/bin/sh
# More of the page of web/viewer in Chromium, beside test_viewer.sh so that both cores have work. Needs the same.
set -eu
. "$(dirname "$0")/support/browser.sh"
node web/viewer/build.mjs "$out/lvl.html"
node tests/web/commands.mjs "$out/lvl.html" "$chromium" web/viewer
node tests/web/redraws.mjs "$out/lvl.html" "$chromium" web/viewer
node tests/web/view.mjs "$LVL" "$out/lvl.html" "$chromium" web/viewer "$LVL_SAMPLES"
node tests/web/back.mjs "$LVL" "$out/lvl.html" "$chromium" web/viewer "$LVL_SAMPLES"
node tests/web/gallery.mjs "$LVL" "$out/lvl.html" "$chromium" web/viewer "$LVL_SAMPLES"
node tests/web/tasks.mjs "$out/lvl.html" "$chromium" web/viewer
