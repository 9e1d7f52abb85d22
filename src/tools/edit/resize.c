/*
 * tools/edit/resize.c: changes the size of a plane's grid. The anchor determines where the content stays; the
 * objects move with it.
 */
#include "base/buffer.h"
#include "base/arena.h"
#include "base/text.h"
#include "base/work.h"
#include "tools/edit/list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct resizer {
    lvl_editor e;
    const lvl_map_grid *grid;
    lvl_map_objects objects[LVL_MAP_LISTS];
    uint32_t object_lists;
    const lvl_resize_options *options;
    lvl_findings *findings;
    int64_t dx, dy; /* px by which objects move */
    bool was_open; /* the page had no edges: everything was inside */
} resizer;

static bool is_ok(const resizer *r)
{
    return r->e.load.status == LVL_OK;
}

/* ---- objects ----------------------------------------------------------------------------------------- */

/* Moves all objects. Their ranges and destinations move, too: which of their numbers are places is said by
 * the table of the format (lvl_map_objects) and the game book. */
static void move_items(resizer *r, void *owner, const lvl_map_objects *objects)
{
    const lvl_field *list = objects->list;

    if (!lvl_field_present(owner, list))
        return;
    for (uint32_t i = 0; i < lvl_list_count(owner, list) && is_ok(r); i++)
        lvl_item_move(&r->e, objects, lvl_item_at(owner, list, i), r->dx, r->dy);
}

static bool is_inside(double x, double y, const double size[2])
{
    return x >= 0 && y >= 0 && x < size[0] && y < size[1];
}

/* Reports the objects that are outside of the new size and were inside of the old one. */
static void report_outside(const resizer *r, void *owner, const lvl_where *plane,
                           const lvl_map_objects *objects, const double was[2], const double now[2])
{
    const lvl_field *list = objects->list;
    const double unit = objects->unit;
    uint32_t outside = 0, first = 0;

    if (!lvl_field_present(owner, list))
        return;
    for (uint32_t i = 0; i < lvl_list_count(owner, list); i++) {
        void *item = lvl_item_at(owner, list, i);
        const double x = lvl_place_of(list->table, LVL_ROLE_X, item) * unit,
                     y = lvl_place_of(list->table, LVL_ROLE_Y, item) * unit;
        if (is_inside(x, y, now) || !(r->was_open || is_inside(x - (double)r->dx, y - (double)r->dy, was)))
            continue;
        first = outside++ ? first : i;
    }
    const lvl_where where = lvl_where_to(*plane, list, first);
    if (outside)
        lvl_findings_add(r->findings, &lvl_faults[LVL_FAULT_CUT], &where, NULL,
                         "%lu of the %s %s outside of the plane now; this is the first",
                         (unsigned long)outside, list->name, outside == 1 ? "lies" : "lie");
}

/* Moves the objects of a plane; for the main plane also those of the root, and the start. */
static void move_things(resizer *r, void *plane, const lvl_where *where, bool is_main, const double was[2],
                        const double now[2])
{
    lvl_doc *doc = r->e.load.doc;
    const lvl_where root = lvl_where_root();

    for (uint32_t i = 0; i < r->object_lists; i++) {
        const lvl_map_objects *objects = &r->objects[i];
        void *owner = objects->in_layer ? plane : doc->root;
        if (!objects->in_layer && !is_main)
            continue;
        move_items(r, owner, objects);
        if (is_ok(r))
            report_outside(r, owner, objects->in_layer ? where : &root, objects, was, now);
    }
    if (is_main) {
        lvl_place_move(&r->e, doc->format->table, LVL_ROLE_START_X, doc->root, r->dx, 1);
        lvl_place_move(&r->e, doc->format->table, LVL_ROLE_START_Y, doc->root, r->dy, 1);
    }
}

/* ---- cells ------------------------------------------------------------------------------------------- */

static int64_t shift_of(int anchor, int64_t was, int64_t now)
{
    return anchor < 0 ? 0 : anchor > 0 ? now - was : (now - was) / 2;
}

static uint8_t *new_grid(resizer *r, const lvl_cells *was, uint32_t empty, int64_t dx, int64_t dy,
                         uint64_t *cut)
{
    const uint32_t width = r->options->width, height = r->options->height, size = was->size;
    const size_t count = (size_t)width * height;
    uint8_t *grid = lvl_arena_raw(&r->e.load.doc->arena, count * size + 1);

    if (!grid)
        return NULL;
    lvl_fill_cells(grid, size, empty, count);
    for (uint32_t y = 0; y < was->height; y++) {
        for (uint32_t x = 0; x < was->width; x++) {
            const int64_t to_x = x + dx, to_y = y + dy;
            const uint32_t v = lvl_cell(was, x, y);
            if (to_x >= 0 && to_y >= 0 && to_x < width && to_y < height)
                lvl_put_cell(grid + ((size_t)to_y * width + (size_t)to_x) * size, size, v);
            else
                *cut += v != empty;
        }
    }
    return grid;
}

static void resize_plane(resizer *r, const lvl_match *m, bool is_main)
{
    const lvl_table *table = m->field->table;
    const uint32_t width = r->options->width, height = r->options->height;
    const uint64_t most = lvl_limits_of(r->e.load.doc->ctx).cells;
    void *plane = lvl_item_at(m->record, m->field, m->index);
    const lvl_field *f = lvl_map_cells_of(table).cells;
    const lvl_cells was = *lvl_get_cells(plane, f);
    int64_t px[2];
    uint64_t cut = 0;

    r->e.load.where = m->where;
    if (was.width == width && was.height == height)
        return;
    if (!was.ptr && (was.width || was.height)) {
        lvl_load_fail(&r->e.load, LVL_FAULT_VALUE, "the plane's cells are missing in the file");
        return;
    }
    r->e.load.status =
        (uint64_t)width * height > most
            ? lvl_refuse(r->e.load.doc->ctx, LVL_LIMIT_CELLS, most, (uint64_t)width * height)
            : lvl_charge(r->e.load.doc->ctx, (uint64_t)width * height + (uint64_t)was.width * was.height);
    if (!is_ok(r) || !lvl_editor_note_member(&r->e, plane, f))
        return;
    const int64_t dx = shift_of(r->options->anchor_x, was.width, width),
                  dy = shift_of(r->options->anchor_y, was.height, height);
    const lvl_cells now = {new_grid(r, &was, lvl_map_empty(r->grid, plane, f), dx, dy, &cut), width, height,
                           was.size};
    if (!now.ptr) {
        r->e.load.status = LVL_ERR_MEMORY;
        return;
    }
    memcpy((uint8_t *)plane + f->offset, &now, sizeof now);
    if (cut)
        lvl_findings_add(r->findings, &lvl_faults[LVL_FAULT_CUT], &m->where, NULL,
                         "%llu cell%s that %s not empty cut off", (unsigned long long)cut,
                         cut == 1 ? "" : "s", cut == 1 ? "was" : "were");
    lvl_cell_px(r->grid, table, plane, px);
    r->dx = dx * px[0];
    r->dy = dy * px[1];
    const double old_size[2] = {(double)was.width * (double)px[0], (double)was.height * (double)px[1]},
                 new_size[2] = {(double)width * (double)px[0], (double)height * (double)px[1]};
    move_things(r, plane, &m->where, is_main, old_size, new_size);
    r->e.changed++;
}

/* ---- pages ------------------------------------------------------------------------------------------- */

static void put_member(resizer *r, const lvl_field *f, int64_t value)
{
    void *root = r->e.load.doc->root;

    if (!is_ok(r) || lvl_get_int(root, f) == value || !lvl_editor_note_member(&r->e, root, f))
        return;
    lvl_put_int(root, f, value);
    r->e.changed = 1;
}

/* Reports the squares that are outside of the new page and were inside of the old one. */
static void report_squares(const resizer *r, const double was[2], const double now[2])
{
    const lvl_doc *doc = r->e.load.doc;
    const lvl_field *layers = lvl_map_layers(doc->format);
    const lvl_map_cells c = lvl_map_cells_of(layers->table);
    uint32_t outside = 0;

    for (uint32_t i = 0; i < lvl_list_count(doc->root, layers); i++) {
        void *layer = lvl_item_at(doc->root, layers, i);
        int64_t cells[2];
        lvl_cell_px(r->grid, layers->table, layer, cells);
        for (uint32_t k = 0; k < lvl_list_count(layer, c.squares); k++) {
            const void *square = lvl_list_item(layer, c.squares, k);
            const double x = (double)lvl_get_int(square, c.x) * (double)cells[0];
            const double y = (double)lvl_get_int(square, c.y) * (double)cells[1];
            outside += !is_inside(x, y, now) && (r->was_open || is_inside(x, y, was));
        }
    }
    if (outside)
        lvl_fault_add(r->findings, LVL_FAULT_CUT,
                      "%lu of the %s %s outside of the page now; the pixels stay in the file",
                      (unsigned long)outside, c.squares->name, outside == 1 ? "lies" : "lie");
}

/* Sets the page of a level whose pixels are in squares. */
static void resize_page(resizer *r)
{
    lvl_doc *doc = r->e.load.doc;
    const lvl_table *table = doc->format->table;
    const lvl_field *width = lvl_field_with_role(table, LVL_ROLE_WIDTH, NULL);
    const lvl_field *height = lvl_field_with_role(table, LVL_ROLE_HEIGHT, NULL);
    const lvl_field *kind = lvl_field_with_role(table, LVL_ROLE_BOUNDS, NULL);
    const int64_t least = lvl_map_layout_of(doc->format)->page_value;

    if (!lvl_field_present(doc->root, width)) {
        r->e.load.status = LVL_ERR_UNSUPPORTED;
        lvl_load_fail(&r->e.load, LVL_FAULT_VALUE, "only levels have a page; this document is not a level");
        return;
    }
    if (r->options->plane || r->options->anchor_x >= 0 || r->options->anchor_y >= 0) {
        lvl_load_fail(&r->e.load, LVL_FAULT_VALUE,
                      "a page grows and shrinks at its right and lower side, whatever is on it");
        return;
    }
    const bool bounded = lvl_get_int(doc->root, kind) >= least;
    const double was[2] = {bounded ? (double)lvl_get_int(doc->root, width) : HUGE_VAL,
                           bounded ? (double)lvl_get_int(doc->root, height) : HUGE_VAL};
    const double now[2] = {r->options->width, r->options->height};
    r->was_open =
        lvl_get_int(doc->root, kind) == 0; /* otherwise the page had at least a left and an upper edge */
    if (!bounded)
        put_member(r, kind, least);
    put_member(r, width, r->options->width);
    put_member(r, height, r->options->height);
    for (uint32_t i = 0; i < r->object_lists && is_ok(r); i++) {
        const lvl_where root = lvl_where_root();
        if (!r->objects[i].in_layer)
            report_outside(r, doc->root, &root, &r->objects[i], was, now);
    }
    if (is_ok(r) && r->e.changed)
        report_squares(r, was, now);
}

/* ---- the whole --------------------------------------------------------------------------------------- */

/* Whether the root has the size of a level of squares. */
static bool has_page_size(const lvl_table *root)
{
    return lvl_field_with_role(root, LVL_ROLE_WIDTH, NULL) &&
           lvl_field_with_role(root, LVL_ROLE_HEIGHT, NULL) &&
           lvl_field_with_role(root, LVL_ROLE_BOUNDS, NULL);
}

/* The planes to resize: by a selector as in a path, or the main one. */
static lvl_status find_planes(const resizer *r, const lvl_doc *doc, uint32_t first, lvl_match **out,
                              size_t *n)
{
    lvl_buffer path = {0};

    *out = NULL;
    *n = 0;
    if (r->options->plane)
        lvl_buffer_printf(&path, "%s[%s]", lvl_map_layers(doc->format)->name, r->options->plane);
    else
        lvl_buffer_printf(&path, "%s[%lu]", lvl_map_layers(doc->format)->name, (unsigned long)first);
    const lvl_status status = path.status == LVL_OK
                                  ? lvl_path_matches(doc, lvl_buffer_text(&path), out, n, r->findings)
                                  : path.status;
    lvl_buffer_free(&path);
    return status;
}

lvl_status lvl_resize(lvl_doc *doc, const lvl_resize_options *options, size_t *changed,
                      lvl_findings *findings)
{
    const lvl_map_grid *grid = lvl_map_grid_of(doc->format);
    const lvl_field *layers = lvl_map_layers(doc->format);
    const bool has_cells = layers && lvl_map_cells_of(layers->table).cells;
    const bool has_page = layers && has_page_size(doc->format->table);
    resizer r = {.grid = grid, .options = options, .findings = findings};
    lvl_match *planes = NULL;
    size_t n = 0;

    if (changed)
        *changed = 0;
    if (grid && grid->fixed_width)
        lvl_fault_add(findings, LVL_FAULT_VALUE, "every level of this format has %lu by %lu cells",
                      (unsigned long)grid->fixed_width, (unsigned long)grid->fixed_height);
    else if (!has_cells && !has_page)
        lvl_fault_add(findings, LVL_FAULT_VALUE, "files of this format have no planes with a size");
    if (!grid || (!has_cells && !has_page) || grid->fixed_width)
        return LVL_ERR_UNSUPPORTED;
    r.object_lists = lvl_map_objects_of(doc->format, r.objects);
    lvl_status status = lvl_editor_begin(&r.e, doc, findings);
    if (!has_cells) {
        if (status == LVL_OK)
            resize_page(&r);
        return lvl_editor_finish(&r.e, status == LVL_OK ? r.e.load.status : status, changed);
    }
    const uint32_t first = grid->main ? grid->main(doc->root) : 0;
    if (status == LVL_OK)
        status = find_planes(&r, doc, first, &planes, &n);
    for (size_t i = 0; i < n && is_ok(&r); i++) {
        /* the selector is a text from the user, which may continue to a list of a plane */
        if (planes[i].index == LVL_NO_INDEX || planes[i].append || planes[i].where.depth != 1 ||
            planes[i].field != layers)
            lvl_load_fail(&r.e.load, LVL_FAULT_PATH, "expected the number or name of a plane");
        else
            resize_plane(&r, &planes[i], planes[i].index == first);
    }
    free(planes);
    return lvl_editor_finish(&r.e, status == LVL_OK ? r.e.load.status : status, changed);
}
