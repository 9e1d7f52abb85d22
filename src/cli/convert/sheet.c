/*
 * cli/convert/sheet.c: `lvl convert --sheet`: pictures of any number as one PNG, with a list in JSON beside
 * it.
 */
#include "base/format.h"
#include "cli/convert/convert.h"
#include "tools/picture/frames.h"
#include "tools/picture/pictures.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* The frames of all inputs. */
typedef struct collection {
    cli_convert *plan; /* only its palette */
    lvl_frames *parts; /* of each input */
    bool hash;
    char *list; /* path of the JSON */
    const char *name; /* of the PNG, without folders */
} collection;

/* ---- one input ----------------------------------------------------------------------------------------- */

/* Gives a picture without a palette the one that its game finds. */
static lvl_status give_palette(cli_job *job, lvl_image *image)
{
    const cli_convert *p = ((const collection *)job->c->user)->plan;
    const lvl_palette *found = p->has_palette ? &p->palette : NULL;
    lvl_art *art = NULL;

    if (image->format != LVL_PIXELS_INDEX8 || image->palette)
        return LVL_OK;
    lvl_status status = found ? LVL_OK : cli_find_palette(job, &art, &found);
    image->palette = found ? malloc(sizeof *found) : NULL;
    if (image->palette)
        *image->palette = *found;
    else if (found)
        status = LVL_ERR_MEMORY;
    cli_art_give(job, art);
    return status;
}

/* Adds the picture that the job's document is. */
static lvl_status add_document(cli_job *job, lvl_frames *out)
{
    lvl_image image = {0};
    lvl_frame *frame;

    lvl_status status = lvl_doc_picture(job->doc, NULL, &image);
    const bool own = image.palette != NULL;
    if (status == LVL_OK)
        status = give_palette(job, &image);
    if (status == LVL_OK)
        status = lvl_frames_add_image(out, &job->ctx, lvl_text_of(job->input->rel), &image, &frame);
    if (status == LVL_OK) {
        frame->own_palette = own;
        status = lvl_frame_keep(frame, job->doc);
    }
    lvl_image_clear(&image);
    return status;
}

/* Adds the frames of an animation, as a sequence with its name. */
static lvl_status add_animation(cli_job *job, lvl_frames *out)
{
    char *stem = cli_stem_of(job->input->rel);

    lvl_status status = stem ? lvl_frames_gif(out, &job->ctx, job->bytes, lvl_text_of(stem)) : LVL_ERR_MEMORY;
    if (status == LVL_OK)
        status = lvl_frames_trim(out, &job->ctx);
    if (status == LVL_OK)
        status = lvl_frames_add_tag(out, lvl_text_of(stem), 0, out->count - 1);
    free(stem);
    return status;
}

static lvl_status add_picture(cli_job *job, lvl_frames *out)
{
    lvl_image image = {0};
    lvl_frame *frame;
    uint32_t count;

    lvl_status status = lvl_frames_count(job->bytes, &count);
    if (status == LVL_OK && count > 1)
        return add_animation(job, out);
    if (status == LVL_OK)
        status = lvl_picture_read(&job->ctx, job->bytes, true, &image);
    return status == LVL_OK
               ? lvl_frames_add_image(out, &job->ctx, lvl_text_of(job->input->rel), &image, &frame)
               : status;
}

static void collect(cli_job *job)
{
    const collection *all = job->c->user;
    lvl_frames *out = &all->parts[job->input - job->c->inputs.items];
    lvl_status status;

    if (!cli_job_bytes(job))
        return;
    if (lvl_picture_kind(job->bytes)) {
        status = add_picture(job, out);
    } else if (!cli_job_read(job, 0)) {
        return;
    } else if ((lvl_format_can(lvl_doc_format(job->doc)) & (LVL_CAN_IMAGE | LVL_CAN_PLAY)) == LVL_CAN_IMAGE) {
        status = add_document(job, out);
    } else {
        cli_report_not_converted(
            job, "cannot put %s into a sheet; `lvl render --sheet --data array' draws animations",
            lvl_doc_format(job->doc)->title);
        return;
    }
    cli_job_status(job, status, NULL, NULL);
}

/* ---- all of them --------------------------------------------------------------------------------------- */

/* Says what the sheet does not hold. */
static void report_losses(cli_job *job, const lvl_frames *frames, bool indexed)
{
    const uint32_t palettes = lvl_frames_palettes(frames);
    uint32_t with_indices = 0, grey = 0;

    for (uint32_t i = 0; i < frames->count; i++) {
        with_indices += frames->items[i].image.format == LVL_PIXELS_INDEX8;
        grey += frames->items[i].image.format == LVL_PIXELS_INDEX8 && !frames->items[i].image.palette;
    }
    if (job->c->opt->quiet)
        return;
    if (grey)
        lvl_buffer_printf(&job->err, "%s: " CLI_GREY "\n", job->input->shown);
    if (with_indices && !indexed)
        lvl_buffer_printf(&job->err,
                          "%s: %s: the sheet has their colours, but not the numbers that these have in a "
                          "palette\n",
                          job->input->shown,
                          palettes == 1   ? "the frames use all 256 colours and have transparent pixels"
                          : palettes == 0 ? "some frames have true colours"
                                          : "the frames have different palettes");
}

static lvl_status make(const collection *all, lvl_frames *frames, const lvl_ctx *ctx, lvl_buffer *png,
                       lvl_buffer *list, bool *indexed)
{
    lvl_image sheet = {0};

    lvl_status status = lvl_frames_unite(frames, ctx, false);
    if (status == LVL_OK)
        status = lvl_frames_png(frames, ctx, png, indexed, &sheet);
    if (status == LVL_OK)
        status = lvl_frames_json(frames, &sheet, all->name, *indexed, all->hash, list);
    lvl_image_clear(&sheet);
    return status;
}

static void finish(cli_job *job)
{
    collection *all = job->c->user;
    lvl_buffer png = {0}, list = {0};
    lvl_frames frames = {0};
    lvl_status status = LVL_OK;
    bool indexed = false;

    for (size_t i = 0; i < job->c->inputs.count && status == LVL_OK; i++)
        status = lvl_frames_move(&frames, &job->ctx, &all->parts[i]);
    if (status == LVL_OK && !frames.count)
        cli_job_fail(job, EXIT_NEGATIVE, "none of the files is a picture");
    else if (status == LVL_OK &&
             (status = make(all, &frames, &job->ctx, &png, &list, &indexed)) == LVL_ERR_ARG)
        cli_job_fail(job, EXIT_NEGATIVE,
                     "two frames have one name, which `--data hash' cannot hold: leave it "
                     "out, or give the folders with the names");
    else
        cli_job_status(job, status, NULL, NULL);
    if (status == LVL_OK && frames.count && cli_deliver_whole(job, lvl_buffer_bytes(&png)) &&
        cli_save_to(job, all->list, lvl_buffer_bytes(&list)))
        report_losses(job, &frames, indexed);
    lvl_buffer_free(&png);
    lvl_buffer_free(&list);
    lvl_frames_free(&frames);
}

/* ---- the run ------------------------------------------------------------------------------------------- */

char *cli_list_beside(const char *picture)
{
    return cli_format("%.*s.json", (int)(cli_ending(picture) - picture), picture);
}

/* Whether a result is none of the files that it is made of; else that is reported. */
static int spare_inputs(cli *c, const char *path)
{
    for (size_t i = 0; i < c->inputs.count; i++) {
        if (c->inputs.items[i].path && !c->inputs.items[i].archive &&
            lvl_file_same(path, c->inputs.items[i].path))
            return cli_usage(c, "%s is an input itself: give another file with -o", path);
    }
    return EXIT_FINE;
}

int cli_convert_sheet(cli *c)
{
    const char *o = c->opt->output;
    collection all = {.hash = c->opt->data && strcmp(c->opt->data, "hash") == 0};

    if (cli_is_stdout(o) || strcmp(cli_ending(o), ".png") != 0)
        return cli_usage(c, "--sheet needs -o FILE.png; the list of its frames goes to FILE.json beside it");
    if (c->opt->to || c->opt->in_place || c->opt->slice)
        return cli_usage(c, "--sheet makes one PNG of all files; it excludes --to, --slice and -i");
    int code = cli_take_inputs(c, 0, c->args.count);
    if (!code)
        code = cli_plan_whole(c);
    all.list = cli_list_beside(o);
    all.name = lvl_file_name(o);
    all.plan = calloc(1, sizeof *all.plan);
    all.parts = calloc(c->inputs.count + 1, sizeof *all.parts);
    if (!code && (!all.list || !all.parts || !all.plan))
        code = cli_no_memory(c);
    if (!code)
        code = spare_inputs(c, o);
    if (!code)
        code = spare_inputs(c, all.list);
    if (!code)
        code = cli_may_create(c, all.list);
    if (!code)
        code = cli_convert_load(c, all.plan);
    const cli_batch batch = {.work = collect, .user = &all, .art = true};
    if (!code)
        code = cli_run_whole(c, &batch, "sheet", o, finish);
    for (size_t i = 0; all.parts && i < c->inputs.count; i++)
        lvl_frames_free(&all.parts[i]);
    if (all.plan)
        cli_convert_clear(c, all.plan);
    free(all.plan);
    free(all.parts);
    free(all.list);
    return code;
}
