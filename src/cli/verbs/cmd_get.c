/*
 * cli/verbs/cmd_get.c: `lvl get`: prints values by their paths.
 */
#include "cli/verbs/paths.h"

#include "base/text.h"

#include <string.h>

/* With -l or -c and --json: the file, and how many matches it has. */
static void put_count(cli_job *job, size_t count)
{
    cli_json_begin(&job->out, job->input->name);
    lvl_json_put_uint(&job->out, "matches", count);
    lvl_buffer_str(&job->out, "}\n");
}

static void get_work(cli_job *job)
{
    const cli *c = job->c;
    const cli_paths *paths = c->user;
    const lvl_get_options options = {.json = c->opt.json, .paths = c->opt.paths};
    lvl_buffer lines = {.max = lvl_memory_share(&job->ctx)};
    bool any = false;
    size_t count = 0;

    if (!cli_job_read(job, 0))
        return;
    cli_path_result *results = c->inputs.batch ? cli_paths_results(job, paths) : NULL;
    if (c->inputs.batch && !results)
        return;
    for (size_t i = 0; i < paths->count; i++) {
        lvl_findings_clear(job->findings);
        size_t matches = 0;
        const lvl_status status =
            lvl_get(job->doc, paths->items[i], &options, &lines, &matches, job->findings);
        count += matches;
        if (!results || status == LVL_ERR_MEMORY || status == LVL_ERR_STOPPED) {
            cli_job_status(job, status, job->findings, paths->items[i]);
            any = true;
        } else if (cli_paths_note(&results[i], status, job->findings) == CLI_PATH_FAILED) {
            job->code = cli_max_exit_code(job->code, EXIT_NEGATIVE);
            any = true;
        } else {
            any = any || status == LVL_OK;
        }
    }
    if (!any)
        job->outcome = CLI_NO_MATCH;
    if (!c->opt.list && !c->opt.count)
        cli_job_lines(job, &lines);
    else if (count && c->opt.json)
        put_count(job, count);
    else if (count)
        lvl_buffer_printf(&job->out, c->opt.count ? "%s: %zu\n" : "%s\n", job->input->shown, count);
    lvl_buffer_free(&lines);
}

int cmd_get(cli *c)
{
    int code;
    if (c->opt.list && c->opt.count)
        return cli_usage(c, "expected one of -l and -c");
    cli_paths *paths = cli_paths_take(c, false, &code);

    if (!paths)
        return code;
    const cli_batch batch = {
        .work = get_work, .after = cli_paths_after, .user = paths, .match_word = "with a match"};
    code = cli_paths_end(c, paths, cli_run(c, &batch));
    cli_paths_free(paths);
    return code;
}
