/*
 * cli/pages/tiles.h: a map of tiles with a page that shows it, as `lvl render --tiles DIR' writes it:
 *
 *     index.html      the page, from web/tiles
 *     z/x/y.png       tiles of 256 by 256 px: of zoom z, column x from the left, row y from the top
 */
#ifndef LVL_CLI_PAGES_TILES_H
#define LVL_CLI_PAGES_TILES_H

#include "cli/cli.h"

#include <lvl/render.h>

/* Writes them for the job's document, whose scene it is. Tiles that are there and would be the same are not
 * written again. Reports errors. */
void cli_tiles_write(cli_job *job, const lvl_scene *scene, const lvl_render_options *options);

#endif
