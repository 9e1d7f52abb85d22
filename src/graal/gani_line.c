/*
 * graal/gani_line.c: numbers in the lines of an animation, in and out, whatever the locale.
 */
#include "graal/gani_line.h"

#include "codec/json.h"
#include "codec/words.h"

/* The word at the cursor, which moves behind it. */
static lvl_text take_word(gani_cursor *c, char stop)
{
    const char *from = c->p;

    while (c->p < c->end && !gani_blank(*c->p) && *c->p != stop)
        c->p++;
    return gani_text(from, c->p);
}

int32_t gani_odd_int(gani_cursor *c, char stop)
{
    bool odd = false;
    int32_t value;

    if (!lvl_word_int32(take_word(c, stop), &value, &odd))
        gani_ill(c);
    if (odd)
        gani_unfit(c);
    return value;
}

double gani_real_here(gani_cursor *c, char stop)
{
    lvl_text word = take_word(c, stop);
    char *comma = word.len ? memchr(word.ptr, ',', word.len) : NULL;
    char plain[LVL_REAL_LONGEST];
    bool odd = comma != NULL;
    double value;

    /* a decimal comma */
    if (comma && word.len < sizeof plain) {
        memcpy(plain, word.ptr, word.len);
        plain[comma - word.ptr] = '.';
        word.ptr = plain;
    }
    if (!lvl_word_real(word, &value, &odd))
        gani_ill(c);
    if (value == 0 && word.len && *word.ptr == '-') { /* -0 */
        value = 0;
        odd = true;
    }
    if (odd)
        gani_unfit(c);
    return value;
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
