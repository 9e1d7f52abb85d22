/*
 * cli/cmd_scan.c: `lvl scan`: reads files into a catalogue. Jobs make the rows of a file on any thread; the
 * main thread stores them.
 */
#include "cli/cli.h"

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
} scanner;

static bool describe(const cli_input *in, lvl_scan_file *file)
{
    uint64_t size = 0;
    int64_t time = 0;

    memset(file, 0, sizeof *file);
    file->path = in->name;
    if (in->path)
        lvl_file_look(in->path, &size, &time);
    file->size = size;
    file->time = time;
    if (in->archive) { /* `path` is that of the archive on disk */
        file->archive = cli_archive_name(in->archive);
        file->size = in->entry->size;
        file->time = in->entry->time ? in->entry->time : time;
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

static void work(cli_job *job)
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
    if (!describe(job->input, &note->file)) {
        cli_job_fail(job, EXIT_USAGE, "standard input has no name in a catalogue; give a file or a folder");
        return;
    }
    if (lvl_scan_look(s->catalogue, &note->file) == LVL_SCAN_SAME) {
        note->keep = job->idle = true;
        return;
    }
    const bool opened = cli_job_open(job, 0);
    if (!opened && job->code && job->code != EXIT_FOREIGN) {
        make_rows(job, s, note, "cannot be read");
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
    if (status != LVL_OK && !s->failed) {
        cli_report(c, "the catalogue cannot be written: %s",
                   status == LVL_ERR_MEMORY ? lvl_status_text(status) : lvl_catalogue_error(s->catalogue));
        s->failed = cli_code_of(status);
    }
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
                   "%s: %llu files; %zu read (%zu sound, %zu damaged, %zu unreadable, %zu foreign), %zu "
                   "unchanged, %llu "
                   "removed",
                   name, (unsigned long long)totals->files, s->read, s->verdicts[LVL_SOUND],
                   s->verdicts[LVL_DAMAGED], s->verdicts[LVL_UNREADABLE], s->verdicts[LVL_FOREIGN], s->kept,
                   (unsigned long long)totals->removed);
    }
}

/* Runs the batch, and then on the archives that were found: only some at a time are in memory. */
static int run_all(cli *c, const cli_batch *batch, const cli_strings *archives, const scanner *s)
{
    const uint64_t together = 16 << 20; /* bytes on disk */
    int code = c->inputs.count ? cli_run(c, batch) : EXIT_FINE;

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
            code = cli_max_exit_code(code, cli_run(c, batch));
    }
    return code;
}

int cli_scan(cli *c, lvl_catalogue *catalogue, const cli_strings *roots, const cli_strings *archives)
{
    const uint32_t thumbnail = c->opt.no_thumbnails || !roots ? 0 : THUMBNAIL;
    scanner s = {.catalogue = catalogue, .thumbnail = thumbnail};
    const cli_batch batch = {.work = work, .after = after, .user = &s, .art = !c->opt.no_art};
    const cli_strings nothing = {0};
    lvl_scan_totals totals;
    lvl_status status = lvl_scan_begin(catalogue, thumbnail);

    if (status != LVL_OK) {
        cli_report(c, "the catalogue cannot be read: %s",
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
        cli_report(c, "the catalogue cannot be written: %s", lvl_catalogue_error(catalogue));
        return cli_max_exit_code(code, cli_code_of(status));
    }
    if (roots && !cli_stopped())
        summary(c, &s, &totals, c->opt.output);
    return code;
}

static void free_copies(cli_strings *list)
{
    for (size_t i = 0; i < list->count; i++)
        free((void *)(uintptr_t)list->items[i]);
    cli_strings_free(list);
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
    c->opt.members = true;
    c->later = &archives;
    int code = cli_take_inputs(c, 0, c->args.count);
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
    code = cli_scan(c, catalogue, &c->args, &archives);
    lvl_catalogue_close(catalogue);
    free_copies(&archives);
    return code;
}
