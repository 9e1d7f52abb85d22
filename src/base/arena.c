/*
 * base/arena.c: a list of blocks of growing size. A large request gets a separate block, so that the rest of
 * the current block stays usable.
 */
#include "base/arena.h"

#include "base/cursor.h"
#include "base/work.h"

#include <stdlib.h>

enum {
    FIRST_BLOCK = 4096,
    MAX_BLOCK = 1 << 20,
    ALIGN = sizeof(union {
        void *p;
        double d;
        int64_t i;
    })
};

struct lvl_arena_block {
    lvl_arena_block *next;
    size_t size, used;
    _Alignas(ALIGN) union { /* i386 aligns doubles in records by 4 */
        void *p;
        double d;
        int64_t i;
    } data[];
};

void *lvl_mem_alloc(const lvl_ctx *ctx, size_t size)
{
    if (ctx && ctx->allocator.alloc)
        return ctx->allocator.alloc(ctx->allocator.user, size ? size : 1);
    return malloc(size ? size : 1);
}

void lvl_mem_free(const lvl_ctx *ctx, void *ptr)
{
    if (!ptr)
        return;
    if (ctx && ctx->allocator.alloc)
        ctx->allocator.release(ctx->allocator.user, ptr);
    else
        free(ptr);
}

void lvl_arena_init(lvl_arena *arena, const lvl_ctx *ctx)
{
    memset(arena, 0, sizeof *arena);
    if (ctx && ctx->allocator.alloc)
        arena->allocator = &ctx->allocator;
    arena->ctx = ctx;
    if (ctx)
        arena->max = lvl_memory_share(ctx);
}

static void *block_alloc(const lvl_arena *arena, size_t size)
{
    return arena->allocator ? arena->allocator->alloc(arena->allocator->user, size) : malloc(size);
}

void lvl_arena_free(lvl_arena *arena)
{
    lvl_arena_block *next;

    for (lvl_arena_block *b = arena->blocks; b; b = next) {
        next = b->next;
        if (arena->allocator) /* without one, the context may already be gone */
            arena->allocator->release(arena->allocator->user, b);
        else
            free(b);
    }
    arena->blocks = NULL;
}

static lvl_arena_block *new_block(lvl_arena *arena, size_t size)
{
    size_t total;

    if (!lvl_add_size(size, sizeof(lvl_arena_block), &total))
        return NULL;
    lvl_arena_block *b = block_alloc(arena, total);
    if (!b)
        return NULL;
    b->size = size;
    b->used = 0;
    return b;
}

void *lvl_arena_raw(lvl_arena *arena, size_t size)
{
    lvl_arena_block *b = arena->blocks;
    size_t need;

    if (size == 0)
        size = 1;
    lvl_status refused = lvl_charge(arena->ctx, 8 + size / 16);
    if (arena->max && size > arena->max - (arena->used < arena->max ? arena->used : arena->max))
        refused = lvl_refuse(arena->ctx, LVL_LIMIT_MEMORY, arena->max, arena->used + size);
    if (refused != LVL_OK || !lvl_add_size(size, ALIGN - 1, &need)) {
        arena->refused = arena->refused != LVL_OK ? arena->refused : refused;
        arena->failed = true;
        return NULL;
    }
    need &= ~(size_t)(ALIGN - 1);
    if (!b || need > b->size - b->used) {
        size_t next_size = b ? (b->size < MAX_BLOCK ? b->size * 2 : MAX_BLOCK) : FIRST_BLOCK;

        if (need > next_size / 4) {
            /* a separate block, second in the list: small requests continue to use the first */
            lvl_arena_block *large = new_block(arena, need);
            if (!large) {
                arena->failed = true;
                return NULL;
            }
            lvl_arena_block **link = b ? &b->next : &arena->blocks;
            large->used = need;
            large->next = *link;
            *link = large;
            arena->used += need;
            return large->data;
        }
        lvl_arena_block *fresh = new_block(arena, next_size);
        if (!fresh) {
            arena->failed = true;
            return NULL;
        }
        fresh->next = b;
        arena->blocks = b = fresh;
    }
    void *p = (uint8_t *)b->data + b->used;
    b->used += need;
    arena->used += need;
    return p;
}

void *lvl_arena_alloc(lvl_arena *arena, size_t size)
{
    void *p = lvl_arena_raw(arena, size);
    if (p)
        memset(p, 0, size ? size : 1);
    return p;
}

void *lvl_arena_array(lvl_arena *arena, size_t count, size_t size)
{
    size_t total;

    if (!lvl_mul_size(count, size, &total)) {
        if (arena->max && arena->refused == LVL_OK)
            arena->refused = lvl_refuse(arena->ctx, LVL_LIMIT_MEMORY, arena->max, 0);
        arena->failed = true;
        return NULL;
    }
    return lvl_arena_alloc(arena, total);
}

void *lvl_arena_copy(lvl_arena *arena, const void *data, size_t size)
{
    void *p = lvl_arena_raw(arena, size);
    if (p && size)
        memcpy(p, data, size);
    return p;
}
