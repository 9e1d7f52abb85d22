/*
 * graal/gmap_internal.h: shared by the files of world maps.
 */
#ifndef LVL_GMAP_INTERNAL_H
#define LVL_GMAP_INTERNAL_H

#include "base/findings.h"
#include "base/format.h"
#include "codec/grammar.h"

#include <lvl/gmap.h>

/* gmap_tables.c */
/* The number of names in the longest row. */
uint32_t lvl_gmap_width(const lvl_gmap *map);
/* Whether a name is a level's: without a folder, and with the ending of a level. */
bool lvl_gmap_is_level_name(lvl_text name);
/* The place of a row, and of a name in it. */
lvl_where lvl_gmap_where_row(uint32_t y);
lvl_where lvl_gmap_where_name(uint32_t x, uint32_t y);

/* gmap_check.c */
lvl_status lvl_gmap_check(const lvl_doc *doc, const lvl_check_request *request);
lvl_status lvl_gmap_repair(lvl_doc *doc, lvl_repairs *repairs);

enum {
    /* the reader */
    LVL_GMAP_F_VERSION,
    LVL_GMAP_F_KEY_UNKNOWN,
    LVL_GMAP_F_KEY_DOUBLED,
    LVL_GMAP_F_KEY_VALUE,
    LVL_GMAP_F_BLOCK_OPEN,
    LVL_GMAP_F_QUOTE_OPEN,
    LVL_GMAP_F_WORDS,
    LVL_GMAP_F_OUTSIDE,
    LVL_GMAP_F_LIMIT,
    LVL_GMAP_F_NO_SIZE,
    /* rules */
    LVL_GMAP_F_SIZE,
    LVL_GMAP_F_EMPTY,
    LVL_GMAP_F_UNEVEN,
    LVL_GMAP_F_DOUBLED,
    LVL_GMAP_F_NAME,
    LVL_GMAP_F_TEXT,
    /* given a folder */
    LVL_GMAP_F_MISSING,
    LVL_GMAP_F_CASE,
    LVL_GMAP_F_UNREADABLE,
    LVL_GMAP_F_IMAGE,
    LVL_GMAP_F_LINK_ELSEWHERE,
    LVL_GMAP_F_LINK_ONE_WAY,
    LVL_GMAP_F_LOSS_KEY, /* losses of a conversion */
    LVL_GMAP_F_LOSS_TEXT,
    LVL_GMAP_F_COUNT
};

extern const lvl_finding_def lvl_gmap_findings[LVL_GMAP_F_COUNT];

/* Adds a finding without a position; `what` is one of the above. */
#define lvl_gmap_report(findings, what, ...) lvl_report_at(findings, &lvl_gmap_findings[what], __VA_ARGS__)

#endif
