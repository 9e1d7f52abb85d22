/*
 * lines/write.c: writes a document of lines. One whose content has the hash of its source is the source;
 * another one is woven into it (weave.c), with the words of changed lines that did not change, or, if that is
 * read as something else, without; and one that has no source is printed by the rules alone. What was written
 * is read again: a text that would be read as something else is not written.
 */
#include "lines/writer.h"

#include "base/buffer.h"
#include "base/piece.h"
#include "base/record.h"
#include "base/search.h"
#include "base/work.h"

#include <stdlib.h>

/* ---- verifying ----------------------------------------------------------------------------------- */

lvl_text lvl_writer_source(const lvl_line_writer *w)
{
    lvl_text file;

    memcpy(&file, (const uint8_t *)w->doc->root + w->rules.grammar->source, sizeof file);
    return file;
}

lvl_status lvl_writer_reread(const lvl_line_writer *w, lvl_text text, bool lines, lvl_findings *found,
                             lvl_doc **out)
{
    const lvl_status status = lvl_doc_new(out, w->doc->ctx, w->doc->format);

    if (status != LVL_OK)
        return status;
    (*out)->codepage = w->doc->codepage;
    (*out)->input = (lvl_bytes){(const uint8_t *)text.ptr, text.len};
    (*out)->edit = lines;
    return w->doc->format->calls->read(*out, NULL, found);
}

static bool is_same(const lvl_line_writer *w, const lvl_doc *other)
{
    const lvl_table *table = w->rules.table;

    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->role == LVL_DERIVED && f->kind == LVL_INT &&
            lvl_get_int(w->root, f) != lvl_get_int(other->root, f))
            return false;
    }
    return lvl_record_equal(w->root, other->root, table);
}

bool lvl_writer_verify(lvl_line_writer *w, const lvl_buffer *out, size_t from)
{
    const lvl_text text = {out->len > from ? (const char *)out->data + from : NULL, out->len - from};
    lvl_doc *again = NULL;
    if (w->found)
        lvl_findings_clear(w->found);
    const lvl_status status = lvl_writer_reread(w, text, false, w->found, &again);
    const bool same = status == LVL_OK && is_same(w, again);

    if (status == LVL_ERR_MEMORY || status == LVL_ERR_STOPPED)
        lvl_writer_fail(w, status);
    if (same && w->keeps)
        w->again = again;
    else
        lvl_doc_free(again);
    return same;
}

/* ---- weaving into the source ---------------------------------------------------------------------- */

/* Drops the end of the last line, since that of the source has none. */
static void drop_last_end(const lvl_line_writer *w, size_t start, lvl_buffer *out)
{
    out->len -= out->len > start && out->data[out->len - 1] == '\n';
    out->len -= w->crlf && out->len > start && out->data[out->len - 1] == '\r';
}

/* An item whose source is not copied. */
typedef struct fresh_item {
    const lvl_field *list;
    uint32_t index;
} fresh_item;

static int by_item(const void *a, const void *b)
{
    const fresh_item *x = a, *y = b;

    if (x->list != y->list)
        return (uintptr_t)x->list < (uintptr_t)y->list ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Marks the lines whose source is not copied. */
static lvl_status mark_rewritten(lvl_line_writer *w, const lvl_where *rewritten, size_t count)
{
    fresh_item *items = lvl_mem_alloc(w->doc->ctx, (count + 1) * sizeof *items);
    bool root = false;
    size_t used = 0;

    if (!items)
        return LVL_ERR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        root = root || !rewritten[i].depth;
        if (rewritten[i].depth)
            items[used++] = (fresh_item){rewritten[i].steps[0].field, rewritten[i].steps[0].index};
    }
    const lvl_status status = lvl_charge(w->doc->ctx, (used + w->list.count) * (uint64_t)16);
    if (status == LVL_OK && used)
        qsort(items, used, sizeof *items, by_item);
    for (uint32_t i = 0; i < w->list.count && status == LVL_OK; i++) {
        lvl_line *line = &w->list.lines[i];
        const lvl_field *list = lvl_rules_list(&w->rules, line);
        const fresh_item item = {list, line->item};
        size_t at;
        LVL_LOWER_BOUND(at, used, by_item(&items[at], &item) < 0);
        if (list ? at < used && !by_item(&items[at], &item)
                 : root && w->rules.grammar->rules[line->rule].kind == LVL_RULE_SINGLE)
            line->marks |= LVL_MARK_ANEW;
    }
    lvl_mem_free(w->doc->ctx, items);
    return status;
}

/* Appends the source as it is, if the document has its content: an unusual source has bytes that writing its
 * lines would not reproduce. */
static bool copy_source(lvl_line_writer *w, lvl_text file, lvl_buffer *out)
{
    const size_t start = out->len;

    if (w->status != LVL_OK)
        return false;
    lvl_buffer_add(out, file.ptr, file.len);
    lvl_writer_fail(w, out->status);
    return w->status == LVL_OK && lvl_writer_verify(w, out, start);
}

/* Appends the weave, in which the last line has no end where that of the source has none (unless `ended`).
 * False if it would not be read as the document. */
static bool try_weave(lvl_weave *m, bool ended)
{
    lvl_buffer *out = m->out;
    lvl_line_writer *w = m->w;
    const size_t start = out->len;

    lvl_weave_put(m);
    lvl_writer_fail(w, out->status);
    if (!ended && m->file.ptr[m->file.len - 1] != '\n' && out->status == LVL_OK)
        drop_last_end(w, start, out);
    const bool done = w->status == LVL_OK && lvl_writer_verify(w, out, start);
    if (!done && out->status == LVL_OK)
        out->len = start;
    return done;
}

/* Whether the source has text that no member has. */
static bool has_more(const lvl_line_list *list)
{
    bool any = false;

    for (uint32_t i = 0; i < list->count; i++)
        any |= (list->lines[i].marks & LVL_MARK_MORE) != 0;
    return any;
}

/* Appends the document; false: its lines cannot be put into the source, which was read as the lines `old`. */
static bool weave_source(lvl_line_writer *w, const lvl_line_list *old, const lvl_hash_seed *seed,
                         const lvl_where *rewritten, size_t count, lvl_buffer *out)
{
    lvl_weave m = {.w = w, .old = old, .file = lvl_writer_source(w), .respell = true, .out = out};
    const size_t start = out->len;
    lvl_line_reader reader;

    if (lvl_writer_hash(w, seed) == old->hash && !count && copy_source(w, m.file, out))
        return true;
    if (w->status == LVL_OK && count)
        lvl_writer_fail(w, mark_rewritten(w, rewritten, count));
    if (w->status == LVL_OK)
        lvl_writer_fail(w, lvl_writer_pair(w, old, &m.pairs));
    if (w->status != LVL_OK)
        return false;
    out->len = start;
    for (size_t i = 0; i < count; i++)
        m.add_missing |= !rewritten[i].depth;
    lvl_reader_open(&reader, (lvl_doc *)(uintptr_t)w->doc, m.file, &w->arena);
    m.reader = &reader;
    bool done = try_weave(&m, count > 0);
    if (!done && w->status == LVL_OK) { /* next to new words, words of the source may mean something else */
        m.respell = false;
        done = try_weave(&m, count > 0);
    }
    if (!done && has_more(old))
        lvl_writer_fail(w, LVL_ERR_LOSS);
    return done;
}

bool lvl_writer_put_sourced(lvl_line_writer *w, const lvl_where *rewritten, size_t count, lvl_buffer *out)
{
    const lvl_text file = lvl_writer_source(w);
    const size_t start = out->len;
    lvl_doc *again = NULL;
    bool done = false;
    lvl_status status;

    if (!file.len || w->status != LVL_OK)
        return false;
    const lvl_doc *source =
        lvl_pieces_of(w->doc, (lvl_bytes){(const uint8_t *)file.ptr, file.len}, &again, &status);
    const lvl_line_list *old = source ? source->state : NULL;
    if (status == LVL_ERR_MEMORY || status == LVL_ERR_STOPPED)
        lvl_writer_fail(w, status);
    if (old && old->noted && old->grammar == w->rules.grammar)
        done = weave_source(w, old, &source->pieces->seed, rewritten, count, out);
    lvl_doc_free(again);
    if (!done && out->status == LVL_OK)
        out->len = start;
    return done;
}

static lvl_status rewrite(const lvl_doc *doc, const lvl_where *rewritten, size_t count, lvl_buffer *out,
                          lvl_findings *found, lvl_doc **again)
{
    const size_t start = out->len;
    lvl_line_writer w;

    if (!doc->format->calls->grammar(doc))
        return LVL_ERR_LOSS;
    lvl_writer_open(&w, doc, true);
    w.found = found;
    w.keeps = again != NULL;
    if (!lvl_writer_put_sourced(&w, rewritten, count, out) && w.status == LVL_OK) {
        const lvl_text file = lvl_writer_source(&w);
        lvl_buffer_add(out, file.ptr,
                       file.len - lvl_lines_of_file((lvl_bytes){(const uint8_t *)file.ptr, file.len}).len);
        lvl_writer_put(&w, out);
        if (w.status == LVL_OK && !lvl_writer_verify(&w, out, start))
            lvl_writer_fail(&w, LVL_ERR_LOSS);
    }
    if (w.status != LVL_OK && out->status == LVL_OK)
        out->len = start;
    lvl_writer_close(&w);
    if (w.status != LVL_OK || !again)
        lvl_doc_free(w.again);
    else
        *again = w.again;
    return w.status;
}

lvl_status lvl_grammar_rewrite(const lvl_doc *doc, const lvl_where *rewritten, size_t count, lvl_buffer *out)
{
    return rewrite(doc, rewritten, count, out, NULL, NULL);
}

lvl_status lvl_grammar_write(const lvl_doc *doc, lvl_buffer *out)
{
    return rewrite(doc, NULL, 0, out, NULL, NULL);
}

lvl_status lvl_grammar_write_read(const lvl_doc *doc, lvl_buffer *out, lvl_findings *found, lvl_doc **again)
{
    return rewrite(doc, NULL, 0, out, found, again);
}

/* ---- noting -------------------------------------------------------------------------------------- */

lvl_status lvl_grammar_note_pieces(lvl_doc *doc)
{
    lvl_line_list *list = doc->state;
    lvl_line_pairs pairs;
    lvl_line_writer w;

    if (!list || !doc->format->calls->grammar(doc))
        return LVL_OK;
    const lvl_status begun = lvl_pieces_begin(doc);
    if (begun != LVL_OK)
        return begun;
    lvl_writer_open(&w, doc, false);
    list->hash = lvl_writer_hash(&w, &doc->pieces->seed);
    if (w.status == LVL_OK)
        lvl_writer_fail(&w, lvl_writer_pair(&w, list, &pairs));
    for (uint32_t i = 0; i < list->count && w.status == LVL_OK; i++) {
        lvl_line *line = &list->lines[i];
        if (pairs.now_of[i] == LVL_NO_LINE)
            line->marks |= LVL_MARK_DEFAULT;
        else
            line->hash = w.list.lines[pairs.now_of[i]].hash;
    }
    list->noted = w.status == LVL_OK;
    lvl_writer_close(&w);
    return w.status;
}
