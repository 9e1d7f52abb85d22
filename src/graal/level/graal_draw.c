/*
 * graal/level/graal_draw.c: makes a level from a picture: each cell of 16 px becomes the tile with the same
 * pixels or, failing that, the most similar tile.
 */
#include "graal/level/graal_level.h"

#include "base/map_layout.h"
#include "base/work.h"
#include "graal/level/graal_findings.h"
#include "graal/art/graal_pictures.h"
#include "graal/tiles/graal_types.h"

#include <stdlib.h>
#include <string.h>

enum {
    TILE = LVL_GRAAL_TILE,
    SIDE = LVL_GRAAL_SIDE,
    TILES = LVL_GRAAL_TILES,
    PARTS = 4, /* a tile is first compared by the means of 4 by 4 parts */
    MEANS = PARTS * PARTS * 3,
    CLOSEST = 8, /* how many of the most similar tiles are then compared by pixels */
};

typedef struct block {
    uint8_t rgb[TILE * TILE * 3];
    uint8_t means[MEANS];
    bool drawn; /* it has a pixel that is not transparent */
} block;

/* Copies a cell of a picture, with black for transparent pixels. */
static void cut(const lvl_image *image, uint32_t left, uint32_t top, block *out)
{
    uint32_t sums[MEANS] = {0};

    out->drawn = false;
    for (uint32_t y = 0; y < TILE; y++) {
        for (uint32_t x = 0; x < TILE; x++) {
            uint8_t rgba[4];
            lvl_graal_pixel(image, (size_t)(top + y) * image->width + left + x, rgba);
            out->drawn = out->drawn || rgba[3];
            for (uint32_t k = 0; k < 3; k++) {
                const uint8_t v = rgba[3] ? rgba[k] : 0;
                out->rgb[(y * TILE + x) * 3 + k] = v;
                sums[(y / (TILE / PARTS) * PARTS + x / (TILE / PARTS)) * 3 + k] += v;
            }
        }
    }
    for (uint32_t i = 0; i < MEANS; i++)
        out->means[i] = (uint8_t)(sums[i] / (TILE / PARTS * (TILE / PARTS)));
}

static uint32_t distance(const uint8_t *a, const uint8_t *b, size_t n)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < n; i++) {
        const int d = a[i] - b[i];
        sum += (uint32_t)(d * d);
    }
    return sum;
}

typedef struct tileset {
    block *tiles; /* by value */
    bool has[TILES];
    bool any;
} tileset;

static void cut_tileset(const lvl_image *image, tileset *out)
{
    for (uint32_t value = 0; value < TILES; value++) {
        const uint32_t column = lvl_graal_tile_column(value), row = lvl_graal_tile_row(value);
        out->has[value] = (column + 1) * TILE <= image->width && (row + 1) * TILE <= image->height;
        if (!out->has[value])
            continue;
        cut(image, column * TILE, row * TILE, &out->tiles[value]);
        out->has[value] = out->tiles[value].drawn;
        out->any = out->any || out->has[value];
    }
}

/* The first tile with the same pixels; TILES: none. */
static uint32_t find_same(const tileset *set, const block *b)
{
    for (uint32_t value = 0; value < TILES; value++) {
        const block *tile = &set->tiles[value];
        if (set->has[value] && memcmp(tile->means, b->means, sizeof b->means) == 0 &&
            memcmp(tile->rgb, b->rgb, sizeof b->rgb) == 0)
            return value;
    }
    return TILES;
}

/* The tile most similar to a block. */
static uint32_t find_like(const tileset *set, const block *b)
{
    uint32_t best[CLOSEST], values[CLOSEST], count = 0;

    for (uint32_t value = 0; value < TILES; value++) {
        if (!set->has[value])
            continue;
        const uint32_t d = distance(b->means, set->tiles[value].means, MEANS);
        if (count == CLOSEST && d >= best[count - 1])
            continue;
        uint32_t at = count < CLOSEST ? count++ : CLOSEST - 1;
        for (; at && best[at - 1] > d; at--) {
            best[at] = best[at - 1];
            values[at] = values[at - 1];
        }
        best[at] = d;
        values[at] = value;
    }
    uint32_t found = 0, least = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t d = distance(b->rgb, set->tiles[values[i]].rgb, sizeof b->rgb);
        if (d < least || (d == least && values[i] < found)) {
            least = d;
            found = values[i];
        }
    }
    return found;
}

/* Reports columns x0 to x1 of a row, for which there is no exact tile. */
static void report_run(const lvl_doc *doc, uint32_t x0, uint32_t x1, uint32_t y, lvl_findings *losses)
{
    lvl_where where = lvl_where_item(lvl_where_root(), doc->format->table, offsetof(lvl_graal, layers), 0);

    where = lvl_where_member(where, &lvl_graal_layer_table, offsetof(lvl_graal_layer, tiles));
    lvl_graal_find(losses, LVL_GRAAL_F_LOSS_PICTURE, &where,
                   "[%lu,%lu %lu,%lu]: no tile of the tileset shows this; the most similar one is used",
                   (unsigned long)x0, (unsigned long)y, (unsigned long)x1, (unsigned long)y);
}

static void draw_row(const lvl_doc *doc, const lvl_image *image, const tileset *set, uint32_t y,
                     uint8_t *tiles, lvl_findings *losses)
{
    uint32_t first = 0, count = 0; /* the current run of cells without an exact tile */

    for (uint32_t x = 0; x < image->width / TILE; x++) {
        block b;
        cut(image, x * TILE, y * TILE, &b);
        if (!b.drawn)
            continue;
        uint32_t value = find_same(set, &b);
        if (value == TILES) {
            value = find_like(set, &b);
            if (count && first + count != x) {
                report_run(doc, first, first + count - 1, y, losses);
                count = 0;
            }
            first = count++ ? first : x;
        }
        tiles[((size_t)y * SIDE + x) * 2] = (uint8_t)value;
        tiles[((size_t)y * SIDE + x) * 2 + 1] = (uint8_t)(value >> 8);
    }
    if (count)
        report_run(doc, first, first + count - 1, y, losses);
}

static lvl_status refuse(lvl_findings *losses, const char *text)
{
    lvl_graal_find(losses, LVL_GRAAL_F_PICTURE, NULL, "%s", text);
    return LVL_ERR_ARG;
}

lvl_status lvl_graal_draw(lvl_doc *doc, const lvl_image *image, const lvl_draw_options *options,
                          lvl_findings *losses)
{
    if (!options->tileset)
        return refuse(losses, "a level is made of the tiles that show the picture: give --tileset");
    if (image->width % TILE || image->height % TILE || image->width > SIDE * TILE ||
        image->height > SIDE * TILE)
        return refuse(losses, "expected a picture of whole tiles of 16 by 16 px, at most 1024 by 1024 px");
    if (options->layer_count || options->palette)
        return refuse(losses, "a level takes one picture and a tileset, but no palette");
    lvl_status status = doc->format->calls->map_layout->fresh(doc, &(lvl_map_new){0});
    if (status == LVL_OK) /* each cell is compared with each tile by its means */
        status = lvl_charge(doc->ctx, (uint64_t)image->width * image->height / (TILE * TILE) * TILES * 8);
    if (status != LVL_OK)
        return status;
    tileset *set = calloc(1, sizeof *set);
    if (set)
        set->tiles = calloc(TILES, sizeof *set->tiles);
    if (!set || !set->tiles) {
        status = LVL_ERR_MEMORY;
    } else {
        const lvl_graal *level = doc->root;
        uint8_t *tiles = (uint8_t *)(uintptr_t)level->layers[0].tiles.ptr; /* new, by `fresh` */
        cut_tileset(options->tileset, set);
        status = set->any ? LVL_OK : refuse(losses, "the tileset has no tile of 16 by 16 px");
        for (uint32_t y = 0; y < image->height / TILE && status == LVL_OK; y++)
            draw_row(doc, image, set, y, tiles, losses);
    }
    if (set)
        free(set->tiles);
    free(set);
    return status;
}
