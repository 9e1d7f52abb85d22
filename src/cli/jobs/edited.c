/*
 * cli/jobs/edited.c: the output of verbs that edit: the document is serialized and verified, compared with
 * the original (-n), and saved.
 */
#include "base/work.h"
#include "cli/cli.h"
#include "tools/check/reports.h"
#include "tools/write.h"

#include "base/text.h"

#include <string.h>

const cli_output cli_edit_output = {.edits = true, .must = true};

bool cli_edit_read(cli_job *job)
{
    return cli_job_read(job, LVL_CAN_WRITE);
}

void cli_edit_no_match(cli_job *job)
{
    job->outcome = CLI_NO_MATCH;
    if (!cli_changes_inputs(job->c))
        cli_deliver(job, job->bytes, &cli_edit_output);
}

void cli_report_added(cli_job *job, const lvl_findings *added)
{
    char where[256];

    for (size_t i = 0; i < lvl_findings_count(added); i++) {
        const lvl_finding *f = lvl_findings_at(added, i);
        lvl_where_text(&f->where, where, sizeof where);
        lvl_buffer_printf(&job->err, "%s: new %s: %s: %s%s%s%s\n", job->input->shown,
                          f->severity >= LVL_ERROR ? "error" : "warning", f->def->id, f->text,
                          *where ? " (" : "", where, *where ? ")" : "");
    }
}

/* Prints the change as `lvl diff' does. */
static void show_change(cli_job *job)
{
    const cli_options *opt = job->c->opt;
    const lvl_diff_options options = {
        .json = opt->json, .a = job->input->shown, .b = job->input->shown, .summary = opt->quiet};
    lvl_buffer lines = {.max = lvl_memory_share(&job->ctx)};
    lvl_doc *before = NULL;

    lvl_status status =
        lvl_read(&before, &job->ctx, job->format, job->bytes, job->input->name, LVL_READ_BORROW, NULL);
    if (status != LVL_OK || (status = lvl_doc_open(before)) != LVL_OK ||
        (status = lvl_doc_open(job->doc)) != LVL_OK ||
        (status = lvl_diff(before, job->doc, &options, NULL, &lines)) != LVL_OK)
        goto out;
    if (opt->json)
        cli_job_lines(job, &lines);
    else
        lvl_buffer_add(&job->out, lines.data, lines.len);
out:
    cli_job_status(job, status, NULL, NULL);
    lvl_doc_free(before);
    lvl_buffer_free(&lines);
}

static void report_json(cli_job *job, size_t changed)
{
    lvl_buffer *out = &job->saved_out;

    cli_json_begin(out, job->input->name);
    lvl_json_put_uint(out, "changed", changed);
    lvl_json_key(out, "findings");
    lvl_findings_json(job->findings, out);
    lvl_buffer_str(out, "}\n");
}

bool cli_edit_keeps_damage(cli_job *job, lvl_bytes now)
{
    if (!cli_changes_inputs(job->c) || job->idle || job->damaged)
        return true;
    const lvl_status status = lvl_doc_may_replace(job->doc, now);
    if (status == LVL_ERR_LOSS)
        cli_job_fail(job, EXIT_NEGATIVE, CLI_LOOKS_WHOLE);
    else if (status != LVL_OK)
        cli_job_status(job, status, NULL, NULL);
    return status == LVL_OK;
}

void cli_edit_deliver(cli_job *job, size_t changed, const char *idle)
{
    const cli *c = job->c;
    const bool to_stdout = c->plan->place == CLI_TO_STDOUT;
    const bool json = c->opt->json && !c->opt->dry_run && !to_stdout;
    const bool checked = !c->inputs.batch && !c->opt->quiet;
    lvl_findings *added = checked ? lvl_findings_new(&job->ctx) : NULL;
    lvl_buffer bytes = {0};

    const lvl_status status = checked && !added
                                  ? LVL_ERR_MEMORY
                                  : lvl_doc_write_checked(job->doc, &bytes, job->findings, LVL_ERROR, added);
    const lvl_bytes now = {bytes.data, bytes.len};
    job->idle = cli_same_bytes(now, job->bytes);
    const bool saves = !job->idle || !cli_changes_inputs(c) || job->damaged; /* which reports damage */
    if (status != LVL_OK) {
        cli_job_status(job, status, job->findings, NULL);
        goto out;
    }
    if (job->idle && c->inputs.batch && cli_changes_inputs(c))
        goto out;
    if (json)
        report_json(job, job->idle ? 0 : changed);
    else
        cli_job_findings(job, job->findings, c->opt->verbose ? LVL_NOTE : LVL_WARNING);
    if (added)
        cli_report_added(job, added);
    if (job->idle && !c->inputs.batch && !c->opt->quiet)
        lvl_buffer_printf(&job->err, "%s: unchanged: %s\n", job->input->shown, idle);
    else if (c->opt->verbose)
        lvl_buffer_printf(&job->saved_err, "%s: %zu changed\n", job->input->shown, job->idle ? 0 : changed);
    if (c->opt->dry_run || !saves)
        cli_job_saved(job);
    if (c->opt->dry_run)
        show_change(job);
    if (saves && cli_edit_keeps_damage(job, now))
        cli_deliver(job, now, &cli_edit_output);
out:
    lvl_findings_free(added);
    lvl_buffer_free(&bytes);
}
