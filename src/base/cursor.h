/*
 * base/cursor.h: bounds-checked reading of bytes. A cursor's error is sticky, so a reader checks it once per
 * record.
 */
#ifndef LVL_BASE_CURSOR_H
#define LVL_BASE_CURSOR_H

#include <lvl/base.h>
#include <string.h>

typedef struct lvl_cursor {
    const uint8_t *data;
    size_t len;
    size_t pos;
    bool failed; /* a read went past the end; this one and all later ones return zeros */
} lvl_cursor;

static inline lvl_cursor lvl_cursor_of(lvl_bytes bytes)
{
    lvl_cursor c = {bytes.ptr, bytes.len, 0, false};
    return c;
}

static inline size_t lvl_cursor_left(const lvl_cursor *c)
{
    return c->len - c->pos;
}

/* A view of the next `size` bytes, or NULL (and failed). */
static inline const uint8_t *lvl_cursor_take(lvl_cursor *c, size_t size)
{
    if (c->failed || size > c->len - c->pos) {
        c->failed = true;
        return NULL;
    }
    const uint8_t *p = c->data + c->pos;
    c->pos += size;
    return p;
}

/* Moves to an absolute position; fails outside the data. */
static inline bool lvl_cursor_seek(lvl_cursor *c, uint64_t pos)
{
    if (pos > c->len)
        c->failed = true;
    else
        c->pos = (size_t)pos;
    return !c->failed;
}

/* Whether this machine is little-endian; compilers fold this to a constant. */
static inline bool lvl_little_endian(void)
{
    const uint16_t one = 1;
    uint8_t first;

    memcpy(&first, &one, 1);
    return first == 1;
}

/* The index of the lowest bit that is set; `bits` isn't 0. */
static inline unsigned lvl_lowest_bit(uint64_t bits)
{
#ifdef __GNUC__
    return (unsigned)__builtin_ctzll(bits);
#else
    unsigned n = 0;
    for (; !(bits & 1); bits >>= 1)
        n++;
    return n;
#endif
}

/* Not every compiler merges byte loads into one, and none does for WebAssembly. */
static inline uint32_t lvl_load_u32le(const uint8_t *p)
{
    uint32_t v;

    if (lvl_little_endian()) {
        memcpy(&v, p, sizeof v);
        return v;
    }
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint32_t lvl_load_u32be(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | (uint32_t)p[3];
}

static inline uint64_t lvl_load_u64le(const uint8_t *p)
{
    uint64_t v;

    if (lvl_little_endian()) {
        memcpy(&v, p, sizeof v);
        return v;
    }
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
           (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

static inline uint16_t lvl_load_u16le(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static inline void lvl_store_u32le(uint8_t *p, uint32_t v)
{
    if (lvl_little_endian()) {
        memcpy(p, &v, sizeof v);
        return;
    }
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
    p[2] = (uint8_t)(v >> 16);
    p[3] = (uint8_t)(v >> 24);
}

static inline void lvl_store_u32be(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 24);
    p[1] = (uint8_t)(v >> 16);
    p[2] = (uint8_t)(v >> 8);
    p[3] = (uint8_t)v;
}

static inline void lvl_store_u16le(uint8_t *p, uint16_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
}

static inline uint8_t lvl_cursor_u8(lvl_cursor *c)
{
    const uint8_t *p = lvl_cursor_take(c, 1);
    return p ? *p : 0;
}

static inline uint16_t lvl_cursor_u16le(lvl_cursor *c)
{
    const uint8_t *p = lvl_cursor_take(c, 2);
    return p ? lvl_load_u16le(p) : 0;
}

static inline uint32_t lvl_cursor_u32le(lvl_cursor *c)
{
    const uint8_t *p = lvl_cursor_take(c, 4);
    return p ? lvl_load_u32le(p) : 0;
}

/* Products and sums of sizes from files: false on overflow. */
static inline bool lvl_mul_size(size_t a, size_t b, size_t *out)
{
    if (b && a > SIZE_MAX / b)
        return false;
    *out = a * b;
    return true;
}

static inline bool lvl_add_size(size_t a, size_t b, size_t *out)
{
    if (a > SIZE_MAX - b)
        return false;
    *out = a + b;
    return true;
}

#endif
