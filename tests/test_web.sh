#!/bin/sh
# The WebAssembly build (`make web`) under Node: lvl.js, the types of the examples of web/README.md, and its output compared
# with that of the command, over samples/ and the corpus, if there is one. Needs typescript (`npm install --prefix web/viewer`).
set -eu
if [ ! -f web/lvl.wasm ]; then
    echo "skipped: there is no web/lvl.wasm; \`make web' builds it"
    exit 77
fi
command -v node >/dev/null 2>&1 || {
    echo "skipped: there is no node"
    exit 77
}
[ -d web/viewer/node_modules/typescript ] || {
    echo "skipped: there is no typescript; \`npm install --prefix web/viewer' installs it"
    exit 77
}
node tests/web/api.mjs
node tests/web/types.mjs web/viewer
node tests/web/scenes.mjs
node tests/web/compare.mjs "$LVL" "$LVL_SAMPLES" samples
corpus=${LVL_CORPUS:-../shared/corpus}
if [ -d "$corpus/wwd" ]; then node tests/web/panel.mjs "$corpus/wwd"; else node tests/web/panel.mjs; fi
[ ! -d "$corpus" ] || node tests/web/compare.mjs "$LVL" "$corpus" corpus "${LVL_WEB_EVERY:-40}"
