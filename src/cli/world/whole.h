/*
 * cli/world/whole.h: what `lvl check` finds in a folder as a whole, where files name each other as on a
 * server: levels that nothing leads to, files that nothing names, and names that differ from the file's in
 * case.
 */
#ifndef LVL_CLI_WHOLE_H
#define LVL_CLI_WHOLE_H

#include "cli/cli.h"

typedef struct cli_whole cli_whole;

/* *out stays NULL where the inputs are not those of folders. Returns the exit code. */
int cli_whole_begin(cli *c, cli_whole **out);
void cli_whole_free(cli_whole *whole);
/* Notes what the job's document names, for many threads at once; adds names in another case to the job's
 * findings. Changes the document, which must not be used afterwards. */
lvl_status cli_whole_add(cli_whole *whole, cli_job *job, lvl_doc *doc);
/* Notes that the job's file could not be read completely: it may have names that are not known. `whole` may
 * be NULL. */
void cli_whole_unread(cli_whole *whole, const cli_job *job);
/* After all jobs: reads the texts that are of no known format, such as a server's options. */
lvl_status cli_whole_end(cli_whole *whole);
/* Adds what is found about an input, after cli_whole_end. */
void cli_whole_report(const cli_whole *whole, size_t input, lvl_findings *findings);

#endif
