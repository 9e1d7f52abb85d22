/*
 * wap32/wwd_block.h: reading a main block, for the reader of files and for the writer's proof that what it
 * writes reads as it should.
 */
#ifndef LVL_WWD_BLOCK_H
#define LVL_WWD_BLOCK_H

#include "wap32/wwd_internal.h"

typedef struct lvl_block_source {
    lvl_bytes block;
    uint32_t base;  /* the offset that its first byte has */
    uint32_t space; /* 0: stored, in the file itself */
    uint64_t outer; /* where the stream that it comes from stands in the file; 0 when stored */
    bool open_end; /* what follows the last part isn't the block's (stored blocks have no end of their own) */
} lvl_block_source;

typedef struct lvl_block_result {
    uint64_t end; /* where the block ends, from its start */
    bool usual;   /* stored: nothing is missing or left over, and all parts are where editors put them */
} lvl_block_result;

/* Fills the root's planes, tile properties and gaps; its header members are there already. Records view the
 * block. sink and findings may be NULL. LVL_ERR_MEMORY is all that can go wrong. */
lvl_status lvl_wwd_block_read(lvl_doc *doc, const lvl_block_source *src, lvl_sink *sink,
                              lvl_findings *findings, lvl_block_result *result);

#endif
