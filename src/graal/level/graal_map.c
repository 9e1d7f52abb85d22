/*
 * graal/level/graal_map.c: how a level appears in a map editor: the board, the layers above it, and an object
 * layer for each list.
 */
#include "graal/level/graal_map.h"

#include "base/format.h"

#include <lvl/graal.h>
#include <lvl/scene.h>

enum { TILES = 4096, SHEET_COLUMNS = 128, BLOCK_COLUMNS = 16, BLOCK_ROWS = 32 };
enum { GROUND = 511 }; /* grass of the usual tileset */

static uint32_t empty_tile(const void *layer)
{
    return ((const lvl_graal_layer *)layer)->number ? TILES - 1 : LVL_GRAAL_ABSENT;
}

/* The board has a tile everywhere. */
static uint32_t cleared_tile(const void *layer)
{
    return ((const lvl_graal_layer *)layer)->number ? empty_tile(layer) : GROUND;
}

/* Gives a layer the number after that of the layer below it; layers above it are renumbered if needed. */
static void begin_layer(void *root, uint32_t index)
{
    lvl_graal *level = root;
    uint32_t least = index ? level->layers[index - 1].number + 1 : 0;

    level->layers[index].number = least;
    for (uint32_t i = index + 1; i < level->layer_count && level->layers[i].number == least; i++)
        level->layers[i].number = ++least;
}

static void begin(lvl_graal *level, uint8_t version)
{
    if (level->version >= LVL_GRAAL_VERSIONS)
        level->version = version;
    for (uint32_t i = 0; i < level->layer_count; i++) {
        if (!level->layers[i].number)
            level->layers[i].number = i;
    }
}

static void begin_binary(void *root)
{
    begin(root, LVL_GR_V1_03);
}

static void begin_text(void *root)
{
    begin(root, LVL_GLEVNW01);
}

/* Resets the level to its board, all grass. */
static lvl_status clear(lvl_doc *doc)
{
    lvl_graal *level = doc->root;
    const size_t count = (size_t)LVL_GRAAL_SIDE * LVL_GRAAL_SIDE;
    const lvl_field *list = LVL_FIELD(lvl_graal, layers);
    uint8_t *tiles = lvl_arena_array(&doc->arena, count, 2);

    level->layer_count = 0;
    level->height_count = 0;
    const lvl_status status = tiles ? lvl_list_insert(doc, level, list, 0, 1) : LVL_ERR_MEMORY;
    if (status != LVL_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        tiles[2 * i] = GROUND & 0xFF;
        tiles[2 * i + 1] = GROUND >> 8;
    }
    level->layers[0].tiles = (lvl_cells){tiles, LVL_GRAAL_SIDE, LVL_GRAAL_SIDE, 2};
    return LVL_OK;
}

static lvl_status make_level(lvl_doc *doc, const lvl_map_new *what)
{
    (void)what;
    doc->format->calls->map_layout->begin(doc->root);
    return clear(doc);
}

static const lvl_map_grid layers = {
    .first = "board",
    .cell_size = LVL_GRAAL_TILE,
    .empty = empty_tile,
    .cleared = cleared_tile,
    .fixed_width = LVL_GRAAL_SIDE,
    .fixed_height = LVL_GRAAL_SIDE,
    .values = TILES,
    .columns = SHEET_COLUMNS,
    .block_columns = BLOCK_COLUMNS,
    .block_rows = BLOCK_ROWS,
    .sheet_tiles = TILES,
    .sheet = "pics1.png",
    .shared = true,
    .begin_layer = begin_layer,
};

#define THINGS(kind) (1u << LVL_THING_##kind)
static const lvl_map_list lists[] = {
    {.item = &lvl_graal_link_table, .color = "#ffe135", .things = THINGS(WARP)},
    {.item = &lvl_graal_sign_table,
     .color = "#66d9ff",
     .fixed_width = 2 * LVL_GRAAL_TILE,
     .fixed_height = LVL_GRAAL_TILE,
     .things = THINGS(SIGN)},
    {.item = &lvl_graal_chest_table,
     .color = "#ff9f1a",
     .fixed_width = 2 * LVL_GRAAL_TILE,
     .fixed_height = 2 * LVL_GRAAL_TILE,
     .things = THINGS(CONTAINER)},
    {.item = &lvl_graal_baddy_table, .color = "#ff5050", .things = THINGS(ENEMY)},
    {.item = &lvl_graal_npc_table, .color = "#d58cff", .things = THINGS(SCENERY) | THINGS(TRIGGER)},
};

const lvl_map_layout lvl_graal_map_layout = {
    .grid = &layers,
    .lists = lists,
    .list_count = LVL_COUNT_OF(lists),
    .begin = begin_binary,
    .fresh = make_level,
    .clear = clear,
};

const lvl_map_layout lvl_nw_map_layout = {
    .grid = &layers,
    .lists = lists,
    .list_count = LVL_COUNT_OF(lists),
    .begin = begin_text,
    .fresh = make_level,
    .clear = clear,
};

const lvl_map_layout lvl_gmap_map_layout = {
    .world_cell = LVL_GRAAL_SIDE * LVL_GRAAL_TILE,
};
