/*
 * support/sketchy_make.h: small drawings and packs, in every generation, for tests.
 */
#ifndef LVL_TEST_SKETCHY_MAKE_H
#define LVL_TEST_SKETCHY_MAKE_H

#include <lvl/sketchy.h>

/* A level: chunks of 16 px at 0,0 and -1,2 (and one without pixels), three swatches, two linked actors, an
 * attached file. NULL: no memory. */
lvl_doc *lvl_make_sketch(const lvl_ctx *ctx, unsigned generation);
/* A doodad of two layers with script, tags and options. */
lvl_doc *lvl_make_doodad(const lvl_ctx *ctx, unsigned generation);
/* A pack of two such levels and the doodad, with its index. */
lvl_doc *lvl_make_pack(const lvl_ctx *ctx);
/* The document as a file; false without memory. Frees the document. */
bool lvl_make_file(lvl_doc *doc, lvl_buffer *out);
/* Adds a file to a drawing or pack. */
bool lvl_make_attached(lvl_doc *doc, const char *path, lvl_bytes data);
/* The grid of a chunk: size × size cells of 2 bytes, all LVL_SKETCHY_NONE; NULL without memory. */
uint8_t *lvl_make_chunk(lvl_doc *doc, lvl_sketchy_chunk *chunk, const char *key, int32_t x, int32_t y,
                        uint32_t size);

#endif
