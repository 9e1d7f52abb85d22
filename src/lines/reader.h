/*
 * lines/reader.h: what the files share that read a text.
 *
 *     report.c  findings, and what each byte is
 *     grid.c    reads lines that are cells of a grid
 *     read.c    finds the lines, and reads them
 */
#ifndef LVL_LINES_READER_H
#define LVL_LINES_READER_H

#include "lines/list.h"

typedef struct lvl_line_reader {
    lvl_rules rules;
    lvl_doc *doc;
    lvl_sink *sink;
    lvl_findings *findings;
    lvl_lines_text text;
    lvl_line_store store;
    lvl_line_list list;
    const char *lead; /* after the last line of a rule */
    const char *shown; /* after the last span */
    lvl_text single[LVL_RULES]; /* the last line of a SINGLE rule */
    uint32_t block; /* the rule whose block of one-line rows is open; LVL_RULES: none */
    uint32_t other, grid; /* the rules of these kinds; LVL_RULES: none */
    uint32_t next_row; /* no line had this row of grid 0 or one after it */
    uint8_t *board; /* the cells of grid 0, which nearly all lines have; NULL: none had it */
    uint16_t grid_of[LVL_GRIDS]; /* index of an item by its number, plus 1 */
} lvl_line_reader;

void lvl_reader_report(const lvl_line_reader *r, lvl_line_problem problem, const lvl_where *where,
                       lvl_text at, const char *what);
/* The same, at the place of a line; NULL: of the root. */
void lvl_reader_report_line(lvl_line_reader *r, lvl_line_problem problem, const lvl_line *line, lvl_text at,
                            const char *what);
void lvl_reader_report_words(const lvl_line_reader *r, const lvl_where *where, lvl_text line,
                             unsigned problems);
/* Emits a span from the end of the last one to `to`, if there is a sink: of a member of the record at
 * `where`, or (`field` NULL) of the record. `index`: of an item of the member, or LVL_NO_INDEX. */
void lvl_reader_emit(lvl_line_reader *r, lvl_span_role role, const lvl_where *where, const lvl_field *field,
                     uint32_t index, const char *to, const char *note);
/* The words of a line that ends at `end`. `note`: what its keyword is called. */
void lvl_reader_emit_line(lvl_line_reader *r, const lvl_where *where, const lvl_line_form *form,
                          const lvl_text *found, const char *end, const char *note);
/* The text of a line, without its line end. */
static inline lvl_text lvl_reader_line(const lvl_line_reader *r, const lvl_line *line)
{
    lvl_text text = {r->text.ptr + line->at, line->end - line->at};

    text.len -= text.len && text.ptr[text.len - 1] == '\n';
    text.len -= r->text.crlf && text.len && text.ptr[text.len - 1] == '\r';
    return text;
}
/* Prepares to read single lines of a text that doc was read from; what they need is allocated in `arena`. */
void lvl_reader_open(lvl_line_reader *r, lvl_doc *doc, lvl_text file, lvl_arena *arena);
/* Reads a line with words, or a row, into a record that has its defaults: an item, or the root. */
lvl_status lvl_reader_again(lvl_line_reader *r, const lvl_line *line, void *record);
/* Reads a line of a grid. */
lvl_status lvl_reader_grid_line(lvl_line_reader *r, lvl_line *line);
/* Reads the line at *at if it is the next row of grid 0, in its usual spelling; *line is filled in. */
lvl_status lvl_reader_grid_row(lvl_line_reader *r, const char **at, lvl_line *line);

#endif
