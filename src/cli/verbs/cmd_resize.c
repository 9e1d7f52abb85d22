/*
 * cli/verbs/cmd_resize.c: `lvl resize`: changes the size of levels' planes.
 */
#include "cli/cli.h"

#include "base/text.h"

#include <string.h>

static void resize_job(cli_job *job)
{
    size_t changed = 0;

    if (!cli_edit_read(job))
        return;
    lvl_findings_clear(job->findings);
    const lvl_status status = lvl_resize(job->doc, job->c->user, &changed, job->findings);
    if (status == LVL_OK)
        cli_edit_deliver(job, changed, "it had that size already");
    else if (status == LVL_ERR_MISSING && job->c->inputs.batch)
        cli_edit_no_match(job);
    else
        cli_job_status(job, status, job->findings, NULL);
}

/* "top-left", "right", "center": one of the option's choices. */
static void parse_anchor(const char *text, lvl_resize_options *out)
{
    out->anchor_x = strstr(text, "left") ? -1 : strstr(text, "right") ? 1 : 0;
    out->anchor_y = strstr(text, "top") ? -1 : strstr(text, "bottom") ? 1 : 0;
}

int cmd_resize(cli *c)
{
    lvl_resize_options options = {.plane = c->opt->plane, .anchor_x = -1, .anchor_y = -1};
    const cli_batch batch = {.work = resize_job,
                             .user = &options,
                             .output = &cli_edit_output,
                             .match_word = c->opt->dry_run ? "would change" : "changed",
                             .idle_word = "had that size already"};
    if (!c->opt->size)
        return cli_usage(c, "no size given; use --size COLUMNSxROWS");
    if (!lvl_text_size(c->opt->size, &options.width, &options.height))
        return cli_usage(c, "--size: expected COLUMNSxROWS, got `%s'", c->opt->size);
    if (c->opt->anchor)
        parse_anchor(c->opt->anchor, &options);

    return cli_run_args(c, &batch);
}
