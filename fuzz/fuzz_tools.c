/*
 * libFuzzer target: files of any format sent through every tool: dump and undump, explain, check, info, another form, parts, repair. The formats' own targets read and
 * write only, so that they are fast.
 */
#include "fuzz_docs.h"
#include "fuzz_format.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t end = size < 4096 ? size : 4096;
    const lvl_format *format =
        lvl_probe((lvl_bytes){data, end}, (lvl_bytes){data + size - end, end}, size, NULL, NULL);

    if (format &&
        !lvl_hostile_try(format, (lvl_bytes){data, size}, true, lvl_format_can(format) & LVL_CAN_EXTRACT))
        abort();
    return 0;
}
