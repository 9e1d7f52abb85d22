/*
 * container/container.h: the inner side of containers: a table of functions and their state. Containers over
 * documents use container/tree.c, which has the list of entries and its lookup; their formats fill the list
 * and implement reading and editing.
 */
#ifndef LVL_CONTAINER_CONTAINER_H
#define LVL_CONTAINER_CONTAINER_H

#include "base/arena.h"
#include "base/format.h"

#include <lvl/container.h>

/* ---- the face ---------------------------------------------------------------------------------------- */

typedef struct lvl_container_ops {
    size_t (*count)(const lvl_container *c);
    const lvl_entry *(*at)(const lvl_container *c, size_t index);
    const lvl_entry *(*find)(const lvl_container *c, const char *path);
    void (*list)(const lvl_container *c, const char *dir, bool deep, lvl_entry_fn visit, void *user);
    /* lvl_container_read without its findings; callers get LVL_ERR_FORMAT for LVL_ERR_LOSS without bytes */
    lvl_status (*read)(const lvl_container *c, const lvl_entry *entry, lvl_bytes *view, lvl_buffer *storage);
    /* Why read returns LVL_ERR_UNSUPPORTED; static storage, or NULL: not known, as where this is NULL */
    const char *(*obstacle)(const lvl_container *c, const lvl_entry *entry);
    void (*close)(lvl_container *c); /* frees all, the struct included */
    /* NULL where it can't be edited */
    lvl_status (*put)(lvl_container *c, const char *path, lvl_bytes bytes, int64_t time);
    /* lvl_container_put_all; NULL: by put */
    lvl_status (*put_all)(lvl_container *c, const lvl_pack_item *items, size_t count, size_t *done);
    /* lvl_container_remove_all */
    lvl_status (*remove_all)(lvl_container *c, const char *const *paths, size_t count, size_t *failed);
    lvl_status (*write)(const lvl_container *c, lvl_buffer *out);
    /* Sticky; NULL where listing never needs memory */
    lvl_status (*status)(const lvl_container *c);
    const char *(*unlisted)(const lvl_container *c);
    /* Fills an empty container at once; sorted by folded path, without doubles. */
    lvl_status (*pack)(lvl_container *c, const lvl_pack_item *items, size_t count);
    /* lvl_container_place; NULL: the path is used as it is */
    lvl_status (*place)(const lvl_container *c, const char *path, lvl_bytes bytes, lvl_buffer *out);
    /* lvl_container_dedupe; NULL: unsupported */
    lvl_status (*dedupe)(lvl_container *c, lvl_findings *log);
} lvl_container_ops;

/* Every kind of container begins with this. */
struct lvl_container {
    const lvl_container_ops *ops;
    const lvl_ctx *ctx;
};

/* lvl_container_folder of files that may be a program's (NULL: the system's), which must outlive it. */
lvl_status lvl_container_folder_of(const lvl_ctx *ctx, const lvl_files *files, const char *path,
                                   lvl_container **out);

/* ---- trees of documents ------------------------------------------------------------------------------ */

typedef struct lvl_tree_node {
    lvl_entry entry;
    void *item; /* the format's record */
} lvl_tree_node;

typedef struct lvl_tree {
    lvl_container base;
    lvl_doc *doc; /* or NULL: a list without a document */
    lvl_codepage codepage; /* of the names */
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
/* Begins a tree without a document, a part of a larger struct of zeros, which `close` of the ops frees after
 * lvl_tree_end. */
lvl_status lvl_tree_begin(lvl_tree *tree, const lvl_ctx *ctx, lvl_codepage codepage,
                          const lvl_container_ops *ops, lvl_status (*fill)(lvl_tree *tree));
void lvl_tree_end(lvl_tree *tree);
/* Appends an entry whose name is a path with '/' or '\\'. False: no memory. */
bool lvl_tree_add_path(lvl_tree *tree, lvl_text path, bool is_dir, uint64_t size, int64_t time, void *item);
/* Appends text as UTF-8, with '_' for control characters and backslashes, and for slashes unless it is a
 * `path`. */
void lvl_tree_put_shown(lvl_buffer *out, lvl_codepage page, lvl_text text, bool path);
/* Appends an entry: `name` (in the document's code page) below the folder whose shown path is `parent` ("" at
 * the top), with an extension if `type` is not empty. Returns its shown path, or NULL without memory. */
const char *lvl_tree_add(lvl_tree *tree, const char *parent, lvl_text name, lvl_text type, bool is_dir,
                         uint64_t size, int64_t time, void *item);
size_t lvl_tree_count(const lvl_container *c);
const lvl_entry *lvl_tree_at(const lvl_container *c, size_t index);
const lvl_entry *lvl_tree_find(const lvl_container *c, const char *path);
void lvl_tree_list(const lvl_container *c, const char *dir, bool deep, lvl_entry_fn visit, void *user);
void lvl_tree_close(lvl_container *c);
/* The record behind an entry of a tree. */
static inline void *lvl_tree_item(const lvl_entry *entry)
{
    return ((const lvl_tree_node *)(const void *)entry)->item;
}

#endif
