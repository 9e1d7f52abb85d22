/*
 * sketchy/json_write.c: records as the game's JSON. Where there is the text that a document was read from, it
 * is gone through alongside the records: what still says what they hold is copied as it is spelled (order and
 * case of keys, unknown ones, numbers, escapes, blanks), what doesn't is written anew in its place. Without
 * such a text it is what Go's encoder writes: keys in the game's order, compact, a line feed at the end. Here
 * are lists and objects; what they hold is in json_values.c.
 */
#include "sketchy/json_values.h"

#include "base/text.h"
#include "codec/tokens.h"

#include <stdlib.h>
#include <string.h>

/* How a text sets its items apart, taken from its own first one. */
typedef struct spacing {
    lvl_text before; /* in front of an item (after the brace or comma) */
    lvl_text colon;  /* ": " */
    lvl_text last;   /* in front of the closing brace */
} spacing;

static void write_object(lvl_json_writing *w, const lvl_shape *shapes, const uint8_t *base,
                         uint32_t chunk_size, lvl_text was);
static void write_value(lvl_json_writing *w, const lvl_shape *s, const uint8_t *base, uint32_t chunk_size,
                        lvl_text was);

/* ---- items of lists ---------------------------------------------------------------------------------- */

static lvl_text item_key(const lvl_shape *s, const uint8_t *item)
{
    return lvl_sketchy_text_at(item + s->name);
}

static void write_item(lvl_json_writing *w, const lvl_shape *s, const uint8_t *item, uint32_t chunk_size,
                       lvl_text was)
{
    switch (s->kind) {
    case LVL_SHAPE_TEXTS:
    case LVL_SHAPE_TEXT_MAP: {
        const lvl_shape text = {
            .key = "", .kind = LVL_SHAPE_TEXT, .offset = s->kind == LVL_SHAPE_TEXTS ? 0 : s->value};
        write_value(w, &text, item, 0, was);
        break;
    }
    case LVL_SHAPE_CHUNKS:
        lvl_sketchy_write_chunk(w, (const lvl_sketchy_chunk *)(const void *)item, chunk_size, was);
        break;
    case LVL_SHAPE_FILES: lvl_sketchy_write_file(w, (const lvl_sketchy_file *)(const void *)item, was); break;
    default: {
        lvl_tokens t;
        lvl_tokens_init(&t, was, LVL_TOKENS_DEPTH);
        const lvl_shape whole = {.key = "", .kind = LVL_SHAPE_OBJECT, .sub = s->sub};
        if (was.len && lvl_tokens_next(&t).kind != LVL_TOKEN_OBJECT) { /* no record: reading left defaults */
            if (!w->repair_all && (s->kind == LVL_SHAPE_MAP || lvl_sketchy_is_default(w, &whole, item))) {
                lvl_sketchy_put(w, was);
                return;
            }
            was.len = 0;
        }
        w->own_name = s->kind == LVL_SHAPE_MAP && was.len ? s->name : UINT32_MAX;
        write_object(w, s->sub, item, chunk_size, was);
    }
    }
}

/* lvl_tokens_skip for the document's own text, in which the chunks were read once and needn't be gone through
 * again. */
static lvl_text skip_value(const lvl_json_writing *w, lvl_tokens *t, const lvl_token *first)
{
    const uint32_t depth = t->depth;
    const lvl_text none = {NULL, 0};
    lvl_token token = *first;

    if (first->kind != LVL_TOKEN_OBJECT)
        return lvl_tokens_skip(t, first);
    while (t->depth >= depth) {
        const lvl_text piece =
            token.kind == LVL_TOKEN_OBJECT ? lvl_sketchy_piece(w->doc, t->start + token.at) : none;
        if (piece.len && piece.len <= (size_t)(t->end - t->start) - token.at)
            lvl_tokens_skip_bytes(t, &token, piece.len);
        else
            lvl_tokens_skip_pairs(t);
        if (t->depth < depth)
            break;
        token = lvl_tokens_next(t);
        if (token.kind == LVL_TOKEN_ERROR)
            return none;
    }
    return (lvl_text){t->start + first->at, lvl_tokens_offset(t) - first->at};
}

/* One element of a list's text. */
typedef struct element {
    lvl_text key, value; /* key: as spelled, with quotes */
    lvl_text before;     /* from the brace or comma to the key or value */
    lvl_text colon;
    lvl_text after; /* from the value to the comma; empty where the brace follows */
    bool used;
} element;

/* Takes an array's or object's text apart; *count elements, in malloc'd memory. `tail`: what stands before
 * the closing brace. NULL without memory or if it breaks off. */
static element *take_apart(lvl_json_writing *w, lvl_text was, bool array, uint32_t *count, lvl_text *tail)
{
    element *list = NULL;
    uint32_t room = 0;
    lvl_tokens t;
    lvl_token token;

    *count = 0;
    lvl_tokens_init(&t, was, LVL_TOKENS_DEPTH);
    token = lvl_tokens_next(&t);
    const char *from = was.ptr + token.at + 1;
    for (;;) {
        token = lvl_tokens_next(&t);
        if (token.kind == LVL_TOKEN_ARRAY_END || token.kind == LVL_TOKEN_OBJECT_END)
            break;
        if (token.kind == LVL_TOKEN_ERROR) {
            free(list);
            return NULL;
        }
        if (*count == room) {
            room = room ? room * 2 : 16;
            element *bigger = realloc(list, room * sizeof *list);
            if (!bigger) {
                w->status = LVL_ERR_MEMORY;
                free(list);
                return NULL;
            }
            list = bigger;
        }
        element *e = &list[*count];
        memset(e, 0, sizeof *e);
        e->before = (lvl_text){from, (size_t)(was.ptr + token.at - from)};
        if (!array) {
            e->key = (lvl_text){was.ptr + token.at, token.text.len + 2};
            const char *end = t.p;
            token = lvl_tokens_next(&t);
            e->colon = (lvl_text){end, (size_t)(was.ptr + token.at - end)};
        }
        e->value = skip_value(w, &t, &token);
        if (!e->value.ptr) {
            free(list);
            return NULL;
        }
        (*count)++;
        from = t.p;
        const char *comma = from;
        while (comma < was.ptr + was.len && *comma != ',' && *comma != ']' && *comma != '}')
            comma++;
        if (comma < was.ptr + was.len && *comma == ',') {
            e->after = (lvl_text){from, (size_t)(comma - from)};
            from = comma + 1;
        }
    }
    *tail = (lvl_text){from, (size_t)(was.ptr + token.at >= from ? was.ptr + token.at - from : 0)};
    if (!list)
        list = calloc(1, sizeof *list);
    if (!list)
        w->status = LVL_ERR_MEMORY;
    return list;
}

/* Whether an element's text says an item. */
static bool element_holds(lvl_json_writing *w, const lvl_shape *s, const element *e, const uint8_t *item,
                          uint32_t chunk_size)
{
    lvl_buffer said = {0}, *out = w->out;

    w->out = &said;
    write_item(w, s, item, chunk_size, e->value);
    w->out = out;
    const bool same =
        said.status == LVL_OK && said.len == e->value.len && !memcmp(said.data, e->value.ptr, said.len);
    lvl_buffer_free(&said);
    return same;
}

static bool key_is(const element *e, lvl_text key)
{
    const lvl_token token = {
        LVL_TOKEN_KEY, {e->key.ptr + 1, e->key.len - 2}, memchr(e->key.ptr, '\\', e->key.len) != NULL, 0};
    lvl_buffer plain = {0};

    if (!token.escaped)
        return lvl_text_equal(token.text, key);
    lvl_token_unescape(&plain, token.text);
    const bool same =
        plain.status == LVL_OK && lvl_text_equal((lvl_text){(const char *)plain.data, plain.len}, key);
    lvl_buffer_free(&plain);
    return same;
}

/* The order in which items are written: arrays as they are; objects as they stand in the text while every key
 * is there, else sorted as Go does. */
static uint32_t *order_items(lvl_json_writing *w, const lvl_shape *s, const uint8_t *items, uint32_t count,
                             const element *was, uint32_t was_count)
{
    uint32_t *order = malloc(((size_t)count + 1) * sizeof *order);
    const bool array = s->kind == LVL_SHAPE_RECORDS || s->kind == LVL_SHAPE_TEXTS;
    bool as_was = array || was_count == count;

    if (!order) {
        w->status = LVL_ERR_MEMORY;
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
        as_was = as_was && (array || key_is(&was[i], item_key(s, items + (size_t)i * s->item)));
    }
    if (as_was)
        return order;
    lvl_sort_key *list = malloc(((size_t)count + 1) * sizeof *list);
    if (!list) {
        w->status = LVL_ERR_MEMORY;
        free(order);
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++)
        list[i] = (lvl_sort_key){item_key(s, items + (size_t)i * s->item), i};
    qsort(list, count, sizeof *list, lvl_sort_key_order);
    for (uint32_t i = 0; i < count; i++)
        order[i] = list[i].index;
    free(list);
    return order;
}

/* The element that an item stands in: of objects the one with its key; of arrays the next that says it, else
 * the next if as many are left as items. */
static element *match(lvl_json_writing *w, const lvl_shape *s, element *list, uint32_t count, uint32_t *from,
                      const uint8_t *item, uint32_t items_left, uint32_t chunk_size)
{
    enum { LOOK_AHEAD = 64 };
    const bool array = s->kind == LVL_SHAPE_RECORDS || s->kind == LVL_SHAPE_TEXTS;

    if (!array) {
        for (uint32_t k = 0; k < count; k++) { /* mostly the next one */
            element *e = &list[(*from + k) % count];
            if (!e->used && key_is(e, item_key(s, item))) {
                *from = (uint32_t)(e - list) + 1;
                e->used = true;
                return e;
            }
        }
        return NULL;
    }
    if (*from >= count)
        return NULL;
    for (uint32_t k = *from; k < count && k < *from + LOOK_AHEAD; k++) {
        if (element_holds(w, s, &list[k], item, chunk_size)) {
            *from = k + 1;
            return &list[k];
        }
        if (count - *from == items_left)
            break; /* as many as before: this one was changed */
    }
    if (count - *from > items_left)
        return &list[*from]; /* some went: whichever, its keys are the best guess */
    if (count - *from == items_left)
        return &list[(*from)++];
    return NULL;
}

static void write_list(lvl_json_writing *w, const lvl_shape *s, const uint8_t *base, uint32_t chunk_size,
                       lvl_text was)
{
    const bool array = s->kind == LVL_SHAPE_RECORDS || s->kind == LVL_SHAPE_TEXTS;
    const bool none = w->outside && (s->flags & LVL_SHAPE_OUTSIDE);
    uint32_t count, was_count = 0, from = 0;
    const uint8_t *items = lvl_sketchy_list_of(s, base, &count);
    spacing sp = {0};
    element *list = NULL;

    sp.colon = lvl_text_of(":");
    if (was.len && !none) {
        list = take_apart(w, was, array, &was_count, &sp.last);
        if (list && was_count) {
            sp.before = was_count > 1 ? list[1].before : list[0].before;
            sp.colon = array ? sp.colon : list[0].colon;
        }
    }
    if (!count || none) {
        /* an empty list's own text, or how the game writes one */
        if (was.len && (none ? lvl_sketchy_is_bare(was) : list && !was_count))
            lvl_sketchy_put(w, was);
        else
            lvl_buffer_str(w->out, s->flags & LVL_SHAPE_NULL ? "null" : array ? "[]" : "{}");
        free(list);
        return;
    }
    uint32_t *order = order_items(w, s, items, count, list, list ? was_count : 0);
    lvl_buffer_u8(w->out, array ? '[' : '{');
    for (uint32_t i = 0; order && i < count && w->status == LVL_OK; i++) {
        const uint8_t *item = items + (size_t)order[i] * s->item;
        const element *e =
            list && was_count ? match(w, s, list, was_count, &from, item, count - i, chunk_size) : NULL;
        if (i)
            lvl_buffer_u8(w->out, ',');
        lvl_sketchy_put(w, e ? e->before : i == 0 && list && was_count ? list[0].before : sp.before);
        if (!array) {
            if (e)
                lvl_sketchy_put(w, e->key);
            else
                lvl_token_quote(w->out, item_key(s, item));
            lvl_sketchy_put(w, e ? e->colon : sp.colon);
        }
        write_item(w, s, item, chunk_size, e ? e->value : (lvl_text){NULL, 0});
        if (e)
            lvl_sketchy_put(w, e->after);
    }
    lvl_sketchy_put(w, sp.last);
    lvl_buffer_u8(w->out, array ? ']' : '}');
    free(order);
    free(list);
}

/* ---- objects ----------------------------------------------------------------------------------------- */

static void write_value(lvl_json_writing *w, const lvl_shape *s, const uint8_t *base, uint32_t chunk_size,
                        lvl_text was)
{
    bool sound;

    if (was.len && lvl_sketchy_is_silent(s, was, &sound)) {
        if ((sound || !w->repair_all) &&
            (lvl_sketchy_is_fields_default(w, s, base) ||
             (w->outside && (s->flags & LVL_SHAPE_OUTSIDE) && lvl_sketchy_is_bare(was)))) {
            lvl_sketchy_put(w, was);
            return;
        }
        was.len = 0;
    }
    if (s->kind < LVL_SHAPE_OBJECT) {
        if (was.len && lvl_sketchy_scalar_holds(w, s, base, was))
            lvl_sketchy_put(w, was);
        else
            lvl_sketchy_write_scalar(w, s, base);
    } else if (s->kind == LVL_SHAPE_OBJECT) {
        write_object(w, s->sub, base + s->offset, chunk_size, was);
    } else if (s->kind == LVL_SHAPE_LAYER) {
        uint32_t count;
        const uint8_t *layer = lvl_sketchy_list_of(s, base, &count);
        if (count)
            write_object(w, s->sub, layer, 0, was);
        else
            lvl_buffer_str(w->out, "{\"size\":128,\"chunks\":{}}");
    } else {
        write_list(w, s, base, chunk_size, was);
    }
}

/* The size of chunks is a member of the very object that holds them. */
static uint32_t size_of(const lvl_shape *shapes, const uint8_t *base, uint32_t was)
{
    for (const lvl_shape *s = shapes; s->key; s++) {
        if (s->kind == LVL_SHAPE_UINT) {
            uint32_t size;
            memcpy(&size, base + s->offset, sizeof size);
            return size;
        }
    }
    return was;
}

static void write_new_member(lvl_json_writing *w, const lvl_shape *s, const uint8_t *base,
                             uint32_t chunk_size, const spacing *sp, bool *first)
{
    if (!*first)
        lvl_buffer_u8(w->out, ',');
    *first = false;
    lvl_sketchy_put(w, sp->before);
    lvl_token_quote(w->out, lvl_text_of(s->key));
    lvl_sketchy_put(w, sp->colon);
    write_value(w, s, base, chunk_size, (lvl_text){NULL, 0});
}

static bool leaves_out(const lvl_json_writing *w, const lvl_shape *s, const uint8_t *base)
{
    return (s->flags & LVL_SHAPE_OMIT) && lvl_sketchy_is_default(w, s, base);
}

static void write_object(lvl_json_writing *w, const lvl_shape *shapes, const uint8_t *base,
                         uint32_t chunk_size, lvl_text was)
{
    const spacing compact = {{NULL, 0}, {":", 1}, {NULL, 0}};
    spacing sp = compact;
    bool first = true;
    uint32_t count = 0;
    uint64_t done = 0;
    element *list = was.len ? take_apart(w, was, false, &count, &sp.last) : NULL;
    const uint32_t own_name = w->own_name;

    w->own_name = UINT32_MAX;
    chunk_size = size_of(shapes, base, chunk_size);
    if (list && count) {
        sp.before = count > 1 ? list[1].before : list[0].before;
        sp.colon = list[0].colon;
    }
    lvl_buffer_u8(w->out, '{');
    for (uint32_t i = 0; list && i < count && w->status == LVL_OK; i++) {
        const lvl_shape *s = NULL;
        lvl_buffer plain = {0};
        const element *e = &list[i];
        lvl_token_unescape(&plain, (lvl_text){e->key.ptr + 1, e->key.len - 2});
        if (plain.status == LVL_OK)
            s = lvl_shape_find(shapes, (lvl_text){(const char *)plain.data, plain.len});
        else
            w->status = plain.status;
        lvl_buffer_free(&plain);
        /* of keys that are there twice the last one says all; the others would be read into the same record
         */
        bool again = false;
        for (uint32_t k = i + 1; s && k < count && !again; k++) {
            const lvl_token later = {LVL_TOKEN_KEY, {list[k].key.ptr + 1, list[k].key.len - 2}, true, 0};
            again = later.text.len == strlen(s->key) && lvl_shape_find(shapes, later.text) == s;
        }
        if (again)
            continue;
        if (!first)
            lvl_buffer_u8(w->out, ',');
        first = false;
        lvl_sketchy_put(w, e->before);
        lvl_sketchy_put(w, e->key);
        lvl_sketchy_put(w, e->colon);
        if (s && s->offset == own_name && s->kind == LVL_SHAPE_TEXT &&
            (!w->repair_all || e->value.ptr[0] == '"'))
            lvl_sketchy_put(w, e->value);
        else if (s)
            write_value(w, s, base, chunk_size, e->value);
        else
            lvl_sketchy_put(w, e->value);
        lvl_sketchy_put(w, e->after);
        if (s)
            done |= UINT64_C(1) << (s - shapes);
    }
    for (const lvl_shape *s = shapes; s->key && w->status == LVL_OK; s++) {
        if ((done >> (s - shapes) & 1) || (list && s->offset == own_name && s->kind == LVL_SHAPE_TEXT))
            continue;
        const bool elsewhere = w->outside && (s->flags & LVL_SHAPE_OUTSIDE);
        const bool added = list && (!w->complete || base != w->doc->root);
        if (added ? !elsewhere && !lvl_sketchy_is_fields_default(w, s, base) : !leaves_out(w, s, base))
            write_new_member(w, s, base, chunk_size, &sp, &first);
    }
    lvl_sketchy_put(w, sp.last);
    lvl_buffer_u8(w->out, '}');
    free(list);
}

static lvl_status write_json(const lvl_doc *doc, lvl_text was, bool outside, bool repair_all, bool complete,
                             lvl_buffer *out)
{
    lvl_json_writing w = {.doc = doc,
                          .out = out,
                          .outside = outside,
                          .repair_all = repair_all,
                          .complete = complete,
                          .own_name = UINT32_MAX};
    lvl_tokens t;

    /* a text that breaks off can't be gone through: it is a spelling of nothing */
    lvl_tokens_init(&t, was, LVL_TOKENS_DEPTH);
    const lvl_token first = lvl_tokens_next(&t);
    if (first.kind == LVL_TOKEN_OBJECT)
        skip_value(&w, &t, &first);
    if (first.kind != LVL_TOKEN_OBJECT || t.error)
        was.len = 0;
    const size_t end = was.len ? lvl_tokens_offset(&t) : 0;
    if (was.len)
        lvl_buffer_add(out, was.ptr, first.at);
    write_object(&w, lvl_sketchy_shape(doc), doc->root, 0,
                 (lvl_text){was.ptr ? was.ptr + first.at : NULL, was.len ? end - first.at : 0});
    if (was.len)
        lvl_buffer_add(out, was.ptr + end, was.len - end);
    else
        lvl_buffer_u8(out, '\n');
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
