/*
 * support/edits.c: random edits of documents.
 */
#include "edits.h"

#include <string.h>

const char *const lvl_edit_kind_names[LVL_EDIT_KINDS] = {"int", "named", "real", "text", "lines", "cells"};

typedef struct search {
    const lvl_doc *doc;
    lvl_edit_kind kind;
    uint64_t random;
    uint64_t seen;
    lvl_edit_place found;
} search;

uint64_t lvl_edit_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static bool is_kind(const lvl_field *f, lvl_edit_kind kind)
{
    const bool named = f->names || lvl_field_is_switch(f);

    switch (kind) {
    case LVL_EDIT_INT: return f->kind == LVL_INT && !named && !f->ref;
    case LVL_EDIT_NAMED: return f->kind == LVL_INT && named;
    case LVL_EDIT_REAL: return f->kind == LVL_REAL;
    case LVL_EDIT_TEXT: return f->kind == LVL_TEXT && !(f->flags & LVL_F_LINES);
    case LVL_EDIT_LINES: return f->kind == LVL_TEXT && (f->flags & LVL_F_LINES);
    case LVL_EDIT_CELLS: return f->kind == LVL_CELLS;
    default: return false;
    }
}

/* All members of the kind have the same probability. Of long lists 200 items are considered. */
static void look(search *s, const void *record, const lvl_table *table, const lvl_where *where)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];

        if ((f->role != LVL_VALUE && f->role != LVL_UNKNOWN) || (f->flags & (LVL_F_FORM | LVL_F_SIGNATURE)) ||
            !lvl_field_present(record, f))
            continue;
        if (is_kind(f, s->kind) && lvl_edit_random(&s->random) % ++s->seen == 0)
            s->found = (lvl_edit_place){lvl_where_to(*where, f, LVL_NO_INDEX), f};
        if (f->kind == LVL_RECORD) {
            const lvl_where below = lvl_where_to(*where, f, LVL_NO_INDEX);
            look(s, lvl_get_record(record, f), f->table, &below);
        } else if (f->kind == LVL_LIST && f->item == LVL_RECORD) {
            const uint32_t n = lvl_list_count(record, f), step = n / 200 + 1;
            for (uint32_t j = 0; j < n; j += step) {
                const lvl_where below = lvl_where_to(*where, f, j);
                look(s, lvl_list_item(record, f, j), f->table, &below);
            }
        }
    }
}

bool lvl_edit_find(const lvl_doc *doc, lvl_edit_kind kind, uint64_t *random, lvl_edit_place *out)
{
    const lvl_where root = lvl_where_root();
    search s = {.doc = doc, .kind = kind, .random = *random};

    look(&s, lvl_doc_croot(doc), lvl_doc_table(doc), &root);
    *random = s.random;
    *out = s.found;
    return s.seen != 0;
}

void *lvl_edit_holder(lvl_doc *doc, const lvl_edit_place *p)
{
    const void *record = lvl_doc_croot(doc);

    for (uint32_t i = 0; i + 1 < p->where.depth; i++) {
        const lvl_step *step = &p->where.steps[i];
        if (step->index == LVL_NO_INDEX)
            record = lvl_get_record(record, step->field);
        else if (step->index < lvl_list_count(record, step->field))
            record = lvl_list_item(record, step->field, step->index);
        else
            return NULL;
    }
    return (void *)(uintptr_t)record;
}

static bool change_cell(lvl_doc *doc, void *record, const lvl_field *f, uint64_t *random)
{
    lvl_buffer storage = {0};
    lvl_cells cells;
    uint64_t at = 0;
    uint32_t old = 0, value = 0;

    if (lvl_doc_cells(doc, record, f, &storage, &cells) != LVL_OK || !cells.ptr || !cells.width ||
        !cells.height) {
        lvl_buffer_free(&storage);
        return false;
    }
    /* a value of another cell of the grid, so that it is a meaningful one */
    for (int tries = 0; tries < 200 && value == old; tries++) {
        const uint64_t from = lvl_edit_random(random) % ((uint64_t)cells.width * cells.height);
        at = lvl_edit_random(random) % ((uint64_t)cells.width * cells.height);
        old = lvl_cell(&cells, (uint32_t)(at % cells.width), (uint32_t)(at / cells.width));
        value = lvl_cell(&cells, (uint32_t)(from % cells.width), (uint32_t)(from / cells.width));
    }
    const uint32_t size = cells.size;
    lvl_buffer_free(&storage);
    if (value == old)
        return false;
    uint8_t *grid = lvl_cells_edit(doc, record, f);
    if (!grid)
        return false;
    for (uint32_t i = 0; i < size; i++)
        grid[at * size + i] = (uint8_t)(value >> 8 * i);
    return true;
}

static bool change_text(lvl_doc *doc, void *record, const lvl_field *f, uint64_t *random)
{
    lvl_text old = lvl_get_text(record, f);
    char *fresh = lvl_doc_alloc(doc, old.len + 2);
    size_t at = old.len ? lvl_edit_random(random) % old.len : 0;

    if (!fresh)
        return false;
    if (old.len)
        memcpy(fresh, old.ptr, old.len);
    /* changes a letter; appends one to a text without letters */
    for (size_t i = 0; i < old.len; i++, at = at + 1 == old.len ? 0 : at + 1) {
        if ((fresh[at] >= 'a' && fresh[at] <= 'y') || (fresh[at] >= 'A' && fresh[at] <= 'Y')) {
            fresh[at]++;
            return lvl_put_text(doc, record, f, (lvl_text){fresh, old.len}) == LVL_OK;
        }
    }
    fresh[old.len] = 'q';
    return lvl_put_text(doc, record, f, (lvl_text){fresh, old.len + 1}) == LVL_OK;
}

static bool change_int(void *record, const lvl_field *f)
{
    const int64_t old = lvl_get_int(record, f);

    if (f->names && !(f->flags & LVL_F_FLAGS)) {
        for (const lvl_name *n = f->names; n->name; n++) {
            if (n->value != old && lvl_int_fits(f, n->value)) {
                lvl_put_int(record, f, n->value);
                return true;
            }
        }
    }
    lvl_put_int(record, f, f->flags & LVL_F_FLAGS && f->names ? old ^ f->names[0].value : old ^ 1);
    return lvl_get_int(record, f) != old;
}

bool lvl_edit_change(lvl_doc *doc, const lvl_edit_place *p, uint64_t *random)
{
    void *record = lvl_edit_holder(doc, p);

    switch (p->field->kind) {
    case LVL_INT: return change_int(record, p->field);
    case LVL_REAL: {
        double value = lvl_get_real(record, p->field) + 1;
        memcpy((uint8_t *)record + p->field->offset, &value, sizeof value);
        return true;
    }
    case LVL_TEXT: return change_text(doc, record, p->field, random);
    case LVL_CELLS: return change_cell(doc, record, p->field, random);
    default: return false;
    }
}
