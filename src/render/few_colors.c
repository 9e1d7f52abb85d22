/*
 * render/few_colors.c: a band with at most 256 colours becomes one of palette indices, which is compressed in
 * a third of the time.
 */
#include "base/hash.h"
#include "render/plan.h"

#include <string.h>

enum { SLOT_BITS = 10, SLOTS = 1 << SLOT_BITS, EMPTY = 0 }; /* four times as many as there are colours */

/* Pixels are read as four bytes at once, in the byte order of the machine. */
typedef struct few_colors {
    uint32_t colours[SLOTS]; /* EMPTY: none; opaque pixels are never 0 */
    uint8_t index[SLOTS];
    unsigned count;
} few_colors;

bool lvl_few_colors(const uint8_t *rgba, size_t count, uint8_t *out, lvl_palette *palette)
{
    const lvl_hash_seed seed = lvl_hash_seed_new(); /* so that no picture can choose colours that collide */
    few_colors few = {.count = 0};
    uint32_t last = EMPTY, colour;
    uint8_t index = 0;

    memset(palette, 0, sizeof *palette);
    for (size_t i = 0; i < count; i++) {
        memcpy(&colour, rgba + i * 4, sizeof colour);
        if (colour != last) {
            size_t slot = (size_t)(lvl_hash_mix(&seed, seed.start, colour) >> (64 - SLOT_BITS));
            while (few.colours[slot] != EMPTY && few.colours[slot] != colour)
                slot = (slot + 1) & (SLOTS - 1);
            if (few.colours[slot] == EMPTY) {
                if (few.count == 256)
                    return false;
                few.colours[slot] = colour;
                few.index[slot] = (uint8_t)few.count;
                memcpy(palette->rgb[few.count++], rgba + i * 4, 3);
            }
            last = colour;
            index = few.index[slot];
        }
        out[i] = index;
    }
    return true;
}
