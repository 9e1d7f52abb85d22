/*
 * graal/graal_script.c: see graal_script.h.
 */
#include "graal/graal_script.h"

#include <string.h>

/* The character at `at`, 0 past the end. */
static char char_at(const lvl_script *s, size_t at)
{
    return at < s->text.len ? s->text.ptr[at] : 0;
}

/* The offset behind the string that begins at `at`; `at` itself if it does not end on its line: the quote is
 * then a plain character. All later quotes of such a line are escaped, so none of them begins a string
 * either. */
static size_t behind_string(lvl_script *s, size_t at)
{
    size_t i = at + 1;

    if (at < s->open)
        return at;
    for (; i < s->text.len && s->text.ptr[i] != '\n'; i++) {
        if (s->text.ptr[i] == '"')
            return i + 1;
        if (s->text.ptr[i] == '\\' && char_at(s, i + 1) != '\n')
            i++;
    }
    s->open = i;
    return at;
}

/* The offset behind the comment that begins at `at`: the end of the line, or behind the end mark of a block
 * comment (without one, the end of the text). */
static size_t behind_comment(lvl_script *s, size_t at)
{
    const bool block = s->text.ptr[at + 1] == '*';

    for (at += 2; at < s->text.len; at++) {
        if (!block && s->text.ptr[at] == '\n')
            return at;
        if (block && s->text.ptr[at] == '*' && char_at(s, at + 1) == '/')
            return at + 2;
        s->line += s->text.ptr[at] == '\n';
    }
    return at;
}

size_t lvl_script_next(lvl_script *s)
{
    if (s->at && s->at <= s->text.len && s->text.ptr[s->at - 1] == '\n')
        s->line++;
    while (s->at < s->text.len) {
        const char c = s->text.ptr[s->at];
        if (c == '/' && (char_at(s, s->at + 1) == '/' || char_at(s, s->at + 1) == '*')) {
            s->at = behind_comment(s, s->at);
            continue;
        }
        const size_t end = c == '"' ? behind_string(s, s->at) : s->at;
        if (end == s->at)
            return s->at++;
        s->at = end;
    }
    return SIZE_MAX;
}

void lvl_script_braces_of(lvl_text script, lvl_script_braces *out)
{
    enum { REMEMBERED = 64 };
    lvl_script s = {script, 0, 1, 0};
    uint32_t lines[REMEMBERED], depth = 0;

    memset(out, 0, sizeof *out);
    for (size_t at = lvl_script_next(&s); at != SIZE_MAX; at = lvl_script_next(&s)) {
        if (script.ptr[at] == '{') {
            if (depth < REMEMBERED)
                lines[depth] = s.line;
            depth++;
        } else if (script.ptr[at] == '}') {
            if (depth)
                depth--;
            else if (!out->close++)
                out->close_line = s.line;
        }
    }
    out->open = depth;
    out->open_line = depth ? lines[0] : 0;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '#';
}

/* A number of up to six digits; *at moves behind it. */
static bool parse_number(const lvl_script *s, size_t *at, uint32_t *out)
{
    size_t digits = 0;

    for (*out = 0; char_at(s, *at) >= '0' && char_at(s, *at) <= '9' && digits < 7; digits++)
        *out = *out * 10 + (uint32_t)(s->text.ptr[(*at)++] - '0');
    return digits && digits < 7;
}

static void skip_blanks(const lvl_script *s, size_t *at)
{
    while (char_at(s, *at) == ' ' || char_at(s, *at) == '\t')
        ++*at;
}

bool lvl_script_report(lvl_script *s, uint32_t *sign)
{
    char before = ' ';

    for (size_t at = lvl_script_next(s); at != SIZE_MAX; at = lvl_script_next(s)) {
        const bool starts = !is_word(before);
        before = s->text.ptr[at];
        if (!starts || s->text.len - at < 4 || memcmp(s->text.ptr + at, "say", 3) != 0)
            continue;
        size_t end = at + 3;
        const bool glued = char_at(s, end) != ' ' && char_at(s, end) != '(' && char_at(s, end) != '\t';
        skip_blanks(s, &end);
        const bool paren = char_at(s, end) == '(';
        if (paren) {
            end++;
            skip_blanks(s, &end);
        }
        if (!parse_number(s, &end, sign))
            continue;
        skip_blanks(s, &end);
        if (paren) {
            if (char_at(s, end) != ')')
                continue;
            end++;
            skip_blanks(s, &end);
        }
        const char after = char_at(s, end);
        if (after != ';' && after != '}' && after != '\n' && after != 0)
            continue;
        if (glued && *sign == 2) /* say2 is another command, which takes a text */
            continue;
        return true;
    }
    return false;
}
