/*
 * sketchy/drawing/convert.h: conversion between generations, and changes of chunks and palettes.
 */
#ifndef LVL_SKETCHY_CONVERT_H
#define LVL_SKETCHY_CONVERT_H

#include "base/hash.h"
#include "sketchy/text/source.h"

extern const lvl_form lvl_sketchy_forms[];
lvl_status lvl_sketchy_convert(const lvl_doc *from, const lvl_form *form, lvl_doc *to, lvl_findings *losses);

/* The encoding of chunks, LVL_SKETCHY_CHUNK_…, that a generation is written with. */
uint8_t lvl_sketchy_encoding(unsigned generation);

/* ---- changed drawings --------------------------------------------------------------------------------- */

/* Makes a chunk in that column and row, with its key and an empty grid, in the document's memory; its
 * encoding is the generation's. `grid` gets the cells to draw in. */
lvl_status lvl_sketchy_make_chunk(lvl_doc *doc, uint32_t size, int32_t x, int32_t y, lvl_sketchy_chunk *out,
                                  uint8_t **grid);
/* Initializes an index of a layer's chunks by position, without those whose key is none. The caller frees it,
 * whatever is returned. LVL_ERR_MEMORY. */
lvl_status lvl_sketchy_index_chunks(lvl_hash *index, const lvl_sketchy_layer *layer);
/* The number of the chunk at that position; LVL_NO_INDEX: none. */
uint32_t lvl_sketchy_find_chunk(const lvl_hash *index, const lvl_sketchy_layer *layer, int32_t x, int32_t y);
/* Appends a chunk made by lvl_sketchy_make_chunk to a layer and its index (NULL: not to an index). */
lvl_status lvl_sketchy_add_chunk(lvl_doc *doc, lvl_hash *index, lvl_sketchy_layer *layer, int32_t x,
                                 int32_t y, uint8_t **grid);
/* Reports that chunks of that size are impossible; returns LVL_ERR_ARG. */
lvl_status lvl_sketchy_no_chunks(uint32_t size, lvl_findings *losses);
/* A chunk's grid, decoded into `storage` if needed; reports a loss if that fails. cells->ptr NULL: no px. */
lvl_status lvl_sketchy_chunk_cells(const lvl_doc *doc, const lvl_sketchy_layer *layer, uint32_t chunk,
                                   lvl_buffer *storage, lvl_cells *cells, lvl_findings *losses);
/* Removes the signature, which every change invalidates, and reports that. */
void lvl_sketchy_unsign(lvl_doc *doc, lvl_findings *losses);

#endif
