/*
 * tiled/import_index.c: finds the tilesets, tiles and layers of a map.
 */
#include "base/search.h"
#include "base/text.h"
#include "tiled/import.h"

#include <stdlib.h>

/* ---- tilesets ----------------------------------------------------------------------------------------- */

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

const tiled_tile *import_tile_of(const tiled_set *set, uint32_t id)
{
    const tiled_tile key = {.id = id};

    return set->tiles.count ? bsearch(&key, set->tiles.items, set->tiles.count, sizeof key, by_id) : NULL;
}

const tiled_tile *import_sprite(const importer *im, uint32_t gid)
{
    const tiled_set *set = gid ? import_set_of(im, gid & ~TILED_FLIPS) : NULL;

    return set && im->sets[set - im->map->sets.items].kind == SET_SPRITES
               ? import_tile_of(set, (gid & ~TILED_FLIPS) - set->first)
               : NULL;
}

/* ---- layers ------------------------------------------------------------------------------------------- */

/* The hash of a layer's search key. */
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

const tiled_layer *import_grid_layer(const importer *im, const plan_grid *g)
{
    if (!im->fresh)
        return import_layer(im, TILED_TILES, g->layer, g->name);
    return g->index < im->tile_layer_count ? &im->map->layers.items[im->tile_layers[g->index]] : NULL;
}

const uint32_t *import_first_cell(const tiled_layer *layer, int64_t *x, int64_t *y)
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

const tiled_set *import_set_of_layer(const importer *im, const tiled_layer *layer)
{
    int64_t x, y;
    const uint32_t *gid = layer ? import_first_cell(layer, &x, &y) : NULL;

    return gid ? import_set_of(im, *gid & ~TILED_FLIPS) : NULL;
}
