/*
 * catalogue/collect.c: one walk over a document's tables of fields, which gives its texts, the names of other
 * files, values of unknown fields, the hash of its content, and the tokens of its likeness. What a field is
 * for is said by its role, flags and use; nothing here knows a format.
 */
#include "catalogue/collect.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/format.h"
#include "base/hash.h"
#include "base/record.h"
#include "base/text.h"
#include "base/work.h"
#include "scene/art.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_VALUES = 1 << 16, /* different values of one field in a file */
    MAX_UNKNOWN = 32, /* different values of an unknown field in a file */
    MAX_PLACE = 200
};

/* ---- hashes of content: two halves of 64 bits, the same on every machine ------------------------------ */

typedef struct pair {
    uint64_t a, b;
} pair;

static const pair start = {UINT64_C(0x9E3779B97F4A7C15), UINT64_C(0xC2B2AE3D27D4EB4F)};

static inline void mix(pair *h, uint64_t value)
{
    h->a = (h->a ^ value) * UINT64_C(0xFF51AFD7ED558CCD);
    h->a ^= h->a >> 32;
    h->b = ((h->b << 23 | h->b >> 41) ^ value) * UINT64_C(0xC4CEB9FE1A85EC53);
    h->b ^= h->b >> 29;
}

static inline uint64_t load(const uint8_t *p)
{
    uint64_t v = 0;

    for (unsigned i = 0; i < 8; i++)
        v |= (uint64_t)p[i] << 8 * i;
    return v;
}

static void mix_bytes(pair *h, const void *data, size_t len)
{
    const uint8_t *p = data;
    uint64_t last = 0;

    mix(h, len);
    for (; len >= 8; len -= 8, p += 8)
        mix(h, load(p));
    for (size_t i = 0; i < len; i++)
        last |= (uint64_t)p[i] << 8 * i;
    if (len)
        mix(h, last);
}

static void mix_pair(pair *h, pair inner)
{
    mix(h, inner.a);
    mix(h, inner.b);
}

/* All bits of the result depend on all bits of both. */
static inline uint64_t token(uint64_t a, uint64_t b)
{
    uint64_t x = (a ^ (b << 31 | b >> 33)) * UINT64_C(0x9FB21C651E98DF25);

    x ^= x >> 35;
    x *= UINT64_C(0xD6E8FEB86659FD93);
    return x ^ x >> 32;
}

/* ---- the walk ----------------------------------------------------------------------------------------- */

/* A value of a text field, where it first occurs. */
typedef struct value {
    size_t at, len; /* in `raw` of its field */
    size_t place, place_len; /* in `places` */
    uint32_t count;
} value;

/* A value of an unknown field. */
typedef struct number {
    int64_t value;
    uint64_t count;
} number;

/* A field on its way from the root, whatever the numbers of items. */
typedef struct node {
    const lvl_field *field; /* NULL: the root */
    const lvl_table *table; /* of the record or items; or NULL */
    uint32_t parent;
    uint32_t children; /* in walker.children, one for each field of `table`: a node, or 0 */
    uint64_t name; /* hash of its path */
    lvl_buffer raw, places; /* of texts */
    lvl_hash index;
    value *values;
    size_t count, cap;
    number *numbers; /* of unknown fields */
    size_t number_count, number_cap;
    uint64_t other_numbers; /* occurrences of values beyond MAX_UNKNOWN */
} node;

/* A part of a buffer; empty if the buffer lacks it, for want of memory. */
static lvl_text slice(const lvl_buffer *buffer, size_t at, size_t len)
{
    if (!len || at > buffer->len || len > buffer->len - at)
        return (lvl_text){"", 0};
    return (lvl_text){(const char *)buffer->data + at, len};
}

typedef struct walker {
    const lvl_doc *doc;
    cat_facts *facts;
    node *nodes;
    size_t node_count, node_cap;
    uint32_t *children;
    size_t child_count, child_cap;
    uint32_t indices[LVL_PATH_DEPTH];
    unsigned depth; /* indices in use */
    cat_sketch sketch;
    uint64_t *row[2]; /* hashes of cells in two rows */
    size_t row_cap[2];
    lvl_status status;
} walker;

static bool ok(const walker *w)
{
    return w->status == LVL_OK;
}

static void fail(walker *w, lvl_status status)
{
    if (w->status == LVL_OK)
        w->status = status;
}

/* Adds a node; 0 without memory. */
static uint32_t new_node(walker *w, uint32_t parent, const lvl_field *field, const lvl_table *table)
{
    const size_t fields = table ? table->field_count : 0;

    if (!lvl_grow(&w->nodes, &w->node_cap, w->node_count + 1, sizeof *w->nodes) ||
        !lvl_grow(&w->children, &w->child_cap, w->child_count + fields + 1, sizeof *w->children)) {
        fail(w, LVL_ERR_MEMORY);
        return 0;
    }
    node *n = &w->nodes[w->node_count];
    memset(n, 0, sizeof *n);
    n->field = field;
    n->table = table;
    n->parent = parent;
    n->children = (uint32_t)w->child_count;
    pair name = {field ? w->nodes[parent].name : start.a, 0};
    mix_bytes(&name, field ? field->name : "", field ? strlen(field->name) : 0);
    n->name = name.a;
    lvl_hash_init(&n->index);
    memset(w->children + w->child_count, 0, (fields + 1) * sizeof *w->children);
    w->child_count += fields;
    return (uint32_t)w->node_count++;
}

static uint32_t child(walker *w, uint32_t parent, uint32_t field)
{
    const size_t at = w->nodes[parent].children + field;

    if (!w->children[at]) {
        const lvl_field *f = &w->nodes[parent].table->fields[field];
        const uint32_t made = new_node(w, parent, f, f->table);
        w->children[at] = made;
        return made;
    }
    return w->children[at];
}

/* Notes a text, unless it is empty. */
static void note_text(walker *w, uint32_t at, lvl_text text)
{
    node *n = &w->nodes[at];
    const uint64_t hash = lvl_hash_bytes(&n->index.seed, text.ptr, text.len);

    if (!text.len)
        return;
    for (lvl_hash_at i = lvl_hash_first(&n->index, hash); i.found; i = lvl_hash_next(&n->index, i)) {
        const value *v = &n->values[i.index];
        if (lvl_text_equal(slice(&n->raw, v->at, v->len), text)) {
            n->values[i.index].count++;
            return;
        }
    }
    if (n->count >= MAX_VALUES)
        return;
    if (!lvl_grow(&n->values, &n->cap, n->count + 1, sizeof *n->values) ||
        lvl_hash_add(&n->index, hash, (uint32_t)n->count) != LVL_OK) {
        fail(w, LVL_ERR_MEMORY);
        return;
    }
    value *v = &n->values[n->count++];
    *v = (value){.at = n->raw.len, .len = text.len, .place = n->places.len, .count = 1};
    lvl_buffer_add(&n->raw, text.ptr, text.len);
    for (unsigned i = 0; i < w->depth; i++)
        lvl_buffer_printf(&n->places, "%s%u", i ? "." : "", w->indices[i]);
    v->place_len = n->places.len - v->place;
}

static void note_number(walker *w, uint32_t at, int64_t number_)
{
    node *n = &w->nodes[at];

    for (size_t i = 0; i < n->number_count; i++) {
        if (n->numbers[i].value == number_) {
            n->numbers[i].count++;
            return;
        }
    }
    if (n->number_count >= MAX_UNKNOWN) {
        n->other_numbers++;
    } else if (!lvl_grow(&n->numbers, &n->number_cap, n->number_count + 1, sizeof *n->numbers)) {
        fail(w, LVL_ERR_MEMORY);
    } else {
        n->numbers[n->number_count++] = (number){number_, 1};
    }
}

/* ---- cells -------------------------------------------------------------------------------------------- */

enum { WINDOW = 4 }; /* cells from left to right that make a token, in two rows */

/* A row of cells as numbers: each stands for itself at the end of a run of equal ones, else for the last
 * four. */
static void hash_row(const lvl_cells *cells, uint32_t y, uint64_t *out)
{
    uint32_t run = 0, last = 0;
    uint64_t h = 0;

    for (uint32_t x = 0; x < cells->width; x++) {
        const uint32_t cell = lvl_cell(cells, x, y);
        run = x && cell == last ? run + 1 : 1;
        last = cell;
        h = h << 16 ^ (uint64_t)cell * UINT64_C(0x9E3779B1);
        out[x] = run >= WINDOW ? cell : h * UINT64_C(0x9FB21C651E98DF25) | UINT64_C(1) << 63;
    }
}

/* Tokens of a grid of tiles: windows of four by two cells, except those of one value. */
static void sketch_cells(walker *w, uint32_t at, const lvl_cells *cells)
{
    const uint64_t name = w->nodes[at].name;
    const size_t pitch = (size_t)cells->width * cells->size;

    if (cells->width < WINDOW || cells->height < 2)
        return;
    for (unsigned i = 0; i < 2; i++) {
        if (!lvl_grow(&w->row[i], &w->row_cap[i], cells->width, sizeof *w->row[i])) {
            fail(w, LVL_ERR_MEMORY);
            return;
        }
    }
    uint64_t *now = w->row[0], *before = w->row[1];
    hash_row(cells, 0, before);
    for (uint32_t y = 1; y < cells->height; y++) {
        const uint8_t *p = cells->ptr + y * pitch;
        /* large parts of most planes are empty */
        const bool same = memcmp(p, p - pitch, pitch) == 0;
        if (same && memcmp(p, p + cells->size, pitch - cells->size) == 0)
            continue; /* all windows are of one value */
        if (same)
            memcpy(now, before, cells->width * sizeof *now);
        else
            hash_row(cells, y, now);
        for (uint32_t x = WINDOW - 1; x < cells->width; x++) {
            if (now[x] != before[x] || now[x] >> 63)
                cat_sketch_add(&w->sketch, token(token(now[x], before[x]), name));
        }
        uint64_t *swap = now;
        now = before;
        before = swap;
    }
}

/* The hash of a grid, row by row. Of pixels, of which there are many, rows that are not of one value are
 * tokens. */
static void hash_grid(walker *w, uint32_t at, const lvl_cells *cells, bool pixels, pair *h)
{
    const size_t pitch = (size_t)cells->width * cells->size;
    pair inner = start;

    for (uint32_t y = 0; y < cells->height; y++) {
        const uint8_t *row = cells->ptr + y * pitch;
        if (y && memcmp(row, row - pitch, pitch) == 0) { /* as in large parts of most planes */
            mix_pair(h, inner);
            continue;
        }
        inner = start;
        mix_bytes(&inner, row, pitch);
        mix_pair(h, inner);
        if (pixels && pitch && memcmp(row, row + cells->size, pitch - cells->size) != 0)
            cat_sketch_add(&w->sketch, token(inner.a, w->nodes[at].name));
    }
    if (!pixels)
        sketch_cells(w, at, cells);
}

static pair hash_cells(walker *w, uint32_t at, const void *record, const lvl_field *f)
{
    lvl_buffer storage = {0};
    lvl_cells cells;
    pair h = start;

    const lvl_status status = lvl_doc_cells(w->doc, record, f, &storage, &cells);
    if (status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT || status == LVL_ERR_STOPPED)
        fail(w, status);
    mix(&h, cells.width);
    mix(&h, cells.height);
    if (ok(w) && cells.ptr) {
        fail(w, lvl_charge(w->doc->ctx, (uint64_t)cells.width * cells.height));
        if (ok(w))
            hash_grid(w, at, &cells, (f->flags & LVL_F_LATE) || w->doc->format->is_picture, &h);
    }
    lvl_buffer_free(&storage);
    return h;
}

static pair hash_late_bytes(walker *w, const void *record, const lvl_field *f)
{
    lvl_buffer storage = {0};
    lvl_bytes bytes;
    pair h = start;

    const lvl_status status = lvl_doc_bytes(w->doc, record, f, &storage, &bytes);
    if (status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT || status == LVL_ERR_STOPPED)
        fail(w, status);
    else
        mix_bytes(&h, bytes.ptr, bytes.len);
    lvl_buffer_free(&storage);
    return h;
}

/* ---- records ------------------------------------------------------------------------------------------ */

static pair walk_record(walker *w, uint32_t at, const void *record);

static void note_use(walker *w, const lvl_field *f, lvl_text text)
{
    lvl_buffer *use = f->use && f->use < LVL_USE_FACTS ? &w->facts->uses[f->use] : NULL;

    if (!use || use->len || !text.len)
        return;
    lvl_text_to_utf8(use, w->doc->codepage, text);
    lvl_buffer_u8(use, 0);
    if (use->status != LVL_OK)
        fail(w, use->status);
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

static pair hash_text(walker *w, uint32_t at, const lvl_field *f, lvl_text text)
{
    pair h = start;

    mix_bytes(&h, text.ptr, text.len);
    note_use(w, f, text);
    if (!is_number(text) || f->use || (f->flags & LVL_F_LINES)) /* a sign may read "1984" */
        note_text(w, at, text);
    if (text.len)
        cat_sketch_add(&w->sketch, token(h.a, w->nodes[at].name));
    if (f->flags & LVL_F_LINES) { /* of an edited script, most lines stay */
        for (size_t i = 0; i < text.len;) {
            const char *nl = memchr(text.ptr + i, '\n', text.len - i);
            const size_t len = nl ? (size_t)(nl - text.ptr) - i : text.len - i;
            pair line = start;
            mix_bytes(&line, text.ptr + i, len);
            if (len)
                cat_sketch_add(&w->sketch, token(line.a, w->nodes[at].name));
            i += len + 1;
        }
    }
    return h;
}

static pair hash_list(walker *w, uint32_t at, const void *record, const lvl_field *f)
{
    const uint32_t count = lvl_list_count(record, f);
    const bool unordered = f->flags & LVL_F_UNORDERED;
    const bool deep = w->depth < LVL_PATH_DEPTH;
    pair h = start, sum = {0, 0};

    mix(&h, count);
    if (deep)
        w->depth++;
    for (uint32_t i = 0; i < count && ok(w); i++) {
        const void *item = lvl_list_item(record, f, i);
        lvl_field one = *f;
        pair inner = start;
        if (deep)
            w->indices[w->depth - 1] = i;
        one.offset = 0;
        one.size = f->item_size;
        if (f->item == LVL_RECORD) {
            inner = walk_record(w, at, item);
            cat_sketch_add(&w->sketch, token(inner.a, w->nodes[at].name));
        } else if (f->item == LVL_TEXT) {
            inner = hash_text(w, at, f, lvl_get_text(item, &one));
        } else if (f->item == LVL_REAL) {
            const double real = lvl_get_real(item, &one);
            mix_bytes(&inner, &real, sizeof real);
        } else {
            mix(&inner, (uint64_t)lvl_get_int(item, &one));
        }
        if (unordered) {
            sum.a += token(inner.a, inner.b);
            sum.b += token(inner.b, ~inner.a);
        } else {
            mix_pair(&h, inner);
        }
    }
    if (unordered)
        mix_pair(&h, sum);
    if (deep)
        w->depth--;
    fail(w, lvl_charge(w->doc->ctx, count));
    return h;
}

/* Whether the field is content: what a file's spelling, form or signature decides is none. */
static bool is_content(const void *record, const lvl_field *f)
{
    if (f->role == LVL_KEPT || f->role == LVL_DERIVED || f->flags & (LVL_F_FORM | LVL_F_SIGNATURE))
        return false;
    /* a late member is only known when it is decoded; a record of defaults has a hash that shows it */
    if (f->flags & LVL_F_LATE || f->kind == LVL_RECORD)
        return lvl_field_present(record, f);
    return !lvl_field_is_default(record, f) && lvl_field_present(record, f);
}

/* The hash of a record's content; fields with their defaults count as absent, so that it is the same in forms
 * that do not have them. */
static pair walk_record(walker *w, uint32_t at, const void *record)
{
    const lvl_table *table = w->nodes[at].table;
    pair h = start;

    for (uint32_t i = 0; i < table->field_count && ok(w); i++) {
        const lvl_field *f = &table->fields[i];
        if (!is_content(record, f))
            continue;
        const int64_t whole = f->kind == LVL_INT ? lvl_get_int(record, f) : 0;
        if (f->kind == LVL_INT && !(((uint64_t)whole ^ (uint64_t)f->def) & ~f->stored))
            continue; /* it differs in what is no content */
        const uint32_t node_at = child(w, at, i);
        pair inner = start;
        if (!node_at)
            break;
        switch (f->kind) {
        case LVL_INT:
            if (f->role == LVL_UNKNOWN)
                note_number(w, node_at, whole);
            mix(&inner, (uint64_t)whole & ~f->stored);
            break;
        case LVL_REAL: {
            const double real = lvl_get_real(record, f);
            int64_t bits;
            memcpy(&bits, &real, sizeof bits);
            mix(&inner, (uint64_t)bits);
            break;
        }
        case LVL_TEXT: inner = hash_text(w, node_at, f, lvl_get_text(record, f)); break;
        case LVL_BYTES:
            if (f->flags & LVL_F_LATE)
                inner = hash_late_bytes(w, record, f);
            else
                mix_bytes(&inner, lvl_get_bytes(record, f).ptr, lvl_get_bytes(record, f).len);
            break;
        case LVL_RECORD: inner = walk_record(w, node_at, lvl_get_record(record, f)); break;
        case LVL_LIST: inner = hash_list(w, node_at, record, f); break;
        case LVL_CELLS: inner = hash_cells(w, node_at, record, f); break;
        }
        if (f->kind == LVL_RECORD && inner.a == start.a && inner.b == start.b)
            continue; /* all defaults */
        mix(&h, w->nodes[node_at].name);
        mix_pair(&h, inner);
    }
    return h;
}

/* ---- rows --------------------------------------------------------------------------------------------- */

/* "planes[].objects[].logic" */
static void put_field(const walker *w, uint32_t at, lvl_buffer *out)
{
    const node *n = &w->nodes[at];

    if (!n->field)
        return;
    put_field(w, n->parent, out);
    lvl_buffer_printf(out, "%s%s%s", out->len ? "." : "", n->field->name,
                      n->field->kind == LVL_LIST ? "[]" : "");
}

/* The field with numbers in its brackets: "planes[4].objects[71].logic". */
static void put_place(const lvl_buffer *field, lvl_text numbers, lvl_buffer *out)
{
    size_t at = 0;

    for (size_t i = 0; i < field->len; i++) {
        lvl_buffer_u8(out, field->data[i]);
        if (field->data[i] != '[')
            continue;
        while (at < numbers.len && numbers.ptr[at] != '.')
            lvl_buffer_u8(out, (uint8_t)numbers.ptr[at++]);
        at++;
    }
}

/* The numbers of the place where a value first occurs; of a field of the root there are none. */
static lvl_text place_of(const node *n, const value *v)
{
    return slice(&n->places, v->place, v->place_len);
}

/* Texts of databases hold no NULs: one is shown as its symbol. `line`: nor line breaks. */
static void put_utf8(const walker *w, lvl_text text, bool line, lvl_buffer *out)
{
    size_t from = out->len;

    lvl_text_to_utf8(out, w->doc->codepage, text);
    if (out->status != LVL_OK || out->len == from ||
        (!memchr(out->data + from, 0, out->len - from) &&
         !(line && memchr(out->data + from, '\n', out->len - from))))
        return;
    lvl_buffer plain = {0};
    lvl_buffer_add(&plain, out->data + from, out->len - from);
    out->len = from;
    for (size_t i = 0; i < plain.len; i++) {
        if (!plain.data[i])
            lvl_buffer_str(out, "\xE2\x90\x80");
        else
            lvl_buffer_u8(out, line && plain.data[i] == '\n' ? ' ' : plain.data[i]);
    }
    if (plain.status != LVL_OK)
        out->status = plain.status;
    lvl_buffer_free(&plain);
}

static void put_text_row(lvl_buffer *rows, const lvl_buffer *field, const lvl_buffer *text,
                         const lvl_buffer *places)
{
    cat_row(rows, CAT_TEXTS);
    cat_put_text(rows, field->len ? lvl_buffer_text(field) : lvl_text_of(""));
    cat_put_text(rows, lvl_buffer_text(text));
    cat_put_text(rows, places->len ? lvl_buffer_text(places) : lvl_text_of(""));
    if (field->status != LVL_OK || text->status != LVL_OK || places->status != LVL_OK)
        rows->status = LVL_ERR_MEMORY;
}

/* How many line breaks a text has. */
static size_t breaks_in(lvl_text text)
{
    size_t n = 0;

    for (const char *p = text.ptr, *end = p + text.len; (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++)
        n++;
    return n;
}

static void put_texts(const walker *w, uint32_t at, lvl_buffer *rows)
{
    const node *n = &w->nodes[at];
    lvl_buffer field = {0}, text = {0}, places = {0};

    put_field(w, at, &field);
    for (size_t i = 0; i < n->count; i++) {
        const value *v = &n->values[i];
        const lvl_text raw = {(const char *)n->raw.data + v->at, v->len};
        const size_t breaks = breaks_in(raw);
        if (i)
            lvl_buffer_u8(&text, '\n');
        if (i)
            lvl_buffer_u8(&places, '\n');
        put_utf8(w, raw, false, &text);
        if (v->place_len)
            lvl_buffer_add(&places, place_of(n, v).ptr, place_of(n, v).len);
        if (v->count > 1)
            lvl_buffer_printf(&places, " %u", v->count);
        if (breaks)
            lvl_buffer_printf(&places, "#%zu", breaks + 1);
    }
    put_text_row(rows, &field, &text, &places);
    lvl_buffer_free(&field);
    lvl_buffer_free(&text);
    lvl_buffer_free(&places);
}

/* The file that a name means, without folders and in lower case; with the ending of the document's own format
 * for names that lack theirs. Empty: it is no name of a file. */
static void put_folded(const walker *w, const lvl_field *f, const lvl_buffer *name, lvl_buffer *out)
{
    size_t last = 0;

    for (size_t i = 0; i < name->len; i++) {
        if (name->data[i] == '/' || name->data[i] == '\\')
            last = i + 1;
    }
    for (size_t i = last; i < name->len; i++)
        lvl_buffer_u8(out, (uint8_t)lvl_lower((char)name->data[i]));
    if (f->flags & LVL_F_STEM && out->len && !memchr(out->data, '.', out->len)) {
        const char *endings = w->doc->format->extensions;
        lvl_buffer_printf(out, ".%.*s", (int)strcspn(endings, " "), endings);
    }
}

lvl_text cat_stem(lvl_text name)
{
    size_t len = name.len;

    while (len > 1 && name.ptr[len - 1] != '.')
        len--;
    return (lvl_text){name.ptr ? name.ptr : "", len > 1 ? len - 1 : name.len};
}

static void put_refs(const walker *w, uint32_t at, const lvl_art *art, lvl_buffer *rows)
{
    const node *n = &w->nodes[at];
    lvl_buffer field = {0}, name = {0}, folded = {0}, place = {0};
    unsigned brackets = 0;

    put_field(w, at, &field);
    for (size_t i = 0; i < field.len; i++)
        brackets += field.data[i] == '[';
    for (size_t i = 0; i < n->count; i++) {
        const value *v = &n->values[i];
        bool number_ = true;
        name.len = folded.len = place.len = 0;
        put_utf8(w, slice(&n->raw, v->at, v->len), true, &name);
        for (size_t k = 0; k < name.len; k++)
            number_ = number_ && lvl_is_digit((char)name.data[k]);
        if (n->field->flags & LVL_F_STEM && number_)
            continue; /* an index */
        put_folded(w, n->field, &name, &folded);
        put_place(&field, place_of(n, v), &place);
        cat_row(rows, CAT_REFS);
        cat_put_str(rows, cat_use_name(n->field->use));
        cat_put_text(rows, lvl_buffer_text(&name));
        cat_put_int(rows, cat_key_of(cat_stem(lvl_buffer_text(&folded))));
        cat_put_text(rows, lvl_buffer_text(&field));
        if (brackets > 1)
            cat_put_text(rows, lvl_buffer_text(&place));
        else if (brackets)
            cat_put_text(rows, place_of(n, v));
        else
            cat_put_null(rows);
        cat_put_int(rows, v->count);
        /* only of such fields is it known that they name a file */
        const bool is_file =
            n->field->flags & (LVL_F_FILE | LVL_F_STEM) && folded.len && memchr(folded.data, '.', folded.len);
        lvl_buffer_u8(&folded, 0);
        if (is_file && art && folded.status == LVL_OK && lvl_art_find_name(art, (const char *)folded.data))
            cat_put_int(rows, 1);
        else if (is_file)
            cat_put_int(rows, 0);
        else
            cat_put_null(rows);
    }
    if (field.status != LVL_OK || name.status != LVL_OK || folded.status != LVL_OK || place.status != LVL_OK)
        rows->status = LVL_ERR_MEMORY;
    lvl_buffer_free(&field);
    lvl_buffer_free(&name);
    lvl_buffer_free(&folded);
    lvl_buffer_free(&place);
}

static void put_numbers(const walker *w, uint32_t at, lvl_buffer *rows)
{
    const node *n = &w->nodes[at];
    lvl_buffer field = {0};

    put_field(w, at, &field);
    for (size_t i = 0; i < n->number_count + (n->other_numbers != 0); i++) {
        cat_row(rows, CAT_UNKNOWN);
        cat_put_text(rows, lvl_buffer_text(&field));
        if (i < n->number_count)
            cat_put_int(rows, n->numbers[i].value);
        else
            cat_put_null(rows);
        cat_put_int(rows, (int64_t)(i < n->number_count ? n->numbers[i].count : n->other_numbers));
    }
    if (field.status != LVL_OK)
        rows->status = LVL_ERR_MEMORY;
    lvl_buffer_free(&field);
}

static void put_rows(const walker *w, const lvl_art *art, lvl_buffer *rows)
{
    for (uint32_t i = 1; i < w->node_count; i++) {
        const node *n = &w->nodes[i];
        if (n->raw.status != LVL_OK || n->places.status != LVL_OK)
            rows->status = LVL_ERR_MEMORY;
        else if (n->count)
            put_texts(w, i, rows);
        if (n->count && n->field->use > LVL_USE_FILES)
            put_refs(w, i, art, rows);
        if (n->number_count)
            put_numbers(w, i, rows);
    }
}

static void free_walker(walker *w)
{
    for (size_t i = 0; i < w->node_count; i++) {
        node *n = &w->nodes[i];
        lvl_buffer_free(&n->raw);
        lvl_buffer_free(&n->places);
        lvl_hash_free(&n->index);
        free(n->values);
        free(n->numbers);
    }
    free(w->nodes);
    free(w->children);
    free(w->row[0]);
    free(w->row[1]);
}

lvl_status cat_collect(const lvl_doc *doc, const lvl_art *art, lvl_buffer *rows, cat_facts *facts)
{
    const lvl_table *table = lvl_doc_table(doc);
    const void *root = lvl_doc_croot(doc);
    walker w = {.doc = doc, .facts = facts};

    memset(facts, 0, sizeof *facts);
    cat_sketch_init(&w.sketch);
    new_node(&w, 0, NULL, table); /* node 0, which is no field's */
    pair h = start;
    if (ok(&w)) {
        const pair content = walk_record(&w, 0, root);
        mix_bytes(&h, table->name, strlen(table->name));
        mix_pair(&h, content);
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
    if (ok(&w))
        put_rows(&w, art, rows);
    free_walker(&w);
    return w.status != LVL_OK ? w.status : rows->status;
}

void cat_facts_clear(cat_facts *facts)
{
    for (size_t i = 0; i < LVL_USE_FACTS; i++)
        lvl_buffer_free(&facts->uses[i]);
}
