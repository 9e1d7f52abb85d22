/*
 * The list of sprites: where each lies in the archive, its frames, and how it moves.
 */
#include "gen.h"
#include "sprites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const sprite gen_sprites[] = {
    {"CLAW/IMAGES/APPRENTICE", "CLAW_APPRENTICE", draw_apprentice, 0, 2, 0, 0, 400},
    {"LEVEL1/IMAGES/HERMIT", "LEVEL_HERMIT", draw_hermit, 0, 4, 0, -2, 140},
    {"LEVEL1/IMAGES/CRAB", "LEVEL_CRAB", draw_crab, 0, 4, 0, 0, 110},
    {"LEVEL1/IMAGES/GULL", "LEVEL_GULL", draw_gull, 0, 4, 0, 0, 120},
    {"LEVEL1/IMAGES/FISH", "LEVEL_FISH", draw_fish, 0, 2, 0, 0, 150},
    {"LEVEL1/IMAGES/LANTERN", "LEVEL_LANTERN", draw_lantern, 0, 2, 12, 0, 200},
    {"LEVEL1/IMAGES/SIGNPOST", "LEVEL_SIGNPOST", draw_signpost, 0, 1, 0, 0, 0},
    {"LEVEL1/IMAGES/LIFT", "LEVEL_LIFT", draw_lift, 0, 1, 0, 0, 0},
    {"LEVEL1/IMAGES/FLOORSPIKE", "LEVEL_FLOORSPIKE", draw_floor_spike, 0, 4, 0, 0, 90},
    {"LEVEL1/IMAGES/PINE", "LEVEL_PINE", draw_pine_tree, 0, 1, 0, 0, 0},
    {"LEVEL1/IMAGES/BUSH", "LEVEL_BUSH", draw_bush, 0, 2, 0, 0, 0},
    {"LEVEL1/IMAGES/ROWBOAT", "LEVEL_ROWBOAT", draw_rowboat, 0, 1, 0, 0, 0},
    {"LEVEL1/IMAGES/ANCHOR", "LEVEL_ANCHOR", draw_anchor, 0, 1, 0, 0, 0},
    {"LEVEL1/IMAGES/FENCE", "LEVEL_FENCE", draw_fence, 0, 1, 0, 0, 0},
    {"LEVEL1/IMAGES/CRATES", "LEVEL_CRATES", draw_crate, 0, 2, 0, 0, 0},
    {"LEVEL1/IMAGES/BARREL", "LEVEL_BARREL", draw_barrel, 0, 1, 0, 0, 0},
    {"GAME/IMAGES/CHECKPOINTFLAG", "GAME_CHECKPOINTFLAG", draw_flag, 0, 4, 12, 0, 120},
    {"GAME/IMAGES/TREASURE/COINS", "GAME_TREASURE_COINS", draw_coin, 0, 6, 0, 0, 90},
    {"GAME/IMAGES/TREASURE/GEMS_RED", "GAME_TREASURE_GEMS_RED", draw_gem, 0, 1, 0, 0, 0},
    {"GAME/IMAGES/TREASURE/GEMS_GREEN", "GAME_TREASURE_GEMS_GREEN", draw_gem, 1, 1, 0, 0, 0},
    {"GAME/IMAGES/TREASURE/GEMS_BLUE", "GAME_TREASURE_GEMS_BLUE", draw_gem, 2, 1, 0, 0, 0},
    {"GAME/IMAGES/TREASURE/GEMS_PURPLE", "GAME_TREASURE_GEMS_PURPLE", draw_gem, 3, 1, 0, 0, 0},
    {"GAME/IMAGES/TREASURE/CHALICE", "GAME_TREASURE_CHALICE", draw_chalice, 0, 1, 0, 0, 0},
    {"GAME/IMAGES/HEALTH/POTION", "GAME_HEALTH_POTION", draw_potion, 0, 2, 0, 0, 250},
    {"GAME/IMAGES/MAPPIECE", "GAME_MAPPIECE", draw_map_piece, 0, 1, 0, 0, 0},
    {"GAME/IMAGES/GLINT", "GAME_GLINT", draw_glint, 0, 4, 0, 0, 80},
    {"AREA1/IMAGEZ/GARDENER", "LEVEL_GARDENER", draw_gardener, 0, 2, 0, 0, 0},
    {"AREA1/IMAGEZ/PENNANT", "LEVEL_PENNANT", draw_switch, 0, 1, 0, 0, 0},
};
const int gen_sprite_count = (int)(sizeof(gen_sprites) / sizeof(gen_sprites[0]));

const sprite *gen_sprite_find(const char *set)
{
    for (int i = 0; i < gen_sprite_count; i++)
        if (strcmp(gen_sprites[i].set, set) == 0)
            return &gen_sprites[i];
    fprintf(stderr, "samples: no sprite %s\n", set);
    exit(1);
}
