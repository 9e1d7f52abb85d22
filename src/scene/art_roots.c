/*
 * scene/art_roots.c: see art_roots.h.
 */
#include "scene/art_roots.h"

#include "base/file.h"
#include "base/format.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static char *copy(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *p = malloc(size);

    if (p)
        memcpy(p, text, size);
    return p;
}

static char *join(const char *folder, const char *name)
{
    const size_t a = strlen(folder), b = strlen(name);
    const bool slash = a && folder[a - 1] != '/' && folder[a - 1] != '\\';
    char *p = malloc(a + b + 2);

    if (p) {
        memcpy(p, folder, a);
        if (slash)
            p[a] = '/';
        memcpy(p + a + slash, name, b + 1);
    }
    return p;
}

static void close_tree(lvl_art_tree *tree)
{
    lvl_container_close(tree->container);
    lvl_doc_free(tree->doc);
    lvl_buffer_free(&tree->bytes);
    free(tree->name);
    free(tree->path);
}

static void close_root(lvl_art_place *root)
{
    for (size_t i = 0; i < root->tree_count; i++)
        close_tree(&root->trees[i]);
    free(root->trees);
    free(root->path);
}

/* Takes `path` over. `name` is copied, or NULL. */
static lvl_status add_tree(lvl_art_place *root, const char *name, char *path)
{
    lvl_art_tree tree = {.path = path};

    if (name)
        tree.name = copy(name);
    if (!path || (name && !tree.name))
        goto no_memory;
    if (root->tree_count == root->tree_cap) {
        const size_t cap = root->tree_cap ? root->tree_cap * 2 : 8;
        lvl_art_tree *trees = realloc(root->trees, cap * sizeof *trees);
        if (!trees)
            goto no_memory;
        root->trees = trees;
        root->tree_cap = cap;
    }
    root->trees[root->tree_count++] = tree;
    return LVL_OK;
no_memory:
    free(tree.name);
    free(path);
    return LVL_ERR_MEMORY;
}

/* Whether a file of that name may be an archive. */
static bool archive_name(const char *name)
{
    const char *dot = strrchr(name, '.');

    if (!dot)
        return false;
    const lvl_text ending = lvl_text_of(dot + 1);
    for (size_t i = 0; i < lvl_format_count(); i++) {
        const lvl_format *format = lvl_format_at(i);
        if (!format->open_container || format->scene)
            continue; /* what has a look of its own is a drawing with attachments, not an archive of art */
        for (const char *e = format->extensions; *e;) {
            const size_t len = strcspn(e, " ");
            if (lvl_text_equal_nocase(ending, (lvl_text){e, len}))
                return true;
            e += len + strspn(e + len, " ");
        }
    }
    return false;
}

/* The folder's top folders, and after them its archives. */
static lvl_status list_folder(lvl_art_place *root, bool with_archives)
{
    lvl_file_list list = {0};
    lvl_status status = lvl_folder_list(&list, root->path, NULL);

    for (int archives = 0; archives < (with_archives ? 2 : 1); archives++) {
        for (size_t i = 0; i < list.count && status == LVL_OK; i++) {
            const bool archive = archive_name(list.names[i]);
            if (archives != (int)archive)
                continue;
            char *path = join(root->path, list.names[i]);
            if (!path) {
                status = LVL_ERR_MEMORY;
            } else if (archive ? lvl_file_kind_of(path) == LVL_FILE_REGULAR : true) {
                /* Whether the rest are folders is asked when they are opened: a folder may hold thousands of
                 * files. */
                status = add_tree(root, archive ? NULL : list.names[i], path);
            } else {
                free(path);
            }
        }
    }
    lvl_file_list_free(&list);
    return status;
}

static const char *last_part(const char *path)
{
    const char *last = path;

    for (; *path; path++) {
        if (*path == '/' || *path == '\\')
            last = path + 1;
    }
    return last;
}

/* Told by its first bytes. */
static lvl_status is_picture(const char *path, bool *out)
{
    uint8_t head[8] = {0};
    lvl_file *file;
    size_t got = 0;
    lvl_status status = lvl_file_open(&file, path, NULL);

    if (status != LVL_OK)
        return status;
    status = lvl_file_at(file, 0, head, sizeof head, &got, NULL);
    lvl_file_close(file);
    *out = lvl_picture_kind((lvl_bytes){head, got}) != NULL;
    return status;
}

lvl_status lvl_art_roots_add(lvl_art_roots *roots, const char *path, unsigned flags)
{
    lvl_art_place root = {.own = flags & LVL_ART_OWN_ROOT, .of_level = flags & LVL_ART_OF_LEVEL};
    const lvl_file_kind kind = lvl_file_kind_of(path);
    lvl_status status;

    if (kind == LVL_FILE_NONE)
        return LVL_ERR_MISSING;
    if (roots->count == roots->cap) {
        const size_t cap = roots->cap ? roots->cap * 2 : 8;
        lvl_art_place *items = realloc(roots->items, cap * sizeof *items);
        if (!items)
            return LVL_ERR_MEMORY;
        roots->items = items;
        roots->cap = cap;
    }
    root.path = copy(path);
    if (!root.path)
        return LVL_ERR_MEMORY;
    if (kind == LVL_FILE_FOLDER)
        status = list_folder(&root, !(flags & LVL_ART_NO_ARCHIVES));
    else if (kind != LVL_FILE_REGULAR)
        status = LVL_ERR_FOREIGN;
    else
        status = is_picture(path, &root.lone);
    if (status == LVL_OK && kind == LVL_FILE_REGULAR)
        status = add_tree(&root, root.lone ? last_part(path) : NULL, copy(path));
    if (status != LVL_OK)
        close_root(&root);
    else
        roots->items[roots->count++] = root;
    return status;
}

void lvl_art_roots_drop(lvl_art_roots *roots)
{
    close_root(&roots->items[--roots->count]);
}

void lvl_art_roots_forget(lvl_art_roots *roots)
{
    size_t kept = 0;

    for (size_t i = 0; i < roots->count; i++) {
        if (roots->items[i].of_level)
            close_root(&roots->items[i]);
        else
            roots->items[kept++] = roots->items[i];
    }
    roots->count = kept;
}

void lvl_art_roots_free(lvl_art_roots *roots)
{
    for (size_t i = 0; i < roots->count; i++)
        close_root(&roots->items[i]);
    free(roots->items);
    memset(roots, 0, sizeof *roots);
}

static lvl_status open_archive(const lvl_ctx *ctx, lvl_art_tree *tree)
{
    const uint64_t most = lvl_limits_of(ctx).input_bytes;
    lvl_status status = lvl_file_read(&tree->bytes, tree->path, most, NULL);

    if (status == LVL_OK)
        status = lvl_read(&tree->doc, ctx, NULL, (lvl_bytes){tree->bytes.data, tree->bytes.len}, NULL,
                          LVL_READ_BORROW, NULL);
    return status == LVL_OK ? lvl_container_open(tree->doc, &tree->container) : status;
}

lvl_status lvl_art_tree_open(lvl_art_roots *roots, lvl_art_tree *tree)
{
    lvl_status status = LVL_ERR_FOREIGN;

    if (tree->tried)
        return tree->container ? LVL_OK : status;
    tree->tried = true;
    if (!tree->name)
        status = open_archive(roots->ctx, tree);
    else if (lvl_file_kind_of(tree->path) == LVL_FILE_FOLDER)
        status = lvl_container_folder(roots->ctx, tree->path, &tree->container);
    return lvl_art_note(roots, status);
}

lvl_status lvl_art_roots_file(lvl_art_roots *roots, size_t index, lvl_text name, lvl_buffer *out)
{
    const uint64_t most = lvl_limits_of(roots->ctx).input_bytes;
    const lvl_art_place *root = &roots->items[index];
    const lvl_art_tree *found = NULL;

    for (size_t i = 0; i < root->tree_count; i++) {
        const lvl_art_tree *tree = &root->trees[i];
        if (!tree->name || !lvl_text_equal_nocase(lvl_text_of(tree->name), name))
            continue;
        if (!found || lvl_text_is(name, tree->name))
            found = tree;
    }
    if (!found || lvl_file_kind_of(found->path) != LVL_FILE_REGULAR)
        return LVL_ERR_MISSING;
    return lvl_art_note(roots, lvl_file_read(out, found->path, most, NULL));
}

bool lvl_art_roots_visit(lvl_art_roots *roots, size_t index, const char *path, lvl_art_visit visit,
                         void *user)
{
    lvl_art_place *root = &roots->items[index];
    const size_t first = strcspn(path, "/");
    const lvl_text top = {path, first};

    for (size_t i = 0; i < root->tree_count; i++) {
        lvl_art_tree *tree = &root->trees[i];
        if (tree->name && !lvl_text_equal_nocase(lvl_text_of(tree->name), top))
            continue;
        if (lvl_art_tree_open(roots, tree) != LVL_OK)
            continue;
        const char *within = tree->name ? path + first + (path[first] == '/') : path;
        if (visit(user, tree->container, within))
            return true;
        lvl_art_note(roots, lvl_container_status(tree->container));
    }
    return false;
}
