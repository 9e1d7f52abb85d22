/*
 * cli/review.h: a page of HTML that shows changes for a review (`lvl diff --html'): one file that needs
 * nothing else. Names and texts of levels appear in it as text and pictures alone.
 */
#ifndef LVL_CLI_REVIEW_H
#define LVL_CLI_REVIEW_H

#include "cli/cli.h"

#include <lvl/render.h>

/* What the page says of one file: its line in the list of files, and its section. */
typedef struct cli_review {
    lvl_buffer nav, section;
    size_t number; /* no other file of the page has it */
} cli_review;

/* Starts a file's section. `kind`: "changed", "added", "removed" or "failed". `title` of its format, or NULL.
 */
void cli_review_begin(cli_review *r, const char *name, const char *kind, const char *title);
/* The changes as `lvl diff' prints them. */
void cli_review_lines(cli_review *r, lvl_text lines);
/* Before and after: the part with all changes, and (`places`) each group of changes enlarged. LVL_OK without
 * pictures where no change can be seen. Size 0: the default. */
lvl_status cli_review_pictures(cli_review *r, const lvl_scene *before, const lvl_scene *after,
                               const lvl_render_options *options, bool places);
/* The one picture of a file that is on one side only. */
lvl_status cli_review_picture(cli_review *r, const lvl_scene *scene, const lvl_render_options *options);
void cli_review_end(cli_review *r);
void cli_review_free(cli_review *r);

/* The page of such sections. `a` and `b`: names of both sides; `counts`: a line about all files. */
void cli_review_page(lvl_buffer *out, const char *a, const char *b, const char *counts, const lvl_buffer *nav,
                     const lvl_buffer *sections);

#endif
