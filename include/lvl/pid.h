/*
 * lvl/pid.h: PID, one sprite or tile of a WAP32 game: a 32-byte header, 8-bit pixels in one of two run
 * encodings, an optional palette.
 */
#ifndef LVL_PID_H
#define LVL_PID_H

#include <lvl/color.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LVL_PID_TRANSPARENT = 0x01, /* index 0 is not drawn */
    LVL_PID_VIDEO_MEMORY = 0x02, /* hints for the surface */
    LVL_PID_SYSTEM_MEMORY = 0x04,
    LVL_PID_MIRROR = 0x08, /* never set in data */
    LVL_PID_INVERT = 0x10,
    LVL_PID_SKIP_RUNS = 0x20, /* grammar B: runs of pixels that are not drawn, and literals */
    LVL_PID_SHADE = 0x40,
    LVL_PID_PALETTE = 0x80, /* the last 768 bytes are a palette */
    LVL_PID_FILL = 0x100, /* skipped pixels take the header's fill (low byte) on a surface */
    LVL_PID_EIGHT_BIT = 0x200
};

/* A cell of `pixels` that is not drawn, in files of grammar B. The others are palette indices 0 to 255. */
#define LVL_PID_SKIPPED 0x100u

enum { /* how single pixels are encoded in grammar A */
       LVL_PID_SPARING, /* as PCX does: a run of one only for values from 0xC0 */
       LVL_PID_EAGER, /* a run of one for values from 0x40 already (779 of 1318 real files) */
};

typedef struct lvl_pid {
    uint32_t id; /* 10; 0 and 99999 seen */
    uint32_t flags; /* LVL_PID_… */
    int32_t width, height; /* derived from pixels */
    int32_t offset_x, offset_y; /* px, from the sprite centred on its object */
    uint32_t fill;
    uint32_t unknown_1c;
    lvl_cells pixels; /* cells of 1 byte (grammar A) or 2 (grammar B) as read; any size when written */
    lvl_bytes rest; /* between pixels and palette or end: often one 0x0C, PCX's palette marker */
    lvl_color *colors;
    uint32_t color_count; /* 256 or 0 */
    uint32_t spelling; /* LVL_PID_SPARING, LVL_PID_EAGER; kept */
    lvl_bytes encoded; /* the pixels as encoded, if no known encoder gives the same bytes; kept */
} lvl_pid;

LVL_API extern const lvl_table lvl_pid_table;

#ifdef __cplusplus
}
#endif

#endif
