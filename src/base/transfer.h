/*
 * base/transfer.h: files that a program transferred as text, as FTP did by default on Windows: each LF became
 * CR LF. Undoing that is exact, since every LF in the file follows a CR added by the transfer.
 */
#ifndef LVL_BASE_TRANSFER_H
#define LVL_BASE_TRANSFER_H

#include "base/buffer.h"

/* The number of LFs if each of them follows a CR, else 0. */
size_t lvl_transfer_lines(lvl_bytes bytes);
/* The bytes without these CRs, in memory of the context (lvl_mem_free); `lines`, the number of CRs, is what
 * lvl_transfer_lines returned. NULL: out of memory. */
uint8_t *lvl_transfer_undo(const lvl_ctx *ctx, lvl_bytes bytes, size_t lines);
/* Inserts a CR before each LF of out->data from offset `from`. Out of memory: sets out->status. */
void lvl_transfer_redo(lvl_buffer *out, size_t from);

#endif
