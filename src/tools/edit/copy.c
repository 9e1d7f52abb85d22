/*
 * tools/edit/copy.c: puts what a path finds in one document into another one. Numbers that mean items of a
 * list mean the same item there, which is copied too if it is missing; items get ids that are free there.
 */
#include "base/buffer.h"
#include "base/work.h"
#include "base/arena.h"
#include "base/text.h"
#include "tools/edit/list.h"
#include "tools/edit/item_ids.h"
#include "tools/edit/move.h"
#include "tools/paths/objects.h"
#include "tools/edit/region_write.h"

#include <stdlib.h>
#include <string.h>

static lvl_status value_decodes(const lvl_doc *doc, const void *record, const lvl_field *f, bool *whole);

static lvl_status record_decodes(const lvl_doc *doc, const void *record, const lvl_table *table, bool *whole)
{
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < table->field_count && status == LVL_OK && *whole; i++) {
        if (lvl_field_present(record, &table->fields[i]))
            status = value_decodes(doc, record, &table->fields[i], whole);
    }
    return status;
}

/* Sets *whole to false if a late member in a value cannot be decoded as a whole. */
static lvl_status value_decodes(const lvl_doc *doc, const void *record, const lvl_field *f, bool *whole)
{
    lvl_status status = LVL_OK;

    if (f->flags & LVL_F_LATE) {
        status = lvl_doc_decodes(doc, record, f, whole);
    } else if (f->kind == LVL_RECORD) {
        status = record_decodes(doc, lvl_get_record(record, f), f->table, whole);
    } else if (f->kind == LVL_LIST && f->item == LVL_RECORD) {
        for (uint32_t i = 0; i < lvl_list_count(record, f) && status == LVL_OK && *whole; i++)
            status = record_decodes(doc, lvl_list_item(record, f, i), f->table, whole);
    }
    return status;
}

void lvl_editor_take(lvl_editor *e, void *record, const lvl_field *f, const lvl_doc *from, const void *source,
                     const lvl_field *as)
{
    lvl_buffer json = {0};
    lvl_json_error error;

    if (e->load.status != LVL_OK || !lvl_editor_note_member(e, record, f))
        return;
    lvl_emit w = lvl_emit_of(from, &json);
    w.compact = w.no_kept = true;
    lvl_write_value(&w, source, as, 0);
    yyjson_doc *tree =
        json.status == LVL_OK ? lvl_json_read(from->ctx, lvl_buffer_text(&json), &error) : NULL;
    if (!tree) {
        e->load.status = json.status != LVL_OK ? json.status : error.status;
    } else {
        if (f->kind == LVL_RECORD)
            lvl_field_reset(record, f);
        lvl_load_value(&e->load, record, f, yyjson_doc_get_root(tree));
        if (e->load.status == LVL_ERR_ARG) /* its reason is a finding */
            e->load.status = LVL_ERR_LOSS;
    }
    bool whole = true;
    if (e->load.status == LVL_OK && from->format->calls->decode)
        e->load.status = value_decodes(from, source, as, &whole);
    if (e->load.status == LVL_OK && !whole)
        lvl_findings_add(e->load.findings, &lvl_faults[LVL_FAULT_COPY_DAMAGED], &e->load.where, NULL,
                         "it is damaged in its file: only what can be decoded of it is copied; see `lvl "
                         "check'");
    yyjson_doc_free(tree);
    lvl_buffer_free(&json);
}

/* ---- references -------------------------------------------------------------------------------------- */

typedef struct copier {
    lvl_editor e;
    const lvl_doc *from;
    lvl_findings *findings;
    bool over; /* empty cells do not replace others */
    const lvl_move_options *move; /* how far copied objects are moved; or NULL */
    lvl_shift shift; /* the same, of a region */
} copier;

static bool is_ok(const copier *c)
{
    return c->e.load.status == LVL_OK;
}

static void report_added(const copier *c, const lvl_field *list, uint32_t index, uint32_t at)
{
    const lvl_where where = lvl_where_to(lvl_where_root(), list, at);

    lvl_findings_add(c->findings, &lvl_faults[LVL_FAULT_COPY_ADDED], &where, NULL,
                     "%s[%lu] is copied too, since a copied value refers to it", list->name,
                     (unsigned long)index);
}

/* The list of the source that corresponds to a list of the target's root; NULL: none. */
static const lvl_field *list_in_source(const copier *c, const lvl_field *list)
{
    const lvl_field *f = lvl_field_named(c->from->format->table, list->name);

    return f && f->kind == LVL_LIST && f->table == list->table ? f : NULL;
}

/* The index in the target of an item of a list of the source's root; an item that is missing is appended. */
static uint32_t counterpart(copier *c, const lvl_field *list, const lvl_field *source, uint32_t index)
{
    void *root = c->e.load.doc->root;
    const void *item = lvl_list_item(c->from->root, source, index);
    const uint32_t count = lvl_list_count(root, list);
    const lvl_match end = {.where = lvl_where_to(lvl_where_root(), list, LVL_NO_INDEX),
                           .record = root,
                           .field = list,
                           .index = count};

    if (index < count && lvl_record_equal(lvl_list_item(root, list, index), item, list->table))
        return index;
    for (uint32_t i = 0; i < count; i++) {
        if (lvl_record_equal(lvl_list_item(root, list, i), item, list->table))
            return i;
    }
    const lvl_field record = lvl_item_field(list);
    if (lvl_editor_insert(&c->e, &end, 1))
        lvl_editor_take(&c->e, lvl_item_at(root, list, count), &record, c->from, item, &record);
    report_added(c, list, index, count);
    return count;
}

/* Maps the indices of the used items in the source to those in the target. Free it; NULL: all are the
 * same. */
static uint32_t *map_used(copier *c, const lvl_field *list, const lvl_field *source, const uint8_t *used,
                          uint32_t count)
{
    uint32_t *map = malloc(((size_t)count + 1) * sizeof *map);
    bool moved = false;

    if (!map)
        c->e.load.status = LVL_ERR_MEMORY;
    for (uint32_t i = 0; map && i < count && is_ok(c); i++) {
        map[i] = used[i] ? counterpart(c, list, source, i) : i;
        moved = moved || map[i] != i;
    }
    if (moved && is_ok(c))
        return map;
    free(map);
    return NULL;
}

/* Copies the items to which a copied record has references, and adjusts the references. */
static void follow_record(copier *c, void *record, const lvl_table *table)
{
    const lvl_table *root = c->e.load.doc->format->table;

    for (uint32_t i = 0; i < root->field_count && is_ok(c); i++) {
        const lvl_field *list = &root->fields[i];
        const lvl_field *source = list->kind == LVL_LIST && list->table ? list_in_source(c, list) : NULL;
        if (!source || !lvl_list_is_referenced(table, list->name))
            continue;
        const uint32_t known = lvl_list_count(c->from->root, source);
        uint8_t *used = calloc((size_t)known + 1, 1);
        if (used)
            lvl_editor_mark_used(&c->e, list->name, used, known, record, table);
        else
            c->e.load.status = LVL_ERR_MEMORY;
        uint32_t *map = is_ok(c) ? map_used(c, list, source, used, known) : NULL;
        if (map)
            lvl_editor_follow_in(&c->e, list->name, map, known, record, table);
        free(used);
        free(map);
    }
}

/* Reports the values of copied cells whose items differ in the target; used where cells cannot be
 * adjusted. */
static void report_different(const copier *c, const lvl_field *list, const lvl_field *source,
                             const uint8_t *used, uint32_t count)
{
    const lvl_doc *to = c->e.load.doc;
    uint32_t different = 0, first = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (!used[i] || (i < lvl_list_count(to->root, list) &&
                         lvl_record_equal(lvl_list_item(to->root, list, i),
                                          lvl_list_item(c->from->root, source, i), list->table)))
            continue;
        first = different++ ? first : i;
    }
    if (different)
        lvl_findings_add(c->findings, &lvl_faults[LVL_FAULT_COPY_MEANS], &c->e.load.where, NULL,
                         "%lu cell value%s other %s here; the first is %lu", (unsigned long)different,
                         different == 1 ? " has" : "s have", list->name, (unsigned long)first);
}

/* The same for copied cells. */
static void follow_cells(copier *c, const lvl_field *f, lvl_buffer *grid, const lvl_cells *cells)
{
    const lvl_field *list = lvl_field_named(c->e.load.doc->format->table, f->ref);
    const lvl_field *source = list && list->table ? list_in_source(c, list) : NULL;
    const uint32_t known = source ? lvl_list_count(c->from->root, source) : 0;
    uint8_t *used = source ? calloc((size_t)known + 1, 1) : NULL;
    uint32_t *map = NULL;

    if (source && !used)
        c->e.load.status = LVL_ERR_MEMORY;
    for (uint32_t y = 0; used && y < cells->height; y++) {
        for (uint32_t x = 0; x < cells->width; x++) {
            const uint32_t v = lvl_cell(cells, x, y);
            used[v < known ? v : known] = 1;
        }
    }
    if (used && f->flags & LVL_F_FOLLOWS)
        map = map_used(c, list, source, used, known);
    else if (used)
        report_different(c, list, source, used, known);
    for (size_t i = 0; map && grid && i < (size_t)cells->width * cells->height; i++) {
        const uint32_t v = lvl_cell(cells, (uint32_t)(i % cells->width), (uint32_t)(i / cells->width));
        if (v < known)
            lvl_put_cell(grid->data + i * cells->size, cells->size, map[v]);
    }
    free(used);
    free(map);
}

/* The same for the grids in a copied record. */
static void follow_grids(copier *c, void *record, const lvl_table *table)
{
    for (uint32_t i = 0; i < table->field_count && is_ok(c); i++) {
        const lvl_field *f = &table->fields[i];
        if (!lvl_field_present(record, f))
            continue;
        if (f->kind == LVL_CELLS && f->ref && !(f->flags & (LVL_F_FOLLOWS | LVL_F_LATE)) &&
            lvl_get_cells(record, f)->ptr)
            follow_cells(c, f, NULL, lvl_get_cells(record, f));
        else if (f->kind == LVL_RECORD)
            follow_grids(c, (uint8_t *)record + f->offset, f->table);
        for (uint32_t k = 0;
             f->kind == LVL_LIST && f->item == LVL_RECORD && k < lvl_list_count(record, f) && is_ok(c); k++)
            follow_grids(c, lvl_item_at(record, f, k), f->table);
    }
}

/* ---- items ------------------------------------------------------------------------------------------- */

/* The field that identifies an item of the list, such as the name of a file; NULL: none. */
static const lvl_field *label_of_items(const lvl_match *list)
{
    const lvl_field *label = lvl_label_of(list->field->table);
    const bool by_label = (list->field->flags & LVL_F_UNORDERED) && label && label->kind == LVL_TEXT;

    return by_label && !lvl_field_with_role(list->field->table, LVL_ROLE_ID, NULL) ? label : NULL;
}

/* Adds the items of a list to a set. */
static void add_list(copier *c, lvl_item_ids *ids, const void *record, const lvl_field *list)
{
    for (uint32_t i = 0; i < lvl_list_count(record, list) && is_ok(c); i++)
        c->e.load.status = lvl_item_ids_add(ids, lvl_list_item(record, list, i), i);
}

/* Reports that copied item `index` names something that is `how` in the target: "no", "another". */
static void report_name(const copier *c, const lvl_match *first, uint32_t index, const lvl_field *field,
                        lvl_text name, const char *how)
{
    lvl_where where = first->where;
    char shown[80];

    where.steps[where.depth - 1].index = index;
    lvl_findings_add(c->findings, &lvl_faults[LVL_FAULT_COPY_MEANS], &where, NULL,
                     "%s: there is %s \"%s\" here", field->name, how,
                     lvl_text_show(shown, sizeof shown, c->e.load.doc->codepage, name));
}

/* Links between copied items become links between the copies; others are reported if their target is
 * missing. */
static void follow_links(copier *c, const lvl_match *sources, size_t n, const lvl_match *first,
                         const lvl_field *id, const lvl_field *links)
{
    const lvl_ctx *ctx = c->e.load.doc->ctx;
    lvl_item_ids copied, present;

    lvl_item_ids_init(&copied, ctx, id);
    lvl_item_ids_init(&present, ctx, id);
    add_list(c, &present, first->record, first->field);
    for (size_t i = 0; i < n && is_ok(c); i++) {
        const void *source = lvl_list_item(sources[i].record, sources[i].field, sources[i].index);
        c->e.load.status = lvl_item_ids_add(&copied, source, first->index + (uint32_t)i);
    }
    for (size_t i = 0; i < n && is_ok(c); i++) {
        const uint32_t index = first->index + (uint32_t)i;
        void *record = lvl_item_at(first->record, first->field, index);
        for (uint32_t k = 0; k < lvl_list_count(record, links); k++) {
            lvl_text *name = lvl_item_at(record, links, k);
            const uint32_t copy = lvl_item_ids_find(&copied, *name);
            if (copy != LVL_NO_INDEX)
                *name = lvl_get_text(lvl_list_item(first->record, first->field, copy), id);
            else if (lvl_item_ids_find(&present, *name) == LVL_NO_INDEX)
                report_name(c, first, index, links, *name, "no");
        }
    }
    lvl_item_ids_free(&copied);
    lvl_item_ids_free(&present);
}

/* Gives copied items unique ids and adjusts their links. */
static void name_items(copier *c, const lvl_match *sources, size_t n, const lvl_match *first)
{
    const lvl_field *id = lvl_field_with_role(first->field->table, LVL_ROLE_ID, NULL);

    if (!id)
        return;
    lvl_editor_name_items(&c->e, first, n);
    const lvl_field *links = lvl_field_with_role(first->field->table, LVL_ROLE_LINKS, NULL);
    if (links && id->kind == LVL_TEXT)
        follow_links(c, sources, n, first, id, links);
}

/* Whether an item of a list of the target is the same as one of the source, late members included. */
static bool is_same_item(copier *c, const lvl_field *list, uint32_t index, const void *source)
{
    const lvl_field item = lvl_item_field(list);
    const lvl_doc *docs[2] = {c->e.load.doc, c->from};
    const void *items[2] = {lvl_list_item(c->e.load.doc->root, list, index), source};
    lvl_buffer json = {0};
    size_t first = 0;

    for (int i = 0; i < 2; i++) {
        lvl_emit w = lvl_emit_of(docs[i], &json);
        w.compact = w.no_kept = true;
        first = json.len;
        lvl_write_value(&w, items[i], &item, 0);
    }
    const bool same = json.len == 2 * first && memcmp(json.data, json.data + first, first) == 0;
    if (is_ok(c))
        c->e.load.status = json.status;
    lvl_buffer_free(&json);
    return same;
}

/* Marks the files of the source that copied items name and the target does not have; reports those that
 * differ there. `file`: the field of an item that names one, in `folder`. */
static void mark_files(copier *c, const lvl_match *first, size_t n, const lvl_field *file, const char *folder,
                       const lvl_field *source, const lvl_field *list, uint8_t *wanted)
{
    const lvl_field *label = lvl_label_of(list->table);
    const size_t skip = strlen(folder);
    const uint32_t here = lvl_list_count(c->e.load.doc->root, list);
    lvl_item_ids named, present;

    lvl_item_ids_init(&named, c->e.load.doc->ctx, file);
    lvl_item_ids_init(&present, c->e.load.doc->ctx, label);
    for (size_t i = 0; i < n && is_ok(c); i++) {
        const uint32_t index = first->index + (uint32_t)i;
        c->e.load.status = lvl_item_ids_add(&named, lvl_list_item(first->record, first->field, index), index);
    }
    add_list(c, &present, c->e.load.doc->root, list);
    for (uint32_t i = 0; i < lvl_list_count(c->from->root, source) && is_ok(c); i++) {
        const void *item = lvl_list_item(c->from->root, source, i);
        const lvl_text path = lvl_get_text(item, label);
        if (path.len < skip || memcmp(path.ptr, folder, skip) != 0)
            continue;
        const uint32_t by = lvl_item_ids_find(&named, (lvl_text){path.ptr + skip, path.len - skip});
        const uint32_t there = lvl_item_ids_find(&present, path);
        if (by == LVL_NO_INDEX)
            continue;
        if (there < here) {
            if (!is_same_item(c, list, there, item))
                report_name(c, first, by, file,
                            lvl_get_text(lvl_list_item(first->record, first->field, by), file), "another");
        } else if (there == LVL_NO_INDEX) {
            wanted[i] = 1;
            c->e.load.status = lvl_item_ids_add(&present, item, here + i);
        }
    }
    lvl_item_ids_free(&named);
    lvl_item_ids_free(&present);
}

/* Copies the files of the source that copied items name (a doodad that is embedded in its level). */
static void copy_files(copier *c, const lvl_match *first, size_t n)
{
    lvl_doc *to = c->e.load.doc;
    lvl_map_objects objects;
    const bool placed = lvl_map_objects_at(to, &first->where, &objects) && objects.how->folder;
    const lvl_field *list = placed ? lvl_field_with_role(to->format->table, LVL_ROLE_FILES, NULL) : NULL;
    const lvl_field *source = list ? list_in_source(c, list) : NULL;
    const lvl_field *label = source ? lvl_label_of(list->table) : NULL;
    const lvl_field *file = label ? lvl_field_with_role(first->field->table, LVL_ROLE_PICTURE, NULL) : NULL;
    uint8_t *wanted = file ? calloc((size_t)lvl_list_count(c->from->root, source) + 1, 1) : NULL;

    if (wanted)
        mark_files(c, first, n, file, objects.how->folder, source, list, wanted);
    else if (file)
        c->e.load.status = LVL_ERR_MEMORY;
    for (uint32_t i = 0; wanted && i < lvl_list_count(c->from->root, source) && is_ok(c); i++) {
        const lvl_match files = {.where = lvl_where_to(lvl_where_root(), list, LVL_NO_INDEX),
                                 .record = to->root,
                                 .field = list,
                                 .index = lvl_list_count(to->root, list)};
        if (!wanted[i] || !lvl_editor_insert(&c->e, &files, 1))
            continue;
        const lvl_field item = lvl_item_field(list);
        lvl_editor_take(&c->e, lvl_item_at(to->root, list, files.index), &item, c->from,
                        lvl_list_item(c->from->root, source, i), &item);
        report_added(c, list, i, files.index);
    }
    free(wanted);
}

/* Finds the index for each item: that of an item with the same label, or of a new one. Returns how many are
 * new. */
static uint32_t make_places(copier *c, const lvl_match *sources, size_t n, const lvl_match *list,
                            const lvl_match *at, uint32_t *places)
{
    const lvl_field *label = list->append ? NULL : label_of_items(list);
    uint32_t added = 0;
    lvl_item_ids ids;

    if (label) {
        lvl_item_ids_init(&ids, c->e.load.doc->ctx, label);
        add_list(c, &ids, list->record, list->field);
    }
    for (size_t i = 0; i < n && is_ok(c); i++) {
        const void *source = lvl_list_item(sources[i].record, sources[i].field, sources[i].index);
        const uint32_t found = label ? lvl_item_ids_find(&ids, lvl_get_text(source, label)) : LVL_NO_INDEX;
        places[i] = found < at->index ? found : at->index + added++;
    }
    if (label)
        lvl_item_ids_free(&ids);
    return is_ok(c) && added && !lvl_editor_insert(&c->e, at, added) ? 0 : added;
}

/* Whether two items have the same content, late members included. */
static bool same_content(copier *c, const lvl_field *item, const void *here, const void *source)
{
    lvl_buffer a = {0}, b = {0};
    lvl_emit was = lvl_emit_of(c->e.load.doc, &a), is = lvl_emit_of(c->from, &b);

    was.compact = was.no_kept = is.compact = is.no_kept = true;
    lvl_write_value(&was, here, item, 0);
    lvl_write_value(&is, source, item, 0);
    const bool same = a.len == b.len && (!a.len || memcmp(a.data, b.data, a.len) == 0);
    if (is_ok(c))
        c->e.load.status = a.status != LVL_OK ? a.status : b.status;
    lvl_buffer_free(&a);
    lvl_buffer_free(&b);
    return same;
}

/* A copied item replaces one with the same key: reports if that was different. */
static void report_replaced(copier *c, const lvl_match *list, const lvl_field *item, const void *here,
                            const void *source)
{
    const lvl_field *label = lvl_label_of(list->field->table);
    char shown[80];

    if (!same_content(c, item, here, source))
        lvl_findings_add(
            c->findings, &lvl_faults[LVL_FAULT_COPY_REPLACED], &c->e.load.where, NULL,
            "another %s \"%s\" was here; it is replaced", list->field->table->name,
            lvl_text_show(shown, sizeof shown, c->e.load.doc->codepage, lvl_get_text(here, label)));
}

/* Moves the copied objects by the distance of the options. */
static void move_copies(copier *c, const lvl_match *first, uint32_t n)
{
    const lvl_doc *doc = c->e.load.doc;
    const lvl_field *layers = lvl_map_layers(doc->format);
    lvl_map_objects objects;

    c->e.load.where = first->where;
    if (!lvl_map_objects_at(doc, &first->where, &objects)) {
        lvl_load_fail(&c->e.load, LVL_FAULT_PATH, "%s are not objects, which could be moved",
                      first->field->name);
        return;
    }
    const uint32_t main = lvl_main_layer(doc);
    void *layer = objects.in_layer                                     ? first->record
                  : layers && main < lvl_list_count(doc->root, layers) ? lvl_item_at(doc->root, layers, main)
                                                                       : NULL;
    if (!c->shift.has_area)
        c->e.load.status = lvl_move_distance_of(doc, &objects, layer, c->move, &c->shift, c->findings);
    if (is_ok(c) && (c->shift.dx || c->shift.dy))
        lvl_move_items(&c->e, &objects, layer, first, n, &c->shift, c->move->outside);
}

static void copy_items(copier *c, const lvl_match *sources, size_t n, const lvl_match *list)
{
    const lvl_field item = lvl_item_field(list->field);
    uint32_t *places = calloc(n + 1, sizeof *places);
    lvl_match at = *list;

    if (!places) {
        c->e.load.status = LVL_ERR_MEMORY;
        return;
    }
    if (!list->append)
        at.index = lvl_list_count(list->record, list->field);
    const uint32_t added = make_places(c, sources, n, list, &at, places);
    for (size_t i = 0; i < n && is_ok(c); i++) {
        const void *source = lvl_list_item(sources[i].record, sources[i].field, sources[i].index);
        lvl_match one = at;
        one.index = places[i];
        c->e.load.where = one.where;
        c->e.load.where.steps[one.where.depth - 1].index = one.index;
        void *record = lvl_item_at(list->record, list->field, one.index);
        if (one.index < at.index)
            report_replaced(c, list, &item, record, source);
        lvl_editor_take(&c->e, record, &item, c->from, source, &item);
        if (is_ok(c) && list->field->item == LVL_RECORD) {
            follow_record(c, record, list->field->table);
            follow_grids(c, record, list->field->table);
        }
    }
    if (added == n && is_ok(c) && list->field->item == LVL_RECORD) {
        name_items(c, sources, n, &at);
        copy_files(c, &at, n);
    }
    if (c->move && is_ok(c))
        move_copies(c, &at, added);
    c->e.changed += n;
    free(places);
}

/* ---- cells and members ------------------------------------------------------------------------------- */

/* Whether two grids have cells of the same kind. */
static bool same_cells(const lvl_field *a, const lvl_field *b)
{
    const bool refs = a->ref && b->ref ? strcmp(a->ref, b->ref) == 0 : a->ref == b->ref;

    return refs && lvl_cell_size(a) == lvl_cell_size(b) && strcmp(a->name, b->name) == 0;
}

static void copy_region(copier *c, const lvl_match *source, const lvl_match *target)
{
    const lvl_field *f = lvl_region_field(c->e.load.doc, target);
    lvl_buffer storage = {0};
    lvl_match to = *target;
    lvl_cells cells;

    if (!to.has_region) { /* to the same place */
        to.has_region = true;
        memcpy(to.region, source->region, sizeof to.region);
        to.region[2] = to.region[0];
        to.region[3] = to.region[1];
    }
    c->e.load.where = to.where;
    const lvl_status status = lvl_region_read(c->from, source, &storage, &cells);
    if (status != LVL_OK) {
        c->e.load.status = status;
    } else if (!same_cells(lvl_region_field(c->from, source), f) || lvl_cell_size(f) != cells.size) {
        lvl_load_fail(&c->e.load, LVL_FAULT_KIND,
                      "%s cannot be copied there: the cells of %s are of another kind", source->field->name,
                      f->name);
    } else if (lvl_region_fit(&c->e, &to, &cells)) {
        follow_cells(c, f, &storage, &cells);
        const lvl_patch patch = {.grid = &cells, .over = c->over};
        if (is_ok(c))
            lvl_region_write(&c->e, &to, &patch);
    }
    c->e.changed++;
    lvl_buffer_free(&storage);
}

static void copy_member(copier *c, const lvl_match *source, const lvl_match *target)
{
    lvl_field as, field;
    const lvl_table one = {.fields = &field, .field_count = 1};
    const void *from = lvl_match_member(source, &as);
    void *to = lvl_match_member(target, &field);

    c->e.load.where = target->where;
    if (as.kind != field.kind || as.table != field.table || as.item != field.item || target->append ||
        target->has_region || (field.kind == LVL_CELLS && !same_cells(&as, &field))) {
        lvl_load_fail(&c->e.load, LVL_FAULT_KIND, "%s cannot be copied there: %s is of another kind", as.name,
                      field.name);
        return;
    }
    lvl_editor_take(&c->e, to, &field, c->from, from, &as);
    if (is_ok(c)) {
        follow_record(c, to, &one);
        follow_grids(c, to, &one);
    }
    c->e.changed++;
}

#ifndef LVL_WITHOUT_REGIONS
/* ---- regions with what stands in them ---------------------------------------------------------------- */

static void copy_area_cells(copier *c, const lvl_match *from, const lvl_match *to)
{
    const lvl_field *f = lvl_region_field(c->e.load.doc, to);
    const lvl_match target = *to;
    lvl_buffer storage = {0};
    lvl_cells cells;

    c->e.load.where = to->where;
    c->e.load.status = lvl_move_fits(from, "the region", c->findings);
    if (is_ok(c))
        c->e.load.status = lvl_move_fits(to, "where it would be", c->findings);
    if (is_ok(c))
        c->e.load.status = lvl_region_read(c->from, from, &storage, &cells);
    if (is_ok(c) && !same_cells(lvl_region_field(c->from, from), f))
        lvl_load_fail(&c->e.load, LVL_FAULT_KIND, "the cells of the two levels are of different kinds");
    if (is_ok(c))
        follow_cells(c, f, &storage, &cells);
    if (is_ok(c))
        lvl_move_report(&c->e, lvl_map_grid_of(c->e.load.doc->format), &target, &cells, NULL);
    const lvl_patch patch = {.grid = &cells};
    if (is_ok(c))
        lvl_region_write(&c->e, &target, &patch);
    lvl_buffer_free(&storage);
}

/* Copies the objects of a list that stand in the region. */
static void copy_area_list(copier *c, const lvl_map_objects *objects, const lvl_match *source,
                           const lvl_match *target)
{
    const uint32_t count = lvl_list_count(source->record, source->field);
    lvl_match *found = calloc((size_t)count + 1, sizeof *found);
    size_t n = 0;

    c->e.load.status = found ? lvl_charge(c->from->ctx, 16 * (uint64_t)count) : LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < count && is_ok(c); i++) {
        void *item = lvl_item_at(source->record, source->field, i);
        if (!lvl_shift_has(&c->shift, lvl_place_of(objects->list->table, LVL_ROLE_X, item) * objects->unit,
                           lvl_place_of(objects->list->table, LVL_ROLE_Y, item) * objects->unit))
            continue;
        found[n] = *source;
        found[n].where.steps[source->where.depth - 1].index = i;
        found[n++].index = i;
    }
    if (n && is_ok(c))
        copy_items(c, found, n, target);
    free(found);
}

/* A list of a document's root, or of its layer with that index. */
static lvl_match list_match(const lvl_doc *doc, const lvl_map_objects *objects, uint32_t layer)
{
    const lvl_field *layers = lvl_map_layers(doc->format);
    const lvl_where root = lvl_where_root(),
                    owner = objects->in_layer ? lvl_where_to(root, layers, layer) : root;

    return (lvl_match){.where = lvl_where_to(owner, objects->list, LVL_NO_INDEX),
                       .record = objects->in_layer ? lvl_item_at(doc->root, layers, layer) : doc->root,
                       .field = objects->list,
                       .index = LVL_NO_INDEX};
}

static lvl_status copy_area(copier *c)
{
    lvl_doc *to = c->e.load.doc, *source = (lvl_doc *)(uintptr_t)c->from; /* it is only read */
    const lvl_field *layers = lvl_map_layers(to->format);
    const int32_t *r = c->move->region;
    lvl_map_objects lists[LVL_MAP_LISTS];
    uint32_t plane = 0, other = 0;
    int64_t px[2], there[2];
    lvl_shift area = {0};

    lvl_status status = lvl_move_region_ok(r, c->findings);
    if (status == LVL_OK && c->from->format->table != to->format->table)
        status = lvl_fault_add(c->findings, LVL_FAULT_KIND, "a region goes to a level of the same kind");
    if (status == LVL_OK)
        status = lvl_move_plane(source, c->move->plane, &plane, c->findings);
    if (status == LVL_OK)
        status = lvl_move_plane(to, c->move->plane, &other, c->findings);
    if (status != LVL_OK)
        return status;
    lvl_move_area(source, plane, r, &c->shift, px);
    lvl_move_area(to, other, r, &area, there);
    if (px[0] != there[0] || px[1] != there[1])
        return lvl_fault_add(c->findings, LVL_FAULT_KIND, "the tiles of the two planes have different sizes");
    status = lvl_move_distance(c->move, px, &c->shift, c->findings);
    if (status == LVL_OK && (c->shift.dx % px[0] || c->shift.dy % px[1]))
        status = lvl_fault_add(c->findings, LVL_FAULT_VALUE, "a region moves by whole tiles");
    if (status != LVL_OK)
        return status;
    const int32_t now[4] = {(int32_t)(r[0] + c->shift.dx / px[0]), (int32_t)(r[1] + c->shift.dy / px[1]),
                            r[2], r[3]};
    const uint32_t count = lvl_list_count(to->root, layers), known = lvl_list_count(source->root, layers);
    const uint32_t list_count = lvl_map_objects_of(to->format, lists);
    /* layers that the target does not have are left out, as are those that scroll by themselves */
    for (uint32_t i = 0; i < known && is_ok(c); i++) {
        const uint32_t at = i == plane ? other : i;
        if (!lvl_move_takes(source, plane, i) || at >= count)
            continue;
        const lvl_match from = lvl_move_cells(source, i, r), target = lvl_move_cells(to, at, now);
        copy_area_cells(c, &from, &target);
        for (uint32_t k = 0; k < list_count && is_ok(c); k++) {
            const lvl_match there_list = list_match(to, &lists[k], at),
                            here = list_match(source, &lists[k], i);
            if (lists[k].in_layer)
                copy_area_list(c, &lists[k], &here, &there_list);
        }
    }
    for (uint32_t k = 0; k < list_count && is_ok(c); k++) {
        const lvl_match there_list = list_match(to, &lists[k], 0), here = list_match(source, &lists[k], 0);
        if (!lists[k].in_layer && lvl_move_takes(source, plane, lvl_main_layer(source)))
            copy_area_list(c, &lists[k], &here, &there_list);
    }
    c->e.changed++;
    return c->e.load.status;
}
#endif

/* ---- the whole --------------------------------------------------------------------------------------- */

/* `same`: the target has the path of the source; items are appended to their list. */
static lvl_status find_targets(const lvl_doc *to, const char *path, bool same, lvl_match **out, size_t *n,
                               lvl_findings *findings)
{
    lvl_path parsed;

    *out = NULL;
    *n = 0;
    lvl_status status = lvl_path_parse(&parsed, lvl_text_of(path), NULL, findings);
    if (status == LVL_OK && same && parsed.depth)
        parsed.steps[parsed.depth - 1].select = LVL_SELECT_NONE;
    if (status == LVL_OK)
        status = lvl_path_find(&parsed, to, out, n, findings);
    lvl_path_free(&parsed);
    return status;
}

static lvl_status copy_matches(copier *c, const lvl_match *from, size_t n, lvl_match *to, size_t m)
{
    const bool items = from->index != LVL_NO_INDEX;
    const bool into_list = items && to->field && to->field->kind == LVL_LIST && !to->has_region &&
                           (to->append || to->index == LVL_NO_INDEX);

    for (size_t i = 0; i < n; i++) {
        if (!from[i].field || !to->field)
            return lvl_fault_add(c->findings, LVL_FAULT_PATH, "a whole document cannot be copied; use `cp'");
        if (from[i].append)
            return lvl_fault_add(c->findings, LVL_FAULT_PATH,
                                 "expected an item to copy, found %s[+], which adds one",
                                 from[i].field->name);
    }
    if (m != 1 && (n != 1 || into_list))
        return lvl_fault_add(c->findings, LVL_FAULT_PATH,
                             "the path to copy to finds %zu places, expected one", m);
    for (size_t i = 0; i < m; i++) {
        if (lvl_editor_refuses(&c->e, &to[i], false))
            return c->e.load.status;
    }
    if (into_list) {
        for (size_t i = 0; i < n; i++) {
            if (from[i].index == LVL_NO_INDEX || from[i].field->item != to->field->item ||
                from[i].field->table != to->field->table)
                return lvl_fault_add(c->findings, LVL_FAULT_PATH,
                                     "the items are of another kind than those of the list to copy to");
        }
        copy_items(c, from, n, to);
        return c->e.load.status;
    }
    if (c->move)
        return lvl_fault_add(
            c->findings, LVL_FAULT_PATH,
            "only objects that are added to a list can be moved; copy a part of the level as a "
            "region of tiles");
    if (n != 1 && !(from->has_region && !to->has_region))
        return lvl_fault_add(c->findings, LVL_FAULT_PATH,
                             "the path finds %zu values, and the place to copy to is not a list", n);
    for (size_t i = 0; i < (n > m ? n : m) && is_ok(c); i++) {
        const lvl_match *source = n == 1 ? from : &from[i], *target = m == 1 ? to : &to[i];
        if (source->has_region)
            copy_region(c, source, target);
        else
            copy_member(c, source, target);
    }
    return c->e.load.status;
}

/* Adds what a path finds in the source. */
static lvl_status add_sources(const copier *c, const char *path, lvl_match **all, size_t *count, size_t *cap)
{
    lvl_match *found = NULL;
    size_t n = 0;

    lvl_status status = lvl_path_matches(c->from, lvl_text_of(path), &found, &n, c->findings);
    if (status == LVL_OK && !lvl_grow(all, cap, *count + n, sizeof **all))
        status = LVL_ERR_MEMORY;
    if (status == LVL_OK && n)
        memcpy(*all + *count, found, n * sizeof *found);
    if (status == LVL_OK)
        *count += n;
    free(found);
    return status;
}

static lvl_status copy(copier *c, lvl_doc *to, const char *to_path, const char *from_path, size_t *copied)
{
    const size_t more = c->move ? c->move->path_count : 0;
    const char *first = from_path || !more ? from_path : c->move->paths[0];
    lvl_match *sources = NULL, *targets = NULL;
    size_t n = 0, m = 0, cap = 0;

    lvl_status status = lvl_editor_begin(&c->e, to, c->findings);
#ifndef LVL_WITHOUT_REGIONS
    if (status == LVL_OK && !first)
        status = copy_area(c);
#endif
    if (status == LVL_OK && from_path)
        status = add_sources(c, from_path, &sources, &n, &cap);
    for (size_t i = 0; i < more && status == LVL_OK; i++)
        status = add_sources(c, c->move->paths[i], &sources, &n, &cap);
    if (status == LVL_OK && first)
        status = find_targets(to, to_path ? to_path : first, !to_path, &targets, &m, c->findings);
    if (status == LVL_OK && first)
        status = copy_matches(c, sources, n, targets, m);
    free(sources);
    free(targets);
    status = lvl_editor_finish(&c->e, status, copied);
    if (status == LVL_OK && to->format->calls->settle)
        to->format->calls->settle(to);
    return status;
}

lvl_status lvl_copy(lvl_doc *to, const char *to_path, const lvl_doc *from, const char *from_path,
                    size_t *copied, lvl_findings *findings)
{
    copier c = {.from = from, .findings = findings};

    return copy(&c, to, to_path, from_path, copied);
}

lvl_status lvl_copy_over(lvl_doc *to, const char *to_path, const lvl_doc *from, const char *from_path)
{
    copier c = {.from = from, .over = true};

    return copy(&c, to, to_path, from_path, NULL);
}

lvl_status lvl_copy_moved(lvl_doc *to, const char *to_path, const lvl_doc *from, const char *from_path,
                          const lvl_move_options *options, size_t *copied, lvl_findings *findings)
{
    copier c = {.from = from, .findings = findings, .move = options};

    return copy(&c, to, to_path, from_path, copied);
}
