/*
 * graal/gani_line.c: numbers in the lines of an animation, in and out, whatever the locale.
 */
#include "graal/gani_line.h"

#include "codec/json.h"
#include "codec/words.h"

#include <math.h>

enum { EXACT_DIGITS = 15 }; /* so many decimal digits go to a double and back unchanged */

static const double powers[EXACT_DIGITS + 1] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

static bool ends_here(const char *p, const char *end, char stop)
{
    return p == end || gani_blank(*p) || *p == stop;
}

static void skip_rest(gani_cursor *c, char stop)
{
    while (!ends_here(c->p, c->end, stop))
        c->p++;
}

int32_t gani_odd_int(gani_cursor *c, char stop)
{
    const char *p = c->p, *from;
    const bool minus = p < c->end && *p == '-';
    uint64_t v = 0;

    p += p < c->end && (*p == '-' || *p == '+');
    for (from = p; p < c->end && lvl_is_digit(*p); p++) {
        if (v < (uint64_t)1 << 40)
            v = v * 10 + (uint64_t)(*p - '0');
    }
    /* the longest numbers are well set too, if that is how they are written */
    if (p - from == 10 && *from != '0' && v <= INT32_MAX && c->p + minus == from &&
        ends_here(p, c->end, stop)) {
        c->p = p;
        return minus ? -(int32_t)v : (int32_t)v;
    }
    if (p == from || !ends_here(p, c->end, stop))
        gani_ill(c);
    gani_unfit(c);
    c->p = p;
    skip_rest(c, stop);
    const int64_t most = (int64_t)INT32_MAX + minus;
    const int64_t value = v > (uint64_t)most ? most : (int64_t)v;
    return (int32_t)(minus ? -value : value);
}

/* ---- reals ------------------------------------------------------------------------------------------- */

/* What isn't plain: long numbers, exponents, a sign or digits too many, decimal commas, words. */
static double odd_real(gani_cursor *c, char stop)
{
    const char *start = c->p;
    char plain[LVL_REAL_LONGEST];
    lvl_buffer written;
    size_t n = 0;
    double value = 0;

    for (const char *p = start; p < c->end && n < sizeof plain; p++)
        plain[n++] = *p == ',' && stop != ',' ? '.' : *p;
    const size_t used = lvl_real_prefix((lvl_text){plain, n}, &value);
    const bool any = used > 0, comma = used && memchr(start, ',', used);
    const char *p = start + used;
    if (value == 0 || !isfinite(value)) /* -0, for one */
        value = 0;
    const bool ends = ends_here(p, c->end, stop);
    c->p = p;
    skip_rest(c, stop);
    if (!any || !ends) {
        gani_ill(c);
        return value;
    }
    lvl_buffer_init(&written);
    gani_put_real(&written, value, 0);
    const size_t len = (size_t)(c->p - start);
    if (comma || written.status != LVL_OK || written.len != len || memcmp(written.data, start, len) != 0)
        gani_unfit(c);
    lvl_buffer_free(&written);
    return value;
}

double gani_real_here(gani_cursor *c, char stop)
{
    const char *p = c->p, *from, *point;
    const bool minus = p < c->end && *p == '-';
    int64_t v = 0;

    p += minus;
    for (from = p; p < c->end && lvl_is_digit(*p) && p - from <= EXACT_DIGITS; p++)
        v = v * 10 + (*p - '0');
    if (p == from || p - from > EXACT_DIGITS || (*from == '0' && p - from > 1))
        return odd_real(c, stop);
    if (ends_here(p, c->end, stop)) {
        if (minus && v == 0)
            return odd_real(c, stop);
        c->p = p;
        return (double)(minus ? -v : v);
    }
    if (*p != '.')
        return odd_real(c, stop);
    for (point = ++p; p < c->end && lvl_is_digit(*p) && p - from <= EXACT_DIGITS; p++)
        v = v * 10 + (*p - '0');
    /* the point counts among the digits here, which only makes us careful one digit early */
    if (p == point || p - from > EXACT_DIGITS || !ends_here(p, c->end, stop) || p[-1] == '0')
        return odd_real(c, stop);
    c->p = p;
    return (double)(minus ? -v : v) / powers[p - point];
}

/* ---- writing ----------------------------------------------------------------------------------------- */

static void pad(lvl_buffer *out, size_t len, size_t width)
{
    if (len < width)
        lvl_buffer_fill(out, ' ', width - len);
}

/* Puts blanks before what was written from `at` on. */
static void align(lvl_buffer *out, size_t at, size_t width)
{
    const size_t len = out->len - at;

    if (out->status != LVL_OK || len >= width)
        return;
    pad(out, len, width);
    if (out->status != LVL_OK)
        return;
    memmove(out->data + at + width - len, out->data + at, len);
    memset(out->data + at, ' ', width - len);
}

void gani_put_int(lvl_buffer *out, int64_t value, size_t width)
{
    const size_t at = out->len;

    lvl_put_int_word(out, value);
    align(out, at, width);
}

void gani_put_real(lvl_buffer *out, double value, size_t width)
{
    const size_t at = out->len;

    lvl_put_real_word(out, value);
    align(out, at, width);
}

void gani_put_text(lvl_buffer *out, lvl_text text, size_t width)
{
    pad(out, text.len, width);
    const size_t at = out->len;
    lvl_buffer_add(out, text.ptr, text.len);
    for (size_t i = at; i < out->len; i++) {
        if (out->data[i] == '\n')
            out->data[i] = ' ';
    }
}
