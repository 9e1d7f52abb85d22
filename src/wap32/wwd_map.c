/*
 * wap32/wwd_map.c: how a level appears in a map editor: planes are layers, objects lie on the main one, tile
 * properties are those of the main plane's tiles.
 */
#include "wap32/wwd_map.h"

#include "base/text.h"

#include <lvl/wwd.h>

static uint32_t empty(const void *plane)
{
    (void)plane;
    return LVL_WWD_TILE_NONE;
}

static uint32_t main_plane(const void *root)
{
    uint32_t index = 0;

    return lvl_wwd_main_plane(root, &index) ? index : 0;
}

/* A level needs a main plane: without a flag that says so the one called Action, or the second of several. */
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

static const lvl_map_grid planes = {
    .list = "planes",
    .layer = "plane",
    .name = "name",
    .cell_width = "tile_width",
    .cell_height = "tile_height",
    .parallax_x = "movement_x",
    .parallax_y = "movement_y",
    .cells = "tiles",
    .empty = empty,
    .main = main_plane,
    .values = 8000, /* no game has as many; a picture of more would be too high for Qt */
    .columns = 16,
};

static const lvl_map_list lists[] = {
    {
        .in_grid = true,
        .list = "objects",
        .layer = "objects",
        .type_field = "logic",
        .name = "name",
        .x = "x",
        .y = "y",
        .centered = true,
        .flip = "draw_flags",
        .flip_x = LVL_WWD_DRAW_MIRROR,
        .flip_y = LVL_WWD_DRAW_INVERT,
        .unique = "id",
    },
};

const lvl_map_layout lvl_wwd_map_layout = {
    .grid = &planes,
    .lists = lists,
    .list_count = LVL_COUNT_OF(lists),
    .start_x = "start_x",
    .start_y = "start_y",
    .tiles = "tile_properties",
    .begin = begin,
};
