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

    /* rules, either form */

    /* losses of a conversion */

    LVL_GRAAL_F_COUNT
};

extern const lvl_finding_def lvl_graal_findings[LVL_GRAAL_F_COUNT];

#endif
