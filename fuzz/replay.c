/*
 * replay.c: runs a fuzzer's target once on each file that standard input names, a line each. For systems
 * without libFuzzer (Windows, where Wine plays it): the test fuzz_seeds.
 *
 * replay TARGET <LIST
 *
 * Each name is printed before its file is tried, so the last one is that of a crash. Exit: 0 all were
 * tried, 2 usage, 3 a file cannot be read.
 */
#include "base/buffer.h"
#include "os/file.h"
#include "fuzz_format.h"

#include <stdio.h>
#include <string.h>

/* The targets: each file's LLVMFuzzerTestOneInput under a name of its own (cmake/lvl_fuzz.cmake). */
#define LVL_TARGET(name) int lvl_fuzz_target_##name(const uint8_t *data, size_t size);
#include "replay_targets.h"
#undef LVL_TARGET

static const struct {
    const char *name;
    int (*run)(const uint8_t *data, size_t size);
} targets[] = {
#define LVL_TARGET(name) {#name, lvl_fuzz_target_##name},
#include "replay_targets.h"
#undef LVL_TARGET
};

/* Nothing is mutated here. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    (void)data;
    return size < max_size ? size : max_size;
}

int main(int argc, char **argv)
{
    size_t target = 0, tried = 0;
    char path[1024];

    while (argc == 2 && target < sizeof targets / sizeof targets[0] && strcmp(targets[target].name, argv[1]))
        target++;
    if (argc != 2 || target == sizeof targets / sizeof targets[0]) {
        fprintf(stderr, "replay: expected the name of one target, found \"%s\"\n", argc > 1 ? argv[1] : "");
        return 2;
    }
    setvbuf(stdout, NULL, _IONBF, 0);
    while (fgets(path, sizeof path, stdin)) {
        lvl_buffer bytes = {0};

        path[strcspn(path, "\r\n")] = 0;
        printf("%s\n", path);
        if (lvl_file_read(&bytes, path, 0, NULL) != LVL_OK) {
            fprintf(stderr, "replay: %s cannot be read\n", path);
            return 3;
        }
        targets[target].run(bytes.data, bytes.len);
        lvl_buffer_free(&bytes);
        tried++;
    }
    printf("%zu files\n", tried);
    return 0;
}
