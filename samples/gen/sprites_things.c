/*
 * What stands, hangs and glitters on the cliffs: treasure, crates, lanterns, the flag, the lift, trees and a boat.
 */
#include "gen.h"
#include "sprites.h"

#include <stdlib.h>

#define P(v) ((v)*16)

canvas *draw_coin(int frame)
{
    canvas *c = canvas_new(32, 32);
    static const int wide[6] = {12, 10, 6, 2, 6, 10};
    const int w = wide[frame % 6], edge = frame % 6 < 3 ? 2 : -2;
    if (w < 12)
        draw_ball(c, P(16 + edge), P(16), P(w), P(12), R_GOLD, 60, 420);
    draw_ball(c, P(16), P(16), P(w), P(12), R_GOLD, 300, 1080);
    if (w > 4) {
        draw_ball(c, P(16), P(16), P(w) * 3 / 4, P(9), R_GOLD, 380, 640);
        draw_ball(c, P(16) + 10, P(16) + 10, P(w) * 3 / 4 - 12, P(9) - 12, R_GOLD, 520, 900);
        for (int j = -5; j <= 5; j++) { /* the lighthouse that is struck on it */
            draw_line(c, 16 - w * (6 + j / 2) / 48, 16 + j, 16 + w * (6 + j / 2) / 48, 16 + j, R_GOLD,
                      j < -3 ? 980 : 240);
        }
    }
    canvas_outline(c);
    return c;
}

canvas *draw_gem(int frame)
{
    static const ramp colour[4] = {R_RED, R_GREEN, R_BLUE, R_PURPLE};
    canvas *c = canvas_new(36, 32);
    const ramp r = colour[frame & 3];
    const point top[] = {{P(10), P(5)}, {P(26), P(5)}, {P(33), P(13)}, {P(3), P(13)}};
    const point left[] = {{P(3), P(13)}, {P(12), P(13)}, {P(18), P(29)}};
    const point mid[] = {{P(12), P(13)}, {P(24), P(13)}, {P(18), P(29)}};
    const point right[] = {{P(24), P(13)}, {P(33), P(13)}, {P(18), P(29)}};
    const point table[] = {{P(12), P(13)}, {P(14), P(5)}, {P(22), P(5)}, {P(24), P(13)}};
    draw_poly(c, top, 4, r, 900, 420);
    draw_poly(c, table, 4, r, 1023, 800);
    draw_poly(c, left, 3, r, 760, 560);
    draw_poly(c, mid, 3, r, 640, 380);
    draw_poly(c, right, 3, r, 260, 120);
    draw_line(c, 10, 5, 26, 5, r, 1023);
    draw_line(c, 3, 13, 10, 5, r, 980);
    draw_line(c, 12, 13, 18, 28, r, 860);
    draw_line(c, 4, 13, 32, 13, r, 940);
    draw_box(c, 12, 8, 3, 2, R_CLOTH, 1023);
    canvas_outline(c);
    return c;
}

canvas *draw_chalice(int frame)
{
    canvas *c = canvas_new(36, 44);
    (void)frame;
    draw_ball(c, P(18), P(39), P(11), P(4), R_GOLD, 150, 900);
    draw_limb(c, P(18), P(26), P(3), P(18), P(36), P(4), R_GOLD, 180, 1000);
    draw_ball(c, P(18), P(28), P(5), P(3), R_GOLD, 250, 1050);
    draw_limb(c, P(18), P(9), P(12), P(18), P(17), P(9), R_GOLD, 160, 1050);
    for (int y = 0; y < 7; y++)
        for (int x = 0; x < 36; x++)
            canvas_put(c, x, y, 0);
    draw_ball(c, P(18), P(8), P(12), P(4), R_GOLD, 500, 1080);
    draw_ball(c, P(18), P(9), P(9), 40, R_RED, 150, 620);
    for (int i = 0; i < 3; i++)
        draw_ball(c, P(11 + i * 7), P(16 + (i == 1)), 36, 36, i == 1 ? R_BLUE : R_RED, 250, 1050);
    canvas_outline(c);
    return c;
}

canvas *draw_potion(int frame)
{
    canvas *c = canvas_new(28, 40);
    draw_ball(c, P(14), P(26), P(11), P(11), R_STEEL, 300, 1000);
    draw_ball(c, P(14), P(27), P(9), P(9), R_RED, 150, 1000);
    for (int x = 6; x < 22; x++)
        draw_dot(c, x, 21 + ((x + frame * 2) / 3 & 1), R_RED, 980);
    draw_box(c, 11, 8, 6, 9, R_STEEL, 700);
    draw_box(c, 10, 9, 8, 2, R_STEEL, 980);
    draw_box(c, 11, 4, 6, 5, R_WOOD, 620);
    draw_box(c, 9, 22, 2, 5, R_CLOTH, 1023);
    draw_dot(c, 16 + frame, 25, R_CORAL, 1023);
    draw_dot(c, 13, 29 - frame, R_CORAL, 960);
    canvas_outline(c);
    return c;
}

canvas *draw_map_piece(int frame)
{
    canvas *c = canvas_new(48, 40);
    (void)frame;
    for (int y = 6; y < 34; y++) {
        const int a = 6 + (int)(gen_hash(y / 3, 0, 201) % 3), b = 42 - (int)(gen_hash(y / 3, 1, 201) % 4);
        for (int x = a; x < b; x++)
            canvas_shade(c, x, y + gen_sin(x * 20) / 512, R_ROPE,
                         900 - x * 6 + (gen_noise(x, y, 8, 8, 64, 64, 202) - 512) / 4);
    }
    for (int i = 0; i < 8; i++)
        draw_box(c, 11 + i * 3, 26 - gen_sin(i * 70) * 8 / 1024, 2, 1, R_WOOD, 150);
    draw_line(c, 33, 12, 38, 17, R_RED, 560);
    draw_line(c, 38, 12, 33, 17, R_RED, 560);
    draw_line(c, 34, 12, 38, 16, R_RED, 560);
    draw_line(c, 12, 14, 18, 10, R_EARTH, 300);
    draw_line(c, 18, 10, 22, 15, R_EARTH, 300);
    draw_limb(c, P(6), P(6), 50, P(6), P(34), 50, R_ROPE, 300, 1000);
    canvas_outline(c);
    return c;
}

canvas *draw_crate(int frame)
{
    canvas *c = canvas_new(64, 60);
    for (int i = 0; i < 5; i++)
        draw_board(c, 4, 4 + i * 10 + i / 2, 56, 11, false, 430 + (int)(gen_hash(i, frame, 211) % 90),
                   212 + i);
    for (int k = 0; k < 46; k++) /* the brace across */
        for (int j = 0; j < 9; j++)
            canvas_shade(c, 9 + k, 48 - k * 40 / 46 + j - 4, R_WOOD,
                         j == 0   ? 820
                         : j == 8 ? 120
                                  : 600 - j * 20);
    draw_board(c, 2, 2, 60, 9, false, 590, 221);
    draw_board(c, 2, 49, 60, 9, false, 540, 222);
    draw_board(c, 2, 4, 9, 52, true, 600, 223);
    draw_board(c, 53, 4, 9, 52, true, 520, 224);
    for (int i = 0; i < 4; i++) {
        draw_box(c, (i & 1 ? 53 : 3), (i & 2 ? 50 : 3), 8, 7, R_STEEL, 420);
        draw_line(c, (i & 1 ? 53 : 3), (i & 2 ? 50 : 3), (i & 1 ? 60 : 10), (i & 2 ? 50 : 3), R_STEEL, 800);
        draw_ball(c, P((i & 1 ? 57 : 7)), P((i & 2 ? 54 : 7)), 28, 28, R_STEEL, 150, 1000);
    }
    if (frame == 1)
        draw_line(c, 20, 14, 34, 24, R_WOOD, 40);
    canvas_outline(c);
    return c;
}

canvas *draw_barrel(int frame)
{
    canvas *c = canvas_new(52, 64);
    (void)frame;
    for (int y = 4; y < 60; y++) {
        const int t = (y - 32) * 1024 / 28, half = 23 - (int)((int64_t)t * t * 6 / SQUARE_ONE);
        for (int x = -half; x < half; x++) {
            const int at = x * 1024 / half, turn = at * (1536 - abs(at) / 2) / 1024 + 2048;
            const bool hoop = (y > 12 && y < 18) || (y > 45 && y < 51);
            int s = gen_mix(860, 130, gen_smooth(-560, 1100, at)) + (at < -760 ? (at + 760) : 0);
            if (hoop)
                canvas_shade(c, 26 + x, y, R_STEEL, s - 140 + (y == 13 || y == 46 ? 180 : 0));
            else
                canvas_shade(c, 26 + x, y, R_WOOD,
                             s - 60 - (turn % 360 < 34 ? 260 : 0) +
                                 (gen_noise(turn / 8, y, 9, 30, 128, 64, 231) - 512) / 4);
        }
    }
    draw_ball(c, P(26), P(6), P(17), P(4), R_WOOD, 300, 860);
    draw_ball(c, P(26), P(7), P(14), 40, R_WOOD, 200, 500);
    canvas_outline(c);
    return c;
}

canvas *draw_lantern(int frame)
{
    canvas *c = canvas_new(64, 128);
    const int cx = 42, cy = 36, reach = frame & 1 ? 26 : 24;
    draw_board(c, 16, 8, 8, 118, true, 420, 241);
    draw_limb(c, P(19), P(12), 40, P(42), P(12), 30, R_STEEL, 80, 620);
    draw_limb(c, P(21), P(28), 24, P(33), P(13), 20, R_STEEL, 60, 480);
    draw_ball(c, P(20), P(8), P(6), P(5), R_STEEL, 120, 820);
    draw_box(c, 41, 13, 2, 8, R_STEEL, 400);
    draw_ball(c, P(cx), P(cy), P(8), P(10), R_FIRE, 420, 1150);
    draw_ball(c, P(cx), P(cy + 3), P(3), P(5 + (frame & 1)), R_CLOTH, 1000, 1023);
    draw_limb(c, P(cx - 7), P(25), 30, P(cx + 7), P(25), 30, R_STEEL, 120, 820);
    draw_ball(c, P(cx), P(23), P(6), P(3), R_STEEL, 150, 900);
    draw_limb(c, P(cx - 7), P(47), 34, P(cx + 7), P(47), 34, R_STEEL, 60, 640);
    for (int i = -1; i <= 1; i++)
        draw_box(c, cx + i * 8, 26, 1, 20, R_STEEL, 220);
    draw_ball(c, P(20), P(124), P(12), P(5), R_STONE, 120, 820);
    canvas_outline(c);
    /* The glow, a pattern that thins out with distance. */
    for (int y = cy - reach; y <= cy + reach; y++) {
        for (int x = cx - reach; x <= cx + reach; x++) {
            const int d = gen_isqrt((int64_t)((x - cx) * (x - cx) + (y - cy) * (y - cy)) * 256) / 16;
            const bool on = d < 15   ? ((x ^ y) & 1) == 0
                            : d < 20 ? ((x & 1) | (y & 1)) == 0
                                     : (x & 3) == 0 && (y & 3) == 0;
            if (d < reach && on && !canvas_get(c, x, y))
                canvas_put(c, x, y, gen_flat(R_FIRE, 620 - d * 10));
        }
    }
    return c;
}

canvas *draw_signpost(int frame)
{
    canvas *c = canvas_new(72, 84);
    draw_board(c, 32, 10, 9, 72, true, 430, 251);
    draw_board(c, 12, 14, 44, 18, false, 560, 252 + frame);
    for (int i = 0; i < 10; i++)
        for (int j = -(9 - i); j <= 9 - i - 1; j++)
            canvas_shade(c, 56 + i, 23 + j, R_WOOD, j < -5 + i ? 800 : 540 - i * 10);
    draw_board(c, 8, 40, 42, 15, false, 500, 253);
    for (int i = 0; i < 3; i++) /* an arrow burnt into it */
        draw_line(c, 20, 22 + i, 46, 22 + i, R_WOOD, 130);
    for (int i = 0; i < 6; i++)
        draw_line(c, 46, 18 + i, 52, 23, R_WOOD, 130);
    for (int i = 0; i < 6; i++)
        draw_line(c, 46, 28 - i, 52, 23, R_WOOD, 130);
    for (int i = 0; i < 4; i++)
        draw_box(c, 14 + i * 8, 46 - (i & 1), 5, 2, R_WOOD, 130);
    for (int i = 0; i < 12; i++)
        draw_line(c, 26 + i * 2, 83, 25 + i * 2 + (int)(gen_hash(i, 0, 254) % 5) - 2,
                  76 - (int)(gen_hash(i, 1, 254) % 6), R_GRASS, 260 + i * 30);
    canvas_outline(c);
    return c;
}

canvas *draw_flag(int frame)
{
    canvas *c = canvas_new(72, 112);
    draw_ball(c, P(14), P(108), P(13), P(5), R_STONE, 150, 850);
    draw_limb(c, P(14), P(8), 34, P(14), P(106), 46, R_WOOD, 160, 900);
    draw_ball(c, P(14), P(6), P(5), P(5), R_GOLD, 250, 1080);
    for (int x = 0; x < 50; x++) {
        const int wave = gen_sin(x * 22 - frame * 256) * (x + 12) / 1024 / 9;
        const int slope = gen_cos(x * 22 - frame * 256);
        for (int y = -17; y <= 17; y++) {
            if (x > 36 && abs(y) < (x - 36))
                continue; /* a swallow's tail */
            const bool cross = (x - 18) * (x - 18) + y * y < 90 || abs(y) == 14;
            canvas_shade(c, 17 + x, 28 + y + wave, cross ? R_CLOTH : R_RED,
                         (cross ? 760 : 560) + slope * 220 / 1024 - y * 5);
        }
    }
    canvas_outline(c);
    return c;
}

canvas *draw_lift(int frame)
{
    canvas *c = canvas_new(128, 48);
    (void)frame;
    for (int side = 0; side < 2; side++) {
        const int x = side ? 118 : 8;
        for (int y = 0; y < 26; y++)
            for (int k = -1; k < 2; k++)
                canvas_shade(c, x + k, y, R_ROPE, (y + k) & 2 ? 850 : 420);
        draw_ball(c, P(x), P(24), 50, 50, R_STEEL, 120, 900);
    }
    for (int i = 0; i < 7; i++)
        draw_board(c, 3 + i * 17 + (i > 3), 24, 18, 10, true, 520 + (int)(gen_hash(i, 0, 261) % 120),
                   262 + i);
    draw_board(c, 6, 34, 116, 7, false, 330, 263);
    draw_board(c, 1, 24, 5, 18, true, 420, 264);
    draw_board(c, 122, 24, 5, 18, true, 360, 265);
    canvas_outline(c);
    return c;
}

canvas *draw_floor_spike(int frame)
{
    canvas *c = canvas_new(64, 40);
    const int tall = 10 + (frame & 3) * 9;
    for (int i = 0; i < 4; i++) {
        const int x = 9 + i * 15;
        for (int y = 0; y < tall; y++)
            for (int k = -(y * 6 / tall); k <= y * 6 / tall; k++)
                canvas_shade(c, x + k, 34 - tall + y, R_STEEL, (k < 0 ? 860 : 300) - y * 6);
    }
    draw_board(c, 1, 31, 62, 8, false, 300, 271);
    canvas_outline(c);
    return c;
}

canvas *draw_pine_tree(int frame)
{
    canvas *c = canvas_new(144, 224);
    draw_board(c, 65, 150, 14, 72, true, 300, 281 + frame);
    draw_limb(c, P(66), P(214), P(6), P(54), P(223), P(2), R_WOOD, 100, 560);
    draw_limb(c, P(78), P(214), P(6), P(92), P(223), P(2), R_WOOD, 60, 420);
    for (int tier = 6; tier >= 0; tier--) { /* boughs, lowest first, each of drooping twigs */
        const int y = 8 + tier * 26, half = 5 + tier * 19 / 2;
        for (int pass = 0; pass < 2; pass++) {
            for (int i = 0; i < 26 + tier * 4; i++) {
                const uint32_t h = gen_hash(i + pass * 64, tier + frame * 9, 282);
                const int at = (int)(h % 2048) - 1024, x = 72 + at * half / 1024;
                const int droop = 18 + abs(at) * 13 / 1024 + (int)(h >> 12) % 9 - pass * 7;
                const int s = 430 - at * 260 / 1024 + (int)(h >> 20) % 140 + (pass ? 120 : -160) - tier * 10;
                draw_limb(c, P(72 + at * half / 2600), P(y), tier ? P(5) : P(2), P(x), P(y + droop), P(2),
                          R_GRASS, gen_clamp(s - 330, 0, 900), gen_clamp(s + 80, 60, 900));
            }
        }
    }
    canvas_outline(c);
    return c;
}

canvas *draw_bush(int frame)
{
    canvas *c = canvas_new(104, 60);
    for (int pass = 0; pass < 3; pass++) {
        for (int i = 0; i < 20; i++) {
            const uint32_t h = gen_hash(i, pass + frame * 5, 291);
            const int at = (int)(h % 2048) - 1024, dome = 1024 - (int)((int64_t)at * at / 1024);
            const int x = 52 + at * 42 / 1024, y = 54 - (int)((int64_t)dome * (34 - pass * 9) / 1024) *
                                                            (int)(500 + (h >> 12) % 524) / 1024;
            draw_ball(c, P(x), P(y), P(7 + (int)(h >> 22) % 4), P(6 + (int)(h >> 24) % 4), R_GRASS,
                      40 + pass * 50, 520 + pass * 120);
        }
    }
    for (int i = 0; i < 90; i++) { /* leaves catch the light */
        const uint32_t h = gen_hash(i, frame, 292);
        const int x = 10 + (int)(h % 84), y = 14 + (int)(h >> 8) % 38;
        ramp r;
        int s;
        if (gen_ramp_of(canvas_get(c, x, y), &r, &s)) {
            draw_dot(c, x, y, R_GRASS, s + 220);
            draw_dot(c, x + 1, y, R_GRASS, s + 150);
            draw_dot(c, x + 1, y + 1, R_GRASS, s - 160);
        }
    }
    for (int i = 0; i < 7 && frame == 1; i++) {
        const uint32_t h = gen_hash(i, 7, 293);
        draw_ball(c, P(18 + (int)(h % 68)), P(24 + (int)(h >> 8) % 24), 36, 36, R_RED, 300, 1050);
    }
    canvas_outline(c);
    return c;
}

canvas *draw_rowboat(int frame)
{
    canvas *c = canvas_new(160, 64);
    (void)frame;
    draw_limb(c, P(60), P(22), 24, P(140), P(8), 20, R_WOOD, 200, 860);
    draw_limb(c, P(140), P(8), 40, P(152), P(5), 30, R_WOOD, 200, 900);
    for (int x = 6; x < 150; x++) {
        const int t = (x - 78) * 1024 / 72, rise = (int)((int64_t)t * t * 14 / SQUARE_ONE);
        const int top = 24 - rise, low = 58 - (int)((int64_t)t * t * 20 / SQUARE_ONE);
        for (int y = top; y < low; y++) {
            const int plank = (y - top) * 4 / (low - top + 1), in = (y - top) * 4 % (low - top + 1);
            int s =
                700 - plank * 130 - x + (gen_noise(x, y, 30, 3, 16, 64, 301) - 512) / 4 - (in < 4 ? 240 : 0);
            canvas_shade(c, x, y, plank == 0 ? R_RED : R_WOOD, s);
        }
        for (int k = 0; k < 4; k++)
            canvas_shade(c, x, top - 2 + k, R_WOOD, k < 2 ? 940 - x : 300);
    }
    canvas_outline(c);
    return c;
}

canvas *draw_anchor(int frame)
{
    canvas *c = canvas_new(60, 76);
    (void)frame;
    draw_limb(c, P(30), P(16), P(4), P(30), P(64), P(5), R_STEEL, 60, 800);
    draw_limb(c, P(18), P(22), P(3), P(42), P(22), P(3), R_STEEL, 80, 760);
    for (int i = 0; i < 9; i++) {
        const int a = 64 + i * 48, b = a + 48;
        draw_limb(c, P(30) + gen_cos(a) * 24 / 64, P(44) + gen_sin(a) * 24 / 64, P(4),
                  P(30) + gen_cos(b) * 24 / 64, P(44) + gen_sin(b) * 24 / 64, P(4), R_STEEL, 60, 720);
    }
    draw_limb(c, P(6), P(52), P(4), P(9), P(44), P(1), R_STEEL, 100, 820);
    draw_limb(c, P(54), P(52), P(4), P(51), P(44), P(1), R_STEEL, 60, 600);
    for (int i = 0; i < 8; i++)
        draw_ball(c, P(30) + gen_cos(i * 128) * 7 / 64, P(9) + gen_sin(i * 128) * 6 / 64, 36, 36, R_STEEL,
                  150, 860);
    canvas_outline(c);
    return c;
}

canvas *draw_glint(int frame)
{
    canvas *c = canvas_new(20, 20);
    static const int8_t reach[4] = {2, 5, 9, 4};
    for (int i = -reach[frame & 3]; i <= reach[frame & 3]; i++) {
        draw_dot(c, 10 + i, 10, R_GOLD, 1023 - abs(i) * 50);
        draw_dot(c, 10, 10 + i, R_GOLD, 1023 - abs(i) * 50);
        if (abs(i) < 3) {
            draw_dot(c, 10 + i, 10 + i, R_GOLD, 900);
            draw_dot(c, 10 - i, 10 + i, R_GOLD, 900);
        }
    }
    draw_box(c, 9, 9, 3, 3, R_CLOTH, 1023);
    return c;
}

canvas *draw_fence(int frame)
{
    canvas *c = canvas_new(128, 48);
    draw_board(c, 0, 14, 128, 7, false, 500, 311 + frame);
    draw_board(c, 0, 29, 128, 7, false, 450, 312 + frame);
    for (int i = 0; i < 4; i++)
        draw_board(c, 12 + i * 32, 4 + (int)(gen_hash(i, frame, 313) % 5), 8, 46, true,
                   470 + (int)(gen_hash(i, frame, 314) % 120), 315 + i);
    canvas_outline(c);
    return c;
}
