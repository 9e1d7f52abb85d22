/*
 * support/edits.h: random edits of documents, for sweeps.
 */
#ifndef LVL_TEST_EDITS_H
#define LVL_TEST_EDITS_H

#include "base/format.h"

/* What an edit is tried on. An integer with names, and one that holds flags, is a kind of its own; so is a
 * text of lines. */
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

/* One member of one record: where the document has it. */
typedef struct lvl_edit_place {
    lvl_where where;
    const lvl_field *field;
} lvl_edit_place;

/* The next of a row of random numbers; *state must not be 0. */
uint64_t lvl_edit_random(uint64_t *state);
/* A random member of that kind; false: the document has none. */
bool lvl_edit_find(const lvl_doc *doc, lvl_edit_kind kind, uint64_t *random, lvl_edit_place *out);
/* The record that holds the member, in another document of the same shape; NULL when the shape differs. */
void *lvl_edit_holder(lvl_doc *doc, const lvl_edit_place *place);
/* Gives the member another value; false: there is none. */
bool lvl_edit_change(lvl_doc *doc, const lvl_edit_place *place, uint64_t *random);

#endif
