/*
 * sketchy/look/pictures.h: pictures for the scene of a level: doodads, wallpapers, attached pictures. All
 * are in the scene's memory; NULL: not found, or it can't be decoded.
 */
#ifndef LVL_SKETCHY_PICTURES_H
#define LVL_SKETCHY_PICTURES_H

#include "sketchy/model/names.h"

#include <lvl/scene.h>

/* A doodad as a level's picture shows it: its first layer. */
typedef struct lvl_sketchy_doodad {
    const lvl_image *image; /* or NULL: none. RGBA, premultiplied */
    uint32_t shot; /* width of the part that the game's screenshots show, its first chunk; 0: none */
} lvl_sketchy_doodad;

/* A doodad's name for display: its file's name without the extension. */
lvl_text lvl_sketchy_doodad_label(lvl_text filename);
/* The file name in the art (NULL: none) of the doodad that an actor names, perhaps without extension; NULL:
 * not found. */
const char *lvl_sketchy_doodad_in_art(const lvl_art *art, lvl_text filename);
/* The doodad that an actor names: embedded in the level, else from the art, which may be NULL. `attached`:
 * the level's files below LVL_EMBEDDED_DOODADS. */
void lvl_sketchy_doodad_picture(const lvl_doc *level, const lvl_names *attached, lvl_scene *scene,
                                const lvl_art *art, lvl_text filename, lvl_sketchy_doodad *out,
                                lvl_status *status);
/* A wallpaper drawn on white. Through transparent px of a quarter the one for "everywhere else" shows, since
 * the game draws them over each other. The picture itself if it is opaque. */
const lvl_image *lvl_sketchy_sheet(lvl_scene *scene, const lvl_image *wallpaper, bool edges,
                                   lvl_status *status);
/* A replacement for a wallpaper of the game that was not found, in the same four quarters: squared paper,
 * dark or light as that wallpaper, so that the drawing remains visible. NULL without memory. */
const lvl_image *lvl_sketchy_own_paper(lvl_scene *scene, lvl_text wallpaper, lvl_status *status);

/* Decodes a wallpaper's base64 text into `storage` if it is a picture; else `view` is not changed.
 * LVL_ERR_MEMORY. */
lvl_status lvl_sketchy_unwrap_picture(lvl_buffer *storage, lvl_bytes *view);
/* An attached picture, which may be base64 text like wallpapers. *there: a file of that path is attached,
 * though perhaps no picture. */
const lvl_image *lvl_sketchy_own_picture(const lvl_doc *doc, lvl_scene *scene, const char *path, bool *there,
                                         lvl_status *status);

#endif
