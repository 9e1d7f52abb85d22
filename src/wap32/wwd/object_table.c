/*
 * wap32/wwd/object_table.c: the table of an object. Each logic may use the numbers in its own way; the prose
 * describes the common use.
 */
#include "wap32/formats.h"

#include <lvl/wwd.h>

static const lvl_name add_flags[] = {
    {0x01, "difficult", "Meant for a hard game. No game reads these flags."},
    {0x02, "eye_candy", "Decoration only."},
    {0x04, "high_detail", "For high detail."},
    {0x08, "multiplayer", "For several players."},
    {0x10, "extra_memory", "For machines with more memory."},
    {0x20, "fast_cpu", "For fast machines."},
    {0, NULL, NULL},
};

static const lvl_name dynamic_flags[] = {
    {0x1, "no_hit", "Nothing can hit it."},
    {0x2, "always_active", "It acts even far from the view."},
    {0x4, "safe", "It does no damage."},
    {0x8, "auto_hit_damage", "What touches it takes its damage."},
    {0, NULL, NULL},
};

static const lvl_name draw_flags[] = {
    {LVL_WWD_DRAW_HIDDEN, "no_draw", "Not drawn."},
    {LVL_WWD_DRAW_MIRROR, "mirror", "Drawn with left and right swapped."},
    {LVL_WWD_DRAW_INVERT, "invert", "Drawn upside down."},
    {LVL_WWD_DRAW_FLASH, "flash", "Blinks."},
    {0, NULL, NULL},
};

static const lvl_name user_flags[] = {
    {0x001, "flag_1", NULL}, {0x002, "flag_2", NULL},  {0x004, "flag_3", NULL},  {0x008, "flag_4", NULL},
    {0x010, "flag_5", NULL}, {0x020, "flag_6", NULL},  {0x040, "flag_7", NULL},  {0x080, "flag_8", NULL},
    {0x100, "flag_9", NULL}, {0x200, "flag_10", NULL}, {0x400, "flag_11", NULL}, {0x800, "flag_12", NULL},
    {0, NULL, NULL},
};

/* The editor writes 0x300 for user3 and 0x400 for user4, a bug; WapMap has these bits. */
static const lvl_name hit_flags[] = {
    {0x001, "generic", NULL},
    {0x002, "player", NULL},
    {0x004, "enemy", NULL},
    {0x008, "powerup", NULL},
    {0x010, "shot", NULL},
    {0x020, "p_shot", "A shot of the player."},
    {0x040, "e_shot", "A shot of an enemy."},
    {0x080, "special", NULL},
    {0x100, "user1", NULL},
    {0x200, "user2", NULL},
    {0x400, "user3", NULL},
    {0x800, "user4", NULL},
    {0xFFFFFFFF, "all", "Everything."},
    {0, NULL, NULL},
};

static const lvl_name directions[] = {
    {1, "down_left", NULL}, {2, "down", NULL}, {3, "down_right", NULL}, {4, "left", NULL}, {6, "right", NULL},
    {7, "up_left", NULL},   {8, "up", NULL},   {9, "up_right", NULL},   {0, NULL, NULL},
};

#define OBJ                     lvl_wwd_object
#define INT(m, at, ...)         LVL_ROW_INT(OBJ, m, #m, at, .prose = __VA_ARGS__)
#define UINT(m, at, ...)        LVL_ROW_UINT(OBJ, m, #m, at, .prose = __VA_ARGS__)
#define BITS(m, at, names, ...) LVL_ROW_FLAGS(OBJ, m, #m, at, names, .prose = __VA_ARGS__)
#define RECT(m, at, ...)        LVL_ROW_RECORD(OBJ, m, #m, at, &lvl_wwd_rect_table, .prose = __VA_ARGS__)
#define TEXT(m, ...)            LVL_ROW_TEXT(OBJ, m, #m, .prose = __VA_ARGS__)

static const lvl_field rect_fields[] = {
    LVL_ROW_INT(lvl_wwd_rect, left, "left", 0, .prose = "Left edge.", .roles = LVL_ROLE_LEFT),
    LVL_ROW_INT(lvl_wwd_rect, top, "top", 4, .prose = "Upper edge.", .roles = LVL_ROLE_TOP),
    LVL_ROW_INT(lvl_wwd_rect, right, "right", 8, .prose = "Right edge, inclusive.", .roles = LVL_ROLE_RIGHT),
    LVL_ROW_INT(lvl_wwd_rect, bottom, "bottom", 12, .prose = "Lower edge, inclusive.",
                .roles = LVL_ROLE_BOTTOM),
};

const lvl_table lvl_wwd_rect_table = {
    .name = "rect",
    .prose = "Four numbers. As a rectangle it is relative to the object's point (or the tile's corner), and "
             "left = right = 0 "
             "means that it isn't set; many logics use it as four numbers of other meaning.",
    LVL_TABLE_AS_ON_DISK(lvl_wwd_rect, rect_fields, sizeof(lvl_wwd_rect)),
};

/* clang-format off */
static const lvl_field object_fields[] = {
    INT(id, 0x00,
        "The editor's number of the object. Not unique in real levels; the game doesn't use it to find "
        "objects.", .roles = LVL_ROLE_ID),
    UINT(name_size, 0x04, "Bytes of the name.", .unit = "bytes", .role = LVL_DERIVED),
    UINT(logic_size, 0x08, "Bytes of the logic.", .unit = "bytes", .role = LVL_DERIVED),
    UINT(image_set_size, 0x0C, "Bytes of the image set.", .unit = "bytes", .role = LVL_DERIVED),
    UINT(animation_size, 0x10, "Bytes of the animation.", .unit = "bytes", .role = LVL_DERIVED),
    TEXT(name,
        "Note of the level's author. The game uses it only for CustomLogic, as the name of the Lua file. "
        "WapMap may append a NUL, a size and data of its own.", .roles = LVL_ROLE_NAME),
    TEXT(logic,
        "Name of the logic that controls the object, as registered in the game (case-sensitive). "
        "Objects with an empty or unknown logic never appear.", .group = LVL_GROUP_BEHAVIOUR, .common = true,
        .roles = LVL_ROLE_CLASS),
    TEXT(image_set, "Images that it is drawn with: PREFIX_FOLDER_…, or the folder of a tile set.",
        .group = LVL_GROUP_LOOK, .common = true, .use = LVL_USE_PICTURE, .roles = LVL_ROLE_PICTURE),
    TEXT(animation, "Animation (an ANI file) or sound that it starts with, by the same kind of key.",
        .group = LVL_GROUP_LOOK, .common = true, .use = LVL_USE_ANIMATION),
    INT(x, 0x14, "Position on the main plane. The game drops objects left of 0 or right of the plane.",
        .unit = "px", .group = LVL_GROUP_PLACE, .common = true, .roles = LVL_ROLE_X),
    INT(y, 0x18, "Position on the main plane. The game drops objects above 0 or below the plane.",
        .unit = "px", .group = LVL_GROUP_PLACE, .common = true, .roles = LVL_ROLE_Y),
    INT(z, 0x1C,
        "Drawing order: greater is nearer. Compared with the planes' z when the level's flag use_z is set.",
        .group = LVL_GROUP_PLACE, .common = true, .roles = LVL_ROLE_ORDER),
    INT(i, 0x20, "Number of the image in the image set; -1: the lowest there is.", .def = -1,
        .group = LVL_GROUP_LOOK, .common = true, .roles = LVL_ROLE_NUMBER),
    BITS(add_flags, 0x24, add_flags, "When to add the object. No game reads it.",
        .group = LVL_GROUP_BEHAVIOUR),
    BITS(dynamic_flags, 0x28, dynamic_flags, "Behaviour of the object.", .group = LVL_GROUP_BEHAVIOUR),
    BITS(draw_flags, 0x2C, draw_flags, "How it is drawn.", .group = LVL_GROUP_LOOK, .common = true,
        .roles = LVL_ROLE_FLIP),
    BITS(user_flags, 0x30, user_flags, "Flags for the logic.",
        .group = LVL_GROUP_BEHAVIOUR),
    INT(score, 0x34, "Score for it.", .unit = "points", .group = LVL_GROUP_BEHAVIOUR, .common = true),
    INT(points, 0x38, "Points; the meaning depends on the logic.", .group = LVL_GROUP_BEHAVIOUR),
    INT(powerup, 0x3C,
        "Number of an item: what an enemy drops, or the first item in a crate. "
        "For others the meaning depends on the logic.", .group = LVL_GROUP_BEHAVIOUR, .common = true),
    INT(damage, 0x40, "Damage it does; volume in percent for ambient sounds.",
        .group = LVL_GROUP_BEHAVIOUR, .common = true),
    INT(smarts, 0x44,
        "Intelligence of enemies, duration of a power-up, number of times that a sound plays; "
        "depends on the logic.", .group = LVL_GROUP_BEHAVIOUR, .common = true),
    INT(health, 0x48, "Health points; 0 usually means the default of the logic.",
        .group = LVL_GROUP_BEHAVIOUR, .common = true),
    RECT(move_rect, 0x4C,
        "Box for movement, against tiles; time ranges of ambient sounds; steps of a PathElevator.",
        .group = LVL_GROUP_BEHAVIOUR),
    RECT(hit_rect, 0x5C, "Box in which it can be hit; replaces the logic's own when set.",
        .group = LVL_GROUP_BEHAVIOUR, .common = true),
    RECT(attack_rect, 0x6C, "Box in which it hits others; replaces the logic's own when set.",
        .group = LVL_GROUP_BEHAVIOUR, .common = true),
    RECT(clip_rect, 0x7C, "Box that its image is cut to.", .group = LVL_GROUP_LOOK),
    RECT(user_rect1, 0x8C, "Four numbers for the logic: items 2 to 5 of a crate, further drops of an enemy.",
        .group = LVL_GROUP_BEHAVIOUR),
    RECT(user_rect2, 0x9C, "Four numbers for the logic: items 6 to 9 of a crate, further drops of an enemy.",
        .group = LVL_GROUP_BEHAVIOUR),
    INT(user1, 0xAC, "A number for the logic; 1 makes an enemy stand still.", .group = LVL_GROUP_BEHAVIOUR),
    INT(user2, 0xB0, "A number for the logic.", .group = LVL_GROUP_BEHAVIOUR),
    INT(user3, 0xB4, "A number for the logic.", .group = LVL_GROUP_BEHAVIOUR),
    INT(user4, 0xB8, "A number for the logic.", .group = LVL_GROUP_BEHAVIOUR),
    INT(user5, 0xBC, "A number for the logic.", .group = LVL_GROUP_BEHAVIOUR),
    INT(user6, 0xC0, "A number for the logic.", .group = LVL_GROUP_BEHAVIOUR),
    INT(user7, 0xC4, "A number for the logic.", .group = LVL_GROUP_BEHAVIOUR),
    INT(user8, 0xC8, "A number for the logic.", .group = LVL_GROUP_BEHAVIOUR),
    INT(min_x, 0xCC, "Left end of its patrol, travel or area.", .unit = "px",
        .group = LVL_GROUP_PLACE, .common = true, .roles = LVL_ROLE_LEFT),
    INT(min_y, 0xD0, "Upper end of its patrol, travel or area.", .unit = "px", .group = LVL_GROUP_PLACE,
        .roles = LVL_ROLE_TOP),
    INT(max_x, 0xD4, "Right end of its patrol, travel or area.", .unit = "px",
        .group = LVL_GROUP_PLACE, .common = true, .roles = LVL_ROLE_RIGHT),
    INT(max_y, 0xD8, "Lower end of its patrol, travel or area.", .unit = "px", .group = LVL_GROUP_PLACE,
        .roles = LVL_ROLE_BOTTOM),
    INT(speed_x, 0xDC,
        "Speed to the side in px/s; the destination of warps, bosses and crates; time on of pegs.",
        .group = LVL_GROUP_BEHAVIOUR, .common = true, .roles = LVL_ROLE_DEST_X),
    INT(speed_y, 0xE0,
        "Speed up and down in px/s; the destination of warps, bosses and crates; time off of pegs.",
        .group = LVL_GROUP_BEHAVIOUR, .common = true, .roles = LVL_ROLE_DEST_Y),
    INT(tweak_x, 0xE4, "Horizontal shift of the image; depends on the logic.", .unit = "px",
        .group = LVL_GROUP_LOOK),
    INT(tweak_y, 0xE8, "Vertical shift of the image; depends on the logic.", .unit = "px",
        .group = LVL_GROUP_LOOK),
    INT(counter, 0xEC, "A count or time for the logic.", .group = LVL_GROUP_BEHAVIOUR),
    INT(speed, 0xF0, "Speed of a PathElevator, delay of toggle pegs; depends on the logic.",
        .group = LVL_GROUP_BEHAVIOUR),
    INT(width, 0xF4, "Width for the logic.", .unit = "px", .group = LVL_GROUP_PLACE),
    INT(height, 0xF8, "Height for the logic.", .unit = "px", .group = LVL_GROUP_PLACE),
    INT(direction, 0xFC, "Direction, as on the numeric keypad.", .names = directions,
        .group = LVL_GROUP_BEHAVIOUR),
    INT(face_direction, 0x100, "Direction that it faces, as on the numeric keypad.", .names = directions,
        .group = LVL_GROUP_LOOK),
    INT(time_delay, 0x104, "A time for the logic.", .unit = "ms", .group = LVL_GROUP_BEHAVIOUR),
    INT(frame_delay, 0x108, "Time an image is shown.", .unit = "ms", .group = LVL_GROUP_LOOK),
    BITS(object_type, 0x10C, hit_flags,
        "Kind of object in collision tests; 0: as its logic sets it. The editor writes 0x300 where it shows "
        "user3 and 0x400 where it shows user4.", .group = LVL_GROUP_BEHAVIOUR),
    BITS(hit_type, 0x110, hit_flags, "Kinds of objects that can hit it; 0: as its logic sets it.",
        .group = LVL_GROUP_BEHAVIOUR),
    INT(move_res_x, 0x114, "Horizontal step of movement; used only above 0.", .unit = "px",
        .group = LVL_GROUP_BEHAVIOUR),
    INT(move_res_y, 0x118, "Vertical step of movement; used only above 0.", .unit = "px",
        .group = LVL_GROUP_BEHAVIOUR),
};
/* clang-format on */

#define AT(m) (uint32_t) offsetof(OBJ, m)
/* from strict to loose, since ids repeat in most levels */
static const lvl_identity object_identities[] = {
    {4, {AT(id), AT(logic), AT(x), AT(y)}},  {4, {AT(logic), AT(image_set), AT(x), AT(y)}},
    {3, {AT(id), AT(logic), AT(image_set)}}, {2, {AT(id), AT(logic)}},
    {3, {AT(logic), AT(x), AT(y)}},          {3, {AT(id), AT(x), AT(y)}},
};

const lvl_table lvl_wwd_object_table = {
    .name = "object",
    .prose = "Something on a plane: an enemy, a treasure, a lift, a sound, a bush. 284 bytes, then the four "
             "texts without "
             "terminators.",
    LVL_TABLE_AS_ON_DISK(OBJ, object_fields, LVL_WWD_OBJECT_SIZE),
    .identities = object_identities,
    .identity_count = LVL_COUNT_OF(object_identities),
    .label = "logic",
};
