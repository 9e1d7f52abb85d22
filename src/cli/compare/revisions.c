/*
 * cli/compare/revisions.c: two revisions of git, or one and the work tree, as the sides of `lvl diff`.
 */
#include "base/work.h"
#include "cli/compare/compare.h"
#include "cli/compare/git.h"

#include <stdlib.h>
#include <string.h>

/* The reason why git's object could not be read, to be freed; NULL: no memory. */
static char *object_error(cli *c, const char *object, const lvl_buffer *content)
{
    lvl_usage usage = {0};
    char *limit = NULL;

    if (content->status == LVL_ERR_LIMIT) {
        c->ctx.usage = &usage;
        lvl_refuse(&c->ctx, LVL_LIMIT_MEMORY, content->max, 0);
        c->ctx.usage = NULL;
        limit = cli_limit_text(&c->ctx, &usage);
    }
    if (limit)
        return limit;
    return content->status == LVL_OK ? cli_format("git cannot read the object %s", object)
                                     : cli_copy(lvl_status_text(content->status));
}

/* Reads one version of a file: of the work tree (`object` is ""), or git's object. NULL, or the reason why it
 * cannot be read, to be freed. False: no memory. */
static bool read_version(cli *c, const char *path, const char *object, lvl_buffer *content, char **error)
{
    lvl_file_error why = {0};
    char text[256];

    *error = NULL;
    if (*object) {
        if (cli_git_object(object, content))
            return true;
        *error = object_error(c, object, content);
    } else {
        const lvl_status status = lvl_file_read(content, path, c->ctx.limits.input_bytes, &why);
        if (status == LVL_OK)
            return true;
        *error = why.step ? cli_copy(lvl_file_error_text(&why, text, sizeof text))
                          : object_error(c, object, content);
    }
    return *error != NULL;
}

/* Notes that the file had another path in the first revision. False: no memory. */
static bool note_rename(cli_input *in, const cli_git_file *file)
{
    if (strcmp(file->before, file->path) == 0)
        return true;
    char *both = cli_format("%s (was %s)", file->path, file->before);
    char *shown = both ? cli_shown(both) : NULL;
    free(both);
    if (!shown)
        return false;
    free(in->shown);
    in->shown = shown;
    in->before = cli_copy(file->before);
    return in->before != NULL;
}

/* Adds one version of a file, or the reason why it cannot be read. Its art is searched around its path in
 * the work tree. False: no memory. */
static bool add_version(cli *c, cli_inputs *inputs, const cli_git_file *file, const char *object)
{
    const cli_sides *s = c->user;
    lvl_buffer content = {.max = lvl_memory_share(&c->ctx)}, none = {0};
    char *path = cli_format("%s%s", s->top, file->path), *error = NULL;
    bool ok = path && read_version(c, path, object, &content, &error);
    cli_input *in = ok ? cli_input_add_content(inputs, file->path, path, error ? &none : &content) : NULL;

    if (in) {
        in->error_text = error;
        in->code = error ? EXIT_ENVIRONMENT : EXIT_FINE;
        ok = note_rename(in, file);
    } else {
        ok = false;
        free(error);
    }
    free(path);
    lvl_buffer_free(&content);
    return ok;
}

/* Whether any format has files of that name. */
static bool is_named_as_any(const char *name)
{
    const lvl_format *format = NULL;

    for (size_t i = 0; (format = lvl_format_at(i)) != NULL; i++) {
        if (cli_is_named_as(name, format))
            return true;
    }
    return false;
}

/* Reads only files that are named like levels: others may be many and large. */
static bool add_file(void *user, const cli_git_file *file)
{
    cli *c = user;
    cli_sides *s = c->user;

    if (!c->format && !is_named_as_any(file->path) && !is_named_as_any(file->before)) {
        if (c->opt->verbose)
            cli_report(c, "%s: skipped, no format has this ending", file->path);
        return true;
    }
    return (!file->was || add_version(c, &c->inputs, file, file->was)) &&
           (!file->is || add_version(c, &s->b, file, file->is));
}

int cli_diff_take_revisions(cli *c, cli_sides *s)
{
    s->names[0] = "the first revision";
    s->names[1] = strstr(c->opt->git, "..") ? "the second revision" : "the work tree";
    s->top = cli_git_top();
    if (!s->top) {
        cli_report(c, "no git repository here");
        return EXIT_ENVIRONMENT;
    }
    const int code = cli_git_changes(c, c->opt->git, &c->args, add_file, c);
    if (code)
        return code;
    c->inputs.batch = true;
    return cli_diff_pair_sides(c, s);
}
