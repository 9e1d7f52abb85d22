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

static const struct {
    size_t member;
    const char *text;
} texts[] = {{offsetof(lvl_wwd, image_dir), "\\LEVEL1\\TILES"},
             {offsetof(lvl_wwd, pal_rez), "\\LEVEL1\\PALETTES\\MAIN.PAL"},
             {offsetof(lvl_wwd, image_set1), "\\LEVEL1\\IMAGES"},
             {offsetof(lvl_wwd, image_set2), "\\GAME\\IMAGES"},
             {offsetof(lvl_wwd, prefix1), "LEVEL"},
             {offsetof(lvl_wwd, prefix2), "GAME"},
             {offsetof(lvl_wwd, name), "New - Level 1"}};

/* A new level: a main plane without tiles, with the art of level 1, and Claw in the middle. */
static lvl_status make_level(lvl_doc *doc, const char *ending, uint32_t width, uint32_t height)
{
    enum { SIDE = 64, TILE = 64 };
    lvl_wwd *wwd = doc->root;
    lvl_status status = lvl_list_insert(doc, wwd, LVL_FIELD(lvl_wwd, planes), 0, 1);

    (void)ending;
    for (size_t i = 0; i < LVL_COUNT_OF(texts) && status == LVL_OK; i++)
        status =
            lvl_put_text(doc, wwd, lvl_table_at(&lvl_wwd_table, texts[i].member), lvl_text_of(texts[i].text));
    if (status != LVL_OK)
        return status;
    lvl_wwd_plane *plane = &wwd->planes[0];
    const lvl_field *sets = LVL_FIELD(lvl_wwd_plane, image_sets);
    const lvl_field *name = LVL_FIELD(lvl_wwd_plane, name);
    const uint32_t columns = width ? width : SIDE, rows = height ? height : SIDE;
    uint8_t *tiles = lvl_arena_array(&doc->arena, (size_t)columns * rows, 4);
    if (!tiles)
        return LVL_ERR_MEMORY;
    memset(tiles, 0xFF, (size_t)columns * rows * 4); /* LVL_WWD_TILE_NONE */
    plane->tiles = (lvl_cells){tiles, columns, rows, 4};
    plane->flags = LVL_WWD_PLANE_MAIN;
    wwd->flags = LVL_WWD_USE_Z | LVL_WWD_COMPRESS;
    wwd->start_x = (int32_t)(columns / 2 * TILE);
    wwd->start_y = (int32_t)(rows / 2 * TILE);
    status = lvl_list_insert(doc, plane, sets, 0, 1);
    if (status == LVL_OK)
        plane->image_sets[0] = lvl_text_of("ACTION");
    return status == LVL_OK ? lvl_put_text(doc, plane, name, lvl_text_of("Action")) : status;
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
    .fresh = make_level,
    .stock = lvl_wwd_stock,
};
