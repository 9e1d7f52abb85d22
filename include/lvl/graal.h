/*
 * lvl/graal.h: the records of a level of Zelda Online and Graal Online, in any of its forms: the binary ones
 * (`.zelda`, `.graal`: Z3-V1.02 to GR-V1.05) and the text one (`.nw`: GLEVNW01). lvl_doc_root of a document
 * of format "graal" (binary) or "nw" (text) is a lvl_graal.
 *
 * All forms share the records, so an engine uses one set of fields for all of them. A board is 64 by 64 tiles
 * of 16 px; positions are in tiles from its top left corner. Texts have one byte per character (usually
 * windows-1252) and '\n' between lines, whatever the file has. Scripts (`say 3`) and chests refer to a sign
 * by its index.
 *
 * Members may be assigned at any time. The spelling of a level is the file that it was read from (`source` of
 * a text level, `file` of a binary one): lines and parts whose content is unchanged are copied from it when
 * the level is written.
 */
#ifndef LVL_GRAAL_H
#define LVL_GRAAL_H

#include <lvl/doc.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LVL_GRAAL_SIDE = 64, /* width and height of a board, in tiles */
    LVL_GRAAL_TILE = 16, /* width and height of a tile, in px */
    LVL_GRAAL_HEIGHTS = 81, /* 9 by 9 */
    LVL_GRAAL_ABSENT = 0xFFFF /* a cell that is not in the file (missing rows, a truncated tile block, layers
                                 above the board) */
};

/* lvl_graal.version: the version in the file's header, in this order. */
typedef enum lvl_graal_version {
    LVL_Z3_V1_02, /* 11-bit tiles; known only from the first loader */
    LVL_Z3_V1_03, /* 12-bit */
    LVL_Z3_V1_04, /* + verses */
    LVL_GR_V1_00, /* + NPCs */
    LVL_GR_V1_01, /* + chests */
    LVL_GR_V1_02, /* 13-bit, ten types of baddy */
    LVL_GR_V1_03, /* + expressions in links; the last version with known real files */
    LVL_GR_V1_04, /* + heights */
    LVL_GR_V1_05, /* + several layers */
    LVL_GLEVNW01, /* text */
    LVL_GRAAL_VERSIONS
} lvl_graal_version;

/* lvl_graal.line_end */
enum { LVL_NW_LF, LVL_NW_CRLF };

typedef struct lvl_graal_layer {
    uint32_t number; /* 0: the board itself */
    /* 64 by 64 cells of two bytes; a cell is the tile's index in the tileset, or LVL_GRAAL_ABSENT. Above
     * layer 0, 4095 is drawn as nothing. */
    lvl_cells tiles;
} lvl_graal_layer;

/* A rectangle that leads a player to another level. */
typedef struct lvl_graal_link {
    lvl_text level; /* file name of the destination */
    double x, y, width, height; /* tiles */
    /* Where the player arrives: a number of tiles, or an expression ("playerx", "playery-38"); up to
     * GR-V1.02, "-1" keeps the coordinate. */
    lvl_text dest_x, dest_y;
    uint32_t layer, dest_layer;
} lvl_graal_link;

typedef struct lvl_graal_baddy {
    int32_t x, y; /* tiles */
    int32_t type; /* 0 … 9; -1: an unknown name */
    lvl_text attack, hurt, win; /* texts for when it sees the player, is hurt, wins */
    uint32_t layer;
} lvl_graal_baddy;

typedef struct lvl_graal_npc {
    double x, y; /* tiles; whole numbers from -32 to 223 in binary levels */
    lvl_text image; /* file name, or empty */
    lvl_text script; /* lines separated by '\n' */
    uint32_t layer;
} lvl_graal_npc;

typedef struct lvl_graal_chest {
    int32_t x, y; /* tiles */
    int32_t item; /* 0 … 24; -1: an unknown name */
    int32_t sign; /* index in `signs`; -1: none */
    uint32_t layer;
} lvl_graal_chest;

typedef struct lvl_graal_sign {
    int32_t x, y; /* tiles; the sign is 2 by 1 */
    /* Lines separated by '\n'. Symbols without a character are message codes ("#h" head, "#u" arrow up,
     * "#K(233)" …), see docs/formats. */
    lvl_text text;
    uint32_t layer;
} lvl_graal_sign;

/* TILESET and TILESETIMAGE lines of text levels, as other editors write them. */
typedef struct lvl_graal_tileset {
    uint8_t image; /* 1: TILESETIMAGE */
    lvl_text name; /* file name */
    lvl_text type; /* the words after the name, or empty */
} lvl_graal_tileset;

typedef struct lvl_graal {
    uint8_t version; /* lvl_graal_version */
    lvl_graal_layer *layers;
    lvl_graal_link *links;
    lvl_graal_baddy *baddies;
    lvl_graal_npc *npcs;
    lvl_graal_chest *chests;
    lvl_graal_sign *signs;
    lvl_graal_tileset *tilesets;
    double *heights; /* none, or 81: 9 rows of 9 */
    uint32_t layer_count, link_count, baddy_count, npc_count, chest_count, sign_count, tileset_count,
        height_count;
    /* kept, text levels */
    uint8_t line_end; /* LVL_NW_LF … */
    lvl_text source; /* the file as it was read */
    /* kept, binary levels */
    lvl_bytes file; /* the file as it was read */
} lvl_graal;

/* Tables of the above, for bindings. */
LVL_API extern const lvl_table lvl_graal_table;
LVL_API extern const lvl_table lvl_graal_layer_table, lvl_graal_link_table, lvl_graal_baddy_table,
    lvl_graal_npc_table, lvl_graal_chest_table, lvl_graal_sign_table, lvl_graal_tileset_table;

/* Append an item with default values, like lvl_list_append. Return it; NULL: out of memory. */
static inline lvl_graal_link *lvl_graal_add_link(lvl_doc *doc, lvl_graal *level)
{
    const uint32_t last = level->link_count;

    return lvl_list_append(doc, level, &lvl_graal_table, "links", last) ? &level->links[last] : NULL;
}
/* The level of a document, of either format, binary or text; NULL if it is something else. It lives as
 * long as the document. */
static inline lvl_graal *lvl_graal_of(lvl_doc *doc)
{
    return lvl_doc_format(doc)->table == &lvl_graal_table ? (lvl_graal *)lvl_doc_root(doc) : NULL;
}
static inline const lvl_graal *lvl_graal_cof(const lvl_doc *doc)
{
    return lvl_doc_format(doc)->table == &lvl_graal_table ? (const lvl_graal *)lvl_doc_croot(doc) : NULL;
}

static inline lvl_graal_npc *lvl_graal_add_npc(lvl_doc *doc, lvl_graal *level)
{
    const uint32_t last = level->npc_count;

    return lvl_list_append(doc, level, &lvl_graal_table, "npcs", last) ? &level->npcs[last] : NULL;
}
static inline lvl_graal_sign *lvl_graal_add_sign(lvl_doc *doc, lvl_graal *level)
{
    const uint32_t last = level->sign_count;

    return lvl_list_append(doc, level, &lvl_graal_table, "signs", last) ? &level->signs[last] : NULL;
}
static inline lvl_graal_baddy *lvl_graal_add_baddy(lvl_doc *doc, lvl_graal *level)
{
    const uint32_t last = level->baddy_count;

    return lvl_list_append(doc, level, &lvl_graal_table, "baddies", last) ? &level->baddies[last] : NULL;
}
static inline lvl_graal_chest *lvl_graal_add_chest(lvl_doc *doc, lvl_graal *level)
{
    const uint32_t last = level->chest_count;

    return lvl_list_append(doc, level, &lvl_graal_table, "chests", last) ? &level->chests[last] : NULL;
}

#ifdef __cplusplus
}
#endif

#endif
