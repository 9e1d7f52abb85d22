/*
 * tools/check/reports.h: findings as JSON, as lines, and as marks on a picture.
 */
#ifndef LVL_TOOLS_CHECK_REPORTS_H
#define LVL_TOOLS_CHECK_REPORTS_H

#include <lvl/render.h>
#include <lvl/tools.h>

/* The findings for LVL_OVERLAY_FINDINGS: what the format's check reports about a document, with one for each
 * thing that a rule of its game concerns. If `options` has that overlay, they become its findings; *found has
 * them, and is to be freed after the picture was drawn. Else *found is NULL. `art` may be NULL.
 * LVL_ERR_MEMORY, LVL_ERR_LIMIT. */
lvl_status lvl_check_marks(const lvl_doc *doc, const struct lvl_art *art, lvl_render_options *options,
                           lvl_findings **found);

/* One line of JSON:
 *
 *     {"file":…,"format":…,"sha256":…,"verdict":…,"residue":…,"kept":…,"roundtrip":…,
 *      "findings":[{"id","severity","offset","length","path","text"}…]}
 *
 * offset and length are in bytes, null if unknown; "outer" is the offset of the stream, if the finding is in
 * one. format is null for a foreign file; roundtrip and sha256 are written only if requested. `file` is UTF-8
 * (broken bytes become U+FFFD). */
lvl_status lvl_check_json(const lvl_check_result *result, const lvl_findings *findings, const char *file,
                          lvl_buffer *out);
/* The findings as a JSON array, as in lvl_check_json, without a newline. */
lvl_status lvl_findings_json(const lvl_findings *findings, lvl_buffer *out);

/* Lines of findings, a few for each id. */
typedef struct lvl_few_lines {
    void (*one)(void *user, const lvl_finding *finding);
    void (*more)(void *user, const lvl_finding_def *def, lvl_severity severity, size_t count);
    void *user;
} lvl_few_lines;
/* Of each id the first `few` with different texts (at most LVL_FINDINGS_MANY), and at the end the number of
 * the others. */
void lvl_findings_few(const lvl_findings *findings, lvl_severity least, size_t few,
                      const lvl_few_lines *lines);

#endif
