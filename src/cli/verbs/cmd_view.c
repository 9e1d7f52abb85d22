/*
 * cli/verbs/cmd_view.c: `lvl view': the viewer's page (web/viewer, built by `make web`) with files in it, in
 * the browser or saved; with --site, a site of what a scan finds in the files (cli/pages/site.c).
 */
#include "cli/catalog/catalog.h"
#include "cli/compare/git.h"
#include "cli/pages/site.h"
#include "cli/shared/windows.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static void view_job(cli_job *job)
{
    if (cli_job_read(job, 0))
        cli_view_add(job->c->user, job);
}

/* The page with the files in it. */
static int make_page(const view *v, size_t cut, lvl_buffer *out)
{
    lvl_buffer element = {0};

    lvl_buffer_str(&element, "<script type=\"application/json\" id=\"lvl-files\">{");
    cli_view_files(v, cut, CLI_VIEW_BYTES, &element);
    lvl_buffer_str(&element, "</script>\n");
    const int code = element.status == LVL_OK ? cli_view_page(v->c, lvl_buffer_text(&element), false, out)
                                              : cli_no_memory(v->c);
    lvl_buffer_free(&element);
    return code;
}

/* ---- the browser ------------------------------------------------------------------------------------- */

#define PAGE "lvl-view-" /* how names of temporary files begin */
enum { KEPT_SECONDS = 24 * 60 * 60 };

/* Saves the page to a new temporary file that only the user can read; its path, to be freed. NULL: reported.
 * Pages of earlier runs are removed: a browser reads its page at once. */
static char *save_temporary(cli *c, const lvl_buffer *page)
{
    const char *folder = cli_temporary_folder();
    lvl_file_error why = {0};
    char *path = NULL;

    lvl_temporary_clean(folder, PAGE, ".html", KEPT_SECONDS);
    const lvl_status status = lvl_temporary_save(&path, folder, PAGE, ".html", lvl_buffer_bytes(page), &why);
    if (status == LVL_OK)
        return path;
    cli_report_file(c, folder, status, &why);
    return NULL;
}

/* How long, in tenths of a second, to wait for a program that may say that there is no browser. */
#define OPENER_WAIT "20"

/* Opens the page with the system's default program. Does not wait for it, except to see whether it fails
 * soon, which is how xdg-open reports that there is no browser. */
static bool open_in_browser(const char *path)
{
#ifdef _WIN32
    return cli_windows_open(path);
#else
#ifdef __APPLE__
    static const char opener[] = "open";
#else
    static const char opener[] = "xdg-open";
#endif
    lvl_buffer command = {0};

    lvl_buffer_printf(&command, "command -v %s >/dev/null && { %s", opener, opener);
    (void)cli_quote(&command, path);
    lvl_buffer_str(&command, " >/dev/null 2>&1 & n=0; while kill -0 $! 2>/dev/null && [ $n -lt " OPENER_WAIT
                             " ]; do sleep 0.1; n=$((n + 1)); done; kill -0 $! 2>/dev/null || wait $!; }");
    lvl_buffer_u8(&command, 0);
    /* NOLINTNEXTLINE(cert-env33-c,concurrency-mt-unsafe) */
    const int code = command.status == LVL_OK ? system((const char *)command.data) : -1;
    lvl_buffer_free(&command);
    return code == 0;
#endif
}

static int show_page(cli *c, const lvl_buffer *page)
{
    char *path = save_temporary(c, page);
    int code = EXIT_ENVIRONMENT;

    if (!path)
        return code;
    if (open_in_browser(path)) {
        code = EXIT_FINE;
        if (!c->opt->quiet)
            cli_report(c, "%s opens in the browser", path);
    } else {
        cli_report(c, "no browser could be started; open %s yourself", path);
    }
    free(path);
    return code;
}

/* ---- the verb ---------------------------------------------------------------------------------------- */

/* Writes the page, or lists its files (-n). */
static void deliver(cli_job *job)
{
    const cli_options *opt = job->c->opt;
    view *v = job->c->user;
    const bool to_stdout = opt->output && job->c->plan->place == CLI_TO_STDOUT;
    lvl_buffer page = {0}, list = {0};

    const size_t cut = cli_view_arrange(v);
    if (!v->count)
        return;
    if (opt->json) {
        cli_json_begin(&list, opt->output && !to_stdout ? opt->output : "");
        lvl_buffer_u8(&list, ',');
        cli_view_files(v, cut, CLI_VIEW_SIZES, &list);
        lvl_buffer_u8(&list, '\n');
    }
    for (size_t i = 0; i < v->count && opt->dry_run && !opt->json; i++)
        lvl_buffer_printf(&list, "%s\n", v->parts[i].path + cut);
    if (!opt->dry_run)
        job->code = make_page(v, cut, &page);
    if (!job->code && !opt->dry_run && !opt->output)
        job->code = show_page(v->c, &page);
    else if (!job->code && opt->output) /* with -n it is not made, and listed */
        cli_deliver_whole(job, lvl_buffer_bytes(&page));
    if (!job->code && !(to_stdout && !opt->dry_run))
        lvl_buffer_add(&job->out, list.data, list.len);
    if (list.status != LVL_OK || job->out.status != LVL_OK)
        job->code = cli_no_memory(v->c);
    lvl_buffer_free(&page);
    lvl_buffer_free(&list);
}

static int write_site(cli *c)
{
    lvl_catalogue *catalogue = NULL;

    int code = cli_site_output(c);
    if (!code)
        code = cli_catalogue_of_files(c, NULL, CLI_THUMBNAIL, &catalogue);
    if (!code && !cli_stopped())
        code = cli_site(c, catalogue, &c->args, NULL);
    else if (catalogue && code == EXIT_ENVIRONMENT)
        cli_report(c, "no site written: a file could not be read");
    lvl_catalogue_close(catalogue);
    return code;
}

int cmd_view(cli *c)
{
    view v = {0};
    const cli_batch batch = {.work = view_job, .user = &v, .done_word = "added"};

    if (c->opt->site)
        return write_site(c);
    int code = cli_take_inputs(c, 0, c->args.count);
    if (!code)
        code = cli_plan_whole(c);
    if (!code)
        code = cli_art_try(c);
    if (code)
        return code;
    c->jobs = 1; /* jobs share the art */
    const char *name = c->opt->output    ? c->opt->output
                       : c->inputs.count ? c->inputs.items[0].name
                                         : c->verb->name; /* an empty list */
    code = cli_view_begin(&v, c) ? cli_run_whole(c, &batch, "page", name, deliver) : cli_no_memory(c);
    cli_view_end(&v);
    return code;
}
