/*
 * libFuzzer target: dumps (JSON) of any format. A document that is undumped can be written; the file can be
 * read, and dumping and undumping it gives the same file.
 */
#include "base/format.h"
#include "fuzz_format.h"

#include <lvl/tools.h>
#include <stdlib.h>
#include <string.h>

static void fail_unless(bool good)
{
    if (!good)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lvl_ctx ctx;
    lvl_doc *doc = NULL, *again = NULL;
    lvl_buffer out = {0}, dump = {0}, second = {0};
    lvl_text json = {(const char *)data, size};

    lvl_ctx_init(&ctx);
    ctx.limits.memory_bytes = 32 << 20;
    ctx.limits.cells = 4 << 20;
    ctx.limits.items = 1 << 18;
    lvl_findings *findings = lvl_findings_new(&ctx);
    if (findings && lvl_undump(&doc, &ctx, json, findings) == LVL_OK) {
        lvl_status status = lvl_doc_write(doc, &out);
        if (status == LVL_OK && lvl_dump(doc, NULL, &dump, NULL) == LVL_OK) {
            json.ptr = (const char *)dump.data;
            json.len = dump.len;
            fail_unless(lvl_undump(&again, &ctx, json, NULL) == LVL_OK);
            fail_unless(lvl_doc_write(again, &second) == LVL_OK);
            fail_unless(second.len == out.len && (!out.len || !memcmp(second.data, out.data, out.len)));
        }
    }
    lvl_findings_free(findings);
    lvl_doc_free(doc);
    lvl_doc_free(again);
    lvl_buffer_free(&out);
    lvl_buffer_free(&dump);
    lvl_buffer_free(&second);
    return 0;
}
