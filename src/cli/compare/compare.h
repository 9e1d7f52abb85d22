/*
 * cli/compare/compare.h: what the files of `lvl diff` share: both sides and their pairs (compare/sides.c),
 * two revisions of git as sides (compare/revisions.c), pictures of a pair (compare/picture.c), and the page
 * (compare/page.c).
 */
#ifndef LVL_CLI_COMPARE_H
#define LVL_CLI_COMPARE_H

#include "cli/compare/review.h"

/* The objects of a page's document that are complete, each without its '}'. */
typedef struct cli_diff_page {
    lvl_buffer files;
    size_t compared, changed, added, removed;
    bool incomplete; /* no memory for one of them */
} cli_diff_page;

/* c->user of `lvl diff`. The jobs are the inputs of side A, followed by those that only B has. */
typedef struct cli_sides {
    cli_inputs b;
    const cli_input **pair; /* for each job: its file on side B; NULL: only in A */
    size_t only_b; /* index of the first job that is only in B */
    uint32_t size; /* of pictures; 0: the default */
    const char *names[2]; /* of both sides, for messages */
    char *top; /* --git: the top folder of the work tree */
    cli_diff_page page; /* --html */
} cli_sides;

typedef enum cli_presence { CLI_IN_BOTH, CLI_ONLY_IN_A, CLI_ONLY_IN_B } cli_presence;

/* On which sides the job's file is. */
cli_presence cli_diff_presence(const cli_job *job);

/* ---- sides (compare/sides.c, compare/revisions.c); all return the exit code, and have reported errors -- */

/* The sides of two arguments: files, folders, archives. */
int cli_diff_take_arguments(cli *c, cli_sides *s);
/* The sides of the revisions of --git. */
int cli_diff_take_revisions(cli *c, cli_sides *s);
/* Once both lists of inputs are complete: pairs them, and appends the files that only B has to the jobs. */
int cli_diff_pair_sides(cli *c, cli_sides *s);
void cli_sides_free(cli_sides *s);

/* ---- pictures (compare/picture.c); errors are reported ------------------------------------------------- */

extern const cli_output cli_diff_image;

/* Saves the picture of the differences as --image asks for. */
void cli_diff_save_image(cli_job *a, cli_job *b);
/* Adds pictures of both files to the page's document, if their format has pictures. */
void cli_diff_add_pictures(lvl_buffer *json, cli_job *a, cli_job *b);
/* Adds the picture of a file that is on one side only. */
void cli_diff_add_picture(lvl_buffer *json, cli_job *job);

/* ---- the page (compare/page.c) ------------------------------------------------------------------------- */

/* Add the object of a job: of a file on one side, readable or not; of a pair, with the lines of its
 * comparison as JSON; of a pair with a file that cannot be read. */
void cli_diff_add_single(cli_job *job, cli_presence presence, bool is_known);
void cli_diff_add_pair(cli_job *a, cli_job *b, bool pictures, const lvl_buffer *lines);
void cli_diff_add_failed(cli_job *job);
/* Whether the page lists a file that cannot be read: not one of an unknown format. */
bool cli_diff_is_listed(const cli_job *job);
/* The `after` of the batch: takes the job's object. */
void cli_diff_take_section(cli *c, const cli_job *job);
/* Writes the page, once all jobs are done. */
void cli_diff_write_page(cli_job *job);

#endif
