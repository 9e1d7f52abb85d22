/*
 * cli/verbs/cmd_catalog.c: `lvl catalog`: counts of a catalogue, its tables as files, and notes of people.
 */
#include "cli/cli.h"

#include "base/file.h"
#include "base/text.h"

#include <lvl/catalogue.h>

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
    lvl_save *save;
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
    t.status = lvl_save_open(&t.save, path, 0, c->opt.yes ? LVL_SAVE_REPLACE : 0, &t.why);
    lvl_status status = LVL_OK;
    if (t.status == LVL_OK)
        status = lvl_catalogue_rows(catalogue, table, write_row, &t);
    flush(&t, 0);
    int code = EXIT_FINE;
    if (t.status == LVL_OK && status == LVL_OK && !cli_stopped())
        t.status = lvl_save_commit(t.save, &t.why);
    else
        lvl_save_abort(t.save);
    if (t.status != LVL_OK) {
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
    for (size_t i = 0; (table = lvl_catalogue_table(i)) != NULL && !code && !cli_stopped(); i++)
        code = export_table(c, catalogue, folder, table);
    return code;
}

/* ---- notes -------------------------------------------------------------------------------------------- */

enum { NOTES_WAIT = 10000 /* ms */ };

/* "author=Name" or "name+=Other name" as an edit. The texts point into `argument`, which gets a NUL. */
static bool split_edit(char *argument, lvl_note_edit *edit)
{
    char *equals = strchr(argument, '=');

    if (!equals || equals == argument)
        return false;
    edit->add = equals[-1] == '+';
    equals[edit->add ? -1 : 0] = 0;
    *equals = 0;
    edit->key = argument;
    edit->value = equals + 1;
    return true;
}

static void free_edits(lvl_note_edit *edits, size_t count)
{
    for (size_t i = 0; i < count && edits; i++)
        free((void *)(uintptr_t)edits[i].key);
    free(edits);
}

/* *out has count items, also after an error. */
static int take_edits(cli *c, const char *sha256, size_t count, lvl_note_edit **out)
{
    lvl_note_edit *edits = *out = calloc(count + 1, sizeof *edits);

    for (size_t i = 0; i < count; i++) {
        const char *argument = c->args.items[i + 2];
        char *copy = edits ? cli_format("%s", argument) : NULL;
        if (!copy)
            return cli_no_memory(c);
        edits[i] = (lvl_note_edit){.sha256 = sha256, .key = copy, .source = c->opt.source};
        if (!split_edit(copy, &edits[i]))
            return cli_usage(c, "%s: expected KEY=VALUE, as author=NAME, or KEY+=VALUE", argument);
    }
    return EXIT_FINE;
}

static bool is_digest(const char *text)
{
    return strlen(text) == 64 && strspn(text, "0123456789abcdef") == 64;
}

/* The notes as they are: of the file if there is one, else of the catalogue. */
static int take_notes(cli *c, lvl_catalogue *catalogue, const char *path, lvl_buffer *json)
{
    if (path && lvl_file_kind_of(path) != LVL_FILE_NONE)
        return cli_notes_read(c, path, json);
    const lvl_status status = lvl_catalogue_notes(catalogue, json);
    if (status != LVL_OK)
        cli_report(c, "the notes: %s",
                   status == LVL_ERR_IO ? lvl_catalogue_error(catalogue) : lvl_status_text(status));
    return status == LVL_OK ? EXIT_FINE : cli_code_of(status);
}

static int save_notes(cli *c, lvl_catalogue *catalogue, const char *path, const lvl_buffer *json,
                      const lvl_file_lock *lock)
{
    lvl_file_error why = {0};
    lvl_buffer reason = {0};
    lvl_status status = LVL_OK;
    int code = EXIT_FINE;

    if (path && !lvl_file_unchanged(lock, path)) {
        cli_report(c, "%s: changed by another program meanwhile; nothing is written: run it again", path);
        return EXIT_ENVIRONMENT;
    }
    if (path)
        status = lvl_file_save(path, lvl_buffer_bytes(json), LVL_SAVE_REPLACE, &why);
    if (status != LVL_OK)
        return cli_report_file(c, path, status, &why);
    status = lvl_catalogue_set_notes(catalogue, lvl_buffer_text(json), &reason);
    if (status != LVL_OK)
        code = cli_notes_report(c, path ? path : "the catalogue", catalogue, status, &reason);
    lvl_buffer_free(&reason);
    return code;
}

static bool give_note(void *user, const lvl_catalogue_value *values, size_t count)
{
    cli *c = user;
    lvl_buffer out = {0};

    if (c->opt.json) {
        cli_put_json(&out, values, count);
    } else {
        for (size_t i = 0; i < count && !(i == 2 && values[i].null); i++) {
            static const char *const before[] = {"", ": ", " (source: "};
            lvl_buffer_str(&out, i < 3 ? before[i] : " ");
            lvl_text_escape(&out, LVL_CP_UTF8, values[i].text, false);
            lvl_buffer_str(&out, i == 2 ? ")" : "");
        }
        lvl_buffer_u8(&out, '\n');
    }
    const bool good = out.status == LVL_OK;
    cli_out_text(c, &out);
    return good && !cli_stopped();
}

static int show_notes(cli *c, lvl_catalogue *catalogue, const char *sha256)
{
    char sql[200];
    lvl_buffer why = {0};

    snprintf(sql, sizeof sql, "SELECT key, value, source FROM notes WHERE sha256 = '%s' ORDER BY key, value",
             sha256);
    const lvl_find_options options = {.mode = LVL_FIND_SQL, .text = sql};
    const lvl_status status = lvl_catalogue_find(catalogue, &options, give_note, c, &why);
    lvl_buffer_free(&why);
    if (status != LVL_OK)
        cli_report(c, "the notes: %s", lvl_catalogue_error(catalogue));
    return status == LVL_OK ? EXIT_FINE : cli_code_of(status);
}

static int edit_notes(cli *c, lvl_catalogue *catalogue, const char *path, const char *sha256)
{
    const size_t count = c->args.count - 2;
    lvl_buffer json = {0}, edited = {0}, why = {0};
    lvl_file_error reason = {0};
    lvl_file_lock *lock = NULL;
    lvl_note_edit *edits;

    int code = take_edits(c, sha256, count, &edits);
    if (!code && path && lvl_file_lock_take(&lock, path, NOTES_WAIT, &reason) != LVL_OK)
        code = cli_report_file(c, path, LVL_ERR_IO, &reason);
    if (!code)
        code = take_notes(c, catalogue, path, &json);
    if (!code) {
        const lvl_status status =
            lvl_notes_edit(&edited, &c->ctx, lvl_buffer_text(&json), edits, count, &why);
        if (status != LVL_OK)
            code = cli_notes_report(c, path ? path : "the catalogue", NULL, status, &why);
    }
    if (!code)
        code = save_notes(c, catalogue, path, &edited, lock);
    lvl_file_lock_free(lock);
    free_edits(edits, count);
    lvl_buffer_free(&json);
    lvl_buffer_free(&edited);
    lvl_buffer_free(&why);
    return code;
}

static int cmd_edit(cli *c, const char *in)
{
    lvl_catalogue *catalogue;
    char sha256[65] = "";
    char *path = NULL;
    const bool changes = c->args.count > 2;

    if (c->args.count < 2)
        return cli_usage(c, "expected `edit FILE KEY=VALUE...'");
    if (!changes && c->opt.source)
        return cli_usage(c, "--source: expected KEY=VALUE, the note that is from there");
    int code = cli_catalogue_open_as(c, in, changes, &catalogue);
    if (code)
        return code;
    const char *file = c->args.items[1];
    lvl_status status = lvl_catalogue_sha256(catalogue, file, sha256);
    if (status == LVL_ERR_MISSING && is_digest(file)) {
        memcpy(sha256, file, sizeof sha256);
        status = LVL_OK;
    }
    if (status == LVL_ERR_MISSING)
        cli_report(
            c,
            "%s: expected the path of a file as %s has it (`lvl find path:' lists them), or a SHA-256 of 64 "
            "digits",
            file, in);
    else if (status != LVL_OK)
        cli_report(c, "%s: %s", in, lvl_catalogue_error(catalogue));
    code = status == LVL_OK ? EXIT_FINE : status == LVL_ERR_MISSING ? EXIT_USAGE : cli_code_of(status);
    if (!code && changes && (c->opt.notes || !lvl_catalogue_is_url(in)))
        code = (path = cli_notes_path(c, in)) != NULL ? EXIT_FINE : cli_no_memory(c);
    if (!code && changes)
        code = edit_notes(c, catalogue, path, sha256);
    if (!code && changes && !path && !c->opt.quiet)
        cli_report(c, "the notes are in the database only; --notes FILE keeps them in a file, too");
    if (!code && (!changes || !c->opt.quiet))
        code = show_notes(c, catalogue, sha256);
    free(path);
    lvl_catalogue_close(catalogue);
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
    if (strcmp(action, "edit") == 0)
        return cmd_edit(c, path);
    if (!exports && strcmp(action, "stats") != 0)
        return cli_usage(c, "expected `stats', `edit', `export' or `schema', found %s", action);
    if (exports && (c->opt.csv == c->opt.jsonl || c->args.count != 2))
        return cli_usage(c, "expected `export --csv DIR' or `export --jsonl DIR'");
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
