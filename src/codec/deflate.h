/*
 * codec/deflate.h: bytes to streams of deflate (RFC 1951), and a checksum. Functions may be called by several
 * threads at once.
 */
#ifndef LVL_CODEC_DEFLATE_H
#define LVL_CODEC_DEFLATE_H

#include "codec/inflate.h"

#include <lvl/doc.h>

typedef enum lvl_deflate_library {
    LVL_DEFLATE_UNKNOWN, /* neither of these */
    LVL_DEFLATE_LIBDEFLATE,
    LVL_DEFLATE_ZLIB
} lvl_deflate_library;

/* How a stream was made. The bytes may differ between versions of a library, which the CRC-32 shows. */
typedef struct lvl_deflate_maker {
    lvl_deflate_library library;
    int level;
    uint32_t crc; /* of the stream */
} lvl_deflate_maker;

enum {
    LVL_DEFLATE_LEVEL = 6, /* of every new stream */
    LVL_DEFLATE_BEST = 9 /* the highest level that both libraries have */
};

/* Appends `in` as a new stream, by libdeflate; gzip has no name and no time. LVL_OK, LVL_ERR_MEMORY, or
 * LVL_ERR_LIMIT (the buffer's bound). */
lvl_status lvl_deflate(lvl_wrap wrap, lvl_bytes in, lvl_buffer *out);
/* Finds which library and level make exactly `stream` of `in`; LVL_DEFLATE_UNKNOWN: none that is tried. Takes
 * as long as compressing up to three times. LVL_OK or LVL_ERR_MEMORY. */
lvl_status lvl_deflate_find_maker(lvl_wrap wrap, lvl_bytes in, lvl_bytes stream, lvl_deflate_maker *maker);
/* The reverse: appends the stream that the maker makes of `in`. *same: it has the maker's CRC-32. Otherwise
 * `in` is not what that stream was made of, or this version of the library makes another, and nothing is
 * appended. LVL_ERR_ARG: no such level. */
lvl_status lvl_deflate_as(lvl_wrap wrap, lvl_bytes in, const lvl_deflate_maker *maker, lvl_buffer *out,
                          bool *same);

/* CRC-32 of gzip, zip and PNG. */
uint32_t lvl_crc32(lvl_bytes in);

#endif
