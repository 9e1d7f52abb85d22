/*
 * Who lives on the cliffs: the keeper's apprentice, the hermits who guard the paths, crabs, gulls and fish. Figures face right, since a
 * mirrored object is what faces left. Coordinates in 16ths of a px where balls and limbs are drawn.
 */
#include "gen.h"
#include "sprites.h"

#include <stdlib.h>

#define P(v) ((v)*16)

static void draw_leg(canvas *c, int hip_x, int hip_y, int swing, ramp cloth, int dark, int light)
{
    const int knee_x = hip_x + swing / 2 + P(1), knee_y = hip_y + P(9);
    const int foot_x = hip_x + swing, foot_y = hip_y + P(18) - abs(swing) / 6;
    draw_limb(c, hip_x, hip_y, P(5), knee_x, knee_y, P(4), cloth, dark, light);
    draw_limb(c, knee_x, knee_y, P(4), foot_x, foot_y, P(4), R_WOOD, 60, 620);
    draw_limb(c, foot_x, foot_y + P(1), P(4), foot_x + P(5), foot_y + P(2), P(3), R_WOOD, 40, 560);
}

canvas *draw_apprentice(int frame)
{
    canvas *c = canvas_new(64, 88);
    const int bob = frame & 1, by = P(bob);
    draw_leg(c, P(28), P(62), P(-2), R_BLUE, 60, 420);
    draw_leg(c, P(35), P(62), P(3), R_BLUE, 100, 560);
    /* The far arm, the coat, the near arm with a spyglass. */
    draw_limb(c, P(24), P(40) + by, P(5), P(18), P(54) + by, P(4), R_GOLD, 130, 600);
    const point coat[] = {
        {P(22), P(36) + by}, {P(41), P(36) + by}, {P(48), P(68)}, {P(33), P(71)}, {P(15), P(68)}};
    draw_poly(c, coat, 5, R_GOLD, 640, 260);
    draw_limb(c, P(31), P(40) + by, P(10), P(32), P(62), P(13), R_GOLD, 220, 860);
    for (int y = 38; y < 68; y++)
        draw_dot(c, 36 + (y - 38) / 12, y + bob, R_GOLD, 180);
    for (int i = 0; i < 3; i++)
        draw_ball(c, P(39) + i * 20, P(44 + i * 8) + by, 22, 22, R_STEEL, 100, 900);
    draw_limb(c, P(40), P(41) + by, P(5), P(47), P(49) + by, P(4), R_GOLD, 240, 860);
    draw_limb(c, P(47), P(49) + by, P(4), P(52), P(42) + by, P(3), R_GOLD, 260, 900);
    draw_ball(c, P(53), P(40) + by, P(3), P(3), R_SKIN, 250, 950);
    draw_limb(c, P(50), P(41) + by, 40, P(61), P(35) + by, 56, R_WOOD, 120, 800);
    draw_limb(c, P(59), P(36) + by, 62, P(61), P(35) + by, 64, R_GOLD, 250, 1023);
    /* Head, hair, hat. */
    draw_ball(c, P(33), P(26) + by, P(11), P(11), R_SKIN, 200, 1050);
    draw_limb(c, P(24), P(24) + by, P(4), P(23), P(34) + by, P(3), R_RED, 150, 700);
    draw_limb(c, P(27), P(20) + by, P(4), P(25), P(28) + by, P(4), R_RED, 200, 800);
    draw_ball(c, P(44), P(28) + by, 36, 32, R_SKIN, 350, 1000);
    draw_ball(c, P(32), P(18) + by, P(13), P(10), R_GOLD, 260, 900);
    draw_limb(c, P(15), P(27) + by, P(3), P(25), P(21) + by, P(4), R_GOLD, 180, 760);
    draw_limb(c, P(22), P(21) + by, P(3), P(47), P(21) + by, 40, R_GOLD, 240, 940);
    draw_box(c, 38, 25 + bob, 2, 4, R_STONE, 40);
    draw_dot(c, 38, 25 + bob, R_CLOTH, 1023);
    draw_line(c, 37, 23 + bob, 40, 23 + bob, R_RED, 250);
    draw_line(c, 37, 33 + bob, 41, 32 + bob, R_RED, 300);
    draw_dot(c, 36, 30 + bob, R_CORAL, 700);
    draw_dot(c, 35, 30 + bob, R_CORAL, 720);
    canvas_outline(c);
    return c;
}

canvas *draw_hermit(int frame)
{
    canvas *c = canvas_new(80, 100);
    static const int walk[4] = {0, 5, 0, -5};
    const int swing = walk[frame & 3], bob = frame & 1, by = P(bob);
    draw_leg(c, P(34), P(74), P(-swing), R_STONE, 40, 260);
    draw_leg(c, P(41), P(74), P(swing), R_STONE, 60, 330);
    /* The robe falls in folds. */
    for (int y = 42; y < 84; y++) {
        const int half = 11 + (y - 42) * 9 / 42, sway = swing * (y - 42) / 60;
        for (int x = -half; x <= half; x++) {
            const int fold = gen_sin(x * 74 + y * 3) / 8, at = x * 1024 / half;
            canvas_shade(c, 36 + x - sway, y + bob, R_PURPLE,
                         520 - at * 340 / 1024 + fold - (y > 78 ? 120 : 0));
        }
    }
    for (int x = -18; x <= 20; x++)
        for (int k = 0; k < 2; k++)
            canvas_shade(c, 36 + x - swing * 40 / 60, 82 + bob + k, R_GOLD, 640 - x * 14 - k * 180);
    draw_limb(c, P(23), P(60) + by, 30, P(49), P(62) + by, 30, R_ROPE, 200, 900);
    draw_limb(c, P(46), P(62) + by, 24, P(47), P(72) + by, 20, R_ROPE, 200, 800);
    /* The staff with its lantern. */
    draw_limb(c, P(60), P(14) + by, 26, P(57), P(92), 30, R_WOOD, 120, 760);
    draw_limb(c, P(60), P(15) + by, 24, P(70), P(17) + by, 18, R_STEEL, 100, 760);
    draw_ball(c, P(70), P(27) + by, P(6), P(7), R_FIRE, 350, 1100);
    draw_box(c, 65, 19 + bob, 11, 2, R_STEEL, 500);
    draw_box(c, 66, 33 + bob, 9, 3, R_STEEL, 300);
    draw_box(c, 65, 21 + bob, 1, 12, R_STEEL, 400);
    draw_box(c, 75, 21 + bob, 1, 12, R_STEEL, 200);
    draw_box(c, 70, 21 + bob, 1, 12, R_STEEL, 200);
    draw_limb(c, P(42), P(48) + by, P(6), P(53), P(56) + by, P(5), R_PURPLE, 240, 900);
    draw_limb(c, P(53), P(56) + by, P(5), P(58), P(50) + by, P(4), R_PURPLE, 260, 940);
    draw_ball(c, P(59), P(48) + by, 52, 52, R_SKIN, 200, 950);
    /* Hood, face, beard. */
    draw_ball(c, P(36), P(32) + by, P(15), P(16), R_PURPLE, 120, 860);
    draw_limb(c, P(30), P(19) + by, P(6), P(22), P(20) + by, P(2), R_PURPLE, 160, 820);
    draw_ball(c, P(41), P(32) + by, P(9), P(11), R_STONE, 10, 60);
    draw_ball(c, P(42), P(33) + by, P(7), P(8), R_SKIN, 120, 850);
    draw_ball(c, P(49), P(35) + by, 44, 36, R_SKIN, 350, 950);
    for (int i = 0; i < 5; i++)
        draw_limb(c, P(38 + i * 2), P(39) + by, P(4), P(39 + i) + i * 14, P(58 - abs(i - 2) * 5) + by, P(1),
                  R_CLOTH, 380 + i * 40, 1040);
    draw_limb(c, P(41), P(38) + by, 34, P(49), P(38) + by, 20, R_CLOTH, 560, 1050);
    draw_line(c, 41, 29 + bob, 46, 28 + bob, R_CLOTH, 950);
    draw_line(c, 41, 28 + bob, 46, 27 + bob, R_CLOTH, 800);
    draw_box(c, 44, 31 + bob, 2, 2, R_STONE, 0);
    canvas_outline(c);
    return c;
}

canvas *draw_crab(int frame)
{
    canvas *c = canvas_new(64, 44);
    static const int step[4] = {0, 2, 0, -2};
    const int s = step[frame & 3], bob = frame & 1;
    for (int side = -1; side <= 1; side += 2) {
        for (int i = 0; i < 3; i++) {
            const int lift = (i + frame + (side > 0)) & 1 ? 2 : 0, x = 32 + side * (9 + i * 4);
            draw_limb(c, P(x), P(28), 34, P(x + side * (6 + i * 2)), P(25 + i), 30, R_CORAL, 60, 560);
            draw_limb(c, P(x + side * (6 + i * 2)), P(25 + i), 30, P(x + side * (9 + i * 2) + s),
                      P(41 - lift), 10, R_CORAL, 80, 640);
        }
        const int reach = side > 0 ? s : -s;
        draw_limb(c, P(32 + side * 14), P(23 + bob), 40, P(32 + side * 22), P(16 + reach), 44, R_CORAL, 90,
                  700);
        draw_ball(c, P(32 + side * 24), P(11 + reach), P(7), P(6), R_CORAL, 120, 900);
        draw_limb(c, P(32 + side * 22), P(8 + reach), 44, P(32 + side * 18), P(3 + reach), 12, R_CORAL, 200,
                  950);
        draw_limb(c, P(32 + side * 28), P(8 + reach), 40, P(32 + side * 26), P(2 + reach), 12, R_CORAL, 160,
                  860);
        draw_ball(c, P(32 + side * 24), P(7 + reach), 22, 30, R_STONE, 0, 60);
    }
    draw_ball(c, P(32), P(26 + bob), P(17), P(10), R_CORAL, 130, 960);
    draw_ball(c, P(32), P(31 + bob), P(12), P(4), R_CORAL, 500, 1000);
    for (int i = 0; i < 5; i++)
        draw_dot(c, 24 + i * 4, 21 + bob + (i & 1), R_CORAL, 1000);
    for (int side = -1; side <= 1; side += 2) {
        draw_limb(c, P(32 + side * 5), P(19 + bob), 18, P(32 + side * 6), P(13 + bob), 18, R_CORAL, 200, 800);
        draw_ball(c, P(32 + side * 6), P(11 + bob), 50, 50, R_CLOTH, 500, 1050);
        draw_box(c, 32 + side * 6 + 1, 10 + bob, 2, 3, R_STONE, 0);
    }
    draw_line(c, 28, 28 + bob, 36, 28 + bob, R_CORAL, 120);
    canvas_outline(c);
    return c;
}

canvas *draw_gull(int frame)
{
    canvas *c = canvas_new(80, 64);
    static const int8_t tip_y[4] = {6, 18, 44, 24}, mid_y[4] = {14, 22, 32, 22};
    const int f = frame & 3;
    draw_limb(c, P(42), P(34), P(5), P(54), P((mid_y[f] + 34) / 2 - 4), P(4), R_CLOTH, 200, 700);
    draw_limb(c, P(54), P((mid_y[f] + 34) / 2 - 4), P(4), P(64), P((tip_y[f] + 24) / 2), P(1), R_STEEL, 60,
              460);
    draw_limb(c, P(22), P(38), P(3), P(10), P(40), P(5), R_CLOTH, 420, 900);
    draw_limb(c, P(10), P(40), P(4), P(5), P(41), P(2), R_STEEL, 40, 300);
    draw_limb(c, P(28), P(38), P(9), P(48), P(36), P(7), R_CLOTH, 330, 1060);
    draw_ball(c, P(55), P(31), P(7), P(6), R_CLOTH, 480, 1080);
    draw_limb(c, P(60), P(32), 44, P(70), P(34), 14, R_GOLD, 350, 1000);
    draw_dot(c, 68, 35, R_RED, 500);
    draw_box(c, 57, 29, 2, 2, R_STONE, 0);
    draw_limb(c, P(30), P(46), 18, P(24), P(48), 14, R_GOLD, 200, 800);
    draw_limb(c, P(38), P(33), P(7), P(30), P(mid_y[f]), P(6), R_CLOTH, 420, 1000);
    draw_limb(c, P(30), P(mid_y[f]), P(6), P(16), P(tip_y[f]), P(3), R_STEEL, 260, 900);
    draw_limb(c, P(18), P(tip_y[f] + 1), P(3), P(8), P(tip_y[f] + (f == 2 ? 6 : -2)), P(1), R_STONE, 0, 200);
    canvas_outline(c);
    return c;
}

canvas *draw_fish(int frame)
{
    canvas *c = canvas_new(44, 32);
    const int wag = frame & 1 ? 3 : -3;
    draw_limb(c, P(12), P(17), 40, P(4), P(9 + wag), 24, R_BLUE, 150, 760);
    draw_limb(c, P(12), P(17), 40, P(4), P(25 + wag), 24, R_BLUE, 100, 620);
    draw_limb(c, P(22), P(10), 50, P(16), P(5), 10, R_BLUE, 150, 700);
    draw_ball(c, P(24), P(17), P(15), P(9), R_BLUE, 160, 900);
    draw_ball(c, P(25), P(21), P(11), P(4), R_CLOTH, 600, 1000);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            draw_dot(c, 17 + i * 5 + j * 2, 14 + j * 3, R_BLUE, 950);
    draw_ball(c, P(33), P(14), 40, 40, R_CLOTH, 700, 1050);
    draw_box(c, 33, 13, 2, 2, R_STONE, 0);
    draw_line(c, 36, 20, 39, 19, R_BLUE, 60);
    canvas_outline(c);
    return c;
}
