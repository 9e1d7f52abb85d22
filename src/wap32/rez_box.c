/*
 * wap32/rez_box.c: REZ as a container: listing, editing, packing.
 */
#include "wap32/rez.h"

#include "base/text.h"
#include "container/container.h"

#include <string.h>

enum { MOST_TYPE = 4 };

/* A directory: the record that holds the list, root or entry. */
typedef struct dir {
    void *record;
    const lvl_field *list;
} dir;

static lvl_tree *tree_of(const lvl_container *c)
{
    return (lvl_tree *)(uintptr_t)c;
}

static dir root_dir(const lvl_tree *tree)
{
    const dir d = {tree->doc->root, lvl_table_at(&lvl_rez_table, offsetof(lvl_rez, entries))};
    return d;
}

static dir dir_of(lvl_rez_entry *entry)
{
    const dir d = {entry, lvl_table_at(&lvl_rez_entry_table, offsetof(lvl_rez_entry, entries))};
    return d;
}

static lvl_rez_entry *entry_at(const dir *d, uint32_t index)
{
    return (lvl_rez_entry *)(uintptr_t)lvl_list_item(d->record, d->list, index);
}

/* ---- listing ------------------------------------------------------------------------------------------------------------------------- */

static lvl_status fill_entries(lvl_tree *tree, const char *parent, lvl_rez_entry *entries, uint32_t count)
{
    static const lvl_text none = {NULL, 0};
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < count && status == LVL_OK; i++) {
        lvl_rez_entry *e = &entries[i];
        bool is_dir = e->kind == LVL_REZ_DIR;
        const char *path = lvl_tree_add(tree, parent, e->name, is_dir ? none : e->type, is_dir,
                                        is_dir ? 0 : e->data.len, e->time, e);
        if (!path)
            return LVL_ERR_MEMORY;
        if (is_dir)
            status = fill_entries(tree, path, e->entries, e->entry_count);
    }
    return status;
}

static lvl_status fill(lvl_tree *tree)
{
    lvl_rez *rez = tree->doc->root;

    return fill_entries(tree, "", rez->entries, rez->entry_count);
}

static lvl_status box_read(const lvl_container *c, const lvl_entry *entry, lvl_bytes *view,
                           lvl_buffer *storage)
{
    const lvl_rez_entry *e = lvl_tree_item(entry);

    (void)c;
    (void)storage;
    *view = e->data;
    return LVL_OK;
}

/* ---- editing ------------------------------------------------------------------------------------------------------------------------- */

/* A name as the archive has it: in its code page, ASCII letters in upper case as the games look it up. */
static lvl_status stored_name(lvl_doc *doc, lvl_text shown, lvl_text *out)
{
    lvl_status status = LVL_ERR_ARG;
    lvl_buffer buf;
    uint32_t bad;

    lvl_buffer_init(&buf);
    if (lvl_text_from_utf8(&buf, doc->codepage, shown, &bad) && buf.len && !memchr(buf.data, 0, buf.len)) {
        for (size_t i = 0; i < buf.len; i++)
            buf.data[i] = (uint8_t)lvl_upper((char)buf.data[i]);
        const lvl_text upper = {(const char *)buf.data, buf.len};
        *out = lvl_doc_text(doc, upper);
        status = out->ptr ? LVL_OK : LVL_ERR_MEMORY;
    } else if (buf.status != LVL_OK) {
        status = buf.status;
    }
    lvl_buffer_free(&buf);
    return status;
}

/* Divides a file's name; an extension that doesn't fit the type stays in the name. */
static void split_name(lvl_text whole, lvl_text *name, lvl_text *type)
{
    *name = whole;
    type->ptr = NULL;
    type->len = 0;
    for (size_t i = whole.len; i-- > 1;) {
        if (whole.ptr[i] != '.')
            continue;
        size_t n = whole.len - i - 1;
        if (n >= 1 && n <= MOST_TYPE) {
            name->len = i;
            type->ptr = whole.ptr + i + 1;
            type->len = n;
        }
        return;
    }
}

static bool find_entry(const dir *d, bool is_dir, lvl_text name, lvl_text type, uint32_t *index)
{
    uint32_t count = lvl_list_count(d->record, d->list);

    for (uint32_t i = 0; i < count; i++) {
        const lvl_rez_entry *e = entry_at(d, i);
        if ((e->kind == LVL_REZ_DIR) == is_dir && lvl_text_equal_nocase(e->name, name) &&
            (is_dir || lvl_text_equal_nocase(e->type, type))) {
            *index = i;
            return true;
        }
    }
    return false;
}

static lvl_status add_entry(lvl_tree *tree, const dir *d, uint32_t kind, lvl_text name, lvl_text type,
                            lvl_rez_entry **out)
{
    uint32_t count = lvl_list_count(d->record, d->list);
    lvl_status status = lvl_list_insert(tree->doc, d->record, d->list, count, 1);

    if (status != LVL_OK)
        return status;
    *out = entry_at(d, count);
    (*out)->kind = kind;
    (*out)->name = name;
    (*out)->type = type;
    return LVL_OK;
}

/* Goes down to the folder that `path` lies in, making what is missing; *last gets the name left over. */
static lvl_status enter(lvl_tree *tree, const char *path, dir *d, lvl_text *last)
{
    const char *rest;
    lvl_text part = lvl_path_part(path, &rest);
    const lvl_text none = {NULL, 0};
    lvl_status status;
    uint32_t index;

    *d = root_dir(tree);
    while (*rest) {
        lvl_rez_entry *e;
        lvl_text name;
        status = stored_name(tree->doc, part, &name);
        if (status != LVL_OK)
            return status;
        if (find_entry(d, true, name, none, &index)) {
            e = entry_at(d, index);
        } else {
            status = add_entry(tree, d, LVL_REZ_DIR, name, none, &e);
            if (status != LVL_OK)
                return status;
        }
        *d = dir_of(e);
        part = lvl_path_part(rest, &rest);
    }
    return stored_name(tree->doc, part, last);
}

static lvl_status edited(lvl_tree *tree)
{
    tree->stale = true;
    return lvl_doc_settle_derived(tree->doc);
}

static void highest_id(const lvl_rez_entry *entries, uint32_t count, uint32_t *id)
{
    for (uint32_t i = 0; i < count; i++) {
        if (entries[i].kind == LVL_REZ_DIR)
            highest_id(entries[i].entries, entries[i].entry_count, id);
        else if (entries[i].id > *id)
            *id = entries[i].id;
    }
}

static lvl_status box_put(lvl_container *c, const char *path, lvl_bytes bytes, int64_t time)
{
    lvl_tree *tree = tree_of(c);
    lvl_rez *rez = tree->doc->root;
    lvl_text whole, name, type;
    lvl_rez_entry *e;
    uint32_t index, id = 0;
    dir d;

    if (!lvl_path_safe(path) || bytes.len > UINT32_MAX)
        return LVL_ERR_ARG;
    const uint8_t *data = lvl_arena_copy(&tree->doc->arena, bytes.ptr, bytes.len);
    if (!data)
        return LVL_ERR_MEMORY;
    lvl_status status = enter(tree, path, &d, &whole);
    if (status != LVL_OK)
        return status;
    split_name(whole, &name, &type);
    if (find_entry(&d, false, name, type, &index)) {
        e = entry_at(&d, index);
    } else {
        highest_id(rez->entries, rez->entry_count, &id);
        status = add_entry(tree, &d, LVL_REZ_FILE, name, type, &e);
        if (status != LVL_OK)
            return status;
        e->id = id + 1;
    }
    e->data.ptr = data;
    e->data.len = bytes.len;
    if (time)
        e->time = (uint32_t)time;
    return edited(tree);
}

static lvl_status box_make_dir(lvl_container *c, const char *path)
{
    const lvl_text none = {NULL, 0};
    lvl_tree *tree = tree_of(c);
    lvl_rez_entry *e;
    lvl_text name;
    uint32_t index;
    dir d;

    if (!lvl_path_safe(path))
        return LVL_ERR_ARG;
    lvl_status status = enter(tree, path, &d, &name);
    if (status == LVL_OK && !find_entry(&d, true, name, none, &index))
        status = add_entry(tree, &d, LVL_REZ_DIR, name, none, &e);
    return status == LVL_OK ? edited(tree) : status;
}

/* The list that an entry is an item of. */
static bool find_list(const dir *d, const lvl_rez_entry *entry, dir *out, uint32_t *index)
{
    uint32_t count = lvl_list_count(d->record, d->list);

    for (uint32_t i = 0; i < count; i++) {
        lvl_rez_entry *e = entry_at(d, i);
        if (e == entry) {
            *out = *d;
            *index = i;
            return true;
        }
        const dir inner = dir_of(e);
        if (e->kind == LVL_REZ_DIR && find_list(&inner, entry, out, index))
            return true;
    }
    return false;
}

static lvl_status box_remove(lvl_container *c, const char *path)
{
    const lvl_entry *entry = lvl_tree_find(c, path);
    lvl_tree *tree = tree_of(c);
    const dir root = root_dir(tree);
    uint32_t index;
    dir d;

    if (!entry || !find_list(&root, lvl_tree_item(entry), &d, &index))
        return LVL_ERR_MISSING;
    lvl_status status = lvl_list_remove(tree->doc, d.record, d.list, index, 1);
    return status == LVL_OK ? edited(tree) : status;
}

static lvl_status box_write(const lvl_container *c, lvl_buffer *out)
{
    return lvl_doc_write(tree_of(c)->doc, out);
}

/* ---- packing ------------------------------------------------------------------------------------------------------------------------- */

struct packer {
    lvl_doc *doc;
    const lvl_pack_item *items;
    uint32_t next_id;
    uint32_t time; /* the latest */
};

/* How many of the items from `from` on lie below the same child of the folder, whose path takes the first `skip` characters. */
static size_t group(const lvl_pack_item *items, size_t from, size_t to, size_t skip)
{
    const char *rest;
    const lvl_text first = lvl_path_part(items[from].path + skip, &rest);
    size_t n = 1;

    while (from + n < to && lvl_text_equal_nocase(first, lvl_path_part(items[from + n].path + skip, &rest)))
        n++;
    return n;
}

static lvl_status pack_dir(struct packer *p, size_t from, size_t to, size_t skip, uint32_t depth,
                           lvl_rez_entry **entries, uint32_t *entry_count);

/* One child: a file, or a folder with what is in it. */
static lvl_status pack_child(struct packer *p, size_t from, size_t to, size_t skip, uint32_t depth,
                             lvl_rez_entry *e)
{
    const lvl_pack_item *item = &p->items[from];
    const char *rest;
    lvl_text part = lvl_path_part(item->path + skip, &rest), whole;
    lvl_status status = stored_name(p->doc, part, &whole);
    bool own = !*rest; /* the item is this child itself, not something in it */

    if (status != LVL_OK)
        return status;
    if (own && !item->is_dir) {
        if (to - from > 1 || item->bytes.len > UINT32_MAX)
            return LVL_ERR_ARG;
        split_name(whole, &e->name, &e->type);
        e->data = item->bytes;
        e->id = p->next_id++;
        e->time = (uint32_t)item->time;
    } else {
        e->kind = LVL_REZ_DIR;
        e->name = whole;
        e->time = own ? (uint32_t)item->time : 0;
        size_t inner = (size_t)(part.ptr - item->path) + part.len + 1;
        status = pack_dir(p, from + (own ? 1 : 0), to, inner, depth + 1, &e->entries, &e->entry_count);
    }
    for (uint32_t i = 0; i < e->entry_count; i++)
        e->time = e->entries[i].time > e->time ? e->entries[i].time : e->time;
    return status;
}

static lvl_status pack_dir(struct packer *p, size_t from, size_t to, size_t skip, uint32_t depth,
                           lvl_rez_entry **entries, uint32_t *entry_count)
{
    const uint32_t deepest = lvl_limits_of(p->doc->ctx).depth;
    lvl_status status = LVL_OK;
    uint32_t count = 0;

    if (depth >= deepest)
        return LVL_ERR_LIMIT;
    for (size_t i = from; i < to; i += group(p->items, i, to, skip))
        count++;
    *entries = lvl_arena_array(&p->doc->arena, count, sizeof **entries);
    if (!*entries)
        return LVL_ERR_MEMORY;
    *entry_count = count;
    count = 0;
    for (size_t i = from; i < to && status == LVL_OK;) {
        size_t n = group(p->items, i, to, skip);
        status = pack_child(p, i, i + n, skip, depth, &(*entries)[count++]);
        i += n;
    }
    return status;
}

static void put_slot(char *slot, size_t size, const char *text)
{
    size_t n = strlen(text);

    memset(slot, ' ', size);
    memcpy(slot, text, n < size ? n : size);
}

static lvl_status box_pack(lvl_container *c, const lvl_pack_item *items, size_t count)
{
    lvl_tree *tree = tree_of(c);
    lvl_rez *rez = tree->doc->root;
    struct packer p = {tree->doc, items, 1, 0};

    put_slot(rez->banner, sizeof rez->banner - 1, "RezMgr Version 1, written by lvl");
    put_slot(rez->title, sizeof rez->title - 1, "");
    lvl_status status = pack_dir(&p, 0, count, 0, 0, &rez->entries, &rez->entry_count);
    for (uint32_t i = 0; i < rez->entry_count; i++)
        rez->time = rez->entries[i].time > rez->time ? rez->entries[i].time : rez->time;
    rez->root_time = rez->time;
    tree->stale = true;
    return status;
}

static const lvl_container_ops rez_ops = {
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

lvl_status lvl_rez_open_container(lvl_doc *doc, lvl_container **out)
{
    return lvl_tree_new(doc, &rez_ops, fill, out);
}
