/*
 * sketchy/model/tables.c: the tables of drawings, which levels and doodads of all generations share, and of
 * packs.
 */
#include "sketchy/model/shape.h"

#define LEVEL     (UINT64_C(1) << LVL_SKETCHY_LEVEL)
#define DOODAD    (UINT64_C(1) << LVL_SKETCHY_DOODAD)
#define WHEN(set) .when = {offsetof(lvl_sketchy, kind), 1, (set)}

/* clang-format off */
static const lvl_name kind_names[] = {
    {LVL_SKETCHY_LEVEL, "level", NULL}, {LVL_SKETCHY_DOODAD, "doodad", NULL}, {0, NULL, NULL},
};

static const lvl_name generation_names[] = {
    {LVL_SKETCHY_V1, "v1", "One JSON text."},
    {LVL_SKETCHY_V2, "v2", "The same, compressed by gzip."},
    {LVL_SKETCHY_V3, "v3", "A zip; each chunk of pixels is a member, in JSON."},
    {LVL_SKETCHY_V3_1, "v3.1",
        "A zip; chunks are binary lists of pixels. Read by every version of the game since 0.13."},
    {LVL_SKETCHY_V4, "v4", "A zip; chunks are runs. The smallest; the newest release shows it as blank."},
    {0, NULL, NULL},
};

static const lvl_name encoding_names[] = {
    {LVL_SKETCHY_CHUNK_JSON, "json",
        "{\"type\":0,\"data\":{\"x,y\":index,…}}, x and y being px of the world; in the document (v1, "
        "v2) or a member chunks/LAYER/KEY.json (v3)."},
    {LVL_SKETCHY_CHUNK_BASE64, "base64",
        "{\"type\":0,\"data\":\"…\"}: base64 of a v3.1 .bin without its first byte. "
        "Written by some builds of the game."},
    {LVL_SKETCHY_CHUNK_MAP, "map",
        "chunks/LAYER/KEY.bin (v3.1): 0, the type, then x, y, index for each pixel, as varints; "
        "x and y zig-zag, px of the world."},
    {LVL_SKETCHY_CHUNK_RUNS, "runs",
        "chunks/LAYER/KEY.bin (v4): 1, the type, then index and count for each run, as varints, "
        "row by row over the chunk; 65535 is nothing, and what isn't there at the end is nothing."},
    {0, NULL, NULL},
};

static const lvl_name page_names[] = {
    {LVL_SKETCHY_UNBOUNDED, "unbounded", NULL},
    {LVL_SKETCHY_NO_NEGATIVE_SPACE, "no_negative_space", "Bounded at the top and on the left."},
    {LVL_SKETCHY_BOUNDED, "bounded", "Bounded on all sides, by bounded_width and bounded_height."},
    {LVL_SKETCHY_BORDERED, "bordered", "Draws and behaves as bounded."},
    {0, NULL, NULL},
};

static const lvl_name difficulty_names[] = {
    {-1, "peaceful", NULL}, {0, "normal", NULL}, {1, "hard", NULL}, {0, NULL, NULL},
};

static const lvl_name option_names[] = {
    {LVL_SKETCHY_BOOL, "bool", NULL}, {LVL_SKETCHY_STRING, "str", NULL}, {LVL_SKETCHY_INT, "int", NULL},
    {0, NULL, NULL},
};

static const lvl_cell_name pixel_names[] = {
    {LVL_SKETCHY_NONE, '.', "none", "Nothing is drawn here."}, {0, 0, NULL, NULL},
};

#define TEXT(T, m, ...) LVL_ROW_TEXT(T, m, #m, .prose = __VA_ARGS__)
#define INT(T, m, ...)  LVL_ROW_INT(T, m, #m, LVL_NO_PLACE, .prose = __VA_ARGS__)
#define BOOL(T, m, ...) LVL_ROW_UINT(T, m, #m, LVL_NO_PLACE, .max = 1, .prose = __VA_ARGS__)
#define FIELDS(T, list) .struct_size = sizeof(T), .fields = (list), .field_count = LVL_COUNT_OF(list)
#define KNOWN_BY(T, m)  .identities = (const lvl_identity[]){{1, {offsetof(T, m)}}}, .identity_count = 1
#define KEPT(T, m, k, ...) LVL_ROW(T, m, #m, k, .role = LVL_KEPT, .disk = LVL_NO_PLACE, __VA_ARGS__)

static const lvl_field point_fields[] = {
    INT(lvl_sketchy_point, x, "To the right.", .unit = "px", .group = LVL_GROUP_PLACE, .common = true,
        .roles = LVL_ROLE_X),
    INT(lvl_sketchy_point, y, "Down.", .unit = "px", .group = LVL_GROUP_PLACE, .common = true,
        .roles = LVL_ROLE_Y),
};
const lvl_table lvl_sketchy_point_table = {
    .name = "point", .prose = "A place in the world.",
    FIELDS(lvl_sketchy_point, point_fields),
};

static const lvl_field rect_fields[] = {
    INT(lvl_sketchy_rect, x, "Left edge.", .unit = "px", .json = "X",
        .group = LVL_GROUP_PLACE, .common = true),
    INT(lvl_sketchy_rect, y, "Top edge.", .unit = "px", .json = "Y",
        .group = LVL_GROUP_PLACE, .common = true),
    INT(lvl_sketchy_rect, width, "Width.", .unit = "px", .json = "W",
        .group = LVL_GROUP_PLACE, .common = true),
    INT(lvl_sketchy_rect, height, "Height.", .unit = "px", .json = "H",
        .group = LVL_GROUP_PLACE, .common = true),
};
const lvl_table lvl_sketchy_rect_table = {
    .name = "rect", .prose = "A rectangle.",
    FIELDS(lvl_sketchy_rect, rect_fields),
};

static const lvl_field swatch_fields[] = {
    TEXT(lvl_sketchy_swatch, name, "Name in the editor; need not be unique.",
        .group = LVL_GROUP_LOOK, .common = true,
        .summary = {.show = LVL_SHOW, .label = ""}),
    TEXT(lvl_sketchy_swatch, color,
        "\"#rrggbb\"; '#' optional, 3, 6 or 8 hexadecimal digits. The game drops an alpha on saving.",
        .group = LVL_GROUP_LOOK, .common = true, .roles = LVL_ROLE_COLOR,
        .summary = {.show = LVL_SHOW, .label = ""}),
    TEXT(lvl_sketchy_swatch, pattern,
        "File name of a picture that it is drawn with (\"noise.png\"), or empty.", .group = LVL_GROUP_LOOK,
        .use = LVL_USE_PICTURE,
        .summary = {.show = LVL_SHOW_FILLED, .label = ""}),
    BOOL(lvl_sketchy_swatch, solid, "Blocks.", .json = "solid?",
        .group = LVL_GROUP_BEHAVIOUR, .common = true,
        .summary = {.show = LVL_SHOW_FILLED}),
    BOOL(lvl_sketchy_swatch, semisolid, "Solid from above, passable from below.", .json = "semisolid?",
        .group = LVL_GROUP_BEHAVIOUR, .common = true,
        .summary = {.show = LVL_SHOW_FILLED}),
    BOOL(lvl_sketchy_swatch, fire, "Deadly.", .json = "fire?",
        .group = LVL_GROUP_BEHAVIOUR, .common = true,
        .summary = {.show = LVL_SHOW_FILLED}),
    BOOL(lvl_sketchy_swatch, water, "Characters swim in it.", .json = "water?",
        .group = LVL_GROUP_BEHAVIOUR, .common = true,
        .summary = {.show = LVL_SHOW_FILLED}),
    BOOL(lvl_sketchy_swatch, slippery, "Characters slide on it.", .json = "slippery?",
        .group = LVL_GROUP_BEHAVIOUR, .common = true,
        .summary = {.show = LVL_SHOW_FILLED}),
};
static const lvl_identity swatch_identities[] = {
    {2, {offsetof(lvl_sketchy_swatch, name), offsetof(lvl_sketchy_swatch, color)}},
    {1, {offsetof(lvl_sketchy_swatch, name)}},
    {1, {offsetof(lvl_sketchy_swatch, color)}},
};
const lvl_table lvl_sketchy_swatch_table = {
    .name = "swatch", .prose = "A colour of the palette and how it behaves. Pixels mean it by its index.",
    FIELDS(lvl_sketchy_swatch, swatch_fields), .label = "name", .identities = swatch_identities,
    .identity_count = LVL_COUNT_OF(swatch_identities),
};

static const lvl_field chunk_fields[] = {
    TEXT(lvl_sketchy_chunk, key, "Which chunk it is: its column and row (\"3,-1\")."),
    LVL_ROW(lvl_sketchy_chunk, x, "x", LVL_INT, .role = LVL_DERIVED, .flags = LVL_F_SIGNED,
        .disk = LVL_NO_PLACE, .roles = LVL_ROLE_X,
            .prose = "Column: the chunk begins at x times the layer's size in the world."),
    LVL_ROW(lvl_sketchy_chunk, y, "y", LVL_INT, .role = LVL_DERIVED, .flags = LVL_F_SIGNED,
        .disk = LVL_NO_PLACE, .prose = "Row, likewise.", .roles = LVL_ROLE_Y),
    LVL_ROW_UINT(lvl_sketchy_chunk, encoding, "encoding", LVL_NO_PLACE, .flags = LVL_F_FORM,
        .names = encoding_names, .prose = "How its pixels are stored."),
    LVL_ROW(lvl_sketchy_chunk, pixels, "pixels", LVL_CELLS, .flags = LVL_F_LATE | LVL_F_FOLLOWS,
        .disk = LVL_NO_PLACE, .cell_names = pixel_names,
            .item_size = 2, .ref = "swatches", .prose = "Indices in the palette, row by row."),
};
const lvl_table lvl_sketchy_chunk_table = {
    .name = "chunk", .prose = "A square of pixels.",
    FIELDS(lvl_sketchy_chunk, chunk_fields), .label = "key", KNOWN_BY(lvl_sketchy_chunk, key),
};

static const lvl_field layer_fields[] = {
    TEXT(lvl_sketchy_layer, name, "Name for scripts; the one layer of a level has none.", .json = "|name",
        .roles = LVL_ROLE_NAME,
        .summary = {.show = LVL_SHOW, .label = ""}),
    LVL_ROW_UINT(lvl_sketchy_layer, size, "size", LVL_NO_PLACE, .unit = "px", .def = LVL_SKETCHY_CHUNK_SIZE,
        .min = 1, .max = 255, .json = "size|chunks.size", .prose = "Width and height of a chunk.",
        .roles = LVL_ROLE_CELL_WIDTH | LVL_ROLE_CELL_HEIGHT,
        .summary = {.show = LVL_SHOW, .label = "chunks of", .key = "chunk_size"}),
    LVL_ROW_LIST(lvl_sketchy_layer, chunks, chunk_count, "chunks", &lvl_sketchy_chunk_table,
        lvl_sketchy_chunk, .flags = LVL_F_UNORDERED, .json = "chunks|chunks.chunks",
                 .prose = "Its chunks; where there is none nothing is drawn.",
        .summary = {.show = LVL_SHOW}),
};
const lvl_table lvl_sketchy_layer_table = {
    .name = "layer", .prose = "A drawing of chunks; a doodad has one for each of its frames.",
    FIELDS(lvl_sketchy_layer, layer_fields), .label = "name", KNOWN_BY(lvl_sketchy_layer, name),
};

static const lvl_field option_fields[] = {
    TEXT(lvl_sketchy_option, name, "Name for scripts."),
    LVL_ROW_UINT(lvl_sketchy_option, type, "type", LVL_NO_PLACE, .names = option_names,
        .prose = "Type of its value."),
    TEXT(lvl_sketchy_option, value, "The value, of a doodad the default: \"true\", \"12\", or a text.",
        .json = "value|default"),
};
const lvl_table lvl_sketchy_option_table = {
    .name = "option", .prose = "A setting of a doodad that levels may change for each actor.",
    FIELDS(lvl_sketchy_option, option_fields), .label = "name", KNOWN_BY(lvl_sketchy_option, name),
};

static const lvl_field actor_fields[] = {
    TEXT(lvl_sketchy_actor, id,
        "Id, by which links name it. Actors are drawn in the order of their ids.", .json = "",
        .roles = LVL_ROLE_ID),
    TEXT(lvl_sketchy_actor, filename, "File name of its doodad.", .group = LVL_GROUP_LOOK, .common = true,
        .use = LVL_USE_DOODAD, .roles = LVL_ROLE_NAME | LVL_ROLE_PICTURE),
    LVL_ROW_RECORD(lvl_sketchy_actor, point, "point", LVL_NO_PLACE, &lvl_sketchy_point_table,
        .prose = "Top left corner of its picture.", .group = LVL_GROUP_PLACE, .common = true),
    LVL_ROW_TEXTS(lvl_sketchy_actor, links, link_count, "links", .flags = LVL_F_SET, .json = "links?",
        .prose = "Ids of the actors that it is wired to. The game adds an id only once.",
        .group = LVL_GROUP_BEHAVIOUR, .common = true, .roles = LVL_ROLE_LINKS),
    LVL_ROW_LIST(lvl_sketchy_actor, options, option_count, "options", &lvl_sketchy_option_table,
        lvl_sketchy_option, .flags = LVL_F_UNORDERED, .json = "options?",
                 .prose = "Settings that differ from its doodad's.",
        .group = LVL_GROUP_BEHAVIOUR, .common = true),
};
const lvl_table lvl_sketchy_actor_table = {
    .name = "actor", .prose = "A doodad placed in a level.",
    FIELDS(lvl_sketchy_actor, actor_fields), .label = "id", KNOWN_BY(lvl_sketchy_actor, id),
};

static const lvl_field tag_fields[] = {
    TEXT(lvl_sketchy_tag, name, "Its key (\"category\").",
        .summary = {.show = LVL_SHOW, .label = ""}),
    TEXT(lvl_sketchy_tag, value, "Its value (\"doors,gizmos\").",
        .summary = {.show = LVL_SHOW, .label = ""}),
};
const lvl_table lvl_sketchy_tag_table = {
    .name = "tag", .prose = "A tag of a doodad, for editor and scripts.",
    FIELDS(lvl_sketchy_tag, tag_fields), .label = "name", KNOWN_BY(lvl_sketchy_tag, name),
};

static const lvl_field file_fields[] = {
    TEXT(lvl_sketchy_file, path, "Its name in the archive (\"assets/screenshots/large.png\").",
        .summary = {.show = LVL_SHOW, .label = ""}),
    LVL_ROW(lvl_sketchy_file, data, "data", LVL_BYTES, .flags = LVL_F_LATE, .disk = LVL_NO_PLACE,
        .prose = "Content.",
        .summary = {.show = LVL_SHOW, .label = "", .key = "size"}),
};
const lvl_table lvl_sketchy_file_table = {
    .name = "file", .prose = "An attached file.",
    FIELDS(lvl_sketchy_file, file_fields), .label = "path", KNOWN_BY(lvl_sketchy_file, path),
};

static const lvl_field member_fields[] = {
    TEXT(lvl_zip_spelling, name, "Its name in the archive."),
    LVL_ROW(lvl_zip_spelling, crc, "crc", LVL_INT, .role = LVL_KEPT, .flags = LVL_F_HEX,
        .disk = LVL_NO_PLACE, .prose = "Its checksum, as declared."),
    LVL_ROW(lvl_zip_spelling, size, "size", LVL_INT, .role = LVL_KEPT, .disk = LVL_NO_PLACE, .unit = "bytes",
        .prose = "Its inflated size, as declared."),
    LVL_ROW_BYTES(lvl_zip_spelling, local, "local", .prose = "Its local header, if it is unusual."),
    LVL_ROW_BYTES(lvl_zip_spelling, after, "after",
        .prose = "The bytes after its data, if they are not a usual descriptor."),
    LVL_ROW_BYTES(lvl_zip_spelling, central, "central",
        .prose = "Its entry in the directory, if it is unusual."),
    LVL_ROW_BYTES(lvl_zip_spelling, before, "before",
        .prose = "Bytes before it that belong to no record."),
    LVL_ROW_BYTES(lvl_zip_spelling, packed, "packed", .flags = LVL_F_STREAM,
        .prose = "Its compressed data, which is written while it inflates to the content."),
};
static const lvl_table member_table = {
    .name = "member", .prose = "A member of the zip as it is in the file.",
    FIELDS(lvl_zip_spelling, member_fields), .label = "name",
};

#define MEMBERS(T) LVL_ROW_LIST(T, members, member_count, "members", &member_table, lvl_zip_spelling,        \
    .role = LVL_KEPT,                                                                                        \
                                .prose = "The members of the zip in their order, with what is unusual " \
                                    "about them.")
#define AROUND(T) \
    KEPT(T, json, LVL_TEXT, \
        .prose = "The JSON text as in the file, if lvl would write it differently: order and case of keys, " \
        "unknown keys."), \
    MEMBERS(T), \
    KEPT(T, gap, LVL_BYTES, .prose = "Bytes before the zip's directory that belong to no record."), \
    KEPT(T, after, LVL_BYTES, \
            .prose = "The zip's end record if it is unusual, and the bytes after the document."), \
    KEPT(T, file, LVL_BYTES, \
        .prose = "The whole file, where no smaller part says how it differs from what lvl would write.")

#define D lvl_sketchy
static const lvl_field sketchy_fields[] = {
    LVL_ROW_UINT(D, kind, "kind", LVL_NO_PLACE, .names = kind_names, .json = "",
        .prose = "Level or doodad: decides which of the following there are.",
        .summary = {.show = LVL_SHOW}),
    LVL_ROW(D, generation, "generation", LVL_INT, .flags = LVL_F_FORM, .disk = LVL_NO_PLACE,
        .names = generation_names, .def = LVL_SKETCHY_V3_1, .json = "", .prose = "How it is stored.",
        .summary = {.show = LVL_SHOW, .label = "generation"}),
    INT(D, version, "Version of the document, 1 in all.", .def = 1),
    TEXT(D, game_version, "The game that saved it last.", .json = "gameVersion", .use = LVL_USE_PROGRAM,
        .summary = {.show = LVL_SHOW_FILLED, .label = "saved by"}),
    TEXT(D, title, "Title.", .common = true, .use = LVL_USE_TITLE,
        .summary = {.show = LVL_SHOW_FILLED, .order = -1, .label = "title"}),
    TEXT(D, author, "Author.", .common = true, .use = LVL_USE_AUTHOR,
        .summary = {.show = LVL_SHOW_FILLED, .order = -1, .label = "author"}),
    BOOL(D, locked, "1: the editor does not change it.",
        .summary = {.show = LVL_SHOW_FILLED, .label = "locked"}),
    BOOL(D, hidden, "1: the editor does not offer it.", WHEN(DOODAD), .json = "hidden?",
        .summary = {.show = LVL_SHOW_FILLED, .label = "hidden"}),
    TEXT(D, password, "Unused; levels only.", .json = "passwd|"),
    TEXT(D, uuid, "Its id; the game gives it one when saving. Levels only.", .json = "uuid|",
        .summary = {.show = LVL_SHOW_FILLED}),
    INT(D, difficulty, "Difficulty of its creatures.", .names = difficulty_names, WHEN(LEVEL),
        .json = "rules.difficulty", .group = LVL_GROUP_BEHAVIOUR, .common = true,
        .summary = {.show = LVL_SHOW_KEY, .label = "difficulty"}),
    BOOL(D, survival, "1: the player who survives longest wins.", WHEN(LEVEL), .json = "rules.survival?",
        .group = LVL_GROUP_BEHAVIOUR,
        .summary = {.show = LVL_SHOW_FILLED, .label = "survival"}),
    INT(D, page_type, "Bounds of the level.", .names = page_names, .def = LVL_SKETCHY_NO_NEGATIVE_SPACE,
        WHEN(LEVEL), .json = "pageType", .group = LVL_GROUP_PLACE, .common = true, .roles = LVL_ROLE_BOUNDS,
        .summary = {.show = LVL_SHOW, .label = "page"}),
    INT(D, bounded_width, "Width of a bounded level.", .unit = "px", .def = 2550, WHEN(LEVEL),
        .json = "boundedWidth", .group = LVL_GROUP_PLACE, .common = true, .roles = LVL_ROLE_WIDTH,
        .summary = {.show = LVL_SHOW}),
    INT(D, bounded_height, "Height of a bounded level.", .unit = "px", .def = 3300, WHEN(LEVEL),
        .json = "boundedHeight", .group = LVL_GROUP_PLACE, .common = true, .roles = LVL_ROLE_HEIGHT,
        .summary = {.show = LVL_SHOW}),
    TEXT(D, wallpaper, "File name of its wallpaper; empty: notebook.png.", WHEN(LEVEL),
        .group = LVL_GROUP_LOOK, .common = true, .use = LVL_USE_PICTURE,
        .summary = {.show = LVL_SHOW, .label = "wallpaper"}),
    LVL_ROW_RECORD(D, scroll, "scroll", LVL_NO_PLACE, &lvl_sketchy_point_table, WHEN(LEVEL),
                   .prose = "The editor's view: minus the world position of its top left corner.",
        .group = LVL_GROUP_PLACE),
    BOOL(D, save_doodads, "1: saving embeds the custom doodads.", WHEN(LEVEL), .json = "saveDoodads"),
    BOOL(D, save_builtins, "1: saving embeds the built-in doodads, too.", WHEN(LEVEL),
        .json = "saveBuiltins"),
    TEXT(D, signature, "Base64; void after a change.", .flags = LVL_F_SIGNATURE, WHEN(LEVEL),
        .json = "signature?",
        .summary = {.show = LVL_SHOW_FILLED, .label = "signed", .key = "signed"}),
    LVL_ROW_RECORD(D, size, "size", LVL_NO_PLACE, &lvl_sketchy_rect_table, WHEN(DOODAD),
        .prose = "Size of its canvas; all 0: a chunk's.", .group = LVL_GROUP_PLACE),
    LVL_ROW_RECORD(D, hitbox, "hitbox", LVL_NO_PLACE, &lvl_sketchy_rect_table, WHEN(DOODAD),
        .prose = "The part that touches others.", .group = LVL_GROUP_PLACE),
    LVL_ROW(D, script, "script", LVL_TEXT, .flags = LVL_F_LINES, .disk = LVL_NO_PLACE, .part = "scripts",
        .part_ending = "js", WHEN(DOODAD),
            .prose = "Its script, in JavaScript.", .group = LVL_GROUP_BEHAVIOUR),
    LVL_ROW_LIST(D, tags, tag_count, "tags", &lvl_sketchy_tag_table, lvl_sketchy_tag,
        .flags = LVL_F_UNORDERED, WHEN(DOODAD), .json = "data", .prose = "Tags.",
        .group = LVL_GROUP_BEHAVIOUR,
        .summary = {.show = LVL_SHOW, .key = "tag_count", .items = "tags"}),
    LVL_ROW_LIST(D, options, option_count, "options", &lvl_sketchy_option_table, lvl_sketchy_option,
        .flags = LVL_F_UNORDERED, WHEN(DOODAD),
                 .prose = "Settings that levels may change for each actor.", .group = LVL_GROUP_BEHAVIOUR,
        .summary = {.show = LVL_SHOW_KEY, .label = "options", .key = "option_count"}),
    LVL_ROW_LIST(D, swatches, swatch_count, "swatches", &lvl_sketchy_swatch_table, lvl_sketchy_swatch,
        .json = "palette.swatches", .prose = "The palette.", .group = LVL_GROUP_LOOK,
        .summary = {.show = LVL_SHOW, .label = "swatches", .key = "swatch_count", .items = "palette"}),
    LVL_ROW_LIST(D, actors, actor_count, "actors", &lvl_sketchy_actor_table, lvl_sketchy_actor,
        .flags = LVL_F_UNORDERED, WHEN(LEVEL), .prose = "Doodads in it.", .group = LVL_GROUP_BEHAVIOUR,
        .roles = LVL_ROLE_OBJECTS,
        .summary = {.show = LVL_SHOW, .label = "actors", .key = "actor_count"}),
    LVL_ROW_LIST(D, layers, layer_count, "layers", &lvl_sketchy_layer_table, lvl_sketchy_layer,
        .json = "chunks|layers",
        .prose = "Pixels: of a level one layer (`chunks` in the JSON), of a doodad one for each frame.",
        .group = LVL_GROUP_LOOK, .summary = {.show = LVL_SHOW_MANY, .label = "layers", .key = "layer_count"},
        .roles = LVL_ROLE_LAYERS),
    LVL_ROW_LIST(D, files, file_count, "files", &lvl_sketchy_file_table, lvl_sketchy_file,
        .flags = LVL_F_UNORDERED, .json = "files|files?",
        .prose = "Attached files: screenshots, embedded doodads, wallpapers; "
            "members below assets/ of a zip. Of v1 and v2 `files` in the JSON.", .roles = LVL_ROLE_FILES,
        .summary = {.show = LVL_SHOW_KEY, .label = "files", .key = "file_count", .items = "paths"}),
    AROUND(D),
    KEPT(D, gzip, LVL_BYTES, .flags = LVL_F_STREAM,
        .prose = "The gzip stream of the file, which is written while it inflates to the text."),
};
#undef D
const lvl_table lvl_sketchy_table = {
    .name = "drawing", .prose = "A level or doodad.",
    FIELDS(lvl_sketchy, sketchy_fields),
};

static const lvl_field pack_level_fields[] = {
    TEXT(lvl_levelpack_level, uuid, "Its id."),
    TEXT(lvl_levelpack_level, title, "Title.",
        .summary = {.show = LVL_SHOW, .label = ""}),
    TEXT(lvl_levelpack_level, author, "Author.",
        .summary = {.show = LVL_SHOW_FILLED, .label = ""}),
    TEXT(lvl_levelpack_level, filename, "File name, below levels/.", .use = LVL_USE_LEVEL,
        .summary = {.show = LVL_SHOW, .order = -1, .label = ""}),
};
const lvl_table lvl_levelpack_level_table = {
    .name = "level", .prose = "A level in the order of play.",
    FIELDS(lvl_levelpack_level, pack_level_fields), .label = "filename", KNOWN_BY(lvl_levelpack_level,
    filename),
};

static const lvl_field pack_fields[] = {
    TEXT(lvl_levelpack, title, "Title.", .use = LVL_USE_TITLE,
        .summary = {.show = LVL_SHOW_FILLED, .label = "title"}),
    TEXT(lvl_levelpack, description, "Description.", .use = LVL_USE_DESCRIPTION,
        .summary = {.show = LVL_SHOW_FILLED, .label = "about"}),
    TEXT(lvl_levelpack, author, "Author.", .use = LVL_USE_AUTHOR,
        .summary = {.show = LVL_SHOW_FILLED, .label = "author"}),
    TEXT(lvl_levelpack, created, "Date, as in RFC 3339.", .use = LVL_USE_DATE,
        .summary = {.show = LVL_SHOW_FILLED, .label = "created"}),
    LVL_ROW_LIST(lvl_levelpack, levels, level_count, "levels", &lvl_levelpack_level_table,
        lvl_levelpack_level,
                 .prose = "The levels in the order of play. A level that is missing here cannot be played.",
        .summary = {.show = LVL_SHOW, .label = "levels", .key = "level_count", .items = "index"}),
    INT(lvl_levelpack, free_levels, "Levels that are open from the start; 0: all.", .json = "freeLevels",
        .summary = {.show = LVL_SHOW_KEY, .label = "open from the start"}),
    TEXT(lvl_levelpack, signature, "Base64; void after a change.", .flags = LVL_F_SIGNATURE,
        .json = "signature?",
        .summary = {.show = LVL_SHOW_FILLED, .label = "signed", .key = "signed"}),
    LVL_ROW_LIST(lvl_levelpack, files, file_count, "files", &lvl_sketchy_file_table, lvl_sketchy_file,
        .flags = LVL_F_UNORDERED, .json = "",
                 .prose = "All members but the index: levels/…, doodads/…",
        .summary = {.show = LVL_SHOW_KEY, .label = "files", .key = "file_count", .items = "paths"}),
    AROUND(lvl_levelpack),
};
const lvl_table lvl_levelpack_table = {
    .name = "levelpack", .prose = "A pack of levels.",
    FIELDS(lvl_levelpack, pack_fields),
};
/* clang-format on */

const char *lvl_sketchy_generation_name(unsigned generation)
{
    return generation < LVL_SKETCHY_GENERATIONS ? generation_names[generation].name : NULL;
}
