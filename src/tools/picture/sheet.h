/*
 * tools/picture/sheet.h: records as rows of a table in CSV, to be changed in a spreadsheet, and back (lvl get
 * --csv, lvl set --csv). Columns are `file`, if there are several, `path`, and fields of the record, also
 * those in a record in it (`point.x`). Values are those of lvl_get; a field that the record does not have is
 * empty.
 */
#ifndef LVL_TOOLS_PICTURE_SHEET_H
#define LVL_TOOLS_PICTURE_SHEET_H

#include "base/csv.h"
#include "base/hash.h"

#include <lvl/tools.h>

/* Appends a row for each record that paths[0] finds; the other paths are names of fields, by default all that
 * have one value. If paths[0] is a field of the document, all are, and the row is the document. `file`: of
 * the column of that name; NULL: none. `head` gets the row of names. Errors are those of lvl_get. */
lvl_status lvl_sheet_get(const lvl_doc *doc, const char *const *paths, size_t count, const char *file,
                         lvl_buffer *head, lvl_buffer *rows, size_t *found, lvl_findings *findings);

typedef struct lvl_sheet_row {
    lvl_text source;
    size_t line; /* its first one */
    size_t name, name_len; /* in `names`: the file and the path */
    size_t file_len; /* of the file in it */
    uint32_t next; /* of the same file; LVL_NO_INDEX: none */
} lvl_sheet_row;

/* A table that was read; it is not changed by lvl_sheet_set, so threads may share it. */
typedef struct lvl_sheet {
    lvl_csv head;
    size_t file, path; /* their columns; LVL_CSV_COLUMNS: none */
    lvl_sheet_row *rows;
    size_t count, cap;
    lvl_buffer names;
    lvl_hash row_of, first_of; /* by file and path; by file: its first row */
} lvl_sheet;

/* Where something is wrong in a table. */
typedef struct lvl_sheet_place {
    size_t line; /* 0: unknown */
    char column[64]; /* or empty */
} lvl_sheet_place;

/* Reads a table, which has to live as long. LVL_ERR_ARG with a finding: it is none, a column or a row is
 * there twice. Free it in any case. */
lvl_status lvl_sheet_read(lvl_sheet *sheet, lvl_text text, lvl_sheet_place *place, lvl_findings *findings);
void lvl_sheet_free(lvl_sheet *sheet);
/* The first row of a file; LVL_NO_INDEX: none. Without a column `file` all rows are of any file. */
uint32_t lvl_sheet_first(const lvl_sheet *sheet, const char *file);
/* Sets what is different in the rows of that file; all or none. LVL_ERR_ARG with a finding and its place: an
 * unknown column, a path that finds nothing or not one record, two rows for one record, a value that does not
 * fit. */
lvl_status lvl_sheet_set(lvl_doc *doc, const lvl_sheet *sheet, const char *file, size_t *changed,
                         lvl_sheet_place *place, lvl_findings *findings);

#endif
