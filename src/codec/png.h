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
    /* In bands; the fastest. Not on every processor: AUTO's second choice is taken then. Of the same pixels
     * it now and then (once in some 1500 times) makes other bytes: what isa-l 2.30 writes depends on where
     * its stream lies in memory. So what becomes part of a level is packed by the others. */
    LVL_PNG_ISAL,
    LVL_PNG_LIBDEFLATE, /* pixels up to 16 MiB at once; larger pictures are ZLIB's */
    LVL_PNG_ZLIB        /* in bands */
} lvl_png_packer;

/* A picture as PNG: with a palette if possible, else RGB or RGBA, and with its offset in an oFFs chunk unless
 * that is 0, 0. `palette` serves INDEX8 pictures without one of their own; NULL then: grey. The same picture
 * gives the same bytes. */
lvl_status lvl_png_write(const lvl_ctx *ctx, const lvl_image *image, const lvl_palette *palette,
                         lvl_writer *out);
/* PNG to a picture: INDEX8 with its palette (and a mask where some of it is transparent) if the PNG has a
 * palette, else RGBA8. LVL_ERR_FORMAT if it is broken, LVL_ERR_LIMIT if it is larger than the context allows.
 */
lvl_status lvl_png_read(const lvl_ctx *ctx, lvl_bytes png, lvl_image *out);
/* lvl_png_read; without `indices` a PNG with a palette of which some colours are half transparent comes as
 * RGBA8, which can say that. */
lvl_status lvl_png_read_as(const lvl_ctx *ctx, lvl_bytes png, bool indices, lvl_image *out);

/* Writes a chunk: `chunk` holds 8 bytes for the head, the data, and 4 bytes for the checksum. */
lvl_status lvl_png_chunk_write(lvl_writer *out, const char *name, uint8_t *chunk, size_t len);
/* The first 8 bytes of every PNG. */
enum { LVL_PNG_SIGNATURE_SIZE = 8 };
extern const uint8_t lvl_png_signature[LVL_PNG_SIGNATURE_SIZE];
/* The data of the first chunk of that name; false if there is none, or the file ends first. Checksums are not
 * looked at. */
bool lvl_png_chunk(lvl_bytes png, const char *name, lvl_bytes *out);
/* Puts a chunk behind the IHDR of the PNG that begins at `from` in the buffer and ends it. LVL_ERR_ARG: no
 * PNG is there. */
lvl_status lvl_png_chunk_add(lvl_buffer *buf, size_t from, const char *name, lvl_bytes data);
/* The chunk for the content of a document besides its picture (tools/picture.c, lvl_image.rest): ancillary,
 * private, safe to copy. */
#define LVL_PNG_REST "lvLf"

/* Rows that become a PNG, written to `out` as they come. NULL without memory. Freed by lvl_png_rows_free,
 * also after a failure. */
lvl_rows *lvl_png_rows_new(const lvl_ctx *ctx, lvl_writer *out, lvl_png_packer packer);
void lvl_png_rows_free(lvl_rows *rows);

#endif
