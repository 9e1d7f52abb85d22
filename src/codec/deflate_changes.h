/*
 * codec/deflate_changes.h: which searches find the same in an edited text as in the text before, although
 * bytes have changed that they may see. Inner header of codec/deflate_reuse.c. Both texts have the same
 * length up to where they are searched.
 */
#ifndef LVL_CODEC_DEFLATE_CHANGES_H
#define LVL_CODEC_DEFLATE_CHANGES_H

#include "codec/deflate_encoder.h"
#include "codec/deflate_symbols.h"

enum { LVL_DEFLATE_MAX_CHANGED = 2048, LVL_DEFLATE_CHANGED_LISTS = 256 };

/* A position that is a candidate for searches with this hash, and whose bytes have changed. */
typedef struct lvl_deflate_changed {
    uint32_t at;
    uint16_t hash;
    uint16_t next; /* number of an older one in its list, less one; 0: there is none */
    bool in_now, in_was; /* it has this hash in the edited text, and in the one before */
} lvl_deflate_changed;

typedef struct lvl_deflate_changes {
    lvl_bytes now, was;
    const lvl_deflate_level *level;
    size_t end; /* of the last change */
    lvl_deflate_changed places[LVL_DEFLATE_MAX_CHANGED];
    uint16_t first[LVL_DEFLATE_CHANGED_LISTS]; /* as `next`, by the lowest bits of the hash */
    unsigned count;
    bool full; /* there are more places than there is room for */
    size_t from; /* places are all candidates from here up to `end`; 1: all before `end` */
    uint64_t reachable[LVL_DEFLATE_WINDOW / 64]; /* bits: hashes of places that a search may still get to */
    uint16_t behind[LVL_DEFLATE_WINDOW]; /* by hash of a place: candidates that are known behind `end` */
    size_t counted; /* up to here `behind` is complete */
} lvl_deflate_changes;

/* Notes that the bytes from `from` up to `to` have changed, which are behind all that were noted before. */
void lvl_deflate_changes_note(lvl_deflate_changes *c, size_t from, size_t to);
/* Whether searches from `pos` on find literals up to `at` and the match there (length 0: none), as they did
 * in the text before. The bytes from the last change on are equal. Called for positions in order. */
bool lvl_deflate_changes_keep(lvl_deflate_changes *c, size_t pos, size_t at, const lvl_deflate_symbol *match);

#endif
