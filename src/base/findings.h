/*
 * base/findings.h: adds findings; names of profiles and code pages.
 */
#ifndef LVL_BASE_FINDINGS_H
#define LVL_BASE_FINDINGS_H

#include <lvl/base.h>

/* "strict", "game", "salvage"; false for any other name. lvl_ctx_set_profile (lvl/doc.h) also accepts names
 * of programs. */
bool lvl_profile_parse(const char *name, lvl_profile *out);
const char *lvl_profile_name(lvl_profile profile);
const char *lvl_codepage_name(lvl_codepage page);
/* The severity in the context's profile; in the profile game that of the context's program, if it has one. */
lvl_severity lvl_severity_for(const lvl_ctx *ctx, const lvl_finding_def *def);
/* Adds a finding. Of severity LVL_NONE, or beyond the context's limit, it is only counted. `list`, `where`
 * and `pos` may be NULL; without a list nothing happens. Out of memory sets a sticky status that
 * lvl_findings_status returns. The format is printf's; the text should be UTF-8 and is cut to 1000 bytes,
 * with "..." at its end, since files may have names of any length. */
void lvl_findings_add(lvl_findings *list, const lvl_finding_def *def, const lvl_where *where,
                      const lvl_position *pos, const char *fmt, ...) LVL_PRINTF(5, 6);
/* The same with the arguments of a function that has `...`; as vprintf, it leaves `args` undefined. */
void lvl_findings_addv(lvl_findings *list, const lvl_finding_def *def, const lvl_where *where,
                       const lvl_position *pos, const char *fmt, va_list args) LVL_PRINTF(5, 0);
/* As lvl_findings_add, for a finding without a position. */
void lvl_report_at(lvl_findings *list, const lvl_finding_def *def, lvl_where where, const char *fmt, ...)
    LVL_PRINTF(4, 5);
/* Adds the findings of `from`, which may be NULL, to `list`. Its sticky status goes along. */
void lvl_findings_add_all(lvl_findings *list, const lvl_findings *from);
lvl_status lvl_findings_status(const lvl_findings *list);
/* Kinds of findings that a list counts, whether it keeps them or not. */
typedef struct lvl_findings_watch {
    const lvl_finding_def *const *kinds; /* ended by NULL; NULL: none */
    size_t count;
} lvl_findings_watch;
/* Replaces the watch of the list; returns the one before, to be put back. */
lvl_findings_watch lvl_findings_set_watch(lvl_findings *list, lvl_findings_watch watch);
/* A list that keeps no findings; for lvl_findings_set_watch. NULL without memory; to be freed. */
lvl_findings *lvl_findings_new_counter(const lvl_ctx *ctx);

#endif
