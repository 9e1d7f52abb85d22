/*
 * render/marks.c: findings on a picture: a frame around the thing that each is about, with the finding's id.
 */
#include "render/plan.h"

#include "base/arena.h"
#include "base/hash.h"

#include <stdio.h>
#include <string.h>

enum {
    LISTS = 16, /* of things that findings are about */
    MOST = 4096, /* marks of a picture */
    MOST_LINES = 12, /* of findings without a place */
    LINE = 100 /* letters */
};

struct lvl_finding_mark {
    lvl_rect rect; /* main layer px */
    lvl_severity severity;
    const char *id;
    uint32_t above; /* marks of the same thing before this one */
};

/* The things of a scene by their path. */
typedef struct things {
    const lvl_scene *scene;
    const lvl_where *lists[LISTS];
    uint32_t list_count;
    lvl_hash by_place;
} things;

static uint64_t hash_of(const things *t, uint32_t list, uint32_t index)
{
    return lvl_hash_u64(&t->by_place.seed, (uint64_t)list << 32 | index);
}

static uint32_t list_number(const things *t, const lvl_where *list)
{
    uint32_t i = 0;

    while (i < t->list_count && t->lists[i] != list)
        i++;
    return i;
}

static lvl_status index_things(things *t)
{
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < t->scene->thing_count && status == LVL_OK; i++) {
        const lvl_scene_thing *thing = &t->scene->things[i];
        if (!thing->list)
            continue;
        const uint32_t list = list_number(t, thing->list);
        if (list == LISTS)
            continue;
        if (list == t->list_count)
            t->lists[t->list_count++] = thing->list;
        status = lvl_hash_add(&t->by_place, hash_of(t, list, thing->index), i);
    }
    return status;
}

/* Whether the path leads to an item of the list, or into one. */
static bool is_inside(const lvl_where *list, const lvl_where *where)
{
    for (uint32_t i = 0; i < list->depth; i++) {
        if (i >= where->depth || list->steps[i].field != where->steps[i].field ||
            (i + 1 < list->depth && list->steps[i].index != where->steps[i].index))
            return false;
    }
    return list->depth > 0 && where->steps[list->depth - 1].index != LVL_NO_INDEX;
}

/* The thing that a finding is about, or NULL. */
static const lvl_scene_thing *thing_of(const things *t, const lvl_where *where)
{
    const lvl_scene *scene = t->scene;

    if (where->depth == 1 && where->steps[0].field->roles & (LVL_ROLE_START_X | LVL_ROLE_START_Y)) {
        for (uint32_t i = 0; i < scene->thing_count; i++) {
            if (scene->things[i].kind == LVL_THING_START && !scene->things[i].list)
                return &scene->things[i];
        }
    }
    for (uint32_t list = 0; list < t->list_count; list++) {
        if (!is_inside(t->lists[list], where))
            continue;
        const uint32_t index = where->steps[t->lists[list]->depth - 1].index;
        for (lvl_hash_at at = lvl_hash_first(&t->by_place, hash_of(t, list, index)); at.found;
             at = lvl_hash_next(&t->by_place, at)) {
            const lvl_scene_thing *thing = &scene->things[at.index];
            if (thing->list == t->lists[list] && thing->index == index)
                return thing;
        }
    }
    return NULL;
}

static lvl_rect place_of(const lvl_plan *plan, const lvl_scene_thing *thing)
{
    const int32_t reach = (int32_t)lvl_mark_reach(plan, thing);
    lvl_rect rect;

    if (!(plan->schematic && !thing->has_part) && lvl_scene_thing_place(thing, &rect))
        return rect;
    return (lvl_rect){thing->x > INT32_MIN + reach ? thing->x - reach : thing->x,
                      thing->y > INT32_MIN + reach ? thing->y - reach : thing->y,
                      thing->x < INT32_MAX - reach ? thing->x + reach : thing->x,
                      thing->y < INT32_MAX - reach ? thing->y + reach : thing->y};
}

/* Makes the marks of the severity. `seen`: how many each thing has. */
static void add_marks(lvl_plan *plan, const things *t, lvl_severity severity, uint8_t *seen)
{
    const lvl_findings *findings = plan->options.findings;

    for (size_t i = 0; i < lvl_findings_count(findings) && plan->mark_count < MOST; i++) {
        const lvl_finding *f = lvl_findings_at(findings, i);
        if (f->severity != severity)
            continue;
        const lvl_scene_thing *thing = f->member ? NULL : thing_of(t, &f->where);
        if (thing) {
            const size_t at = (size_t)(thing - t->scene->things);
            plan->marks[plan->mark_count++] =
                (lvl_finding_mark){place_of(plan, thing), severity, f->def->id, seen[at]};
            if (seen[at] < UINT8_MAX)
                seen[at]++;
        } else if (severity > LVL_NOTE && plan->line_count < MOST_LINES) {
            plan->lines[plan->line_count++] = f;
        }
    }
}

lvl_status lvl_plan_marks(lvl_plan *plan)
{
    const lvl_findings *findings = plan->options.findings;
    things t = {.scene = plan->scene};
    lvl_status status = LVL_ERR_MEMORY;
    uint8_t *seen = NULL;

    if (!findings || !(plan->options.overlays & LVL_OVERLAY_FINDINGS) || !lvl_findings_count(findings))
        return LVL_OK;
    const size_t count = lvl_findings_count(findings) < MOST ? lvl_findings_count(findings) : MOST;
    lvl_hash_init(&t.by_place);
    plan->marks = lvl_mem_alloc(plan->ctx, count * sizeof *plan->marks);
    plan->lines = lvl_mem_alloc(plan->ctx, MOST_LINES * sizeof *plan->lines);
    seen = lvl_mem_alloc(plan->ctx, (size_t)plan->scene->thing_count + 1);
    if (!plan->marks || !plan->lines || !seen)
        goto out;
    memset(seen, 0, (size_t)plan->scene->thing_count + 1);
    status = index_things(&t);
    for (int severity = LVL_FATAL; severity >= LVL_NOTE && status == LVL_OK; severity--)
        add_marks(plan, &t, (lvl_severity)severity, seen);
out:
    lvl_mem_free(plan->ctx, seen);
    lvl_hash_free(&t.by_place);
    return status;
}

static lvl_ink ink_of(lvl_severity severity)
{
    return severity >= LVL_ERROR ? LVL_INK_DEATH : severity == LVL_WARNING ? LVL_INK_HAZARD : LVL_INK_WHITE;
}

void lvl_draw_marks(const lvl_plan *plan, lvl_canvas *canvas)
{
    const int64_t pen = plan->pen, line = (LVL_FONT_HEIGHT + 3) * pen;
    char text[LINE + 1];

    /* the most serious ones last, so that nothing hides them */
    for (uint32_t i = plan->mark_count; i-- > 0;) {
        const lvl_finding_mark *mark = &plan->marks[i];
        lvl_area area = lvl_plan_place(plan, mark->rect);
        const int64_t letters = (int64_t)strlen(mark->id), gap = (mark->above ? 0 : 2) * pen;
        for (int k = 0; k < 2 && !mark->above; k++) {
            area = (lvl_area){area.left - gap, area.top - gap, area.right + gap, area.bottom + gap};
            lvl_canvas_frame(canvas, area, k ? LVL_INK_SHADE : ink_of(mark->severity), false);
        }
        /* small pictures have marks only */
        if (mark->above < 4 && pen < 3)
            lvl_canvas_text(canvas, (area.left + area.right - letters * LVL_FONT_WIDTH * pen) / 2,
                            area.top - 3 * pen - line * (int64_t)(mark->above + 1), mark->id, (size_t)letters,
                            plan->pen, ink_of(mark->severity));
    }
    for (uint32_t i = 0; i < plan->line_count; i++) {
        const lvl_finding *f = plan->lines[i];
        const int len = snprintf(text, sizeof text, "%s: %s", f->def->id, f->text);
        lvl_canvas_text(canvas, plan->labelled.left + 4 * pen, plan->labelled.top + 4 * pen + line * i, text,
                        len < LINE ? (size_t)len : LINE, plan->pen, ink_of(f->severity));
    }
}
