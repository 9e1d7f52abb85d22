/*
 * cli/catalog/scan.c: scans files into a catalogue. Jobs make the rows of a file on any thread; the main
 * thread stores them.
 */
#include "cli/catalog/catalog.h"
#include "cli/jobs/archives.h"

#include "os/stamp.h"
#include "base/text.h"
#include "catalogue/scan.h"

#include <stdlib.h>
#include <string.h>

/* What a job has found in its file. */
typedef struct scan_note {
    lvl_scan_file file;
    lvl_buffer rows;
    lvl_scan_result result;
    bool keep; /* nothing changed but perhaps the time */
} scan_note;

typedef struct scanner {
    lvl_catalogue *catalogue;
    const char *name; /* of the catalogue, for messages */
    uint32_t thumbnail; /* px; 0: none */
    atomic_int failed; /* the database refused: an exit code */
    size_t verdicts[LVL_VERDICT_COUNT], read, kept;
} scanner;

/* Whether the file has changed since it was described, or has another length than what was read: another
 * program wrote or replaced it meanwhile. Rows are of one version of a file, or of none. */
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

    if (!error && job->format && !cli_art_take_if(job, !job->c->opt->no_art, &art))
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

/* Reports the first error of the database, after which nothing is stored. */
static void note_failure(cli *c, scanner *s, lvl_status status)
{
    if (status == LVL_OK || s->failed)
        return;
    cli_report(c, "%s: cannot be written: %s", s->name,
               status == LVL_ERR_MEMORY ? lvl_status_text(status) : lvl_catalogue_error(s->catalogue));
    s->failed = cli_code_of(status);
}

static void after(cli *c, const cli_job *job)
{
    scanner *s = c->user;
    scan_note *note = job->note;
    lvl_status status = LVL_OK;

    if (!note && job->input->error_text && !s->failed) { /* found by the walk, and cannot be read */
        scan_note row = {0};
        const lvl_scan_options options = {.error = job->input->error_text};
        lvl_bytes bytes = {NULL, 0};
        describe(job->input, &row.file);
        for (const cli_archive *a = c->inputs.archives; a && !bytes.ptr; a = a->next) {
            if (strcmp(a->name, job->input->name) == 0)
                bytes = a->bytes;
        }
        status =
            lvl_scan_read(s->catalogue, &c->ctx, &row.file, NULL, bytes, &options, &row.rows, &row.result);
        if (status == LVL_OK)
            status = lvl_scan_add(s->catalogue, &row.file, lvl_buffer_bytes(&row.rows));
        s->read++;
        s->verdicts[LVL_UNREADABLE]++;
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
    note_failure(c, s, status);
}

/* Stores a row of an archive of another program, which is not an input itself: its checksums. */
static lvl_status store_archive(cli *c, scanner *s, const cli_archive *archive)
{
    lvl_scan_file file = {.path = archive->name, .archive = archive->parent ? archive->parent->name : NULL};
    const lvl_scan_options options = {.thumbnail = s->thumbnail};
    scan_note note = {.file = file};
    uint64_t size;

    cli_archive_look(archive, &size, &note.file.time);
    note.file.size = archive->bytes.len;
    if (lvl_scan_look(s->catalogue, &note.file) == LVL_SCAN_SAME) {
        s->kept++;
        return lvl_scan_keep(s->catalogue, &note.file);
    }
    lvl_status status = lvl_scan_read(s->catalogue, &c->ctx, &note.file, NULL, archive->bytes, &options,
                                      &note.rows, &note.result);
    if (status == LVL_OK && note.result.same)
        status = lvl_scan_keep(s->catalogue, &note.file);
    else if (status == LVL_OK)
        status = lvl_scan_add(s->catalogue, &note.file, lvl_buffer_bytes(&note.rows));
    s->kept += note.result.same;
    s->read += !note.result.same;
    s->verdicts[LVL_FOREIGN] += !note.result.same;
    lvl_buffer_free(&note.rows);
    return status;
}

static void store_archives(cli *c, scanner *s)
{
    for (const cli_archive *a = c->inputs.archives; a && !s->failed && !cli_stopped(); a = a->next) {
        /* a damaged one has the row of the input that reports it */
        if (a->is_foreign && a->status == LVL_OK && !a->obstacle &&
            lvl_container_status(a->container) != LVL_ERR_LOSS)
            note_failure(c, s, store_archive(c, s, a));
    }
}

/* What a scan that was not the first finds different. */
typedef struct changes {
    cli *c;
    uint64_t added, changed, moved, removed, shown; /* of one kind */
    char kind; /* its first letter */
    bool failed;
} changes;

static bool give_change(void *user, const lvl_catalogue_value *values, size_t count)
{
    enum { MOST = 20 };
    changes *g = user;
    const lvl_text kind = values[0].text;
    lvl_buffer out = {0};

    if (count < 3 || !kind.len)
        return false;
    g->shown = g->kind == kind.ptr[0] ? g->shown + 1 : 1;
    g->kind = kind.ptr[0];
    ++*(g->kind == 'a' ? &g->added : g->kind == 'c' ? &g->changed : g->kind == 'm' ? &g->moved : &g->removed);
    if (g->c->opt->json) {
        cli_put_json(&out, values, count);
    } else if (!g->c->opt->quiet && (g->shown <= MOST || g->c->opt->verbose)) {
        lvl_buffer_printf(&out, "%.*s: ", (int)kind.len, kind.ptr);
        lvl_text_escape(&out, LVL_CP_UTF8, values[1].text, false);
        lvl_buffer_str(&out, values[2].null ? "" : " -> ");
        lvl_text_escape(&out, LVL_CP_UTF8, values[2].text, false);
        lvl_buffer_u8(&out, '\n');
    } else if (!g->c->opt->quiet && g->shown == MOST + 1) {
        lvl_buffer_printf(&out, "%.*s: and more; -v lists all\n", (int)kind.len, kind.ptr);
    }
    g->failed = g->failed || out.status != LVL_OK;
    cli_out_text(g->c, &out);
    return !g->failed && !cli_stopped();
}

static void summary(cli *c, const scanner *s, const changes *g, const lvl_scan_totals *totals,
                    const char *name)
{
    lvl_buffer out = {0};

    if (c->opt->json) {
        cli_json_begin(&out, name);
        lvl_buffer_printf(&out,
                          ",\"files\":%llu,\"read\":%zu,\"unchanged\":%zu,\"added\":%llu,\"changed\":%llu,"
                          "\"moved\":%llu,\"removed\":%llu",
                          (unsigned long long)totals->files, s->read, s->kept, (unsigned long long)g->added,
                          (unsigned long long)g->changed, (unsigned long long)g->moved,
                          (unsigned long long)g->removed);
        for (int v = 0; v < LVL_VERDICT_COUNT; v++)
            lvl_buffer_printf(&out, ",\"%s\":%zu", lvl_verdict_name((lvl_verdict)v), s->verdicts[v]);
        lvl_buffer_str(&out, "}\n");
        cli_out_text(c, &out);
    } else if (!c->opt->quiet) {
        lvl_buffer_printf(&out,
                          "%llu file%s; %zu read (%zu sound, %zu faulty, %zu damaged, %zu unreadable, %zu "
                          "foreign), %zu unchanged",
                          (unsigned long long)totals->files, totals->files == 1 ? "" : "s", s->read,
                          s->verdicts[LVL_SOUND], s->verdicts[LVL_FAULTY], s->verdicts[LVL_DAMAGED],
                          s->verdicts[LVL_UNREADABLE], s->verdicts[LVL_FOREIGN], s->kept);
        if (!totals->first)
            lvl_buffer_printf(&out, "; %llu added, %llu changed, %llu moved, %llu removed",
                              (unsigned long long)g->added, (unsigned long long)g->changed,
                              (unsigned long long)g->moved, (unsigned long long)g->removed);
        cli_report(c, "%s: %.*s", name, (int)out.len, out.data ? (const char *)out.data : "");
        lvl_buffer_free(&out);
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

/* Runs the batch, then runs it on the archives that were found, a few at a time, to save memory. */
static int run_all(cli *c, const cli_batch *batch, const cli_strings *archives, scanner *s)
{
    const uint64_t together = 16 << 20; /* bytes on disk */
    int code = c->inputs.count ? run_inputs(c, batch) : EXIT_FINE;

    for (size_t i = 0; i < archives->count && !s->failed && !cli_stopped();) {
        uint64_t bytes = 0, size = 0;
        int64_t time;
        cli_arts_free(c); /* it may search archives that are closed */
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
        store_archives(c, s);
    }
    return code;
}

int cli_scan(cli *c, lvl_catalogue *catalogue, const char *name, const cli_strings *roots,
             const cli_strings *archives, uint32_t thumbnail)
{
    scanner s = {.catalogue = catalogue, .name = name, .thumbnail = thumbnail};
    const cli_batch batch = {.work = scan_work, .after = after, .user = &s, .art = !c->opt->no_art};
    const cli_strings nothing = {0};
    lvl_scan_totals totals;
    lvl_status status = lvl_scan_begin(catalogue, thumbnail);

    if (status != LVL_OK) {
        cli_report(c, "%s: cannot be read: %s", s.name,
                   status == LVL_ERR_MEMORY ? lvl_status_text(status) : lvl_catalogue_error(catalogue));
        return status == LVL_ERR_FORMAT ? EXIT_FOREIGN : cli_code_of(status);
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
        cli_report(c, "%s: cannot be written: %s", s.name, lvl_catalogue_error(catalogue));
        return cli_max_exit_code(code, cli_code_of(status));
    }
    if (roots && !cli_stopped()) {
        changes found = {.c = c};
        status = lvl_scan_changes(catalogue, give_change, &found);
        if (status != LVL_OK && status != LVL_ERR_STOPPED)
            cli_report(c, "%s: what is different now is not known: %s", s.name,
                       status == LVL_ERR_MEMORY ? lvl_status_text(status) : lvl_catalogue_error(catalogue));
        if (status != LVL_OK || found.failed)
            return cli_max_exit_code(code, found.failed ? cli_no_memory(c) : cli_code_of(status));
        summary(c, &s, &found, &totals, s.name);
    }
    return code;
}
