/*
 * codec/inflate.h: deflated streams to bytes: zlib's (RFC 1950), gzip's (RFC 1952), bare ones (RFC 1951).
 * Sound streams are decoded by libdeflate, which is about three times as fast; broken ones by zlib, since
 * libdeflate returns nothing from those. All functions are stateless and may be called by several threads
 * at once. Each charges `work` (not NULL) for the bytes that it reads and makes; LVL_ERR_LIMIT or
 * LVL_ERR_STOPPED when it refuses, with work->status set.
 */
#ifndef LVL_CODEC_INFLATE_H
#define LVL_CODEC_INFLATE_H

#include "base/work.h"

/* A match of 258 bytes takes at least two bits, so no sound stream has a higher ratio. */
#define LVL_INFLATE_MAX_RATIO 1032

/* How decoding a stream ended. */
typedef enum lvl_inflate_end {
    LVL_INFLATE_DONE, /* whole and sound, checksum right */
    LVL_INFLATE_TRUNCATED, /* the input ended first */
    LVL_INFLATE_BAD_HEADER, /* not a zlib stream at all */
    LVL_INFLATE_BAD_DATA, /* an impossible code, distance or block type */
    LVL_INFLATE_BAD_CHECKSUM, /* all bytes were decoded, but the Adler-32 at the end differs */
    LVL_INFLATE_NEED_DICT, /* it was packed with a preset dictionary, which is not available */
    LVL_INFLATE_FULL /* the output is larger than the bound */
} lvl_inflate_end;

/* A short English text ("truncated", "bad data", …). Static storage. */
const char *lvl_inflate_end_text(lvl_inflate_end end);

/* What is around the deflated data. */
typedef enum lvl_wrap {
    LVL_WRAP_ZLIB, /* two bytes before, Adler-32 after */
    LVL_WRAP_GZIP, /* a header with perhaps a name, CRC-32 and size after */
    LVL_WRAP_RAW /* nothing, as in zip */
} lvl_wrap;

typedef struct lvl_inflate_report {
    lvl_inflate_end end;
    size_t in_used; /* bytes of input that were read; when DONE, exactly the stream with its checksum */
    size_t out_len; /* bytes of output */
} lvl_inflate_report;

/* A whole, sound stream at the start of `in` into `out`, which holds `out_size` bytes; bytes after the
 * stream are left alone. `in_used` and `out_len` may be NULL, and are set only on LVL_OK. LVL_ERR_FORMAT:
 * broken in any way (lvl_inflate_salvage reports which); LVL_ERR_LIMIT: it inflates to more than `out_size`,
 * or seems to, since a truncated stream is read as if zeros followed; LVL_ERR_MEMORY. */
lvl_status lvl_inflate_zlib(lvl_work *work, lvl_bytes in, uint8_t *out, size_t out_size, size_t *in_used,
                            size_t *out_len);

/* The same for an unknown size: appends at most `max` bytes to `out`. After LVL_ERR_FORMAT and LVL_ERR_LIMIT
 * `out` has what was decoded. */
lvl_status lvl_inflate_zlib_grow(lvl_work *work, lvl_bytes in, lvl_buffer *out, size_t max, size_t *in_used);

/* Everything before an error: appends what can be decoded to `out`, at most `max` bytes, and reports how it
 * ended. LVL_OK for any stream; LVL_ERR_MEMORY or the buffer's own bound (LVL_ERR_LIMIT) otherwise. Memory
 * follows the output, not the declared size. */
lvl_status lvl_inflate_salvage(lvl_work *work, lvl_wrap wrap, lvl_bytes in, lvl_buffer *out, size_t max,
                               lvl_inflate_report *report);

/* The same into memory of a known size: nothing beyond out[report->out_len] is touched. */
lvl_status lvl_inflate_salvage_into(lvl_work *work, lvl_wrap wrap, lvl_bytes in, uint8_t *out,
                                    size_t out_size, lvl_inflate_report *report);

/* lvl_inflate_zlib for any of them. A bare stream has no checksum; of several gzip
 * members only the first is read. Up to 4096 bytes into memory of a known size take no memory from the heap,
 * unless it is a zlib stream. */
lvl_status lvl_inflate_wrapped(lvl_work *work, lvl_wrap wrap, lvl_bytes in, uint8_t *out, size_t out_size,
                               size_t *in_used, size_t *out_len);

/* True if `packed` bytes cannot inflate to `size` bytes: checked before memory is allocated.
 * `ratio`: at least 1; LVL_INFLATE_MAX_RATIO is the bound of deflate itself. */
bool lvl_inflate_impossible(uint64_t packed, uint64_t size, uint32_t ratio);

#endif
