/*
 * catalogue/postgres_text.c: texts in the spellings that PostgreSQL takes.
 */
#include "catalogue/postgres.h"

#include "base/buffer.h"
#include "base/text.h"

#include <string.h>

#ifdef LVL_HAVE_POSTGRES

void cat_pg_put_plain(lvl_buffer *out, lvl_text text)
{
    if (lvl_utf8_valid(text) && (!text.len || !memchr(text.ptr, 0, text.len))) {
        lvl_buffer_add(out, text.ptr, text.len);
        return;
    }
    for (size_t i = 0, len; i < text.len; i += len) {
        for (len = text.len - i < 4 ? text.len - i : 4; len > 1; len--) {
            /* one character, not several */
            if (lvl_utf8_valid((lvl_text){text.ptr + i, len}) && (unsigned char)text.ptr[i] >= 0xC0 &&
                ((unsigned char)text.ptr[i + len - 1] & 0xC0) == 0x80)
                break;
        }
        if (!text.ptr[i])
            lvl_buffer_str(out, "\xE2\x90\x80");
        else if (len == 1 && (unsigned char)text.ptr[i] >= 0x80)
            lvl_buffer_str(out, "\xEF\xBF\xBD");
        else
            lvl_buffer_add(out, text.ptr + i, len);
    }
}

void cat_pg_put_escaped(lvl_buffer *out, lvl_text text)
{
    size_t from = 0;

    if (!text.len) /* perhaps NULL */
        return;
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.ptr[i];
        const char as = c == '\\' ? '\\' : c == '\n' ? 'n' : c == '\r' ? 'r' : c == '\t' ? 't' : 0;
        if (!as)
            continue;
        lvl_buffer_add(out, text.ptr + from, i - from);
        lvl_buffer_u8(out, '\\');
        lvl_buffer_u8(out, (uint8_t)as);
        from = i + 1;
    }
    lvl_buffer_add(out, text.ptr + from, text.len - from);
}

/* The longest word that an index has room for, in bytes. */
enum { LONGEST_WORD = 2000 };

void cat_pg_put_word(lvl_buffer *out, lvl_text word)
{
    word = lvl_text_cut(word, LONGEST_WORD);
    lvl_buffer_u8(out, '\'');
    for (size_t i = 0; i < word.len; i++) {
        if (word.ptr[i] == '\'' || word.ptr[i] == '\\')
            lvl_buffer_u8(out, (uint8_t)word.ptr[i]);
        lvl_buffer_u8(out, (uint8_t)word.ptr[i]);
    }
    lvl_buffer_u8(out, '\'');
}

#endif
