/*
 * render/marks.c: findings on a picture: a frame around the thing or the cell that each is about, with the
 * finding's id.
 */
#include "render/plan.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/work.h"

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
    bool has_items; /* `items` is complete */
    lvl_hash items; /* cells (numbered row by row) of the layer whose values are items of a list */
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

/* The layer whose cells the path leads to, and that moves with the things; NULL: there is none. */
static const lvl_scene_layer *layer_of(const lvl_scene *scene, const lvl_where *where)
{
    const lvl_scene_layer *main = lvl_scene_main(scene);

    for (uint32_t i = 0; main && i < scene->layer_count; i++) {
        const lvl_scene_layer *l = &scene->layers[i];
        if (l->where && is_inside(l->where, where))
            return l->move_x == main->move_x && l->move_y == main->move_y ? l : NULL;
    }
    return NULL;
}

/* Numbers the cells of a layer by the item that each shows. */
static lvl_status index_items(things *t, const lvl_scene_layer *layer)
{
    lvl_status status = LVL_OK;
    uint32_t values[64];

    if ((uint64_t)layer->columns * layer->rows > UINT32_MAX)
        return LVL_OK;
    for (uint32_t y = 0; y < layer->rows && status == LVL_OK; y++) {
        status = lvl_charge(t->scene->ctx, layer->columns);
        for (uint32_t x = 0; x < layer->columns && status == LVL_OK; x += LVL_COUNT_OF(values)) {
            const uint32_t rest = layer->columns - x,
                           n = rest < LVL_COUNT_OF(values) ? rest : LVL_COUNT_OF(values);
            layer->cells(layer, x, y, n, values);
            for (uint32_t i = 0; i < n && status == LVL_OK; i++) {
                if (values[i])
                    status = lvl_hash_add(&t->items, lvl_hash_u64(&t->items.seed, values[i]),
                                          y * layer->columns + x + i);
            }
        }
    }
    return status;
}

/* The place of the cell that a finding is about; false: it is about none that the picture shows. */
static bool cell_of(things *t, const lvl_where *where, lvl_rect *out, lvl_status *status)
{
    const lvl_scene_layer *layer = layer_of(t->scene, where), *main = lvl_scene_main(t->scene);
    uint32_t column = 0, row = 0;

    if (!layer)
        return false;
    const lvl_step *step = &where->steps[layer->where->depth - 1];
    if (step->field->kind == LVL_CELLS) {
        column = step->index & 0xFFFF;
        row = step->index >> 16;
    } else {
        if (!t->has_items)
            *status = index_items(t, layer);
        t->has_items = true;
        lvl_hash_at at = lvl_hash_first(&t->items, lvl_hash_u64(&t->items.seed, step->index + 1));
        uint32_t value = 0;
        while (at.found && value != step->index + 1) {
            column = at.index % layer->columns;
            row = at.index / layer->columns;
            layer->cells(layer, column, row, 1, &value);
            if (value != step->index + 1)
                at = lvl_hash_next(&t->items, at);
        }
        if (!at.found)
            return false;
    }
    if (column >= layer->columns || row >= layer->rows)
        return false;
    const int64_t left = (int64_t)column * layer->cell_width + layer->shift_x - main->shift_x,
                  top = (int64_t)row * layer->cell_height + layer->shift_y - main->shift_y;
    if (left < INT32_MIN / 2 || top < INT32_MIN / 2 || left > INT32_MAX / 2 || top > INT32_MAX / 2)
        return false;
    *out = (lvl_rect){(int32_t)left, (int32_t)top, (int32_t)(left + layer->cell_width - 1),
                      (int32_t)(top + layer->cell_height - 1)};
    return true;
}

/* How many marks are at a place of a cell. */
static uint8_t marks_at(const lvl_plan *plan, const lvl_rect *place)
{
    uint8_t n = 0;

    for (uint32_t i = 0; i < plan->mark_count && n < UINT8_MAX; i++) {
        if (memcmp(&plan->marks[i].rect, place, sizeof *place) == 0)
            n++;
    }
    return n;
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
static lvl_status add_marks(lvl_plan *plan, things *t, lvl_severity severity, uint8_t *seen)
{
    const lvl_findings *findings = plan->options.findings;
    lvl_status status = LVL_OK;
    lvl_rect place;

    for (size_t i = 0; i < lvl_findings_count(findings) && plan->mark_count < MOST && status == LVL_OK; i++) {
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
        } else if (!f->member && cell_of(t, &f->where, &place, &status)) {
            const uint8_t above = marks_at(plan, &place);
            plan->marks[plan->mark_count++] = (lvl_finding_mark){place, severity, f->def->id, above};
        } else if (severity > LVL_NOTE && plan->line_count < MOST_LINES) {
            plan->lines[plan->line_count++] = f;
        }
    }
    return status;
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
    lvl_hash_init(&t.items);
    plan->marks = lvl_mem_alloc(plan->ctx, count * sizeof *plan->marks);
    plan->lines = lvl_mem_alloc(plan->ctx, MOST_LINES * sizeof *plan->lines);
    seen = lvl_mem_alloc(plan->ctx, (size_t)plan->scene->thing_count + 1);
    if (!plan->marks || !plan->lines || !seen)
        goto out;
    memset(seen, 0, (size_t)plan->scene->thing_count + 1);
    status = index_things(&t);
    for (int severity = LVL_FATAL; severity >= LVL_NOTE && status == LVL_OK; severity--)
        status = add_marks(plan, &t, (lvl_severity)severity, seen);
out:
    lvl_mem_free(plan->ctx, seen);
    lvl_hash_free(&t.by_place);
    lvl_hash_free(&t.items);
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
