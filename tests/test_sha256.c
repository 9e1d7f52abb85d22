/*
 * test_sha256.c: SHA-256 and SHA-1 against the vectors of FIPS 180-4 and of NIST's test files, and every
 * length around a block's end.
 */
#include "base/hash.h"
#include "base/sha.h"

#include <lvl/base.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void is(const void *bytes, size_t len, const char *expected)
{
    char hex[65];

    lvl_sha256_hex((lvl_bytes){bytes, len}, hex);
    assert_string_equal(hex, expected);
}

static void published_vectors(void **state)
{
    uint8_t *million = malloc(1000000);

    (void)state;
    is(NULL, 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    is("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    is("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    is("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopq"
       "rst"
       "nopqrstu",
       112, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
    assert_non_null(million);
    memset(million, 'a', 1000000);
    is(million, 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(million);
}

/* The digests of all lengths up to three blocks, digested: computed with Python's hashlib. */
static void every_padding(void **state)
{
    uint8_t bytes[200];
    char all[200 * 64 + 1];

    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)i;
    for (size_t len = 0; len < sizeof bytes; len++)
        lvl_sha256_hex((lvl_bytes){bytes, len}, all + len * 64);
    is(all, sizeof all - 1, "7a38a844c9e159de39f0862ee2e28569a8250831150a3fbf0a59c001129b2fb2");
}

/* SHA-1 by the vectors of FIPS 180, and the digests of all lengths up to three blocks, digested by Python's
 * hashlib; SHA-256 beside it is what it is alone. */
static void both(void **state)
{
    static const uint8_t abc[20] = {0xa9, 0x99, 0x3e, 0x36, 0x47, 0x06, 0x81, 0x6a, 0xba, 0x3e,
                                    0x25, 0x71, 0x78, 0x50, 0xc2, 0x6c, 0x9c, 0xd0, 0xd8, 0x9d};
    static const uint8_t of_all[20] = {0xab, 0x05, 0x66, 0x46, 0x93, 0xb2, 0xd3, 0x2b, 0x84, 0xdd,
                                       0x46, 0x16, 0xc5, 0x28, 0x4c, 0x28, 0x5c, 0xc0, 0x68, 0x4a};
    uint8_t bytes[200], out[20], all[200 * 20], beside[32], alone[32];

    (void)state;
    lvl_sha((lvl_bytes){(const uint8_t *)"abc", 3}, beside, out);
    assert_memory_equal(out, abc, sizeof out);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)i;
    for (size_t len = 0; len < sizeof bytes; len++) {
        lvl_sha((lvl_bytes){bytes, len}, beside, all + len * 20);
        lvl_sha256((lvl_bytes){bytes, len}, alone);
        assert_memory_equal(beside, alone, sizeof alone);
    }
    lvl_sha((lvl_bytes){all, sizeof all}, beside, out);
    assert_memory_equal(out, of_all, sizeof out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_vectors),
        cmocka_unit_test(every_padding),
        cmocka_unit_test(both),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
