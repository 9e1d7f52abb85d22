/*
 * wap32/wwd/check.h: shared by the files that check a level.
 */
#ifndef LVL_WWD_CHECK_H
#define LVL_WWD_CHECK_H

#include "wap32/wwd/internal.h"

typedef struct lvl_wwd_checker {
    const lvl_doc *doc;
    const lvl_wwd *wwd;
    lvl_findings *findings;
    const struct lvl_art *art; /* or NULL */
    bool each; /* as in lvl_check_request */
    lvl_wwd_game game;
    const struct lvl_book *book;
    const lvl_wwd_plane *main; /* or NULL */
    uint32_t main_index;
} lvl_wwd_checker;

lvl_status lvl_wwd_check_objects(const lvl_wwd_checker *c);
lvl_status lvl_wwd_check_rules(const lvl_wwd_checker *c);
lvl_status lvl_wwd_check_keys(const lvl_wwd_checker *c);
lvl_status lvl_wwd_check_art(const lvl_wwd_checker *c);

#endif
