/*
 * games/source.c: see source.h.
 */
#include "games/source.h"

static char char_at(lvl_text text, size_t at)
{
    return at < text.len ? text.ptr[at] : 0;
}

size_t lvl_source_comment_end(lvl_text text, size_t at, bool *closed)
{
    const bool block = char_at(text, at + 1) == '*';

    if (closed)
        *closed = true;
    if (char_at(text, at) != '/' || !(block || char_at(text, at + 1) == '/'))
        return at;
    for (at += 2; at < text.len; at++) {
        if (!block && text.ptr[at] == '\n')
            return at;
        if (block && text.ptr[at] == '*' && char_at(text, at + 1) == '/')
            return at + 2;
    }
    if (closed)
        *closed = !block;
    return text.len;
}

size_t lvl_source_string_end(lvl_text text, size_t at, bool lines, bool *closed)
{
    const char quote = text.ptr[at];

    *closed = true;
    for (at++; at < text.len && text.ptr[at] != '\n'; at++) {
        if (text.ptr[at] == quote)
            return at + 1;
        if (text.ptr[at] != '\\')
            continue;
        if (lines && char_at(text, at + 1) == '\r' && char_at(text, at + 2) == '\n')
            at++;
        if (lines || char_at(text, at + 1) != '\n')
            at++;
    }
    *closed = false;
    return at < text.len ? at : text.len;
}

uint32_t lvl_source_lines(lvl_text text, size_t from, size_t to)
{
    uint32_t lines = 0;

    for (; from < to && from < text.len; from++)
        lines += text.ptr[from] == '\n';
    return lines;
}
