/*
 * render/render.c: a picture is planned once (plan.c), then drawn band by band from top to bottom.
 */
#include "render/plan.h"

#include "base/load.h"
#include "base/arena.h"
#include "base/cursor.h"
#include "base/work.h"
#include "codec/png.h"

#include <stdlib.h>
#include <string.h>

void lvl_render_options_init(lvl_render_options *out)
{
    memset(out, 0, sizeof *out);
}

/* ---- bands ------------------------------------------------------------------------------------------- */

/* An effect around the picture's centre changes the bounding box, so the position is computed without the
 * effect. */
static void draw_sprite(const lvl_plan *plan, lvl_canvas *canvas, const lvl_scene_thing *thing)
{
    lvl_scene_thing plain = *thing;
    lvl_rect rect;

    plain.effect = NULL;
    if (lvl_scene_thing_rect(&plain, &rect))
        lvl_canvas_sprite(canvas, thing->image, thing->has_part ? &thing->part : NULL,
                          rect.left - plan->main_x, rect.top - plan->main_y, thing->flags, thing->effect);
}

static void draw_thing(const lvl_plan *plan, lvl_canvas *canvas, const lvl_scene_thing *thing)
{
    lvl_rect rect;

    if (lvl_thing_marked(plan, thing)) {
        lvl_draw_mark(canvas, thing->kind, thing->x - plan->main_x, thing->y - plan->main_y,
                      lvl_mark_reach(plan, thing));
        return;
    }
    if (thing->flags & (LVL_THING_HIDDEN | LVL_THING_DROPPED) || !lvl_scene_thing_rect(thing, &rect))
        return;
    const lvl_area area = lvl_plan_place(plan, rect);
    if (thing->flags & LVL_THING_TEXT)
        lvl_draw_thing_text(canvas, thing, area);
    else if (plan->schematic)
        lvl_draw_box(canvas, thing, area, plan->scene->has_colours);
    else if (thing->image && !thing->has_part && !thing->effect)
        lvl_canvas_image(canvas, thing->image, area.left, area.top, thing->flags, NULL);
    else if (thing->image)
        draw_sprite(plan, canvas, thing);
}

static void draw_thing_reduced(lvl_plan *plan, lvl_canvas *canvas, uint32_t index)
{
    const lvl_scene_thing *thing = &plan->scene->things[index];
    lvl_canvas piece;
    lvl_area area;

    if (lvl_thing_marked(plan, thing)) {
        lvl_draw_mark_reduced(plan, canvas, index);
        return;
    }
    if (!lvl_plan_thing_area(plan, thing, &area) || lvl_draw_image_reduced(plan, canvas, thing, area))
        return;
    const bool text = thing->flags & LVL_THING_TEXT;
    if (plan->schematic && !text) {
        lvl_draw_box_reduced(plan, canvas, thing, area);
    } else if (lvl_piece_begin(plan, canvas, text ? lvl_thing_text_area(thing, area) : area, &piece)) {
        draw_thing(plan, &piece, thing);
        lvl_piece_end(plan, &piece, canvas);
    }
}

static void draw_any(lvl_plan *plan, lvl_canvas *canvas, uint32_t index)
{
    if (plan->shift)
        draw_thing_reduced(plan, canvas, index);
    else
        draw_thing(plan, canvas, &plan->scene->things[index]);
}

/* Draws those of the things first .. end that touch the band. `*at` is the position in the band's index,
 * which advances from step to step, since both are ascending. */
static void draw_things(lvl_plan *plan, lvl_canvas *canvas, uint32_t band, uint32_t first, uint32_t end,
                        uint32_t *at)
{
    if (!plan->band_first) {
        for (uint32_t i = first; i < end; i++)
            draw_any(plan, canvas, i);
        return;
    }
    for (; *at < plan->band_first[band + 1] && plan->band_things[*at] < end; ++*at)
        draw_any(plan, canvas, plan->band_things[*at]);
}

static void draw_band(lvl_plan *plan, lvl_canvas *canvas, uint32_t band)
{
    const lvl_scene *scene = plan->scene;
    uint32_t at = plan->band_first ? plan->band_first[band] : 0;

    if (plan->schematic && !canvas->indexed && !canvas->transparent)
        lvl_canvas_fill(canvas, canvas->area, LVL_INK_BACK);
    else
        lvl_canvas_clear(canvas);
    for (uint32_t s = 0; s < scene->step_count; s++) {
        const lvl_scene_step *step = &scene->steps[s];
        if (step->things) {
            /* Marks are drawn last, so that nothing hides them. */
            if (plan->things && !plan->schematic)
                draw_things(plan, canvas, band, step->first, step->first + step->count, &at);
        } else if (plan->layers[step->first].draw) {
            if (plan->shift)
                lvl_draw_layer_reduced(plan, &plan->layers[step->first], canvas);
            else if (plan->schematic)
                lvl_draw_schematic(&plan->layers[step->first], canvas);
            else
                lvl_draw_layer(&plan->layers[step->first], canvas);
        }
    }
    if (plan->schematic && plan->things)
        draw_things(plan, canvas, band, 0, scene->thing_count, &at);
    lvl_draw_overlays(plan, canvas);
}

static uint8_t darkest_index(const lvl_palette *palette)
{
    unsigned best = UINT32_MAX;
    uint8_t index = 0;

    for (unsigned i = 0; i < 256; i++) {
        const unsigned light = (unsigned)palette->rgb[i][0] + palette->rgb[i][1] + palette->rgb[i][2];
        if (light < best) {
            best = light;
            index = (uint8_t)i;
        }
    }
    return index;
}

/* A picture while its bands are drawn. */
typedef struct drawing {
    lvl_plan *plan;
    lvl_canvas canvas;
    lvl_picture picture;
    lvl_palette inks; /* palette of a schematic picture */
} drawing;

/* Describes the picture to the receiver. Opaque pictures have an alpha channel, too, with 255. */
static void describe_picture(drawing *d)
{
    const lvl_plan *plan = d->plan;
    const lvl_scene *scene = plan->scene;
    const lvl_area area = lvl_plan_drawn(plan);

    d->canvas = (lvl_canvas){.indexed = plan->indexed,
                             .transparent = plan->options.transparent,
                             .pen = plan->pen,
                             .palette = scene->palette,
                             .area = area,
                             .width = (uint32_t)(area.right - area.left)};
    d->picture =
        (lvl_picture){.channels = 1, .width = d->canvas.width, .height = (uint32_t)(area.bottom - area.top)};
    if (!plan->indexed) {
        d->picture.channels = 4;
    } else if (plan->schematic) {
        memset(&d->inks, 0, sizeof d->inks);
        memcpy(d->inks.rgb, lvl_ink_rgb, sizeof lvl_ink_rgb);
        d->picture.palette = &d->inks;
        d->canvas.back = LVL_INK_BACK;
    } else {
        d->picture.palette = scene->palette;
        d->canvas.back = darkest_index(scene->palette);
    }
}

/* Draws the band that the canvas covers. */
static lvl_status draw_checked(drawing *d, uint32_t band)
{
    lvl_plan *plan = d->plan;

    if (lvl_stopped(plan->ctx))
        return LVL_ERR_STOPPED;
    draw_band(plan, &d->canvas, band);
    for (uint32_t i = 0; i < plan->scene->layer_count; i++) {
        if (plan->layers[i].memory_failed)
            return LVL_ERR_MEMORY;
    }
    return lvl_reduction_status(plan);
}

static lvl_status draw_bands(lvl_plan *plan, lvl_rows *rows)
{
    const lvl_area area = lvl_plan_drawn(plan);
    drawing d = {.plan = plan};

    describe_picture(&d);
    d.canvas.pixels =
        lvl_mem_alloc(plan->ctx, (size_t)d.canvas.width * plan->band_rows * (plan->indexed ? 1 : 4));
    if (!d.canvas.pixels)
        return LVL_ERR_MEMORY;
    lvl_status status = rows->begin(rows, &d.picture);
    for (uint32_t band = 0; band < plan->band_count && status == LVL_OK; band++) {
        d.canvas.area.top = area.top + (int64_t)band * plan->band_rows;
        d.canvas.area.bottom = d.canvas.area.top + plan->band_rows;
        if (d.canvas.area.bottom > area.bottom)
            d.canvas.area.bottom = area.bottom;
        status = draw_checked(&d, band);
        if (status == LVL_OK)
            status = rows->rows(rows, d.canvas.pixels, (uint32_t)(d.canvas.area.bottom - d.canvas.area.top));
    }
    lvl_mem_free(plan->ctx, d.canvas.pixels);
    return status == LVL_OK ? rows->end(rows) : status;
}

/* ---- public ------------------------------------------------------------------------------------------ */

lvl_status lvl_render_size(const lvl_scene *scene, const lvl_render_options *options, uint32_t *width,
                           uint32_t *height)
{
    const lvl_render_options o = lvl_plan_options(scene, options);
    uint32_t main;
    lvl_area area;
    lvl_status status = lvl_plan_measure(scene, &o, &main, &area);

    return status == LVL_OK ? lvl_plan_scale(scene->ctx, &o, &area, width, height) : status;
}

/* `keep_alpha`: the receiver wants opaque pictures as RGBA. */
static lvl_status render_scene(const lvl_scene *scene, const lvl_render_options *options, lvl_rows *rows,
                               bool keep_alpha)
{
    lvl_rows *scale = NULL, *opaque = NULL;
    uint32_t width, height;
    lvl_plan plan;
    lvl_status status = lvl_plan_make(&plan, scene, options, &width, &height);
    const lvl_area drawn = lvl_plan_drawn(&plan);
    const bool shrink =
        status == LVL_OK && (width < drawn.right - drawn.left || height < drawn.bottom - drawn.top);
    const bool enlarge = !shrink && !options->size && options->scale_down <= 1 && options->scale_up > 1;

    if (status == LVL_OK && enlarge)
        rows = scale = lvl_scale_rows_new(scene->ctx, 0, 0, options->scale_up, rows);
    if (status == LVL_OK && rows && !keep_alpha && !options->transparent && (shrink || !plan.indexed))
        rows = opaque = lvl_opaque_rows_new(scene->ctx, rows);
    if (status == LVL_OK && rows && shrink)
        rows = scale = lvl_scale_rows_new(scene->ctx, width, height, 1, rows);
    if (status == LVL_OK)
        status = rows ? draw_bands(&plan, rows) : LVL_ERR_MEMORY;
    lvl_scale_rows_free(scale);
    lvl_opaque_rows_free(opaque);
    lvl_plan_free(&plan);
    return status;
}

lvl_status lvl_render(const lvl_scene *scene, const lvl_render_options *options, lvl_rows *rows)
{
    return render_scene(scene, options, rows, false);
}

lvl_status lvl_render_png(const lvl_scene *scene, const lvl_render_options *options, lvl_writer *out)
{
    lvl_rows *png = lvl_png_rows_new(scene->ctx, out, LVL_PNG_AUTO);
    lvl_status status = png ? lvl_render(scene, options, png) : LVL_ERR_MEMORY;

    lvl_png_rows_free(png);
    return status;
}

typedef struct render_of {
    const lvl_scene *scene;
    const lvl_render_options *options;
} render_of;

static lvl_status write_render(void *user, lvl_writer *out)
{
    const render_of *r = user;

    return lvl_render_png(r->scene, r->options, out);
}

lvl_status lvl_render_save(const lvl_scene *scene, const lvl_render_options *options, const char *path)
{
    render_of r = {scene, options};

    return lvl_file_put_by(path, write_render, &r);
}

typedef struct image_rows {
    lvl_rows rows;
    const lvl_ctx *ctx;
    lvl_image *image;
    lvl_picture picture;
    lvl_palette palette;
    uint32_t y;
} image_rows;

static lvl_status image_begin(lvl_rows *rows, const lvl_picture *picture)
{
    image_rows *im = (image_rows *)rows;

    im->picture = *picture;
    if (picture->palette)
        im->palette = *picture->palette;
    return lvl_image_init(im->image, im->ctx, LVL_PIXELS_RGBA8, picture->width, picture->height, false);
}

static lvl_status image_take(lvl_rows *rows, const uint8_t *pixels, uint32_t count)
{
    image_rows *im = (image_rows *)rows;
    const uint32_t channels = im->picture.channels;
    uint8_t *to = im->image->pixels + (size_t)im->y * im->picture.width * 4;

    if (count > im->picture.height - im->y)
        return LVL_ERR_ARG;
    if (channels == 4)
        memcpy(to, pixels, (size_t)im->picture.width * count * 4);
    for (size_t i = 0; channels != 4 && i < (size_t)im->picture.width * count; i++, to += 4) {
        memcpy(to, channels == 1 ? im->palette.rgb[*pixels] : pixels, 3);
        to[3] = 255;
        pixels += channels;
    }
    im->y += count;
    return LVL_OK;
}

static lvl_status image_end(lvl_rows *rows)
{
    (void)rows;
    return LVL_OK;
}

lvl_status lvl_render_image(const lvl_scene *scene, const lvl_render_options *options, lvl_image *out)
{
    image_rows rows = {.rows = {image_begin, image_take, image_end}, .ctx = scene->ctx, .image = out};

    memset(out, 0, sizeof *out);
    lvl_status status = render_scene(scene, options, &rows.rows, true);
    if (status != LVL_OK)
        lvl_image_clear(out);
    return status;
}
