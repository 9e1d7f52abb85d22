/*
 * tools/edit_list.c: inserts and moves items of lists, moves objects.
 */
#include "base/buffer.h"
#include "tools/edit_list.h"

#include "base/hash.h"
#include "base/text.h"
#include "base/work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool lvl_editor_insert(lvl_editor *e, const lvl_match *m, uint32_t items)
{
    const uint32_t count = lvl_list_count(m->record, m->field);

    if (!lvl_editor_note_member(e, m->record, m->field))
        return false;
    e->load.status = lvl_list_insert(e->load.doc, m->record, m->field, m->index, items);
    if (e->load.status != LVL_OK || m->index == count)
        return e->load.status == LVL_OK;
    uint32_t *map = malloc(count * sizeof *map);
    if (!map) {
        e->load.status = LVL_ERR_MEMORY;
        return false;
    }
    for (uint32_t i = 0; i < count; i++)
        map[i] = i + (i >= m->index ? items : 0);
    lvl_editor_follow(e, m, map, count);
    free(map);
    return e->load.status == LVL_OK;
}

uint32_t lvl_item_with_text(const void *record, const lvl_field *list, const lvl_field *text, lvl_text value)
{
    for (uint32_t i = 0; i < lvl_list_count(record, list); i++) {
        if (lvl_text_equal(lvl_get_text(lvl_list_item(record, list, i), text), value))
            return i;
    }
    return LVL_NO_INDEX;
}

/* ---- moving ------------------------------------------------------------------------------------------ */

/* The order of a list after the marked items are moved together to index `to`. */
static void order_moved(const uint8_t *marked, uint32_t count, uint32_t to, uint32_t *order)
{
    uint32_t n = 0, left = 0;

    for (uint32_t i = 0; i < count && left < to; i++) {
        if (!marked[i]) {
            order[n++] = i;
            left++;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (marked[i])
            order[n++] = i;
    }
    for (uint32_t i = 0, seen = 0; i < count; i++) {
        if (!marked[i] && seen++ >= left)
            order[n++] = i;
    }
}

void lvl_editor_move(lvl_editor *e, const lvl_match *m, size_t n, int64_t to)
{
    const uint32_t count = lvl_list_count(m->record, m->field);

    if (m->index == LVL_NO_INDEX || m->append || m->has_region || (m->field->flags & LVL_F_UNORDERED)) {
        lvl_load_fail(&e->load, LVL_FAULT_PATH,
                      m->field->flags & LVL_F_UNORDERED ? "the order of %s has no meaning"
                                                        : "@= moves items of a list, as in %s[3]@=0",
                      m->field->name);
        return;
    }
    const int64_t wanted = to;
    to += to < 0 ? count : 0;
    if (to < 0 || to >= count) {
        lvl_load_fail(&e->load, LVL_FAULT_VALUE, "there is no %s[%lld]: %s has only %lu item%s",
                      m->field->name, (long long)wanted, m->field->name, (unsigned long)count,
                      count == 1 ? "" : "s");
        return;
    }
    uint8_t *marked = calloc(count, 1);
    uint32_t *order = calloc(count, sizeof *order), *map = calloc(count, sizeof *map);
    if (!marked || !order || !map || !lvl_editor_note_member(e, m->record, m->field)) {
        e->load.status = LVL_ERR_MEMORY;
    } else {
        for (size_t i = 0; i < n; i++)
            marked[m[i].index] = 1;
        order_moved(marked, count, (uint32_t)to > count - n ? count - (uint32_t)n : (uint32_t)to, order);
        for (uint32_t i = 0; i < count; i++)
            map[order[i]] = i;
        e->load.status = lvl_list_arrange(e->load.doc, m->record, m->field, order, count);
        if (e->load.status == LVL_OK)
            lvl_editor_follow(e, m, map, count);
        e->changed += n;
    }
    free(marked);
    free(order);
    free(map);
}

/* ---- places ------------------------------------------------------------------------------------------ */

static const lvl_field *field_with(const lvl_table *table, unsigned role, void **record)
{
    const lvl_field *outer, *f = lvl_field_with_role(table, role, &outer);

    if (!f || (outer && !lvl_field_present(*record, outer)))
        return NULL;
    if (outer)
        *record = (uint8_t *)*record + outer->offset;
    return lvl_field_present(*record, f) ? f : NULL;
}

static double number_of(const void *record, const lvl_field *f)
{
    return !f                    ? 0
           : f->kind == LVL_REAL ? lvl_get_real(record, f)
           : f->kind == LVL_INT  ? (double)lvl_get_int(record, f)
                                 : 0;
}

double lvl_place_of(const lvl_table *table, unsigned role, void *record)
{
    const lvl_field *f = field_with(table, role, &record);

    return number_of(record, f);
}

void lvl_cell_px(const lvl_map_grid *grid, const lvl_table *table, const void *plane, int64_t px[2])
{
    const unsigned roles[] = {LVL_ROLE_CELL_WIDTH, LVL_ROLE_CELL_HEIGHT};

    for (int i = 0; i < 2; i++) {
        const lvl_field *f = lvl_field_with_role(table, roles[i], NULL);
        px[i] = f ? (int64_t)number_of(plane, f) : grid->cell_size;
    }
}

static void move_number(lvl_editor *e, const lvl_field *f, void *record, int64_t by, uint32_t unit)
{
    const uint32_t px = unit ? unit : 1;

    if (!f || !by || e->load.status != LVL_OK || !lvl_editor_note_member(e, record, f))
        return;
    if (f->kind == LVL_REAL) {
        const double now = lvl_get_real(record, f) + (double)by / px;
        memcpy((uint8_t *)record + f->offset, &now, sizeof now);
    } else if (f->kind == LVL_INT && by % px == 0 && lvl_int_fits(f, lvl_get_int(record, f) + by / px)) {
        lvl_put_int(record, f, lvl_get_int(record, f) + by / px);
    } else {
        lvl_load_fail(&e->load, LVL_FAULT_VALUE, "%s cannot be moved by %lld px", f->name, (long long)by);
    }
}

void lvl_place_move(lvl_editor *e, const lvl_table *table, unsigned role, void *record, int64_t by,
                    uint32_t unit)
{
    const lvl_field *f = field_with(table, role, &record);

    move_number(e, f, record, by, unit);
}

void lvl_item_move(lvl_editor *e, const lvl_map_objects *objects, void *item, int64_t dx, int64_t dy)
{
    const lvl_table *table = objects->list->table;
    const lvl_field *places[LVL_MAP_PLACES];
    const uint32_t count = lvl_map_places(objects, places);
    uint32_t moving = 0; /* tested before any is moved, since a test may depend on another place */

    for (uint32_t k = 0; k < count; k++)
        moving |= (uint32_t)objects->how->is_place(item, places[k]) << k;
    for (uint32_t k = 0; k < count; k++) {
        if (moving & 1u << k && lvl_field_present(item, places[k]))
            move_number(e, places[k], item, lvl_map_is_vertical(places[k]) ? dy : dx, 1);
    }
    lvl_place_move(e, table, LVL_ROLE_X, item, dx, objects->unit);
    lvl_place_move(e, table, LVL_ROLE_Y, item, dy, objects->unit);
}

bool lvl_map_objects_at(const lvl_doc *doc, const lvl_where *where, lvl_map_objects *out)
{
    lvl_map_objects all[LVL_MAP_LISTS];
    const lvl_field *layers = lvl_map_layers(doc->format);
    const uint32_t count = where->depth == 1 || where->depth == 2 ? lvl_map_objects_of(doc->format, all) : 0;

    for (uint32_t i = 0; i < count; i++) {
        *out = all[i];
        if (where->depth == (out->in_layer ? 2u : 1u) && where->steps[where->depth - 1].field == out->list &&
            (!out->in_layer || where->steps[0].field == layers))
            return true;
    }
    return false;
}
