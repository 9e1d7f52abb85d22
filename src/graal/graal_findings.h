/*
 * graal/graal_findings.h: what can be found in a level of this family, by number.
 */
#ifndef LVL_GRAAL_FINDINGS_H
#define LVL_GRAAL_FINDINGS_H

#include <lvl/base.h>

enum {
    /* the reader of binary levels */
    LVL_GRAAL_F_HEADER_CUT,

    /* the reader of text levels */
    LVL_GRAAL_F_NW_HEADER,
    LVL_GRAAL_F_NW_FIRST_LINE,
    LVL_GRAAL_F_NW_LINE,
    LVL_GRAAL_F_NW_COMMAND,
    LVL_GRAAL_F_NW_STRAY_END,
    LVL_GRAAL_F_NW_INSIDE,
    LVL_GRAAL_F_NW_UNCLOSED,
    LVL_GRAAL_F_NW_NUMBER,
    LVL_GRAAL_F_NW_NAME,
    LVL_GRAAL_F_NW_WORDS,
    LVL_GRAAL_F_NW_VERSES,
    LVL_GRAAL_F_NW_HEIGHTS,
    LVL_GRAAL_F_NW_ROW,
    LVL_GRAAL_F_NW_ROW_LONG,
    LVL_GRAAL_F_NW_ROW_TWICE,
    LVL_GRAAL_F_NW_ABSENT,

    /* rules, either form */

    /* losses of a conversion */

    LVL_GRAAL_F_COUNT
};

extern const lvl_finding_def lvl_graal_findings[LVL_GRAAL_F_COUNT];

#endif
