/*
 * cli/verbs/cmd_tiled.c: `lvl tiled --install' and `--uninstall': the extension that opens and saves levels
 * in Tiled; and `--project'.
 */
#include "cli/shared/windows.h"

#include "base/text.h"

#include <lvl/tiled.h>
#include <stdlib.h>
#include <string.h>
#include <tiled_extension.h> /* data/tiled/lvl.js, made by CMake */

/* A folder of the user: below the value of an environment variable, or below the home folder. To be freed;
 * NULL: neither is set, or no memory. */
static char *user_folder(const char *variable, const char *below_home, const char *rest)
{
    const char *base = getenv(variable); /* NOLINT(concurrency-mt-unsafe) */
    const char *home = getenv("HOME"); /* NOLINT(concurrency-mt-unsafe) */

    if (base && *base)
        return cli_format("%s/%s", base, rest);
    return home && *home ? cli_format("%s/%s/%s", home, below_home, rest) : NULL;
}

/* The folder in which Tiled looks for a user's extensions, and the one for pictures of tiles. */
static char *extension_folder(void)
{
#ifdef _WIN32
    return user_folder("LOCALAPPDATA", "AppData/Local", "Tiled/extensions/lvl");
#elif defined(__APPLE__)
    return user_folder("", "Library/Preferences", "Tiled/extensions/lvl");
#else
    return user_folder("XDG_CONFIG_HOME", ".config", "tiled/extensions/lvl");
#endif
}

static char *cache_folder(void)
{
#ifdef _WIN32
    return user_folder("LOCALAPPDATA", "AppData/Local", "lvl/tiled");
#elif defined(__APPLE__)
    return user_folder("", "Library/Caches", "lvl/tiled");
#else
    return user_folder("XDG_CACHE_HOME", ".cache", "lvl/tiled");
#endif
}

/* Appends a path as part of a JavaScript string. */
static void put_path(lvl_buffer *out, const char *path)
{
    for (; *path; path++) {
        if (*path == '\\') {
            lvl_buffer_u8(out, '/'); /* Windows accepts both */
            continue;
        }
        if (*path == '"')
            lvl_buffer_u8(out, '\\');
        lvl_buffer_u8(out, (uint8_t)*path);
    }
}

/* Appends the script with its placeholders replaced. */
static void fill_in(lvl_buffer *out, const char *program, const char *cache)
{
    const char *const marks[] = {"@LVL@", "@CACHE@"}, *const values[] = {program, cache};
    const size_t size = sizeof tiled_extension;

    for (size_t i = 0; i < size; i++) {
        size_t k = 0;
        while (k < 2 &&
               (size - i < strlen(marks[k]) || memcmp(tiled_extension + i, marks[k], strlen(marks[k])) != 0))
            k++;
        if (k == 2) {
            lvl_buffer_u8(out, tiled_extension[i]);
        } else {
            put_path(out, values[k]);
            i += strlen(marks[k]) - 1;
        }
    }
}

/* The folder of Tiled's Flatpak, which has settings of its own; NULL: there is none, or no memory. */
static char *flatpak_folder(void)
{
#if defined(_WIN32) || defined(__APPLE__)
    return NULL;
#else
    char *app = user_folder("", ".var/app/org.mapeditor.Tiled", "");
    char *folder = app && lvl_file_kind_of(app) == LVL_FILE_FOLDER
                       ? cli_format("%sconfig/tiled/extensions/lvl", app)
                       : NULL;
    free(app);
    return folder;
#endif
}

static void report_dry(cli *c, const char *file, const char *what)
{
    if (!c->opt->quiet)
        cli_report(c, "%s: %s (dry run)", file, what);
}

static bool install(cli *c, const char *folder, const char *file, const char *program, const char *cache)
{
    lvl_file_error why = {0};
    lvl_buffer script = {0};
    bool done = false;

    if (c->opt->dry_run) {
        report_dry(c, file, "not written");
        return true;
    }
    fill_in(&script, program, cache);
    if (script.status != LVL_OK) {
        cli_no_memory(c);
    } else if (lvl_folder_make(folder, &why) != LVL_OK ||
               cli_save_bytes(file, 0, lvl_buffer_bytes(&script), LVL_SAVE_REPLACE, NULL, &why) != LVL_OK) {
        cli_report_file(c, file, LVL_ERR_MEMORY, &why);
    } else {
        lvl_buffer out = {0};
        lvl_buffer_printf(&out, "%s\n", file);
        cli_out_text(c, &out);
        done = true;
    }
    lvl_buffer_free(&script);
    return done;
}

static bool uninstall(cli *c, const char *folder, const char *file)
{
    if (lvl_file_kind_of(file) != LVL_FILE_REGULAR) {
        if (!c->opt->quiet)
            cli_report(c, "%s is not installed", file);
        return true;
    }
    if (c->opt->dry_run) {
        report_dry(c, file, "not removed");
        return true;
    }
    if (remove(file) != 0) {
        cli_report(c, "cannot remove %s", file);
        return false;
    }
    (void)remove(folder); /* if it is empty now */
    if (!c->opt->quiet)
        cli_report(c, "removed %s", file);
    return true;
}

/* Installs the extension for every Tiled of the user, or removes it. */
static int change(cli *c)
{
    char *folders[] = {extension_folder(), flatpak_folder()};
    char *program = cli_own_path(), *cache = cache_folder();
    int code = EXIT_FINE;

    if (!folders[0] || !cache) {
        cli_report(c, "the home folder is unknown: HOME is not set");
        code = EXIT_ENVIRONMENT;
    }
    for (size_t i = 0; i < LVL_COUNT_OF(folders) && folders[i] && code == EXIT_FINE; i++) {
        char *file = cli_format("%s/lvl.js", folders[i]);
        if (!program || !file) {
            cli_no_memory(c);
            code = EXIT_ENVIRONMENT;
        } else if (!(c->opt->install ? install(c, folders[i], file, program, cache)
                                     : uninstall(c, folders[i], file))) {
            code = EXIT_ENVIRONMENT;
        }
        free(file);
    }
    if (code == EXIT_FINE && c->opt->install && !c->opt->quiet && !c->opt->dry_run)
        cli_report(c, "installed; Tiled now opens and saves levels with %s; start Tiled again if it runs",
                   program);
    for (size_t i = 0; i < LVL_COUNT_OF(folders); i++)
        free(folders[i]);
    free(program);
    free(cache);
    return code;
}

static void write_project(cli_job *job)
{
    const char *file = job->c->opt->project;
    lvl_buffer out = {0};

    const lvl_status status = lvl_tiled_project(&job->ctx, &out);
    cli_job_status(job, status, NULL, NULL);
    if (status == LVL_OK && cli_write_to_name(job, file, lvl_buffer_bytes(&out)) && job->c->opt->json &&
        !cli_is_stdout(file)) {
        cli_json_begin(&job->out, file);
        lvl_json_put_uint(&job->out, "size", out.len);
        lvl_buffer_str(&job->out, "}\n");
    }
    lvl_buffer_free(&out);
}

int cmd_tiled(cli *c)
{
    if (c->opt->install + c->opt->uninstall + (c->opt->project != NULL) != 1 || c->args.count)
        return cli_usage(c, "expected --install, --uninstall or --project FILE; to convert a level, use `lvl "
                            "convert FILE -o MAP.tmx'");
    return c->opt->project ? cli_job_whole(c, c->opt->project, write_project) : change(c);
}
