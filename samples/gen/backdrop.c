/*
 * The planes behind and before the action, drawn whole and cut into tiles later: the evening sky over the sea, clouds, far islands, a
 * wooded headland, and dark growth close to the eye. All repeat in x.
 */
#include "gen.h"

#include <stdlib.h>

enum { SKY_W = 1024, SKY_H = 896, HORIZON = 448, SUN_X = 704, SUN_Y = 372 };

static int wrapped(int dx)
{
    dx = gen_mod(dx + SKY_W / 2, SKY_W) - SKY_W / 2;
    return dx;
}

static void draw_sea_px(canvas *c, int x, int y)
{
    const int depth = y - HORIZON, dx = abs(wrapped(x - SUN_X));
    /* Waves grow with nearness: the noise's rows get taller in steps. */
    const int tall = depth < 24 ? 2 : depth < 70 ? 3 : depth < 160 ? 5 : 8;
    const int run = depth < 24 ? 16 : depth < 160 ? 32 : 64;
    const int wave = gen_noise(x, y, run, tall, 256 / run, 512, 121);
    int shade = 640 - gen_isqrt((int64_t)depth * 64) * 3 + (wave - 512) / 6;
    /* The sun's road: broken light, wider near us. */
    const int wide = 26 + depth / 8;
    const int road = gen_smooth(wide * 3, 0, dx) * gen_smooth(250, 0, depth) / 1024;
    if (wave > 1080 - road * 620 / 1024) {
        canvas_shade(c, x, y, R_CLOUD, 560 + road * 460 / 1024);
        return;
    }
    shade += gen_smooth(40, 0, depth) * 170 / 1024;
    canvas_shade(c, x, y, R_SEA, gen_clamp(shade, 120, 800));
}

canvas *draw_sky(void)
{
    canvas *c = canvas_new(SKY_W, SKY_H);
    c->wrap = true;
    c->dither = 560;
    for (int y = 0; y < SKY_H; y++) {
        for (int x = 0; x < SKY_W; x++) {
            if (y >= HORIZON) {
                draw_sea_px(c, x, y);
                continue;
            }
            const int dx = wrapped(x - SUN_X), dy = y - SUN_Y;
            const int d = gen_isqrt((int64_t)(dx * dx + dy * dy) * 16) / 4;
            if (d < 46) {
                canvas_shade(c, x, y, R_CLOUD, 1023);
                continue;
            }
            int shade = 40 + (int)((int64_t)y * y * 500 / ((int64_t)HORIZON * HORIZON)) + y * 330 / HORIZON;
            shade += gen_smooth(330, 40, d) * 240 / 1024 + gen_smooth(84, 44, d) * 200 / 1024;
            /* Thin high cloud in long streaks. */
            const int streak = gen_noise(x + y * 3, y, 128, 18, 8, 64, 131) +
                               gen_noise(x + y * 3, y, 64, 9, 16, 64, 132) / 2;
            shade += gen_clamp(streak - 860, 0, 600) * gen_smooth(20, 160, y) / 1024 *
                     gen_smooth(420, 300, y) / 1024 * 2 / 5;
            canvas_shade(c, x, y, R_SKY, shade);
        }
    }
    return c;
}

/* Heaped balls that melt into each other: a px belongs to the cloud where their fields add up to enough, and its light comes from the
 * slope of that sum. */
typedef struct puff {
    int x, y, r;
} puff;

static int cumulus_field(const puff *heap, int count, int x, int y)
{
    int sum = 0;
    for (int i = 0; i < count; i++) {
        const int dx = x - heap[i].x, dy = y - heap[i].y, r2 = heap[i].r * heap[i].r, d2 = dx * dx + dy * dy;
        if (d2 < r2) {
            const int t = 1024 - (int)((int64_t)d2 * 1024 / r2);
            sum += t * t / 1024;
        }
    }
    return sum;
}

static void draw_cumulus(canvas *c, int cx, int foot, int size, int seed)
{
    puff heap[48];
    const int count = (int)(sizeof(heap) / sizeof(heap[0]));
    for (int i = 0; i < count; i++) {
        const uint32_t h = gen_hash(i, seed, 141);
        const int at = (int)(h % 2048) - 1024; /* -1024..1024 across the heap */
        const int dome = 1024 - (int)((int64_t)at * at / 1024);
        const int lift = (int)((int64_t)dome * size / 1024) * (int)((h >> 12) % 1024) / 1024;
        heap[i].x = at * size * 7 / 4 / 1024;
        heap[i].y = -lift;
        heap[i].r = size * (int)(26 + (h >> 22) % 16) / 100 * (400 + dome * 5 / 8) / 1024 + 5;
    }
    for (int y = -size * 2; y < 14; y++) {
        for (int x = -size * 5 / 2; x < size * 5 / 2; x++) {
            const int detail = gen_fbm(x + 4096, y + 4096, 16, 1024, 1024, 142 + seed),
                      ragged = (detail - 512) * 7 / 8;
            const int core = cumulus_field(heap, count, x, y), field = core + ragged * 3 / 4;
            const int hang = 2 + gen_noise(x + 4096, 0, 18, 14, 64, 1, seed) * 10 / 1024;
            if (core < 150 || field < 260 || y > hang)
                continue;
            const int gx = cumulus_field(heap, count, x + 3, y) - cumulus_field(heap, count, x - 3, y);
            const int gy = cumulus_field(heap, count, x, y + 3) - cumulus_field(heap, count, x, y - 3);
            int s = 640 + gen_clamp((gx * 4 + gy * 6) / 8, -330, 330) + (detail - 512) * 5 / 8;
            s += gen_smooth(0, -size, y) * 140 / 1024 - gen_smooth(-size / 2, hang, y) * 420 / 1024;
            if (field < 330)
                s += 90; /* thin edges let the light through */
            canvas_shade(c, cx + x, foot + y, R_CLOUD, gen_clamp(s, 0, 1023));
        }
    }
}

canvas *draw_clouds(void)
{
    canvas *c = canvas_new(1280, SKY_H);
    c->wrap = true;
    draw_cumulus(c, 120, 330, 56, 3);
    draw_cumulus(c, 330, 352, 34, 9);
    draw_cumulus(c, 470, 250, 84, 5);
    draw_cumulus(c, 800, 342, 42, 7);
    draw_cumulus(c, 1010, 210, 60, 12);
    draw_cumulus(c, 1180, 352, 30, 15);
    return c;
}

static int ridge(int x, int w, int size, int seed)
{
    const int a = gen_fbm(x, seed, size, w, 64, seed);
    return a + (abs(gen_noise(x, 0, size / 4, 8, w * 4 / size, 1, seed + 3) - 512)) / 5;
}

canvas *draw_isles(void)
{
    canvas *c = canvas_new(1280, SKY_H);
    c->wrap = true;
    for (int layer = 0; layer < 2; layer++) {
        for (int x = 0; x < 1280; x++) {
            const int h = (ridge(x, 1280, layer ? 160 : 320, 151 + layer * 7) - (layer ? 560 : 470)) *
                          (layer ? 240 : 300) / 1024;
            for (int y = HORIZON - h; y < HORIZON + 6; y++) {
                if (h <= 0)
                    break;
                /* Light falls on slopes that face it; mist rises from the water. */
                const int slope = ridge(x + 3, 1280, layer ? 160 : 320, 151 + layer * 7) -
                                  ridge(x - 3, 1280, layer ? 160 : 320, 151 + layer * 7);
                int s = (layer ? 250 : 560) + gen_clamp(slope * 3, -150, 200) +
                        (gen_fbm(x + y, y * 2, 16, 1280, 512, 155) - 512) / 4;
                s += gen_smooth(HORIZON - 70, HORIZON + 6, y) * (layer ? 420 : 400) / 1024;
                if (y < HORIZON - h + 2)
                    s += 120;
                canvas_shade(c, x, y, R_ISLE, s);
            }
        }
    }
    /* A schooner under full sail. */
    const int sx = 930, sy = HORIZON + 22;
    static const int hull[][2] = {{-30, -8}, {34, -10}, {26, 2}, {-22, 2}};
    static const int sails[3][4][2] = {{{-18, -12}, {-16, -50}, {-6, -46}, {0, -12}},
                                       {{2, -12}, {4, -58}, {16, -50}, {20, -13}},
                                       {{22, -14}, {22, -44}, {40, -14}, {22, -14}}};
    point p[4];
    for (int i = 0; i < 4; i++) {
        p[i].x = (sx + hull[i][0]) * 16;
        p[i].y = (sy + hull[i][1]) * 16;
    }
    draw_poly(c, p, 4, R_HEAD, 300, 60);
    for (int s = 0; s < 3; s++) {
        for (int i = 0; i < 4; i++) {
            p[i].x = (sx + sails[s][i][0]) * 16;
            p[i].y = (sy + sails[s][i][1]) * 16;
        }
        draw_poly(c, p, 4, R_CLOUD, 1000, 420);
    }
    draw_line(c, sx - 16, sy - 56, sx - 16, sy - 9, R_HEAD, 100);
    draw_line(c, sx + 4, sy - 64, sx + 4, sy - 9, R_HEAD, 100);
    draw_line(c, sx + 34, sy - 10, sx + 48, sy - 16, R_HEAD, 160);
    draw_box(c, sx + 5, sy - 64, 8, 4, R_RED, 600);
    return c;
}

static void draw_pine(canvas *c, int x, int foot, int tall, int seed)
{
    for (int y = 0; y < tall; y++) {
        /* Tiers that widen downwards. */
        const int tier = tall / 5 > 0 ? y % (tall / 5 + 1) : 0;
        const int half = y * tall / 5 / tall + tier / 2 + (int)(gen_hash(y, seed, 161) % 3);
        for (int k = -half; k <= half; k++)
            canvas_shade(c, x + k, foot - tall + y, R_HEAD,
                         260 - k * 22 - tier * 8 + (int)(gen_hash(k, y, seed) % 130) - (k > 0 ? 90 : 0));
    }
}

static int crease(int x, int y, int w)
{
    int sum = 0, weight = 4;
    for (int size = 64; size >= 16; size /= 2, weight = weight * 5 / 8)
        sum +=
            weight * (1023 - abs(2 * gen_noise(x, y, size, size, w / size, 1024 / size, 191 + size) - 1023));
    return sum / 7;
}

canvas *draw_headland(void)
{
    const int w = 1536, h = 896;
    canvas *c = canvas_new(w, h);
    c->wrap = true;
    c->rows = true;
    c->dither = 500;
    for (int x = 0; x < w; x++) {
        const int high = (gen_fbm(x, 5, 256, w, 64, 171) - 430) * 560 / 1024 +
                         gen_noise(x, 0, 24, 8, 64, 1, 172) * 12 / 1024;
        const int top = 590 - high;
        for (int y = top; y < h; y++) {
            /* Relief under slanting light: creases and buttresses, longer than wide. */
            const int bend = gen_fbm(x, y, 64, w, 1024, 173) / 12;
            const int here = crease(x + bend, y / 2, w), there = crease(x + bend - 4, y / 2 - 3, w);
            const int facet = here;
            int s = 330 + gen_clamp((here - there) * 3 / 2, -240, 300) + (here - 512) / 5;
            s += (gen_noise(x, y * 3 + x / 3, 48, 16, 32, 256, 175) - 512) / 8;
            s = gen_clamp(s, 40, 760) + gen_smooth(top + 30, h - 60, y) * 260 / 1024; /* mist below */
            if (y < top + 9 + facet / 90)
                s = 210 + (int)(gen_hash(x, y, 177) % 150) - (y - top) * 4 + (y == top ? 220 : 0);
            canvas_shade(c, x, y, R_HEAD, s);
        }
        const uint32_t tree = gen_hash(x, 0, 178);
        if (high > 0 && tree % 11 == 0)
            draw_pine(c, x, top + 5, 26 + (int)(tree >> 8) % 34, (int)(tree >> 16) % 512);
    }
    return c;
}

static void draw_frond(canvas *c, int x, int y, int reach, int lean, int seed)
{
    /* A fern: the stem is a curve, its leaflets droop and shrink to the tip. */
    for (int i = reach / 8; i < reach; i += 9) {
        const int px = x + lean * i * i / (reach * reach), py = y - i + (int)((int64_t)i * i * 3 / 8 / reach);
        const int leaf = (reach - i) * 24 / 100 + 7 + (int)(gen_hash(i, seed, 181) % 5),
                  rise = leaf / 3 - i * leaf / reach / 2;
        const int s = 200 + i * 420 / reach + (int)(gen_hash(i, seed, 182) % 160);
        draw_limb(c, px * 16, py * 16, 58, (px - leaf) * 16, (py - rise) * 16, 6, R_LEAF, s - 200, s + 420);
        draw_limb(c, px * 16, py * 16, 58, (px + leaf) * 16, (py - rise + 3) * 16, 6, R_LEAF, s - 260,
                  s + 120);
    }
}

canvas *draw_front(void)
{
    const int w = 1536, h = 896;
    canvas *c = canvas_new(w, h);
    c->wrap = true;
    static const int clumps[][2] = {{90, 120}, {560, 80}, {790, 130}, {1300, 100}};
    for (int i = 0; i < (int)(sizeof(clumps) / sizeof(clumps[0])); i++) {
        for (int k = 0; k < 16; k++) {
            const uint32_t r = gen_hash(k, i, 185);
            const int x = clumps[i][0] + (k - 8) * 11 + (int)(r % 9);
            draw_frond(c, x, h + 16, clumps[i][1] * (int)(60 + (r >> 8) % 60) / 100,
                       (k - 8) * 12 + (int)(r >> 16) % 30 - 15, (int)(r >> 20) % 99);
        }
    }
    for (int x = 0; x < w; x++) /* grass along the foot */
        for (int i = 0, n = gen_clamp(gen_noise(x, 0, 48, 8, 32, 1, 186) - 380, 0, 640) * 30 / 640 +
                            (int)(gen_hash(x, 1, 187) % 12);
             i < n; i++)
            canvas_shade(c, x + i / 9 * ((x & 1) ? 1 : -1), h - 1 - i, R_LEAF, 120 + i * 12 + (x & 3) * 50);
    return c;
}
