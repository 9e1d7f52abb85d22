/*
 * sketchy/pack_check.c: the rules of levelpacks: the index against what is there, each level and doodad
 * inside by its own rules, what is stored twice; and repairing the index.
 */
#include "base/search.h"
#include "base/text.h"
#include "codec/deflate.h"
#include "sketchy/pack.h"
#include "sketchy/sketchy_check.h"
#include "sketchy/repair_parts.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 100 };

static const char level_folder[] = "levels/", doodad_folder[] = "doodads/",
                  embedded_folder[] = "assets/doodads/";

static const char *show(char *buf, lvl_text text)
{
    return lvl_text_show(buf, SHOWN, LVL_CP_UTF8, text);
}

static lvl_where pack_item(size_t list, uint32_t index)
{
    return lvl_where_to(lvl_where_root(), lvl_table_at(&lvl_levelpack_table, list), index);
}

/* A text in a sorted list, and what it stands for. */
typedef struct entry {
    lvl_text name;
    uint32_t index;
    uint32_t crc; /* doodads: of the content, */
    size_t size;  /* its size, */
    bool inside;  /* and whether a level holds it */
} entry;

static int by_name(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    const int d = lvl_text_compare(x->name, y->name);

    return d ? d : (x->index > y->index) - (x->index < y->index);
}

/* Where the entries of that name begin in a sorted list, or would. */
static uint32_t find(const entry *sorted, uint32_t count, lvl_text name)
{
    size_t at;

    LVL_LOWER_BOUND(at, count, lvl_text_compare(sorted[at].name, name) < 0);
    return (uint32_t)at;
}

static bool has(const entry *sorted, uint32_t count, lvl_text name)
{
    const uint32_t at = find(sorted, count, name);

    return at < count && lvl_text_equal(sorted[at].name, name);
}

/* ---- the index --------------------------------------------------------------------------------------- */

/* The levels that are there, and those that the index names, sorted. */
typedef struct levels {
    entry *there, *listed;
    uint32_t there_count, listed_count;
} levels;

static lvl_status gather_levels(const lvl_levelpack *p, levels *out)
{
    out->there_count = out->listed_count = 0;
    out->there = malloc(((size_t)p->file_count + 1) * sizeof *out->there);
    out->listed = malloc(((size_t)p->level_count + 1) * sizeof *out->listed);
    if (!out->there || !out->listed)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < p->file_count; i++) {
        const lvl_text name = lvl_levelpack_below(p->files[i].path, level_folder);
        if (name.len)
            out->there[out->there_count++] = (entry){.name = name, .index = i};
    }
    for (uint32_t i = 0; i < p->level_count; i++)
        out->listed[out->listed_count++] = (entry){.name = p->levels[i].filename, .index = i};
    qsort(out->there, out->there_count, sizeof *out->there, by_name);
    qsort(out->listed, out->listed_count, sizeof *out->listed, by_name);
    return LVL_OK;
}

static void free_levels(levels *l)
{
    free(l->there);
    free(l->listed);
}

static void check_index(const lvl_levelpack *p, const levels *l, lvl_findings *findings)
{
    char shown[SHOWN];

    for (uint32_t i = 0; i < p->level_count; i++) {
        const lvl_where where = pack_item(offsetof(lvl_levelpack, levels), i);
        if (!has(l->there, l->there_count, p->levels[i].filename))
            lvl_sketchy_report(findings, LVL_SKETCHY_F_PACK_MISSING, &where, "\"%s\"",
                               show(shown, p->levels[i].filename));
    }
    for (uint32_t i = 1; i < l->listed_count; i++) {
        const lvl_where where = pack_item(offsetof(lvl_levelpack, levels), l->listed[i].index);
        if (lvl_text_equal(l->listed[i].name, l->listed[i - 1].name))
            lvl_sketchy_report(findings, LVL_SKETCHY_F_PACK_TWICE, &where, "\"%s\"",
                               show(shown, l->listed[i].name));
    }
    for (uint32_t i = 0; i < l->there_count; i++) {
        const lvl_where where = pack_item(offsetof(lvl_levelpack, files), l->there[i].index);
        if (lvl_text_has_ending(l->there[i].name, ".level") &&
            !has(l->listed, l->listed_count, l->there[i].name))
            lvl_sketchy_report(findings, LVL_SKETCHY_F_PACK_UNLISTED, &where, "\"%s\"",
                               show(shown, l->there[i].name));
    }
}

/* What the index says of a level in that file, against what the level says. An entry may lack a text: those
 * of 2022 have no uuid. */
static void check_entries(const lvl_levelpack *p, const levels *l, const lvl_sketchy_file *file,
                          const lvl_sketchy *level, lvl_findings *findings)
{
    const lvl_text name = lvl_levelpack_below(file->path, level_folder);
    char listed[SHOWN], said[SHOWN];

    for (uint32_t i = find(l->listed, l->listed_count, name);
         i < l->listed_count && lvl_text_equal(l->listed[i].name, name); i++) {
        const lvl_levelpack_level *in_index = &p->levels[l->listed[i].index];
        const lvl_where where = pack_item(offsetof(lvl_levelpack, levels), l->listed[i].index);
        const struct {
            const char *name;
            lvl_text listed, said;
        } texts[] = {{"title", in_index->title, level->title},
                     {"author", in_index->author, level->author},
                     {"uuid", in_index->uuid, level->uuid}};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
            if (texts[k].listed.len && texts[k].said.len && !lvl_text_equal(texts[k].listed, texts[k].said))
                lvl_sketchy_report(findings, LVL_SKETCHY_F_PACK_STALE, &where,
                                   "the %s is \"%s\" in the index and \"%s\" in the level", texts[k].name,
                                   show(listed, texts[k].listed), show(said, texts[k].said));
        }
    }
}

/* ---- what is inside ---------------------------------------------------------------------------------- */

/* What the files of a pack are found to hold; names are in the memory of `arena`. */
typedef struct inside {
    const lvl_doc *doc;
    const levels *levels;
    lvl_findings *findings;
    lvl_arena arena;
    entry *uuids, *doodads;
    uint32_t uuid_count, doodad_count;
    size_t doodad_room;
} inside;

static lvl_text keep(inside *s, lvl_text text)
{
    return (lvl_text){lvl_arena_copy(&s->arena, text.ptr, text.len), text.len};
}

static lvl_status add_doodad(inside *s, lvl_text name, lvl_bytes bytes, uint32_t index, bool in_level)
{
    if (!lvl_grow(&s->doodads, &s->doodad_room, (size_t)s->doodad_count + 1, sizeof *s->doodads))
        return LVL_ERR_MEMORY;
    const entry e = {keep(s, name), index, lvl_crc32(bytes), bytes.len, in_level};
    if (name.len && !e.name.ptr)
        return LVL_ERR_MEMORY;
    s->doodads[s->doodad_count++] = e;
    return LVL_OK;
}

/* Doodads that a level brings along. */
static lvl_status gather_embedded(inside *s, const lvl_doc *level, uint32_t index)
{
    const lvl_sketchy *d = level->root;
    lvl_buffer storage = {0};
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < d->file_count && status == LVL_OK; i++) {
        lvl_text name = lvl_levelpack_below(d->files[i].path, embedded_folder);
        lvl_bytes bytes;
        if (!name.len &&
            lvl_text_has_ending(d->files[i].path, ".doodad")) /* v1, v2: as the game names them there */
            name = d->files[i].path;
        if (!name.len)
            continue;
        status = lvl_sketchy_file_data(level, &d->files[i], &storage, &bytes);
        if (status == LVL_OK)
            status = add_doodad(s, name, bytes, index, true);
        else if (status != LVL_ERR_MEMORY)
            status = LVL_OK;
    }
    lvl_buffer_free(&storage);
    return status;
}

static void report_errors(const inside *s, const lvl_findings *inner, uint32_t index, lvl_text path)
{
    const lvl_where where = pack_item(offsetof(lvl_levelpack, files), index);
    const size_t errors = lvl_findings_of(inner, LVL_ERROR) + lvl_findings_of(inner, LVL_FATAL);
    char shown[SHOWN];

    for (size_t i = 0; errors && i < lvl_findings_count(inner); i++) {
        const lvl_finding *f = lvl_findings_at(inner, i);
        if (f->severity < LVL_ERROR)
            continue;
        lvl_sketchy_report(s->findings, LVL_SKETCHY_F_PACK_BAD, &where,
                           "\"%s\": %llu errors, the first is %s: %s", show(shown, path),
                           (unsigned long long)errors, f->def->id, f->text);
        return;
    }
}

static lvl_status check_file(inside *s, uint32_t index)
{
    const lvl_levelpack *p = s->doc->root;
    const lvl_sketchy_file *file = &p->files[index];
    const lvl_text doodad = lvl_levelpack_below(file->path, doodad_folder);
    const lvl_where where = pack_item(offsetof(lvl_levelpack, files), index);
    lvl_buffer storage = {0};
    lvl_doc *level = NULL;
    char shown[SHOWN];
    lvl_bytes bytes;

    if (!lvl_text_has_ending(lvl_levelpack_below(file->path, level_folder), ".level") &&
        !lvl_text_has_ending(doodad, ".doodad"))
        return LVL_OK;
    lvl_findings *inner = lvl_findings_new(s->doc->ctx);
    if (!inner)
        return LVL_ERR_MEMORY;
    lvl_status status = lvl_sketchy_file_data(s->doc, file, &storage, &bytes);
    if (status == LVL_ERR_FORMAT)
        status = LVL_OK;
    if (status == LVL_OK && doodad.len)
        status = add_doodad(s, doodad, bytes, index, false);
    if (status == LVL_OK) {
        status = lvl_read(&level, s->doc->ctx, s->doc->format->calls->members, bytes, NULL, LVL_READ_BORROW,
                          inner);
        if (status == LVL_OK) {
            const lvl_check_request request = {inner, NULL};
            status = lvl_sketchy_check(level, &request);
            if (status == LVL_OK)
                report_errors(s, inner, index, file->path);
        } else if (status != LVL_ERR_MEMORY && status != LVL_ERR_LIMIT) {
            lvl_sketchy_report(s->findings, LVL_SKETCHY_F_PACK_BAD, &where, "\"%s\" cannot be read: %s",
                               show(shown, file->path), lvl_status_text(status));
            status = LVL_OK;
        }
    }
    if (status == LVL_OK && level && !doodad.len) {
        const lvl_sketchy *d = level->root;
        check_entries(p, s->levels, file, d, s->findings);
        if (d->uuid.len) {
            s->uuids[s->uuid_count] = (entry){.name = keep(s, d->uuid), .index = index};
            status = s->uuids[s->uuid_count++].name.ptr ? LVL_OK : LVL_ERR_MEMORY;
        }
        if (status == LVL_OK)
            status = gather_embedded(s, level, index);
    }
    lvl_doc_free(level);
    lvl_findings_free(inner);
    lvl_buffer_free(&storage);
    return status;
}

static void report_doubles(const inside *s)
{
    const lvl_levelpack *p = s->doc->root;
    char shown[SHOWN], first[SHOWN];

    if (s->uuid_count)
        qsort(s->uuids, s->uuid_count, sizeof *s->uuids, by_name);
    for (uint32_t i = 1; i < s->uuid_count; i++) {
        const lvl_where where = pack_item(offsetof(lvl_levelpack, files), s->uuids[i].index);
        if (lvl_text_equal(s->uuids[i].name, s->uuids[i - 1].name))
            lvl_sketchy_report(s->findings, LVL_SKETCHY_F_PACK_UUID, &where, "\"%s\" and \"%s\"",
                               show(first, p->files[s->uuids[i - 1].index].path),
                               show(shown, p->files[s->uuids[i].index].path));
    }
    if (s->doodad_count)
        qsort(s->doodads, s->doodad_count, sizeof *s->doodads, by_name);
    for (uint32_t i = 1; i < s->doodad_count; i++) {
        const entry *a = &s->doodads[i - 1], *b = &s->doodads[i];
        const lvl_where where = pack_item(offsetof(lvl_levelpack, files), b->index);
        char name[SHOWN];
        if (!lvl_text_equal(a->name, b->name))
            continue;
        lvl_sketchy_report(s->findings, LVL_SKETCHY_F_PACK_DOODAD, &where,
                           "%s: in \"%s\" and \"%s\", %s (%llu bytes)", show(name, b->name),
                           show(first, p->files[a->index].path), show(shown, p->files[b->index].path),
                           a->crc == b->crc && a->size == b->size ? "all alike" : "which differ",
                           (unsigned long long)b->size);
    }
}

lvl_status lvl_levelpack_check(const lvl_doc *doc, const lvl_check_request *request)
{
    const lvl_levelpack *p = doc->root;
    levels l = {0};
    inside s = {.doc = doc, .levels = &l, .findings = request->findings};

    lvl_arena_init(&s.arena, doc->ctx);
    lvl_status status = lvl_sketchy_check_files(doc, p->files, p->file_count, LVL_FIELD(lvl_levelpack, files),
                                                request->findings);
    if (status == LVL_OK)
        status = gather_levels(p, &l);
    if (status == LVL_OK) {
        check_index(p, &l, request->findings);
        s.uuids = malloc(((size_t)p->file_count + 1) * sizeof *s.uuids);
        status = s.uuids ? LVL_OK : LVL_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < p->file_count && status == LVL_OK; i++)
        status = check_file(&s, i);
    if (status == LVL_OK)
        report_doubles(&s);
    free(s.uuids);
    free(s.doodads);
    lvl_arena_free(&s.arena);
    free_levels(&l);
    return status;
}

/* ---- repairing ----------------------------------------------------------------------------------------- */

/* Names of levels that aren't UTF-8, which no index can say: what the index calls a level that isn't there,
 * where that is nearly the same, else '_' for each byte that isn't ASCII. */
static lvl_status repair_names(lvl_doc *doc, lvl_findings *log, bool *changed)
{
    enum { FOLDER = sizeof level_folder - 1, ALIKE = 2 };
    lvl_levelpack *p = doc->root;
    char shown[SHOWN], now[SHOWN];

    for (uint32_t i = 0; i < p->file_count; i++) {
        const lvl_text name = lvl_levelpack_below(p->files[i].path, level_folder);
        const lvl_where where = pack_item(offsetof(lvl_levelpack, files), i);
        if (!name.len || lvl_utf8_valid(name))
            continue;
        char *path = lvl_arena_copy(&doc->arena, p->files[i].path.ptr, p->files[i].path.len);
        if (!path)
            return LVL_ERR_MEMORY;
        const char *listed = NULL;
        for (uint32_t k = 0; k < p->level_count && !listed; k++) {
            const lvl_text other = p->levels[k].filename;
            size_t differ = 0;
            for (size_t n = 0; other.len == name.len && n < name.len; n++)
                differ += name.ptr[n] != other.ptr[n];
            if (other.len == name.len && differ <= ALIKE && lvl_utf8_valid(other))
                listed = other.ptr;
        }
        for (size_t n = 0; n < name.len; n++)
            path[FOLDER + n] = listed ? listed[n] : (uint8_t)name.ptr[n] >= 0x80 ? '_' : name.ptr[n];
        lvl_sketchy_report(log, LVL_SKETCHY_F_PACK_MISSING, &where, "\"%s\" renamed to \"%s\"",
                           show(shown, name), show(now, (lvl_text){path + FOLDER, name.len}));
        p->files[i].path.ptr = path;
        *changed = true;
    }
    return LVL_OK;
}

/* A uuid in the index that isn't the level's. Titles and authors may differ on purpose, an id doesn't. */
static lvl_status repair_uuid(lvl_doc *doc, const lvl_sketchy_file *file, const lvl_where *where,
                              lvl_levelpack_level *listed, lvl_findings *log, bool *changed)
{
    lvl_levelpack_level level = {.filename = listed->filename};
    char was[SHOWN], now[SHOWN];

    const lvl_status status = listed->uuid.len ? lvl_levelpack_describe(doc, file, &level) : LVL_OK;
    if (status == LVL_OK && level.uuid.len && !lvl_text_equal(level.uuid, listed->uuid)) {
        lvl_sketchy_report(log, LVL_SKETCHY_F_PACK_STALE, where, "uuid \"%s\" set to the level's, \"%s\"",
                           show(was, listed->uuid), show(now, level.uuid));
        listed->uuid = level.uuid;
        *changed = true;
    }
    return status;
}

static lvl_status repair_index(lvl_doc *doc, lvl_findings *log, bool *changed)
{
    lvl_levelpack *p = doc->root;
    levels l = {0};
    char shown[SHOWN];
    uint32_t kept = 0;

    lvl_status status = repair_names(doc, log, changed);
    if (status == LVL_OK)
        status = gather_levels(p, &l);
    lvl_levelpack_level *list =
        status == LVL_OK
            ? lvl_arena_array(&doc->arena, (size_t)p->level_count + l.there_count + 1, sizeof *list)
            : NULL;
    if (!list)
        status = status == LVL_OK ? LVL_ERR_MEMORY : status;
    for (uint32_t i = 0; i < p->level_count && status == LVL_OK; i++) {
        const lvl_where where = pack_item(offsetof(lvl_levelpack, levels), i);
        const uint32_t at = find(l.there, l.there_count, p->levels[i].filename);
        if (at < l.there_count && lvl_text_equal(l.there[at].name, p->levels[i].filename)) {
            list[kept] = p->levels[i];
            status = repair_uuid(doc, &p->files[l.there[at].index], &where, &list[kept++], log, changed);
            continue;
        }
        lvl_sketchy_report(log, LVL_SKETCHY_F_PACK_MISSING, &where,
                           "\"%s\" is missing: removed from the index", show(shown, p->levels[i].filename));
        *changed = true;
    }
    for (uint32_t i = 0; i < l.there_count && status == LVL_OK; i++) {
        const lvl_where where = pack_item(offsetof(lvl_levelpack, levels), kept);
        const lvl_text name = l.there[i].name;
        /* an index is JSON, and can't hold a name that isn't UTF-8 */
        if (!lvl_text_has_ending(name, ".level") || has(l.listed, l.listed_count, name) ||
            !lvl_utf8_valid(name) || (i && lvl_text_equal(name, l.there[i - 1].name)))
            continue;
        lvl_record_init(&list[kept], &lvl_levelpack_level_table);
        list[kept].filename = name;
        status = lvl_levelpack_describe(doc, &p->files[l.there[i].index], &list[kept++]);
        lvl_sketchy_report(log, LVL_SKETCHY_F_PACK_UNLISTED, &where, "\"%s\" added to the index",
                           show(shown, name));
        *changed = true;
    }
    if (status == LVL_OK && *changed) {
        p->levels = list;
        p->level_count = kept;
    }
    free_levels(&l);
    return status;
}

/* A level or doodad with errors is repaired as if it were a file of its own; those without stay as they are.
 */
static lvl_status repair_file(lvl_doc *doc, uint32_t index, lvl_repairs *repairs, bool *changed,
                              uint8_t *drop)
{
    lvl_levelpack *p = doc->root;
    lvl_sketchy_file *file = &p->files[index];
    const lvl_where where = pack_item(offsetof(lvl_levelpack, files), index);
    lvl_findings *found = lvl_findings_new(doc->ctx), *log = lvl_findings_new(doc->ctx);
    lvl_repairs inner = {log, repairs->art, repairs->recover};
    const lvl_check_request request = {found, NULL};
    lvl_buffer storage = {0}, out = {0};
    lvl_doc *level = NULL;
    char shown[SHOWN];
    lvl_bytes bytes;

    lvl_status status = found && log ? lvl_sketchy_file_data(doc, file, &storage, &bytes) : LVL_ERR_MEMORY;
    if (status == LVL_OK)
        status = lvl_read(&level, doc->ctx, doc->format->calls->members, bytes, NULL, LVL_READ_BORROW, found);
    if (status == LVL_OK)
        status = lvl_sketchy_check(level, &request);
    if (status == LVL_OK && lvl_findings_worst(found) >= LVL_ERROR) {
        status = lvl_sketchy_repair(level, &inner);
        if (status == LVL_OK && lvl_findings_count(log))
            status = lvl_doc_recompute_derived(level);
        if (status == LVL_OK && lvl_findings_count(log))
            status = lvl_doc_write(level, &out);
        if (status == LVL_OK && out.len) {
            file->data = (lvl_bytes){lvl_arena_copy(&doc->arena, out.data, out.len), out.len};
            file->source = 0;
            status = file->data.ptr ? LVL_OK : LVL_ERR_MEMORY;
            for (size_t i = 0; i < lvl_findings_count(log); i++)
                lvl_sketchy_report(repairs->log, LVL_SKETCHY_F_PACK_BAD, &where, "\"%s\": %s: %s",
                                   show(shown, file->path), lvl_findings_at(log, i)->def->id,
                                   lvl_findings_at(log, i)->text);
            *changed = true;
        }
    }
    if (!level && !file->source && file->data.ptr && status != LVL_ERR_MEMORY && status != LVL_ERR_LIMIT) {
        /* its member was broken, and what came out of it says nothing */
        lvl_sketchy_report(repairs->log, LVL_SKETCHY_F_PACK_BAD, &where,
                           "\"%s\": nothing of it can be read: removed", show(shown, file->path));
        *drop = 1;
        *changed = true;
    }
    lvl_doc_free(level);
    lvl_findings_free(found);
    lvl_findings_free(log);
    lvl_buffer_free(&storage);
    lvl_buffer_free(&out);
    return status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT ? status : LVL_OK;
}

lvl_status lvl_levelpack_repair(lvl_doc *doc, lvl_repairs *repairs)
{
    lvl_levelpack *p = doc->root;
    lvl_repairing m;
    bool changed = false;

    lvl_status status = lvl_repairing_begin(&m, doc, repairs);
    if (status == LVL_OK)
        status = lvl_repair_files(&m);
    if (status == LVL_OK)
        status = lvl_repair_names(&m);
    uint8_t *drop = calloc((size_t)p->file_count + 1, 1);
    if (!drop)
        status = LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < p->file_count && status == LVL_OK; i++) {
        const lvl_text path = p->files[i].path;
        if (lvl_text_has_ending(lvl_levelpack_below(path, level_folder), ".level") ||
            lvl_text_has_ending(lvl_levelpack_below(path, doodad_folder), ".doodad"))
            status = repair_file(doc, i, repairs, &changed, &drop[i]);
    }
    if (status == LVL_OK && memchr(drop, 1, p->file_count))
        status = lvl_list_drop(doc, p, LVL_FIELD(lvl_levelpack, files), drop);
    free(drop);
    if (status == LVL_OK)
        status = repair_index(doc, repairs->log, &changed);
    m.changed = m.changed || changed;
    return lvl_repairing_end(&m, status);
}
