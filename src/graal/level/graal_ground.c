/*
 * graal/level/graal_ground.c: where players can walk in a level, and what leads out of it: links, and warps
 * in scripts.
 *
 * A step is refused if the tile below one point of the player blocks (1.5 tiles right of and 2 below its
 * corner); the client tests more points, but which is not certain, and a place is called unreachable only if
 * it certainly is. If a script changes tiles or moves the player, all of the level counts as open.
 */
#include "base/text.h"
#include "codec/json.h"
#include "games/ground.h"
#include "games/language.h"
#include "graal/script/graal_script.h"
#include "graal/level/graal_findings.h"
#include "graal/level/graal_level.h"
#include "graal/level/graal_links.h"
#include "graal/script/script_commands.h"
#include "graal/tiles/graal_types.h"

#include <string.h>

#define POINT_X 1.5
#define POINT_Y 2.0

typedef struct maker {
    const lvl_graal *level;
    lvl_arena *arena;
    lvl_ground *ground;
    lvl_graal_rules rules;
    uint32_t way_capacity;
    bool *named; /* signs that a script or chest shows, by index */
    bool all_named; /* a script shows signs by computed numbers */
    uint32_t npc;
    lvl_status status;
} maker;

/* ---- scripts ----------------------------------------------------------------------------------------- */

static lvl_ground_way *add_way(maker *m)
{
    lvl_ground *g = m->ground;

    if (g->way_count == m->way_capacity) {
        const uint32_t capacity = m->way_capacity * 2 + 16;
        lvl_ground_way *ways =
            capacity > m->way_capacity ? lvl_arena_array(m->arena, capacity, sizeof *ways) : NULL;
        if (!ways) {
            m->status = LVL_ERR_MEMORY;
            return NULL;
        }
        if (g->way_count)
            memcpy(ways, g->ways, g->way_count * sizeof *ways);
        g->ways = ways;
        m->way_capacity = capacity;
    }
    return &g->ways[g->way_count++];
}

static bool is_command(lvl_text word, const char *name)
{
    return lvl_text_equal_nocase(word, lvl_text_of(name));
}

/* The command without the object before it, as in player.setlevel2. */
static lvl_text without_object(lvl_text word)
{
    for (size_t i = word.len; i-- > 0;) {
        if (word.ptr[i] == '.')
            return (lvl_text){word.ptr + i + 1, word.len - i - 1};
    }
    return word;
}

static bool is_set(lvl_text args)
{
    return args.len && strchr("=+-*/:[", args.ptr[0]);
}

static void add_warp(maker *m, const lvl_language_command *command, lvl_text args)
{
    lvl_text to;
    double place[2] = {0, 0};
    bool known = command->most == 3;

    if (!lvl_graal_command_arg(&args, &to) || !to.len)
        return;
    lvl_ground_way *way = add_way(m);
    if (!way)
        return;
    for (size_t i = 0; i < 2 && known; i++)
        known = lvl_graal_command_number(&args, &place[i]);
    *way = (lvl_ground_way){.to = to,
                            .anywhere = true,
                            .x_axis = known ? LVL_AXIS_NUMBER : LVL_AXIS_ANY,
                            .y_axis = known ? LVL_AXIS_NUMBER : LVL_AXIS_ANY,
                            .x = place[0] + POINT_X,
                            .y = place[1] + POINT_Y};
}

static void read_statement(void *user, const lvl_graal_statement *s)
{
    static const char *const moves[] = {"playerx", "playery", "x", "y", "tiles", "board"};
    static const char *const changes[] = {
        "setshape2", "updateboard", "updateboard2", "setplayerx",     "setplayery",
        "setx",      "sety",        "addtiledef",   "removetiledefs", "attachplayertoobj"};
    maker *m = user;
    const lvl_text word = without_object(s->word);
    bool own = word.len != s->word.len; /* of another object: player.x */

    if (s->kind != LVL_GRAAL_COMMAND)
        return;
    for (size_t i = 0; i < LVL_COUNT_OF(moves); i++) {
        const bool short_name = moves[i][1] == 0; /* x and y are the NPC's own, but player.x the player's */
        if (is_command(word, moves[i]) && is_set(s->args) &&
            (!short_name || (own && lvl_text_begins(s->word, "player."))))
            m->ground->open = true;
    }
    for (size_t i = 0; i < LVL_COUNT_OF(changes); i++)
        m->ground->open = m->ground->open || is_command(word, changes[i]);
    const lvl_language_command *command = lvl_language_find(&lvl_language_gs1, word);
    const lvl_text kind = command ? lvl_language_arg(command, 0) : (lvl_text){0};
    if (command && lvl_text_is(kind, "level") && !is_set(s->args))
        add_warp(m, command, s->args);
    if (command && lvl_text_is(kind, "signindex") && s->args.len &&
        !(s->args.ptr[0] >= '0' && s->args.ptr[0] <= '9'))
        m->all_named = true;
}

static void read_scripts(maker *m)
{
    const lvl_graal *level = m->level;

    for (uint32_t i = 0; i < level->npc_count && m->status == LVL_OK; i++) {
        lvl_script says = {.text = level->npcs[i].script, .line = 1};
        uint32_t sign;
        lvl_graal_script_statements(level->npcs[i].script, read_statement, m);
        while (lvl_script_report(&says, &sign)) {
            if (sign < level->sign_count)
                m->named[sign] = true;
        }
    }
    for (uint32_t i = 0; i < level->chest_count; i++) {
        const int32_t sign = level->chests[i].sign;
        if (sign >= 0 && (uint32_t)sign < level->sign_count)
            m->named[sign] = true;
    }
}

/* ---- links ------------------------------------------------------------------------------------------- */

static lvl_ground_axis axis_of(lvl_text dest, const char *variable, double point, double *out)
{
    const lvl_text name = lvl_text_of(variable);
    double value = 0;

    switch (lvl_graal_dest_kind(dest, &value)) {
    case LVL_DEST_NUMBER:
        *out = value == -1 ? 0 : value + point;
        return value == -1 ? LVL_AXIS_KEPT : LVL_AXIS_NUMBER;
    case LVL_DEST_EXPRESSION:
        if (dest.len < name.len || !lvl_text_equal_nocase((lvl_text){dest.ptr, name.len}, name))
            return LVL_AXIS_ANY;
        dest = (lvl_text){dest.ptr + name.len, dest.len - name.len};
        *out = 0;
        if (dest.len && dest.ptr[0] == '+')
            dest = (lvl_text){dest.ptr + 1, dest.len - 1};
        return !dest.len || lvl_real_parse(dest, out) ? LVL_AXIS_KEPT : LVL_AXIS_ANY;
    case LVL_DEST_BROKEN: break;
    }
    return LVL_AXIS_ANY;
}

static void add_links(maker *m)
{
    for (uint32_t i = 0; i < m->level->link_count && m->status == LVL_OK; i++) {
        const lvl_graal_link *l = &m->level->links[i];
        lvl_ground_way *way = l->level.len ? add_way(m) : NULL;
        if (!way)
            continue;
        /* it is tested up to 1.5 tiles beside the point below the player, and has one more column and row */
        *way = (lvl_ground_way){.to = l->level,
                                .left = l->x - 2,
                                .top = l->y - 2,
                                .right = l->x + l->width + 2,
                                .bottom = l->y + l->height + 1,
                                .where = lvl_graal_at(offsetof(lvl_graal, links), i),
                                .unreached = &lvl_graal_findings[LVL_GRAAL_F_REACH_LINK]};
        way->x_axis = axis_of(l->dest_x, "playerx", POINT_X, &way->x);
        way->y_axis = axis_of(l->dest_y, "playery", POINT_Y, &way->y);
    }
}

/* ---- all --------------------------------------------------------------------------------------------- */

static void add_cells(maker *m)
{
    const lvl_cells *grid = m->level->layer_count ? &m->level->layers[0].tiles : NULL;
    const uint32_t blocking = lvl_language_gs1.blocking_types & ~lvl_language_gs1.jumped_types;
    lvl_ground *g = m->ground;

    if (!grid || !grid->ptr || grid->size != 2 || grid->width != g->width || grid->height != g->height)
        return;
    for (uint32_t i = 0; i < g->width * g->height; i++) {
        const unsigned type = lvl_graal_tile_type(m->rules, lvl_cell(grid, i % g->width, i / g->width));
        g->blocked[i] = blocking >> type & 1;
    }
}

static void add_thing(maker *m, size_t list, uint32_t index, int32_t x, int32_t y, unsigned what)
{
    enum { AROUND = 2, SIZE = 2 }; /* a player beside it stands up to two cells away */

    if (x < 0 || y < 0 || x >= LVL_GRAAL_SIDE || y >= LVL_GRAAL_SIDE)
        return;
    m->ground->things[m->ground->thing_count++] = (lvl_ground_thing){x - AROUND,
                                                                     y - AROUND,
                                                                     x + SIZE - 1 + AROUND,
                                                                     y + SIZE - 1 + AROUND,
                                                                     lvl_graal_at(list, index),
                                                                     &lvl_graal_findings[what]};
}

lvl_status lvl_graal_ground(const lvl_doc *doc, lvl_arena *arena, struct lvl_ground *out)
{
    const lvl_graal *level = doc->root;
    maker m = {.level = level, .arena = arena, .ground = out, .rules = LVL_GRAAL_CLASSIC};

    *out = (lvl_ground){.width = LVL_GRAAL_SIDE,
                        .height = LVL_GRAAL_SIDE,
                        .unreached = &lvl_graal_findings[LVL_GRAAL_F_REACH_LEVEL]};
    out->blocked = lvl_arena_alloc(arena, (size_t)LVL_GRAAL_SIDE * LVL_GRAAL_SIDE);
    out->things = lvl_arena_array(arena, (size_t)level->chest_count + level->sign_count, sizeof *out->things);
    m.named = lvl_arena_array(arena, level->sign_count, sizeof *m.named);
    if (!out->blocked || !out->things || !m.named)
        return LVL_ERR_MEMORY;
    add_links(&m);
    read_scripts(&m);
    add_cells(&m);
    for (uint32_t i = 0; i < level->chest_count; i++)
        add_thing(&m, offsetof(lvl_graal, chests), i, level->chests[i].x, level->chests[i].y,
                  LVL_GRAAL_F_REACH_CHEST);
    for (uint32_t i = 0; i < level->sign_count && !m.all_named; i++) {
        if (!m.named[i])
            add_thing(&m, offsetof(lvl_graal, signs), i, level->signs[i].x, level->signs[i].y,
                      LVL_GRAAL_F_REACH_SIGN);
    }
    return m.status;
}

bool lvl_graal_is_walled(const struct lvl_ground *g, double x, double y)
{
    static const double right[] = {0.5, 1.5, 2.4}, down[] = {1, 2, 2.9};

    if (g->open)
        return false;
    for (size_t i = 0; i < 9; i++) {
        const double column = x + right[i % 3], row = y + down[i / 3];
        /* off the board may be the next level of a map */
        if (!(column >= 0 && row >= 0 && column < g->width && row < g->height) ||
            !g->blocked[(uint32_t)row * g->width + (uint32_t)column])
            return false;
    }
    return true;
}
