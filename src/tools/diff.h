/*
 * tools/diff.h: the parts of a diff: pairs of list items, regions in which two grids differ, changed lines of
 * texts.
 */
#ifndef LVL_TOOLS_DIFF_H
#define LVL_TOOLS_DIFF_H

#include "tools/lines.h"
#include "tools/tools.h"
#include "tools/json_write.h"

#define LVL_UNPAIRED UINT32_MAX

/* The pairs of items of two lists of records: a[i] is the index in the second list of item i of the first,
 * or LVL_UNPAIRED; b is the reverse; moved[j]: item j of the second list changed its order; copy[j]: it is
 * not paired, but equal to an item of the first list that is. For lvl_pairs_free. */
typedef struct lvl_pairs {
    uint32_t *a, *b;
    uint8_t *moved, *copy;
    uint32_t count_a, count_b;
} lvl_pairs;

lvl_status lvl_pairs_find(lvl_pairs *pairs, const lvl_ctx *ctx, const void *a, const void *b,
                          const lvl_field *list);
void lvl_pairs_free(lvl_pairs *pairs);
/* Items i ... end - 1 of the first list have no partner, and those beside them have: returns end, and
 * gives the items of the second list between the partners, *from ... *to - 1, which have none either; none
 * if some have. */
uint32_t lvl_pairs_gap(const lvl_pairs *pairs, uint32_t i, uint32_t *from, uint32_t *to);
/* Whether one member of two records has the same content. */
bool lvl_member_equal(const void *a, const void *b, const lvl_field *field);
/* Whether all members of an identity have the same content. */
bool lvl_identity_equal(const void *a, const void *b, const lvl_table *table, const lvl_identity *identity);
/* Whether a record has grids or lists of records, so that each of its changes gets a line. */
bool lvl_table_is_large(const lvl_table *table);

/* A rectangle with changed cells; both corners are in it. */
typedef struct lvl_region {
    uint32_t x0, y0, x1, y1;
    uint32_t cells; /* that differ */
} lvl_region;

/* The regions in which the common part of two grids differs, ordered by their upper edges; free(*out). */
lvl_status lvl_regions_find(const lvl_cells *a, const lvl_cells *b, lvl_region **out, size_t *count);

/* Changed lines as a unified diff, indented by `indent` blanks; a and b have the code page of each side. */
void lvl_lines_text(const lvl_lines *lines, const lvl_emit *a, const lvl_emit *b, unsigned indent,
                    lvl_buffer *out);
/* The same as a JSON array of {"old_line","old","new_line","new"}. */
void lvl_lines_json(const lvl_lines *lines, const lvl_emit *a, const lvl_emit *b, lvl_buffer *out);

#endif
