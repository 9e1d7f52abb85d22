/*
 * base/list.c: inserts, removes and reorders items of lists. Overrides (base/derived.c) follow their records.
 */
#include "base/format.h"

#include <stdlib.h>
#include <string.h>

static void set_list(void *record, const lvl_field *field, void *items, uint32_t count)
{
    memcpy((uint8_t *)record + field->offset, &items, sizeof items);
    memcpy((uint8_t *)record + field->count_offset, &count, sizeof count);
}

static uint64_t items_hash(const lvl_doc *doc, const void *items)
{
    return lvl_hash_u64(&doc->grown_index.seed, (uintptr_t)items);
}

/* The entry of the list with these items, if it has spare capacity; else NULL. */
static lvl_grown_list *find_grown(const lvl_doc *doc, const void *items)
{
    const lvl_hash *index = &doc->grown_index;

    for (lvl_hash_at at = lvl_hash_first(index, items_hash(doc, items)); at.found;
         at = lvl_hash_next(index, at)) {
        if (doc->grown[at.index].items == items)
            return &doc->grown[at.index];
    }
    return NULL;
}

/* Records the spare capacity of a list, replacing the entry of its former items, which may be NULL. Out of
 * memory: the list has no spare capacity. */
static void note_grown(lvl_doc *doc, lvl_grown_list *former, lvl_grown_list list)
{
    if (!doc->grown_index.slots)
        lvl_hash_init(&doc->grown_index);
    if (!former && !lvl_grow(&doc->grown, &doc->grown_cap, (size_t)doc->grown_count + 1, sizeof list))
        return;
    const uint32_t index = former ? (uint32_t)(former - doc->grown) : doc->grown_count;
    if (lvl_hash_add(&doc->grown_index, items_hash(doc, list.items), index) != LVL_OK)
        return;
    doc->grown[index] = list;
    doc->grown_count += !former;
}

void lvl_list_note_grid(lvl_doc *doc, const void *grid)
{
    if (grid && !find_grown(doc, grid))
        note_grown(doc, NULL, (lvl_grown_list){grid, 0, 0});
}

bool lvl_list_has_grid(const lvl_doc *doc, const void *grid)
{
    return grid && find_grown(doc, grid);
}

/* Returns the `old` items at `was` with a gap of `count` zeroed items at `index`. A list that grows at its
 * end by less than its length gets half its length as spare capacity, so that appending items one by one does
 * not copy them each time. */
static uint8_t *insert_gap(lvl_doc *doc, const uint8_t *was, uint32_t old, uint32_t index, uint32_t count,
                           size_t size)
{
    const size_t more = index == old && count < old ? old / 2 : 0;
    lvl_grown_list *grown = old && index == old ? find_grown(doc, was) : NULL;

    if (grown && grown->used == old && count <= grown->cap - old) {
        grown->used += count;
        return (uint8_t *)(uintptr_t)was;
    }
    const uint64_t capacity = (uint64_t)old + count + more;
    uint8_t *items = lvl_arena_array(&doc->arena, (size_t)old + count + more, size);
    if (!items || !old)
        return items;
    memcpy(items, was, index * size);
    memcpy(items + (index + (size_t)count) * size, was + index * size, (old - index) * size);
    lvl_doc_move_overrides(doc, was + index * size, (old - index) * size,
                           items + (index + (size_t)count) * size);
    lvl_doc_move_overrides(doc, was, index * size, items);
    if (more)
        note_grown(
            doc, grown,
            (lvl_grown_list){items, old + count, capacity < UINT32_MAX ? (uint32_t)capacity : UINT32_MAX});
    return items;
}

lvl_status lvl_list_insert(lvl_doc *doc, void *record, const lvl_field *field, uint32_t index, uint32_t count)
{
    const uint64_t max = lvl_limits_of(doc->ctx).items;

    if (!field || field->kind != LVL_LIST || index > lvl_list_count(record, field))
        return LVL_ERR_ARG;
    const uint32_t old = lvl_list_count(record, field);
    const size_t size = field->item_size;
    if (count > UINT32_MAX - 1 - old || (uint64_t)old + count > max)
        return lvl_refuse(doc->ctx, LVL_LIMIT_ITEMS, max, (uint64_t)old + count);
    uint8_t *items = insert_gap(doc, old ? lvl_list_item(record, field, 0) : NULL, old, index, count, size);
    if (!items)
        return LVL_ERR_MEMORY;
    if (field->item == LVL_RECORD) {
        for (uint32_t i = 0; i < count; i++)
            lvl_record_init(items + (index + (size_t)i) * size, field->table);
    }
    set_list(record, field, items, old + count);
    return LVL_OK;
}

/* Moves the overrides of a list's `old` items from `was` to `items`. `now` has the new index of each item;
 * UINT32_MAX: removed, its overrides are dropped. */
static void renumber_overrides(lvl_doc *doc, const uint8_t *was, const uint8_t *items, size_t size,
                               const uint32_t *now, uint32_t old)
{
    for (uint32_t i = 0; i < doc->override_count; i++) {
        const uintptr_t at = (uintptr_t)doc->overrides[i].record - (uintptr_t)was;
        if (at >= (uintptr_t)old * size)
            continue;
        const uint32_t item = now[at / size];
        doc->overrides[i].record = item == UINT32_MAX ? NULL : items + item * size + at % size;
    }
    lvl_doc_index_overrides(doc);
}

lvl_status lvl_list_arrange(lvl_doc *doc, void *record, const lvl_field *field, const uint32_t *order,
                            uint32_t count)
{
    const uint32_t old = lvl_list_count(record, field);
    const size_t size = field->item_size;

    if (!old) /* without items there is no array */
        return count ? LVL_ERR_ARG : LVL_OK;
    uint32_t *now = malloc(((size_t)old + 1) * sizeof *now);
    uint8_t *items = now ? lvl_arena_array(&doc->arena, count, size) : NULL;

    if (!items) {
        free(now);
        return LVL_ERR_MEMORY;
    }
    const uint8_t *was = lvl_list_item(record, field, 0);
    memset(now, 0xFF, ((size_t)old + 1) * sizeof *now);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(items + i * size, was + order[i] * size, size);
        now[order[i]] = i;
    }
    renumber_overrides(doc, was, items, size, now, old);
    set_list(record, field, items, count);
    free(now);
    return LVL_OK;
}

lvl_status lvl_list_drop(lvl_doc *doc, void *record, const lvl_field *field, const uint8_t *drop)
{
    const uint32_t old = lvl_list_count(record, field);
    uint32_t *order = malloc(((size_t)old + 1) * sizeof *order), count = 0;

    if (!order)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < old; i++) {
        if (!drop[i])
            order[count++] = i;
    }
    const lvl_status status = count == old ? LVL_OK : lvl_list_arrange(doc, record, field, order, count);
    free(order);
    return status;
}

lvl_status lvl_list_remove(lvl_doc *doc, void *record, const lvl_field *field, uint32_t index, uint32_t count)
{
    const uint32_t old = field && field->kind == LVL_LIST ? lvl_list_count(record, field) : 0;

    if (!field || field->kind != LVL_LIST || index > old || count > old - index)
        return LVL_ERR_ARG;
    uint8_t *drop = calloc((size_t)old + 1, 1);
    if (!drop)
        return LVL_ERR_MEMORY;
    memset(drop + index, 1, count);
    const lvl_status status = lvl_list_drop(doc, record, field, drop);
    free(drop);
    return status;
}
