/*
 * cli/convert.h: what `lvl convert` was asked for (convert_plan.c), for who does it (cmd_convert.c).
 */
#ifndef LVL_CLI_CONVERT_H
#define LVL_CLI_CONVERT_H

#include "cli/cli.h"

typedef enum cli_target {
    TO_PNG,
    TO_JSON,
    TO_MAP,   /* of Tiled */
    TO_WORLD, /* of Tiled: names of maps */
    TO_FORMAT,
    TO_SAME
} cli_target;

typedef struct cli_convert {
    cli_target to;
    const lvl_format *format; /* TO_FORMAT */
    const char *form;         /* TO_FORMAT: its name, or its format's; NULL: the format has none */
    bool exact;               /* that form, and not any of its format */
    bool named;               /* by --to, not by an ending */
    bool by_form;             /* by the form's own name, which only documents have */
    bool json;                /* TO_MAP: TMJ */
    bool restructure;         /* options for documents that there are already */
    lvl_draw_options draw_options;
    char ending[16];
    cli_output output;
    bool has_palette;
    lvl_palette palette;
    lvl_doc *palette_doc; /* that --palette names, where it is more than colours */
    lvl_buffer palette_file;
    lvl_doc *like_doc; /* of --like */
    lvl_buffer like_file;
    lvl_image tileset;   /* of --tileset */
    int32_t at[2];       /* of --at */
    uint32_t scale_down; /* of --scale 1/N; 0: not given */
    lvl_image *layers;   /* of --and */
    char **layer_names;
} cli_convert;

/* Finds the format, form and ending that are called `to`; EXIT_USAGE, with a message: there are none. */
int cli_target_find(cli *c, cli_convert *p, const char *to);
/* Whether pictures become such files: levels of tiles only with a tileset. */
bool cli_takes_pictures(const cli *c, const cli_convert *p);
/* Takes the options, and what is to be made: by --to, or by the ending of -o. After the inputs are known.
 * Answers the exit code. */
int cli_convert_plan(cli *c, cli_convert *p);
/* Reads the files that --palette and --and name. */
int cli_convert_load(cli *c, cli_convert *p);
/* Frees what these took. */
void cli_convert_clear(const cli *c, cli_convert *p);
#define CLI_MAP_PICTURES ".tiles" /* what the name of a folder with a map's pictures ends with */

/* The document of a job whose bytes are a map of Tiled (convert_tiled.c); false: it has none, and says why.
 */
bool cli_read_map(cli_job *job, const cli_convert *p);
/* Saves the document as a map of Tiled, with its pictures; or as a world of maps. */
void cli_write_map(cli_job *job, const cli_convert *p);
void cli_write_world(cli_job *job, const cli_convert *p);
/* A file's name without folders and ending, to be freed; NULL without memory. */
char *cli_stem_of(const char *path);

#endif
