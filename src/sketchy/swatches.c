/*
 * sketchy/swatches.c: palettes without what is too much: swatches that are the same become one, those that
 * nothing is drawn with go. What each swatch means to the game stays, which in a zipped doodad hangs on its
 * place too.
 */
#include "sketchy/sketchy_convert.h"

#include "base/work.h"
#include "sketchy/sketchy_check.h"

#include <stdlib.h>
#include <string.h>

static unsigned cell_at(const lvl_cells *cells, size_t at)
{
    return cells->ptr[at * 2] | (unsigned)cells->ptr[at * 2 + 1] << 8;
}

/* ---- what swatches are to the game ------------------------------------------------------------------- */

/* The game reads a zipped doodad into one that has its default palette already: what the file doesn't say of
 * these swatches is theirs. */
enum { PLACES = 4 };

/* The flag that the default palette's swatch at that place has; NULL: none. */
static uint8_t *inherited_flag(lvl_sketchy_swatch *s, uint32_t place)
{
    switch (place) {
    case 0: return &s->solid;
    case 2: return &s->fire;
    case 3: return &s->water;
    default: return NULL;
    }
}

static bool inherits(const lvl_sketchy *d)
{
    return d->kind == LVL_SKETCHY_DOODAD && d->generation >= LVL_SKETCHY_V3;
}

/* What the swatch is to the game at that place; `said`: which of the first ones say what they would inherit.
 */
static lvl_sketchy_swatch as_played(const lvl_sketchy_swatch *swatch, uint32_t place, bool said)
{
    lvl_sketchy_swatch s = *swatch;
    uint8_t *flag = inherited_flag(&s, place);

    if (flag && !said)
        *flag = 1;
    return s;
}

static bool same_flags(const lvl_sketchy_swatch *a, const lvl_sketchy_swatch *b)
{
    lvl_sketchy_swatch other = *b;

    other.name = a->name;
    other.color = a->color;
    other.pattern = a->pattern;
    return lvl_record_equal(a, &other, &lvl_sketchy_swatch_table);
}

/* ---- pixels ------------------------------------------------------------------------------------------ */

/* What is done to each chunk's grid. */
typedef lvl_status (*grid_fn)(lvl_doc *doc, lvl_sketchy_chunk *chunk, const lvl_cells *cells, uint16_t *map,
                              uint32_t count);

static lvl_status each_grid(lvl_doc *doc, grid_fn fn, uint16_t *map, uint32_t count, lvl_findings *losses)
{
    lvl_sketchy *d = doc->root;
    lvl_buffer storage = {0};
    lvl_cells cells;
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < d->layer_count; i++) {
        for (uint32_t k = 0; k < d->layers[i].chunk_count && status == LVL_OK; k++) {
            status = lvl_sketchy_chunk_cells(doc, &d->layers[i], k, &storage, &cells, losses);
            if (status == LVL_OK && cells.ptr)
                status = fn(doc, &d->layers[i].chunks[k], &cells, map, count);
        }
    }
    lvl_buffer_free(&storage);
    return status;
}

static lvl_status see_used(lvl_doc *doc, lvl_sketchy_chunk *chunk, const lvl_cells *cells, uint16_t *used,
                           uint32_t count)
{
    const size_t n = (size_t)cells->width * cells->height;

    (void)doc;
    (void)chunk;
    for (size_t i = 0; i < n; i++) {
        const unsigned index = cell_at(cells, i);
        if (index < count)
            used[index] = 1;
    }
    return LVL_OK;
}

/* An index beyond the palette stays beyond it, as it only shrinks. */
static lvl_status map_pixels(lvl_doc *doc, lvl_sketchy_chunk *chunk, const lvl_cells *cells, uint16_t *map,
                             uint32_t count)
{
    const size_t n = (size_t)cells->width * cells->height;
    uint8_t *grid = NULL;

    for (size_t i = 0; i < n; i++) {
        const unsigned index = cell_at(cells, i);
        if (index >= count || map[index] == index)
            continue;
        if (!grid) {
            grid = lvl_arena_copy(&doc->arena, cells->ptr, n * 2);
            if (!grid)
                return LVL_ERR_MEMORY;
        }
        grid[i * 2] = (uint8_t)map[index];
        grid[i * 2 + 1] = (uint8_t)(map[index] >> 8);
    }
    if (grid)
        chunk->pixels = (lvl_cells){grid, cells->width, cells->height, 2};
    return LVL_OK;
}

/* ---- the plan ---------------------------------------------------------------------------------------- */

typedef struct plan {
    lvl_sketchy_swatch *played; /* what each swatch is to the game where it is */
    uint16_t *used, *map;       /* whether px mean it, and where it goes */
    uint8_t *drop;
    bool *pinned; /* stays although nothing is drawn with it, since others would move into its place */
    uint32_t count;
} plan;

static void free_plan(plan *p)
{
    free(p->played);
    free(p->used);
    free(p->map);
    free(p->drop);
    free(p->pinned);
}

static lvl_status make_plan(plan *p, const lvl_sketchy *d)
{
    const unsigned said = inherits(d) ? lvl_sketchy_flags_in_json(d->json) : ~0u;
    const size_t room = (size_t)d->swatch_count + 1;

    p->count = d->swatch_count;
    p->played = calloc(room, sizeof *p->played);
    p->used = calloc(room, sizeof *p->used);
    p->map = calloc(room, sizeof *p->map);
    p->drop = calloc(room, 1);
    p->pinned = calloc(room, sizeof *p->pinned);
    if (!p->played || !p->used || !p->map || !p->drop || !p->pinned)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < p->count; i++)
        p->played[i] = as_played(&d->swatches[i], i, i >= PLACES || said & 1u << i);
    return LVL_OK;
}

/* From which swatches are used to where each goes. */
static void place_swatches(const plan *p)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t twin = i;
        p->drop[i] = !p->used[i] && !p->pinned[i];
        p->map[i] = (uint16_t)kept;
        if (p->drop[i])
            continue;
        for (uint32_t k = 0; k < i && twin == i && !p->pinned[i]; k++) {
            if (!p->drop[k] && lvl_sketchy_same_swatch(&p->played[k], &p->played[i]))
                twin = k;
        }
        if (twin != i) {
            p->drop[i] = 1;
            p->map[i] = p->map[twin];
        } else {
            kept++;
        }
    }
    if (!kept && p->count)
        p->drop[0] = 0;
}

/* A swatch that would inherit in its new place what it isn't keeps the ones before it where they are: false,
 * with one of them pinned. */
static bool keeps_meaning(const plan *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t to = p->map[i];
        if (p->drop[i] || to == i)
            continue;
        const lvl_sketchy_swatch there = as_played(&p->played[i], to, false);
        if (same_flags(&there, &p->played[i]))
            continue;
        for (uint32_t k = 0; k < i; k++) {
            if (p->drop[k]) {
                p->pinned[k] = true;
                return false;
            }
        }
    }
    return true;
}

lvl_status lvl_sketchy_trim_palette(lvl_doc *doc, lvl_findings *losses)
{
    enum { MOST = 4096 }; /* twins are looked for pair by pair */
    const lvl_field *swatches = LVL_FIELD(lvl_sketchy, swatches);
    lvl_sketchy *d = doc->root;
    const uint32_t count = d->swatch_count;
    bool changed = false;

    if (count > MOST)
        return lvl_refuse_fixed(doc->ctx, "swatches to be compared", MOST, count);
    plan p = {0};
    lvl_status status = make_plan(&p, d);
    if (status == LVL_OK)
        status = each_grid(doc, see_used, p.used, count, losses);
    if (status == LVL_OK) {
        do
            place_swatches(&p);
        while (inherits(d) && !keeps_meaning(&p));
        for (uint32_t i = 0; i < count; i++)
            changed = changed || p.drop[i];
    }
    if (status == LVL_OK && changed) {
        status = each_grid(doc, map_pixels, p.map, count, NULL);
        /* one that moves takes along what it has by its place, which the file didn't say */
        for (uint32_t i = 0; i < count && status == LVL_OK; i++) {
            if (!p.drop[i] && p.map[i] != i)
                d->swatches[i] = p.played[i];
        }
        if (status == LVL_OK)
            status = lvl_list_drop(doc, d, swatches, p.drop);
        lvl_sketchy_unsign(doc, losses);
    }
    free_plan(&p);
    return status;
}
