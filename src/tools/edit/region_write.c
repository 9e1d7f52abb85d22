/*
 * tools/edit/region_write.c: writes regions of cells.
 */
#include "base/arena.h"
#include "base/text.h"
#include "base/work.h"
#include "tools/paths/region_squares.h"
#include "tools/edit/region_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes a grid writable, with one copy for each edit. */
static bool own_grid(lvl_editor *e, void *record, const lvl_field *f)
{
    const lvl_cells *cells = lvl_get_cells(record, f);

    e->load.status = lvl_charge(e->load.doc->ctx, e->grid_count);
    for (size_t i = 0; i < e->grid_count && e->load.status == LVL_OK; i++) {
        if (e->grids[i] == cells->ptr)
            return true;
    }
    if (e->load.status != LVL_OK)
        return false;
    if (!lvl_editor_note_member(e, record, f))
        return false;
    if (!lvl_grow(&e->grids, &e->grid_cap, e->grid_count + 1, sizeof *e->grids) ||
        !lvl_cells_edit(e->load.doc, record, f)) {
        e->load.status = LVL_ERR_MEMORY;
        return false;
    }
    e->grids[e->grid_count++] = cells->ptr;
    return true;
}

static uint32_t patch_cell(const lvl_patch *patch, const int64_t region[4], int64_t x, int64_t y)
{
    return patch->grid ? lvl_cell(patch->grid, (uint32_t)(x - region[0]), (uint32_t)(y - region[1]))
                       : patch->value;
}

static bool write_part(lvl_editor *e, void *record, const lvl_field *f, int64_t left, int64_t top,
                       const int64_t region[4], const lvl_patch *patch)
{
    const lvl_cells *cells = lvl_get_cells(record, f);
    const uint32_t empty = lvl_empty_cell(f);
    int64_t part[4];

    if (!own_grid(e, record, f))
        return false;
    uint8_t *grid = (uint8_t *)(uintptr_t)cells->ptr; /* ours since own_grid */
    if (!lvl_region_overlap(region, left, top, cells, part))
        return true;
    for (int64_t y = part[1]; y <= part[3]; y++) {
        for (int64_t x = part[0]; x <= part[2]; x++) {
            const uint32_t value = patch_cell(patch, region, x, y);
            if (!patch->over || value != empty)
                lvl_put_cell(grid + ((size_t)(y - top) * cells->width + (size_t)(x - left)) * cells->size,
                             cells->size, value);
        }
    }
    return true;
}

/* Whether the patch has any cell in that square that is not empty. */
static bool has_content(const lvl_square_layer *l, int64_t x, int64_t y, const int64_t region[4],
                        const lvl_patch *patch)
{
    const lvl_cells square = {NULL, (uint32_t)l->width, (uint32_t)l->height, 0};
    const uint32_t empty = lvl_empty_cell(l->f.pixels);
    int64_t part[4];

    if (!lvl_region_overlap(region, x * l->width, y * l->height, &square, part))
        return false;
    for (int64_t py = part[1]; py <= part[3]; py++) {
        for (int64_t px = part[0]; px <= part[2]; px++) {
            if (patch_cell(patch, region, px, py) != empty)
                return true;
        }
    }
    return false;
}

/* Fills in a new, empty square. */
static bool begin_square(lvl_editor *e, const lvl_square_layer *l, void *square, int64_t x, int64_t y)
{
    lvl_doc *doc = e->load.doc;
    const uint32_t size = lvl_cell_size(l->f.pixels);
    const size_t count = (size_t)l->width * (size_t)l->height;
    uint8_t *grid = lvl_arena_array(&doc->arena, count, size);
    char key[48];

    snprintf(key, sizeof key, "%lld,%lld", (long long)x, (long long)y);
    if (!grid || lvl_put_text(doc, square, l->f.key, lvl_text_of(key)) != LVL_OK) {
        e->load.status = LVL_ERR_MEMORY;
        return false;
    }
    lvl_fill_cells(grid, size, lvl_empty_cell(l->f.pixels), count);
    const lvl_cells cells = {grid, (uint32_t)l->width, (uint32_t)l->height, size};
    memcpy((uint8_t *)square + l->f.pixels->offset, &cells, sizeof cells);
    lvl_put_int(square, l->f.x, x);
    lvl_put_int(square, l->f.y, y);
    if (l->f.begin)
        l->f.begin(doc->root, square);
    return true;
}

/* Adds the squares whose byte in `wanted` is 1. */
static void add_squares(lvl_editor *e, const lvl_square_layer *l, const lvl_match *m, const uint8_t *wanted,
                        uint32_t count, const lvl_patch *patch)
{
    uint32_t at = l->count;
    size_t i = 0;

    if (!lvl_editor_note_member(e, l->record, l->f.list))
        return;
    e->load.status = lvl_list_insert(e->load.doc, l->record, l->f.list, at, count);
    for (int64_t y = l->y0; y <= l->y1; y++) {
        for (int64_t x = l->x0; x <= l->x1; x++) {
            if (wanted[i++] != 1 || e->load.status != LVL_OK)
                continue;
            void *square = lvl_square_at(l, at++);
            if (begin_square(e, l, square, x, y))
                write_part(e, square, l->f.pixels, x * l->width, y * l->height, m->region, patch);
        }
    }
}

static void write_squares(lvl_editor *e, const lvl_match *m, const lvl_patch *patch)
{
    enum { WANTED = 1, THERE = 2 };
    uint32_t count = 0;
    size_t bytes = 0, i = 0;
    lvl_square_layer l;

    lvl_status status = lvl_squares_open(&l, e->load.doc, m);
    if (status == LVL_OK)
        status = lvl_region_size(e->load.doc, m, 1, &bytes);
    if (status == LVL_OK && (l.x0 < INT32_MIN || l.x1 > INT32_MAX || l.y0 < INT32_MIN || l.y1 > INT32_MAX))
        status = lvl_refuse_fixed(e->load.doc->ctx, "columns and rows of squares", INT32_MAX, 0);
    if (status != LVL_OK) {
        e->load.status = status;
        return;
    }
    const size_t columns = (size_t)(l.x1 - l.x0) + 1, rows = (size_t)(l.y1 - l.y0) + 1;
    uint8_t *squares = calloc(columns, rows);
    if (!squares) {
        e->load.status = LVL_ERR_MEMORY;
        return;
    }
    for (uint32_t k = 0; k < l.count && e->load.status == LVL_OK; k++) {
        void *square = lvl_square_at(&l, k);
        const int64_t x = lvl_get_int(square, l.f.x), y = lvl_get_int(square, l.f.y);
        uint8_t *seen = lvl_square_is_touched(&l, square)
                            ? squares + (size_t)(y - l.y0) * columns + (size_t)(x - l.x0)
                            : NULL;
        if (!seen || *seen)
            continue;
        *seen = THERE;
        write_part(e, square, l.f.pixels, x * l.width, y * l.height, m->region, patch);
    }
    for (int64_t y = l.y0; y <= l.y1; y++) {
        for (int64_t x = l.x0; x <= l.x1; x++, i++) {
            if (!squares[i] && has_content(&l, x, y, m->region, patch)) {
                squares[i] = WANTED;
                count++;
            }
        }
    }
    if (count && e->load.status == LVL_OK)
        add_squares(e, &l, m, squares, count, patch);
    free(squares);
}

void lvl_region_write(lvl_editor *e, const lvl_match *m, const lvl_patch *patch)
{
    if (m->field->kind == LVL_LIST)
        write_squares(e, m, patch);
    else
        write_part(e, m->record, m->field, 0, 0, m->region, patch);
}
