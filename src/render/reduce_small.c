/*
 * render/reduce_small.c: small pictures: drawn at full size on a piece, then shrunk. Those of cells and
 * images are cached.
 */
#include "render/reduce.h"

#include "base/arena.h"
#include "base/cursor.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_KEPT = 64 << 20 /* bytes of small pictures */ };

/* ---- shrinking --------------------------------------------------------------------------------------- */

lvl_canvas lvl_reduction_piece(const lvl_plan *plan, lvl_area area)
{
    lvl_reduction *r = plan->reduction;
    const size_t width = (size_t)(area.right - area.left), height = (size_t)(area.bottom - area.top);
    lvl_canvas canvas = {.transparent = true,
                         .pen = 1,
                         .palette = plan->scene->palette,
                         .area = area,
                         .width = (uint32_t)width};

    if (!lvl_work_charge(&r->work, width * height / 4 + 16))
        return canvas;
    if (r->piece_size < width * height * 4) {
        lvl_mem_free(plan->ctx, r->piece);
        r->piece_size = width * height * 4;
        r->piece = lvl_mem_alloc(plan->ctx, r->piece_size);
        if (!r->piece)
            r->piece_size = 0;
    }
    canvas.pixels = r->piece;
    if (canvas.pixels)
        lvl_canvas_clear(&canvas);
    return canvas;
}

/* Sums colour times alpha, and alpha, over the pixels of a part of `from`. */
static void sum_pixels(const uint8_t *from, const lvl_area *at, const lvl_area *part, uint64_t sum[4])
{
    for (int64_t y = part->top; y < part->bottom; y++) {
        const uint8_t *p = from + ((y - at->top) * (at->right - at->left) + part->left - at->left) * 4;
        uint32_t row[4] = {0};
        for (int64_t x = part->left; x < part->right; x++, p += 4) {
            const uint32_t a = p[3];
            for (int c = 0; c < 3; c++)
                row[c] += p[c] * a;
            row[3] += a;
        }
        for (int c = 0; c < 4; c++)
            sum[c] += row[c];
    }
}

/* The sums of each channel over some rows. */
static void add_rows(const uint8_t *from, size_t bytes, uint32_t rows, uint16_t *added)
{
    memset(added, 0, bytes * sizeof *added);
    for (uint32_t y = 0; y < rows; y++, from += bytes) {
        for (size_t i = 0; i < bytes; i++)
            added[i] = (uint16_t)(added[i] + from[i]);
    }
}

/* The mean of 1 << bits pixels in some columns of which the sums are known, if they are all opaque or all
 * transparent, as in nearly all parts: that needs no multiplication and no division. */
static inline bool find_plain_mean(const uint16_t *added, uint32_t columns, unsigned bits, uint8_t mean[4])
{
    const uint32_t count = 1u << bits;
    uint64_t all = 0, one;
    uint16_t sum[4];

    for (uint32_t i = 0; i < columns; i++, added += 4) {
        memcpy(&one, added, sizeof one);
        all += one;
    }
    memcpy(sum, &all, sizeof sum);
    for (int c = 0; c < 4; c++)
        mean[c] = (uint8_t)((sum[c] + count / 2) >> bits);
    if (!sum[3])
        memset(mean, 0, 4);
    return !sum[3] || sum[3] == 255 * count;
}

/* The mean of any part: of its pixels that `from` holds. */
static void find_mean(const uint8_t *from, const lvl_area *at, lvl_area part, uint8_t mean[4])
{
    const uint64_t count = (uint64_t)((part.right - part.left) * (part.bottom - part.top));
    uint64_t sum[4] = {0};

    if (lvl_area_clip(&part, at))
        sum_pixels(from, at, &part, sum);
    for (int c = 0; c < 3; c++)
        mean[c] = (uint8_t)(sum[3] ? (sum[c] + sum[3] / 2) / sum[3] : 0);
    mean[3] = (uint8_t)(count ? (sum[3] + count / 2) / count : 0);
}

bool lvl_shrink(const uint8_t *from, const lvl_area *at, uint32_t width, uint32_t height, lvl_image *to)
{
    enum { WIDEST = 256, MOST = 256 /* pixels of a part: their sums fit in 16 bits */ };
    const uint32_t columns = to->width ? width / to->width : 0, rows = to->height ? height / to->height : 0;
    const bool whole = !at->left && !at->top && at->right == width && at->bottom == height,
               equal = columns && rows && columns * to->width == width && rows * to->height == height;
    const bool plain = whole && equal && width <= WIDEST && rows <= MOST && columns * rows <= MOST &&
                       !(columns * rows & (columns * rows - 1));
    const unsigned bits = plain ? lvl_lowest_bit(columns * rows) : 0;
    uint16_t added[WIDEST * 4];
    uint8_t *out = to->pixels;
    bool any = false;

    for (uint64_t ty = 0; ty < to->height; ty++) {
        const int64_t top = (int64_t)(ty * height / to->height);
        const int64_t bottom = (int64_t)((ty + 1) * height / to->height);
        if (plain)
            add_rows(from + (size_t)top * width * 4, (size_t)width * 4, rows, added);
        for (uint64_t tx = 0; tx < to->width; tx++, out += 4) {
            uint8_t mean[4]; /* `out` may be in `from` */
            if (!plain || !find_plain_mean(added + tx * columns * 4, columns, bits, mean))
                find_mean(from, at,
                          (lvl_area){(int64_t)(tx * width / to->width), top,
                                     (int64_t)((tx + 1) * width / to->width), bottom},
                          mean);
            memcpy(out, mean, 4);
            any = any || mean[3];
        }
    }
    return any;
}

/* ---- cache ------------------------------------------------------------------------------------------- */

void lvl_reduction_clear_small(const lvl_plan *plan)
{
    lvl_reduction *r = plan->reduction;

    for (uint32_t i = 0; i < r->count; i++)
        lvl_mem_free(plan->ctx, r->small[i].image.pixels);
    r->count = 0;
    r->bytes = 0;
    memset(r->recent, 0, sizeof r->recent);
    lvl_hash_clear(&r->table);
}

lvl_small *lvl_small_kept(const lvl_plan *plan, uint64_t key, uint32_t layer, bool *made)
{
    lvl_reduction *r = plan->reduction;
    const uint64_t hash = lvl_hash_mix(&r->table.seed, lvl_hash_u64(&r->table.seed, key), layer);

    *made = true;
    for (lvl_hash_at at = lvl_hash_first(&r->table, hash); at.found; at = lvl_hash_next(&r->table, at)) {
        if (r->small[at.index].key == key && r->small[at.index].layer == layer)
            return &r->small[at.index];
    }
    *made = false;
    if (r->bytes > MAX_KEPT)
        lvl_reduction_clear_small(plan);
    if (!lvl_grow(&r->small, &r->cap, (size_t)r->count + 1, sizeof *r->small) ||
        lvl_hash_add(&r->table, hash, r->count) != LVL_OK)
        return NULL;
    r->small[r->count] = (lvl_small){.key = key, .layer = layer};
    return &r->small[r->count++];
}

void lvl_small_made(const lvl_plan *plan, const lvl_small *small)
{
    plan->reduction->bytes += (uint64_t)small->image.width * small->image.height * 4 + sizeof *small;
}

bool lvl_small_alloc(const lvl_plan *plan, lvl_small *small, uint32_t width, uint32_t height)
{
    small->image = (lvl_image){.format = LVL_PIXELS_RGBA8, .width = width, .height = height};
    small->image.pixels = lvl_mem_alloc(plan->ctx, (size_t)width * height * 4);
    return small->image.pixels != NULL;
}
