/*
 * graal/level/graal_findings.h: the numbers of the findings in levels of this family.
 */
#ifndef LVL_GRAAL_FINDINGS_H
#define LVL_GRAAL_FINDINGS_H

#include "base/findings.h"

enum {
#define FINDING(name, ...) LVL_GRAAL_F_##name,
#define REPAIRED           FINDING
#define ABOUT              FINDING
#include "graal/level/graal_findings_list.h"
#undef FINDING
#undef REPAIRED
#undef ABOUT
    LVL_GRAAL_F_COUNT,
    LVL_GRAAL_F_UNREAD = LVL_GRAAL_F_END_MARK, /* the first about bytes that no member may hold, */
    LVL_GRAAL_F_UNREAD_LAST = LVL_GRAAL_F_TRAILING, /* and the last */
    LVL_GRAAL_F_EITHER = LVL_GRAAL_F_LINK_OFF_BOARD, /* the first that text levels can have, */
    LVL_GRAAL_F_TEXT = LVL_GRAAL_F_NW_HEADER /* and that only they have */
};

extern const lvl_finding_def lvl_graal_findings[LVL_GRAAL_F_COUNT];

/* Adds a finding without a position; `what` is one of the above, `where` may be NULL. */
#define lvl_graal_find(findings, what, where, ...) \
    lvl_findings_add(findings, &lvl_graal_findings[what], where, NULL, __VA_ARGS__)

/* Whether findings with that number are about bytes that are not in any member. */
static inline bool lvl_graal_of_unread(unsigned what)
{
    return what >= LVL_GRAAL_F_UNREAD && what <= LVL_GRAAL_F_UNREAD_LAST;
}

static inline bool lvl_graal_is_unread(const lvl_finding *finding)
{
    return finding->def >= lvl_graal_findings && finding->def < lvl_graal_findings + LVL_GRAAL_F_COUNT &&
           lvl_graal_of_unread((unsigned)(finding->def - lvl_graal_findings));
}

#endif
