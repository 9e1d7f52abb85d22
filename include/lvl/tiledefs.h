/*
 * lvl/tiledefs.h: the records of a list of tile definitions of Graal Online (`tiledefs*.txt`): which levels
 * use the tiles in which picture. lvl_doc_root of a document of format "tiledefs" is a lvl_tiledefs.
 *
 * Texts have one byte per character (usually windows-1252). Members may be assigned at any time. `source`
 * (role kept) is the file as it was read: lines whose content is unchanged are copied from it when the list
 * is written.
 */
#ifndef LVL_TILEDEFS_H
#define LVL_TILEDEFS_H

#include <lvl/doc.h>

#ifdef __cplusplus
extern "C" {
#endif

/* lvl_tiledef.type: how the tiles behave, or that the picture is only a part of a sheet. Other values are
 * read as CLASSIC. */
typedef enum lvl_tiledef_type {
    LVL_TILEDEF_CLASSIC = 0,
    LVL_TILEDEF_NEW_WORLD = 1,
    LVL_TILEDEF_NEW_WORLD_2 = 2, /* the same */
    LVL_TILEDEF_PASTE = 4, /* pasted into the sheet at x, y */
    LVL_TILEDEF_NONE = 5 /* nothing blocks */
} lvl_tiledef_type;

/* lvl_tiledefs.line_end */
enum { LVL_TILEDEFS_LF, LVL_TILEDEFS_CRLF };

/* A line. Of the sheets whose `level_start` matches a level, the one with the longest is used, and of equal
 * ones the first; pasted pictures are pasted in order. */
typedef struct lvl_tiledef {
    lvl_text image; /* file name of the picture */
    lvl_text level_start; /* for levels whose name begins with this, in any case; empty: for all */
    int32_t type; /* lvl_tiledef_type */
    int32_t x, y; /* position of a pasted picture in the sheet, in px */
} lvl_tiledef;

typedef struct lvl_tiledefs {
    lvl_tiledef *defs;
    uint32_t def_count;
    uint8_t line_end; /* kept: LVL_TILEDEFS_LF … */
    lvl_text source; /* kept: the file as it was read; empty: none */
} lvl_tiledefs;

/* Tables of the above, for bindings. */
LVL_API extern const lvl_table lvl_tiledefs_table;
LVL_API extern const lvl_table lvl_tiledef_table;

#ifdef __cplusplus
}
#endif

#endif
