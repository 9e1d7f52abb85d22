/*
 * cli/jobs/batch.c: one verb over many inputs. Jobs run on the pool's threads; their output is printed in the
 * order of the inputs.
 */
#include "cli/cli.h"

#include "base/pool.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

int cli_take_inputs(cli *c, size_t first, size_t count)
{
    if (first + count > c->args.count || !count)
        return cli_usage(c, "no input file");
    for (size_t i = 0; i < count; i++) {
        if (!cli_input_add(c, &c->inputs, c->args.items[first + i], count > 1))
            return cli_no_memory(c);
    }
    if (count > 1)
        c->inputs.batch = true;
    /* other commands take the output file as the last argument */
    const char *last = c->args.items[first + count - 1];
    if (count == 2 && c->inputs.count && !c->opt.output && !c->opt.in_place &&
        cli_option_find("output", 6, c->verb) && c->inputs.items[c->inputs.count - 1].error_text &&
        cli_names_a_file(last) && lvl_file_kind_of(last) == LVL_FILE_NONE)
        return cli_usage(c, "%s does not exist; to write it, use -o %s", last, last);
    return EXIT_FINE;
}

struct run {
    cli *c;
    const cli_batch *batch;
    int code;
    size_t done, failed, idle, no_match, foreign, other, members, unsaved;
};

static void *run_work(void *user, size_t index)
{
    const struct run *r = user;
    cli_job *job = calloc(1, sizeof *job);

    if (!job)
        return NULL;
    cli_job_begin(job, r->c, &r->c->inputs.items[index]);
    job->tag = job->input->error_text ? -1 : 0;
    if (job->input->error_text)
        cli_job_fail(job, job->input->code, "%s", job->input->error_text);
    else if (!cli_stopped())
        r->batch->work(job);
    cli_job_clear(job); /* only the output is kept until it is printed */
    if (job->out.status != LVL_OK || job->err.status != LVL_OK || job->saved_out.status != LVL_OK ||
        job->saved_err.status != LVL_OK)
        job->code = cli_max_exit_code(job->code, EXIT_ENVIRONMENT);
    return job;
}

static size_t run_weigh(void *user, const void *result)
{
    const cli_job *job = result;

    (void)user;
    return job ? sizeof *job + job->out.cap + job->err.cap + job->saved_out.cap + job->saved_err.cap +
                     job->note_size
               : 0;
}

static bool run_done(void *user, size_t index, void *result)
{
    struct run *r = user;
    cli_job *job = result;
    cli *c = r->c;

    if (!job) {
        r->code = cli_max_exit_code(r->code, cli_no_memory(c));
        return false;
    }
    if (job->out.len || job->err.len)
        cli_progress_clear(c);
    cli_out(c, job->out.data, job->out.len);
    cli_err(c, job->err.data, job->err.len);
    if (job->outcome == CLI_DONE || job->code != EXIT_FINE) {
        r->done++;
        r->failed += job->code != EXIT_FINE;
        r->idle += job->code == EXIT_FINE && job->idle;
        r->code = cli_max_exit_code(r->code, job->code);
    } else if (job->outcome == CLI_NO_MATCH) {
        r->no_match++;
    } else {
        r->foreign += job->outcome == CLI_SKIPPED_FOREIGN;
        r->other += job->outcome == CLI_SKIPPED_OTHER;
        if (c->opt.verbose)
            cli_report(c, "%s: skipped, %s", job->input->shown,
                       job->outcome == CLI_SKIPPED_FOREIGN ? "an unknown format" : job->format->title);
    }
    if (r->batch->after)
        r->batch->after(c, job);
    if (job->has_member) {
        cli_input *in = &c->inputs.items[index];
        in->changed = job->member;
        in->content = job->old_bytes.len ? job->old_bytes : in->content;
        in->has_changed = true;
        r->members++;
    }
    if (job->has_member || r->batch->save) {
        cli_input *in = &c->inputs.items[index];
        in->saved_out = job->saved_out;
        in->saved_err = job->saved_err;
        job->saved_out = job->saved_err = (lvl_buffer){0};
    }
    if (c->inputs.count > 1)
        cli_progress(c, index + 1, c->inputs.count, job->input->shown);
    const bool full = job->full && index + 1 < c->inputs.count;
    if (full)
        cli_report(c, "stopped: the disk is full");
    lvl_buffer_free(&job->out);
    lvl_buffer_free(&job->err);
    lvl_buffer_free(&job->saved_out);
    lvl_buffer_free(&job->saved_err);
    free(job->note);
    free(job);
    return !full && !cli_stopped();
}

/* Inputs that would be written to the same name: if only their endings differ, they keep these; else it is an
 * error. */
static int find_clashes(cli *c)
{
    cli_input **sorted = cli_inputs_sorted(&c->inputs);
    int code = EXIT_FINE;

    if (!sorted)
        return cli_no_memory(c);
    for (size_t i = 1; i < c->inputs.count && code == EXIT_FINE; i++) {
        const char *a = sorted[i - 1]->rel, *b = sorted[i]->rel;
        if (strcmp(a, b) == 0) {
            code = cli_usage(c, "%s and %s would both be written to %s; run lvl once for each",
                             sorted[i - 1]->name, sorted[i]->name, b);
        } else if (cli_ending(a) - a == cli_ending(b) - b &&
                   strncmp(a, b, (size_t)(cli_ending(a) - a)) == 0) {
            sorted[i - 1]->name_taken = sorted[i]->name_taken = true;
        }
    }
    free(sorted);
    return code;
}

/* "2,571" */
static const char *grouped(char buf[32], size_t n)
{
    char digits[24];
    const int len = snprintf(digits, sizeof digits, "%zu", n);
    char *to = buf;

    for (int i = 0; i < len; i++) {
        if (i && (len - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = 0;
    return buf;
}

/* Appends ", 3 WORD" unless n is 0. */
static void add_count(lvl_buffer *line, const char *gap, size_t n, const char *word)
{
    char buf[32];

    if (n)
        lvl_buffer_printf(line, "%s%s %s", gap, grouped(buf, n), word);
}

static void count_line(cli *c, const struct run *r)
{
    const cli_batch *b = r->batch;
    /* with a failed_word ("different"), failed jobs were done, too */
    const size_t done = (b->failed_word ? r->done : r->done - r->failed) - r->idle - r->unsaved,
                 all = r->done + r->no_match;
    lvl_buffer line = {0};
    char buf[32];

    if (b->match_word) {
        lvl_buffer_printf(&line, "%s file%s: ", grouped(buf, all), all == 1 ? "" : "s");
        lvl_buffer_printf(&line, "%s %s", grouped(buf, done), b->match_word);
    } else {
        lvl_buffer_printf(&line, "%s file%s %s", grouped(buf, done), done == 1 ? "" : "s", b->done_word);
    }
    if (b->idle_word && (r->idle || !b->match_word))
        lvl_buffer_printf(&line, ", %s %s", grouped(buf, r->idle), b->idle_word);
    add_count(&line, ", ", r->no_match, "without a match");
    add_count(&line, ", ", r->unsaved, "not saved");
    if (r->failed || !b->match_word)
        lvl_buffer_printf(&line, ", %s %s", grouped(buf, r->failed),
                          b->failed_word ? b->failed_word : "failed");
    add_count(&line, "; ", r->foreign, "foreign");
    add_count(&line, r->foreign ? ", " : "; ", r->other, "of other formats");
    lvl_buffer_str(&line, r->foreign || r->other ? " skipped" : "");
    lvl_buffer_u8(&line, 0);
    if (line.status == LVL_OK)
        cli_report(c, "%s", (const char *)line.data);
    lvl_buffer_free(&line);
}

/* Flushes the output folder to disk. */
static int flush_all(cli *c)
{
    lvl_file_error why = {0};
    const lvl_status status = lvl_folder_flush(c->opt.output, &why);

    return status == LVL_OK ? EXIT_FINE : cli_report_file(c, c->opt.output, status, &why);
}

int cli_run_args(cli *c, const cli_batch *batch)
{
    const int code = cli_take_inputs(c, 0, c->args.count);

    return code ? code : cli_run(c, batch);
}

/* Prints what the jobs said of results that were saved after them, and counts those that were not. */
static void print_saved(struct run *r, bool all_saved)
{
    cli *c = r->c;

    for (size_t i = 0; i < c->inputs.count; i++) {
        const cli_input *in = &c->inputs.items[i];
        const bool saved =
            r->batch->save ? all_saved : cli_archive_is_saved(in->opened ? in->opened : in->archive);
        r->unsaved += in->has_changed && !saved;
        if (saved) {
            cli_out(c, in->saved_out.data, in->saved_out.len);
            cli_err(c, in->saved_err.data, in->saved_err.len);
        }
    }
}

/* With --json, the members that were saved: into their archive or into a copy of that. */
static int list_members(cli *c)
{
    lvl_buffer line = {0};

    for (size_t i = 0; i < c->inputs.count && c->opt.json && !c->opt.dry_run; i++) {
        const cli_input *in = &c->inputs.items[i];
        if (!in->has_changed || !cli_archive_is_saved(in->opened ? in->opened : in->archive))
            continue;
        /* the name begins with the archive's name */
        const char *in_copy = c->copy ? in->name + strlen(cli_archive_name(c->copied)) : NULL;
        char *path = in_copy ? cli_format("%s%s", c->copy, in_copy) : cli_copy(in->name);
        line.len = 0;
        cli_json_begin(&line, in->name);
        lvl_json_put_string(&line, "output", path);
        lvl_buffer_str(&line, "}\n");
        if (!path || line.status != LVL_OK) {
            free(path);
            lvl_buffer_free(&line);
            return cli_no_memory(c);
        }
        cli_out(c, line.data, line.len);
        free(path);
    }
    lvl_buffer_free(&line);
    return EXIT_FINE;
}

int cli_run(cli *c, const cli_batch *batch)
{
    struct run r = {.c = c, .batch = batch, .code = EXIT_FINE};
    int code = batch->output ? cli_output_check(c, batch->output) : EXIT_FINE;

    if (!code && batch->art)
        code = cli_art_try(c);
    if (!code && c->out_is_dir && batch->output)
        code = find_clashes(c);
    if (!code && c->opt.in_place && !cli_inputs_dedupe(&c->inputs))
        code = cli_no_memory(c);
    if (code)
        return code;
    c->user = batch->user;
    enum { MANY = 16 };
    c->together = c->together || (c->out_is_dir && c->opt.output && c->inputs.count >= MANY);
    /* what was saved is also listed: a signal ends the run after the results of all jobs that were begun */
    const bool waits = c->inputs.count > 1 && (c->opt.in_place || batch->output) && !c->opt.choose;
    if (waits)
        cli_save_begin();
    lvl_pool_run(c->jobs, c->inputs.count, run_work, run_done, run_weigh, &r);
    if (waits)
        cli_save_end();
    cli_progress_clear(c);
    if (c->together && lvl_file_kind_of(c->opt.output) == LVL_FILE_FOLDER)
        r.code = cli_max_exit_code(r.code, flush_all(c));
    if (r.failed == r.done && !r.members)
        c->copy = NULL; /* every job failed and changed nothing: no copy */
    if (!cli_stopped()) { /* an interrupted run does not change archives */
        const int saved = batch->save ? batch->save(c) : cli_archives_save(c);
        r.code = cli_max_exit_code(r.code, saved);
        print_saved(&r, saved == EXIT_FINE);
    }
    r.code = cli_max_exit_code(r.code, list_members(c));
    const bool counts = batch->done_word || batch->match_word;
    if (c->inputs.batch && counts && !c->opt.quiet && !cli_stopped())
        count_line(c, &r);
    if (!r.done && r.code == EXIT_FINE && !cli_stopped()) {
        if (!r.no_match && (!counts || c->opt.quiet))
            cli_report(c, "no file that `lvl %s' can read", c->verb->name);
        else if (r.other && !c->opt.quiet)
            cli_report(c,
                       "no file has a format for which this is possible; give the name of a file to see why");
        return EXIT_NEGATIVE;
    }
    return r.code;
}

int cli_run_whole(cli *c, const cli_batch *batch, const char *what, const char *name, cli_work whole)
{
    const int code = cli_run(c, batch);

    if (cli_stopped())
        return code;
    if (code != EXIT_ENVIRONMENT)
        return cli_max_exit_code(code, cli_job_whole(c, name, whole));
    cli_report(c, "no %s written: a file could not be read", what);
    return code;
}
