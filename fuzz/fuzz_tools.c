/*
 * libFuzzer target: one tool on a file of any format: dump and undump, explain, check, info, another form,
 * parts, repair. A hash of the input chooses the tool. The targets of the formats only read and write, so
 * that they are fast.
 */
#include "fuzz_docs.h"
#include "fuzz_format.h"
#include "hostile_trial.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t end = size < 4096 ? size : 4096;
    struct lvl_trial trial = {.input = {data, size},
                              .thorough = true,
                              .small = true,
                              .tool = 1 + lvl_fuzz_hash(data, size) % LVL_TRIAL_TOOLS};

    trial.format = lvl_probe((lvl_bytes){data, end}, (lvl_bytes){data + size - end, end}, size, NULL, NULL);
    if (!trial.format)
        return 0;
    trial.loose = lvl_format_can(trial.format) & LVL_CAN_EXTRACT;
    if (!lvl_trial_run(&trial)) {
        fprintf(stderr, "tool %u: %s\n", trial.tool, trial.complaint);
        abort();
    }
    return 0;
}
