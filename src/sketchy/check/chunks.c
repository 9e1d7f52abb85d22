/*
 * sketchy/check/chunks.c: the rules of pixels: streams that are too long or too short, indices
 * that the palette does not have, px in chunks that don't own them, and the last px that the game's encoder
 * loses.
 */
#include "sketchy/check/check.h"

#include "base/cursor.h"
#include "sketchy/zip/recover.h"

#include <stdlib.h>
#include <string.h>

/* Faults of runs. For the px that the game's encoder omits see docs/formats/sketchy.md, "Odd input". */
static void check_runs(const lvl_sketchy_checker *c, const lvl_chunk_look *look, const uint8_t *grid,
                       size_t cells, const lvl_where *where)
{
    const uint64_t total = look->report.total;

    if (look->report.partial || look->report.bad || look->unsound)
        return;
    if (total > cells)
        lvl_sketchy_report(c->findings, LVL_SKETCHY_F_RUNS_LONG, where,
                           "%llu pixels in a chunk of %llu: the game crashes", (unsigned long long)total,
                           (unsigned long long)cells);
    else if (total + 1 < cells)
        lvl_sketchy_report(c->findings, LVL_SKETCHY_F_RUNS_SHORT, where,
                           "%llu pixels in a chunk of %llu: nothing is drawn in the rest",
                           (unsigned long long)total, (unsigned long long)cells);
    else if (total + 1 == cells && (cells == 1 || lvl_load_u16le(grid + (cells - 2) * 2) == LVL_SKETCHY_NONE))
        lvl_sketchy_report(
            c->findings, LVL_SKETCHY_F_PIXEL_LOST, where,
            "the last pixel of the chunk was drawn, but the game lost it when it saved the file");
}

static void check_list(const lvl_sketchy_checker *c, const lvl_chunk_look *look, const lvl_where *where)
{
    const lvl_chunk_report *r = &look->report;

    if (r->unused || r->type_twice)
        lvl_sketchy_report(c->findings, LVL_SKETCHY_F_DOUBLE_KEY, where,
                           "a key occurs twice, and the game uses only the last one: %s",
                           r->unused ? "data" : "type");
    if (r->phantom)
        lvl_sketchy_report(c->findings, LVL_SKETCHY_F_PHANTOM, where,
                           "it has a pixel at 0,0 that nobody drew: the game added it");
    if (r->outside > (r->phantom ? 1 : 0))
        lvl_sketchy_report(c->findings, LVL_SKETCHY_F_OUTSIDE, where,
                           "%lu pixels are listed in the wrong chunk, the first at %lld,%lld: they are "
                           "invisible, and nothing "
                           "stands on them",
                           (unsigned long)(r->outside - (r->phantom ? 1 : 0)), (long long)r->outside_x,
                           (long long)r->outside_y);
    if (r->doubled)
        lvl_sketchy_report(c->findings, LVL_SKETCHY_F_PIXEL_DOUBLE, where,
                           "%lu pixels are listed more than once; the last one is drawn",
                           (unsigned long)r->doubled);
    if (r->broken)
        lvl_sketchy_report(c->findings, LVL_SKETCHY_F_PIXEL_BROKEN, where,
                           r->broken == 1 ? "%lu entry is not a pixel, and is not drawn"
                                          : "%lu entries are not pixels, and are not drawn",
                           (unsigned long)r->broken);
}

static void check_chunk(const lvl_sketchy_checker *c, const lvl_chunk_look *look, const uint8_t *grid,
                        const lvl_sketchy_chunk *chunk, uint32_t size, const lvl_where *where)
{
    const size_t cells = (size_t)size * size;
    const lvl_chunk_report *r = &look->report;

    if (look->encoded && (r->bad || look->unsound))
        lvl_sketchy_report(c->findings, LVL_SKETCHY_F_CHUNK_BAD, where,
                           "%s: the game does not show this part of the picture. %lu pixels can be read",
                           r->bad ? "it is not a list of pixels" : "its compressed data is broken",
                           (unsigned long)r->pixels);
    else if (look->encoded && r->trailing)
        lvl_sketchy_report(
            c->findings, LVL_SKETCHY_F_CHUNK_BAD, where,
            "there are more bytes after its end, perhaps pixels that the game does not show; %lu pixels can "
            "be read in all",
            (unsigned long)r->pixels);
    else if (look->encoded && r->partial)
        lvl_sketchy_report(c->findings, LVL_SKETCHY_F_CHUNK_PARTIAL, where,
                           "it ends inside a pixel, after %lu: the game leaves that one out",
                           (unsigned long)r->pixels);
    if (look->encoded && look->encoding == LVL_SKETCHY_CHUNK_RUNS)
        check_runs(c, look, grid, cells, where);
    check_list(c, look, where);
    if (r->wide)
        lvl_sketchy_report(c->findings, LVL_SKETCHY_F_INDEX, where,
                           "%lu %s have a number beyond 65534, which no palette has: they are invisible",
                           (unsigned long)r->wide,
                           look->encoding == LVL_SKETCHY_CHUNK_RUNS ? "runs" : "pixels");
    if (look->over)
        lvl_sketchy_report(
            c->findings, LVL_SKETCHY_F_INDEX, where,
            "%lu pixels have no colour in the palette of %lu, the first is number %u at %lld,%lld: they "
            "are invisible, and saved in the game, most others in the chunk get the first colour",
            (unsigned long)look->over, (unsigned long)c->d->swatch_count, look->over_index,
            (long long)chunk->x * size + look->first_over % size,
            (long long)chunk->y * size + look->first_over / size);
    const uint16_t last = lvl_load_u16le(grid + (cells - 1) * 2);
    if (last != LVL_SKETCHY_NONE && (cells == 1 || lvl_load_u16le(grid + (cells - 2) * 2) != last))
        lvl_sketchy_report(c->findings, LVL_SKETCHY_F_LAST_PIXEL, where,
                           "its last pixel, %lld,%lld, differs from the one before it: the newest source of "
                           "the game loses it "
                           "on saving",
                           (long long)chunk->x * size + size - 1, (long long)chunk->y * size + size - 1);
}

/* Whether the chunks' content was made for another size than the layer's. */
static lvl_status check_size(const lvl_sketchy_checker *c, uint32_t index)
{
    const lvl_sketchy_layer *layer = &c->d->layers[index];
    const lvl_where where = lvl_sketchy_item(offsetof(lvl_sketchy, layers), index);
    uint32_t size = layer->size;
    bool sure;

    const lvl_status status = lvl_sketchy_infer_size(c->doc, layer, &size, &sure);
    if (status == LVL_OK && sure)
        lvl_sketchy_report(c->findings, LVL_SKETCHY_F_CHUNK_SIZE, &where,
                           "the document declares chunks of %lu pixels, but they are of %lu: pixels are "
                           "hidden, or drawn in the "
                           "wrong place",
                           (unsigned long)layer->size, (unsigned long)size);
    return status;
}

/* Whether the source of the edited document has the same findings about a chunk: its bytes are the same, and
 * so is all that the findings depend on: its size and place, and the size of the palette. */
static bool is_known(const lvl_sketchy_checker *c, uint32_t layer, uint32_t index)
{
    const lvl_sketchy_state was = c->edited ? lvl_sketchy_state_of(c->edited) : (lvl_sketchy_state){0};
    const lvl_sketchy *before = c->edited ? c->edited->root : NULL;
    const lvl_sketchy_chunk *chunk = &c->d->layers[layer].chunks[index];

    return was.edit && was.swatches == c->d->swatch_count && layer < before->layer_count &&
           index < before->layers[layer].chunk_count && chunk->pixels.width == c->d->layers[layer].size &&
           lvl_sketchy_same_stored(c->doc, chunk, c->edited, &before->layers[layer].chunks[index],
                                   LVL_FIELD(lvl_sketchy_chunk, pixels));
}

lvl_status lvl_sketchy_check_chunks(const lvl_sketchy_checker *c)
{
    enum { MAX_CELLS = LVL_SKETCHY_CHUNK_SIZE_MAX * LVL_SKETCHY_CHUNK_SIZE_MAX };
    lvl_status status = LVL_OK;
    lvl_buffer inflated = {0};
    uint8_t *grid = malloc((size_t)MAX_CELLS * 2);

    if (!grid)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < c->d->layer_count && status == LVL_OK; i++) {
        const lvl_sketchy_layer *layer = &c->d->layers[i];
        if (layer->size < 1 || layer->size > LVL_SKETCHY_CHUNK_SIZE_MAX) {
            const lvl_where where = lvl_sketchy_item(offsetof(lvl_sketchy, layers), i);
            lvl_sketchy_report(c->findings, LVL_SKETCHY_F_CHUNK_SIZE, &where,
                               "chunks of %lu pixels; expected 1 to 255: the game does not load the file",
                               (unsigned long)layer->size);
            continue;
        }
        bool doubt = false;
        for (uint32_t k = 0; k < layer->chunk_count && status == LVL_OK; k++) {
            const lvl_where where = lvl_sketchy_chunk_at(i, k);
            lvl_chunk_look look;
            if (is_known(c, i, k))
                continue;
            status = lvl_sketchy_look(c->doc, &layer->chunks[k], layer->size, c->d->swatch_count, &inflated,
                                      grid, &look);
            if (status != LVL_OK)
                break;
            check_chunk(c, &look, grid, &layer->chunks[k], layer->size, &where);
            doubt = doubt || look.report.outside > look.report.phantom ||
                    (look.encoding == LVL_SKETCHY_CHUNK_RUNS &&
                     look.report.total - layer->size * layer->size + 1 > 1);
        }
        if (status == LVL_OK && doubt)
            status = check_size(c, i);
    }
    free(grid);
    lvl_buffer_free(&inflated);
    return status;
}
