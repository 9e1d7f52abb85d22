/*
 * A merge never drops what a person made without a word. Both sides of a sample or a corpus file get
 * random edits: values, cells, items added, removed, moved and copied, grids resized, drawings in other
 * chunks, one side in another form, one side damaged. Then values are counted, without any idea of how a
 * merge pairs items: of each value of each member of each list, the result has as many as BASE, what OURS
 * added and what THEIRS added; or a conflict names the place. LVL_MERGE_SWEEP=N takes each N-th file of
 * the corpus (default 60), LVL_MERGE_PAIRS=N pairs of sides of each; the edits of each pair that fails are
 * printed. LVL_MERGE_FROM=N counts files of the corpus from N, for the edits of one of them.
 *
 * A conflict is needless if one side changed nothing at its place, and each names an item or a path and what
 * both sides have there. LVL_MERGE_TRIPLES=N: N pairs of sides of each format, of all its files in turn.
 * LVL_MERGE_FORMAT: only that one.
 */
#include "corpus.h"
#include "edits.h"
#include "base/hash.h"
#include "base/map_layout.h"
#include "tools/edit/edit.h"
#include "tools/edit/list.h"
#include "tools/paths/objects.h"
#include "tools/values/json_write.h"
#include "tools/picture/pictures.h"
#include "tools/tools.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { BASE, OURS, THEIRS, MERGED, SIDES };
enum { PATH = 200, MAX_EDITS = 4, MAX_LOG = 4000 };

static lvl_ctx ctx;

/* ---- facts ------------------------------------------------------------------------------------------- */

/* "planes.objects.logic" and a value; and how often each document has it. */
typedef struct fact {
    uint64_t hash;
    int64_t count[SIDES], before;
    char path[PATH];
    char value[60];
    int64_t gained[SIDES], lost[SIDES]; /* of a side, by all its edits, one after the other */
    /* REFERENCE: the label of the item that an index is about; NOTHING: an index of no item */
    enum kind { VALUE, LINE, ITEMS, CELL, REFERENCE, NOTHING } kind;
} fact;

typedef struct facts {
    fact *list;
    size_t count, cap; /* a hash table: cap is a power of two, hash 0 is empty */
    bool moved; /* a side moved the content of a grid: coordinates are not counted */
    bool reformed; /* a side has another form: short texts may be spelled differently in it */
    bool chunked; /* a side has other chunks: of drawings only the pixels count that are painted */
    const lvl_doc *doc;
} facts;

static uint64_t hash_of(const char *path, lvl_bytes value)
{
    uint64_t h = 0xCBF29CE484222325u;

    for (const char *p = path; *p; p++)
        h = (h ^ (uint8_t)*p) * 0x100000001B3u;
    h = (h ^ 0xFF) * 0x100000001B3u;
    for (size_t i = 0; i < value.len; i++)
        h = (h ^ value.ptr[i]) * 0x100000001B3u;
    h ^= h >> 29;
    return h ? h : 1;
}

static void grow(facts *f)
{
    const size_t cap = f->cap ? 2 * f->cap : 1024;
    fact *list = calloc(cap, sizeof *list);

    assert_non_null(list);
    for (size_t i = 0; i < f->cap; i++) {
        size_t at = f->list[i].hash & (cap - 1);
        while (f->list[i].hash && list[at].hash)
            at = (at + 1) & (cap - 1);
        if (f->list[i].hash)
            list[at] = f->list[i];
    }
    free(f->list);
    f->list = list;
    f->cap = cap;
}

static void add_fact(facts *f, int side, enum kind kind, const char *path, lvl_bytes value, int64_t count)
{
    const uint64_t hash = hash_of(path, value);

    if (4 * f->count >= 3 * f->cap)
        grow(f);
    size_t at = hash & (f->cap - 1);
    while (f->list[at].hash && f->list[at].hash != hash)
        at = (at + 1) & (f->cap - 1);
    fact *x = &f->list[at];
    if (!x->hash) {
        f->count++;
        x->hash = hash;
        x->kind = kind;
        snprintf(x->path, sizeof x->path, "%s", path);
        snprintf(x->value, sizeof x->value, "%.*s", (int)(value.len < 59 ? value.len : 59),
                 value.len ? (const char *)value.ptr : "");
    }
    x->count[side] += count;
}

static void add_number(facts *f, int side, enum kind kind, const char *path, const char *what, int64_t number,
                       int64_t count)
{
    char text[60];

    snprintf(text, sizeof text, "%s%lld", what, (long long)number);
    add_fact(f, side, kind, path, (lvl_bytes){(const uint8_t *)text, strlen(text)}, count);
}

/* What a cell or a reference means: the label of the item of the list, since merged lists have other
 * indices. */
static void add_referred(facts *f, int side, enum kind kind, const char *path, const char *list,
                         int64_t index, int64_t count)
{
    const lvl_field *to = lvl_field_named(lvl_doc_table(f->doc), list);
    const lvl_field *label = to ? lvl_label_of(to->table) : NULL;
    lvl_buffer text = {0};

    if (!to || index < 0 || index >= lvl_list_count(lvl_doc_croot(f->doc), to)) {
        if (!f->chunked)
            add_number(f, side, NOTHING, path, "nothing ", 0, count);
        return;
    }
    const void *item = lvl_list_item(lvl_doc_croot(f->doc), to, (uint32_t)index);
    if (label && label->kind == LVL_TEXT) {
        const lvl_text t = lvl_get_text(item, label);
        add_fact(f, side, kind, path, (lvl_bytes){(const uint8_t *)t.ptr, t.len}, count);
    } else {
        add_number(f, side, kind, path, "item ", index, count);
    }
    lvl_buffer_free(&text);
}

static void add_cells(facts *f, int side, const char *path, const void *record, const lvl_field *field)
{
    const lvl_cells *c = lvl_get_cells(record, field);
    const char *list = field->flags & LVL_F_FOLLOWS ? field->ref : NULL;

    for (uint32_t y = 0; c->ptr && y < c->height; y++) {
        for (uint32_t x = 0; x < c->width;) {
            const uint32_t value = lvl_cell(c, x, y), from = x;
            while (x < c->width && lvl_cell(c, x, y) == value)
                x++;
            if (list)
                add_referred(f, side, CELL, path, list, value, x - from);
            else
                add_number(f, side, CELL, path, "cell ", value, x - from);
        }
    }
}

static void hide_number(void *user, uint32_t number, lvl_text written)
{
    (void)user, (void)number;
    memset((char *)(uintptr_t)written.ptr, '#', written.len);
}

/* Each line is a fact. In scripts, numbers of items are left out: merged lists have other ones. */
static void add_lines(facts *f, int side, const char *path, lvl_text script, bool numbers)
{
    char *copy = malloc(script.len + 1);
    size_t at = 0;

    assert_non_null(copy);
    if (script.len)
        memcpy(copy, script.ptr, script.len);
    lvl_text text = {copy, script.len};
    if (numbers)
        lvl_doc_format(f->doc)->calls->script_numbers(text, hide_number, NULL);
    for (size_t i = text.len = 0; i < script.len; i++) { /* each number is one # */
        if (copy[i] != '#' || !text.len || copy[text.len - 1] != '#')
            copy[text.len++] = copy[i];
    }

    while (at <= text.len && text.len) {
        const char *end = memchr(text.ptr + at, '\n', text.len - at);
        const size_t n = end ? (size_t)(end - text.ptr) - at : text.len - at;
        add_fact(f, side, LINE, path, (lvl_bytes){(const uint8_t *)text.ptr + at, n}, 1);
        at += n + 1;
    }
    free(copy);
}

/* Whether the table has a grid whose cells are items of a list, or a list of such: pixels are in chunks
 * there. */
static bool in_chunks(const lvl_table *table)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if ((f->kind == LVL_CELLS && f->flags & LVL_F_FOLLOWS) ||
            (f->kind == LVL_LIST && f->item == LVL_RECORD && in_chunks(f->table)))
            return true;
    }
    return false;
}

static bool is_counted(const facts *f, bool is_object, const lvl_table *table, const lvl_field *field)
{
    if (field->role == LVL_DERIVED || field->role == LVL_KEPT ||
        field->flags & (LVL_F_FORM | LVL_F_SIGNATURE))
        return false;
    if (is_object && field->roles & LVL_ROLE_ID)
        return false; /* a new item may get another one */
    if (f->reformed && field->kind == LVL_TEXT && !(field->flags & LVL_F_LINES))
        return false;
    if (f->chunked && field->kind != LVL_CELLS && in_chunks(table))
        return false;
    return !f->moved || (field->kind != LVL_INT && field->kind != LVL_REAL && field->kind != LVL_RECORD);
}

static void count_record(facts *f, int side, const char *path, const void *record, const lvl_table *table,
                         const lvl_where *where);

static void count_member(facts *f, int side, const char *path, const void *record, const lvl_field *field,
                         const lvl_where *at)
{
    if (field->kind == LVL_RECORD) {
        count_record(f, side, path, lvl_get_record(record, field), field->table, at);
    } else if (field->kind == LVL_LIST) {
        const uint32_t n = lvl_list_count(record, field);
        add_number(f, side, ITEMS, path, "items", 0, n);
        for (uint32_t i = 0; i < n && field->item == LVL_RECORD; i++) {
            lvl_where below = *at;
            below.steps[below.depth - 1].index = i;
            count_record(f, side, path, lvl_list_item(record, field, i), field->table, &below);
        }
    } else if (field->kind == LVL_CELLS) {
        add_cells(f, side, path, record, field);
    } else if (field->kind == LVL_TEXT && field->flags & LVL_F_LINES) {
        add_lines(f, side, path, lvl_get_text(record, field),
                  field->part && strcmp(field->part, "scripts") == 0 &&
                      lvl_doc_format(f->doc)->calls->script_numbers);
    } else if (field->kind == LVL_INT && field->flags & LVL_F_FLAGS) {
        for (int bit = 0; bit < 63; bit++) {
            if (lvl_get_int(record, field) >> bit & 1)
                add_number(f, side, VALUE, path, "bit ", bit, 1);
        }
    } else if (field->kind == LVL_INT && field->ref && !(field->flags & LVL_F_BY_ID)) {
        add_referred(f, side, REFERENCE, path, field->ref, lvl_get_int(record, field), 1);
    } else {
        lvl_buffer value = {0};
        lvl_emit w = lvl_emit_of(f->doc, &value);
        w.compact = true;
        lvl_write_value(&w, record, field, 0);
        add_fact(f, side, VALUE, path, (lvl_bytes){value.data, value.len}, 1);
        lvl_buffer_free(&value);
    }
}

static void count_record(facts *f, int side, const char *path, const void *record, const lvl_table *table,
                         const lvl_where *where)
{
    lvl_map_objects objects;
    const bool is_object = lvl_map_objects_at(f->doc, where, &objects);
    char below[PATH];

    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *field = &table->fields[i];
        if (!lvl_field_present(record, field) || !is_counted(f, is_object, table, field))
            continue;
        const lvl_where at = lvl_where_to(*where, field, LVL_NO_INDEX);
        snprintf(below, sizeof below, "%s%s%s", path, *path ? "." : "", field->name);
        count_member(f, side, below, record, field, &at);
    }
}

/* Counts the values of a document, and what a side's last edit gained and lost. `f` NULL: nothing. */
static void count_doc(facts *f, int side, lvl_doc *doc)
{
    const lvl_where root = lvl_where_root();

    if (!f)
        return;
    assert_int_equal(lvl_doc_open(doc), LVL_OK);
    f->doc = doc;
    for (size_t i = 0; i < f->cap; i++) {
        f->list[i].before = f->list[i].count[side];
        f->list[i].count[side] = 0;
    }
    count_record(f, side, "", lvl_doc_croot(doc), lvl_doc_table(doc), &root);
    for (size_t i = 0; i < f->cap; i++) {
        fact *x = &f->list[i];
        const int64_t more = x->count[side] - x->before;
        x->gained[side] += more > 0 ? more : 0;
        x->lost[side] += more < 0 ? -more : 0;
        x->before = 0;
    }
}

/* A side begins with what BASE has. */
static void begin_count(facts *f, int side)
{
    for (size_t i = 0; f && i < f->cap; i++)
        f->list[i].count[side] = f->list[i].count[BASE];
}

/* ---- edits ------------------------------------------------------------------------------------------- */

typedef struct side {
    lvl_doc *doc;
    bool moved, reformed, chunked; /* the content of a grid was moved; it has another form; other chunks */
    bool converted; /* by its version, so that it may not have members that it had */
    bool shifted; /* items were added, removed or moved: indices are not those of BASE */
    lvl_where edits[MAX_EDITS * 5]; /* the places that were changed */
    size_t edit_count;
    char log[MAX_LOG];
} side;

static void note_place(side *s, const lvl_where *where)
{
    assert_true(s->edit_count < sizeof s->edits / sizeof *s->edits);
    s->edits[s->edit_count++] = *where;
}

static void note(side *s, const char *what, const char *text)
{
    const size_t n = strlen(s->log);

    snprintf(s->log + n, sizeof s->log - n, "%s %s; ", what, text);
}

/* A change of one value. The label of an item that is referred to stays: facts name it. */
static bool edit_value(side *s, uint64_t *random)
{
    const lvl_edit_kind kind = (lvl_edit_kind)(lvl_edit_random(random) % LVL_EDIT_KINDS);
    lvl_edit_place place;
    char where[400];

    if (!lvl_edit_find(s->doc, kind, random, &place))
        return false;
    const lvl_step *list = place.where.depth == 2 ? &place.where.steps[0] : NULL;
    if (list && list->field->table && lvl_label_of(list->field->table) == place.field &&
        lvl_list_is_referenced(lvl_doc_table(s->doc), list->field->name))
        return false;
    if (list && strcmp(place.field->name, "size") == 0 && in_chunks(list->field->table))
        return false; /* of chunks: edit_form */
    lvl_where_text(&place.where, where, sizeof where);
    note(s, "change", where);
    s->converted = s->converted || (place.where.depth == 1 && strcmp(place.field->name, "version") == 0);
    note_place(s, &place.where);
    return lvl_edit_change(s->doc, &place, random);
}

typedef struct lists {
    uint64_t random, seen;
    lvl_where where;
    const lvl_field *field;
    uint32_t count;
} lists;

static void find_lists(lists *l, const void *record, const lvl_table *table, const lvl_where *where)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->kind != LVL_LIST || f->item != LVL_RECORD || f->role == LVL_KEPT || f->role == LVL_DERIVED ||
            f->flags & LVL_F_FIXED || !lvl_field_present(record, f))
            continue;
        const uint32_t n = lvl_list_count(record, f);
        if (n && lvl_edit_random(&l->random) % ++l->seen == 0) {
            l->where = lvl_where_to(*where, f, LVL_NO_INDEX);
            l->field = f;
            l->count = n;
        }
        for (uint32_t k = 0; k < n && k < 50; k++) {
            const lvl_where below = lvl_where_to(*where, f, k);
            find_lists(l, lvl_list_item(record, f, k), f->table, &below);
        }
    }
}

/* Adds a copy of an item, removes one, or moves one. */
static bool edit_list(side *s, uint64_t *random)
{
    lists l = {.random = *random};
    const lvl_where root = lvl_where_root();
    char where[400], path[500];
    const char *const text = path;

    find_lists(&l, lvl_doc_croot(s->doc), lvl_doc_table(s->doc), &root);
    *random = l.random;
    if (!l.seen)
        return false;
    lvl_where_text(&l.where, where, sizeof where);
    note_place(s, &l.where);
    s->shifted = true;
    /* items without a key are what their index says: they are added and removed at the end */
    const bool keyed = l.field->table->identity_count > 0;
    const uint32_t from = keyed ? (uint32_t)(lvl_edit_random(random) % l.count) : l.count - 1,
                   to = keyed ? (uint32_t)(lvl_edit_random(random) % l.count) : l.count;
    switch (lvl_edit_random(random) % 4) {
    case 0:
        snprintf(path, sizeof path, "%s[%u]", where, from);
        note(s, "remove", path);
        return lvl_unset(s->doc, &text, 1, NULL, NULL) == LVL_OK;
    case 1:
        snprintf(path, sizeof path, "%s[%u]@=%u", where, from, to);
        note(s, "move", path);
        return keyed && !(l.field->flags & LVL_F_UNORDERED) &&
               lvl_set(s->doc, &text, 1, NULL, NULL) == LVL_OK;
    default: {
        lvl_buffer set = {0};
        snprintf(path, sizeof path, "%s[%u]", where, from);
        lvl_buffer_printf(&set, "%s[+%u]=", where, to);
        bool good = lvl_get(s->doc, path, NULL, &set, NULL, NULL) == LVL_OK;
        if (good)
            set.data[set.len - 1] = 0;
        note(s, "copy", path);
        const char *const assignment = (const char *)set.data;
        good = good && lvl_set(s->doc, &assignment, 1, NULL, NULL) == LVL_OK;
        lvl_buffer_free(&set);
        return good;
    }
    }
}

static bool edit_size(side *s, uint64_t *random)
{
    const lvl_map_grid *grid = lvl_map_grid_of(s->doc->format);
    const lvl_field *planes = lvl_map_layers(s->doc->format);
    const lvl_field *tiles = planes ? lvl_map_cells_of(planes->table).cells : NULL;
    char plane[24];

    if (!tiles || grid->fixed_width)
        return false;
    const uint32_t count = lvl_list_count(lvl_doc_croot(s->doc), planes);
    if (!count)
        return false;
    const uint32_t at = (uint32_t)(lvl_edit_random(random) % count);
    const lvl_cells *cells = lvl_get_cells(lvl_list_item(lvl_doc_croot(s->doc), planes, at), tiles);
    snprintf(plane, sizeof plane, "%u", at);
    lvl_resize_options o = {.plane = plane, .anchor_x = -1, .anchor_y = -1};
    if (!cells->ptr)
        return false;
    o.width = cells->width + (uint32_t)(lvl_edit_random(random) % 9);
    o.height = cells->height + (uint32_t)(lvl_edit_random(random) % 9);
    o.width -= o.width > 8 ? 4 : 0;
    o.height -= o.height > 8 ? 4 : 0;
    if (lvl_edit_random(random) % 3 == 0) {
        o.anchor_x = (int)(lvl_edit_random(random) % 3) - 1;
        o.anchor_y = (int)(lvl_edit_random(random) % 3) - 1;
        s->moved = true;
    }
    const lvl_where root = lvl_where_root(), where = lvl_where_to(root, planes, at);
    note(s, "resize plane", plane);
    note_place(s, &where);
    return lvl_resize(s->doc, &o, NULL, NULL) == LVL_OK;
}

/* Another version or generation of the format, or other chunks. */
static bool edit_form(side *s, uint64_t *random)
{
    const lvl_format *format = lvl_doc_format(s->doc);
    size_t count = 0;

    if (format->calls->restructure && lvl_edit_random(random) % 2) {
        const lvl_draw_options options = {.chunk_size = 32u << lvl_edit_random(random) % 4};
        lvl_findings *losses = lvl_findings_new(&ctx);
        const lvl_status status = lvl_doc_restructure(s->doc, &options, losses);
        note(s, "chunks", "");
        s->chunked = true;
        lvl_findings_free(losses);
        return status == LVL_OK;
    }
    while (format->forms && format->forms[count].name)
        count++;
    if (!count)
        return false;
    lvl_findings *losses = lvl_findings_new(&ctx);
    lvl_doc *doc = NULL;
    const char *form = format->forms[lvl_edit_random(random) % count].name;
    const lvl_status status = lvl_convert(s->doc, form, false, losses, &doc);
    note(s, "form", form);
    lvl_findings_free(losses);
    if (status != LVL_OK || lvl_doc_format(doc) != format) {
        lvl_doc_free(doc);
        return false;
    }
    lvl_doc_free(s->doc);
    s->doc = doc;
    s->reformed = true;
    return true;
}

static lvl_doc *read_doc(lvl_bytes bytes, const char *name, const lvl_format *format)
{
    lvl_doc *doc = NULL;

    return lvl_read(&doc, &ctx, format, bytes, name, 0, NULL) == LVL_OK ? doc : NULL;
}

/* Makes a side: some edits, and a document as it is read from its file. False: an edit is impossible. */
static bool make_side(side *s, lvl_bytes base, const char *name, uint64_t *random, lvl_buffer *bytes,
                      facts *f, int number)
{
    const unsigned edits = 1 + (unsigned)(lvl_edit_random(random) % MAX_EDITS);
    unsigned done = 0, values = 0;

    memset(s, 0, sizeof *s);
    s->doc = read_doc(base, name, NULL);
    if (!s->doc || lvl_doc_open(s->doc) != LVL_OK)
        return false;
    /* values first, so that their places are those of BASE */
    for (unsigned i = 0; i < edits; i++)
        values += (unsigned)(lvl_edit_random(random) % 2);
    begin_count(f, number);
    for (unsigned i = 0; i < 4 && done < values; i++) {
        done += edit_value(s, random);
        count_doc(f, number, s->doc);
    }
    for (unsigned i = 0; i < 4 * edits && done < edits; i++) {
        const uint64_t kind = lvl_edit_random(random) % 8;
        done += kind == 0 ? edit_form(s, random) : kind <= 2 ? edit_size(s, random) : edit_list(s, random);
        count_doc(f, number, s->doc);
    }
    const lvl_format *format = lvl_doc_format(s->doc);
    const bool good = done && lvl_write(s->doc, bytes, NULL) == LVL_OK;
    lvl_doc_free(s->doc);
    s->doc = good ? read_doc((lvl_bytes){bytes->data, bytes->len}, name, format) : NULL;
    return s->doc && lvl_doc_format(s->doc) == format;
}

/* ---- the oracle -------------------------------------------------------------------------------------- */

typedef struct tally {
    const char *format;
    size_t files, pairs, refused, clean, damaged, wrong;
    size_t needless, unnamed; /* pairs with such conflicts */
} tally;

/* Whether a side changed something at a place, or above or below it. */
static bool touches(const side *s, const lvl_where *where, bool indices)
{
    bool found = s->reformed || s->converted || s->chunked || !where->depth;

    for (size_t i = 0; i < s->edit_count && !found; i++) {
        const lvl_where *edit = &s->edits[i];
        found = true;
        for (uint32_t d = 0; found && d < edit->depth && d < where->depth; d++) {
            const uint32_t a = edit->steps[d].index, b = where->steps[d].index;
            found = edit->steps[d].field == where->steps[d].field &&
                    (!indices || a == LVL_NO_INDEX || b == LVL_NO_INDEX || a == b);
        }
        /* references to items of a list that was changed, and pixels that were */
        const lvl_step *last = where->depth ? &where->steps[where->depth - 1] : NULL;
        found = found ||
                (edit->depth == 1 && last && last->field->ref &&
                 strcmp(last->field->ref, edit->steps[0].field->name) == 0) ||
                (edit->depth && edit->steps[0].field->table && in_chunks(edit->steps[0].field->table));
    }
    return found;
}

/* Counts conflicts that nobody needs, and those that do not say what they are about. */
static void check_conflicts(tally *t, const char *path, const lvl_findings *findings, const side *ours,
                            const side *theirs)
{
    const bool indices = !ours->shifted && !theirs->shifted && !ours->chunked && !theirs->chunked;
    bool needless = false, unnamed = false;

    for (size_t i = 0; i < lvl_findings_count(findings); i++) {
        const lvl_finding *f = lvl_findings_at(findings, i);
        char where[400];
        if (strcmp(f->def->id, "lvl.merge.conflict") != 0)
            continue;
        const bool needed = touches(ours, &f->where, indices) && touches(theirs, &f->where, indices);
        const bool named = (f->where.depth || ours->reformed || theirs->reformed || ours->chunked ||
                            strstr(f->text, "damaged")) &&
                           (strstr(f->text, "both sides") || strstr(f->text, ", which ") ||
                            strstr(f->text, "has the form") || strstr(f->text, "damaged") ||
                            (strstr(f->text, "ours") && strstr(f->text, "theirs")));
        if (needed && named)
            continue;
        lvl_where_text(&f->where, where, sizeof where);
        printf("%s: %s: ours: %s theirs: %s\n    %s: %s\n", path, needed ? "not named" : "needless",
               ours->log, theirs->log, where, f->text);
        needless = needless || !needed;
        unnamed = unnamed || !named;
    }
    t->needless += needless;
    t->unnamed += unnamed;
}

/* The fields of a place without its indices, and how many of them are below lists. */
static void plain_path(const lvl_where *where, char *out)
{
    size_t n = 0;

    *out = 0;
    for (uint32_t i = 0; i < where->depth && n < PATH; i++) {
        snprintf(out + n, PATH - n, "%s%s", i ? "." : "", where->steps[i].field->name);
        n = strlen(out);
    }
}

static bool is_below(const char *path, const char *top)
{
    const size_t n = strlen(top);

    return !n || (strncmp(path, top, n) == 0 && (!path[n] || path[n] == '.'));
}

/* How many missing or doubled values of that path the conflicts explain. */
static int64_t explained(const lvl_doc *facts_doc, const fact *x, const lvl_findings *findings)
{
    char path[PATH];
    int64_t n = 0;

    for (size_t i = 0; i < lvl_findings_count(findings); i++) {
        const lvl_finding *f = lvl_findings_at(findings, i);
        plain_path(&f->where, path);
        /* an item that is used stays, and what uses it */
        if (f->where.depth == 1 && (x->kind == CELL || x->kind == REFERENCE) &&
            lvl_list_is_referenced(lvl_doc_table(facts_doc), f->where.steps[0].field->name))
            n += INT32_MAX;
        if (strstr(f->text, "has the form")) /* the result has another one */
            n += INT32_MAX;
        if (!is_below(x->path, path))
            continue;
        /* a conflict of a value or an item is about one of them, and about all that the item has in lists
         * and grids */
        const char *rest = x->path + strlen(path);
        const bool all = !f->where.depth || x->kind != VALUE || strchr(rest + (*rest == '.'), '.');
        n += all ? INT32_MAX : 1;
    }
    return n;
}

/* Whether a side removed an item of a list that the value is in, or of one above. An item that the other side
 * changed so much that nobody recognizes it stays then, as a new one. */
static bool is_of_removed(const facts *f, const fact *x)
{
    for (size_t i = 0; i < f->cap; i++) {
        const fact *list = &f->list[i];
        if (list->hash && list->kind == ITEMS && is_below(x->path, list->path) &&
            list->lost[OURS] + list->lost[THEIRS] > 0)
            return true;
    }
    return false;
}

/* Both sides may have gained or lost the same. */
static bool is_fine(const facts *f, const fact *x, const lvl_findings *findings)
{
    const int64_t gained = x->gained[OURS] + x->gained[THEIRS], lost = x->lost[OURS] + x->lost[THEIRS];
    const int64_t same_gain = x->gained[OURS] < x->gained[THEIRS] ? x->gained[OURS] : x->gained[THEIRS];
    const int64_t same_loss = x->lost[OURS] < x->lost[THEIRS] ? x->lost[OURS] : x->lost[THEIRS];
    const int64_t least = x->count[BASE] + gained - same_gain - lost;
    const int64_t most = x->count[BASE] + gained - lost + same_loss;
    const int64_t m = x->count[MERGED];

    if (m >= least && m <= most)
        return true;
    if (x->kind == NOTHING && m < least)
        return true; /* what a reference lost is there */
    if (m > most && (x->kind == REFERENCE || is_of_removed(f, x)))
        return true;
    const int64_t allowed = explained(f->doc, x, findings);
    return m >= least - allowed && m <= most + allowed;
}

static void compare(tally *t, const char *path, facts *f, const lvl_findings *findings, const side *ours,
                    const side *theirs)
{
    size_t shown = 0;

    for (size_t i = 0; i < f->cap; i++) {
        const fact *x = &f->list[i];
        /* another kind of map does not have all keys */
        const bool key = x->kind == VALUE && !strchr(x->path, '.') &&
                         (f->reformed || ours->converted || theirs->converted);
        if (!x->hash || key || is_fine(f, x, findings))
            continue;
        if (!shown++) {
            t->wrong++;
            printf("%s: ours: %s theirs: %s\n", path, ours->log, theirs->log);
            for (size_t k = 0; k < lvl_findings_count(findings) && k < 5; k++) {
                char where[400];
                lvl_where_text(&lvl_findings_at(findings, k)->where, where, sizeof where);
                printf("    conflict %s: %s\n", where, lvl_findings_at(findings, k)->text);
            }
        }
        if (shown < 6)
            printf("    %s = %s: base %lld, ours %lld, theirs %lld, merged %lld\n", x->path, x->value,
                   (long long)x->count[BASE], (long long)x->count[OURS], (long long)x->count[THEIRS],
                   (long long)x->count[MERGED]);
    }
    fflush(stdout);
}

/* Both sides sound: nothing of either is missing without a word. */
static void try_sides(tally *t, const char *path, lvl_bytes base, uint64_t seed)
{
    uint64_t random = (seed + 5) * 0x9E3779B97F4A7C15u;
    const char *name = lvl_path_name(path);
    lvl_buffer a = {0}, b = {0}, out = {0};
    side ours = {0}, theirs = {0};
    facts f = {0};

    /* what is counted depends on the edits, so that they are made twice */
    const uint64_t start = random;
    lvl_doc *old = NULL;
    bool made = true;
    for (int again = 0; again < 2 && made; again++) {
        lvl_doc_free(old);
        lvl_doc_free(ours.doc);
        lvl_doc_free(theirs.doc);
        lvl_buffer_free(&a);
        lvl_buffer_free(&b);
        free(f.list);
        f = (facts){.moved = ours.moved || theirs.moved,
                    .chunked = ours.chunked || theirs.chunked,
                    .reformed = ours.reformed || theirs.reformed};
        random = start;
        ours = theirs = (side){0};
        old = read_doc(base, name, NULL);
        if (old && again)
            count_doc(&f, BASE, old);
        made = old && make_side(&ours, base, name, &random, &a, again ? &f : NULL, OURS) &&
               make_side(&theirs, base, name, &random, &b, again ? &f : NULL, THEIRS);
    }
    lvl_findings *findings = lvl_findings_new(&ctx);
    uint64_t conflicts = 0;
    if (made) {
        count_doc(&f, OURS, ours.doc);
        count_doc(&f, THEIRS, theirs.doc);
        lvl_status status = lvl_merge(ours.doc, old, theirs.doc, NULL, &conflicts, findings);
        if (status == LVL_OK)
            status = lvl_write(ours.doc, &out, findings);
        if (status == LVL_OK) {
            lvl_doc *merged = read_doc((lvl_bytes){out.data, out.len}, name, lvl_doc_format(ours.doc));
            assert_non_null(merged);
            t->pairs++;
            t->clean += !conflicts;
            count_doc(&f, MERGED, merged);
            compare(t, path, &f, findings, &ours, &theirs);
            check_conflicts(t, path, findings, &ours, &theirs);
            lvl_doc_free(merged);
        } else {
            t->refused++; /* with a reason: the form cannot hold it */
            if (getenv("LVL_MERGE_SHOW") && lvl_findings_count(findings))
                printf("%s: refused: ours: %s theirs: %s\n    %s\n", path, ours.log, theirs.log,
                       lvl_findings_at(findings, lvl_findings_count(findings) - 1)->text);
            if (!lvl_findings_count(findings)) {
                printf("%s: status %d without a reason: ours: %s theirs: %s\n", path, (int)status, ours.log,
                       theirs.log);
                t->wrong++;
            }
        }
    }
    lvl_findings_free(findings);
    free(f.list);
    lvl_doc_free(old);
    lvl_doc_free(ours.doc);
    lvl_doc_free(theirs.doc);
    lvl_buffer_free(&a);
    lvl_buffer_free(&b);
    lvl_buffer_free(&out);
}

/* One side is cut off: where that is known, the merge is a conflict, and has all of the sound side. */
static void try_damage(tally *t, const char *path, lvl_bytes base, uint64_t seed)
{
    uint64_t random = (seed + 9) * 0x9E3779B97F4A7C15u;
    const char *name = lvl_path_name(path);
    const lvl_bytes cut = {base.ptr, base.len - 1 - lvl_edit_random(&random) % base.len / 2};
    lvl_buffer bytes = {0};
    side sound = {0};
    facts f = {0};

    lvl_doc *old = read_doc(base, name, NULL), *damaged = NULL;
    if (old && lvl_read(&damaged, &ctx, lvl_doc_format(old), cut, name, 0, NULL) == LVL_OK &&
        lvl_doc_open(damaged) == LVL_OK && lvl_doc_cuts(damaged) > lvl_doc_cuts(old) &&
        make_side(&sound, base, name, &random, &bytes, &f, OURS)) {
        lvl_findings *findings = lvl_findings_new(&ctx);
        uint64_t conflicts = 0;
        lvl_doc *result = read_doc((lvl_bytes){bytes.data, bytes.len}, name, lvl_doc_format(sound.doc));
        count_doc(&f, OURS, sound.doc);
        if (lvl_merge(result, old, damaged, NULL, &conflicts, findings) == LVL_OK) {
            t->damaged++;
            count_doc(&f, MERGED, result);
            bool whole = conflicts > 0;
            for (size_t i = 0; i < f.cap; i++) {
                const fact *x = &f.list[i];
                if (x->count[OURS] != x->count[MERGED])
                    printf("    %s = %s: sound %lld, merged %lld\n", x->path, x->value,
                           (long long)x->count[OURS], (long long)x->count[MERGED]);
                whole = whole && x->count[OURS] == x->count[MERGED];
            }
            if (!whole)
                printf("%s: cut to %zu bytes: %llu conflicts; sound: %s\n", path, cut.len,
                       (unsigned long long)conflicts, sound.log);
            t->wrong += !whole;
        }
        lvl_doc_free(result);
        lvl_findings_free(findings);
    }
    free(f.list);
    lvl_doc_free(old);
    lvl_doc_free(damaged);
    lvl_doc_free(sound.doc);
    lvl_buffer_free(&bytes);
}

enum { MAX_FORMATS = 16 };

static void try_file(tally *rows, const char *path, size_t seed, int pairs, const char *only)
{
    size_t len;
    uint8_t *data = lvl_slurp(path, &len);
    lvl_doc *doc = NULL;

    assert_non_null(data);
    const lvl_bytes bytes = {data, len};
    if (len > 16 && len < 1 << 18 &&
        lvl_read(&doc, &ctx, NULL, bytes, lvl_path_name(path), 0, NULL) == LVL_OK &&
        (!only || strcmp(only, lvl_doc_format(doc)->id) == 0)) {
        size_t i = 0;
        while (i < MAX_FORMATS - 1 && rows[i].format && strcmp(rows[i].format, lvl_doc_format(doc)->id) != 0)
            i++;
        rows[i].format = lvl_doc_format(doc)->id;
        rows[i].files++;
        for (int k = 0; k < pairs; k++) {
            try_sides(&rows[i], path, bytes, seed * 31 + (size_t)k);
            if (k % 4 == 0)
                try_damage(&rows[i], path, bytes, seed * 31 + (size_t)k);
        }
    }
    lvl_doc_free(doc);
    free(data);
}

/* More pairs of a format, until there are `wanted`. */
static void try_format(tally *row, const lvl_paths *paths, size_t wanted)
{
    for (size_t round = 1; round < 200 && row->pairs < wanted; round++) {
        for (size_t i = 0; i < paths->count && row->pairs < wanted; i++)
            try_file(row, paths->items[i], 7919 * round + i, 1, row->format);
    }
}

static void nothing_is_lost(void **state)
{
    static const char endings[] = "wwd graal zelda nw gani gmap level doodad";
    const char *every = getenv("LVL_MERGE_SWEEP"), *many = getenv("LVL_MERGE_PAIRS"),
               *only = getenv("LVL_MERGE_FORMAT"), *first = getenv("LVL_MERGE_FROM"),
               *corpus = lvl_corpus_dir(), *samples = lvl_samples_dir();
    const size_t step = every && strtoul(every, NULL, 10) ? strtoul(every, NULL, 10) : 60;
    const size_t from = first ? strtoul(first, NULL, 10) : 0;
    const int pairs = many ? (int)strtol(many, NULL, 10) : 0;
    tally rows[MAX_FORMATS] = {{0}};
    const char *all_formats = getenv("LVL_MERGE_TRIPLES");
    const size_t triples = all_formats ? strtoul(all_formats, NULL, 10) : 0;
    size_t all = 0, clean = 0, wrong = 0, unnamed = 0;
    bool few_needless = true;
    lvl_paths paths;

    (void)state;
    if (samples && lvl_paths_below(&paths, samples, endings)) {
        for (size_t i = 0; i < paths.count; i++)
            try_file(rows, paths.items[i], i, pairs ? pairs : 5, only);
        lvl_paths_free(&paths);
    }
    if (corpus && lvl_paths_below(&paths, corpus, endings)) {
        for (size_t i = 0; i < paths.count; i += step)
            try_file(rows, paths.items[i], i + from, pairs ? pairs : 3, only);
        lvl_paths_free(&paths);
    }
    for (tally *t = rows; triples && t < rows + MAX_FORMATS && t->format; t++) {
        const char *const folders[2] = {samples, corpus};
        for (int i = 0; i < 2; i++) {
            if (folders[i] && lvl_paths_below(&paths, folders[i], endings)) {
                try_format(t, &paths, i || !corpus ? triples : triples / 4);
                lvl_paths_free(&paths);
            }
        }
    }
    printf("%-8s %6s %6s %8s %6s %8s %6s %8s %8s\n", "format", "files", "pairs", "refused", "clean",
           "damaged", "wrong", "needless", "unnamed");
    for (const tally *t = rows; t < rows + MAX_FORMATS && t->format; t++) {
        printf("%-8s %6zu %6zu %8zu %6zu %8zu %6zu %8zu %8zu\n", t->format, t->files, t->pairs, t->refused,
               t->clean, t->damaged, t->wrong, t->needless, t->unnamed);
        few_needless = few_needless && 50 * t->needless <= t->pairs + 49;
        unnamed += t->unnamed;
        all += t->pairs;
        clean += t->clean;
        wrong += t->wrong;
    }
    assert_true(clean > all / 4 || !samples || only);
    assert_int_equal(wrong, 0);
    assert_true(few_needless); /* 2 % */
    assert_int_equal(unnamed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_lost)};

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
