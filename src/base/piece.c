/*
 * base/piece.c: records the pieces of a source, and finds which of them are unchanged.
 */
#include "base/piece.h"

#include "base/format.h"
#include "base/record.h"

lvl_status lvl_pieces_begin(lvl_doc *doc)
{
    doc->pieces = NULL;
    if (!doc->edit)
        return LVL_OK;
    doc->pieces = lvl_arena_alloc(&doc->arena, sizeof *doc->pieces);
    if (!doc->pieces)
        return LVL_ERR_MEMORY;
    doc->pieces->source = doc->input;
    doc->pieces->seed = lvl_hash_seed_new();
    return LVL_OK;
}

static lvl_piece_list *find_list(const lvl_pieces *pieces, const lvl_field *field)
{
    lvl_piece_list *list = pieces->lists;

    while (list && list->field != field)
        list = list->next;
    return list;
}

lvl_status lvl_pieces_reserve(lvl_doc *doc, const lvl_field *field, uint32_t most)
{
    if (!doc->pieces)
        return LVL_OK;
    lvl_piece_list *list = lvl_arena_alloc(&doc->arena, sizeof *list);
    lvl_piece *items = most ? lvl_arena_array(&doc->arena, most, sizeof *items) : NULL;
    if (!list || (most && !items))
        return LVL_ERR_MEMORY;
    *list = (lvl_piece_list){.field = field, .items = items, .cap = most, .next = doc->pieces->lists};
    doc->pieces->lists = list;
    return LVL_OK;
}

static uint64_t hash_item(const lvl_pieces *pieces, const lvl_field *field, const void *root, uint32_t index)
{
    return lvl_item_hash(&pieces->seed, lvl_list_item(root, field, index), field);
}

/* The hash of a list, from the hashes of its items; `known`: these, if already computed, or NULL. */
static uint64_t hash_list(const lvl_pieces *pieces, const lvl_field *field, const void *root,
                          const lvl_piece *known)
{
    const uint32_t n = lvl_list_count(root, field);
    uint64_t hash = lvl_hash_u64(&pieces->seed, n);

    for (uint32_t i = 0; i < n; i++)
        hash = lvl_hash_mix(&pieces->seed, hash, known ? known[i].hash : hash_item(pieces, field, root, i));
    return hash;
}

lvl_status lvl_piece_note(lvl_doc *doc, const lvl_field *field, uint32_t index, size_t at, size_t len)
{
    lvl_pieces *pieces = doc->pieces;

    if (!pieces)
        return LVL_OK;
    lvl_piece_list *list = find_list(pieces, field);
    if (!list && index == LVL_NO_INDEX) {
        const lvl_status status = lvl_pieces_reserve(doc, field, 0);
        if (status != LVL_OK)
            return status;
        list = pieces->lists;
    }
    if (index == LVL_NO_INDEX) {
        const bool known = list->items && list->count == lvl_list_count(doc->root, field);
        list->whole = (lvl_piece){at, len, hash_list(pieces, field, doc->root, known ? list->items : NULL)};
    } else if (list && index == list->count && index < list->cap) {
        list->items[list->count++] = (lvl_piece){at, len, hash_item(pieces, field, doc->root, index)};
    }
    return LVL_OK;
}

const lvl_doc *lvl_pieces_of(const lvl_doc *doc, lvl_bytes source, lvl_doc **again, lvl_status *status)
{
    *again = NULL;
    *status = LVL_OK;
    if (doc->pieces && doc->pieces->source.ptr == source.ptr && doc->pieces->source.len == source.len)
        return doc;
    *status = lvl_read(again, doc->ctx, doc->format, source, NULL, LVL_READ_BORROW | LVL_READ_EDIT, NULL);
    return *again;
}

bool lvl_piece_list_same(const lvl_pieces *pieces, const lvl_field *field, const void *root)
{
    const lvl_piece_list *list = find_list(pieces, field);

    return list && list->whole.hash == hash_list(pieces, field, root, NULL);
}

lvl_pairs lvl_pairs_of(size_t was, size_t now, lvl_same_item_fn same, const void *user)
{
    const size_t least = was < now ? was : now;
    lvl_pairs p = {was, now, 0};
    size_t front = 0;

    if (was == now) /* all paired by index */
        return p;
    while (front < least && same(user, front, front))
        front++;
    while (p.back < least - front && same(user, was - 1 - p.back, now - 1 - p.back))
        p.back++;
    return p;
}

static bool is_same_item(const void *user, size_t was, size_t now)
{
    const lvl_piece_pairs *p = user;

    return p->was->items[was].hash == hash_item(p->pieces, p->list, p->root, (uint32_t)now);
}

lvl_piece_pairs lvl_piece_pair(const lvl_pieces *pieces, const lvl_field *field, const void *root)
{
    lvl_piece_pairs p = {pieces, find_list(pieces, field), root, field, {0, 0, 0}};

    p.pairs = lvl_pairs_of(p.was ? p.was->count : 0, lvl_list_count(root, field), is_same_item, &p);
    return p;
}

const lvl_piece *lvl_piece_find(const lvl_piece_pairs *p, uint32_t index, bool *same)
{
    const size_t was = lvl_pairs_was(&p->pairs, index);

    *same = was != SIZE_MAX && is_same_item(p, was, index);
    return was == SIZE_MAX ? NULL : &p->was->items[was];
}
