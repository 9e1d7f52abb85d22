/*
 * tools/picture/frames_make.c: animations of the frames in a sheet.
 */
#include "tools/picture/frames.h"

#include "base/arena.h"
#include "base/format.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { DIRECTIONS = 4 };

/* The number at the end of a name without its ending, "FRAME012.PID"; -1: none. */
static int64_t number_of(const char *name)
{
    const char *dot = strrchr(name, '.'), *end = dot && dot != name ? dot : name + strlen(name);
    const char *from = end;
    int64_t number = 0;

    while (from > name && from[-1] >= '0' && from[-1] <= '9' && end - from < 9)
        from--;
    for (const char *p = from; p < end; p++)
        number = number * 10 + (*p - '0');
    return from < end ? number : -1;
}

/* The frames of the directions, if there are tags for all of them; else all. */
static uint32_t find_directions(const lvl_frames *frames, uint32_t first[DIRECTIONS], uint32_t *count)
{
    static const char *const names[DIRECTIONS] = {"up", "left", "down", "right"};
    uint32_t found = 0;

    for (uint32_t d = 0; d < DIRECTIONS; d++) {
        for (uint32_t i = 0; i < frames->tag_count; i++) {
            const lvl_frame_tag *tag = &frames->tags[i];
            const uint32_t of = tag->to - tag->from + 1;
            if (strcmp(tag->name, names[d]) != 0 || (found && of != *count))
                continue;
            first[d] = tag->from;
            *count = of;
            found++;
            break;
        }
    }
    if (found == DIRECTIONS)
        return DIRECTIONS;
    first[0] = 0;
    *count = frames->count;
    return 1;
}

static lvl_animation_part part_of(const lvl_frames *frames, uint32_t index)
{
    const lvl_frame *f = &frames->items[index];

    return (lvl_animation_part){.x = f->x,
                                .y = f->y,
                                .width = f->width,
                                .height = f->height,
                                .left = f->left - (frames->points ? f->point_x : 0),
                                .top = f->top - (frames->points ? f->point_y : 0),
                                .ms = f->ms,
                                .number = number_of(f->name)};
}

lvl_status lvl_frames_animate(const lvl_frames *frames, const lvl_ctx *ctx, const lvl_format *format,
                              const char *picture, lvl_doc **out, lvl_findings *losses)
{
    uint32_t first[DIRECTIONS] = {0}, count = 0;

    *out = NULL;
    if (!format->calls->animate || !frames->count)
        return LVL_ERR_UNSUPPORTED;
    const uint32_t directions = find_directions(frames, first, &count);
    lvl_animation_part *parts = malloc((size_t)count * directions * sizeof *parts);
    lvl_status status = parts ? lvl_doc_new(out, ctx, format) : LVL_ERR_MEMORY;
    for (uint32_t d = 0; d < directions && status == LVL_OK; d++) {
        for (uint32_t i = 0; i < count; i++)
            parts[d * count + i] = part_of(frames, first[d] + i);
    }
    const lvl_animation_parts all = {picture, parts, count, directions, frames->loops};
    if (status == LVL_OK)
        status = format->calls->animate(*out, &all, losses);
    if (*out)
        status = lvl_arena_status(&(*out)->arena, status);
    free(parts);
    if (status != LVL_OK) {
        lvl_doc_free(*out);
        *out = NULL;
    }
    return status;
}
