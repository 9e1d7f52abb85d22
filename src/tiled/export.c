/*
 * tiled/export.c: a document as a map.
 */
#include "base/buffer.h"
#include "base/cursor.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/work.h"
#include "codec/deflate.h"
#include "codec/json.h"
#include "scene/scene.h"
#include "tiled/pictures.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    ORIGIN_INSIDE = 1 << 20, /* bytes in base64: a longer property makes Tiled slow, so it gets a file */
    MAX_SPECIAL = 1024,
    SHEET_COLUMNS = 16, /* of sheets without a layout of their own */
    CHUNK = 16 /* cells of a chunk of an infinite layer, each way */
};

typedef struct file_list {
    lvl_tiled_files files; /* first: what callers see */
    lvl_arena arena;
    const lvl_ctx *ctx;
    lvl_buffer map; /* the text of the first file */
    uint32_t cap;
} file_list;

typedef struct sprite {
    const lvl_image *image;
    const lvl_scene_effect *effect;
    lvl_rect part;
    int32_t left, top; /* of the picture, from the object's place */
    bool centered;
    lvl_text type, picture; /* of the first object that it shows */
    int64_t number; /* of the picture in those of that name */
    uint32_t id, width, height;
} sprite;

/* A value of cells that no tile of a sheet shows. */
typedef struct special {
    uint32_t value;
    bool filled; /* it shows a layer's fill colour: a tile for each colour */
    uint8_t rgb[3];
} special;

/* A sheet that is drawn once for all layers of the same tiles. */
typedef struct sheet {
    lvl_text art; /* what its tiles show, as a property; empty: no tile has a picture */
    bool main; /* tiles of the main layer may be drawn as what they do */
    uint32_t width, height, tiles; /* px of a tile, number; 0: only `drawn` is known */
    uint32_t drawn; /* one more than the highest tile that has a picture */
    lvl_text image; /* file name */
} sheet;

typedef struct exporter {
    const lvl_doc *doc;
    const lvl_tiled_options *options;
    lvl_findings *findings;
    lvl_status status; /* the first that isn't LVL_OK */
    tiled_map *map;
    tiled_plan plan;
    lvl_scene *scene;
    lvl_doc *stock; /* of what can be placed; or NULL */
    lvl_scene *stock_scene;
    file_list *list;
    uint32_t *sheets; /* index of each grid's tileset */
    sheet *drawn;
    size_t drawn_count, drawn_cap;
    lvl_hash drawn_index;
    uint32_t special_first; /* gid of the first special value: a value of cells that no tile shows */
    special *specials;
    size_t special_count, special_cap;
    lvl_hash special_index, sprite_index;
    sprite *sprites;
    size_t sprite_count, sprite_cap;
    tiled_set sprite_sets[2]; /* of sprites by their top left corner, by their centre; see add_sprite_sets */
} exporter;

static bool is_ok(const exporter *e)
{
    return e->status == LVL_OK;
}

static void set_status(exporter *e, lvl_status status)
{
    if (is_ok(e))
        e->status = status;
}

/* Appends a zeroed item to a list of the map; NULL without memory. */
#define PUSH(e, list) pushed(e, TILED_PUSH(&(e)->map->arena, list))
static void *pushed(exporter *e, void *item)
{
    if (!item)
        set_status(e, LVL_ERR_MEMORY);
    return item;
}

/* ---- files ------------------------------------------------------------------------------------------- */

static void add_file(exporter *e, const char *name, lvl_bytes bytes)
{
    file_list *f = e->list;
    lvl_tiled_file *file = tiled_push(&f->arena, &f->files.items, &f->files.count, &f->cap, sizeof *file);

    if (file) {
        file->name = name ? tiled_copy(&f->arena, lvl_text_of(name)).ptr : NULL;
        file->bytes = (lvl_bytes){
            lvl_arena_copy(&f->arena, bytes.len ? bytes.ptr : (const uint8_t *)"", bytes.len), bytes.len};
    }
    set_status(e, tiled_arena_status(&f->arena, LVL_OK));
}

/* Adds a picture to the files, unless it is one of them; returns its name in the map. */
static lvl_text add_picture(exporter *e, const char *stem, const lvl_buffer *png)
{
    const char *folder = e->options->folder ? e->options->folder : "";
    char sha[65];

    if (e->options->by_content) {
        lvl_sha256_hex((lvl_bytes){png->data, png->len}, sha);
        stem = sha;
    }
    const lvl_text name = tiled_printf(&e->map->arena, "%s%s.png", folder, stem);
    for (uint32_t i = 0; i < e->list->files.count && e->options->by_content; i++) {
        if (e->list->files.items[i].name && strcmp(e->list->files.items[i].name, name.ptr) == 0)
            return name;
    }
    if (is_ok(e) && !e->options->no_pictures)
        add_file(e, name.ptr, lvl_buffer_bytes(png));
    return name;
}

/* ---- tilesets ---------------------------------------------------------------------------------------- */

/* The first gid that no set has. */
static uint32_t next_gid(const tiled_map *map)
{
    const tiled_set *last = map->sets.count ? &map->sets.items[map->sets.count - 1] : NULL;

    return last ? last->first + last->tile_count : 1;
}

/* `mark`: what import.c recognizes the set by. */
static tiled_set *add_set(exporter *e, lvl_text name, const char *mark)
{
    tiled_map *map = e->map;
    const uint32_t first = next_gid(map);
    tiled_set *set = PUSH(e, &map->sets);

    if (!set)
        return NULL;
    set->first = first;
    set->name = name;
    tiled_add(&map->arena, &set->properties, lvl_text_of("lvl.set"), "",
              tiled_copy(&map->arena, lvl_text_of(mark)));
    return set;
}

static tiled_tile *add_tile(exporter *e, tiled_set *set, uint32_t id)
{
    tiled_tile *tile = PUSH(e, &set->tiles);

    if (tile)
        tile->id = id;
    return tile;
}

/* Sizes of a sheet that holds `tiles`. */
static void size_sheet(tiled_set *set, uint32_t tiles, uint32_t columns, uint32_t width, uint32_t height)
{
    const uint32_t rows = tiles ? (tiles + columns - 1) / columns : 1;

    set->tile_width = width;
    set->tile_height = height;
    set->columns = columns;
    set->width = columns * width;
    set->height = rows * height;
    set->tile_count = rows * columns;
}

/* Whether the picture of a sheet is drawn: a larger one is only named. */
static bool can_draw(const exporter *e, const tiled_set *set)
{
    return is_ok(e) && !e->options->no_pictures && set->width <= PICTURE_SIDE &&
           set->height <= PICTURE_SIDE && (uint64_t)set->width * set->height <= PICTURE_CELLS;
}

static uint32_t side_of(const plan_grid *g, const plan_field *f, uint32_t def)
{
    const int64_t v = f->field ? plan_int(g->item, f) : def;

    return v > 0 && v <= 4096 ? (uint32_t)v : 64;
}

static uint32_t cell_width(const exporter *e, const plan_grid *g)
{
    return side_of(g, &e->plan.cell_width, e->plan.layout->grid->cell_size);
}

static uint32_t cell_height(const exporter *e, const plan_grid *g)
{
    return side_of(g, &e->plan.cell_height, e->plan.layout->grid->cell_size);
}

/* Adds what the document's list of tiles has as properties of the set's tiles. */
static void add_tiles(exporter *e, tiled_set *set)
{
    const lvl_field *list = e->plan.tiles;
    const uint32_t count = lvl_list_count(e->doc->root, list);

    for (uint32_t i = 0; i < count && i < set->tile_count && is_ok(e); i++) {
        tiled_properties properties = {0};
        tiled_put_fields(&e->plan, &properties, lvl_list_item(e->doc->root, list, i), &e->plan.tile_fields);
        tiled_tile *tile =
            properties.count ? add_tile(e, set, tiled_tile_of_value(e->plan.layout->grid, i)) : NULL;
        if (tile)
            tile->properties = properties;
    }
}

/* The cells of a grid, as far as they can be decoded; `storage` holds them and is to be freed. */
static lvl_cells cells_of(exporter *e, const plan_grid *g, lvl_buffer *storage)
{
    lvl_cells cells = {0};
    const lvl_status status = lvl_doc_cells(e->doc, g->item, e->plan.cells, storage, &cells);

    if (status != LVL_ERR_FORMAT)
        set_status(e, status);
    if (!is_ok(e) || !cells.ptr)
        cells.width = cells.height = 0;
    return cells;
}

static uint32_t cell_at(const lvl_cells *cells, size_t index)
{
    const uint8_t *p = cells->ptr + index * cells->size;

    return cells->size == 4 ? lvl_load_u32le(p) : cells->size == 2 ? lvl_load_u16le(p) : *p;
}

/* One more than the highest tile that the layer uses. */
static uint32_t tiles_used(exporter *e, const plan_grid *g)
{
    lvl_buffer storage = {0};
    const lvl_cells cells = cells_of(e, g, &storage);
    uint32_t most = 0;

    for (size_t i = 0; i < (size_t)cells.width * cells.height; i++) {
        const uint32_t v = cell_at(&cells, i);
        if (v < e->plan.layout->grid->values && v >= most)
            most = v + 1;
    }
    lvl_buffer_free(&storage);
    return most;
}

/* A sheet that was met before; with `add`, a new one is added. NULL: there is none, or no memory. */
static sheet *find_sheet(exporter *e, const sheet *key, bool add)
{
    const lvl_hash_seed *seed = &e->drawn_index.seed;
    uint64_t hash = lvl_hash_bytes(seed, key->art.ptr, key->art.len);

    hash = lvl_hash_mix(seed, hash, (uint64_t)key->tiles << 1 | key->main);
    hash = lvl_hash_mix(seed, hash, (uint64_t)key->width << 32 | key->height);
    for (lvl_hash_at at = lvl_hash_first(&e->drawn_index, hash); at.found;
         at = lvl_hash_next(&e->drawn_index, at)) {
        sheet *s = &e->drawn[at.index];
        if (s->main == key->main && s->width == key->width && s->height == key->height &&
            s->tiles == key->tiles && lvl_text_equal(s->art, key->art))
            return s;
    }
    if (!add)
        return NULL;
    if (!lvl_grow(&e->drawn, &e->drawn_cap, e->drawn_count + 1, sizeof *e->drawn)) {
        set_status(e, LVL_ERR_MEMORY);
        return NULL;
    }
    e->drawn[e->drawn_count] = *key;
    set_status(e, lvl_hash_add(&e->drawn_index, hash, (uint32_t)e->drawn_count));
    return &e->drawn[e->drawn_count++];
}

/* One more than the highest tile that has a picture: all of them can be placed, not only those in use. `key`:
 * what the layer shows. */
static uint32_t tiles_drawn(exporter *e, const plan_grid *g, const sheet *key)
{
    const lvl_map_grid *grid = e->plan.layout->grid;
    const sheet *known = find_sheet(e, key, false);
    uint32_t most = 0;

    if (known || !e->scene || g->index >= e->scene->layer_count)
        return known ? known->drawn : 0;
    const lvl_scene_layer *layer = &e->scene->layers[g->index];
    set_status(e, lvl_charge(e->doc->ctx, grid->values));
    for (uint32_t i = 0; i < grid->values && is_ok(e); i++) {
        lvl_scene_tile tile = {0};
        layer->tile(layer, tiled_value_of_tile(grid, i), &tile);
        if (tile.image && !tile.memory_failed)
            most = i + 1;
    }
    sheet *added = find_sheet(e, key, true);
    if (added)
        added->drawn = most;
    return most;
}

/* What the tiles of a layer show, as a property of their set; empty: nothing. */
static lvl_text art_of(const exporter *e, const plan_grid *g)
{
    tiled_properties art = {0};

    tiled_put_field(&e->plan, &art, g->item, &e->plan.art, 0);
    return art.count ? art.items[0].value : (lvl_text){"", 0};
}

/* The picture of a sheet: that of another layer with the same tiles, or a new one. */
static void draw_sheet(exporter *e, const plan_grid *g, tiled_set *set, const sheet *key)
{
    sheet *known = e->plan.squares ? NULL : find_sheet(e, key, true);
    lvl_buffer png = {0};
    char stem[48];

    if (known && known->image.len) {
        set->image = known->image;
        return;
    }
    snprintf(stem, sizeof stem, "tiles-%lu", (unsigned long)g->index);
    if (can_draw(e, set)) {
        const uint32_t layer = e->scene && e->plan.squares ? e->scene->main_layer : g->index;
        set_status(e, tiled_draw_sheet(e->doc->ctx, e->scene, layer, set, e->plan.layout->grid, key->tiles,
                                       e->plan.squares != NULL, &png));
    }
    set_status(e, png.status);
    set->image = add_picture(e, stem, &png);
    if (known)
        known->image = set->image;
    lvl_buffer_free(&png);
}

static void add_sheet(exporter *e, const plan_grid *g)
{
    const lvl_map_grid *grid = e->plan.layout->grid;
    const bool with_tiles = e->plan.tiles && !e->plan.layout->tiles_alone && g->index == e->plan.main;
    const uint32_t described = with_tiles ? lvl_list_count(e->doc->root, e->plan.tiles) : 0;
    sheet key = {.art = art_of(e, g), .main = g->index == e->plan.main, .tiles = grid->sheet_tiles};
    const lvl_text art = key.art;
    uint32_t columns = grid->columns;
    char mark[32];

    if (e->plan.squares) {
        key.tiles = lvl_list_count(g->item, e->plan.squares);
        for (columns = SHEET_COLUMNS; columns * columns < key.tiles;)
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
    tiled_set *set = is_ok(e) ? add_set(e, g->name, mark) : NULL;
    if (!set)
        return;
    if (art.len) /* a layer that is drawn with it in a new map needs it */
        tiled_add(&e->map->arena, &set->properties, lvl_text_of(TILED_ART), "", art);
    e->sheets[g->index] = (uint32_t)(set - e->map->sets.items);
    key.width = cell_width(e, g);
    key.height = cell_height(e, g);
    size_sheet(set, key.tiles, columns, key.width, key.height);
    draw_sheet(e, g, set, &key);
    if (with_tiles)
        add_tiles(e, set);
}

static void add_sheets(exporter *e)
{
    for (uint32_t i = 0; i < e->plan.grid_count && is_ok(e); i++) {
        if (i && e->plan.layout->grid->shared)
            e->sheets[i] = e->sheets[0];
        else
            add_sheet(e, &e->plan.grids[i]);
    }
}

/* A sheet of tiles of one colour each. */
static void draw_colors(exporter *e, tiled_set *set, const char *stem, const tiled_color *colors,
                        uint32_t count)
{
    lvl_buffer png = {0};

    if (can_draw(e, set))
        set_status(e, tiled_draw_colors(e->doc->ctx, set, colors, count, &png));
    set_status(e, png.status);
    set->image = add_picture(e, stem, &png);
    lvl_buffer_free(&png);
}

/* ---- cells ------------------------------------------------------------------------------------------- */

/* A special value as the layer of a grid shows it. */
static special special_in(const exporter *e, uint32_t grid, uint32_t value)
{
    special s = {.value = value};
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

/* The id of a special value of a grid. Ids are given in the order of their use. */
static uint32_t special_of(exporter *e, uint32_t grid, uint32_t value)
{
    const uint64_t hash = lvl_hash_u64(&e->special_index.seed, value);
    const size_t count = e->special_count;
    const special s = special_in(e, grid, value);
    uint32_t alike = LVL_NO_INDEX;

    for (lvl_hash_at at = lvl_hash_first(&e->special_index, hash); at.found;
         at = lvl_hash_next(&e->special_index, at)) {
        const special *is = &e->specials[at.index];
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
                         "the cells have more than %d values that are no tile; a map cannot show them; see "
                         "`lvl check'",
                         MAX_SPECIAL);
        set_status(e, LVL_ERR_UNSUPPORTED);
    } else if (!lvl_grow(&e->specials, &e->special_cap, count + 1, sizeof *e->specials)) {
        set_status(e, LVL_ERR_MEMORY);
    } else {
        e->specials[e->special_count++] = s;
        set_status(e, lvl_hash_add(&e->special_index, hash, (uint32_t)count));
    }
    return (uint32_t)count;
}

static void add_special_set(exporter *e)
{
    tiled_color colors[MAX_SPECIAL];
    tiled_set *set = e->special_count ? add_set(e, lvl_text_of("special cells"), "special") : NULL;

    if (!set)
        return;
    size_sheet(set, (uint32_t)e->special_count, SHEET_COLUMNS, e->map->tile_width, e->map->tile_height);
    for (uint32_t i = 0; i < e->special_count; i++) {
        const special *s = &e->specials[i];
        const uint32_t v = s->value;
        const lvl_cell_name *n = e->plan.cells->cell_names;
        while (n && n->symbol && n->value != v)
            n++;
        const lvl_text value =
            n && n->symbol ? lvl_text_of(n->name) : tiled_printf(&e->map->arena, "0x%lX", (unsigned long)v);
        tiled_tile *tile = add_tile(e, set, i);
        if (tile)
            tiled_add(&e->map->arena, &tile->properties, lvl_text_of("value"), "", value);
        colors[i] =
            s->filled ? (tiled_color){{s->rgb[0], s->rgb[1], s->rgb[2]}, false}
                      : (tiled_color){
                            {(uint8_t)(160 + i * 53), (uint8_t)(60 + i * 91), (uint8_t)(200 + i * 37)}, true};
    }
    draw_colors(e, set, "special", colors, (uint32_t)e->special_count);
}

/* Tiles that no grid shows: a sheet of their colours. */
static void add_palette(exporter *e)
{
    enum { SIDE = 32 };
    const lvl_field *list = e->plan.tiles;
    const uint32_t count = lvl_list_count(e->doc->root, list);
    tiled_color *colors = lvl_arena_array(&e->map->arena, (size_t)count + 1, sizeof *colors);
    tiled_set *set = add_set(e, lvl_text_of(list->name), "list");

    if (!set || !colors)
        return;
    size_sheet(set, count, SHEET_COLUMNS, SIDE, SIDE);
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
    draw_colors(e, set, list->name, colors, count);
    add_tiles(e, set);
}

/* gids of a grid's cells. */
static void put_cells(exporter *e, const plan_grid *g, tiled_layer *layer)
{
    const lvl_map_grid *grid = e->plan.layout->grid;
    const uint32_t first = e->map->sets.items[e->sheets[g->index]].first, empty = grid->empty(g->item);
    lvl_buffer storage = {0};
    const lvl_cells cells = cells_of(e, g, &storage);
    const size_t count = (size_t)cells.width * cells.height;
    tiled_block *block = PUSH(e, &layer->blocks);
    uint32_t *to = lvl_arena_raw(&e->map->arena, (count + 1) * sizeof *to);

    if (!to)
        set_status(e, LVL_ERR_MEMORY);
    for (size_t i = 0; i < count && is_ok(e); i++) {
        const uint32_t v = cell_at(&cells, i);
        to[i] = v == empty         ? 0
                : v < grid->values ? first + tiled_tile_of_value(grid, v)
                                   : e->special_first + special_of(e, g->index, v);
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

/* Where the chunk that holds a cell begins. */
static int32_t chunk_of(int32_t v)
{
    return (v >= 0 ? v / CHUNK : -1 - (-1 - v) / CHUNK) * CHUNK;
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

/* Squares as the cells of an infinite layer. Of several at one place the first is shown. */
static void put_squares(exporter *e, const plan_grid *g, tiled_layer *layer)
{
    const uint32_t count = lvl_list_count(g->item, e->plan.squares);
    const uint32_t first = e->map->sets.items[e->sheets[g->index]].first;
    place *places = malloc(((size_t)count + 1) * sizeof *places);
    tiled_block *block = NULL;

    layer->width = e->map->width;
    layer->height = e->map->height;
    if (!places) {
        set_status(e, LVL_ERR_MEMORY);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const void *square = lvl_list_item(g->item, e->plan.squares, i);
        places[i] =
            (place){(int32_t)plan_int(square, &e->plan.key_x), (int32_t)plan_int(square, &e->plan.key_y), i};
    }
    qsort(places, count, sizeof *places, by_chunk);
    for (uint32_t i = 0; i < count && is_ok(e); i++) {
        const int32_t x = chunk_of(places[i].x), y = chunk_of(places[i].y);
        if (!block || block->x != x || block->y != y) {
            uint32_t *cells = lvl_arena_array(&e->map->arena, (size_t)CHUNK * CHUNK, sizeof *cells);
            block = PUSH(e, &layer->blocks);
            if (!block || !cells) {
                set_status(e, LVL_ERR_MEMORY);
                break;
            }
            *block = (tiled_block){x, y, CHUNK, CHUNK, cells};
        }
        uint32_t *cell = &block->cells[(places[i].y - y) * CHUNK + (places[i].x - x)];
        if (!*cell)
            *cell = first + places[i].index;
    }
    free(places);
}

/* ---- layers ------------------------------------------------------------------------------------------ */

static tiled_layer *add_layer(exporter *e, tiled_kind kind, uint32_t id, lvl_text name)
{
    tiled_layer *layer = PUSH(e, &e->map->layers);

    if (layer)
        *layer = (tiled_layer){.kind = kind, .id = id, .name = name, .parallax_x = 1, .parallax_y = 1};
    return layer;
}

static void add_grid(exporter *e, const plan_grid *g)
{
    tiled_layer *layer = add_layer(e, TILED_TILES, g->layer, g->name);

    if (!layer)
        return;
    tiled_put_fields(&e->plan, &layer->properties, g->item, &e->plan.grid_fields);
    if (e->plan.parallax_x.field)
        layer->parallax_x = plan_number(g->item, &e->plan.parallax_x) / 100;
    if (e->plan.parallax_y.field)
        layer->parallax_y = plan_number(g->item, &e->plan.parallax_y) / 100;
    if (e->plan.squares)
        put_squares(e, g, layer);
    else
        put_cells(e, g, layer);
}

/* ---- objects ----------------------------------------------------------------------------------------- */

/* The things of the scene that show the items of a list, by index; NULL: none do. */
static const lvl_scene_thing **things_of(exporter *e, const plan_list *l)
{
    const lvl_map_list *how = l->objects->how;

    if (!e->scene || !l->count || (l->grid != UINT32_MAX && l->grid != e->plan.main))
        return NULL;
    const lvl_scene_thing **by = lvl_arena_array(&e->map->arena, l->count, sizeof *by);
    for (uint32_t i = 0; by && i < e->scene->thing_count; i++) {
        const lvl_scene_thing *t = &e->scene->things[i];
        if (t->index < l->count && (!how->things || how->things & 1u << t->kind) && t->image &&
            !(t->flags & LVL_THING_TEXT))
            by[t->index] = t;
    }
    return by;
}

static bool same_sprite(const sprite *a, const sprite *b)
{
    return a->image == b->image && a->effect == b->effect && a->left == b->left && a->top == b->top &&
           a->centered == b->centered && a->number == b->number && lvl_text_equal(a->picture, b->picture) &&
           memcmp(&a->part, &b->part, sizeof a->part) == 0;
}

/* Draws a new sprite and adds it to its set. `x`, `y`: where the thing's own place lies in the picture. */
static const sprite *add_sprite(exporter *e, const sprite *s, const plan_objects *p, const lvl_scene_thing *t,
                                int32_t x, int32_t y)
{
    tiled_set *set = &e->sprite_sets[s->centered];
    lvl_buffer png = {0};
    char stem[48];

    if (!lvl_grow(&e->sprites, &e->sprite_cap, e->sprite_count + 1, sizeof *e->sprites))
        set_status(e, LVL_ERR_MEMORY);
    snprintf(stem, sizeof stem, "sprite-%lu", (unsigned long)e->sprite_count);
    if (is_ok(e))
        set_status(e, tiled_draw_thing(e->scene, t, s->width, s->height, x, y, &png));
    tiled_tile *tile = is_ok(e) ? add_tile(e, set, set->tiles.count) : NULL;
    if (tile) {
        tile->image = add_picture(e, stem, &png);
        tile->type = s->type;
        if (p->picture_number.field) /* also where it is the default: another object may replace its sprite */
            tiled_add(&e->map->arena, &tile->properties, p->picture_number.name, "int",
                      tiled_printf(&e->map->arena, "%lld", (long long)s->number));
        if (s->picture.len)
            tiled_add(&e->map->arena, &tile->properties, p->picture.name, "", s->picture);
        tile->width = s->width;
        tile->height = s->height;
        set->tile_width = s->width > set->tile_width ? s->width : set->tile_width;
        set->tile_height = s->height > set->tile_height ? s->height : set->tile_height;
        e->sprites[e->sprite_count] = *s;
        e->sprites[e->sprite_count].id = tile->id;
    }
    lvl_buffer_free(&png);
    return tile ? &e->sprites[e->sprite_count++] : NULL;
}

/* The sprite that shows a thing whose object is at x, y; NULL: it cannot be shown. */
static const sprite *sprite_of(exporter *e, const plan_list *l, const void *record, lvl_text type,
                               const lvl_scene_thing *t, int64_t x, int64_t y)
{
    const plan_objects *p = l->objects;
    sprite s = {.image = t->image,
                .effect = t->effect,
                .type = type,
                .picture = plan_text(&e->plan, record, &p->picture),
                .number = plan_int(record, &p->picture_number)};
    const lvl_hash_seed *seed = &e->sprite_index.seed;
    lvl_rect rect;

    if (!lvl_scene_thing_rect(t, &rect))
        return NULL;
    const int64_t left = rect.left - x, top = rect.top - y, right = (int64_t)rect.right + 1 - x,
                  bottom = (int64_t)rect.bottom + 1 - y;
    if (left < -4096 || top < -4096 || right > 4096 || bottom > 4096)
        return NULL;
    s.left = (int32_t)left;
    s.top = (int32_t)top;
    if (t->has_part)
        s.part = t->part;
    s.centered = l->objects->how->centered || left < 0 || top < 0;
    const int64_t half_x = -left > right ? -left : right, half_y = -top > bottom ? -top : bottom;
    s.width = (uint32_t)(s.centered ? 2 * half_x : right);
    s.height = (uint32_t)(s.centered ? 2 * half_y : bottom);
    if (!s.width || !s.height)
        return NULL;
    const uint64_t hash = lvl_hash_mix(seed, lvl_hash_u64(seed, (uint64_t)(uintptr_t)s.image),
                                       (uint64_t)(uint32_t)s.left << 32 | (uint32_t)s.top);
    for (lvl_hash_at at = lvl_hash_first(&e->sprite_index, hash); at.found;
         at = lvl_hash_next(&e->sprite_index, at)) {
        if (same_sprite(&e->sprites[at.index], &s))
            return &e->sprites[at.index];
    }
    const sprite *added = add_sprite(e, &s, p, t, (s.centered ? (int32_t)half_x : 0) + (int32_t)(t->x - x),
                                     (s.centered ? (int32_t)half_y : 0) + (int32_t)(t->y - y));
    if (added)
        set_status(e, lvl_hash_add(&e->sprite_index, hash, (uint32_t)e->sprite_count - 1));
    return added;
}

static lvl_text type_of(const tiled_plan *plan, const plan_objects *p, const void *record)
{
    return p->type.field ? plan_text(plan, record, &p->type) : lvl_text_of(p->how->type);
}

/* In the gid of an object, until add_sprite_sets knows where the sets of sprites begin. */
#define GID_CENTERED 0x20000000u

static void add_object(exporter *e, plan_list *l, uint32_t index, const lvl_scene_thing *t,
                       tiled_layer *layer)
{
    const plan_objects *p = l->objects;
    const lvl_map_list *how = p->how;
    const void *record = lvl_list_item(l->owner, l->list, index);
    const double unit = how->unit ? how->unit : 1;
    tiled_object *o = PUSH(e, &layer->objects);
    const sprite *s = NULL;
    int64_t clear = 0;

    if (!o)
        return;
    o->id = plan_object_id(l, index);
    o->x = plan_number(record, &p->x) * unit;
    o->y = plan_number(record, &p->y) * unit;
    o->width = p->width.field ? plan_number(record, &p->width) * unit : how->fixed_width;
    o->height = p->height.field ? plan_number(record, &p->height) * unit : how->fixed_height;
    o->type = type_of(&e->plan, p, record);
    o->name = plan_text(&e->plan, record, &p->name);
    if (t && !p->width.field && o->x > -1e9 && o->x < 1e9 && o->y > -1e9 && o->y < 1e9)
        s = sprite_of(e, l, record, o->type, t, (int64_t)o->x + e->scene->zero_x,
                      (int64_t)o->y + e->scene->zero_y);
    o->point = !s && !p->width.field && !how->fixed_width;
    if (s) {
        const int64_t flags = plan_int(record, &p->flip);
        clear = (int64_t)how->flip_x | how->flip_y;
        o->gid = (s->id + 1) | (flags & how->flip_x ? TILED_FLIP_X : 0) |
                 (flags & how->flip_y ? TILED_FLIP_Y : 0) | (s->centered ? GID_CENTERED : 0);
        o->width = s->width;
        o->height = s->height;
    }
    if (p->numbered)
        tiled_put_unique(&e->plan, &o->properties, record, &p->unique, o->id);
    tiled_put_field(&e->plan, &o->properties, record, &p->flip, clear);
    tiled_put_fields(&e->plan, &o->properties, record, &p->fields);
    tiled_put_links(&e->plan, &o->properties, l, record);
}

/* Puts a layer's objects in the order in which the game draws them. */
static void arrange_objects(exporter *e, const plan_list *l, tiled_layer *layer)
{
    const uint32_t *order = is_ok(e) ? plan_draw_order(&e->plan, l) : NULL;
    tiled_object *to = order ? lvl_arena_array(&e->map->arena, (size_t)l->count + 1, sizeof *to) : NULL;

    layer->by_index = to != NULL;
    for (uint32_t i = 0; to && i < l->count; i++)
        to[i] = layer->objects.items[order[i]];
    if (to)
        layer->objects.items = to;
}

static void add_objects(exporter *e, plan_list *l)
{
    tiled_layer *layer = add_layer(e, TILED_OBJECTS, l->layer, l->name);
    const lvl_scene_thing **things = things_of(e, l);

    if (!layer)
        return;
    set_status(e, lvl_charge(e->doc->ctx, (uint64_t)l->count * 64));
    layer->color = lvl_text_of(l->objects->how->color);
    for (uint32_t i = 0; i < l->count && is_ok(e); i++)
        add_object(e, l, i, things ? things[i] : NULL, layer);
    arrange_objects(e, l, layer);
}

static void add_start(exporter *e)
{
    tiled_layer *layer = add_layer(e, TILED_OBJECTS, e->plan.start_layer, lvl_text_of("level"));
    tiled_object *o = layer ? PUSH(e, &layer->objects) : NULL;

    if (!o)
        return;
    layer->color = lvl_text_of("#50ff50");
    o->id = e->plan.start_object;
    o->name = o->type = lvl_text_of("start");
    o->point = true;
    o->x = plan_number(e->doc->root, &e->plan.start_x);
    o->y = plan_number(e->doc->root, &e->plan.start_y);
}

static void add_layers(exporter *e)
{
    uint32_t next = 0;

    for (uint32_t i = 0; i < e->plan.grid_count && is_ok(e); i++) {
        add_grid(e, &e->plan.grids[i]);
        for (; next < e->plan.lists.count && e->plan.lists.items[next].grid == i && is_ok(e); next++)
            add_objects(e, &e->plan.lists.items[next]);
    }
    for (; next < e->plan.lists.count && is_ok(e); next++)
        add_objects(e, &e->plan.lists.items[next]);
    if (e->plan.start_layer && is_ok(e))
        add_start(e);
}

/* A sprite of each picture that an object could show, to be placed. */
static void add_stock(exporter *e)
{
    const lvl_scene_request request = {.art = e->options->art};
    tiled_plan plan = {0};

    if (!e->scene || !e->plan.layout->stock)
        return;
    set_status(e, e->plan.layout->stock(e->doc, e->options->art, &e->stock));
    if (!is_ok(e) || !e->stock)
        return;
    set_status(e, tiled_plan_make(&plan, e->stock, &e->map->arena));
    if (is_ok(e))
        set_status(e, lvl_doc_scene(e->stock, &request, &e->stock_scene));
    for (uint32_t i = 0; is_ok(e) && i < e->stock_scene->thing_count; i++) {
        const lvl_scene_thing *t = &e->stock_scene->things[i];
        const plan_list *l = NULL;
        for (uint32_t k = 0; k < plan.lists.count && !l; k++) {
            const plan_list *one = &plan.lists.items[k];
            if (t->index < one->count &&
                (!one->objects->how->things || one->objects->how->things & 1u << t->kind))
                l = one;
        }
        if (!l || !t->image)
            continue;
        const void *record = lvl_list_item(l->owner, l->list, t->index);
        sprite_of(e, l, record, type_of(&plan, l->objects, record), t,
                  (int64_t)plan_number(record, &l->objects->x) + e->stock_scene->zero_x,
                  (int64_t)plan_number(record, &l->objects->y) + e->stock_scene->zero_y);
    }
}

/* The sets of sprites, and the final gids of objects. */
static void add_sprite_sets(exporter *e)
{
    static const char *const names[] = {"sprites", "sprites by their centre"};
    tiled_map *map = e->map;
    uint32_t first[2] = {0, 0};

    for (uint32_t i = 0; i < 2; i++) {
        const tiled_set *from = &e->sprite_sets[i];
        tiled_set *set = from->tiles.count ? add_set(e, lvl_text_of(names[i]), "sprites") : NULL;
        if (!set)
            continue;
        set->alignment = lvl_text_of(i ? "center" : "topleft");
        set->tile_width = from->tile_width;
        set->tile_height = from->tile_height;
        set->tile_count = from->tiles.count;
        set->tiles = from->tiles;
        first[i] = set->first;
    }
    for (uint32_t i = 0; i < map->layers.count; i++) {
        tiled_layer *layer = &map->layers.items[i];
        for (uint32_t k = 0; k < layer->objects.count; k++) {
            tiled_object *o = &layer->objects.items[k];
            if (o->gid)
                o->gid = (o->gid & (TILED_FLIP_X | TILED_FLIP_Y)) + (o->gid & ~TILED_FLIPS) - 1 +
                         first[o->gid & GID_CENTERED ? 1 : 0];
        }
    }
}

/* ---- the level itself -------------------------------------------------------------------------------- */

static void put_property(exporter *e, const char *name, lvl_text value)
{
    tiled_add(&e->map->arena, &e->map->properties, lvl_text_of(name), "", tiled_copy(&e->map->arena, value));
}

static void put_origin(exporter *e)
{
    lvl_buffer file = {0}, packed = {0}, text = {0};
    char sha[65];

    set_status(e, lvl_doc_write_with_findings(e->doc, &file, e->findings));
    if (is_ok(e))
        set_status(e, lvl_deflate_zlib(lvl_buffer_bytes(&file), LVL_DEFLATE_QUICK, &packed));
    if (is_ok(e)) {
        lvl_sha256_hex(lvl_buffer_bytes(&file), sha);
        put_property(e, "lvl.sha256", lvl_text_of(sha));
    }
    if (is_ok(e) && packed.len / 3 * 4 > ORIGIN_INSIDE) {
        const lvl_text name = tiled_printf(&e->map->arena, "%sorigin-%.16s.bin",
                                           e->options->folder ? e->options->folder : "", sha);
        put_property(e, "lvl.origin_file", name);
        add_file(e, name.ptr, lvl_buffer_bytes(&packed));
    } else if (is_ok(e)) {
        lvl_base64_encode(&text, lvl_buffer_bytes(&packed));
        set_status(e, text.status);
        put_property(e, "lvl.origin", lvl_buffer_text(&text));
    }
    lvl_buffer_free(&file);
    lvl_buffer_free(&packed);
    lvl_buffer_free(&text);
}

static void put_map(exporter *e)
{
    tiled_map *map = e->map;
    const plan_grid *main = e->plan.main < e->plan.grid_count ? &e->plan.grids[e->plan.main] : NULL;

    map->infinite = e->plan.squares != NULL;
    map->parallax_x = e->plan.layout->grid->view_width / 2.0;
    map->parallax_y = e->plan.layout->grid->view_height / 2.0;
    map->background = lvl_text_of(e->plan.layout->grid->background);
    map->tile_width = main ? cell_width(e, main) : 64;
    map->tile_height = main ? cell_height(e, main) : 64;
    map->width = map->height = CHUNK;
    if (main && e->plan.cells) {
        const lvl_cells *cells = lvl_get_cells(main->item, e->plan.cells);
        map->width = cells->width ? cells->width : 1;
        map->height = cells->height ? cells->height : 1;
    }
    map->next_layer = e->plan.next_layer;
    map->next_object = e->plan.next_object;
    put_property(e, "lvl.format", lvl_text_of(e->doc->format->id));
    put_property(e, "lvl.encoding", lvl_text_of(lvl_codepage_name(e->doc->codepage)));
    tiled_put_fields(&e->plan, &map->properties, e->doc->root, &e->plan.root_fields);
    if (!e->options->no_origin)
        put_origin(e);
}

static void make_map(exporter *e)
{
    set_status(e, tiled_plan_make(&e->plan, (lvl_doc *)(uintptr_t)e->doc, &e->map->arena));
    e->plan.typed = e->options->typed;
    if (is_ok(e) && !e->options->no_pictures) {
        const lvl_scene_request request = {.art = e->options->art};
        const lvl_status status = lvl_doc_scene(e->doc, &request, &e->scene);
        if (status != LVL_ERR_LIMIT && status != LVL_ERR_UNSUPPORTED) /* these: a map without pictures */
            set_status(e, status);
    }
    e->sheets = lvl_arena_array(&e->map->arena, (size_t)e->plan.grid_count + 1, sizeof *e->sheets);
    if (!e->sheets)
        set_status(e, LVL_ERR_MEMORY);
    if (is_ok(e))
        put_map(e);
    if (is_ok(e))
        add_sheets(e);
    e->special_first = next_gid(e->map);
    for (const lvl_cell_name *n = e->plan.cells ? e->plan.cells->cell_names : NULL;
         n && n->symbol && is_ok(e); n++)
        special_of(e, e->plan.main, n->value);
    if (is_ok(e))
        add_layers(e);
    if (is_ok(e))
        add_special_set(e);
    if (is_ok(e) && e->plan.tiles && e->plan.layout->tiles_alone)
        add_palette(e);
    if (is_ok(e))
        add_stock(e);
    if (is_ok(e))
        add_sprite_sets(e);
    e->status = tiled_arena_status(&e->map->arena, e->status);
}

/* ---- the API ----------------------------------------------------------------------------------------- */

bool lvl_tiled_can(const lvl_format *format)
{
    return format->calls->map_layout && format->calls->map_layout->grid;
}

static file_list *new_list(const lvl_ctx *ctx)
{
    file_list *list = lvl_mem_alloc(ctx, sizeof *list);

    if (list) {
        memset(list, 0, sizeof *list);
        list->ctx = ctx;
        lvl_arena_init(&list->arena, ctx);
    }
    return list;
}

lvl_status lvl_tiled_write(const lvl_doc *doc, const lvl_tiled_options *options, lvl_tiled_files **out,
                           lvl_findings *findings)
{
    const lvl_tiled_options none = {0};
    exporter e = {.doc = doc, .options = options ? options : &none, .findings = findings};

    *out = NULL;
    if (!lvl_tiled_can(doc->format))
        return LVL_ERR_UNSUPPORTED;
    lvl_hash_init(&e.special_index);
    lvl_hash_init(&e.sprite_index);
    lvl_hash_init(&e.drawn_index);
    e.map = tiled_map_new(doc->ctx);
    e.list = new_list(doc->ctx);
    if (e.map && e.list)
        add_file(&e, NULL, (lvl_bytes){NULL, 0}); /* the map comes first, and is filled in last */
    else
        e.status = LVL_ERR_MEMORY;
    if (is_ok(&e))
        make_map(&e);
    if (is_ok(&e))
        e.status = tiled_write(e.map, e.options->json, &e.list->map);
    if (is_ok(&e)) {
        e.list->files.items[0].bytes = lvl_buffer_bytes(&e.list->map);
        *out = &e.list->files;
    } else if (e.list) {
        lvl_tiled_files_free(&e.list->files);
    }
    lvl_scene_free(e.scene);
    lvl_scene_free(e.stock_scene);
    lvl_doc_free(e.stock);
    lvl_hash_free(&e.special_index);
    lvl_hash_free(&e.sprite_index);
    lvl_hash_free(&e.drawn_index);
    free(e.drawn);
    free(e.specials);
    free(e.sprites);
    tiled_map_free(e.map);
    return e.status;
}

void lvl_tiled_files_free(lvl_tiled_files *files)
{
    if (!files)
        return;
    file_list *list = (file_list *)files;
    lvl_arena_free(&list->arena);
    lvl_buffer_free(&list->map);
    lvl_mem_free(list->ctx, list);
}
