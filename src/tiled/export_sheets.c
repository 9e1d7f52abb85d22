/*
 * tiled/export_sheets.c: the tilesets of a map: a sheet for each grid, drawn once for grids with the same
 * tiles.
 */
#include "tiled/export.h"

#include "base/cursor.h"
#include "base/text.h"
#include "base/work.h"

#include <stdio.h>
#include <string.h>

uint32_t export_next_gid(const tiled_map *map)
{
    const tiled_set *last = map->sets.count ? &map->sets.items[map->sets.count - 1] : NULL;

    return last ? last->first + last->tile_count : 1;
}

tiled_set *export_add_set(exporter *e, lvl_text name, const char *mark)
{
    tiled_map *map = e->map;
    const uint32_t first = export_next_gid(map);
    tiled_set *set = EXPORT_PUSH(e, &map->sets);

    if (!set)
        return NULL;
    set->first = first;
    set->name = name;
    tiled_add(&map->arena, &set->properties, lvl_text_of("lvl.set"), "",
              tiled_copy(&map->arena, lvl_text_of(mark)));
    return set;
}

tiled_tile *export_add_tile(exporter *e, tiled_set *set, uint32_t id)
{
    tiled_tile *tile = EXPORT_PUSH(e, &set->tiles);

    if (tile)
        tile->id = id;
    return tile;
}

void export_size_sheet(tiled_set *set, uint32_t tiles, uint32_t columns, uint32_t width, uint32_t height)
{
    const uint32_t rows = tiles ? (tiles + columns - 1) / columns : 1;

    set->tile_width = width;
    set->tile_height = height;
    set->columns = columns;
    set->width = columns * width;
    set->height = rows * height;
    set->tile_count = rows * columns;
}

/* Whether a sheet's picture can be drawn; if it is too large, the set only has its name. */
static bool can_draw(const exporter *e, const tiled_set *set)
{
    return export_is_ok(e) && !e->options->no_pictures && set->width <= PICTURE_SIDE &&
           set->height <= PICTURE_SIDE && (uint64_t)set->width * set->height <= PICTURE_CELLS;
}

uint32_t export_cell_width(const exporter *e, const plan_grid *g)
{
    return plan_cell_side(&e->plan, g, &e->plan.cell_width);
}

uint32_t export_cell_height(const exporter *e, const plan_grid *g)
{
    return plan_cell_side(&e->plan, g, &e->plan.cell_height);
}

void export_add_tiles(exporter *e, tiled_set *set)
{
    const lvl_field *list = e->plan.tiles;
    const uint32_t count = lvl_list_count(e->doc->root, list);

    for (uint32_t i = 0; i < count && i < set->tile_count && export_is_ok(e); i++) {
        tiled_properties properties = {0};
        tiled_put_fields(&e->plan, &properties, lvl_list_item(e->doc->root, list, i), &e->plan.tile_fields);
        tiled_tile *tile =
            properties.count ? export_add_tile(e, set, tiled_tile_of_value(e->plan.grid, i)) : NULL;
        if (tile)
            tile->properties = properties;
    }
}

lvl_cells export_cells(exporter *e, const plan_grid *g, lvl_buffer *storage)
{
    lvl_cells cells = {0};
    const lvl_status status = lvl_doc_cells(e->doc, g->item, e->plan.of.cells, storage, &cells);

    if (status != LVL_ERR_FORMAT)
        export_status(e, status);
    if (!export_is_ok(e) || !cells.ptr)
        cells.width = cells.height = 0;
    return cells;
}

uint32_t export_cell_at(const lvl_cells *cells, size_t index)
{
    const uint8_t *p = cells->ptr + index * cells->size;

    return cells->size == 4 ? lvl_load_u32le(p) : cells->size == 2 ? lvl_load_u16le(p) : *p;
}

/* 1 + the highest tile that the layer uses. */
static uint32_t tiles_used(exporter *e, const plan_grid *g)
{
    lvl_buffer storage = {0};
    const lvl_cells cells = export_cells(e, g, &storage);
    uint32_t most = 0;

    for (size_t i = 0; i < (size_t)cells.width * cells.height; i++) {
        const uint32_t v = export_cell_at(&cells, i);
        if (v < e->plan.grid->values && v >= most)
            most = v + 1;
    }
    lvl_buffer_free(&storage);
    return most;
}

/* Finds an earlier sheet, or with `add` adds a new one. NULL: there is none, or out of memory. */
static export_sheet *find_sheet(exporter *e, const export_sheet *key, bool add)
{
    const lvl_hash_seed *seed = &e->drawn_index.seed;
    uint64_t hash = lvl_hash_bytes(seed, key->art.ptr, key->art.len);

    hash = lvl_hash_mix(seed, hash, (uint64_t)key->tiles << 1 | key->main);
    hash = lvl_hash_mix(seed, hash, (uint64_t)key->width << 32 | key->height);
    for (lvl_hash_at at = lvl_hash_first(&e->drawn_index, hash); at.found;
         at = lvl_hash_next(&e->drawn_index, at)) {
        export_sheet *s = &e->drawn[at.index];
        if (s->main == key->main && s->width == key->width && s->height == key->height &&
            s->tiles == key->tiles && lvl_text_equal(s->art, key->art))
            return s;
    }
    if (!add)
        return NULL;
    if (!lvl_grow(&e->drawn, &e->drawn_cap, e->drawn_count + 1, sizeof *e->drawn)) {
        export_status(e, LVL_ERR_MEMORY);
        return NULL;
    }
    e->drawn[e->drawn_count] = *key;
    export_status(e, lvl_hash_add(&e->drawn_index, hash, (uint32_t)e->drawn_count));
    return &e->drawn[e->drawn_count++];
}

/* 1 + the highest tile that has a picture, so that all of these can be placed, not only the used ones. `key`:
 * what the layer shows. */
static uint32_t tiles_drawn(exporter *e, const plan_grid *g, const export_sheet *key)
{
    const lvl_map_grid *grid = e->plan.grid;
    const export_sheet *known = find_sheet(e, key, false);
    uint32_t most = 0;

    if (known || !e->scene || g->index >= e->scene->layer_count)
        return known ? known->drawn : 0;
    export_status(e, tiled_count_drawn(e->doc->ctx, &e->scene->layers[g->index], grid, &most));
    export_sheet *added = find_sheet(e, key, true);
    if (added)
        added->drawn = most;
    return most;
}

/* The art of a layer's tiles, as a property of their set; empty: none. */
static lvl_text art_of(const exporter *e, const plan_grid *g)
{
    tiled_properties art = {0};

    tiled_put_field(&e->plan, &art, g->item, &e->plan.art, 0);
    return art.count ? art.items[0].value : (lvl_text){"", 0};
}

/* Sets the picture of a sheet: another layer's with the same tiles, or a new one. */
static void draw_sheet(exporter *e, const plan_grid *g, tiled_set *set, const export_sheet *key)
{
    export_sheet *known = e->plan.of.squares ? NULL : find_sheet(e, key, true);
    lvl_buffer png = {0};
    char stem[48];

    if (known && known->image.len) {
        set->image = known->image;
        return;
    }
    snprintf(stem, sizeof stem, "tiles-%lu", (unsigned long)g->index);
    if (can_draw(e, set)) {
        const uint32_t layer = e->scene && e->plan.of.squares ? e->scene->main_layer : g->index;
        export_status(e, tiled_draw_sheet(e->doc->ctx, e->scene, layer, set, e->plan.grid, key->tiles,
                                          e->plan.of.squares != NULL, &png));
    }
    export_status(e, png.status);
    set->image = export_add_picture(e, stem, &png);
    if (known)
        known->image = set->image;
    lvl_buffer_free(&png);
}

static void add_sheet(exporter *e, const plan_grid *g)
{
    const lvl_map_grid *grid = e->plan.grid;
    const bool with_tiles = e->plan.tiles && !e->plan.layout->tiles_alone && g->index == e->plan.main;
    const uint32_t described = with_tiles ? lvl_list_count(e->doc->root, e->plan.tiles) : 0;
    export_sheet key = {.art = art_of(e, g), .main = g->index == e->plan.main, .tiles = grid->sheet_tiles};
    const lvl_text art = key.art;
    uint32_t columns = grid->columns;
    char mark[32];

    if (e->plan.of.squares) {
        key.tiles = lvl_list_count(g->item, e->plan.of.squares);
        for (columns = EXPORT_SHEET_COLUMNS; columns * columns < key.tiles;)
            columns++;
    } else if (!key.tiles) {
        const uint32_t drawn = tiles_drawn(e, g, &key);
        uint32_t tiles = tiles_used(e, g);
        tiles = tiles > described ? tiles : described;
        tiles = tiles > drawn ? tiles : drawn;
        key.tiles = tiles < grid->values ? tiles : grid->values;
        if (!drawn)
            key.art = (lvl_text){"", 0};
    }
    snprintf(mark, sizeof mark, "%lu", (unsigned long)g->index);
    tiled_set *set = export_is_ok(e) ? export_add_set(e, g->name, mark) : NULL;
    if (!set)
        return;
    if (art.len) /* needed when a layer in a new map is drawn with this set */
        tiled_add(&e->map->arena, &set->properties, lvl_text_of(TILED_ART), "", art);
    e->sheets[g->index] = (uint32_t)(set - e->map->sets.items);
    key.width = export_cell_width(e, g);
    key.height = export_cell_height(e, g);
    export_size_sheet(set, key.tiles, columns, key.width, key.height);
    draw_sheet(e, g, set, &key);
    if (with_tiles)
        export_add_tiles(e, set);
}

void export_add_sheets(exporter *e)
{
    for (uint32_t i = 0; i < e->plan.grid_count && export_is_ok(e); i++) {
        if (i && e->plan.grid->shared)
            e->sheets[i] = e->sheets[0];
        else
            add_sheet(e, &e->plan.grids[i]);
    }
}

void export_draw_colors(exporter *e, tiled_set *set, const char *stem, const tiled_color *colors,
                        uint32_t count)
{
    lvl_buffer png = {0};

    if (can_draw(e, set))
        export_status(e, tiled_draw_colors(e->doc->ctx, set, colors, count, &png));
    export_status(e, png.status);
    set->image = export_add_picture(e, stem, &png);
    lvl_buffer_free(&png);
}
