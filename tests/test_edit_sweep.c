/*
 * The edit sweep: an edit changes the edited field, what is computed from it, and nothing else. In each file
 * one random field of each kind is changed, and the file is written and read again. Counted are:
 *
 *   refused   the format cannot represent the value, and lvl_write returned that
 *   content   the file, read again, is not the document that was written: it differs in more or less
 *   outside   bytes of the file changed that are no part of the edited field, nor computed from it
 *   spelling  after the old value is set again, the written file differs from the original (compressed
 *             parts are compared inflated): the edit changed spelling
 *
 * LVL_EDIT_SWEEP=N takes each N-th file of the corpus (default 40; 1: all), and prints the counts per format
 * and kind. LVL_EDIT_SWEEP_LIST=1 names each file that is counted.
 */
#include "base/format.h"
#include "codec/inflate.h"
#include "corpus.h"
#include "base/map_layout.h"
#include "edits.h"
#include "tools/explain/coverage.h"
#include "tools/tools.h"

#include <lvl/container.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Beyond single fields: a region of cells gets what another one has; an item is moved in its list; a copy of
 * an item is added, or comes from another document; the main plane gets another size. What undoes each is an
 * edit, too. */
enum { REGION = LVL_EDIT_KINDS, MOVE, ADD, COPY, RESIZE, SWEPT };

typedef struct round_trip {
    lvl_buffer there, back; /* assignments; `back` may be a path to unset */
    bool unset;
    const lvl_doc *from; /* `there` is a path to copy to, what `source` finds in this document */
    char source[500];
    lvl_resize_options resize; /* of `there`, unless its width is 0; `was`: of `back` */
    lvl_resize_options was;
    lvl_edit_place place; /* for messages */
} round_trip;

typedef struct tally {
    char format[16];
    size_t tried, refused, content, outside, spelling;
} tally;

typedef struct sweep {
    lvl_ctx ctx;
    tally tallies[16][SWEPT];
    size_t formats, files;
    bool list;
} sweep;

/* Gives the member the value that it has in `from`, which outlives `to`. */
static bool put_back(lvl_doc *to, lvl_doc *from, const lvl_edit_place *p, lvl_buffer *storage)
{
    uint8_t *record = lvl_edit_holder(to, p);
    const uint8_t *old = lvl_edit_holder(from, p);

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

enum { WWD_HEADER = 0x5F4, WWD_CHECKSUM = 0x2EC };

/* Appends a compressed WWD with its block inflated, and without the checksum, which is of the stream. */
static bool unpack_wwd(lvl_bytes bytes, lvl_buffer *out)
{
    static const uint8_t start[] = {WWD_HEADER & 0xFF, WWD_HEADER >> 8, 0, 0};
    lvl_inflate_report report = {0};
    const size_t from = out->len;

    if (bytes.len < WWD_HEADER + 2 || memcmp(bytes.ptr, start, sizeof start) != 0 ||
        bytes.ptr[WWD_HEADER] != 0x78)
        return false;
    lvl_buffer_add(out, bytes.ptr, WWD_HEADER);
    assert_int_equal(out->status, LVL_OK);
    memset(out->data + from + WWD_CHECKSUM, 0, 4);
    bytes.ptr += WWD_HEADER;
    bytes.len -= WWD_HEADER;
    (void)lvl_inflate_salvage(&(lvl_work){.left = UINT64_MAX}, LVL_WRAP_ZLIB, bytes, out, (size_t)1 << 28,
                              &report);
    if (report.end == LVL_INFLATE_DONE)
        lvl_buffer_add(out, bytes.ptr + report.in_used, bytes.len - report.in_used);
    else
        out->len = from;
    return report.end == LVL_INFLATE_DONE;
}

/* What the bytes are when unpacked: a gzip's content, an archive's names and contents one after the other. */
static void unpack(sweep *s, lvl_bytes bytes, lvl_buffer *out)
{
    lvl_inflate_report report;
    lvl_container *box = NULL;
    lvl_doc *doc = NULL;

    if (unpack_wwd(bytes, out))
        return;
    if (bytes.len > 2 && bytes.ptr[0] == 0x1F && bytes.ptr[1] == 0x8B) {
        (void)lvl_inflate_salvage(&(lvl_work){.left = UINT64_MAX}, LVL_WRAP_GZIP, bytes, out, (size_t)1 << 28,
                                  &report);
        return;
    }
    if (bytes.len > 4 && memcmp(bytes.ptr, "PK\3\4", 4) == 0 &&
        lvl_read(&doc, &s->ctx, NULL, bytes, NULL, LVL_READ_BORROW | LVL_READ_EDIT, NULL) == LVL_OK &&
        lvl_container_open(&box, doc) == LVL_OK) {
        for (size_t i = 0; i < lvl_container_count(box); i++) {
            lvl_buffer storage = {0};
            lvl_bytes content;
            const lvl_entry *e = lvl_container_at(box, i);
            lvl_buffer_str(out, e->path);
            if (!e->is_dir && lvl_container_read(box, e, &content, &storage, NULL) == LVL_OK) {
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

/* ---- bytes outside of a field ---- */

/* Whether other members of the record depend on the field. */
static bool is_tag(const lvl_table *table, const lvl_field *field)
{
    bool tag = false;

    for (uint32_t i = 0; i < table->field_count; i++)
        tag |= table->fields[i].when.tag_size && table->fields[i].when.tag_offset == field->offset;
    return tag;
}

/* Whether the field says how the pixels of its picture are stored. */
static bool stores_pixels(const lvl_table *table, const lvl_field *field)
{
    return strcmp(table->name, "bmp") == 0 &&
           (strcmp(field->name, "compression") == 0 || strcmp(field->name, "top_down") == 0);
}

/* Whether the place of a span is the edited field's, a part of it, or a record that is a line or a value of
 * the field. Where a member has its default it may be spelled or not: a value after it needs it. What a tag
 * decides about comes and goes with it. */
static bool is_edited(const lvl_doc *doc, const lvl_span *span, const lvl_edit_place *p)
{
    const lvl_field *field = NULL, *own = NULL;
    const lvl_table *table = NULL, *above = NULL;
    uint32_t index;
    lvl_where record = p->where;

    const void *edited = lvl_where_record(doc, &p->where, &above, &own, &index);
    const void *holder = lvl_where_record(doc, &span->where, &table, &field, &index);
    if (edited && holder == edited && field && field != own &&
        (is_tag(above, own) || lvl_field_is_default(holder, field) ||
         (stores_pixels(above, own) && field->kind == LVL_CELLS)))
        return true;
    record.depth--;
    if (edited && is_tag(above, own) && lvl_where_above(&record, &span->where))
        return true;
    return lvl_where_above(&p->where, &span->where) ||
           (!span->table && lvl_where_above(&span->where, &p->where));
}

static void mask(lvl_trace *t, uint8_t **masks, uint32_t space, uint64_t bit, uint64_t bits)
{
    for (size_t i = 0; i < t->space_count; i++) {
        const lvl_trace_space *s = &t->spaces[i];
        if (s->space.id != space)
            continue;
        const uint64_t from = bit / 8 - s->space.base, to = (bit + bits + 7) / 8 - s->space.base;
        for (uint64_t k = from; k < to && k < s->size; k++)
            masks[i][k] = 1;
    }
}

static void mask_line_end(lvl_trace *t, uint8_t **masks, const lvl_span *span)
{
    const lvl_trace_space *s = lvl_trace_find(t, span->space);
    const uint64_t end = (span->bit + span->bits) / 8;

    assert_non_null(s);
    const uint8_t *bytes = s->space.id ? s->owned : t->doc->input.ptr;
    if (bytes && end > s->space.base && bytes[end - s->space.base - 1] == '\n')
        mask(t, masks, span->space, (end - 1) * 8, 8);
}

/* Appends the bytes of every space of a file that are no part of the edited field, of a derived field, or of
 * the wrapping of another space. */
static void outside(lvl_doc *doc, const lvl_edit_place *p, lvl_buffer *out)
{
    lvl_trace t = {0};

    assert_int_equal(lvl_trace_read(&t, doc, true, NULL), LVL_OK);
    uint8_t **masks = calloc(t.space_count + 1, sizeof *masks);
    assert_non_null(masks);
    for (size_t i = 0; i < t.space_count; i++) {
        masks[i] = calloc(t.spaces[i].size + 1, 1);
        assert_non_null(masks[i]);
    }
    for (size_t i = 0; i < t.space_count; i++) {
        const lvl_space *s = &t.spaces[i].space;
        if (s->id)
            mask(&t, masks, s->parent, s->parent_bit, s->parent_bits);
    }
    for (size_t i = 0; i < t.span_count; i++) {
        const lvl_span *s = &t.spans[i];
        if (s->role == LVL_SPAN_DERIVED || s->role == LVL_SPAN_CONTAINER || is_edited(doc, s, p))
            mask(&t, masks, s->space, s->bit, s->bits);
        else if (s->role == LVL_SPAN_FIELD && !s->table)
            mask_line_end(&t, masks, s); /* it belongs to the last member that a line has */
        const lvl_where in = p->where;
        for (uint32_t k = 0; s->table && k < s->table->field_count; k++) {
            const lvl_field *f = &s->table->fields[k];
            const lvl_where at = lvl_where_to(s->where, f, LVL_NO_INDEX);
            /* a record may be stored by a table of its own, with fields of the same names */
            const bool same = in.depth == at.depth && lvl_where_above(&s->where, &in) &&
                              strcmp(in.steps[in.depth - 1].field->name, f->name) == 0;
            if (f->disk != LVL_NO_PLACE && (f->role == LVL_DERIVED || same || lvl_where_above(&at, &in)))
                mask(&t, masks, s->space, s->bit + (uint64_t)f->disk * 8,
                     (f->disk_size ? f->disk_size : f->size) * (uint64_t)8);
        }
    }
    for (size_t i = 0; i < t.space_count; i++) {
        const lvl_trace_space *s = &t.spaces[i];
        const uint8_t *bytes = s->space.id ? s->owned : doc->input.ptr;
        for (uint64_t k = 0; bytes && k < s->size; k++) {
            if (!masks[i][k])
                lvl_buffer_u8(out, bytes[k]);
        }
        free(masks[i]);
    }
    free(masks);
    lvl_trace_free(&t);
}

/* Whether the field is what its item is known by, so that an edit moves the item. */
static bool names_item(const lvl_doc *doc, const lvl_edit_place *p)
{
    const lvl_field *field;
    const lvl_table *table;
    uint32_t index;

    return lvl_where_record(doc, &p->where, &table, &field, &index) && table->label &&
           strcmp(table->label, p->field->name) == 0 && strcmp(table->label, "key") == 0;
}

static bool same_outside(sweep *s, const char *path, lvl_doc *old, lvl_bytes written, const lvl_edit_place *p)
{
    lvl_buffer a = {0}, b = {0};
    lvl_doc *again = NULL;

    assert_int_equal(
        lvl_read(&again, &s->ctx, lvl_doc_format(old), written, lvl_path_name(path), LVL_READ_BORROW, NULL),
        LVL_OK);
    outside(old, p, &a);
    outside(again, p, &b);
    assert_int_equal(a.status | b.status, LVL_OK);
    const bool same = a.len == b.len && (!a.len || memcmp(a.data, b.data, a.len) == 0);
    if (!same && s->list) {
        size_t at = 0;
        while (at < a.len && at < b.len && a.data[at] == b.data[at])
            at++;
        printf("  at %zu of %zu and %zu: %.*s | %.*s\n", at, a.len, b.len,
               (int)(a.len - at < 30 ? a.len - at : 30), (char *)a.data + at,
               (int)(b.len - at < 30 ? b.len - at : 30), (char *)b.data + at);
    }
    lvl_doc_free(again);
    lvl_buffer_free(&a);
    lvl_buffer_free(&b);
    return same;
}

static tally *tally_of(sweep *s, const lvl_doc *doc, int kind)
{
    const char *id = lvl_doc_format(doc)->id;
    size_t i = 0;

    while (i < s->formats && strcmp(s->tallies[i][0].format, id) != 0)
        i++;
    assert_true(i < sizeof s->tallies / sizeof *s->tallies);
    if (i == s->formats) {
        s->formats++;
        for (int k = 0; k < SWEPT; k++)
            snprintf(s->tallies[i][k].format, sizeof s->tallies[i][k].format, "%s", id);
    }
    return &s->tallies[i][kind];
}

static void report(const sweep *s, const char *path, const lvl_edit_place *p, const char *what)
{
    char where[400];

    if (!s->list)
        return;
    lvl_where_text(&p->where, where, sizeof where);
    printf("%s: %s: %s\n", lvl_path_name(path), where, what);
}

static const char *name_of(int kind)
{
    static const char *const names[] = {"region", "move", "add", "copy", "resize"};

    return kind < REGION ? lvl_edit_kind_names[kind] : names[kind - REGION];
}

/* ---- edits by paths ---------------------------------------------------------------------------------- */

static bool put_value(const lvl_doc *doc, const char *path, lvl_buffer *out)
{
    const lvl_status status = lvl_get(doc, path, NULL, out, NULL, NULL);

    if (status == LVL_OK && out->len)
        out->data[out->len - 1] = 0; /* the line's end */
    return status == LVL_OK && out->status == LVL_OK;
}

/* A region of some grid gets the cells of another one of its size. */
static bool plan_region(const lvl_doc *doc, uint64_t *random, round_trip *t)
{
    lvl_buffer storage = {0};
    char where[400], from[500], to[500];
    lvl_cells cells;

    if (!lvl_edit_find(doc, LVL_EDIT_CELLS, random, &t->place))
        return false;
    lvl_where_text(&t->place.where, where, sizeof where);
    const void *record = lvl_edit_holder((lvl_doc *)(uintptr_t)doc, &t->place);
    const bool good = lvl_doc_cells(doc, record, t->place.field, &storage, &cells) == LVL_OK && cells.ptr &&
                      cells.width > 1 && cells.height > 1;
    lvl_buffer_free(&storage);
    if (!good)
        return false;
    const uint32_t w = (uint32_t)(1 + lvl_edit_random(random) % (cells.width < 9 ? cells.width : 9)), h = 2;
    for (int i = 0; i < 2; i++) {
        const uint32_t x = (uint32_t)(lvl_edit_random(random) % (cells.width - w + 1)),
                       y = (uint32_t)(lvl_edit_random(random) % (cells.height - h + 1));
        snprintf(i ? to : from, sizeof to, "%s[%u,%u %u,%u]", where, x, y, x + w - 1, y + h - 1);
    }
    lvl_buffer_printf(&t->there, "%s=", to);
    lvl_buffer_printf(&t->back, "%s=", to);
    return put_value(doc, from, &t->there) && put_value(doc, to, &t->back);
}

typedef struct lists {
    uint64_t random, seen;
    lvl_edit_place found;
    uint32_t count, least;
} lists;

/* Every list of records whose order counts, with that many items, has the same chance. */
static void find_lists(lists *l, const void *record, const lvl_table *table, const lvl_where *where)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->kind != LVL_LIST || f->item != LVL_RECORD || f->role == LVL_KEPT ||
            (f->flags & (LVL_F_UNORDERED | LVL_F_FIXED)) || !lvl_field_present(record, f))
            continue;
        const uint32_t n = lvl_list_count(record, f);
        if (n >= l->least && lvl_edit_random(&l->random) % ++l->seen == 0) {
            l->found = (lvl_edit_place){lvl_where_to(*where, f, LVL_NO_INDEX), f};
            l->count = n;
        }
        for (uint32_t k = 0; k < n && k < 50; k++) {
            const lvl_where below = lvl_where_to(*where, f, k);
            find_lists(l, lvl_list_item(record, f, k), f->table, &below);
        }
    }
}

static bool plan_list(const lvl_doc *doc, uint64_t *random, round_trip *t, int kind)
{
    lists l = {.random = *random, .least = kind == MOVE ? 2 : 1};
    const lvl_where root = lvl_where_root();
    char where[400];

    find_lists(&l, lvl_doc_croot(doc), lvl_doc_table(doc), &root);
    *random = l.random;
    t->place = l.found;
    if (!l.seen)
        return false;
    lvl_where_text(&l.found.where, where, sizeof where);
    const uint32_t from = (uint32_t)(lvl_edit_random(random) % l.count),
                   to = (uint32_t)(lvl_edit_random(random) % l.count);
    if (kind == MOVE) {
        lvl_buffer_printf(&t->there, "%s[%u]@=%u%c", where, from, to, 0);
        lvl_buffer_printf(&t->back, "%s[%u]@=%u%c", where, to, from, 0);
        return from != to;
    }
    t->unset = true;
    lvl_buffer_printf(&t->there, kind == COPY ? "%s[+%u]" : "%s[+%u]=", where, to);
    lvl_buffer_printf(&t->back, "%s[%u]%c", where, to, 0);
    snprintf(t->source, sizeof t->source, "%s[%u]", where, from);
    if (kind == COPY) {
        t->from = doc;
        lvl_buffer_u8(&t->there, 0);
        return true;
    }
    return put_value(doc, t->source, &t->there);
}

/* The main plane of a level gets larger, and its old size again. */
static bool plan_resize(const lvl_doc *doc, uint64_t *random, round_trip *t)
{
    const lvl_map_grid *grid = lvl_map_grid_of(doc->format);
    const lvl_field *planes = lvl_map_layers(doc->format);
    const lvl_field *tiles = planes ? lvl_map_cells_of(planes->table).cells : NULL;

    if (!tiles || grid->fixed_width)
        return false;
    const uint32_t main_plane = grid->main ? grid->main(lvl_doc_croot(doc)) : 0;
    if (main_plane >= lvl_list_count(lvl_doc_croot(doc), planes))
        return false;
    const lvl_cells *cells = lvl_get_cells(lvl_list_item(lvl_doc_croot(doc), planes, main_plane), tiles);
    t->was = (lvl_resize_options){.width = cells->width,
                                  .height = cells->height,
                                  .anchor_x = (int)(lvl_edit_random(random) % 3) - 1,
                                  .anchor_y = (int)(lvl_edit_random(random) % 3) - 1};
    t->resize = t->was;
    t->resize.width += 2 * (uint32_t)(lvl_edit_random(random) % 9) + 2;
    t->resize.height += 2 * (uint32_t)(lvl_edit_random(random) % 9);
    t->place.where = lvl_where_to(lvl_where_root(), planes, main_plane);
    return cells->ptr != NULL;
}

static bool apply_there(lvl_doc *doc, const round_trip *t)
{
    const char *const text = (const char *)t->there.data;

    if (t->resize.width)
        return lvl_resize(doc, &t->resize, NULL, NULL) == LVL_OK;
    return (t->from ? lvl_copy(doc, text, t->from, t->source, NULL, NULL)
                    : lvl_set(doc, &text, 1, NULL, NULL)) == LVL_OK;
}

static bool apply_back(lvl_doc *doc, const round_trip *t)
{
    const char *const text = (const char *)t->back.data;

    if (t->was.width)
        return lvl_resize(doc, &t->was, NULL, NULL) == LVL_OK;
    return (t->unset ? lvl_unset(doc, &text, 1, NULL, NULL) : lvl_set(doc, &text, 1, NULL, NULL)) == LVL_OK;
}

static bool undo(lvl_doc *again, lvl_doc *old, const lvl_edit_place *p, const round_trip *t,
                 lvl_buffer *storage)
{
    return t ? apply_back(again, t) : put_back(again, old, p, storage);
}

/* `old`: the file as it is; `doc`: the same, with the member changed, or after a trip's way there. */
static void compare(sweep *s, const char *path, const lvl_edit_place *p, const round_trip *trip,
                    lvl_bytes input, lvl_doc *old, lvl_doc *doc, tally *t)
{
    lvl_buffer written = {0}, undone = {0}, storage = {0};
    lvl_doc *again = NULL;

    const lvl_status status = lvl_write(doc, &written, NULL);
    const lvl_bytes bytes = {written.data, written.len};
    if (status != LVL_OK) {
        t->refused++;
        report(s, path, p, "refused");
    } else if (!holds(s, doc, bytes, lvl_path_name(path))) {
        t->content++;
        report(s, path, p, "content");
    } else if (!trip && !names_item(old, p) && !lvl_doc_cuts(old) &&
               !same_outside(s, path, old, bytes, p)) { /* half a key at a cut cannot be kept */
        t->outside++;
        report(s, path, p, "outside");
    } else if (lvl_read(&again, &s->ctx, lvl_doc_format(old), bytes, lvl_path_name(path), LVL_READ_BORROW,
                        NULL) != LVL_OK ||
               !undo(again, old, p, trip, &storage) || lvl_doc_write(again, &undone) != LVL_OK ||
               !same_unpacked(s, input, (lvl_bytes){undone.data, undone.len})) {
        t->spelling++;
        report(s, path, p, "spelling");
    }
    lvl_doc_free(again);
    lvl_buffer_free(&written);
    lvl_buffer_free(&undone);
    lvl_buffer_free(&storage);
}

static void sweep_trips(sweep *s, const char *path, lvl_bytes input, lvl_doc *old, uint64_t seed)
{
    for (int kind = REGION; kind < SWEPT; kind++) {
        uint64_t random = (seed + 1) * 0x9E3779B97F4A7C15u;
        round_trip t = {0};
        lvl_doc *doc = NULL;
        const bool planned = kind == REGION   ? plan_region(old, &random, &t)
                             : kind == RESIZE ? plan_resize(old, &random, &t)
                                              : plan_list(old, &random, &t, kind);
        if (planned) {
            assert_int_equal(t.there.status | t.back.status, LVL_OK);
            assert_int_equal(lvl_read(&doc, &s->ctx, NULL, input, lvl_path_name(path),
                                      LVL_READ_BORROW | LVL_READ_EDIT, NULL),
                             LVL_OK);
            tally *to = tally_of(s, old, kind);
            to->tried++;
            if (apply_there(doc, &t))
                compare(s, path, &t.place, &t, input, old, doc, to);
            else
                to->refused++;
            lvl_doc_free(doc);
        }
        lvl_buffer_free(&t.there);
        lvl_buffer_free(&t.back);
    }
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
        for (int kind = 0; kind < LVL_EDIT_KINDS; kind++) {
            uint64_t random = (seed + 1) * 0x9E3779B97F4A7C15u;
            lvl_edit_place place;
            if (!lvl_edit_find(old, (lvl_edit_kind)kind, &random, &place))
                continue;
            assert_int_equal(lvl_read(&doc, &s->ctx, NULL, input, lvl_path_name(path),
                                      LVL_READ_BORROW | LVL_READ_EDIT, NULL),
                             LVL_OK);
            if (lvl_edit_change(doc, &place, &random)) {
                tally *t = tally_of(s, old, (lvl_edit_kind)kind);
                t->tried++;
                compare(s, path, &place, NULL, input, old, doc, t);
            }
            lvl_doc_free(doc);
        }
        sweep_trips(s, path, input, old, seed);
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
    size_t tried = 0, content = 0, changed = 0, spelling = 0;

    if (!dir) {
        printf("skipped: 0 files swept\n");
        skip();
    }
    assert_true(lvl_paths_below(&paths, dir, NULL));
    for (size_t i = 0; i < paths.count; i += step)
        sweep_file(s, paths.items[i], i);
    lvl_paths_free(&paths);
    printf("%zu files\n%-10s %-6s %7s %7s %7s %7s %8s\n", s->files, "format", "kind", "tried", "refused",
           "content", "outside", "spelling");
    for (size_t f = 0; f < s->formats; f++) {
        for (int k = 0; k < SWEPT; k++) {
            const tally *t = &s->tallies[f][k];
            tried += t->tried;
            content += t->content;
            changed += t->outside;
            spelling += t->spelling;
            if (t->tried)
                printf("%-10s %-6s %7zu %7zu %7zu %7zu %8zu\n", t->format, name_of(k), t->tried, t->refused,
                       t->content, t->outside, t->spelling);
        }
    }
    assert_int_equal(content, 0);
    assert_int_equal(changed, 0);
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
