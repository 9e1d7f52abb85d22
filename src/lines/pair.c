/*
 * lines/pair.c: which line of a document is which of its source. What a document has once has a slot of its
 * own, and the lines of a slot correspond. Lines of items of a list correspond as pieces do (base/piece.h),
 * by the hashes of their content.
 */
#include "lines/writer.h"

#include "base/piece.h"

/* Each rule has four slots; then come the rows of grids. */
enum { SLOT_LINE, SLOT_BODY, SLOT_END, SLOT_ITEMS, SLOTS };
#define NO_SLOT UINT32_MAX /* lines of an item's body go with the line before it */

static uint32_t slot_of_items(uint32_t rule)
{
    return rule * SLOTS + SLOT_ITEMS;
}

static uint32_t slot_of(lvl_rules *rules, const lvl_line *line)
{
    const lvl_rule *r = rules->grammar->rules;
    uint32_t k = line->rule;

    if (r[k].kind == LVL_RULE_GRID)
        return LVL_RULES * SLOTS + line->row;
    if (!lvl_rules_list(rules, line))
        return k * SLOTS + (line->place == LVL_PLACE_BODY  ? SLOT_BODY
                            : line->place == LVL_PLACE_END ? SLOT_END
                                                           : SLOT_LINE);
    if (line->place == LVL_PLACE_BODY || line->place == LVL_PLACE_END)
        return NO_SLOT;
    for (uint32_t i = 0; i < k; i++) /* rules that share a list */
        k = r[i].kind == r[k].kind && r[i].list == r[k].list ? i : k;
    return slot_of_items(k);
}

/* The lines of a document or of its source, each with its slot. */
typedef struct slotted {
    const lvl_line_list *list;
    uint32_t *slots; /* by line */
    uint32_t *other; /* by line: what it corresponds to */
    uint32_t *items; /* those of the list that is paired */
    uint32_t count; /* of the slots of both */
} slotted;

typedef struct pairing {
    slotted now, old;
} pairing;

/* Finds the slots of all lines, which correspond to nothing so far. */
static bool find_slots(lvl_line_writer *w, const lvl_line_list *list, slotted *out)
{
    uint32_t *numbers = lvl_arena_array(&w->arena, list->count + (size_t)1, 3 * sizeof *numbers);

    if (!numbers)
        return false;
    *out = (slotted){list, numbers, numbers + list->count, numbers + 2 * (size_t)list->count, 0};
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t slot = out->slots[i] = slot_of(&w->rules, &list->lines[i]);
        out->count = slot != NO_SLOT && slot >= out->count ? slot + 1 : out->count;
        out->other[i] = LVL_NO_LINE;
    }
    return true;
}

static bool has_slot(uint32_t slot)
{
    return slot != NO_SLOT && (slot >= LVL_RULES * SLOTS || slot % SLOTS != SLOT_ITEMS);
}

/* The source may have several lines or blocks of what a document has once. A row of a grid, or a block of
 * rows, has the place of the first one; of other lines the last one counts. */
static bool pair_slots(lvl_line_writer *w, pairing *p)
{
    const uint32_t count = p->now.count > p->old.count ? p->now.count : p->old.count;
    uint32_t *line_in = lvl_arena_array(&w->arena, count + (size_t)1, sizeof *line_in); /* the document's */

    if (!line_in)
        return false;
    memset(line_in, 0xFF, count * sizeof *line_in);
    for (uint32_t a = 0; a < p->now.list->count; a++) {
        if (has_slot(p->now.slots[a]))
            line_in[p->now.slots[a]] = a;
    }
    for (uint32_t b = 0; b < p->old.list->count; b++) {
        const lvl_line *old = &p->old.list->lines[b];
        const uint32_t slot = p->old.slots[b];
        if (!has_slot(slot))
            continue;
        const uint32_t a = p->old.other[b] = line_in[slot];
        const bool first_counts = old->place == LVL_PLACE_BEGIN || slot >= LVL_RULES * SLOTS;
        if (a != LVL_NO_LINE && !(old->marks & LVL_MARK_REPLACED) &&
            (!first_counts || p->now.other[a] == LVL_NO_LINE))
            p->now.other[a] = b;
    }
    return true;
}

static uint32_t find_items(slotted *s, uint32_t slot)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < s->list->count; i++) {
        if (s->slots[i] == slot)
            s->items[count++] = i;
    }
    return count;
}

/* Whether the lines of an item, with its body, have the content that they had. */
static bool is_same_item(const void *user, size_t was, size_t now)
{
    const pairing *p = user;
    const uint32_t a = p->now.items[now], b = p->old.items[was];
    const lvl_line *x = &p->now.list->lines[a], *y = &p->old.list->lines[b];
    const bool bodies = lvl_line_after(p->now.list, a) > a + 1 && lvl_line_after(p->old.list, b) > b + 1;

    return lvl_line_same(x, y) && (!bodies || lvl_line_same(x + 1, y + 1));
}

static void pair_items(pairing *p, uint32_t slot)
{
    const uint32_t now = find_items(&p->now, slot), was = find_items(&p->old, slot);
    const lvl_pairs pairs = lvl_pairs_of(was, now, is_same_item, p);

    for (uint32_t i = 0; i < now; i++) {
        const size_t k = lvl_pairs_was(&pairs, i);
        if (k == SIZE_MAX)
            continue;
        const uint32_t a = p->now.items[i], b = p->old.items[k];
        const uint32_t end_a = lvl_line_after(p->now.list, a), end_b = lvl_line_after(p->old.list, b);
        for (uint32_t n = 0; a + n < end_a && b + n < end_b; n++) {
            p->now.other[a + n] = b + n;
            p->old.other[b + n] = a + n;
        }
    }
}

lvl_status lvl_writer_pair(lvl_line_writer *w, const lvl_line_list *source, lvl_line_pairs *out)
{
    const lvl_grammar *grammar = w->rules.grammar;
    pairing p;

    if (!find_slots(w, &w->list, &p.now) || !find_slots(w, source, &p.old) || !pair_slots(w, &p))
        return LVL_ERR_MEMORY;
    for (uint32_t k = 0; k < grammar->rule_count; k++) {
        const lvl_rule_kind kind = grammar->rules[k].kind;
        if (kind == LVL_RULE_ITEM || kind == LVL_RULE_ROWS || kind == LVL_RULE_OTHER)
            pair_items(&p, slot_of_items(k));
    }
    *out = (lvl_line_pairs){p.now.other, p.old.other};
    return LVL_OK;
}
