/*
 * The sprites of the Graal samples: a hero's body in the colours that the game replaces, his head, sword and shield, the sheet that shadows and
 * sparks are cut from, and pictures of NPCs.
 */
#include "graal_gen.h"

#include <string.h>

enum { SKIN = 1, COAT, SLEEVE, SHOE, BELT }; /* colours of a body, see graal_palette */
enum { UP, LEFT, DOWN, RIGHT, DIRECTIONS };
enum { CELL = 32, STEPS = 5 /* standing, and four of a walk */ };

static void box(canvas *c, int x, int y, int w, int h, uint8_t index)
{
    for (int j = y; j < y + h; j++)
        for (int i = x; i < x + w; i++)
            canvas_put(c, i, j, index);
}

/* An outline that is dark all around, since a body's colours have no shades. */
static void outline(canvas *c)
{
    canvas *old = canvas_cut(c, 0, 0, c->w, c->h);
    for (int y = 0; y < c->h; y++)
        for (int x = 0; x < c->w; x++)
            if (!canvas_get(old, x, y) && (canvas_get(old, x - 1, y) || canvas_get(old, x + 1, y) ||
                                           canvas_get(old, x, y - 1) || canvas_get(old, x, y + 1)))
                canvas_put(c, x, y, INK);
    canvas_free(old);
}

static canvas *draw_body(int direction, int step)
{
    static const int8_t swing[STEPS] = {0, 3, 0, -3, 0};
    static const int8_t lift[STEPS] = {0, 1, 0, 1, 0};
    canvas *c = canvas_new(CELL, CELL);
    const int s = swing[step], top = 7 - lift[step];

    if (direction == UP || direction == DOWN) {
        box(c, 11, 21 - (s > 0), 4, 8 - (s > 0 ? 2 : 0), COAT);
        box(c, 17, 21 - (s < 0), 4, 8 - (s < 0 ? 2 : 0), COAT);
        box(c, 10, 27 - (s > 0 ? 2 : 0), 5, 3, SHOE);
        box(c, 17, 27 - (s < 0 ? 2 : 0), 5, 3, SHOE);
        box(c, 10, top, 12, 14, COAT);
        box(c, 10, top + 11, 12, 2, BELT);
        box(c, 6, top + 1 + (s > 0), 4, 8, SLEEVE);
        box(c, 22, top + 1 + (s < 0), 4, 8, SLEEVE);
        box(c, 6, top + 9 + (s > 0), 4, 3, SKIN);
        box(c, 22, top + 9 + (s < 0), 4, 3, SKIN);
        if (direction == DOWN)
            box(c, 15, top + 2, 2, 8, INK);
    } else {
        const int side = direction == LEFT ? -1 : 1;
        box(c, 14 - s, 21, 4, 7, COAT);
        box(c, 14 + s, 21, 4, 7, COAT);
        box(c, (side < 0 ? 12 : 14) - s, 27, 6, 3, SHOE);
        box(c, (side < 0 ? 12 : 14) + s, 27, 6, 3, SHOE);
        box(c, 11, top, 10, 14, COAT);
        box(c, 11, top + 11, 10, 2, BELT);
        box(c, 14 + side * s / 2, top + 2, 4, 8, SLEEVE);
        box(c, 14 + side * s, top + 10, 4, 3, SKIN);
    }
    outline(c);
    return c;
}

static canvas *draw_head(int direction, ramp hair)
{
    canvas *c = canvas_new(CELL, CELL);
    c->dither = 200;
    draw_ball(c, 16 * 16, 14 * 16, 11 * 16, 10 * 16, hair, 200, 760);
    if (direction == DOWN) {
        draw_ball(c, 16 * 16, 17 * 16, 9 * 16, 8 * 16, R_SKIN, 560, 960);
        draw_ball(c, 16 * 16, 8 * 16, 10 * 16, 5 * 16, hair, 360, 800);
        box(c, 11, 15, 2, 4, INK);
        box(c, 19, 15, 2, 4, INK);
        draw_dot(c, 11, 15, R_CLOTH, 1000);
        draw_dot(c, 19, 15, R_CLOTH, 1000);
        draw_line(c, 14, 21, 17, 21, R_RED, 400);
    } else if (direction != UP) {
        const int side = direction == LEFT ? -1 : 1;
        draw_ball(c, (16 + side * 4) * 16, 17 * 16, 7 * 16, 8 * 16, R_SKIN, 560, 960);
        draw_ball(c, (16 + side * 2) * 16, 8 * 16, 10 * 16, 5 * 16, hair, 360, 800);
        box(c, 15 + side * 6, 15, 2, 4, INK);
        draw_line(c, 16 + side * 7, 21, 16 + side * 9, 21, R_RED, 400);
    } else {
        draw_line(c, 10, 20, 13, 23, hair, 120);
        draw_line(c, 22, 20, 19, 23, hair, 120);
    }
    outline(c);
    return c;
}

static void take_in(canvas *sheet, canvas *part, int x, int y)
{
    canvas_blit(sheet, part, x, y, false);
    canvas_free(part);
}

static void save(file_list *list, const char *path, canvas *c, const uint8_t (*rgb)[3])
{
    graal_write_png(&files_add(list, path)->bytes, c, rgb);
    canvas_free(c);
}

/* Shadow, four sparks, a leaf, a note. */
static canvas *draw_sprites(void)
{
    canvas *c = canvas_new(96, 48);
    for (int y = 0; y < 12; y++)
        for (int x = 0; x < 24; x++)
            if ((2 * x - 23) * (2 * x - 23) + (2 * y - 11) * (2 * y - 11) * 4 < 23 * 23)
                canvas_put(c, x, y, INK);
    for (int i = 0; i < 4; i++) {
        const int cx = 8 + i * 16, cy = 24, r = 2 + i * 2 - (i == 3) * 3;
        for (int k = -r; k <= r; k++) {
            const int shade = 960 - (k < 0 ? -k : k) * 60;
            draw_dot(c, cx + k, cy, R_GOLD, shade);
            draw_dot(c, cx, cy + k, R_GOLD, shade);
            if (k > -r / 2 && k < r / 2) {
                draw_dot(c, cx + k, cy + k, R_GOLD, 800);
                draw_dot(c, cx + k, cy - k, R_GOLD, 800);
            }
        }
        draw_dot(c, cx, cy, R_CLOTH, 1023);
    }
    draw_ball(c, 72 * 16, 24 * 16, 6 * 16, 3 * 16, R_GREEN, 400, 900);
    draw_line(c, 66, 24, 78, 24, R_GREEN, 200);
    return c;
}

static canvas *draw_shield(void)
{
    static const struct {
        int x, w, h;
    } sides[DIRECTIONS] = {{0, 6, 18}, {6, 8, 20}, {14, 16, 20}, {30, 8, 20}};
    canvas *c = canvas_new(38, 20);
    for (int d = 0; d < DIRECTIONS; d++) {
        const int x = sides[d].x, w = sides[d].w, h = sides[d].h;
        draw_ball(c, x * 16 + w * 8, h * 7, w * 8 - 8, h * 7, R_STEEL, 300, 900);
        const point tip[3] = {{(x + 1) * 16, h * 9}, {(x + w - 1) * 16, h * 9}, {x * 16 + w * 8, h * 16 - 8}};
        draw_poly(c, tip, 3, R_STEEL, 640, 340);
        if (d == DOWN) {
            draw_box(c, x + 7, 4, 2, 12, R_BLUE, 480);
            draw_box(c, x + 4, 7, 8, 2, R_BLUE, 480);
        }
    }
    return c;
}

/* Up, left, down, right in cells of 24 px. */
static canvas *draw_sword(void)
{
    static const int8_t way[DIRECTIONS][2] = {{0, -1}, {-1, 0}, {0, 1}, {1, 0}};
    canvas *c = canvas_new(96, 24);
    for (int d = 0; d < DIRECTIONS; d++) {
        canvas *cell = canvas_new(24, 24);
        const int x = way[d][0], y = way[d][1];
        draw_limb(cell, (12 - x * 2) * 16, (12 - y * 2) * 16, 30, (12 + x * 9) * 16, (12 + y * 9) * 16, 14,
                  R_STEEL, 500, 1000);
        draw_limb(cell, (12 - x * 8) * 16, (12 - y * 8) * 16, 24, (12 - x * 3) * 16, (12 - y * 3) * 16, 24,
                  R_WOOD, 300, 700);
        draw_limb(cell, (12 - x * 3 + y * 4) * 16, (12 - y * 3 + x * 4) * 16, 20, (12 - x * 3 - y * 4) * 16,
                  (12 - y * 3 - x * 4) * 16, 20, R_GOLD, 500, 900);
        take_in(c, cell, d * 24, 0);
    }
    return c;
}

static canvas *draw_somebody(ramp hair)
{
    canvas *c = canvas_new(32, 48);
    take_in(c, draw_body(DOWN, 0), 0, 16);
    take_in(c, draw_head(DOWN, hair), 0, 0);
    return c;
}

static canvas *draw_cat(void)
{
    canvas *c = canvas_new(28, 24);
    draw_limb(c, 22 * 16, 18 * 16, 30, 25 * 16, 8 * 16, 22, R_CORAL, 300, 760);
    draw_ball(c, 14 * 16, 17 * 16, 9 * 16, 6 * 16, R_CORAL, 260, 860);
    draw_ball(c, 8 * 16, 11 * 16, 6 * 16, 5 * 16, R_CORAL, 360, 900);
    const point ears[2][3] = {{{3 * 16, 8 * 16}, {4 * 16, 3 * 16}, {8 * 16, 7 * 16}},
                              {{8 * 16, 7 * 16}, {12 * 16, 3 * 16}, {13 * 16, 8 * 16}}};
    draw_poly(c, ears[0], 3, R_CORAL, 700, 500);
    draw_poly(c, ears[1], 3, R_CORAL, 700, 500);
    draw_dot(c, 6, 11, R_GREEN, 800);
    draw_dot(c, 10, 11, R_GREEN, 800);
    draw_dot(c, 8, 13, R_RED, 300);
    canvas_outline(c);
    return c;
}

static canvas *draw_boat(void)
{
    canvas *c = canvas_new(80, 72);
    const point sail[3] = {{42 * 16, 4 * 16}, {42 * 16, 46 * 16}, {70 * 16, 44 * 16}};
    const point jib[3] = {{36 * 16, 10 * 16}, {36 * 16, 46 * 16}, {14 * 16, 44 * 16}};
    draw_box(c, 38, 2, 3, 50, R_WOOD, 380);
    draw_poly(c, sail, 3, R_CLOTH, 980, 700);
    draw_poly(c, jib, 3, R_CLOTH, 700, 940);
    const point hull[4] = {{4 * 16, 50 * 16}, {76 * 16, 50 * 16}, {64 * 16, 68 * 16}, {16 * 16, 68 * 16}};
    draw_poly(c, hull, 4, R_WOOD, 700, 320);
    draw_box(c, 4, 50, 72, 4, R_RED, 520);
    canvas_outline(c);
    return c;
}

static canvas *draw_well(void)
{
    canvas *c = canvas_new(48, 56);
    draw_ball(c, 24 * 16, 42 * 16, 21 * 16, 12 * 16, R_STONE, 260, 900);
    draw_ball(c, 24 * 16, 37 * 16, 18 * 16, 8 * 16, R_STONE, 460, 900);
    draw_ball(c, 24 * 16, 38 * 16, 14 * 16, 6 * 16, R_BLUE, 100, 460);
    draw_box(c, 5, 12, 4, 28, R_WOOD, 460);
    draw_box(c, 39, 12, 4, 28, R_WOOD, 380);
    const point roof[3] = {{24 * 16, 0}, {47 * 16, 16 * 16}, {1 * 16, 16 * 16}};
    draw_poly(c, roof, 3, R_RED, 640, 320);
    canvas_outline(c);
    return c;
}

void graal_add_people(file_list *list)
{
    uint8_t rgb[256][3], miller[256][3];
    const uint8_t(*colours)[3] = (const uint8_t(*)[3])rgb;
    canvas *body = canvas_new(CELL * DIRECTIONS, CELL * STEPS), *head = canvas_new(CELL, CELL * DIRECTIONS);

    graal_palette(rgb, false);
    for (int d = 0; d < DIRECTIONS; d++) {
        take_in(head, draw_head(d, R_WOOD), 0, d * CELL);
        for (int step = 0; step < STEPS; step++)
            take_in(body, draw_body(d, step), d * CELL, step * CELL);
    }
    save(list, "graal/body.png", body, colours);
    save(list, "graal/head0.png", head, colours);
    head = canvas_new(CELL, CELL * DIRECTIONS);
    for (int d = 0; d < DIRECTIONS; d++)
        take_in(head, draw_head(d, R_GOLD), 0, d * CELL);
    save(list, "graal/head1.png", head, colours);
    save(list, "graal/sprites.png", draw_sprites(), colours);
    save(list, "graal/shield1.png", draw_shield(), colours);
    save(list, "graal/sword1.png", draw_sword(), colours);

    /* an apron, and flour on the sleeves */
    static const uint8_t clothes[4][3] = {
        {0xE0, 0xD8, 0xC0}, {0xF4, 0xF0, 0xE4}, {0x60, 0x40, 0x28}, {0x80, 0x58, 0x30}};
    memcpy(miller, rgb, sizeof miller);
    memcpy(miller[COAT], clothes, sizeof clothes);
    save(list, "graal/miller.png", draw_somebody(R_CLOTH), (const uint8_t(*)[3])miller);
    save(list, "graal/cat.png", draw_cat(), colours);
    save(list, "graal/boat.png", draw_boat(), colours);
    save(list, "graal/well.png", draw_well(), colours);
}
