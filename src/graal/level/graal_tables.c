/*
 * graal/level/graal_tables.c: the tables of a level in any of its forms, binary or text, and the names of its
 * versions, baddies and items.
 */
#include "base/cursor.h"
#include "graal/level/graal_level.h"
#include "graal/level/graal_names.h"

#include <stdio.h>

#define BIT(v)    ((uint64_t)1 << (v))
#define TEXTUAL   BIT(LVL_GLEVNW01)
#define BINARY    (BIT(LVL_GLEVNW01) - 1)
#define FROM(v)   (BIT(LVL_GRAAL_VERSIONS) - BIT(v)) /* that version, all later versions, and text */
#define WHEN(set) .when = {offsetof(lvl_graal, version), 1, (set)}

/* clang-format off */
const lvl_name lvl_graal_version_names[] = {
    {LVL_Z3_V1_02, "Z3-V1.02", "Zelda Online: 11-bit packets, 1024 tiles. Only its loader is known."},
    {LVL_Z3_V1_03, "Z3-V1.03",
        "Zelda Online: 12-bit packets, 2048 tiles; links, baddies without verses, signs."},
    {LVL_Z3_V1_04, "Z3-V1.04", "As Z3-V1.03; baddies have verses."},
    {LVL_GR_V1_00, "GR-V1.00", "With NPCs. No file is known."},
    {LVL_GR_V1_01, "GR-V1.01", "With chests."},
    {LVL_GR_V1_02, "GR-V1.02", "13-bit packets, 4096 tiles; ten types of baddy."},
    {LVL_GR_V1_03, "GR-V1.03", "Destinations of links may be expressions."},
    {LVL_GR_V1_04, "GR-V1.04", "With heights after the signs. No file is known."},
    {LVL_GR_V1_05, "GR-V1.05", "With several layers of tiles. No file is known."},
    {LVL_GLEVNW01, "GLEVNW01", "Text (`.nw`)."},
    {0, NULL, NULL},
};

const lvl_name lvl_graal_baddy_names[] = {
    {0, "graysoldier", NULL},
    {1, "bluesoldier", NULL},
    {2, "redsoldier", NULL},
    {3, "shootingsoldier", NULL},
    {4, "swampsoldier", NULL},
    {5, "frog", "Also called hare."},
    {6, "octopus", "Also called spider."},
    {7, "goldenwarrior", "From GR-V1.02 on."},
    {8, "lizardon", "From GR-V1.02 on."},
    {9, "dragon", "From GR-V1.02 on."},
    {0, NULL, NULL},
};

const lvl_name lvl_graal_item_names[] = {
    {0, "greenrupee", NULL}, {1, "bluerupee", NULL}, {2, "redrupee", NULL}, {3, "bombs", NULL},
    {4, "darts", NULL}, {5, "heart", NULL}, {6, "glove1", NULL}, {7, "bow", NULL}, {8, "bomb", NULL},
    {9, "shield", NULL}, {10, "sword", NULL}, {11, "fullheart", NULL}, {12, "superbomb", NULL},
    {13, "battleaxe", NULL}, {14, "goldensword", NULL}, {15, "mirrorshield", NULL}, {16, "glove2", NULL},
    {17, "lizardshield", NULL}, {18, "lizardsword", NULL}, {19, "goldrupee", NULL}, {20, "fireball", NULL},
    {21, "fireblast", NULL}, {22, "nukeshot", NULL}, {23, "joltbomb", NULL}, {24, "spinattack", NULL},
    {0, NULL, NULL},
};

static const lvl_name line_end_names[] = {
    {LVL_NW_LF, "lf", NULL}, {LVL_NW_CRLF, "crlf", NULL}, {0, NULL, NULL},
};

static const lvl_cell_name tile_names[] = {
    {LVL_GRAAL_ABSENT, '.', "absent", "The file does not give this tile."},
    {0, 0, NULL, NULL},
};

#define LAYER(T) \
    LVL_ROW(T, layer, "layer", LVL_INT, .disk = LVL_NO_PLACE, .forms = TEXTUAL, .group = LVL_GROUP_PLACE, \
        .prose = "Layer of tiles that it belongs to; an extension of other editors.")
#define REAL(T, m, ...) LVL_ROW_REAL(T, m, #m, .unit = "tiles", .prose = __VA_ARGS__)
#define INT(T, m, ...)  LVL_ROW_INT(T, m, #m, LVL_NO_PLACE, .prose = __VA_ARGS__)
#define TEXT(T, m, ...) LVL_ROW_TEXT(T, m, #m, .prose = __VA_ARGS__)

static const lvl_field layer_fields[] = {
    LVL_ROW_UINT(lvl_graal_layer, number, "number", LVL_NO_PLACE,
        .prose = "0 is the board; higher ones lie above it."),
    LVL_ROW_CELLS(lvl_graal_layer, tiles, "tiles", tile_names, .item_size = 2,
        .prose = "64 by 64 indices in the tileset: column (i/512)*16 + i%16, row (i/16)%32 of it. "
            "Above layer 0, 4095 is drawn as nothing."),
};
static const lvl_identity layer_identities[] = {{1, {offsetof(lvl_graal_layer, number)}}};
const lvl_table lvl_graal_layer_table = {
    .name = "layer", .prose = "A layer of tiles.", .struct_size = sizeof(lvl_graal_layer),
    .fields = layer_fields, .field_count = LVL_COUNT_OF(layer_fields),
    .identities = layer_identities, .identity_count = LVL_COUNT_OF(layer_identities),
};

static const lvl_field link_fields[] = {
    TEXT(lvl_graal_link, level, "File name of the level that it leads to.", .flags = LVL_F_FILE,
        .group = LVL_GROUP_BEHAVIOUR, .common = true, .use = LVL_USE_LEVEL, .summary = {.show = LVL_SHOW},
        .roles = LVL_ROLE_NAME),
    REAL(lvl_graal_link, x, "Left edge of the rectangle that the player walks into.",
        .group = LVL_GROUP_PLACE, .common = true, .roles = LVL_ROLE_X),
    REAL(lvl_graal_link, y, "Top edge.", .group = LVL_GROUP_PLACE, .common = true, .roles = LVL_ROLE_Y),
    REAL(lvl_graal_link, width, "Width.", .group = LVL_GROUP_PLACE, .common = true, .roles = LVL_ROLE_WIDTH),
    REAL(lvl_graal_link, height, "Height.", .group = LVL_GROUP_PLACE, .common = true,
        .roles = LVL_ROLE_HEIGHT),
    TEXT(lvl_graal_link, dest_x,
        "Where the player appears: tiles from the left, or an expression (\"playerx\", \"playerx+4\"). "
        "Up to GR-V1.02, -1 keeps the player's x.", .group = LVL_GROUP_BEHAVIOUR, .common = true,
        .summary = {.show = LVL_SHOW}, .roles = LVL_ROLE_DEST_X),
    TEXT(lvl_graal_link, dest_y, "The same for y (\"playery-38\").",
        .group = LVL_GROUP_BEHAVIOUR, .common = true, .summary = {.show = LVL_SHOW},
        .roles = LVL_ROLE_DEST_Y),
    LAYER(lvl_graal_link),
    LVL_ROW_UINT(lvl_graal_link, dest_layer, "dest_layer", LVL_NO_PLACE, .forms = TEXTUAL,
                 .prose = "Layer that the player appears on; an extension of other editors.",
        .group = LVL_GROUP_BEHAVIOUR),
};
static const lvl_identity link_identities[] = {
    {5, {offsetof(lvl_graal_link, level), offsetof(lvl_graal_link, x), offsetof(lvl_graal_link, y),
         offsetof(lvl_graal_link, width), offsetof(lvl_graal_link, height)}},
    {3, {offsetof(lvl_graal_link, level), offsetof(lvl_graal_link, x), offsetof(lvl_graal_link, y)}},
    {2, {offsetof(lvl_graal_link, x), offsetof(lvl_graal_link, y)}},
    {1, {offsetof(lvl_graal_link, level)}},
};
const lvl_table lvl_graal_link_table = {
    .name = "link", .prose = "A rectangle that leads to another level.",
        .struct_size = sizeof(lvl_graal_link),
    .fields = link_fields, .field_count = LVL_COUNT_OF(link_fields), .label = "level",
    .identities = link_identities, .identity_count = LVL_COUNT_OF(link_identities),
};

static const lvl_field baddy_fields[] = {
    INT(lvl_graal_baddy, x, "Left edge.", .unit = "tiles", .group = LVL_GROUP_PLACE, .common = true,
        .roles = LVL_ROLE_X),
    INT(lvl_graal_baddy, y, "Top edge.", .unit = "tiles", .group = LVL_GROUP_PLACE, .common = true,
        .roles = LVL_ROLE_Y),
    INT(lvl_graal_baddy, type, "Kind; -1 where its name is not known.", .names = lvl_graal_baddy_names,
        .group = LVL_GROUP_BEHAVIOUR, .common = true),
    TEXT(lvl_graal_baddy, attack, "What it says when it sees the player.", .group = LVL_GROUP_BEHAVIOUR),
    TEXT(lvl_graal_baddy, hurt, "What it says when it is hurt.", .group = LVL_GROUP_BEHAVIOUR),
    TEXT(lvl_graal_baddy, win, "What it says when it has won.", .group = LVL_GROUP_BEHAVIOUR),
    LAYER(lvl_graal_baddy),
};
static const lvl_identity baddy_identities[] = {
    {3, {offsetof(lvl_graal_baddy, type), offsetof(lvl_graal_baddy, x), offsetof(lvl_graal_baddy, y)}},
    {2, {offsetof(lvl_graal_baddy, x), offsetof(lvl_graal_baddy, y)}},
    {1, {offsetof(lvl_graal_baddy, type)}},
};
const lvl_table lvl_graal_baddy_table = {
    .name = "baddy", .prose = "A built-in enemy.", .struct_size = sizeof(lvl_graal_baddy),
    .fields = baddy_fields, .field_count = LVL_COUNT_OF(baddy_fields), .label = "type",
    .identities = baddy_identities, .identity_count = LVL_COUNT_OF(baddy_identities),
};

static const lvl_field npc_fields[] = {
    REAL(lvl_graal_npc, x, "Left edge; may be off the board. Whole numbers from -32 to 223 in binary levels.",
        .group = LVL_GROUP_PLACE, .common = true, .roles = LVL_ROLE_X),
    REAL(lvl_graal_npc, y, "Top edge.", .group = LVL_GROUP_PLACE, .common = true, .roles = LVL_ROLE_Y),
    TEXT(lvl_graal_npc, image, "File name of its picture; empty: it has none.", .flags = LVL_F_FILE,
        .group = LVL_GROUP_LOOK, .common = true, .use = LVL_USE_PICTURE,
        .roles = LVL_ROLE_NAME | LVL_ROLE_PICTURE),
    TEXT(lvl_graal_npc, script, "Its script.", .flags = LVL_F_LINES, .part = "scripts",
        .group = LVL_GROUP_BEHAVIOUR, .common = true),
    LAYER(lvl_graal_npc),
};
static const lvl_identity npc_identities[] = {
    {4, {offsetof(lvl_graal_npc, image), offsetof(lvl_graal_npc, x), offsetof(lvl_graal_npc, y),
         offsetof(lvl_graal_npc, script)}},
    {3, {offsetof(lvl_graal_npc, image), offsetof(lvl_graal_npc, x), offsetof(lvl_graal_npc, y)}},
    {1, {offsetof(lvl_graal_npc, script)}},
    {2, {offsetof(lvl_graal_npc, x), offsetof(lvl_graal_npc, y)}},
};
const lvl_table lvl_graal_npc_table = {
    .name = "npc", .prose = "An object with a script.", .struct_size = sizeof(lvl_graal_npc),
    .fields = npc_fields, .field_count = LVL_COUNT_OF(npc_fields), .label = "image",
    .identities = npc_identities, .identity_count = LVL_COUNT_OF(npc_identities),
};

static const lvl_field chest_fields[] = {
    INT(lvl_graal_chest, x, "Left edge; a chest is 2 by 2.", .unit = "tiles",
        .group = LVL_GROUP_PLACE, .common = true, .roles = LVL_ROLE_X),
    INT(lvl_graal_chest, y, "Top edge.", .unit = "tiles", .group = LVL_GROUP_PLACE, .common = true,
        .roles = LVL_ROLE_Y),
    INT(lvl_graal_chest, item, "Content; -1 where its name is not known.",
        .names = lvl_graal_item_names, .group = LVL_GROUP_BEHAVIOUR, .common = true),
    LVL_ROW(lvl_graal_chest, sign, "sign", LVL_INT, .flags = LVL_F_SIGNED | LVL_F_FOLLOWS,
        .disk = LVL_NO_PLACE, .def = -1, .ref = "signs",
            .prose = "The sign that is shown on opening; -1: none.",
        .group = LVL_GROUP_BEHAVIOUR, .common = true),
    LAYER(lvl_graal_chest),
};
static const lvl_identity chest_identities[] = {
    {3, {offsetof(lvl_graal_chest, x), offsetof(lvl_graal_chest, y), offsetof(lvl_graal_chest, item)}},
    {2, {offsetof(lvl_graal_chest, x), offsetof(lvl_graal_chest, y)}},
};
const lvl_table lvl_graal_chest_table = {
    .name = "chest", .prose = "A treasure chest.", .struct_size = sizeof(lvl_graal_chest),
    .fields = chest_fields, .field_count = LVL_COUNT_OF(chest_fields), .label = "item",
    .identities = chest_identities, .identity_count = LVL_COUNT_OF(chest_identities),
};

static const lvl_field sign_fields[] = {
    INT(lvl_graal_sign, x, "Left edge; a sign is 2 by 1.", .unit = "tiles",
        .group = LVL_GROUP_PLACE, .common = true, .roles = LVL_ROLE_X),
    INT(lvl_graal_sign, y, "Top edge. Signs that only chests or scripts show stand at 0, 0.",
        .unit = "tiles", .group = LVL_GROUP_PLACE, .common = true, .roles = LVL_ROLE_Y),
    TEXT(lvl_graal_sign, text,
        "Text with message codes: \"#h\" a head, \"#u\" an arrow up, \"#b\" a break, \"#K(233)\" a "
        "character.", .flags = LVL_F_LINES, .part = "signs", .group = LVL_GROUP_BEHAVIOUR, .common = true),
    LAYER(lvl_graal_sign),
};
static const lvl_identity sign_identities[] = {
    {3, {offsetof(lvl_graal_sign, x), offsetof(lvl_graal_sign, y), offsetof(lvl_graal_sign, text)}},
    {1, {offsetof(lvl_graal_sign, text)}},
    {2, {offsetof(lvl_graal_sign, x), offsetof(lvl_graal_sign, y)}},
};
const lvl_table lvl_graal_sign_table = {
    .name = "sign", .prose = "A text that is read from a sign, a chest, or by a script.",
        .struct_size = sizeof(lvl_graal_sign),
    .fields = sign_fields, .field_count = LVL_COUNT_OF(sign_fields), .label = "text",
    .identities = sign_identities, .identity_count = LVL_COUNT_OF(sign_identities),
};

static const lvl_field tileset_fields[] = {
    TEXT(lvl_graal_tileset, name, "File name of the picture.", .flags = LVL_F_FILE, .use = LVL_USE_TILESET),
    TEXT(lvl_graal_tileset, type, "What follows the name."),
    LVL_ROW_UINT(lvl_graal_tileset, image, "image", LVL_NO_PLACE, .max = 1,
        .prose = "1: a TILESETIMAGE line; 0: TILESET."),
};
static const lvl_identity tileset_identities[] = {{1, {offsetof(lvl_graal_tileset, name)}}};
const lvl_table lvl_graal_tileset_table = {
    .name = "tileset", .prose = "A tileset that the level names; an extension of other editors.",
    .struct_size = sizeof(lvl_graal_tileset),
    .fields = tileset_fields, .field_count = LVL_COUNT_OF(tileset_fields), .label = "name",
    .identities = tileset_identities, .identity_count = LVL_COUNT_OF(tileset_identities),
};

#define KEPT(m, k, ...) LVL_ROW(lvl_graal, m, #m, k, .role = LVL_KEPT, .disk = LVL_NO_PLACE, __VA_ARGS__)

static const lvl_field graal_fields[] = {
    LVL_ROW_UINT(lvl_graal, version, "version", LVL_NO_PLACE, .flags = LVL_F_FORM,
        .names = lvl_graal_version_names, .def = -1,
                 .prose = "The file's header, which decides what the level can hold.",
                 .summary = {.show = LVL_SHOW, .label = "version"}),
    LVL_ROW_LIST(lvl_graal, layers, layer_count, "layers", &lvl_graal_layer_table, lvl_graal_layer,
                 .prose = "The board, and layers above it in GR-V1.05 and text levels.",
                 .roles = LVL_ROLE_LAYERS,
                 .summary = {.show = LVL_SHOW_MANY, .label = "layers"}),
    LVL_ROW_LIST(lvl_graal, links, link_count, "links", &lvl_graal_link_table, lvl_graal_link,
                 .prose = "Rectangles that lead to other levels.", .roles = LVL_ROLE_OBJECTS,
                 .summary = {.show = LVL_SHOW, .label = "links", .key = "link_count"}),
    LVL_ROW_LIST(lvl_graal, baddies, baddy_count, "baddies", &lvl_graal_baddy_table, lvl_graal_baddy,
                 .prose = "Built-in enemies.", .roles = LVL_ROLE_OBJECTS,
                 .summary = {.show = LVL_SHOW, .label = "baddies", .key = "baddy_count"}),
    LVL_ROW_LIST(lvl_graal, npcs, npc_count, "npcs", &lvl_graal_npc_table, lvl_graal_npc,
        WHEN(FROM(LVL_GR_V1_00)),
                 .prose = "Objects with a script.", .roles = LVL_ROLE_OBJECTS),
    LVL_ROW_LIST(lvl_graal, chests, chest_count, "chests", &lvl_graal_chest_table, lvl_graal_chest,
        WHEN(FROM(LVL_GR_V1_01)),
                 .prose = "Treasure chests.", .roles = LVL_ROLE_OBJECTS),
    LVL_ROW_LIST(lvl_graal, signs, sign_count, "signs", &lvl_graal_sign_table, lvl_graal_sign,
                 .prose = "Texts. Scripts and chests name them by index.", .roles = LVL_ROLE_OBJECTS,
                 .summary = {.show = LVL_SHOW, .label = "signs", .key = "sign_count"}),
    LVL_ROW(lvl_graal, heights, "heights", LVL_LIST, .disk = LVL_NO_PLACE,
        .count_offset = offsetof(lvl_graal, height_count),
            .item = LVL_REAL, .item_size = sizeof(double), WHEN(FROM(LVL_GR_V1_04)),
            .prose = "9 rows of 9 heights of the ground; an extension of other editors.",
            .roles = LVL_ROLE_PROPERTY,
            .summary = {.show = LVL_SHOW_FILLED, .label = "heights"}),
    LVL_ROW_LIST(lvl_graal, tilesets, tileset_count, "tilesets", &lvl_graal_tileset_table, lvl_graal_tileset,
        WHEN(TEXTUAL),
                 .prose = "Tilesets that the level names; an extension of other editors.",
                 .roles = LVL_ROLE_PROPERTY),
    KEPT(line_end, LVL_INT, .names = line_end_names, WHEN(TEXTUAL), .prose = "How lines end.",
         .summary = {.show = LVL_SHOW, .order = 1, .label = "line ends"}),
    KEPT(source, LVL_TEXT, WHEN(TEXTUAL), .flags = LVL_F_LINES,
         .prose = "The file as it was, where lvl would write it differently; what did not change is copied."),
    KEPT(file, LVL_BYTES, WHEN(BINARY),
         .prose = "The file as it was, where lvl would write it differently; what did not change is copied."),
};
const lvl_table lvl_graal_table = {
    .name = "graal", .prose = "A level.", .struct_size = sizeof(lvl_graal),
    .fields = graal_fields, .field_count = LVL_COUNT_OF(graal_fields),
};
/* clang-format on */

const char *lvl_graal_version_name(unsigned version)
{
    return version < LVL_GRAAL_VERSIONS ? lvl_graal_version_names[version].name : NULL;
}

unsigned lvl_graal_tile_count(unsigned version)
{
    return version == LVL_Z3_V1_02 ? 1024 : version < LVL_GR_V1_02 ? 2048 : 4096;
}

unsigned lvl_graal_highest_tile(const uint8_t *cells, size_t count)
{
    uint16_t highest = 0;

    for (size_t i = 0; i < count; i++) {
        const uint16_t tile = lvl_load_u16le(cells + 2 * i);
        highest = tile > highest ? tile : highest;
    }
    return highest;
}

lvl_where lvl_graal_at(size_t list, uint32_t index)
{
    return lvl_where_to(lvl_where_root(), lvl_table_at(&lvl_graal_table, list), index);
}

static const char *text_of(const lvl_name *names, const char *what, int32_t value, char *buf, size_t size)
{
    const char *name = lvl_name_of(names, value);

    if (name)
        snprintf(buf, size, "%s", name);
    else
        snprintf(buf, size, "%s %ld", what, (long)value);
    return buf;
}

const char *lvl_graal_baddy_text(int32_t type, char *buf, size_t size)
{
    return text_of(lvl_graal_baddy_names, "type", type, buf, size);
}

const char *lvl_graal_item_text(int32_t item, char *buf, size_t size)
{
    return text_of(lvl_graal_item_names, "item", item, buf, size);
}
