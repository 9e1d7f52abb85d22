/*
 * graal/level/graal_signs.h: the encoding of sign texts in binary levels. A sign is a row of cells in a
 * picture of letters; a byte is 32 + the number of the cell. In text, cells that are not characters are
 * message codes of two characters.
 *
 *     0 A … Z    26 a … z    52 0 … 9    62 ! ? - . ,    67 #.    68 > ( )    71 #x #y #z    74+75 #h
 *     76 "       77 #u #d #l #r          81 '            89 space 90 <        91 #A #B #X #Y 96 newline
 *     Graal:     82 : / ~ &              86 #            87+88 #4             95 ;
 *     Zelda:     82+83 #1    84+83 #2    85+86 #3        87+88 #4             95 |
 *
 * Cell 86 begins the message codes that the game resolves when it shows the sign (#b, #i(…), #s(…)); in text
 * it is '#'. One of them, #K(n), is the character with code n. Characters without a cell are stored like
 * this; in text they are the character itself. #K(n) of a character with a cell is kept, except that
 * "#K(35)4" is cell 86 followed by a 4, since "#4" is the heart.
 */
#ifndef LVL_GRAAL_SIGNS_H
#define LVL_GRAAL_SIGNS_H

#include <lvl/graal.h>

typedef enum lvl_sign_era { LVL_SIGN_ZELDA, LVL_SIGN_GRAAL } lvl_sign_era;

/* The era of a version's signs; that of text levels is Graal. */
lvl_sign_era lvl_sign_era_of(unsigned version);

/* Appends the cells of a text. Every text can be encoded in either era. */
void lvl_sign_encode(lvl_buffer *out, lvl_sign_era era, lvl_text text);
/* Counts characters and message codes that the game of that era does not show, or shows differently than the
 * other; *first is the offset of the first. */
size_t lvl_sign_foreign(lvl_sign_era era, lvl_text text, size_t *first);

/* The maximum length of the text of these cells. */
size_t lvl_sign_max_text(lvl_text cells);
/* Decodes cells into `out`, which has lvl_sign_max_text bytes; returns the length of the text. Skips bytes
 * that are not cells, and single halves of double cells. *exact: whether encoding the text gives the
 * same bytes. */
size_t lvl_sign_decode(lvl_sign_era era, lvl_text cells, char *out, bool *exact);

#endif
