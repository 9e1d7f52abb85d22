/*
 * tools/diff/changes.c: compares two documents by their tables, into a list of changes. A change that has
 * others inside is appended before them, and removed again if there are none.
 */
#include "tools/diff/changes.h"

#include "base/arena.h"
#include "base/work.h"
#include "tools/diff/align.h"

#include <stdlib.h>
#include <string.h>

enum { NO_PARENT = UINT32_MAX };

typedef struct finder {
    const lvl_ctx *ctx;
    lvl_changes *list;
    uint32_t parent; /* the change that is filled */
    uint32_t lists; /* lists around it */
    bool forms; /* the documents have different forms, or different formats that share their table */
    bool formats; /* different formats */
    lvl_status status;
} finder;

static void find_in_fields(finder *d, const void *a, const void *b, const lvl_table *table);

static void fail(finder *d, lvl_status status)
{
    if (d->status == LVL_OK)
        d->status = status;
}

/* Appends a change; its index, or NO_PARENT after a failure. */
static uint32_t add_change(finder *d, lvl_change_kind kind, const lvl_field *f, const void *old,
                           const void *now)
{
    lvl_changes *list = d->list;
    const size_t share = lvl_memory_share(d->ctx), need = (size_t)list->count + 1;

    if (d->status != LVL_OK)
        return NO_PARENT;
    if (need > share / sizeof *list->items || need >= NO_PARENT)
        fail(d, lvl_refuse(d->ctx, LVL_LIMIT_MEMORY, share, need * sizeof *list->items));
    else if (!lvl_grow(&list->items, &list->cap, need, sizeof *list->items))
        fail(d, LVL_ERR_MEMORY);
    if (d->status != LVL_OK)
        return NO_PARENT;
    list->items[list->count] = (lvl_change){.kind = kind,
                                            .parent = d->parent,
                                            .end = list->count + 1,
                                            .a = LVL_NO_INDEX,
                                            .b = LVL_NO_INDEX,
                                            .field = f,
                                            .old = old,
                                            .now = now};
    return list->count++;
}

/* The same for a change that has others inside, which are appended next. */
static uint32_t open_change(finder *d, lvl_change_kind kind, const lvl_field *f, const void *old,
                            const void *now)
{
    const uint32_t at = add_change(d, kind, f, old, now);

    d->parent = at != NO_PARENT ? at : d->parent;
    return at;
}

/* Ends it; removes it if nothing is inside and it is not `kept`. */
static void close_change(finder *d, uint32_t at, bool kept)
{
    if (at == NO_PARENT)
        return;
    d->parent = d->list->items[at].parent;
    if (d->list->count == at + 1 && !kept)
        d->list->count = at;
    else
        d->list->items[at].end = d->list->count;
}

static void add_value(finder *d, const void *a, const void *b, const lvl_field *f)
{
    add_change(d, LVL_CHANGE_SET, f, a, b);
    d->list->plain += !d->lists;
}

static void find_in_cells(finder *d, const void *ra, const void *rb, const lvl_field *f)
{
    const lvl_cells *a = lvl_get_cells(ra, f), *b = lvl_get_cells(rb, f);
    lvl_region *regions = NULL;
    size_t count = 0;

    if (a->width != b->width || a->height != b->height || !a->ptr != !b->ptr)
        add_change(d, LVL_CHANGE_SIZE, f, ra, rb);
    const lvl_status status = lvl_regions_find(a, b, &regions, &count);
    if (status != LVL_OK)
        fail(d, status);
    const uint32_t at = count ? add_change(d, LVL_CHANGE_CELLS, f, ra, rb) : NO_PARENT;
    if (at == NO_PARENT) {
        free(regions);
        return;
    }
    d->list->items[at].u.regions.items = regions;
    d->list->items[at].u.regions.count = (uint32_t)count;
}

/* An item that both sides have. */
static void find_in_item(finder *d, const lvl_alignment *pairs, uint32_t j, const void *a, const void *b,
                         const lvl_field *f)
{
    const bool moved = pairs->moved[j];
    const uint32_t at = open_change(d, LVL_CHANGE_ITEM, f, a, b);

    if (at == NO_PARENT)
        return;
    d->list->items[at].a = pairs->b[j];
    d->list->items[at].b = j;
    find_in_fields(d, a, b, f->table);
    const bool changed = d->list->count > at + 1;
    d->list->items[at].u.tally.moved = moved;
    d->list->items[at].u.tally.changed = changed;
    close_change(d, at, moved);
}

static void add_item(finder *d, lvl_change_kind kind, const lvl_field *f, uint32_t index, const void *item)
{
    const bool removed = kind == LVL_CHANGE_REMOVE;
    const uint32_t at = add_change(d, kind, f, removed ? item : NULL, removed ? NULL : item);

    if (at == NO_PARENT)
        return;
    d->list->items[at].a = removed ? index : LVL_NO_INDEX;
    d->list->items[at].b = removed ? LVL_NO_INDEX : index;
}

/* Counts the items of a list that changed. */
static void count_items(lvl_changes *list, uint32_t at)
{
    lvl_change *c = &list->items[at];

    for (uint32_t i = at + 1; i < list->count; i = list->items[i].end) {
        const lvl_change *item = &list->items[i];
        c->u.tally.added += item->kind == LVL_CHANGE_INSERT;
        c->u.tally.removed += item->kind == LVL_CHANGE_REMOVE;
        c->u.tally.moved += item->kind == LVL_CHANGE_ITEM && item->u.tally.moved;
        c->u.tally.changed += item->kind == LVL_CHANGE_ITEM && item->u.tally.changed;
    }
}

static void find_in_list(finder *d, const void *a, const void *b, const lvl_field *f)
{
    lvl_alignment pairs;
    uint32_t i = 0;

    const lvl_status status = lvl_align(&pairs, d->ctx, a, b, f);
    if (status != LVL_OK)
        fail(d, status);
    const uint32_t at = open_change(d, LVL_CHANGE_LIST, f, a, b);
    d->lists++;
    for (uint32_t j = 0; j <= pairs.count_b && d->status == LVL_OK; j++) {
        for (; i < pairs.count_a && (pairs.a[i] == LVL_UNPAIRED || j == pairs.count_b || pairs.a[i] < j);
             i++) {
            if (pairs.a[i] == LVL_UNPAIRED)
                add_item(d, LVL_CHANGE_REMOVE, f, i, lvl_list_item(a, f, i));
        }
        if (j == pairs.count_b)
            break;
        if (pairs.b[j] == LVL_UNPAIRED)
            add_item(d, LVL_CHANGE_INSERT, f, j, lvl_list_item(b, f, j));
        else
            find_in_item(d, &pairs, j, lvl_list_item(a, f, pairs.b[j]), lvl_list_item(b, f, j), f);
    }
    d->lists--;
    if (at != NO_PARENT)
        count_items(d->list, at);
    close_change(d, at, false);
    lvl_alignment_free(&pairs);
}

static void find_in_record(finder *d, const void *a, const void *b, const lvl_field *f)
{
    const uint32_t at = open_change(d, LVL_CHANGE_RECORD, f, a, b);

    find_in_fields(d, lvl_get_record(a, f), lvl_get_record(b, f), f->table);
    close_change(d, at, false);
}

static void find_in_field(finder *d, const void *a, const void *b, const lvl_field *f)
{
    const bool in_a = lvl_field_present(a, f), in_b = lvl_field_present(b, f);

    if (f->role == LVL_DERIVED || f->role == LVL_KEPT || (!in_a && !in_b) ||
        (d->forms && (f->flags & LVL_F_FORM) && (d->formats || d->parent != NO_PARENT)))
        return;
    /* a member that one side cannot have is not a difference while it has its default on the other */
    if (d->forms && in_a != in_b && lvl_field_is_default(in_a ? a : b, f))
        return;
    if (in_a != in_b)
        add_value(d, in_a ? a : NULL, in_b ? b : NULL, f);
    else if (f->kind == LVL_RECORD)
        find_in_record(d, a, b, f);
    else if (f->kind == LVL_CELLS)
        find_in_cells(d, a, b, f);
    else if (f->kind == LVL_LIST && f->item == LVL_RECORD)
        find_in_list(d, a, b, f);
    else if (!lvl_member_equal(a, b, f))
        add_value(d, a, b, f);
}

static void find_in_fields(finder *d, const void *a, const void *b, const lvl_table *table)
{
    fail(d, lvl_charge(d->ctx, 8 * (uint64_t)table->field_count));
    for (uint32_t i = 0; i < table->field_count && d->status == LVL_OK; i++)
        find_in_field(d, a, b, &table->fields[i]);
}

/* Whether two documents have different forms (LVL_F_FORM). */
static bool forms_differ(const lvl_doc *a, const lvl_doc *b)
{
    const lvl_table *table = a->format->table;
    bool differs = false;

    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        differs = differs || ((f->flags & LVL_F_FORM) && !lvl_member_equal(a->root, b->root, f));
    }
    return differs;
}

lvl_status lvl_changes_find(lvl_changes *changes, const lvl_doc *a, const lvl_doc *b)
{
    finder d = {.ctx = a->ctx, .list = changes, .parent = NO_PARENT, .formats = a->format != b->format};

    *changes = (lvl_changes){0};
    if (a->format->table != b->format->table)
        return LVL_ERR_ARG;
    d.forms = d.formats || forms_differ(a, b);
    find_in_fields(&d, a->root, b->root, a->format->table);
    return d.status;
}

void lvl_changes_free(lvl_changes *changes)
{
    for (uint32_t i = 0; i < changes->count; i++) {
        if (changes->items[i].kind == LVL_CHANGE_CELLS)
            free(changes->items[i].u.regions.items);
    }
    free(changes->items);
}

bool lvl_change_has_lines(const lvl_change *c)
{
    return c->field->kind == LVL_TEXT && (c->field->flags & LVL_F_LINES) && c->old && c->now;
}

uint64_t lvl_change_cells(const lvl_change *c)
{
    uint64_t cells = 0;

    for (uint32_t i = 0; i < c->u.regions.count; i++)
        cells += c->u.regions.items[i].cells;
    return cells;
}

lvl_where lvl_change_where(const lvl_changes *changes, const lvl_change *change, bool second)
{
    const bool item = change->kind >= LVL_CHANGE_INSERT;
    lvl_where where = change->parent == NO_PARENT
                          ? lvl_where_root()
                          : lvl_change_where(changes, &changes->items[change->parent], second);

    if (!item)
        return lvl_where_to(where, change->field, LVL_NO_INDEX);
    if (where.depth)
        where.steps[where.depth - 1].index = second ? change->b : change->a;
    return where;
}
