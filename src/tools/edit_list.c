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

/* A field by its name in a map layout, "x" or "point.x"; *record becomes the record that has it. */
static const lvl_field *field_of(const lvl_table *table, const char *name, void **record)
{
    const char *dot = name ? strchr(name, '.') : NULL;
    const lvl_field *f =
        name ? lvl_table_find(table, (lvl_text){name, dot ? (size_t)(dot - name) : strlen(name)}) : NULL;

    if (!f || !lvl_field_present(*record, f))
        return NULL;
    if (!dot)
        return f;
    if (f->kind != LVL_RECORD)
        return NULL;
    *record = (uint8_t *)*record + f->offset;
    return field_of(f->table, dot + 1, record);
}

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

double lvl_coordinate(const lvl_table *table, const char *name, void *record)
{
    const lvl_field *f = field_of(table, name, &record);

    return number_of(record, f);
}

void lvl_cell_px(const lvl_map_grid *grid, const lvl_table *table, void *plane, int64_t px[2])
{
    px[0] = grid->cell_width ? (int64_t)lvl_coordinate(table, grid->cell_width, plane) : grid->cell_size;
    px[1] = grid->cell_height ? (int64_t)lvl_coordinate(table, grid->cell_height, plane) : grid->cell_size;
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

void lvl_coordinate_move(lvl_editor *e, const lvl_table *table, const char *name, void *record, int64_t by)
{
    const lvl_field *f = field_of(table, name, &record);

    move_number(e, f, record, by, 1);
}

static void move_place(lvl_editor *e, const lvl_table *table, unsigned role, void *item, int64_t by,
                       uint32_t unit)
{
    const lvl_field *f = field_with(table, role, &item);

    move_number(e, f, item, by, unit);
}

void lvl_item_move(lvl_editor *e, const lvl_table *table, const lvl_map_list *how, void *item, int64_t dx,
                   int64_t dy)
{
    uint32_t places = 0; /* tested before any is moved, since a test may depend on another place */

    for (uint32_t k = 0; k < how->place_count; k++)
        places |= (uint32_t)how->places[k].is_place(item) << k;
    for (uint32_t k = 0; k < how->place_count; k++) {
        if (places & 1u << k)
            lvl_coordinate_move(e, table, how->places[k].field, item, how->places[k].vertical ? dy : dx);
    }
    move_place(e, table, LVL_ROLE_X, item, dx, how->unit);
    move_place(e, table, LVL_ROLE_Y, item, dy, how->unit);
}

const lvl_map_list *lvl_map_list_at(const lvl_doc *doc, const lvl_where *where)
{
    const lvl_map_layout *layout = doc->format->calls->map_layout;

    for (uint32_t i = 0; layout && i < layout->list_count; i++) {
        const lvl_map_list *l = &layout->lists[i];
        const uint32_t depth = l->in_grid ? 2 : 1;
        if (where->depth == depth && strcmp(where->steps[depth - 1].field->name, l->list) == 0 &&
            (!l->in_grid || strcmp(where->steps[0].field->name, layout->grid->list) == 0))
            return l;
    }
    return NULL;
}
