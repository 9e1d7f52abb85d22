/*
 * libFuzzer target: tile definitions.
 */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return lvl_fuzz_one("tiledefs", data, size, false);
}
