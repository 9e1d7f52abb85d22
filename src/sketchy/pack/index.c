/*
 * sketchy/pack/index.c: keeps the index of a pack up to date when levels are added, replaced or removed.
 */
#include "sketchy/pack/pack.h"

#include "base/work.h"

#include <stdlib.h>
#include <string.h>

/* Go's zero time: the game reads no index without a time. */
static const char no_time[] = "0001-01-01T00:00:00Z";

const char *lvl_levelpack_folder(lvl_text path)
{
    if (memchr(path.ptr, '/', path.len))
        return NULL;
    return lvl_text_has_ending(path, ".level")    ? LVL_PACK_LEVELS
           : lvl_text_has_ending(path, ".doodad") ? LVL_PACK_DOODADS
                                                  : NULL;
}

const lvl_text *lvl_levelpack_own_text(const lvl_sketchy *level, const lvl_field *field)
{
    const lvl_field *own = lvl_table_find(&lvl_sketchy_table, lvl_text_of(field->name));

    return own ? (const void *)((const uint8_t *)level + own->offset) : NULL;
}

static lvl_text *text_in(lvl_levelpack_level *entry, const lvl_field *field)
{
    return (void *)((uint8_t *)entry + field->offset);
}

lvl_status lvl_levelpack_describe(lvl_doc *doc, const lvl_sketchy_file *file, lvl_levelpack_level *level)
{
    lvl_buffer storage = {0};
    lvl_doc *read;

    lvl_status status = lvl_sketchy_open_file(doc, file, &storage, NULL, &read);
    for (uint32_t i = 0; i < lvl_levelpack_level_table.field_count && status == LVL_OK; i++) {
        const lvl_field *f = &lvl_levelpack_level_table.fields[i];
        const lvl_text *own = lvl_levelpack_own_text(read->root, f);
        lvl_text *text = text_in(level, f);
        if (!own || !own->len || text->len)
            continue;
        *text = lvl_doc_text(doc, *own);
        status = text->ptr ? LVL_OK : LVL_ERR_MEMORY;
    }
    lvl_doc_free(read);
    lvl_buffer_free(&storage);
    if (!level->title.len && lvl_text_has_ending(level->filename, ".level"))
        level->title = (lvl_text){level->filename.ptr, level->filename.len - strlen(".level")};
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}

/* An index is JSON, which cannot hold a name that isn't UTF-8. */
static bool can_be_listed(lvl_text name)
{
    return lvl_text_has_ending(name, ".level") && lvl_utf8_valid(name);
}

lvl_status lvl_levelpack_listed(const lvl_doc *doc, lvl_names *listed)
{
    const lvl_levelpack *p = doc->root;

    return lvl_names_of(listed, p->levels, p->level_count, sizeof *p->levels,
                        offsetof(lvl_levelpack_level, filename));
}

lvl_status lvl_levelpack_list(lvl_doc *doc, const lvl_sketchy_file *file, const lvl_names *listed)
{
    const lvl_text name = lvl_path_below(file->path, LVL_PACK_LEVELS);
    lvl_levelpack *p = doc->root;

    if (!can_be_listed(name) || lvl_names_has(listed, name))
        return LVL_OK;
    const lvl_status status = lvl_list_insert(doc, p, LVL_FIELD(lvl_levelpack, levels), p->level_count, 1);
    if (status != LVL_OK)
        return status;
    p->levels[p->level_count - 1].filename = name;
    return lvl_levelpack_describe(doc, file, &p->levels[p->level_count - 1]);
}

/* Gives an entry the texts `now` where it has those of `was`. */
static void follow(lvl_levelpack_level *level, lvl_levelpack_level *was, lvl_levelpack_level *now)
{
    for (uint32_t k = 0; k < lvl_levelpack_level_table.field_count; k++) {
        const lvl_field *f = &lvl_levelpack_level_table.fields[k];
        lvl_text *text = text_in(level, f);
        if (lvl_text_equal(*text, *text_in(was, f)))
            *text = *text_in(now, f);
    }
}

lvl_status lvl_levelpack_follow(lvl_doc *doc, const lvl_sketchy_file *file, const lvl_levelpack_level *before,
                                const lvl_names *listed)
{
    lvl_levelpack_level now = {.filename = before->filename}, was = *before;
    lvl_levelpack *p = doc->root;
    uint32_t at = lvl_names_find(listed, now.filename);

    lvl_status status = lvl_levelpack_describe(doc, file, &now);
    if (status == LVL_OK && at == listed->count)
        status = lvl_charge(doc->ctx, p->level_count - listed->count);
    if (status != LVL_OK)
        return status;
    for (uint32_t i = listed->count; i < p->level_count && at == listed->count; i++) {
        if (lvl_text_equal(p->levels[i].filename, now.filename))
            follow(&p->levels[i], &was, &now);
    }
    for (; at < listed->count && lvl_text_equal(listed->list[at].name, now.filename); at++)
        follow(&p->levels[listed->list[at].index], &was, &now);
    return LVL_OK;
}

lvl_status lvl_levelpack_unlist(lvl_doc *doc, const uint8_t *drop)
{
    lvl_levelpack *p = doc->root;
    lvl_names listed;
    lvl_status status = lvl_levelpack_listed(doc, &listed);
    uint8_t *gone = calloc((size_t)p->level_count + 1, 1);

    if (!gone)
        status = LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < p->file_count && status == LVL_OK; i++) {
        const lvl_text name =
            drop[i] ? lvl_path_below(p->files[i].path, LVL_PACK_LEVELS) : (lvl_text){NULL, 0};
        uint32_t at = name.len ? lvl_names_find(&listed, name) : listed.count;
        /* of several files of one name the first removes all entries */
        for (;
             at < listed.count && !gone[listed.list[at].index] && lvl_text_equal(listed.list[at].name, name);
             at++)
            gone[listed.list[at].index] = 1;
    }
    if (status == LVL_OK)
        status = lvl_list_drop(doc, p, LVL_FIELD(lvl_levelpack, levels), gone);
    free(gone);
    lvl_names_free(&listed);
    return status;
}

static int by_natural_name(const void *a, const void *b)
{
    const lvl_text x = *(const lvl_text *)a, y = *(const lvl_text *)b;
    const int d = lvl_text_compare_natural(x, y);

    return d ? d : lvl_text_compare(x, y);
}

lvl_status lvl_levelpack_list_missing(lvl_doc *doc)
{
    lvl_levelpack *p = doc->root;
    const uint32_t given = p->level_count;
    lvl_text *fresh = malloc(((size_t)p->file_count + 1) * sizeof *fresh);
    lvl_names there = {NULL, 0}, listed = {NULL, 0};
    uint32_t count = 0;

    lvl_status status = fresh ? LVL_OK : LVL_ERR_MEMORY;
    if (status == LVL_OK)
        status = lvl_names_below(&there, p->files, p->file_count, LVL_PACK_LEVELS);
    if (status == LVL_OK)
        status = lvl_levelpack_listed(doc, &listed);
    for (uint32_t i = 0; i < there.count && status == LVL_OK; i++) {
        const lvl_text name = there.list[i].name;
        if ((!i || !lvl_text_equal(name, there.list[i - 1].name)) && can_be_listed(name) &&
            !lvl_names_has(&listed, name))
            fresh[count++] = name;
    }
    if (status == LVL_OK && count) {
        qsort(fresh, count, sizeof *fresh, by_natural_name);
        status = lvl_list_insert(doc, p, LVL_FIELD(lvl_levelpack, levels), given, count);
    }
    for (uint32_t i = 0; i < count && status == LVL_OK; i++) {
        const uint32_t at = lvl_names_find(&there, fresh[i]);
        p->levels[given + i].filename = fresh[i];
        status = lvl_levelpack_describe(doc, &p->files[there.list[at].index], &p->levels[given + i]);
    }
    free(fresh);
    lvl_names_free(&there);
    lvl_names_free(&listed);
    return status;
}

lvl_status lvl_levelpack_complete(lvl_doc *doc)
{
    lvl_levelpack *p = doc->root;
    lvl_names there;
    lvl_status status = lvl_names_below(&there, p->files, p->file_count, LVL_PACK_LEVELS);

    for (uint32_t i = 0; i < p->level_count && status == LVL_OK; i++) {
        const uint32_t at = lvl_names_find(&there, p->levels[i].filename);
        if (at < there.count)
            status = lvl_levelpack_describe(doc, &p->files[there.list[at].index], &p->levels[i]);
    }
    lvl_names_free(&there);
    if (!p->created.len)
        p->created = lvl_text_of(no_time);
    return status == LVL_OK ? lvl_levelpack_list_missing(doc) : status;
}
