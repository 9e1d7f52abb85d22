/*
 * base/header.h: files with one or two wrong bytes in the signature, which no program recognizes any more.
 * They are read as if the bytes were right, with an error finding; until a repair, writing restores the wrong
 * ones. Works for all formats by their tables of signatures.
 */
#ifndef LVL_BASE_HEADER_H
#define LVL_BASE_HEADER_H

#include "base/format.h"

enum { LVL_HEADER_SIZE = 4096 /* bytes; no signature has a part after them */ };

/* How the first bytes of a file differ from a signature. */
typedef struct lvl_header_match {
    const lvl_signature *signature;
    lvl_header header;
    uint32_t bits; /* wrong bits */
} lvl_header_match;

/* The nearest signatures: those that differ in the fewest bytes, at most LVL_HEADER_WRONG, and agree in at
 * least six others. At most `cap` of them. 0: there is none, or one matches exactly. */
size_t lvl_header_near(const lvl_format *format, lvl_bytes bytes, lvl_header_match *out, size_t cap);
/* Whether a file whose name has an ending of the format is recognized by probing once its header is
 * corrected, and does not have the signature of a later version. */
bool lvl_header_probe(const lvl_format *format, const lvl_probe_input *in);
/* Sets the wrong bytes to those of the signature. */
void lvl_header_correct(const lvl_header *header, uint8_t *bytes);
/* Restores the wrong bytes. */
void lvl_header_restore(const lvl_header *header, uint8_t *bytes, size_t len);
/* Describes the match: `expected GLEVNW01, found GLEVNW0!`, or `expected 0x20 at byte 0, found 0x21`. Cut to
 * the size. */
const char *lvl_header_text(const lvl_header_match *match, char *buf, size_t size);

#endif
