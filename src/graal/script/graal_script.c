/*
 * graal/script/graal_script.c: see graal_script.h.
 */
#include "graal/script/graal_script.h"

#include "games/source.h"

#include <string.h>

/* The character at `at`, 0 past the end. */
static char char_at(const lvl_script *s, size_t at)
{
    return at < s->text.len ? s->text.ptr[at] : 0;
}

/* The offset after the string that begins at `at`; `at` itself if it does not end on its line, so that
 * the quote is a plain character. All later quotes on such a line are escaped, so none of them begins a
 * string. */
static size_t string_end(lvl_script *s, size_t at)
{
    bool closed;

    if (at < s->open)
        return at;
    const size_t end = lvl_source_string_end(s->text, at, false, &closed);
    if (!closed)
        s->open = end;
    return closed ? end : at;
}

size_t lvl_script_next(lvl_script *s)
{
    if (s->at && s->at <= s->text.len && s->text.ptr[s->at - 1] == '\n')
        s->line++;
    while (s->at < s->text.len) {
        const char c = s->text.ptr[s->at];
        const size_t after = c == '/' ? lvl_source_comment_end(s->text, s->at, NULL) : s->at;
        if (after != s->at) {
            s->line += lvl_source_lines(s->text, s->at, after);
            s->at = after;
            continue;
        }
        const size_t end = c == '"' ? string_end(s, s->at) : s->at;
        if (end == s->at)
            return s->at++;
        s->at = end;
    }
    return SIZE_MAX;
}

void lvl_script_braces_of(lvl_text script, lvl_script_braces *out)
{
    enum { REMEMBERED = 64 };
    lvl_script s = {.text = script, .line = 1};
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

/* Parses a number of up to six digits and moves *at past it. */
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
        const size_t from = end;
        if (!parse_number(s, &end, sign))
            continue;
        s->number = (lvl_text){s->text.ptr + from, end - from};
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

void lvl_graal_script_signs(lvl_text script, void (*visit)(void *user, uint32_t number, lvl_text written),
                            void *user)
{
    lvl_script s = {.text = script, .line = 1};
    uint32_t sign;

    while (lvl_script_report(&s, &sign))
        visit(user, sign, s.number);
}
