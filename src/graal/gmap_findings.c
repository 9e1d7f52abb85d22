/*
 * graal/gmap_findings.c: the table of findings.
 */
#include "graal/gmap_internal.h"

#define o LVL_NONE
#define N LVL_NOTE
#define W LVL_WARNING
#define E LVL_ERROR

#define REPAIRED(name, id, strict, game, salvage, meaning, repair) \
    [LVL_GMAP_F_##name] = {id, meaning, {strict, game, salvage}, repair},
#define FINDING(name, id, strict, game, salvage, meaning) \
    REPAIRED(name, id, strict, game, salvage, meaning, NULL)

const lvl_finding_def lvl_gmap_findings[LVL_GMAP_F_COUNT] = {
#include "graal/gmap_findings_list.h"
};
