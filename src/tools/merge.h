/*
 * tools/merge.h: the parts of a three-way merge. OURS is changed in place; the content of BASE and THEIRS is
 * not changed.
 */
#ifndef LVL_TOOLS_MERGE_H
#define LVL_TOOLS_MERGE_H

#include "tools/diff.h"
#include "tools/edit.h"

enum { LVL_MERGE_LISTS = 16 };

/* The new indices of the items of a list of the root: item i of BASE or THEIRS is item base[i] or theirs[i]
 * of the merged list; LVL_NO_INDEX: removed. References to the list are translated with them. */
typedef struct lvl_merged_list {
    const char *list;
    uint32_t *base, *theirs;
    uint32_t base_count, theirs_count;
} lvl_merged_list;

/* Items of a list of the root that one side removed while the other has references to them: they are in the
 * merged list until it is known whether the merged document refers to them. */
typedef struct lvl_condemned {
    const lvl_field *list;
    uint8_t *by; /* by item of the merged list: who removed it, a lvl_remover */
    uint32_t count;
} lvl_condemned;
typedef enum lvl_remover { LVL_REMOVED_BY_NONE, LVL_REMOVED_BY_OURS, LVL_REMOVED_BY_THEIRS } lvl_remover;

typedef struct lvl_merger lvl_merger;

struct lvl_merger {
    lvl_editor edit; /* of OURS */
    /* Merges all members of a record. `base` NULL: both sides added it. */
    void (*record)(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_table *table);
    lvl_doc *ours, *base, *theirs;
    const lvl_merge_options *options;
    lvl_findings *findings;
    lvl_where where; /* in OURS */
    uint64_t conflicts;
    uint64_t first; /* of a document in another one: conflicts before it */
    /* The only side that moved the content of a grid in the record that is merged; NULL: none, or both. */
    const lvl_doc *moved;
    int64_t moved_x, moved_y; /* px by which it moved it */
    unsigned depth; /* of documents in documents */
    lvl_merged_list lists[LVL_MERGE_LISTS];
    uint32_t list_count;
    lvl_condemned condemned[LVL_MERGE_LISTS];
    uint32_t condemned_count;
};

static inline bool lvl_merge_ok(const lvl_merger *m)
{
    return m->edit.load.status == LVL_OK;
}
void lvl_merge_fail(lvl_merger *m, lvl_status status);
/* Reports a conflict at the current path. */
void lvl_merge_conflict(lvl_merger *m, const char *fmt, ...) LVL_PRINTF(2, 3);
/* Reports a conflict with the item that it is in and the three values of the field; NULL: absent there.
 * `place` and `more` stand before and behind the values. */
void lvl_merge_conflict_values(lvl_merger *m, const char *place, const void *base, const void *ours,
                               const void *theirs, const lvl_field *field, const char *more);
/* Reports a conflict about an item of `doc`, which is named: an index alone says little. `text` is
 * emptied. */
void lvl_merge_conflict_item(lvl_merger *m, const lvl_doc *doc, const void *item, const lvl_table *table,
                             lvl_buffer *text);
/* Writes how an item of BASE was changed, "x 3 -> 5, script". */
void lvl_merge_put_changes(const lvl_emit *old, const void *base, const lvl_emit *now, const void *item,
                           const lvl_table *table);
/* The side that wins the conflict that is reported next. */
lvl_merge_side lvl_merge_next_side(const lvl_merger *m);
/* The document of that side; NULL: OURS. */
const lvl_doc *lvl_merge_winner(const lvl_merger *m);
/* Copies a member from `from`, a record of `doc` (BASE or THEIRS), to OURS. */
void lvl_merge_take(lvl_merger *m, void *ours, const lvl_doc *doc, const void *from, const lvl_field *field);
/* Merges a list of records that all three have. */
void lvl_merge_list(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *field);
/* Removes the condemned items that nothing refers to; the others are conflicts. After all else is merged. */
void lvl_merge_condemned(lvl_merger *m);
/* Merges a grid that all three have. */
void lvl_merge_cells(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *field);
/* Merges a grid that both sides added, cell by cell against a blank one. False: their sizes differ, or one
 * is damaged. */
bool lvl_merge_new_cells(lvl_merger *m, void *ours, const void *theirs, const lvl_field *field);
/* The distance in px by which most objects of a layer moved since BASE; false: there are none. */
bool lvl_merge_distance(lvl_merger *m, const void *base, const void *side, int64_t px[2]);
/* Merges a text of lines that both sides changed; of conflicting lines the result has those of OURS or the
 * winner. False: the text has one line, so that all of it conflicts, or the merge failed. */
bool lvl_merge_lines(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *field);
/* An integer member of `doc` (any of the three); a reference is translated to the merged list. */
int64_t lvl_merge_int(const lvl_merger *m, const lvl_doc *doc, const void *record, const lvl_field *field);
/* The index in the merged list of item `index` of BASE or THEIRS, for a field that references a list of the
 * root. */
uint32_t lvl_merge_index(const lvl_merger *m, const lvl_field *field, const lvl_doc *doc, uint32_t index);

/* ---- merge_shape.c ----------------------------------------------------------------------------------- */

/* What the result gets after the content is merged in the form and the chunks of OURS; NULL and 0: it
 * stays. */
typedef struct lvl_merge_shape {
    const char *form;
    uint32_t chunks;
} lvl_merge_shape;

/* `doc` in the form of `ours`: itself, or *made, to be freed. */
lvl_status lvl_merge_in_form_of(const lvl_doc *ours, lvl_doc *doc, lvl_findings *findings, lvl_doc **made,
                                lvl_doc **out);
/* Stores BASE and THEIRS in chunks of the size that OURS has, if all have chunks. */
lvl_status lvl_merge_in_chunks_of(const lvl_doc *ours, lvl_doc *base, lvl_doc *theirs,
                                  lvl_findings *findings);
/* Decides the shape of the result; what all sides changed in different ways is a conflict. */
lvl_merge_shape lvl_merge_shape_of(lvl_merger *m, lvl_doc *theirs, lvl_doc *base);
/* A document with the same content and spelling, to be freed. */
lvl_status lvl_merge_copy_document(const lvl_doc *doc, lvl_doc **out);
/* Gives the merged document the shape; one that cannot hold its content is a conflict. */
lvl_status lvl_merge_reshape(lvl_merger *m, lvl_doc **doc, const lvl_merge_shape *wanted);

#endif
