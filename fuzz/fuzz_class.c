/*
 * libFuzzer target: class of a Graal server.
 */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return lvl_fuzz_one("class", data, size, false);
}
