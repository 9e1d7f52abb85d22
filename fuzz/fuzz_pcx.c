/*
 * libFuzzer target: PCX files.
 */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return lvl_fuzz_one("pcx", data, size, false);
}
