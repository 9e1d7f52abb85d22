/*
 * tools/edit/move.c: moves objects, or a region of tiles with what stands in it. The places of its list
 * (lvl_map_place) say what else of an object moves, and which numbers of other objects follow.
 */
#include "tools/edit/move.h"
#include "tools/paths/objects.h"
#include "tools/edit/region_write.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"
#include "base/work.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FARTHEST = 1 << 29 };

/* An object that moves, and how far, in px. */
typedef struct chosen {
    const void *item;
    int64_t dx, dy;
} chosen;

/* lvl_shift.names */
typedef struct names {
    lvl_shift_name *items;
    size_t count, cap;
} names;

typedef struct mover {
    lvl_editor e;
    const lvl_move_options *options;
    lvl_findings *findings;
    uint32_t plane; /* of a region */
    lvl_shift shift; /* its distance is that of the region, or of one of the objects */
    chosen *chosen; /* sorted */
    size_t chosen_count, chosen_cap;
    names names; /* of the shift */
} mover;

static bool is_ok(const mover *m)
{
    return m->e.load.status == LVL_OK;
}

/* ---- the objects that move ---------------------------------------------------------------------------- */

static int by_pointer(const void *a, const void *b)
{
    const uintptr_t x = (uintptr_t)((const chosen *)a)->item, y = (uintptr_t)((const chosen *)b)->item;

    return (x > y) - (x < y);
}

static int by_name(const void *a, const void *b)
{
    const int64_t x = ((const lvl_shift_name *)a)->name, y = ((const lvl_shift_name *)b)->name;

    return (x > y) - (x < y);
}

/* NULL: it does not move. */
static const chosen *find_chosen(const mover *m, const void *item)
{
    const chosen key = {.item = item};

    return m->chosen_count ? bsearch(&key, m->chosen, m->chosen_count, sizeof *m->chosen, by_pointer) : NULL;
}

static void choose(mover *m, const void *item, const lvl_shift *by)
{
    if (!lvl_grow(&m->chosen, &m->chosen_cap, m->chosen_count + 1, sizeof *m->chosen))
        m->e.load.status = LVL_ERR_MEMORY;
    else
        m->chosen[m->chosen_count++] = (chosen){item, by->dx, by->dy};
}

static void sort_chosen(mover *m)
{
    size_t kept = 0;

    if (m->chosen_count)
        qsort(m->chosen, m->chosen_count, sizeof *m->chosen, by_pointer);
    for (size_t i = 0; i < m->chosen_count && is_ok(m); i++) { /* several paths may find one */
        const chosen *one = &m->chosen[i], *last = kept ? &m->chosen[kept - 1] : NULL;
        if (!last || last->item != one->item)
            m->chosen[kept++] = *one;
        else if (last->dx != one->dx || last->dy != one->dy)
            m->e.load.status = lvl_fault_add(m->findings, LVL_FAULT_VALUE,
                                             "two paths find the same object, to move it differently");
    }
    m->chosen_count = kept;
}

/* ---- sizes --------------------------------------------------------------------------------------------- */

/* The px of a layer's tile; of a drawing, which has none, 1. */
static void tile_px(const lvl_doc *doc, const void *layer, int64_t px[2])
{
    const lvl_field *layers = lvl_map_layers(doc->format);

    px[0] = px[1] = 1;
    if (layer && lvl_map_cells_of(layers->table).cells)
        lvl_cell_px(lvl_map_grid_of(doc->format), layers->table, layer, px);
}

/* The size of the level at a layer, in px; HUGE_VAL: it has no edges. */
static void size_px(const lvl_doc *doc, void *layer, double size[2])
{
    const lvl_field *layers = lvl_map_layers(doc->format);
    const lvl_field *cells = layers ? lvl_map_cells_of(layers->table).cells : NULL;
    const lvl_table *root = doc->format->table;
    const lvl_field *width = lvl_field_with_role(root, LVL_ROLE_WIDTH, NULL),
                    *height = lvl_field_with_role(root, LVL_ROLE_HEIGHT, NULL),
                    *kind = lvl_field_with_role(root, LVL_ROLE_BOUNDS, NULL);
    int64_t px[2];

    size[0] = size[1] = HUGE_VAL;
    if (cells && layer) {
        const lvl_cells *c = lvl_get_cells(layer, cells);
        tile_px(doc, layer, px);
        size[0] = (double)c->width * (double)px[0];
        size[1] = (double)c->height * (double)px[1];
    } else if (width && height && kind && lvl_field_present(doc->root, width) &&
               lvl_get_int(doc->root, kind) >= lvl_map_layout_of(doc->format)->page_value) {
        size[0] = (double)lvl_get_int(doc->root, width);
        size[1] = (double)lvl_get_int(doc->root, height);
    }
}

static void place_px(const lvl_map_objects *objects, void *item, double at[2])
{
    at[0] = lvl_place_of(objects->list->table, LVL_ROLE_X, item) * objects->unit;
    at[1] = lvl_place_of(objects->list->table, LVL_ROLE_Y, item) * objects->unit;
}

static bool is_inside(const double at[2], const double size[2])
{
    return at[0] >= 0 && at[1] >= 0 && at[0] < size[0] && at[1] < size[1];
}

/* Parses one of "+64,-0.5", up to nine digits; *text is then after it. */
static bool read_number(const char **text, double *out)
{
    const char *p = *text + (**text == '+' || **text == '-');
    const bool negative = **text == '-';
    double place = 1;
    int digits = 0;

    *out = 0;
    for (; lvl_is_digit(*p) && digits < 9; p++, digits++)
        *out = *out * 10 + (*p - '0');
    for (p += *p == '.'; lvl_is_digit(*p) && digits < 9; p++, digits++)
        *out += (*p - '0') * (place /= 10);
    *out = negative ? -*out : *out;
    *text = p;
    return digits > 0;
}

bool lvl_move_read(const char *text, double *dx, double *dy)
{
    return read_number(&text, dx) && *text++ == ',' && read_number(&text, dy) && !*text;
}

lvl_status lvl_move_distance(const lvl_move_options *o, const int64_t unit[2], lvl_shift *shift,
                             lvl_findings *findings)
{
    const double x = o->dx * (double)unit[0], y = o->dy * (double)unit[1];

    if (!(fabs(x) <= FARTHEST) || !(fabs(y) <= FARTHEST))
        return lvl_fault_add(findings, LVL_FAULT_VALUE, "that is too far");
    if (x != floor(x) || y != floor(y))
        return lvl_fault_add(findings, LVL_FAULT_VALUE, "%g, %g is not a whole number of pixels", o->dx,
                             o->dy);
    shift->dx = (int64_t)x;
    shift->dy = (int64_t)y;
    return LVL_OK;
}

lvl_status lvl_move_distance_of(const lvl_doc *doc, const lvl_map_objects *objects, const void *layer,
                                const lvl_move_options *options, lvl_shift *shift, lvl_findings *findings)
{
    int64_t unit[2] = {1, 1};

    if (options->unit == LVL_MOVE_TILES)
        tile_px(doc, layer, unit);
    else if (options->unit == LVL_MOVE_OWN)
        unit[0] = unit[1] = objects->unit;
    return lvl_move_distance(options, unit, shift, findings);
}

/* ---- what names the objects that move ------------------------------------------------------------------ */

static void add_name(lvl_editor *e, names *n, int64_t name, const double at[2], const int64_t tile[2],
                     const lvl_shift *shift)
{
    if (e->load.status != LVL_OK)
        return;
    if (!lvl_grow(&n->items, &n->cap, n->count + 1, sizeof *n->items))
        e->load.status = LVL_ERR_MEMORY;
    else
        n->items[n->count++] = (lvl_shift_name){
            name, {lvl_shift_step(at[0], shift->dx, tile[0]), lvl_shift_step(at[1], shift->dy, tile[1])}};
}

/* Adds the addresses of an object, and the tile on which it stands. */
static void add_names(lvl_editor *e, names *n, const lvl_map_objects *objects, const void *layer, void *item,
                      const lvl_shift *shift)
{
    lvl_map_place places[LVL_MAP_PLACES];
    double at[2];
    int64_t px[2];

    const uint32_t count = lvl_map_places(objects, e->load.doc, item, places);
    place_px(objects, item, at);
    for (uint32_t i = 0; i < count; i++) {
        void *record = item;
        const lvl_field *f = places[i].axis == LVL_MAP_ADDRESS && places[i].follows == LVL_MAP_OF_THING
                                 ? lvl_member_at(objects->list->table, places[i].offset, &record)
                                 : NULL;
        if (f && f->kind == LVL_INT)
            add_name(e, n, lvl_get_int(record, f), at, (const int64_t[]){places[i].unit, places[i].unit},
                     shift);
    }
    tile_px(e->load.doc, layer, px);
    if (objects->how->places && fabs(at[0]) <= FARTHEST && fabs(at[1]) <= FARTHEST && px[0] > 0 && px[1] > 0)
        add_name(e, n,
                 lvl_shift_tile((int64_t)floor(at[0] / (double)px[0]), (int64_t)floor(at[1] / (double)px[1])),
                 at, px, shift);
}

static void use_names(names *n, lvl_shift *shift)
{
    if (n->count)
        qsort(n->items, n->count, sizeof *n->items, by_name);
    shift->names = n->items;
    shift->name_count = n->count;
}

/* Moves what of an object follows, and the object itself if it `moves`; it must not leave the level, unless
 * it `may_leave`. */
static void shift_one(lvl_editor *e, const lvl_map_objects *objects, void *layer, void *item,
                      const lvl_shift *shift, bool moves, bool may_leave)
{
    double was[2], now[2], size[2];

    place_px(objects, item, was);
    lvl_item_shift(e, objects, item, shift, moves);
    place_px(objects, item, now);
    size_px(e->load.doc, layer, size);
    if (moves && !may_leave && e->load.status == LVL_OK && is_inside(was, size) && !is_inside(now, size))
        lvl_load_fail(&e->load, LVL_FAULT_VALUE, "it would be outside of the level, at %g, %g of %g by %g px",
                      now[0], now[1], size[0], size[1]);
}

void lvl_move_items(lvl_editor *e, const lvl_map_objects *objects, void *layer, const lvl_match *first,
                    uint32_t n, lvl_shift *shift, bool outside)
{
    names known = {0};

    for (uint32_t i = 0; i < n && e->load.status == LVL_OK; i++)
        add_names(e, &known, objects, layer, lvl_item_at(first->record, first->field, first->index + i),
                  shift);
    use_names(&known, shift);
    for (uint32_t i = 0; i < n && e->load.status == LVL_OK; i++) {
        e->load.where = first->where;
        e->load.where.steps[first->where.depth - 1].index = first->index + i;
        shift_one(e, objects, layer, lvl_item_at(first->record, first->field, first->index + i), shift, true,
                  outside);
    }
    shift->names = NULL;
    shift->name_count = 0;
    free(known.items);
}

/* How far an object moves; NULL: one that does not, and may have numbers that do. */
static lvl_shift shift_of(const mover *m, const chosen *one)
{
    lvl_shift shift = m->shift;

    if (one) {
        shift.dx = one->dx;
        shift.dy = one->dy;
    }
    return shift;
}

static lvl_status name_chosen(void *user, const lvl_map_objects *objects, void *layer, const lvl_where *where,
                              void *item)
{
    mover *m = user;

    (void)where;
    const lvl_shift by = shift_of(m, find_chosen(m, item));
    if (find_chosen(m, item))
        add_names(&m->e, &m->names, objects, layer, item, &by);
    return m->e.load.status;
}

static lvl_status shift_object(void *user, const lvl_map_objects *objects, void *layer,
                               const lvl_where *where, void *item)
{
    mover *m = user;
    const chosen *one = find_chosen(m, item);
    const lvl_shift by = shift_of(m, one);

    m->e.load.where = *where;
    shift_one(&m->e, objects, layer, item, &by, one != NULL, m->options->outside);
    m->e.changed += one && (one->dx || one->dy);
    return m->e.load.status;
}

static void shift_objects(mover *m)
{
    sort_chosen(m);
    if (is_ok(m))
        m->e.load.status = lvl_objects_visit(m->e.load.doc, name_chosen, m);
    use_names(&m->names, &m->shift);
    if (is_ok(m))
        m->e.load.status = lvl_objects_visit(m->e.load.doc, shift_object, m);
}

/* ---- objects by a path --------------------------------------------------------------------------------- */

static void choose_things(mover *m, const char *path, const double *by)
{
    lvl_move_options o = *m->options;
    lvl_doc *doc = m->e.load.doc;
    const lvl_field *layers = lvl_map_layers(doc->format);
    lvl_match *found = NULL;
    size_t n = 0;

    o.dx = by[0];
    o.dy = by[1];
    lvl_status status = lvl_path_matches(doc, lvl_text_of(path), &found, &n, m->findings);
    for (size_t i = 0; i < n && status == LVL_OK; i++) {
        lvl_map_objects objects;
        const bool item = found[i].index != LVL_NO_INDEX && !found[i].append && !found[i].has_region;
        if (!item || !lvl_map_objects_at(doc, &found[i].where, &objects)) {
            status =
                lvl_fault_add(m->findings, LVL_FAULT_PATH, "expected objects of a level, as `%s', got `%s'",
                              layers ? "planes[1].objects[3], npcs[0] or actors[*]" : "npcs[0]", path);
            break;
        }
        void *layer = objects.in_layer ? found[i].record : NULL;
        if (!layer && layers && lvl_list_count(doc->root, layers) > lvl_main_layer(doc))
            layer = lvl_item_at(doc->root, layers, lvl_main_layer(doc));
        lvl_shift one = {0};
        status = lvl_move_distance_of(doc, &objects, layer, &o, &one, m->findings);
        if (one.dx || one.dy) {
            m->shift.dx = one.dx;
            m->shift.dy = one.dy;
        }
        if (status == LVL_OK)
            choose(m, lvl_item_at(found[i].record, found[i].field, found[i].index), &one);
        if (status == LVL_OK)
            status = m->e.load.status;
    }
    free(found);
    m->e.load.status = status;
}

static void move_things(mover *m)
{
    const lvl_move_options *o = m->options;
    const double all[2] = {o->dx, o->dy};

    if (o->path)
        choose_things(m, o->path, all);
    for (size_t i = 0; i < o->path_count && is_ok(m); i++)
        choose_things(m, o->paths[i], o->each ? &o->each[2 * i] : all);
    if (is_ok(m) && (m->shift.dx || m->shift.dy))
        shift_objects(m);
}

#ifndef LVL_WITHOUT_REGIONS
/* ---- regions ------------------------------------------------------------------------------------------- */

lvl_status lvl_move_region_ok(const int32_t r[4], lvl_findings *findings)
{
    if (r[2] > 0 && r[3] > 0 && abs(r[0]) <= FARTHEST / 2 && abs(r[1]) <= FARTHEST / 2 &&
        r[2] <= FARTHEST / 2 && r[3] <= FARTHEST / 2)
        return LVL_OK;
    return lvl_fault_add(findings, LVL_FAULT_VALUE,
                         "a region is its column, row, width and height in tiles, as 10,4,20,12");
}

lvl_status lvl_move_plane(const lvl_doc *doc, const char *plane, uint32_t *out, lvl_findings *findings)
{
    const lvl_field *layers = lvl_map_layers(doc->format);
    lvl_buffer path = {0};
    lvl_match *found = NULL;
    size_t n = 0;

    *out = lvl_main_layer(doc);
    if (!layers)
        return lvl_fault_add(findings, LVL_FAULT_VALUE, "files of this format have no tiles or pixels"),
               LVL_ERR_UNSUPPORTED;
    if (!plane && *out < lvl_list_count(doc->root, layers))
        return LVL_OK;
    lvl_buffer_printf(&path, "%s[%s]", layers->name, plane ? plane : "0");
    lvl_status status = path.status == LVL_OK
                            ? lvl_path_matches(doc, lvl_buffer_text(&path), &found, &n, findings)
                            : path.status;
    /* the selector is a text from the user, which may continue to a list of a plane */
    if (status == LVL_OK && (n != 1 || found->index == LVL_NO_INDEX || found->append ||
                             found->where.depth != 1 || found->field != layers))
        status = lvl_fault_add(findings, LVL_FAULT_PATH, "expected the number or name of one plane");
    if (status == LVL_OK)
        *out = found->index;
    free(found);
    lvl_buffer_free(&path);
    return status;
}

bool lvl_move_takes(const lvl_doc *doc, uint32_t plane, uint32_t layer)
{
    const lvl_field *layers = lvl_map_layers(doc->format);

    return layer == plane || !lvl_field_with_role(layers->table, LVL_ROLE_PARALLAX_X, NULL);
}

lvl_match lvl_move_cells(lvl_doc *doc, uint32_t layer, const int32_t region[4])
{
    const lvl_field *layers = lvl_map_layers(doc->format);
    const lvl_map_cells c = lvl_map_cells_of(layers->table);
    const lvl_field *f = c.cells ? c.cells : c.squares;
    const lvl_where where = lvl_where_to(lvl_where_root(), layers, layer);
    const int64_t right = (int64_t)region[0] + region[2] - 1, lower = (int64_t)region[1] + region[3] - 1;

    return (lvl_match){.where = lvl_where_to(where, f, LVL_NO_INDEX),
                       .record = lvl_item_at(doc->root, layers, layer),
                       .field = f,
                       .index = LVL_NO_INDEX,
                       .has_region = true,
                       .region = {region[0], region[1], right, lower}};
}

lvl_status lvl_move_fits(const lvl_match *cells, const char *what, lvl_findings *findings)
{
    const int64_t *r = cells->region;
    const bool ordered = r[2] >= r[0] && r[3] >= r[1];

    if (ordered && cells->field->kind == LVL_LIST)
        return LVL_OK;
    const lvl_cells *c = cells->field->kind == LVL_CELLS ? lvl_get_cells(cells->record, cells->field) : NULL;
    if (ordered && c && r[0] >= 0 && r[1] >= 0 && r[2] < c->width && r[3] < c->height)
        return LVL_OK;
    return lvl_fault_add(findings, LVL_FAULT_VALUE,
                         "%s, columns %lld to %lld and rows %lld to %lld, is not inside the plane, which has "
                         "%lu by %lu tiles",
                         what, (long long)r[0], (long long)r[2], (long long)r[1], (long long)r[3],
                         c ? (unsigned long)c->width : 0, c ? (unsigned long)c->height : 0);
}

void lvl_move_report(lvl_editor *e, const lvl_map_grid *grid, const lvl_match *to, const lvl_cells *now,
                     const int64_t *left)
{
    const lvl_field *f = lvl_region_field(e->load.doc, to);
    lvl_buffer storage = {0};
    uint64_t lost = 0;
    lvl_cells was;

    if (e->load.status != LVL_OK)
        return;
    e->load.where = to->where;
    e->load.status = lvl_region_read(e->load.doc, to, &storage, &was);
    if (e->load.status == LVL_OK)
        e->load.status = lvl_charge(e->load.doc->ctx, (uint64_t)now->width * now->height);
    const bool squares = to->field->kind == LVL_LIST;
    const uint32_t empty = squares ? lvl_empty_cell(f) : lvl_map_empty(grid, to->record, f),
                   cleared = squares ? empty : lvl_map_cleared(grid, to->record, f);
    for (uint32_t y = 0; y < now->height && e->load.status == LVL_OK; y++) {
        for (uint32_t x = 0; x < now->width; x++) {
            const int64_t at_x = to->region[0] + x, at_y = to->region[1] + y;
            const uint32_t v = lvl_cell(&was, x, y);
            const bool moved_away =
                left && at_x >= left[0] && at_y >= left[1] && at_x <= left[2] && at_y <= left[3];
            lost += !moved_away && v != empty && v != cleared && v != lvl_cell(now, x, y);
        }
    }
    lvl_buffer_free(&storage);
    if (lost)
        lvl_findings_add(e->load.findings, &lvl_faults[LVL_FAULT_MOVE_OVER], &to->where, NULL,
                         "%llu cell%s that %s not empty overwritten", (unsigned long long)lost,
                         lost == 1 ? "" : "s", lost == 1 ? "was" : "were");
}

/* Moves the cells of a region of one layer. */
static void move_cells(mover *m, const lvl_match *from, const lvl_match *to)
{
    lvl_doc *doc = m->e.load.doc;
    const lvl_map_grid *grid = lvl_map_grid_of(doc->format);
    const lvl_field *f = lvl_region_field(doc, from);
    lvl_buffer storage = {0};
    lvl_cells cells;

    m->e.load.where = from->where;
    m->e.load.status = lvl_region_read(doc, from, &storage, &cells);
    if (is_ok(m))
        lvl_move_report(&m->e, grid, to, &cells, from->region);
    if (is_ok(m)) {
        const bool squares = from->field->kind == LVL_LIST;
        const lvl_patch nothing = {.value =
                                       squares ? lvl_empty_cell(f) : lvl_map_cleared(grid, from->record, f)};
        lvl_region_write(&m->e, from, &nothing);
    }
    const lvl_patch patch = {.grid = &cells};
    if (is_ok(m))
        lvl_region_write(&m->e, to, &patch);
    lvl_buffer_free(&storage);
}

void lvl_move_area(const lvl_doc *doc, uint32_t plane, const int32_t region[4], lvl_shift *shift,
                   int64_t px[2])
{
    tile_px(doc, lvl_item_at(doc->root, lvl_map_layers(doc->format), plane), px);
    shift->has_area = true;
    for (int i = 0; i < 2; i++) {
        shift->area[i] = (double)region[i] * (double)px[i];
        shift->area[2 + i] = ((double)region[i] + region[2 + i]) * (double)px[i];
    }
}

/* Chooses the objects that stand in the region, in the layers that move. */
static lvl_status choose_inside(void *user, const lvl_map_objects *objects, void *layer,
                                const lvl_where *where, void *item)
{
    mover *m = user;
    const uint32_t index = objects->in_layer ? where->steps[0].index : lvl_main_layer(m->e.load.doc);
    double at[2];

    (void)layer;
    place_px(objects, item, at);
    if (lvl_move_takes(m->e.load.doc, m->plane, index) && lvl_shift_has(&m->shift, at[0], at[1]))
        choose(m, item, &m->shift);
    return m->e.load.status;
}

static void move_start(mover *m)
{
    lvl_doc *doc = m->e.load.doc;
    const lvl_table *root = doc->format->table;

    if (!lvl_field_with_role(root, LVL_ROLE_START_X, NULL) ||
        !lvl_shift_has(&m->shift, lvl_place_of(root, LVL_ROLE_START_X, doc->root),
                       lvl_place_of(root, LVL_ROLE_START_Y, doc->root)))
        return;
    lvl_place_move(&m->e, root, LVL_ROLE_START_X, doc->root, m->shift.dx, 1);
    lvl_place_move(&m->e, root, LVL_ROLE_START_Y, doc->root, m->shift.dy, 1);
}

static void move_region(mover *m)
{
    lvl_doc *doc = m->e.load.doc;
    const int32_t *from = m->options->region;
    const lvl_field *layers = lvl_map_layers(doc->format);
    uint32_t plane = 0;
    int64_t px[2];

    lvl_status status = lvl_move_region_ok(from, m->findings);
    if (status == LVL_OK)
        status = lvl_move_plane(doc, m->options->plane, &plane, m->findings);
    const uint32_t count = status == LVL_OK ? lvl_list_count(doc->root, layers) : 0;
    if (status == LVL_OK) {
        lvl_move_area(doc, plane, from, &m->shift, px);
        status = lvl_move_distance(m->options, px, &m->shift, m->findings);
    }
    if (status == LVL_OK && (m->shift.dx % px[0] || m->shift.dy % px[1]))
        status = lvl_fault_add(m->findings, LVL_FAULT_VALUE, "a region moves by whole tiles");
    m->e.load.status = status;
    m->plane = plane;
    if (status == LVL_OK && (m->shift.dx || m->shift.dy))
        m->e.load.status = lvl_objects_visit(doc, choose_inside, m);
    if (!is_ok(m) || (!m->shift.dx && !m->shift.dy))
        return;
    const int32_t to[4] = {(int32_t)(from[0] + m->shift.dx / px[0]), (int32_t)(from[1] + m->shift.dy / px[1]),
                           from[2], from[3]};
    for (uint32_t i = 0; i < count && is_ok(m); i++) {
        const lvl_match was = lvl_move_cells(doc, i, from), now = lvl_move_cells(doc, i, to);
        if (!lvl_move_takes(doc, plane, i))
            continue;
        m->e.load.status = lvl_move_fits(&was, "the region", m->findings);
        if (is_ok(m))
            m->e.load.status = lvl_move_fits(&now, "where it would be", m->findings);
        if (is_ok(m))
            move_cells(m, &was, &now);
    }
    if (is_ok(m))
        shift_objects(m);
    if (is_ok(m) && lvl_move_takes(doc, plane, lvl_main_layer(doc)))
        move_start(m);
    m->e.changed++;
}

#else
static void move_region(mover *m) /* the page moves things only */
{
    m->e.load.status = LVL_ERR_UNSUPPORTED;
}
#endif

/* ---- the whole ----------------------------------------------------------------------------------------- */

lvl_status lvl_move(lvl_doc *doc, const lvl_move_options *options, size_t *changed, lvl_findings *findings)
{
    mover m = {.options = options, .findings = findings};

    if (changed)
        *changed = 0;
    const lvl_status begun = lvl_editor_begin(&m.e, doc, findings);
    const bool by_path = options->path || options->path_count;
    if (begun == LVL_OK && by_path)
        move_things(&m);
    else if (begun == LVL_OK)
        move_region(&m);
    const lvl_status status = lvl_editor_finish(&m.e, begun == LVL_OK ? m.e.load.status : begun, changed);
    if (status == LVL_OK && !by_path && doc->format->calls->settle)
        doc->format->calls->settle(doc);
    free(m.chosen);
    free(m.names.items);
    return status;
}
