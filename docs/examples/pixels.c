/*
 * pixels.c: what the pixels of a Sketchy Maze level or doodad do, counted swatch by swatch, whatever form it
 * is stored in.
 *
 *     cc -o pixels pixels.c $(pkg-config --cflags --libs lvl)
 *     ./pixels samples/sketchy/hill-v4.level
 *
 * Opening a document decodes no pixel: lvl_sketchy_pixels does that, a chunk at a time, into memory of the
 * caller's. The document doesn't change by it, so that threads may share it and take a chunk each.
 */
#include <lvl/lvl.h>

#include <stdio.h>

static int count(const lvl_doc *doc)
{
    const lvl_sketchy *drawing = lvl_sketchy_cof(doc);
    uint64_t counts[LVL_SKETCHY_COLORS] = {0};
    lvl_buffer storage = {0}; /* one for all chunks: it is cleared each time and keeps its memory */
    lvl_cells pixels;

    if (!drawing) {
        fprintf(stderr, "no drawing, but a %s\n", lvl_doc_format(doc)->title);
        return 1;
    }
    for (uint32_t l = 0; l < drawing->layer_count; l++) {
        const lvl_sketchy_layer *layer = &drawing->layers[l];
        for (uint32_t c = 0; c < layer->chunk_count; c++) {
            if (lvl_sketchy_pixels(doc, &layer->chunks[c], &storage, &pixels) != LVL_OK)
                fprintf(stderr, "chunk %ld,%ld can't be decoded whole\n", (long)layer->chunks[c].x,
                        (long)layer->chunks[c].y);
            /* world px: layer->chunks[c].x * layer->size + x, and the same of y */
            for (uint32_t y = 0; y < pixels.height; y++) {
                for (uint32_t x = 0; x < pixels.width; x++) {
                    const uint32_t index = lvl_cell(&pixels, x, y);
                    if (index < LVL_SKETCHY_COLORS) /* LVL_SKETCHY_NONE is beyond */
                        counts[index]++;
                }
            }
        }
    }
    lvl_buffer_free(&storage);
    for (uint32_t i = 0; i < drawing->swatch_count && i < LVL_SKETCHY_COLORS; i++) {
        const lvl_sketchy_swatch *s = &drawing->swatches[i];
        printf("%8lu px of %.*s%s%s%s%s%s\n", (unsigned long)counts[i], (int)s->name.len, s->name.ptr,
               s->solid ? ", solid" : "", s->semisolid ? ", semisolid" : "", s->fire ? ", fire" : "",
               s->water ? ", water" : "", s->slippery ? ", slippery" : "");
    }
    return 0;
}

int main(int argc, char **argv)
{
    lvl_doc *doc;
    lvl_ctx ctx;
    int code = 1;

    lvl_ctx_init(&ctx);
    if (argc > 1 && lvl_load(&doc, &ctx, argv[1], NULL) == LVL_OK) {
        code = count(doc);
        lvl_doc_free(doc);
    }
    return code;
}
