/*
 * scene/art.h: finding files, pictures and palettes along the art search path.
 */
#ifndef LVL_SCENE_ART_H
#define LVL_SCENE_ART_H

#include <lvl/container.h>
#include <lvl/scene.h>

/* The pictures of a folder (or of folders with the same path in several roots), numbered by the first run of
 * digits in their names (0 if there is none). */
typedef struct lvl_art_set lvl_art_set;

/* A path with this prefix is searched only in the level's own folder, which has the level's name and is
 * beside it; other paths are not searched there. */
#define LVL_ART_OWN "@/"

/* Whether the user added a root, other than those around the level and the archive that contains it. */
bool lvl_art_given(const lvl_art *art);
/* Number of roots. */
size_t lvl_art_count(const lvl_art *art);
/* Whether a root has a folder of that path ("LEVEL1/IMAGES"). */
bool lvl_art_has_folder(const lvl_art *art, const char *path);
/* Appends the bytes of the file at a path to `out`; LVL_ERR_MISSING if no root has it. */
lvl_status lvl_art_read(const lvl_art *art, const char *path, lvl_buffer *out);
/* The same, only in the archive that contains the level (lvl_art_add_home). */
lvl_status lvl_art_read_home(const lvl_art *art, const char *path, lvl_buffer *out);
/* The same for games that keep single files in folders: a name without folder is also found in any folder
 * below the roots added by the user, and archives around the level are not searched. */
lvl_status lvl_art_read_loose(const lvl_art *art, const char *path, lvl_buffer *out);
/* The pictures of the folder below `base` whose path, joined by '_', is `name` ("AMMO_SHOT" is AMMO/SHOT or
 * AMMO_SHOT); an empty name is the base itself. Only folders with pictures are considered. NULL: there is
 * none. Owned by the art. */
const lvl_art_set *lvl_art_find(const lvl_art *art, const char *base, lvl_text name);
/* The pictures directly in the root `index`, if the user added it, or it is the folder of the level or that
 * of its name; NULL otherwise, or if there are none. Owned by the art. */
const lvl_art_set *lvl_art_loose(const lvl_art *art, size_t index);
/* Calls `visit` with the name (for lvl_art_find) of each folder below `base` that has pictures, and their
 * number, in the order of roots and paths, until it returns false. A name may be visited more than once. */
typedef bool (*lvl_art_set_fn)(void *user, lvl_text name, size_t pictures);
lvl_status lvl_art_sets(const lvl_art *art, const char *base, lvl_art_set_fn visit, void *user);
/* Whether the art has the file at the path. */
bool lvl_art_has_file(const lvl_art *art, const char *path);
/* Whether a folder `base` of the art has the file that a key names: its path below `base` without its ending,
 * with '_' (`joint`) for each '/', as in "TRIGGER_1006". */
bool lvl_art_has_key(const lvl_art *art, const char *base, lvl_text key, char joint, const char *ending);
/* Appends the bytes of that file to `out`; LVL_ERR_MISSING. */
lvl_status lvl_art_read_key(const lvl_art *art, const char *base, lvl_text key, char joint,
                            const char *ending, lvl_buffer *out);
/* Whether the art has the file of a key of the document (lvl_format_calls.file_places). It is only missing if
 * the art has a folder where it should be: that of its prefix, or for what comes with the level, any of the
 * game's. */
typedef enum lvl_key_state { LVL_KEY_UNKNOWN, LVL_KEY_MISSING, LVL_KEY_FOUND } lvl_key_state;
lvl_key_state lvl_art_look_up(const lvl_art *art, const lvl_doc *doc, lvl_use use, lvl_text key);
/* Appends the bytes of a file that the document names, by its key or else by its name, to `out`;
 * LVL_ERR_MISSING. */
lvl_status lvl_art_read_used(const lvl_art *art, const lvl_doc *doc, lvl_use use, const char *name,
                             lvl_buffer *out);
/* Numbers that `set` does not have are looked up in `more` from now on, of the same art. */
void lvl_art_set_append(const lvl_art_set *set, const lvl_art_set *more);
bool lvl_art_set_has(const lvl_art_set *set, uint32_t number);
/* Sets *out to the next higher number in the set or, with `below`, the next lower one; false if there is
 * none. `number`: more than INT64_MIN, less than INT64_MAX. */
bool lvl_art_set_beside(const lvl_art_set *set, int64_t number, bool below, uint32_t *out);
/* The picture with that number, decoded; -1: the lowest number. NULL if there is none or it can't be decoded.
 * Owned by the art. */
const lvl_image *lvl_art_image(const lvl_art *art, const lvl_art_set *set, int64_t number);
/* The palette in that file ("LEVEL1/PALETTES/MAIN.PAL"), or NULL. Owned by the art. */
const lvl_palette *lvl_art_palette(const lvl_art *art, const char *path);
/* The picture in a file, by its path below a root ("opps.png", "images/opps.png"); a name without folder is
 * also found in any folder below the roots added by the user. Archives around the level are not searched.
 * PNG, GIF, JPEG, or a known format, whatever the name says. NULL: there is none, or it can't be decoded.
 * Owned by the art; pictures below roots added by the user are kept when the level changes. */
const lvl_image *lvl_art_picture(const lvl_art *art, const char *path);
/* The `index`-th root that is a single picture, decoded; *name (may be NULL) gets its file name. NULL past
 * the end. */
const lvl_image *lvl_art_lone(const lvl_art *art, size_t index, const char **name);
/* Calls `visit` with the name and bytes of each file directly in a root (not in its folders) whose name
 * begins with `start` and ends with `end`, ignoring case; in the order of roots, and by name within a
 * root. */
typedef void (*lvl_art_file_fn)(void *user, const char *name, lvl_bytes bytes);
lvl_status lvl_art_visit_files(const lvl_art *art, const char *start, const char *end, lvl_art_file_fn visit,
                               void *user);
/* Finds a file by name, ignoring case, directly in the roots or anywhere below the roots added by the user,
 * and returns its name as it is spelled on disk. A file with the same spelling is preferred to one that
 * differs in case. `name` may begin with folders ("images/door.png"); then that path is searched below each
 * root, and the result is its last part. NULL: there is none. Owned by the art. */
const char *lvl_art_find_name(const lvl_art *art, const char *name);
/* Appends the bytes of such a file to `out`; LVL_ERR_MISSING. `name` must not contain a folder. */
lvl_status lvl_art_read_named(const lvl_art *art, const char *name, lvl_buffer *out);
/* The file name of the level given to lvl_art_level, without its folders; NULL: none. */
const char *lvl_art_level_name(const lvl_art *art);
/* The path of the folder that it is in, as given; NULL: no level. */
const char *lvl_art_level_folder(const lvl_art *art);

/* Makes an art that has been in use find what is on disk now, for another level: pictures are decoded
 * again and folders below the roots listed again when they are needed; the lists of roots and the archives
 * stay. False: one of these has changed, or memory ran out, and a new art is needed. */
bool lvl_art_renew(lvl_art *art);

#endif
