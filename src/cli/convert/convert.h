/*
 * cli/convert/convert.h: the plan of a conversion, made by convert/target.c and carried out by cmd_convert.c,
 * for pictures by convert/picture.c, for maps of Tiled by convert/tiled.c.
 */
#ifndef LVL_CLI_CONVERT_H
#define LVL_CLI_CONVERT_H

#include "cli/cli.h"

typedef enum cli_convert_to {
    TO_PNG,
    TO_FILM, /* an animated GIF or PNG, by the ending */
    TO_JSON,
    TO_MAP, /* of Tiled */
    TO_WORLD, /* of Tiled: names of maps */
    TO_CSV, /* tables of the layers */
    TO_LDTK, /* the simple export of LDtk */
    TO_FORMAT,
    TO_EXPORT, /* what only some formats can be written as, one way (lvl_export) */
    TO_SAME
} cli_convert_to;

typedef struct cli_links cli_links;

typedef struct cli_convert {
    cli_convert_to to;
    const lvl_format *format; /* TO_FORMAT */
    const char *form; /* TO_FORMAT: its name, or its format's; NULL: the format has none */
    bool exact; /* exactly that form, not any form of the format */
    bool named; /* by --to, not by an ending */
    bool by_form; /* by the name of a form, which pictures do not have */
    bool json; /* TO_MAP: TMJ */
    size_t grey; /* pictures for which no palette was found */
    bool restructure; /* there are options that change existing documents */
    lvl_draw_options draw_options;
    char ending[CLI_ENDING];
    cli_output output;
    bool has_palette;
    lvl_palette palette;
    lvl_doc *palette_doc; /* of --palette, if it has more than colours */
    lvl_buffer palette_file;
    lvl_doc *like_doc; /* of --like */
    lvl_buffer like_file;
    lvl_image tileset; /* of --tileset */
    int32_t at[2]; /* of --at */
    uint32_t empty_is; /* of --empty-is */
    uint32_t scale_down; /* of --scale 1/N; 0: not given */
    cli_links *links; /* of a folder: the new names of the inputs, for links to them; else NULL */
    size_t relinked; /* how many were changed */
    cli_output as_it_is; /* of a file that is not converted, but has links to one that is */
    lvl_image *layers; /* of --and */
    char **layer_names;
} cli_convert;

/* Finds the format, form and ending for the name `to`; a usage error if there are none. */
int cli_target_find(cli *c, cli_convert *p, const char *to);
/* What documents of the format can be written as with that ending; NULL: nothing. */
const struct lvl_export *cli_export_of(const lvl_format *format, const char *ending);
/* Whether pictures convert to the target; to levels of tiles only with --tileset. */
bool cli_takes_pictures(const cli *c, const cli_convert *p);
/* Whether documents of the format are drawings: layers of pixels with swatches. */
bool cli_is_drawing(const lvl_format *format);
/* Whether the target is a picture, in a file of its own. */
bool cli_makes_pictures(const cli_convert *p);
/* Parses the options and selects the target, once the inputs are known; returns the exit code. */
int cli_convert_plan(cli *c, cli_convert *p);
/* Reads the files of --palette, --tileset, --like and --and; returns the exit code. */
int cli_convert_load(cli *c, cli_convert *p);
/* Frees the plan's memory. */
void cli_convert_clear(const cli *c, cli_convert *p);

/* ---- results (convert/result.c) ------------------------------------------------------------------------ */

/* LVL_ERR_LOSS for losses without --allow-loss. */
lvl_status cli_check_losses(const cli_job *job, lvl_status status);
/* Reports the result of a conversion, and its losses, which are in the job's findings. */
void cli_report_conversion(cli_job *job, const cli_convert *p, lvl_status status);
/* Serializes what was made, and verifies it; reports errors. */
lvl_status cli_write_made(cli_job *job, lvl_doc *made, lvl_buffer *out);
/* The input does not convert to the target: it is skipped if it was found in a folder, else the job fails
 * with the message. */
void cli_report_not_converted(cli_job *job, const char *fmt, ...) LVL_PRINTF(2, 3);

/* ---- options that change a document (convert/options.c) ------------------------------------------------ */

/* Applies the options that change an existing document; reports errors. */
lvl_status cli_convert_options(cli_job *job, const cli_convert *p);
/* Reports why the options cannot be applied: the job's findings. */
void cli_report_refusal(cli_job *job);

/* ---- pictures (convert/picture.c); all report errors --------------------------------------------------- */

lvl_status cli_document_to_png(cli_job *job, const cli_convert *p, lvl_buffer *out);
/* Sets *found to the palette of a picture without its own, found as its game does, and given back with
 * `art`. */
lvl_status cli_find_palette(cli_job *job, lvl_art **art, const lvl_palette **found);
/* From a document to a format that pictures convert to, by the picture it is. */
lvl_status cli_document_by_picture(cli_job *job, const cli_convert *p, lvl_buffer *out);
/* Converts a picture file of that kind ("PNG"). */
lvl_status cli_convert_picture(cli_job *job, const cli_convert *p, const char *kind, lvl_buffer *out);

/* Makes a document of the target's format from a picture, with these options, and serializes it. */
lvl_status cli_draw_picture(cli_job *job, const cli_convert *p, const lvl_image *image,
                            const lvl_draw_options *options, lvl_buffer *out);

/* ---- sheets (convert/sheet.c) --------------------------------------------------------------------------- */

/* `lvl convert --sheet`. */
int cli_convert_sheet(cli *c);
/* The path of the list of a sheet, to be freed: NAME.json beside NAME.png. NULL without memory. */
char *cli_list_beside(const char *picture);

/* ---- frames (convert/frames.c) -------------------------------------------------------------------------- */

/* *has: the job's bytes are several pictures for this target: a sheet with a list of its frames, one that
 * --slice cuts, or an animation. LVL_ERR_MEMORY, which is reported. */
lvl_status cli_has_frames(cli_job *job, const cli_convert *p, bool *has);
/* Says so if only the first frame of an animation is converted. LVL_ERR_MEMORY, which is reported. */
lvl_status cli_report_first_frame(cli_job *job, const cli_convert *p);
/* Makes what the target is of them: a file for each, or the layers of one drawing. Reports errors. */
void cli_convert_frames(cli_job *job, const cli_convert *p);

/* ---- maps of Tiled (convert/tiled.c) ------------------------------------------------------------------- */

#define CLI_MAP_PICTURES ".tiles" /* ending of the folder with a map's pictures */

/* Reads the job's document from a map of Tiled; false: reported. */
bool cli_read_map(cli_job *job, const cli_convert *p);
/* Whether a level that was made of a map may be saved: not over the damaged level that the map was made of,
 * since it would look whole; reports that, and damage that a new file does not show. */
bool cli_map_keeps_damage(cli_job *job, const cli_convert *p, lvl_bytes now);
/* Saves the document as a map of Tiled, with its pictures, or as a world of maps. */
void cli_write_map(cli_job *job, const cli_convert *p);
void cli_write_world(cli_job *job, const cli_convert *p);

/* ---- folders of pictures and tables (convert/layers.c, convert/ldtk.c) ---------------------------------- */

/* A CSV of each layer. */
void cli_write_csv(cli_job *job, const cli_convert *p);
/* Pictures of the layers, how they behave, and what is in them. */
void cli_write_ldtk(cli_job *job, const cli_convert *p);

/* ---- links (convert/links.c) --------------------------------------------------------------------------- */

/* Whether documents of the format convert to the target's form. */
bool cli_converts(const lvl_format *from, const cli_convert *p);
/* The names that the inputs get by their conversion; NULL without memory. */
cli_links *cli_links_new(const cli *c, const cli_convert *p);
void cli_links_free(cli_links *links);
/* With --rewrite-links: names in the document that are among them become the new ones; job->tag counts
 * them. Reports errors. */
lvl_status cli_links_apply(cli_job *job, lvl_doc *doc);
/* The file name without folder and ending, to be freed; NULL without memory. */
char *cli_stem_of(const char *path);

#define CLI_GREY "no palette found: the picture is grey; name one with --palette, or its folder with --art"

#endif
