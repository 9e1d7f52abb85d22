/*
 * graal/nw_text.c: lines, words and numbers of text levels.
 */
#include "graal/nw_parts.h"

#include "codec/json.h"

#include <math.h>

enum { EXACT_DIGITS = 15 }; /* a decimal of so many digits is exact in a double, and so is its power of ten */

static const double powers[EXACT_DIGITS + 1] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

/* ---- lines ----------------------------------------------------------------------------------------------------------------------- */

bool lvl_nw_is_crlf(lvl_bytes file)
{
    const char *p = (const char *)file.ptr;
    const char *nl = file.len ? memchr(p, '\n', file.len) : NULL;
    bool others = false;

    if (!nl)
        return false;
    const char *end = p + file.len;
    const bool first = nl > p && nl[-1] == '\r';
    /* one look suffices for nearly all files: the second line ends as the first does */
    for (p = nl + 1; p < end && (nl = memchr(p, '\n', (size_t)(end - p))) != NULL; p = nl + 1) {
        if ((nl > p && nl[-1] == '\r') == first)
            return first;
        others = true;
    }
    return others ? !first : first;
}

bool lvl_nw_is_end(const lvl_nw_line *line, const char *word)
{
    size_t len = strlen(word), n = line->len;

    if (n < len || memcmp(line->ptr, word, len) != 0)
        return false;
    while (n > len && (line->ptr[n - 1] == ' ' || line->ptr[n - 1] == '\t' || line->ptr[n - 1] == '\r'))
        n--;
    return n == len;
}

/* ---- words ----------------------------------------------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

void lvl_nw_split(const char *line, size_t len, lvl_nw_words *out)
{
    const char *p = line, *end = line + len;

    out->count = 0;
    out->full = false;
    out->plain = true;
    for (;;) {
        const char *from = p;
        while (p < end && is_blank(*p))
            p++;
        /* exactly one blank, and only between words */
        if (p - from != (out->count && p < end) || (p > from && *from != ' '))
            out->plain = false;
        if (p == end)
            return;
        if (out->count == LVL_NW_WORDS) {
            out->word[LVL_NW_WORDS - 1].len = (size_t)(end - out->word[LVL_NW_WORDS - 1].ptr);
            out->full = true;
            return;
        }
        from = p;
        while (p < end && !is_blank(*p))
            p++;
        out->word[out->count].ptr = from;
        out->word[out->count++].len = (size_t)(p - from);
    }
}

/* ---- numbers --------------------------------------------------------------------------------------------------------------------- */

bool lvl_nw_int(lvl_text word, int32_t *out, bool *canonical)
{
    const char *p = word.ptr, *end = p + word.len;
    const bool negative = word.len && *p == '-';
    int64_t v = 0;

    if (negative || (word.len && *p == '+'))
        p++;
    const char *digits = p;
    for (; p < end && *p >= '0' && *p <= '9' && v <= INT32_MAX; p++)
        v = v * 10 + (*p - '0');
    if (digits == p || (*digits == '0' && (p - digits > 1 || negative)) || (word.len && *word.ptr == '+'))
        *canonical = false;
    bool fits = v <= INT32_MAX;
    v = fits ? v : INT32_MAX;
    *out = (int32_t)(negative ? -v : v);
    if (fits && p == end && p > digits)
        return true;
    *canonical = false;
    return false;
}

/* Any decimal; one that is too large counts as 0. */
static bool odd_real(lvl_text word, double *out)
{
    *out = 0;
    const bool whole = lvl_real_prefix(word, out) == word.len && word.len;
    if (!isfinite(*out))
        *out = *out < 0 ? -0.0 : 0;
    return whole;
}

bool lvl_nw_real(lvl_text word, double *out, bool *canonical)
{
    const char *p = word.ptr, *end = p + word.len;
    const bool negative = word.len && *p == '-';
    uint64_t v = 0;

    p += negative;
    const char *digits = p, *dot = NULL;
    for (; p < end; p++) {
        if (*p >= '0' && *p <= '9')
            v = v * 10 + (uint64_t)(*p - '0');
        else if (*p == '.' && !dot && p > digits)
            dot = p;
        else
            break;
        if (p - digits > EXACT_DIGITS)
            break;
    }
    if (p != end || p == digits || p - digits > EXACT_DIGITS || (dot && p == dot + 1)) {
        lvl_buffer back = {0};
        bool whole = odd_real(word, out);
        lvl_nw_put_real(&back, *out);
        if (back.status != LVL_OK || back.len != word.len || memcmp(back.data, word.ptr, word.len) != 0)
            *canonical = false;
        lvl_buffer_free(&back);
        return whole;
    }
    const size_t decimals = dot ? (size_t)(p - dot) - 1 : 0;
    *out = (double)v / powers[decimals];
    if (negative)
        *out = -*out;
    if ((*digits == '0' && p - digits > 1 && dot != digits + 1) || (dot && p[-1] == '0'))
        *canonical = false;
    return true;
}

void lvl_nw_put_int(lvl_buffer *out, int64_t value)
{
    char text[24], *p = text + sizeof text;
    uint64_t v = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    do {
        *--p = (char)('0' + v % 10);
        v /= 10;
    } while (v);
    if (value < 0)
        *--p = '-';
    lvl_buffer_add(out, p, (size_t)(text + sizeof text - p));
}

void lvl_nw_put_real(lvl_buffer *out, double value)
{
    const double size = fabs(value);

    for (unsigned k = 0; k <= EXACT_DIGITS; k++) {
        const double scaled = size * powers[k];
        if (!(scaled < 1e15))
            break;
        const uint64_t v = (uint64_t)(scaled + 0.5);
        if ((double)v / powers[k] != size)
            continue;
        char text[40], *p = text + sizeof text;
        uint64_t rest = v;
        for (unsigned i = 0; i < k || rest || i == k; i++) {
            if (i == k && k)
                *--p = '.';
            *--p = (char)('0' + rest % 10);
            rest /= 10;
        }
        if (signbit(value))
            *--p = '-';
        lvl_buffer_add(out, p, (size_t)(text + sizeof text - p));
        return;
    }
    const size_t at = out->len;
    lvl_json_real(out, value);
    /* a whole number needs no fraction here */
    if (out->status == LVL_OK && out->len > at + 2 && memcmp(out->data + out->len - 2, ".0", 2) == 0)
        out->len -= 2;
}
