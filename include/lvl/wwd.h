/*
 * lvl/wwd.h: the records of a WWD (Wap World Document), the level file of the WAP32 engine: Claw, Gruntz, Get
 * Medieval.
 *
 * lvl_doc_root of a document of format "wwd" is a lvl_wwd, whose members are used directly:
 * `wwd->planes[0].objects[3].x`. Its structs begin with the bytes of the file. Members may be assigned, but
 * counts, sizes, offsets and the checksum (role derived in the tables) are computed when the document is
 * written. Texts and cells are views into the document's memory and live as long as the document.
 *
 * A file: header (0x5F4 bytes), then the main block, stored or as one zlib stream, then an optional trailer.
 * The main block: plane headers; tiles of each plane; image set names of each plane; objects of each plane;
 * tile properties. Offsets count from the start of the file as it would be if the main block were stored. All
 * numbers are little-endian.
 */
#ifndef LVL_WWD_H
#define LVL_WWD_H

#include <lvl/doc.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LVL_WWD_HEADER_SIZE = 0x5F4,
    LVL_WWD_PLANE_SIZE = 160,
    LVL_WWD_OBJECT_SIZE = 284,
    LVL_WWD_TILE_HEADER_SIZE = 32,
    LVL_WWD_STRING_MAX = 1023 /* the game copies an object's strings into buffers of 1024 bytes */
};

enum { /* lvl_wwd.flags */
       LVL_WWD_USE_Z = 1,
       LVL_WWD_COMPRESS = 2
};

enum { /* lvl_wwd_plane.flags; the original editor leaves garbage in bits 5 to 7 */
       LVL_WWD_PLANE_MAIN = 0x01,
       LVL_WWD_PLANE_NO_DRAW = 0x02,
       LVL_WWD_PLANE_WRAP_X = 0x04,
       LVL_WWD_PLANE_WRAP_Y = 0x08,
       LVL_WWD_PLANE_AUTO_TILE_SIZE = 0x10,
       LVL_WWD_PLANE_FLAGS = 0x1F
};

enum { /* lvl_wwd_object.draw_flags */
       LVL_WWD_DRAW_HIDDEN = 1,
       LVL_WWD_DRAW_MIRROR = 2,
       LVL_WWD_DRAW_INVERT = 4,
       LVL_WWD_DRAW_FLASH = 8
};

#define LVL_WWD_TILE_NONE   0xFFFFFFFFu /* not drawn */
#define LVL_WWD_TILE_FILLED 0xEEEEEEEEu /* the plane's fill colour is drawn */

enum { /* lvl_wwd_tile_property.type */
       LVL_WWD_TILE_SINGLE = 1,
       LVL_WWD_TILE_DOUBLE = 2,
       LVL_WWD_TILE_MASK = 3
};

enum { /* lvl_wwd.checksum_rule */
       LVL_WWD_CHECKSUM_GAME, /* WapWorld and the Gruntz editor */
       LVL_WWD_CHECKSUM_WAPMAP, /* WapMap, every version */
       LVL_WWD_CHECKSUM_LIBWAP32, /* libwap32: over the inflated block */
       LVL_WWD_CHECKSUM_OTHER /* no rule gives the number in the file, which is kept */
};

typedef struct lvl_wwd_rect {
    int32_t left, top, right, bottom;
} lvl_wwd_rect;

/* An object: 284 bytes as in the file, and its four texts. */
typedef struct lvl_wwd_object {
    int32_t id;
    uint32_t name_size, logic_size, image_set_size, animation_size; /* derived */
    int32_t x, y, z, i;
    uint32_t add_flags, dynamic_flags, draw_flags, user_flags;
    int32_t score, points, powerup, damage, smarts, health;
    lvl_wwd_rect move_rect, hit_rect, attack_rect, clip_rect, user_rect1, user_rect2;
    int32_t user1, user2, user3, user4, user5, user6, user7, user8;
    int32_t min_x, min_y, max_x, max_y;
    int32_t speed_x, speed_y, tweak_x, tweak_y;
    int32_t counter, speed, width, height;
    int32_t direction, face_direction, time_delay, frame_delay;
    uint32_t object_type, hit_type;
    int32_t move_res_x, move_res_y;
    /* 284 bytes up to here */
    lvl_text name, logic, image_set, animation;
} lvl_wwd_object;

/* A plane: 160 bytes as in the file, and the data that its offsets point to. */
typedef struct lvl_wwd_plane {
    uint32_t header_size; /* 160 */
    uint32_t unknown_04;
    uint32_t flags;
    uint32_t unknown_0c;
    char name[64];
    int32_t width_px, height_px; /* derived */
    int32_t tile_width, tile_height;
    int32_t tiles_wide, tiles_high; /* derived from tiles.width and tiles.height */
    int32_t scroll_x, scroll_y;
    int32_t movement_x, movement_y;
    int32_t fill_color;
    uint32_t image_sets_declared, objects_declared; /* derived */
    uint32_t tiles_offset, image_sets_offset, objects_offset; /* derived */
    int32_t z;
    uint32_t unknown_94, unknown_98, unknown_9c;
    /* 160 bytes up to here */
    lvl_cells tiles; /* 4 bytes a cell */
    uint32_t image_set_count;
    uint32_t object_count;
    lvl_text *image_sets;
    lvl_wwd_object *objects;
} lvl_wwd_plane;

/* The 32 bytes before the tile properties. */
typedef struct lvl_wwd_tile_header {
    uint32_t header_size; /* 32; 0: the file has no table */
    uint32_t unknown_04;
    uint32_t declared; /* derived: the number of properties */
    uint32_t unknown_0c, unknown_10, unknown_14, unknown_18, unknown_1c;
} lvl_wwd_tile_header;

/* How a tile acts on objects that touch it; `type` determines which members apply. */
typedef struct lvl_wwd_tile_property {
    uint32_t type;
    uint32_t unknown_04;
    uint32_t width, height;
    /* 16 bytes up to here */
    int32_t attribute; /* single */
    int32_t outside, inside; /* double */
    lvl_wwd_rect rect; /* double */
    lvl_cells mask; /* mask: one byte a cell */
} lvl_wwd_tile_property;

/* A guide line that WapMap shows. */
typedef struct lvl_wwd_guide {
    uint8_t orientation;
    int32_t position;
} lvl_wwd_guide;

/* A bookmark of WapMap. */
typedef struct lvl_wwd_favourite {
    lvl_text name;
    int32_t x, y;
} lvl_wwd_favourite;

/* A block of WapMap's trailer; `type` determines which members apply. */
typedef struct lvl_wwd_block {
    uint8_t type; /* 0 start, 1 end, 2 header, 3 guides, 4 favourites */
    uint32_t size; /* start, end: bytes of the whole trailer; derived */
    uint32_t build; /* header: WapMap's */
    lvl_text version; /* header: WapMap's */
    uint32_t map_build; /* header: the level's */
    lvl_text map_version; /* header: the level's */
    lvl_text description; /* header */
    uint32_t guide_count; /* guides */
    lvl_wwd_guide *guides;
    uint32_t favourite_count; /* favourites */
    lvl_wwd_favourite *favourites;
    lvl_bytes payload; /* other types: the block's bytes */
} lvl_wwd_block;

/* Bytes of the main block that do not belong to a record. A new block begins with them. */
typedef struct lvl_wwd_gap {
    lvl_bytes bytes;
} lvl_wwd_gap;

/* A level: the header's 0x5F4 bytes as in the file, and the data that it points to. */
typedef struct lvl_wwd {
    uint32_t header_size; /* 0x5F4 */
    uint32_t unknown_04;
    uint32_t flags;
    uint32_t unknown_0c;
    char name[64], author[64], birth[64];
    char rez_file[256], image_dir[128], pal_rez[128];
    int32_t start_x, start_y;
    uint32_t unknown_2d8;
    uint32_t planes_declared; /* derived */
    uint32_t planes_offset, tile_properties_offset; /* derived */
    uint32_t inflated_size; /* derived; 0 when stored */
    uint32_t checksum; /* derived by checksum_rule */
    uint32_t unknown_2f0;
    char launch_app[128];
    char image_set1[128], image_set2[128], image_set3[128], image_set4[128];
    char prefix1[32], prefix2[32], prefix3[32], prefix4[32];
    /* 0x5F4 bytes up to here */
    uint32_t checksum_rule; /* LVL_WWD_CHECKSUM_… */
    uint32_t plane_count;
    lvl_wwd_plane *planes;
    lvl_wwd_tile_header tile_header;
    uint32_t tile_property_count;
    lvl_wwd_tile_property *tile_properties;
    uint32_t wapmap_count;
    lvl_wwd_block *wapmap; /* WapMap's trailer */
    lvl_bytes trailing; /* other bytes after the main block */
    /* kept: the original spelling, written as long as reading it gives the records above */
    lvl_bytes stream; /* the zlib stream; or a stored block in an unusual layout */
    uint32_t gap_count;
    lvl_wwd_gap *gaps;
} lvl_wwd;

LVL_API extern const lvl_table lvl_wwd_table;
LVL_API extern const lvl_table lvl_wwd_plane_table;
LVL_API extern const lvl_table lvl_wwd_object_table;
LVL_API extern const lvl_table lvl_wwd_rect_table;
LVL_API extern const lvl_table lvl_wwd_tile_header_table;
LVL_API extern const lvl_table lvl_wwd_tile_property_table;
LVL_API extern const lvl_table lvl_wwd_block_table;
/* Names of tile attributes, first Claw's, then those of Gruntz; ended by a NULL name. */
LVL_API extern const lvl_name lvl_wwd_attributes[];

/* The level of a document, or NULL if it is of another format. */
static inline lvl_wwd *lvl_wwd_of(lvl_doc *doc)
{
    return lvl_doc_format(doc)->table == &lvl_wwd_table ? (lvl_wwd *)lvl_doc_root(doc) : NULL;
}
static inline const lvl_wwd *lvl_wwd_cof(const lvl_doc *doc)
{
    return lvl_doc_format(doc)->table == &lvl_wwd_table ? (const lvl_wwd *)lvl_doc_croot(doc) : NULL;
}
/* The main plane (the first with the flag), or NULL if there is none; `index` (may be NULL) gets its
 * index. */
LVL_API const lvl_wwd_plane *lvl_wwd_main_plane(const lvl_wwd *wwd, uint32_t *index);
/* The same, to be edited. */
static inline lvl_wwd_plane *lvl_wwd_edit_main_plane(lvl_wwd *wwd)
{
    uint32_t index;

    return lvl_wwd_main_plane(wwd, &index) ? &wwd->planes[index] : NULL;
}
/* Like lvl_list_append; returns the new item, to be filled; NULL: out of memory. */
static inline lvl_wwd_object *lvl_wwd_add_object(lvl_doc *doc, lvl_wwd_plane *plane)
{
    const uint32_t last = plane->object_count;

    return lvl_list_append(doc, plane, &lvl_wwd_plane_table, "objects", last) ? &plane->objects[last] : NULL;
}

typedef enum lvl_wwd_game {
    LVL_WWD_GAME_UNKNOWN,
    LVL_WWD_CLAW,
    LVL_WWD_GRUNTZ,
    LVL_WWD_MEDIEVAL
} lvl_wwd_game;

/* The game, judging by image_dir and the image sets (LEVELn, AREAn, DUNGEONn). */
LVL_API lvl_wwd_game lvl_wwd_game_of(const lvl_wwd *wwd);
/* The base level, which determines the game's tiles and images: the first number in the level's name; 0 if it
 * has none. */
LVL_API unsigned lvl_wwd_base_level(const lvl_wwd *wwd);

#ifdef __cplusplus
}
#endif

#endif
