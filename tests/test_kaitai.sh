#!/bin/sh
# data/kaitai/*.ksy: Kaitai's compiler makes readers of them, and these agree with `lvl dump` on every sample, and on every 12th real file.
# Needs node, and `npm install --prefix web/viewer`.
set -eu
skip() {
    echo "skipped: $*"
    exit 77
}
command -v node >/dev/null 2>&1 || skip "there is no node"
[ -d web/viewer/node_modules/kaitai-struct-compiler ] ||
    skip "there is no kaitai-struct-compiler; \`npm install --prefix web/viewer' installs it"
corpus=${LVL_CORPUS:-../shared/corpus}
binary() { find "$@" -type f \( -iname '*.wwd' -o -iname '*.rez' -o -iname '*.pid' -o -iname '*.pal' -o -iname '*.pcx' -o -iname '*.ani' -o -iname '*.graal' -o -iname '*.zelda' \) -print0; }
binary "$LVL_SAMPLES" | grep -zv /damaged/ | xargs -0 node tests/web/kaitai.mjs "$LVL" data/kaitai web/viewer
[ -d "$corpus" ] || {
    echo "skipped: no corpus of real files (LVL_CORPUS)"
    exit 0
}
binary "$corpus" | sort -z | sed -nz 'n;n;n;n;n;n;n;n;n;n;n;p' | xargs -0 node tests/web/kaitai.mjs "$LVL" data/kaitai web/viewer --some
