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
    MOST_SPECIAL = 1024,
    BLOCK = 16 /* cells of a part of an infinite layer, each way */
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
    uint32_t id, width, height;
} sprite;

typedef struct exporter {
    const lvl_doc *doc;
    const lvl_tiled_options *options;
    lvl_findings *findings;
    tiled_map *map;
    tiled_plan plan;
    lvl_scene *scene;
    file_list *list;
    uint32_t *sheets; /* set of each grid */
    uint32_t special; /* set of the other values */
    uint32_t *specials;
    size_t special_count, special_cap;
    lvl_hash special_index, sprite_index;
    sprite *sprites;
    size_t sprite_count, sprite_cap;
    uint32_t sprite_sets[2]; /* of top left ones, of centered ones; UINT32_MAX: none yet */
} exporter;

/* ---- files ------------------------------------------------------------------------------------------- */

static lvl_status add_file(exporter *e, const char *name, const lvl_buffer *bytes)
{
    file_list *f = e->list;
    lvl_tiled_file *file = tiled_push(&f->arena, &f->files.items, &f->files.count, &f->cap, sizeof *file);

    if (!file)
        return LVL_ERR_MEMORY;
    file->name = name ? tiled_copy(&f->arena, lvl_text_of(name)).ptr : NULL;
    file->bytes = (lvl_bytes){
        lvl_arena_copy(&f->arena, bytes->len ? bytes->data : (const uint8_t *)"", bytes->len), bytes->len};
    return (!name || file->name) && file->bytes.ptr ? LVL_OK : LVL_ERR_MEMORY;
}

/* The name of a picture in the map; and the picture among the files, unless it is there. */
static lvl_status add_picture(exporter *e, const char *stem, const lvl_buffer *png, lvl_text *name)
{
    const char *folder = e->options->folder ? e->options->folder : "";
    char sha[65], buf[1024];

    if (e->options->by_content) {
        lvl_sha256_hex((lvl_bytes){png->data, png->len}, sha);
        stem = sha;
    }
    snprintf(buf, sizeof buf, "%s%s.png", folder, stem);
    *name = tiled_copy(&e->map->arena, lvl_text_of(buf));
    if (!name->ptr)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < e->list->files.count && e->options->by_content; i++) {
        if (e->list->files.items[i].name && strcmp(e->list->files.items[i].name, buf) == 0)
            return LVL_OK;
    }
    return e->options->no_pictures ? LVL_OK : add_file(e, buf, png);
}

/* ---- tilesets ---------------------------------------------------------------------------------------- */

static tiled_set *add_set(exporter *e, lvl_text name, const char *mark)
{
    tiled_map *map = e->map;
    tiled_set *set = tiled_push(&map->arena, &map->sets, &map->set_count, &map->set_cap, sizeof *set);

    if (!set)
        return NULL;
    set->first = 1;
    if (map->set_count > 1) {
        const tiled_set *before = set - 1;
        set->first = before->first + before->tile_count;
    }
    set->name = name;
    const lvl_text kept = tiled_copy(&map->arena, lvl_text_of(mark));
    return kept.ptr && tiled_add(&map->arena, &set->properties, lvl_text_of("lvl.set"), "", kept) ? set
                                                                                                  : NULL;
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

static bool can_draw(const tiled_set *set)
{
    return set->width <= PICTURE_SIDE && set->height <= PICTURE_SIDE &&
           (uint64_t)set->width * set->height <= PICTURE_CELLS;
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

/* The layer of the scene that draws the tiles of a grid. */
static uint32_t scene_layer(const exporter *e, const plan_grid *g)
{
    return !e->scene ? 0 : e->plan.squares ? e->scene->main_layer : g->index;
}

/* What the main sheet's tiles are said to be. */
static lvl_status add_tiles(exporter *e, tiled_set *set)
{
    const lvl_field *list = e->plan.tiles;
    const uint32_t count = lvl_list_count(e->doc->root, list);

    for (uint32_t i = 0; i < count && i < set->tile_count; i++) {
        const void *record = lvl_list_item(e->doc->root, list, i);
        tiled_tile tile = {.id = tiled_tile_of_value(e->plan.layout->grid, i)};
        if (!tiled_put_fields(&e->plan, &tile.properties, record, &e->plan.tile_fields))
            return LVL_ERR_MEMORY;
        if (!tile.properties.count)
            continue;
        tiled_tile *at = tiled_push(&e->map->arena, &set->tiles, &set->count, &set->cap, sizeof *at);
        if (!at)
            return LVL_ERR_MEMORY;
        *at = tile;
    }
    return LVL_OK;
}

/* One more than the highest tile that the layer uses. */
static lvl_status tiles_used(exporter *e, const plan_grid *g, uint32_t *out)
{
    lvl_buffer storage = {0};
    lvl_cells cells;
    uint32_t most = 0;

    lvl_status status = lvl_doc_cells(e->doc, g->item, e->plan.cells, &storage, &cells);
    if (status == LVL_ERR_FORMAT)
        status = LVL_OK;
    for (size_t i = 0; status == LVL_OK && cells.ptr && i < (size_t)cells.width * cells.height; i++) {
        const uint32_t v = lvl_cell(&cells, (uint32_t)(i % cells.width), (uint32_t)(i / cells.width));
        if (v < e->plan.layout->grid->values && v >= most)
            most = v + 1;
    }
    lvl_buffer_free(&storage);
    *out = most;
    return status;
}

static lvl_status add_sheet(exporter *e, const plan_grid *g)
{
    const lvl_map_grid *grid = e->plan.layout->grid;
    const bool with_tiles = e->plan.tiles && !e->plan.layout->tiles_alone && g->index == e->plan.main;
    uint32_t tiles = grid->sheet_tiles, columns = grid->columns;
    lvl_status status = LVL_OK;
    lvl_buffer png = {0};
    char mark[32], stem[48];

    if (e->plan.squares) {
        tiles = lvl_list_count(g->item, e->plan.squares);
        for (columns = 16; columns * columns < tiles;)
            columns++;
    } else if (!tiles) {
        status = tiles_used(e, g, &tiles);
        if (with_tiles && lvl_list_count(e->doc->root, e->plan.tiles) > tiles)
            tiles = lvl_list_count(e->doc->root, e->plan.tiles);
        tiles = tiles < grid->values ? tiles : grid->values;
    }
    snprintf(mark, sizeof mark, "%lu", (unsigned long)g->index);
    snprintf(stem, sizeof stem, "tiles-%lu", (unsigned long)g->index);
    tiled_set *set = status == LVL_OK ? add_set(e, g->name, mark) : NULL;
    if (!set)
        return status == LVL_OK ? LVL_ERR_MEMORY : status;
    size_sheet(set, tiles, columns, cell_width(e, g), cell_height(e, g));
    if (!e->options->no_pictures)
        status = can_draw(set) ? tiled_draw_sheet(e->doc->ctx, e->scene, scene_layer(e, g), set, grid, tiles,
                                                  e->plan.squares != NULL, &png)
                               : LVL_OK;
    if (status == LVL_OK)
        status = png.status;
    if (status == LVL_OK)
        status = add_picture(e, stem, &png, &set->image);
    lvl_buffer_free(&png);
    if (status == LVL_OK && with_tiles)
        status = add_tiles(e, set);
    e->sheets[g->index] = (uint32_t)(set - e->map->sets);
    return status;
}

static lvl_status add_sheets(exporter *e)
{
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < e->plan.grid_count && status == LVL_OK; i++) {
        if (i && e->plan.layout->grid->shared)
            e->sheets[i] = e->sheets[0];
        else
            status = add_sheet(e, &e->plan.grids[i]);
    }
    return status;
}

/* ---- cells ------------------------------------------------------------------------------------------- */

/* The tile of a value that is none of the sheet; they are counted as they come. */
static lvl_status special_of(exporter *e, uint32_t value, uint32_t *id)
{
    const uint64_t hash = lvl_hash_u64(&e->special_index.seed, value);

    for (lvl_hash_at at = lvl_hash_first(&e->special_index, hash); at.found;
         at = lvl_hash_next(&e->special_index, at)) {
        if (e->specials[at.index] == value) {
            *id = at.index;
            return LVL_OK;
        }
    }
    if (e->special_count >= MOST_SPECIAL) {
        lvl_findings_add(e->findings, &lvl_faults[LVL_FAULT_MAP], NULL, NULL,
                         "the cells have more than %d values that are no tile; a map cannot show them; see "
                         "`lvl check'",
                         MOST_SPECIAL);
        return LVL_ERR_UNSUPPORTED;
    }
    if (!lvl_grow(&e->specials, &e->special_cap, e->special_count + 1, sizeof *e->specials))
        return LVL_ERR_MEMORY;
    *id = (uint32_t)e->special_count;
    e->specials[e->special_count++] = value;
    return lvl_hash_add(&e->special_index, hash, *id);
}

static lvl_status collect_specials(exporter *e)
{
    const lvl_field *f = e->plan.cells;
    const uint32_t values = e->plan.layout->grid->values;
    uint32_t id;

    for (const lvl_cell_name *n = f ? f->cell_names : NULL; n && n->symbol; n++) {
        const lvl_status status = special_of(e, n->value, &id);
        if (status != LVL_OK)
            return status;
    }
    for (uint32_t g = 0; f && g < e->plan.grid_count; g++) {
        lvl_buffer storage = {0};
        lvl_cells cells;
        uint32_t last = e->plan.layout->grid->empty(e->plan.grids[g].item);
        lvl_status status = lvl_doc_cells(e->doc, e->plan.grids[g].item, f, &storage, &cells);
        if (status == LVL_ERR_FORMAT)
            status = LVL_OK;
        for (uint32_t y = 0; status == LVL_OK && cells.ptr && y < cells.height; y++) {
            for (uint32_t x = 0; status == LVL_OK && x < cells.width; x++) {
                const uint32_t v = lvl_cell(&cells, x, y);
                if (v >= values && v != last) {
                    status = special_of(e, v, &id);
                    last = v;
                }
            }
        }
        lvl_buffer_free(&storage);
        if (status != LVL_OK)
            return status;
    }
    return LVL_OK;
}

static lvl_status add_special_set(exporter *e)
{
    enum { COLUMNS = 16 };
    uint8_t(*rgb)[3] = calloc(e->special_count + 1, sizeof *rgb);
    const lvl_field *f = e->plan.cells;
    lvl_status status = rgb ? LVL_OK : LVL_ERR_MEMORY;
    lvl_buffer png = {0};
    char text[64];

    tiled_set *set = status == LVL_OK ? add_set(e, lvl_text_of("special cells"), "special") : NULL;
    if (!set) {
        free(rgb);
        return LVL_ERR_MEMORY;
    }
    e->special = (uint32_t)(set - e->map->sets);
    size_sheet(set, (uint32_t)e->special_count, COLUMNS, e->map->tile_width, e->map->tile_height);
    for (uint32_t i = 0; i < e->special_count && status == LVL_OK; i++) {
        const uint32_t v = e->specials[i];
        const lvl_cell_name *n = f->cell_names;
        while (n && n->symbol && n->value != v)
            n++;
        snprintf(text, sizeof text, "0x%lX", (unsigned long)v);
        const lvl_text value =
            n && n->symbol ? lvl_text_of(n->name) : tiled_copy(&e->map->arena, lvl_text_of(text));
        tiled_tile *tile = tiled_push(&e->map->arena, &set->tiles, &set->count, &set->cap, sizeof *tile);
        if (!tile || !value.ptr ||
            !tiled_add(&e->map->arena, &tile->properties, lvl_text_of("value"), "", value))
            status = LVL_ERR_MEMORY;
        else
            tile->id = i;
        rgb[i][0] = (uint8_t)(160 + i * 53);
        rgb[i][1] = (uint8_t)(60 + i * 91);
        rgb[i][2] = (uint8_t)(200 + i * 37);
    }
    if (status == LVL_OK && can_draw(set) && !e->options->no_pictures)
        status =
            tiled_draw_colors(e->doc->ctx, set, (const uint8_t(*)[3])rgb, (uint32_t)e->special_count, &png);
    if (status == LVL_OK)
        status = add_picture(e, "special", &png, &set->image);
    lvl_buffer_free(&png);
    free(rgb);
    return status;
}

static lvl_status add_palette(exporter *e)
{
    enum { COLUMNS = 16, SIDE = 32 };
    const lvl_field *list = e->plan.tiles;
    const uint32_t count = lvl_list_count(e->doc->root, list);
    uint8_t(*rgb)[3] = calloc((size_t)count + 1, sizeof *rgb);
    lvl_status status = rgb ? LVL_OK : LVL_ERR_MEMORY;
    lvl_buffer png = {0};

    tiled_set *set = status == LVL_OK ? add_set(e, lvl_text_of(list->name), "list") : NULL;
    if (!set) {
        free(rgb);
        return LVL_ERR_MEMORY;
    }
    size_sheet(set, count, COLUMNS, SIDE, SIDE);
    for (uint32_t i = 0; i < count && e->plan.color.field; i++) {
        const void *record = lvl_list_item(e->doc->root, list, i);
        const lvl_text text = lvl_get_text(plan_record(record, &e->plan.color), e->plan.color.field);
        unsigned c[3] = {0};
        char buf[16];
        snprintf(buf, sizeof buf, "%.*s", text.len < 15 ? (int)text.len : 15, text.len ? text.ptr : "");
        if (sscanf(buf[0] == '#' ? buf + 1 : buf, "%2x%2x%2x", &c[0], &c[1], &c[2]) == 3) { /* NOLINT */
            for (int k = 0; k < 3; k++)
                rgb[i][k] = (uint8_t)c[k];
        }
    }
    if (can_draw(set) && !e->options->no_pictures)
        status = tiled_draw_colors(e->doc->ctx, set, (const uint8_t(*)[3])rgb, count, &png);
    if (status == LVL_OK)
        status = add_picture(e, list->name, &png, &set->image);
    lvl_buffer_free(&png);
    free(rgb);
    return status == LVL_OK ? add_tiles(e, set) : status;
}

/* gids of a grid's cells. */
static lvl_status put_cells(exporter *e, const plan_grid *g, tiled_layer *layer)
{
    const lvl_map_grid *grid = e->plan.layout->grid;
    const uint32_t first = e->map->sets[e->sheets[g->index]].first, special = e->map->sets[e->special].first,
                   empty = grid->empty(g->item);
    lvl_buffer storage = {0};
    lvl_cells cells;
    uint32_t id;

    lvl_status status = lvl_doc_cells(e->doc, g->item, e->plan.cells, &storage, &cells);
    if (status == LVL_ERR_FORMAT)
        status = LVL_OK; /* what could be read */
    const size_t count = status == LVL_OK && cells.ptr ? (size_t)cells.width * cells.height : 0;
    tiled_block *block = status == LVL_OK ? tiled_push(&e->map->arena, &layer->blocks, &layer->block_count,
                                                       &layer->block_cap, sizeof *block)
                                          : NULL;
    uint32_t *to = block ? lvl_arena_raw(&e->map->arena, (count + 1) * sizeof *to) : NULL;
    if (!to) {
        lvl_buffer_free(&storage);
        return status == LVL_OK ? LVL_ERR_MEMORY : status;
    }
    for (size_t i = 0; i < count && status == LVL_OK; i++) {
        const uint8_t *p = cells.ptr + i * cells.size;
        const uint32_t v = cells.size == 4 ? lvl_load_u32le(p) : cells.size == 2 ? lvl_load_u16le(p) : *p;
        if (v == empty) {
            to[i] = 0;
        } else if (v < grid->values) {
            to[i] = first + tiled_tile_of_value(grid, v);
        } else {
            status = special_of(e, v, &id);
            to[i] = special + id;
        }
    }
    block->cells = to;
    block->width = layer->width = count ? cells.width : 0;
    block->height = layer->height = count ? cells.height : 0;
    lvl_buffer_free(&storage);
    return status;
}

typedef struct place {
    int32_t x, y;
    uint32_t index;
} place;

static int32_t block_of(int32_t v)
{
    return v >= 0 ? v / BLOCK : -1 - (-1 - v) / BLOCK;
}

static int by_block(const void *a, const void *b)
{
    const place *p = a, *q = b;
    const int32_t keys[][2] = {
        {block_of(p->y), block_of(q->y)}, {block_of(p->x), block_of(q->x)}, {p->y, q->y}, {p->x, q->x}};

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    }
    return p->index < q->index ? -1 : p->index > q->index;
}

/* Squares at places of their own: blocks of an infinite layer. Of several at one place the first is shown. */
static lvl_status put_squares(exporter *e, const plan_grid *g, tiled_layer *layer)
{
    const uint32_t count = lvl_list_count(g->item, e->plan.squares);
    const uint32_t first = e->map->sets[e->sheets[g->index]].first;
    place *places = malloc(((size_t)count + 1) * sizeof *places);
    lvl_status status = places ? LVL_OK : LVL_ERR_MEMORY;
    tiled_block *block = NULL;

    for (uint32_t i = 0; i < count && places; i++) {
        const void *square = lvl_list_item(g->item, e->plan.squares, i);
        places[i] =
            (place){(int32_t)plan_int(square, &e->plan.key_x), (int32_t)plan_int(square, &e->plan.key_y), i};
    }
    if (count && places)
        qsort(places, count, sizeof *places, by_block);
    for (uint32_t i = 0; i < count && status == LVL_OK; i++) {
        const int32_t x = block_of(places[i].x) * BLOCK, y = block_of(places[i].y) * BLOCK;
        if (!block || block->x != x || block->y != y) {
            block = tiled_push(&e->map->arena, &layer->blocks, &layer->block_count, &layer->block_cap,
                               sizeof *block);
            uint32_t *cells = block ? lvl_arena_array(&e->map->arena, BLOCK * BLOCK, sizeof *cells) : NULL;
            if (!cells) {
                status = LVL_ERR_MEMORY;
                break;
            }
            *block = (tiled_block){x, y, BLOCK, BLOCK, cells};
        }
        uint32_t *cell = &block->cells[(places[i].y - y) * BLOCK + (places[i].x - x)];
        if (!*cell)
            *cell = first + places[i].index;
    }
    layer->width = e->map->width;
    layer->height = e->map->height;
    free(places);
    return status;
}

/* ---- layers ------------------------------------------------------------------------------------------ */

static tiled_layer *add_layer(exporter *e, tiled_kind kind, uint32_t id, lvl_text name)
{
    tiled_map *map = e->map;
    tiled_layer *layer =
        tiled_push(&map->arena, &map->layers, &map->layer_count, &map->layer_cap, sizeof *layer);

    if (layer)
        *layer = (tiled_layer){.kind = kind, .id = id, .name = name, .parallax_x = 1, .parallax_y = 1};
    return layer;
}

static lvl_status add_grid(exporter *e, const plan_grid *g)
{
    tiled_layer *layer = add_layer(e, TILED_TILES, g->layer, g->name);

    if (!layer || !tiled_put_fields(&e->plan, &layer->properties, g->item, &e->plan.grid_fields))
        return LVL_ERR_MEMORY;
    if (e->plan.parallax_x.field)
        layer->parallax_x = plan_number(g->item, &e->plan.parallax_x) / 100;
    if (e->plan.parallax_y.field)
        layer->parallax_y = plan_number(g->item, &e->plan.parallax_y) / 100;
    return e->plan.squares ? put_squares(e, g, layer) : put_cells(e, g, layer);
}

/* ---- objects ----------------------------------------------------------------------------------------- */

/* The things of the scene that show the items of a list, by index; NULL: none do. */
static const lvl_scene_thing **things_of(exporter *e, const plan_list *l)
{
    const lvl_map_list *how = l->objects->how;

    if (!e->scene || !l->count || e->options->no_pictures ||
        (l->grid != UINT32_MAX && l->grid != e->plan.main))
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
           a->centered == b->centered && memcmp(&a->part, &b->part, sizeof a->part) == 0;
}

static tiled_set *sprite_set(exporter *e, bool centered)
{
    return &e->map->sets[e->sprite_sets[centered]];
}

/* The sprite that shows a thing; NULL and LVL_OK: it can't be shown. */
static lvl_status find_sprite(exporter *e, const plan_list *l, const lvl_scene_thing *t, int64_t x, int64_t y,
                              const sprite **out)
{
    lvl_rect rect;
    sprite s = {.image = t->image, .effect = t->effect};

    *out = NULL;
    if (!lvl_scene_thing_rect(t, &rect))
        return LVL_OK;
    const int64_t left = rect.left - x, top = rect.top - y, right = (int64_t)rect.right + 1 - x,
                  bottom = (int64_t)rect.bottom + 1 - y;
    if (left < -4096 || top < -4096 || right > 4096 || bottom > 4096)
        return LVL_OK;
    s.left = (int32_t)left;
    s.top = (int32_t)top;
    if (t->has_part)
        s.part = t->part;
    s.centered = l->objects->how->centered || left < 0 || top < 0;
    const int64_t half_x = -left > right ? -left : right, half_y = -top > bottom ? -top : bottom;
    s.width = (uint32_t)(s.centered ? 2 * half_x : right);
    s.height = (uint32_t)(s.centered ? 2 * half_y : bottom);
    if (!s.width || !s.height)
        return LVL_OK;
    const uint64_t hash =
        lvl_hash_mix(&e->sprite_index.seed, lvl_hash_u64(&e->sprite_index.seed, (uint64_t)(uintptr_t)s.image),
                     (uint64_t)(uint32_t)s.left << 32 | (uint32_t)s.top);
    for (lvl_hash_at at = lvl_hash_first(&e->sprite_index, hash); at.found;
         at = lvl_hash_next(&e->sprite_index, at)) {
        if (same_sprite(&e->sprites[at.index], &s)) {
            *out = &e->sprites[at.index];
            return LVL_OK;
        }
    }
    if (!lvl_grow(&e->sprites, &e->sprite_cap, e->sprite_count + 1, sizeof *e->sprites))
        return LVL_ERR_MEMORY;
    tiled_set *set = sprite_set(e, s.centered);
    s.id = set->count;
    lvl_buffer png = {0};
    char stem[48];
    snprintf(stem, sizeof stem, "sprite-%lu", (unsigned long)e->sprite_count);
    lvl_status status = tiled_draw_thing(e->scene, t, s.width, s.height,
                                         (s.centered ? (int32_t)half_x : 0) + (int32_t)(t->x - x),
                                         (s.centered ? (int32_t)half_y : 0) + (int32_t)(t->y - y), &png);
    tiled_tile *tile = tiled_push(&e->map->arena, &set->tiles, &set->count, &set->cap, sizeof *tile);
    if (status == LVL_OK)
        status = tile ? add_picture(e, stem, &png, &tile->image) : LVL_ERR_MEMORY;
    lvl_buffer_free(&png);
    if (status != LVL_OK)
        return status;
    tile->id = s.id;
    tile->width = s.width;
    tile->height = s.height;
    set->tile_width = s.width > set->tile_width ? s.width : set->tile_width;
    set->tile_height = s.height > set->tile_height ? s.height : set->tile_height;
    set->tile_count = set->count;
    e->sprites[e->sprite_count] = s;
    status = lvl_hash_add(&e->sprite_index, hash, (uint32_t)e->sprite_count);
    *out = &e->sprites[e->sprite_count++];
    return status;
}

/* gids of sprites are known when all are: until then the set's index stands above the flips' place. */
static lvl_status add_object(exporter *e, plan_list *l, uint32_t index, const lvl_scene_thing *t,
                             tiled_layer *layer)
{
    const plan_objects *p = l->objects;
    const lvl_map_list *how = p->how;
    const void *record = lvl_list_item(l->owner, l->list, index);
    const double unit = how->unit ? how->unit : 1;
    const sprite *s = NULL;
    lvl_status status = LVL_OK;

    tiled_object *o =
        tiled_push(&e->map->arena, &layer->objects, &layer->object_count, &layer->object_cap, sizeof *o);
    if (!o)
        return LVL_ERR_MEMORY;
    o->id = plan_object_id(l, index);
    o->x = plan_number(record, &p->x) * unit;
    o->y = plan_number(record, &p->y) * unit;
    o->width = p->width.field ? plan_number(record, &p->width) * unit : how->fixed_width;
    o->height = p->height.field ? plan_number(record, &p->height) * unit : how->fixed_height;
    o->type = lvl_text_of(how->type);
    if (p->type.field)
        o->type = tiled_show_text(&e->map->arena, e->doc->codepage,
                                  lvl_get_text(plan_record(record, &p->type), p->type.field));
    if (p->name.field)
        o->name = tiled_show_text(&e->map->arena, e->doc->codepage,
                                  lvl_get_text(plan_record(record, &p->name), p->name.field));
    if ((p->type.field && !o->type.ptr) || (p->name.field && !o->name.ptr))
        return LVL_ERR_MEMORY;
    const bool box = p->width.field || how->fixed_width;
    if (t && !p->width.field && o->x > -1e9 && o->x < 1e9 && o->y > -1e9 && o->y < 1e9)
        status = find_sprite(e, l, t, (int64_t)o->x + e->scene->zero_x, (int64_t)o->y + e->scene->zero_y, &s);
    if (status != LVL_OK)
        return status;
    int64_t clear = 0;
    if (s) {
        const int64_t flags = plan_int(record, &p->flip);
        clear = p->flip.field ? (int64_t)how->flip_x | how->flip_y : 0;
        o->gid = (s->id + 1) | (flags & how->flip_x ? TILED_FLIP_X : 0) |
                 (flags & how->flip_y ? TILED_FLIP_Y : 0) | (s->centered ? 0x20000000u : 0);
        o->width = s->width;
        o->height = s->height;
    }
    o->point = !s && !box;
    if ((p->numbered && !tiled_put_unique(&e->plan, &o->properties, record, &p->unique, o->id)) ||
        !tiled_put_field(&e->plan, &o->properties, record, &p->flip, clear) ||
        !tiled_put_fields(&e->plan, &o->properties, record, &p->fields) ||
        !tiled_put_links(&e->plan, &o->properties, l, record))
        return LVL_ERR_MEMORY;
    return LVL_OK;
}

static lvl_status add_objects(exporter *e, plan_list *l)
{
    tiled_layer *layer = add_layer(e, TILED_OBJECTS, l->layer, l->name);
    const lvl_scene_thing **things = things_of(e, l);
    lvl_status status = layer ? lvl_charge(e->doc->ctx, (uint64_t)l->count * 64) : LVL_ERR_MEMORY;

    if (layer)
        layer->color = lvl_text_of(l->objects->how->color);
    for (uint32_t i = 0; i < l->count && status == LVL_OK; i++)
        status = add_object(e, l, i, things ? things[i] : NULL, layer);
    return status;
}

static lvl_status add_start(exporter *e)
{
    tiled_layer *layer = add_layer(e, TILED_OBJECTS, e->plan.start_layer, lvl_text_of("level"));
    tiled_object *o = layer ? tiled_push(&e->map->arena, &layer->objects, &layer->object_count,
                                         &layer->object_cap, sizeof *o)
                            : NULL;

    if (!o)
        return LVL_ERR_MEMORY;
    layer->color = lvl_text_of("#50ff50");
    o->id = e->plan.start_object;
    o->name = o->type = lvl_text_of("start");
    o->point = true;
    o->x = plan_number(e->doc->root, &e->plan.start_x);
    o->y = plan_number(e->doc->root, &e->plan.start_y);
    return LVL_OK;
}

static lvl_status add_layers(exporter *e)
{
    lvl_status status = LVL_OK;
    uint32_t next = 0;

    for (uint32_t i = 0; i < e->plan.grid_count && status == LVL_OK; i++) {
        status = add_grid(e, &e->plan.grids[i]);
        for (; next < e->plan.list_count && e->plan.lists[next].grid == i && status == LVL_OK; next++)
            status = add_objects(e, &e->plan.lists[next]);
    }
    for (; next < e->plan.list_count && status == LVL_OK; next++)
        status = add_objects(e, &e->plan.lists[next]);
    if (status == LVL_OK && e->plan.start_layer)
        status = add_start(e);
    return status;
}

/* Sets without tiles go, and gids become what they are. */
static void settle_sprites(exporter *e)
{
    tiled_map *map = e->map;
    uint32_t first[2] = {0, 0}, kept = e->sprite_sets[0];

    if (kept == UINT32_MAX)
        return;
    for (uint32_t i = 0; i < 2; i++) {
        const tiled_set *set = &map->sets[e->sprite_sets[i]];
        if (!set->count)
            continue;
        map->sets[kept] = *set;
        first[i] = map->sets[kept].first = map->sets[kept - 1].first + map->sets[kept - 1].tile_count;
        kept++;
    }
    map->set_count = kept;
    for (uint32_t i = 0; i < map->layer_count; i++) {
        tiled_layer *layer = &map->layers[i];
        for (uint32_t k = 0; k < layer->object_count; k++) {
            tiled_object *o = &layer->objects[k];
            const bool centered = o->gid & 0x20000000u;
            if (o->gid)
                o->gid =
                    (o->gid & (TILED_FLIP_X | TILED_FLIP_Y)) + (o->gid & ~TILED_FLIPS) - 1 + first[centered];
        }
    }
}

static lvl_status add_sprite_sets(exporter *e)
{
    static const char *const names[] = {"sprites", "sprites by their centre"};

    for (uint32_t i = 0; i < 2; i++) {
        tiled_set *set = add_set(e, lvl_text_of(names[i]), "sprites");
        if (!set)
            return LVL_ERR_MEMORY;
        set->alignment = lvl_text_of(i ? "center" : "topleft");
        e->sprite_sets[i] = (uint32_t)(set - e->map->sets);
    }
    return LVL_OK;
}

/* ---- the level itself -------------------------------------------------------------------------------- */

static bool put(exporter *e, const char *name, lvl_text value)
{
    const lvl_text kept = tiled_copy(&e->map->arena, value);

    return kept.ptr && tiled_add(&e->map->arena, &e->map->properties, lvl_text_of(name), "", kept);
}

static lvl_status put_origin(exporter *e)
{
    lvl_buffer file = {0}, packed = {0}, text = {0};
    char sha[65], name[1100];

    lvl_status status = lvl_doc_write_with_findings(e->doc, &file, e->findings);
    const lvl_bytes bytes = {file.data, file.len};
    if (status == LVL_OK)
        status = lvl_deflate_zlib(bytes, LVL_DEFLATE_QUICK, &packed);
    if (status == LVL_OK) {
        lvl_sha256_hex(bytes, sha);
        status = put(e, "lvl.sha256", lvl_text_of(sha)) ? LVL_OK : LVL_ERR_MEMORY;
    }
    if (status == LVL_OK && packed.len / 3 * 4 > ORIGIN_INSIDE) {
        snprintf(name, sizeof name, "%sorigin-%.16s.bin", e->options->folder ? e->options->folder : "", sha);
        status = put(e, "lvl.origin_file", lvl_text_of(name)) ? add_file(e, name, &packed) : LVL_ERR_MEMORY;
    } else if (status == LVL_OK) {
        lvl_base64_encode(&text, lvl_buffer_bytes(&packed));
        status = text.status;
        if (status == LVL_OK && !put(e, "lvl.origin", lvl_buffer_text(&text)))
            status = LVL_ERR_MEMORY;
    }
    lvl_buffer_free(&file);
    lvl_buffer_free(&packed);
    lvl_buffer_free(&text);
    return status;
}

static lvl_status put_map(exporter *e)
{
    tiled_map *map = e->map;
    const plan_grid *main = e->plan.main < e->plan.grid_count ? &e->plan.grids[e->plan.main] : NULL;

    map->infinite = e->plan.squares != NULL;
    map->parallax_x = e->plan.layout->grid->view_width / 2.0;
    map->parallax_y = e->plan.layout->grid->view_height / 2.0;
    map->background = lvl_text_of(e->plan.layout->grid->background);
    map->tile_width = main ? cell_width(e, main) : 64;
    map->tile_height = main ? cell_height(e, main) : 64;
    map->width = map->height = BLOCK;
    if (main && e->plan.cells) {
        const lvl_cells *cells = lvl_get_cells(main->item, e->plan.cells);
        map->width = cells->width ? cells->width : 1;
        map->height = cells->height ? cells->height : 1;
    }
    map->next_layer = e->plan.next_layer;
    map->next_object = e->plan.next_object;
    if (!put(e, "lvl.format", lvl_text_of(e->doc->format->id)) ||
        !put(e, "lvl.encoding", lvl_text_of(lvl_codepage_name(e->doc->codepage))) ||
        !tiled_put_fields(&e->plan, &map->properties, e->doc->root, &e->plan.root_fields))
        return LVL_ERR_MEMORY;
    return e->options->no_origin ? LVL_OK : put_origin(e);
}

static lvl_status make_map(exporter *e)
{
    lvl_status status = tiled_plan_make(&e->plan, (lvl_doc *)(uintptr_t)e->doc, &e->map->arena);

    e->plan.typed = e->options->typed;
    if (status != LVL_OK)
        return status;
    if (!e->options->no_pictures) {
        const lvl_scene_request request = {.art = e->options->art};
        status = lvl_doc_scene(e->doc, &request, &e->scene);
        if (status == LVL_ERR_LIMIT || status == LVL_ERR_UNSUPPORTED)
            status = LVL_OK; /* then without pictures */
    }
    e->sheets = lvl_arena_array(&e->map->arena, (size_t)e->plan.grid_count + 1, sizeof *e->sheets);
    if (status == LVL_OK)
        status = e->sheets ? put_map(e) : LVL_ERR_MEMORY;
    if (status == LVL_OK)
        status = add_sheets(e);
    if (status == LVL_OK)
        status = collect_specials(e);
    if (status == LVL_OK && e->special_count)
        status = add_special_set(e);
    if (status == LVL_OK && e->plan.tiles && e->plan.layout->tiles_alone)
        status = add_palette(e);
    if (status == LVL_OK && e->scene)
        status = add_sprite_sets(e);
    if (status == LVL_OK)
        status = add_layers(e);
    if (status == LVL_OK)
        settle_sprites(e);
    return status;
}

/* ---- the API ----------------------------------------------------------------------------------------- */

bool lvl_tiled_can(const lvl_format *format)
{
    return format->calls->map_layout && format->calls->map_layout->grid;
}

lvl_status lvl_tiled_write(const lvl_doc *doc, const lvl_tiled_options *options, lvl_tiled_files **out,
                           lvl_findings *findings)
{
    const lvl_tiled_options none = {0};
    exporter e = {.doc = doc, .options = options ? options : &none, .findings = findings};

    *out = NULL;
    if (!lvl_tiled_can(doc->format))
        return LVL_ERR_UNSUPPORTED;
    e.sprite_sets[0] = e.sprite_sets[1] = UINT32_MAX;
    lvl_hash_init(&e.special_index);
    lvl_hash_init(&e.sprite_index);
    e.map = tiled_map_new(doc->ctx);
    e.list = lvl_mem_alloc(doc->ctx, sizeof *e.list);
    lvl_status status = e.map && e.list ? LVL_OK : LVL_ERR_MEMORY;
    if (e.list) {
        memset(e.list, 0, sizeof *e.list);
        e.list->ctx = doc->ctx;
        lvl_arena_init(&e.list->arena, doc->ctx);
    }
    const lvl_buffer no_bytes = {0};
    if (status == LVL_OK)
        status = add_file(&e, NULL, &no_bytes); /* the map comes first, and is filled in last */
    if (status == LVL_OK)
        status = lvl_arena_status(&e.map->arena, make_map(&e));
    if (status == LVL_OK)
        status = tiled_write(e.map, e.options->json, &e.list->map);
    if (status == LVL_OK)
        e.list->files.items[0].bytes = (lvl_bytes){e.list->map.data, e.list->map.len};
    lvl_scene_free(e.scene);
    lvl_hash_free(&e.special_index);
    lvl_hash_free(&e.sprite_index);
    free(e.specials);
    free(e.sprites);
    tiled_map_free(e.map);
    if (status == LVL_OK)
        *out = &e.list->files;
    else if (e.list)
        lvl_tiled_files_free(&e.list->files);
    return status;
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
