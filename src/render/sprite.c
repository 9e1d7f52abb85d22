/*
 * render/sprite.c: pictures with effects: coloured, scaled, rotated, blended. For each pixel of the canvas
 * that the result may touch, the nearest pixel of the picture is drawn (this is pixel art), so the work is
 * bounded by what is visible, for any factors.
 */
#include "render/canvas.h"
#include "scene/scene.h"

#include <math.h>

/* The part of the picture to read, and its colours. */
typedef struct source {
    const lvl_image *image;
    const lvl_palette *palette; /* palette of an indexed picture; NULL: grey */
    lvl_rect part;
    bool mirror, flip;
} source;

/* The pixel at u, v of the part, as colour and alpha; false where nothing is drawn. */
static bool fetch(const source *s, int64_t u, int64_t v, uint8_t rgba[4])
{
    const lvl_image *image = s->image;
    const int64_t x = s->mirror ? s->part.right - u : s->part.left + u;
    const int64_t y = s->flip ? s->part.bottom - v : s->part.top + v;

    if (x < s->part.left || x > s->part.right || y < s->part.top || y > s->part.bottom || x < 0 || y < 0 ||
        x >= image->width || y >= image->height)
        return false;
    const size_t at = (size_t)y * image->width + (size_t)x;
    if (image->format == LVL_PIXELS_RGBA8) {
        for (size_t c = 0; c < 4; c++)
            rgba[c] = image->pixels[at * 4 + c];
        return rgba[3] != 0;
    }
    if (image->mask && !image->mask[at])
        return false;
    const uint8_t index = image->pixels[at];
    for (size_t c = 0; c < 3; c++)
        rgba[c] = s->palette ? s->palette->rgb[index][c] : index;
    rgba[3] = 255;
    return true;
}

static uint8_t byte_of(double v)
{
    return (uint8_t)(v <= 0 ? 0 : v >= 255 ? 255 : v + 0.5);
}

/* Blends a colour (0 to 255) with alpha (0 to 1) onto a pixel that may be transparent. */
static void composite(uint8_t *p, const double rgb[3], double alpha, lvl_blend blend)
{
    const double under = p[3] / 255.0;

    if (blend == LVL_BLEND_SUBTRACT) {
        for (int c = 0; c < 3; c++)
            p[c] = byte_of(p[c] - rgb[c] * alpha);
        return;
    }
    const double out = alpha + under * (1 - alpha);
    if (out <= 0)
        return;
    for (int c = 0; c < 3; c++) {
        const double below = p[c] * under * (blend == LVL_BLEND_ADD ? 1 : 1 - alpha);
        p[c] = byte_of((rgb[c] * alpha + below) / out);
    }
    p[3] = byte_of(out * 255);
}

static void draw_affected(lvl_canvas *canvas, const source *s, double left, double top,
                          const lvl_scene_effect *e, lvl_area area)
{
    const double width = (double)s->part.right - s->part.left + 1,
                 height = (double)s->part.bottom - s->part.top + 1;
    const double cx = left + width / 2, cy = top + height / 2;
    /* From the canvas to the picture: undo the rotation, then the scaling. */
    const double c = cos(e->angle), n = sin(e->angle);
    const double ux = c / e->scale_x, uy = n / e->scale_x, vx = -n / e->scale_y, vy = c / e->scale_y;

    for (int64_t y = area.top; y < area.bottom; y++) {
        uint8_t *p =
            canvas->pixels +
            ((size_t)(y - canvas->area.top) * canvas->width + (size_t)(area.left - canvas->area.left)) * 4;
        const double dy = (double)y + 0.5 - cy;

        for (int64_t x = area.left; x < area.right; x++, p += 4) {
            const double dx = (double)x + 0.5 - cx;
            const double u = floor(dx * ux + dy * uy + width / 2), v = floor(dx * vx + dy * vy + height / 2);
            uint8_t rgba[4];

            if (u < 0 || v < 0 || u >= width || v >= height || !fetch(s, (int64_t)u, (int64_t)v, rgba))
                continue;
            const double rgb[3] = {rgba[0] * e->color[0], rgba[1] * e->color[1], rgba[2] * e->color[2]};
            composite(p, rgb, rgba[3] / 255.0 * e->color[3], e->blend);
        }
    }
}

void lvl_canvas_sprite(lvl_canvas *canvas, const lvl_image *image, const lvl_rect *part, int64_t x, int64_t y,
                       unsigned flags, const lvl_scene_effect *effect)
{
    const lvl_rect all = {0, 0, (int32_t)(image->width - 1), (int32_t)(image->height - 1)};
    const lvl_area inside = lvl_area_of(all);
    source s = {.image = image,
                .palette = image->palette ? image->palette : canvas->palette,
                .part = part ? *part : all,
                .mirror = flags & LVL_THING_MIRROR,
                .flip = flags & LVL_THING_FLIP};
    lvl_rect box;

    if (!effect) {
        /* Parts beyond the picture are cut off; if mirrored, at the other side. */
        lvl_area seen = lvl_area_of(s.part);
        if (!lvl_area_clip(&seen, &inside))
            return;
        x += s.mirror ? (int64_t)s.part.right + 1 - seen.right : seen.left - s.part.left;
        y += s.flip ? (int64_t)s.part.bottom + 1 - seen.bottom : seen.top - s.part.top;
        lvl_canvas_part(canvas, image, &seen, x, y, flags);
        return;
    }
    const lvl_scene_effect sane = lvl_scene_effect_sane(effect);
    const lvl_scene_thing thing = {
        .flags = LVL_THING_CORNER, .has_part = true, .part = s.part, .effect = &sane};
    if (canvas->indexed || !lvl_scene_thing_rect(&thing, &box))
        return;
    lvl_area area = lvl_area_of(box);
    area.left += x;
    area.right += x;
    area.top += y;
    area.bottom += y;
    if (lvl_area_clip(&area, &canvas->area))
        draw_affected(canvas, &s, (double)x, (double)y, &sane, area);
}
