/*
 * base/text.c: code pages, UTF-8, comparing texts.
 */
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes 0x80 to 0xFF of the code pages, by the WHATWG Encoding Standard. */
static const uint16_t upper_half[3][128] = {
    {
        0x20ac, 0x0081, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039,
        0x0152, 0x008d, 0x017d, 0x008f, 0x0090, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
        0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x009d, 0x017e, 0x0178, 0x00a0, 0x00a1, 0x00a2, 0x00a3,
        0x00a4, 0x00a5, 0x00a6, 0x00a7, 0x00a8, 0x00a9, 0x00aa, 0x00ab, 0x00ac, 0x00ad, 0x00ae, 0x00af,
        0x00b0, 0x00b1, 0x00b2, 0x00b3, 0x00b4, 0x00b5, 0x00b6, 0x00b7, 0x00b8, 0x00b9, 0x00ba, 0x00bb,
        0x00bc, 0x00bd, 0x00be, 0x00bf, 0x00c0, 0x00c1, 0x00c2, 0x00c3, 0x00c4, 0x00c5, 0x00c6, 0x00c7,
        0x00c8, 0x00c9, 0x00ca, 0x00cb, 0x00cc, 0x00cd, 0x00ce, 0x00cf, 0x00d0, 0x00d1, 0x00d2, 0x00d3,
        0x00d4, 0x00d5, 0x00d6, 0x00d7, 0x00d8, 0x00d9, 0x00da, 0x00db, 0x00dc, 0x00dd, 0x00de, 0x00df,
        0x00e0, 0x00e1, 0x00e2, 0x00e3, 0x00e4, 0x00e5, 0x00e6, 0x00e7, 0x00e8, 0x00e9, 0x00ea, 0x00eb,
        0x00ec, 0x00ed, 0x00ee, 0x00ef, 0x00f0, 0x00f1, 0x00f2, 0x00f3, 0x00f4, 0x00f5, 0x00f6, 0x00f7,
        0x00f8, 0x00f9, 0x00fa, 0x00fb, 0x00fc, 0x00fd, 0x00fe, 0x00ff,
    },
    {
        0x20ac, 0x0081, 0x201a, 0x0083, 0x201e, 0x2026, 0x2020, 0x2021, 0x0088, 0x2030, 0x0160, 0x2039,
        0x015a, 0x0164, 0x017d, 0x0179, 0x0090, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
        0x0098, 0x2122, 0x0161, 0x203a, 0x015b, 0x0165, 0x017e, 0x017a, 0x00a0, 0x02c7, 0x02d8, 0x0141,
        0x00a4, 0x0104, 0x00a6, 0x00a7, 0x00a8, 0x00a9, 0x015e, 0x00ab, 0x00ac, 0x00ad, 0x00ae, 0x017b,
        0x00b0, 0x00b1, 0x02db, 0x0142, 0x00b4, 0x00b5, 0x00b6, 0x00b7, 0x00b8, 0x0105, 0x015f, 0x00bb,
        0x013d, 0x02dd, 0x013e, 0x017c, 0x0154, 0x00c1, 0x00c2, 0x0102, 0x00c4, 0x0139, 0x0106, 0x00c7,
        0x010c, 0x00c9, 0x0118, 0x00cb, 0x011a, 0x00cd, 0x00ce, 0x010e, 0x0110, 0x0143, 0x0147, 0x00d3,
        0x00d4, 0x0150, 0x00d6, 0x00d7, 0x0158, 0x016e, 0x00da, 0x0170, 0x00dc, 0x00dd, 0x0162, 0x00df,
        0x0155, 0x00e1, 0x00e2, 0x0103, 0x00e4, 0x013a, 0x0107, 0x00e7, 0x010d, 0x00e9, 0x0119, 0x00eb,
        0x011b, 0x00ed, 0x00ee, 0x010f, 0x0111, 0x0144, 0x0148, 0x00f3, 0x00f4, 0x0151, 0x00f6, 0x00f7,
        0x0159, 0x016f, 0x00fa, 0x0171, 0x00fc, 0x00fd, 0x0163, 0x02d9,
    },
    {
        0x0402, 0x0403, 0x201a, 0x0453, 0x201e, 0x2026, 0x2020, 0x2021, 0x20ac, 0x2030, 0x0409, 0x2039,
        0x040a, 0x040c, 0x040b, 0x040f, 0x0452, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
        0x0098, 0x2122, 0x0459, 0x203a, 0x045a, 0x045c, 0x045b, 0x045f, 0x00a0, 0x040e, 0x045e, 0x0408,
        0x00a4, 0x0490, 0x00a6, 0x00a7, 0x0401, 0x00a9, 0x0404, 0x00ab, 0x00ac, 0x00ad, 0x00ae, 0x0407,
        0x00b0, 0x00b1, 0x0406, 0x0456, 0x0491, 0x00b5, 0x00b6, 0x00b7, 0x0451, 0x2116, 0x0454, 0x00bb,
        0x0458, 0x0405, 0x0455, 0x0457, 0x0410, 0x0411, 0x0412, 0x0413, 0x0414, 0x0415, 0x0416, 0x0417,
        0x0418, 0x0419, 0x041a, 0x041b, 0x041c, 0x041d, 0x041e, 0x041f, 0x0420, 0x0421, 0x0422, 0x0423,
        0x0424, 0x0425, 0x0426, 0x0427, 0x0428, 0x0429, 0x042a, 0x042b, 0x042c, 0x042d, 0x042e, 0x042f,
        0x0430, 0x0431, 0x0432, 0x0433, 0x0434, 0x0435, 0x0436, 0x0437, 0x0438, 0x0439, 0x043a, 0x043b,
        0x043c, 0x043d, 0x043e, 0x043f, 0x0440, 0x0441, 0x0442, 0x0443, 0x0444, 0x0445, 0x0446, 0x0447,
        0x0448, 0x0449, 0x044a, 0x044b, 0x044c, 0x044d, 0x044e, 0x044f,
    },
};

static uint32_t code_point(lvl_codepage page, uint8_t byte)
{
    return byte < 128 ? byte : upper_half[page][byte - 128];
}

size_t lvl_utf8_put(char out[4], uint32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xC0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xE0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3F));
        out[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3F));
    out[2] = (char)(0x80 | (c >> 6 & 0x3F));
    out[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}

/* Decodes one character; returns its length, 0 if it is invalid (overlong, surrogate, truncated). */
static size_t utf8_get(const char *s, size_t len, uint32_t *out)
{
    const uint8_t *p = (const uint8_t *)s;
    size_t n;
    uint32_t c, least;

    if (!len)
        return 0;
    if (p[0] < 0x80) {
        *out = p[0];
        return 1;
    }
    if (p[0] >= 0xC2 && p[0] < 0xE0) {
        n = 2;
        c = p[0] & 0x1Fu;
        least = 0x80;
    } else if (p[0] >= 0xE0 && p[0] < 0xF0) {
        n = 3;
        c = p[0] & 0x0Fu;
        least = 0x800;
    } else if (p[0] >= 0xF0 && p[0] < 0xF5) {
        n = 4;
        c = p[0] & 0x07u;
        least = 0x10000;
    } else {
        return 0;
    }
    if (n > len)
        return 0;
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xC0) != 0x80)
            return 0;
        c = c << 6 | (p[i] & 0x3Fu);
    }
    if (c < least || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
        return 0;
    *out = c;
    return n;
}

bool lvl_utf8_valid(lvl_text text)
{
    uint32_t c;

    for (size_t i = 0; i < text.len;) {
        size_t n = utf8_get(text.ptr + i, text.len - i, &c);
        if (!n)
            return false;
        i += n;
    }
    return true;
}

/* No UTF-8 character is longer than 4 bytes, so invalid text is cut anywhere. */
lvl_text lvl_text_cut(lvl_text utf8, size_t most)
{
    size_t len = most;

    if (utf8.len <= most)
        return utf8;
    while (len && most - len < 4 && ((uint8_t)utf8.ptr[len] & 0xC0) == 0x80)
        len--;
    return (lvl_text){utf8.ptr, most - len < 4 ? len : most};
}

void lvl_text_to_utf8(lvl_buffer *out, lvl_codepage page, lvl_text text)
{
    char u[4];
    size_t plain = 0;

    for (size_t i = 0; i < text.len;) {
        size_t n = 1;
        uint32_t c = (uint8_t)text.ptr[i];
        if (c < 0x80) { /* runs of ASCII are appended as a whole */
            i++;
            continue;
        }
        lvl_buffer_add(out, text.ptr + plain, i - plain);
        if (page != LVL_CP_UTF8) {
            c = code_point(page, (uint8_t)c);
        } else {
            n = utf8_get(text.ptr + i, text.len - i, &c);
            if (!n) {
                n = 1;
                c = 0xFFFD;
            }
        }
        lvl_buffer_add(out, u, lvl_utf8_put(u, c));
        i += n;
        plain = i;
    }
    if (plain < text.len)
        lvl_buffer_add(out, text.ptr + plain, text.len - plain);
}

/* Whether a character could control a terminal (controls), or hide or reorder the text beside it
 * (bidirectional controls, line separators). */
static bool is_unsafe(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || c == 0x200E || c == 0x200F ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

/* Writes one character, escaped if it is unsafe, to `u`; returns the length written and moves *at past it. */
static size_t show_one(char u[8], lvl_codepage page, lvl_text text, size_t *at)
{
    const uint8_t byte = (uint8_t)text.ptr[*at];
    uint32_t c = byte;
    size_t n = 1;

    if (page == LVL_CP_UTF8)
        n = utf8_get(text.ptr + *at, text.len - *at, &c);
    else if (byte >= 0x80)
        c = code_point(page, byte);
    *at += n ? n : 1;
    if (!n || is_unsafe(c)) /* an invalid sequence is shown byte by byte */
        return (size_t)(c < 0x100 ? snprintf(u, 8, "\\x%02x", (unsigned)(c & 0xFF))
                                  : snprintf(u, 8, "\\u%04x", (unsigned)(c & 0xFFFF)));
    return lvl_utf8_put(u, c);
}

const char *lvl_text_show(char *buf, size_t size, lvl_codepage page, lvl_text text)
{
    size_t at = 0;

    for (size_t i = 0; i < text.len;) {
        char u[8];
        const size_t len = show_one(u, page, text, &i);
        if (at + len + 1 > size)
            break;
        memcpy(buf + at, u, len);
        at += len;
    }
    if (size)
        buf[at] = 0;
    return buf;
}

void lvl_text_markup(lvl_buffer *out, lvl_text text, bool attribute)
{
    size_t from = 0;

    if (!text.len)
        return;
    for (size_t i = 0; i < text.len; i++) {
        const char *as = NULL;
        switch (text.ptr[i]) {
        case '<': as = "&lt;"; break;
        case '>': as = "&gt;"; break;
        case '&': as = "&amp;"; break;
        case '"': as = "&quot;"; break;
        case '\t': as = attribute ? "&#9;" : NULL; break;
        case '\n': as = attribute ? "&#10;" : NULL; break;
        case '\r': as = attribute ? "&#13;" : NULL; break;
        default: break;
        }
        if (!as)
            continue;
        lvl_buffer_add(out, text.ptr + from, i - from);
        lvl_buffer_str(out, as);
        from = i + 1;
    }
    lvl_buffer_add(out, text.ptr + from, text.len - from);
}

void lvl_text_escape(lvl_buffer *out, lvl_codepage page, lvl_text text, bool lines)
{
    for (size_t i = 0; i < text.len;) {
        size_t plain = i;
        char u[8];
        while (i < text.len && ((text.ptr[i] >= 0x20 && text.ptr[i] < 0x7F) ||
                                (lines && (text.ptr[i] == '\n' || text.ptr[i] == '\t'))))
            i++;
        if (i > plain) {
            lvl_buffer_add(out, text.ptr + plain, i - plain);
            continue;
        }
        const size_t len = show_one(u, page, text, &i);
        lvl_buffer_add(out, u, len);
    }
}

bool lvl_text_from_utf8(lvl_buffer *out, lvl_codepage page, lvl_text utf8, uint32_t *bad)
{
    for (size_t i = 0; i < utf8.len;) {
        uint32_t c;
        size_t n = utf8_get(utf8.ptr + i, utf8.len - i, &c);
        if (!n) {
            *bad = 0xFFFD;
            return false;
        }
        if (page == LVL_CP_UTF8) {
            lvl_buffer_add(out, utf8.ptr + i, n);
        } else if (c < 0x80) {
            lvl_buffer_u8(out, (uint8_t)c);
        } else {
            int b = 0;
            while (b < 128 && upper_half[page][b] != c)
                b++;
            if (b == 128) {
                *bad = c;
                return false;
            }
            lvl_buffer_u8(out, (uint8_t)(b + 128));
        }
        i += n;
    }
    return true;
}

lvl_text lvl_text_of(const char *str)
{
    lvl_text t = {str, str ? strlen(str) : 0};
    return t;
}

lvl_text lvl_text_slot(const char *slot, size_t size)
{
    lvl_text t = {slot, size};
    while (t.len && slot[t.len - 1] == 0)
        t.len--;
    return t;
}

int lvl_text_compare(lvl_text a, lvl_text b)
{
    const size_t n = a.len < b.len ? a.len : b.len;
    const int d = n ? memcmp(a.ptr, b.ptr, n) : 0;

    return d ? d : (a.len > b.len) - (a.len < b.len);
}

bool lvl_text_equal(lvl_text a, lvl_text b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

bool lvl_text_is(lvl_text a, const char *str)
{
    return lvl_text_equal(a, lvl_text_of(str));
}

lvl_text lvl_text_take_line(lvl_text *text)
{
    const char *nl = text->len ? memchr(text->ptr, '\n', text->len) : NULL;
    const lvl_text line = {text->ptr, nl ? (size_t)(nl - text->ptr) : text->len};

    text->ptr += line.len + (nl != NULL);
    text->len -= line.len + (nl != NULL);
    return line;
}

bool lvl_text_begins(lvl_text text, const char *with)
{
    const size_t n = strlen(with);

    return text.len >= n && (!n || memcmp(text.ptr, with, n) == 0);
}

bool lvl_text_begins_nocase(lvl_text text, const char *with)
{
    const size_t n = strlen(with);

    return text.len >= n && lvl_text_equal_nocase((lvl_text){text.ptr, n}, (lvl_text){with, n});
}

bool lvl_text_has_ending(lvl_text name, const char *ending)
{
    const size_t n = strlen(ending);

    return name.len > n &&
           lvl_text_equal_nocase((lvl_text){name.ptr + name.len - n, n}, (lvl_text){ending, n});
}

int lvl_sort_key_order(const void *a, const void *b)
{
    const lvl_sort_key *x = a, *y = b;
    const int d = lvl_text_compare(x->name, y->name);

    return d ? d : (x->index > y->index) - (x->index < y->index);
}

int lvl_text_compare_nocase(lvl_text a, lvl_text b)
{
    const size_t n = a.len < b.len ? a.len : b.len;

    for (size_t i = 0; i < n; i++) {
        const int d = (uint8_t)lvl_lower(a.ptr[i]) - (uint8_t)lvl_lower(b.ptr[i]);
        if (d)
            return d;
    }
    return (a.len > b.len) - (a.len < b.len);
}

int lvl_text_compare_natural(lvl_text a, lvl_text b)
{
    size_t i = 0, k = 0;

    while (i < a.len && k < b.len) {
        if (lvl_is_digit(a.ptr[i]) && lvl_is_digit(b.ptr[k])) {
            while (i < a.len && a.ptr[i] == '0')
                i++;
            while (k < b.len && b.ptr[k] == '0')
                k++;
            size_t m = i, n = k;
            while (m < a.len && lvl_is_digit(a.ptr[m]))
                m++;
            while (n < b.len && lvl_is_digit(b.ptr[n]))
                n++;
            if (m - i != n - k)
                return m - i < n - k ? -1 : 1;
            const int d = m > i ? memcmp(a.ptr + i, b.ptr + k, m - i) : 0;
            if (d)
                return d;
            i = m;
            k = n;
            continue;
        }
        const unsigned char x = (unsigned char)lvl_lower(a.ptr[i++]),
                            y = (unsigned char)lvl_lower(b.ptr[k++]);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return (i < a.len) - (k < b.len);
}

bool lvl_text_equal_nocase(lvl_text a, lvl_text b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++) {
        if (lvl_lower(a.ptr[i]) != lvl_lower(b.ptr[i]))
            return false;
    }
    return true;
}

unsigned lvl_text_distance(lvl_text a, lvl_text b, unsigned max)
{
    enum { MAX_WORD = 64 };
    unsigned rows[3][MAX_WORD + 1];
    size_t diff = a.len > b.len ? a.len - b.len : b.len - a.len;

    if (diff > max || a.len > MAX_WORD || b.len > MAX_WORD)
        return max + 1;
    for (size_t j = 0; j <= b.len; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= a.len; i++) {
        unsigned *now = rows[i % 3], *before = rows[(i + 2) % 3], *older = rows[(i + 1) % 3];
        unsigned least;
        now[0] = least = (unsigned)i;
        for (size_t j = 1; j <= b.len; j++) {
            char x = lvl_lower(a.ptr[i - 1]), y = lvl_lower(b.ptr[j - 1]);
            unsigned v = before[j - 1] + (x != y);
            if (before[j] + 1 < v)
                v = before[j] + 1;
            if (now[j - 1] + 1 < v)
                v = now[j - 1] + 1;
            if (i > 1 && j > 1 && x == lvl_lower(b.ptr[j - 2]) && lvl_lower(a.ptr[i - 2]) == y &&
                older[j - 2] + 1 < v)
                v = older[j - 2] + 1;
            now[j] = v;
            if (v < least)
                least = v;
        }
        if (least > max)
            return max + 1;
    }
    return rows[a.len % 3][b.len];
}

/* ---- values that people type ------------------------------------------------------------------------ */

bool lvl_text_next_item(const char **list, char separator, lvl_text *item)
{
    const char stops[] = {separator, 0};

    if (!*list || !**list)
        return false;
    const size_t len = strcspn(*list, stops);
    item->ptr = *list;
    item->len = len;
    *list += len + ((*list)[len] == separator);
    return true;
}

bool lvl_text_list_has(const char *list, char separator, lvl_text item)
{
    lvl_text one;

    while (lvl_text_next_item(&list, separator, &one)) {
        if (lvl_text_equal_nocase(one, item))
            return true;
    }
    return false;
}

bool lvl_text_numbers(const char *text, const char *separators, int32_t *out, size_t count)
{
    const char *p = text;

    for (size_t i = 0; i < count; i++) {
        bool negative = *p == '-';
        int64_t n = 0;
        p += negative;
        const char *start = p;
        for (; *p >= '0' && *p <= '9' && n < INT32_MAX; p++)
            n = n * 10 + (*p - '0');
        if (p == start || n > INT32_MAX)
            return false;
        out[i] = (int32_t)(negative ? -n : n);
        if (i + 1 < count && (!*p || !strchr(separators, *p++)))
            return false;
    }
    return !*p;
}

bool lvl_text_size(const char *text, uint32_t *width, uint32_t *height)
{
    int32_t n[2];

    if (!lvl_text_numbers(text, "x", n, 2) || n[0] < 1 || n[1] < 1)
        return false;
    *width = (uint32_t)n[0];
    *height = (uint32_t)n[1];
    return true;
}

bool lvl_text_scale(const char *text, uint32_t *up, uint32_t *down)
{
    const bool shrink = strncmp(text, "1/", 2) == 0;
    int32_t n;

    if (!lvl_text_numbers(text + (shrink ? 2 : 0), "", &n, 1) || n < 1 || n > 0x10000)
        return false;
    *(shrink ? down : up) = (uint32_t)n;
    return true;
}
