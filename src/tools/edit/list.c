/*
 * tools/edit/list.c: inserts and moves items of lists, moves objects.
 */
#include "base/buffer.h"
#include "tools/edit/list.h"

#include "base/hash.h"
#include "base/search.h"
#include "base/text.h"
#include "base/work.h"

#include <math.h>
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

/* Moves a number of an item that is a position. */
static void move_place(lvl_editor *e, const lvl_table *table, void *item, const lvl_map_place *place,
                       const int64_t by[2])
{
    const lvl_field *f = lvl_member_at(table, place->offset, &item);
    const int64_t was = f && f->kind == LVL_INT ? lvl_get_int(item, f) : 0;
    int64_t now = was;

    if (!f || f->kind != LVL_INT || e->load.status != LVL_OK)
        return;
    if (!lvl_map_moved(place, was, by[0], by[1], &now) || !lvl_int_fits(f, now)) {
        lvl_load_fail(
            &e->load, LVL_FAULT_VALUE,
            place->axis == LVL_MAP_ADDRESS
                ? "%s: the address %lld cannot be moved by %lld, %lld px: columns and rows are 0 to 255"
                : "%s: %lld cannot be moved by %lld, %lld px",
            f->name, (long long)was, (long long)by[0], (long long)by[1]);
        return;
    }
    if (!now && was && place->zero_is_unset && place->unit == 1) {
        lvl_findings_add(e->load.findings, &lvl_faults[LVL_FAULT_CUT], &e->load.where, NULL,
                         "%s of an object would be 0, which is not set for the game: it is 1 now", f->name);
        now = 1;
    }
    if (now != was && lvl_editor_note_member(e, item, f))
        lvl_put_int(item, f, now);
}

static int64_t place_value(const lvl_table *table, void *item, const lvl_map_place *place)
{
    const lvl_field *f = lvl_member_at(table, place->offset, &item);

    return f && f->kind == LVL_INT ? lvl_get_int(item, f) : 0;
}

bool lvl_shift_has(const lvl_shift *shift, double x, double y)
{
    return x >= shift->area[0] && y >= shift->area[1] && x < shift->area[2] && y < shift->area[3];
}

int64_t lvl_shift_tile(int64_t column, int64_t row)
{
    return INT64_C(1) << 56 | (column & 0xFFFFFF) << 28 | (row & 0xFFFFFFF);
}

static const lvl_shift_name *find_name(const lvl_shift *shift, int64_t name)
{
    size_t at;

    LVL_LOWER_BOUND(at, shift->name_count, shift->names[at].name < name);
    return at < shift->name_count && shift->names[at].name == name ? &shift->names[at] : NULL;
}

/* Whether a position of another thing, or a destination, moves, and by how many px. `second`: the y of an
 * x. */
static bool place_moves(const lvl_shift *shift, const lvl_table *table, void *item, const lvl_map_place *at,
                        const lvl_map_place *second, int64_t by[2])
{
    const int64_t x = place_value(table, item, at), y = second ? place_value(table, item, second) : 0;

    if (at->follows == LVL_MAP_OF_OTHER) {
        const bool address = at->axis == LVL_MAP_ADDRESS;
        const lvl_shift_name *name = find_name(shift, address ? x : lvl_shift_tile(x, y));
        if (name)
            memcpy(by, name->by, sizeof name->by);
        return name;
    }
    by[0] = shift->dx;
    by[1] = shift->dy;
    return shift->has_area &&
           lvl_shift_has(shift, (double)x * (double)at->unit, (double)y * (double)at->unit);
}

/* Floor of a / b, for b above 0. */
static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

int64_t lvl_shift_step(double at, int64_t by, int64_t tile)
{
    const int64_t px = at > -1e12 && at < 1e12 ? (int64_t)floor(at) : 0;

    return (floor_div(px + by, tile) - floor_div(px, tile)) * tile;
}

void lvl_item_shift(lvl_editor *e, const lvl_map_objects *objects, void *item, const lvl_shift *shift,
                    bool moves)
{
    const lvl_table *table = objects->list->table;
    const double x = lvl_place_of(table, LVL_ROLE_X, item) * objects->unit,
                 y = lvl_place_of(table, LVL_ROLE_Y, item) * objects->unit;
    lvl_map_place places[LVL_MAP_PLACES];
    bool follows[LVL_MAP_PLACES];
    int64_t by[LVL_MAP_PLACES][2];
    /* found before any is moved, since what is a place may depend on another number */
    const uint32_t count = shift->dx || shift->dy ? lvl_map_places(objects, e->load.doc, item, places) : 0;

    for (uint32_t k = 0; k < count; k++) {
        const lvl_map_place *p = &places[k];
        const bool own = p->follows == LVL_MAP_OF_THING && !shift->whole;
        const int64_t unit = p->unit ? p->unit : 1;
        follows[k] = shift->whole || moves;
        /* a thing that moves by less than a tile may stay on its own */
        by[k][0] = own ? lvl_shift_step(x, shift->dx, unit) : shift->dx;
        by[k][1] = own ? lvl_shift_step(y, shift->dy, unit) : shift->dy;
        if (shift->whole || own)
            continue;
        if (p->axis == LVL_MAP_Y) {
            follows[k] = k && follows[k - 1];
            memcpy(by[k], by[k ? k - 1 : 0], sizeof by[k]);
        } else {
            const bool pair = p->axis == LVL_MAP_X && k + 1 < count;
            follows[k] = place_moves(shift, table, item, p, pair ? &places[k + 1] : NULL, by[k]);
        }
    }
    for (uint32_t k = 0; k < count; k++) {
        if (follows[k])
            move_place(e, table, item, &places[k], by[k]);
    }
    if (!moves)
        return;
    lvl_place_move(e, table, LVL_ROLE_X, item, shift->dx, objects->unit);
    lvl_place_move(e, table, LVL_ROLE_Y, item, shift->dy, objects->unit);
}

void lvl_item_move(lvl_editor *e, const lvl_map_objects *objects, void *item, int64_t dx, int64_t dy)
{
    const lvl_shift level = {.dx = dx, .dy = dy, .whole = true};

    lvl_item_shift(e, objects, item, &level, true);
}
