/*
 * tools/values/schema.h: formats and their fields as JSON.
 */
#ifndef LVL_TOOLS_VALUES_SCHEMA_H
#define LVL_TOOLS_VALUES_SCHEMA_H

#include <lvl/tools.h>

/* The JSON Schema (2020-12) of a format's dumps. */
lvl_status lvl_schema(const lvl_format *format, lvl_buffer *out);
/* The format as one line of JSON: id, family, title, extensions, abilities ("can"), forms, programs; with
 * `tables` also its records by name, the root's first: prose, label, and for each field name, prose, unit,
 * kind, role, names of values, range, and what it refers to. */
lvl_status lvl_format_json(const lvl_format *format, bool tables, lvl_buffer *out);

#endif
