/*
 * cli/convert.h: the plan of a conversion, made by convert_plan.c and carried out by cmd_convert.c.
 */
#ifndef LVL_CLI_CONVERT_H
#define LVL_CLI_CONVERT_H

#include "cli/cli.h"

typedef enum cli_target {
    TO_PNG,
    TO_JSON,
    TO_MAP, /* of Tiled */
    TO_WORLD, /* of Tiled: names of maps */
    TO_FORMAT,
    TO_SAME
} cli_target;

typedef struct cli_links cli_links;

typedef struct cli_convert {
    cli_target to;
    const lvl_format *format; /* TO_FORMAT */
    const char *form; /* TO_FORMAT: its name, or its format's; NULL: the format has none */
    bool exact; /* exactly that form, not any form of the format */
    bool named; /* by --to, not by an ending */
    bool by_form; /* by the name of a form, which pictures do not have */
    bool json; /* TO_MAP: TMJ */
    bool restructure; /* there are options that change existing documents */
    lvl_draw_options draw_options;
    char ending[16];
    cli_output output;
    bool has_palette;
    lvl_palette palette;
    lvl_doc *palette_doc; /* of --palette, if it has more than colours */
    lvl_buffer palette_file;
    lvl_doc *like_doc; /* of --like */
    lvl_buffer like_file;
    lvl_image tileset; /* of --tileset */
    int32_t at[2]; /* of --at */
    uint32_t scale_down; /* of --scale 1/N; 0: not given */
    cli_links *links; /* of a folder: the new names of the inputs, for links to them; else NULL */
    size_t relinked; /* how many were changed */
    cli_output as_it_is; /* of a file that is not converted, but has links to such */
    lvl_image *layers; /* of --and */
    char **layer_names;
} cli_convert;

/* Finds the format, form and ending for the name `to`; a usage error if there are none. */
int cli_target_find(cli *c, cli_convert *p, const char *to);
/* Whether pictures convert to the target; to levels of tiles only with --tileset. */
bool cli_takes_pictures(const cli *c, const cli_convert *p);
/* Parses the options and selects the target, once the inputs are known; returns the exit code. */
int cli_convert_plan(cli *c, cli_convert *p);
/* Reads the files of --palette, --tileset, --like and --and; returns the exit code. */
int cli_convert_load(cli *c, cli_convert *p);
/* Frees the plan's memory. */
void cli_convert_clear(const cli *c, cli_convert *p);
#define CLI_MAP_PICTURES ".tiles" /* ending of the folder with a map's pictures */

/* Reads the job's document from a map of Tiled (convert_tiled.c); false: reported. */
bool cli_read_map(cli_job *job, const cli_convert *p);
/* Whether a level that was made of a map may be saved: not in the place of a damaged one that it was made of and
 * that lacks more, since it would look whole; reports that, and damage that a new file does not show. */
bool cli_map_keeps_damage(cli_job *job, const cli_convert *p, lvl_bytes now);
/* Saves the document as a map of Tiled, with its pictures, or as a world of maps. */
void cli_write_map(cli_job *job, const cli_convert *p);
void cli_write_world(cli_job *job, const cli_convert *p);
/* Whether documents of the format convert to the target's form (links.c). */
bool cli_converts(const lvl_format *from, const cli_convert *p);
/* The names that the inputs get by their conversion (links.c); NULL without memory. */
cli_links *cli_links_new(const cli *c, const cli_convert *p);
void cli_links_free(cli_links *links);
/* With --rewrite-links: names in the document that are among them become the new ones; job->tag counts
 * them. Reports errors. */
lvl_status cli_links_apply(cli_job *job, lvl_doc *doc);
/* The file name without folder and ending, to be freed; NULL without memory. */
char *cli_stem_of(const char *path);

#endif
