/*
 * graal/graal_early.h: end marks of a binary level's sections that stand too early.
 *
 * Behind such a mark the rest of the list is read as records of the sections after it, and the list's own end
 * mark as one of them. A mark is early if the file reads without a bad record only once it is left out.
 */
#ifndef LVL_GRAAL_EARLY_H
#define LVL_GRAAL_EARLY_H

#include "graal/section_records.h"

typedef struct lvl_graal_early {
    int section;     /* the list that ends too early, LVL_LINKS to LVL_CHESTS */
    size_t from, to; /* the mark and its line end */
} lvl_graal_early;

/* Looks in a file whose links begin at `at`. False if no mark is early, or if it is not certain which. */
bool lvl_graal_find_early(const lvl_section_lines *lines, lvl_text file, size_t at, lvl_graal_early *out);

#endif
