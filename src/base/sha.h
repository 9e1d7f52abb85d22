/*
 * base/sha.h: SHA-256 and SHA-1 (FIPS 180-4) as bytes; base/hash.h has SHA-256 as digits. `bytes.ptr` may be
 * NULL if its length is 0. Any thread; no errors.
 */
#ifndef LVL_BASE_SHA_H
#define LVL_BASE_SHA_H

#include <lvl/base.h>

void lvl_sha256(lvl_bytes bytes, uint8_t out[32]);
/* Computes both in little more time than one. SHA-1 is for comparing with lists of other archives; it is not
 * secure. */
void lvl_sha(lvl_bytes bytes, uint8_t sha256[32], uint8_t sha1[20]);

#endif
