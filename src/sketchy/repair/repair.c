/*
 * sketchy/repair/repair.c: repairs drawings: pixels without a swatch, pixels of other chunks, runs
 * that are too long; duplicate swatches; streams that can't be read; links to missing actors; and, by
 * sketchy/repair/parts.c, the archive. Sound parts keep their bytes.
 */
#include "sketchy/model/names.h"
#include "sketchy/zip/recover.h"
#include "sketchy/repair/names.h"

#include "base/cursor.h"
#include "base/text.h"
#include "base/work.h"
#include "sketchy/zip/members.h"
#include "sketchy/chunks/paint.h"
#include "sketchy/drawing/convert.h"
#include "sketchy/check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CELLS = LVL_SKETCHY_CHUNK_SIZE_MAX * LVL_SKETCHY_CHUNK_SIZE_MAX };

struct repair {
    lvl_repairing m;
    lvl_doc *doc;
    lvl_sketchy *d;
    lvl_findings *log;
    lvl_buffer inflated;
    lvl_buffer foreign; /* foreign_pixel: of the current layer */
    uint8_t *grid, *beside; /* scratch memory, each for a chunk of the largest size */
    uint16_t *remap; /* the new index of each swatch; NULL: unchanged */
    uint8_t *drop; /* swatches to remove */
};

static bool wants(const struct repair *r, size_t what)
{
    return lvl_repairs_wants(r->m.repairs, r->doc->ctx, &lvl_sketchy_findings[what]);
}

static bool size_fits(uint32_t size)
{
    return size >= 1 && size <= LVL_SKETCHY_CHUNK_SIZE_MAX;
}

/* ---- the archive ------------------------------------------------------------------------------------- */

static lvl_status repair_archive(struct repair *r)
{
    const lvl_status status = lvl_repair_files(&r->m);

    if (r->m.found[LVL_SKETCHY_F_GZIP_CUT] || r->m.found[LVL_SKETCHY_F_GZIP_BAD])
        r->d->gzip = (lvl_bytes){NULL, 0};
    return status == LVL_OK ? lvl_repair_names(&r->m) : status;
}

/* ---- chunk sizes ------------------------------------------------------------------------------------- */

static void set_size(struct repair *r, lvl_sketchy_layer *layer, uint32_t size)
{
    layer->size = size;
    for (uint32_t k = 0; k < layer->chunk_count; k++) {
        if (!layer->chunks[k].pixels.ptr)
            layer->chunks[k].pixels = (lvl_cells){NULL, size, size, 2};
    }
    r->m.changed = true;
}

/* Replaces a size that is impossible or that the chunks contradict by the one that fits most chunks. */
static lvl_status repair_sizes(struct repair *r)
{
    for (uint32_t i = 0; i < r->d->layer_count; i++) {
        lvl_sketchy_layer *layer = &r->d->layers[i];
        const lvl_where where = lvl_sketchy_item(offsetof(lvl_sketchy, layers), i);
        const bool can = size_fits(layer->size);
        uint32_t size = layer->size;
        bool sure;
        const lvl_status status = lvl_sketchy_infer_size(r->doc, layer, &size, &sure);
        if (status != LVL_OK)
            return status;
        if (can ? !sure : size == layer->size)
            continue;
        lvl_sketchy_report(r->log, LVL_SKETCHY_F_CHUNK_SIZE, &where,
                           "chunks of %lu px: set to %lu, inferred from their content",
                           (unsigned long)layer->size, (unsigned long)size);
        set_size(r, layer, size);
    }
    return LVL_OK;
}

/* ---- palette ----------------------------------------------------------------------------------------- */

static lvl_status highest_index(struct repair *r, uint32_t *most)
{
    *most = 0;
    for (uint32_t i = 0; i < r->d->layer_count; i++) {
        const lvl_sketchy_layer *layer = &r->d->layers[i];
        for (uint32_t k = 0; k < layer->chunk_count && size_fits(layer->size); k++) {
            lvl_chunk_look look;
            const lvl_status status = lvl_sketchy_look(r->doc, &layer->chunks[k], layer->size, UINT32_MAX,
                                                       &r->inflated, r->grid, &look);
            if (status != LVL_OK)
                return status;
            if (look.report.pixels && look.report.most + 1 > *most)
                *most = look.report.most + 1;
        }
    }
    return LVL_OK;
}

/* A grey for a swatch whose colour is unknown; it depends on the index. */
static lvl_text grey_name(struct repair *r, uint32_t index)
{
    const unsigned v = 32 + index * 53 % 160;
    char color[16];

    snprintf(color, sizeof color, "#%02x%02x%02x", v, v, v);
    return lvl_doc_text(r->doc, lvl_text_of(color));
}

/* The palette follows the chunks, so a truncated file has lost it; its pixels get grey swatches. */
static lvl_status restore_palette(struct repair *r)
{
    const lvl_where where = lvl_sketchy_at(offsetof(lvl_sketchy, swatches));
    const uint32_t have = r->d->swatch_count;
    uint32_t need, gone = 0;

    if (!r->m.found[LVL_SKETCHY_F_JSON] && !r->m.found[LVL_SKETCHY_F_NO_DOCUMENT] && have)
        return LVL_OK;
    lvl_status status = highest_index(r, &need);
    if (need > LVL_SKETCHY_COLORS)
        need = LVL_SKETCHY_COLORS;
    if (status == LVL_OK && need > have)
        status = lvl_list_insert(r->doc, r->d, LVL_FIELD(lvl_sketchy, swatches), have, need - have);
    for (uint32_t i = 0; i < r->d->swatch_count && status == LVL_OK; i++) {
        lvl_sketchy_swatch *s = &r->d->swatches[i];
        char name[32];
        if (s->color.len)
            continue;
        snprintf(name, sizeof name, "lost %lu", (unsigned long)i);
        if (!s->name.len)
            s->name = lvl_doc_text(r->doc, lvl_text_of(name));
        s->color = grey_name(r, i);
        status = s->name.ptr && s->color.ptr ? LVL_OK : LVL_ERR_MEMORY;
        gone++;
    }
    if (status != LVL_OK || !gone)
        return status;
    r->m.changed = true;
    lvl_sketchy_report(r->log, LVL_SKETCHY_F_PALETTE_LOST, &where, "%lu swatches are lost: replaced by greys",
                       (unsigned long)gone);
    return LVL_OK;
}

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (lvl_lower(c) >= 'a' && lvl_lower(c) <= 'f');
}

/* A valid colour for an invalid one: its digits, with 0 for the others, if at least four are valid; else a
 * grey. */
static lvl_text repaired_color(struct repair *r, uint32_t index)
{
    const lvl_text color = r->d->swatches[index].color;
    const size_t from = color.len && color.ptr[0] == '#';
    char digits[8] = "#000000";
    size_t good = 0;

    for (size_t i = 0; i < 6 && from + i < color.len; i++) {
        if (!is_hex(color.ptr[from + i]))
            continue;
        digits[i + 1] = lvl_lower(color.ptr[from + i]);
        good++;
    }
    return good >= 4 ? lvl_doc_text(r->doc, lvl_text_of(digits)) : grey_name(r, index);
}

static lvl_status repair_colors(struct repair *r)
{
    for (uint32_t i = 0; i < r->d->swatch_count; i++) {
        lvl_sketchy_swatch *s = &r->d->swatches[i];
        const lvl_where where = lvl_sketchy_item(offsetof(lvl_sketchy, swatches), i);
        char was[80];
        uint8_t rgba[4];
        if (lvl_sketchy_color(s->color, rgba))
            continue;
        lvl_text_show(was, sizeof was, LVL_CP_UTF8, s->color);
        s->color = repaired_color(r, i);
        if (!s->color.ptr)
            return LVL_ERR_MEMORY;
        r->m.changed = true;
        lvl_sketchy_report(r->log, LVL_SKETCHY_F_COLOR, &where, "\"%s\" set to %.*s", was, (int)s->color.len,
                           s->color.ptr);
    }
    return LVL_OK;
}

/* Finds duplicate swatches. In zipped doodads the first four stay, since the game gives a meaning to their
 * positions. */
static lvl_status plan_palette(struct repair *r)
{
    const lvl_sketchy *d = r->d;
    const uint32_t fixed = d->kind == LVL_SKETCHY_DOODAD && d->generation >= LVL_SKETCHY_V3 ? 4 : 0;
    const uint32_t count =
        d->swatch_count < 4 * LVL_SKETCHY_COLORS ? d->swatch_count : 4 * LVL_SKETCHY_COLORS;
    uint32_t gone = 0;

    if (!wants(r, LVL_SKETCHY_F_SWATCH_DOUBLE))
        return LVL_OK;
    r->remap = malloc(((size_t)count + 1) * sizeof *r->remap);
    r->drop = calloc((size_t)d->swatch_count + 1, 1);
    if (!r->remap || !r->drop)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t first = i < fixed ? i : lvl_sketchy_first_swatch(d, i);
        const lvl_where where = lvl_sketchy_item(offsetof(lvl_sketchy, swatches), i);
        char shown[80];
        if (first == i) {
            r->remap[i] = (uint16_t)(i - gone);
            continue;
        }
        r->remap[i] = r->remap[first];
        r->drop[i] = 1;
        gone++;
        lvl_text_show(shown, sizeof shown, LVL_CP_UTF8, d->swatches[i].name);
        lvl_sketchy_report(r->log, LVL_SKETCHY_F_SWATCH_DOUBLE, &where, "\"%s\" merged with number %lu",
                           shown, (unsigned long)first);
    }
    if (!gone || count < d->swatch_count) {
        free(r->remap);
        r->remap = NULL;
    }
    return LVL_OK;
}

/* Removes duplicate swatches, after repair_chunks changed the indices of their px. */
static lvl_status drop_swatches(struct repair *r)
{
    if (!r->remap)
        return LVL_OK;
    r->m.changed = true;
    return lvl_list_drop(r->doc, r->d, LVL_FIELD(lvl_sketchy, swatches), r->drop);
}

/* ---- pixels that another chunk owns ------------------------------------------------------------------ */

/* Such pixels come from programs that compute chunks of negative coordinates differently, and from chunks
 * whose names were damaged. The game ignores them. */
typedef struct foreign_pixel {
    int32_t x, y; /* of the chunk that owns it */
    uint32_t cell;
    uint16_t index;
} foreign_pixel;

/* Collects px of other chunks that a chunk lists, except those with an index that the palette does not have
 * or that are far away. `keyless`: its key is invalid, so all of its px belong to other chunks. */
static lvl_status collect_foreign(struct repair *r, uint32_t source, uint32_t size, bool keyless,
                                  const lvl_where *where)
{
    enum { FAR = 64 /* chunks */ };
    const lvl_source *s = lvl_sketchy_source(r->doc, source);
    lvl_buffer list = {.max = lvl_memory_share(r->doc->ctx)};
    unsigned long all = 0;
    lvl_bytes stream;

    const lvl_chunk_place place = {keyless ? INT32_MIN : s->x, keyless ? INT32_MIN : s->y, size};
    r->foreign.max = list.max;
    lvl_status status = lvl_sketchy_source_bytes(r->doc, s, &r->inflated, &stream, NULL);
    if (status == LVL_OK)
        status = lvl_chunk_foreign(s->encoding, stream, &place, r->beside, NULL, &list);
    for (size_t i = 0; status == LVL_OK && i < list.len; i += sizeof(lvl_chunk_pixel)) {
        lvl_chunk_pixel p;
        memcpy(&p, list.data + i, sizeof p);
        if (!p.x && !p.y && !p.index && !keyless)
            continue; /* lvl_chunk_report.phantom */
        const int64_t x = lvl_sketchy_chunk_of(p.x, size), y = lvl_sketchy_chunk_of(p.y, size);
        const bool far = !keyless && (llabs(x - s->x) > FAR || llabs(y - s->y) > FAR);
        all++;
        if (p.index >= r->d->swatch_count || p.index >= LVL_SKETCHY_NONE || far || x < INT32_MIN ||
            x > INT32_MAX || y < INT32_MIN || y > INT32_MAX)
            continue;
        const foreign_pixel f = {.x = (int32_t)x,
                                 .y = (int32_t)y,
                                 .cell = (uint32_t)((p.y - y * size) * size + (p.x - x * size)),
                                 .index = (uint16_t)p.index};
        lvl_buffer_add(&r->foreign, &f, sizeof f);
    }
    lvl_buffer_free(&list);
    if (all && !keyless)
        lvl_sketchy_report(r->log, LVL_SKETCHY_F_OUTSIDE, where,
                           "%lu px of other chunks moved to them; removed where something is drawn, or where "
                           "that is far away",
                           all);
    if (status == LVL_OK)
        status = r->foreign.status;
    return status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT ? status : LVL_OK;
}

/* Copies the scratch grid to the document's memory, as the chunk's pixels. */
static lvl_status keep_grid(struct repair *r, lvl_sketchy_chunk *c, uint32_t size, uint8_t **cells)
{
    const uint32_t was = c->source;

    *cells = lvl_arena_copy(&r->doc->arena, r->grid, (size_t)size * size * 2);
    if (!*cells)
        return LVL_ERR_MEMORY;
    c->pixels = (lvl_cells){*cells, size, size, 2};
    c->source = 0;
    return lvl_repairing_replace(&r->m, was);
}

/* Decodes a chunk into a grid of the document's memory that can be written to. */
static lvl_status open_chunk(struct repair *r, lvl_sketchy_chunk *c, uint32_t size, uint8_t **cells)
{
    lvl_chunk_look look;

    const lvl_status status = lvl_sketchy_look(r->doc, c, size, UINT32_MAX, &r->inflated, r->grid, &look);
    return status == LVL_OK ? keep_grid(r, c, size, cells) : status;
}

/* Copies the collected px to empty cells of their chunks, which are added if missing. */
static lvl_status place_foreign(struct repair *r, lvl_sketchy_layer *layer)
{
    enum { MAX_NEW = 4096 };
    const foreign_pixel *pixels = (const foreign_pixel *)(const void *)r->foreign.data;
    const uint32_t size = layer->size, capacity = layer->chunk_count + MAX_NEW;
    lvl_hash index;

    if (!r->foreign.len)
        return LVL_OK;
    uint8_t **grids = calloc(capacity, sizeof *grids); /* of decoded chunks */
    if (!grids)
        return LVL_ERR_MEMORY;
    lvl_status status = lvl_sketchy_index_chunks(&index, layer);
    /* of two px in one cell the later counts, as in a list */
    for (size_t n = r->foreign.len / sizeof *pixels; n-- > 0 && status == LVL_OK;) {
        const foreign_pixel *p = &pixels[n];
        const uint32_t found = lvl_sketchy_find_chunk(&index, layer, p->x, p->y);
        const uint32_t k = found == LVL_NO_INDEX ? layer->chunk_count : found;
        if (k == capacity)
            continue;
        if (found == LVL_NO_INDEX) {
            r->m.changed = true;
            status = lvl_sketchy_add_chunk(r->doc, &index, layer, p->x, p->y, &grids[k]);
        } else if (!grids[k]) {
            status = open_chunk(r, &layer->chunks[k], size, &grids[k]);
        }
        uint8_t *cell = status == LVL_OK ? grids[k] + (size_t)p->cell * 2 : NULL;
        if (cell && lvl_load_u16le(cell) == LVL_SKETCHY_NONE)
            lvl_store_u16le(cell, r->remap ? r->remap[p->index] : p->index);
    }
    lvl_hash_free(&index);
    free(grids);
    return status;
}

/* ---- chunks ------------------------------------------------------------------------------------------ */

/* Removes px without a swatch from the grid, and sets the others to their swatch's new index; true if any
 * changed. */
static bool repair_grid(const struct repair *r, uint32_t size)
{
    const size_t cells = (size_t)size * size;
    bool changed = false;

    for (size_t i = 0; i < cells; i++) {
        const uint16_t index = lvl_load_u16le(r->grid + i * 2);
        if (index == LVL_SKETCHY_NONE)
            continue;
        const uint16_t now = index >= r->d->swatch_count ? LVL_SKETCHY_NONE
                             : r->remap                  ? r->remap[index]
                                                         : index;
        if (now != index) {
            lvl_store_u16le(r->grid + i * 2, now);
            changed = true;
        }
    }
    return changed;
}

static bool is_empty(const uint8_t *grid, uint32_t size)
{
    for (size_t i = 0; i < (size_t)size * size * 2; i++) {
        if (grid[i] != 0xFF)
            return false;
    }
    return true;
}

/* Says which part of the drawing a damaged chunk is, so that a person can look at it. */
static void log_damage(const struct repair *r, const lvl_sketchy_chunk *c, uint32_t size,
                       const lvl_where *where, bool dropped)
{
    const int64_t x = (int64_t)c->x * size, y = (int64_t)c->y * size;
    char place[200];

    snprintf(place, sizeof place, "chunk %ld,%ld, px %lld,%lld to %lld,%lld of the drawing", (long)c->x,
             (long)c->y, (long long)x, (long long)y, (long long)x + size - 1, (long long)y + size - 1);
    lvl_sketchy_report(r->log, LVL_SKETCHY_F_CHUNK_BAD, where,
                       dropped
                           ? "%s: nothing of it can be read: removed"
                           : "%s: kept what can be read of it; look at it, some of its pixels may be wrong",
                       place);
}

static bool is_too_long(const lvl_chunk_look *look, uint32_t size)
{
    return look->encoded && look->encoding == LVL_SKETCHY_CHUNK_RUNS &&
           look->report.total > (uint64_t)size * size;
}

/* Logs the repairs of a chunk that is encoded again. */
static void log_chunk(const struct repair *r, const lvl_sketchy_chunk *c, const lvl_chunk_look *look,
                      uint32_t size, const lvl_where *where, bool dropped)
{
    const lvl_chunk_report *p = &look->report;

    if (look->encoded && (p->bad || look->unsound || p->trailing)) {
        log_damage(r, c, size, where, dropped);
    } else if (look->encoded && p->partial) {
        lvl_sketchy_report(r->log, LVL_SKETCHY_F_CHUNK_PARTIAL, where,
                           "written without the entry that it ends inside");
    }
    if (p->phantom)
        lvl_sketchy_report(r->log, LVL_SKETCHY_F_PHANTOM, where, "px 0,0 of the world removed from it");
    if (p->broken)
        lvl_sketchy_report(r->log, LVL_SKETCHY_F_PIXEL_BROKEN, where, "%lu entr%s removed",
                           (unsigned long)p->broken, p->broken == 1 ? "y" : "ies");
    if (is_too_long(look, size))
        lvl_sketchy_report(r->log, LVL_SKETCHY_F_RUNS_LONG, where, "runs of %llu px cut at %lu",
                           (unsigned long long)p->total, (unsigned long)size * size);
    if (p->wide || look->over)
        lvl_sketchy_report(r->log, LVL_SKETCHY_F_INDEX, where, "%lu px without a colour removed",
                           (unsigned long)p->wide + look->over);
}

static lvl_status repair_chunk(struct repair *r, uint32_t layer, uint32_t index, uint8_t *drop)
{
    const uint32_t size = r->d->layers[layer].size;
    lvl_sketchy_chunk *c = &r->d->layers[layer].chunks[index];
    const lvl_where where = lvl_sketchy_chunk_at(layer, index);
    const uint32_t was = c->source;
    lvl_chunk_look look;

    lvl_status status = lvl_sketchy_look(r->doc, c, size, r->d->swatch_count, &r->inflated, r->grid, &look);
    if (status != LVL_OK)
        return status;
    int32_t x, y;
    const bool keyless =
        look.encoded && look.encoding != LVL_SKETCHY_CHUNK_RUNS && !lvl_sketchy_key(c->key, &x, &y);
    if (keyless) {
        status = collect_foreign(r, was, size, true, &where);
        *drop = 1;
        lvl_sketchy_report(r->log, LVL_SKETCHY_F_CHUNK_KEY, &where,
                           "its key is invalid: its px moved to the chunks that own them");
        return status == LVL_OK ? lvl_repairing_replace(&r->m, was) : status;
    }
    const bool changed = repair_grid(r, size);
    const lvl_chunk_report *p = &look.report;
    const bool wrong = changed || p->broken || p->wide || look.over ||
                       (look.encoded && (p->bad || look.unsound || p->trailing || p->partial)) ||
                       is_too_long(&look, size);
    if (!wrong && !(p->phantom && wants(r, LVL_SKETCHY_F_PHANTOM)) &&
        !(p->outside > p->phantom && wants(r, LVL_SKETCHY_F_OUTSIDE)))
        return LVL_OK;
    const bool damaged = look.encoded && (look.report.bad || look.unsound || look.report.outside);
    const uint32_t foreign = look.encoded ? look.report.outside - look.report.phantom : 0;
    /* a broken stream's px for other chunks are mostly wrong, and those chunks are sound */
    if (foreign && look.unsound)
        lvl_sketchy_report(r->log, LVL_SKETCHY_F_OUTSIDE, &where,
                           "%lu px of other chunks removed, since its stream is damaged",
                           (unsigned long)foreign);
    else if (foreign)
        status = collect_foreign(r, was, size, false, &where);
    if (status != LVL_OK)
        return status;
    *drop = damaged && is_empty(r->grid, size);
    log_chunk(r, c, &look, size, &where, *drop);
    uint8_t *cells;
    return keep_grid(r, c, size, &cells);
}

static lvl_status repair_chunks(struct repair *r)
{
    const lvl_field *chunks = LVL_FIELD(lvl_sketchy_layer, chunks);
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < r->d->layer_count && status == LVL_OK; i++) {
        lvl_sketchy_layer *layer = &r->d->layers[i];
        if (!size_fits(layer->size))
            continue;
        uint8_t *drop = calloc((size_t)layer->chunk_count + 1, 1);
        if (!drop)
            return LVL_ERR_MEMORY;
        r->foreign.len = 0;
        for (uint32_t k = 0; k < layer->chunk_count && status == LVL_OK; k++)
            status = repair_chunk(r, i, k, &drop[k]);
        if (status == LVL_OK && memchr(drop, 1, layer->chunk_count))
            status = lvl_list_drop(r->doc, layer, chunks, drop);
        if (status == LVL_OK)
            status = place_foreign(r, layer);
        free(drop);
    }
    return status;
}

/* ---- links ------------------------------------------------------------------------------------------- */

static lvl_status repair_links(struct repair *r)
{
    lvl_names ids;

    if (!wants(r, LVL_SKETCHY_F_LINK_LOST))
        return LVL_OK;
    const lvl_status status = lvl_names_of(&ids, r->d->actors, r->d->actor_count, sizeof *r->d->actors,
                                           offsetof(lvl_sketchy_actor, id));

    for (uint32_t i = 0; i < r->d->actor_count && status == LVL_OK; i++) {
        lvl_sketchy_actor *a = &r->d->actors[i];
        uint32_t kept = 0;
        for (uint32_t k = 0; k < a->link_count; k++) {
            const lvl_where where = lvl_where_to(lvl_sketchy_item(offsetof(lvl_sketchy, actors), i),
                                                 LVL_FIELD(lvl_sketchy_actor, links), k);
            char shown[80];
            if (lvl_names_has(&ids, a->links[k])) {
                a->links[kept++] = a->links[k];
                continue;
            }
            lvl_text_show(shown, sizeof shown, LVL_CP_UTF8, a->links[k]);
            lvl_sketchy_report(r->log, LVL_SKETCHY_F_LINK_LOST, &where, "link to %s removed", shown);
            r->m.changed = true;
        }
        a->link_count = kept;
    }
    lvl_names_free(&ids);
    return status;
}

/* ---- all repairs ------------------------------------------------------------------------------------- */

lvl_status lvl_sketchy_repair(lvl_doc *doc, lvl_repairs *repairs)
{
    static lvl_status (*const steps[])(struct repair *) = {
        repair_archive, repair_sizes,  restore_palette, repair_colors,
        plan_palette,   repair_chunks, drop_swatches,   repair_links,
    };
    struct repair r = {.doc = doc, .d = doc->root, .log = repairs->log};

    lvl_status status = lvl_repairing_begin(&r.m, doc, repairs);
    r.grid = malloc((size_t)MAX_CELLS * 2);
    r.beside = malloc((size_t)MAX_CELLS * 2);
    if (status == LVL_OK && (!r.grid || !r.beside))
        status = LVL_ERR_MEMORY;
    for (size_t i = 0; i < LVL_COUNT_OF(steps) && status == LVL_OK; i++)
        status = steps[i](&r);
    status = lvl_repairing_end(&r.m, status);
    free(r.remap);
    free(r.drop);
    lvl_buffer_free(&r.foreign);
    free(r.grid);
    free(r.beside);
    lvl_buffer_free(&r.inflated);
    return status;
}
