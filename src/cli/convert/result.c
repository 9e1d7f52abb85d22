/*
 * cli/convert/result.c: what `lvl convert` reports: losses, and inputs that do not convert.
 */
#include "cli/convert/convert.h"
#include "tools/check/reports.h"

#include "base/text.h"

#include <stdlib.h>

/* What the target is called in messages. */
static const char *target_name(const cli_convert *p)
{
    if (p->to == TO_PNG)
        return "a PNG";
    if (p->form)
        return p->form;
    return p->format ? p->format->title : "the file";
}

/* Reports the losses that are in the job's findings. */
static void report_losses(cli_job *job, const cli_convert *p, bool refused)
{
    const lvl_findings *losses = job->findings;
    const size_t n = lvl_findings_count(losses);
    const cli_options *opt = job->c->opt;
    const char *to = target_name(p);

    if (!n)
        return;
    if (opt->json && job->c->plan->place != CLI_TO_STDOUT) {
        cli_json_begin(&job->out, job->input->name);
        lvl_json_put_string(&job->out, "to", to);
        lvl_json_put_bool(&job->out, "refused", refused);
        lvl_json_key(&job->out, "losses");
        lvl_findings_json(losses, &job->out);
        lvl_buffer_str(&job->out, "}\n");
    } else if (refused || !opt->quiet) {
        cli_job_findings(job, losses, LVL_NOTE); /* all of them, since each is lost data */
    }
    if (refused)
        cli_job_fail(job, EXIT_NEGATIVE,
                     "not converted: %zu item%s cannot be represented in %s; --allow-loss writes the nearest "
                     "value or leaves it out",
                     n, n == 1 ? "" : "s", to);
}

lvl_status cli_check_losses(const cli_job *job, lvl_status status)
{
    const bool lossy = status == LVL_OK && lvl_findings_count(job->findings) && !job->c->opt->allow_loss;

    return lossy ? LVL_ERR_LOSS : status;
}

void cli_report_conversion(cli_job *job, const cli_convert *p, lvl_status status)
{
    if (status == LVL_OK || status == LVL_ERR_LOSS)
        report_losses(job, p, status == LVL_ERR_LOSS);
    else
        cli_job_status(job, status, job->findings, NULL);
}

lvl_status cli_write_made(cli_job *job, lvl_doc *made, lvl_buffer *out)
{
    lvl_findings_clear(job->findings);
    const lvl_status status = lvl_write(made, out, job->findings);
    cli_job_status(job, status, job->findings, NULL);
    if (status == LVL_OK)
        cli_job_findings(job, job->findings, LVL_WARNING);
    return status;
}

void cli_report_not_converted(cli_job *job, const char *fmt, ...)
{
    va_list args;

    if (!job->input->named) {
        job->outcome = CLI_SKIPPED_OTHER;
        return;
    }
    va_start(args, fmt);
    char *text = cli_format_args(fmt, args);
    va_end(args);
    if (text)
        cli_job_fail(job, EXIT_NEGATIVE, "%s", text);
    else
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    free(text);
}
