/*
 * graal/gani/gani_make.c: animations of parts of a picture: each frame is a sprite.
 */
#include "graal/gani/gani_make.h"

#include "base/text.h"
#include "graal/gani/gani_internal.h"

/* The ticks that a frame is shown. */
static uint32_t ticks_of(uint32_t ms)
{
    const uint32_t ticks = ms / LVL_GANI_TICK + (ms % LVL_GANI_TICK * 2 >= LVL_GANI_TICK);

    return ticks ? ticks : 1;
}

/* Sprite `id`, and the piece that shows it. */
static bool add_sprite(lvl_doc *doc, const lvl_animation_part *part, lvl_text picture, uint32_t id,
                       lvl_gani_sprite *sprite, lvl_gani_direction *direction)
{
    lvl_gani_piece *piece = lvl_arena_array(&doc->arena, 1, sizeof *piece);

    *sprite = (lvl_gani_sprite){.id = (int32_t)id,
                                .source = picture,
                                .x = (int32_t)part->x,
                                .y = (int32_t)part->y,
                                .width = (int32_t)part->width,
                                .height = (int32_t)part->height};
    if (!piece)
        return false;
    *piece = (lvl_gani_piece){.sprite = (int32_t)id, .dx = part->left, .dy = part->top};
    *direction = (lvl_gani_direction){.pieces = piece, .piece_count = 1};
    return true;
}

static bool add_frame(lvl_doc *doc, const lvl_animation_parts *parts, lvl_text picture, uint32_t index)
{
    lvl_gani *g = doc->root;
    lvl_gani_frame *frame = &g->frames[index];

    frame->directions = lvl_arena_array(&doc->arena, parts->directions, sizeof *frame->directions);
    if (!frame->directions)
        return false;
    frame->direction_count = parts->directions;
    frame->wait = ticks_of(parts->items[index].ms) - 1;
    for (uint32_t d = 0; d < parts->directions; d++) {
        const uint32_t at = d * parts->frames + index;
        if (!add_sprite(doc, &parts->items[at], picture, at + 1, &g->sprites[at], &frame->directions[d]))
            return false;
    }
    return true;
}

lvl_status lvl_gani_animate(lvl_doc *doc, const lvl_animation_parts *parts, lvl_findings *losses)
{
    const uint32_t count = parts->frames * parts->directions;
    lvl_gani *g = doc->root;
    uint32_t uneven = 0;

    g->version = LVL_GANI0001;
    g->loop = parts->loops;
    g->single_direction = parts->directions == 1;
    g->sprites = lvl_arena_array(&doc->arena, count, sizeof *g->sprites);
    g->frames = lvl_arena_array(&doc->arena, parts->frames, sizeof *g->frames);
    const lvl_text picture = lvl_doc_text(doc, lvl_text_of(parts->picture));
    if (!g->sprites || !g->frames || !picture.ptr)
        return LVL_ERR_MEMORY;
    g->sprite_count = count;
    g->frame_count = parts->frames;
    for (uint32_t i = 0; i < parts->frames; i++) {
        if (!add_frame(doc, parts, picture, i))
            return LVL_ERR_MEMORY;
        uneven += parts->items[i].ms != ticks_of(parts->items[i].ms) * LVL_GANI_TICK;
    }
    if (uneven)
        lvl_findings_add(losses, &lvl_gani_findings[LVL_GANI_F_LOSS_TIME], NULL, NULL,
                         "the time of %u of %u frames is no multiple of %d ms", uneven, parts->frames,
                         LVL_GANI_TICK);
    return LVL_OK;
}
