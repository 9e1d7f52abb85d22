/*
 * tools/convert.c: converts a document to another form of its family and reports each loss.
 */
#include "base/format.h"
#include "base/text.h"
#include "tools/tools.h"

#include <string.h>

/* The form of that name, or the first form of the format with that id. */
static const lvl_form *form_named(const lvl_format *format, const char *name)
{
    const lvl_form *by_format = NULL;

    for (const lvl_form *f = format->forms; f && f->name; f++) {
        if (lvl_text_equal_nocase(lvl_text_of(f->name), lvl_text_of(name)))
            return f;
        if (!by_format && strcmp(f->format, name) == 0)
            by_format = f;
    }
    return by_format;
}

lvl_status lvl_convert(const lvl_doc *doc, const char *form, bool allow_loss, lvl_findings *losses,
                       lvl_doc **out)
{
    const lvl_format *format = doc->format;
    size_t before = lvl_findings_count(losses);
    lvl_doc *made = NULL;

    *out = NULL;
    if (!format->calls->convert)
        return LVL_ERR_UNSUPPORTED;
    const lvl_form *to = form_named(format, form);
    if (!to)
        return LVL_ERR_ARG;
    const bool same = strcmp(to->format, format->id) == 0;
    if (same && doc->version && doc->version == to->version)
        return lvl_doc_copy(doc, doc->ctx, out);
    lvl_status status = lvl_doc_new(&made, doc->ctx, same ? format : lvl_formats_find(doc->ctx, to->format));
    if (status == LVL_OK) {
        made->codepage = doc->codepage;
        status = lvl_arena_status(&made->arena, format->calls->convert(doc, to, made, losses));
    }
    if (status == LVL_OK)
        status = lvl_findings_status(losses);
    if (status == LVL_OK && lvl_findings_count(losses) > before) {
        lvl_status located = lvl_doc_locate(doc, losses);
        if (located == LVL_ERR_MEMORY)
            status = located;
        else if (!allow_loss)
            status = LVL_ERR_LOSS;
    }
    if (status != LVL_OK) {
        lvl_doc_free(made);
        return status;
    }
    *out = made;
    return LVL_OK;
}
