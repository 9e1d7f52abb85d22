/*
 * wap32/rez/container.c: REZ as a container: listing, editing, packing.
 */
#include "wap32/rez/rez.h"

#include "base/format.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/work.h"
#include "container/container.h"

#include <stdlib.h>
#include <string.h>

static lvl_tree *tree_of(const lvl_container *c)
{
    return (lvl_tree *)(uintptr_t)c;
}

/* ---- listing ------------------------------------------------------------------------------------------- */

static lvl_status fill_entries(lvl_tree *tree, const char *parent, lvl_rez_dir dir)
{
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < *dir.count && status == LVL_OK; i++) {
        lvl_rez_entry *e = &(*dir.entries)[i];
        const bool is_dir = e->kind == LVL_REZ_DIR;
        const uint64_t size = is_dir ? 0 : e->data.len < e->size ? e->size : e->data.len;
        const char *path = lvl_tree_add(tree, parent, e->name, is_dir ? (lvl_text){NULL, 0} : e->type, is_dir,
                                        size, e->time, e);
        if (!path)
            return LVL_ERR_MEMORY;
        if (is_dir)
            status = fill_entries(tree, path, lvl_rez_dir_of(e));
    }
    return status;
}

static lvl_status fill(lvl_tree *tree)
{
    return fill_entries(tree, "", lvl_rez_root(tree->doc->root));
}

static lvl_status container_read(const lvl_container *c, const lvl_entry *entry, lvl_bytes *view,
                                 lvl_buffer *storage)
{
    const lvl_rez_entry *e = lvl_tree_item(entry);

    (void)c;
    (void)storage;
    *view = e->data;
    return e->data.len < e->size ? LVL_ERR_LOSS : LVL_OK; /* the rest is outside the archive */
}

/* ---- editing ------------------------------------------------------------------------------------------- */

/* Converts a name to the archive's code page and upper case (ASCII only), as the games look it up. */
static lvl_status stored_name(lvl_doc *doc, lvl_text shown, lvl_text *out)
{
    lvl_status status = LVL_ERR_ARG;
    lvl_buffer buf = {0};
    uint32_t bad;

    if (lvl_text_from_utf8(&buf, doc->codepage, shown, &bad) && buf.len && !memchr(buf.data, 0, buf.len)) {
        for (size_t i = 0; i < buf.len; i++)
            buf.data[i] = (uint8_t)lvl_upper((char)buf.data[i]);
        *out = lvl_doc_text(doc, (lvl_text){(const char *)buf.data, buf.len});
        status = out->ptr ? LVL_OK : LVL_ERR_MEMORY;
    } else if (buf.status != LVL_OK) {
        status = buf.status;
    }
    lvl_buffer_free(&buf);
    return status;
}

/* Splits a file's name; an extension of more than four characters remains part of the name. */
static void split_name(lvl_text whole, lvl_text *name, lvl_text *type)
{
    *name = whole;
    *type = (lvl_text){NULL, 0};
    for (size_t n = 1; n <= 4 && n + 1 < whole.len; n++) {
        const size_t dot = whole.len - n - 1;
        if (whole.ptr[dot] == '.') {
            *name = (lvl_text){whole.ptr, dot};
            *type = (lvl_text){whole.ptr + dot + 1, n};
            return;
        }
    }
}

struct adding {
    lvl_tree *tree;
    bool packing; /* paths come sorted: an entry that exists is the last in its directory */
    bool added; /* result: find_or_add has added the entry */
    /* Not when packing: indices of entries in their directories, by the names in their paths. Entries that
     * are found are compared, so that a directory may move. */
    lvl_hash known;
};

static uint64_t hash_of(const struct adding *a, uint64_t parent, uint32_t kind, lvl_text name, lvl_text type)
{
    const lvl_hash_seed *seed = &a->known.seed;
    const uint64_t hash = lvl_hash_mix(seed, parent ^ kind, lvl_hash_nocase(seed, name));

    return lvl_hash_mix(seed, hash, lvl_hash_nocase(seed, type));
}

/* Lists the entries below a directory; raises *id to the highest of their numbers. */
static lvl_status list_known(struct adding *a, lvl_rez_dir dir, uint64_t parent, uint32_t *id)
{
    lvl_status status = lvl_charge(a->tree->doc->ctx, 16 * (uint64_t)*dir.count);

    for (uint32_t i = 0; i < *dir.count && status == LVL_OK; i++) {
        lvl_rez_entry *e = &(*dir.entries)[i];
        const lvl_text type = e->kind == LVL_REZ_DIR ? (lvl_text){NULL, 0} : e->type;
        const uint64_t hash = hash_of(a, parent, e->kind, e->name, type);
        status = lvl_hash_add(&a->known, hash, i);
        if (e->kind != LVL_REZ_DIR)
            *id = e->id > *id ? e->id : *id;
        else if (status == LVL_OK)
            status = list_known(a, lvl_rez_dir_of(e), hash, id);
    }
    return status;
}

static bool is_entry(const lvl_rez_entry *e, uint32_t kind, lvl_text name, lvl_text type)
{
    return e->kind == kind && lvl_text_equal_nocase(e->name, name) && lvl_text_equal_nocase(e->type, type);
}

/* The index of the first entry with that name in a directory, or `count`. */
static uint32_t find_known(const struct adding *a, const lvl_rez_dir *dir, uint64_t hash, uint32_t kind,
                           lvl_text name, lvl_text type)
{
    uint32_t first = *dir->count;

    for (lvl_hash_at at = lvl_hash_first(&a->known, hash); at.found; at = lvl_hash_next(&a->known, at)) {
        if (at.index < first && is_entry(&(*dir->entries)[at.index], kind, name, type))
            first = at.index;
    }
    return first;
}

/* Sets *out to the entry with that name, which is added if it does not exist; *place (unless packing) is the
 * hash of the directory and becomes that of the entry. For a directory, `whole` is the name. A new file must
 * not have the name of a directory, and vice versa: it would have no path. */
static lvl_status find_or_add(struct adding *a, const lvl_rez_dir *dir, uint32_t kind, lvl_text whole,
                              uint64_t *place, lvl_rez_entry **out)
{
    const uint32_t count = *dir->count;
    lvl_text names[2] = {whole, whole}, types[2] = {{NULL, 0}, {NULL, 0}}; /* for a file, for a directory */

    split_name(whole, &names[LVL_REZ_FILE], &types[LVL_REZ_FILE]);
    a->added = false;
    if (a->packing && count) {
        *out = &(*dir->entries)[count - 1];
        if (is_entry(*out, (*out)->kind, names[(*out)->kind], types[(*out)->kind]))
            return (*out)->kind == kind ? LVL_OK : LVL_ERR_ARG;
    }
    if (!a->packing) {
        const uint64_t parent = *place;
        *place = hash_of(a, parent, kind, names[kind], types[kind]);
        const uint32_t at = find_known(a, dir, *place, kind, names[kind], types[kind]);
        *out = at < count ? &(*dir->entries)[at] : NULL;
        if (*out)
            return LVL_OK;
        const uint32_t other = kind == LVL_REZ_DIR ? LVL_REZ_FILE : LVL_REZ_DIR;
        if (find_known(a, dir, hash_of(a, parent, other, names[other], types[other]), other, names[other],
                       types[other]) < count)
            return LVL_ERR_ARG;
    }
    lvl_status status = lvl_list_insert(a->tree->doc, dir->record, dir->list, count, 1);
    if (status == LVL_OK && !a->packing)
        status = lvl_hash_add(&a->known, *place, count);
    if (status != LVL_OK)
        return status;
    *out = &(*dir->entries)[count];
    (*out)->kind = kind;
    (*out)->name = names[kind];
    (*out)->type = types[kind];
    a->added = true;
    return LVL_OK;
}

/* Sets *out to the entry at `path`, adding it and the directories above it if they do not exist. A directory
 * in a new archive gets the time of its latest entry. */
static lvl_status enter(struct adding *a, const char *path, uint32_t kind, uint32_t time, lvl_rez_entry **out)
{
    lvl_doc *doc = a->tree->doc;
    const uint32_t most = lvl_limits_of(doc->ctx).depth;
    lvl_rez_dir dir = lvl_rez_root(doc->root);
    lvl_status status = lvl_path_safe(path) && *path ? LVL_OK : LVL_ERR_ARG;
    uint64_t place = 0;

    for (uint32_t depth = 0; status == LVL_OK && *path; depth++) {
        const lvl_text part = lvl_path_part(path, &path);
        lvl_text name;
        if (a->packing && depth >= most)
            return lvl_refuse(doc->ctx, LVL_LIMIT_DEPTH, most, depth + 1);
        status = stored_name(doc, part, &name);
        if (status == LVL_OK)
            status = find_or_add(a, &dir, *path ? LVL_REZ_DIR : kind, name, &place, out);
        if (status != LVL_OK)
            return status;
        if (a->packing && time > (*out)->time)
            (*out)->time = time;
        dir = lvl_rez_dir_of(*out);
    }
    return status;
}

static lvl_status mark_edited(lvl_tree *tree)
{
    tree->stale = true;
    return lvl_doc_recompute_derived(tree->doc);
}

/* Sets or adds a file; *id: the highest number of a file. */
static lvl_status put_file(struct adding *a, const lvl_pack_item *item, uint32_t *id)
{
    lvl_rez_entry *e = NULL;

    if (item->bytes.len > UINT32_MAX)
        return LVL_ERR_ARG;
    const lvl_status status = enter(a, item->path, LVL_REZ_FILE, 0, &e);
    if (status != LVL_OK)
        return status;
    if (a->added)
        e->id = ++*id;
    e->data = item->bytes;
    if (item->time)
        e->time = (uint32_t)item->time;
    return LVL_OK;
}

static lvl_status container_put_all(lvl_container *c, const lvl_pack_item *items, size_t count, size_t *done)
{
    lvl_tree *tree = tree_of(c);
    struct adding a = {.tree = tree};
    uint32_t id = 0;

    *done = 0;
    lvl_hash_init(&a.known);
    lvl_status status = list_known(&a, lvl_rez_root(tree->doc->root), 0, &id);
    for (; *done < count && status == LVL_OK; *done += status == LVL_OK) {
        if (!items[*done].is_dir)
            status = put_file(&a, &items[*done], &id);
    }
    lvl_hash_free(&a.known);
    const lvl_status derived = mark_edited(tree); /* also for the files before an error */
    return status == LVL_OK ? derived : status;
}

static lvl_status container_put(lvl_container *c, const char *path, lvl_bytes bytes, int64_t time)
{
    lvl_arena *arena = &tree_of(c)->doc->arena;
    const lvl_pack_item item = {path, {lvl_arena_copy(arena, bytes.ptr, bytes.len), bytes.len}, time, false};
    size_t done;

    return item.bytes.ptr ? container_put_all(c, &item, 1, &done) : lvl_arena_status(arena, LVL_ERR_MEMORY);
}

static int by_address(const void *a, const void *b)
{
    const lvl_rez_entry *x = *(lvl_rez_entry *const *)a, *y = *(lvl_rez_entry *const *)b;

    return (x > y) - (x < y);
}

/* Removes the entries, sorted by address, from the directory and the directories below it. */
static lvl_status remove_entries(lvl_doc *doc, lvl_rez_dir dir, lvl_rez_entry *const *gone, size_t count)
{
    uint8_t *drop = calloc((size_t)*dir.count + 1, 1);
    lvl_status status = drop ? lvl_charge(doc->ctx, *dir.count) : LVL_ERR_MEMORY;

    for (uint32_t i = 0; i < *dir.count && status == LVL_OK; i++) {
        lvl_rez_entry *e = &(*dir.entries)[i];
        drop[i] = bsearch(&e, gone, count, sizeof *gone, by_address) != NULL;
        if (e->kind == LVL_REZ_DIR && !drop[i])
            status = remove_entries(doc, lvl_rez_dir_of(e), gone, count);
    }
    if (status == LVL_OK)
        status = lvl_list_drop(doc, dir.record, dir.list, drop);
    free(drop);
    return status;
}

static lvl_status container_remove_all(lvl_container *c, const char *const *paths, size_t count,
                                       size_t *failed)
{
    lvl_tree *tree = tree_of(c);
    lvl_rez_entry **gone = count < SIZE_MAX / sizeof *gone ? malloc((count + 1) * sizeof *gone) : NULL;
    lvl_status status = gone ? LVL_OK : LVL_ERR_MEMORY;

    for (size_t i = 0; i < count && status == LVL_OK; i++) {
        const lvl_entry *entry = lvl_tree_find(c, paths[i]);
        *failed = i;
        if (!entry)
            status = LVL_ERR_MISSING;
        else
            gone[i] = lvl_tree_item(entry);
    }
    if (status == LVL_OK) {
        qsort(gone, count, sizeof *gone, by_address);
        status = remove_entries(tree->doc, lvl_rez_root(tree->doc->root), gone, count);
        const lvl_status derived = mark_edited(tree);
        status = status == LVL_OK ? derived : status;
    }
    free(gone);
    return status;
}

static lvl_status container_write(const lvl_container *c, lvl_buffer *out)
{
    return lvl_doc_write(tree_of(c)->doc, out);
}

/* ---- packing ------------------------------------------------------------------------------------------- */

static void put_slot(char *slot, size_t size, const char *text)
{
    const size_t n = strlen(text);

    memset(slot, ' ', size);
    memcpy(slot, text, n < size ? n : size);
}

static lvl_status container_pack(lvl_container *c, const lvl_pack_item *items, size_t count)
{
    lvl_tree *tree = tree_of(c);
    lvl_rez *rez = tree->doc->root;
    struct adding a = {.tree = tree, .packing = true};
    lvl_status status = LVL_OK;
    uint32_t id = 0;

    put_slot(rez->banner, sizeof rez->banner - 1, "RezMgr Version 1, written by lvl");
    put_slot(rez->title, sizeof rez->title - 1, "");
    for (size_t i = 0; i < count && status == LVL_OK; i++) {
        const lvl_pack_item *item = &items[i];
        const uint32_t time = (uint32_t)item->time;
        lvl_rez_entry *e = NULL;
        if (item->bytes.len > UINT32_MAX)
            return LVL_ERR_ARG;
        status = enter(&a, item->path, item->is_dir ? LVL_REZ_DIR : LVL_REZ_FILE, time, &e);
        if (status == LVL_OK && !item->is_dir) {
            e->data = item->bytes;
            e->id = ++id;
        }
        rez->time = time > rez->time ? time : rez->time;
    }
    rez->root_time = rez->time;
    tree->stale = true;
    return status;
}

static const lvl_container_ops rez_ops = {
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
};

lvl_status lvl_rez_open_container(lvl_doc *doc, lvl_container **out)
{
    return lvl_tree_new(doc, &rez_ops, fill, out);
}
