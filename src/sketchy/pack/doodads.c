/*
 * sketchy/pack/doodads.c: doodads that a pack stores more than once: in doodads/ and inside levels.
 */
#include "base/arena.h"
#include "base/format.h"
#include "base/hash.h"
#include "sketchy/pack/pack.h"
#include "sketchy/model/findings.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = LVL_SKETCHY_SHOWN };
static const uint32_t PACKED = UINT32_MAX;

/* ---- the list ---------------------------------------------------------------------------------------- */

void lvl_pack_doodads_init(lvl_pack_doodads *list, const lvl_ctx *ctx)
{
    *list = (lvl_pack_doodads){.items = NULL};
    lvl_arena_init(&list->arena, ctx);
}

void lvl_pack_doodads_free(lvl_pack_doodads *list)
{
    free(list->items);
    lvl_arena_free(&list->arena);
}

static lvl_status add(lvl_pack_doodads *list, lvl_text name, lvl_bytes bytes, uint32_t level, uint32_t file)
{
    if (!lvl_grow(&list->items, &list->cap, list->count + 1, sizeof *list->items))
        return LVL_ERR_MEMORY;
    lvl_pack_doodad *d = &list->items[list->count];
    *d = (lvl_pack_doodad){.name = {lvl_arena_copy(&list->arena, name.ptr, name.len), name.len},
                           .size = bytes.len,
                           .level = level,
                           .file = file};
    if (bytes.len)
        lvl_sha256_hex(bytes, d->digest);
    if (!d->name.ptr)
        return LVL_ERR_MEMORY;
    list->count++;
    return LVL_OK;
}

static lvl_status add_file(lvl_pack_doodads *list, const lvl_doc *doc, const lvl_sketchy_file *file,
                           lvl_text name, uint32_t level, uint32_t index)
{
    lvl_buffer storage = {0};
    lvl_bytes bytes;

    lvl_status status = lvl_sketchy_file_data(doc, file, &storage, &bytes);
    if (status != LVL_ERR_MEMORY)
        status = add(list, name, status == LVL_OK ? bytes : (lvl_bytes){NULL, 0}, level, index);
    lvl_buffer_free(&storage);
    return status;
}

lvl_status lvl_pack_doodads_add_file(lvl_pack_doodads *list, const lvl_doc *doc, uint32_t file)
{
    const lvl_sketchy_file *f = &((const lvl_levelpack *)doc->root)->files[file];

    return add_file(list, doc, f, lvl_path_below(f->path, LVL_PACK_DOODADS), PACKED, file);
}

/* The name of a doodad that a level embeds; v1 and v2 may have it without a folder. */
static lvl_text embedded_name(lvl_text path)
{
    const lvl_text name = lvl_path_below(path, LVL_EMBEDDED_DOODADS);

    return name.len || !lvl_text_has_ending(path, ".doodad") ? name : path;
}

lvl_status lvl_pack_doodads_add_level(lvl_pack_doodads *list, const lvl_doc *level, uint32_t file)
{
    const lvl_sketchy *d = level->root;
    lvl_names used;
    lvl_status status = lvl_names_of(&used, d->actors, d->actor_count, sizeof *d->actors,
                                     offsetof(lvl_sketchy_actor, filename));

    for (uint32_t i = 0; i < d->file_count && status == LVL_OK; i++) {
        const lvl_text name = embedded_name(d->files[i].path);
        if (name.len)
            status = add_file(list, level, &d->files[i], name, file, i);
    }
    for (uint32_t i = 0; i < used.count && status == LVL_OK; i++) {
        const lvl_text name = used.list[i].name;
        if (name.len && (!i || !lvl_text_equal(name, used.list[i - 1].name)))
            status = add(list, name, (lvl_bytes){NULL, 0}, file, LVL_NO_INDEX);
    }
    lvl_names_free(&used);
    return status;
}

/* By name, then by level; of a level files come before uses by actors. */
static int by_name(const void *a, const void *b)
{
    const lvl_pack_doodad *x = a, *y = b;
    const int d = lvl_text_compare(x->name, y->name);

    if (d)
        return d;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    return (x->file > y->file) - (x->file < y->file);
}

static void sort(lvl_pack_doodads *list, int (*order)(const void *, const void *))
{
    if (list->count)
        qsort(list->items, list->count, sizeof *list->items, order);
}

static bool same_bytes(const lvl_pack_doodad *a, const lvl_pack_doodad *b)
{
    return a->digest[0] && !strcmp(a->digest, b->digest);
}

/* The file of the pack that the doodad is, or that has it. */
static uint32_t holder_of(const lvl_pack_doodad *d)
{
    return d->level == PACKED ? d->file : d->level;
}

void lvl_pack_doodads_report(lvl_pack_doodads *list, const lvl_levelpack *p, lvl_findings *findings)
{
    const lvl_pack_doodad *before = NULL;
    char name[SHOWN], first[SHOWN], second[SHOWN];

    sort(list, by_name);
    for (size_t i = 0; i < list->count; i++) {
        const lvl_pack_doodad *d = &list->items[i];
        if (!d->digest[0])
            continue;
        if (before && lvl_text_equal(before->name, d->name)) {
            const uint32_t holder = holder_of(d);
            const lvl_where where = lvl_levelpack_item(offsetof(lvl_levelpack, files), holder);
            lvl_findings_set_member(findings, p->files[holder].path);
            lvl_sketchy_report(
                findings, LVL_SKETCHY_F_PACK_DOODAD, &where, "%s: in \"%s\" and \"%s\", %s (%llu bytes)",
                lvl_sketchy_show(name, d->name), lvl_sketchy_show(first, p->files[holder_of(before)].path),
                lvl_sketchy_show(second, p->files[holder].path),
                same_bytes(before, d) ? "all alike" : "which differ", (unsigned long long)d->size);
        }
        before = d;
    }
    lvl_findings_set_member(findings, (lvl_text){NULL, 0});
}

/* ---- storing each once ------------------------------------------------------------------------------- */

static lvl_status add_all(lvl_pack_doodads *list, const lvl_doc *doc)
{
    const lvl_levelpack *p = doc->root;
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < p->file_count && status == LVL_OK; i++) {
        lvl_buffer storage = {0};
        lvl_doc *level = NULL;
        if (lvl_path_below(p->files[i].path, LVL_PACK_DOODADS).len)
            status = lvl_pack_doodads_add_file(list, doc, i);
        else if (lvl_levelpack_is_level(p->files[i].path))
            status = lvl_sketchy_open_file(doc, &p->files[i], &storage, NULL, &level);
        if (level)
            status = lvl_pack_doodads_add_level(list, level, i);
        else if (status != LVL_ERR_MEMORY)
            status = LVL_OK;
        lvl_doc_free(level);
        lvl_buffer_free(&storage);
    }
    return status;
}

/* Doodads to be removed come first, by level. */
static int by_level(const void *a, const void *b)
{
    const lvl_pack_doodad *x = a, *y = b;

    if (x->drop != y->drop)
        return x->drop ? -1 : 1;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    return (x->file > y->file) - (x->file < y->file);
}

/* Whether all levels that use a doodad of this name, at least two, embed the same one. */
static bool all_embed(const lvl_pack_doodad *group, size_t count)
{
    size_t copies = 0;

    for (size_t i = 0; i < count; i++) {
        const lvl_pack_doodad *d = &group[i];
        const bool used = d->file == LVL_NO_INDEX;
        if (d->level == PACKED || (used && (!i || group[i - 1].level != d->level)) ||
            (!used && !same_bytes(d, &group[0])))
            return false;
        copies += !used;
    }
    return copies > 1;
}

/* Adds a doodad that several levels embed to the pack. */
static lvl_status promote(lvl_doc *doc, const lvl_pack_doodad *d, lvl_findings *log)
{
    lvl_levelpack *p = doc->root;
    const uint32_t at = p->file_count;
    const lvl_where where = lvl_levelpack_item(offsetof(lvl_levelpack, files), at);
    lvl_buffer storage = {0}, inside = {0}, path = {0};
    lvl_bytes bytes = {NULL, 0};
    char shown[SHOWN];
    lvl_doc *level;

    lvl_status status = lvl_sketchy_open_file(doc, &p->files[d->level], &storage, NULL, &level);
    if (status == LVL_OK)
        status = lvl_sketchy_file_data(level, &((const lvl_sketchy *)level->root)->files[d->file], &inside,
                                       &bytes);
    if (status == LVL_OK) {
        lvl_buffer_str(&path, LVL_PACK_DOODADS);
        lvl_buffer_add(&path, d->name.ptr, d->name.len);
        status = path.status;
    }
    if (status == LVL_OK)
        status =
            lvl_sketchy_add_file(doc, lvl_doc_text(doc, (lvl_text){(const char *)path.data, path.len}),
                                 (lvl_bytes){lvl_arena_copy(&doc->arena, bytes.ptr, bytes.len), bytes.len});
    if (status == LVL_OK)
        lvl_sketchy_report(log, LVL_SKETCHY_F_PACK_DOODAD, &where, "\"%s\" added, for all levels",
                           lvl_sketchy_show(shown, p->files[at].path));
    lvl_doc_free(level);
    lvl_buffer_free(&storage);
    lvl_buffer_free(&inside);
    lvl_buffer_free(&path);
    return status;
}

/* Marks the doodads of one name that can be removed. */
static lvl_status mark(lvl_doc *doc, lvl_pack_doodad *group, size_t count, lvl_findings *log)
{
    const bool shared = all_embed(group, count), packed = group[count - 1].level == PACKED;
    const lvl_pack_doodad *kept = packed ? &group[count - 1] : group;
    const lvl_status status = shared ? promote(doc, group, log) : LVL_OK;

    for (size_t i = 0; (shared || packed) && i < count; i++) {
        lvl_pack_doodad *d = &group[i];
        const bool twice = /* in one level: unknown which of them it uses */
            (i && group[i - 1].level == d->level) ||
            (i + 1 < count && group[i + 1].level == d->level && group[i + 1].file != LVL_NO_INDEX);
        d->drop = d->level != PACKED && d->file != LVL_NO_INDEX && !twice && same_bytes(d, kept);
    }
    return status;
}

/* Removes the doodads in `run`, which are marked, from their level. */
static lvl_status remove_marked(lvl_doc *doc, const lvl_pack_doodad *run, size_t count, lvl_findings *log)
{
    lvl_levelpack *p = doc->root;
    lvl_sketchy_file *holder = &p->files[run->level];
    const lvl_where where = lvl_levelpack_item(offsetof(lvl_levelpack, files), run->level);
    lvl_buffer storage = {0}, out = {0};
    char shown[SHOWN], name[SHOWN];
    uint8_t *drop = NULL;
    lvl_doc *level;

    lvl_status status = lvl_sketchy_open_file(doc, holder, &storage, NULL, &level);
    if (status != LVL_OK)
        goto out;
    lvl_sketchy *d = level->root;
    drop = calloc((size_t)d->file_count + 1, 1);
    if (!drop) {
        status = LVL_ERR_MEMORY;
        goto out;
    }
    for (size_t i = 0; i < count; i++) {
        drop[run[i].file] = 1;
        lvl_sketchy_report(log, LVL_SKETCHY_F_PACK_DOODAD, &where,
                           d->signature.len ? "%s stays in \"%s\", which is signed (%llu bytes)"
                                            : "%s removed from \"%s\" (%llu bytes)",
                           lvl_sketchy_show(name, run[i].name), lvl_sketchy_show(shown, holder->path),
                           (unsigned long long)run[i].size);
    }
    if (d->signature.len)
        goto out;
    status = lvl_list_drop(level, d, LVL_FIELD(lvl_sketchy, files), drop);
    if (status == LVL_OK)
        status = lvl_doc_write(level, &out);
    if (status == LVL_OK) {
        holder->data = (lvl_bytes){lvl_arena_copy(&doc->arena, out.data, out.len), out.len};
        status = holder->data.ptr ? LVL_OK : LVL_ERR_MEMORY;
    }
out:
    free(drop);
    lvl_doc_free(level);
    lvl_buffer_free(&storage);
    lvl_buffer_free(&out);
    return status;
}

lvl_status lvl_levelpack_dedupe(lvl_doc *doc, lvl_findings *log)
{
    lvl_pack_doodads list;

    lvl_pack_doodads_init(&list, doc->ctx);
    lvl_status status = add_all(&list, doc);
    sort(&list, by_name);
    for (size_t i = 0, n; i < list.count && status == LVL_OK; i += n) {
        for (n = 1; i + n < list.count && lvl_text_equal(list.items[i].name, list.items[i + n].name);)
            n++;
        status = mark(doc, &list.items[i], n, log);
    }
    sort(&list, by_level);
    for (size_t i = 0, n; i < list.count && list.items[i].drop && status == LVL_OK; i += n) {
        for (n = 1;
             i + n < list.count && list.items[i + n].drop && list.items[i].level == list.items[i + n].level;)
            n++;
        status = remove_marked(doc, &list.items[i], n, log);
    }
    lvl_pack_doodads_free(&list);
    return status;
}
