/*
 * tools/tools.h: the findings of the tools (about dumps, paths, values), whose ids begin with "lvl", and
 * helpers that several tools use.
 */
#ifndef LVL_TOOLS_TOOLS_H
#define LVL_TOOLS_TOOLS_H

#include "base/format.h"

#include <lvl/tools.h>

struct lvl_info;
/* Whether a fact of this key is known anyway. */
typedef bool (*lvl_info_known_fn)(const char *key);
/* Appends the facts of a document (base/info.h) as a JSON object in two parts, without lists, what is 0,
 * false or empty, and what is known: `keys` gets a line for each key, as `"layers":` and `,"links":`, and
 * `values` a line for each value. The lines of both in turn, in braces, are the object. */
lvl_status lvl_info_json_short(const struct lvl_info *info, lvl_info_known_fn known, lvl_buffer *keys,
                               lvl_buffer *values);

typedef enum lvl_fault {
    LVL_FAULT_JSON,
    LVL_FAULT_HEAD,
    LVL_FAULT_KEY,
    LVL_FAULT_KIND,
    LVL_FAULT_VALUE,
    LVL_FAULT_CHARACTER,
    LVL_FAULT_PATH,
    LVL_FAULT_NAME,
    LVL_FAULT_NOTHING,
    LVL_FAULT_NO_CELL,
    LVL_FAULT_ABSENT,
    LVL_FAULT_STREAM,
    LVL_FAULT_DERIVED,
    LVL_FAULT_OFFSET,
    LVL_FAULT_PART,
    LVL_FAULT_REPAIR,
    LVL_FAULT_LOST,
    LVL_FAULT_HIDDEN,
    LVL_FAULT_CONFLICT,
    LVL_FAULT_FIELDS,
    LVL_FAULT_FIELD_DROPPED,
    LVL_FAULT_PRESENT,
    LVL_FAULT_COPY_ADDED,
    LVL_FAULT_COPY_MEANS,
    LVL_FAULT_COPY_REPLACED,
    LVL_FAULT_COPY_DAMAGED,
    LVL_FAULT_CUT,
    LVL_FAULT_MOVE_OVER,
    LVL_FAULT_MAP,
    LVL_FAULT_MAP_ORIGIN,
    LVL_FAULT_MAP_LAYER,
    LVL_FAULT_MAP_CELL,
    LVL_FAULT_MAP_OBJECT,
    LVL_FAULT_MAP_IGNORED,
    LVL_FAULT_RULES_FILE,
    LVL_FAULT_RULES_SKIPPED,
    LVL_FAULT_COUNT
} lvl_fault;

extern const lvl_finding_def lvl_faults[LVL_FAULT_COUNT];

/* Adds a finding without a path. Returns LVL_ERR_ARG, for the caller to return. */
lvl_status lvl_fault_add(lvl_findings *findings, lvl_fault fault, const char *fmt, ...) LVL_PRINTF(3, 4);

/* lvl_undump for a format that need not be in the table of formats; NULL: search the table. */
lvl_status lvl_undump_as(lvl_doc **out, const lvl_ctx *ctx, const lvl_format *format, lvl_text json,
                         lvl_findings *findings);

/* The endings, or the form (`weapon*.txt'), of the files that a field with LVL_F_STEM names. */
static inline const char *lvl_stem_endings(const lvl_doc *doc, const lvl_field *field)
{
    return field->part_ending ? field->part_ending : doc->format->extensions;
}

/* Copies a document by writing and reading it, so that content and spelling are kept. */
lvl_status lvl_doc_copy(const lvl_doc *doc, const lvl_ctx *ctx, lvl_doc **out);

/* LVL_ERR_LOSS, with a finding that names the reason, if the written document would not be known as a file of
 * its format, as its input was. */
lvl_status lvl_doc_still_recognized(lvl_doc *doc, lvl_bytes written, lvl_findings *findings);
/* Warns of each value in a field that its record does not have, which is not written (lvl.edit.dropped): a
 * program assigned it, or another value of the field that decides about it. */
lvl_status lvl_doc_report_dropped(const lvl_doc *doc, lvl_findings *findings);

/* How many typing errors a word may have and still be recognized: a third of its length. */
unsigned lvl_typo_limit(lvl_text text);
/* The name of a field, or of a value, that is most similar to `text`, for "did you mean"; NULL: none is. */
const char *lvl_nearest_field(const lvl_table *table, lvl_text text);
const char *lvl_nearest_name(const lvl_name *names, lvl_text text);

/* The table of a root and those of all records below it, each once, breadth first; returns how many they are.
 * `wanted` (may be NULL): whether to include the table of a field. */
enum { LVL_MAX_TABLES = 128 };
uint32_t lvl_tables_below(const lvl_table *root, const lvl_table *tables[LVL_MAX_TABLES],
                          bool (*wanted)(const void *user, const lvl_table *table, const lvl_field *field),
                          const void *user);

/* UTF-8 from the user for a message: cut to some 60 bytes, controls escaped. Returns `buf`. */
const char *lvl_show(char buf[80], lvl_text utf8);

/* Writes a cell of `size` bytes, as lvl_cell reads it. */
static inline void lvl_put_cell(uint8_t *to, uint32_t size, uint32_t value)
{
    for (uint32_t i = 0; i < size; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

/* Writes `count` cells of `size` bytes with that value. */
void lvl_fill_cells(uint8_t *to, uint32_t size, uint32_t value, size_t count);

/* The member of the root with spelling that the writer can regenerate (can_regenerate), or NULL. */
lvl_status lvl_made_member(const lvl_doc *doc, const lvl_field **out);

#endif
