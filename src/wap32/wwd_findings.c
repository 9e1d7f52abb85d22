/*
 * wap32/wwd_findings.c: what can be found in a WWD, how bad it is for whom, and what repair does about it. An
 * error means that the game or a careful reader fails on that part; what the game plays, however odd, is a
 * warning or a note.
 */
#include "wap32/wwd_findings.h"

#define o LVL_NONE
#define N LVL_NOTE
#define W LVL_WARNING
#define E LVL_ERROR
#define F LVL_FATAL

/* a row each, severities in strict, game, salvage */
/* clang-format off */
const lvl_finding_def lvl_wwd_findings[LVL_WWD_F_COUNT] = {
    [LVL_WWD_F_HEADER_CUT] = {"wwd.header.cut",
        "The file ends inside its header: no plane is left.", {F, F, F}, NULL},
    [LVL_WWD_F_HEADER_SIZE] = {"wwd.header.size",
        "The size in the header is not 0x5F4. The game refuses a larger one and cuts the header at a "
        "smaller one.", {E, E, W}, "sets it to 0x5F4"},
    [LVL_WWD_F_COMPRESS_FLAG] = {"wwd.header.compress",
        "The flag for a compressed main block is wrong; the game loads garbage or nothing.", {E, E, W},
        "sets the flag to what the main block is"},
    [LVL_WWD_F_STREAM_TRUNCATED] = {"wwd.stream.truncated",
        "The file ends inside the compressed main block. The game does not load the level.", {E, E, E},
        "keeps everything before the break; tiles after it become empty, objects after it are gone"},
    [LVL_WWD_F_STREAM_CORRUPT] = {"wwd.stream.corrupt",
        "The compressed main block is damaged inside. The game does not load the level.", {E, E, E},
        "keeps everything before the break; tiles after it become empty, objects after it are gone"},
    [LVL_WWD_F_STREAM_CHECKSUM] = {"wwd.stream.checksum",
        "The Adler-32 at the end of the compressed main block is wrong: some bytes in it may be, too. The "
        "game does not load the level.", {E, E, E}, "keeps all the bytes and packs them again"},
    [LVL_WWD_F_INFLATED_SIZE] = {"wwd.header.inflated_size",
        "The size of the inflated main block in the header is wrong. The game does not load the level.",
        {E, E, W}, "sets the size"},
    [LVL_WWD_F_INFLATE_RATIO] = {"wwd.header.inflate_ratio",
        "The size in the header is larger than the compressed main block can inflate to.", {E, E, E},
        "sets the size"},
    [LVL_WWD_F_OFFSET_WRONG] = {"wwd.offset.wrong",
        "An offset does not point to its data, which is where editors put it. The game reads garbage.",
        {E, E, E}, "sets the offset"},
    [LVL_WWD_F_LAYOUT] = {"wwd.offset.order",
        "The parts of the main block are not in the order in which editors write them. Games follow the "
        "offsets.", {N, N, N}, NULL},
    [LVL_WWD_F_OVERLAP] = {"wwd.offset.overlap",
        "Parts of the main block overlap: an edit of one changes the other.", {W, W, N},
        "writes each part separately"},
    [LVL_WWD_F_GAP] = {"wwd.gap",
        "Bytes of the main block that no offset points to. Games ignore them; they are kept.",
        {W, N, N}, NULL},
    [LVL_WWD_F_GAP_CONTENT] = {"wwd.gap.content",
        "Bytes of the main block that no offset points to, enough for a record. Games ignore them; they "
        "are kept. `lvl set FILE --unset gaps` removes them.", {E, E, E}, NULL},
    [LVL_WWD_F_COUNT_HIDES] = {"wwd.count.hides",
        "A count is too low: the file has more records, and games ignore the rest.", {E, E, E},
        "sets the count to the records in the file"},
    [LVL_WWD_F_TILES_SHAPE] = {"wwd.tiles.shape",
        "A plane's columns and rows do not match its tiles: games read other bytes as tiles.", {E, E, E},
        "sets the columns and rows that fit the tiles and the plane's other numbers"},
    [LVL_WWD_F_OBJECT_LENGTH] = {"wwd.object.length",
        "A text length of an object is wrong: games read this object and all after it as other objects.",
        {E, E, E}, "sets the lengths so that the next object follows"},
    [LVL_WWD_F_OBJECTS_SKIPPED] = {"wwd.objects.skipped",
        "Bytes between the objects of a plane are not an object. Reading continues at the next object; an "
        "edit keeps the bytes.", {E, E, E}, "removes the bytes"},
    [LVL_WWD_F_PLANES_CUT] = {"wwd.planes.cut", "Planes that the header declares are missing.", {E, E, E},
        "sets the count to the planes in the file"},
    [LVL_WWD_F_TILES_CUT] = {"wwd.tiles.cut", "Tiles of a plane are missing.", {E, E, E},
        "adds the missing rows, empty, or, if they are too many, sets the count to those in the file"},
    [LVL_WWD_F_IMAGE_SETS_CUT] = {"wwd.image_sets.cut",
        "Image set names of a plane are missing.", {E, E, E}, "sets the count to the names in the file"},
    [LVL_WWD_F_OBJECTS_CUT] = {"wwd.objects.cut", "Objects that a plane declares are missing.", {E, E, E},
        "sets the count to the objects in the file"},
    [LVL_WWD_F_PROPERTIES_CUT] = {"wwd.tile_properties.cut",
        "Tile properties that the table declares are missing: the game reads past the end.", {E, E, E},
        "adds single, clear properties up to the highest tile in use"},
    [LVL_WWD_F_PROPERTY_TYPE] = {"wwd.tile_properties.type",
        "A tile property is neither single, double nor mask; what follows cannot be read, and the game "
        "does not load the level.", {E, E, E},
        "adds single, clear properties up to the highest tile in use"},
    [LVL_WWD_F_CHECKSUM_MISMATCH] = {"wwd.checksum.mismatch",
        "The checksum matches no known rule: the level was changed by a program that does not update it. "
        "Games load it anyway, but Gruntz identifies levels by this number, so two players may have "
        "different levels that look the same to it.", {W, W, N}, "computes it as the game's editor does"},
    [LVL_WWD_F_CHECKSUM_RULE] = {"wwd.checksum.rule",
        "The checksum is computed as another tool does, not as the game's editor. Games ignore this.",
        {N, N, o}, NULL},
    [LVL_WWD_F_TRAILING] = {"wwd.trailing",
        "Bytes of unknown origin after the main block, such as a line end from a transfer as text. Games "
        "ignore them; they are kept.", {W, N, N}, NULL},

    [LVL_WWD_F_NAME_OVERFLOW] = {"wwd.header.name_overflow",
        "The level's name has no NUL within its 64 bytes: the game copies beyond it and overwrites its "
        "own memory.", {E, E, W}, NULL},
    [LVL_WWD_F_UNTERMINATED] = {"wwd.header.unterminated",
        "A text fills its slot without a NUL at its end: editors read into the next slot.",
        {E, W, N}, NULL},
    [LVL_WWD_F_DIRTY_SLOT] = {"wwd.slot.dirty",
        "Bytes after the NUL that ends a text. Programs ignore them; they are kept.", {N, N, N}, NULL},
    [LVL_WWD_F_UNKNOWN_VALUE] = {"wwd.unknown",
        "A number of unknown meaning that is 0 in known files is not 0.", {W, N, N}, NULL},
    [LVL_WWD_F_HEADER_FLAGS] = {"wwd.header.flags", "The level has unknown flags.", {W, N, N}, NULL},
    [LVL_WWD_F_BASE_LEVEL] = {"wwd.name.base_level",
        "The level's name has no number of a base level that the game has: it finds no tiles and images.",
        {W, W, N}, NULL},
    [LVL_WWD_F_BASE_MISMATCH] = {"wwd.name.base_mismatch",
        "The number in the level's name differs from the one in image_dir: the editor shows one tile set, "
        "the game uses another.", {W, W, N}, NULL},
    [LVL_WWD_F_START_OUTSIDE] = {"wwd.start.outside",
        "The player starts outside of the main plane.", {W, W, N}, NULL},
    [LVL_WWD_F_MAIN_PLANES] = {"wwd.planes.main",
        "There must be one main plane; the game cannot play a level without one, and uses one of several.",
        {E, E, W}, NULL},
    [LVL_WWD_F_PLANE_SIZE] = {"wwd.plane.header_size",
        "The size in a plane header is not 160: the game does not load the level.", {E, E, W},
        "sets it to 160"},
    [LVL_WWD_F_PLANE_FLAGS] = {"wwd.plane.flags",
        "A plane has unknown flags, which the original editor leaves by mistake. Games ignore them.",
        {N, N, o}, NULL},
    [LVL_WWD_F_PIXEL_SIZE] = {"wwd.plane.pixel_size",
        "A plane's size in pixels does not match its tiles. No game reads it.", {W, N, o}, "sets it"},
    [LVL_WWD_F_TILE_SIZE] = {"wwd.plane.tile_size",
        "A plane's tile size is not a power of two: the game draws it wrong.", {W, W, N}, NULL},
    [LVL_WWD_F_FILL_COLOR] = {"wwd.plane.fill_color",
        "A fill colour beyond the palette: the game takes its low byte, WapMap cuts it to 255.",
        {N, N, o}, NULL},
    [LVL_WWD_F_IMAGE_SET_NAME] = {"wwd.image_set.name",
        "A plane's image set name has a character at which the game splits it in two: it does not find "
        "the set and crashes on the first tile.", {W, W, N}, NULL},
    [LVL_WWD_F_IMAGE_SET_UNREACHED] = {"wwd.image_set.unreached",
        "A plane has several image sets; the game uses only the first.", {W, N, o}, NULL},
    [LVL_WWD_F_IMAGE_SET_NONE] = {"wwd.image_set.none",
        "A plane has tiles but no image set to draw them from.", {W, W, N}, NULL},
    [LVL_WWD_F_TILE_WITHOUT_PROPERTY] = {"wwd.tile.no_property",
        "Tiles of the main plane beyond the tile properties: if the player touches one, the game reads "
        "past the table, with unpredictable results.", {W, W, N},
        "adds properties: single, clear, sized as the last one"},
    [LVL_WWD_F_TILE_OTHER_SET] = {"wwd.tile.other_set",
        "Tile numbers of an image set that the plane does not have: the game crashes when they come into "
        "view.", {W, W, N}, NULL},
    [LVL_WWD_F_TILE_NO_IMAGE] = {"wwd.tile.no_image",
        "Tiles that the art has no image for: the game crashes when they come into view.", {W, W, N}, NULL},
    [LVL_WWD_F_PROPERTIES_HEADER] = {"wwd.tile_properties.header_size",
        "The size in the header of the tile properties is not 32.", {E, E, W}, "sets it to 32"},
    [LVL_WWD_F_MASK_SHAPE] = {"wwd.tile_properties.mask",
        "A mask that is not a square with a power of two as its side: the game does not load the level.",
        {E, E, N}, NULL},
    [LVL_WWD_F_ATTRIBUTE] = {"wwd.tile_properties.attribute",
        "A tile attribute that the game does not know and treats as clear.", {W, N, o}, NULL},
    [LVL_WWD_F_PROPERTY_RECT] = {"wwd.tile_properties.rect",
        "The inner rectangle of a tile reaches outside of the tile, where it has no effect.",
        {W, N, o}, NULL},
    [LVL_WWD_F_PROPERTY_SIZE] = {"wwd.tile_properties.size",
        "The size of a tile property differs from the tiles of the main plane. The game uses it for "
        "searches only.", {N, N, o}, NULL},
    [LVL_WWD_F_OBJECT_OUTSIDE] = {"wwd.object.outside",
        "An object is outside of its plane: the game drops it.", {W, W, N}, NULL},
    [LVL_WWD_F_OBJECT_NO_LOGIC] = {"wwd.object.no_logic",
        "An object without a logic: the game drops it.", {W, W, N}, NULL},
    [LVL_WWD_F_OBJECT_LOGIC] = {"wwd.object.unknown_logic",
        "The game has no logic of that name (case counts): it drops the object.", {W, W, N}, NULL},
    [LVL_WWD_F_OBJECT_CUSTOM] = {"wwd.object.custom_logic",
        "Objects whose logic is a Lua file of CrazyHook's; without CrazyHook the game drops them.",
        {N, N, o}, NULL},
    [LVL_WWD_F_OBJECT_TEXT] = {"wwd.object.text_overflow",
        "A text of 1024 bytes or more: the game overwrites its own memory with it and crashes.",
        {E, E, W}, NULL},
    [LVL_WWD_F_OBJECT_IMAGE_BLANK] = {"wwd.object.image_set_blank",
        "The name of an object's image set has a blank or a control character: no image set can have that "
        "name, and the game crashes.", {W, W, N}, NULL},
    [LVL_WWD_F_OBJECT_PLANE] = {"wwd.object.plane",
        "Objects on another plane than the main one: WapMap drops them when it saves.", {N, N, o}, NULL},
    [LVL_WWD_F_OBJECT_IDS] = {"wwd.object.duplicate_id",
        "Objects share an id. Games ignore ids; tools that find objects by id fail.", {N, N, o}, NULL},
    [LVL_WWD_F_OBJECT_FLAGS] = {"wwd.object.wapmap_flags",
        "Flags that WapMap cuts off when it saves (beyond 8 bits; 16 for type and hits).", {N, o, o}, NULL},
    [LVL_WWD_F_OBJECT_NO_IMAGES] = {"wwd.object.no_images",
        "The art has no such image set: the object is invisible or missing. Sets named CUSTOM_... come "
        "with the level: in the folder of its name beside it, or in Custom/NAME.", {W, W, N}, NULL},
    [LVL_WWD_F_OBJECT_NO_FRAME] = {"wwd.object.no_frame",
        "The image set in the art has no image of that number.", {N, N, o}, NULL},
};
/* clang-format on */
