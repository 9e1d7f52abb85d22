/*
 * codec/deflate.c: zlib streams written as zlib itself would, and checksums.
 *
 * Why not zlib: a dump can leave out a level's stream only if it can be reproduced. The zlib of the nineties
 * ended blocks early by a rule that was removed in 1998, and the zlib of today differs from system to system.
 * So this is zlib's lazy matcher at the levels that editors use, with that rule as an option. It is optimized
 * for levels: long runs of one byte are encoded at copying speed.
 *
 * What determines the bits, besides the block writer: a window of 32 KiB; a hash of three bytes (15 bits);
 * distances up to 32768 - 262; the first byte is never matched (its position means "none"); matches of three
 * bytes at distances up to 4096; chains limited by the level's four numbers; blocks of 16383 symbols.
 */
#include "codec/deflate.h"

#include "codec/deflate_same.h"
#include "codec/deflate_symbols.h"
#include "base/buffer.h"
#include "base/cursor.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 32768,
    MASK = WINDOW - 1,
    MIN_MATCH = 3,
    MAX_MATCH = 258,
    MIN_LOOKAHEAD = MAX_MATCH + MIN_MATCH + 1,
    MAX_DISTANCE = WINDOW - MIN_LOOKAHEAD,
    TOO_FAR = 4096, /* a match of three isn't worth a longer distance */
    CLASSIC_PERIOD = 4096,
    HEADER = 2, /* bytes of a zlib stream */
    MAX_CHANGED = 2048,
    CHANGED_LISTS = 256,
    COUNTED = 4096 /* bytes behind a change of which all candidates are counted */
};

struct level {
    unsigned good; /* a previous match this long: search a quarter as hard */
    unsigned lazy; /* a previous match this long: don't search at all */
    unsigned nice; /* long enough: stop searching */
    unsigned chain;
    uint8_t flags; /* second byte of the header */
};

static const struct level level6 = {8, 16, 128, 128, 0x9c};
static const struct level level9 = {32, 258, 258, 4096, 0xda};

/* Another encoding of nearly the same bytes, whose matches are taken over. */
struct source {
    lvl_deflate_symbols symbols;
    size_t at; /* in its data: where the next symbol begins */
    bool behind_match; /* the symbol before that is a match, or there is none */
    lvl_deflate_same same; /* its data and the bytes to encode */
    bool near_change; /* a search may still see bytes that have changed */
};

/* A position whose candidates have changed, for one of its hashes. */
struct changed_place {
    uint32_t at;
    uint16_t hash;
    uint16_t next; /* number of another one in its list, less one; 0: there is none */
    bool in_now, in_was; /* it has this hash in the bytes to encode, and in the source */
};

/* What a search may find otherwise than in the source, since bytes before have changed. */
struct changes {
    uint64_t hashes[WINDOW / 64]; /* bits: the hashes of the places */
    uint16_t
        seen[WINDOW]; /* by hash of a place: how many candidates are known to be behind the last change */
    struct changed_place places[MAX_CHANGED];
    uint16_t first[CHANGED_LISTS]; /* as `next`, by the lowest bits of the hash */
    unsigned count;
    size_t end; /* of the last change */
    bool all; /* places are all candidates before `end` */
    size_t counted; /* up to here `seen` is complete */
    bool full; /* more places than there is room for */
};

struct encoder {
    lvl_deflate_block block;
    lvl_bitsink sink;
    const struct level *level;
    bool classic;
    const uint8_t *data;
    size_t len;
    size_t block_start;
    struct source *source; /* NULL: there is none, or nothing is left in it */
    struct changes changes;
    size_t base; /* start of zlib's window: bytes before it cannot be stored */
    uint32_t head[WINDOW]; /* by hash: the last position, 0 for none; of the quick style the last two */
    uint32_t prev[WINDOW]; /* by position: the one before it with the same hash */
};

/* ---- matching ---------------------------------------------------------------------------------------- */

static inline uint32_t hash3(const uint8_t *p)
{
    return ((uint32_t)p[0] << 10 ^ (uint32_t)p[1] << 5 ^ p[2]) & MASK;
}

static inline uint32_t insert(struct encoder *e, size_t pos)
{
    uint32_t h = hash3(e->data + pos), before = e->head[h];

    e->prev[pos & MASK] = before;
    e->head[h] = (uint32_t)pos;
    return before;
}

/* Inserts the positions that a match covers, from `from` up to but excluding `to`; the first `run` bytes are
 * equal. */
static void insert_range(struct encoder *e, size_t from, size_t to, size_t run)
{
    if (run > 2 && run <= to - from) {
        /* In a run all positions have one hash, and each follows the one before. */
        insert(e, from);
        for (size_t pos = from + 1; pos < from + run;) {
            size_t slot = pos & MASK;
            size_t n = from + run - pos < WINDOW - slot ? from + run - pos : WINDOW - slot;
            for (size_t i = 0; i < n; i++)
                e->prev[slot + i] = (uint32_t)(pos + i - 1);
            pos += n;
        }
        from += run;
        e->head[hash3(e->data + from - 1)] = (uint32_t)(from - 1);
    }
    for (; from < to; from++)
        insert(e, from);
}

static inline unsigned common_length(const uint8_t *a, const uint8_t *b, unsigned max)
{
    unsigned n = 0;

    while (n + 8 <= max && !memcmp(a + n, b + n, 8))
        n += 8;
    while (n < max && a[n] == b[n])
        n++;
    return n;
}

/* The longest match for `pos` that is longer than `best`, starting with the candidate `at`; without one,
 * `best`, at most what remains. */
static unsigned longest_match(const struct encoder *e, size_t pos, uint32_t at, unsigned best, size_t *match)
{
    const uint8_t *scan = e->data + pos;
    size_t left = e->len - pos;
    unsigned max = left < MAX_MATCH ? (unsigned)left : MAX_MATCH;
    unsigned nice = e->level->nice < max ? e->level->nice : max;
    unsigned chain = best >= e->level->good ? e->level->chain >> 2 : e->level->chain;
    uint32_t limit = pos > MAX_DISTANCE ? (uint32_t)(pos - MAX_DISTANCE) : 0;

    if (best >= max)
        return max;
    do {
        const uint8_t *cand = e->data + at;
        if (cand[best] != scan[best] || cand[best - 1] != scan[best - 1] || cand[0] != scan[0])
            continue;
        unsigned n = common_length(cand, scan, max);
        if (n > best) {
            *match = at;
            best = n;
            if (n >= nice)
                break;
        }
    } while ((at = e->prev[at & MASK]) > limit && --chain);
    return best;
}

/* ---- symbols and blocks ------------------------------------------------------------------------------ */

/* zlib before 1.1: every 4096 symbols, end the block if it packs to less than half and most symbols are
 * literals. */
static bool classic_end(const struct encoder *e, size_t pos)
{
    const lvl_deflate_block *b = &e->block;
    uint64_t bits = (uint64_t)b->count * 8;

    for (int i = 0; i < LVL_DEFLATE_DISTS; i++)
        bits += (uint64_t)b->dist_freq[i] * (5u + lvl_deflate_dist_extra[i]);
    return b->matches < b->count / 2 && bits >> 3 < (pos - e->block_start) / 2;
}

/* True if the block must end. `pos` is the position of the matcher, which the classic rule needs. */
static inline bool tally_end(const struct encoder *e, size_t pos)
{
    if (e->classic && e->block.count % CLASSIC_PERIOD == 0 && classic_end(e, pos))
        return true;
    return e->block.count == LVL_DEFLATE_SYMBOLS;
}

static inline bool tally_literal(struct encoder *e, uint8_t byte, size_t pos)
{
    e->block.symbols[e->block.count++] = byte;
    e->block.litlen_freq[byte]++;
    return tally_end(e, pos);
}

static inline bool tally_match(struct encoder *e, size_t distance, unsigned length, size_t pos)
{
    unsigned lc = length - MIN_MATCH;

    e->block.symbols[e->block.count++] = (uint32_t)(distance << 16) | lc;
    e->block.matches++;
    e->block.litlen_freq[257 + lvl_deflate_length_codes[lc]]++;
    e->block.dist_freq[lvl_deflate_dist_code((uint32_t)distance)]++;
    return tally_end(e, pos);
}

/* False: the output failed. */
static bool end_block(struct encoder *e, size_t pos, bool last)
{
    lvl_bytes stored = {e->block_start >= e->base ? e->data + e->block_start : NULL, pos - e->block_start};

    lvl_deflate_block_write(&e->block, &e->sink, stored, stored.len, last);
    e->block_start = pos;
    return e->sink.out->status == LVL_OK;
}

/* Moves the start of the window as zlib does: when fewer than 262 bytes of it are left. Only stored blocks
 * depend on it. */
static inline void move_window(struct encoder *e, size_t pos)
{
    size_t at = pos - e->base;

    if (at >= WINDOW + MAX_DISTANCE && (at > WINDOW + MAX_DISTANCE || e->len - pos < MIN_LOOKAHEAD))
        e->base += WINDOW;
}

/* The matcher writes a symbol when it is one byte further. False: the output failed. */
static inline bool put_literal(struct encoder *e, size_t at)
{
    move_window(e, at + 1);
    return !tally_literal(e, e->data[at], at + 1) || end_block(e, at + 1, false);
}

static inline bool put_match(struct encoder *e, size_t at, size_t distance, unsigned length)
{
    move_window(e, at + 1);
    return !tally_match(e, distance, length, at + 1) || end_block(e, at + length, false);
}

/* ---- symbols of the source --------------------------------------------------------------------------- */

/*
 * After a match, what follows depends on nothing but the 32506 bytes before, those that are compared (258
 * from where a search begins), and the end of the data. So where the source also had a match that ended
 * there, and all of these bytes are the same, its symbols are the ones that a search would find.
 *
 * They are as well if some bytes before have changed, unless a search meets one of them: those with another
 * hash do not, nor those that find enough candidates behind the change, nor those for which the changed
 * candidates are too short. Where the length has changed, too, all distances across the change have changed.
 */

static void add_place(struct changes *c, size_t at, uint32_t hash, bool in_now, bool in_was)
{
    uint16_t *const first = &c->first[hash % CHANGED_LISTS];

    c->full |= c->count == MAX_CHANGED;
    if (c->full)
        return;
    c->places[c->count++] = (struct changed_place){(uint32_t)at, (uint16_t)hash, *first, in_now, in_was};
    *first = (uint16_t)c->count;
    c->hashes[hash / 64] |= (uint64_t)1 << hash % 64;
    c->seen[hash] = 0;
}

/* Notes that the bytes from `from` up to `to` have changed: also as parts of candidates that begin before. */
static void note_change(struct encoder *e, size_t from, size_t to)
{
    const lvl_deflate_same *const same = &e->source->same;
    struct changes *const c = &e->changes;
    const size_t limit = same->was.len < e->len ? same->was.len : e->len;
    size_t at = from >= MAX_MATCH ? from - MAX_MATCH + 1 : 1; /* the first byte is no candidate */

    if (c->end + WINDOW < from) {
        memset(c->hashes, 0, sizeof c->hashes);
        memset(c->first, 0, sizeof c->first);
        c->count = 0;
        c->full = false;
    }
    c->all = at <= 1 || (c->all && at <= c->end);
    for (at = at > c->end ? at : c->end; at < to && at + MIN_MATCH <= limit && !c->full; at++) {
        const uint32_t now = hash3(e->data + at), was = hash3(same->was.ptr + at);
        add_place(c, at, now, true, now == was);
        if (now != was)
            add_place(c, at, was, false, true);
    }
    c->end = to;
    c->counted = 0;
}

/* Counts candidates that follow the last change, before `pos`. */
static void count_candidates(struct encoder *e, size_t pos)
{
    struct changes *const c = &e->changes;
    const size_t known = c->end + COUNTED < pos ? c->end + COUNTED : pos;
    const size_t end = known + MIN_MATCH <= e->len ? known : e->len - MIN_MATCH;

    for (size_t at = c->counted > c->end ? c->counted : c->end; at < end; at++) {
        const uint32_t hash = hash3(e->data + at);
        if (c->hashes[hash / 64] >> hash % 64 & 1)
            c->seen[hash]++;
    }
    c->counted = pos;
}

/* What a search at `pos` found in the source. */
typedef enum search_result {
    FOUND_MATCH, /* this match */
    FOUND_NO_LONGER, /* none that is longer than that of the position before */
    FOUND_LITERAL /* none, or a shorter one than at the next position */
} search_result;

/* How long a candidate at `at` that is not in the source may be, so that the search finds the same. */
static unsigned harmless_length(const struct level *level, size_t pos, size_t at, search_result found,
                                const lvl_deflate_symbol *match)
{
    if (found == FOUND_LITERAL)
        return pos - at > TOO_FAR ? MIN_MATCH : MIN_MATCH - 1;
    if (found == FOUND_NO_LONGER || at + match->distance < pos) /* behind the match, or also behind it */
        return match->length;
    return (match->length < level->nice ? match->length : level->nice) - 1;
}

/* Whether a search at `pos`, in equal bytes behind a change, comes to the same result as in the source. */
static bool finds_same(struct encoder *e, size_t pos, search_result found, const lvl_deflate_symbol *match)
{
    const struct level *const level = e->level;
    const uint8_t *const now = e->data, *const was = e->source->same.was.ptr;
    struct changes *const c = &e->changes;
    const size_t left = e->len - pos;
    const unsigned max = left < MAX_MATCH ? (unsigned)left : MAX_MATCH;
    bool any_harm = false; /* a candidate that is the same would change the result if it came or went */
    int more = 0;

    if (left < MIN_MATCH)
        return true;
    const uint32_t hash = hash3(now + pos);
    if (!(c->hashes[hash / 64] >> hash % 64 & 1))
        return true;
    if (c->seen[hash] >= level->chain) { /* no search gets to the change any more */
        c->hashes[hash / 64] &= ~((uint64_t)1 << hash % 64);
        return true;
    }
    if (pos >= c->end + COUNTED)
        c->seen[hash]++;
    for (unsigned i = c->first[hash % CHANGED_LISTS]; i; i = c->places[i - 1].next) {
        const struct changed_place *const p = &c->places[i - 1];
        if (p->hash != hash || pos - p->at > MAX_DISTANCE)
            continue;
        const unsigned length = p->in_now ? common_length(now + p->at, now + pos, max) : 0;
        const unsigned before = p->in_was ? common_length(was + p->at, was + pos, max) : 0;
        /* A literal may follow a shorter match that is no longer found: then the next search begins with
         * less, which decides how many candidates it looks at, but only from a good length on. */
        const bool harm = length > harmless_length(level, pos, p->at, found, match) ||
                          (found == FOUND_LITERAL && before >= level->good) ||
                          (found == FOUND_MATCH && p->at + match->distance == pos);
        const bool same = p->in_now && p->in_was && length == before;
        if (harm && !same)
            return false;
        any_harm |= harm;
        more += p->in_now - p->in_was;
    }
    /* with as many candidates, as many of those before are looked at; otherwise some may come or go */
    return !more || (c->all && !any_harm);
}

/* Whether searches find the literals from `pos` up to `at` and the match there again. */
static bool finds_symbols(struct encoder *e, size_t pos, size_t at, const lvl_deflate_symbol *match)
{
    struct changes *const c = &e->changes;

    if (c->counted < c->end + COUNTED)
        count_candidates(e, pos);
    for (; pos < at; pos++) {
        if (!finds_same(e, pos, FOUND_LITERAL, match))
            return false;
    }
    if (!match->length)
        return true;
    if (!finds_same(e, at, FOUND_MATCH, match) || !finds_same(e, at + 1, FOUND_NO_LONGER, match))
        return false;
    if (match->distance == 1 && match->length > 3 && at >= c->end + COUNTED) { /* candidates in a run */
        const uint32_t hash = hash3(e->data + at), more = c->seen[hash] + match->length - 3;
        c->seen[hash] = (uint16_t)(more < UINT16_MAX ? more : UINT16_MAX);
    }
    return true;
}

static void begin_source(struct source *s, lvl_bytes in, lvl_bytes stream, lvl_bytes data)
{
    lvl_deflate_symbols_begin(&s->symbols, (lvl_bytes){stream.ptr + HEADER, stream.len - HEADER});
    lvl_deflate_same_begin(&s->same, in, data);
    s->at = 0;
    s->behind_match = true;
    s->near_change = false;
}

/* Whether the source has a match that ends where it corresponds to `pos`, with the same bytes before. */
static bool is_same_before(struct encoder *e, size_t pos)
{
    struct source *s = e->source;
    const lvl_deflate_same *const same = &s->same;

    while (same->to <= pos && same->to < e->len) {
        const size_t end = same->to;
        lvl_deflate_same_next(&s->same);
        note_change(e, end, same->from);
    }
    const int64_t shift = pos < same->tail ? 0 : same->shift;
    s->near_change = pos - same->from <= MAX_DISTANCE && (same->from || shift);
    if (pos < same->from || (s->near_change && (shift || e->changes.full)))
        return false;
    while ((int64_t)s->at < (int64_t)pos - shift) {
        const lvl_deflate_symbol symbol = lvl_deflate_symbols_next(&s->symbols);
        if (!symbol.length) {
            e->source = NULL;
            return false;
        }
        s->at += symbol.length;
        s->behind_match = symbol.distance != 0;
    }
    return s->behind_match && (int64_t)s->at == (int64_t)pos - shift;
}

/* Takes over literals and the match behind them, or the literals at the end, whose last one is left to the
 * caller. 0: a search might find something else; otherwise where they end. */
static size_t take_symbols(struct encoder *e, size_t pos)
{
    struct source *s = e->source;
    size_t at = pos;
    lvl_deflate_symbol symbol;

    while ((symbol = lvl_deflate_symbols_next(&s->symbols)).length && !symbol.distance)
        at += symbol.length;
    s->at += at - pos + symbol.length;
    s->behind_match = symbol.length != 0;
    const lvl_deflate_same *const same = &s->same;
    const bool to_end = same->to == e->len && (same->tail < e->len || !same->shift);
    const size_t end = at + symbol.length;
    const bool sees_same = to_end          ? symbol.length ? end <= e->len : end == e->len
                           : symbol.length ? end + MIN_LOOKAHEAD <= same->to
                                           : false;
    if (!sees_same)
        return 0;
    /* whether the source is sound does not matter here */
    if (symbol.distance > at ||
        (symbol.distance && memcmp(e->data + at - symbol.distance, e->data + at, symbol.length) != 0))
        return 0;
    if (s->near_change && !finds_symbols(e, pos, at, &symbol))
        return 0;
    for (const size_t literals = symbol.length ? at : at - 1; pos < literals; pos++) {
        if (!put_literal(e, pos))
            return 0;
    }
    if (symbol.length && !put_match(e, at, symbol.distance, symbol.length))
        return 0;
    return end;
}

/* Where all bytes to the end are the same as far as a search sees, takes over symbols up to the next one that
 * may end a block. Returns where they end, perhaps between literals. */
static size_t take_rest(struct encoder *e, size_t pos)
{
    struct source *s = e->source;
    const lvl_deflate_same *const same = &s->same;
    const bool to_end = same->to == e->len && (same->tail < e->len || !same->shift);
    const uint32_t period = e->block.count / CLASSIC_PERIOD * CLASSIC_PERIOD + CLASSIC_PERIOD;
    const uint32_t full = e->classic && period < LVL_DEFLATE_SYMBOLS ? period : LVL_DEFLATE_SYMBOLS;
    size_t last = pos;

    if (!to_end || s->near_change || e->len - pos < 2 * MIN_LOOKAHEAD)
        return pos;
    const lvl_bytes data = {e->data, e->len - MIN_LOOKAHEAD};
    const size_t end = lvl_deflate_symbols_copy(&s->symbols, &e->block, full - 1, data, pos, &last);
    for (size_t base = e->base - 1; base != e->base && end > pos;) {
        base = e->base;
        move_window(e, last + 1);
    }
    s->at += end - pos;
    return end;
}

/* Encodes from `pos`, which follows a match, as far as the source has it; returns where that ends. `waiting`:
 * the literal before that is not written yet. */
static size_t take_over(struct encoder *e, size_t pos, bool *waiting)
{
    const struct source *s = e->source;
    const size_t start = pos;
    size_t next;

    while (pos < e->len && is_same_before(e, pos)) {
        pos = take_rest(e, pos);
        next = take_symbols(e, pos);
        if (!next)
            break;
        pos = next;
    }
    *waiting = pos == e->len && !s->behind_match;
    if (pos > start && pos < e->len) {
        const size_t from = pos - start > WINDOW ? pos - WINDOW : start;
        insert_range(e, from, pos < e->len - 2 ? pos : e->len - 2, 0);
    }
    return pos;
}

/* ---- all symbols ------------------------------------------------------------------------------------- */

static void encode(struct encoder *e)
{
    const uint8_t *data = e->data;
    size_t len = e->len, pos = 0, match = 0;
    unsigned length = MIN_MATCH - 1;
    bool waiting = false; /* the byte before pos is not written yet: a longer match may start here */

    lvl_deflate_block_start(&e->block);
    while (pos < len) {
        if (!waiting && e->source) {
            pos = take_over(e, pos, &waiting);
            if (pos == len || e->sink.out->status != LVL_OK)
                break;
        }
        uint32_t candidate = len - pos >= MIN_MATCH ? insert(e, pos) : 0;
        unsigned before = length;
        size_t before_match = match;

        length = MIN_MATCH - 1;
        if (candidate && before < e->level->lazy && pos - candidate <= MAX_DISTANCE) {
            length = longest_match(e, pos, candidate, before, &match);
            if (length == MIN_MATCH && pos - match > TOO_FAR)
                length = MIN_MATCH - 1;
        }
        if (before >= MIN_MATCH && length <= before) {
            size_t distance = pos - 1 - before_match;
            size_t end = pos + before - 1;
            if (!put_match(e, pos - 1, distance, before))
                return;
            /* Positions with less than three bytes left are not inserted. */
            size_t to = end < len - 2 ? end : len - 2;
            if (pos + 1 < to)
                insert_range(e, pos + 1, to, distance == 1 && before > 5 ? before - 4 : 0);
            pos = end;
            waiting = false;
            length = MIN_MATCH - 1;
        } else {
            if (waiting && !put_literal(e, pos - 1))
                return;
            waiting = true;
            pos++;
        }
    }
    move_window(e, pos);
    if (waiting)
        (void)tally_literal(e, data[pos - 1], pos);
    if (end_block(e, pos, true))
        lvl_bitsink_align(&e->sink);
}

/* The candidates for `pos`, which is inserted: the last two positions with the same hash of four bytes. */
static inline uint32_t insert_quick(struct encoder *e, size_t pos, uint32_t *second)
{
    uint32_t *const last = e->head + 2 * (lvl_load_u32le(e->data + pos) * 0x9E3779B1u >> 18);
    const uint32_t first = last[0];

    *second = last[1];
    last[1] = first;
    last[0] = (uint32_t)pos;
    return first;
}

/* Takes the longer match of two candidates at once. */
static void encode_quick(struct encoder *e)
{
    const uint8_t *data = e->data;
    const size_t len = e->len, last = len < 4 ? 0 : len - 3; /* behind the last position with four bytes */
    bool full = false;

    lvl_deflate_block_start(&e->block);
    for (size_t pos = 0; pos < len;) {
        const unsigned max = len - pos < MAX_MATCH ? (unsigned)(len - pos) : MAX_MATCH;
        uint32_t candidate[2] = {0, 0}, match = 0;
        unsigned length = MIN_MATCH;
        if (pos < last)
            candidate[0] = insert_quick(e, pos, &candidate[1]);
        for (int i = 0; i < 2 && candidate[i] && pos - candidate[i] <= MAX_DISTANCE; i++) {
            const uint8_t *at = data + candidate[i];
            if (length >= max || at[length] != data[pos + length] || memcmp(at, data + pos, 4) != 0)
                continue;
            const unsigned n = common_length(at, data + pos, max);
            if (n > length) {
                length = n;
                match = candidate[i];
            }
        }
        if (match) {
            full = tally_match(e, pos - match, length, pos);
            const size_t end = pos + length, to = end < last ? end : last;
            for (size_t k = pos + 1; k < to; k++)
                (void)insert_quick(e, k, &candidate[1]);
            pos = end;
        } else {
            full = tally_literal(e, data[pos], pos);
            pos++;
        }
        move_window(e, pos);
        if (full && !end_block(e, pos, false))
            return;
    }
    if (end_block(e, len, true))
        lvl_bitsink_align(&e->sink);
}

static lvl_status deflate(lvl_bytes in, lvl_deflate_style style, struct source *source, lvl_buffer *out)
{
    const struct level *level = style == LVL_DEFLATE_LEVEL9 ? &level9 : &level6;
    struct encoder *e;
    uint32_t adler = lvl_adler32(in);
    const uint8_t tail[4] = {(uint8_t)(adler >> 24), (uint8_t)(adler >> 16), (uint8_t)(adler >> 8),
                             (uint8_t)adler};

    if (in.len > UINT32_MAX - MIN_LOOKAHEAD)
        return LVL_ERR_LIMIT;
    e = calloc(1, sizeof *e);
    if (!e)
        return LVL_ERR_MEMORY;
    e->sink.out = out;
    e->level = level;
    e->classic = style == LVL_DEFLATE_CLASSIC6;
    e->data = in.ptr ? in.ptr : (const uint8_t *)""; /* arithmetic on NULL is undefined */
    e->len = in.len;
    e->source = source;
    lvl_buffer_u8(out, 0x78);
    lvl_buffer_u8(out, level->flags);
    if (style == LVL_DEFLATE_QUICK)
        encode_quick(e);
    else
        encode(e);
    lvl_buffer_add(out, tail, sizeof tail);
    free(e);
    return out->status;
}

lvl_status lvl_deflate_zlib(lvl_bytes in, lvl_deflate_style style, lvl_buffer *out)
{
    return deflate(in, style, NULL, out);
}

lvl_status lvl_deflate_zlib_edited(lvl_bytes in, lvl_deflate_style style, lvl_bytes stream, lvl_bytes was,
                                   lvl_buffer *out)
{
    struct source source;

    if (!in.len || !was.len || stream.len < HEADER)
        return deflate(in, style, NULL, out);
    begin_source(&source, in, stream, was);
    return deflate(in, style, &source, out);
}

lvl_status lvl_deflate_raw(lvl_bytes in, lvl_buffer *out)
{
    const size_t at = out->len;
    const bool large = in.len > (size_t)64 << 10;
    const lvl_status status = lvl_deflate_zlib(in, large ? LVL_DEFLATE_QUICK : LVL_DEFLATE_LEVEL6, out);

    if (status != LVL_OK)
        return status;
    memmove(out->data + at, out->data + at + 2,
            out->len - at - 6); /* without the header of two bytes and the checksum */
    out->len -= 6;
    return LVL_OK;
}

lvl_status lvl_deflate_gzip(lvl_bytes in, lvl_buffer *out)
{
    static const uint8_t head[10] = {0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF};

    lvl_buffer_add(out, head, sizeof head);
    if (out->status != LVL_OK)
        return out->status;
    const lvl_status status = lvl_deflate_raw(in, out);
    if (status != LVL_OK)
        return status;
    lvl_buffer_u32le(out, lvl_crc32(in));
    lvl_buffer_u32le(out, (uint32_t)in.len);
    return out->status;
}

uint32_t lvl_adler32(lvl_bytes in)
{
    return in.len ? libdeflate_adler32(1, in.ptr, in.len) : 1;
}

uint32_t lvl_crc32(lvl_bytes in)
{
    return in.len ? libdeflate_crc32(0, in.ptr, in.len) : 0;
}
