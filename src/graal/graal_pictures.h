/*
 * graal/graal_pictures.h: pictures by the names that levels and animations give them. They are looked for as
 * named, and in the folders into which servers and clients of the game sort them (images, heads, bodies ...).
 */
#ifndef LVL_GRAAL_PICTURES_H
#define LVL_GRAAL_PICTURES_H

#include <lvl/scene.h>

enum { LVL_GRAAL_NAME = 256 }; /* bytes of a file's name, its NUL included */

/* Whether a name is without folder, drive and control characters. */
bool lvl_graal_is_plain_name(lvl_text name);
/* A name without the folders before it. */
lvl_text lvl_graal_without_folder(lvl_text name);
/* A name as that of a file: UTF-8, NUL-ended. False: it is empty or too long, or has a NUL in it. */
bool lvl_graal_file_name(lvl_codepage page, lvl_text name, char out[LVL_GRAAL_NAME]);
/* Gives a picture's name the ending of another time: .gif for .png, .png for .gif. False: it has neither. */
bool lvl_graal_other_ending(char *name);
/* The picture of exactly that file name; NULL: there is none, or it can't be decoded. Names of 256 bytes or
 * more are cut. */
const lvl_image *lvl_graal_picture_file(const lvl_art *art, const char *name);
/* Which of those folders there are, as a set of bits: asked once, it saves looking for every name in each of
 * them. */
uint32_t lvl_graal_picture_folders(const lvl_art *art);
/* Whether there is a file of that name in those folders: the name as it is spelled there, or NULL. Nothing is
 * decoded. */
const char *lvl_graal_picture_name(const lvl_art *art, uint32_t folders, const char *name);
/* A picture by the name that a level gives it: as it stands, or with the ending of another time (.gif for
 * .png), or with one where it has none. `art` may be NULL. */
const lvl_image *lvl_graal_picture(const lvl_art *art, lvl_text name);

/* A pixel as red, green, blue and alpha. */
void lvl_graal_pixel(const lvl_image *image, size_t at, uint8_t out[4]);

#endif
