/*
 * libFuzzer target: files of any format, converted to a form of the format and read again, or as pictures
 * converted to pictures and other documents. A hash of the input chooses.
 */
#include "fuzz_docs.h"
#include "fuzz_format.h"
#include "base/format.h"

#include <lvl/render.h>
#include <lvl/tools.h>
#include <stdlib.h>

static void to_form(const lvl_doc *doc, const char *form)
{
    const lvl_ctx *ctx = lvl_fuzz_ctx();
    lvl_findings *losses = lvl_findings_new(ctx);
    lvl_doc *made = NULL, *again = NULL;
    lvl_buffer out = {0};
    bool different;

    lvl_status status = lvl_convert(doc, form, true, losses, &made);
    if (status == LVL_OK)
        status = lvl_doc_write(made, &out);
    if (status == LVL_OK)
        status = lvl_read(&again, ctx, lvl_doc_format(made), (lvl_bytes){out.data, out.len}, NULL,
                          LVL_READ_BORROW, NULL);
    if (status != LVL_OK && status != LVL_ERR_LIMIT && status != LVL_ERR_MEMORY)
        abort();
    if (status == LVL_OK && !lvl_findings_count(losses))
        (void)lvl_diff(doc, again, NULL, &different, NULL);
    lvl_doc_free(again);
    lvl_doc_free(made);
    lvl_buffer_free(&out);
    lvl_findings_free(losses);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint32_t choice = lvl_fuzz_hash(data, size);
    const lvl_scene_level_options options = {.allow_loss = true};
    lvl_doc *doc = NULL, *drawn = NULL, *level = NULL;
    lvl_image image = {0};
    lvl_buffer out = {0};
    size_t forms = 0;

    if (lvl_read(&doc, lvl_fuzz_ctx(), NULL, (lvl_bytes){data, size}, NULL, LVL_READ_BORROW, NULL) != LVL_OK)
        return 0;
    for (const lvl_form *form = lvl_doc_format(doc)->forms; form && form->name; form++)
        forms++;
    const bool picture = choice >> 24 & 1; /* else a form */
    if (!picture && forms)
        to_form(doc, lvl_doc_format(doc)->forms[choice % forms].name);
    if (picture && lvl_doc_picture(doc, NULL, &image) == LVL_OK) {
        if (lvl_doc_draw(&drawn, lvl_fuzz_ctx(), lvl_format_at((choice >> 16) % lvl_format_count()), &image,
                         NULL, NULL) == LVL_OK)
            (void)lvl_doc_write(drawn, &out);
        lvl_doc_free(drawn);
        lvl_image_clear(&image);
    }
    if (picture && lvl_convert_scene(&level, doc, lvl_format_at((choice >> 16) % lvl_format_count()),
                                     &options, NULL) == LVL_OK)
        (void)lvl_doc_write(level, &out);
    lvl_doc_free(level);
    lvl_buffer_free(&out);
    lvl_doc_free(doc);
    return 0;
}
