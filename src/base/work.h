/*
 * base/work.h: the bound on the work of one operation, and the request to stop. Every search and scan whose length a file chooses charges what it
 * tries, whether it finds something or not; so no input makes an operation run for minutes.
 *
 * One step is what looking at one byte, list item or table slot costs: about 4 ns. The default of limits.work (2^31) is some 10 s; no real file comes
 * near a tenth of it.
 *
 * Use:
 *     lvl_work work = lvl_work_begin(ctx);
 *     …
 *         if (!lvl_work_charge(&work, count))
 *             return work.status;
 *
 * A lvl_work belongs to one operation in one thread; what an operation calls gets a pointer to it. The parts of one document share one.
 */
#ifndef LVL_BASE_WORK_H
#define LVL_BASE_WORK_H

#include <lvl/base.h>

typedef struct lvl_work {
    const volatile int *stop; /* the context's; NULL: none */
    uint64_t left;            /* steps */
    lvl_status status;        /* LVL_OK, LVL_ERR_LIMIT: used up, LVL_ERR_STOPPED; never goes back */
} lvl_work;

/* Whether the caller of the library asked it to stop; ctx may be NULL. */
static inline bool lvl_stopped(const lvl_ctx *ctx)
{
    return ctx && ctx->stop && *ctx->stop;
}

/* ctx: NULL gives the default limit and no request to stop. */
static inline lvl_work lvl_work_begin(const lvl_ctx *ctx)
{
    lvl_work work = {ctx ? ctx->stop : NULL, lvl_limits_of(ctx).work, LVL_OK};

    return work;
}

/* Charges `steps` before they are done. False: they must not be done, nor anything after them, and work->status says why. */
static inline bool lvl_work_charge(lvl_work *work, uint64_t steps)
{
    if (work->stop && *work->stop && work->status == LVL_OK)
        work->status = LVL_ERR_STOPPED;
    else if (steps > work->left && work->status == LVL_OK)
        work->status = LVL_ERR_LIMIT;
    if (work->status != LVL_OK)
        return false;
    work->left -= steps;
    return true;
}

#endif
