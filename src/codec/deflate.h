/*
 * codec/deflate.h: bytes to zlib streams (RFC 1950), and checksums. Functions may be called by several
 * threads at once.
 */
#ifndef LVL_CODEC_DEFLATE_H
#define LVL_CODEC_DEFLATE_H

#include <lvl/doc.h>

/* The encoder whose stream is reproduced. */
typedef enum lvl_deflate_style {
    LVL_DEFLATE_CLASSIC6, /* zlib 1.0.4 at level 6 (78 9c): what the game editors of the nineties write */
    LVL_DEFLATE_LEVEL6, /* today's zlib at level 6 (78 9c) */
    LVL_DEFLATE_LEVEL9, /* today's zlib at level 9 (78 da) */
    LVL_DEFLATE_QUICK /* a short search, for large streams that need not be reproduced */
} lvl_deflate_style;

/* Appends `in` as a zlib stream of that style, made by an encoder of our own: the same bits on every machine,
 * whatever zlib it has. LVL_OK, LVL_ERR_MEMORY, or LVL_ERR_LIMIT (the buffer's bound, or 4 GiB of input). */
lvl_status lvl_deflate_zlib(lvl_bytes in, lvl_deflate_style style, lvl_buffer *out);

/* The same for bytes that have been edited: `was` has those before, and `stream` is their zlib stream of that
 * style. Its matches are taken over where a search would find the same: from 32 KiB behind a change on, and
 * up to 258 bytes before one. If another encoder made `stream`, the result keeps its choices there; if it is
 * not sound, or not the stream of `was`, the result is sound nevertheless. */
lvl_status lvl_deflate_zlib_edited(lvl_bytes in, lvl_deflate_style style, lvl_bytes stream, lvl_bytes was,
                                   lvl_buffer *out);

/* The same as a raw stream, as in a zip, and as gzip (no name, no time, system unknown), at level 6; more
 * than 64 KiB in the quick style, since lists of pixels would take ten times as long otherwise. */
lvl_status lvl_deflate_raw(lvl_bytes in, lvl_buffer *out);
lvl_status lvl_deflate_gzip(lvl_bytes in, lvl_buffer *out);
/* Adler-32 of RFC 1950, CRC-32 of gzip, zip and PNG. */
uint32_t lvl_adler32(lvl_bytes in);
uint32_t lvl_crc32(lvl_bytes in);

#endif
