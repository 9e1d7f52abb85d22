/*
 * sketchy/chunks/binary.c: pixels of a chunk as runs, and as a map of numbers.
 */
#include "sketchy/chunks/parts.h"

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

/* ---- maps -------------------------------------------------------------------------------------------- */

void lvl_chunk_decode_map(lvl_chunk_canvas *c, lvl_bytes entries)
{
    const uint8_t *p = entries.ptr, *end = p + entries.len;
    uint64_t x, y, index;

    while (p < end) {
        const uint8_t *entry = p;
        if (take_varint(&p, end, &x) && take_varint(&p, end, &y) && take_varint(&p, end, &index)) {
            lvl_chunk_set_pixel(c, unzigzag(x), unzigzag(y), index);
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

void lvl_chunk_encode_map(const uint8_t *grid, const lvl_chunk_place *place, const lvl_buffer *foreign,
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
        const lvl_chunk_pixel p = lvl_chunk_pixel_at(foreign, i);
        put_varint(out, zigzag(p.x));
        put_varint(out, zigzag(p.y));
        put_varint(out, p.index);
    }
}

/* ---- runs -------------------------------------------------------------------------------------------- */

void lvl_chunk_decode_runs(lvl_chunk_canvas *c, lvl_bytes runs)
{
    const uint8_t *p = runs.ptr, *end = p + runs.len;
    const size_t all = (size_t)c->size * c->size;
    size_t at = 0;
    uint64_t index, count;

    while (p < end) {
        const uint8_t *run = p;
        if (!take_varint(&p, end, &index) || !take_varint(&p, end, &count)) {
            c->report->partial = true;
            c->report->trailing = skip_varints(&run, end, 2); /* a number of more than ten bytes */
            break;
        }
        c->report->total = count > UINT64_MAX - c->report->total ? UINT64_MAX : c->report->total + count;
        const size_t n = count < all - at ? (size_t)count : all - at;
        if (!n)
            continue;
        if (index < LVL_SKETCHY_NONE) {
            lvl_chunk_fill(c->grid + at * 2, (uint16_t)index, n);
            c->report->pixels += (uint32_t)n;
            if (index > c->report->most)
                c->report->most = (uint32_t)index;
        } else {
            lvl_chunk_fill(c->grid + at * 2, LVL_SKETCHY_NONE, n);
            if (index > LVL_SKETCHY_NONE)
                c->report->wide++;
        }
        at += n;
    }
    lvl_chunk_fill(c->grid + at * 2, LVL_SKETCHY_NONE, all - at);
}

void lvl_chunk_encode_runs(const uint8_t *grid, uint32_t size, lvl_buffer *out)
{
    const size_t all = (size_t)size * size;

    lvl_buffer_u8(out, LVL_CHUNK_TYPE_RUNS);
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
