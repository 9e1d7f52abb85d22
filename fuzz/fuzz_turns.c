/*
 * libFuzzer target: drawings and packs of Sketchy Maze converted to everything that can be made from them;
 * see sketchy_turns.h. Mutates members of zips, members of zips in those, and the structure of zips.
 */
#include "fuzz_format.h"
#include "fuzz_zip.h"

#include "sketchy_turns.h"

#include <stdlib.h>

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    return lvl_fuzz_mutate_zip(data, size, max_size, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * 16777619u;
    if (!lvl_sketchy_turn((lvl_bytes){data, size}, hash >> 8))
        abort();
    return 0;
}
