/*
 * base/csv.h: tables as CSV (RFC 4180): rows of fields between commas; a field in quotes may have commas,
 * line ends and doubled quotes. The reader also takes what spreadsheets write in other countries: semicolons
 * or tabs between fields, and a byte order mark.
 */
#ifndef LVL_BASE_CSV_H
#define LVL_BASE_CSV_H

#include "base/buffer.h"

enum { LVL_CSV_COLUMNS = 512 };

typedef struct lvl_csv {
    const char *p, *end; /* not read yet */
    char comma; /* between fields: the first of `,', `;' and tab in the first line */
    size_t next_line, line; /* of the next row and of the last row read, from 1 */
    lvl_buffer text; /* the fields of that row */
    size_t ends[LVL_CSV_COLUMNS];
    size_t count;
    const char *error; /* why a row cannot be read */
} lvl_csv;

/* Begins to read a text, which must outlive the reader. */
void lvl_csv_begin(lvl_csv *csv, lvl_text text);
/* Reads the next row that is not empty. False: there is none, or `error` is set, or `text.status` is
 * LVL_ERR_MEMORY. */
bool lvl_csv_row(lvl_csv *csv);
/* A field of the row, without its quotes; empty beyond the last one. Valid until the next row. */
lvl_text lvl_csv_field(const lvl_csv *csv, size_t column);
void lvl_csv_end(lvl_csv *csv);

/* Appends a field, in quotes if it needs them. */
void lvl_csv_put(lvl_buffer *out, lvl_text field);

#endif
