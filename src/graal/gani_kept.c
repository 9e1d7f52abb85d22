/*
 * graal/gani_kept.c: what of an animation is spelling.
 */
#include "graal/gani_format.h"
#include "graal/gani_items.h"

uint64_t lvl_gani_kept(const lvl_doc *doc)
{
    const lvl_gani *g = doc->root;
    uint64_t n = g->order.len + g->script_lines.len + g->after.len;

    if (g->file.len)
        return g->file.len;
    if (g->head.len > 9)
        n += g->head.len - 9;
    for (uint32_t i = 0; i < g->sprite_count; i++)
        n += g->sprites[i].before.len + g->sprites[i].line.len;
    for (uint32_t i = 0; i < g->attachment_count; i++)
        n += g->attachments[i].before.len + g->attachments[i].line.len;
    for (uint32_t i = 0; i < g->effect_count; i++)
        n += g->effects[i].before.len + g->effects[i].line.len;
    for (uint32_t i = 0; i < g->default_count; i++)
        n += g->defaults[i].before.len + g->defaults[i].line.len;
    for (uint32_t i = 0; i < g->frame_count; i++) {
        const lvl_gani_frame *f = &g->frames[i];
        n += f->before.len + f->after.len;
        for (uint32_t d = 0; d < f->direction_count; d++)
            n += f->directions[d].line.len;
    }
    for (uint32_t i = 0; i < g->actor_count; i++) {
        const lvl_gani_actor *a = &g->actors[i];
        n += a->before.len + a->line.len + a->after.len;
        for (uint32_t k = 0; k < a->keyframe_count; k++)
            n += a->keyframes[k].before.len + a->keyframes[k].line.len;
    }
    return n;
}

void lvl_gani_forget(lvl_doc *doc)
{
    lvl_gani *g = doc->root;
    const lvl_text none = {NULL, 0};

    g->style = LVL_GANI_COLUMNS;
    g->line_end = LVL_GANI_LF;
    g->gaps = LVL_GANI_BETWEEN;
    g->source_width = GANI_SOURCE_WIDTH;
    g->offset_width = GANI_OFFSET_WIDTH;
    g->order = g->head = g->script_lines = g->after = none;
    g->file = (lvl_bytes){NULL, 0};
    for (uint32_t i = 0; i < g->sprite_count; i++)
        g->sprites[i].before = g->sprites[i].line = none;
    for (uint32_t i = 0; i < g->attachment_count; i++)
        g->attachments[i].before = g->attachments[i].line = none;
    for (uint32_t i = 0; i < g->effect_count; i++)
        g->effects[i].before = g->effects[i].line = none;
    for (uint32_t i = 0; i < g->default_count; i++)
        g->defaults[i].before = g->defaults[i].line = none;
    for (uint32_t i = 0; i < g->frame_count; i++) {
        lvl_gani_frame *f = &g->frames[i];
        f->before = f->after = none;
        for (uint32_t d = 0; d < f->direction_count; d++)
            f->directions[d].line = none;
    }
    for (uint32_t i = 0; i < g->actor_count; i++) {
        lvl_gani_actor *a = &g->actors[i];
        a->before = a->line = a->after = none;
        for (uint32_t k = 0; k < a->keyframe_count; k++)
            a->keyframes[k].before = a->keyframes[k].line = none;
    }
}
