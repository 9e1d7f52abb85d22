/*
 * cli/verbs/cmd_catalog.c: `lvl catalog`: counts of a catalogue, and its tables as files.
 */
#include "cli/cli.h"

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
    if (s->c->opt.json || s->c->opt.jsonl) {
        cli_put_json(&out, values, count);
    } else if (s->c->opt.csv) {
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
        if (s->rows <= MAX_ROWS || s->c->opt.verbose) {
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
    cli *c;
    lvl_new_file *save;
    lvl_buffer out;
    size_t rows;
    lvl_status status;
    lvl_file_error why;
} table_writer;

static void flush(table_writer *t, size_t above)
{
    if (t->out.len <= above || t->status != LVL_OK)
        return;
    if (t->out.status != LVL_OK)
        t->status = t->out.status;
    else
        t->status = lvl_save_write(t->save, t->out.data, t->out.len, &t->why);
    t->out.len = 0;
}

static bool write_row(void *user, const lvl_catalogue_value *values, size_t count)
{
    enum { FULL = 1 << 16 };
    table_writer *t = user;

    if (t->c->opt.jsonl) {
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

static int export_table(cli *c, lvl_catalogue *catalogue, const char *folder, const char *table)
{
    table_writer t = {.c = c};
    char *path = cli_format("%s/%s.%s", folder, table, c->opt.jsonl ? "jsonl" : "csv");

    if (!path)
        return cli_no_memory(c);
    lvl_file_lock *lock = NULL;
    lvl_status status = LVL_OK;
    if (c->opt.yes)
        t.status = cli_lock_file(path, &lock, &t.why);
    if (t.status == LVL_OK)
        t.status = lvl_save_open(&t.save, path, 0, c->opt.yes ? LVL_SAVE_REPLACE : 0, &t.why);
    if (t.save)
        lvl_save_guard(t.save, lock);
    if (t.status == LVL_OK)
        status = lvl_catalogue_rows(catalogue, table, write_row, &t);
    flush(&t, 0);
    int code = EXIT_FINE;
    if (t.status == LVL_OK && status == LVL_OK && !cli_stopped())
        t.status = lvl_save_commit(t.save, &t.why);
    else
        lvl_save_abort(t.save);
    lvl_file_lock_free(lock);
    if (t.status == LVL_ERR_FORMAT) {
        cli_report(c, "%s: " CLI_CHANGED, path);
        code = EXIT_ENVIRONMENT;
    } else if (t.status != LVL_OK) {
        code = cli_report_file(c, path, t.status, &t.why);
    } else if (status != LVL_OK) {
        cli_report(c, "%s: %s", table, lvl_catalogue_error(catalogue));
        code = cli_code_of(status);
    } else if (!c->opt.quiet && !cli_stopped()) {
        cli_report(c, "%s: %zu rows", path, t.rows);
    }
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
        if (c->opt.thumbnails || strcmp(table, "thumbnails") != 0)
            code = export_table(c, catalogue, folder, table);
        else if (!c->opt.quiet)
            cli_report(c, "thumbnails: not exported; --thumbnails exports them");
    }
    return code;
}

int cmd_catalog(cli *c)
{
    const char *action = c->args.count ? c->args.items[0] : "stats";
    const char *path = c->opt.catalog ? c->opt.catalog : CLI_CATALOGUE;
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
    if (exports && (c->opt.csv == c->opt.jsonl || c->args.count != 2))
        return cli_usage(c, "expected `export --csv DIR' or `export --jsonl DIR'");
    if (!exports && c->opt.thumbnails)
        return cli_usage(c, "--thumbnails belongs to `export'");
    if (!exports && c->args.count > 1)
        return cli_usage(c, "%s: expected --in FILE for another catalogue", c->args.items[1]);
    int code = cli_catalogue_open(c, path, &catalogue);
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
