/*
 * base/header.h: files of which one or two bytes of the signature are wrong, so that no program knows them
 * any more. They are read as if they had the right ones, with an error finding; writing puts the wrong ones
 * back until a repair. Works for all formats by their tables of signatures.
 */
#ifndef LVL_BASE_HEADER_H
#define LVL_BASE_HEADER_H

#include "base/format.h"

/* How the first bytes of a file differ from a signature. */
typedef struct lvl_header_match {
    const lvl_signature *signature;
    lvl_header header;
    uint32_t bits; /* that are wrong */
} lvl_header_match;

/* The signatures from which the bytes differ least, in 1 or up to LVL_HEADER_WRONG bytes and not in the
 * others, which are at least six; at most `cap` of them. 0: there are none, or the bytes have one exactly. */
size_t lvl_header_near(const lvl_format *format, lvl_bytes bytes, lvl_header_match *out, size_t cap);
/* Whether a file whose name has an ending of the format is known by lvl_header_near: probing knows it with
 * the right bytes, and it does not have the signature of a later version. */
bool lvl_header_probe(const lvl_format *format, const lvl_probe_input *in);
/* Sets the bytes to those of the signature. */
void lvl_header_correct(const lvl_header *header, uint8_t *bytes);
/* Puts the wrong bytes back, where the right ones are. */
void lvl_header_restore(const lvl_header *header, uint8_t *bytes, size_t len);
/* Describes the match: `expected GLEVNW01, found GLEVNW0!`, or `expected 0x20 at byte 0, found 0x21`. Cut to
 * the size. */
const char *lvl_header_text(const lvl_header_match *match, char *buf, size_t size);

#endif
