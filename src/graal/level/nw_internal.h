/*
 * graal/level/nw_internal.h: shared by the files of text levels.
 */
#ifndef LVL_NW_INTERNAL_H
#define LVL_NW_INTERNAL_H

#include "lines/grammar.h"
#include "graal/level/graal_level.h"

/* nw_board.c: BOARD lines. */
extern const lvl_line_grid lvl_nw_grid;
/* Decodes tiles of two characters each into cells of two bytes; false if a character is not one of the 64:
 * its cell then keeps its value. */
bool lvl_nw_decode(const char *data, size_t count, uint8_t *cells);

/* nw_format.c: the text after the first line, or after the remains of it (blanks, its last letters, lower
 * case). If nothing is left of it, the whole text. */
lvl_text lvl_nw_after_header(lvl_text text);

/* nw_repair.c: restores the first line, ends texts that contain commands, and rewrites what the reader
 * reports as damaged. */
lvl_status lvl_nw_repair(lvl_doc *doc, const lvl_repairs *repairs);

#endif
