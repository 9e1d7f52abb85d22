/*
 * scene/art_roots.h: the roots of the art search path: archives and folders. Only the needed subfolders of a
 * folder are walked, since a root may be a home folder.
 */
#ifndef LVL_SCENE_ART_ROOTS_H
#define LVL_SCENE_ART_ROOTS_H

#include "os/stamp.h"
#include "scene/art.h"

#include <lvl/container.h>
#include <lvl/scene.h>

/* A file or folder as a container, opened on first use. */
typedef struct lvl_art_tree {
    char *name; /* name of a folder directly in the root; NULL: an archive, whose paths are relative to the
                   root */
    char *path; /* on disk */
    bool tried;
    lvl_doc *doc; /* document of an archive */
    lvl_buffer bytes; /* content of the file */
    lvl_file_stamp stamp; /* stamp of the file before it was read */
    lvl_container *container; /* NULL if it couldn't be opened */
} lvl_art_tree;

typedef struct lvl_art_place {
    char *path;
    bool own; /* the level's own folder: searched for paths that begin with LVL_ART_OWN, and for no others */
    bool of_level; /* removed when the level changes */
    bool home; /* the archive that contains the level */
    bool lone; /* a single picture; its file name is the name of its only tree */
    unsigned flags; /* flags it was added with */
    lvl_file_stamp stamp; /* stamp of the system's file or folder before it was listed */
    bool young; /* it had changed so recently that another change may have the same stamp */
    lvl_art_tree *trees; /* folders first (with names), then archives */
    size_t tree_count, tree_cap, named_count;
    lvl_art_tree **by_name; /* the named ones, sorted ignoring case; NULL until needed */
    lvl_art_tree *top; /* the folder itself, for files directly in it; NULL until needed */
} lvl_art_place;

typedef struct lvl_art_roots {
    const lvl_ctx *ctx;
    const lvl_files *files; /* NULL: the system's files */
    lvl_art_place *items;
    size_t count, cap;
    lvl_art_place *old; /* roots of the previous level, reused if the new level has the same */
    size_t old_count;
    lvl_art_tree **tried; /* those that were opened, or could not be */
    size_t tried_count, tried_cap;
    bool memory_failed; /* memory ran out during a lookup */
} lvl_art_roots;

/* Records LVL_ERR_MEMORY; returns the status. */
static inline lvl_status lvl_art_note(lvl_art_roots *roots, lvl_status status)
{
    roots->memory_failed = roots->memory_failed || status == LVL_ERR_MEMORY;
    return status;
}

/* The path of a file in a folder, from malloc; NULL without memory. */
char *lvl_art_join(const char *folder, const char *name);
/* The name after the last '/' or '\\'. */
const char *lvl_art_last_part(const char *path);

/* Flags of a root. */
enum {
    LVL_ART_OF_LEVEL = 1, /* removed when the level changes */
    LVL_ART_OWN_ROOT = 2, /* the level's own folder */
    LVL_ART_NO_ARCHIVES = 4 /* ignore its archives */
};

/* Appends a root for the file or folder at a path. LVL_ERR_MISSING, LVL_ERR_FOREIGN or LVL_ERR_MEMORY. */
lvl_status lvl_art_roots_add(lvl_art_roots *roots, const char *path, unsigned flags);
/* Opens a tree, once; LVL_OK if it is open. */
lvl_status lvl_art_tree_open(lvl_art_roots *roots, lvl_art_tree *tree);
/* Removes the last root. */
void lvl_art_roots_drop(lvl_art_roots *roots);
/* Removes the roots of the level. They stay open until lvl_art_roots_close_unused, so that adding the same
 * roots again is fast. */
void lvl_art_roots_clear(lvl_art_roots *roots);
/* Closes removed roots that were not added again. */
void lvl_art_roots_close_unused(lvl_art_roots *roots);
void lvl_art_roots_free(lvl_art_roots *roots);
/* False if a root, or an archive that was opened, has changed on disk since. Otherwise the folders below the
 * roots are listed again when needed. */
bool lvl_art_roots_renew(lvl_art_roots *roots);
/* Appends the file of that name directly in root `index` to `out`. LVL_ERR_MISSING: there is none. */
lvl_status lvl_art_roots_file(lvl_art_roots *roots, size_t index, lvl_text name, lvl_buffer *out);
/* The files and folders of that name directly in root `index`, ignoring case. Returns their number; *out
 * points to the first. */
size_t lvl_art_roots_named(lvl_art_roots *roots, size_t index, lvl_text name, lvl_art_tree *const **out);
/* Looks up a path in root `index`, opening trees as needed: calls `visit` with each tree that could contain
 * it and the path within that tree, until it returns true. Returns whether it did. */
typedef bool (*lvl_art_visit)(void *user, const lvl_container *container, const char *path);
bool lvl_art_roots_visit(lvl_art_roots *roots, size_t index, const char *path, lvl_art_visit visit,
                         void *user);

/* Calls `visit` with what holds the files directly in root `index`, and the path "". Returns its result. */
bool lvl_art_roots_visit_top(lvl_art_roots *roots, size_t index, lvl_art_visit visit, void *user);

#endif
