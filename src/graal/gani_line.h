/*
 * graal/gani_line.h: the lines of an animation: cutting a file into them, and their words and numbers. While
 * a line is read, `fit` tells in which of the styles it is set, so that whoever reads knows without another
 * look whether the writer would set it likewise.
 */
#ifndef LVL_GANI_LINE_H
#define LVL_GANI_LINE_H

#include "base/text.h"

#include <lvl/gani.h>

#include <string.h>

/* Bits of `fit`. */
enum {
    GANI_COLUMNS = 1 << LVL_GANI_COLUMNS,
    GANI_SINGLE = 1 << LVL_GANI_SINGLE,
    GANI_FITS = GANI_COLUMNS | GANI_SINGLE,
    GANI_WELL = 4 /* every field is there, and a number where it should be */
};

/* One line: its content [at, end), and where the next one begins. `own`: it ends as the file's lines do. */
typedef struct gani_line {
    const char *at, *end, *next;
    bool own;
} gani_line;

/* The line at `at` (before `limit`). */
static inline gani_line gani_line_at(const char *at, const char *limit, unsigned line_end)
{
    const char *nl = memchr(at, '\n', (size_t)(limit - at));
    gani_line l = {at, nl ? nl : limit, nl ? nl + 1 : limit, false};

    if (nl) {
        const bool cr = nl > at && nl[-1] == '\r';
        l.end -= cr;
        l.own = cr == (line_end == LVL_GANI_CRLF);
    }
    return l;
}

static inline bool gani_blank(char c)
{
    return c == ' ' || c == '\t';
}

static inline const char *gani_skip(const char *p, const char *end)
{
    while (p < end && gani_blank(*p))
        p++;
    return p;
}

static inline const char *gani_word_end(const char *p, const char *end)
{
    while (p < end && !gani_blank(*p))
        p++;
    return p;
}

/* Where the text ends without trailing blanks. */
static inline const char *gani_trim(const char *p, const char *end)
{
    while (end > p && gani_blank(end[-1]))
        end--;
    return end;
}

static inline lvl_text gani_text(const char *from, const char *to)
{
    const lvl_text t = {from, (size_t)(to - from)};
    return t;
}

/* A line being read. */
typedef struct gani_cursor {
    const char *p, *end;
    unsigned fit;
} gani_cursor;

/* Takes the blanks before a word. */
static inline size_t gani_gap(gani_cursor *c)
{
    const char *from = c->p;

    while (c->p < c->end && *c->p == ' ')
        c->p++;
    if (c->p < c->end && *c->p == '\t') {
        c->fit &= ~(unsigned)GANI_FITS;
        c->p = gani_skip(c->p, c->end);
    }
    return (size_t)(c->p - from);
}

/* A word of `len` stood after `gap` blanks, in a column of `width`: which styles still hold? */
static inline void gani_fit(gani_cursor *c, size_t gap, size_t len, size_t width)
{
    const size_t pad = len < width ? width - len : 0;

    c->fit &= (gap == 1 ? GANI_SINGLE : 0u) | (gap == 1 + pad ? GANI_COLUMNS : 0u) | GANI_WELL;
}

static inline void gani_unfit(gani_cursor *c)
{
    c->fit &= ~(unsigned)GANI_FITS;
}

static inline void gani_ill(gani_cursor *c)
{
    c->fit = 0;
}

/* The next word; empty (and ill) at the end of the line. */
static inline lvl_text gani_word(gani_cursor *c, size_t width)
{
    const size_t gap = gani_gap(c);
    const char *from = c->p;

    c->p = gani_word_end(from, c->end);
    if (c->p == from)
        gani_ill(c);
    gani_fit(c, gap, (size_t)(c->p - from), width);
    return gani_text(from, c->p);
}

/* The number at the cursor, without the blanks before it, up to a blank, `stop` or the end: its length is
 * told by how far the cursor goes. What is no number is 0, or what its first digits say, and ill. */
int32_t gani_odd_int(gani_cursor *c, char stop);
double gani_real_here(gani_cursor *c, char stop);

static inline int32_t gani_int_here(gani_cursor *c, char stop)
{
    const char *p = c->p, *from;
    const bool minus = p < c->end && *p == '-';
    uint32_t v = 0;

    p += minus;
    for (from = p; p < c->end && lvl_is_digit(*p) && p - from < 9; p++)
        v = v * 10 + (uint32_t)(*p - '0');
    if (p == from || (p < c->end && !gani_blank(*p) && *p != stop) ||
        (*from == '0' && (p - from > 1 || minus)))
        return gani_odd_int(c, stop);
    c->p = p;
    return minus ? -(int32_t)v : (int32_t)v;
}

/* The next word as a number. */
static inline int32_t gani_int(gani_cursor *c, size_t width)
{
    const size_t gap = gani_gap(c);
    const char *from = c->p;
    const int32_t v = gani_int_here(c, ' ');

    gani_fit(c, gap, (size_t)(c->p - from), width);
    return v;
}

static inline double gani_real(gani_cursor *c, size_t width, char stop)
{
    const size_t gap = gani_gap(c);
    const char *from = c->p, *p = from;
    const bool minus = p < c->end && *p == '-';
    int32_t whole = 0;
    double v;

    /* most are small whole numbers */
    for (p += minus; p < c->end && lvl_is_digit(*p) && p - from < 6; p++)
        whole = whole * 10 + (*p - '0');
    if (p - from > minus && (from[minus] != '0' || p - from == 1) &&
        (p == c->end || gani_blank(*p) || *p == stop)) {
        c->p = p;
        v = minus ? -whole : whole;
    } else {
        v = gani_real_here(c, stop);
    }

    gani_fit(c, gap, (size_t)(c->p - from), width);
    return v;
}

/* Blanks that nothing follows are what no style has. */
static inline unsigned gani_line_done(gani_cursor *c)
{
    if (c->p < c->end) {
        if (gani_skip(c->p, c->end) < c->end)
            gani_ill(c);
        else
            gani_unfit(c);
    }
    return c->fit;
}

static inline gani_cursor gani_cursor_of(const char *from, const char *end)
{
    const gani_cursor c = {from, end, GANI_FITS | GANI_WELL};
    return c;
}

/* The shortest decimal that reads back as the value, at least `width` wide. */
void gani_put_real(lvl_buffer *out, double value, size_t width);
void gani_put_int(lvl_buffer *out, int64_t value, size_t width);
/* A text at least `width` wide; a line feed in it would end the line, and is written as a blank. */
void gani_put_text(lvl_buffer *out, lvl_text text, size_t width);

#endif
