/*
 * libFuzzer target: binary levels of Graal. A level that is read is written back byte for byte.
 */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return lvl_fuzz_one("graal", data, size, false);
}
