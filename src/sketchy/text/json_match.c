/*
 * sketchy/text/json_match.c: finds the piece of a list's text that an item replaces, so that it keeps its
 * spelling although items were added, removed or moved. Each step is a search by hash or over a few pieces,
 * so that a list of any length takes linear time.
 *
 * Not the pairs of base/piece.h: these pair items between two removed ones by their numbers, and an object's
 * unknown keys would go to another object.
 */
#include "base/buffer.h"
#include "base/text.h"
#include "codec/tokens.h"
#include "sketchy/text/json_writing.h"

#include <string.h>

/* ---- objects ------------------------------------------------------------------------------------- */

/* A piece's key as spelled, without quotes. */
static lvl_text key_of(const lvl_json_writing *w, const lvl_json_piece *piece)
{
    return (lvl_text){w->was.ptr + piece->key + 1, piece->key_len - 2};
}

bool lvl_json_key_is(const lvl_json_writing *w, const lvl_json_piece *piece, lvl_text key)
{
    const lvl_text spelled = key_of(w, piece);
    lvl_buffer plain = {0};

    if (!memchr(spelled.ptr, '\\', spelled.len))
        return lvl_text_equal(spelled, key);
    lvl_token_unescape(&plain, spelled);
    const bool same = plain.status == LVL_OK && lvl_text_equal(lvl_buffer_text(&plain), key);
    lvl_buffer_free(&plain);
    return same;
}

/* The last piece that has a key, by its hash; LVL_NO_INDEX: none. */
static uint32_t find_last(const lvl_json_writing *w, const lvl_json_list *list, uint64_t hash, lvl_text key)
{
    for (lvl_hash_at at = lvl_hash_first(&list->by_key, hash); at.found;
         at = lvl_hash_next(&list->by_key, at)) {
        if (lvl_json_key_is(w, &list->was->list[at.index], key))
            return at.index;
    }
    return LVL_NO_INDEX;
}

/* Fills `by_key` with the last piece of each key; its match has the number of the first one. */
static void hash_keys(lvl_json_writing *w, lvl_json_list *list)
{
    lvl_buffer plain = {0};

    lvl_hash_init(&list->by_key);
    for (uint32_t i = list->was->count; i-- > 0 && w->status == LVL_OK;) {
        plain.len = 0;
        lvl_token_unescape(&plain, key_of(w, &list->was->list[i]));
        lvl_json_fail(w, plain.status);
        const uint64_t hash = lvl_hash_bytes(&list->by_key.seed, plain.data, plain.len);
        uint32_t last = find_last(w, list, hash, lvl_buffer_text(&plain));
        if (last == LVL_NO_INDEX) {
            last = i;
            list->matches[last].first_free = LVL_NO_INDEX;
            lvl_json_fail(w, lvl_hash_add(&list->by_key, hash, i));
        }
        list->matches[i].next = list->matches[last].first_free;
        list->matches[last].first_free = i;
    }
    lvl_buffer_free(&plain);
}

/* The first unused piece with that key, or LVL_NO_INDEX. */
static uint32_t find_unused(lvl_json_writing *w, lvl_json_list *list, lvl_text key)
{
    if (!list->by_key.count)
        hash_keys(w, list);
    const uint32_t last = w->status == LVL_OK
                              ? find_last(w, list, lvl_hash_bytes(&list->by_key.seed, key.ptr, key.len), key)
                              : LVL_NO_INDEX;
    if (last == LVL_NO_INDEX)
        return last;
    uint32_t *first = &list->matches[last].first_free;
    while (*first != LVL_NO_INDEX && list->matches[*first].used)
        *first = list->matches[*first].next;
    return *first;
}

/* Mostly it is the next one. */
static uint32_t find_labelled(lvl_json_writing *w, lvl_json_list *list, uint32_t index)
{
    const lvl_text label = lvl_get_text(list->items + (size_t)index * list->field->item_size, list->label);
    uint32_t k = list->at;

    if (k >= list->was->count || list->matches[k].used || !lvl_json_key_is(w, &list->was->list[k], label))
        k = find_unused(w, list, label);
    if (k != LVL_NO_INDEX)
        list->at = k + 1;
    return k;
}

/* ---- arrays -------------------------------------------------------------------------------------- */

/* Whether what piece `k` was read into equals item `index`. */
static bool has_item(const lvl_json_writing *w, const lvl_json_list *list, uint32_t k, uint32_t index)
{
    return !w->joined && list->was->list[k].value.hash == list->hashes[index];
}

/* The piece of an item that changed its position: it holds exactly that item, and not the item that now has
 * its number. */
static uint32_t find_moved(const lvl_json_writing *w, const lvl_json_list *list, uint32_t index)
{
    enum { LOOK_AROUND = 64 };
    const uint32_t from = index > LOOK_AROUND ? index - LOOK_AROUND : 0;

    for (uint32_t k = from; k < list->was->count && k < index + LOOK_AROUND; k++) {
        if (!list->matches[k].used && has_item(w, list, k, index) && !has_item(w, list, k, k))
            return k;
    }
    return LVL_NO_INDEX;
}

/* With as many pieces as items. */
static uint32_t find_by_number(const lvl_json_writing *w, lvl_json_list *list, uint32_t index)
{
    const uint32_t moved = list->matches[index].used || !has_item(w, list, index, index)
                               ? find_moved(w, list, index)
                               : LVL_NO_INDEX;
    uint32_t k = moved == LVL_NO_INDEX ? index : moved;

    while (list->matches[k].used && list->first_unused < list->was->count)
        k = list->first_unused++;
    return k;
}

/* With more or fewer pieces than items. */
static uint32_t find_in_order(const lvl_json_writing *w, lvl_json_list *list, uint32_t index)
{
    enum { LOOK_AHEAD = 64 };
    const uint32_t left = list->was->count - list->at, items_left = list->count - index;
    const uint32_t ahead = left == items_left ? 1 : LOOK_AHEAD;

    for (uint32_t k = list->at; k < list->was->count && k < list->at + ahead; k++) {
        if (has_item(w, list, k, index)) {
            list->at = k + 1;
            return k;
        }
    }
    if (left == items_left && left)
        return list->at++;
    /* some items were removed: the next piece is the best guess */
    return left > items_left ? list->at : LVL_NO_INDEX;
}

const lvl_json_piece *lvl_json_find_piece(lvl_json_writing *w, lvl_json_list *list, uint32_t index)
{
    uint32_t k = LVL_NO_INDEX;

    if (!list->was)
        return NULL;
    if (list->label)
        k = find_labelled(w, list, index);
    else if (!w->joined && list->count == list->was->count)
        k = find_by_number(w, list, index);
    else
        k = find_in_order(w, list, index);
    if (k == LVL_NO_INDEX)
        return NULL;
    list->matches[k].used = true;
    return &list->was->list[k];
}
