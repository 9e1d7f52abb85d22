/*
 * graal/level/graal_early.h: finds end marks before the last record of a section in a binary level.
 *
 * The records after such a mark, and the real end mark, are read as records of the next sections. A mark is
 * early if without it the file has no bad record.
 */
#ifndef LVL_GRAAL_EARLY_H
#define LVL_GRAAL_EARLY_H

#include "graal/level/section_records.h"

typedef struct lvl_graal_early {
    int section; /* LVL_LINKS to LVL_CHESTS */
    size_t from, to; /* range of the mark and its line end */
} lvl_graal_early;

/* Searches a file whose links begin at `at`. False if no mark is early, or more than one may be. */
bool lvl_graal_find_early(const lvl_section_lines *lines, lvl_text file, size_t at, lvl_graal_early *out);

#endif
