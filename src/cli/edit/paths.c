/*
 * cli/edit/paths.c: paths over many files. A message that many files share (a field that the format does not
 * have, a value that does not fit) is printed once.
 */
#include "cli/edit/paths.h"
#include "tools/paths/path.h"

#include <stdlib.h>
#include <string.h>

void cli_paths_free(cli_paths *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->text_count; i++)
        free(p->texts[i].text);
    free(p->counts);
    free((void *)p->items);
    free(p);
}

/* ---- the command line ---------------------------------------------------------------------------------- */

static bool is_there(const char *arg)
{
    return strcmp(arg, "-") == 0 || strstr(arg, "//") || lvl_file_kind_of(arg) != LVL_FILE_NONE;
}

/* Checks for files in place of paths, and the reverse. */
static int check_order(cli *c, bool assignments)
{
    const char *first = c->args.items[0];

    for (size_t i = 1; i < c->args.count; i++) {
        const char *arg = c->args.items[i];
        if (!cli_names_a_file(arg) || lvl_file_kind_of(arg) != LVL_FILE_REGULAR)
            continue;
        if (is_there(first))
            return cli_usage(c,
                             "%s is a file, but a path was expected; with several files, mark each path by "
                             "-e: lvl %s FILE... -e %s",
                             arg, c->verb->name, assignments ? "PATH=VALUE" : "PATH");
        return cli_usage(c, "the file comes first: lvl %s %s %s", c->verb->name, arg, first);
    }
    return EXIT_FINE;
}

static int check_grammar(cli *c, const cli_paths *p, bool assignments)
{
    for (size_t i = 0; i < p->count; i++) {
        const char *item = p->items[i], *next = i + 1 < p->count ? p->items[i + 1] : "";
        lvl_findings *why = lvl_findings_new(&c->ctx);
        const lvl_status status =
            why ? lvl_path_check(item, assignments && i < p->assigned, why) : LVL_ERR_MEMORY;
        int code = EXIT_FINE;
        if (status == LVL_ERR_ARG && assignments && i < p->assigned &&
            (*next == '=' || (*next && next[1] == '=')))
            code = cli_usage(c, "`%s %s': no blanks around the =: PATH=VALUE", item, next);
        else if (status == LVL_ERR_ARG)
            code = cli_usage(c, "%s", lvl_findings_at(why, 0)->text);
        else if (status != LVL_OK)
            cli_report(c, "%s", lvl_status_text(status));
        lvl_findings_free(why);
        if (status != LVL_OK)
            return code ? code : cli_code_of(status);
    }
    return EXIT_FINE;
}

cli_paths *cli_paths_take(cli *c, bool assignments, int *code)
{
    const cli_strings *args = &c->args, *marked = &c->opt->expressions, *unset = &c->opt->unset;
    bool files_only = marked->count != 0;

    /* with --unset alone, all arguments are files, unless one is an assignment */
    if (!files_only && assignments && unset->count) {
        files_only = true;
        for (size_t i = 1; i < args->count; i++)
            files_only = files_only && !strchr(args->items[i], '=');
    }
    const bool listed = c->opt->from0 != NULL; /* all arguments are paths of values */
    *code = EXIT_USAGE;
    if (!args->count && !listed) {
        cli_usage(c, "no input file");
        return NULL;
    }
    if (!files_only && args->count < (listed ? 1 : 2) && !(assignments && unset->count)) {
        cli_usage(c, assignments ? "no change given; usage: FILE PATH=VALUE..."
                                 : "no path given; usage: FILE "
                                   "PATH...");
        return NULL;
    }
    if (!files_only && !listed && check_order(c, assignments))
        return NULL;
    cli_paths *p = calloc(1, sizeof *p);
    const size_t most = args->count + marked->count + unset->count;
    if (p) {
        p->items = calloc(most, sizeof *p->items);
        p->counts = calloc(most, sizeof *p->counts);
    }
    if (!p || !p->items || !p->counts) {
        *code = cli_no_memory(c);
        cli_paths_free(p);
        return NULL;
    }
    for (size_t i = !listed; !files_only && i < args->count; i++)
        p->items[p->count++] = args->items[i];
    for (size_t i = 0; i < marked->count; i++)
        p->items[p->count++] = marked->items[i];
    p->assigned = assignments ? p->count : 0;
    for (size_t i = 0; assignments && i < unset->count; i++)
        p->items[p->count++] = unset->items[i];
    *code = check_grammar(c, p, assignments);
    if (!*code)
        *code = cli_take_inputs(c, 0, files_only ? args->count : !listed);
    if (*code) {
        cli_paths_free(p);
        return NULL;
    }
    return p;
}

/* ---- results ------------------------------------------------------------------------------------------- */

cli_path_result *cli_paths_results(cli_job *job, const cli_paths *p)
{
    cli_path_result *results = calloc(p->count, sizeof *results);

    if (!results)
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    job->note = results;
    return results;
}

cli_path_state cli_paths_note(cli_path_result *result, lvl_status status, lvl_findings *findings)
{
    const lvl_finding *f = lvl_findings_count(findings) ? lvl_findings_at(findings, 0) : NULL;
    const char *id = f ? f->def->id : "";

    result->where[0] = 0;
    if (f)
        lvl_where_text(&f->where, result->where, sizeof result->where);
    snprintf(result->text, sizeof result->text, "%s", f ? f->text : lvl_status_text(status));
    result->state = status == LVL_OK                   ? CLI_PATH_FOUND
                    : status == LVL_ERR_MISSING        ? CLI_PATH_NOTHING
                    : strcmp(id, "lvl.path.name") == 0 ? CLI_PATH_NO_FIELD
                    : strcmp(id, "lvl.path.syntax") == 0
                        ? CLI_PATH_MISFIT /* the grammar was checked before */
                    : strcmp(id, "lvl.value.absent") == 0 ? CLI_PATH_NOTHING
                                                          : CLI_PATH_FAILED;
    lvl_findings_clear(findings);
    return result->state;
}

/* Whether the result depends on the format only. */
static bool is_unknown(cli_path_state state)
{
    return state == CLI_PATH_NO_FIELD || state == CLI_PATH_MISFIT;
}

/* Counts a message; true: it was counted before. */
static bool count_text(cli_paths *p, size_t path, const cli_path_result *r)
{
    for (size_t i = 0; i < p->text_count; i++) {
        cli_path_text *s = &p->texts[i];
        if (s->path == path && s->state == r->state && strcmp(s->text, r->text) == 0) {
            s->files++;
            return true;
        }
    }
    char *text = p->text_count < CLI_PATH_TEXTS ? cli_copy(r->text) : NULL;
    if (text)
        p->texts[p->text_count++] = (cli_path_text){path, 1, r->state, text};
    return false;
}

static void report_file(cli *c, const cli_job *job, const cli_path_result *r)
{
    lvl_buffer line = {0};

    cli_progress_clear(c);
    lvl_buffer_printf(&line, "%s: %s%s%s%s\n", job->input->shown, r->text, *r->where ? " (" : "", r->where,
                      *r->where ? ")" : "");
    cli_err(c, line.data, line.len);
    lvl_buffer_free(&line);
}

/* The suggestion in a message that a path finds nothing: ": did you mean ...?", or "". The other values of
 * one file say little about many files. */
static const char *hint_of(const char *text)
{
    static const char nothing[] = " finds nothing in this file: did you mean ";
    const char *at = strstr(text, nothing);

    return at ? strchr(at, ':') : "";
}

void cli_paths_after(cli *c, const cli_job *job)
{
    const cli_path_result *results = job->note;
    cli_paths *p = c->user;

    for (size_t i = 0; results && i < p->count; i++) {
        const cli_path_result *r = &results[i];
        cli_path_count *n = &p->counts[i];
        n->found += r->state == CLI_PATH_FOUND;
        n->nothing += r->state == CLI_PATH_NOTHING;
        n->failed += r->state == CLI_PATH_FAILED;
        n->unknown += is_unknown(r->state);
        if (is_unknown(r->state) || (r->state == CLI_PATH_NOTHING && *hint_of(r->text)))
            count_text(p, i, r);
        if ((r->state == CLI_PATH_FAILED && !count_text(p, i, r)) ||
            (r->state == CLI_PATH_NOTHING && c->opt->verbose))
            report_file(c, job, r);
    }
}

/* Rank of a message: the most useful one is printed. */
static int rank_of(const cli_path_text *s)
{
    return s->state == CLI_PATH_MISFIT ? 2 : strstr(s->text, "did you mean") ? 1 : 0;
}

/* The suggestion for a path that finds nothing in any file: that of most files. */
static const char *best_hint(const cli_paths *p, size_t path)
{
    const cli_path_text *best = NULL;

    for (size_t i = 0; i < p->text_count; i++) {
        const cli_path_text *s = &p->texts[i];
        if (s->path == path && s->state == CLI_PATH_NOTHING && (!best || s->files > best->files))
            best = s;
    }
    return best ? hint_of(best->text) : "";
}

/* The message for a path that no format has: one about a field of another kind, else one with a suggestion,
 * else that of most files. */
static const char *best_text(const cli_paths *p, size_t path)
{
    const cli_path_text *best = NULL;

    for (size_t i = 0; i < p->text_count; i++) {
        const cli_path_text *s = &p->texts[i];
        if (s->path != path || !is_unknown(s->state))
            continue;
        const int use = rank_of(s), had = best ? rank_of(best) : -1;
        if (use > had || (use == had && s->files > best->files))
            best = s;
    }
    return best ? best->text : "no such field";
}

/* Length of a message without the list of existing fields. */
static size_t without_list(const char *text)
{
    const char *list = strstr(text, "; it has ");

    return list ? (size_t)(list - text) : strlen(text);
}

int cli_paths_end(cli *c, const cli_paths *p, int code)
{
    for (size_t i = 0; i < p->text_count; i++) {
        const cli_path_text *s = &p->texts[i];
        const cli_path_count *n = &p->counts[s->path];
        if (s->state == CLI_PATH_FAILED && s->files > 1)
            cli_report(c, "the same in %zu more file%s: %s", s->files - 1, s->files == 2 ? "" : "s", s->text);
        /* other formats have the field */
        if (is_unknown(s->state) && (n->found || n->nothing || n->failed) && !c->opt->quiet &&
            (p->assigned || c->opt->verbose))
            cli_report(c, "%zu file%s skipped: %.*s", s->files, s->files == 1 ? "" : "s",
                       (int)without_list(s->text), s->text);
    }
    for (size_t i = 0; i < p->count; i++) {
        const cli_path_count *n = &p->counts[i];
        if (n->unknown && !n->found && !n->nothing && !n->failed) {
            cli_report(c, "%s", best_text(p, i));
            code = cli_max_exit_code(code, EXIT_USAGE);
        } else if (n->nothing && !n->found && !n->failed && !c->opt->quiet &&
                   (p->count > 1 || *best_hint(p, i))) {
            cli_report(c, "no match in any file: %s%s", p->items[i], best_hint(p, i));
        }
    }
    return code;
}
