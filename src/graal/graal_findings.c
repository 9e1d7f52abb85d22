/*
 * graal/graal_findings.c: the table of findings.
 */
#include "graal/graal_findings.h"

#define o LVL_NONE
#define N LVL_NOTE
#define W LVL_WARNING
#define E LVL_ERROR
#define F LVL_FATAL

#define REPAIRED(name, id, strict, game, salvage, meaning, repair) \
    [LVL_GRAAL_F_##name] = {id, meaning, {strict, game, salvage}, repair},
#define FINDING(name, id, strict, game, salvage, meaning) \
    REPAIRED(name, id, strict, game, salvage, meaning, NULL)

const lvl_finding_def lvl_graal_findings[LVL_GRAAL_F_COUNT] = {
#include "graal/graal_findings_list.h"
};
