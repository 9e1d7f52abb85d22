/*
 * cli/verbs/cmd_explain.c: `lvl explain`: the meaning of each byte of a file.
 */
#include "base/work.h"
#include "cli/cli.h"
#include "tools/explain/coverage.h"

static lvl_explain_mode mode_of(const cli_options *opt)
{
    if (opt->at)
        return LVL_EXPLAIN_AT;
    if (opt->path)
        return LVL_EXPLAIN_PATH;
    if (opt->residue)
        return LVL_EXPLAIN_RESIDUE;
    return opt->all ? LVL_EXPLAIN_ALL : LVL_EXPLAIN_RECORDS;
}

static void explain_job(cli_job *job)
{
    const lvl_explain_options *options = job->c->user;
    lvl_buffer lines = {.max = lvl_memory_share(&job->ctx)};
    uint64_t residue = 0;

    if (!cli_job_read(job, 0))
        return;
    lvl_findings_clear(job->findings);
    lvl_status status = lvl_explain(job->doc, options, &lines, job->findings);
    if (status == LVL_OK && options->mode == LVL_EXPLAIN_RESIDUE)
        status = lvl_residue(job->doc, &residue, NULL);
    if (status == LVL_OK)
        cli_job_lines(job, &lines);
    else
        cli_job_status(job, status, job->findings, NULL);
    if (residue)
        job->code = cli_max_exit_code(job->code, EXIT_NEGATIVE);
    lvl_buffer_free(&lines);
}

int cmd_explain(cli *c)
{
    const cli_options *opt = c->opt;
    lvl_explain_options options = {
        .mode = mode_of(opt), .at = opt->at, .path = opt->path, .bits = opt->bits, .json = opt->json};
    const cli_batch batch = {.work = explain_job, .user = &options, .done_word = "explained"};
    uint64_t depth = 0;

    if (!!opt->at + !!opt->path + opt->residue + opt->all > 1)
        return cli_usage(c, "--at, --path, --residue and --all exclude each other");
    if (opt->depth && !cli_number(opt->depth, 1000, &depth))
        return cli_usage(c, "--depth: expected a number, got `%s'", opt->depth);
    options.depth = (unsigned)depth;
    for (size_t i = 1; i < c->args.count; i++) {
        const char *arg = c->args.items[i];
        if (!opt->at && *arg >= '0' && *arg <= '9' && lvl_file_kind_of(arg) == LVL_FILE_NONE)
            return cli_usage(c, "%s is not a file; for a position in a file, use --at %s", arg, arg);
    }
    return cli_run_args(c, &batch);
}
