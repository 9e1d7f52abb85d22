/*
 * sketchy/json_values.c: what a record's members, chunks and attached files say as JSON, and whether a text
 * that they were read from says it already; see json_values.h. Lists and objects of them are put together in
 * json_write.c.
 */
#include "sketchy/json_values.h"

#include "codec/json.h"
#include "codec/tokens.h"
#include "sketchy/chunk_codec.h"

#include <string.h>

static int64_t int_at(const uint8_t *p)
{
    int64_t v;

    memcpy(&v, p, sizeof v);
    return v;
}

/* ---- scalars ----------------------------------------------------------------------------------------- */

static const char *const option_types[] = {"bool", "str", "int"};

static void write_point(lvl_json_writing *w, const lvl_sketchy_point *p)
{
    lvl_buffer_printf(w->out, "\"%lld,%lld\"", (long long)p->x, (long long)p->y);
}

/* An option's value: bare where that is JSON of its type. */
static void write_option(lvl_json_writing *w, const lvl_sketchy_option *o)
{
    lvl_tokens t;

    lvl_tokens_init(&t, o->value, 4);
    const lvl_token token = lvl_tokens_next(&t);
    const bool alone = token.kind != LVL_TOKEN_ERROR && token.text.len == o->value.len;
    if (alone &&
        ((o->type == LVL_SKETCHY_BOOL && (token.kind == LVL_TOKEN_TRUE || token.kind == LVL_TOKEN_FALSE)) ||
         (o->type == LVL_SKETCHY_INT && token.kind == LVL_TOKEN_NUMBER)))
        lvl_sketchy_put(w, o->value);
    else
        lvl_token_quote(w->out, o->value);
}

void lvl_sketchy_write_scalar(lvl_json_writing *w, const lvl_shape *s, const uint8_t *base)
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
    case LVL_SHAPE_TEXT: lvl_token_quote(w->out, lvl_sketchy_text_at(p)); break;
    case LVL_SHAPE_POINT:
        memcpy(&point, p, sizeof point);
        write_point(w, &point);
        break;
    case LVL_SHAPE_OPTION_TYPE: lvl_token_quote(w->out, lvl_text_of(option_types[*p < 3 ? *p : 0])); break;
    default: write_option(w, (const lvl_sketchy_option *)(const void *)base); break;
    }
}

bool lvl_sketchy_scalar_holds(lvl_json_writing *w, const lvl_shape *s, const uint8_t *base, lvl_text was)
{
    lvl_buffer said = {0}, *out = w->out;
    lvl_tokens t;
    bool same = false;

    lvl_tokens_init(&t, was, 4);
    const lvl_token token = lvl_tokens_next(&t);
    w->out = &said;
    lvl_sketchy_write_scalar(w, s, base);
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
                 lvl_text_equal(at, lvl_sketchy_text_at(base + s->offset))));
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
               lvl_text_equal((lvl_text){(const char *)a.data, a.len}, lvl_sketchy_text_at(base + s->offset));
        lvl_buffer_free(&a);
    } else if (s->kind == LVL_SHAPE_OPTION_VALUE && token.kind != LVL_TOKEN_STRING &&
               token.kind != LVL_TOKEN_ERROR) {
        same = lvl_text_equal(
            token.text, lvl_sketchy_text_at(base + s->offset)); /* a value of another type than it says */
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

bool lvl_sketchy_is_default(const lvl_json_writing *w, const lvl_shape *s, const uint8_t *base)
{
    lvl_sketchy_point point;
    uint32_t n;

    switch (s->kind) {
    case LVL_SHAPE_INT: return int_at(base + s->offset) == 0;
    case LVL_SHAPE_UINT: memcpy(&n, base + s->offset, sizeof n); return n == LVL_SKETCHY_CHUNK_SIZE;
    case LVL_SHAPE_BOOL: return base[s->offset] == 0;
    case LVL_SHAPE_TEXT: return lvl_sketchy_text_at(base + s->offset).len == 0;
    case LVL_SHAPE_POINT: memcpy(&point, base + s->offset, sizeof point); return !point.x && !point.y;
    case LVL_SHAPE_OPTION_TYPE: return base[s->offset] == 0;
    case LVL_SHAPE_OPTION_VALUE: return lvl_sketchy_text_at(base + s->offset).len == 0;
    case LVL_SHAPE_LAYER: {
        const uint8_t *layer = lvl_sketchy_list_of(s, base, &n);
        for (const lvl_shape *m = s->sub; n && m->key; m++) {
            if (!lvl_sketchy_is_default(w, m, layer))
                return false;
        }
        return n < 2;
    }
    case LVL_SHAPE_OBJECT:
        for (const lvl_shape *m = s->sub; m->key; m++) {
            if (!lvl_sketchy_is_default(w, m, base + s->offset))
                return false;
        }
        return true;
    default:
        if (w->outside && (s->flags & LVL_SHAPE_OUTSIDE))
            return true;
        lvl_sketchy_list_of(s, base, &n);
        return n == 0;
    }
}

bool lvl_sketchy_is_fields_default(const lvl_json_writing *w, const lvl_shape *s, const uint8_t *base)
{
    if (base == w->doc->root && s->kind < LVL_SHAPE_OBJECT) {
        const lvl_field *f = lvl_table_at(w->doc->format->table, s->offset);
        return f && lvl_field_is_default(base, f);
    }
    if (base == w->doc->root && s->kind == LVL_SHAPE_OBJECT && !s->offset) {
        for (const lvl_shape *m = s->sub; m->key; m++) {
            if (!lvl_sketchy_is_fields_default(w, m, base))
                return false;
        }
        return true;
    }
    return lvl_sketchy_is_default(w, s, base);
}

bool lvl_sketchy_is_bare(lvl_text was)
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

bool lvl_sketchy_is_silent(const lvl_shape *s, lvl_text was, bool *sound)
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

/* ---- chunks and files -------------------------------------------------------------------------------- */

void lvl_sketchy_write_chunk(lvl_json_writing *w, const lvl_sketchy_chunk *chunk, uint32_t size, lvl_text was)
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

    if (w->out->status != LVL_OK) /* no memory, or more than there may be: the
                                   rest is not worth its time */
        return;
    if (!chunk->pixels.ptr && source && source->kind == LVL_SOURCE_JSON && spelled.ptr == source->text.ptr) {
        lvl_sketchy_put(w, spelled);
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
            status = lvl_chunk_describe(as, stream, &place, cells.ptr, &holds);
        if (status == LVL_OK && holds)
            lvl_sketchy_put(w, spelled);
        else if (status == LVL_OK)
            status = lvl_sketchy_encode(w->doc, chunk, as, &cells, &place, w->out);
    } else if (status == LVL_OK) {
        lvl_buffer_str(w->out, spelled.len ? "" : "{\"type\":0,\"data\":{}}");
        lvl_sketchy_put(w, spelled);
    }
    if (status != LVL_OK && w->status == LVL_OK)
        w->status = status;
    lvl_buffer_free(&storage);
}

/* Whether an attached file's object, as spelled, says these bytes; what can't be decoded says none. */
static bool file_says(lvl_json_writing *w, lvl_text was, lvl_bytes bytes)
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

void lvl_sketchy_write_file(lvl_json_writing *w, const lvl_sketchy_file *file, lvl_text was)
{
    const lvl_source *source = lvl_sketchy_source(w->doc, file->source);
    const lvl_field *field = lvl_table_at(&lvl_sketchy_file_table, offsetof(lvl_sketchy_file, data));
    lvl_buffer storage = {0}, said = {0};
    lvl_bytes bytes;

    if (was.len && !file->data.ptr && source && source->kind == LVL_SOURCE_BASE64 &&
        source->text.ptr >= was.ptr && source->text.ptr < was.ptr + was.len) {
        lvl_sketchy_put(w, was);
        return;
    }
    lvl_status status = lvl_doc_bytes(w->doc, file, field, &storage, &bytes);
    if (status == LVL_ERR_FORMAT)
        status = LVL_OK;
    if (status == LVL_OK && was.len && (!w->repair_all || *was.ptr == '{') && file_says(w, was, bytes)) {
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
