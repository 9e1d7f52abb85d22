/*
 * cli/jobs/inputs.h: what adds inputs to a list: inputs.c (the list), members.c (members of archives),
 * input.c (arguments). Functions that add return false, or NULL, without memory.
 */
#ifndef LVL_CLI_INPUTS_H
#define LVL_CLI_INPUTS_H

#include "cli/jobs/archives.h"

/* Adds an input, and copies its name and relative path. */
cli_input *cli_input_new(cli_inputs *inputs, const char *name, const char *rel);
/* Adds an input that cannot be read, with the reason. */
bool cli_input_add_error(cli_inputs *inputs, const char *name, int code, const char *fmt, ...)
    LVL_PRINTF(4, 5);
/* Adds a file. `typed`: as in cli_input. */
bool cli_input_add_file(cli_inputs *inputs, const char *path, size_t typed, const char *rel, bool named);

/* Adds what a path of a member names; `slash` is where the first "//" is. */
bool cli_members_add(cli *c, cli_inputs *inputs, const char *arg, size_t slash);
/* Adds the members of an archive, or those below a folder in it. `disk`: the file; `rel`: what their paths in
 * -o DIR begin with. */
bool cli_members_add_all(cli *c, cli_inputs *inputs, cli_archive *archive, const char *disk, const char *rel,
                         const char *folder);
/* Adds an archive of another program that could not be opened, with the reason. */
bool cli_archive_add_unreadable(cli *c, cli_inputs *inputs, const char *name, lvl_status status,
                                const lvl_usage *usage);
/* Whether a format is an archive of a game, and not also a level. */
bool cli_is_pack_format(const lvl_format *format);

#endif
