/*
 * tools/diff/merge_lines.c: three-way merge of texts, line by line.
 */
#include "base/buffer.h"
#include "tools/diff/merge.h"

#include <stdio.h>

typedef struct texts {
    lvl_merger *m;
    lvl_lines ours, theirs; /* from BASE */
    lvl_buffer out;
    bool first;
    uint32_t conflicts;
    uint32_t first_line; /* of BASE in the first conflict, from 1 */
    lvl_buffer shown[3]; /* its lines in BASE, OURS, THEIRS */
} texts;

static void put_lines(texts *x, const lvl_text *lines, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        if (!x->first)
            lvl_buffer_u8(&x->out, '\n');
        x->first = false;
        lvl_buffer_add(&x->out, lines[i].ptr, lines[i].len);
    }
}

/* A message shows the beginning of lines only. */
static void add_lines(lvl_buffer *out, const lvl_text *lines, uint32_t from, uint32_t to)
{
    enum { ENOUGH = 400 };

    for (uint32_t i = from; i < to && out->len < ENOUGH; i++) {
        if (i > from)
            lvl_buffer_u8(out, '\n');
        lvl_buffer_add(out, lines[i].ptr, lines[i].len);
    }
    if (to > from)
        lvl_buffer_reserve(out, 1); /* an empty line is not the absence of lines */
}

static void report_lines(texts *x)
{
    static const lvl_field lines = {.name = "lines", .kind = LVL_TEXT, .size = sizeof(lvl_text)};
    const uint32_t more = x->conflicts - 1;
    lvl_text values[3];
    const lvl_text *sides[3];
    char place[40], rest[60] = "";

    for (int i = 0; i < 3; i++) {
        values[i] = lvl_buffer_text(&x->shown[i]);
        sides[i] = values[i].ptr ? &values[i] : NULL;
        lvl_merge_fail(x->m, x->shown[i].status);
    }
    snprintf(place, sizeof place, "line %u: ", x->first_line);
    if (more)
        snprintf(rest, sizeof rest, "; %u more place%s in this text", more, more == 1 ? "" : "s");
    lvl_merge_conflict_values(x->m, place, sides[0], sides[1], sides[2], &lines, rest);
}

static void put_marker(texts *x, const char *text)
{
    const lvl_text line = lvl_text_of(text);

    put_lines(x, &line, 0, 1);
}

static bool same_lines(const lvl_text *a, uint32_t a_count, const lvl_text *b, uint32_t b_count)
{
    bool same = a_count == b_count;

    for (uint32_t i = 0; same && i < a_count; i++)
        same = lvl_text_equal(a[i], b[i]);
    return same;
}

/* Merges the lines from … to - 1 of BASE, which are o0 … o1 - 1 of OURS and t0 … t1 - 1 of THEIRS. */
static void merge_hunk(texts *x, uint32_t from, uint32_t to, uint32_t o0, uint32_t o1, uint32_t t0,
                       uint32_t t1)
{
    const lvl_text *base = x->ours.a, *ours = x->ours.b, *theirs = x->theirs.b;
    const lvl_doc *winner = lvl_merge_winner(x->m);

    if (same_lines(base + from, to - from, theirs + t0, t1 - t0) ||
        same_lines(ours + o0, o1 - o0, theirs + t0, t1 - t0)) {
        put_lines(x, ours, o0, o1);
        return;
    }
    if (same_lines(base + from, to - from, ours + o0, o1 - o0)) {
        put_lines(x, theirs, t0, t1);
        return;
    }
    if (x->conflicts++ == 0) {
        x->first_line = from + 1;
        add_lines(&x->shown[0], base, from, to);
        add_lines(&x->shown[1], ours, o0, o1);
        add_lines(&x->shown[2], theirs, t0, t1);
    }
    if (x->m->options->markers) {
        put_marker(x, "<<<<<<< ours");
        put_lines(x, ours, o0, o1);
        put_marker(x, "=======");
        put_lines(x, theirs, t0, t1);
        put_marker(x, ">>>>>>> theirs");
    } else if (winner == x->m->theirs) {
        put_lines(x, theirs, t0, t1);
    } else if (winner == x->m->base) {
        put_lines(x, base, from, to);
    } else {
        put_lines(x, ours, o0, o1);
    }
}

/* Merges the hunks of both sides; hunks that touch in BASE are merged as one. */
static void merge_texts(texts *x)
{
    const lvl_lines *o = &x->ours, *t = &x->theirs;
    uint32_t at = 0;
    int64_t to_ours = 0, to_theirs = 0; /* offset from a line of BASE to the same line of each side */

    for (size_t i = 0, j = 0; i < o->hunk_count || j < t->hunk_count;) {
        const uint32_t next_ours = i < o->hunk_count ? o->hunks[i].a : UINT32_MAX;
        const uint32_t next_theirs = j < t->hunk_count ? t->hunks[j].a : UINT32_MAX;
        const uint32_t from = next_ours < next_theirs ? next_ours : next_theirs;
        const uint32_t o0 = (uint32_t)(from + to_ours), t0 = (uint32_t)(from + to_theirs);
        uint32_t to = from;
        for (bool more = true; more;) {
            more = false;
            for (; i < o->hunk_count && o->hunks[i].a <= to; i++, more = true) {
                to = o->hunks[i].a + o->hunks[i].a_count > to ? o->hunks[i].a + o->hunks[i].a_count : to;
                to_ours += (int64_t)o->hunks[i].b_count - o->hunks[i].a_count;
            }
            for (; j < t->hunk_count && t->hunks[j].a <= to; j++, more = true) {
                to = t->hunks[j].a + t->hunks[j].a_count > to ? t->hunks[j].a + t->hunks[j].a_count : to;
                to_theirs += (int64_t)t->hunks[j].b_count - t->hunks[j].a_count;
            }
        }
        put_lines(x, o->a, at, from);
        merge_hunk(x, from, to, o0, (uint32_t)(to + to_ours), t0, (uint32_t)(to + to_theirs));
        at = to;
    }
    put_lines(x, o->a, at, o->a_count);
}

bool lvl_merge_lines(lvl_merger *m, void *ours, const void *base, const void *theirs, const lvl_field *field)
{
    texts x = {.m = m, .first = true};
    const lvl_text b = lvl_get_text(base, field);

    lvl_status status = lvl_lines_find(&x.ours, b, lvl_get_text(ours, field));
    if (status == LVL_OK)
        status = lvl_lines_find(&x.theirs, b, lvl_get_text(theirs, field));
    const bool lines = status == LVL_OK && (x.ours.a_count > 1 || x.ours.b_count > 1 || x.theirs.b_count > 1);
    if (lines) {
        merge_texts(&x);
        status = x.out.status;
    }
    if (lines && status == LVL_OK && lvl_editor_note_member(&m->edit, ours, field)) {
        status = lvl_put_text(m->ours, ours, field, lvl_buffer_text(&x.out));
        if (x.conflicts)
            report_lines(&x);
    }
    lvl_merge_fail(m, status);
    lvl_lines_free(&x.ours);
    lvl_lines_free(&x.theirs);
    lvl_buffer_free(&x.out);
    for (int i = 0; i < 3; i++)
        lvl_buffer_free(&x.shown[i]);
    return lines;
}
