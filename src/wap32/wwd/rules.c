/*
 * wap32/wwd/rules.c: what breaks a level in its game: the rules of the game book. Each is reported once, at
 * the first object that it concerns.
 */
#include "base/text.h"
#include "wap32/wwd/book.h"
#include "wap32/wwd/check.h"

#include <stdio.h>
#include <string.h>

enum { MAX_RULES = 256 };

typedef struct rules {
    const lvl_wwd_checker *c;
    const lvl_book *book;
    uint32_t base; /* 0: none */
    uint32_t found[MAX_RULES], first[MAX_RULES]; /* of each rule: objects, and the first of them */
} rules;

static uint32_t index_of(const rules *r, const char *id)
{
    for (uint32_t i = 0; i < r->book->rule_count; i++) {
        if (strcmp(r->book->rules[i].def.id, id) == 0)
            return i;
    }
    return MAX_RULES - 1; /* scripts/check-fields finds an id that the book does not have */
}

/* The meaning of a rule without its last point: what it is to a player. */
static lvl_text meaning_of(const lvl_finding_def *def)
{
    const lvl_text text = lvl_text_of(def->meaning);

    return (lvl_text){text.ptr, text.len - (text.len && text.ptr[text.len - 1] == '.')};
}

/* Says where it is, and what that means. */
static void report_rule(const rules *r, const char *id, lvl_where where, const char *text)
{
    const lvl_finding_def *def = lvl_book_rule_def(r->book, id);
    const lvl_text meaning = meaning_of(def);

    lvl_report_at(r->c->findings, def, where, "%s: %.*s", text, (int)meaning.len, meaning.ptr);
}

static const lvl_wwd_object *object_at(const rules *r, uint32_t index)
{
    return &r->c->main->objects[index];
}

/* Reports `count` objects; this one is the first. */
static void report_objects(const rules *r, uint32_t rule, uint32_t object, uint32_t count)
{
    const lvl_wwd_object *o = object_at(r, object);
    const lvl_where where = lvl_wwd_at_object(r->c->main_index, object);
    const lvl_finding_def *def = &r->book->rules[rule].def;
    char shown[96];

    lvl_text_show(shown, sizeof shown, r->c->doc->codepage, o->logic);
    const lvl_text meaning = meaning_of(def);
    if (count == 1)
        lvl_report_at(r->c->findings, def, where, "%s at %d, %d: %.*s", shown, o->x, o->y, (int)meaning.len,
                      meaning.ptr);
    else
        lvl_report_at(r->c->findings, def, where, "%u objects, the first is %s at %d, %d: %.*s", count, shown,
                      o->x, o->y, (int)meaning.len, meaning.ptr);
}

static void tally(rules *r, uint32_t rule, uint32_t object)
{
    if (r->c->each)
        report_objects(r, rule, object, 1);
    else if (!r->found[rule]++)
        r->first[rule] = object;
}

/* Counts the object for a rule that is checked here. */
static void tally_id(rules *r, const char *id, uint32_t object)
{
    tally(r, index_of(r, id), object);
}

static void report_tallies(const rules *r)
{
    for (uint32_t i = 0; i < r->book->rule_count; i++) {
        if (r->found[i])
            report_objects(r, i, r->first[i], r->found[i]);
    }
}

/* ---- tiles --------------------------------------------------------------------------------------------- */

static bool is_inside(const rules *r, int64_t x, int64_t y)
{
    const lvl_wwd_plane *p = r->c->main;

    return x >= 0 && y >= 0 && x < (int64_t)p->tiles.width * p->tile_width &&
           y < (int64_t)p->tiles.height * p->tile_height;
}

/* The attribute of a number of a tile, at px x, y in it; -1: unknown. */
static int32_t attribute_of(const rules *r, uint32_t tile, int32_t x, int32_t y)
{
    const lvl_wwd *wwd = r->c->wwd;

    if (tile == LVL_WWD_TILE_NONE || tile == LVL_WWD_TILE_FILLED)
        return 0;
    if ((tile & 0xFFFF) >= wwd->tile_property_count)
        return -1;
    const lvl_wwd_tile_property *p = &wwd->tile_properties[tile & 0xFFFF];
    if (p->type == LVL_WWD_TILE_SINGLE)
        return p->attribute;
    if (p->type != LVL_WWD_TILE_DOUBLE)
        return -1;
    return x >= p->rect.left && x <= p->rect.right && y >= p->rect.top && y <= p->rect.bottom ? p->inside
                                                                                              : p->outside;
}

static uint32_t tile_at(const rules *r, int64_t x, int64_t y)
{
    const lvl_wwd_plane *p = r->c->main;

    return lvl_cell(&p->tiles, (uint32_t)(x / p->tile_width), (uint32_t)(y / p->tile_height));
}

/* The attribute at a point of the level; -1: unknown, or outside. */
static int32_t attribute_at(const rules *r, int64_t x, int64_t y)
{
    const lvl_wwd_plane *p = r->c->main;

    return is_inside(r, x, y) ? attribute_of(r, tile_at(r, x, y), (int32_t)(x % p->tile_width),
                                             (int32_t)(y % p->tile_height))
                              : -1;
}

enum { CLEAR = 0, SOLID = 1, DEATH = 4 };

/* ---- Claw ---------------------------------------------------------------------------------------------- */

typedef struct claw {
    uint32_t exits, bosses, stagers, warps, first_boss, first_warp;
    uint32_t points_only, first_points_only;
    uint32_t no_target, first_no_target;
    uint32_t super[2], first_super[2];
} claw;

/* The number of the item that ends the level. */
static bool drops_exit(const rules *r, const lvl_book_thing *thing, const lvl_wwd_object *o)
{
    enum { EXIT = 31 };
    const lvl_book_use *use;

    for (uint32_t i = 0; (use = lvl_book_use_at(r->book, thing, i)); i++) {
        for (uint32_t k = 0; use->names && k < use->count; k++) {
            if (lvl_book_number(&r->book->fields[use->first + k], o) == EXIT)
                return true;
        }
    }
    return false;
}

/* Whether the thing gets a target: a boss whose gem ends the level, a warp. */
static bool has_target_use(const rules *r, const lvl_book_thing *thing)
{
    const lvl_book_use *use;

    for (uint32_t i = 0; (use = lvl_book_use_at(r->book, thing, i)); i++) {
        if (use->shape == LVL_SHAPE_POINT)
            return true;
    }
    return false;
}

static bool is_item_picture(const rules *r, lvl_text picture)
{
    for (uint32_t i = 0; i < r->book->picture_count; i++) {
        if (lvl_text_equal_nocase(picture, lvl_text_of(r->book->pictures[i].name)))
            return true;
    }
    return false;
}

static bool shows_exit(const lvl_wwd_object *o)
{
    return lvl_text_equal_nocase(o->image_set, lvl_text_of("GAME_MAPPIECE")) ||
           lvl_text_equal_nocase(o->image_set, lvl_text_of("LEVEL_GEM"));
}

static void count_first(uint32_t *count, uint32_t *first, uint32_t index)
{
    if (!(*count)++)
        *first = index;
}

static void check_target(rules *r, const lvl_wwd_object *o, uint32_t index)
{
    if (o->speed_x <= 0 || o->speed_y <= 0)
        return;
    const int32_t attribute = attribute_at(r, o->speed_x, o->speed_y);
    if (!is_inside(r, o->speed_x, o->speed_y))
        tally_id(r, "claw.warp.outside", index);
    else if (attribute == SOLID)
        tally_id(r, "claw.warp.solid", index);
    else if (attribute == DEATH)
        tally_id(r, "claw.warp.death", index);
}

static void check_pickup(rules *r, claw *n, const lvl_wwd_object *o, uint32_t index)
{
    const bool is_points =
        lvl_text_is(o->logic, "TreasurePowerup") || lvl_text_is(o->logic, "GlitterlessPowerup");

    if (shows_exit(o)) {
        n->exits += lvl_text_is(o->logic, "SpecialPowerup") || lvl_text_is(o->logic, "SuperPowerup");
        if (is_points)
            count_first(&n->points_only, &n->first_points_only, index);
    }
    if (!is_item_picture(r, o->image_set))
        tally_id(r, "claw.pickup.picture", index);
}

static void check_claw_object(rules *r, claw *n, const lvl_book_thing *thing, uint32_t index)
{
    const lvl_wwd_object *o = object_at(r, index);
    const bool boss = thing->kind == LVL_KIND_BOSS && has_target_use(r, thing);
    const lvl_book_kind kind = lvl_wwd_kind_of(thing, o);

    n->exits += kind == LVL_KIND_EXIT || kind == LVL_KIND_SCRIPT;
    if (kind == LVL_KIND_ENEMY || kind == LVL_KIND_CONTAINER)
        n->exits += drops_exit(r, thing, o);
    if (boss) {
        count_first(&n->bosses, &n->first_boss, index);
        if (o->speed_x > 0 && o->speed_y > 0)
            n->exits++;
        else
            count_first(&n->no_target, &n->first_no_target, index);
    }
    if (thing->kind == LVL_KIND_PICKUP)
        check_pickup(r, n, o, index);
    if (kind == LVL_KIND_WARP)
        check_target(r, o, index);
    if (kind == LVL_KIND_ENEMY && attribute_at(r, o->x, o->y) == SOLID)
        tally_id(r, "claw.enemy.solid", index);
    if (thing->bases && r->base && !(thing->bases >> r->base & 1) && (boss || kind == LVL_KIND_ENEMY))
        tally_id(r, boss ? "claw.boss.base" : "claw.enemy.base", index);
    n->stagers += lvl_text_is(o->logic, "BossStager");
    if (lvl_text_is(o->logic, "BossWarp"))
        count_first(&n->warps, &n->first_warp, index);
    if (lvl_text_is(o->logic, "FirstSuperCheckpoint"))
        count_first(&n->super[0], &n->first_super[0], index);
    if (lvl_text_is(o->logic, "SecondSuperCheckpoint"))
        count_first(&n->super[1], &n->first_super[1], index);
}

/* Whether a platform is above y, where something falls down from the start. */
static bool has_platform(const rules *r, int64_t y)
{
    const lvl_wwd *wwd = r->c->wwd;

    for (uint32_t i = 0; i < r->c->main->object_count; i++) {
        const lvl_wwd_object *o = object_at(r, i);
        const lvl_book_thing *thing = lvl_book_find(r->book, o->logic);
        const int64_t dx = (int64_t)o->x - wwd->start_x;
        if (thing && thing->kind == LVL_KIND_PLATFORM && dx >= -64 && dx <= 64 && o->y >= wwd->start_y &&
            o->y <= y)
            return true;
    }
    return false;
}

static void check_start(const rules *r)
{
    const lvl_wwd *wwd = r->c->wwd;
    const lvl_where where = LVL_AT_ROOT(lvl_wwd, start_x);
    const int64_t bottom = (int64_t)r->c->main->tiles.height * r->c->main->tile_height;
    int64_t y = wwd->start_y;
    int32_t attribute = attribute_at(r, wwd->start_x, y);
    char text[96];

    /* outside is another finding; no real level is higher than 2^16 px */
    if (!is_inside(r, wwd->start_x, y) || bottom > 1 << 20)
        return;
    snprintf(text, sizeof text, "at %d, %d", wwd->start_x, wwd->start_y);
    if (attribute == SOLID)
        report_rule(r, "claw.start.solid", where, text);
    while (attribute == CLEAR && ++y < bottom)
        attribute = attribute_at(r, wwd->start_x, y);
    if (attribute == CLEAR && !has_platform(r, bottom))
        report_rule(r, "claw.start.falls", where, text);
    else if (attribute == DEATH && !has_platform(r, y))
        report_rule(r, "claw.start.death", where, text);
}

static void report_claw(rules *r, const claw *n)
{
    const uint32_t plane = r->c->main_index;

    if (!n->exits && !n->bosses)
        report_rule(r, "claw.exit.none", lvl_wwd_at_plane(plane), "in the main plane");
    if (!n->exits && n->points_only)
        tally_id(r, "claw.exit.points_only", n->first_points_only);
    if (!n->exits && n->no_target)
        tally_id(r, "claw.boss.no_target", n->first_no_target);
    if (n->bosses && !n->stagers)
        tally_id(r, "claw.boss.no_stager", n->first_boss);
    if (n->warps && !n->stagers)
        tally_id(r, "claw.boss.warp_no_stager", n->first_warp);
    for (size_t i = 0; i < 2; i++) {
        if (n->super[i] > 1)
            tally_id(r, "claw.checkpoint.twice", n->first_super[i]);
    }
    check_start(r);
}

/* ---- Gruntz -------------------------------------------------------------------------------------------- */

/* What stands on a tile. */
enum { SWITCH = 1, BRICK = 2, ROCK = 4, LEAVES_TILE = 8, LEAVES_SWITCH = 16, TWICE = 32, ADDRESSES = 65536 };

typedef struct gruntz {
    uint8_t *on; /* for each address of a tile */
    uint32_t grunts[4], exits, stones, puddles, first_puddle, first_grunt[4];
} gruntz;

static bool contains(lvl_text text, const char *part)
{
    const size_t len = strlen(part);

    for (size_t i = 0; i + len <= text.len; i++) {
        if (memcmp(text.ptr + i, part, len) == 0)
            return true;
    }
    return false;
}

static uint32_t column_of(const lvl_wwd_object *o)
{
    return (uint32_t)o->x / 32;
}

static uint32_t row_of(const lvl_wwd_object *o)
{
    return (uint32_t)o->y / 32;
}

static uint32_t address_of(const lvl_wwd_object *o)
{
    return (column_of(o) << 8 | row_of(o)) & (ADDRESSES - 1);
}

static bool is_switch_attribute(int32_t attribute)
{
    return attribute >= 0x33 && attribute <= 0x42;
}

static void mark_object(rules *r, gruntz *g, const lvl_wwd_object *o)
{
    uint8_t *on = &g->on[address_of(o)];

    if (lvl_text_is(o->logic, "TileTriggerSwitch"))
        *on |= *on & SWITCH ? TWICE : SWITCH;
    if (lvl_text_is(o->logic, "Brickz"))
        *on |= BRICK;
    if (lvl_text_is(o->logic, "CoveredPowerup") && o->smarts)
        *on |= is_switch_attribute(attribute_of(r, (uint32_t)o->smarts, 0, 0)) ? LEAVES_TILE | LEAVES_SWITCH
                                                                               : LEAVES_TILE;
    if (!lvl_text_is(o->logic, "GiantRock"))
        return;
    for (uint32_t i = 0; i < 9; i++)
        g->on[((column_of(o) + i % 3 - 1) << 8 | ((row_of(o) + i / 3 - 1) & 0xFF)) & (ADDRESSES - 1)] |= ROCK;
}

/* The keys of an object that name no switch. */
static bool has_lost_key(const rules *r, const gruntz *g, const lvl_book_thing *thing,
                         const lvl_wwd_object *o)
{
    const lvl_book_use *use;

    for (uint32_t i = 0; (use = lvl_book_use_at(r->book, thing, i)); i++) {
        for (uint32_t k = 0; use->shape == LVL_SHAPE_ADDRESS && use->count > 1 && k < use->count; k++) {
            const int64_t key = lvl_book_number(&r->book->fields[use->first + k], o);
            if (key && (key < 0 || key >= ADDRESSES || !(g->on[key] & SWITCH)))
                return true;
        }
    }
    return false;
}

/* Whether a key follows an empty one. */
static bool has_gap(const rules *r, const lvl_book_thing *thing, const lvl_wwd_object *o)
{
    const lvl_book_use *use;
    bool empty = false;

    for (uint32_t i = 0; (use = lvl_book_use_at(r->book, thing, i)); i++) {
        for (uint32_t k = 0; use->shape == LVL_SHAPE_ADDRESS && k < use->count; k++) {
            const int64_t key = lvl_book_number(&r->book->fields[use->first + k], o);
            if (key && empty)
                return true;
            empty = !key;
        }
    }
    return false;
}

static void check_switch(rules *r, const gruntz *g, const lvl_wwd_object *o, uint32_t index)
{
    const int32_t column = (int32_t)column_of(o), row = (int32_t)row_of(o);
    const int32_t attribute = attribute_at(r, o->x, o->y);
    const uint8_t on = g->on[address_of(o)];
    const bool hidden = attribute == 0x1E || attribute == 0x1F || attribute == 0x22 || attribute == 0x23;

    if (!is_switch_attribute(attribute) && !(hidden && on & LEAVES_SWITCH) &&
        !(attribute == 0x21 && on & ROCK))
        tally_id(r, "gruntz.switch.tile", index);
    if (o->id != column * 256 + row || o->speed_x != column || o->speed_y != row)
        tally_id(r, "gruntz.switch.address", index);
    if (on & TWICE)
        tally_id(r, "gruntz.switch.twice", index);
}

/* A trigger under a rock or mound needs the tile that this leaves. */
static void check_trigger(rules *r, const gruntz *g, const lvl_wwd_object *o, uint32_t index)
{
    const int32_t attribute = attribute_at(r, o->x, o->y);
    const uint8_t on = g->on[address_of(o)];
    const bool covered = attribute == 0x1E || attribute == 0x1F || attribute == 0x22;

    if ((covered && !(on & LEAVES_TILE)) || (attribute == 0x21 && !(on & ROCK)))
        tally_id(r, "gruntz.trigger.tile", index);
}

/* Where the game does not place a Grunt. */
static bool blocks_grunt(int32_t attribute, const lvl_wwd_object *o)
{
    enum { WATER = 0x0A, TOOB = 18 };
    static const uint8_t blocking[] = {0x01, 0x04, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11, 0x12,
                                       0x13, 0x1E, 0x1F, 0x20, 0x21, 0x24, 0x5D, 0x5F, 0x61, 0x63, 0x65,
                                       0x67, 0x69, 0x6C, 0x6E, 0x72, 0x74, 0x97, 0x98, 0x99, 0x9A};

    return attribute > 0 && attribute <= 0xFF && memchr(blocking, attribute, sizeof blocking) &&
           !(attribute == WATER && o->powerup == TOOB);
}

static void check_gruntz_object(rules *r, gruntz *g, const lvl_book_thing *thing, uint32_t index)
{
    const lvl_wwd_object *o = object_at(r, index);
    const uint32_t tile = is_inside(r, o->x, o->y) ? tile_at(r, o->x, o->y) & 0xFFFF : 0;
    const lvl_wwd_plane *p = r->c->main;

    if (lvl_text_is(o->logic, "TileTriggerSwitch"))
        check_switch(r, g, o, index);
    if (lvl_text_is(o->logic, "TileTrigger"))
        check_trigger(r, g, o, index);
    if (lvl_text_is(o->logic, "GruntStartingPoint") && blocks_grunt(attribute_at(r, o->x, o->y), o))
        tally_id(r, "gruntz.grunt.blocked", index);
    if (has_lost_key(r, g, thing, o))
        tally_id(r,
                 lvl_text_is(o->logic, "TileTriggerSwitch") ? "gruntz.switch.group" : "gruntz.key.unresolved",
                 index);
    if (lvl_text_is(o->logic, "CheckpointTrigger") && has_gap(r, thing, o))
        tally_id(r, "gruntz.checkpoint.keys", index);
    if (lvl_text_is(o->logic, "Brickz") && (tile < 303 || tile > 329))
        tally_id(r, "gruntz.brick.tile", index);
    if (lvl_text_is(o->logic, "CoveredPowerup") && !(tile >= 77 && tile <= 84) &&
        !(tile >= 195 && tile <= 198))
        tally_id(r, "gruntz.covered.place", index);
    if (lvl_text_is(o->logic, "GruntStartingPoint") && o->smarts >= 0 && o->smarts < 4)
        count_first(&g->grunts[o->smarts], &g->first_grunt[o->smarts], index);
    if (lvl_text_is(o->logic, "KitchenSlime") && o->speed_x == (int32_t)column_of(o) &&
        o->speed_y == (int32_t)row_of(o))
        tally_id(r, "gruntz.slime.corner", index);
    if (lvl_text_is(o->logic, "GruntPuddle"))
        count_first(&g->puddles, &g->first_puddle, index);
    if ((lvl_text_is(o->logic, "Teleporter") || lvl_text_is(o->logic, "SecretTeleporterTrigger")) &&
        !(o->speed_x >= 0 && o->speed_y >= 0 && (uint32_t)o->speed_x < p->tiles.width &&
          (uint32_t)o->speed_y < p->tiles.height))
        tally_id(r, "gruntz.teleporter.outside", index);
    g->exits += lvl_text_is(o->logic, "ExitTrigger");
    g->stones +=
        (o->powerup == 20 && (lvl_text_is(o->logic, "CoveredPowerup") || lvl_text_is(o->logic, "GiantRock") ||
                              lvl_text_is(o->logic, "GruntStartingPoint"))) ||
        contains(o->image_set, "WARPSTONEZ");
}

/* Tiles that need an object. */
static void check_gruntz_tiles(const rules *r, const gruntz *g)
{
    static const struct {
        const char *rule;
        uint8_t needs;
    } kinds[] = {{"gruntz.switch.alone", SWITCH}, {"gruntz.brick.alone", BRICK}, {"gruntz.rock.alone", ROCK}};
    const lvl_wwd_plane *p = r->c->main;

    for (size_t k = 0; k < LVL_COUNT_OF(kinds); k++) {
        uint32_t found = 0, first_x = 0, first_y = 0;
        for (uint32_t y = 0; y < p->tiles.height && y < 256; y++) {
            for (uint32_t x = 0; x < p->tiles.width && x < 256; x++) {
                const uint32_t tile = lvl_cell(&p->tiles, x, y), number = tile & 0xFFFF;
                const bool is_kind =
                    tile != LVL_WWD_TILE_NONE && tile != LVL_WWD_TILE_FILLED &&
                    (kinds[k].needs == SWITCH  ? is_switch_attribute(attribute_of(r, tile, 0, 0))
                     : kinds[k].needs == BRICK ? number >= 303 && number <= 329
                                               : number >= 286 && number <= 294);
                if (!is_kind || g->on[x << 8 | y] & kinds[k].needs)
                    continue;
                if (!found++) {
                    first_x = x;
                    first_y = y;
                }
            }
        }
        char text[64];
        snprintf(text, sizeof text, "at [%u,%u] (such tiles: %u)", first_x, first_y, found);
        if (found)
            report_rule(r, kinds[k].rule,
                        lvl_where_cell(LVL_AT(lvl_wwd_at_plane(r->c->main_index), lvl_wwd_plane, tiles),
                                       first_x, first_y),
                        text);
    }
}

static void report_gruntz(rules *r, const gruntz *g)
{
    const lvl_wwd_plane *p = r->c->main;
    const lvl_text name = lvl_text_slot(r->c->wwd->name, sizeof r->c->wwd->name);
    const lvl_where objects = LVL_AT(lvl_wwd_at_plane(r->c->main_index), lvl_wwd_plane, objects);
    char text[64];

    for (int team = 0; team < 4; team++) {
        if (g->grunts[team] > 15)
            tally_id(r, "gruntz.grunt.many", g->first_grunt[team]);
    }
    if (g->puddles > 60)
        tally_id(r, "gruntz.puddle.many", g->first_puddle);
    if (p->tiles.width > 256 || p->tiles.height > 256)
        report_rule(r, "gruntz.size", lvl_wwd_at_plane(r->c->main_index),
                    "addresses have 8 bits for a column");
    if (contains(name, "Battlez"))
        return;
    snprintf(text, sizeof text, "%u found", g->exits);
    if (g->exits != 1)
        report_rule(r, "gruntz.exit.count", objects, text);
    if (!g->grunts[0])
        report_rule(r, "gruntz.grunt.none", objects, "no GruntStartingPoint with smarts 0");
    if (!g->stones)
        report_rule(r, "gruntz.exit.no_stone", objects, "no item 20 and no picture of it");
}

/* ---- all ----------------------------------------------------------------------------------------------- */

static void check_conditions(rules *r, const lvl_book_thing *thing, uint32_t index)
{
    for (uint32_t i = 0; i < thing->rule_count; i++) {
        const uint8_t number = r->book->thing_rules[thing->first_rule + i];
        if (lvl_book_holds(r->book, &r->book->rules[number], thing, r->base, object_at(r, index)))
            tally(r, number, index);
    }
}

lvl_status lvl_wwd_check_rules(const lvl_wwd_checker *c)
{
    const lvl_wwd_plane *p = c->main;
    rules r = {.c = c, .book = c->book};
    gruntz g = {0};
    claw n = {0};

    /* whatever damage removed is reported as damage */
    if (lvl_doc_cuts(c->doc) || !p || !p->tiles.ptr || p->tiles.size != 4 || p->tile_width <= 0 ||
        p->tile_height <= 0 || (c->game != LVL_WWD_CLAW && c->game != LVL_WWD_GRUNTZ))
        return LVL_OK;
    r.base = lvl_wwd_book_base(c->wwd);
    if (c->game == LVL_WWD_GRUNTZ) {
        g.on = lvl_mem_alloc(c->doc->ctx, ADDRESSES);
        if (!g.on)
            return LVL_ERR_MEMORY;
        memset(g.on, 0, ADDRESSES);
        for (uint32_t i = 0; i < p->object_count; i++) {
            if (is_inside(&r, p->objects[i].x, p->objects[i].y))
                mark_object(&r, &g, &p->objects[i]);
        }
    }
    for (uint32_t i = 0; i < p->object_count; i++) {
        const lvl_book_thing *thing = lvl_book_find(r.book, p->objects[i].logic);
        if (!thing || !is_inside(&r, p->objects[i].x, p->objects[i].y))
            continue; /* the game does not load it */
        check_conditions(&r, thing, i);
        if (g.on)
            check_gruntz_object(&r, &g, thing, i);
        else
            check_claw_object(&r, &n, thing, i);
    }
    if (g.on) {
        report_gruntz(&r, &g);
        check_gruntz_tiles(&r, &g);
    } else {
        report_claw(&r, &n);
    }
    report_tallies(&r);
    lvl_mem_free(c->doc->ctx, g.on);
    return LVL_OK;
}
