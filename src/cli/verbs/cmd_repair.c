/*
 * cli/verbs/cmd_repair.c: `lvl repair`: repairs files, lists the changes and the errors that remain.
 */
#include "cli/cli.h"

#include "base/text.h"

#include <string.h>

/* The state of the repaired file. */
typedef struct rest {
    lvl_findings *findings;
    lvl_check_result result;
    bool known; /* else the check failed, which is reported */
} rest;

static void check_rest(cli_job *job, const lvl_buffer *bytes, rest *r)
{
    const lvl_bytes view = {bytes->data, bytes->len};

    r->findings = lvl_findings_new(&job->ctx);
    const lvl_status status =
        r->findings ? lvl_check(&job->ctx, job->format, view, NULL, NULL, r->findings, &r->result, NULL)
                    : LVL_ERR_MEMORY;
    r->known = status == LVL_OK;
    cli_job_status(job, status, NULL, NULL);
}

/* Prints the remaining errors, which set the exit code. */
static void report_rest(cli_job *job, const rest *r)
{
    if (!r->known || r->result.verdict == LVL_SOUND)
        return;
    job->code = cli_max_exit_code(job->code, EXIT_NEGATIVE);
    cli_job_findings(job, r->findings, LVL_ERROR);
    lvl_buffer_printf(&job->err, "%s: still %s\n", job->input->shown, lvl_verdict_name(r->result.verdict));
}

/* One line of JSON: the changes, and what a check of the result finds. */
static void report_json(cli_job *job, const rest *r, lvl_buffer *to)
{
    cli_json_begin(to, job->input->name);
    lvl_json_key(to, "changes");
    lvl_findings_json(job->findings, to);
    if (r->known) {
        lvl_json_put_string(to, "verdict", lvl_verdict_name(r->result.verdict));
        lvl_json_key(to, "findings");
        lvl_findings_json(r->findings, to);
    }
    lvl_buffer_str(to, "}\n");
}

static void report_changes(cli_job *job, lvl_buffer *to)
{
    const lvl_findings *changes = job->findings;
    const size_t n = lvl_findings_count(changes);

    for (size_t i = 0; i < n; i++) {
        const lvl_finding *f = lvl_findings_at(changes, i);
        char where[256] = "", at[64] = "";
        lvl_where_text(&f->where, where, sizeof where);
        lvl_position_text(&f->position, at, sizeof at);
        lvl_buffer_printf(to, "%s:%s%s %s%s%s\n", job->input->shown, at, *at ? ":" : "", where,
                          *where ? ": " : "", f->text);
    }
    if (!n && (job->input->named || job->c->opt.verbose))
        lvl_buffer_printf(to, "%s: nothing to repair\n", job->input->shown);
}

/* Parses the document without findings: damage is printed as changes, and what remains at the end. What could
 * not be read of a damaged member is the first change. */
static bool parse(cli_job *job)
{
    lvl_findings *const changes = job->findings;

    job->findings = NULL;
    const bool good = cli_job_need_findings(job) && cli_job_parse(job, false);
    lvl_findings_free(job->findings);
    job->findings = changes;
    return good;
}

static void repair_job(cli_job *job)
{
    const cli_options *opt = &job->c->opt;
    lvl_buffer bytes = {0};
    lvl_art *art = NULL;
    rest left = {0};

    if (!opt->dry_run && opt->output && !cli_output_ready(job, &cli_edit_output))
        return;
    if (!cli_job_open(job, LVL_CAN_REPAIR) || !parse(job) ||
        !cli_art_take_if(job, cli_art_given(job->c), &art))
        return;
    const lvl_repair_options how = {.art = art && lvl_art_root(art, 0) ? art : NULL, .recover = opt->recover};
    const lvl_status status = lvl_repair(job->doc, &how, job->findings, &bytes);
    if (status != LVL_OK) {
        cli_job_status(job, status, job->findings, "cannot be repaired");
        goto out;
    }
    const bool to_stdout = !opt->dry_run && opt->output && strcmp(opt->output, "-") == 0;
    check_rest(job, &bytes, &left);
    if (opt->json)
        report_json(job, &left, to_stdout ? &job->err : &job->out);
    else if (!opt->quiet)
        report_changes(job, to_stdout ? &job->err : &job->out);
    report_rest(job, &left);
    job->idle = !lvl_findings_count(job->findings);
    /* in place, a sound file is not written */
    if (!opt->dry_run && !(opt->in_place && job->idle))
        cli_deliver(job, lvl_buffer_bytes(&bytes), &cli_edit_output);
out:
    cli_art_give(job, art);
    lvl_findings_free(left.findings);
    lvl_buffer_free(&bytes);
}

int cmd_repair(cli *c)
{
    const cli_batch batch = {.work = repair_job,
                             .done_word = c->opt.dry_run ? "would be repaired" : "repaired",
                             .idle_word = c->opt.dry_run ? "need no repair" : "needed no repair",
                             .output = &cli_edit_output,
                             .art = true};

    return cli_run_args(c, &batch);
}
