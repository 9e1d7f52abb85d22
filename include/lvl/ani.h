/*
 * lvl/ani.h: ANI, an animation of a WAP32 game: a header, a name, and steps of ten 16-bit numbers with
 * optional names of sounds.
 */
#ifndef LVL_ANI_H
#define LVL_ANI_H

#include <lvl/record.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LVL_ANI_STEP_CUE = 2 }; /* flag of a step: a sound cue follows it in the file */

enum { /* step modes */
       LVL_ANI_HOLD = 0,
       LVL_ANI_NEXT = 1,
       LVL_ANI_PREVIOUS = 2,
       LVL_ANI_FRAME = 3, /* show the frame numbered `param` */
       LVL_ANI_FIRST = 4,
       LVL_ANI_LAST = 5
};

typedef struct lvl_ani_step {
    uint16_t flags;
    int16_t step_mode;
    int16_t loop_mode; /* 9: the animation ends here */
    int16_t position_mode;
    int16_t param;
    int16_t duration; /* ms */
    int16_t event; /* value passed to the game's logic when the frame is drawn */
    int16_t dx, dy; /* px */
    int16_t unknown_12;
    lvl_text cue; /* sound keys; only with LVL_ANI_STEP_CUE */
} lvl_ani_step;

typedef struct lvl_ani {
    uint32_t header_size; /* 32 */
    uint32_t unknown_04;
    uint32_t flags;
    uint32_t count; /* derived */
    uint32_t name_len; /* derived */
    uint32_t unknown_14, unknown_18, unknown_1c;
    lvl_text name; /* name of the image set that it was made for, often outdated; no NUL in the file */
    lvl_ani_step *steps;
    uint32_t step_count;
    lvl_bytes rest; /* bytes after the last step */
} lvl_ani;

LVL_API extern const lvl_table lvl_ani_table;
LVL_API extern const lvl_table lvl_ani_step_table;

#ifdef __cplusplus
}
#endif

#endif
