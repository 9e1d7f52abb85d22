/*
 * sketchy/sketchy_map.c: how a drawing appears in a map editor: its chunks are tiles that can be moved,
 * copied and erased, its actors objects whose links are arrows, its palette a tileset.
 */
#include "sketchy/sketchy_map.h"

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
