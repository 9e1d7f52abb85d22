/*
 * graal/nw_internal.h: what the files of text levels share.
 */
#ifndef LVL_NW_INTERNAL_H
#define LVL_NW_INTERNAL_H

#include "codec/grammar.h"
#include "graal/graal_level.h"

/* nw_board.c: BOARD lines. */
extern const lvl_line_grid lvl_nw_grid;
/* Decodes tiles of two characters each, at most a row of them, into cells of two bytes; false if a character
 * is none of the 64: its tile is then left as it was. */
bool lvl_nw_decode(const char *data, size_t count, uint8_t *cells);

/* nw_repair.c: ends texts that swallow commands, and writes anew what its reader finds damaged. */
lvl_status lvl_nw_repair(lvl_doc *doc, lvl_findings *log);

#endif
