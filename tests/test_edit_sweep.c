/*
 * The edit sweep: an edit changes what it concerns and nothing else. In each file one random field of each
 * kind is changed, the file is written and read again. Counted are:
 *
 *   refused   the format cannot hold the value, and lvl_doc_write_verified said so
 *   content   the file read again is not the document that was written: more than that field, or less,
 * changed spelling  with the old value put back, the written file is not the original, byte for byte (what is
 * packed is compared unpacked): so the edit changed how something is spelled
 *
 * LVL_EDIT_SWEEP=N takes each N-th file of the corpus (default 40; 1: all), and prints what it found per
 * format and kind. LVL_EDIT_SWEEP_LIST=1 names each file that is counted.
 */
#include "codec/inflate.h"
#include "corpus.h"
#include "tools/tools.h"

#include <lvl/container.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* What an edit is tried on. An integer with names, and one that holds flags, is a kind of its own; so is a
 * text of lines. */
typedef enum edit_kind {
    EDIT_INT,
    EDIT_NAMED,
    EDIT_REAL,
    EDIT_TEXT,
    EDIT_LINES,
    EDIT_CELLS,
    EDIT_KINDS
} edit_kind;

static const char *const kind_names[EDIT_KINDS] = {"int", "named", "real", "text", "lines", "cells"};

typedef struct tally {
    char format[16];
    size_t tried, refused, content, spelling;
} tally;

typedef struct sweep {
    lvl_ctx ctx;
    tally tallies[16][EDIT_KINDS];
    size_t formats, files;
    bool list;
} sweep;

/* One member of one record: where the document has it. */
typedef struct place {
    lvl_where where;
    const lvl_field *field;
} place;

typedef struct search {
    const lvl_doc *doc;
    edit_kind kind;
    uint64_t random;
    uint64_t seen;
    place found;
} search;

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static bool is_kind(const lvl_field *f, edit_kind kind)
{
    const bool named = f->names || lvl_field_is_switch(f);

    switch (kind) {
    case EDIT_INT: return f->kind == LVL_INT && !named && !f->ref;
    case EDIT_NAMED: return f->kind == LVL_INT && named;
    case EDIT_REAL: return f->kind == LVL_REAL;
    case EDIT_TEXT: return f->kind == LVL_TEXT && !(f->flags & LVL_F_LINES);
    case EDIT_LINES: return f->kind == LVL_TEXT && (f->flags & LVL_F_LINES);
    case EDIT_CELLS: return f->kind == LVL_CELLS;
    default: return false;
    }
}

/* Every member of that kind has the same chance. Long lists are looked at in 200 places. */
static void look(search *s, const void *record, const lvl_table *table, const lvl_where *where)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];

        if ((f->role != LVL_VALUE && f->role != LVL_UNKNOWN) || (f->flags & (LVL_F_FORM | LVL_F_SIGNATURE)) ||
            !lvl_field_present(record, f))
            continue;
        if (is_kind(f, s->kind) && next_random(&s->random) % ++s->seen == 0)
            s->found = (place){lvl_where_to(*where, f, LVL_NO_INDEX), f};
        if (f->kind == LVL_RECORD) {
            const lvl_where below = lvl_where_to(*where, f, LVL_NO_INDEX);
            look(s, lvl_get_record(record, f), f->table, &below);
        } else if (f->kind == LVL_LIST && f->item == LVL_RECORD) {
            const uint32_t n = lvl_list_count(record, f), step = n / 200 + 1;
            for (uint32_t j = 0; j < n; j += step) {
                const lvl_where below = lvl_where_to(*where, f, j);
                look(s, lvl_list_item(record, f, j), f->table, &below);
            }
        }
    }
}

/* The record that holds the member, in another document of the same shape; NULL when the shape differs. */
static void *holder_of(lvl_doc *doc, const place *p)
{
    const void *record = lvl_doc_croot(doc);

    for (uint32_t i = 0; i + 1 < p->where.depth; i++) {
        const lvl_step *step = &p->where.steps[i];
        if (step->index == LVL_NO_INDEX)
            record = lvl_get_record(record, step->field);
        else if (step->index < lvl_list_count(record, step->field))
            record = lvl_list_item(record, step->field, step->index);
        else
            return NULL;
    }
    return (void *)(uintptr_t)record;
}

static bool change_cell(lvl_doc *doc, void *record, const lvl_field *f, uint64_t *random)
{
    lvl_buffer storage = {0};
    lvl_cells cells;
    uint64_t at = 0;
    uint32_t old = 0, value = 0;

    if (lvl_doc_cells(doc, record, f, &storage, &cells) != LVL_OK || !cells.ptr || !cells.width ||
        !cells.height) {
        lvl_buffer_free(&storage);
        return false;
    }
    /* a value that the grid has elsewhere, so that it is one that means something */
    for (int tries = 0; tries < 200 && value == old; tries++) {
        const uint64_t from = next_random(random) % ((uint64_t)cells.width * cells.height);
        at = next_random(random) % ((uint64_t)cells.width * cells.height);
        old = lvl_cell(&cells, (uint32_t)(at % cells.width), (uint32_t)(at / cells.width));
        value = lvl_cell(&cells, (uint32_t)(from % cells.width), (uint32_t)(from / cells.width));
    }
    const uint32_t size = cells.size;
    lvl_buffer_free(&storage);
    if (value == old)
        return false;
    uint8_t *grid = lvl_cells_edit(doc, record, f);
    if (!grid)
        return false;
    for (uint32_t i = 0; i < size; i++)
        grid[at * size + i] = (uint8_t)(value >> 8 * i);
    return true;
}

static bool change_text(lvl_doc *doc, void *record, const lvl_field *f, uint64_t *random)
{
    lvl_text old = lvl_get_text(record, f);
    char *fresh = lvl_doc_alloc(doc, old.len + 2);
    size_t at = old.len ? next_random(random) % old.len : 0;

    if (!fresh)
        return false;
    if (old.len)
        memcpy(fresh, old.ptr, old.len);
    /* a letter becomes another; a text without letters gets one more */
    for (size_t i = 0; i < old.len; i++, at = at + 1 == old.len ? 0 : at + 1) {
        if ((fresh[at] >= 'a' && fresh[at] <= 'y') || (fresh[at] >= 'A' && fresh[at] <= 'Y')) {
            fresh[at]++;
            return lvl_put_text(doc, record, f, (lvl_text){fresh, old.len}) == LVL_OK;
        }
    }
    fresh[old.len] = 'q';
    return lvl_put_text(doc, record, f, (lvl_text){fresh, old.len + 1}) == LVL_OK;
}

static bool change_int(void *record, const lvl_field *f)
{
    const int64_t old = lvl_get_int(record, f);

    if (f->names && !(f->flags & LVL_F_FLAGS)) {
        for (const lvl_name *n = f->names; n->name; n++) {
            if (n->value != old && lvl_int_fits(f, n->value)) {
                lvl_put_int(record, f, n->value);
                return true;
            }
        }
    }
    lvl_put_int(record, f, f->flags & LVL_F_FLAGS && f->names ? old ^ f->names[0].value : old ^ 1);
    return lvl_get_int(record, f) != old;
}

static bool change(lvl_doc *doc, const place *p, uint64_t *random)
{
    void *record = holder_of(doc, p);

    switch (p->field->kind) {
    case LVL_INT: return change_int(record, p->field);
    case LVL_REAL: {
        double value = lvl_get_real(record, p->field) + 1;
        memcpy((uint8_t *)record + p->field->offset, &value, sizeof value);
        return true;
    }
    case LVL_TEXT: return change_text(doc, record, p->field, random);
    case LVL_CELLS: return change_cell(doc, record, p->field, random);
    default: return false;
    }
}

/* Gives the member the value that it has in `from`, which outlives `to`. */
static bool put_back(lvl_doc *to, lvl_doc *from, const place *p, lvl_buffer *storage)
{
    uint8_t *record = holder_of(to, p);
    const uint8_t *old = holder_of(from, p);

    if (!record || !old)
        return false;
    if (p->field->kind == LVL_CELLS) {
        lvl_cells cells;
        if (lvl_doc_cells(from, old, p->field, storage, &cells) != LVL_OK)
            return false;
        uint8_t *grid = lvl_cells_edit(to, record, p->field);
        if (!grid)
            return false;
        memcpy(grid, cells.ptr, (size_t)cells.width * cells.height * cells.size);
    } else {
        memcpy(record + p->field->offset, old + p->field->offset, p->field->size);
    }
    return true;
}

/* What the bytes are when unpacked: a gzip's content, an archive's names and contents one after the other. */
static void unpack(sweep *s, lvl_bytes bytes, lvl_buffer *out)
{
    lvl_inflate_report report;
    lvl_container *box = NULL;
    lvl_doc *doc = NULL;

    if (bytes.len > 2 && bytes.ptr[0] == 0x1F && bytes.ptr[1] == 0x8B) {
        (void)lvl_inflate_wrapped_salvage(LVL_WRAP_GZIP, bytes, out, (size_t)1 << 28, &report);
        return;
    }
    if (bytes.len > 4 && memcmp(bytes.ptr, "PK\3\4", 4) == 0 &&
        lvl_read(&doc, &s->ctx, NULL, bytes, NULL, LVL_READ_BORROW, NULL) == LVL_OK &&
        lvl_container_open(doc, &box) == LVL_OK) {
        for (size_t i = 0; i < lvl_container_count(box); i++) {
            lvl_buffer storage = {0};
            lvl_bytes content;
            const lvl_entry *e = lvl_container_at(box, i);
            lvl_buffer_str(out, e->path);
            if (!e->is_dir && lvl_container_read(box, e, &content, &storage) == LVL_OK) {
                lvl_buffer inner = {0};
                unpack(s, content, &inner);
                lvl_buffer_add(out, inner.data, inner.len);
                lvl_buffer_free(&inner);
            }
            lvl_buffer_free(&storage);
        }
    } else {
        lvl_buffer_add(out, bytes.ptr, bytes.len);
    }
    lvl_container_close(box);
    lvl_doc_free(doc);
}

static bool same_unpacked(sweep *s, lvl_bytes a, lvl_bytes b)
{
    lvl_buffer x = {0}, y = {0};

    if (a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0)
        return true;
    unpack(s, a, &x);
    unpack(s, b, &y);
    assert_int_equal(x.status | y.status, LVL_OK);
    const bool same = x.len == y.len && (!x.len || memcmp(x.data, y.data, x.len) == 0);
    lvl_buffer_free(&x);
    lvl_buffer_free(&y);
    return same;
}

/* Whether the file `written` holds what the document does. */
static bool holds(const sweep *s, lvl_doc *doc, lvl_bytes written, const char *name)
{
    lvl_buffer out = {0};
    lvl_doc *again = NULL;
    bool different = true;

    if (lvl_read(&again, &s->ctx, lvl_doc_format(doc), written, name, LVL_READ_BORROW, NULL) == LVL_OK) {
        assert_int_equal(lvl_doc_open(doc), LVL_OK);
        assert_int_equal(lvl_doc_open(again), LVL_OK);
        assert_int_equal(lvl_diff(doc, again, NULL, &different, &out), LVL_OK);
        if (different && s->list)
            printf("%.*s", (int)out.len, (const char *)out.data);
    }
    lvl_doc_free(again);
    lvl_buffer_free(&out);
    return !different;
}

static tally *tally_of(sweep *s, const lvl_doc *doc, edit_kind kind)
{
    const char *id = lvl_format_id(lvl_doc_format(doc));
    size_t i = 0;

    while (i < s->formats && strcmp(s->tallies[i][0].format, id) != 0)
        i++;
    assert_true(i < sizeof s->tallies / sizeof *s->tallies);
    if (i == s->formats) {
        s->formats++;
        for (int k = 0; k < EDIT_KINDS; k++)
            snprintf(s->tallies[i][k].format, sizeof s->tallies[i][k].format, "%s", id);
    }
    return &s->tallies[i][kind];
}

static void report(const sweep *s, const char *path, const place *p, const char *what)
{
    char where[400];

    if (!s->list)
        return;
    lvl_where_text(&p->where, where, sizeof where);
    printf("%s: %s: %s\n", lvl_path_name(path), where, what);
}

/* `old`: the file as it is; `doc`: the same, with the member changed. */
static void compare(sweep *s, const char *path, const place *p, lvl_bytes input, lvl_doc *old, lvl_doc *doc,
                    tally *t)
{
    lvl_buffer written = {0}, undone = {0}, storage = {0};
    lvl_doc *again = NULL;

    const lvl_status status = lvl_doc_write_verified(doc, &written, NULL);
    const lvl_bytes bytes = {written.data, written.len};
    if (status != LVL_OK) {
        t->refused++;
        report(s, path, p, "refused");
    } else if (!holds(s, doc, bytes, lvl_path_name(path))) {
        t->content++;
        report(s, path, p, "content");
    } else if (lvl_read(&again, &s->ctx, lvl_doc_format(old), bytes, lvl_path_name(path), LVL_READ_BORROW,
                        NULL) != LVL_OK ||
               !put_back(again, old, p, &storage) || lvl_doc_write(again, &undone) != LVL_OK ||
               !same_unpacked(s, input, (lvl_bytes){undone.data, undone.len})) {
        t->spelling++;
        report(s, path, p, "spelling");
    }
    lvl_doc_free(again);
    lvl_buffer_free(&written);
    lvl_buffer_free(&undone);
    lvl_buffer_free(&storage);
}

static void sweep_file(sweep *s, const char *path, uint64_t seed)
{
    size_t len;
    uint8_t *data = lvl_slurp(path, &len);
    lvl_doc *old = NULL, *doc = NULL;

    assert_non_null(data);
    const lvl_bytes input = {data, len};
    if (lvl_read(&old, &s->ctx, NULL, input, lvl_path_name(path), LVL_READ_BORROW, NULL) == LVL_OK) {
        s->files++;
        for (int kind = 0; kind < EDIT_KINDS; kind++) {
            const lvl_where root = lvl_where_root();
            search found = {.doc = old, .kind = (edit_kind)kind, .random = (seed + 1) * 0x9E3779B97F4A7C15u};
            look(&found, lvl_doc_croot(old), lvl_doc_table(old), &root);
            if (!found.seen)
                continue;
            assert_int_equal(lvl_read(&doc, &s->ctx, NULL, input, lvl_path_name(path), LVL_READ_BORROW, NULL),
                             LVL_OK);
            if (change(doc, &found.found, &found.random)) {
                tally *t = tally_of(s, old, (edit_kind)kind);
                t->tried++;
                compare(s, path, &found.found, input, old, doc, t);
            }
            lvl_doc_free(doc);
        }
        lvl_doc_free(old);
    }
    free(data);
}

static void every_format(void **state)
{
    sweep *s = *state;
    const char *every = getenv("LVL_EDIT_SWEEP");
    const unsigned long given = every ? strtoul(every, NULL, 10) : 0;
    const size_t step = given ? given : 40;
    const char *dir = lvl_corpus_dir();
    lvl_paths paths;
    size_t tried = 0, content = 0, spelling = 0;

    if (!dir) {
        printf("skipped: 0 files swept\n");
        skip();
    }
    assert_true(lvl_paths_below(&paths, dir, NULL));
    for (size_t i = 0; i < paths.count; i += step)
        sweep_file(s, paths.items[i], i);
    lvl_paths_free(&paths);
    printf("%zu files\n%-10s %-6s %7s %7s %7s %8s\n", s->files, "format", "kind", "tried", "refused",
           "content", "spelling");
    for (size_t f = 0; f < s->formats; f++) {
        for (int k = 0; k < EDIT_KINDS; k++) {
            const tally *t = &s->tallies[f][k];
            tried += t->tried;
            content += t->content;
            spelling += t->spelling;
            if (t->tried)
                printf("%-10s %-6s %7zu %7zu %7zu %8zu\n", t->format, kind_names[k], t->tried, t->refused,
                       t->content, t->spelling);
        }
    }
    assert_int_equal(content, 0);
    assert_true(spelling * 100 <= tried); /* 58 of 20,000 in the whole corpus */
}

int main(void)
{
    static sweep s;
    const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(every_format, &s)};

    lvl_ctx_init(&s.ctx);
    s.list = getenv("LVL_EDIT_SWEEP_LIST") != NULL;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
