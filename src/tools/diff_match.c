/*
 * tools/diff_match.c: pairs the items of two lists: equal items first, then by each identity of the table,
 * then by similarity. All passes but the last sort hashes, so that they are fast for tens of thousands of
 * items. A copy of an item that has its pair is new, so it is not taken for another item that has changed.
 */
#include "tools/diff.h"

#include "tools/json_write.h"
#include "base/hash.h"
#include "base/work.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_COMPARISONS = 1 << 19, /* of the pass by similarity, */
    LEAST_SIMILAR = 50 /* and percent of it that are one item */
};

typedef struct keyed {
    uint64_t hash;
    uint32_t index;
} keyed;

typedef struct matcher {
    lvl_pairs *pairs;
    lvl_hash_seed seed;
    const void *a, *b;
    const lvl_field *list;
    keyed *keys_a, *keys_b;
} matcher;

static uint64_t hash_field(const lvl_hash_seed *seed, uint64_t h, const void *record, const lvl_field *f);

static uint64_t hash_record(const lvl_hash_seed *seed, uint64_t h, const void *record, const lvl_table *table)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->role != LVL_DERIVED && f->role != LVL_KEPT && lvl_field_present(record, f))
            h = hash_field(seed, h, record, f);
    }
    return h;
}

static uint64_t hash_field(const lvl_hash_seed *seed, uint64_t h, const void *record, const lvl_field *f)
{
    switch (f->kind) {
    case LVL_INT: return lvl_hash_mix(seed, h, (uint64_t)lvl_get_int(record, f));
    case LVL_REAL:
        return lvl_hash_mix(seed, h, lvl_hash_bytes(seed, (const uint8_t *)record + f->offset, f->size));
    case LVL_TEXT: {
        lvl_text t = lvl_get_text(record, f);
        return lvl_hash_mix(seed, h, lvl_hash_bytes(seed, t.ptr, t.len));
    }
    case LVL_BYTES: {
        lvl_bytes b = lvl_get_bytes(record, f); /* late members that are not decoded count as equal */
        return lvl_hash_mix(seed, h, lvl_hash_bytes(seed, b.ptr, b.ptr ? b.len : 0));
    }
    case LVL_RECORD: return hash_record(seed, h, lvl_get_record(record, f), f->table);
    case LVL_LIST: {
        uint32_t n = lvl_list_count(record, f);
        const lvl_field item = lvl_item_field(f);
        h = lvl_hash_mix(seed, h, n);
        for (uint32_t i = 0; i < n; i++)
            h = f->item == LVL_RECORD ? hash_record(seed, h, lvl_list_item(record, f, i), f->table)
                                      : hash_field(seed, h, lvl_list_item(record, f, i), &item);
        return h;
    }
    case LVL_CELLS: { /* the size is enough: items with equal hashes are compared in full */
        const lvl_cells *c = lvl_get_cells(record, f);
        return lvl_hash_mix(seed, lvl_hash_mix(seed, h, c->width), c->height);
    }
    }
    return h;
}

static uint64_t hash_identity(const lvl_hash_seed *seed, const void *record, const lvl_table *table,
                              const lvl_identity *identity)
{
    uint64_t h = seed->start;

    for (uint32_t i = 0; i < identity->count; i++) {
        const lvl_field *f = lvl_table_at(table, identity->offsets[i]);
        if (f)
            h = hash_field(seed, h, record, f);
    }
    return h;
}

bool lvl_member_equal(const void *a, const void *b, const lvl_field *field)
{
    const lvl_table one = {.fields = field, .field_count = 1};

    return lvl_record_equal(a, b, &one);
}

bool lvl_identity_equal(const void *a, const void *b, const lvl_table *table, const lvl_identity *identity)
{
    for (uint32_t i = 0; i < identity->count; i++) {
        const lvl_field *f = lvl_table_at(table, identity->offsets[i]);
        if (f && !lvl_member_equal(a, b, f))
            return false;
    }
    return true;
}

static int by_hash(const void *x, const void *y)
{
    const keyed *a = x, *b = y;

    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* The keys of the items that have no pair (`pair` NULL: of all), without copies (`copy` NULL: with them). */
static uint32_t gather_keys(const matcher *m, const void *record, const uint32_t *pair, const uint8_t *copy,
                            uint32_t count, const lvl_identity *identity, keyed *keys)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < count; i++) {
        if ((pair && pair[i] != LVL_UNPAIRED) || (copy && copy[i]))
            continue;
        const void *item = lvl_list_item(record, m->list, i);
        keys[n].hash = identity ? hash_identity(&m->seed, item, m->list->table, identity)
                                : hash_record(&m->seed, m->seed.start, item, m->list->table);
        keys[n++].index = i;
    }
    if (n)
        qsort(keys, n, sizeof *keys, by_hash);
    return n;
}

static void pair_up(lvl_pairs *p, uint32_t i, uint32_t j)
{
    p->a[i] = j;
    p->b[j] = i;
}

/* One pass: items with the same key are paired in order. `identity` NULL: the whole content is the key. */
static void pair_by_key(matcher *m, const lvl_identity *identity)
{
    const lvl_pairs *p = m->pairs;
    uint32_t na = gather_keys(m, m->a, p->a, NULL, p->count_a, identity, m->keys_a);
    uint32_t nb = gather_keys(m, m->b, p->b, p->copy, p->count_b, identity, m->keys_b);

    for (uint32_t i = 0, j = 0; i < na && j < nb;) {
        const keyed *ka = &m->keys_a[i], *kb = &m->keys_b[j];
        if (ka->hash != kb->hash) {
            if (ka->hash < kb->hash)
                i++;
            else
                j++;
            continue;
        }
        const void *x = lvl_list_item(m->a, m->list, ka->index), *y = lvl_list_item(m->b, m->list, kb->index);
        if (identity ? lvl_identity_equal(x, y, m->list->table, identity)
                     : lvl_record_equal(x, y, m->list->table))
            pair_up(m->pairs, ka->index, kb->index);
        i++;
        j++;
    }
}

/* Pairs equal items at the same index, counted from the front and from the back: most lists change little,
 * and of several equal items each keeps its place. */
static void pass_in_place(matcher *m)
{
    lvl_pairs *p = m->pairs;
    uint32_t least = p->count_a < p->count_b ? p->count_a : p->count_b, front = 0;
    const uint32_t shift = p->count_b - p->count_a; /* modulo 2^32, like the indices to which it is added */

    for (uint32_t i = 0; i < least; i++) {
        bool same = lvl_record_equal(lvl_list_item(m->a, m->list, i), lvl_list_item(m->b, m->list, i),
                                     m->list->table);
        if (same)
            pair_up(p, i, i);
        else if (p->count_a != p->count_b)
            break;
        front = i + 1;
    }
    for (uint32_t n = 0; p->count_a != p->count_b && n < least - front; n++) {
        uint32_t i = p->count_a - 1 - n, j = i + shift;
        if (!lvl_record_equal(lvl_list_item(m->a, m->list, i), lvl_list_item(m->b, m->list, j),
                              m->list->table))
            break;
        pair_up(p, i, j);
    }
}

static uint32_t count_unpaired(const uint32_t *pairs, uint32_t count)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < count; i++)
        n += pairs[i] == LVL_UNPAIRED;
    return n;
}

/* Marks the items of b without a pair that are equal to items of a, which all have one after the passes of
 * equal items. */
static void mark_copies(matcher *m)
{
    lvl_pairs *p = m->pairs;

    if (!count_unpaired(p->a, p->count_a))
        return; /* they are new, whatever they equal */
    const uint32_t nb = gather_keys(m, m->b, p->b, NULL, p->count_b, NULL, m->keys_b);
    const uint32_t na = nb ? gather_keys(m, m->a, NULL, NULL, p->count_a, NULL, m->keys_a) : 0;
    for (uint32_t i = 0, j = 0; i < na && j < nb;) {
        const keyed *ka = &m->keys_a[i], *kb = &m->keys_b[j];
        if (ka->hash < kb->hash) {
            i++;
        } else {
            p->copy[kb->index] = ka->hash == kb->hash &&
                                 lvl_record_equal(lvl_list_item(m->a, m->list, ka->index),
                                                  lvl_list_item(m->b, m->list, kb->index), m->list->table);
            j++;
        }
    }
}

/* How similar two records are, in percent: of the members that are not default on both sides, how many are
 * equal. Grids and lists of records do not count. */
static unsigned similarity(const void *a, const void *b, const lvl_table *table)
{
    unsigned same = 0, all = 0;

    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->role == LVL_DERIVED || f->role == LVL_KEPT || f->kind == LVL_CELLS ||
            (f->kind == LVL_LIST && f->item == LVL_RECORD))
            continue;
        bool in_a = lvl_field_present(a, f), in_b = lvl_field_present(b, f);
        if ((!in_a || lvl_field_is_default(a, f)) && (!in_b || lvl_field_is_default(b, f)))
            continue;
        all++;
        same += lvl_member_equal(a, b, f);
    }
    return all ? same * 100 / all : 100;
}

/* Pairs each remaining item of a with the most similar remaining item of b, if half of it is equal. */
static void pass_by_similarity(matcher *m)
{
    const lvl_table *table = m->list->table;
    const lvl_field *label = lvl_label_of(table);
    const uint64_t left_a = count_unpaired(m->pairs->a, m->pairs->count_a),
                   left_b = count_unpaired(m->pairs->b, m->pairs->count_b);

    if (!left_a || !left_b || left_a * left_b > MAX_COMPARISONS)
        return;
    keyed *left = m->keys_b; /* no keys are needed any more: the items of b without a pair */
    uint32_t count = 0;
    for (uint32_t j = 0; j < m->pairs->count_b; j++) {
        if (m->pairs->b[j] == LVL_UNPAIRED && !m->pairs->copy[j])
            left[count++].index = j;
    }
    for (uint32_t i = 0; i < m->pairs->count_a; i++) {
        uint32_t best = LVL_UNPAIRED;
        unsigned most = LEAST_SIMILAR - 1;
        if (m->pairs->a[i] != LVL_UNPAIRED)
            continue;
        const void *x = lvl_list_item(m->a, m->list, i);
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t j = left[k].index;
            if (m->pairs->b[j] != LVL_UNPAIRED)
                continue;
            const void *y = lvl_list_item(m->b, m->list, j);
            if (label && !lvl_member_equal(x, y, label) && !lvl_table_is_large(table))
                continue; /* a small item with another name is another item */
            const unsigned similar = similarity(x, y, table);
            if (similar > most) {
                most = similar;
                best = j;
            }
        }
        if (best != LVL_UNPAIRED)
            pair_up(m->pairs, i, best);
    }
}

uint32_t lvl_pairs_gap(const lvl_pairs *p, uint32_t i, uint32_t *from, uint32_t *to)
{
    uint32_t end = i;

    while (end < p->count_a && p->a[end] == LVL_UNPAIRED)
        end++;
    *from = i ? p->a[i - 1] + 1 : 0;
    *to = end < p->count_a ? p->a[end] : p->count_b;
    for (uint32_t j = *from; j < *to; j++) {
        if (p->b[j] != LVL_UNPAIRED) {
            *to = *from; /* moved items are there */
            break;
        }
    }
    return end;
}

/* An item of a that was changed to what another one is: a copy is in its place. */
static void pass_copies_in_place(matcher *m)
{
    lvl_pairs *p = m->pairs;
    uint32_t from, to;

    for (uint32_t i = 0; i < p->count_a; i++) {
        if (p->a[i] != LVL_UNPAIRED)
            continue;
        const uint32_t end = lvl_pairs_gap(p, i, &from, &to), count = end - i;
        for (uint32_t k = 0; to > from && to - from == count && k < count; k++) {
            if (p->copy[from + k] &&
                similarity(lvl_list_item(m->a, m->list, i + k), lvl_list_item(m->b, m->list, from + k),
                           m->list->table) >= LEAST_SIMILAR) {
                pair_up(p, i + k, from + k);
                p->copy[from + k] = 0;
            }
        }
        i = end;
    }
}

/* Items whose partners are a longest rising run keep their order; the others have moved. */
static lvl_status find_moved(lvl_pairs *p)
{
    const lvl_status status = lvl_rising_run(p->b, p->count_b, p->moved);

    for (uint32_t j = 0; j < p->count_b; j++)
        p->moved[j] = status == LVL_OK && p->b[j] != LVL_UNPAIRED && !p->moved[j];
    return status;
}

bool lvl_table_is_large(const lvl_table *table)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->kind == LVL_CELLS || (f->kind == LVL_LIST && f->item == LVL_RECORD) ||
            (f->kind == LVL_RECORD && lvl_table_is_large(f->table)))
            return true;
    }
    return false;
}

lvl_status lvl_pairs_find(lvl_pairs *p, const lvl_ctx *ctx, const void *a, const void *b,
                          const lvl_field *list)
{
    const lvl_table *table = list->table;
    matcher m = {p, lvl_hash_seed_new(), a, b, list, NULL, NULL};
    lvl_status status = LVL_ERR_MEMORY;

    memset(p, 0, sizeof *p);
    p->count_a = lvl_list_count(a, list);
    p->count_b = lvl_list_count(b, list);
    p->a = malloc(((size_t)p->count_a + 1) * sizeof *p->a);
    p->b = malloc(((size_t)p->count_b + 1) * sizeof *p->b);
    p->moved = calloc((size_t)p->count_b + 1, 1);
    p->copy = calloc((size_t)p->count_b + 1, 1);
    m.keys_a = malloc(((size_t)p->count_a + 1) * sizeof *m.keys_a);
    m.keys_b = malloc(((size_t)p->count_b + 1) * sizeof *m.keys_b);
    if (!p->a || !p->b || !p->moved || !p->copy || !m.keys_a || !m.keys_b)
        goto out;
    memset(p->a, 0xFF, ((size_t)p->count_a + 1) * sizeof *p->a);
    memset(p->b, 0xFF, ((size_t)p->count_b + 1) * sizeof *p->b);
    status = lvl_charge(ctx, ((uint64_t)p->count_a + p->count_b) * table->field_count * 8);
    if (status != LVL_OK)
        goto out;
    if (!table->identity_count) { /* items are identified by their index */
        for (uint32_t i = 0; i < p->count_a && i < p->count_b; i++)
            pair_up(p, i, i);
        status = LVL_OK;
        goto out;
    }
    if (!lvl_table_is_large(table)) {
        pass_in_place(&m);
        pair_by_key(&m, NULL);
        mark_copies(&m);
    }
    for (uint32_t i = 0; i < table->identity_count; i++)
        pair_by_key(&m, &table->identities[i]);
    pass_by_similarity(&m);
    if (!(list->flags & LVL_F_UNORDERED))
        pass_copies_in_place(&m);
    status = list->flags & LVL_F_UNORDERED ? LVL_OK : find_moved(p);
out:
    free(m.keys_a);
    free(m.keys_b);
    return status;
}

void lvl_pairs_free(lvl_pairs *p)
{
    free(p->a);
    free(p->b);
    free(p->moved);
    free(p->copy);
    memset(p, 0, sizeof *p);
}
