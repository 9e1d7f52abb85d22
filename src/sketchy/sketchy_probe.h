/*
 * sketchy/sketchy_probe.h: telling drawings and packs from other files.
 */
#ifndef LVL_SKETCHY_PROBE_H
#define LVL_SKETCHY_PROBE_H

#include "base/format.h"

enum {
    LVL_SKETCHY_GZIP_HEADER = 10
}; /* bytes in front of what is deflated, without a name and what else might be there */

/* format's `probe`. */
int lvl_sketchy_probe(const lvl_probe_input *in);
int lvl_levelpack_probe(const lvl_probe_input *in);

/* Bytes in front of a JSON text that aren't its own: a byte order mark, and blanks around that. */
size_t lvl_sketchy_lead(lvl_bytes in, bool *mark);
/* Whether behind the ten bytes that a gzip's header has with the game something is deflated that begins as a JSON object: the header is damaged then, or it is no gzip. */
bool lvl_sketchy_is_headless_gzip(lvl_bytes in);

#endif
