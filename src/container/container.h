/*
 * container/container.h: containers from the inside: a table of functions and their state. Containers over
 * documents use container/tree.c for the list of entries and lookups; their formats fill the list and
 * implement reading and editing.
 */
#ifndef LVL_CONTAINER_CONTAINER_H
#define LVL_CONTAINER_CONTAINER_H

#include "base/arena.h"
#include "base/format.h"

#include <lvl/container.h>

/* ---- interface --------------------------------------------------------------------------------------- */

typedef struct lvl_container_ops {
    size_t (*count)(const lvl_container *c);
    const lvl_entry *(*at)(const lvl_container *c, size_t index);
    const lvl_entry *(*find)(const lvl_container *c, const char *path);
    void (*list)(const lvl_container *c, const char *dir, bool deep, lvl_entry_fn visit, void *user);
    /* lvl_container_read without its findings; callers get LVL_ERR_FORMAT for LVL_ERR_LOSS without bytes */
    lvl_status (*read)(const lvl_container *c, const lvl_entry *entry, lvl_bytes *view, lvl_buffer *storage);
    /* Why read returns LVL_ERR_UNSUPPORTED, in static storage. NULL, also for the function: unknown */
    const char *(*obstacle)(const lvl_container *c, const lvl_entry *entry);
    void (*close)(lvl_container *c); /* frees all, the struct included */
    /* NULL: read only */
    lvl_status (*put)(lvl_container *c, const char *path, lvl_bytes bytes, int64_t time);
    /* lvl_container_put_all, which borrows the bytes; NULL: calls put for each item */
    lvl_status (*put_all)(lvl_container *c, const lvl_pack_item *items, size_t count, size_t *done);
    /* lvl_container_remove_all */
    lvl_status (*remove_all)(lvl_container *c, const char *const *paths, size_t count, size_t *failed);
    lvl_status (*write)(const lvl_container *c, lvl_buffer *out);
    /* Sticky; NULL if listing never needs memory */
    lvl_status (*status)(const lvl_container *c);
    const char *(*unlisted)(const lvl_container *c);
    /* Fills an empty container; items are sorted by folded path, without duplicates. */
    lvl_status (*pack)(lvl_container *c, const lvl_pack_item *items, size_t count);
    /* lvl_container_place; NULL: the path is used as it is */
    lvl_status (*place)(const lvl_container *c, const char *path, lvl_bytes bytes, lvl_buffer *out);
    /* lvl_container_dedupe; NULL: unsupported */
    lvl_status (*dedupe)(lvl_container *c, lvl_findings *log);
} lvl_container_ops;

/* Freed after the container. */
typedef struct lvl_container_owned {
    lvl_doc *doc;
    lvl_buffer bytes;
    lvl_container *outer; /* the archive that holds this one */
} lvl_container_owned;

/* The first member of every kind of container. */
struct lvl_container {
    const lvl_container_ops *ops;
    const lvl_ctx *ctx;
    lvl_container_owned owned; /* all zero: owns nothing */
};

/* lvl_container_folder with a program's own files (NULL: the system's), which must outlive it. */
lvl_status lvl_container_folder_of(const lvl_ctx *ctx, const lvl_files *files, const char *path,
                                   lvl_container **out);

/* ---- trees of documents ------------------------------------------------------------------------------ */

typedef struct lvl_tree_node {
    lvl_entry entry;
    void *item; /* the format's record */
} lvl_tree_node;

typedef struct lvl_tree {
    lvl_container base;
    lvl_doc *doc; /* NULL: a list without a document */
    lvl_codepage codepage; /* code page of the names */
    lvl_arena arena; /* nodes and paths; freed when the list is rebuilt */
    lvl_tree_node *nodes;
    lvl_tree_node **order; /* sorted by path */
    size_t count, cap;
    bool stale; /* the document was edited since the list was built */
    /* Builds the list: calls lvl_tree_add for each entry. */
    lvl_status (*fill)(struct lvl_tree *tree);
} lvl_tree;

/* A tree over the document; `fill` is called at once. The ops' count, at, find, list and close are
 * lvl_tree_…; put and remove set `stale`. */
lvl_status lvl_tree_new(lvl_doc *doc, const lvl_container_ops *ops, lvl_status (*fill)(lvl_tree *tree),
                        lvl_container **out);
/* Begins a tree without a document. It is part of a larger, zeroed struct, which the ops' `close` frees after
 * lvl_tree_end. */
lvl_status lvl_tree_begin(lvl_tree *tree, const lvl_ctx *ctx, lvl_codepage codepage,
                          const lvl_container_ops *ops, lvl_status (*fill)(lvl_tree *tree));
void lvl_tree_end(lvl_tree *tree);
/* Appends an entry whose name is a path with '/' or '\\'. False: out of memory. */
bool lvl_tree_add_path(lvl_tree *tree, lvl_text path, bool is_dir, uint64_t size, int64_t time, void *item);
/* Appends text as UTF-8, with '_' for control characters and backslashes, and for slashes unless it is a
 * `path`. */
void lvl_tree_put_shown(lvl_buffer *out, lvl_codepage page, lvl_text text, bool path);
/* Appends an entry: `name` (in the document's code page) in the folder whose shown path is `parent` (top:
 * ""), with an extension if `type` is not empty. Returns its shown path; NULL: out of memory. */
const char *lvl_tree_add(lvl_tree *tree, const char *parent, lvl_text name, lvl_text type, bool is_dir,
                         uint64_t size, int64_t time, void *item);
size_t lvl_tree_count(const lvl_container *c);
const lvl_entry *lvl_tree_at(const lvl_container *c, size_t index);
const lvl_entry *lvl_tree_find(const lvl_container *c, const char *path);
void lvl_tree_list(const lvl_container *c, const char *dir, bool deep, lvl_entry_fn visit, void *user);
void lvl_tree_close(lvl_container *c);
/* The record of a tree's entry. */
static inline void *lvl_tree_item(const lvl_entry *entry)
{
    return ((const lvl_tree_node *)(const void *)entry)->item;
}

/* A folder of the file system as a container. Folders are listed on demand: opening is cheap, and finding a
 * path lists only the folders on the way; count, at, and a deep list walk everything. Names that start with a
 * dot are left out; links to a folder that contains them are not followed. Nothing beyond limits.items or
 * limits.depth is listed. LVL_ERR_MISSING: there is no such folder. */
lvl_status lvl_container_folder(const lvl_ctx *ctx, const char *path, lvl_container **out);
/* An archive that is not a format of a game: a zip, or, where lvl was built with libarchive, a 7z, rar, tar
 * with or without compression, cab, iso, lha and others. It is read only. A zip's members are read when they
 * are asked for; another archive is read at once, in the order of its bytes, and its content counts as
 * memory. `name`: of the file, for a single compressed file (x.nw.gz), whose only member is x.nw; NULL: such
 * a file is not an archive. `bytes` are borrowed until it is closed. LVL_ERR_UNSUPPORTED: no such archive;
 * LVL_ERR_FORMAT: nothing of it can be read; LVL_ERR_LIMIT. lvl_container_status is LVL_ERR_LOSS if the
 * archive is damaged, so that members may be missing. Threads: as a container over a document. */
lvl_status lvl_container_archive(const lvl_ctx *ctx, lvl_bytes bytes, const char *name, lvl_container **out);
/* Appends the container as a file. A finding reports a signature that a change made invalid; `findings` may
 * be NULL. */
lvl_status lvl_container_write(const lvl_container *container, lvl_buffer *out, lvl_findings *findings);

#endif
