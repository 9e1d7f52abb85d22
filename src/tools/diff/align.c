/*
 * tools/diff/align.c: see align.h. Passes take time that grows with the lists; the pass by similarity
 * compares at most MAX_COMPARISONS pairs, beyond that only items between the same neighbours.
 */
#include "tools/diff/align.h"

#include "base/work.h"
#include "tools/diff/lines.h"
#include "tools/values/json_write.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_COMPARISONS = 1 << 16,
    LEAST_SIMILAR = LVL_SIMILAR_ALL / 2, /* of two items that are one */
    LEAST_REPLACED = LVL_SIMILAR_ALL / 7 /* of an item that changed so much that it may be another one */
};

/* How similar a pair is that pass_replaced found. */
enum { NOT_REPLACED, REPLACED_IN_PLACE, REPLACED_ELSEWHERE };

typedef struct keyed {
    uint64_t hash;
    uint32_t index;
} keyed;

typedef struct aligner {
    lvl_alignment *out;
    lvl_hash_seed seed;
    const void *a, *b;
    const lvl_field *list;
    lvl_field item; /* the list's item as a field */
    keyed *keys_a, *keys_b;
} aligner;

static const void *item_a(const aligner *x, uint32_t i)
{
    return lvl_list_item(x->a, x->list, i);
}
static const void *item_b(const aligner *x, uint32_t j)
{
    return lvl_list_item(x->b, x->list, j);
}

static void pair_up(lvl_alignment *p, uint32_t i, uint32_t j)
{
    p->a[i] = j;
    p->b[j] = i;
}

/* ---- equal items ------------------------------------------------------------------------------------- */

/* Numbers all items, equal ones alike; *count is how many different ones there are. */
static lvl_status number_items(const aligner *x, uint32_t *ids, uint32_t *count)
{
    const uint32_t n = x->out->count_a, m = x->out->count_b;
    lvl_status status = LVL_OK;
    lvl_hash first; /* the first item with each number */

    lvl_hash_init(&first);
    *count = 0;
    for (uint32_t i = 0; i < n + m && status == LVL_OK; i++) {
        const void *item = i < n ? item_a(x, i) : item_b(x, i - n);
        const uint64_t hash = lvl_item_hash(&first.seed, item, x->list);
        lvl_hash_at at = lvl_hash_first(&first, hash);
        while (at.found && !lvl_member_equal(
                               item, at.index < n ? item_a(x, at.index) : item_b(x, at.index - n), &x->item))
            at = lvl_hash_next(&first, at);
        ids[i] = at.found ? ids[at.index] : (*count)++;
        if (!at.found)
            status = lvl_hash_add(&first, hash, i);
    }
    lvl_hash_free(&first);
    return status;
}

/* Pairs the other equal items in their order, and marks copies. `next`: space for a number for each id and
 * for each item of b. */
static void pair_equal(const aligner *x, const uint32_t *ids, uint32_t id_count, uint32_t *next)
{
    lvl_alignment *p = x->out;
    uint32_t *first = next, *following = next + id_count;
    const uint32_t *of_b = ids + p->count_a;

    memset(first, 0xFF, (size_t)id_count * sizeof *first);
    for (uint32_t j = p->count_b; j-- > 0;) {
        if (p->b[j] != LVL_UNPAIRED)
            continue;
        following[j] = first[of_b[j]]; /* NOLINT: each item has an id */
        first[of_b[j]] = j;
    }
    for (uint32_t i = 0; i < p->count_a; i++) {
        const uint32_t j = first[ids[i]];
        if (p->a[i] != LVL_UNPAIRED || j == LVL_UNPAIRED)
            continue;
        first[ids[i]] = following[j];
        pair_up(p, i, j);
    }
    /* an item of b that is left over equals one of a, which has its partner */
    memset(first, 0, (size_t)id_count * sizeof *first);
    for (uint32_t i = 0; i < p->count_a; i++)
        first[ids[i]] = 1;
    for (uint32_t j = 0; j < p->count_b; j++)
        p->copy[j] = p->b[j] == LVL_UNPAIRED && first[of_b[j]];
}

static lvl_status pass_equal(const aligner *x)
{
    lvl_alignment *p = x->out;
    const size_t n = (size_t)p->count_a + p->count_b;
    uint32_t *ids = malloc((n + 1) * sizeof *ids), *next = malloc((2 * n + 1) * sizeof *next), count = 0;
    uint8_t *a_gone = calloc(n + 2, 1);
    uint8_t *b_new = a_gone ? a_gone + p->count_a + 1 : NULL;

    lvl_status status = ids && next && a_gone ? number_items(x, ids, &count) : LVL_ERR_MEMORY;
    if (status == LVL_OK)
        status = lvl_sequence_compare(ids, p->count_a, ids + p->count_a, p->count_b, count, a_gone, b_new);
    for (uint32_t i = 0, j = 0; status == LVL_OK && i < p->count_a; i++) {
        if (a_gone[i])
            continue;
        while (b_new[j])
            j++;
        pair_up(p, i, j++);
    }
    if (status == LVL_OK)
        pair_equal(x, ids, count, next);
    free(ids);
    free(next);
    free(a_gone);
    return status;
}

/* ---- identities -------------------------------------------------------------------------------------- */

static uint64_t hash_identity(const lvl_hash_seed *seed, const void *record, const lvl_table *table,
                              const lvl_identity *identity)
{
    uint64_t h = seed->start;

    for (uint32_t i = 0; i < identity->count; i++) {
        const lvl_field *f = lvl_table_at(table, identity->offsets[i]);
        if (f)
            h = lvl_member_hash(seed, h, record, f);
    }
    return h;
}

static bool identity_equal(const void *a, const void *b, const lvl_table *table, const lvl_identity *identity)
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

/* The keys of the items that have no partner, sorted, without copies (`copy` NULL: with them). */
static uint32_t gather_keys(const aligner *x, const void *record, const uint32_t *pair, const uint8_t *copy,
                            uint32_t count, const lvl_identity *identity, keyed *keys)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (pair[i] != LVL_UNPAIRED || (copy && copy[i]))
            continue;
        keys[n].hash = hash_identity(&x->seed, lvl_list_item(record, x->list, i), x->list->table, identity);
        keys[n++].index = i;
    }
    if (n)
        qsort(keys, n, sizeof *keys, by_hash);
    return n;
}

/* How many of the sorted keys, from `i` on, are the same. */
static uint32_t run_of(const keyed *keys, uint32_t i, uint32_t n)
{
    uint32_t end = i + 1;

    while (end < n && keys[end].hash == keys[i].hash)
        end++;
    return end - i;
}

/* Pairs the items with the same key. Several with one key, if the other list has as many, are paired in order
 * if `several`, else not. */
static void pair_by_identity(const aligner *x, const lvl_identity *identity, bool several)
{
    lvl_alignment *p = x->out;
    const lvl_table *table = x->list->table;
    const uint32_t na = gather_keys(x, x->a, p->a, NULL, p->count_a, identity, x->keys_a);
    const uint32_t nb = na ? gather_keys(x, x->b, p->b, p->copy, p->count_b, identity, x->keys_b) : 0;

    for (uint32_t i = 0, j = 0; i < na && j < nb;) {
        const uint32_t runs_a = run_of(x->keys_a, i, na), runs_b = run_of(x->keys_b, j, nb);
        const keyed *ka = &x->keys_a[i], *kb = &x->keys_b[j];
        const bool same = ka->hash == kb->hash && runs_a == runs_b && (several || runs_a == 1);
        for (uint32_t k = 0; same && k < runs_a; k++) {
            if (identity_equal(item_a(x, ka[k].index), item_b(x, kb[k].index), table, identity))
                pair_up(p, ka[k].index, kb[k].index);
        }
        const bool next_a = ka->hash <= kb->hash, next_b = kb->hash <= ka->hash;
        i += next_a ? runs_a : 0;
        j += next_b ? runs_b : 0;
    }
}

static void pass_identities(const aligner *x, bool several)
{
    for (uint32_t i = 0; i < x->list->table->identity_count; i++)
        pair_by_identity(x, &x->list->table->identities[i], several);
}

/* Whether the items of the list have ids, and no two of them the same. */
static lvl_status ids_are_unique(const void *record, const lvl_field *list, bool *unique)
{
    const lvl_field *id =
        list->item == LVL_RECORD ? lvl_field_with_role(list->table, LVL_ROLE_ID, NULL) : NULL;
    const uint32_t n = lvl_list_count(record, list);
    lvl_status status = LVL_OK;
    lvl_hash ids;

    lvl_hash_init(&ids);
    *unique = id != NULL;
    for (uint32_t i = 0; i < n && *unique && status == LVL_OK; i++) {
        const void *item = lvl_list_item(record, list, i);
        const uint64_t hash = lvl_member_hash(&ids.seed, ids.seed.start, item, id);
        for (lvl_hash_at at = lvl_hash_first(&ids, hash); at.found && *unique; at = lvl_hash_next(&ids, at))
            *unique = !lvl_member_equal(item, lvl_list_item(record, list, at.index), id);
        status = lvl_hash_add(&ids, hash, i);
    }
    lvl_hash_free(&ids);
    return status;
}

/* Items with the same id are the same, unless most of them differ much: then a program renumbered them. */
static void pass_ids(const aligner *x)
{
    const lvl_field *id = lvl_field_with_role(x->list->table, LVL_ROLE_ID, NULL);
    const lvl_identity identity = {1, {id->offset}};
    lvl_alignment *p = x->out;
    uint32_t *was = malloc(((size_t)p->count_a + 1) * sizeof *was), alike = 0, all = 0;

    if (!was)
        return; /* the other passes find them */
    memcpy(was, p->a, (size_t)p->count_a * sizeof *was);
    pair_by_identity(x, &identity, false);
    for (uint32_t i = 0; i < p->count_a; i++) {
        if (was[i] != LVL_UNPAIRED || p->a[i] == LVL_UNPAIRED)
            continue;
        all++;
        alike += lvl_similarity(item_a(x, i), item_b(x, p->a[i]), x->list) >= LEAST_SIMILAR;
    }
    for (uint32_t i = 0; 2 * alike < all && i < p->count_a; i++) {
        if (was[i] == LVL_UNPAIRED && p->a[i] != LVL_UNPAIRED) {
            p->b[p->a[i]] = LVL_UNPAIRED;
            p->a[i] = LVL_UNPAIRED;
        }
    }
    free(was);
}

/* ---- similarity -------------------------------------------------------------------------------------- */

typedef struct candidate {
    uint32_t a, b;
    uint32_t score, distance; /* how similar; how far from the place where the neighbours are */
} candidate;

static int by_score(const void *x, const void *y)
{
    const candidate *a = x, *b = y;

    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    if (a->distance != b->distance)
        return a->distance < b->distance ? -1 : 1;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return (a->b > b->b) - (a->b < b->b);
}

/* The items without a partner of a stretch of each list. */
typedef struct stretch {
    uint32_t a0, a1, b0, b1;
} stretch;

/* Where item i would be in b: after the partner of the last item before it that has one. */
static uint32_t expected_place(const lvl_alignment *p, uint32_t i)
{
    uint32_t k = i;

    while (k > 0 && p->a[k - 1] == LVL_UNPAIRED)
        k--;
    return (k ? p->a[k - 1] + 1 : 0) + (i - k);
}

/* A small item with another label is another item, unless everything else is the same. */
static bool may_be_one(const aligner *x, const void *a, const void *b, unsigned score, unsigned least)
{
    const lvl_field *label = x->list->item == LVL_RECORD ? lvl_label_of(x->list->table) : NULL;

    return score >= least && (least != LEAST_SIMILAR || !label || lvl_member_equal(a, b, label) ||
                              lvl_table_is_large(x->list->table));
}

/* The items of b in a stretch that have no partner and are not copies; NULL without memory. */
static uint32_t *free_items(const lvl_alignment *p, const stretch *s, uint32_t *count)
{
    uint32_t *items = malloc(((size_t)(s->b1 - s->b0) + 1) * sizeof *items);

    *count = 0;
    for (uint32_t j = s->b0; items && j < s->b1; j++) {
        if (p->b[j] == LVL_UNPAIRED && !p->copy[j])
            items[(*count)++] = j;
    }
    return items;
}

/* Pairs the most similar items first, of those that are at least that similar. `replaced` (may be NULL): by
 * item of b, notes those below LEAST_SIMILAR. */
static lvl_status pair_similar(const aligner *x, const stretch *s, unsigned least, uint8_t *replaced)
{
    lvl_alignment *p = x->out;
    candidate *all = NULL;
    size_t count = 0, cap = 0;
    uint32_t free_count, place = expected_place(p, s->a0), next;
    uint32_t *free_b = free_items(p, s, &free_count);
    lvl_status status = free_b ? LVL_OK : LVL_ERR_MEMORY;

    for (uint32_t i = s->a0; i < s->a1 && status == LVL_OK; i++, place = next) {
        next = (p->a[i] == LVL_UNPAIRED ? place : p->a[i]) + 1;
        if (p->a[i] != LVL_UNPAIRED)
            continue;
        for (uint32_t k = 0; k < free_count && status == LVL_OK; k++) {
            const uint32_t j = free_b[k];
            const unsigned score = lvl_similarity(item_a(x, i), item_b(x, j), x->list);
            if (!may_be_one(x, item_a(x, i), item_b(x, j), score, least))
                continue;
            if (!lvl_grow(&all, &cap, count + 1, sizeof *all))
                status = LVL_ERR_MEMORY;
            else
                all[count++] = (candidate){i, j, score, j > place ? j - place : place - j};
        }
    }
    if (count)
        qsort(all, count, sizeof *all, by_score);
    for (size_t k = 0; k < count; k++) {
        if (p->a[all[k].a] != LVL_UNPAIRED || p->b[all[k].b] != LVL_UNPAIRED)
            continue;
        pair_up(p, all[k].a, all[k].b);
        if (replaced)
            replaced[all[k].b] = all[k].score < LEAST_SIMILAR ? REPLACED_ELSEWHERE : NOT_REPLACED;
    }
    free(free_b);
    free(all);
    return status;
}

static uint64_t count_free(const uint32_t *pairs, const uint8_t *copy, uint32_t from, uint32_t to)
{
    uint64_t n = 0;

    for (uint32_t i = from; i < to; i++)
        n += pairs[i] == LVL_UNPAIRED && !(copy && copy[i]);
    return n;
}

static bool are_few(const lvl_alignment *p, const stretch *s)
{
    return count_free(p->a, NULL, s->a0, s->a1) * count_free(p->b, p->copy, s->b0, s->b1) <= MAX_COMPARISONS;
}

/* Items i ... end - 1 of the first list have no partner, and those beside them have: returns end, and
 * gives the items of the second list between the partners, *from ... *to - 1, which have none either; none
 * if some have. */
static uint32_t gap_at(const lvl_alignment *p, uint32_t i, uint32_t *from, uint32_t *to)
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
    if (*to < *from)
        *to = *from;
    return end;
}

/* Pairs similar items, of all or of each gap. */
static lvl_status pass_similar(const aligner *x, unsigned least, uint8_t *replaced)
{
    lvl_alignment *p = x->out;
    const stretch all = {0, p->count_a, 0, p->count_b};
    lvl_status status = LVL_OK;

    if (are_few(p, &all))
        return pair_similar(x, &all, least, replaced);
    for (uint32_t i = 0; i < p->count_a && status == LVL_OK; i++) {
        stretch gap = {.a0 = i};
        if (p->a[i] != LVL_UNPAIRED)
            continue;
        gap.a1 = gap_at(p, i, &gap.b0, &gap.b1);
        if (are_few(p, &gap))
            status = pair_similar(x, &gap, least, replaced);
        i = gap.a1;
    }
    return status;
}

/* An item of a that became equal to another one: a copy is in its place. */
static void pass_copies_in_place(const aligner *x)
{
    lvl_alignment *p = x->out;
    uint32_t from, to;

    for (uint32_t i = 0; i < p->count_a; i++) {
        if (p->a[i] != LVL_UNPAIRED)
            continue;
        const uint32_t end = gap_at(p, i, &from, &to), count = end - i;
        for (uint32_t k = 0; to - from == count && k < count; k++) {
            if (p->copy[from + k] &&
                lvl_similarity(item_a(x, i + k), item_b(x, from + k), x->list) >= LEAST_SIMILAR) {
                pair_up(p, i + k, from + k);
                p->copy[from + k] = 0;
            }
        }
        i = end;
    }
}

/* ---- two lists --------------------------------------------------------------------------------------- */

/* Items whose partners are a longest rising run keep their order; the others have moved. */
static lvl_status find_moved(lvl_alignment *p)
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

static bool has_order(const lvl_field *list)
{
    return !(list->flags & (LVL_F_UNORDERED | LVL_F_SET));
}

static lvl_status align_all(const aligner *x, bool ids, bool three_sides)
{
    const bool keyed_map = three_sides && (x->list->flags & LVL_F_UNORDERED) && x->list->item == LVL_RECORD;
    const bool identities = x->list->item == LVL_RECORD && x->list->table->identity_count;

    lvl_status status = pass_equal(x);
    if (status == LVL_OK && ids)
        pass_ids(x);
    if (status == LVL_OK && identities)
        pass_identities(x, false);
    /* in a map, an item with another key is another item to a merge */
    if (status == LVL_OK && !keyed_map && x->list->item == LVL_RECORD) {
        status = pass_similar(x, LEAST_SIMILAR, NULL);
        if (status == LVL_OK && identities)
            pass_identities(x, true);
        if (status == LVL_OK)
            pass_copies_in_place(x);
    }
    return status;
}

static lvl_status begin(aligner *x, lvl_alignment *p, const lvl_ctx *ctx, const void *a, const void *b,
                        const lvl_field *list)
{
    const uint64_t fields = list->item == LVL_RECORD ? list->table->field_count : 1;

    *x = (aligner){
        .out = p, .seed = lvl_hash_seed_new(), .a = a, .b = b, .list = list, .item = lvl_item_field(list)};
    memset(p, 0, sizeof *p);
    p->count_a = a ? lvl_list_count(a, list) : 0; /* NOLINT: the caller frees p */
    p->count_b = lvl_list_count(b, list);
    if (p->count_a > UINT32_MAX / 4 || p->count_b > UINT32_MAX / 4)
        return LVL_ERR_LIMIT;
    p->a = malloc(((size_t)p->count_a + 1) * sizeof *p->a);
    p->b = malloc(((size_t)p->count_b + 1) * sizeof *p->b);
    p->moved = calloc((size_t)p->count_b + 1, 1);
    p->copy = calloc((size_t)p->count_b + 1, 1);
    x->keys_a = malloc(((size_t)p->count_a + 1) * sizeof *x->keys_a);
    x->keys_b = malloc(((size_t)p->count_b + 1) * sizeof *x->keys_b);
    if (!p->a || !p->b || !p->moved || !p->copy || !x->keys_a || !x->keys_b)
        return LVL_ERR_MEMORY;
    memset(p->a, 0xFF, ((size_t)p->count_a + 1) * sizeof *p->a);
    memset(p->b, 0xFF, ((size_t)p->count_b + 1) * sizeof *p->b);
    return lvl_charge(ctx, ((uint64_t)p->count_a + p->count_b) * fields * 8);
}

/* Whether two records differ in their label only. */
static bool is_renamed(const void *a, const void *b, const lvl_field *list)
{
    const lvl_field *label = list->item == LVL_RECORD ? lvl_label_of(list->table) : NULL;

    for (uint32_t i = 0; label && i < list->table->field_count; i++) {
        const lvl_field *f = &list->table->fields[i];
        if (f != label && f->role != LVL_DERIVED && f->role != LVL_KEPT && !lvl_member_equal(a, b, f))
            return false;
    }
    return label != NULL;
}

/* Items still without a partner: as many on both sides between the same two are the same ones; of all others
 * the most similar ones are. */
static lvl_status pass_replaced(const aligner *x, uint8_t *replaced)
{
    lvl_alignment *p = x->out;
    uint32_t from, to;

    /* of an item with lists or grids, both sides' changes are compared inside of these */
    const bool large = x->list->item == LVL_RECORD && lvl_table_is_large(x->list->table);
    if (!has_order(x->list))
        return LVL_OK;
    for (uint32_t i = 0; i < p->count_a; i++) {
        if (p->a[i] != LVL_UNPAIRED)
            continue;
        const uint32_t end = gap_at(p, i, &from, &to);
        if (count_free(p->b, p->copy, from, to) == end - i) {
            for (uint32_t j = from; j < to; j++) {
                if (p->copy[j])
                    continue;
                replaced[j] = !large && lvl_similarity(item_a(x, i), item_b(x, j), x->list) < LEAST_SIMILAR &&
                              !is_renamed(item_a(x, i), item_b(x, j), x->list);
                pair_up(p, i++, j);
            }
        }
        i = end;
    }
    return x->list->item == LVL_RECORD || x->list->item == LVL_TEXT
               ? pass_similar(x, LEAST_REPLACED, replaced)
               : LVL_OK;
}

/* `replaced` not NULL: pairs what is left, too; by item of b, to be freed, whether it is hardly alike. */
static lvl_status align(lvl_alignment *p, const lvl_ctx *ctx, const void *a, const void *b,
                        const lvl_field *list, bool ids, uint8_t **replaced)
{
    aligner x;

    lvl_status status = begin(&x, p, ctx, a, b, list);
    if (status == LVL_OK && (list->flags & LVL_F_INDEXED)) {
        for (uint32_t i = 0; i < p->count_a && i < p->count_b; i++)
            pair_up(p, i, i);
    } else if (status == LVL_OK && p->count_a && p->count_b) {
        status = align_all(&x, ids, replaced != NULL);
        if (status == LVL_OK && replaced) {
            *replaced = calloc((size_t)p->count_b + 1, 1);
            status = *replaced ? pass_replaced(&x, *replaced) : LVL_ERR_MEMORY;
        }
        if (status == LVL_OK && has_order(list))
            status = find_moved(p);
    }
    free(x.keys_a);
    free(x.keys_b);
    return status;
}

lvl_status lvl_align(lvl_alignment *p, const lvl_ctx *ctx, const void *a, const void *b,
                     const lvl_field *list)
{
    bool ids = false, ids_b = false;

    lvl_status status = ids_are_unique(a, list, &ids);
    if (status == LVL_OK && ids)
        status = ids_are_unique(b, list, &ids_b);
    if (status == LVL_OK)
        return align(p, ctx, a, b, list, ids && ids_b, NULL);
    memset(p, 0, sizeof *p);
    return status;
}

void lvl_alignment_free(lvl_alignment *p)
{
    free(p->a);
    free(p->b);
    free(p->moved);
    free(p->copy);
    memset(p, 0, sizeof *p);
} /* NOLINT: freed as a whole; the analyzer follows one list only */

/* ---- three lists ------------------------------------------------------------------------------------- */

/* Whether two items that both sides added are one: they are equal, or have the same key. Two objects at one
 * place are two. */
static bool is_same_thing(const void *a, const void *b, const lvl_field *list)
{
    const lvl_field item = lvl_item_field(list);
    const lvl_identity *key =
        list->item == LVL_RECORD && list->table->identity_count ? list->table->identities : NULL;

    return lvl_member_equal(a, b, &item) ||
           (key && key->count == 1 && identity_equal(a, b, list->table, key));
}

static lvl_item_row empty_row(uint32_t base)
{
    return (lvl_item_row){.base = base, .ours = LVL_UNPAIRED, .theirs = LVL_UNPAIRED};
}

/* Adds the rows of one side: those of BASE get its items, the others are new. */
static void add_side(lvl_item_rows *rows, const lvl_alignment *p, const uint8_t *replaced, bool ours)
{
    uint32_t *of = ours ? rows->of_ours : rows->of_theirs;

    for (uint32_t j = 0; j < p->count_b; j++) {
        const bool added = p->b[j] == LVL_UNPAIRED;
        lvl_item_row *row = &rows->items[added ? rows->count : p->b[j]];
        if (added)
            *row = empty_row(LVL_UNPAIRED);
        of[j] = added ? rows->count++ : p->b[j];
        if (ours) {
            row->ours = j;
            row->ours_moved = p->moved[j];
            row->ours_replaced = !added && replaced && replaced[j];
        } else {
            row->theirs = j;
            row->theirs_moved = p->moved[j];
            row->theirs_replaced = !added && replaced && replaced[j];
        }
    }
}

/* What both sides have instead of an item, at another place, may be two new items. */
static void split_replaced(lvl_item_rows *rows, const uint8_t *ours, const uint8_t *theirs)
{
    for (uint32_t i = 0; ours && theirs && i < rows->base_count; i++) {
        lvl_item_row *r = &rows->items[i];
        if (!r->ours_replaced || !r->theirs_replaced ||
            (ours[r->ours] != REPLACED_ELSEWHERE && theirs[r->theirs] != REPLACED_ELSEWHERE))
            continue;
        lvl_item_row *more = &rows->items[rows->count];
        *more = empty_row(LVL_UNPAIRED);
        more->theirs = r->theirs;
        rows->of_theirs[r->theirs] = rows->count++;
        r->theirs = LVL_UNPAIRED;
        r->theirs_replaced = r->theirs_moved = false;
        r->split = true;
    }
}

/* Items that both sides added get one row. */
static lvl_status join_added(lvl_item_rows *rows, const lvl_ctx *ctx, const void *ours, const void *theirs,
                             const lvl_field *list)
{
    lvl_alignment both;

    const bool indexed = (list->flags & LVL_F_INDEXED) != 0; /* an index means one item, on both sides */
    lvl_status status = align(&both, ctx, ours, theirs, list, false, NULL);
    for (uint32_t t = 0; t < rows->theirs_count && status == LVL_OK; t++) {
        const uint32_t o = both.b[t];
        lvl_item_row *row = &rows->items[rows->of_theirs[t]];
        if (row->base != LVL_UNPAIRED || o == LVL_UNPAIRED)
            continue;
        lvl_item_row *other = &rows->items[rows->of_ours[o]];
        if (other->base != LVL_UNPAIRED ||
            (!indexed && !is_same_thing(lvl_list_item(ours, list, o), lvl_list_item(theirs, list, t), list)))
            continue;
        row->theirs = LVL_UNPAIRED; /* an empty row */
        other->theirs = t;
        rows->of_theirs[t] = rows->of_ours[o];
    }
    lvl_alignment_free(&both);
    return status;
}

lvl_status lvl_item_rows_find(lvl_item_rows *rows, lvl_arena *arena, const lvl_ctx *ctx, const void *base,
                              const void *ours, const void *theirs, const lvl_field *list)
{
    lvl_alignment to[2];
    uint8_t *replaced[2] = {NULL, NULL};
    const void *records[] = {base, ours, theirs};
    bool ids = true;

    memset(to, 0, sizeof to);
    *rows = (lvl_item_rows){.base_count = base ? lvl_list_count(base, list) : 0,
                            .ours_count = lvl_list_count(ours, list),
                            .theirs_count = lvl_list_count(theirs, list)};
    lvl_status status = LVL_OK;
    for (int i = 0; i < 3 && ids && status == LVL_OK; i++) {
        if (records[i])
            status = ids_are_unique(records[i], list, &ids);
    }
    const size_t most = (size_t)rows->base_count + rows->ours_count + rows->theirs_count;
    rows->items = lvl_arena_array(arena, most + 1, sizeof *rows->items);
    rows->of_ours = lvl_arena_array(arena, (size_t)rows->ours_count + 1, sizeof *rows->of_ours);
    rows->of_theirs = lvl_arena_array(arena, (size_t)rows->theirs_count + 1, sizeof *rows->of_theirs);
    if (status == LVL_OK && arena->failed)
        status = lvl_arena_status(arena, LVL_ERR_MEMORY);
    if (status == LVL_OK)
        status = align(&to[0], ctx, base, ours, list, ids, &replaced[0]);
    if (status == LVL_OK)
        status = align(&to[1], ctx, base, theirs, list, ids, &replaced[1]);
    if (status == LVL_OK) {
        rows->count = rows->base_count;
        for (uint32_t i = 0; i < rows->base_count; i++)
            rows->items[i] = empty_row(i);
        add_side(rows, &to[0], replaced[0], true);
        add_side(rows, &to[1], replaced[1], false);
        split_replaced(rows, replaced[0], replaced[1]);
        status = join_added(rows, ctx, ours, theirs, list);
    }
    for (int i = 0; i < 2; i++) {
        lvl_alignment_free(&to[i]);
        free(replaced[i]);
    }
    return status;
}
