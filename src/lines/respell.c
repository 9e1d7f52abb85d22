/*
 * lines/respell.c: changes the words of a record's lines that an edit changed, and keeps the spelling of
 * the others. The canonical lines before and after the edit (`was`, `now`) show which words changed; the
 * lines of the source (`old`) have the same words as `was`, in another spelling.
 */
#include "lines/words.h"

#include "base/buffer.h"
#include "base/piece.h"
#include "base/text.h"

#include <string.h>

#define NONE SIZE_MAX

enum { MAX_PIECES = 128 }; /* pieces; a text that has more is written in its canonical form */

/* A line with its end; or a word, which also ends after a comma and around an equals sign, and the blanks
 * before it. */
typedef struct piece {
    lvl_text gap, text;
} piece;

typedef struct pieces {
    piece item[MAX_PIECES];
    size_t count;
    lvl_text rest; /* after the last piece: the blanks and line end after the words of a line */
} pieces;

static bool is_gap(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void split_lines(lvl_text t, pieces *out)
{
    const char *p = t.ptr ? t.ptr : "", *end = p + t.len; /* an empty text may have no address */

    for (out->count = 0; p < end && out->count < MAX_PIECES; out->count++) {
        const char *nl = memchr(p, '\n', (size_t)(end - p)), *next = nl ? nl + 1 : end;
        out->item[out->count] = (piece){{p, 0}, {p, (size_t)(next - p)}};
        p = next;
    }
    out->rest = (lvl_text){p, (size_t)(end - p)};
}

static void split_words(lvl_text t, pieces *out)
{
    const char *p = t.ptr ? t.ptr : "", *end = p + t.len; /* an empty text may have no address */

    for (out->count = 0;; out->count++) {
        const char *gap = p;
        while (p < end && is_gap(*p))
            p++;
        const char *word = p;
        if (p == end || out->count == MAX_PIECES) {
            out->rest = (lvl_text){gap, (size_t)(end - gap)};
            return;
        }
        while (p < end && !is_gap(*p) && (p == word || (p[-1] != ',' && p[-1] != '=' && *p != '=')))
            p++;
        out->item[out->count] = (piece){{gap, (size_t)(word - gap)}, {word, (size_t)(p - word)}};
    }
}

/* The lines or words before and after the edit. */
typedef struct edited {
    const pieces *was, *now;
} edited;

static bool is_same_text(const void *user, size_t was, size_t now)
{
    const edited *e = user;

    return lvl_text_equal(e->was->item[was].text, e->now->item[now].text);
}

static lvl_pairs pair_pieces(const pieces *was, const pieces *now)
{
    const edited e = {was, now};

    return lvl_pairs_of(was->count, now->count, is_same_text, &e);
}

static void add(lvl_text text, lvl_buffer *out)
{
    lvl_buffer_add(out, text.ptr, text.len);
}

/* The blanks before a word that replaces another one: the right edge stays, as columns need it. */
static void put_gap(const piece *old, const piece *was, const piece *now, bool single, lvl_buffer *out)
{
    const size_t least = old->gap.len != 0, edge = old->gap.len + old->text.len;

    if (single || lvl_text_equal(was->text, now->text))
        add(old->gap, out);
    else if (lvl_text_equal(old->gap, was->gap))
        add(now->gap, out);
    else
        lvl_buffer_fill(out, ' ', edge > now->text.len + least ? edge - now->text.len : least);
}

static void patch_line(lvl_text old_line, lvl_text was_line, lvl_text now_line, lvl_buffer *out)
{
    pieces old, was, now;
    bool single = true; /* no columns: no word of the line has more than one blank before it */

    split_words(old_line, &old);
    split_words(was_line, &was);
    split_words(now_line, &now);
    /* words of the line that are not members, or have their defaults, stay after the members */
    const bool more = old.count > was.count && was.count == now.count;
    if (lvl_text_equal(old_line, was_line) || (old.count != was.count && !more) || old.count == MAX_PIECES ||
        was.count == MAX_PIECES || now.count == MAX_PIECES) {
        add(lvl_text_equal(was_line, now_line) ? old_line : now_line, out);
        return;
    }
    for (size_t i = 0; i < old.count; i++)
        single = single && old.item[i].gap.len <= 1;
    const lvl_pairs pairs = pair_pieces(&was, &now);
    for (size_t i = 0; i < now.count; i++) {
        const piece *n = &now.item[i];
        const size_t k = lvl_pairs_was(&pairs, i);
        if (k >= old.count) { /* none: it is new */
            lvl_buffer_add(out, n->gap.ptr, single && n->gap.len > 1 ? 1 : n->gap.len);
            add(n->text, out);
            continue;
        }
        put_gap(&old.item[k], &was.item[k], n, single, out);
        add(lvl_text_equal(was.item[k].text, n->text) ? old.item[k].text : n->text, out);
    }
    for (size_t k = was.count; more && k < old.count; k++) {
        add(old.item[k].gap, out);
        add(old.item[k].text, out);
    }
    add(lvl_text_equal(was.rest, now.rest) ? old.rest : now.rest, out);
}

static lvl_text keyword(lvl_text line)
{
    const lvl_text t = lvl_text_trim(line);
    size_t n = 0;

    while (n < t.len && lvl_lower(t.ptr[n]) >= 'a' && lvl_lower(t.ptr[n]) <= 'z')
        n++;
    return (lvl_text){t.ptr, n};
}

/* The first line of `was` that is not taken and has the keyword of a line, since the source may have its
 * lines in another order; without one the first that is not taken. */
static size_t take_line(const pieces *was, bool *taken, lvl_text line)
{
    size_t found = 0;

    while (taken[found])
        found++;
    for (size_t k = found; k < was->count; k++) {
        if (!taken[k] && lvl_text_equal(keyword(was->item[k].text), keyword(line))) {
            found = k;
            break;
        }
    }
    taken[found] = true;
    return found;
}

static bool is_blank_line(lvl_text line)
{
    size_t n = 0;

    while (n < line.len && is_gap(line.ptr[n]))
        n++;
    return n == line.len;
}

/* How many of the lines are blank. */
static size_t count_blank(const pieces *lines)
{
    size_t n = 0;

    for (size_t i = 0; i < lines->count; i++)
        n += is_blank_line(lines->item[i].text);
    return n;
}

void lvl_words_patch(lvl_text old_lines, lvl_text was_lines, lvl_text now_lines, lvl_buffer *out)
{
    bool taken[MAX_PIECES] = {false};
    pieces old, was, now;

    split_lines(old_lines, &old);
    split_lines(was_lines, &was);
    split_lines(now_lines, &now);
    /* blank lines between the others, which are not of the canonical form, stay where they are */
    const bool blank = old.count != was.count && old.count - count_blank(&old) == was.count;
    if ((old.count != was.count && !blank) || old.rest.len || was.rest.len || now.rest.len) {
        add(now_lines, out);
        return;
    }
    const lvl_pairs pairs = pair_pieces(&was, &now);
    for (size_t i = 0; i < now.count && lvl_pairs_was(&pairs, i) == NONE; i++)
        add(now.item[i].text, out);
    for (size_t o = 0; o < old.count; o++) {
        if (blank && is_blank_line(old.item[o].text)) {
            add(old.item[o].text, out);
            continue;
        }
        const size_t k = take_line(&was, taken, old.item[o].text);
        size_t i = lvl_pairs_now(&pairs, k);
        if (i == NONE)
            continue;
        patch_line(old.item[o].text, was.item[k].text, now.item[i].text, out);
        while (++i < now.count && lvl_pairs_was(&pairs, i) == NONE)
            add(now.item[i].text, out);
    }
}
