/*
 * tools/json_write.h: one member of a record as JSON, the way dumps show it, and the small questions about
 * fields that all tools ask.
 */
#ifndef LVL_TOOLS_VALUE_H
#define LVL_TOOLS_VALUE_H

#include "base/format.h"

typedef struct lvl_emit {
    lvl_buffer *out;
    const lvl_doc *doc; /* whose derived members are asked for disagreement */
    lvl_codepage page;
    bool compact;  /* everything on one line */
    bool no_kept;  /* neither spelling nor disagreeing derived members */
    bool defaults; /* lvl_write_record: members that hold their default, too, but not those of items in lists
                    */
    bool names_alone;      /* lvl_write_short: no numbers beside the names of values */
    const lvl_field *made; /* a kept member of the root that the writer makes by itself; or NULL */
} lvl_emit;

lvl_emit lvl_emit_of(const lvl_doc *doc, lvl_buffer *out);

/* A list's item seen as a field of its own, so that items and members go the same ways: `record` is then the
 * item itself. */
lvl_field lvl_item_field(const lvl_field *list);
/* The field that best names a table's records to a person; NULL: none, or no table. */
const lvl_field *lvl_label_of(const lvl_table *table);

/* Whether the member has no default, so that a dump always has it. */
static inline bool lvl_field_required(const lvl_field *field)
{
    return field->kind == LVL_INT && field->role != LVL_DERIVED && field->role != LVL_KEPT &&
           !lvl_int_fits(field, field->def);
}

/* Bytes of a cell of that grid, as its table says. */
static inline uint32_t lvl_cell_size(const lvl_field *field)
{
    return field->item_size ? field->item_size : 4;
}

/* The cell that means "nothing here": the first named value, or 0. */
static inline uint32_t lvl_empty_cell(const lvl_field *field)
{
    return field->cell_names && field->cell_names[0].symbol ? field->cell_names[0].value : 0;
}

/* The member as JSON, default or not. `indent`: of the line it stands on. */
void lvl_write_value(const lvl_emit *w, const void *record, const lvl_field *field, unsigned indent);
/* The record as a JSON object without defaults. */
void lvl_write_record(const lvl_emit *w, const void *record, const lvl_table *table, unsigned indent);
/* A region of a grid as {"width",…}; both corners in it and inside the grid. `region` NULL: the whole
 * grid. */
void lvl_write_cells(const lvl_emit *w, const lvl_cells *cells, const lvl_field *field,
                     const uint32_t region[4], unsigned indent);
/* One cell as in a row: a symbol or a number. */
void lvl_write_cell(lvl_buffer *out, const lvl_cell_name *names, uint32_t value);
/* A scalar for people: number or name, flags, text as it stands (no quotes); everything larger as JSON on a
 * line. */
void lvl_write_plain(const lvl_emit *w, const void *record, const lvl_field *field);

/* A value short enough for a line: long ones are cut, grids and lists counted. */
void lvl_write_short(const lvl_emit *w, const void *record, const lvl_field *field);
/* A record on a line: its table's name, its label, and the first `most` members that aren't defaults. */
void lvl_write_summary(const lvl_emit *w, const void *record, const lvl_table *table, unsigned most);

/* The member's value that the field's `when` looks at, in words: "while kind is double or mask"; cut to size,
 * NUL-ended. */
const char *lvl_when_text(const lvl_table *table, const lvl_field *field, char *buf, size_t size);

#endif
