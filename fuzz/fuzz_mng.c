/*
 * libFuzzer target: MNG files.
 */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return lvl_fuzz_one("mng", data, size, false);
}
