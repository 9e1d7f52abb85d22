/*
 * wap32/wwd_names.c: names of flags and values.
 */
#include "wap32/wwd_names.h"

#include <lvl/wwd.h>

const lvl_name lvl_wwd_header_flags[] = {
    {LVL_WWD_USE_Z, "use_z",
     "Objects are drawn between the planes by their z; without it all of them follow the main plane."},
    {LVL_WWD_COMPRESS, "compress", "The main block is one zlib stream."},
    {0, NULL, NULL},
};

const lvl_name lvl_wwd_plane_flags[] = {
    {LVL_WWD_PLANE_MAIN, "main", "The main plane: it has the objects, and its tiles act on them."},
    {LVL_WWD_PLANE_NO_DRAW, "no_draw", "The plane is not drawn."},
    {LVL_WWD_PLANE_WRAP_X, "wrap_x", "Tiles repeat to the left and right without end."},
    {LVL_WWD_PLANE_WRAP_Y, "wrap_y", "Tiles repeat up and down without end."},
    {LVL_WWD_PLANE_AUTO_TILE_SIZE, "auto_tile_size",
     "The game takes the tile size from the first tile's image."},
    {0, NULL, NULL},
};

const lvl_name lvl_wwd_add_flags[] = {
    {0x01, "difficult", "Meant for a hard game. No game reads these flags."},
    {0x02, "eye_candy", "Decoration only."},
    {0x04, "high_detail", "For high detail."},
    {0x08, "multiplayer", "For several players."},
    {0x10, "extra_memory", "For machines with more memory."},
    {0x20, "fast_cpu", "For fast machines."},
    {0, NULL, NULL},
};

const lvl_name lvl_wwd_dynamic_flags[] = {
    {0x1, "no_hit", "Nothing can hit it."},
    {0x2, "always_active", "It acts even far from the view."},
    {0x4, "safe", "It does no damage."},
    {0x8, "auto_hit_damage", "What touches it takes its damage."},
    {0, NULL, NULL},
};

const lvl_name lvl_wwd_draw_flags[] = {
    {LVL_WWD_DRAW_HIDDEN, "no_draw", "Not drawn."},
    {LVL_WWD_DRAW_MIRROR, "mirror", "Drawn with left and right swapped."},
    {LVL_WWD_DRAW_INVERT, "invert", "Drawn upside down."},
    {LVL_WWD_DRAW_FLASH, "flash", "Blinks."},
    {0, NULL, NULL},
};

const lvl_name lvl_wwd_user_flags[] = {
    {0x001, "flag_1", NULL}, {0x002, "flag_2", NULL},  {0x004, "flag_3", NULL},  {0x008, "flag_4", NULL},
    {0x010, "flag_5", NULL}, {0x020, "flag_6", NULL},  {0x040, "flag_7", NULL},  {0x080, "flag_8", NULL},
    {0x100, "flag_9", NULL}, {0x200, "flag_10", NULL}, {0x400, "flag_11", NULL}, {0x800, "flag_12", NULL},
    {0, NULL, NULL},
};

/* The editor itself writes 0x300 for user3 and 0x400 for user4, which is its bug; as bits they are these
 * (WapMap counts so too). */
const lvl_name lvl_wwd_hit_flags[] = {
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

const lvl_name lvl_wwd_directions[] = {
    {1, "down_left", NULL}, {2, "down", NULL}, {3, "down_right", NULL}, {4, "left", NULL}, {6, "right", NULL},
    {7, "up_left", NULL},   {8, "up", NULL},   {9, "up_right", NULL},   {0, NULL, NULL},
};

const lvl_name lvl_wwd_tile_types[] = {
    {LVL_WWD_TILE_SINGLE, "single", "One attribute for the whole tile."},
    {LVL_WWD_TILE_DOUBLE, "double", "One attribute inside a rectangle, another outside of it."},
    {LVL_WWD_TILE_MASK, "mask", "An attribute for each pixel."},
    {0, NULL, NULL},
};

const lvl_name lvl_wwd_checksum_rules[] = {
    {LVL_WWD_CHECKSUM_GAME, "game", "As WapWorld and the Gruntz editor count."},
    {LVL_WWD_CHECKSUM_WAPMAP, "wapmap", "As WapMap counts: the editor's sum less 40."},
    {LVL_WWD_CHECKSUM_LIBWAP32, "libwap32", "As libwap32 counts: over the inflated block."},
    {LVL_WWD_CHECKSUM_OTHER, "other", "No known rule gives the number in the file; it is kept."},
    {0, NULL, NULL},
};

const lvl_name lvl_wwd_compressions[] = {
    {LVL_WWD_ZLIB_EDITOR, "editor", "zlib level 6 (begins 78 9c), as WapWorld and the Gruntz editor."},
    {LVL_WWD_ZLIB_BEST, "best", "zlib level 9 (begins 78 da), as WapMap."},
    {0, NULL, NULL},
};

const lvl_name lvl_wwd_block_types[] = {
    {0, "start", "First block: the trailer's size."},
    {1, "end", "Last block: the trailer's size, found from the end."},
    {2, "header", "Program and version that saved the level."},
    {3, "guides", "Guide lines."},
    {4, "favourites", "Marked places."},
    {0, NULL, NULL},
};

/* Gruntz: the fields of its editor; the values have one meaning for both games only up to 4. */
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
