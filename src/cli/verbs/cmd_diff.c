/*
 * cli/verbs/cmd_diff.c: `lvl diff`: compares two files, or folders or git revisions file by file, as text, as
 * a picture, or as a page for a review.
 */
#include "base/work.h"
#include "cli/compare/compare.h"

#include "base/text.h"

#include <stdlib.h>

static void report_difference(cli_job *job)
{
    job->code = cli_max_exit_code(job->code, EXIT_NEGATIVE);
}

/* ---- a file on one side ------------------------------------------------------------------------------ */

static void print_single(cli_job *job, cli_presence presence)
{
    const bool in_b = presence == CLI_ONLY_IN_B;

    if (job->c->opt->json) {
        cli_json_begin(&job->out, job->input->name);
        lvl_json_put_string(&job->out, "change", in_b ? "insert" : "remove");
        lvl_buffer_str(&job->out, "}\n");
    } else if (!job->c->opt->html) {
        lvl_buffer_printf(&job->out, "only in %s: %s\n", ((const cli_sides *)job->c->user)->names[in_b],
                          job->input->rel);
    }
}

static void diff_single(cli_job *job, cli_presence presence)
{
    const bool is_known = cli_job_open(job, 0);

    if (is_known)
        job->code = EXIT_NEGATIVE;
    if (job->c->opt->html && (is_known || cli_diff_is_listed(job)))
        cli_diff_add_single(job, presence, is_known);
    if (is_known)
        print_single(job, presence);
}

/* ---- a pair: its lines, which are printed, or put into the page --------------------------------------- */

/* Prints lines of the comparison, unless there is a page. */
static void print_lines(cli_job *job, const lvl_buffer *lines)
{
    if (job->c->opt->html)
        return;
    if (job->c->opt->json)
        cli_job_lines(job, lines);
    else
        lvl_buffer_add(&job->out, lines->data, lines->len);
}

/* Whether the comparison is JSON; a page is made of that. */
static bool is_json(const cli_job *job)
{
    return job->c->opt->json || job->c->opt->html;
}

/* A file with another path, and the same content. */
static void report_rename(cli_job *job, lvl_buffer *lines)
{
    char *before = cli_shown(job->input->before), *now = cli_shown(job->input->name);

    if (!before || !now) {
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    } else if (is_json(job)) {
        lvl_buffer_u8(lines, '{');
        lvl_json_put_string(lines, "change", "rename");
        lvl_json_put_string(lines, "old", job->input->before);
        lvl_buffer_str(lines, "}\n");
    } else {
        lvl_buffer_printf(lines, "renamed: %s -> %s\n", before, now);
    }
    print_lines(job, lines);
    report_difference(job);
    free(before);
    free(now);
}

/* Two files whose formats have no records in common. */
static void report_formats(cli_job *job, const cli_job *other, lvl_buffer *lines)
{
    report_difference(job);
    if (is_json(job)) {
        lvl_buffer_u8(lines, '{');
        lvl_json_put_string(lines, "change", "format");
        lvl_json_put_string(lines, "old", job->format->id);
        lvl_json_put_string(lines, "new", other->format->id);
        lvl_buffer_str(lines, "}\n");
    } else {
        lvl_buffer_printf(lines, "%s and %s are of different formats: %s, %s\n", job->input->shown,
                          other->input->shown, job->format->title, other->format->title);
    }
    print_lines(job, lines);
}

/* The comparison of two archives does not show what changed in their members. Files with labels are those of
 * another program (git), which it removes afterwards. */
static void hint_members(cli_job *job, const cli_job *other)
{
    const unsigned can = lvl_format_can(job->format);
    const bool packs = (can & LVL_CAN_EXTRACT) && !(can & LVL_CAN_RENDER);

    if (packs && !job->c->inputs.batch && !job->c->opt->quiet && job->input->path && other->input->path &&
        !job->input->archive && !job->c->opt->labels.count)
        lvl_buffer_printf(&job->err, "lvl: to compare their members: lvl diff %s// %s//\n", job->input->shown,
                          other->input->shown);
}

/* What the comparison calls a side: its label, or its file. A page replaces them. */
static const char *label_of(const cli_job *job, size_t side)
{
    const cli_strings *labels = &job->c->opt->labels;

    if (job->c->opt->html)
        return NULL;
    return side < labels->count ? labels->items[side] : job->input->shown;
}

/* Compares two documents as text. */
static lvl_status compare(const cli_job *job, const cli_job *other, bool *different, lvl_buffer *lines)
{
    const lvl_diff_options options = {.json = is_json(job),
                                      .summary = job->c->opt->summary,
                                      .a = label_of(job, 0),
                                      .b = label_of(other, 1)};

    lvl_status status = lvl_doc_open(job->doc);
    if (status == LVL_OK)
        status = lvl_doc_open(other->doc);
    return status == LVL_OK ? lvl_diff(job->doc, other->doc, &options, different, lines) : status;
}

/* Compares two files of one format, or of two that share their records; returns whether they differ. */
static bool compare_pair(cli_job *job, cli_job *other, lvl_buffer *lines)
{
    bool different = false;

    const lvl_status status = compare(job, other, &different, lines);
    cli_job_status(job, status, NULL, NULL);
    print_lines(job, lines);
    if (!different && status == LVL_OK && job->input->before)
        report_rename(job, lines);
    if (different) {
        report_difference(job);
        hint_members(job, other);
    }
    /* in a batch, no pictures of files that are the same */
    if (status == LVL_OK && job->c->opt->image && (different || !job->c->inputs.batch))
        cli_diff_save_image(job, other);
    return different;
}

/* Reads both sides, so that both are reported if they cannot be read. */
static bool read_pair(cli_job *job, cli_job *other)
{
    const bool read = cli_job_read(job, 0);

    if (other->input->error_text) {
        cli_job_fail(other, other->input->code, "%s", other->input->error_text);
        return false;
    }
    return cli_job_read(other, 0) && read;
}

static void diff_pair(cli_job *job, cli_job *other)
{
    lvl_buffer lines = {.max = lvl_memory_share(&job->ctx)};
    bool different = false;

    if (job->format->table == other->format->table)
        different = compare_pair(job, other, &lines);
    else
        report_formats(job, other, &lines);
    if (job->c->opt->html && (job->code || other->code))
        cli_diff_add_pair(job, other, different, &lines);
    lvl_buffer_free(&lines);
}

static void diff_job(cli_job *job)
{
    const cli_sides *s = job->c->user;
    const cli_presence presence = cli_diff_presence(job);
    cli_job other = {0};

    if (presence != CLI_IN_BOTH) {
        diff_single(job, presence);
        return;
    }
    cli_job_begin_beside(&other, job, s->pair[job->input - job->c->inputs.items]);
    const bool read = read_pair(job, &other);
    if (read)
        diff_pair(job, &other);
    const bool listed = cli_diff_is_listed(job) || cli_diff_is_listed(&other);
    cli_job_join(job, &other);
    if (!read && listed && job->c->opt->html)
        cli_diff_add_failed(job); /* with the messages of both */
}

/* ---- the verb ---------------------------------------------------------------------------------------- */

static int take_options(cli *c, cli_sides *s)
{
    uint64_t size = 0;

    if (c->opt->image && c->opt->html)
        return cli_usage(c, "--image and --html exclude each other");
    if (!c->opt->git && c->args.count != 2)
        return cli_usage(c, "expected two files or two folders: A B");
    const int code =
        c->opt->html && !cli_is_stdout(c->opt->html) ? cli_may_create(c, c->opt->html) : EXIT_FINE;
    if (code)
        return code;
    if (c->opt->size && !cli_number(c->opt->size, UINT32_MAX, &size))
        return cli_usage(c, "--size: expected a number, got `%s'", c->opt->size);
    s->size = (uint32_t)size;
    return EXIT_FINE;
}

static int compare_sides(cli *c, cli_sides *s)
{
    cli_output image = cli_diff_image;
    image.name = c->opt->image;
    const cli_batch batch = {.work = diff_job,
                             .after = c->opt->html ? cli_diff_take_section : NULL,
                             .user = s,
                             .done_word = "compared",
                             .failed_word = "different",
                             .output = c->opt->image ? &image : NULL};
    const bool are_same = c->opt->git && !c->inputs.count; /* two revisions without a difference */

    int code = are_same ? EXIT_FINE : cli_run(c, &batch);
    if (c->opt->html && !cli_stopped())
        code = cli_max_exit_code(code, cli_job_whole(c, c->opt->html, cli_diff_write_page));
    return code;
}

int cmd_diff(cli *c)
{
    cli_sides s = {0};

    c->user = &s;
    int code = take_options(c, &s);
    if (!code)
        code = c->opt->git ? cli_diff_take_revisions(c, &s) : cli_diff_take_arguments(c, &s);
    if (!code && (c->opt->html || c->opt->image))
        code = cli_art_try(c);
    if (!code)
        code = compare_sides(c, &s);
    cli_sides_free(&s);
    return code;
}
