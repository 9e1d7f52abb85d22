/*
 * graal/gani/gani_internal.h: shared by the files of animations.
 */
#ifndef LVL_GANI_INTERNAL_H
#define LVL_GANI_INTERNAL_H

#include "base/format.h"
#include "lines/grammar.h"

#include <lvl/gani.h>

extern const lvl_line_rows lvl_gani_frames, lvl_gani_actors;

lvl_status lvl_gani_check(const lvl_doc *doc, const lvl_check_request *request);
lvl_status lvl_gani_repair(lvl_doc *doc, lvl_repairs *repairs);
lvl_status lvl_gani_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art);

enum {
#define FINDING(name, ...) LVL_GANI_F_##name,
#define REPAIRED           FINDING
#define ABOUT              FINDING
#include "graal/gani/gani_findings_list.h"
#undef FINDING
#undef REPAIRED
#undef ABOUT
    LVL_GANI_F_COUNT
};

extern const lvl_finding_def lvl_gani_findings[LVL_GANI_F_COUNT];

#endif
