/*
 * sketchy/pictures.h: pictures that a level is drawn with and that are drawings or attachments themselves.
 * All in the scene's memory; NULL: there is none, or it can't be decoded.
 */
#ifndef LVL_SKETCHY_PICTURES_H
#define LVL_SKETCHY_PICTURES_H

#include "sketchy/names.h"

#include <lvl/scene.h>

/* A doodad as a level's picture shows it: its first layer. */
typedef struct lvl_sketchy_doodad {
    const lvl_image *image; /* or NULL: none. RGBA, premultiplied */
    uint32_t shot; /* px of a side that the game's own pictures show: its first chunk; 0: that isn't there */
} lvl_sketchy_doodad;

/* What people call a doodad: its file's name without the ending. */
lvl_text lvl_sketchy_doodad_label(lvl_text filename);
/* What the art (NULL: none) calls the doodad that an actor names, which may lack its ending; NULL if it
 * hasn't it. */
const char *lvl_sketchy_doodad_in_art(const lvl_art *art, lvl_text filename);
/* The doodad that an actor names: from inside the level, else from the art, which may be NULL. `attached`:
 * the level's files below LVL_EMBEDDED_DOODADS. */
void lvl_sketchy_doodad_picture(const lvl_doc *level, const lvl_names *attached, lvl_scene *scene,
                                const lvl_art *art, lvl_text filename, lvl_sketchy_doodad *out,
                                lvl_status *status);
/* A wallpaper as it comes to lie on white: quarters that are seen through let the one for everywhere else
 * show, as the game lays them one over the other. The picture itself where nothing is seen through. */
const lvl_image *lvl_sketchy_sheet(lvl_scene *scene, const lvl_image *wallpaper, bool edges,
                                   lvl_status *status);
/* A paper of our own in the four quarters that the game's wallpapers have, for who hasn't those: squared,
 * dark or light as the named one is, so that what is drawn on it is seen. In the scene's memory; NULL
 * without. */
const lvl_image *lvl_sketchy_own_paper(lvl_scene *scene, lvl_text wallpaper, lvl_status *status);

/* Makes a wallpaper's base64 text the picture that it stands for, in `storage`; leaves `view` as it is where
 * it is no such text. LVL_ERR_MEMORY. */
lvl_status lvl_sketchy_unwrap_picture(lvl_buffer *storage, lvl_bytes *view);
/* An attached picture, which may be base64 text as wallpapers are. *there: something is attached under that
 * path, though perhaps no picture. */
const lvl_image *lvl_sketchy_own_picture(const lvl_doc *doc, lvl_scene *scene, const char *path, bool *there,
                                         lvl_status *status);

#endif
