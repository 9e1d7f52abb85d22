/*
 * graal/gani/gani_findings.c: the table of findings.
 */
#include "graal/gani/gani_internal.h"

#define FINDING_INDEX(name) LVL_GANI_F_##name
#include "base/finding_rows.h"

const lvl_finding_def lvl_gani_findings[LVL_GANI_F_COUNT] = {
#include "graal/gani/gani_findings_list.h"
};
