/*
 * tools/values/json_write.h: writes members of records as JSON, as in dumps, and helpers about fields for all
 * tools.
 */
#ifndef LVL_TOOLS_VALUE_H
#define LVL_TOOLS_VALUE_H

#include "tools/values/streams.h"

typedef struct lvl_emit {
    lvl_buffer *out;
    const lvl_doc *doc;
    lvl_codepage page;
    bool compact; /* everything on one line */
    bool no_kept; /* neither spelling nor overrides of derived members */
    bool defaults; /* lvl_write_record: members with their default, too; not in items of lists */
    bool names_alone; /* lvl_write_short: no numbers beside the names of values */
    const lvl_field *made; /* spelling of the root that the writer can regenerate; or NULL */
    const lvl_streams *streams; /* streams written by their maker instead of their bytes; or NULL */
} lvl_emit;

lvl_emit lvl_emit_of(const lvl_doc *doc, lvl_buffer *out);

/* A field for the items of a list, so that they are handled like members: the item is the record. */
lvl_field lvl_item_field(const lvl_field *list);
/* The field that identifies a table's records for people (its label); NULL: none, or no table. */
const lvl_field *lvl_label_of(const lvl_table *table);

/* Whether the member has no default, so that a dump always has it. */
static inline bool lvl_field_required(const lvl_field *field)
{
    return field->kind == LVL_INT && field->role != LVL_DERIVED && field->role != LVL_KEPT &&
           !lvl_int_fits(field, field->def);
}

/* Bytes of a cell of that grid, by its table. */
static inline uint32_t lvl_cell_size(const lvl_field *field)
{
    return field->item_size ? field->item_size : 4;
}

/* The member as JSON, default or not. `indent`: of its line. */
void lvl_write_value(const lvl_emit *w, const void *record, const lvl_field *field, unsigned indent);
/* The record as a JSON object without defaults. */
void lvl_write_record(const lvl_emit *w, const void *record, const lvl_table *table, unsigned indent);
/* A region of a grid as {"width",…}; both corners in it and inside the grid. `region` NULL: the whole
 * grid. */
void lvl_write_cells(const lvl_emit *w, const lvl_cells *cells, const lvl_field *field,
                     const uint32_t region[4], unsigned indent);
/* One cell as in a row: a symbol or a number. */
void lvl_write_cell(lvl_buffer *out, const lvl_cell_name *names, uint32_t value);
/* A value for people: number or name, flags, text without quotes; everything else as JSON on one line. */
void lvl_write_plain(const lvl_emit *w, const void *record, const lvl_field *field);

/* A value for a line of text: long ones are cut; of grids and lists the size. */
void lvl_write_short(const lvl_emit *w, const void *record, const lvl_field *field);
/* A record on one line: its table's name, its label, and the first `most` members that are not default. */
void lvl_write_summary(const lvl_emit *w, const void *record, const lvl_table *table, unsigned most);
/* The summary of the innermost list item that the first `depth` steps of a path lead to, if any; an item
 * without a label gets `most` other members. */
void lvl_write_item_of(const lvl_emit *w, const lvl_doc *doc, const lvl_where *where, uint32_t depth,
                       unsigned most);

/* A field's `when` in words: "while kind is double or mask"; cut to size, NUL-ended. */
const char *lvl_when_text(const lvl_table *table, const lvl_field *field, char *buf, size_t size);

#endif
