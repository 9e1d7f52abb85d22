/*
 * lines/place.c: where parts go that the source does not have. They follow the part that precedes
 * them in the document. Three kinds do not, and are put right before the next part that the source has: rows
 * before the end of their block; items before the next one of their list, if the source has that elsewhere;
 * and parts that begin a section, after the blank lines in front of it.
 */
#include "lines/weave.h"

/* The place in the source after the part that precedes the new parts before part `a`. */
static uint32_t place_behind(const lvl_merge *m, uint32_t a)
{
    while (a && lvl_merge_is_new(m, a - 1))
        a--;
    return a ? m->old_of[a - 1] + 1 : 0;
}

/* The new items before an item of the same list. */
static uint32_t first_item(const lvl_merge *m, uint32_t a)
{
    const lvl_part *now = m->now->items;
    const lvl_field *list = lvl_rules_list(&m->w->rules, &now[a]);

    while (a && lvl_merge_is_new(m, a - 1) && lvl_rules_list(&m->w->rules, &now[a - 1]) == list)
        a--;
    return a;
}

/* The new rows before the line that ends their block. */
static uint32_t first_row(const lvl_merge *m, uint32_t a)
{
    while (a && lvl_merge_is_new(m, a - 1) && m->now->items[a - 1].place == LVL_PART_ROW)
        a--;
    return a;
}

/* The first new part at the start of the section of part `a`; `a` if other parts of the section precede
 * them. */
static uint32_t first_of_section(const lvl_merge *m, uint32_t a, unsigned section)
{
    const lvl_part *now = m->now->items;
    uint32_t first = a;

    while (first && lvl_merge_is_new(m, first - 1) && lvl_merge_rule(m, &now[first - 1])->section == section)
        first--;
    if (first && lvl_merge_rule(m, &now[first - 1])->section == section)
        return a;
    return m->old_of[a] == place_behind(m, first) ? first : a;
}

uint32_t lvl_merge_first_before(const lvl_merge *m, uint32_t a)
{
    if (!a || !lvl_merge_is_new(m, a - 1))
        return a;

    const lvl_part *now = &m->now->items[a], *old = &m->old->items[m->old_of[a]];
    const lvl_rule *rule = lvl_merge_rule(m, now);
    if (lvl_rules_list(&m->w->rules, now) && m->old_of[a] < place_behind(m, a))
        return first_item(m, a);
    if (now->place == LVL_PART_END)
        return rule->rows ? a : first_row(m, a);
    const bool blank_before = old->lead < old->head && lvl_merge_is_blank(m, old->lead, old->head);
    return now->place == LVL_PART_ALONE && rule->section && blank_before
               ? first_of_section(m, a, rule->section)
               : a;
}
