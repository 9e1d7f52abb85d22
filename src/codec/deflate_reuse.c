/*
 * codec/deflate_reuse.c: see codec/deflate_reuse.h.
 *
 * Nearly all literals and matches of an edited text are those of the text before, but to search for them
 * takes most of the time of an encoder. So the symbols of the source's stream are copied wherever a search
 * would find the same. The result is the stream that the encoder would make anew, bit for bit, if it also
 * made the source.
 *
 * What a search finds depends on
 *   - the bytes at hand and those behind them: 258 are compared, from the first position that is searched on;
 *   - the candidates: positions up to 32506 bytes before, and the 258 bytes from each of them on;
 *   - the end of the text, near which matches are shorter;
 *   - what was found at the position before, since zlib compares the two. Behind a match it forgets that.
 *
 * So symbols are copied in units of some literals and the match behind them, beginning behind a match both in
 * the source and here. A unit is copied if
 *   1. it lies in a range of equal bytes, with all that a search for it compares (sees_equal_bytes); and
 *   2. that range is at least 32506 bytes long here, so that all candidates are in it, too; or it is shorter,
 *      but the candidates that have changed make no difference (codec/deflate_changes.c).
 * If the length has changed, distances across the change have changed with it, so then 2 demands the range.
 *
 * Ends of blocks follow from counting symbols, as always, and codes are made from the symbols of a block. The
 * source need not be sound: a match that is none in the edited text is not copied.
 */
#include "codec/deflate_reuse.h"

void lvl_deflate_source_begin(lvl_deflate_source *s, lvl_bytes now, lvl_bytes was, lvl_bytes stream,
                              const lvl_deflate_level *level)
{
    lvl_deflate_symbols_begin(&s->symbols, stream);
    lvl_deflate_same_begin(&s->same, now, was);
    s->behind_match = true;
    s->changes.now = now;
    s->changes.was = was;
    s->changes.level = level;
}

/* ---- where both texts are ---------------------------------------------------------------------------- */

/* How many bytes more there are before `pos` than in the text before. */
static int64_t shift_at(const lvl_deflate_source *s, size_t pos)
{
    return pos < s->same.tail ? 0 : s->same.shift;
}

/* Goes on to the range of equal bytes that has or follows `pos`, and notes the changes before it. False:
 * `pos` is in a change, or so close behind one that a search is needed. */
static bool find_range(lvl_deflate_source *s, size_t pos)
{
    const lvl_deflate_same *const same = &s->same;

    while (same->to <= pos && same->to < same->now.len) {
        const size_t end = same->to;
        lvl_deflate_same_next(&s->same);
        lvl_deflate_changes_note(&s->changes, end, same->from);
    }
    const bool shifted = shift_at(s, pos) != 0;
    s->near_change = pos - same->from <= LVL_DEFLATE_MAX_DISTANCE && (same->from || shifted);
    return pos >= same->from && !(s->near_change && (shifted || s->changes.full));
}

/* Goes on to the symbol of the source that begins where it corresponds to `pos`. False: there is none, or
 * none behind a match. */
static bool find_symbol(lvl_deflate_source *s, size_t pos)
{
    const int64_t wanted = (int64_t)pos - shift_at(s, pos);

    while ((int64_t)s->at < wanted) {
        const lvl_deflate_symbol symbol = lvl_deflate_symbols_next(&s->symbols);
        if (!symbol.length) {
            s->ended = true;
            return false;
        }
        s->at += symbol.length;
        s->behind_match = symbol.distance != 0;
    }
    return s->behind_match && (int64_t)s->at == wanted;
}

/* Whether the bytes up to the end of the text are equal, and so is the distance to it. */
static bool is_equal_to_end(const lvl_deflate_same *same)
{
    return same->to == same->now.len && (same->tail < same->now.len || !same->shift);
}

/* ---- a unit ------------------------------------------------------------------------------------------ */

/* Reads literals and the match behind them; its length is 0 at the end. Returns where the literals end. */
static size_t read_unit(lvl_deflate_source *s, size_t pos, lvl_deflate_symbol *match)
{
    size_t at = pos;

    while ((*match = lvl_deflate_symbols_next(&s->symbols)).length && !match->distance)
        at += match->length;
    s->at += at - pos + match->length;
    s->behind_match = match->length != 0;
    return at;
}

/* Whether searches up to the match at `at`, or to the end if it has no length, see only bytes that are
 * equal. */
static bool sees_equal_bytes(const lvl_deflate_same *same, size_t at, const lvl_deflate_symbol *match)
{
    const size_t end = at + match->length;

    if (!is_equal_to_end(same))
        return match->length && end + LVL_DEFLATE_LOOKAHEAD <= same->to;
    return match->length ? end <= same->now.len : end == same->now.len;
}

static bool is_match(const lvl_deflate_encoder *e, size_t at, const lvl_deflate_symbol *match)
{
    return match->distance <= at && memcmp(e->data + at - match->distance, e->data + at, match->length) == 0;
}

/* Copies a unit, of which the last literal before the end of the text is left to the caller. 0: a search
 * might find something else; otherwise where it ends. */
static size_t copy_unit(lvl_deflate_source *s, lvl_deflate_encoder *e, size_t pos)
{
    lvl_deflate_symbol match;
    const size_t at = read_unit(s, pos, &match);

    if (!sees_equal_bytes(&s->same, at, &match) || (match.length && !is_match(e, at, &match)))
        return 0;
    if (s->near_change && !lvl_deflate_changes_keep(&s->changes, pos, at, &match))
        return 0;
    for (const size_t literals = match.length ? at : at - 1; pos < literals; pos++) {
        if (!lvl_deflate_put_literal(e, pos))
            return 0;
    }
    if (match.length && !lvl_deflate_put_match(e, at, match.distance, match.length))
        return 0;
    return at + match.length;
}

/* Where all that searches see is equal up to the end of the text, copies symbols at once, up to one that may
 * end a block or be near the end. Returns where they end, perhaps between the literals of a unit. */
static size_t copy_many(lvl_deflate_source *s, lvl_deflate_encoder *e, size_t pos)
{
    const uint32_t asked =
        (e->block.count / LVL_DEFLATE_CLASSIC_PERIOD + 1) * (uint32_t)LVL_DEFLATE_CLASSIC_PERIOD;
    const uint32_t full = e->classic && asked < LVL_DEFLATE_SYMBOLS ? asked : LVL_DEFLATE_SYMBOLS;
    size_t last = pos;

    if (!is_equal_to_end(&s->same) || s->near_change || e->len - pos < 2 * LVL_DEFLATE_LOOKAHEAD)
        return pos;
    const lvl_bytes data = {e->data, e->len - LVL_DEFLATE_LOOKAHEAD};
    const size_t end = lvl_deflate_symbols_copy(&s->symbols, &e->block, full - 1, data, pos, &last);
    for (size_t base = e->base - 1; base != e->base && end > pos;) { /* it moves by one window at a time */
        base = e->base;
        lvl_deflate_move_window(e, last + 1);
    }
    s->at += end - pos;
    return end;
}

/* ---- all units --------------------------------------------------------------------------------------- */

size_t lvl_deflate_reuse(lvl_deflate_source *s, lvl_deflate_encoder *e, size_t pos, bool *waiting)
{
    const size_t start = pos;

    while (pos < e->len && find_range(s, pos) && find_symbol(s, pos)) {
        pos = copy_many(s, e, pos);
        const size_t next = copy_unit(s, e, pos);
        if (!next)
            break;
        pos = next;
    }
    *waiting = pos == e->len && !s->behind_match;
    if (pos > start && pos < e->len) { /* the candidates for the searches that follow */
        const size_t from = pos - start > LVL_DEFLATE_WINDOW ? pos - LVL_DEFLATE_WINDOW : start;
        lvl_deflate_insert_range(e, from, pos < e->len - 2 ? pos : e->len - 2, 0);
    }
    return pos;
}
