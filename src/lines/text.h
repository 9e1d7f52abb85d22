/*
 * lines/text.h: a text as lines: their ends (LF, CRLF, or both), a byte order mark before them, and the words
 * that they begin with.
 */
#ifndef LVL_LINES_TEXT_H
#define LVL_LINES_TEXT_H

#include "base/text.h"
#include "lines/words.h"

#include <string.h>

/* Text whose lines end in LF or in CRLF. In an LF text CR is a character; in a CRLF text the last line may
 * end in CR alone. */
typedef struct lvl_lines_text {
    const char *ptr, *end;
    bool crlf;
} lvl_lines_text;

typedef struct lvl_line_view {
    lvl_text text; /* without its line end */
    const char *next; /* after its line end */
} lvl_line_view;

static inline lvl_line_view lvl_line_at(const lvl_lines_text *t, const char *p)
{
    const char *nl = memchr(p, '\n', (size_t)(t->end - p));
    lvl_line_view line = {{p, (size_t)((nl ? nl : t->end) - p)}, nl ? nl + 1 : t->end};

    if (t->crlf && line.text.len && line.text.ptr[line.text.len - 1] == '\r')
        line.text.len--;
    return line;
}

/* Whether the line begins with that word. */
static inline bool lvl_line_has_word(lvl_text line, const char *word)
{
    size_t len = 0;

    while (word[len] && len < line.len && line.ptr[len] == word[len])
        len++;
    return !word[len] && (line.len == len || lvl_is_blank(line.ptr[len]));
}

/* Whether the line is that word, perhaps with blanks after it. */
static inline bool lvl_line_is_word(lvl_text line, const char *word)
{
    return lvl_line_has_word(line, word) &&
           !lvl_text_trim((lvl_text){line.ptr + strlen(word), line.len - strlen(word)}).len;
}

/* Whether lines end in CRLF: as the first one does, unless all others differ from it. */
bool lvl_lines_are_crlf(lvl_text text);

/* The text of a file, without a byte order mark. */
static inline lvl_text lvl_lines_of_file(lvl_bytes file)
{
    const lvl_text text = {file.len ? (const char *)file.ptr : "", file.len};
    const size_t mark = text.len >= 3 && memcmp(text.ptr, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;

    return (lvl_text){text.ptr + mark, text.len - mark};
}

#endif
