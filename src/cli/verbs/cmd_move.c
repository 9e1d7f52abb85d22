/*
 * cli/verbs/cmd_move.c: `lvl move`: moves objects, or a region of tiles.
 */
#include "cli/cli.h"

static void move_job(cli_job *job)
{
    size_t changed = 0;

    if (!cli_edit_read(job))
        return;
    lvl_findings_clear(job->findings);
    const lvl_status status = lvl_move(job->doc, job->c->user, &changed, job->findings);
    if (status == LVL_OK)
        cli_edit_deliver(job, changed, "nothing has moved");
    else if (job->c->inputs.batch && status == LVL_ERR_MISSING)
        cli_edit_no_match(job);
    else
        cli_job_status(job, status, job->findings, NULL);
}

int cmd_move(cli *c)
{
    lvl_move_options options = {0};
    const cli_batch batch = {.work = move_job,
                             .user = &options,
                             .output = &cli_edit_output,
                             .match_word = c->opt->dry_run ? "would change" : "changed",
                             .idle_word = "stay as they are"};
    const size_t after = c->opt->tiles ? 1 : 2; /* arguments after the files */

    if (c->args.count <= after)
        return cli_usage(c, c->opt->tiles ? "expected FILE... DX,DY" : "expected FILE... PATH DX,DY");
    int code = cli_take_move(c, c->args.items[c->args.count - 1], &options);
    if (!code && !c->opt->tiles)
        options.path = c->args.items[c->args.count - 2];
    if (!code)
        code = cli_take_inputs(c, 0, c->args.count - after);
    return code ? code : cli_run(c, &batch);
}
