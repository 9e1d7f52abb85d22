/*
 * tools/diff/merge.h: the parts of a three-way merge. OURS is changed in place; the content of BASE and
 * THEIRS is the same afterwards.
 *
 * merge.c prepares documents; merge_apply.c merges records, members and lists, by the rows of align.c and
 * the rules of merge_rules.c; merge_cells.c grids, merge_lines.c texts; merge_objects.c moves objects with
 * the lines of their grid; merge_pending.c removes items that the result may still refer to; merge_report.c
 * reports conflicts; merge_ids.c gives new items other ids; merge_take.c copies members with their
 * references.
 */
#ifndef LVL_TOOLS_MERGE_H
#define LVL_TOOLS_MERGE_H

#include "tools/diff/align.h"
#include "tools/diff/align_grid.h"
#include "tools/diff/diff.h"
#include "tools/edit/edit.h"

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
typedef struct lvl_pending_list {
    const lvl_field *list;
    uint8_t *by; /* by item of the merged list: who removed it, a lvl_remover */
    uint32_t count;
} lvl_pending_list;
typedef enum lvl_remover {
    LVL_REMOVED_BY_NONE,
    LVL_REMOVED_BY_OURS,
    LVL_REMOVED_BY_THEIRS,
    LVL_REMOVED_BY = 3, /* the bits of these */
    LVL_REMOVED_NAMED = 4 /* or: a script of the other side begins to name it */
} lvl_remover;

/* Bytes that may be documents: a level in a pack. They are merged after everything else. */
typedef struct lvl_inner {
    void *ours;
    const void *base, *theirs;
    const lvl_field *field;
    lvl_where where;
} lvl_inner;

/* A member of BASE or THEIRS as it was: a script, or an id. */
typedef struct lvl_member_was {
    void *record;
    const lvl_field *field;
    lvl_text text;
    int64_t number;
} lvl_member_was;

typedef struct lvl_merger {
    lvl_editor edit; /* of OURS */
    lvl_doc *ours, *base, *theirs;
    const lvl_merge_options *options;
    lvl_findings *findings;
    lvl_where where; /* in OURS */
    const char *member; /* the file in a pack that the documents are; NULL: none */
    uint64_t conflicts;
    uint64_t first; /* of a document in another one: conflicts before it */
    bool no_base; /* the record that is merged was added by both sides */
    bool ignore_dropped; /* references that went with their item are no change: lvl_merge_is_dropped */
    /* the columns and rows of the layer that is merged, if a side inserted or deleted some; NULL: none */
    const lvl_axis *columns, *rows;
    lvl_arena arena; /* of the axes */
    lvl_merged_list lists[LVL_MERGE_LISTS];
    uint32_t list_count;
    lvl_pending_list pending[LVL_MERGE_LISTS];
    uint32_t pending_count;
    lvl_inner *inner;
    size_t inner_count, inner_cap;
    lvl_member_was *translated; /* of BASE and THEIRS */
    size_t translated_count, translated_cap;
} lvl_merger;

static inline bool lvl_merge_ok(const lvl_merger *m)
{
    return m->edit.load.status == LVL_OK;
}
static inline void lvl_merge_fail(lvl_merger *m, lvl_status status)
{
    if (lvl_merge_ok(m))
        m->edit.load.status = status;
}

/* ---- merge_report.c ---------------------------------------------------------------------------------- */

/* Reports a conflict at the current path. */
void lvl_merge_conflict(lvl_merger *m, const char *fmt, ...) LVL_PRINTF(2, 3);
/* Reports a conflict with the item that it is in and the three values of the field; NULL: absent there.
 * `place` and `more` are written before and after the values. */
void lvl_merge_conflict_values(lvl_merger *m, const char *place, const void *base, const void *ours,
                               const void *theirs, const lvl_field *field, const char *more);
/* Reports a conflict about an item of the three lists (NULL: it is not there), with a sentence. */
void lvl_merge_conflict_item(lvl_merger *m, const void *base, const void *ours, const void *theirs,
                             const lvl_table *table, const char *sentence);
/* The side that wins the conflict that is reported next. */
lvl_merge_side lvl_merge_next_side(const lvl_merger *m);
/* The document of that side; NULL: OURS. */
const lvl_doc *lvl_merge_winner(const lvl_merger *m);

/* ---- merge_take.c ------------------------------------------------------------------------------------ */

/* Numbers of items in the scripts of BASE and THEIRS become those of the merged lists. */
void lvl_merge_translate_scripts(lvl_merger *m);
/* Sets an integer or a text of BASE or THEIRS until lvl_merge_restore. */
void lvl_merge_set(lvl_merger *m, void *record, const lvl_field *field, int64_t number, lvl_text text);
/* BASE and THEIRS become what they were. */
void lvl_merge_restore(const lvl_merger *m);
/* Copies a member from `from`, a record of `doc` (BASE or THEIRS), to OURS. */
void lvl_merge_take(lvl_merger *m, void *ours, const lvl_doc *doc, const void *from, const lvl_field *field);
/* An integer member of `doc` (any of the three); a reference is translated to the merged list. */
int64_t lvl_merge_int(const lvl_merger *m, const lvl_doc *doc, const void *record, const lvl_field *field);
/* The same for a cell: it is empty if the result does not have its item. */
uint32_t lvl_merge_cell(const lvl_merger *m, const lvl_field *field, const lvl_doc *doc, uint32_t value);
/* Whether a reference that BASE has, to that item of the merged list, is gone in `doc` (OURS or THEIRS)
 * because that side removed the item, and not because anybody edited what has the reference. */
bool lvl_merge_is_dropped(const lvl_merger *m, const lvl_field *field, const lvl_doc *doc, int64_t base,
                          int64_t value);
/* Whether a member of BASE and one of `doc` (OURS or THEIRS) have the same content, by what their references
 * mean. */
bool lvl_merge_same_member(const lvl_merger *m, const void *base, const lvl_doc *doc, const void *record,
                           const lvl_field *field);
/* The same for records, whatever their form is (LVL_F_FORM). */
bool lvl_merge_same_record(const lvl_merger *m, const void *base, const lvl_doc *doc, const void *record,
                           const lvl_table *table);

/* ---- merge_cells.c, merge_lines.c -------------------------------------------------------------------- */

/* Merges a grid that all three have. If a side inserted or deleted columns or rows of a layer, they are in
 * the merger afterwards. */
void lvl_merge_cells(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *field);
/* Merges a grid that both sides added, cell by cell against a blank one. False: their sizes differ, or one
 * is damaged. */
bool lvl_merge_new_cells(lvl_merger *m, void *ours, const void *theirs, const lvl_field *field);
/* Merges the rows of a world, `rows`, which have a list of names each, as a grid. */
void lvl_merge_world(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *rows,
                     const lvl_field *names);
/* Merges a text of lines that both sides changed; of conflicting lines the result has those of OURS or the
 * winner. False: the text has one line, so that all of it conflicts, or the merge failed. */
bool lvl_merge_lines(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *field);

/* ---- merge_objects.c --------------------------------------------------------------------------------- */

/* A list of objects while it is merged. */
typedef struct lvl_moved_objects {
    const void *saved[2]; /* items of BASE and THEIRS as they were; NULL: none */
    size_t size[2];
    bool moved; /* the objects of all sides are where the result's grid has their cells */
    bool unclear; /* a side changed the grid, and did not move its objects */
} lvl_moved_objects;

/* If sides inserted or deleted lines of the grid that the list's objects stand on, moves the objects of all
 * sides to where their cells are in the result. */
void lvl_merge_move_objects(lvl_merger *m, lvl_moved_objects *moved, void *ours, const void *base,
                            const void *theirs, const lvl_field *list, lvl_arena *arena);
/* Moves those of BASE and THEIRS back. */
void lvl_merge_move_back(const lvl_moved_objects *moved, const void *base, const void *theirs,
                         const lvl_field *list);
/* The cells by which most objects of the layer moved since BASE. */
lvl_grid_hint lvl_merge_hint(lvl_merger *m, const void *base, const void *side);

/* ---- merge_pending.c --------------------------------------------------------------------------------- */

/* Notes which items of the merged list stay only while something refers to them; `by`: by item, a
 * lvl_remover. */
void lvl_merge_keep_pending(lvl_merger *m, const lvl_field *list, const uint8_t *by, uint32_t count);
/* Removes those that nothing refers to; the others are conflicts. After all else is merged. */
void lvl_merge_remove_pending(lvl_merger *m);

/* ---- merge_ids.c ------------------------------------------------------------------------------------- */

/* Different items that both sides added with one id: those of THEIRS get other ids, and so does what names
 * them by id (LVL_F_BY_ID), until lvl_merge_restore. */
void lvl_merge_number_added(lvl_merger *m);

/* ---- merge_apply.c ----------------------------------------------------------------------------------- */

/* Merges the members of the root, and everything below. */
void lvl_merge_root(lvl_merger *m);

/* ---- merge_shape.c ----------------------------------------------------------------------------------- */

/* What the result gets after the content is merged in the form and the chunks of OURS; NULL and 0: it
 * stays. */
typedef struct lvl_merge_shape {
    const char *form;
    const char *by; /* the side that has the form */
    uint32_t chunks;
} lvl_merge_shape;

/* Gives the merger documents of one form: that of OURS, or of BASE if OURS has another one that cannot hold
 * what THEIRS has. What is made for it is to be freed. */
lvl_status lvl_merge_in_one_form(lvl_merger *m, lvl_doc *base, lvl_doc *theirs, lvl_doc **base_made,
                                 lvl_doc **theirs_made, lvl_doc **ours_made);
/* Stores BASE and THEIRS in chunks of the size that OURS has; those that have chunks. */
lvl_status lvl_merge_in_chunks_of(const lvl_doc *ours, lvl_doc *base, lvl_doc *theirs,
                                  lvl_findings *findings);
/* Decides the shape of the result by those of the three sides; what all changed in different ways is a
 * conflict. */
lvl_merge_shape lvl_merge_shape_of(lvl_merger *m, lvl_doc *ours, lvl_doc *base, lvl_doc *theirs);
/* A document with the same content and spelling, to be freed. */
lvl_status lvl_merge_copy_document(const lvl_doc *doc, lvl_doc **out);
/* Gives the merged document the shape; one that cannot hold its content is a conflict. */
lvl_status lvl_merge_reshape(lvl_merger *m, lvl_doc **doc, const lvl_merge_shape *wanted);

#endif
