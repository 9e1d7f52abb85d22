/*
 * cli/verbs/cmd_render.c: `lvl render`: draws levels as PNG, and animations as PNG, APNG or GIF.
 */
#include "cli/convert/convert.h"
#include "cli/pages/tiles.h"
#include "cli/world/graph.h"
#include "render/options.h"
#include "tools/check/reports.h"
#include "tools/picture/frames.h"

#include "base/text.h"

#include <lvl/render.h>

#include <stdlib.h>
#include <string.h>

static const cli_output png_output = {.ext = "png", .picture = "-o"};
static const cli_output apng_output = {.ext = "apng", .picture = "-o"};
static const cli_output gif_output = {.ext = "gif"};

enum { MANY_PIXELS = 64 << 20 };

typedef struct plan {
    lvl_render_words draw;
    const cli_output *output;
    bool animated; /* an option for animations was given */
    bool apng, gif;
} plan;

static bool is_named(const cli *c, const char *ending)
{
    const char *o = c->opt->output;

    return o && lvl_text_equal_nocase(lvl_text_of(cli_ending(o)), lvl_text_of(ending));
}

static int make_animation_plan(cli *c, plan *p)
{
    const cli_options *opt = c->opt;

    p->apng = opt->apng || is_named(c, ".apng");
    p->gif = opt->gif || is_named(c, ".gif");
    p->output = p->gif ? &gif_output : p->apng ? &apng_output : &png_output;
    p->animated = p->apng || p->gif || opt->sheet || opt->frame || opt->direction || opt->with.count;
    if (p->apng + p->gif + opt->sheet > 1)
        return cli_usage(c, "--sheet, --apng and --gif exclude each other");
    if (opt->data && !opt->sheet)
        return cli_usage(c, "--data needs --sheet");
    if (opt->data && cli_is_stdout(opt->output))
        return cli_usage(c, "--data needs -o: the list of the frames is written beside the sheet");
    if (opt->frame && (p->apng || p->gif || opt->sheet))
        return cli_usage(c, "--frame (one frame) excludes --sheet, --apng and --gif (all frames)");
    if (opt->tiles &&
        (p->animated || opt->size || opt->scale || opt->region || opt->camera || opt->view || opt->crop))
        return cli_usage(
            c, "--tiles draws all of a level or map as it is: it excludes --size, --scale, --region, "
               "--camera, --view, --crop, and the options for animations");
    if (opt->tiles && opt->output)
        return cli_usage(c, "--tiles DIR and -o exclude each other");
    if (p->gif && is_named(c, ".png"))
        return cli_usage(c, "-o %s: a GIF is not named .png", opt->output);
    for (size_t i = 0; i < opt->with.count; i++) {
        if (!lvl_render_is_choice(opt->with.items[i]))
            return cli_usage(c, "--with: expected NAME=VALUE, got `%s'", opt->with.items[i]);
    }
    return EXIT_FINE;
}

/* Sets a word of the picture; `value` NULL: it was not given. */
static int take_word(cli *c, lvl_render_words *draw, const lvl_render_word *word, const char *value)
{
    lvl_text bad;

    if (!value || lvl_render_words_set(draw, word->name, value, &bad) == LVL_OK)
        return EXIT_FINE;
    const cli_option *option = cli_option_find(word->name, strlen(word->name), c->verb);
    if (option->choices)
        return cli_no_choice(c, option, bad);
    return cli_usage(c, "--%s: expected %s, got `%s'", word->name, word->value, value);
}

static const char *flag_word(bool given)
{
    return given ? "1" : NULL;
}

static int make_plan(cli *c, plan *p)
{
    const cli_options *opt = c->opt;
    const struct {
        const char *name, *value;
    } given[] = {
        {"size", opt->size},
        {"scale", opt->scale},
        {"region", opt->region},
        {"camera", opt->camera},
        {"view", opt->view},
        {"plane", opt->plane},
        {"layers", opt->layers},
        {"hide", opt->hide},
        {"overlay", opt->overlay},
        {"crop", flag_word(opt->crop)},
        {"schematic", flag_word(opt->schematic)},
        {"transparent", flag_word(opt->transparent)},
        {"frame", opt->frame},
        {"direction", opt->direction},
    };
    size_t count;
    const lvl_render_word *words = lvl_render_word_list(&count);
    int code = EXIT_FINE;

    lvl_render_words_init(&p->draw);
    for (size_t i = 0; i < count && !code; i++) {
        for (size_t k = 0; k < LVL_COUNT_OF(given) && !code; k++) {
            if (strcmp(given[k].name, words[i].name) == 0)
                code = take_word(c, &p->draw, &words[i], given[k].value);
        }
    }
    const char *clash = code ? NULL : lvl_render_words_clash(&p->draw);
    if (clash)
        return cli_usage(c, "--%s and --camera exclude each other", clash);
    return code ? code : make_animation_plan(c, p);
}

/* Reports that there is no such layer, and lists the existing ones. */
static void no_layer(cli_job *job, const lvl_scene *scene, lvl_text item)
{
    lvl_buffer names = {0};

    lvl_render_layer_names(scene, &names);
    cli_job_no_match(job, "no plane `%.*s', expected one of: %.*s", (int)item.len, item.ptr, (int)names.len,
                     names.data ? (const char *)names.data : "");
    lvl_buffer_free(&names);
}

static void report_status(cli_job *job, lvl_status status)
{
    if (status == LVL_ERR_ARG)
        cli_job_fail(job, EXIT_NEGATIVE, "there is nothing to draw");
    else if (status == LVL_ERR_LIMIT)
        cli_job_limit(job, "too large to draw; --size N or `--scale 1/N' shrinks it, --region draws a part, "
                           "--crop leaves out empty borders, `--limit cells=N' raises the limit");
    else if (!job->code && !cli_stopped())
        cli_job_status(job, status, NULL, NULL);
}

/* A picture that few programs can show is announced, with what makes it smaller. */
static void warn_of_size(cli_job *job, const lvl_scene *scene, const lvl_render_options *r)
{
    const cli_options *opt = job->c->opt;
    uint32_t w, h;

    if (!opt->quiet && lvl_render_size(scene, r, &w, &h) == LVL_OK && (uint64_t)w * h > MANY_PIXELS)
        lvl_buffer_printf(&job->err,
                          "%s: a picture of %lu by %lu px; --size N shrinks it%s, --region draws a part\n",
                          job->input->shown, (unsigned long)w, (unsigned long)h,
                          opt->crop ? "" : ", --crop leaves out empty borders");
}

static void draw_scene(cli_job *job, const lvl_scene *scene, const lvl_render_words *options)
{
    const plan *p = job->c->user;
    signed char *layers = malloc(scene->layer_count + 1);
    lvl_render_options r;
    cli_sink sink;
    lvl_text missing;

    if (!layers) {
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
        return;
    }
    lvl_status status = lvl_render_words_scene(options, scene, job->c->inputs.batch, layers, &r, &missing);
    if (status == LVL_ERR_MISSING) {
        no_layer(job, scene, missing);
        goto out;
    }
    if (status == LVL_OK && job->c->opt->tiles) {
        cli_tiles_write(job, scene, &r);
        goto out;
    }
    if (status == LVL_OK)
        warn_of_size(job, scene, &r);
    if (status == LVL_ERR_ARG) {
        cli_job_fail(job, EXIT_NEGATIVE, "there is nothing to draw");
        goto out;
    }
    if (status == LVL_OK && cli_sink_begin(&sink, job, p->output)) {
        status = lvl_render_png(scene, &r, &sink.writer);
        cli_sink_commit(&sink, status == LVL_OK);
    }
    report_status(job, status);
out:
    free(layers);
}

/* Reports missing art. */
static void report(cli_job *job, const lvl_scene *scene, const lvl_art *art)
{
    const cli_options *opt = job->c->opt;
    bool in_part;

    if (opt->quiet)
        return;
    if (scene->missing_files && (opt->verbose || scene->missing_files == scene->files))
        lvl_buffer_printf(&job->err, "%s: %u of its %u levels not found beside or above it, or in --art\n",
                          job->input->shown, scene->missing_files, scene->files);
    else if (!scene->has_art && !opt->schematic)
        lvl_buffer_printf(&job->err, "%s: no art %s: drawn schematically\n", job->input->shown,
                          art && lvl_art_damaged(art, 0, &in_part) ? "that can be read" : "found (--art)");
    else if (scene->has_art && scene->missing_things && scene->missing_things == scene->thing_count)
        lvl_buffer_printf(&job->err, "%s: no picture for any of its %u objects (--art)%s\n",
                          job->input->shown, scene->missing_things, scene->marks ? ": marked by name" : "");
    else if (opt->verbose && (scene->missing_tiles || scene->missing_things))
        lvl_buffer_printf(&job->err, "%s: no picture for %u tiles and %u objects\n", job->input->shown,
                          scene->missing_tiles, scene->missing_things);
    if (scene->has_art && scene->missing_cells && !opt->schematic)
        lvl_buffer_printf(&job->err, "%s: %llu cell%s no picture in the art and %s empty%s\n",
                          job->input->shown, (unsigned long long)scene->missing_cells,
                          scene->missing_cells == 1 ? " has" : "s have",
                          scene->missing_cells == 1 ? "is" : "are",
                          opt->overlay ? "" : "; `--overlay findings' marks them");
    if (opt->verbose && (scene->zero_x || scene->zero_y))
        lvl_buffer_printf(&job->err, "%s: the point 0,0 is at %d,%d of the whole picture\n",
                          job->input->shown, scene->zero_x, scene->zero_y);
}

/* Names pictures that exist and are damaged. */
static void report_damaged(cli_job *job, const lvl_art *art)
{
    enum { NAMED = 10 };
    const char *path;
    bool in_part;
    size_t i = 0;

    if (job->c->opt->quiet)
        return;
    for (; (path = lvl_art_damaged(art, i, &in_part)); i++) {
        if (i < NAMED || job->c->opt->verbose)
            lvl_buffer_printf(&job->err, "%s: %s is damaged: %s\n", job->input->shown, path,
                              in_part ? "a part of it is drawn" : "it cannot be read");
    }
    if (i > NAMED && !job->c->opt->verbose)
        lvl_buffer_printf(&job->err, "%s: %zu more pictures are damaged; -v names them\n", job->input->shown,
                          i - NAMED);
}

/* ---- animations -------------------------------------------------------------------------------------- */

/* Sets the direction and the frame; false (and failed): there is none of them. */
static bool choose_frame(cli_job *job, const lvl_animation *play, lvl_scene_request *request)
{
    const lvl_render_words *draw = &((const plan *)job->c->user)->draw;
    const char *missing;
    uint64_t number;

    if (lvl_render_words_frame(draw, lvl_doc_codepage(job->doc), play, request, &missing) == LVL_OK)
        return true;
    if (strcmp(missing, "direction") == 0)
        cli_job_no_match(job, "no direction `%s'", draw->direction);
    else
        cli_job_no_match(job,
                         draw->frame && cli_number(draw->frame, UINT32_MAX, &number)
                             ? "no frame %s: there are %u"
                             : "no frame `%s' (of %u)",
                         draw->frame ? draw->frame : "0", play->frames);
    return false;
}

static void draw_frame(cli_job *job, const lvl_scene_request *request, const lvl_render_words *options)
{
    lvl_findings *found = NULL;
    lvl_scene *scene = NULL;
    lvl_render_words words = *options;
    lvl_status status = lvl_doc_scene(job->doc, request, &scene);

    if (status == LVL_OK)
        status = lvl_check_marks(job->doc, request->art, &words.options, &found);
    if (status == LVL_OK) {
        report(job, scene, request->art);
        draw_scene(job, scene, &words);
    } else {
        cli_job_status(job, status, NULL, NULL);
    }
    lvl_scene_free(scene);
    lvl_findings_free(found);
}

/* Adds the frames of one row of the sheet. */
static lvl_status list_row(cli_job *job, const lvl_animation *play, uint32_t direction, lvl_rect cell,
                           lvl_frames *out)
{
    const double scale = (double)cell.right / ((double)play->bounds.right - play->bounds.left + 1);
    const char *row = play->names && play->directions > 1 ? play->names[direction] : "";
    char *stem = cli_stem_of(job->input->rel);
    lvl_status status = stem ? LVL_OK : LVL_ERR_MEMORY;

    for (uint32_t f = 0; f < play->frames && status == LVL_OK; f++) {
        lvl_buffer name = {0};
        lvl_frame *frame;
        lvl_buffer_printf(&name, "%s%s", row, *row ? " " : "");
        if (play->frame_names && play->frame_names[f].len)
            lvl_text_to_utf8(&name, lvl_doc_codepage(job->doc), play->frame_names[f]);
        else
            lvl_frame_name(&name, lvl_text_of(stem), f + 1);
        status = name.status;
        if (status == LVL_OK)
            status = lvl_frames_add(out, &job->ctx, lvl_buffer_text(&name), (uint32_t)cell.right,
                                    (uint32_t)cell.bottom, &frame);
        if (status == LVL_OK) {
            frame->x = f * (uint32_t)cell.right;
            frame->y = (uint32_t)cell.top;
            frame->ms = play->durations[f];
            frame->point_x = (int32_t)(-play->bounds.left * scale);
            frame->point_y = (int32_t)(-play->bounds.top * scale);
        }
        lvl_buffer_free(&name);
    }
    if (status == LVL_OK)
        status = lvl_frames_add_tag(out, lvl_text_of(*row ? row : stem), out->count - play->frames,
                                    out->count - 1);
    free(stem);
    return status;
}

/* Writes the list of a sheet whose cells have that size beside it, at `path`. */
static void write_list(cli_job *job, const lvl_scene_request *request, uint32_t width, uint32_t height,
                       const char *path, const char *picture)
{
    const lvl_animation *play = request->play;
    const bool one = job->c->opt->direction != NULL;
    const uint32_t rows = one ? 1 : play->directions;
    lvl_frames frames = {.loops = play->loops};
    lvl_buffer list = {0};
    lvl_status status = LVL_OK;

    for (uint32_t d = 0; d < rows && status == LVL_OK; d++)
        status = list_row(job, play, one ? request->direction : d,
                          (lvl_rect){0, (int32_t)(d * height), (int32_t)width, (int32_t)height}, &frames);
    const lvl_image sheet = {.width = width * play->frames, .height = height * rows};
    if (status == LVL_OK)
        status = lvl_frames_json(&frames, &sheet, lvl_file_name(picture), false,
                                 strcmp(job->c->opt->data, "hash") == 0, &list);
    if (status == LVL_ERR_ARG)
        cli_job_fail(job, EXIT_NEGATIVE, "two frames have one name, which `--data hash' cannot hold");
    else
        cli_job_status(job, status, NULL, NULL);
    if (status == LVL_OK)
        cli_save_to(job, path, lvl_buffer_bytes(&list));
    lvl_buffer_free(&list);
    lvl_frames_free(&frames);
}

/* The path of the list that --data asks for, to be freed; NULL: none, or the job has failed. */
static char *list_path(cli_job *job, char **picture)
{
    const plan *p = job->c->user;
    bool failed;

    *picture = job->c->opt->data ? cli_target_path(job, p->output, &failed) : NULL;
    char *list = *picture ? cli_list_beside(*picture) : NULL;
    if (*picture && !list)
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    if (list && cli_keeps_file(job->c->opt->yes, list))
        cli_job_fail(job, EXIT_ENVIRONMENT, "%s " CLI_EXISTS, list);
    return list;
}

/* Draws all frames; --size applies to each frame. */
static void draw_all(cli_job *job, const lvl_scene_request *request, const lvl_render_words *options)
{
    const plan *p = job->c->user;
    lvl_render_options r = options->options;
    const lvl_render_play play = {.doc = job->doc, .request = *request, .play = request->play, .options = &r};
    uint32_t width = 0, height = 0;
    lvl_scene *scene = NULL;
    char *picture, *list = list_path(job, &picture);
    cli_sink sink;

    lvl_status status = job->code ? LVL_ERR_UNSUPPORTED : lvl_doc_scene(job->doc, request, &scene);
    if (status == LVL_OK) {
        report(job, scene, request->art);
        status = lvl_render_words_fit(options, scene, &r);
    }
    if (status == LVL_OK && list)
        status = lvl_render_size(scene, &r, &width, &height);
    lvl_scene_free(scene);
    if (status == LVL_OK && cli_sink_begin(&sink, job, p->output)) {
        status = p->gif    ? lvl_render_gif(&play, &sink.writer)
                 : p->apng ? lvl_render_apng(&play, &sink.writer)
                           : lvl_render_sheet(&play, job->c->opt->direction != NULL, &sink.writer);
        if (cli_sink_commit(&sink, status == LVL_OK) && list)
            write_list(job, request, width, height, list, picture);
    }
    free(list);
    free(picture);
    if (status == LVL_ERR_LIMIT)
        cli_job_limit(job,
                      "too large for one picture; use --apng, --gif, --direction, --size or `--scale 1/N'");
    else
        report_status(job, status);
}

static void draw_animation(cli_job *job, const lvl_scene_request *base, const lvl_animation *play)
{
    const plan *p = job->c->user;
    lvl_scene_request request = *base;
    lvl_render_words options = p->draw;

    request.play = play;
    options.options.transparent = true;
    if (!choose_frame(job, play, &request))
        return;
    if (p->apng || p->gif || job->c->opt->sheet)
        draw_all(job, &request, &options);
    else
        draw_frame(job, &request, &options);
}

/* ---- one input --------------------------------------------------------------------------------------- */

static void draw_document(cli_job *job, const lvl_art *art)
{
    const plan *p = job->c->user;
    const size_t count = job->c->opt->with.count;
    lvl_scene_choice *choices = calloc(count + 1, sizeof *choices);
    lvl_buffer storage = {0};
    lvl_scene_request request = {.art = art, .choices = choices, .choice_count = (uint32_t)count};
    lvl_animation *play = NULL;

    if (!choices) {
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
        return;
    }
    lvl_status status =
        lvl_render_choices(lvl_doc_codepage(job->doc), job->c->opt->with.items, count, choices, &storage);
    if (status == LVL_OK)
        status = lvl_doc_play(job->doc, &request, &play);
    if (status == LVL_OK && job->c->opt->tiles)
        cli_job_no_match(job, "an animation; --tiles makes maps of levels and worlds only");
    else if (status == LVL_OK)
        draw_animation(job, &request, play);
    else if (status == LVL_ERR_UNSUPPORTED && p->animated)
        cli_job_no_match(
            job, "not an animation; --frame, --direction, --sheet, --apng, --gif and --with do not apply");
    else if (status == LVL_ERR_UNSUPPORTED)
        draw_frame(job, &request, &p->draw);
    else if (status == LVL_ERR_ARG)
        cli_job_fail(job, EXIT_USAGE,
                     "--with: expected the name of a colour in the game, such as `darkblue', or #rrggbb");
    else
        cli_job_status(job, status, NULL, NULL);
    lvl_animation_free(&job->ctx, play);
    lvl_buffer_free(&storage);
    free(choices);
}

static void render_job(cli_job *job)
{
    if (!cli_job_read(job, LVL_CAN_RENDER))
        return;
    lvl_art *art = cli_art_take(job);
    if (!art)
        return;
    draw_document(job, art);
    report_damaged(job, art);
    cli_art_give(job, art);
}

int cmd_render(cli *c)
{
    plan p = {0};

    if (c->opt->graph)
        return cli_render_graph(c);
    const int code = make_plan(c, &p);
    const cli_output tiles = {.tree = true, .whole = true, .name = c->opt->tiles};
    const cli_batch batch = {.work = render_job,
                             .user = &p,
                             .done_word = "drawn",
                             .output = c->opt->tiles ? &tiles : p.output,
                             .art = true};
    return code ? code : cli_run_args(c, &batch);
}
