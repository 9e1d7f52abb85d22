/*
 * cli/verbs/cmd_find.c: `lvl find`: searches a catalogue, or files that are scanned into memory.
 */
#include "cli/catalog/catalog.h"

#include "os/file.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

typedef struct finder {
    cli *c;
    bool sql;
    size_t rows;
    lvl_buffer last; /* the path of the row before, for -l */
    bool failed;
} finder;

/* "path: place: text (2 times)": the columns that are not empty. */
static void put_line(const finder *f, lvl_buffer *out, const lvl_catalogue_value *values, size_t count)
{
    enum { LONGEST = 160 };
    const char *gap = "";

    for (size_t i = 0; i < count; i++) {
        const lvl_catalogue_value *v = &values[i];
        if (f->sql) {
            lvl_buffer_str(out, i ? "\t" : "");
        } else if (strcmp(v->name, "count") == 0) {
            if (v->text.len != 1 || v->text.ptr[0] != '1')
                lvl_buffer_printf(out, " (%.*s times)", (int)v->text.len, v->text.ptr);
            continue;
        } else if (v->null || !v->text.len || (i && strcmp(v->name, "content") == 0)) {
            continue;
        } else {
            lvl_buffer_str(out, gap);
            gap = ": ";
        }
        if (v->bytes) {
            lvl_buffer_printf(out, "(%zu bytes)", v->text.len);
            continue;
        }
        const bool cut = !f->sql && i && v->text.len > LONGEST;
        const lvl_text text = cut ? lvl_text_cut(v->text, LONGEST) : v->text;
        const bool bold = !i && !f->sql && f->c->color_out;
        lvl_buffer_str(out, bold ? "\033[1m" : "");
        lvl_text_escape(out, LVL_CP_UTF8, text, false);
        lvl_buffer_str(out, bold ? "\033[0m" : "");
        lvl_buffer_str(out, cut ? " ..." : "");
        if (strcmp(v->name, "likeness") == 0)
            lvl_buffer_str(out, " %");
    }
    lvl_buffer_u8(out, '\n');
}

static bool give(void *user, const lvl_catalogue_value *values, size_t count)
{
    finder *f = user;
    const cli_options *opt = f->c->opt;
    lvl_buffer out = {0};

    if (opt->list || opt->null) {
        const lvl_text path = values[0].text;
        /* hits of a file follow each other */
        if (!f->rows || f->last.len != path.len || memcmp(f->last.data, path.ptr, path.len) != 0) {
            char *stored = lvl_text_copy(path), *disk = stored ? cli_disk_path(stored) : NULL;
            f->failed = f->failed || !disk;
            lvl_buffer_str(&out, disk ? disk : "");
            lvl_buffer_u8(&out, opt->null ? 0 : '\n');
            free(stored);
            free(disk);
        }
        f->last.len = 0;
        lvl_buffer_add(&f->last, path.ptr, path.len);
    } else if (opt->json) {
        cli_put_json(&out, values, count);
    } else if (opt->csv) {
        if (!f->rows)
            cli_put_csv(&out, values, count, true);
        cli_put_csv(&out, values, count, false);
    } else {
        if (!f->sql && opt->duplicates && f->rows && count > 1 &&
            (f->last.len != values[1].text.len ||
             memcmp(f->last.data, values[1].text.ptr, values[1].text.len) != 0))
            lvl_buffer_u8(&out, '\n'); /* between the groups */
        if (opt->duplicates && count > 1) {
            f->last.len = 0;
            lvl_buffer_add(&f->last, values[1].text.ptr, values[1].text.len);
        }
        put_line(f, &out, values, count);
    }
    f->rows++;
    f->failed = f->failed || out.status != LVL_OK || f->last.status != LVL_OK;
    cli_out_text(f->c, &out);
    return !f->failed && !cli_stopped();
}

/* ---- where to search ---------------------------------------------------------------------------------- */

/* *is: the file begins as a database of SQLite does. LVL_ERR_MEMORY; other errors are reported when it is
 * read. */
static lvl_status find_database(const char *path, bool *is)
{
    lvl_file_ends ends = {.head_len = 0};

    const lvl_status status =
        lvl_file_kind_of(path) == LVL_FILE_REGULAR ? lvl_file_read_ends(&ends, path, NULL) : LVL_OK;

    *is = ends.head_len >= 16 && memcmp(ends.head, "SQLite format 3", 16) == 0;
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}

static int open_source(cli *c, lvl_catalogue **out)
{
    static const char *const here[] = {"."};
    const cli_strings folder = {(const char **)(uintptr_t)here, 1, 1};
    const cli_strings *sources = &c->opt->sources;
    bool database = false;

    if (!sources->count && lvl_file_kind_of(CLI_CATALOGUE) == LVL_FILE_NONE) {
        if (!c->opt->quiet)
            cli_report(c, "there is no " CLI_CATALOGUE
                          " here (`lvl scan' makes one): the files below this folder are "
                          "read");
        return cli_catalogue_of_files(c, &folder, 0, out);
    }
    if (sources->count == 1 && find_database(sources->items[0], &database) != LVL_OK)
        return cli_no_memory(c);
    if (database)
        return cli_catalogue_open(c, sources->items[0], LVL_CATALOGUE_READ, out);
    return sources->count ? cli_catalogue_of_files(c, sources, 0, out)
                          : cli_catalogue_open(c, CLI_CATALOGUE, LVL_CATALOGUE_READ, out);
}

/* ---- the search --------------------------------------------------------------------------------------- */

/* Whether a word is meant as the place to search, like the last argument of grep: no text has such a word, or
 * no text is searched (`facets`). */
static bool is_place(const char *word, bool facets)
{
    return strcmp(word, ".") == 0 || strcmp(word, "..") == 0 ||
           ((facets || strchr(word, '/') || lvl_text_has_ending(lvl_text_of(word), ".db")) &&
            lvl_file_kind_of(word) != LVL_FILE_NONE);
}

static int options_of(cli *c, lvl_find_options *options)
{
    const cli_options *opt = c->opt;
    const struct {
        bool given;
        lvl_find_mode mode;
        const char *text;
    } modes[] = {
        {opt->like != NULL, LVL_FIND_LIKE, opt->like}, {opt->duplicates, LVL_FIND_DUPLICATES, NULL},
        {opt->missing, LVL_FIND_MISSING, NULL},        {opt->finding != NULL, LVL_FIND_FINDING, opt->finding},
        {opt->uses != NULL, LVL_FIND_USES, opt->uses}, {opt->sql != NULL, LVL_FIND_SQL, opt->sql},
    };
    unsigned given = 0;

    memset(options, 0, sizeof *options);
    options->words = c->args.items;
    options->word_count = c->args.count;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (modes[i].given) {
            options->mode = modes[i].mode;
            options->text = modes[i].text;
            given++;
        }
    }
    if (given > 1)
        return cli_usage(c, "expected one of --like, --duplicates, --missing, --finding, --uses and --sql");
    if (opt->json + opt->csv + opt->list + opt->null > 1)
        return cli_usage(c, "expected one of --json, --csv, -l and -0");
    if (!given && !c->args.count)
        return cli_usage(c, "expected a word to search");
    for (size_t i = 0; i < c->args.count; i++) {
        if (is_place(c->args.items[i], given))
            return cli_usage(c, "%s is a file or folder, but a word was expected; --in %s searches in it",
                             c->args.items[i], c->args.items[i]);
    }
    if (options->mode == LVL_FIND_SQL && c->args.count)
        return cli_usage(c, "--sql takes no words");
    if (opt->most && !cli_number(opt->most, UINT64_MAX, &options->most))
        return cli_usage(c, "--most: expected a number, found %s", opt->most);
    return EXIT_FINE;
}

/* The level of --like, if it is a file. */
static int read_like(cli *c, cli_inputs *inputs, cli_job *job)
{
    const int code = cli_input_one(c, inputs, c->opt->like, "--like ");

    if (code)
        return code;
    cli_job_begin(job, c, &inputs->items[0]);
    if (!cli_job_read(job, 0))
        return job->code ? job->code : EXIT_NEGATIVE;
    return EXIT_FINE;
}

int cmd_find(cli *c)
{
    lvl_find_options options;
    finder f = {.c = c};
    lvl_catalogue *catalogue = NULL;
    cli_inputs like = {0};
    cli_job job = {0};
    lvl_buffer why = {0};

    int code = options_of(c, &options);
    if (code)
        return code;
    code = open_source(c, &catalogue);
    if (catalogue && (!code || code == EXIT_NEGATIVE) && options.mode == LVL_FIND_LIKE &&
        lvl_file_kind_of(c->opt->like) != LVL_FILE_NONE) {
        code = read_like(c, &like, &job);
        options.like = job.doc;
        if (code)
            cli_print_job(c, &job);
    }
    if (!code && !cli_stopped()) {
        f.sql = options.mode == LVL_FIND_SQL;
        const lvl_status status = lvl_catalogue_find(catalogue, &options, give, &f, &why);
        lvl_buffer_u8(&why, 0);
        if (status != LVL_OK && status != LVL_ERR_STOPPED) {
            const bool read =
                status == LVL_ERR_FORMAT || status == LVL_ERR_IO; /* an error of the file, not of the query */
            const char *name = !read                   ? NULL
                               : c->opt->sources.count ? c->opt->sources.items[0]
                                                       : CLI_CATALOGUE;
            cli_report(c, "%s%s%s", name ? name : "", name ? ": " : "",
                       why.len > 1 && why.status == LVL_OK ? (const char *)why.data
                                                           : lvl_status_text(status));
            code = status == LVL_ERR_ARG      ? EXIT_USAGE
                   : status == LVL_ERR_FORMAT ? EXIT_FOREIGN
                                              : cli_code_of(status);
        } else if (f.failed) {
            code = cli_no_memory(c);
        } else if (!f.rows) {
            code = EXIT_NEGATIVE;
            const bool unknown =
                options.mode == LVL_FIND_FINDING && !cli_is_finding(c, lvl_text_of(options.text));
            if (unknown)
                cli_report(c, "there is no finding `%s'; `lvl formats --findings' lists them", options.text);
            else if (!c->opt->quiet && !c->opt->json && !c->opt->csv)
                cli_report(c, "nothing found%s%s", why.len > 1 ? ": " : "",
                           why.len > 1 && why.status == LVL_OK ? (const char *)why.data : "");
        }
    }
    lvl_buffer_free(&why);
    lvl_buffer_free(&f.last);
    cli_job_clear(&job);
    lvl_buffer_free(&job.out);
    lvl_buffer_free(&job.err);
    cli_inputs_free(&like);
    lvl_catalogue_close(catalogue);
    return code;
}
