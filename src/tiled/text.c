/*
 * tiled/text.c: text that survives XML and Tiled.
 *
 * XML has no control characters, and Tiled drops them: they become control pictures (U+2400 + n, DEL U+2421).
 * Tabs and line feeds stay, except in a text that consists only of blanks, which Tiled would lose. Control
 * pictures in the document, U+FFFE and U+FFFF become U+241B, their number in hexadecimal, and ';'.
 */
#include "base/buffer.h"
#include "base/text.h"
#include "tiled/mapping.h"

enum { PICTURES = 0x2400, ESCAPE = 0x241B, DELETE = 0x2421, PICTURES_END = 0x2422 };

static bool is_plain(lvl_text text)
{
    bool blank = true, lines = false;

    for (size_t i = 0; i < text.len; i++) {
        const uint8_t c = (uint8_t)text.ptr[i];
        if (c >= 0x7F || (c < 0x20 && c != '\t' && c != '\n'))
            return false;
        blank = blank && (c == ' ' || c == '\t' || c == '\n');
        lines = lines || c == '\n';
    }
    return !blank || !lines;
}

/* UTF-8 of a code point of three bytes. */
static void add_picture(lvl_buffer *out, uint32_t code)
{
    lvl_buffer_u8(out, (uint8_t)(0xE0 | code >> 12));
    lvl_buffer_u8(out, (uint8_t)(0x80 | (code >> 6 & 0x3F)));
    lvl_buffer_u8(out, (uint8_t)(0x80 | (code & 0x3F)));
}

/* The code point of a sequence of three bytes at `p`; 0: there is no such sequence. */
static uint32_t three_bytes(const uint8_t *p, size_t left)
{
    if (left < 3 || (p[0] & 0xF0) != 0xE0 || (p[1] & 0xC0) != 0x80 || (p[2] & 0xC0) != 0x80)
        return 0;
    return (uint32_t)(p[0] & 0x0F) << 12 | (uint32_t)(p[1] & 0x3F) << 6 | (uint32_t)(p[2] & 0x3F);
}

static void put_shown(lvl_buffer *out, lvl_text utf8)
{
    const uint8_t *p = (const uint8_t *)utf8.ptr;
    bool blank = true;

    for (size_t i = 0; i < utf8.len && blank; i++)
        blank = p[i] == ' ' || p[i] == '\t' || p[i] == '\n';
    for (size_t i = 0; i < utf8.len; i++) {
        const uint32_t code = three_bytes(p + i, utf8.len - i);
        if (p[i] == 0x7F) {
            add_picture(out, DELETE);
        } else if (p[i] < 0x20 && ((p[i] != '\t' && p[i] != '\n') || blank)) {
            add_picture(out, PICTURES + p[i]);
        } else if ((code >= PICTURES && code < PICTURES_END) || code == 0xFFFE || code == 0xFFFF) {
            add_picture(out, ESCAPE);
            lvl_buffer_printf(out, "%lX;", (unsigned long)code);
            i += 2;
        } else {
            lvl_buffer_u8(out, p[i]);
        }
    }
}

lvl_text tiled_show_text(lvl_arena *arena, lvl_codepage page, lvl_text text)
{
    lvl_buffer utf8 = {0}, shown = {0};
    lvl_text out = {"", 0};

    if (is_plain(text))
        return tiled_copy(arena, text);
    lvl_text_to_utf8(&utf8, page, text);
    put_shown(&shown, lvl_buffer_text(&utf8));
    if (utf8.status == LVL_OK && shown.status == LVL_OK)
        out = tiled_copy(arena, lvl_buffer_text(&shown));
    else
        arena->failed = true;
    lvl_buffer_free(&utf8);
    lvl_buffer_free(&shown);
    return out;
}

/* Parses the number and ';' after U+241B; returns their length, or 0. */
static size_t read_escape(const uint8_t *p, size_t left, uint32_t *code)
{
    size_t n = 0;

    for (*code = 0; n < left && n < 5; n++) {
        const char c = lvl_lower((char)p[n]);
        if (c == ';')
            return n ? n + 1 : 0;
        if (!lvl_is_digit(c) && !(c >= 'a' && c <= 'f'))
            return 0;
        *code = *code << 4 | (uint32_t)(lvl_is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    return 0;
}

bool tiled_unshow_text(lvl_buffer *out, lvl_text shown)
{
    const uint8_t *p = (const uint8_t *)shown.ptr;

    for (size_t i = 0; i < shown.len; i++) {
        const uint32_t code = three_bytes(p + i, shown.len - i);
        uint32_t other;
        size_t n;
        if (code == ESCAPE && (n = read_escape(p + i + 3, shown.len - i - 3, &other)) != 0 &&
            other >= 0x800) {
            add_picture(out, other);
            i += 2 + n;
        } else if (code >= PICTURES && code < PICTURES_END && code != PICTURES + 0x20) {
            lvl_buffer_u8(out, code == DELETE ? 0x7F : (uint8_t)(code - PICTURES));
            i += 2;
        } else {
            lvl_buffer_u8(out, p[i]);
        }
    }
    return out->status == LVL_OK;
}
