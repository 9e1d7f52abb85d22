/*
 * cli/edit/parts.c: `lvl extract --scripts --signs`: writes a level's texts to files, which `lvl pack` puts
 * back.
 */
#include "cli/cli.h"
#include "tools/edit/parts.h"

#include "base/text.h"
#include <stdlib.h>
#include <string.h>

bool cli_parts_asked(const cli *c)
{
    return c->opt->scripts || c->opt->signs;
}

char *cli_folder_of(const cli_job *job, const char *dir)
{
    size_t len = strlen(dir);
    const char *gap = len && dir[len - 1] == '/' ? "" : "/";

    return job->c->inputs.batch ? cli_format("%s%s%s", dir, gap, job->input->rel) : cli_copy(dir);
}

/* ---- out --------------------------------------------------------------------------------------------- */

static void report_part(cli_job *job, const lvl_part *part)
{
    char where[256];

    lvl_where_text(&part->where, where, sizeof where);
    if (job->c->opt->json) {
        cli_json_begin(&job->out, job->input->name);
        lvl_json_put_string(&job->out, "group", part->group);
        lvl_json_put_string(&job->out, "path", where);
        lvl_json_put_string(&job->out, "name", part->name);
        lvl_json_put_uint(&job->out, "size", part->bytes.len);
        lvl_buffer_str(&job->out, "}\n");
    } else {
        if (job->c->inputs.batch)
            lvl_buffer_printf(&job->out, "%s: ", job->input->shown);
        lvl_buffer_printf(&job->out, "%10zu  %-24s  %s\n", part->bytes.len, where, part->name);
    }
}

static void write_parts(cli_job *job, const lvl_parts *parts)
{
    char *dir = cli_folder_of(job, job->c->opt->output);
    const size_t n = parts->count;
    size_t written = 0;

    job->count_existing = true;
    for (size_t i = 0; i < n && dir && !cli_stopped() && !job->full; i++) {
        const lvl_part *part = &parts->items[i];
        char *path = cli_format("%s/%s", dir, part->name);
        if (path && cli_stays_below(job, strlen(job->c->opt->output), path) &&
            cli_save_to(job, path, part->bytes)) {
            written++;
            if (job->c->opt->json && !job->c->opt->dry_run)
                report_part(job, part);
            else if (job->c->opt->verbose)
                lvl_buffer_printf(&job->err, "%s\n", path);
        }
        if (!path)
            cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
        free(path);
    }
    if (!dir)
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    cli_report_existing(job);
    if (dir && !job->c->opt->quiet)
        lvl_buffer_printf(&job->err, "%s: %zu part%s %swritten\n", job->input->shown, written,
                          written == 1 ? "" : "s", job->c->opt->dry_run ? "would be " : "");
    free(dir);
}

static void extract_work(cli_job *job)
{
    const cli_options *opt = job->c->opt;
    const char *groups[3] = {NULL}, *group;
    bool any = false;
    size_t n = 0;

    if (opt->scripts)
        groups[n++] = "scripts";
    if (opt->signs)
        groups[n++] = "signs";
    if (!cli_job_open(job, 0))
        return;
    for (size_t i = 0; (group = lvl_format_parts(job->format, i)) != NULL; i++) {
        for (size_t k = 0; k < n; k++)
            any |= strcmp(group, groups[k]) == 0;
    }
    if (!any) {
        if (job->input->named)
            cli_job_fail(job, EXIT_NEGATIVE, "this format has no %s (%s)", groups[0], job->format->title);
        else
            job->outcome = CLI_SKIPPED_OTHER;
        return;
    }
    if (!cli_job_read(job, 0))
        return;
    lvl_parts *parts = NULL;
    lvl_status status = lvl_parts_new(job->doc, groups, &parts);
    cli_job_status(job, status, NULL, NULL);
    for (size_t i = 0; status == LVL_OK && opt->list && i < parts->count; i++)
        report_part(job, &parts->items[i]);
    if (status == LVL_OK && !opt->list)
        write_parts(job, parts);
    lvl_parts_free(parts);
}

int cli_parts_extract(cli *c)
{
    static const cli_output files = {.tree = true, .whole = true};
    const cli_batch batch = {.work = extract_work, .output = c->opt->list ? NULL : &files};

    if (!c->opt->list && cli_is_stdout(c->opt->output))
        return cli_usage(c, "no output given; use -o DIR, or --list");
    const int code = cli_take_inputs(c, 0, c->args.count);
    return code ? code : cli_run(c, &batch);
}
