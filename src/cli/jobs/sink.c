/*
 * cli/jobs/sink.c: where the bytes of a job go: standard output, a file, a file in a folder, the input
 * itself, or a member of an archive.
 *
 *  1. Begin finds the destination (output.c), and reasons not to write there: a file that exists or is
 *     read-only, a link that leads out of a folder, damage that would be hidden. With -n nothing is written.
 *  2. Put appends bytes: to the job's output, to the new content of a member, to a file without a name.
 *  3. Commit gives the file its name, unless another program has changed it meanwhile, and lists it with
 *     --json. Members are saved at the end of the run, all of an archive at once (archives.c), and listed
 *     then (batch.c).
 *
 * Every reason why something is not written is reported here.
 */
#include "cli/cli.h"

#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- reasons not to write ----------------------------------------------------------------------------- */

/* How many bytes of the path of an output file name a folder that the user typed, which the file must not
 * leave; 0: the user typed the whole path. */
static size_t root_of(const cli_job *job, const char *path)
{
    const char *o = job->c->opt.output;
    const size_t len = o ? strlen(o) : 0;

    if (job->c->opt.in_place)
        return job->input->path && strcmp(path, job->input->path) == 0 ? job->input->typed : 0;
    const bool inside =
        len && strncmp(path, o, len) == 0 && path[len] && (path[len] == '/' || o[len - 1] == '/');
    return inside ? len : 0;
}

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

bool cli_stays_below(cli_job *job, size_t root, const char *path)
{
    if (lvl_file_stays_below(path, root))
        return true;
    const bool own = strcmp(path, job->input->name) == 0; /* the message begins with it */
    char *link = cli_copy(path);
    if (link) {
        cut_at_link(link, root);
        cli_job_fail(job, EXIT_NEGATIVE, "%s%snot written: %s is a symbolic link that leads out of %.*s",
                     own ? "" : path, own ? "" : ": ", link, (int)root, path);
    } else {
        cli_job_status(job, LVL_ERR_MEMORY, NULL, path);
    }
    free(link);
    return false;
}

static void fail_exists(cli_job *job, const char *path)
{
    if (!job->count_existing || job->c->opt.verbose)
        cli_job_fail_at(job, path, " ", "already exists; -y replaces it");
    job->existing++;
}

void cli_report_existing(cli_job *job)
{
    if (job->existing && !job->c->opt.verbose)
        cli_job_fail(job, EXIT_ENVIRONMENT,
                     "%zu file%s already exist%s below %s; -y replaces %s, -v names %s", job->existing,
                     job->existing == 1 ? "" : "s", job->existing == 1 ? "s" : "", job->c->opt.output,
                     job->existing == 1 ? "it" : "them", job->existing == 1 ? "it" : "them");
}

static bool may_write(cli_job *job, const char *path, bool replace)
{
    if (!cli_stays_below(job, root_of(job, path), path))
        return false;
    /* Tiled always passes -y: the user has not confirmed */
    if (replace && (!job->c->opt.yes || job->from_map) && lvl_file_is_read_only(path)) {
        cli_job_fail_at(job, path, " ",
                        job->from_map ? "is read-only; allow writing to it, or save under another name"
                                      : "is read-only; -y replaces it");
        return false;
    }
    const lvl_file_kind there = lvl_file_kind_of(path);
    if (there == LVL_FILE_OTHER && root_of(job, path)) { /* the user did not name a pipe or device */
        cli_job_fail_at(job, path, ": ", "not written: it is a pipe or device");
        return false;
    }
    if (replace || there != LVL_FILE_REGULAR)
        return true;
    fail_exists(job, path);
    return false;
}

static bool may_replace(const cli_job *job)
{
    return job->c->opt.yes || job->c->opt.in_place;
}

bool cli_output_ready(cli_job *job, const cli_output *kind)
{
    bool failed;
    char *path = cli_target_path(job, kind, &failed);

    if (!failed && path)
        failed = !may_write(job, path, may_replace(job));
    free(job->ready);
    job->ready = failed ? NULL : path;
    if (failed)
        free(path);
    return !failed;
}

/* Whether the output's name has the ending for the kind of drawing, or no ending of the format. */
static bool fits_kind(cli_job *job, const char *path)
{
    const char *ending = cli_ending(path);
    char kind[16];

    if (!job->doc || !*ending || job->c->out_is_dir || strcmp(ending, cli_ending(job->input->rel)) == 0 ||
        !cli_has_ending(path, lvl_doc_format(job->doc)) || cli_ending_fits(job, ending + 1, kind))
        return true;
    cli_job_fail(job, EXIT_USAGE, "the output is a %s, but %s has another ending; use .%s", kind, path, kind);
    return false;
}

bool cli_changes_inputs(const cli *c)
{
    return c->opt.in_place || (c->opt.dry_run && !c->opt.output);
}

bool cli_may_change_input(cli_job *job)
{
    if (!job->damaged || job->c->verb->bit == VERB_REPAIR)
        return true;
    cli_job_fail(
        job, EXIT_NEGATIVE,
        "not changed: what could not be read of %s would be lost; write the result to a file outside "
        "of the archive with -o FILE",
        strcmp(job->damaged_name, job->input->shown) == 0 ? "it" : job->damaged_name);
    return false;
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
    for (bool again = sink->job->c->out_is_dir;; again = false) {
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

static bool open_file(cli_sink *sink, bool replace)
{
    cli_job *job = sink->job;
    const unsigned flags =
        (replace ? (unsigned)LVL_SAVE_REPLACE : 0) | (job->c->together ? (unsigned)LVL_SAVE_TOGETHER : 0);

    const bool own = job->lock && (job->locked ? lvl_file_same(sink->path, job->locked)
                                               : strcmp(sink->path, job->input->path) == 0);
    const lvl_file_kind there = lvl_file_kind_of(sink->path);
    if (!own && replace && there == LVL_FILE_REGULAR) {
        sink->status = cli_lock_file(sink->path, &sink->lock, &sink->why);
        if (sink->status != LVL_OK) {
            cli_job_file_status(job, sink->path, sink->status, &sink->why);
            return false;
        }
    }
    sink->cleans = there != LVL_FILE_OTHER; /* writing to a pipe may block */
    if (sink->cleans)
        cli_save_begin();
    if (open_save(sink, root_of(job, sink->path), flags)) {
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
    if ((job->ready && !job->from_map && strcmp(path, job->ready) == 0) || may_write(job, path, replace)) {
        if (job->c->opt.dry_run) {
            if (!job->c->opt.json && !job->c->opt.quiet && !job->idle)
                lvl_buffer_printf(&job->err, "%s: not written (dry run)\n", path);
            return true;
        }
        if (open_file(sink, replace))
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
    const bool changes = job->c->opt.in_place || (kind->must && cli_changes_inputs(job->c));
    bool failed;

    init_sink(sink, job);
    sink->listed = job->c->opt.json;
    if (changes && !cli_may_change_input(job))
        return false;
    if (changes && (job->input->archive || job->input->opened)) {
        sink->buffer = &job->member;
        return true;
    }
    char *path = cli_target_path(job, kind, &failed);
    if (failed)
        return false;
    if (!path && job->c->opt.dry_run) {
        if (!job->c->opt.json && !job->c->opt.quiet && !job->idle)
            lvl_buffer_printf(&job->err, "%s: would be written to standard output (dry run)\n",
                              job->input->shown);
        return true;
    }
    if (!path) {
        sink->buffer = &job->out;
        return true;
    }
    if (fits_kind(job, path))
        return begin_file(sink, path, may_replace(job));
    free(path);
    return false;
}

/* Begins the file that an option names, which is replaced with -y only. */
static bool begin_named(cli_sink *sink, cli_job *job, const char *name)
{
    char *path = cli_copy(name);

    init_sink(sink, job);
    if (path)
        return begin_file(sink, path, job->c->opt.yes);
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

static void list_output(cli_job *job, const char *path)
{
    cli_json_begin(&job->out, job->input->name);
    lvl_json_put_string(&job->out, "output", path);
    lvl_buffer_str(&job->out, "}\n");
}

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
        list_output(sink->job, sink->path);
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

bool cli_save_to(cli_job *job, const char *path, lvl_bytes bytes)
{
    cli_sink sink;

    if (!begin_named(&sink, job, path))
        return false;
    put_bytes(&sink, bytes.ptr, bytes.len);
    return cli_sink_commit(&sink, true);
}

bool cli_write_to_name(cli_job *job, const char *name, lvl_bytes bytes)
{
    if (!cli_is_stdout(name))
        return cli_save_to(job, name, bytes);
    lvl_buffer_add(&job->out, bytes.ptr, bytes.len);
    cli_job_status(job, job->out.status, NULL, NULL);
    return job->out.status == LVL_OK;
}
