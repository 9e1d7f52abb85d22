/*
 * sketchy/sketchy_map.c: the layout of a drawing in a map editor: chunks are tiles that can be moved, copied
 * and erased, actors are objects whose links are arrows, and the palette is a tileset.
 */
#include "sketchy/sketchy_format.h"

#include "base/map_layout.h"
#include "base/text.h"
#include "sketchy/sketchy_convert.h"

#include <lvl/sketchy.h>

#include <string.h>

static void begin_square(const void *root, void *square)
{
    ((lvl_sketchy_chunk *)square)->encoding = lvl_sketchy_encoding(((const lvl_sketchy *)root)->generation);
}

/* The game's default palette. */
static const struct {
    const char *name, *color;
    bool solid, fire, water;
} colors[] = {{"solid", "#777777", true, false, false},
              {"decoration", "#ff66ff", false, false, false},
              {"fire", "#ff0000", false, true, false},
              {"water", "#0099ff", false, false, true}};

static lvl_status put_colors(lvl_doc *doc)
{
    lvl_sketchy *d = doc->root;
    const lvl_field *list = LVL_FIELD(lvl_sketchy, swatches);
    const lvl_status status = lvl_list_insert(doc, d, list, 0, LVL_COUNT_OF(colors));

    for (size_t i = 0; i < LVL_COUNT_OF(colors) && status == LVL_OK; i++)
        d->swatches[i] = (lvl_sketchy_swatch){.name = lvl_text_of(colors[i].name),
                                              .color = lvl_text_of(colors[i].color),
                                              .solid = colors[i].solid,
                                              .fire = colors[i].fire,
                                              .water = colors[i].water};
    return status;
}

static lvl_status make_level(lvl_doc *doc, const char *ending, uint32_t width, uint32_t height)
{
    lvl_sketchy *d = doc->root;

    d->kind = ending && strcmp(ending, "doodad") == 0 ? LVL_SKETCHY_DOODAD : LVL_SKETCHY_LEVEL;
    d->title = lvl_text_of(d->kind ? "New doodad" : "New level");
    if (d->kind) {
        const int64_t side = LVL_SKETCHY_CHUNK_SIZE;
        d->size.width = width ? width : side;
        d->size.height = height ? height : side;
        d->hitbox = d->size;
    } else if (width) {
        d->page_type = LVL_SKETCHY_BOUNDED;
        d->bounded_width = width;
        d->bounded_height = height;
    }
    lvl_status status = put_colors(doc);
    if (status == LVL_OK)
        status = lvl_list_insert(doc, d, LVL_FIELD(lvl_sketchy, layers), 0, 1);
    if (status == LVL_OK && d->kind)
        d->layers[0].name = lvl_text_of("main");
    return status;
}

/* Resets the values that identify a level, and drops its screenshots. */
static lvl_status clear(lvl_doc *doc)
{
    lvl_sketchy *d = doc->root;
    uint8_t *drop = lvl_arena_array(&doc->arena, (size_t)d->file_count + 1, 1);

    d->title = lvl_text_of(d->kind ? "New doodad" : "New level");
    d->uuid = d->signature = (lvl_text){"", 0};
    for (uint32_t i = 0; drop && i < d->file_count; i++)
        drop[i] = lvl_text_begins(d->files[i].path, "assets/screenshots/");
    return drop ? lvl_list_drop(doc, d, LVL_FIELD(lvl_sketchy, files), drop) : LVL_ERR_MEMORY;
}

/* The layers of a doodad have names, the one of a level has none. */
static void begin(void *root)
{
    lvl_sketchy *d = root;

    for (uint32_t i = 0; i < d->layer_count && d->kind == LVL_SKETCHY_LEVEL; i++)
        d->layers[i].name = (lvl_text){"", 0};
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
    .background = "#ffffff",
    .begin_square = begin_square,
};

static const lvl_map_list lists[] = {
    {
        .list = "actors",
        .layer = "actors",
        .color = "#c000c0",
        .type = "actor",
        .name = "filename",
        .picture = "filename",
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
    .page_width = "bounded_width",
    .page_height = "bounded_height",
    .page_kind = "page_type",
    .page_value = LVL_SKETCHY_BOUNDED,
    .begin = begin,
    .fresh = make_level,
    .clear = clear,
};
