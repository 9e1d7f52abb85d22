/*
 * base/work.h: the limit on the work of one operation, and the request to stop. Every search and scan whose
 * length depends on a file charges each attempt, successful or not, so that no input can make an operation
 * run for minutes.
 *
 * One step is the cost of reading one byte, list item or table slot: about 4 ns. The default of limits.work
 * (2^31) is about 10 s; real files need less than a tenth of it.
 *
 * Use:
 *     lvl_work work = lvl_work_begin(ctx);
 *     …
 *         if (!lvl_work_charge(&work, count))
 *             return work.status;
 *
 * A lvl_work belongs to one operation in one thread, which passes a pointer to the functions that it calls.
 */
#ifndef LVL_BASE_WORK_H
#define LVL_BASE_WORK_H

#include <lvl/base.h>

#include "base/arena.h"

#include <lvl/doc.h>

/* Like lvl_refuse, for a limit that no option raises. `what` (a constant): "members of a zip".
 * LVL_ERR_LIMIT. */
static inline lvl_status lvl_refuse_fixed(const lvl_ctx *ctx, const char *what, uint64_t allowed,
                                          uint64_t wanted)
{
    if (ctx && ctx->usage && !ctx->usage->limit)
        ctx->usage->what = what;
    return lvl_refuse(ctx, LVL_LIMIT_FIXED, allowed, wanted);
}

/* Like lvl_refuse, for the memory that limits.inflate_ratio allows for a small input. LVL_ERR_LIMIT. */
static inline lvl_status lvl_refuse_ratio(const lvl_ctx *ctx, uint64_t allowed)
{
    if (ctx && ctx->usage && !ctx->usage->limit)
        ctx->usage->what = "inflate_ratio";
    return lvl_refuse(ctx, LVL_LIMIT_MEMORY, allowed, 0);
}

/* The status of a buffer whose `max` comes from limits.memory_bytes; records that limit if it was reached. */
static inline lvl_status lvl_buffer_outcome(const lvl_ctx *ctx, const lvl_buffer *buf)
{
    return buf->status == LVL_ERR_LIMIT ? lvl_refuse(ctx, LVL_LIMIT_MEMORY, buf->max, 0) : buf->status;
}

/* Charges steps to the operation as a whole. LVL_OK, LVL_ERR_LIMIT, LVL_ERR_STOPPED. */
static inline lvl_status lvl_charge(const lvl_ctx *ctx, uint64_t steps)
{
    if (!ctx || (ctx->stop && *ctx->stop))
        return ctx ? LVL_ERR_STOPPED : LVL_OK;
    if (!ctx->usage)
        return LVL_OK;
    ctx->usage->work += steps;
    if (ctx->usage->work <= ctx->limits.work || ctx->usage->work <= lvl_limits_of(ctx).work)
        return LVL_OK;
    return lvl_refuse(ctx, LVL_LIMIT_WORK, lvl_limits_of(ctx).work, 0);
}

typedef struct lvl_work {
    const lvl_ctx *ctx; /* its usage is charged, too; or NULL */
    uint64_t left; /* steps */
    lvl_status status; /* LVL_OK, LVL_ERR_LIMIT: no steps left, LVL_ERR_STOPPED; sticky */
} lvl_work;

/* Whether the library's caller asked it to stop; ctx may be NULL. */
static inline bool lvl_stopped(const lvl_ctx *ctx)
{
    return ctx && ctx->stop && *ctx->stop;
}

/* ctx: NULL gives the default limit and no request to stop. */
static inline lvl_work lvl_work_begin(const lvl_ctx *ctx)
{
    lvl_work work = {ctx, lvl_limits_of(ctx).work, LVL_OK};

    return work;
}

/* Charges `steps` in advance. False: the operation must end with work->status. */
static inline bool lvl_work_charge(lvl_work *work, uint64_t steps)
{
    if (work->status == LVL_OK)
        work->status = lvl_charge(work->ctx, steps);
    if (work->status == LVL_OK && steps > work->left)
        work->status = lvl_refuse(work->ctx, LVL_LIMIT_WORK, lvl_limits_of(work->ctx).work, 0);
    if (work->status != LVL_OK)
        return false;
    work->left -= steps;
    return true;
}

/* How many bytes of limits.memory_bytes one document or inflated stream may take. `ctx` NULL: the default
 * limits apply. */
size_t lvl_memory_share(const lvl_ctx *ctx);

#endif
