/*
 * sketchy/chunks/plain.c: the fast reader of a chunk in JSON, written as all known writers do. Most
 * entries are like the one before: their texts are compared, not decoded.
 */
#include "sketchy/chunks/parts.h"

#include "base/text.h"

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
static const char *decode_column(lvl_chunk_canvas *c, const char *before, const char *p, const char *end,
                                 size_t digit, uint8_t *cell, uint64_t row, bool negative, uint32_t *doubled)
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

/* What is known of the next entry from those before. */
struct near_entry {
    uint64_t x_text, x_mask; /* `x,` as it was written in the last entry, and the bytes that it takes */
    size_t x_len; /* 0: there was none */
    uint64_t column; /* that this x is */
    uint64_t y_stop; /* after_digits() of the last y, */
    unsigned y_bits; /* and the bits that its digits take */
};

/* Reads `x,` at `p`, unless it is the same as in the entry before. Returns what follows; NULL: it is
 * longer than eight bytes, or another thing. */
static inline const char *take_near_x(const lvl_chunk_canvas *c, struct near_entry *near, const char *p)
{
    const uint64_t text = lvl_load_u64le((const uint8_t *)p);
    int64_t x;

    if (near->x_len && (text & near->x_mask) == near->x_text)
        return p + near->x_len;
    const char *end = lvl_chunk_take_int(p, p + 8, &x);
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

/* As lvl_chunk_decode_plain, for short entries inside of their chunk, which are nearly all: parts that equal
 * those of the entry before are not decoded again, and the end of an entry is predicted from it. Returns the
 * start of the first other entry, or of the last one. */
static const char *decode_near_object(lvl_chunk_canvas *c, const char *p, const char *end)
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

/* Whether a number is written with a 0 that it does not need. */
static bool has_leading_zero(const char *p, const char *end)
{
    return p[0] == '0' && end - p > 1 && p[1] >= '0' && p[1] <= '9';
}

bool lvl_chunk_decode_plain(lvl_chunk_canvas *c, const char *p, const char *end)
{
    int64_t x, y, index;

    for (;;) {
        p = decode_near_object(c, p, end);
        p = lvl_chunk_take_key(p, end, &x, &y);
        if (!p || has_leading_zero(p, end))
            return false;
        p = lvl_chunk_take_int(p, end, &index);
        if (!p || p == end || (*p != ',' && *p != '}'))
            return false;
        lvl_chunk_set_pixel(c, x, y, (uint64_t)index);
        if (*p++ == '}')
            return p == end;
    }
}
