/*
 * tools/edit/item_ids.h: finds items of lists by their id, and gives new items unique ids
 * (lvl_map_list.unique).
 */
#ifndef LVL_TOOLS_EDIT_ITEM_IDS_H
#define LVL_TOOLS_EDIT_ITEM_IDS_H

#include "base/hash.h"
#include "tools/edit/edit.h"

/* Items by their id, a number or a text; of items with equal ids the first one that was added. The items must
 * not move while the set is used. */
typedef struct lvl_item_ids {
    const lvl_ctx *ctx;
    const lvl_field *id;
    lvl_hash table; /* indexes in `items` */
    struct lvl_item_id {
        const void *item;
        uint32_t index; /* as the caller gave it */
    } * items;
    uint32_t count;
    size_t cap;
    int64_t greatest; /* number; at least 0 */
    int64_t smallest_free; /* all numbers from 1 to before it are in the set */
} lvl_item_ids;

/* An empty set of items whose id is the field `id`; without memory. */
void lvl_item_ids_init(lvl_item_ids *ids, const lvl_ctx *ctx, const lvl_field *id);
void lvl_item_ids_free(lvl_item_ids *ids);
/* Adds an item; `index` is for the caller. LVL_ERR_MEMORY, LVL_ERR_LIMIT, LVL_ERR_STOPPED. */
lvl_status lvl_item_ids_add(lvl_item_ids *ids, const void *item, uint32_t index);
/* The index of the item with that text as its id; LVL_NO_INDEX: none. */
uint32_t lvl_item_ids_find(const lvl_item_ids *ids, lvl_text text);
/* Gives an item an id that is not in the set, unless it has one, and adds the item: the number after the
 * greatest, or if that does not fit the smallest unused one; or a text in the form of a UUID that is derived
 * from the seed. Texts belong to `doc`. Returns as lvl_item_ids_add. */
lvl_status lvl_item_ids_make_unique(lvl_item_ids *ids, lvl_doc *doc, void *item, uint32_t index,
                                    lvl_text seed);

/* Gives `n` new items of a list, from the match on, unique ids, if their list has ids. An id that is the
 * address of the tile on which its item stands stays: other objects name it. */
void lvl_editor_name_items(lvl_editor *e, const lvl_match *first, size_t n);

#endif
