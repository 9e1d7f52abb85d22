/*
 * tools/paths/region.c: reads regions of cells, and finds connected cells.
 */
#include "tools/paths/region_squares.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/work.h"

#include <stdlib.h>
#include <string.h>

/* ---- squares ----------------------------------------------------------------------------------------- */

bool lvl_squares_find(lvl_squares *squares, const lvl_doc *doc, const lvl_field *list)
{
    const lvl_field *layers = list->kind == LVL_LIST ? lvl_map_layers(doc->format) : NULL;
    const lvl_map_cells c = layers ? lvl_map_cells_of(layers->table) : (lvl_map_cells){0};

    if (!layers || c.squares != list)
        return false;
    *squares = (lvl_squares){.list = list,
                             .key = c.key,
                             .x = c.x,
                             .y = c.y,
                             .pixels = c.pixels,
                             .width = lvl_field_with_role(layers->table, LVL_ROLE_CELL_WIDTH, NULL),
                             .height = lvl_field_with_role(layers->table, LVL_ROLE_CELL_HEIGHT, NULL),
                             .begin = lvl_map_grid_of(doc->format)->begin_square};
    return squares->key && squares->x && squares->y && squares->pixels && squares->width && squares->height;
}

const lvl_field *lvl_region_field(const lvl_doc *doc, const lvl_match *region)
{
    lvl_squares squares;

    return lvl_squares_find(&squares, doc, region->field) ? squares.pixels : region->field;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

lvl_status lvl_squares_open(lvl_square_layer *l, const lvl_doc *doc, const lvl_match *m)
{
    if (!lvl_squares_find(&l->f, doc, m->field))
        return LVL_ERR_MISSING;
    l->record = m->record;
    l->width = lvl_get_int(m->record, l->f.width);
    l->height = lvl_get_int(m->record, l->f.height);
    l->count = lvl_list_count(m->record, m->field);
    if (l->width < 1 || l->height < 1)
        return LVL_ERR_MISSING;
    l->x0 = floor_div(m->region[0], l->width);
    l->y0 = floor_div(m->region[1], l->height);
    l->x1 = floor_div(m->region[2], l->width);
    l->y1 = floor_div(m->region[3], l->height);
    return lvl_charge(doc->ctx, 4 * (uint64_t)l->count);
}

void *lvl_square_at(const lvl_square_layer *l, uint32_t index)
{
    return lvl_item_at(l->record, l->f.list, index);
}

bool lvl_square_is_touched(const lvl_square_layer *l, const void *square)
{
    const int64_t x = lvl_get_int(square, l->f.x), y = lvl_get_int(square, l->f.y);

    return x >= l->x0 && x <= l->x1 && y >= l->y0 && y <= l->y1;
}

bool lvl_region_overlap(const int64_t region[4], int64_t left, int64_t top, const lvl_cells *grid,
                        int64_t out[4])
{
    out[0] = region[0] > left ? region[0] : left;
    out[1] = region[1] > top ? region[1] : top;
    out[2] = region[2] < left + grid->width - 1 ? region[2] : left + grid->width - 1;
    out[3] = region[3] < top + grid->height - 1 ? region[3] : top + grid->height - 1;
    return out[0] <= out[2] && out[1] <= out[3];
}

/* ---- reading ----------------------------------------------------------------------------------------- */

lvl_status lvl_region_size(const lvl_doc *doc, const lvl_match *m, uint32_t size, size_t *bytes)
{
    const uint64_t width = (uint64_t)(m->region[2] - m->region[0]) + 1,
                   height = (uint64_t)(m->region[3] - m->region[1]) + 1;
    const uint64_t most = lvl_limits_of(doc->ctx).cells;

    if (width > UINT32_MAX || height > UINT32_MAX || height > most / width ||
        width * height > SIZE_MAX / size - 1)
        return lvl_refuse(doc->ctx, LVL_LIMIT_CELLS, most, width > most ? width : 0);
    *bytes = (size_t)(width * height) * size;
    return lvl_charge(doc->ctx, width * height / 4);
}

static void copy_cells(const int64_t part[4], const int64_t region[4], const lvl_cells *from, int64_t left,
                       int64_t top, uint8_t *to)
{
    const size_t columns = (size_t)(region[2] - region[0]) + 1;
    const size_t len = (size_t)(part[2] - part[0] + 1) * from->size;

    for (int64_t y = part[1]; y <= part[3]; y++)
        memcpy(to + ((size_t)(y - region[1]) * columns + (size_t)(part[0] - region[0])) * from->size,
               from->ptr + ((size_t)(y - top) * from->width + (size_t)(part[0] - left)) * from->size, len);
}

static lvl_status read_squares(const lvl_doc *doc, const lvl_match *m, uint8_t *to, uint32_t size)
{
    lvl_buffer storage = {0};
    lvl_square_layer l = {0};
    lvl_cells grid;

    lvl_status status = lvl_squares_open(&l, doc, m);
    /* the game shows the first of several squares at one place, so it is copied last */
    for (uint32_t i = l.count; status == LVL_OK && i-- > 0;) {
        const void *square = lvl_square_at(&l, i);
        int64_t part[4];
        if (!lvl_square_is_touched(&l, square))
            continue;
        const int64_t left = lvl_get_int(square, l.f.x) * l.width,
                      top = lvl_get_int(square, l.f.y) * l.height;
        status = lvl_doc_cells(doc, square, l.f.pixels, &storage, &grid);
        if (status == LVL_ERR_FORMAT && grid.ptr) /* as far as it could be decoded */
            status = LVL_OK;
        if (status == LVL_OK && grid.ptr && grid.size == size &&
            lvl_region_overlap(m->region, left, top, &grid, part))
            copy_cells(part, m->region, &grid, left, top, to);
    }
    lvl_buffer_free(&storage);
    return status;
}

static lvl_status read_grid(const lvl_doc *doc, const lvl_match *m, lvl_buffer *out, lvl_cells *cells)
{
    lvl_buffer storage = {0};
    lvl_cells grid;
    int64_t part[4];
    size_t bytes = 0;

    lvl_status status = lvl_doc_cells(doc, m->record, m->field, &storage, &grid);
    if (grid.ptr && status == LVL_ERR_FORMAT)
        status = LVL_OK;
    if (status == LVL_OK && (!grid.ptr || m->region[2] >= grid.width || m->region[3] >= grid.height))
        status = LVL_ERR_MISSING;
    cells->size = grid.size;
    if (status == LVL_OK)
        status = lvl_region_size(doc, m, grid.size, &bytes);
    if (status == LVL_OK && !lvl_buffer_reserve(out, bytes + 1))
        status = LVL_ERR_MEMORY;
    if (status == LVL_OK && lvl_region_overlap(m->region, 0, 0, &grid, part))
        copy_cells(part, m->region, &grid, 0, 0, out->data);
    lvl_buffer_free(&storage);
    return status;
}

lvl_status lvl_region_read(const lvl_doc *doc, const lvl_match *m, lvl_buffer *storage, lvl_cells *out)
{
    const lvl_field *f = lvl_region_field(doc, m);
    lvl_status status;

    storage->len = 0;
    *out = (lvl_cells){NULL, (uint32_t)(m->region[2] - m->region[0] + 1),
                       (uint32_t)(m->region[3] - m->region[1] + 1), lvl_cell_size(f)};
    if (f == m->field) {
        status = read_grid(doc, m, storage, out);
    } else {
        size_t bytes = 0;
        status = lvl_region_size(doc, m, out->size, &bytes);
        if (status == LVL_OK && !lvl_buffer_reserve(storage, bytes + 1))
            status = LVL_ERR_MEMORY;
        if (status == LVL_OK) {
            lvl_fill_cells(storage->data, out->size, lvl_empty_cell(f), bytes / out->size);
            status = read_squares(doc, m, storage->data, out->size);
        }
    }
    out->ptr = storage->data;
    return status;
}

/* ---- filling ----------------------------------------------------------------------------------------- */

/* The region of a whole grid, or around all squares; false: it is empty. */
static bool whole_region(const lvl_doc *doc, lvl_match *m)
{
    lvl_square_layer l;

    m->has_region = true;
    if (m->field->kind != LVL_LIST) {
        const lvl_cells *c = lvl_get_cells(m->record, m->field);
        m->region[2] = (int64_t)c->width - 1;
        m->region[3] = (int64_t)c->height - 1;
        return c->width && c->height;
    }
    if (lvl_squares_open(&l, doc, m) != LVL_OK || !l.count)
        return false;
    int64_t *r = m->region;
    for (uint32_t i = 0; i < l.count; i++) {
        const int64_t x = lvl_get_int(lvl_square_at(&l, i), l.f.x) * l.width,
                      y = lvl_get_int(lvl_square_at(&l, i), l.f.y) * l.height;
        r[0] = i && r[0] < x ? r[0] : x;
        r[1] = i && r[1] < y ? r[1] : y;
        r[2] = i && r[2] > x + l.width - 1 ? r[2] : x + l.width - 1;
        r[3] = i && r[3] > y + l.height - 1 ? r[3] : y + l.height - 1;
    }
    return true;
}

typedef struct spot {
    uint32_t x, y;
} spot;

typedef struct flood {
    const lvl_cells *cells;
    uint32_t value;
    uint8_t *in; /* by cell: it is connected */
    spot *open;
    size_t count, cap;
} flood;

static bool is_of_flood(const flood *f, uint32_t x, uint32_t y)
{
    return !f->in[(size_t)y * f->cells->width + x] && lvl_cell(f->cells, x, y) == f->value;
}

/* Pushes the first cell of each run of connected cells in a row, from x0 to x1. */
static bool push_runs(flood *f, uint32_t x0, uint32_t x1, uint32_t y)
{
    for (uint32_t x = x0; x <= x1; x++) {
        if (!is_of_flood(f, x, y) || (x > x0 && is_of_flood(f, x - 1, y)))
            continue;
        if (!lvl_grow(&f->open, &f->cap, f->count + 1, sizeof *f->open))
            return false;
        f->open[f->count++] = (spot){x, y};
    }
    return true;
}

static bool spread_flood(flood *f)
{
    while (f->count) {
        const spot s = f->open[--f->count];
        uint32_t x0 = s.x, x1 = s.x;
        if (!is_of_flood(f, s.x, s.y))
            continue;
        while (x0 && is_of_flood(f, x0 - 1, s.y))
            x0--;
        while (x1 + 1 < f->cells->width && is_of_flood(f, x1 + 1, s.y))
            x1++;
        memset(f->in + (size_t)s.y * f->cells->width + x0, 1, (size_t)x1 - x0 + 1);
        if ((s.y && !push_runs(f, x0, x1, s.y - 1)) ||
            (s.y + 1 < f->cells->height && !push_runs(f, x0, x1, s.y + 1)))
            return false;
    }
    return true;
}

static void visit_runs(const flood *f, const int64_t region[4],
                       bool (*visit)(void *user, int64_t x0, int64_t x1, int64_t y), void *user)
{
    for (uint32_t y = 0; y < f->cells->height; y++) {
        const uint8_t *row = f->in + (size_t)y * f->cells->width;
        for (uint32_t x = 0; x < f->cells->width; x++) {
            const uint32_t from = x;
            while (x < f->cells->width && row[x])
                x++;
            if (x > from && !visit(user, region[0] + from, region[0] + x - 1, region[1] + y))
                return;
        }
    }
}

lvl_status lvl_region_fill(const lvl_doc *doc, const lvl_match *grid, int64_t x, int64_t y,
                           bool (*visit)(void *user, int64_t x0, int64_t x1, int64_t y), void *user)
{
    lvl_match all = *grid;
    lvl_buffer storage = {0};
    lvl_cells cells = {0};

    if (!whole_region(doc, &all))
        return LVL_OK;
    const int64_t *r = all.region;
    if (x < r[0] || x > r[2] || y < r[1] || y > r[3])
        return LVL_OK;
    lvl_status status = lvl_region_read(doc, &all, &storage, &cells);
    const size_t count = (size_t)cells.width * cells.height;
    if (status == LVL_OK)
        status = lvl_charge(doc->ctx, 4 * (uint64_t)count);
    if (status == LVL_OK) {
        const spot first = {(uint32_t)(x - r[0]), (uint32_t)(y - r[1])};
        flood f = {.cells = &cells, .value = lvl_cell(&cells, first.x, first.y), .in = calloc(count, 1)};
        if (f.in && push_runs(&f, first.x, first.x, first.y) && spread_flood(&f))
            visit_runs(&f, r, visit, user);
        else
            status = LVL_ERR_MEMORY;
        free(f.in);
        free(f.open);
    }
    lvl_buffer_free(&storage);
    return status;
}
