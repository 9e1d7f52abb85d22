/*
 * cli/verbs/cmd_git.c: `lvl git install` and `uninstall`: git's configuration, and lines in .gitattributes.
 */
#include "cli/compare/git.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#define BEGIN "# lvl: begin (written by `lvl git install')"
#define END   "# lvl: end"
#define JOIN  "# lvl: end; the line before these had no line end"

/* What shows a picture, for shells: git for Windows brings one, and `start'. */
#ifdef _WIN32
#define VIEWER    "start"
#define IF_SCREEN "start"
#else
#define VIEWER    "xdg-open"
#define IF_SCREEN "${DISPLAY:+xdg-open}"
#endif

/* The commands that git runs for files with the attributes below. Names of files are arguments after `--', or
 * the value in `--label=NAME', since a file may be called `-i.nw'. A diff command gets the path; then file,
 * hash and mode of the old version and of the new one, where a missing file is /dev/null; of a renamed file
 * then the new path and lines about that. Of a path with conflicts it gets nothing but the path. git also
 * runs the diff command for `git difftool'; it then calls git's own helper. A command that fails would end
 * `git diff' and `git log' for all files, so without lvl on PATH it only says so. */
#define DIFF                                                                                                \
    "f() { case $GIT_EXTERNAL_DIFF in *difftool*) git difftool--helper \"$@\"; return;; esac; "             \
    "if ! command -v lvl >/dev/null; then printf 'changed: %s (lvl is not on PATH)\n' \"$1\"; return; fi; " \
    "if test $# -lt 7; then printf 'both sides changed: %s\\n' \"$1\"; lvl merge --list -- \"$1\" 2>&1; "   \
    "elif test \"$2\" = /dev/null; then printf 'new file: %s\\n' \"$1\"; lvl info -- \"$5\"; "              \
    "elif test \"$5\" = /dev/null; then printf 'deleted file: %s\\n' \"$1\"; "                              \
    "else test \"$4\" = \"$7\" || printf 'old mode %s\\nnew mode %s\\n' \"$4\" \"$7\"; "                    \
    "test $# -lt 9 || printf %s \"$9\"; "                                                                   \
    "lvl diff --label=\"a/$1\" --label=\"b/${8:-$1}\" -- \"$2\" \"$5\"; fi; test $? -le 1; }; f"
/* Draws the three sides and the conflicts, shows the latter, and asks for each conflict. git splits the text
 * at blanks, so there are no quoted ones. */
#define MERGETOOL                                                                                            \
    "p=$(mktemp -d); lvl render -q --size=1600 -o \"$p/base.png\" -- \"$BASE\" 2>/dev/null; "                \
    "lvl render -q --size=1600 -o \"$p/ours.png\" -- \"$LOCAL\" 2>/dev/null; "                               \
    "lvl render -q --size=1600 -o \"$p/theirs.png\" -- \"$REMOTE\" 2>/dev/null; "                            \
    "lvl merge -q --label=\"$MERGED\" --image=\"$p/conflicts.png\" -o \"$p/merged\" -- "                     \
    "\"$BASE\" \"$LOCAL\" \"$REMOTE\" 2>/dev/null; echo Pictures of base, ours, theirs, conflicts: \"$p\"; " \
    "v=${LVL_VIEWER:-" IF_SCREEN "}; test -z \"$v\" || test ! -e \"$p/conflicts.png\" || "                   \
    "$v \"$p/conflicts.png\"; "                                                                              \
    "lvl merge --choose --label=\"$MERGED\" -y --output=\"$MERGED\" -- \"$BASE\" \"$LOCAL\" \"$REMOTE\"; "   \
    "c=$?; rm -rf \"$p\"; (exit $c)"
static const struct {
    const char *key, *value;
} settings[] = {
    {"diff.lvl.command", DIFF},
    {"diff.lvl.textconv", "f() { if command -v lvl >/dev/null; then lvl dump --no-kept -- \"$1\"; "
                          "else echo lvl is not on PATH; git hash-object --no-filters -- \"$1\"; fi; }; f"},
    {"merge.lvl.name", "merge of level files by their contents"},
    /* git does not pass -X to drivers: LVL_MERGE=--theirs git merge BRANCH */
    {"merge.lvl.driver", "lvl merge -i $LVL_MERGE --label=%P -- %O %A %B"},
    /* where branches crossed, git merges their bases first: what the driver chose at a conflict there would
     * be a base that nobody made, and look like a change of one side; it is what both bases began with */
    {"merge.lvl.recursive", "lvlbase"},
    {"merge.lvlbase.name", "merge of the bases of level files"},
    {"merge.lvlbase.driver", "lvl merge -i --label=%P -- %O %A %B >/dev/null 2>&1 || cat %O >%A"},
    {"mergetool.lvl.cmd", MERGETOOL},
    {"mergetool.lvl.trustExitCode", "true"},
    {"difftool.lvl.cmd", "p=$(mktemp -d)/changes.png && lvl diff --image=\"$p\" -- \"$LOCAL\" \"$REMOTE\"; "
                         "test ! -e \"$p\" || ${LVL_VIEWER:-" VIEWER "} \"$p\""},
};
static const char *const sections[] = {"diff.lvl", "merge.lvl", "merge.lvlbase", "difftool.lvl",
                                       "mergetool.lvl"};

/* Runs `git config SCOPE ARGS…`; its output is appended to `out` without the line end. Returns git's exit
 * code; -1: git cannot be run. */
static int git_config(bool global, const char *const *args, lvl_buffer *out)
{
    enum { MAX_ARGS = 6 };
    const char *all[MAX_ARGS + 3] = {"config", global ? "--global" : "--local"};

    for (size_t i = 0; i < MAX_ARGS && args[i]; i++)
        all[i + 2] = args[i];
    const int code = cli_git(all, out);
    while (out && out->len && (out->data[out->len - 1] == '\n' || out->data[out->len - 1] == '\r'))
        out->len--;
    return code;
}

/* ---- attributes -------------------------------------------------------------------------------------- */

/* A line for names with that ending in any case: "*.[wW][wW][dD]". One with a dot is a word that names
 * contain, and their ending: "tiledefs.txt" is tiledefs1.txt, too. */
static void put_pattern(lvl_buffer *out, lvl_text ending)
{
    const bool has_word = memchr(ending.ptr, '.', ending.len) != NULL;

    lvl_buffer_str(out, has_word ? "*" : "*.");
    for (size_t i = 0; i < ending.len; i++) {
        const char c = ending.ptr[i];
        if (c >= 'a' && c <= 'z')
            lvl_buffer_printf(out, "[%c%c]", c, c - 'a' + 'A');
        else if (c == '.')
            lvl_buffer_str(out, "*.");
        else
            lvl_buffer_u8(out, (uint8_t)c);
    }
    lvl_buffer_str(out, " -text diff=lvl merge=lvl\n");
}

/* One line for each ending of a format, except .txt, since few such files are maps. */
static void put_lines(lvl_buffer *out, bool joined)
{
    const lvl_format *format;
    lvl_text ending;

    lvl_buffer_str(out, BEGIN "\n");
    for (size_t i = 0; (format = lvl_format_at(i)) != NULL; i++) {
        const char *endings = format->extensions;
        while (lvl_text_next_item(&endings, ' ', &ending))
            put_pattern(out, ending);
    }
    lvl_buffer_str(out, joined ? JOIN "\n" : END "\n");
}

/* The offset of that line in the file, or its size. */
static size_t find_line(lvl_bytes file, size_t from, const char *line)
{
    const size_t n = strlen(line);

    for (size_t at = from; at < file.len;) {
        const uint8_t *end = memchr(file.ptr + at, '\n', file.len - at);
        size_t len = (end ? (size_t)(end - file.ptr) : file.len) - at;
        if (len == n + 1 && file.ptr[at + n] == '\r')
            len--;
        if (len == n && memcmp(file.ptr + at, line, n) == 0)
            return at;
        at = end ? (size_t)(end - file.ptr) + 1 : file.len;
    }
    return file.len;
}

/* The file without lvl's lines, and without the line end that they needed before them. */
static void put_others(lvl_buffer *out, lvl_bytes file)
{
    size_t begin = find_line(file, 0, BEGIN);
    const size_t joined = find_line(file, begin, JOIN), plain = find_line(file, begin, END);
    size_t end = joined < plain ? joined : plain;

    if (end == file.len) {
        lvl_buffer_add(out, file.ptr, file.len);
        return;
    }
    const bool is_last = end + strlen(joined < plain ? JOIN : END) + 2 >= file.len;
    end += strlen(joined < plain ? JOIN : END);
    if (joined < plain && begin && is_last)
        begin--;
    lvl_buffer_add(out, file.ptr, begin);
    end += end < file.len && file.ptr[end] == '\r';
    end += end < file.len && file.ptr[end] == '\n';
    lvl_buffer_add(out, file.ptr + end, file.len - end);
}

/* `global`: the user's own file, which may be a link. */
static int change_attributes(cli *c, const char *path, bool global, bool install)
{
    lvl_buffer old = {0}, now = {0};
    lvl_file_error why = {0};
    lvl_file_lock *lock = NULL;
    int code = EXIT_FINE;
    bool same = true;

    lvl_status status = c->opt->dry_run ? LVL_OK : cli_lock_file(path, &lock, &why);
    if (status == LVL_OK)
        status = lvl_file_read(&old, path, 1 << 24, &why);
    if (status == LVL_ERR_MISSING)
        status = LVL_OK;
    if (status == LVL_OK) {
        put_others(&now, lvl_buffer_bytes(&old));
        const bool joined = install && now.len && now.data[now.len - 1] != '\n';
        if (joined)
            lvl_buffer_u8(&now, '\n');
        if (install)
            put_lines(&now, joined);
        same = cli_same_bytes(lvl_buffer_bytes(&now), lvl_buffer_bytes(&old));
        const size_t root = global ? 0 : (size_t)(lvl_file_name(path) - path);
        status = now.status != LVL_OK ? now.status : old.status;
        if (c->opt->dry_run)
            ; /* only whether it would be another file */
        else if (status == LVL_OK && !same && !now.len)
            status = remove(path) == 0 ? LVL_OK : LVL_ERR_IO; /* it had nothing but lvl's lines */
        else if (status == LVL_OK && !same)
            status = lvl_file_save_below(path, root, lvl_buffer_bytes(&now), LVL_SAVE_REPLACE, lock, &why);
    }
    lvl_file_lock_free(lock);
    if (status == LVL_ERR_FORMAT) {
        cli_report(c, "%s: " CLI_CHANGED, path);
        code = EXIT_ENVIRONMENT;
    } else if (status != LVL_OK) {
        code = cli_report_file(c, path, status, &why);
    } else if (!c->opt->quiet) {
        lvl_buffer line = {0};
        lvl_buffer_printf(&line, "%s: lines for level files %s%s\n", path,
                          !same && c->opt->dry_run ? "would be " : "",
                          !same     ? install ? "added" : "removed"
                          : install ? "are there already"
                                    : "are not there");
        cli_out_text(c, &line);
    }
    lvl_buffer_free(&old);
    lvl_buffer_free(&now);
    return code;
}

/* The user's attributes file: that of git's configuration, else git's default. To be freed. */
static char *global_attributes(void)
{
    static const char *const get[] = {"--type=path", "--get", "core.attributesFile", NULL};
    const char *home = getenv("HOME"), *config = getenv("XDG_CONFIG_HOME");
    lvl_buffer named = {0};
    char *path;

#ifdef _WIN32 /* as git for Windows does */
    if (!home || !*home)
        home = getenv("USERPROFILE");
#endif
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

/* `git mergetool' leaves FILE.orig with conflict markers, which levels do not have, and `git add -A' would
 * commit it. The setting is for all tools, so the user's own stays. */
#define BACKUP  "mergetool.keepBackup"
#define BACKUPS "mergetool.lvl.setsKeepBackup"

static bool config_is_set(bool global, const char *key)
{
    const char *const args[] = {"--get", key, NULL};
    lvl_buffer out = {0};
    const bool set = git_config(global, args, &out) == 0;

    lvl_buffer_free(&out);
    return set;
}

static bool set_one(bool global, const char *key, const char *value)
{
    const char *const args[] = {key, value, NULL};

    return git_config(global, args, NULL) == 0;
}

static bool set_all(bool global)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        if (!set_one(global, settings[i].key, settings[i].value))
            return false;
    }
    return config_is_set(global, BACKUP) ||
           (set_one(global, BACKUP, "false") && set_one(global, BACKUPS, "true"));
}

static void unset_all(bool global)
{
    static const char *const backup[] = {"--unset", BACKUP, NULL};

    if (config_is_set(global, BACKUPS))
        (void)git_config(global, backup, NULL);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        const char *const args[] = {"--remove-section", sections[i], NULL};
        (void)git_config(global, args, NULL);
    }
}

/* Prints which settings an install would change or add, or an uninstall remove. */
static void list_settings(cli *c, bool global, bool install)
{
    lvl_buffer out = {0}, value = {0};

    for (size_t i = 0; i < sizeof settings / sizeof *settings && !c->opt->quiet; i++) {
        const char *const get[] = {"--get", settings[i].key, NULL};
        value.len = 0;
        const bool has = git_config(global, get, &value) == 0;
        const bool same =
            has && lvl_text_is((lvl_text){(const char *)value.data, value.len}, settings[i].value);
        if (install ? !same : has)
            lvl_buffer_printf(&out, "git config --%s %s would be %s\n", global ? "global" : "local",
                              settings[i].key, install ? "set" : "removed");
    }
    lvl_buffer_free(&value);
    if (!c->opt->quiet && (install ? !config_is_set(global, BACKUP) : config_is_set(global, BACKUPS)))
        lvl_buffer_printf(&out, "git config --%s " BACKUP " would be %s\n", global ? "global" : "local",
                          install ? "set" : "removed");
    cli_out_text(c, &out);
}

/* Whether there is a git that runs. */
static bool git_runs(void)
{
    static const char *const args[] = {"--version", NULL};
    lvl_buffer out = {0};
    const bool runs = cli_git(args, &out) == 0;

    lvl_buffer_free(&out);
    return runs;
}

int cmd_git(cli *c)
{
    const bool global = c->opt->global;
    const char *const what = c->args.count == 1 ? c->args.items[0] : "";
    const bool install = strcmp(what, "install") == 0;
    char *path;

    if (!install && strcmp(what, "uninstall") != 0)
        return cli_usage(c, "expected install or uninstall");
    if (global && c->opt->local)
        return cli_usage(c, "--local and --global exclude each other");
    if (global) {
        path = global_attributes();
    } else {
        char *top = cli_git_top();
        path = top ? cli_format("%s.gitattributes", top) : NULL;
        free(top);
    }
    if (!path) {
        cli_report(c, "%s",
                   global       ? "the home folder is unknown: HOME is not set"
                   : git_runs() ? "no git repository here; run `git init', or use --global"
                                : "git cannot be run: it is not installed, or not in a folder of PATH");
        return EXIT_ENVIRONMENT;
    }
    int code = EXIT_FINE;
    if (!global && lvl_file_is_link(path)) { /* it may lead out of the repository */
        cli_report(c, "%s: not changed: it is a symbolic link, which git does not read; replace it by a file",
                   path);
        code = EXIT_NEGATIVE;
    } else if (c->opt->dry_run) {
        list_settings(c, global, install);
    } else if (install && !set_all(global)) {
        cli_report(c, "cannot change git's configuration; is git installed?");
        code = EXIT_NEGATIVE;
    } else if (!install && config_is_set(global, "merge.lvl.driver")) {
        unset_all(global);
    }
    if (!code && global && install && !c->opt->dry_run) {
        char *folder = cli_copy(path);
        char *slash = folder ? strrchr(folder, '/') : NULL;
        if (slash)
            *slash = 0;
        if (slash)
            (void)lvl_folder_make(folder, NULL);
        free(folder);
    }
    if (!code)
        code = change_attributes(c, path, global, install);
    free(path);
    return code;
}
