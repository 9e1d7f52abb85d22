/*
 * graal/gani/gani_repair.c: repairs animations without guessing: adds missing end lines, moves lines after
 * the end of their block into it, adds empty directions to frames. No line with content is removed.
 */
#include "graal/gani/gani_internal.h"

static lvl_status fill_frames(lvl_doc *doc, lvl_repairs *repairs)
{
    const lvl_field *list = LVL_FIELD(lvl_gani_frame, directions), *frames = LVL_FIELD(lvl_gani, frames);
    lvl_gani *g = doc->root;
    const uint32_t wanted = g->single_direction ? 1 : 4;

    for (uint32_t i = 0; i < g->frame_count; i++) {
        lvl_gani_frame *f = &g->frames[i];
        if (f->direction_count >= wanted)
            continue;
        const lvl_where where = lvl_where_to(lvl_where_root(), frames, i);
        const lvl_status status =
            lvl_list_insert(doc, f, list, f->direction_count, wanted - f->direction_count);
        if (status != LVL_OK)
            return status;
        lvl_findings_add(repairs->log, &lvl_gani_findings[LVL_GANI_F_DIRECTIONS], &where, NULL,
                         "given empty directions");
    }
    return LVL_OK;
}

lvl_status lvl_gani_repair(lvl_doc *doc, lvl_repairs *repairs)
{
    const lvl_status status = lvl_grammar_repair(doc, repairs, NULL);

    return status == LVL_OK && lvl_repairs_wants(repairs, doc->ctx, &lvl_gani_findings[LVL_GANI_F_DIRECTIONS])
               ? fill_frames(doc, repairs)
               : status;
}
