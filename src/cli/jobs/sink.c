/*
 * cli/jobs/sink.c: where the bytes of a job go: standard output, a file, a file in a folder, the input
 * itself, or a member of an archive.
 *
 *  1. Begin takes the target of the plan (plan.c). What is there is locked, then checked: a file that exists
 *     or is read-only, a link that leads out of a folder, a pipe, damage that would be hidden. The same check
 *     is made before the work (cli_target_ready), so that no work is done that cannot be saved.
 *  2. Put appends bytes: to the job's output, to the new content of a member, to a file without a name.
 *  3. Commit gives the file its name, unless another program has changed it meanwhile, and lists it with
 *     --json. Members wait for the end of the run; their archive is then written here, too (archives.c).
 *
 * With -n the same happens, but nothing is written, and the target is listed. Every reason why something is
 * not written is reported here.
 */
#include "cli/cli.h"

#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- reasons not to write ----------------------------------------------------------------------------- */

/* Cuts a path at the last link on it below its root. */
static void cut_at_link(char *path, size_t root)
{
    for (size_t i = strlen(path); i > root && !lvl_file_is_link(path);) {
        while (i > root && path[i - 1] != '/' && path[i - 1] != '\\')
            i--;
        while (i > root && (path[i - 1] == '/' || path[i - 1] == '\\'))
            i--;
        path[i] = 0;
    }
}

/* Cuts a path at the file that should be a folder; false: there is none on it. */
static bool cut_at_file(char *path)
{
    lvl_file_kind kind = LVL_FILE_NONE;

    for (size_t i = strlen(path); i && kind == LVL_FILE_NONE; kind = i ? lvl_file_kind_of(path) : kind) {
        while (i && path[i - 1] != '/' && path[i - 1] != '\\')
            i--;
        while (i && (path[i - 1] == '/' || path[i - 1] == '\\'))
            i--;
        path[i] = 0;
    }
    return kind == LVL_FILE_REGULAR;
}

bool cli_stays_below(cli_job *job, size_t root, const char *path)
{
    if (lvl_file_stays_below(path, root))
        return true;
    const bool own = strcmp(path, job->input->name) == 0; /* the message begins with it */
    char *link = cli_copy(path), *file = cli_copy(path);
    if (file && cut_at_file(file)) {
        cli_job_fail(job, EXIT_ENVIRONMENT, "%s: not written: expected a folder, but %s is a file", path,
                     file);
    } else if (link && file) {
        cut_at_link(link, root);
        cli_job_fail(job, EXIT_NEGATIVE, "%s%snot written: %s is a symbolic link that leads out of %.*s",
                     own ? "" : path, own ? "" : ": ", link, (int)root, path);
    } else {
        cli_job_status(job, LVL_ERR_MEMORY, NULL, path);
    }
    free(file);
    free(link);
    return false;
}

static void fail_exists(cli_job *job, const char *path)
{
    if (!job->count_existing || job->c->opt->verbose)
        cli_job_fail_at(job, path, " ", CLI_EXISTS);
    job->existing++;
}

void cli_report_existing(cli_job *job)
{
    if (job->existing && !job->c->opt->verbose)
        cli_job_fail(job, EXIT_ENVIRONMENT,
                     "%zu file%s already exist%s below %s; -y replaces %s, -v names %s", job->existing,
                     job->existing == 1 ? "" : "s", job->existing == 1 ? "s" : "", job->c->plan->output,
                     job->existing == 1 ? "it" : "them", job->existing == 1 ? "it" : "them");
}

static bool may_write(cli_job *job, const char *path, bool replace)
{
    if (!cli_stays_below(job, cli_plan_root(job, path), path))
        return false;
    /* Tiled always passes -y: the user has not confirmed */
    if (replace && (!job->c->opt->yes || job->from_map) && lvl_file_is_read_only(path)) {
        cli_job_fail_at(job, path, " ",
                        job->from_map ? "is read-only; allow writing to it, or save under another name"
                                      : "is read-only; -y replaces it");
        return false;
    }
    if (lvl_file_kind_of(path) == LVL_FILE_OTHER &&
        cli_plan_root(job, path)) { /* the user did not name a pipe or device */
        cli_job_fail_at(job, path, ": ", "not written: it is a pipe or device");
        return false;
    }
    if (!cli_keeps_file(replace, path))
        return true;
    fail_exists(job, path);
    return false;
}

/* Whether the folder of an output file exists; -o DIR makes its own. */
static bool has_folder(cli_job *job, const char *path)
{
    const lvl_file_error why = {"create", ENOENT};
    char *folder = cli_format("%.*s", (int)(lvl_file_name(path) - path), path);
    const bool has = folder && (!*folder || lvl_file_kind_of(folder) != LVL_FILE_NONE);

    if (!has)
        cli_job_file_status(job, path, folder ? LVL_ERR_IO : LVL_ERR_MEMORY,
                            folder ? &why : &(lvl_file_error){0});
    free(folder);
    return has;
}

/* Whether a file was found in a folder, and may be none for the verb; its result goes to another one. */
static bool may_be_skipped(const cli_job *job)
{
    return !job->input->named && job->c->plan->place == CLI_TO_FOLDER;
}

bool cli_target_ready(cli_job *job, bool known)
{
    const cli_plan *p = job->c->plan;
    const cli_target *t = job->target;

    if (!t || p->kind.late || p->kind.folder || known != may_be_skipped(job))
        return true;
    if (t->refusal) {
        cli_job_fail(job, t->code, "%s", t->refusal);
        return false;
    }
    if (t->taken_by) /* what is there now may be the other's result */
        return true;
    /* whether a file is changed in place, only the work shows */
    if (p->place == CLI_TO_FOLDER)
        return may_write(job, t->path, p->replaces);
    return p->place != CLI_TO_FILE || (has_folder(job, t->path) && may_write(job, t->path, p->replaces));
}

/* Whether the output's name has the ending for the kind of drawing, or no ending of the format. */
static bool fits_kind(cli_job *job, const char *path)
{
    const char *ending = cli_ending(path);
    char kind[16];

    if (!job->doc || !*ending || job->c->plan->place == CLI_TO_FOLDER ||
        strcmp(ending, cli_ending(job->input->rel)) == 0 || !cli_has_ending(path, lvl_doc_format(job->doc)) ||
        cli_ending_fits(job, ending + 1, kind))
        return true;
    cli_job_fail(job, EXIT_USAGE, "the output is a %s, but %s has another ending; use .%s", kind, path, kind);
    return false;
}

/* Whether the job may change its input in place: not if a source is damaged, since the result would look
 * whole. Reports if not. */
static bool may_change_input(cli_job *job)
{
    if (!job->damaged || cli_verb_is(job->c, CLI_REPAIRS))
        return true;
    cli_job_fail(
        job, EXIT_NEGATIVE,
        "not changed: what could not be read of %s would be lost; write the result to a file outside "
        "of the archive with -o FILE",
        strcmp(job->damaged_name, job->input->shown) == 0 ? "it" : job->damaged_name);
    return false;
}

void cli_list_output(const cli *c, const cli_input *in, const char *path, lvl_buffer *out, lvl_buffer *err)
{
    const bool dry = c->opt->dry_run;

    if (c->opt->json) {
        cli_json_begin(out, in->name);
        lvl_json_put_string(out, "output", path ? path : "-");
        if (dry)
            lvl_json_put_bool(out, "written", false);
        lvl_buffer_str(out, "}\n");
    } else if (dry && !c->opt->quiet && path) {
        lvl_buffer_printf(err, "%s: not written (dry run)\n", path);
    } else if (dry && !c->opt->quiet) {
        lvl_buffer_printf(err, "%s: would be written to standard output (dry run)\n", in->shown);
    }
}

/* ---- begin -------------------------------------------------------------------------------------------- */

static void report_failed_save(cli_sink *sink)
{
    if (sink->status == LVL_ERR_FORMAT) {
        cli_job_fail_at(sink->job, sink->path, ": ", CLI_CHANGED);
        return;
    }
    sink->job->full = sink->why.step && sink->why.code == ENOSPC;
    if (sink->why.step && sink->why.code == EEXIST)
        fail_exists(sink->job, sink->path);
    else
        cli_job_file_status(sink->job, sink->path, sink->status, &sink->why);
}

/* Makes the folder of the path. */
static bool make_parent(cli_job *job, const char *path)
{
    lvl_file_error why = {0};
    char *dir = cli_format("%.*s", (int)(lvl_file_name(path) - path), path);
    const lvl_status status = dir ? lvl_folder_make(dir, &why) : LVL_ERR_MEMORY;

    cli_job_file_status(job, dir, status, &why);
    free(dir);
    return status == LVL_OK;
}

/* Opens the new file. With -o DIR, the first in a folder makes that. False: the job has failed. */
static bool open_save(cli_sink *sink, size_t root, unsigned flags)
{
    for (bool again = sink->job->c->plan->place == CLI_TO_FOLDER;; again = false) {
        sink->status = lvl_save_open(&sink->save, sink->path, root, flags, &sink->why);
        const int code = sink->why.step ? sink->why.code : 0;
        if (sink->save)
            return true;
        if (!again || (code != ENOENT && code != ENOTDIR)) {
            report_failed_save(sink);
            return false;
        }
        sink->why = (lvl_file_error){0};
        if (!make_parent(sink->job, sink->path))
            return false;
    }
}

/* Locks the file that is replaced, unless the job has done so. False: the job has failed. */
static bool lock_file(cli_sink *sink, bool replace, bool *own)
{
    cli_job *job = sink->job;

    *own = job->lock && lvl_file_same(sink->path, job->locked);
    if (*own || !replace || lvl_file_kind_of(sink->path) != LVL_FILE_REGULAR)
        return true;
    sink->status = cli_lock_file(sink->path, &sink->lock, &sink->why);
    if (sink->status != LVL_OK)
        cli_job_file_status(job, sink->path, sink->status, &sink->why);
    return sink->status == LVL_OK;
}

/* Opens the new file, after the check of what may be overwritten, under the lock of what is. */
static bool open_file(cli_sink *sink, bool replace)
{
    cli_job *job = sink->job;
    const unsigned flags = (replace ? (unsigned)LVL_SAVE_REPLACE : 0) |
                           (job->c->plan->together ? (unsigned)LVL_SAVE_TOGETHER : 0);
    bool own = false;

    bool good = lock_file(sink, replace, &own) && may_write(job, sink->path, replace);
    sink->cleans = good && lvl_file_kind_of(sink->path) != LVL_FILE_OTHER; /* writing to a pipe may block */
    if (sink->cleans)
        cli_save_begin();
    good = good && open_save(sink, cli_plan_root(job, sink->path), flags);
    if (good) {
        lvl_save_guard(sink->save, own ? job->lock : sink->lock);
        return true;
    }
    if (sink->cleans)
        cli_save_end();
    lvl_file_lock_free(sink->lock);
    return false;
}

/* Begins a file; takes the path. */
static bool begin_file(cli_sink *sink, char *path, bool replace)
{
    cli_job *job = sink->job;

    sink->path = path;
    if (!job->c->opt->dry_run && open_file(sink, replace))
        return true;
    if (job->c->opt->dry_run && may_write(job, path, replace)) {
        cli_list_output(job->c, job->input, path, &job->out, &job->err);
        return true;
    }
    free(path);
    return false;
}

static lvl_status put_piece(lvl_writer *writer, const void *data, size_t len);

static void init_sink(cli_sink *sink, cli_job *job)
{
    *sink = (cli_sink){.writer = {put_piece}, .job = job};
}

bool cli_sink_begin(cli_sink *sink, cli_job *job, const cli_output *kind)
{
    bool failed;

    init_sink(sink, job);
    sink->listed = job->c->opt->json;
    if (cli_changes_inputs(job->c) && !may_change_input(job))
        return false;
    if (job->target->member) { /* its archive is written at the end of the run */
        sink->buffer = &job->member;
        return job->c->plan->place != CLI_IN_PLACE || may_write(job, job->target->path, true);
    }
    char *path = cli_target_path(job, kind, &failed);
    if (failed)
        return false;
    if (!path && job->c->opt->dry_run) {
        if (job->c->plan->place == CLI_TO_STDOUT) /* else no output is named */
            cli_list_output(job->c, job->input, NULL, &job->out, &job->err);
        return true;
    }
    if (!path) {
        sink->buffer = &job->out;
        return true;
    }
    const cli_target *t = job->target;
    const bool taken = t->taken_by && strcmp(path, t->path) == 0;
    if (taken && strcmp(t->taken_by->name, job->input->name) == 0)
        cli_job_fail(job, EXIT_NEGATIVE,
                     "not written: another member has the same name, and is written to %s", path);
    else if (taken)
        cli_job_fail(job, EXIT_USAGE, "%s would be written to %s, too; run lvl once for each",
                     t->taken_by->shown, path);
    if (!taken && fits_kind(job, path))
        return begin_file(sink, path, job->c->plan->replaces);
    free(path);
    return false;
}

bool cli_sink_begin_file(cli_sink *sink, cli_job *job, const char *name, bool replace)
{
    char *path = cli_copy(name);

    init_sink(sink, job);
    if (path)
        return begin_file(sink, path, replace);
    cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    return false;
}

/* ---- put ---------------------------------------------------------------------------------------------- */

static void put_bytes(cli_sink *sink, const void *data, size_t len)
{
    if (sink->buffer) {
        lvl_buffer_add(sink->buffer, data, len);
        sink->status = sink->buffer->status;
    } else if (sink->save) { /* else a dry run */
        sink->status = lvl_save_write(sink->save, data, len, &sink->why);
    }
}

/* For long work: a single job runs on the main thread, and need not hold its output in memory. */
static lvl_status put_piece(lvl_writer *writer, const void *data, size_t len)
{
    cli_sink *sink = (cli_sink *)(void *)writer;
    cli *c = sink->job->c;

    if (sink->status != LVL_OK)
        return sink->status;
    if (sink->save && cli_stopped()) {
        sink->status = LVL_ERR_IO;
    } else if (sink->buffer == &sink->job->out && c->inputs.count == 1) {
        cli_out(c, data, len);
        sink->status = cli_stopped() || c->out_failed ? LVL_ERR_IO : LVL_OK;
    } else {
        put_bytes(sink, data, len);
    }
    return sink->status;
}

/* ---- commit ------------------------------------------------------------------------------------------- */

/* Gives a file its name, or removes what was written of it. */
static bool commit_file(cli_sink *sink, bool keep)
{
    bool saved = false;

    if (sink->save && keep && sink->status == LVL_OK) {
        sink->status = lvl_save_commit(sink->save, &sink->why);
        saved = sink->status == LVL_OK;
    } else {
        lvl_save_abort(sink->save);
    }
    if (sink->save && sink->cleans)
        cli_save_end();
    if (sink->status != LVL_OK && !cli_stopped())
        report_failed_save(sink);
    lvl_file_lock_free(sink->lock);
    if (saved)
        cli_job_saved(sink->job);
    if (saved && sink->listed)
        cli_list_output(sink->job->c, sink->job->input, sink->path, &sink->job->out, &sink->job->err);
    const bool dry = !sink->save;
    free(sink->path);
    return saved || (dry && keep);
}

bool cli_sink_commit(cli_sink *sink, bool keep)
{
    cli_job *job = sink->job;

    if (sink->path)
        return commit_file(sink, keep);
    if (!keep)
        return false;
    if (!sink->buffer) /* a dry run */
        return true;
    cli_job_status(job, sink->status, NULL, NULL);
    if (sink->buffer == &job->member && sink->status == LVL_OK)
        job->has_member = true; /* listed when its archive is saved */
    else if (sink->status == LVL_OK)
        cli_job_saved(job);
    return sink->status == LVL_OK;
}

/* ---- all at once -------------------------------------------------------------------------------------- */

void cli_deliver(cli_job *job, lvl_bytes bytes, const cli_output *kind)
{
    cli_sink sink;

    if (!cli_sink_begin(&sink, job, kind))
        return;
    put_bytes(&sink, bytes.ptr, bytes.len);
    cli_sink_commit(&sink, true);
}

bool cli_save(cli_job *job, const char *path, lvl_bytes bytes, bool replace)
{
    cli_sink sink;

    if (!cli_sink_begin_file(&sink, job, path, replace))
        return false;
    put_bytes(&sink, bytes.ptr, bytes.len);
    return cli_sink_commit(&sink, true);
}

lvl_status cli_look_there(const cli_job *job, const char *path, lvl_bytes bytes, cli_there *there)
{
    lvl_buffer is = {0};
    lvl_status status = LVL_OK;

    *there = CLI_THERE_NONE; /* if it is something else than a file, the save says so */
    if (lvl_file_kind_of(path) == LVL_FILE_REGULAR) {
        status = lvl_file_read(&is, path, job->ctx.limits.input_bytes, NULL);
        const bool same = status == LVL_OK && is.len == bytes.len &&
                          (!bytes.len || memcmp(is.data, bytes.ptr, bytes.len) == 0);
        *there = same ? CLI_THERE_SAME : CLI_THERE_OTHER;
    }
    lvl_buffer_free(&is);
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}

bool cli_save_to(cli_job *job, const char *path, lvl_bytes bytes)
{
    return cli_save(job, path, bytes, job->c->opt->yes);
}

bool cli_deliver_whole(cli_job *job, lvl_bytes bytes)
{
    return cli_write_to_name(job, job->c->plan->output, bytes);
}

bool cli_write_to_name(cli_job *job, const char *name, lvl_bytes bytes)
{
    if (!cli_is_stdout(name))
        return has_folder(job, name) && cli_save_to(job, name, bytes);
    if (job->c->opt->dry_run) {
        cli_list_output(job->c, job->input, NULL, &job->out, &job->err);
        return true;
    }
    lvl_buffer_add(&job->out, bytes.ptr, bytes.len);
    cli_job_status(job, job->out.status, NULL, NULL);
    return job->out.status == LVL_OK;
}
