/*
 * tools/diff/diff_cells.c: finds the rectangles in which two grids differ. Equal rows cost one memcmp.
 */
#include "tools/diff/diff.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum {
    NEAR = 2, /* changed cells with at most this many equal cells between them are one region */
    MAX_REGIONS = 4096 /* beyond this number everything becomes one region */
};

typedef struct finder {
    lvl_region *items;
    size_t count, cap;
    size_t first_open; /* regions before this one end too far up to grow */
    bool failed;
} finder;

static bool runs_touch(const lvl_region *r, const lvl_region *run)
{
    return run->y0 <= r->y1 + NEAR + 1 && run->x0 <= r->x1 + NEAR + 1 && run->x1 + NEAR + 1 >= r->x0;
}

static void join_regions(lvl_region *r, const lvl_region *more)
{
    r->x0 = more->x0 < r->x0 ? more->x0 : r->x0;
    r->x1 = more->x1 > r->x1 ? more->x1 : r->x1;
    r->y0 = more->y0 < r->y0 ? more->y0 : r->y0;
    r->y1 = more->y1 > r->y1 ? more->y1 : r->y1;
    r->cells += more->cells;
}

/* Adds a run of a row to the region it touches; regions that it connects are merged. */
static void add_run(finder *f, const lvl_region *run)
{
    lvl_region *home = NULL;

    for (size_t i = f->first_open; i < f->count; i++) {
        lvl_region *r = &f->items[i];
        if (!r->cells || !runs_touch(r, run))
            continue;
        if (!home) {
            join_regions(r, run);
            home = r;
        } else {
            join_regions(home, r);
            r->cells = 0; /* merged into `home` */
        }
    }
    if (home)
        return;
    if (f->count >= MAX_REGIONS) {
        for (size_t i = 1; i < f->count; i++) {
            if (f->items[i].cells)
                join_regions(&f->items[0], &f->items[i]);
        }
        join_regions(&f->items[0], run);
        f->count = 1;
        f->first_open = 0;
        return;
    }
    if (!lvl_grow(&f->items, &f->cap, f->count + 1, sizeof *f->items)) {
        f->failed = true;
        return;
    }
    f->items[f->count++] = *run;
}

static void compare_row(finder *f, const lvl_cells *a, const lvl_cells *b, uint32_t y, uint32_t width)
{
    lvl_region run = {0, y, 0, y, 0};

    for (uint32_t x = 0; x < width; x++) {
        if (lvl_cell(a, x, y) == lvl_cell(b, x, y))
            continue;
        if (run.cells && x > run.x1 + NEAR + 1) {
            add_run(f, &run);
            run.cells = 0;
        }
        if (!run.cells)
            run.x0 = x;
        run.x1 = x;
        run.cells++;
    }
    if (run.cells)
        add_run(f, &run);
}

static int by_edge(const void *x, const void *y)
{
    const lvl_region *a = x, *b = y;

    if (a->y0 != b->y0)
        return a->y0 < b->y0 ? -1 : 1;
    return (a->x0 > b->x0) - (a->x0 < b->x0);
}

lvl_status lvl_regions_find(const lvl_cells *a, const lvl_cells *b, lvl_region **out, size_t *count)
{
    uint32_t width = a->width < b->width ? a->width : b->width;
    uint32_t height = a->height < b->height ? a->height : b->height;
    finder f = {NULL, 0, 0, 0, false};
    size_t n = 0;

    for (uint32_t y = 0; a->ptr && b->ptr && y < height && !f.failed; y++) {
        if (a->size == b->size &&
            memcmp(a->ptr + (size_t)y * a->width * a->size, b->ptr + (size_t)y * b->width * b->size,
                   (size_t)width * a->size) == 0)
            continue;
        while (f.first_open < f.count &&
               (!f.items[f.first_open].cells || f.items[f.first_open].y1 + NEAR + 1 < y))
            f.first_open++;
        compare_row(&f, a, b, y, width);
    }
    for (size_t i = 0; i < f.count; i++) {
        if (f.items[i].cells)
            f.items[n++] = f.items[i];
    }
    if (n)
        qsort(f.items, n, sizeof *f.items, by_edge);
    *out = f.items;
    *count = n;
    return f.failed ? LVL_ERR_MEMORY : LVL_OK;
}
