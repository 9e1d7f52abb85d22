/*
 * sketchy/chunk_codec.c: pixels of a chunk, decoded and encoded.
 *
 *     runs      01, then index, count, …: row by row from the chunk's top left px, across row ends; 65535 is
 *               an empty px; px missing at the end are empty
 *     map       00, then x, y, index, …: x and y zig-zag, of the world
 *     base64    {"type":0,"data":"…"}: the entries of a map, without the 00
 *     json      {"type":0,"data":{"x,y":index,…}}
 *
 * Known wrong values: the game's run writer omits a last run of one px; its base64 reader adds px 0,0 to
 * every chunk ("phantom"), which a later save as a map writes to the file.
 */
#include "sketchy/chunk_codec.h"

#include "base/cursor.h"
#include "base/text.h"
#include "codec/json.h"
#include "codec/tokens.h"
#include "base/buffer.h"

#include <stdlib.h>
#include <string.h>

enum { TYPE_MAP = 0, TYPE_RUNS = 1, MAX_SIZE = 255 };

/* ---- varints ----------------------------------------------------------------------------------------- */

/* Reads a number of at most ten bytes; false: the stream ends, or the number is longer. */
static inline bool take_varint(const uint8_t **p, const uint8_t *end, uint64_t *out)
{
    const uint8_t *q = *p;
    uint64_t v = 0;

    if (q < end && *q < 0x80) {
        *out = *q;
        *p = q + 1;
        return true;
    }
    if (end - q > 1 && q[1] < 0x80) { /* most coordinates */
        *out = (uint64_t)(q[0] & 0x7F) | (uint64_t)q[1] << 7;
        *p = q + 2;
        return true;
    }
    for (unsigned shift = 0; shift < 70 && q < end; shift += 7) {
        const uint8_t b = *q++;
        if (shift < 63)
            v |= (uint64_t)(b & 0x7F) << shift;
        else
            v |= (uint64_t)(b & 1) << 63;
        if (b < 0x80) {
            *out = v;
            *p = q;
            return true;
        }
    }
    return false;
}

/* Skips `count` numbers of any length; false: the stream ends inside them. */
static bool skip_varints(const uint8_t **p, const uint8_t *end, unsigned count)
{
    const uint8_t *q = *p;

    for (; count; count--) {
        while (q < end && *q >= 0x80)
            q++;
        if (q == end)
            return false;
        q++;
    }
    *p = q;
    return true;
}

static void put_varint(lvl_buffer *out, uint64_t v)
{
    uint8_t b[10];
    size_t n = 0;

    for (; v >= 0x80; v >>= 7)
        b[n++] = (uint8_t)(v | 0x80);
    b[n++] = (uint8_t)v;
    lvl_buffer_add(out, b, n);
}

static int64_t unzigzag(uint64_t v)
{
    return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}

static uint64_t zigzag(int64_t v)
{
    return (uint64_t)v << 1 ^ (uint64_t)(v >> 63);
}

/* ---- pixels ------------------------------------------------------------------------------------------ */

typedef struct canvas {
    uint8_t *grid;
    int64_t left, top;
    uint32_t size;
    lvl_chunk_report *report;
    lvl_buffer *foreign; /* gets the px of other chunks; or NULL */
} canvas;

static void clear(lvl_chunk_report *r)
{
    memset(r, 0, sizeof *r);
    r->left = 1;
}

static void extend_report(lvl_chunk_report *r, int64_t x, int64_t y)
{
    if (r->left > r->right) {
        r->left = r->right = x;
        r->top = r->bottom = y;
    }
    r->left = x < r->left ? x : r->left;
    r->right = x > r->right ? x : r->right;
    r->top = y < r->top ? y : r->top;
    r->bottom = y > r->bottom ? y : r->bottom;
}

static inline void set_pixel(canvas *c, int64_t x, int64_t y, uint64_t index)
{
    const uint64_t column = (uint64_t)x - (uint64_t)c->left, row = (uint64_t)y - (uint64_t)c->top;

    if (column >= c->size || row >= c->size) {
        if (!c->report->outside++) {
            c->report->outside_x = x;
            c->report->outside_y = y;
        }
        if (x == 0 && y == 0 && index == 0)
            c->report->phantom = true;
        else
            extend_report(c->report, x, y);
        if (c->foreign) {
            const lvl_chunk_pixel px = {x, y, index};
            lvl_buffer_add(c->foreign, &px, sizeof px);
        }
        return;
    }
    if (index >= LVL_SKETCHY_NONE) {
        c->report->wide++;
        return;
    }
    uint8_t *cell = c->grid + (size_t)(row * c->size + column) * 2;
    if (lvl_load_u16le(cell) != LVL_SKETCHY_NONE)
        c->report->doubled++;
    else
        c->report->pixels++;
    lvl_store_u16le(cell, (uint16_t)index);
    if (index > c->report->most)
        c->report->most = (uint32_t)index;
}

static void decode_map(canvas *c, lvl_bytes entries)
{
    const uint8_t *p = entries.ptr, *end = p + entries.len;
    uint64_t x, y, index;

    while (p < end) {
        const uint8_t *entry = p;
        if (take_varint(&p, end, &x) && take_varint(&p, end, &y) && take_varint(&p, end, &index)) {
            set_pixel(c, unzigzag(x), unzigzag(y), index);
            continue;
        }
        p = entry;
        if (!skip_varints(&p, end, 3)) {
            c->report->partial = true;
            return;
        }
        c->report->broken++; /* a number of more than ten bytes */
    }
}

static void fill(uint8_t *cell, uint16_t index, size_t count)
{
    const uint8_t low = (uint8_t)index, high = (uint8_t)(index >> 8);

    if (low == high) {
        memset(cell, low, count * 2);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        cell[i * 2] = low;
        cell[i * 2 + 1] = high;
    }
}

static void decode_runs(canvas *c, lvl_bytes runs)
{
    const uint8_t *p = runs.ptr, *end = p + runs.len;
    const size_t all = (size_t)c->size * c->size;
    size_t at = 0;
    uint64_t index, count;

    while (p < end) {
        const uint8_t *run = p;
        if (!take_varint(&p, end, &index) || !take_varint(&p, end, &count)) {
            c->report->partial = true;
            c->report->behind = skip_varints(&run, end, 2); /* a number of more than ten bytes */
            break;
        }
        c->report->total = count > UINT64_MAX - c->report->total ? UINT64_MAX : c->report->total + count;
        const size_t n = count < all - at ? (size_t)count : all - at;
        if (!n)
            continue;
        if (index < LVL_SKETCHY_NONE) {
            fill(c->grid + at * 2, (uint16_t)index, n);
            c->report->pixels += (uint32_t)n;
            if (index > c->report->most)
                c->report->most = (uint32_t)index;
        } else {
            fill(c->grid + at * 2, LVL_SKETCHY_NONE, n);
            if (index > LVL_SKETCHY_NONE)
                c->report->wide++;
        }
        at += n;
    }
    fill(c->grid + at * 2, LVL_SKETCHY_NONE, all - at);
}

/* ---- JSON -------------------------------------------------------------------------------------------- */

/* A decimal number with perhaps a sign, as Go's Atoi takes it, within 18 digits. */
static inline const char *take_int(const char *p, const char *end, int64_t *out)
{
    bool negative = false;
    int64_t v = 0;

    if (p < end && (*p == '-' || *p == '+'))
        negative = *p++ == '-';
    const char *first = p;
    while (p < end && *p >= '0' && *p <= '9' && p - first < 18)
        v = v * 10 + (*p++ - '0');
    *out = negative ? -v : v;
    return p > first && (p == end || *p < '0' || *p > '9') ? p : NULL;
}

/* "x,y" */
static bool take_point(lvl_text key, int64_t *x, int64_t *y)
{
    if (!key.len)
        return false;
    const char *end = key.ptr + key.len, *p = take_int(key.ptr, end, x);
    if (!p || p == end || *p != ',')
        return false;
    return take_int(p + 1, end, y) == end;
}

/* `w` begins, in its lowest byte, with up to eight digits: a mask of the top bit of the first byte that is no
 * digit; 0: all eight are digits. */
static inline uint64_t after_digits(uint64_t w)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), t = w ^ ones * '0';
    const uint64_t tops =
        (t | (t + ones * (0x80 - 10))) & ones * 0x80; /* a carry only changes bytes above the first */

    return tops & (0 - tops);
}

/* The number in the low `bits` bits, which are digits. */
static inline uint32_t digits_value(uint64_t w, unsigned bits)
{
    w = w << (64 - bits) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    w = (w * 10 + (w >> 8)) & UINT64_C(0x00FF00FF00FF00FF);
    w = (w * 100 + (w >> 16)) & UINT64_C(0x0000FFFF0000FFFF);
    return (uint32_t)(w * 10000 + (w >> 32));
}

/* Sets the pixels of a column: entries that equal the one before them (from `before` to `p`) but for the last
 * digit of y, which is one higher. In the sorted objects of real levels six of seven entries are like that.
 * `digit`: offset of that digit in an entry; `cell`, `row`: of the pixel before; *doubled counts cells that
 * were set already. Returns the start of the first entry that differs otherwise. */
static const char *decode_column(canvas *c, const char *before, const char *p, const char *end, size_t digit,
                                 uint8_t *cell, uint64_t row, bool negative, uint32_t *doubled)
{
    const size_t len = (size_t)(p - before), halves[2] = {len < 8 ? len : 8, len < 8 ? 0 : len - 8};
    const ptrdiff_t stride = (negative ? -2 : 2) * (ptrdiff_t)c->size;
    const uint16_t index = lvl_load_u16le(cell);
    uint64_t mask[2], expected[2];

    for (int i = 0; i < 2; i++) {
        mask[i] = halves[i] ? UINT64_MAX >> (64 - halves[i] * 8) : 0;
        expected[i] = lvl_load_u64le((const uint8_t *)before + i * 8) & mask[i];
    }
    const uint64_t rows = negative ? row : c->size - 1 - row, digits = (uint64_t)('9' - before[digit]);
    for (uint64_t left = rows < digits ? rows : digits; left && end - p >= 16; left--) {
        expected[digit / 8] += UINT64_C(1) << digit % 8 * 8;
        if ((lvl_load_u64le((const uint8_t *)p) & mask[0]) != expected[0] ||
            (lvl_load_u64le((const uint8_t *)p + 8) & mask[1]) != expected[1])
            break;
        cell += stride;
        *doubled += lvl_load_u16le(cell) != LVL_SKETCHY_NONE;
        lvl_store_u16le(cell, index);
        p += len;
    }
    return p;
}

/* What the entries before tell about the next one. */
struct near_entry {
    uint64_t x_text, x_mask; /* `x,` as it was written in the last entry, and the bytes that it takes */
    size_t x_len; /* 0: there was none */
    uint64_t column; /* that this x is */
    uint64_t y_stop; /* after_digits() of the last y, */
    unsigned y_bits; /* and the bits that its digits take */
};

/* Reads `x,` at `p`, unless it is the same as in the entry before. Returns what follows; NULL: it is
 * longer than eight bytes, or another thing. */
static inline const char *take_near_x(const canvas *c, struct near_entry *near, const char *p)
{
    const uint64_t text = lvl_load_u64le((const uint8_t *)p);
    int64_t x;

    if (near->x_len && (text & near->x_mask) == near->x_text)
        return p + near->x_len;
    const char *end = take_int(p, p + 8, &x);
    if (!end || end >= p + 8 || *end != ',')
        return NULL;
    near->x_len = (size_t)(++end - p);
    near->x_mask = UINT64_MAX >> (64 - near->x_len * 8);
    near->x_text = text & near->x_mask;
    near->column = (uint64_t)x - (uint64_t)c->left;
    return end;
}

/* Reads the digits of y, up to seven. Returns what follows; NULL: there are none, or more. */
static inline const char *take_near_y(struct near_entry *near, const char *p, uint32_t *y)
{
    const uint64_t text = lvl_load_u64le((const uint8_t *)p), stop = after_digits(text);

    if (stop != near->y_stop) {
        if (!stop || stop == 0x80)
            return NULL;
        near->y_stop = stop;
        near->y_bits = lvl_lowest_bit(stop) - 7;
    }
    *y = digits_value(text, near->y_bits);
    return p + near->y_bits / 8;
}

/* Reads `":index,`: up to four digits, without a leading 0. Returns what follows; NULL: it is another
 * thing. */
static inline const char *take_near_index(const char *p, uint32_t *index)
{
    if (p[0] != '"' || p[1] != ':' || !lvl_is_digit(p[2]))
        return NULL;
    *index = (uint32_t)(p[2] - '0');
    p += 3;
    if (*p == ',')
        return p + 1;
    if (!*index)
        return NULL;
    for (int i = 0; i < 3 && lvl_is_digit(*p); i++)
        *index = *index * 10 + (uint32_t)(*p++ - '0');
    return *p == ',' ? p + 1 : NULL;
}

/* As decode_plain_object, for short entries inside of their chunk, which are nearly all: parts that equal
 * those of the entry before are not decoded again, and the end of an entry is predicted from it. Returns the
 * start of the first other entry, or of the last one. */
static const char *decode_near_object(canvas *c, const char *p, const char *end)
{
    struct near_entry near = {.column = c->size, .y_stop = 1 /* after_digits() never returns this */};
    uint32_t doubled = 0, pixels = 0, most = c->report->most;

    while (end - p >= 40 && *p == '"') { /* so nothing below reads past the end */
        uint32_t y, index;
        const char *q = take_near_x(c, &near, p + 1);
        if (!q)
            break;
        const bool negative = *q == '-';
        q = take_near_y(&near, q + negative, &y);
        const char *const y_end = q;
        q = q ? take_near_index(q, &index) : NULL;
        if (!q)
            break;
        const uint64_t row = (uint64_t)(negative ? -(int64_t)y : (int64_t)y) - (uint64_t)c->top;
        if (near.column >= c->size || row >= c->size)
            break;
        uint8_t *cell = c->grid + (size_t)(row * c->size + near.column) * 2;
        doubled += lvl_load_u16le(cell) != LVL_SKETCHY_NONE;
        lvl_store_u16le(cell, (uint16_t)index);
        pixels++;
        most = index > most ? index : most;
        const char *const entry = p;
        const size_t len = (size_t)(q - entry);
        p = q;
        if (len <= 16) {
            p = decode_column(c, entry, q, end, (size_t)(y_end - entry) - 1, cell, row, negative, &doubled);
            pixels += (uint32_t)((size_t)(p - q) / len);
        }
    }
    c->report->pixels += pixels - doubled;
    c->report->doubled += doubled;
    c->report->most = most;
    return p;
}

/* Decodes entries as all known writers write them: "x,y":index, without blanks. False: an entry is written
 * otherwise, or the closing brace is not the last byte. */
static bool decode_plain_object(canvas *c, const char *p, const char *end)
{
    int64_t x, y, index;

    for (;;) {
        const char *q = decode_near_object(c, p, end);
        if (end - q < 8 || *q != '"' || !(q = take_int(q + 1, end, &x)) || q == end || *q != ',' ||
            !(q = take_int(q + 1, end, &y)) || end - q < 4 || q[0] != '"' || q[1] != ':' || q[2] < '0' ||
            q[2] > '9' || (q[2] == '0' && q[3] >= '0' && q[3] <= '9') ||
            !(q = take_int(q + 2, end, &index)) || q == end || (*q != ',' && *q != '}'))
            return false;
        set_pixel(c, x, y, (uint64_t)index);
        p = q + 1;
        if (*q == '}')
            return p == end;
    }
}

/* One entry, as tokens. */
static void take_entry(canvas *c, const lvl_token *key, const lvl_token *value)
{
    int64_t x, y, index;
    bool good;

    if (key->escaped) {
        lvl_buffer plain = {0};
        lvl_token_unescape(&plain, key->text);
        good = plain.status == LVL_OK && take_point((lvl_text){(const char *)plain.data, plain.len}, &x, &y);
        lvl_buffer_free(&plain);
    } else {
        good = take_point(key->text, &x, &y);
    }
    if (!good || !lvl_token_int(value, &index) || index < 0) {
        c->report->broken++;
        return;
    }
    set_pixel(c, x, y, (uint64_t)index);
}

/* Decodes the object after "data" if it is written as all known writers do; otherwise false, and the grid is
 * empty. */
static bool decode_usual(canvas *c, lvl_text data)
{
    if (data.len < 2 || data.ptr[0] != '{')
        return false;
    const char *end = data.ptr + data.len;
    if (decode_plain_object(c, data.ptr + 1, end))
        return true;
    if (c->report->pixels || c->report->outside || c->report->wide) { /* undo */
        if (c->foreign)
            c->foreign->len = 0;
        clear(c->report);
        fill(c->grid, LVL_SKETCHY_NONE, (size_t)c->size * c->size);
    }
    return false;
}

/* Decodes the same object token by token. */
static bool decode_object(canvas *c, lvl_text data)
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

static lvl_status decode_base64(canvas *c, const lvl_token *data)
{
    lvl_buffer bytes = {0};
    const lvl_status status = lvl_chunk_base64(data->text, data->escaped, &bytes);

    if (status == LVL_OK)
        decode_map(c, (lvl_bytes){bytes.data, bytes.len});
    lvl_buffer_free(&bytes);
    return status;
}

/* *data: the object after "data", if the chunk's object begins as all known writers write it and ends with
 * two braces. */
static bool usual_data(lvl_bytes stream, lvl_text *data)
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
 * *behind (may be NULL): the text from the end or the break of the object on. */
static bool find_data(lvl_bytes stream, lvl_token *data, lvl_text *whole, lvl_text *behind)
{
    const lvl_text text = {(const char *)stream.ptr, stream.len};
    lvl_tokens t;

    lvl_tokens_init(&t, text, LVL_TOKENS_DEPTH);
    if (lvl_tokens_next(&t).kind != LVL_TOKEN_OBJECT)
        return false;
    bool found = false;
    for (lvl_token key; (key = lvl_tokens_next(&t)).kind == LVL_TOKEN_KEY;) {
        const lvl_token value = lvl_tokens_next(&t);
        const lvl_text all = lvl_tokens_skip(&t, &value);
        const bool cut = !all.ptr && (value.kind == LVL_TOKEN_OBJECT || value.kind == LVL_TOKEN_STRING);
        if (lvl_token_is_nocase(&key, "data")) { /* of several the last one, as in Go */
            *data = value;
            *whole = cut ? (lvl_text){text.ptr + value.at, text.len - value.at} : all;
            found = value.kind != LVL_TOKEN_ERROR;
        }
    }
    const size_t end = t.error ? t.at : lvl_tokens_offset(&t);
    if (behind)
        *behind = (lvl_text){text.ptr + end, text.len - end};
    return found;
}

/* Takes entries after the end or the break of a chunk's object, for px that are still empty. */
static void recover_trailing_entries(canvas *c, lvl_text text)
{
    const char *p = text.ptr, *end = p + text.len;
    int64_t x, y, index;

    while (p < end && (p = memchr(p, '"', (size_t)(end - p)))) {
        const char *q = take_int(++p, end, &x);
        if (!q || q == end || *q != ',' || !(q = take_int(q + 1, end, &y)) || end - q < 3 || q[0] != '"' ||
            q[1] != ':' || !lvl_is_digit(q[2]) || !(q = take_int(q + 2, end, &index)) || q == end)
            continue;
        const uint64_t column = (uint64_t)x - (uint64_t)c->left, row = (uint64_t)y - (uint64_t)c->top;
        p = q;
        c->report->behind++;
        if (column >= c->size || row >= c->size ||
            lvl_load_u16le(c->grid + (size_t)(row * c->size + column) * 2) == LVL_SKETCHY_NONE)
            set_pixel(c, x, y, (uint64_t)index);
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

static lvl_status decode_json(canvas *c, lvl_bytes stream)
{
    lvl_token data;
    lvl_text whole, behind;

    if (usual_data(stream, &whole) && decode_usual(c, whole))
        return LVL_OK;
    if (!find_data(stream, &data, &whole, &behind))
        return LVL_ERR_FORMAT;
    const lvl_status status = data.kind == LVL_TOKEN_STRING                       ? decode_base64(c, &data)
                              : decode_usual(c, whole) || decode_object(c, whole) ? LVL_OK
                                                                                  : LVL_ERR_FORMAT;
    if (status == LVL_OK && behind.len) {
        recover_trailing_entries(c, behind);
        if (!c->report->behind && !c->report->partial)
            c->report->behind = has_content(behind);
    }
    return status;
}

/* ---- any encoding ------------------------------------------------------------------------------------ */

int lvl_chunk_encoding(lvl_bytes stream)
{
    lvl_token data;
    lvl_text whole;

    if (!stream.len)
        return -1;
    switch (stream.ptr[0]) {
    case TYPE_MAP: return LVL_SKETCHY_CHUNK_MAP;
    case TYPE_RUNS: return LVL_SKETCHY_CHUNK_RUNS;
    case '{': break;
    default: return -1;
    }
    if (!usual_data(stream, &whole) && find_data(stream, &data, &whole, NULL) &&
        data.kind == LVL_TOKEN_STRING)
        return LVL_SKETCHY_CHUNK_BASE64;
    return LVL_SKETCHY_CHUNK_JSON;
}

static lvl_status decode(unsigned encoding, lvl_bytes stream, const lvl_chunk_place *place, uint8_t *grid,
                         lvl_chunk_report *report, lvl_buffer *foreign)
{
    lvl_chunk_report own;
    canvas c = {grid,        (int64_t)place->x * place->size, (int64_t)place->y * place->size,
                place->size, report ? report : &own,          foreign};
    lvl_status status = LVL_OK;

    clear(c.report);
    if (encoding == LVL_SKETCHY_CHUNK_RUNS && stream.len && stream.ptr[0] == TYPE_RUNS) {
        decode_runs(&c, (lvl_bytes){stream.ptr + 1, stream.len - 1});
        return LVL_OK;
    }
    fill(grid, LVL_SKETCHY_NONE, (size_t)place->size * place->size);
    if (encoding == LVL_SKETCHY_CHUNK_MAP && stream.len && stream.ptr[0] == TYPE_MAP)
        decode_map(&c, (lvl_bytes){stream.ptr + 1, stream.len - 1});
    else if (encoding == LVL_SKETCHY_CHUNK_JSON || encoding == LVL_SKETCHY_CHUNK_BASE64)
        status = decode_json(&c, stream);
    else
        status = LVL_ERR_FORMAT;
    c.report->bad = status == LVL_ERR_FORMAT;
    return status;
}

lvl_status lvl_chunk_decode(unsigned encoding, lvl_bytes stream, const lvl_chunk_place *place, uint8_t *grid,
                            lvl_chunk_report *report)
{
    return decode(encoding, stream, place, grid, report, NULL);
}

lvl_status lvl_chunk_foreign(unsigned encoding, lvl_bytes stream, const lvl_chunk_place *place, uint8_t *grid,
                             lvl_chunk_report *report, lvl_buffer *out)
{
    const lvl_status status = decode(encoding, stream, place, grid, report, out);

    return status == LVL_OK ? out->status : status;
}

lvl_status lvl_chunk_describe(unsigned encoding, lvl_bytes stream, const lvl_chunk_place *place,
                              const uint8_t *grid, bool *out)
{
    const size_t size = (size_t)place->size * place->size * 2;
    const bool text = encoding <= LVL_SKETCHY_CHUNK_BASE64;
    int is = lvl_chunk_encoding(stream);

    *out = false;
    if (is >= 0 && (is <= LVL_SKETCHY_CHUNK_BASE64) != text) /* a member's name decides which of the two */
        is = text ? LVL_SKETCHY_CHUNK_JSON : LVL_SKETCHY_CHUNK_MAP;
    if (is >= 0 && is != (int)encoding)
        return LVL_OK;
    uint8_t *decoded = malloc(size + 1);
    if (!decoded)
        return LVL_ERR_MEMORY;
    const lvl_status status = lvl_chunk_decode(encoding, stream, place, decoded, NULL);
    if (status == LVL_ERR_FORMAT)
        fill(decoded, LVL_SKETCHY_NONE, size / 2);
    *out = status != LVL_ERR_MEMORY && !memcmp(decoded, grid, size);
    free(decoded);
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}

static void encode_runs(const uint8_t *grid, uint32_t size, lvl_buffer *out)
{
    const size_t all = (size_t)size * size;

    lvl_buffer_u8(out, TYPE_RUNS);
    for (size_t i = 0; i < all;) {
        const uint16_t index = lvl_load_u16le(grid + i * 2);
        size_t n = i + 1;
        while (all - n >= 16 && memcmp(grid + n * 2, grid + n * 2 - 2, 32) == 0)
            n += 16;
        while (n < all && lvl_load_u16le(grid + n * 2) == index)
            n++;
        put_varint(out, index);
        put_varint(out, n - i);
        i = n;
    }
}

static lvl_chunk_pixel pixel_at(const lvl_buffer *list, size_t at)
{
    lvl_chunk_pixel p;

    memcpy(&p, list->data + at, sizeof p);
    return p;
}

static void encode_map(const uint8_t *grid, const lvl_chunk_place *place, const lvl_buffer *foreign,
                       lvl_buffer *out)
{
    for (uint32_t y = 0; y < place->size; y++) {
        for (uint32_t x = 0; x < place->size; x++) {
            const uint16_t index = lvl_load_u16le(grid + ((size_t)y * place->size + x) * 2);
            if (index == LVL_SKETCHY_NONE)
                continue;
            put_varint(out, zigzag((int64_t)place->x * place->size + x));
            put_varint(out, zigzag((int64_t)place->y * place->size + y));
            put_varint(out, index);
        }
    }
    for (size_t i = 0; i < foreign->len; i += sizeof(lvl_chunk_pixel)) {
        const lvl_chunk_pixel p = pixel_at(foreign, i);
        put_varint(out, zigzag(p.x));
        put_varint(out, zigzag(p.y));
        put_varint(out, p.index);
    }
}

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
    char digits[24];
    size_t n = 0, at = 0;
    uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;

    do {
        digits[n++] = (char)('0' + u % 10);
        u /= 10;
    } while (u);
    if (v < 0)
        buf[at++] = '-';
    while (n)
        buf[at++] = digits[--n];
    buf[at] = 0;
}

static void fill_sides(side *sides, int32_t chunk, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++) {
        write_decimal(sides[i].text, (int64_t)chunk * size + i);
        sides[i].at = i;
    }
    qsort(sides, size, sizeof *sides, by_text);
}

static void encode_json(const uint8_t *grid, const lvl_chunk_place *place, const lvl_buffer *foreign,
                        lvl_buffer *out)
{
    side columns[MAX_SIZE], rows[MAX_SIZE];
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
        const lvl_chunk_pixel p = pixel_at(foreign, i);
        lvl_buffer_printf(out, "%s\"%lld,%lld\":%llu", first ? "" : ",", (long long)p.x, (long long)p.y,
                          (unsigned long long)p.index);
        first = false;
    }
    lvl_buffer_str(out, "}}");
}

lvl_status lvl_chunk_encode(unsigned encoding, const uint8_t *grid, const lvl_chunk_place *place,
                            const lvl_buffer *foreign, lvl_buffer *out)
{
    lvl_buffer entries = {0};

    if (!place->size || place->size > MAX_SIZE)
        return LVL_ERR_ARG;
    if (encoding == LVL_SKETCHY_CHUNK_RUNS && foreign->len)
        return LVL_ERR_LOSS;
    switch (encoding) {
    case LVL_SKETCHY_CHUNK_RUNS: encode_runs(grid, place->size, out); break;
    case LVL_SKETCHY_CHUNK_JSON: encode_json(grid, place, foreign, out); break;
    case LVL_SKETCHY_CHUNK_MAP:
        lvl_buffer_u8(out, TYPE_MAP);
        encode_map(grid, place, foreign, out);
        break;
    case LVL_SKETCHY_CHUNK_BASE64:
        encode_map(grid, place, foreign, &entries);
        lvl_buffer_str(out, "{\"type\":0,\"data\":\"");
        if (entries.status == LVL_OK)
            lvl_base64_encode(out, (lvl_bytes){entries.data, entries.len});
        lvl_buffer_str(out, "\"}");
        if (entries.status != LVL_OK && out->status == LVL_OK)
            out->status = entries.status;
        lvl_buffer_free(&entries);
        break;
    default: return LVL_ERR_ARG;
    }
    return out->status;
}
