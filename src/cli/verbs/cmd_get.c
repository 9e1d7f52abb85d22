/*
 * cli/verbs/cmd_get.c: `lvl get`: prints values by their paths.
 */
#include "base/work.h"
#include "cli/edit/paths.h"
#include "tools/picture/sheet.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* With -l or -c and --json: the file, and how many matches it has. */
static void put_count(cli_job *job, size_t count)
{
    cli_json_begin(&job->out, job->input->name);
    lvl_json_put_uint(&job->out, "matches", count);
    lvl_buffer_str(&job->out, "}\n");
}

/* ---- a table ------------------------------------------------------------------------------------------- */

/* The rows of a file, and the line of names, which is printed once. */
typedef struct sheet_note {
    size_t head, rows; /* bytes */
    char text[];
} sheet_note;

typedef struct sheet_run {
    const cli_paths *paths;
    lvl_buffer head; /* of the first file */
    bool differs;
} sheet_run;

static void sheet_work(cli_job *job)
{
    const cli *c = job->c;
    const sheet_run *run = c->user;
    const cli_paths *paths = run->paths;
    lvl_buffer head = {0}, rows = {.max = lvl_memory_share(&job->ctx)};
    size_t found = 0;

    if (!cli_job_read(job, 0))
        return;
    lvl_findings_clear(job->findings);
    const lvl_status status =
        lvl_sheet_get(job->doc, paths->items, paths->count, c->inputs.batch ? job->input->name : NULL, &head,
                      &rows, &found, job->findings);
    const lvl_finding *why = lvl_findings_count(job->findings) ? lvl_findings_at(job->findings, 0) : NULL;
    const bool no_field = status == LVL_ERR_ARG && why && strcmp(why->def->id, "lvl.path.name") == 0;
    sheet_note *note = status == LVL_OK ? malloc(sizeof *note + head.len + rows.len) : NULL;
    if (c->inputs.batch && (status == LVL_ERR_MISSING || no_field)) {
        cli_job_no_match(job, "%s", why ? why->text : lvl_status_text(status));
    } else if (status != LVL_OK || !note) {
        cli_job_status(job, status != LVL_OK ? status : LVL_ERR_MEMORY, job->findings, NULL);
    } else {
        note->head = head.len;
        note->rows = rows.len;
        memcpy(note->text, head.data, head.len);
        memcpy(note->text + head.len, rows.data, rows.len);
        job->note = note;
        job->note_size = head.len + rows.len;
        note = NULL;
    }
    free(note);
    lvl_buffer_free(&head);
    lvl_buffer_free(&rows);
}

static void sheet_after(cli *c, const cli_job *job)
{
    const sheet_note *note = job->note;
    sheet_run *run = c->user;

    if (!note)
        return;
    if (!run->head.len) {
        lvl_buffer_add(&run->head, note->text, note->head);
        cli_out(c, note->text, note->head);
    }
    if (run->head.len == note->head && memcmp(run->head.data, note->text, note->head) == 0) {
        cli_out(c, note->text + note->head, note->rows);
        return;
    }
    if (!run->differs)
        cli_report(c,
                   "%s: left out: its table has other columns than that of the files before it; name the "
                   "fields: lvl get --csv FILE... -e PATH -e FIELD...",
                   job->input->shown);
    run->differs = true;
}

static int get_sheet(cli *c, const cli_paths *paths)
{
    sheet_run run = {.paths = paths};
    const cli_batch batch = {
        .work = sheet_work, .after = sheet_after, .user = &run, .match_word = "with a match"};

    if (c->opt->json || c->opt->paths || c->opt->list || c->opt->count)
        return cli_usage(c, "expected one of --csv, --json, --paths, -l and -c");
    const int code = cli_run(c, &batch);
    lvl_buffer_free(&run.head);
    return run.differs ? cli_max_exit_code(code, EXIT_NEGATIVE) : code;
}

/* ---- values -------------------------------------------------------------------------------------------- */

static void get_work(cli_job *job)
{
    const cli *c = job->c;
    const cli_paths *paths = c->user;
    const bool complete = !c->terminal_out || c->opt->all || c->opt->json || c->opt->paths;
    const lvl_get_options options = {.json = c->opt->json, .paths = c->opt->paths, .brief = !complete};
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
    if (!c->opt->list && !c->opt->count)
        cli_job_lines(job, &lines);
    else if (count && c->opt->json)
        put_count(job, count);
    else if (count)
        lvl_buffer_printf(&job->out, c->opt->count ? "%s: %zu\n" : "%s\n", job->input->shown, count);
    lvl_buffer_free(&lines);
}

int cmd_get(cli *c)
{
    int code;
    if (c->opt->list && c->opt->count)
        return cli_usage(c, "expected one of -l and -c");
    cli_paths *paths = cli_paths_take(c, false, &code);

    if (!paths)
        return code;
    if (c->opt->csv) {
        code = get_sheet(c, paths);
        cli_paths_free(paths);
        return code;
    }
    const cli_batch batch = {
        .work = get_work, .after = cli_paths_after, .user = paths, .match_word = "with a match"};
    code = cli_paths_end(c, paths, cli_run(c, &batch));
    cli_paths_free(paths);
    return code;
}
