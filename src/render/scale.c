/*
 * render/scale.c: pictures made smaller by a box filter, or larger by a whole factor, as their rows pass
 * through.
 *
 * Shrinking: each pixel of the result is the mean of the rectangle that it covers, pixels at the rectangle's
 * border counted by the part of them inside. Weights are in 256ths. Colours are averaged as they are stored
 * (not linearly), as every viewer does.
 */
#include "render/plan.h"

#include "base/arena.h"
#include "base/cursor.h"
#include "base/work.h"

#include <string.h>

typedef struct span {
    uint32_t first, last; /* source pixels touched, both included */
    uint32_t first_w, last_w; /* 256ths of them inside; last_w 0 when first == last */
} span;

typedef struct scale_rows {
    lvl_rows rows;
    const lvl_ctx *ctx;
    lvl_rows *next;
    uint32_t to_width, to_height, up;
    lvl_picture in, out;
    span *columns;
    uint64_t *line; /* sums of one source row: to_width × channels */
    uint64_t *sums; /* of the current result row */
    uint8_t *row; /* a source row as RGB or premultiplied RGBA; the result row */
    uint32_t y; /* source row that comes next */
    uint32_t to_y; /* result row in work */
    uint8_t colours[256][3];
    uint64_t packed[256]; /* of indices: the three colours, 21 bits each */
    uint32_t *whole; /* by a whole factor: four sums of each pixel of the result row; else NULL */
    uint32_t factor;
    uint64_t inverse; /* 2^40 / (2 * factor^2), rounded up */
} scale_rows;

enum { MAX_FACTOR = 64 }; /* 255 times 255 times its square fits 31 bits */

enum { MAX_PACKED = 8000 }; /* pixels whose sum fits 21 bits */

/* Where result pixel i of `to` begins in 0 .. from, in 256ths. In two parts, since the product of all three
 * can be more than 64 bits. */
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

/* ---- smaller ----------------------------------------------------------------------------------------- */

static void to_colours(scale_rows *s, const uint8_t *from, uint8_t *to)
{
    const size_t width = s->in.width;

    if (s->in.channels == 3) {
        memcpy(to, from, width * 3);
    } else if (s->in.channels == 1) {
        for (size_t x = 0; x < width; x++)
            memcpy(to + x * 3, s->colours[from[x]], 3);
    } else {
        for (size_t x = 0; x < width; x++) {
            const unsigned a = from[x * 4 + 3];
            if (a == 255) {
                memcpy(to + x * 4, from + x * 4, 4);
                continue;
            }
            for (size_t c = 0; c < 3; c++)
                to[x * 4 + c] = (uint8_t)((from[x * 4 + c] * a + 127) / 255);
            to[x * 4 + 3] = (uint8_t)a;
        }
    }
}

static void sum_line3(const scale_rows *s, const uint8_t *row)
{
    for (uint32_t i = 0; i < s->to_width; i++) {
        const span *c = &s->columns[i];
        const uint8_t *p = row + (size_t)c->first * 3, *end = row + (size_t)c->last * 3;
        uint64_t r = p[0] * c->first_w, g = p[1] * c->first_w, b = p[2] * c->first_w;
        uint32_t fr = 0, fg = 0, fb = 0; /* of at most 2^24 px, the widest picture */

        for (p += 3; p < end; p += 3) {
            fr += p[0];
            fg += p[1];
            fb += p[2];
        }
        r += (uint64_t)fr * 256 + end[0] * c->last_w;
        g += (uint64_t)fg * 256 + end[1] * c->last_w;
        b += (uint64_t)fb * 256 + end[2] * c->last_w;
        s->line[i * 3] = r;
        s->line[i * 3 + 1] = g;
        s->line[i * 3 + 2] = b;
    }
}

/* Straight from indices: three sums in one addition. */
static void sum_line1(const scale_rows *s, const uint8_t *row)
{
    const uint64_t lane = ((uint64_t)1 << 21) - 1;

    for (uint32_t i = 0; i < s->to_width; i++) {
        const span *c = &s->columns[i];
        const uint8_t *first = s->colours[row[c->first]], *last = s->colours[row[c->last]];
        uint64_t sum = 0;

        for (uint32_t x = c->first + 1; x < c->last; x++)
            sum += s->packed[row[x]];
        s->line[i * 3] = (sum & lane) * 256 + first[0] * c->first_w + last[0] * c->last_w;
        s->line[i * 3 + 1] = (sum >> 21 & lane) * 256 + first[1] * c->first_w + last[1] * c->last_w;
        s->line[i * 3 + 2] = (sum >> 42) * 256 + first[2] * c->first_w + last[2] * c->last_w;
    }
}

static void sum_line4(const scale_rows *s, const uint8_t *row)
{
    for (uint32_t i = 0; i < s->to_width; i++) {
        const span *c = &s->columns[i];
        for (size_t ch = 0; ch < 4; ch++) {
            uint64_t sum = 0;
            for (size_t x = (size_t)c->first + 1; x < c->last; x++)
                sum += row[x * 4 + ch];
            s->line[i * 4 + ch] = sum * 256 + row[(size_t)c->first * 4 + ch] * c->first_w +
                                  row[(size_t)c->last * 4 + ch] * c->last_w;
        }
    }
}

static lvl_status finish_row(scale_rows *s)
{
    const uint32_t channels = s->out.channels;
    /* Heights in 256ths, as the spans were cut. */
    const uint64_t y0 = edge_of(s->to_y, s->in.height, s->to_height);
    const uint64_t y1 = edge_of((uint64_t)s->to_y + 1, s->in.height, s->to_height);

    for (uint32_t i = 0; i < s->to_width; i++) {
        const uint64_t x0 = edge_of(i, s->in.width, s->to_width);
        const uint64_t x1 = edge_of((uint64_t)i + 1, s->in.width, s->to_width);
        const uint64_t area = (x1 - x0) * (y1 - y0);
        const uint64_t *sum = s->sums + (size_t)i * channels;
        uint8_t *to = s->row + (size_t)i * channels;

        if (channels == 3) {
            for (int c = 0; c < 3; c++)
                to[c] = (uint8_t)((sum[c] + area / 2) / area);
        } else {
            /* large sums lose low bits, so that 255 times the sum fits */
            const unsigned cut = sum[3] >> 48 ? 16 : 0;
            const uint64_t alpha = sum[3] >> cut;
            for (int c = 0; c < 3; c++) {
                const uint64_t v = alpha ? ((sum[c] >> cut) * 255 + alpha / 2) / alpha : 0;
                to[c] = (uint8_t)(v > 255 ? 255 : v);
            }
            to[3] = (uint8_t)((sum[3] + area / 2) / area);
        }
    }
    memset(s->sums, 0, (size_t)s->to_width * channels * sizeof *s->sums);
    s->to_y++;
    return s->next->rows(s->next, s->row, 1);
}

/* Adds a source row of palette indices to the sums of the result row, by a whole factor. */
static void sum_whole1(const scale_rows *s, const uint8_t *from)
{
    const uint64_t lane = ((uint64_t)1 << 21) - 1;
    uint32_t *sum = s->whole;

    for (uint32_t i = 0; i < s->to_width; i++, sum += 4) {
        uint64_t all = 0;
        for (uint32_t k = 0; k < s->factor; k++)
            all += s->packed[*from++];
        sum[0] += (uint32_t)(all & lane);
        sum[1] += (uint32_t)(all >> 21 & lane);
        sum[2] += (uint32_t)(all >> 42);
    }
}

/* The same for RGB. */
static void sum_whole3(const scale_rows *s, const uint8_t *from)
{
    uint32_t *sum = s->whole;

    for (uint32_t i = 0; i < s->to_width; i++, sum += 4) {
        for (uint32_t k = 0; k < s->factor; k++, from += 3) {
            sum[0] += from[0];
            sum[1] += from[1];
            sum[2] += from[2];
        }
    }
}

/* One pixel of RGBA that is not opaque: sums of 16 bits each. */
static void add_premultiplied(const uint8_t *p, uint64_t *rb, uint64_t *ga)
{
    const uint32_t a = p[3];

    *rb += (p[0] * a + 127) / 255 | (p[2] * a + 127) / 255 << 16;
    *ga += (p[1] * a + 127) / 255 | a << 16;
}

/* The same for RGBA. Two opaque pixels are added at once, as they lie there: four sums of 16 bits each, of
 * at most 64 px. Transparent pixels, which are the most common in many levels, cost little. */
static void sum_whole4(const scale_rows *s, const uint8_t *from)
{
    const uint64_t odd = 0xff00ff00ff00ff, opaque = 0xff000000ff000000;
    uint32_t *sum = s->whole;

    for (uint32_t i = 0; i < s->to_width; i++, sum += 4) {
        uint64_t rb = 0, ga = 0;
        uint32_t k = 0;
        for (; k + 2 <= s->factor; k += 2, from += 8) {
            const uint64_t two = lvl_load_u64le(from), alpha = two & opaque;
            if (alpha == opaque) {
                rb += two & odd;
                ga += two >> 8 & odd;
            } else if (alpha) {
                add_premultiplied(from, &rb, &ga);
                add_premultiplied(from + 4, &rb, &ga);
            }
        }
        if (k < s->factor) {
            add_premultiplied(from, &rb, &ga);
            from += 4;
        }
        sum[0] += (uint32_t)((rb & 0xffff) + (rb >> 32 & 0xffff));
        sum[1] += (uint32_t)((ga & 0xffff) + (ga >> 32 & 0xffff));
        sum[2] += (uint32_t)((rb >> 16 & 0xffff) + (rb >> 48));
        sum[3] += (uint32_t)((ga >> 16 & 0xffff) + (ga >> 48));
    }
}

/* The sum of bytes divided by their number, rounded: (2 sum + area) / (2 area), by a multiplication. The
 * product is less than 2^34 too large, which is not enough to reach the next quotient. */
static uint8_t mean_of(const scale_rows *s, uint32_t sum)
{
    return (uint8_t)((sum * 2 + s->factor * s->factor) * s->inverse >> 40);
}

/* The same result as the general case below, for a whole factor, in 32-bit sums. */
static lvl_status shrink_whole(scale_rows *s, const uint8_t *from)
{
    const uint32_t factor = s->factor ? s->factor : 1, area = factor * factor;
    const uint32_t channels = s->out.channels;
    const uint32_t *sum = s->whole;
    uint8_t *to = s->row;

    if (s->in.channels == 1)
        sum_whole1(s, from);
    else if (s->in.channels == 3)
        sum_whole3(s, from);
    else
        sum_whole4(s, from);
    if (++s->y % factor)
        return LVL_OK;
    for (uint32_t i = 0; i < s->to_width; i++, sum += 4, to += channels) {
        if (channels == 3 || sum[3] == 255 * area) {
            for (int c = 0; c < 3; c++)
                to[c] = mean_of(s, sum[c]);
        } else {
            for (int c = 0; c < 3; c++) {
                const uint32_t v = sum[3] ? (sum[c] * 510 + sum[3]) / (sum[3] * 2) : 0;
                to[c] = (uint8_t)(v > 255 ? 255 : v);
            }
        }
        if (channels == 4)
            to[3] = mean_of(s, sum[3]);
    }
    memset(s->whole, 0, (size_t)s->to_width * 4 * sizeof *s->whole);
    return s->next->rows(s->next, s->row, 1);
}

static lvl_status shrink_row(scale_rows *s, const uint8_t *from)
{
    if (s->whole)
        return shrink_whole(s, from);
    const uint32_t channels = s->out.channels;
    const size_t count = (size_t)s->to_width * channels;
    lvl_status status = LVL_OK;

    if (s->in.channels == 1 && s->in.width / s->to_width < MAX_PACKED - 2) {
        sum_line1(s, from);
    } else {
        to_colours(s, from, s->row);
        if (channels == 3)
            sum_line3(s, s->row);
        else
            sum_line4(s, s->row);
    }
    /* A source row lies in one result row, or across the border of two. */
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
        s->to_height > picture->height)
        return LVL_ERR_ARG;
    s->out.width = s->to_width;
    s->out.height = s->to_height;
    s->out.channels = picture->channels == 4 ? 4 : 3;
    s->out.palette = NULL;
    for (size_t i = 0; i < 256; i++) {
        for (size_t c = 0; c < 3; c++)
            s->colours[i][c] = picture->palette ? picture->palette->rgb[i][c] : (uint8_t)i;
        s->packed[i] = s->colours[i][0] | (uint64_t)s->colours[i][1] << 21 | (uint64_t)s->colours[i][2] << 42;
    }
    const size_t count = (size_t)s->to_width * s->out.channels;
    s->columns = lvl_mem_alloc(s->ctx, (size_t)s->to_width * sizeof *s->columns);
    s->line = lvl_mem_alloc(s->ctx, count * sizeof *s->line);
    s->sums = lvl_mem_alloc(s->ctx, count * sizeof *s->sums);
    s->row = lvl_mem_alloc(s->ctx, (size_t)picture->width * s->out.channels);
    s->factor = picture->width / s->to_width;
    if (s->sums && s->factor <= MAX_FACTOR && picture->width == s->to_width * s->factor &&
        picture->height == s->to_height * s->factor)
        s->whole = (uint32_t *)(void *)s->sums;
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
    lvl_mem_free(s->ctx, s);
}
