/*
 * games/source.h: what the languages of scripts have in common: comments, strings that end on their line,
 * blanks.
 */
#ifndef LVL_GAMES_SOURCE_H
#define LVL_GAMES_SOURCE_H

#include <lvl/base.h>

static inline bool lvl_source_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
/* The offset after the comment that begins at `at`: the end of the line, or after the end mark of a block
 * comment (without one, the end of the text; *closed is then false). `at` itself if none begins there.
 * `closed` may be NULL. */
size_t lvl_source_comment_end(lvl_text text, size_t at, bool *closed);
/* The offset after the string that begins at `at` with a quotation mark; at the end of the line or text, that
 * offset, and *closed is false. A backslash takes the next character, `lines`: also a line break. */
size_t lvl_source_string_end(lvl_text text, size_t at, bool lines, bool *closed);
/* Line breaks from one offset to another. */
uint32_t lvl_source_lines(lvl_text text, size_t from, size_t to);

#endif
