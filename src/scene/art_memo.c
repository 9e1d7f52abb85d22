/*
 * scene/art_memo.c: a cache of lookups by key, misses included.
 */
#include "scene/art_state.h"
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

void *lvl_art_memo_find(const lvl_art_memo *memo, const char *key, size_t len)
{
    if (!memo->count)
        return NULL;
    const uint64_t hash = lvl_hash_bytes(&memo->table.seed, key, len);
    for (lvl_hash_at at = lvl_hash_first(&memo->table, hash); at.found;
         at = lvl_hash_next(&memo->table, at)) {
        lvl_art_kept *kept = memo->items[at.index];
        if (kept->key_len == len && memcmp(kept->key, key, len) == 0)
            return kept;
    }
    return NULL;
}

static lvl_status add_to_table(lvl_art_memo *memo, uint32_t index)
{
    const lvl_art_kept *kept = memo->items[index];

    return lvl_hash_add(&memo->table, lvl_hash_bytes(&memo->table.seed, kept->key, kept->key_len), index);
}

void *lvl_art_memo_add(lvl_art_memo *memo, size_t size, const char *key, size_t len)
{
    lvl_art_kept *kept = calloc(1, size);

    if (kept)
        kept->key = malloc(len + 1);
    if (!kept || !kept->key)
        goto fail;
    memcpy(kept->key, key, len);
    kept->key[len] = 0;
    kept->key_len = len;
    if (!lvl_grow(&memo->items, &memo->cap, (size_t)memo->count + 1, sizeof(*memo->items)))
        goto fail;
    if (!memo->count)
        lvl_hash_init(&memo->table);
    memo->items[memo->count] = kept;
    if (add_to_table(memo, memo->count) != LVL_OK)
        goto fail;
    memo->count++;
    return kept;
fail:
    if (kept)
        free(kept->key);
    free(kept);
    return NULL;
}

void lvl_art_memo_clear(lvl_art_memo *memo, bool (*stays)(lvl_art_kept *kept),
                        void (*release)(lvl_art_kept *kept))
{
    const uint32_t count = memo->count;

    lvl_hash_clear(&memo->table);
    memo->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        lvl_art_kept *kept = memo->items[i];
        if (stays && stays(kept)) {
            memo->items[memo->count] = kept;
            (void)add_to_table(memo, memo->count++); /* cannot fail: the table was larger before */
            continue;
        }
        if (release)
            release(kept);
        free(kept->key);
        free(kept);
    }
    if (memo->count)
        return;
    free(memo->items);
    lvl_hash_free(&memo->table);
    memset(memo, 0, sizeof *memo);
}
