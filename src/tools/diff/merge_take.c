/*
 * tools/diff/merge_take.c: copies members from another document, with the references in them, and compares
 * members by what their references mean.
 */
#include "tools/diff/merge.h"
#include "tools/edit/script_refs.h"

#include <string.h>

static const lvl_merged_list *list_of(const lvl_merger *m, const lvl_field *f)
{
    for (uint32_t i = 0; (f->flags & LVL_F_FOLLOWS) && f->ref && i < m->list_count; i++) {
        if (strcmp(m->lists[i].list, f->ref) == 0)
            return &m->lists[i];
    }
    return NULL;
}

static uint32_t merged_index(const lvl_merger *m, const lvl_field *field, const lvl_doc *doc, uint32_t index)
{
    const lvl_merged_list *list = list_of(m, field);

    if (!list || doc == m->ours)
        return index;
    if (doc == m->base)
        return index < list->base_count ? list->base[index] : index;
    return index < list->theirs_count ? list->theirs[index] : index;
}

int64_t lvl_merge_int(const lvl_merger *m, const lvl_doc *doc, const void *record, const lvl_field *f)
{
    const int64_t v = lvl_get_int(record, f);

    if (doc == m->ours || !list_of(m, f) || v < 0 || v >= UINT32_MAX)
        return v;
    const uint32_t index = merged_index(m, f, doc, (uint32_t)v);
    return index == LVL_NO_INDEX ? f->def : index;
}

uint32_t lvl_merge_cell(const lvl_merger *m, const lvl_field *field, const lvl_doc *doc, uint32_t value)
{
    const uint32_t index = merged_index(m, field, doc, value);

    return index == LVL_NO_INDEX && value != LVL_NO_INDEX ? lvl_empty_cell(field) : index;
}

/* The items of the list that a field refers to which one side removed; NULL: there are none. */
static const lvl_pending_list *pending_of(const lvl_merger *m, const lvl_field *f)
{
    for (uint32_t i = 0; (f->flags & LVL_F_FOLLOWS) && f->ref && i < m->pending_count; i++) {
        if (strcmp(m->pending[i].list->name, f->ref) == 0)
            return &m->pending[i];
    }
    return NULL;
}

bool lvl_merge_is_dropped(const lvl_merger *m, const lvl_field *field, const lvl_doc *doc, int64_t base,
                          int64_t value)
{
    const lvl_pending_list *p = pending_of(m, field);
    const int64_t none = field->kind == LVL_CELLS ? (int64_t)lvl_empty_cell(field) : field->def;
    const int by = doc == m->ours ? LVL_REMOVED_BY_OURS : LVL_REMOVED_BY_THEIRS;

    return p && value == none && base >= 0 && base < p->count && (p->by[base] & LVL_REMOVED_BY) == by;
}

/* Translates the references in a copied record from its document to the merged lists. */
static void translate(lvl_merger *m, void *record, const lvl_table *table, const lvl_doc *doc)
{
    for (uint32_t i = 0; i < m->list_count && lvl_merge_ok(m); i++) {
        const lvl_merged_list *l = &m->lists[i];
        const bool base = doc == m->base;
        lvl_editor_follow_in(&m->edit, l->list, base ? l->base : l->theirs,
                             base ? l->base_count : l->theirs_count, record, table);
    }
}

void lvl_merge_take(lvl_merger *m, void *ours, const lvl_doc *doc, const void *from, const lvl_field *field)
{
    const lvl_table one = {.fields = field, .field_count = 1};

    if (!lvl_merge_ok(m))
        return;
    if (field->kind == LVL_INT) {
        if (lvl_editor_note_member(&m->edit, ours, field))
            lvl_put_int(ours, field, lvl_merge_int(m, doc, from, field));
        return;
    }
    m->edit.load.where = m->where;
    lvl_editor_take(&m->edit, ours, field, doc, from, field);
    if (lvl_merge_ok(m))
        translate(m, ours, &one, doc);
}

/* ---- scripts ----------------------------------------------------------------------------------------- */

typedef struct translation {
    lvl_merger *m;
    const lvl_doc *doc;
    const uint32_t *map;
    uint32_t count;
} translation;

static void translate_script(void *user, void *record, const lvl_field *f)
{
    const translation *t = user;
    const lvl_text was = lvl_get_text(record, f);
    lvl_merger *m = t->m;
    lvl_buffer out = {0};

    if (!lvl_merge_ok(m))
        return;
    lvl_merge_fail(m, lvl_script_renumber(t->doc, was, t->map, t->count, &out));
    if (lvl_merge_ok(m) && out.len) {
        const lvl_text now = {(const char *)lvl_arena_copy(&m->arena, out.data, out.len), out.len};
        if (now.ptr)
            lvl_merge_set(m, record, f, 0, now);
        else
            lvl_merge_fail(m, lvl_arena_status(&m->arena, LVL_ERR_MEMORY));
    }
    lvl_buffer_free(&out);
}

void lvl_merge_translate_scripts(lvl_merger *m)
{
    const lvl_doc *const docs[2] = {m->base, m->theirs};

    for (uint32_t i = 0; i < m->list_count; i++) {
        const lvl_merged_list *l = &m->lists[i];
        for (int k = 0; k < 2 && lvl_scripts_name(m->ours, l->list); k++) {
            translation t = {m, docs[k], k ? l->theirs : l->base, k ? l->theirs_count : l->base_count};
            lvl_scripts_visit(docs[k]->root, docs[k]->format->table, translate_script, &t);
        }
    }
}

void lvl_merge_set(lvl_merger *m, void *record, const lvl_field *f, int64_t number, lvl_text text)
{
    lvl_member_was was = {.record = record, .field = f};

    if (!lvl_grow(&m->translated, &m->translated_cap, m->translated_count + 1, sizeof *m->translated)) {
        lvl_merge_fail(m, LVL_ERR_MEMORY);
        return;
    }
    if (f->kind == LVL_INT) {
        was.number = lvl_get_int(record, f);
        lvl_put_int(record, f, number);
    } else {
        was.text = lvl_get_text(record, f);
        memcpy((uint8_t *)record + f->offset, &text, sizeof text);
    }
    m->translated[m->translated_count++] = was;
}

void lvl_merge_restore(const lvl_merger *m)
{
    for (size_t i = m->translated_count; i-- > 0;) {
        const lvl_member_was *s = &m->translated[i];
        if (s->field->kind == LVL_INT)
            lvl_put_int(s->record, s->field, s->number);
        else
            memcpy((uint8_t *)s->record + s->field->offset, &s->text, sizeof s->text);
    }
}

/* ---- comparison -------------------------------------------------------------------------------------- */

static bool same_cells(const lvl_merger *m, const lvl_cells *base, const lvl_doc *doc, const lvl_cells *cells,
                       const lvl_field *f)
{
    bool same = base->width == cells->width && base->height == cells->height && base->ptr && cells->ptr;

    for (uint32_t y = 0; same && y < base->height; y++) {
        for (uint32_t x = 0; same && x < base->width; x++) {
            const uint32_t was = lvl_merge_cell(m, f, m->base, lvl_cell(base, x, y)),
                           is = lvl_merge_cell(m, f, doc, lvl_cell(cells, x, y));
            same = was == is || (m->ignore_dropped && lvl_merge_is_dropped(m, f, doc, was, is));
        }
    }
    return same;
}

/* The same for grids that may not be decoded: nothing else reads those of a layer that a side removed. */
static bool same_stored_cells(const lvl_merger *m, const void *base, const lvl_doc *doc, const void *record,
                              const lvl_field *f)
{
    lvl_buffer storage[2] = {{0}, {0}};
    lvl_cells a, b;

    const lvl_status status = lvl_doc_cells(m->base, base, f, &storage[0], &a);
    const bool decoded = status == LVL_OK && lvl_doc_cells(doc, record, f, &storage[1], &b) == LVL_OK;
    const bool same =
        decoded && a.ptr && b.ptr ? same_cells(m, &a, doc, &b, f) : lvl_member_equal(base, record, f);
    lvl_buffer_free(&storage[0]);
    lvl_buffer_free(&storage[1]);
    return same;
}

bool lvl_merge_same_member(const lvl_merger *m, const void *base, const lvl_doc *doc, const void *record,
                           const lvl_field *f)
{
    const bool refers = list_of(m, f) || (m->ignore_dropped && pending_of(m, f));

    if (f->kind == LVL_INT && refers) {
        const int64_t was = lvl_merge_int(m, m->base, base, f), is = lvl_merge_int(m, doc, record, f);
        return was == is || (m->ignore_dropped && lvl_merge_is_dropped(m, f, doc, was, is));
    }
    if (f->kind == LVL_CELLS && refers)
        return same_stored_cells(m, base, doc, record, f);
    if (f->kind == LVL_RECORD)
        return lvl_merge_same_record(m, lvl_get_record(base, f), doc, lvl_get_record(record, f), f->table);
    if (f->kind == LVL_LIST && f->item == LVL_RECORD) {
        const uint32_t n = lvl_list_count(base, f);
        bool same = n == lvl_list_count(record, f);
        for (uint32_t i = 0; i < n && same; i++)
            same = lvl_merge_same_record(m, lvl_list_item(base, f, i), doc, lvl_list_item(record, f, i),
                                         f->table);
        return same;
    }
    return lvl_member_equal(base, record, f);
}

bool lvl_merge_same_record(const lvl_merger *m, const void *base, const lvl_doc *doc, const void *record,
                           const lvl_table *table)
{
    bool same = true;

    for (uint32_t i = 0; i < table->field_count && same; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->role == LVL_DERIVED || f->role == LVL_KEPT || (f->flags & LVL_F_FORM))
            continue; /* a converted item is the same one */
        const bool was = lvl_field_present(base, f), is = lvl_field_present(record, f);
        same = was == is && (!was || lvl_merge_same_member(m, base, doc, record, f));
    }
    return same;
}
