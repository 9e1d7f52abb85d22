/*
 * sketchy/pack/check.c: the rules of levelpacks: the index compared with the files, each level and
 * doodad by the rules of drawings, duplicates; and repairing the index.
 */
#include "base/format.h"
#include "sketchy/pack/pack.h"
#include "sketchy/check/check.h"
#include "sketchy/repair/names.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = LVL_SKETCHY_SHOWN };

static lvl_where level_at(uint32_t index)
{
    return lvl_levelpack_item(offsetof(lvl_levelpack, levels), index);
}

static lvl_where file_at(uint32_t index)
{
    return lvl_levelpack_item(offsetof(lvl_levelpack, files), index);
}

/* What is reported from now on is about this file of the pack; NULL: about the pack. */
static void set_member(lvl_findings *findings, const lvl_sketchy_file *file)
{
    lvl_findings_set_member(findings, file ? file->path : (lvl_text){NULL, 0});
}

/* The files of a pack, as far as they were checked. */
typedef struct inside {
    const lvl_doc *doc;
    lvl_findings *findings;
    lvl_names there, listed; /* levels in the pack, and in its index */
    lvl_arena arena; /* of uuids */
    lvl_sort_key *uuids; /* of files */
    uint32_t uuid_count;
    lvl_pack_doodads doodads;
} inside;

/* ---- the index --------------------------------------------------------------------------------------- */

static void check_index(const lvl_levelpack *p, const inside *s)
{
    char shown[SHOWN];

    for (uint32_t i = 0; i < p->level_count; i++) {
        const lvl_where where = level_at(i);
        if (!lvl_names_has(&s->there, p->levels[i].filename))
            lvl_sketchy_report(s->findings, LVL_SKETCHY_F_PACK_MISSING, &where,
                               "\"%s\" is not in the pack: it cannot be played",
                               lvl_sketchy_show(shown, p->levels[i].filename));
    }
    for (uint32_t i = 1; i < s->listed.count; i++) {
        const lvl_text name = s->listed.list[i].name;
        const lvl_where where = level_at(s->listed.list[i].index);
        const uint32_t at = lvl_names_find(&s->there, name);
        set_member(s->findings, at < s->there.count ? &p->files[s->there.list[at].index] : NULL);
        if (lvl_text_equal(name, s->listed.list[i - 1].name))
            lvl_sketchy_report(s->findings, LVL_SKETCHY_F_PACK_TWICE, &where, "\"%s\" is listed twice",
                               lvl_sketchy_show(shown, name));
    }
    for (uint32_t i = 0; i < s->there.count; i++) {
        const lvl_text name = s->there.list[i].name;
        const lvl_where where = file_at(s->there.list[i].index);
        set_member(s->findings, &p->files[s->there.list[i].index]);
        if (lvl_text_has_ending(name, ".level") && !lvl_names_has(&s->listed, name))
            lvl_sketchy_report(s->findings, LVL_SKETCHY_F_PACK_UNLISTED, &where,
                               "\"%s\" is not in the index: players cannot choose it",
                               lvl_sketchy_show(shown, name));
    }
    set_member(s->findings, NULL);
}

/* Compares the entries of a level with the level. An entry may be without a text: those of 2022 have no
 * uuid. */
static void check_entries(const inside *s, lvl_text name, const lvl_sketchy *level)
{
    const lvl_levelpack *p = s->doc->root;
    char listed[SHOWN], actual[SHOWN];

    for (uint32_t i = lvl_names_find(&s->listed, name);
         i < s->listed.count && lvl_text_equal(s->listed.list[i].name, name); i++) {
        const lvl_where where = level_at(s->listed.list[i].index);
        for (uint32_t k = 0; k < lvl_levelpack_level_table.field_count; k++) {
            const lvl_field *f = &lvl_levelpack_level_table.fields[k];
            const lvl_text text = lvl_get_text(&p->levels[s->listed.list[i].index], f);
            const lvl_text *own = lvl_levelpack_own_text(level, f);
            if (own && own->len && text.len && !lvl_text_equal(*own, text))
                lvl_sketchy_report(
                    s->findings, LVL_SKETCHY_F_PACK_STALE, &where,
                    "the %s is \"%s\" in the index, which players see, and \"%s\" in the level", f->name,
                    lvl_sketchy_show(listed, text), lvl_sketchy_show(actual, *own));
        }
    }
}

/* ---- levels and doodads ------------------------------------------------------------------------------ */

/* Reports what is wrong with a level or doodad: its first finding that means damage, or else its first
 * error. */
static void report_errors(const inside *s, const lvl_findings *inner, uint32_t index, lvl_text path)
{
    const lvl_where where = file_at(index);
    const bool damaged = lvl_findings_damage(inner) > 0;
    const size_t errors = lvl_findings_of(inner, LVL_ERROR) + lvl_findings_of(inner, LVL_FATAL);
    char shown[SHOWN];

    for (size_t i = 0; errors && i < lvl_findings_count(inner); i++) {
        const lvl_finding *f = lvl_findings_at(inner, i);
        if (f->severity < LVL_ERROR || (damaged && f->def->severity[LVL_PROFILE_SALVAGE] < LVL_ERROR))
            continue;
        lvl_sketchy_report(s->findings, damaged ? LVL_SKETCHY_F_PACK_BAD : LVL_SKETCHY_F_PACK_FAULTY, &where,
                           "\"%s\": %llu error%s, the first is %s: %s", lvl_sketchy_show(shown, path),
                           (unsigned long long)errors, errors == 1 ? "" : "s", f->def->id, f->text);
        return;
    }
}

static lvl_status gather_level(inside *s, const lvl_doc *level, uint32_t index)
{
    const lvl_sketchy_file *file = &((const lvl_levelpack *)s->doc->root)->files[index];
    const lvl_sketchy *d = level->root;

    check_entries(s, lvl_path_below(file->path, LVL_PACK_LEVELS), d);
    if (d->uuid.len) {
        const lvl_text uuid = {lvl_arena_copy(&s->arena, d->uuid.ptr, d->uuid.len), d->uuid.len};
        if (!uuid.ptr)
            return LVL_ERR_MEMORY;
        s->uuids[s->uuid_count++] = (lvl_sort_key){uuid, index};
    }
    return lvl_pack_doodads_add_level(&s->doodads, level, index);
}

static lvl_status check_named(inside *s, uint32_t index)
{
    const lvl_sketchy_file *file = &((const lvl_levelpack *)s->doc->root)->files[index];
    const bool is_level = lvl_levelpack_is_level(file->path);
    const lvl_where where = file_at(index);
    lvl_buffer storage = {0};
    lvl_doc *level = NULL;
    char shown[SHOWN];

    if (!is_level && !lvl_levelpack_is_doodad(file->path))
        return LVL_OK;
    lvl_findings *inner = lvl_findings_new(s->doc->ctx);
    if (!inner)
        return LVL_ERR_MEMORY;
    lvl_status status = is_level ? LVL_OK : lvl_pack_doodads_add_file(&s->doodads, s->doc, index);
    if (status == LVL_OK)
        status = lvl_sketchy_open_file(s->doc, file, &storage, inner, &level);
    if (level) {
        const lvl_check_request request = {.findings = inner};
        status = lvl_sketchy_check(level, &request);
        if (status == LVL_OK)
            report_errors(s, inner, index, file->path);
        if (status == LVL_OK && is_level)
            status = gather_level(s, level, index);
    } else if (status != LVL_ERR_MEMORY && status != LVL_ERR_LIMIT) {
        lvl_sketchy_report(s->findings, LVL_SKETCHY_F_PACK_BAD, &where, "\"%s\" cannot be read: %s",
                           lvl_sketchy_show(shown, file->path), lvl_status_text(status));
        status = LVL_OK;
    }
    lvl_doc_free(level);
    lvl_findings_free(inner);
    lvl_buffer_free(&storage);
    return status;
}

static lvl_status check_file(inside *s, uint32_t index)
{
    set_member(s->findings, &((const lvl_levelpack *)s->doc->root)->files[index]);
    const lvl_status status = check_named(s, index);
    set_member(s->findings, NULL);
    return status;
}

static void check_uuids(inside *s)
{
    const lvl_levelpack *p = s->doc->root;
    char first[SHOWN], second[SHOWN];

    qsort(s->uuids, s->uuid_count, sizeof *s->uuids, lvl_sort_key_order);
    for (uint32_t i = 1; i < s->uuid_count; i++) {
        const lvl_where where = file_at(s->uuids[i].index);
        set_member(s->findings, &p->files[s->uuids[i].index]);
        if (lvl_text_equal(s->uuids[i].name, s->uuids[i - 1].name))
            lvl_sketchy_report(s->findings, LVL_SKETCHY_F_PACK_UUID, &where,
                               "\"%s\" and \"%s\" have the same uuid, so they share their best times",
                               lvl_sketchy_show(first, p->files[s->uuids[i - 1].index].path),
                               lvl_sketchy_show(second, p->files[s->uuids[i].index].path));
    }
    set_member(s->findings, NULL);
}

lvl_status lvl_levelpack_check(const lvl_doc *doc, const lvl_check_request *request)
{
    const lvl_levelpack *p = doc->root;
    inside s = {.doc = doc, .findings = request->findings};

    lvl_arena_init(&s.arena, doc->ctx);
    lvl_pack_doodads_init(&s.doodads, doc->ctx);
    s.uuids = malloc(((size_t)p->file_count + 1) * sizeof *s.uuids);
    lvl_status status = s.uuids ? LVL_OK : LVL_ERR_MEMORY;
    if (status == LVL_OK)
        status = lvl_sketchy_check_files(doc, p->files, p->file_count, LVL_FIELD(lvl_levelpack, files),
                                         request->findings);
    if (status == LVL_OK)
        status = lvl_names_below(&s.there, p->files, p->file_count, LVL_PACK_LEVELS);
    if (status == LVL_OK)
        status = lvl_names_of(&s.listed, p->levels, p->level_count, sizeof *p->levels,
                              offsetof(lvl_levelpack_level, filename));
    if (status == LVL_OK)
        check_index(p, &s);
    for (uint32_t i = 0; i < p->file_count && status == LVL_OK; i++)
        status = check_file(&s, i);
    if (status == LVL_OK) {
        check_uuids(&s);
        lvl_pack_doodads_report(&s.doodads, p, request->findings);
    }
    free(s.uuids);
    lvl_names_free(&s.there);
    lvl_names_free(&s.listed);
    lvl_pack_doodads_free(&s.doodads);
    lvl_arena_free(&s.arena);
    return status;
}

/* ---- repairing ----------------------------------------------------------------------------------------- */

/* Sets a uuid in the index to the level's. Titles and authors may differ on purpose, an id does not. */
static lvl_status repair_uuid(lvl_doc *doc, const lvl_sketchy_file *file, const lvl_where *where,
                              lvl_levelpack_level *listed, lvl_findings *log, bool *changed)
{
    lvl_levelpack_level level = {.filename = listed->filename};
    char was[SHOWN], now[SHOWN];

    const lvl_status status = listed->uuid.len ? lvl_levelpack_describe(doc, file, &level) : LVL_OK;
    if (status == LVL_OK && level.uuid.len && !lvl_text_equal(level.uuid, listed->uuid)) {
        lvl_sketchy_report(log, LVL_SKETCHY_F_PACK_STALE, where, "uuid \"%s\" set to the level's, \"%s\"",
                           lvl_sketchy_show(was, listed->uuid), lvl_sketchy_show(now, level.uuid));
        listed->uuid = level.uuid;
        *changed = true;
    }
    return status;
}

/* `lost`: the index was damaged. */
static lvl_status repair_index(lvl_doc *doc, const lvl_repairs *repairs, bool lost, bool *changed)
{
    const lvl_finding_def *const stale = &lvl_sketchy_findings[LVL_SKETCHY_F_PACK_STALE],
                                 *const unlisted = &lvl_sketchy_findings[LVL_SKETCHY_F_PACK_UNLISTED];
    lvl_findings *const log = repairs->log;
    lvl_levelpack *p = doc->root;
    lvl_names there = {NULL, 0};
    bool removed = false; /* an entry, which may be that of a level that is not listed then */
    char shown[SHOWN];

    lvl_status status = lvl_names_below(&there, p->files, p->file_count, LVL_PACK_LEVELS);
    uint8_t *drop = calloc((size_t)p->level_count + 1, 1);
    if (!drop)
        status = LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < p->level_count && status == LVL_OK; i++) {
        const lvl_where where = level_at(i);
        const uint32_t at = lvl_names_find(&there, p->levels[i].filename);
        drop[i] = at == there.count;
        if (!drop[i]) {
            if (lvl_repairs_wants(repairs, doc->ctx, stale))
                status =
                    repair_uuid(doc, &p->files[there.list[at].index], &where, &p->levels[i], log, changed);
            continue;
        }
        removed = true;
        lvl_sketchy_report(log, LVL_SKETCHY_F_PACK_MISSING, &where,
                           "\"%s\" is missing: removed from the index",
                           lvl_sketchy_show(shown, p->levels[i].filename));
        *changed = true;
    }
    if (status == LVL_OK && *changed)
        status = lvl_list_drop(doc, p, LVL_FIELD(lvl_levelpack, levels), drop);
    const uint32_t kept = p->level_count;
    if (status == LVL_OK && (lost || removed || lvl_repairs_wants(repairs, doc->ctx, unlisted)))
        status = lvl_levelpack_list_missing(doc);
    for (uint32_t i = kept; i < p->level_count && status == LVL_OK; i++) {
        const lvl_where where = level_at(i);
        lvl_sketchy_report(log, LVL_SKETCHY_F_PACK_UNLISTED, &where, "\"%s\" added to the index",
                           lvl_sketchy_show(shown, p->levels[i].filename));
        *changed = true;
    }
    free(drop);
    lvl_names_free(&there);
    return status;
}

/* Repairs a level or doodad that has errors like a separate file; others are not changed. */
static lvl_status repair_named(lvl_doc *doc, uint32_t index, lvl_repairs *repairs, bool *changed,
                               uint8_t *drop)
{
    lvl_levelpack *p = doc->root;
    lvl_sketchy_file *file = &p->files[index];
    const lvl_where where = file_at(index);
    lvl_findings *found = lvl_findings_new(doc->ctx), *log = lvl_findings_new(doc->ctx);
    lvl_repairs inner = {log, repairs->art, repairs->recover, repairs->normalize};
    const lvl_check_request request = {.findings = found};
    lvl_buffer storage = {0}, out = {0};
    lvl_doc *level = NULL;
    char shown[SHOWN];

    lvl_status status =
        found && log ? lvl_sketchy_open_file(doc, file, &storage, found, &level) : LVL_ERR_MEMORY;
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
                                   lvl_sketchy_show(shown, file->path), lvl_findings_at(log, i)->def->id,
                                   lvl_findings_at(log, i)->text);
            *changed = true;
        }
    }
    if (!level && !file->source && file->data.ptr && status != LVL_ERR_MEMORY && status != LVL_ERR_LIMIT) {
        /* its member was broken, and the part that could be inflated is not a drawing */
        lvl_sketchy_report(repairs->log, LVL_SKETCHY_F_PACK_BAD, &where,
                           "\"%s\": nothing of it can be read: removed", lvl_sketchy_show(shown, file->path));
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

static lvl_status repair_file(lvl_doc *doc, uint32_t index, lvl_repairs *repairs, bool *changed,
                              uint8_t *drop)
{
    set_member(repairs->log, &((const lvl_levelpack *)doc->root)->files[index]);
    const lvl_status status = repair_named(doc, index, repairs, changed, drop);
    set_member(repairs->log, NULL);
    return status;
}

/* Whether entries of the index may be lost with the part of the pack that has it. */
static bool is_index_lost(const lvl_repairing *m)
{
    return m->found[LVL_SKETCHY_F_JSON] || m->found[LVL_SKETCHY_F_NO_DOCUMENT] ||
           m->found[LVL_SKETCHY_F_ZIP_MEMBER] || m->found[LVL_SKETCHY_F_ZIP_LOST] ||
           m->found[LVL_SKETCHY_F_ZIP_DIRECTORY];
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
        if (lvl_levelpack_is_level(p->files[i].path) || lvl_levelpack_is_doodad(p->files[i].path))
            status = repair_file(doc, i, repairs, &changed, &drop[i]);
    }
    if (status == LVL_OK && memchr(drop, 1, p->file_count))
        status = lvl_list_drop(doc, p, LVL_FIELD(lvl_levelpack, files), drop);
    free(drop);
    if (status == LVL_OK)
        status = repair_index(doc, repairs, is_index_lost(&m), &changed);
    m.changed = m.changed || changed;
    return lvl_repairing_end(&m, status);
}
