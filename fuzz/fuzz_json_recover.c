/*
 * libFuzzer target: recovery of broken JSON of drawings and packs. The result is sound, and recovering it
 * again changes nothing.
 */
#include "fuzz_format.h"

#include "codec/tokens.h"
#include "sketchy/text/document.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const lvl_table *table = size % 3 == 2 ? &lvl_levelpack_table : &lvl_sketchy_table;
    lvl_shapes shapes;
    lvl_buffer once = {0}, twice = {0};
    size_t breaks = 0;
    lvl_tokens t;

    lvl_shapes_root(&shapes, table, size % 3 == 1 ? LVL_SKETCHY_DOODAD : LVL_SKETCHY_LEVEL);
    if (lvl_sketchy_recover_json((lvl_text){(const char *)data, size}, &shapes, &once, NULL) == LVL_OK) {
        const lvl_text text = {(const char *)once.data, once.len};
        lvl_tokens_init(&t, text, LVL_TOKENS_DEPTH);
        const lvl_token first = lvl_tokens_next(&t);
        if (first.kind != LVL_TOKEN_OBJECT || !lvl_tokens_skip(&t, &first).ptr)
            abort();
        if (lvl_sketchy_recover_json(text, &shapes, &twice, &breaks) != LVL_OK || breaks ||
            once.len != twice.len || memcmp(once.data, twice.data, once.len) != 0)
            abort();
    }
    lvl_buffer_free(&once);
    lvl_buffer_free(&twice);
    return 0;
}
