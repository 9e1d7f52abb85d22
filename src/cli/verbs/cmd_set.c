/*
 * cli/verbs/cmd_set.c: `lvl set`: changes values by their paths.
 */
#include "cli/edit/paths.h"
#include "cli/edit/tables.h"

#include <string.h>

static lvl_status change(cli_job *job, const cli_paths *paths, size_t i, size_t *changed,
                         lvl_findings *findings)
{
    const char *const path = paths->items[i];

    return i < paths->assigned ? lvl_set(job->doc, &path, 1, changed, findings)
                               : lvl_unset(job->doc, &path, 1, changed, findings);
}

/* A single file: all changes or none; each path must match, but for cells of a value that does not occur, of
 * which one must. */
static bool change_one(cli_job *job, const cli_paths *paths, size_t *changed)
{
    lvl_findings *found = lvl_findings_new(&job->ctx);
    lvl_status status = found ? LVL_OK : LVL_ERR_MEMORY;
    size_t skipped = 0;

    lvl_findings_clear(job->findings);
    for (size_t i = 0; i < paths->count && status == LVL_OK; i++) {
        size_t n = 0;
        lvl_findings_clear(found);
        status = change(job, paths, i, &n, found);
        *changed += n;
        const lvl_finding *f = lvl_findings_count(found) ? lvl_findings_at(found, 0) : NULL;
        if (status == LVL_ERR_MISSING && f && strcmp(f->def->id, "lvl.path.cell") == 0 &&
            ++skipped < paths->count) {
            if (!job->c->opt->quiet)
                lvl_buffer_printf(&job->err, "%s: %s\n", job->input->shown, f->text);
            status = LVL_OK;
        } else if (status == LVL_OK) {
            cli_job_findings(job, found, job->c->opt->verbose ? LVL_NOTE : LVL_WARNING);
        }
    }
    if (status != LVL_OK)
        cli_job_status(job, status, found, NULL);
    lvl_findings_free(found);
    return status == LVL_OK;
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
        size_t n = 0;
        const lvl_status status = change(job, paths, i, &n, found);
        if (status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT || status == LVL_ERR_STOPPED) {
            cli_job_status(job, status, found, NULL);
            failed = true;
            break;
        }
        if (status == LVL_OK)
            cli_job_findings(job, found, job->c->opt->verbose ? LVL_NOTE : LVL_WARNING);
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
    char idle[64];

    if (!cli_edit_read(job))
        return;
    if (c->inputs.batch ? !change_matching(job, paths, &changed) : !change_one(job, paths, &changed))
        return;
    snprintf(idle, sizeof idle, "%zu already had that value", changed);
    if (!changed && c->inputs.batch)
        cli_edit_no_match(job);
    else
        cli_edit_deliver(job, changed, idle);
}

int cmd_set(cli *c)
{
    int code;

    if (c->opt->members && !c->opt->in_place && !c->opt->dry_run)
        return cli_usage(c, "--members needs -i: packs are changed in place");
    if (c->opt->table || c->opt->map) {
        if (c->opt->unset.count || (c->opt->table && (c->opt->map || c->opt->expressions.count)))
            return cli_usage(c, "%s has all changes: no other ones were expected",
                             c->opt->table ? "--csv" : "--map");
    }
    if (c->opt->table)
        return cli_set_table(c);
    cli_paths *paths = cli_paths_take(c, !c->opt->map, &code);
    if (!paths)
        return code;
    if (c->opt->map) {
        code = cli_set_map(c, paths);
        cli_paths_free(paths);
        return code;
    }
    const cli_batch batch = {.work = set_work,
                             .after = cli_paths_after,
                             .user = paths,
                             .match_word = c->opt->dry_run ? "would change" : "changed",
                             .idle_word = "already had that value",
                             .output = &cli_edit_output};
    code = cli_paths_end(c, paths, cli_run(c, &batch));
    cli_paths_free(paths);
    return code;
}
