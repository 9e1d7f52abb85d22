/*
 * sketchy/text/json_match.c: finds the element of a list's text that an item replaces, so that it keeps
 * its spelling although items were added, removed or moved. Each step is a search by hash or over a few
 * elements, so that a list of any length takes linear time.
 */
#include "base/text.h"
#include "codec/tokens.h"
#include "sketchy/text/json_writing.h"

static const uint8_t *old_at(const lvl_json_list *list, uint32_t index)
{
    return list->old + (size_t)index * list->field->item_size;
}

static const uint8_t *now_at(const lvl_json_list *list, uint32_t index)
{
    return list->now + (size_t)index * list->field->item_size;
}

/* ---- objects ------------------------------------------------------------------------------------- */

/* The last element that has a key, by its hash; NULL: none. */
static lvl_json_element *find_last(const lvl_json_list *list, uint64_t hash, lvl_text key)
{
    for (lvl_hash_at at = lvl_hash_first(&list->by_key, hash); at.found;
         at = lvl_hash_next(&list->by_key, at)) {
        if (lvl_json_key_is(&list->text.list[at.index], key))
            return &list->text.list[at.index];
    }
    return NULL;
}

/* Fills `by_key` with the last element of each key, which knows the first of them. */
static void hash_keys(lvl_json_writing *w, lvl_json_list *list)
{
    lvl_buffer plain = {0};

    lvl_hash_init(&list->by_key);
    for (uint32_t i = list->text.count; i-- > 0 && w->status == LVL_OK;) {
        lvl_json_element *e = &list->text.list[i];
        plain.len = 0;
        lvl_token_unescape(&plain, (lvl_text){e->key.ptr + 1, e->key.len - 2});
        lvl_json_fail(w, plain.status);
        const uint64_t hash = lvl_hash_bytes(&list->by_key.seed, plain.data, plain.len);
        lvl_json_element *last = find_last(list, hash, (lvl_text){(const char *)plain.data, plain.len});
        if (!last) {
            last = e;
            last->first_free = LVL_NO_ELEMENT;
            lvl_json_fail(w, lvl_hash_add(&list->by_key, hash, i));
        }
        e->next = last->first_free;
        last->first_free = i;
    }
    lvl_buffer_free(&plain);
}

/* The first unused element with that key. */
static lvl_json_element *find_unused(lvl_json_writing *w, lvl_json_list *list, lvl_text key)
{
    if (!list->by_key.count)
        hash_keys(w, list);
    lvl_json_element *last = w->status == LVL_OK
                                 ? find_last(list, lvl_hash_bytes(&list->by_key.seed, key.ptr, key.len), key)
                                 : NULL;
    while (last && last->first_free != LVL_NO_ELEMENT && list->text.list[last->first_free].used)
        last->first_free = list->text.list[last->first_free].next;
    return last && last->first_free != LVL_NO_ELEMENT ? &list->text.list[last->first_free] : NULL;
}

/* Mostly it is the next one. */
static lvl_json_element *find_labelled(lvl_json_writing *w, lvl_json_list *list, const uint8_t *item)
{
    const lvl_text label = lvl_get_text(item, list->label);
    lvl_json_element *e = list->at < list->text.count ? &list->text.list[list->at] : NULL;

    if (!e || e->used || !lvl_json_key_is(e, label))
        e = find_unused(w, list, label);
    if (e) {
        e->used = true;
        list->at = (uint32_t)(e - list->text.list) + 1;
    }
    return e;
}

/* ---- arrays -------------------------------------------------------------------------------------- */

/* Whether the item that element `index` was read into equals `item`. */
static bool has_item(lvl_json_writing *w, const lvl_json_list *list, uint32_t index, const uint8_t *item)
{
    return lvl_json_same(w, list->table, old_at(list, index), item);
}

/* The element of an item that changed its position: it holds exactly that item, and not the item that now
 * has its number. */
static lvl_json_element *find_moved(lvl_json_writing *w, const lvl_json_list *list, uint32_t index)
{
    enum { LOOK_AROUND = 64 };
    const uint32_t from = index > LOOK_AROUND ? index - LOOK_AROUND : 0;

    for (uint32_t k = from; k < list->old_count && k < index + LOOK_AROUND; k++) {
        lvl_json_element *e = &list->text.list[k];
        if (!e->used && has_item(w, list, k, now_at(list, index)) && !has_item(w, list, k, now_at(list, k)))
            return e;
    }
    return NULL;
}

/* With as many elements as items. */
static lvl_json_element *find_by_number(lvl_json_writing *w, lvl_json_list *list, uint32_t index)
{
    lvl_json_element *e = &list->text.list[index];

    if (e->used || !has_item(w, list, index, now_at(list, index))) {
        lvl_json_element *moved = find_moved(w, list, index);
        while (!moved && e->used && list->first_unused < list->text.count)
            e = &list->text.list[list->first_unused++];
        e = moved ? moved : e;
    }
    e->used = true;
    return e;
}

/* With more or fewer elements than items. */
static lvl_json_element *find_in_order(lvl_json_writing *w, lvl_json_list *list, uint32_t index)
{
    enum { LOOK_AHEAD = 64 };
    const uint32_t left = list->text.count - list->at, items_left = list->now_count - index;
    const uint32_t ahead = left == items_left ? 1 : LOOK_AHEAD;

    if (!left)
        return NULL;
    for (uint32_t k = list->at; k < list->old_count && k < list->at + ahead; k++) {
        if (has_item(w, list, k, now_at(list, index))) {
            list->at = k + 1;
            return &list->text.list[k];
        }
    }
    if (left > items_left)
        return &list->text.list[list->at]; /* some items were removed: the next element is the best guess */
    return left == items_left ? &list->text.list[list->at++] : NULL;
}

lvl_json_element *lvl_json_find_element(lvl_json_writing *w, lvl_json_list *list, uint32_t index)
{
    const uint32_t count = list->text.count;

    if (!list->text.list)
        return NULL;
    if (list->label)
        return find_labelled(w, list, now_at(list, index));
    return list->now_count == count && list->old_count == count ? find_by_number(w, list, index)
                                                                : find_in_order(w, list, index);
}

/* ---- what elements were read into ---------------------------------------------------------------- */

/* The first old item with that label, by its hash; NULL: none. */
static const uint8_t *find_old(const lvl_json_list *list, uint64_t hash, lvl_text label)
{
    for (lvl_hash_at at = lvl_hash_first(&list->by_label, hash); at.found;
         at = lvl_hash_next(&list->by_label, at)) {
        if (lvl_text_equal(lvl_get_text(old_at(list, at.index), list->label), label))
            return old_at(list, at.index);
    }
    return NULL;
}

/* Fills `by_label` with the first item of each label. */
static void hash_labels(lvl_json_writing *w, lvl_json_list *list)
{
    lvl_hash_init(&list->by_label);
    for (uint32_t i = 0; i < list->old_count && w->status == LVL_OK; i++) {
        const lvl_text label = lvl_get_text(old_at(list, i), list->label);
        const uint64_t hash = lvl_hash_bytes(&list->by_label.seed, label.ptr, label.len);
        if (!find_old(list, hash, label))
            lvl_json_fail(w, lvl_hash_add(&list->by_label, hash, i));
    }
}

const uint8_t *lvl_json_old_item(lvl_json_writing *w, lvl_json_list *list, const lvl_json_element *e,
                                 const uint8_t *item)
{
    const uint32_t index = (uint32_t)(e - list->text.list);

    if (!list->old_count)
        return NULL;
    if (!list->label)
        return old_at(list, index % list->old_count);
    const lvl_text label = lvl_get_text(item, list->label);
    if (index < list->old_count && lvl_text_equal(lvl_get_text(old_at(list, index), list->label), label))
        return old_at(list, index);
    if (!list->by_label.count)
        hash_labels(w, list);
    return find_old(list, lvl_hash_bytes(&list->by_label.seed, label.ptr, label.len), label);
}
