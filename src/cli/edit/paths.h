/*
 * cli/edit/paths.h: the paths of `lvl get` and `lvl set`, and their results over many files (edit/paths.c).
 */
#ifndef LVL_CLI_PATHS_H
#define LVL_CLI_PATHS_H

#include "cli/cli.h"

typedef enum cli_path_state {
    CLI_PATH_NOT_TRIED, /* the file was not read, or an earlier path failed */
    CLI_PATH_FOUND,
    CLI_PATH_NOTHING, /* a condition, key or index matches nothing in the file */
    CLI_PATH_NO_FIELD, /* the file's format has no such field */
    CLI_PATH_MISFIT, /* the format has that field, but not as the list or record that the path expects */
    CLI_PATH_FAILED /* a bad value, or anything else */
} cli_path_state;

/* The result of one path in one of several files; `text`: why nothing was found, `where`: for which part of
 * the file. */
typedef struct cli_path_result {
    cli_path_state state;
    char text[400], where[160];
} cli_path_result;

enum { CLI_PATH_TEXTS = 64 };

/* A message for one path, and the number of files that had it. */
typedef struct cli_path_text {
    size_t path, files;
    cli_path_state state;
    char *text;
} cli_path_text;

/* Number of files with each result. */
typedef struct cli_path_count {
    size_t found, nothing, failed;
    size_t unknown; /* the format does not have the field */
} cli_path_count;

typedef struct cli_paths {
    const char **items;
    size_t count, assigned; /* the first `assigned` are assignments, the others come from --unset */
    cli_path_count *counts; /* for each path */
    cli_path_text texts[CLI_PATH_TEXTS];
    size_t text_count;
} cli_paths;

/* Splits the arguments (FILE PATH..., or FILE... with -e), adds the inputs, and checks the syntax of every
 * path. `assignments`: the paths are PATH=VALUE, followed by those of --unset. NULL: a usage error was
 * reported, and *code set. */
cli_paths *cli_paths_take(cli *c, bool assignments, int *code);
void cli_paths_free(cli_paths *paths);

/* Allocates one result for each path, in the job's note. NULL: no memory, and the job has failed. */
cli_path_result *cli_paths_results(cli_job *job, const cli_paths *paths);
/* Stores the status and the first finding of a call as a path's result, and clears the findings. */
cli_path_state cli_paths_note(cli_path_result *result, lvl_status status, lvl_findings *findings);
/* Counts a job's results and reports failures, each message once. The `after` of a batch whose user is a
 * cli_paths. */
void cli_paths_after(cli *c, const cli_job *job);
/* After the run: reports paths that matched nothing or that no format has. Returns the exit code, given that
 * of the run. */
int cli_paths_end(cli *c, const cli_paths *paths, int code);

#endif
