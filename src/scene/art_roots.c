/*
 * scene/art_roots.c: see art_roots.h.
 */
#include "scene/art_state.h"

#include "os/file.h"
#include "base/format.h"
#include "base/search.h"
#include "base/text.h"
#include "container/container.h"

#include <stdlib.h>
#include <string.h>

char *lvl_art_join(const char *folder, const char *name)
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

static void close_root(lvl_art_roots *roots, lvl_art_place *root)
{
    size_t kept = 0;

    for (size_t i = 0; i < roots->tried_count; i++) {
        lvl_art_tree *tree = roots->tried[i];
        const bool own = root->tree_count && tree >= root->trees && tree < root->trees + root->tree_count;
        if (!own && tree != root->top)
            roots->tried[kept++] = tree;
    }
    roots->tried_count = kept;
    for (size_t i = 0; i < root->tree_count; i++)
        close_tree(&root->trees[i]);
    if (root->top)
        close_tree(root->top);
    free(root->top);
    free(root->trees);
    free(root->by_name);
    free(root->path);
}

/* Takes ownership of `path`; copies `name`, which may be NULL. */
static lvl_status add_tree(lvl_art_place *root, const char *name, char *path)
{
    lvl_art_tree tree = {.path = path};

    if (name)
        tree.name = lvl_text_copy(lvl_text_of(name));
    if (!path || (name && !tree.name))
        goto no_memory;
    if (!lvl_grow(&root->trees, &root->tree_cap, root->tree_count + 1, sizeof *root->trees))
        goto no_memory;
    root->trees[root->tree_count++] = tree;
    root->named_count += name != NULL;
    return LVL_OK;
no_memory:
    free(tree.name);
    free(path);
    return LVL_ERR_MEMORY;
}

/* Whether a file with that name may be an archive. */
static bool archive_name(const lvl_ctx *ctx, const char *name)
{
    const char *dot = strrchr(name, '.');

    if (!dot)
        return false;
    const lvl_text ending = lvl_text_of(dot + 1);
    for (const lvl_format *const *f = lvl_formats_of(ctx); *f; f++) {
        /* a container with a scene is a drawing with attachments, not an archive of art */
        if ((*f)->calls->open_container && !(*f)->calls->scene && lvl_format_has_extension(*f, ending))
            return true;
    }
    return false;
}

/* Adds the folders in a folder, and after them its archives. */
static lvl_status list_folder(const lvl_art_roots *roots, lvl_art_place *root, bool with_archives)
{
    lvl_file_list list = {0};
    lvl_status status = lvl_files_list(roots->files, &list, root->path);

    for (int archives = 0; archives < (with_archives ? 2 : 1); archives++) {
        for (size_t i = 0; i < list.count && status == LVL_OK; i++) {
            const bool archive = archive_name(roots->ctx, list.names[i]);
            if (archives != (int)archive)
                continue;
            char *path = lvl_art_join(root->path, list.names[i]);
            if (!path) {
                status = LVL_ERR_MEMORY;
            } else {
                /* Their format is detected when they are opened, since a folder may hold thousands of
                 * files. */
                status = add_tree(root, archive ? NULL : list.names[i], path);
            }
        }
    }
    lvl_file_list_free(&list);
    return status;
}

const char *lvl_art_last_part(const char *path)
{
    const char *last = path;

    for (; *path; path++) {
        if (*path == '/' || *path == '\\')
            last = path + 1;
    }
    return last;
}

/* Detects a picture by its first bytes. */
static lvl_status is_picture(const lvl_files *files, const char *path, bool *out)
{
    uint8_t head[8] = {0};
    lvl_buffer bytes = {0};
    lvl_file *file;
    size_t got = 0;
    lvl_status status;

    if (files) {
        status = lvl_files_read(files, &bytes, path, 0);
        *out = lvl_picture_kind((lvl_bytes){bytes.data, bytes.len}) != NULL;
        lvl_buffer_free(&bytes);
        return status;
    }
    status = lvl_file_open(&file, path, NULL);

    if (status != LVL_OK)
        return status;
    status = lvl_file_at(file, 0, head, sizeof head, &got, NULL);
    lvl_file_close(file);
    *out = lvl_picture_kind((lvl_bytes){head, got}) != NULL;
    return status;
}

/* Reuses a root of the previous level with that path and flags, if there is one. */
static bool take_old(lvl_art_roots *roots, const char *path, unsigned flags)
{
    for (size_t i = 0; i < roots->old_count; i++) {
        if (roots->old[i].flags != flags || strcmp(roots->old[i].path, path) != 0)
            continue;
        roots->items[roots->count++] = roots->old[i];
        roots->old[i] = roots->old[--roots->old_count];
        return true;
    }
    return false;
}

lvl_status lvl_art_roots_add(lvl_art_roots *roots, const char *path, unsigned flags)
{
    lvl_art_place root = {
        .own = flags & LVL_ART_OWN_ROOT, .of_level = flags & LVL_ART_OF_LEVEL, .flags = flags};
    lvl_status status;

    if (!lvl_grow(&roots->items, &roots->cap, roots->count + 1, sizeof *roots->items))
        return LVL_ERR_MEMORY;
    if (take_old(roots, path, flags))
        return LVL_OK;
    const lvl_file_kind kind = lvl_files_kind(roots->files, path);
    if (kind == LVL_FILE_NONE)
        return LVL_ERR_MISSING;
    root.path = lvl_text_copy(lvl_text_of(path));
    if (!root.path)
        return LVL_ERR_MEMORY;
    if (!roots->files) {
        root.stamp = lvl_file_stamp_of(path);
        root.young = lvl_file_stamp_is_young(&root.stamp);
    }
    if (kind == LVL_FILE_FOLDER)
        status = list_folder(roots, &root, !(flags & LVL_ART_NO_ARCHIVES));
    else if (kind != LVL_FILE_REGULAR)
        status = LVL_ERR_FOREIGN;
    else
        status = is_picture(roots->files, path, &root.lone);
    if (status == LVL_OK && kind == LVL_FILE_REGULAR)
        status =
            add_tree(&root, root.lone ? lvl_art_last_part(path) : NULL, lvl_text_copy(lvl_text_of(path)));
    if (status != LVL_OK)
        close_root(roots, &root);
    else
        roots->items[roots->count++] = root;
    return status;
}

void lvl_art_roots_drop(lvl_art_roots *roots)
{
    close_root(roots, &roots->items[--roots->count]);
}

void lvl_art_roots_clear(lvl_art_roots *roots)
{
    size_t kept = 0;

    lvl_art_roots_close_unused(roots);
    roots->old = roots->count ? malloc(roots->count * sizeof *roots->old) : NULL;
    for (size_t i = 0; i < roots->count; i++) {
        if (!roots->items[i].of_level)
            roots->items[kept++] = roots->items[i];
        else if (roots->old)
            roots->old[roots->old_count++] = roots->items[i];
        else
            close_root(roots, &roots->items[i]);
    }
    roots->count = kept;
}

void lvl_art_roots_close_unused(lvl_art_roots *roots)
{
    for (size_t i = 0; i < roots->old_count; i++)
        close_root(roots, &roots->old[i]);
    free(roots->old);
    roots->old = NULL;
    roots->old_count = 0;
}

void lvl_art_roots_free(lvl_art_roots *roots)
{
    for (size_t i = 0; i < roots->count; i++)
        close_root(roots, &roots->items[i]);
    free(roots->items);
    lvl_art_roots_close_unused(roots);
    free(roots->tried);
    memset(roots, 0, sizeof *roots);
}

bool lvl_art_roots_renew(lvl_art_roots *roots)
{
    size_t kept = 0;

    for (size_t i = 0; i < roots->count; i++) {
        const lvl_art_place *root = &roots->items[i];
        const lvl_file_stamp now = lvl_file_stamp_of(root->path);
        if (roots->files || root->young || !lvl_file_stamps_equal(&now, &root->stamp))
            return false;
    }
    for (size_t i = 0; i < roots->tried_count; i++) {
        const lvl_art_tree *tree = roots->tried[i];
        const lvl_file_stamp now = tree->doc ? lvl_file_stamp_of(tree->path) : tree->stamp;
        if (!lvl_file_stamps_equal(&now, &tree->stamp))
            return false;
    }
    for (size_t i = 0; i < roots->tried_count; i++) {
        lvl_art_tree *tree = roots->tried[i];
        if (tree->doc) {
            roots->tried[kept++] = tree;
            continue;
        }
        lvl_container_close(tree->container);
        tree->container = NULL;
        tree->tried = false;
    }
    roots->tried_count = kept;
    return true;
}

static lvl_status open_archive(const lvl_art_roots *roots, lvl_art_tree *tree)
{
    const uint64_t most = lvl_limits_of(roots->ctx).input_bytes;

    if (!roots->files)
        tree->stamp = lvl_file_stamp_of(tree->path);
    lvl_status status = lvl_files_read(roots->files, &tree->bytes, tree->path, most);

    if (status == LVL_OK)
        status = lvl_read(&tree->doc, roots->ctx, NULL, (lvl_bytes){tree->bytes.data, tree->bytes.len}, NULL,
                          LVL_READ_BORROW, NULL);
    return status == LVL_OK ? lvl_container_open(&tree->container, tree->doc) : status;
}

lvl_status lvl_art_tree_open(lvl_art_roots *roots, lvl_art_tree *tree)
{
    lvl_status status = LVL_ERR_FOREIGN;

    if (tree->tried)
        return tree->container ? LVL_OK : status;
    if (!lvl_grow(&roots->tried, &roots->tried_cap, roots->tried_count + 1, sizeof *roots->tried))
        return lvl_art_note(roots, LVL_ERR_MEMORY);
    roots->tried[roots->tried_count++] = tree;
    tree->tried = true;
    /* a folder named like an archive is the unpacked archive */
    const lvl_file_kind kind = lvl_files_kind(roots->files, tree->path);
    if (kind == LVL_FILE_FOLDER)
        status = lvl_container_folder_of(roots->ctx, roots->files, tree->path, &tree->container);
    else if (kind == LVL_FILE_REGULAR && !tree->name)
        status = open_archive(roots, tree);
    return lvl_art_note(roots, status);
}

lvl_status lvl_art_roots_file(lvl_art_roots *roots, size_t index, lvl_text name, lvl_buffer *out)
{
    const uint64_t most = lvl_limits_of(roots->ctx).input_bytes;
    const lvl_art_tree *found = NULL;
    lvl_art_tree *const *named;
    const size_t n = lvl_art_roots_named(roots, index, name, &named);

    for (size_t i = 0; i < n; i++) {
        if (!found || lvl_text_is(name, named[i]->name))
            found = named[i];
    }
    if (!found || lvl_files_kind(roots->files, found->path) != LVL_FILE_REGULAR)
        return LVL_ERR_MISSING;
    return lvl_art_note(roots, lvl_files_read(roots->files, out, found->path, most));
}

static int by_name(const void *a, const void *b)
{
    const lvl_art_tree *x = *(lvl_art_tree *const *)a, *y = *(lvl_art_tree *const *)b;
    const int order = lvl_text_compare_nocase(lvl_text_of(x->name), lvl_text_of(y->name));

    return order ? order : x < y ? -1 : x > y;
}

size_t lvl_art_roots_named(lvl_art_roots *roots, size_t index, lvl_text name, lvl_art_tree *const **out)
{
    lvl_art_place *root = &roots->items[index];
    const size_t count = root->named_count;
    size_t lo, end;

    *out = NULL;
    if (!root->by_name && count) {
        root->by_name = malloc(count * sizeof(lvl_art_tree *));
        if (!root->by_name) {
            roots->memory_failed = true;
            return 0;
        }
        for (size_t i = 0; i < count; i++)
            root->by_name[i] = &root->trees[i];
        qsort(root->by_name, count, sizeof(lvl_art_tree *), by_name);
    }
    LVL_LOWER_BOUND(lo, count, lvl_text_compare_nocase(lvl_text_of(root->by_name[lo]->name), name) < 0);
    for (end = lo; end < count; end++) {
        if (!lvl_text_equal_nocase(lvl_text_of(root->by_name[end]->name), name))
            break;
    }
    if (end <= lo)
        return 0;
    *out = root->by_name + lo;
    return end - lo;
}

bool lvl_art_roots_visit(lvl_art_roots *roots, size_t index, const char *path, lvl_art_visit visit,
                         void *user)
{
    lvl_art_place *root = &roots->items[index];
    const size_t first = strcspn(path, "/");
    lvl_art_tree *const *named;
    const size_t n = lvl_art_roots_named(roots, index, (lvl_text){path, first}, &named);

    for (size_t i = 0; i < n + root->tree_count - root->named_count; i++) {
        lvl_art_tree *tree = i < n ? named[i] : &root->trees[root->named_count + i - n];
        if (lvl_art_tree_open(roots, tree) != LVL_OK)
            continue;
        const char *within = tree->name ? path + first + (path[first] == '/') : path;
        if (visit(user, tree->container, within))
            return true;
        lvl_art_note(roots, lvl_container_status(tree->container));
    }
    return false;
}

bool lvl_art_visit_path(const lvl_art *art, const char *path, lvl_art_visit visit, void *user)
{
    lvl_art_roots *roots = &art->state->roots;
    const size_t own_len = strlen(LVL_ART_OWN);
    const bool own = strncmp(path, LVL_ART_OWN, own_len) == 0;

    for (size_t i = 0; i < roots->count; i++) {
        if (roots->items[i].own == own &&
            lvl_art_roots_visit(roots, i, own ? path + own_len : path, visit, user))
            return true;
    }
    return false;
}

bool lvl_art_is_folder(const lvl_container *container, const char *path)
{
    const lvl_entry *entry = *path ? lvl_container_find(container, path) : NULL;

    return *path == 0 || (entry && entry->is_dir);
}

lvl_status lvl_art_read_entry(const lvl_container *container, const lvl_entry *entry, lvl_buffer *out)
{
    lvl_buffer storage = {0};
    lvl_bytes bytes;
    lvl_status status = lvl_container_read(container, entry, &bytes, &storage, NULL);

    if (status == LVL_OK || status == LVL_ERR_LOSS) { /* the readable part of a damaged file is used */
        lvl_buffer_add(out, bytes.ptr, bytes.len);
        status = out->status;
    }
    lvl_buffer_free(&storage);
    return status;
}

bool lvl_art_visit_file(void *user, const lvl_container *container, const char *path)
{
    lvl_art_found_file *file = user;
    const lvl_entry *entry = *path ? lvl_container_find(container, path) : NULL;

    if (!entry || entry->is_dir)
        return false;
    file->status = lvl_art_read_entry(container, entry, file->out);
    return true;
}

bool lvl_art_roots_visit_top(lvl_art_roots *roots, size_t index, lvl_art_visit visit, void *user)
{
    lvl_art_place *root = &roots->items[index];
    /* an archive has a single tree without a name, of its own path */
    lvl_art_tree *tree = root->tree_count == 1 && !root->named_count ? root->trees : root->top;

    if (!tree || strcmp(tree->path, root->path) != 0) {
        tree = root->top = root->top ? root->top : calloc(1, sizeof *tree);
        if (tree && !tree->path)
            tree->path = lvl_text_copy(lvl_text_of(root->path));
        if (!tree || !tree->path) {
            lvl_art_note(roots, LVL_ERR_MEMORY);
            return false;
        }
    }
    const bool found = lvl_art_tree_open(roots, tree) == LVL_OK && visit(user, tree->container, "");
    if (tree->container)
        lvl_art_note(roots, lvl_container_status(tree->container));
    return found;
}
