/*
 * libFuzzer target: ANI files.
 */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return lvl_fuzz_one("ani", data, size, false);
}
