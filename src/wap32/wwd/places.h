/*
 * wap32/wwd/places.h: which bytes of a main block belong to which part: where a part begins, how far it may
 * extend, which bytes the parts have claimed, and the gaps between them.
 */
#ifndef LVL_WWD_PLACES_H
#define LVL_WWD_PLACES_H

#include "base/work.h"
#include "wap32/wwd/internal.h"

/* What is trusted while a block is read; see wap32/wwd/block.c. */
typedef enum lvl_wwd_mode {
    LVL_WWD_BY_OFFSET, /* offsets and counts */
    LVL_WWD_IN_ORDER, /* counts only: each part follows the previous one, in the usual order */
    LVL_WWD_BY_CONTENT /* offsets only: a part extends to the next one, and its records are counted */
} lvl_wwd_mode;

/* Bytes that a part has claimed, from the block's start. */
typedef struct lvl_wwd_claim {
    uint64_t at, len;
} lvl_wwd_claim;

typedef struct lvl_wwd_parser {
    lvl_doc *doc;
    lvl_wwd *wwd;
    lvl_bytes block;
    bool packed; /* the block was inflated: all its bytes belong to parts */
    lvl_sink *sink;
    lvl_findings *findings;
    lvl_wwd_mode mode;
    lvl_work work; /* BY_CONTENT: one step per byte examined */
    uint64_t budget; /* bytes that parts may still claim; shared bytes count each time */
    uint64_t *starts; /* where parts begin according to offsets, sorted */
    uint32_t start_count;
    lvl_wwd_claim *claims;
    uint32_t claim_count;
    uint64_t next, end; /* ends of the last claim and the farthest claim */
    uint64_t properties_end;
    uint64_t cut_at; /* the end of a part that is cut off; UINT64_MAX: there is none */
    lvl_buffer gaps; /* of lvl_wwd_gap */
    uint32_t problems; /* incomplete parts, gaps and overlaps */
    lvl_status status;
} lvl_wwd_parser;

/* ---- reporting ----------------------------------------------------------------------------------------- */

/* Emits a span of `len` bytes at `at`, counted from the block's start. */
void lvl_wwd_emit_part(const lvl_wwd_parser *p, lvl_where where, const lvl_table *table,
                       const lvl_field *field, uint64_t at, uint64_t len);
/* Adds a finding about such bytes. */
void lvl_wwd_report_part(const lvl_wwd_parser *p, lvl_wwd_finding what, lvl_where where, uint64_t at,
                         uint64_t len, const char *fmt, ...) LVL_PRINTF(6, 7);

/* ---- where a part is ----------------------------------------------------------------------------------- */

/* Sets *at to the start of a part; false if it is outside the block. */
bool lvl_wwd_place(const lvl_wwd_parser *p, uint32_t offset, uint64_t *at);
/* Allocates starts and claims for that many planes. False: see p->status. */
bool lvl_wwd_reserve_places(lvl_wwd_parser *p, uint32_t planes);
/* Appends the starts of a plane's parts, and of the tile properties. To be sorted when all are there. */
void lvl_wwd_add_starts(lvl_wwd_parser *p, const lvl_wwd_plane *plane);
void lvl_wwd_sort_starts(lvl_wwd_parser *p);
/* The latest end of the part at `at`: the start of the next part, or the end of the block. */
uint64_t lvl_wwd_part_limit(const lvl_wwd_parser *p, uint64_t at);
/* Whether another part begins at `at`, besides the part with this offset. */
bool lvl_wwd_is_shared(const lvl_wwd_parser *p, uint32_t offset, uint64_t at);

/* ---- claims and gaps ----------------------------------------------------------------------------------- */

/* Adds a claim; false if parts overlap more than a few times, which only happens in hostile files. */
bool lvl_wwd_claim_bytes(lvl_wwd_parser *p, uint64_t at, uint64_t len);
/* Adds a gap inside a claim. */
void lvl_wwd_add_gap(lvl_wwd_parser *p, uint64_t at, uint64_t len, const char *note);
/* Makes the document's list of gaps after all parts have been read, and reports those between parts. A stored
 * block without problems ends with its last part. */
void lvl_wwd_find_gaps(lvl_wwd_parser *p);
/* Whether the bytes after a stored block may not belong to it: no bytes, a line break or WapMap's trailer. */
bool lvl_wwd_is_trailer(const uint8_t *s, uint64_t len);

#endif
