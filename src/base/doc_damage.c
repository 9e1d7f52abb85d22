/*
 * base/doc_damage.c: reads a document's bytes. Two kinds of damage affect the file as a whole, and no
 * format's reader can cope with them: a transfer as text inserted a CR before each LF, or bytes of the
 * signature are wrong. Such a file is read as it is and, if that finds errors, as it was before the damage.
 * The better reading is used and the damage is reported; the writer restores it (lvl_doc_write).
 */
#include "base/format.h"
#include "base/header.h"
#include "base/transfer.h"
#include "base/work.h"

#include <string.h>

const lvl_finding_def lvl_doc_transferred = {
    "lvl.file.transferred",
    "The file was transferred as text, which inserted a carriage return before each line feed, so no program "
    "can read it. lvl reads it without them, and positions refer to that. `lvl repair` restores the file "
    "byte for byte.",
    {LVL_ERROR, LVL_ERROR, LVL_ERROR},
    NULL,
    LVL_ABOUT_OTHER,
};

const lvl_finding_def lvl_doc_header = {
    "lvl.file.header",
    "One or two bytes of the signature by which programs recognize such a file are wrong, so no program "
    "opens "
    "it. lvl reads it as if they were right. `lvl repair` corrects them.",
    {LVL_ERROR, LVL_ERROR, LVL_ERROR},
    NULL,
    LVL_ABOUT_OTHER,
};

/* Reads, and counts the findings that mean missing content in doc->cuts. */
static lvl_status read_counted(lvl_doc *doc, lvl_findings *findings)
{
    lvl_findings *list = findings ? findings : lvl_findings_new_counter(doc->ctx);

    if (!list)
        return LVL_ERR_MEMORY;
    const lvl_findings_watch outer =
        lvl_findings_set_watch(list, (lvl_findings_watch){doc->format->calls->cuts, 0});
    const lvl_status status = doc->format->calls->read(doc, doc->sink, list);
    doc->cuts += lvl_findings_set_watch(list, outer).count; /* in addition to those that the reader counts */
    if (!findings)
        lvl_findings_free(list);
    return status;
}

/* A reading of a document, with its own list of findings. */
typedef struct reading {
    lvl_doc *doc;
    lvl_findings *findings;
    lvl_status status;
} reading;

static reading read_apart(lvl_doc *doc)
{
    reading r = {doc, lvl_findings_new(doc->ctx), LVL_ERR_MEMORY};

    r.status = r.findings ? read_counted(doc, r.findings) : LVL_ERR_MEMORY;
    if (r.status == LVL_OK)
        r.status = lvl_findings_status(r.findings);
    return r;
}

/* Reads other bytes in the way `doc` is read. They are memory of the context, and the reading owns them from
 * now on. `bytes` NULL: out of memory. */
static reading read_instead(const lvl_doc *doc, uint8_t *bytes, size_t len)
{
    reading r = {NULL, NULL, bytes ? lvl_charge(doc->ctx, len / 4) : LVL_ERR_MEMORY};

    if (r.status == LVL_OK)
        r.status = lvl_doc_new(&r.doc, doc->ctx, doc->format);
    if (r.status != LVL_OK) {
        lvl_mem_free(doc->ctx, bytes);
        return r;
    }
    r.doc->input = (lvl_bytes){bytes, len};
    r.doc->input_owned = bytes;
    r.doc->show = doc->show;
    r.doc->edit = doc->edit;
    return read_apart(r.doc);
}

static void free_reading(reading *r)
{
    lvl_doc_free(r->doc);
    lvl_findings_free(r->findings);
    *r = (reading){NULL, NULL, LVL_OK};
}

/* The number of errors; a failed reading has more than any other. */
static size_t errors_of(const reading *r)
{
    size_t errors = 0;

    if (r->status != LVL_OK)
        return SIZE_MAX;
    for (size_t i = 0; i < lvl_findings_count(r->findings); i++)
        errors += lvl_findings_at(r->findings, i)->severity >= LVL_ERROR;
    return errors;
}

/* Out of memory or time: no other reading is tried. */
static bool is_stopped(lvl_status status)
{
    return status != LVL_OK && status != LVL_ERR_FORMAT;
}

/* With this many line feeds, a carriage return before each of them is no accident. */
enum { SURE = 8 };
/* Reads a file in which each LF, `lines` of them, follows a CR: as it is, and, if that finds errors, as it
 * was before a transfer as text. The reading with fewer errors is used; with few lines, the second one only
 * if it has none. */
static lvl_status read_transferred(lvl_doc *doc, size_t lines, lvl_findings *findings)
{
    reading plain = read_apart(doc), undone = {NULL, NULL, LVL_OK};
    lvl_status status = plain.status;
    const lvl_findings *used = plain.findings;

    if (errors_of(&plain) && !is_stopped(status)) {
        undone = read_instead(doc, lvl_transfer_undo(doc->ctx, doc->input, lines), doc->input.len - lines);
        if (undone.status == LVL_ERR_MEMORY) {
            status = undone.status;
        } else if (undone.doc && errors_of(&undone) < errors_of(&plain) &&
                   (lines >= SURE || !errors_of(&undone))) {
            lvl_doc_swap(doc, undone.doc);
            doc->transferred = true;
            used = undone.findings;
            status = undone.status;
            lvl_findings_add(
                findings, &lvl_doc_transferred, NULL, NULL,
                "each of its %zu line feeds follows a carriage return: it was transferred as text; lvl reads "
                "it without them, and `lvl repair` writes it so",
                lines);
        }
    }
    lvl_findings_add_all(findings, used);
    plain.doc = NULL;
    free_reading(&plain);
    free_reading(&undone);
    return status;
}

/* Reads doc->input as it is, or as it was before a transfer as text. */
static lvl_status read_input(lvl_doc *doc, lvl_findings *findings)
{
    /* text may have any line endings */
    const size_t lines = doc->format->calls->grammar ? 0 : lvl_transfer_lines(doc->input);

    return lines ? read_transferred(doc, lines, findings) : read_counted(doc, findings);
}

/* Whether reading `a` is better than `b`; both have a right header. */
static bool is_better(const reading *a, const reading *b)
{
    const size_t cuts_a = a->status == LVL_OK ? a->doc->cuts : 0,
                 cuts_b = b->status == LVL_OK ? b->doc->cuts : 0;

    return cuts_a != cuts_b && a->status == b->status ? cuts_a < cuts_b : errors_of(a) < errors_of(b);
}

static void report_header(const lvl_header_match *used, const lvl_header_match *other, lvl_findings *findings)
{
    const lvl_header *header = &used->header;
    const uint32_t at = header->wrong[0].at, end = header->wrong[header->count - 1].at + 1;
    const lvl_position pos = {.bit = (uint64_t)at * 8, .bits = (uint64_t)(end - at) * 8, .known = true};
    char text[256], more[256];

    lvl_header_text(used, text, sizeof text);
    lvl_findings_add(findings, &lvl_doc_header, NULL, &pos,
                     "the header is damaged: %s; lvl reads the file as if it were right, and `lvl repair` "
                     "writes it so%s%s",
                     text, other ? "; as likely: " : "",
                     other ? lvl_header_text(other, more, sizeof more) : "");
}

/* The best reading with a corrected header. */
typedef struct correction {
    reading best;
    const lvl_header_match *used, *other; /* its header, and another that is equally likely, or NULL */
} correction;

static reading read_with_header(const lvl_doc *doc, const lvl_header *header)
{
    uint8_t *bytes = lvl_mem_alloc(doc->ctx, doc->input.len);

    if (bytes) {
        memcpy(bytes, doc->input.ptr, doc->input.len);
        lvl_header_correct(header, bytes);
    }
    return read_instead(doc, bytes, doc->input.len);
}

/* Keeps the reading `r` with the header `match` if it is better than the best so far. If it is equally good
 * and its header equally near, that header is the other likely one. */
static void consider(correction *c, reading r, const lvl_header_match *match)
{
    const bool better = !c->used || is_better(&r, &c->best), same = !better && !is_better(&c->best, &r);
    reading worse = r;

    if (better || (same && match->bits <= c->used->bits)) {
        worse = c->best;
        *c = (correction){r, match, same ? c->used : NULL};
    } else if (same) {
        c->other = match;
    }
    free_reading(&worse);
}

/* Reads the file with each of the headers. LVL_ERR_MEMORY and the like: not all of them were tried. */
static lvl_status find_correction(const lvl_doc *doc, const lvl_header_match *match, size_t count,
                                  correction *out)
{
    *out = (correction){{NULL, NULL, LVL_ERR_FORMAT}, NULL, NULL};
    for (size_t i = 0; i < count; i++) {
        reading r = read_with_header(doc, &match[i].header);
        const lvl_status status = r.status;
        if (status == LVL_OK)
            consider(out, r, &match[i]);
        else
            free_reading(&r);
        if (is_stopped(status))
            return status;
    }
    return LVL_OK;
}

/* Whether a reading with a corrected header explains the file better than the plain one: it has fewer errors,
 * counting the wrong header as one, or less missing content. */
static bool is_explained(const reading *plain, const reading *corrected)
{
    return corrected->doc && (plain->status != LVL_OK || corrected->doc->cuts < plain->doc->cuts ||
                              errors_of(corrected) + 1 < errors_of(plain));
}

/* Reads a file whose signature is nearly right: as it is and, if that finds errors, with each of the nearest
 * signatures. */
static lvl_status read_corrected(lvl_doc *doc, const lvl_header_match *match, size_t count,
                                 lvl_findings *findings)
{
    reading plain = {doc, lvl_findings_new(doc->ctx), LVL_ERR_MEMORY};
    correction c = {{NULL, NULL, LVL_ERR_FORMAT}, NULL, NULL};

    if (plain.findings)
        plain.status = read_input(doc, plain.findings);
    lvl_status status = plain.status;
    if (errors_of(&plain) && !is_stopped(status)) {
        const lvl_status tried = find_correction(doc, match, count, &c);
        status = is_stopped(tried) ? tried : status;
    }
    if (!is_stopped(status) && is_explained(&plain, &c.best)) {
        lvl_doc_swap(doc, c.best.doc);
        doc->header = c.used->header;
        status = LVL_OK;
        report_header(c.used, c.other, findings);
        lvl_findings_add_all(findings, c.best.findings);
    } else {
        lvl_findings_add_all(findings, plain.findings);
    }
    plain.doc = NULL;
    free_reading(&plain);
    free_reading(&c.best);
    return status;
}

lvl_status lvl_doc_read_input(lvl_doc *doc, lvl_findings *findings)
{
    enum { MATCHES = 16 };
    lvl_header_match match[MATCHES];
    const size_t near = lvl_header_near(doc->format, doc->input, match, MATCHES);

    return near ? read_corrected(doc, match, near, findings) : read_input(doc, findings);
}
