/*
 * base/work.h: the bound on the work of one operation, and the request to stop. Every search and scan whose
 * length a file chooses charges what it tries, whether it finds something or not; so no input makes an
 * operation run for minutes.
 *
 * One step is what looking at one byte, list item or table slot costs: about 4 ns. The default of limits.work
 * (2^31) is some 10 s; no real file comes near a tenth of it.
 *
 * Use:
 *     lvl_work work = lvl_work_begin(ctx);
 *     …
 *         if (!lvl_work_charge(&work, count))
 *             return work.status;
 *
 * A lvl_work belongs to one operation in one thread; what an operation calls gets a pointer to it. The parts
 * of one document share one.
 */
#ifndef LVL_BASE_WORK_H
#define LVL_BASE_WORK_H

#include "base/arena.h"

#include <lvl/doc.h>

/* As lvl_refuse, for what no option raises. `what` (a constant): "members of a zip". LVL_ERR_LIMIT. */
static inline lvl_status lvl_refuse_fixed(const lvl_ctx *ctx, const char *what, uint64_t allowed,
                                          uint64_t wanted)
{
    if (ctx && ctx->usage && !ctx->usage->limit)
        ctx->usage->what = what;
    return lvl_refuse(ctx, LVL_LIMIT_FIXED, allowed, wanted);
}

/* The status of a buffer whose bound is part of limits.memory_bytes; where that was reached, it is noted. */
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
    const lvl_ctx *ctx; /* whose usage is charged as well; or NULL */
    uint64_t left;      /* steps */
    lvl_status status;  /* LVL_OK, LVL_ERR_LIMIT: used up, LVL_ERR_STOPPED; never goes back */
} lvl_work;

/* Whether the caller of the library asked it to stop; ctx may be NULL. */
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

/* Charges `steps` before they are done. False: they must not be done, nor anything after them, and
 * work->status says why. */
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

#endif
