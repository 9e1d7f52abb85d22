/*
 * lvl/gmap.h: the records of a world map of Graal Online: which levels lie beside each other. lvl_doc_root of a document of format "gmap" is a
 * lvl_gmap, whether its file is a `.gmap` (it begins with GRMAP001) or a bigmap (only the rows of names, usually called `.txt`).
 *
 * Texts hold one byte a character (windows-1252 as a rule). Names of levels are file names without a folder and are compared without regard
 * to ASCII case. A cell of the map is a level of 64 by 64 tiles.
 *
 * Members may be assigned at any time. Members with role kept in the tables are spelling: they hold while reading them gives the content beside
 * them, and are dropped otherwise.
 */
#ifndef LVL_GMAP_H
#define LVL_GMAP_H

#include <lvl/doc.h>

#ifdef __cplusplus
extern "C" {
#endif

/* lvl_gmap.version */
typedef enum lvl_gmap_version {
    LVL_BIGMAP,  /* rows of names and nothing else */
    LVL_GRMAP001 /* keys and blocks */
} lvl_gmap_version;

/* lvl_gmap.line_end */
enum { LVL_GMAP_LF, LVL_GMAP_CRLF };

/* A row of names, west to east. An empty name is an empty cell. */
typedef struct lvl_gmap_row {
    lvl_text *names;
    uint32_t name_count;
    lvl_text line; /* kept */
} lvl_gmap_row;

/* A line of numbers. */
typedef struct lvl_gmap_numbers {
    double *values;
    uint32_t value_count;
    lvl_text line; /* kept */
} lvl_gmap_numbers;

typedef struct lvl_gmap {
    uint8_t version; /* lvl_gmap_version */
    /* Cells across and down. Derived: of the longest row and the number of rows, or the members below. */
    uint32_t width, height;
    lvl_gmap_row *rows; /* names of the levels, north to south; rows may differ in length */
    /* Where there are no rows: the size, and the name that those of the levels are made of; see lvl_gmap_level. */
    uint32_t generated_width, generated_height;
    lvl_text generated;
    lvl_text map_image, minimap_image; /* file names of pictures of the world */
    lvl_text tileset;                  /* an extension of another editor */
    uint8_t no_auto_mapping;           /* 1: the client doesn't draw its map by itself */
    uint8_t load_full_map;             /* 1: the server loads all levels when it starts */
    lvl_gmap_row *load_at_start;       /* those that it loads instead */
    double level_height, level_chaos;  /* of generated ground */
    lvl_gmap_numbers *height_map, *random_seeds;
    lvl_text *others; /* lines with a key that isn't known, or that a later line makes void */
    uint32_t row_count, load_count, height_count, seed_count, other_count;
    /* kept */
    uint8_t line_end; /* LVL_GMAP_LF … */
    uint8_t mark;     /* 1: begins with a UTF-8 byte order mark */
    uint8_t unended;  /* 1: the last line has no line end */
    lvl_text
        order; /* kinds of lines, "header width height names row*3 names_end", where they aren't as usual */
    lvl_text lines; /* lines of kind "line" in `order`, as in the file, separated by '\n' */
} lvl_gmap;

/* Tables of the above, for bindings. */
LVL_API extern const lvl_table lvl_gmap_table;
LVL_API extern const lvl_table lvl_gmap_row_table, lvl_gmap_numbers_table;

enum { LVL_GMAP_NAME = 512 }; /* bytes of a buffer that any generated name fits into */

/* The name of the level at column x of row y: from `rows`, or generated, and then written to `buf` (LVL_GMAP_NAME bytes, not NUL-ended).
 * Empty: no level is there. Generated names are made of `generated` ("world_aa-01.nw"): what is before its last '_', that, two letters for
 * the column, '-', two digits for the row counted from 1, and the ending; a name without '_' gives none. */
LVL_API lvl_text lvl_gmap_level(const lvl_gmap *map, uint32_t x, uint32_t y, char *buf);
/* Where a level lies, by name without regard to case; false if it doesn't. The first place, by rows. */
LVL_API bool lvl_gmap_find(const lvl_gmap *map, lvl_text name, uint32_t *x, uint32_t *y);

#ifdef __cplusplus
}
#endif

#endif
