#!/bin/sh
# The page of `lvl render --tiles' in Chromium. Needs chromium, and puppeteer-core and axe-core.
set -eu
. "$(dirname "$0")/support/browser.sh"
"$LVL" render samples/graal/lakeside/lakeside.gmap --tiles "$out/map" -q
"$LVL" render samples/wwd/cliffs.wwd --art samples/wwd --tiles "$out/cliffs" -q
node tests/web/tiles.mjs "$out" "$chromium" web/viewer
