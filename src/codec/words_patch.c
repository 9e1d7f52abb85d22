/*
 * codec/words_patch.c: changes the words of lines that are others now, and leaves the rest as it is spelled.
 */
#include "codec/words.h"

#include "base/buffer.h"
#include "base/text.h"

#include <string.h>

/* Pieces of a text, one after the other: its lines, or the words of a line, which end behind commas, too. */
typedef struct cursor {
    const char *at, *end;
    lvl_text gap, piece; /* the blanks before a word, and the word; a line with its end */
} cursor;

typedef bool (*step)(cursor *c);

static bool is_gap(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool next_word(cursor *c)
{
    const char *from = c->at;

    while (c->at < c->end && is_gap(*c->at))
        c->at++;
    c->gap = (lvl_text){from, (size_t)(c->at - from)};
    from = c->at;
    while (c->at < c->end && !is_gap(*c->at) && (c->at == from || c->at[-1] != ','))
        c->at++;
    c->piece = (lvl_text){from, (size_t)(c->at - from)};
    return c->piece.len != 0;
}

static bool next_line(cursor *c)
{
    const char *from = c->at, *nl = from < c->end ? memchr(from, '\n', (size_t)(c->end - from)) : NULL;

    c->at = nl ? nl + 1 : c->end;
    c->piece = (lvl_text){from, (size_t)(c->at - from)};
    return c->piece.len != 0;
}

static cursor pieces_of(lvl_text text)
{
    return (cursor){text.ptr, text.ptr + text.len, {text.ptr, 0}, {text.ptr, 0}};
}

static size_t count_pieces(lvl_text text, step next)
{
    cursor c = pieces_of(text);
    size_t count = 0;

    while (next(&c))
        count++;
    return count;
}

/* Which pieces of a changed text stand for which before the change: those at the start by their number, and
 * as many at the end as are the same. */
typedef struct pairs {
    size_t was, now, back;
} pairs;

static pairs pair(lvl_text was, lvl_text now, step next)
{
    pairs p = {count_pieces(was, next), count_pieces(now, next), 0};
    const size_t least = p.was < p.now ? p.was : p.now;
    cursor w = pieces_of(was), n = pieces_of(now);
    bool front = true;

    for (size_t i = 0; i < p.was - least; i++)
        next(&w);
    for (size_t i = 0; i < p.now - least; i++)
        next(&n);
    /* how many of the last ones are the same, of those that are not the same at the start */
    for (size_t i = 0; i < least && next(&w) && next(&n); i++)
        p.back = lvl_text_equal(w.piece, n.piece) ? p.back + 1 : 0;
    w = pieces_of(was);
    n = pieces_of(now);
    for (size_t same = 0; front && same < least; same++) {
        front = next(&w) && next(&n) && lvl_text_equal(w.piece, n.piece);
        p.back = front && p.back > least - same - 1 ? least - same - 1 : p.back;
    }
    return p;
}

/* Steps to the next piece of the changed text, and the others to what stands for it; false: it is new. */
static bool step_pair(const pairs *p, size_t i, cursor *old, cursor *was, cursor *now, step next)
{
    next(now);
    if (i >= p->was - p->back && i < p->now - p->back)
        return false;
    for (size_t skip = i == p->now - p->back && p->was > p->now ? p->was - p->now + 1 : 1; skip; skip--) {
        next(old);
        next(was);
    }
    return true;
}

/* Whether no word of a line has more than one blank before it. */
static bool is_single(lvl_text line)
{
    cursor c = pieces_of(line);
    bool single = true;

    while (next_word(&c))
        single = single && c.gap.len <= 1;
    return single;
}

/* The blanks before a word that takes the place of another: its right edge stays, if there is room. */
static void put_gap(const cursor *old, const cursor *was, const cursor *now, bool single, lvl_buffer *out)
{
    const size_t least = old->gap.len != 0, edge = old->gap.len + old->piece.len;

    if (single || lvl_text_equal(was->piece, now->piece))
        lvl_buffer_add(out, old->gap.ptr, old->gap.len);
    else if (lvl_text_equal(old->gap, was->gap))
        lvl_buffer_add(out, now->gap.ptr, now->gap.len);
    else
        lvl_buffer_fill(out, ' ', edge > now->piece.len + least ? edge - now->piece.len : least);
}

static void patch_line(lvl_text old, lvl_text was, lvl_text now, lvl_buffer *out)
{
    const bool single = is_single(old);
    const pairs p = pair(was, now, next_word);
    cursor o = pieces_of(old), w = pieces_of(was), n = pieces_of(now);

    if (lvl_text_equal(was, now))
        now = old;
    if (lvl_text_equal(old, was) || lvl_text_equal(old, now) || count_pieces(old, next_word) != p.was) {
        lvl_buffer_add(out, now.ptr, now.len);
        return;
    }
    for (size_t i = 0; i < p.now; i++) {
        if (!step_pair(&p, i, &o, &w, &n, next_word)) {
            lvl_buffer_add(out, n.gap.ptr, single && n.gap.len > 1 ? 1 : n.gap.len);
            lvl_buffer_add(out, n.piece.ptr, n.piece.len);
            continue;
        }
        put_gap(&o, &w, &n, single, out);
        const lvl_text word = lvl_text_equal(w.piece, n.piece) ? o.piece : n.piece;
        lvl_buffer_add(out, word.ptr, word.len);
    }
    next_word(&n);
    while (next_word(&o))
        next_word(&w);
    next_word(&w);
    const lvl_text end = lvl_text_equal(w.gap, n.gap) ? o.gap : n.gap;
    lvl_buffer_add(out, end.ptr, end.len);
}

static lvl_text leading_letters(lvl_text line)
{
    const lvl_text t = lvl_text_trim(line);
    size_t n = 0;

    while (n < t.len && ((t.ptr[n] | 0x20) >= 'a' && (t.ptr[n] | 0x20) <= 'z'))
        n++;
    return (lvl_text){t.ptr, n};
}

/* How alike two lines are: 2 with the same words, 1 with the same letters at the start. */
static unsigned likeness(lvl_text a, lvl_text b)
{
    cursor x = pieces_of(a), y = pieces_of(b);
    bool same = true;

    for (bool more = true; same && more;) {
        const bool first = next_word(&x), second = next_word(&y);
        same = first == second && lvl_text_equal(x.piece, y.piece);
        more = first;
    }
    return same ? 2 : lvl_text_equal(leading_letters(a), leading_letters(b));
}

enum { MOST_LINES = 64 };

/* Which line of `was` stands for each of `old`, of as many: the source may have them in another order. */
static void pair_lines(lvl_text old, lvl_text was, uint8_t *of_old)
{
    bool taken[MOST_LINES] = {false};
    cursor o = pieces_of(old);

    for (size_t i = 0; next_line(&o); i++) {
        cursor w = pieces_of(was);
        unsigned best = 0, score;
        for (size_t k = 0; next_line(&w); k++) {
            if (taken[k])
                continue;
            score = 1 + 2 * likeness(o.piece, w.piece) + (k == i);
            if (score > best) {
                best = score;
                of_old[i] = (uint8_t)k;
            }
        }
        taken[of_old[i]] = true;
    }
}

static lvl_text line_of(lvl_text text, size_t number)
{
    cursor c = pieces_of(text);

    while (next_line(&c) && number)
        number--;
    return c.piece;
}

void lvl_words_patch(lvl_text old, lvl_text was, lvl_text now, lvl_buffer *out)
{
    const pairs p = pair(was, now, next_line);
    cursor o = pieces_of(old), w = pieces_of(was), n = pieces_of(now);

    if (count_pieces(old, next_line) != p.was) {
        lvl_buffer_add(out, now.ptr, now.len);
        return;
    }
    uint8_t of_old[MOST_LINES] = {0};
    const bool paired = p.was == p.now && p.was <= MOST_LINES;
    if (paired)
        pair_lines(old, was, of_old);
    for (size_t i = 0; i < p.now; i++) {
        if (paired && next_line(&o))
            patch_line(o.piece, line_of(was, of_old[i]), line_of(now, of_old[i]), out);
        else if (step_pair(&p, i, &o, &w, &n, next_line))
            patch_line(o.piece, w.piece, n.piece, out);
        else
            lvl_buffer_add(out, n.piece.ptr, n.piece.len);
        if (out->status == LVL_OK && out->len && out->data[out->len - 1] != '\n')
            lvl_buffer_u8(out, '\n');
    }
}
