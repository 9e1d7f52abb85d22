/*
 * tiled/import_cells.c: tile layers and tilesets of a map.
 */
#include "base/buffer.h"
#include "base/search.h"
#include "base/work.h"
#include "tiled/import.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- tilesets ---------------------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
    const tiled_tile *p = a, *q = b;

    return p->id < q->id ? -1 : p->id > q->id;
}

static int by_first(const void *a, const void *b)
{
    const tiled_set *p = a, *q = b;

    return p->first < q->first ? -1 : p->first > q->first;
}

void import_find_sets(importer *im)
{
    tiled_map *map = im->map;

    if (map->sets.count)
        qsort(map->sets.items, map->sets.count, sizeof *map->sets.items, by_first);
    im->sets = lvl_arena_array(&map->arena, (size_t)map->sets.count + 1, sizeof *im->sets);
    for (uint32_t i = 0; im->sets && i < map->sets.count; i++) {
        tiled_set *set = &map->sets.items[i];
        const tiled_property *p = tiled_find(&set->properties, lvl_text_of("lvl.set"));
        const lvl_text mark = p ? p->value : (lvl_text){"", 0};
        double number = 0;
        if (set->tiles.count)
            qsort(set->tiles.items, set->tiles.count, sizeof *set->tiles.items, by_id);
        if (lvl_text_is(mark, "special"))
            im->sets[i].kind = SET_SPECIAL;
        else if (lvl_text_is(mark, "sprites"))
            im->sets[i].kind = SET_SPRITES;
        else if (lvl_text_is(mark, "list"))
            im->sets[i].kind = SET_LIST;
        else if (lvl_real_parse(mark, &number) && number >= 0 && number < UINT32_MAX) {
            im->sets[i].kind = SET_TILES;
            im->sets[i].grid = (uint32_t)number;
        }
    }
    if (!im->sets)
        import_stop(im, LVL_ERR_MEMORY);
}

const tiled_set *import_set_of(const importer *im, uint32_t gid)
{
    size_t at;

    LVL_LOWER_BOUND(at, im->map->sets.count, im->map->sets.items[at].first <= gid);
    return at ? &im->map->sets.items[at - 1] : NULL;
}

static const tiled_tile *tile_of(const tiled_set *set, uint32_t id)
{
    const tiled_tile key = {.id = id};

    return set->tiles.count ? bsearch(&key, set->tiles.items, set->tiles.count, sizeof key, by_id) : NULL;
}

const tiled_tile *import_sprite(const importer *im, uint32_t gid)
{
    const tiled_set *set = gid ? import_set_of(im, gid & ~TILED_FLIPS) : NULL;

    return set && im->sets[set - im->map->sets.items].kind == SET_SPRITES
               ? tile_of(set, (gid & ~TILED_FLIPS) - set->first)
               : NULL;
}

/* ---- cells ------------------------------------------------------------------------------------------- */

static bool special_value(importer *im, const tiled_set *set, uint32_t id, uint32_t size, uint32_t *value)
{
    const tiled_tile *tile = tile_of(set, id);
    const tiled_property *p = tile ? tiled_find(&tile->properties, lvl_text_of("value")) : NULL;

    return p && lvl_cell_parse(im->plan.of.cells->cell_names, p->value, size, value);
}

static void name_cell(importer *im, const plan_grid *g, int64_t x, int64_t y)
{
    char buf[80];

    im->object = NULL;
    snprintf(im->what, sizeof im->what, "layer \"%s\", column %lld, row %lld", lvl_show(buf, g->name),
             (long long)x, (long long)y);
}

/* The value, of `size` bytes, of a cell that shows a tile; with squares, the index of the square. False: the
 * level cannot have that tile, which is reported. */
static bool take_cell(importer *im, const plan_grid *g, int64_t x, int64_t y, uint32_t gid, uint32_t size,
                      uint32_t *out)
{
    const lvl_map_grid *grid = im->plan.grid;
    const bool flipped = gid & TILED_FLIPS;
    const tiled_set *set = import_set_of(im, gid & ~TILED_FLIPS);
    const set_info *info = set ? &im->sets[set - im->map->sets.items] : NULL;
    const uint32_t id = set ? (gid & ~TILED_FLIPS) - set->first : 0;
    const bool own = info && info->kind == SET_TILES && (im->fresh || info->grid == g->index || grid->shared);
    char buf[80];

    if (!flipped && info && info->kind == SET_SPECIAL && im->plan.of.cells &&
        special_value(im, set, id, size, out))
        return true;
    *out = im->plan.of.squares ? id : tiled_value_of_tile(grid, id);
    if (!flipped && own && (im->plan.of.squares || *out < grid->values))
        return true;
    name_cell(im, g, x, y);
    if (flipped)
        import_fail(im, LVL_FAULT_MAP_CELL,
                    "%s: the tile is flipped or rotated, which the level cannot store", im->what);
    else if (own)
        import_fail(im, LVL_FAULT_MAP_CELL, "%s: there is no tile %lu in the level's tileset", im->what,
                    (unsigned long)*out);
    else
        import_fail(im, LVL_FAULT_MAP_CELL,
                    "%s: the tile is of the tileset \"%s\", which is not the layer's own", im->what,
                    set ? lvl_show(buf, set->name.len ? set->name : set->source) : "");
    return false;
}

/* The cells of a layer as values of `size` bytes, in memory of the document. */
static uint8_t *layer_values(importer *im, const plan_grid *g, const tiled_block *block, uint32_t size)
{
    const size_t count = (size_t)block->width * block->height;
    const uint32_t empty = lvl_map_empty(im->plan.grid, g->item, im->plan.of.cells);
    uint8_t *values = lvl_arena_raw(&im->doc->arena, count * size + 1);
    uint32_t last = 0, value = empty;

    if (!values)
        import_stop(im, LVL_ERR_MEMORY);
    for (size_t i = 0; i < count && values; i++) {
        const uint32_t gid = block->cells[i];
        if (!gid)
            value = empty;
        else if (gid != last && !take_cell(im, g, (int64_t)(i % block->width), (int64_t)(i / block->width),
                                           gid, size, &value))
            return NULL;
        last = gid;
        lvl_put_cell(values + i * size, size, value);
    }
    return values;
}

/* Whether a layer has the size of the map: Resize Map in Tiled gives that to every layer. */
static bool has_map_size(const importer *im, const tiled_block *block)
{
    const plan_grid *main = im->plan.main < im->plan.grid_count ? &im->plan.grids[im->plan.main] : NULL;
    const tiled_layer *layer = main ? import_grid_layer(im, main) : NULL;

    return layer && layer->blocks.count && layer->blocks.items[0].width == block->width &&
           layer->blocks.items[0].height == block->height;
}

/* By how many cells Resize Map moved the layers. */
static void cell_shift(const importer *im, int64_t *dx, int64_t *dy)
{
    int64_t px[2];

    lvl_cell_px(im->plan.grid, im->plan.grid_list->table, im->plan.grids[im->plan.main].item, px);
    *dx = px[0] ? im->shift_x / px[0] : 0;
    *dy = px[1] ? im->shift_y / px[1] : 0;
}

/* Resize Map is meant for the main layer. Of another layer, the cells that Tiled cut off stay, and those that
 * were painted are taken; it grows only where it was painted beyond its sides. */
static lvl_cells painted(importer *im, const plan_grid *g, const lvl_cells *now, const lvl_cells *was)
{
    const uint32_t empty = lvl_map_empty(im->plan.grid, g->item, im->plan.of.cells);
    lvl_cells all = {NULL, was->width, was->height, was->size};
    uint8_t *cells = NULL;
    int64_t dx, dy;

    cell_shift(im, &dx, &dy);
    for (int pass = 0; pass < 2 && im->status == LVL_OK; pass++) {
        const size_t count = (size_t)all.width * all.height;
        if (pass) {
            all.ptr = cells = lvl_arena_raw(&im->doc->arena, count * all.size + 1);
            if (!cells) {
                import_stop(im, LVL_ERR_MEMORY);
                break;
            }
            lvl_fill_cells(cells, all.size, empty, count);
            for (uint32_t y = 0; y < was->height; y++)
                memcpy(cells + (size_t)y * all.width * all.size,
                       was->ptr + (size_t)y * was->width * was->size, (size_t)was->width * was->size);
        }
        for (uint32_t row = 0; row < now->height && im->status == LVL_OK; row++) {
            for (uint32_t column = 0; column < now->width && im->status == LVL_OK; column++) {
                const int64_t x = column - dx, y = row - dy;
                const uint32_t v = lvl_cell(now, column, row);
                const bool inside = x >= 0 && y >= 0 && x < all.width && y < all.height;
                if (inside && pass) {
                    lvl_put_cell(cells + ((size_t)y * all.width + (size_t)x) * all.size, all.size, v);
                } else if (!inside && v != empty && (x < 0 || y < 0)) {
                    name_cell(im, g, column, row);
                    import_fail(
                        im, LVL_FAULT_MAP_CELL,
                        "%s: the cell is left of or above the layer, which Resize Map moved; only the "
                        "main layer is resized",
                        im->what);
                } else if (!inside && v != empty) {
                    all.width = x >= all.width ? (uint32_t)x + 1 : all.width;
                    all.height = y >= all.height ? (uint32_t)y + 1 : all.height;
                }
            }
        }
    }
    return all;
}

/* Says how many cells a smaller size cut off. */
static void report_cut(importer *im, const plan_grid *g, const tiled_block *block, const lvl_cells *was)
{
    const uint32_t empty = lvl_map_empty(im->plan.grid, g->item, im->plan.of.cells);
    int64_t dx, dy;
    uint64_t cut = 0;
    char buf[80];

    cell_shift(im, &dx, &dy);
    for (uint32_t y = 0; y < was->height; y++) {
        for (uint32_t x = 0; x < was->width; x++) {
            const bool inside = x + dx >= 0 && y + dy >= 0 && x + dx < block->width && y + dy < block->height;
            cut += !inside && lvl_cell(was, x, y) != empty;
        }
    }
    if (cut)
        lvl_fault_add(im->findings, LVL_FAULT_CUT,
                      "layer \"%s\", from %lu by %lu to %lu by %lu: %llu cell%s that %s not empty cut off",
                      lvl_show(buf, g->name), (unsigned long)was->width, (unsigned long)was->height,
                      (unsigned long)block->width, (unsigned long)block->height, (unsigned long long)cut,
                      cut == 1 ? "" : "s", cut == 1 ? "was" : "were");
}

static void take_cells(importer *im, const plan_grid *g, const tiled_layer *layer)
{
    const lvl_map_grid *grid = im->plan.grid;
    const lvl_field *f = im->plan.of.cells;
    const tiled_block none = {0}, *block = layer->blocks.count ? &layer->blocks.items[0] : &none;
    lvl_buffer storage = {0};
    lvl_cells was;

    if (layer->blocks.count > 1 || im->map->infinite) {
        import_fail(
            im, LVL_FAULT_MAP_LAYER,
            "the map is infinite, but the level has a fixed size; clear Map > Map Properties > Infinite in "
            "Tiled");
        return;
    }
    const lvl_status status = lvl_doc_cells(im->doc, g->item, f, &storage, &was);
    if (status != LVL_ERR_FORMAT)
        import_stop(im, status);
    const uint32_t size = was.size ? was.size : lvl_cell_size(f);
    if (!was.ptr)
        was.width = was.height = 0;
    const bool same_size = block->width == was.width && block->height == was.height;
    if (grid->fixed_width && !same_size &&
        (block->width != grid->fixed_width || block->height != grid->fixed_height))
        import_fail(im, LVL_FAULT_MAP_LAYER, "%s: expected %lu by %lu cells, found %lu by %lu",
                    import_what(im), (unsigned long)grid->fixed_width, (unsigned long)grid->fixed_height,
                    (unsigned long)block->width, (unsigned long)block->height);
    lvl_cells now = {im->status == LVL_OK ? layer_values(im, g, block, size) : NULL, block->width,
                     block->height, size};
    const bool moved = im->shift_x || im->shift_y;
    if (now.ptr && was.ptr && g->index != im->plan.main && !im->fresh && (moved || !same_size) &&
        has_map_size(im, block))
        now = painted(im, g, &now, &was);
    else if (now.ptr && was.ptr && !same_size)
        report_cut(im, g, block, &was);
    const bool differs =
        now.width != was.width || now.height != was.height ||
        (now.ptr && now.width && memcmp(now.ptr, was.ptr, (size_t)was.width * was.height * size) != 0);
    if (now.ptr && differs && im->status == LVL_OK) {
        memcpy((uint8_t *)g->item + f->offset, &now, sizeof now);
        im->changed = true;
    }
    lvl_buffer_free(&storage);
}

/* ---- squares ----------------------------------------------------------------------------------------- */

typedef struct square {
    int32_t x, y;
    uint32_t index;
    bool taken;
} square;

static int by_place(const void *a, const void *b)
{
    const square *p = a, *q = b;

    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return p->x < q->x ? -1 : p->x > q->x;
}

/* All squares that the layer shows, sorted by place; malloc'ed. */
static square *list_squares(importer *im, const plan_grid *g, const tiled_layer *layer, uint32_t *count)
{
    const uint32_t known = lvl_list_count(g->item, im->plan.of.squares);
    square *list = NULL;
    size_t cap = 0;

    *count = 0;
    for (uint32_t b = 0; b < layer->blocks.count && im->status == LVL_OK; b++) {
        const tiled_block *block = &layer->blocks.items[b];
        const size_t cells = (size_t)block->width * block->height;
        for (size_t i = 0; i < cells && im->status == LVL_OK; i++) {
            const int64_t x = block->x + (int64_t)(i % block->width),
                          y = block->y + (int64_t)(i / block->width);
            uint32_t id;
            if (!block->cells[i] || !take_cell(im, g, x, y, block->cells[i], 4, &id))
                continue;
            if (id >= known || x < INT32_MIN || x > INT32_MAX || y < INT32_MIN || y > INT32_MAX) {
                import_fail(im, LVL_FAULT_MAP_CELL,
                            "%s, column %lld, row %lld: there is no such square in the level",
                            import_what(im), (long long)x, (long long)y);
            } else if (!lvl_grow(&list, &cap, (size_t)*count + 1, sizeof *list)) {
                import_stop(im, LVL_ERR_MEMORY);
            } else {
                list[(*count)++] = (square){(int32_t)x, (int32_t)y, id, false};
            }
        }
    }
    if (*count)
        qsort(list, *count, sizeof *list, by_place);
    return list;
}

/* A copy of a square at another place. */
static void add_square(importer *im, const plan_grid *g, const square *s)
{
    const lvl_field *list = im->plan.of.squares;
    const uint32_t at = lvl_list_count(g->item, list);
    lvl_buffer storage = {0};
    lvl_cells cells;
    char key[32];

    import_stop(im, lvl_list_insert(im->doc, g->item, list, at, 1));
    if (im->status != LVL_OK)
        return;
    void *to = lvl_item_at(g->item, list, at);
    const void *from = lvl_list_item(g->item, list, s->index);
    memcpy(to, from, list->item_size);
    snprintf(key, sizeof key, "%ld,%ld", (long)s->x, (long)s->y);
    const lvl_text text = lvl_doc_text(im->doc, lvl_text_of(key));
    const lvl_status status = lvl_doc_cells(im->doc, from, im->plan.of.pixels, &storage, &cells);
    if (status != LVL_OK) {
        import_stop(im, status);
    } else if (cells.ptr) {
        cells.ptr =
            lvl_arena_copy(&im->doc->arena, cells.ptr, (size_t)cells.width * cells.height * cells.size);
        memcpy((uint8_t *)to + im->plan.of.pixels->offset, &cells, sizeof cells);
    }
    lvl_buffer_free(&storage);
    if (!text.ptr || (status == LVL_OK && !cells.ptr)) {
        import_stop(im, LVL_ERR_MEMORY);
        return;
    }
    memcpy((uint8_t *)to + im->plan.of.key->offset, &text, sizeof text);
    lvl_put_int(to, im->plan.of.x, s->x);
    lvl_put_int(to, im->plan.of.y, s->y);
    im->changed = true;
}

static void take_squares(importer *im, const plan_grid *g, const tiled_layer *layer)
{
    const lvl_field *list = im->plan.of.squares;
    const uint32_t known = lvl_list_count(g->item, list);
    uint32_t count = 0, dropped = 0;
    uint8_t *drop = calloc((size_t)known + 1, 1);
    square *seen = NULL;
    square *shown = drop ? list_squares(im, g, layer, &count) : NULL;

    if (!drop)
        import_stop(im, LVL_ERR_MEMORY);
    /* of several squares at one place only the first is shown; the others are kept or removed with it */
    for (uint32_t i = 0; drop && i < known && im->status == LVL_OK; i++) {
        const void *record = lvl_list_item(g->item, list, i);
        const square key = {(int32_t)lvl_get_int(record, im->plan.of.x),
                            (int32_t)lvl_get_int(record, im->plan.of.y), i, false};
        seen = count ? bsearch(&key, shown, count, sizeof key, by_place) : NULL;
        if (seen && (seen->index == i || seen->taken))
            seen->taken = true;
        else
            drop[i] = 1;
        dropped += drop[i];
    }
    for (uint32_t i = 0; i < count && im->status == LVL_OK; i++) {
        if (!shown[i].taken)
            add_square(im, g, &shown[i]);
    }
    if (dropped && im->status == LVL_OK) {
        const uint32_t now = lvl_list_count(g->item, list);
        uint8_t *all = calloc((size_t)now + 1, 1);
        if (all)
            memcpy(all, drop, known);
        import_stop(im, all ? lvl_list_drop(im->doc, g->item, list, all) : LVL_ERR_MEMORY);
        free(all);
        im->changed = true;
    }
    free(drop);
    free(shown);
}

/* ---- layers ------------------------------------------------------------------------------------------ */

/* The hash of what a layer is found by. */
static uint64_t hash_layer(const importer *im, tiled_kind kind, uint32_t id, lvl_text name)
{
    const lvl_hash_seed *seed = &im->layers.seed;
    const uint64_t key = im->fresh ? lvl_hash_bytes(seed, name.ptr, name.len) : id;

    return lvl_hash_mix(seed, lvl_hash_u64(seed, (uint64_t)kind), key);
}

const tiled_layer *import_layer(const importer *im, tiled_kind kind, uint32_t id, lvl_text name)
{
    lvl_hash_at at = lvl_hash_first(&im->layers, hash_layer(im, kind, id, name));

    for (; at.found; at = lvl_hash_next(&im->layers, at)) {
        const tiled_layer *l = &im->map->layers.items[at.index];
        if (l->kind == kind && (im->fresh ? lvl_text_equal(l->name, name) : l->id == id))
            return l;
    }
    return NULL;
}

void import_index_layers(importer *im)
{
    const uint32_t count = im->map->layers.count;

    lvl_hash_init(&im->layers);
    im->tile_layers = lvl_arena_array(&im->map->arena, (size_t)count + 1, sizeof *im->tile_layers);
    if (!im->tile_layers)
        import_stop(im, LVL_ERR_MEMORY);
    for (uint32_t i = 0; i < count && im->status == LVL_OK; i++) {
        const tiled_layer *l = &im->map->layers.items[i];
        if (l->kind == TILED_TILES)
            im->tile_layers[im->tile_layer_count++] = i;
        if (!import_layer(im, l->kind, l->id, l->name)) /* the first counts */
            import_stop(im, lvl_hash_add(&im->layers, hash_layer(im, l->kind, l->id, l->name), i));
    }
}

/* The tile layer of a grid; for a new level, the layer at the same position. */
const tiled_layer *import_grid_layer(const importer *im, const plan_grid *g)
{
    if (!im->fresh)
        return import_layer(im, TILED_TILES, g->layer, g->name);
    return g->index < im->tile_layer_count ? &im->map->layers.items[im->tile_layers[g->index]] : NULL;
}

/* The first cell with a tile; NULL: there is none. */
static const uint32_t *first_cell(const tiled_layer *layer, int64_t *x, int64_t *y)
{
    for (uint32_t b = 0; b < layer->blocks.count; b++) {
        const tiled_block *block = &layer->blocks.items[b];
        for (size_t i = 0; i < (size_t)block->width * block->height; i++) {
            if (block->cells[i]) {
                *x = block->x + (int64_t)(i % block->width);
                *y = block->y + (int64_t)(i / block->width);
                return &block->cells[i];
            }
        }
    }
    return NULL;
}

/* The set of the layer's first tile; NULL: it has none. */
static const tiled_set *set_of_layer(const importer *im, const tiled_layer *layer)
{
    int64_t x, y;
    const uint32_t *gid = layer ? first_cell(layer, &x, &y) : NULL;

    return gid ? import_set_of(im, *gid & ~TILED_FLIPS) : NULL;
}

/* A layer that was drawn in a new map shows what its tileset does. */
static void take_art(importer *im, const plan_grid *g, const tiled_layer *layer)
{
    const plan_field *f = &im->plan.art;
    const tiled_set *set =
        im->fresh && f->field && !tiled_find(&layer->properties, f->name) ? set_of_layer(im, layer) : NULL;
    const tiled_property *art = set ? tiled_find(&set->properties, lvl_text_of(TILED_ART)) : NULL;

    if (art && im->status == LVL_OK)
        import_put(im, g->item, f, art->value, TILED_ART);
}

void import_grid_fields(importer *im, const plan_grid *g, const tiled_layer *layer)
{
    import_name_layer(im, layer);
    import_fields(im, g->item, &im->plan.grid_fields, &layer->properties, NULL, NULL);
    import_text(im, g->item, &im->plan.grid_name, g->name, layer->name, "name");
}

/* Whether an item has neither cells nor squares, so that nothing is lost without its layer. */
static bool is_bare(const importer *im, const plan_grid *g)
{
    const tiled_plan *plan = &im->plan;

    return plan->of.squares ? !lvl_list_count(g->item, plan->of.squares)
                            : !plan->of.cells || !lvl_get_cells(g->item, plan->of.cells)->width;
}

void import_grid(importer *im, const plan_grid *g)
{
    const tiled_layer *layer = import_grid_layer(im, g);

    if (!layer && (im->fresh || is_bare(im, g)))
        return;
    if (!layer) {
        import_fail(im, LVL_FAULT_MAP_LAYER, "the layer \"%.*s\" is missing; the level needs it",
                    (int)g->name.len, g->name.ptr);
        return;
    }
    if (im->fresh) /* they decided what the level has: see import.c */
        import_name_layer(im, layer);
    else
        import_grid_fields(im, g, layer);
    take_art(im, g, layer);
    import_number(im, g->item, &im->plan.parallax_x, 0.01, layer->parallax_x, "parallax factor");
    import_number(im, g->item, &im->plan.parallax_y, 0.01, layer->parallax_y, "parallax factor");
    if (!im->plan.parallax_x.field && (layer->parallax_x != 1 || layer->parallax_y != 1))
        import_warn(im, "%s: its parallax factor is not stored in the level", import_what(im));
    if (!im->fresh && !im->plan.grid_name.field && !lvl_text_equal(layer->name, g->name))
        import_warn(im, "%s: its name is not stored in the level, where it is \"%.*s\"", import_what(im),
                    (int)g->name.len, g->name.ptr);
    if (im->status == LVL_OK && im->plan.of.squares)
        take_squares(im, g, layer);
    else if (im->status == LVL_OK)
        take_cells(im, g, layer);
}

/* Inserts an item before the one at `at`; those behind it move. */
static void *insert_item(importer *im, uint32_t at)
{
    import_stop(im, lvl_list_insert(im->doc, im->doc->root, im->plan.grid_list, at, 1));
    for (uint32_t i = 0; i < im->plan.grid_count && im->status == LVL_OK; i++) {
        plan_grid *g = &im->plan.grids[i];
        g->at += g->at >= at;
        g->item = lvl_item_at(im->doc->root, im->plan.grid_list, g->at);
    }
    for (uint32_t i = 0; i < im->plan.lists.count && im->status == LVL_OK; i++) {
        plan_list *l = &im->plan.lists.items[i];
        if (l->grid != UINT32_MAX)
            l->owner = im->plan.grids[l->grid].item;
    }
    return im->status == LVL_OK ? lvl_item_at(im->doc->root, im->plan.grid_list, at) : NULL;
}

/* Gives a new item the tiles of another one: its lists and the size of its cells, but neither its cells nor
 * its objects. All else is as the layer's properties say. */
static void begin_item(importer *im, void *item, const plan_grid *like, const tiled_layer *layer)
{
    const tiled_plan *plan = &im->plan;
    const lvl_table *table = plan->grid_list->table;
    uint8_t *from = lvl_arena_array(&im->map->arena, 1, table->struct_size);

    if (!from) {
        import_stop(im, LVL_ERR_MEMORY);
        return;
    }
    memcpy(from, like->item, table->struct_size);
    lvl_field_reset(from, plan->of.cells);
    for (uint32_t i = 0; i < plan->object_lists; i++) {
        if (plan->objects[i].of.in_layer)
            lvl_field_reset(from, plan->objects[i].of.list);
    }
    import_stop(im, lvl_record_copy(im->doc, item, im->doc, from, table));
    for (uint32_t i = 0; i < plan->grid_fields.count && im->status == LVL_OK; i++) {
        const plan_field *f = &plan->grid_fields.items[i];
        const bool tiles = f->field->kind == LVL_LIST || f->field == plan->cell_width.field ||
                           f->field == plan->cell_height.field;
        if (!tiles || tiled_find(&layer->properties, f->name))
            import_field(im, item, f, &layer->properties, 0);
    }
    import_text(im, item, &plan->grid_name, (lvl_text){"", 0}, layer->name, "name");
}

/* A tile layer that is none of the level's, as a new item behind that of the layer below it. */
static void add_grid(importer *im, const tiled_layer *layer, uint32_t at, uint32_t gid, int64_t x, int64_t y)
{
    const lvl_map_grid *grid = im->plan.grid;
    const tiled_set *set = import_set_of(im, gid & ~TILED_FLIPS);
    const set_info *info = set ? &im->sets[set - im->map->sets.items] : NULL;
    const uint32_t like =
        info && info->kind == SET_TILES && info->grid < im->plan.grid_count ? info->grid : im->plan.main;
    char buf[80], other[80];

    if (!im->plan.of.cells || (!at && grid->first)) {
        import_name_layer(im, layer);
        import_fail(
            im, LVL_FAULT_MAP_LAYER,
            "%s, first cell at column %lld, row %lld: the level cannot have a further layer %s; move its "
            "cells to the layer \"%s\", and delete it",
            im->what, (long long)x, (long long)y, im->plan.of.cells ? "below all others" : "of tiles",
            lvl_show(buf, im->plan.grids[like].name));
        return;
    }
    plan_grid g = {.index = like, .at = at, .layer = layer->id, .name = layer->name};
    g.item = insert_item(im, at);
    if (!g.item)
        return;
    import_name_layer(im, layer);
    im->changed = true;
    begin_item(im, g.item, &im->plan.grids[like], layer);
    import_number(im, g.item, &im->plan.parallax_x, 0.01, layer->parallax_x, "parallax factor");
    import_number(im, g.item, &im->plan.parallax_y, 0.01, layer->parallax_y, "parallax factor");
    if (!im->plan.grid_name.field && layer->name.len)
        import_warn(im, "%s: its name is not stored in the level, which has only numbers of layers",
                    import_what(im));
    if (im->status == LVL_OK && grid->begin_layer)
        grid->begin_layer(im->doc->root, at);
    if (grid->main && grid->main(im->doc->root) != im->plan.grids[im->plan.main].at)
        import_fail(im, LVL_FAULT_MAP_LAYER,
                    "layer \"%s\" would become the level's main one, which is \"%s\"; change its properties",
                    lvl_show(buf, layer->name), lvl_show(other, im->plan.grids[im->plan.main].name));
    if (im->status == LVL_OK)
        take_cells(im, &g, layer);
}

void import_new_grids(importer *im)
{
    uint32_t at = 0;
    lvl_hash grids; /* of the level, by their layer in the map; each is taken out once it was met */
    bool *met = lvl_arena_array(&im->map->arena, (size_t)im->plan.grid_count + 1, sizeof *met);

    if (!met) {
        import_stop(im, LVL_ERR_MEMORY);
        return;
    }
    lvl_hash_init(&grids);
    for (uint32_t k = 0; k < im->plan.grid_count && im->status == LVL_OK; k++)
        import_stop(im, lvl_hash_add(&grids, lvl_hash_u64(&grids.seed, im->plan.grids[k].layer), k));
    for (uint32_t i = 0; i < im->tile_layer_count && im->status == LVL_OK && !im->fresh; i++) {
        const tiled_layer *layer = &im->map->layers.items[im->tile_layers[i]];
        lvl_hash_at found = lvl_hash_first(&grids, lvl_hash_u64(&grids.seed, layer->id));
        int64_t x = 0, y = 0;
        while (found.found && im->plan.grids[found.index].layer != layer->id)
            found = lvl_hash_next(&grids, found);
        if (found.found && !met[found.index]) { /* of two layers with one id, the second is new */
            const plan_grid *g = &im->plan.grids[found.index];
            met[found.index] = true;
            at = g->at >= at ? g->at + 1 : at;
            continue;
        }
        const uint32_t *gid = first_cell(layer, &x, &y);
        if (!gid)
            continue;
        /* what follows a new layer moves */
        import_stop(im, lvl_charge(im->doc->ctx, (uint64_t)im->plan.grid_count + im->plan.lists.count + at));
        add_grid(im, layer, at++, *gid, x, y);
    }
    lvl_hash_free(&grids);
}

/* A map does not have the cells of a tile (its mask), so a new tile that needs them becomes a plain one. */
static void drop_cells(importer *im, void *record, const lvl_table *table)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->kind != LVL_CELLS || !lvl_field_present(record, f) || lvl_get_cells(record, f)->ptr)
            continue;
        import_warn(im, "%s: its %s is not in the map; it becomes a plain tile", import_what(im), f->name);
        memset(record, 0, table->struct_size);
        lvl_record_init(record, table);
        return;
    }
}

static void name_tile(importer *im, const tiled_set *set, uint32_t id)
{
    char buf[80];

    im->object = NULL;
    snprintf(im->what, sizeof im->what, "tile %lu of tileset \"%s\"", (unsigned long)id,
             lvl_show(buf, set->name));
}

/* Whether the tiles of the list are those of this set: of the main layer's; in a new level, of the one that
 * the main layer was drawn with. */
static bool is_described(const importer *im, const tiled_set *set)
{
    const tiled_plan *plan = &im->plan;
    const set_info *info = &im->sets[set - im->map->sets.items];
    const plan_grid *main = plan->main < plan->grid_count ? &plan->grids[plan->main] : NULL;
    const tiled_set *drawn = im->fresh && main ? set_of_layer(im, import_grid_layer(im, main)) : NULL;

    if (!plan->tiles || info->kind != (plan->layout->tiles_alone ? SET_LIST : SET_TILES))
        return false;
    if (plan->layout->tiles_alone)
        return true;
    return drawn && im->sets[drawn - im->map->sets.items].kind == SET_TILES ? set == drawn
                                                                            : info->grid == plan->main;
}

/* What a tile has that no level stores: a class, properties of a special tile or of a layer that has none. */
static void check_tile(importer *im, const tiled_set *set, const set_info *info, const tiled_tile *tile,
                       bool stored)
{
    char buf[80];

    name_tile(im, set, tile->id);
    if (tile->unused.len)
        import_warn(im, "%s: %s: not stored in the level", import_what(im), tile->unused.ptr);
    if (info->kind == SET_SPRITES)
        return;
    if (tile->type.len)
        import_warn(im, "%s: the class \"%s\" is not stored in the level", import_what(im),
                    lvl_show(buf, tile->type));
    for (uint32_t i = 0; i < tile->properties.count && !stored && im->status == LVL_OK; i++) {
        const tiled_property *p = &tile->properties.items[i];
        if (info->kind != SET_SPECIAL || !lvl_text_is(p->name, "value"))
            import_warn(im, "%s: the property %s is not stored in the level", import_what(im),
                        lvl_show(buf, p->name));
    }
}

/* What a tileset has that no level stores. Those of templates are files of their own. */
static void check_set(importer *im, const tiled_set *set, const set_info *info)
{
    const plan_grid *g = info->kind == SET_TILES && info->grid < im->plan.grid_count && !im->plan.grid->shared
                             ? &im->plan.grids[info->grid]
                             : NULL;
    char buf[80], was[80];

    im->object = NULL;
    if (info->kind == SET_FOREIGN)
        return;
    if (set->unused.len)
        import_warn(im, "tileset \"%s\": %s: not stored in the level", lvl_show(buf, set->name),
                    set->unused.ptr);
    if (g && !im->fresh && !lvl_text_equal(set->name, g->name))
        import_warn(im, "tileset \"%s\": its name is not stored in the level; it is that of the layer \"%s\"",
                    lvl_show(buf, set->name), lvl_show(was, g->name));
    for (uint32_t i = 0; i < set->properties.count; i++) {
        if (!lvl_text_begins(set->properties.items[i].name, "lvl."))
            import_warn(im, "tileset \"%s\": the property \"%s\" is not stored in the level",
                        lvl_show(buf, set->name), lvl_show(was, set->properties.items[i].name));
    }
}

static void check_tiles(importer *im)
{
    for (uint32_t i = 0; i < im->map->sets.count && im->status == LVL_OK; i++) {
        const tiled_set *set = &im->map->sets.items[i];
        const set_info *info = &im->sets[i];
        check_set(im, set, info);
        if (info->kind == SET_FOREIGN)
            continue;
        const bool stored = is_described(im, set);
        import_stop(im, lvl_charge(im->map->ctx, (uint64_t)set->tiles.count * 8));
        for (uint32_t k = 0; k < set->tiles.count && im->status == LVL_OK; k++)
            check_tile(im, set, info, &set->tiles.items[k], stored);
    }
}

/* Adds what tiles beyond the list describe: of a sheet all up to that tile, of a list of its own the next
 * item. */
static uint32_t add_tiles(importer *im, const tiled_set *set, uint32_t count)
{
    const tiled_plan *plan = &im->plan;
    const bool alone = plan->layout->tiles_alone;

    for (uint32_t k = 0; k < set->tiles.count && im->status == LVL_OK; k++) {
        const uint32_t id = tiled_value_of_tile(plan->grid, set->tiles.items[k].id);
        if (!set->tiles.items[k].properties.count || id < count)
            continue;
        name_tile(im, set, set->tiles.items[k].id);
        if (alone && id > count) {
            import_fail(im, LVL_FAULT_MAP, "%s is beyond the next new one, %lu; give that one the properties",
                        import_what(im), (unsigned long)count);
        } else if (alone || id < plan->grid->values) {
            import_stop(im, lvl_list_insert(im->doc, im->doc->root, plan->tiles, count, id + 1 - count));
            count = id + 1;
            im->changed = true;
        }
    }
    return count;
}

void import_tiles(importer *im)
{
    const tiled_plan *plan = &im->plan;

    check_tiles(im);
    for (uint32_t i = 0; plan->tiles && i < im->map->sets.count && im->status == LVL_OK; i++) {
        const tiled_set *set = &im->map->sets.items[i];
        if (!is_described(im, set))
            continue;
        if (im->fresh)
            lvl_field_reset(im->doc->root, plan->tiles);
        const uint32_t old = lvl_list_count(im->doc->root, plan->tiles);
        const uint32_t count = add_tiles(im, set, old);
        for (uint32_t k = 0; k < count && im->status == LVL_OK; k++) {
            const tiled_properties none = {0};
            const tiled_tile *tile = tile_of(set, tiled_tile_of_value(plan->grid, k));
            name_tile(im, set, k);
            void *record = lvl_item_at(im->doc->root, plan->tiles, k);
            import_fields(im, record, &plan->tile_fields, tile ? &tile->properties : &none, NULL, NULL);
            if (k >= old && im->status == LVL_OK)
                drop_cells(im, record, plan->tiles->table);
        }
        return;
    }
}
