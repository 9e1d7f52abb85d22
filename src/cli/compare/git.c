/*
 * cli/compare/git.c: see compare/git.h.
 */
#include "base/work.h"
#include "cli/compare/git.h"
#include "cli/shared/program.h"

#include <stdlib.h>
#include <string.h>

bool cli_quote(lvl_buffer *out, const char *word)
{
#ifdef _WIN32
    if (strpbrk(word, "\"%!\r\n") || (*word && word[strlen(word) - 1] == '\\'))
        return false;
    lvl_buffer_printf(out, " \"%s\"", word);
#else
    lvl_buffer_str(out, " '");
    for (; *word; word++) {
        if (*word == '\'')
            lvl_buffer_str(out, "'\\'");
        lvl_buffer_u8(out, (uint8_t)*word);
    }
    lvl_buffer_u8(out, '\'');
#endif
    return true;
}

int cli_git(const char *const *args, lvl_buffer *out)
{
    size_t count = 0;

    while (args[count])
        count++;
    const char **words = malloc((count + 2) * sizeof *words);
    if (!words)
        return -1;
    words[0] = "git";
    memcpy(words + 1, args, (count + 1) * sizeof *words);
    const int code = cli_program_run(&(cli_program){.words = words, .out = out});
    free(words);
    return code < 0 || (out && out->status != LVL_OK) ? -1 : code;
}

/* The first line that git prints, to be freed; NULL: git failed or printed nothing, or no memory. */
static char *first_line(const char *const *args)
{
    lvl_buffer out = {0};
    char *line = NULL;

    const int code = cli_git(args, &out);
    const bool printed = out.len != 0;
    lvl_buffer_u8(&out, 0);
    if (code == 0 && printed && out.status == LVL_OK) {
        out.data[strcspn((const char *)out.data, "\r\n")] = 0;
        line = cli_copy((const char *)out.data);
    }
    lvl_buffer_free(&out);
    return line;
}

char *cli_git_top(void)
{
    static const char *const args[] = {"rev-parse", "--show-cdup", NULL};

    return first_line(args);
}

/* The next NUL-terminated text of git's output, or NULL. */
static const char *next_text(const lvl_buffer *list, size_t *at)
{
    const char *text = *at < list->len ? (const char *)list->data + *at : NULL;
    const char *end = text ? memchr(text, 0, list->len - *at) : NULL;

    if (!end)
        return NULL;
    *at += (size_t)(end - text) + 1;
    return text;
}

int cli_git_stages(const char *path, char *objects[3])
{
    const char *const args[] = {"--literal-pathspecs", "ls-files", "-u", "-z", "--", path, NULL};
    lvl_buffer list = {0};
    size_t at = 0;

    objects[0] = objects[1] = objects[2] = NULL;
    int code = cli_git(args, &list);
    for (const char *line; code == 0 && (line = next_text(&list, &at)) != NULL;) {
        /* mode, object, stage, each with one blank after it, and the path after a tab */
        const char *object = strchr(line, ' '), *end = object ? strchr(object + 1, ' ') : NULL;
        const int stage = end && end[1] >= '1' && end[1] <= '3' ? end[1] - '0' : 0;
        if (!stage || objects[stage - 1])
            continue;
        objects[stage - 1] = cli_format("%.*s", (int)(end - object - 1), object + 1);
        if (!objects[stage - 1])
            code = -1;
    }
    lvl_buffer_free(&list);
    return code;
}

bool cli_git_object(const char *object, lvl_buffer *out)
{
    const char *const args[] = {"cat-file", "blob", object, NULL};

    return cli_git(args, out) == 0;
}

/* The object of a revision ("": HEAD), to be freed; NULL: none, which is reported. */
static char *resolve(cli *c, const char *revision, size_t len)
{
    char *name = cli_format("%.*s^{commit}", len ? (int)len : 4, len ? revision : "HEAD");
    const char *const args[] = {"rev-parse", "--verify", "--quiet", name, NULL};
    char *object = name && *name != '-' ? first_line(args) : NULL;

    if (!object)
        cli_report(c, "--git: no revision `%.*s' here", len ? (int)len : 4, len ? revision : "HEAD");
    free(name);
    return object;
}

/* "A..B" or "A...B" as two objects; of "A", *b is NULL. */
static int resolve_range(cli *c, const char *range, char **a, char **b)
{
    const char *dots = strstr(range, "..");
    const bool merge_base = dots && dots[2] == '.';

    if (!dots) {
        *a = resolve(c, range, strlen(range));
        return *a ? EXIT_FINE : EXIT_NEGATIVE;
    }
    *a = resolve(c, range, (size_t)(dots - range));
    *b = *a ? resolve(c, dots + 2 + merge_base, strlen(dots + 2 + merge_base)) : NULL;
    if (*b && merge_base) {
        const char *const args[] = {"merge-base", *a, *b, NULL};
        char *base = first_line(args);
        if (!base)
            cli_report(c, "--git: the revisions of `%s' have no common ancestor", range);
        free(*a);
        *a = base;
    }
    return *a && *b ? EXIT_FINE : EXIT_NEGATIVE;
}

/* Whether it is the mode of a regular file. */
static bool is_file(const char *mode)
{
    return strncmp(mode, "100", 3) == 0;
}

/* ":100644 100755 OBJECT OBJECT STATUS", and one or two paths, each ended by a NUL. */
static bool visit_all(const lvl_buffer *list, bool (*visit)(void *user, const cli_git_file *file), void *user)
{
    enum { MAX_FIELD = 80 };
    char mode_a[MAX_FIELD], mode_b[MAX_FIELD], was[MAX_FIELD], is[MAX_FIELD], status[MAX_FIELD];
    size_t at = 0;

    for (const char *head; (head = next_text(list, &at)) != NULL;) {
        if (sscanf(head, ":%79s %79s %79s %79s %79s", mode_a, mode_b, was, is, status) != 5)
            continue;
        const char *before = next_text(list, &at);
        const char *path = *status == 'R' || *status == 'C' ? next_text(list, &at) : before;
        if (!path)
            break;
        const bool a = is_file(mode_a) && *status != 'C', b = is_file(mode_b);
        const bool on_disk = strspn(is, "0") == strlen(is);
        const cli_git_file file = {path, a && b ? before : path, a ? was : NULL,
                                   !b        ? NULL
                                   : on_disk ? ""
                                             : is};
        if ((a || b) && !visit(user, &file))
            return false;
    }
    return true;
}

/* Reports a path that is in neither revision. */
static int check_path(cli *c, const char *path, const char *a, const char *b)
{
    const char *const trees[] = {a, b};
    bool known = false;

    for (int i = 0; i < 2 && !known && trees[i]; i++) {
        char *with = cli_format("--with-tree=%s", trees[i]);
        const char *const args[] = {"ls-files", "--error-unmatch", with, "--", path, NULL};
        lvl_buffer out = {.max = lvl_memory_share(&c->ctx)};
        known = with && cli_git(args, &out) == 0;
        lvl_buffer_free(&out);
        free(with);
    }
    if (!known)
        cli_report(c, b ? "--git: `%s' is in neither revision" : "--git: git knows no `%s'", path);
    return known ? EXIT_FINE : EXIT_NEGATIVE;
}

int cli_git_changes(cli *c, const char *range, const cli_strings *paths,
                    bool (*visit)(void *user, const cli_git_file *file), void *user)
{
    enum { OWN = 9 };
    const char **args = calloc(paths->count + OWN + 1, sizeof *args);
    char *a = NULL, *b = NULL;
    lvl_buffer list = {.max = lvl_memory_share(&c->ctx)};

    if (!args)
        return cli_no_memory(c);
    int code = resolve_range(c, range, &a, &b);
    for (size_t i = 0; !code && i < paths->count; i++)
        code = check_path(c, paths->items[i], a, b);
    if (!code) {
        const char *const own[OWN] = {
            b ? "diff-tree" : "diff-index", "-r", "-z", "-M", "--raw", "--no-abbrev", a, b ? b : "--", "--"};
        const size_t n = b ? OWN : OWN - 1;
        memcpy((void *)args, (const void *)own, n * sizeof *own);
        for (size_t i = 0; i < paths->count; i++)
            args[n + i] = paths->items[i];
        if (cli_git(args, &list) != 0) {
            cli_report(c, "git could not compare %s", range);
            code = EXIT_ENVIRONMENT;
        } else if (!visit_all(&list, visit, user)) {
            code = cli_no_memory(c);
        }
    }
    lvl_buffer_free(&list);
    free((void *)args);
    free(a);
    free(b);
    return code;
}
