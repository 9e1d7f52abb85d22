/*
 * graal/art/graal_pictures.h: finds pictures by their names in levels and animations, on the art path and in
 * the folders used by servers and clients of the game (images, heads, bodies ...).
 */
#ifndef LVL_GRAAL_PICTURES_H
#define LVL_GRAAL_PICTURES_H

#include <lvl/scene.h>

enum { LVL_GRAAL_NAME = 256 }; /* bytes of a file's name, including its NUL */

/* Whether a name has no folder, drive or control characters. */
bool lvl_graal_is_plain_name(lvl_text name);
/* Converts a name to a file name: UTF-8, NUL-ended. False: it is empty, too long, or contains a NUL. */
bool lvl_graal_file_name(lvl_codepage page, lvl_text name, char out[LVL_GRAAL_NAME]);
/* Replaces .gif by .png and .png by .gif, since many files were converted. False: another ending. */
bool lvl_graal_other_ending(char *name);
/* The picture with exactly that file name; NULL: it is missing or cannot be decoded. Names of 256 bytes or
 * more are truncated. */
const lvl_image *lvl_graal_picture_file(const lvl_art *art, const char *name);
/* The folders that exist, as a set of bits; lvl_graal_picture_name searches only these. */
uint32_t lvl_graal_picture_folders(const lvl_art *art);
/* The name of a file in those folders as it is spelled on disk; NULL: it is missing. Decodes nothing. */
const char *lvl_graal_picture_name(const lvl_art *art, uint32_t folders, const char *name);
/* Finds a picture by its name in a level: exactly that name, else with .gif instead of .png or the reverse,
 * or with either ending added to a name without one. `art` may be NULL. */
const lvl_image *lvl_graal_picture(const lvl_art *art, lvl_text name);

/* A pixel as red, green, blue and alpha. */
void lvl_graal_pixel(const lvl_image *image, size_t at, uint8_t out[4]);

#endif
