/*
 * tools/edit/cells.c: sets regions of cells, to a value or to a grid.
 */
#include "base/buffer.h"
#include "base/text.h"
#include "codec/json.h"
#include "tools/edit/list.h"
#include "tools/edit/value.h"
#include "tools/paths/region.h"
#include "tools/edit/region_write.h"

/* Parses a grid: as lvl_get prints a region, or an array of its rows. */
static bool load_grid(lvl_editor *e, const lvl_match *m, const lvl_field *f, lvl_edit_value *v,
                      lvl_cells *out)
{
    lvl_field alone = *f;
    yyjson_val *json = lvl_editor_json(e, f, v);
    lvl_buffer whole = {0};
    lvl_json_error error;
    yyjson_doc *tree = NULL;

    if (yyjson_is_arr(json)) {
        lvl_buffer_printf(&whole, "{\"width\":%lld,\"height\":%zu,\"rows\":",
                          (long long)m->region[2] - m->region[0] + 1, yyjson_arr_size(json));
        lvl_buffer_add(&whole, v->text.ptr, v->text.len);
        lvl_buffer_u8(&whole, '}');
        if (whole.status == LVL_OK)
            tree = lvl_json_read(e->load.doc->ctx, lvl_buffer_text(&whole), &error);
        if (!tree)
            e->load.status = whole.status == LVL_OK ? error.status : whole.status;
        json = yyjson_doc_get_root(tree);
    }
    alone.offset = 0;
    if (e->load.status == LVL_OK && json)
        lvl_load_value(&e->load, out, &alone, json);
    yyjson_doc_free(tree);
    lvl_buffer_free(&whole);
    return e->load.status == LVL_OK && json;
}

bool lvl_region_fit(lvl_editor *e, lvl_match *m, const lvl_cells *grid)
{
    int64_t *r = m->region;

    if (!grid->ptr || !grid->width || !grid->height) {
        lvl_load_fail(&e->load, LVL_FAULT_VALUE, "expected cells, found none");
        return false;
    }
    if (r[0] == r[2] && r[1] == r[3]) { /* only the upper left corner was given */
        const lvl_cells *c = m->field->kind == LVL_CELLS ? lvl_get_cells(m->record, m->field) : NULL;
        r[2] = r[0] + grid->width - 1;
        r[3] = r[1] + grid->height - 1;
        if (!c || (r[2] < c->width && r[3] < c->height))
            return true;
        lvl_load_fail(&e->load, LVL_FAULT_VALUE,
                      "%lu columns and %lu rows do not fit there: the grid has %lu columns and %lu rows",
                      (unsigned long)grid->width, (unsigned long)grid->height, (unsigned long)c->width,
                      (unsigned long)c->height);
        return false;
    }
    if (grid->width == r[2] - r[0] + 1 && grid->height == r[3] - r[1] + 1)
        return true;
    lvl_load_fail(&e->load, LVL_FAULT_VALUE,
                  "expected %lld columns and %lld rows for the region, got %lu and %lu",
                  (long long)r[2] - r[0] + 1, (long long)r[3] - r[1] + 1, (unsigned long)grid->width,
                  (unsigned long)grid->height);
    return false;
}

/* The index of the item with that label, in the list that the cells index. */
static bool named_cell(const lvl_doc *doc, const lvl_field *f, lvl_text utf8, uint32_t *number)
{
    const lvl_field *list = lvl_field_named(doc->format->table, f->ref);
    const lvl_field *label = list ? lvl_label_of(list->table) : NULL;
    lvl_buffer text = {0};
    uint32_t bad;

    *number = LVL_NO_INDEX;
    if (label && label->kind == LVL_TEXT && lvl_text_from_utf8(&text, doc->codepage, utf8, &bad))
        *number = lvl_item_with_text(doc->root, list, label, lvl_buffer_text(&text));
    lvl_buffer_free(&text);
    return *number != LVL_NO_INDEX;
}

void lvl_editor_set_region(lvl_editor *e, const lvl_match *m, lvl_edit_value *v)
{
    const lvl_field *f = lvl_region_field(e->load.doc, m);
    lvl_patch patch = {0};
    lvl_match to = *m;
    char buf[80];

    if (!f) /* cannot happen: a region has a field */
        return;
    const lvl_cells *was = f == m->field ? lvl_get_cells(m->record, f) : NULL;
    const uint32_t size = was && was->size ? was->size : lvl_cell_size(f);
    lvl_cells grid = {.size = size};

    if (v->text.len && (v->text.ptr[0] == '[' || v->text.ptr[0] == '{')) {
        if (!load_grid(e, m, f, v, &grid) || !lvl_region_fit(e, &to, &grid))
            return;
        patch.grid = &grid;
    } else if (!lvl_cell_parse(f->cell_names, v->text, size, &patch.value) &&
               !named_cell(e->load.doc, f, v->text, &patch.value)) {
        lvl_load_fail(&e->load, LVL_FAULT_VALUE, "expected a cell of %lu bytes%s%s, got \"%s\"",
                      (unsigned long)size, f->ref ? " or a name in " : "", f->ref ? f->ref : "",
                      lvl_show(buf, v->text));
        return;
    }
    lvl_region_write(e, &to, &patch);
}
