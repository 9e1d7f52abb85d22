/*
 * cli/jobs/input.c: the inputs that an argument names: a file, a folder and what is below it, standard input,
 * a member of an archive (members.c). They are added to a list (inputs.c); what cannot be read is added with
 * the reason, so that the run reports it in order.
 */
#include "base/archive_kinds.h"
#include "cli/jobs/inputs.h"
#include "tools/archive.h"

#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool add_unreadable_file(cli_inputs *inputs, const char *name, const lvl_file_error *why)
{
    char text[256];

    return cli_input_add_error(inputs, name, EXIT_ENVIRONMENT, "%s",
                               lvl_file_error_text(why, text, sizeof text));
}

/* Looks at a file, unless that was done; NULL if it cannot be read, which its job reports, or, if *failed,
 * without memory. */
static cli_look *look_at(cli_look **look, const char *path, bool *failed)
{
    *failed = !*look && cli_look_at(look, path, NULL) == LVL_ERR_MEMORY;
    return *look;
}

/* Whether the file is a plain archive, not a level with attached files. */
static bool is_pack(const char *path, cli_look **look)
{
    bool failed;
    const lvl_format *format =
        look_at(look, path, &failed) ? cli_look_format(*look, lvl_file_name(path)) : NULL;

    return format && cli_is_pack_format(format);
}

/* *foreign: the file is an archive of another program, which no format of a game is. False: no memory. */
static bool find_foreign(const char *path, cli_look **look, bool *foreign)
{
    bool failed;
    const cli_look *found = look_at(look, path, &failed);
    const lvl_bytes head = {found ? found->ends.head : NULL, found ? found->ends.head_len : 0};

    *foreign =
        found && (lvl_archive_is_foreign(head) || ((lvl_archive_named(path) || lvl_archive_kind(head)) &&
                                                   !cli_look_format(*look, lvl_file_name(path))));
    return !failed;
}

/* Notes an archive for cli->later. False: no memory. */
static bool add_later(cli_strings *later, const char *path)
{
    char *copy = cli_copy(path);

    if (copy && cli_strings_add(later, copy))
        return true;
    free(copy);
    return false;
}

/* Adds the members of an archive of another program, which is like a folder. *is_archive: it is one. */
static bool add_foreign(cli *c, cli_inputs *inputs, const char *path, const char *rel, bool named,
                        cli_look **look, bool *is_archive)
{
    lvl_status status;
    lvl_usage usage;

    bool foreign = false;
    *is_archive = false;
    /* what is found in a folder is not an error for a verb that changes files, as any other unknown file */
    if (c->opt->as || cli_verb_is(c, CLI_WHOLE_ARCHIVES) || (c->opt->in_place && !named))
        return true;
    if (!find_foreign(path, look, &foreign))
        return false;
    if (!foreign)
        return true;
    *is_archive = c->later != NULL;
    if (c->later)
        return add_later(c->later, path);
    cli_archive *archive = cli_archive_member(c, inputs, path, NULL, NULL, false, &status, &usage);
    *is_archive = archive && !archive->doc;
    if (*is_archive)
        return c->opt->in_place ? cli_input_add_error(inputs, path, EXIT_NEGATIVE, CLI_READ_ONLY)
                                : cli_members_add_all(c, inputs, archive, path, rel, "");
    if (archive || status == LVL_ERR_UNSUPPORTED)
        return true;
    *is_archive = true;
    return cli_archive_add_unreadable(c, inputs, path, status, &usage);
}

/* With --members, adds the members of a pack after it. A pack that cannot be opened is reported by its own
 * job. */
static bool add_inside(cli *c, cli_inputs *inputs, const char *path, size_t typed, cli_look **look)
{
    lvl_status status;
    lvl_usage usage;

    if (!c->inside_packs || !is_pack(path, look))
        return true;
    inputs->batch = true;
    cli_archive *archive = cli_archive_member(
        c, inputs, path, NULL, NULL, inputs == &c->inputs && cli_plan_may_replace(c, path), &status, &usage);
    if (!archive)
        return status != LVL_ERR_MEMORY;
    archive->typed = typed;
    return cli_members_add_all(c, inputs, archive, path, "", "");
}

/* Adds a file, and what add_inside adds. */
static bool add_with_members(cli *c, cli_inputs *inputs, const char *path, size_t typed, const char *rel,
                             bool named, cli_look **look)
{
    if (c->later && c->inside_packs && is_pack(path, look))
        return add_later(c->later, path);
    return cli_input_add_file(inputs, path, typed, rel, named) && add_inside(c, inputs, path, typed, look);
}

static void report_special(cli *c, const char *path)
{
    char *shown = cli_shown(path);

    if (shown)
        cli_report(c, "%s: skipped: a pipe or device", shown);
    free(shown);
}

static bool walk(cli *c, cli_inputs *inputs, const char *path, size_t typed, const char *rel, unsigned depth)
{
    const uint32_t most = c->ctx.limits.depth;
    lvl_file_error why = {0};
    lvl_file_list list;
    bool ok = true;

    lvl_status status = lvl_folder_list(&list, path, &why);
    if (status == LVL_ERR_MEMORY)
        return false;
    if (status != LVL_OK)
        return add_unreadable_file(inputs, path, &why);
    for (size_t i = 0; i < list.count && ok; i++) {
        char *full = cli_join_path(path, list.names[i]), *below = cli_join_path(rel, list.names[i]);
        ok = full && below;
        lvl_file_kind kind = ok ? lvl_file_kind_of(full) : LVL_FILE_NONE;
        bool is_archive = false;
        cli_look *look = NULL;
        if (kind == LVL_FILE_REGULAR && lvl_archive_named(full))
            ok = add_foreign(c, inputs, full, below, false, &look, &is_archive);
        if (kind == LVL_FILE_REGULAR && ok && !is_archive)
            ok = add_with_members(c, inputs, full, typed, below, false, &look);
        else if (kind == LVL_FILE_FOLDER && !lvl_file_is_link(full)) /* links may form a loop */
            ok = depth < most
                     ? walk(c, inputs, full, typed, below, depth + 1)
                     : cli_input_add_error(inputs, full, EXIT_NEGATIVE,
                                           "skipped: more than %lu folders deep; --limit depth=N raises that",
                                           (unsigned long)most);
        else if (ok && kind == LVL_FILE_OTHER && !c->opt->quiet)
            report_special(c, full);
        else if (ok && kind == LVL_FILE_NONE && !lvl_file_is_link(full))
            ok = cli_input_add_error(inputs, full, EXIT_ENVIRONMENT, "this file or folder cannot be read");
        cli_look_free(look);
        free(full);
        free(below);
    }
    lvl_file_list_free(&list);
    return ok;
}

/* Nothing has that name. If the path continues after a file, it probably means a member of that file. */
static bool add_missing(cli_inputs *inputs, const char *arg)
{
    const lvl_file_error why = {"open", ENOENT};

    for (const char *p = strchr(arg, '/'); p; p = strchr(p + 1, '/')) {
        char *file = cli_format("%.*s", (int)(p - arg), arg);
        const bool is_file = file && *file && lvl_file_kind_of(file) == LVL_FILE_REGULAR;
        const bool ok =
            !is_file
                ? file != NULL
                : cli_input_add_error(inputs, arg, EXIT_ENVIRONMENT,
                                      "%s is a file, not a folder; a member of it has two slashes: %s//%s",
                                      file, file, p + 1);
        free(file);
        if (is_file || !ok)
            return ok;
    }
    return add_unreadable_file(inputs, arg, &why);
}

/* Adds a file that was named: itself, its members if it is like a folder, or both. */
static bool add_named(cli *c, cli_inputs *inputs, const char *arg, bool several)
{
    const size_t at = inputs->count;
    cli_look *look = NULL;
    bool is_archive = false, ok;

    if (cli_verb_is(c, CLI_OPENS_PACKS) && !c->opt->as && is_pack(arg, &look)) {
        char *inside = cli_format("%s//", arg);
        ok = inside && cli_members_add(c, inputs, inside, strlen(arg));
        free(inside);
    } else {
        ok = add_foreign(c, inputs, arg, several ? lvl_file_name(arg) : "", true, &look, &is_archive);
        ok = ok && (is_archive || add_with_members(c, inputs, arg, 0, lvl_file_name(arg), true, &look));
        /* its job continues with what is open; thousands of them could not stay open */
        if (ok && !is_archive && !several && inputs == &c->inputs && inputs->count == at + 1) {
            inputs->items[at].look = look;
            look = NULL;
        }
    }
    cli_look_free(look);
    return ok;
}

bool cli_input_add(cli *c, cli_inputs *inputs, const char *arg, bool several)
{
    if (strcmp(arg, "-") == 0) {
        cli_input *in = cli_input_new(inputs, "-", "stdin");
        if (in)
            in->named = true;
        return in != NULL;
    }
    lvl_file_kind kind = lvl_file_kind_of(arg);
    if (kind == LVL_FILE_FOLDER) {
        size_t len = strlen(arg);
        while (len > 1 && arg[len - 1] == '/')
            len--;
        char *folder = cli_format("%.*s", (int)len, arg);
        const char *base = folder ? lvl_file_name(folder) : "";
        bool plain = strcmp(base, ".") == 0 || strcmp(base, "..") == 0 || strcmp(base, "/") == 0;
        inputs->batch = true;
        bool ok = folder && walk(c, inputs, folder, len, several && !plain ? base : "", 0);
        free(folder);
        return ok;
    }
    if (kind == LVL_FILE_REGULAR)
        return add_named(c, inputs, arg, several);
    if (kind != LVL_FILE_NONE && cli_is_named_pipe(arg) && !cli_verb_is(c, CLI_READS_PIPES)) {
        if (!c->opt->quiet)
            cli_report(c, "%s: skipped: a pipe; to read it: lvl %s - <%s", arg, c->verb->name, arg);
        return true;
    }
    if (kind != LVL_FILE_NONE)
        return cli_input_add_file(inputs, arg, 0, lvl_file_name(arg), true);
    size_t slash;
    if (lvl_archive_part(arg, &slash) != LVL_OK)
        return false;
    if (slash)
        return cli_members_add(c, inputs, arg, slash);
    return add_missing(inputs, arg);
}

int cli_input_one(cli *c, cli_inputs *inputs, const char *arg, const char *what)
{
    if (!cli_input_add(c, inputs, arg, false))
        return cli_no_memory(c);
    if (inputs->batch)
        return cli_usage(c, "%s%s: expected a file, found a folder", what, arg);
    if (!inputs->count) /* a named pipe, which was reported */
        return EXIT_ENVIRONMENT;
    if (inputs->items[0].error_text)
        cli_report(c, "%s%s: %s", what, inputs->items[0].shown, inputs->items[0].error_text);
    return inputs->items[0].code;
}
