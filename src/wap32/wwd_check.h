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

void lvl_wwd_report(const lvl_wwd_checker *c, lvl_wwd_finding what, const lvl_where *where, const char *fmt,
                    ...) LVL_PRINTF(4, 5);

/* Places: a member of the header, a plane, an object of it, a tile property; a member of what a place names.
 */
lvl_where lvl_wwd_at(size_t member);
lvl_where lvl_wwd_at_plane(uint32_t plane);
lvl_where lvl_wwd_at_object(uint32_t plane, uint32_t object);
lvl_where lvl_wwd_at_property(uint32_t index);
lvl_where lvl_wwd_member(lvl_where where, const lvl_table *table, size_t member);

lvl_status lvl_wwd_check_objects(const lvl_wwd_checker *c);
lvl_status lvl_wwd_check_art(const lvl_wwd_checker *c);

#endif
