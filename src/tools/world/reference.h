/*
 * tools/world/reference.h: formats and findings as pages for people.
 */
#ifndef LVL_TOOLS_WORLD_REFERENCE_H
#define LVL_TOOLS_WORLD_REFERENCE_H

#include <lvl/tools.h>

/* The format's reference page in Markdown: its tables of fields and the names of values. */
lvl_status lvl_reference(const lvl_format *format, lvl_buffer *out);
/* Findings: id, meaning, severity in each profile, what repair does; as text for people or as one JSON object
 * per line. Of one format, or (NULL) of all in the context and those that any file can have; with `id`, only
 * those whose id is that or begins with it and a '.' ("wwd.object"). LVL_ERR_MISSING: none. */
lvl_status lvl_findings_reference(const lvl_ctx *ctx, const lvl_format *format, const char *id, bool json,
                                  lvl_buffer *out);

#endif
