/*
 * cli/review.h: the HTML page of `lvl diff --html`: one file with pictures, style and script in it. Names and
 * texts of levels are escaped.
 */
#ifndef LVL_CLI_REVIEW_H
#define LVL_CLI_REVIEW_H

#include "cli/cli.h"

#include <lvl/render.h>

/* One file of the page: its line in the list of files, and its section. */
typedef struct cli_review {
    lvl_buffer nav, section;
    size_t number; /* unique in the page */
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
/* Adds the picture of a file that is on one side only. */
lvl_status cli_review_picture(cli_review *r, const lvl_scene *scene, const lvl_render_options *options);
void cli_review_end(cli_review *r);
void cli_review_free(cli_review *r);

/* Appends the page of these sections. `a`, `b`: names of both sides; `counts`: a line about all files. */
void cli_review_page(lvl_buffer *out, const char *a, const char *b, const char *counts, const lvl_buffer *nav,
                     const lvl_buffer *sections);

#endif
