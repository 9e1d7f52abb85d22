/*
 * codec/tokens.c: a pull tokenizer for JSON; see tokens.h.
 */
#include "codec/tokens.h"

#include "base/cursor.h"
#include "base/text.h"

#include <string.h>

void lvl_tokens_init(lvl_tokens *t, lvl_text text, uint32_t most)
{
    memset(t, 0, sizeof *t);
    t->start = t->p = text.ptr ? text.ptr : "";
    t->end = t->start + text.len;
    t->most = most && most < LVL_TOKENS_DEPTH ? most : LVL_TOKENS_DEPTH;
    t->expect = LVL_WANT_VALUE;
}

static lvl_token fail(lvl_tokens *t, const char *at, const char *why)
{
    const lvl_token token = {LVL_TOKEN_ERROR, {NULL, 0}, false, (size_t)(at - t->start)};

    if (t->expect != LVL_WANT_NOTHING) {
        t->error = why;
        t->at = (size_t)(at - t->start);
    }
    t->expect = LVL_WANT_NOTHING;
    return token;
}

static const char *skip_space(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'))
        p++;
    return p;
}

static bool is_hex(char c)
{
    return lvl_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* From the first character after the opening quote to the one after the closing quote; NULL: it does not
 * close, or has invalid characters. */
static const char *string_end(const char *p, const char *end, bool *escaped, const char **why)
{
    *why = "unterminated string";
    while (p < end) {
        const uint8_t c = (uint8_t)*p++;
        if (c == '"')
            return p;
        if (c < 0x20) {
            *why = "control character in a string";
            return NULL;
        }
        if (c != '\\')
            continue;
        *escaped = true;
        if (p == end)
            return NULL;
        const char e = *p++;
        if (e == 'u') {
            for (int i = 0; i < 4; i++, p++) {
                if (p == end || !is_hex(*p)) {
                    *why = "invalid escape in a string";
                    return NULL;
                }
            }
        } else if (!e || !strchr("\"\\/bfnrt", e)) {
            *why = "invalid escape in a string";
            return NULL;
        }
    }
    return NULL;
}

static const char *digits_end(const char *p, const char *end)
{
    while (p < end && lvl_is_digit(*p))
        p++;
    return p;
}

/* NULL: no number, or one that has a point or an exponent without digits. */
static const char *number_end(const char *p, const char *end)
{
    if (p < end && *p == '-')
        p++;
    const char *digits = p;
    p = p < end && *p == '0' ? p + 1 : digits_end(p, end);
    if (p > digits && p < end && *p == '.') {
        digits = p + 1;
        p = digits_end(digits, end);
    }
    if (p > digits && p < end && (*p == 'e' || *p == 'E')) {
        digits = p + 1;
        if (digits < end && (*digits == '+' || *digits == '-'))
            digits++;
        p = digits_end(digits, end);
    }
    return p > digits ? p : NULL;
}

static lvl_token make_token(lvl_tokens *t, lvl_token_kind kind, const char *from, const char *to)
{
    const lvl_token token = {kind, {from, (size_t)(to - from)}, false, (size_t)(from - t->start)};

    t->p = to;
    return token;
}

static lvl_token open(lvl_tokens *t, const char *p, bool array)
{
    if (t->depth >= t->most)
        return fail(t, p, "nested too deeply");
    const uint64_t bit = UINT64_C(1) << t->depth % 64;
    if (array)
        t->arrays[t->depth / 64] |= bit;
    else
        t->arrays[t->depth / 64] &= ~bit;
    t->depth++;
    t->expect = array ? LVL_WANT_FIRST_VALUE : LVL_WANT_FIRST_KEY;
    return make_token(t, array ? LVL_TOKEN_ARRAY : LVL_TOKEN_OBJECT, p, p + 1);
}

static void value_done(lvl_tokens *t)
{
    t->expect = t->depth ? LVL_WANT_COMMA : LVL_WANT_END;
}

static lvl_token close_container(lvl_tokens *t, const char *p)
{
    const bool array = lvl_tokens_in_array(t);

    t->depth--;
    value_done(t);
    return make_token(t, array ? LVL_TOKEN_ARRAY_END : LVL_TOKEN_OBJECT_END, p, p + 1);
}

static lvl_token read_string(lvl_tokens *t, const char *p, lvl_token_kind kind)
{
    const char *why;
    bool escaped = false;
    const char *end = string_end(p + 1, t->end, &escaped, &why);

    if (!end)
        return fail(t, p, why);
    lvl_token token = {kind, {p + 1, (size_t)(end - p) - 2}, escaped, (size_t)(p - t->start)};
    t->p = end;
    if (kind == LVL_TOKEN_KEY)
        t->expect = LVL_WANT_COLON;
    else
        value_done(t);
    return token;
}

static lvl_token read_word(lvl_tokens *t, const char *p, const char *text, lvl_token_kind kind)
{
    const size_t n = strlen(text);

    if ((size_t)(t->end - p) < n || memcmp(p, text, n) != 0)
        return fail(t, p, "expected a value");
    value_done(t);
    return make_token(t, kind, p, p + n);
}

static lvl_token read_value(lvl_tokens *t, const char *p)
{
    switch (*p) {
    case '{': return open(t, p, false);
    case '[': return open(t, p, true);
    case '"': return read_string(t, p, LVL_TOKEN_STRING);
    case 't': return read_word(t, p, "true", LVL_TOKEN_TRUE);
    case 'f': return read_word(t, p, "false", LVL_TOKEN_FALSE);
    case 'n': return read_word(t, p, "null", LVL_TOKEN_NULL);
    default: break;
    }
    const char *end = number_end(p, t->end);
    if (!end)
        return fail(t, p, "expected a value");
    value_done(t);
    return make_token(t, LVL_TOKEN_NUMBER, p, end);
}

bool lvl_tokens_accept_separator(lvl_tokens *t)
{
    const char *p = skip_space(t->p, t->end);

    if (p == t->end)
        return false;
    if (t->expect == LVL_WANT_COMMA && *p == ',')
        t->expect = lvl_tokens_in_array(t) ? LVL_WANT_VALUE : LVL_WANT_KEY;
    else if (t->expect == LVL_WANT_COLON && *p == ':')
        t->expect = LVL_WANT_VALUE;
    else
        return false;
    t->p = p + 1;
    return true;
}

lvl_token lvl_tokens_next(lvl_tokens *t)
{
    const char *p = skip_space(t->p, t->end);

    if (t->expect == LVL_WANT_NOTHING)
        return fail(t, p, NULL);
    if (t->expect == LVL_WANT_END)
        return p == t->end ? make_token(t, LVL_TOKEN_END, p, p)
                           : fail(t, p, "unexpected text after the value");
    if (p < t->end && t->expect == LVL_WANT_COMMA && *p == (lvl_tokens_in_array(t) ? ']' : '}'))
        return close_container(t, p);
    if (lvl_tokens_accept_separator(t))
        p = skip_space(t->p, t->end);
    else if (p < t->end && t->expect == LVL_WANT_COMMA)
        return fail(t, p, "expected a comma or a closing bracket");
    else if (p < t->end && t->expect == LVL_WANT_COLON)
        return fail(t, p, "expected a colon after a key");
    if (p == t->end)
        return fail(t, p, "unexpected end inside a value");
    if (t->expect == LVL_WANT_FIRST_KEY && *p == '}')
        return close_container(t, p);
    if (t->expect == LVL_WANT_FIRST_VALUE && *p == ']')
        return close_container(t, p);
    if (t->expect == LVL_WANT_KEY || t->expect == LVL_WANT_FIRST_KEY)
        return *p == '"' ? read_string(t, p, LVL_TOKEN_KEY) : fail(t, p, "expected a key");
    return read_value(t, p);
}

/* ---- skipping ---------------------------------------------------------------------------------------- */

/* The top bit of each byte that isn't one of , - . / 0 … 9, and of no other. */
static inline uint64_t unlike_pixel(uint64_t w)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), low = w & ones * 0x7F;

    return (w | (low + ones * (0x80 - 0x3A)) | ~(low + ones * (0x80 - 0x2C))) & ones * 0x80;
}

/* From the quote of a member on: skips all of the form "x,y":index, to the quote of the first that is not, or
 * is too near the end. The end of each is predicted from the previous one, so that the processor can begin
 * the next one early. */
static const char *past_pixels(const char *p, const char *end)
{
    uint64_t last = 0;
    size_t n = 0;

    while (end - p >= 64 && *p == '"') {
        const char *q = p + 1;
        uint64_t stops = unlike_pixel(lvl_load_u64le((const uint8_t *)q));
        while (!stops && end - q >= 64)
            stops = unlike_pixel(lvl_load_u64le((const uint8_t *)(q += 8)));
        if (!stops)
            return p;
        stops &= 0 - stops;
        if (stops != last) {
            last = stops;
            n = lvl_lowest_bit(stops) / 8;
        }
        q += n;
        if (q[0] != '"' || q[1] != ':' || !lvl_is_digit(q[2]) || (q[2] == '0' && lvl_is_digit(q[3])))
            return p;
        q += 3;
        if (*q != ',') {
            for (size_t i = 0; i < 18 && lvl_is_digit(*q); i++)
                q++;
            if (*q != ',')
                return p;
        }
        p = q + 1;
    }
    return p;
}

/* Where members of an object are next: skips as many of the form "12,-3":45 as it can, perhaps none, at the
 * speed of a scan. */
static void skip_pairs(lvl_tokens *t)
{
    const char *p = t->p;

    if (t->expect == LVL_WANT_COMMA && !lvl_tokens_in_array(t) && p < t->end && *p == ',')
        p++;
    else if (t->expect != LVL_WANT_FIRST_KEY)
        return;
    const char *to = past_pixels(p, t->end);
    if (to == p)
        return;
    t->p = to;
    t->expect = LVL_WANT_KEY;
}

lvl_text lvl_tokens_skip(lvl_tokens *t, const lvl_token *first)
{
    const uint32_t depth = t->depth;
    const lvl_text none = {NULL, 0};

    if (first->kind == LVL_TOKEN_OBJECT || first->kind == LVL_TOKEN_ARRAY) {
        lvl_token token;
        do {
            skip_pairs(t);
            token = lvl_tokens_next(t);
            if (token.kind == LVL_TOKEN_ERROR)
                return none;
        } while (t->depth >= depth);
    }
    return t->expect == LVL_WANT_NOTHING
               ? none
               : (lvl_text){t->start + first->at, (size_t)(t->p - t->start) - first->at};
}

bool lvl_tokens_whole(lvl_text text, size_t *end)
{
    lvl_tokens t;

    lvl_tokens_init(&t, text, LVL_TOKENS_DEPTH);
    const lvl_token first = lvl_tokens_next(&t);
    const bool whole = lvl_tokens_skip(&t, &first).ptr != NULL;
    *end = lvl_tokens_offset(&t);
    return whole;
}

/* ---- strings and numbers ----------------------------------------------------------------------------- */

static unsigned hex4(const char *p)
{
    unsigned v = 0;

    for (int i = 0; i < 4; i++) {
        const char c = p[i];
        v = v << 4 | (unsigned)(lvl_is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return v;
}

static void put_utf8(lvl_buffer *out, uint32_t c)
{
    static const uint8_t lead[] = {0, 0xC0, 0xE0, 0xF0};
    unsigned more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;

    lvl_buffer_u8(out, (uint8_t)(lead[more] | c >> 6 * more));
    while (more-- > 0)
        lvl_buffer_u8(out, (uint8_t)(0x80 | (c >> 6 * more & 0x3F)));
}

void lvl_token_unescape(lvl_buffer *out, lvl_text spelled)
{
    static const char letters[] = "bfnrt", controls[] = "\b\f\n\r\t";

    if (!spelled.len)
        return;
    for (const char *p = spelled.ptr, *end = p + spelled.len; p < end;) {
        const char *back = memchr(p, '\\', (size_t)(end - p));
        if (!back || end - back < 2) {
            lvl_buffer_add(out, p, (size_t)(end - p));
            return;
        }
        lvl_buffer_add(out, p, (size_t)(back - p));
        p = back + 2;
        if (back[1] != 'u') {
            const char *letter = back[1] ? strchr(letters, back[1]) : NULL;
            lvl_buffer_u8(out, (uint8_t)(letter ? controls[letter - letters] : back[1]));
            continue;
        }
        if (end - p < 4)
            return;
        uint32_t c = hex4(p);
        p += 4;
        if (c >= 0xD800 && c < 0xDC00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u') {
            const uint32_t low = hex4(p + 2);
            if (low >= 0xDC00 && low < 0xE000) {
                c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
                p += 6;
            }
        }
        put_utf8(out, c >= 0xD800 && c < 0xE000 ? 0xFFFD : c);
    }
}

static bool token_equals(const lvl_token *token, lvl_text text, bool (*equal)(lvl_text a, lvl_text b))
{
    if (!token->escaped)
        return equal(token->text, text);
    lvl_buffer plain = {0};
    lvl_token_unescape(&plain, token->text);
    const bool same = plain.status == LVL_OK && equal((lvl_text){(const char *)plain.data, plain.len}, text);
    lvl_buffer_free(&plain);
    return same;
}

bool lvl_token_is(const lvl_token *token, const char *text)
{
    return token_equals(token, lvl_text_of(text), lvl_text_equal);
}

bool lvl_token_is_nocase(const lvl_token *token, const char *text)
{
    return token_equals(token, lvl_text_of(text), lvl_text_equal_nocase);
}

bool lvl_token_int(const lvl_token *token, int64_t *value)
{
    const lvl_text text = token->text;
    const bool negative = text.len && *text.ptr == '-';
    uint64_t v = 0;

    if (token->kind != LVL_TOKEN_NUMBER || text.len == negative)
        return false;
    for (size_t i = negative; i < text.len; i++) {
        const unsigned d = (unsigned)(text.ptr[i] - '0');
        if (!lvl_is_digit(text.ptr[i]) || v > (UINT64_MAX - d) / 10)
            return false;
        v = v * 10 + d;
    }
    if (v > (uint64_t)INT64_MAX + negative)
        return false;
    *value = negative ? (int64_t)(0 - v) : (int64_t)v;
    return true;
}

void lvl_token_quote(lvl_buffer *out, lvl_text text)
{
    static const char controls[] = "\n\r\t\"\\", letters[] = "nrt\"\\";
    const uint8_t *p = (const uint8_t *)(text.ptr ? text.ptr : ""), *end = p + text.len, *from = p;

    lvl_buffer_u8(out, '"');
    while (p < end) {
        const uint8_t c = *p;
        const bool separator = c == 0xE2 && end - p > 2 && p[1] == 0x80 && (p[2] == 0xA8 || p[2] == 0xA9);
        /* broken UTF-8 is kept: Go reads U+FFFD, other readers may know the encoding */
        if (!separator && c >= 0x20 && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&') {
            p++;
            continue;
        }
        const char *letter = c ? strchr(controls, c) : NULL;
        lvl_buffer_add(out, from, (size_t)(p - from));
        if (letter)
            lvl_buffer_printf(out, "\\%c", letters[letter - controls]);
        else
            lvl_buffer_printf(out, "\\u%04x", separator ? 0x2000u | (p[2] & 0x3F) : c);
        p += separator ? 3 : 1;
        from = p;
    }
    lvl_buffer_add(out, from, (size_t)(p - from));
    lvl_buffer_u8(out, '"');
}
