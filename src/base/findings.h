/*
 * base/findings.h: adding findings, and the names and severities they are shown with.
 */
#ifndef LVL_BASE_FINDINGS_H
#define LVL_BASE_FINDINGS_H

#include <lvl/base.h>

/* "strict", "game", "salvage"; false if the name is none. lvl_ctx_set_profile (lvl/doc.h) also takes the
 * names of programs. */
bool lvl_profile_parse(const char *name, lvl_profile *out);
const char *lvl_profile_name(lvl_profile profile);
const char *lvl_codepage_name(lvl_codepage page);
/* How bad it is in the context's profile. The program counts for the profile game only. */
lvl_severity lvl_severity_for(const lvl_ctx *ctx, const lvl_finding_def *def);
/* Adds one. Past the context's limit, and for LVL_NONE, it is only counted or dropped. `list` NULL: nothing
 * happens. `where` and `pos` may be NULL. Out of memory sets a sticky state that lvl_findings_status returns.
 * The format is printf's; the result should be UTF-8 and is cut, with "..." for its end, where it takes more
 * than 1000 bytes: files may hold names of any length. */
void lvl_findings_add(lvl_findings *list, const lvl_finding_def *def, const lvl_where *where,
                      const lvl_position *pos, const char *fmt, ...) LVL_PRINTF(5, 6);
/* The same with the arguments of a function that takes `...` itself; `args` is used up as by vprintf. */
void lvl_findings_addv(lvl_findings *list, const lvl_finding_def *def, const lvl_where *where,
                       const lvl_position *pos, const char *fmt, va_list args) LVL_PRINTF(5, 0);
/* As lvl_findings_add, for a finding without a position. */
void lvl_report_at(lvl_findings *list, const lvl_finding_def *def, lvl_where where, const char *fmt, ...)
    LVL_PRINTF(4, 5);
lvl_status lvl_findings_status(const lvl_findings *list);

#endif
