/*
 * cli/cmd_new.c: `lvl new`: an empty level.
 */
#include "cli/convert.h"

#include <stdlib.h>
#include <string.h>

static int parse_size(cli *c, lvl_new_options *options)
{
    int32_t size[2];

    if (!c->opt.size)
        return EXIT_FINE;
    if (!cli_numbers(c->opt.size, "x", size, 2) || size[0] < 1 || size[1] < 1)
        return cli_usage(c, "--size: expected WIDTHxHEIGHT, got `%s'", c->opt.size);
    options->width = (uint32_t)size[0];
    options->height = (uint32_t)size[1];
    return EXIT_FINE;
}

static void deliver(cli_job *job, lvl_doc *doc)
{
    const cli_options *opt = &job->c->opt;
    const bool file = opt->output && strcmp(opt->output, "-") != 0;
    lvl_buffer bytes = {0};

    const lvl_status status = lvl_doc_write_verified(doc, &bytes, job->findings);
    if (status != LVL_OK) {
        cli_job_status(job, status, job->findings, NULL);
    } else if (!file && !opt->dry_run) {
        lvl_buffer_add(&job->out, bytes.data, bytes.len);
        cli_job_status(job, job->out.status, NULL, NULL);
    } else if (opt->dry_run || cli_save_to(job, opt->output, (lvl_bytes){bytes.data, bytes.len})) {
        const char *id = lvl_doc_format(doc)->id;
        if (opt->json) {
            cli_json_begin(&job->out, file ? opt->output : "");
            lvl_buffer_printf(&job->out, ",\"format\":\"%s\",\"size\":%zu}\n", id, bytes.len);
        } else if (opt->dry_run) {
            lvl_buffer_printf(&job->err, "%s: %s, %zu bytes, would be written\n", job->input->shown,
                              lvl_doc_format(doc)->title, bytes.len);
        }
    }
    lvl_buffer_free(&bytes);
}

/* `like`: a job with the level that the new one is to be like; NULL: none. */
static void make(cli_job *job, const cli_convert *target, lvl_new_options *options, cli_job *like)
{
    lvl_doc *doc = NULL;

    if (like && !cli_job_read(like, LVL_CAN_WRITE))
        return;
    options->like = like ? like->doc : NULL;
    const lvl_status status = lvl_new(&doc, &job->ctx, target->format, options, job->findings);
    if (status == LVL_OK)
        deliver(job, doc);
    else if (status == LVL_ERR_UNSUPPORTED && !lvl_findings_count(job->findings))
        cli_job_fail(job, EXIT_NEGATIVE, "lvl makes no new files of this kind: %s",
                     (like ? like->format : target->format)->title);
    else if (status == LVL_ERR_ARG && !lvl_findings_count(job->findings))
        cli_job_fail(job, EXIT_NEGATIVE, "a level like %s cannot be %s", like ? like->input->shown : "this",
                     target->format->title);
    else
        cli_job_status(job, status, job->findings, NULL);
    lvl_doc_free(doc);
}

static int run(cli *c, const cli_convert *target, lvl_new_options *options, const cli_input *like)
{
    char none[] = "new";
    char *shown = c->opt.output ? cli_shown(c->opt.output) : NULL;
    const cli_input asked = {.shown = shown ? shown : none, .name = shown ? shown : none};
    cli_job job = {0}, other = {0};

    cli_job_begin(&job, c, &asked);
    job.findings = lvl_findings_new(&job.ctx);
    if (like) {
        cli_job_begin(&other, c, like);
        other.ctx.usage = &job.usage;
    }
    make(&job, target, options, like ? &other : NULL);
    if (like) {
        cli_job_clear(&other);
        cli_job_join(&job, &other);
    }
    cli_job_end(&job);
    free(shown);
    return job.code;
}

int cmd_new(cli *c)
{
    lvl_new_options options = {0};
    cli_convert target = {0};
    cli_inputs like = {0};

    if (c->args.count != 1)
        return cli_usage(c, "expected the form of the level; `lvl formats' lists them");
    int code = cli_target_find(c, &target, c->args.items[0]);
    if (!code)
        code = parse_size(c, &options);
    if (code)
        return code;
    if (!c->opt.output && !c->opt.dry_run && cli_stdout_is_terminal())
        return cli_usage(c, "no output given; use -o FILE");
    const char *o = c->opt.output;
    options.ending = o && cli_has_ending(o, target.format) ? cli_ending(o) + 1 : target.ending;
    options.form = target.exact ? target.form : NULL;
    if (c->opt.like && !cli_input_add(c, &like, c->opt.like, false)) {
        cli_report(c, "out of memory");
        code = EXIT_ENVIRONMENT;
    } else if (c->opt.like && (like.batch || (like.count && like.items[0].error_text))) {
        cli_report(c, "--like %s: %s", c->opt.like,
                   like.batch ? "expected a file, found a folder" : like.items[0].error_text);
        code = like.batch ? EXIT_USAGE : like.items[0].code;
    }
    if (!code && c->opt.like && !like.count) /* a pipe, which was reported */
        code = EXIT_ENVIRONMENT;
    if (!code)
        code = run(c, &target, &options, c->opt.like ? &like.items[0] : NULL);
    cli_inputs_free(&like);
    return code;
}
