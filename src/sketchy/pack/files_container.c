/*
 * sketchy/pack/files_container.c: the files of packs and drawings as a container: levels and doodads of a
 * pack, screenshots, wallpapers and embedded doodads of a drawing. Wallpapers are base64 text in the file;
 * the container has the pictures, with a picture's extension. A pack's index is updated when levels are added
 * or removed (sketchy/pack/index.c).
 */
#include "sketchy/pack/pack.h"

#include "base/format.h"
#include "base/hash.h"
#include "codec/json.h"
#include "container/container.h"
#include "sketchy/drawing/read.h"
#include "sketchy/look/pictures.h"
#include "sketchy/text/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INDEX "index.json"

static bool is_pack(const lvl_doc *doc)
{
    return doc->format->table == &lvl_levelpack_table;
}

static lvl_tree *tree_of(const lvl_container *c)
{
    return (lvl_tree *)(uintptr_t)c;
}

/* ---- wallpapers -------------------------------------------------------------------------------------- */

static const char wallpapers[] = "assets/wallpapers/", own_wallpaper[] = "assets/wallpapers/custom.b64img",
                  own_picture[] = "assets/wallpapers/custom.";

static bool is_wallpaper(lvl_text path)
{
    return path.len > sizeof wallpapers - 1 && lvl_text_begins(path, wallpapers);
}

/* The extension of a picture that the game accepts as a wallpaper; NULL: no such picture. */
static const char *picture_ending(lvl_bytes bytes)
{
    const char *kind = lvl_picture_kind(bytes);

    return !kind ? NULL : strcmp(kind, "PNG") == 0 ? "png" : strcmp(kind, "GIF") == 0 ? "gif" : "jpg";
}

static bool has_picture_ending(lvl_text name)
{
    static const char *const endings[] = {".png", ".jpg", ".jpeg", ".gif"};

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (lvl_text_has_ending(name, endings[i]))
            return true;
    }
    return false;
}

/* A file's bytes, of a wallpaper the picture. LVL_ERR_LOSS: only a part of them could be decoded. */
static lvl_status content_of(const lvl_doc *doc, const lvl_sketchy_file *file, lvl_buffer *storage,
                             lvl_bytes *view)
{
    const lvl_source *source = file->data.ptr ? NULL : lvl_sketchy_source(doc, file->source);
    bool sound = true;

    lvl_status status = source ? lvl_sketchy_source_bytes(doc, source, storage, view, &sound)
                               : lvl_sketchy_file_data(doc, file, storage, view);
    if (status == LVL_OK && is_wallpaper(file->path))
        status = lvl_sketchy_unwrap_picture(storage, view);
    return status == LVL_OK && !sound ? LVL_ERR_LOSS : status;
}

/* ---- the list ---------------------------------------------------------------------------------------- */

enum { DEEPEST = 32 };

/* The folders of the last path that was added. */
typedef struct open_dirs {
    lvl_text names[DEEPEST];
    const char *shown[DEEPEST];
    uint32_t depth;
} open_dirs;

/* Whether a path of the archive can be created below a folder. */
static bool is_plain(lvl_text path)
{
    char text[512];

    if (path.len >= sizeof text || memchr(path.ptr, 0, path.len) || memchr(path.ptr, '\\', path.len))
        return false;
    memcpy(text, path.ptr, path.len);
    text[path.len] = 0;
    return lvl_path_safe(text);
}

/* Adds a file whose path leaves the folder or is not portable, under the whole path as its name: it cannot be
 * created. */
static lvl_status add_odd(lvl_tree *tree, lvl_text path, lvl_sketchy_file *file)
{
    lvl_buffer utf8 = {0};

    lvl_tree_put_shown(&utf8, LVL_CP_UTF8, path, true); /* broken bytes become U+FFFD */
    lvl_buffer_u8(&utf8, 0);
    const char *shown = utf8.status == LVL_OK ? lvl_arena_copy(&tree->arena, utf8.data, utf8.len) : NULL;
    lvl_buffer_free(&utf8);
    if (!shown || !lvl_tree_add(tree, "", path, (lvl_text){NULL, 0}, false, file->data.len, 0, file))
        return LVL_ERR_MEMORY;
    lvl_entry *entry = &tree->nodes[tree->count - 1].entry;
    entry->path = shown;
    entry->safe = false;
    return LVL_OK;
}

/* Adds one file below its folders, and the folders that are new. */
static lvl_status add_file(lvl_tree *tree, open_dirs *dirs, lvl_text path, uint64_t size,
                           lvl_sketchy_file *file)
{
    const char *parent = "";
    uint32_t depth = 0;
    size_t from = 0;

    if (!path.len)
        return LVL_OK; /* no name to list */
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
    return lvl_tree_add(tree, parent, name, (lvl_text){NULL, 0}, false, size, 0, file) ? LVL_OK
                                                                                       : LVL_ERR_MEMORY;
}

static bool has_path(const lvl_file_list *files, lvl_text path)
{
    for (uint32_t i = 0; i < *files->count; i++) {
        if (lvl_text_equal_nocase((*files->items)[i].path, path))
            return true;
    }
    return false;
}

/* The path that a wallpaper is listed under: "custom.png" for "custom.b64img" with a PNG in it,
 * "custom.b64img.png" if the other exists, too. */
static lvl_status picture_name(lvl_tree *tree, const lvl_file_list *files, lvl_text *path, const char *ending)
{
    const size_t size = path->len + 8;
    size_t stem = path->len;

    for (size_t i = path->len; i > sizeof wallpapers && path->ptr[i - 1] != '/'; i--) {
        if (path->ptr[i - 1] == '.') {
            stem = i - 1;
            break;
        }
    }
    char *name = lvl_arena_raw(&tree->arena, size);
    if (!name)
        return LVL_ERR_MEMORY;
    for (int pass = 0; pass < 2; pass++) {
        const int n = snprintf(name, size, "%.*s.%s", (int)(pass ? path->len : stem), path->ptr, ending);
        const lvl_text made = {name, n > 0 ? (size_t)n : 0};
        if (has_path(files, made))
            continue;
        *path = made;
        break;
    }
    return LVL_OK;
}

/* The path that a file is listed under, and its size. */
static lvl_status shown_path(lvl_tree *tree, const lvl_file_list *files, const lvl_sketchy_file *file,
                             lvl_text *path, uint64_t *size)
{
    lvl_buffer storage = {0};
    lvl_bytes view;

    *path = file->path;
    *size = file->data.len;
    const lvl_source *source = file->data.ptr ? NULL : lvl_sketchy_source(tree->doc, file->source);
    size_t exact;
    if (source && source->kind == LVL_SOURCE_BASE64 && lvl_base64_size(source->text, &exact))
        *size = exact;
    if (source && source->kind == LVL_SOURCE_MEMBER && !source->member.size &&
        (source->member.faults & LVL_ZIP_CUT))
        *size = 0; /* the file ends before the size, which follows the data */
    if (is_pack(tree->doc) || !is_wallpaper(file->path) || !is_plain(file->path))
        return LVL_OK;
    lvl_status status = content_of(tree->doc, file, &storage, &view);
    const char *ending = status == LVL_OK || status == LVL_ERR_LOSS ? picture_ending(view) : NULL;
    if (ending) {
        *size = view.len;
        if (!has_picture_ending(file->path))
            status = picture_name(tree, files, path, ending);
    }
    lvl_buffer_free(&storage);
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}

static lvl_status fill(lvl_tree *tree)
{
    const lvl_file_list files = lvl_sketchy_files(tree->doc);
    open_dirs dirs = {.depth = 0};
    lvl_names paths;
    lvl_status status = lvl_names_of(&paths, *files.items, *files.count, sizeof **files.items,
                                     offsetof(lvl_sketchy_file, path));

    for (uint32_t i = 0; i < *files.count && status == LVL_OK; i++) {
        lvl_sketchy_file *file = &(*files.items)[paths.list[i].index];
        const lvl_text real = file->path;
        const bool folder = real.len && real.ptr[real.len - 1] == '/';
        lvl_text path;
        uint64_t size;
        status = shown_path(tree, &files, file, &path, &size);
        if (status != LVL_OK)
            break;
        status = real.len && !folder && !is_plain(real) ? add_odd(tree, path, file)
                                                        : add_file(tree, &dirs, path, size, file);
    }
    lvl_names_free(&paths);
    /* a pack's index is not an attached file, but is extracted as well */
    if (status == LVL_OK && is_pack(tree->doc) &&
        !lvl_tree_add(tree, "", lvl_text_of(INDEX), (lvl_text){NULL, 0}, false,
                      ((const lvl_levelpack *)tree->doc->root)->json.len, 0, NULL))
        status = LVL_ERR_MEMORY;
    return status;
}

/* ---- reading ----------------------------------------------------------------------------------------- */

static lvl_status container_read(const lvl_container *c, const lvl_entry *entry, lvl_bytes *view,
                                 lvl_buffer *storage)
{
    const lvl_tree *tree = tree_of(c);
    const lvl_sketchy_file *file = lvl_tree_item(entry);

    if (!file && is_pack(tree->doc) && !entry->is_dir) {
        const lvl_status said =
            lvl_sketchy_write_json(tree->doc, ((const lvl_levelpack *)tree->doc->root)->json, true, storage);
        *view = (lvl_bytes){storage->data, storage->len};
        return said;
    }
    return file ? content_of(tree->doc, file, storage, view) : LVL_ERR_ARG;
}

/* ---- editing ----------------------------------------------------------------------------------------- */

/* Replaces a pack's index. Levels that the new one does not have are appended: an index that was extracted
 * before levels were added must not lose them. */
static lvl_status put_index(lvl_doc *doc, lvl_bytes bytes)
{
    lvl_levelpack *p = doc->root;
    const lvl_levelpack was = *p;
    lvl_json_reading reading = {.doc = doc};
    const lvl_text text = lvl_doc_text(doc, (lvl_text){(const char *)bytes.ptr, bytes.len});
    lvl_text rest;

    if (bytes.len && !text.ptr)
        return LVL_ERR_MEMORY;
    p->title = p->description = p->author = p->created = p->signature = (lvl_text){NULL, 0};
    p->levels = NULL;
    p->level_count = 0;
    p->free_levels = 0;
    lvl_status status = lvl_sketchy_read_document(&reading, text, &p->json, &rest);
    if (status == LVL_OK)
        status = lvl_levelpack_list_missing(doc);
    if (status != LVL_OK)
        *p = was;
    return status;
}

/* Whether a new file may have this path. A drawing's attached files are in assets/; the rest of its zip are
 * chunks and the document. */
static bool can_add(const lvl_doc *doc, const char *path)
{
    return *path && lvl_path_safe(path) && !strchr(path, '\\') &&
           (is_pack(doc) || lvl_text_begins(lvl_text_of(path), "assets/"));
}

/* The path of a new file in the archive: the game's editor has one fixed name for a custom wallpaper; levels
 * and doodads go to their folders. */
static lvl_status new_path(lvl_doc *doc, const char *path, lvl_bytes bytes, lvl_text *out)
{
    const lvl_text given = lvl_text_of(path);
    char *made = NULL;

    if (is_pack(doc)) {
        const char *folder = lvl_levelpack_folder(given);
        const size_t size = given.len + 16;
        if (folder && (made = lvl_arena_raw(&doc->arena, size)) != NULL)
            snprintf(made, size, "%s%s", folder, path);
        *out = folder ? lvl_text_of(made ? made : "") : lvl_doc_text(doc, given);
    } else {
        const bool own = lvl_text_begins(given, own_picture) && has_picture_ending(given) &&
                         !strchr(path + sizeof own_picture - 1, '.') && picture_ending(bytes);
        *out = lvl_doc_text(doc, own ? lvl_text_of(own_wallpaper) : given);
    }
    return out->ptr && out->len ? LVL_OK : LVL_ERR_MEMORY;
}

/* The content to store for a file: a wallpaper that is a picture becomes base64, in the document's memory. */
static lvl_status store_content(lvl_doc *doc, lvl_text path, lvl_bytes bytes, lvl_bytes *out)
{
    lvl_buffer wrapped = {0};

    *out = bytes.ptr ? bytes : (lvl_bytes){(const uint8_t *)"", 0}; /* NULL would be the source's content */
    if (is_pack(doc) || !is_wallpaper(path) || !picture_ending(bytes))
        return LVL_OK;
    lvl_base64_encode(&wrapped, bytes);
    *out = (lvl_bytes){NULL, wrapped.len};
    if (wrapped.status == LVL_OK)
        out->ptr = lvl_arena_copy(&doc->arena, wrapped.data, wrapped.len);
    lvl_buffer_free(&wrapped);
    return out->ptr ? LVL_OK : LVL_ERR_MEMORY;
}

/* The files of a document by their paths, while files are put into it. */
typedef struct putting {
    lvl_tree *tree;
    lvl_hash known; /* indices of files */
    lvl_hash added; /* of those that were added, without regard to case */
    uint32_t first; /* the first of these */
    lvl_names listed; /* of a pack: the names in its index, besides those that were appended */
} putting;

static lvl_sketchy_file *find_known(const putting *p, lvl_text path)
{
    lvl_sketchy_file *files = *lvl_sketchy_files(p->tree->doc).items;
    const uint64_t hash = lvl_hash_bytes(&p->known.seed, path.ptr, path.len);

    for (lvl_hash_at at = lvl_hash_first(&p->known, hash); at.found; at = lvl_hash_next(&p->known, at)) {
        if (lvl_text_equal(files[at.index].path, path))
            return &files[at.index];
    }
    return NULL;
}

/* Of several files with one path the first is noted. */
static lvl_status note_path(putting *p, uint32_t index)
{
    const lvl_text path = (*lvl_sketchy_files(p->tree->doc).items)[index].path;
    lvl_status status = LVL_OK;

    if (!find_known(p, path))
        status = lvl_hash_add(&p->known, lvl_hash_bytes(&p->known.seed, path.ptr, path.len), index);
    if (status == LVL_OK && index >= p->first)
        status = lvl_hash_add(&p->added, lvl_hash_nocase(&p->added.seed, path), index);
    return status;
}

/* The file of exactly that path, or one that was added under a path that differs in case only; or NULL. */
static lvl_sketchy_file *find_put(const putting *p, lvl_text path)
{
    lvl_sketchy_file *files = *lvl_sketchy_files(p->tree->doc).items, *file = find_known(p, path);
    const uint64_t hash = lvl_hash_nocase(&p->added.seed, path);

    for (lvl_hash_at at = lvl_hash_first(&p->added, hash); at.found && !file;
         at = lvl_hash_next(&p->added, at)) {
        if (lvl_text_equal_nocase(files[at.index].path, path))
            file = &files[at.index];
    }
    return file;
}

/* Replaces the content of a file; a pack's index follows a level's title, author and uuid. */
static lvl_status replace(const putting *p, lvl_sketchy_file *file, lvl_bytes bytes)
{
    lvl_doc *doc = p->tree->doc;
    lvl_levelpack_level before = {.filename = {NULL, 0}};
    lvl_status status = LVL_OK;
    lvl_bytes data;

    if (is_pack(doc))
        before.filename = lvl_path_below(file->path, LVL_PACK_LEVELS);
    if (before.filename.len)
        status = lvl_levelpack_describe(doc, file, &before);
    if (status == LVL_OK)
        status = store_content(doc, file->path, bytes, &data);
    if (status == LVL_OK)
        file->data = data;
    return status == LVL_OK && before.filename.len ? lvl_levelpack_follow(doc, file, &before, &p->listed)
                                                   : status;
}

/* `entry`: of that path, before any file was put; NULL: none. `index`: of its file. */
static lvl_status put_file(putting *p, const lvl_pack_item *item, const lvl_entry *entry, uint32_t index)
{
    lvl_doc *doc = p->tree->doc;
    const lvl_file_list files = lvl_sketchy_files(doc);
    lvl_sketchy_file *file = entry ? &(*files.items)[index] : NULL;
    lvl_status status = LVL_OK;
    lvl_bytes data;
    lvl_text name;

    if ((entry && entry->is_dir) || (!entry && !can_add(doc, item->path)))
        return LVL_ERR_ARG;
    if (is_pack(doc) && strcmp(item->path, INDEX) == 0) {
        status = put_index(doc, item->bytes);
        lvl_names_free(&p->listed);
        p->listed = (lvl_names){NULL, 0};
        return status == LVL_OK ? lvl_levelpack_listed(doc, &p->listed) : status;
    }
    if (!file)
        status = new_path(doc, item->path, item->bytes, &name);
    if (!file && status == LVL_OK)
        file = find_put(p, name);
    if (file || status != LVL_OK)
        return file ? replace(p, file, item->bytes) : status;
    status = store_content(doc, name, item->bytes, &data);
    if (status == LVL_OK)
        status = lvl_sketchy_add_file(doc, name, data);
    if (status == LVL_OK)
        status = note_path(p, *files.count - 1);
    return status == LVL_OK && is_pack(doc)
               ? lvl_levelpack_list(doc, &(*files.items)[*files.count - 1], &p->listed)
               : status;
}

static lvl_status container_put_all(lvl_container *c, const lvl_pack_item *items, size_t count, size_t *done)
{
    putting p = {.tree = tree_of(c)};
    const lvl_ctx *ctx = p.tree->doc->ctx;
    const lvl_file_list files = lvl_sketchy_files(p.tree->doc);
    lvl_status status = LVL_OK;

    *done = 0;
    lvl_hash_init(&p.known);
    lvl_hash_init(&p.added);
    lvl_tree_count(c); /* lists the entries, if they changed */
    p.first = *files.count;
    uint32_t *indices = count < SIZE_MAX / 4 ? lvl_mem_alloc(ctx, (count + 1) * sizeof *indices) : NULL;
    for (size_t i = 0; i < count && indices; i++) { /* files move when others are added */
        const lvl_entry *entry = lvl_tree_find(c, items[i].path);
        const lvl_sketchy_file *file = entry ? lvl_tree_item(entry) : NULL;
        indices[i] = file ? (uint32_t)(file - *files.items) : 0;
    }
    for (uint32_t i = 0; i < p.first && status == LVL_OK; i++)
        status = note_path(&p, i);
    if (status == LVL_OK && is_pack(p.tree->doc))
        status = lvl_levelpack_listed(p.tree->doc, &p.listed);
    if (!indices)
        status = LVL_ERR_MEMORY;
    for (; *done < count && status == LVL_OK; *done += status == LVL_OK) {
        if (!items[*done].is_dir)
            status = put_file(&p, &items[*done], lvl_tree_find(c, items[*done].path), indices[*done]);
    }
    lvl_mem_free(ctx, indices);
    lvl_hash_free(&p.known);
    lvl_hash_free(&p.added);
    lvl_names_free(&p.listed);
    p.tree->stale = true;
    return status;
}

static lvl_status container_put(lvl_container *c, const char *path, lvl_bytes bytes, int64_t time)
{
    lvl_arena *arena = &tree_of(c)->doc->arena;
    const lvl_pack_item item = {path, {lvl_arena_copy(arena, bytes.ptr, bytes.len), bytes.len}, time, false};
    size_t done; /* the time is ignored: the game's zips have none */

    return item.bytes.ptr ? container_put_all(c, &item, 1, &done) : lvl_arena_status(arena, LVL_ERR_MEMORY);
}

static lvl_status container_place(const lvl_container *c, const char *path, lvl_bytes bytes, lvl_buffer *out)
{
    lvl_tree *tree = tree_of(c);
    const lvl_entry *entry = lvl_tree_find(c, path);
    lvl_text name;

    if (!entry) {
        if (!can_add(tree->doc, path))
            return LVL_ERR_ARG;
        const lvl_status status = new_path(tree->doc, path, bytes, &name);
        if (status != LVL_OK)
            return status;
        /* it may exist under its path in the archive */
        for (size_t i = 0; i < tree->count && !entry; i++) {
            const lvl_sketchy_file *file = lvl_tree_item(&tree->nodes[i].entry);
            if (file && lvl_text_equal(file->path, name))
                entry = &tree->nodes[i].entry;
        }
    }
    if (entry)
        lvl_buffer_str(out, entry->path);
    else
        lvl_buffer_add(out, name.ptr, name.len);
    lvl_buffer_u8(out, 0);
    return out->status;
}

/* The index of the given path that is `path` or a folder above it; LVL_NO_INDEX: none. */
static uint32_t find_given(const lvl_hash *given, const char *const *paths, const char *path)
{
    size_t len = 0;

    do {
        len += strcspn(path + len, "/");
        const lvl_text part = {path, len};
        for (lvl_hash_at at = lvl_hash_first(given, lvl_hash_bytes(&given->seed, path, len)); at.found;
             at = lvl_hash_next(given, at)) {
            if (lvl_text_equal(part, lvl_text_of(paths[at.index])))
                return at.index;
        }
    } while (path[len++]);
    return LVL_NO_INDEX;
}

/* Marks the files at or below the paths in `drop`, and in `used` the paths that lead to any. */
static lvl_status mark_files(lvl_tree *tree, const char *const *paths, size_t count, uint8_t *drop,
                             uint8_t *used)
{
    const lvl_file_list files = lvl_sketchy_files(tree->doc);
    const size_t entries = lvl_tree_count(&tree->base);
    lvl_status status = LVL_OK;
    lvl_hash given;

    lvl_hash_init(&given);
    for (size_t i = 0; i < count && status == LVL_OK; i++) {
        if (find_given(&given, paths, paths[i]) == LVL_NO_INDEX)
            status =
                lvl_hash_add(&given, lvl_hash_bytes(&given.seed, paths[i], strlen(paths[i])), (uint32_t)i);
        else
            used[i] = 1; /* removed with the other path */
    }
    for (size_t i = 0; i < entries && status == LVL_OK; i++) {
        const lvl_entry *entry = &tree->nodes[i].entry;
        const lvl_sketchy_file *file = lvl_tree_item(entry);
        const uint32_t at = file ? find_given(&given, paths, entry->path) : LVL_NO_INDEX;
        if (at != LVL_NO_INDEX)
            drop[file - *files.items] = used[at] = 1;
    }
    lvl_hash_free(&given);
    return status;
}

static lvl_status container_remove_all(lvl_container *c, const char *const *paths, size_t count,
                                       size_t *failed)
{
    lvl_tree *tree = tree_of(c);
    lvl_doc *doc = tree->doc;
    const lvl_file_list files = lvl_sketchy_files(doc);

    for (size_t i = 0; i < count && is_pack(doc); i++) {
        *failed = i;
        if (strcmp(paths[i], INDEX) == 0)
            return LVL_ERR_UNSUPPORTED; /* every pack has one */
    }
    *failed = 0;
    uint8_t *drop = calloc((size_t)*files.count + 1, 1),
            *used = count < UINT32_MAX ? calloc(count + 1, 1) : NULL;
    const char **names = used ? calloc(count + 1, sizeof *names) : NULL;
    lvl_status status = drop && names ? LVL_OK : LVL_ERR_MEMORY;
    for (size_t i = 0; i < count && status == LVL_OK; i++) {
        /* in any case, but of two that differ in it the one that is meant */
        const lvl_entry *entry = lvl_tree_find(c, paths[i]);
        names[i] = entry ? entry->path : paths[i];
    }
    if (status == LVL_OK)
        status = mark_files(tree, names, count, drop, used);
    for (size_t i = 0; i < count && status == LVL_OK; i++) {
        *failed = i;
        status = used[i] ? LVL_OK : LVL_ERR_MISSING;
    }
    if (status == LVL_OK && is_pack(doc))
        status = lvl_levelpack_unlist(doc, drop);
    if (status == LVL_OK)
        status = lvl_list_drop(doc, doc->root, files.field, drop);
    free(drop);
    free(used);
    free((void *)names);
    tree->stale = true;
    return status;
}

static lvl_status container_write(const lvl_container *c, lvl_buffer *out)
{
    return lvl_doc_write(tree_of(c)->doc, out);
}

static lvl_status container_pack(lvl_container *c, const lvl_pack_item *items, size_t count)
{
    lvl_tree *tree = tree_of(c);
    lvl_doc *doc = tree->doc;
    lvl_status status = LVL_OK;
    putting p = {.tree = tree};

    if (!is_pack(doc))
        return LVL_ERR_UNSUPPORTED; /* a drawing is more than its attached files */
    const lvl_file_list files = lvl_sketchy_files(doc);
    *files.items = lvl_arena_array(&doc->arena, count + 1, sizeof **files.items);
    if (!*files.items)
        return LVL_ERR_MEMORY;
    lvl_hash_init(&p.known);
    lvl_hash_init(&p.added);
    p.first = UINT32_MAX; /* names that differ in case only are different files */
    for (size_t i = 0; i < count && status == LVL_OK; i++) {
        lvl_sketchy_file *file = &(*files.items)[*files.count];
        if (items[i].is_dir)
            continue;
        if (strcmp(items[i].path, INDEX) == 0) {
            status = put_index(doc, items[i].bytes);
            continue;
        }
        status = new_path(doc, items[i].path, items[i].bytes, &file->path);
        if (status == LVL_OK && find_put(&p, file->path))
            status = LVL_ERR_ARG; /* given both with and without its folder */
        if (status == LVL_OK) {
            file->data = items[i].bytes;
            status = note_path(&p, (*files.count)++);
        }
    }
    lvl_hash_free(&p.known);
    lvl_hash_free(&p.added);
    tree->stale = true;
    return status == LVL_OK ? lvl_levelpack_complete(doc) : status;
}

static lvl_status container_dedupe(lvl_container *c, lvl_findings *log)
{
    lvl_tree *tree = tree_of(c);

    tree->stale = true;
    return is_pack(tree->doc) ? lvl_levelpack_dedupe(tree->doc, log) : LVL_ERR_UNSUPPORTED;
}

static const lvl_container_ops container_ops = {
    .count = lvl_tree_count,
    .at = lvl_tree_at,
    .find = lvl_tree_find,
    .list = lvl_tree_list,
    .read = container_read,
    .close = lvl_tree_close,
    .put = container_put,
    .put_all = container_put_all,
    .remove_all = container_remove_all,
    .write = container_write,
    .pack = container_pack,
    .place = container_place,
    .dedupe = container_dedupe,
};

lvl_status lvl_sketchy_open_container(lvl_doc *doc, lvl_container **out)
{
    return lvl_tree_new(doc, &container_ops, fill, out);
}
