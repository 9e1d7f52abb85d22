/*
 * tools/edit/item_ids.c: finds items of lists by their id, and gives new items unique ids.
 */
#include "tools/edit/item_ids.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"
#include "base/work.h"
#include "tools/edit/list.h"
#include "tools/paths/objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lvl_item_ids_init(lvl_item_ids *ids, const lvl_ctx *ctx, const lvl_field *id)
{
    memset(ids, 0, sizeof *ids);
    ids->ctx = ctx;
    ids->id = id;
    ids->smallest_free = 1;
    lvl_hash_init(&ids->table);
}

void lvl_item_ids_free(lvl_item_ids *ids)
{
    lvl_hash_free(&ids->table);
    free(ids->items);
    ids->items = NULL;
    ids->count = 0;
    ids->cap = 0;
}

/* ---- lookup ------------------------------------------------------------------------------------------ */

static uint64_t hash_text(const lvl_item_ids *ids, lvl_text text)
{
    return lvl_hash_bytes(&ids->table.seed, text.ptr, text.len);
}

static uint32_t find_number(const lvl_item_ids *ids, int64_t number)
{
    const uint64_t hash = lvl_hash_u64(&ids->table.seed, (uint64_t)number);

    for (lvl_hash_at at = lvl_hash_first(&ids->table, hash); at.found; at = lvl_hash_next(&ids->table, at)) {
        if (lvl_get_int(ids->items[at.index].item, ids->id) == number)
            return ids->items[at.index].index;
    }
    return LVL_NO_INDEX;
}

uint32_t lvl_item_ids_find(const lvl_item_ids *ids, lvl_text text)
{
    const uint64_t hash = hash_text(ids, text);

    for (lvl_hash_at at = lvl_hash_first(&ids->table, hash); at.found; at = lvl_hash_next(&ids->table, at)) {
        if (lvl_text_equal(lvl_get_text(ids->items[at.index].item, ids->id), text))
            return ids->items[at.index].index;
    }
    return LVL_NO_INDEX;
}

/* Whether an item has the id of this one. */
static bool is_taken(const lvl_item_ids *ids, const void *item)
{
    const uint32_t found = ids->id->kind == LVL_INT ? find_number(ids, lvl_get_int(item, ids->id))
                                                    : lvl_item_ids_find(ids, lvl_get_text(item, ids->id));

    return found != LVL_NO_INDEX;
}

lvl_status lvl_item_ids_add(lvl_item_ids *ids, const void *item, uint32_t index)
{
    enum { STEPS = 16 };
    const bool number = ids->id->kind == LVL_INT;
    const lvl_status status = lvl_charge(ids->ctx, STEPS);

    if (status != LVL_OK || is_taken(ids, item))
        return status;
    if (!lvl_grow(&ids->items, &ids->cap, (size_t)ids->count + 1, sizeof *ids->items))
        return LVL_ERR_MEMORY;
    if (number && lvl_get_int(item, ids->id) > ids->greatest)
        ids->greatest = lvl_get_int(item, ids->id);
    ids->items[ids->count] = (struct lvl_item_id){item, index};
    const uint64_t hash = number ? lvl_hash_u64(&ids->table.seed, (uint64_t)lvl_get_int(item, ids->id))
                                 : hash_text(ids, lvl_get_text(item, ids->id));
    return lvl_hash_add(&ids->table, hash, ids->count++);
}

/* ---- new ids ----------------------------------------------------------------------------------------- */

static void number_item(lvl_item_ids *ids, void *item)
{
    int64_t next = ids->greatest < INT64_MAX ? ids->greatest + 1 : 0;

    if (!next || !lvl_int_fits(ids->id, next)) {
        while (find_number(ids, ids->smallest_free) != LVL_NO_INDEX)
            ids->smallest_free++;
        next = ids->smallest_free;
    }
    if (lvl_int_fits(ids->id, next))
        lvl_put_int(item, ids->id, next);
}

lvl_status lvl_item_ids_make_unique(lvl_item_ids *ids, lvl_doc *doc, void *item, uint32_t index,
                                    lvl_text seed)
{
    const bool number = ids->id->kind == LVL_INT;
    const bool named =
        number ? lvl_get_int(item, ids->id) != ids->id->def : lvl_get_text(item, ids->id).len != 0;
    lvl_status status = LVL_OK;
    char sha[65], name[40];

    if (named && !is_taken(ids, item))
        return lvl_item_ids_add(ids, item, index);
    if (number) {
        number_item(ids, item);
        return lvl_item_ids_add(ids, item, index);
    }
    lvl_sha256_hex((lvl_bytes){(const uint8_t *)seed.ptr, seed.len}, sha);
    do {
        snprintf(name, sizeof name, "%.8s-%.4s-4%.3s-8%.3s-%.12s", sha, sha + 8, sha + 12, sha + 15,
                 sha + 18);
        status = lvl_put_text(doc, item, ids->id, lvl_text_of(name));
        lvl_sha256_hex((lvl_bytes){(const uint8_t *)sha, 64}, sha);
    } while (status == LVL_OK && is_taken(ids, item));
    return status == LVL_OK ? lvl_item_ids_add(ids, item, index) : status;
}

/* Adds the items of the list that are not new, and writes their ids, a line each. */
static lvl_status add_others(lvl_item_ids *ids, const lvl_match *first, size_t n, lvl_emit *w)
{
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < lvl_list_count(first->record, first->field) && status == LVL_OK; i++) {
        const void *item = lvl_list_item(first->record, first->field, i);
        if (i >= first->index && i - first->index < n)
            continue;
        status = lvl_item_ids_add(ids, item, i);
        if (ids->id->kind != LVL_TEXT)
            continue;
        lvl_write_plain(w, item, ids->id);
        lvl_buffer_u8(w->out, '\n');
    }
    return status == LVL_OK ? w->out->status : status;
}

/* Whether the id of an object is the address of its tile. */
static bool is_address(const lvl_map_objects *objects, const lvl_doc *doc, const void *item,
                       const lvl_field *id)
{
    lvl_map_place places[LVL_MAP_PLACES];
    const uint32_t count = lvl_map_places(objects, doc, item, places);

    for (uint32_t i = 0; i < count; i++) {
        if (places[i].axis == LVL_MAP_ADDRESS && places[i].follows == LVL_MAP_OF_THING &&
            places[i].offset == id->offset && lvl_get_int(item, id))
            return true;
    }
    return false;
}

void lvl_editor_name_items(lvl_editor *e, const lvl_match *first, size_t n)
{
    const lvl_field *id = lvl_field_with_role(first->field->table, LVL_ROLE_ID, NULL);
    lvl_map_objects objects;
    lvl_buffer seed = {0};
    lvl_item_ids ids;
    char sha[65];

    if (!id || e->load.status != LVL_OK)
        return;
    /* the same edit of the same file gives the same ids */
    lvl_emit w = lvl_emit_of(e->load.doc, &seed);
    w.compact = true;
    lvl_item_ids_init(&ids, e->load.doc->ctx, id);
    lvl_status status = add_others(&ids, first, n, &w);
    lvl_sha256_hex((lvl_bytes){seed.data, seed.len}, sha);
    const bool placed = id->kind == LVL_INT && lvl_map_objects_at(e->load.doc, &first->where, &objects);
    for (size_t i = 0; i < n && status == LVL_OK; i++) {
        const uint32_t index = first->index + (uint32_t)i;
        void *item = lvl_item_at(first->record, first->field, index);
        seed.len = 0;
        lvl_buffer_printf(&seed, "%s %lu ", sha, (unsigned long)i);
        if (id->kind == LVL_TEXT)
            lvl_write_record(&w, item, first->field->table, 0);
        status = seed.status;
        if (status == LVL_OK && placed && is_address(&objects, e->load.doc, item, id))
            status = lvl_item_ids_add(&ids, item, index);
        else if (status == LVL_OK)
            status = lvl_item_ids_make_unique(&ids, e->load.doc, item, index, lvl_buffer_text(&seed));
    }
    e->load.status = status;
    lvl_item_ids_free(&ids);
    lvl_buffer_free(&seed);
}
