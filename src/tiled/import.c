/*
 * tiled/import.c: a map as a document: the level that the map was made of, with what the map shows otherwise.
 *
 * Layers and objects are those of the plan by their ids, never by a property, since copies copy properties. A
 * value counts as changed if it isn't the text that the export would write; so what Tiled cannot keep (digits
 * of a place, say) is never lost by a save.
 */
#include "base/buffer.h"
#include "base/text.h"
#include "base/work.h"
#include "codec/inflate.h"
#include "codec/json.h"
#include "tiled/plan.h"
#include "tools/edit_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LINK "link."

/* What a tileset is to us. */
typedef enum set_kind { SET_FOREIGN, SET_TILES, SET_SPECIAL, SET_SPRITES, SET_LIST } set_kind;

typedef struct set_info {
    set_kind kind;
    uint32_t grid; /* SET_TILES: of which layer */
} set_info;

/* An item of a list as the map has it. */
typedef struct entry {
    uint32_t old; /* index in the origin; LVL_NO_INDEX: a new one */
    const tiled_object *object;
} entry;

typedef struct entries {
    entry *items;
    uint32_t count, cap;
} entries;

typedef struct importer {
    lvl_doc *doc;
    tiled_map *map;
    tiled_plan plan;
    lvl_editor edit;
    lvl_findings *findings;
    const lvl_tiled_read_options *options;
    bool fresh; /* the map has no origin */
    lvl_status status;
    bool changed;
    set_info *sets;
    entries *lists; /* as many as the plan's */
    char what[256]; /* the layer or object at work, for messages: see what() */
    const tiled_object *object;
    const tiled_layer *layer;
    uint32_t made; /* names made for new items */
    char sha[65];
} importer;

/* ---- messages ---------------------------------------------------------------------------------------- */

static void stop(importer *im, lvl_status status)
{
    if (im->status == LVL_OK)
        im->status = status;
}

static void fail(importer *im, lvl_fault fault, const char *fmt, ...) LVL_PRINTF(3, 4);
static void fail(importer *im, lvl_fault fault, const char *fmt, ...)
{
    va_list args;

    stop(im, LVL_ERR_FORMAT);
    va_start(args, fmt);
    lvl_findings_addv(im->findings, &lvl_faults[fault], NULL, NULL, fmt, args);
    va_end(args);
}

static void warn(importer *im, const char *fmt, ...) LVL_PRINTF(2, 3);
static void warn(importer *im, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    lvl_findings_addv(im->findings, &lvl_faults[LVL_FAULT_MAP_IGNORED], NULL, NULL, fmt, args);
    va_end(args);
}

static void name_layer(importer *im, const tiled_layer *layer)
{
    char buf[80];

    im->object = NULL;
    snprintf(im->what, sizeof im->what, "layer \"%s\"", lvl_show(buf, layer->name));
}

/* Most objects need no message: their names are written when one does. */
static void name_object(importer *im, const tiled_layer *layer, const tiled_object *o)
{
    im->object = o;
    im->layer = layer;
}

static const char *what(importer *im)
{
    const tiled_object *o = im->object;
    char a[80], b[80];

    if (o)
        snprintf(im->what, sizeof im->what, "object %lu \"%s\" in layer \"%s\"", (unsigned long)o->id,
                 lvl_show(a, o->name.len ? o->name : o->type),
                 lvl_show(b, im->layer ? im->layer->name : (lvl_text){"", 0}));
    return im->what;
}

/* ---- one value --------------------------------------------------------------------------------------- */

/* The text of a property without the pictures of controls; to be cleared. */
static lvl_text plain_text(importer *im, lvl_text shown, lvl_buffer *storage)
{
    if (!tiled_unshow_text(storage, shown))
        stop(im, storage->status);
    return (lvl_text){(const char *)storage->data, storage->len};
}

static uint32_t index_of_id(const plan_list *list, uint32_t id)
{
    if (!list->ids)
        return id >= list->first && id - list->first < list->count ? id - list->first : LVL_NO_INDEX;
    for (uint32_t i = 0; i < list->id_count; i++) {
        if (list->ids[i] == id)
            return i;
    }
    return LVL_NO_INDEX;
}

static void put_reference(importer *im, void *holder, const plan_field *f, lvl_text text)
{
    const plan_list *list = plan_reference(&im->plan, f->field);
    double id = 0;
    char buf[80];

    if (!lvl_real_parse(text, &id) || id < 0 || id > UINT32_MAX || floor(id) != id) {
        fail(im, LVL_FAULT_MAP_OBJECT, "%s: %.*s: expected an object, found \"%s\"", what(im),
             (int)f->name.len, f->name.ptr, lvl_show(buf, text));
        return;
    }
    const uint32_t index = list ? index_of_id(list, (uint32_t)id) : LVL_NO_INDEX;
    if (id != 0 && index == LVL_NO_INDEX)
        warn(im, "%s: %.*s: there is no object %lu that it could mean; it now means none", what(im),
             (int)f->name.len, f->name.ptr, (unsigned long)id);
    lvl_put_int(holder, f->field, index == LVL_NO_INDEX ? f->field->def : index);
}

static bool parse_int(const plan_field *f, lvl_text text, int64_t *out)
{
    double v;

    if (lvl_int_parse(f->field, text, out))
        return true;
    /* Tiled turns a number beyond 32 bits into a float */
    if (!lvl_real_parse(text, &v) || floor(v) != v || v < -9e15 || v > 9e15 ||
        !lvl_int_fits(f->field, (int64_t)v))
        return false;
    *out = (int64_t)v;
    return true;
}

static void load_json(importer *im, lvl_loader *l, void *holder, const plan_field *f, lvl_text text)
{
    lvl_json_error error;
    yyjson_doc *tree = lvl_json_read(text, &error);

    if (tree)
        lvl_load_value(l, holder, f->field, yyjson_doc_get_root(tree));
    else if (error.status == LVL_ERR_MEMORY)
        stop(im, LVL_ERR_MEMORY);
    else
        lvl_load_fail(l, LVL_ERR_FORMAT, LVL_FAULT_JSON, "expected JSON; at character %zu: %s",
                      error.offset + 1, error.text);
    yyjson_doc_free(tree);
}

/* Sets a member to what a text says. */
static void put_value(importer *im, void *record, const plan_field *f, lvl_text shown, const char *as)
{
    lvl_findings *why = lvl_findings_new(im->doc->ctx);
    lvl_loader l = {.doc = im->doc, .findings = why, .no_derived = true};
    void *holder = plan_record(record, f);
    lvl_buffer storage = {0};
    int64_t number = 0;
    double real = 0;
    char buf[80];

    const lvl_text text = plain_text(im, shown, &storage);
    im->changed = true;
    if (!why || im->status != LVL_OK) {
        stop(im, LVL_ERR_MEMORY);
    } else if (f->field->kind == LVL_INT) {
        if (parse_int(f, text, &number))
            lvl_put_int(holder, f->field, number);
        else
            lvl_load_fail(&l, LVL_ERR_FORMAT, LVL_FAULT_VALUE, "expected %s%s%u bits, found \"%s\"",
                          f->field->names ? "a name, or " : "",
                          f->field->flags & LVL_F_SIGNED ? "a whole number of " : "a number from 0 of ",
                          (unsigned)f->field->size * 8, lvl_show(buf, text));
    } else if (f->field->kind == LVL_REAL && lvl_real_parse(text, &real)) {
        memcpy((uint8_t *)holder + f->field->offset, &real, sizeof real);
    } else if (f->field->kind == LVL_TEXT) {
        lvl_load_text(&l, holder, f->field, text);
        if (l.status == LVL_OK && (f->field->flags & LVL_F_SLOT) &&
            lvl_get_text(holder, f->field).len == f->field->size)
            lvl_load_fail(&l, LVL_ERR_FORMAT, LVL_FAULT_VALUE, "the text is too long; at most %lu bytes fit",
                          (unsigned long)f->field->size - 1);
    } else {
        load_json(im, &l, holder, f, text);
    }
    for (size_t i = 0; why && i < lvl_findings_count(why); i++)
        fail(im, LVL_FAULT_MAP_OBJECT, "%s: %s: %s", what(im), as, lvl_findings_at(why, i)->text);
    if (l.status != LVL_OK)
        stop(im, l.status);
    lvl_findings_free(why);
    lvl_buffer_free(&storage);
}

/* ---- properties -------------------------------------------------------------------------------------- */

static bool same_text(const tiled_property *a, const tiled_property *b)
{
    return a && b ? lvl_text_equal(a->value, b->value) : a == b;
}

static void reset(importer *im, void *record, const plan_field *f)
{
    uint8_t *holder = plan_record(record, f);

    im->changed = true;
    if (f->field->kind == LVL_INT)
        lvl_put_int(holder, f->field, f->field->def);
    else
        memset(holder + f->field->offset, 0, f->field->size);
    if (f->field->kind == LVL_LIST)
        memset(holder + f->field->count_offset, 0, sizeof(uint32_t));
}

/* One field of a record, from the properties of what shows it. `clear`: flags that the map shows otherwise.
 * Returns whether the property was changed. */
static bool take_field(importer *im, void *record, const plan_field *f, const tiled_properties *from,
                       int64_t clear)
{
    tiled_properties is = {0};
    char name[64];

    if (!f->field || im->status != LVL_OK)
        return false;
    const tiled_property *wanted = tiled_find_text(from, f->name);
    if (!wanted && !plan_present(record, f))
        return false;
    if (!tiled_put_field(&im->plan, &is, record, f, clear)) {
        stop(im, LVL_ERR_MEMORY);
        return false;
    }
    if (same_text(is.count ? &is.items[0] : NULL, wanted))
        return false;
    snprintf(name, sizeof name, "%.*s", (int)f->name.len, f->name.ptr);
    if (wanted && !plan_present(record, f)) {
        fail(im, LVL_FAULT_MAP_OBJECT, "%s: there is no property %s here, as other properties are", what(im),
             name);
        return false;
    }
    if (!wanted)
        reset(im, record, f);
    else if (f->field->ref && lvl_text_is(wanted->type, "object")) {
        im->changed = true;
        put_reference(im, plan_record(record, f), f, wanted->value);
    } else {
        put_value(im, record, f, wanted->value, name);
    }
    return true;
}

static bool is_field(const plan_fields *fields, lvl_text name)
{
    for (uint32_t i = 0; i < fields->count; i++) {
        if (lvl_text_equal(fields->items[i].name, name))
            return true;
    }
    return false;
}

/* All fields of a record; what the map has beyond them is reported. */
static void take_fields(importer *im, void *record, const plan_fields *fields, const tiled_properties *from,
                        const plan_field *also, const char *prefix)
{
    for (uint32_t i = 0; i < fields->count; i++)
        take_field(im, record, &fields->items[i], from, 0);
    for (uint32_t i = 0; i < from->count && im->status == LVL_OK; i++) {
        const lvl_text name = from->items[i].name;
        char buf[80];
        if (!is_field(fields, name) && !lvl_text_begins(name, "lvl.") &&
            !(also && also->field && lvl_text_equal(also->name, name)) &&
            !(prefix && lvl_text_begins(name, prefix)))
            warn(im, "%s: the property \"%s\" is not stored in the level", what(im), lvl_show(buf, name));
    }
}

/* A name or class: an attribute of what shows the record. */
static void take_text(importer *im, void *record, const plan_field *f, lvl_text shown, lvl_text wanted,
                      const char *as)
{
    if (f->field && im->status == LVL_OK && !lvl_text_equal(shown, wanted))
        put_value(im, record, f, wanted, as);
}

static void take_shown_text(importer *im, void *record, const plan_field *f, lvl_text wanted, const char *as)
{
    if (!f->field || im->status != LVL_OK)
        return;
    const lvl_text is =
        tiled_show_text(im->plan.arena, im->doc->codepage, lvl_get_text(plan_record(record, f), f->field));
    if (!is.ptr)
        stop(im, LVL_ERR_MEMORY);
    else
        take_text(im, record, f, is, wanted, as);
}

/* A place or size: `value` of the map is `unit` times the field. */
static void take_number(importer *im, void *record, const plan_field *f, double unit, double value,
                        const char *as)
{
    char a[32], b[32];

    if (!f->field || im->status != LVL_OK)
        return;
    const double is = plan_number(record, f) * unit;
    if (is == value || strcmp(tiled_number(a, is), tiled_number(b, value)) == 0)
        return;
    void *holder = plan_record(record, f);
    im->changed = true;
    if (f->field->kind == LVL_REAL) {
        const double v = value / unit;
        memcpy((uint8_t *)holder + f->field->offset, &v, sizeof v);
        return;
    }
    const double v = floor(value / unit + 0.5);
    if (!(v >= -9e15 && v <= 9e15) || !lvl_int_fits(f->field, (int64_t)v)) {
        fail(im, LVL_FAULT_MAP_OBJECT, "%s: %s: %s does not fit", what(im), as, b);
        return;
    }
    lvl_put_int(holder, f->field, (int64_t)v);
}

/* ---- tilesets ---------------------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
    const tiled_tile *p = a, *q = b;

    return p->id < q->id ? -1 : p->id > q->id;
}

static int by_first(const void *a, const void *b)
{
    const tiled_set *p = a, *q = b;

    return p->first < q->first ? -1 : p->first > q->first;
}

static void find_sets(importer *im)
{
    tiled_map *map = im->map;

    if (map->set_count)
        qsort(map->sets, map->set_count, sizeof *map->sets, by_first);
    im->sets = lvl_arena_array(&map->arena, (size_t)map->set_count + 1, sizeof *im->sets);
    for (uint32_t i = 0; im->sets && i < map->set_count; i++) {
        tiled_set *set = &map->sets[i];
        const tiled_property *p = tiled_find(&set->properties, "lvl.set");
        const lvl_text mark = p ? p->value : (lvl_text){"", 0};
        double number = 0;
        if (set->count)
            qsort(set->tiles, set->count, sizeof *set->tiles, by_id);
        if (lvl_text_is(mark, "special"))
            im->sets[i].kind = SET_SPECIAL;
        else if (lvl_text_is(mark, "sprites"))
            im->sets[i].kind = SET_SPRITES;
        else if (lvl_text_is(mark, "list"))
            im->sets[i].kind = SET_LIST;
        else if (lvl_real_parse(mark, &number) && number >= 0 && number < UINT32_MAX) {
            im->sets[i].kind = SET_TILES;
            im->sets[i].grid = (uint32_t)number;
        }
    }
    if (!im->sets)
        stop(im, LVL_ERR_MEMORY);
}

/* The set of a gid without flips; NULL: it is of none. */
static const tiled_set *set_of(const importer *im, uint32_t gid)
{
    uint32_t lo = 0, hi = im->map->set_count;

    while (lo < hi) {
        const uint32_t mid = lo + (hi - lo) / 2;
        if (im->map->sets[mid].first <= gid)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo ? &im->map->sets[lo - 1] : NULL;
}

static const tiled_tile *tile_of(const tiled_set *set, uint32_t id)
{
    const tiled_tile key = {.id = id};

    return set->count ? bsearch(&key, set->tiles, set->count, sizeof key, by_id) : NULL;
}

/* ---- cells ------------------------------------------------------------------------------------------- */

typedef struct cell_place {
    const plan_grid *grid;
    int64_t x, y;
} cell_place;

static bool special_value(importer *im, const tiled_set *set, uint32_t id, uint32_t size, uint32_t *value)
{
    const tiled_tile *tile = tile_of(set, id);
    const tiled_property *p = tile ? tiled_find(&tile->properties, "value") : NULL;

    return p && lvl_cell_parse(im->plan.cells->cell_names, p->value, size, value);
}

/* The tile number of a gid in the grid's own sheet, or the value of a special cell; false: neither (told). */
static bool take_cell(importer *im, const cell_place *at, uint32_t gid, uint32_t size, bool *special,
                      uint32_t *out)
{
    const tiled_set *set = set_of(im, gid & ~TILED_FLIPS);
    const set_info *info = set ? &im->sets[set - im->map->sets] : NULL;
    const uint32_t id = set ? (gid & ~TILED_FLIPS) - set->first : 0;
    char a[80], b[80];

    *special = false;
    if (gid & TILED_FLIPS) {
        fail(im, LVL_FAULT_MAP_CELL,
             "layer \"%s\", column %lld, row %lld: the tile is flipped or rotated, which the level cannot "
             "store",
             lvl_show(a, at->grid->name), (long long)at->x, (long long)at->y);
        return false;
    }
    if (info && info->kind == SET_SPECIAL && im->plan.cells) {
        *special = true;
        if (special_value(im, set, id, size, out))
            return true;
    }
    if (info && info->kind == SET_TILES &&
        (im->fresh || info->grid == at->grid->index || im->plan.layout->grid->shared)) {
        *out = id;
        return true;
    }
    fail(im, LVL_FAULT_MAP_CELL,
         "layer \"%s\", column %lld, row %lld: the tile is of the tileset \"%s\", which is not the layer's "
         "own",
         lvl_show(a, at->grid->name), (long long)at->x, (long long)at->y,
         set ? lvl_show(b, set->name.len ? set->name : set->source) : "");
    return false;
}

/* The cells of a layer as values, in memory of the document; `size` bytes each. */
static uint8_t *layer_values(importer *im, const plan_grid *g, const tiled_block *block, uint32_t size)
{
    const lvl_map_grid *grid = im->plan.layout->grid;
    const size_t count = (size_t)block->width * block->height;
    const uint32_t empty = grid->empty(g->item);
    uint8_t *values = lvl_arena_raw(&im->doc->arena, count * size + 1);
    uint32_t last = 0, last_value = empty;

    if (!values) {
        stop(im, LVL_ERR_MEMORY);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t gid = block->cells[i];
        if (gid != last) {
            const cell_place at = {g, (int64_t)(i % block->width), (int64_t)(i / block->width)};
            uint32_t v = empty;
            bool special = false;
            if (gid && !take_cell(im, &at, gid, size, &special, &v))
                return NULL;
            if (gid && !special) {
                v = tiled_value_of_tile(grid, v);
                if (v >= grid->values) {
                    fail(im, LVL_FAULT_MAP_CELL,
                         "layer \"%.*s\", column %lld, row %lld: there is no tile %lu in the level's tileset",
                         (int)g->name.len, g->name.ptr, (long long)at.x, (long long)at.y, (unsigned long)v);
                    return NULL;
                }
            }
            last = gid;
            last_value = v;
        }
        lvl_put_cell(values + i * size, size, last_value);
    }
    return values;
}

/* Whether a layer that Resize Map has given another size shows what it showed, and nothing beyond. */
static bool only_resized(const uint8_t *values, const tiled_block *block, const lvl_cells *was,
                         uint32_t empty)
{
    const lvl_cells now = {values, block->width, block->height, was->size};

    for (uint32_t y = 0; y < now.height; y++) {
        for (uint32_t x = 0; x < now.width; x++) {
            const uint32_t v = x < was->width && y < was->height ? lvl_cell(was, x, y) : empty;
            if (lvl_cell(&now, x, y) != v)
                return false;
        }
    }
    return true;
}

static void take_cells(importer *im, const plan_grid *g, const tiled_layer *layer)
{
    const lvl_map_grid *grid = im->plan.layout->grid;
    const lvl_field *f = im->plan.cells;
    const tiled_block none = {0}, *block = layer->block_count ? &layer->blocks[0] : &none;
    lvl_buffer storage = {0};
    lvl_cells was;

    if (layer->block_count > 1 || im->map->infinite) {
        fail(im, LVL_FAULT_MAP_LAYER,
             "the map is infinite, but the level has a fixed size; clear Map > Map Properties > Infinite in "
             "Tiled");
        return;
    }
    const lvl_status status = lvl_doc_cells(im->doc, g->item, f, &storage, &was);
    if (status != LVL_OK && status != LVL_ERR_FORMAT)
        stop(im, status);
    const uint32_t size = was.size ? was.size : lvl_cell_size(f);
    const bool same_size =
        block->width == (was.ptr ? was.width : 0) && block->height == (was.ptr ? was.height : 0);
    if (grid->fixed_width && !same_size &&
        (block->width != grid->fixed_width || block->height != grid->fixed_height))
        fail(im, LVL_FAULT_MAP_LAYER, "%s: expected %lu by %lu cells, found %lu by %lu", what(im),
             (unsigned long)grid->fixed_width, (unsigned long)grid->fixed_height, (unsigned long)block->width,
             (unsigned long)block->height);
    uint8_t *values = im->status == LVL_OK ? layer_values(im, g, block, size) : NULL;
    const bool keep = values && was.ptr &&
                      (same_size ? memcmp(values, was.ptr, (size_t)was.width * was.height * size) == 0
                                 : g->index != im->plan.main && !im->fresh &&
                                       only_resized(values, block, &was, grid->empty(g->item)));
    if (values && !keep && !(same_size && !block->width)) {
        const lvl_cells now = {values, block->width, block->height, size};
        memcpy((uint8_t *)g->item + f->offset, &now, sizeof now);
        im->changed = true;
    }
    lvl_buffer_free(&storage);
}

/* ---- squares ----------------------------------------------------------------------------------------- */

typedef struct square {
    int32_t x, y;
    uint32_t index;
    bool taken;
} square;

static int by_place(const void *a, const void *b)
{
    const square *p = a, *q = b;

    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return p->x < q->x ? -1 : p->x > q->x;
}

/* All squares that the layer shows, sorted by place; malloc'ed. */
static square *list_squares(importer *im, const plan_grid *g, const tiled_layer *layer, uint32_t *count)
{
    const uint32_t known = lvl_list_count(g->item, im->plan.squares);
    square *list = NULL;
    size_t cap = 0;

    *count = 0;
    for (uint32_t b = 0; b < layer->block_count && im->status == LVL_OK; b++) {
        const tiled_block *block = &layer->blocks[b];
        const size_t cells = (size_t)block->width * block->height;
        for (size_t i = 0; i < cells && im->status == LVL_OK; i++) {
            const int64_t x = block->x + (int64_t)(i % block->width),
                          y = block->y + (int64_t)(i / block->width);
            const cell_place at = {g, x, y};
            uint32_t id;
            bool special;
            if (!block->cells[i] || !take_cell(im, &at, block->cells[i], 4, &special, &id))
                continue;
            if (id >= known || x < INT32_MIN || x > INT32_MAX || y < INT32_MIN || y > INT32_MAX) {
                fail(im, LVL_FAULT_MAP_CELL,
                     "%s, column %lld, row %lld: there is no such square in the level", what(im),
                     (long long)x, (long long)y);
            } else if (!lvl_grow(&list, &cap, (size_t)*count + 1, sizeof *list)) {
                stop(im, LVL_ERR_MEMORY);
            } else {
                list[(*count)++] = (square){(int32_t)x, (int32_t)y, id, false};
            }
        }
    }
    if (*count)
        qsort(list, *count, sizeof *list, by_place);
    return list;
}

/* A copy of a square at another place. */
static void add_square(importer *im, const plan_grid *g, const square *s)
{
    const lvl_field *list = im->plan.squares;
    const uint32_t at = lvl_list_count(g->item, list);
    lvl_buffer storage = {0};
    lvl_cells cells;
    char key[32];

    stop(im, lvl_list_insert(im->doc, g->item, list, at, 1));
    if (im->status != LVL_OK)
        return;
    void *to = (void *)(uintptr_t)lvl_list_item(g->item, list, at);
    const void *from = lvl_list_item(g->item, list, s->index);
    memcpy(to, from, list->item_size);
    snprintf(key, sizeof key, "%ld,%ld", (long)s->x, (long)s->y);
    const lvl_text text = lvl_doc_text(im->doc, lvl_text_of(key));
    const lvl_status status = lvl_doc_cells(im->doc, from, im->plan.pixels.field, &storage, &cells);
    if (status != LVL_OK) {
        stop(im, status);
    } else if (cells.ptr) {
        cells.ptr =
            lvl_arena_copy(&im->doc->arena, cells.ptr, (size_t)cells.width * cells.height * cells.size);
        memcpy((uint8_t *)to + im->plan.pixels.field->offset, &cells, sizeof cells);
    }
    lvl_buffer_free(&storage);
    if (!text.ptr || (status == LVL_OK && !cells.ptr)) {
        stop(im, LVL_ERR_MEMORY);
        return;
    }
    memcpy((uint8_t *)to + im->plan.key.field->offset, &text, sizeof text);
    lvl_put_int(to, im->plan.key_x.field, s->x);
    lvl_put_int(to, im->plan.key_y.field, s->y);
    im->changed = true;
}

static void take_squares(importer *im, const plan_grid *g, const tiled_layer *layer)
{
    const lvl_field *list = im->plan.squares;
    const uint32_t known = lvl_list_count(g->item, list);
    uint32_t count = 0, dropped = 0;
    uint8_t *drop = calloc((size_t)known + 1, 1);
    square *seen = NULL;
    square *shown = drop ? list_squares(im, g, layer, &count) : NULL;

    if (!drop)
        stop(im, LVL_ERR_MEMORY);
    /* of several squares at one place only the first is shown, and the others go or stay with it */
    for (uint32_t i = 0; drop && i < known && im->status == LVL_OK; i++) {
        const void *record = lvl_list_item(g->item, list, i);
        const square key = {(int32_t)plan_int(record, &im->plan.key_x),
                            (int32_t)plan_int(record, &im->plan.key_y), i, false};
        seen = count ? bsearch(&key, shown, count, sizeof key, by_place) : NULL;
        if (seen && (seen->index == i || seen->taken))
            seen->taken = true;
        else
            drop[i] = 1;
        dropped += drop[i];
    }
    for (uint32_t i = 0; i < count && im->status == LVL_OK; i++) {
        if (!shown[i].taken)
            add_square(im, g, &shown[i]);
    }
    if (dropped && im->status == LVL_OK) {
        const uint32_t now = lvl_list_count(g->item, list);
        uint8_t *all = calloc((size_t)now + 1, 1);
        if (all)
            memcpy(all, drop, known);
        stop(im, all ? lvl_list_drop(im->doc, g->item, list, all) : LVL_ERR_MEMORY);
        free(all);
        im->changed = true;
    }
    free(drop);
    free(shown);
}

/* ---- layers ------------------------------------------------------------------------------------------ */

static const tiled_layer *find_layer(const importer *im, tiled_kind kind, uint32_t id, lvl_text name)
{
    for (uint32_t i = 0; i < im->map->layer_count; i++) {
        const tiled_layer *l = &im->map->layers[i];
        if (l->kind == kind && (im->fresh ? lvl_text_equal(l->name, name) : l->id == id))
            return l;
    }
    return NULL;
}

/* The tile layer of a grid; of a new level they come in order. */
static const tiled_layer *grid_layer(const importer *im, const plan_grid *g)
{
    uint32_t n = 0;

    if (!im->fresh)
        return find_layer(im, TILED_TILES, g->layer, g->name);
    for (uint32_t i = 0; i < im->map->layer_count; i++) {
        if (im->map->layers[i].kind == TILED_TILES && n++ == g->index)
            return &im->map->layers[i];
    }
    return NULL;
}

static void take_grid(importer *im, const plan_grid *g)
{
    const tiled_layer *layer = grid_layer(im, g);

    if (!layer) {
        fail(im, LVL_FAULT_MAP_LAYER, "the layer \"%.*s\" is missing; the level needs it", (int)g->name.len,
             g->name.ptr);
        return;
    }
    name_layer(im, layer);
    take_fields(im, g->item, &im->plan.grid_fields, &layer->properties, NULL, NULL);
    take_text(im, g->item, &im->plan.grid_name, im->fresh ? (lvl_text){"", 0} : g->name, layer->name, "name");
    take_number(im, g->item, &im->plan.parallax_x, 0.01, layer->parallax_x, "parallax factor");
    take_number(im, g->item, &im->plan.parallax_y, 0.01, layer->parallax_y, "parallax factor");
    if (layer->has_offset)
        warn(im, "%s: its offset is not stored in the level", what(im));
    if (im->status == LVL_OK && im->plan.squares)
        take_squares(im, g, layer);
    else if (im->status == LVL_OK)
        take_cells(im, g, layer);
}

/* A map has no cells of tiles (a mask for each pixel): a new tile that needs them is a plain one. */
static void drop_cells(importer *im, void *record, const lvl_table *table)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->kind != LVL_CELLS || !lvl_field_present(record, f) || lvl_get_cells(record, f)->ptr)
            continue;
        warn(im, "%s: its %s is not in the map; it becomes a plain tile", what(im), f->name);
        memset(record, 0, table->struct_size);
        lvl_record_init(record, table);
        return;
    }
}

/* What items of a list are by their tiles' properties. */
static void take_tiles(importer *im)
{
    const tiled_plan *plan = &im->plan;
    const bool alone = plan->layout->tiles_alone;

    for (uint32_t i = 0; plan->tiles && i < im->map->set_count; i++) {
        const tiled_set *set = &im->map->sets[i];
        const set_info *info = &im->sets[i];
        if (info->kind != (alone ? SET_LIST : SET_TILES) || (!alone && info->grid != plan->main))
            continue;
        const uint32_t old = lvl_list_count(im->doc->root, plan->tiles);
        uint32_t count = old;
        for (uint32_t k = 0; k < set->count && !alone; k++) { /* a tile beyond the list makes it longer */
            const uint32_t id = tiled_value_of_tile(plan->layout->grid, set->tiles[k].id);
            if (set->tiles[k].properties.count && id >= count && id < plan->layout->grid->values) {
                stop(im, lvl_list_insert(im->doc, im->doc->root, plan->tiles, count, id + 1 - count));
                count = id + 1;
                im->changed = true;
            }
        }
        for (uint32_t k = 0; k < count && im->status == LVL_OK; k++) {
            const tiled_properties none = {0};
            const tiled_tile *tile = tile_of(set, tiled_tile_of_value(plan->layout->grid, k));
            char buf[80];
            im->object = NULL;
            snprintf(im->what, sizeof im->what, "tile %lu of tileset \"%s\"", (unsigned long)k,
                     lvl_show(buf, set->name));
            void *record = (void *)(uintptr_t)lvl_list_item(im->doc->root, plan->tiles, k);
            take_fields(im, record, &plan->tile_fields, tile ? &tile->properties : &none, NULL, NULL);
            if (k >= old && im->status == LVL_OK)
                drop_cells(im, record, plan->tiles->table);
        }
        return;
    }
}

/* ---- objects ----------------------------------------------------------------------------------------- */

static uint32_t list_by_id(const importer *im, uint32_t id)
{
    for (uint32_t i = 0; i < im->plan.list_count && !im->fresh; i++) {
        const plan_list *l = &im->plan.lists[i];
        if (id >= l->first && id - l->first < l->count)
            return i;
    }
    return LVL_NO_INDEX;
}

static uint32_t list_by_type(const importer *im, lvl_text type)
{
    for (uint32_t i = 0; i < im->plan.list_count && type.len; i++) {
        const char *of_list = im->plan.lists[i].objects->how->type;
        if (of_list && lvl_text_is(type, of_list))
            return i;
    }
    return LVL_NO_INDEX;
}

static uint32_t list_by_layer(const importer *im, const tiled_layer *layer)
{
    for (uint32_t i = 0; i < im->plan.list_count; i++) {
        const plan_list *l = &im->plan.lists[i];
        if (im->fresh ? lvl_text_equal(l->name, layer->name) : l->layer == layer->id)
            return i;
    }
    /* where there is but one list, any layer is its */
    return im->fresh && im->plan.list_count == 1 ? 0 : LVL_NO_INDEX;
}

/* Which list an object belongs to now: by its class, by its layer, or where it was. */
static void sort_object(importer *im, const tiled_layer *layer, const tiled_object *o, uint8_t *seen)
{
    const uint32_t was = list_by_id(im, o->id);
    const bool start =
        im->plan.start_layer && (im->fresh ? lvl_text_is(o->type, "start") : o->id == im->plan.start_object);
    uint32_t list = list_by_type(im, o->type);

    if (list == LVL_NO_INDEX)
        list = list_by_layer(im, layer);
    if (list == LVL_NO_INDEX && layer->id != im->plan.start_layer)
        list = was;
    if (start)
        return;
    name_object(im, layer, o);
    if (list == LVL_NO_INDEX) {
        warn(im, "%s is not stored in the level: its layer is none of the level's", what(im));
        return;
    }
    if (o->source.len) {
        fail(im, LVL_FAULT_MAP_OBJECT,
             "%s is an instance of the template %.*s, which is missing; put it back, or replace the object",
             what(im), (int)o->source.len, o->source.ptr);
        return;
    }
    if (o->shape)
        warn(im, "%s: only its place is stored in the level, not its shape", what(im));
    if (o->rotation != 0)
        warn(im, "%s: its rotation is not stored in the level", what(im));
    entries *to = &im->lists[list];
    entry *e = tiled_push(&im->map->arena, &to->items, &to->count, &to->cap, sizeof *e);
    if (!e) {
        stop(im, LVL_ERR_MEMORY);
        return;
    }
    const bool known = was == list && !seen[o->id];
    *e = (entry){known ? o->id - im->plan.lists[list].first : LVL_NO_INDEX, o};
    if (known)
        seen[o->id] = 1;
}

static void sort_objects(importer *im)
{
    uint8_t *seen = calloc((size_t)im->plan.next_object + 1, 1);

    im->lists = lvl_arena_array(&im->map->arena, (size_t)im->plan.list_count + 1, sizeof *im->lists);
    if (!seen || !im->lists)
        stop(im, LVL_ERR_MEMORY);
    for (uint32_t i = 0; i < im->map->layer_count && im->status == LVL_OK; i++) {
        const tiled_layer *layer = &im->map->layers[i];
        for (uint32_t k = 0; k < layer->object_count && im->status == LVL_OK; k++)
            sort_object(im, layer, &layer->objects[k], seen);
    }
    free(seen);
    /* a layer that is gone takes nothing with it silently */
    for (uint32_t i = 0; i < im->plan.list_count && im->status == LVL_OK; i++) {
        const plan_list *l = &im->plan.lists[i];
        if (l->count && !im->lists[i].count && !find_layer(im, TILED_OBJECTS, l->layer, l->name))
            fail(im, LVL_FAULT_MAP_LAYER,
                 "the layer \"%.*s\" is missing; to remove its %lu objects, delete them and keep the layer",
                 (int)l->name.len, l->name.ptr, (unsigned long)l->count);
    }
}

/* Puts the items of a list in the map's order: those that are gone go, new ones come. */
static void order_list(importer *im, uint32_t index)
{
    plan_list *l = &im->plan.lists[index];
    entries *now = &im->lists[index];
    const uint32_t size = l->list->item_size;
    bool same = now->count == l->count;

    l->ids = lvl_arena_array(&im->map->arena, (size_t)now->count + 1, sizeof *l->ids);
    if (!l->ids) {
        stop(im, LVL_ERR_MEMORY);
        return;
    }
    l->id_count = now->count;
    for (uint32_t i = 0; i < now->count; i++) {
        l->ids[i] = now->items[i].object->id;
        same = same && now->items[i].old == i;
    }
    if (same)
        return;
    im->changed = true;
    uint32_t *moved = malloc(((size_t)l->count + 1) * sizeof *moved);
    uint8_t *items = lvl_arena_array(&im->doc->arena, (size_t)now->count + 1, size);
    const uint8_t *old = NULL;
    if (!moved || !items) {
        stop(im, LVL_ERR_MEMORY);
        free(moved);
        return;
    }
    memcpy(&old, (const uint8_t *)l->owner + l->list->offset, sizeof old);
    for (uint32_t i = 0; i < l->count; i++)
        moved[i] = LVL_NO_INDEX;
    for (uint32_t i = 0; i < now->count; i++) {
        const uint32_t from = now->items[i].old;
        if (from == LVL_NO_INDEX) {
            lvl_record_init(items + (size_t)i * size, l->list->table);
        } else {
            memcpy(items + (size_t)i * size, old + (size_t)from * size, size);
            moved[from] = i;
        }
    }
    memcpy((uint8_t *)l->owner + l->list->offset, &items, sizeof items);
    memcpy((uint8_t *)l->owner + l->list->count_offset, &now->count, sizeof now->count);
    if (l->grid == UINT32_MAX) {
        lvl_match match = {.record = l->owner, .field = l->list, .index = LVL_NO_INDEX};
        match.where = lvl_where_to(lvl_where_root(), l->list, LVL_NO_INDEX);
        lvl_editor_follow(&im->edit, &match, moved, l->count);
        stop(im, im->edit.load.status);
    }
    free(moved);
}

/* Where the anchor of a tile object lies that isn't one of our sprites, as fractions of its size. */
static void anchor_of(lvl_text alignment, double *x, double *y)
{
    static const struct {
        const char *name;
        double x, y;
    } known[] = {{"topleft", 0, 0},  {"top", .5, 0},   {"topright", 1, 0}, {"left", 0, .5},
                 {"center", .5, .5}, {"right", 1, .5}, {"bottom", .5, 1},  {"bottomright", 1, 1}};

    *x = 0;
    *y = 1;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (lvl_text_is(alignment, known[i].name)) {
            *x = known[i].x;
            *y = known[i].y;
        }
    }
}

/* The place of the object's record, px: as it stands, unless its picture is held elsewhere. */
static void place_of(const importer *im, const plan_list *l, const tiled_object *o, double *x, double *y)
{
    const tiled_set *set = o->gid ? set_of(im, o->gid & ~TILED_FLIPS) : NULL;
    double ax = 0, ay = 0;

    *x = o->x;
    *y = o->y;
    if (o->gid && (!set || im->sets[set - im->map->sets].kind != SET_SPRITES))
        anchor_of(set ? set->alignment : (lvl_text){"", 0}, &ax, &ay);
    else if (o->gid || o->point)
        return;
    const double want = l->objects->how->centered ? .5 : 0;
    *x += (want - ax) * o->width;
    *y += (want - ay) * o->height;
}

static void take_flips(importer *im, const plan_list *l, void *record, const tiled_object *o)
{
    const lvl_map_list *how = l->objects->how;
    const plan_field *f = &l->objects->flip;
    const int64_t mask = (int64_t)how->flip_x | how->flip_y;
    const int64_t wanted =
        (o->gid & TILED_FLIP_X ? how->flip_x : 0) | (o->gid & TILED_FLIP_Y ? how->flip_y : 0);

    if (!f->field || im->status != LVL_OK)
        return;
    const bool named = take_field(im, record, f, &o->properties, o->gid ? mask : 0);
    if (!o->gid || im->status != LVL_OK)
        return;
    /* what was written into the property counts as well */
    const int64_t is = plan_int(record, f), now = (named ? is : is & ~mask) | wanted;
    if (now != is) {
        lvl_put_int(plan_record(record, f), f->field, now);
        im->changed = true;
    }
}

/* A new item must not share what makes an item itself. */
static void make_unique(importer *im, const plan_list *l, uint32_t index)
{
    char seed[128];

    if (!l->objects->unique.field || im->status != LVL_OK)
        return;
    /* the same map gives the same one */
    snprintf(seed, sizeof seed, "%s %lu %lu", im->sha, (unsigned long)l->ids[index],
             (unsigned long)++im->made);
    stop(im, lvl_item_make_unique(im->doc, l->owner, l->list, l->objects->unique.field, index,
                                  lvl_text_of(seed)));
}

/* A property `link.N`, and its number. */
typedef struct numbered {
    uint64_t number;
    const tiled_property *property;
} numbered;

static int by_number(const void *a, const void *b)
{
    const numbered *p = a, *q = b;

    if (p->number != q->number)
        return p->number < q->number ? -1 : 1;
    return p->property < q->property ? -1 : p->property > q->property; /* of one array */
}

/* The links among the properties, in the order of their numbers; of equal names Tiled keeps the last. */
static bool list_links(const tiled_properties *from, lvl_arena *arena, tiled_properties *out)
{
    numbered *list = lvl_arena_array(arena, (size_t)from->count + 1, sizeof *list);
    size_t count = 0;

    for (uint32_t i = 0; list && i < from->count; i++) {
        const lvl_text name = from->items[i].name;
        uint64_t n = 0;
        size_t k = strlen(LINK);
        if (!lvl_text_begins(name, LINK) || name.len > k + 9 || name.len == k)
            continue;
        while (k < name.len && lvl_is_digit(name.ptr[k]))
            n = n * 10 + (uint64_t)(name.ptr[k++] - '0');
        if (k == name.len)
            list[count++] = (numbered){n, &from->items[i]};
    }
    if (count)
        qsort(list, count, sizeof *list, by_number);
    for (size_t i = 0; i < count; i++) {
        const tiled_property *one = list[i].property;
        if ((i + 1 == count || list[i + 1].number != list[i].number) &&
            !tiled_add(arena, out, one->name, one->type.len ? one->type.ptr : "", one->value))
            return false;
    }
    return list != NULL;
}

/* The targets of an item: `link.1` … in the order of their numbers, some of which may be missing. */
static void take_links(importer *im, plan_list *l, void *record, const tiled_properties *from)
{
    const plan_objects *p = l->objects;
    tiled_properties is = {0}, wanted = {0};
    bool same = true;

    if (!p->links.field || im->status != LVL_OK)
        return;
    if (!list_links(from, &im->map->arena, &wanted))
        stop(im, LVL_ERR_MEMORY);
    if (!tiled_put_links(&im->plan, &is, l, record))
        stop(im, LVL_ERR_MEMORY);
    same = is.count == wanted.count;
    for (uint32_t i = 0; i < is.count && same; i++)
        same = lvl_text_equal(is.items[i].value, wanted.items[i].value);
    if (same || im->status != LVL_OK)
        return;
    lvl_text *texts = lvl_arena_array(&im->doc->arena, (size_t)wanted.count + 1, sizeof *texts);
    if (!texts) {
        stop(im, LVL_ERR_MEMORY);
        return;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < wanted.count; i++) {
        const tiled_property *one = &wanted.items[i];
        double id = 0;
        if (!lvl_text_is(one->type, "object")) {
            texts[count] = lvl_doc_text(im->doc, one->value);
            if (!texts[count++].ptr)
                stop(im, LVL_ERR_MEMORY);
            continue;
        }
        lvl_real_parse(one->value, &id);
        const uint32_t index = id >= 0 && id <= UINT32_MAX ? index_of_id(l, (uint32_t)id) : LVL_NO_INDEX;
        if (index == LVL_NO_INDEX) {
            warn(im, "%s: %.*s: there is no object %.*s that it could mean; the link is left out", what(im),
                 (int)one->name.len, one->name.ptr, (int)one->value.len, one->value.ptr);
            continue;
        }
        texts[count++] =
            lvl_get_text(plan_record(lvl_list_item(l->owner, l->list, index), &p->unique), p->unique.field);
    }
    memcpy((uint8_t *)record + p->links.field->offset, &texts, sizeof texts);
    memcpy((uint8_t *)record + p->links.field->count_offset, &count, sizeof count);
    im->changed = true;
}

static void take_object(importer *im, const plan_list *l, uint32_t index, const entry *e)
{
    const plan_objects *p = l->objects;
    const tiled_object *o = e->object;
    const double unit = p->how->unit ? p->how->unit : 1;
    void *record = (void *)(uintptr_t)lvl_list_item(l->owner, l->list, index);
    double x, y;

    place_of(im, l, o, &x, &y);
    take_number(im, record, &p->x, unit, x, "x");
    take_number(im, record, &p->y, unit, y, "y");
    take_number(im, record, &p->width, unit, o->width, "width");
    take_number(im, record, &p->height, unit, o->height, "height");
    take_shown_text(im, record, &p->type, o->type, "class");
    take_shown_text(im, record, &p->name, o->name, "name");
    take_flips(im, l, record, o);
    take_fields(im, record, &p->fields, &o->properties, &p->flip, p->links.field ? LINK : NULL);
}

static void take_objects(importer *im)
{
    sort_objects(im);
    for (uint32_t i = 0; i < im->plan.list_count && im->status == LVL_OK; i++)
        order_list(im, i);
    for (uint32_t i = 0; i < im->plan.list_count && im->status == LVL_OK; i++) {
        plan_list *l = &im->plan.lists[i];
        const entries *now = &im->lists[i];
        const tiled_layer *layer = find_layer(im, TILED_OBJECTS, l->layer, l->name);
        stop(im, lvl_charge(im->doc->ctx, (uint64_t)now->count * 64));
        for (uint32_t k = 0; k < now->count && im->status == LVL_OK; k++) {
            name_object(im, layer, now->items[k].object);
            take_object(im, l, k, &now->items[k]);
            if (now->items[k].old == LVL_NO_INDEX)
                make_unique(im, l, k);
        }
        for (uint32_t k = 0; k < now->count && im->status == LVL_OK; k++) {
            name_object(im, layer, now->items[k].object);
            take_links(im, l, (void *)(uintptr_t)lvl_list_item(l->owner, l->list, k),
                       &now->items[k].object->properties);
        }
    }
}

static void take_start(importer *im)
{
    const tiled_object *found = NULL;

    for (uint32_t i = 0; i < im->map->layer_count && im->plan.start_layer; i++) {
        const tiled_layer *layer = &im->map->layers[i];
        for (uint32_t k = 0; k < layer->object_count && !found; k++) {
            const tiled_object *o = &layer->objects[k];
            if (im->fresh ? lvl_text_is(o->type, "start") : o->id == im->plan.start_object)
                found = o;
        }
    }
    if (!im->plan.start_layer)
        return;
    if (!found && !im->fresh) {
        fail(im, LVL_FAULT_MAP_OBJECT, "the object \"start\" is missing; the level needs it");
        return;
    }
    if (!found) {
        warn(im, "there is no object of class \"start\": the player starts at 0, 0");
        return;
    }
    name_object(im, NULL, found);
    take_number(im, im->doc->root, &im->plan.start_x, 1, found->x, "x");
    take_number(im, im->doc->root, &im->plan.start_y, 1, found->y, "y");
}

/* ---- all of it --------------------------------------------------------------------------------------- */

static void check_layers(importer *im)
{
    for (uint32_t i = 0; i < im->map->layer_count && !im->fresh; i++) {
        const tiled_layer *l = &im->map->layers[i];
        bool known = l->id == im->plan.start_layer;
        char buf[80];
        for (uint32_t k = 0; k < im->plan.grid_count && !known; k++)
            known = im->plan.grids[k].layer == l->id && l->kind == TILED_TILES;
        for (uint32_t k = 0; k < im->plan.list_count && !known; k++)
            known = im->plan.lists[k].layer == l->id && l->kind == TILED_OBJECTS;
        if (!known)
            warn(im, "the layer \"%s\" is not stored in the level: it is none of the level's",
                 lvl_show(buf, l->name));
    }
}

static void take_map(importer *im)
{
    if (im->map->orientation.len && !lvl_text_is(im->map->orientation, "orthogonal")) {
        fail(im, LVL_FAULT_MAP, "expected an orthogonal map, found an %.*s one",
             (int)im->map->orientation.len, im->map->orientation.ptr);
        return;
    }
    find_sets(im);
    im->object = NULL;
    snprintf(im->what, sizeof im->what, "the map");
    take_fields(im, im->doc->root, &im->plan.root_fields, &im->map->properties, NULL, NULL);
    take_tiles(im);
    check_layers(im);
    for (uint32_t i = 0; i < im->plan.grid_count && im->status == LVL_OK; i++)
        take_grid(im, &im->plan.grids[i]);
    if (im->status == LVL_OK)
        take_objects(im);
    if (im->status == LVL_OK)
        take_start(im);
}

/* The bytes of the level that the map was made of. LVL_ERR_MISSING: it has none. */
static lvl_status origin_of(importer *im, lvl_buffer *out)
{
    const tiled_property *inside = tiled_find(&im->map->properties, "lvl.origin"),
                         *file = tiled_find(&im->map->properties, "lvl.origin_file"),
                         *sha = tiled_find(&im->map->properties, "lvl.sha256");
    lvl_buffer packed = {.max = lvl_memory_share(im->map->ctx)};
    lvl_status status = LVL_ERR_MISSING;
    size_t size = 0;

    if (inside && lvl_base64_size(inside->value, &size) && lvl_buffer_reserve(&packed, size + 1)) {
        packed.len = size;
        status = lvl_base64_decode(inside->value, packed.data) ? LVL_OK : LVL_ERR_FORMAT;
    } else if (!inside && file && im->options->fetch) {
        status = im->options->fetch(im->options->user, file->value.ptr, &packed);
        if (status == LVL_ERR_IO)
            status = LVL_ERR_MISSING;
    } else if (inside) {
        status = packed.status != LVL_OK ? packed.status : LVL_ERR_FORMAT;
    }
    if (status == LVL_OK)
        status = lvl_inflate_zlib_grow((lvl_bytes){packed.data, packed.len}, out,
                                       lvl_memory_share(im->map->ctx), NULL);
    lvl_buffer_free(&packed);
    if (status == LVL_OK) {
        lvl_sha256_hex((lvl_bytes){out->data, out->len}, im->sha);
        if (sha && !lvl_text_is(sha->value, im->sha))
            status = LVL_ERR_FORMAT;
    }
    if (status == LVL_ERR_FORMAT)
        fail(im, LVL_FAULT_MAP_ORIGIN,
             "the property lvl.origin does not hold the level that lvl.sha256 names; delete both to make a "
             "new "
             "level of the map, or convert the level again");
    else if (status == LVL_ERR_MISSING && file && !inside)
        fail(im, LVL_FAULT_MAP_ORIGIN,
             "the level that the map was made of is missing: %.*s; put it back, or delete the property "
             "lvl.origin_file to make a new level",
             (int)file->value.len, file->value.ptr);
    return im->status != LVL_OK ? im->status : status;
}

/* A new level, with a layer for each tile layer of the map. */
static lvl_status begin_new(importer *im, const lvl_format *format)
{
    const lvl_map_layout *layout = format->calls->map_layout;
    uint32_t count = 0;

    lvl_status status =
        layout && layout->grid ? lvl_doc_new(&im->doc, im->map->ctx, format) : LVL_ERR_UNSUPPORTED;
    if (status != LVL_OK)
        return status;
    im->fresh = im->changed = true;
    const lvl_field *list = lvl_table_find(format->table, lvl_text_of(layout->grid->list));
    for (uint32_t i = 0; i < im->map->layer_count; i++)
        count += im->map->layers[i].kind == TILED_TILES;
    warn(im,
         "the map has no origin: a new level is made, in which all that the map does not show is default");
    return lvl_list_insert(im->doc, im->doc->root, list, 0, count);
}

static lvl_status begin(importer *im, lvl_buffer *origin)
{
    const tiled_property *id = tiled_find(&im->map->properties, "lvl.format"),
                         *encoding = tiled_find(&im->map->properties, "lvl.encoding");
    char buf[80];

    lvl_status status = origin_of(im, origin);
    if (status == LVL_ERR_MISSING) {
        const lvl_format *format = im->options->format;
        if (!format && id)
            format = lvl_formats_find(im->map->ctx, id->value.ptr);
        if (!format) {
            lvl_findings_add(im->findings, &lvl_faults[LVL_FAULT_MAP_ORIGIN], NULL, NULL,
                             "the map has no origin, and no format is given that it could become");
            return LVL_ERR_FOREIGN;
        }
        status = begin_new(im, format);
    } else if (status == LVL_OK) {
        const lvl_format *format = id ? lvl_formats_find(im->map->ctx, id->value.ptr) : NULL;
        if (!format || !lvl_tiled_can(format)) {
            fail(im, LVL_FAULT_MAP_ORIGIN, "lvl.format: there is no format \"%s\" with a map",
                 id ? lvl_show(buf, id->value) : "");
            return LVL_ERR_FORMAT;
        }
        status =
            lvl_read(&im->doc, im->map->ctx, format, (lvl_bytes){origin->data, origin->len}, NULL, 0, NULL);
        if (status == LVL_ERR_FORMAT || status == LVL_ERR_FOREIGN)
            fail(im, LVL_FAULT_MAP_ORIGIN, "lvl.origin holds no %s", format->title);
    }
    if (status == LVL_OK && encoding)
        lvl_codepage_parse(encoding->value.ptr, &im->doc->codepage);
    return status;
}

/* What the map says of the layers of a new level decides which lists it has. */
static lvl_status begin_layers(importer *im)
{
    const lvl_map_layout *layout = im->plan.layout;

    im->object = NULL;
    snprintf(im->what, sizeof im->what, "the map");
    take_fields(im, im->doc->root, &im->plan.root_fields, &im->map->properties, NULL, NULL);
    for (uint32_t i = 0; i < im->plan.grid_count && im->status == LVL_OK; i++) {
        const tiled_layer *layer = grid_layer(im, &im->plan.grids[i]);
        name_layer(im, layer);
        take_fields(im, im->plan.grids[i].item, &im->plan.grid_fields, &layer->properties, NULL, NULL);
        take_text(im, im->plan.grids[i].item, &im->plan.grid_name, (lvl_text){"", 0}, layer->name, "name");
    }
    if (layout->begin)
        layout->begin(im->doc->root);
    return im->status == LVL_OK ? tiled_plan_make(&im->plan, im->doc, &im->map->arena) : im->status;
}

static lvl_status read_map(importer *im)
{
    lvl_buffer origin = {0};

    lvl_status status = begin(im, &origin);
    lvl_buffer_free(&origin);
    if (status == LVL_OK)
        status = tiled_plan_make(&im->plan, im->doc, &im->map->arena);
    if (status == LVL_OK && im->fresh)
        status = begin_layers(im);
    if (status != LVL_OK)
        return status;
    status = lvl_editor_begin(&im->edit, im->doc, im->findings);
    if (status == LVL_OK) {
        take_map(im);
        status = im->status;
    }
    status = lvl_arena_status(&im->doc->arena, lvl_arena_status(&im->map->arena, status));
    return lvl_editor_finish(&im->edit, status, NULL);
}

lvl_status lvl_tiled_read(lvl_doc **out, const lvl_ctx *ctx, lvl_bytes bytes,
                          const lvl_tiled_read_options *options, bool *changed, lvl_findings *findings)
{
    const lvl_tiled_read_options none = {0};
    importer im = {.findings = findings, .options = options ? options : &none};

    *out = NULL;
    lvl_status status = tiled_read(&im.map, ctx, bytes, im.options, findings);
    if (status == LVL_OK)
        status = read_map(&im);
    tiled_map_free(im.map);
    if (status != LVL_OK) {
        lvl_doc_free(im.doc);
        return status;
    }
    if (changed)
        *changed = im.changed;
    *out = im.doc;
    return LVL_OK;
}
