/*
 * cli/cmd_convert.c: `lvl convert`: from one form of a family to another, pictures to PNG and back,
 * everything to JSON and back.
 */
#include "cli/convert.h"

#include "base/text.h"

#include <lvl/render.h>
#include <lvl/tiled.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the job's document from a level, a dump, or a map of Tiled. */
static bool read_any(cli_job *job, const cli_convert *p)
{
    if (!job->c->format && lvl_tiled_is_map(job->bytes))
        return cli_read_map(job, p);
    if (!cli_is_dump(job->bytes) || job->c->format)
        return cli_job_read(job, 0);
    return cli_job_undump(job);
}

/* Whether the document is a picture, or has layers that are; else the reason is reported. */
static bool is_picture(cli_job *job)
{
    const lvl_format *from = lvl_doc_format(job->doc);

    if (lvl_format_can(from) & LVL_CAN_PICTURE)
        return true;
    if (!job->input->named)
        job->outcome = CLI_SKIPPED_OTHER;
    else if (lvl_format_can(from) & LVL_CAN_RENDER)
        cli_job_fail(job, EXIT_NEGATIVE, "a level is not a picture; use `lvl render' to draw it");
    else
        cli_job_fail(job, EXIT_NEGATIVE, "cannot convert %s to a picture", from->title);
    return false;
}

static void report_picture(cli_job *job, lvl_status status)
{
    const char *layer = job->c->opt.layer;

    if (status == LVL_ERR_MISSING && layer)
        cli_job_no_match(job, "there is no layer `%s'", layer);
    else if (status == LVL_ERR_LIMIT)
        cli_job_limit(job,
                      "too large for one picture; raise the limit with `--limit cells=N', or draw a part "
                      "with `lvl render --region'");
    else
        cli_job_status(job, status, NULL, NULL);
}

/* Reports the losses that are in the job's findings. */
static void report_losses(cli_job *job, const cli_convert *p, bool refused)
{
    const lvl_findings *losses = job->findings;
    const size_t n = lvl_findings_count(losses);
    const cli_options *opt = &job->c->opt;

    const char *to = p->to == TO_PNG ? "a PNG"
                     : p->form       ? p->form
                     : p->format     ? p->format->title
                                     : "the file";

    if (!n)
        return;
    if (opt->json && !cli_is_stdout(opt->output)) {
        cli_json_begin(&job->out, job->input->name);
        lvl_json_put_string(&job->out, "to", to);
        lvl_json_put_bool(&job->out, "refused", refused);
        lvl_json_key(&job->out, "losses");
        lvl_findings_json(losses, &job->out);
        lvl_buffer_str(&job->out, "}\n");
    } else if (refused || !opt->quiet) {
        cli_job_findings(job, losses, LVL_NOTE); /* all of them, since each is lost data */
    }
    if (refused)
        cli_job_fail(job, EXIT_NEGATIVE,
                     "not converted: %zu item%s cannot be represented in %s; --allow-loss writes the nearest "
                     "value or leaves it out",
                     n, n == 1 ? "" : "s", to);
}

/* LVL_ERR_LOSS for losses without --allow-loss. */
static lvl_status check_losses(const cli_job *job, lvl_status status)
{
    const bool lossy = status == LVL_OK && lvl_findings_count(job->findings) && !job->c->opt.allow_loss;

    return lossy ? LVL_ERR_LOSS : status;
}

/* Reports the result of a conversion. */
static void report_result(cli_job *job, const cli_convert *p, lvl_status status)
{
    if (status == LVL_OK || status == LVL_ERR_LOSS)
        report_losses(job, p, status == LVL_ERR_LOSS);
    else
        cli_job_status(job, status, job->findings, NULL);
}

/* Serializes what was made, and verifies it. */
static lvl_status write_made(cli_job *job, lvl_doc *made, lvl_buffer *out)
{
    lvl_findings_clear(job->findings);
    const lvl_status status = lvl_doc_write_verified(made, out, job->findings);
    cli_job_status(job, status, job->findings, NULL);
    if (status == LVL_OK)
        cli_job_findings(job, job->findings, LVL_WARNING);
    return status;
}

/* Stores in the picture what it does not show of its document (with `keep`). Losses are reported, and refused
 * without --allow-loss. */
static lvl_status keep_rest(cli_job *job, const cli_convert *p, bool keep, lvl_image *image)
{
    lvl_findings_clear(job->findings);
    const lvl_status status =
        check_losses(job, lvl_doc_picture_rest(job->doc, job->c->opt.layer, keep, image, job->findings));
    report_result(job, p, status);
    return status;
}

static lvl_status doc_to_png(cli_job *job, const cli_convert *p, lvl_buffer *out)
{
    const char *layer = job->c->opt.layer;
    const lvl_palette *palette = p->has_palette ? &p->palette : NULL;
    lvl_image image = {0};

    if (!is_picture(job))
        return LVL_ERR_UNSUPPORTED;
    lvl_status status = lvl_format_can(lvl_doc_format(job->doc)) & LVL_CAN_DRAW &&
                                !(lvl_format_can(lvl_doc_format(job->doc)) & LVL_CAN_IMAGE)
                            ? lvl_doc_picture(job->doc, layer, &image)
                            : lvl_doc_png(job->doc, layer, palette, out);
    report_picture(job, status);
    if (status == LVL_OK && image.pixels) {
        status = keep_rest(job, p, !job->c->opt.no_kept, &image);
        if (status == LVL_OK) {
            status = lvl_png_write_buffer(&job->ctx, &image, palette, out);
            cli_job_status(job, status, NULL, NULL);
        }
    }
    lvl_image_clear(&image);
    return status;
}

/* Reports why the options cannot be applied. */
static void report_refusal(cli_job *job)
{
    for (size_t i = 0; i < lvl_findings_count(job->findings); i++)
        cli_job_fail(job, EXIT_NEGATIVE, "%s", lvl_findings_at(job->findings, i)->text);
}

/* Makes the new document; layers are named after their files. */
static lvl_status draw_with_options(const cli_job *job, const cli_convert *p, lvl_draw_options draw_options,
                                    const lvl_image *image, lvl_doc **out)
{
    if (!draw_options.layer_count)
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

enum { LONGEST_SIDE = 65534 /* of a picture with 16-bit sizes */ };

/* Makes a document from the picture, in the target's form. */
static lvl_status draw(const cli_job *job, const cli_convert *p, const lvl_image *image, lvl_doc **out)
{
    lvl_doc *made = NULL, *like = NULL;
    lvl_draw_options draw_options = p->draw_options;
    lvl_status status = LVL_OK;

    /* what lvl stored in the PNG, if it is of the target's format */
    if ((lvl_format_can(p->format) & LVL_CAN_IMAGE) && !draw_options.like) {
        status = lvl_png_like(&like, &job->ctx, job->bytes, &draw_options.keep_indices);
        if (status == LVL_OK && lvl_doc_format(like) == p->format)
            draw_options.like = like;
        if (status != LVL_ERR_MEMORY)
            status = LVL_OK;
    }
    if (status == LVL_OK)
        status = check_losses(job, draw_with_options(job, p, draw_options, image, out));
    lvl_doc_free(like);
    /* an ending alone does not select the form: the PNG may have stored it */
    if (status == LVL_OK && p->exact && p->named && lvl_format_can(p->format) & LVL_CAN_CONVERT) {
        status = lvl_convert(*out, p->form, job->c->opt.allow_loss, job->findings, &made);
        if (status == LVL_OK) {
            lvl_doc_free(*out);
            *out = made;
        }
    }
    return status;
}

static lvl_status image_to_format(cli_job *job, const cli_convert *p, const lvl_image *image, lvl_buffer *out)
{
    lvl_image colored = *image;
    lvl_palette palette = p->palette;
    lvl_doc *made = NULL;
    const bool sprite = lvl_format_can(p->format) & LVL_CAN_IMAGE;

    if (!(lvl_format_can(p->format) & LVL_CAN_DRAW)) {
        cli_job_fail(job, EXIT_NEGATIVE, "cannot convert a picture to %s", p->format->title);
        return LVL_ERR_UNSUPPORTED;
    }
    if (job->c->opt.in_place) {
        cli_job_fail(job, EXIT_USAGE, "-i cannot change the format of a file; use -o");
        return LVL_ERR_UNSUPPORTED;
    }
    lvl_findings_clear(job->findings);
    if (p->has_palette && !colored.palette)
        colored.palette = &palette;
    if (job->c->opt.no_kept)
        colored.rest_len = 0;
    if (job->c->opt.at) {
        colored.offset_x = p->at[0];
        colored.offset_y = p->at[1];
    }
    lvl_status status = draw(job, p, &colored, &made);
    if (status == LVL_OK)
        status = lvl_doc_write_verified(made, out, job->findings);
    lvl_doc_free(made);
    const bool found = lvl_findings_count(job->findings);
    if (status == LVL_ERR_ARG && found)
        report_refusal(job);
    else if (sprite && status == LVL_ERR_LOSS && !found)
        cli_job_fail(
            job, EXIT_NEGATIVE,
            "a %s cannot represent transparent pixels, and this picture has some; make it opaque first",
            p->format->title);
    else if (sprite && status == LVL_ERR_ARG &&
             (colored.width > LONGEST_SIDE || colored.height > LONGEST_SIDE))
        cli_job_fail(job, EXIT_NEGATIVE, "%lu by %lu px are too large for a %s: at most %d by %d",
                     (unsigned long)colored.width, (unsigned long)colored.height, p->format->title,
                     LONGEST_SIDE, LONGEST_SIDE);
    else if (sprite && (status == LVL_ERR_ARG || status == LVL_ERR_UNSUPPORTED))
        cli_job_fail(job, EXIT_NEGATIVE,
                     "%s cannot hold this picture: it needs 256 colours at most, and a palette",
                     p->format->title);
    else if (status == LVL_OK || (status == LVL_ERR_LOSS && found))
        report_losses(job, p, status == LVL_ERR_LOSS);
    else
        cli_job_status(job, status, NULL, NULL);
    return status;
}

/* Draws the document and stores the picture in it. */
static lvl_status embed_screenshot(cli_job *job)
{
    const lvl_format *format = lvl_doc_format(job->doc);
    lvl_art *art = cli_art_take(job);
    const lvl_scene_request request = {.art = art};
    lvl_render_options options;
    lvl_scene *scene = NULL;
    lvl_image shot = {0};

    if (!art)
        return LVL_ERR_MEMORY;
    lvl_render_options_init(&options);
    options.view = LVL_VIEW_CAMERA;
    options.view_width = format->shot_width;
    options.view_height = format->shot_height;
    lvl_status status = lvl_doc_scene(job->doc, &request, &scene);
    if (status == LVL_OK) {
        scene->marks = false; /* the game draws no marks */
        if (!job->c->opt.quiet && (scene->missing_tiles || scene->missing_things))
            lvl_buffer_printf(&job->err, "%s: drawn without pictures for %u tiles and %u objects (--art)\n",
                              job->input->shown, scene->missing_tiles, scene->missing_things);
        status = lvl_render_image(scene, &options, &shot);
    }
    if (status == LVL_OK)
        status = lvl_doc_embed_screenshot(job->doc, &shot, job->findings);
    lvl_image_clear(&shot);
    lvl_scene_free(scene);
    cli_art_give(job, art);
    return status;
}

/* Applies the options that change an existing document. */
static lvl_status restructure(cli_job *job, const cli_convert *p)
{
    const lvl_format *format = lvl_doc_format(job->doc);

    const bool can = lvl_format_can(format) & LVL_CAN_RESTRUCTURE;

    if (!(job->c->opt.screenshots ? format->shot_width > 0 : can)) {
        if (!job->input->named)
            job->outcome = CLI_SKIPPED_OTHER;
        else
            cli_job_fail(job, EXIT_NEGATIVE, "these options do not apply to %s", format->title);
        return LVL_ERR_UNSUPPORTED;
    }
    lvl_status status = LVL_OK;
    lvl_findings_clear(job->findings);
    if (can)
        status = lvl_doc_restructure(job->doc, &p->draw_options, job->findings);
    if (status == LVL_OK && job->c->opt.screenshots)
        status = embed_screenshot(job);
    status = check_losses(job, status);
    if (status == LVL_ERR_ARG && lvl_findings_count(job->findings))
        report_refusal(job);
    else if (status == LVL_ERR_UNSUPPORTED)
        cli_job_fail(job, EXIT_NEGATIVE, "these options do not apply to this form (%s)", format->title);
    else
        report_result(job, p, status);
    return status;
}

static lvl_status doc_to_form(cli_job *job, const cli_convert *p, lvl_buffer *out)
{
    lvl_doc *made = NULL;

    lvl_findings_clear(job->findings);
    lvl_status status = lvl_convert(job->doc, p->form, job->c->opt.allow_loss, job->findings, &made);
    if (status == LVL_OK && job->c->opt.in_place && lvl_doc_format(made) != job->format) {
        cli_job_fail(job, EXIT_USAGE, "-i can only convert to another form of the same format; use -o");
        lvl_doc_free(made);
        return LVL_ERR_UNSUPPORTED;
    }
    report_result(job, p, status);
    if (status == LVL_OK)
        status = cli_links_apply(job, made);
    if (status == LVL_OK)
        status = write_made(job, made, out);
    lvl_doc_free(made);
    return status;
}

static void report_impossible(cli_job *job, const lvl_format *from, const char *to)
{
    const bool level = lvl_tiled_can(from);
    const lvl_format *f;
    char forms[256] = "json";

    for (const lvl_form *form = from->forms; form && form->name; form++)
        snprintf(forms + strlen(forms), sizeof forms - strlen(forms), ", %s", form->name);
    if (lvl_format_can(from) & LVL_CAN_PICTURE)
        snprintf(forms + strlen(forms), sizeof forms - strlen(forms), ", png");
    if (level)
        snprintf(forms + strlen(forms), sizeof forms - strlen(forms), ", tmx, tmj");
    for (size_t i = 0; level && (f = lvl_format_at(i)) != NULL; i++) {
        if (f != from && lvl_format_can(f) & LVL_CAN_DRAW_LEVEL)
            snprintf(forms + strlen(forms), sizeof forms - strlen(forms), ", %s", f->id);
    }
    if (lvl_format_can(from) & LVL_CAN_EXTRACT)
        cli_job_fail(job, EXIT_NEGATIVE, "cannot convert %s to %s; for its members, use `lvl convert %s// …'",
                     from->title, to, job->input->shown);
    else
        cli_job_fail(job, EXIT_NEGATIVE, "cannot convert %s to %s, only to: %s", from->title, to, forms);
}

/* Bytes above which a drawing is too large to be played or sent comfortably; the largest known ones have 4
 * MB. */
enum { LARGE_LEVEL = 16 << 20 };

/* Makes a level of another family by drawing this one. LVL_ERR_UNSUPPORTED (not reported): not possible. */
static lvl_status doc_to_level(cli_job *job, const cli_convert *p, lvl_buffer *out)
{
    char *title = cli_stem_of(job->input->name);
    lvl_art *art = title ? cli_art_take(job) : NULL;
    lvl_doc *made = NULL, *other = NULL;
    lvl_status status = LVL_ERR_MEMORY;

    lvl_findings_clear(job->findings);
    if (art) {
        const lvl_scene_level_options options = {.art = art,
                                                 .scale_down = p->scale_down,
                                                 .title = lvl_text_of(title),
                                                 .allow_loss = job->c->opt.allow_loss};
        status = lvl_convert_scene(&made, job->doc, p->format, &options, job->findings);
        if (status == LVL_OK && p->exact) {
            status = lvl_convert(made, p->form, job->c->opt.allow_loss, job->findings, &other);
            lvl_doc_free(made);
            made = other;
        }
        if (status != LVL_ERR_UNSUPPORTED)
            report_result(job, p, status);
        if (status == LVL_OK)
            status = write_made(job, made, out);
        if (status == LVL_OK && out->len >= LARGE_LEVEL && !job->c->opt.quiet)
            cli_job_fail(
                job, EXIT_SUCCESS,
                "the level has %.0f MB; --scale 1/N makes a smaller one, twice the N about a quarter",
                (double)out->len / 1e6);
        lvl_doc_free(made);
        cli_art_give(job, art);
    } else {
        report_result(job, p, status);
    }
    if (status == LVL_ERR_LIMIT)
        cli_job_fail(job, EXIT_NEGATIVE, "--scale 1/N makes a smaller level");
    free(title);
    return status;
}

/* Changes only the links of a document that has no form of the target, as a map of converted levels.
 * LVL_ERR_MISSING (not reported): it has no such links. */
static lvl_status relink(cli_job *job, lvl_buffer *out)
{
    if (!(lvl_format_can(lvl_doc_format(job->doc)) & LVL_CAN_WRITE))
        return LVL_ERR_MISSING;
    const lvl_status status = cli_links_apply(job, job->doc);
    if (status != LVL_OK)
        return LVL_ERR_UNSUPPORTED;
    return job->tag ? write_made(job, job->doc, out) : LVL_ERR_MISSING;
}

/* Whether the target is the name of another kind of drawing than this one, as doodad for a level. */
static bool is_other_kind(cli_job *job, const cli_convert *p)
{
    char kind[16];

    if (!p->named || strcmp(job->c->opt.to, p->ending) != 0 || cli_ending_fits(job, p->ending, kind))
        return false;
    if (!job->input->named)
        job->outcome = CLI_SKIPPED_OTHER;
    else
        cli_job_fail(job, EXIT_NEGATIVE,
                     "cannot convert a %s to a %s; make a picture of it with -o FILE.png, and convert that",
                     kind, p->ending);
    return true;
}

static lvl_status doc_to_format(cli_job *job, const cli_convert *p, lvl_buffer *out)
{
    const lvl_format *from = lvl_doc_format(job->doc);
    lvl_status status = LVL_ERR_UNSUPPORTED;

    if (from == p->format && is_other_kind(job, p))
        return LVL_ERR_UNSUPPORTED;

    if (p->to == TO_SAME || !p->format ||
        (from == p->format &&
         (!p->exact || ((p->restructure || job->from_map || cli_is_dump(job->bytes)) && !p->named)))) {
        lvl_findings_clear(job->findings);
        if (cli_links_apply(job, job->doc) != LVL_OK)
            return LVL_ERR_UNSUPPORTED;
        job->edited = job->edited || (job->c->opt.rewrite_links && job->tag);
        const bool checked = job->from_map && job->edited && !job->c->opt.quiet;
        lvl_findings *added = checked ? lvl_findings_new(&job->ctx) : NULL;
        status = checked && !added ? LVL_ERR_MEMORY
                 : job->edited     ? lvl_doc_write_checked(job->doc, out, job->findings, LVL_WARNING, added)
                                   : lvl_doc_write_with_findings(job->doc, out, job->findings);
        cli_job_status(job, status, job->findings, NULL);
        if (status == LVL_OK)
            cli_job_findings(job, job->findings, LVL_WARNING);
        if (status == LVL_OK && added)
            cli_report_added(job, added);
        lvl_findings_free(added);
        if (status == LVL_OK && !(job->from_map ? cli_map_keeps_damage(job, p, lvl_buffer_bytes(out))
                                                : cli_edit_keeps_damage(job, lvl_buffer_bytes(out))))
            status = LVL_ERR_UNSUPPORTED;
        return status;
    }
    if (lvl_format_can(from) & LVL_CAN_CONVERT && cli_converts(from, p))
        return doc_to_form(job, p, out);
    if (!(lvl_format_can(from) & LVL_CAN_PICTURE) || !cli_takes_pictures(job->c, p)) {
        if (lvl_format_can(p->format) & LVL_CAN_DRAW_LEVEL)
            status = doc_to_level(job, p, out);
        if (status != LVL_ERR_UNSUPPORTED)
            return status;
        const lvl_status links = job->c->opt.rewrite_links ? relink(job, out) : LVL_ERR_MISSING;
        if (links != LVL_ERR_MISSING)
            return links;
        if (!job->input->named)
            job->outcome = CLI_SKIPPED_OTHER;
        else if (lvl_format_can(from) & LVL_CAN_RENDER && lvl_format_can(p->format) & LVL_CAN_DRAW_LEVEL)
            cli_job_fail(job, EXIT_NEGATIVE,
                         "cannot convert this %s to %s: expected a level whose main plane has tiles",
                         from->title, p->format->title);
        else
            report_impossible(job, from, p->form ? p->form : p->format->title);
        return status;
    }
    lvl_image image = {0};
    status = lvl_doc_picture(job->doc, job->c->opt.layer, &image);
    report_picture(job, status);
    if (status == LVL_OK)
        status = keep_rest(job, p, false, &image);
    if (status == LVL_OK)
        status = image_to_format(job, p, &image, out);
    lvl_image_clear(&image);
    return status;
}

/* Converts a picture file. */
static lvl_status convert_picture(cli_job *job, const cli_convert *p, const char *kind, lvl_buffer *out)
{
    /* formats with a palette need the indices of the pixels */
    const bool indices = p->to == TO_FORMAT && lvl_format_can(p->format) & LVL_CAN_IMAGE;
    lvl_image image = {0};

    lvl_status status = lvl_picture_read(&job->ctx, job->bytes, indices, &image);
    cli_job_status(job, status, NULL, kind);
    if (status == LVL_OK && p->to == TO_FORMAT) {
        status = image_to_format(job, p, &image, out);
    } else if (status == LVL_OK) {
        status = lvl_png_write_buffer(&job->ctx, &image, NULL, out);
        cli_job_status(job, status, NULL, NULL);
    }
    lvl_image_clear(&image);
    return status;
}

/* Converts a level, a dump, or a map of Tiled. LVL_ERR_UNSUPPORTED: nothing is left to write. */
static lvl_status convert_document(cli_job *job, const cli_convert *p, lvl_buffer *out)
{
    if (!read_any(job, p) || (p->restructure && restructure(job, p) != LVL_OK))
        return LVL_ERR_UNSUPPORTED;
    switch (p->to) {
    case TO_PNG: return doc_to_png(job, p, out);
    case TO_WORLD: cli_write_world(job, p); return LVL_ERR_UNSUPPORTED;
    case TO_MAP: cli_write_map(job, p); return LVL_ERR_UNSUPPORTED;
    case TO_JSON: {
        const lvl_status status = lvl_dump(job->doc, NULL, out, job->findings);
        cli_job_status(job, status, job->findings, NULL);
        return status;
    }
    case TO_FORMAT:
    case TO_SAME: break;
    }
    return doc_to_format(job, p, out);
}

static void convert_job(cli_job *job)
{
    const cli_convert *p = job->c->user;
    lvl_buffer out = {0};
    lvl_status status = LVL_ERR_UNSUPPORTED;

    if (!cli_output_ready(job, &p->output) || !cli_job_bytes(job))
        return;
    const char *kind = lvl_picture_kind(job->bytes);
    /* pictures in a folder of levels that is converted to another form stay pictures, and so do the tiles of
     * maps */
    const bool meant = job->input->named || (!p->by_form && cli_takes_pictures(job->c, p) &&
                                             !strstr(job->input->name, CLI_MAP_PICTURES "/"));
    if (!kind)
        status = convert_document(job, p, &out);
    else if ((p->to == TO_FORMAT && meant) || (p->to == TO_PNG && strcmp(kind, "PNG") != 0))
        status = convert_picture(job, p, kind, &out);
    else if (!job->input->named)
        job->outcome = CLI_SKIPPED_OTHER;
    else
        cli_job_fail(job, EXIT_NEGATIVE,
                     p->to == TO_PNG ? "the input is a PNG already"
                                     : "a picture needs -o FILE with an ending, or --to FORMAT");
    const bool converted =
        !job->c->opt.rewrite_links || !job->doc || cli_converts(lvl_doc_format(job->doc), p);
    if (status == LVL_OK)
        cli_deliver(job, lvl_buffer_bytes(&out), converted ? &p->output : &p->as_it_is);
    lvl_buffer_free(&out);
}

/* Counts the links that were changed, or would have been with --rewrite-links. */
static void count_links(cli *c, const cli_job *job)
{
    cli_convert *p = c->user;

    if (p->links && job->tag > 0 && job->code == EXIT_FINE)
        p->relinked += (size_t)job->tag;
}

int cmd_convert(cli *c)
{
    cli_convert *p = calloc(1, sizeof *p);

    if (!p)
        return cli_no_memory(c);
    int code = cli_take_inputs(c, 0, c->args.count);
    if (!code)
        code = cli_convert_plan(c, p);
    /* a file that keeps its name keeps its format */
    if (!code && c->opt.in_place && p->to != TO_FORMAT && p->to != TO_SAME)
        code = cli_usage(c, "-i can only convert to another form of the same format; use -o");
    if (!code)
        code = cli_convert_load(c, p);
    const bool renames =
        p->to == TO_FORMAT && c->inputs.batch && !c->opt.in_place; /* files that links lead to */
    if (!code && renames && !(p->links = cli_links_new(c, p)))
        code = cli_no_memory(c);
    if (!code) {
        const bool levels = p->to == TO_FORMAT && lvl_format_can(p->format) & LVL_CAN_DRAW_LEVEL;
        const cli_batch batch = {.work = convert_job,
                                 .after = count_links,
                                 .user = p,
                                 .done_word = "converted",
                                 .output = &p->output,
                                 .art = c->opt.screenshots || p->to == TO_MAP || levels};
        code = cli_run(c, &batch);
        if (p->links && !c->opt.rewrite_links && p->relinked && !c->opt.quiet)
            cli_report(c,
                       "%zu name%s in links or scripts lead%s to files that have another name now; "
                       "--rewrite-links changes links",
                       p->relinked, p->relinked == 1 ? "" : "s", p->relinked == 1 ? "s" : "");
        else if (c->opt.rewrite_links && p->links && !c->opt.quiet)
            cli_report(c, "%zu link%s to converted files changed%s", p->relinked, p->relinked == 1 ? "" : "s",
                       code == EXIT_NEGATIVE ? "; those to files that were not converted, too" : "");
    }
    cli_convert_clear(c, p);
    free(p);
    return code;
}
