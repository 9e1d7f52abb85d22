/*
 * sketchy/sketchy_probe.h: telling drawings and packs from other files, and where a document begins.
 */
#ifndef LVL_SKETCHY_PROBE_H
#define LVL_SKETCHY_PROBE_H

#include "base/format.h"

enum { LVL_SKETCHY_LEAD_MOST = 4096 }; /* bytes that may stand in front of a document or gzip */

/* format's `probe`. */
int lvl_sketchy_probe(const lvl_probe_input *in);
int lvl_levelpack_probe(const lvl_probe_input *in);

/* Bytes in front of a JSON text that aren't its own: a byte order mark, and blanks around that. */
size_t lvl_sketchy_lead(lvl_bytes in, bool *mark);
/* Where a document begins behind other bytes, by the key that the game puts first; 0: nowhere near. */
size_t lvl_sketchy_find_json(lvl_bytes in);
/* Where something is deflated that begins as a JSON object: behind the ten bytes that a gzip's header has
 * with the game, though that be damaged, or behind a whole one with something in front of it. 0: nowhere
 * near. */
size_t lvl_sketchy_find_deflated(lvl_bytes in);

#endif
