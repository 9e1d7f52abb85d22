/*
 * Lakeside: four levels around a lake, which a gmap and a bigmap put together, a mill that one can enter, and a pass in the snow whose script
 * changes the tileset.
 */
#include "graal_gen.h"

#include <lvl/gmap.h>

#include <stdio.h>
#include <string.h>

enum { SIDE = LVL_GRAAL_SIDE, WORLD = 2 * SIDE };

static const char *const names[2][2] = {{"lake_meadow.nw", "lake_village.nw"},
                                        {"lake_woods.nw", "lake_shore.nw"}};
/* left, top; doors are in the middle */
static const int houses[][2] = {{9, 20}, {74, 20}, {86, 20}, {117, 20}, {40, 109}};

/* Where a stream runs, by row. */
static int stream(int y)
{
    return 101 + 3 * gen_sin(y * 24) / 1024;
}

static char lake_ground(void *user, int x, int y)
{
    (void)user;
    x = gen_clamp(x, 0, WORLD - 1);
    y = gen_clamp(y, 0, WORLD - 1);
    const int dx = x - 68, dy = (y - 74) * 5 / 4, angle = gen_noise(x, y, 14, 14, 16, 16, 101) / 140;
    const int far = gen_isqrt((int64_t)(dx * dx + dy * dy) * 256) / 16;
    const bool bridge = x >= 94 && x <= 107;

    if ((y >= 28 && y <= 31 && !(bridge && x >= stream(y) - 2 && x <= stream(y) + 2)) ||
        (x >= 22 && x <= 25 && y >= 28 && y <= 121) || (x >= 112 && x <= 115 && y >= 28) ||
        (y >= 118 && y <= 121 && x >= 22 && x <= 115))
        return ':';
    for (size_t i = 0; i < sizeof houses / sizeof *houses; i++)
        if ((x == houses[i][0] + 3 || x == houses[i][0] + 4) && y >= houses[i][1] + 6 &&
            y <= houses[i][1] + 9)
            return ':';
    if (far < 26 + angle || (y < 74 && x >= stream(y) - 2 && x <= stream(y) + 2))
        return '~';
    return '.';
}

static char part_ground(void *user, int x, int y)
{
    const int *from = user;
    return lake_ground(NULL, x + from[0], y + from[1]);
}

/* Whether all is plain grass there, with a margin. */
static bool free_at(const board *b, int x, int y, int w, int h, int margin)
{
    for (int j = y - margin; j < y + h + margin; j++)
        for (int i = x - margin; i < x + w + margin; i++)
            if (i >= 0 && j >= 0 && i < SIDE && j < SIDE && b->tile[j][i] != T_GRASS)
                return false;
    return x >= 0 && y >= 0 && x + w <= SIDE && y + h <= SIDE;
}

/* Trees, bushes and rocks where there is room, in 1024ths; then flowers. */
static void grow(board *b, int seed, int trees, int pines, int small)
{
    for (int y = 0; y < SIDE; y += 2) {
        for (int x = 0; x < SIDE; x += 2) {
            const int luck = (int)(gen_hash(x, y, seed) & 1023), edge = x < 4 || y < 4 || x > 58 || y > 58;
            if (luck < trees * (1 + edge) && free_at(b, x, y, 4, 4, 0))
                graal_put(b, T_TREE, x, y, 4, 4);
            else if (luck < (trees + pines) * (1 + edge) && free_at(b, x, y, 2, 3, 0))
                graal_put(b, T_PINE, x, y, 2, 3);
            else if (luck > 1023 - small && free_at(b, x, y, 2, 2, 1))
                graal_put(b, luck & 3 ? T_BUSH : T_ROCK, x, y, 2, 2);
        }
    }
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            static const uint16_t kinds[] = {T_BLADES, 284,          T_CLOVER,
                                             T_BLADES, T_FLOWER_RED, T_FLOWER_YELLOW};
            const unsigned luck = gen_hash(x, y, seed + 1) & 63;
            if (b->tile[y][x] == T_GRASS && luck < sizeof kinds / sizeof *kinds)
                b->tile[y][x] = kinds[luck];
        }
    }
}

/* A fence around a garden with flowers in it. */
static void garden(board *b, int x, int y, int w, int h)
{
    for (int i = 0; i < w; i++) {
        graal_put(b, T_FENCE, x + i, y, 1, 1);
        if (i < w / 2 - 1 || i > w / 2)
            graal_put(b, T_FENCE, x + i, y + h - 1, 1, 1);
    }
    for (int j = 1; j < h - 1; j++) {
        graal_put(b, T_POST, x, y + j, 1, 1);
        graal_put(b, T_POST, x + w - 1, y + j, 1, 1);
        for (int i = 1; i < w - 1; i++)
            graal_put(b, j & 1 ? T_FLOWER_RED : T_FLOWER_YELLOW, x + i, y + j, 1, 1);
    }
}

static void furnish(board *b, int column, int row)
{
    static const struct {
        int x, y; /* of the world */
        unsigned first;
    } things[] = {
        {28, 25, T_SIGN},  {109, 25, T_SIGN}, {28, 114, T_SIGN},  {118, 114, T_SIGN}, {7, 24, T_POT},
        {18, 24, T_POT},   {72, 24, T_POT},   {96, 24, T_POT},    {10, 84, T_CHEST},  {120, 100, T_CHEST},
        {36, 66, T_REEDS}, {34, 80, T_REEDS}, {100, 92, T_REEDS}, {44, 96, T_REEDS},  {92, 98, T_REEDS},
    };
    const int left = column * SIDE, top = row * SIDE;

    for (size_t i = 0; i < sizeof houses / sizeof *houses; i++)
        if (houses[i][0] / SIDE == column && houses[i][1] / SIDE == row)
            graal_house(b, houses[i][0] - left, houses[i][1] - top);
    for (size_t i = 0; i < sizeof things / sizeof *things; i++)
        if (things[i].x / SIDE == column && things[i].y / SIDE == row)
            graal_put(b, things[i].first, things[i].x - left, things[i].y - top, 2, 2);
    for (int y = top; y < top + SIDE; y++)
        for (int x = left; x < left + SIDE; x++) {
            if (y >= 28 && y <= 31 && x >= 96 && x <= 106 && lake_ground(NULL, x, y) == '~')
                graal_put(b, T_PLANKS, x - left, y - top, 1, 1);
            if (x >= 84 && x <= 86 && y >= 90 && y <= 117) /* a jetty, and the way to it */
                graal_put(b, lake_ground(NULL, x, y) == '~' ? T_PLANKS : T_GRAVEL, x - left, y - top, 1, 1);
        }
    if (!row && !column)
        garden(b, 34, 12, 14, 9);
    if (!row && column)
        garden(b, 5, 35, 12, 7);
}

/* The neighbours, as servers of bigmaps want them: a strip along each edge that leads to the opposite one. */
static void link_edges(lvl_doc *doc, int column, int row)
{
    if (column)
        graal_link(doc, names[row][0], 0, 0, 1, 64, "61", "playery");
    else
        graal_link(doc, names[row][1], 63, 0, 1, 64, "0", "playery");
    if (row)
        graal_link(doc, names[0][column], 0, 0, 64, 1, "playerx", "61");
    else
        graal_link(doc, names[1][column], 0, 63, 64, 1, "playerx", "0");
}

static void people_meadow(lvl_doc *doc)
{
    graal_link(doc, "lake_mill.nw", 12, 24, 2, 1, "31.5", "40");
    graal_link(doc, "frost_pass.graal", 22, 0, 4, 1, "32", "58");
    graal_sign(doc, 28, 25, "#h The Old Mill #l#bLakeside village #r");
    graal_npc(doc, 16, 26, "miller.png",
              "// The miller, who has lost his cat.\n"
              "if (playertouchsme) {\n"
              "  if (catfound) {\n"
              "    message Thank you!;\n"
              "    setplayerprop #c,Meow?;\n"
              "  } else {\n"
              "    say2 Have you seen my cat?#bShe likes the jetty.;\n"
              "  }\n"
              "}");
    graal_npc(doc, 4, 4, "",
              "// Butterflies by day.\n"
              "if (created) timeout = 1;\n"
              "if (timeout) {\n"
              "  putleaps 1,random(2,60),random(2,60);\n"
              "  timeout = 3;\n"
              "}");
}

static void people_village(lvl_doc *doc)
{
    graal_sign(doc, 45, 25, "Lakeside#bPlease close the gate.");
    graal_sign(doc, 0, 0, "Caf\xe9: closed on Mondays.");
    graal_npc(
        doc, 20.5, 34, "well.png",
        "if (created) {\n  setshape 1,48,40;\n}\nif (playertouchsme) {\n  hearts = fullhearts;\n  say 1;\n}");
}

static void people_woods(lvl_doc *doc)
{
    graal_sign(doc, 28, 50, "Beware of the soldiers!");
    graal_sign(doc, 0, 0, "You found a bow!");
    graal_chest(doc, 10, 20, 7, 1);
    graal_baddy(doc, 14, 30, 0, "Halt!", "Ouch!", "That was easy.");
    graal_baddy(doc, 12, 44, 2, "Who goes there?", "", "");
    graal_baddy(doc, 33, 33, 6, "", "", "");
    graal_npc(doc, 46.5, 44, "",
              "// The woodcutter's door.\nif (playertouchsme) {\n  say2 Nobody is at home.;\n}");
}

static void people_shore(lvl_doc *doc)
{
    graal_sign(doc, 54, 50, "Boats #u");
    graal_sign(doc, 0, 0, "A gold rupee!");
    graal_chest(doc, 56, 36, 19, 1);
    graal_npc(doc, 21, 33, "cat.png", "if (playertouchsme) {\n  set catfound;\n  message Purr;\n  hide;\n}");
    graal_npc(doc, 2, 3, "boat.png", "if (created) {\n  dontblock;\n}");
}

static void add_mill(file_list *list)
{
    board b;
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            const bool in = x >= 22 && x < 43 && y >= 26 && y < 43, wall = in && y < 28;
            b.tile[y][x] = (uint16_t)(wall ? (y < 27 ? T_WALL : T_WALL_FOOT) : in ? T_FLOOR : T_WALL_TOP);
        }
    }
    for (int y = 34; y < 40; y++)
        for (int x = 27; x < 38; x++)
            graal_put(&b, T_RUG, x, y, 1, 1);
    for (int i = 0; i < 3; i++)
        graal_put(&b, T_SHELF, 24 + i * 3, 27, 2, 2);
    graal_put(&b, T_BED, 38, 28, 2, 2);
    graal_put(&b, T_CHEST, 40, 32, 2, 2);
    graal_put(&b, T_DOOR, 31, 43, 2, 2);
    lvl_doc *doc = graal_level(LVL_GLEVNW01, &b);
    graal_link(doc, "lake_meadow.nw", 31, 43, 2, 1, "12.5", "26");
    graal_sign(doc, 0, 0, "A shield, and flour all over it.");
    graal_chest(doc, 40, 32, 9, 0);
    graal_finish(doc, &files_add(list, "graal/lakeside/lake_mill.nw")->bytes);
}

static char pass_ground(void *user, int x, int y)
{
    (void)user;
    y = gen_clamp(y, 0, SIDE - 1);
    x = gen_clamp(x, 0, SIDE - 1);
    const int middle = 32 + 8 * gen_sin(y * 12) / 1024, dx = x - 47, dy = y - 24;
    if (x >= middle - 2 && x <= middle + 1)
        return ':';
    return dx * dx + dy * dy < 60 + gen_noise(x, y, 4, 4, 16, 16, 131) / 20 ? '~' : '.';
}

static void add_pass(file_list *list)
{
    board b;
    graal_ground(&b, pass_ground, NULL);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            if (b.tile[y][x] == T_GRASS && (x < 5 + gen_noise(0, y, 1, 6, 1, 12, 133) / 160 ||
                                            x > 58 - gen_noise(0, y, 1, 6, 1, 12, 134) / 160))
                b.tile[y][x] = T_CAVE;
    graal_put(&b, T_SIGN, 36, 52, 2, 2);
    graal_put(&b, T_CHEST, 50, 10, 2, 2);
    grow(&b, 135, 50, 130, 20);
    lvl_doc *doc = graal_level(LVL_GR_V1_03, &b);
    graal_link(doc, "lake_meadow.nw", 28, 63, 10, 1, "23.5", "2");
    graal_sign(doc, 36, 52, "Frost Pass\nMind the ice.");
    graal_sign(doc, 0, 0, "You found the mirror shield!");
    graal_chest(doc, 50, 10, 15, 1);
    graal_baddy(doc, 30, 30, 8, "Hssss!", "", "");
    graal_npc(doc, 0, 0, "",
              "// All levels whose names begin with frost lie under snow.\n"
              "if (created || playerenters) {\n"
              "  addtiledef pics_snow.png,frost,0;\n"
              "}");
    graal_finish(doc, &files_add(list, "graal/lakeside/frost_pass.graal")->bytes);
}

static void add_maps(file_list *list)
{
    for (int big = 0; big < 2; big++) {
        lvl_doc *doc = graal_doc("gmap");
        lvl_gmap *map = lvl_doc_root(doc);
        map->version = big ? LVL_BIGMAP : LVL_GRMAP001;
        for (int row = 0; row < 2; row++) {
            lvl_gmap_row *line = graal_item(doc, offsetof(lvl_gmap, rows));
            lvl_text *texts = graal_take(doc, 2, sizeof *texts);
            texts[0] = lvl_text_of(names[row][0]);
            texts[1] = lvl_text_of(names[row][1]);
            line->names = texts;
            line->name_count = 2;
        }
        map->width = map->height = 2;
        map->no_auto_mapping = !big;
        map->load_full_map = !big;
        graal_finish(
            doc, &files_add(list, big ? "graal/lakeside/lakeside_bigmap.txt" : "graal/lakeside/lakeside.gmap")
                      ->bytes);
    }
}

void graal_add_lakeside(file_list *list)
{
    static void (*const people[2][2])(lvl_doc *) = {{people_meadow, people_village},
                                                    {people_woods, people_shore}};
    static const int trees[2][2] = {{70, 40}, {330, 60}};
    char path[96];

    for (int row = 0; row < 2; row++) {
        for (int column = 0; column < 2; column++) {
            int from[2] = {column * SIDE, row * SIDE};
            board b;
            graal_ground(&b, part_ground, from);
            furnish(&b, column, row);
            grow(&b, 110 + row * 2 + column, trees[row][column], 20, 12);
            lvl_doc *doc = graal_level(LVL_GLEVNW01, &b);
            link_edges(doc, column, row);
            people[row][column](doc);
            snprintf(path, sizeof path, "graal/lakeside/%s", names[row][column]);
            graal_finish(doc, &files_add(list, path)->bytes);
        }
    }
    add_mill(list);
    add_pass(list);
    add_maps(list);
}
