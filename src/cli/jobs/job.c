/*
 * cli/jobs/job.c: the work on one input: its messages and its end. It reads by source.c, and writes by
 * sink.c.
 */
#include "cli/cli.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- messages of a job ------------------------------------------------------------------------------- */

void cli_job_fail(cli_job *job, int code, const char *fmt, ...)
{
    char text[512];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    lvl_buffer_printf(&job->err, "%s: %s\n", job->input->shown, text);
    job->code = cli_max_exit_code(job->code, code);
}

void cli_job_fail_at(cli_job *job, const char *path, const char *gap, const char *text)
{
    char *shown = path ? cli_shown(path) : NULL;
    const bool other = shown && strcmp(shown, job->input->shown) != 0; /* else the line begins with it */

    cli_job_fail(job, EXIT_ENVIRONMENT, "%s%s%s", other ? shown : "", other ? gap : "", text);
    free(shown);
}

void cli_job_file_status(cli_job *job, const char *path, lvl_status status, const lvl_file_error *why)
{
    char text[256];

    if (why->step)
        cli_job_fail_at(job, path, ": ", lvl_file_error_text(why, text, sizeof text));
    else
        cli_job_status(job, status, NULL, path);
}

void cli_job_no_match(cli_job *job, const char *fmt, ...)
{
    char text[512];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (!job->c->inputs.batch) {
        cli_job_fail(job, EXIT_NEGATIVE, "%s", text);
        return;
    }
    job->outcome = CLI_NO_MATCH;
    if (job->c->opt->verbose)
        lvl_buffer_printf(&job->err, "%s: %s\n", job->input->shown, text);
}

void cli_job_findings(cli_job *job, const lvl_findings *findings, lvl_severity least)
{
    cli_findings_text(job->c, findings, job->input->shown, least, job->c->color_err, &job->err);
}

void cli_job_begin(cli_job *job, cli *c, const cli_input *input)
{
    job->c = c;
    job->ctx = c->ctx;
    job->ctx.usage = &job->usage;
    job->input = input;
}

void cli_job_begin_beside(cli_job *job, cli_job *first, const cli_input *input)
{
    cli_job_begin(job, first->c, input);
    job->ctx.usage = &first->usage;
    job->first = first;
}

int cli_job_whole(cli *c, const char *name, cli_work work)
{
    cli_job job = {0};

    char *copy = cli_copy(name), *shown = cli_shown(name);
    const cli_input named = {.name = copy, .shown = shown};
    cli_job_begin(&job, c, &named);
    if (!copy || !shown)
        job.code = cli_no_memory(c);
    else if (cli_job_need_findings(&job))
        work(&job);
    cli_job_end(&job);
    free(copy);
    free(shown);
    return job.code;
}

bool cli_job_need_findings(cli_job *job)
{
    if (!job->findings)
        job->findings = lvl_findings_new(&job->ctx);
    if (!job->findings)
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    return job->findings != NULL;
}

/* Reports the limit that was exceeded; false: none was. */
static bool report_limit(cli_job *job)
{
    lvl_findings *limit = job->usage.limit ? lvl_findings_new(&job->ctx) : NULL;

    if (!limit)
        return false;
    lvl_usage_report(&job->usage, &job->ctx, limit);
    cli_job_findings(job, limit, LVL_ERROR);
    lvl_findings_free(limit);
    job->code = cli_max_exit_code(job->code, EXIT_NEGATIVE);
    return true;
}

void cli_job_limit(cli_job *job, const char *hint)
{
    report_limit(job);
    if (job->usage.limit == LVL_LIMIT_NONE || job->usage.limit == LVL_LIMIT_CELLS ||
        job->usage.limit == LVL_LIMIT_FIXED)
        cli_job_fail(job, EXIT_NEGATIVE, "%s", hint);
}

/* The worst of the findings that can be printed: the list also counts those that it had no memory to keep. */
static lvl_severity worst_kept(const lvl_findings *findings)
{
    lvl_severity worst = LVL_NONE;

    for (size_t i = 0; findings && i < lvl_findings_count(findings); i++) {
        const lvl_severity severity = lvl_findings_at(findings, i)->severity;
        worst = severity > worst ? severity : worst;
    }
    return worst;
}

void cli_job_status(cli_job *job, lvl_status status, lvl_findings *findings, const char *what)
{
    int code = cli_code_of(status);

    if (status == LVL_OK)
        return;
    const bool refused = status == LVL_ERR_LIMIT || status == LVL_ERR_MEMORY;
    if (refused && !(findings && lvl_findings_of(findings, LVL_FATAL)) && report_limit(job))
        return;
    if (status == LVL_ERR_STOPPED || (status == LVL_ERR_IO && job->c->out_failed)) { /* reported already */
        job->code = cli_max_exit_code(job->code, code);
        return;
    }
    size_t n = findings ? lvl_findings_count(findings) : 0;
    const lvl_severity worst = worst_kept(findings);
    if ((status == LVL_ERR_ARG || status == LVL_ERR_MISSING) && n) {
        /* a wrong argument, not an error in the file: printed without an ID */
        for (size_t i = 0; i < n; i++) {
            const lvl_finding *f = lvl_findings_at(findings, i);
            char where[256] = "";
            lvl_where_text(&f->where, where, sizeof where);
            cli_job_fail(job, code, "%s%s%s%s", f->text, *where ? " (" : "", where, *where ? ")" : "");
        }
    } else if (worst >= LVL_ERROR) {
        cli_job_findings(job, findings, LVL_ERROR);
        job->code = cli_max_exit_code(job->code, code);
        if (status == LVL_ERR_MEMORY && worst < LVL_FATAL) /* errors in the file are not why it ended */
            cli_job_fail(job, code, "%s", lvl_status_text(status));
    } else if (what) {
        cli_job_fail(job, code, "%s: %s", what, lvl_status_text(status));
    } else {
        cli_job_fail(job, code, "%s", lvl_status_text(status));
    }
}

void cli_job_saved(cli_job *job)
{
    lvl_buffer_add(&job->out, job->saved_out.data, job->saved_out.len);
    lvl_buffer_add(&job->err, job->saved_err.data, job->saved_err.len);
    if (job->saved_out.status != LVL_OK) /* then not all of it was there */
        job->out.status = job->saved_out.status;
    if (job->saved_err.status != LVL_OK)
        job->err.status = job->saved_err.status;
    lvl_buffer_free(&job->saved_out);
    lvl_buffer_free(&job->saved_err);
}

void cli_job_clear(cli_job *job)
{
    lvl_doc_free(job->doc);
    lvl_findings_free(job->findings);
    lvl_buffer_free(&job->storage);
    cli_look_free(job->look);
    job->look = NULL;
    lvl_file_lock_free(job->lock);
    free(job->locked);
    job->locked = NULL;
    job->lock = NULL;
    job->doc = NULL;
    job->findings = NULL;
    job->bytes.ptr = NULL;
    job->bytes.len = 0;
    job->loaded = false;
}

void cli_job_end(cli_job *job)
{
    cli_print_job(job->c, job);
    cli_job_clear(job);
    lvl_buffer_free(&job->out);
    lvl_buffer_free(&job->err);
    lvl_buffer_free(&job->saved_out);
    lvl_buffer_free(&job->saved_err);
}

void cli_job_join(cli_job *job, cli_job *other)
{
    cli_job_clear(other);
    lvl_buffer_add(&job->err, other->err.data, other->err.len);
    if (other->err.status != LVL_OK)
        job->err.status = other->err.status;
    job->code = cli_max_exit_code(job->code, other->code);
    if (job->outcome == CLI_DONE)
        job->outcome = other->outcome;
    lvl_buffer_free(&other->err);
    lvl_buffer_free(&other->out);
}

void cli_job_lines(cli_job *job, const lvl_buffer *lines)
{
    const cli *c = job->c;

    for (size_t at = 0; at < lines->len;) {
        const char *line = (const char *)lines->data + at;
        const char *nl = memchr(line, '\n', lines->len - at);
        size_t len = nl ? (size_t)(nl - line) + 1 : lines->len - at, skip = 0;
        if (c->opt->json && line[0] == '{') {
            cli_json_begin(&job->out, job->input->name);
            lvl_buffer_str(&job->out, len > 2 && line[1] == '}' ? "" : ",");
            skip = 1;
        } else if (c->inputs.batch && !c->opt->json) {
            lvl_buffer_printf(&job->out, "%s: ", job->input->shown);
        }
        lvl_buffer_add(&job->out, line + skip, len - skip);
        at += len;
    }
    if (lines->status != LVL_OK)
        cli_job_status(job,
                       lines->status == LVL_ERR_LIMIT ? lvl_refuse(&job->ctx, LVL_LIMIT_MEMORY, lines->max, 0)
                                                      : lines->status,
                       NULL, NULL);
}
