/*
 * tools/diff/merge_ids.c: items that both sides added with one id, and that others name by id (the sprites of
 * an animation): two different items cannot share an id, so those of THEIRS get new ones.
 */
#include "tools/diff/merge.h"

#include "base/hash.h"
#include "base/search.h"

#include <stdlib.h>
#include <string.h>

/* The id of the items of a list: the first identity, if it is one number; NULL: they have none. */
static const lvl_field *id_of(const lvl_field *list)
{
    const lvl_table *t = list->table;
    const lvl_field *id = t && t->identity_count && t->identities[0].count == 1
                              ? lvl_table_at(t, t->identities[0].offsets[0])
                              : NULL;

    return id && id->kind == LVL_INT ? id : NULL;
}

/* Whether records of the table, or those in their lists, name items of the list by id. */
static bool any_names(const lvl_table *table, const char *list,
                      unsigned depth) /* NOLINT(misc-no-recursion) */
{
    bool any = false;

    for (uint32_t i = 0; i < table->field_count && !any; i++) {
        const lvl_field *f = &table->fields[i];
        any = (f->flags & LVL_F_BY_ID && strcmp(f->ref, list) == 0) ||
              (f->table && depth && any_names(f->table, list, depth - 1));
    }
    return any;
}

/* The ids of a list, each with the index of the item that has it; the last one of several counts. */
typedef struct ids {
    lvl_hash table;
    const void *record;
    const lvl_field *list, *id;
} ids;

static uint32_t find_id(const ids *x, int64_t id)
{
    const uint64_t hash = lvl_hash_bytes(&x->table.seed, &id, sizeof id);

    for (lvl_hash_at at = lvl_hash_first(&x->table, hash); at.found; at = lvl_hash_next(&x->table, at)) {
        if (lvl_get_int(lvl_list_item(x->record, x->list, at.index), x->id) == id)
            return at.index;
    }
    return LVL_NO_INDEX;
}

/* *most: the greatest of all ids that were added. */
static void add_ids(lvl_merger *m, ids *x, const void *record, const lvl_field *list, int64_t *most)
{
    lvl_hash_init(&x->table);
    x->record = record;
    x->list = list;
    x->id = id_of(list);
    for (uint32_t i = 0; i < lvl_list_count(record, list) && lvl_merge_ok(m); i++) {
        const int64_t id = lvl_get_int(lvl_list_item(record, list, i), x->id);
        *most = id > *most ? id : *most;
        if (find_id(x, id) == LVL_NO_INDEX)
            lvl_merge_fail(m, lvl_hash_add(&x->table, lvl_hash_bytes(&x->table.seed, &id, sizeof id), i));
    }
}

/* Old and new ids. */
typedef struct change {
    int64_t from, to;
} change;

typedef struct changes {
    lvl_merger *m;
    const char *list;
    const change *items; /* ascending */
    size_t count;
} changes;

static void follow_id(const changes *c, void *record, const lvl_field *f)
{
    const int64_t id = lvl_get_int(record, f);
    size_t at;

    LVL_LOWER_BOUND(at, c->count, c->items[at].from < id);
    if (at < c->count && c->items[at].from == id)
        lvl_merge_set(c->m, record, f, c->items[at].to, (lvl_text){NULL, 0});
}

static void follow_ids(const changes *c, void *record, const lvl_table *table,
                       unsigned depth) /* NOLINT(misc-no-recursion) */
{
    for (uint32_t i = 0; i < table->field_count && lvl_merge_ok(c->m); i++) {
        const lvl_field *f = &table->fields[i];
        if (f->flags & LVL_F_BY_ID && strcmp(f->ref, c->list) == 0 && lvl_field_present(record, f))
            follow_id(c, record, f);
        if (f->kind != LVL_LIST || !f->table || !depth || !any_names(f->table, c->list, depth - 1))
            continue;
        for (uint32_t k = 0; k < lvl_list_count(record, f); k++)
            follow_ids(c, lvl_item_at(record, f, k), f->table, depth - 1);
    }
}

static int by_from(const void *a, const void *b)
{
    const int64_t x = ((const change *)a)->from, y = ((const change *)b)->from;

    return (x > y) - (x < y);
}

/* Gives the added items of a list new ids. */
static void number_list(lvl_merger *m, const lvl_field *list)
{
    const lvl_doc *const docs[3] = {m->ours, m->base, m->theirs};
    const uint32_t count = lvl_list_count(m->theirs->root, list);
    change *made = lvl_arena_array(&m->arena, (size_t)count + 1, sizeof *made);
    int64_t most = 0;
    size_t n = 0;
    ids of[3];

    for (int i = 0; i < 3; i++)
        add_ids(m, &of[i], docs[i]->root, list, &most);
    if (!made)
        lvl_merge_fail(m, lvl_arena_status(&m->arena, LVL_ERR_MEMORY));
    for (uint32_t i = 0; i < count && lvl_merge_ok(m); i++) {
        void *item = lvl_item_at(m->theirs->root, list, i);
        const int64_t id = lvl_get_int(item, of[2].id);
        const uint32_t ours = find_id(&of[0], id);
        if (ours == LVL_NO_INDEX || find_id(&of[1], id) != LVL_NO_INDEX || find_id(&of[2], id) != i ||
            !lvl_int_fits(of[2].id, most + 1) || most == INT64_MAX ||
            lvl_similarity(lvl_list_item(m->ours->root, list, ours), item, list) >= LVL_SIMILAR_ALL / 2)
            continue;
        made[n++] = (change){id, ++most};
    }
    if (n)
        qsort(made, n, sizeof *made, by_from);
    const changes c = {m, list->name, made, n};
    for (uint32_t i = 0; n && i < count && lvl_merge_ok(m); i++)
        follow_id(&c, lvl_item_at(m->theirs->root, list, i), of[2].id);
    if (n && lvl_merge_ok(m))
        follow_ids(&c, m->theirs->root, m->theirs->format->table, LVL_PATH_DEPTH);
    for (int i = 0; i < 3; i++)
        lvl_hash_free(&of[i].table);
}

void lvl_merge_number_added(lvl_merger *m)
{
    const lvl_table *table = m->ours->format->table;

    for (uint32_t i = 0; i < table->field_count && lvl_merge_ok(m); i++) {
        const lvl_field *f = &table->fields[i];
        if (f->kind == LVL_LIST && id_of(f) && any_names(table, f->name, LVL_PATH_DEPTH))
            number_list(m, f);
    }
}
