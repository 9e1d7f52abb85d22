/*
 * cli/verbs/cmd_copy.c: `lvl copy`: copies records, cells and values from one file into others.
 */
#include "cli/cli.h"
#include "tools/edit/move.h"

#include <string.h>

typedef struct copying {
    cli_inputs from;
    const char *from_path, *to_path;
    lvl_move_options move;
    bool moves;
} copying;

/* Whether the target's format does not have the field, although the source does. */
static bool field_is_missing(const cli_job *job, const cli_job *from, const copying *w)
{
    lvl_buffer out = {0};
    bool missing = lvl_findings_count(job->findings) &&
                   strcmp(lvl_findings_at(job->findings, 0)->def->id, "lvl.path.name") == 0;

    if (missing && w->from_path)
        missing = lvl_get(from->doc, w->from_path, NULL, &out, NULL, NULL) == LVL_OK;
    lvl_buffer_free(&out);
    return missing;
}

/* Whether items of the file would be replaced by others of their names, which needs -y. */
static bool would_replace(cli_job *job)
{
    size_t replaced = 0;

    for (size_t i = 0; i < lvl_findings_count(job->findings); i++)
        replaced += strcmp(lvl_findings_at(job->findings, i)->def->id, "lvl.copy.replaced") == 0;
    if (!replaced || job->c->opt->yes || job->c->opt->dry_run)
        return false;
    cli_job_findings(job, job->findings, LVL_WARNING);
    cli_job_fail(job, EXIT_NEGATIVE,
                 "not changed: %zu item%s of the same name would be replaced; -y replaces", replaced,
                 replaced == 1 ? "" : "s");
    return true;
}

static void copy(cli_job *job, const cli_job *from, const copying *w)
{
    size_t copied = 0;

    lvl_findings_clear(job->findings);
    const lvl_status status = lvl_copy_moved(job->doc, w->to_path, from->doc, w->from_path,
                                             w->moves ? &w->move : NULL, &copied, job->findings);
    if (status == LVL_OK && would_replace(job))
        return;
    if (status == LVL_OK)
        cli_edit_deliver(job, copied, "it had all of it already");
    else if (job->c->inputs.batch &&
             (status == LVL_ERR_MISSING || (status == LVL_ERR_ARG && field_is_missing(job, from, w))))
        cli_edit_no_match(job);
    else
        cli_job_status(job, status, job->findings, NULL);
}

/* Whether the source is cut off or damaged: what is missing from it would be lost in a file that is changed
 * in place. */
static bool is_incomplete(cli_job *job, const cli_job *from)
{
    const bool lost = cli_changes_inputs(job->c) && !job->damaged && /* reported at the end */
                      lvl_doc_cuts(from->doc);

    if (lost)
        cli_job_fail(job, EXIT_NEGATIVE,
                     "not changed: %s is cut off or damaged, and what is missing from it would be lost here, "
                     "too; repair it first (`lvl repair'), or write the result to another file with -o FILE",
                     from->input->shown);
    return lost;
}

static void copy_job(cli_job *job)
{
    const copying *w = job->c->user;
    cli_job from = {0};

    cli_job_begin_beside(&from, job, &w->from.items[0]);
    if (cli_edit_read(job) && cli_job_read(&from, 0) && !is_incomplete(job, &from))
        copy(job, &from, w);
    cli_job_join(job, &from);
}

/* Reads standard input and pipes before the first job, since they can be read only once. */
static int read_once(cli *c, cli_input *from)
{
    cli_job job = {0};

    if (from->path && lvl_file_kind_of(from->path) != LVL_FILE_OTHER)
        return EXIT_FINE;
    cli_job_begin(&job, c, from);
    if (cli_job_bytes(&job)) {
        from->content = job.storage;
        from->has_content = true;
        job.storage = (lvl_buffer){0};
    }
    cli_job_end(&job);
    return job.code;
}

int cmd_copy(cli *c)
{
    copying w = {0};
    const cli_batch batch = {.work = copy_job,
                             .user = &w,
                             .output = &cli_edit_output,
                             .match_word = c->opt->dry_run ? "would change" : "changed",
                             .idle_word = "had it already"};

    const size_t to = c->opt->tiles ? 1 : 2;
    if (c->args.count != to + 1 && (c->opt->tiles || c->args.count != to + 2))
        return cli_usage(c, c->opt->tiles ? "expected FROM TO" : "expected FROM PATH TO [PATH]");
    if (strcmp(c->args.items[0], "-") == 0 && strcmp(c->args.items[to], "-") == 0)
        return cli_usage(c, "FROM and TO cannot both be standard input");
    w.from_path = c->opt->tiles ? NULL : c->args.items[1];
    w.to_path = c->args.count == to + 2 ? c->args.items[to + 1] : NULL;
    w.moves = c->opt->tiles || c->opt->by;
    int code = w.moves ? cli_take_move(c, c->opt->by ? c->opt->by : "0,0", &w.move) : EXIT_FINE;
    if (!code && c->opt->unit && !c->opt->by)
        code = cli_usage(c, "--unit needs --by");
    if (!code)
        code = cli_input_one(c, &w.from, c->args.items[0], "");
    if (!code && !cli_input_add(c, &c->inputs, c->args.items[to], false))
        code = cli_no_memory(c);
    if (!code)
        code = read_once(c, &w.from.items[0]);
    if (!code)
        code = cli_run(c, &batch);
    cli_inputs_free(&w.from);
    return code;
}
