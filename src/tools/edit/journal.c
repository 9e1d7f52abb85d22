/*
 * tools/edit/journal.c: makes edits all or none: old values are stored before a member is assigned, and
 * replaced memory stays in the document's arena, so that copying them back in reverse order undoes an edit.
 */
#include "base/text.h"

#include "base/arena.h"
#include "tools/edit/edit.h"
#include "base/buffer.h"

#include <stdlib.h>
#include <string.h>

static bool note_change(lvl_editor *e, void *at, size_t size)
{
    if (!lvl_grow(&e->entries, &e->cap, e->count + 1, sizeof *e->entries) ||
        !lvl_buffer_reserve(&e->old, size)) {
        e->load.status = LVL_ERR_MEMORY;
        return false;
    }
    lvl_edit_entry one = {at, size, e->old.len};
    e->entries[e->count++] = one;
    lvl_buffer_add(&e->old, at, size);
    return true;
}

bool lvl_editor_note_member(lvl_editor *e, void *record, const lvl_field *f)
{
    if (f->kind == LVL_LIST && !note_change(e, (uint8_t *)record + f->count_offset, sizeof(uint32_t)))
        return false;
    return note_change(e, (uint8_t *)record + f->offset, f->size);
}

lvl_status lvl_editor_begin(lvl_editor *e, lvl_doc *doc, lvl_findings *findings)
{
    memset(e, 0, sizeof *e);
    e->load.doc = doc;
    e->load.findings = findings;
    e->load.given = true;
    e->override_count = doc->override_count;
    if (!doc->override_count)
        return LVL_OK;
    e->overrides = malloc(doc->override_count * sizeof *e->overrides);
    e->old_derived = malloc(doc->override_count * sizeof *e->old_derived);
    if (!e->overrides || !e->old_derived)
        return LVL_ERR_MEMORY;
    memcpy(e->overrides, doc->overrides, doc->override_count * sizeof *e->overrides);
    for (uint32_t i = 0; i < doc->override_count; i++) {
        const lvl_override *o = &doc->overrides[i];
        e->old_derived[i] = o->record ? lvl_get_int(o->record, o->field) : 0;
    }
    return LVL_OK;
}

/* Restores the overrides and the values of their members. */
static void restore_overrides(lvl_editor *e)
{
    lvl_doc *doc = e->load.doc;

    doc->override_count = e->override_count;
    for (uint32_t i = 0; e->overrides && e->old_derived && i < e->override_count; i++) {
        doc->overrides[i] = e->overrides[i];
        if (e->overrides[i].record)
            lvl_put_int((void *)(uintptr_t)e->overrides[i].record, e->overrides[i].field, e->old_derived[i]);
    }
    lvl_doc_index_overrides(doc);
}

lvl_status lvl_editor_finish(lvl_editor *e, lvl_status status, size_t *changed)
{
    lvl_doc *doc = e->load.doc;

    if (status == LVL_OK) {
        e->recomputed = true;
        status = lvl_doc_recompute_derived(doc);
    }
    if (status != LVL_OK) {
        while (e->count) {
            const lvl_edit_entry *one = &e->entries[--e->count];
            memcpy(one->at, e->old.data + one->data, one->size);
        }
        /* derived members may be recomputed in part: recompute all from the old content, then restore those
         * that disagreed */
        if (e->recomputed) {
            restore_overrides(e);
            lvl_doc_recompute_derived(doc);
        }
        restore_overrides(e);
        e->changed = 0;
    }
    if (changed)
        *changed = e->changed;
    lvl_buffer_free(&e->old);
    free(e->entries);
    free(e->overrides);
    free(e->old_derived);
    free(e->grids);
    return status;
}
