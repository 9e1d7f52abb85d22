/*
 * cli/shared/program.h: runs another program, without a shell.
 */
#ifndef LVL_CLI_SHARED_PROGRAM_H
#define LVL_CLI_SHARED_PROGRAM_H

#include "cli/cli.h"

typedef struct cli_program {
    const char *const
        *words; /* its name, looked for in the absolute folders of PATH, and its arguments; NULL */
    const char *folder; /* where it runs; NULL: in the current folder */
    lvl_buffer
        *out; /* its output is appended, and its status is the caller's to check; NULL: it is dropped */
    bool messages; /* its messages are output, too; else they go to stderr */
    unsigned seconds; /* how long it may run; 0: no limit */
} cli_program;

enum { CLI_PROGRAM_FAILED = -1, CLI_PROGRAM_MISSING = -2, CLI_PROGRAM_LATE = -3 };

/* Waits until the program ends. Returns its exit code. CLI_PROGRAM_FAILED: it could not be started, or was
 * ended by a signal. _MISSING: there is no such program. _LATE: it took too long, or the user stopped lvl,
 * and was ended. */
int cli_program_run(const cli_program *p);

#endif
