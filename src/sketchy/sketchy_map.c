/*
 * sketchy/sketchy_map.c: how a drawing appears in a map editor: its chunks are tiles that can be moved,
 * copied and erased, its actors objects whose links are arrows, its palette a tileset.
 */
#include "sketchy/sketchy_map.h"

#include "sketchy/sketchy_convert.h"

#include <lvl/sketchy.h>

static void begin_square(const void *root, void *square)
{
    ((lvl_sketchy_chunk *)square)->encoding = lvl_sketchy_encoding(((const lvl_sketchy *)root)->generation);
}

static const lvl_map_grid layers = {
    .list = "layers",
    .first = "drawing",
    .layer = "layer",
    .name = "name",
    .cell_width = "size",
    .cell_height = "size",
    .columns = 16,
    .squares = "chunks",
    .key = "key",
    .key_x = "x",
    .key_y = "y",
    .pixels = "pixels",
    .begin_square = begin_square,
};

static const lvl_map_list lists[] = {
    {
        .list = "actors",
        .layer = "actors",
        .type = "actor",
        .name = "filename",
        .x = "point.x",
        .y = "point.y",
        .unique = "id",
        .links = "links",
        .file = "filename",
        .files = "files",
        .folder = "assets/doodads/",
    },
};

const lvl_map_layout lvl_sketchy_map_layout = {
    .grid = &layers,
    .lists = lists,
    .list_count = LVL_COUNT_OF(lists),
    .tiles = "swatches",
    .tiles_alone = true,
    .color = "color",
};
