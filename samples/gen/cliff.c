/*
 * The cliffs: a rock of jointed stones that repeats after 4 x 2 cells, cut to a cell by what lies around it. Each px knows its distance
 * to the nearest air: close to it the stone catches the light or falls into shadow, far from it the rock darkens, and on top grows
 * grass.
 */
#include "gen.h"

#include <stdlib.h>

enum { ROCK_W = TILE * CLIFF_PHASES_X, ROCK_H = TILE * CLIFF_PHASES_Y, STONES_X = 6, STONES_Y = 6 };

static int rock_height[ROCK_H][ROCK_W];
static int rock_stone[ROCK_H][ROCK_W]; /* each stone's own brightness */
static bool rock_made;

/* Stones are the cells around scattered points, flatter than wide. */
static void find_stone(int x, int y, int *gap, int *stone)
{
    int64_t best = INT64_MAX, next = INT64_MAX;
    const int sx = ROCK_W / STONES_X, sy = ROCK_H / STONES_Y;
    const int cx = x * STONES_X / ROCK_W, cy = y * STONES_Y / ROCK_H;
    *stone = 0;
    for (int j = cy - 2; j <= cy + 2; j++) {
        for (int i = cx - 2; i <= cx + 2; i++) {
            const uint32_t h = gen_hash(gen_mod(i, STONES_X), gen_mod(j, STONES_Y), 11);
            /* Courses are shifted against each other as in a wall, then scattered. */
            const int px = (i + 8 * STONES_X) * ROCK_W / STONES_X - 8 * ROCK_W +
                           (gen_mod(j, STONES_Y) & 1 ? sx / 2 : 0) + (int)(h % (unsigned)(sx * 3 / 4));
            const int py =
                (j + 8 * STONES_Y) * ROCK_H / STONES_Y - 8 * ROCK_H + (int)(h / 256 % (unsigned)(sy * 2 / 3));
            const int64_t dx = px - x, dy = (py - y) * 8 / 5;
            const int64_t d = gen_isqrt((dx * dx + dy * dy) * 256);
            if (d < best) {
                next = best;
                best = d;
                *stone = (int)(h >> 20 & 255);
            } else if (d < next) {
                next = d;
            }
        }
    }
    *gap = (int)(next - best); /* 16ths of px, twice the distance to the joint */
}

static void make_rock(void)
{
    for (int y = 0; y < ROCK_H; y++) {
        for (int x = 0; x < ROCK_W; x++) {
            int gap, stone;
            const int wx = gen_fbm(x, y, 32, ROCK_W, ROCK_H, 5) / 64 - 8,
                      wy = gen_fbm(x, y, 32, ROCK_W, ROCK_H, 6) / 64 - 8;
            find_stone(gen_mod(x + wx, ROCK_W), gen_mod(y + wy, ROCK_H), &gap, &stone);
            const int bevel = gen_clamp(gap, 0, 176);
            /* Rounded at the joints, then flat with the stone's own slope and a rough skin. */
            rock_height[y][x] = bevel * (352 - bevel) / 40 + gen_fbm(x, y, 16, ROCK_W, ROCK_H, 7) * 3 / 8;
            rock_stone[y][x] = gap < 26 ? -420 + gap * 12 : (stone - 128) * 3 / 4;
        }
    }
    rock_made = true;
}

static int rock_shade(int x, int y)
{
    if (!rock_made)
        make_rock();
    const int x0 = gen_mod(x, ROCK_W), y0 = gen_mod(y, ROCK_H);
    const int dx = rock_height[y0][gen_mod(x + 1, ROCK_W)] - rock_height[y0][gen_mod(x - 1, ROCK_W)];
    const int dy = rock_height[gen_mod(y + 1, ROCK_H)][x0] - rock_height[gen_mod(y - 1, ROCK_H)][x0];
    const int slope = gen_clamp(dx * 5 / 4 + dy * 2, -420, 520);
    return 470 + slope + rock_stone[y0][x0];
}

/* How far a px of the cell lies inside the rock, and which way the air is. */
static int depth_at(unsigned solid, int x, int y, int *ox, int *oy)
{
    int best = TILE * TILE * 2;
    *ox = *oy = 0;
    for (int i = 0; i < 9; i++) {
        if (solid >> i & 1)
            continue;
        const int cx = (i % 3 - 1) * TILE, cy = (i / 3 - 1) * TILE;
        const int nx = gen_clamp(x, cx, cx + TILE - 1) - x, ny = gen_clamp(y, cy, cy + TILE - 1) - y;
        const int d = nx * nx + ny * ny;
        if (d < best) {
            best = d;
            *ox = nx;
            *oy = ny;
        }
    }
    return gen_isqrt((int64_t)best * 256) / 16;
}

static int grass_depth(int x)
{
    const int broad = gen_noise(x, 0, 16, 16, 16, 1, 31) * 9 / 1024,
              blade = gen_noise(x, 9, 3, 3, 85, 1, 32) * 9 / 1024;
    return 9 + broad + (blade > 4 ? blade : blade / 2);
}

static void draw_grass(canvas *c, int x, int y, int wx, int depth, int edge)
{
    const int blade = gen_noise(wx + y / 3, y / 5, 2, 3, 128, 32, 33);
    int shade = 880 - (y * 640 / depth) + (blade - 512) / 3 + gen_noise(wx, 0, 16, 16, 16, 1, 34) / 8 - 64;
    if (y < 2)
        shade += 90;
    if (y >= depth - 2)
        shade -= 160;
    canvas_shade(c, x, y, R_GRASS, shade - edge);
}

canvas *tile_cliff(unsigned solid, unsigned flush, int phase_x, int phase_y)
{
    canvas *c = canvas_new(TILE, TILE);
    const unsigned cut = solid | flush; /* what neither rounds nor roughens an edge */
    const bool top = !(solid >> 1 & 1), left = !(cut >> 3 & 1), right = !(cut >> 5 & 1),
               low = !(cut >> 7 & 1);
    for (int y = 0; y < TILE; y++) {
        for (int x = 0; x < TILE; x++) {
            const int wx = phase_x * TILE + x, wy = phase_y * TILE + y;
            int ox, oy;
            int depth = depth_at(solid, x, y, &ox, &oy);
            /* Free corners are rounded, free sides are rough, overhangs rougher; the ground that one walks on stays flat. */
            const int rough = 1 + gen_fbm(wx, wy, 16, ROCK_W, ROCK_H, 21) * 7 / 1024;
            const int gx = left && x < 32 ? x : right && x >= 32 ? TILE - 1 - x : 64;
            const int gy = low ? TILE - 1 - y : 64;
            const int round = top ? 7 : 16;
            const int ty = top && y < 32 ? y : 64;
            int inset = depth;
            if (gx < round && gy < round)
                inset = round - gen_isqrt((round - gx) * (round - gx) + (round - gy) * (round - gy));
            else if (gx < round && ty < round)
                inset = round - gen_isqrt((round - gx) * (round - gx) + (round - ty) * (round - ty)) + rough;
            if ((gx < 32 && gx <= gy && gx - (gx < round ? gx - inset : 0) < rough) || inset < 0)
                continue;
            if (gy < 32 && (gy < rough * 2 || inset < rough))
                continue;
            int shade = rock_shade(wx, wy);
            const int rim = depth - rough;
            if (ox < 0 || oy < 0)
                shade += gen_smooth(14, 0, rim) * 200 / 1024;
            if (ox > 0 || oy > 0)
                shade -= gen_smooth(20, 0, rim) * 260 / 1024;
            /* The light dies away within the rock. */
            shade = shade * gen_mix(1024, 330, gen_smooth(8, 62, depth)) / 1024;
            shade -= gen_smooth(30, 64, depth) * 60 / 1024;
            const int grass = top ? grass_depth(wx) : 0;
            if (top && y < grass) {
                draw_grass(c, x, y, wx, grass, (right && x > 56 ? (x - 56) * 30 : 0));
                continue;
            }
            if (top && y < grass + 9)
                shade -= (grass + 9 - y) * 34;
            canvas_shade(c, x, y, R_STONE, shade);
        }
    }
    return c;
}

static void draw_blade(canvas *c, int x, int height, int lean, int shade)
{
    for (int i = 0; i < height; i++)
        draw_dot(c, x + lean * i * i / (height * height), TILE - 1 - i, R_GRASS, shade + i * 420 / height);
}

static void draw_flower(canvas *c, int x, int height, ramp r, int size)
{
    for (int i = 0; i < height; i++)
        draw_dot(c, x + (i > height / 2), TILE - 1 - i, R_GRASS, 420 + i * 12);
    draw_ball(c, x * 16 + 16, (TILE - height) * 16, size * 16, size * 16, r, 350, 1100);
    draw_dot(c, x + 1, TILE - height, R_GOLD, 900);
}

canvas *tile_tuft(int variant)
{
    canvas *c = canvas_new(TILE, TILE);
    for (int i = 0; i < 46; i++) {
        const uint32_t h = gen_hash(i, variant, 51);
        const int x = (int)(h % TILE), clump = gen_noise(x + variant * TILE, 0, 12, 12, 128, 1, 52);
        const int height = 2 + (int)(h >> 8) % 4 + gen_clamp(clump - 500, 0, 1023) * 14 / 1024;
        draw_blade(c, x, height, (int)(h >> 16) % 7 - 3, 260 + (int)(h >> 20) % 200);
    }
    if (variant == 2 || variant == 5) { /* stones in the grass */
        draw_ball(c, 30 * 16, 60 * 16, 11 * 16, 8 * 16, R_STONE, 150, 900);
        draw_ball(c, 43 * 16, 62 * 16, 7 * 16, 5 * 16, R_STONE, 120, 820);
        for (int i = 0; i < 16; i++)
            draw_blade(c, 16 + i * 2 + (int)(gen_hash(i, variant, 53) % 3),
                       3 + (int)(gen_hash(i, variant, 54) % 4), 1, 240);
    } else if (variant == 1 || variant == 6) {
        for (int i = 0; i < 5; i++) {
            const uint32_t h = gen_hash(i, variant, 55);
            draw_flower(c, 5 + i * 12 + (int)(h % 7), 7 + (int)(h >> 8) % 8, variant == 1 ? R_CORAL : R_CLOTH,
                        2 + (int)(h >> 16) % 2);
        }
    } else if (variant == 7) { /* a tall clump */
        for (int i = 0; i < 26; i++) {
            const uint32_t h = gen_hash(i, variant, 56);
            draw_blade(c, 24 + (int)(h % 18), 12 + (int)(h >> 8) % 16, ((int)(h >> 16) % 19) - 9,
                       200 + (int)(h >> 20) % 240);
        }
    }
    return c;
}

/* The wall behind caves and galleries: the same rock, far from the light. */
canvas *tile_cave(int phase_x, int phase_y)
{
    canvas *c = canvas_new(TILE, TILE);
    for (int y = 0; y < TILE; y++)
        for (int x = 0; x < TILE; x++)
            canvas_shade(c, x, y, R_EARTH, 20 + rock_shade(phase_x * TILE + x, phase_y * TILE + y) / 5);
    return c;
}
