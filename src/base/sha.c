/*
 * base/sha.c: SHA-256 and SHA-1 (FIPS 180-4). Written here, since none of the libraries in use has them, and
 * one that does is a hundred times the size. SHA-1 is for comparing with lists of other archives only.
 */
#include "base/sha.h"

#include "base/hash.h"

#include <lvl/base.h>

#include <string.h>

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
        const uint32_t f = i < 20   ? ((b & c) | (~b & d)) + 0x5a827999
                           : i < 40 ? (b ^ c ^ d) + 0x6ed9eba1
                           : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
                                    : (b ^ c ^ d) + 0xca62c1d6;
        const uint32_t t = (a << 5 | a >> 27) + f + e + w[i];
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

/* Both take blocks of the same form. */
static void digest_of(lvl_bytes bytes, uint32_t *h, void (*add_block)(uint32_t *, const uint8_t *),
                      uint8_t *out, size_t size)
{
    const uint64_t bits = (uint64_t)bytes.len * 8;
    uint8_t last[2 * BLOCK] = {0};
    size_t at = 0;

    for (; bytes.len - at >= BLOCK; at += BLOCK)
        add_block(h, bytes.ptr + at);
    const size_t rest = bytes.len - at, blocks = rest + 9 > BLOCK ? 2 : 1;
    if (rest)
        memcpy(last, bytes.ptr + at, rest);
    last[rest] = 0x80;
    for (size_t i = 0; i < 8; i++)
        last[blocks * BLOCK - 1 - i] = (uint8_t)(bits >> 8 * i);
    for (size_t i = 0; i < blocks; i++)
        add_block(h, last + i * BLOCK);
    for (size_t i = 0; i < size; i++)
        out[i] = (uint8_t)(h[i / 4] >> (24 - i % 4 * 8));
}

void lvl_sha256(lvl_bytes bytes, uint8_t out[32])
{
    uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

    digest_of(bytes, h, add_block_256, out, 32);
}

void lvl_sha1(lvl_bytes bytes, uint8_t out[20])
{
    uint32_t h[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};

    digest_of(bytes, h, add_block_1, out, 20);
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
