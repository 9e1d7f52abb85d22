/*
 * sketchy/json_write.c: records as the game's JSON. Where there is the text that a document was read from, it is gone through alongside the records: what
 * still says what they hold is copied as it is spelled (order and case of keys, unknown ones, numbers, escapes, blanks), what doesn't is written
 * anew in its place. Without such a text it is what Go's encoder writes: keys in the game's order, compact, a line feed at the end.
 */
#include "sketchy/drawing.h"

#include "base/text.h"
#include "codec/json.h"
#include "codec/tokens.h"
#include "sketchy/chunk_codec.h"

#include <stdlib.h>
#include <string.h>

typedef struct writer {
    const lvl_doc *doc;
    lvl_buffer *out;
    bool outside;  /* chunks and files are elsewhere */
    bool mend;     /* what is of the wrong kind isn't kept, */
    bool complete; /* and what the root lacks is added even if it is the default */
    uint32_t most; /* nesting */
    uint32_t
        own_name; /* of the object written next: the member that its key in the map has said already, or UINT32_MAX */
    lvl_status status;
} writer;

/* How a text sets its items apart, taken from its own first one. */
typedef struct spacing {
    lvl_text before; /* in front of an item (after the brace or comma) */
    lvl_text colon;  /* ": " */
    lvl_text last;   /* in front of the closing brace */
} spacing;

static void write_object(writer *w, const lvl_shape *shapes, const uint8_t *base, uint32_t chunk_size,
                         lvl_text was);
static void write_value(writer *w, const lvl_shape *s, const uint8_t *base, uint32_t chunk_size,
                        lvl_text was);

static void put(writer *w, lvl_text text)
{
    lvl_buffer_add(w->out, text.ptr, text.len);
}

static const void *list_of(const lvl_shape *s, const uint8_t *base, uint32_t *count)
{
    const void *items;

    memcpy(&items, base + s->offset, sizeof items);
    memcpy(count, base + s->count, sizeof *count);
    return items;
}

static lvl_text text_at(const uint8_t *p)
{
    lvl_text t;

    memcpy(&t, p, sizeof t);
    return t;
}

static int64_t int_at(const uint8_t *p)
{
    int64_t v;

    memcpy(&v, p, sizeof v);
    return v;
}

/* ---- scalars ------------------------------------------------------------------------------------------------------------------------- */

static const char *const option_types[] = {"bool", "str", "int"};

static void write_point(writer *w, const lvl_sketchy_point *p)
{
    lvl_buffer_printf(w->out, "\"%lld,%lld\"", (long long)p->x, (long long)p->y);
}

/* An option's value: bare where that is JSON of its type. */
static void write_option(writer *w, const lvl_sketchy_option *o)
{
    lvl_tokens t;

    lvl_tokens_init(&t, o->value, 4);
    const lvl_token token = lvl_tokens_next(&t);
    const bool alone = token.kind != LVL_TOKEN_ERROR && token.text.len == o->value.len;
    if (alone &&
        ((o->type == LVL_SKETCHY_BOOL && (token.kind == LVL_TOKEN_TRUE || token.kind == LVL_TOKEN_FALSE)) ||
         (o->type == LVL_SKETCHY_INT && token.kind == LVL_TOKEN_NUMBER)))
        put(w, o->value);
    else
        lvl_token_quote(w->out, o->value);
}

static void write_scalar(writer *w, const lvl_shape *s, const uint8_t *base)
{
    const uint8_t *p = base + s->offset;
    lvl_sketchy_point point;
    uint32_t u;

    switch (s->kind) {
    case LVL_SHAPE_INT: lvl_json_int(w->out, int_at(p)); break;
    case LVL_SHAPE_UINT:
        memcpy(&u, p, sizeof u);
        lvl_json_uint(w->out, u);
        break;
    case LVL_SHAPE_BOOL: lvl_buffer_str(w->out, *p ? "true" : "false"); break;
    case LVL_SHAPE_TEXT: lvl_token_quote(w->out, text_at(p)); break;
    case LVL_SHAPE_POINT:
        memcpy(&point, p, sizeof point);
        write_point(w, &point);
        break;
    case LVL_SHAPE_OPTION_TYPE: lvl_token_quote(w->out, lvl_text_of(option_types[*p < 3 ? *p : 0])); break;
    default: write_option(w, (const lvl_sketchy_option *)(const void *)base); break;
    }
}

/* Whether the text, one scalar, says what the member holds. */
static bool scalar_holds(writer *w, const lvl_shape *s, const uint8_t *base, lvl_text was)
{
    lvl_buffer said = {0}, *out = w->out;
    lvl_tokens t;
    bool same = false;

    lvl_tokens_init(&t, was, 4);
    const lvl_token token = lvl_tokens_next(&t);
    w->out = &said;
    write_scalar(w, s, base);
    w->out = out;
    if (said.status != LVL_OK) {
        w->status = said.status;
    } else if (said.len == was.len && memcmp(said.data, was.ptr, was.len) == 0) {
        same = true;
    } else if (token.kind == LVL_TOKEN_STRING && said.data[0] == '"') { /* other escapes, the same text */
        lvl_buffer a = {0}, b = {0};
        lvl_token_unescape(&a, token.text);
        lvl_token_unescape(&b, (lvl_text){(const char *)said.data + 1, said.len - 2});
        lvl_text at = {(const char *)a.data, a.len}, bt = {(const char *)b.data, b.len};
        same = a.status == LVL_OK && b.status == LVL_OK &&
               (lvl_text_equal(at, bt) || /* or broken UTF-8, which is never written afresh */
                ((s->kind == LVL_SHAPE_TEXT || s->kind == LVL_SHAPE_OPTION_VALUE) &&
                 lvl_text_equal(at, text_at(base + s->offset))));
        if (!same && s->kind == LVL_SHAPE_POINT) { /* "+3,1" */
            lvl_sketchy_point p, q;
            memcpy(&p, base + s->offset, sizeof p);
            same = lvl_sketchy_take_point(at, &q) && q.x == p.x && q.y == p.y;
        }
        lvl_buffer_free(&a);
        lvl_buffer_free(&b);
    } else if (s->kind == LVL_SHAPE_OPTION_VALUE && token.kind == LVL_TOKEN_STRING) { /* "true" of a bool */
        lvl_buffer a = {0};
        lvl_token_unescape(&a, token.text);
        same = a.status == LVL_OK &&
               lvl_text_equal((lvl_text){(const char *)a.data, a.len}, text_at(base + s->offset));
        lvl_buffer_free(&a);
    } else if (s->kind == LVL_SHAPE_OPTION_VALUE && token.kind != LVL_TOKEN_STRING &&
               token.kind != LVL_TOKEN_ERROR) {
        same =
            lvl_text_equal(token.text, text_at(base + s->offset)); /* a value of another type than it says */
    } else if (s->kind == LVL_SHAPE_INT || s->kind == LVL_SHAPE_UINT) {
        int64_t v;
        uint32_t u;
        memcpy(&u, base + s->offset, sizeof u);
        same = lvl_token_int(&token, &v) &&
               v == (s->kind == LVL_SHAPE_INT ? int_at(base + s->offset) : (int64_t)u);
    }
    lvl_buffer_free(&said);
    return same;
}

/* Whether a member holds what reading leaves in it where the document says nothing; what is elsewhere, the document never says. */
static bool is_default(const writer *w, const lvl_shape *s, const uint8_t *base)
{
    lvl_sketchy_point point;
    uint32_t n;

    switch (s->kind) {
    case LVL_SHAPE_INT: return int_at(base + s->offset) == 0;
    case LVL_SHAPE_UINT: memcpy(&n, base + s->offset, sizeof n); return n == LVL_SKETCHY_CHUNK_SIZE;
    case LVL_SHAPE_BOOL: return base[s->offset] == 0;
    case LVL_SHAPE_TEXT: return text_at(base + s->offset).len == 0;
    case LVL_SHAPE_POINT: memcpy(&point, base + s->offset, sizeof point); return !point.x && !point.y;
    case LVL_SHAPE_OPTION_TYPE: return base[s->offset] == 0;
    case LVL_SHAPE_OPTION_VALUE: return text_at(base + s->offset).len == 0;
    case LVL_SHAPE_LAYER: {
        const uint8_t *layer = list_of(s, base, &n);
        for (const lvl_shape *m = s->sub; n && m->key; m++) {
            if (!is_default(w, m, layer))
                return false;
        }
        return n < 2;
    }
    case LVL_SHAPE_OBJECT:
        for (const lvl_shape *m = s->sub; m->key; m++) {
            if (!is_default(w, m, base + s->offset))
                return false;
        }
        return true;
    default:
        if (w->outside && (s->flags & LVL_SHAPE_OUTSIDE))
            return true;
        list_of(s, base, &n);
        return n == 0;
    }
}

/* The same for a member of the root, whose defaults are the tables'. */
static bool is_fields_default(const writer *w, const lvl_shape *s, const uint8_t *base)
{
    if (base == w->doc->root && s->kind < LVL_SHAPE_OBJECT) {
        const lvl_field *f = lvl_table_at(w->doc->format->table, s->offset);
        return f && lvl_field_is_default(base, f);
    }
    if (base == w->doc->root && s->kind == LVL_SHAPE_OBJECT && !s->offset) {
        for (const lvl_shape *m = s->sub; m->key; m++) {
            if (!is_fields_default(w, m, base))
                return false;
        }
        return true;
    }
    return is_default(w, s, base);
}

/* {}, [] or null, however spaced: nothing that a zip keeps elsewhere. */
static bool is_bare(lvl_text was)
{
    lvl_tokens t;

    lvl_tokens_init(&t, was, 2);
    const lvl_token first = lvl_tokens_next(&t);
    if (first.kind == LVL_TOKEN_NULL)
        return true;
    const lvl_token_kind next = lvl_tokens_next(&t).kind;
    return next == LVL_TOKEN_OBJECT_END || next == LVL_TOKEN_ARRAY_END;
}

/* Whether a string says a point, or a type of option. */
static bool string_fits(const lvl_shape *s, const lvl_token *token)
{
    lvl_sketchy_point point;
    lvl_buffer plain = {0};
    uint8_t type;

    if (token->kind != LVL_TOKEN_STRING)
        return false;
    lvl_token_unescape(&plain, token->text);
    const lvl_text text = {(const char *)plain.data, plain.len};
    const bool good = s->kind == LVL_SHAPE_POINT ? lvl_sketchy_take_point(text, &point)
                                                 : lvl_sketchy_take_type(text, &type);
    lvl_buffer_free(&plain);
    return good;
}

/* Whether reading has to see null, a wrong kind or nothing at all in that text: then the member must be what reading leaves. *sound: it is
 * null, or of the right kind at least. */
static bool says_nothing(const lvl_shape *s, lvl_text was, bool *sound)
{
    lvl_tokens t;

    lvl_tokens_init(&t, was, LVL_TOKENS_DEPTH);
    const lvl_token token = lvl_tokens_next(&t);
    *sound =
        token.kind == LVL_TOKEN_NULL || (s->kind == LVL_SHAPE_OPTION_TYPE && token.kind == LVL_TOKEN_STRING);
    if (token.kind == LVL_TOKEN_NULL)
        return true;
    switch (s->kind) {
    case LVL_SHAPE_INT:
    case LVL_SHAPE_UINT: {
        int64_t v;
        return !lvl_token_int(&token, &v) || (s->kind == LVL_SHAPE_UINT && (v < 0 || v > UINT32_MAX));
    }
    case LVL_SHAPE_BOOL: return token.kind != LVL_TOKEN_TRUE && token.kind != LVL_TOKEN_FALSE;
    case LVL_SHAPE_TEXT: return token.kind != LVL_TOKEN_STRING;
    case LVL_SHAPE_POINT:
    case LVL_SHAPE_OPTION_TYPE: return !string_fits(s, &token);
    case LVL_SHAPE_OPTION_VALUE: return token.kind == LVL_TOKEN_OBJECT || token.kind == LVL_TOKEN_ARRAY;
    case LVL_SHAPE_RECORDS:
    case LVL_SHAPE_TEXTS: return token.kind != LVL_TOKEN_ARRAY;
    default: return token.kind != LVL_TOKEN_OBJECT;
    }
}

/* ---- chunks and files ---------------------------------------------------------------------------------------------------------------- */

/* One chunk of a document of JSON: as it stands while it isn't opened, or still says the same. */
static void write_chunk(writer *w, const lvl_sketchy_chunk *chunk, uint32_t size, lvl_text was)
{
    const lvl_source *source = lvl_sketchy_source(w->doc, chunk->source);
    const lvl_chunk_place place = {chunk->x, chunk->y, size};
    const lvl_field *field = lvl_table_at(&lvl_sketchy_chunk_table, offsetof(lvl_sketchy_chunk, pixels));
    const lvl_text spelled = was.len                                     ? was
                             : source && source->kind == LVL_SOURCE_JSON ? source->text
                                                                         : (lvl_text){NULL, 0};
    const unsigned as =
        chunk->encoding == LVL_SKETCHY_CHUNK_BASE64 ? LVL_SKETCHY_CHUNK_BASE64 : LVL_SKETCHY_CHUNK_JSON;
    lvl_buffer storage = {0};
    lvl_cells cells;

    if (!chunk->pixels.ptr && source && source->kind == LVL_SOURCE_JSON && spelled.ptr == source->text.ptr) {
        put(w, spelled);
        return;
    }
    lvl_status status = lvl_doc_cells(w->doc, chunk, field, &storage, &cells);
    if (status == LVL_ERR_FORMAT)
        status = LVL_OK; /* what can't be decoded is empty */
    if (status == LVL_OK && cells.ptr && (cells.width != size || cells.height != size || cells.size != 2))
        status = LVL_ERR_ARG;
    if (status == LVL_OK && cells.ptr && size >= 1 && size <= LVL_SKETCHY_CHUNK_SIZE_MAX) {
        const lvl_bytes stream = {(const uint8_t *)spelled.ptr, spelled.len};
        bool holds = false;
        if (spelled.len)
            status = lvl_chunk_says(as, stream, &place, cells.ptr, &holds);
        if (status == LVL_OK && holds)
            put(w, spelled);
        else if (status == LVL_OK)
            status = lvl_chunk_encode(as, cells.ptr, &place, w->out);
    } else if (status == LVL_OK) {
        lvl_buffer_str(w->out, spelled.len ? "" : "{\"type\":0,\"data\":{}}");
        put(w, spelled);
    }
    if (status != LVL_OK && w->status == LVL_OK)
        w->status = status;
    lvl_buffer_free(&storage);
}

/* Whether an attached file's object, as spelled, says these bytes; what can't be decoded says none. */
static bool file_says(writer *w, lvl_text was, lvl_bytes bytes)
{
    lvl_token data = {LVL_TOKEN_ERROR, {NULL, 0}, false, 0};
    lvl_buffer said = {0};
    lvl_tokens t;

    lvl_tokens_init(&t, was, LVL_TOKENS_DEPTH);
    if (lvl_tokens_next(&t).kind == LVL_TOKEN_OBJECT) {
        for (lvl_token key; (key = lvl_tokens_next(&t)).kind == LVL_TOKEN_KEY;) {
            const lvl_token value = lvl_tokens_next(&t);
            if (lvl_token_is_nocase(&key, "data") && value.kind == LVL_TOKEN_STRING)
                data = value;
            lvl_tokens_skip(&t, &value);
        }
    }
    lvl_status status = LVL_OK;
    if (data.kind == LVL_TOKEN_STRING)
        status = lvl_chunk_base64(data.text, data.escaped, &said);
    if (status == LVL_ERR_MEMORY)
        w->status = status;
    const bool same = (status == LVL_OK || status == LVL_ERR_FORMAT) && said.len == bytes.len &&
                      (!said.len || !memcmp(said.data, bytes.ptr, said.len));
    lvl_buffer_free(&said);
    return same;
}

static void write_file(writer *w, const lvl_sketchy_file *file, lvl_text was)
{
    const lvl_source *source = lvl_sketchy_source(w->doc, file->source);
    const lvl_field *field = lvl_table_at(&lvl_sketchy_file_table, offsetof(lvl_sketchy_file, data));
    lvl_buffer storage = {0}, said = {0};
    lvl_bytes bytes;

    if (was.len && !file->data.ptr && source && source->kind == LVL_SOURCE_BASE64 &&
        source->text.ptr >= was.ptr && source->text.ptr < was.ptr + was.len) {
        put(w, was);
        return;
    }
    lvl_status status = lvl_doc_bytes(w->doc, file, field, &storage, &bytes);
    if (status == LVL_ERR_FORMAT)
        status = LVL_OK;
    if (status == LVL_OK && was.len && (!w->mend || *was.ptr == '{') && file_says(w, was, bytes)) {
        lvl_buffer_add(&said, was.ptr, was.len);
        status = said.status;
    } else if (status == LVL_OK) {
        lvl_buffer_str(&said, "{\"data\":\"");
        lvl_base64_encode(&said, bytes);
        lvl_buffer_str(&said, "\"}");
        status = said.status;
    }
    if (status == LVL_OK)
        lvl_buffer_add(w->out, said.data, said.len);
    else if (w->status == LVL_OK)
        w->status = status;
    lvl_buffer_free(&storage);
    lvl_buffer_free(&said);
}

/* ---- items of lists ------------------------------------------------------------------------------------------------------------------ */

static lvl_text item_key(const lvl_shape *s, const uint8_t *item)
{
    return text_at(item + s->name);
}

static void write_item(writer *w, const lvl_shape *s, const uint8_t *item, uint32_t chunk_size, lvl_text was)
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
        write_chunk(w, (const lvl_sketchy_chunk *)(const void *)item, chunk_size, was);
        break;
    case LVL_SHAPE_FILES: write_file(w, (const lvl_sketchy_file *)(const void *)item, was); break;
    default: {
        lvl_tokens t;
        lvl_tokens_init(&t, was, LVL_TOKENS_DEPTH);
        const lvl_shape whole = {.key = "", .kind = LVL_SHAPE_OBJECT, .sub = s->sub};
        if (was.len && lvl_tokens_next(&t).kind != LVL_TOKEN_OBJECT) { /* no record: reading left defaults */
            if (!w->mend && (s->kind == LVL_SHAPE_MAP || is_default(w, &whole, item))) {
                put(w, was);
                return;
            }
            was.len = 0;
        }
        w->own_name = s->kind == LVL_SHAPE_MAP && was.len ? s->name : UINT32_MAX;
        write_object(w, s->sub, item, chunk_size, was);
    }
    }
}

/* lvl_tokens_skip for the document's own text, in which the chunks were read once and needn't be gone through again. */
static lvl_text skip_value(const writer *w, lvl_tokens *t, const lvl_token *first)
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
            lvl_tokens_pass(t, &token, piece.len);
        else
            lvl_tokens_hurry(t);
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

/* Takes an array's or object's text apart; *count elements, in malloc'd memory. `tail`: what stands before the closing brace. NULL without memory or if
 * it breaks off. */
static element *take_apart(writer *w, lvl_text was, bool array, uint32_t *count, lvl_text *tail)
{
    element *list = NULL;
    uint32_t room = 0;
    lvl_tokens t;
    lvl_token token;

    *count = 0;
    lvl_tokens_init(&t, was, w->most);
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
static bool element_holds(writer *w, const lvl_shape *s, const element *e, const uint8_t *item,
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

typedef struct item_order {
    lvl_text key;
    uint32_t at;
} item_order;

static int by_key(const void *a, const void *b)
{
    const item_order *x = a, *y = b;
    const size_t n = x->key.len < y->key.len ? x->key.len : y->key.len;
    int d = n ? memcmp(x->key.ptr, y->key.ptr, n) : 0;

    if (!d)
        d = (x->key.len > y->key.len) - (x->key.len < y->key.len);
    return d ? d : (x->at > y->at) - (x->at < y->at);
}

/* The order in which items are written: arrays as they are; objects as they stand in the text while every key is there, else sorted as Go does. */
static uint32_t *order_items(writer *w, const lvl_shape *s, const uint8_t *items, uint32_t count,
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
    item_order *list = malloc(((size_t)count + 1) * sizeof *list);
    if (!list) {
        w->status = LVL_ERR_MEMORY;
        free(order);
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++)
        list[i] = (item_order){item_key(s, items + (size_t)i * s->item), i};
    qsort(list, count, sizeof *list, by_key);
    for (uint32_t i = 0; i < count; i++)
        order[i] = list[i].at;
    free(list);
    return order;
}

/* The element that an item stands in: of objects the one with its key; of arrays the next that says it, else the next if as many are left as items. */
static element *match(writer *w, const lvl_shape *s, element *list, uint32_t count, uint32_t *from,
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

static void write_list(writer *w, const lvl_shape *s, const uint8_t *base, uint32_t chunk_size, lvl_text was)
{
    const bool array = s->kind == LVL_SHAPE_RECORDS || s->kind == LVL_SHAPE_TEXTS;
    const bool none = w->outside && (s->flags & LVL_SHAPE_OUTSIDE);
    uint32_t count, was_count = 0, from = 0;
    const uint8_t *items = list_of(s, base, &count);
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
        if (was.len && (none ? is_bare(was) : list && !was_count))
            put(w, was);
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
        put(w, e ? e->before : i == 0 && list && was_count ? list[0].before : sp.before);
        if (!array) {
            if (e)
                put(w, e->key);
            else
                lvl_token_quote(w->out, item_key(s, item));
            put(w, e ? e->colon : sp.colon);
        }
        write_item(w, s, item, chunk_size, e ? e->value : (lvl_text){NULL, 0});
        if (e)
            put(w, e->after);
    }
    put(w, sp.last);
    lvl_buffer_u8(w->out, array ? ']' : '}');
    free(order);
    free(list);
}

/* ---- objects ------------------------------------------------------------------------------------------------------------------------- */

static void write_value(writer *w, const lvl_shape *s, const uint8_t *base, uint32_t chunk_size, lvl_text was)
{
    bool sound;

    if (was.len && says_nothing(s, was, &sound)) {
        if ((sound || !w->mend) && (is_fields_default(w, s, base) ||
                                    (w->outside && (s->flags & LVL_SHAPE_OUTSIDE) && is_bare(was)))) {
            put(w, was);
            return;
        }
        was.len = 0;
    }
    if (s->kind < LVL_SHAPE_OBJECT) {
        if (was.len && scalar_holds(w, s, base, was))
            put(w, was);
        else
            write_scalar(w, s, base);
    } else if (s->kind == LVL_SHAPE_OBJECT) {
        write_object(w, s->sub, base + s->offset, chunk_size, was);
    } else if (s->kind == LVL_SHAPE_LAYER) {
        uint32_t count;
        const uint8_t *layer = list_of(s, base, &count);
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

static void write_new_member(writer *w, const lvl_shape *s, const uint8_t *base, uint32_t chunk_size,
                             const spacing *sp, bool *first)
{
    if (!*first)
        lvl_buffer_u8(w->out, ',');
    *first = false;
    put(w, sp->before);
    lvl_token_quote(w->out, lvl_text_of(s->key));
    put(w, sp->colon);
    write_value(w, s, base, chunk_size, (lvl_text){NULL, 0});
}

static bool leaves_out(const writer *w, const lvl_shape *s, const uint8_t *base)
{
    return (s->flags & LVL_SHAPE_OMIT) && is_default(w, s, base);
}

static void write_object(writer *w, const lvl_shape *shapes, const uint8_t *base, uint32_t chunk_size,
                         lvl_text was)
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
        /* of keys that are there twice the last one counts, the others say what they say */
        bool again = false;
        for (uint32_t k = i + 1; s && k < count && !again; k++) {
            const lvl_token later = {LVL_TOKEN_KEY, {list[k].key.ptr + 1, list[k].key.len - 2}, true, 0};
            again = later.text.len == strlen(s->key) && lvl_shape_find(shapes, later.text) == s;
        }
        if (again && w->mend && s->kind >= LVL_SHAPE_OBJECT)
            continue;
        if (again && !w->mend)
            s = NULL;
        if (!first)
            lvl_buffer_u8(w->out, ',');
        first = false;
        put(w, e->before);
        put(w, e->key);
        put(w, e->colon);
        if (s && s->offset == own_name && s->kind == LVL_SHAPE_TEXT && (!w->mend || e->value.ptr[0] == '"'))
            put(w, e->value);
        else if (s)
            write_value(w, s, base, chunk_size, e->value);
        else
            put(w, e->value);
        put(w, e->after);
        if (s)
            done |= UINT64_C(1) << (s - shapes);
    }
    for (const lvl_shape *s = shapes; s->key && w->status == LVL_OK; s++) {
        if ((done >> (s - shapes) & 1) || (list && s->offset == own_name && s->kind == LVL_SHAPE_TEXT))
            continue;
        const bool elsewhere = w->outside && (s->flags & LVL_SHAPE_OUTSIDE);
        const bool added = list && (!w->complete || base != w->doc->root);
        if (added ? !elsewhere && !is_fields_default(w, s, base) : !leaves_out(w, s, base))
            write_new_member(w, s, base, chunk_size, &sp, &first);
    }
    put(w, sp.last);
    lvl_buffer_u8(w->out, '}');
    free(list);
}

static lvl_status write_json(const lvl_doc *doc, lvl_text was, bool outside, bool mend, bool complete,
                             lvl_buffer *out)
{
    const uint32_t depth = doc->ctx->limits.depth;
    writer w = {.doc = doc,
                .out = out,
                .outside = outside,
                .mend = mend,
                .complete = complete,
                .most = depth ? depth : 64,
                .own_name = UINT32_MAX};
    lvl_tokens t;

    /* a text that breaks off can't be gone through: it is a spelling of nothing */
    lvl_tokens_init(&t, was, w.most);
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

lvl_status lvl_sketchy_write_mended(const lvl_doc *doc, lvl_text was, bool outside, bool complete,
                                    lvl_buffer *out)
{
    return write_json(doc, was, outside, true, complete, out);
}
