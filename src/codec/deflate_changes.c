/*
 * codec/deflate_changes.c: see codec/deflate_changes.h.
 *
 * A search looks at the candidates for a position: those before it with the same hash of three bytes, the
 * nearest first, at most level->chain of them. It takes the longest match, the nearest of several. Behind a
 * change the bytes at hand are equal, so only candidates differ: those that begin in the changed bytes, or up
 * to 257 bytes before them, since as many may be compared with more. These are the places that are noted,
 * with the hash that they had and the one that they have. Then a search finds the same if
 *
 *   1. no place has its hash; or
 *   2. as many candidates follow the change as a search looks at: it does not get to the place; or
 *   3. no place that came, went, or matches with another length was or would be the result, and all other
 *      candidates that may be the result are as far down the list as they were: as many places came as went
 *      in front of them. For a place that is counted where it is met; other candidates are not known, so it
 *      must be so wherever there may be some: before all places, and between those of several changes.
 *
 * Counting the candidates behind a change (2) costs as much as inserting them, so they are counted at all
 * positions only near the change, and farther behind only where a search is checked.
 */
#include "codec/deflate_changes.h"

enum { COUNTED = 4096 /* bytes behind a change of which all candidates are counted */ };

/* ---- the candidates that have changed ---------------------------------------------------------------- */

static inline bool is_reachable(const lvl_deflate_changes *c, uint32_t hash)
{
    return c->reachable[hash / 64] >> hash % 64 & 1;
}

static void forget_places(lvl_deflate_changes *c)
{
    memset(c->reachable, 0, sizeof c->reachable);
    memset(c->first, 0, sizeof c->first);
    c->count = 0;
    c->full = false;
}

static void add_place(lvl_deflate_changes *c, size_t at, uint32_t hash, bool in_now, bool in_was)
{
    uint16_t *const first = &c->first[hash % LVL_DEFLATE_CHANGED_LISTS];

    c->full |= c->count == LVL_DEFLATE_MAX_CHANGED;
    if (c->full)
        return;
    c->places[c->count++] = (lvl_deflate_changed){(uint32_t)at, (uint16_t)hash, *first, in_now, in_was};
    *first = (uint16_t)c->count;
    c->reachable[hash / 64] |= (uint64_t)1 << hash % 64;
    c->behind[hash] = 0;
}

void lvl_deflate_changes_note(lvl_deflate_changes *c, size_t from, size_t to)
{
    const size_t limit = c->was.len < c->now.len ? c->was.len : c->now.len;
    /* candidates whose bytes reach into the change; the first byte of a text is none */
    size_t at = from >= LVL_DEFLATE_MAX_MATCH ? from - LVL_DEFLATE_MAX_MATCH + 1 : 1;

    if (c->end + LVL_DEFLATE_WINDOW < from)
        forget_places(c);
    if (at > c->end)
        c->from = at;
    for (at = at > c->end ? at : c->end; at < to && at + LVL_DEFLATE_MIN_MATCH <= limit && !c->full; at++) {
        const uint32_t now = lvl_deflate_hash(c->now.ptr + at), was = lvl_deflate_hash(c->was.ptr + at);
        add_place(c, at, now, true, now == was);
        if (now != was)
            add_place(c, at, was, false, true);
    }
    c->end = to;
    c->counted = 0;
}

/* Counts candidates that follow the last change closely, before `pos`. */
static void count_candidates(lvl_deflate_changes *c, size_t pos)
{
    const size_t len = c->now.len;
    const size_t near = c->end + COUNTED < pos ? c->end + COUNTED : pos;
    const size_t end = near + LVL_DEFLATE_MIN_MATCH <= len ? near : len - LVL_DEFLATE_MIN_MATCH;

    for (size_t at = c->counted > c->end ? c->counted : c->end; at < end; at++) {
        const uint32_t hash = lvl_deflate_hash(c->now.ptr + at);
        if (is_reachable(c, hash))
            c->behind[hash]++;
    }
    c->counted = pos;
}

/* Counts the candidates in a match of equal bytes, which have one hash, without looking at each. */
static void count_run(lvl_deflate_changes *c, size_t at, const lvl_deflate_symbol *match)
{
    if (match->distance != 1 || match->length <= LVL_DEFLATE_MIN_MATCH || at < c->end + COUNTED)
        return;
    const uint32_t hash = lvl_deflate_hash(c->now.ptr + at);
    const uint32_t sum = c->behind[hash] + match->length - LVL_DEFLATE_MIN_MATCH;
    c->behind[hash] = (uint16_t)(sum < UINT16_MAX ? sum : UINT16_MAX);
}

/* ---- searches ---------------------------------------------------------------------------------------- */

/* What a search found in the text before. */
typedef enum search_result {
    FOUND_MATCH, /* this match */
    FOUND_NO_LONGER, /* none that is longer than that of the position before */
    FOUND_LITERAL /* none, or a shorter one than at the next position */
} search_result;

typedef struct search {
    size_t pos;
    uint32_t hash;
    unsigned max; /* bytes that are compared at most */
    search_result found;
    lvl_deflate_symbol match; /* for FOUND_LITERAL without meaning */
} search;

/* How long a candidate that comes may be without being the result. */
static unsigned max_harmless_length(const lvl_deflate_level *level, const search *s, size_t at)
{
    if (s->found == FOUND_LITERAL)
        return s->pos - at > LVL_DEFLATE_TOO_FAR ? LVL_DEFLATE_MIN_MATCH : LVL_DEFLATE_MIN_MATCH - 1;
    /* one that is farther than the match has to be longer than it */
    if (s->found == FOUND_NO_LONGER || at + s->match.distance < s->pos)
        return s->match.length;
    return (s->match.length < level->nice ? s->match.length : level->nice) - 1;
}

/* Whether the result depends on a candidate that matches with this length, and with `before` in the text
 * before (0: it is no candidate there). */
static bool is_decisive(const lvl_deflate_level *level, const search *s, size_t at, unsigned length,
                        unsigned before)
{
    if (length > max_harmless_length(level, s, at))
        return true;
    /* A literal may follow a shorter match that is no longer found: then the next search begins with less,
     * which decides how many candidates it looks at, but only from a good length on. */
    if (s->found == FOUND_LITERAL)
        return before >= level->good;
    return s->found == FOUND_MATCH && at + s->match.distance == s->pos;
}

/* Whether the places with the hash of the search leave its result as it was. */
static bool keep_result(const lvl_deflate_changes *c, const search *s)
{
    const uint8_t *const now = c->now.ptr, *const was = c->was.ptr;
    int more = 0; /* places that came, less those that went, behind the one at hand: how much farther down */

    for (unsigned i = c->first[s->hash % LVL_DEFLATE_CHANGED_LISTS]; i; i = c->places[i - 1].next) {
        const lvl_deflate_changed *const p = &c->places[i - 1];
        if (p->hash != s->hash || s->pos - p->at > LVL_DEFLATE_MAX_DISTANCE)
            continue;
        if (more && p->at < c->from) /* candidates between places may come or go at the end of the search */
            return false;
        const unsigned length = p->in_now ? lvl_deflate_common_length(now + p->at, now + s->pos, s->max) : 0;
        const unsigned before = p->in_was ? lvl_deflate_common_length(was + p->at, was + s->pos, s->max) : 0;
        const bool same = p->in_now && p->in_was && length == before;
        if ((!same || more) && is_decisive(c->level, s, p->at, length, before))
            return false;
        more += p->in_now - p->in_was;
    }
    return !more || c->from <= 1; /* the same for candidates before all places, if there may be some */
}

/* Whether a search at `pos` comes to the same result as in the text before. */
static bool finds_same(lvl_deflate_changes *c, size_t pos, search_result found,
                       const lvl_deflate_symbol *match)
{
    const size_t left = c->now.len - pos;

    if (left < LVL_DEFLATE_MIN_MATCH)
        return true;
    const uint32_t hash = lvl_deflate_hash(c->now.ptr + pos);
    if (!is_reachable(c, hash))
        return true;
    if (c->behind[hash] >= c->level->chain) { /* no search gets to the change any more */
        c->reachable[hash / 64] &= ~((uint64_t)1 << hash % 64);
        return true;
    }
    if (pos >= c->end + COUNTED)
        c->behind[hash]++;
    const unsigned max = left < LVL_DEFLATE_MAX_MATCH ? (unsigned)left : LVL_DEFLATE_MAX_MATCH;
    const search s = {pos, hash, max, found, *match};
    return keep_result(c, &s);
}

bool lvl_deflate_changes_keep(lvl_deflate_changes *c, size_t pos, size_t at, const lvl_deflate_symbol *match)
{
    if (c->counted < c->end + COUNTED)
        count_candidates(c, pos);
    for (; pos < at; pos++) {
        if (!finds_same(c, pos, FOUND_LITERAL, match))
            return false;
    }
    if (!match->length)
        return true;
    /* before it takes a match, zlib looks for a longer one at the next byte */
    if (!finds_same(c, at, FOUND_MATCH, match) || !finds_same(c, at + 1, FOUND_NO_LONGER, match))
        return false;
    count_run(c, at, match);
    return true;
}
