/*
 * cli/compare/git.h: runs the system's git.
 */
#ifndef LVL_CLI_GIT_H
#define LVL_CLI_GIT_H

#include "cli/cli.h"

/* Appends a blank and a word, quoted for the shell; false: it cannot be quoted safely (on Windows, where lvl
 * starts programs without a shell: cli/shared/windows.h). */
bool cli_quote(lvl_buffer *out, const char *word);

/* Runs `git ARGS…` (ended by NULL) and appends its output to `out` (may be NULL); its messages go to stderr.
 * Returns git's exit code; -1: git cannot be run, or no memory. */
int cli_git(const char *const *args, lvl_buffer *out);

/* A file of two revisions, or of one of them. */
typedef struct cli_git_file {
    const char *path; /* relative to the top of the repository */
    const char *before; /* its path in the first revision, if it was renamed; else `path` */
    const char *was,
        *is; /* objects with its content; NULL: not in that revision; `is` "": in the work tree */
} cli_git_file;

/* Calls `visit` for each regular file that differs between the revisions of "A..B" ("A...B": since their
 * common ancestor), or between revision "A" and the work tree, below `paths` if there are any. `visit`
 * returns false without memory. Reports errors; returns the exit code. */
int cli_git_changes(cli *c, const char *range, const cli_strings *paths,
                    bool (*visit)(void *user, const cli_git_file *file), void *user);
/* The objects of a path with conflicts, to be freed: of BASE, OURS and THEIRS, NULL for a side that has no
 * such file; all NULL: the path has no conflicts. Returns git's exit code, as cli_git. */
int cli_git_stages(const char *path, char *objects[3]);
/* Appends the content of an object. False: git failed, or out->status is an error. */
bool cli_git_object(const char *object, lvl_buffer *out);
/* The top of the work tree, relative to the current folder: "", "../", "../../" …, to be freed; NULL: not in
 * a work tree, or no memory. */
char *cli_git_top(void);

#endif
