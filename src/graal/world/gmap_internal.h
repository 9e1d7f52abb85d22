/*
 * graal/world/gmap_internal.h: shared by the files of world maps.
 */
#ifndef LVL_GMAP_INTERNAL_H
#define LVL_GMAP_INTERNAL_H

#include "base/findings.h"
#include "base/format.h"
#include "lines/grammar.h"

#include <lvl/gmap.h>

/* gmap_tables.c */
/* The number of names in the longest row. */
uint32_t lvl_gmap_width(const lvl_gmap *map);
/* Whether a name is that of a level: without a folder, and with the ending of a level. */
bool lvl_gmap_is_level_name(lvl_text name);
/* The path of a row, and of a name in it. */
lvl_where lvl_gmap_where_row(uint32_t y);
lvl_where lvl_gmap_where_name(uint32_t x, uint32_t y);

/* gmap_check.c */
lvl_status lvl_gmap_check(const lvl_doc *doc, const lvl_check_request *request);
lvl_status lvl_gmap_repair(lvl_doc *doc, lvl_repairs *repairs);

enum {
#define FINDING(name, ...) LVL_GMAP_F_##name,
#define REPAIRED           FINDING
#define ABOUT              FINDING
#include "graal/world/gmap_findings_list.h"
#undef FINDING
#undef REPAIRED
#undef ABOUT
    LVL_GMAP_F_COUNT
};

extern const lvl_finding_def lvl_gmap_findings[LVL_GMAP_F_COUNT];

/* Adds a finding without a position; `what` is one of the above. */
#define lvl_gmap_report(findings, what, ...) lvl_report_at(findings, &lvl_gmap_findings[what], __VA_ARGS__)

#endif
