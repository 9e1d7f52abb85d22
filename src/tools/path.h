/*
 * tools/path.h: paths (the grammar stands in lvl/tools.h): parsed, held against the tables, and followed
 * through a document.
 */
#ifndef LVL_TOOLS_PATH_H
#define LVL_TOOLS_PATH_H

#include "tools/tools.h"
#include "tools/json_write.h"

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

typedef struct lvl_condition {
    lvl_text name, value; /* UTF-8, unquoted */
    lvl_compare compare;
    bool negated;     /* holds where it does not */
    bool alternative; /* first of conditions that may hold instead of those before it */
    /* bound to a table: */
    const lvl_field *field;
    uint32_t offset; /* of the record that holds the field, from the item */
    int64_t number;
    double real;
    lvl_buffer text; /* in the document's page */
} lvl_condition;

enum { LVL_PATH_CONDITIONS = 16 };

typedef struct lvl_path_step {
    lvl_text name;
    lvl_select select;
    int64_t index, end;    /* INDEX, APPEND; SLICE: from index up to, not including,
        end; below 0: from the end */
    lvl_text value;        /* VALUE: of the cells */
    uint32_t cell;         /* the same, bound */
    int64_t region[4];     /* CELLS: x0, y0, x1, y1, all in it; FILL: the cell that it starts from */
    uint32_t first, count; /* FILTER, KEY: its conditions */
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

/* One place that a path finds: member `field` of `record`, its item `index` unless that is LVL_NO_INDEX.
 * field NULL: the root record. */
typedef struct lvl_match {
    lvl_where where;
    void *record;
    const lvl_field *field;
    uint32_t index;
    bool append; /* a new item, to be at that index */
    /* Cells: of the grid, or, where the field is a list of squares (tools/region.h), of all squares as one
     * grid, which goes on beyond them to all sides. */
    bool has_region;
    int64_t region[4];
} lvl_match;

/* Parses `text`; with `end` not NULL it stops at a '=', '+=', '-=' or '*=' outside of brackets and tells
 * where (or at the end). Free the path in any case. */
lvl_status lvl_path_parse(lvl_path *path, lvl_text text, size_t *end, lvl_findings *findings);
void lvl_path_free(lvl_path *path);
/* Says that a text has no value to assign: LVL_ERR_ARG. */
lvl_status lvl_path_no_value(lvl_text text, lvl_findings *findings);
/* Holds the names against the document's tables: LVL_ERR_ARG with a finding if one is unknown or a selector
 * doesn't suit. */
lvl_status lvl_path_bind(lvl_path *path, const lvl_doc *doc, lvl_findings *findings);
/* All places that a bound path finds, in document order; free(*out). LVL_ERR_MISSING with a finding if there
 * are none. */
lvl_status lvl_path_find(const lvl_path *path, const lvl_doc *doc, lvl_match **out, size_t *count,
                         lvl_findings *findings);
/* Bind and find. */
lvl_status lvl_path_resolve(lvl_path *path, const lvl_doc *doc, lvl_match **out, size_t *count,
                            lvl_findings *findings);
/* Parse, bind and find. */
lvl_status lvl_path_matches(const lvl_doc *doc, lvl_text text, lvl_match **out, size_t *count,
                            lvl_findings *findings);
/* The record that holds what was found, and its field in it: an item of a list is a field of its own. */
void *lvl_match_member(const lvl_match *match, lvl_field *field);
/* What is there, as JSON. A cell is a number, a region is cells. */
void lvl_write_match(const lvl_emit *w, const lvl_match *match, unsigned indent);
/* The place as a path, NUL-ended, cut to size. */
const char *lvl_match_text(const lvl_match *match, char *buf, size_t size);

#endif
