/*
 * libFuzzer target: binary levels of Graal. What is read has to be written back bit for bit.
 */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return lvl_fuzz_one("graal", data, size, false);
}
