/*
 * lvl/gmap.h: the records of a world map of Graal Online: a grid of levels. lvl_doc_root of a document of
 * format "gmap" is a lvl_gmap, whether its file is a `.gmap` (it begins with GRMAP001) or a bigmap (only the
 * rows of names, usually called `.txt`).
 *
 * Texts have one byte per character (usually windows-1252). Names of levels are file names without a folder
 * and are compared ignoring ASCII case. A cell of the map is a level of 64 by 64 tiles.
 *
 * Members may be assigned at any time. `source` (role kept) is the file as it was read: lines whose content
 * is unchanged are copied from it when the map is written.
 */
#ifndef LVL_GMAP_H
#define LVL_GMAP_H

#include <lvl/doc.h>

#ifdef __cplusplus
extern "C" {
#endif

/* lvl_gmap.version */
typedef enum lvl_gmap_version {
    LVL_BIGMAP, /* only rows of names */
    LVL_GRMAP001 /* keys and blocks */
} lvl_gmap_version;

/* lvl_gmap.line_end */
enum { LVL_GMAP_LF, LVL_GMAP_CRLF };

/* A row of names, west to east. An empty name is an empty cell. */
typedef struct lvl_gmap_row {
    lvl_text *names;
    uint32_t name_count;
} lvl_gmap_row;

typedef struct lvl_gmap {
    uint8_t version; /* lvl_gmap_version */
    /* Size in levels. Derived: the length of the longest row, and the number of rows; without rows, the
     * numbers in the file. */
    uint32_t width, height;
    lvl_gmap_row *rows; /* names of the levels, north to south; rows may differ in length */
    lvl_text generated; /* for a map without rows: the name of its first level */
    lvl_text map_image, minimap_image; /* file names of pictures of the world */
    lvl_text tileset; /* an extension of another editor */
    uint8_t no_auto_mapping; /* 1: the client does not draw a map automatically */
    uint8_t load_full_map; /* 1: the server loads all levels when it starts */
    lvl_gmap_row *load_at_start; /* levels that it loads instead */
    lvl_text *others; /* lines with other keys, such as generated ground */
    uint32_t row_count, load_count, other_count;
    uint8_t line_end; /* kept: LVL_GMAP_LF … */
    lvl_text source; /* kept: the file as it was read; empty: none */
} lvl_gmap;

/* Tables of the above, for bindings. */
LVL_API extern const lvl_table lvl_gmap_table;
LVL_API extern const lvl_table lvl_gmap_row_table;

#ifdef __cplusplus
}
#endif

#endif
