/*
 * support/fuzz_members.h: the members of an archive, and of the archives in it.
 */
#ifndef LVL_FUZZ_MEMBERS_H
#define LVL_FUZZ_MEMBERS_H

#include <lvl/container.h>

/* Gets a member: its path, and its bytes, which are valid during the call. */
typedef void (*lvl_fuzz_member_fn)(void *user, const lvl_entry *entry, lvl_bytes bytes);
/* Calls `member` for each file that can be read, at most some hundred. Aborts if a path or a size is
 * wrong. */
void lvl_fuzz_members(const lvl_ctx *ctx, lvl_bytes archive, lvl_fuzz_member_fn member, void *user);

#endif
