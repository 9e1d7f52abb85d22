/*
 * graal/nw_repair.c: repairs the lines of text levels.
 */
#include "graal/nw_internal.h"

#include "graal/graal_findings.h"

/* Whether the finding is about a layer that cannot be rewritten without a loss: it has no tile, or a line has
 * tiles beyond the board. */
static bool leaves_layer(const lvl_doc *doc, const lvl_findings *reread, const lvl_finding *finding)
{
    const lvl_graal *level = doc->root;
    const lvl_step *step = &finding->where.steps[0];

    if (!finding->where.depth || step->field != LVL_FIELD(lvl_graal, layers))
        return false;
    if (step->index < level->layer_count && lvl_graal_is_empty_layer(&level->layers[step->index]))
        return true;
    for (size_t i = 0; i < lvl_findings_count(reread); i++) {
        const lvl_finding *f = lvl_findings_at(reread, i);
        if (f->def == &lvl_graal_findings[LVL_GRAAL_F_NW_ROW_BEYOND] && f->where.depth &&
            f->where.steps[0].index == step->index)
            return true;
    }
    return false;
}

lvl_status lvl_nw_repair(lvl_doc *doc, lvl_findings *log)
{
    return lvl_grammar_repair(doc, log, leaves_layer);
}
