/*
 * wap32/wwd/findings.c: the findings of a WWD, their severities, and what repair does. An error means that
 * the game or a careful reader fails on that part; anything the game accepts is a warning or a note.
 */
#include "wap32/wwd/findings.h"

#define FINDING_INDEX(name) LVL_WWD_F_##name
#include "base/finding_rows.h"

/* clang-format off */
const lvl_finding_def lvl_wwd_findings[LVL_WWD_F_COUNT] = {
    FINDING(HEADER_CUT, "wwd.header.cut", F, F, F, "The file ends inside its header: no plane is left.")
    REPAIRED(HEADER_SIZE, "wwd.header.size", E, E, W,
        "The size in the header is not 0x5F4. The game refuses a larger one and cuts the header at a "
        "smaller one.",
        "sets it to 0x5F4")
    REPAIRED(COMPRESS_FLAG, "wwd.header.compress", E, E, W,
        "The flag for a compressed main block is wrong; the game loads garbage or nothing.",
        "sets the flag to what the main block is")
    REPAIRED(STREAM_TRUNCATED, "wwd.stream.truncated", E, E, E,
        "The file ends inside the compressed main block. The game does not load the level.",
        "keeps everything before the break; tiles after it become empty, objects after it are gone")
    REPAIRED(STREAM_CORRUPT, "wwd.stream.corrupt", E, E, E,
        "The compressed main block is damaged inside. The game does not load the level.",
        "keeps everything before the break; tiles after it become empty, objects after it are gone")
    REPAIRED(STREAM_CHECKSUM, "wwd.stream.checksum", E, E, E,
        "The Adler-32 at the end of the compressed main block is wrong: some bytes in it may be, too. The "
        "game does not load the level.",
        "keeps all the bytes and compresses them again")
    REPAIRED(INFLATED_SIZE, "wwd.header.inflated_size", E, E, W,
        "The size of the inflated main block in the header is wrong. The game does not load the level.",
        "sets the size")
    REPAIRED(INFLATE_RATIO, "wwd.header.inflate_ratio", E, E, E,
        "The size in the header is larger than the compressed main block can inflate to.",
        "sets the size")
    REPAIRED(OFFSET_WRONG, "wwd.offset.wrong", E, E, E,
        "An offset does not point to its data, which is where editors put it. The game reads garbage.",
        "sets the offset")
    FINDING(LAYOUT, "wwd.offset.order", N, N, N,
        "The parts of the main block are not in the order in which editors write them. Games follow the "
        "offsets.")
    REPAIRED(OVERLAP, "wwd.offset.overlap", W, W, N,
        "Parts of the main block overlap: an edit of one changes the other.",
        "writes each part separately")
    FINDING(GAP, "wwd.gap", W, N, N,
        "Bytes of the main block that no offset points to. Games ignore them; they are kept.")
    FINDING(GAP_CONTENT, "wwd.gap.content", E, E, E,
        "Bytes of the main block that no offset points to, enough for a record. Games ignore them; they "
        "are kept. `lvl set FILE --unset gaps` removes them.")
    REPAIRED(COUNT_HIDES, "wwd.count.hides", E, E, E,
        "A count is too low: the file has more records, and games ignore the rest.",
        "sets the count to the records in the file")
    REPAIRED(TILES_SHAPE, "wwd.tiles.shape", E, E, E,
        "A plane's columns and rows do not match its tiles: games read other bytes as tiles.",
        "sets the columns and rows that fit the tiles and the plane's other numbers")
    REPAIRED(OBJECT_LENGTH, "wwd.object.length", E, E, E,
        "A text length of an object is wrong: games read this object and all after it as other objects.",
        "sets the lengths so that the next object follows")
    REPAIRED(OBJECTS_SKIPPED, "wwd.objects.skipped", E, E, E,
        "Bytes between the objects of a plane are not an object. Reading continues at the next object; an "
        "edit keeps the bytes.",
        "removes the bytes")
    REPAIRED(PLANES_CUT, "wwd.planes.cut", E, E, E,
        "Planes that the header declares are missing.",
        "sets the count to the planes in the file")
    REPAIRED(TILES_CUT, "wwd.tiles.cut", E, E, E,
        "Tiles of a plane are missing.",
        "adds the missing rows, empty, or, if they are too many, sets the count to those in the file")
    REPAIRED(IMAGE_SETS_CUT, "wwd.image_sets.cut", E, E, E,
        "Image set names of a plane are missing.",
        "sets the count to the names in the file")
    REPAIRED(OBJECTS_CUT, "wwd.objects.cut", E, E, E,
        "Objects that a plane declares are missing.",
        "sets the count to the objects in the file")
    REPAIRED(PROPERTIES_CUT, "wwd.tile_properties.cut", E, E, E,
        "Tile properties that the table declares are missing: the game reads past the end.",
        "adds single, clear properties up to the highest tile in use")
    REPAIRED(PROPERTY_TYPE, "wwd.tile_properties.type", E, E, E,
        "A tile property is neither single, double nor mask; what follows cannot be read, and the game "
        "does not load the level.",
        "adds single, clear properties up to the highest tile in use")
    REPAIRED(CHECKSUM_MISMATCH, "wwd.checksum.mismatch", W, W, N,
        "The checksum matches no known rule: the level was changed by a program that does not update it. "
        "Games load it anyway, but Gruntz identifies levels by this number, so two players may have "
        "different levels that look the same to it.",
        "computes it as the game's editor does")
    FINDING(CHECKSUM_RULE, "wwd.checksum.rule", N, N, o,
        "The checksum is computed as another tool does, not as the game's editor. Games ignore this.")
    FINDING(TRAILING, "wwd.trailing", W, N, N,
        "Bytes of unknown origin after the main block, such as a line end from a transfer as text. Games "
        "ignore them; they are kept.")
    FINDING(NAME_OVERFLOW, "wwd.header.name_overflow", E, E, W,
        "The level's name has no NUL within its 64 bytes: the game copies beyond it and overwrites its own "
        "memory.")
    FINDING(UNTERMINATED, "wwd.header.unterminated", E, W, N,
        "A text fills its slot without a NUL at its end: editors read into the next slot.")
    FINDING(DIRTY_SLOT, "wwd.slot.dirty", N, N, N,
        "Bytes after the NUL that ends a text. Programs ignore them; they are kept.")
    FINDING(UNKNOWN_VALUE, "wwd.unknown", W, N, N,
        "A number of unknown meaning that is 0 in known files is not 0.")
    FINDING(HEADER_FLAGS, "wwd.header.flags", W, N, N, "The level has unknown flags.")
    FINDING(BASE_LEVEL, "wwd.name.base_level", W, W, N,
        "The level's name has no number of a base level that the game has: it finds no tiles and images.")
    FINDING(BASE_MISMATCH, "wwd.name.base_mismatch", W, W, N,
        "The number in the level's name differs from the one in image_dir: the editor shows one tile set, "
        "the game uses another.")
    FINDING(START_OUTSIDE, "wwd.start.outside", W, W, N, "The player starts outside of the main plane.")
    FINDING(MAIN_PLANES, "wwd.planes.main", E, E, W,
        "There must be one main plane; the game cannot play a level without one, and uses one of several.")
    REPAIRED(PLANE_SIZE, "wwd.plane.header_size", E, E, W,
        "The size in a plane header is not 160: the game does not load the level.",
        "sets it to 160")
    FINDING(PLANE_FLAGS, "wwd.plane.flags", N, N, o,
        "A plane has unknown flags, which the original editor leaves by mistake. Games ignore them.")
    REPAIRED(PIXEL_SIZE, "wwd.plane.pixel_size", W, N, o,
        "A plane's size in pixels does not match its tiles. No game reads it.",
        "sets it")
    FINDING(TILE_SIZE, "wwd.plane.tile_size", W, W, N,
        "A plane's tile size is not a power of two: the game draws it wrong.")
    FINDING(FILL_COLOR, "wwd.plane.fill_color", N, N, o,
        "A fill colour beyond the palette: the game takes its low byte, WapMap cuts it to 255.")
    FINDING(IMAGE_SET_NAME, "wwd.image_set.name", E, E, N,
        "A plane's image set name has a character at which the game splits it in two: it does not find the "
        "set and crashes on the first tile.")
    FINDING(IMAGE_SET_UNREACHED, "wwd.image_set.unreached", W, N, o,
        "A plane has several image sets; the game uses only the first.")
    FINDING(IMAGE_SET_NONE, "wwd.image_set.none", E, E, N,
        "A plane has tiles but no image set to draw them from: the game may crash.")
    REPAIRED(TILE_WITHOUT_PROPERTY, "wwd.tile.no_property", E, E, N,
        "Tiles of the main plane beyond the tile properties: if the player touches one, the game reads "
        "past the table, and may crash.",
        "adds properties: single, clear, with the size of the last one")
    FINDING(TILE_OTHER_SET, "wwd.tile.other_set", E, E, N,
        "Tile numbers of an image set that the plane does not have: the game crashes when they come into "
        "view.")
    FINDING(TILE_NO_IMAGE, "wwd.tile.no_image", E, E, N,
        "Tiles that the art has no image for: the game crashes when they come into view.")
    REPAIRED(PROPERTIES_HEADER, "wwd.tile_properties.header_size", E, E, W,
        "The size in the header of the tile properties is not 32.",
        "sets it to 32")
    FINDING(MASK_SHAPE, "wwd.tile_properties.mask", E, E, N,
        "A mask that is not a square with a power of two as its side: the game does not load the level.")
    FINDING(ATTRIBUTE, "wwd.tile_properties.attribute", W, N, o,
        "A tile attribute that the game does not know and treats as clear.")
    FINDING(PROPERTY_RECT, "wwd.tile_properties.rect", W, N, o,
        "The inner rectangle of a tile reaches outside of the tile, where it has no effect.")
    FINDING(PROPERTY_SIZE, "wwd.tile_properties.size", N, N, o,
        "The size of a tile property differs from the tiles of the main plane. The game uses it for "
        "searches only.")
    FINDING(OBJECT_OUTSIDE, "wwd.object.outside", W, W, N,
        "An object is outside of its plane: the game drops it.")
    FINDING(OBJECT_NO_LOGIC, "wwd.object.no_logic", W, W, N,
        "An object without a logic: the game drops it.")
    FINDING(OBJECT_LOGIC, "wwd.object.unknown_logic", W, W, N,
        "The game has no logic of that name (case counts): it drops the object.")
    FINDING(OBJECT_CUSTOM, "wwd.object.custom_logic", N, N, o,
        "Objects whose logic is a Lua file of CrazyHook's; without CrazyHook the game drops them.")
    FINDING(OBJECT_NO_SCRIPT, "wwd.object.no_script", W, W, N,
        "An object of CustomLogic whose name is not a Lua file in the folder LOGICS of the level: CrazyHook shows a message and "
        "removes the object.")
    FINDING(OBJECT_NO_SOUND, "wwd.object.no_sound", W, W, N,
        "An object names a sound that neither the game nor the level has: players hear nothing. Keys "
        "that begin with CUSTOM_ are those of files in the folder SOUNDS of the level.")
    FINDING(OBJECT_NO_ANIMATION, "wwd.object.no_animation", W, W, N,
        "An object names an animation that neither the game nor the level has: the object does not "
        "play it.")
    FINDING(OBJECT_SPARE_ANIMATION, "wwd.object.spare_animation", N, N, o,
        "The same for an object that has an animation without a key, too. Claw's own first level has such "
        "objects.")
    FINDING(OBJECT_TEXT, "wwd.object.text_overflow", E, E, W,
        "A text of 1024 bytes or more: the game overwrites its own memory with it and crashes.")
    FINDING(OBJECT_IMAGE_BLANK, "wwd.object.image_set_blank", E, E, N,
        "The name of an object's image set has a blank or a control character: no image set can have that "
        "name, and the game crashes.")
    FINDING(OBJECT_PLANE, "wwd.object.plane", N, N, o,
        "Objects on another plane than the main one: WapMap drops them when it saves.")
    FINDING(OBJECT_IDS, "wwd.object.duplicate_id", N, N, o,
        "Objects share an id. Games ignore ids; tools that find objects by id fail.")
    FINDING(OBJECT_FLAGS, "wwd.object.wapmap_flags", N, o, o,
        "Flags that WapMap cuts off when it saves (beyond 8 bits; 16 for type and hits).")
    FINDING(OBJECT_NO_IMAGES, "wwd.object.no_images", W, W, N,
        "The art has no such image set: the object is invisible or missing. Sets named CUSTOM_... come "
        "with the level: in the folder of its name beside it, or in Custom/NAME.")
    FINDING(OBJECT_NO_FRAME, "wwd.object.no_frame", N, N, o,
        "The image set in the art has no image of that number.")
};
/* clang-format on */
