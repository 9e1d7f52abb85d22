/*
 * cli/verbs/cmd_catalog.c: `lvl catalog`: counts of a catalogue, and its tables as files.
 */
#include "cli/catalog/catalog.h"

#include "base/text.h"
#include "catalogue/scan.h"

#include <stdlib.h>
#include <string.h>

/* ---- stats -------------------------------------------------------------------------------------------- */

typedef struct stats {
    cli *c;
    char what[16];
    size_t rows; /* of this kind; as CSV: of all */
    bool failed;
} stats;

static bool give_count(void *user, const lvl_catalogue_value *values, size_t count)
{
    enum { MAX_ROWS = 12 };
    stats *s = user;
    lvl_buffer out = {0};

    if (count < 4)
        return false;
    if (s->c->opt->json || s->c->opt->jsonl) {
        cli_put_json(&out, values, count);
    } else if (s->c->opt->csv) {
        if (!s->rows++)
            cli_put_csv(&out, values, count, true);
        cli_put_csv(&out, values, count, false);
    } else {
        const lvl_text what = values[0].text, files = values[2].text, bytes = values[3].text;
        if (!lvl_text_is(what, s->what)) {
            snprintf(s->what, sizeof s->what, "%.*s", (int)what.len, what.ptr);
            s->rows = 0;
            lvl_buffer_printf(&out, "%s\n", s->what);
        }
        s->rows++;
        if (s->rows <= MAX_ROWS || s->c->opt->verbose) {
            lvl_buffer_printf(&out, "  %8.*s  ", (int)files.len, files.ptr);
            lvl_text_escape(&out, LVL_CP_UTF8, values[1].text, false);
            if (bytes.len)
                lvl_buffer_printf(&out, ", %.*s bytes", (int)bytes.len, bytes.ptr);
            lvl_buffer_u8(&out, '\n');
        } else if (s->rows == MAX_ROWS + 1) {
            lvl_buffer_str(&out, "            and more; -v lists all\n");
        }
    }
    s->failed = s->failed || out.status != LVL_OK;
    cli_out_text(s->c, &out);
    return !s->failed && !cli_stopped();
}

/* ---- export ------------------------------------------------------------------------------------------- */

typedef struct table_writer {
    lvl_catalogue *catalogue;
    const char *table;
    cli_sink sink;
    const cli_options *opt;
    lvl_buffer out;
    size_t rows;
    lvl_status status; /* of writing */
} table_writer;

static void flush(table_writer *t, size_t above)
{
    if (t->out.len <= above || t->status != LVL_OK)
        return;
    t->status = t->out.status != LVL_OK ? t->out.status
                                        : t->sink.writer.write(&t->sink.writer, t->out.data, t->out.len);
    t->out.len = 0;
}

static bool write_row(void *user, const lvl_catalogue_value *values, size_t count)
{
    enum { FULL = 1 << 16 };
    table_writer *t = user;

    if (t->opt->jsonl) {
        cli_put_json(&t->out, values, count);
    } else {
        if (!t->rows)
            cli_put_csv(&t->out, values, count, true);
        cli_put_csv(&t->out, values, count, false);
    }
    t->rows++;
    flush(t, FULL);
    return t->status == LVL_OK && !cli_stopped();
}

/* Writes the table to the file that the job is called. */
static void export_table(cli_job *job)
{
    table_writer *t = job->c->user;

    if (!cli_sink_begin_file(&t->sink, job, job->input->name, job->c->opt->yes))
        return;
    const lvl_status status = lvl_catalogue_rows(t->catalogue, t->table, write_row, t);
    flush(t, 0);
    const bool read = t->status != LVL_OK || status == LVL_OK;
    if (!cli_sink_commit(&t->sink, t->status == LVL_OK && read) && t->status == LVL_ERR_MEMORY)
        cli_job_status(job, t->status, NULL, NULL);
    if (!read)
        cli_job_fail(job, cli_code_of(status), "%s", lvl_catalogue_error(t->catalogue));
    else if (!job->code && !job->c->opt->quiet && !cli_stopped())
        lvl_buffer_printf(&job->err, "lvl: %s: %zu rows\n", job->input->shown, t->rows);
}

static int export_as(cli *c, lvl_catalogue *catalogue, const char *folder, const char *table)
{
    table_writer t = {.catalogue = catalogue, .table = table, .opt = c->opt};
    char *path = cli_format("%s/%s.%s", folder, table, c->opt->jsonl ? "jsonl" : "csv");

    c->user = &t;
    const int code = path ? cli_job_whole(c, path, export_table) : cli_no_memory(c);
    lvl_buffer_free(&t.out);
    free(path);
    return code;
}

static int export_all(cli *c, lvl_catalogue *catalogue, const char *folder)
{
    lvl_file_error why = {0};
    const lvl_status status = lvl_folder_make(folder, &why);
    const char *table;
    int code = EXIT_FINE;

    if (status != LVL_OK)
        return cli_report_file(c, folder, status, &why);
    for (size_t i = 0; (table = lvl_catalogue_table(i)) != NULL && !code && !cli_stopped(); i++) {
        if (c->opt->thumbnails || strcmp(table, "thumbnails") != 0)
            code = export_as(c, catalogue, folder, table);
        else if (!c->opt->quiet)
            cli_report(c, "thumbnails: not exported; --thumbnails exports them");
    }
    return code;
}

int cmd_catalog(cli *c)
{
    const char *action = c->args.count ? c->args.items[0] : "stats";
    const char *path = c->opt->catalog ? c->opt->catalog : CLI_CATALOGUE;
    const bool exports = strcmp(action, "export") == 0;
    lvl_catalogue *catalogue;

    if (strcmp(action, "schema") == 0) {
        lvl_buffer out = {0};
        (void)lvl_catalogue_reference(&out);
        cli_out_text(c, &out);
        return EXIT_FINE;
    }
    if (!exports && strcmp(action, "stats") != 0)
        return cli_usage(c, "expected `stats', `export' or `schema', found %s", action);
    if (exports && (c->opt->csv == c->opt->jsonl || c->args.count != 2))
        return cli_usage(c, "expected `export --csv DIR' or `export --jsonl DIR'");
    if (!exports && c->opt->thumbnails)
        return cli_usage(c, "--thumbnails belongs to `export'");
    if (!exports && c->args.count > 1)
        return cli_usage(c, "%s: expected --in FILE for another catalogue", c->args.items[1]);
    int code = cli_catalogue_open(c, path, LVL_CATALOGUE_READ, &catalogue);
    if (code)
        return code;
    if (exports) {
        code = export_all(c, catalogue, c->args.items[1]);
    } else {
        stats s = {.c = c};
        const lvl_status status = lvl_catalogue_stats(catalogue, give_count, &s);
        if (status != LVL_OK) {
            cli_report(c, "%s: %s", path, lvl_catalogue_error(catalogue));
            code = cli_code_of(status);
        }
    }
    lvl_catalogue_close(catalogue);
    return code;
}
