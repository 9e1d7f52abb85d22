/*
 * cli/convert/picture.c: `lvl convert` between documents and pictures.
 */
#include "cli/convert/convert.h"
#include "base/format.h"
#include "tools/picture/pictures.h"

#include <lvl/render.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIDE = 65534 /* of a picture with 16-bit sizes */ };

/* ---- from a document --------------------------------------------------------------------------------- */

/* Whether the document is a picture, or has layers that are; else the reason is reported. */
static bool is_picture(cli_job *job)
{
    const lvl_format *from = lvl_doc_format(job->doc);

    if (lvl_format_can(from) & LVL_CAN_PICTURE)
        return true;
    if (lvl_format_can(from) & LVL_CAN_RENDER)
        cli_report_not_converted(job, "a level is not a picture; use `lvl render' to draw it");
    else
        cli_report_not_converted(job, "cannot convert %s to a picture", from->title);
    return false;
}

static void report_picture(cli_job *job, lvl_status status)
{
    const char *layer = job->c->opt->layer;

    if (status == LVL_ERR_MISSING && layer)
        cli_job_no_match(job, "there is no layer `%s'", layer);
    else if (status == LVL_ERR_LIMIT)
        cli_job_limit(job,
                      "too large for one picture; raise the limit with `--limit cells=N', or draw a part "
                      "with `lvl render --region'");
    else
        cli_job_status(job, status, NULL, NULL);
}

/* Stores in the picture what it does not show of its document (with `keep`). Losses are reported, and refused
 * without --allow-loss. */
static lvl_status keep_rest(cli_job *job, const cli_convert *p, bool keep, lvl_image *image)
{
    const char *layer = job->c->opt->layer;

    lvl_findings_clear(job->findings);
    lvl_status status = lvl_doc_picture_rest(job->doc, layer, keep, image, job->findings);
    status = cli_check_losses(job, status);
    cli_report_conversion(job, p, status);
    return status;
}

static lvl_status write_png(cli_job *job, const lvl_image *image, const lvl_palette *palette, lvl_buffer *out)
{
    const lvl_status status = lvl_png_write_buffer(&job->ctx, image, palette, out);

    cli_job_status(job, status, NULL, NULL);
    return status;
}

lvl_status cli_find_palette(cli_job *job, lvl_art **art, const lvl_palette **found)
{
    const lvl_format_calls *calls = lvl_doc_format(job->doc)->calls;
    const cli_input *in = job->input;
    const char *path = in->archive ? in->entry->path : in->path;
    lvl_palette own;

    *art = NULL;
    if (!calls->find_palette || !path || lvl_doc_palette(job->doc, &own) == LVL_OK)
        return LVL_OK;
    *art = cli_art_take(job);
    if (!*art)
        return LVL_ERR_MEMORY;
    *found = calls->find_palette(*art, path);
    job->grey = !*found;
    const lvl_status status = lvl_art_status(*art);
    if (job->grey && status == LVL_OK && !job->c->inputs.batch && !job->c->opt->quiet)
        lvl_buffer_printf(&job->err, "%s: " CLI_GREY "\n", in->shown);
    return status;
}

lvl_status cli_document_to_png(cli_job *job, const cli_convert *p, lvl_buffer *out)
{
    const unsigned can = lvl_format_can(lvl_doc_format(job->doc));
    const char *layer = job->c->opt->layer;
    const lvl_palette *palette = p->has_palette ? &p->palette : NULL;
    lvl_image image = {0};
    lvl_status status;

    if (!is_picture(job))
        return LVL_ERR_UNSUPPORTED;
    if (!(can & LVL_CAN_DRAW) || can & LVL_CAN_IMAGE) {
        lvl_art *art = NULL;
        status = palette ? LVL_OK : cli_find_palette(job, &art, &palette);
        if (status == LVL_OK)
            status = lvl_doc_png(job->doc, layer, palette, out);
        cli_art_give(job, art);
        report_picture(job, status);
        return status;
    }
    status = lvl_doc_picture(job->doc, layer, &image);
    report_picture(job, status);
    if (status == LVL_OK)
        status = keep_rest(job, p, !job->c->opt->no_kept, &image);
    if (status == LVL_OK)
        status = write_png(job, &image, palette, out);
    lvl_image_clear(&image);
    return status;
}

/* ---- to a document ----------------------------------------------------------------------------------- */

/* Makes the new document; layers are named after their files. */
static lvl_status draw_layers(const cli_job *job, const cli_convert *p, lvl_draw_options draw_options,
                              const lvl_image *image, lvl_doc **out)
{
    if (!draw_options.layer_count || draw_options.layer_names)
        return lvl_doc_draw(out, &job->ctx, p->format, image, &draw_options, job->findings);
    const char **names = malloc(((size_t)draw_options.layer_count + 1) * sizeof *names);
    char *own = cli_stem_of(job->input->name);
    lvl_status status = LVL_ERR_MEMORY;
    if (names && own) {
        names[0] = own;
        for (uint32_t i = 0; i < draw_options.layer_count; i++)
            names[i + 1] = p->layer_names[i];
        draw_options.layer_names = names;
        status = lvl_doc_draw(out, &job->ctx, p->format, image, &draw_options, job->findings);
    }
    free(names);
    free(own);
    return status;
}

/* Finds what lvl stored in the PNG, if it is of the target's format; *like is to be freed. */
static lvl_status find_stored(const cli_job *job, const cli_convert *p, lvl_draw_options *options,
                              lvl_doc **like)
{
    if (!(lvl_format_can(p->format) & LVL_CAN_IMAGE) || options->like)
        return LVL_OK;
    const lvl_status status = lvl_png_like(like, &job->ctx, job->bytes, &options->keep_indices);
    if (status == LVL_OK && lvl_doc_format(*like) == p->format)
        options->like = *like;
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}

/* Gives the document the form that --to names; an ending alone does not select it: the PNG may have stored
 * it. */
static lvl_status give_form(const cli_job *job, const cli_convert *p, lvl_doc **doc)
{
    lvl_doc *made = NULL;

    if (!p->exact || !p->named || !(lvl_format_can(p->format) & LVL_CAN_CONVERT))
        return LVL_OK;
    const lvl_status status = lvl_convert(*doc, p->form, job->c->opt->allow_loss, job->findings, &made);
    if (status == LVL_OK) {
        lvl_doc_free(*doc);
        *doc = made;
    }
    return status;
}

/* Makes a document from the picture, in the target's form. */
static lvl_status draw_document(const cli_job *job, const cli_convert *p, const lvl_image *image,
                                const lvl_draw_options *options, lvl_doc **out)
{
    const lvl_status status = cli_check_losses(job, draw_layers(job, p, *options, image, out));

    return status == LVL_OK ? give_form(job, p, out) : status;
}

/* Whether a picture can become the target; else the reason is reported. */
static bool is_drawable(cli_job *job, const cli_convert *p)
{
    const bool can = lvl_format_can(p->format) & LVL_CAN_DRAW;

    if (!can)
        cli_job_fail(job, EXIT_NEGATIVE, "cannot convert a picture to %s", p->format->title);
    else if (cli_changes_inputs(job->c))
        cli_job_fail(job, EXIT_USAGE, "-i cannot change the format of a file; use -o");
    return can && !cli_changes_inputs(job->c);
}

/* Reports why a sprite cannot have the picture; false: for no reason that is known. */
static bool report_sprite(cli_job *job, const cli_convert *p, const lvl_image *image, lvl_status status)
{
    const char *title = p->format->title;

    if (status == LVL_ERR_LOSS && !lvl_findings_count(job->findings))
        cli_job_fail(
            job, EXIT_NEGATIVE,
            "a %s cannot represent transparent pixels, and this picture has some; make it opaque first",
            title);
    else if (status == LVL_ERR_ARG && (image->width > MAX_SIDE || image->height > MAX_SIDE))
        cli_job_fail(job, EXIT_NEGATIVE, "%lu by %lu px are too large for a %s: at most %d by %d",
                     (unsigned long)image->width, (unsigned long)image->height, title, MAX_SIDE, MAX_SIDE);
    else if (status == LVL_ERR_ARG || status == LVL_ERR_UNSUPPORTED)
        cli_job_fail(job, EXIT_NEGATIVE,
                     "%s cannot hold this picture: it needs 256 colours at most, and a palette", title);
    else
        return false;
    return true;
}

static void report_drawing(cli_job *job, const cli_convert *p, const lvl_image *image, lvl_status status)
{
    const bool found = lvl_findings_count(job->findings);
    const bool sprite = lvl_format_can(p->format) & LVL_CAN_IMAGE;

    if (status == LVL_ERR_ARG && found)
        cli_report_refusal(job);
    else if (status == LVL_ERR_UNSUPPORTED && lvl_format_can(p->format) & LVL_CAN_PALETTE)
        cli_report_not_converted(job, "it has no palette of its own: the level's is a file");
    else if (sprite && report_sprite(job, p, image, status))
        return;
    else if (status == LVL_OK || (status == LVL_ERR_LOSS && found))
        cli_report_conversion(job, p, status);
    else
        cli_job_status(job, status, NULL, NULL);
}

/* The colours of a picture of indices. */
static lvl_status expand_indices(const lvl_ctx *ctx, const lvl_image *image, lvl_image *out)
{
    const size_t total = (size_t)image->width * image->height;

    const lvl_status status = lvl_image_init(out, ctx, LVL_PIXELS_RGBA8, image->width, image->height, false);
    for (size_t i = 0; status == LVL_OK && i < total; i++) {
        memcpy(out->pixels + i * 4, image->palette->rgb[image->pixels[i]], 3);
        out->pixels[i * 4 + 3] = image->mask ? image->mask[i] : 255;
    }
    out->offset_x = image->offset_x;
    out->offset_y = image->offset_y;
    return status;
}

lvl_status cli_draw_picture(cli_job *job, const cli_convert *p, const lvl_image *image,
                            const lvl_draw_options *options, lvl_buffer *out)
{
    lvl_image colored = *image, colors = {0};
    lvl_palette palette = p->palette;
    lvl_doc *made = NULL;

    if (!is_drawable(job, p))
        return LVL_ERR_UNSUPPORTED;
    lvl_findings_clear(job->findings);
    lvl_status status = LVL_OK;
    /* formats with a palette keep the indices, unless these mean other colours than --palette says */
    if (lvl_format_can(p->format) & LVL_CAN_IMAGE && colored.format == LVL_PIXELS_INDEX8 && p->has_palette &&
        colored.palette && memcmp(colored.palette, &palette, sizeof palette) != 0) {
        status = expand_indices(&job->ctx, image, &colors);
        colored = colors;
        colored.rest = image->rest;
        colored.rest_len = image->rest_len;
    }
    if (p->has_palette && !colored.palette)
        colored.palette = &palette;
    if (job->c->opt->no_kept)
        colored.rest_len = 0;
    if (job->c->opt->at) {
        colored.offset_x = p->at[0];
        colored.offset_y = p->at[1];
    }
    if (status == LVL_OK)
        status = draw_document(job, p, &colored, options, &made);
    if (status == LVL_OK)
        status = lvl_write(made, out, job->findings);
    lvl_doc_free(made);
    report_drawing(job, p, &colored, status);
    lvl_image_clear(&colors);
    return status;
}

static lvl_status image_to_format(cli_job *job, const cli_convert *p, const lvl_image *image, lvl_buffer *out)
{
    lvl_draw_options options = p->draw_options;
    lvl_doc *like = NULL;

    lvl_status status = find_stored(job, p, &options, &like);
    cli_job_status(job, status, NULL, NULL);
    if (status == LVL_OK)
        status = cli_draw_picture(job, p, image, &options, out);
    lvl_doc_free(like);
    return status;
}

lvl_status cli_document_by_picture(cli_job *job, const cli_convert *p, lvl_buffer *out)
{
    lvl_image image = {0};

    lvl_status status = lvl_doc_picture(job->doc, job->c->opt->layer, &image);
    report_picture(job, status);
    if (status == LVL_OK)
        status = keep_rest(job, p, false, &image);
    if (status == LVL_OK)
        status = image_to_format(job, p, &image, out);
    lvl_image_clear(&image);
    return status;
}

lvl_status cli_convert_picture(cli_job *job, const cli_convert *p, const char *kind, lvl_buffer *out)
{
    /* formats with a palette need the indices of the pixels */
    const bool indices = p->to == TO_FORMAT && lvl_format_can(p->format) & (LVL_CAN_IMAGE | LVL_CAN_PALETTE);
    lvl_image image = {0};

    lvl_status status = lvl_picture_read(&job->ctx, job->bytes, indices, &image);
    cli_job_status(job, status, NULL, kind);
    if (status == LVL_OK)
        status =
            p->to == TO_FORMAT ? image_to_format(job, p, &image, out) : write_png(job, &image, NULL, out);
    lvl_image_clear(&image);
    return status;
}
