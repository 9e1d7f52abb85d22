/*
 * graal/level/graal_repair.c: repairs damaged binary and text levels: removes records of baddies among NPCs
 * and chests, and with --recover turns them back into baddies; ends truncated sections; rewrites parts that
 * can only be read in one way. Odd but undamaged content stays.
 */
#include "base/format.h"
#include "base/hash.h"
#include "graal/level/graal_check.h"
#include "graal/level/graal_findings.h"
#include "graal/level/graal_stale.h"
#include "graal/level/nw_internal.h"

#include <stdio.h>
#include <string.h>

struct repair {
    lvl_doc *doc;
    lvl_graal *level;
    lvl_findings *log;
    bool recover;
};

/* ---- lost baddies ------------------------------------------------------------------------------------ */

/* The baddies of the level, followed by those that are put back, hashed by content. */
typedef struct baddies {
    const lvl_graal_baddy *there;
    uint32_t there_count;
    lvl_graal_baddy *back;
    uint32_t back_count;
    lvl_hash known;
} baddies;

static uint64_t hash_of(const lvl_hash_seed *seed, const lvl_graal_baddy *b)
{
    const lvl_text texts[] = {b->attack, b->hurt, b->win};
    uint64_t hash = seed->start;

    hash = lvl_hash_mix(seed, hash, (uint64_t)(uint32_t)b->x << 32 | (uint32_t)b->y);
    hash = lvl_hash_mix(seed, hash, (uint32_t)b->type);
    for (size_t i = 0; i < LVL_COUNT_OF(texts); i++)
        hash = lvl_hash_mix(seed, hash, lvl_hash_bytes(seed, texts[i].ptr, texts[i].len));
    return hash;
}

static bool is_known(const baddies *all, uint64_t hash, const lvl_graal_baddy *b)
{
    for (lvl_hash_at at = lvl_hash_first(&all->known, hash); at.found; at = lvl_hash_next(&all->known, at)) {
        const lvl_graal_baddy *other =
            at.index < all->there_count ? &all->there[at.index] : &all->back[at.index - all->there_count];
        if (lvl_record_equal(other, b, &lvl_graal_baddy_table))
            return true;
    }
    return false;
}

/* Logs a removed record, and with --recover adds its baddy to those that are put back. */
static lvl_status remove_record(const struct repair *r, uint32_t index, lvl_stale kind, baddies *all)
{
    const lvl_where where = lvl_graal_at(offsetof(lvl_graal, npcs), index);
    const lvl_finding_def *def = &lvl_graal_findings[lvl_graal_stale_finding(kind)];
    char text[LVL_STALE_TEXT];
    lvl_graal_baddy b;

    lvl_graal_stale_text(r->level, index, kind, text);
    const bool whole = lvl_graal_stale_baddy(r->level, index, &r->doc->arena, &b);
    const uint64_t hash = whole ? hash_of(&all->known.seed, &b) : 0;
    if (r->doc->arena.failed)
        return LVL_ERR_MEMORY;
    if (whole && r->recover && !is_known(all, hash, &b)) {
        lvl_findings_add(r->log, def, &where, NULL, "put back %s", text);
        all->back[all->back_count] = b;
        return lvl_hash_add(&all->known, hash, all->there_count + all->back_count++);
    }
    lvl_findings_add(r->log, def, &where, NULL, "removed %s%s", text,
                     !whole       ? ""
                     : r->recover ? ", which is there already"
                                  : " (--recover puts it back)");
    return LVL_OK;
}

static lvl_status put_back(const struct repair *r, const lvl_graal_baddy *back, uint32_t count)
{
    const lvl_field *f = LVL_FIELD(lvl_graal, baddies);
    const uint32_t at = r->level->baddy_count;

    if (!count)
        return LVL_OK;
    lvl_status status = lvl_list_insert(r->doc, r->level, f, at, count);
    if (status == LVL_OK)
        memcpy(r->level->baddies + at, back, count * sizeof *back);
    return status;
}

static lvl_status repair_npcs(const struct repair *r)
{
    const lvl_field *f = LVL_FIELD(lvl_graal, npcs);
    const uint32_t n = r->level->npc_count;
    baddies all = {.there = r->level->baddies, .there_count = r->level->baddy_count};
    uint32_t stale = 0;
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < n; i++)
        stale += lvl_graal_stale_npc(r->level, i) != LVL_STALE_NONE;
    if (!stale)
        return LVL_OK;
    uint8_t *drop = lvl_arena_alloc(&r->doc->arena, n);
    all.back = lvl_arena_array(&r->doc->arena, stale, sizeof *all.back);
    if (!drop || !all.back)
        return LVL_ERR_MEMORY;
    lvl_hash_init(&all.known);
    for (uint32_t i = 0; i < all.there_count && r->recover && status == LVL_OK; i++)
        status = lvl_hash_add(&all.known, hash_of(&all.known.seed, &all.there[i]), i);
    for (uint32_t i = 0; i < n && status == LVL_OK; i++) {
        const lvl_stale kind = lvl_graal_stale_npc(r->level, i);
        drop[i] = kind != LVL_STALE_NONE;
        if (drop[i])
            status = remove_record(r, i, kind, &all);
    }
    lvl_hash_free(&all.known);
    if (status == LVL_OK)
        status = lvl_list_drop(r->doc, r->level, f, drop);
    return status == LVL_OK ? put_back(r, all.back, all.back_count) : status;
}

static lvl_status repair_chests(const struct repair *r)
{
    const lvl_field *f = LVL_FIELD(lvl_graal, chests);
    const uint32_t n = r->level->chest_count;
    uint32_t stale = 0;

    uint8_t *drop = lvl_arena_alloc(&r->doc->arena, n);
    if (!drop)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < n; i++) {
        const char *what = lvl_graal_stale_chest(&r->level->chests[i]);
        const lvl_where where = lvl_graal_at(offsetof(lvl_graal, chests), i);
        drop[i] = what != NULL;
        stale += drop[i];
        if (what)
            lvl_graal_find(r->log, LVL_GRAAL_F_STALE_CHEST, &where, "removed %s, read as a chest", what);
    }
    return stale ? lvl_list_drop(r->doc, r->level, f, drop) : LVL_OK;
}

/* ---- bytes outside records --------------------------------------------------------------------------- */

/* Copies a binary level without an early end mark, and with a line break after the last sign; appends nothing
 * if both are right. */
static lvl_status correct_bytes(const lvl_doc *doc, lvl_bytes file, lvl_buffer *out, lvl_findings *log)
{
    lvl_ctx ctx;
    lvl_findings *reread;
    lvl_position mark = {0}; /* there is at most one */
    bool unended = false;
    lvl_status status = lvl_doc_reread_findings(doc, &ctx, &reread, NULL);

    for (size_t i = 0; status == LVL_OK && i < lvl_findings_count(reread); i++) {
        const lvl_finding *f = lvl_findings_at(reread, i);
        if (f->def == &lvl_graal_findings[LVL_GRAAL_F_SECTION_EARLY]) {
            mark = f->position;
        } else if (f->def == &lvl_graal_findings[LVL_GRAAL_F_SIGN_CUT]) {
            unended = true;
        } else {
            continue;
        }
        lvl_findings_add(log, f->def, &f->where, &f->position, "%s: %s", f->text, f->def->repair);
    }
    if (status == LVL_OK && (mark.bits || unended)) {
        const size_t from = (size_t)(mark.bit / 8), to = from + (size_t)(mark.bits / 8);
        lvl_buffer_add(out, file.ptr, from);
        lvl_buffer_add(out, file.ptr + to, file.len - to);
        if (unended)
            lvl_buffer_u8(out, '\n');
        status = out->status;
    }
    lvl_findings_free(reread);
    return status;
}

/* Reads a level again with corrected bytes outside records. */
static lvl_status repair_bytes(lvl_doc *doc, lvl_findings *log)
{
    lvl_buffer file = {0}, out = {0};
    lvl_status status = lvl_doc_write(doc, &file);

    if (status == LVL_OK && file.len)
        status = correct_bytes(doc, (lvl_bytes){file.data, file.len}, &out, log);
    if (status == LVL_OK && out.len)
        status = lvl_doc_reread(doc, (lvl_bytes){out.data, out.len});
    lvl_buffer_free(&file);
    lvl_buffer_free(&out);
    return status;
}

/* Appends zeros to fewer than 81 heights. */
static lvl_status fill_heights(const struct repair *r)
{
    lvl_graal *level = r->level;
    const lvl_where where = lvl_graal_at(offsetof(lvl_graal, heights), LVL_NO_INDEX);

    if (!level->height_count || level->height_count >= LVL_GRAAL_HEIGHTS)
        return LVL_OK;
    double *heights = lvl_arena_array(&r->doc->arena, LVL_GRAAL_HEIGHTS, sizeof *heights);
    if (!heights)
        return LVL_ERR_MEMORY;
    memcpy(heights, level->heights, level->height_count * sizeof *heights);
    lvl_graal_find(r->log, LVL_GRAAL_F_CUT_COMPLETED, &where, "%lu missing heights set to 0",
                   (unsigned long)(LVL_GRAAL_HEIGHTS - level->height_count));
    level->heights = heights;
    level->height_count = LVL_GRAAL_HEIGHTS;
    return LVL_OK;
}

/* ---- tiles ------------------------------------------------------------------------------------------- */

/* Adds a board of absent tiles. */
static lvl_status add_board(const struct repair *r)
{
    enum { CELLS = LVL_GRAAL_SIDE * LVL_GRAAL_SIDE };
    const lvl_field *f = LVL_FIELD(lvl_graal, layers);
    uint8_t *cells = lvl_arena_raw(&r->doc->arena, CELLS * 2);

    if (!cells)
        return LVL_ERR_MEMORY;
    memset(cells, 0xFF, CELLS * 2);
    const lvl_status status = lvl_list_insert(r->doc, r->level, f, 0, 1);
    if (status == LVL_OK)
        r->level->layers[0].tiles = (lvl_cells){cells, LVL_GRAAL_SIDE, LVL_GRAAL_SIDE, 2};
    return status;
}

/* Binary levels have no absent tiles, so those of a truncated file become tile 0: the first loader of the
 * game and the servers start from a board of zeros. Text levels may have absent tiles. */
static lvl_status fill_tiles(const struct repair *r)
{
    const lvl_field *f = LVL_FIELD(lvl_graal_layer, tiles);

    if (!r->level->layer_count && r->level->version != LVL_GLEVNW01) {
        const lvl_status status = add_board(r);
        if (status != LVL_OK)
            return status;
    }
    for (uint32_t i = 0; i < r->level->layer_count && r->level->version != LVL_GLEVNW01; i++) {
        lvl_graal_layer *layer = &r->level->layers[i];
        const uint32_t n =
            layer->tiles.ptr && layer->tiles.size == 2 ? layer->tiles.width * layer->tiles.height : 0;
        const uint32_t fill = layer->number ? LVL_GRAAL_NOTHING : 0;
        uint32_t absent = 0;
        for (uint32_t k = 0; k < n; k++)
            absent +=
                lvl_cell(&layer->tiles, k % layer->tiles.width, k / layer->tiles.width) == LVL_GRAAL_ABSENT;
        if (!absent)
            continue;
        uint8_t *cells = lvl_cells_edit(r->doc, layer, f);
        if (!cells)
            return LVL_ERR_MEMORY;
        for (uint32_t k = 0; k < n; k++) {
            if (cells[2 * k] == 0xFF && cells[2 * k + 1] == 0xFF) {
                cells[2 * k] = (uint8_t)fill;
                cells[2 * k + 1] = (uint8_t)(fill >> 8);
            }
        }
        const lvl_where where = lvl_where_member(lvl_graal_at(offsetof(lvl_graal, layers), i),
                                                 &lvl_graal_layer_table, offsetof(lvl_graal_layer, tiles));
        lvl_graal_find(r->log, LVL_GRAAL_F_CUT_COMPLETED, &where, "%lu missing tiles set to tile %lu",
                       (unsigned long)absent, (unsigned long)fill);
    }
    return LVL_OK;
}

/* ---- levels ------------------------------------------------------------------------------------------ */

static lvl_status repair_records(const struct repair *r)
{
    lvl_status status = repair_npcs(r);

    if (status == LVL_OK)
        status = repair_chests(r);
    if (status == LVL_OK)
        status = fill_tiles(r);
    return status == LVL_OK ? fill_heights(r) : status;
}

/* Repairs errors found by the reader by rewriting those parts of the file. Bytes that are not in any member
 * are removed from these parts, which is logged; in all other parts they stay. */
static lvl_status repair_binary(const struct repair *r)
{
    bool rewrite[LVL_GRAAL_PARTS + 1] = {false};
    lvl_ctx ctx;
    lvl_findings *found;
    lvl_status status = lvl_doc_reread_findings(r->doc, &ctx, &found, NULL);

    if (status != LVL_OK)
        return status;
    status = repair_records(r);
    bool changes = lvl_findings_count(r->log) > 0;
    for (size_t i = 0; i < lvl_findings_count(found); i++) {
        const lvl_finding *f = lvl_findings_at(found, i);
        changes = changes || f->def->repair;
        if (f->def->repair)
            rewrite[lvl_graal_part_of(f)] = true;
    }
    if (status == LVL_OK && changes && r->level->file.len)
        status = lvl_graal_rewrite_parts(r->doc, rewrite);
    for (size_t i = 0; i < lvl_findings_count(found) && changes; i++) {
        const lvl_finding *f = lvl_findings_at(found, i);
        if (f->def->repair || (lvl_graal_is_unread(f) && rewrite[lvl_graal_part_of(f)]))
            lvl_findings_add(r->log, f->def, &f->where, &f->position, "%s: %s", f->text,
                             f->def->repair ? f->def->repair : "removed");
    }
    lvl_findings_free(found);
    return status;
}

lvl_status lvl_graal_repair(lvl_doc *doc, lvl_repairs *repairs)
{
    const struct repair r = {doc, doc->root, repairs->log, repairs->recover};
    const bool text = r.level->version == LVL_GLEVNW01;

    lvl_status status = text ? lvl_nw_repair(doc, repairs) : repair_bytes(doc, r.log);
    if (status == LVL_OK)
        status = text ? repair_records(&r) : repair_binary(&r);
    if (status == LVL_OK && lvl_findings_count(r.log))
        status = lvl_doc_locate(doc, r.log); /* positions in the original file */
    return status;
}
