/*
 * sketchy/text/json_write.c: writes records as the game's JSON. If the document has a source text, that is
 * re-read, and text, old and new record are walked together: a value that is equal in both records is copied
 * with its spelling (order and case of keys, unknown keys, numbers, escapes, blanks); a changed one is
 * written in its place. Without a source the result is what Go's encoder writes: keys in the game's order,
 * compact, a line feed at the end.
 */
#include "sketchy/text/json_writing.h"

#include "base/text.h"
#include "codec/json.h"
#include "codec/tokens.h"
#include "sketchy/chunks/codec.h"

#include <stdlib.h>
#include <string.h>

/* What the source has for a value: the record that was read from it (NULL: none), and its text. */
typedef struct origin {
    const uint8_t *record;
    lvl_text text;
} origin;

static const lvl_text no_text = {NULL, 0};
static const origin no_origin = {NULL, {NULL, 0}};

static void write_object(lvl_json_writing *w, const lvl_shapes *shapes, origin was, const uint8_t *base);
static void write_value(lvl_json_writing *w, const lvl_shapes *shapes, const lvl_shape *s, origin was,
                        const uint8_t *base);

static void put_text(lvl_json_writing *w, lvl_text text)
{
    lvl_buffer_add(w->out, text.ptr, text.len);
}

/* ---- members ----------------------------------------------------------------------------------------- */

static const uint8_t *list_of(const lvl_field *list, const uint8_t *base, uint32_t *count)
{
    *count = lvl_list_count(base, list);
    return *count ? lvl_list_item(base, list, 0) : NULL;
}

static bool is_elsewhere(const lvl_json_writing *w, const lvl_field *list, const uint8_t *item)
{
    return w->outside && lvl_sketchy_is_member(list->table, item);
}

/* Whether no item of the list is written in the text. */
static bool has_none(const lvl_json_writing *w, const lvl_field *list, const uint8_t *base)
{
    const uint32_t count = lvl_list_count(base, list);
    uint32_t i = 0;

    while (i < count && is_elsewhere(w, list, lvl_list_item(base, list, i)))
        i++;
    return i == count;
}

/* Whether the game omits the member, since it is optional and has its default. */
static bool is_left_out(const lvl_json_writing *w, const lvl_shape *s, const uint8_t *base)
{
    const lvl_field *field = s->field;

    if (!s->omit)
        return false;
    switch (field->kind) {
    case LVL_INT: return !lvl_get_int(base, field);
    case LVL_TEXT: return !lvl_get_text(base, field).len;
    default: return has_none(w, field, base);
    }
}

/* Whether the meaning of an absent member depends on the item's index. */
static bool is_inheritable(const lvl_json_writing *w, const lvl_shape *s)
{
    bool depends = false;

    for (uint32_t i = 0; i < LVL_SHAPE_INHERITORS; i++)
        depends = depends || lvl_shape_absent(s, w->inherits, i);
    return depends;
}

static bool same_value(lvl_json_writing *w, const lvl_shapes *shapes, const lvl_shape *s, const uint8_t *old,
                       const uint8_t *now)
{
    lvl_shapes inside;
    bool same = true;

    if (!lvl_shape_is_group(s)) {
        const lvl_table one = {.fields = s->field, .field_count = 1};
        return lvl_json_same(w, &one, old, now);
    }
    lvl_shapes_inside(&inside, shapes, s);
    for (uint32_t i = 0; i < inside.count && same; i++)
        same = same_value(w, &inside, &inside.list[i], old, now);
    return same;
}

/* ---- single values ----------------------------------------------------------------------------------- */

/* Writes an option's value, without quotes if it is JSON of the option's type. */
static void write_option(lvl_json_writing *w, const lvl_sketchy_option *o)
{
    lvl_tokens t;

    lvl_tokens_init(&t, o->value, 4);
    const lvl_token token = lvl_tokens_next(&t);
    const bool alone = token.kind != LVL_TOKEN_ERROR && token.text.len == o->value.len;
    if (alone &&
        ((o->type == LVL_SKETCHY_BOOL && (token.kind == LVL_TOKEN_TRUE || token.kind == LVL_TOKEN_FALSE)) ||
         (o->type == LVL_SKETCHY_INT && token.kind == LVL_TOKEN_NUMBER)))
        put_text(w, o->value);
    else
        lvl_token_quote(w->out, o->value);
}

static void write_scalar(lvl_json_writing *w, const lvl_shape *s, const uint8_t *base)
{
    const lvl_field *field = s->field;
    const char *name;
    lvl_sketchy_point point;

    switch (s->kind) {
    case LVL_SHAPE_INT: lvl_json_int(w->out, lvl_get_int(base, field)); break;
    case LVL_SHAPE_BOOL: lvl_buffer_str(w->out, lvl_get_int(base, field) ? "true" : "false"); break;
    case LVL_SHAPE_TEXT: lvl_token_quote(w->out, lvl_get_text(base, field)); break;
    case LVL_SHAPE_XY:
        memcpy(&point, base + field->offset, sizeof point);
        lvl_buffer_printf(w->out, "\"%lld,%lld\"", (long long)point.x, (long long)point.y);
        break;
    case LVL_SHAPE_OPTION_TYPE:
        name = lvl_name_of(field->names, lvl_get_int(base, field));
        lvl_token_quote(w->out, lvl_text_of(name ? name : field->names->name));
        break;
    default: write_option(w, (const lvl_sketchy_option *)(const void *)base); break;
    }
}

/* Whether a value may be copied as it is: reading accepts it for the member, or it is null. False for points
 * and for values with members, which are checked part by part. */
static bool is_of_kind(const lvl_shape *s, lvl_text was)
{
    lvl_tokens t;

    lvl_tokens_init(&t, was, LVL_TOKENS_DEPTH);
    const lvl_token token = lvl_tokens_next(&t);
    return token.kind == LVL_TOKEN_NULL ||
           (s->kind < LVL_SHAPE_OBJECT && s->kind != LVL_SHAPE_XY && lvl_shape_accepts(s, &token));
}

/* Whether the text of a chunk has only px of its grid, so that nothing is lost when it is written again. */
static bool is_plain(lvl_json_writing *w, const lvl_source *source)
{
    const lvl_chunk_place place = {source->x, source->y, w->chunk_size};
    const lvl_bytes text = {(const uint8_t *)source->text.ptr, source->text.len};
    lvl_chunk_report report = {0};

    if (source->cut || !place.size || place.size > LVL_SKETCHY_CHUNK_SIZE_MAX)
        return false;
    uint8_t *grid = malloc((size_t)place.size * place.size * 2);
    const lvl_status status =
        grid ? lvl_chunk_decode(source->encoding, text, &place, grid, &report) : LVL_ERR_MEMORY;
    free(grid);
    if (status == LVL_ERR_MEMORY)
        lvl_json_fail(w, status);
    return status == LVL_OK && !report.outside && !report.wide && !report.broken && !report.trailing &&
           !report.partial;
}

/* Whether a chunk has the text of its source. That text may give px by their places in the level: then a
 * chunk that was moved is written again. */
static bool is_text_kept(lvl_json_writing *w, const lvl_sketchy_chunk *chunk, const lvl_source *source)
{
    if (chunk->pixels.ptr || !source || source->kind != LVL_SOURCE_JSON)
        return false;
    const bool moved = source->x != chunk->x || source->y != chunk->y;
    return !moved || source->encoding != LVL_SKETCHY_CHUNK_JSON || !is_plain(w, source);
}

static void write_chunk(lvl_json_writing *w, const lvl_sketchy_chunk *chunk)
{
    const lvl_source *source = lvl_sketchy_source(w->doc, chunk->source);
    const bool base64 = chunk->encoding == LVL_SKETCHY_CHUNK_BASE64;
    const size_t from = w->out->len;

    if (w->out->status != LVL_OK) /* no memory, or over the limit: save the time */
        return;
    if (is_text_kept(w, chunk, source)) {
        put_text(w, source->text);
        return;
    }
    lvl_json_fail(w, lvl_sketchy_put_chunk(w->doc, chunk, w->chunk_size,
                                           base64 ? LVL_SKETCHY_CHUNK_BASE64 : LVL_SKETCHY_CHUNK_JSON, NULL,
                                           w->out));
    if (w->status == LVL_OK && w->out->len == from)
        lvl_buffer_str(w->out, "{\"type\":0,\"data\":{}}");
}

static void write_file(lvl_json_writing *w, const lvl_sketchy_file *file)
{
    lvl_buffer storage = {0};
    lvl_bytes bytes;

    const lvl_status status = lvl_sketchy_file_data(w->doc, file, &storage, &bytes);
    if (status == LVL_OK || status == LVL_ERR_FORMAT) {
        lvl_buffer_str(w->out, "{\"data\":\"");
        lvl_base64_encode(w->out, bytes);
        lvl_buffer_str(w->out, "\"}");
    } else {
        lvl_json_fail(w, status);
    }
    lvl_buffer_free(&storage);
}

/* ---- elements ---------------------------------------------------------------------------------------- */

/* Appends what precedes a value: the comma, the white space of the text, and in an object the key. `e`: the
 * element of the source; NULL: it is new, and `name` its key. */
static void begin_entry(lvl_json_writing *w, const lvl_json_elements *text, const lvl_json_element *e,
                        lvl_text name, bool first)
{
    if (!first)
        lvl_buffer_u8(w->out, ',');
    if (first)
        put_text(w, text->count ? text->list[0].before : no_text);
    else
        put_text(w, e && e != text->list ? e->before : text->before);
    if (text->array)
        return;
    if (e)
        put_text(w, e->key);
    else
        lvl_token_quote(w->out, name);
    put_text(w, e ? e->colon : text->colon);
}

/* ---- lists ------------------------------------------------------------------------------------------- */

/* The order in which items are written: arrays as they are; objects in the order of the source if it has
 * exactly these keys in the list's order, else sorted as Go does. */
static lvl_sort_key *order_items(lvl_json_writing *w, const lvl_json_list *s, uint32_t *out_count)
{
    lvl_sort_key *order = malloc(((size_t)s->now_count + 1) * sizeof *order);
    uint32_t here = 0;

    if (!order) {
        lvl_json_fail(w, LVL_ERR_MEMORY);
        return NULL;
    }
    for (uint32_t i = 0; i < s->now_count; i++) {
        const uint8_t *item = s->now + (size_t)i * s->field->item_size;
        if (!is_elsewhere(w, s->field, item))
            order[here++] = (lvl_sort_key){s->label ? lvl_get_text(item, s->label) : no_text, i};
    }
    bool as_was = !s->label || s->text.count == here;
    for (uint32_t i = 0; i < here; i++)
        as_was = as_was && (!s->label || lvl_json_key_is(&s->text.list[i], order[i].name));
    if (!as_was)
        qsort(order, here, sizeof *order, lvl_sort_key_order);
    *out_count = here;
    return order;
}

/* Whether an element keeps its meaning when it is copied to another index. */
static bool may_move(const lvl_json_writing *w, const lvl_json_list *list, uint32_t from, uint32_t to)
{
    return !w->inherits || from == to || list->table != &lvl_sketchy_swatch_table ||
           (from >= LVL_SHAPE_INHERITORS && to >= LVL_SHAPE_INHERITORS);
}

/* `moved`: its text may not be copied as a whole. */
static void write_item(lvl_json_writing *w, const lvl_json_list *list, origin was, const uint8_t *item,
                       bool moved)
{
    const lvl_shape *s = list->shape, text = {.kind = LVL_SHAPE_TEXT, .field = lvl_shape_text(s)};
    const bool keep =
        (!w->repair_all && !moved) || (lvl_shape_is_outside(s) && was.text.len && *was.text.ptr == '{');

    if (text.field)
        write_value(w, NULL, &text, was, item);
    else if (was.text.len && was.record && keep && lvl_json_same(w, list->table, was.record, item))
        put_text(w, was.text);
    else if (s->kind == LVL_SHAPE_CHUNKS)
        write_chunk(w, (const void *)item);
    else if (s->kind == LVL_SHAPE_FILES)
        write_file(w, (const void *)item);
    else
        write_object(w, &list->inside, was, item);
}

/* Appends an item with what precedes it. */
static void write_entry(lvl_json_writing *w, lvl_json_list *list, const lvl_sort_key *key, bool first)
{
    const uint8_t *item = list->now + (size_t)key->index * list->field->item_size;
    const lvl_json_element *e = lvl_json_find_element(w, list, key->index);
    const origin was = e ? (origin){lvl_json_old_item(w, list, e, item), e->value} : no_origin;

    begin_entry(w, &list->text, e, key->name, first);
    w->index = key->index;
    write_item(w, list, was, item, e && !may_move(w, list, (uint32_t)(e - list->text.list), key->index));
    if (e)
        put_text(w, e->after);
}

static void write_list(lvl_json_writing *w, const lvl_shapes *shapes, const lvl_shape *s, origin was,
                       const uint8_t *base)
{
    lvl_json_list list = {
        .shape = s, .field = s->field, .label = lvl_shape_label(s), .table = lvl_shape_table(s)};
    const bool array = !list.label;
    uint32_t count;

    if (has_none(w, s->field, base)) {
        lvl_buffer_str(w->out, s->kind == LVL_SHAPE_RECORDS ? "null" : array ? "[]" : "{}");
        return;
    }
    if (!lvl_shape_text(s))
        lvl_shapes_inside(&list.inside, shapes, s);
    list.text = lvl_json_split(w, was.text, array);
    list.now = list_of(s->field, base, &list.now_count);
    if (was.record)
        list.old = list_of(s->field, was.record, &list.old_count);
    lvl_sort_key *order = order_items(w, &list, &count);
    lvl_buffer_u8(w->out, array ? '[' : '{');
    for (uint32_t i = 0; order && i < count && w->status == LVL_OK; i++)
        write_entry(w, &list, &order[i], i == 0);
    put_text(w, list.text.last);
    lvl_buffer_u8(w->out, array ? ']' : '}');
    free(order);
    free(list.text.list);
    lvl_hash_free(&list.by_key);
    lvl_hash_free(&list.by_label);
}

/* ---- values ------------------------------------------------------------------------------------------ */

static void write_layer(lvl_json_writing *w, const lvl_shapes *shapes, const lvl_shape *s, origin was,
                        const uint8_t *base)
{
    lvl_shapes inside;
    uint32_t count;

    if (was.record)
        was.record = list_of(s->field, was.record, &count);
    const uint8_t *layer = list_of(s->field, base, &count);
    lvl_shapes_inside(&inside, shapes, s);
    if (count)
        write_object(w, &inside, was, layer);
    else
        lvl_buffer_str(w->out, "{\"size\":128,\"chunks\":{}}");
}

/* `shapes`: the members among which `s` is; NULL for an item that is a string. */
static void write_value(lvl_json_writing *w, const lvl_shapes *shapes, const lvl_shape *s, origin was,
                        const uint8_t *base)
{
    const uint32_t at = lvl_shape_is_group(s) ? 0 : s->field->offset;
    lvl_shapes inside;

    if (was.text.len && was.record && (!w->repair_all || is_of_kind(s, was.text)) &&
        same_value(w, shapes, s, was.record, base)) {
        put_text(w, was.text);
    } else if (s->kind < LVL_SHAPE_OBJECT) {
        write_scalar(w, s, base);
    } else if (s->kind == LVL_SHAPE_OBJECT) {
        lvl_shapes_inside(&inside, shapes, s);
        was.record = was.record ? was.record + at : NULL;
        write_object(w, &inside, was, base + at);
    } else if (s->kind == LVL_SHAPE_LAYER) {
        write_layer(w, shapes, s, was, base);
    } else {
        write_list(w, shapes, s, was, base);
    }
}

/* ---- objects ----------------------------------------------------------------------------------------- */

enum { MEMBERS = 64 };

/* An object to be written. */
typedef struct object {
    const lvl_shapes *shapes;
    origin was;
    const uint8_t *base;
    lvl_json_elements text;
    uint64_t seen, twice; /* a bit for each member whose key the text has, or has again */
    uint32_t last[MEMBERS]; /* by member: its last element */
    bool completed; /* keys that the text does not have are added after the others */
    bool keep_absent; /* they may be absent, as before */
    bool first; /* nothing is written yet */
} object;

/* The member that an element is; NULL: unknown. */
static const lvl_shape *shape_of(lvl_json_writing *w, const lvl_shapes *shapes, const lvl_json_element *e)
{
    lvl_buffer plain = {0};

    lvl_token_unescape(&plain, (lvl_text){e->key.ptr + 1, e->key.len - 2});
    lvl_json_fail(w, plain.status);
    const lvl_shape *s = lvl_shape_find(shapes, (lvl_text){(const char *)plain.data, plain.len});
    lvl_buffer_free(&plain);
    return s;
}

/* Finds the member of each element. */
static void find_members(lvl_json_writing *w, object *o)
{
    for (uint32_t i = 0; i < o->text.count; i++) {
        const lvl_shape *s = o->text.list[i].shape = shape_of(w, o->shapes, &o->text.list[i]);
        if (!s)
            continue;
        const size_t number = (size_t)(s - o->shapes->list);
        o->twice |= o->seen & UINT64_C(1) << number;
        o->seen |= UINT64_C(1) << number;
        o->last[number] = i;
    }
}

/* Whether the text may leave out a member. */
static bool may_be_absent(lvl_json_writing *w, const object *o, const lvl_shape *s)
{
    const bool absent = lvl_shape_absent(s, w->inherits, w->index);

    if (is_inheritable(w, s))
        return !lvl_get_int(o->base, s->field) == !absent && (o->keep_absent || !absent);
    return o->keep_absent ? same_value(w, o->shapes, s, o->was.record, o->base) : is_left_out(w, s, o->base);
}

/* Appends members that the text does not have, from number `i` up to one that it has: a new key follows those
 * that the game writes before it, so that the order in which keys were added does not matter. */
static void write_absent(lvl_json_writing *w, object *o, size_t i)
{
    for (; i < o->shapes->count && !(o->seen >> i & 1) && w->status == LVL_OK; i++) {
        const lvl_shape *s = &o->shapes->list[i];
        if (may_be_absent(w, o, s))
            continue;
        begin_entry(w, &o->text, NULL, s->key, o->first);
        o->first = false;
        write_value(w, o->shapes, s, no_origin, o->base);
    }
}

/* Appends element `i` of the text, with its member's value as it is now. Duplicate keys are read as one:
 * they stay as they are, or the last one gets the whole value. */
static void write_element(lvl_json_writing *w, object *o, uint32_t i)
{
    const lvl_json_element *e = &o->text.list[i];
    const lvl_shape *s = e->shape;
    const size_t number = s ? (size_t)(s - o->shapes->list) : 0;
    const bool last = s && o->last[number] == i, doubled = s && o->twice >> number & 1;
    const bool stays = !s || (doubled && !o->completed && !w->repair_all && o->was.record &&
                              same_value(w, o->shapes, s, o->was.record, o->base));

    if (!last && !stays)
        return;
    begin_entry(w, &o->text, e, e->key, o->first);
    o->first = false;
    if (stays)
        put_text(w, e->value);
    else
        write_value(w, o->shapes, s, (origin){doubled ? NULL : o->was.record, e->value}, o->base);
    put_text(w, e->after);
    if (last && !o->completed)
        write_absent(w, o, number + 1);
}

static void write_object(lvl_json_writing *w, const lvl_shapes *shapes, origin was, const uint8_t *base)
{
    const bool completed = w->complete && shapes == &w->root;
    object o = {.shapes = shapes,
                .was = was,
                .base = base,
                .text = lvl_json_split(w, was.text, false),
                .completed = completed,
                .keep_absent = was.record && was.text.len && !completed,
                .first = true};

    if (shapes->table == &lvl_sketchy_layer_table)
        w->chunk_size = ((const lvl_sketchy_layer *)(const void *)base)->size;
    find_members(w, &o);
    lvl_buffer_u8(w->out, '{');
    if (!completed)
        write_absent(w, &o, 0);
    for (uint32_t i = 0; i < o.text.count && w->status == LVL_OK; i++)
        write_element(w, &o, i);
    /* keys that a repair adds follow the existing ones */
    for (size_t i = 0; completed && i < shapes->count; i++) {
        if (!i || o.seen >> (i - 1) & 1)
            write_absent(w, &o, i);
    }
    put_text(w, o.text.last);
    lvl_buffer_u8(w->out, '}');
    free(o.text.list);
}

/* ---- documents --------------------------------------------------------------------------------------- */

/* Re-reads the source text; *used bytes of it are the document. *out stays NULL if it is broken: then nothing
 * of it can be copied. `inherits`: of the file that is written, since it decides what a copied text means. */
static lvl_status reread(const lvl_doc *doc, lvl_text was, bool inherits, lvl_doc **out, size_t *used,
                         lvl_text *chunks)
{
    lvl_doc *old = NULL;

    lvl_status status = lvl_doc_new(&old, doc->ctx, doc->format);
    if (status != LVL_OK)
        return status;
    lvl_json_reading reading = {.doc = old, .inherits = inherits};
    lvl_sketchy *d = doc->format->table == &lvl_sketchy_table ? old->root : NULL;
    if (d) {
        d->kind = ((const lvl_sketchy *)doc->root)->kind;
        d->json = was;
    }
    status = lvl_sketchy_read_json(&reading, was);
    if (status == LVL_OK && d)
        status = lvl_sketchy_sort_layers(old);
    *used = reading.used;
    *chunks = reading.chunks;
    if (status == LVL_OK && !reading.broken)
        *out = old;
    else
        lvl_doc_free(old);
    return status == LVL_ERR_FORMAT ? LVL_OK : status;
}

/* Writes the document into the source text `was`, which is empty if it has none. */
static lvl_status write_json(lvl_json_writing *w, lvl_text was)
{
    const lvl_doc *doc = w->doc;
    size_t used = 0, from = 0;
    lvl_doc *old = NULL;

    w->inherits = w->outside && doc->format->table == &lvl_sketchy_table &&
                  ((const lvl_sketchy *)doc->root)->kind == LVL_SKETCHY_DOODAD;
    const lvl_status status = was.len ? reread(doc, was, w->inherits, &old, &used, &w->chunks) : LVL_OK;
    if (status != LVL_OK)
        return status;
    w->old = old;
    lvl_sketchy_shapes(&w->root, doc);
    if (old) {
        while (from < was.len && was.ptr[from] != '{')
            from++;
        put_text(w, (lvl_text){was.ptr, from});
        write_object(w, &w->root, (origin){old->root, {was.ptr + from, used - from}}, doc->root);
        put_text(w, (lvl_text){was.ptr + used, was.len - used});
    } else {
        write_object(w, &w->root, no_origin, doc->root);
        lvl_buffer_u8(w->out, '\n');
    }
    lvl_doc_free(old);
    return w->status == LVL_OK ? w->out->status : w->status;
}

lvl_status lvl_sketchy_write_json(const lvl_doc *doc, lvl_text was, bool outside, lvl_buffer *out)
{
    lvl_json_writing w = {.doc = doc, .out = out, .outside = outside};

    return write_json(&w, was);
}

lvl_status lvl_sketchy_write_repaired(const lvl_doc *doc, lvl_text was, bool outside, bool complete,
                                      lvl_buffer *out)
{
    lvl_json_writing w = {
        .doc = doc, .out = out, .outside = outside, .repair_all = true, .complete = complete};

    return write_json(&w, was);
}
