/*
 * codec/gif.h: GIF in: the first frame, or all of them.
 */
#ifndef LVL_CODEC_GIF_H
#define LVL_CODEC_GIF_H

#include <lvl/image.h>

/* The first frame of a GIF, as INDEX8 with its palette, as large as the screen that the file declares; with a
 * mask if it has a transparent colour or does not fill that screen. LVL_ERR_FORMAT if it is broken or no
 * GIF, LVL_ERR_LIMIT if it is larger than the context allows. */
lvl_status lvl_gif_read(const lvl_ctx *ctx, lvl_bytes gif, lvl_image *out);

/* What is known of a GIF without its pixels. */
typedef struct lvl_gif_facts {
    uint32_t frames;
    bool indexed; /* all frames have the same palette */
    bool loops; /* it is shown without end, or several times */
} lvl_gif_facts;

/* LVL_ERR_FORMAT: no GIF, broken, or cut off; `frames` are those before that. */
lvl_status lvl_gif_survey(lvl_bytes gif, lvl_gif_facts *out);
/* Calls `visit` for each frame with what is to be seen then, as large as the screen that the file declares:
 * with `indexed` (all have the same palette) INDEX8 with a mask, else RGBA8; valid during the call. `ms`: its
 * time, a tenth of a second where the file has less than two hundredths, as viewers do. LVL_ERR_FORMAT:
 * broken or cut off; LVL_ERR_LIMIT; or what `visit` returned. */
typedef lvl_status lvl_gif_visit(void *user, const lvl_image *frame, uint32_t ms);
lvl_status lvl_gif_frames(const lvl_ctx *ctx, lvl_bytes gif, bool indexed, lvl_gif_visit *visit, void *user);
/* Whether bytes begin like a GIF, whatever the file is called. */
bool lvl_gif_probe(lvl_bytes bytes);

#endif
