/*
 * cli/cmd_merge.c: `lvl merge`: applies the changes of one side since a common version to the other side.
 */
#include "cli/cli.h"

#include <lvl/render.h>

#include <stdlib.h>
#include <string.h>

/* The inputs besides OURS, which is the job's. */
typedef struct sides {
    cli_inputs base, theirs;
} sides;

static void deliver(cli_job *job, lvl_bytes bytes)
{
    if (!job->c->opt.dry_run)
        cli_deliver(job, bytes, &cli_edit_output);
}

static void report(cli_job *job, const char *kept, uint64_t conflicts)
{
    const cli_options *opt = &job->c->opt;

    if (opt->json) {
        cli_json_begin(&job->out, job->input->name);
        lvl_buffer_printf(&job->out, ",\"conflicts\":%llu,\"findings\":", (unsigned long long)conflicts);
        lvl_findings_json(job->findings, &job->out);
        lvl_buffer_str(&job->out, "}\n");
    } else {
        cli_job_findings(job, job->findings, LVL_WARNING);
        if (conflicts)
            lvl_buffer_printf(&job->err, "%s: %llu conflict%s; the result has %s there\n", job->input->shown,
                              (unsigned long long)conflicts, conflicts == 1 ? "" : "s", kept);
    }
    if (conflicts)
        job->code = cli_worse(job->code, EXIT_NEGATIVE);
}

/* ---- a picture of the conflicts ---------------------------------------------------------------------- */

/* Makes the scene of the merge in which `side` wins all conflicts; *doc must be freed after the scene. */
static lvl_status scene_of(cli_job *job, cli_job *base, cli_job *theirs, lvl_merge_side side,
                           const lvl_scene_request *request, lvl_doc **doc, lvl_scene **scene)
{
    const lvl_merge_options options = {.prefer = side};

    lvl_status status = lvl_read(doc, &job->ctx, job->format, job->bytes, lvl_file_name(job->input->name),
                                 LVL_READ_BORROW, NULL);
    if (status == LVL_OK)
        status = lvl_merge(*doc, base->doc, theirs->doc, &options, NULL, NULL);
    return status == LVL_OK ? lvl_doc_scene(*doc, request, scene) : status;
}

/* Draws two merges that differ only in the conflicts: in one OURS wins, in the other THEIRS. */
static void draw_conflicts(cli_job *job, cli_job *base, cli_job *theirs)
{
    lvl_doc *docs[2] = {NULL, NULL};
    lvl_scene *scenes[2] = {NULL, NULL};
    lvl_scene_change *changes = NULL;
    lvl_buffer png = {0};
    lvl_render_options options;
    size_t count = 0;
    lvl_art *art = cli_art_take(job);

    if (!art)
        return;
    const lvl_scene_request request = {.art = art};
    lvl_status status = scene_of(job, base, theirs, LVL_MERGE_OURS, &request, &docs[0], &scenes[0]);
    if (status == LVL_OK)
        status = scene_of(job, base, theirs, LVL_MERGE_THEIRS, &request, &docs[1], &scenes[1]);
    if (status == LVL_OK)
        status = lvl_scene_compare(scenes[0], scenes[1], &changes, &count);
    if (status == LVL_OK && count) {
        cli_buffer_writer writer = cli_write_to(&png);
        lvl_render_options_init(&options);
        options.captions[0] = "ours";
        options.captions[1] = "theirs";
        options.captions[2] = "conflicts";
        status = lvl_render_diff(scenes[0], scenes[1], changes, count, &options, &writer.writer);
    }
    if (status == LVL_ERR_UNSUPPORTED)
        cli_job_fail(job, EXIT_NEGATIVE, "no picture: this format has none");
    else if (status != LVL_OK)
        cli_job_status(job, status, NULL, "no picture");
    else if (!count)
        lvl_buffer_printf(&job->err, "%s: no picture: the conflicts cannot be seen in one\n",
                          job->input->shown);
    else
        cli_save_to(job, job->c->opt.image, lvl_buffer_bytes(&png));
    lvl_buffer_free(&png);
    if (changes)
        lvl_scene_changes_free(scenes[0], changes);
    for (int i = 0; i < 2; i++) {
        lvl_scene_free(scenes[i]);
        lvl_doc_free(docs[i]);
    }
    cli_art_give(job, art);
}

/* ---- the merge --------------------------------------------------------------------------------------- */

static void merge(cli_job *job, cli_job *base, cli_job *theirs)
{
    const cli_options *opt = &job->c->opt;
    const lvl_merge_options options = {.prefer = opt->theirs ? LVL_MERGE_THEIRS
                                                 : opt->base ? LVL_MERGE_BASE
                                                             : LVL_MERGE_OURS,
                                       .markers = opt->markers};
    static const char *const names[] = {
        [LVL_MERGE_OURS] = "ours", [LVL_MERGE_THEIRS] = "theirs", [LVL_MERGE_BASE] = "the base"};
    const bool ours_cut = lvl_doc_cuts(job->doc) > lvl_doc_cuts(base->doc);
    const bool theirs_cut = lvl_doc_cuts(theirs->doc) > lvl_doc_cuts(base->doc);
    const char *kept = theirs_cut ? "ours" : ours_cut ? "theirs" : names[options.prefer];
    lvl_buffer bytes = {0};
    uint64_t conflicts = 0;

    lvl_findings_clear(job->findings);
    lvl_status status = lvl_merge(job->doc, base->doc, theirs->doc, &options, &conflicts, job->findings);
    if (status == LVL_OK)
        status = lvl_doc_write_verified(job->doc, &bytes, job->findings);
    if (status == LVL_ERR_ARG) {
        cli_job_fail(job, EXIT_NEGATIVE, "the three files are of different formats: %s, %s, %s",
                     base->format->title, job->format->title, theirs->format->title);
    } else if (status != LVL_OK) {
        cli_job_status(job, status, job->findings, NULL);
    } else {
        report(job, kept, conflicts);
        if (conflicts && opt->image)
            draw_conflicts(job, base, theirs);
        /* if the picture cannot be written, the merged file is not written either */
        if (job->code != EXIT_ENVIRONMENT)
            deliver(job, lvl_buffer_bytes(&bytes));
    }
    lvl_buffer_free(&bytes);
}

static void work(cli_job *job)
{
    const sides *s = job->c->user;
    cli_job base = {0}, theirs = {0};

    if (!job->c->opt.dry_run && !cli_output_ready(job, &cli_edit_output))
        return;
    cli_job_begin_beside(&base, job, &s->base.items[0]);
    cli_job_begin_beside(&theirs, job, &s->theirs.items[0]);
    bool good = cli_job_read(job, LVL_CAN_WRITE);
    good = cli_job_read(&base, 0) && good;
    good = cli_job_read(&theirs, 0) && good;
    const bool alike = good && base.format->table == job->format->table &&
                       theirs.format->table == job->format->table && /* else merge reports it */
                       lvl_doc_cuts(theirs.doc) <= lvl_doc_cuts(base.doc) &&
                       lvl_doc_cuts(job->doc) <= lvl_doc_cuts(base.doc);
    /* if only one side changed, the result is that side, byte for byte */
    if (alike && (cli_same_bytes(base.bytes, theirs.bytes) || cli_same_bytes(job->bytes, theirs.bytes)))
        deliver(job, job->bytes);
    else if (alike && cli_same_bytes(base.bytes, job->bytes))
        deliver(job, theirs.bytes);
    else if (good)
        merge(job, &base, &theirs);
    cli_job_join(job, &base);
    cli_job_join(job, &theirs);
}

int cmd_merge(cli *c)
{
    sides s = {0};
    const cli_batch batch = {.work = work, .user = &s, .output = &cli_edit_output};

    if (c->args.count != 3)
        return cli_usage(c, "expected three files: BASE OURS THEIRS");
    if (c->opt.theirs && c->opt.base)
        return cli_usage(c, "--theirs and --base exclude each other");
    int code = cli_input_one(c, &s.base, c->args.items[0], "");
    if (!code)
        code = cli_input_one(c, &s.theirs, c->args.items[2], "");
    if (!code && !cli_input_add(c, &c->inputs, c->args.items[1], false))
        code = cli_no_memory(c);
    if (!code && c->inputs.batch)
        code = cli_usage(c, "expected three files, got a folder");
    if (!code && c->opt.image)
        code = cli_picture_check(c, "--image", c->opt.image);
    if (!code && c->opt.image)
        code = cli_art_try(c);
    if (!code)
        code = cli_run(c, &batch);
    cli_inputs_free(&s.base);
    cli_inputs_free(&s.theirs);
    return code;
}
