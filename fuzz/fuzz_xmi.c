/*
 * libFuzzer target: XMI files.
 */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return lvl_fuzz_one("xmi", data, size, false);
}
