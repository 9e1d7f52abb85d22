/*
 * Drawing on canvases: each primitive, at any place and of any size, gives the same pixels as on a canvas
 * that contains all of it, and takes no longer than the visible part needs.
 */
#include "growth.h"
#include "render/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 24, WIDE = 400, FAR_COUNT = 9 };

static const int64_t far_places[FAR_COUNT] = {
    0, -7, 30, INT32_MAX, INT32_MIN, (int64_t)1 << 36, -((int64_t)1 << 36), 65536 * 16, -65536 * 16};

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static int64_t between(uint32_t *seed, int64_t low, int64_t high)
{
    return low + (int64_t)(next(seed) % (uint32_t)(high - low + 1));
}

/* A cleared canvas of that area; free its pixels. */
static lvl_canvas canvas_of(lvl_area area, bool indexed, uint32_t pen)
{
    lvl_canvas c = {.indexed = indexed, .transparent = true, .area = area, .pen = pen};

    c.width = (uint32_t)(area.right - area.left);
    c.pixels = malloc((size_t)c.width * (size_t)(area.bottom - area.top) * (indexed ? 1 : 4));
    assert_non_null(c.pixels);
    lvl_canvas_clear(&c);
    return c;
}

/* A square at every step of a line, pixel by pixel. */
static void naive_line(lvl_canvas *c, int64_t x0, int64_t y0, int64_t x1, int64_t y1, lvl_ink ink)
{
    const int64_t dx = x1 - x0, dy = y1 - y0;
    const int64_t ax = dx < 0 ? -dx : dx, ay = dy < 0 ? -dy : dy, steps = ax > ay ? ax : ay;
    const int64_t pen = c->pen;

    for (int64_t i = 0; i <= steps; i++) {
        const double t = steps ? (double)i / (double)steps : 0;
        const int64_t x = ay > ax ? x0 + (int64_t)(t * (double)dx) : x0 + (dx < 0 ? -i : i);
        const int64_t y = ay > ax ? y0 + (dy < 0 ? -i : i) : y0 + (int64_t)(t * (double)dy);
        lvl_canvas_fill(c, (lvl_area){x, y, x + pen, y + pen}, ink);
    }
}

typedef struct drawing {
    unsigned what;
    int64_t x0, y0, x1, y1;
    uint32_t pen, size;
    const lvl_image *image;
    bool naive;
} drawing;

enum { PRIMITIVES = 12 };

static void draw(lvl_canvas *c, const drawing *d)
{
    const lvl_area area = {d->x0, d->y0, d->x1, d->y1};
    const lvl_scene_thing box = {.has_part = true, .label = {"abc", 3}};
    const lvl_scene_effect effect = {
        .color = {1, 0.5F, 1, 1}, .scale_x = 1.5F, .scale_y = 2, .angle = 0.5F, .blend = LVL_BLEND_ALPHA};

    switch (d->what) {
    case 0: lvl_canvas_fill(c, area, LVL_INK_SOLID); break;
    case 1: lvl_canvas_tint(c, area, LVL_INK_DEATH, 90); break;
    case 2: lvl_canvas_frame(c, area, LVL_INK_ITEM, false); break;
    case 3: lvl_canvas_frame(c, area, LVL_INK_ITEM, true); break;
    case 4:
        if (d->naive)
            naive_line(c, d->x0, d->y0, d->x1, d->y1, LVL_INK_WARP);
        else
            lvl_canvas_line(c, d->x0, d->y0, d->x1, d->y1, LVL_INK_WARP);
        break;
    case 5: lvl_canvas_text(c, d->x0, d->y0, "A level", 7, d->size, LVL_INK_WHITE); break;
    case 6: lvl_canvas_image(c, d->image, d->x0, d->y0, d->size, NULL); break;
    case 7: lvl_canvas_sprite(c, d->image, NULL, d->x0, d->y0, 0, &effect); break;
    case 8:
    case 9: lvl_draw_mark(c, (lvl_thing_kind)(d->size % LVL_THING_COUNT), d->x0, d->y0, d->x1); break;
    case 10: lvl_draw_box(c, &box, area, d->size & 1); break;
    default: lvl_draw_thing_text(c, &box, area); break;
    }
}

static bool same_there(const lvl_canvas *small, const lvl_canvas *large)
{
    const size_t bytes = small->indexed ? 1 : 4, row = (size_t)small->width * bytes;

    for (int64_t y = small->area.top; y < small->area.bottom; y++) {
        const size_t at =
            (size_t)(y - large->area.top) * large->width + (size_t)(small->area.left - large->area.left);
        if (memcmp(small->pixels + (size_t)(y - small->area.top) * row, large->pixels + at * bytes, row) != 0)
            return false;
    }
    return true;
}

static void small_as_large(void **state)
{
    uint8_t pixels[9 * 5 * 4];
    const lvl_image image = {.format = LVL_PIXELS_RGBA8, .width = 9, .height = 5, .pixels = pixels};
    uint32_t seed = 7;

    (void)state;
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)(i * 37 | (i % 4 == 3 ? 128 : 0));
    for (unsigned i = 0; i < 6000; i++) {
        drawing d = {.what = i % PRIMITIVES, .image = &image};
        const bool indexed = i / PRIMITIVES % 2 && d.what != 6 && d.what != 7;
        const int64_t left = between(&seed, -60, 60), top = between(&seed, -60, 60);
        d.x0 = between(&seed, -90, 90);
        d.y0 = between(&seed, -90, 90);
        d.pen = (uint32_t)between(&seed, 1, i % 3 ? 4 : 40);
        d.size = (uint32_t)between(&seed, 1, d.what == 6 ? 3 : 15);
        d.x1 = d.what == 4 ? between(&seed, -90, 90) : d.x0 + between(&seed, 1, 90);
        d.y1 = d.what == 4 ? between(&seed, -90, 90) : d.y0 + between(&seed, 1, 90);
        if (d.what == 8 || d.what == 9)
            d.x1 = between(&seed, 1, 60);
        const lvl_area window = {left, top, left + SIDE, top + SIDE};
        lvl_canvas small = canvas_of(window, indexed, d.pen);
        lvl_canvas large = canvas_of((lvl_area){-WIDE, -WIDE, WIDE, WIDE}, indexed, d.pen);
        draw(&small, &d);
        d.naive = true;
        draw(&large, &d);
        if (!same_there(&small, &large))
            fail_msg("primitive %u from %d, %d to %d, %d with a pen of %u on the canvas at %d, %d", d.what,
                     (int)d.x0, (int)d.y0, (int)d.x1, (int)d.y1, d.pen, (int)left, (int)top);
        free(small.pixels);
        free(large.pixels);
    }
}

static void assert_text(const char *text, const char *other, bool same)
{
    const lvl_area area = {0, 0, 40, 12};
    lvl_canvas a = canvas_of(area, true, 1), b = canvas_of(area, true, 1);

    lvl_canvas_text(&a, 1, 1, text, strlen(text), 1, LVL_INK_WHITE);
    lvl_canvas_text(&b, 1, 1, other, strlen(other), 1, LVL_INK_WHITE);
    if ((memcmp(a.pixels, b.pixels, (size_t)40 * 12) == 0) != same)
        fail_msg("\"%s\" and \"%s\" look %s", text, other, same ? "different" : "alike");
    free(a.pixels);
    free(b.pixels);
}

/* Latin letters with accents are shown without them, from Latin-1 and from UTF-8; others are a box. */
static void labels_of_latin_letters(void **state)
{
    (void)state;
    assert_text("\xe4\xd6\xe9", "aOe", true);
    assert_text("M\xc3\xbchle", "Muhle", true);
    assert_text("\xe4", "\x81", false);
    assert_text("\xc3\xa4", "\x81", false);
    assert_text("\x80", "\x81", true);
}

/* Nothing overflows, hangs or writes beyond the canvas. */
static void absurd_places(void **state)
{
    uint8_t pixels[9 * 5 * 4] = {1};
    const lvl_image image = {.format = LVL_PIXELS_RGBA8, .width = 9, .height = 5, .pixels = pixels};
    static const uint32_t pens[] = {1, 1000, 1 << 20, 1 << 24};

    (void)state;
    lvl_canvas c = canvas_of((lvl_area){5, 5, 5 + SIDE, 5 + SIDE}, false, 1);
    for (unsigned i = 0; i < FAR_COUNT * FAR_COUNT * FAR_COUNT * FAR_COUNT; i++) {
        drawing d = {.image = &image, .size = 1 + i % 64};
        d.x0 = far_places[i % FAR_COUNT];
        d.y0 = far_places[i / FAR_COUNT % FAR_COUNT];
        d.x1 = far_places[i / FAR_COUNT / FAR_COUNT % FAR_COUNT];
        d.y1 = far_places[i / FAR_COUNT / FAR_COUNT / FAR_COUNT];
        c.pen = pens[i % 4];
        for (d.what = 0; d.what < PRIMITIVES; d.what++) {
            if (d.what != 8 && d.what != 9)
                draw(&c, &d);
        }
        lvl_draw_mark(&c, (lvl_thing_kind)(i % LVL_THING_COUNT), d.x0, d.y0, (int64_t)1 << i % 28);
    }
    /* what is seen of something enormous */
    c.pen = 1;
    lvl_canvas_clear(&c);
    lvl_canvas_line(&c, INT32_MIN, 9, INT32_MAX, 9, LVL_INK_SOLID);
    lvl_canvas_line(&c, 11, INT32_MAX, 11, INT32_MIN, LVL_INK_SOLID);
    for (int64_t y = 5; y < 5 + SIDE; y++) {
        for (int64_t x = 5; x < 5 + SIDE; x++)
            assert_int_equal(c.pixels[((y - 5) * SIDE + x - 5) * 4 + 3], x == 11 || y == 9 ? 255 : 0);
    }
    lvl_canvas_clear(&c);
    lvl_draw_mark(&c, LVL_THING_SIGN, 1 << 20, 0, 1 << 22); /* a bar of 3 / 2 of its reach */
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++)
        assert_memory_equal(c.pixels + i * 4, lvl_ink_rgb[LVL_INK_SIGN], 3);
    free(c.pixels);
}

/* As many marks as their reach and their pen are wide. */
static double draw_marks(const void *user, uint32_t n)
{
    lvl_canvas c = canvas_of((lvl_area){0, 0, SIDE, SIDE}, false, n);

    (void)user;
    const double start = lvl_cpu_seconds();
    for (uint32_t i = 0; i < n; i++)
        lvl_draw_mark(&c, (lvl_thing_kind)(i % LVL_THING_COUNT), SIDE / 2, SIDE / 2, (int64_t)n * 8);
    const double took = lvl_cpu_seconds() - start;
    free(c.pixels);
    return took;
}

static void size_costs_nothing(void **state)
{
    (void)state;
    assert_true(lvl_grows_linearly("marks that are larger than the canvas", draw_marks, NULL, 4000));
}

/* Takes the rows of a shrunk picture. */
typedef struct kept_rows {
    lvl_rows rows;
    uint8_t pixels[SIDE * SIDE * 4], *at;
    size_t row_bytes;
} kept_rows;

static lvl_status kept_begin(lvl_rows *rows, const lvl_picture *picture)
{
    kept_rows *k = (kept_rows *)rows;

    k->row_bytes = (size_t)picture->width * picture->channels;
    k->at = k->pixels;
    return LVL_OK;
}

static lvl_status kept_take(lvl_rows *rows, const uint8_t *pixels, uint32_t count)
{
    kept_rows *k = (kept_rows *)rows;

    memcpy(k->at, pixels, k->row_bytes * count);
    k->at += k->row_bytes * count;
    return LVL_OK;
}

static lvl_status kept_end(lvl_rows *rows)
{
    (void)rows;
    return LVL_OK;
}

/* The mean of a square of pixels, each with its weight: channel 3 weighs nothing, colours by their alpha. */
static unsigned mean_of(const uint8_t *from, unsigned width, unsigned factor, const lvl_palette *palette,
                        unsigned size, unsigned channel)
{
    unsigned sum = 0, weight = 0;

    for (unsigned i = 0; i < factor * factor; i++) {
        const uint8_t *p = from + ((size_t)(i / factor) * width + i % factor) * size;
        const unsigned alpha = size == 4 ? p[3] : 255;
        if (channel == 3)
            sum += alpha;
        else if (alpha) /* 0 or 255 here */
            sum += size == 1 ? palette->rgb[*p][channel] : p[channel];
        weight += channel == 3 || alpha ? 1 : 0;
    }
    return weight ? (sum * 2 + weight) / (weight * 2) : 0;
}

/* Random pixels of that size, of which the alpha is 0 or 255. */
static void fill_picture(uint8_t *from, size_t count, unsigned size, uint32_t *seed)
{
    for (size_t i = 0; i < count; i++)
        from[i] = (uint8_t)(size == 4 && i % 4 == 3 ? (next(seed) & 1) * 255 : next(seed));
}

static void shrink_into(kept_rows *kept, const uint8_t *from, unsigned size, const lvl_palette *palette,
                        unsigned side)
{
    const lvl_picture picture = {
        .width = SIDE, .height = SIDE, .channels = size, .palette = size == 1 ? palette : NULL};

    *kept = (kept_rows){.rows = {kept_begin, kept_take, kept_end}};
    lvl_rows *scale = lvl_scale_rows_new(NULL, side, side, 1, &kept->rows);
    assert_non_null(scale);
    assert_int_equal(scale->begin(scale, &picture), LVL_OK);
    for (size_t y = 0; y < SIDE; y++)
        assert_int_equal(scale->rows(scale, from + y * SIDE * size, 1), LVL_OK);
    assert_int_equal(scale->end(scale), LVL_OK);
    lvl_scale_rows_free(scale);
    assert_int_equal(kept->at - kept->pixels, side * side * 4);
}

static void shrunk_by_a_whole_factor(void **state)
{
    static uint8_t from[SIDE * SIDE * 4];
    static lvl_palette palette;
    static kept_rows kept;
    uint32_t seed = 5;

    (void)state;
    for (size_t i = 0; i < sizeof palette.rgb; i++)
        ((uint8_t *)palette.rgb)[i] = (uint8_t)next(&seed);
    for (unsigned size = 1; size <= 4; size += 3) {
        fill_picture(from, sizeof from, size, &seed);
        for (unsigned factor = 1; factor <= SIDE; factor++) {
            const unsigned side = SIDE / factor;
            if (SIDE % factor)
                continue;
            shrink_into(&kept, from, size, &palette, side);
            for (unsigned i = 0; i < side * side * 4; i++) {
                const unsigned pixel = i / 4;
                const size_t at = ((size_t)(pixel / side) * SIDE + pixel % side) * factor * size;
                assert_int_equal(kept.pixels[i], mean_of(from + at, SIDE, factor, &palette, size, i % 4));
            }
        }
    }
}

/* The weight of source pixel `x` in result pixel `i` of `side`, in 256ths. */
static uint64_t weight_of(unsigned x, unsigned i, unsigned side)
{
    const uint64_t begin = (uint64_t)i * SIDE * 256 / side, end = (uint64_t)(i + 1) * SIDE * 256 / side;
    const uint64_t left = begin > x * 256 ? begin : x * 256,
                   right = end < (x + 1) * 256 ? end : (x + 1) * 256;

    return left < right ? right - left : 0;
}

/* One pixel by the definition: each source pixel with its part, colours of pixels with alpha only. */
static void mean_pixel(const uint8_t *from, unsigned size, const lvl_palette *palette, unsigned side,
                       unsigned pixel, uint8_t out[4])
{
    uint64_t sums[3] = {0}, alpha = 0, all = 0;

    for (unsigned i = 0; i < SIDE * SIDE; i++) {
        const uint64_t weight =
            weight_of(i % SIDE, pixel % side, side) * weight_of(i / SIDE, pixel / side, side);
        const uint8_t *p = from + (size_t)i * size;
        const bool opaque = size == 1 || p[3];
        for (unsigned c = 0; c < 3 && opaque; c++)
            sums[c] += weight * (size == 1 ? palette->rgb[*p][c] : p[c]);
        alpha += opaque ? weight : 0;
        all += weight;
    }
    for (unsigned c = 0; c < 3; c++)
        out[c] = (uint8_t)(alpha ? (sums[c] * 2 + alpha) / (alpha * 2) : 0);
    out[3] = (uint8_t)((alpha * 255 * 2 + all) / (all * 2));
}

static void shrunk_by_any_factor(void **state)
{
    static const unsigned sides[] = {1, 7, 11, SIDE / 2 + 1, SIDE - 1};
    static uint8_t from[SIDE * SIDE * 4];
    static lvl_palette palette;
    static kept_rows kept;
    uint32_t seed = 6;
    uint8_t wanted[4];

    (void)state;
    for (size_t i = 0; i < sizeof palette.rgb; i++)
        ((uint8_t *)palette.rgb)[i] = (uint8_t)next(&seed);
    for (unsigned size = 1; size <= 4; size += 3) {
        fill_picture(from, sizeof from, size, &seed);
        for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
            shrink_into(&kept, from, size, &palette, sides[k]);
            for (unsigned i = 0; i < sides[k] * sides[k]; i += 1 + i / 20) {
                mean_pixel(from, size, &palette, sides[k], i, wanted);
                assert_memory_equal(kept.pixels + (size_t)i * 4, wanted, 4);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_as_large),
        cmocka_unit_test(labels_of_latin_letters),
        cmocka_unit_test(absurd_places),
        cmocka_unit_test(size_costs_nothing),
        cmocka_unit_test(shrunk_by_a_whole_factor),
        cmocka_unit_test(shrunk_by_any_factor),
    };

    return cmocka_run_group_tests_name("canvas", tests, NULL, NULL);
}
