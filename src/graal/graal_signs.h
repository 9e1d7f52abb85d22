/*
 * graal/graal_signs.h: the code of sign texts in binary levels. A sign is a row of cells of a picture with
 * letters; a byte is 32 + the cell's number. Cells that aren't a character stand in text as message codes,
 * two characters each.
 *
 *     0 A … Z    26 a … z    52 0 … 9    62 ! ? - . ,    67 #.    68 > ( )    71 #x #y #z    74+75 #h
 *     76 "       77 #u #d #l #r          81 '            89 space 90 <        91 #A #B #X #Y 96 newline
 *     Graal:     82 : / ~ &              86 #            87+88 #4             95 ;
 *     Zelda:     82+83 #1    84+83 #2    85+86 #3        87+88 #4             95 |
 *
 * A 86 begins the message codes that the game resolves when it shows the sign (#b, #i(…), #s(…)): in text it
 * is '#'. Among them #K(n) is a character by its number, which is how characters without a cell are stored;
 * in text such a character stands as itself. #K(n) stays as it is where n has a cell, with one use of its
 * own: "#K(35)4" is a plain 86 and a 4, since "#4" is the heart.
 */
#ifndef LVL_GRAAL_SIGNS_H
#define LVL_GRAAL_SIGNS_H

#include <lvl/graal.h>

typedef enum lvl_sign_era { LVL_SIGN_ZELDA, LVL_SIGN_GRAAL } lvl_sign_era;

/* The era of a version's signs; text levels have Graal's. */
lvl_sign_era lvl_sign_era_of(unsigned version);

/* Appends the cells of a text. Every text can be coded in either era. */
void lvl_sign_encode(lvl_buffer *out, lvl_sign_era era, lvl_text text);
/* How many of a text's characters and message codes that era's game does not show, or not as the other's
 * does; *first is the offset of the first. */
size_t lvl_sign_foreign(lvl_sign_era era, lvl_text text, size_t *first);

/* Most bytes that the text of these cells can take. */
size_t lvl_sign_room(lvl_text cells);
/* Writes the text of the cells to `out`, which has room for lvl_sign_room bytes; returns its length. Bytes
 * that no cell has, and half a cell without its other half, are left out. `*exact`: whether encoding the
 * text gives the same bytes. */
size_t lvl_sign_decode(lvl_sign_era era, lvl_text cells, char *out, bool *exact);

#endif
