/*
 * cli/verbs/cmd_extract.c: `lvl extract`: writes the members of an archive to files.
 */
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L /* gmtime_r */
#endif

#include "cli/cli.h"

#include "base/hash.h"
#include "base/text.h"
#include "tools/edit/parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void list_entry(cli_job *job, const lvl_entry *e)
{
    char when[32] = "";

    if (e->time > 0 && e->time < INT64_C(253402300800)) {
        const time_t t = (time_t)e->time;
        struct tm tm;
#ifdef _WIN32
        bool ok = gmtime_s(&tm, &t) == 0;
#else
        bool ok = gmtime_r(&t, &tm) != NULL;
#endif
        if (ok)
            strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &tm);
    }
    if (job->c->opt->json) {
        cli_json_begin(&job->out, job->input->name);
        lvl_json_put_string(&job->out, "path", e->path);
        lvl_json_put_uint(&job->out, "size", e->size);
        lvl_json_put_bool(&job->out, "folder", e->is_dir);
        lvl_json_put_string(&job->out, "time", *when ? when : NULL);
        lvl_buffer_str(&job->out, "}\n");
    } else if (!e->is_dir) {
        if (job->c->inputs.batch)
            lvl_buffer_printf(&job->out, "%s: ", job->input->shown);
        lvl_buffer_printf(&job->out, "%10" PRIu64 "  %-20s  %s\n", e->size, when, e->path);
    }
}

/* Writes one member to that path (NULL: to standard output); of a damaged one the part that can be read,
 * which is an error. False: nothing was written, and the job has failed. */
static bool put_entry(cli_job *job, const lvl_container *container, const lvl_entry *e, const char *path)
{
    lvl_buffer storage = {0};
    lvl_bytes bytes;

    lvl_findings_clear(job->findings);
    const lvl_status status = lvl_container_read(container, e, &bytes, &storage, job->findings);
    cli_job_status(job, status, job->findings, e->path);
    const bool readable = status == LVL_OK || status == LVL_ERR_LOSS;
    if (readable && !path) {
        lvl_buffer_add(&job->out, bytes.ptr, bytes.len);
        cli_job_status(job, job->out.status, NULL, e->path);
    }
    const bool saved = readable && (!path || cli_save_to(job, path, bytes));
    if (saved && path && job->c->opt->json && !job->c->opt->dry_run)
        list_entry(job, e);
    lvl_buffer_free(&storage);
    return saved;
}

/* The members that were written below the folder, by their names without case: on many disks two names that
 * differ in case only are one file. */
typedef struct written {
    const lvl_container *container;
    lvl_hash names; /* to the index of a member */
} written;

/* The first written member whose name differs at most in case; NULL: there is none. */
static const lvl_entry *find_alike(const written *w, const lvl_entry *e)
{
    const lvl_text name = lvl_text_of(e->path);
    lvl_hash_at at = lvl_hash_first(&w->names, lvl_hash_nocase(&w->names.seed, name));

    for (; at.found; at = lvl_hash_next(&w->names, at)) {
        const lvl_entry *other = lvl_container_at(w->container, at.index);
        if (lvl_text_equal_nocase(lvl_text_of(other->path), name))
            return other;
    }
    return NULL;
}

static bool is_same_file(const char *dir, const lvl_entry *other, const char *path)
{
    char *file = cli_format("%s/%s", dir, other->path);
    const bool same = file && lvl_file_same(file, path);

    free(file);
    return same;
}

/* Writes one member below the folder. */
static void extract_entry(cli_job *job, written *w, const char *dir, const lvl_entry *e, size_t index)
{
    lvl_file_error why = {0};
    char again[24] = "";

    if (!e->safe) {
        cli_job_fail(job, EXIT_NEGATIVE,
                     "%s: not written: the name leads out of the folder or is not valid on every system",
                     e->path);
        return;
    }
    /* of several members with the same name, all but the first get their number */
    if (!e->unique && !e->is_dir && lvl_container_find(w->container, e->path) != e)
        snprintf(again, sizeof again, "~%zu", index);
    char *path = cli_format("%s/%s%s", dir, e->path, again);
    const lvl_entry *alike = path && !e->is_dir && !*again ? find_alike(w, e) : NULL;
    if (alike && is_same_file(dir, alike, path)) {
        free(path);
        path = cli_format("%s/%s~%zu", dir, e->path, index);
        cli_job_fail(job, EXIT_SUCCESS,
                     "%s: written as %s~%zu, since this disk takes its name for that of %s", e->path, e->path,
                     index, alike->path);
    }
    if (!path) {
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    } else if (cli_stays_below(job, strlen(job->c->opt->output), path)) {
        if (e->is_dir && !job->c->opt->dry_run)
            cli_job_file_status(job, path, lvl_folder_make(path, &why), &why);
        else if (!e->is_dir && put_entry(job, w->container, e, path) && job->c->opt->verbose &&
                 !job->c->opt->json)
            lvl_buffer_printf(&job->err, "%s\n", path);
        if (!e->is_dir && !*again && !alike)
            cli_job_status(job,
                           lvl_hash_add(&w->names, lvl_hash_nocase(&w->names.seed, lvl_text_of(e->path)),
                                        (uint32_t)index),
                           NULL, NULL);
    }
    free(path);
}

/* Whether the arguments name the entry, a folder around it, or a pattern that matches it; sets `used` of
 * these arguments. */
static bool is_wanted(const cli *c, const lvl_container *container, const lvl_entry *e, bool *used)
{
    bool asked = c->args.count < 2;

    for (size_t i = 1; i < c->args.count; i++) {
        const lvl_entry *want = lvl_container_find(container, c->args.items[i]);
        if (!want) {
            const bool like = !e->is_dir && cli_matches_pattern(e->path, c->args.items[i], true);
            used[i] |= like;
            asked |= like;
            continue;
        }
        size_t n = strlen(want->path);
        if (want == e || (want->is_dir && strncmp(e->path, want->path, n) == 0 && e->path[n] == '/')) {
            used[i] = true;
            asked = true;
        }
    }
    return asked;
}

/* Whether `path` looks like the name of a file, and is not a folder. */
static bool looks_like_file(const char *path)
{
    return cli_names_a_file(path) && path[strlen(path) - 1] != '/' &&
           lvl_file_kind_of(path) != LVL_FILE_FOLDER;
}

/* The member that goes to the file of -o: the only one named, if both have the same ending. NULL: -o is a
 * folder. */
static const lvl_entry *single_member(const cli *c, const lvl_container *container)
{
    const char *o = c->opt->output;
    const lvl_entry *e =
        c->args.count == 2 && !c->inputs.batch ? lvl_container_find(container, c->args.items[1]) : NULL;
    const bool same = e && !e->is_dir && *cli_ending(o) &&
                      lvl_text_equal_nocase(lvl_text_of(cli_ending(o)), lvl_text_of(cli_ending(e->path)));

    return same && lvl_file_kind_of(o) != LVL_FILE_FOLDER ? e : NULL;
}

/* Writes the single member `e` to standard output, or to the file of -o. */
static void extract_one(cli_job *job, const lvl_container *container, const lvl_entry *e)
{
    const char *o = job->c->opt->output;

    if (e->is_dir)
        cli_job_fail(job, EXIT_NEGATIVE, "%s is a folder; use -o DIR", e->path);
    else if (!cli_is_stdout(o) && job->input->path && lvl_file_same(o, job->input->path))
        cli_job_fail(job, EXIT_USAGE, "%s is the input itself: give another file with -o", o);
    else
        put_entry(job, container, e, cli_is_stdout(o) ? NULL : o);
}

/* Writes or lists the members that the arguments name. */
static void extract_all(cli_job *job, const lvl_container *container, const char *dir, bool *used)
{
    const size_t n = lvl_container_count(container);
    const cli *c = job->c;
    written w = {.container = container};

    lvl_hash_init(&w.names);
    job->count_existing = true;
    if (!n && !c->opt->quiet)
        lvl_buffer_printf(&job->err, "%s: no files are attached to it\n", job->input->shown);
    for (size_t i = 0; i < n && !cli_stopped() && !job->full; i++) {
        const lvl_entry *e = lvl_container_at(container, i);
        if (!is_wanted(c, container, e, used))
            continue;
        if (c->opt->list)
            list_entry(job, e);
        else
            extract_entry(job, &w, dir, e, i);
    }
    lvl_hash_free(&w.names);
    cli_report_existing(job);
}

static void extract(cli_job *job, const lvl_container *container, const char *dir, bool *used)
{
    const cli *c = job->c;
    const bool print = !c->opt->list && cli_is_stdout(c->opt->output);
    const lvl_entry *one = print          ? lvl_container_find(container, c->args.items[1])
                           : c->opt->list ? NULL
                                          : single_member(c, container);

    if (!one && !print && !c->opt->list && looks_like_file(c->opt->output)) {
        cli_job_fail(job, EXIT_USAGE,
                     "-o must name a folder, but %s looks like a file; for a folder of that name, use -o %s/",
                     c->opt->output, c->opt->output);
        return;
    }
    if (one) {
        used[1] = true;
        extract_one(job, container, one);
    } else if (!print) {
        extract_all(job, container, dir, used);
    }
    /* an interrupted run has not looked for all of them */
    for (size_t i = 1; i < c->args.count && !cli_stopped() && !job->full; i++) {
        char *guess = used[i] ? NULL : cli_member_guess(container, c->args.items[i]);
        if (!used[i])
            cli_job_fail(job, EXIT_NEGATIVE, "no member %s%s", c->args.items[i], guess ? guess : "");
        free(guess);
    }
}

static void extract_work(cli_job *job)
{
    const cli *c = job->c;
    lvl_container *container = NULL;

    if (!cli_job_read(job, LVL_CAN_EXTRACT)) {
        if (!job->input->named && job->format && !(lvl_format_can(job->format) & LVL_CAN_EXTRACT) &&
            lvl_format_parts(job->format, 0))
            cli_job_fail(
                job, EXIT_NEGATIVE,
                "it is not an archive and has no attached files; use --scripts or --signs to extract "
                "its texts");
        return;
    }
    /* members may be missing from a damaged list */
    if (c->args.count < 2 && lvl_findings_worst(job->findings) >= LVL_ERROR)
        job->code = cli_max_exit_code(job->code, EXIT_NEGATIVE);
    bool *used = calloc(c->args.count + 1, sizeof *used);
    char *dir = c->opt->list ? NULL : cli_folder_of(job, c->opt->output);
    const lvl_status status =
        used && (dir || c->opt->list) ? lvl_container_open(&container, job->doc) : LVL_ERR_MEMORY;
    cli_job_status(job, status, NULL, NULL);
    if (status == LVL_OK)
        extract(job, container, dir, used);
    lvl_container_close(container);
    free(used);
    free(dir);
}

int cmd_extract(cli *c)
{
    const bool print = cli_is_stdout(c->opt->output);
    const cli_output files = {.tree = true, .whole = c->args.count == 1};
    const cli_batch batch = {.work = extract_work, .output = c->opt->list || print ? NULL : &files};

    if (cli_parts_asked(c))
        return cli_parts_extract(c);
    if (!c->args.count)
        return cli_usage(c, "no archive given");
    if (!c->opt->list && !c->opt->output)
        return cli_usage(c, "no output given; use -o DIR, or --list");
    if (!c->opt->list && print && c->args.count != 2)
        return cli_usage(c, "standard output takes a single member: FILE MEMBER -o -");
    const int code = cli_take_inputs(c, 0, 1);
    return code ? code : cli_run(c, &batch);
}
