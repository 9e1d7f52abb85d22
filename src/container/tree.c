/*
 * container/tree.c: the list of entries of a container over a document: nodes in the document's order, and an
 * index sorted by path.
 */
#include "container/container.h"

#include "base/search.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static int by_path(const void *a, const void *b)
{
    const lvl_tree_node *x = *(lvl_tree_node *const *)a, *y = *(lvl_tree_node *const *)b;
    int d = lvl_path_compare(x->entry.path, y->entry.path);

    if (d == 0)
        d = strcmp(x->entry.path, y->entry.path);
    return d ? d : (x > y) - (x < y);
}

static lvl_status sort_nodes(lvl_tree *tree)
{
    tree->order = lvl_arena_array(&tree->arena, tree->count, sizeof(lvl_tree_node *));
    if (!tree->order)
        return LVL_ERR_MEMORY;
    for (size_t i = 0; i < tree->count; i++)
        tree->order[i] = &tree->nodes[i];
    if (tree->count)
        qsort(tree->order, tree->count, sizeof(lvl_tree_node *), by_path);
    for (size_t i = 1; i < tree->count; i++) {
        lvl_entry *before = &tree->order[i - 1]->entry, *entry = &tree->order[i]->entry;
        if (lvl_path_compare(before->path, entry->path) == 0)
            before->unique = entry->unique = false;
    }
    return LVL_OK;
}

static void drop_nodes(lvl_tree *tree)
{
    lvl_arena_free(&tree->arena);
    lvl_arena_init(&tree->arena, tree->base.ctx);
    free(tree->nodes);
    tree->nodes = NULL;
    tree->order = NULL;
    tree->count = tree->cap = 0;
}

static lvl_status refill(lvl_tree *tree)
{
    drop_nodes(tree);
    lvl_status status = tree->fill(tree);
    if (status == LVL_OK)
        status = sort_nodes(tree);
    if (status != LVL_OK)
        drop_nodes(tree);
    tree->stale = false;
    return status;
}

/* Rebuilds the list if an edit made it stale; out of memory: it is empty. */
static const lvl_tree *refreshed_list(const lvl_container *c)
{
    lvl_tree *tree = (lvl_tree *)(uintptr_t)c;

    if (tree->stale)
        refill(tree);
    return tree;
}

lvl_status lvl_tree_begin(lvl_tree *tree, const lvl_ctx *ctx, lvl_codepage codepage,
                          const lvl_container_ops *ops, lvl_status (*fill)(lvl_tree *tree))
{
    tree->base.ops = ops;
    tree->base.ctx = ctx;
    tree->codepage = codepage;
    tree->fill = fill;
    lvl_arena_init(&tree->arena, ctx);
    return refill(tree);
}

void lvl_tree_end(lvl_tree *tree)
{
    drop_nodes(tree);
}

lvl_status lvl_tree_new(lvl_doc *doc, const lvl_container_ops *ops, lvl_status (*fill)(lvl_tree *tree),
                        lvl_container **out)
{
    lvl_tree *tree = lvl_mem_alloc(doc->ctx, sizeof *tree);

    *out = NULL;
    if (!tree)
        return LVL_ERR_MEMORY;
    memset(tree, 0, sizeof *tree);
    tree->doc = doc;
    const lvl_status status = lvl_tree_begin(tree, doc->ctx, doc->codepage, ops, fill);
    if (status != LVL_OK) {
        lvl_tree_close(&tree->base);
        return status;
    }
    *out = &tree->base;
    return LVL_OK;
}

void lvl_tree_close(lvl_container *c)
{
    lvl_tree *tree = (lvl_tree *)(void *)c;

    drop_nodes(tree);
    lvl_mem_free(c->ctx, tree);
}

void lvl_tree_put_shown(lvl_buffer *out, lvl_codepage page, lvl_text text, bool path)
{
    size_t from = out->len;

    lvl_text_to_utf8(out, page, text);
    for (size_t i = from; i < out->len; i++) {
        uint8_t *p = &out->data[i];
        if (*p < 0x20 || *p == 0x7F || (*p == '/' && !path) || *p == '\\')
            *p = '_';
        else if (*p == 0xC2 && i + 1 < out->len && p[1] < 0xA0) /* C1 controls: U+0080 to U+009F */
            p[0] = p[1] = '_';
    }
}

const char *lvl_tree_add(lvl_tree *tree, const char *parent, lvl_text name, lvl_text type, bool is_dir,
                         uint64_t size, int64_t time, void *item)
{
    lvl_buffer path = {0};
    char *kept = NULL;

    if (tree->count == UINT32_MAX ||
        !lvl_grow(&tree->nodes, &tree->cap, tree->count + 1, sizeof *tree->nodes))
        return NULL;
    if (*parent) {
        lvl_buffer_str(&path, parent);
        lvl_buffer_u8(&path, '/');
    }
    lvl_tree_put_shown(&path, tree->codepage, name, false);
    if (type.len) {
        lvl_buffer_u8(&path, '.');
        lvl_tree_put_shown(&path, tree->codepage, type, false);
    }
    lvl_buffer_u8(&path, 0);
    if (path.status == LVL_OK)
        kept = lvl_arena_copy(&tree->arena, path.data, path.len);
    lvl_buffer_free(&path);
    if (!kept)
        return NULL;
    const lvl_tree_node node = {{kept, size, time, is_dir, lvl_path_safe(kept), true}, item};
    tree->nodes[tree->count++] = node;
    return kept;
}

bool lvl_tree_add_path(lvl_tree *tree, lvl_text path, bool is_dir, uint64_t size, int64_t time, void *item)
{
    lvl_buffer parent = {0};
    bool added = false;

    while (path.len && (path.ptr[path.len - 1] == '/' || path.ptr[path.len - 1] == '\\'))
        path.len--;
    size_t from = 0;
    for (size_t i = 0; i < path.len; i++) {
        if (path.ptr[i] != '/' && path.ptr[i] != '\\')
            continue;
        if (parent.len)
            lvl_buffer_u8(&parent, '/');
        lvl_tree_put_shown(&parent, tree->codepage, (lvl_text){path.ptr + from, i - from}, false);
        from = i + 1;
    }
    lvl_buffer_u8(&parent, 0);
    if (parent.status == LVL_OK)
        added = lvl_tree_add(tree, (const char *)parent.data, (lvl_text){path.ptr + from, path.len - from},
                             (lvl_text){NULL, 0}, is_dir, size, time, item) != NULL;
    lvl_buffer_free(&parent);
    return added;
}

size_t lvl_tree_count(const lvl_container *c)
{
    return refreshed_list(c)->count;
}

const lvl_entry *lvl_tree_at(const lvl_container *c, size_t index)
{
    const lvl_tree *tree = refreshed_list(c);

    return index < tree->count ? &tree->nodes[index].entry : NULL;
}

static const lvl_entry *ordered(const lvl_tree *tree, size_t i)
{
    return &tree->order[i]->entry;
}

/* The index of the first entry that does not sort before `path`. */
static size_t lower_bound(const lvl_tree *tree, const char *path)
{
    size_t at;

    LVL_LOWER_BOUND(at, tree->count, lvl_path_compare(ordered(tree, at)->path, path) < 0);
    return at;
}

const lvl_entry *lvl_tree_find(const lvl_container *c, const char *path)
{
    const lvl_tree *tree = refreshed_list(c);
    const size_t first = lower_bound(tree, path);

    for (size_t i = first; i < tree->count && lvl_path_compare(ordered(tree, i)->path, path) == 0; i++) {
        if (strcmp(ordered(tree, i)->path, path) == 0)
            return ordered(tree, i);
    }
    return first < tree->count && lvl_path_compare(ordered(tree, first)->path, path) == 0
               ? ordered(tree, first)
               : NULL;
}

/* The part of the entry's path below the folder, or NULL if the entry is not in it. */
static const char *path_below(const char *path, const char *dir)
{
    if (!*dir)
        return path;
    while (*dir && *path && (lvl_lower(*dir) == lvl_lower(*path) || (*dir == '\\' && *path == '/'))) {
        dir++;
        path++;
    }
    return !*dir && *path == '/' ? path + 1 : NULL;
}

void lvl_tree_list(const lvl_container *c, const char *dir, bool deep, lvl_entry_fn visit, void *user)
{
    const lvl_tree *tree = refreshed_list(c);
    size_t i = lower_bound(tree, dir);

    while (*dir && i < tree->count && lvl_path_compare(ordered(tree, i)->path, dir) == 0)
        i++;
    for (; i < tree->count; i++) {
        const lvl_entry *entry = ordered(tree, i);
        const char *name = path_below(entry->path, dir);
        if (!name)
            return;
        if ((deep || !strchr(name, '/')) && !visit(user, entry))
            return;
    }
}
