/*
 * What people built on the cliffs, and what waits below them: boards, ladders, the rope bridge, the lighthouse, water, and rocks that
 * nobody should fall on.
 */
#include "gen.h"

#include <stdlib.h>

canvas *tile_plank(plank_part part, int variant)
{
    canvas *c = canvas_new(TILE, TILE);
    const int from = part == PLANK_LEFT ? 4 : 0, to = part == PLANK_RIGHT ? 60 : TILE;
    /* Joists below, seen against the light, then the boards. */
    for (int x = from; x < to; x++)
        for (int y = 13; y < 20; y++)
            canvas_shade(c, x, y, R_WOOD,
                         y == 13 ? 60 : 300 - (y - 13) * 34 + (gen_noise(x, y, 12, 2, 64, 32, 61) - 512) / 8);
    if (part == PLANK_LEFT || part == PLANK_RIGHT) {
        const int x = part == PLANK_LEFT ? 8 : 46;
        draw_board(c, x, 12, 10, 52, true, 430, 62 + part);
        for (int i = 0; i < 26; i++)
            for (int k = 0; k < 5; k++)
                canvas_shade(c, part == PLANK_LEFT ? x + 9 + i : x - i, 44 - i + k, R_WOOD,
                             k == 0 ? 560 : 330 - k * 50);
    }
    for (int i = 0; i < 4; i++) {
        const uint32_t h = gen_hash(i, variant, 63);
        const int x = i * 16, y = (int)(h % 2);
        if (x + 16 <= from || x >= to)
            continue;
        const int x0 = x < from ? from : x, w = (x + 16 > to ? to : x + 16) - x0;
        draw_board(c, x0, y, w, 13 - (int)(h >> 4) % 2, true, 560 + (int)(h >> 8) % 150,
                   (int)(h >> 16) % 200);
        draw_dot(c, x0 + w / 2, y + 3, R_STEEL, 200);
        draw_dot(c, x0 + w / 2, y + 9, R_STEEL, 120);
    }
    for (int x = from; x < to; x++)
        canvas_shade(c, x, 0, R_WOOD, 900);
    if (part == PLANK_LADDER) {
        canvas *l = tile_ladder(variant, true);
        canvas_blit(c, l, 0, 0, false);
        canvas_free(l);
    }
    return c;
}

canvas *tile_ladder(int variant, bool top)
{
    canvas *c = canvas_new(TILE, TILE);
    for (int i = 0; i < 4; i++) {
        const int y = 6 + i * 16;
        draw_board(c, 15, y, 34, 6, false, 480 + (int)(gen_hash(i, variant, 71) % 140), 72 + i + variant * 4);
        for (int x = 15; x < 49; x++)
            canvas_shade(c, x, y + 6, R_WOOD, 30);
    }
    for (int side = 0; side < 2; side++) {
        const int x = side ? 46 : 12;
        draw_board(c, x, 0, 6, TILE, true, 560, 75 + side + variant);
        for (int i = 0; i < 4; i++) { /* lashed with rope */
            for (int k = 0; k < 5; k++)
                for (int j = -1; j < 7; j++)
                    canvas_shade(c, x + j, 6 + i * 16 + k, R_ROPE,
                                 400 + (((j + k) & 1) ? 380 : 0) - (j > 4 ? 300 : 0));
        }
    }
    if (top)
        for (int x = 12; x < 52; x++)
            if (canvas_get(c, x, 0))
                canvas_shade(c, x, 0, R_WOOD, 960);
    return c;
}

canvas *tile_water(int variant, bool surface)
{
    canvas *c = canvas_new(TILE, TILE);
    for (int y = 0; y < TILE; y++) {
        for (int x = 0; x < TILE; x++) {
            const int wx = variant * TILE + x;
            const int crest = 14 + gen_sin(wx * 12) * 4 / 1024 + gen_sin(wx * 28 + 300) * 2 / 1024;
            if (surface && y < crest)
                continue;
            const int depth = surface ? y - crest : y + 50;
            int shade = 520 - depth * 5;
            /* Light lies in long flat streaks on the water. */
            const int streak = gen_noise(wx + y * 2, y, 24, 3, 256 / 24 + 1, 64, 81);
            if (surface)
                shade += gen_clamp(streak - 560, 0, 463) * gen_clamp(60 - depth, 0, 60) / 40;
            else
                shade += (gen_noise(wx, y, 32, 8, 8, 8, 82) - 512) / 8;
            if (surface && depth < 2)
                shade = 1010;
            else if (surface && depth < 4 + gen_noise(wx, 3, 8, 8, 32, 1, 83) * 6 / 1024)
                shade += 300;
            canvas_shade(c, x, y, R_SEA, gen_clamp(shade, 40, 1023));
        }
    }
    return c;
}

canvas *tile_spikes(int variant)
{
    canvas *c = canvas_new(TILE, TILE);
    for (int row = 0; row < 2; row++) {
        for (int i = 0; i < 4 + row; i++) {
            const uint32_t h = gen_hash(i, variant + row * 7, 91);
            const int x = i * 16 + (row ? -4 : 4) + (int)(h % 6), tall = (row ? 26 : 42) + (int)(h >> 8) % 16;
            const int wide = 9 + (int)(h >> 16) % 3;
            for (int y = 0; y < tall; y++) {
                const int half = wide * y / tall + 1;
                for (int k = -half; k <= half; k++) {
                    const int s = k < -half / 3 ? 760 : k < half / 3 ? 470 : 170;
                    canvas_shade(c, x + k, TILE - tall + y, R_STONE,
                                 s - y * 160 / tall + (gen_noise(x + k, y, 4, 6, 64, 64, 92) - 512) / 5);
                }
            }
        }
    }
    canvas_outline(c);
    return c;
}

canvas *tile_crag(int variant)
{
    canvas *c = canvas_new(TILE, TILE);
    for (int i = 0; i < 5; i++) {
        const uint32_t h = gen_hash(i, variant, 95);
        draw_ball(c, (8 + i * 12 + (int)(h % 6)) * 16, (60 - (int)(h >> 8) % 8) * 16,
                  (9 + (int)(h >> 12) % 6) * 16, (10 + (int)(h >> 16) % 10) * 16, R_STONE, 90, 800);
    }
    canvas_outline(c);
    return c;
}

canvas *draw_bridge(int cells, int *sag)
{
    const int w = cells * TILE;
    canvas *c = canvas_new(w, 2 * TILE);
    for (int x = 0; x < w; x += 9) {
        /* A hanging parabola, 22 px deep. */
        const int t = (x + 4) * 2048 / w - 1024, hang = 22 - (int)((int64_t)22 * t * t / SQUARE_ONE);
        const int y = TILE + hang;
        draw_board(c, x, y + (int)(gen_hash(x, 0, 101) % 2), 9, 8, true,
                   520 + (int)(gen_hash(x, 1, 101) % 220), x);
        for (int i = 0; i < 9; i++) {
            canvas_shade(c, x + i, y + 9, R_WOOD, 20);
            canvas_shade(c, x + i, y + 2, R_ROPE, (x + i) & 2 ? 500 : 900);
        }
    }
    for (int x = 0; x < w; x++) {
        const int t = x * 2048 / w - 1024, hang = 22 - (int)((int64_t)22 * t * t / SQUARE_ONE);
        const int rail = TILE - 30 + hang + 5;
        for (int k = 0; k < 3; k++)
            canvas_shade(c, x, rail + k, R_ROPE, ((x + k) & 3) < 2 ? 850 - k * 250 : 450 - k * 150);
        if (x % 36 == 14)
            for (int y = rail + 3; y < TILE + hang + 1; y++)
                for (int k = 0; k < 2; k++)
                    canvas_shade(c, x + k, y, R_ROPE, (y & 2) ? 420 - k * 200 : 800 - k * 250);
    }
    for (int side = 0; side < 2; side++) {
        const int x = side ? w - 10 : 0;
        draw_board(c, x, TILE - 34, 10, 44, true, 520, 105 + side);
        for (int k = 0; k < 6; k++)
            for (int i = -1; i < 11; i++)
                canvas_shade(c, x + i, TILE - 27 + k, R_ROPE, ((i + k) & 1 ? 780 : 420) - (i > 6 ? 240 : 0));
    }
    for (int i = 0; sag && i < cells; i++) {
        const int t = (i * TILE + 32) * 2048 / w - 1024;
        sag[i] = 22 - (int)((int64_t)22 * t * t / SQUARE_ONE);
    }
    return c;
}

/* ---- the lighthouse ------------------------------------------------------------------------------------------------------------ */

enum { TOWER_X = 128, TOWER_TOP = 170, TOWER_FOOT = 8 * TILE };

/* Half the tower's width at a height. */
static int tower_half(int y)
{
    const int t = gen_clamp((y - TOWER_TOP) * 1024 / (TOWER_FOOT - TOWER_TOP), 0, 1024);
    return 42 + (int)((int64_t)22 * t * t / SQUARE_ONE) + 8 * t / 1024;
}

/* The light on a standing cylinder, `at` from -1024 (left) to 1024 (right). */
static int round_shade(int at, int dark, int light)
{
    const int t = gen_smooth(1150, -560, at);
    const int rim = at < -700  ? (at + 700) / 3
                    : at > 820 ? (at - 820) / 3
                               : 0; /* bounce of the sky at the right */
    return gen_mix(dark, light, t) + rim;
}

static void draw_tower_wall(canvas *c)
{
    for (int y = TOWER_TOP; y < TOWER_FOOT; y++) {
        const int half = tower_half(y);
        for (int x = -half; x < half; x++) {
            const int at = x * 1024 / half;
            /* Bricks follow the curve: rows bend, joints crowd at the rims. */
            const int bend = 5 - (int)((int64_t)5 * at * at / SQUARE_ONE);
            const int row = (y + bend) / 14, in_row = gen_mod(y + bend, 14);
            const int turn = at * (1536 - abs(at) / 2) / 1024 + (row & 1 ? 130 : 0) + 2048;
            const bool joint = in_row == 0 || turn % 260 < 14;
            const int brick = (int)(gen_hash(turn / 260, row, 111) % 90) - 45;
            const bool red = ((y + bend - TOWER_TOP + 16) / 76) & 1;
            int s = round_shade(at, red ? 130 : 190, red ? 830 : 960) + brick - (joint ? 130 : 0);
            s += (gen_fbm(x + 512, y, 16, 1024, 1024, 112) - 512) / 4;
            if (y < TOWER_TOP + 26) /* the gallery's shadow */
                s -= (TOWER_TOP + 26 - y) * 16;
            s -= gen_smooth(TOWER_FOOT - 60, TOWER_FOOT, y) * 150 / 1024;
            canvas_shade(c, TOWER_X + x, y, red ? R_RED : R_PLASTER, gen_clamp(s, 0, 1023));
        }
    }
}

static void draw_window(canvas *c, int x, int y, bool light)
{
    for (int j = -5; j < 34; j++) {
        for (int i = -11; i < 12; i++) {
            const int up = j < 10 ? (10 - j) * (10 - j) + i * i : 0;
            const bool in = abs(i) < 8 && j < 29 && (j >= 10 || up < 64),
                       frame = abs(i) < 11 && j < 33 && (j >= 10 || up < 130);
            if (in)
                canvas_shade(c, x + i, y + j, light ? R_FIRE : R_STONE,
                             light ? 880 - (j > 8 ? (j - 8) * 18 : 0) - abs(i) * 14 : 30 + j * 3);
            else if (frame)
                canvas_shade(c, x + i, y + j, R_STONE, i < 0 || j < 6 ? 860 - j * 8 : 430);
        }
    }
    draw_box(c, x - 1, y + 2, 2, 27, R_WOOD, 200);
    draw_box(c, x - 7, y + 14, 14, 2, R_WOOD, 200);
    draw_box(c, x - 12, y + 32, 24, 4, R_STONE, 900);
    draw_box(c, x - 12, y + 36, 24, 2, R_STONE, 200);
}

static void draw_door(canvas *c, int x, int foot)
{
    for (int j = -88; j < 0; j++) {
        for (int i = -30; i < 30; i++) {
            const int up = j < -58 ? (j + 58) * (j + 58) + i * i : 0;
            const bool in = abs(i) < 21 && (j >= -58 || up < 21 * 21),
                       frame = abs(i) < 29 && (j >= -58 || up < 29 * 29);
            if (in)
                canvas_shade(c, x + i, foot + j, R_WOOD,
                             (gen_mod(i + 21, 10) == 0   ? 90
                              : gen_mod(i + 21, 10) == 1 ? 600
                                                         : 430) +
                                 (gen_noise(i + 40, j + 200, 3, 22, 64, 64, 115) - 512) / 4);
            else if (frame) {
                const bool joint = gen_mod(j, 15) == 0;
                canvas_shade(c, x + i, foot + j, R_STONE,
                             (joint   ? 240
                              : i < 0 ? 760
                                      : 480) -
                                 (abs(i) < 23 ? 180 : 0));
            }
        }
    }
    for (int k = 0; k < 2; k++)
        for (int i = -20; i < 12; i++)
            for (int j = 0; j < 4; j++)
                canvas_shade(c, x + i, foot - 62 + k * 40 + j, R_STEEL, j == 0 ? 560 : j == 3 ? 60 : 260);
    draw_ball(c, (x + 13) * 16, (foot - 36) * 16, 56, 56, R_GOLD, 200, 1000);
    for (int i = 0; i < 2; i++)
        draw_box(c, x - 34 - i * 4, foot - 8 + i * 4, 68 + i * 8, 4, R_STONE, 860 - i * 160);
}

static void draw_gallery(canvas *c, int y)
{
    for (int j = 0; j < 20; j++) { /* corbels carry the floor */
        const int half = 68 - (j > 8 ? (j - 8) * 2 : 0);
        for (int x = -half; x < half; x++) {
            int s = round_shade(x * 1024 / half, 160, 860);
            if (j >= 8 && gen_mod(x * (1024 - abs(x) * 4) / 1024 + 256, 15) < 6)
                s -= 330;
            s += j == 0 ? 200 : j == 7 ? -220 : j > 8 ? -110 : 0;
            canvas_shade(c, TOWER_X + x, y + j, R_STONE, gen_clamp(s, 0, 1023));
        }
    }
    for (int i = -8; i <= 8; i++) { /* the railing, closer together at the rims */
        const int x = gen_sin(i * 30) * 66 / 1024;
        for (int j = -28; j < 0; j++)
            for (int k = 0; k < 2; k++)
                canvas_shade(c, TOWER_X + x + k, y + j, R_STEEL, k ? 130 : 460 - i * 24);
    }
    for (int x = -68; x < 69; x++) {
        for (int k = 0; k < 3; k++)
            canvas_shade(c, TOWER_X + x, y - 30 + k, R_STEEL, round_shade(x * 1024 / 68, 160, 760) - k * 130);
        canvas_shade(c, TOWER_X + x, y - 15, R_STEEL, round_shade(x * 1024 / 68, 60, 520));
    }
}

static void draw_lamp(canvas *c, int top, int foot)
{
    for (int y = top; y < foot; y++) {
        for (int x = -32; x < 32; x++) {
            const int cy = (top + foot) / 2 - y, glow = gen_isqrt((int64_t)(x * x + cy * cy) * 256) / 16;
            const int at = x * 1024 / 32;
            const bool bar =
                gen_mod(gen_clamp(at, -1023, 1023) * (1536 - abs(at) / 2) / 1024 + 2048, 430) < 46 ||
                y == (top + foot) / 2 + 14;
            if (bar)
                canvas_shade(c, TOWER_X + x, y, R_STEEL, 160 - at / 12);
            else
                canvas_shade(c, TOWER_X + x, y, R_FIRE, 1060 - glow * 20);
        }
    }
}

static void draw_dome(canvas *c, int foot)
{
    for (int y = foot - 40; y < foot; y++) {
        const int64_t up = foot - y;
        const int half = gen_clamp(gen_isqrt(1600 - up * up) * 42 / 40, 0, 42);
        for (int x = -half; x < half; x++) {
            const int at = half ? x * 1024 / half : 0;
            const bool seam = gen_mod(at * (1536 - abs(at) / 2) / 1024 + 2150, 340) < 26;
            canvas_shade(c, TOWER_X + x, y, R_RED,
                         gen_clamp(round_shade(at, 110, 900) + (int)up * 4 - (seam ? 160 : 0), 0, 1023));
        }
    }
    for (int x = -46; x < 47; x++)
        for (int k = 0; k < 5; k++)
            canvas_shade(c, TOWER_X + x, foot + k, R_STEEL, round_shade(x * 1024 / 46, 120, 720) - k * 60);
    draw_ball(c, TOWER_X * 16, (foot - 42) * 16, 8 * 16, 6 * 16, R_GOLD, 150, 1050);
    draw_box(c, TOWER_X - 1, foot - 76, 3, 30, R_STEEL, 420);
    for (int i = 0; i < 22; i++) /* the vane, a fish */
        for (int j = -i / 4; j <= i / 4; j++)
            if (i < 16 || abs(j) > i - 18)
                canvas_shade(c, TOWER_X - 16 + i * 3 / 2,
                             foot - 70 + (i < 16 ? j * (16 - abs(i - 8)) / 12 : j), R_GOLD, 760 - j * 60);
}

canvas *draw_lighthouse(void)
{
    canvas *c = canvas_new(4 * TILE, 8 * TILE);
    draw_tower_wall(c);
    draw_lamp(c, TOWER_TOP - 74, TOWER_TOP - 8);
    draw_dome(c, TOWER_TOP - 78);
    draw_gallery(c, TOWER_TOP - 10);
    draw_window(c, TOWER_X - 6, 250, true);
    draw_window(c, TOWER_X + 10, 338, false);
    draw_door(c, TOWER_X - 4, TOWER_FOOT);
    canvas_outline(c);
    return c;
}
