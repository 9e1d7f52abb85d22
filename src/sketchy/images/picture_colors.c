/*
 * sketchy/images/picture_colors.c: colours of pictures become swatches. Up to 256 stay as they are; more are
 * reduced (codec/colors.h).
 */
#include "sketchy/images/picture_colors.h"

#include "base/text.h"
#include "sketchy/chunks/paint.h"
#include "sketchy/model/findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef lvl_used_color color;

static uint32_t pack(const uint8_t *rgb, uint32_t alpha)
{
    return rgb[0] | (uint32_t)rgb[1] << 8 | (uint32_t)rgb[2] << 16 | alpha << 24;
}

bool lvl_picture_pixel(const lvl_image *image, const lvl_draw_options *draw_options, size_t at,
                       uint32_t *rgba)
{
    uint8_t grey[3], mixed[3];
    const uint8_t *rgb = grey;
    uint32_t alpha = 255;

    if (image->format == LVL_PIXELS_RGBA8) {
        rgb = image->pixels + at * 4;
        alpha = rgb[3];
    } else {
        const uint8_t index = image->pixels[at];
        alpha = image->mask ? image->mask[at] : 255;
        if (image->palette)
            rgb = image->palette->rgb[index];
        else
            memset(grey, index, sizeof grey);
    }
    if (!alpha || (draw_options->has_key && memcmp(rgb, draw_options->key, 3) == 0))
        return false;
    if (alpha < 255 && draw_options->alpha == LVL_ALPHA_CUT) {
        if (alpha < 128)
            return false;
        alpha = 255;
    } else if (alpha < 255 && draw_options->alpha == LVL_ALPHA_OVER) {
        for (int k = 0; k < 3; k++)
            mixed[k] = (uint8_t)((rgb[k] * alpha + draw_options->over[k] * (255 - alpha) + 127) / 255);
        rgb = mixed;
        alpha = 255;
    }
    *rgba = pack(rgb, alpha);
    return true;
}

lvl_status lvl_picture_colors_count(lvl_used_colors *c, const lvl_image *image,
                                    const lvl_draw_options *draw_options)
{
    const size_t count = (size_t)image->width * image->height;
    lvl_status status = LVL_OK;
    uint32_t rgba;

    for (size_t i = 0; i < count && status == LVL_OK; i++) {
        if (lvl_picture_pixel(image, draw_options, i, &rgba))
            status = lvl_used_colors_add(c, rgba);
    }
    return status;
}

/* ---- palettes ---------------------------------------------------------------------------------------- */

/* The colour of a swatch. */
typedef struct swatch_color {
    uint32_t rgba;
    bool good;
} swatch_color;

static uint32_t distance(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;

    for (int k = 0; k < 32; k += 8) {
        const int32_t d = (int32_t)(a >> k & 255) - (int32_t)(b >> k & 255);
        sum += (uint32_t)(d * d);
    }
    return sum;
}

/* The swatch with the nearest colour, the first of several. *off: the distance. */
static uint16_t nearest_color(const swatch_color *colors, uint32_t count, uint32_t rgba, uint32_t *off)
{
    uint16_t at = 0;

    *off = UINT32_MAX;
    for (uint32_t i = 0; i < count && *off; i++) {
        const uint32_t d = distance(colors[i].rgba, rgba);
        if (colors[i].good && d < *off) {
            *off = d;
            at = (uint16_t)i;
        }
    }
    return at;
}

/* Reports colours that are replaced by another. */
static void report_loss(lvl_findings *losses, const lvl_used_colors *c, const swatch_color *colors,
                        const char *why)
{
    uint64_t pixels = 0;
    uint32_t count = 0;

    for (uint32_t i = 0; i < c->count; i++) {
        if (colors[c->list[i].index].rgba != c->list[i].rgba) {
            count++;
            pixels += c->list[i].pixels;
        }
    }
    if (count)
        lvl_sketchy_report(losses, LVL_SKETCHY_F_LOSS_COLOR, NULL, "%lu colour%s (%llu pixel%s) %s",
                           (unsigned long)count, count == 1 ? "" : "s", (unsigned long long)pixels,
                           pixels == 1 ? "" : "s", why);
}

/* Appends swatches of these colours. */
static lvl_status append(lvl_doc *doc, swatch_color *colors, const uint32_t *values, uint32_t count)
{
    lvl_sketchy *d = doc->root;
    char text[16];

    for (uint32_t i = 0; i < count; i++) {
        lvl_sketchy_swatch *s = &d->swatches[d->swatch_count];
        const uint32_t v = values[i];
        snprintf(text, sizeof text, "#%02x%02x%02x", (unsigned)(v & 255), (unsigned)(v >> 8 & 255),
                 (unsigned)(v >> 16 & 255));
        if (v >> 24 != 255)
            snprintf(text + 7, sizeof text - 7, "%02x", (unsigned)(v >> 24));
        colors[d->swatch_count] = (swatch_color){v, true};
        s->name = s->color = lvl_doc_text(doc, lvl_text_of(text));
        if (!s->name.ptr)
            return LVL_ERR_MEMORY;
        d->swatch_count++;
    }
    return LVL_OK;
}

/* Copies the swatches of another drawing. *any: some have valid colours. */
static lvl_status copy_swatches(lvl_doc *doc, const lvl_doc *of, swatch_color *colors, bool *any)
{
    const lvl_sketchy *from = of->root;
    lvl_sketchy *d = doc->root;
    lvl_status status = LVL_OK;
    uint8_t rgba[4];

    for (uint32_t i = 0; i < from->swatch_count && status == LVL_OK; i++) {
        status = lvl_record_copy(doc, &d->swatches[i], of, &from->swatches[i], &lvl_sketchy_swatch_table);
        colors[i].good = lvl_sketchy_color(from->swatches[i].color, rgba);
        colors[i].rgba = colors[i].good ? pack(rgba, rgba[3]) : 0;
        *any |= colors[i].good;
    }
    d->swatch_count = from->swatch_count;
    return status;
}

static lvl_status no_colors(lvl_findings *losses)
{
    lvl_sketchy_report(losses, LVL_SKETCHY_F_CONVERT_OPTION, NULL, "the palette has no colour, or too many");
    return LVL_ERR_ARG;
}

lvl_status lvl_picture_colors_assign(lvl_used_colors *c, lvl_doc *doc, const lvl_draw_options *draw_options,
                                     lvl_findings *losses)
{
    const lvl_sketchy *from = draw_options->palette ? draw_options->palette->root : NULL;
    const uint32_t given = from ? from->swatch_count : 0;
    const uint32_t most = draw_options->colors && draw_options->colors < LVL_SKETCHY_COLORS
                              ? draw_options->colors
                              : LVL_SKETCHY_COLORS;
    const uint32_t more = !from || draw_options->more_colors ? (most > given ? most - given : 0) : 0;
    lvl_sketchy *d = doc->root;
    uint32_t values[LVL_SKETCHY_COLORS], known = 0, off;
    bool any = false;

    if (given > LVL_SKETCHY_NONE || (from && !given && !more))
        return no_colors(losses);
    swatch_color *colors = calloc((size_t)given + more + 1, sizeof *colors);
    d->swatches = lvl_arena_array(&doc->arena, (size_t)given + more + 1, sizeof *d->swatches);
    lvl_status status = colors && d->swatches ? LVL_OK : LVL_ERR_MEMORY;
    if (status == LVL_OK && from)
        status = copy_swatches(doc, draw_options->palette, colors, &any);
    if (status == LVL_OK && !any && !more)
        status = no_colors(losses);
    /* colours of the palette move to the front */
    for (uint32_t i = 0; i < c->count && status == LVL_OK && given; i++) {
        c->list[i].index = nearest_color(colors, given, c->list[i].rgba, &off);
        if (off && more)
            continue;
        const color found = c->list[i];
        c->list[i] = c->list[known];
        c->list[known++] = found;
    }
    if (status == LVL_OK && more && known < c->count) {
        const uint32_t n =
            lvl_used_colors_cut(c->list + known, c->count - known, more, (uint16_t)given, values);
        status = append(doc, colors, values, n);
    }
    if (status == LVL_OK && !more && given && !draw_options->nearest)
        report_loss(losses, c, colors, "that are not in the palette: the nearest is used");
    else if (status == LVL_OK && (more || !given) && !draw_options->colors)
        report_loss(losses, c, colors, "merged, since a palette holds 256; to accept that, use --colors N");
    if (status == LVL_OK)
        status = lvl_used_colors_sorted(c);
    free(colors);
    return status;
}
