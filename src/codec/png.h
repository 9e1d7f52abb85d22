/*
 * codec/png.h: PNG out as a stream of rows. Pictures in memory are in lvl/image.h.
 */
#ifndef LVL_CODEC_PNG_H
#define LVL_CODEC_PNG_H

#include <lvl/image.h>

/* Which library compresses the pixels. AUTO takes the fastest that is built in; the others are for tests and
 * benches. */
typedef enum lvl_png_packer {
    LVL_PNG_AUTO,
    /* In bands; the fastest. LIBDEFLATE where the processor does not support it. Its output for the same
     * pixels may differ (about once in 1500 times), since that of isa-l 2.30 depends on the address of its
     * stream. So pictures that become part of a level are compressed by libdeflate. */
    LVL_PNG_ISAL,
    LVL_PNG_LIBDEFLATE /* all pixels at once: of half of limits.memory_bytes */
} lvl_png_packer;

/* A picture as PNG: with a palette if possible, otherwise RGB or RGBA, and with its offset in an oFFs chunk
 * unless that is 0, 0. `palette` is used for INDEX8 pictures without a palette; NULL: grey. The same picture
 * gives the same bytes. */
lvl_status lvl_png_write(const lvl_ctx *ctx, const lvl_image *image, const lvl_palette *palette,
                         lvl_writer *out);
/* PNG to a picture: INDEX8 with its palette (and a mask where some of it is transparent) if the PNG has a
 * palette, else RGBA8. LVL_ERR_FORMAT if it is broken, LVL_ERR_LIMIT if it is larger than the context allows.
 */
lvl_status lvl_png_read(const lvl_ctx *ctx, lvl_bytes png, lvl_image *out);
/* lvl_png_read; without `indices` a PNG whose palette has half transparent colours becomes RGBA8. */
lvl_status lvl_png_read_as(const lvl_ctx *ctx, lvl_bytes png, bool indices, lvl_image *out);

/* Writes a chunk: `chunk` holds 8 bytes for the head, the data, and 4 bytes for the checksum. */
lvl_status lvl_png_chunk_write(lvl_writer *out, const char *name, uint8_t *chunk, size_t len);
/* The first 8 bytes of every PNG. */
enum { LVL_PNG_SIGNATURE_SIZE = 8 };
extern const uint8_t lvl_png_signature[LVL_PNG_SIGNATURE_SIZE];
/* The data of the first chunk of that name; false if there is none, or the file ends first. Checksums are not
 * verified. */
bool lvl_png_chunk(lvl_bytes png, const char *name, lvl_bytes *out);
/* Puts a chunk after the IHDR of the PNG that begins at `from` in the buffer and ends it. LVL_ERR_ARG: there
 * is no PNG. */
lvl_status lvl_png_chunk_add(lvl_buffer *buf, size_t from, const char *name, lvl_bytes data);
/* The chunk for the content of a document besides its picture (tools/picture/picture.c, lvl_image.rest):
 * ancillary, private, safe to copy. */
#define LVL_PNG_REST "lvLf"

/* Rows of a PNG, written to `out` as they arrive. NULL without memory. Freed by lvl_png_rows_free,
 * also after a failure. */
lvl_rows *lvl_png_rows_new(const lvl_ctx *ctx, lvl_writer *out, lvl_png_packer packer);
void lvl_png_rows_free(lvl_rows *rows);

#endif
