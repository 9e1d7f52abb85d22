/*
 * tools/explain/explain.h: the lines of explain.
 */
#ifndef LVL_TOOLS_EXPLAIN_EXPLAIN_H
#define LVL_TOOLS_EXPLAIN_EXPLAIN_H

#include "tools/paths/path.h"
#include "tools/explain/coverage.h"

enum { LVL_EXPLAIN_PROSE = 256 }; /* fields whose prose was printed */

typedef struct lvl_explainer {
    lvl_trace trace;
    const lvl_doc *doc;
    const lvl_explain_options *options;
    lvl_emit emit;
    lvl_buffer *out;
    lvl_buffer text; /* scratch */
    bool any;
    bool prose_once; /* a long listing has the prose of each field once */
    const lvl_field *reported[LVL_EXPLAIN_PROSE];
    size_t reported_count;
} lvl_explainer;

/* One line of output. */
typedef struct lvl_explain_line {
    lvl_span span; /* its position, role, note, value and name */
    const char *path; /* "" for the document */
    const lvl_table *table; /* a whole record, */
    const void *record;
    const lvl_field *field; /* or one field of it, or an item of that */
    uint32_t index;
    const char *json; /* a value that is none of these; or NULL */
} lvl_explain_line;

/* Writes a line; `raw`: with its first bytes and the field's prose. */
void lvl_explain_put(lvl_explainer *e, const lvl_explain_line *line, bool raw);
/* The head of a space, in text: "0x5f4: inflated main block, 12345 bytes". */
void lvl_explain_space(lvl_explainer *e, uint32_t id);

#endif
