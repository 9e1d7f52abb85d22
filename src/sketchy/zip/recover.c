/*
 * sketchy/zip/recover.c: see recover.h: values that are lost, inferred from the chunks.
 *
 * Sizes of chunks: runs have as many px as their chunk (the game omits a single last one); the px of lists
 * must be inside of their chunk. A damaged chunk, which fits no size, has no vote.
 */
#include "sketchy/zip/recover.h"

#include "sketchy/chunks/codec.h"
#include "sketchy/model/findings.h"

/* ---- the size of chunks ------------------------------------------------------------------------------ */

enum { SIZES = LVL_SKETCHY_CHUNK_SIZE_MAX + 1, SURE = 2 };

/* How well chunks fit each size: a chunk has SURE votes for a size that it shows, 1 for a possible one. */
typedef struct ballot {
    uint32_t votes[SIZES];
    uint32_t all; /* the votes of a size that every chunk shows */
} ballot;

static uint32_t vote_of(const lvl_source *s, const lvl_chunk_report *r, bool whole, uint32_t size)
{
    const uint64_t cells = (uint64_t)size * size;
    const int64_t left = (int64_t)s->x * size, top = (int64_t)s->y * size;

    if (s->encoding == LVL_SKETCHY_CHUNK_RUNS)
        return r->total > cells ? 0 : whole && r->total + 1 >= cells ? SURE : 1;
    return r->left >= left && r->right < left + size && r->top >= top && r->bottom < top + size ? SURE : 0;
}

static lvl_status count_votes(const lvl_doc *doc, const lvl_sketchy_layer *layer, ballot *b)
{
    const lvl_chunk_place nowhere = {INT32_MIN, INT32_MIN, 1}; /* so that each px belongs to another chunk */
    lvl_buffer storage = {0};
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < layer->chunk_count && status == LVL_OK; i++) {
        const lvl_source *s = lvl_sketchy_source(doc, layer->chunks[i].source);
        lvl_chunk_report report;
        lvl_bytes stream;
        uint8_t cell[2];
        bool sound;
        if (!s || layer->chunks[i].pixels.ptr) /* edited since */
            continue;
        status = lvl_sketchy_source_bytes(doc, s, &storage, &stream, &sound);
        if (status == LVL_OK)
            status = lvl_chunk_decode(s->encoding, stream, &nowhere, cell, &report);
        if (status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT)
            break;
        const bool runs = s->encoding == LVL_SKETCHY_CHUNK_RUNS, ended = !(s->member.faults & LVL_ZIP_CUT);
        if (status == LVL_OK && (runs ? report.total > 0 : report.left <= report.right)) {
            b->all += SURE;
            for (uint32_t size = 1; size < SIZES; size++)
                b->votes[size] += vote_of(s, &report, (sound || ended) && !report.partial, size);
        }
        status = LVL_OK;
    }
    lvl_buffer_free(&storage);
    return status;
}

/* The size with the most votes; if several have them, `first`, else a usual one, else the largest. */
static uint32_t elect(const ballot *b, uint32_t first)
{
    enum { USUAL = 5 };
    uint32_t best = first < SIZES ? first : 0;

    for (uint32_t i = 0; i < LVL_SKETCHY_CHUNK_SIZE_MAX + USUAL - 1; i++) {
        const uint32_t size = i + 1 < USUAL ? (uint32_t)LVL_SKETCHY_CHUNK_SIZE >> i
                                            : LVL_SKETCHY_CHUNK_SIZE_MAX + USUAL - 1 - i;
        if (b->votes[size] > b->votes[best])
            best = size;
    }
    return best;
}

lvl_status lvl_sketchy_infer_size(const lvl_doc *doc, const lvl_sketchy_layer *layer, uint32_t *size,
                                  bool *sure)
{
    ballot b = {{0}, 0};
    const lvl_status status = count_votes(doc, layer, &b);
    const uint32_t old = *size < SIZES ? *size : 0, found = elect(&b, old);
    const uint32_t best = found ? found : LVL_SKETCHY_CHUNK_SIZE; /* no chunk shows any */

    *sure = false;
    if (status != LVL_OK || best == old)
        return status;
    *sure = (!b.votes[old] && b.votes[best] >= SURE) || (b.votes[best] == b.all && b.votes[old] < b.all);
    *size = best;
    return LVL_OK;
}

/* Sets the sizes of layers that were lost, which are 0: all layers of a drawing have the same one. */
static lvl_status recover_sizes(lvl_doc *doc, lvl_findings *findings)
{
    lvl_sketchy *d = doc->root;
    uint32_t first = LVL_SKETCHY_CHUNK_SIZE, equal = 0;
    lvl_status status = LVL_OK;
    ballot b = {{0}, 0};

    for (uint32_t i = d->layer_count; i-- > 0 && status == LVL_OK;) {
        if (!d->layers[i].size)
            status = count_votes(doc, &d->layers[i], &b);
        else if (d->layers[i].size < SIZES)
            first = d->layers[i].size;
    }
    if (status != LVL_OK)
        return status;
    const uint32_t size = elect(&b, first);
    for (uint32_t i = 1; i < SIZES; i++)
        equal += b.votes[i] == b.votes[size];
    for (uint32_t i = 0; i < d->layer_count; i++) {
        const lvl_where where = lvl_sketchy_item(offsetof(lvl_sketchy, layers), i);
        if (d->layers[i].size)
            continue;
        d->layers[i].size = size;
        if (d->layers[i].chunk_count)
            lvl_sketchy_report(findings, LVL_SKETCHY_F_SIZE_LOST, &where,
                               !b.votes[size] ? "assumed chunks of %lu px: their content does not show it"
                               : equal == 1   ? "chunks of %lu px, inferred from their content"
                                              : "chunks of %lu px, inferred from their content; other sizes "
                                                "are possible",
                               (unsigned long)size);
    }
    return LVL_OK;
}

/* ---- what is lost ------------------------------------------------------------------------------------ */

/* Whether the text does not have the key of that member of the root. */
static bool is_lost(const lvl_doc *doc, const lvl_shapes *shapes, size_t member)
{
    for (uint32_t i = 0; i < shapes->count; i++) {
        if (shapes->list[i].field && shapes->list[i].field->offset == member)
            return !(lvl_sketchy_state_of(doc).present >> i & 1);
    }
    return false;
}

/* Sets lost values of a level's page so that all of it is visible. True: the page type was set. */
static bool recover_page(const lvl_doc *doc, const lvl_shapes *shapes, lvl_sketchy *d)
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
    if (is_lost(doc, shapes, offsetof(lvl_sketchy, page_type)) && negative) {
        d->page_type = LVL_SKETCHY_UNBOUNDED;
        return true;
    }
    if (is_lost(doc, shapes, offsetof(lvl_sketchy, bounded_width)) && right > d->bounded_width)
        d->bounded_width = right;
    if (is_lost(doc, shapes, offsetof(lvl_sketchy, bounded_height)) && bottom > d->bounded_height)
        d->bounded_height = bottom;
    return false;
}

/* Reports the keys that the game always writes and the text does not have, with the numbers that replace
 * them. */
static lvl_status report_lost(const lvl_doc *doc, const lvl_shapes *shapes, bool unbounded,
                              lvl_findings *findings)
{
    static const char why[] = ", because there are pixels at negative positions";
    const uint64_t present = lvl_sketchy_state_of(doc).present;
    const lvl_sketchy *d = doc->root;
    lvl_buffer list = {0};

    for (uint32_t i = 0; i < shapes->count && d->json.len; i++) {
        const lvl_shape *s = &shapes->list[i];
        if (s->omit || lvl_shape_is_outside(s) || present >> i & 1)
            continue;
        lvl_buffer_printf(&list, "%s%.*s", list.len ? ", " : "", (int)s->key.len, s->key.ptr);
        if (s->kind == LVL_SHAPE_INT)
            lvl_buffer_printf(&list, " (now %lld%s)", (long long)lvl_get_int(d, s->field),
                              unbounded && s->field->offset == offsetof(lvl_sketchy, page_type) ? why : "");
    }
    if (list.status == LVL_OK && list.len)
        lvl_sketchy_report(findings, LVL_SKETCHY_F_LOST, NULL, "lost, and now with their defaults: %.*s",
                           (int)list.len, (const char *)list.data);
    else if (list.status == LVL_OK && unbounded)
        lvl_sketchy_report(findings, LVL_SKETCHY_F_LOST, NULL,
                           "the whole document is lost; pageType is now 0%s", why);
    const lvl_status status = list.status;
    lvl_buffer_free(&list);
    return status;
}

lvl_status lvl_sketchy_recover_lost(lvl_doc *doc, lvl_findings *findings)
{
    lvl_sketchy *d = doc->root;
    lvl_shapes shapes;

    const lvl_status status = recover_sizes(doc, findings);
    if (status != LVL_OK)
        return status;
    lvl_sketchy_shapes(&shapes, doc);
    const bool unbounded = d->kind == LVL_SKETCHY_LEVEL && recover_page(doc, &shapes, d);
    return report_lost(doc, &shapes, unbounded, findings);
}
