/*
 * cli/verbs/cmd_scan.c: `lvl scan`: reads files into a catalogue. Jobs make the rows of a file on any thread;
 * the main thread stores them.
 */
#include "cli/cli.h"

#include "base/stamp.h"

#include <lvl/catalogue.h>

#include <stdlib.h>
#include <string.h>

enum { THUMBNAIL = 256 };

/* What a job knows of its file. */
typedef struct scan_note {
    lvl_scan_file file;
    lvl_buffer rows;
    lvl_scan_result result;
    bool keep; /* nothing changed but perhaps the time */
} scan_note;

typedef struct scanner {
    lvl_catalogue *catalogue;
    uint32_t thumbnail; /* px; 0: none */
    atomic_int failed; /* the database refused: an exit code */
    size_t verdicts[LVL_FOREIGN + 1], read, kept;
    bool shared; /* an error may be overcome: it is reported later */
} scanner;

/* Whether the file is no longer what it was when it was described, or is shorter or longer than what was
 * read: another program wrote or replaced it meanwhile. Rows are of one version of a file, or of none. */
static bool has_changed(const cli_job *job, const lvl_file_stamp *before, const lvl_scan_file *file)
{
    const lvl_file_stamp now = lvl_file_stamp_of(job->input->path);

    return !lvl_file_stamps_equal(before, &now) || (job->loaded && job->bytes.len != file->size);
}

static bool describe(const cli_input *in, lvl_scan_file *file)
{
    uint64_t size = 0;
    int64_t time = 0;

    memset(file, 0, sizeof *file);
    file->path = in->name;
    if (in->archive) /* whose bytes are those of that time */
        cli_archive_look(in->archive, &size, &time);
    else if (in->path)
        lvl_file_look(in->path, &size, &time);
    file->size = size;
    file->time = time;
    if (in->archive) {
        file->archive = cli_archive_name(in->archive);
        file->size = in->entry->size;
        if (in->entry->time) {
            file->archive_size = size;
            file->archive_time = time ? time : INT64_MAX; /* not known: it may have changed */
            file->time = in->entry->time;
        }
    }
    return in->path != NULL;
}

/* Makes the rows of a job's file; `error`: why it could not be read, or NULL. */
static void make_rows(cli_job *job, scanner *s, scan_note *note, const char *error)
{
    lvl_art *art = NULL;

    if (!error && job->format && !cli_art_take_if(job, !job->c->opt.no_art, &art))
        return;
    const lvl_scan_options options = {
        .art = art && lvl_art_root(art, 0) ? art : NULL, .thumbnail = s->thumbnail, .error = error};
    const lvl_bytes none = {NULL, 0};
    const lvl_status status =
        lvl_scan_read(s->catalogue, &job->ctx, &note->file, error ? NULL : job->format,
                      error || !job->loaded ? none : job->bytes, &options, &note->rows, &note->result);
    cli_art_give(job, art);
    note->keep = note->result.same;
    if (status == LVL_ERR_LIMIT && !error) {
        cli_job_status(job, status, NULL, NULL);
        note->rows.len = 0;
        make_rows(job, s, note, lvl_status_text(status));
    } else if (status != LVL_OK) {
        cli_job_status(job, status, NULL, NULL);
        note->rows.len = 0;
    }
}

static void scan_work(cli_job *job)
{
    scanner *s = job->c->user;
    scan_note *note = s->failed ? NULL : calloc(1, sizeof *note);

    job->note = note;
    if (s->failed)
        return;
    if (!note) {
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
        return;
    }
    const lvl_file_stamp before = lvl_file_stamp_of(job->input->path ? job->input->path : "");
    if (!describe(job->input, &note->file)) {
        cli_job_fail(job, EXIT_USAGE, "standard input has no name in a catalogue; give a file or a folder");
        return;
    }
    if (job->input->repeated) {
        cli_job_fail(job, EXIT_NEGATIVE,
                     "several members have this name: only the first of them is in the catalogue");
        return;
    }
    if (lvl_scan_look(s->catalogue, &note->file) == LVL_SCAN_SAME) {
        note->keep = job->idle = true;
        return;
    }
    const bool opened = cli_job_open(job, 0);
    if (!opened && job->code && job->code != EXIT_FOREIGN) {
        make_rows(job, s, note, "cannot be read");
    } else if (!job->input->archive && has_changed(job, &before, &note->file)) {
        job->outcome = CLI_DONE;
        make_rows(job, s, note, "it was changed while it was read; scan it again");
    } else {
        if (!opened) { /* a foreign file is a row, too */
            job->format = NULL;
            job->outcome = CLI_DONE;
        }
        make_rows(job, s, note, NULL);
    }
    job->idle = note->keep;
    job->note_size = note->rows.cap;
}

static const char *catalogue_name(const cli *c)
{
    return c->opt.output ? c->opt.output : "the catalogue in memory";
}

static void after(cli *c, const cli_job *job)
{
    scanner *s = c->user;
    scan_note *note = job->note;
    lvl_status status = LVL_OK;

    if (!note && job->input->error_text && !s->failed) { /* found by the walk, and cannot be read */
        scan_note row = {0};
        const lvl_scan_options options = {.error = job->input->error_text};
        describe(job->input, &row.file);
        status = lvl_scan_read(s->catalogue, &c->ctx, &row.file, NULL, (lvl_bytes){NULL, 0}, &options,
                               &row.rows, &row.result);
        if (status == LVL_OK)
            status = lvl_scan_add(s->catalogue, &row.file, lvl_buffer_bytes(&row.rows));
        lvl_buffer_free(&row.rows);
    } else if (note && !s->failed) {
        if (note->keep)
            status = lvl_scan_keep(s->catalogue, &note->file);
        else if (note->rows.len)
            status = lvl_scan_add(s->catalogue, &note->file, lvl_buffer_bytes(&note->rows));
        s->kept += note->keep;
        s->read += !note->keep && note->rows.len;
        if (note->rows.len)
            s->verdicts[note->result.verdict]++;
    }
    if (note)
        lvl_buffer_free(&note->rows);
    if (status != LVL_OK && !s->failed && !s->shared)
        cli_report(c, "%s: cannot be written: %s", catalogue_name(c),
                   status == LVL_ERR_MEMORY ? lvl_status_text(status) : lvl_catalogue_error(s->catalogue));
    if (status != LVL_OK && !s->failed)
        s->failed = cli_code_of(status);
}

static void summary(cli *c, const scanner *s, const lvl_scan_totals *totals, const char *name)
{
    if (c->opt.json) {
        lvl_buffer out = {0};
        cli_json_begin(&out, name);
        lvl_buffer_printf(&out, ",\"files\":%llu,\"read\":%zu,\"unchanged\":%zu,\"removed\":%llu",
                          (unsigned long long)totals->files, s->read, s->kept,
                          (unsigned long long)totals->removed);
        for (int v = 0; v <= LVL_FOREIGN; v++)
            lvl_buffer_printf(&out, ",\"%s\":%zu", lvl_verdict_name((lvl_verdict)v), s->verdicts[v]);
        lvl_buffer_str(&out, "}\n");
        cli_out_text(c, &out);
    } else if (!c->opt.quiet) {
        cli_report(c,
                   "%s: %llu file%s; %zu read (%zu sound, %zu damaged, %zu unreadable, %zu foreign), %zu "
                   "unchanged, %llu removed",
                   name, (unsigned long long)totals->files, totals->files == 1 ? "" : "s", s->read,
                   s->verdicts[LVL_SOUND], s->verdicts[LVL_DAMAGED], s->verdicts[LVL_UNREADABLE],
                   s->verdicts[LVL_FOREIGN], s->kept, (unsigned long long)totals->removed);
    }
}

static int by_name(const void *a, const void *b)
{
    const cli_input *x = *(cli_input *const *)a, *y = *(cli_input *const *)b;
    const int order = strcmp(x->name, y->name);

    return order ? order : (x > y) - (x < y);
}

/* Scans the inputs. Of several members with one name, a path means the first. */
static int run_inputs(cli *c, const cli_batch *batch)
{
    cli_input **sorted = calloc(c->inputs.count + 1, sizeof *sorted);

    if (!sorted)
        return cli_no_memory(c);
    for (size_t i = 0; i < c->inputs.count; i++)
        sorted[i] = &c->inputs.items[i];
    qsort(sorted, c->inputs.count, sizeof(*sorted), by_name);
    for (size_t i = 1; i < c->inputs.count; i++)
        sorted[i]->repeated = sorted[i]->entry && sorted[i - 1]->entry &&
                              sorted[i]->entry != sorted[i - 1]->entry &&
                              strcmp(sorted[i]->name, sorted[i - 1]->name) == 0;
    free(sorted);
    return cli_run(c, batch);
}

/* Runs the batch, and then on the archives that were found: only some at a time are in memory. */
static int run_all(cli *c, const cli_batch *batch, const cli_strings *archives, const scanner *s)
{
    const uint64_t together = 16 << 20; /* bytes on disk */
    int code = c->inputs.count ? run_inputs(c, batch) : EXIT_FINE;

    for (size_t i = 0; i < archives->count && !s->failed && !cli_stopped();) {
        uint64_t bytes = 0, size = 0;
        int64_t time;
        cli_arts_free(c); /* it may search archives of before */
        cli_inputs_free(&c->inputs);
        c->inputs.batch = true;
        do {
            if (!cli_input_add(c, &c->inputs, archives->items[i], true))
                return cli_no_memory(c);
            lvl_file_look(archives->items[i++], &size, &time);
            bytes += size;
        } while (i < archives->count && bytes < together);
        if (c->inputs.count)
            code = cli_max_exit_code(code, run_inputs(c, batch));
    }
    return code;
}

int cli_scan(cli *c, lvl_catalogue *catalogue, const cli_strings *roots, const cli_strings *archives)
{
    const uint32_t thumbnail = c->opt.no_thumbnails || !roots ? 0 : THUMBNAIL;
    scanner s = {.catalogue = catalogue, .thumbnail = thumbnail};
    const cli_batch batch = {.work = scan_work, .after = after, .user = &s, .art = !c->opt.no_art};
    const cli_strings nothing = {0};
    lvl_scan_totals totals;
    lvl_status status = lvl_scan_begin(catalogue, thumbnail);

    if (status != LVL_OK) {
        cli_report(c, "%s: cannot be read: %s", catalogue_name(c),
                   status == LVL_ERR_MEMORY ? lvl_status_text(status) : lvl_catalogue_error(catalogue));
        return cli_code_of(status);
    }
    int code = run_all(c, &batch, archives ? archives : &nothing, &s);
    /* what is foreign, damaged or not there is a row, and no failure of the scan */
    if (code == EXIT_NEGATIVE || code == EXIT_FOREIGN)
        code = EXIT_FINE;
    if (s.failed)
        return cli_max_exit_code(code, s.failed);
    const bool whole = roots && !cli_stopped() && code != EXIT_USAGE;
    status = lvl_scan_end(catalogue, whole ? roots->items : NULL, whole ? roots->count : 0, &totals);
    if (status != LVL_OK) {
        cli_report(c, "%s: cannot be written: %s", catalogue_name(c), lvl_catalogue_error(catalogue));
        return cli_max_exit_code(code, cli_code_of(status));
    }
    if (roots && !cli_stopped())
        summary(c, &s, &totals, c->opt.output);
    return code;
}

/* ---- scans that several programs share ---------------------------------------------------------------- */

static void free_copies(cli_strings *list)
{
    for (size_t i = 0; i < list->count; i++)
        free((void *)(uintptr_t)list->items[i]);
    cli_strings_free(list);
}

static bool add_copy(void *user, const char *path)
{
    char *copy = cli_format("%s", path);

    if (copy && cli_strings_add(user, copy))
        return true;
    free(copy);
    return false;
}

static void say_lost(void *user, const char *reason, unsigned seconds, unsigned attempt, unsigned attempts)
{
    cli_report(user, "the connection to the database is lost (%s); trying again in %u s (%u of %u)", reason,
               seconds, attempt, attempts);
}

static int report_shared(cli *c, const lvl_catalogue *catalogue, lvl_status status)
{
    if (status != LVL_ERR_STOPPED)
        cli_report(c, "%s: %s", c->opt.output,
                   status == LVL_ERR_MEMORY ? lvl_status_text(status) : lvl_catalogue_error(catalogue));
    return status == LVL_ERR_MISSING ? EXIT_NEGATIVE : cli_code_of(status);
}

/* Makes the list of a scan of what the command line names. */
static lvl_status begin_shared(cli *c, lvl_catalogue *catalogue, const cli_strings *archives, bool whole,
                               uint32_t thumbnail)
{
    cli_strings files = {0};
    lvl_status status = LVL_OK;

    for (size_t i = 0; i < c->inputs.count; i++) {
        if (!cli_strings_add(&files, c->inputs.items[i].name))
            status = LVL_ERR_MEMORY;
    }
    const lvl_share_list list = {.roots = c->args.items,
                                 .root_count = whole ? c->args.count : 0,
                                 .archives = archives->items,
                                 .archive_count = archives->count,
                                 .files = files.items,
                                 .file_count = files.count,
                                 .thumbnail = thumbnail};
    if (status == LVL_OK)
        status = lvl_share_begin(catalogue, &list);
    cli_strings_free(&files);
    return status;
}

/* Joins a scan, if everything that it reads is there on this machine, too. */
static int join_shared(cli *c, lvl_catalogue *catalogue, uint32_t *thumbnail)
{
    cli_strings roots = {0};
    lvl_status status;
    int code = EXIT_FINE;

    while ((status = lvl_share_join(catalogue, thumbnail, add_copy, &roots)) != LVL_OK &&
           lvl_share_recover(catalogue, say_lost, c))
        free_copies(&roots);
    if (status != LVL_OK)
        code = report_shared(c, catalogue, status);
    for (size_t i = 0; i < roots.count && !code; i++) {
        if (lvl_file_kind_of(roots.items[i]) != LVL_FILE_NONE)
            continue;
        cli_report(c, "%s is not found here: a worker needs the same files under the same paths",
                   roots.items[i]);
        code = EXIT_ENVIRONMENT;
    }
    free_copies(&roots);
    return code;
}

/* Reads items until none is left. What was counted of items that were lost is taken back. */
static int read_shared(cli *c, const cli_batch *batch, scanner *s)
{
    cli_strings items = {0};
    int code = EXIT_FINE;
    uint64_t left;

    while (!cli_stopped()) {
        const scanner before = *s;
        free_copies(&items);
        lvl_status status = lvl_share_take(s->catalogue, add_copy, &items, &left);
        if (status == LVL_OK && !items.count) {
            if (!left || !lvl_share_wait(s->catalogue))
                break;
            continue;
        }
        cli_arts_free(c); /* it may search archives of before */
        cli_inputs_free(&c->inputs);
        c->inputs.batch = true;
        for (size_t i = 0; i < items.count && status == LVL_OK; i++) {
            if (!cli_input_add(c, &c->inputs, items.items[i], true))
                status = LVL_ERR_MEMORY;
        }
        for (size_t i = 0; i < c->inputs.count; i++)
            c->inputs.items[i].named = false; /* nobody typed them */
        int now = EXIT_FINE;
        if (status == LVL_OK && c->inputs.count)
            now = run_inputs(c, batch);
        if (status == LVL_OK && !s->failed && !cli_stopped())
            status = lvl_share_done(s->catalogue);
        if (status == LVL_OK && !s->failed) {
            code = cli_max_exit_code(code, now);
            continue;
        }
        if (cli_stopped() || !lvl_share_recover(s->catalogue, say_lost, c)) {
            now = report_shared(c, s->catalogue, status == LVL_OK ? LVL_ERR_IO : status);
            code = cli_max_exit_code(code, s->failed ? s->failed : now);
            break;
        }
        memcpy(s->verdicts, before.verdicts, sizeof s->verdicts);
        s->read = before.read;
        s->kept = before.kept;
        s->failed = 0;
    }
    free_copies(&items);
    return code;
}

static int scan_shared(cli *c, lvl_catalogue *catalogue, const cli_strings *archives, bool whole)
{
    uint32_t thumbnail = c->opt.no_thumbnails ? 0 : THUMBNAIL;
    lvl_scan_totals totals;
    lvl_status status;
    int code = EXIT_FINE;

    if (c->opt.worker) {
        code = join_shared(c, catalogue, &thumbnail);
    } else {
        status = begin_shared(c, catalogue, archives, whole, thumbnail);
        if (status != LVL_OK)
            code = report_shared(c, catalogue, status);
    }
    if (code)
        return code;
    scanner s = {.catalogue = catalogue, .thumbnail = thumbnail, .shared = true};
    const cli_batch batch = {.work = scan_work, .after = after, .user = &s, .art = !c->opt.no_art};
    code = read_shared(c, &batch, &s);
    if (code == EXIT_NEGATIVE || code == EXIT_FOREIGN) /* as in cli_scan */
        code = EXIT_FINE;
    if (code || cli_stopped())
        return code;
    while ((status = lvl_share_end(catalogue, &totals)) != LVL_OK &&
           lvl_share_recover(catalogue, say_lost, c))
        continue;
    if (status != LVL_OK)
        return report_shared(c, catalogue, status);
    summary(c, &s, &totals, c->opt.output);
    return code;
}

int cmd_scan(cli *c)
{
    cli_strings archives = {0};
    lvl_buffer why = {0};
    lvl_catalogue *catalogue;

    if (c->opt.to && c->opt.output)
        return cli_usage(c, "-o and --to exclude each other");
    if (c->opt.to && !lvl_catalogue_is_url(c->opt.to))
        return cli_usage(c, "--to: expected postgresql://..., and -o for a file");
    if (c->opt.output && lvl_catalogue_is_url(c->opt.output))
        return cli_usage(c, "-o: expected a file; --to for a database of PostgreSQL");
    if (c->opt.to)
        c->opt.output = c->opt.to;
    else if (!c->opt.output)
        c->opt.output = CLI_CATALOGUE;
    if (cli_is_stdout(c->opt.output))
        return cli_usage(c, "-o: a catalogue cannot be written to standard output");
    if (c->opt.no_art && c->opt.art.count)
        return cli_usage(c, "--no-art and --art exclude each other");
    if (c->opt.worker && (!c->opt.to || c->args.count || c->opt.from0))
        return cli_usage(c, "--worker joins a scan that runs: expected --to URL, and no path");
    c->opt.members = true;
    c->later = &archives;
    int code = c->opt.worker ? EXIT_FINE : cli_take_inputs(c, 0, c->args.count);
    c->later = NULL;
    if (code) {
        free_copies(&archives);
        return code;
    }
    const lvl_status status =
        lvl_catalogue_open(&catalogue, &c->ctx, c->opt.output, LVL_CATALOGUE_WRITE, &why);
    lvl_buffer_u8(&why, 0);
    if (status != LVL_OK) {
        cli_report(c, "%s: %s", c->opt.output,
                   why.len > 1 && why.status == LVL_OK ? (const char *)why.data : lvl_status_text(status));
        lvl_buffer_free(&why);
        free_copies(&archives);
        return status == LVL_ERR_FORMAT ? EXIT_FOREIGN : cli_code_of(status);
    }
    lvl_buffer_free(&why);
    code = lvl_share_supported(catalogue) ? scan_shared(c, catalogue, &archives, true)
                                          : cli_scan(c, catalogue, &c->args, &archives);
    if (!code && !cli_stopped())
        code = cli_notes_take(c, catalogue);
    lvl_catalogue_close(catalogue);
    free_copies(&archives);
    return code;
}
