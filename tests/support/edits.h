/*
 * support/edits.h: random edits of documents, for sweeps.
 */
#ifndef LVL_TEST_EDITS_H
#define LVL_TEST_EDITS_H

#include "base/format.h"

/* The kinds of members that are edited. Integers with names, integers that are flags, and texts with
 * several lines count as separate kinds. */
typedef enum lvl_edit_kind {
    LVL_EDIT_INT,
    LVL_EDIT_NAMED,
    LVL_EDIT_REAL,
    LVL_EDIT_TEXT,
    LVL_EDIT_LINES,
    LVL_EDIT_CELLS,
    LVL_EDIT_KINDS
} lvl_edit_kind;

extern const char *const lvl_edit_kind_names[LVL_EDIT_KINDS];

/* One member of one record, and its place in the document. */
typedef struct lvl_edit_place {
    lvl_where where;
    const lvl_field *field;
} lvl_edit_place;

/* The next number of a random sequence; *state must not be 0. */
uint64_t lvl_edit_random(uint64_t *state);
/* A random member of that kind; false: the document has none. */
bool lvl_edit_find(const lvl_doc *doc, lvl_edit_kind kind, uint64_t *random, lvl_edit_place *out);
/* The record of the member, in another document of the same shape; NULL if the shape differs. */
void *lvl_edit_holder(lvl_doc *doc, const lvl_edit_place *place);
/* Changes the member to another value; false: no other value is possible. */
bool lvl_edit_change(lvl_doc *doc, const lvl_edit_place *place, uint64_t *random);

#endif
