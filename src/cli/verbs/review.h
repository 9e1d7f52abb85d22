/*
 * cli/verbs/review.h: the HTML pages of `lvl diff --html` and `lvl merge --html`: one file with pictures,
 * style and script in it. Names and texts of levels are escaped.
 */
#ifndef LVL_CLI_REVIEW_H
#define LVL_CLI_REVIEW_H

#include "cli/verbs/conflicts.h"

#include <lvl/render.h>

/* One file of the page: its line in the list of files, and its section. */
typedef struct cli_review {
    lvl_buffer nav, section;
    size_t number; /* unique in the page */
    const char *before, *after; /* what both sides of pictures are called; NULL: before and after */
} cli_review;

/* Starts a file's section. `kind`: "changed", "added", "removed" or "failed". `title`: of the format, or
 * NULL. */
void cli_review_begin(cli_review *r, const char *name, const char *kind, const char *title);
/* Adds the output of `lvl diff`. */
void cli_review_lines(cli_review *r, lvl_text lines);
/* Adds pictures before and after: the area with all changes, and (`places`) each group of changes enlarged.
 * LVL_OK without pictures if no change is visible. options->size 0: the default. */
lvl_status cli_review_pictures(cli_review *r, const lvl_scene *before, const lvl_scene *after,
                               const lvl_render_options *options, bool places);
/* Adds the changed places alone, each enlarged. */
lvl_status cli_review_places(cli_review *r, const lvl_scene *before, const lvl_scene *after,
                             const lvl_render_options *options);
/* Adds the picture of a file that is on one side only. */
lvl_status cli_review_picture(cli_review *r, const lvl_scene *scene, const lvl_render_options *options);
void cli_review_end(cli_review *r);
void cli_review_free(cli_review *r);

/* Adds a text. */
void cli_review_text(cli_review *r, lvl_text text);
/* Adds a choice between `count` words, of which that one is chosen. */
void cli_review_choice(cli_review *r, const char *const *words, unsigned count, unsigned chosen);
/* Adds a command: `first`, the number of what is chosen for each choice of the page, from 1, and `second`.
 * The script keeps the numbers current. `count`: choices on the page. */
void cli_review_command(cli_review *r, lvl_text first, lvl_text second, const cli_choices *chosen,
                        size_t count);

typedef struct cli_review_head {
    const char *title;
    const char *a, *b; /* names of both sides */
    const char *counts; /* a line about all files */
    const char *command; /* that made the page */
} cli_review_head;

/* Appends the page of these sections. */
void cli_review_page(lvl_buffer *out, const cli_review_head *head, const lvl_buffer *nav,
                     const lvl_buffer *sections);

#endif
