/*
 * cli/cmd_convert.c: `lvl convert`: from one form of a family to another, pictures to PNG and back, everything to JSON and back.
 */
#include "cli/cli.h"

#include "base/format.h"
#include "base/text.h"

#include <lvl/render.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum target { TO_PNG, TO_JSON, TO_FORMAT, TO_SAME } target;

typedef struct plan {
    target to;
    const lvl_format *format; /* TO_FORMAT */
    const char *form;         /* TO_FORMAT: its name, or its format's; NULL: the format has none */
    bool exact;               /* that form, and not any of its format */
    bool named;               /* by --to, not by an ending */
    bool remake;              /* wishes for documents that there are already */
    lvl_wishes wishes;
    char ending[16];
    cli_output output;
    bool has_palette;
    lvl_palette palette;
    lvl_doc *palette_doc; /* that --palette names, where it is more than colours */
    lvl_buffer palette_file;
    lvl_image *layers; /* of --and */
    char **layer_names;
} plan;

/* Reads the job's document, of whatever it is a file: a format of ours, or a dump. */
static bool read_any(cli_job *job)
{
    if (!cli_is_dump(job->bytes) || job->c->format)
        return cli_job_read(job, 0);
    job->findings = lvl_findings_new(&job->c->ctx);
    if (!job->findings) {
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
        return false;
    }
    lvl_status status = lvl_undump(&job->doc, &job->c->ctx,
                                   (lvl_text){(const char *)job->bytes.ptr, job->bytes.len}, job->findings);
    if (status == LVL_ERR_FOREIGN && !job->input->named)
        job->outcome = CLI_SKIPPED_FOREIGN;
    else
        cli_job_status(job, status, job->findings, NULL);
    return status == LVL_OK;
}

/* The picture that a document is, or one of its layers. */
static lvl_status picture_of(cli_job *job, lvl_image *image)
{
    const lvl_format *from = lvl_doc_format(job->doc);
    const char *layer = job->c->opt.layer;
    lvl_status status;

    if (!from->to_image && !from->layer_image) {
        if (!job->input->named)
            job->outcome = CLI_SKIPPED_OTHER;
        else if (from->can & LVL_CAN_RENDER)
            cli_job_fail(job, EXIT_NEGATIVE, "a level is no picture; `lvl render' draws one");
        else
            cli_job_fail(job, EXIT_NEGATIVE, "no picture (%s)", from->title);
        return LVL_ERR_UNSUPPORTED;
    }
    status = lvl_doc_picture(job->doc, layer, image);
    if (status == LVL_ERR_MISSING && layer)
        cli_job_fail(job, EXIT_NEGATIVE, "no layer `%s'", layer);
    else if (status == LVL_ERR_LIMIT)
        cli_job_fail(job, EXIT_NEGATIVE,
                     "too large for one picture: `--limit cells=N' allows more, and `lvl render --region' "
                     "draws a part");
    else
        cli_job_status(job, status, NULL, NULL);
    return status;
}

static lvl_status doc_to_png(cli_job *job, const plan *p, lvl_buffer *out)
{
    lvl_image image = {0};
    lvl_status status = picture_of(job, &image);

    if (status == LVL_OK) {
        status = lvl_png_write_buffer(&job->c->ctx, &image, p->has_palette ? &p->palette : NULL, out);
        cli_job_status(job, status, NULL, NULL);
    }
    lvl_image_clear(&image);
    return status;
}

/* What the form can't hold: told, and refused unless that is allowed. */
static void tell_losses(cli_job *job, const plan *p, const lvl_findings *losses, bool refused)
{
    const size_t n = lvl_findings_count(losses);
    const cli_options *opt = &job->c->opt;

    const char *to = p->form ? p->form : p->format ? p->format->title : "the file";

    if (!n)
        return;
    if (opt->json && opt->output && strcmp(opt->output, "-") != 0) {
        lvl_buffer_str(&job->out, "{\"file\":");
        lvl_json_string(&job->out, lvl_text_of(job->input->name));
        lvl_buffer_str(&job->out, ",\"to\":");
        lvl_json_string(&job->out, lvl_text_of(to));
        lvl_buffer_printf(&job->out, ",\"refused\":%s,\"losses\":", refused ? "true" : "false");
        lvl_findings_json(losses, &job->out);
        lvl_buffer_str(&job->out, "}\n");
    } else if (refused || !opt->quiet) {
        cli_job_findings(job, losses, opt->verbose ? LVL_NOTE : LVL_WARNING);
    }
    if (refused)
        cli_job_fail(job, EXIT_NEGATIVE,
                     "not converted: %s can't hold %zu thing%s of it; --allow-loss leaves %s out", to, n,
                     n == 1 ? "" : "s", n == 1 ? "it" : "them");
}

/* What was asked for and can't be. */
static void tell_wish(cli_job *job, const lvl_findings *why)
{
    for (size_t i = 0; i < lvl_findings_count(why); i++)
        cli_job_fail(job, EXIT_NEGATIVE, "%s", lvl_findings_at(why, i)->text);
}

/* A file's name without folders and ending; NULL without memory. */
static char *stem_of(const char *path)
{
    const char *name = cli_base_name(path);

    return cli_format("%.*s", (int)(cli_ending(name) - name), name);
}

/* The new document; layers are called as their files. */
static lvl_status draw_as_wished(const cli_job *job, const plan *p, const lvl_image *image, lvl_doc **out,
                                 lvl_findings *losses)
{
    lvl_wishes wishes = p->wishes;

    if (!wishes.layer_count)
        return lvl_doc_draw(out, &job->c->ctx, p->format, image, &wishes, losses);
    const char **names = malloc(((size_t)wishes.layer_count + 1) * sizeof *names);
    char *own = stem_of(job->input->name);
    lvl_status status = LVL_ERR_MEMORY;
    if (names && own) {
        names[0] = own;
        for (uint32_t i = 0; i < wishes.layer_count; i++)
            names[i + 1] = p->layer_names[i];
        wishes.layer_names = names;
        status = lvl_doc_draw(out, &job->c->ctx, p->format, image, &wishes, losses);
    }
    free(names);
    free(own);
    return status;
}

/* A new document of the picture, in the form that was asked for. */
static lvl_status draw(const cli_job *job, const plan *p, const lvl_image *image, lvl_findings *losses,
                       lvl_doc **out)
{
    lvl_doc *made = NULL;

    lvl_status status = draw_as_wished(job, p, image, out, losses);
    if (status == LVL_OK && lvl_findings_count(losses) && !job->c->opt.allow_loss)
        return LVL_ERR_LOSS;
    if (status == LVL_OK && p->exact && p->format->convert) {
        status = lvl_convert(*out, p->form, job->c->opt.allow_loss, losses, &made);
        if (status == LVL_OK) {
            lvl_doc_free(*out);
            *out = made;
        }
    }
    return status;
}

static lvl_status image_to_format(cli_job *job, const plan *p, const lvl_image *image, lvl_buffer *out)
{
    lvl_image colored = *image;
    lvl_palette palette = p->palette;
    lvl_doc *made = NULL;

    if (!p->format->from_image && !p->format->draw) {
        cli_job_fail(job, EXIT_NEGATIVE, "a picture can't become that (%s)", p->format->title);
        return LVL_ERR_UNSUPPORTED;
    }
    if (job->c->opt.in_place) {
        cli_job_fail(job, EXIT_USAGE, "in place a file can't become another format: -o instead of -i");
        return LVL_ERR_UNSUPPORTED;
    }
    lvl_findings *losses = lvl_findings_new(&job->c->ctx);
    lvl_status status = losses ? LVL_OK : LVL_ERR_MEMORY;
    if (p->format->draw && p->has_palette && !colored.palette)
        colored.palette = &palette;
    if (status == LVL_OK)
        status = draw(job, p, &colored, losses, &made);
    if (status == LVL_OK)
        status = lvl_doc_write(made, out);
    lvl_doc_free(made);
    if (status == LVL_ERR_ARG && losses && lvl_findings_count(losses))
        tell_wish(job, losses);
    else if (!p->format->draw && (status == LVL_ERR_ARG || status == LVL_ERR_UNSUPPORTED))
        cli_job_fail(job, EXIT_NEGATIVE,
                     "the picture can't be said in %s: is it in 256 colours, with a palette?",
                     p->format->title);
    else if (losses && lvl_findings_count(losses) && (status == LVL_OK || status == LVL_ERR_LOSS))
        tell_losses(job, p, losses, status == LVL_ERR_LOSS);
    else
        cli_job_status(job, status, NULL, NULL);
    lvl_findings_free(losses);
    return status;
}

/* A picture of the document into the document. */
static lvl_status shoot(cli_job *job, lvl_findings *losses)
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
        scene->marks = false; /* the game has none */
        if (!job->c->opt.quiet && (scene->missing_tiles || scene->missing_things))
            lvl_buffer_printf(&job->err, "%s: drawn without pictures for %u tiles and %u objects (--art)\n",
                              job->input->shown, scene->missing_tiles, scene->missing_things);
        status = lvl_render_image(scene, &options, &shot);
    }
    if (status == LVL_OK)
        status = format->shoot(job->doc, &shot, losses);
    lvl_image_clear(&shot);
    lvl_scene_free(scene);
    cli_art_give(job, art);
    return status;
}

/* The document as wished. */
static lvl_status remake(cli_job *job, const plan *p)
{
    const lvl_format *format = lvl_doc_format(job->doc);

    if (!(job->c->opt.screenshots ? format->shoot != NULL : format->remake != NULL)) {
        if (!job->input->named)
            job->outcome = CLI_SKIPPED_OTHER;
        else
            cli_job_fail(job, EXIT_NEGATIVE, "%s can't be made anew like that", format->title);
        return LVL_ERR_UNSUPPORTED;
    }
    lvl_findings *losses = lvl_findings_new(&job->c->ctx);
    lvl_status status = losses ? LVL_OK : LVL_ERR_MEMORY;
    if (status == LVL_OK && format->remake)
        status = lvl_doc_remake(job->doc, &p->wishes, losses);
    if (status == LVL_OK && job->c->opt.screenshots)
        status = shoot(job, losses);
    if (status == LVL_OK && lvl_findings_count(losses) && !job->c->opt.allow_loss)
        status = LVL_ERR_LOSS;
    if (status == LVL_OK || status == LVL_ERR_LOSS)
        tell_losses(job, p, losses, status == LVL_ERR_LOSS);
    else if (status == LVL_ERR_ARG && lvl_findings_count(losses))
        tell_wish(job, losses);
    else if (status == LVL_ERR_UNSUPPORTED)
        cli_job_fail(job, EXIT_NEGATIVE, "this one can't be made anew like that (%s)", format->title);
    else
        cli_job_status(job, status, losses, NULL);
    lvl_findings_free(losses);
    return status;
}

static lvl_status doc_to_form(cli_job *job, const plan *p, lvl_buffer *out)
{
    lvl_findings *losses = lvl_findings_new(&job->c->ctx);
    lvl_doc *made = NULL;

    lvl_status status =
        losses ? lvl_convert(job->doc, p->form, job->c->opt.allow_loss, losses, &made) : LVL_ERR_MEMORY;
    if (status == LVL_OK && job->c->opt.in_place && lvl_doc_format(made) != job->format) {
        cli_job_fail(job, EXIT_USAGE,
                     "in place a file can only become another form of its own format: -o instead of -i");
        lvl_doc_free(made);
        lvl_findings_free(losses);
        return LVL_ERR_UNSUPPORTED;
    }
    if (status == LVL_OK)
        status = lvl_doc_write_told(made, out, losses);
    if (status == LVL_OK || status == LVL_ERR_LOSS)
        tell_losses(job, p, losses, status == LVL_ERR_LOSS);
    else
        cli_job_status(job, status, losses, NULL);
    lvl_doc_free(made);
    lvl_findings_free(losses);
    return status;
}

/* Whether documents of that format can have the form. */
static bool has_form(const lvl_format *from, const plan *p)
{
    const char *name, *format;

    for (size_t i = 0; p->form && (name = lvl_format_form(from, i, NULL, NULL, &format)) != NULL; i++) {
        if (strcmp(name, p->form) == 0 || strcmp(format, p->form) == 0)
            return true;
    }
    return false;
}

static void no_way(cli_job *job, const lvl_format *from, const char *to)
{
    if (from->can & LVL_CAN_EXTRACT)
        cli_job_fail(job, EXIT_NEGATIVE,
                     "no way from here (%s) to %s; of what is in it: `lvl convert %s// …'", from->title, to,
                     job->input->shown);
    else
        cli_job_fail(job, EXIT_NEGATIVE, "no way from here (%s) to %s", from->title, to);
}

static lvl_status doc_to_format(cli_job *job, const plan *p, lvl_buffer *out)
{
    const lvl_format *from = lvl_doc_format(job->doc);
    lvl_status status;

    if (p->to == TO_SAME || !p->format || (from == p->format && (!p->exact || (p->remake && !p->named)))) {
        lvl_findings *told = lvl_findings_new(&job->c->ctx);
        status = told ? lvl_doc_write_told(job->doc, out, told) : LVL_ERR_MEMORY;
        cli_job_status(job, status, told, NULL);
        if (status == LVL_OK)
            cli_job_findings(job, told, LVL_WARNING);
        lvl_findings_free(told);
        return status;
    }
    if (from->convert && has_form(from, p))
        return doc_to_form(job, p, out);
    if ((!from->to_image && !from->layer_image) || (!p->format->from_image && !p->format->draw)) {
        if (!job->input->named)
            job->outcome = CLI_SKIPPED_OTHER;
        else
            no_way(job, from, p->form ? p->form : p->format->title);
        return LVL_ERR_UNSUPPORTED;
    }
    lvl_image image = {0};
    status = picture_of(job, &image);
    if (status == LVL_OK)
        status = image_to_format(job, p, &image, out);
    lvl_image_clear(&image);
    return status;
}

static void work(cli_job *job)
{
    const plan *p = job->c->user;
    lvl_buffer out = {0};
    lvl_status status = LVL_OK;

    if (!cli_output_ready(job, &p->output) || !cli_job_bytes(job))
        return;
    const char *kind = lvl_picture_kind(job->bytes);
    if (kind && p->to == TO_FORMAT) {
        lvl_image image = {0};
        /* what wants indices gets them */
        status = p->format->draw || strcmp(kind, "PNG") != 0
                     ? lvl_picture_read(&job->c->ctx, job->bytes, &image)
                     : lvl_png_read(&job->c->ctx, job->bytes, &image);
        cli_job_status(job, status, NULL, kind);
        if (status == LVL_OK)
            status = image_to_format(job, p, &image, &out);
        lvl_image_clear(&image);
    } else if (kind && p->to == TO_PNG && strcmp(kind, "PNG") != 0) {
        lvl_image image = {0};
        status = lvl_picture_read(&job->c->ctx, job->bytes, &image);
        cli_job_status(job, status, NULL, kind);
        if (status == LVL_OK) {
            status = lvl_png_write_buffer(&job->c->ctx, &image, NULL, &out);
            cli_job_status(job, status, NULL, NULL);
        }
        lvl_image_clear(&image);
    } else if (kind && !job->input->named) {
        job->outcome = CLI_SKIPPED_OTHER;
        return;
    } else if (kind && p->to != TO_FORMAT) {
        cli_job_fail(job, EXIT_NEGATIVE,
                     p->to == TO_PNG ? "a PNG already" : "a picture: -o FILE, or --to, says what it becomes");
        return;
    } else if (!read_any(job) || (p->remake && remake(job, p) != LVL_OK)) {
        return;
    } else if (p->to == TO_PNG) {
        status = doc_to_png(job, p, &out);
    } else if (p->to == TO_JSON) {
        status = lvl_dump(job->doc, NULL, &out, job->findings);
        cli_job_status(job, status, job->findings, NULL);
    } else {
        status = doc_to_format(job, p, &out);
    }
    if (status == LVL_OK)
        cli_deliver(job, (lvl_bytes){out.data, out.len}, &p->output);
    lvl_buffer_free(&out);
}

/* The form, or format, that goes by that name, or that files with that ending have: a form's own name first, then a format's, then an ending. */
static bool find_target(plan *p, const char *to)
{
    const lvl_text wanted = lvl_text_of(to);
    const lvl_format *f, *by_name = lvl_format_find(to);
    const char *name, *extension, *format;

    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; (f = lvl_format_at(i)) != NULL; i++) {
            for (size_t k = 0; (name = lvl_format_form(f, k, NULL, &extension, &format)) != NULL; k++) {
                bool named = lvl_text_equal_nocase(wanted, lvl_text_of(name));
                bool meant = pass == 0 ? named
                             : by_name ? strcmp(format, to) == 0
                                       : lvl_text_equal_nocase(wanted, lvl_text_of(extension));
                if (!meant)
                    continue;
                p->form = named || !by_name ? name : format;
                p->format = lvl_format_find(format);
                p->exact = strcmp(p->form, format) != 0;
                snprintf(p->ending, sizeof p->ending, "%s", extension);
                return true;
            }
        }
    }
    p->format = cli_format_named(to, LVL_CAN_WRITE);
    if (p->format && by_name)
        cli_first_ending(p->format, p->ending);
    else if (p->format)
        snprintf(p->ending, sizeof p->ending, "%s", to);
    return p->format != NULL;
}

/* The name of a form that is but a letter away, as v3.1 is from v31. */
static const char *nearest_form(const char *to)
{
    const char *name, *near = NULL;
    const lvl_format *f;
    unsigned best = 2;

    for (size_t i = 0; (f = lvl_format_at(i)) != NULL; i++) {
        for (size_t k = 0; (name = lvl_format_form(f, k, NULL, NULL, NULL)) != NULL; k++) {
            const unsigned d = lvl_text_distance(lvl_text_of(to), lvl_text_of(name), best);
            if (d < best) {
                best = d;
                near = name;
            }
        }
    }
    return near;
}

/* The target if all its forms have one ending, so that a file's own, if it is another of the format's, says something else: which kind of drawing it is. */
static const lvl_format *keeps_endings(const plan *p)
{
    const char *extension, *format;

    for (size_t k = 0; p->format && lvl_format_form(p->format, k, NULL, &extension, &format); k++) {
        if (strcmp(format, lvl_format_id(p->format)) == 0 && strcmp(extension, p->ending) != 0)
            return NULL;
    }
    return p->format;
}

/* "#rrggbb", '#' or not. */
static bool parse_color(const char *text, uint8_t rgb[3])
{
    unsigned n[3];
    char end;

    text += *text == '#';
    if (strlen(text) != 6 || strspn(text, "0123456789abcdefABCDEF") != 6 ||
        sscanf(text, "%2x%2x%2x%c", &n[0], &n[1], &n[2], &end) != 3) /* NOLINT(cert-err34-c): digits alone */
        return false;
    for (int k = 0; k < 3; k++)
        rgb[k] = (uint8_t)n[k];
    return true;
}

static int take_wishes(cli *c, plan *p)
{
    const cli_options *opt = &c->opt;
    lvl_wishes *w = &p->wishes;
    uint64_t size = 0, colors = 0;

    if (opt->chunk_size && (!cli_number(opt->chunk_size, UINT32_MAX, &size) || !size))
        return cli_usage(c, "--chunk-size takes a number of pixels, not `%s'", opt->chunk_size);
    if (opt->colors && (!cli_number(opt->colors, 256, &colors) || !colors))
        return cli_usage(c, "--colors takes a number from 1 to 256, not `%s'", opt->colors);
    if (opt->key && !parse_color(opt->key, w->key))
        return cli_usage(c, "--key takes a colour like #ff00ff, not `%s'", opt->key);
    w->has_key = opt->key != NULL;
    if (opt->alpha && strcmp(opt->alpha, "keep") != 0) {
        w->alpha = strcmp(opt->alpha, "cut") == 0 ? LVL_ALPHA_CUT : LVL_ALPHA_OVER;
        if (w->alpha == LVL_ALPHA_OVER && !parse_color(opt->alpha, w->over))
            return cli_usage(c, "--alpha takes `keep', `cut' or a colour like #ffffff, not `%s'", opt->alpha);
    }
    if (opt->more_colors && !opt->palette)
        return cli_usage(c, "--more-colors goes with --palette");
    w->colors = (uint32_t)colors;
    w->more_colors = opt->more_colors;
    w->chunk_size = (uint32_t)size;
    w->trim_palette = opt->trim_palette;
    p->remake = size || opt->trim_palette || opt->screenshots;
    return EXIT_FINE;
}

/* What is to be made: by --to, or by the ending of -o. */
static int make_plan(cli *c, plan *p)
{
    const char *to = c->opt.to, *o = c->opt.output;

    if (!to && o && *cli_ending(o) && !cli_inputs_go_to_archive(&c->inputs, o))
        to = cli_ending(o) + 1;
    p->output.edits = true;
    p->named = c->opt.to != NULL;
    if (!to && p->remake) {
        p->to = TO_SAME;
        return EXIT_FINE;
    }
    if (!to)
        return cli_usage(c, "to what? --to FORM, or an -o with an ending");
    snprintf(p->ending, sizeof p->ending, "%s", to);
    if (strcmp(to, "png") == 0) {
        p->to = TO_PNG;
        p->output.edits = false;
    } else if (strcmp(to, "json") == 0) {
        p->to = TO_JSON;
        p->output.add = true;
        p->output.edits = false;
    } else {
        p->to = TO_FORMAT;
        if (!find_target(p, to)) {
            const char *near = nearest_form(to);
            return cli_usage(c, "no format or form `%s' that can be written%s%s%s `lvl formats' lists them",
                             to, near ? ": did you mean " : "", near ? near : "", near ? "?" : ";");
        }
        p->output.keeps = keeps_endings(p);
    }
    /* of the endings that a format has, that of the file to be */
    p->wishes.ending = p->format && o && cli_has_ending(o, p->format) ? cli_ending(o) + 1 : p->ending;
    p->output.ext = p->ending;
    p->output.text = p->to == TO_JSON;
    return EXIT_FINE;
}

static lvl_status palette_of(lvl_doc *doc, plan *p)
{
    const lvl_format *f = lvl_doc_format(doc);
    lvl_image image = {0};

    if (f->draw) {
        p->wishes.palette = doc;
        return LVL_OK;
    }
    lvl_status status = LVL_ERR_UNSUPPORTED;
    if (f->to_palette) {
        status = f->to_palette(doc, &p->palette);
    } else if (f->to_image) { /* a picture's own colours */
        status = f->to_image(doc, &image);
        if (status == LVL_OK && image.palette)
            p->palette = *image.palette;
        else if (status == LVL_OK)
            status = LVL_ERR_UNSUPPORTED;
        lvl_image_clear(&image);
    }
    p->has_palette = status == LVL_OK;
    return status;
}

/* A palette out of a file that is no document: a picture, or what the format to be knows of palettes. */
static lvl_status foreign_palette(cli *c, plan *p, lvl_bytes bytes)
{
    const lvl_wishes none = {0};
    lvl_image image = {0};

    if (p->to != TO_FORMAT && !lvl_picture_kind(bytes))
        return LVL_ERR_FOREIGN;
    if (!lvl_picture_kind(bytes)) {
        if (!p->format->read_palette)
            return LVL_ERR_FOREIGN;
        lvl_status status = lvl_doc_new(&p->palette_doc, &c->ctx, p->format);
        if (status == LVL_OK)
            status = p->format->read_palette(p->palette_doc, bytes);
        p->wishes.palette = p->palette_doc;
        return status;
    }
    lvl_status status = lvl_picture_read(&c->ctx, bytes, &image);
    if (status == LVL_OK && p->to == TO_FORMAT && p->format->draw) {
        status = lvl_doc_new(&p->palette_doc, &c->ctx, p->format);
        if (status == LVL_OK)
            status = p->format->draw(p->palette_doc, &image, &none, NULL);
        p->wishes.palette = p->palette_doc;
    } else if (status == LVL_OK) {
        status = image.palette ? LVL_OK : LVL_ERR_UNSUPPORTED;
        p->has_palette = image.palette != NULL;
        if (image.palette)
            p->palette = *image.palette;
    }
    lvl_image_clear(&image);
    return status;
}

static int load_palette(cli *c, plan *p)
{
    if (!c->opt.palette)
        return EXIT_FINE;
    lvl_status status = lvl_file_read(&p->palette_file, c->opt.palette, c->ctx.limits.input_bytes, NULL);
    if (status == LVL_OK) {
        const lvl_bytes bytes = {p->palette_file.data, p->palette_file.len};
        status = lvl_read(&p->palette_doc, &c->ctx, NULL, bytes, cli_base_name(c->opt.palette),
                          LVL_READ_BORROW, NULL);
        if (status == LVL_OK)
            status = palette_of(p->palette_doc, p);
        else if (status == LVL_ERR_FOREIGN)
            status = foreign_palette(c, p, bytes);
    }
    if (status != LVL_OK)
        cli_say(c, "--palette %s: %s", c->opt.palette,
                status == LVL_ERR_UNSUPPORTED ? "holds no palette"
                : status == LVL_ERR_FOREIGN || status == LVL_ERR_FORMAT
                    ? "no palette; `lvl convert --help' says what such a file may hold"
                    : lvl_status_text(status));
    return status == LVL_ERR_MISSING ? EXIT_ENVIRONMENT : cli_code_of(status);
}

/* The pictures of --and. */
static int load_layers(cli *c, plan *p)
{
    const cli_strings *also = &c->opt.also;

    if (!also->count)
        return EXIT_FINE;
    if (p->to != TO_FORMAT || !p->format->draw)
        return cli_usage(c, "--and is for pictures that become a drawing with layers");
    p->layers = calloc(also->count, sizeof *p->layers);
    p->layer_names = calloc(also->count, sizeof *p->layer_names);
    lvl_status status = p->layers && p->layer_names ? LVL_OK : LVL_ERR_MEMORY;
    for (size_t i = 0; i < also->count && status == LVL_OK; i++) {
        lvl_buffer file = {0};
        status = lvl_file_read(&file, also->items[i], c->ctx.limits.input_bytes, NULL);
        if (status == LVL_OK)
            status = lvl_picture_read(&c->ctx, (lvl_bytes){file.data, file.len}, &p->layers[i]);
        lvl_buffer_free(&file);
        p->layer_names[i] = stem_of(also->items[i]);
        if (status == LVL_OK && !p->layer_names[i])
            status = LVL_ERR_MEMORY;
        if (status != LVL_OK)
            cli_say(c, "--and %s: %s", also->items[i], lvl_status_text(status));
    }
    p->wishes.layers = p->layers;
    p->wishes.layer_count = (uint32_t)also->count;
    return status == LVL_ERR_MISSING ? EXIT_ENVIRONMENT : cli_code_of(status);
}

int cmd_convert(cli *c)
{
    plan *p = calloc(1, sizeof *p);
    int code;

    if (!p) {
        cli_say(c, "out of memory");
        return EXIT_ENVIRONMENT;
    }
    c->user = p;
    code = take_wishes(c, p);
    if (!code)
        code = cli_take_inputs(c, 0, c->args.count);
    if (!code)
        code = make_plan(c, p);
    if (!code)
        code = cli_output_check(c, &p->output);
    /* a file that keeps its name must stay what the name says */
    if (!code && c->opt.in_place && p->to != TO_FORMAT && p->to != TO_SAME)
        code = cli_usage(c, "in place a file can only become another form of its own format");
    if (!code && c->opt.screenshots)
        code = cli_art_try(c);
    if (!code)
        code = load_palette(c, p);
    if (!code)
        code = load_layers(c, p);
    if (!code) {
        const cli_batch batch = {.work = work, .done_word = "converted", .output = &p->output};
        code = cli_run(c, &batch);
    }
    lvl_doc_free(p->palette_doc);
    lvl_buffer_free(&p->palette_file);
    for (size_t i = 0; p->layers && i < c->opt.also.count; i++)
        lvl_image_clear(&p->layers[i]);
    for (size_t i = 0; p->layer_names && i < c->opt.also.count; i++)
        free(p->layer_names[i]);
    free(p->layers);
    free(p->layer_names);
    free(p);
    return code;
}
