/*
 * graal/graal_findings.c: what can be found in a level of this family, how bad it is for whom, and what repair does about it. An error means that the
 * game or a careful reader fails on that part; what the game plays, however odd, is a warning or a note.
 */
#include "graal/graal_findings.h"

#include <stddef.h>

#define N LVL_NOTE
#define W LVL_WARNING
#define E LVL_ERROR
#define F LVL_FATAL

/* a row each, severities in strict, game, salvage */
const lvl_finding_def lvl_graal_findings[LVL_GRAAL_F_COUNT] = {
    /* ---- the reader of binary levels ---- */
    [LVL_GRAAL_F_HEADER_CUT] = {"graal.header.cut",
                                "The file ends inside its header or before its first tile.",
                                {F, F, F},
                                NULL},

    /* ---- the reader of text levels ---- */

    /* ---- rules, either form ---- */

    /* ---- losses of a conversion ---- */
};
