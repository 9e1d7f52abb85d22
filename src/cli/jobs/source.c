/*
 * cli/jobs/source.c: the bytes of a job's input, their format, and the document. An input is a file, a member
 * of an archive that is open already, standard input, or content that replaces a file's.
 *
 *  1. Of a large file, both ends are enough to find the format: a verb that does not support it reads no
 *     more.
 *  2. A file that is changed in place is locked, then read; what is too large names its limit.
 *  3. Of other inputs, the format is found in their bytes.
 */
#include "base/archive_kinds.h"
#include "base/format.h"
#include "base/work.h"
#include "cli/jobs/archives.h"
#include "tools/edit/parts.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* Where the bytes of an input are. */
typedef enum source { FROM_FILE, FROM_STDIN, FROM_MEMBER, FROM_CONTENT } source;

static source source_of(const cli_input *in)
{
    return in->has_content ? FROM_CONTENT : in->archive ? FROM_MEMBER : in->path ? FROM_FILE : FROM_STDIN;
}

/* ---- reading ------------------------------------------------------------------------------------------ */

/* Whether it has no size before it is read: it is held in memory, and limited by that. */
static bool is_stream(const cli_input *in)
{
    return source_of(in) == FROM_STDIN ||
           (source_of(in) == FROM_FILE && lvl_file_kind_of(in->path) == LVL_FILE_OTHER);
}

/* How many bytes may be read. */
static uint64_t most_bytes(const lvl_ctx *ctx, const cli_input *in)
{
    const uint64_t most = ctx->limits.input_bytes, share = lvl_memory_share(ctx);

    return is_stream(in) && share < most ? share : most;
}

/* Sets the job's bytes, which are in its storage or in an open archive. Of a damaged member: as
 * lvl_container_read. */
static lvl_status read_input(cli_job *job, lvl_file_error *why)
{
    const cli_input *input = job->input;
    const source from = source_of(input);
    const uint64_t most = most_bytes(&job->ctx, input);
    lvl_status status;

    if (from == FROM_CONTENT) {
        job->bytes = lvl_buffer_bytes(&input->content);
        return LVL_OK;
    }
    if (from == FROM_MEMBER)
        return lvl_container_read(input->archive->container, input->entry, &job->bytes, &job->storage,
                                  job->findings);
    if (from == FROM_STDIN)
        status = lvl_file_read_stdin(&job->storage, most, why);
    else if (job->look)
        status = lvl_file_read_open(job->look->file, &job->storage, most, why);
    else
        status = lvl_file_read(&job->storage, input->path, most, why);
    cli_look_free(job->look); /* not every system can replace a file that is open */
    job->look = NULL;
    job->bytes = lvl_buffer_bytes(&job->storage);
    return status;
}

/* Notes the limit that an input exceeds. */
static void refuse_input(cli_job *job)
{
    const uint64_t most = most_bytes(&job->ctx, job->input);
    uint64_t size = 0;
    int64_t time;

    if (source_of(job->input) == FROM_MEMBER) {
        if (!job->usage.allowed) /* the container has another context than the job */
            lvl_refuse(&job->ctx, LVL_LIMIT_MEMORY, lvl_memory_share(&job->ctx), job->input->entry->size);
    } else if (most < job->ctx.limits.input_bytes) {
        lvl_refuse(&job->ctx, LVL_LIMIT_MEMORY, most, 0);
    } else {
        if (job->input->path)
            lvl_file_look(job->input->path, &size, &time);
        lvl_refuse(&job->ctx, LVL_LIMIT_INPUT, most, size);
    }
}

/* The job continues with the part of a damaged member that could be read, and ends with an error. `check` and
 * `repair` print the finding with their own. What is written from it has the damage, too, whichever job
 * writes it. */
static void report_damaged(cli_job *job)
{
    for (cli_job *of = job; of; of = of->first) {
        of->damaged = true;
        of->damaged_name = job->input->shown;
    }
    if (cli_verb_is(job->c, CLI_REPAIRS)) /* prints it with its changes */
        return;
    job->code = cli_max_exit_code(job->code, EXIT_NEGATIVE);
    if (cli_verb_is(job->c, CLI_CHECKS))
        return;
    cli_job_findings(job, job->findings, LVL_ERROR);
    lvl_findings_clear(job->findings);
}

/* Whether another input is a link to the same file, which has one lock. */
static bool is_linked(const cli_job *job)
{
    const cli_inputs *inputs = &job->c->inputs;

    for (size_t i = 0; i < inputs->count; i++) {
        const cli_input *in = &inputs->items[i];
        if (in != job->input && source_of(in) == FROM_FILE && lvl_file_same(in->path, job->input->path))
            return true;
    }
    return false;
}

/* Takes the lock of a file that is not open yet, or not lockable so. */
static lvl_status lock_by_path(cli_job *job, const char *path, lvl_file_error *why)
{
    enum { SHORT = 200 }; /* milliseconds that another edit takes */
    const lvl_status status = lvl_file_lock_take(&job->lock, path, SHORT, why);

    if (status != LVL_ERR_IO)
        return status;
    /* `lvl rename' holds all locks until the end */
    return cli_verb_is(job->c, CLI_LOCKS_INPUTS) && is_linked(job)
               ? lvl_file_lock_none(&job->lock, path)
               : cli_lock_file(path, &job->lock, why); /* `why' may be that of the first try */
}

/* Locks the file that the run will replace, before anything is read. */
static bool lock_target(cli_job *job)
{
    const char *path = cli_plan_lock(job);
    lvl_file_error why = {0};

    if (!path)
        return true;
    job->locked = cli_copy(path);
    lvl_status status = !job->locked ? LVL_ERR_MEMORY
                        : job->look  ? lvl_file_lock_open(&job->lock, job->look->file, path)
                                     : LVL_OK;
    if (status == LVL_OK && !job->lock)
        status = lock_by_path(job, path, &why);
    if (status != LVL_OK)
        cli_job_file_status(job, path, status, &why);
    if (job->look && !lvl_file_is_at(job->look->file, job->input->path)) { /* replaced before it was locked */
        cli_look_free(job->look);
        job->look = NULL;
        job->format = job->c->format;
    }
    return status == LVL_OK;
}

bool cli_job_bytes(cli_job *job)
{
    lvl_file_error why = {0};

    if (job->loaded)
        return true;
    if (!cli_job_need_findings(job) || !lock_target(job))
        return false;
    lvl_status status = read_input(job, &why);
    job->loaded = status == LVL_OK || status == LVL_ERR_LOSS;
    if (status == LVL_ERR_LOSS)
        report_damaged(job);
    if (job->loaded)
        return true;
    if (!why.step && status == LVL_ERR_LIMIT)
        refuse_input(job);
    if (why.step)
        cli_job_file_status(job, NULL, status, &why);
    else
        cli_job_status(job, status, job->findings, NULL);
    return false;
}

/* ---- the format --------------------------------------------------------------------------------------- */

/* A file that is often taken for a level, by its first bytes; NULL: none is known. */
static const char *other_file(lvl_bytes head)
{
    static const struct {
        const char *begin, *text;
    } known[] = {
        {"<!doctype html", "an HTML page, perhaps a failed download"},
        {"<html", "an HTML page, perhaps a failed download"},
        {"\xff\xfe", "text in UTF-16: save it in the game's 8-bit encoding (ANSI), or in UTF-8"},
        {"\xfe\xff", "text in UTF-16: save it in the game's 8-bit encoding (ANSI), or in UTF-8"},
        {"BRGR", "a resource archive of another game (REZ of Macintosh games), not of Monolith"},
        {"\r\nRezMgr Version ",
         "a Monolith resource archive of another game, whose version lvl does not read"},
    };
    lvl_text text = {(const char *)head.ptr, head.len};

    if (text.ptr && text.len > 3 && memcmp(text.ptr, "\xef\xbb\xbf", 3) == 0)
        text = (lvl_text){text.ptr + 3, text.len - 3};
    for (size_t skip = 0; skip < 2 && text.ptr; skip++) {
        for (size_t i = 0; i < LVL_COUNT_OF(known); i++) {
            const size_t n = strlen(known[i].begin);
            if (text.len >= n && lvl_text_equal_nocase((lvl_text){text.ptr, n}, lvl_text_of(known[i].begin)))
                return known[i].text;
        }
        if (text.len > 5 && memcmp(text.ptr, "<?xml", 5) == 0) { /* XHTML */
            const char *end = memchr(text.ptr, '>', text.len);
            text = end ? (lvl_text){end + 1, text.len - (size_t)(end + 1 - text.ptr)} : text;
        }
        while (text.len && strchr(" \t\r\n", *text.ptr) && *text.ptr)
            text = (lvl_text){text.ptr + 1, text.len - 1};
    }
    return NULL;
}

/* Describes a file of an unknown format. */
static void describe_foreign(const cli_job *job, lvl_bytes head, uint64_t size, char *text,
                             size_t size_of_text)
{
    const lvl_format *later = lvl_probe_later(head);
    const char *picture = lvl_picture_kind(head), *archive = lvl_archive_kind(head);
    char shown[16];

    const char *other = other_file(head);

    if (!size)
        snprintf(text, size_of_text, "an empty file");
    else if (other)
        snprintf(text, size_of_text, "%s", other);
    else if (later)
        snprintf(text, size_of_text, "a newer version than lvl supports (%s): %s",
                 lvl_text_show(shown, sizeof shown, LVL_CP_1252,
                               (lvl_text){(const char *)head.ptr, head.len < 8 ? head.len : 8}),
                 later->title);
    else if (picture)
        snprintf(text, size_of_text, "a %s picture; `lvl convert' and --art read it, `lvl %s' reads levels",
                 picture, job->c->verb->name);
    else if (archive && cli_verb_is(job->c, CLI_WHOLE_ARCHIVES))
        snprintf(text, size_of_text,
                 "an archive of another program (%s), which that program unpacks; other verbs of lvl read "
                 "its members",
                 archive);
    else if (archive && source_of(job->input) == FROM_STDIN)
        snprintf(text, size_of_text,
                 "an archive (%s), which is only read from a file, not from standard input", archive);
    else if (archive)
        snprintf(text, size_of_text,
                 "an archive or compressed file of a kind (%s) that this lvl cannot read: unpack it first",
                 archive);
    else
        snprintf(text, size_of_text, "an unknown format");
}

/* What to use instead of a verb that does not support the format. */
static const char *other_verb(const lvl_format *format)
{
    return lvl_format_can(format) & LVL_CAN_IMAGE ? "; `lvl convert FILE -o FILE.png' makes a picture of it"
           : !(lvl_format_can(format) & (LVL_CAN_EXTRACT | LVL_CAN_RENDER))
               ? "; `lvl info' and `lvl dump' show what is in it"
               : "";
}

/* Whether the verb supports the format (NULL: unknown); else reports why not. `head`: the first bytes of a
 * file of an unknown format. */
static bool accept(cli_job *job, const lvl_format *format, lvl_bytes head, uint64_t size, unsigned can)
{
    char what[160];

    if (!format) {
        const lvl_format *by_name = cli_format_of_ending(job->input->name);
        describe_foreign(job, head, size, what, sizeof what);
        if (job->input->named) {
            if (by_name && !other_file(head))
                cli_job_fail(job, EXIT_FOREIGN, "%s; if it is a damaged %s, --as %s may read it", what,
                             by_name->title, by_name->id);
            else
                cli_job_fail(job, EXIT_FOREIGN, "%s%s", other_file(head) ? "this is " : "", what);
            return false;
        }
        job->outcome = CLI_SKIPPED_FOREIGN;
        /* a file that is named like a level is reported */
        if (by_name && !job->c->opt->quiet)
            lvl_buffer_printf(&job->err, "%s: skipped: expected a %s by its name, found %s\n",
                              job->input->shown, by_name->title, what);
        return false;
    }
    job->format = format;
    const bool holds = (lvl_format_can(format) & LVL_CAN_EXTRACT) && job->input->path && !job->input->archive;
    if ((lvl_format_can(format) & can) == can)
        return cli_target_ready(job, true);
    if (job->input->named && can == LVL_CAN_EXTRACT)
        cli_job_fail(job, EXIT_NEGATIVE, "nothing to extract: a %s has no attached files%s", format->title,
                     lvl_format_parts(format, 0) ? "; use --scripts or --signs for its texts" : "");
    else if (job->input->named)
        cli_job_fail(job, EXIT_NEGATIVE, "`lvl %s' does not support this format (%s)%s%s%s",
                     job->c->verb->name, format->title, holds ? "; for its members: " : other_verb(format),
                     holds ? job->input->shown : "", holds ? "//" : "");
    else
        job->outcome = CLI_SKIPPED_OTHER;
    return false;
}

/* The name, which decides where bytes fit several formats; NULL: standard input has none. */
static const char *name_to_probe(const cli_job *job)
{
    return source_of(job->input) == FROM_STDIN ? NULL : lvl_file_name(job->input->name);
}

/* The format of the bytes, or if there is none (NULL) that of the input's place; false: it could not be
 * found out. */
static bool find_by_place(cli_job *job, lvl_bytes head, const lvl_format **format)
{
    const lvl_status status = *format ? LVL_OK : cli_format_of_place(job->input, head, format);

    cli_job_status(job, status, NULL, NULL);
    return status == LVL_OK;
}

static bool probe_file(cli_job *job, unsigned can)
{
    lvl_file_error why = {0};
    const lvl_status status = job->look ? LVL_OK : cli_look_at(&job->look, job->input->path, &why);

    cli_job_file_status(job, NULL, status, &why);
    if (status != LVL_OK)
        return false;
    const lvl_file_ends *ends = &job->look->ends;
    const lvl_bytes head = {ends->head, ends->head_len};
    const lvl_format *format = cli_look_format(job->look, name_to_probe(job));
    return find_by_place(job, head, &format) && accept(job, format, head, ends->size, can);
}

static bool probe_bytes(cli_job *job, unsigned can)
{
    const lvl_bytes all = job->bytes;
    const size_t end = all.len < LVL_FILE_END ? all.len : LVL_FILE_END;
    const lvl_bytes head = {all.ptr, end}, last = {all.ptr ? all.ptr + all.len - end : NULL, end};
    const size_t n = lvl_probe_tail(last, all.len);
    const lvl_bytes tail = {all.ptr ? all.ptr + all.len - n : NULL, n};

    const lvl_format *format = lvl_probe(head, tail, all.len, name_to_probe(job), NULL);
    return find_by_place(job, head, &format) && accept(job, format, head, all.len, can);
}

/* Whether the input is a file on disk of which the ends are read first. */
static bool is_large(const cli_job *job)
{
    enum { SMALL = 1 << 16 };
    const cli_input *in = job->input;
    uint64_t size = 0;
    int64_t time;

    if (job->look)
        return job->look->ends.size > SMALL;
    return source_of(in) == FROM_FILE && lvl_file_look(in->path, &size, &time) == LVL_FILE_REGULAR &&
           size > SMALL;
}

bool cli_job_open(cli_job *job, unsigned can)
{
    /* of a larger file on disk, the ends are enough to detect the format */
    if (job->c->format) {
        if (!accept(job, job->c->format, (lvl_bytes){NULL, 0}, 1, can))
            return false;
    } else if (is_large(job) && !probe_file(job, can)) {
        return false;
    }
    if (!cli_job_bytes(job))
        return false;
    return job->format || probe_bytes(job, can);
}

/* ---- its document -------------------------------------------------------------------------------------- */

bool cli_job_parse(cli_job *job, bool edits)
{
    const bool shows = cli_verb_is(job->c, CLI_SHOWS);
    const unsigned flags = LVL_READ_BORROW | (edits ? LVL_READ_EDIT : 0) | (shows ? LVL_READ_SHOW : 0);
    const lvl_status status = lvl_read(&job->doc, &job->ctx, job->format, job->bytes,
                                       lvl_file_name(job->input->name), flags, job->findings);

    cli_job_status(job, status, job->findings, NULL);
    return status == LVL_OK;
}

bool cli_job_undump(cli_job *job)
{
    const lvl_text json = {(const char *)job->bytes.ptr, job->bytes.len};
    const lvl_status status = lvl_undump(&job->doc, &job->ctx, json, job->findings);

    job->edited = true; /* a dump may hold any value */
    if (status == LVL_ERR_FOREIGN && !job->input->named)
        job->outcome = CLI_SKIPPED_FOREIGN;
    else
        cli_job_status(job, status, job->findings, NULL);
    if (status == LVL_OK && !job->c->opt->quiet)
        cli_job_findings(job, job->findings, LVL_NOTE);
    return status == LVL_OK;
}

bool cli_job_read(cli_job *job, unsigned can)
{
    if (!cli_job_open(job, can) || !cli_job_parse(job, can & LVL_CAN_WRITE))
        return false;
    const lvl_severity least = job->c->opt->verbose && !job->c->opt->quiet ? LVL_WARNING : LVL_ERROR;
    if (lvl_findings_worst(job->findings) >= least) {
        /* without memory for positions, the findings are printed without them */
        (void)lvl_doc_locate(job->doc, job->findings);
        cli_job_findings(job, job->findings, least);
    }
    return true;
}
