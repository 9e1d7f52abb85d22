/*
 * wap32/wwd/tables.c: the tables of a level, its planes, tile properties and WapMap's trailer.
 */
#include "wap32/formats.h"

#include <lvl/wwd.h>

_Static_assert(offsetof(lvl_wwd, checksum_rule) == LVL_WWD_HEADER_SIZE, "lvl_wwd begins as the file does");
_Static_assert(offsetof(lvl_wwd, checksum) == 0x2EC && offsetof(lvl_wwd, prefix4) == 0x5D4, "lvl_wwd");
_Static_assert(offsetof(lvl_wwd_plane, z) == 0x90, "lvl_wwd_plane begins as the file does");
_Static_assert(offsetof(lvl_wwd_object, move_res_y) + 4 == LVL_WWD_OBJECT_SIZE, "lvl_wwd_object as well");

/* ---- names of flags and values ------------------------------------------------------------------------- */

static const lvl_name header_flags[] = {
    {LVL_WWD_USE_Z, "use_z",
     "Objects are drawn between the planes by their z; without it all of them follow the main plane."},
    {LVL_WWD_COMPRESS, "compress", "The main block is one zlib stream."},
    {0, NULL, NULL},
};

static const lvl_name plane_flags[] = {
    {LVL_WWD_PLANE_MAIN, "main", "The main plane: it has the objects, and its tiles act on them."},
    {LVL_WWD_PLANE_NO_DRAW, "no_draw", "The plane is not drawn."},
    {LVL_WWD_PLANE_WRAP_X, "wrap_x", "Tiles repeat to the left and right without end."},
    {LVL_WWD_PLANE_WRAP_Y, "wrap_y", "Tiles repeat up and down without end."},
    {LVL_WWD_PLANE_AUTO_TILE_SIZE, "auto_tile_size",
     "The game takes the tile size from the first tile's image."},
    {0, NULL, NULL},
};

static const lvl_name tile_types[] = {
    {LVL_WWD_TILE_SINGLE, "single", "One attribute for the whole tile."},
    {LVL_WWD_TILE_DOUBLE, "double", "One attribute inside a rectangle, another outside of it."},
    {LVL_WWD_TILE_MASK, "mask", "An attribute for each pixel."},
    {0, NULL, NULL},
};

static const lvl_name checksum_rules[] = {
    {LVL_WWD_CHECKSUM_GAME, "game", "As WapWorld and the Gruntz editor count."},
    {LVL_WWD_CHECKSUM_WAPMAP, "wapmap", "As WapMap counts: the editor's sum less 40."},
    {LVL_WWD_CHECKSUM_LIBWAP32, "libwap32", "As libwap32 counts: over the inflated block."},
    {LVL_WWD_CHECKSUM_OTHER, "other", "No known rule gives the number in the file; it is kept."},
    {0, NULL, NULL},
};

static const lvl_name block_types[] = {
    {0, "start", "First block: the trailer's size."},
    {1, "end", "Last block: the trailer's size, found from the end."},
    {2, "header", "Program and version that saved the level."},
    {3, "guides", "Guide lines."},
    {4, "favourites", "Marked places."},
    {0, NULL, NULL},
};

/* Gruntz: the names in its editor; only values up to 4 have the same meaning in both games. */
const lvl_name lvl_wwd_attributes[] = {
    {0x00, "clear", "Passable."},
    {0x01, "solid", "A wall from every side."},
    {0x02, "ground", "A floor from above, open from below."},
    {0x03, "climb", "A ladder: a floor for walkers, climbed through by climbers."},
    {0x04, "death", "Deadly."},
    {0x0A, "water", "Gruntz."},
    {0x0B, "arrow_a_up", "Gruntz: two-way arrows, set A."},
    {0x0C, "arrow_a_down", NULL},
    {0x0D, "arrow_a_left", NULL},
    {0x0E, "arrow_a_right", NULL},
    {0x0F, "arrow_b_up", "Gruntz: arrows, set B."},
    {0x10, "arrow_b_down", NULL},
    {0x11, "arrow_b_left", NULL},
    {0x12, "arrow_b_right", NULL},
    {0x13, "current_arrow", NULL},
    {0x1E, "gauntlet_rock_a", NULL},
    {0x1F, "gauntlet_rock_b", NULL},
    {0x20, "spikes", NULL},
    {0x21, "giant_rock", NULL},
    {0x22, "covered_powerup", NULL},
    {0x23, "revealed_powerup", NULL},
    {0x24, "sink_hazard", NULL},
    {0x33, "switch_a_down", NULL},
    {0x34, "switch_a_up", NULL},
    {0x35, "switch_b_down", NULL},
    {0x36, "switch_b_up", NULL},
    {0x37, "multi_switch_down", NULL},
    {0x38, "multi_switch_up", NULL},
    {0x39, "switch_c_down", NULL},
    {0x3A, "switch_c_up", NULL},
    {0x3B, "exclusive_switch_down", NULL},
    {0x3C, "exclusive_switch_up", NULL},
    {0x3D, "secret_switch_down", NULL},
    {0x3E, "secret_switch_up", NULL},
    {0x3F, "time_switch_down", NULL},
    {0x40, "time_switch_up", NULL},
    {0x41, "checkpoint_switch_down", NULL},
    {0x42, "checkpoint_switch_up", NULL},
    {0x5D, "checkpoint_pyramid_down", NULL},
    {0x5E, "checkpoint_pyramid_up", NULL},
    {0x5F, "white_pyramid_down", NULL},
    {0x60, "white_pyramid_up", NULL},
    {0x61, "orange_pyramid_down", NULL},
    {0x62, "orange_pyramid_up", NULL},
    {0x63, "black_pyramid_down", NULL},
    {0x64, "black_pyramid_up", NULL},
    {0x65, "green_pyramid_down", NULL},
    {0x66, "green_pyramid_up", NULL},
    {0x67, "red_pyramid_down", NULL},
    {0x68, "red_pyramid_up", NULL},
    {0x69, "purple_pyramid_down", NULL},
    {0x6A, "purple_pyramid_up", NULL},
    {0x6B, "water_bridge_down", NULL},
    {0x6C, "water_bridge_up", NULL},
    {0x6D, "death_bridge_down", NULL},
    {0x6E, "death_bridge_up", NULL},
    {0x6F, "crumble_water_bridge", NULL},
    {0x70, "crumble_death_bridge", NULL},
    {0x71, "toggle_water_bridge_down", NULL},
    {0x72, "toggle_water_bridge_up", NULL},
    {0x73, "toggle_death_bridge_down", NULL},
    {0x74, "toggle_death_bridge_up", NULL},
    {0x96, "hidden_powerup", NULL},
    {0x97, "gauntlet_brick_1", NULL},
    {0x98, "gauntlet_brick_2", NULL},
    {0x99, "gauntlet_brick_3", NULL},
    {0x9A, "ai_path_blocker", "Gruntz: computer players walk around it."},
    {0, NULL, NULL},
};

/* ---- tables -------------------------------------------------------------------------------------------- */

/* clang-format off */
#define WWD lvl_wwd
#define SLOT(m, at, ...) LVL_ROW_SLOT(WWD, m, #m, at, .prose = __VA_ARGS__)
#define INT(m, at, ...)  LVL_ROW_INT(WWD, m, #m, at, .prose = __VA_ARGS__)
#define UINT(m, at, ...) LVL_ROW_UINT(WWD, m, #m, at, .prose = __VA_ARGS__)
#define ZERO(T, m, at)   LVL_ROW(T, m, #m, LVL_INT, .role = LVL_UNKNOWN, .flags = LVL_F_HEX, .disk = (at), \
                                 .prose = "Always 0 in known files.")
#define OFFSET(T, m, at, ...) LVL_ROW(T, m, #m, LVL_INT, .role = LVL_DERIVED, .flags = LVL_F_HEX,            \
    .disk = (at),                                                                                            \
                                 .unit = "bytes", .prose = __VA_ARGS__)

static const lvl_field gap_fields[] = {
    LVL_ROW_BYTES(lvl_wwd_gap, bytes, "bytes", .prose = "The bytes themselves."),
};

static const lvl_table gap_table = {
    .name = "gap",
    .prose = "Bytes of the main block that belong to no record.",
    LVL_TABLE_OF(lvl_wwd_gap, gap_fields),
};

static const lvl_field wwd_fields[] = {
    UINT(header_size, 0x000,
        "Bytes of the header, which is where the main block begins. The game refuses a larger one.",
        .unit = "bytes", .def = LVL_WWD_HEADER_SIZE, .flags = LVL_F_HEX),
    ZERO(WWD, unknown_04, 0x004),
    LVL_ROW_FLAGS(WWD, flags, "flags", 0x008, header_flags, .prose = "How the level is drawn and stored.",
        .group = LVL_GROUP_BEHAVIOUR, .stored = LVL_WWD_COMPRESS),
    ZERO(WWD, unknown_0c, 0x00C),
    SLOT(name, 0x010,
        "Title. The first number in it is the base level, by which the game picks tiles and images (\"Claw "
        "- Level 3\").", .common = true, .use = LVL_USE_TITLE,
        .summary = {.show = LVL_SHOW_FILLED, .label = "title", .key = "title"}),
    SLOT(author, 0x050, "Author.", .common = true, .use = LVL_USE_AUTHOR,
        .summary = {.show = LVL_SHOW_FILLED, .label = "author"}),
    SLOT(birth, 0x090, "Date, in any form.", .use = LVL_USE_DATE,
        .summary = {.show = LVL_SHOW_FILLED, .label = "birth"}),
    SLOT(rez_file, 0x0D0, "Path of the game's archive on the maker's machine. For the editor."),
    SLOT(image_dir, 0x1D0,
        "Folder of the tiles in the archive (\"\\LEVEL1\\TILES\"). For the editor; "
        "Claw levels repeat the base level here.", .group = LVL_GROUP_LOOK),
    SLOT(pal_rez, 0x250, "Palette in the archive (\"\\LEVEL1\\PALETTES\\MAIN.PAL\"). For the editor.",
        .group = LVL_GROUP_LOOK),
    INT(start_x, 0x2D0, "Start of the player on the main plane.", .unit = "px",
        .group = LVL_GROUP_PLACE, .common = true, .summary = {.show = LVL_SHOW, .label = "x", .key = "x"},
        .roles = LVL_ROLE_START_X),
    INT(start_y, 0x2D4, "Start of the player on the main plane.", .unit = "px",
        .group = LVL_GROUP_PLACE, .common = true, .summary = {.show = LVL_SHOW, .label = "y", .key = "y"},
        .roles = LVL_ROLE_START_Y),
    LVL_ROW(WWD, unknown_2d8, "unknown_2d8", LVL_INT, .role = LVL_UNKNOWN, .disk = 0x2D8,
        .prose = "0; in some files the index of the main plane, probably the plane that the editor showed "
            "last. No game reads it."),
    LVL_ROW(WWD, planes_declared, "plane_count", LVL_INT, .role = LVL_DERIVED, .disk = 0x2DC,
        .prose = "Number of planes."),
    OFFSET(WWD, planes_offset, 0x2E0, "Where the plane headers are."),
    OFFSET(WWD, tile_properties_offset, 0x2E4, "Where the tile properties are."),
    OFFSET(WWD, inflated_size, 0x2E8,
        "Bytes of the main block when inflated; 0 when it is stored. The game loads nothing when a "
        "compressed level has another number here."),
    LVL_ROW(WWD, checksum, "checksum", LVL_INT, .role = LVL_DERIVED, .flags = LVL_F_HEX, .disk = 0x2EC,
        .prose = "Sum over the main block, by one of the rules. No game verifies it; "
            "Gruntz compares it between players to identify the level."),
    ZERO(WWD, unknown_2f0, 0x2F0),
    SLOT(launch_app, 0x2F4, "Program that the editor starts to try the level."),
    SLOT(image_set1, 0x374,
        "Folder of images (\"LEVEL1\\IMAGES\") of the image set names that begin with prefix1. "
        "For the editor.", .group = LVL_GROUP_LOOK),
    SLOT(image_set2, 0x3F4, "The same for prefix2.", .group = LVL_GROUP_LOOK),
    SLOT(image_set3, 0x474, "The same for prefix3.", .group = LVL_GROUP_LOOK),
    SLOT(image_set4, 0x4F4, "The same for prefix4.", .group = LVL_GROUP_LOOK),
    SLOT(prefix1, 0x574, "Beginning of the image set names (\"LEVEL\") that mean the folder image_set1.",
        .group = LVL_GROUP_LOOK),
    SLOT(prefix2, 0x594, "Beginning of the image set names that mean the folder image_set2.",
        .group = LVL_GROUP_LOOK),
    SLOT(prefix3, 0x5B4, "Beginning of the image set names that mean the folder image_set3.",
        .group = LVL_GROUP_LOOK),
    SLOT(prefix4, 0x5D4, "Beginning of the image set names that mean the folder image_set4.",
        .group = LVL_GROUP_LOOK),
    UINT(checksum_rule, LVL_NO_PLACE,
        "Rule by which the checksum is computed. Not stored: it follows from the checksum's value.",
        .names = checksum_rules, .stored = UINT64_MAX, .summary = {.show = LVL_SHOW, .order = 1}),
    LVL_ROW_LIST(WWD, planes, plane_count, "planes", &lvl_wwd_plane_table, lvl_wwd_plane,
                 .prose = "The planes, in drawing order from the back.", .roles = LVL_ROLE_LAYERS,
                 .summary = {.show = LVL_SHOW, .key = "plane_count", .items = "planes"}),
    LVL_ROW_RECORD(WWD, tile_header, "tile_header", LVL_NO_PLACE, &lvl_wwd_tile_header_table,
                   .prose = "The header of the tile properties."),
    LVL_ROW_LIST(WWD, tile_properties, tile_property_count, "tile_properties", &lvl_wwd_tile_property_table,
        lvl_wwd_tile_property, .flags = LVL_F_INDEXED,
        .prose = "Properties of the tiles of the main plane, by tile number.",
        .summary = {.show = LVL_SHOW, .label = "tile properties"}),
    LVL_ROW_LIST(WWD, wapmap, wapmap_count, "wapmap", &lvl_wwd_block_table, lvl_wwd_block,
                 .prose = "Blocks that WapMap appends after the main block. The game ignores them."),
    LVL_ROW_BYTES(WWD, trailing, "trailing",
        .prose = "Other bytes after the main block. The game ignores them.",
        .summary = {.show = LVL_SHOW_FILLED, .order = 1, .label = "trailing"}),
    LVL_ROW_LIST(WWD, gaps, gap_count, "gaps", &gap_table, lvl_wwd_gap, .role = LVL_KEPT,
        .prose = "Bytes of the main block that belong to no record. A new block begins with them."),
    LVL_ROW_BYTES(WWD, stream, "stream", .role = LVL_KEPT, .flags = LVL_F_STREAM,
        .prose = "The zlib stream of the file, which is written while it inflates to the records."),
};

const lvl_table lvl_wwd_table = {
    .name = "wwd",
    .prose = "A level. Its header takes 0x5F4 bytes; everything else is found by offsets.",
    LVL_TABLE_AS_ON_DISK(WWD, wwd_fields, LVL_WWD_HEADER_SIZE),
    .label = "name",
};

#undef INT
#undef UINT
#define PLANE lvl_wwd_plane
#define INT(m, at, ...)  LVL_ROW_INT(PLANE, m, #m, at, .prose = __VA_ARGS__)
#define UINT(m, at, ...) LVL_ROW_UINT(PLANE, m, #m, at, .prose = __VA_ARGS__)

static const lvl_cell_name tile_names[] = {
    {LVL_WWD_TILE_NONE, '.', "none", "Nothing is drawn; passable."},
    {LVL_WWD_TILE_FILLED, '#', "filled", "The fill colour is drawn; passable."},
    {0, 0, NULL, NULL},
};

static const lvl_field plane_fields[] = {
    UINT(header_size, 0x00, "Bytes of a plane header. The game refuses another number.", .unit = "bytes",
         .def = LVL_WWD_PLANE_SIZE),
    ZERO(PLANE, unknown_04, 0x04),
    LVL_ROW_FLAGS(PLANE, flags, "flags", 0x08, plane_flags,
        .prose = "Kind of plane. The original editor leaves garbage in bits 5 to 7, which no program reads.",
        .group = LVL_GROUP_BEHAVIOUR, .summary = {.show = LVL_SHOW_KEY, .order = 1, .label = ""}),
    ZERO(PLANE, unknown_0c, 0x0C),
    LVL_ROW_SLOT(PLANE, name, "name", 0x10, .prose = "The plane's name in the editor.", .common = true,
        .roles = LVL_ROLE_NAME,
        .summary = {.show = LVL_SHOW, .order = -1, .label = ""}),
    INT(width_px, 0x50, "Width of the plane. No game reads it.", .unit = "px", .role = LVL_DERIVED),
    INT(height_px, 0x54, "Height of the plane. No game reads it.", .unit = "px", .role = LVL_DERIVED),
    INT(tile_width, 0x58, "Width of a tile: a power of two, or the game draws it wrong.", .unit = "px",
        .def = 64, .min = 1, .max = 4096, .group = LVL_GROUP_PLACE, .roles = LVL_ROLE_CELL_WIDTH),
    INT(tile_height, 0x5C, "Height of a tile: a power of two, or the game draws it wrong.", .unit = "px",
        .def = 64, .min = 1, .max = 4096, .group = LVL_GROUP_PLACE, .roles = LVL_ROLE_CELL_HEIGHT),
    INT(tiles_wide, 0x60, "Columns of tiles.", .unit = "tiles", .role = LVL_DERIVED),
    INT(tiles_high, 0x64, "Rows of tiles.", .unit = "tiles", .role = LVL_DERIVED),
    INT(scroll_x, 0x68,
        "Scroll origin: where the plane's tiles begin to the side, scaled with the movement unless it is "
        "the main plane. 0 in known files.", .unit = "px", .group = LVL_GROUP_PLACE),
    INT(scroll_y, 0x6C, "Scroll origin from the top. 0 in known files.", .unit = "px",
        .group = LVL_GROUP_PLACE),
    INT(movement_x, 0x70,
        "How far the plane moves when the main plane moves: 50 is farther away, 150 nearer. "
        "The main plane always moves by 100.", .unit = "%", .def = 100, .group = LVL_GROUP_PLACE,
        .common = true, .summary = {.show = LVL_SHOW}, .roles = LVL_ROLE_PARALLAX_X),
    INT(movement_y, 0x74, "The same, up and down.", .unit = "%", .def = 100,
        .group = LVL_GROUP_PLACE, .common = true, .summary = {.show = LVL_SHOW},
        .roles = LVL_ROLE_PARALLAX_Y),
    INT(fill_color, 0x78, "Palette index of filled tiles; the game takes its low byte.", .max = 255,
        .group = LVL_GROUP_LOOK, .common = true),
    LVL_ROW(PLANE, image_sets_declared, "image_set_count", LVL_INT, .role = LVL_DERIVED, .disk = 0x7C,
            .prose = "Number of image sets."),
    LVL_ROW(PLANE, objects_declared, "object_count", LVL_INT, .role = LVL_DERIVED, .disk = 0x80,
            .prose = "Number of objects."),
    OFFSET(PLANE, tiles_offset, 0x84, "Where the tiles are."),
    OFFSET(PLANE, image_sets_offset, 0x88, "Where the image set names are."),
    OFFSET(PLANE, objects_offset, 0x8C, "Where the objects are; 0 when there are none."),
    INT(z, 0x90, "Depth in drawing order: objects with a smaller z are drawn before the plane.",
        .group = LVL_GROUP_PLACE, .common = true, .summary = {.show = LVL_SHOW, .label = "z"}),
    ZERO(PLANE, unknown_94, 0x94),
    ZERO(PLANE, unknown_98, 0x98),
    ZERO(PLANE, unknown_9c, 0x9C),
    LVL_ROW_TEXTS(PLANE, image_sets, image_set_count, "image_sets",
        .prose = "Names of the tile sets that its tiles are drawn from; a tile's high 16 bits pick one. "
            "The game never gets past the first, and splits a name at blanks, dots and hyphens.",
        .group = LVL_GROUP_LOOK, .common = true, .use = LVL_USE_TILESET, .roles = LVL_ROLE_PICTURE),
    LVL_ROW_CELLS(PLANE, tiles, "tiles", tile_names,
        .prose = "Tile numbers, row by row from the upper left corner.", .item_size = 4,
        .ref = "tile_properties", .group = LVL_GROUP_LOOK),
    LVL_ROW_LIST(PLANE, objects, object_count, "objects", &lvl_wwd_object_table, lvl_wwd_object,
                 .prose = "Objects on the plane. Editors put them on the main plane only.",
                 .roles = LVL_ROLE_OBJECTS,
                 .summary = {.show = LVL_SHOW}),
};

static const lvl_identity plane_identities[] = {
    {1, {offsetof(PLANE, name)}},
    {3, {offsetof(PLANE, movement_x), offsetof(PLANE, movement_y), offsetof(PLANE, z)}},
};

const lvl_table lvl_wwd_plane_table = {
    .name = "plane",
    .prose = "A grid of tiles with its own scrolling speed. One plane is the main plane, which has the "
        "objects.",
    LVL_TABLE_AS_ON_DISK(PLANE, plane_fields, LVL_WWD_PLANE_SIZE),
    .identities = plane_identities,
    .identity_count = LVL_COUNT_OF(plane_identities),
    .label = "name",
};

#define TILES lvl_wwd_tile_header
static const lvl_field tile_header_fields[] = {
    LVL_ROW_UINT(TILES, header_size, "header_size", 0x00,
        .prose = "Bytes of this header; 0: the file has no tile properties at all.", .unit = "bytes",
        .def = LVL_WWD_TILE_HEADER_SIZE),
    ZERO(TILES, unknown_04, 0x04),
    LVL_ROW(TILES, declared, "count", LVL_INT, .role = LVL_DERIVED, .disk = 0x08,
        .prose = "Number of tile properties."),
    ZERO(TILES, unknown_0c, 0x0C),
    ZERO(TILES, unknown_10, 0x10),
    ZERO(TILES, unknown_14, 0x14),
    ZERO(TILES, unknown_18, 0x18),
    ZERO(TILES, unknown_1c, 0x1C),
};

const lvl_table lvl_wwd_tile_header_table = {
    .name = "tile_header",
    .prose = "The header of the tile properties.",
    LVL_TABLE_AS_ON_DISK(TILES, tile_header_fields, LVL_WWD_TILE_HEADER_SIZE),
};

#define PROP      lvl_wwd_tile_property
#define IF(T, t)  .when = {offsetof(T, type), sizeof(((T *)0)->type), (uint64_t)1 << (t)}
static const lvl_field tile_property_fields[] = {
    LVL_ROW_UINT(PROP, type, "type", 0x00, .prose = "How the tile is described.", .names = tile_types,
                 .def = LVL_WWD_TILE_SINGLE, .group = LVL_GROUP_BEHAVIOUR, .common = true),
    ZERO(PROP, unknown_04, 0x04),
    LVL_ROW_UINT(PROP, width, "width", 0x08,
        .prose = "Width of the tile. Of a mask: its width, computed on writing.", .unit = "px", .def = 64,
        .group = LVL_GROUP_PLACE),
    LVL_ROW_UINT(PROP, height, "height", 0x0C,
        .prose = "Height of the tile. Of a mask: its height, computed on writing.", .unit = "px", .def = 64,
        .group = LVL_GROUP_PLACE),
    LVL_ROW_INT(PROP, attribute, "attribute", 0x10, .prose = "Attribute of the whole tile.",
        .names = lvl_wwd_attributes, IF(PROP, LVL_WWD_TILE_SINGLE),
        .group = LVL_GROUP_BEHAVIOUR, .common = true),
    LVL_ROW_INT(PROP, outside, "outside", 0x10, .prose = "Attribute outside of the rectangle.",
                .names = lvl_wwd_attributes, IF(PROP, LVL_WWD_TILE_DOUBLE),
        .group = LVL_GROUP_BEHAVIOUR, .common = true),
    LVL_ROW_INT(PROP, inside, "inside", 0x14, .prose = "Attribute inside of the rectangle.",
                .names = lvl_wwd_attributes, IF(PROP, LVL_WWD_TILE_DOUBLE),
        .group = LVL_GROUP_BEHAVIOUR, .common = true),
    LVL_ROW_RECORD(PROP, rect, "rect", 0x18, &lvl_wwd_rect_table,
        .prose = "The rectangle, from the tile's corner, right and bottom inclusive.",
        IF(PROP, LVL_WWD_TILE_DOUBLE), .group = LVL_GROUP_PLACE),
    LVL_ROW_CELLS(PROP, mask, "mask", NULL, .item_size = 1,
        .prose = "An attribute for each pixel. The game wants a square whose side is a power of two.",
        IF(PROP, LVL_WWD_TILE_MASK)),
};

const lvl_table lvl_wwd_tile_property_table = {
    .name = "tile_property",
    .prose = "How a tile acts on objects that touch it.",
    LVL_TABLE_AS_ON_DISK(PROP, tile_property_fields, 16),
};

/* ---- WapMap's trailer -------------------------------------------------------------------------------- */

static const lvl_field guide_fields[] = {
    LVL_ROW(lvl_wwd_guide, orientation, "orientation", LVL_INT, .disk = 0,
        .prose = "Direction of the line."),
    LVL_ROW_INT(lvl_wwd_guide, position, "position", 1, .prose = "Position.", .unit = "px"),
};

static const lvl_table guide_table = {
    .name = "guide",
    .prose = "A guide line.",
    LVL_TABLE_OF(lvl_wwd_guide, guide_fields),
    .disk_size = 5,
};

static const lvl_field favourite_fields[] = {
    LVL_ROW_TEXT(lvl_wwd_favourite, name, "name", .prose = "Its name."),
    LVL_ROW_INT(lvl_wwd_favourite, x, "x", LVL_NO_PLACE, .prose = "Position.", .unit = "px"),
    LVL_ROW_INT(lvl_wwd_favourite, y, "y", LVL_NO_PLACE, .prose = "Position.", .unit = "px"),
};

static const lvl_table favourite_table = {
    .name = "favourite",
    .prose = "A marked place.",
    LVL_TABLE_OF(lvl_wwd_favourite, favourite_fields),
    .label = "name",
};

#define BLOCK     lvl_wwd_block
enum { SIZED = 1 << 0 | 1 << 1, KNOWN = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 };
static const lvl_field block_fields[] = {
    LVL_ROW(BLOCK, type, "type", LVL_INT, .disk = LVL_NO_PLACE, .prose = "Kind of block.",
            .names = block_types),
    LVL_ROW(BLOCK, size, "size", LVL_INT, .role = LVL_DERIVED, .disk = LVL_NO_PLACE, .unit = "bytes",
            .when = {offsetof(BLOCK, type), 1, SIZED}, .prose = "Bytes of the whole trailer."),
    LVL_ROW(BLOCK, build, "build", LVL_INT, .disk = LVL_NO_PLACE, IF(BLOCK, 2),
        .prose = "WapMap's build number."),
    LVL_ROW_TEXT(BLOCK, version, "version", IF(BLOCK, 2), .prose = "WapMap's version.",
        .use = LVL_USE_PROGRAM,
        .summary = {.show = LVL_SHOW, .label = "WapMap", .key = "wapmap_version"}),
    LVL_ROW(BLOCK, map_build, "map_build", LVL_INT, .disk = LVL_NO_PLACE, IF(BLOCK, 2),
            .prose = "How often the level was saved."),
    LVL_ROW_TEXT(BLOCK, map_version, "map_version", IF(BLOCK, 2), .prose = "The level's version.",
        .summary = {.show = LVL_SHOW, .label = "its version", .key = "wapmap_map_version"}),
    LVL_ROW_TEXT(BLOCK, description, "description", IF(BLOCK, 2), .prose = "The level's description.",
        .use = LVL_USE_DESCRIPTION,
        .summary = {.show = LVL_SHOW_FILLED, .label = "described", .key = "wapmap_description"}),
    LVL_ROW_LIST(BLOCK, guides, guide_count, "guides", &guide_table, lvl_wwd_guide, IF(BLOCK, 3),
        .prose = "Guide lines."),
    LVL_ROW_LIST(BLOCK, favourites, favourite_count, "favourites", &favourite_table, lvl_wwd_favourite,
        IF(BLOCK, 4), .prose = "Marked places."),
    LVL_ROW_BYTES(BLOCK, payload, "payload", .when = {offsetof(BLOCK, type), 1, ~(uint64_t)KNOWN},
                  .prose = "The bytes of a block of unknown type."),
};
/* clang-format on */

const lvl_table lvl_wwd_block_table = {
    .name = "wapmap_block",
    .prose = "A block of the trailer that WapMap appends.",
    LVL_TABLE_OF(BLOCK, block_fields),
};
