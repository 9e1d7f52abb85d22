/*
 * sketchy/chunks/json.c: pixels of a chunk in JSON, with what can be recovered of a broken object.
 */
#include "sketchy/chunks/parts.h"

#include "base/text.h"
#include "codec/json.h"
#include "codec/tokens.h"

#include <stdlib.h>

/* ---- objects of px ----------------------------------------------------------------------------------- */

/* "x,y" */
static bool take_point(lvl_text key, int64_t *x, int64_t *y)
{
    if (!key.len)
        return false;
    const char *end = key.ptr + key.len, *p = lvl_chunk_take_int(key.ptr, end, x);
    if (!p || p == end || *p != ',')
        return false;
    return lvl_chunk_take_int(p + 1, end, y) == end;
}

/* The px that a key names. */
static bool take_key_token(const lvl_token *key, int64_t *x, int64_t *y)
{
    lvl_buffer plain = {0};

    if (!key->escaped)
        return take_point(key->text, x, y);
    lvl_token_unescape(&plain, key->text);
    const bool good = plain.status == LVL_OK && take_point(lvl_buffer_text(&plain), x, y);
    lvl_buffer_free(&plain);
    return good;
}

/* One entry, as tokens. */
static void take_entry(lvl_chunk_canvas *c, const lvl_token *key, const lvl_token *value)
{
    int64_t x, y, index;

    if (take_key_token(key, &x, &y) && lvl_token_int(value, &index) && index >= 0)
        lvl_chunk_set_pixel(c, x, y, (uint64_t)index);
    else
        c->report->broken++;
}

/* Decodes the object after "data" if it is written as all known writers do; otherwise false, and the grid is
 * empty. */
static bool decode_usual(lvl_chunk_canvas *c, lvl_text data)
{
    if (data.len < 2 || data.ptr[0] != '{')
        return false;
    const char *end = data.ptr + data.len;
    if (lvl_chunk_decode_plain(c, data.ptr + 1, end))
        return true;
    if (c->report->pixels || c->report->outside || c->report->wide) { /* undo */
        if (c->foreign)
            c->foreign->len = 0;
        lvl_chunk_clear_report(c->report);
        lvl_chunk_fill(c->grid, LVL_SKETCHY_NONE, (size_t)c->size * c->size);
    }
    return false;
}

/* Decodes the same object token by token. */
static bool decode_object(lvl_chunk_canvas *c, lvl_text data)
{
    lvl_tokens t;

    lvl_tokens_init(&t, data, LVL_TOKENS_DEPTH);
    lvl_token token = lvl_tokens_next(&t);
    if (token.kind != LVL_TOKEN_OBJECT)
        return token.kind == LVL_TOKEN_NULL;
    while ((token = lvl_tokens_next(&t)).kind == LVL_TOKEN_KEY) {
        const lvl_token value = lvl_tokens_next(&t);
        take_entry(c, &token, &value);
        lvl_tokens_skip(&t, &value);
    }
    c->report->partial = token.kind == LVL_TOKEN_ERROR;
    return true;
}

/* ---- base64 ------------------------------------------------------------------------------------------ */

lvl_status lvl_chunk_base64(lvl_text spelled, bool escaped, lvl_buffer *out)
{
    lvl_buffer plain = {0};
    lvl_text text = spelled;
    size_t size;

    out->len = 0;
    if (escaped)
        lvl_token_unescape(&plain, spelled);
    else if (spelled.len &&
             (memchr(spelled.ptr, '\n', spelled.len) || memchr(spelled.ptr, '\r', spelled.len)))
        lvl_buffer_add(&plain, spelled.ptr, spelled.len);
    if (plain.len) {
        size_t n = 0;
        for (size_t i = 0; i < plain.len; i++) { /* Go skips line ends */
            if (plain.data[i] != '\n' && plain.data[i] != '\r')
                plain.data[n++] = plain.data[i];
        }
        text = (lvl_text){(const char *)plain.data, n};
    }
    lvl_status status = plain.status;
    if (status == LVL_OK && !lvl_base64_size(text, &size))
        status = LVL_ERR_FORMAT;
    if (status == LVL_OK && !lvl_buffer_reserve(out, size + 1))
        status = out->status;
    if (status == LVL_OK && !lvl_base64_decode(text, out->data))
        status = LVL_ERR_FORMAT;
    if (status == LVL_OK)
        out->len = size;
    lvl_buffer_free(&plain);
    return status;
}

static lvl_status decode_base64(lvl_chunk_canvas *c, const lvl_token *data)
{
    lvl_buffer bytes = {0};
    const lvl_status status = lvl_chunk_base64(data->text, data->escaped, &bytes);

    if (status == LVL_OK)
        lvl_chunk_decode_map(c, (lvl_bytes){bytes.data, bytes.len});
    lvl_buffer_free(&bytes);
    return status;
}

/* ---- the chunk's object ------------------------------------------------------------------------------ */

/* *data: the object after "data", if the chunk's object begins as all known writers write it and ends with
 * two braces. */
static bool find_usual_data(lvl_bytes stream, lvl_text *data)
{
    static const char usual[] = "{\"type\":0,\"data\":{";
    const lvl_text text = {(const char *)stream.ptr, stream.len};
    const size_t at = sizeof usual - 2;

    if (stream.len <= sizeof usual || memcmp(text.ptr, usual, sizeof usual - 1) != 0 ||
        text.ptr[text.len - 1] != '}' || text.ptr[text.len - 2] != '}')
        return false;
    *data = (lvl_text){text.ptr + at, text.len - at - 1};
    return true;
}

/* Finds "data" in a chunk's object: its first token, and its whole text. False: no such key.
 * Sets `unused` and `type_twice` of the report. *rest (may be NULL): the text from the end or the break of
 * the object on. */
static bool find_data(lvl_bytes stream, lvl_token *data, lvl_text *whole, lvl_text *rest,
                      lvl_chunk_report *report)
{
    const lvl_text text = {(const char *)stream.ptr, stream.len};
    lvl_tokens t;

    lvl_tokens_init(&t, text, LVL_TOKENS_DEPTH);
    if (lvl_tokens_next(&t).kind != LVL_TOKEN_OBJECT)
        return false;
    bool found = false, seen = false, typed = false;
    for (lvl_token key; (key = lvl_tokens_next(&t)).kind == LVL_TOKEN_KEY;) {
        const lvl_token value = lvl_tokens_next(&t);
        const lvl_text all = lvl_tokens_skip(&t, &value);
        const bool cut = !all.ptr && (value.kind == LVL_TOKEN_OBJECT || value.kind == LVL_TOKEN_STRING);
        if (lvl_token_is_nocase(&key, "data")) { /* of several the last one, as in Go */
            report->unused += seen;
            seen = true;
            *data = value;
            *whole = cut ? (lvl_text){text.ptr + value.at, text.len - value.at} : all;
            found = value.kind != LVL_TOKEN_ERROR;
        } else if (lvl_token_is_nocase(&key, "type")) {
            report->type_twice = typed;
            typed = true;
        }
    }
    const size_t end = t.error ? t.at : lvl_tokens_offset(&t);
    if (rest)
        *rest = (lvl_text){text.ptr + end, text.len - end};
    return found;
}

/* Whether nothing is drawn on a px, which need not be one of the chunk's. */
static bool is_empty(const lvl_chunk_canvas *c, int64_t x, int64_t y)
{
    const uint64_t column = (uint64_t)x - (uint64_t)c->left, row = (uint64_t)y - (uint64_t)c->top;

    return column >= c->size || row >= c->size ||
           lvl_load_u16le(c->grid + (size_t)(row * c->size + column) * 2) == LVL_SKETCHY_NONE;
}

/* Takes entries after the end or the break of a chunk's object, for px that are still empty. */
static void recover_trailing_entries(lvl_chunk_canvas *c, lvl_text text)
{
    const char *p = text.ptr, *end = p + text.len;
    int64_t x, y, index;

    while (p < end && (p = memchr(p, '"', (size_t)(end - p))) != NULL) {
        const char *q = lvl_chunk_take_key(p, end, &x, &y);
        q = q ? lvl_chunk_take_int(q, end, &index) : NULL;
        if (!q || q == end) { /* another text, or an entry that is cut off */
            p++;
            continue;
        }
        p = q;
        c->report->trailing++;
        if (is_empty(c, x, y))
            lvl_chunk_set_pixel(c, x, y, (uint64_t)index);
    }
}

/* Whether the text has more than blanks, zeros and closing brackets. */
static bool has_content(lvl_text text)
{
    size_t i = 0;

    while (i < text.len && (!text.ptr[i] || strchr(" \t\r\n]}", text.ptr[i])))
        i++;
    return i < text.len;
}

/* Decodes what follows "data". */
static lvl_status decode_data(lvl_chunk_canvas *c, const lvl_token *data, lvl_text whole)
{
    if (data->kind == LVL_TOKEN_STRING)
        return decode_base64(c, data);
    return decode_usual(c, whole) || decode_object(c, whole) ? LVL_OK : LVL_ERR_FORMAT;
}

/* What follows the end or the break of the object: px, or anything else. */
static void decode_rest(lvl_chunk_canvas *c, lvl_text rest)
{
    recover_trailing_entries(c, rest);
    if (!c->report->trailing && !c->report->partial)
        c->report->trailing = has_content(rest);
}

lvl_status lvl_chunk_decode_json(lvl_chunk_canvas *c, lvl_bytes stream)
{
    lvl_token data;
    lvl_text whole, rest;
    lvl_chunk_report keys = {0};

    if (find_usual_data(stream, &whole) && decode_usual(c, whole))
        return LVL_OK;
    if (!find_data(stream, &data, &whole, &rest, &keys))
        return LVL_ERR_FORMAT;
    const lvl_status status = decode_data(c, &data, whole);
    c->report->unused = keys.unused;
    c->report->type_twice = keys.type_twice;
    if (status == LVL_OK && rest.len)
        decode_rest(c, rest);
    return status;
}

bool lvl_chunk_has_base64(lvl_bytes stream)
{
    lvl_token data;
    lvl_text whole;
    lvl_chunk_report keys = {0};

    return !find_usual_data(stream, &whole) && find_data(stream, &data, &whole, NULL, &keys) &&
           data.kind == LVL_TOKEN_STRING;
}

/* ---- writing ----------------------------------------------------------------------------------------- */

/* A column or row with its decimal text. Go sorts keys by their texts; sorting columns and rows apart gives
 * the same order. */
typedef struct side {
    char text[24];
    uint32_t at;
} side;

static int by_text(const void *a, const void *b)
{
    return strcmp(((const side *)a)->text, ((const side *)b)->text);
}

static void write_decimal(char *buf, int64_t v)
{
    char digits[24], *const end = digits + sizeof digits - 1;

    *end = 0;
    char *first = lvl_digits_before(end, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
    if (v < 0)
        *--first = '-';
    memcpy(buf, first, (size_t)(end - first) + 1);
}

static void fill_sides(side *sides, int32_t chunk, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++) {
        write_decimal(sides[i].text, (int64_t)chunk * size + i);
        sides[i].at = i;
    }
    qsort(sides, size, sizeof *sides, by_text);
}

void lvl_chunk_encode_json(const uint8_t *grid, const lvl_chunk_place *place, const lvl_buffer *foreign,
                           lvl_buffer *out)
{
    side columns[LVL_CHUNK_MAX_SIZE], rows[LVL_CHUNK_MAX_SIZE];
    char index_text[24], entry[80];
    uint32_t index_was = UINT32_MAX;
    bool first = true;

    fill_sides(columns, place->x, place->size);
    fill_sides(rows, place->y, place->size);
    lvl_buffer_str(out, "{\"type\":0,\"data\":{");
    for (uint32_t i = 0; i < place->size; i++) {
        for (uint32_t k = 0; k < place->size; k++) {
            const uint16_t index =
                lvl_load_u16le(grid + ((size_t)rows[k].at * place->size + columns[i].at) * 2);
            if (index == LVL_SKETCHY_NONE)
                continue;
            if (index != index_was)
                write_decimal(index_text, index);
            index_was = index;
            char *p = entry;
            const char *const parts[] = {first ? "\"" : ",\"", columns[i].text, ",",
                                         rows[k].text,         "\":",           index_text};
            for (size_t n = 0; n < sizeof parts / sizeof *parts; n++) {
                const size_t len = strlen(parts[n]);
                memcpy(p, parts[n], len);
                p += len;
            }
            lvl_buffer_add(out, entry, (size_t)(p - entry));
            first = false;
        }
    }
    for (size_t i = 0; i < foreign->len; i += sizeof(lvl_chunk_pixel)) {
        const lvl_chunk_pixel p = lvl_chunk_pixel_at(foreign, i);
        lvl_buffer_printf(out, "%s\"%lld,%lld\":%llu", first ? "" : ",", (long long)p.x, (long long)p.y,
                          (unsigned long long)p.index);
        first = false;
    }
    lvl_buffer_str(out, "}}");
}
