/*
 * tools/paths/path.h: paths (lvl/tools.h has the grammar): parsed, bound to the tables, and evaluated in a
 * document.
 */
#ifndef LVL_TOOLS_PATHS_PATH_H
#define LVL_TOOLS_PATHS_PATH_H

#include <lvl/tools.h>

#include "tools/tools.h"
#include "tools/values/json_write.h"

typedef enum lvl_select {
    LVL_SELECT_NONE,
    LVL_SELECT_INDEX,
    LVL_SELECT_APPEND,
    LVL_SELECT_ALL,
    LVL_SELECT_KEY,
    LVL_SELECT_FILTER,
    LVL_SELECT_SLICE,
    LVL_SELECT_CELLS,
    LVL_SELECT_VALUE,
    LVL_SELECT_FILL
} lvl_select;

typedef enum lvl_compare {
    LVL_IS,
    LVL_IS_NOT,
    LVL_LESS,
    LVL_MORE,
    LVL_AT_MOST,
    LVL_AT_LEAST,
    LVL_HAS
} lvl_compare;

/* A comparison, or a group of conditions, which follow it in the path. */
typedef struct lvl_condition {
    bool group;
    bool any; /* of a group: one must hold ("|"), not all (",") */
    bool negated; /* "not" */
    uint32_t end; /* number of the first condition after this one and what is in it */
    lvl_text source; /* as it was written */
    lvl_text name, value; /* UTF-8, unquoted */
    lvl_compare compare;
    /* bound to a table: */
    const lvl_field *field; /* NULL: the item itself, or a `word` */
    uint32_t offset; /* in the item, of the record that has the field */
    uint8_t word; /* what members mean in the game (tools/paths/meaning.h), instead of a field */
    bool named; /* the value is a name that the game's book has for the member */
    const lvl_doc *doc; /* with `word` or `named` */
    const lvl_table *table; /* of the items */
    int64_t number;
    double real;
    lvl_buffer text; /* in the document's code page */
} lvl_condition;

enum { LVL_PATH_CONDITIONS = 32 };

typedef struct lvl_path_step {
    lvl_text name;
    lvl_select select;
    int64_t index, end; /* INDEX, APPEND; SLICE: index … end - 1; below 0: from the end */
    lvl_text value; /* VALUE: of the cells */
    uint32_t cell; /* the same, bound */
    int64_t region[4]; /* CELLS: x0, y0, x1, y1, inclusive; FILL: its first cell */
    uint32_t condition; /* FILTER, KEY: the one that items must meet */
    const lvl_field *field;
} lvl_path_step;

typedef struct lvl_path {
    uint32_t depth;
    lvl_path_step steps[LVL_PATH_DEPTH];
    uint32_t condition_count;
    lvl_condition conditions[LVL_PATH_CONDITIONS];
    char *strings; /* unquoted texts */
    size_t used;
    lvl_text source;
} lvl_path;

/* Whether condition number `at` of a bound path, which may be a group, holds for an item of a list
 * (tools/paths/condition.c). */
bool lvl_condition_holds(const lvl_path *path, uint32_t at, const void *item);

/* A match of a path: member `field` of `record`, or its item `index`, unless that is LVL_NO_INDEX. field
 * NULL: the root record. */
typedef struct lvl_match {
    lvl_where where;
    void *record;
    const lvl_field *field;
    uint32_t index;
    bool append; /* a new item, which will get that index */
    /* Cells of the grid; if the field is a list of squares (tools/paths/region.h), of all squares as one grid
     * without edges. */
    bool has_region;
    int64_t region[4];
} lvl_match;

/* Parses `text`. `end` not NULL: stops at a '=', '+=', '-=', '*=' or '@=' outside of brackets and stores its
 * offset, or that of the end. Free the path in any case. */
lvl_status lvl_path_parse(lvl_path *path, lvl_text text, size_t *end, lvl_findings *findings);
void lvl_path_free(lvl_path *path);
/* Reports that a text has no value to assign: LVL_ERR_ARG. */
lvl_status lvl_path_no_value(lvl_text text, lvl_findings *findings);
/* Binds the names to the document's tables: LVL_ERR_ARG with a finding if a name is unknown or a selector
 * does not apply. */
lvl_status lvl_path_bind(lvl_path *path, const lvl_doc *doc, lvl_findings *findings);
/* Binds a path and finds all its matches, in document order; free(*out). LVL_ERR_MISSING with a finding if
 * there are none; LVL_ERR_ARG as lvl_path_bind. */
lvl_status lvl_path_find(lvl_path *path, const lvl_doc *doc, lvl_match **out, size_t *count,
                         lvl_findings *findings);
/* Parses a path and finds its matches. */
lvl_status lvl_path_matches(const lvl_doc *doc, lvl_text text, lvl_match **out, size_t *count,
                            lvl_findings *findings);
/* The record that has the matching member, and its field; an item of a list is its own record. */
void *lvl_match_member(const lvl_match *match, lvl_field *field);
/* The path of a match, NUL-ended, cut to size. */
const char *lvl_match_text(const lvl_match *match, char *buf, size_t size);

/* Reports that a table has no field of that name, with those that it has: LVL_ERR_ARG. */
lvl_status lvl_path_unknown_name(const lvl_table *table, lvl_text name, lvl_findings *findings);

/* Checks the grammar of a path, or of an assignment for lvl_set, without a document: LVL_ERR_ARG with a
 * finding that describes the error, LVL_ERR_MEMORY. Any thread. */
lvl_status lvl_path_check(const char *path, bool assignment, lvl_findings *findings);

#endif
