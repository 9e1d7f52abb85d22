/*
 * codec/apng.h: animated PNG.
 */
#ifndef LVL_CODEC_APNG_H
#define LVL_CODEC_APNG_H

#include <lvl/image.h>

/* An animated PNG (APNG 1.0) of frames of one size, in RGBA8, or in up to 256 colours. One thread at a time.
 * Viewers without APNG show its first frame. */
typedef struct lvl_apng lvl_apng;

/* `frames` that will come, at least 1; `plays` how often they are shown, 0: without end. NULL without memory.
 */
lvl_apng *lvl_apng_new(const lvl_ctx *ctx, uint32_t frames, uint32_t plays, lvl_writer *out);
void lvl_apng_free(lvl_apng *apng);
/* Optional: counts the colours of a frame before any is written. If this was called for all frames and they
 * have at most 256 colours together, counting each alpha value, the file gets a palette; otherwise it is
 * RGBA. LVL_ERR_ARG if the frame is not RGBA8. */
lvl_status lvl_apng_survey(lvl_apng *apng, const lvl_image *frame);
/* Writes the next frame, RGBA8 and as large as the first; `ms` how long it is shown. Pixels that are equal
 * in the previous frame are not written again. LVL_ERR_ARG for a frame too many, of another size, or with a
 * colour that lvl_apng_survey did not count; otherwise what `out` returns. */
lvl_status lvl_apng_frame(lvl_apng *apng, const lvl_image *frame, uint32_t ms);
/* Ends the file. LVL_ERR_ARG if frames are missing. */
lvl_status lvl_apng_end(lvl_apng *apng);

#endif
