/*
 * sketchy/drawing/json_write.c: writes records as the game's JSON. If the document has a source text, that is
 * re-read, and text, old and new record are walked together: a value that is equal in both records is copied
 * with its spelling (order and case of keys, unknown keys, numbers, escapes, blanks); a changed one is
 * written in its place. Without a source the result is what Go's encoder writes: keys in the game's order,
 * compact, a line feed at the end.
 */
#include "sketchy/drawing/drawing_read.h"

#include "base/hash.h"
#include "base/text.h"
#include "codec/json.h"
#include "codec/tokens.h"
#include "sketchy/pixels/chunk_codec.h"

#include <stdlib.h>
#include <string.h>

/* The state of the writer. `status` is the first failure; writing may continue after it. */
typedef struct writing {
    const lvl_doc *doc, *old; /* old: read from the source text; NULL without one */
    lvl_buffer *out;
    bool inherits; /* lvl_shape_absent, of the file that is written */
    uint32_t index; /* of the list's item that is written */
    bool outside; /* chunks and files are members of a zip */
    bool repair_all; /* values of the wrong kind are replaced */
    bool complete; /* keys that the root lacks are added even if they have their defaults */
    lvl_shapes root;
    lvl_text chunks; /* the largest value of the old text, which need not be scanned again */
    lvl_status status;
} writing;

/* The white space of an object or array, taken from its first elements. */
typedef struct spacing {
    lvl_text before; /* in front of an item (after the brace or comma) */
    lvl_text colon; /* ": " */
    lvl_text last; /* in front of the closing brace */
} spacing;

static const lvl_text no_text = {NULL, 0};

static void write_object(writing *w, const lvl_shapes *shapes, const uint8_t *old, const uint8_t *base,
                         uint32_t chunk_size, lvl_text was);
static void write_value(writing *w, const lvl_shapes *shapes, const lvl_shape *s, const uint8_t *old,
                        const uint8_t *base, uint32_t chunk_size, lvl_text was);

static void put_text(writing *w, lvl_text text)
{
    lvl_buffer_add(w->out, text.ptr, text.len);
}

static void fail(writing *w, lvl_status status)
{
    if (status != LVL_OK && w->status == LVL_OK)
        w->status = status;
}

static const uint8_t *list_of(const lvl_field *list, const uint8_t *base, uint32_t *count)
{
    *count = lvl_list_count(base, list);
    return *count ? lvl_list_item(base, list, 0) : NULL;
}

/* ---- members ----------------------------------------------------------------------------------------- */

static bool is_elsewhere(const writing *w, const lvl_field *list, const uint8_t *item)
{
    return w->outside && lvl_sketchy_is_member(list->table, item);
}

/* Whether no item of the list is written in the text. */
static bool has_none(const writing *w, const lvl_field *list, const uint8_t *base)
{
    const uint32_t count = lvl_list_count(base, list);
    uint32_t i = 0;

    while (i < count && is_elsewhere(w, list, lvl_list_item(base, list, i)))
        i++;
    return i == count;
}

/* Whether the game omits the member, since it is optional and has its default. */
static bool is_left_out(const writing *w, const lvl_shape *s, const uint8_t *base)
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

/* Whether it depends on the item's index what a member means that is absent. */
static bool is_inheritable(const writing *w, const lvl_shape *s)
{
    bool depends = false;

    for (uint32_t i = 0; i < LVL_SHAPE_INHERITORS; i++)
        depends = depends || lvl_shape_absent(s, w->inherits, i);
    return depends;
}

static bool same_record(writing *w, const lvl_table *table, const uint8_t *old, const uint8_t *now)
{
    bool same = false;

    fail(w, lvl_sketchy_same(w->old, old, w->doc, now, table, w->outside, &same));
    return same;
}

static bool same_field(writing *w, const lvl_field *field, const uint8_t *old, const uint8_t *now)
{
    const lvl_table one = {.fields = field, .field_count = 1};

    return same_record(w, &one, old, now);
}

static bool same_value(writing *w, const lvl_shapes *shapes, const lvl_shape *s, const uint8_t *old,
                       const uint8_t *now)
{
    lvl_shapes inside;
    bool same = true;

    if (!lvl_shape_is_group(s))
        return same_field(w, s->field, old, now);
    lvl_shapes_inside(&inside, shapes, s);
    for (uint32_t i = 0; i < inside.count && same; i++)
        same = same_value(w, &inside, &inside.list[i], old, now);
    return same;
}

/* ---- single values ----------------------------------------------------------------------------------- */

/* Writes an option's value, without quotes if it is JSON of the option's type. */
static void write_option(writing *w, const lvl_sketchy_option *o)
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

static void write_scalar(writing *w, const lvl_shape *s, const uint8_t *base)
{
    const lvl_field *field = s->field;
    const char *name;
    lvl_sketchy_point point;

    switch (s->kind) {
    case LVL_SHAPE_INT: lvl_json_int(w->out, lvl_get_int(base, field)); break;
    case LVL_SHAPE_BOOL: lvl_buffer_str(w->out, lvl_get_int(base, field) ? "true" : "false"); break;
    case LVL_SHAPE_TEXT: lvl_token_quote(w->out, lvl_get_text(base, field)); break;
    case LVL_SHAPE_POINT:
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
           (s->kind < LVL_SHAPE_OBJECT && s->kind != LVL_SHAPE_POINT && lvl_shape_accepts(s, &token));
}

static void write_chunk(writing *w, const lvl_sketchy_chunk *chunk, uint32_t size)
{
    const lvl_source *source = lvl_sketchy_source(w->doc, chunk->source);
    const bool base64 = chunk->encoding == LVL_SKETCHY_CHUNK_BASE64;
    const size_t from = w->out->len;

    if (w->out->status != LVL_OK) /* no memory, or over the limit: save the time */
        return;
    if (!chunk->pixels.ptr && source && source->kind == LVL_SOURCE_JSON) {
        put_text(w, source->text);
        return;
    }
    fail(w, lvl_sketchy_put_chunk(w->doc, chunk, size,
                                  base64 ? LVL_SKETCHY_CHUNK_BASE64 : LVL_SKETCHY_CHUNK_JSON, NULL, w->out));
    if (w->status == LVL_OK && w->out->len == from)
        lvl_buffer_str(w->out, "{\"type\":0,\"data\":{}}");
}

static void write_file(writing *w, const lvl_sketchy_file *file)
{
    lvl_buffer storage = {0};
    lvl_bytes bytes;

    const lvl_status status = lvl_sketchy_file_data(w->doc, file, &storage, &bytes);
    if (status == LVL_OK || status == LVL_ERR_FORMAT) {
        lvl_buffer_str(w->out, "{\"data\":\"");
        lvl_base64_encode(w->out, bytes);
        lvl_buffer_str(w->out, "\"}");
    } else {
        fail(w, status);
    }
    lvl_buffer_free(&storage);
}

/* ---- elements of the source text --------------------------------------------------------------------- */

/* One element of a list's or an object's text. */
typedef struct element {
    lvl_text key, value; /* key: as spelled, with quotes */
    lvl_text before; /* from the brace or comma to the key or value */
    lvl_text colon;
    lvl_text after; /* from the value to the comma; empty where the brace follows */
    const lvl_shape *shape; /* of an object's member; NULL: unknown */
    uint32_t next; /* the next element with this key; NONE */
    uint32_t first_free; /* of the last element with a key: the first one that may be unused; NONE */
    bool used;
} element;

typedef struct elements {
    element *list; /* freed by the caller */
    size_t room;
    uint32_t count;
    bool array; /* not an object */
    spacing spacing;
} elements;

/* lvl_tokens_skip, without scanning the object of chunks. */
static lvl_text skip_value(const writing *w, lvl_tokens *t, const lvl_token *first)
{
    if (!w->chunks.len || t->start + first->at != w->chunks.ptr)
        return lvl_tokens_skip(t, first);
    t->p = w->chunks.ptr + w->chunks.len;
    t->expect = LVL_WANT_COMMA;
    t->depth--;
    return w->chunks;
}

/* Splits the text of an array or object into its elements; none if it is another value. */
static elements split(writing *w, lvl_text was, bool array)
{
    elements all = {.array = array, .spacing = {no_text, {":", 1}, no_text}};
    lvl_tokens t;

    lvl_tokens_init(&t, was, LVL_TOKENS_DEPTH);
    lvl_token token = lvl_tokens_next(&t);
    if (!was.len || token.kind != (array ? LVL_TOKEN_ARRAY : LVL_TOKEN_OBJECT))
        return all;
    const char *from = was.ptr + token.at + 1, *end = was.ptr + was.len;
    while ((token = lvl_tokens_next(&t)).kind != LVL_TOKEN_ARRAY_END && token.kind != LVL_TOKEN_OBJECT_END &&
           token.kind != LVL_TOKEN_ERROR) {
        if (!lvl_grow(&all.list, &all.room, (size_t)all.count + 1, sizeof *all.list)) {
            fail(w, LVL_ERR_MEMORY);
            return all;
        }
        element *e = &all.list[all.count++];
        *e = (element){.before = {from, (size_t)(was.ptr + token.at - from)}};
        if (!array) {
            e->key = (lvl_text){was.ptr + token.at, token.text.len + 2};
            const char *behind = t.p;
            token = lvl_tokens_next(&t);
            e->colon = (lvl_text){behind, (size_t)(was.ptr + token.at - behind)};
        }
        e->value = skip_value(w, &t, &token);
        from = t.p;
        const char *comma = from;
        while (comma < end && *comma != ',' && *comma != ']' && *comma != '}')
            comma++;
        if (comma < end && *comma == ',') {
            e->after = (lvl_text){from, (size_t)(comma - from)};
            from = comma + 1;
        }
    }
    all.spacing.last = (lvl_text){from, (size_t)(was.ptr + token.at >= from ? was.ptr + token.at - from : 0)};
    if (all.count) {
        all.spacing.before = all.list[all.count > 1].before;
        all.spacing.colon = array ? all.spacing.colon : all.list[0].colon;
    }
    return all;
}

/* Appends what precedes a value: the comma, the white space of the text, and in an object the key. `e`: the
 * element of the source; NULL: it is new, and `name` its key. */
static void begin_entry(writing *w, const elements *text, const element *e, lvl_text name, bool first)
{
    if (!first)
        lvl_buffer_u8(w->out, ',');
    if (first)
        put_text(w, text->count ? text->list[0].before : no_text);
    else
        put_text(w, e && e != text->list ? e->before : text->spacing.before);
    if (text->array)
        return;
    if (e)
        put_text(w, e->key);
    else
        lvl_token_quote(w->out, name);
    put_text(w, e ? e->colon : text->spacing.colon);
}

static bool key_is(const element *e, lvl_text key)
{
    const lvl_text spelled = {e->key.ptr + 1, e->key.len - 2};
    lvl_buffer plain = {0};

    if (!memchr(spelled.ptr, '\\', spelled.len))
        return lvl_text_equal(spelled, key);
    lvl_token_unescape(&plain, spelled);
    const bool same =
        plain.status == LVL_OK && lvl_text_equal((lvl_text){(const char *)plain.data, plain.len}, key);
    lvl_buffer_free(&plain);
    return same;
}

/* ---- lists ------------------------------------------------------------------------------------------- */

/* A list to be written. */
typedef struct list_shape {
    const lvl_shape *shape;
    const lvl_field *field;
    const lvl_field *label; /* the items' field that is their key; NULL: the list is an array */
    const lvl_table *table; /* of the items, */
    lvl_shapes inside; /* and their members, where they are objects */
} list_shape;

/* The order in which items are written: arrays as they are; objects in the order of the source if it has
 * exactly these keys in the list's order, else sorted as Go does. */
static lvl_sort_key *order_items(writing *w, const list_shape *s, const uint8_t *items, uint32_t *count,
                                 const elements *was)
{
    lvl_sort_key *order = malloc(((size_t)*count + 1) * sizeof *order);
    uint32_t here = 0;

    if (!order) {
        fail(w, LVL_ERR_MEMORY);
        return NULL;
    }
    for (uint32_t i = 0; i < *count; i++) {
        const uint8_t *item = items + (size_t)i * s->field->item_size;
        if (!is_elsewhere(w, s->field, item))
            order[here++] = (lvl_sort_key){s->label ? lvl_get_text(item, s->label) : no_text, i};
    }
    bool as_was = !s->label || was->count == here;
    for (uint32_t i = 0; i < here; i++)
        as_was = as_was && (!s->label || key_is(&was->list[i], order[i].name));
    if (!as_was)
        qsort(order, here, sizeof *order, lvl_sort_key_order);
    *count = here;
    return order;
}

/* The source text of a list, and the items that were read from it. */
typedef struct old_list {
    elements text;
    const uint8_t *items;
    uint32_t count, at; /* at: after the element that was found last */
    uint32_t first_unused; /* of an array's elements */
    const uint8_t *now; /* the items that are written, */
    uint32_t now_count; /* and how many */
    lvl_hash by_key, by_label; /* elements by key, items by label; filled when they are needed */
} old_list;

enum { NONE = UINT32_MAX };

/* The last element that has a key, by its hash; NULL: none. */
static element *find_last(const old_list *old, uint64_t hash, lvl_text key)
{
    for (lvl_hash_at at = lvl_hash_first(&old->by_key, hash); at.found;
         at = lvl_hash_next(&old->by_key, at)) {
        if (key_is(&old->text.list[at.index], key))
            return &old->text.list[at.index];
    }
    return NULL;
}

/* Fills `by_key` with the last element of each key, which knows the first of them. */
static void hash_keys(writing *w, old_list *old)
{
    lvl_buffer plain = {0};

    lvl_hash_init(&old->by_key);
    for (uint32_t i = old->text.count; i-- > 0 && w->status == LVL_OK;) {
        element *e = &old->text.list[i];
        plain.len = 0;
        lvl_token_unescape(&plain, (lvl_text){e->key.ptr + 1, e->key.len - 2});
        fail(w, plain.status);
        const uint64_t hash = lvl_hash_bytes(&old->by_key.seed, plain.data, plain.len);
        element *last = find_last(old, hash, (lvl_text){(const char *)plain.data, plain.len});
        if (!last) {
            last = e;
            last->first_free = NONE;
            fail(w, lvl_hash_add(&old->by_key, hash, i));
        }
        e->next = last->first_free;
        last->first_free = i;
    }
    lvl_buffer_free(&plain);
}

/* An element with the item's label as its key that is not used yet; mostly the next one. */
static element *find_labelled(writing *w, const list_shape *s, old_list *old, const uint8_t *item)
{
    const lvl_text label = lvl_get_text(item, s->label);
    element *e = old->text.list && old->at < old->text.count ? &old->text.list[old->at] : NULL;

    if (!old->text.list)
        return NULL;
    if (!e || e->used || !key_is(e, label)) {
        if (!old->by_key.count)
            hash_keys(w, old);
        element *last = w->status == LVL_OK
                            ? find_last(old, lvl_hash_bytes(&old->by_key.seed, label.ptr, label.len), label)
                            : NULL;
        while (last && last->first_free != NONE && old->text.list[last->first_free].used)
            last->first_free = old->text.list[last->first_free].next;
        if (!last || last->first_free == NONE)
            return NULL;
        e = &old->text.list[last->first_free];
    }
    e->used = true;
    old->at = (uint32_t)(e - old->text.list) + 1;
    return e;
}

/* Whether the item that element `index` was read into equals `item`. */
static bool has_item(writing *w, const list_shape *s, const old_list *old, uint32_t index,
                     const uint8_t *item)
{
    return same_record(w, s->table, old->items + (size_t)index * s->field->item_size, item);
}

/* The element of an array's item that changed its position: it holds exactly that item, and not the item that
 * now has its number. */
static element *find_moved(writing *w, const list_shape *s, const old_list *old, uint32_t index)
{
    enum { LOOK_AROUND = 64 };
    const size_t size = s->field->item_size;
    const uint32_t from = index > LOOK_AROUND ? index - LOOK_AROUND : 0;

    for (uint32_t k = from; k < old->count && k < index + LOOK_AROUND; k++) {
        element *e = &old->text.list[k];
        if (!e->used && has_item(w, s, old, k, old->now + (size_t)index * size) &&
            !has_item(w, s, old, k, old->now + (size_t)k * size))
            return e;
    }
    return NULL;
}

/* The element of an item: in objects the one with its key; in arrays the next one that holds it, else the
 * next one if as many elements as items are left. */
static element *find_element(writing *w, const list_shape *s, old_list *old, const uint8_t *item,
                             uint32_t items_left)
{
    enum { LOOK_AHEAD = 64 };
    const uint32_t count = old->text.count;

    if (s->label)
        return find_labelled(w, s, old, item);
    if (old->now_count == count && old->count == count) {
        const uint32_t index = old->now_count - items_left;
        element *e = &old->text.list[index];
        if (e->used || !has_item(w, s, old, index, item)) {
            element *moved = find_moved(w, s, old, index);
            while (!moved && e->used && old->first_unused < count)
                e = &old->text.list[old->first_unused++];
            e = moved ? moved : e;
        }
        e->used = true;
        return e;
    }
    if (old->at >= count)
        return NULL;
    const uint32_t left = count - old->at, ahead = left == items_left ? 1 : LOOK_AHEAD;
    for (uint32_t k = old->at; k < old->count && k < old->at + ahead; k++) {
        if (has_item(w, s, old, k, item)) {
            old->at = k + 1;
            return &old->text.list[k];
        }
    }
    if (left > items_left)
        return &old->text.list[old->at]; /* some items were removed: the next element is the best guess */
    return left == items_left ? &old->text.list[old->at++] : NULL;
}

/* Fills `by_label` with the first item of each label. */
static void hash_labels(writing *w, const list_shape *s, old_list *old)
{
    lvl_hash_init(&old->by_label);
    for (uint32_t i = 0; i < old->count && w->status == LVL_OK; i++) {
        const lvl_text label = lvl_get_text(old->items + (size_t)i * s->field->item_size, s->label);
        const uint64_t hash = lvl_hash_bytes(&old->by_label.seed, label.ptr, label.len);
        lvl_hash_at at = lvl_hash_first(&old->by_label, hash);
        while (at.found &&
               !lvl_text_equal(lvl_get_text(old->items + (size_t)at.index * s->field->item_size, s->label),
                               label))
            at = lvl_hash_next(&old->by_label, at);
        if (!at.found)
            fail(w, lvl_hash_add(&old->by_label, hash, i));
    }
}

/* The item that an element was read into; NULL: none. `item`: the one that is written there, with its
 * label. */
static const uint8_t *old_item(writing *w, const list_shape *s, old_list *old, const element *e,
                               const uint8_t *item)
{
    const uint32_t index = (uint32_t)(e - old->text.list);
    const uint8_t *same = index < old->count ? old->items + (size_t)index * s->field->item_size : NULL;

    if (!s->label)
        return old->count ? old->items + (size_t)(index % old->count) * s->field->item_size : NULL;
    const lvl_text label = lvl_get_text(item, s->label);
    if (same && lvl_text_equal(lvl_get_text(same, s->label), label))
        return same;
    if (!old->by_label.count)
        hash_labels(w, s, old);
    const uint64_t hash = lvl_hash_bytes(&old->by_label.seed, label.ptr, label.len);
    for (lvl_hash_at at = lvl_hash_first(&old->by_label, hash); at.found;
         at = lvl_hash_next(&old->by_label, at)) {
        same = old->items + (size_t)at.index * s->field->item_size;
        if (lvl_text_equal(lvl_get_text(same, s->label), label))
            return same;
    }
    return NULL;
}

/* Whether an element, copied to another index, means what it meant. */
static bool may_move(const writing *w, const list_shape *list, uint32_t from, uint32_t to)
{
    return !w->inherits || from == to || list->table != &lvl_sketchy_swatch_table ||
           (from >= LVL_SHAPE_INHERITORS && to >= LVL_SHAPE_INHERITORS);
}

/* `moved`: its text may not be copied as a whole. */
static void write_item(writing *w, const list_shape *list, const uint8_t *old, const uint8_t *item,
                       uint32_t chunk_size, lvl_text was, bool moved)
{
    const lvl_shape *s = list->shape, text = {.kind = LVL_SHAPE_TEXT, .field = lvl_shape_text(s)};
    const bool keep = (!w->repair_all && !moved) || (lvl_shape_is_outside(s) && was.len && *was.ptr == '{');

    if (text.field)
        write_value(w, NULL, &text, old, item, 0, was);
    else if (was.len && old && keep && same_record(w, list->table, old, item))
        put_text(w, was);
    else if (s->kind == LVL_SHAPE_CHUNKS)
        write_chunk(w, (const void *)item, chunk_size);
    else if (s->kind == LVL_SHAPE_FILES)
        write_file(w, (const void *)item);
    else
        write_object(w, &list->inside, old, item, chunk_size, was);
}

static void write_list(writing *w, const lvl_shapes *shapes, const lvl_shape *shape, const uint8_t *old,
                       const uint8_t *base, uint32_t chunk_size, lvl_text was)
{
    list_shape s = {.shape = shape,
                    .field = shape->field,
                    .label = lvl_shape_label(shape),
                    .table = lvl_shape_table(shape)};
    const bool array = !s.label;
    uint32_t count;
    const uint8_t *items = list_of(s.field, base, &count);
    old_list list = {.text = split(w, was, array)};

    if (has_none(w, s.field, base)) {
        lvl_buffer_str(w->out, shape->kind == LVL_SHAPE_RECORDS ? "null" : array ? "[]" : "{}");
        free(list.text.list);
        return;
    }
    if (!lvl_shape_text(shape))
        lvl_shapes_inside(&s.inside, shapes, shape);
    if (old)
        list.items = list_of(s.field, old, &list.count);
    list.now = items;
    list.now_count = count;
    lvl_sort_key *order = order_items(w, &s, items, &count, &list.text);
    lvl_buffer_u8(w->out, array ? '[' : '{');
    for (uint32_t i = 0; order && i < count && w->status == LVL_OK; i++) {
        const uint8_t *item = items + (size_t)order[i].index * s.field->item_size;
        const element *e = list.text.count ? find_element(w, &s, &list, item, count - i) : NULL;
        begin_entry(w, &list.text, e, order[i].name, i == 0);
        const bool moved = e && !may_move(w, &s, (uint32_t)(e - list.text.list), order[i].index);
        w->index = order[i].index;
        write_item(w, &s, e ? old_item(w, &s, &list, e, item) : NULL, item, chunk_size,
                   e ? e->value : no_text, moved);
        if (e)
            put_text(w, e->after);
    }
    put_text(w, list.text.spacing.last);
    lvl_buffer_u8(w->out, array ? ']' : '}');
    free(order);
    free(list.text.list);
    lvl_hash_free(&list.by_key);
    lvl_hash_free(&list.by_label);
}

/* ---- objects ----------------------------------------------------------------------------------------- */

/* `shapes`: the members among which `s` is; NULL for an item that is a string. */
static void write_value(writing *w, const lvl_shapes *shapes, const lvl_shape *s, const uint8_t *old,
                        const uint8_t *base, uint32_t chunk_size, lvl_text was)
{
    const uint32_t at = lvl_shape_is_group(s) ? 0 : s->field->offset;
    lvl_shapes inside;
    uint32_t count;

    if (was.len && old && (!w->repair_all || is_of_kind(s, was)) && same_value(w, shapes, s, old, base)) {
        put_text(w, was);
    } else if (s->kind < LVL_SHAPE_OBJECT) {
        write_scalar(w, s, base);
    } else if (s->kind == LVL_SHAPE_OBJECT) {
        lvl_shapes_inside(&inside, shapes, s);
        write_object(w, &inside, old ? old + at : NULL, base + at, chunk_size, was);
    } else if (s->kind == LVL_SHAPE_LAYER) {
        const uint8_t *old_layer = old ? list_of(s->field, old, &count) : NULL,
                      *layer = list_of(s->field, base, &count);
        lvl_shapes_inside(&inside, shapes, s);
        if (count)
            write_object(w, &inside, old_layer, layer, 0, was);
        else
            lvl_buffer_str(w->out, "{\"size\":128,\"chunks\":{}}");
    } else {
        write_list(w, shapes, s, old, base, chunk_size, was);
    }
}

/* The size of chunks is a member of the object that holds them. */
static uint32_t size_of(const lvl_shapes *shapes, const uint8_t *base, uint32_t was)
{
    return shapes->table == &lvl_sketchy_layer_table ? ((const lvl_sketchy_layer *)(const void *)base)->size
                                                     : was;
}

/* The member that an element is; NULL: unknown. */
static const lvl_shape *shape_of(writing *w, const lvl_shapes *shapes, const element *e)
{
    lvl_buffer plain = {0};

    lvl_token_unescape(&plain, (lvl_text){e->key.ptr + 1, e->key.len - 2});
    fail(w, plain.status);
    const lvl_shape *s = lvl_shape_find(shapes, (lvl_text){(const char *)plain.data, plain.len});
    lvl_buffer_free(&plain);
    return s;
}

/* An object to be written. */
typedef struct object {
    const lvl_shapes *shapes;
    const uint8_t *old, *base;
    uint32_t chunk_size;
    elements text;
    uint64_t seen; /* a bit for each member whose key the text has */
    bool keep_absent;
    bool first; /* nothing is written yet */
} object;

/* Whether the text may lack a member. */
static bool may_be_absent(writing *w, const object *o, const lvl_shape *s)
{
    const bool absent = lvl_shape_absent(s, w->inherits, w->index);

    if (is_inheritable(w, s))
        return !lvl_get_int(o->base, s->field) == !absent && (o->keep_absent || !absent);
    return o->keep_absent ? same_value(w, o->shapes, s, o->old, o->base) : is_left_out(w, s, o->base);
}

/* Appends members that the text lacks, from number `i` up to one that it has: a new key follows those that
 * the game writes before it, so that the order in which keys were added does not matter. */
static void write_absent(writing *w, object *o, size_t i)
{
    for (; i < o->shapes->count && !(o->seen >> i & 1) && w->status == LVL_OK; i++) {
        const lvl_shape *s = &o->shapes->list[i];
        if (may_be_absent(w, o, s))
            continue;
        begin_entry(w, &o->text, NULL, s->key, o->first);
        o->first = false;
        write_value(w, o->shapes, s, NULL, o->base, o->chunk_size, no_text);
    }
}

static void write_object(writing *w, const lvl_shapes *shapes, const uint8_t *old, const uint8_t *base,
                         uint32_t chunk_size, lvl_text was)
{
    const bool completed = w->complete && shapes == &w->root;
    object o = {.shapes = shapes,
                .old = old,
                .base = base,
                .chunk_size = size_of(shapes, base, chunk_size),
                .text = split(w, was, false),
                .keep_absent = old && was.len && !completed,
                .first = true};
    uint64_t twice = 0;
    uint32_t last[64] = {0}; /* element of each */

    for (uint32_t i = 0; i < o.text.count; i++) {
        const lvl_shape *s = o.text.list[i].shape = shape_of(w, shapes, &o.text.list[i]);
        const uint64_t bit = s ? UINT64_C(1) << (s - shapes->list) : 0;
        twice |= o.seen & bit;
        o.seen |= bit;
        if (s)
            last[s - shapes->list] = i;
    }
    lvl_buffer_u8(w->out, '{');
    if (!completed)
        write_absent(w, &o, 0);
    for (uint32_t i = 0; i < o.text.count && w->status == LVL_OK; i++) {
        const element *e = &o.text.list[i];
        const lvl_shape *s = e->shape;
        const size_t number = s ? (size_t)(s - shapes->list) : 0;
        /* duplicate keys are read as one: they stay as they are, or the last one gets the whole value */
        const bool doubled = s && twice >> number & 1, stays = doubled && !completed && !w->repair_all &&
                                                               old && same_value(w, shapes, s, old, base);
        if (s && last[number] != i && !stays)
            continue;
        begin_entry(w, &o.text, e, e->key, o.first);
        o.first = false;
        if (s && !stays)
            write_value(w, shapes, s, doubled ? NULL : old, base, o.chunk_size, e->value);
        else
            put_text(w, e->value);
        put_text(w, e->after);
        if (s && !completed && last[number] == i)
            write_absent(w, &o, number + 1);
    }
    /* keys that a repair adds follow the existing ones */
    for (size_t i = 0; completed && i < shapes->count; i++) {
        if (!i || o.seen >> (i - 1) & 1)
            write_absent(w, &o, i);
    }
    put_text(w, o.text.spacing.last);
    lvl_buffer_u8(w->out, '}');
    free(o.text.list);
}

/* Re-reads the source text; *used bytes of it are the document. *out stays NULL if it is broken: then nothing
 * of it can be copied. `inherits`: of the file that is written, as that says what a copied text means. */
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

static lvl_status write_json(const lvl_doc *doc, lvl_text was, bool outside, bool repair_all, bool complete,
                             lvl_buffer *out)
{
    writing w = {.doc = doc, .out = out, .outside = outside, .repair_all = repair_all, .complete = complete};
    size_t used = 0, from = 0;
    lvl_doc *old = NULL;

    w.inherits = outside && doc->format->table == &lvl_sketchy_table &&
                 ((const lvl_sketchy *)doc->root)->kind == LVL_SKETCHY_DOODAD;
    const lvl_status status = was.len ? reread(doc, was, w.inherits, &old, &used, &w.chunks) : LVL_OK;
    if (status != LVL_OK)
        return status;
    w.old = old;
    if (!old)
        was = no_text;
    while (from < was.len && was.ptr[from] != '{')
        from++;
    put_text(&w, (lvl_text){was.ptr, from});
    lvl_sketchy_shapes(&w.root, doc);
    write_object(&w, &w.root, old ? old->root : NULL, doc->root, 0,
                 old ? (lvl_text){was.ptr + from, used - from} : no_text);
    if (old)
        lvl_buffer_add(out, was.ptr + used, was.len - used);
    else
        lvl_buffer_u8(out, '\n');
    lvl_doc_free(old);
    return w.status == LVL_OK ? out->status : w.status;
}

lvl_status lvl_sketchy_write_json(const lvl_doc *doc, lvl_text was, bool outside, lvl_buffer *out)
{
    return write_json(doc, was, outside, false, false, out);
}

lvl_status lvl_sketchy_write_repaired(const lvl_doc *doc, lvl_text was, bool outside, bool complete,
                                      lvl_buffer *out)
{
    return write_json(doc, was, outside, true, complete, out);
}
