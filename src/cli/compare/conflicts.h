/*
 * cli/compare/conflicts.h: the conflicts of a merge: one as text, all as a picture, and the page on which a
 * user chooses.
 */
#ifndef LVL_CLI_CONFLICTS_H
#define LVL_CLI_CONFLICTS_H

#include "cli/cli.h"

/* What the user chose, as the page of conflicts prints it: "12132:1f0c77aa", a digit for each conflict (1
 * ours, 2 theirs, 3 base), and a hash of the three files. The hash may be absent. */
typedef struct cli_choices {
    lvl_merge_side *sides; /* NULL: none given; to be freed */
    size_t count;
    const char *hash; /* or NULL */
} cli_choices;

/* Reads the value of --choices, which must outlive *out. Reports errors; returns the exit code. */
int cli_choices_parse(cli *c, const char *text, cli_choices *out);
/* Appends "conflict 2 of 5: PATH: TEXT" for that conflict of those in the job's findings. */
void cli_conflict_text(const cli_job *job, size_t index, uint64_t count, lvl_buffer *out);
/* For lvl_merge_options.report; `user` is a lvl_buffer: appends a conflict as a JSON object, after a comma if
 * others are there. */
void cli_conflict_note(void *user, const lvl_conflict *conflict);
/* Appends what --json prints of a merge; `items`: what cli_conflict_note made. */
void cli_conflicts_json(const cli_job *job, uint64_t count, const lvl_buffer *items, lvl_buffer *out);
/* The hash of the three files, as in cli_choices. */
void cli_conflicts_hash(const cli_job *job, const cli_job *base, const cli_job *theirs, char out[9]);

/* --image: draws two merges that differ only in the conflicts: in one OURS wins, in the other THEIRS. The
 * job's input is OURS. Reports errors, as the next one. */
void cli_conflicts_image(cli_job *job, cli_job *base, cli_job *theirs);
/* --html: writes the page: each conflict with its text, its places, and the choice between the three sides,
 * and the command that merges with these choices. */
void cli_conflicts_page(cli_job *job, cli_job *base, cli_job *theirs, uint64_t count,
                        const cli_choices *chosen, const lvl_buffer *items);

#endif
