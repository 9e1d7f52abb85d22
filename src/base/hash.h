/*
 * base/hash.h: the library's hash table. It maps a key to an index into an array of the caller, which holds
 * the keys. It grows as needed and is seeded, so that a file cannot choose keys that collide. It cannot be
 * iterated, so that nothing depends on the order of hashes.
 *
 * Use:
 *     lvl_hash names;
 *     lvl_hash_init(&names);
 *     const uint64_t hash = lvl_hash_bytes(&names.seed, name.ptr, name.len);
 *     for (lvl_hash_at at = lvl_hash_first(&names, hash); at.found; at = lvl_hash_next(&names, at))
 *         if (lvl_text_equal(items[at.index].name, name))
 *             return at.index;
 *     status = lvl_hash_add(&names, hash, index);
 *     lvl_hash_free(&names);
 *
 * Threads: several may search a table while none changes it.
 */
#ifndef LVL_BASE_HASH_H
#define LVL_BASE_HASH_H

#include <lvl/base.h>

#include <string.h>

/* Random numbers that make the hashes of a table or of an operation unpredictable. */
typedef struct lvl_hash_seed {
    uint64_t start, factor;
} lvl_hash_seed;

typedef struct lvl_hash_slot {
    uint32_t hash; /* the upper half of the entry's hash */
    uint32_t entry; /* index + 1; 0: free */
} lvl_hash_slot;

typedef struct lvl_hash {
    lvl_hash_seed seed;
    lvl_hash_slot *slots; /* NULL while nothing was added */
    uint32_t count, slot_count; /* a power of two, at least twice `count` */
} lvl_hash;

/* A seed from addresses and the clock, which no input can predict. */
lvl_hash_seed lvl_hash_seed_new(void);

/* Adds 64 bits to a hash; the first hash is seed->start. */
static inline uint64_t lvl_hash_mix(const lvl_hash_seed *seed, uint64_t hash, uint64_t value)
{
    /* the upper half of a 128-bit product XORed with the lower half; both factors depend on the seed */
    const uint64_t a = hash ^ value, b = seed->factor;
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 wide;
    const wide product = (wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t low = a0 * b0, mid1 = a1 * b0 + (low >> 32), mid2 = a0 * b1 + (uint32_t)mid1;
    return (mid2 << 32 | (uint32_t)low) ^ (a1 * b1 + (mid1 >> 32) + (mid2 >> 32));
#endif
}

static inline uint64_t lvl_hash_u64(const lvl_hash_seed *seed, uint64_t value)
{
    return lvl_hash_mix(seed, seed->start, value);
}

/* The hash of bytes and their number. `data` may be NULL when `len` is 0. */
uint64_t lvl_hash_bytes(const lvl_hash_seed *seed, const void *data, size_t len);
/* The hash of text, whose ASCII letters count as lower case. */
uint64_t lvl_hash_nocase(const lvl_hash_seed *seed, lvl_text text);

/* Initialises an empty table; allocates nothing. */
void lvl_hash_init(lvl_hash *table);
void lvl_hash_free(lvl_hash *table);
/* Removes all entries but keeps the memory. */
void lvl_hash_clear(lvl_hash *table);
/* Adds an entry, even if the key exists already. `index`: at most UINT32_MAX - 1. LVL_ERR_MEMORY (also beyond
 * 2^30 entries): nothing was added. */
lvl_status lvl_hash_add(lvl_hash *table, uint64_t hash, uint32_t index);

/* The state of a search. */
typedef struct lvl_hash_at {
    bool found;
    uint32_t index; /* of the entry, if found */
    uint32_t hash, slot;
} lvl_hash_at;

static inline lvl_hash_at lvl_hash_look(const lvl_hash *table, uint32_t hash, uint32_t slot)
{
    lvl_hash_at at = {false, 0, hash, slot};

    for (; table->slots; at.slot++) {
        const lvl_hash_slot *s = &table->slots[at.slot & (table->slot_count - 1)];
        if (!s->entry)
            break;
        if (s->hash == hash) {
            at.found = true;
            at.index = s->entry - 1;
            break;
        }
    }
    return at;
}
/* The first entry that may have the key of this hash; the caller compares the keys. */
static inline lvl_hash_at lvl_hash_first(const lvl_hash *table, uint64_t hash)
{
    return lvl_hash_look(table, (uint32_t)(hash >> 32), (uint32_t)(hash >> 32));
}
static inline lvl_hash_at lvl_hash_next(const lvl_hash *table, lvl_hash_at at)
{
    return lvl_hash_look(table, at.hash, at.slot + 1);
}

/* SHA-256 (FIPS 180-4), as 64 digits in lower case and a NUL. `bytes.ptr` may be NULL if its length is 0. */
void lvl_sha256_hex(lvl_bytes bytes, char out[65]);

#endif
