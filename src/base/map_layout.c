/*
 * base/map_layout.c: layers and objects of a format, by the roles of the fields in its tables.
 */
#include "base/map_layout.h"

#include "base/format.h"

#include <string.h>

enum { CELL = 16, VALUES = 4096, COLUMNS = 16 };

static const lvl_map_grid usual_grid = {.cell_size = CELL, .values = VALUES, .columns = COLUMNS};
static const lvl_map_layout usual_layout = {.grid = &usual_grid};
static const lvl_map_list usual_list;

const lvl_map_layout *lvl_map_layout_of(const lvl_format *format)
{
    return format->calls->map_layout ? format->calls->map_layout : &usual_layout;
}

static const lvl_field *list_with_role(const lvl_table *table, unsigned role)
{
    const lvl_field *list = lvl_field_with_role(table, role, NULL);

    return list && list->kind == LVL_LIST ? list : NULL;
}

const lvl_field *lvl_map_layers(const lvl_format *format)
{
    const lvl_field *list = list_with_role(format->table, LVL_ROLE_LAYERS);

    return list && list->table ? list : NULL;
}

const lvl_map_grid *lvl_map_grid_of(const lvl_format *format)
{
    const lvl_map_grid *grid = lvl_map_layout_of(format)->grid;

    return lvl_map_layers(format) ? grid ? grid : &usual_grid : NULL;
}

const lvl_field *lvl_map_world(const lvl_format *format)
{
    const lvl_field *rows = list_with_role(format->table, LVL_ROLE_LEVELS);

    return rows && list_with_role(rows->table, LVL_ROLE_LEVELS) ? rows : NULL;
}

static const lvl_field *cells_in(const lvl_table *table)
{
    for (uint32_t i = 0; table && i < table->field_count; i++) {
        if (table->fields[i].kind == LVL_CELLS)
            return &table->fields[i];
    }
    return NULL;
}

lvl_map_cells lvl_map_cells_of(const lvl_table *layer)
{
    lvl_map_cells c = {.cells = cells_in(layer)};

    for (uint32_t i = 0; !c.cells && i < layer->field_count; i++) {
        const lvl_field *f = &layer->fields[i];
        if (f->kind != LVL_LIST || !f->table)
            continue;
        c.key = lvl_field_named(f->table, f->table->label);
        c.x = lvl_field_with_role(f->table, LVL_ROLE_X, NULL);
        c.y = lvl_field_with_role(f->table, LVL_ROLE_Y, NULL);
        c.pixels = cells_in(f->table);
        if (c.key && c.x && c.y && c.pixels) {
            c.squares = f;
            return c;
        }
    }
    return c.cells ? c : (lvl_map_cells){0};
}

uint32_t lvl_map_empty(const lvl_map_grid *grid, const void *layer, const lvl_field *cells)
{
    return grid->empty ? grid->empty(layer) : lvl_empty_cell(cells);
}

uint32_t lvl_map_cleared(const lvl_map_grid *grid, const void *layer, const lvl_field *cells)
{
    return grid->cleared ? grid->cleared(layer) : lvl_map_empty(grid, layer, cells);
}

/* ---- objects ----------------------------------------------------------------------------------------- */

static lvl_map_objects objects_in(const lvl_map_layout *layout, const lvl_field *list, bool in_layer)
{
    const lvl_field *outer, *x = lvl_field_with_role(list->table, LVL_ROLE_X, &outer);
    const bool classed = lvl_field_with_role(list->table, LVL_ROLE_CLASS, NULL);
    const bool in_cells = x && x->unit && strcmp(x->unit, "tiles") == 0;
    const uint32_t cell = layout->grid ? layout->grid->cell_size : CELL;
    lvl_map_objects o = {list, in_layer, in_cells && cell ? cell : 1, classed ? NULL : list->table->name,
                         &usual_list};

    for (uint32_t i = 0; layout->lists && i < layout->list_count; i++) {
        if (layout->lists[i].item == list->table)
            o.how = &layout->lists[i];
    }
    return o;
}

/* Adds the lists of a table that the layout describes with `how`; NULL: those that it does not describe. */
static uint32_t add_lists(const lvl_map_layout *layout, const lvl_table *table, bool in_layer,
                          const lvl_map_list *how, lvl_map_objects *out, uint32_t count)
{
    for (uint32_t i = 0; table && i < table->field_count && count < LVL_MAP_LISTS; i++) {
        const lvl_field *f = &table->fields[i];
        if (!(f->roles & LVL_ROLE_OBJECTS) || f->kind != LVL_LIST || !f->table ||
            (how && how->item != f->table))
            continue;
        out[count] = objects_in(layout, f, in_layer);
        count += how || out[count].how == &usual_list;
    }
    return count;
}

uint32_t lvl_map_objects_of(const lvl_format *format, lvl_map_objects out[LVL_MAP_LISTS])
{
    const lvl_map_layout *layout = lvl_map_layout_of(format);
    const lvl_field *layers = lvl_map_layers(format);
    const lvl_table *layer = layers ? layers->table : NULL;
    uint32_t count = 0;

    for (uint32_t i = 0; i <= layout->list_count; i++) {
        const lvl_map_list *how = i < layout->list_count ? &layout->lists[i] : NULL;
        count = add_lists(layout, layer, true, how, out, count);
        count = add_lists(layout, format->table, false, how, out, count);
    }
    return count;
}

uint32_t lvl_map_places(const lvl_map_objects *objects, const lvl_doc *doc, const void *item,
                        lvl_map_place out[LVL_MAP_PLACES])
{
    return objects->how->places ? objects->how->places(doc, item, out) : 0;
}

bool lvl_map_moved(const lvl_map_place *place, int64_t value, int64_t dx, int64_t dy, int64_t *out)
{
    const int64_t unit = place->unit ? place->unit : 1;

    if (place->axis != LVL_MAP_ADDRESS) {
        const int64_t by = place->axis == LVL_MAP_X ? dx : dy;
        *out = value + by / unit;
        return by % unit == 0;
    }
    if (value < 0 || value > 0xFFFF) { /* no address */
        *out = value;
        return true;
    }
    const int64_t column = (value >> 8) + dx / unit, row = (value & 0xFF) + dy / unit;
    *out = column << 8 | row;
    return dx % unit == 0 && dy % unit == 0 && column >= 0 && column <= 0xFF && row >= 0 && row <= 0xFF;
}
