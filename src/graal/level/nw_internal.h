/*
 * graal/level/nw_internal.h: shared by the files of text levels.
 */
#ifndef LVL_NW_INTERNAL_H
#define LVL_NW_INTERNAL_H

#include "codec/grammar.h"
#include "graal/level/graal_level.h"

/* nw_board.c: BOARD lines. */
extern const lvl_line_grid lvl_nw_grid;
/* Decodes tiles of two characters each into cells of two bytes; false if a character is none of the 64: its
 * cell then keeps its value. */
bool lvl_nw_decode(const char *data, size_t count, uint8_t *cells);

/* nw_format.c: what follows the first line, or what is left of that: blanks, its last letters, small letters.
 * If nothing is left of it, all of the text. */
lvl_text lvl_nw_after_header(lvl_text text);

/* nw_repair.c: writes the first line, ends texts that contain commands, and rewrites what the reader reports
 * as damaged. */
lvl_status lvl_nw_repair(lvl_doc *doc, lvl_findings *log);

#endif
