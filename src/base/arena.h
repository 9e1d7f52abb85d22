/*
 * base/arena.h: memory that is freed all at once. Everything a document points to is in its arena or in its
 * input.
 */
#ifndef LVL_BASE_ARENA_H
#define LVL_BASE_ARENA_H

#include "os/memory.h"

#include <lvl/base.h>

typedef struct lvl_arena_block lvl_arena_block;

typedef struct lvl_arena {
    const lvl_ctx *ctx;
    const lvl_allocator *allocator; /* NULL: malloc */
    lvl_arena_block *blocks;
    uint64_t used; /* bytes handed out */
    uint64_t max; /* the most bytes to hand out; 0: no bound */
    bool failed; /* an allocation failed */
    /* why, if memory was not the reason: LVL_ERR_LIMIT (max, limits.work), LVL_ERR_STOPPED */
    lvl_status refused;
} lvl_arena;

/* Replaces LVL_ERR_MEMORY by the arena's own reason, if it refused an allocation. */
static inline lvl_status lvl_arena_status(const lvl_arena *arena, lvl_status status)
{
    return status == LVL_ERR_MEMORY && arena->refused != LVL_OK ? arena->refused : status;
}

void lvl_arena_init(lvl_arena *arena, const lvl_ctx *ctx);
void lvl_arena_free(lvl_arena *arena);
/* Aligned for any scalar, zeroed. NULL when refused (and `failed` set). Size 0 gives a valid pointer. */
void *lvl_arena_alloc(lvl_arena *arena, size_t size);
/* The same, not zeroed. */
void *lvl_arena_raw(lvl_arena *arena, size_t size);
/* count * size with an overflow check, zeroed. */
void *lvl_arena_array(lvl_arena *arena, size_t count, size_t size);
void *lvl_arena_copy(lvl_arena *arena, const void *data, size_t size);

/* The limits of a context, the defaults for members that are 0. `ctx`: NULL gives all defaults. */
lvl_limits lvl_limits_of(const lvl_ctx *ctx);
/* Memory through the context's allocator (malloc when it has none). */
void *lvl_mem_alloc(const lvl_ctx *ctx, size_t size);
void lvl_mem_free(const lvl_ctx *ctx, void *ptr);

#endif
