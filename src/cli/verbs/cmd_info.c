/*
 * cli/verbs/cmd_info.c: `lvl info`: a summary of a file, as text or JSON.
 */
#include "cli/catalog/catalog.h"

static void info_job(cli_job *job)
{
    const cli *c = job->c;
    /* of what was found in a folder or archive, there may be thousands */
    const bool summary = c->opt->summary || (!job->input->named && !c->opt->all && !c->opt->count);
    lvl_art *art = NULL;

    if (!cli_job_read(job, 0) || !cli_art_take_if(job, true, &art))
        return;
    const lvl_info_options options = {.file = c->opt->json ? job->input->name : job->input->shown,
                                      .json = c->opt->json,
                                      .summary = summary,
                                      .color = c->color_out,
                                      .counts = c->opt->count,
                                      .art = art};
    lvl_status status = lvl_info_write(job->doc, &options, &job->out);
    if (status == LVL_OK && art)
        status = lvl_art_status(art);
    cli_job_status(job, status, NULL, NULL);
    if (status != LVL_OK)
        job->out.len = 0;
    else if (c->inputs.batch && !c->opt->json && !summary)
        lvl_buffer_u8(&job->out, '\n');
    cli_art_give(job, art);
}

int cmd_info(cli *c)
{
    enum { MANY = 20 };

    if (c->opt->csv && (c->opt->json || c->opt->summary || c->opt->count || c->opt->all))
        return cli_usage(c, "--csv prints a table; it goes with no other form of output");
    if (c->opt->summary && c->opt->all)
        return cli_usage(c, "expected one of --summary and --all");
    if (c->opt->csv && c->opt->from0)
        return cli_usage(c, "--csv takes no list of files; name files or folders, without --from0");
    if (c->opt->csv)
        return cli_print_files(c, &c->args);
    static const cli_batch batch = {.work = info_job, .done_word = "looked at", .art = true};
    const int code = cli_run_args(c, &batch);
    size_t named = 0;

    for (size_t i = 0; i < c->inputs.count; i++)
        named += c->inputs.items[i].named;
    if (named > MANY && !c->opt->summary && !c->opt->json && !c->opt->quiet && cli_is_terminal(stdout))
        cli_report(c, "use --summary for one line each");
    return code;
}
