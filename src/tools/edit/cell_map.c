/*
 * tools/edit/cell_map.c: see tools/edit/cell_map.h.
 */
#include "tools/edit/cell_map.h"

#include "base/arena.h"
#include "base/csv.h"
#include "base/text.h"
#include "base/work.h"
#include "tools/paths/region.h"
#include "tools/edit/region_write.h"

#include <stdlib.h>
#include <string.h>

void lvl_cell_map_free(lvl_cell_map *map)
{
    free(map->items);
    lvl_buffer_free(&map->texts);
}

lvl_status lvl_cell_map_read(lvl_cell_map *map, lvl_text csv, size_t *line, lvl_findings *findings)
{
    lvl_status status = LVL_OK;
    lvl_csv rows;

    memset(map, 0, sizeof *map);
    map->texts.max = csv.len + 1; /* the texts of the items point into it */
    if (!lvl_buffer_reserve(&map->texts, csv.len + 1))
        return LVL_ERR_MEMORY;
    lvl_csv_begin(&rows, csv);
    for (size_t n = 0; status == LVL_OK && lvl_csv_row(&rows); n++) {
        *line = rows.line;
        if (rows.count != 2) {
            status = lvl_fault_add(findings, LVL_FAULT_VALUE, "expected two columns, found %zu", rows.count);
            break;
        }
        const lvl_text from = lvl_csv_field(&rows, 0), to = lvl_csv_field(&rows, 1);
        if (!n && lvl_text_is(from, "from") && lvl_text_is(to, "to"))
            continue;
        if (!lvl_grow(&map->items, &map->cap, map->count + 1, sizeof *map->items)) {
            status = LVL_ERR_MEMORY;
            break;
        }
        const char *at = (const char *)map->texts.data + map->texts.len;
        lvl_buffer_add(&map->texts, from.ptr, from.len);
        lvl_buffer_add(&map->texts, to.ptr, to.len);
        map->items[map->count++] = (lvl_cell_swap){{at, from.len}, {at + from.len, to.len}, rows.line};
    }
    if (status == LVL_OK && rows.error) {
        *line = rows.line;
        status = lvl_fault_add(findings, LVL_FAULT_VALUE, "%s", rows.error);
    } else if (status == LVL_OK && !map->count) {
        *line = 1;
        status = rows.text.status != LVL_OK ? rows.text.status
                                            : lvl_fault_add(findings, LVL_FAULT_VALUE, "the table is empty");
    }
    lvl_csv_end(&rows);
    return status;
}

/* ---- replacing ----------------------------------------------------------------------------------------- */

/* An item with its values, for one kind of cells. */
typedef struct swap {
    uint32_t from, to, item;
} swap;

static int by_from(const void *a, const void *b)
{
    const uint32_t x = ((const swap *)a)->from, y = ((const swap *)b)->from;

    return x < y ? -1 : x > y;
}

/* Parses the table for the cells of a field, ordered by what is replaced. */
static lvl_status parse(const lvl_cell_map *map, const lvl_field *f, uint32_t size, swap *out, size_t *line,
                        lvl_findings *findings)
{
    char buf[80];

    for (size_t i = 0; i < map->count; i++) {
        const lvl_cell_swap *s = &map->items[i];
        const bool good = lvl_cell_parse(f->cell_names, s->from, size, &out[i].from);
        out[i].item = (uint32_t)i;
        if (good && lvl_cell_parse(f->cell_names, s->to, size, &out[i].to))
            continue;
        *line = s->line;
        return lvl_fault_add(findings, LVL_FAULT_VALUE, "expected a cell of %lu bytes, got \"%s\"",
                             (unsigned long)size, lvl_show(buf, good ? s->to : s->from));
    }
    qsort(out, map->count, sizeof *out, by_from);
    for (size_t i = 1; i < map->count; i++) {
        if (out[i].from != out[i - 1].from)
            continue;
        const size_t a = map->items[out[i].item].line, b = map->items[out[i - 1].item].line;
        *line = a > b ? a : b;
        return lvl_fault_add(findings, LVL_FAULT_VALUE, "%lu is replaced twice, first in line %zu",
                             (unsigned long)out[i].from, a > b ? b : a);
    }
    return LVL_OK;
}

/* Replaces the cells of one match. */
static lvl_status replace(lvl_editor *e, const lvl_match *match, const swap *swaps, size_t count,
                          uint64_t *counts)
{
    const lvl_doc *doc = e->load.doc;
    lvl_match m = *match;
    lvl_buffer storage = {0}, now = {0};
    lvl_cells cells;
    bool any = false;

    lvl_status status = LVL_OK;
    if (!m.has_region) {
        status = lvl_doc_cells(doc, m.record, m.field, &storage, &cells);
        const int64_t whole[4] = {0, 0, (int64_t)cells.width - 1, (int64_t)cells.height - 1};
        m.has_region = true;
        memcpy(m.region, whole, sizeof whole);
    } else {
        status = lvl_region_read(doc, &m, &storage, &cells);
    }
    if (status == LVL_OK && cells.ptr && cells.width && cells.height) {
        const size_t size = cells.size, n = (size_t)cells.width * cells.height;
        status = lvl_charge(doc->ctx, n);
        if (status == LVL_OK && !lvl_buffer_reserve(&now, n * size))
            status = LVL_ERR_MEMORY;
        for (size_t i = 0; i < n && status == LVL_OK; i++) {
            const uint32_t was = lvl_cell(&cells, (uint32_t)(i % cells.width), (uint32_t)(i / cells.width));
            const swap key = {.from = was};
            const swap *s = bsearch(&key, swaps, count, sizeof *swaps, by_from);
            lvl_put_cell(now.data + i * size, (uint32_t)size, s ? s->to : was);
            any = any || (s && s->to != was);
            if (s)
                counts[s->item]++;
        }
        now.len = n * size;
        if (any) {
            const lvl_cells grid = {
                .ptr = now.data, .width = cells.width, .height = cells.height, .size = cells.size};
            e->load.where = m.where;
            lvl_region_write(e, &m, &(lvl_patch){.grid = &grid});
            e->changed++;
            status = e->load.status;
        }
    }
    lvl_buffer_free(&storage);
    lvl_buffer_free(&now);
    return status;
}

lvl_status lvl_cell_map_apply(lvl_doc *doc, const char *path, const lvl_cell_map *map, uint64_t *counts,
                              size_t *changed, size_t *line, lvl_findings *findings)
{
    swap *swaps = calloc(map->count, sizeof *swaps);
    const lvl_field *parsed = NULL;
    lvl_match *matches = NULL;
    lvl_editor e;
    size_t n = 0;

    *line = 0;
    lvl_status status = lvl_editor_begin(&e, doc, findings);
    if (!swaps)
        status = LVL_ERR_MEMORY;
    if (status == LVL_OK)
        status = lvl_path_matches(doc, lvl_text_of(path), &matches, &n, findings);
    for (size_t i = 0; i < n && status == LVL_OK; i++) {
        const lvl_match *m = &matches[i];
        const lvl_field *f = m->has_region ? lvl_region_field(doc, m)
                             : m->field && m->field->kind == LVL_CELLS && !m->append ? m->field
                                                                                     : NULL;
        if (!f) {
            status = lvl_fault_add(findings, LVL_FAULT_PATH, "%s finds no cells", path);
            break;
        }
        if (lvl_editor_refuses(&e, m, false)) {
            status = e.load.status;
            break;
        }
        if (f != parsed)
            status = parse(map, f, lvl_cell_size(f), swaps, line, findings);
        parsed = f;
        if (status == LVL_OK)
            status = replace(&e, m, swaps, map->count, counts);
    }
    free(matches);
    free(swaps);
    return lvl_editor_finish(&e, status, changed);
}
