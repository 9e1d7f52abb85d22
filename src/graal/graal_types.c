/*
 * graal/graal_types.c: see graal_types.h.
 */
#include "graal/graal_types.h"

#include "graal/graal_colors_data.h"
#include "graal/graal_types_data.h"

#include <string.h>

/* In the data, a letter each. 10 is in the New World's table; its meaning is unknown. */
static const struct {
    char letter;
    uint8_t type;
} letters[] = {
    {'#', LVL_GRAAL_TYPE_BLOCK},      {'.', LVL_GRAAL_TYPE_NONE},
    {'t', LVL_GRAAL_TYPE_THROW},      {'~', LVL_GRAAL_TYPE_WATER},
    {'L', LVL_GRAAL_TYPE_LAVA},       {'-', LVL_GRAAL_TYPE_NEAR_WATER},
    {'c', LVL_GRAAL_TYPE_CHAIR},      {'o', 10},
    {'j', LVL_GRAAL_TYPE_JUMP},       {'s', LVL_GRAAL_TYPE_SWAMP},
    {'l', LVL_GRAAL_TYPE_LAVA_SWAMP}, {'=', LVL_GRAAL_TYPE_SHALLOW},
    {'h', LVL_GRAAL_TYPE_HURT},       {'B', LVL_GRAAL_TYPE_BED_TOP},
    {'b', LVL_GRAAL_TYPE_BED},
};

unsigned lvl_graal_tile_type(lvl_graal_rules rules, uint32_t tile)
{
    if (tile >= LVL_GRAAL_TILES || rules == LVL_GRAAL_NO_RULES)
        return LVL_GRAAL_TYPE_NONE;
    /* the data is drawn like the tileset */
    const char letter =
        (rules == LVL_GRAAL_CLASSIC ? classic
                                    : new_world)[lvl_graal_tile_row(tile)][lvl_graal_tile_column(tile)];
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        if (letters[i].letter == letter)
            return letters[i].type;
    }
    return LVL_GRAAL_TYPE_NONE;
}

lvl_tile_class lvl_graal_type_class(unsigned type)
{
    switch (type) {
    case LVL_GRAAL_TYPE_HURT:
    case LVL_GRAAL_TYPE_LAVA_SWAMP:
    case LVL_GRAAL_TYPE_LAVA: return LVL_LOOK_DEATH;
    case LVL_GRAAL_TYPE_CHAIR:
    case LVL_GRAAL_TYPE_BED_TOP:
    case LVL_GRAAL_TYPE_BED: return LVL_LOOK_REST;
    case LVL_GRAAL_TYPE_SWAMP:
    case LVL_GRAAL_TYPE_NEAR_WATER:
    case LVL_GRAAL_TYPE_SHALLOW: return LVL_LOOK_WADE;
    case LVL_GRAAL_TYPE_WATER: return LVL_LOOK_WATER;
    case LVL_GRAAL_TYPE_THROW: return LVL_LOOK_LOW;
    case LVL_GRAAL_TYPE_JUMP: return LVL_LOOK_JUMP;
    case LVL_GRAAL_TYPE_BLOCK: return LVL_LOOK_SOLID;
    case LVL_GRAAL_TYPE_NONE: return LVL_LOOK_CLEAR;
    default: return LVL_LOOK_OTHER;
    }
}

unsigned lvl_graal_classes(void)
{
    unsigned looks = 0;

    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        looks |= 1u << lvl_graal_type_class(letters[i].type);
    return looks & ~(1u << LVL_LOOK_CLEAR);
}

/* Six bits, by the alphabet that text levels write tiles in, to eight. */
static uint8_t value_of(char letter)
{
    unsigned v = 0;

    if (letter >= 'A' && letter <= 'Z')
        v = (unsigned)(letter - 'A');
    else if (letter >= 'a' && letter <= 'z')
        v = (unsigned)(letter - 'a') + 26;
    else if (letter >= '0' && letter <= '9')
        v = (unsigned)(letter - '0') + 52;
    else
        v = letter == '+' ? 62 : 63;
    return (uint8_t)(v << 2 | v >> 4);
}

void lvl_graal_tile_colour(uint32_t tile, uint8_t rgb[3])
{
    memset(rgb, 0, 3);
    if (tile >= LVL_GRAAL_TILES)
        return;
    const char *p = &colours[lvl_graal_tile_row(tile)][lvl_graal_tile_column(tile) * 3];
    for (int c = 0; c < 3; c++)
        rgb[c] = value_of(p[c]);
}
