/*
 * libFuzzer target: text levels. A level that is read is written back byte for byte, however damaged it is.
 */
#include "fuzz_format.h"
#include "hostile_trial.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lvl_trial trial = {.format = lvl_format_find("nw"), .input = {data, size}, .small = true};

    if (!lvl_trial_run(&trial)) {
        fprintf(stderr, "hostile: %s\n", trial.complaint);
        abort();
    }
    if (trial.was_read && !trial.was_exact) {
        fprintf(stderr, "the file that is written differs from the %zu bytes that were read\n", size);
        abort();
    }
    return 0;
}
