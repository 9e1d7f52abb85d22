/*
 * container/folder.c: a folder on disk as a container. Folders are listed when they are first
 * accessed.
 */
#include "container/container.h"

#include "os/file.h"
#include "base/search.h"
#include "base/text.h"
#include "base/work.h"

#include <stdlib.h>
#include <string.h>

typedef struct node node;
struct node {
    lvl_entry entry;
    const node *parent;
    node *children; /* sorted by path */
    size_t count;
    uint32_t depth;
    bool listed;
};

typedef struct folder {
    lvl_container base;
    lvl_arena arena;
    const lvl_files *files; /* NULL: the system's */
    char *root; /* path of the folder */
    size_t root_len;
    size_t items; /* entries known so far */
    node top;
    node **all; /* every node in order, once walked */
    size_t all_count;
    bool walked;
    bool memory_failed; /* something is not listed: out of memory */
    lvl_status refused; /* something is not listed because of a limit: LVL_ERR_LIMIT */
    /* the first folder that could not be listed, or entry that could not be examined; NULL: none */
    const char *unlisted;
} folder;

static folder *folder_of(const lvl_container *c)
{
    return (folder *)(uintptr_t)c;
}

/* The system path of an entry, from malloc; NULL: out of memory. */
static char *system_path(const folder *f, const char *path)
{
    size_t n = strlen(path);
    char *full = malloc(f->root_len + n + 2);

    if (!full)
        return NULL;
    memcpy(full, f->root, f->root_len);
    full[f->root_len] = '/';
    memcpy(full + f->root_len + 1, path, n + 1);
    if (n == 0 && f->root_len)
        full[f->root_len] = 0;
    return full;
}

static int by_path(const void *a, const void *b)
{
    const node *x = a, *y = b;
    int d = lvl_path_compare(x->entry.path, y->entry.path);

    return d ? d : strcmp(x->entry.path, y->entry.path);
}

/* Whether the folder is one of its own ancestors (a loop of links). */
static bool is_loop(folder *f, const node *dir, const char *full)
{
    bool same = false;

    for (const node *up = f->files ? NULL : dir->parent; up && !same; up = up->parent) {
        char *above = system_path(f, up->entry.path);
        f->memory_failed = f->memory_failed || !above;
        same = above && lvl_file_same(above, full);
        free(above);
    }
    return same;
}

/* The path of a child, in the arena. */
static char *child_path(folder *f, const node *dir, const char *name)
{
    size_t up = strlen(dir->entry.path), n = strlen(name), joint = up ? 1 : 0;
    char *path = lvl_arena_raw(&f->arena, up + joint + n + 1);

    if (!path)
        return NULL;
    memcpy(path, dir->entry.path, up);
    if (joint)
        path[up] = '/';
    memcpy(path + up + joint, name, n + 1);
    return path;
}

static void add_child(folder *f, node *dir, const char *name)
{
    char *path = child_path(f, dir, name);
    char *full = path ? system_path(f, path) : NULL;
    node *child = &dir->children[dir->count];

    f->memory_failed = f->memory_failed || !full;
    if (full) {
        lvl_file_kind kind = f->files ? lvl_files_kind(f->files, full)
                                      : lvl_file_look(full, &child->entry.size, &child->entry.time);
        child->entry.path = path;
        child->entry.is_dir = kind == LVL_FILE_FOLDER;
        child->entry.safe = child->entry.unique = true;
        child->parent = dir;
        child->depth = dir->depth + 1;
        if (kind == LVL_FILE_FOLDER || kind == LVL_FILE_REGULAR)
            dir->count++;
        /* a broken link is left out without notice; an entry that cannot be examined is not */
        else if (kind == LVL_FILE_NONE && !f->files && !lvl_file_is_link(full) && !f->unlisted)
            f->unlisted = path;
    }
    free(full);
}

/* Lists a folder, once. A folder that cannot be listed is empty, and recorded in `unlisted`. */
static void list_node(folder *f, node *dir)
{
    const lvl_limits limits = lvl_limits_of(f->base.ctx);
    lvl_file_list names = {NULL, 0, 0};
    lvl_status status = LVL_OK;

    if (dir->listed || !dir->entry.is_dir)
        return;
    dir->listed = true;
    char *full = system_path(f, dir->entry.path);
    f->memory_failed = f->memory_failed || !full;
    if (!full || is_loop(f, dir, full))
        goto out;
    if (dir->depth >= limits.depth) {
        f->refused = lvl_refuse(f->base.ctx, LVL_LIMIT_DEPTH, limits.depth, dir->depth + 1);
        goto out;
    }
    status = lvl_files_list(f->files, &names, full);
    f->memory_failed = f->memory_failed || status == LVL_ERR_MEMORY;
    if (status != LVL_OK && status != LVL_ERR_MEMORY && !f->unlisted)
        f->unlisted = dir->entry.path;
    if (status != LVL_OK)
        goto out;
    if (names.count > limits.items - f->items) {
        f->refused = lvl_refuse(f->base.ctx, LVL_LIMIT_ITEMS, limits.items, f->items + names.count);
        goto out;
    }
    dir->children = lvl_arena_array(&f->arena, names.count, sizeof *dir->children);
    f->memory_failed = f->memory_failed || !dir->children;
    if (!dir->children)
        goto out;
    for (size_t i = 0; i < names.count; i++)
        add_child(f, dir, names.names[i]);
    f->items += dir->count;
    qsort(dir->children, dir->count, sizeof *dir->children, by_path);
    for (size_t i = 1; i < dir->count; i++) {
        if (lvl_path_compare(dir->children[i - 1].entry.path, dir->children[i].entry.path) == 0)
            dir->children[i - 1].entry.unique = dir->children[i].entry.unique = false;
    }
out:
    lvl_file_list_free(&names);
    free(full);
}

/* The child with that name; an exact match is preferred. */
static node *child_of(folder *f, node *dir, lvl_text name)
{
    node *found = NULL;

    list_node(f, dir);
    size_t skip = strlen(dir->entry.path) + (*dir->entry.path ? 1 : 0), at;
    char *wanted = malloc(name.len + 1);
    f->memory_failed = f->memory_failed || !wanted;
    if (!wanted)
        return NULL;
    memcpy(wanted, name.ptr, name.len);
    wanted[name.len] = 0;
    LVL_LOWER_BOUND(at, dir->count, lvl_path_compare(dir->children[at].entry.path + skip, wanted) < 0);
    for (; at < dir->count; at++) {
        const char *is = dir->children[at].entry.path + skip;
        if (lvl_path_compare(is, wanted) != 0)
            break;
        if (!found || strcmp(is, wanted) == 0)
            found = &dir->children[at];
    }
    free(wanted);
    return found;
}

static node *find_node(folder *f, const char *path)
{
    node *at = &f->top;

    for (lvl_text part = lvl_path_part(path, &path); at && part.len; part = lvl_path_part(path, &path))
        at = child_of(f, at, part);
    return at;
}

static const lvl_entry *folder_find(const lvl_container *c, const char *path)
{
    folder *f = folder_of(c);
    node *n = find_node(f, path);

    return n && n != &f->top ? &n->entry : NULL;
}

static bool list_below(folder *f, node *dir, bool deep, lvl_entry_fn visit, void *user)
{
    list_node(f, dir);
    for (size_t i = 0; i < dir->count; i++) {
        node *child = &dir->children[i];
        if (!visit(user, &child->entry))
            return false;
        if (deep && child->entry.is_dir && !list_below(f, child, true, visit, user))
            return false;
    }
    return true;
}

static void folder_list(const lvl_container *c, const char *dir, bool deep, lvl_entry_fn visit, void *user)
{
    folder *f = folder_of(c);
    node *n = find_node(f, dir);

    if (n)
        list_below(f, n, deep, visit, user);
}

static bool count_one(void *user, const lvl_entry *entry)
{
    (void)entry;
    ++*(size_t *)user;
    return true;
}

static bool add_one(void *user, const lvl_entry *entry)
{
    folder *f = user;

    f->all[f->all_count++] = (node *)(uintptr_t)entry;
    return true;
}

static void walk(folder *f)
{
    size_t n = 0;

    if (f->walked)
        return;
    f->walked = true;
    list_below(f, &f->top, true, count_one, &n);
    f->all = lvl_arena_array(&f->arena, n, sizeof(node *));
    f->memory_failed = f->memory_failed || !f->all;
    if (f->all)
        list_below(f, &f->top, true, add_one, f);
}

static size_t folder_count(const lvl_container *c)
{
    folder *f = folder_of(c);

    walk(f);
    return f->all_count;
}

static const lvl_entry *folder_at(const lvl_container *c, size_t index)
{
    folder *f = folder_of(c);

    walk(f);
    return index < f->all_count ? &f->all[index]->entry : NULL;
}

static lvl_status folder_read(const lvl_container *c, const lvl_entry *entry, lvl_bytes *view,
                              lvl_buffer *storage)
{
    char *full = system_path(folder_of(c), entry->path);
    lvl_status status = LVL_ERR_MEMORY;

    if (full)
        status = lvl_files_read(folder_of(c)->files, storage, full, lvl_limits_of(c->ctx).input_bytes);
    free(full);
    if (status == LVL_OK) {
        view->ptr = storage->data;
        view->len = storage->len;
    }
    return status;
}

static lvl_status folder_status(const lvl_container *c)
{
    const folder *f = folder_of(c);

    return f->memory_failed       ? LVL_ERR_MEMORY
           : f->refused != LVL_OK ? f->refused
           : f->unlisted          ? LVL_ERR_IO
                                  : LVL_OK;
}

static const char *folder_unlisted(const lvl_container *c)
{
    return folder_of(c)->unlisted;
}

static void folder_close(lvl_container *c)
{
    folder *f = folder_of(c);

    lvl_arena_free(&f->arena);
    free(f->root);
    lvl_mem_free(c->ctx, f);
}

static const lvl_container_ops folder_ops = {
    .count = folder_count,
    .at = folder_at,
    .find = folder_find,
    .list = folder_list,
    .read = folder_read,
    .close = folder_close,
    .status = folder_status,
    .unlisted = folder_unlisted,
};

lvl_status lvl_container_folder_of(const lvl_ctx *ctx, const lvl_files *files, const char *path,
                                   lvl_container **out)
{
    size_t n = strlen(path);

    *out = NULL;
    if (lvl_files_kind(files, path) != LVL_FILE_FOLDER)
        return LVL_ERR_MISSING;
    folder *f = lvl_mem_alloc(ctx, sizeof *f);
    if (!f)
        return LVL_ERR_MEMORY;
    memset(f, 0, sizeof *f);
    f->base.ops = &folder_ops;
    f->base.ctx = ctx;
    f->files = files;
    lvl_arena_init(&f->arena, ctx);
    f->top.entry.path = "";
    f->top.entry.is_dir = true;
    f->root = malloc(n + 1);
    if (!f->root) {
        folder_close(&f->base);
        return LVL_ERR_MEMORY;
    }
    memcpy(f->root, path, n + 1);
    while (n > 1 && f->root[n - 1] == '/')
        f->root[--n] = 0;
    f->root_len = n;
    if (n == 1 && f->root[0] == '/') /* joining adds the slash again */
        f->root_len = 0;
    *out = &f->base;
    return LVL_OK;
}

lvl_status lvl_container_folder(const lvl_ctx *ctx, const char *path, lvl_container **out)
{
    return lvl_container_folder_of(ctx, NULL, path, out);
}
