/*
 * tools/edit/new.c: makes new, empty levels: as the format has them, or with the settings of another level.
 */
#include "base/buffer.h"
#include "base/format.h"
#include "base/map_layout.h"
#include "base/text.h"
#include "tools/tools.h"

#include <string.h>

static void empty_list(void *record, const lvl_field *list)
{
    if (lvl_field_present(record, list))
        lvl_field_reset(record, list);
}

/* Removes the content of a level: cells, squares and objects. */
static lvl_status clear(lvl_doc *doc)
{
    const lvl_map_layout *layout = lvl_map_layout_of(doc->format);
    const lvl_map_grid *grid = lvl_map_grid_of(doc->format);
    lvl_map_objects objects[LVL_MAP_LISTS];
    const uint32_t lists = lvl_map_objects_of(doc->format, objects);
    const lvl_field *planes = lvl_map_layers(doc->format);
    const lvl_map_cells c = planes ? lvl_map_cells_of(planes->table) : (lvl_map_cells){0};
    const uint32_t count = planes ? lvl_list_count(doc->root, planes) : 0;

    for (uint32_t i = 0; i < lists; i++) {
        if (!objects[i].in_layer)
            empty_list(doc->root, objects[i].list);
    }
    for (uint32_t k = 0; k < count; k++) {
        void *plane = lvl_item_at(doc->root, planes, k);
        for (uint32_t i = 0; i < lists; i++) {
            if (objects[i].in_layer)
                empty_list(plane, objects[i].list);
        }
        if (c.squares)
            empty_list(plane, c.squares);
        if (!c.cells || !lvl_get_cells(plane, c.cells)->ptr)
            continue;
        uint8_t *cells = lvl_cells_edit(doc, plane, c.cells);
        const lvl_cells *all = lvl_get_cells(plane, c.cells);
        if (!cells)
            return LVL_ERR_MEMORY;
        lvl_fill_cells(cells, all->size, lvl_map_empty(grid, plane, c.cells),
                       (size_t)all->width * all->height);
    }
    return layout->clear ? layout->clear(doc) : LVL_OK;
}

/* A copy of a level without its content. */
static lvl_status begin_like(lvl_doc **out, const lvl_ctx *ctx, const lvl_doc *like)
{
    lvl_status status = lvl_doc_copy(like, ctx, out);

    if (status != LVL_OK)
        return status;
    if ((*out)->format->calls->drop_spelling)
        (*out)->format->calls->drop_spelling(*out);
    status = clear(*out);
    return status == LVL_OK ? lvl_doc_recompute_derived(*out) : status;
}

static lvl_status begin(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format,
                        const lvl_new_options *options)
{
    const lvl_map_new what = {options->ending, options->width, options->height, options->base};
    lvl_status status = lvl_doc_new(out, ctx, format);

    if (status == LVL_OK)
        status = lvl_map_layout_of(format)->fresh(*out, &what);
    return status == LVL_OK ? lvl_doc_recompute_derived(*out) : status;
}

/* Adds the rows of a new map, without names of levels. */
static lvl_status make_rows(lvl_doc *doc, const lvl_field *rows, const lvl_new_options *o)
{
    const lvl_field *names = lvl_field_with_role(rows->table, LVL_ROLE_LEVELS, NULL);
    const uint64_t cells = o->width ? (uint64_t)o->width * o->height : 1,
                   most = lvl_limits_of(doc->ctx).items;

    if (cells > most)
        return lvl_refuse(doc->ctx, LVL_LIMIT_ITEMS, most, cells);
    lvl_status status = lvl_list_insert(doc, doc->root, rows, 0, o->width ? o->height : 1);
    for (uint32_t i = 0; status == LVL_OK && i < lvl_list_count(doc->root, rows); i++)
        status = lvl_list_insert(doc, lvl_item_at(doc->root, rows, i), names, 0, o->width ? o->width : 1);
    return status == LVL_OK ? lvl_doc_recompute_derived(doc) : status;
}

/* A document of a format without `fresh` has all defaults. */
static lvl_status begin_plain(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format,
                              const lvl_new_options *o, lvl_findings *findings)
{
    const lvl_field *world = lvl_map_world(format);

    if (!format->calls->write)
        return LVL_ERR_UNSUPPORTED;
    if (o->width && !world) {
        return lvl_fault_add(findings, LVL_FAULT_VALUE, "files of this format have no size");
    }
    const lvl_status status = lvl_doc_new(out, ctx, format);
    return status == LVL_OK && world ? make_rows(*out, world, o) : status;
}

/* Checks that its file would be recognized, and be sound. */
static lvl_status check_plain(const lvl_doc *doc, lvl_findings *findings)
{
    lvl_findings *found = lvl_findings_new(doc->ctx);
    lvl_check_result result = {0};
    lvl_buffer bytes = {0}, name = {0};

    lvl_buffer_printf(&name, "new.%.*s%c", (int)strcspn(doc->format->extensions, " "),
                      doc->format->extensions, 0);
    lvl_status status = found ? name.status : LVL_ERR_MEMORY;
    if (status == LVL_OK)
        status = lvl_doc_write(doc, &bytes);
    if (status == LVL_OK)
        status = lvl_check(doc->ctx, NULL, lvl_buffer_bytes(&bytes), (const char *)name.data, NULL, found,
                           &result, NULL);
    if (status == LVL_OK && (result.verdict != LVL_SOUND || result.format != doc->format)) {
        lvl_fault_add(
            findings, LVL_FAULT_VALUE,
            "an empty file of this form is not recognized as one; convert a file with content instead");
        status = LVL_ERR_UNSUPPORTED;
    }
    lvl_buffer_free(&name);
    lvl_buffer_free(&bytes);
    lvl_findings_free(found);
    return status;
}

/* The cells of the layer that gives a level its size; false: it has none. */
static bool main_size(lvl_doc *doc, uint32_t size[2])
{
    const lvl_map_grid *grid = lvl_map_grid_of(doc->format);
    const lvl_field *planes = lvl_map_layers(doc->format);
    const lvl_map_cells c = planes ? lvl_map_cells_of(planes->table) : (lvl_map_cells){0};
    const uint32_t at = grid && grid->main ? grid->main(doc->root) : 0;

    if (!c.cells || at >= lvl_list_count(doc->root, planes))
        return false;
    const lvl_cells *cells = lvl_get_cells(lvl_item_at(doc->root, planes, at), c.cells);
    size[0] = cells->width;
    size[1] = cells->height;
    return size[0] && size[1];
}

/* Gives the level that size. The start stays inside: where it was, in proportion. */
static lvl_status make_size(lvl_doc *doc, const lvl_resize_options *size, lvl_findings *findings)
{
    static const unsigned roles[2] = {LVL_ROLE_START_X, LVL_ROLE_START_Y};
    uint32_t was[2], now[2];

    const bool known = main_size(doc, was);
    const lvl_status status = lvl_resize(doc, size, NULL, findings);
    if (status != LVL_OK || !known || !main_size(doc, now))
        return status;
    for (unsigned i = 0; i < 2; i++) {
        const lvl_field *f = lvl_field_with_role(doc->format->table, roles[i], NULL);
        if (f && now[i] < was[i])
            lvl_put_int(doc->root, f, lvl_get_int(doc->root, f) * now[i] / was[i]);
    }
    return status;
}

lvl_status lvl_new(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format,
                   const lvl_new_options *options, lvl_findings *findings)
{
    const lvl_new_options none = {0}, *o = options ? options : &none;
    const lvl_map_layout *layout = lvl_map_layout_of(o->like ? o->like->format : format);
    const bool fixed = layout->grid && layout->grid->fixed_width;
    lvl_doc *doc = NULL, *made = NULL;

    *out = NULL;
    if (o->like && !layout->fresh)
        return LVL_ERR_UNSUPPORTED;
    if (o->width && fixed &&
        (o->width != layout->grid->fixed_width || o->height != layout->grid->fixed_height)) {
        return lvl_fault_add(findings, LVL_FAULT_VALUE, "every level of this format has %lu by %lu cells",
                             (unsigned long)layout->grid->fixed_width,
                             (unsigned long)layout->grid->fixed_height);
    }
    if (o->base && o->like)
        return lvl_fault_add(
            findings, LVL_FAULT_VALUE,
            "a level that is like another one already has its base level; give one of the two");
    if (o->base && !layout->bases)
        return lvl_fault_add(findings, LVL_FAULT_VALUE, "levels of this format have no base level");
    if (o->base && o->base > *layout->bases)
        return lvl_fault_add(findings, LVL_FAULT_VALUE, "expected a base level from 1 to %lu, not %lu",
                             (unsigned long)*layout->bases, (unsigned long)o->base);
    const bool plain = !o->like && !layout->fresh;
    lvl_status status = o->like         ? begin_like(&doc, ctx, o->like)
                        : layout->fresh ? begin(&doc, ctx, format, o)
                                        : begin_plain(&doc, ctx, format, o, findings);
    const lvl_resize_options size = {.width = o->width, .height = o->height, .anchor_x = -1, .anchor_y = -1};
    if (status == LVL_OK && o->like && o->width && !fixed)
        status = make_size(doc, &size, findings);
    if (status == LVL_OK && !doc)
        status = LVL_ERR_MEMORY;
    if (status == LVL_OK && (o->form || doc->format != format) && doc->format->calls->convert) {
        lvl_findings *own = findings ? NULL : lvl_findings_new(ctx), *losses = findings ? findings : own;
        status =
            losses ? lvl_convert(doc, o->form ? o->form : format->id, false, losses, &made) : LVL_ERR_MEMORY;
        lvl_findings_free(own);
        lvl_doc_free(doc);
        doc = made;
    } else if (status == LVL_OK && doc->format != format) {
        status = LVL_ERR_ARG;
    }
    if (status == LVL_OK && plain)
        status = check_plain(doc, findings);
    if (status != LVL_OK) {
        lvl_doc_free(doc);
        return status;
    }
    *out = doc;
    return LVL_OK;
}
