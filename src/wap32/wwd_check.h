/*
 * wap32/wwd_check.h: what the files that check a level share.
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

lvl_status lvl_wwd_check_objects(const lvl_wwd_checker *c);
lvl_status lvl_wwd_check_art(const lvl_wwd_checker *c);

#endif
