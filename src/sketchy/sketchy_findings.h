/*
 * sketchy/sketchy_findings.h: what can be found in a drawing or pack, by number.
 */
#ifndef LVL_SKETCHY_FINDINGS_H
#define LVL_SKETCHY_FINDINGS_H

#include <lvl/base.h>

enum {
    /* the reader */
    LVL_SKETCHY_F_JSON,
    LVL_SKETCHY_F_TYPE,
    LVL_SKETCHY_F_UNKNOWN_KEY,
    LVL_SKETCHY_F_DOUBLE_KEY,
    LVL_SKETCHY_F_CHUNK_KEY,
    LVL_SKETCHY_F_TRAILING,
    LVL_SKETCHY_F_GZIP_CUT,
    LVL_SKETCHY_F_GZIP_BAD,
    LVL_SKETCHY_F_ZIP_DIRECTORY,
    LVL_SKETCHY_F_ZIP_MEMBER,
    LVL_SKETCHY_F_ZIP_DOUBLE,
    LVL_SKETCHY_F_NO_DOCUMENT,

    /* rules */

    /* losses of a conversion */
    LVL_SKETCHY_F_LOSS_CHUNK,
    LVL_SKETCHY_F_LOSS_OUTSIDE,
    LVL_SKETCHY_F_LOSS_INDEX,
    LVL_SKETCHY_F_LOSS_SIGNATURE,
    LVL_SKETCHY_F_LOSS_DAMAGE,

    LVL_SKETCHY_F_COUNT
};

extern const lvl_finding_def lvl_sketchy_findings[LVL_SKETCHY_F_COUNT];

#endif
