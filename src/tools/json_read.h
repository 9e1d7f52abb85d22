/*
 * tools/json_read.h: JSON as dumps have it into members of records: for undump, and for values given to set.
 */
#ifndef LVL_TOOLS_LOAD_H
#define LVL_TOOLS_LOAD_H

#include "codec/json.h"
#include "tools/tools.h"

typedef struct lvl_loader {
    lvl_doc *doc;
    lvl_findings *findings;
    lvl_where where;   /* of the record or member being loaded */
    lvl_status status; /* of the first error */
    bool given; /* values are a user's: derived members are refused rather than taken as what the file had */
} lvl_loader;

/* Each loads one thing, reports every error as a finding, and goes on; look at `status` at the end. The
 * member is assigned in the document's memory; `where` is where it is. */
void lvl_load_record(lvl_loader *l, void *record, const lvl_table *table, yyjson_val *val);
void lvl_load_value(lvl_loader *l, void *record, const lvl_field *field, yyjson_val *val);
/* A text in UTF-8 into a text member. */
void lvl_load_text(lvl_loader *l, void *record, const lvl_field *field, lvl_text utf8);
/* Bytes into a slot, zero-padded, or a copy of them into the document's memory. */
void lvl_load_bytes(lvl_loader *l, void *record, const lvl_field *field, const void *data, size_t len);
/* A cell's value as in a row: a symbol, a number, or the name of a special value. */
bool lvl_cell_parse(const lvl_cell_name *names, lvl_text text, uint32_t size, uint32_t *value);
/* Reports a wrong value: LVL_ERR_FORMAT, or LVL_ERR_ARG where `given`. */
void lvl_load_fail(lvl_loader *l, lvl_fault fault, const char *fmt, ...) LVL_PRINTF(3, 4);

#endif
