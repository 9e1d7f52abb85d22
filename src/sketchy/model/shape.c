/*
 * sketchy/model/shape.c: objects of the game's JSON from the tables of records.
 *
 * lvl_field.json is here "KEY" or "KEY|KEY": of levels and of doodads, where these differ; without it the key
 * is the field's name. An empty key: the field is not in the JSON. "rules.survival" is the member "survival"
 * of the object "rules". A '?' at the end: not written while it is false, 0 or empty.
 */
#include "sketchy/model/shape.h"

#include "base/record.h"
#include "base/text.h"

#include <string.h>

static const lvl_field text_fields[] = {{.name = "text", .kind = LVL_TEXT, .size = sizeof(lvl_text)}};
const lvl_table lvl_sketchy_text_table = {.name = "text",
                                          .struct_size = sizeof(lvl_text),
                                          .fields = text_fields,
                                          .field_count = LVL_COUNT_OF(text_fields)};

/* The keys of an object in the order of the game's newest source, where that is not the order of the fields.
 * What older versions did not have is left out by a document's source text (see json_write.c). */
static const char *order_of(const lvl_table *table, unsigned kind)
{
    if (table == &lvl_sketchy_option_table)
        return "type name value default";
    if (table != &lvl_sketchy_table)
        return "";
    return kind == LVL_SKETCHY_DOODAD
               ? "version gameVersion title author locked files hidden palette size script hitbox layers "
                 "data "
                 "options"
               : "version gameVersion title author locked files passwd uuid rules chunks palette pageType "
                 "boundedWidth boundedHeight wallpaper scroll actors saveDoodads saveBuiltins signature";
}

/* The place of a key in such a text; keys that it does not have follow. */
static uint32_t rank_of(const char *order, lvl_text key)
{
    for (const char *p = order; *p; p += strspn(p, " ")) {
        const size_t len = strcspn(p, " ");
        if (lvl_text_equal((lvl_text){p, len}, key))
            return (uint32_t)(p - order);
        p += len;
    }
    return UINT32_MAX;
}

/* A field's key, with those of the objects around it; empty: the field is not in the JSON. */
static lvl_text path_of(const lvl_field *f, unsigned kind)
{
    const char *json = f->json ? f->json : f->name, *other = strchr(json, '|');
    const bool other_kind = f->when.tag_size && (kind >= 64 || !(f->when.values >> kind & 1));
    const bool absent = f->role == LVL_KEPT || f->role == LVL_DERIVED || other_kind;

    if (other && kind == LVL_SKETCHY_DOODAD)
        json = other + 1;
    return (lvl_text){json, absent ? 0 : strcspn(json, "|")};
}

static lvl_shape_kind list_kind(const lvl_field *f, unsigned kind)
{
    if (f->item == LVL_TEXT)
        return LVL_SHAPE_TEXTS;
    if (f->table == &lvl_sketchy_layer_table && kind == LVL_SKETCHY_LEVEL)
        return LVL_SHAPE_LAYER;
    if (!(f->flags & LVL_F_UNORDERED))
        return LVL_SHAPE_RECORDS;
    return f->table == &lvl_sketchy_chunk_table  ? LVL_SHAPE_CHUNKS
           : f->table == &lvl_sketchy_file_table ? LVL_SHAPE_FILES
           : f->table == &lvl_sketchy_tag_table  ? LVL_SHAPE_TEXT_MAP
                                                 : LVL_SHAPE_MAP;
}

static lvl_shape_kind kind_of(const lvl_table *table, const lvl_field *f, unsigned kind)
{
    if (table == &lvl_sketchy_option_table && f->offset == offsetof(lvl_sketchy_option, type))
        return LVL_SHAPE_OPTION_TYPE;
    if (table == &lvl_sketchy_option_table && f->offset == offsetof(lvl_sketchy_option, value))
        return LVL_SHAPE_OPTION_VALUE;
    switch (f->kind) {
    case LVL_INT: return lvl_field_is_switch(f) ? LVL_SHAPE_BOOL : LVL_SHAPE_INT;
    case LVL_RECORD: return f->table == &lvl_sketchy_point_table ? LVL_SHAPE_XY : LVL_SHAPE_OBJECT;
    case LVL_LIST: return list_kind(f, kind);
    default: return LVL_SHAPE_TEXT;
    }
}

/* Adds the member that a field, or an object around it, is, unless it exists. */
static void add(lvl_shapes *out, const lvl_field *f, lvl_text path, size_t from)
{
    const char *dot = memchr(path.ptr + from, '.', path.len - from);
    const bool omit = !dot && path.ptr[path.len - 1] == '?';
    lvl_shape s = {.key = {path.ptr + from, (dot ? (size_t)(dot - path.ptr) : path.len - omit) - from},
                   .kind = dot ? LVL_SHAPE_OBJECT : kind_of(out->table, f, out->kind),
                   .omit = omit,
                   .field = dot ? NULL : f,
                   .prefix = {path.ptr, dot ? (size_t)(dot + 1 - path.ptr) : 0}};
    uint32_t at = out->count;

    if (dot && lvl_shape_find(out, s.key))
        return;
    s.rank = rank_of(order_of(out->table, out->kind), s.key);
    for (; at && out->list[at - 1].rank > s.rank; at--)
        out->list[at] = out->list[at - 1];
    out->list[at] = s;
    out->count++;
}

static void make(lvl_shapes *out, const lvl_table *table, lvl_text prefix, unsigned kind)
{
    out->table = table;
    out->kind = kind;
    out->count = 0;
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_text path = path_of(&table->fields[i], kind);
        if (path.len > prefix.len && (!prefix.len || !memcmp(path.ptr, prefix.ptr, prefix.len)))
            add(out, &table->fields[i], path, prefix.len);
    }
}

void lvl_shapes_root(lvl_shapes *out, const lvl_table *table, unsigned kind)
{
    make(out, table, (lvl_text){NULL, 0}, kind);
}

void lvl_shapes_inside(lvl_shapes *out, const lvl_shapes *around, const lvl_shape *s)
{
    make(out, s->field ? s->field->table : around->table, s->prefix, around->kind);
}

const lvl_shape *lvl_shape_find(const lvl_shapes *shapes, lvl_text key)
{
    const lvl_shape *alike = NULL;

    for (uint32_t i = 0; i < shapes->count; i++) {
        const lvl_shape *s = &shapes->list[i];
        if (lvl_text_equal(key, s->key))
            return s;
        if (!alike && lvl_text_equal_nocase(key, s->key))
            alike = s;
    }
    return alike;
}

bool lvl_shape_accepts(const lvl_shape *s, const lvl_token *value)
{
    int64_t v;

    switch (s->kind) {
    case LVL_SHAPE_INT:
        return lvl_token_int(value, &v) && (s->field->flags & LVL_F_SIGNED || (v >= 0 && v <= UINT32_MAX));
    case LVL_SHAPE_BOOL: return value->kind == LVL_TOKEN_TRUE || value->kind == LVL_TOKEN_FALSE;
    case LVL_SHAPE_TEXT:
    case LVL_SHAPE_XY:
    case LVL_SHAPE_OPTION_TYPE: return value->kind == LVL_TOKEN_STRING;
    case LVL_SHAPE_OPTION_VALUE: return value->kind != LVL_TOKEN_OBJECT && value->kind != LVL_TOKEN_ARRAY;
    case LVL_SHAPE_RECORDS:
    case LVL_SHAPE_TEXTS: return value->kind == LVL_TOKEN_ARRAY;
    default: return value->kind == LVL_TOKEN_OBJECT;
    }
}

bool lvl_shape_absent(const lvl_shape *s, bool inherits, uint32_t index)
{
    const lvl_field *flags[LVL_SHAPE_INHERITORS] = {LVL_FIELD(lvl_sketchy_swatch, solid), NULL,
                                                    LVL_FIELD(lvl_sketchy_swatch, fire),
                                                    LVL_FIELD(lvl_sketchy_swatch, water)};

    return inherits && s->field && index < LVL_SHAPE_INHERITORS && s->field == flags[index];
}
