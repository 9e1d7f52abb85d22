/*
 * wap32/wwd_recover.h: finds the records of a damaged main block. Only blocks that do not read as a whole
 * come here.
 */
#ifndef LVL_WWD_RECOVER_H
#define LVL_WWD_RECOVER_H

#include "base/work.h"
#include "wap32/wwd_internal.h"

/* Where objects are looked for. */
typedef struct lvl_wwd_scan {
    const uint8_t *block;
    uint64_t end;   /* where the objects end, from the block's start */
    bool sure_end;  /* another part begins there, so every byte before it is the objects' */
    lvl_work *work; /* a step a byte; nothing more is found when it is used up */
} lvl_wwd_scan;

typedef enum lvl_wwd_found_kind {
    LVL_WWD_FOUND_OBJECT,
    LVL_WWD_FOUND_LENGTHS, /* an object; one of its text lengths was wrong, text[] has the right ones */
    LVL_WWD_FOUND_JUNK     /* bytes that are no object */
} lvl_wwd_found_kind;

typedef struct lvl_wwd_found {
    lvl_wwd_found_kind kind;
    uint64_t size;    /* bytes from the place asked for, at least 1 */
    uint32_t text[4]; /* bytes of name, logic, image set, animation */
} lvl_wwd_found;

/* The bytes of an object and its texts, and the text lengths that it says; 0 if it does not fit into
 * `left` bytes. */
uint64_t lvl_wwd_record_size(const uint8_t *bytes, uint64_t left, uint32_t text[4]);
/* Whether objects begin at `at`: records that may be objects, as far as one with a logic that another object
 * (or the end) follows. */
bool lvl_wwd_begins_objects(const lvl_wwd_scan *scan, uint64_t at);
/* What is at `at`; false where the objects end. */
bool lvl_wwd_next_object(const lvl_wwd_scan *scan, uint64_t at, lvl_wwd_found *found);

/* The columns and rows of a plane whose tiles take `cells` cells, where its header's numbers do not give
 * that. False if no pair fits. */
bool lvl_wwd_tiles_shape(const lvl_wwd_plane *plane, uint64_t cells, uint64_t *wide, uint64_t *high);

#endif
