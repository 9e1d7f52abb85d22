/*
 * sketchy/salvage.c: see salvage.h.
 *
 * Runs say how many px a chunk has (the game's own leave out a lone last one); lists say where in the world
 * their px are, all of which must lie in the chunk. What doesn't fit any size is damaged, and has no vote.
 */
#include "sketchy/salvage.h"

#include "codec/tokens.h"
#include "sketchy/chunk_codec.h"
#include "sketchy/sketchy_check.h"

#include <stdlib.h>
#include <string.h>

enum { SIZES = LVL_SKETCHY_CHUNK_SIZE_MAX + 1, SURE = 2 };

/* ---- the size of chunks ------------------------------------------------------------------------------ */

/* How well a chunk fits a size: SURE where it shows it, 1 where it only doesn't deny it, 0. */
typedef struct ballot {
    uint32_t votes[SIZES];
    uint32_t all; /* votes of a size that every chunk shows */
} ballot;

static bool runs_fit(const lvl_chunk_report *r, bool whole, uint64_t cells, unsigned *weight)
{
    *weight = whole && (r->total == cells || r->total + 1 == cells) ? SURE : 1;
    return r->total <= cells;
}

/* Whether all of its px lie in the square of a chunk of that size. */
static bool box_fits(const lvl_source *s, const lvl_chunk_report *r, int64_t size)
{
    const int64_t left = s->x * size, top = s->y * size;

    return r->left >= left && r->right < left + size && r->top >= top && r->bottom < top + size;
}

static lvl_status cast(const lvl_doc *doc, const lvl_sketchy_chunk *chunk, lvl_buffer *storage, ballot *b)
{
    const lvl_source *s = lvl_sketchy_source(doc, chunk->source);
    lvl_chunk_report report;
    lvl_bytes stream;
    uint8_t cell[2];
    bool sound;

    if (!s || chunk->pixels.ptr) /* drawn anew since */
        return LVL_OK;
    lvl_status status = lvl_sketchy_source_bytes(doc, s, storage, &stream, &sound);
    if (status == LVL_OK) { /* of a chunk far away, so that each px is listed as another's */
        const lvl_chunk_place nowhere = {INT32_MIN, INT32_MIN, 1};
        status = lvl_chunk_decode(s->encoding, stream, &nowhere, cell, &report);
    }
    if (status != LVL_OK)
        return status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT ? status : LVL_OK;
    const bool runs = s->encoding == LVL_SKETCHY_CHUNK_RUNS, ended = !(s->member.faults & LVL_ZIP_CUT);
    if (runs ? !report.total : report.left > report.right)
        return LVL_OK;
    b->all += SURE;
    for (uint32_t size = 1; size < SIZES; size++) {
        unsigned weight = SURE;
        if (runs ? runs_fit(&report, (sound || ended) && !report.partial, (uint64_t)size * size, &weight)
                 : box_fits(s, &report, size))
            b->votes[size] += weight;
    }
    return LVL_OK;
}

static lvl_status poll_layer(const lvl_doc *doc, const lvl_sketchy_layer *layer, ballot *b)
{
    lvl_buffer storage = {0};
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < layer->chunk_count && status == LVL_OK; i++)
        status = cast(doc, &layer->chunks[i], &storage, b);
    lvl_buffer_free(&storage);
    return status;
}

/* Of the sizes with the most votes (and of those, with the most of `others`) `first`, else a usual one, else
 * the largest. */
static uint32_t elect(const ballot *own, const ballot *others, uint32_t first)
{
    enum { USUAL = 5 };
    uint32_t best = first < SIZES ? first : 0;

    for (uint32_t i = 0; i < LVL_SKETCHY_CHUNK_SIZE_MAX + USUAL - 1; i++) {
        const uint32_t size = i + 1 < USUAL ? (uint32_t)LVL_SKETCHY_CHUNK_SIZE >> i
                                            : LVL_SKETCHY_CHUNK_SIZE_MAX + USUAL - 1 - i;
        if (own->votes[size] > own->votes[best] ||
            (own->votes[size] == own->votes[best] && others->votes[size] > others->votes[best]))
            best = size;
    }
    return best;
}

lvl_status lvl_sketchy_vote_size(const lvl_doc *doc, const lvl_sketchy_layer *layer, uint32_t *size,
                                 bool *sure)
{
    ballot own = {{0}, 0};
    const lvl_status status = poll_layer(doc, layer, &own);
    const uint32_t said = *size < SIZES ? *size : 0;

    *sure = false;
    if (status != LVL_OK)
        return status;
    uint32_t best = elect(&own, &own, said);
    if (!best) /* nothing tells */
        best = LVL_SKETCHY_CHUNK_SIZE;
    if (best == said)
        return LVL_OK;
    *sure = (!own.votes[said] && own.votes[best] >= SURE) ||
            (own.votes[best] == own.all && own.votes[said] < own.all);
    *size = best;
    return LVL_OK;
}

/* ---- what the text still says ------------------------------------------------------------------------ */

typedef struct said {
    uint64_t keys;  /* of the root: a bit for each of its shape */
    uint64_t sizes; /* of chunks: a bit for each of the first 64 layers */
} said;

/* Behind the brace of an object with a size in it. */
static bool scan_chunks(lvl_tokens *t)
{
    bool found = false;

    for (lvl_token key; (key = lvl_tokens_next(t)).kind == LVL_TOKEN_KEY;) {
        const lvl_token value = lvl_tokens_next(t);
        found = found || (value.kind == LVL_TOKEN_NUMBER && lvl_token_is_nocase(&key, "size"));
        lvl_tokens_skip(t, &value);
    }
    return found;
}

static void scan_layers(lvl_tokens *t, said *out)
{
    uint32_t layer = 0;

    for (; lvl_tokens_next(t).kind == LVL_TOKEN_OBJECT; layer++) {
        for (lvl_token key; (key = lvl_tokens_next(t)).kind == LVL_TOKEN_KEY;) {
            const lvl_token value = lvl_tokens_next(t);
            if (value.kind != LVL_TOKEN_OBJECT || !lvl_token_is_nocase(&key, "chunks"))
                lvl_tokens_skip(t, &value);
            else if (scan_chunks(t) && layer < 64)
                out->sizes |= UINT64_C(1) << layer;
        }
    }
}

static void scan(lvl_text json, const lvl_shape *shapes, said *out)
{
    lvl_tokens t;

    lvl_tokens_init(&t, json, LVL_TOKENS_DEPTH);
    if (lvl_tokens_next(&t).kind != LVL_TOKEN_OBJECT)
        return;
    for (lvl_token key; (key = lvl_tokens_next(&t)).kind == LVL_TOKEN_KEY;) {
        const lvl_token value = lvl_tokens_next(&t);
        const lvl_shape *s = key.escaped ? NULL : lvl_shape_find(shapes, key.text);
        if (s)
            out->keys |= UINT64_C(1) << (s - shapes);
        if (s && s->kind == LVL_SHAPE_LAYER && value.kind == LVL_TOKEN_OBJECT)
            out->sizes |= scan_chunks(&t);
        else if (s && s->kind == LVL_SHAPE_RECORDS && value.kind == LVL_TOKEN_ARRAY)
            scan_layers(&t, out);
        else
            lvl_tokens_skip(&t, &value);
    }
}

static bool is_said(const said *s, const lvl_shape *shapes, const char *key)
{
    const lvl_shape *shape = lvl_shape_find(shapes, lvl_text_of(key));

    return shape && (s->keys >> (shape - shapes) & 1);
}

/* ---- settling ---------------------------------------------------------------------------------------- */

static bool has_size(const said *s, uint32_t layer)
{
    return layer >= 64 || (s->sizes >> layer & 1);
}

static lvl_status settle_sizes(lvl_doc *doc, const said *s, lvl_findings *findings)
{
    lvl_sketchy *d = doc->root;
    uint32_t first = LVL_SKETCHY_CHUNK_SIZE;
    lvl_status status = LVL_OK;
    ballot all = {{0}, 0};

    for (uint32_t i = d->layer_count; i-- > 0;) {
        if (has_size(s, i) && d->layers[i].size && d->layers[i].size < SIZES)
            first = d->layers[i].size; /* one drawing has all of one size */
    }
    for (uint32_t i = 0; i < d->layer_count && d->layer_count > 1 && status == LVL_OK; i++)
        status = has_size(s, i) ? LVL_OK : poll_layer(doc, &d->layers[i], &all);
    for (uint32_t i = 0; i < d->layer_count && status == LVL_OK; i++) {
        const lvl_where where = lvl_sketchy_item(offsetof(lvl_sketchy, layers), i);
        lvl_sketchy_layer *layer = &d->layers[i];
        ballot own = {{0}, 0};
        if (has_size(s, i) || !layer->chunk_count)
            continue;
        status = poll_layer(doc, layer, &own);
        layer->size = elect(&own, &all, first);
        uint32_t rivals = 0;
        for (uint32_t size = 1; size < SIZES; size++)
            rivals += own.votes[size] == own.votes[layer->size] && all.votes[size] == all.votes[layer->size];
        lvl_sketchy_report(findings, LVL_SKETCHY_F_SIZE_LOST, &where,
                           !own.votes[layer->size]
                               ? "assumed chunks of %lu px: their content does not show it"
                           : rivals == 1 ? "chunks of %lu px, inferred from their content"
                                         : "chunks of %lu px, inferred from their content; other sizes are "
                                           "possible",
                           (unsigned long)layer->size);
    }
    return status;
}

/* What of a level's page is lost is set so that all of it is seen. Answers whether the type is other than the
 * usual one. */
static bool settle_page(lvl_sketchy *d, const said *s)
{
    int64_t right = 0, bottom = 0;
    bool negative = false;

    for (uint32_t l = 0; l < d->layer_count; l++) {
        const lvl_sketchy_layer *layer = &d->layers[l];
        for (uint32_t i = 0; i < layer->chunk_count; i++) {
            const int64_t x = ((int64_t)layer->chunks[i].x + 1) * layer->size,
                          y = ((int64_t)layer->chunks[i].y + 1) * layer->size;
            negative = negative || layer->chunks[i].x < 0 || layer->chunks[i].y < 0;
            right = x > right ? x : right;
            bottom = y > bottom ? y : bottom;
        }
    }
    if (!is_said(s, lvl_level_shape, "pageType") && negative) {
        d->page_type = LVL_SKETCHY_UNBOUNDED;
        return true;
    }
    if (!is_said(s, lvl_level_shape, "boundedWidth") && right > d->bounded_width)
        d->bounded_width = right;
    if (!is_said(s, lvl_level_shape, "boundedHeight") && bottom > d->bounded_height)
        d->bounded_height = bottom;
    return false;
}

/* Names the keys that the game always writes and the text lacks, with what stands for them. */
static lvl_status report_lost(const lvl_doc *doc, const said *s, bool unbounded, lvl_findings *findings)
{
    const lvl_sketchy *d = doc->root;
    const lvl_shape *shapes = lvl_sketchy_shape(doc);
    lvl_buffer list = {0};

    for (const lvl_shape *p = shapes; p->key && d->json.len; p++) {
        const uint8_t *member = (const uint8_t *)d + p->offset;
        int64_t number;
        if (p->flags & (LVL_SHAPE_OMIT | LVL_SHAPE_OUTSIDE) || (s->keys >> (p - shapes) & 1))
            continue;
        lvl_buffer_printf(&list, "%s%s", list.len ? ", " : "", p->key);
        if (p->kind != LVL_SHAPE_INT)
            continue;
        memcpy(&number, member, sizeof number);
        lvl_buffer_printf(&list, " (now %lld%s)", (long long)number,
                          unbounded && !strcmp(p->key, "pageType") ? ", because there are pixels at "
                                                                     "negative positions"
                                                                   : "");
    }
    if (list.status == LVL_OK && list.len)
        lvl_sketchy_report(findings, LVL_SKETCHY_F_LOST, NULL, "lost: %.*s", (int)list.len,
                           (const char *)list.data);
    else if (list.status == LVL_OK && unbounded)
        lvl_sketchy_report(findings, LVL_SKETCHY_F_LOST, NULL,
                           "the whole document; pageType is now 0, because there are pixels at negative "
                           "positions");
    const lvl_status status = list.status;
    lvl_buffer_free(&list);
    return status;
}

lvl_status lvl_sketchy_salvage(lvl_doc *doc, lvl_findings *findings)
{
    lvl_sketchy *d = doc->root;
    bool unbounded = false;
    said s = {0, 0};

    if (d->json.len)
        scan(d->json, lvl_sketchy_shape(doc), &s);
    const lvl_status status = settle_sizes(doc, &s, findings);
    if (status != LVL_OK)
        return status;
    if (d->kind == LVL_SKETCHY_LEVEL)
        unbounded = settle_page(d, &s);
    return report_lost(doc, &s, unbounded, findings);
}
