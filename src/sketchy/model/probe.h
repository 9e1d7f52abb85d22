/*
 * sketchy/model/probe.h: recognition of drawings and packs, and of the start of a document.
 */
#ifndef LVL_SKETCHY_PROBE_H
#define LVL_SKETCHY_PROBE_H

#include "base/format.h"

enum { LVL_SKETCHY_MAX_LEAD = 4096 }; /* bytes that may precede a document or gzip */

/* The formats' `probe`. */
int lvl_sketchy_probe(const lvl_probe_input *in);
int lvl_levelpack_probe(const lvl_probe_input *in);
/* Their `probe_tail`: from the start of a zip's directory. */
uint64_t lvl_sketchy_probe_tail(lvl_bytes tail, uint64_t size);

/* Whether a gzip member begins here. */
bool lvl_sketchy_is_gzip(lvl_bytes in);
/* The number of bytes before a JSON text: blanks, and a byte order mark. */
size_t lvl_sketchy_lead(lvl_bytes in, bool *mark);
/* The offset of a document after other bytes, by the key that the game writes first; 0: none in the first
 * LVL_SKETCHY_MAX_LEAD bytes. */
size_t lvl_sketchy_find_json(lvl_bytes in);
/* The offset of a deflate stream that begins as a JSON object: after ten bytes, the size of a gzip header of
 * the game, which may be damaged, or after a sound header that other bytes precede. 0: none near the
 * start. */
size_t lvl_sketchy_find_deflated(lvl_bytes in);

#endif
