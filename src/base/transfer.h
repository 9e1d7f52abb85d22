/*
 * base/transfer.h: files that a program transferred as text, as FTP did by default on Windows: each LF became
 * CR LF. Undoing that is exact, since every LF that the file now has follows a CR that the transfer added.
 */
#ifndef LVL_BASE_TRANSFER_H
#define LVL_BASE_TRANSFER_H

#include "base/buffer.h"

/* How many LFs the bytes have if each of them follows a CR, else 0. */
size_t lvl_transfer_lines(lvl_bytes bytes);
/* The bytes without these CRs, `lines` fewer of them, in memory of the context (lvl_mem_free); `lines` is
 * what lvl_transfer_lines returned. NULL without memory. */
uint8_t *lvl_transfer_undo(const lvl_ctx *ctx, lvl_bytes bytes, size_t lines);
/* Puts a CR before each LF of out->data from `from` on. Without memory out->status is set. */
void lvl_transfer_redo(lvl_buffer *out, size_t from);

#endif
