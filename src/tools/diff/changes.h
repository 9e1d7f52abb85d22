/*
 * tools/diff/changes.h: what differs between two documents, as a list: lvl_diff prints it as text or as JSON.
 */
#ifndef LVL_TOOLS_CHANGES_H
#define LVL_TOOLS_CHANGES_H

#include "tools/diff/diff.h"

typedef enum lvl_change_kind {
    LVL_CHANGE_SET, /* a value, which is present on one side at least */
    LVL_CHANGE_SIZE, /* of a grid */
    LVL_CHANGE_CELLS,
    /* the following changes up to `end` are inside of this one: */
    LVL_CHANGE_RECORD, /* a record in a record */
    LVL_CHANGE_LIST, /* a list of records */
    /* in the order of the second side, removed items at their former place: */
    LVL_CHANGE_INSERT,
    LVL_CHANGE_REMOVE,
    LVL_CHANGE_ITEM /* both sides have it: it was moved, or changed inside */
} lvl_change_kind;

typedef struct lvl_change {
    lvl_change_kind kind;
    uint32_t parent; /* index of the change that this one is in; UINT32_MAX: none */
    uint32_t end; /* index of the next change that is not in this one */
    uint32_t a, b; /* of an item: its index on each side, or LVL_NO_INDEX */
    const lvl_field *field; /* of an item: that of its list */
    const void *old, *now; /* the record with the member, or the item; NULL: that side does not have it */
    union {
        struct {
            lvl_region *items;
            uint32_t count;
        } regions; /* LVL_CHANGE_CELLS */
        struct {
            uint32_t added, removed, moved, changed; /* items of a list; of one item: 0 or 1 */
        } tally;
    } u;
} lvl_change;

typedef struct lvl_changes {
    lvl_change *items;
    uint32_t count;
    size_t cap;
    uint32_t plain; /* values that are in no list */
} lvl_changes;

/* Compares documents whose formats have one table. Derived members and spelling are left out. For
 * lvl_changes_free, also after an error. */
lvl_status lvl_changes_find(lvl_changes *changes, const lvl_doc *a, const lvl_doc *b);
void lvl_changes_free(lvl_changes *changes);
/* Whether it is a text of lines on both sides; one of a single line is printed like any other value. */
bool lvl_change_has_lines(const lvl_change *change);
/* How many cells of a grid differ. */
uint64_t lvl_change_cells(const lvl_change *change);
/* The path of a change on the first side, or the second one. */
lvl_where lvl_change_where(const lvl_changes *changes, const lvl_change *change, bool second);

/* Append the changes as text, or as lines of JSON; `summary`: only the counts of each list and grid. */
lvl_status lvl_changes_text(const lvl_changes *changes, const lvl_emit *a, const lvl_emit *b, bool summary,
                            lvl_buffer *out);
lvl_status lvl_changes_json(const lvl_changes *changes, const lvl_emit *a, const lvl_emit *b, bool summary,
                            lvl_buffer *out);
/* Appends what differs in content that no member has, in the same way, after `head` if it is text; sets
 * *different if anything does. `out` may be NULL. */
lvl_status lvl_changes_unread(const lvl_doc *a, const lvl_doc *b, const lvl_diff_options *options,
                              const char *head, bool *different, lvl_buffer *out);

#endif
