/*
 * tools/picture/frames_gif.c: the frames of an animated GIF.
 */
#include "tools/picture/frames.h"

#include "base/buffer.h"
#include "base/work.h"
#include "codec/colors.h"
#include "codec/gif.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COLORS = 255 /* and one index for what is transparent: */ };

lvl_status lvl_frames_count(lvl_bytes gif, uint32_t *out)
{
    lvl_gif_facts facts;

    const lvl_status status = lvl_gif_survey(gif, &facts);
    *out = status == LVL_OK || facts.frames > 1 ? facts.frames : lvl_gif_probe(gif);
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}

typedef struct reading {
    const lvl_ctx *ctx;
    lvl_frames *out;
    lvl_text stem;
    uint64_t bytes; /* of all frames */
    lvl_buffer name;
} reading;

static lvl_status copy_image(const lvl_ctx *ctx, const lvl_image *from, lvl_image *to)
{
    const size_t pixels = (size_t)from->width * from->height;
    const bool indexed = from->format == LVL_PIXELS_INDEX8;
    /* most frames are opaque */
    const bool masked = indexed && memchr(from->mask, 0, pixels);

    const lvl_status status = lvl_image_init(to, ctx, from->format, from->width, from->height, masked);
    if (status != LVL_OK)
        return status;
    memcpy(to->pixels, from->pixels, pixels * (indexed ? 1 : 4));
    if (masked)
        memcpy(to->mask, from->mask, pixels);
    to->palette = indexed ? malloc(sizeof *to->palette) : NULL;
    if (to->palette)
        *to->palette = *from->palette;
    if (!indexed || to->palette)
        return LVL_OK;
    lvl_image_clear(to);
    return LVL_ERR_MEMORY;
}

static lvl_status add_frame(void *user, const lvl_image *frame, uint32_t ms)
{
    reading *r = user;
    const uint64_t most = lvl_memory_share(r->ctx);
    lvl_image image;
    lvl_frame *f;

    r->bytes += (uint64_t)frame->width * frame->height * (frame->format == LVL_PIXELS_RGBA8 ? 4 : 2);
    if (r->bytes > most)
        return lvl_refuse(r->ctx, LVL_LIMIT_MEMORY, most, r->bytes);
    r->name.len = 0;
    lvl_frame_name(&r->name, r->stem, r->out->count + 1);
    lvl_status status = r->name.status;
    if (status == LVL_OK)
        status = copy_image(r->ctx, frame, &image);
    if (status == LVL_OK)
        status = lvl_frames_add_image(r->out, r->ctx, lvl_buffer_text(&r->name), &image, &f);
    if (status != LVL_OK)
        return status;
    f->ms = ms;
    return LVL_OK;
}

/* ---- one palette for all ------------------------------------------------------------------------------- */

/* The colour of a drawn pixel of RGBA8; 0: it is not drawn. GIFs have no half transparent ones. */
static uint32_t color_at(const lvl_image *image, size_t at)
{
    const uint8_t *p = image->pixels + at * 4;

    return p[3] ? p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | 255u << 24 : 0;
}

/* Counts the colours of all frames, up to one too many. */
static lvl_status count_colors(const lvl_frames *frames, lvl_used_colors *colors)
{
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < frames->count; i++) {
        const lvl_image *image = &frames->items[i].image;
        uint32_t last = 0;
        for (size_t at = 0; at < (size_t)image->width * image->height; at++) {
            const uint32_t color = color_at(image, at);
            if (!color || color == last)
                continue;
            status = lvl_used_colors_add(colors, last = color);
            if (status != LVL_OK || colors->count > MOST_COLORS)
                return status;
        }
    }
    return status;
}

static lvl_status index_image(const lvl_ctx *ctx, const lvl_used_colors *colors, lvl_image *image)
{
    lvl_image to;

    lvl_status status = lvl_image_init(&to, ctx, LVL_PIXELS_INDEX8, image->width, image->height, true);
    if (status != LVL_OK)
        return status;
    to.palette = calloc(1, sizeof *to.palette);
    if (!to.palette) {
        lvl_image_clear(&to);
        return LVL_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < colors->count; i++) {
        for (unsigned c = 0; c < 3; c++)
            to.palette->rgb[i + 1][c] = (uint8_t)(colors->list[i].rgba >> c * 8);
    }
    for (size_t at = 0; at < (size_t)image->width * image->height; at++) {
        const uint32_t color = color_at(image, at);
        to.mask[at] = color ? 255 : 0;
        to.pixels[at] = color ? (uint8_t)(lvl_used_colors_find(colors, color) - colors->list + 1) : 0;
    }
    lvl_image_clear(image);
    *image = to;
    return LVL_OK;
}

/* If all frames have few colours together, gives them one palette. */
static lvl_status share_palette(lvl_frames *frames, const lvl_ctx *ctx)
{
    lvl_used_colors colors = {0};
    uint64_t pixels = 0;

    for (uint32_t i = 0; i < frames->count; i++)
        pixels += (uint64_t)frames->items[i].width * frames->items[i].height;
    lvl_status status = lvl_charge(ctx, 2 * pixels);
    if (status == LVL_OK)
        status = count_colors(frames, &colors);
    for (uint32_t i = 0; i < frames->count && status == LVL_OK && colors.count <= MOST_COLORS; i++)
        status = index_image(ctx, &colors, &frames->items[i].image);
    lvl_used_colors_free(&colors);
    return status;
}

lvl_status lvl_frames_gif(lvl_frames *out, const lvl_ctx *ctx, lvl_bytes gif, lvl_text stem)
{
    reading r = {.ctx = ctx, .out = out, .stem = stem};
    lvl_gif_facts facts;

    *out = (lvl_frames){0};
    lvl_status status = lvl_gif_survey(gif, &facts);
    if (status == LVL_OK)
        status = lvl_gif_frames(ctx, gif, facts.indexed, add_frame, &r);
    if (status == LVL_OK && !facts.indexed)
        status = share_palette(out, ctx);
    out->loops = facts.loops;
    lvl_buffer_free(&r.name);
    return status;
}
