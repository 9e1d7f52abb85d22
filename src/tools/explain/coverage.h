/*
 * tools/explain/coverage.h: collects what a reader emits for the bytes of a file: spaces, spans, and the gaps
 * between them.
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
    lvl_space space; /* its bytes: `owned`, for space 0 the document's input; empty unless kept */
    uint64_t size; /* bytes */
    uint8_t *owned;
} lvl_trace_space;

typedef struct lvl_trace {
    lvl_sink sink;
    const lvl_doc *doc;
    bool record; /* places of spans, as many as fit */
    bool full; /* there were more */
    struct lvl_trace_place *places;
    lvl_step *steps; /* of the paths of places */
    size_t place_count, place_cap, step_count, step_cap;
    bool keep; /* spans and bytes as well as claims */
    lvl_trace_space *spaces;
    size_t space_count, space_cap;
    uint64_t kept; /* bytes of spaces */
    lvl_span *spans;
    size_t span_count, span_cap;
    lvl_claim *claims;
    size_t claim_count, claim_cap;
    const lvl_table *last_table; /* of the previous span, */
    uint64_t last_covered; /* and how many leading bytes its fields cover */
    lvl_status status;
} lvl_trace;

/* Reads the document's input again and collects its spans; sets the positions of findings (may be NULL). Free
 * in any case. */
lvl_status lvl_trace_read(lvl_trace *trace, const lvl_doc *doc, bool keep, lvl_findings *findings);
/* Prepares trace->sink for a reading. Spans are recorded for lvl_trace_locate, up to a limit. */
void lvl_trace_begin(lvl_trace *trace);
/* lvl_residue for a document whose reading gave its spans to the trace. */
lvl_status lvl_trace_residue(lvl_trace *trace, const lvl_doc *doc, uint64_t *bits);
/* lvl_doc_locate by the recorded spans; if there were too many, the file is read again. */
lvl_status lvl_trace_locate(const lvl_trace *trace, const lvl_doc *doc, lvl_findings *findings);
/* lvl_residue, and lvl_doc_locate in the same reading. */
lvl_status lvl_residue_located(const lvl_doc *doc, lvl_findings *findings, uint64_t *bits, uint64_t *overlap);
void lvl_trace_free(lvl_trace *trace);
/* Calls `gap` for each range of bits without a claim, in order; adds the number of bits claimed twice to
 * *overlap (may be NULL). Sorts the claims. */
void lvl_trace_gaps(lvl_trace *trace, void (*gap)(void *user, const lvl_claim *gap), void *user,
                    uint64_t *overlap);
/* The space with that id, or NULL. */
const lvl_trace_space *lvl_trace_find(const lvl_trace *trace, uint32_t id);
/* "0x5f4/0x1a3", NUL-ended, cut to size; with `bits` "0x1a3.5" for bit 5 of a byte. */
const char *lvl_trace_position(const lvl_trace *trace, uint32_t space, uint64_t bit, bool bits, char *buf,
                               size_t size);
/* The record at the end of the path, or the one with the field at its end; NULL: the document has no such
 * path. *field NULL: it ends in a record. */
const void *lvl_where_record(const lvl_doc *doc, const lvl_where *where, const lvl_table **table,
                             const lvl_field **field, uint32_t *index);
/* Whether a is b or a path above it. */
bool lvl_where_above(const lvl_where *a, const lvl_where *b);

/* The number of bits of the document's input and of its streams' content that are neither field, derived
 * value, spelling, container nor padding: 0 for every sound file. `overlap` (may be NULL) gets the number of
 * bits that belong to two fields, which means a bug in the reader. */
lvl_status lvl_residue(const lvl_doc *doc, uint64_t *bits, uint64_t *overlap);

#endif
