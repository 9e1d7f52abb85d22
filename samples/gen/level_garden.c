/*
 * The Keeper's Garden: a small level seen from above, as Gruntz has them: tiles of 32 px, attributes of that game, no parallax. Its
 * pictures lie in folders, not in an archive.
 */
#include "world.h"
#include "sprites.h"

#include <stdlib.h>

enum { WIDE = 24, HIGH = 16, CELL = 32 };

/* h hedge, w water, b bridge, p path, arrows, s spikes, x switch, f flowers, . grass */
static const char *const map[HIGH] = {
    "hhhhhhhhhhhhhhhhhhhhhhhh", "hf....pp......hwwwwwwwwh", "h..ff.pp.hhhh.hwwwwwwwwh",
    "h..ff.pp.hffh.hw..ff.wwh", "h.....pp.hffh.hw.ffff.wh", "hppppppp.hhhh..b.f..f.wh",
    "hp.ff..p......ppbp..p.wh", "hp.ff..ppppp>pppwppxp.wh", "hp.....s...v...pww....wh",
    "hpppp..s.h.v.h.pwwwwwwwh", "h...p..s.h.v.h.p....wwwh", "hff.p..p.hhhhh.p.ff..wwh",
    "hff.ppppp<ppppppp.ff...h", "h.......p.......pff.ff.h", "hf.f.f..p..f.f..p......h",
    "hhhhhhhhhhhhhhhhhhhhhhhh",
};

static char cell(int x, int y)
{
    return map[gen_clamp(y, 0, HIGH - 1)][gen_clamp(x, 0, WIDE - 1)];
}

static char ground(char kind)
{
    switch (kind) {
    case '<':
    case '>':
    case '^':
    case 'v':
    case 's':
    case 'x': return 'p';
    case 'b': return 'w';
    case 'f': return '.';
    default: return kind;
    }
}

static void grass_px(canvas *c, int x, int y, int wx, int wy)
{
    const int broad = gen_fbm(wx, wy, 32, 64, 64, 501), blade = gen_noise(wx, wy, 2, 4, 32, 16, 502);
    canvas_shade(c, x, y, R_GRASS, 590 + (broad - 512) / 2 + (blade - 512) / 3);
}

/* Distance to the nearest side or corner of the cell where another kind lies, up to 16. `same` as in tile_cliff. */
static int to_edge(unsigned same, int x, int y)
{
    int best = 16 * 16;
    for (int i = 0; i < 9; i++) {
        if (same >> i & 1)
            continue;
        const int cx = (i % 3 - 1) * CELL, cy = (i / 3 - 1) * CELL;
        const int dx = gen_clamp(x, cx, cx + CELL - 1) - x, dy = gen_clamp(y, cy, cy + CELL - 1) - y;
        best = dx * dx + dy * dy < best ? dx * dx + dy * dy : best;
    }
    return gen_isqrt((int64_t)best * 256) / 16;
}

static void path_px(canvas *c, int x, int y, int wx, int wy, int edge)
{
    const int row = gen_mod(wy, 64) / 16, sx = gen_mod(wx + (row & 1) * 10, 64),
              stone = sx / 21 > 2 ? 2 : sx / 21;
    const int ix = sx - stone * 21, iy = gen_mod(wy, 16);
    const int rough = gen_noise(wx, wy, 8, 8, 8, 8, 503) * 4 / 1024;
    if (edge <= rough + 1) {
        grass_px(c, x, y, wx, wy);
        return;
    }
    int s = 640 + (int)(gen_hash(stone, row, 504) % 160) - 80 + (gen_fbm(wx, wy, 8, 64, 64, 505) - 512) / 4;
    if (ix == 0 || iy == 0)
        s = 240;
    else if (ix == 1 || iy == 1)
        s += 150;
    else if (ix >= 19 || iy == 15)
        s -= 170;
    if (edge <= rough + 3)
        s -= 180;
    canvas_shade(c, x, y, R_STONE, s);
}

static void water_px(canvas *c, int x, int y, int wx, int wy, int edge, bool bank_above)
{
    const int wave = gen_noise(wx + wy / 2, wy, 16, 4, 4, 16, 506);
    int s = 430 + (wave > 720 ? (wave - 720) : 0) - gen_clamp(edge, 0, 14) * 12;
    if (edge < 3 && bank_above)
        canvas_shade(c, x, y, R_EARTH, 520 - edge * 150);
    else if (edge < 5)
        canvas_shade(c, x, y, R_SEA, 900 - edge * 50 + (wave - 512) / 4);
    else
        canvas_shade(c, x, y, R_SEA, s);
}

static void hedge(canvas *c, unsigned same, int px, int py)
{
    for (int y = 0; y < CELL; y++) {
        for (int x = 0; x < CELL; x++) {
            const int wx = px * CELL + x, wy = py * CELL + y, edge = to_edge(same, x, y);
            const int round = gen_noise(wx, wy, 8, 8, 8, 8, 507) * 4 / 1024;
            if (edge <= round - 1) {
                grass_px(c, x, y, wx, wy);
                continue;
            }
            const int leaf =
                gen_noise(wx, wy, 4, 4, 16, 16, 508) - gen_noise(wx + 2, wy + 2, 4, 4, 16, 16, 508);
            int s = 330 + leaf * 2 / 3 + (gen_noise(wx, wy, 8, 8, 8, 8, 509) - 512) / 4;
            s += !(same >> 1 & 1) && y < 10 ? (10 - y) * 26 : 0;
            s -= !(same >> 7 & 1) && y > 18 ? (y - 18) * 26 : 0;
            s -= !(same >> 5 & 1) && x > 24 ? (x - 24) * 24 : 0;
            canvas_shade(c, x, y, R_GRASS, gen_clamp(s, 30, 1000));
        }
    }
}

static void draw_mark(canvas *c, char kind)
{
    if (kind == 's') {
        for (int i = 0; i < 9; i++)
            for (int k = 0; k < 9; k++)
                for (int j = -k / 3; j <= k / 3; j++)
                    canvas_shade(c, 6 + i % 3 * 10 + j, 2 + i / 3 * 10 + k, R_STEEL,
                                 j < 0 ? 960 : 420 - k * 20);
    } else if (kind == 'x') {
        draw_ball(c, 16 * 16, 17 * 16, 12 * 16, 11 * 16, R_STONE, 60, 420);
        draw_ball(c, 16 * 16, 15 * 16, 9 * 16, 8 * 16, R_RED, 300, 1000);
    } else if (kind == 'f') {
        for (int i = 0; i < 7; i++) {
            const uint32_t h = gen_hash(i, 3, 511);
            const int x = 5 + i % 3 * 10 + (int)(h % 5), y = 6 + i / 3 * 9 + (int)(h >> 4) % 5;
            draw_line(c, x, y + 1, x, y + 6, R_GRASS, 220);
            draw_ball(c, x * 16 + 8, y * 16, 46, 46,
                      i % 3 == 0   ? R_CORAL
                      : i % 3 == 1 ? R_CLOTH
                                   : R_PURPLE,
                      320, 1060);
            draw_dot(c, x, y, R_GOLD, 900);
        }
    } else if (kind == 'b') {
        for (int i = 0; i < 4; i++)
            draw_board(c, i * 8, 2, 8, 28, true, 520 + i * 25, 512 + i);
        draw_board(c, 0, 0, CELL, 4, false, 620, 517);
        draw_board(c, 0, 27, CELL, 4, false, 480, 518);
    } else if (kind == '<' || kind == '>' || kind == '^' || kind == 'v') {
        for (int i = 0; i < 12; i++) {
            for (int j = -i; j <= i; j++) {
                const int along = kind == '<' || kind == '^' ? 9 + i : 22 - i, across = 16 + j * 11 / 12;
                const bool flat = kind == '<' || kind == '>';
                canvas_shade(c, flat ? along : across, flat ? across : along, R_GOLD,
                             i > 9 || abs(j) > i - 2 ? 260 : 820 - i * 20);
            }
        }
    }
}

static canvas *make_cell(int x, int y)
{
    const char kind = cell(x, y), base = ground(kind);
    const int px = x & 1, py = y & 1;
    canvas *c = canvas_new(CELL, CELL);
    unsigned same = 0;
    for (int i = 0; i < 9; i++)
        same |= (unsigned)(ground(cell(x + i % 3 - 1, y + i / 3 - 1)) == base) << i;
    if (base == 'h') {
        hedge(c, same, px, py);
        return c;
    }
    for (int j = 0; j < CELL; j++) {
        for (int i = 0; i < CELL; i++) {
            const int wx = px * CELL + i, wy = py * CELL + j;
            if (base == 'p')
                path_px(c, i, j, wx, wy, to_edge(same, i, j));
            else if (base == 'w')
                water_px(c, i, j, wx, wy, to_edge(same, i, j), !(same >> 1 & 1) && j < 8);
            else
                grass_px(c, i, j, wx, wy);
        }
    }
    /* Hedges throw a shadow down and right. */
    for (int j = 0; j < 9; j++) {
        for (int i = 0; i < CELL && cell(x, y - 1) == 'h'; i++) {
            ramp r;
            int s;
            if (gen_ramp_of(canvas_get(c, i, j), &r, &s))
                canvas_shade(c, i, j, r, s - 300 + j * 30);
        }
    }
    draw_mark(c, kind);
    return c;
}

static int attribute(char kind)
{
    switch (kind) {
    case 'h': return 1;
    case 'w': return 0x0A;
    case '^': return 0x0B;
    case 'v': return 0x0C;
    case '<': return 0x0D;
    case '>': return 0x0E;
    case 's': return 0x20;
    case 'x': return 0x34;
    case 'b': return 0x6B;
    default: return 0;
    }
}

canvas *draw_gardener(int frame)
{
    canvas *c = canvas_new(32, 36);
    const int bob = (frame & 1) * 16;
    draw_limb(c, 12 * 16, 27 * 16, 50, 11 * 16, 32 * 16, 44, R_WOOD, 60, 520);
    draw_limb(c, 19 * 16, 27 * 16, 50, 20 * 16, 32 * 16, 44, R_WOOD, 60, 520);
    draw_ball(c, 16 * 16, 23 * 16 + bob, 9 * 16, 8 * 16, R_BLUE, 150, 860);
    draw_ball(c, 6 * 16, 23 * 16 + bob, 50, 56, R_CORAL, 200, 900);
    draw_ball(c, 26 * 16, 23 * 16 - bob, 50, 56, R_CORAL, 200, 900);
    draw_ball(c, 16 * 16, 13 * 16 + bob, 9 * 16, 8 * 16, R_CORAL, 250, 1050);
    draw_ball(c, 16 * 16, 8 * 16 + bob, 13 * 16, 4 * 16, R_ROPE, 250, 1000);
    draw_ball(c, 16 * 16, 5 * 16 + bob, 7 * 16, 4 * 16, R_ROPE, 300, 1050);
    draw_box(c, 12, 13 + bob / 16, 2, 3, R_STONE, 0);
    draw_box(c, 18, 13 + bob / 16, 2, 3, R_STONE, 0);
    canvas_outline(c);
    return c;
}

canvas *draw_switch(int frame)
{
    canvas *c = canvas_new(24, 28);
    (void)frame;
    draw_limb(c, 12 * 16, 6 * 16, 20, 12 * 16, 26 * 16, 26, R_WOOD, 150, 900);
    for (int x = 0; x < 11; x++)
        for (int y = 0; y < 9 - x / 3; y++)
            canvas_shade(c, 13 + x, 4 + y + x / 4, R_GOLD, 900 - x * 40 - y * 20);
    canvas_outline(c);
    return c;
}

world *make_garden(void)
{
    world *w = calloc(1, sizeof(*w));
    if (!w)
        return NULL;
    w->name = "Keeper's Garden 1";
    w->author = "The lvl samples";
    w->birth = "November 21, 2026";
    w->image_dir = "\\AREA1\\TILEZ";
    w->pal_rez = "";
    w->image_set[0] = "AREA1_IMAGEZ";
    w->prefix[0] = "LEVEL";
    w->image_set[1] = "GAME_IMAGEZ";
    w->prefix[1] = "GAME";
    w->start_x = 12 * CELL;
    w->start_y = 8 * CELL;
    world_plane *plane = world_add_plane(w, "Action", "ACTION", CELL, WIDE, HIGH);
    tile_set *set = &w->set[plane->set];
    plane->flags = LVL_WWD_PLANE_MAIN;
    for (int y = 0; y < HIGH; y++) {
        for (int x = 0; x < WIDE; x++) {
            const int before = set->count;
            const uint32_t id = set_add(set, make_cell(x, y));
            plane->cells[y * WIDE + x] = id;
            if (set->count > before)
                set->property[id - 1] = prop_single(CELL, attribute(cell(x, y)));
        }
    }
    static const struct {
        const char *logic, *set;
        int x, y, z;
    } things[] = {
        {"GruntStartingPoint", "LEVEL_GARDENER", 7, 5, 1000},
        {"GruntStartingPoint", "LEVEL_GARDENER", 4, 12, 1000},
        {"GruntCreationPoint", "LEVEL_GARDENER", 15, 10, 1000},
        {"FortressFlag", "LEVEL_PENNANT", 19, 6, 1000},
        {"ExitTrigger", "LEVEL_PENNANT", 17, 7, 900},
        {"TileTriggerSwitch", "", 19, 7, 0},
        {"TileTrigger", "", 15, 5, 0},
        {"CoveredPowerup", "", 10, 3, 0},
        {"GuardPoint", "", 11, 10, 0},
        {"WayPoint", "", 16, 12, 0},
    };
    for (int i = 0; i < (int)(sizeof(things) / sizeof(things[0])); i++)
        world_add(w, things[i].logic, things[i].set, things[i].x * CELL + 16, things[i].y * CELL + 12,
                  things[i].z);
    for (int i = 0; i < 2; i++)
        world_add(w, "DoNothing", "LEVEL_GARDENER", (2 + i * 17) * CELL + 16, (8 + i * 5) * CELL + 10, 1000)
            ->draw_flags = i ? LVL_WWD_DRAW_MIRROR : 0;
    return w;
}
