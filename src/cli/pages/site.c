/*
 * cli/pages/site.c: writing a site (site.h).
 */
#include "cli/pages/site.h"

#include <stdlib.h>

/* Everything that comes from the catalogue. */
static void write_catalogue(cli_job *job)
{
    site *s = job->c->user;
    uint32_t shards = 0;

    s->job = job;
    int code = site_read_relations(s);
    if (!code)
        code = site_write_pages(s);
    if (!code && !s->stopped)
        code = site_write_words(s, &shards);
    if (!code && !s->stopped && site_write_index(s, shards) && !cli_stopped())
        code = site_clean(s);
    if (!code && s->status != LVL_OK)
        code = cli_code_of(s->status);
    job->code = cli_max_exit_code(job->code, code);
}

static int write_all(site *s)
{
    cli *c = s->c;
    lvl_file_error why = {0};
    size_t viewed = 0;
    bool no_viewer = false;

    c->inside_packs = true;
    /* a level that cannot be read has its page, without the viewer */
    int code = cli_plan_folder(c, c->opt->output);
    if (!code)
        code = site_write_viewer(s, &no_viewer);
    if (code == EXIT_USAGE || code == EXIT_ENVIRONMENT || s->stopped || cli_stopped())
        return code;
    c->user = s;
    code = cli_job_whole(c, c->opt->output, write_catalogue);
    const lvl_status status = c->opt->dry_run ? LVL_OK : lvl_folder_flush(c->opt->output, &why);
    if (status != LVL_OK)
        code = cli_max_exit_code(code, cli_report_file(c, c->opt->output, status, &why));
    for (size_t i = 0; i < s->count; i++)
        viewed += s->levels[i].refusal == SITE_PUBLISHED;
    if (no_viewer && !code && !c->opt->quiet && !c->opt->dry_run)
        cli_report(c, "the site is written without the viewer");
    if (!code && !c->opt->quiet && !c->opt->dry_run)
        cli_report(c, "%zu %s, %zu in the viewer: open %s/index.html", s->count,
                   s->count == 1 ? "level" : "levels", viewed, c->opt->output);
    return code;
}

int cli_site_output(cli *c)
{
    if (!c->opt->output || cli_is_stdout(c->opt->output) ||
        lvl_file_kind_of(c->opt->output) == LVL_FILE_REGULAR)
        return cli_usage(c, "a site is a folder of pages; use -o DIR");
    char *index = cli_format("%s/index.html", c->opt->output);
    const int code = index ? cli_may_create(c, index) : cli_no_memory(c);
    free(index);
    return code;
}

int cli_site(cli *c, lvl_catalogue *catalogue, const cli_strings *given, const char *folder)
{
    site s = {.c = c, .catalogue = catalogue, .given = given, .folder = folder};

    int code = site_read_levels(&s);
    if (!code && !s.count) {
        cli_report(c, given ? "no level was found" : "no level is in this catalogue");
        code = EXIT_NEGATIVE;
    } else if (!code) {
        code = write_all(&s);
    }
    site_free(&s);
    return code;
}
