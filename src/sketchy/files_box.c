/*
 * sketchy/files_box.c: the files of packs and drawings as a container: levels and doodads of a pack, screenshots, wallpapers and embedded doodads of
 * a drawing. Wallpapers are base64 text in the file; here they are the pictures.
 */
#include "sketchy/pack.h"

#include "base/text.h"
#include "codec/json.h"
#include "container/container.h"
#include "sketchy/drawing_read.h"

#include <stdlib.h>
#include <string.h>

#define INDEX "index.json"

static bool is_pack(const lvl_doc *doc)
{
    return doc->format->table == &lvl_levelpack_table;
}

lvl_file_list lvl_sketchy_files(const lvl_doc *doc)
{
    lvl_file_list list;

    if (is_pack(doc)) {
        lvl_levelpack *p = doc->root;
        list = (lvl_file_list){&p->files, &p->file_count,
                               lvl_table_at(doc->format->table, offsetof(lvl_levelpack, files))};
    } else {
        lvl_sketchy *d = doc->root;
        list = (lvl_file_list){&d->files, &d->file_count,
                               lvl_table_at(doc->format->table, offsetof(lvl_sketchy, files))};
    }
    return list;
}

static lvl_tree *tree_of(const lvl_container *c)
{
    return (lvl_tree *)(uintptr_t)c;
}

/* ---- the list ------------------------------------------------------------------------------------------------------------------------ */

typedef struct listed {
    lvl_text path;
    uint32_t index;
} listed;

static int by_path(const void *a, const void *b)
{
    const listed *x = a, *y = b;
    const size_t n = x->path.len < y->path.len ? x->path.len : y->path.len;
    int d = n ? memcmp(x->path.ptr, y->path.ptr, n) : 0;

    if (!d)
        d = (x->path.len > y->path.len) - (x->path.len < y->path.len);
    return d ? d : (x->index > y->index) - (x->index < y->index);
}

enum { DEEPEST = 32 };

/* Folders that the last path went through. */
typedef struct open_dirs {
    lvl_text names[DEEPEST];
    const char *shown[DEEPEST];
    uint32_t depth;
} open_dirs;

/* Adds one file below its folders, adding those that weren't open yet. */
static lvl_status add_file(lvl_tree *tree, open_dirs *dirs, lvl_text path, lvl_sketchy_file *file)
{
    const char *parent = "";
    uint32_t depth = 0;
    size_t from = 0;

    if (!path.len)
        return LVL_OK; /* nothing that a folder could show */
    for (size_t i = 0; i < path.len; i++) {
        if (path.ptr[i] != '/' || depth == DEEPEST)
            continue;
        const lvl_text name = {path.ptr + from, i - from};
        if (depth >= dirs->depth || !lvl_text_equal(dirs->names[depth], name)) {
            dirs->names[depth] = name;
            dirs->shown[depth] = lvl_tree_add(tree, parent, name, (lvl_text){NULL, 0}, true, 0, 0, NULL);
            dirs->depth = depth + 1;
            if (!dirs->shown[depth])
                return LVL_ERR_MEMORY;
        }
        parent = dirs->shown[depth++];
        from = i + 1;
    }
    dirs->depth = depth;
    const lvl_text name = {path.ptr + from, path.len - from};
    if (!name.len)
        return LVL_OK; /* a folder's own entry */
    return lvl_tree_add(tree, parent, name, (lvl_text){NULL, 0}, false, file->data.len, 0, file)
               ? LVL_OK
               : LVL_ERR_MEMORY;
}

static lvl_status fill(lvl_tree *tree)
{
    const lvl_file_list files = lvl_sketchy_files(tree->doc);
    listed *list = malloc(((size_t)*files.count + 1) * sizeof *list);
    open_dirs dirs = {.depth = 0};
    lvl_status status = LVL_OK;

    if (!list)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < *files.count; i++)
        list[i] = (listed){(*files.items)[i].path, i};
    qsort(list, *files.count, sizeof *list, by_path);
    for (uint32_t i = 0; i < *files.count && status == LVL_OK; i++)
        status = add_file(tree, &dirs, list[i].path, &(*files.items)[list[i].index]);
    free(list);
    /* a pack's index is no attachment, but whoever takes the pack apart wants it */
    if (status == LVL_OK && is_pack(tree->doc) &&
        !lvl_tree_add(tree, "", lvl_text_of(INDEX), (lvl_text){NULL, 0}, false,
                      ((const lvl_levelpack *)tree->doc->root)->json.len, 0, NULL))
        status = LVL_ERR_MEMORY;
    return status;
}

/* ---- reading ------------------------------------------------------------------------------------------------------------------------- */

static bool is_wallpaper(lvl_text path)
{
    static const char folder[] = "assets/wallpapers/";

    return path.len > sizeof folder - 1 && !memcmp(path.ptr, folder, sizeof folder - 1);
}

/* The picture that a wallpaper's base64 text says; leaves the bytes alone if it isn't such a text. */
static lvl_status unwrap(lvl_buffer *storage, lvl_bytes *view)
{
    lvl_text text = {(const char *)view->ptr, view->len};
    size_t size;

    while (text.len && (text.ptr[text.len - 1] == '\n' || text.ptr[text.len - 1] == '\r'))
        text.len--;
    if (!text.len || !lvl_base64_size(text, &size))
        return LVL_OK;
    uint8_t *plain = malloc(size + 1);
    if (!plain)
        return LVL_ERR_MEMORY;
    if (lvl_base64_decode(text, plain)) {
        storage->len = 0;
        lvl_buffer_add(storage, plain, size);
        *view = (lvl_bytes){storage->data, storage->len};
    }
    free(plain);
    return storage->status;
}

static lvl_status box_read(const lvl_container *c, const lvl_entry *entry, lvl_bytes *view,
                           lvl_buffer *storage)
{
    const lvl_tree *tree = tree_of(c);
    const lvl_sketchy_file *file = lvl_tree_item(entry);
    const lvl_field *data = lvl_table_at(&lvl_sketchy_file_table, offsetof(lvl_sketchy_file, data));

    if (!file && is_pack(tree->doc) && !entry->is_dir) {
        const lvl_status said =
            lvl_sketchy_write_json(tree->doc, ((const lvl_levelpack *)tree->doc->root)->json, true, storage);
        *view = (lvl_bytes){storage->data, storage->len};
        return said;
    }
    if (!file)
        return LVL_ERR_ARG;
    const lvl_status status = lvl_doc_bytes(tree->doc, file, data, storage, view);
    return status == LVL_OK && is_wallpaper(file->path) ? unwrap(storage, view) : status;
}

/* ---- editing ------------------------------------------------------------------------------------------------------------------------- */

static lvl_sketchy_file *find_file(const lvl_file_list *files, const char *path, uint32_t *index)
{
    for (uint32_t i = 0; i < *files->count; i++) {
        if (lvl_text_equal_nocase((*files->items)[i].path, lvl_text_of(path))) {
            *index = i;
            return &(*files->items)[i];
        }
    }
    return NULL;
}

static lvl_status edited(lvl_tree *tree)
{
    tree->stale = true;
    return LVL_OK;
}

/* A pack's index in place of the one it has. */
static lvl_status put_index(lvl_doc *doc, lvl_bytes bytes)
{
    lvl_levelpack *p = doc->root;
    lvl_json_reading reading = {.doc = doc};
    const lvl_text text = lvl_doc_text(doc, (lvl_text){(const char *)bytes.ptr, bytes.len});
    lvl_text rest;

    if (bytes.len && !text.ptr)
        return LVL_ERR_MEMORY;
    p->title = p->description = p->author = p->created = p->signature = (lvl_text){NULL, 0};
    p->levels = NULL;
    p->level_count = 0;
    p->free_levels = 0;
    return lvl_sketchy_read_document(&reading, text, &p->json, &rest);
}

static lvl_status box_put(lvl_container *c, const char *path, lvl_bytes bytes, int64_t time)
{
    lvl_tree *tree = tree_of(c);
    lvl_file_list files = lvl_sketchy_files(tree->doc);
    lvl_buffer wrapped = {0};
    uint32_t index;

    (void)time; /* the game's zips have none */
    if (!*path || !lvl_path_safe(path))
        return LVL_ERR_ARG;
    if (is_pack(tree->doc) && strcmp(path, INDEX) == 0) {
        const lvl_status status = put_index(tree->doc, bytes);
        return status == LVL_OK ? edited(tree) : status;
    }
    lvl_sketchy_file *file = find_file(&files, path, &index);
    if (!file) {
        index = *files.count;
        const lvl_status status = lvl_list_insert(tree->doc, tree->doc->root, files.field, index, 1);
        if (status != LVL_OK)
            return status;
        file = &(*files.items)[index];
        file->path = lvl_doc_text(tree->doc, lvl_text_of(path));
        if (!file->path.ptr)
            return LVL_ERR_MEMORY;
    }
    if (is_wallpaper(file->path) && bytes.len > 4 &&
        (bytes.ptr[0] == 0x89 || bytes.ptr[0] == 0xFF || bytes.ptr[0] == 'G')) {
        lvl_base64_encode(&wrapped, bytes); /* a picture: in the file it is text */
        bytes = (lvl_bytes){wrapped.data, wrapped.len};
    }
    uint8_t *copy = wrapped.status == LVL_OK ? lvl_arena_copy(&tree->doc->arena, bytes.ptr, bytes.len) : NULL;
    lvl_buffer_free(&wrapped);
    if (!copy)
        return LVL_ERR_MEMORY;
    file->data = (lvl_bytes){copy, bytes.len};
    return edited(tree);
}

static lvl_status box_make_dir(lvl_container *c, const char *path)
{
    (void)c;
    (void)path; /* zips of the game have no entries for folders: they are where files are */
    return LVL_OK;
}

static lvl_status box_remove(lvl_container *c, const char *path)
{
    lvl_tree *tree = tree_of(c);
    const lvl_file_list files = lvl_sketchy_files(tree->doc);
    const size_t n = strlen(path);
    uint32_t gone = 0;

    uint8_t *drop = calloc((size_t)*files.count + 1, 1);
    if (!drop)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < *files.count; i++) {
        const lvl_text p = (*files.items)[i].path;
        if (p.len >= n && lvl_text_equal_nocase((lvl_text){p.ptr, n}, lvl_text_of(path)) &&
            (p.len == n || p.ptr[n] == '/')) {
            drop[i] = 1;
            gone++;
        }
    }
    const lvl_status status =
        gone ? lvl_list_drop(tree->doc, tree->doc->root, files.field, drop) : LVL_ERR_MISSING;
    free(drop);
    return status == LVL_OK ? edited(tree) : status;
}

static lvl_status box_write(const lvl_container *c, lvl_buffer *out)
{
    return lvl_doc_write(tree_of(c)->doc, out);
}

/* A pack's index, where none is given: its levels by name. */
static lvl_status index_levels(lvl_doc *doc)
{
    static const char folder[] = "levels/";
    lvl_levelpack *p = doc->root;

    p->levels = lvl_arena_array(&doc->arena, (size_t)p->file_count + 1, sizeof *p->levels);
    if (!p->levels)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < p->file_count; i++) {
        const lvl_text path = p->files[i].path;
        const size_t head = sizeof folder - 1;
        if (path.len <= head || memcmp(path.ptr, folder, head) != 0)
            continue;
        lvl_levelpack_level *level = &p->levels[p->level_count++];
        level->filename = (lvl_text){path.ptr + head, path.len - head};
        const size_t ending = strlen(".level");
        level->title = level->filename;
        if (level->title.len > ending)
            level->title.len -= ending;
    }
    return LVL_OK;
}

static lvl_status box_pack(lvl_container *c, const lvl_pack_item *items, size_t count)
{
    lvl_tree *tree = tree_of(c);
    bool indexed = false;

    if (!is_pack(tree->doc))
        return LVL_ERR_UNSUPPORTED; /* a drawing isn't made of its attachments alone */
    for (size_t i = 0; i < count; i++) {
        lvl_status status = LVL_OK;
        if (items[i].is_dir)
            continue;
        indexed = indexed || strcmp(items[i].path, INDEX) == 0;
        status = box_put(c, items[i].path, items[i].bytes, 0);
        if (status != LVL_OK)
            return status;
    }
    return indexed ? LVL_OK : index_levels(tree->doc);
}

static const lvl_container_ops box_ops = {
    .count = lvl_tree_count,
    .at = lvl_tree_at,
    .find = lvl_tree_find,
    .list = lvl_tree_list,
    .read = box_read,
    .close = lvl_tree_close,
    .put = box_put,
    .make_dir = box_make_dir,
    .remove = box_remove,
    .write = box_write,
    .pack = box_pack,
};

lvl_status lvl_sketchy_open_container(lvl_doc *doc, lvl_container **out)
{
    return lvl_tree_new(doc, &box_ops, fill, out);
}
