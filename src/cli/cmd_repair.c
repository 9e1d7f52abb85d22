/*
 * cli/cmd_repair.c: `lvl repair`: repairs files, lists the changes, and says what is left.
 */
#include "cli/cli.h"

#include <string.h>

static const cli_output output = {.ext = NULL, .text = false, .edits = true};

/* What is wrong still, as errors on stderr and in the exit code. */
static void report_rest(cli_job *job, const lvl_buffer *bytes)
{
    lvl_check_result result = {0};
    lvl_findings *left = lvl_findings_new(&job->ctx);
    const lvl_bytes view = {bytes->data, bytes->len};

    lvl_status status =
        left ? lvl_check(&job->ctx, job->format, view, NULL, NULL, left, &result, NULL) : LVL_ERR_MEMORY;
    if (status != LVL_OK) {
        cli_job_status(job, status, NULL, NULL);
    } else if (result.verdict != LVL_SOUND) {
        job->code = cli_worse(job->code, EXIT_NEGATIVE);
        cli_job_findings(job, left, LVL_ERROR);
        lvl_buffer_printf(&job->err, "%s: still %s\n", job->input->shown, lvl_verdict_name(result.verdict));
    }
    lvl_findings_free(left);
}

static void report_changes(cli_job *job, const lvl_findings *changes, lvl_buffer *to)
{
    size_t n = lvl_findings_count(changes);

    if (job->c->opt.json) {
        cli_json_begin(to, job->input->name);
        lvl_buffer_str(to, ",\"changes\":");
        lvl_findings_json(changes, to);
        lvl_buffer_str(to, "}\n");
        return;
    }
    if (job->c->opt.quiet)
        return;
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

static void work(cli_job *job)
{
    const cli_options *opt = &job->c->opt;
    lvl_findings *changes = NULL;
    lvl_buffer bytes = {0};
    lvl_art *art = NULL;

    if (!opt->dry_run && job->c->opt.output && !cli_output_ready(job, &output))
        return;
    /* the damage is printed as changes; what is left of it, at the end */
    if (!cli_job_open(job, LVL_CAN_REPAIR))
        return;
    job->findings = lvl_findings_new(&job->ctx);
    changes = lvl_findings_new(&job->ctx);
    if (!job->findings || !changes) {
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
        goto out;
    }
    lvl_status status = lvl_read(&job->doc, &job->ctx, job->format, job->bytes,
                                 cli_base_name(job->input->name), LVL_READ_BORROW, job->findings);
    if (status != LVL_OK) {
        cli_job_status(job, status, job->findings, NULL);
        goto out;
    }
    if ((lvl_format_can(job->format) & LVL_CAN_RENDER) && cli_art_given(job->c)) {
        art = cli_art_take(job);
        if (!art)
            goto out;
    }
    const lvl_repair_options how = {art && lvl_art_count(art) ? art : NULL, opt->recover};
    status = lvl_repair(job->doc, &how, changes, &bytes);
    if (status != LVL_OK) {
        cli_job_status(job, status, changes, "cannot be repaired");
        goto out;
    }
    bool to_stdout = !opt->dry_run && opt->output && strcmp(opt->output, "-") == 0;
    report_changes(job, changes, to_stdout ? &job->err : &job->out);
    report_rest(job, &bytes);
    job->idle = !lvl_findings_count(changes);
    /* in place, a file that needs nothing isn't touched */
    if (!opt->dry_run && !(opt->in_place && !lvl_findings_count(changes)))
        cli_deliver(job, (lvl_bytes){bytes.data, bytes.len}, &output);
out:
    if (art)
        cli_art_give(job, art);
    lvl_findings_free(changes);
    lvl_buffer_free(&bytes);
}

int cmd_repair(cli *c)
{
    static const cli_batch batch = {
        .work = work, .done_word = "repaired", .idle_word = "needed no repair", .output = &output};
    int code = cli_take_inputs(c, 0, c->args.count);

    if (!code && !c->opt.dry_run && !c->opt.output && !c->opt.in_place)
        code = cli_usage(c, "no output given; use -o FILE, -i (in place) or --dry-run");
    if (!code && !c->opt.dry_run)
        code = cli_output_check(c, &output);
    if (!code)
        code = cli_art_try(c);
    return code ? code : cli_run(c, &batch);
}
