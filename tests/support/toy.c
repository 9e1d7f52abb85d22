/*
 * toy.c: the toy format: tables, reader, writer, check and repair.
 */
#include "toy.h"

#include "base/cursor.h"
#include "base/format.h"
#include "base/info.h"
#include "base/buffer.h"

#include <stdio.h>
#include <stdlib.h>

static const lvl_name flag_names[] = {
    {1, "main", "the main one"}, {2, "wrap", NULL}, {4, "draw", NULL}, {0, NULL, NULL}};
static const lvl_name mood_names[] = {
    {0, "calm", NULL}, {1, "angry", NULL}, {-1, "sad", NULL}, {0, NULL, NULL}};
static const lvl_name kind_names[] = {
    {0, "plain", NULL}, {1, "box", NULL}, {2, "round", NULL}, {0, NULL, NULL}};
static const lvl_name type_names[] = {
    {0, "coin", NULL}, {1, "rat", NULL}, {2, "tree", NULL}, {0, NULL, NULL}};
static const lvl_cell_name cell_names[] = {
    {0xFFFF, '.', "empty", NULL}, {0xEEEE, '#', "filled", NULL}, {0, 0, NULL, NULL}};

static const lvl_field point_fields[] = {
    LVL_ROW_INT(toy_point, x, "x", 0, .unit = "px", .prose = "from the left"),
    LVL_ROW_INT(toy_point, y, "y", 4, .unit = "px", .prose = "from the top"),
};
static const lvl_table point_table = {
    .name = "point",
    .prose = "A place.",
    .struct_size = sizeof(toy_point),
    .disk_size = 8,
    .fields = point_fields,
    .field_count = LVL_COUNT_OF(point_fields),
};

static const lvl_field thing_fields[] = {
    LVL_ROW_UINT(toy_thing, type, "type", 0, .names = type_names, .prose = "what it is",
                 .summary = {.show = LVL_SHOW, .order = 1, .label = ""}),
    LVL_ROW_INT(toy_thing, x, "x", 1, .unit = "px", .prose = "from the left", .min = 0, .max = 1000),
    LVL_ROW_INT(toy_thing, y, "y", 3, .unit = "px", .prose = "from the top"),
    LVL_ROW_UINT(toy_thing, name_size, "name_size", 5, .role = LVL_DERIVED, .disk_size = 1, .unit = "bytes",
                 .prose = "length of the name"),
    LVL_ROW_TEXT(toy_thing, name, "name", .prose = "what it is called",
                 .summary = {.show = LVL_SHOW, .label = ""}),
    LVL_ROW_INTS(toy_thing, tags, tag_count, "tags", .prose = "numbers for scripts"),
};
static const lvl_identity thing_identities[] = {
    {3, {offsetof(toy_thing, name), offsetof(toy_thing, x), offsetof(toy_thing, y)}},
    {1, {offsetof(toy_thing, name)}},
};
static const lvl_table thing_table = {
    .name = "thing",
    .prose = "Something in the level.",
    .struct_size = sizeof(toy_thing),
    .disk_size = 6,
    .fields = thing_fields,
    .field_count = LVL_COUNT_OF(thing_fields),
    .identities = thing_identities,
    .identity_count = LVL_COUNT_OF(thing_identities),
    .label = "name",
};

static const lvl_field level_fields[] = {
    LVL_ROW_FLAGS(toy_level, flags, "flags", 4, flag_names, .prose = "switches",
                  .summary = {.show = LVL_SHOW, .order = 1, .label = "switches"}),
    LVL_ROW_INT(toy_level, mood, "mood", 8, .names = mood_names, .prose = "of the level",
                .summary = {.show = LVL_SHOW, .label = "mood"}),
    LVL_ROW_UINT(toy_level, kind, "kind", 10, .names = kind_names, .prose = "shape"),
    LVL_ROW_UINT(toy_level, lives, "lives", 11, .def = 3, .prose = "to begin with",
                 .summary = {.show = LVL_SHOW_KEY, .label = "lives"}),
    LVL_ROW_RECORD(toy_level, start, "start", 12, &point_table, .prose = "where the player begins"),
    LVL_ROW_UINT(toy_level, things_written, "thing_count", 20, .role = LVL_DERIVED,
                 .prose = "number of things"),
    LVL_ROW_UINT(toy_level, checksum, "checksum", 24, .role = LVL_DERIVED, .flags = LVL_F_HEX,
                 .prose = "sum of all bytes behind the fixed part"),
    LVL_ROW_SLOT(toy_level, name, "name", 32, .prose = "title",
                 .summary = {.show = LVL_SHOW_FILLED, .order = -1, .label = "called", .key = "title"}),
    LVL_ROW(toy_level, key, "key", LVL_BYTES, .flags = LVL_F_SLOT, .disk = 48, .prose = "a secret"),
    LVL_ROW_UINT(toy_level, box_size, "box_size", 52, .when = {offsetof(toy_level, kind), 1, 1 << 1},
                 .prose = "side", .summary = {.show = LVL_SHOW, .label = "side"}),
    LVL_ROW_UINT(toy_level, radius, "radius", 52, .when = {offsetof(toy_level, kind), 1, 1 << 2},
                 .prose = "radius", .summary = {.show = LVL_SHOW, .label = "radius"}),
    LVL_ROW(toy_level, unknown, "unknown_57", LVL_BYTES, .flags = LVL_F_SLOT, .disk = 57, .role = LVL_UNKNOWN,
            .prose = "nobody knows"),
    LVL_ROW_REAL(toy_level, gravity, "gravity", .unit = "px/s2", .prose = "how things fall"),
    LVL_ROW_CELLS(toy_level, cells, "cells", cell_names, .item_size = 2, .prose = "the ground",
                  .unit = "cells", .summary = {.show = LVL_SHOW, .label = "size", .key = "size"}),
    LVL_ROW_LIST(toy_level, things, thing_count, "things", &thing_table, toy_thing, .prose = "what is there",
                 .summary = {.show = LVL_SHOW, .key = "thing_count", .items = "things"}),
    LVL_ROW_TEXTS(toy_level, titles, title_count, "titles", .prose = "in several tongues"),
    LVL_ROW(toy_level, tail, "tail", LVL_BYTES, .disk = LVL_NO_PLACE, .role = LVL_KEPT,
            .prose = "blanks at the end"),
};
static const lvl_table level_table = {
    .name = "level",
    .prose = "A toy level.",
    .struct_size = sizeof(toy_level),
    .disk_size = 60,
    .fields = level_fields,
    .field_count = LVL_COUNT_OF(level_fields),
    .label = "name",
};

enum { SHORT, CHECKSUM, OUTSIDE, COUNT };
static const lvl_finding_def findings_table[] = {
    {"toy.short", "The file ends too early.", {LVL_FATAL, LVL_FATAL, LVL_ERROR}, NULL, 0},
    {"toy.checksum", "The checksum doesn't fit.", {LVL_ERROR, LVL_ERROR, LVL_WARNING}, "recomputes it", 0},
    {"toy.outside", "A thing is outside of the level.", {LVL_ERROR, LVL_WARNING, LVL_NOTE}, NULL, 0},
    {"toy.count", "The count of things is wrong.", {LVL_ERROR, LVL_ERROR, LVL_NOTE}, "counts them", 0},
};

static int probe(const lvl_probe_input *in)
{
    return in->head.len >= 4 && memcmp(in->head.ptr, "TOY1", 4) == 0 ? 32 : 0;
}

static void report(lvl_sink *sink, size_t at, size_t len, lvl_span_role role, lvl_where where,
                   const lvl_table *table, const lvl_field *field, const char *note)
{
    const lvl_span s = {.bit = at * 8,
                        .bits = len * 8,
                        .role = role,
                        .where = where,
                        .table = table,
                        .field = field,
                        .note = note};

    if (sink && len)
        sink->span(sink, &s);
}

static lvl_status read_things(lvl_doc *doc, lvl_cursor *c, lvl_sink *sink)
{
    toy_level *t = doc->root;
    const lvl_field *list = lvl_table_at(&level_table, offsetof(toy_level, things));
    uint32_t n = t->things_written;

    if (n > lvl_cursor_left(c) / 7)
        n = (uint32_t)(lvl_cursor_left(c) / 7);
    t->things = lvl_arena_array(&doc->arena, n, sizeof *t->things);
    if (!t->things)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < n && !c->failed; i++) {
        toy_thing *o = &t->things[i];
        lvl_where w = lvl_where_to(lvl_where_root(), list, i);
        size_t at = c->pos;
        o->type = lvl_cursor_u8(c);
        o->x = (int16_t)lvl_cursor_u16le(c);
        o->y = (int16_t)lvl_cursor_u16le(c);
        o->name_size = lvl_cursor_u8(c);
        report(sink, at, 6, LVL_SPAN_FIELD, w, &thing_table, NULL, NULL);
        at = c->pos;
        o->name.ptr = (const char *)lvl_cursor_take(c, o->name_size);
        o->name.len = o->name.ptr ? o->name_size : 0;
        const lvl_field *f = lvl_table_at(&thing_table, offsetof(toy_thing, name));
        report(sink, at, o->name_size, LVL_SPAN_FIELD, lvl_where_to(w, f, LVL_NO_INDEX), NULL, f, NULL);
        at = c->pos;
        o->tag_count = lvl_cursor_u8(c);
        o->tags = lvl_arena_array(&doc->arena, o->tag_count, sizeof *o->tags);
        if (!o->tags)
            return LVL_ERR_MEMORY;
        for (uint32_t k = 0; k < o->tag_count; k++)
            o->tags[k] = lvl_cursor_u32le(c);
        f = lvl_table_at(&thing_table, offsetof(toy_thing, tags));
        report(sink, at, c->pos - at, LVL_SPAN_FIELD, lvl_where_to(w, f, LVL_NO_INDEX), NULL, f, NULL);
        t->thing_count = i + 1;
    }
    return LVL_OK;
}

static lvl_status read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    toy_level *t = doc->root;
    lvl_cursor c = lvl_cursor_of(doc->input);
    lvl_where root = lvl_where_root();
    lvl_space file = {0, 0, 0, 0, 0, doc->input, "file", {NULL, 0}};
    uint64_t bits = 0;

    if (sink)
        sink->space(sink, &file);
    if (doc->input.len < 68) {
        lvl_findings_add(findings, &findings_table[SHORT], NULL, NULL, "only %zu bytes", doc->input.len);
        return LVL_ERR_FORMAT;
    }
    report(sink, 0, 4, LVL_SPAN_FIELD, root, NULL, NULL, "signature");
    /* the table starts at 0; the span leaves out the signature, so it is reported in two parts */
    lvl_cursor_take(&c, 4);
    t->flags = lvl_cursor_u32le(&c);
    t->mood = (int16_t)lvl_cursor_u16le(&c);
    t->kind = lvl_cursor_u8(&c);
    t->lives = lvl_cursor_u8(&c);
    t->start.x = (int32_t)lvl_cursor_u32le(&c);
    t->start.y = (int32_t)lvl_cursor_u32le(&c);
    t->things_written = lvl_cursor_u32le(&c);
    t->checksum = lvl_cursor_u32le(&c);
    t->cells.width = lvl_cursor_u16le(&c);
    t->cells.height = lvl_cursor_u16le(&c);
    t->cells.size = 2;
    memcpy(t->name, lvl_cursor_take(&c, 16), 16);
    memcpy(t->key, lvl_cursor_take(&c, 4), 4);
    if (t->kind == 1)
        t->box_size = lvl_load_u32le(c.data + 52);
    if (t->kind == 2)
        t->radius = c.data[52];
    memcpy(t->unknown, c.data + 57, 3);
    lvl_cursor_seek(&c, 60);
    for (int i = 0; i < 8; i++)
        bits |= (uint64_t)lvl_cursor_u8(&c) << 8 * i;
    memcpy(&t->gravity, &bits, 8);
    for (uint32_t i = 0; sink && i < level_table.field_count; i++) {
        const lvl_field *f = &level_fields[i];
        if (f->disk == LVL_NO_PLACE || !lvl_field_present(t, f))
            continue;
        const lvl_span s = {.bit = f->disk * 8,
                            .bits = f->size * 8,
                            .role = f->role == LVL_DERIVED ? LVL_SPAN_DERIVED : LVL_SPAN_FIELD,
                            .where = lvl_where_to(root, f, LVL_NO_INDEX),
                            .table = f->table,
                            .field = f->table ? NULL : f};
        sink->span(sink, &s);
    }
    if (t->kind != 1)
        report(sink, t->kind == 2 ? 53 : 52, t->kind == 2 ? 4 : 5, LVL_SPAN_PADDING, root, NULL, NULL, NULL);
    else
        report(sink, 56, 1, LVL_SPAN_PADDING, root, NULL, NULL, NULL);
    const lvl_field *f = lvl_table_at(&level_table, offsetof(toy_level, cells));
    report(sink, 28, 4, LVL_SPAN_DERIVED, lvl_where_to(root, f, LVL_NO_INDEX), NULL, NULL,
           "columns and rows");
    report(sink, 60, 8, LVL_SPAN_FIELD, root, NULL, lvl_table_at(&level_table, offsetof(toy_level, gravity)),
           NULL);
    size_t at = c.pos, want = (size_t)t->cells.width * t->cells.height * 2;
    if (t->cells.width == 0xFFFF)
        t->cells.ptr = NULL;
    else
        t->cells.ptr = lvl_cursor_take(&c, want);
    report(sink, at, c.pos - at, LVL_SPAN_FIELD, lvl_where_to(root, f, LVL_NO_INDEX), NULL, f, NULL);
    lvl_status status = read_things(doc, &c, sink);
    if (status != LVL_OK)
        return status;
    at = c.pos;
    uint32_t n = lvl_cursor_u8(&c);
    t->titles = lvl_arena_array(&doc->arena, n, sizeof *t->titles);
    if (!t->titles)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < n && !c.failed; i++) {
        uint32_t len = lvl_cursor_u8(&c);
        t->titles[i].ptr = (const char *)lvl_cursor_take(&c, len);
        t->titles[i].len = t->titles[i].ptr ? len : 0;
        t->title_count = i + 1;
    }
    f = lvl_table_at(&level_table, offsetof(toy_level, titles));
    report(sink, at, c.pos - at, LVL_SPAN_FIELD, lvl_where_to(root, f, LVL_NO_INDEX), NULL, f, NULL);
    if (c.failed) {
        lvl_findings_add(findings, &findings_table[SHORT], NULL, NULL, "the file ends inside of its lists");
        return LVL_ERR_FORMAT;
    }
    at = c.pos;
    while (c.pos < c.len && c.data[c.pos] == ' ')
        c.pos++;
    t->tail.ptr = c.data + at;
    t->tail.len = c.pos - at;
    f = lvl_table_at(&level_table, offsetof(toy_level, tail));
    report(sink, at, c.pos - at, LVL_SPAN_SPELLING, lvl_where_to(root, f, LVL_NO_INDEX), NULL, f, NULL);
    return LVL_OK;
}

static void put_u16(lvl_buffer *out, uint16_t v)
{
    lvl_buffer_u8(out, (uint8_t)v);
    lvl_buffer_u8(out, (uint8_t)(v >> 8));
}

/* Everything after the fixed part, without the tail. */
static void write_body(const lvl_doc *doc, lvl_buffer *out)
{
    const toy_level *t = doc->root;
    const lvl_field *size = lvl_table_at(&thing_table, offsetof(toy_thing, name_size));

    if (t->cells.ptr)
        lvl_buffer_add(out, t->cells.ptr, (size_t)t->cells.width * t->cells.height * 2);
    for (uint32_t i = 0; i < t->thing_count; i++) {
        const toy_thing *o = &t->things[i];
        lvl_buffer_u8(out, o->type);
        put_u16(out, (uint16_t)o->x);
        put_u16(out, (uint16_t)o->y);
        lvl_buffer_u8(out, (uint8_t)lvl_doc_derived(doc, o, size, (int64_t)o->name.len));
        lvl_buffer_add(out, o->name.ptr, o->name.len);
        lvl_buffer_u8(out, (uint8_t)o->tag_count);
        for (uint32_t k = 0; k < o->tag_count; k++)
            lvl_buffer_u32le(out, o->tags[k]);
    }
    lvl_buffer_u8(out, (uint8_t)t->title_count);
    for (uint32_t i = 0; i < t->title_count; i++) {
        lvl_buffer_u8(out, (uint8_t)t->titles[i].len);
        lvl_buffer_add(out, t->titles[i].ptr, t->titles[i].len);
    }
}

static uint32_t sum(const lvl_buffer *body)
{
    uint32_t s = 0;

    for (size_t i = 0; i < body->len; i++)
        s += body->data[i];
    return s;
}

static lvl_status write(const lvl_doc *doc, lvl_buffer *out)
{
    const toy_level *t = doc->root;
    lvl_buffer body = {0};
    uint64_t bits;

    write_body(doc, &body);
    lvl_buffer_str(out, "TOY1");
    lvl_buffer_u32le(out, t->flags);
    put_u16(out, (uint16_t)t->mood);
    lvl_buffer_u8(out, t->kind);
    lvl_buffer_u8(out, t->lives);
    lvl_buffer_u32le(out, (uint32_t)t->start.x);
    lvl_buffer_u32le(out, (uint32_t)t->start.y);
    lvl_buffer_u32le(
        out, (uint32_t)lvl_doc_derived(
                 doc, t, lvl_table_at(&level_table, offsetof(toy_level, things_written)), t->thing_count));
    lvl_buffer_u32le(out, (uint32_t)lvl_doc_derived(
                              doc, t, lvl_table_at(&level_table, offsetof(toy_level, checksum)), sum(&body)));
    put_u16(out, (uint16_t)t->cells.width);
    put_u16(out, (uint16_t)t->cells.height);
    lvl_buffer_add(out, t->name, 16);
    lvl_buffer_add(out, t->key, 4);
    lvl_buffer_u32le(out, t->kind == 1 ? t->box_size : t->kind == 2 ? t->radius : 0);
    lvl_buffer_u8(out, 0);
    lvl_buffer_add(out, t->unknown, 3);
    memcpy(&bits, &t->gravity, 8);
    lvl_buffer_u32le(out, (uint32_t)bits);
    lvl_buffer_u32le(out, (uint32_t)(bits >> 32));
    lvl_buffer_add(out, body.data, body.len);
    lvl_buffer_add(out, t->tail.ptr, t->tail.len);
    lvl_status status = body.status;
    lvl_buffer_free(&body);
    return status;
}

static lvl_status derive(lvl_doc *doc, lvl_derived_fn visit, void *user)
{
    toy_level *t = doc->root;
    lvl_buffer body = {0};

    visit(user, t, lvl_table_at(&level_table, offsetof(toy_level, things_written)), t->thing_count);
    for (uint32_t i = 0; i < t->thing_count; i++)
        visit(user, &t->things[i], lvl_table_at(&thing_table, offsetof(toy_thing, name_size)),
              (int64_t)t->things[i].name.len);
    write_body(doc, &body);
    visit(user, t, lvl_table_at(&level_table, offsetof(toy_level, checksum)), sum(&body));
    lvl_status status = body.status;
    lvl_buffer_free(&body);
    return status;
}

static lvl_status kept(const lvl_doc *doc, uint64_t *bytes)
{
    const toy_level *t = doc->root;
    *bytes = t->tail.len;
    return LVL_OK;
}

static void drop_spelling(lvl_doc *doc)
{
    toy_level *t = doc->root;
    t->tail.len = 0;
}

static lvl_status check(const lvl_doc *doc, const lvl_check_request *request)
{
    const toy_level *t = doc->root;
    const lvl_field *list = lvl_table_at(&level_table, offsetof(toy_level, things));
    const lvl_field *f = lvl_table_at(&level_table, offsetof(toy_level, checksum));

    if (lvl_doc_disagrees(doc, t, f)) {
        lvl_where w = lvl_where_to(lvl_where_root(), f, LVL_NO_INDEX);
        lvl_findings_add(request->findings, &findings_table[CHECKSUM], &w, NULL, "checksum is 0x%lx",
                         (unsigned long)t->checksum);
    }
    f = lvl_table_at(&level_table, offsetof(toy_level, things_written));
    if (lvl_doc_disagrees(doc, t, f)) {
        lvl_where w = lvl_where_to(lvl_where_root(), f, LVL_NO_INDEX);
        lvl_findings_add(request->findings, &findings_table[COUNT], &w, NULL, "%lu things, not %lu",
                         (unsigned long)t->thing_count, (unsigned long)t->things_written);
    }
    for (uint32_t i = 0; i < t->thing_count; i++) {
        if (t->things[i].x >= 0)
            continue;
        lvl_where w = lvl_where_to(lvl_where_root(), list, i);
        w = lvl_where_to(w, lvl_table_at(&thing_table, offsetof(toy_thing, x)), LVL_NO_INDEX);
        lvl_findings_add(request->findings, &findings_table[OUTSIDE], &w, NULL, "x is %d", t->things[i].x);
    }
    return LVL_OK;
}

static lvl_status repair(lvl_doc *doc, lvl_repairs *repairs)
{
    const toy_level *t = doc->root;
    const lvl_field *f = lvl_table_at(&level_table, offsetof(toy_level, checksum));

    if (lvl_doc_disagrees(doc, t, f)) {
        lvl_where w = lvl_where_to(lvl_where_root(), f, LVL_NO_INDEX);
        lvl_findings_add(repairs->log, &findings_table[CHECKSUM], &w, NULL, "computed anew");
        lvl_doc_drop_overrides(doc);
    }
    return LVL_OK;
}

/* What is computed stands before the field that it is called for, or in its place. */
static bool info_of_field(lvl_info *info, const lvl_table *table, const void *record, const lvl_field *field,
                          void *user)
{
    const toy_level *t = record;

    (void)user;
    if (table == &level_table && field->offset == offsetof(toy_level, things))
        lvl_info_int(info, "twice", NULL, 2 * (int64_t)t->thing_count, NULL);
    return table == &level_table && field->offset == offsetof(toy_level, radius);
}

static lvl_status info_of(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art)
{
    (void)art;
    lvl_info_fields(info, &level_table, doc->root, info_of_field, NULL);
    return LVL_OK;
}

const lvl_format toy_format = {
    .id = "toy",
    .family = "toy",
    .title = "Toy level",
    .extensions = "toy",
    .codepage = LVL_CP_1252,
    .table = &level_table,
    .findings = findings_table,
    .finding_count = LVL_COUNT_OF(findings_table),
    .calls =
        &(const lvl_format_calls){
            .probe = probe,
            .read = read,
            .write = write,
            .derive = derive,
            .kept = kept,
            .drop_spelling = drop_spelling,
            .check = check,
            .repair = repair,
            .info = info_of,
        },
};

void toy_file(lvl_buffer *out, unsigned things)
{
    lvl_ctx ctx;
    lvl_doc *doc;
    uint8_t cells[12 * 5 * 2];

    lvl_ctx_init(&ctx);
    if (lvl_doc_new(&doc, &ctx, &toy_format) != LVL_OK)
        abort();
    toy_level *t = doc->root;
    t->flags = 0x25;
    t->mood = -1;
    t->kind = 1;
    t->lives = 5;
    t->start.x = -7;
    t->start.y = 123456;
    memcpy(t->name, "Caf\xe9 \0x", 7);
    memcpy(t->key, "\x01\x02\x03\xff", 4);
    t->box_size = 99;
    t->unknown[1] = 0x80;
    t->gravity = -9.81;
    for (unsigned i = 0; i < 60; i++) {
        unsigned v = i < 20 ? 0xFFFF : i % 12 == 3 ? 0xEEEE : i / 7;
        cells[i * 2] = (uint8_t)v;
        cells[i * 2 + 1] = (uint8_t)(v >> 8);
    }
    t->cells.ptr = cells;
    t->cells.width = 12;
    t->cells.height = 5;
    t->cells.size = 2;
    t->things = lvl_doc_alloc(doc, sizeof *t->things * (things ? things : 1));
    if (!t->things)
        abort();
    for (unsigned i = 0; i < things; i++) {
        toy_thing *o = &t->things[i];
        char name[32];
        o->type = (uint8_t)(i % 4);
        o->x = (int16_t)(i * 10 % 1000);
        o->y = (int16_t)(5 - (int)i % 100);
        snprintf(name, sizeof name, i % 3 == 2 ? "a\"b\\%u" : "thing %u", i);
        o->name = lvl_doc_text(doc, lvl_text_of(name));
        o->tag_count = i % 3;
        o->tags = lvl_doc_alloc(doc, 4 * 3);
        for (unsigned k = 0; k < o->tag_count; k++)
            o->tags[k] = i + k;
    }
    t->thing_count = things;
    lvl_text titles[2] = {{"Level", 5}, {"Niveau \xe9\n", 9}};
    t->titles = titles;
    t->title_count = 2;
    t->tail.ptr = (const uint8_t *)"   ";
    t->tail.len = 3;
    lvl_doc_recompute_derived(doc);
    if (lvl_doc_write(doc, out) != LVL_OK)
        abort();
    lvl_doc_free(doc);
}

lvl_doc *toy_doc(const lvl_ctx *ctx, unsigned things)
{
    lvl_buffer file = {0};
    lvl_doc *doc;

    toy_file(&file, things);
    lvl_bytes bytes = {file.data, file.len};
    if (lvl_read(&doc, ctx, &toy_format, bytes, NULL, 0, NULL) != LVL_OK)
        abort();
    lvl_buffer_free(&file);
    return doc;
}
