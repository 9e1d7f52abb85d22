/*
 * graal/gani_order.c: see gani_order.h.
 */
#include "graal/gani_order.h"

#include "base/arena.h"

static const char *const kind_words[GANI_KINDS] = {
    [GANI_K_SPRITE] = "sprite",
    [GANI_K_ATTACHMENT] = "attachment",
    [GANI_K_LENGTH] = "length",
    [GANI_K_LOOP] = "loop",
    [GANI_K_CONTINUOUS] = "continuous",
    [GANI_K_SINGLE_DIRECTION] = "single_direction",
    [GANI_K_BACK_COLOR] = "back_color",
    [GANI_K_SETBACK_TO] = "setback_to",
    [GANI_K_DEFAULT] = "default",
    [GANI_K_EFFECT] = "effect",
    [GANI_K_OTHER] = "other",
    [GANI_K_SCRIPT] = "script",
    [GANI_K_ANI] = "ani",
    [GANI_K_MOVIE] = "movie",
    [GANI_K_OPEN] = "open",
    [GANI_K_BLANK] = "blank",
    [GANI_K_STRAY] = "stray",
    [GANI_K_CUT] = "cut",
    [GANI_K_NOTHING] = "nothing",
};

void gani_runs_init(gani_runs *runs, const lvl_ctx *ctx)
{
    runs->ctx = ctx;
    runs->items = runs->few;
    runs->count = 0;
    runs->cap = sizeof runs->few / sizeof runs->few[0];
    runs->failed = false;
}

void gani_runs_free(gani_runs *runs)
{
    if (runs->items != runs->few)
        lvl_mem_free(runs->ctx, runs->items);
}

void gani_runs_push(gani_runs *runs, gani_kind kind, uint32_t count, lvl_text raw)
{
    if (runs->count == runs->cap) {
        gani_run *more = NULL;
        if (runs->cap < SIZE_MAX / 2 / sizeof *more)
            more = lvl_mem_alloc(runs->ctx, runs->cap * 2 * sizeof *more);
        if (!more) {
            runs->failed = true;
            return;
        }
        memcpy(more, runs->items, runs->count * sizeof *more);
        gani_runs_free(runs);
        runs->items = more;
        runs->cap *= 2;
    }
    gani_run *r = &runs->items[runs->count++];
    r->kind = kind;
    r->count = count;
    r->raw = raw;
}

bool gani_runs_equal(const gani_runs *a, const gani_runs *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        const gani_run *x = &a->items[i], *y = &b->items[i];
        if (x->kind != y->kind || x->count != y->count || !lvl_text_equal(x->raw, y->raw))
            return false;
    }
    return true;
}

/* How many lines of each kind the records make. */
static uint32_t wanted(const lvl_gani *g, gani_kind kind)
{
    const bool movie = g->actor_count || (!g->frame_count && g->version == LVL_GANI0002);

    switch (kind) {
    case GANI_K_SPRITE: return g->sprite_count;
    case GANI_K_ATTACHMENT: return g->attachment_count;
    case GANI_K_LENGTH: return g->length != 0;
    case GANI_K_LOOP: return g->loop != 0;
    case GANI_K_CONTINUOUS: return g->continuous != 0;
    case GANI_K_SINGLE_DIRECTION: return g->single_direction != 0;
    case GANI_K_BACK_COLOR: return g->back_color.len != 0;
    case GANI_K_SETBACK_TO: return g->setback_to.len != 0;
    case GANI_K_DEFAULT: return g->default_count;
    case GANI_K_EFFECT: return g->effect_count;
    case GANI_K_OTHER: return g->other_count;
    case GANI_K_SCRIPT: return g->script.len != 0;
    case GANI_K_ANI: return g->frame_count || !movie;
    case GANI_K_MOVIE: return movie;
    default: return 0;
    }
}

void gani_usual_order(const lvl_gani *g, gani_runs *out)
{
    const lvl_text none = {NULL, 0};
    bool any = false;

    for (unsigned k = GANI_K_SPRITE; k <= GANI_K_MOVIE; k++) {
        const gani_kind kind = (gani_kind)k;
        const uint32_t count = wanted(g, kind);
        if (kind == GANI_K_LENGTH)
            any = false;
        if (!count)
            continue;
        if (out->count && (kind >= GANI_K_SCRIPT || (kind >= GANI_K_LENGTH && !any)))
            gani_runs_push(out, GANI_K_BLANK, 1, none);
        any = true;
        gani_runs_push(out, kind, count, none);
    }
}

void gani_order_put(lvl_buffer *out, const gani_runs *runs)
{
    for (size_t i = 0; i < runs->count; i++) {
        const gani_run *r = &runs->items[i];
        if (i && !runs->items[i - 1].raw.len)
            lvl_buffer_u8(out, ' ');
        lvl_buffer_str(out, kind_words[r->kind]);
        if (r->raw.len) {
            lvl_buffer_u8(out, '=');
            lvl_buffer_add(out, r->raw.ptr, r->raw.len);
            lvl_buffer_u8(out, '\n');
        } else if (r->count != 1) {
            lvl_buffer_u8(out, '*');
            gani_put_int(out, r->count, 0);
        }
    }
}

void gani_order_parse(lvl_text text, gani_runs *out)
{
    const char *p = text.ptr, *end = p ? p + text.len : p;

    while (p < end) {
        if (*p == ' ' || *p == '\n') {
            p++;
            continue;
        }
        const char *from = p;
        while (p < end && ((*p >= 'a' && *p <= 'z') || *p == '_'))
            p++;
        const lvl_text word = gani_text(from, p);
        uint64_t count = 1;
        lvl_text raw = {NULL, 0};
        if (p < end && *p == '*') {
            for (count = 0, p++; p < end && lvl_is_digit(*p); p++)
                count = count < UINT32_MAX ? count * 10 + (uint64_t)(*p - '0') : count;
        } else if (p < end && *p == '=') {
            const char *nl = memchr(p, '\n', (size_t)(end - p));
            raw = gani_text(p + 1, nl ? nl : end);
            p = nl ? nl + 1 : end;
        } else if (p == from) {
            p++;
        }
        for (unsigned k = 0; k < GANI_KINDS && count; k++) {
            if (lvl_text_is(word, kind_words[k]))
                gani_runs_push(out, (gani_kind)k, count < UINT32_MAX ? (uint32_t)count : UINT32_MAX, raw);
        }
    }
}

/* Puts a run at `at`. */
static void insert(gani_runs *runs, size_t at, gani_kind kind, uint32_t count)
{
    const lvl_text none = {NULL, 0};

    gani_runs_push(runs, kind, count, none);
    if (runs->failed)
        return;
    memmove(runs->items + at + 1, runs->items + at, (runs->count - 1 - at) * sizeof *runs->items);
    runs->items[at] = (gani_run){kind, count, none};
}

static bool is_block(gani_kind kind)
{
    return kind == GANI_K_ANI || kind == GANI_K_MOVIE;
}

void gani_runs_finish(gani_runs *runs, const lvl_gani *g)
{
    for (unsigned k = GANI_K_SPRITE; k <= GANI_K_MOVIE; k++) {
        const gani_kind kind = (gani_kind)k;
        const bool flag = kind >= GANI_K_LENGTH && kind <= GANI_K_SETBACK_TO;
        const uint32_t count = wanted(g, kind);
        uint64_t there = 0;
        size_t last = runs->count, at = 0;

        for (size_t i = 0; i < runs->count; i++) {
            if (runs->items[i].kind == kind) {
                there += runs->items[i].count;
                last = i;
            }
        }
        if (there >= count || (is_block(kind) && !g->frame_count && !g->actor_count))
            continue; /* an empty block isn't missed */
        if (last < runs->count && !flag && !runs->items[last].raw.len) {
            runs->items[last].count += count - (uint32_t)there;
            continue;
        }
        if (is_block(kind)) {
            at = runs->count; /* but an end that is missing stays missing */
        } else {
            /* behind everything that usually comes before it, and before the frames */
            for (size_t i = 0; i < runs->count && !is_block(runs->items[i].kind); i++) {
                if (runs->items[i].kind <= kind)
                    at = i + 1;
            }
        }
        insert(runs, at, kind, count - (uint32_t)there);
    }
}
