/*
 * render/canvas.c: drawing on a band. Pictures are the fast path: rows of opaque tiles are copied, masks are
 * applied without branches; the rest is rectangles, lines and letters.
 */
#include "render/canvas.h"

#include <string.h>

/* clang-format off */
const uint8_t lvl_ink_rgb[LVL_INK_COUNT][3] = {
    [LVL_INK_BACK]        = { 28,  34,  48},
    [LVL_INK_BACK_GRID]   = { 36,  43,  59},
    [LVL_INK_CLEAR]       = { 44,  53,  72},
    [LVL_INK_SOLID]       = {104, 116, 136},
    [LVL_INK_SOLID_DARK]  = { 91, 102, 121},
    [LVL_INK_SOLID_EDGE]  = {178, 192, 208},
    [LVL_INK_GROUND]      = {156, 120,  72},
    [LVL_INK_GROUND_EDGE] = {230, 192, 120},
    [LVL_INK_CLIMB]       = {206, 150,  84},
    [LVL_INK_CLIMB_DARK]  = {128,  88,  48},
    [LVL_INK_DEATH]       = {228,  72,  62},
    [LVL_INK_DEATH_DARK]  = { 92,  30,  38},
    [LVL_INK_OTHER]       = {168, 112, 214},
    [LVL_INK_OTHER_DARK]  = { 72,  56, 100},
    [LVL_INK_BLACK]       = {  0,   0,   0},
    [LVL_INK_WHITE]       = {244, 246, 250},
    [LVL_INK_SHADE]       = { 14,  17,  25},
    [LVL_INK_GREY]        = {140, 148, 162},
    [LVL_INK_ENEMY]       = {240,  84,  84},
    [LVL_INK_BOSS]        = {255,  48, 120},
    [LVL_INK_TREASURE]    = {250, 208,  72},
    [LVL_INK_ITEM]        = { 96, 216, 120},
    [LVL_INK_CONTAINER]   = {190, 132,  78},
    [LVL_INK_PLATFORM]    = { 96, 168, 244},
    [LVL_INK_HAZARD]      = {250, 140,  52},
    [LVL_INK_WARP]        = {184, 124, 255},
    [LVL_INK_CHECKPOINT]  = { 70, 228, 200},
    [LVL_INK_TRIGGER]     = {120, 212, 232},
    [LVL_INK_SOUND]       = {158, 166, 214},
    [LVL_INK_SCENERY]     = {122, 134, 128},
    [LVL_INK_UNKNOWN]     = {220, 220, 220},
    [LVL_INK_START]       = {255, 255, 120},
    [LVL_INK_SIGN]        = {236, 222, 170},
    [LVL_INK_WATER]       = { 64, 132, 236},
    [LVL_INK_WATER_DARK]  = { 32,  68, 132},
    [LVL_INK_WADE]        = { 84, 196, 200},
    [LVL_INK_WADE_DARK]   = { 38,  88,  98},
    [LVL_INK_LOW]         = {246, 236, 116},
    [LVL_INK_LOW_DARK]    = { 96,  84,  56},
    [LVL_INK_JUMP]        = {130, 220,  90},
    [LVL_INK_REST]        = {232, 132, 188},
};
/* clang-format on */

lvl_ink lvl_ink_of_kind(lvl_thing_kind kind)
{
    switch (kind) {
    case LVL_THING_ENEMY: return LVL_INK_ENEMY;
    case LVL_THING_BOSS: return LVL_INK_BOSS;
    case LVL_THING_TREASURE: return LVL_INK_TREASURE;
    case LVL_THING_ITEM: return LVL_INK_ITEM;
    case LVL_THING_CONTAINER: return LVL_INK_CONTAINER;
    case LVL_THING_PLATFORM: return LVL_INK_PLATFORM;
    case LVL_THING_HAZARD: return LVL_INK_HAZARD;
    case LVL_THING_WARP: return LVL_INK_WARP;
    case LVL_THING_EXIT:
    case LVL_THING_CHECKPOINT: return LVL_INK_CHECKPOINT;
    case LVL_THING_TRIGGER: return LVL_INK_TRIGGER;
    case LVL_THING_SOUND: return LVL_INK_SOUND;
    case LVL_THING_SCENERY: return LVL_INK_SCENERY;
    case LVL_THING_START: return LVL_INK_START;
    case LVL_THING_SIGN: return LVL_INK_SIGN;
    default: return LVL_INK_UNKNOWN;
    }
}

bool lvl_area_clip(lvl_area *area, const lvl_area *to)
{
    if (area->left < to->left)
        area->left = to->left;
    if (area->top < to->top)
        area->top = to->top;
    if (area->right > to->right)
        area->right = to->right;
    if (area->bottom > to->bottom)
        area->bottom = to->bottom;
    return area->left < area->right && area->top < area->bottom;
}

/* The pixel at picture coordinates within the band. */
static uint8_t *pixel(lvl_canvas *canvas, int64_t x, int64_t y)
{
    const size_t at = (size_t)(y - canvas->area.top) * canvas->width + (size_t)(x - canvas->area.left);

    return canvas->pixels + (canvas->indexed ? at : at * 4);
}

static void fill_rgba(uint8_t *p, size_t count, const uint8_t rgba[4])
{
    for (size_t i = 0; i < count; i++)
        memcpy(p + i * 4, rgba, 4);
}

void lvl_canvas_clear(lvl_canvas *canvas)
{
    static const uint8_t black[4] = {0, 0, 0, 255};
    const size_t count = (size_t)canvas->width * (size_t)(canvas->area.bottom - canvas->area.top);

    if (canvas->indexed)
        memset(canvas->pixels, canvas->back, count);
    else if (canvas->transparent)
        memset(canvas->pixels, 0, count * 4);
    else
        fill_rgba(canvas->pixels, count, black);
}

static void fill(lvl_canvas *canvas, lvl_area area, uint8_t index, const uint8_t rgb[3])
{
    const uint8_t rgba[4] = {rgb[0], rgb[1], rgb[2], 255};

    if (!lvl_area_clip(&area, &canvas->area))
        return;
    for (int64_t y = area.top; y < area.bottom; y++) {
        if (canvas->indexed)
            memset(pixel(canvas, area.left, y), index, (size_t)(area.right - area.left));
        else
            fill_rgba(pixel(canvas, area.left, y), (size_t)(area.right - area.left), rgba);
    }
}

void lvl_canvas_fill(lvl_canvas *canvas, lvl_area area, lvl_ink ink)
{
    fill(canvas, area, (uint8_t)ink, lvl_ink_rgb[ink]);
}

void lvl_canvas_fill_colour(lvl_canvas *canvas, lvl_area area, uint8_t index, const uint8_t rgb[3])
{
    fill(canvas, area, index, rgb);
}

/* Blends the colour with `alpha` over a pixel that may be transparent. */
static void blend(uint8_t *p, const uint8_t rgb[3], unsigned alpha)
{
    const unsigned under = p[3] * (255 - alpha) / 255;
    const unsigned sum = alpha + under;

    if (sum == 0)
        return;
    for (int c = 0; c < 3; c++)
        p[c] = (uint8_t)((rgb[c] * alpha + p[c] * under + sum / 2) / sum);
    p[3] = (uint8_t)sum;
}

void lvl_canvas_tint(lvl_canvas *canvas, lvl_area area, lvl_ink ink, unsigned alpha)
{
    if (canvas->indexed || !lvl_area_clip(&area, &canvas->area))
        return;
    const uint8_t *rgb = lvl_ink_rgb[ink];
    const unsigned add[3] = {rgb[0] * alpha + 128, rgb[1] * alpha + 128, rgb[2] * alpha + 128};
    for (int64_t y = area.top; y < area.bottom; y++) {
        uint8_t *p = pixel(canvas, area.left, y);
        for (int64_t x = area.left; x < area.right; x++, p += 4) {
            if (p[3] != 255) {
                blend(p, rgb, alpha);
                continue;
            }
            /* v * 257 >> 16 divides by 255, rounded, for all products of two bytes. */
            for (int c = 0; c < 3; c++)
                p[c] = (uint8_t)((add[c] + p[c] * (255 - alpha)) * 257 >> 16);
        }
    }
}

/* A straight dashed line; only the part in the band is drawn. */
static void dash(lvl_canvas *canvas, lvl_area area, bool down, lvl_ink ink)
{
    const int64_t on = (int64_t)canvas->pen * 6, step = on * 2;
    const int64_t from = down ? area.top : area.left, to = down ? area.bottom : area.right;
    const int64_t seen_from = down ? canvas->area.top : canvas->area.left;
    const int64_t seen_to = down ? canvas->area.bottom : canvas->area.right;
    int64_t at = from;

    if (seen_from > at)
        at += (seen_from - at) / step * step;
    for (; at < to && at < seen_to; at += step) {
        lvl_area piece = area;
        const int64_t end = at + on < to ? at + on : to;
        if (down) {
            piece.top = at;
            piece.bottom = end;
        } else {
            piece.left = at;
            piece.right = end;
        }
        lvl_canvas_fill(canvas, piece, ink);
    }
}

void lvl_canvas_frame(lvl_canvas *canvas, lvl_area area, lvl_ink ink, bool dashed)
{
    const int64_t pen = canvas->pen;
    const lvl_area sides[4] = {{area.left, area.top, area.right, area.top + pen},
                               {area.left, area.bottom - pen, area.right, area.bottom},
                               {area.left, area.top, area.left + pen, area.bottom},
                               {area.right - pen, area.top, area.right, area.bottom}};
    lvl_area seen = {area.right - pen < area.left ? area.right - pen : area.left,
                     area.bottom - pen < area.top ? area.bottom - pen : area.top,
                     area.left + pen > area.right ? area.left + pen : area.right,
                     area.top + pen > area.bottom ? area.top + pen : area.bottom};

    if (!lvl_area_clip(&seen, &canvas->area))
        return;
    for (int i = 0; i < 4; i++) {
        if (dashed)
            dash(canvas, sides[i], i >= 2, ink);
        else
            lvl_canvas_fill(canvas, sides[i], ink);
    }
}

/* Narrows first .. last to the steps of a line at which the other coordinate, which moves by `delta` in total
 * from `start`, is within lo .. hi, plus two steps on either side. */
static void cut_steps(int64_t start, int64_t delta, int64_t steps, int64_t lo, int64_t hi, int64_t *first,
                      int64_t *last)
{
    if (!delta) {
        if (start < lo || start > hi)
            *last = -1;
        return;
    }
    const double a = (double)(lo - start) * (double)steps / (double)delta,
                 b = (double)(hi - start) * (double)steps / (double)delta;
    const double from = (a < b ? a : b) - 2, to = (a < b ? b : a) + 2;

    if (from > (double)*first)
        *first = from > (double)steps ? steps + 1 : (int64_t)from;
    if (to < (double)*last)
        *last = to < 0 ? -1 : (int64_t)to;
}

/* A line consists of squares of `pen` px, one for each pixel along the longer side. The squares that touch a
 * row of pixels across the longer side are consecutive, so each row is one run. Only rows on the canvas are
 * drawn, so the cost depends only on what is visible. */
void lvl_canvas_line(lvl_canvas *canvas, int64_t x0, int64_t y0, int64_t x1, int64_t y1, lvl_ink ink)
{
    const int64_t dx = x1 - x0, dy = y1 - y0;
    const int64_t ax = dx < 0 ? -dx : dx, ay = dy < 0 ? -dy : dy;
    const int64_t pen = canvas->pen;
    const lvl_area *on = &canvas->area;
    const bool steep = ay > ax;
    const int64_t steps = steep ? ay : ax, delta = steep ? dx : dy;
    const int64_t from = steep ? y0 : x0, across = steep ? x0 : y0;
    const int64_t start = steep ? on->top : on->left, end = steep ? on->bottom : on->right;
    const bool back = (steep ? dy : dx) < 0;
    int64_t first = 0, last = steps;

    cut_steps(across, delta, steps, (steep ? on->left : on->top) - pen, steep ? on->right : on->bottom,
              &first, &last);
    if (first > last)
        return;
    int64_t at = back ? from - last : from + first, stop = (back ? from - first : from + last) + pen;
    at = at < start ? start : at;
    stop = stop > end ? end : stop;
    for (; at < stop; at++) {
        /* the steps whose squares touch this row */
        int64_t a = back ? from - at : at - from - pen + 1, b = a + pen - 1;
        a = a < first ? first : a;
        b = b > last ? last : b;
        const int64_t p = across + (steps ? (int64_t)((double)a / (double)steps * (double)delta) : 0);
        const int64_t q = across + (steps ? (int64_t)((double)b / (double)steps * (double)delta) : 0);
        const int64_t low = p < q ? p : q, high = (p < q ? q : p) + pen;
        const lvl_area run = steep ? (lvl_area){low, at, high, at + 1} : (lvl_area){at, low, at + 1, high};
        lvl_canvas_fill(canvas, run, ink);
    }
}

/* ---- pictures ---------------------------------------------------------------------------------------- */

static void set_table(lvl_canvas *canvas, const lvl_palette *palette)
{
    if (palette && palette == canvas->table_of)
        return;
    canvas->table_of = palette;
    for (size_t i = 0; i < 256; i++) {
        for (size_t c = 0; c < 3; c++)
            canvas->table[i][c] = palette ? palette->rgb[i][c] : (uint8_t)i;
        canvas->table[i][3] = 255;
    }
}

static void row_indexed(uint8_t *to, const uint8_t *from, const uint8_t *mask, size_t count, bool mirror)
{
    if (mirror) {
        for (size_t i = 0; i < count; i++) {
            if (!mask || *(mask - i)) /* leftwards */
                to[i] = *(from - i);
        }
    } else if (!mask) {
        memcpy(to, from, count);
    } else {
        for (size_t i = 0; i < count; i++)
            to[i] = (uint8_t)((to[i] & ~mask[i]) | (from[i] & mask[i]));
    }
}

static void row_coloured(lvl_canvas *canvas, uint8_t *to, const uint8_t *from, const uint8_t *mask,
                         size_t count, bool mirror)
{
    for (size_t i = 0; i < count; i++) {
        if (!mask || *(mirror ? mask - i : mask + i))
            memcpy(to + i * 4, canvas->table[*(mirror ? from - i : from + i)], 4);
    }
}

/* Blends a premultiplied pixel over another; if that is opaque, with the 8-bit arithmetic of Go's
 * image/draw. */
static void blend_premultiplied(uint8_t *to, const uint8_t *from)
{
    const uint32_t alpha = from[3], rest = 65535 - alpha * 257;
    uint8_t straight[3] = {0};

    if (to[3] == 255) {
        for (int c = 0; c < 3; c++)
            to[c] = (uint8_t)((to[c] * rest * 257u / 65535 + from[c] * 257u) >> 8);
        return;
    }
    if (!alpha)
        return;
    for (int c = 0; c < 3; c++)
        straight[c] = (uint8_t)(from[c] >= alpha ? 255 : from[c] * 255u / alpha);
    blend(to, straight, alpha);
}

static void row_rgba(uint8_t *to, const uint8_t *from, size_t count, unsigned flags)
{
    const bool mirror = flags & LVL_THING_MIRROR;
    enum { SPAN = 8 };
    static const uint8_t alpha[8] = {0, 0, 0, 255, 0, 0, 0, 255};
    uint64_t opaque, drawn;
    size_t i = 0;

    memcpy(&opaque, alpha, sizeof opaque);
    /* a premultiplied colour with alpha 0 adds light */
    drawn = flags & LVL_THING_OVER ? UINT64_MAX : opaque;
    while (i < count) {
        /* usually all or none of them are drawn */
        if (!mirror && count - i >= SPAN) {
            uint64_t all = UINT64_MAX, any = 0, two;
            for (int k = 0; k < SPAN / 2; k++) {
                memcpy(&two, from + i * 4 + k * 8, sizeof two);
                all &= two;
                any |= two;
            }
            if ((all & opaque) == opaque)
                memcpy(to + i * 4, from + i * 4, (size_t)SPAN * 4);
            if ((all & opaque) == opaque || !(any & drawn)) {
                i += SPAN;
                continue;
            }
        }
        const size_t end = count - i < SPAN ? count : i + SPAN;
        for (; i < end; i++) {
            const uint8_t *p = mirror ? from - i * 4 : from + i * 4;
            if (p[3] == 255)
                memcpy(to + i * 4, p, 4);
            else if (flags & LVL_THING_OVER)
                blend_premultiplied(to + i * 4, p);
            else if (p[3])
                blend(to + i * 4, p, p[3]);
        }
    }
}

/* Draws a part of a picture: `area` is the target, from_x and from_y the part's corner in the picture. */
static inline void draw_part(lvl_canvas *canvas, const lvl_image *image, int64_t from_x, int64_t from_y,
                             const lvl_area *whole, unsigned flags, const lvl_area *clip)
{
    const bool mirror = flags & LVL_THING_MIRROR, flip = flags & LVL_THING_FLIP;
    lvl_area area = *whole;

    if ((clip && !lvl_area_clip(&area, clip)) || !lvl_area_clip(&area, &canvas->area))
        return;
    if (canvas->indexed && image->format != LVL_PIXELS_INDEX8)
        return; /* the plan chooses an RGBA canvas if there are such pictures */
    if (!canvas->indexed && image->format == LVL_PIXELS_INDEX8)
        set_table(canvas, image->palette ? image->palette : canvas->palette);
    const size_t count = (size_t)(area.right - area.left);
    const size_t left = (size_t)(from_x + (mirror ? whole->right - 1 - area.left : area.left - whole->left));
    for (int64_t row = area.top; row < area.bottom; row++) {
        const size_t source = (size_t)(from_y + (flip ? whole->bottom - 1 - row : row - whole->top));
        const size_t at = source * image->width + left;
        const uint8_t *mask = image->mask ? image->mask + at : NULL;
        uint8_t *to = pixel(canvas, area.left, row);

        if (image->format == LVL_PIXELS_RGBA8)
            row_rgba(to, image->pixels + at * 4, count, flags);
        else if (canvas->indexed)
            row_indexed(to, image->pixels + at, mask, count, mirror);
        else
            row_coloured(canvas, to, image->pixels + at, mask, count, mirror);
    }
}

void lvl_canvas_image(lvl_canvas *canvas, const lvl_image *image, int64_t x, int64_t y, unsigned flags,
                      const lvl_area *clip)
{
    const lvl_area whole = {x, y, x + image->width, y + image->height};

    draw_part(canvas, image, 0, 0, &whole, flags, clip);
}

void lvl_canvas_part(lvl_canvas *canvas, const lvl_image *image, const lvl_area *part, int64_t x, int64_t y,
                     unsigned flags)
{
    const lvl_area whole = {x, y, x + part->right - part->left, y + part->bottom - part->top};

    draw_part(canvas, image, part->left, part->top, &whole, flags, NULL);
}

/* ---- text -------------------------------------------------------------------------------------------- */

static void text(lvl_canvas *canvas, int64_t x, int64_t y, const char *str, size_t len, unsigned size,
                 lvl_ink ink)
{
    for (size_t i = 0; i < len; i++, x += LVL_FONT_WIDTH * (int64_t)size) {
        /* "ä" in UTF-8 is the letter of Latin-1 */
        const bool pair = (str[i] & ~1) == (char)0xC2 && i + 1 < len && (str[i + 1] & 0xC0) == 0x80;
        const char letter = pair ? (char)((str[i] & 1) << 6 | (str[i + 1] & 0x3F) | 0x80) : str[i];
        const uint8_t *rows = lvl_font_glyph(letter);
        i += pair;

        if (x >= canvas->area.right || x + LVL_FONT_WIDTH * (int64_t)size <= canvas->area.left)
            continue;
        for (int r = 0; r < LVL_FONT_HEIGHT; r++) {
            for (int c = 0; c < 5; c++) {
                if (rows[r] & 16 >> c) {
                    const int64_t px = x + c * (int64_t)size, py = y + r * (int64_t)size;
                    lvl_canvas_fill(canvas, (lvl_area){px, py, px + size, py + size}, ink);
                }
            }
        }
    }
}

void lvl_canvas_text(lvl_canvas *canvas, int64_t x, int64_t y, const char *str, size_t len, unsigned size,
                     lvl_ink ink)
{
    const int64_t height = LVL_FONT_HEIGHT * (int64_t)size;

    if (y - size >= canvas->area.bottom || y + height + size <= canvas->area.top)
        return;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            if (dx || dy)
                text(canvas, x + dx * (int64_t)size, y + dy * (int64_t)size, str, len, size, LVL_INK_SHADE);
        }
    }
    text(canvas, x, y, str, len, size, ink);
}
