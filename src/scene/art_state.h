/*
 * scene/art_state.h: the state of the art search path: its roots, sets of pictures by folder (art_sets.c),
 * palettes (art.c), pictures by file (art_pictures.c).
 */
#ifndef LVL_SCENE_ART_STATE_H
#define LVL_SCENE_ART_STATE_H

#include "base/hash.h"
#include "scene/art_roots.h"

/* A cached lookup, found or not: the first member of the structs of sets, palettes and pictures. */
typedef struct lvl_art_kept {
    char *key; /* NUL-ended; may also contain NULs */
    size_t key_len;
} lvl_art_kept;

/* A cache. Zeroed: empty. */
typedef struct lvl_art_memo {
    lvl_art_kept **items;
    uint32_t count;
    size_t cap;
    lvl_hash table;
} lvl_art_memo;

/* How much of a picture that exists could be read. */
typedef enum lvl_art_damage {
    LVL_ART_WHOLE, /* or nothing is known about it */
    LVL_ART_IN_PART,
    LVL_ART_UNREADABLE
} lvl_art_damage;

/* A file somewhere below a root, by its name. */
typedef struct lvl_art_deep_file {
    const char *name; /* the last part of the entry's path */
    const lvl_container *container;
    const lvl_entry *entry;
    uint32_t order; /* order of discovery */
} lvl_art_deep_file;

/* The state changed by lookups, for which lvl_art itself is const. */
typedef struct lvl_art_state {
    lvl_art_roots roots;
    lvl_art_memo sets, palettes, pictures;
    lvl_art_memo damaged; /* pictures that the level asked for, by path */
    uint64_t decoded; /* bytes of sets' pictures kept */
    uint64_t pictured; /* bytes of pictures kept */
    lvl_art_deep_file *deep; /* files below the folders of roots added by the user, by name; */
    size_t deep_count, deep_cap;
    bool deep_done; /* they have been listed */
} lvl_art_state;

struct lvl_art {
    const lvl_ctx *ctx;
    lvl_art_state *state;
    char *folder; /* of the level, or NULL */
    char *level; /* its file name, or NULL */
    bool own; /* the level has a folder of its own */
};

/* The entry of the key, or NULL. */
void *lvl_art_memo_find(const lvl_art_memo *memo, const char *key, size_t len);
/* Adds an entry of `size` bytes, zeroed except for its lvl_art_kept; NULL: out of memory. The key must be
 * new. */
void *lvl_art_memo_add(lvl_art_memo *memo, size_t size, const char *key, size_t len);
/* Frees all entries except those for which `stays` (may be NULL) is true; `release` (or NULL) frees what
 * an entry owns. */
void lvl_art_memo_clear(lvl_art_memo *memo, bool (*stays)(lvl_art_kept *kept),
                        void (*release)(lvl_art_kept *kept));
/* Whether memory ran out during a lookup. */
static inline bool lvl_art_is_out_of_memory(const lvl_art *art)
{
    return art->state->roots.memory_failed;
}
/* Visits the trees of all roots for a path until `visit` returns true. */
bool lvl_art_visit_path(const lvl_art *art, const char *path, lvl_art_visit visit, void *user);
/* An lvl_art_visit that appends the file at the path to `out`. */
typedef struct lvl_art_found_file {
    lvl_buffer *out;
    lvl_status status; /* initially LVL_ERR_MISSING */
} lvl_art_found_file;
bool lvl_art_visit_file(void *user, const lvl_container *container, const char *path);
lvl_status lvl_art_read_entry(const lvl_container *container, const lvl_entry *entry, lvl_buffer *out);
/* Decodes a picture: PNG, GIF or JPEG by its bytes, else a file of `format` (NULL: of any). *damage is set if
 * the file is a picture by its bytes or its name. */
lvl_status lvl_art_decode(const lvl_ctx *ctx, const lvl_format *format, lvl_bytes bytes, const char *name,
                          lvl_image *out, lvl_art_damage *damage);
/* Whether a name has the extension of a picture; *rank: the index of its format, or UINT32_MAX for PNG, GIF
 * and JPEG. */
bool lvl_art_picture_name(const lvl_ctx *ctx, const char *path, uint32_t *rank);
/* Notes that the level asked for a picture with that damage (LVL_ART_WHOLE: nothing happens). */
void lvl_art_note_damage(const lvl_art *art, const char *path, lvl_art_damage damage);
/* Whether the path is a folder of the container; "" is. */
bool lvl_art_is_folder(const lvl_container *container, const char *path);
/* Frees all sets and their pictures. */
void lvl_art_sets_clear(lvl_art_state *state);
/* Frees pictures found by file: all, or those that belong to the level. */
void lvl_art_pictures_clear(lvl_art_state *state, bool all);
/* Whether the picture that is root `index` can be decoded; LVL_ERR_FOREIGN otherwise. */
lvl_status lvl_art_lone_check(const lvl_art *art, size_t index);

#endif
