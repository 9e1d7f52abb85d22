/*
 * graal/world/gmap_findings.c: the table of findings.
 */
#include "graal/world/gmap_internal.h"

#define FINDING_INDEX(name) LVL_GMAP_F_##name
#include "base/finding_rows.h"

const lvl_finding_def lvl_gmap_findings[LVL_GMAP_F_COUNT] = {
#include "graal/world/gmap_findings_list.h"
};
