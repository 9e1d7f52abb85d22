/*
 * wap32/wwd/recover.h: finds the records of a main block whose counts and lengths are wrong.
 */
#ifndef LVL_WWD_RECOVER_H
#define LVL_WWD_RECOVER_H

#include "base/work.h"
#include "wap32/wwd/internal.h"

/* The bytes that are searched for objects. */
typedef struct lvl_wwd_scan {
    const uint8_t *block;
    uint64_t end; /* where the objects end, from the block's start */
    bool sure_end; /* another part begins there, so all bytes before it belong to the objects */
    lvl_work *work; /* one step per byte; the search ends when it is used up */
} lvl_wwd_scan;

typedef enum lvl_wwd_found_kind {
    LVL_WWD_FOUND_OBJECT,
    LVL_WWD_FOUND_LENGTHS, /* an object with a wrong text length; text[] has the correct lengths */
    LVL_WWD_FOUND_JUNK /* bytes that are not an object */
} lvl_wwd_found_kind;

typedef struct lvl_wwd_found {
    lvl_wwd_found_kind kind;
    uint64_t size; /* bytes, at least 1 */
    uint32_t text[4]; /* bytes of name, logic, image set, animation */
} lvl_wwd_found;

/* The size of an object with its texts, and the declared lengths of these; 0 if it exceeds `left` bytes. */
uint64_t lvl_wwd_record_size(const uint8_t *bytes, uint64_t left, uint32_t text[4]);
/* Whether objects begin at `at`: records that look like objects, up to one that has a logic and is followed
 * by another object or the end. */
bool lvl_wwd_begins_objects(const lvl_wwd_scan *scan, uint64_t at);
/* Sets *found to the object at `at`, or to the bytes there before the next object; false at the end of the
 * objects. */
bool lvl_wwd_next_object(const lvl_wwd_scan *scan, uint64_t at, lvl_wwd_found *found);

/* Finds columns and rows whose product is `cells` from the other numbers in the plane's header. False if none
 * fit. */
bool lvl_wwd_tiles_shape(const lvl_wwd_plane *plane, uint64_t cells, uint64_t *wide, uint64_t *high);

#endif
