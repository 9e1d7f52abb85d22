/*
 * catalogue/grid.c: see grid.h.
 */
#include "catalogue/grid.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 4, /* cells from left to right that make a token, in two rows */
    MAX_ROWS = 1 << 20 /* that are noted: 8 MiB */
};

/* Whether all cells of a row are equal. */
static bool is_plain(const uint8_t *row, size_t pitch, size_t size)
{
    return memcmp(row, row + size, pitch - size) == 0;
}

/* The hash of a row that is known already. */
typedef struct ahead {
    uint32_t y; /* 0: none */
    cat_pair hash;
} ahead;

/* The hash of a row. That of the next one, which takes little more time, is kept in `next`. */
static cat_pair hash_row(const lvl_cells *cells, uint32_t y, ahead *next)
{
    const size_t pitch = (size_t)cells->width * cells->size;
    const uint8_t *row = cells->ptr + y * pitch;
    cat_pair h = cat_start;

    if (next->y && next->y == y)
        return next->hash;
    if (y + 1 == cells->height) {
        cat_mix_bytes(&h, row, pitch);
    } else {
        *next = (ahead){y + 1, cat_start};
        cat_mix_both(&h, row, &next->hash, row + pitch, pitch);
    }
    return h;
}

/* ---- pixels ------------------------------------------------------------------------------------------- */

/* Hashes the cells row by row, and appends the hashes of rows that are not of one value. */
static bool hash_rows(cat_grids *grids, const lvl_cells *cells, cat_pair *h)
{
    const size_t pitch = (size_t)cells->width * cells->size;
    cat_pair inner = cat_start;
    ahead next = {0};

    if (!lvl_grow(&grids->rows, &grids->row_cap, grids->row_count + cells->height + 1, sizeof *grids->rows))
        return false;
    for (uint32_t y = 0; y < cells->height; y++) {
        const uint8_t *row = cells->ptr + y * pitch;
        if (y && memcmp(row, row - pitch, pitch) == 0) { /* as in large parts of most planes */
            cat_mix_pair(h, inner);
            continue;
        }
        inner = hash_row(cells, y, &next);
        cat_mix_pair(h, inner);
        if (pitch && !is_plain(row, pitch, cells->size))
            grids->rows[grids->row_count++] = inner.a;
    }
    return true;
}

/* The hash of a late grid begins with its size. */
static cat_pair start_of(const lvl_cells *cells)
{
    cat_pair h = cat_start;

    cat_mix(&h, cells->width);
    cat_mix(&h, cells->height);
    return h;
}

void cat_grids_note(void *user, const void *record, const lvl_field *field, const lvl_cells *cells)
{
    cat_grids *grids = user;
    const size_t first = grids->row_count;
    cat_pair h = start_of(cells);

    if (first > MAX_ROWS || !lvl_grow(&grids->items, &grids->cap, grids->count + 1, sizeof *grids->items) ||
        !hash_rows(grids, cells, &h))
        return;
    grids->items[grids->count++] =
        (cat_grid){record, field, h, cells->width, cells->height, first, grids->row_count - first};
}

const cat_grid *cat_grids_next(cat_grids *grids, const void *record, const lvl_field *field)
{
    if (grids->next == grids->count || grids->items[grids->next].record != record ||
        grids->items[grids->next].field != field)
        return NULL;
    return &grids->items[grids->next++];
}

void cat_grids_free(cat_grids *grids)
{
    free(grids->items);
    free(grids->rows);
    free(grids->cells[0]);
    free(grids->cells[1]);
    memset(grids, 0, sizeof *grids);
}

void cat_grid_sketch(const cat_grids *grids, const cat_grid *grid, uint64_t name, cat_sketch *sketch)
{
    for (size_t i = 0; i < grid->rows; i++)
        cat_sketch_add(sketch, cat_token(grids->rows[grid->first + i], name));
}

lvl_status cat_hash_pixels(cat_grids *grids, const lvl_cells *cells, uint64_t name, cat_sketch *sketch,
                           cat_pair *h)
{
    const size_t first = grids->row_count;

    if (!hash_rows(grids, cells, h))
        return LVL_ERR_MEMORY;
    const cat_grid grid = {.first = first, .rows = grids->row_count - first};
    cat_grid_sketch(grids, &grid, name, sketch);
    grids->row_count = first;
    return LVL_OK;
}

/* ---- tiles -------------------------------------------------------------------------------------------- */

/* A row of cells as numbers, of which those before the first whole window mean nothing: each stands for
 * itself at the end of a run of equal ones, else for the last four. Without branches, which runs of all
 * lengths would mislead. */
static inline void number_cells(const lvl_cells *cells, uint32_t y, uint64_t *out)
{
    uint32_t a = 0, b = 0, c = 0;
    uint64_t h = 0;

    for (uint32_t x = 0; x < cells->width; x++) {
        const uint32_t d = lvl_cell(cells, x, y);
        h = h << 16 ^ (uint64_t)d * UINT64_C(0x9E3779B1);
        const uint64_t last = h * UINT64_C(0x9FB21C651E98DF25) | UINT64_C(1) << 63;
        out[x] = (a ^ b) | (b ^ c) | (c ^ d) ? last : d;
        a = b;
        b = c;
        c = d;
    }
}

/* The same with a loop for each size of a cell. */
static void number_row(const lvl_cells *cells, uint32_t y, uint64_t *out)
{
    lvl_cells same = *cells;

    switch (cells->size) {
    case 4:
        same.size = 4;
        number_cells(&same, y, out);
        break;
    case 2:
        same.size = 2;
        number_cells(&same, y, out);
        break;
    default: number_cells(cells, y, out);
    }
}

/* Tokens of two rows, one below the other: windows of four by two cells, except those of one value. */
static void sketch_windows(const uint64_t *now, const uint64_t *before, uint32_t width, uint64_t name,
                           cat_sketch *sketch)
{
    for (uint32_t x = WINDOW - 1; x < width; x++) {
        if (now[x] != before[x] || now[x] >> 63)
            cat_sketch_add(sketch, cat_token(cat_token(now[x], before[x]), name));
    }
}

lvl_status cat_hash_tiles(cat_grids *grids, const lvl_cells *cells, uint64_t name, cat_sketch *sketch,
                          cat_pair *h)
{
    const size_t pitch = (size_t)cells->width * cells->size;
    const bool windows = cells->width >= WINDOW && cells->height >= 2;
    cat_pair inner = cat_start;
    ahead next = {0};
    bool done = false; /* a row and the same one below it give nothing new */

    for (unsigned i = 0; i < 2 && windows; i++) {
        if (!lvl_grow(&grids->cells[i], &grids->cell_cap[i], cells->width, sizeof *grids->cells[i]))
            return LVL_ERR_MEMORY;
    }
    uint64_t *now = grids->cells[0], *before = grids->cells[1];
    for (uint32_t y = 0; y < cells->height; y++) {
        const uint8_t *row = cells->ptr + y * pitch;
        const bool same = y && memcmp(row, row - pitch, pitch) == 0; /* as in large parts of most planes */
        if (!same)
            inner = hash_row(cells, y, &next);
        cat_mix_pair(h, inner);
        if (!windows)
            continue;
        if (!same) {
            uint64_t *swap = now;
            now = before;
            before = swap;
            number_row(cells, y, now);
            done = is_plain(row, pitch, cells->size); /* all windows are of one value */
            if (y)
                sketch_windows(now, before, cells->width, name, sketch);
        } else if (!done) {
            sketch_windows(now, now, cells->width, name, sketch);
            done = true;
        }
    }
    return LVL_OK;
}
