/*
 * base/finding_rows.h: FINDING, REPAIRED and ABOUT (a name of a file) as rows of a table of lvl_finding_def,
 * for a file that includes a list of findings as its table. That file first defines FINDING_INDEX(name), the
 * index of a row.
 */
#ifndef LVL_FINDING_ROWS_H
#define LVL_FINDING_ROWS_H

#include "base/findings.h"

/* severities in the columns of a list */
#define o LVL_NONE
#define N LVL_NOTE
#define W LVL_WARNING
#define E LVL_ERROR
#define F LVL_FATAL

#define ABOUT(name, id, strict, game, salvage, about, meaning, repair) \
    [FINDING_INDEX(name)] = {id, meaning, {strict, game, salvage}, repair, LVL_ABOUT_##about},
#define REPAIRED(name, id, strict, game, salvage, meaning, repair) \
    ABOUT(name, id, strict, game, salvage, OTHER, meaning, repair)
#define FINDING(name, id, strict, game, salvage, meaning) \
    REPAIRED(name, id, strict, game, salvage, meaning, NULL)

#endif
