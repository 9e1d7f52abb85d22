/*
 * recolor.c: opens a Sketchy Maze level of any generation, gives one of its swatches another colour, draws a
 * line with it, and saves that as another file.
 *
 *     cc -o recolor recolor.c $(pkg-config --cflags --libs lvl)
 *     ./recolor samples/sketchy/hill-v2.level water '#00aa88' recolored.level
 *
 * What isn't touched comes out as it went in: the other chunks with their compressed bytes, members in their
 * order, unknown keys.
 */
#include <lvl/lvl.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* A line along the top of a chunk; what the document holds is written from then on. */
static int draw_line(lvl_doc *doc, lvl_sketchy_layer *layer, uint32_t swatch)
{
    uint8_t *pixels = layer->chunk_count ? lvl_sketchy_pixels_edit(doc, &layer->chunks[0]) : NULL;

    for (uint32_t x = 0; pixels && x < layer->size; x++) {
        pixels[(size_t)x * 2] = (uint8_t)swatch;
        pixels[(size_t)x * 2 + 1] = (uint8_t)(swatch >> 8);
    }
    return pixels != NULL;
}

int main(int argc, char **argv)
{
    lvl_ctx ctx;
    lvl_doc *doc;

    if (argc != 5)
        return 2;
    lvl_ctx_init(&ctx); /* lives as long as what is made with it */
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_status status = lvl_load(&doc, &ctx, argv[1], findings);
    for (size_t i = 0; i < lvl_findings_count(findings);
         i++) /* of a damaged file all that could be kept is there */
        fprintf(stderr, "%s: %s\n", argv[1], lvl_findings_at(findings, i)->text);
    if (status != LVL_OK) {
        fprintf(stderr, "%s: %s\n", argv[1],
                status == LVL_ERR_IO || status == LVL_ERR_MISSING ? strerror(errno)
                                                                  : lvl_status_text(status));
        lvl_findings_free(findings);
        return 1;
    }
    lvl_sketchy *level = lvl_sketchy_of(doc); /* NULL: it is no drawing */
    uint32_t i = 0;
    while (level && i < level->swatch_count && !lvl_text_is(level->swatches[i].name, argv[2]))
        i++;
    if (level && i < level->swatch_count) {
        level->swatches[i].color = lvl_text_of(argv[3]); /* outlives the document; else: lvl_doc_text */
        if (level->layer_count)
            draw_line(doc, &level->layers[0], i);
        status = lvl_save(doc, argv[4], &(lvl_save_options){.findings = findings});
        printf("%s of a level in %s: %s\n", argv[2], lvl_sketchy_generation_name(level->generation),
               lvl_status_text(status));
    } else {
        status = LVL_ERR_MISSING;
    }
    lvl_doc_free(doc);
    lvl_findings_free(findings);
    return status != LVL_OK;
}
