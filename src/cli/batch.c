/*
 * cli/batch.c: one verb over many inputs. Jobs run on the pool's threads; their output comes out in the order
 * of the inputs.
 */
#include "cli/cli.h"

#include "base/format.h"
#include "base/pool.h"
#include "base/text.h"
#include "base/work.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

int cli_worse(int a, int b)
{
    static const int order[] = {EXIT_FINE, EXIT_NEGATIVE, EXIT_FOREIGN, EXIT_ENVIRONMENT, EXIT_USAGE};
    int ra = 0, rb = 0;

    for (int i = 0; i < (int)(sizeof order / sizeof *order); i++) {
        ra = order[i] == a ? i : ra;
        rb = order[i] == b ? i : rb;
    }
    return ra > rb ? a : b;
}

int cli_code_of(lvl_status status)
{
    switch (status) {
    case LVL_OK: return EXIT_FINE;
    case LVL_ERR_MEMORY:
    case LVL_ERR_STOPPED:
    case LVL_ERR_IO: return EXIT_ENVIRONMENT;
    case LVL_ERR_FOREIGN: return EXIT_FOREIGN;
    case LVL_ERR_ARG: return EXIT_USAGE;
    case LVL_ERR_LIMIT:
    case LVL_ERR_FORMAT:
    case LVL_ERR_LOSS:
    case LVL_ERR_MISSING:
    case LVL_ERR_UNSUPPORTED: return EXIT_NEGATIVE;
    }
    return EXIT_ENVIRONMENT;
}

/* ---- messages of a job ------------------------------------------------------------------------------- */

void cli_job_fail(cli_job *job, int code, const char *fmt, ...)
{
    char text[512];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    lvl_buffer_printf(&job->err, "%s: %s\n", job->input->shown, text);
    job->code = cli_worse(job->code, code);
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

/* Reports the limit that refused; false: none did. */
static bool report_limit(cli_job *job)
{
    lvl_findings *limit = job->usage.limit ? lvl_findings_new(&job->ctx) : NULL;

    if (!limit)
        return false;
    lvl_usage_report(&job->usage, &job->ctx, limit);
    cli_job_findings(job, limit, LVL_ERROR);
    lvl_findings_free(limit);
    job->code = cli_worse(job->code, EXIT_NEGATIVE);
    return true;
}

void cli_job_limit(cli_job *job, const char *hint)
{
    report_limit(job);
    if (job->usage.limit == LVL_LIMIT_NONE || job->usage.limit == LVL_LIMIT_CELLS)
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
        job->code = cli_worse(job->code, code);
        return;
    }
    size_t n = findings ? lvl_findings_count(findings) : 0;
    if ((status == LVL_ERR_ARG || status == LVL_ERR_MISSING) && n) {
        /* what the user asked for, not what the file is: said without an id */
        for (size_t i = 0; i < n; i++) {
            const lvl_finding *f = lvl_findings_at(findings, i);
            char where[256] = "";
            lvl_where_text(&f->where, where, sizeof where);
            cli_job_fail(job, code, "%s%s%s%s", f->text, *where ? " (" : "", where, *where ? ")" : "");
        }
    } else if (n && lvl_findings_worst(findings) >= LVL_ERROR) {
        cli_job_findings(job, findings, LVL_ERROR);
        job->code = cli_worse(job->code, code);
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
    lvl_file_unmap(job->mapped);
    job->mapped = (lvl_bytes){NULL, 0};
    job->doc = NULL;
    job->findings = NULL;
    job->bytes.ptr = NULL;
    job->bytes.len = 0;
    job->loaded = false;
}

void cli_job_lines(cli_job *job, const lvl_buffer *lines)
{
    const cli *c = job->c;

    for (size_t at = 0; at < lines->len;) {
        const char *line = (const char *)lines->data + at;
        const char *nl = memchr(line, '\n', lines->len - at);
        size_t len = nl ? (size_t)(nl - line) + 1 : lines->len - at, skip = 0;
        if (c->opt.json && line[0] == '{') {
            lvl_buffer_str(&job->out, "{\"file\":");
            lvl_json_string(&job->out, lvl_text_of(job->input->name));
            lvl_buffer_str(&job->out, len > 2 && line[1] == '}' ? "" : ",");
            skip = 1;
        } else if (c->inputs.batch && !c->opt.json) {
            lvl_buffer_printf(&job->out, "%s: ", job->input->shown);
        }
        lvl_buffer_add(&job->out, line + skip, len - skip);
        at += len;
    }
    if (lines->status != LVL_OK)
        cli_job_status(job, lines->status, NULL, NULL);
}

/* ---- opening ----------------------------------------------------------------------------------------- */

/* What a file of no known format seems to be. */
static void describe_foreign(const cli_job *job, lvl_bytes head, uint64_t size, char *text, size_t room)
{
    const lvl_format *later = lvl_probe_later(head);
    const char *picture = lvl_picture_kind(head);
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
    else
        snprintf(text, room, "an unknown format");
}

/* What to do instead where a verb isn't for a format. */
static const char *other_verb(const lvl_format *format)
{
    return format->can & LVL_CAN_IMAGE ? "; `lvl convert FILE -o FILE.png' makes a picture of it"
           : !(format->can & (LVL_CAN_EXTRACT | LVL_CAN_RENDER))
               ? "; `lvl info' and `lvl dump' show what is in it"
               : "";
}

/* Whether the verb goes on with a file of that format (NULL: none); else says why not. `head`: the first
 * bytes of a file without a format. */
static bool accept(cli_job *job, const lvl_format *format, lvl_bytes head, uint64_t size, unsigned can)
{
    char what[160];

    if (!format) {
        const lvl_format *by_name = NULL;
        describe_foreign(job, head, size, what, sizeof what);
        if (job->input->named) {
            cli_job_fail(job, EXIT_FOREIGN, "%s", what);
            return false;
        }
        job->outcome = CLI_SKIPPED_FOREIGN;
        for (size_t i = 0; !by_name && lvl_format_at(i); i++) {
            if (cli_has_ending(job->input->name, lvl_format_at(i)))
                by_name = lvl_format_at(i);
        }
        /* whoever keeps levels wants to hear of one that is none any more */
        if (by_name && !job->c->opt.quiet)
            lvl_buffer_printf(&job->err, "%s: skipped: expected a %s by its name, found %s\n",
                              job->input->shown, by_name->title, what);
        return false;
    }
    job->format = format;
    const bool holds = (format->can & LVL_CAN_EXTRACT) && job->input->path && !job->input->archive;
    if ((format->can & can) == can)
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

static bool probe_file(cli_job *job, unsigned can)
{
    lvl_file_error why = {0};
    char text[256];
    bool go_on = false;

    lvl_file_ends *ends = malloc(sizeof *ends);
    if (!ends) {
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
        return false;
    }
    lvl_status status = lvl_file_read_ends(ends, job->input->path, &why);
    if (status == LVL_OK) {
        const lvl_bytes head = {ends->head, ends->head_len}, tail = {ends->tail, ends->tail_len};
        go_on = accept(job, lvl_probe(head, tail, ends->size, cli_base_name(job->input->path), NULL), head,
                       ends->size, can);
    } else if (why.step) {
        cli_job_fail(job, EXIT_ENVIRONMENT, "%s", lvl_file_error_text(&why, text, sizeof text));
    } else {
        cli_job_status(job, status, NULL, NULL);
    }
    free(ends);
    return go_on;
}

static bool probe_bytes(cli_job *job, unsigned can)
{
    size_t end = job->bytes.len < LVL_FILE_END ? job->bytes.len : LVL_FILE_END;
    const lvl_bytes head = {job->bytes.ptr, end};
    const lvl_bytes tail = {job->bytes.ptr ? job->bytes.ptr + job->bytes.len - end : NULL, end};
    const char *name = job->input->path || job->input->archive ? cli_base_name(job->input->name) : NULL;

    return accept(job, lvl_probe(head, tail, job->bytes.len, name, NULL), head, job->bytes.len, can);
}

/* A large file on disk of which little will be looked at. */
static bool map_bytes(cli_job *job)
{
    enum { LARGE = 1 << 20 };
    const cli_input *in = job->input;
    uint64_t size;
    int64_t time;

    if (!job->brief || !in->path || in->archive ||
        lvl_file_look(in->path, &size, &time) != LVL_FILE_REGULAR || size < LARGE ||
        lvl_file_map(&job->mapped, in->path, job->c->ctx.limits.input_bytes, NULL) != LVL_OK)
        return false;
    job->bytes = job->mapped;
    return true;
}

/* Which limit an input passes: one without a size is held in memory. */
static void refuse_input(cli_job *job)
{
    const uint64_t most = lvl_limits_of(&job->ctx).input_bytes, share = lvl_memory_share(&job->ctx);
    const bool sized = job->input->path && lvl_file_kind_of(job->input->path) != LVL_FILE_OTHER;
    uint64_t size = 0;
    int64_t time;

    if (job->input->archive)
        return;
    if (job->input->path)
        lvl_file_look(job->input->path, &size, &time);
    if (sized || most <= share)
        lvl_refuse(&job->ctx, LVL_LIMIT_INPUT, most, size);
    else
        lvl_refuse(&job->ctx, LVL_LIMIT_MEMORY, share, 0);
}

bool cli_job_bytes(cli_job *job)
{
    lvl_file_error why = {0};
    char text[256];

    if (job->loaded)
        return true;
    job->loaded = map_bytes(job);
    if (job->loaded)
        return true;
    lvl_status status = cli_input_read(job->c, job->input, &job->bytes, &job->storage, &why);
    job->loaded = status == LVL_OK;
    if (job->loaded)
        return true;
    if (why.step)
        cli_job_fail(job, EXIT_ENVIRONMENT, "%s", lvl_file_error_text(&why, text, sizeof text));
    else if (status == LVL_ERR_LIMIT)
        refuse_input(job);
    cli_job_status(job, why.step ? LVL_OK : status, NULL, NULL);
    return false;
}

bool cli_job_open(cli_job *job, unsigned can)
{
    enum { SMALL = 1 << 16 };
    const cli_input *in = job->input;
    uint64_t size = 0;
    int64_t time;

    /* of a larger file on disk the ends tell whether the rest is worth reading */
    if (job->c->format) {
        if (!accept(job, job->c->format, (lvl_bytes){NULL, 0}, 1, can))
            return false;
    } else if (in->path && !in->archive && lvl_file_look(in->path, &size, &time) == LVL_FILE_REGULAR &&
               size > SMALL && !probe_file(job, can)) {
        return false;
    }
    if (!cli_job_bytes(job))
        return false;
    return job->format || probe_bytes(job, can);
}

bool cli_job_read(cli_job *job, unsigned can)
{
    if (!cli_job_open(job, can))
        return false;
    job->findings = lvl_findings_new(&job->ctx);
    if (!job->findings) {
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
        return false;
    }
    lvl_status status = lvl_read(&job->doc, &job->ctx, job->format, job->bytes,
                                 cli_base_name(job->input->name), LVL_READ_BORROW, job->findings);
    if (status != LVL_OK) {
        cli_job_status(job, status, job->findings, NULL);
        return false;
    }
    const lvl_severity least = job->c->opt.verbose && !job->c->opt.quiet ? LVL_WARNING : LVL_ERROR;
    if (lvl_findings_worst(job->findings) >= least) {
        (void)lvl_doc_locate(job->doc, job->findings,
                             NULL); /* without positions they still say what is wrong */
        cli_job_findings(job, job->findings, least);
    }
    return true;
}

/* ---- art --------------------------------------------------------------------------------------------- */

/* A search path is one thread's at a time; jobs take one and give it back, so that there are no more than
 * threads. */
enum { ARTS = 520 }; /* two for each of the 256 threads that there may be, and some */

struct cli_arts {
    struct art_slot {
        atomic_flag busy;
        lvl_art *art;
        char *archive; /* the archive that its levels come from, which is searched as well; NULL: none */
    } slots[ARTS];
};

static lvl_status art_make(const cli *c, const char *archive, lvl_art **out, const char **which)
{
    lvl_status status = LVL_OK;

    *which = NULL;
    *out = lvl_art_new(&c->ctx);
    if (!*out)
        return LVL_ERR_MEMORY;
    for (size_t i = 0; i < c->opt.art.count && status == LVL_OK; i++) {
        *which = c->opt.art.items[i];
        status = lvl_art_add(*out, *which);
    }
    /* an archive inside of another can't be opened so, and needn't; what isn't there of a list is passed over
     */
    if (status == LVL_OK && archive && lvl_art_add_home(*out, archive) == LVL_ERR_MEMORY)
        status = LVL_ERR_MEMORY;
    if (status == LVL_OK && getenv("LVL_ART") && lvl_art_add_list(*out, getenv("LVL_ART")) == LVL_ERR_MEMORY)
        status = LVL_ERR_MEMORY;
    if (status != LVL_OK) {
        lvl_art_free(*out);
        *out = NULL;
    }
    return status;
}

bool cli_art_given(const cli *c)
{
    const char *list = getenv("LVL_ART");

    return c->opt.art.count || (list && *list);
}

int cli_art_try(cli *c)
{
    const char *which;
    lvl_art *art;

    if (!c->arts)
        c->arts = calloc(1, sizeof *c->arts);
    lvl_status status = c->arts ? art_make(c, NULL, &art, &which) : LVL_ERR_MEMORY;
    if (status == LVL_OK) {
        c->arts->slots[0].art = art;
        return EXIT_FINE;
    }
    if (c->arts && which)
        cli_report(c, "--art %s: %s", which, lvl_status_text(status));
    else
        cli_report(c, "%s", lvl_status_text(status));
    return EXIT_ENVIRONMENT;
}

lvl_art *cli_art_take(cli_job *job)
{
    const char *archive = job->input->archive ? job->input->path : NULL, *which;
    struct art_slot *slot = job->c->arts->slots;

    while (atomic_flag_test_and_set(&slot->busy)) {
        if (++slot == job->c->arts->slots + ARTS)
            slot = job->c->arts->slots; /* there are no more threads than slots, so one is free */
    }
    bool fits = slot->art && lvl_art_status(slot->art) == LVL_OK &&
                (archive ? slot->archive && strcmp(slot->archive, archive) == 0 : !slot->archive);
    if (!fits) {
        lvl_art_free(slot->art);
        free(slot->archive);
        slot->archive = archive ? cli_copy(archive) : NULL;
        (void)art_make(job->c, archive, &slot->art, &which);
    }
    if (slot->art && lvl_art_level(slot->art, job->input->path) == LVL_ERR_MEMORY) {
        lvl_art_free(slot->art);
        slot->art = NULL;
    }
    if (!slot->art) {
        atomic_flag_clear(&slot->busy);
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
        return NULL;
    }
    return slot->art;
}

void cli_art_give(cli_job *job, lvl_art *art)
{
    for (size_t i = 0; i < ARTS; i++) {
        if (job->c->arts->slots[i].art == art) {
            atomic_flag_clear(&job->c->arts->slots[i].busy);
            return;
        }
    }
}

void cli_arts_free(cli *c)
{
    for (size_t i = 0; c->arts && i < ARTS; i++) {
        lvl_art_free(c->arts->slots[i].art);
        free(c->arts->slots[i].archive);
    }
    free(c->arts);
    c->arts = NULL;
}

/* ---- running ----------------------------------------------------------------------------------------- */

int cli_take_inputs(cli *c, size_t first, size_t count)
{
    if (first + count > c->args.count || !count)
        return cli_usage(c, "no input file");
    for (size_t i = 0; i < count; i++) {
        if (!cli_input_add(c, &c->inputs, c->args.items[first + i], count > 1)) {
            cli_report(c, "out of memory");
            return EXIT_ENVIRONMENT;
        }
    }
    if (count > 1)
        c->inputs.batch = true;
    /* as other commands name what they write */
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
    size_t done, failed, idle, no_match, foreign, other, members;
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
    cli_job_clear(job); /* only the output waits for its turn */
    if (job->out.status != LVL_OK || job->err.status != LVL_OK)
        job->code = cli_worse(job->code, EXIT_ENVIRONMENT);
    return job;
}

static size_t run_weigh(void *user, const void *result)
{
    const cli_job *job = result;

    (void)user;
    return job ? sizeof *job + job->out.cap + job->err.cap : 0;
}

static bool run_done(void *user, size_t index, void *result)
{
    struct run *r = user;
    cli_job *job = result;
    cli *c = r->c;

    if (!job) {
        cli_report(c, "out of memory");
        r->code = cli_worse(r->code, EXIT_ENVIRONMENT);
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
        r->code = cli_worse(r->code, job->code);
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
        r->batch->after(c, job, r->batch->user);
    if (job->has_member) {
        cli_input *in = &c->inputs.items[index];
        in->changed = job->member;
        in->has_changed = true;
        r->members++;
    }
    if (c->inputs.count > 1)
        cli_progress(c, index + 1, c->inputs.count, job->input->shown);
    const bool full = job->full && index + 1 < c->inputs.count;
    if (full)
        cli_report(c, "stopped: the disk is full");
    lvl_buffer_free(&job->out);
    lvl_buffer_free(&job->err);
    free(job->note);
    free(job);
    return !full && !cli_stopped();
}

/* Two inputs that would be written to the same name: same but for the ending, they keep theirs; wholly the
 * same, it can't be. */
static int by_rel(const void *a, const void *b)
{
    const cli_input *x = *(cli_input *const *)a, *y = *(cli_input *const *)b;
    size_t nx = (size_t)(cli_ending(x->rel) - x->rel), ny = (size_t)(cli_ending(y->rel) - y->rel);
    int d = strncmp(x->rel, y->rel, nx < ny ? nx : ny);

    if (d || nx != ny)
        return d ? d : nx < ny ? -1 : 1;
    return strcmp(x->rel, y->rel);
}

static int find_clashes(cli *c)
{
    size_t n = c->inputs.count;
    cli_input **sorted = malloc((n ? n : 1) * sizeof *sorted);
    int code = EXIT_FINE;

    if (!sorted) {
        cli_report(c, "out of memory");
        return EXIT_ENVIRONMENT;
    }
    for (size_t i = 0; i < n; i++)
        sorted[i] = &c->inputs.items[i];
    if (n)
        qsort(sorted, n, sizeof(*sorted), by_rel);
    for (size_t i = 1; i < n && code == EXIT_FINE; i++) {
        const char *a = sorted[i - 1]->rel, *b = sorted[i]->rel;
        if (strcmp(a, b) == 0) {
            code = cli_usage(c, "%s and %s would both be written to %s; convert them in two calls",
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

/* ", 3 WORD", unless there are none. */
static void add_count(lvl_buffer *line, const char *gap, size_t n, const char *word)
{
    char buf[32];

    if (n)
        lvl_buffer_printf(line, "%s%s %s", gap, grouped(buf, n), word);
}

static void count_line(cli *c, const struct run *r)
{
    const cli_batch *b = r->batch;
    /* what failed was done all the same where failing is an answer, as of a comparison */
    const size_t done = (b->failed_word ? r->done : r->done - r->failed) - r->idle,
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

/* Waits until what was written is on the disk. */
static int flush_all(cli *c)
{
    lvl_file_error why = {0};
    char text[256];

    if (lvl_folder_flush(c->opt.output, &why) == LVL_OK)
        return EXIT_FINE;
    cli_report(c, "%s: %s", c->opt.output, lvl_file_error_text(&why, text, sizeof text));
    return EXIT_ENVIRONMENT;
}

int cli_run(cli *c, const cli_batch *batch)
{
    struct run r = {.c = c, .batch = batch, .code = EXIT_FINE};

    if (c->out_is_dir && batch->output) {
        int code = find_clashes(c);
        if (code)
            return code;
    }
    if (c->opt.in_place && !cli_inputs_settle(&c->inputs)) {
        cli_report(c, "out of memory");
        return EXIT_ENVIRONMENT;
    }
    enum { MANY = 16 };
    c->together = c->together || (c->out_is_dir && c->opt.output && c->inputs.count >= MANY);
    lvl_pool_run_weighed(c->jobs, c->inputs.count, run_work, run_done, run_weigh, &r);
    cli_progress_clear(c);
    if (c->together && lvl_file_kind_of(c->opt.output) == LVL_FILE_FOLDER)
        r.code = cli_worse(r.code, flush_all(c));
    if (r.failed == r.done && !r.members)
        c->copy = NULL; /* nothing came of it; what was repaired in part has come of it, and must not go into
                           the archive itself */
    if (!cli_stopped()) /* half of what was asked for is worse than nothing */
        r.code = cli_worse(r.code, cli_archives_save(c));
    const bool counts = batch->done_word || batch->match_word;
    if (c->inputs.batch && counts && !c->opt.quiet && !cli_stopped())
        count_line(c, &r);
    if (!r.done && r.code == EXIT_FINE && !cli_stopped()) {
        if (!r.no_match && (!counts || c->opt.quiet))
            cli_report(c, "no file that `lvl %s' can read", c->verb->name);
        else if (r.other && !c->opt.quiet)
            cli_report(c, "no file is of a format that this is possible for; name one of them to see why");
        return EXIT_NEGATIVE;
    }
    return r.code;
}
