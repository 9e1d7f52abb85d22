/*
 * scene/art.h: finding files, pictures and palettes along the art search path.
 */
#ifndef LVL_SCENE_ART_H
#define LVL_SCENE_ART_H

#include <lvl/container.h>
#include <lvl/scene.h>

/* Pictures of one folder (or of folders of the same path in several roots), numbered by the first run of
 * digits in their names (0 without one). */
typedef struct lvl_art_set lvl_art_set;

/* A path with this prefix is searched only in the level's own folder, which has its name and lies beside
 * it; other paths are not searched there. */
#define LVL_ART_OWN "@/"

/* Whether the user added the root: it is not around the level, and not the archive that contains it. */
bool lvl_art_given(const lvl_art *art);
/* Number of roots. */
size_t lvl_art_count(const lvl_art *art);
/* Whether a root has a folder of that path ("LEVEL1/IMAGES"). */
bool lvl_art_has_folder(const lvl_art *art, const char *path);
/* A file's bytes by path, in `out`; LVL_ERR_MISSING if no root has it. */
lvl_status lvl_art_read(const lvl_art *art, const char *path, lvl_buffer *out);
/* The same, only in the archive that contains the level (lvl_art_add_home). */
lvl_status lvl_art_read_home(const lvl_art *art, const char *path, lvl_buffer *out);
/* The same for games that keep single files in folders: a name without folder is also found in any folder
 * below the roots that were added by hand, and archives that lie around the level aren't looked into. */
lvl_status lvl_art_read_loose(const lvl_art *art, const char *path, lvl_buffer *out);
/* The pictures of the folder below `base` whose path, joined by '_', is `name` ("AMMO_SHOT" is AMMO/SHOT or
 * AMMO_SHOT); an empty name is the base itself. Only folders that hold pictures count. NULL: there
 * is none. Owned by the art. */
const lvl_art_set *lvl_art_find(const lvl_art *art, const char *base, lvl_text name);
/* Calls `visit` with the name of each folder below `base` that holds pictures, for lvl_art_find, and the
 * number of its pictures: in the order of roots and paths, until it returns false. A name may come more than
 * once. */
typedef bool (*lvl_art_set_fn)(void *user, lvl_text name, size_t pictures);
lvl_status lvl_art_sets(const lvl_art *art, const char *base, lvl_art_set_fn visit, void *user);
bool lvl_art_set_has(const lvl_art_set *set, uint32_t number);
/* The picture, decoded; -1: the one with the lowest number. NULL if there is none or it can't be decoded.
 * Owned by the art. */
const lvl_image *lvl_art_image(const lvl_art *art, const lvl_art_set *set, int64_t number);
/* The palette in that file ("LEVEL1/PALETTES/MAIN.PAL"), or NULL. Owned by the art. */
const lvl_palette *lvl_art_palette(const lvl_art *art, const char *path);
/* The picture in one file by its path below a root ("opps.png", "images/opps.png"); a name without folder is
 * also found in any folder below the roots that were added by hand. Archives that lie around the level aren't
 * looked into. PNG, GIF, JPEG, or of a known format, whatever the name says. NULL: there is none, or it can't
 * be decoded. Owned by the art; those below roots added by hand are kept when the level changes. */
const lvl_image *lvl_art_picture(const lvl_art *art, const char *path);
/* The `index`-th root that is a single picture, decoded; *name (may be NULL) gets its file name. NULL past
 * the end. */
const lvl_image *lvl_art_lone(const lvl_art *art, size_t index, const char **name);
/* Calls `visit` with the name and bytes of each file that lies in a root itself (not in its folders) and
 * whose name begins with `start` and ends with `end`, whatever the case, in the order of roots and by name
 * within. */
typedef void (*lvl_art_file_fn)(void *user, const char *name, lvl_bytes bytes);
lvl_status lvl_art_visit_files(const lvl_art *art, const char *start, const char *end, lvl_art_file_fn visit,
                               void *user);
/* Finds a file by its name without regard to case, in the roots themselves or anywhere below the roots
 * that were added by hand, and returns the name as it is spelled there. A file of the same spelling goes
 * before one that differs in case. `name` may have folders before it ("images/door.png"); then that path
 * is searched below each root, and the result is its last part. NULL: there is none. Owned by the art. */
const char *lvl_art_find_name(const lvl_art *art, const char *name);
/* The bytes of such a file, appended to `out`; LVL_ERR_MISSING. A name with a folder in it is no name. */
lvl_status lvl_art_read_named(const lvl_art *art, const char *name, lvl_buffer *out);
/* The file name of the level given to lvl_art_level, without its folders; NULL: none. */
const char *lvl_art_level_name(const lvl_art *art);

#endif
