/*
 * cli/verbs/cmd_dump.c: `lvl dump` and `lvl undump`: a file as JSON without loss, and back.
 */
#include "base/format.h"
#include "base/work.h"
#include "cli/cli.h"

static const cli_output dump_output = {.ext = "json", .add = true, .text = true};
static const cli_output undump_output = {.late = true};

static void dump_work(cli_job *job)
{
    const cli_options *opt = job->c->opt;
    const lvl_dump_options options = {.compact = opt->compact, .no_kept = opt->no_kept, .path = opt->path};
    lvl_buffer json = {.max = lvl_memory_share(&job->ctx)};

    if (!cli_job_read(job, 0))
        return;
    lvl_findings_clear(job->findings);
    lvl_status status = lvl_dump(job->doc, &options, &json, job->findings);
    if (status == LVL_OK)
        cli_deliver(job, lvl_buffer_bytes(&json), &dump_output);
    else
        cli_job_status(job, status, job->findings, NULL);
    lvl_buffer_free(&json);
}

int cmd_dump(cli *c)
{
    static const cli_batch batch = {.work = dump_work, .done_word = "dumped", .output = &dump_output};

    return cli_run_args(c, &batch);
}

static void undump_work(cli_job *job)
{
    lvl_buffer bytes = {0};

    if (!cli_job_bytes(job))
        return;
    if (!job->input->named && !cli_is_dump(job->bytes, job->input->name)) {
        job->outcome = CLI_SKIPPED_FOREIGN;
        return;
    }
    if (!cli_job_undump(job))
        return;
    const lvl_status status = job->c->opt->allow_loss
                                  ? lvl_doc_write_with_findings(job->doc, &bytes, job->findings)
                                  : lvl_write(job->doc, &bytes, job->findings);
    if (status == LVL_OK) {
        cli_output kind = undump_output;
        kind.undumped = lvl_doc_format(job->doc);
        cli_deliver(job, lvl_buffer_bytes(&bytes), &kind);
    } else {
        cli_job_status(job, status, job->findings, NULL);
    }
    lvl_buffer_free(&bytes);
}

int cmd_undump(cli *c)
{
    static const cli_batch batch = {.work = undump_work, .done_word = "undumped", .output = &undump_output};

    if (c->args.count && !c->opt->output && cli_is_terminal(stdout))
        return cli_usage(c, "no output given; use -o FILE");
    return cli_run_args(c, &batch);
}
