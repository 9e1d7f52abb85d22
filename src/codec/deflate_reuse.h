/*
 * codec/deflate_reuse.h: an edited text keeps the symbols of the stream it had before. Inner header of
 * codec/deflate.c.
 */
#ifndef LVL_CODEC_DEFLATE_REUSE_H
#define LVL_CODEC_DEFLATE_REUSE_H

#include "codec/deflate_changes.h"
#include "codec/deflate_encoder.h"
#include "codec/deflate_same.h"
#include "codec/deflate_symbols.h"

/* The stream of the text before the edit, read along with the edited text. */
typedef struct lvl_deflate_source {
    lvl_deflate_symbols symbols;
    size_t at; /* in the text before: where the next symbol begins */
    bool behind_match; /* the symbol before that is a match, or there is none */
    bool ended; /* there is no further symbol */
    lvl_deflate_same same; /* the range of equal bytes at hand */
    bool near_change; /* a search may still see bytes that have changed */
    lvl_deflate_changes changes;
} lvl_deflate_source;

/* `s` is zero. `stream` encodes `was` and has no wrapper; `now` is the edited text. Both texts have bytes,
 * and all must exist until the end. */
void lvl_deflate_source_begin(lvl_deflate_source *s, lvl_bytes now, lvl_bytes was, lvl_bytes stream,
                              const lvl_deflate_level *level);
/* Writes symbols of the source from `pos` on, where a match has ended or the text begins, as far as a search
 * would find the same ones. Returns where they end: again behind a match, or at the end of the text;
 * *waiting: there with a literal before it that is not written yet. */
size_t lvl_deflate_reuse(lvl_deflate_source *s, lvl_deflate_encoder *e, size_t pos, bool *waiting);

#endif
