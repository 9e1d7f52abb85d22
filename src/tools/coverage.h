/*
 * tools/coverage.h: what a reader reports of a file's bytes, gathered: spaces, spans, and the gaps between
 * them.
 */
#ifndef LVL_TOOLS_TRACE_H
#define LVL_TOOLS_TRACE_H

#include "tools/tools.h"

/* Bits of a space, [from, to). */
typedef struct lvl_claim {
    uint32_t space;
    uint64_t from, to;
} lvl_claim;

typedef struct lvl_trace_space {
    lvl_space
        space;     /* bytes: ours when `owned`, the document's input for space 0; empty when not asked for */
    uint64_t size; /* bytes */
    uint8_t *owned;
} lvl_trace_space;

typedef struct lvl_trace {
    lvl_sink sink;
    const lvl_doc *doc;
    bool keep; /* spans and bytes too, not only claims */
    lvl_trace_space *spaces;
    size_t space_count, space_cap;
    uint64_t kept; /* bytes of spaces */
    lvl_span *spans;
    size_t span_count, span_cap;
    lvl_claim *claims;
    size_t claim_count, claim_cap;
    const lvl_table *last_table; /* of the span before, and how far its fields cover it */
    uint64_t last_covered;
    lvl_status status;
} lvl_trace;

/* Reads the document's input again and gathers; findings (may be NULL) get their positions by the way. Free
 * in any case. */
lvl_status lvl_trace_read(lvl_trace *trace, const lvl_doc *doc, bool keep, lvl_findings *findings);
/* lvl_residue, and lvl_doc_locate in the same reading. */
lvl_status lvl_residue_located(const lvl_doc *doc, lvl_findings *findings, uint64_t *bits, uint64_t *overlap);
void lvl_trace_free(lvl_trace *trace);
/* Calls `gap` for each range of bits that nothing claims, in order; adds up the bits claimed twice. Sorts the
 * claims. */
void lvl_trace_gaps(lvl_trace *trace, void (*gap)(void *user, const lvl_claim *gap), void *user,
                    uint64_t *overlap);
/* The space with that id, or NULL. */
const lvl_trace_space *lvl_trace_find(const lvl_trace *trace, uint32_t id);
/* "0x5f4/0x1a3", NUL-ended, cut; with `bits`, "0x1a3.5" where it isn't a whole byte. */
const char *lvl_trace_position(const lvl_trace *trace, uint32_t space, uint64_t bit, bool bits, char *buf,
                               size_t size);
/* The record that the path ends in, or holds the field it ends in; NULL if it leads nowhere in this document.
 * `field` NULL: it ends in a record. */
const void *lvl_where_record(const lvl_doc *doc, const lvl_where *where, const lvl_table **table,
                             const lvl_field **field, uint32_t *index);
/* Whether a is b or lies above it. */
bool lvl_where_above(const lvl_where *a, const lvl_where *b);

#endif
