/*
 * graal/graal_colors.c: the average colour of each tile, so that a level can be recognised without its
 * tileset.
 */
#include "graal/graal_colors_data.h"
#include "graal/graal_types.h"

#include <string.h>

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
