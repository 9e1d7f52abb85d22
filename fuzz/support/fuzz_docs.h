/*
 * support/fuzz_docs.h: a small document of each format, generated from its tables: lists with items, texts,
 * small grids.
 */
#ifndef LVL_FUZZ_DOCS_H
#define LVL_FUZZ_DOCS_H

#include <lvl/doc.h>

/* For every input; its limits suit small documents. */
const lvl_ctx *lvl_fuzz_ctx(void);
/* The document of a format, and its file's bytes (empty if it can't be written). Both live until the program
 * ends. `index` may be any number. */
const lvl_doc *lvl_fuzz_doc(size_t index, lvl_bytes *bytes);
/* A number that depends on all bytes. */
uint32_t lvl_fuzz_hash(const uint8_t *data, size_t size);

#endif
