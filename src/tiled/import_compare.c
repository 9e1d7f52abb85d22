/*
 * tiled/import_compare.c: finds the level's tiles that show the same as tiles of a map. Both are drawn as
 * sheets by the same code, so that only what is seen counts, not how a picture stores it.
 */
#include "base/buffer.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/work.h"
#include "tiled/import_match.h"

#include <stdlib.h>

static void no_cells(const lvl_scene_layer *layer, uint32_t x, uint32_t y, uint32_t count, uint32_t *out)
{
    (void)layer;
    (void)x;
    (void)y;
    memset(out, 0, count * sizeof *out);
}

/* The picture of the tile that the map uses at that place of the sheet. */
static void used_tile(const lvl_scene_layer *layer, uint32_t value, lvl_scene_tile *out)
{
    const use *u = (const use *)layer->user + (value - 1);

    *out = (lvl_scene_tile){.image = u->image,
                            .image_x = (int32_t)u->image_x,
                            .image_y = (int32_t)u->image_y,
                            .empty = !u->image};
}

static bool is_drawable(const tiled_sheet *s)
{
    const uint64_t width = (uint64_t)s->columns * s->tile_width,
                   height = ((uint64_t)s->tiles + s->columns - 1) / s->columns * s->tile_height;

    return s->tiles && width <= PICTURE_SIDE && height <= PICTURE_SIDE && width * height <= PICTURE_CELLS;
}

/* Copies a tile; colours of pixels that are not drawn do not count. */
static void cut_tile(const lvl_image *image, const tiled_sheet *sheet, uint32_t place, uint8_t *out)
{
    const size_t row_bytes = (size_t)sheet->tile_width * 4;
    const size_t x = (size_t)(place % sheet->columns) * sheet->tile_width,
                 y = (size_t)(place / sheet->columns) * sheet->tile_height;

    for (uint32_t row = 0; row < sheet->tile_height; row++)
        memcpy(out + row * row_bytes, image->pixels + ((y + row) * image->width + x) * 4, row_bytes);
    for (size_t i = 0; i < row_bytes * sheet->tile_height; i += 4) {
        if (!out[i + 3])
            memset(out + i, 0, 3);
    }
}

static bool is_drawn(const sheets *s, uint32_t place)
{
    lvl_scene_tile tile = {0};

    s->layer->tile(s->layer, tiled_value_of_tile(s->own_sheet.grid, place), &tile);
    return tile.image && !tile.memory_failed;
}

lvl_status match_draw_own(matcher *m, sheets *s)
{
    const importer *im = m->im;
    const lvl_scene_request request = {.art = im->options->art, .bare = true};
    uint32_t tiles = im->plan.grid->sheet_tiles, drawn = 0;

    lvl_status status = im->options->art ? lvl_doc_scene(im->doc, &request, &s->scene) : LVL_ERR_MISSING;
    if (status == LVL_ERR_MISSING || status == LVL_ERR_UNSUPPORTED)
        return LVL_OK;
    if (status == LVL_OK && im->plan.main < s->scene->layer_count) {
        s->layer = &s->scene->layers[im->plan.main];
        status = tiled_count_drawn(im->map->ctx, s->layer, im->plan.grid, &drawn);
    }
    if (status != LVL_OK || !drawn)
        return status;
    s->own_sheet = (tiled_sheet){.layer = s->layer,
                                 .grid = im->plan.grid,
                                 .columns = im->plan.grid->columns,
                                 .tiles = tiles && tiles < drawn ? tiles : drawn,
                                 .tile_width = m->cell_width,
                                 .tile_height = m->cell_height};
    return is_drawable(&s->own_sheet) ? tiled_sheet_image(s->scene, &s->own_sheet, &s->own) : LVL_OK;
}

static lvl_status index_own(matcher *m, sheets *s)
{
    s->tile_bytes = (size_t)m->cell_width * m->cell_height * 4;
    s->a = lvl_arena_raw(&m->im->map->arena, s->tile_bytes + 1);
    s->b = lvl_arena_raw(&m->im->map->arena, s->tile_bytes + 1);
    if (!s->a || !s->b)
        return LVL_ERR_MEMORY;
    lvl_status status = lvl_charge(m->im->map->ctx, (uint64_t)s->own_sheet.tiles * s->tile_bytes);
    for (uint32_t i = 0; i < s->own_sheet.tiles && status == LVL_OK; i++) {
        if (!is_drawn(s, i))
            continue;
        cut_tile(&s->own, &s->own_sheet, i, s->a);
        status = lvl_hash_add(&s->index, lvl_hash_bytes(&s->index.seed, s->a, s->tile_bytes), i);
    }
    return status;
}

static bool is_same(sheets *s, uint32_t place)
{
    cut_tile(&s->own, &s->own_sheet, place, s->b);
    return memcmp(s->a, s->b, s->tile_bytes) == 0;
}

/* The place of the level's tile with the same pixels as the used one: the same place, or else the first. */
static uint32_t find_place(sheets *s, uint32_t at, uint32_t id)
{
    uint32_t place = NO_PLACE;

    cut_tile(&s->used, &s->used_sheet, at, s->a);
    if (id < s->own_sheet.tiles && is_drawn(s, id) && is_same(s, id))
        return id;
    const uint64_t hash = lvl_hash_bytes(&s->index.seed, s->a, s->tile_bytes);
    for (lvl_hash_at i = lvl_hash_first(&s->index, hash); i.found; i = lvl_hash_next(&s->index, i)) {
        if (i.index < place && is_same(s, i.index))
            place = i.index;
    }
    return place;
}

static lvl_status compare(matcher *m, sheets *s, use *uses, uint32_t count, uint32_t first)
{
    lvl_scene_layer layer = {.user = uses, .cells = no_cells, .tile = used_tile};

    s->used_sheet = s->own_sheet;
    s->used_sheet.layer = &layer;
    s->used_sheet.grid = NULL;
    s->used_sheet.tiles = count;
    if (!is_drawable(&s->used_sheet))
        return LVL_OK;
    lvl_status status = lvl_charge(m->im->map->ctx, 30000 + (uint64_t)count * s->tile_bytes * 4);
    if (status == LVL_OK)
        status = tiled_sheet_image(s->scene, &s->used_sheet, &s->used);
    for (uint32_t i = 0; i < count && status == LVL_OK; i++) {
        if (uses[i].image)
            uses[i].place = find_place(s, i, uses[i].gid - first);
    }
    lvl_image_clear(&s->used);
    return status;
}

/* Reads a picture that the map names. Not LVL_OK only without memory or beyond a limit. */
static lvl_status read_picture(matcher *m, lvl_text name, lvl_image *out)
{
    const lvl_tiled_read_options *options = m->im->options;
    lvl_buffer file = {.max = lvl_memory_share(m->im->map->ctx)};

    if (!name.len || !options->fetch)
        return LVL_OK;
    lvl_status status = options->fetch(options->user, name.ptr, &file);
    if (file.status != LVL_OK)
        status = lvl_buffer_outcome(m->im->map->ctx, &file);
    if (status == LVL_OK)
        status = lvl_picture_read(m->im->map->ctx, lvl_buffer_bytes(&file), false, out);
    lvl_buffer_free(&file);
    if (status == LVL_OK) /* a map may name a large picture many times */
        status = lvl_charge(m->im->map->ctx, (uint64_t)out->width * out->height * 4);
    return status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT ? status : LVL_OK;
}

/* Finds the tiles in the picture of a sheet. */
static void place_in_picture(const matcher *m, const tiled_set *set, const lvl_image *image, use *uses,
                             uint32_t count)
{
    const uint64_t step_x = (uint64_t)set->tile_width + set->spacing,
                   step_y = (uint64_t)set->tile_height + set->spacing;

    if (set->tile_width != m->cell_width || set->tile_height != m->cell_height || !image->pixels ||
        image->width < (uint64_t)set->margin + set->tile_width)
        return;
    const uint64_t columns = (image->width - set->margin + (uint64_t)set->spacing) / step_x;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t id = uses[i].gid - set->first;
        const uint64_t x = set->margin + id % columns * step_x, y = set->margin + id / columns * step_y;
        if (x + set->tile_width > image->width || y + set->tile_height > image->height)
            continue;
        uses[i].image = image;
        uses[i].image_x = (uint32_t)x;
        uses[i].image_y = (uint32_t)y;
    }
}

static lvl_status compare_sheet(matcher *m, sheets *s, const tiled_set *set, use *uses, uint32_t count)
{
    lvl_image image = {0};

    lvl_status status = read_picture(m, set->image, &image);
    if (status == LVL_OK)
        place_in_picture(m, set, &image, uses, count);
    if (status == LVL_OK)
        status = compare(m, s, uses, count, set->first);
    for (uint32_t i = 0; i < count; i++)
        uses[i].image = NULL;
    lvl_image_clear(&image);
    return status;
}

/* Compares the tiles of a collection that have one picture. */
static lvl_status compare_picture(matcher *m, sheets *s, const tiled_set *set, use *uses,
                                  const lvl_sort_key *same, uint32_t count)
{
    lvl_image image = {0};

    lvl_status status = read_picture(m, same->name, &image);
    const bool fits = image.width == m->cell_width && image.height == m->cell_height;
    for (uint32_t i = 0; i < count && fits && status == LVL_OK; i++) {
        use *u = &uses[same[i].index];
        u->image = &image;
        status = compare(m, s, u, 1, set->first);
        u->image = NULL;
    }
    lvl_image_clear(&image);
    return status;
}

/* A collection: each tile has a picture, and several may have the same, which is read once. */
static lvl_status compare_pictures(matcher *m, sheets *s, const tiled_set *set, use *uses, uint32_t count)
{
    lvl_sort_key *order = lvl_mem_alloc(m->im->map->ctx, ((size_t)count + 1) * sizeof *order);
    lvl_status status = order ? LVL_OK : LVL_ERR_MEMORY;
    uint32_t n = 0;

    for (uint32_t i = 0; i < count && order; i++) {
        const tiled_tile *tile = import_tile_of(set, uses[i].gid - set->first);
        if (tile && tile->image.len)
            order[n++] = (lvl_sort_key){tile->image, i};
    }
    if (order)
        qsort(order, n, sizeof *order, lvl_sort_key_order);
    for (uint32_t i = 0, to; i < n && status == LVL_OK; i = to) {
        for (to = i + 1; to < n && lvl_text_equal(order[i].name, order[to].name);)
            to++;
        status = compare_picture(m, s, set, uses, &order[i], to - i);
    }
    lvl_mem_free(m->im->map->ctx, order);
    return status;
}

lvl_status match_compare(matcher *m, sheets *s, const tiled_set *set, use *uses, uint32_t count)
{
    const lvl_status status = s->a ? LVL_OK : index_own(m, s);

    if (status != LVL_OK)
        return status;
    return set->image.len ? compare_sheet(m, s, set, uses, count) : compare_pictures(m, s, set, uses, count);
}

void match_clear(sheets *s)
{
    lvl_hash_free(&s->index);
    lvl_image_clear(&s->own);
    lvl_scene_free(s->scene);
}
