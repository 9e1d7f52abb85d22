/*
 * sketchy/chunk_codec.h: the pixels of one chunk: from each of the four forms in which they are stored to a
 * grid, and back. See lvl/sketchy.h for the forms; a stream is a member's inflated bytes, or the chunk's own
 * object in a JSON document.
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

/* What was odd about a stream. */
typedef struct lvl_chunk_report {
    uint32_t pixels;  /* set in the grid */
    uint32_t outside; /* px that belong to other chunks: not in the grid */
    uint32_t doubled; /* px given more than once; the last one counts */
    uint32_t wide;    /* indices that no cell can hold (65535 and more): not in the grid */
    uint32_t broken;  /* keys or values that are none */
    uint32_t behind;  /* JSON: entries behind where the object ends or breaks off, or 1 for anything else
                        there; runs: 1 for what follows a number that is too long */
    uint32_t most;    /* the highest index in the grid; 0 without any */
    uint64_t total;   /* runs: px that they say */
    bool phantom;     /* world px 0, 0 with index 0, outside: what a bug of the game leaves behind */
    bool partial;     /* the stream ends inside an entry */
    bool bad;         /* not such a stream at all: nothing was read */
    int64_t outside_x, outside_y;     /* the first px outside */
    int64_t left, top, right, bottom; /* lists: around all px outside but the phantom; left > right: none */
} lvl_chunk_report;

/* What a stream is: by its first byte, '{' for JSON (whose data decides), else its type. -1: none that is
 * known (the old Grid, say). */
int lvl_chunk_encoding(lvl_bytes stream);
/* Decodes into `grid`, size × size cells of 2 bytes, little-endian, which need not be cleared;
 * LVL_SKETCHY_NONE where nothing is. Never reads past the stream nor writes past the grid, whatever it holds.
 * `report` may be NULL. LVL_ERR_FORMAT: report->bad; LVL_ERR_MEMORY. */
lvl_status lvl_chunk_decode(unsigned encoding, lvl_bytes stream, const lvl_chunk_place *place, uint8_t *grid,
                            lvl_chunk_report *report);
/* A px of the world, as a stream lists it. */
typedef struct lvl_chunk_pixel {
    int64_t x, y;
    uint64_t index;
} lvl_chunk_pixel;
/* Appends a lvl_chunk_pixel for each px in the stream that other chunks own, the phantom too; the grid gets
 * the rest. Else as lvl_chunk_decode. */
lvl_status lvl_chunk_foreign(unsigned encoding, lvl_bytes stream, const lvl_chunk_place *place, uint8_t *grid,
                             lvl_buffer *out);
/* Whether reading the stream as that encoding gives just this grid, of size × size cells; a stream that can't
 * be decoded reads as an empty one. LVL_ERR_MEMORY. */
lvl_status lvl_chunk_describe(unsigned encoding, lvl_bytes stream, const lvl_chunk_place *place,
                              const uint8_t *grid, bool *out);
/* The bytes of base64, perhaps with line ends, in `out`, which is emptied before. `escaped`: it is the
 * text of a JSON string with a backslash in it. LVL_ERR_FORMAT: it isn't base64. */
lvl_status lvl_chunk_base64(lvl_text spelled, bool escaped, lvl_buffer *out);
/* Appends the grid in that form: runs in full (the game's own writer loses a lone last px), lists row by row,
 * JSON as Go sorts it; behind it pixels that other chunks own (`foreign`, each a lvl_chunk_pixel).
 * LVL_ERR_LOSS: runs cannot hold them. */
lvl_status lvl_chunk_encode(unsigned encoding, const uint8_t *grid, const lvl_chunk_place *place,
                            const lvl_buffer *foreign, lvl_buffer *out);

#endif
