/*
 * sketchy/sketchy_convert.h: drawings from any generation to any other.
 */
#ifndef LVL_SKETCHY_CONVERT_H
#define LVL_SKETCHY_CONVERT_H

#include "sketchy/drawing.h"

extern const lvl_form lvl_sketchy_forms[];
lvl_status lvl_sketchy_convert(const lvl_doc *from, const lvl_form *form, lvl_doc *to, lvl_findings *losses);

/* The encoding of chunks, LVL_SKETCHY_CHUNK_…, that a generation is written with. */
uint8_t lvl_sketchy_encoding(unsigned generation);

#endif
