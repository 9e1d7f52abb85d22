/*
 * graal/level/graal_findings.c: the table of findings.
 */
#include "graal/level/graal_findings.h"

#define FINDING_INDEX(name) LVL_GRAAL_F_##name
#include "base/finding_rows.h"

const lvl_finding_def lvl_graal_findings[LVL_GRAAL_F_COUNT] = {
#include "graal/level/graal_findings_list.h"
};
