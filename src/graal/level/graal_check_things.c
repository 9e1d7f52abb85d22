/*
 * graal/level/graal_check_things.c: rules of things in a level that players cannot use: in walls, covered by
 * others, there twice, or too many for servers.
 */
#include "graal/level/graal_check.h"

#include "base/text.h"
#include "games/ground.h"
#include "games/language.h"
#include "graal/level/graal_names.h"
#include "graal/level/graal_findings.h"
#include "graal/level/graal_stale.h"
#include "graal/tiles/graal_types.h"

/* Things of a kind that are compared with each other, or with the tiles around; real levels have fewer. */
enum { COMPARED = 1024 };

static const char *show(const lvl_graal_checker *c, lvl_text text, char out[static 80])
{
    lvl_text_show(out, 80, c->doc->codepage, text);
    return out;
}

/* ---- walls ------------------------------------------------------------------------------------------- */

/* By the classic types; `off_board`: of tiles that the level does not have. */
static bool is_blocked(const lvl_graal_checker *c, int32_t x, int32_t y, bool off_board)
{
    const uint32_t blocking = lvl_language_gs1.blocking_types & ~lvl_language_gs1.jumped_types;

    if (x < 0 || y < 0 || x >= LVL_GRAAL_SIDE || y >= LVL_GRAAL_SIDE)
        return off_board;
    return blocking >> lvl_graal_tile_type(LVL_GRAAL_CLASSIC,
                                           lvl_cell(&c->level->layers[0].tiles, (uint32_t)x, (uint32_t)y)) &
           1;
}

/* Whether all 12 tiles around a chest of 2 by 2 block. */
static bool is_walled_chest(const lvl_graal_checker *c, const lvl_graal_chest *chest)
{
    if (chest->x < 0 || chest->y < 0 || chest->x >= LVL_GRAAL_SIDE || chest->y >= LVL_GRAAL_SIDE)
        return false; /* another finding */
    for (int32_t dy = -1; dy <= 2; dy++) {
        for (int32_t dx = -1; dx <= 2; dx++) {
            const bool chest_itself = dx >= 0 && dx < 2 && dy >= 0 && dy < 2;
            if (!chest_itself && !is_blocked(c, chest->x + dx, chest->y + dy, true))
                return false;
        }
    }
    return true;
}

/* Whether all tiles of a link, and up to three beside it, block. */
static bool is_walled_link(const lvl_graal_checker *c, const lvl_graal_link *l)
{
    enum { BESIDE = 3 };

    if (!(l->x >= 0 && l->y >= 0 && l->x + l->width <= LVL_GRAAL_SIDE && l->y + l->height <= LVL_GRAAL_SIDE &&
          l->width > 0 && l->height > 0))
        return false; /* another finding */
    for (int32_t y = (int32_t)l->y - BESIDE; y < l->y + l->height + BESIDE; y++) {
        for (int32_t x = (int32_t)l->x - BESIDE; x < l->x + l->width + BESIDE; x++) {
            if (!is_blocked(c, x, y, true))
                return false;
        }
    }
    return true;
}

/* Whether scripts change tiles or move players, so that walls mean little. */
static lvl_status is_open(const lvl_graal_checker *c, bool *open)
{
    lvl_arena arena;
    lvl_ground ground;

    lvl_arena_init(&arena, c->doc->ctx);
    const lvl_status status = lvl_graal_ground(c->doc, &arena, &ground);
    *open = status != LVL_OK || ground.open;
    lvl_arena_free(&arena);
    return status;
}

static lvl_status check_walls(const lvl_graal_checker *c)
{
    const lvl_graal *level = c->level;
    const lvl_cells *grid = level->layer_count ? &level->layers[0].tiles : NULL;
    const uint32_t chests = level->chest_count < COMPARED ? level->chest_count : COMPARED,
                   links = level->link_count < COMPARED ? level->link_count : COMPARED;
    lvl_status status = LVL_OK;
    bool asked = false, open = false;
    char shown[80];

    if (!grid || !grid->ptr || grid->size != 2 || grid->width != LVL_GRAAL_SIDE ||
        grid->height != LVL_GRAAL_SIDE || level->tileset_count)
        return LVL_OK;
    for (uint32_t i = 0; i < chests + links && !open; i++) {
        const bool chest = i < chests;
        const uint32_t k = chest ? i : i - chests;
        if (!(chest ? !lvl_graal_stale_chest(&level->chests[k]) && is_walled_chest(c, &level->chests[k])
                    : is_walled_link(c, &level->links[k])))
            continue;
        if (!asked)
            status = is_open(c, &open);
        asked = true;
        if (open)
            break;
        const lvl_where where =
            lvl_graal_at(chest ? offsetof(lvl_graal, chests) : offsetof(lvl_graal, links), k);
        if (chest)
            lvl_graal_find(c->findings, LVL_GRAAL_F_CHEST_WALLED, &where,
                           "all tiles around the chest at %ld, %ld block, so nobody can open it",
                           (long)level->chests[k].x, (long)level->chests[k].y);
        else
            lvl_graal_find(c->findings, LVL_GRAAL_F_LINK_WALLED, &where,
                           "all tiles in and around the link to %s block, so nobody reaches it",
                           show(c, level->links[k].level, shown));
    }
    return status;
}

/* ---- twice ------------------------------------------------------------------------------------------- */

static bool covers(const lvl_graal_link *a, const lvl_graal_link *b)
{
    return b->width > 0 && b->height > 0 && a->x <= b->x && a->y <= b->y &&
           a->x + a->width >= b->x + b->width && a->y + a->height >= b->y + b->height;
}

static void check_covered_links(const lvl_graal_checker *c)
{
    char shown[80], other[80];

    for (uint32_t i = 1; i < c->level->link_count && i < COMPARED; i++) {
        const lvl_graal_link *l = &c->level->links[i];
        uint32_t k = 0;
        while (k < i && !covers(&c->level->links[k], l))
            k++;
        if (k == i)
            continue;
        const lvl_where where = lvl_graal_at(offsetof(lvl_graal, links), i);
        lvl_graal_find(c->findings, LVL_GRAAL_F_LINK_COVERED, &where,
                       "the link to %s lies within link %lu to %s, which players take instead",
                       show(c, l->level, shown), (unsigned long)k, show(c, c->level->links[k].level, other));
    }
}

static void check_same_chests(const lvl_graal_checker *c)
{
    for (uint32_t i = 1; i < c->level->chest_count && i < COMPARED; i++) {
        const lvl_graal_chest *chest = &c->level->chests[i];
        uint32_t k = 0;
        while (k < i && (c->level->chests[k].x != chest->x || c->level->chests[k].y != chest->y))
            k++;
        if (k == i || lvl_graal_stale_chest(chest))
            continue;
        const lvl_where where = lvl_graal_at(offsetof(lvl_graal, chests), i);
        lvl_graal_find(c->findings, LVL_GRAAL_F_CHEST_TWICE, &where,
                       "two chests are at %ld, %ld: servers open both if a player opens one", (long)chest->x,
                       (long)chest->y);
    }
}

static bool is_same_npc(const lvl_graal_npc *a, const lvl_graal_npc *b)
{
    return a->x == b->x && a->y == b->y && lvl_text_equal(a->image, b->image) &&
           lvl_text_equal(a->script, b->script);
}

static void check_same_npcs(const lvl_graal_checker *c)
{
    char shown[80];

    for (uint32_t i = 1; i < c->level->npc_count && i < COMPARED; i++) {
        const lvl_graal_npc *npc = &c->level->npcs[i];
        uint32_t k = 0;
        while (k < i && !is_same_npc(&c->level->npcs[k], npc))
            k++;
        if (k == i || !npc->script.len || lvl_graal_stale_npc(c->level, i) != LVL_STALE_NONE)
            continue;
        const lvl_where where = lvl_graal_at(offsetof(lvl_graal, npcs), i);
        lvl_graal_find(c->findings, LVL_GRAAL_F_NPC_TWICE, &where,
                       "the same as NPC %lu, at %g, %g%s%s: it is drawn and its script is run twice",
                       (unsigned long)k, npc->x, npc->y, npc->image.len ? ", " : "",
                       show(c, npc->image, shown));
    }
}

/* ---- names ------------------------------------------------------------------------------------------- */

static bool ends_with(lvl_text text, const char *end)
{
    const lvl_text last = lvl_text_of(end);

    return text.len >= last.len &&
           lvl_text_equal_nocase((lvl_text){text.ptr + text.len - last.len, last.len}, last);
}

static void check_names(const lvl_graal_checker *c)
{
    char shown[80];

    for (uint32_t i = 0; i < c->level->link_count; i++) {
        const lvl_text name = c->level->links[i].level;
        if (!name.len || ends_with(name, ".nw") || ends_with(name, ".graal") || ends_with(name, ".zelda") ||
            ends_with(name, ".gmap"))
            continue;
        const lvl_where where = lvl_where_member(lvl_graal_at(offsetof(lvl_graal, links), i),
                                                 &lvl_graal_link_table, offsetof(lvl_graal_link, level));
        lvl_graal_find(c->findings, LVL_GRAAL_F_LINK_ENDING, &where,
                       "\"%s\" does not end in .nw, .graal, .zelda or .gmap: players may not go this way",
                       show(c, name, shown));
    }
    for (uint32_t i = 0; i < c->level->npc_count; i++) {
        const lvl_text name = c->level->npcs[i].image;
        const bool more = ends_with(name, ";");
        if (!name.len || memchr(name.ptr, '#', name.len) || (!more && memchr(name.ptr, '.', name.len)) ||
            lvl_text_is(name, "-") || lvl_graal_stale_npc(c->level, i) != LVL_STALE_NONE)
            continue;
        const lvl_where where = lvl_where_member(lvl_graal_at(offsetof(lvl_graal, npcs), i),
                                                 &lvl_graal_npc_table, offsetof(lvl_graal_npc, image));
        lvl_graal_find(c->findings, LVL_GRAAL_F_NPC_IMAGE_NAME, &where,
                       more ? "\"%s\" ends in ; so it is not found, and the NPC is not drawn"
                            : "\"%s\" has no ending such as .png: newer clients do not find it, so the NPC "
                              "is not drawn",
                       show(c, name, shown));
    }
}

lvl_status lvl_graal_check_things(const lvl_graal_checker *c)
{
    enum { BADDIES = 50 };

    if (c->level->baddy_count > BADDIES) {
        const lvl_where where = lvl_graal_at(offsetof(lvl_graal, baddies), BADDIES);
        lvl_graal_find(c->findings, LVL_GRAAL_F_BADDY_MANY, &where,
                       "%lu baddies: servers leave out those after the first 50",
                       (unsigned long)c->level->baddy_count);
    }
    check_covered_links(c);
    check_same_chests(c);
    check_same_npcs(c);
    check_names(c);
    return check_walls(c);
}
