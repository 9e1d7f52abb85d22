/*
 * base/sha.c: SHA-256 and SHA-1 (FIPS 180-4). Our own, since no library in use has them, and one that does is
 * a hundred times as large. SHA-1 is only for comparing with lists of other archives.
 */
#include "base/sha.h"

#include "base/hash.h"

#include <lvl/base.h>

#include <string.h>

/* Instructions for SHA-256, five times as fast (bench/twins.py). clang before 19 does not know the target. */
#if defined __x86_64__ && defined __GNUC__ && !defined __clang__ && __GNUC__ >= 11
#define HAVE_INSTRUCTIONS
#include <immintrin.h>
#endif

enum { BLOCK = 64 };

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotated(uint32_t x, unsigned by)
{
    return x >> by | x << (32 - by);
}

static void add_block_256(uint32_t h[8], const uint8_t *p)
{
    uint32_t w[64];
    uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], k = h[7];

    for (size_t i = 0; i < 16; i++, p += 4)
        w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    for (size_t i = 16; i < 64; i++) {
        const uint32_t x = w[i - 15], y = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (rotated(x, 7) ^ rotated(x, 18) ^ x >> 3) +
               (rotated(y, 17) ^ rotated(y, 19) ^ y >> 10);
    }
    for (size_t i = 0; i < 64; i++) {
        const uint32_t t = k + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) +
                           round_constants[i] + w[i];
        const uint32_t u = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        k = g;
        g = f;
        f = e;
        e = d + t;
        d = c;
        c = b;
        b = a;
        a = t + u;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
    h[5] += f;
    h[6] += g;
    h[7] += k;
}

#ifdef HAVE_INSTRUCTIONS

static bool has_instructions(void)
{
    return __builtin_cpu_supports("sha") && __builtin_cpu_supports("ssse3") &&
           __builtin_cpu_supports("sse4.1");
}

/* Four rounds a step. The state is kept as the instructions need it: words a, b, e, f and c, d, g, h. */
__attribute__((target("sha,ssse3,sse4.1"))) static void add_block_256_fast(uint32_t h[8], const uint8_t *p)
{
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const __m128i abcd = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(const void *)h), 0xB1);
    const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(const void *)(h + 4)), 0x1B);
    const __m128i abef = _mm_alignr_epi8(abcd, efgh, 8), cdgh = _mm_blend_epi16(efgh, abcd, 0xF0);
    __m128i x = abef, y = cdgh, w[4];

    for (size_t i = 0; i < 4; i++)
        w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i)), swap);
    for (size_t i = 0; i < 16; i++) {
        __m128i *now = &w[i % 4], third = w[(i + 2) % 4], last = w[(i + 3) % 4];
        __m128i k =
            _mm_add_epi32(*now, _mm_loadu_si128((const __m128i *)(const void *)(round_constants + 4 * i)));
        y = _mm_sha256rnds2_epu32(y, x, k);
        k = _mm_shuffle_epi32(k, 0x0E);
        x = _mm_sha256rnds2_epu32(x, y, k);
        *now = _mm_sha256msg1_epu32(*now, w[(i + 1) % 4]); /* the words of four steps later */
        *now = _mm_add_epi32(*now, _mm_alignr_epi8(last, third, 4));
        *now = _mm_sha256msg2_epu32(*now, last);
    }
    x = _mm_shuffle_epi32(_mm_add_epi32(x, abef), 0x1B);
    y = _mm_shuffle_epi32(_mm_add_epi32(y, cdgh), 0xB1);
    _mm_storeu_si128((__m128i *)(void *)h, _mm_blend_epi16(x, y, 0xF0));
    _mm_storeu_si128((__m128i *)(void *)(h + 4), _mm_alignr_epi8(y, x, 8));
}

#else

static bool has_instructions(void)
{
    return false;
}

#define add_block_256_fast add_block_256

#endif

static const uint32_t constants_1[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};

static void add_block_1(uint32_t h[5], const uint8_t *p)
{
    uint32_t w[80];
    uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];

    for (size_t i = 0; i < 16; i++, p += 4)
        w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    for (size_t i = 16; i < 80; i++) {
        const uint32_t x = w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16];
        w[i] = x << 1 | x >> 31;
    }
    for (size_t i = 0; i < 80; i++) {
        uint32_t f = b ^ c ^ d;
        if (i / 20 == 0)
            f = (b & c) | (~b & d);
        else if (i / 20 == 2)
            f = (b & c) | (d & (b | c));
        const uint32_t t = (a << 5 | a >> 27) + f + e + constants_1[i / 20] + w[i];
        e = d;
        d = c;
        c = b << 30 | b >> 2;
        b = a;
        a = t;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
}

static void put_digest(const uint32_t *h, uint8_t *out, size_t size)
{
    for (size_t i = 0; i < size; i++)
        out[i] = (uint8_t)(h[i / 4] >> (24 - i % 4 * 8));
}

/* `h_1` may be NULL. Each of the two waits for its own last round, so that both together take little longer
 * than one. */
static void add_bytes(lvl_bytes bytes, uint32_t *h_256, uint32_t *h_1)
{
    const uint64_t bits = (uint64_t)bytes.len * 8;
    void (*const add_256)(uint32_t *, const uint8_t *) =
        has_instructions() ? add_block_256_fast : add_block_256;
    uint8_t last[2 * BLOCK] = {0};
    const size_t rest = bytes.len % BLOCK, whole = bytes.len - rest, end = rest + 9 > BLOCK ? 2 : 1;

    if (rest)
        memcpy(last, bytes.ptr + whole, rest);
    last[rest] = 0x80;
    for (size_t i = 0; i < 8; i++)
        last[end * BLOCK - 1 - i] = (uint8_t)(bits >> 8 * i);
    for (size_t at = 0; at < whole + end * BLOCK; at += BLOCK) {
        const uint8_t *p = at < whole ? bytes.ptr + at : last + (at - whole);
        add_256(h_256, p);
        if (h_1)
            add_block_1(h_1, p);
    }
}

static const uint32_t start_256[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
static const uint32_t start_1[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};

void lvl_sha256(lvl_bytes bytes, uint8_t out[32])
{
    uint32_t h[8];

    memcpy(h, start_256, sizeof h);
    add_bytes(bytes, h, NULL);
    put_digest(h, out, 32);
}

void lvl_sha(lvl_bytes bytes, uint8_t sha256[32], uint8_t sha1[20])
{
    uint32_t h_256[8], h_1[5];

    memcpy(h_256, start_256, sizeof h_256);
    memcpy(h_1, start_1, sizeof h_1);
    add_bytes(bytes, h_256, h_1);
    put_digest(h_256, sha256, 32);
    put_digest(h_1, sha1, 20);
}

void lvl_sha256_hex(lvl_bytes bytes, char out[65])
{
    uint8_t digest[32];

    lvl_sha256(bytes, digest);
    for (size_t i = 0; i < 32; i++) {
        out[2 * i] = "0123456789abcdef"[digest[i] >> 4];
        out[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
    }
    out[64] = 0;
}
