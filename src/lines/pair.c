/*
 * lines/pair.c: which part of a document is which part of its source. What a document has once has a
 * slot of its own, and the parts of a slot correspond. Items of a list correspond as pieces do
 * (base/piece.h), by the hashes of their content.
 */
#include "lines/weave.h"

#include "base/piece.h"

/* The parts of a document or of a source, each with its slot. */
typedef struct slotted {
    const lvl_parts *parts;
    uint32_t *slots; /* by part */
    uint32_t *other; /* by part: what it corresponds to */
    uint32_t *items; /* those of the list that is paired */
} slotted;

typedef struct pairing {
    const lvl_merge *merge;
    slotted now, old;
} pairing;

/* Finds the slots of all parts, which correspond to nothing so far. */
static bool find_slots(lvl_merge *m, const lvl_parts *parts, slotted *out)
{
    uint32_t *numbers = lvl_arena_array(&m->w->arena, parts->count + (size_t)1, 3 * sizeof *numbers);

    if (!numbers)
        return false;
    *out = (slotted){parts, numbers, numbers + parts->count, numbers + 2 * (size_t)parts->count};
    for (uint32_t i = 0; i < parts->count; i++) {
        out->slots[i] = (uint32_t)lvl_rules_slot(&m->w->rules, &parts->items[i]);
        out->other[i] = LVL_NO_PART;
    }
    return true;
}

/* The source may have several lines or blocks of what a document has once. A row of a grid, or a block, has
 * the place of the first one; of other lines the last one counts. */
static bool pair_slots(lvl_merge *m, pairing *p)
{
    const size_t count =
        lvl_rules_slots(&m->w->rules, p->now.parts, lvl_rules_slots(&m->w->rules, p->old.parts, 1));
    uint32_t *part_in = lvl_arena_array(&m->w->arena, count, sizeof *part_in); /* the document's, by slot */

    if (!part_in)
        return false;
    memset(part_in, 0xFF, count * sizeof *part_in);
    for (uint32_t a = 0; a < p->now.parts->count; a++)
        part_in[p->now.slots[a]] = a;
    for (uint32_t b = 0; b < p->old.parts->count; b++) {
        const uint32_t slot = p->old.slots[b];
        if (lvl_slot_is_list(slot))
            continue;
        const uint32_t a = p->old.other[b] = part_in[slot];
        const bool first_counts = p->old.parts->items[b].place == LVL_PART_BEGIN || lvl_slot_is_row(slot);
        if (a != LVL_NO_PART && (!first_counts || p->now.other[a] == LVL_NO_PART))
            p->now.other[a] = b;
    }
    return true;
}

static uint32_t find_items(slotted *s, uint32_t slot)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < s->parts->count; i++) {
        if (s->slots[i] == slot)
            s->items[count++] = i;
    }
    return count;
}

static bool is_same_item(const void *user, size_t was, size_t now)
{
    const pairing *p = user;
    const uint32_t a = p->now.items[now], b = p->old.items[was];

    return lvl_merge_same_head(p->merge, a, b) && lvl_merge_same_body(p->merge, a, b);
}

static void pair_items(pairing *p, uint32_t slot)
{
    const uint32_t now = find_items(&p->now, slot), was = find_items(&p->old, slot);
    const lvl_pairs pairs = lvl_pairs_of(was, now, is_same_item, p);

    for (uint32_t i = 0; i < now; i++) {
        const size_t k = lvl_pairs_was(&pairs, i);
        if (k == SIZE_MAX)
            continue;
        p->now.other[p->now.items[i]] = p->old.items[k];
        p->old.other[p->old.items[k]] = p->now.items[i];
    }
}

lvl_status lvl_merge_pair(lvl_merge *m)
{
    const lvl_grammar *grammar = m->w->rules.grammar;
    pairing p = {.merge = m};

    if (!find_slots(m, m->now, &p.now) || !find_slots(m, m->old, &p.old) || !pair_slots(m, &p))
        return LVL_ERR_MEMORY;
    for (uint32_t k = 0; k < grammar->rule_count; k++) {
        const lvl_rule_kind kind = grammar->rules[k].kind;
        if (kind == LVL_RULE_ITEM || kind == LVL_RULE_ROWS || kind == LVL_RULE_OTHER)
            pair_items(&p, (uint32_t)lvl_slot_of_list(k));
    }
    m->old_of = p.now.other;
    m->now_of = p.old.other;
    return LVL_OK;
}
