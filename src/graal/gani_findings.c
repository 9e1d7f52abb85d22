/*
 * graal/gani_findings.c: the table of findings.
 */
#include "graal/gani_internal.h"

#define o LVL_NONE
#define N LVL_NOTE
#define W LVL_WARNING
#define E LVL_ERROR

#define REPAIRED(name, id, strict, game, salvage, meaning, repair) \
    [LVL_GANI_F_##name] = {id, meaning, {strict, game, salvage}, repair},
#define FINDING(name, id, strict, game, salvage, meaning) \
    REPAIRED(name, id, strict, game, salvage, meaning, NULL)

const lvl_finding_def lvl_gani_findings[LVL_GANI_F_COUNT] = {
#include "graal/gani_findings_list.h"
};
