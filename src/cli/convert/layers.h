/*
 * cli/convert/layers.h: a level as pictures and tables in a folder of its own, for programs that read nothing
 * else: layers.c makes the folder and a CSV of each layer, ldtk.c the files of LDtk's simple export.
 */
#ifndef LVL_CLI_CONVERT_LAYERS_H
#define LVL_CLI_CONVERT_LAYERS_H

#include "base/map_layout.h"
#include "cli/convert/convert.h"

#include <lvl/scene.h>

/* The picture of all layers, which no layer's file replaces. */
#define CLI_COMPOSITE "_composite"

typedef struct cli_layers {
    cli_job *job;
    char *folder; /* of the level, below -o */
    lvl_art *art;
    lvl_scene *scene;
    const lvl_field *list; /* the document's layers, */
    lvl_map_cells of; /* what they have, */
    const lvl_map_grid *grid;
    uint32_t count; /* how many there are, */
    char **names; /* and what their files are called, without ending */
    lvl_rect area; /* what a picture of the whole level shows, in px of the main layer */
} cli_layers;

/* False: the job has failed, or was skipped. cli_layers_end must follow in any case. `draws`: with art. */
bool cli_layers_begin(cli_layers *l, cli_job *job, const cli_convert *p, bool draws);
void cli_layers_end(cli_layers *l);
/* Writes a file of the folder, whose bytes `put` makes; reports errors. False: it is not there. */
bool cli_layers_file(const cli_layers *l, const char *name, const char *ending,
                     lvl_status (*put)(const cli_layers *l, lvl_writer *out, const void *what),
                     const void *what);
/* The index of the document's layer that a layer of the scene shows; l->count: it shows none. */
uint32_t cli_layers_shown(const cli_layers *l, const lvl_scene_layer *layer);

#endif
