/*
 * tools/diff/repair.c: repairs a document, writes it, reads it and repairs it again, until nothing changes
 * any more.
 */
#include "base/buffer.h"
#include "base/format.h"
#include "tools/tools.h"

#include <lvl/scene.h>
#include <string.h>

enum { ROUNDS = 4 };

/* Whether there is something to repair: the document, as it would be written, is not sound, or what is only
 * odd is to be changed, too. `written`: scratch, empty at the end. */
static lvl_status needs_repair(const lvl_doc *doc, const lvl_repair_options *options, lvl_buffer *written,
                               bool *needed)
{
    const lvl_check_options check = {.art = options->art, .verdict_only = true};
    lvl_findings *found = options->normalize ? NULL : lvl_findings_new(doc->ctx);
    lvl_check_result result = {0};

    *needed = true;
    if (options->normalize)
        return LVL_OK;
    lvl_status status = found ? lvl_doc_write(doc, written) : LVL_ERR_MEMORY;
    if (status == LVL_OK)
        status =
            lvl_check(doc->ctx, doc->format, lvl_buffer_bytes(written), NULL, &check, found, &result, NULL);
    *needed = status != LVL_OK || result.verdict != LVL_SOUND;
    lvl_buffer_free(written);
    lvl_findings_free(found);
    return status;
}

/* Repairs once and writes the result. */
static lvl_status repair_all(lvl_doc *doc, const lvl_repair_options *options, lvl_findings *log,
                             lvl_buffer *out)
{
    lvl_repairs repairs = {log, options->art, options->recover, options->normalize};
    bool needed = true;

    if (!doc->format->calls->repair)
        return LVL_ERR_UNSUPPORTED;
    lvl_status status = needs_repair(doc, options, out, &needed);
    if (status == LVL_OK && needed)
        status = doc->format->calls->repair(doc, &repairs);
    if (status == LVL_OK && options->art)
        status = lvl_art_status(options->art);
    if (status == LVL_OK)
        status = lvl_findings_status(log);
    if (status == LVL_OK && needed)
        status = lvl_doc_recompute_derived(doc);
    return status == LVL_OK ? lvl_doc_write(doc, out) : status;
}

/* Reads the written file and repairs it again. *good: that changed nothing. Otherwise `written` becomes the
 * new result, and the changes are added to `log`. */
static lvl_status verify(const lvl_doc *doc, const lvl_repair_options *options, lvl_buffer *written,
                         lvl_findings *log, bool *good)
{
    lvl_bytes bytes = {written->data, written->len};
    lvl_findings *more = lvl_findings_new(doc->ctx);
    lvl_buffer again = {0};
    lvl_doc *second = NULL;

    *good = false;
    if (!more)
        return LVL_ERR_MEMORY;
    lvl_status status = lvl_read(&second, doc->ctx, doc->format, bytes, NULL, LVL_READ_BORROW, NULL);
    if (status == LVL_OK)
        status = repair_all(second, options, more, &again);
    if (status == LVL_OK)
        *good = !lvl_findings_count(more) && again.len == written->len &&
                memcmp(again.data, written->data, again.len) == 0;
    lvl_doc_free(second);
    lvl_findings_add_all(log, more);
    if (status == LVL_OK) {
        const lvl_buffer was = *written;
        *written = again;
        again = was;
    }
    lvl_buffer_free(&again);
    lvl_findings_free(more);
    return status;
}

lvl_status lvl_repair(lvl_doc *doc, const lvl_repair_options *options, lvl_findings *changes, lvl_buffer *out)
{
    const lvl_repair_options none = {0};
    lvl_findings *log = changes ? changes : lvl_findings_new(doc->ctx);
    lvl_buffer written = {0};
    bool good = false;

    if (!log)
        return LVL_ERR_MEMORY;
    if (!options)
        options = &none;
    const size_t before = lvl_findings_count(log);
    if (doc->transferred)
        lvl_findings_add(log, &lvl_doc_transferred, NULL, NULL,
                         "the carriage returns that a transfer as text put before line feeds were removed");
    doc->transferred = false;
    if (doc->header.count)
        lvl_findings_add(log, &lvl_doc_header, NULL, NULL, "the damaged header was corrected");
    doc->header.count = 0;
    lvl_status status = repair_all(doc, options, log, &written);
    const bool changed = lvl_findings_count(log) > before;
    if (status == LVL_OK && changed)
        status = lvl_doc_report_signature(doc, lvl_buffer_bytes(&written), log);
    /* a repair may uncover damage after the repaired part */
    for (unsigned i = 0; i < ROUNDS && status == LVL_OK && changed && !good; i++)
        status = verify(doc, options, &written, log, &good);
    if ((status == LVL_OK || status == LVL_ERR_FORMAT) && changed && !good) {
        lvl_fault_add(log, LVL_FAULT_REPAIR, "the repaired file needs more repair");
        status = LVL_ERR_FORMAT;
    }
    if (status == LVL_OK && changed)
        status = lvl_doc_still_recognized(doc, lvl_buffer_bytes(&written), log);
    if (status == LVL_OK && out) {
        lvl_buffer_add(out, written.data, written.len);
        status = out->status;
    }
    lvl_buffer_free(&written);
    if (!changes)
        lvl_findings_free(log);
    return status;
}
