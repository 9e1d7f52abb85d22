/*
 * wap32/wwd_map.c: how a level appears in a map editor: planes are layers, objects lie on the main one, tile
 * properties are those of the main plane's tiles.
 */
#include "wap32/wwd_map.h"

#include "base/text.h"
#include "wap32/logics.h"

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

static bool has_range(const lvl_wwd_object *object)
{
    const lvl_wwd_logic *logic = lvl_wwd_logic_find(object->logic);

    return logic && logic->range != LVL_WWD_RANGE_NONE;
}

static bool ranges_across(const void *item)
{
    const lvl_wwd_object *object = item;

    return object->min_x < object->max_x && has_range(object);
}

static bool ranges_down(const void *item)
{
    const lvl_wwd_object *object = item;

    return object->min_y < object->max_y && has_range(object);
}

/* Of warps, bosses and crates speed_x and speed_y are where one comes out. */
static bool leads_somewhere(const void *item)
{
    const lvl_wwd_object *object = item;
    const lvl_wwd_kind kind = lvl_wwd_kind_of(object);

    return object->speed_x > 0 && object->speed_y > 0 &&
           (kind == LVL_WWD_KIND_WARP || kind == LVL_WWD_KIND_BOSS || kind == LVL_WWD_KIND_CONTAINER);
}

static const lvl_map_place places[] = {
    {"min_x", false, ranges_across}, {"max_x", false, ranges_across},     {"min_y", true, ranges_down},
    {"max_y", true, ranges_down},    {"speed_x", false, leads_somewhere}, {"speed_y", true, leads_somewhere},
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
        .places = places,
        .place_count = LVL_COUNT_OF(places),
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
