/*
 * cli/job.c: the work on one input: its messages, its bytes, its document.
 */
#include "cli/cli.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- messages of a job ------------------------------------------------------------------------------- */

void cli_job_fail(cli_job *job, int code, const char *fmt, ...)
{
    char text[512];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    lvl_buffer_printf(&job->err, "%s: %s\n", job->input->shown, text);
    job->code = cli_max_exit_code(job->code, code);
}

void cli_job_fail_at(cli_job *job, const char *path, const char *gap, const char *text)
{
    char *shown = path ? cli_shown(path) : NULL;
    const bool other = shown && strcmp(shown, job->input->shown) != 0; /* else the line begins with it */

    cli_job_fail(job, EXIT_ENVIRONMENT, "%s%s%s", other ? shown : "", other ? gap : "", text);
    free(shown);
}

void cli_job_file_status(cli_job *job, const char *path, lvl_status status, const lvl_file_error *why)
{
    char text[256];

    if (why->step)
        cli_job_fail_at(job, path, ": ", lvl_file_error_text(why, text, sizeof text));
    else
        cli_job_status(job, status, NULL, path);
}

void cli_job_no_match(cli_job *job, const char *fmt, ...)
{
    char text[512];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (!job->c->inputs.batch) {
        cli_job_fail(job, EXIT_NEGATIVE, "%s", text);
        return;
    }
    job->outcome = CLI_NO_MATCH;
    if (job->c->opt.verbose)
        lvl_buffer_printf(&job->err, "%s: %s\n", job->input->shown, text);
}

void cli_job_findings(cli_job *job, const lvl_findings *findings, lvl_severity least)
{
    cli_findings_text(job->c, findings, job->input->shown, least, job->c->color_err, &job->err);
}

void cli_job_begin(cli_job *job, cli *c, const cli_input *input)
{
    job->c = c;
    job->ctx = c->ctx;
    job->ctx.usage = &job->usage;
    job->input = input;
}

void cli_job_begin_beside(cli_job *job, cli_job *first, const cli_input *input)
{
    cli_job_begin(job, first->c, input);
    job->ctx.usage = &first->usage;
    job->first = first;
}

int cli_job_whole(cli *c, const char *name, cli_work work)
{
    cli_job job = {0};

    char *copy = cli_copy(name), *shown = cli_shown(name);
    const cli_input named = {.name = copy, .shown = shown};
    cli_job_begin(&job, c, &named);
    if (!copy || !shown)
        job.code = cli_no_memory(c);
    else if (cli_job_need_findings(&job))
        work(&job);
    cli_job_end(&job);
    free(copy);
    free(shown);
    return job.code;
}

bool cli_job_need_findings(cli_job *job)
{
    if (!job->findings)
        job->findings = lvl_findings_new(&job->ctx);
    if (!job->findings)
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    return job->findings != NULL;
}

/* Reports the limit that was exceeded; false: none was. */
static bool report_limit(cli_job *job)
{
    lvl_findings *limit = job->usage.limit ? lvl_findings_new(&job->ctx) : NULL;

    if (!limit)
        return false;
    lvl_usage_report(&job->usage, &job->ctx, limit);
    cli_job_findings(job, limit, LVL_ERROR);
    lvl_findings_free(limit);
    job->code = cli_max_exit_code(job->code, EXIT_NEGATIVE);
    return true;
}

void cli_job_limit(cli_job *job, const char *hint)
{
    report_limit(job);
    if (job->usage.limit == LVL_LIMIT_NONE || job->usage.limit == LVL_LIMIT_CELLS ||
        job->usage.limit == LVL_LIMIT_FIXED)
        cli_job_fail(job, EXIT_NEGATIVE, "%s", hint);
}

void cli_job_status(cli_job *job, lvl_status status, lvl_findings *findings, const char *what)
{
    int code = cli_code_of(status);

    if (status == LVL_OK)
        return;
    const bool refused = status == LVL_ERR_LIMIT || status == LVL_ERR_MEMORY;
    if (refused && !(findings && lvl_findings_of(findings, LVL_FATAL)) && report_limit(job))
        return;
    if (status == LVL_ERR_STOPPED || (status == LVL_ERR_IO && job->c->out_failed)) { /* reported already */
        job->code = cli_max_exit_code(job->code, code);
        return;
    }
    size_t n = findings ? lvl_findings_count(findings) : 0;
    if ((status == LVL_ERR_ARG || status == LVL_ERR_MISSING) && n) {
        /* an error in what the user asked for, not in the file: printed without an ID */
        for (size_t i = 0; i < n; i++) {
            const lvl_finding *f = lvl_findings_at(findings, i);
            char where[256] = "";
            lvl_where_text(&f->where, where, sizeof where);
            cli_job_fail(job, code, "%s%s%s%s", f->text, *where ? " (" : "", where, *where ? ")" : "");
        }
    } else if (n && lvl_findings_worst(findings) >= LVL_ERROR) {
        cli_job_findings(job, findings, LVL_ERROR);
        job->code = cli_max_exit_code(job->code, code);
    } else if (what) {
        cli_job_fail(job, code, "%s: %s", what, lvl_status_text(status));
    } else {
        cli_job_fail(job, code, "%s", lvl_status_text(status));
    }
}

void cli_job_clear(cli_job *job)
{
    lvl_doc_free(job->doc);
    lvl_findings_free(job->findings);
    lvl_buffer_free(&job->storage);
    lvl_file_lock_free(job->lock);
    job->lock = NULL;
    job->doc = NULL;
    job->findings = NULL;
    job->bytes.ptr = NULL;
    job->bytes.len = 0;
    job->loaded = false;
}

void cli_job_end(cli_job *job)
{
    cli_out(job->c, job->out.data, job->out.len);
    cli_err(job->c, job->err.data, job->err.len);
    cli_job_clear(job);
    lvl_buffer_free(&job->out);
    lvl_buffer_free(&job->err);
}

void cli_job_join(cli_job *job, cli_job *other)
{
    cli_job_clear(other);
    lvl_buffer_add(&job->err, other->err.data, other->err.len);
    job->code = cli_max_exit_code(job->code, other->code);
    if (job->outcome == CLI_DONE)
        job->outcome = other->outcome;
    lvl_buffer_free(&other->err);
    lvl_buffer_free(&other->out);
}

void cli_job_lines(cli_job *job, const lvl_buffer *lines)
{
    const cli *c = job->c;

    for (size_t at = 0; at < lines->len;) {
        const char *line = (const char *)lines->data + at;
        const char *nl = memchr(line, '\n', lines->len - at);
        size_t len = nl ? (size_t)(nl - line) + 1 : lines->len - at, skip = 0;
        if (c->opt.json && line[0] == '{') {
            cli_json_begin(&job->out, job->input->name);
            lvl_buffer_str(&job->out, len > 2 && line[1] == '}' ? "" : ",");
            skip = 1;
        } else if (c->inputs.batch && !c->opt.json) {
            lvl_buffer_printf(&job->out, "%s: ", job->input->shown);
        }
        lvl_buffer_add(&job->out, line + skip, len - skip);
        at += len;
    }
    if (lines->status != LVL_OK)
        cli_job_status(job,
                       lines->status == LVL_ERR_LIMIT ? lvl_refuse(&job->ctx, LVL_LIMIT_MEMORY, lines->max, 0)
                                                      : lines->status,
                       NULL, NULL);
}

/* ---- opening ----------------------------------------------------------------------------------------- */

/* Describes a file of an unknown format. */
static void describe_foreign(const cli_job *job, lvl_bytes head, uint64_t size, char *text, size_t room)
{
    const lvl_format *later = lvl_probe_later(head);
    const char *picture = lvl_picture_kind(head), *archive = lvl_archive_kind(head);
    char shown[16];

    if (!size)
        snprintf(text, room, "an empty file");
    else if (later)
        snprintf(text, room, "a newer version than lvl supports (%s): %s",
                 lvl_text_show(shown, sizeof shown, LVL_CP_1252,
                               (lvl_text){(const char *)head.ptr, head.len < 8 ? head.len : 8}),
                 later->title);
    else if (picture)
        snprintf(text, room, "a %s picture; `lvl convert' and --art read it, `lvl %s' reads levels", picture,
                 job->c->verb->name);
    else if (archive && job->c->verb->bit == VERB_EXTRACT)
        snprintf(text, room,
                 "an archive of another program (%s), which that program unpacks; other verbs of lvl read "
                 "its members",
                 archive);
    else if (archive && !job->input->path)
        snprintf(text, room, "an archive (%s), which is only read from a file, not from standard input",
                 archive);
    else if (archive)
        snprintf(text, room,
                 "an archive or compressed file of a kind (%s) that this lvl cannot read: unpack it first",
                 archive);
    else
        snprintf(text, room, "an unknown format");
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
            if (by_name)
                cli_job_fail(job, EXIT_FOREIGN, "%s; if it is a damaged %s, --as %s reads it", what,
                             by_name->title, by_name->id);
            else
                cli_job_fail(job, EXIT_FOREIGN, "%s", what);
            return false;
        }
        job->outcome = CLI_SKIPPED_FOREIGN;
        /* a file that is named like a level is reported */
        if (by_name && !job->c->opt.quiet)
            lvl_buffer_printf(&job->err, "%s: skipped: expected a %s by its name, found %s\n",
                              job->input->shown, by_name->title, what);
        return false;
    }
    job->format = format;
    const bool holds = (lvl_format_can(format) & LVL_CAN_EXTRACT) && job->input->path && !job->input->archive;
    if ((lvl_format_can(format) & can) == can)
        return true;
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

/* Detects the format, by the first and the last bytes. */
static const char *name_to_probe(const cli_job *job)
{
    return job->input->path || job->input->archive ? lvl_file_name(job->input->name) : NULL;
}

static bool probe_file(cli_job *job, unsigned can)
{
    lvl_file_ends *ends = malloc(sizeof *ends);
    lvl_file_error why = {0};

    const lvl_status status = ends ? lvl_file_read_ends(ends, job->input->path, &why) : LVL_ERR_MEMORY;
    cli_job_file_status(job, NULL, status, &why);
    const bool supported =
        status == LVL_OK && accept(job, cli_probe_file(job->input->path, name_to_probe(job), ends),
                                   (lvl_bytes){ends->head, ends->head_len}, ends->size, can);
    free(ends);
    return supported;
}

static bool probe_bytes(cli_job *job, unsigned can)
{
    const lvl_bytes all = job->bytes;
    const size_t end = all.len < LVL_FILE_END ? all.len : LVL_FILE_END;
    const lvl_bytes head = {all.ptr, end}, last = {all.ptr ? all.ptr + all.len - end : NULL, end};
    const size_t n = lvl_probe_tail(last, all.len);
    const lvl_bytes tail = {all.ptr ? all.ptr + all.len - n : NULL, n};

    return accept(job, lvl_probe(head, tail, all.len, name_to_probe(job), NULL), head, all.len, can);
}

/* Notes the limit that an input exceeds: a stream without a size is held in memory. */
static void refuse_input(cli_job *job)
{
    const uint64_t most = job->ctx.limits.input_bytes, share = lvl_memory_share(&job->ctx);
    const bool sized = job->input->path && lvl_file_kind_of(job->input->path) != LVL_FILE_OTHER;
    uint64_t size = 0;
    int64_t time;

    if (job->input->archive) {
        if (!job->usage.allowed) /* the container has not the job's context */
            lvl_refuse(&job->ctx, LVL_LIMIT_MEMORY, share, job->input->entry->size);
        return;
    }
    if (job->input->path)
        lvl_file_look(job->input->path, &size, &time);
    if (sized || most <= share)
        lvl_refuse(&job->ctx, LVL_LIMIT_INPUT, most, size);
    else
        lvl_refuse(&job->ctx, LVL_LIMIT_MEMORY, share, 0);
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
    if (job->c->verb->bit == VERB_REPAIR) /* prints it with its changes */
        return;
    job->code = cli_max_exit_code(job->code, EXIT_NEGATIVE);
    if (job->c->verb->bit == VERB_CHECK)
        return;
    cli_job_findings(job, job->findings, LVL_ERROR);
    lvl_findings_clear(job->findings);
}

/* Locks a file that will be changed in place, before it is read. An archive that is open for its members has
 * its own lock. */
static bool lock_input(cli_job *job)
{
    const cli *c = job->c;
    const cli_input *in = job->input;
    lvl_file_error why = {0};

    if (!c->opt.in_place || c->opt.dry_run || job->first || !in->path || in->archive || in->opened ||
        in->has_content || job->lock)
        return true;
    const lvl_status status = cli_lock_file(in->path, &job->lock, &why);
    if (status == LVL_ERR_IO)
        cli_job_fail(job, EXIT_ENVIRONMENT, CLI_LOCKED);
    else
        cli_job_status(job, status, NULL, NULL);
    return status == LVL_OK;
}

bool cli_job_bytes(cli_job *job)
{
    lvl_file_error why = {0};

    if (job->loaded)
        return true;
    if (!cli_job_need_findings(job) || !lock_input(job))
        return false;
    lvl_status status = cli_input_read(job->c, job->input, &job->bytes, &job->storage, job->findings, &why);
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

bool cli_job_open(cli_job *job, unsigned can)
{
    enum { SMALL = 1 << 16 };
    const cli_input *in = job->input;
    uint64_t size = 0;
    int64_t time;

    /* of a larger file on disk, the ends are enough to detect the format */
    if (job->c->format) {
        if (!accept(job, job->c->format, (lvl_bytes){NULL, 0}, 1, can))
            return false;
    } else if (in->path && !in->archive && !in->has_content &&
               lvl_file_look(in->path, &size, &time) == LVL_FILE_REGULAR && size > SMALL &&
               !probe_file(job, can)) {
        return false;
    }
    if (!cli_job_bytes(job))
        return false;
    return job->format || probe_bytes(job, can);
}

bool cli_job_parse(cli_job *job, bool edits)
{
    const unsigned flags = LVL_READ_BORROW | (edits ? LVL_READ_EDIT : 0);
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
    return status == LVL_OK;
}

bool cli_job_read(cli_job *job, unsigned can)
{
    if (!cli_job_open(job, can) || !cli_job_parse(job, can & LVL_CAN_WRITE))
        return false;
    const lvl_severity least = job->c->opt.verbose && !job->c->opt.quiet ? LVL_WARNING : LVL_ERROR;
    if (lvl_findings_worst(job->findings) >= least) {
        /* without memory for positions, the findings are printed without them */
        (void)lvl_doc_locate(job->doc, job->findings);
        cli_job_findings(job, job->findings, least);
    }
    return true;
}
