/*
 * cli/compare/review.h: the pages of `lvl diff --html` and `lvl merge --html`: the page of web/review with a
 * JSON document in it, which has what --json prints and pictures.
 */
#ifndef LVL_CLI_REVIEW_H
#define LVL_CLI_REVIEW_H

#include "cli/compare/conflicts.h"

#include <lvl/render.h>

/* All of these append members to an object of the JSON document that was begun with '{'. */

/* "changes": lines of `lvl diff --json`, which are objects, at most as many as a page shows; "more": how many
 * others there are. */
void cli_review_changes(lvl_buffer *json, lvl_text lines);
/* "errors": messages, a line each. */
void cli_review_errors(lvl_buffer *json, lvl_text messages);
/* "pictures" before and after, of the area with all changes; "others", cells that are not marked; "unseen" if
 * no change is visible. `places`: each group of changes enlarged, too. options->size 0: the default. */
lvl_status cli_review_pictures(lvl_buffer *json, const lvl_scene *before, const lvl_scene *after,
                               const lvl_render_options *options, bool places);
/* "places": the changed places alone, each enlarged. */
lvl_status cli_review_places(lvl_buffer *json, const lvl_scene *before, const lvl_scene *after,
                             const lvl_render_options *options);
/* "picture": that of a file that is on one side only. */
lvl_status cli_review_picture(lvl_buffer *json, const lvl_scene *scene, const lvl_render_options *options);

/* Appends the page of a JSON document. */
void cli_review_page(lvl_buffer *out, const lvl_buffer *json);

#endif
