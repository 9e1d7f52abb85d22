/*
 * graal/graal_links.c: where levels and maps lead: what of a level's links goes over an edge to a neighbour.
 */
#include "graal/graal_check.h"
#include "graal/gmap_internal.h"
#include "graal/world.h"

/* Whether the destination along an edge is about where the player came from: written as such ("playery", and
 * up to GR-V1.02 -1), or a number near the link. */
static bool stays(lvl_text dest, double from, double to)
{
    double value;

    switch (lvl_graal_dest_kind(dest, &value)) {
    case LVL_DEST_EXPRESSION: return true;
    case LVL_DEST_NUMBER: return value == -1 || (value >= from - 4 && value <= to + 4);
    default: return false;
    }
}

static bool between(lvl_text dest, double from, double to)
{
    double value;

    return lvl_graal_dest_kind(dest, &value) == LVL_DEST_NUMBER && value >= from && value <= to;
}

lvl_link_kind lvl_graal_link_kind_of(const lvl_graal_link *l)
{
    /* A player is about 3 tiles wide, with its place in the corner: 61 is at the far edge. */
    enum { EDGE = 2, NEAR = 5, FAR = 57 };
    const double side = LVL_GRAAL_SIDE, right = l->x + l->width, bottom = l->y + l->height;

    if (l->x < EDGE && l->width <= EDGE + 1 && between(l->dest_x, FAR, side) &&
        stays(l->dest_y, l->y, bottom))
        return LVL_WAY_LEFT;
    if (right > side - EDGE && l->width <= EDGE + 1 && between(l->dest_x, -1, NEAR) &&
        stays(l->dest_y, l->y, bottom))
        return LVL_WAY_RIGHT;
    if (l->y < EDGE && l->height <= EDGE + 1 && between(l->dest_y, FAR, side) &&
        stays(l->dest_x, l->x, right))
        return LVL_WAY_UP;
    if (bottom > side - EDGE && l->height <= EDGE + 1 && between(l->dest_y, -1, NEAR) &&
        stays(l->dest_x, l->x, right))
        return LVL_WAY_DOWN;
    return LVL_WAY_DOOR;
}

static int32_t px(double tiles)
{
    enum { FAR = 1 << 20 };
    const double v = tiles * LVL_GRAAL_TILE;

    return v > -FAR && v < FAR ? (int32_t)v : v < 0 ? -FAR : FAR; /* no number: far away too */
}

lvl_status lvl_graal_links(const lvl_doc *doc,
                           lvl_status (*visit)(void *user, const struct lvl_doc_link *link), void *user)
{
    const lvl_graal *level = lvl_doc_croot(doc);
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < level->link_count && status == LVL_OK; i++) {
        const lvl_graal_link *l = &level->links[i];
        const lvl_doc_link reported = {
            .way = lvl_graal_link_kind_of(l),
            .target = l->level,
            .where = lvl_graal_at(offsetof(lvl_graal, links), i),
            .width = LVL_GRAAL_SIDE * LVL_GRAAL_TILE,
            .height = LVL_GRAAL_SIDE * LVL_GRAAL_TILE,
            .rect = {px(l->x), px(l->y), px(l->x + l->width) - 1, px(l->y + l->height) - 1}};
        if (l->level.len)
            status = visit(user, &reported);
    }
    return status;
}

lvl_status lvl_gmap_links(const lvl_doc *doc,
                          lvl_status (*visit)(void *user, const struct lvl_doc_link *link), void *user)
{
    enum { SIDE = LVL_GRAAL_SIDE * LVL_GRAAL_TILE };
    const lvl_gmap *map = lvl_doc_croot(doc);
    lvl_status status = LVL_OK;

    for (uint32_t y = 0; y < map->row_count && status == LVL_OK; y++) {
        for (uint32_t x = 0; x < map->rows[y].name_count && status == LVL_OK; x++) {
            lvl_doc_link reported = {.way = LVL_WAY_PLACE,
                                     .target = map->rows[y].names[x],
                                     .where = lvl_gmap_where_name(x, y),
                                     .column = x,
                                     .row = y};
            if (!reported.target.len)
                continue;
            const int32_t left = (int32_t)(x < LVL_WORLD_PLACES ? x : LVL_WORLD_PLACES) * SIDE,
                          top = (int32_t)(y < LVL_WORLD_PLACES ? y : LVL_WORLD_PLACES) * SIDE;
            reported.rect = (lvl_rect){left, top, left + SIDE - 1, top + SIDE - 1};
            status = visit(user, &reported);
        }
    }
    return status;
}
