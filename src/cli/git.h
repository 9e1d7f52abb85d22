/*
 * cli/git.h: asks the git of the system, by its command.
 */
#ifndef LVL_CLI_GIT_H
#define LVL_CLI_GIT_H

#include "cli/cli.h"

/* Appends a blank and one word of a shell's command line; false: the shell could take it for more. */
bool cli_quote(lvl_buffer *out, const char *word);

/* Runs `git ARGS…` (a list ended by NULL); what it prints is appended to `out` (NULL: ignored), its messages
 * go to stderr. Each argument reaches git as it is: it is quoted for the shell, and refused where that cannot
 * be done. Returns git's exit code; -1: there is no git, an argument was refused, or memory ran out. */
int cli_git(const char *const *args, lvl_buffer *out);

/* A file that two versions have in common, or one has. */
typedef struct cli_git_file {
    const char *path;     /* from the top of the repository */
    const char *before;   /* its path in the first version, of a file that was renamed; else `path` */
    const char *was, *is; /* objects with its content; NULL: the version does not have it */
} cli_git_file;

/* Calls `visit` for each regular file that differs between the two versions of "A..B" ("A...B": from where
 * both parted), below `paths` if there are any. Talks, and returns the exit code. False from `visit` ends it:
 * memory ran out. */
int cli_git_changes(cli *c, const char *range, const cli_strings *paths,
                    bool (*visit)(void *user, const cli_git_file *file), void *user);
/* Appends the content of an object. False: git refused, or the buffer's status says why not all of it is
 * there. */
bool cli_git_object(const char *object, lvl_buffer *out);
/* The top of the work tree around the current folder, as git prints it: "", "../", "../../" …, to be freed;
 * NULL: none, or no memory. */
char *cli_git_top(void);

#endif
