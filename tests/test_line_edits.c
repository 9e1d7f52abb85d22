/*
 * Edits of text formats, over their tables: in each list of each sample an item is added at each place, each
 * item is removed, moved to the front, and each of its fields changed. A plain comparison of lines is the
 * oracle: what was added or removed is in one piece and nothing else changes; a changed field changes lines
 * of its item only. What is written has the content of the document; of odd files only this is compared.
 *
 * LVL_LINE_EDITS=N: up to N places of a list (at least 2) instead of 3, and the seeds of the fuzzers, too.
 */
#include "base/format.h"
#include "base/record.h"
#include "corpus.h"
#include "lines/text.h"

#include <lvl/doc.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;
static unsigned places = 3;

typedef struct tally {
    size_t written, refused, failed;
} tally;

/* Which lines differ between two texts, when equal ones at the start and at the end are left out. */
typedef struct difference {
    size_t removed, added;
} difference;

static lvl_text next_line(lvl_text *rest)
{
    const lvl_lines_text lines = {rest->ptr, rest->ptr + rest->len, false};
    const lvl_line_view view = lvl_line_at(&lines, rest->ptr);
    lvl_text line = view.text;

    line.len -= line.len && line.ptr[line.len - 1] == '\r';
    *rest = (lvl_text){view.next, (size_t)(lines.end - view.next)};
    return line;
}

/* The lines of a text, without those that are computed; *count gets their number. */
static lvl_text *lines_of(lvl_bytes bytes, size_t *count)
{
    lvl_text rest = lvl_lines_of_file(bytes);
    lvl_text *lines = malloc((bytes.len + 1) * sizeof *lines);

    assert_non_null(lines);
    for (*count = 0; rest.len;) {
        const lvl_text line = next_line(&rest);
        if (!lvl_line_has_word(line, "WIDTH") && !lvl_line_has_word(line, "HEIGHT"))
            lines[(*count)++] = line;
    }
    return lines;
}

static difference compare(lvl_bytes before, lvl_bytes after)
{
    size_t n, m, front = 0, back = 0;
    lvl_text *a = lines_of(before, &n), *b = lines_of(after, &m);

    while (front < n && front < m && lvl_text_equal(a[front], b[front]))
        front++;
    while (back < n - front && back < m - front && lvl_text_equal(a[n - 1 - back], b[m - 1 - back]))
        back++;
    free(a);
    free(b);
    return (difference){n - front - back, m - front - back};
}

/* ---- edits --------------------------------------------------------------------------------------- */

typedef struct sample {
    const char *path;
    lvl_bytes file;
    const lvl_format *format;
    bool sound; /* nothing was found in it; otherwise only contents are compared */
    tally *tally;
} sample;

static lvl_doc *read_sample(const sample *s)
{
    lvl_doc *doc = NULL;

    assert_int_equal(lvl_read(&doc, &ctx, s->format, s->file, s->path, LVL_READ_BORROW | LVL_READ_EDIT, NULL),
                     LVL_OK);
    return doc;
}

static uint8_t *item_of(lvl_doc *doc, const lvl_field *list, uint32_t index)
{
    return lvl_item_at(lvl_doc_root(doc), list, index);
}

/* Writes the document and frees it; false: it is refused. What is written is read as the document. */
static bool write_edited(const sample *s, lvl_doc *doc, const char *what, difference *out)
{
    lvl_buffer text = {0};
    lvl_doc *again = NULL;

    const lvl_status status = lvl_doc_write(doc, &text);
    if (status != LVL_OK) {
        assert_int_equal(status, LVL_ERR_LOSS);
        s->tally->refused++;
    } else {
        const lvl_bytes bytes = {text.data, text.len};
        assert_int_equal(lvl_read(&again, &ctx, s->format, bytes, s->path, LVL_READ_BORROW, NULL), LVL_OK);
        if (!lvl_record_equal(doc->root, again->root, s->format->table)) {
            print_message("%s: %s: read as something else\n", s->path, what);
            s->tally->failed++;
        }
        *out = compare(s->file, bytes);
        s->tally->written++;
    }
    lvl_doc_free(again);
    lvl_doc_free(doc);
    lvl_buffer_free(&text);
    return status == LVL_OK;
}

/* Texts and numbers may share a line; records do not. */
static void expect(const sample *s, bool good, const char *what, const lvl_field *list, uint32_t index,
                   difference d)
{
    if (good || !s->sound || (list->kind == LVL_LIST && list->item != LVL_RECORD))
        return;
    print_message("%s: %s %s[%u]: %zu lines removed, %zu added\n", s->path, what, list->name, index,
                  d.removed, d.added);
    s->tally->failed++;
}

static void add_item(const sample *s, const lvl_field *list, uint32_t index, uint32_t count)
{
    lvl_doc *doc = read_sample(s);
    difference d;

    assert_int_equal(lvl_list_insert(doc, lvl_doc_root(doc), list, index, 1), LVL_OK);
    if (count)
        memcpy(item_of(doc, list, index), item_of(doc, list, index < count ? index + 1 : index - 1),
               list->item_size);
    if (write_edited(s, doc, "add", &d))
        expect(s, !d.removed && d.added, "add", list, index, d);
}

/* The number of lines that go with the item; 0: it cannot be removed. */
static size_t remove_item(const sample *s, const lvl_field *list, uint32_t index)
{
    lvl_doc *doc = read_sample(s);
    difference d;

    assert_int_equal(lvl_list_remove(doc, lvl_doc_root(doc), list, index, 1), LVL_OK);
    if (!write_edited(s, doc, "remove", &d))
        return 0;
    expect(s, d.removed && !d.added, "remove", list, index, d);
    return d.removed;
}

/* Exchanges it with the first one. */
static void exchange_items(const sample *s, const lvl_field *list, uint32_t index)
{
    lvl_doc *doc = read_sample(s);
    uint8_t *first = item_of(doc, list, 0), *other = item_of(doc, list, index);
    uint8_t *kept = malloc(list->item_size);
    difference d;

    assert_non_null(kept);
    memcpy(kept, first, list->item_size);
    memcpy(first, other, list->item_size);
    memcpy(other, kept, list->item_size);
    free(kept);
    write_edited(s, doc, "exchange", &d);
}

/* Gives a field another value; false: not such a field. */
static bool change_field(lvl_doc *doc, void *record, const lvl_field *f)
{
    if (!lvl_field_present(record, f) || f->role != LVL_VALUE)
        return false;
    if (f->kind == LVL_INT) {
        const int64_t value = lvl_get_int(record, f);
        lvl_put_int(record, f, value ? 0 : 1);
    } else if (f->kind == LVL_REAL) {
        const double value = lvl_get_real(record, f) + 1.5;
        memcpy((uint8_t *)record + f->offset, &value, sizeof value);
    } else if (f->kind == LVL_TEXT) {
        const lvl_text was = lvl_get_text(record, f);
        char *text = lvl_doc_alloc(doc, was.len + 1);
        assert_non_null(text);
        memcpy(text, was.ptr ? was.ptr : "", was.len);
        text[was.len] = 'x';
        const lvl_text now = {text, was.len + 1};
        memcpy((uint8_t *)record + f->offset, &now, sizeof now);
    } else {
        return false;
    }
    return true;
}

static void change_item(const sample *s, const lvl_field *list, uint32_t index, size_t lines)
{
    for (uint32_t i = 0; i < list->table->field_count; i++) {
        const lvl_field *f = &list->table->fields[i];
        lvl_doc *doc = read_sample(s);
        difference d;
        if (!change_field(doc, item_of(doc, list, index), f))
            lvl_doc_free(doc);
        else if (write_edited(s, doc, f->name, &d))
            expect(s, d.removed <= lines && d.added <= lines + 1, f->name, list, index, d);
    }
}

static void change_root(const sample *s)
{
    for (uint32_t i = 0; i < s->format->table->field_count; i++) {
        const lvl_field *f = &s->format->table->fields[i];
        lvl_doc *doc = read_sample(s);
        difference d;
        /* a version decides what all lines are; a blank line may go with a line */
        if (f->flags & LVL_F_LINES || f->names || !change_field(doc, doc->root, f))
            lvl_doc_free(doc);
        else if (write_edited(s, doc, f->name, &d))
            expect(s, d.removed <= (d.added ? 1 : 2) && d.added <= 2, "change", f, 0, d);
    }
}

static bool has_cells(const lvl_field *list)
{
    bool any = false;

    for (uint32_t i = 0; list->table && i < list->table->field_count; i++)
        any |= list->table->fields[i].kind == LVL_CELLS;
    return any;
}

static void edit_list(const sample *s, const lvl_field *list)
{
    lvl_doc *doc = read_sample(s);
    const uint32_t count = lvl_list_count(doc->root, list);
    const bool present = lvl_field_present(doc->root, list);

    lvl_doc_free(doc);
    if (!present || has_cells(list))
        return;
    for (unsigned p = 0; p < places && p <= count; p++) {
        const uint32_t index =
            (uint32_t)((uint64_t)count * p / (places > count ? count + !count : places - 1));
        add_item(s, list, index < count ? index : count, count);
        if (index >= count)
            continue;
        const size_t lines = remove_item(s, list, index);
        if (index)
            exchange_items(s, list, index);
        if (list->item == LVL_RECORD && lines)
            change_item(s, list, index, lines);
    }
}

static void edit_file(const char *path, tally *t)
{
    size_t len;
    uint8_t *data = lvl_slurp(path, &len);
    const lvl_bytes file = {data, len};
    lvl_findings *found = lvl_findings_new(&ctx);
    lvl_doc *doc = NULL;

    assert_non_null(data);
    assert_non_null(found);
    const lvl_format *format = lvl_formats_probe_file(&ctx, file, path, NULL);
    if (format && format->calls->grammar &&
        lvl_read(&doc, &ctx, format, file, path, LVL_READ_BORROW, found) == LVL_OK &&
        format->calls->grammar(doc)) {
        const sample s = {path, file, format, !lvl_findings_count(found), t};
        change_root(&s);
        for (uint32_t i = 0; i < format->table->field_count; i++) {
            if (format->table->fields[i].kind == LVL_LIST)
                edit_list(&s, &format->table->fields[i]);
        }
    }
    lvl_doc_free(doc);
    lvl_findings_free(found);
    free(data);
}

static void edits(void **state)
{
    const char *more = getenv("LVL_LINE_EDITS"), *samples = lvl_samples_dir();
    lvl_paths paths = {0};
    tally t = {0, 0, 0};
    (void)state;

    if (!samples) {
        print_message("skipped: no samples\n");
        skip();
    }
    places = more ? (unsigned)strtoul(more, NULL, 10) : places;
    places = places < 2 ? 2 : places; /* the first and the last */
    assert_true(lvl_paths_below(&paths, samples, "nw gani gmap txt"));
    if (more)
        assert_true(lvl_paths_below(&paths, "fuzz/seeds", NULL));
    for (size_t i = 0; i < paths.count; i++)
        edit_file(paths.items[i], &t);
    print_message("%zu files: %zu edits written, %zu refused\n", paths.count, t.written, t.refused);
    assert_true(t.written > 100);
    assert_int_equal(t.failed, 0);
    lvl_paths_free(&paths);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(edits)};

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
