/*
 * wap32/wwd_block.h: reading a main block, for the reader of files and for the writer's proof that what it
 * writes reads as it should.
 */
#ifndef LVL_WWD_BLOCK_H
#define LVL_WWD_BLOCK_H

#include "wap32/wwd_internal.h"

typedef struct lvl_block_result {
    uint64_t end; /* where the block ends, from its start */
    bool usual;   /* stored: nothing is missing or left over, and all parts are where editors put them */
} lvl_block_result;

/* Fills the root's planes, tile properties and gaps; its header members are there already. Records view the
 * block. `packed`: the block is what the file's zlib stream holds; a stored one has no end of its own, so
 * that what follows its last part isn't the block's. sink and findings may be NULL. LVL_ERR_MEMORY is all
 * that can go wrong. */
lvl_status lvl_wwd_block_read(lvl_doc *doc, lvl_bytes block, bool packed, lvl_sink *sink,
                              lvl_findings *findings, lvl_block_result *result);

#endif
