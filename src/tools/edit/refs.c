/*
 * tools/edit/refs.c: adjusts the references to a list's items (integers and cells with LVL_F_FOLLOWS) when
 * items are inserted, removed or moved.
 */
#include "base/arena.h"
#include "tools/edit/edit.h"
#include "tools/edit/script_refs.h"

#include <string.h>

typedef struct follower {
    lvl_editor *e;
    const char *list; /* as the fields' `ref` has it */
    const uint32_t *map;
    uint32_t count;
    uint8_t *used; /* NULL, or: only mark the referenced items here, and change nothing */
    lvl_buffer storage; /* for late grids */
} follower;

static void follow_record(follower *s, void *record, const lvl_table *table, unsigned depth);

static bool refers_to(const char *list, const lvl_field *f)
{
    return (f->flags & LVL_F_FOLLOWS) && f->ref && strcmp(f->ref, list) == 0;
}

/* Whether the records of a table, or any below them, have references to the list. */
static bool any_refers(const char *list, const lvl_table *table,
                       unsigned depth) /* NOLINT(misc-no-recursion) */
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (refers_to(list, f) || (f->table && depth && any_refers(list, f->table, depth - 1)))
            return true;
    }
    return false;
}

bool lvl_list_is_referenced(const lvl_table *root, const char *list)
{
    return any_refers(list, root, LVL_PATH_DEPTH);
}

static void follow_int(follower *s, void *record, const lvl_field *f)
{
    const int64_t was = lvl_get_int(record, f);

    if (s->used && was >= 0 && was < s->count)
        s->used[was] = 1;
    if (s->used)
        return;
    if (was < 0 || was >= s->count || s->map[was] == (uint64_t)was ||
        !lvl_editor_note_member(s->e, record, f))
        return;
    lvl_put_int(record, f, s->map[was] == LVL_NO_INDEX ? f->def : s->map[was]);
}

static void follow_cells(follower *s, void *record, const lvl_field *f)
{
    const uint32_t none = lvl_empty_cell(f);
    lvl_doc *doc = s->e->load.doc;
    uint8_t *grid = NULL;
    lvl_cells cells;

    const lvl_status status = lvl_doc_cells(doc, record, f, &s->storage, &cells);
    if (status == LVL_ERR_FORMAT || (status == LVL_OK && !cells.ptr))
        return; /* a grid that cannot be decoded keeps its bytes */
    if (status != LVL_OK) {
        s->e->load.status = status;
        return;
    }
    const size_t n = (size_t)cells.width * cells.height;
    for (size_t i = 0; i < n; i++) {
        const uint32_t was = lvl_cell(&cells, (uint32_t)(i % cells.width), (uint32_t)(i / cells.width));
        if (s->used && was < s->count)
            s->used[was] = 1;
        if (s->used || was >= s->count || s->map[was] == was)
            continue;
        if (!grid) {
            grid = lvl_arena_copy(&doc->arena, cells.ptr, n * cells.size);
            if (!grid || !lvl_editor_note_member(s->e, record, f)) {
                s->e->load.status = LVL_ERR_MEMORY;
                return;
            }
        }
        const uint32_t now = s->map[was] == LVL_NO_INDEX ? none : s->map[was];
        lvl_put_cell(grid + i * cells.size, cells.size, now);
    }
    if (!grid)
        return;
    cells.ptr = grid;
    memcpy((uint8_t *)record + f->offset, &cells, sizeof cells);
}

static void follow_record(follower *s, void *record, const lvl_table *table,
                          unsigned depth) /* NOLINT(misc-no-recursion) */
{
    for (uint32_t i = 0; i < table->field_count && s->e->load.status == LVL_OK; i++) {
        const lvl_field *f = &table->fields[i];
        if (!lvl_field_present(record, f))
            continue;
        if (refers_to(s->list, f) && f->kind == LVL_INT) {
            follow_int(s, record, f);
        } else if (refers_to(s->list, f) && f->kind == LVL_CELLS) {
            follow_cells(s, record, f);
        } else if (f->table && depth && any_refers(s->list, f->table, depth - 1)) {
            if (f->kind == LVL_RECORD)
                follow_record(s, (uint8_t *)record + f->offset, f->table, depth - 1);
            for (uint32_t k = 0; f->kind == LVL_LIST && k < lvl_list_count(record, f); k++)
                follow_record(s, lvl_item_at(record, f, k), f->table, depth - 1);
        }
    }
}

void lvl_editor_follow_in(lvl_editor *e, const char *list, const uint32_t *map, uint32_t count, void *record,
                          const lvl_table *table)
{
    follower s = {.e = e, .list = list, .map = map, .count = count};

    follow_record(&s, record, table, LVL_PATH_DEPTH);
    lvl_buffer_free(&s.storage);
}

void lvl_editor_mark_used(lvl_editor *e, const char *list, uint8_t *used, uint32_t count, void *record,
                          const lvl_table *table)
{
    follower s = {.e = e, .list = list, .used = used, .count = count};

    follow_record(&s, record, table, LVL_PATH_DEPTH);
    lvl_buffer_free(&s.storage);
}

void lvl_editor_follow(lvl_editor *e, const lvl_match *list, const uint32_t *map, uint32_t count)
{
    const lvl_doc *doc = e->load.doc;

    if (list->where.depth != 1) /* references name lists of the root */
        return;
    lvl_editor_follow_in(e, list->field->name, map, count, doc->root, doc->format->table);
    lvl_editor_follow_scripts(e, list->field->name, map, count);
}
