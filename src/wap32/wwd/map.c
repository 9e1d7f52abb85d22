/*
 * wap32/wwd/map.c: a level in a map editor: planes are layers, the objects are on the main one, the tile
 * properties belong to the tiles of the main plane.
 */
#include "base/map_layout.h"
#include "base/text.h"
#include "wap32/wwd/book.h"
#include "wap32/wwd/internal.h"

#include <lvl/wwd.h>

#include <string.h>

static uint32_t main_plane(const void *root)
{
    uint32_t index = 0;

    return lvl_wwd_main_plane(root, &index) ? index : 0;
}

/* A level needs a main plane: if no plane has the flag, it is the one named Action or, failing that, the
 * second. */
static void begin(void *root)
{
    lvl_wwd *wwd = root;
    uint32_t main = wwd->plane_count > 1 ? 1 : 0;

    if (!wwd->plane_count || lvl_wwd_main_plane(wwd, NULL))
        return;
    for (uint32_t i = 0; i < wwd->plane_count; i++) {
        const lvl_wwd_plane *plane = &wwd->planes[i];
        if (lvl_text_equal_nocase(lvl_text_slot(plane->name, sizeof plane->name), lvl_text_of("Action")))
            main = i;
    }
    wwd->planes[main].flags |= LVL_WWD_PLANE_MAIN;
}

/* Gives a new plane the z of the plane behind it, so that both are drawn before the same objects. */
static void begin_layer(void *root, uint32_t index)
{
    lvl_wwd *wwd = root;

    if (index && !wwd->planes[index].z)
        wwd->planes[index].z = wwd->planes[index - 1].z;
}

static const lvl_map_grid planes = {
    .view_width = 640,
    .view_height = 480,
    .main = main_plane,
    .values = 8000, /* no game has more, and a picture of more would be too high for Qt */
    .columns = 16,
    .begin_layer = begin_layer,
};

static const lvl_map_list lists[] = {
    {
        .item = &lvl_wwd_object_table,
        .color = "#ffe135",
        .centered = true,
        .flip_x = LVL_WWD_DRAW_MIRROR,
        .flip_y = LVL_WWD_DRAW_INVERT,
        .places = lvl_wwd_object_places,
    },
};

const lvl_map_layout lvl_wwd_map_layout = {
    .grid = &planes,
    .lists = lists,
    .list_count = LVL_COUNT_OF(lists),
    .begin = begin,
    .fresh = lvl_wwd_make_level,
#ifndef LVL_WITHOUT_NAMES /* the page's book has none */
    .bases = &lvl_book_claw.base_count,
#endif
    .stock = lvl_wwd_stock,
};
