/*
 * cli/jobs/batch.c: one verb over many inputs. Jobs run on the pool's threads; their output is printed in the
 * order of the inputs.
 */
#include "cli/cli.h"

#include "os/pool.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* Adds one of several inputs; `listed`: by --from0. Returns the exit code. */
static int take_input(cli *c, const char *path, bool listed, bool several)
{
    const bool dash = strcmp(path, "-") == 0;

    if (dash && listed) /* programs list names of files, and none means standard input */
        path = "./-";
    else if (dash && c->opt->from0 && strcmp(c->opt->from0, "-") == 0)
        return cli_usage(c, "--from0 -: standard input has the list, so it cannot be an input, too");
    if (listed && !*path)
        return cli_usage(c, "--from0 %s: expected a path before each NUL, found none", c->opt->from0);
    return cli_input_add(c, &c->inputs, path, several) ? EXIT_FINE : cli_no_memory(c);
}

/* Adds the paths of --from0, each ended by a NUL. */
static int take_listed(cli *c)
{
    const uint64_t most = c->ctx.limits.input_bytes;
    lvl_file_error why = {0};
    lvl_buffer list = {0};

    const lvl_status status = strcmp(c->opt->from0, "-") == 0
                                  ? lvl_file_read_stdin(&list, most, &why)
                                  : lvl_file_read(&list, c->opt->from0, most, &why);
    int code = status == LVL_OK ? EXIT_FINE : cli_report_file(c, c->opt->from0, status, &why);
    if (!code && list.len && list.data[list.len - 1])
        code = cli_usage(c, "--from0 %s: expected a NUL after each path, as `lvl find -0' prints",
                         c->opt->from0);
    for (size_t i = 0; i < list.len && !code; i += strlen((const char *)list.data + i) + 1)
        code = take_input(c, (const char *)list.data + i, true, true);
    c->inputs.batch = true;
    lvl_buffer_free(&list);
    return code;
}

int cli_take_inputs(cli *c, size_t first, size_t count)
{
    int code = EXIT_FINE;

    if (first + count > c->args.count || (!count && !c->opt->from0))
        return cli_usage(c, "no input file");
    if (c->opt->from0)
        code = take_listed(c);
    for (size_t i = 0; i < count && !code; i++)
        code = take_input(c, c->args.items[first + i], false, count > 1);
    if (code || !count)
        return code;
    if (count > 1)
        c->inputs.batch = true;
    /* other commands take the output file as the last argument */
    const char *last = c->args.items[first + count - 1];
    if (count == 2 && c->inputs.count && !c->opt->output && !c->opt->in_place &&
        cli_option_find("output", 6, c->verb) && c->inputs.items[c->inputs.count - 1].error_text &&
        cli_names_a_file(last) && lvl_file_kind_of(last) == LVL_FILE_NONE)
        return cli_usage(c, "%s does not exist; to write it, use -o %s", last, last);
    return EXIT_FINE;
}

/* What became of the inputs. */
typedef struct tally {
    size_t done; /* including those that failed or needed nothing */
    size_t failed;
    size_t idle; /* needed nothing */
    size_t no_match;
    size_t foreign, other; /* skipped: of no format that lvl knows, of one that the verb cannot use */
    size_t unsaved;
} tally;

struct run {
    cli *c;
    const cli_batch *batch;
    int code;
    tally tally;
    size_t members; /* inputs with a result that is saved after all jobs */
    bool full; /* the disk is, and jobs are left */
};

/* ---- jobs -------------------------------------------------------------------------------------------- */

static void *run_work(void *user, size_t index)
{
    const struct run *r = user;
    cli_input *in = &r->c->inputs.items[index];
    cli_job *job = calloc(1, sizeof *job);

    if (!job)
        return NULL;
    cli_job_begin(job, r->c, in);
    job->look = in->look;
    in->look = NULL;
    job->target = r->batch->output && r->c->plan->targets ? &r->c->plan->targets[index] : NULL;
    job->tag = job->input->error_text ? -1 : 0;
    if (job->input->error_text)
        cli_job_fail(job, job->input->code, "%s", job->input->error_text);
    else if (!cli_stopped() && cli_target_ready(job, false))
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

static void count_job(struct run *r, const cli_job *job)
{
    cli *c = r->c;
    tally *t = &r->tally;

    if (job->outcome == CLI_DONE || job->code != EXIT_FINE) {
        t->done++;
        t->failed += job->code != EXIT_FINE;
        t->idle += job->code == EXIT_FINE && job->idle;
        r->code = cli_max_exit_code(r->code, job->code);
    } else if (job->outcome == CLI_NO_MATCH) {
        t->no_match++;
    } else {
        t->foreign += job->outcome == CLI_SKIPPED_FOREIGN;
        t->other += job->outcome == CLI_SKIPPED_OTHER;
        if (c->opt->verbose)
            cli_report(c, "%s: skipped, %s", job->input->shown,
                       job->outcome == CLI_SKIPPED_FOREIGN ? "an unknown format" : job->format->title);
    }
}

/* Moves results that are saved after all jobs, and their messages, to the input. */
static void keep_result(struct run *r, cli_job *job, cli_input *in)
{
    if (job->has_member) {
        in->changed = job->member;
        lvl_buffer_fit(&in->changed); /* there may be thousands */
        in->lock = job->kept_lock;
        job->kept_lock = NULL;
        in->has_changed = true;
        r->members++;
    }
    if (job->has_member || r->batch->save) {
        in->saved_out = job->saved_out;
        in->saved_err = job->saved_err;
        job->saved_out = job->saved_err = (lvl_buffer){0};
    }
}

static void free_job(cli_job *job)
{
    lvl_buffer_free(&job->out);
    lvl_buffer_free(&job->err);
    lvl_buffer_free(&job->saved_out);
    lvl_buffer_free(&job->saved_err);
    lvl_file_lock_free(job->kept_lock);
    free(job->note);
    free(job);
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
    cli_print_job(c, job);
    count_job(r, job);
    if (r->batch->after)
        r->batch->after(c, job);
    keep_result(r, job, &c->inputs.items[index]);
    if (c->inputs.count > 1)
        cli_progress(c, index + 1, c->inputs.count, job->input->shown);
    r->full = r->full || (job->full && index + 1 < c->inputs.count);
    free_job(job);
    return !r->full && !cli_stopped();
}

/* ---- before the jobs --------------------------------------------------------------------------------- */

static int prepare(cli *c, const cli_batch *batch)
{
    int code = batch->output ? cli_plan_make(c, batch->output) : EXIT_FINE;

    if (!code && batch->art)
        code = cli_art_try(c);
    return code;
}

/* ---- after the jobs ---------------------------------------------------------------------------------- */

/* Flushes the output folder to disk. */
static int flush_all(cli *c)
{
    lvl_file_error why = {0};
    const lvl_status status = lvl_folder_flush(c->plan->output, &why);

    return status == LVL_OK ? EXIT_FINE : cli_report_file(c, c->plan->output, status, &why);
}

/* Whether an input has a result that was saved. */
static bool is_saved(const struct run *r, const cli_input *in, bool all_saved)
{
    return r->batch->save ? all_saved : cli_archive_is_saved(in->opened ? in->opened : in->archive);
}

/* Prints the messages of results that were saved after the jobs, and counts those that were not saved. */
static void print_saved(struct run *r, bool all_saved)
{
    cli *c = r->c;

    for (size_t i = 0; i < c->inputs.count; i++) {
        const cli_input *in = &c->inputs.items[i];
        const bool saved = is_saved(r, in, all_saved);
        r->tally.unsaved += in->has_changed && !saved;
        if (saved) {
            cli_out(c, in->saved_out.data, in->saved_out.len);
            cli_err(c, in->saved_err.data, in->saved_err.len);
        }
    }
}

/* Lists a result that was saved after the jobs (--json), or would be (-n). */
static void list_saved(const cli *c, const cli_input *in, lvl_buffer *out, lvl_buffer *err)
{
    /* the name begins with the archive's name */
    const char *below = c->plan->copied ? in->name + strlen(cli_archive_name(c->plan->copied)) : "";
    char *path = cli_format("%s%s", c->plan->copied ? c->plan->output : in->name, below);

    if (path)
        cli_list_output(c, in, path, out, err);
    if (!path)
        err->status = LVL_ERR_MEMORY;
    free(path);
}

/* With --json, lists the members that were saved, into their archive or into a copy of that; with -n,
 * everything that would be saved after the jobs. */
static int list_results(struct run *r, bool all_saved)
{
    cli *c = r->c;
    const bool members = c->opt->json && !r->batch->save;
    lvl_buffer out = {0}, err = {0};

    for (size_t i = 0; i < c->inputs.count && (members || c->opt->dry_run); i++) {
        const cli_input *in = &c->inputs.items[i];
        if (in->has_changed && is_saved(r, in, all_saved))
            list_saved(c, in, &out, &err);
    }
    /* a copy is made even if nothing in it is different */
    if (c->opt->dry_run && !r->members && cli_archive_is_saved(c->plan->copied))
        cli_list_output(c, &c->inputs.items[0], c->plan->output, &out, &err);
    const bool good = out.status == LVL_OK && err.status == LVL_OK;
    cli_out(c, out.data, out.len);
    cli_err(c, err.data, err.len);
    lvl_buffer_free(&out);
    lvl_buffer_free(&err);
    return good ? EXIT_FINE : cli_no_memory(c);
}

/* Saves the results that are saved together. */
static void save_results(struct run *r)
{
    cli *c = r->c;

    /* no copy if every job failed and changed nothing */
    const bool copies = r->tally.failed != r->tally.done || r->members;
    if (cli_stopped()) /* an interrupted run does not change archives */
        return;
    const int saved = r->batch->save ? r->batch->save(c) : cli_archives_save(c, copies);
    r->code = cli_max_exit_code(r->code, saved);
    print_saved(r, saved == EXIT_FINE);
    r->code = cli_max_exit_code(r->code, list_results(r, saved == EXIT_FINE));
}

/* ---- the count line ---------------------------------------------------------------------------------- */

/* "2,571" */
static const char *group_digits(char buf[32], size_t n)
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
        lvl_buffer_printf(line, "%s%s %s", gap, group_digits(buf, n), word);
}

static void print_counts(cli *c, const struct run *r)
{
    const cli_batch *b = r->batch;
    const tally *t = &r->tally;
    /* with a failed_word ("different"), failed jobs were done, too */
    const size_t done = (b->failed_word ? t->done : t->done - t->failed) - t->idle - t->unsaved,
                 all = t->done + t->no_match;
    lvl_buffer line = {0};
    char buf[32];

    if (b->match_word) {
        lvl_buffer_printf(&line, "%s file%s: ", group_digits(buf, all), all == 1 ? "" : "s");
        lvl_buffer_printf(&line, "%s %s", group_digits(buf, done), b->match_word);
    } else {
        lvl_buffer_printf(&line, "%s file%s %s", group_digits(buf, done), done == 1 ? "" : "s", b->done_word);
    }
    if (b->idle_word && (t->idle || !b->match_word))
        lvl_buffer_printf(&line, ", %s %s", group_digits(buf, t->idle), b->idle_word);
    add_count(&line, ", ", t->no_match, "without a match");
    add_count(&line, ", ", t->unsaved, "not saved");
    if (t->failed || !b->match_word)
        lvl_buffer_printf(&line, ", %s %s", group_digits(buf, t->failed),
                          b->failed_word ? b->failed_word : "failed");
    add_count(&line, "; ", t->foreign, "foreign");
    add_count(&line, t->foreign ? ", " : "; ", t->other, "of other formats");
    lvl_buffer_str(&line, t->foreign || t->other ? " skipped" : "");
    lvl_buffer_u8(&line, 0);
    if (line.status == LVL_OK)
        cli_report(c, "%s", (const char *)line.data);
    lvl_buffer_free(&line);
}

/* The code of a run in which no file was one for the verb. */
static int report_nothing_done(cli *c, const tally *t, bool counts)
{
    if (!t->no_match && (!counts || c->opt->quiet))
        cli_report(c, "no file that `lvl %s' can read", c->verb->name);
    else if (t->other && !c->opt->quiet)
        cli_report(c, "no file has a format for which this is possible; give the name of a file to see why");
    return EXIT_NEGATIVE;
}

/* ---- the run ----------------------------------------------------------------------------------------- */

/* Runs the jobs. */
static void run_jobs(struct run *r)
{
    cli *c = r->c;

    c->user = r->batch->user;
    /* what was saved is also listed: a signal ends the run after the results of all jobs that were begun */
    const bool waits = c->inputs.count > 1 && (c->opt->in_place || r->batch->output) && !c->opt->choose;
    if (waits)
        cli_save_begin();
    lvl_pool_run(c->jobs, c->inputs.count, run_work, run_done, run_weigh, r);
    if (waits)
        cli_save_end();
    cli_progress_clear(c);
    if (r->full) /* after the messages of jobs that had begun */
        cli_report(c, "stopped: the disk is full");
    if (c->plan->together && lvl_file_kind_of(c->plan->output) == LVL_FILE_FOLDER)
        r->code = cli_max_exit_code(r->code, flush_all(c));
}

int cli_run(cli *c, const cli_batch *batch)
{
    struct run r = {.c = c, .batch = batch, .code = EXIT_FINE};
    const bool counts = batch->done_word || batch->match_word;

    const int code = prepare(c, batch);
    if (code)
        return code;
    run_jobs(&r);
    save_results(&r);
    if (c->inputs.batch && counts && !c->opt->quiet && !cli_stopped())
        print_counts(c, &r);
    if (!r.tally.done && r.code == EXIT_FINE && !cli_stopped())
        return report_nothing_done(c, &r.tally, counts);
    return r.code;
}

int cli_run_args(cli *c, const cli_batch *batch)
{
    const int code = cli_take_inputs(c, 0, c->args.count);

    return code ? code : cli_run(c, batch);
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
