/*
 * sketchy/chunks/codec.h: the pixels of one chunk, decoded from each of the four forms into a grid, and
 * encoded. See lvl/sketchy.h for the forms; a stream is a member's inflated bytes, or the chunk's object in a
 * JSON document.
 */
#ifndef LVL_SKETCHY_CHUNK_CODEC_H
#define LVL_SKETCHY_CHUNK_CODEC_H

#include <lvl/sketchy.h>

/* Which chunk a grid is: the px (x × size + column, y × size + row) of the world is its cell (column, row).
 */
typedef struct lvl_chunk_place {
    int32_t x, y;
    uint32_t size; /* 1 … 255 */
} lvl_chunk_place;

/* What decoding found in a stream. */
typedef struct lvl_chunk_report {
    uint32_t pixels; /* set in the grid */
    uint32_t outside; /* px that belong to other chunks: not in the grid */
    uint32_t doubled; /* px given more than once; the last one counts */
    uint32_t wide; /* indices that no cell can hold (65535 and more): not in the grid */
    uint32_t broken; /* invalid keys or values */
    uint32_t unused; /* JSON: values of "data" before the last one, which counts */
    bool type_twice; /* JSON: the same of "type" */
    uint32_t trailing; /* JSON: entries after the end or the break of the object, or 1 for anything else
                        there; runs: 1 for bytes after a number that is too long */
    uint32_t most; /* the highest index in the grid; 0 without any */
    uint64_t total; /* runs: the sum of their counts */
    bool phantom; /* world px 0, 0 with index 0, outside: left by a bug of the game */
    bool partial; /* the stream ends inside an entry */
    bool bad; /* not a stream of this encoding: nothing was read */
    int64_t outside_x, outside_y; /* the first px outside */
    int64_t left, top, right, bottom; /* lists: around all px outside but the phantom; left > right: none */
} lvl_chunk_report;

/* The encoding of a stream, by its first byte: '{' for JSON (whose data decides which), else its type. -1:
 * unknown (such as the game's old Grid). */
int lvl_chunk_encoding(lvl_bytes stream);
/* Whether chunks of that encoding are text, in the document or a .json member; the others are .bin. */
static inline bool lvl_chunk_is_text(unsigned encoding)
{
    return encoding <= LVL_SKETCHY_CHUNK_BASE64;
}
/* Decodes into `grid`, size × size cells of 2 bytes, little-endian, which need not be cleared;
 * LVL_SKETCHY_NONE where nothing is drawn. Never reads past the stream nor writes past the grid. `report` may
 * be NULL. LVL_ERR_FORMAT: report->bad; LVL_ERR_MEMORY. */
lvl_status lvl_chunk_decode(unsigned encoding, lvl_bytes stream, const lvl_chunk_place *place, uint8_t *grid,
                            lvl_chunk_report *report);
/* A px of the world, as a stream lists it. */
typedef struct lvl_chunk_pixel {
    int64_t x, y;
    uint64_t index;
} lvl_chunk_pixel;
/* As lvl_chunk_decode, but also appends a lvl_chunk_pixel to `out` for each px in the stream that belongs to
 * another chunk, the phantom included. */
lvl_status lvl_chunk_foreign(unsigned encoding, lvl_bytes stream, const lvl_chunk_place *place, uint8_t *grid,
                             lvl_chunk_report *report, lvl_buffer *out);
/* *out: whether decoding the stream as that encoding gives exactly this grid, of size × size cells; a stream
 * that can't be decoded counts as an empty grid. LVL_ERR_MEMORY. */
lvl_status lvl_chunk_describe(unsigned encoding, lvl_bytes stream, const lvl_chunk_place *place,
                              const uint8_t *grid, bool *out);
/* Decodes base64, which may have line ends, into `out`, which is emptied first. `escaped`: the text is a JSON
 * string with backslashes. LVL_ERR_FORMAT: not base64. */
lvl_status lvl_chunk_base64(lvl_text spelled, bool escaped, lvl_buffer *out);
/* Appends the grid in that encoding: runs in full (the game's writer loses a single last px), lists row by
 * row, JSON in Go's order; then the pixels of other chunks (`foreign`, each a lvl_chunk_pixel). LVL_ERR_LOSS:
 * runs cannot hold those. */
lvl_status lvl_chunk_encode(unsigned encoding, const uint8_t *grid, const lvl_chunk_place *place,
                            const lvl_buffer *foreign, lvl_buffer *out);

#endif
