/*
 * cli/cmd_git.c: `lvl git install` and `uninstall`: git's configuration, and lines in a file of attributes.
 */
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L /* popen */
#endif

#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#define popen  _popen
#define pclose _pclose
#endif

#define BEGIN "# lvl: begin (written by `lvl git install')"
#define END   "# lvl: end"

/* What git runs for files with the attributes below. It gives a diff command the path, the old file, its hash
 * and mode, and the same of the new file; a file that is not there is /dev/null. Our diff command also runs
 * where git would start a difftool, to which it then passes the files on. */
#define DIFF                                                                                    \
    "f() { case $GIT_EXTERNAL_DIFF in *difftool*) git difftool--helper \"$@\"; return;; esac; " \
    "if test \"$2\" = /dev/null; then echo \"new file: $1\"; lvl info \"$5\"; "                 \
    "elif test \"$5\" = /dev/null; then echo \"deleted file: $1\"; "                            \
    "else lvl diff --label \"a/$1\" --label \"b/$1\" \"$2\" \"$5\"; fi; test $? -le 1; }; f"
static const struct {
    const char *key, *value;
} settings[] = {
    {"diff.lvl.command", DIFF},
    {"diff.lvl.textconv", "lvl dump --no-kept"},
    {"diff.lvl.cachetextconv", "true"},
    {"merge.lvl.name", "merge of level files by their contents"},
    {"merge.lvl.driver", "lvl merge %O %A %B -i"},
    {"difftool.lvl.cmd", "p=$(mktemp -d)/changes.png && lvl diff --image \"$p\" \"$LOCAL\" \"$REMOTE\"; "
                         "test ! -e \"$p\" || ${LVL_VIEWER:-xdg-open} \"$p\""},
};
static const char *const sections[] = {"diff.lvl", "merge.lvl", "difftool.lvl"};

/* One word of a shell's command line. */
static void put_quoted(lvl_buffer *out, const char *word)
{
#ifdef _WIN32
    lvl_buffer_u8(out, '"');
    for (; *word; word++) {
        if (*word == '"')
            lvl_buffer_u8(out, '\\');
        lvl_buffer_u8(out, (uint8_t)*word);
    }
    lvl_buffer_u8(out, '"');
#else
    lvl_buffer_u8(out, '\'');
    for (; *word; word++) {
        if (*word == '\'')
            lvl_buffer_str(out, "'\\'");
        lvl_buffer_u8(out, (uint8_t)*word);
    }
    lvl_buffer_u8(out, '\'');
#endif
}

/* Runs `git config SCOPE ARGS…`; what it prints goes to `out`, without the line's end. Answers git's exit
 * code, -1 where there is no git. */
static int git_config(bool global, const char *const *args, lvl_buffer *out)
{
    lvl_buffer command = {0};
    char text[4096];
    int code = -1;

    lvl_buffer_str(&command, global ? "git config --global" : "git config --local");
    for (; *args; args++) {
        lvl_buffer_u8(&command, ' ');
        put_quoted(&command, *args);
    }
    lvl_buffer_u8(&command, 0);
    /* a command of our own words; git itself is found by PATH, as the user's shell finds it */
    FILE *pipe = command.status == LVL_OK ? popen((const char *)command.data, "r") /* NOLINT(cert-env33-c) */
                                          : NULL;
    if (pipe) {
        const size_t n = fread(text, 1, sizeof text, pipe);
        code = pclose(pipe);
        size_t len = n;
        while (len && (text[len - 1] == '\n' || text[len - 1] == '\r'))
            len--;
        if (out)
            lvl_buffer_add(out, text, len);
    }
    lvl_buffer_free(&command);
    return code;
}

/* ---- attributes -------------------------------------------------------------------------------------- */

/* The lines for each ending of a format's files. `.txt' is left out: few of them are maps. */
static void put_lines(lvl_buffer *out)
{
    const lvl_format *format;

    lvl_buffer_str(out, BEGIN "\n");
    for (size_t i = 0; (format = lvl_format_at(i)) != NULL; i++) {
        const char *p = lvl_format_extensions(format);
        while (*p) {
            const size_t n = strcspn(p, " ");
            if (n && !(n == 3 && memcmp(p, "txt", 3) == 0))
                lvl_buffer_printf(out, "*.%.*s diff=lvl merge=lvl\n", (int)n, p);
            p += n + (p[n] == ' ');
        }
    }
    lvl_buffer_str(out, END "\n");
}

static const char *find_line(const char *text, const char *line)
{
    const size_t n = strlen(line);

    for (const char *p = text; (p = strstr(p, line)); p += n) {
        if ((p == text || p[-1] == '\n') && (!p[n] || p[n] == '\n' || p[n] == '\r'))
            return p;
    }
    return NULL;
}

/* The file's text without our lines; `text` is NUL-ended. */
static void put_others(lvl_buffer *out, const char *text)
{
    const char *begin = find_line(text, BEGIN), *end = begin ? find_line(begin, END) : NULL;

    if (!end) {
        lvl_buffer_str(out, text);
        return;
    }
    lvl_buffer_add(out, text, (size_t)(begin - text));
    end += strlen(END);
    end += *end == '\r';
    end += *end == '\n';
    lvl_buffer_str(out, end);
}

static int change_attributes(cli *c, const char *path, bool install)
{
    lvl_buffer old = {0}, now = {0};
    lvl_file_error why;
    char text[200];
    int code = EXIT_FINE;

    lvl_status status = lvl_file_read(&old, path, 1 << 24, &why);
    if (status == LVL_ERR_MISSING)
        status = LVL_OK;
    lvl_buffer_u8(&old, 0);
    if (status == LVL_OK) {
        put_others(&now, (const char *)old.data);
        if (install && now.len && now.data[now.len - 1] != '\n')
            lvl_buffer_u8(&now, '\n');
        if (install)
            put_lines(&now);
        const bool same = now.len + 1 == old.len && (!now.len || memcmp(now.data, old.data, now.len) == 0);
        status = now.status != LVL_OK ? now.status : old.status;
        if (status == LVL_OK && !same)
            status = lvl_file_save(path, (lvl_bytes){now.data, now.len}, LVL_SAVE_REPLACE, &why);
    }
    if (status != LVL_OK) {
        cli_report(c, "%s: %s", path,
                   status == LVL_ERR_IO ? lvl_file_error_text(&why, text, sizeof text)
                                        : lvl_status_text(status));
        code = EXIT_ENVIRONMENT;
    } else if (!c->opt.quiet) {
        lvl_buffer line = {0};
        lvl_buffer_printf(&line, "%s: lines for level files %s\n", path, install ? "added" : "removed");
        cli_out(c, line.data, line.len);
        lvl_buffer_free(&line);
    }
    lvl_buffer_free(&old);
    lvl_buffer_free(&now);
    return code;
}

/* The top of the work tree around the current folder, as "", "../", "../../" …; NULL: none, or no memory. */
static char *find_top(void)
{
    enum { MOST = 100 };
    char *up = cli_copy("");

    for (int i = 0; up && i < MOST; i++) {
        char *git = cli_format("%s.git", up), *above = cli_format("../%s", up);
        const bool found = git && lvl_file_kind_of(git) != LVL_FILE_NONE;
        free(git);
        if (found) {
            free(above);
            return up;
        }
        free(up);
        up = above;
    }
    free(up);
    return NULL;
}

/* The user's file of attributes: the one that git is told of, or git's usual one; to be freed. */
static char *global_attributes(void)
{
    static const char *const get[] = {"--type=path", "--get", "core.attributesFile", NULL};
    const char *home = getenv("HOME"), *config = getenv("XDG_CONFIG_HOME");
    lvl_buffer named = {0};
    char *path;

    const bool given = git_config(true, get, &named) == 0 && named.len;
    lvl_buffer_u8(&named, 0);
    if (given && named.status == LVL_OK)
        path = cli_copy((const char *)named.data);
    else if (config && *config)
        path = cli_format("%s/git/attributes", config);
    else
        path = home && *home ? cli_format("%s/.config/git/attributes", home) : NULL;
    lvl_buffer_free(&named);
    return path;
}

/* ---- the verb ---------------------------------------------------------------------------------------- */

static bool set_all(bool global)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const char *const args[] = {settings[i].key, settings[i].value, NULL};
        if (git_config(global, args, NULL) != 0)
            return false;
    }
    return true;
}

static bool is_set(bool global)
{
    static const char *const args[] = {"--get", "merge.lvl.driver", NULL};
    lvl_buffer out = {0};
    const bool set = git_config(global, args, &out) == 0;

    lvl_buffer_free(&out);
    return set;
}

static void unset_all(bool global)
{
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        const char *const args[] = {"--remove-section", sections[i], NULL};
        (void)git_config(global, args, NULL);
    }
}

int cmd_git(cli *c)
{
    const bool global = c->opt.global;
    const char *const what = c->args.count == 1 ? c->args.items[0] : "";
    const bool install = strcmp(what, "install") == 0;
    char *path;

    if (!install && strcmp(what, "uninstall") != 0)
        return cli_usage(c, "expected install or uninstall");
    if (global && c->opt.local)
        return cli_usage(c, "--local and --global exclude each other");
    if (global) {
        path = global_attributes();
    } else {
        char *top = find_top();
        path = top ? cli_format("%s.gitattributes", top) : NULL;
        free(top);
    }
    if (!path) {
        cli_report(c, "%s",
                   global ? "HOME is not set: the user's files are not known"
                          : "no git repository here; run `git init', or use --global");
        return EXIT_ENVIRONMENT;
    }
    int code = EXIT_FINE;
    if (install && !set_all(global)) {
        cli_report(c, "git refused its configuration: is git installed?");
        code = EXIT_NEGATIVE;
    } else if (!install && is_set(global)) {
        unset_all(global);
    }
    if (!code && global && install) {
        char *folder = cli_copy(path);
        char *slash = folder ? strrchr(folder, '/') : NULL;
        if (slash)
            *slash = 0;
        if (slash)
            (void)lvl_folder_make(folder, NULL);
        free(folder);
    }
    if (!code)
        code = change_attributes(c, path, install);
    free(path);
    return code;
}
