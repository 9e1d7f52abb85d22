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
/* The severity in the context's profile; in the profile game, that of the context's program if one is set. */
lvl_severity lvl_severity_for(const lvl_ctx *ctx, const lvl_finding_def *def);
/* After the name of a file in the text of a finding about a file that was not found. */
#define LVL_IS_MISSING " is missing"
/* Adds a finding. Of severity LVL_NONE, or beyond the context's limit, it is only counted. `list`, `where`
 * and `pos` may be NULL; without a list nothing happens. Out of memory sets a sticky status that
 * lvl_findings_status returns. The format is printf's; the text should be UTF-8. Since names in files may be
 * of any length, it is cut to 1000 bytes, with "..." at its end. */
void lvl_findings_add(lvl_findings *list, const lvl_finding_def *def, const lvl_where *where,
                      const lvl_position *pos, const char *fmt, ...) LVL_PRINTF(5, 6);
/* The same with a va_list; like vprintf, it leaves `args` undefined. */
void lvl_findings_addv(lvl_findings *list, const lvl_finding_def *def, const lvl_where *where,
                       const lvl_position *pos, const char *fmt, va_list args) LVL_PRINTF(5, 0);
/* Like lvl_findings_add, for a finding without a position. */
void lvl_report_at(lvl_findings *list, const lvl_finding_def *def, lvl_where where, const char *fmt, ...)
    LVL_PRINTF(4, 5);
/* What is added from now on is about this file in the document, an archive: "levels/hill.level", UTF-8. Kept
 * until the next call; no text: it is about the document itself. `list` may be NULL. */
void lvl_findings_set_member(lvl_findings *list, lvl_text path);
/* Adds the findings of `from`, which may be NULL, and its sticky status to `list`. */
void lvl_findings_add_all(lvl_findings *list, const lvl_findings *from);
/* The number of errors that mean damage (content is missing, hidden or wrong), including those that were only
 * counted. Such findings are errors in the profile salvage, too; other errors are problems that a game has
 * with an intact file. */
size_t lvl_findings_damage(const lvl_findings *list);
lvl_status lvl_findings_status(const lvl_findings *list);
/* Kinds of findings that a list counts, whether or not it keeps them. */
typedef struct lvl_findings_watch {
    const lvl_finding_def *const *kinds; /* ended by NULL; NULL: none */
    size_t count;
} lvl_findings_watch;
/* Replaces the watch of the list; returns the previous one, to be restored later. */
lvl_findings_watch lvl_findings_set_watch(lvl_findings *list, lvl_findings_watch watch);
/* A list that keeps no findings; for lvl_findings_set_watch. NULL without memory; to be freed. */
lvl_findings *lvl_findings_new_counter(const lvl_ctx *ctx);

/* Removes the findings for which `keep` returns false, and forgets those that were only counted. */
void lvl_findings_filter(lvl_findings *list, bool (*keep)(void *user, const lvl_finding *finding),
                         void *user);

#endif
