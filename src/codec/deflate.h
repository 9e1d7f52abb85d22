/*
 * codec/deflate.h: bytes to zlib streams (RFC 1950), and checksums. Functions may be called by several threads at once.
 */
#ifndef LVL_CODEC_DEFLATE_H
#define LVL_CODEC_DEFLATE_H

#include <lvl/doc.h>

/* Whose stream it shall look like. */
typedef enum lvl_deflate_style {
    LVL_DEFLATE_CLASSIC6, /* zlib 1.0.4 at level 6 (78 9c): what the game editors of the nineties write */
    LVL_DEFLATE_LEVEL6,   /* today's zlib at level 6 (78 9c) */
    LVL_DEFLATE_LEVEL9    /* today's zlib at level 9 (78 da) */
} lvl_deflate_style;

/* Appends `in` as a zlib stream of that style. LVL_OK, LVL_ERR_MEMORY, or the buffer's bound (LVL_ERR_LIMIT). */
lvl_status lvl_deflate_zlib(lvl_bytes in, lvl_deflate_style style, lvl_buffer *out);

/* Adler-32 of RFC 1950, CRC-32 of gzip, zip and PNG. */
uint32_t lvl_adler32(lvl_bytes in);
uint32_t lvl_crc32(lvl_bytes in);

#endif
