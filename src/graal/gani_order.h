/*
 * graal/gani_order.h: the order of an animation's definitions: runs of lines of one kind, and their text,
 * "sprite*70 blank loop default*2 blank ani".
 */
#ifndef LVL_GANI_ORDER_H
#define LVL_GANI_ORDER_H

#include "graal/gani_items.h"

typedef struct gani_run {
    gani_kind kind;
    uint32_t count;
    lvl_text
        raw; /* the line, without '\n', where it would be written otherwise or can't be; then count is 1 */
} gani_run;

/* A list of runs that grows from a few on the stack. Zero-initialise, then gani_runs_init. */
typedef struct gani_runs {
    const lvl_ctx *ctx;
    gani_run *items;
    size_t count, cap;
    bool failed; /* no memory */
    gani_run few[40];
} gani_runs;

void gani_runs_init(gani_runs *runs, const lvl_ctx *ctx);
void gani_runs_free(gani_runs *runs);
void gani_runs_push(gani_runs *runs, gani_kind kind, uint32_t count, lvl_text raw);

/* One more line of that kind. */
static inline void gani_runs_add(gani_runs *runs, gani_kind kind)
{
    gani_run *last = runs->items + runs->count - 1;

    if (runs->count && last->kind == kind && !last->raw.len)
        last->count++;
    else
        gani_runs_push(runs, kind, 1, (lvl_text){NULL, 0});
}

/* The order that the editor writes such an animation in. */
void gani_usual_order(const lvl_gani *g, gani_runs *out);
bool gani_runs_equal(const gani_runs *a, const gani_runs *b);
/* As text, and back: what isn't understood is left out. */
void gani_order_put(lvl_buffer *out, const gani_runs *runs);
void gani_order_parse(lvl_text text, gani_runs *out);
/* Makes runs say of each kind as many lines as there are items: what is missing follows the last of its kind,
 * or comes where it usually stands. */
void gani_runs_finish(gani_runs *runs, const lvl_gani *g);

#endif
