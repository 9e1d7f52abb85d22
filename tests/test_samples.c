/*
 * The samples: drawing them anew gives what is committed, and each of them is read and written exactly.
 */
#include "corpus.h"
#include "measure.h"
#include "samples.h"

#include <lvl/doc.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct sample {
    char *path;
    uint8_t *data;
    size_t len;
} sample;

static sample samples[512];
static size_t sample_count;

static void keep(void *user, const char *path, lvl_bytes bytes)
{
    (void)user;
    assert_true(sample_count < sizeof samples / sizeof samples[0]);
    sample *s = &samples[sample_count++];
    s->path = malloc(strlen(path) + 1);
    s->data = malloc(bytes.len ? bytes.len : 1);
    assert_non_null(s->path);
    assert_non_null(s->data);
    memcpy(s->path, path, strlen(path) + 1);
    memcpy(s->data, bytes.ptr, bytes.len);
    s->len = bytes.len;
}

static int make(void **state)
{
    (void)state;
    return samples_make(keep, NULL) ? 0 : -1;
}

static int drop(void **state)
{
    (void)state;
    while (sample_count) {
        sample_count--;
        free(samples[sample_count].path);
        free(samples[sample_count].data);
    }
    return 0;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

static void test_committed(void **state)
{
    (void)state;
    const char *dir = lvl_samples_dir();
    lvl_paths on_disk = {0};
    char path[1024];
    size_t total = 0;

    assert_non_null(dir);
    for (size_t i = 0; i < sample_count; i++) {
        size_t len = 0;
        snprintf(path, sizeof path, "%s/%s", dir, samples[i].path);
        uint8_t *data = lvl_slurp(path, &len);
        if (!data || len != samples[i].len || memcmp(data, samples[i].data, len) != 0)
            fail_msg("%s isn't what the generator makes (cmake --build … --target samples)", path);
        free(data);
        total += len;
    }
    snprintf(path, sizeof path, "%s/wwd", dir);
    assert_true(lvl_paths_below(&on_disk, path, NULL));
    assert_int_equal(on_disk.count, sample_count); /* nothing that the generator doesn't make */
    lvl_paths_free(&on_disk);
    assert_true(total < 1500000);
}

/* Every file, damaged ones too, comes out of reading and writing as it was. */
static void test_exact(void **state)
{
    (void)state;
    lvl_measure sound = {0}, other = {0};

    for (size_t i = 0; i < sample_count; i++) {
        /* Gaps belong to nothing, though nothing is wrong with them. */
        const bool odd = strstr(samples[i].path, "damaged/") || strstr(samples[i].path, "odd-layout");
        lvl_measure *m = odd ? &other : &sound;
        const lvl_bytes bytes = {samples[i].data, samples[i].len};
        assert_true(lvl_measure_bytes(m, NULL, bytes, samples[i].path));
        if (sound.residue_bits || sound.overlap_bits || sound.errors)
            fail_msg("%s isn't sound", samples[i].path);
    }
    assert_int_equal(sound.files + other.files, sample_count);
    assert_int_equal(sound.exact, sound.files);
    assert_int_equal(other.exact, other.files);
}

static void test_kinds(void **state)
{
    (void)state;
    static const char *const endings[] = {".wwd", ".PID", ".pid", ".pal", ".PAL", ".pcx", ".PCX", ".ani"};

    for (size_t e = 0; e < sizeof endings / sizeof endings[0]; e++) {
        size_t count = 0;
        for (size_t i = 0; i < sample_count; i++)
            count += ends_with(samples[i].path, endings[e]);
        if (!count)
            fail_msg("no sample ends in %s", endings[e]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_committed),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_exact),
    };
    return cmocka_run_group_tests_name("samples", tests, make, drop);
}
