/*
 * cli/cmd_render.c: `lvl render`: draws levels and animations as PNG.
 */
#include "cli/cli.h"

#include "base/text.h"

#include <lvl/render.h>

#include <stdlib.h>
#include <string.h>

static const cli_output png_output = {.ext = "png", .picture = "-o"};
static const cli_output apng_output = {.ext = "apng", .picture = "-o"};

enum { MANY_PIXELS = 64 << 20 };

typedef struct plan {
    lvl_render_options options; /* except layers by name and --size, which need the scene */
    uint32_t fit_width, fit_height;
    const cli_output *output;
    bool animated; /* an option for animations was given */
    bool apng;
} plan;

static const struct {
    const char *name;
    unsigned bits;
} overlays[] = {
    {"grid", LVL_OVERLAY_GRID},
    {"attributes", LVL_OVERLAY_TILES},
    {"objects", LVL_OVERLAY_THINGS},
    {"patrol", LVL_OVERLAY_RANGES},
    {"legend", LVL_OVERLAY_LEGEND},
    {"all",
     LVL_OVERLAY_GRID | LVL_OVERLAY_TILES | LVL_OVERLAY_THINGS | LVL_OVERLAY_RANGES | LVL_OVERLAY_LEGEND},
};

static int parse_overlays(cli *c, unsigned *out)
{
    const char *list = c->opt.overlay;
    lvl_text item;

    while (cli_next_item(&list, ',', &item)) {
        size_t i = 0;
        while (i < sizeof overlays / sizeof *overlays && !lvl_text_is(item, overlays[i].name))
            i++;
        if (i == sizeof overlays / sizeof *overlays)
            return cli_no_choice(c, cli_option_find("overlay", strlen("overlay"), c->verb), item);
        *out |= overlays[i].bits;
    }
    return EXIT_FINE;
}

static int parse_region(cli *c, lvl_rect *out)
{
    int32_t n[4];

    if (!cli_numbers(c->opt.region, ",", n, 4) || n[2] < 1 || n[3] < 1 || n[0] > INT32_MAX - n[2] ||
        n[1] > INT32_MAX - n[3])
        return cli_usage(c, "--region: expected X,Y,WIDTH,HEIGHT, got `%s'", c->opt.region);
    *out = (lvl_rect){n[0], n[1], n[0] + n[2] - 1, n[1] + n[3] - 1};
    return EXIT_FINE;
}

/* "N" or "WxH". */
static bool parse_size(const char *text, uint32_t *w, uint32_t *h)
{
    int32_t n;

    if (!cli_numbers(text, "", &n, 1) || n < 1)
        return cli_size(text, w, h);
    *w = *h = (uint32_t)n;
    return true;
}

static int make_animation_plan(cli *c, plan *p)
{
    const cli_options *opt = &c->opt;
    const char *o = opt->output;

    p->apng = opt->apng || (o && lvl_text_equal_nocase(lvl_text_of(cli_ending(o)), lvl_text_of(".apng")));
    p->output = p->apng ? &apng_output : &png_output;
    p->animated = p->apng || opt->sheet || opt->frame || opt->direction || opt->with.count;
    if (p->apng && opt->sheet)
        return cli_usage(c, "--sheet and --apng exclude each other");
    if (opt->frame && (p->apng || opt->sheet))
        return cli_usage(c, "--frame (one frame) excludes --sheet and --apng (all frames)");
    for (size_t i = 0; i < opt->with.count; i++) {
        const char *equals = strchr(opt->with.items[i], '=');
        if (!equals || equals == opt->with.items[i])
            return cli_usage(c, "--with: expected NAME=VALUE, got `%s'", opt->with.items[i]);
    }
    return EXIT_FINE;
}

static int make_plan(cli *c, plan *p)
{
    const cli_options *opt = &c->opt;
    lvl_render_options *r = &p->options;
    int32_t n[2];

    lvl_render_options_init(r);
    r->schematic = opt->schematic;
    r->transparent = opt->transparent;
    if (opt->plane && (opt->camera || opt->view))
        return cli_usage(c, "--plane and --camera exclude each other");
    if (opt->crop && (opt->camera || opt->view))
        return cli_usage(c, "--crop and --camera exclude each other");
    if (opt->plane)
        r->view = LVL_VIEW_LAYER;
    if (opt->camera || opt->view)
        r->view = LVL_VIEW_CAMERA;
    if (opt->camera) {
        if (!cli_numbers(opt->camera, ",", n, 2))
            return cli_usage(c, "--camera: expected X,Y, got `%s'", opt->camera);
        r->camera_given = true;
        r->camera_x = n[0];
        r->camera_y = n[1];
    }
    if (opt->view && !cli_size(opt->view, &r->view_width, &r->view_height))
        return cli_usage(c, "--view: expected WIDTHxHEIGHT, got `%s'", opt->view);
    if (opt->region) {
        int code = parse_region(c, &r->region);
        if (code)
            return code;
        r->region_given = true;
    }
    if (opt->size && !parse_size(opt->size, &p->fit_width, &p->fit_height))
        return cli_usage(c, "--size: expected N or WIDTHxHEIGHT, got `%s'", opt->size);
    int code = cli_take_scale(c, &r->scale_up, &r->scale_down);
    if (!code)
        code = make_animation_plan(c, p);
    return code ? code : parse_overlays(c, &r->overlays);
}

/* The index of a layer by its number or name; layer_count: none. */
static uint32_t find_layer(const lvl_scene *scene, lvl_text name)
{
    char number[16];
    uint64_t n;

    snprintf(number, sizeof number, "%.*s", (int)name.len, name.ptr);
    if (name.len < sizeof number && cli_number(number, UINT32_MAX, &n))
        return n < scene->layer_count ? (uint32_t)n : scene->layer_count;
    for (uint32_t i = 0; i < scene->layer_count; i++) {
        lvl_buffer utf8 = {0};
        lvl_text_to_utf8(&utf8, scene->codepage, scene->layers[i].name);
        bool same = lvl_text_equal_nocase(name, (lvl_text){(const char *)utf8.data, utf8.len});
        lvl_buffer_free(&utf8);
        if (same)
            return i;
    }
    return scene->layer_count;
}

static bool is_things(lvl_text item)
{
    return lvl_text_is(item, "objects") || lvl_text_is(item, "things");
}

/* Reports that there is no such layer, and lists the existing ones. */
static void no_layer(cli_job *job, const lvl_scene *scene, lvl_text item)
{
    lvl_buffer names = {0};

    for (uint32_t i = 0; i < scene->layer_count && names.len < 256; i++) {
        lvl_buffer_str(&names, i ? ", " : "");
        if (scene->layers[i].name.len)
            lvl_text_to_utf8(&names, scene->codepage, scene->layers[i].name);
        else
            lvl_buffer_printf(&names, "%lu", (unsigned long)i);
    }
    cli_job_no_match(job, "no plane `%.*s', expected one of: %.*s", (int)item.len, item.ptr, (int)names.len,
                     names.data ? (const char *)names.data : "");
    lvl_buffer_free(&names);
}

/* Sets the layers of a list to `value`; false (and failed): one does not exist. */
static bool mark_layers(cli_job *job, const lvl_scene *scene, const char *list, signed char value,
                        signed char *layers, bool *things)
{
    lvl_text item;

    while (cli_next_item(&list, ',', &item)) {
        if (is_things(item)) {
            *things = true;
            continue;
        }
        uint32_t i = find_layer(scene, item);
        if (i == scene->layer_count) {
            if (!value && job->c->inputs.batch)
                continue; /* in a batch, a level without the layer has nothing to hide */
            no_layer(job, scene, item);
            return false;
        }
        layers[i] = value;
    }
    return true;
}

static bool choose_layers(cli_job *job, const lvl_scene *scene, lvl_render_options *r, signed char *layers)
{
    const cli_options *opt = &job->c->opt;
    bool shown = false, hidden = false;

    memset(layers, opt->layers ? 0 : LVL_LAYER_DEFAULT, scene->layer_count);
    if (!mark_layers(job, scene, opt->layers, 1, layers, &shown) ||
        !mark_layers(job, scene, opt->hide, 0, layers, &hidden))
        return false;
    r->layers = layers;
    r->layer_count = scene->layer_count;
    r->no_things = hidden || (opt->layers && !shown);
    if (opt->plane) {
        r->layer = find_layer(scene, lvl_text_of(opt->plane));
        if (r->layer == scene->layer_count) {
            no_layer(job, scene, lvl_text_of(opt->plane));
            return false;
        }
    }
    return true;
}

/* Sets the size of the longest side so that the picture fits into the box of --size. */
static lvl_status fit(const lvl_scene *scene, const plan *p, lvl_render_options *r)
{
    uint32_t w, h;

    if (!p->fit_width)
        return LVL_OK;
    r->size = UINT32_MAX; /* no limit: the size before shrinking is needed */
    lvl_status status = lvl_render_size(scene, r, &w, &h);
    if (status != LVL_OK)
        return status;
    uint64_t longest = w > h ? w : h;
    uint64_t by_width = longest * p->fit_width / w, by_height = longest * p->fit_height / h;
    uint64_t size = by_width < by_height ? by_width : by_height;
    r->size = size < 1 ? 1 : size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
    return LVL_OK;
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

/* Adds, and clamps to the range of an int32_t. */
static int32_t add_clamped(int32_t at, int32_t by)
{
    const int64_t to = (int64_t)at + by;

    return to > INT32_MAX ? INT32_MAX : to < INT32_MIN ? INT32_MIN : (int32_t)to;
}

/* A picture that few programs can show is announced, with what makes it smaller. */
static void warn_of_size(cli_job *job, const lvl_scene *scene, const lvl_render_options *r)
{
    const cli_options *opt = &job->c->opt;
    uint32_t w, h;

    if (!opt->quiet && lvl_render_size(scene, r, &w, &h) == LVL_OK && (uint64_t)w * h > MANY_PIXELS)
        lvl_buffer_printf(&job->err,
                          "%s: a picture of %lu by %lu px; --size N shrinks it%s, --region draws a part\n",
                          job->input->shown, (unsigned long)w, (unsigned long)h,
                          opt->crop ? "" : ", --crop leaves out empty borders");
}

static void draw(cli_job *job, const lvl_scene *scene, const lvl_render_options *options)
{
    const plan *p = job->c->user;
    lvl_render_options r = *options;
    signed char *layers = malloc(scene->layer_count + 1);
    lvl_writer *writer;

    if (!layers) {
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
        return;
    }
    if (!choose_layers(job, scene, &r, layers))
        goto out;
    if (r.camera_given) {
        r.camera_x = add_clamped(r.camera_x, scene->zero_x);
        r.camera_y = add_clamped(r.camera_y, scene->zero_y);
    }
    lvl_status status = LVL_OK;
    if (job->c->opt.crop) {
        status = lvl_render_content(scene, &r, &r.region);
        r.region_given = status == LVL_OK;
    }
    if (status == LVL_OK)
        status = fit(scene, p, &r);
    if (status == LVL_OK)
        warn_of_size(job, scene, &r);
    if (status == LVL_ERR_ARG) {
        cli_job_fail(job, EXIT_NEGATIVE, "there is nothing to draw");
        goto out;
    }
    cli_stream *stream = status == LVL_OK ? cli_stream_open(job, p->output, &writer) : NULL;
    if (stream) {
        status = lvl_render_png(scene, &r, writer);
        cli_stream_close(stream, status == LVL_OK);
    }
    report_status(job, status);
out:
    free(layers);
}

/* Reports missing art. */
static void report(cli_job *job, const lvl_scene *scene)
{
    const cli_options *opt = &job->c->opt;

    if (opt->quiet)
        return;
    if (scene->missing_files && (opt->verbose || scene->missing_files == scene->files))
        lvl_buffer_printf(&job->err, "%s: %u of its %u levels not found beside or above it, or in --art\n",
                          job->input->shown, scene->missing_files, scene->files);
    else if (!scene->has_art && !opt->schematic)
        lvl_buffer_printf(&job->err, "%s: no art found (--art): drawn schematically\n", job->input->shown);
    else if (scene->has_art && scene->missing_things && scene->missing_things == scene->thing_count)
        lvl_buffer_printf(&job->err, "%s: no picture for any of its %u objects (--art)%s\n",
                          job->input->shown, scene->missing_things, scene->marks ? ": marked by name" : "");
    else if (opt->verbose && (scene->missing_tiles || scene->missing_things))
        lvl_buffer_printf(&job->err, "%s: no picture for %u tiles and %u objects\n", job->input->shown,
                          scene->missing_tiles, scene->missing_things);
    if (opt->verbose && (scene->zero_x || scene->zero_y))
        lvl_buffer_printf(&job->err, "%s: the point 0,0 is at %d,%d of the whole picture\n",
                          job->input->shown, scene->zero_x, scene->zero_y);
}

/* ---- animations -------------------------------------------------------------------------------------- */

/* Converts the choices of --with to the document's code page; their text goes to `storage`. False (and
 * failed): no memory. */
static bool convert_choices(cli_job *job, lvl_scene_choice *choices, lvl_buffer *storage)
{
    const cli_strings *with = &job->c->opt.with;
    uint32_t bad;

    for (size_t i = 0; i < with->count; i++) {
        const char *text = with->items[i];
        const lvl_text utf8 = lvl_text_of(text);
        if (!lvl_text_from_utf8(storage, lvl_doc_codepage(job->doc), utf8, &bad))
            lvl_buffer_add(storage, text, utf8.len);
        lvl_buffer_u8(storage, 0);
    }
    if (storage->status != LVL_OK) {
        cli_job_status(job, storage->status, NULL, NULL);
        return false;
    }
    const char *at = (const char *)storage->data;
    for (size_t i = 0; i < with->count; i++) {
        const char *equals = strchr(at, '=');
        choices[i] = (lvl_scene_choice){{at, (size_t)(equals - at)}, lvl_text_of(equals + 1)};
        at += strlen(at) + 1;
    }
    return true;
}

/* The direction of --direction, or "down"; false (and failed): it does not exist. */
static bool choose_direction(cli_job *job, const lvl_animation *play, uint32_t *out)
{
    const char *asked = job->c->opt.direction;

    *out = 0;
    for (uint32_t i = 0; play->names && i < play->directions; i++) {
        if (strcmp(play->names[i], asked ? asked : "down") == 0) {
            *out = i;
            return true;
        }
    }
    /* an animation with one direction shows it for all */
    if (!asked || play->directions == 1)
        return true;
    cli_job_no_match(job, "no direction `%s'", asked);
    return false;
}

/* The frame of --frame, by name or number; false (and failed): it does not exist. */
static bool choose_frame(cli_job *job, const lvl_animation *play, uint32_t *out)
{
    const char *asked = job->c->opt.frame;
    uint64_t number = 0;

    *out = 0;
    for (uint32_t i = 0; asked && play->frame_names && i < play->frames; i++) {
        lvl_buffer utf8 = {0};
        lvl_text_to_utf8(&utf8, lvl_doc_codepage(job->doc), play->frame_names[i]);
        const bool same = lvl_text_is((lvl_text){(const char *)utf8.data, utf8.len}, asked);
        lvl_buffer_free(&utf8);
        if (same) {
            *out = i;
            return true;
        }
    }
    const bool counted = !asked || cli_number(asked, UINT32_MAX, &number);
    if (counted && number < play->frames) {
        *out = (uint32_t)number;
        return true;
    }
    cli_job_no_match(job, counted ? "no frame %s: there are %u" : "no frame `%s' (of %u)", asked,
                     play->frames);
    return false;
}

static void draw_frame(cli_job *job, const lvl_scene_request *request, const lvl_render_options *options)
{
    lvl_scene *scene = NULL;
    lvl_status status = lvl_doc_scene(job->doc, request, &scene);

    if (status == LVL_OK) {
        report(job, scene);
        draw(job, scene, options);
    } else {
        cli_job_status(job, status, NULL, NULL);
    }
    lvl_scene_free(scene);
}

/* Draws all frames; --size applies to each frame. */
static void draw_all(cli_job *job, const lvl_scene_request *request, const lvl_render_options *options)
{
    const plan *p = job->c->user;
    lvl_render_options r = *options;
    const lvl_render_play play = {.doc = job->doc, .request = *request, .play = request->play, .options = &r};
    lvl_scene *scene = NULL;
    lvl_writer *writer;

    lvl_status status = lvl_doc_scene(job->doc, request, &scene);
    if (status == LVL_OK) {
        report(job, scene);
        status = fit(scene, p, &r);
    }
    lvl_scene_free(scene);
    cli_stream *stream = status == LVL_OK ? cli_stream_open(job, p->output, &writer) : NULL;
    if (stream) {
        status = p->apng ? lvl_render_apng(&play, writer)
                         : lvl_render_sheet(&play, job->c->opt.direction != NULL, writer);
        cli_stream_close(stream, status == LVL_OK);
    }
    if (status == LVL_ERR_LIMIT)
        cli_job_limit(job, "too large for one picture; use --apng, --direction, --size or `--scale 1/N'");
    else
        report_status(job, status);
}

static void draw_animation(cli_job *job, const lvl_scene_request *base, const lvl_animation *play)
{
    const plan *p = job->c->user;
    lvl_scene_request request = *base;
    lvl_render_options options = p->options;

    request.play = play;
    options.transparent = true;
    if (!choose_direction(job, play, &request.direction))
        return;
    if (!choose_frame(job, play, &request.frame))
        return;
    if (p->apng || job->c->opt.sheet)
        draw_all(job, &request, &options);
    else
        draw_frame(job, &request, &options);
}

/* ---- one input --------------------------------------------------------------------------------------- */

static void draw_document(cli_job *job, const lvl_art *art)
{
    const plan *p = job->c->user;
    const size_t count = job->c->opt.with.count;
    lvl_scene_choice *choices = calloc(count + 1, sizeof *choices);
    lvl_buffer storage = {0};
    lvl_scene_request request = {.art = art, .choices = choices, .choice_count = (uint32_t)count};
    lvl_animation *play = NULL;

    if (!choices) {
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
        return;
    }
    if (!convert_choices(job, choices, &storage))
        goto out;
    lvl_status status = lvl_doc_play(job->doc, &request, &play);
    if (status == LVL_OK)
        draw_animation(job, &request, play);
    else if (status == LVL_ERR_UNSUPPORTED && p->animated)
        cli_job_no_match(job,
                         "not an animation; --frame, --direction, --sheet, --apng and --with do not apply");
    else if (status == LVL_ERR_UNSUPPORTED)
        draw_frame(job, &request, &p->options);
    else if (status == LVL_ERR_ARG)
        cli_job_fail(job, EXIT_USAGE,
                     "--with: expected the name of a colour in the game, such as `darkblue', or #rrggbb");
    else
        cli_job_status(job, status, NULL, NULL);
out:
    lvl_animation_free(&job->ctx, play);
    lvl_buffer_free(&storage);
    free(choices);
}

static void render_job(cli_job *job)
{
    const plan *p = job->c->user;

    if (!cli_output_ready(job, p->output) || !cli_job_read(job, LVL_CAN_RENDER))
        return;
    lvl_art *art = cli_art_take(job);
    if (!art)
        return;
    draw_document(job, art);
    cli_art_give(job, art);
}

int cmd_render(cli *c)
{
    plan p = {0};

    if (c->opt.graph)
        return cmd_render_graph(c);
    const int code = make_plan(c, &p);
    const cli_batch batch = {
        .work = render_job, .user = &p, .done_word = "drawn", .output = p.output, .art = true};
    return code ? code : cli_run_args(c, &batch);
}
