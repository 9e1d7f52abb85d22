/*
 * graal/tiles/graal_types.c: see graal_types.h.
 */
#include "graal/tiles/graal_types.h"

#include "graal/tiles/graal_colors_data.h"
#include "graal/tiles/graal_types_data.h"

#include <string.h>

/* The letters of the data. Type 10 is in the New World's table; its meaning is unknown. */
static const struct {
    char letter;
    uint8_t type;
    lvl_tile_class kind;
} types[] = {
    {'#', LVL_GRAAL_TYPE_BLOCK, LVL_LOOK_SOLID},      {'.', LVL_GRAAL_TYPE_NONE, LVL_LOOK_CLEAR},
    {'t', LVL_GRAAL_TYPE_THROW, LVL_LOOK_LOW},        {'~', LVL_GRAAL_TYPE_WATER, LVL_LOOK_WATER},
    {'L', LVL_GRAAL_TYPE_LAVA, LVL_LOOK_DEATH},       {'-', LVL_GRAAL_TYPE_NEAR_WATER, LVL_LOOK_WADE},
    {'c', LVL_GRAAL_TYPE_CHAIR, LVL_LOOK_REST},       {'o', 10, LVL_LOOK_OTHER},
    {'j', LVL_GRAAL_TYPE_JUMP, LVL_LOOK_JUMP},        {'s', LVL_GRAAL_TYPE_SWAMP, LVL_LOOK_WADE},
    {'l', LVL_GRAAL_TYPE_LAVA_SWAMP, LVL_LOOK_DEATH}, {'=', LVL_GRAAL_TYPE_SHALLOW, LVL_LOOK_WADE},
    {'h', LVL_GRAAL_TYPE_HURT, LVL_LOOK_DEATH},       {'B', LVL_GRAAL_TYPE_BED_TOP, LVL_LOOK_REST},
    {'b', LVL_GRAAL_TYPE_BED, LVL_LOOK_REST},
};

unsigned lvl_graal_tile_type(lvl_graal_rules rules, uint32_t tile)
{
    if (tile >= LVL_GRAAL_TILES || rules == LVL_GRAAL_NO_RULES)
        return LVL_GRAAL_TYPE_NONE;
    const char letter =
        (rules == LVL_GRAAL_CLASSIC ? classic
                                    : new_world)[lvl_graal_tile_row(tile)][lvl_graal_tile_column(tile)];
    for (size_t i = 0; i < LVL_COUNT_OF(types); i++) {
        if (types[i].letter == letter)
            return types[i].type;
    }
    return LVL_GRAAL_TYPE_NONE;
}

lvl_tile_class lvl_graal_type_class(unsigned type)
{
    for (size_t i = 0; i < LVL_COUNT_OF(types); i++) {
        if (types[i].type == type)
            return types[i].kind;
    }
    return LVL_LOOK_OTHER;
}

unsigned lvl_graal_classes(void)
{
    unsigned classes = 0;

    for (size_t i = 0; i < LVL_COUNT_OF(types); i++)
        classes |= 1u << types[i].kind;
    return classes & ~(1u << LVL_LOOK_CLEAR);
}

/* A letter of the alphabet of text levels: six bits, scaled to eight. */
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
