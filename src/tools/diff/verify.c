/*
 * tools/diff/verify.c: writes an edited document and checks that the file has all of its content.
 */
#include "base/buffer.h"
#include "base/load.h"
#include "base/format.h"
#include "tools/values/json_write.h"
#include "tools/tools.h"
#include "tools/write.h"

#include <stdio.h>
#include <string.h>

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

/* Whether two documents have the same dump: if nothing of a late member can be read, one document has its
 * stored size, and one that was made of a dump has none. */
static lvl_status compare_dumps(const lvl_doc *a, const lvl_doc *b, bool *same)
{
    const lvl_dump_options options = {.compact = true, .no_kept = true};
    lvl_buffer x = {0}, y = {0};
    lvl_status status = lvl_dump(a, &options, &x, NULL);

    if (status == LVL_OK)
        status = lvl_dump(b, &options, &y, NULL);
    *same = status == LVL_OK && x.len == y.len && memcmp(x.data, y.data, x.len) == 0;
    lvl_buffer_free(&x);
    lvl_buffer_free(&y);
    return status;
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
        bool same;
        status = compare_dumps(doc, again, &same);
        different = !same;
    }
    if (status == LVL_OK && different) {
        one_line(shown, &out);
        lvl_fault_add(findings, LVL_FAULT_LOST,
                      "the file cannot represent this value; read again it would differ: %s", shown);
        status = LVL_ERR_LOSS;
    }
    lvl_buffer_free(&out);
    return status;
}

/* How bytes are recognized as a file of the format by one of its extensions. */
typedef enum recognition {
    RECOGNIZED_NOT,
    RECOGNIZED_BY_LVL, /* by a header with wrong bytes, which only lvl reads */
    RECOGNIZED /* as a program that opens it sees them; or the document had these wrong bytes */
} recognition;

static recognition how_recognized(const lvl_doc *doc, lvl_bytes bytes)
{
    const char *at = doc->format->extensions;
    recognition best = RECOGNIZED_NOT;
    char name[32];

    while (at && *at) {
        const size_t n = strcspn(at, " ");
        snprintf(name, sizeof name, "a.%.*s", (int)n, at);
        int bits;
        if (lvl_formats_probe_file(doc->ctx, bytes, name, &bits) == doc->format) {
            if (bits > LVL_PROBED_BY_HEADER || doc->header.count)
                return RECOGNIZED;
            best = RECOGNIZED_BY_LVL;
        }
        at += n + strspn(at + n, " ");
    }
    return best;
}

/* A text that holds a control character; `where` becomes its path, `found` the character. */
static bool find_control(const void *record, const lvl_table *table, lvl_where *where, unsigned *found)
{
    const lvl_where above = *where;

    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        const bool list = f->kind == LVL_LIST;
        const lvl_kind kind = list ? f->item : f->kind;
        if ((kind != LVL_TEXT && kind != LVL_RECORD) || !lvl_field_present(record, f))
            continue;
        const uint32_t count = list ? lvl_list_count(record, f) : 1;
        for (uint32_t k = 0; k < count; k++) {
            const void *item = list ? lvl_list_item(record, f, k) : NULL;
            const lvl_field of_item = lvl_item_field(f);
            const lvl_text text = kind != LVL_TEXT ? (lvl_text){0}
                                  : list           ? lvl_get_text(item, &of_item)
                                                   : lvl_get_text(record, f);
            *where = lvl_where_to(above, f, list ? k : LVL_NO_INDEX);
            if (kind == LVL_RECORD &&
                find_control(list ? item : lvl_get_record(record, f), f->table, where, found))
                return true;
            for (size_t c = 0; c < text.len; c++) {
                *found = (uint8_t)text.ptr[c];
                if (*found < ' ' && *found != '\n' && *found != '\r' && *found != '\t')
                    return true;
            }
        }
    }
    *where = above;
    return false;
}

typedef struct dropped {
    const lvl_doc *doc;
    lvl_findings *findings;
    lvl_status status;
} dropped;

/* Whether a field that is not there shares its place with one that is. */
static bool is_shared(const void *record, const lvl_table *table, const lvl_field *field)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f != field && f->offset == field->offset && lvl_field_present(record, f))
            return true;
    }
    return false;
}

static void warn_dropped(dropped *d, const void *record, const lvl_table *table, const lvl_field *field,
                         const lvl_where *where)
{
    lvl_buffer shown = {0};
    lvl_emit emit = lvl_emit_of(d->doc, &shown);
    char when[200];

    lvl_write_short(&emit, record, field);
    if (shown.status != LVL_OK)
        d->status = shown.status;
    else
        lvl_findings_add(d->findings, &lvl_faults[LVL_FAULT_FIELD_DROPPED], where, NULL,
                         "%s %.*s is not written: the field exists only %s", field->name, (int)shown.len,
                         shown.data ? (const char *)shown.data : "",
                         lvl_when_text(table, field, when, sizeof when));
    lvl_buffer_free(&shown);
}

static void find_dropped(dropped *d, const void *record, const lvl_table *table, lvl_where above)
{
    for (uint32_t i = 0; i < table->field_count && d->status == LVL_OK; i++) {
        const lvl_field *f = &table->fields[i];
        const lvl_where where = lvl_where_to(above, f, LVL_NO_INDEX);
        if (f->role == LVL_DERIVED || f->role == LVL_KEPT)
            continue;
        if (!lvl_field_present(record, f)) {
            const bool empty = lvl_field_is_default(record, f) ||
                               (f->kind == LVL_INT && !lvl_get_int(record, f)) || is_shared(record, table, f);
            if (!empty)
                warn_dropped(d, record, table, f, &where);
        } else if (f->kind == LVL_RECORD) {
            find_dropped(d, lvl_get_record(record, f), f->table, where);
        } else if (f->kind == LVL_LIST && f->item == LVL_RECORD) {
            for (uint32_t k = 0; k < lvl_list_count(record, f) && d->status == LVL_OK; k++)
                find_dropped(d, lvl_list_item(record, f, k), f->table, lvl_where_to(above, f, k));
        }
    }
}

lvl_status lvl_doc_report_dropped(const lvl_doc *doc, lvl_findings *findings)
{
    dropped d = {doc, findings, LVL_OK};

    find_dropped(&d, doc->root, doc->format->table, lvl_where_root());
    return d.status != LVL_OK ? d.status : lvl_findings_status(findings);
}

/* Reports a file that is no longer recognized as one of its format, with what was changed. */
static lvl_status report_unknown(lvl_doc *doc, lvl_findings *findings)
{
    lvl_buffer out = {0};
    lvl_doc *before = NULL;
    lvl_where where = lvl_where_root();
    lvl_status status = LVL_OK;
    char shown[SHOWN] = "";
    unsigned found;

    if (doc->input.len) {
        status = lvl_read(&before, doc->ctx, doc->format, doc->input, NULL, LVL_READ_BORROW, NULL);
        if (status == LVL_OK) {
            lvl_doc *const docs[] = {doc, before};
            status = lvl_doc_open_different(docs, 2, false);
        }
        if (status == LVL_OK)
            status = lvl_diff(before, doc, NULL, NULL, &out);
        if (status == LVL_OK)
            one_line(shown, &out);
    } else if (find_control(doc->root, doc->format->table, &where, &found)) {
        snprintf(shown, sizeof shown, "this text holds the control character 0x%02x", found);
    }
    if (findings)
        lvl_findings_add(findings, &lvl_faults[LVL_FAULT_LOST], &where, NULL,
                         "the file would not be known as a %s any more%s%s", doc->format->title,
                         *shown ? ": " : "", shown);
    lvl_doc_free(before);
    lvl_buffer_free(&out);
    return status == LVL_ERR_MEMORY ? status : LVL_ERR_LOSS;
}

lvl_status lvl_doc_still_recognized(lvl_doc *doc, lvl_bytes written, lvl_findings *findings)
{
    const recognition now = how_recognized(doc, written);

    if (now == RECOGNIZED || (doc->input.len && now >= how_recognized(doc, doc->input)))
        return LVL_OK;
    return report_unknown(doc, findings);
}

/* Writes; what the writer reports names the item that it is about, since an index means nothing to somebody
 * who never saw the list, as in a map of Tiled. */
static lvl_status write_named(const lvl_doc *doc, lvl_buffer *out, lvl_findings *findings, lvl_findings *now,
                              lvl_doc **again)
{
    lvl_findings *own = findings ? lvl_findings_new(doc->ctx) : NULL;

    if (findings && !own)
        return LVL_ERR_MEMORY;
    lvl_status status = lvl_doc_write_again(doc, out, own, now, again);
    for (size_t i = 0; own && i < lvl_findings_count(own); i++) {
        const lvl_finding *f = lvl_findings_at(own, i);
        lvl_buffer name = {0};
        const lvl_emit w = lvl_emit_of(doc, &name);
        lvl_write_item_of(&w, doc, &f->where, f->where.depth, 2);
        lvl_findings_add(findings, f->def, &f->where, f->position.known ? &f->position : NULL, "%.*s%s%s",
                         (int)name.len, name.len ? (const char *)name.data : "", name.len ? ": " : "",
                         f->text);
        lvl_buffer_free(&name);
    }
    if (own && lvl_findings_status(own) != LVL_OK && status == LVL_OK)
        status = lvl_findings_status(own);
    lvl_findings_free(own);
    return status;
}

static bool has_finding(const lvl_findings *list, const lvl_finding *wanted)
{
    for (size_t i = 0; i < lvl_findings_count(list); i++) {
        const lvl_finding *f = lvl_findings_at(list, i);
        if (f->def == wanted->def && strcmp(f->text, wanted->text) == 0)
            return true;
    }
    return false;
}

/* Checks `again`, whose reading found `now`, and adds what the source of `doc` did not have to `added`. The
 * source is only read if anything was found. */
static lvl_status report_added(const lvl_doc *doc, const lvl_doc *again, lvl_findings *now,
                               lvl_severity least, lvl_findings *added)
{
    const lvl_check_request request = {.findings = now, .edited = doc->edit ? doc : NULL};
    const lvl_check_options options = {.no_kept = 1};
    lvl_findings *was = NULL;
    lvl_check_result result;

    lvl_status status = again->format->calls->check ? again->format->calls->check(again, &request) : LVL_OK;
    const bool any = lvl_findings_worst(now) >= least;
    if (status == LVL_OK && any && doc->input.len) {
        was = lvl_findings_new(doc->ctx);
        status = was ? lvl_check(doc->ctx, doc->format, doc->input, NULL, &options, was, &result, NULL)
                     : LVL_ERR_MEMORY;
    }
    for (size_t i = 0; i < lvl_findings_count(now) && status == LVL_OK && any; i++) {
        const lvl_finding *f = lvl_findings_at(now, i);
        /* the source of a document is what it was before the transfer, with the right header */
        const bool known = (doc->transferred && f->def == &lvl_doc_transferred) ||
                           (doc->header.count && f->def == &lvl_doc_header) || (was && has_finding(was, f));
        if (f->severity >= least && !known)
            lvl_findings_add(added, f->def, &f->where, NULL, "%s", f->text);
    }
    lvl_findings_free(was);
    return status == LVL_OK ? lvl_findings_status(added) : status;
}

lvl_status lvl_doc_write_checked(lvl_doc *doc, lvl_buffer *out, lvl_findings *findings, lvl_severity least,
                                 lvl_findings *added)
{
    const size_t start = out->len, known = findings ? lvl_findings_count(findings) : 0;
    lvl_findings *now = added ? lvl_findings_new(doc->ctx) : NULL;
    lvl_doc *again = NULL;

    if (added && !now)
        return LVL_ERR_MEMORY;
    lvl_status status = write_named(doc, out, findings, now, &again);
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
    if (status != LVL_OK)
        goto out;
    const lvl_bytes written = {out->data + start, out->len - start};
    if (!again &&
        (status = lvl_read(&again, doc->ctx, doc->format, written, NULL, LVL_READ_BORROW, now)) != LVL_OK)
        goto out;
    lvl_doc *const docs[] = {doc, again};
    if ((status = lvl_doc_open_different(docs, 2, false)) != LVL_OK ||
        (status = compare(doc, again, findings)) != LVL_OK ||
        (status = lvl_doc_still_recognized(doc, written, findings)) != LVL_OK)
        goto out;
    if (added)
        status = report_added(doc, again, now, least, added);
out:
    lvl_doc_free(again);
    lvl_findings_free(now);
    return status;
}

lvl_status lvl_doc_may_replace(const lvl_doc *doc, lvl_bytes written)
{
    lvl_doc *again = NULL;

    if (!lvl_doc_cuts(doc))
        return LVL_OK;
    lvl_status status = lvl_read(&again, doc->ctx, doc->format, written, NULL, LVL_READ_BORROW, NULL);
    if (status == LVL_OK && lvl_doc_cuts(again) < lvl_doc_cuts(doc))
        status = LVL_ERR_LOSS;
    lvl_doc_free(again);
    return status;
}

lvl_status lvl_write(lvl_doc *doc, lvl_buffer *out, lvl_findings *findings)
{
    return lvl_doc_write_checked(doc, out, findings, LVL_NONE, NULL);
}

lvl_status lvl_save(lvl_doc *doc, const char *path, const lvl_save_options *options)
{
    static const lvl_save_options usual = {0};
    const lvl_save_options *o = options ? options : &usual;
    lvl_file_error why = {0};
    lvl_buffer file = {0};
    char text[256];

    lvl_status status = lvl_write(doc, &file, o->findings);
    if (status == LVL_OK && !o->allow_damaged && lvl_file_kind_of(path) != LVL_FILE_NONE) {
        status = lvl_doc_may_replace(doc, lvl_buffer_bytes(&file));
        if (status == LVL_ERR_LOSS)
            lvl_fault_add(
                o->findings, LVL_FAULT_LOST,
                "the source is cut off or damaged, and the new file would look whole; save it under "
                "another name");
    }
    if (status == LVL_OK)
        status = lvl_file_save_seen(&doc->seen, path, lvl_buffer_bytes(&file), &why);
    if (status != LVL_OK && why.step && strcmp(why.step, LVL_STEP_COMPARE) == 0)
        lvl_fault_add(o->findings, LVL_FAULT_LOST, "%.200s: %s", path,
                      lvl_file_error_text(&why, text, sizeof text));
    lvl_buffer_free(&file);
    return lvl_file_errno(status, &why);
}
