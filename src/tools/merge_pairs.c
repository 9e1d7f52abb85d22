/*
 * tools/merge_pairs.c: which items of a side are those of BASE. Items are paired as in a diff, which then
 * calls some changed items new ones; a merge has to know which, so that it keeps changes by the other side.
 */
#include "tools/merge_list.h"

#include <string.h>

/* Whether two records differ in their label only. */
static bool is_renamed(const void *a, const void *b, const lvl_table *table)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (strcmp(f->name, table->label) != 0 && !lvl_member_equal(a, b, f))
            return false;
    }
    return true;
}

/* Whether the items behind i and j are a pair, or there are equally many and one list ends here. */
static bool is_pair_behind(const lvl_pairs *p, uint32_t i, uint32_t j)
{
    if (i + 1 == p->count_a || j + 1 == p->count_b)
        return p->count_a - i == p->count_b - j;
    return p->a[i + 1] == j + 1;
}

/* For a diff, an item with another name may be another item. Here it is the same one if it is between the
 * same items and differs in nothing else. */
static void pair_renamed(lvl_list_side *side, const void *base, const lvl_field *field)
{
    lvl_pairs *p = &side->pairs;

    for (uint32_t i = 0; i < p->count_a && field->table->label; i++) {
        uint32_t j = 0;
        if (i)
            j = p->a[i - 1] == LVL_UNPAIRED ? LVL_UNPAIRED : p->a[i - 1] + 1;
        if (p->a[i] != LVL_UNPAIRED || j >= p->count_b || p->b[j] != LVL_UNPAIRED)
            continue;
        if (is_pair_behind(p, i, j) &&
            is_renamed(lvl_list_item(base, field, i), lvl_list_item(side->record, field, j), field->table)) {
            p->a[i] = j;
            p->b[j] = i;
        }
    }
}

static uint32_t count_fresh(const lvl_pairs *p, uint32_t from, uint32_t to)
{
    uint32_t fresh = 0;

    for (uint32_t j = from; j < to; j++)
        fresh += !p->copy[j];
    return fresh;
}

/* Items i ... end - 1 of BASE are replaced by those from index j on, but for copies of others. */
static void note_replaced(lvl_list_side *side, uint32_t i, uint32_t end, uint32_t j)
{
    for (; i < end; i++, j++) {
        while (side->pairs.copy[j])
            j++;
        side->replaced[i] = j;
    }
}

/* Finds what replaced items of BASE: as many items, between the same two, that are not paired either. An item
 * that was changed so much is another one for a diff. If they are not as many, only their place is known. */
static void find_replaced(lvl_list_side *side, const lvl_field *field)
{
    const lvl_pairs *p = &side->pairs;
    uint32_t from, to;

    for (uint32_t i = 0; i < p->count_a; i++)
        side->replaced[i] = LVL_UNPAIRED;
    for (uint32_t i = 0; i < p->count_a && !(field->flags & LVL_F_UNORDERED); i++) {
        if (p->a[i] != LVL_UNPAIRED)
            continue;
        const uint32_t end = lvl_pairs_gap(p, i, &from, &to);
        const uint32_t fresh = count_fresh(p, from, to);
        if (fresh == end - i)
            note_replaced(side, i, end, from);
        for (uint32_t k = i; k < end && fresh && fresh != end - i; k++)
            side->gap[k] = from + 1;
        i = end;
    }
}

lvl_status lvl_list_side_pair(lvl_list_side *side, const lvl_ctx *ctx, const void *base,
                              const lvl_field *field)
{
    const lvl_status status = lvl_pairs_find(&side->pairs, ctx, base, side->record, field);

    if (status != LVL_OK)
        return status;
    pair_renamed(side, base, field);
    find_replaced(side, field);
    return LVL_OK;
}
