/*
 * tools/diff/merge_shape.c: the shape of a document, which is its form (a version of its format) and the
 * size of the chunks of its pixels. Content is merged in the shape of OURS; the result gets the shape that a
 * side changed.
 */
#include "tools/diff/merge.h"

#include "base/buffer.h"
#include "base/format.h"
#include "base/map_layout.h"
#include "tools/picture/pictures.h"
#include "tools/tools.h"

#include <string.h>

/* ---- chunks of another size -------------------------------------------------------------------------- */

/* The side in px of the chunks in which the pixels of a drawing are stored; 0: the document has no chunks. If
 * it was changed, all chunks differ, and only pixels can be compared. */
static uint32_t chunk_size(const lvl_doc *doc)
{
    const lvl_field *layers = doc->format->calls->restructure ? lvl_map_layers(doc->format) : NULL;

    if (!layers || !lvl_field_present(doc->root, layers) || !lvl_list_count(doc->root, layers))
        return 0;
    const lvl_field *size = lvl_field_with_role(layers->table, LVL_ROLE_CELL_WIDTH, NULL);
    return size ? (uint32_t)lvl_get_int(lvl_list_item(doc->root, layers, 0), size) : 0;
}

/* Stores a drawing in chunks of that size; its signature is removed, as by every change. */
static lvl_status set_chunk_size(lvl_doc *doc, uint32_t size, lvl_findings *findings)
{
    const lvl_draw_options options = {.chunk_size = size};
    const size_t allowed = lvl_doc_signature(doc).len != 0;

    if (chunk_size(doc) == size)
        return LVL_OK;
    lvl_findings *losses = lvl_findings_new(doc->ctx);
    if (!losses)
        return LVL_ERR_MEMORY;
    lvl_status status = lvl_doc_restructure(doc, &options, losses);
    if (status == LVL_OK && lvl_findings_count(losses) > allowed) {
        for (size_t i = 0; i < lvl_findings_count(losses); i++) {
            const lvl_finding *f = lvl_findings_at(losses, i);
            lvl_findings_add(findings, f->def, &f->where, NULL, "%s", f->text);
        }
        status = LVL_ERR_LOSS;
    }
    lvl_findings_free(losses);
    return status;
}

lvl_status lvl_merge_in_chunks_of(const lvl_doc *ours, lvl_doc *base, lvl_doc *theirs, lvl_findings *findings)
{
    /* a side that removed all layers has no chunks */
    const uint32_t size = chunk_size(ours) ? chunk_size(ours) : chunk_size(theirs);
    lvl_status status = LVL_OK;

    if (size && chunk_size(base))
        status = set_chunk_size(base, size, findings);
    if (status == LVL_OK && size && chunk_size(theirs))
        status = set_chunk_size(theirs, size, findings);
    return status;
}

/* ---- other forms ------------------------------------------------------------------------------------- */

/* version_of: the format has no forms, or its form is a member that is merged like others. */
static const uint32_t NO_FORM = UINT32_MAX;

/* The version of its format that a document has; where its reader notes none, the root's named field on which
 * other fields depend, unless that is another field than the form. */
static uint32_t version_of(const lvl_doc *doc)
{
    const lvl_table *root = doc->format->table;
    uint32_t form = 0; /* the flag that the field needs */

    for (uint32_t i = 0; i < root->field_count; i++)
        form |= root->fields[i].flags & LVL_F_FORM;
    for (uint32_t i = 0; !doc->version && doc->format->forms && i < root->field_count; i++) {
        const lvl_field *field = &root->fields[i];
        const lvl_field *tag = field->when.tag_size ? lvl_table_at(root, field->when.tag_offset) : NULL;
        if (tag && tag->names && (tag->flags & LVL_F_FORM) == form)
            return (uint32_t)lvl_get_int(doc->root, tag);
    }
    return doc->version ? doc->version : NO_FORM;
}

/* The form of a document, as lvl_convert names it; NULL: NO_FORM. */
static const char *form_of(const lvl_doc *doc)
{
    for (const lvl_form *f = doc->format->forms; f && f->name; f++) {
        if (strcmp(f->format, doc->format->id) == 0 && f->version == version_of(doc))
            return f->name;
    }
    return NULL;
}

/* `doc` in the form of `like`: itself, or *made, to be freed. */
static lvl_status in_form_of(const lvl_doc *like, lvl_doc *doc, lvl_findings *findings, lvl_doc **made,
                             lvl_doc **out)
{
    const char *form = form_of(like);

    *out = doc;
    if (like->format->table != doc->format->table)
        return LVL_ERR_ARG;
    if (!form || (like->format == doc->format && version_of(like) == version_of(doc)))
        return like->format == doc->format ? LVL_OK : LVL_ERR_ARG;
    const lvl_status status = lvl_convert(doc, form, false, findings, made);
    *out = *made;
    return status;
}

lvl_status lvl_merge_in_one_form(lvl_merger *m, lvl_doc *base, lvl_doc *theirs, lvl_doc **base_made,
                                 lvl_doc **theirs_made, lvl_doc **ours_made)
{
    lvl_findings *losses = lvl_findings_new(m->ours->ctx);

    if (!losses)
        return LVL_ERR_MEMORY;
    lvl_status status = in_form_of(m->ours, base, losses, base_made, &m->base);
    if (status == LVL_OK)
        status = in_form_of(m->ours, theirs, losses, theirs_made, &m->theirs);
    if (status == LVL_ERR_LOSS) {
        lvl_doc_free(*base_made);
        lvl_doc_free(*theirs_made);
        *base_made = *theirs_made = NULL;
        m->base = base;
        status = in_form_of(base, theirs, m->findings, theirs_made, &m->theirs);
        if (status == LVL_OK)
            status = in_form_of(base, m->ours, m->findings, ours_made, &m->ours);
    }
    lvl_findings_free(losses);
    return status;
}

/* ---- the shape of the result ------------------------------------------------------------------------- */

/* The result's value of three; a conflict if all differ. */
static int merged_side(int ours_is_base, int theirs_is_base, int same, lvl_merge_side prefer, bool *clash)
{
    *clash = !ours_is_base && !theirs_is_base && !same;
    return *clash ? (int)prefer : ours_is_base ? LVL_MERGE_THEIRS : LVL_MERGE_OURS;
}

static const char *or_none(const char *form)
{
    return form ? form : "none";
}

lvl_merge_shape lvl_merge_shape_of(lvl_merger *m, lvl_doc *ours, lvl_doc *base, lvl_doc *theirs)
{
    lvl_doc *const sides[] = {[LVL_MERGE_OURS] = ours, [LVL_MERGE_THEIRS] = theirs, [LVL_MERGE_BASE] = base};
    lvl_merge_shape out = {NULL, NULL, 0};
    bool clash;

    if (ours->format == theirs->format && ours->format == base->format) {
        const int side =
            merged_side(version_of(ours) == version_of(base), version_of(theirs) == version_of(base),
                        version_of(ours) == version_of(theirs), lvl_merge_next_side(m), &clash);
        if (clash)
            lvl_merge_conflict(m, "form: base %s, ours %s, theirs %s", or_none(form_of(base)),
                               or_none(form_of(ours)), or_none(form_of(theirs)));
        if (version_of(sides[side]) != version_of(m->ours)) {
            out.form = form_of(sides[side]);
            out.by = side == LVL_MERGE_OURS ? "ours" : side == LVL_MERGE_THEIRS ? "theirs" : "base";
        }
    }
    const uint32_t b = chunk_size(base), o = chunk_size(ours), t = chunk_size(theirs);
    if (b && o && t) {
        const int side = merged_side(o == b, t == b, o == t, lvl_merge_next_side(m), &clash);
        if (clash)
            lvl_merge_conflict(m, "chunks: base %lu px, ours %lu, theirs %lu", (unsigned long)b,
                               (unsigned long)o, (unsigned long)t);
        const uint32_t size = chunk_size(sides[side]);
        out.chunks = size == chunk_size(m->ours) ? 0 : size;
    }
    return out;
}

lvl_status lvl_merge_copy_document(const lvl_doc *doc, lvl_doc **out)
{
    lvl_buffer bytes = {0};

    lvl_status status = lvl_doc_write(doc, &bytes);
    if (status == LVL_OK)
        status = lvl_read(out, doc->ctx, doc->format, (lvl_bytes){bytes.data, bytes.len}, NULL, 0, NULL);
    lvl_buffer_free(&bytes);
    return status;
}

lvl_status lvl_merge_reshape(lvl_merger *m, lvl_doc **doc, const lvl_merge_shape *wanted)
{
    lvl_doc *made = NULL, *written = NULL;
    lvl_buffer out = {0};
    lvl_status status = wanted->chunks ? set_chunk_size(*doc, wanted->chunks, m->findings) : LVL_OK;

    if (status != LVL_OK || !wanted->form)
        return status;
    /* as it is written: beside the merged content, the document still has the file that OURS was read from */
    status = lvl_merge_copy_document(*doc, &written);
    if (status != LVL_OK)
        return status == LVL_ERR_LOSS ? LVL_OK
                                      : status; /* the writer of the result reports what cannot be written */
    lvl_findings *losses = lvl_findings_new((*doc)->ctx);
    status = losses ? lvl_convert(written, wanted->form, false, losses, &made) : LVL_ERR_MEMORY;
    if (status == LVL_OK)
        status = lvl_write(made, &out, losses);
    lvl_buffer_free(&out);
    lvl_doc_free(written);
    if (status == LVL_OK) {
        lvl_doc_free(*doc);
        *doc = made;
        made = NULL;
    } else if (status == LVL_ERR_LOSS) {
        const lvl_finding *first = lvl_findings_count(losses) ? lvl_findings_at(losses, 0) : NULL;
        m->where = first ? first->where : lvl_where_root();
        lvl_merge_conflict(m, "%s has the form %s, which cannot hold this: %s", wanted->by, wanted->form,
                           first ? first->text : "");
        status = LVL_OK;
    }
    lvl_doc_free(made);
    lvl_findings_free(losses);
    return status;
}
