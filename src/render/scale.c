/*
 * render/scale.c: scales pictures row by row: smaller by a box filter, larger by an integer factor.
 *
 * Shrinking: each pixel of the result is the mean of the rectangle that it covers; pixels at the rectangle's
 * border are weighted by the part inside, in 256ths. Colours are averaged as stored (not in linear light), as
 * in other viewers.
 */
#include "render/plan.h"

#include "base/arena.h"
#include "base/cursor.h"
#include "base/work.h"

#include <string.h>

typedef struct span {
    uint32_t first, last; /* source pixels touched, both included */
    uint32_t first_w, last_w; /* 256ths of them inside; last_w is 0 if first == last */
} span;

typedef struct scale_rows {
    lvl_rows rows;
    const lvl_ctx *ctx;
    lvl_rows *next;
    uint32_t to_width, to_height, up;
    lvl_picture in, out;
    span *columns;
    uint64_t *line; /* sums of one source row: to_width × 4 */
    uint64_t *sums; /* sums of the current result row */
    uint8_t *row; /* a source row of premultiplied RGBA; the result row */
    uint32_t y; /* next source row */
    uint32_t to_y; /* current result row */
    uint8_t colours[256][3];
    uint64_t packed[256]; /* for indices: the three colours, 21 bits each */
    uint16_t *added; /* for RGBA and an integer factor: the sum of source rows; else NULL */
    uint32_t factor;
    uint64_t inverse; /* 2^40 / (2 * factor^2), rounded up */
} scale_rows;

enum {
    MAX_FACTOR = 16, /* 255 times its square fits 16 bits */
    MAX_WIDTH = 1 << 16 /* widest picture that is summed for an integer factor */
};

enum { MAX_PACKED = 8000 }; /* pixels whose sum fits 21 bits */

/* Where result pixel i of `to` begins in 0 .. from, in 256ths. Computed in two parts, since the product of
 * all three may exceed 64 bits. */
static uint64_t edge_of(uint64_t i, uint32_t from, uint32_t to)
{
    const uint64_t whole = i * from;

    return whole / to * 256 + whole % to * 256 / to;
}

/* The part of 0 .. from that result pixel i of `to` covers. */
static span span_of(uint32_t i, uint32_t from, uint32_t to)
{
    const uint64_t a = edge_of(i, from, to), b = edge_of((uint64_t)i + 1, from, to);
    span s = {(uint32_t)(a / 256), (uint32_t)((b - 1) / 256), 0, 0};

    if (s.first == s.last) {
        s.first_w = (uint32_t)(b - a);
    } else {
        s.first_w = (uint32_t)(256 - a % 256);
        s.last_w = (uint32_t)(b - (uint64_t)s.last * 256);
    }
    return s;
}

/* Its width, in 256ths. */
static uint64_t span_width(const span *s)
{
    return s->first == s->last ? s->first_w
                               : (uint64_t)(s->last - s->first - 1) * 256 + s->first_w + s->last_w;
}

/* ---- smaller ----------------------------------------------------------------------------------------- */

/* A row of RGBA with premultiplied alpha: the row itself if it is opaque. */
static const uint8_t *premultiplied(const scale_rows *s, const uint8_t *from)
{
    const size_t width = s->in.width;
    uint32_t alpha = UINT32_MAX, one;
    uint8_t all[4];

    for (size_t x = 0; x < width; x++) {
        memcpy(&one, from + x * 4, sizeof one);
        alpha &= one;
    }
    memcpy(all, &alpha, sizeof all);
    if (all[3] == 255)
        return from;
    for (size_t x = 0; x < width; x++) {
        const uint8_t *p = from + x * 4;
        const unsigned a = p[3];
        uint8_t *to = s->row + x * 4;
        for (size_t c = 0; c < 3; c++)
            to[c] = a == 255 ? p[c] : (uint8_t)((p[c] * a + 127) / 255);
        to[3] = (uint8_t)a;
    }
    return s->row;
}

/* Sums indices directly: three sums in one addition. */
static void sum_line1(const scale_rows *s, const uint8_t *row)
{
    const uint64_t lane = ((uint64_t)1 << 21) - 1;

    for (uint32_t i = 0; i < s->to_width; i++) {
        const span *c = &s->columns[i];
        const uint8_t *first = s->colours[row[c->first]], *last = s->colours[row[c->last]];
        uint64_t *line = s->line + (size_t)i * 4;

        for (uint32_t x = c->first + 1; x < c->last;) {
            const uint32_t end = c->last - x > MAX_PACKED ? x + MAX_PACKED : c->last;
            uint64_t sum = 0;
            for (; x < end; x++)
                sum += s->packed[row[x]];
            line[0] += (sum & lane) * 256;
            line[1] += (sum >> 21 & lane) * 256;
            line[2] += (sum >> 42) * 256;
        }
        for (unsigned k = 0; k < 3; k++)
            line[k] += first[k] * c->first_w + last[k] * c->last_w;
        line[3] = 255 * span_width(c);
    }
}

static void sum_line4(const scale_rows *s, const uint8_t *row)
{
    for (uint32_t i = 0; i < s->to_width; i++) {
        const span *c = &s->columns[i];
        const uint8_t *p = row + (size_t)c->first * 4, *end = row + (size_t)c->last * 4;
        const uint8_t *first = p;
        uint32_t sum[4] = {0}; /* sums over at most 2^24 px, the widest picture */

        for (p += 4; p < end; p += 4) {
            for (unsigned k = 0; k < 4; k++)
                sum[k] += p[k];
        }
        for (unsigned k = 0; k < 4; k++)
            s->line[(size_t)i * 4 + k] = (uint64_t)sum[k] * 256 + first[k] * c->first_w + end[k] * c->last_w;
    }
}

static lvl_status finish_row(scale_rows *s)
{
    /* The height in 256ths. */
    const span rows = span_of(s->to_y, s->in.height, s->to_height);
    const uint64_t height = span_width(&rows);

    for (uint32_t i = 0; i < s->to_width; i++) {
        const uint64_t area = span_width(&s->columns[i]) * height;
        const uint64_t *sum = s->sums + (size_t)i * 4;
        uint8_t *to = s->row + (size_t)i * 4;

        if (sum[3] == 255 * area) {
            for (int c = 0; c < 3; c++)
                to[c] = (uint8_t)((sum[c] + area / 2) / area);
            to[3] = 255;
        } else {
            /* drop low bits of large sums, so that 255 times the sum fits */
            const unsigned cut = sum[3] >> 48 ? 16 : 0;
            const uint64_t alpha = sum[3] >> cut;
            for (int c = 0; c < 3; c++) {
                const uint64_t v = alpha ? ((sum[c] >> cut) * 255 + alpha / 2) / alpha : 0;
                to[c] = (uint8_t)(v > 255 ? 255 : v);
            }
            to[3] = (uint8_t)((sum[3] + area / 2) / area);
        }
    }
    memset(s->sums, 0, (size_t)s->to_width * 4 * sizeof *s->sums);
    s->to_y++;
    return s->next->rows(s->next, s->row, 1);
}

/* The sum of `area` bytes divided by their number, rounded: (2 sum + area) / (2 area), by a
 * multiplication. The product is less than 2^34 too large, which is not enough to reach the next quotient. */
static uint8_t mean_of(uint32_t sum, uint32_t area, uint64_t inverse)
{
    return (uint8_t)((sum * 2 + area) * inverse >> 40);
}

/* The general case below for RGBA and an integer factor, with the same result: source rows are summed first,
 * and neighbouring pixels once per result row, four 16-bit sums in one addition. */
static lvl_status shrink_whole(scale_rows *s, const uint8_t *row)
{
    const size_t count = (size_t)s->in.width * 4;
    const uint32_t area = s->factor * s->factor;
    const uint64_t inverse = s->inverse;
    uint16_t *added = s->added, sum[4];
    uint8_t *to = s->row;

    for (size_t i = 0; i < count; i++)
        added[i] = (uint16_t)(added[i] + row[i]);
    if (++s->y % s->factor)
        return LVL_OK;
    for (const uint16_t *end = added + count; added < end; to += 4) {
        uint64_t all = 0, one;
        for (uint32_t k = 0; k < s->factor; k++, added += 4) {
            memcpy(&one, added, sizeof one);
            all += one;
        }
        memcpy(sum, &all, sizeof sum);
        for (int c = 0; c < 4; c++)
            to[c] = mean_of(sum[c], area, inverse);
        for (int c = 0; c < 3 && sum[3] != 255 * area; c++) {
            const uint32_t v = sum[3] ? (sum[c] * 510u + sum[3]) / (sum[3] * 2u) : 0;
            to[c] = (uint8_t)(v > 255 ? 255 : v);
        }
    }
    memset(s->added, 0, count * sizeof *added);
    return s->next->rows(s->next, s->row, 1);
}

static lvl_status shrink_row(scale_rows *s, const uint8_t *from)
{
    const size_t count = (size_t)s->to_width * 4;
    lvl_status status = LVL_OK;

    if (s->in.channels == 4)
        from = premultiplied(s, from);
    if (s->added)
        return shrink_whole(s, from);
    if (s->in.channels == 1) {
        memset(s->line, 0, count * sizeof *s->line);
        sum_line1(s, from);
    } else {
        sum_line4(s, from);
    }
    /* A source row is in one result row, or across the border of two. */
    while (s->to_y < s->to_height && status == LVL_OK) {
        const span v = span_of(s->to_y, s->in.height, s->to_height);
        uint32_t weight = 256;

        if (s->y < v.first)
            break;
        if (s->y == v.first)
            weight = v.first_w;
        else if (s->y == v.last)
            weight = v.last_w;
        for (size_t i = 0; i < count; i++)
            s->sums[i] += s->line[i] * weight;
        if (s->y < v.last)
            break;
        status = finish_row(s);
    }
    s->y++;
    return status;
}

/* ---- larger ------------------------------------------------------------------------------------------ */

static lvl_status enlarge_row(scale_rows *s, const uint8_t *from)
{
    const size_t size = s->in.channels;
    uint8_t *to = s->row;
    lvl_status status = LVL_OK;

    for (size_t x = 0; x < s->in.width; x++, from += size) {
        for (uint32_t i = 0; i < s->up; i++, to += size)
            memcpy(to, from, size);
    }
    for (uint32_t i = 0; i < s->up && status == LVL_OK; i++)
        status = s->next->rows(s->next, s->row, 1);
    return status;
}

/* ---- rows -------------------------------------------------------------------------------------------- */

static lvl_status scale_begin(lvl_rows *rows, const lvl_picture *picture)
{
    scale_rows *s = (scale_rows *)rows;

    s->in = *picture;
    s->out = *picture;
    if (s->up > 1) {
        if (picture->width > UINT32_MAX / s->up || picture->height > UINT32_MAX / s->up)
            return lvl_refuse_fixed(s->ctx, "pixels across", UINT32_MAX, 0);
        s->out.width *= s->up;
        s->out.height *= s->up;
        s->row = lvl_mem_alloc(s->ctx, (size_t)s->out.width * s->out.channels);
        return s->row ? s->next->begin(s->next, &s->out) : LVL_ERR_MEMORY;
    }
    if (s->to_width == 0 || s->to_height == 0 || s->to_width > picture->width ||
        s->to_height > picture->height || picture->channels == 3)
        return LVL_ERR_ARG;
    s->out.width = s->to_width;
    s->out.height = s->to_height;
    s->out.channels = 4;
    s->out.palette = NULL;
    for (size_t i = 0; i < 256; i++) {
        for (size_t c = 0; c < 3; c++)
            s->colours[i][c] = picture->palette ? picture->palette->rgb[i][c] : (uint8_t)i;
        s->packed[i] = s->colours[i][0] | (uint64_t)s->colours[i][1] << 21 | (uint64_t)s->colours[i][2] << 42;
    }
    const size_t count = (size_t)s->to_width * 4;
    s->columns = lvl_mem_alloc(s->ctx, (size_t)s->to_width * sizeof *s->columns);
    s->line = lvl_mem_alloc(s->ctx, count * sizeof *s->line);
    s->sums = lvl_mem_alloc(s->ctx, count * sizeof *s->sums);
    s->row = lvl_mem_alloc(s->ctx, (size_t)picture->width * 4);
    s->factor = picture->width / s->to_width;
    if (picture->channels == 4 && s->factor <= MAX_FACTOR && picture->width <= MAX_WIDTH &&
        picture->width == s->to_width * s->factor && picture->height == s->to_height * s->factor) {
        s->added = lvl_mem_alloc(s->ctx, (size_t)picture->width * 4 * sizeof *s->added);
        if (!s->added)
            return LVL_ERR_MEMORY;
        memset(s->added, 0, (size_t)picture->width * 4 * sizeof *s->added);
    }
    const uint64_t twice = 2 * (uint64_t)(s->factor ? s->factor : 1) * (s->factor ? s->factor : 1);
    s->inverse = (((uint64_t)1 << 40) + twice - 1) / twice;
    if (!s->columns || !s->line || !s->sums || !s->row)
        return LVL_ERR_MEMORY;
    memset(s->sums, 0, count * sizeof *s->sums);
    for (uint32_t i = 0; i < s->to_width; i++)
        s->columns[i] = span_of(i, picture->width, s->to_width);
    return s->next->begin(s->next, &s->out);
}

static lvl_status scale_take(lvl_rows *rows, const uint8_t *pixels, uint32_t count)
{
    scale_rows *s = (scale_rows *)rows;
    const size_t bytes = (size_t)s->in.width * s->in.channels;
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < count && status == LVL_OK; i++, pixels += bytes)
        status = s->up > 1 ? enlarge_row(s, pixels) : shrink_row(s, pixels);
    return status;
}

static lvl_status scale_end(lvl_rows *rows)
{
    scale_rows *s = (scale_rows *)rows;

    return s->next->end(s->next);
}

lvl_rows *lvl_scale_rows_new(const lvl_ctx *ctx, uint32_t to_width, uint32_t to_height, uint32_t up,
                             lvl_rows *next)
{
    scale_rows *s = lvl_mem_alloc(ctx, sizeof *s);

    if (!s)
        return NULL;
    memset(s, 0, sizeof *s);
    s->rows.begin = scale_begin;
    s->rows.rows = scale_take;
    s->rows.end = scale_end;
    s->ctx = ctx;
    s->next = next;
    s->to_width = to_width;
    s->to_height = to_height;
    s->up = up;
    return &s->rows;
}

void lvl_scale_rows_free(lvl_rows *rows)
{
    scale_rows *s = (scale_rows *)rows;

    if (!s)
        return;
    lvl_mem_free(s->ctx, s->columns);
    lvl_mem_free(s->ctx, s->line);
    lvl_mem_free(s->ctx, s->sums);
    lvl_mem_free(s->ctx, s->row);
    lvl_mem_free(s->ctx, s->added);
    lvl_mem_free(s->ctx, s);
}
