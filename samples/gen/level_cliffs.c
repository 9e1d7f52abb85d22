/*
 * The Lighthouse of Grey Cliffs: the main sample, six planes of a Claw level. The map below is the action plane; everything else stands
 * on it.
 */
#include "world.h"

#include <stdlib.h>
#include <string.h>

enum { WIDE = 60, HIGH = 14, ROW_SEA = 12 };

/* # cliff, c cave, = boards, H ladder, ~ sea, w deep sea, ^ spikes, @ crags */
static const char *const map[HIGH] = {
    "............................................................", /*  0 */
    "............................................................", /*  1 */
    "............................................................", /*  2 */
    "............................................................", /*  3 */
    "##........................................................##", /*  4 */
    "###......................................................###", /*  5 */
    "####.......=H===....................................=H==####", /*  6 */
    "#####.......H........................................H..####", /*  7 */
    "#####.......H...=====................................H..####", /*  8 */
    "#######.....####.......####.....###############=H==#########", /*  9 */
    "########...#######....#####.....####cccc#######.H..#########", /* 10 */
    "########..#########^^######....##cccccccc######.H...########", /* 11 */
    "########~~#################~~~~#################~~~~########", /* 12 */
    "########ww#################wwww#################wwww########", /* 13 */
};

static char cell(int x, int y)
{
    if (y < 0)
        return '.';
    return map[y < HIGH ? y : HIGH - 1][gen_clamp(x, 0, WIDE - 1)];
}

static bool rock(int x, int y)
{
    return cell(x, y) == '#';
}

static bool water(int x, int y)
{
    return cell(x, y) == '~' || cell(x, y) == 'w';
}

/* The pictures and properties of one cell of the map. */
static uint32_t make_cell(tile_set *set, int x, int y)
{
    const char kind = cell(x, y);
    lvl_wwd_tile_property prop = prop_single(TILE, 0);
    canvas *c = NULL;
    if (kind == '#') {
        unsigned solid = 0, flush = 0;
        for (int i = 0; i < 9; i++) {
            const char near = cell(x + i % 3 - 1, y + i / 3 - 1);
            solid |= (unsigned)(near == '#') << i;
            flush |= (unsigned)(near == '~' || near == 'w' || near == 'c' || near == '=') << i;
        }
        c = tile_cliff(solid, flush, x % CLIFF_PHASES_X, y % CLIFF_PHASES_Y);
        prop = prop_single(TILE, 1);
    } else if (kind == '=' || (kind == 'H' && cell(x, y - 1) != 'H')) {
        const plank_part part = kind == 'H'                            ? PLANK_LADDER
                                : cell(x - 1, y) == '.' && kind == '=' ? PLANK_LEFT
                                : cell(x + 1, y) == '.'                ? PLANK_RIGHT
                                                                       : PLANK_MIDDLE;
        c = tile_plank(part, x % 2);
        prop = kind == 'H' ? prop_double(TILE, 3, 2, 0, 0, 63, 11) : prop_double(TILE, 0, 2, 0, 0, 63, 12);
    } else if (kind == 'H') {
        c = tile_ladder(y % 2, false);
        prop = prop_single(TILE, 3);
    } else if (kind == '~') {
        c = tile_water(x % 4, true);
        prop = prop_double(TILE, 0, 4, 0, 20, 63, 63);
    } else if (kind == 'w') {
        c = tile_water(x % 4, false);
        prop = prop_single(TILE, 4);
    } else if (kind == '^') {
        c = tile_spikes(x % 2);
        prop = prop_mask(c, 4, set->mask[set->mask_count]);
    } else if (kind == 'c') {
        c = tile_cave(x % CLIFF_PHASES_X, y % CLIFF_PHASES_Y);
    } else if (rock(x, y + 1) && !water(x, y)) {
        c = tile_tuft((int)(gen_hash(x, y, 401) % TUFT_COUNT));
    }
    if (!c)
        return LVL_WWD_TILE_NONE;
    const int before = set->count;
    const uint32_t id = set_add(set, c);
    if (set->count > before) {
        set->property[id - 1] = prop;
        set->mask_count += prop.type == LVL_WWD_TILE_MASK;
    }
    return id;
}

/* Draws a picture over cells: what was there shows through it. */
static void overlay(world_plane *plane, tile_set *set, const canvas *picture, int x0, int y0,
                    const lvl_wwd_tile_property *props)
{
    const int wide = picture->w / TILE, high = picture->h / TILE;
    for (int y = 0; y < high; y++) {
        for (int x = 0; x < wide; x++) {
            uint32_t *at = &plane->cells[(y0 + y) * plane->wide + x0 + x];
            canvas *cut = canvas_cut(picture, x * TILE, y * TILE, TILE, TILE);
            if (canvas_empty(cut)) {
                canvas_free(cut);
                continue;
            }
            if (*at != LVL_WWD_TILE_NONE) {
                canvas *both = canvas_cut(set->picture[*at - 1], 0, 0, TILE, TILE);
                canvas_blit(both, cut, 0, 0, false);
                canvas_free(cut);
                cut = both;
            }
            const int before = set->count;
            const lvl_wwd_tile_property under =
                *at == LVL_WWD_TILE_NONE ? prop_single(TILE, 0) : set->property[*at - 1];
            *at = set_add(set, cut);
            if (set->count > before)
                set->property[*at - 1] = props && props[y * wide + x].type ? props[y * wide + x] : under;
        }
    }
}

static void make_action(world *w)
{
    world_plane *plane = world_add_plane(w, "Action", "ACTION", TILE, WIDE, HIGH);
    tile_set *set = &w->set[plane->set];
    plane->flags = LVL_WWD_PLANE_MAIN;
    w->main = w->plane_count - 1;
    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++)
            plane->cells[y * WIDE + x] = make_cell(set, x, y);

    canvas *tower = draw_lighthouse();
    overlay(plane, set, tower, 38, 1, NULL);
    canvas_free(tower);

    int sag[8];
    lvl_wwd_tile_property props[16] = {{0}};
    canvas *bridge = draw_bridge(5, sag);
    for (int i = 0; i < 5; i++)
        props[5 + i] = prop_double(TILE, 0, 2, 0, sag[i], 63, sag[i] + 10);
    overlay(plane, set, bridge, 27, 8, props);
    canvas_free(bridge);
}

static void add_back(world *w, const char *name, const char *set, canvas *picture, int movement_x,
                     int movement_y, int z)
{
    world_plane *p = world_add_plane(w, name, set, TILE, picture->w / TILE, picture->h / TILE);
    p->flags = LVL_WWD_PLANE_WRAP_X;
    p->movement_x = movement_x;
    p->movement_y = movement_y;
    p->z = z;
    plane_from_picture(w, p, picture);
    canvas_free(picture);
}

#define PX(column) ((column)*TILE)

static lvl_wwd_object *patrol(lvl_wwd_object *o, int from, int to)
{
    o->min_x = PX(from);
    o->max_x = PX(to);
    return o;
}

static void coins(world *w, int x, int y, int count, int step, int arch)
{
    for (int i = 0; i < count; i++) {
        const int t = count > 1 ? i * 2048 / (count - 1) - 1024 : 0;
        lvl_wwd_object *o = world_add(w, "TreasurePowerup", "GAME_TREASURE_COINS", x + i * step,
                                      y - arch + (int)((int64_t)arch * t * t / SQUARE_ONE), 1000);
        o->animation = lvl_text_of("GAME_COINS");
    }
}

static void add_people(world *w)
{
    lvl_wwd_object *o = world_stand(w, "DoNothingNormal", "CLAW_APPRENTICE", PX(34) + 20, PX(9), 4000);
    o->name = lvl_text_of("the keeper's apprentice");
    o->animation = lvl_text_of("CLAW_APPRENTICE");

    static const struct {
        const char *logic, *set, *animation;
        int x, y, from, to, drop;
        bool mirror;
    } folk[] = {
        {"Soldier", "LEVEL_HERMIT", "LEVEL_HERMIT", PX(24) + 30, PX(9), 23, 27, 33, false},
        {"Soldier", "LEVEL_HERMIT", "LEVEL_HERMIT", PX(43) + 2, PX(9), 42, 47, 1, true},
        {"Officer", "LEVEL_HERMIT", "LEVEL_HERMIT", PX(14), PX(9), 12, 16, 25, true},
        {"Officer", "LEVEL_HERMIT", "LEVEL_HERMIT", PX(54), PX(9), 51, 57, 31, true},
        {"HermitCrab", "LEVEL_CRAB", "LEVEL_CRAB", PX(35) + 16, PX(12), 33, 41, 0, false},
        {"HermitCrab", "LEVEL_CRAB", "LEVEL_CRAB", PX(17) + 10, PX(10), 16, 18, 0, false},
    };
    for (int i = 0; i < (int)(sizeof(folk) / sizeof(folk[0])); i++) {
        o = patrol(world_stand(w, folk[i].logic, folk[i].set, folk[i].x, folk[i].y, 4000), folk[i].from,
                   folk[i].to);
        o->animation = lvl_text_of(folk[i].animation);
        o->powerup = folk[i].drop;
        o->damage = 5 + i;
        o->health = 10;
        o->draw_flags = folk[i].mirror ? LVL_WWD_DRAW_MIRROR : 0;
    }
    static const int gulls[][4] = {
        {30, 330, 0, 1}, {35, 236, 1, 3}, {18, 250, 0, 2}, {47, 190, 1, 1}, {7, 230, 0, 4}};
    for (int i = 0; i < 5; i++) {
        o = patrol(world_add(w, "Seagull", "LEVEL_GULL", PX(gulls[i][0]) + 20, gulls[i][1], 4100),
                   gulls[i][0] - 3, gulls[i][0] + 4);
        o->draw_flags = gulls[i][2] ? LVL_WWD_DRAW_MIRROR : 0;
        o->i = gulls[i][3];
        o->animation = lvl_text_of("LEVEL_GULL");
    }
    for (int i = 0; i < 3; i++) {
        o = world_add(w, "Fish", "LEVEL_FISH", PX(9) + i * PX(20) + 20, PX(ROW_SEA) + 20, 4000);
        o->min_y = PX(ROW_SEA) - 90;
        o->max_y = PX(ROW_SEA) + 40;
    }
}

static void add_treasure(world *w)
{
    coins(w, PX(27) + 30, PX(9) - 30, 6, 52, -14);
    coins(w, PX(16) + 40, PX(8) - 30, 4, 64, 0);
    coins(w, PX(11) + 32, PX(6) - 30, 5, 60, 26);
    coins(w, PX(48), PX(9) - 30, 3, 62, 0);
    coins(w, PX(8) + 10, PX(10) - 20, 3, 50, 40);
    static const struct {
        const char *set;
        int x, y;
    } gems[] = {
        {"GAME_TREASURE_GEMS_RED", PX(37) + 4, PX(11) + 36},
        {"GAME_TREASURE_GEMS_GREEN", PX(38), PX(11) + 12},
        {"GAME_TREASURE_GEMS_BLUE", PX(38) + 60, PX(11) + 36},
        {"GAME_TREASURE_CHALICE", PX(40), PX(12) - 20},
        {"GAME_TREASURE_GEMS_PURPLE", PX(2) + 20, PX(4) - 20},
        {"GAME_TREASURE_CHALICE", PX(56) + 30, PX(6) - 22},
        {"GAME_TREASURE_GEMS_RED", PX(18) + 32, PX(7) - 10},
    };
    for (int i = 0; i < (int)(sizeof(gems) / sizeof(gems[0])); i++)
        world_add(w, "TreasurePowerup", gems[i].set, gems[i].x, gems[i].y, 1000)->score = 500 * (i + 1);
    for (int i = 0; i < 4; i++)
        world_add(w, "AniCycle", "GAME_GLINT", PX(37) + i * 46, PX(11) + 10 + (i & 1) * 22, 1001)->animation =
            lvl_text_of("GAME_GLINT");
    world_add(w, "HealthPowerup", "GAME_HEALTH_POTION", PX(17) - 20, PX(10) - 26, 1000)->animation =
        lvl_text_of("GAME_POTION");
    world_add(w, "EndOfLevelPowerup", "GAME_MAPPIECE", PX(57) + 20, PX(5) - 24, 1000);

    lvl_wwd_object *o = world_stand(w, "FrontCrate", "LEVEL_CRATES", PX(44) + 50, PX(9), 5000);
    o->powerup = 33;
    o->user_rect1 = (lvl_wwd_rect){33, 33, 25, 0};
    o = world_stand(w, "FrontCrate", "LEVEL_CRATES", PX(25) + 60, PX(9), 5000);
    o->powerup = 45;
    o = world_stand(w, "FrontCrate", "LEVEL_CRATES", PX(5) + 30, PX(9), 5000);
    o->powerup = 26;
    o->i = 2;
    o = world_stand(w, "BehindCrate", "LEVEL_BARREL", PX(33) + 36, PX(12), 1000);
    o->powerup = 1;
    o = world_stand(w, "BehindCrate", "LEVEL_BARREL", PX(45) + 50, PX(9), 1000);
    o->powerup = 33;
}

static void add_works(world *w)
{
    lvl_wwd_object *o = world_stand(w, "Checkpoint", "GAME_CHECKPOINTFLAG", PX(36) + 20, PX(9), 900);
    o->animation = lvl_text_of("GAME_CHECKPOINTFLAG");
    o = world_stand(w, "FirstSuperCheckpoint", "GAME_CHECKPOINTFLAG", PX(13) + 44, PX(9), 900);
    o->animation = lvl_text_of("GAME_CHECKPOINTFLAG");
    o = world_add(w, "Elevator", "LEVEL_LIFT", PX(22), PX(8) + 10, 900);
    o->min_y = PX(6);
    o->max_y = PX(10);
    o->speed_y = 60;
    o = world_add(w, "StartElevator", "LEVEL_LIFT", PX(50) + 30, PX(5), 900);
    o->min_x = PX(46);
    o->max_x = PX(54);
    o->speed_x = 90;
    static const int spikes[] = {52, 53};
    for (int i = 0; i < 2; i++) {
        o = world_stand(w, i ? "FloorSpike2" : "FloorSpike", "LEVEL_FLOORSPIKE", PX(spikes[i]) + 10, PX(9),
                        4500);
        o->i = 2 + i;
        o->damage = 10;
        o->time_delay = 750 * i;
    }
    o = world_add(w, "SmallSoundTrigger", "", PX(4), PX(8), 0);
    o->animation = lvl_text_of("LEVEL_AMBIENT_SURF");
    o->smarts = 1;
    o->draw_flags = LVL_WWD_DRAW_HIDDEN;
    o = world_add(w, "GlobalAmbientSound", "", PX(1), PX(1), 0);
    o->animation = lvl_text_of("LEVEL_AMBIENT_WIND");
    o->damage = 60;
    o->move_rect = (lvl_wwd_rect){4000, 9000, 2000, 6000};
}

static void add_scenery(world *w)
{
    static const struct {
        const char *logic, *set;
        int x, row, z;
        bool mirror;
    } scene[] = {
        {"BehindCandy", "LEVEL_PINE", PX(24) - 10, 9, 800, false},
        {"BehindCandy", "LEVEL_PINE", PX(46), 9, 790, true},
        {"BehindCandy", "LEVEL_PINE", PX(42) + 34, 9, 780, false},
        {"BehindCandy", "LEVEL_PINE", PX(3) + 40, 6, 780, false},
        {"BehindCandy", "LEVEL_PINE", PX(59) - 4, 4, 780, true},
        {"BehindCandy", "LEVEL_PINE", PX(15) + 10, 9, 780, true},
        {"BehindCandy", "LEVEL_BUSH", PX(42), 9, 820, false},
        {"FrontCandy", "LEVEL_BUSH", PX(32) + 30, 9, 5100, false},
        {"BehindCandy", "LEVEL_BUSH", PX(6) + 10, 9, 820, false},
        {"FrontCandy", "LEVEL_BUSH", PX(55), 9, 5100, true},
        {"BehindCandy", "LEVEL_BUSH", PX(11) + 60, 10, 820, false},
        {"FrontAniCandy", "LEVEL_LANTERN", PX(26) + 44, 9, 5050, true},
        {"FrontAniCandy", "LEVEL_LANTERN", PX(37) + 28, 9, 850, false},
        {"FrontAniCandy", "LEVEL_LANTERN", PX(16) + 16, 8, 850, false},
        {"FrontAniCandy", "LEVEL_LANTERN", PX(41) - 26, 12, 850, true},
        {"FrontAniCandy", "LEVEL_LANTERN", PX(55) + 30, 6, 850, false},
        {"BehindCandy", "LEVEL_SIGNPOST", PX(25) + 4, 9, 830, false},
        {"BehindCandy", "LEVEL_SIGNPOST", PX(5) - 30, 7, 830, false},
        {"BehindCandy", "LEVEL_ANCHOR", PX(42) - 8, 9, 840, false},
        {"BehindCandy", "LEVEL_FENCE", PX(45) + 10, 9, 810, false},
        {"BehindCandy", "LEVEL_FENCE", PX(23) + 44, 9, 835, false},
    };
    for (int i = 0; i < (int)(sizeof(scene) / sizeof(scene[0])); i++) {
        lvl_wwd_object *o =
            world_stand(w, scene[i].logic, scene[i].set, scene[i].x, PX(scene[i].row), scene[i].z);
        o->draw_flags = scene[i].mirror ? LVL_WWD_DRAW_MIRROR : 0;
        if (strcmp(scene[i].logic, "FrontAniCandy") == 0)
            o->animation = lvl_text_of("LEVEL_LANTERN");
        if (i == 7 || i == 9)
            o->i = 2;
    }
    world_add(w, "DoNothing", "LEVEL_ROWBOAT", PX(29) + 10, PX(ROW_SEA) + 8, -100);
    world_add(w, "DoNothing", "LEVEL_ROWBOAT", PX(49) + 40, PX(ROW_SEA) + 8, -100)->draw_flags =
        LVL_WWD_DRAW_MIRROR;
}

world *make_cliffs(void)
{
    world *w = calloc(1, sizeof(*w));
    if (!w)
        return NULL;
    w->name = "Grey Cliffs - Level 1";
    w->author = "The lvl samples";
    w->birth = "November 21, 2026";
    w->image_dir = "\\LEVEL1\\TILES";
    w->pal_rez = "\\LEVEL1\\PALETTES\\MAIN.PAL";
    w->image_set[0] = "\\LEVEL1\\IMAGES";
    w->prefix[0] = "LEVEL";
    w->image_set[1] = "\\GAME\\IMAGES";
    w->prefix[1] = "GAME";
    w->start_x = PX(34) + 20;
    w->start_y = PX(8) + 20;

    add_back(w, "Sky", "SKY", draw_sky(), 0, 100, -5000);
    add_back(w, "Clouds", "CLOUDS", draw_clouds(), 8, 100, -4000);
    add_back(w, "Isles", "ISLES", draw_isles(), 16, 100, -3000);
    add_back(w, "Headland", "HEADLAND", draw_headland(), 40, 100, -2000);
    make_action(w);
    add_back(w, "Front", "FRONT", draw_front(), 140, 100, 9000);

    add_scenery(w);
    add_works(w);
    add_treasure(w);
    add_people(w);
    return w;
}
