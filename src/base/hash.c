/*
 * base/hash.c: open addressing with linear probing; at most half of the slots are used.
 */
#ifdef _WIN32
#define _CRT_RAND_S /* rand_s */
#endif

#include "base/hash.h"

#include "base/text.h"

#include <stdlib.h>
#include <time.h>

enum { FIRST_SLOTS = 32 };

lvl_hash_seed lvl_hash_seed_new(void)
{
    lvl_hash_seed mixer = {0, 0x9E3779B97F4A7C15u}, seed;

#ifdef LVL_FIXED_HASH_SEED
    const uint64_t entropy[5] = {0}; /* fuzzers need repeatable runs */
#else
    struct timespec now = {0, 0};
    void *block = malloc(1);
#ifdef _WIN32 /* its clocks are too coarse for two seeds in a row */
    unsigned random[2] = {0, 0};
    (void)rand_s(&random[0]);
    (void)rand_s(&random[1]);
    now.tv_sec = (time_t)random[0];
    now.tv_nsec = (long)random[1];
#else
    (void)timespec_get(&now, TIME_UTC);
#endif
    const uint64_t entropy[] = {(uint64_t)(uintptr_t)&now, (uint64_t)(uintptr_t)block,
                                (uint64_t)(uintptr_t)&lvl_hash_seed_new, (uint64_t)now.tv_sec,
                                (uint64_t)now.tv_nsec};
    free(block);
#endif
    uint64_t h = 0x6A09E667F3BCC909u;
    for (size_t i = 0; i < sizeof entropy / sizeof *entropy; i++)
        h = lvl_hash_mix(&mixer, h, entropy[i] + 0xBB67AE8584CAA73Bu);
    seed.start = h;
    seed.factor = lvl_hash_mix(&mixer, h, 0x3C6EF372FE94F82Bu) | 1;
    return seed;
}

uint64_t lvl_hash_bytes(const lvl_hash_seed *seed, const void *data, size_t len)
{
    const uint8_t *p = data;
    uint64_t h = lvl_hash_u64(seed, len), word;

    for (; len >= sizeof word; len -= sizeof word, p += sizeof word) {
        memcpy(&word, p, sizeof word);
        h = lvl_hash_mix(seed, h, word);
    }
    if (len) {
        word = 0;
        memcpy(&word, p, len);
        h = lvl_hash_mix(seed, h, word);
    }
    return lvl_hash_mix(seed, h, seed->start);
}

uint64_t lvl_hash_nocase(const lvl_hash_seed *seed, lvl_text text)
{
    uint64_t h = lvl_hash_u64(seed, text.len);

    for (size_t i = 0; i < text.len;) {
        uint64_t word = 0;
        for (unsigned bit = 0; bit < 64 && i < text.len; bit += 8, i++)
            word |= (uint64_t)(uint8_t)lvl_lower(text.ptr[i]) << bit;
        h = lvl_hash_mix(seed, h, word);
    }
    return lvl_hash_mix(seed, h, seed->start);
}

void lvl_hash_init(lvl_hash *table)
{
    memset(table, 0, sizeof *table);
    table->seed = lvl_hash_seed_new();
}

void lvl_hash_free(lvl_hash *table)
{
    free(table->slots);
    table->slots = NULL;
    table->count = table->slot_count = 0;
}

void lvl_hash_clear(lvl_hash *table)
{
    if (table->slots)
        memset(table->slots, 0, table->slot_count * sizeof *table->slots);
    table->count = 0;
}

static void insert_slot(lvl_hash_slot *slots, uint32_t slot_count, lvl_hash_slot slot)
{
    uint32_t at = slot.hash;

    while (slots[at & (slot_count - 1)].entry)
        at++;
    slots[at & (slot_count - 1)] = slot;
}

static lvl_status grow(lvl_hash *table)
{
    if (table->slot_count > UINT32_MAX / 2)
        return LVL_ERR_MEMORY;
    const uint32_t count = table->slot_count ? table->slot_count * 2 : FIRST_SLOTS;
    lvl_hash_slot *slots = calloc(count, sizeof *slots);
    if (!slots)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < table->slot_count; i++) {
        if (table->slots[i].entry)
            insert_slot(slots, count, table->slots[i]);
    }
    free(table->slots);
    table->slots = slots;
    table->slot_count = count;
    return LVL_OK;
}

lvl_status lvl_hash_add(lvl_hash *table, uint64_t hash, uint32_t index)
{
    const lvl_hash_slot slot = {(uint32_t)(hash >> 32), index + 1};

    if (table->count >= table->slot_count / 2) {
        const lvl_status status = grow(table);
        if (status != LVL_OK)
            return status;
    }
    insert_slot(table->slots, table->slot_count, slot);
    table->count++;
    return LVL_OK;
}
