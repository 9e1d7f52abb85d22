/*
 * wap32/wwd_check.h: what the files of check share.
 */
#ifndef LVL_WWD_CHECK_H
#define LVL_WWD_CHECK_H

#include "wap32/wwd_internal.h"

typedef struct lvl_wwd_checker {
    const lvl_doc *doc;
    const lvl_wwd *wwd;
    lvl_findings *findings;
    const struct lvl_art *art; /* or NULL */
    lvl_wwd_game game;
    const lvl_wwd_plane *main; /* or NULL */
    uint32_t main_index;
} lvl_wwd_checker;

/* Places: a member of the header, a plane, an object of it, a tile property. */
static inline lvl_where lvl_wwd_at(size_t member)
{
    return lvl_where_member(lvl_where_root(), &lvl_wwd_table, member);
}

static inline lvl_where lvl_wwd_at_plane(uint32_t plane)
{
    return lvl_where_item(lvl_where_root(), &lvl_wwd_table, offsetof(lvl_wwd, planes), plane);
}

static inline lvl_where lvl_wwd_at_object(uint32_t plane, uint32_t object)
{
    return lvl_where_item(lvl_wwd_at_plane(plane), &lvl_wwd_plane_table, offsetof(lvl_wwd_plane, objects),
                          object);
}

static inline lvl_where lvl_wwd_at_property(uint32_t index)
{
    return lvl_where_item(lvl_where_root(), &lvl_wwd_table, offsetof(lvl_wwd, tile_properties), index);
}

lvl_status lvl_wwd_check_objects(const lvl_wwd_checker *c);
lvl_status lvl_wwd_check_art(const lvl_wwd_checker *c);

#endif
