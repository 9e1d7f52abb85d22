/*
 * sketchy/chunks/paint.c: colours of pixels; see paint.h.
 *
 * A px of swatch colour c: opaque white has blue 254. With a pattern (one that the game knows by name), g =
 * pattern[|x mod w|, |y mod h|] of the px's world coordinates, with C's remainder, so the pattern is mirrored
 * at 0; g is premultiplied. If its alpha is 0 the px is (1, 0, 0, 1), else each channel is floor(c * (g /
 * 255)), opaque. Without a pattern it is c with its alpha. Layers are composed by Go's image/draw in 8 bits.
 */
#include "sketchy/chunks/paint.h"

#include "base/cursor.h"
#include "base/text.h"
#include "scene/scene.h"
#include "scene/art.h"

#include <stdio.h>
#include <string.h>

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

bool lvl_sketchy_color(lvl_text text, uint8_t rgba[4])
{
    int v[8];

    if (text.len && text.ptr[0] == '#') {
        text.ptr++;
        text.len--;
    }
    if (text.len != 3 && text.len != 6 && text.len != 8)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        v[i] = hex_digit(text.ptr[i]);
        if (v[i] < 0)
            return false;
    }
    rgba[3] = 255;
    for (size_t i = 0; i < (text.len == 8 ? 4u : 3u); i++)
        rgba[i] = (uint8_t)(text.len == 3 ? v[i] * 17 : v[i * 2] * 16 + v[i * 2 + 1]);
    return true;
}

void lvl_paint_sample(const lvl_image *image, uint32_t x, uint32_t y, uint8_t rgba[4])
{
    const size_t at = (size_t)y * image->width + x;

    if (image->format == LVL_PIXELS_INDEX8) {
        const uint8_t i = image->pixels[at];
        const bool drawn = !image->mask || image->mask[at];
        for (int k = 0; k < 3; k++)
            rgba[k] = !drawn ? 0 : image->palette ? image->palette->rgb[i][k] : i;
        rgba[3] = drawn ? 255 : 0;
        return;
    }
    const uint8_t *p = image->pixels + at * 4;
    const uint32_t a = p[3] * 257u;
    for (int k = 0; k < 3; k++)
        rgba[k] = p[3] == 255 ? p[k] : (uint8_t)(p[k] * 257u * (uint64_t)a / 65535 >> 8);
    rgba[3] = p[3];
}

/* ---- paints ------------------------------------------------------------------------------------------ */

bool lvl_paint_is_pattern(lvl_text name)
{
    static const char *const names[] = {"noise.png",   "marker.png",  "ink.png",  "perlin-noise.png",
                                        "bubbles.png", "circles.png", "grid.png", "bars.png"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (lvl_text_is(name, names[i]))
            return true;
    }
    return false;
}

const lvl_image *lvl_paint_asset(const lvl_art *art, const char *folder, lvl_text name)
{
    char path[300];

    if (!art || !name.len || name.len > 200 || memchr(name.ptr, '/', name.len) ||
        memchr(name.ptr, '\0', name.len))
        return NULL;
    snprintf(path, sizeof path, "%s/%.*s", folder, (int)name.len, name.ptr);
    const lvl_image *image = lvl_art_picture(art, path);
    return image ? image : lvl_art_picture(art, path + strlen(folder) + 1);
}

static lvl_tile_class look_of(const lvl_sketchy_swatch *s)
{
    return s->fire        ? LVL_LOOK_DEATH
           : s->slippery  ? LVL_LOOK_OTHER /* ice is also solid */
           : s->solid     ? LVL_LOOK_SOLID
           : s->semisolid ? LVL_LOOK_GROUND
           : s->water     ? LVL_LOOK_WATER
                          : LVL_LOOK_CLEAR;
}

/* ---- grids ------------------------------------------------------------------------------------------- */

/* |x mod n| with C's remainder. */
static uint32_t wrap_position(int64_t x, uint32_t n)
{
    const int64_t r = x % (int64_t)n;

    return (uint32_t)(r < 0 ? -r : r);
}

static void paper_at(const lvl_paper *paper, int64_t x, int64_t y, uint8_t rgba[4])
{
    if (!paper->image || !paper->width || !paper->height || x < 0 || y < 0) {
        rgba[0] = rgba[1] = rgba[2] = rgba[3] = 255;
        return;
    }
    const bool left = paper->edges && x < paper->width && y / paper->height < paper->edge_rows;
    const bool top = paper->edges && y < paper->height && x / paper->width < paper->edge_columns;
    const uint32_t qx = left ? 0 : paper->width, qy = top ? 0 : paper->height;
    lvl_paint_sample(paper->image, qx + (uint32_t)(x % paper->width), qy + (uint32_t)(y % paper->height),
                     rgba);
}

void lvl_paint_over(uint8_t dst[4], const uint8_t src[4])
{
    const uint32_t a = 65535 - src[3] * 257u;

    for (int k = 0; k < 4; k++)
        dst[k] = (uint8_t)((dst[k] * a * 257u / 65535 + src[k] * 257u) >> 8);
}

static void paint(const lvl_paint *p, int64_t x, int64_t y, uint8_t rgba[4])
{
    uint8_t g[4];

    memcpy(rgba, p->rgba, 4);
    if (!p->pattern)
        return;
    lvl_paint_sample(p->pattern, wrap_position(x, p->pattern->width), wrap_position(y, p->pattern->height),
                     g);
    if (!g[3]) {
        static const uint8_t faint[4] = {1, 0, 0, 1};
        memcpy(rgba, faint, 4);
        return;
    }
    for (int k = 0; k < 3; k++)
        rgba[k] = p->lut[k][g[k]];
    rgba[3] = 255;
}

/* The colours of a swatch at each px of its pattern, unless the pattern is large. */
static bool make_colors(lvl_scene *scene, lvl_paint *p)
{
    enum { MAX_SIDE = 128 };
    const uint32_t width = p->pattern->width, height = p->pattern->height;

    if (width > MAX_SIDE || height > MAX_SIDE)
        return true;
    p->colors = lvl_scene_alloc(scene, (size_t)width * height, 4);
    for (uint32_t y = 0; p->colors && y < height; y++) {
        for (uint32_t x = 0; x < width; x++)
            paint(p, x, y, p->colors + ((size_t)y * width + x) * 4);
    }
    return p->colors != NULL;
}

lvl_status lvl_paints_make(lvl_scene *scene, const lvl_sketchy_swatch *swatches, uint32_t count,
                           const lvl_art *art, lvl_paints *out)
{
    out->list = lvl_scene_alloc(scene, (size_t)count + 1, sizeof *out->list);
    out->count = count;
    out->missing = 0;
    if (!out->list)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        lvl_paint *p = &out->list[i];
        p->good = lvl_sketchy_color(swatches[i].color, p->rgba);
        p->look = look_of(&swatches[i]);
        if (p->rgba[0] == 255 && p->rgba[1] == 255 && p->rgba[2] == 255 && p->rgba[3] == 255)
            p->rgba[2] = 254;
        if (!lvl_paint_is_pattern(swatches[i].pattern))
            continue;
        p->pattern = lvl_paint_asset(art, "pattern", swatches[i].pattern);
        out->missing += !p->pattern;
        for (int k = 0; k < 3; k++) {
            for (int g = 0; g < 256; g++)
                p->lut[k][g] = (uint8_t)((double)p->rgba[k] * ((double)g / 255));
        }
        if (p->pattern && !make_colors(scene, p))
            return LVL_ERR_MEMORY;
    }
    return LVL_OK;
}

/* The results of fold for the columns of a grid, for the two widths of patterns that were used last. */
typedef struct folds {
    int64_t left;
    uint32_t width[2];
    uint8_t columns[2][LVL_SKETCHY_CHUNK_SIZE_MAX]; /* for patterns at most 128 wide */
} folds;

static const uint8_t *folds_for(folds *f, uint32_t width)
{
    if (f->width[0] == width)
        return f->columns[0];
    if (f->width[1] != width) {
        f->width[1] = f->width[0];
        memcpy(f->columns[1], f->columns[0], sizeof f->columns[1]);
        f->width[0] = width;
        for (uint32_t x = 0; x < LVL_SKETCHY_CHUNK_SIZE_MAX; x++)
            f->columns[0][x] = (uint8_t)wrap_position(f->left + x, width);
        return f->columns[0];
    }
    return f->columns[1];
}

/* Paints the cells first … end of a row, which all have that paint. */
static void paint_span(const lvl_paint *p, uint32_t first, uint32_t end, int64_t y, folds *f, uint8_t *out)
{
    if (!p->pattern) {
        for (uint32_t x = first; x < end; x++)
            memcpy(out + (size_t)x * 4, p->rgba, 4);
    } else if (p->colors && end <= LVL_SKETCHY_CHUNK_SIZE_MAX) {
        const uint8_t *row = p->colors + (size_t)wrap_position(y, p->pattern->height) * p->pattern->width * 4;
        const uint8_t *columns = folds_for(f, p->pattern->width);
        for (uint32_t x = first; x < end; x++)
            memcpy(out + (size_t)x * 4, row + (size_t)columns[x] * 4, 4);
    } else {
        for (uint32_t x = first; x < end; x++)
            paint(p, f->left + x, y, out + (size_t)x * 4);
    }
}

/* Draws px that aren't opaque over the paper. */
static void lay_over(const lvl_paper *paper, uint32_t first, uint32_t end, int64_t left, int64_t y,
                     uint8_t *out)
{
    for (uint32_t x = first; x < end; x++) {
        uint8_t *p = out + (size_t)x * 4, under[4];
        if (p[3] == 255)
            continue;
        paper_at(paper, left + x, y, under);
        lvl_paint_over(under, p);
        memcpy(p, under, 4);
    }
}

/* The end of the span of equal cells that begins at x. */
static uint32_t span_end(const lvl_cells *grid, uint32_t x, uint32_t y, uint32_t index)
{
    enum { MANY = 16 };
    const uint8_t *p = grid->ptr + ((size_t)y * grid->width + x) * grid->size;

    /* comparing with itself, shifted by one cell, compares many cells at once */
    while (grid->width - x > MANY && memcmp(p, p + grid->size, (size_t)MANY * grid->size) == 0) {
        x += MANY;
        p += (size_t)MANY * grid->size;
    }
    for (x++; x < grid->width && lvl_cell(grid, x, y) == index;)
        x++;
    return x;
}

void lvl_paint_grid(const lvl_paints *paints, const lvl_cells *grid, int64_t left, int64_t top,
                    const lvl_paper *paper, int64_t origin_x, int64_t origin_y, uint8_t *out)
{
    folds f = {.left = left};

    for (uint32_t y = 0; y < grid->height; y++, out += (size_t)grid->width * 4) {
        for (uint32_t x = 0, end; x < grid->width; x = end) {
            const uint32_t index = lvl_cell(grid, x, y);
            end = span_end(grid, x, y, index);
            if (index >= paints->count || !paints->list[index].good) {
                memset(out + (size_t)x * 4, 0, (size_t)(end - x) * 4);
                continue;
            }
            const lvl_paint *p = &paints->list[index];
            paint_span(p, x, end, top + y, &f, out);
            if (paper && (p->pattern || p->rgba[3] != 255))
                lay_over(paper, x, end, left - origin_x, top + y - origin_y, out);
        }
    }
}
