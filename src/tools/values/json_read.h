/*
 * tools/values/json_read.h: reads JSON of dumps into members of records: for undump, and for values of set.
 */
#ifndef LVL_TOOLS_LOAD_H
#define LVL_TOOLS_LOAD_H

#include "codec/json.h"
#include "tools/values/streams.h"
#include "tools/tools.h"

typedef struct lvl_loader {
    lvl_doc *doc;
    lvl_findings *findings;
    lvl_where where; /* of the current record or member */
    lvl_status status; /* of the first error */
    lvl_streams streams; /* streams whose bytes are made again (lvl_streams_make) */
    bool given; /* values are from the user: derived members are refused, not restored */
} lvl_loader;

/* These read JSON into a record or member of the document. They report every error as a finding and continue;
 * check `status` at the end. The path in `where` must be that of the record or member. */
void lvl_load_record(lvl_loader *l, void *record, const lvl_table *table, yyjson_val *val);
void lvl_load_value(lvl_loader *l, void *record, const lvl_field *field, yyjson_val *val);
/* Sets a text member from UTF-8. */
void lvl_load_text(lvl_loader *l, void *record, const lvl_field *field, lvl_text utf8);
/* Sets a text or bytes member: a slot, which is padded with zeros, or a copy in the document's memory. */
void lvl_load_bytes(lvl_loader *l, void *record, const lvl_field *field, const void *data, size_t len);
/* Parses a cell as in a row: a symbol, a number, or the name of a special value. */
bool lvl_cell_parse(const lvl_cell_name *names, lvl_text text, uint32_t size, uint32_t *value);
/* Reports a wrong value: LVL_ERR_FORMAT, or LVL_ERR_ARG where `given`. */
void lvl_load_fail(lvl_loader *l, lvl_fault fault, const char *fmt, ...) LVL_PRINTF(3, 4);

#endif
