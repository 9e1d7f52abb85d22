/*
 * tools/verify.c: writes an edited document and checks that the file has all of its content.
 */
#include "base/format.h"
#include "tools/tools.h"

enum { SHOWN = 240 };

/* The start of a diff, on one line. */
static void one_line(char out[SHOWN], const lvl_buffer *changes)
{
    size_t n = 0;

    for (size_t i = 0; i < changes->len && n + 6 < SHOWN; i++) {
        const char c = (char)changes->data[i];
        if (c == '\n' && i + 1 < changes->len) {
            out[n++] = ';';
            out[n++] = ' ';
        } else if (c != '\n' && (c != ' ' || (n && out[n - 1] != ' '))) {
            out[n++] = c;
        }
    }
    out[n] = 0;
}

/* Reports the first differences between two documents, in which late members that may differ are open;
 * LVL_ERR_LOSS if there are any. */
static lvl_status compare(const lvl_doc *doc, const lvl_doc *again, lvl_findings *findings)
{
    lvl_buffer out = {0};
    bool different = false;
    char shown[SHOWN];

    if (lvl_record_equal(doc->root, again->root, doc->format->table))
        return LVL_OK;
    /* unordered lists may be read in another order, which lvl_diff ignores */
    lvl_status status = lvl_diff(doc, again, NULL, &different, &out);
    if (status == LVL_OK && different) {
        one_line(shown, &out);
        lvl_fault_add(findings, LVL_FAULT_LOST,
                      "the file cannot represent this value; read again it would differ: %s", shown);
        status = LVL_ERR_LOSS;
    }
    lvl_buffer_free(&out);
    return status;
}

lvl_status lvl_doc_write_verified(lvl_doc *doc, lvl_buffer *out, lvl_findings *findings)
{
    const size_t start = out->len, known = findings ? lvl_findings_count(findings) : 0;
    lvl_doc *again = NULL;
    lvl_status status = lvl_doc_write_with_findings(doc, out, findings);

    const bool silent = !findings || lvl_findings_count(findings) == known;
    if (status == LVL_ERR_ARG && silent) {
        lvl_fault_add(findings, LVL_FAULT_LOST,
                      "cannot write a %s with these values: fields of size and kind must agree with the "
                      "contents",
                      doc->format->title);
        status = LVL_ERR_LOSS;
    } else if (status == LVL_ERR_LOSS && silent) {
        lvl_fault_add(findings, LVL_FAULT_HIDDEN,
                      "the file holds bytes that the changed part cannot keep; `lvl repair' names and "
                      "removes them, then edit its result");
    }
    if (status == LVL_OK)
        status = lvl_read(&again, doc->ctx, doc->format, (lvl_bytes){out->data + start, out->len - start},
                          NULL, LVL_READ_BORROW, NULL);
    if (status == LVL_OK) {
        lvl_doc *const docs[] = {doc, again};
        status = lvl_doc_open_different(docs, 2, false);
    }
    if (status == LVL_OK)
        status = compare(doc, again, findings);
    lvl_doc_free(again);
    return status;
}
