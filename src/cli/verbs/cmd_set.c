/*
 * cli/verbs/cmd_set.c: `lvl set`: changes values by their paths.
 */
#include "cli/verbs/paths.h"

/* A single file: all changes or none; each path must match. */
static lvl_status change_one(cli_job *job, const cli_paths *paths, size_t *changed)
{
    const size_t rest = paths->count - paths->assigned;
    size_t reset = 0;
    lvl_status status = LVL_OK;

    lvl_findings_clear(job->findings);
    if (paths->assigned)
        status = lvl_set(job->doc, paths->items, paths->assigned, changed, job->findings);
    if (status == LVL_OK && rest)
        status = lvl_unset(job->doc, paths->items + paths->assigned, rest, &reset, job->findings);
    *changed += reset;
    if (status != LVL_OK)
        cli_job_status(job, status, job->findings, NULL);
    return status;
}

/* One of several files: changes whose path matches are made in order, others are skipped. After an error the
 * file is not changed. */
static bool change_matching(cli_job *job, const cli_paths *paths, size_t *changed)
{
    cli_path_result *results = cli_paths_results(job, paths);
    lvl_findings *found = lvl_findings_new(&job->ctx);
    bool failed = !found;

    lvl_findings_clear(job->findings);
    if (!found)
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    for (size_t i = 0; results && !failed && i < paths->count; i++) {
        const char *const path = paths->items[i];
        size_t n = 0;
        const lvl_status status = i < paths->assigned ? lvl_set(job->doc, &path, 1, &n, found)
                                                      : lvl_unset(job->doc, &path, 1, &n, found);
        if (status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT || status == LVL_ERR_STOPPED) {
            cli_job_status(job, status, found, NULL);
            failed = true;
            break;
        }
        if (status == LVL_OK)
            cli_job_findings(job, found, job->c->opt.verbose ? LVL_NOTE : LVL_WARNING);
        const cli_path_state state = cli_paths_note(&results[i], status, found);
        *changed += n;
        failed = state == CLI_PATH_FAILED;
        if (failed)
            job->code = EXIT_NEGATIVE;
        if (failed || state == CLI_PATH_NO_FIELD || state == CLI_PATH_MISFIT) {
            *changed = 0;
            break;
        }
    }
    lvl_findings_free(found);
    return results && !failed;
}

static void set_work(cli_job *job)
{
    const cli *c = job->c;
    const cli_paths *paths = c->user;
    size_t changed = 0;

    if (!cli_edit_read(job))
        return;
    if (c->inputs.batch ? !change_matching(job, paths, &changed) : change_one(job, paths, &changed) != LVL_OK)
        return;
    if (!changed && c->inputs.batch)
        cli_edit_no_match(job);
    else
        cli_edit_deliver(job, changed);
}

int cmd_set(cli *c)
{
    int code;

    if (c->opt.members && !c->opt.in_place && !c->opt.dry_run)
        return cli_usage(c, "--members needs -i: packs are changed in place");
    cli_paths *paths = cli_paths_take(c, true, &code);
    if (!paths)
        return code;
    const cli_batch batch = {.work = set_work,
                             .after = cli_paths_after,
                             .user = paths,
                             .match_word = c->opt.dry_run ? "would change" : "changed",
                             .idle_word = "already had that value",
                             .output = &cli_edit_output};
    code = cli_paths_end(c, paths, cli_run(c, &batch));
    cli_paths_free(paths);
    return code;
}
