/*
 * cli/verbs/history.h: how much a version of a level changed since the one before.
 */
#ifndef LVL_CLI_HISTORY_H
#define LVL_CLI_HISTORY_H

#include "cli/cli.h"

#include <lvl/catalogue.h>

/* A version that was read; `doc` NULL: it could not be. */
typedef struct cli_version {
    cli_inputs inputs;
    cli_job job;
    const lvl_doc *doc;
} cli_version;

/* Begins with the first two members alone. */
typedef struct cli_history {
    cli *c;
    lvl_catalogue *catalogue;
    cli_version versions[2]; /* the last ones: only two are in memory */
    size_t count;
    char sha256[65]; /* of the bytes of the last one */
    bool failed; /* no memory */
} cli_history;

/* Takes the next version, oldest first: its path in the catalogue. True: *changes is how many changes `lvl
 * diff' counts since the one before. False: it is the first, one of the two is not in its file any more, or
 * too many have been compared. */
bool cli_history_next(cli_history *history, lvl_text path, uint64_t *changes);
/* Frees everything, and reports if not all were compared. */
void cli_history_end(cli_history *history);

#endif
