/*
 * sketchy/model/findings.h: the findings of drawings and packs, by number.
 */
#ifndef LVL_SKETCHY_FINDINGS_H
#define LVL_SKETCHY_FINDINGS_H

#include "base/findings.h"
#include "base/text.h"

/* LVL_SKETCHY_F_JSON and so on */
enum {
#define FINDING(name, ...) LVL_SKETCHY_F_##name,
#define REPAIRED           FINDING
#include "sketchy/model/findings_list.h"
#undef FINDING
#undef REPAIRED
    LVL_SKETCHY_F_COUNT
};

extern const lvl_finding_def lvl_sketchy_findings[LVL_SKETCHY_F_COUNT];

/* Adds a finding without a position; `what` is one of these, `where` may be NULL. */
#define lvl_sketchy_report(findings, what, where, ...) \
    lvl_findings_add(findings, &lvl_sketchy_findings[what], where, NULL, __VA_ARGS__)

/* Writes a text of the file to a buffer of this size, for a message. */
enum { LVL_SKETCHY_SHOWN = 100 };
static inline const char *lvl_sketchy_show(char *buf, lvl_text text)
{
    return lvl_text_show(buf, LVL_SKETCHY_SHOWN, LVL_CP_UTF8, text);
}

/* Places in drawings: a member of the root, an item of one of its lists, a chunk. */
lvl_where lvl_sketchy_at(size_t member);
lvl_where lvl_sketchy_item(size_t list, uint32_t index);
lvl_where lvl_sketchy_chunk_at(uint32_t layer, uint32_t chunk);

#endif
