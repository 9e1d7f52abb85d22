/*
 * catalogue/collect.c: one walk over a document's tables of fields, which gives its texts, the names of other
 * files, values of unknown fields, the hash of its content, and the tokens of its likeness. What a field is
 * for is said by its role, flags and use; nothing here knows a format. collect_rows.c makes the rows.
 */
#include "catalogue/collect.h"
#include "catalogue/collected.h"
#include "catalogue/names.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/cursor.h"
#include "base/format.h"
#include "base/hash.h"
#include "base/record.h"
#include "base/text.h"
#include "base/work.h"
#include "games/book.h"
#include "tools/edit/script_names.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_VALUES = 1 << 16, /* different values of one field in a file */
    MAX_UNKNOWN = 32, /* different values of an unknown field in a file */
    WINDOW = 4 /* cells from left to right that make a token, in two rows */
};

/* ---- the walk ----------------------------------------------------------------------------------------- */

typedef struct walker {
    const lvl_doc *doc;
    cat_facts *facts;
    cat_node *nodes;
    size_t node_count, node_cap;
    uint32_t *children; /* nodes of the fields of a node's table; 0: it had no value yet */
    size_t child_count, child_cap;
    uint32_t indices[LVL_PATH_DEPTH];
    unsigned depth; /* indices in use */
    cat_sketch sketch;
    lvl_status status;
} walker;

static bool is_ok(const walker *w)
{
    return w->status == LVL_OK;
}

static void note_status(walker *w, lvl_status status)
{
    if (w->status == LVL_OK)
        w->status = status;
}

/* Whether a field can be content, not decided by the file's spelling, form or signature. */
static bool may_be_content(const lvl_field *f)
{
    return f->role != LVL_KEPT && f->role != LVL_DERIVED && !(f->flags & (LVL_F_FORM | LVL_F_SIGNATURE));
}

/* Adds a node; 0 without memory. */
static uint32_t new_node(walker *w, uint32_t parent, const lvl_field *field, const lvl_table *table)
{
    const uint32_t fields = table ? table->field_count : 0;

    if (!lvl_grow(&w->nodes, &w->node_cap, w->node_count + 1, sizeof *w->nodes) ||
        !lvl_grow(&w->children, &w->child_cap, w->child_count + fields + 1, sizeof *w->children)) {
        note_status(w, LVL_ERR_MEMORY);
        return 0;
    }
    cat_node *n = &w->nodes[w->node_count];
    memset(n, 0, sizeof *n);
    n->field = field;
    n->table = table;
    n->parent = parent;
    n->children = (uint32_t)w->child_count;
    cat_pair name = {field ? w->nodes[parent].name : cat_start.a, 0};
    cat_mix_bytes(&name, field ? field->name : "", field ? strlen(field->name) : 0);
    n->name = name.a;
    lvl_hash_init(&n->index);
    memset(w->children + w->child_count, 0, (fields + 1) * sizeof *w->children);
    w->child_count += fields;
    return (uint32_t)w->node_count++;
}

/* The node of field `at` of the node's table. */
static uint32_t node_of(walker *w, uint32_t parent, uint32_t at)
{
    const uint32_t place = w->nodes[parent].children + at;

    if (!w->children[place]) {
        const lvl_field *f = &w->nodes[parent].table->fields[at];
        const uint32_t made = new_node(w, parent, f, f->table); /* which may move the array */
        w->children[place] = made;
    }
    return w->children[place];
}

/* Notes a text, unless it is empty. True: the field had it before. */
static bool note_text(walker *w, uint32_t at, lvl_text text)
{
    cat_node *n = &w->nodes[at];

    if (!text.len)
        return false;
    const uint64_t hash = lvl_hash_bytes(&n->index.seed, text.ptr, text.len);
    for (lvl_hash_at i = lvl_hash_first(&n->index, hash); i.found; i = lvl_hash_next(&n->index, i)) {
        cat_text_value *v = &n->values[i.index];
        if (!lvl_text_equal(cat_slice(&n->raw, v->at, v->len), text))
            continue;
        v->count++;
        return true;
    }
    if (n->count >= MAX_VALUES)
        return false;
    if (!lvl_grow(&n->values, &n->cap, n->count + 1, sizeof *n->values) ||
        lvl_hash_add(&n->index, hash, (uint32_t)n->count) != LVL_OK) {
        note_status(w, LVL_ERR_MEMORY);
        return false;
    }
    cat_text_value *v = &n->values[n->count++];
    *v = (cat_text_value){.at = n->raw.len, .len = text.len, .place = n->places.len, .count = 1};
    lvl_buffer_add(&n->raw, text.ptr, text.len);
    for (unsigned i = 0; i < w->depth; i++)
        lvl_buffer_printf(&n->places, "%s%lu", i ? "." : "", (unsigned long)w->indices[i]);
    v->place_len = n->places.len - v->place;
    return false;
}

static void note_number(walker *w, uint32_t at, int64_t number)
{
    cat_node *n = &w->nodes[at];

    for (size_t i = 0; i < n->number_count; i++) {
        if (n->numbers[i].value == number) {
            n->numbers[i].count++;
            return;
        }
    }
    if (n->number_count >= MAX_UNKNOWN) {
        n->other_numbers++;
    } else if (!lvl_grow(&n->numbers, &n->number_cap, n->number_count + 1, sizeof *n->numbers)) {
        note_status(w, LVL_ERR_MEMORY);
    } else {
        n->numbers[n->number_count++] = (cat_number){number, 1};
    }
}

/* ---- cells -------------------------------------------------------------------------------------------- */

/* Tokens of row `y` and the one above it: windows of four by two cells, except those of one value. */
static void sketch_windows(walker *w, const lvl_cells *cells, uint32_t y, uint64_t name)
{
    for (uint32_t x = 0; x + WINDOW <= cells->width; x++) {
        const uint32_t first = lvl_cell(cells, x, y);
        uint64_t above = 0, below = 0;
        bool plain = true;
        for (uint32_t i = x; i < x + WINDOW; i++) {
            const uint32_t u = lvl_cell(cells, i, y - 1), v = lvl_cell(cells, i, y);
            plain = plain && u == first && v == first;
            above = above << 16 ^ (uint64_t)u * UINT64_C(0x9E3779B1);
            below = below << 16 ^ (uint64_t)v * UINT64_C(0x9E3779B1);
        }
        if (!plain)
            cat_sketch_add(&w->sketch, cat_token(cat_token(below, above), name));
    }
}

/* Of pixels, since there are many, each row with more than one value is a token; of tiles, each window is. */
static cat_pair hash_cells(walker *w, uint32_t at, const void *record, const lvl_field *f)
{
    const bool pixels = (f->flags & LVL_F_LATE) || w->doc->format->is_picture;
    const uint64_t name = w->nodes[at].name;
    lvl_buffer storage = {0};
    lvl_cells cells;
    cat_pair h = cat_start, inner = cat_start;
    bool same = false;

    const lvl_status status = lvl_doc_cells(w->doc, record, f, &storage, &cells);
    if (status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT || status == LVL_ERR_STOPPED)
        note_status(w, status);
    cat_mix(&h, cells.width);
    cat_mix(&h, cells.height);
    if (is_ok(w) && cells.ptr)
        note_status(w, lvl_charge(w->doc->ctx, (uint64_t)cells.width * cells.height));
    for (uint32_t y = 0; y < cells.height && is_ok(w) && cells.ptr; y++) {
        const size_t pitch = (size_t)cells.width * cells.size;
        const uint8_t *row = cells.ptr + y * pitch;
        const bool before = same; /* equal rows are common, and three of them give no further token */
        same = y && memcmp(row, row - pitch, pitch) == 0;
        if (!same) {
            inner = cat_start;
            cat_mix_bytes(&inner, row, pitch);
        }
        cat_mix_pair(&h, inner);
        if (!pixels && y && !(same && before))
            sketch_windows(w, &cells, y, name);
        else if (pixels && !same && pitch && memcmp(row, row + cells.size, pitch - cells.size) != 0)
            cat_sketch_add(&w->sketch, cat_token(inner.a, name));
    }
    lvl_buffer_free(&storage);
    return h;
}

static cat_pair hash_late_bytes(walker *w, const void *record, const lvl_field *f)
{
    lvl_buffer storage = {0};
    lvl_bytes bytes;
    cat_pair h = cat_start;

    const lvl_status status = lvl_doc_bytes(w->doc, record, f, &storage, &bytes);
    if (status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT || status == LVL_ERR_STOPPED)
        note_status(w, status);
    else
        cat_mix_bytes(&h, bytes.ptr, bytes.len);
    lvl_buffer_free(&storage);
    return h;
}

/* ---- records ------------------------------------------------------------------------------------------ */

static cat_pair walk_record(walker *w, uint32_t at, const void *record);

static void note_use(walker *w, const lvl_field *f, lvl_text text)
{
    lvl_buffer *use = f->use && f->use < LVL_USE_FACTS ? &w->facts->uses[f->use] : NULL;

    if (!use || use->len || !text.len)
        return;
    lvl_text_to_utf8(use, lvl_utf8_valid(text) ? LVL_CP_UTF8 : w->doc->codepage, text);
    lvl_buffer_u8(use, 0);
    if (use->status != LVL_OK)
        note_status(w, use->status);
}

/* Whether a text is a number, as "-12" or "30.5", or empty: nothing that people search among texts. */
static bool is_number(lvl_text text)
{
    bool point = false;
    size_t i = text.len && (text.ptr[0] == '-' || text.ptr[0] == '+');

    for (; i < text.len && (lvl_is_digit(text.ptr[i]) || (text.ptr[i] == '.' && !point)); i++)
        point |= text.ptr[i] == '.';
    return i == text.len && text.len <= 20;
}

static cat_pair hash_text(walker *w, uint32_t at, const lvl_field *f, lvl_text text)
{
    cat_pair h = cat_start;

    cat_mix_bytes(&h, text.ptr, text.len);
    note_use(w, f, text);
    if ((!is_number(text) || f->use || (f->flags & LVL_F_LINES)) && /* a sign may read "1984" */
        note_text(w, at, text))
        return h; /* the tokens are the previous ones */
    if (text.len)
        cat_sketch_add(&w->sketch, cat_token(h.a, w->nodes[at].name));
    if (f->flags & LVL_F_LINES) { /* most lines of an edited script stay */
        for (size_t i = 0; i < text.len;) {
            const char *nl = memchr(text.ptr + i, '\n', text.len - i);
            const size_t len = nl ? (size_t)(nl - text.ptr) - i : text.len - i;
            cat_pair line = cat_start;
            cat_mix_bytes(&line, text.ptr + i, len);
            if (len)
                cat_sketch_add(&w->sketch, cat_token(line.a, w->nodes[at].name));
            i += len + 1;
        }
    }
    return h;
}

static cat_pair hash_list(walker *w, uint32_t at, const void *record, const lvl_field *f)
{
    const uint32_t count = lvl_list_count(record, f);
    const bool unordered = f->flags & LVL_F_UNORDERED;
    const bool deep = w->depth < LVL_PATH_DEPTH;
    cat_pair h = cat_start, sum = {0, 0};
    lvl_field one = *f;

    one.offset = 0;
    one.size = f->item_size;
    cat_mix(&h, count);
    if (deep)
        w->depth++;
    for (uint32_t i = 0; i < count && is_ok(w); i++) {
        const void *item = lvl_list_item(record, f, i);
        cat_pair inner = cat_start;
        if (deep)
            w->indices[w->depth - 1] = i;
        if (f->item == LVL_RECORD) {
            inner = walk_record(w, at, item);
            cat_sketch_add(&w->sketch, cat_token(inner.a, w->nodes[at].name));
        } else if (f->item == LVL_TEXT) {
            inner = hash_text(w, at, f, lvl_get_text(item, &one));
        } else if (f->item == LVL_REAL) {
            const double real = lvl_get_real(item, &one);
            cat_mix_bytes(&inner, &real, sizeof real);
        } else {
            cat_mix(&inner, (uint64_t)lvl_get_int(item, &one));
        }
        if (unordered) {
            sum.a += cat_token(inner.a, inner.b);
            sum.b += cat_token(inner.b, ~inner.a);
        } else {
            cat_mix_pair(&h, inner);
        }
    }
    if (unordered)
        cat_mix_pair(&h, sum);
    if (deep)
        w->depth--;
    note_status(w, lvl_charge(w->doc->ctx, count));
    return h;
}

/* Whether the record has content in a field. Defaults count as absent, so that the hash is the same in forms
 * that do not have them. */
static bool is_content(const void *record, const lvl_field *f)
{
    if (f->kind == LVL_INT) /* whose bits may be spelling */
        return ((uint64_t)lvl_get_int(record, f) ^ (uint64_t)f->def) & ~f->stored &&
               lvl_field_present(record, f);
    if (f->kind == LVL_RECORD || f->flags & LVL_F_LATE) /* a record of defaults has a hash that shows it */
        return lvl_field_present(record, f);
    return !lvl_field_is_default(record, f) && lvl_field_present(record, f);
}

/* Notes a text that names a file in a field that is not for names. */
static void note_name(walker *w, uint32_t at, lvl_text name, const cat_file_name *what)
{
    uint32_t i = w->nodes[at].named;

    while (i && (w->nodes[i].what.use != what->use || w->nodes[i].what.ending != what->ending ||
                 w->nodes[i].what.key != what->key))
        i = w->nodes[i].next;
    if (!i) {
        i = new_node(w, w->nodes[at].parent, w->nodes[at].field, NULL);
        if (!i)
            return;
        w->nodes[i].what = *what;
        w->nodes[i].next = w->nodes[at].named;
        w->nodes[at].named = i;
    }
    note_text(w, i, name);
}

typedef struct script {
    walker *w;
    uint32_t at;
} script;

static void note_script_name(void *user, lvl_text name, const cat_file_name *what)
{
    const script *s = user;

    note_name(s->w, s->at, name, what);
}

/* Notes the name of a file that is known as one only by its ending, or by the record's label (`ani=walk`). */
static void note_named(walker *w, uint32_t at, const void *record, const lvl_field *f)
{
    const cat_node *n = &w->nodes[at];
    const lvl_text text = lvl_get_text(record, f);
    const lvl_script_stem *stem = lvl_label_stem(w->doc, record, w->nodes[n->parent].table);
    cat_file_name what = cat_name_of(w->doc, text);

    if (!what.use && stem)
        what = (cat_file_name){LVL_USE_ANIMATION, stem->ending, false};
    if (what.use)
        note_name(w, at, text, &what);
}

/* Notes a text that may be the key of a file: which kind of file depends on the item that has it. */
static void note_key(walker *w, uint32_t at, const void *record, const lvl_field *f)
{
    const lvl_use use = lvl_book_key(w->doc, w->nodes[w->nodes[at].parent].table, record, f);
    const cat_file_name what = {use ? use : f->use, NULL, use != LVL_USE_NONE};

    if (what.use > LVL_USE_FILES)
        note_name(w, at, lvl_get_text(record, f), &what);
}

/* The hash of a field's content, other than an integer's. */
static cat_pair hash_field(walker *w, uint32_t at, const void *record, const lvl_field *f)
{
    cat_pair h = cat_start;

    switch (f->kind) {
    case LVL_INT: break;
    case LVL_REAL: {
        const double real = lvl_get_real(record, f);
        int64_t bits;
        memcpy(&bits, &real, sizeof bits);
        cat_mix(&h, (uint64_t)bits);
        break;
    }
    case LVL_TEXT:
        if (f->flags & LVL_F_FILE && !f->use)
            note_named(w, at, record, f);
        if (w->doc->format->calls->file_places)
            note_key(w, at, record, f);
        if (f->part && strcmp(f->part, "scripts") == 0)
            note_status(
                w, cat_names_of_script(w->doc, lvl_get_text(record, f), note_script_name, &(script){w, at}));
        return hash_text(w, at, f, lvl_get_text(record, f));
    case LVL_BYTES:
        if (f->flags & LVL_F_LATE)
            return hash_late_bytes(w, record, f);
        cat_mix_bytes(&h, lvl_get_bytes(record, f).ptr, lvl_get_bytes(record, f).len);
        break;
    case LVL_RECORD: return walk_record(w, at, lvl_get_record(record, f));
    case LVL_LIST: return hash_list(w, at, record, f);
    case LVL_CELLS: return hash_cells(w, at, record, f);
    }
    return h;
}

/* Mixes in the content of field `field` of the node's table, if there is any. */
static void walk_field(walker *w, uint32_t at, uint32_t field, const void *record, cat_pair *h)
{
    const lvl_field *f = &w->nodes[at].table->fields[field];
    cat_pair inner = cat_start;

    if (!may_be_content(f) || !is_content(record, f))
        return;
    const uint32_t node_at = node_of(w, at, field);
    if (!node_at)
        return;
    if (f->kind == LVL_INT) {
        const int64_t whole = lvl_get_int(record, f);
        if (f->role == LVL_UNKNOWN)
            note_number(w, node_at, whole);
        cat_mix(&inner, (uint64_t)whole & ~f->stored);
    } else {
        inner = hash_field(w, node_at, record, f);
        if (f->kind == LVL_RECORD && inner.a == cat_start.a && inner.b == cat_start.b)
            return; /* all defaults */
    }
    cat_mix(h, w->nodes[node_at].name);
    cat_mix_pair(h, inner);
}

/* The hash of a record's content. */
static cat_pair walk_record(walker *w, uint32_t at, const void *record)
{
    const uint32_t count = w->nodes[at].table->field_count;
    cat_pair h = cat_start;

    for (uint32_t i = 0; i < count && is_ok(w); i++)
        walk_field(w, at, i, record, &h);
    return h;
}

static void free_walker(walker *w)
{
    for (size_t i = 0; i < w->node_count; i++) {
        cat_node *n = &w->nodes[i];
        lvl_buffer_free(&n->raw);
        lvl_buffer_free(&n->places);
        lvl_hash_free(&n->index);
        free(n->values);
        free(n->numbers);
    }
    free(w->nodes);
    free(w->children);
}

lvl_status cat_collect(const lvl_doc *doc, const struct lvl_art *art, lvl_buffer *rows, cat_facts *facts)
{
    const lvl_table *table = lvl_doc_table(doc);
    const void *root = lvl_doc_croot(doc);
    walker w = {.doc = doc, .facts = facts};

    memset(facts, 0, sizeof *facts);
    cat_sketch_init(&w.sketch);
    new_node(&w, 0, NULL, table); /* node 0, which no field has */
    cat_pair h = cat_start;
    if (is_ok(&w)) {
        const cat_pair content = walk_record(&w, 0, root);
        cat_mix_bytes(&h, table->name, strlen(table->name));
        cat_mix_pair(&h, content);
    }
    facts->has_content = true;
    for (unsigned i = 0; i < 8; i++) {
        facts->content[i] = (uint8_t)(h.a >> (56 - 8 * i));
        facts->content[8 + i] = (uint8_t)(h.b >> (56 - 8 * i));
    }
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->kind == LVL_INT && f->flags & LVL_F_FORM && lvl_field_present(root, f))
            facts->version = lvl_name_of(f->names, lvl_get_int(root, f));
    }
    facts->has_signature = cat_sketch_signature(&w.sketch, facts->signature);
    if (is_ok(&w))
        cat_put_collected(&(cat_collected){doc, w.nodes, w.node_count}, art, rows);
    free_walker(&w);
    return w.status != LVL_OK ? w.status : rows->status;
}

void cat_facts_clear(cat_facts *facts)
{
    for (size_t i = 0; i < LVL_USE_FACTS; i++)
        lvl_buffer_free(&facts->uses[i]);
}
