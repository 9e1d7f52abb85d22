/*
 * cli/cmd_get.c: `lvl get` and `lvl set`: values by their paths.
 */
#include "cli/cli.h"

#include <string.h>

/* Files where paths are to stand, and the other way round. */
static int check_order(cli *c)
{
    const char *first = c->args.items[0];
    const bool there =
        strcmp(first, "-") == 0 || strstr(first, "//") || lvl_file_kind_of(first) != LVL_FILE_NONE;

    for (size_t i = 1; i < c->args.count; i++) {
        const char *arg = c->args.items[i];
        if (!cli_names_a_file(arg) || lvl_file_kind_of(arg) != LVL_FILE_REGULAR)
            continue;
        if (there)
            return cli_usage(c, "one file, or a folder of them, and then paths: %s is a file too", arg);
        return cli_usage(c, "the file goes first: lvl %s %s %s", c->verb->name, arg, first);
    }
    return EXIT_FINE;
}

static void get_work(cli_job *job)
{
    const cli *c = job->c;
    const lvl_get_options options = {.json = c->opt.json, .paths = c->opt.paths};
    lvl_buffer lines = {0};

    if (!cli_job_read(job, 0))
        return;
    for (size_t i = 1; i < c->args.count; i++) {
        lvl_findings_clear(job->findings);
        lvl_status status = lvl_get(job->doc, c->args.items[i], &options, &lines, NULL, job->findings);
        if (status != LVL_OK)
            cli_job_status(job, status, job->findings, c->args.items[i]);
    }
    cli_job_lines(job, &lines);
    lvl_buffer_free(&lines);
}

int cmd_get(cli *c)
{
    static const cli_batch batch = {.work = get_work};

    if (c->args.count < 2)
        return cli_usage(c, c->args.count ? "which value? FILE PATH..." : "which file?");
    int code = check_order(c);
    if (!code)
        code = cli_take_inputs(c, 0, 1);
    return code ? code : cli_run(c, &batch);
}

static const cli_output set_output = {.text = false, .edits = true};

static bool knows(const lvl_findings *list, const lvl_finding *wanted)
{
    for (size_t i = 0; i < lvl_findings_count(list); i++) {
        const lvl_finding *f = lvl_findings_at(list, i);
        if (f->def == wanted->def && strcmp(f->text, wanted->text) == 0)
            return true;
    }
    return false;
}

/* Errors that the file didn't have before: a change is made as it was asked for, but not without a word. */
static void tell_new_errors(cli_job *job, lvl_bytes bytes)
{
    const lvl_ctx *ctx = &job->c->ctx;
    const char *name = cli_base_name(job->input->name);
    lvl_findings *was = lvl_findings_new(ctx), *now = lvl_findings_new(ctx);
    lvl_check_result result;
    char where[256];

    bool ok = was && now && lvl_check(ctx, job->format, bytes, name, NULL, now, &result, NULL) == LVL_OK &&
              lvl_findings_worst(now) >= LVL_ERROR &&
              lvl_check(ctx, job->format, job->bytes, name, NULL, was, &result, NULL) == LVL_OK;
    for (size_t i = 0; ok && i < lvl_findings_count(now); i++) {
        const lvl_finding *f = lvl_findings_at(now, i);
        if (f->severity < LVL_ERROR || knows(was, f))
            continue;
        lvl_where_text(&f->where, where, sizeof where);
        lvl_buffer_printf(&job->err, "%s: an error now: %s: %s%s%s%s\n", job->input->shown, f->def->id,
                          f->text, *where ? " (" : "", where, *where ? ")" : "");
    }
    lvl_findings_free(was);
    lvl_findings_free(now);
}

static void set_work(cli_job *job)
{
    const cli *c = job->c;
    size_t count = c->args.count - 1, changed = 0, reset = 0;
    lvl_buffer bytes = {0};

    if (!cli_output_ready(job, &set_output) || !cli_job_read(job, LVL_CAN_WRITE))
        return;
    lvl_findings_clear(job->findings);
    lvl_status status = LVL_OK;
    if (count)
        status = lvl_set(job->doc, c->args.items + 1, count, &changed, job->findings);
    if (status == LVL_OK && c->opt.unset.count)
        status = lvl_unset(job->doc, c->opt.unset.items, c->opt.unset.count, &reset, job->findings);
    if (status == LVL_OK)
        status = lvl_doc_write_told(job->doc, &bytes, job->findings);
    if (status != LVL_OK) {
        cli_job_status(job, status, job->findings, NULL);
    } else {
        cli_job_findings(job, job->findings, LVL_WARNING);
        if (!c->inputs.batch && !c->opt.quiet)
            tell_new_errors(job, (lvl_bytes){bytes.data, bytes.len});
        if (c->opt.verbose)
            lvl_buffer_printf(&job->err, "%s: %zu changed\n", job->input->shown, changed + reset);
        cli_deliver(job, (lvl_bytes){bytes.data, bytes.len}, &set_output);
    }
    lvl_buffer_free(&bytes);
}

int cmd_set(cli *c)
{
    static const cli_batch batch = {.work = set_work, .done_word = "edited", .output = &set_output};

    if (!c->args.count)
        return cli_usage(c, "which file?");
    if (c->args.count < 2 && !c->opt.unset.count)
        return cli_usage(c, "what is to change? FILE PATH=VALUE...");
    const int order = check_order(c);
    if (order)
        return order;
    for (size_t i = 1; i < c->args.count; i++) {
        if (!strchr(c->args.items[i], '='))
            return cli_usage(c, "`%s' is no assignment: PATH=VALUE", c->args.items[i]);
    }
    if (!c->opt.output && !c->opt.in_place)
        return cli_usage(c, "where to? -o FILE, or -i (in place)");
    int code = cli_take_inputs(c, 0, 1);
    if (!code)
        code = cli_output_check(c, &set_output);
    return code ? code : cli_run(c, &batch);
}
