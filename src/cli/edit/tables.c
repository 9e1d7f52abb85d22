/*
 * cli/edit/tables.c: `lvl set --csv': values from a table, and `lvl set --map': cells replaced by one.
 * What is wrong with the table itself is found before any file is written.
 */
#include "cli/edit/tables.h"
#include "tools/edit/cell_map.h"
#include "tools/picture/sheet.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

typedef struct table_run {
    const char *name;
    lvl_sheet sheet;
} table_run;

/* "objects.csv:12: x", as messages about a place in the table begin. */
static const char *place_text(const char *name, const lvl_sheet_place *place, char *buf, size_t size)
{
    if (place->line)
        snprintf(buf, size, "%s:%zu: %s%s", name, place->line, place->column, *place->column ? ": " : "");
    else
        snprintf(buf, size, "%s: ", name);
    return buf;
}

static const char *why(const lvl_findings *findings, lvl_status status)
{
    return lvl_findings_count(findings) ? lvl_findings_at(findings, 0)->text : lvl_status_text(status);
}

static int read_table(cli *c, const char *name, lvl_buffer *text)
{
    lvl_file_error file_error = {0};
    const lvl_status status = lvl_file_read(text, name, c->ctx.limits.input_bytes, &file_error);

    return status == LVL_OK ? EXIT_FINE : cli_report_file(c, name, status, &file_error);
}

/* ---- values -------------------------------------------------------------------------------------------- */

static void table_work(cli_job *job)
{
    const table_run *run = job->c->user;
    lvl_sheet_place place;
    size_t changed = 0;
    char where[500];

    if (!cli_edit_read(job))
        return;
    if (lvl_sheet_first(&run->sheet, job->input->name) == LVL_NO_INDEX) {
        if (job->c->inputs.batch)
            cli_edit_no_match(job);
        else
            cli_job_fail(job, EXIT_NEGATIVE, "%s has no row for this file", run->name);
        return;
    }
    lvl_findings_clear(job->findings);
    const lvl_status status =
        lvl_sheet_set(job->doc, &run->sheet, job->input->name, &changed, &place, job->findings);
    if (status == LVL_ERR_ARG) {
        cli_job_fail(job, EXIT_NEGATIVE, "%s%s", place_text(run->name, &place, where, sizeof where),
                     why(job->findings, status));
    } else if (status != LVL_OK) {
        cli_job_status(job, status, job->findings, NULL);
    } else {
        cli_job_findings(job, job->findings, job->c->opt->verbose ? LVL_NOTE : LVL_WARNING);
        cli_edit_deliver(job, changed, "it has these values already");
    }
}

/* Checks that every row is for an input. */
static int check_files(cli *c, const table_run *run)
{
    const lvl_sheet *sheet = &run->sheet;
    char shown[80];

    if (sheet->file == LVL_CSV_COLUMNS)
        return c->inputs.batch ? cli_usage(c, "%s has no column `file': one file was expected", run->name)
                               : EXIT_FINE;
    lvl_hash names;
    lvl_hash_init(&names);
    int code = EXIT_FINE;
    for (size_t i = 0; i < c->inputs.count && !code; i++) {
        const char *name = c->inputs.items[i].name;
        if (lvl_hash_add(&names, lvl_hash_bytes(&names.seed, name, strlen(name)), (uint32_t)i) != LVL_OK)
            code = cli_no_memory(c);
    }
    for (size_t i = 0; i < sheet->count && !code; i++) {
        const lvl_sheet_row *row = &sheet->rows[i];
        const lvl_text file = {(const char *)sheet->names.data + row->name, row->file_len};
        bool found = false;
        for (lvl_hash_at at = lvl_hash_first(&names, lvl_hash_bytes(&names.seed, file.ptr, file.len));
             at.found && !found; at = lvl_hash_next(&names, at))
            found = lvl_text_is(file, c->inputs.items[at.index].name);
        if (!found) {
            cli_report(c, "%s:%zu: file: %s is not among the files to change; nothing was written", run->name,
                       row->line, lvl_text_show(shown, sizeof shown, LVL_CP_UTF8, file));
            code = EXIT_NEGATIVE;
        }
    }
    lvl_hash_free(&names);
    return code;
}

int cli_set_table(cli *c)
{
    table_run run = {.name = c->opt->table};
    lvl_findings *findings = lvl_findings_new(&c->ctx);
    lvl_sheet_place place;
    lvl_buffer text = {0};
    char where[500];

    if (!findings)
        return cli_no_memory(c);
    int code = cli_take_inputs(c, 0, c->args.count);
    if (!code)
        code = read_table(c, run.name, &text);
    if (!code) {
        const lvl_status status = lvl_sheet_read(&run.sheet, lvl_buffer_text(&text), &place, findings);
        if (status != LVL_OK)
            cli_report(c, "%s%s; nothing was written", place_text(run.name, &place, where, sizeof where),
                       why(findings, status));
        code = status == LVL_OK        ? check_files(c, &run)
               : status == LVL_ERR_ARG ? EXIT_NEGATIVE
                                       : cli_code_of(status);
    }
    const cli_batch batch = {.work = table_work,
                             .user = &run,
                             .match_word = c->opt->dry_run ? "would change" : "changed",
                             .idle_word = "already had these values",
                             .output = &cli_edit_output};
    if (!code)
        code = cli_run(c, &batch);
    lvl_sheet_free(&run.sheet);
    lvl_buffer_free(&text);
    lvl_findings_free(findings);
    return code;
}

/* ---- cells --------------------------------------------------------------------------------------------- */

typedef struct map_run {
    const cli_paths *paths;
    lvl_cell_map map;
    uint64_t *cells, *files; /* for each row of the table */
} map_run;

static void map_work(cli_job *job)
{
    const cli *c = job->c;
    const map_run *run = c->user;
    size_t changed = 0, line = 0;
    bool any = false;

    if (!cli_edit_read(job))
        return;
    uint64_t *counts = calloc(run->map.count, sizeof *counts);
    if (!counts) {
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
        return;
    }
    job->note = counts;
    job->note_size = run->map.count * sizeof *counts;
    for (size_t i = 0; i < run->paths->count; i++) {
        size_t n = 0;
        lvl_findings_clear(job->findings);
        const lvl_status status =
            lvl_cell_map_apply(job->doc, run->paths->items[i], &run->map, counts, &n, &line, job->findings);
        const lvl_finding *f = lvl_findings_count(job->findings) ? lvl_findings_at(job->findings, 0) : NULL;
        const bool nothing = status == LVL_ERR_MISSING || (f && strcmp(f->def->id, "lvl.path.name") == 0);
        changed += n;
        any = any || status == LVL_OK;
        if (status == LVL_OK || (c->inputs.batch && nothing))
            continue;
        memset(counts, 0, job->note_size);
        if (line)
            cli_job_fail(job, EXIT_NEGATIVE, "%s:%zu: %s", c->opt->map, line, why(job->findings, status));
        else
            cli_job_status(job, status, job->findings, NULL);
        return;
    }
    if (!any || (!changed && c->inputs.batch))
        cli_edit_no_match(job);
    else
        cli_edit_deliver(job, changed, "it has no cells to replace");
}

static void map_after(cli *c, const cli_job *job)
{
    const uint64_t *counts = job->note;
    map_run *run = c->user;

    for (size_t i = 0; counts && i < run->map.count && job->code == EXIT_FINE; i++) {
        run->cells[i] += counts[i];
        run->files[i] += counts[i] != 0;
    }
}

static void report_counts(cli *c, const map_run *run)
{
    lvl_buffer line = {0};

    for (size_t i = 0; i < run->map.count && !c->opt->quiet; i++) {
        const lvl_cell_swap *s = &run->map.items[i];
        lvl_buffer_printf(&line, "%.*s -> %.*s: %llu cell%s", (int)s->from.len, s->from.ptr, (int)s->to.len,
                          s->to.ptr, (unsigned long long)run->cells[i], run->cells[i] == 1 ? "" : "s");
        if (c->inputs.batch)
            lvl_buffer_printf(&line, " in %llu file%s", (unsigned long long)run->files[i],
                              run->files[i] == 1 ? "" : "s");
        lvl_buffer_u8(&line, '\n');
    }
    cli_err(c, line.data, line.len);
    lvl_buffer_free(&line);
}

int cli_set_map(cli *c, const cli_paths *paths)
{
    map_run run = {.paths = paths};
    lvl_findings *findings = lvl_findings_new(&c->ctx);
    lvl_buffer text = {0};
    size_t line = 0;

    int code = findings ? read_table(c, c->opt->map, &text) : cli_no_memory(c);
    if (!code) {
        const lvl_status status = lvl_cell_map_read(&run.map, lvl_buffer_text(&text), &line, findings);
        if (status == LVL_ERR_ARG)
            cli_report(c, "%s:%zu: %s; nothing was written", c->opt->map, line, why(findings, status));
        code = status == LVL_OK ? EXIT_FINE : status == LVL_ERR_ARG ? EXIT_NEGATIVE : cli_no_memory(c);
    }
    if (!code) {
        run.cells = calloc(run.map.count, sizeof *run.cells);
        run.files = calloc(run.map.count, sizeof *run.files);
        code = run.cells && run.files ? EXIT_FINE : cli_no_memory(c);
    }
    const cli_batch batch = {.work = map_work,
                             .after = map_after,
                             .user = &run,
                             .match_word = c->opt->dry_run ? "would change" : "changed",
                             .output = &cli_edit_output};
    if (!code) {
        code = cli_run(c, &batch);
        if (!code || c->inputs.batch)
            report_counts(c, &run);
    }
    free(run.cells);
    free(run.files);
    lvl_cell_map_free(&run.map);
    lvl_buffer_free(&text);
    lvl_findings_free(findings);
    return code;
}
