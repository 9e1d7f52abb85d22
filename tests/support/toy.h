/*
 * toy.h: a small level format for testing the tools, with every kind of field that tables know. It is in no
 * table of formats.
 *
 *     0x00  "TOY1"
 *     0x04  u32 flags
 *     0x08  i16 mood
 *     0x0A  u8 kind, u8 lives
 *     0x0C  i32 x, i32 y
 *     0x14  u32 number of things (derived)
 *     0x18  u32 checksum (derived)
 *     0x1C  u16 columns, u16 rows; columns 0xFFFF: there are no cells, whatever rows is
 *     0x20  char[16] name
 *     0x30  u8[4] key
 *     0x34  u32 box size (kind box) or u8 radius (kind round)
 *     0x39  3 unknown bytes
 *     0x3C  f64 gravity
 *     0x44  u16 cells, things, titles, blanks (kept)
 */
#ifndef TOY_H
#define TOY_H

#include "base/format.h"

typedef struct toy_point {
    int32_t x, y;
} toy_point;

typedef struct toy_thing {
    uint8_t type;
    int16_t x, y;
    lvl_text name;
    uint32_t *tags;
    uint32_t tag_count;
    uint32_t name_size; /* derived */
} toy_thing;

typedef struct toy_level {
    uint32_t flags;
    int16_t mood;
    uint8_t kind, lives;
    toy_point start;
    uint32_t things_written, checksum; /* derived */
    char name[16];
    uint8_t key[4];
    uint32_t box_size;
    uint8_t radius;
    uint8_t unknown[3];
    double gravity;
    lvl_cells cells;
    toy_thing *things;
    uint32_t thing_count;
    lvl_text *titles;
    uint32_t title_count;
    lvl_bytes tail; /* kept */
} toy_level;

extern const lvl_format toy_format;

/* A sound file of the toy format: `things` things, a grid of 12 by 5. Free the buffer. */
void toy_file(lvl_buffer *out, unsigned things);
/* The same, read. Aborts the test without memory. */
lvl_doc *toy_doc(const lvl_ctx *ctx, unsigned things);

#endif
