/*
 * cli/paths.h: the paths that `lvl get` and `lvl set` were given, and what each of them found over many files
 * (paths.c).
 */
#ifndef LVL_CLI_PATHS_H
#define LVL_CLI_PATHS_H

#include "cli/cli.h"

typedef enum cli_path_state {
    CLI_PATH_NOT_TRIED, /* the file was not read, or an earlier path failed */
    CLI_PATH_FOUND,
    CLI_PATH_NOTHING,  /* its condition, key or index matches nothing in the file */
    CLI_PATH_NO_FIELD, /* the file's format has no such field */
    CLI_PATH_MISFIT, /* the file's format has a field of that name, but of another kind: no list, no record */
    CLI_PATH_FAILED  /* a bad value, or anything else */
} cli_path_state;

/* What one path found in one file of many; the text says why it found nothing, and `where` of what in the
 * file that is so. */
typedef struct cli_path_result {
    cli_path_state state;
    char text[400], where[160];
} cli_path_result;

enum { CLI_PATH_TEXTS = 64 };

/* A text that some files gave for one path, and how many did. */
typedef struct cli_path_text {
    size_t path, files;
    cli_path_state state;
    char *text;
} cli_path_text;

/* How many files there are of each kind of result. */
typedef struct cli_path_count {
    size_t found, nothing, failed;
    size_t unknown; /* their format lacks the field */
} cli_path_count;

typedef struct cli_paths {
    const char **items;
    size_t count, assigned; /* the first `assigned` are assignments; those behind are to be unset */
    cli_path_count *counts; /* of each path */
    cli_path_text texts[CLI_PATH_TEXTS];
    size_t text_count;
} cli_paths;

/* Takes the arguments apart (FILE PATH..., or FILE... with -e), takes the inputs, and checks the grammar of
 * every path. `assignments`: they are PATH=VALUE, and --unset gives more paths, which come last. NULL, and
 * *code: the command line makes no sense, which was said. */
cli_paths *cli_paths_take(cli *c, bool assignments, int *code);
void cli_paths_free(cli_paths *paths);

/* Results for one file of many, one for each path, in the job's note; NULL (and failed) without memory. */
cli_path_result *cli_paths_results(cli_job *job, const cli_paths *paths);
/* Notes what a call of the library said of a path, and clears the findings. */
cli_path_state cli_paths_note(cli_path_result *result, lvl_status status, lvl_findings *findings);
/* Counts a job's results: the `after` of a batch with the paths as its user. Says failures, each text once.
 */
void cli_paths_after(cli *c, const cli_job *job);
/* After the run of a batch: says which paths found nothing at all and which no format knows; gives the exit
 * code, from that of the run on. */
int cli_paths_end(cli *c, const cli_paths *paths, int code);

#endif
