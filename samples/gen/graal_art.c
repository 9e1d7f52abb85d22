/*
 * The tileset of the Graal samples: 128 by 32 tiles of 16 px, most of it empty, with grass, paths, shores, trees, a house and its furniture at
 * the indices that the games' tables of tile types mean for such things. The same drawing is written by daylight and under snow.
 */
#include "graal_gen.h"

#include <lvl/image.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PX = LVL_GRAAL_TILE, SHEET_WIDE = 2048, SHEET_HIGH = 512 };

typedef struct ramp_keys {
    ramp r;
    uint32_t key[5];
} ramp_keys;

static const ramp_keys day[] = {
    {R_GRASS, {0x14501e, 0x2c8c34, 0x45aa3e, 0x6cc850, 0xc4ec84}},
    {R_LEAF, {0x0c2c1c, 0x186030, 0x2f8c38, 0x64b848, 0xb4e070}},
    {R_EARTH, {0x4c3020, 0x8c6038, 0xc09458, 0xdcb87c, 0xf4dca4}},
    {R_SEA, {0x183468, 0x2860a8, 0x3c84cc, 0x74b8e8, 0xe8fcff}},
};
static const ramp_keys snow[] = {
    {R_GRASS, {0x6c80a8, 0xb4c8e4, 0xdce8f8, 0xf0f8ff, 0xffffff}},
    {R_LEAF, {0x14303c, 0x30606c, 0x6898a0, 0xc0dce4, 0xffffff}},
    {R_EARTH, {0x484c64, 0x747c98, 0x98a4bc, 0xbcc8d8, 0xe4ecf4}},
    {R_SEA, {0x4878a0, 0x78b0d0, 0xa4d0e8, 0xccecf8, 0xffffff}},
    {R_RED, {0x301828, 0x683040, 0xc8d0e4, 0xe8f0fc, 0xffffff}},
};

void graal_palette(uint8_t rgb[256][3], bool frost)
{
    static const uint8_t body[5][3] = {
        {0xFF, 0xAD, 0x6B}, {0xFF, 0xFF, 0xFF}, {0xFF, 0, 0}, {0xCE, 0x18, 0x29}, {0, 0, 0xFF}};
    const ramp_keys *keys = frost ? snow : day;
    const size_t count = frost ? sizeof snow / sizeof *snow : sizeof day / sizeof *day;

    gen_palette(rgb);
    for (int i = 1; i < INK; i++) {
        ramp r;
        int shade;
        if (!gen_ramp_of((uint8_t)i, &r, &shade))
            continue;
        for (size_t k = 0; k < count; k++) {
            if (keys[k].r != r)
                continue;
            const int at = shade * 4 * 1024 / SHADE_MAX, from = at >= 4096 ? 3 : at / 1024;
            for (int ch = 0; ch < 3; ch++)
                rgb[i][ch] =
                    (uint8_t)gen_mix((int)(keys[k].key[from] >> (16 - 8 * ch)) & 255,
                                     (int)(keys[k].key[from + 1] >> (16 - 8 * ch)) & 255, at - from * 1024);
        }
    }
    memcpy(rgb[1], body, sizeof body);
}

void graal_write_png(lvl_buffer *out, const canvas *picture, const uint8_t rgb[256][3])
{
    lvl_ctx ctx;
    lvl_image image;
    lvl_palette palette;
    const size_t count = (size_t)picture->w * (size_t)picture->h;

    lvl_ctx_init(&ctx);
    memcpy(palette.rgb, rgb, sizeof palette.rgb);
    if (lvl_image_init(&image, &ctx, LVL_PIXELS_INDEX8, (uint32_t)picture->w, (uint32_t)picture->h, true) !=
        LVL_OK) {
        fputs("samples: no memory for a picture\n", stderr);
        exit(1);
    }
    memcpy(image.pixels, picture->px, count);
    for (size_t i = 0; i < count; i++)
        image.mask[i] = picture->px[i] ? 255 : 0;
    if (lvl_png_write_buffer(&ctx, &image, &palette, out) != LVL_OK) {
        fputs("samples: can't write a picture\n", stderr);
        exit(1);
    }
    lvl_image_clear(&image);
}

/* ---- tiles ----------------------------------------------------------------------------------------------------------------------- */

static void place_of(unsigned tile, int *x, int *y)
{
    *x = (int)(tile / 512 * 16 + tile % 16) * PX;
    *y = (int)(tile / 16 % 32) * PX;
}

/* Grass repeats after each tile, so that anything may stand on it. */
static int grass_shade(int x, int y)
{
    return 430 + (gen_noise(x & 15, y & 15, 4, 4, 4, 4, 7) - 512) * 200 / 1024;
}

static void grass(canvas *c, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            canvas_shade(c, x, y, R_GRASS, grass_shade(x, y));
}

static canvas *on_grass(int w, int h)
{
    canvas *c = canvas_new(w, h);
    c->dither = 300;
    grass(c, w, h);
    return c;
}

static void stamp(canvas *sheet, unsigned tile, canvas *c)
{
    int x, y;
    place_of(tile, &x, &y);
    canvas_blit(sheet, c, x, y, false);
    canvas_free(c);
}

/* What stands on grass, with an outline of its own. */
static void stand(canvas *sheet, unsigned tile, canvas *thing)
{
    canvas *c = on_grass(thing->w, thing->h);
    canvas_outline(thing);
    canvas_blit(c, thing, 0, 0, false);
    canvas_free(thing);
    stamp(sheet, tile, c);
}

static void draw_shadow(canvas *c, int cx, int cy, int rx, int ry)
{
    for (int y = cy - ry; y <= cy + ry; y++)
        for (int x = cx - rx; x <= cx + rx; x++)
            if ((x - cx) * (x - cx) * ry * ry + (y - cy) * (y - cy) * rx * rx <= rx * rx * ry * ry)
                canvas_put(c, x, y, gen_flat(R_GRASS, 160));
}

static void draw_blades(canvas *c, int seed, int count)
{
    for (int i = 0; i < count; i++) {
        const int x = 2 + (int)(gen_hash(i, 1, seed) % 12), y = 4 + (int)(gen_hash(i, 2, seed) % 10);
        draw_line(c, x, y, x, y - 2, R_GRASS, 640);
        draw_dot(c, x - 1, y - 2, R_GRASS, 760);
        draw_dot(c, x + 1, y - 1, R_GRASS, 240);
    }
}

static void draw_flower(canvas *c, int x, int y, ramp r)
{
    draw_dot(c, x, y - 1, r, 700);
    draw_dot(c, x - 1, y, r, 640);
    draw_dot(c, x + 1, y, r, 560);
    draw_dot(c, x, y + 1, r, 480);
    draw_dot(c, x, y, R_GOLD, 900);
    draw_dot(c, x + 1, y + 2, R_GRASS, 160);
}

static void add_meadow(canvas *sheet)
{
    stamp(sheet, T_GRASS, on_grass(PX, PX));
    for (int i = 0; i < 2; i++) {
        canvas *c = on_grass(PX, PX);
        draw_blades(c, 20 + i, 4);
        stamp(sheet, i ? 284 : T_BLADES, c);
    }
    canvas *clover = on_grass(PX, PX);
    for (int i = 0; i < 3; i++) {
        const int x = 4 + i * 4, y = 4 + (i * 7) % 9;
        draw_dot(clover, x, y, R_GRASS, 720);
        draw_dot(clover, x + 1, y, R_GRASS, 680);
        draw_dot(clover, x, y + 1, R_GRASS, 240);
    }
    stamp(sheet, T_CLOVER, clover);
    for (int i = 0; i < 2; i++) {
        canvas *c = on_grass(PX, PX);
        draw_blades(c, 30 + i, 2);
        draw_flower(c, 4, 4 + i, i ? R_GOLD : R_RED);
        draw_flower(c, 11, 10 - i, i ? R_CLOTH : R_CORAL);
        stamp(sheet, i ? T_FLOWER_YELLOW : T_FLOWER_RED, c);
    }
    canvas *reeds = on_grass(32, 32);
    for (int i = 0; i < 9; i++) {
        const int x = 3 + i * 3 + (int)(gen_hash(i, 5, 3) % 2), top = 3 + (int)(gen_hash(i, 6, 3) % 9);
        draw_line(reeds, x, 28 - i % 3, x, top, R_LEAF, 480 + i % 3 * 120);
        draw_line(reeds, x, top, x, top + 3, R_WOOD, 420);
    }
    stamp(sheet, T_REEDS, reeds);
}

static const uint16_t path_tiles[16] = {359, 358, 360, 361, 374, 375, 376, 377,
                                        390, 391, 392, 393, 452, 453, 454, 455};
static const uint16_t water_tiles[16] = {408, 424, 440, 441, 456, 457, 506, 411,
                                         427, 399, 338, 322, 323, 324, 307, 296};

unsigned graal_path_tile(unsigned mask)
{
    return path_tiles[mask & 15];
}

unsigned graal_water_tile(unsigned mask)
{
    return water_tiles[mask & 15];
}

/* How far a pixel lies within an edge that wobbles, of the sides in `mask`; corners are round. */
static int inside(unsigned mask, int x, int y)
{
    const int wobble_x = gen_noise(x, 0, 4, 1, 4, 1, 11) / 400,
              wobble_y = gen_noise(y, 0, 4, 1, 4, 1, 12) / 400;
    const int north = mask & 1 ? y - wobble_x : 99, south = mask & 4 ? 15 - y - wobble_x : 99;
    const int west = mask & 8 ? x - wobble_y : 99, east = mask & 2 ? 15 - x - wobble_y : 99;
    const int v = north < south ? north : south, h = west < east ? west : east;
    if (v < 6 && h < 6) { /* round */
        const int d = 6 - gen_isqrt((int64_t)(6 - v) * (6 - v) + (int64_t)(6 - h) * (6 - h));
        return d < v ? (d < h ? d : h) : v < h ? v : h;
    }
    return v < h ? v : h;
}

static void add_edges(canvas *sheet)
{
    for (unsigned mask = 0; mask < 16; mask++) {
        canvas *path = on_grass(PX, PX), *water = on_grass(PX, PX);
        for (int y = 0; y < PX; y++) {
            for (int x = 0; x < PX; x++) {
                const int in = inside(mask, x, y);
                const int grain = gen_noise(x, y, 2, 2, 8, 8, 41);
                if (in >= 1)
                    canvas_shade(path, x, y, R_EARTH, in == 1 ? 380 : 640 + (grain - 512) / 5);
                const int wave = gen_noise(x * 2 + y, y * 3, 8, 8, 4, 6, 43);
                if (in >= 2) {
                    int shade = in == 2 ? 820 : in == 3 ? 700 : 430 + (wave - 512) / 6;
                    if (in > 4 && wave > 760)
                        shade = 640;
                    canvas_shade(water, x, y, R_SEA, shade);
                } else if (in >= 0) {
                    canvas_shade(water, x, y, R_EARTH, in ? 420 : 760);
                }
            }
        }
        stamp(sheet, path_tiles[mask], path);
        stamp(sheet, water_tiles[mask], water);
    }
    canvas *gravel = canvas_new(PX, PX);
    for (int y = 0; y < PX; y++)
        for (int x = 0; x < PX; x++)
            canvas_shade(gravel, x, y, R_EARTH, 560 + (gen_noise(x, y, 2, 2, 8, 8, 49) - 512) / 2);
    stamp(sheet, T_GRAVEL, gravel);
    canvas *planks = canvas_new(PX, PX);
    draw_board(planks, 0, 0, 16, 8, false, 620, 50);
    draw_board(planks, 0, 8, 16, 8, false, 560, 51);
    stamp(sheet, T_PLANKS, planks);
}

/* ---- what stands on it ------------------------------------------------------------------------------------------------------------ */

static void add_tree(canvas *sheet)
{
    canvas *c = canvas_new(64, 64);
    static const struct {
        int x, y, r;
    } balls[] = {{18, 34, 13}, {46, 34, 13}, {32, 38, 14}, {16, 24, 12},
                 {48, 24, 12}, {24, 16, 12}, {40, 16, 12}, {32, 26, 16}};
    c->dither = 500;
    draw_limb(c, 32 * 16, 40 * 16, 8 * 16, 32 * 16, 56 * 16, 6 * 16, R_WOOD, 160, 640);
    draw_limb(c, 28 * 16, 57 * 16, 4 * 16, 20 * 16, 60 * 16, 2 * 16, R_WOOD, 160, 560);
    draw_limb(c, 36 * 16, 57 * 16, 4 * 16, 44 * 16, 60 * 16, 2 * 16, R_WOOD, 120, 480);
    for (size_t i = 0; i < sizeof balls / sizeof *balls; i++)
        draw_ball(c, balls[i].x * 16, balls[i].y * 16, balls[i].r * 16, balls[i].r * 15, R_LEAF, 140, 760);
    for (int i = 0; i < 70; i++) { /* leaves */
        const int x = 6 + (int)(gen_hash(i, 1, 61) % 52), y = 6 + (int)(gen_hash(i, 2, 61) % 40);
        ramp r;
        int shade;
        if (gen_ramp_of(canvas_get(c, x, y), &r, &shade) && r == R_LEAF) {
            draw_dot(c, x, y, R_LEAF, gen_clamp(shade + 260, 0, SHADE_MAX));
            draw_dot(c, x + 1, y + 1, R_LEAF, gen_clamp(shade - 240, 0, SHADE_MAX));
        }
    }
    canvas_outline(c);
    canvas *ground = on_grass(64, 64);
    draw_shadow(ground, 32, 58, 22, 5);
    canvas_blit(ground, c, 0, 0, false);
    canvas_free(c);
    stamp(sheet, T_TREE, ground);

    canvas *pine = canvas_new(32, 48);
    draw_limb(pine, 16 * 16, 36 * 16, 3 * 16, 16 * 16, 44 * 16, 3 * 16, R_WOOD, 140, 560);
    for (int i = 0; i < 3; i++) {
        const int top = 2 + i * 10, low = 18 + i * 11, half = 8 + i * 3;
        const point left[3] = {{16 * 16, top * 16}, {16 * 16, low * 16}, {(16 - half) * 16, (low - 2) * 16}};
        const point right[3] = {{16 * 16, top * 16}, {(16 + half) * 16, (low - 2) * 16}, {16 * 16, low * 16}};
        draw_poly(pine, left, 3, R_LEAF, 460, 700);
        draw_poly(pine, right, 3, R_LEAF, 460, 160);
    }
    canvas_outline(pine);
    canvas *under = on_grass(32, 48);
    draw_shadow(under, 16, 44, 11, 3);
    canvas_blit(under, pine, 0, 0, false);
    canvas_free(pine);
    stamp(sheet, T_PINE, under);
}

static void add_small(canvas *sheet)
{
    canvas *bush = canvas_new(32, 32);
    draw_ball(bush, 10 * 16, 19 * 16, 9 * 16, 9 * 16, R_LEAF, 200, 760);
    draw_ball(bush, 22 * 16, 19 * 16, 9 * 16, 9 * 16, R_LEAF, 160, 700);
    draw_ball(bush, 16 * 16, 14 * 16, 11 * 16, 10 * 16, R_LEAF, 260, 860);
    for (int i = 0; i < 6; i++)
        draw_dot(bush, 7 + i * 3, 10 + (i * 5) % 13, R_RED, 640);
    stand(sheet, T_BUSH, bush);

    canvas *rock = canvas_new(32, 32);
    draw_ball(rock, 16 * 16, 18 * 16, 13 * 16, 11 * 16, R_STONE, 260, 900);
    draw_line(rock, 12, 14, 17, 18, R_STONE, 330);
    draw_line(rock, 17, 18, 16, 23, R_STONE, 330);
    stand(sheet, T_ROCK, rock);

    canvas *pot = canvas_new(32, 32);
    draw_ball(pot, 16 * 16, 19 * 16, 11 * 16, 10 * 16, R_CORAL, 200, 860);
    draw_box(pot, 10, 6, 12, 4, R_CORAL, 560);
    draw_box(pot, 11, 7, 10, 2, R_CORAL, 120);
    draw_box(pot, 6, 17, 20, 2, R_GOLD, 640);
    stand(sheet, T_POT, pot);

    canvas *sign = canvas_new(32, 32);
    draw_box(sign, 14, 18, 4, 12, R_WOOD, 300);
    draw_board(sign, 3, 5, 26, 14, false, 620, 71);
    for (int i = 0; i < 3; i++)
        draw_line(sign, 7, 9 + i * 3, 22 - i * 4, 9 + i * 3, R_WOOD, 140);
    stand(sheet, T_SIGN, sign);

    for (int open = 0; open < 2; open++) {
        canvas *chest = canvas_new(32, 32);
        draw_board(chest, 3, 14, 26, 15, false, 560, 73);
        if (open)
            draw_box(chest, 5, 10, 22, 7, R_EARTH, 60);
        else
            draw_board(chest, 3, 6, 26, 9, false, 720, 74);
        draw_box(chest, 3, 14, 26, 2, R_GOLD, 700);
        draw_box(chest, 5, 16, 2, 13, R_GOLD, 560);
        draw_box(chest, 25, 16, 2, 13, R_GOLD, 480);
        draw_box(chest, 14, 14, 4, 6, R_GOLD, 900);
        canvas_outline(chest);
        canvas *slab = canvas_new(32, 32); /* of stone, since chests stand indoors too */
        draw_box(slab, 0, 0, 32, 32, R_STONE, 700);
        draw_box(slab, 1, 1, 30, 30, R_STONE, 560);
        canvas_blit(slab, chest, 0, 0, false);
        canvas_free(chest);
        stamp(sheet, open ? T_CHEST_OPEN : T_CHEST, slab);
    }

    canvas *fence = canvas_new(PX, PX), *post = canvas_new(PX, PX), *stump = canvas_new(PX, PX);
    draw_board(fence, 0, 4, 16, 3, false, 640, 75);
    draw_board(fence, 0, 9, 16, 3, false, 560, 76);
    draw_board(fence, 6, 2, 4, 13, true, 680, 77);
    stand(sheet, T_FENCE, fence);
    draw_board(post, 6, 2, 4, 13, true, 680, 77);
    stand(sheet, T_POST, post);
    draw_ball(stump, 8 * 16, 10 * 16, 6 * 16, 5 * 16, R_WOOD, 160, 460);
    draw_ball(stump, 8 * 16, 7 * 16, 5 * 16, 3 * 16, R_WOOD, 760, 860);
    stand(sheet, T_STUMP, stump);
}

/* ---- the house ------------------------------------------------------------------------------------------------------------------- */

unsigned graal_house_tile(int column, int row)
{
    /* rows 4 to 8 of the second block from its column 4 on, and row 9 from column 0 on: they block */
    return row < 5 ? 512u + (unsigned)(row + 4) * 16 + 4 + (unsigned)column
                   : 512u + 9 * 16 + (unsigned)column;
}

static void draw_window(canvas *c, int x, int y)
{
    draw_box(c, x, y, 14, 14, R_WOOD, 260);
    draw_box(c, x + 2, y + 2, 10, 10, R_BLUE, 560);
    draw_line(c, x + 3, y + 6, x + 6, y + 3, R_BLUE, 960);
    draw_box(c, x + 6, y + 2, 2, 10, R_WOOD, 300);
    draw_box(c, x + 2, y + 6, 10, 2, R_WOOD, 300);
    draw_box(c, x - 1, y + 14, 16, 3, R_WOOD, 560);
    for (int i = 0; i < 4; i++)
        draw_dot(c, x + 1 + i * 4, y + 13, i & 1 ? R_GOLD : R_RED, 700);
}

static void add_house(canvas *sheet)
{
    canvas *c = on_grass(128, 96);
    draw_box(c, 6, 50, 116, 46, R_PLASTER, 760);
    for (int i = 0; i < 3; i++)
        draw_board(c, 6 + i * 56 - (i == 2 ? 2 : 0), 50, 6, 46, true, 360, 80 + i);
    draw_board(c, 6, 56, 116, 4, false, 340, 84);
    draw_box(c, 6, 90, 116, 6, R_STONE, 560);
    for (int y = 0; y < 54; y++) { /* shingles */
        const int cut = y < 6 ? 8 - y : 0;
        for (int x = cut; x < 128 - cut; x++) {
            const int row = y / 6, along = (x + row % 2 * 4) % 8;
            int shade =
                620 - y * 3 + (x < 64 ? 60 : -40) + (int)(gen_hash((x + row % 2 * 4) / 8, row, 85) % 120);
            if (y % 6 == 5 || (along == 0 && y % 6 > 1))
                shade = 240;
            else if (y % 6 == 0)
                shade += 120;
            canvas_shade(c, x, y, R_RED, shade);
        }
    }
    draw_box(c, 0, 54, 128, 2, R_RED, 60);
    draw_box(c, 92, 2, 16, 20, R_STONE, 480);
    draw_box(c, 90, 0, 20, 4, R_STONE, 760);
    draw_window(c, 24, 66);
    draw_window(c, 90, 66);
    for (int row = 0; row < HOUSE_HIGH; row++)
        for (int column = 0; column < HOUSE_WIDE; column++)
            stamp(sheet, graal_house_tile(column, row), canvas_cut(c, column * PX, row * PX, PX, PX));
    canvas_free(c);

    canvas *door = canvas_new(32, 32);
    draw_box(door, 0, 0, 32, 32, R_WOOD, 220);
    draw_board(door, 4, 3, 12, 29, true, 520, 87);
    draw_board(door, 16, 3, 12, 29, true, 480, 88);
    draw_ball(door, 24 * 16, 18 * 16, 24, 24, R_GOLD, 500, 960);
    stamp(sheet, T_DOOR, door);
}

static void add_indoors(canvas *sheet)
{
    canvas *floor = canvas_new(PX, PX), *rug = canvas_new(PX, PX), *wall = canvas_new(PX, PX),
           *top = canvas_new(PX, PX), *cave = canvas_new(PX, PX);
    for (int i = 0; i < 2; i++)
        draw_board(floor, 0, i * 8, 16, 8, false, 440 + i * 50, 90 + i);
    stamp(sheet, T_FLOOR, floor);
    draw_box(rug, 0, 0, 16, 16, R_RED, 480);
    for (int i = 0; i < 4; i++) {
        draw_dot(rug, 8 - i, 5 + i, R_GOLD, 640);
        draw_dot(rug, 8 + i, 11 - i, R_GOLD, 560);
    }
    stamp(sheet, T_RUG, rug);
    draw_box(wall, 0, 0, 16, 16, R_PLASTER, 620);
    canvas *foot = canvas_cut(wall, 0, 0, PX, PX);
    draw_box(foot, 0, 12, 16, 4, R_WOOD, 300);
    draw_box(foot, 0, 11, 16, 1, R_WOOD, 640);
    stamp(sheet, T_WALL, wall);
    stamp(sheet, T_WALL_FOOT, foot);
    draw_box(top, 0, 0, 16, 16, R_WOOD, 120);
    stamp(sheet, T_WALL_TOP, top);
    for (int y = 0; y < PX; y++)
        for (int x = 0; x < PX; x++)
            canvas_shade(cave, x, y, R_STONE, 300 + (gen_noise(x, y, 8, 8, 2, 2, 93) - 512) / 3);
    stamp(sheet, T_CAVE, cave);

    canvas *bed = canvas_new(32, 32), *shelf = canvas_new(32, 32);
    draw_board(bed, 1, 0, 30, 32, true, 420, 94);
    draw_box(bed, 4, 3, 24, 10, R_CLOTH, 900);
    draw_box(bed, 4, 12, 24, 18, R_BLUE, 520);
    draw_box(bed, 4, 12, 24, 3, R_CLOTH, 760);
    stamp(sheet, T_BED, bed);
    draw_board(shelf, 0, 0, 32, 32, false, 360, 95);
    for (int row = 0; row < 2; row++) {
        draw_box(shelf, 3, 3 + row * 14, 26, 11, R_WOOD, 60);
        for (int i = 0; i < 8; i++) {
            static const ramp spines[] = {R_RED, R_BLUE, R_GREEN, R_GOLD, R_PURPLE};
            const int high = 7 + (int)(gen_hash(i, row, 96) % 4);
            draw_box(shelf, 4 + i * 3, 14 + row * 14 - high, 2, high, spines[gen_hash(i, row, 97) % 5], 560);
        }
    }
    stamp(sheet, T_SHELF, shelf);
}

void graal_add_tileset(file_list *list)
{
    canvas *sheet = canvas_new(SHEET_WIDE, SHEET_HIGH);
    uint8_t rgb[256][3];

    add_meadow(sheet);
    add_edges(sheet);
    add_tree(sheet);
    add_small(sheet);
    add_house(sheet);
    add_indoors(sheet);
    graal_palette(rgb, false);
    graal_write_png(&files_add(list, "graal/pics1.png")->bytes, sheet, (const uint8_t(*)[3])rgb);
    graal_palette(rgb, true);
    graal_write_png(&files_add(list, "graal/pics_snow.png")->bytes, sheet, (const uint8_t(*)[3])rgb);
    canvas_free(sheet);
}
