/*
 * sketchy/text/json_write.c: writes records as the game's JSON. If the document has a source text, its pieces
 * and the record are walked together: a value that is still what was read from a piece is copied with its
 * spelling (order and case of keys, unknown keys, numbers, escapes, blanks); a changed one is written in its
 * place. Without a source the result is what Go's encoder writes: keys in the game's order, compact, a line
 * feed at the end.
 */
#include "sketchy/text/json_writing.h"

#include "base/buffer.h"
#include "base/record.h"
#include "base/text.h"
#include "codec/json.h"
#include "codec/tokens.h"
#include "sketchy/chunks/codec.h"

#include <stdlib.h>
#include <string.h>

static const lvl_text no_text = {NULL, 0};

static void write_object(lvl_json_writing *w, const lvl_shapes *shapes, const lvl_json_piece *was,
                         const lvl_field *key, const uint8_t *base);
static void write_value(lvl_json_writing *w, const lvl_shapes *shapes, const lvl_shape *s,
                        const lvl_json_piece *was, const uint8_t *base);

static void put_text(lvl_json_writing *w, lvl_text text)
{
    lvl_buffer_add(w->out, text.ptr, text.len);
}

static lvl_text source_text(const lvl_json_writing *w, size_t from, size_t to)
{
    return (lvl_text){w->was.ptr + from, to - from};
}

static lvl_text text_of(const lvl_json_writing *w, const lvl_json_piece *piece)
{
    return source_text(w, piece->value.at, piece->value.at + piece->value.len);
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

/* Whether the meaning of an absent member depends on the item's index. */
static bool is_inheritable(const lvl_json_writing *w, const lvl_shape *s)
{
    bool depends = false;

    for (uint32_t i = 0; i < LVL_SHAPE_INHERITORS; i++)
        depends = depends || lvl_shape_absent(s, w->inherits, i);
    return depends;
}

/* Whether a member has the content that was read from the piece (NULL: none). Of a dump, and of another
 * generation, the pixels are in memory: then all of them are compared with those of the text. */
static bool is_same(lvl_json_writing *w, const lvl_shapes *shapes, const lvl_shape *s,
                    const lvl_json_piece *was, const uint8_t *base)
{
    const lvl_table one = {.fields = s->field, .field_count = 1};
    bool same;

    if (!was || w->joined)
        return false;
    same = was->value.hash == lvl_json_hash(w->doc, &w->seed, shapes, s, base, w->outside);
    if (!same && w->noted != w->doc && !w->outside && shapes == &w->root && s->field)
        lvl_json_fail(w, lvl_sketchy_same(w->noted, w->noted->root, w->doc, base, &one, &same));
    return same;
}

/* Whether a member has the content that it has where the text does not have it. */
static bool is_default(const lvl_json_writing *w, const lvl_shapes *shapes, const lvl_shape *s,
                       const uint8_t *base)
{
    const bool layer = s->kind == LVL_SHAPE_LAYER;
    bool all = true;
    lvl_shapes inside;

    if (!layer && !lvl_shape_is_group(s))
        return s->field->kind == LVL_LIST ? has_none(w, s->field, base)
                                          : lvl_field_is_default(base, s->field);
    if (layer && !lvl_list_count(base, s->field))
        return true;
    base = layer ? lvl_list_item(base, s->field, 0) : base;
    lvl_shapes_inside(&inside, shapes, s);
    for (uint32_t i = 0; i < inside.count && all; i++)
        all = is_default(w, &inside, &inside.list[i], base);
    return all;
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

/* `was`: the text that it replaces, which is copied while it has the same px; empty: none. */
static void write_chunk(lvl_json_writing *w, const lvl_sketchy_chunk *chunk, lvl_text was)
{
    const lvl_bytes stream = {(const uint8_t *)was.ptr, was.len};
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
                                           base64 ? LVL_SKETCHY_CHUNK_BASE64 : LVL_SKETCHY_CHUNK_JSON,
                                           was.len ? &stream : NULL, w->out));
    if (w->status == LVL_OK && w->out->len == from)
        lvl_buffer_str(w->out, "{\"type\":0,\"data\":{}}");
}

/* `was`: the piece that it replaces, whose text is copied while it has the same data; NULL: none. */
static void write_file(lvl_json_writing *w, const lvl_sketchy_file *file, const lvl_json_piece *was)
{
    const lvl_sketchy_file before = {.path = file->path, .source = was ? was->source : 0};
    lvl_buffer storage = {0};
    lvl_bytes bytes;
    bool same = false;

    if (was)
        lvl_json_fail(w, lvl_sketchy_same(w->noted, &before, w->doc, file, &lvl_sketchy_file_table, &same));
    if (same) {
        put_text(w, text_of(w, was));
        return;
    }
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

/* Appends what precedes a value: the comma, the white space of the text, and in an object the key. `piece`:
 * NULL: the element is new, and `name` its key. New ones have the white space of the first ones. */
static void begin_entry(lvl_json_writing *w, const lvl_json_pieces *was, bool array,
                        const lvl_json_piece *piece, lvl_text name, bool first)
{
    const lvl_json_piece *head = was && was->count ? &was->list[0] : NULL;
    const lvl_json_piece *second = head && was->count > 1 ? head + 1 : head;
    const lvl_json_piece *like = first ? head : piece && piece != head ? piece : second;

    if (!first)
        lvl_buffer_u8(w->out, ',');
    if (like)
        put_text(w, source_text(w, like->from, like->key_len ? like->key : like->value.at));
    if (array)
        return;
    if (piece)
        put_text(w, source_text(w, piece->key, piece->key + piece->key_len));
    else
        lvl_token_quote(w->out, name);
    like = piece ? piece : head;
    if (like)
        put_text(w, source_text(w, like->key + like->key_len, like->value.at));
    else
        lvl_buffer_u8(w->out, ':');
}

/* Appends what follows a value: the white space up to its comma. */
static void end_entry(lvl_json_writing *w, const lvl_json_piece *piece)
{
    if (piece)
        put_text(w, source_text(w, piece->value.at + piece->value.len, piece->to));
}

/* The elements of a piece; NULL: none, or it is not of that kind. */
static const lvl_json_pieces *elements_of(const lvl_json_piece *piece, bool array)
{
    return piece && piece->inside && piece->inside->array == array ? piece->inside : NULL;
}

/* ---- lists ------------------------------------------------------------------------------------------- */

/* The order in which items are written: arrays as they are; objects in the order of the source if it has
 * exactly these keys in the list's order, else sorted as Go does. */
static lvl_sort_key *order_items(lvl_json_writing *w, const lvl_json_list *s, uint32_t *out_count)
{
    lvl_sort_key *order = malloc(((size_t)s->count + 1) * sizeof *order);
    uint32_t here = 0;

    if (!order) {
        lvl_json_fail(w, LVL_ERR_MEMORY);
        return NULL;
    }
    for (uint32_t i = 0; i < s->count; i++) {
        const uint8_t *item = s->items + (size_t)i * s->field->item_size;
        if (!is_elsewhere(w, s->field, item))
            order[here++] = (lvl_sort_key){s->label ? lvl_get_text(item, s->label) : no_text, i};
    }
    bool as_was = !s->label || (s->was && s->was->count == here);
    for (uint32_t i = 0; i < here; i++)
        as_was = as_was && (!s->label || lvl_json_key_is(w, &s->was->list[i], order[i].name));
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
static void write_item(lvl_json_writing *w, const lvl_json_list *list, const lvl_json_piece *was,
                       uint32_t index, bool moved)
{
    const uint8_t *item = list->items + (size_t)index * list->field->item_size;
    const lvl_shape *s = list->shape, text = {.kind = LVL_SHAPE_TEXT, .field = lvl_shape_text(s)};
    const bool object = was && w->was.ptr[was->value.at] == '{';
    const bool keep = was && !w->joined &&
                      (text.field                ? !w->repair_all || is_of_kind(&text, text_of(w, was))
                       : lvl_shape_is_outside(s) ? !w->repair_all || object
                                                 : !w->repair_all && !moved);

    if (keep && was->value.hash == list->hashes[index])
        put_text(w, text_of(w, was));
    else if (text.field)
        write_scalar(w, &text, item);
    else if (s->kind == LVL_SHAPE_CHUNKS)
        write_chunk(w, (const void *)item, keep ? text_of(w, was) : no_text);
    else if (s->kind == LVL_SHAPE_FILES)
        write_file(w, (const void *)item, keep ? was : NULL);
    else
        write_object(w, &list->inside, was, list->label, item);
}

/* Appends an item with what precedes it. */
static void write_entry(lvl_json_writing *w, lvl_json_list *list, const lvl_sort_key *key, bool first)
{
    const lvl_json_piece *was = lvl_json_find_piece(w, list, key->index);
    const bool moved = was && !may_move(w, list, (uint32_t)(was - list->was->list), key->index);

    begin_entry(w, list->was, !list->label, was, key->name, first);
    w->index = key->index;
    write_item(w, list, was, key->index, moved);
    end_entry(w, was);
}

/* Computes the hashes of the items, and makes room for what is found out about the pieces. */
static bool prepare_list(lvl_json_writing *w, lvl_json_list *list)
{
    list->hashes = malloc(((size_t)list->count + 1) * sizeof *list->hashes);
    list->matches = calloc(list->was ? (size_t)list->was->count + 1 : 1, sizeof *list->matches);
    if (!list->hashes || !list->matches) {
        lvl_json_fail(w, LVL_ERR_MEMORY);
        return false;
    }
    for (uint32_t i = 0; i < list->count && list->was; i++)
        list->hashes[i] = lvl_sketchy_hash(w->doc, &w->seed, list->items + (size_t)i * list->field->item_size,
                                           list->table, w->outside);
    return true;
}

static void write_list(lvl_json_writing *w, const lvl_shapes *shapes, const lvl_shape *s,
                       const lvl_json_piece *was, const uint8_t *base)
{
    lvl_json_list list = {
        .shape = s, .field = s->field, .label = lvl_shape_label(s), .table = lvl_shape_table(s)};
    const bool array = !list.label;
    lvl_sort_key *order = NULL;
    uint32_t count;

    if (has_none(w, s->field, base)) {
        /* null would not replace the earlier value of a key that occurs twice */
        lvl_buffer_str(w->out, !array ? "{}" : s->kind == LVL_SHAPE_TEXTS || w->joined ? "[]" : "null");
        return;
    }
    if (!lvl_shape_text(s))
        lvl_shapes_inside(&list.inside, shapes, s);
    list.was = elements_of(was, array);
    list.items = list_of(s->field, base, &list.count);
    if (prepare_list(w, &list))
        order = order_items(w, &list, &count);
    lvl_buffer_u8(w->out, array ? '[' : '{');
    for (uint32_t i = 0; order && i < count && w->status == LVL_OK; i++)
        write_entry(w, &list, &order[i], i == 0);
    if (list.was)
        put_text(w, source_text(w, list.was->last, list.was->end));
    lvl_buffer_u8(w->out, array ? ']' : '}');
    free(order);
    free(list.hashes);
    free(list.matches);
    lvl_hash_free(&list.by_key);
}

/* ---- values ------------------------------------------------------------------------------------------ */

static void write_layer(lvl_json_writing *w, const lvl_shapes *shapes, const lvl_shape *s,
                        const lvl_json_piece *was, const uint8_t *base)
{
    lvl_shapes inside;
    uint32_t count;

    const uint8_t *layer = list_of(s->field, base, &count);
    lvl_shapes_inside(&inside, shapes, s);
    if (count)
        write_object(w, &inside, was, NULL, layer);
    else
        lvl_buffer_str(w->out, "{\"size\":128,\"chunks\":{}}");
}

/* `shapes`: the members among which `s` is. */
static void write_value(lvl_json_writing *w, const lvl_shapes *shapes, const lvl_shape *s,
                        const lvl_json_piece *was, const uint8_t *base)
{
    const uint32_t at = lvl_shape_is_group(s) ? 0 : s->field->offset;
    lvl_shapes inside;

    if (was && (!w->repair_all || is_of_kind(s, text_of(w, was))) && is_same(w, shapes, s, was, base)) {
        put_text(w, text_of(w, was));
    } else if (s->kind < LVL_SHAPE_OBJECT) {
        write_scalar(w, s, base);
    } else if (s->kind == LVL_SHAPE_OBJECT) {
        lvl_shapes_inside(&inside, shapes, s);
        write_object(w, &inside, was, NULL, base + at);
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
    const uint8_t *base;
    const lvl_json_pieces *was; /* NULL: none */
    const lvl_field *key; /* the field that its own key is read into; or NULL */
    uint64_t seen, twice; /* a bit for each member whose key the text has, or has again; */
    uint64_t asked, same; /* of those that it has again: whether they are known to have the same content */
    const lvl_json_piece *last[MEMBERS]; /* by member: its last piece */
    bool completed; /* keys that the text does not have are added after the others */
    bool keep_absent; /* they may be absent, as before */
    bool first; /* nothing is written yet */
} object;

/* Finds the pieces of each member. */
static void find_members(object *o)
{
    for (uint32_t i = 0; o->was && i < o->was->count; i++) {
        const uint32_t member = o->was->list[i].member;
        if (member == LVL_NO_INDEX)
            continue;
        o->twice |= o->seen & UINT64_C(1) << member;
        o->seen |= UINT64_C(1) << member;
        o->last[member] = &o->was->list[i];
    }
}

/* Whether an edit keeps earlier values of a key that occurs twice; a repair drops them. */
static bool keeps_earlier(const lvl_json_writing *w)
{
    return !w->repair_all && !w->complete;
}

/* Whether the text may leave out a member: as before, or as the game does. In the last value of a key that
 * occurs twice it may not: an earlier value may have the member. */
static bool may_be_absent(lvl_json_writing *w, const object *o, const lvl_shape *s)
{
    const bool absent = lvl_shape_absent(s, w->inherits, w->index);

    if (w->joined && keeps_earlier(w))
        return o->key && s->field == o->key;
    if (is_inheritable(w, s))
        return !lvl_get_int(o->base, s->field) == !absent && (o->keep_absent || !absent);
    if (!o->keep_absent && !s->omit)
        return false;
    return (o->key && s->field == o->key) || is_default(w, o->shapes, s, o->base);
}

/* Appends members that the text does not have, from number `i` up to one that it has: a new key follows those
 * that the game writes before it, so that the order in which keys were added does not matter. */
static void write_absent(lvl_json_writing *w, object *o, size_t i)
{
    for (; i < o->shapes->count && !(o->seen >> i & 1) && w->status == LVL_OK; i++) {
        const lvl_shape *s = &o->shapes->list[i];
        if (may_be_absent(w, o, s))
            continue;
        begin_entry(w, o->was, false, NULL, s->key, o->first);
        o->first = false;
        write_value(w, o->shapes, s, NULL, o->base);
    }
}

/* The sorted labels of a list's items. A key may occur any number of times, so they are kept: of one record
 * all values of its keys are written before those of the next one. NULL without memory. */
static const lvl_json_labels *labels_of(lvl_json_writing *w, const lvl_field *list, const lvl_field *label,
                                        const uint8_t *base)
{
    lvl_json_labels *last = w->labels + LVL_COUNT_OF(w->labels) - 1, *l = w->labels;

    while (l < last && l->field && l->field != list)
        l++;
    if (l->field == list && l->base == base)
        return l;
    free(l->list);
    *l = (lvl_json_labels){.field = list, .base = base};
    const uint8_t *items = list_of(list, base, &l->count);
    l->list = malloc(((size_t)l->count + 1) * sizeof *l->list);
    if (!l->list) {
        *l = (lvl_json_labels){0};
        return NULL;
    }
    for (uint32_t i = 0; i < l->count; i++)
        l->list[i] = (lvl_sort_key){lvl_get_text(items + (size_t)i * list->item_size, label), i};
    qsort(l->list, l->count, sizeof *l->list, lvl_sort_key_order);
    return l;
}

static int by_label(const void *key, const void *item)
{
    return lvl_text_compare(*(const lvl_text *)key, ((const lvl_sort_key *)item)->name);
}

/* Whether the key of a piece is one of the labels. */
static bool has_label(lvl_json_writing *w, const lvl_json_piece *piece, const lvl_json_labels *labels)
{
    lvl_buffer plain = {0};

    lvl_token_unescape(&plain, source_text(w, piece->key + 1, piece->key + piece->key_len - 1));
    lvl_json_fail(w, plain.status);
    const lvl_text name = lvl_buffer_text(&plain);
    const bool has = bsearch(&name, labels->list, labels->count, sizeof *labels->list, by_label) != NULL;
    lvl_buffer_free(&plain);
    return has;
}

/* Appends a value of a key that occurs again. It stays as it is, since the last one has the whole value; but
 * what is no item of a map any more must not come back from here. */
static void write_earlier(lvl_json_writing *w, const lvl_shapes *shapes, const lvl_shape *s,
                          const lvl_json_piece *piece, const uint8_t *base)
{
    const lvl_json_pieces *was = elements_of(piece, false);
    const lvl_field *label = s->kind >= LVL_SHAPE_RECORDS ? lvl_shape_label(s) : NULL;
    const lvl_json_labels *labels = NULL;
    lvl_shapes inside = {.count = 0};
    uint32_t count = 0;
    bool first = true;

    if (!was || (s->kind != LVL_SHAPE_OBJECT && s->kind != LVL_SHAPE_LAYER && !label)) {
        put_text(w, text_of(w, piece));
        return;
    }
    if (label) {
        labels = labels_of(w, s->field, label, base);
        if (!labels) {
            lvl_json_fail(w, LVL_ERR_MEMORY);
            return;
        }
    } else {
        lvl_shapes_inside(&inside, shapes, s);
        base = s->kind == LVL_SHAPE_LAYER ? list_of(s->field, base, &count)
               : lvl_shape_is_group(s)    ? base
                                          : base + s->field->offset;
    }
    lvl_buffer_u8(w->out, '{');
    for (uint32_t i = 0; i < was->count && w->status == LVL_OK; i++) {
        const lvl_json_piece *p = &was->list[i];
        if (label && !has_label(w, p, labels))
            continue;
        begin_entry(w, was, false, p, no_text, first);
        first = false;
        if (!label && p->member != LVL_NO_INDEX && base)
            write_earlier(w, &inside, &inside.list[p->member], p, base);
        else
            put_text(w, text_of(w, p));
        end_entry(w, p);
    }
    put_text(w, source_text(w, was->last, was->end));
    lvl_buffer_u8(w->out, '}');
}

/* Whether a member whose key occurs twice has the content of the text; found once, as it may occur any number
 * of times. */
static bool doubled_is_same(lvl_json_writing *w, object *o, uint32_t member)
{
    const uint64_t bit = UINT64_C(1) << member;

    if (!(o->asked & bit) && is_same(w, o->shapes, &o->shapes->list[member], o->last[member], o->base))
        o->same |= bit;
    o->asked |= bit;
    return o->same & bit;
}

/* Appends an element of the text, with its member's value as it is now. Duplicate keys are read as one: they
 * stay as they are, or the last one gets the whole value. */
static void write_element(lvl_json_writing *w, object *o, const lvl_json_piece *piece)
{
    const uint32_t number = piece->member;
    const lvl_shape *s = number == LVL_NO_INDEX ? NULL : &o->shapes->list[number];
    const bool last = s && o->last[number] == piece, doubled = s && o->twice >> number & 1;
    const bool stays = !s || (doubled && !o->completed && !w->repair_all && doubled_is_same(w, o, number));

    if (!last && !stays && !keeps_earlier(w))
        return;
    begin_entry(w, o->was, false, piece, no_text, o->first);
    o->first = false;
    const bool joined = w->joined;
    w->joined = joined || doubled;
    if (stays)
        put_text(w, text_of(w, piece));
    else if (!last)
        write_earlier(w, o->shapes, s, piece, o->base);
    else
        write_value(w, o->shapes, s, piece, o->base);
    w->joined = joined;
    end_entry(w, piece);
    if (last && !o->completed)
        write_absent(w, o, number + 1);
}

static void write_object(lvl_json_writing *w, const lvl_shapes *shapes, const lvl_json_piece *was,
                         const lvl_field *key, const uint8_t *base)
{
    const bool completed = w->complete && shapes == &w->root;
    object o = {.shapes = shapes,
                .base = base,
                .was = elements_of(was, false),
                .key = key,
                .completed = completed,
                .keep_absent = was && !w->joined && !completed,
                .first = true};

    if (shapes->table == &lvl_sketchy_layer_table)
        w->chunk_size = ((const lvl_sketchy_layer *)(const void *)base)->size;
    find_members(&o);
    lvl_buffer_u8(w->out, '{');
    if (!completed)
        write_absent(w, &o, 0);
    for (uint32_t i = 0; o.was && i < o.was->count && w->status == LVL_OK; i++)
        write_element(w, &o, &o.was->list[i]);
    /* keys that a repair adds follow the existing ones */
    for (size_t i = 0; completed && i < shapes->count; i++) {
        if (!i || o.seen >> (i - 1) & 1)
            write_absent(w, &o, i);
    }
    if (o.was)
        put_text(w, source_text(w, o.was->last, o.was->end));
    lvl_buffer_u8(w->out, '}');
}

/* ---- documents --------------------------------------------------------------------------------------- */

/* The pieces of the text, if it was read for an edit as what is written now; or NULL. */
static const lvl_noted_text *pieces_of(const lvl_doc *doc, const lvl_json_writing *w)
{
    const lvl_noted_text *text = doc->pieces ? doc->pieces->own : NULL;

    if (!text || (const char *)doc->pieces->source.ptr != w->was.ptr || text->kind != w->root.kind ||
        text->inherits != w->inherits || w->was.len < text->root.value.at + text->root.value.len)
        return NULL;
    return text;
}

/* Reads the text for its pieces, since the document was not read for an edit, was converted or made from a
 * dump. *out stays NULL if the text is broken: then nothing of it can be copied. */
static lvl_status read_pieces(const lvl_json_writing *w, lvl_doc **out)
{
    lvl_doc *again = NULL;

    lvl_status status = lvl_doc_new(&again, w->doc->ctx, w->doc->format);
    if (status != LVL_OK)
        return status;
    lvl_json_reading reading = {.doc = again, .inherits = w->inherits};
    if (again->format->table == &lvl_sketchy_table)
        ((lvl_sketchy *)again->root)->kind = (uint8_t)w->root.kind;
    again->edit = true;
    status = lvl_sketchy_read_json(&reading, w->was);
    if (status == LVL_OK && again->format->table == &lvl_sketchy_table)
        status = lvl_sketchy_sort_layers(again);
    if (status == LVL_OK && again->pieces)
        *out = again;
    else
        lvl_doc_free(again);
    return status == LVL_ERR_FORMAT ? LVL_OK : status;
}

/* Writes the document into its source text, which is empty if it has none. */
static lvl_status write_json(lvl_json_writing *w)
{
    const lvl_doc *doc = w->doc;
    const lvl_noted_text *text = NULL;
    lvl_status status = LVL_OK;
    lvl_doc *again = NULL;

    lvl_sketchy_shapes(&w->root, doc);
    w->inherits =
        w->outside && doc->format->table == &lvl_sketchy_table && w->root.kind == LVL_SKETCHY_DOODAD;
    w->noted = doc;
    if (w->was.len)
        text = pieces_of(doc, w);
    if (w->was.len && !text) {
        status = read_pieces(w, &again);
        w->noted = again;
        text = again ? pieces_of(again, w) : NULL;
    }
    if (text) {
        const lvl_piece *root = &text->root.value;
        w->seed = w->noted->pieces->seed;
        put_text(w, source_text(w, 0, root->at));
        write_object(w, &w->root, &text->root, NULL, doc->root);
        put_text(w, source_text(w, root->at + root->len, w->was.len));
    } else if (status == LVL_OK) {
        write_object(w, &w->root, NULL, NULL, doc->root);
        lvl_buffer_u8(w->out, '\n');
    }
    lvl_doc_free(again);
    for (size_t i = 0; i < LVL_COUNT_OF(w->labels); i++)
        free(w->labels[i].list);
    status = status == LVL_OK ? w->status : status;
    return status == LVL_OK ? w->out->status : status;
}

lvl_status lvl_sketchy_write_json(const lvl_doc *doc, lvl_text was, bool outside, lvl_buffer *out)
{
    lvl_json_writing w = {.doc = doc, .was = was, .out = out, .outside = outside};

    return write_json(&w);
}

lvl_status lvl_sketchy_write_repaired(const lvl_doc *doc, lvl_text was, bool outside, bool complete,
                                      lvl_buffer *out)
{
    lvl_json_writing w = {
        .doc = doc, .was = was, .out = out, .outside = outside, .repair_all = true, .complete = complete};

    return write_json(&w);
}
