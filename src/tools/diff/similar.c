/*
 * tools/diff/similar.c: see similar.h.
 */
#include "tools/diff/similar.h"

#include "tools/values/json_write.h"

enum {
    MAX_DEPTH = 4, /* of records in records that are compared by their members, */
    MAX_ITEMS = 64, /* items of a list, */
    MAX_CELLS = 4096 /* and cells of a grid */
};

/* Equal content, of all. */
typedef struct score {
    uint64_t same, all;
} score;

static void compare_records(score *s, const void *a, const void *b, const lvl_table *table, unsigned depth);

static void add(score *s, uint64_t share, unsigned weight)
{
    s->same += share * weight;
    s->all += (uint64_t)LVL_SIMILAR_ALL * weight;
}

/* The share of equal bytes at the beginning and at the end. */
static uint64_t common_ends(lvl_text a, lvl_text b)
{
    const size_t least = a.len < b.len ? a.len : b.len, most = a.len < b.len ? b.len : a.len;
    size_t front = 0, back = 0;

    while (front < least && a.ptr[front] == b.ptr[front])
        front++;
    while (back < least - front && a.ptr[a.len - 1 - back] == b.ptr[b.len - 1 - back])
        back++;
    return most ? (uint64_t)(front + back) * LVL_SIMILAR_ALL / most : LVL_SIMILAR_ALL;
}

/* Numbers that differ: at most a third, more the nearer they are. */
static uint64_t near_numbers(double a, double b)
{
    const double distance = a < b ? b - a : a - b, size = (a < 0 ? -a : a) + (b < 0 ? -b : b) + 1;

    return distance < size ? (uint64_t)((1 - distance / size) * LVL_SIMILAR_ALL / 3) : 0;
}

static uint64_t compare_cells(const lvl_cells *a, const lvl_cells *b)
{
    const uint64_t cells_a = (uint64_t)a->width * a->height, cells_b = (uint64_t)b->width * b->height;
    const uint64_t most = cells_a > cells_b ? cells_a : cells_b;
    const uint32_t width = a->width < b->width ? a->width : b->width;
    const uint32_t height = a->height < b->height ? a->height : b->height;
    const uint64_t common = (uint64_t)width * height, step = common / MAX_CELLS + 1;
    uint64_t same = 0, seen = 0;

    if (!a->ptr || !b->ptr || !common)
        return !a->ptr == !b->ptr && cells_a == cells_b ? LVL_SIMILAR_ALL : 0;
    for (uint64_t i = 0; i < common; i += step, seen++)
        same += lvl_cell(a, (uint32_t)(i % width), (uint32_t)(i / width)) ==
                lvl_cell(b, (uint32_t)(i % width), (uint32_t)(i / width));
    return same * common / seen * LVL_SIMILAR_ALL / most;
}

/* Of an item of a list, which may be a value. */
static uint64_t compare_items(const void *a, const void *b, const lvl_field *list, unsigned depth)
{
    const lvl_field item = lvl_item_field(list);
    score s = {0, 0};

    if (lvl_member_equal(a, b, &item))
        return LVL_SIMILAR_ALL;
    if (list->item == LVL_TEXT)
        return common_ends(lvl_get_text(a, &item), lvl_get_text(b, &item)) / 2;
    if (list->item != LVL_RECORD || !depth)
        return 0;
    compare_records(&s, a, b, list->table, depth - 1);
    return s.all ? s.same * LVL_SIMILAR_ALL / s.all : LVL_SIMILAR_ALL;
}

/* Items at the front and at the back are compared as long as they are equal, the others by their place. */
static uint64_t compare_lists(const void *a, const void *b, const lvl_field *f, unsigned depth)
{
    const lvl_field item = lvl_item_field(f);
    const uint32_t n = lvl_list_count(a, f), m = lvl_list_count(b, f), least = n < m ? n : m;
    uint64_t same = 0;
    uint32_t front = 0, back = 0;

    while (front < least && lvl_member_equal(lvl_list_item(a, f, front), lvl_list_item(b, f, front), &item))
        front++;
    while (back < least - front &&
           lvl_member_equal(lvl_list_item(a, f, n - 1 - back), lvl_list_item(b, f, m - 1 - back), &item))
        back++;
    same = (uint64_t)(front + back) * LVL_SIMILAR_ALL;
    for (uint32_t i = front; i < least - back && i - front < MAX_ITEMS; i++)
        same += compare_items(lvl_list_item(a, f, i), lvl_list_item(b, f, i), f, depth);
    const uint32_t most = n > m ? n : m;
    return most ? same / most : LVL_SIMILAR_ALL;
}

static void compare_member(score *s, const void *a, const void *b, const lvl_field *f, unsigned depth)
{
    const bool large = f->kind == LVL_CELLS || f->kind == LVL_LIST || (f->flags & LVL_F_LINES);
    const unsigned weight = large ? 2 : 1;

    if (f->kind == LVL_RECORD) {
        if (depth)
            compare_records(s, lvl_get_record(a, f), lvl_get_record(b, f), f->table, depth - 1);
    } else if (lvl_member_equal(a, b, f)) {
        add(s, LVL_SIMILAR_ALL, weight);
    } else if (f->kind == LVL_TEXT) {
        const uint64_t ends = common_ends(lvl_get_text(a, f), lvl_get_text(b, f));
        add(s, f->flags & LVL_F_LINES ? ends : ends / 2, weight);
    } else if (f->kind == LVL_LIST) {
        add(s, compare_lists(a, b, f, depth), weight);
    } else if (f->kind == LVL_CELLS) {
        add(s, compare_cells(lvl_get_cells(a, f), lvl_get_cells(b, f)), weight);
    } else if (f->kind == LVL_REAL) {
        add(s, near_numbers(lvl_get_real(a, f), lvl_get_real(b, f)), weight);
    } else if (f->kind == LVL_INT && !f->names && !f->ref && !(f->roles & LVL_ROLE_ID)) {
        add(s, near_numbers((double)lvl_get_int(a, f), (double)lvl_get_int(b, f)), weight);
    } else {
        add(s, 0, weight);
    }
}

static void compare_records(score *s, const void *a, const void *b, const lvl_table *table, unsigned depth)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->role == LVL_DERIVED || f->role == LVL_KEPT)
            continue;
        const bool in_a = lvl_field_present(a, f), in_b = lvl_field_present(b, f);
        if ((!in_a || lvl_field_is_default(a, f)) && (!in_b || lvl_field_is_default(b, f)))
            continue;
        if (in_a && in_b)
            compare_member(s, a, b, f, depth);
        else
            add(s, 0, 1);
    }
}

unsigned lvl_similarity(const void *a, const void *b, const lvl_field *list)
{
    return (unsigned)compare_items(a, b, list, MAX_DEPTH);
}
