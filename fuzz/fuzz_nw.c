/*
 * libFuzzer target: text levels. What reads as one is written back byte for byte, whatever is wrong with it.
 */
#include "fuzz_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect_exact(const uint8_t *data, size_t size)
{
    lvl_buffer out = {0};
    lvl_doc *doc = NULL;
    lvl_ctx ctx;

    lvl_ctx_init(&ctx);
    if (lvl_read(&doc, &ctx, lvl_format_find("nw"), (lvl_bytes){data, size}, NULL, LVL_READ_BORROW, NULL) !=
        LVL_OK)
        return;
    if (lvl_doc_write(doc, &out) != LVL_OK || out.len != size || memcmp(out.data, data, size) != 0) {
        fprintf(stderr, "written otherwise: %zu bytes, was %zu\n", out.len, size);
        abort();
    }
    lvl_buffer_free(&out);
    lvl_doc_free(doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    expect_exact(data, size);
    return lvl_fuzz_one("nw", data, size, false);
}
