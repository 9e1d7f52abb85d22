/*
 * One small level, the pond, in every version of the binary form and every style of the text form, each with all that it can hold, and damaged
 * twins of it: what early editors, broken transfers and careless hands left behind.
 */
#include "graal_gen.h"

#include <lvl/gmap.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = LVL_GRAAL_SIDE };

static char pond_ground(void *user, int x, int y)
{
    (void)user;
    x = gen_clamp(x, 0, SIDE - 1);
    y = gen_clamp(y, 0, SIDE - 1);
    const int dx = x - 36, dy = (y - 34) * 4 / 3;
    if ((y >= 52 && y <= 55) || (x >= 12 && x <= 15 && y >= 16 && y <= 52))
        return ':';
    return dx * dx + dy * dy < 150 + gen_noise(x, y, 6, 6, 11, 11, 141) / 9 ? '~' : '.';
}

static void draw_pond(board *b, bool chest)
{
    static const uint8_t trees[][2] = {{0, 0},   {6, 2},   {24, 3}, {32, 1}, {44, 4}, {54, 2},  {56, 14},
                                       {54, 26}, {58, 36}, {2, 24}, {4, 40}, {0, 57}, {30, 58}, {50, 58}};
    static const uint8_t small[][3] = {{20, 20, 0}, {24, 18, 0}, {50, 44, 0},
                                       {6, 32, 1},  {46, 14, 1}, {40, 48, 0}};

    graal_ground(b, pond_ground, NULL);
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++)
        graal_put(b, T_TREE, trees[i][0], trees[i][1], 4, 4);
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        graal_put(b, small[i][2] ? T_ROCK : T_BUSH, small[i][0], small[i][1], 2, 2);
    graal_house(b, 10, 10);
    graal_put(b, T_SIGN, 18, 49, 2, 2);
    graal_put(b, T_POT, 19, 14, 2, 2);
    graal_put(b, T_REEDS, 21, 40, 2, 2);
    if (chest)
        graal_put(b, T_CHEST, 50, 20, 2, 2);
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            static const uint16_t kinds[] = {T_BLADES, 284, T_CLOVER, T_FLOWER_YELLOW};
            const unsigned luck = gen_hash(x, y, 143) & 31;
            if (b->tile[y][x] == T_GRASS && luck < sizeof kinds / sizeof *kinds)
                b->tile[y][x] = kinds[luck];
        }
    }
}

/* What lies above the board: a bridge across the pond. */
static void add_bridge(lvl_doc *doc)
{
    board b;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            b.tile[y][x] = (uint16_t)(x >= 35 && x <= 37 && y >= 20 && y <= 48 ? T_PLANKS : T_NOTHING);
    graal_layer(doc, 1, &b);
}

static void add_heights(lvl_doc *doc)
{
    lvl_graal *level = lvl_doc_root(doc);
    level->heights = graal_take(doc, LVL_GRAAL_HEIGHTS, sizeof *level->heights);
    level->height_count = LVL_GRAAL_HEIGHTS;
    for (int i = 0; i < LVL_GRAAL_HEIGHTS; i++) {
        const int across = i % 9 - 4, down = i / 9 - 4;
        level->heights[i] = across * down / 4.0;
    }
}

static lvl_doc *pond(lvl_graal_version version)
{
    const bool verses = version >= LVL_Z3_V1_04, early = version < LVL_GR_V1_03,
               npcs = version >= LVL_GR_V1_00;
    const bool chests = version >= LVL_GR_V1_01;
    board b;

    draw_pond(&b, chests);
    lvl_doc *doc = graal_level(version, &b);
    if (version >= LVL_GR_V1_05)
        add_bridge(doc);
    graal_link(doc, "lake_mill.nw", 13, 14, 2, 1, "31.5", "40");
    graal_link(doc, "lake_village.nw", 0, 52, 1, 4, "61", early ? "-1" : "playery");
    graal_link(doc, "lake_meadow.nw", 63, 52, 1, 4, early ? "1" : "playerx-62", early ? "-1" : "playery");
    graal_baddy(doc, 44, 50, 0, verses ? "Halt!" : "", verses ? "Ouch!" : "", verses ? "Ha!" : "");
    graal_baddy(doc, 8, 46, 5, "", "", "");
    if (npcs)
        graal_npc(doc, 30, 30, "boat.png", "if (created) {\n  dontblock;\n}");
    if (npcs)
        graal_npc(doc, 20, 44, "cat.png", "if (playertouchsme) {\n  say 1;\n}");
    graal_sign(doc, 18, 49,
               npcs ? "#h The Pond #r\nNo swimming; #A to read." : "#h The Pond #r\nNo swimming! #3");
    graal_sign(doc, 0, 0, "Meow, says the cat #K(233).");
    if (chests)
        graal_chest(doc, 50, 20, 2, 1);
    if (version >= LVL_GR_V1_04)
        add_heights(doc);
    return doc;
}

/* The blank lines that editors write: before each sign, baddy and NPC, or after those and the board. */
static void set_apart(lvl_graal *level, bool after)
{
    const lvl_text blank = lvl_text_of(level->line_end ? "\r\n" : "\n");

    for (uint32_t i = 0; i < level->sign_count; i++)
        level->signs[i].before = after && !i ? (lvl_text){NULL, 0} : blank;
    for (uint32_t i = 0; i < level->baddy_count; i++)
        level->baddies[i].before = blank;
    for (uint32_t i = 0; i < level->npc_count; i++)
        level->npcs[i].before = after && !i ? (lvl_text){NULL, 0} : blank;
    if (after) {
        level->links[0].before = blank;
        level->chests[0].before = blank;
        level->after = blank;
    }
}

static void add_styles(file_list *list)
{
    static const char *const styles[] = {"official", "blank_before", "blank_after"};
    char path[96];

    for (int style = 0; style < 3; style++) {
        for (int end = LVL_NW_LF; end <= LVL_NW_CRLF; end++) {
            lvl_doc *doc = pond(LVL_GR_V1_03), *text = graal_doc("nw");
            lvl_graal *level = lvl_doc_root(text);
            const lvl_graal *from = lvl_doc_croot(doc);
            lvl_graal copy = *from; /* its memory lives as long as `doc` */
            copy.version = LVL_GLEVNW01;
            *level = copy;
            level->line_end = (uint8_t)end;
            if (style)
                set_apart(level, style == 2);
            snprintf(path, sizeof path, "graal/styles/%s%s.nw", styles[style], end ? "_crlf" : "");
            graal_finish(text, &files_add(list, path)->bytes);
            lvl_doc_free(doc);
        }
    }
}

/* With all that other editors add to the text form. */
static void add_extended(file_list *list)
{
    board b;
    draw_pond(&b, true);
    lvl_doc *doc = graal_level(LVL_GLEVNW01, &b);
    add_bridge(doc);
    graal_link(doc, "lake_mill.nw", 13, 14, 2, 1, "31.5", "40");
    graal_npc(doc, 35.25, 18.5, "cat.png", "if (created) {\n  setcharprop #c,Above the water!;\n}");
    graal_sign(doc, 18, 49, "The Pond, with a bridge");
    graal_chest(doc, 50, 20, 24, -1);
    graal_baddy(doc, 44, 50, 9, "Roar!", "", "");
    lvl_graal *level = lvl_doc_root(doc);
    level->links[0].dest_layer = 1;
    level->npcs[0].layer = 1;
    level->chests[0].layer = 1;
    lvl_graal_tileset *set = graal_item(doc, offsetof(lvl_graal, tilesets));
    set->name = lvl_text_of("pics_snow.png");
    add_heights(doc);
    graal_finish(doc, &files_add(list, "graal/styles/extended.nw")->bytes);
}

void graal_add_versions(file_list *list)
{
    char path[96];

    for (int v = LVL_Z3_V1_02; v <= LVL_GR_V1_05; v++) {
        snprintf(path, sizeof path, "graal/versions/%s.%s", lvl_graal_version_name((unsigned)v),
                 v < LVL_GR_V1_00 ? "zelda" : "graal");
        for (char *p = path + strlen("graal/versions/"); *p; p++)
            *p = *p >= 'A' && *p <= 'Z' ? (char)(*p + 32) : *p;
        graal_finish(pond((lvl_graal_version)v), &files_add(list, path)->bytes);
    }
    add_styles(list);
    add_extended(list);
}

/* ---- damage ----------------------------------------------------------------------------------------------------------------------- */

static lvl_buffer *twin(file_list *list, const char *name)
{
    char path[96];
    snprintf(path, sizeof path, "graal/damaged/%s", name);
    return &files_add(list, path)->bytes;
}

/* A baddy's line, as an editor that knew NPCs saved it again: a `#` after its first two bytes. */
static void stale_baddy(lvl_doc *doc, int x, int y, int type, const char *words)
{
    char script[64];
    snprintf(script, sizeof script, "%c%s", type, words);
    lvl_graal_npc *npc = graal_item(doc, offsetof(lvl_graal, npcs));
    npc->x = x - 32;
    npc->y = y - 32;
    npc->script = lvl_doc_text(doc, (lvl_text){script, 1 + strlen(words)});
}

static void add_stale(file_list *list)
{
    lvl_doc *doc = pond(LVL_GR_V1_02);
    stale_baddy(doc, 12, 20, 1, "Halt!\\Ouch!\\That was easy.");
    stale_baddy(doc, 22, 48, 3, "Take aim!\\Argh!\\");
    graal_npc(doc, 223, 223, "", "\xFF");
    stale_baddy(doc, 50, 46, 6, "\\\\");
    graal_finish(doc, twin(list, "stale-baddies.graal"));

    doc = pond(LVL_GR_V1_01);
    graal_chest(doc, 12 - 32, 20 - 32, 1 - 32, 'H' - 32);
    graal_chest(doc, 22 - 32, 48 - 32, 3 - 32, 'T' - 32);
    graal_chest(doc, 223, 223, 223, -32);
    graal_finish(doc, twin(list, "stale-chests.graal"));
}

/* The first `len` bytes of a level. */
static void cut(lvl_buffer *out, lvl_doc *doc, size_t num, size_t of)
{
    lvl_buffer whole;
    lvl_buffer_init(&whole);
    graal_finish(doc, &whole);
    lvl_buffer_add(out, whole.data, whole.len * num / of);
    lvl_buffer_free(&whole);
}

/* The text of a level without what stands from the first `from` on up to the next `to`, or to its end (NULL). */
static void without(lvl_buffer *out, lvl_doc *doc, const char *from, const char *to)
{
    lvl_buffer whole;
    lvl_buffer_init(&whole);
    graal_finish(doc, &whole);
    lvl_buffer_u8(&whole, 0);
    char *text = (char *)whole.data, *start = strstr(text, from),
         *end = !start ? NULL
                : to   ? strstr(start, to)
                       : strchr(start, 0);
    if (!end) {
        fputs("samples: a damaged twin has nothing to lose\n", stderr);
        exit(1);
    }
    lvl_buffer_add(out, text, (size_t)(start - text));
    lvl_buffer_str(out, end);
    lvl_buffer_free(&whole);
}

static lvl_doc *text_pond(void)
{
    board b;
    draw_pond(&b, true);
    lvl_doc *doc = graal_level(LVL_GLEVNW01, &b);
    graal_link(doc, "lake_mill.nw", 13, 14, 2, 1, "31.5", "40");
    graal_sign(doc, 18, 49, "The Pond");
    graal_chest(doc, 50, 20, 2, 0);
    graal_npc(doc, 20, 44, "cat.png", "if (playertouchsme) {\n  say2 Meow;\n}");
    return doc;
}

void graal_add_damaged_levels(file_list *list)
{
    add_stale(list);
    cut(twin(list, "cut-tiles.graal"), pond(LVL_GR_V1_03), 1, 2);
    cut(twin(list, "cut-npcs.graal"), pond(LVL_GR_V1_03), 97, 100);
    without(twin(list, "unclosed-npc.nw"), text_pond(), "NPCEND", NULL);
    without(twin(list, "missing-rows.nw"), text_pond(), "BOARD 0 60", "LINK");

    lvl_doc *doc = text_pond();
    ((lvl_graal *)lvl_doc_root(doc))->chests[0].sign = 7;
    graal_finish(doc, twin(list, "missing-sign.nw"));

    doc = text_pond();
    graal_link(doc, "mill.nw", 62, 20, 6, 4, "playerz", "3");
    graal_npc(doc, 8, 8, "", "if (created) {\n  timeout = 1;\n");
    graal_baddy(doc, 70, 12, 1, "Halt!", "", "");
    graal_finish(doc, twin(list, "off-board.nw"));

    lvl_buffer_str(twin(list, "wrong-size.gmap"),
                   "GRMAP001\nWIDTH 3\nHEIGHT 2\nLEVELNAMES\n\"lake_meadow.nw\",\"lake_village.nw\"\n"
                   "\"lake_woods.nw\"\nLEVELNAMESEND\n");
}
