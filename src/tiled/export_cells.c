/*
 * tiled/export_cells.c: the cells of a map's layers, with a tileset for values that no tile shows.
 */
#include "tiled/export.h"

#include "base/cursor.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SPECIAL = 1024 };

/* A special value as the layer of a grid shows it. */
static export_special special_in(const exporter *e, uint32_t grid, uint32_t value)
{
    export_special s = {.value = value};
    lvl_scene_tile tile = {0};

    if (!e->scene || !e->scene->palette || grid >= e->scene->layer_count)
        return s;
    const lvl_scene_layer *layer = &e->scene->layers[grid];
    layer->tile(layer, value, &tile);
    s.filled = tile.filled;
    for (int k = 0; k < 3 && s.filled; k++)
        s.rgb[k] = layer->fill_rgb[k];
    return s;
}

uint32_t export_special_id(exporter *e, uint32_t grid, uint32_t value)
{
    const uint64_t hash = lvl_hash_u64(&e->special_index.seed, value);
    const size_t count = e->special_count;
    const export_special s = special_in(e, grid, value);
    uint32_t alike = LVL_NO_INDEX;

    for (lvl_hash_at at = lvl_hash_first(&e->special_index, hash); at.found;
         at = lvl_hash_next(&e->special_index, at)) {
        const export_special *is = &e->specials[at.index];
        if (is->value != value)
            continue;
        if (is->filled == s.filled && memcmp(is->rgb, s.rgb, sizeof s.rgb) == 0)
            return at.index;
        alike = at.index;
    }
    if (count >= MAX_SPECIAL && alike != LVL_NO_INDEX) /* in another colour */
        return alike;
    if (count >= MAX_SPECIAL) {
        lvl_findings_add(e->findings, &lvl_faults[LVL_FAULT_MAP], NULL, NULL,
                         "the cells have more than %d values that are not tiles; a map cannot show them; see "
                         "`lvl check'",
                         MAX_SPECIAL);
        export_status(e, LVL_ERR_UNSUPPORTED);
    } else if (!lvl_grow(&e->specials, &e->special_cap, count + 1, sizeof *e->specials)) {
        export_status(e, LVL_ERR_MEMORY);
    } else {
        e->specials[e->special_count++] = s;
        export_status(e, lvl_hash_add(&e->special_index, hash, (uint32_t)count));
    }
    return (uint32_t)count;
}

void export_add_special_set(exporter *e)
{
    tiled_color colors[MAX_SPECIAL];
    tiled_set *set = e->special_count ? export_add_set(e, lvl_text_of("special cells"), "special") : NULL;

    if (!set)
        return;
    export_size_sheet(set, (uint32_t)e->special_count, EXPORT_SHEET_COLUMNS, e->map->tile_width,
                      e->map->tile_height);
    for (uint32_t i = 0; i < e->special_count; i++) {
        const export_special *s = &e->specials[i];
        const uint32_t v = s->value;
        const lvl_cell_name *n = e->plan.of.cells->cell_names;
        while (n && n->symbol && n->value != v)
            n++;
        const lvl_text value =
            n && n->symbol ? lvl_text_of(n->name) : tiled_printf(&e->map->arena, "0x%lX", (unsigned long)v);
        tiled_tile *tile = export_add_tile(e, set, i);
        if (tile)
            tiled_add(&e->map->arena, &tile->properties, lvl_text_of("value"), "", value);
        colors[i] =
            s->filled ? (tiled_color){{s->rgb[0], s->rgb[1], s->rgb[2]}, false}
                      : (tiled_color){
                            {(uint8_t)(160 + i * 53), (uint8_t)(60 + i * 91), (uint8_t)(200 + i * 37)}, true};
    }
    export_draw_colors(e, set, "special", colors, (uint32_t)e->special_count);
}

void export_add_palette(exporter *e)
{
    enum { SIDE = 32 };
    const lvl_field *list = e->plan.tiles;
    const uint32_t count = lvl_list_count(e->doc->root, list);
    tiled_color *colors = lvl_arena_array(&e->map->arena, (size_t)count + 1, sizeof *colors);
    tiled_set *set = export_add_set(e, lvl_text_of(list->name), "list");

    if (!set || !colors)
        return;
    export_size_sheet(set, count, EXPORT_SHEET_COLUMNS, SIDE, SIDE);
    for (uint32_t i = 0; i < count; i++)
        colors[i].edge = true;
    for (uint32_t i = 0; i < count && e->plan.color.field; i++) {
        const void *record = lvl_list_item(e->doc->root, list, i);
        const lvl_text text = lvl_get_text(plan_record(record, &e->plan.color), e->plan.color.field);
        unsigned c[3] = {0};
        char buf[16];
        snprintf(buf, sizeof buf, "%.*s", text.len < 15 ? (int)text.len : 15, text.len ? text.ptr : "");
        if (sscanf(buf[0] == '#' ? buf + 1 : buf, "%2x%2x%2x", &c[0], &c[1], &c[2]) == 3) { /* NOLINT */
            for (int k = 0; k < 3; k++)
                colors[i].rgb[k] = (uint8_t)c[k];
        }
    }
    export_draw_colors(e, set, list->name, colors, count);
    export_add_tiles(e, set);
}

void export_put_cells(exporter *e, const plan_grid *g, tiled_layer *layer)
{
    const lvl_map_grid *grid = e->plan.grid;
    const uint32_t first = e->map->sets.items[e->sheets[g->index]].first,
                   empty = lvl_map_empty(grid, g->item, e->plan.of.cells);
    lvl_buffer storage = {0};
    const lvl_cells cells = export_cells(e, g, &storage);
    const size_t count = (size_t)cells.width * cells.height;
    tiled_block *block = EXPORT_PUSH(e, &layer->blocks);
    uint32_t *to = lvl_arena_raw(&e->map->arena, (count + 1) * sizeof *to);

    if (!to)
        export_status(e, LVL_ERR_MEMORY);
    for (size_t i = 0; i < count && export_is_ok(e); i++) {
        const uint32_t v = export_cell_at(&cells, i);
        to[i] = v == empty         ? 0
                : v < grid->values ? first + tiled_tile_of_value(grid, v)
                                   : e->special_first + export_special_id(e, g->index, v);
    }
    if (block) {
        block->cells = to;
        block->width = layer->width = count ? cells.width : 0;
        block->height = layer->height = count ? cells.height : 0;
    }
    lvl_buffer_free(&storage);
}

typedef struct place {
    int32_t x, y;
    uint32_t index;
} place;

/* The start of the chunk that contains a cell. */
static int32_t chunk_of(int32_t v)
{
    return (v >= 0 ? v / EXPORT_CHUNK : -1 - (-1 - v) / EXPORT_CHUNK) * EXPORT_CHUNK;
}

static int by_chunk(const void *a, const void *b)
{
    const place *p = a, *q = b;
    const int32_t keys[][2] = {
        {chunk_of(p->y), chunk_of(q->y)}, {chunk_of(p->x), chunk_of(q->x)}, {p->y, q->y}, {p->x, q->x}};

    for (size_t i = 0; i < LVL_COUNT_OF(keys); i++) {
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    }
    return p->index < q->index ? -1 : p->index > q->index;
}

void export_put_squares(exporter *e, const plan_grid *g, tiled_layer *layer)
{
    const uint32_t count = lvl_list_count(g->item, e->plan.of.squares);
    const uint32_t first = e->map->sets.items[e->sheets[g->index]].first;
    place *places = malloc(((size_t)count + 1) * sizeof *places);
    tiled_block *block = NULL;

    layer->width = e->map->width;
    layer->height = e->map->height;
    if (!places) {
        export_status(e, LVL_ERR_MEMORY);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const void *square = lvl_list_item(g->item, e->plan.of.squares, i);
        places[i] = (place){(int32_t)lvl_get_int(square, e->plan.of.x),
                            (int32_t)lvl_get_int(square, e->plan.of.y), i};
    }
    qsort(places, count, sizeof *places, by_chunk);
    for (uint32_t i = 0; i < count && export_is_ok(e); i++) {
        const int32_t x = chunk_of(places[i].x), y = chunk_of(places[i].y);
        if (!block || block->x != x || block->y != y) {
            uint32_t *cells =
                lvl_arena_array(&e->map->arena, (size_t)EXPORT_CHUNK * EXPORT_CHUNK, sizeof *cells);
            block = EXPORT_PUSH(e, &layer->blocks);
            if (!block || !cells) {
                export_status(e, LVL_ERR_MEMORY);
                break;
            }
            *block = (tiled_block){x, y, EXPORT_CHUNK, EXPORT_CHUNK, cells};
        }
        uint32_t *cell = &block->cells[(places[i].y - y) * EXPORT_CHUNK + (places[i].x - x)];
        if (!*cell)
            *cell = first + places[i].index;
    }
    free(places);
}
