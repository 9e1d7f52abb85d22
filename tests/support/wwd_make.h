/*
 * support/wwd_make.h: a small level made with the library: three planes, five objects, each type of tile
 * property.
 */
#ifndef LVL_TEST_WWD_MAKE_H
#define LVL_TEST_WWD_MAKE_H

#include <lvl/wwd.h>

/* `flags` as in the header (LVL_WWD_COMPRESS). NULL without memory. */
lvl_doc *wwd_make(const lvl_ctx *ctx, uint32_t flags);
/* Its bytes; the caller frees out->data. */
bool wwd_make_bytes(uint32_t flags, lvl_buffer *out);

#endif
