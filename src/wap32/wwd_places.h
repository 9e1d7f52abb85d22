/*
 * wap32/wwd_places.h: which bytes of a main block belong to which part: where a part begins, how far it may
 * extend, what the parts have claimed, and the gaps between them.
 */
#ifndef LVL_WWD_PLACES_H
#define LVL_WWD_PLACES_H

#include "base/work.h"
#include "wap32/wwd_internal.h"

/* What is trusted while a block is read; see wwd_block.c. */
typedef enum lvl_wwd_mode {
    LVL_WWD_BY_OFFSET, /* offsets and counts */
    LVL_WWD_IN_ORDER, /* counts only: each part follows the one before, in the usual order */
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
    bool packed; /* the block was inflated: all of it belongs to the parts */
    lvl_sink *sink;
    lvl_findings *findings;
    lvl_wwd_mode mode;
    lvl_work work; /* BY_CONTENT: one step per byte examined */
    uint64_t budget; /* bytes that parts may still have, overlapping ones counted each time */
    uint64_t *starts; /* where parts begin by their offsets, sorted */
    uint32_t start_count;
    lvl_wwd_claim *claims;
    uint32_t claim_count;
    uint64_t next, end; /* where the last claim, and the farthest one, ends */
    uint64_t properties_end;
    uint64_t cut_at; /* the end of a part that is cut off; UINT64_MAX: there is none */
    lvl_buffer gaps; /* of lvl_wwd_gap */
    uint32_t problems; /* incomplete parts, gaps and overlaps */
    lvl_status status;
} lvl_wwd_parser;

/* ---- reporting ----------------------------------------------------------------------------------------- */

/* Emits the span of `len` bytes from `at` on, from the block's start. */
void lvl_wwd_emit_part(const lvl_wwd_parser *p, lvl_where where, const lvl_table *table,
                       const lvl_field *field, uint64_t at, uint64_t len);
/* A finding about such bytes. */
void lvl_wwd_report_part(const lvl_wwd_parser *p, lvl_wwd_finding what, lvl_where where, uint64_t at,
                         uint64_t len, const char *fmt, ...) LVL_PRINTF(6, 7);

/* ---- where a part is ----------------------------------------------------------------------------------- */

/* Sets *at to where a part begins; false if that is outside of the block. */
bool lvl_wwd_place(const lvl_wwd_parser *p, uint32_t offset, uint64_t *at);
/* Allocates starts and claims for so many planes. False: p->status. */
bool lvl_wwd_reserve_places(lvl_wwd_parser *p, uint32_t planes);
/* Appends where the parts of a plane, and the tile properties, begin. Sort them when all are there. */
void lvl_wwd_add_starts(lvl_wwd_parser *p, const lvl_wwd_plane *plane);
void lvl_wwd_sort_starts(lvl_wwd_parser *p);
/* Where the part at `at` ends at the latest: where the next part begins, or at the end of the block. */
uint64_t lvl_wwd_part_limit(const lvl_wwd_parser *p, uint64_t at);
/* Whether another part begins at `at`, besides the part with this offset. */
bool lvl_wwd_is_shared(const lvl_wwd_parser *p, uint32_t offset, uint64_t at);

/* ---- claims and gaps ----------------------------------------------------------------------------------- */

/* Adds a claim; false if parts overlap more than a few times, which only happens in hostile files. */
bool lvl_wwd_claim_bytes(lvl_wwd_parser *p, uint64_t at, uint64_t len);
/* Adds a gap inside of a claim. */
void lvl_wwd_add_gap(lvl_wwd_parser *p, uint64_t at, uint64_t len, const char *note);
/* Makes the document's list of gaps, when all parts have been read, and reports those between the parts. A
 * stored block without problems ends with its last part. */
void lvl_wwd_find_gaps(lvl_wwd_parser *p);
/* Whether these bytes after a stored block may be no part of it: there are none, a line end or WapMap's
 * trailer. */
bool lvl_wwd_is_trailer(const uint8_t *s, uint64_t len);

#endif
