/*
 * cli/convert/frames.c: `lvl convert` from several pictures in one file: a sheet with the list of its frames,
 * a grid that --slice cuts, an animation.
 */
#include "base/format.h"
#include "cli/convert/convert.h"
#include "tools/picture/frames.h"
#include "tools/picture/pictures.h"

#include "base/hash.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- what is taken apart ------------------------------------------------------------------------------- */

static bool is_list(const cli_job *job)
{
    return cli_is_dump(job->bytes, job->input->name) && !job->c->format &&
           lvl_frames_probe((lvl_text){(const char *)job->bytes.ptr, job->bytes.len});
}

/* Whether an animation becomes all that it is there: files in a folder, the frames of a doodad. */
static bool takes_animation(const cli_job *job, const cli_convert *p)
{
    if (cli_makes_pictures(p))
        return job->c->plan->place == CLI_TO_FOLDER;
    return p->to == TO_FORMAT && cli_is_drawing(p->format) && !p->draw_options.like &&
           !p->draw_options.layer_count && strcmp(p->draw_options.ending, "doodad") == 0;
}

/* Whether the target is an animation that shows parts of a picture, or files by their numbers. */
static bool is_animation(const cli_convert *p)
{
    return p->to == TO_FORMAT && p->format->calls->animate;
}

lvl_status cli_has_frames(cli_job *job, const cli_convert *p, bool *has)
{
    const bool any = is_animation(p) || p->to == TO_FILM;
    uint32_t count = 0;

    *has = p->output.tree || job->c->opt->slice || is_list(job);
    if (*has || !job->input->named ||
        !(any || takes_animation(job, p))) /* in a folder each picture stays one */
        return LVL_OK;
    const lvl_status status = lvl_frames_count(job->bytes, &count);
    cli_job_status(job, status, NULL, NULL);
    *has = count > !any;
    return status;
}

lvl_status cli_report_first_frame(cli_job *job, const cli_convert *p)
{
    uint32_t count;

    if (job->c->opt->quiet)
        return LVL_OK;
    const lvl_status status = lvl_frames_count(job->bytes, &count);
    cli_job_status(job, status, NULL, NULL);
    if (status != LVL_OK || count <= 1)
        return status;
    lvl_buffer_printf(&job->err, "%s: the first of %lu frames is converted", job->input->shown,
                      (unsigned long)count);
    if (!job->input->named)
        lvl_buffer_str(&job->err, "; give the name of the file to convert all");
    else if (cli_makes_pictures(p))
        lvl_buffer_printf(&job->err, "; all of them with --to %s -o DIR/", p->ending);
    lvl_buffer_str(&job->err, "\n");
    return LVL_OK;
}

/* The path of the picture beside a list; NULL without memory. */
static char *picture_beside(const cli_input *in, const lvl_frames *frames)
{
    const int folder = (int)(lvl_file_name(in->path) - in->path);

    if (frames->picture && *frames->picture)
        return cli_format("%.*s%s", folder, in->path, frames->picture);
    return cli_format("%.*s.png", (int)(cli_ending(in->path) - in->path), in->path);
}

/* Reads the picture that the list is about. */
static lvl_status read_sheet(cli_job *job, const lvl_frames *frames, lvl_image *sheet)
{
    char *path = job->input->path && !job->input->archive ? picture_beside(job->input, frames) : NULL;
    lvl_file_error why = {0};
    lvl_buffer bytes = {0};

    if (!job->input->path || job->input->archive || (path && lvl_file_same(path, job->input->path))) {
        cli_job_fail(job, EXIT_NEGATIVE, "expected a file on disk, with its picture `%s' beside it",
                     frames->picture ? frames->picture : "");
        free(path);
        return LVL_ERR_UNSUPPORTED;
    }
    if (path && cli_is_named_pipe(path)) {
        cli_job_fail(job, EXIT_ENVIRONMENT, "%s: expected a picture, found a pipe", path);
        free(path);
        return LVL_ERR_IO;
    }
    lvl_status status =
        path ? lvl_file_read(&bytes, path, job->ctx.limits.input_bytes, &why) : LVL_ERR_MEMORY;
    if (status != LVL_OK) {
        cli_job_file_status(job, path, status, &why);
    } else {
        status = lvl_picture_read(&job->ctx, lvl_buffer_bytes(&bytes), true, sheet);
        cli_job_status(job, status, NULL, path);
    }
    lvl_buffer_free(&bytes);
    free(path);
    return status;
}

/* Takes the frames out of their picture. */
static lvl_status cut(cli_job *job, lvl_frames *frames, lvl_image *sheet)
{
    char error[LVL_FRAMES_ERROR] = "";

    const lvl_status status = lvl_frames_cut(frames, &job->ctx, sheet, error);
    if (*error)
        cli_job_fail(job, EXIT_NEGATIVE, "%s", error);
    else
        cli_job_status(job, status, NULL, NULL);
    return status;
}

/* Reads a list and, unless the target shows parts of its picture, that. */
static lvl_status load_list(cli_job *job, const cli_convert *p, lvl_frames *frames)
{
    char error[LVL_FRAMES_ERROR];
    lvl_image sheet = {0};

    lvl_status status =
        lvl_frames_read(frames, &job->ctx, (lvl_text){(const char *)job->bytes.ptr, job->bytes.len}, error);
    if (*error)
        cli_job_fail(job, EXIT_NEGATIVE, "not the list of a sheet: %s", error);
    else
        cli_job_status(job, status, NULL, NULL);
    if (status != LVL_OK || is_animation(p))
        return status;
    status = read_sheet(job, frames, &sheet);
    if (status == LVL_OK)
        status = cut(job, frames, &sheet);
    /* whether the numbers of pixels are those of a palette that is not in the file */
    frames->has_colors =
        frames->has_colors && sheet.palette && lvl_frames_checksum(sheet.palette) == frames->colors;
    lvl_image_clear(&sheet);
    return status;
}

static lvl_status load_grid(cli_job *job, lvl_frames *frames)
{
    uint32_t width = 0, height = 0;
    lvl_image sheet = {0};
    char *stem = cli_stem_of(job->input->rel);

    lvl_status status = stem ? lvl_picture_read(&job->ctx, job->bytes, true, &sheet) : LVL_ERR_MEMORY;
    lvl_text_size(job->c->opt->slice, &width, &height);
    if (status == LVL_OK)
        status = lvl_frames_slice(frames, &job->ctx, &sheet, width, height, lvl_text_of(stem));
    if (status == LVL_ERR_ARG)
        cli_job_fail(job, EXIT_NEGATIVE, "the picture of %lu by %lu px is smaller than the %s of --slice",
                     (unsigned long)sheet.width, (unsigned long)sheet.height, job->c->opt->slice);
    else
        cli_job_status(job, status, NULL, NULL);
    if (status == LVL_OK)
        status = cut(job, frames, &sheet);
    lvl_image_clear(&sheet);
    free(stem);
    return status;
}

static lvl_status load_animation(cli_job *job, lvl_frames *frames)
{
    char *stem = cli_stem_of(job->input->rel);
    lvl_status status =
        stem ? lvl_frames_gif(frames, &job->ctx, job->bytes, lvl_text_of(stem)) : LVL_ERR_MEMORY;

    cli_job_status(job, status, NULL, "GIF");
    free(stem);
    return status;
}

/* Frames of a job's bytes, whatever these are; errors are reported. */
static lvl_status load(cli_job *job, const cli_convert *p, lvl_frames *frames)
{
    if (job->c->opt->slice)
        return load_grid(job, frames);
    if (!lvl_picture_kind(job->bytes))
        return load_list(job, p, frames);
    const lvl_status status = load_animation(job, frames);
    /* sprites are cut down to what is drawn, as those of games are, and moved by as much */
    if (status != LVL_OK || !(is_animation(p) || (p->format && lvl_format_places(p->format))))
        return status;
    const lvl_status trimmed = lvl_frames_trim(frames, &job->ctx);
    cli_job_status(job, trimmed, NULL, NULL);
    return trimmed;
}

/* ---- a file for each ----------------------------------------------------------------------------------- */

/* The name without the ending of a picture: "walk 1.aseprite", but not "walk.1". */
static int stem_length(const char *name)
{
    static const char *const others[] = {".aseprite", ".ase", ".psd", ".webp", ".tga", ".jpg", ".jpeg"};
    const char *dot = cli_ending(name);
    bool known = cli_names_a_file(name);

    for (size_t i = 0; i < LVL_COUNT_OF(others); i++)
        known = known || lvl_text_equal_nocase(lvl_text_of(dot), lvl_text_of(others[i]));
    return (int)(known ? (size_t)(dot - name) : strlen(name));
}

/* The file of a frame, to be freed: its name below the folder, with the target's ending. */
static char *path_of(const char *folder, const lvl_frame *f, const char *ending)
{
    char *name = cli_format("%.*s.%s", stem_length(f->name), f->name, ending);
    char *safe = name && !lvl_path_safe(name) ? cli_safe_name(name) : NULL;
    char *path =
        name && (safe || lvl_path_safe(name)) ? cli_format("%s%s", folder, safe ? safe : name) : NULL;

    for (char *p = path ? path + strlen(folder) : NULL; p && *p; p++)
        *p = *p == '\\' ? '/' : *p;
    free(name);
    free(safe);
    return path;
}

/* Whether all have names of their own, also where upper and lower case are the same. */
static bool are_different(cli_job *job, char *const *paths, const lvl_frames *frames)
{
    lvl_hash names;
    lvl_status status = LVL_OK;
    bool different = true;

    lvl_hash_init(&names);
    for (uint32_t i = 0; i < frames->count && different && status == LVL_OK; i++) {
        const lvl_text path = lvl_text_of(paths[i]);
        const uint64_t hash = lvl_hash_nocase(&names.seed, path);
        for (lvl_hash_at at = lvl_hash_first(&names, hash); at.found && different;
             at = lvl_hash_next(&names, at)) {
            different = !lvl_text_equal_nocase(lvl_text_of(paths[at.index]), path);
            if (!different)
                cli_job_fail(job, EXIT_NEGATIVE,
                             "the frames `%s' and `%s' would both be written to %s; name "
                             "them differently in the list",
                             frames->items[at.index].name, frames->items[i].name, paths[i]);
        }
        status = lvl_hash_add(&names, hash, i);
    }
    cli_job_status(job, status, NULL, NULL);
    lvl_hash_free(&names);
    return different && status == LVL_OK;
}

/* Whether none would replace the picture that all are taken from; Aseprite calls a single frame like its
 * file. */
static bool keep_picture(cli_job *job, char *const *paths, const lvl_frames *frames)
{
    char *picture = is_list(job) ? picture_beside(job->input, frames) : cli_copy(job->input->path);
    bool keep = picture != NULL;

    if (!picture)
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    for (uint32_t i = 0; i < frames->count && keep; i++) {
        keep = !lvl_file_same(paths[i], picture);
        if (!keep)
            cli_job_fail(job, EXIT_USAGE,
                         "the frame `%s' would replace %s, which it is taken from: give another folder "
                         "with -o",
                         frames->items[i].name, picture);
    }
    free(picture);
    return keep;
}

/* The folder for the frames, with a slash, to be freed; NULL: failed. */
static char *folder_for(cli_job *job, const cli_convert *p)
{
    bool failed;
    char *path = cli_target_path(job, &p->output, &failed);
    /* of several lists each has a folder, since their frames may have the same names; not NAME, which may be
     * a list without an ending, or the one that is read */
    const bool own = job->c->inputs.batch && is_list(job);
    char *folder = !path ? NULL
                   : own ? cli_format("%.*s.frames/", (int)(cli_ending(path) - path), path)
                         : cli_format("%.*s", (int)(lvl_file_name(path) - path), path);

    if (path && !folder)
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    free(path);
    return folder;
}

static lvl_status make_file(cli_job *job, const cli_convert *p, const lvl_frames *frames, lvl_frame *f,
                            lvl_buffer *out)
{
    lvl_draw_options options = p->draw_options;
    lvl_doc *like = NULL;

    lvl_frame_offset(f, &f->image.offset_x, &f->image.offset_y);
    if (p->to == TO_PNG) {
        const lvl_status status = lvl_png_write_buffer(&job->ctx, &f->image, NULL, out);
        cli_job_status(job, status, NULL, NULL);
        return status;
    }
    lvl_status status = options.like ? LVL_OK : lvl_frame_like(&like, &job->ctx, f);
    cli_job_status(job, status, NULL, NULL);
    if (like && lvl_doc_format(like) == p->format) {
        options.like = like;
        options.keep_indices = frames->has_colors && !f->own_palette;
    }
    if (status == LVL_OK)
        status = cli_draw_picture(job, p, &f->image, &options, out);
    lvl_doc_free(like);
    return status;
}

static void write_files(cli_job *job, const cli_convert *p, lvl_frames *frames)
{
    char *folder = folder_for(job, p);
    char **paths = folder ? calloc((size_t)frames->count + 1, sizeof *paths) : NULL;
    bool good = paths != NULL;

    for (uint32_t i = 0; good && i < frames->count; i++) {
        paths[i] = path_of(folder, &frames->items[i], p->ending);
        good = paths[i] != NULL;
    }
    if (folder && !good)
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    good = good && are_different(job, paths, frames) &&
           (!job->input->path || job->input->archive || keep_picture(job, paths, frames));
    job->count_existing = true;
    for (uint32_t i = 0; good && i < frames->count && !cli_stopped() && !job->full; i++) {
        lvl_buffer out = {0};
        good = make_file(job, p, frames, &frames->items[i], &out) == LVL_OK;
        if (good)
            cli_save_to(job, paths[i], lvl_buffer_bytes(&out));
        lvl_buffer_free(&out);
    }
    cli_report_existing(job);
    for (uint32_t i = 0; paths && i < frames->count; i++)
        free(paths[i]);
    free(paths);
    free(folder);
}

/* ---- one file ------------------------------------------------------------------------------------------ */

/* A drawing whose layers are the frames. */
static void write_layers(cli_job *job, const cli_convert *p, lvl_frames *frames)
{
    lvl_image *layers = calloc((size_t)frames->count + 1, sizeof *layers);
    const char **names = calloc((size_t)frames->count + 1, sizeof *names);
    lvl_draw_options options = p->draw_options;
    lvl_buffer out = {0};

    for (uint32_t i = 0; layers && names && i < frames->count; i++) {
        layers[i] = frames->items[i].image;
        names[i] = frames->items[i].name;
    }
    if (layers && names) {
        options.layers = layers + 1;
        options.layer_count = frames->count - 1;
        options.layer_names = names;
        if (cli_draw_picture(job, p, &layers[0], &options, &out) == LVL_OK)
            cli_deliver(job, lvl_buffer_bytes(&out), &p->output);
    } else {
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    }
    lvl_buffer_free(&out);
    free(layers);
    free(names);
}

/* The picture of an animation that has none yet, and its path: a PNG beside the target's. */
static lvl_status pack_picture(cli_job *job, lvl_frames *frames, const char *path, char **beside,
                               lvl_buffer *png)
{
    lvl_image sheet = {0};
    bool indexed;

    *beside = cli_format("%.*s.png", (int)(cli_ending(path) - path), path);
    if (*beside && job->input->path && lvl_file_same(*beside, job->input->path)) {
        cli_job_fail(job, EXIT_USAGE, "%s is the input itself: give another file with -o", *beside);
        return LVL_ERR_UNSUPPORTED;
    }
    free(frames->picture);
    frames->picture = *beside ? cli_copy(lvl_file_name(*beside)) : NULL;
    const lvl_status status =
        frames->picture ? lvl_frames_png(frames, &job->ctx, png, &indexed, &sheet) : LVL_ERR_MEMORY;
    cli_job_status(job, status, NULL, NULL);
    lvl_image_clear(&sheet);
    return status;
}

static lvl_status make_animation(cli_job *job, const cli_convert *p, lvl_frames *frames, lvl_buffer *out)
{
    lvl_doc *made = NULL;

    lvl_findings_clear(job->findings);
    lvl_status status = lvl_frames_animate(frames, &job->ctx, p->format,
                                           frames->picture ? frames->picture : "", &made, job->findings);
    if (status == LVL_ERR_ARG) {
        cli_job_fail(job, EXIT_NEGATIVE,
                     "expected names of frames that end in a number, as the files of an "
                     "image set do: FRAME001.PID");
    } else {
        status = cli_check_losses(job, status);
        cli_report_conversion(job, p, status);
    }
    if (status == LVL_OK)
        status = cli_write_made(job, made, out);
    lvl_doc_free(made);
    return status;
}

/* An animation of parts of the sheet, or of a new one, or of files. */
static void write_animation(cli_job *job, const cli_convert *p, lvl_frames *frames)
{
    bool failed = false;
    char *path = cli_target_path(job, &p->output, &failed);
    /* whether it needs no picture that is not there yet */
    const bool own = job->c->opt->slice || is_list(job) || p->format->calls->animates_files;
    lvl_status status = failed ? LVL_ERR_UNSUPPORTED : LVL_OK;
    lvl_buffer out = {0}, png = {0};
    char *beside = NULL;

    if (status == LVL_OK && job->c->opt->slice) {
        frames->picture = cli_copy(lvl_file_name(job->input->name));
        status = frames->picture ? LVL_OK : LVL_ERR_MEMORY;
        cli_job_status(job, status, NULL, NULL);
    }
    if (!failed && !path && !own) {
        cli_job_fail(job, EXIT_USAGE, "its picture is written beside it: give it a name with -o FILE");
        status = LVL_ERR_UNSUPPORTED;
    }
    if (status == LVL_OK && !own)
        status = pack_picture(job, frames, path, &beside, &png);
    /* the picture is saved when nothing refuses the animation any more */
    if (status == LVL_OK && make_animation(job, p, frames, &out) == LVL_OK &&
        (!beside || cli_save_to(job, beside, lvl_buffer_bytes(&png))))
        cli_deliver(job, lvl_buffer_bytes(&out), &p->output);
    lvl_buffer_free(&out);
    lvl_buffer_free(&png);
    free(beside);
    free(path);
}

/* An animated picture. */
static void write_film(cli_job *job, const cli_convert *p, lvl_frames *frames)
{
    cli_sink sink;

    if (!cli_sink_begin(&sink, job, &p->output))
        return;
    const lvl_status status = lvl_frames_film(frames, &job->ctx, strcmp(p->ending, "gif") == 0, &sink.writer);
    cli_sink_commit(&sink, status == LVL_OK);
    if (!job->code && !cli_stopped())
        cli_job_status(job, status, NULL, NULL);
}

/* ---- the job ------------------------------------------------------------------------------------------- */

static void report_target(cli_job *job, const cli_convert *p)
{
    if (p->to == TO_FORMAT)
        cli_report_not_converted(job, "cannot convert the frames of a sheet to %s", p->format->title);
    else
        cli_report_not_converted(job, "cannot convert the frames of a sheet to %s; name a format of pictures",
                                 p->ending);
}

/* Whether -o names a folder; else that is reported. */
static bool has_folder(cli_job *job, const cli_convert *p)
{
    const cli_plan *plan = job->c->plan;
    const char *o = plan->output;
    /* a run that takes a sheet apart always has a folder, even if it is called like a file */
    const bool folder =
        plan->place == CLI_TO_FOLDER && (!p->output.tree || !cli_names_a_file(o) || o[strlen(o) - 1] == '/' ||
                                         lvl_file_kind_of(o) == LVL_FILE_FOLDER);

    if (!folder)
        cli_job_fail(
            job, EXIT_USAGE,
            "it has several frames, each of which becomes a file: name a folder, with --to %s -o DIR/",
            p->ending);
    return folder;
}

void cli_convert_frames(cli_job *job, const cli_convert *p)
{
    const bool files = cli_makes_pictures(p);
    lvl_frames frames = {0};

    if (!files && !is_animation(p) && p->to != TO_FILM &&
        !(p->to == TO_FORMAT && cli_is_drawing(p->format))) {
        report_target(job, p);
        return;
    }
    if (cli_changes_inputs(job->c)) {
        cli_job_fail(job, EXIT_USAGE, "-i cannot change the format of a file; use -o");
        return;
    }
    if (files && !has_folder(job, p))
        return;
    if (job->c->opt->slice && !lvl_picture_kind(job->bytes)) {
        cli_report_not_converted(job, "--slice cuts a picture: expected a PNG, GIF or JPEG");
        return;
    }
    lvl_status status = load(job, p, &frames);
    /* only sprites have an offset */
    if (status == LVL_OK && !is_animation(p) && p->to != TO_FILM &&
        !(p->format && lvl_format_places(p->format))) {
        status = lvl_frames_untrim(&frames, &job->ctx);
        cli_job_status(job, status, NULL, NULL);
    }
    if (status == LVL_OK && files)
        write_files(job, p, &frames);
    else if (status == LVL_OK && is_animation(p))
        write_animation(job, p, &frames);
    else if (status == LVL_OK && p->to == TO_FILM)
        write_film(job, p, &frames);
    else if (status == LVL_OK)
        write_layers(job, p, &frames);
    lvl_frames_free(&frames);
}
