/*
 * sketchy/pack_build.c: making packs: the index of the levels that are put in and taken out, and doodads that
 * are stored more than once.
 */
#include "base/arena.h"
#include "base/text.h"
#include "sketchy/pack.h"
#include "sketchy/sketchy_check.h"

#include <stdlib.h>
#include <string.h>

static const char level_folder[] = "levels/", doodad_folder[] = "doodads/",
                  embedded_folder[] = "assets/doodads/";

/* Go's zero time: an index without any time isn't read by the game. */
static const char no_time[] = "0001-01-01T00:00:00Z";

lvl_text lvl_levelpack_below(lvl_text path, const char *folder)
{
    const size_t n = strlen(folder);

    if (path.len <= n || memcmp(path.ptr, folder, n) != 0 || path.ptr[path.len - 1] == '/')
        return (lvl_text){NULL, 0};
    return (lvl_text){path.ptr + n, path.len - n};
}

const char *lvl_levelpack_folder(lvl_text path)
{
    if (memchr(path.ptr, '/', path.len))
        return NULL;
    return lvl_text_has_ending(path, ".level")    ? level_folder
           : lvl_text_has_ending(path, ".doodad") ? doodad_folder
                                                  : NULL;
}

/* ---- the index --------------------------------------------------------------------------------------- */

/* The level in that file, read from its bytes, which `storage` holds; NULL if it is none. */
static lvl_status open_level(const lvl_doc *doc, const lvl_sketchy_file *file, lvl_buffer *storage,
                             lvl_doc **level)
{
    lvl_bytes bytes;

    *level = NULL;
    lvl_status status = lvl_sketchy_file_data(doc, file, storage, &bytes);
    if (status == LVL_OK)
        status = lvl_read(level, doc->ctx, doc->format->calls->members, bytes, NULL, LVL_READ_BORROW, NULL);
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}

static lvl_status take_text(lvl_doc *doc, lvl_text *to, lvl_text from)
{
    if (to->len || !from.len)
        return LVL_OK;
    *to = lvl_doc_text(doc, from);
    return to->ptr ? LVL_OK : LVL_ERR_MEMORY;
}

lvl_status lvl_levelpack_describe(lvl_doc *doc, const lvl_sketchy_file *file, lvl_levelpack_level *level)
{
    lvl_buffer storage = {0};
    lvl_doc *read = NULL;

    lvl_status status = open_level(doc, file, &storage, &read);
    if (status == LVL_OK && read) {
        const lvl_sketchy *d = read->root;
        status = take_text(doc, &level->title, d->title);
        if (status == LVL_OK)
            status = take_text(doc, &level->author, d->author);
        if (status == LVL_OK)
            status = take_text(doc, &level->uuid, d->uuid);
    }
    lvl_doc_free(read);
    lvl_buffer_free(&storage);
    if (!level->title.len && lvl_text_has_ending(level->filename, ".level"))
        level->title = (lvl_text){level->filename.ptr, level->filename.len - strlen(".level")};
    return status;
}

static lvl_levelpack_level *find_listed(lvl_levelpack *p, lvl_text filename)
{
    for (uint32_t i = 0; i < p->level_count; i++) {
        if (lvl_text_equal(p->levels[i].filename, filename))
            return &p->levels[i];
    }
    return NULL;
}

lvl_status lvl_levelpack_list(lvl_doc *doc, const lvl_sketchy_file *file)
{
    const lvl_field *levels = LVL_FIELD(lvl_levelpack, levels);
    const lvl_text name = lvl_levelpack_below(file->path, level_folder);
    lvl_levelpack *p = doc->root;

    /* an index is JSON, and can't hold a name that isn't UTF-8 */
    if (!lvl_text_has_ending(name, ".level") || !lvl_utf8_valid(name) || find_listed(p, name))
        return LVL_OK;
    const lvl_status status = lvl_list_insert(doc, p, levels, p->level_count, 1);
    if (status != LVL_OK)
        return status;
    p->levels[p->level_count - 1].filename = name;
    return lvl_levelpack_describe(doc, file, &p->levels[p->level_count - 1]);
}

lvl_status lvl_levelpack_relist(lvl_doc *doc, const lvl_levelpack_level *was, uint32_t count)
{
    const lvl_field *levels = LVL_FIELD(lvl_levelpack, levels);
    lvl_levelpack *p = doc->root;
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < count && status == LVL_OK; i++) {
        bool there = false;
        for (uint32_t k = 0; k < p->file_count && !there; k++)
            there = lvl_text_equal(lvl_levelpack_below(p->files[k].path, level_folder), was[i].filename);
        if (!there || find_listed(p, was[i].filename))
            continue;
        status = lvl_list_insert(doc, p, levels, p->level_count, 1);
        if (status == LVL_OK)
            p->levels[p->level_count - 1] = was[i];
    }
    return status;
}

lvl_status lvl_levelpack_follow(lvl_doc *doc, const lvl_sketchy_file *file, const lvl_levelpack_level *before)
{
    lvl_levelpack_level now = {.filename = before->filename};
    lvl_levelpack *p = doc->root;
    const lvl_status status = lvl_levelpack_describe(doc, file, &now);

    for (uint32_t i = 0; i < p->level_count && status == LVL_OK; i++) {
        lvl_levelpack_level *level = &p->levels[i];
        if (!lvl_text_equal(level->filename, now.filename))
            continue;
        if (lvl_text_equal(level->title, before->title))
            level->title = now.title;
        if (lvl_text_equal(level->author, before->author))
            level->author = now.author;
        if (lvl_text_equal(level->uuid, before->uuid))
            level->uuid = now.uuid;
    }
    return status;
}

void lvl_levelpack_unlist(lvl_doc *doc, lvl_text path)
{
    const lvl_text name = lvl_levelpack_below(path, level_folder);
    lvl_levelpack *p = doc->root;
    const lvl_levelpack_level *level = name.len ? find_listed(p, name) : NULL;

    if (level) {
        const uint32_t index = (uint32_t)(level - p->levels);
        lvl_list_remove(doc, p, LVL_FIELD(lvl_levelpack, levels), index, 1);
    }
}

/* "Level 2" goes before "Level 10". */
static int natural(lvl_text a, lvl_text b)
{
    size_t i = 0, k = 0;

    while (i < a.len && k < b.len) {
        if (lvl_is_digit(a.ptr[i]) && lvl_is_digit(b.ptr[k])) {
            while (i < a.len && a.ptr[i] == '0')
                i++;
            while (k < b.len && b.ptr[k] == '0')
                k++;
            size_t m = i, n = k;
            while (m < a.len && lvl_is_digit(a.ptr[m]))
                m++;
            while (n < b.len && lvl_is_digit(b.ptr[n]))
                n++;
            if (m - i != n - k)
                return m - i < n - k ? -1 : 1;
            const int d = m > i ? memcmp(a.ptr + i, b.ptr + k, m - i) : 0;
            if (d)
                return d;
            i = m;
            k = n;
            continue;
        }
        const unsigned char x = (unsigned char)lvl_lower(a.ptr[i++]),
                            y = (unsigned char)lvl_lower(b.ptr[k++]);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return (i < a.len) - (k < b.len);
}

static int by_natural_name(const void *a, const void *b)
{
    const lvl_sketchy_file *x = *(const lvl_sketchy_file *const *)a, *y = *(const lvl_sketchy_file *const *)b;
    const int d = natural(x->path, y->path);

    return d ? d : (x > y) - (x < y);
}

lvl_status lvl_levelpack_complete(lvl_doc *doc)
{
    lvl_levelpack *p = doc->root;
    const lvl_sketchy_file **list = malloc(((size_t)p->file_count + 1) * sizeof *list);
    lvl_levelpack_level *levels =
        lvl_arena_array(&doc->arena, (size_t)p->level_count + p->file_count + 1, sizeof *levels);
    lvl_status status = list && levels ? LVL_OK : LVL_ERR_MEMORY;
    const uint32_t given = p->level_count;
    uint32_t count = 0;

    for (uint32_t i = 0; i < p->file_count && status == LVL_OK; i++) {
        const lvl_text name = lvl_levelpack_below(p->files[i].path, level_folder);
        lvl_levelpack_level *listed = lvl_text_has_ending(name, ".level") ? find_listed(p, name) : NULL;
        if (listed)
            status = lvl_levelpack_describe(doc, &p->files[i], listed);
        else if (lvl_text_has_ending(name, ".level") && lvl_utf8_valid(name))
            list[count++] = &p->files[i];
    }
    if (status == LVL_OK && count) {
        qsort(list, count, sizeof *list, by_natural_name);
        if (given)
            memcpy(levels, p->levels, given * sizeof *levels);
        for (uint32_t i = 0; i < count && status == LVL_OK; i++) {
            lvl_record_init(&levels[given + i], &lvl_levelpack_level_table);
            levels[given + i].filename = lvl_levelpack_below(list[i]->path, level_folder);
            status = lvl_levelpack_describe(doc, list[i], &levels[given + i]);
        }
        p->levels = levels;
        p->level_count = given + count;
    }
    if (!p->created.len)
        p->created = lvl_text_of(no_time);
    free(list);
    return status;
}

/* ---- doodads stored twice ---------------------------------------------------------------------------- */

enum { SHOWN = 100 };
static const uint32_t PACKED = UINT32_MAX;

/* A doodad that is stored or used: by the pack itself, or by one of its levels. */
typedef struct doodad {
    lvl_text name;
    lvl_bytes bytes; /* none: it can't be read, or the level has actors of it and doesn't bring it along */
    uint32_t level;  /* file of the pack; PACKED: the pack itself */
    uint32_t file;   /* of the level */
    bool drop;
} doodad;

typedef struct doodads {
    lvl_doc *doc;
    lvl_findings *log;
    lvl_arena arena; /* of names and bytes */
    doodad *items;
    size_t count, room;
} doodads;

static lvl_status note(doodads *s, lvl_text name, lvl_bytes bytes, uint32_t level, uint32_t file)
{
    if (!lvl_grow(&s->items, &s->room, s->count + 1, sizeof *s->items))
        return LVL_ERR_MEMORY;
    doodad *d = &s->items[s->count];
    *d = (doodad){{lvl_arena_copy(&s->arena, name.ptr, name.len), name.len}, {NULL, 0}, level, file, false};
    if (bytes.len)
        d->bytes = (lvl_bytes){lvl_arena_copy(&s->arena, bytes.ptr, bytes.len), bytes.len};
    if (!d->name.ptr || (bytes.len && !d->bytes.ptr))
        return LVL_ERR_MEMORY;
    s->count++;
    return LVL_OK;
}

static lvl_status note_file(doodads *s, const lvl_doc *doc, const lvl_sketchy_file *file, lvl_text name,
                            uint32_t level, uint32_t index)
{
    lvl_buffer storage = {0};
    lvl_bytes bytes = {NULL, 0};

    lvl_status status = lvl_sketchy_file_data(doc, file, &storage, &bytes);
    if (status != LVL_OK && status != LVL_ERR_MEMORY) {
        bytes = (lvl_bytes){NULL, 0};
        status = LVL_OK;
    }
    if (status == LVL_OK)
        status = note(s, name, bytes, level, index);
    lvl_buffer_free(&storage);
    return status;
}

/* The name of a doodad that a level brings along; v1 and v2 may have it without a folder. */
static lvl_text embedded_name(lvl_text path)
{
    const lvl_text name = lvl_levelpack_below(path, embedded_folder);

    return name.len || !lvl_text_has_ending(path, ".doodad") ? name : path;
}

/* Doodads that a level brings along, and those that it has actors of. */
static lvl_status note_level(doodads *s, uint32_t index)
{
    const lvl_levelpack *p = s->doc->root;
    lvl_buffer storage = {0};
    lvl_doc *level = NULL;

    lvl_status status = open_level(s->doc, &p->files[index], &storage, &level);
    const lvl_sketchy *d = level ? level->root : NULL;
    lvl_text *names = d ? malloc(((size_t)d->actor_count + 1) * sizeof *names) : NULL;
    if (d && !names)
        status = LVL_ERR_MEMORY;
    for (uint32_t i = 0; d && i < d->file_count && status == LVL_OK; i++) {
        const lvl_text name = embedded_name(d->files[i].path);
        if (name.len)
            status = note_file(s, level, &d->files[i], name, index, i);
    }
    if (d && names) {
        for (uint32_t i = 0; i < d->actor_count; i++)
            names[i] = d->actors[i].filename;
        qsort(names, d->actor_count, sizeof *names, lvl_text_order);
    }
    for (uint32_t i = 0; d && i < d->actor_count && status == LVL_OK; i++) {
        if (names[i].len && (!i || !lvl_text_equal(names[i], names[i - 1])))
            status = note(s, names[i], (lvl_bytes){NULL, 0}, index, LVL_NO_INDEX);
    }
    free(names);
    lvl_doc_free(level);
    lvl_buffer_free(&storage);
    return status;
}

static lvl_status note_all(doodads *s)
{
    const lvl_levelpack *p = s->doc->root;
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < p->file_count && status == LVL_OK; i++) {
        const lvl_text name = lvl_levelpack_below(p->files[i].path, doodad_folder);
        if (name.len)
            status = note_file(s, s->doc, &p->files[i], name, PACKED, i);
        else if (lvl_text_has_ending(lvl_levelpack_below(p->files[i].path, level_folder), ".level"))
            status = note_level(s, i);
    }
    return status;
}

/* By name, then by level, the files of each before the use that its actors make. */
static int by_name(const void *a, const void *b)
{
    const doodad *x = a, *y = b;
    const int d = lvl_text_order(&x->name, &y->name);

    if (d)
        return d;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    return (x->file > y->file) - (x->file < y->file);
}

static int by_level(const void *a, const void *b)
{
    const doodad *x = a, *y = b;

    if (x->drop != y->drop)
        return x->drop ? -1 : 1;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    return (x->file > y->file) - (x->file < y->file);
}

static bool same_bytes(lvl_bytes a, lvl_bytes b)
{
    return a.len && a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0;
}

static const char *show(char *buf, lvl_text text)
{
    return lvl_text_show(buf, SHOWN, LVL_CP_UTF8, text);
}

/* Whether all levels that use a doodad of this name, more than one, bring the same along. */
static bool all_bring(const doodad *group, size_t count)
{
    size_t copies = 0;

    for (size_t i = 0; i < count; i++) {
        const doodad *d = &group[i];
        if (d->level == PACKED)
            return false;
        if (d->file == LVL_NO_INDEX) {
            if (!i || group[i - 1].level != d->level)
                return false;
            continue;
        }
        if (!same_bytes(d->bytes, group[0].bytes))
            return false;
        copies++;
    }
    return copies > 1;
}

/* A doodad that several levels bring along, into the pack. */
static lvl_status promote(doodads *s, const doodad *d)
{
    const lvl_field *files = LVL_FIELD(lvl_levelpack, files);
    lvl_levelpack *p = s->doc->root;
    const size_t size = sizeof doodad_folder + d->name.len;
    char shown[SHOWN];

    const lvl_status status = lvl_list_insert(s->doc, p, files, p->file_count, 1);
    if (status != LVL_OK)
        return status;
    lvl_sketchy_file *file = &p->files[p->file_count - 1];
    char *path = lvl_arena_raw(&s->doc->arena, size);
    file->data = (lvl_bytes){lvl_arena_copy(&s->doc->arena, d->bytes.ptr, d->bytes.len), d->bytes.len};
    if (!path || !file->data.ptr)
        return LVL_ERR_MEMORY;
    memcpy(path, doodad_folder, sizeof doodad_folder - 1);
    memcpy(path + sizeof doodad_folder - 1, d->name.ptr, d->name.len);
    file->path = (lvl_text){path, size - 1};
    const lvl_where where = lvl_where_to(lvl_where_root(), files, p->file_count - 1);
    lvl_sketchy_report(s->log, LVL_SKETCHY_F_PACK_DOODAD, &where, "\"%s\" added, for all levels",
                       show(shown, file->path));
    return LVL_OK;
}

/* Marks what can go of the doodads of one name. */
static lvl_status mark(doodads *s, doodad *group, size_t count)
{
    const doodad *theirs = NULL;

    if (group[count - 1].level == PACKED) {
        theirs = &group[count - 1];
    } else if (all_bring(group, count)) {
        const lvl_status status = promote(s, &group[0]);
        if (status != LVL_OK)
            return status;
        theirs = &group[0];
    }
    for (size_t i = 0; theirs && i < count; i++) {
        doodad *d = &group[i];
        const bool twice =
            (i && group[i - 1].level == d->level) ||
            (i + 1 < count && group[i + 1].level == d->level && group[i + 1].file != LVL_NO_INDEX);
        d->drop =
            d->level != PACKED && d->file != LVL_NO_INDEX && !twice && same_bytes(d->bytes, theirs->bytes);
    }
    return LVL_OK;
}

/* Takes what is marked out of a level. */
static lvl_status lighten(doodads *s, const doodad *run, size_t count)
{
    const lvl_field *files = LVL_FIELD(lvl_sketchy, files);
    lvl_levelpack *p = s->doc->root;
    lvl_sketchy_file *holder = &p->files[run->level];
    const lvl_where where = lvl_where_to(lvl_where_root(), LVL_FIELD(lvl_levelpack, files), run->level);
    lvl_buffer storage = {0}, out = {0};
    char shown[SHOWN], name[SHOWN];
    lvl_doc *level = NULL;

    lvl_status status = open_level(s->doc, holder, &storage, &level);
    lvl_sketchy *d = level ? level->root : NULL;
    uint8_t *drop = d ? calloc((size_t)d->file_count + 1, 1) : NULL;
    if (d && !drop)
        status = LVL_ERR_MEMORY;
    const bool stays = d && d->signature.len;
    for (size_t i = 0; d && i < count && status == LVL_OK; i++) {
        drop[run[i].file] = 1;
        lvl_sketchy_report(s->log, LVL_SKETCHY_F_PACK_DOODAD, &where,
                           stays ? "%s stays in \"%s\", which is signed (%llu bytes)"
                                 : "%s removed from \"%s\" (%llu bytes)",
                           show(name, run[i].name), show(shown, holder->path),
                           (unsigned long long)run[i].bytes.len);
    }
    if (d && !stays && status == LVL_OK)
        status = lvl_list_drop(level, d, files, drop);
    if (d && !stays && status == LVL_OK)
        status = lvl_doc_write(level, &out);
    if (d && !stays && status == LVL_OK) {
        holder->data = (lvl_bytes){lvl_arena_copy(&s->doc->arena, out.data, out.len), out.len};
        status = holder->data.ptr ? LVL_OK : LVL_ERR_MEMORY;
    }
    free(drop);
    lvl_doc_free(level);
    lvl_buffer_free(&storage);
    lvl_buffer_free(&out);
    return status;
}

lvl_status lvl_levelpack_dedupe(lvl_doc *doc, lvl_findings *log)
{
    doodads s = {.doc = doc, .log = log};

    lvl_arena_init(&s.arena, doc->ctx);
    lvl_status status = note_all(&s);
    if (s.count)
        qsort(s.items, s.count, sizeof *s.items, by_name);
    for (size_t i = 0, n; i < s.count && status == LVL_OK; i += n) {
        for (n = 1; i + n < s.count && lvl_text_equal(s.items[i].name, s.items[i + n].name);)
            n++;
        status = mark(&s, &s.items[i], n);
    }
    if (s.count)
        qsort(s.items, s.count, sizeof *s.items, by_level);
    for (size_t i = 0, n; i < s.count && s.items[i].drop && status == LVL_OK; i += n) {
        for (n = 1; i + n < s.count && s.items[i + n].drop && s.items[i].level == s.items[i + n].level;)
            n++;
        status = lighten(&s, &s.items[i], n);
    }
    free(s.items);
    lvl_arena_free(&s.arena);
    return status;
}
