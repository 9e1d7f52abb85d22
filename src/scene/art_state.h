/*
 * scene/art_state.h: what the art search path keeps: its roots, sets of pictures by folder (art_sets.c), palettes (art.c), pictures by file (art_pictures.c).
 */
#ifndef LVL_SCENE_ART_STATE_H
#define LVL_SCENE_ART_STATE_H

#include "scene/art_roots.h"

enum { LVL_ART_BUCKETS = 512 }; /* of the hashes of sets and pictures; a power of two */

typedef struct lvl_art_palette_file lvl_art_palette_file;
typedef struct lvl_art_picture_file lvl_art_picture_file;

/* A file somewhere below a root, by its name. */
typedef struct lvl_art_deep_file {
    const char *name; /* the last part of the entry's path */
    const lvl_container *container;
    const lvl_entry *entry;
    uint32_t order; /* in which it was found */
} lvl_art_deep_file;

/* What lookups change; lvl_art itself stays constant for them. */
typedef struct lvl_art_state {
    lvl_art_roots roots;
    lvl_art_set *sets[LVL_ART_BUCKETS];
    lvl_art_palette_file *palettes;
    uint64_t decoded; /* bytes of sets' pictures kept */
    lvl_art_picture_file *pictures[LVL_ART_BUCKETS];
    uint64_t pictured;       /* bytes of those kept */
    lvl_art_deep_file *deep; /* files below the folders of roots added by hand, by name; */
    size_t deep_count, deep_cap;
    bool deep_done; /* once they were listed */
} lvl_art_state;

struct lvl_art {
    const lvl_ctx *ctx;
    lvl_art_state *state;
    char *folder; /* of the level, or NULL */
    char *level;  /* its file name, or NULL */
    bool own;     /* the level has a folder of its own */
};

/* Visits every root's trees for a path until `visit` answers true. */
bool lvl_art_visit_path(const lvl_art *art, const char *path, lvl_art_visit visit, void *user);
/* Whether the path is a folder of the container; "" is. */
bool lvl_art_is_folder(const lvl_container *container, const char *path);
/* Lets go of all sets and their pictures. */
void lvl_art_sets_forget(lvl_art_state *state);
/* Lets go of pictures found by file: all, or those that belong to the level. */
void lvl_art_pictures_forget(lvl_art_state *state, bool all);
/* Whether the picture that is root `index` can be decoded; LVL_ERR_FOREIGN otherwise. */
lvl_status lvl_art_lone_check(const lvl_art *art, size_t index);

#endif
