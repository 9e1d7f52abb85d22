/*
 * Each kind of change against another one, in every list and grid that the tables have: a deletion before an
 * edit, an insertion, a move, both sides add an item, a column inserted in a grid. The expected result is
 * made by the same steps on lists of texts, without alignment or merge. Half of the lists are first made
 * longer than 100 items by copies that differ in one value.
 *
 * Without a variable a small fixed part runs. LVL_MERGE_KINDS=N: N triples of each kind and format;
 * LVL_MERGE_SWEEP=N: each N-th file of the corpus; LVL_MERGE_FORMAT: only that one; LVL_MERGE_SHOW=1 prints
 * how results differ; LVL_MERGE_KEEP=DIR writes the files of triples that fail there.
 */
#include "corpus.h"
#include "edits.h"
#include "base/map_layout.h"
#include "tools/values/json_write.h"
#include "tools/picture/pictures.h"
#include "tools/edit/script_refs.h"
#include "tools/tools.h"

#include <lvl/tools.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { MAX_ITEMS = 400, MAX_LISTS = 600, LONG = 110, MAX_FORMATS = 16 };

static lvl_ctx ctx;

/* ---- texts ------------------------------------------------------------------------------------------- */

/* The items of a list, each as text. */
typedef struct texts {
    char *items[MAX_ITEMS];
    size_t count;
} texts;

static char *copy_text(const char *text)
{
    const size_t n = strlen(text) + 1;
    char *copy = malloc(n);

    assert_non_null(copy);
    return memcpy(copy, text, n);
}

static void texts_free(texts *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->items[i]);
    t->count = 0;
}

static void texts_insert(texts *t, size_t at, const char *text)
{
    char *copy = copy_text(text);

    assert_true(t->count < MAX_ITEMS && at <= t->count && copy);
    memmove(t->items + at + 1, t->items + at, (t->count - at) * sizeof *t->items);
    t->items[at] = copy;
    t->count++;
}

static char *texts_take(texts *t, size_t at)
{
    char *text = t->items[at];

    memmove(t->items + at, t->items + at + 1, (t->count - at - 1) * sizeof *t->items);
    t->count--;
    return text;
}

static void texts_copy(texts *to, const texts *from)
{
    to->count = 0;
    for (size_t i = 0; i < from->count; i++)
        texts_insert(to, i, from->items[i]);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* How often a list has a text. */
static size_t times(const texts *t, const char *text)
{
    size_t n = 0;

    for (size_t i = 0; i < t->count; i++)
        n += strcmp(t->items[i], text) == 0;
    return n;
}

static bool has_equal(const texts *t)
{
    bool equal = false;

    for (size_t i = 0; i < t->count && !equal; i++) {
        for (size_t k = 0; k < i && !equal; k++)
            equal = strcmp(t->items[i], t->items[k]) == 0;
    }
    return equal;
}

static bool texts_equal(texts *a, texts *b, bool sorted)
{
    bool same = a->count == b->count;

    if (sorted) {
        qsort(a->items, a->count, sizeof *a->items, by_text);
        qsort(b->items, b->count, sizeof *b->items, by_text);
    }
    for (size_t i = 0; same && i < a->count; i++)
        same = strcmp(a->items[i], b->items[i]) == 0;
    return same;
}

/* ---- lists of a document ----------------------------------------------------------------------------- */

typedef struct place {
    lvl_where where; /* of the list, or of the grid */
    const lvl_field *field;
} place;

typedef struct places {
    place items[MAX_LISTS];
    size_t count;
    bool grids;
} places;

/* A random one of the places of one field, after a random field of all that there are. */
static void find_places(places *p, const void *record, const lvl_table *table, const lvl_where *where)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (!lvl_field_present(record, f) || f->role == LVL_KEPT || f->role == LVL_DERIVED)
            continue;
        const lvl_where at = lvl_where_to(*where, f, LVL_NO_INDEX);
        const bool list = f->kind == LVL_LIST && !(f->flags & LVL_F_FIXED);
        const bool grid = f->kind == LVL_CELLS && !(f->flags & (LVL_F_LATE | LVL_F_FOLLOWS));
        if ((p->grids ? grid : list) && p->count < MAX_LISTS)
            p->items[p->count++] = (place){at, f};
        if (f->kind == LVL_RECORD)
            find_places(p, lvl_get_record(record, f), f->table, &at);
        /* names of a world are cells of a grid, not a list of their own */
        const bool world = f->roles & LVL_ROLE_LEVELS;
        for (uint32_t k = 0; f->kind == LVL_LIST && f->item == LVL_RECORD && !world &&
                             k < lvl_list_count(record, f) && k < 12;
             k++) {
            const lvl_where below = lvl_where_to(*where, f, k);
            find_places(p, lvl_list_item(record, f, k), f->table, &below);
        }
    }
}

typedef enum change {
    DELETE_BEFORE, /* one deletes an item, the other edits one after it */
    DELETE_AFTER,
    INSERT_BEFORE, /* one inserts an item, the other edits one after it */
    INSERT_AFTER,
    DELETE_EDITED, /* one deletes what the other edits */
    DELETE_MOVED_EDITED, /* one deletes what the other moves and edits */
    MOVE_EDIT, /* one moves an item, the other edits the same */
    MOVE_OTHER, /* one moves an item, the other edits another one */
    APPEND_BOTH,
    MOVE_EDIT_APPEND, /* one moves and edits an item, the other appends one */
    DELETE_BOTH, /* each deletes another item */
    INSERT_BOTH, /* each inserts an item, at other places */
    INSERT_SAME, /* each inserts an item, at the same place */
    FILL_BOTH, /* each adds an item to an empty list */
    RUN_DELETED, /* one deletes several items side by side, the other edits one after them */
    RUN_INSERTED,
    EDIT_MEMBERS, /* both edit an item, other members of it */
    EDIT_MEMBER, /* both edit a member of an item */
    MOVE_EDIT_EDIT, /* one moves and edits an item, the other edits another member of it */
    MOVE_BOTH, /* each moves an item */
    GRID_INSERT, /* one inserts a column or row, the other paints */
    GRID_DELETE,
    GRID_DELETE_PAINTED,
    GRID_BOTH, /* each inserts or deletes a column or row */
    LAYER_BOTH, /* each adds a layer */
    CHUNK_ERASED, /* one erases a square of pixels, the other paints in it */
    COLUMN_INSERT, /* of a world; the other changes a name */
    COLUMN_DELETE,
    CONVERT_EDIT, /* one converts to another form, the other makes any change */
    CHUNKS_EDIT, /* one stores pixels in other chunks */
    USE_SHIFTED, /* one inserts, deletes or moves an item of a list; the other refers to another item of it */
    KINDS
} change;

static const char *const kind_names[KINDS] = {
    "delete before", "delete after",  "insert before",       "insert after",     "delete edited",
    "delete moved",  "move and edit", "move other",          "append both",      "move, edit, append",
    "delete both",   "insert both",   "insert same",         "fill both",        "run deleted",
    "run inserted",  "edit members",  "edit member",         "move edit edit",   "move both",
    "grid insert",   "grid delete",   "grid delete painted", "grid both",        "layer both",
    "chunk erased",  "column insert", "column delete",       "convert and edit", "chunks and edit",
    "use shifted",
};

static bool is_of_grids(change kind)
{
    return kind >= GRID_INSERT && kind <= GRID_BOTH;
}

/* How often each list and grid of the tables was tried. */
typedef struct coverage {
    const lvl_format *format;
    const lvl_field *field;
    char path[200];
    size_t chosen[KINDS]; /* also where a kind was not possible */
    size_t triples[KINDS];
} coverage;

enum { MAX_COVERED = 400 };
static coverage covered[MAX_COVERED];
static size_t covered_count;

static coverage *cover(const lvl_format *format, const lvl_field *field)
{
    for (size_t i = 0; i < covered_count; i++) {
        if (covered[i].format == format && covered[i].field == field)
            return &covered[i];
    }
    return NULL;
}

/* Notes all lists and grids of a format, as its tables have them. */
static void cover_table(const lvl_format *format, const lvl_table *table, const char *path)
{
    for (uint32_t i = 0; table && i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        char below[200];
        if (f->role == LVL_KEPT || f->role == LVL_DERIVED || cover(format, f))
            continue;
        snprintf(below, sizeof below, "%s%s%s", path, *path ? "." : "", f->name);
        const bool list = f->kind == LVL_LIST && !(f->flags & LVL_F_FIXED);
        const bool grid = f->kind == LVL_CELLS && !(f->flags & (LVL_F_LATE | LVL_F_FOLLOWS));
        if ((list || grid) && covered_count < MAX_COVERED) {
            coverage *c = &covered[covered_count++];
            *c = (coverage){.format = format, .field = f};
            snprintf(c->path, sizeof c->path, "%s", below);
        }
        if (f->kind == LVL_RECORD || (f->kind == LVL_LIST && f->item == LVL_RECORD))
            cover_table(format, f->table, below);
    }
}

/* A place of the list or grid that was tried least with a kind of change, of those that the document has. */
static void find_place(const lvl_doc *doc, change kind, uint64_t *random, place *out)
{
    places p = {.grids = is_of_grids(kind)};
    const lvl_where root = lvl_where_root();
    size_t least = SIZE_MAX, seen = 0;

    find_places(&p, lvl_doc_croot(doc), lvl_doc_table(doc), &root);
    out->field = NULL;
    for (size_t i = 0; i < p.count; i++) {
        const coverage *c = cover(doc->format, p.items[i].field);
        const size_t n = c ? c->chosen[kind] : 0;
        seen = n < least ? 0 : seen;
        if (n > least || lvl_edit_random(random) % ++seen)
            continue;
        least = n;
        *out = p.items[i];
    }
    coverage *c = out->field ? cover(doc->format, out->field) : NULL;
    if (c)
        c->chosen[kind]++;
}

/* The record that has the list or grid, in another document. */
static void *holder(lvl_doc *doc, const place *p)
{
    const lvl_edit_place at = {p->where, p->field};

    return lvl_edit_holder(doc, &at);
}

static uint32_t count_of(lvl_doc *doc, const place *p)
{
    return lvl_list_count(holder(doc, p), p->field);
}

static const lvl_field *id_of(const lvl_field *list)
{
    const lvl_field *id =
        list->item == LVL_RECORD ? lvl_field_with_role(list->table, LVL_ROLE_ID, NULL) : NULL;

    return id && id->kind == LVL_INT ? id : NULL;
}

/* The items of a list without numbers that identify them, since new items may get others. False: too many. */
static bool read_texts(lvl_doc *doc, const place *p, texts *out)
{
    void *record = holder(doc, p);
    const lvl_field item = lvl_item_field(p->field), *id = id_of(p->field);
    const uint32_t n = record ? lvl_list_count(record, p->field) : MAX_ITEMS;

    out->count = 0;
    for (uint32_t i = 0; i < n && n < MAX_ITEMS - 4; i++) {
        lvl_buffer text = {0};
        lvl_emit w = lvl_emit_of(doc, &text);
        void *at = lvl_item_at(record, p->field, i);
        const int64_t was = id ? lvl_get_int(at, id) : 0;
        w.compact = w.no_kept = true;
        if (id)
            lvl_put_int(at, id, 0);
        lvl_write_value(&w, at, &item, 0);
        if (id)
            lvl_put_int(at, id, was);
        lvl_buffer_u8(&text, 0);
        texts_insert(out, i, (const char *)text.data);
        lvl_buffer_free(&text);
    }
    return n < MAX_ITEMS - 4;
}

/* ---- steps ------------------------------------------------------------------------------------------- */

/* The only field of the first identity: a key; NULL: items have none. */
static const lvl_field *key_of(const lvl_field *list)
{
    const lvl_table *t = list->item == LVL_RECORD ? list->table : NULL;

    return t && t->identity_count && t->identities[0].count == 1
               ? lvl_table_at(t, t->identities[0].offsets[0])
               : NULL;
}

static bool can_edit(const lvl_field *list, const lvl_field *f, const void *record)
{
    return lvl_field_present(record, f) && f->role != LVL_DERIVED && f->role != LVL_KEPT && !f->ref &&
           !(f->roles & LVL_ROLE_CELL_WIDTH) && /* CHUNKS_EDIT */
           !f->forms && f != key_of(list) && !(f->roles & LVL_ROLE_ID) && !(f->flags & LVL_F_FORM) &&
           (f->kind == LVL_INT || f->kind == LVL_REAL || f->kind == LVL_TEXT);
}

/* Changes a number so that others seldom have the same. */
static bool add_to_int(void *record, const lvl_field *f, uint64_t *random)
{
    const int64_t was = lvl_get_int(record, f), more = 1 + (int64_t)(lvl_edit_random(random) % 37);
    const int64_t span = f->max - f->min + 1;
    const int64_t now = f->max > f->min && was >= f->min && was <= f->max
                            ? f->min + (was - f->min + 1 + more % (span > 1 ? span - 1 : 1)) % span
                            : was + more;

    if (lvl_int_fits(f, now))
        lvl_put_int(record, f, now);
    return lvl_get_int(record, f) != was;
}

static bool add_to_real(void *record, const lvl_field *f, uint64_t *random)
{
    const double now = lvl_get_real(record, f) + 1 + (double)(lvl_edit_random(random) % 19);

    memcpy((uint8_t *)record + f->offset, &now, sizeof now);
    return true;
}

/* Changes a member of an item. */
static bool edit_member(lvl_doc *doc, void *record, const lvl_where *item, const lvl_field *f,
                        uint64_t *random)
{
    const lvl_edit_place edit = {lvl_where_to(*item, f, LVL_NO_INDEX), f};

    return f->kind == LVL_INT && !f->names && !(f->flags & LVL_F_FLAGS) ? add_to_int(record, f, random)
           : f->kind == LVL_REAL                                        ? add_to_real(record, f, random)
                                                                        : lvl_edit_change(doc, &edit, random);
}

/* Changes `members` members of an item, or its value. */
static bool edit_item(lvl_doc *doc, const place *p, uint32_t index, unsigned members, uint64_t *random)
{
    void *record = lvl_item_at(holder(doc, p), p->field, index);
    lvl_where at = p->where;
    unsigned done = 0;

    at.steps[at.depth - 1].index = index;
    if (p->field->item != LVL_RECORD) {
        const lvl_field item = lvl_item_field(p->field);
        if (p->field->item == LVL_TEXT) {
            char text[300];
            const lvl_text was = lvl_get_text(record, &item);
            snprintf(text, sizeof text, "%.*s%u", (int)(was.len < 200 ? was.len : 200),
                     was.ptr ? was.ptr : "", (unsigned)(lvl_edit_random(random) % 90 + 10));
            return lvl_put_text(doc, record, &item, lvl_text_of(text)) == LVL_OK;
        }
        if (p->field->item == LVL_INT)
            lvl_put_int(record, &item, lvl_get_int(record, &item) ^ 1);
        return p->field->item == LVL_INT;
    }
    const lvl_table *t = p->field->table;
    const uint32_t first = (uint32_t)(lvl_edit_random(random) % t->field_count);
    for (uint32_t i = 0; i < t->field_count && done < members; i++) {
        const lvl_field *f = &t->fields[(first + i) % t->field_count];
        if (!can_edit(p->field, f, record))
            continue;
        done += edit_member(doc, record, &at, f, random);
    }
    for (uint32_t i = 0; i < t->field_count && !done; i++) {
        const lvl_edit_place edit = {lvl_where_to(at, &t->fields[i], LVL_NO_INDEX), &t->fields[i]};
        if (t->fields[i].kind == LVL_CELLS && lvl_field_present(record, &t->fields[i]))
            done += lvl_edit_change(doc, &edit, random);
    }
    /* items of nothing but lists: in the first of these */
    for (uint32_t i = 0; i < t->field_count && !done; i++) {
        const lvl_field *f = &t->fields[i];
        if (f->kind != LVL_LIST || !lvl_field_present(record, f) || !lvl_list_count(record, f))
            continue;
        const place inner = {lvl_where_to(at, f, LVL_NO_INDEX), f};
        done += edit_item(doc, &inner, (uint32_t)(lvl_edit_random(random) % lvl_list_count(record, f)), 1,
                          random);
    }
    return done > 0;
}

/* Changes the nth of the members of an item that can be changed. False: there are not as many. */
static bool edit_nth(lvl_doc *doc, const place *p, uint32_t index, uint32_t nth, uint64_t *random)
{
    void *record = lvl_item_at(holder(doc, p), p->field, index);
    const lvl_table *t = p->field->item == LVL_RECORD ? p->field->table : NULL;
    lvl_where at = p->where;

    at.steps[at.depth - 1].index = index;
    for (uint32_t i = 0; t && i < t->field_count; i++) {
        if (can_edit(p->field, &t->fields[i], record) && nth-- == 0)
            return edit_member(doc, record, &at, &t->fields[i], random);
    }
    return false;
}

static uint32_t count_members(lvl_doc *doc, const place *p, uint32_t index)
{
    const void *record = lvl_item_at(holder(doc, p), p->field, index);
    const lvl_table *t = p->field->item == LVL_RECORD ? p->field->table : NULL;
    uint32_t n = 0;

    for (uint32_t i = 0; t && i < t->field_count; i++)
        n += can_edit(p->field, &t->fields[i], record);
    return n;
}

/* Whether changes of both sides of the nth of the members merge: bits and lines. */
static bool is_mergeable(lvl_doc *doc, const place *p, uint32_t index, uint32_t nth)
{
    const void *record = lvl_item_at(holder(doc, p), p->field, index);
    const lvl_table *t = p->field->item == LVL_RECORD ? p->field->table : NULL;

    for (uint32_t i = 0; t && i < t->field_count; i++) {
        if (can_edit(p->field, &t->fields[i], record) && nth-- == 0)
            return (t->fields[i].flags & (LVL_F_FLAGS | LVL_F_LINES)) != 0;
    }
    return false;
}

static bool apply(lvl_doc *doc, const char *text, bool unset)
{
    return (unset ? lvl_unset(doc, &text, 1, NULL, NULL) : lvl_set(doc, &text, 1, NULL, NULL)) == LVL_OK;
}

static bool delete_item(lvl_doc *doc, const place *p, uint32_t index)
{
    char where[400], path[440];

    lvl_where_text(&p->where, where, sizeof where);
    snprintf(path, sizeof path, "%s[%u]", where, index);
    return apply(doc, path, true);
}

static bool move_item(lvl_doc *doc, const place *p, uint32_t from, uint32_t to)
{
    char where[400], path[460];

    lvl_where_text(&p->where, where, sizeof where);
    snprintf(path, sizeof path, "%s[%u]@=%u", where, from, to);
    return apply(doc, path, false);
}

/* The list of squares of pixels of a layer; NULL: the format has none. */
static const lvl_field *squares_of(const lvl_format *format)
{
    const lvl_field *layers = lvl_map_layers(format);

    return layers ? lvl_map_cells_of(layers->table).squares : NULL;
}

/* Inserts a copy of an item before index `at`, with another key or some other values. */
static bool insert_item(lvl_doc *doc, const place *p, uint32_t from, uint32_t at, const char *salt,
                        uint64_t *random)
{
    const lvl_field *key = key_of(p->field), item = lvl_item_field(p->field);
    char where[400], head[460], name[300];
    lvl_buffer set = {0};

    lvl_where_text(&p->where, where, sizeof where);
    if (p->field->item == LVL_TEXT) {
        const lvl_text was = lvl_get_text(lvl_list_item(holder(doc, p), p->field, from), &item);
        snprintf(head, sizeof head, "%s[+%u]=%.*s%s", where, at, (int)(was.len < 40 ? was.len : 40),
                 was.ptr ? was.ptr : "", salt);
        return apply(doc, head, false);
    }
    /* a number that identifies it: one that no other has */
    void *source = lvl_item_at(holder(doc, p), p->field, from);
    const bool numbered = key && key->kind == LVL_INT;
    const int64_t was = numbered ? lvl_get_int(source, key) : 0;
    int64_t most = 0;
    for (uint32_t i = 0; numbered && i < count_of(doc, p); i++) {
        const int64_t v = lvl_get_int(lvl_list_item(holder(doc, p), p->field, i), key);
        most = v > most ? v : most;
    }
    if (numbered)
        lvl_put_int(source, key, most + 1 + (int64_t)strlen(salt) * 3 + salt[1] % 7);
    snprintf(head, sizeof head, "%s[+%u]=", where, at);
    lvl_buffer_str(&set, head);
    lvl_emit w = lvl_emit_of(doc, &set);
    w.compact = w.no_kept = true;
    lvl_write_value(&w, source, &item, 0);
    lvl_buffer_u8(&set, 0);
    if (numbered)
        lvl_put_int(source, key, was);
    bool good = apply(doc, (const char *)set.data, false);
    lvl_buffer_free(&set);
    if (!good)
        return false;
    void *record = lvl_item_at(holder(doc, p), p->field, at);
    if (key && key->kind == LVL_TEXT) {
        /* a square of a drawing has its place as key; the last digits of an id are others */
        const lvl_text old = lvl_get_text(record, key);
        const char *const digits = salt + 1;
        const size_t room = key->roles & LVL_ROLE_ID ? old.len - strlen(digits) : 40;
        if (p->field == squares_of(doc->format))
            snprintf(name, sizeof name, "%s,%s", digits, digits);
        else
            snprintf(name, sizeof name, "%.*s%s", (int)(old.len < room ? old.len : room),
                     old.ptr ? old.ptr : "", digits);
        good = lvl_put_text(doc, record, key, lvl_text_of(name)) == LVL_OK;
    }
    return good && edit_item(doc, p, at, 2, random);
}

/* ---- triples ----------------------------------------------------------------------------------------- */

typedef struct tally {
    const char *format;
    struct {
        size_t all, right, silent, none, needless;
    } kinds[KINDS];
} tally;

typedef enum size_of_list { AS_IT_IS, LONG_LIST, SHORT_LIST } size_of_list;

typedef struct trial {
    lvl_bytes base; /* a file */
    const char *name;
    const lvl_format *format;
    place p;
    texts base_texts, one_texts, other_texts, expected, made;
    lvl_doc *one, *other; /* the two sides */
    lvl_buffer bytes[2];
    char *content; /* expected, of the whole document; NULL: `expected` is compared */
    uint32_t crossing_x, crossing_y; /* of a grid: a cell of which nothing is expected, if `crossed` */
    bool crossed;
    bool sorted; /* the order of the result is not compared */
    bool conflict; /* expected */
    bool merges; /* a conflict is not needed, since the values have parts */
    bool renewed; /* nothing of the item that one deleted and the other edited is as it was */
    bool unclear; /* several items are equal: it is not known which one a side meant */
} trial;

static lvl_doc *read_doc(lvl_bytes bytes, const char *name, const lvl_format *format)
{
    lvl_doc *doc = NULL;

    if (lvl_read(&doc, &ctx, format, bytes, name, 0, NULL) != LVL_OK || lvl_doc_open(doc) != LVL_OK) {
        lvl_doc_free(doc);
        return NULL;
    }
    return doc;
}

/* Writes a side and reads it again. */
static bool settle(trial *t, lvl_doc **doc, int which)
{
    lvl_buffer *out = &t->bytes[which];
    const bool good = lvl_write(*doc, out, NULL) == LVL_OK;

    lvl_doc_free(*doc);
    *doc = good ? read_doc((lvl_bytes){out->data, out->len}, t->name, t->format) : NULL;
    return *doc != NULL;
}

/* What a list without order is after both sides' changes: base and what each added, without what each
 * removed. */
static void combine(texts *out, const texts *base, const texts *one, const texts *other)
{
    const texts *const sides[2] = {one, other};

    texts_free(out);
    texts_copy(out, base);
    for (int k = 0; k < 2; k++) {
        for (size_t i = out->count; i-- > 0;) {
            if (times(base, out->items[i]) > times(sides[k], out->items[i]))
                free(texts_take(out, i));
        }
    }
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < sides[k]->count; i++) {
            if (!times(out, sides[k]->items[i]) && !times(base, sides[k]->items[i]))
                texts_insert(out, out->count, sides[k]->items[i]);
        }
    }
}

/* Whether two items as JSON have a member in common. */
static bool share_member(const char *a, const char *b)
{
    for (const char *from = a; *from;) {
        const char *end = from + strcspn(from, ",{}[]");
        char part[300];
        snprintf(part, sizeof part, "%.*s", (int)(end - from), from);
        if (*part && strchr(part, ':') && strstr(b, part))
            return true;
        from = end + (*end != 0);
    }
    return false;
}

/* How many items a list must have for a kind of change. */
static uint32_t least_items(change kind)
{
    switch (kind) {
    case LAYER_BOTH:
    case APPEND_BOTH:
    case INSERT_SAME:
    case DELETE_EDITED:
    case EDIT_MEMBERS:
    case EDIT_MEMBER: return 1;
    case RUN_DELETED:
    case RUN_INSERTED: return 4;
    default: return 2;
    }
}

/* Whether values, cells or scripts have numbers of the list's items. */
static bool is_referenced(const trial *t)
{
    return t->p.where.depth == 1 && (lvl_list_is_referenced(t->format->table, t->p.field->name) ||
                                     lvl_scripts_name(t->one, t->p.field->name));
}

/* Removes all items of a list but one. */
static bool keep_only(lvl_doc *doc, const place *p, uint32_t index)
{
    bool good = true;

    for (uint32_t i = count_of(doc, p); good && i-- > 0;)
        good = i == index || delete_item(doc, p, i);
    return good;
}

/* Makes both sides and the expected list. False: not possible here. */
static bool make_lists(trial *t, change kind, uint64_t *random)
{
    const bool ordered = !(t->p.field->flags & (LVL_F_UNORDERED | LVL_F_SET));
    const bool indexed = (t->p.field->flags & LVL_F_INDEXED) != 0,
               world = t->p.field->roles & LVL_ROLE_LEVELS;
    const uint32_t n = (uint32_t)t->base_texts.count;
    texts other = {.count = 0};

    if (n < least_items(kind))
        return false;
    /* a before b */
    uint32_t a = n > 1 ? (uint32_t)(lvl_edit_random(random) % (n - 1)) : 0;
    uint32_t b = n > 1 ? a + 1 + (uint32_t)(lvl_edit_random(random) % (n - 1 - a)) : 0;
    if (kind == DELETE_AFTER || kind == INSERT_AFTER) {
        const uint32_t swap = a;
        a = b;
        b = swap;
    }
    const unsigned members = 1 + (unsigned)(lvl_edit_random(random) % 3);
    const uint32_t run = 2 + (uint32_t)(lvl_edit_random(random) % 2);
    uint32_t at = b;
    bool good = true;
    if (kind == RUN_DELETED || kind == RUN_INSERTED) {
        a = (uint32_t)(lvl_edit_random(random) % (n - run));
        b = a + run + (uint32_t)(lvl_edit_random(random) % (n - a - run));
    }
    texts_copy(&t->expected, &t->base_texts);
    switch (kind) {
    case DELETE_BEFORE:
    case DELETE_AFTER:
        good = !indexed && delete_item(t->one, &t->p, a) && edit_item(t->other, &t->p, b, members, random);
        free(texts_take(&t->expected, a));
        break;
    case INSERT_BEFORE:
    case INSERT_AFTER:
        good = !indexed && insert_item(t->one, &t->p, a, a, "-71", random) &&
               edit_item(t->other, &t->p, b, members, random);
        break;
    case DELETE_EDITED:
        good = !indexed && delete_item(t->one, &t->p, b) && edit_item(t->other, &t->p, b, members, random);
        /* of a square of pixels only these are deleted: CHUNK_ERASED */
        good = good && t->p.field != squares_of(t->format);
        t->conflict = true;
        break;
    case DELETE_MOVED_EDITED:
        good = !indexed && ordered && !world && delete_item(t->one, &t->p, b) &&
               edit_item(t->other, &t->p, b, members, random) && move_item(t->other, &t->p, b, a);
        t->conflict = true;
        break;
    case MOVE_EDIT:
    case MOVE_OTHER:
        at = kind == MOVE_EDIT ? a : b;
        good = !indexed && ordered && !world && move_item(t->one, &t->p, a, b) &&
               edit_item(t->other, &t->p, at, members, random);
        break;
    case APPEND_BOTH:
    case LAYER_BOTH:
        good = !indexed && !world && insert_item(t->one, &t->p, a, n, "-71", random) &&
               insert_item(t->other, &t->p, b, n, "-83", random);
        t->sorted = true;
        break;
    case MOVE_EDIT_APPEND:
        good = !indexed && ordered && !world && edit_item(t->one, &t->p, a, members, random) &&
               move_item(t->one, &t->p, a, b) && insert_item(t->other, &t->p, b, n, "-83", random);
        t->sorted = true;
        break;
    case DELETE_BOTH:
        good = !indexed && delete_item(t->one, &t->p, a) && delete_item(t->other, &t->p, b);
        free(texts_take(&t->expected, b));
        free(texts_take(&t->expected, a));
        break;
    case INSERT_BOTH:
        good = !indexed && insert_item(t->one, &t->p, a, a, "-71", random) &&
               insert_item(t->other, &t->p, b, b, "-83", random);
        break;
    case INSERT_SAME:
        good = !indexed && insert_item(t->one, &t->p, a, a, "-71", random) &&
               insert_item(t->other, &t->p, a, a, "-83", random);
        t->sorted = true;
        t->conflict = world; /* two rows of levels at one place of it */
        break;
    case RUN_DELETED:
        good = !indexed && edit_item(t->other, &t->p, b, members, random);
        for (uint32_t i = 0; i < run && good; i++)
            good = delete_item(t->one, &t->p, a);
        for (uint32_t i = 0; i < run; i++)
            free(texts_take(&t->expected, a));
        break;
    case RUN_INSERTED:
        good = !indexed && edit_item(t->other, &t->p, b, members, random);
        for (uint32_t i = 0; i < run && good; i++)
            good = insert_item(t->one, &t->p, a + i, a + i, i ? i == 1 ? "-72" : "-73" : "-71", random);
        break;
    case FILL_BOTH:
        /* what refers to the others would change, too */
        good = !indexed && !world && !is_referenced(t) && keep_only(t->one, &t->p, a) &&
               keep_only(t->other, &t->p, b);
        t->sorted = true;
        break;
    default: return false;
    }
    good = good && settle(t, &t->one, 0) && settle(t, &t->other, 1) &&
           read_texts(t->one, &t->p, &t->one_texts) && read_texts(t->other, &t->p, &other);
    for (size_t i = 0; good && i < other.count; i++)
        t->unclear = t->unclear || (times(&other, other.items[i]) > 1 &&
                                    times(&t->base_texts, other.items[i]) < times(&other, other.items[i]));
    t->sorted =
        t->sorted || !ordered || ((kind == MOVE_EDIT || kind == MOVE_OTHER) && has_equal(&t->base_texts));
    if (t->conflict || kind == DELETE_BOTH)
        t->unclear = t->unclear || times(&t->base_texts, t->base_texts.items[b]) > 1 ||
                     (kind == DELETE_BOTH && (n == 2 || times(&t->base_texts, t->base_texts.items[a]) > 1));
    if (good && kind == INSERT_SAME && t->conflict) /* not the same row */
        good =
            a < other.count && a < t->one_texts.count && strcmp(t->one_texts.items[a], other.items[a]) != 0;
    if (!good || t->conflict || t->unclear) {
        const uint32_t edited = kind == DELETE_MOVED_EDITED ? a : b;
        t->renewed = good && t->conflict && edited < other.count &&
                     !share_member(t->base_texts.items[b], other.items[edited]);
        texts_free(&t->other_texts);
        t->other_texts = other;
        return good;
    }
    if (!ordered) {
        combine(&t->expected, &t->base_texts, &t->one_texts, &other);
        texts_free(&other);
        return t->one_texts.count && t->expected.count;
    }
    /* an edit may be one that the file does not keep */
    const texts *o = &t->one_texts;
    switch (kind) {
    case DELETE_BEFORE:
    case DELETE_AFTER: {
        const uint32_t to = a < b ? b - 1 : b;
        good = other.count == n && strcmp(other.items[b], t->base_texts.items[b]) != 0 && o->count == n - 1;
        if (good) {
            free(t->expected.items[to]);
            t->expected.items[to] = copy_text(other.items[b]);
        }
        break;
    }
    case INSERT_BEFORE:
    case INSERT_AFTER:
        good = other.count == n && o->count == n + 1 && strcmp(other.items[b], t->base_texts.items[b]) != 0;
        if (good) {
            free(t->expected.items[b]);
            t->expected.items[b] = copy_text(other.items[b]);
            texts_insert(&t->expected, a, o->items[a]);
        }
        break;
    case MOVE_EDIT:
    case MOVE_OTHER:
        good = other.count == n && o->count == n && strcmp(other.items[at], t->base_texts.items[at]) != 0;
        if (good) {
            free(t->expected.items[at]);
            t->expected.items[at] = copy_text(other.items[at]);
            char *moved = texts_take(&t->expected, a);
            texts_insert(&t->expected, b, moved);
            free(moved);
        }
        break;
    case APPEND_BOTH:
    case LAYER_BOTH:
        good = other.count == n + 1 && o->count == n + 1 && strcmp(o->items[n], other.items[n]) != 0;
        if (good) {
            texts_insert(&t->expected, n, o->items[n]);
            texts_insert(&t->expected, n + 1, other.items[n]);
        }
        break;
    case MOVE_EDIT_APPEND:
        good = other.count == n + 1 && o->count == n;
        if (good) {
            texts_free(&t->expected);
            texts_copy(&t->expected, o);
            texts_insert(&t->expected, n, other.items[n]);
        }
        break;
    case INSERT_SAME:
        good = other.count == n + 1 && o->count == n + 1 && strcmp(o->items[a], other.items[a]) != 0;
        if (good) {
            texts_insert(&t->expected, a, o->items[a]);
            texts_insert(&t->expected, a, other.items[a]);
        }
        break;
    case RUN_DELETED:
        good = other.count == n && strcmp(other.items[b], t->base_texts.items[b]) != 0 && o->count == n - run;
        if (good) {
            free(t->expected.items[b - run]);
            t->expected.items[b - run] = copy_text(other.items[b]);
        }
        break;
    case RUN_INSERTED:
        good = other.count == n && o->count == n + run && strcmp(other.items[b], t->base_texts.items[b]) != 0;
        if (good) {
            free(t->expected.items[b]);
            t->expected.items[b] = copy_text(other.items[b]);
            for (uint32_t i = 0; i < run; i++)
                texts_insert(&t->expected, a + i, o->items[a + i]);
        }
        break;
    case FILL_BOTH:
        good = other.count == 1 && o->count == 1 && !lvl_doc_cuts(t->one) && !lvl_doc_cuts(t->other) &&
               strcmp(o->items[0], other.items[0]) != 0;
        if (good) {
            texts_free(&t->expected);
            texts_insert(&t->expected, 0, o->items[0]);
            texts_insert(&t->expected, 1, other.items[0]);
        }
        break;
    case DELETE_BOTH: good = other.count == n - 1 && o->count == n - 1; break;
    case INSERT_BOTH:
        good = other.count == n + 1 && o->count == n + 1 && strcmp(o->items[a], other.items[b]) != 0;
        if (good) {
            texts_insert(&t->expected, b, other.items[b]);
            texts_insert(&t->expected, a, o->items[a]);
        }
        break;
    default: break;
    }
    texts_free(&other);
    return good;
}

/* The texts of the list after the document was written and read again. */
static bool read_written(const trial *t, lvl_doc *doc, texts *out)
{
    lvl_buffer bytes = {0};
    lvl_doc *again = lvl_write(doc, &bytes, NULL) == LVL_OK
                         ? read_doc((lvl_bytes){bytes.data, bytes.len}, t->name, t->format)
                         : NULL;
    const bool good = again && read_texts(again, &t->p, out);

    lvl_doc_free(again);
    lvl_buffer_free(&bytes);
    return good;
}

/* Both sides change the same item, or move items; the expected list is that of a document with both changes,
 * made one after the other. */
static bool make_edits(trial *t, change kind, uint64_t *random)
{
    const bool ordered = !(t->p.field->flags & (LVL_F_UNORDERED | LVL_F_SET)),
               moves = kind == MOVE_EDIT_EDIT || kind == MOVE_BOTH;
    const uint32_t n = (uint32_t)t->base_texts.count;

    if (n < (moves ? 3 : 1) ||
        (moves && (!ordered || t->p.field->flags & LVL_F_INDEXED || t->p.field->roles & LVL_ROLE_LEVELS)))
        return false;
    const uint32_t a = (uint32_t)(lvl_edit_random(random) % n),
                   b = (a + 1 + (uint32_t)(lvl_edit_random(random) % (n > 1 ? n - 1 : 1))) % n,
                   to = (uint32_t)(lvl_edit_random(random) % n);
    const uint32_t members = count_members(t->one, &t->p, a);
    uint64_t first = lvl_edit_random(random) | 1, second = lvl_edit_random(random) | 1;
    const uint64_t first_start = first, second_start = second;
    lvl_doc *both = read_doc(t->base, t->name, t->format);
    bool good = both != NULL;
    if (kind == MOVE_BOTH) {
        const uint32_t where = to == a ? (to + 1) % n : to;
        /* b is elsewhere after a was moved; where it goes is not compared */
        const uint32_t now = b - (b > a) + (b - (b > a) >= where);
        good = good && move_item(t->one, &t->p, a, where) &&
               move_item(t->other, &t->p, b, to == b ? a : to) && move_item(both, &t->p, a, where) &&
               move_item(both, &t->p, now, now ? 0 : n - 1);
        t->sorted = true;
    } else {
        const uint32_t i = members ? (uint32_t)(lvl_edit_random(random) % members) : 0;
        const uint32_t k = kind == EDIT_MEMBER ? i
                           : members > 1
                               ? (i + 1 + (uint32_t)(lvl_edit_random(random) % (members - 1))) % members
                               : 0;
        good = good && members > (kind == EDIT_MEMBER ? 0 : 1) && edit_nth(t->one, &t->p, a, i, &first) &&
               edit_nth(t->other, &t->p, a, k, &second) && count_members(t->one, &t->p, a) == members &&
               count_members(t->other, &t->p, a) == members;
        first = first_start;
        second = second_start;
        good = good && edit_nth(both, &t->p, a, i, &first);
        if (good && kind != EDIT_MEMBER)
            good = edit_nth(both, &t->p, a, k, &second);
        if (good && kind == MOVE_EDIT_EDIT)
            good = move_item(t->one, &t->p, a, b) && move_item(both, &t->p, a, b);
        t->conflict = kind == EDIT_MEMBER;
        t->merges = good && kind == EDIT_MEMBER && is_mergeable(t->one, &t->p, a, i);
    }
    good = good && settle(t, &t->one, 0) && settle(t, &t->other, 1) &&
           read_texts(t->one, &t->p, &t->one_texts) && read_texts(t->other, &t->p, &t->other_texts) &&
           read_written(t, both, &t->made) && t->one_texts.count == n && t->other_texts.count == n &&
           t->made.count == n;
    lvl_doc_free(both);
    if (good && kind == EDIT_MEMBER) /* not the same edit */
        good = strcmp(t->one_texts.items[a], t->other_texts.items[a]) != 0 &&
               strcmp(t->one_texts.items[a], t->base_texts.items[a]) != 0 &&
               strcmp(t->other_texts.items[a], t->base_texts.items[a]) != 0;
    else if (good && kind != MOVE_BOTH) /* each edit is in the file */
        good = strcmp(t->one_texts.items[kind == MOVE_EDIT_EDIT ? b : a], t->base_texts.items[a]) != 0 &&
               strcmp(t->other_texts.items[a], t->base_texts.items[a]) != 0 &&
               strcmp(t->made.items[kind == MOVE_EDIT_EDIT ? b : a], t->other_texts.items[a]) != 0;
    t->sorted = t->sorted || !ordered || has_equal(&t->base_texts);
    t->unclear = times(&t->base_texts, t->base_texts.items[a]) > 1 ||
                 (moves && times(&t->base_texts, t->base_texts.items[b]) > 1);
    if (good) {
        texts_free(&t->expected);
        texts_copy(&t->expected, &t->made);
    }
    return good;
}

/* Makes a list short. */
static bool shorten(trial *t, lvl_buffer *out, uint64_t *random)
{
    lvl_doc *doc = read_doc(t->base, t->name, t->format);
    const uint32_t most = 1 + (uint32_t)(lvl_edit_random(random) % 2);
    bool good = doc != NULL;

    for (uint32_t n = good ? count_of(doc, &t->p) : 0; good && n > most; n--)
        good = delete_item(doc, &t->p, (uint32_t)(lvl_edit_random(random) % n));
    good = good && lvl_write(doc, out, NULL) == LVL_OK;
    lvl_doc_free(doc);
    if (good)
        t->base = (lvl_bytes){out->data, out->len};
    return good;
}

/* Makes a list longer by copies of its items that differ in one value. */
static bool lengthen(trial *t, lvl_buffer *out, uint64_t *random)
{
    lvl_doc *doc = read_doc(t->base, t->name, t->format);
    bool good = doc != NULL;
    char salt[12];

    for (uint32_t n = good ? count_of(doc, &t->p) : 0; good && n && n < LONG; n++) {
        snprintf(salt, sizeof salt, "+%u", n);
        good = insert_item(doc, &t->p, (uint32_t)(lvl_edit_random(random) % n), n, salt, random);
    }
    good = good && lvl_write(doc, out, NULL) == LVL_OK;
    lvl_doc_free(doc);
    if (good)
        t->base = (lvl_bytes){out->data, out->len};
    return good;
}

/* ---- grids ------------------------------------------------------------------------------------------- */

static lvl_cells copy_cells(const lvl_cells *c)
{
    const size_t n = (size_t)c->width * c->height * c->size;
    uint8_t *data = malloc(n + 1);

    assert_non_null(data);
    memcpy(data, c->ptr, n);
    return (lvl_cells){data, c->width, c->height, c->size};
}

/* A grid with a line inserted (filled with other cells of the grid) or deleted at `at`; `fixed`: the last
 * line goes, or a copy of it is added, so that the size stays. */
static lvl_cells changed_cells(const lvl_cells *c, bool column, uint32_t at, bool insert, bool fixed)
{
    const uint32_t lines = column ? c->width : c->height;
    const uint32_t now = fixed ? lines : insert ? lines + 1 : lines - 1;
    lvl_cells out = {NULL, column ? now : c->width, column ? c->height : now, c->size};
    uint8_t *data = malloc((size_t)out.width * out.height * out.size + 1);

    assert_non_null(data);
    for (uint32_t y = 0; y < out.height; y++) {
        for (uint32_t x = 0; x < out.width; x++) {
            uint32_t line = column ? x : y;
            const uint32_t across = column ? y : x, length = column ? c->height : c->width;
            uint32_t other = across;
            if (insert && line == at)
                other = (across * 7 + 3) % length; /* cells that are not those of a line beside it */
            else if (insert && line > at)
                line--;
            else if (!insert && line >= at)
                line++;
            line = line < lines ? line : lines - 1;
            const uint32_t v = column ? lvl_cell(c, line, other) : lvl_cell(c, other, line);
            for (uint32_t k = 0; k < c->size; k++)
                data[((size_t)y * out.width + x) * c->size + k] = (uint8_t)(v >> 8 * k);
        }
    }
    out.ptr = data;
    return out;
}

static void put_cells(lvl_doc *doc, const place *p, const lvl_cells *cells)
{
    const size_t n = (size_t)cells->width * cells->height * cells->size;
    uint8_t *copy = lvl_doc_alloc(doc, n + 1);
    lvl_cells out = *cells;

    assert_non_null(copy);
    memcpy(copy, cells->ptr, n);
    out.ptr = copy;
    memcpy((uint8_t *)holder(doc, p) + p->field->offset, &out, sizeof out);
}

static void paint(lvl_cells *c, uint32_t x, uint32_t y, uint32_t v)
{
    uint8_t *at = (uint8_t *)(uintptr_t)c->ptr + ((size_t)y * c->width + x) * c->size;

    for (uint32_t k = 0; k < c->size; k++)
        at[k] = (uint8_t)(v >> 8 * k);
}

static size_t count_different(const lvl_cells *a, const lvl_cells *b)
{
    size_t n = 0;

    for (uint32_t y = 0; y < a->height && y < b->height; y++) {
        for (uint32_t x = 0; x < a->width && x < b->width; x++)
            n += lvl_cell(a, x, y) != lvl_cell(b, x, y);
    }
    return n;
}

/* Whether a line differs from those beside it. */
static bool is_told_apart(const lvl_cells *c, bool column, uint32_t at)
{
    const uint32_t lines = column ? c->width : c->height, length = column ? c->height : c->width;
    bool apart = true;

    for (uint32_t k = at ? at - 1 : 0; apart && k <= at && k + 1 < lines; k++) {
        bool same = true;
        for (uint32_t i = 0; same && i < length; i++)
            same = column ? lvl_cell(c, k, i) == lvl_cell(c, k + 1, i)
                          : lvl_cell(c, i, k) == lvl_cell(c, i, k + 1);
        apart = !same;
    }
    return apart;
}

/* Both sides of a grid, and the expected cells. `expected`, malloc. */
static bool make_grids(trial *t, change kind, lvl_cells *expected, uint64_t *random)
{
    const lvl_map_grid *grid = lvl_map_grid_of(t->format);
    const bool fixed = grid && grid->fixed_width;
    const lvl_cells *c = lvl_get_cells(holder(t->one, &t->p), t->p.field);
    const bool column = lvl_edit_random(random) % 2, insert = kind == GRID_INSERT;

    if (!c->ptr || c->width < 6 || c->height < 6)
        return false;
    const uint32_t lines = column ? c->width : c->height, length = column ? c->height : c->width;
    const uint32_t at = 1 + (uint32_t)(lvl_edit_random(random) % (lines - 3));
    uint32_t line = (uint32_t)(lvl_edit_random(random) % (lines - 1));
    if (kind == GRID_DELETE_PAINTED)
        line = at;
    else if (kind == GRID_DELETE && line == at)
        line = at - 1;
    const uint32_t across = (uint32_t)(lvl_edit_random(random) % length);
    lvl_cells one = changed_cells(c, column, at, insert, fixed), other = copy_cells(c);
    const uint32_t x = column ? line : across, y = column ? across : line;
    const uint32_t v = lvl_cell(c, (x + 3) % c->width, (y + 2) % c->height) ^ 1;
    bool good = v != lvl_cell(c, x, y);
    /* where nothing tells a shifted grid from a painted one, it is painted */
    good = good && (!fixed || count_different(c, &one) > 6 * (size_t)length);
    /* and where lines around are alike, it is not known which one it was */
    good = good && is_told_apart(c, column, at);
    paint(&other, x, y, v);
    put_cells(t->one, &t->p, &one);
    put_cells(t->other, &t->p, &other);
    const uint32_t to = insert && line >= at ? line + 1 : !insert && line > at ? line - 1 : line;
    if (kind == GRID_DELETE_PAINTED)
        t->conflict = true;
    else
        paint(&one, column ? to : x, column ? y : to, v);
    free((void *)(uintptr_t)other.ptr);
    *expected = one;
    return good && settle(t, &t->one, 0) && settle(t, &t->other, 1);
}

/* The line of the grid that line `i` of a grid with a line inserted or deleted at `at` was; UINT32_MAX: it is
 * new. */
static uint32_t line_before(uint32_t i, uint32_t at, bool insert)
{
    if (insert)
        return i == at ? UINT32_MAX : i - (i > at);
    return i + (i >= at);
}

/* One side changes the columns, the other the rows. Where a new column and a new row cross, any cell is right:
 * t->crossing_x and t->crossing_y get its place. */
static bool make_crossed(trial *t, lvl_cells *expected, uint64_t *random)
{
    const lvl_map_grid *grid = lvl_map_grid_of(t->format);
    const lvl_cells *c = lvl_get_cells(holder(t->one, &t->p), t->p.field);

    if (!c->ptr || c->width < 6 || c->height < 6 || (grid && grid->fixed_width))
        return false;
    const bool more_columns = lvl_edit_random(random) % 2, more_rows = lvl_edit_random(random) % 2;
    const uint32_t column = 1 + (uint32_t)(lvl_edit_random(random) % (c->width - 3)),
                   row = 1 + (uint32_t)(lvl_edit_random(random) % (c->height - 3));
    lvl_cells base = copy_cells(c), one = changed_cells(c, true, column, more_columns, false),
              other = changed_cells(c, false, row, more_rows, false);
    lvl_cells out = {NULL, one.width, other.height, c->size};
    out.ptr = calloc((size_t)out.width * out.height + 1, out.size);
    assert_non_null(out.ptr);
    for (uint32_t y = 0; y < out.height; y++) {
        for (uint32_t x = 0; x < out.width; x++) {
            const uint32_t bx = line_before(x, column, more_columns), by = line_before(y, row, more_rows);
            if (bx != UINT32_MAX || by != UINT32_MAX)
                paint(&out, x, y,
                      by == UINT32_MAX   ? lvl_cell(&other, bx, y)
                      : bx == UINT32_MAX ? lvl_cell(&one, x, by)
                                         : lvl_cell(&base, bx, by));
        }
    }
    /* a new line that is like the one beside it could as well be on the other side of that */
    bool good = is_told_apart(&base, true, column) && is_told_apart(&base, false, row) &&
                (!more_columns || is_told_apart(&one, true, column)) &&
                (!more_rows || is_told_apart(&other, false, row));
    put_cells(t->one, &t->p, &one);
    put_cells(t->other, &t->p, &other);
    t->crossing_x = column;
    t->crossing_y = row;
    t->crossed = more_columns && more_rows;
    free((void *)(uintptr_t)base.ptr);
    free((void *)(uintptr_t)one.ptr);
    free((void *)(uintptr_t)other.ptr);
    *expected = out;
    good = good && settle(t, &t->one, 0) && settle(t, &t->other, 1);
    return good;
}

/* ---- whole documents --------------------------------------------------------------------------------- */

/* The content of a document, without what is only kept from its file. */
static char *content_of(lvl_doc *doc)
{
    lvl_buffer text = {0};
    lvl_emit w = lvl_emit_of(doc, &text);

    w.compact = w.no_kept = true;
    lvl_write_record(&w, lvl_doc_croot(doc), lvl_doc_table(doc), 0);
    lvl_buffer_u8(&text, 0);
    assert_int_equal(text.status, LVL_OK);
    char *copy = copy_text((const char *)text.data);
    lvl_buffer_free(&text);
    return copy;
}

/* Writes the document and reads it again; its content. NULL: the format cannot hold it. */
static char *expected_content(const trial *t, lvl_doc *doc)
{
    lvl_buffer out = {0};
    lvl_doc *again = lvl_write(doc, &out, NULL) == LVL_OK
                         ? read_doc((lvl_bytes){out.data, out.len}, t->name, t->format)
                         : NULL;
    char *content = again ? content_of(again) : NULL;

    lvl_doc_free(again);
    lvl_buffer_free(&out);
    return content;
}

/* Another version of the format, or other chunks. */
static bool change_form(lvl_doc **doc, const lvl_format *format, change kind, uint32_t which)
{
    lvl_findings *losses = lvl_findings_new(&ctx);
    lvl_doc *made = NULL;
    size_t count = 0;
    bool good;

    while (format->forms && format->forms[count].name)
        count++;
    if (kind == CHUNKS_EDIT) {
        const lvl_draw_options options = {.chunk_size = 16u << which % 5};
        good = format->calls->restructure && lvl_doc_restructure(*doc, &options, losses) == LVL_OK;
    } else {
        good = count &&
               lvl_convert(*doc, format->forms[which % count].name, false, losses, &made) == LVL_OK &&
               lvl_doc_format(made) == format;
        if (good) {
            lvl_doc *was = *doc;
            *doc = made;
            made = was;
        }
        lvl_doc_free(made);
    }
    lvl_findings_free(losses);
    return good;
}

/* A value, a cell, or an item. */
static bool make_change(lvl_doc *doc, uint64_t *random)
{
    place p = {.field = NULL};
    lvl_edit_place value;

    if (lvl_edit_random(random) % 2 &&
        lvl_edit_find(doc, (lvl_edit_kind)(lvl_edit_random(random) % LVL_EDIT_KINDS), random, &value))
        return strcmp(value.field->name, "size") != 0 && strcmp(value.field->name, "key") != 0 &&
               lvl_edit_change(doc, &value, random);
    find_place(doc, CONVERT_EDIT, random, &p);
    const uint32_t n = p.field ? count_of(doc, &p) : 0;
    if (!n)
        return false;
    const uint32_t at = (uint32_t)(lvl_edit_random(random) % n);
    switch (lvl_edit_random(random) % 3) {
    case 0: return delete_item(doc, &p, at);
    case 1: return insert_item(doc, &p, at, at, "-71", random);
    default: return edit_item(doc, &p, at, 1, random);
    }
}

/* One side in another form, the other changed: the result is the changed one in the other form. */
static bool make_forms(trial *t, change kind, uint64_t *random)
{
    const uint32_t which = (uint32_t)lvl_edit_random(random);
    char *before = content_of(t->one);
    bool good = make_change(t->other, random) && settle(t, &t->other, 1) &&
                change_form(&t->one, t->format, kind, which) && settle(t, &t->one, 0);
    char *after = good ? content_of(t->one) : NULL;
    lvl_doc *both =
        good ? read_doc((lvl_bytes){t->bytes[1].data, t->bytes[1].len}, t->name, t->format) : NULL;

    good = both && strcmp(before, after) != 0 && change_form(&both, t->format, kind, which);
    t->content = good ? expected_content(t, both) : NULL;
    lvl_doc_free(both);
    free(before);
    free(after);
    return t->content != NULL;
}

/* ---- references -------------------------------------------------------------------------------------- */

/* The integers and grids of a document that have indices of lists. */
static void find_references(places *p, const void *record, const lvl_table *table, const lvl_where *where)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (!lvl_field_present(record, f) || f->role == LVL_KEPT || f->role == LVL_DERIVED)
            continue;
        const lvl_where at = lvl_where_to(*where, f, LVL_NO_INDEX);
        const bool refers = f->ref && f->flags & LVL_F_FOLLOWS && !(f->flags & LVL_F_BY_ID);
        if (refers && (f->kind == LVL_INT || (f->kind == LVL_CELLS && lvl_get_cells(record, f)->ptr)) &&
            p->count < MAX_LISTS)
            p->items[p->count++] = (place){at, f};
        if (f->kind == LVL_RECORD)
            find_references(p, lvl_get_record(record, f), f->table, &at);
        for (uint32_t k = 0;
             f->kind == LVL_LIST && f->item == LVL_RECORD && k < lvl_list_count(record, f) && k < 12; k++) {
            const lvl_where below = lvl_where_to(*where, f, k);
            find_references(p, lvl_list_item(record, f, k), f->table, &below);
        }
    }
}

/* Makes a value or a cell refer to an item. */
static bool refer(lvl_doc *doc, const place *reference, uint32_t index, uint64_t cell)
{
    void *record = holder(doc, reference);
    const lvl_field *f = reference->field;

    if (f->kind == LVL_INT) {
        const bool good = lvl_int_fits(f, index) && lvl_get_int(record, f) != index;
        if (good)
            lvl_put_int(record, f, index);
        return good;
    }
    const lvl_cells *c = lvl_get_cells(record, f);
    const uint32_t x = (uint32_t)(cell % c->width), y = (uint32_t)(cell / c->width % c->height);
    return c->width && c->height && lvl_cell(c, x, y) != index &&
           lvl_set_cell(doc, record, f, x, y, index) == LVL_OK;
}

/* One side inserts, deletes or moves an item of a list that others refer to, the other makes something refer
 * to another item of it: the expected document has both, made one after the other. */
static bool make_used(trial *t, lvl_doc *doc, uint64_t *random)
{
    const lvl_where root = lvl_where_root();
    places all = {.count = 0};

    find_references(&all, lvl_doc_croot(doc), lvl_doc_table(doc), &root);
    if (!all.count)
        return false;
    const place *reference = &all.items[lvl_edit_random(random) % all.count];
    const lvl_field *list = lvl_field_named(lvl_doc_table(doc), reference->field->ref);
    const uint32_t n = list ? lvl_list_count(lvl_doc_croot(doc), list) : 0;
    if (n < 2)
        return false;
    t->p = (place){lvl_where_to(root, list, LVL_NO_INDEX), list};
    /* of equal items it is not known which one was moved */
    if (!read_texts(doc, &t->p, &t->base_texts) || has_equal(&t->base_texts))
        return false;
    const uint32_t a = (uint32_t)(lvl_edit_random(random) % n),
                   b = (a + 1 + (uint32_t)(lvl_edit_random(random) % (n - 1))) % n;
    const uint64_t cell = lvl_edit_random(random), how = lvl_edit_random(random) % 3,
                   seed = lvl_edit_random(random) | 1;
    bool good = refer(t->other, reference, b, cell) && refer(doc, reference, b, cell);
    lvl_doc *const docs[2] = {t->one, doc};
    for (int i = 0; i < 2 && good; i++) {
        uint64_t same = seed;
        good = how == 0   ? insert_item(docs[i], &t->p, a, a, "-71", &same)
               : how == 1 ? delete_item(docs[i], &t->p, a)
                          : !(list->flags & LVL_F_UNORDERED) && move_item(docs[i], &t->p, a, b);
    }
    t->content = good ? expected_content(t, doc) : NULL;
    return t->content && settle(t, &t->one, 0) && settle(t, &t->other, 1);
}

/* One side erases a square of pixels, the other paints one pixel in it. */
static bool make_erased(trial *t, lvl_doc *doc, uint64_t *random)
{
    const lvl_field *layers = lvl_map_layers(t->format);
    const lvl_map_cells parts = layers ? lvl_map_cells_of(layers->table) : (lvl_map_cells){0};
    const lvl_where root = lvl_where_root();

    if (!parts.squares || !lvl_list_count(lvl_doc_croot(doc), layers))
        return false;
    const uint32_t layer = (uint32_t)(lvl_edit_random(random) % lvl_list_count(lvl_doc_croot(doc), layers));
    const lvl_where in_layer = lvl_where_to(root, layers, layer);
    t->p = (place){lvl_where_to(in_layer, parts.squares, LVL_NO_INDEX), parts.squares};
    const uint32_t n = count_of(doc, &t->p);
    if (!n)
        return false;
    const uint32_t at = (uint32_t)(lvl_edit_random(random) % n);
    void *painted = lvl_item_at(holder(t->other, &t->p), parts.squares, at);
    void *base = lvl_item_at(holder(doc, &t->p), parts.squares, at);
    const lvl_cells *c = lvl_get_cells(base, parts.pixels);
    if (!c->ptr || !c->width || !c->height)
        return false;
    const uint32_t x = (uint32_t)(lvl_edit_random(random) % c->width),
                   y = (uint32_t)(lvl_edit_random(random) % c->height);
    const uint32_t was = lvl_cell(c, x, y), blank = lvl_empty_cell(parts.pixels), v = was == 0 ? 1 : 0;
    bool good =
        lvl_set_cell(t->other, painted, parts.pixels, x, y, v) == LVL_OK && delete_item(t->one, &t->p, at);
    t->conflict = was != blank;
    if (good && !t->conflict) {
        uint8_t *cells = lvl_cells_edit(doc, base, parts.pixels);
        for (size_t i = 0; i < (size_t)c->width * c->height; i++)
            lvl_put_cell(cells + i * c->size, c->size, i == (size_t)y * c->width + x ? v : blank);
        t->content = expected_content(t, doc);
        good = t->content != NULL;
    }
    return good && settle(t, &t->one, 0) && settle(t, &t->other, 1);
}

/* Inserts a column of names in a world, or deletes one. */
static bool change_column(lvl_doc *doc, const lvl_field *rows, const lvl_field *names, bool insert,
                          uint32_t x)
{
    bool good = true;

    for (uint32_t y = 0; good && y < lvl_list_count(lvl_doc_croot(doc), rows); y++) {
        const uint32_t n = lvl_list_count(lvl_list_item(lvl_doc_croot(doc), rows, y), names);
        char text[200];
        snprintf(text, sizeof text, insert ? "%s[%u].%s[+%u]=new%u_%u.nw" : "%s[%u].%s[%u]", rows->name, y,
                 names->name, x, y, x);
        good = x + 1 < n && apply(doc, text, !insert);
    }
    return good;
}

static bool change_name(lvl_doc *doc, const lvl_field *rows, const lvl_field *names, uint32_t x, uint32_t y)
{
    char text[200];

    snprintf(text, sizeof text, "%s[%u].%s[%u]=edited.nw", rows->name, y, names->name, x);
    return apply(doc, text, false);
}

/* One side changes the columns of a world, the other a name. */
static bool make_columns(trial *t, change kind, lvl_doc *doc, uint64_t *random)
{
    const lvl_field *rows = lvl_map_world(t->format);
    const lvl_field *names = rows ? lvl_field_with_role(rows->table, LVL_ROLE_LEVELS, NULL) : NULL;
    const uint32_t height = names ? lvl_list_count(lvl_doc_croot(doc), rows) : 0;
    const uint32_t width = height ? lvl_list_count(lvl_list_item(lvl_doc_croot(doc), rows, 0), names) : 0;
    const bool insert = kind == COLUMN_INSERT;

    if (width < 3)
        return false;
    const lvl_where root = lvl_where_root();
    t->p = (place){lvl_where_to(root, rows, LVL_NO_INDEX), rows};
    const uint32_t at = (uint32_t)(lvl_edit_random(random) % (width - 1)),
                   x = (uint32_t)(lvl_edit_random(random) % (width - 1)),
                   y = (uint32_t)(lvl_edit_random(random) % height);
    const uint32_t to = insert && x >= at ? x + 1 : !insert && x > at ? x - 1 : x;
    t->conflict = !insert && x == at;
    bool good = change_column(t->one, rows, names, insert, at) && change_name(t->other, rows, names, x, y);
    if (good && !t->conflict) {
        good = change_column(doc, rows, names, insert, at) && change_name(doc, rows, names, to, y);
        t->content = good ? expected_content(t, doc) : NULL;
        good = t->content != NULL;
    }
    return good && settle(t, &t->one, 0) && settle(t, &t->other, 1);
}

/* ---- one triple -------------------------------------------------------------------------------------- */

/* Writes base, one and other of a triple below LVL_MERGE_KEEP. */
static void keep_files(const trial *t, uint64_t seed)
{
    const char *const dir = getenv("LVL_MERGE_KEEP"), *const names[] = {"base", "one", "other"};
    const lvl_bytes files[] = {
        t->base, {t->bytes[0].data, t->bytes[0].len}, {t->bytes[1].data, t->bytes[1].len}};
    char path[1000];

    for (int i = 0; dir && i < 3; i++) {
        snprintf(path, sizeof path, "%s/%llu-%s%s", dir, (unsigned long long)seed, names[i],
                 strrchr(t->name, '.') ? strrchr(t->name, '.') : "");
        FILE *f = fopen(path, "wb");
        if (f) {
            fwrite(files[i].ptr, 1, files[i].len, f);
            fclose(f);
        }
    }
}

static void show(const trial *t, change kind, const char *what, const lvl_findings *findings, uint64_t seed)
{
    char where[400];

    keep_files(t, seed);

    lvl_where_text(&t->p.where, where, sizeof where);
    printf("%s: %s: %s: %s (seed %llu)\n", t->name, kind_names[kind], what, where, (unsigned long long)seed);
    for (size_t i = 0; i < lvl_findings_count(findings) && i < 3; i++) {
        lvl_where_text(&lvl_findings_at(findings, i)->where, where, sizeof where);
        printf("    %s: %s\n", where, lvl_findings_at(findings, i)->text);
    }
    fflush(stdout);
}

/* Whether the result has all that each side added or changed, and of the other items as many as both left, or
 * as the one that left fewer. */
static bool is_kept(trial *t, lvl_doc *result)
{
    const texts *const lists[4] = {&t->base_texts, &t->one_texts, &t->other_texts, NULL};
    texts found = {.count = 0};
    bool kept = read_texts(result, &t->p, &found);

    for (int k = 0; kept && k < 3; k++) {
        for (size_t i = 0; kept && i < lists[k]->count; i++) {
            const char *text = lists[k]->items[i];
            const int64_t base = (int64_t)times(&t->base_texts, text),
                          one = (int64_t)times(&t->one_texts, text) - base,
                          other = (int64_t)times(&t->other_texts, text) - base,
                          now = (int64_t)times(&found, text) - base;
            const int64_t less = one < other ? one : other, more = one < other ? other : one;
            const int64_t least = less < 0 && more < 0 ? less + more : less < 0 ? less + more : more;
            const int64_t most = more > 0 && less > 0 ? less + more : more > 0 ? less + more : less;
            kept = now >= least && now <= most;
        }
    }
    texts_free(&found);
    return kept;
}

static bool is_expected(trial *t, change kind, lvl_doc *result, const lvl_cells *cells)
{
    texts found = {.count = 0};

    if (t->content) {
        char *content = content_of(result);
        const bool same = strcmp(content, t->content) == 0;
        size_t i = 0;
        while (!same && content[i] && content[i] == t->content[i])
            i++;
        if (!same && getenv("LVL_MERGE_SHOW"))
            printf("      want %.300s\n      got  %.300s\n", t->content + (i > 60 ? i - 60 : 0),
                   content + (i > 60 ? i - 60 : 0));
        free(content);
        return same;
    }
    if (is_of_grids(kind)) {
        const lvl_cells *c = lvl_get_cells(holder(result, &t->p), t->p.field);
        if (getenv("LVL_MERGE_SHOW") && c->ptr && c->width == cells->width && c->height == cells->height) {
            for (uint32_t y = 0; y < c->height; y++)
                for (uint32_t x = 0; x < c->width; x++)
                    if (lvl_cell(c, x, y) != lvl_cell(cells, x, y))
                        printf("      [%u,%u] want %u got %u\n", x, y, lvl_cell(cells, x, y),
                               lvl_cell(c, x, y));
        }
        const bool sized = c->ptr && c->width == cells->width && c->height == cells->height;
        const size_t free_cells =
            sized && t->crossed &&
            lvl_cell(c, t->crossing_x, t->crossing_y) != lvl_cell(cells, t->crossing_x, t->crossing_y);
        return sized && count_different(c, cells) == free_cells;
    }
    const bool good = read_texts(result, &t->p, &found) && texts_equal(&found, &t->expected, t->sorted);
    if (!good && getenv("LVL_MERGE_SHOW")) {
        for (size_t i = 0; i < found.count || i < t->expected.count; i++) {
            const char *e = i < t->expected.count ? t->expected.items[i] : "-",
                       *f = i < found.count ? found.items[i] : "-";
            if (strcmp(e, f) != 0)
                printf("      [%zu] want %.200s\n         got  %.200s\n", i, e, f);
        }
    }
    texts_free(&found);
    return good;
}

/* BASE gets an empty list. */
static bool empty(lvl_doc *doc, trial *t, lvl_buffer *out)
{
    if (!keep_only(doc, &t->p, UINT32_MAX) || lvl_write(doc, out, NULL) != LVL_OK)
        return false;
    t->base = (lvl_bytes){out->data, out->len};
    return true;
}

static bool try_triple(tally *row, const char *name, const lvl_format *format, lvl_bytes base, change kind,
                       size_of_list size, uint64_t seed)
{
    uint64_t random = (seed + 11) * 0x9E3779B97F4A7C15u;
    trial t = {.base = base, .name = name, .format = format};
    lvl_buffer made = {0};
    lvl_cells cells = {NULL, 0, 0, 0};
    bool tried = false;

    const bool grid = is_of_grids(kind), list = kind < GRID_INSERT;

    lvl_doc *doc = read_doc(base, name, format);
    if (doc && (grid || list))
        find_place(doc, kind, &random, &t.p);
    else if (doc && kind == LAYER_BOTH && lvl_map_layers(format))
        t.p = (place){lvl_where_to(lvl_where_root(), lvl_map_layers(format), LVL_NO_INDEX),
                      lvl_map_layers(format)};
    bool good = doc && (t.p.field || kind > LAYER_BOTH);
    if (good && list && size == LONG_LIST && kind != FILL_BOTH)
        good = lengthen(&t, &made, &random);
    else if (good && list && size == SHORT_LIST && kind != FILL_BOTH)
        good = shorten(&t, &made, &random);
    lvl_doc_free(doc);
    doc = good ? read_doc(t.base, name, format) : NULL;
    t.one = good ? read_doc(t.base, name, format) : NULL;
    t.other = good ? read_doc(t.base, name, format) : NULL;
    good = doc && t.one && t.other;
    if (good)
        good = kind == GRID_BOTH                                ? make_crossed(&t, &cells, &random)
               : grid                                           ? make_grids(&t, kind, &cells, &random)
               : kind == CHUNK_ERASED                           ? make_erased(&t, doc, &random)
               : kind == COLUMN_INSERT || kind == COLUMN_DELETE ? make_columns(&t, kind, doc, &random)
               : kind == USE_SHIFTED                            ? make_used(&t, doc, &random)
               : kind > COLUMN_DELETE                           ? make_forms(&t, kind, &random)
               : kind >= EDIT_MEMBERS && kind <= MOVE_BOTH
                   ? read_texts(doc, &t.p, &t.base_texts) && make_edits(&t, kind, &random)
                   : read_texts(doc, &t.p, &t.base_texts) && make_lists(&t, kind, &random);
    if (good && (kind > LAYER_BOTH || kind == FILL_BOTH)) { /* BASE was used for the expected result */
        if (kind == FILL_BOTH) {
            lvl_buffer_free(&made);
            good = empty(doc, &t, &made);
        }
        lvl_doc_free(doc);
        doc = good ? read_doc(t.base, name, format) : NULL;
        good = doc != NULL;
    }
    if (good) {
        const bool turned = lvl_edit_random(&random) % 2;
        lvl_doc *ours = turned ? t.other : t.one, *theirs = turned ? t.one : t.other;
        lvl_findings *findings = lvl_findings_new(&ctx);
        lvl_buffer out = {0};
        uint64_t conflicts = 0;
        lvl_doc *result = NULL;
        lvl_status status = lvl_merge(ours, doc, theirs, NULL, &conflicts, findings);
        if (status == LVL_OK)
            status = lvl_write(ours, &out, findings);
        if (status == LVL_OK)
            result = read_doc((lvl_bytes){out.data, out.len}, name, format);
        tried = true;
        row->kinds[kind].all++;
        coverage *c = t.p.field ? cover(format, t.p.field) : NULL;
        if (c)
            c->triples[kind]++;
        if (!result) {
            row->kinds[kind].none++;
            show(&t, kind, "no result", findings, seed);
        } else if (t.merges    ? true
                   : t.unclear ? conflicts > 0 || is_kept(&t, result) ||
                                     (t.expected.count && is_expected(&t, kind, result, &cells))
                   : t.conflict ? conflicts > 0 || (t.renewed && is_kept(&t, result))
                                : !conflicts && is_expected(&t, kind, result, &cells)) {
            row->kinds[kind].right++;
        } else if (!t.conflict && conflicts) {
            row->kinds[kind].needless++;
            show(&t, kind, "needless", findings, seed);
        } else {
            row->kinds[kind].silent++;
            show(&t, kind, "silent", findings, seed);
        }
        lvl_doc_free(result);
        lvl_buffer_free(&out);
        lvl_findings_free(findings);
    }
    lvl_doc_free(doc);
    lvl_doc_free(t.one);
    lvl_doc_free(t.other);
    lvl_buffer_free(&t.bytes[0]);
    lvl_buffer_free(&t.bytes[1]);
    lvl_buffer_free(&made);
    texts_free(&t.base_texts);
    texts_free(&t.one_texts);
    texts_free(&t.other_texts);
    texts_free(&t.expected);
    texts_free(&t.made);
    free((void *)(uintptr_t)cells.ptr);
    free(t.content);
    return tried;
}

/* ---- all --------------------------------------------------------------------------------------------- */

typedef struct file {
    const char *path, *format;
} file;

/* Adds the files below a folder that can be read, with their formats. */
static size_t add_files(file *files, size_t count, size_t max, const lvl_paths *paths, size_t step)
{
    for (size_t i = 0; i < paths->count && count < max; i += step) {
        size_t len;
        uint8_t *data = lvl_slurp(paths->items[i], &len);
        lvl_doc *doc = NULL;
        if (data && len > 16 && len < 1 << 17 &&
            lvl_read(&doc, &ctx, NULL, (lvl_bytes){data, len}, lvl_path_name(paths->items[i]), 0, NULL) ==
                LVL_OK &&
            lvl_doc_cuts(doc) == 0)
            files[count++] = (file){paths->items[i], lvl_doc_format(doc)->id};
        lvl_doc_free(doc);
        free(data);
    }
    return count;
}

/* Tries triples of a kind on the files of a format in turn, until there are `wanted`. */
static void try_kind(tally *row, const file *files, size_t count, change kind, size_t wanted, uint64_t first)
{
    size_t of_format = 0;

    for (size_t i = 0; i < count; i++)
        of_format += strcmp(files[i].format, row->format) == 0;
    const size_t most = of_format ? wanted * 12 + 20 : 0;
    size_t i = (size_t)first % (count ? count : 1);
    for (size_t tries = 0, done = 0; tries < most && done < wanted; tries++) {
        do {
            i = (i + 1) % count;
        } while (strcmp(files[i].format, row->format) != 0);
        size_t len;
        uint8_t *data = lvl_slurp(files[i].path, &len);
        const char *name = lvl_path_name(files[i].path);
        lvl_doc *doc = NULL;
        assert_non_null(data);
        assert_int_equal(lvl_read(&doc, &ctx, NULL, (lvl_bytes){data, len}, name, 0, NULL), LVL_OK);
        const lvl_format *format = lvl_doc_format(doc);
        lvl_doc_free(doc);
        cover_table(format, format->table, "");
        done += try_triple(row, name, format, (lvl_bytes){data, len}, kind,
                           tries % 2   ? LONG_LIST
                           : tries % 4 ? SHORT_LIST
                                       : AS_IT_IS,
                           first + tries * 977 + (uint64_t)kind * 31);
        free(data);
    }
}

/* By list and grid: how many triples, of how many kinds. */
static void print_coverage(void)
{
    printf("%-8s %-44s %8s %6s\n", "format", "list or grid", "triples", "kinds");
    for (size_t i = 0; i < covered_count; i++) {
        size_t all = 0, kinds = 0;
        for (int k = 0; k < KINDS; k++) {
            all += covered[i].triples[k];
            kinds += covered[i].triples[k] > 0;
        }
        printf("%-8s %-44s %8zu %6zu%s\n", covered[i].format->id, covered[i].path, all, kinds,
               all ? "" : "  no file has it");
    }
}

static void kinds_of_changes(void **state)
{
    static const char endings[] = "wwd graal zelda nw gani gmap level doodad";
    const char *every = getenv("LVL_MERGE_SWEEP"), *many = getenv("LVL_MERGE_KINDS"),
               *only = getenv("LVL_MERGE_FORMAT"), *corpus = lvl_corpus_dir(), *samples = lvl_samples_dir();
    const size_t step = every && strtoul(every, NULL, 10) ? strtoul(every, NULL, 10) : 97;
    const size_t wanted = many && strtoul(many, NULL, 10) ? strtoul(many, NULL, 10) : 3;
    const uint64_t first = getenv("LVL_MERGE_FROM") ? strtoul(getenv("LVL_MERGE_FROM"), NULL, 10) : 1;
    enum { MAX_FILES = 4000 };
    static file files[MAX_FILES];
    tally rows[MAX_FORMATS] = {{0}};
    lvl_paths in_samples = {0}, in_corpus = {0}, in_worlds = {0};
    size_t count = 0, all = 0, silent = 0, none = 0, needless = 0, formats = 0;

    (void)state;
    if (samples && lvl_paths_below(&in_samples, samples, endings))
        count = add_files(files, count, MAX_FILES, &in_samples, 1);
    if (corpus && lvl_paths_below(&in_corpus, corpus, endings))
        count = add_files(files, count, MAX_FILES, &in_corpus, step);
    if (corpus && lvl_paths_below(&in_worlds, corpus, "gmap")) /* there are few */
        count = add_files(files, count, MAX_FILES, &in_worlds, 1);
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < formats && strcmp(rows[k].format, files[i].format) != 0)
            k++;
        if (k == formats && formats < MAX_FORMATS)
            rows[formats++].format = files[i].format;
    }
    for (size_t r = 0; r < formats; r++) {
        for (int k = 0; k < KINDS; k++) {
            if (!only || strcmp(only, rows[r].format) == 0)
                try_kind(&rows[r], files, count, (change)k, wanted, first);
        }
    }
    printf("%-8s %-20s %6s %6s %6s %6s %8s\n", "format", "kind", "all", "right", "silent", "none",
           "needless");
    for (size_t r = 0; r < formats; r++) {
        for (int k = 0; k < KINDS; k++) {
            if (!rows[r].kinds[k].all)
                continue;
            printf("%-8s %-20s %6zu %6zu %6zu %6zu %8zu\n", rows[r].format, kind_names[k],
                   rows[r].kinds[k].all, rows[r].kinds[k].right, rows[r].kinds[k].silent,
                   rows[r].kinds[k].none, rows[r].kinds[k].needless);
            all += rows[r].kinds[k].all;
            silent += rows[r].kinds[k].silent;
            none += rows[r].kinds[k].none;
            needless += rows[r].kinds[k].needless;
        }
    }
    if (many)
        print_coverage();
    printf("%zu triples: %zu silent, %zu without a result, %zu needless\n", all, silent, none, needless);
    lvl_paths_free(&in_samples);
    lvl_paths_free(&in_corpus);
    lvl_paths_free(&in_worlds);
    assert_true(all > 100 || !samples || only);
    assert_int_equal(silent, 0);
    assert_int_equal(none, 0);
    assert_true(20 * needless <= all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kinds_of_changes)};

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
