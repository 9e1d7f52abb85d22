#!/bin/sh
# The WebAssembly build (`make web`) under Node: what lvl.js does, the examples of web/README.md, and its output
# beside that of the command, over samples/ and, when it is there, the corpus.
set -eu
if [ ! -f web/lvl.wasm ]; then
    echo "skipped: there is no web/lvl.wasm; \`make web' builds it"
    exit 77
fi
command -v node >/dev/null 2>&1 || {
    echo "skipped: there is no node"
    exit 77
}
node tests/web/api.mjs
node tests/web/compare.mjs "$LVL" "$LVL_SAMPLES" samples
[ ! -d "${LVL_CORPUS:-}" ] || node tests/web/compare.mjs "$LVL" "$LVL_CORPUS" corpus "${LVL_WEB_EVERY:-40}"
