/*
 * tools/edit/script_names.c: see script_names.h.
 */
#include "tools/edit/script_names.h"

#include "base/text.h"
#include "base/work.h"
#include "tools/values/json_write.h"

#include <string.h>

enum {
    MAX_COMMAND = 32, /* characters of a script's command */
    MAX_NAME = 255, /* bytes of a file's name in a script */
    PLACE_STEPS = 32 /* of the look-up of a name: endings of formats, commands before it */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_quote(char c)
{
    return c == '"' || c == '\'' || c == '`';
}

static bool is_word(char c)
{
    return lvl_is_digit(c) || (lvl_lower(c) >= 'a' && lvl_lower(c) <= 'z') || c == '_' || (uint8_t)c >= 0x80;
}

/* Before an argument without quotes, other than the first one of a command. */
static bool comes_before_argument(char c)
{
    return c == ',' || c == '(' || c == '=' || c == '&';
}

static bool comes_before_statement(char c)
{
    return c == '\n' || c == '\r' || c == ';' || c == '{' || c == '}' || c == ')';
}

static bool comes_after_argument(char c)
{
    return c == '\n' || c == '\r' || c == ',' || c == ';' || c == ')' || c == '}' || c == '&';
}

static size_t skip_back(lvl_text s, size_t at)
{
    while (at && is_blank(s.ptr[at - 1]))
        at--;
    return at;
}

/* Whether an argument without quotes may begin at `at`: after a comma, a bracket or an operator, or after the
 * word that begins the statement ("setlevel2 a.nw,30,30"). */
static bool begins_argument(lvl_text s, size_t at)
{
    size_t i = skip_back(s, at), from;

    if (!i || !is_word(s.ptr[i - 1]))
        return i && comes_before_argument(s.ptr[i - 1]);
    if (i == at) /* within a word, as most characters are */
        return false;
    for (from = i; from && is_word(s.ptr[from - 1]) && i - from < MAX_COMMAND;)
        from--;
    from = skip_back(s, from);
    return !from || comes_before_statement(s.ptr[from - 1]);
}

static bool ends_argument(lvl_script_walk *w, size_t at)
{
    const lvl_text s = w->text;

    for (; at < s.len && is_blank(s.ptr[at]); at++)
        w->work++;
    return at == s.len || comes_after_argument(s.ptr[at]);
}

/* Whether a name begins at `at`: at the start of a string, or of an argument without quotes (*quote 0). */
static bool begins_name(lvl_text s, size_t at, bool quoted, char *quote)
{
    const char before = at ? s.ptr[at - 1] : '\n';
    const bool string = is_quote(before);

    *quote = string ? before : 0;
    if (is_blank(s.ptr[at]) || s.ptr[at] == '\n')
        return false;
    return string ? quoted || before != '"' : !quoted && begins_argument(s, at);
}

/* Goes on to the next character. */
static void skip_character(lvl_script_walk *w)
{
    const lvl_text s = w->text;
    const size_t i = w->at++;

    if (s.ptr[i] == '\n') {
        w->quoted = w->comment = false;
        w->breaks++;
    } else if (s.ptr[i] == '\\' && w->quoted && i + 1 < s.len && s.ptr[i + 1] != '\n') {
        w->at++;
    } else if (s.ptr[i] == '"' && !w->comment) {
        w->quoted = !w->quoted;
    } else if (s.ptr[i] == '/' && !w->quoted && i + 1 < s.len && s.ptr[i + 1] == '/') {
        w->comment = true;
    }
}

/* Goes on to the last character of a word or comment, in which no name begins. */
static void skip_plain(lvl_script_walk *w)
{
    const lvl_text s = w->text;

    if (w->comment) {
        const char *end = memchr(s.ptr + w->at, '\n', s.len - w->at);
        w->at = end ? (size_t)(end - s.ptr) : s.len - 1;
    } else if (is_word(s.ptr[w->at])) {
        while (w->at + 1 < s.len && is_word(s.ptr[w->at + 1]))
            w->at++;
    }
}

bool lvl_script_walk_next(lvl_script_walk *w)
{
    for (; w->at < w->text.len; skip_plain(w), skip_character(w)) {
        const bool shown = w->shown;
        w->shown = !shown && !w->comment && begins_name(w->text, w->at, w->quoted, &w->quote);
        if (w->shown)
            return true;
    }
    return false;
}

void lvl_script_walk_skip(lvl_script_walk *w, size_t len)
{
    w->at += len;
    w->shown = false;
}

lvl_status lvl_script_walk_charge(lvl_script_walk *w, const lvl_ctx *ctx)
{
    const uint64_t steps = w->work + PLACE_STEPS;

    w->work = 0;
    return lvl_charge(ctx, steps);
}

bool lvl_script_walk_name(lvl_script_walk *w, lvl_text *name)
{
    const lvl_text s = w->text;
    const char *from = s.ptr + w->at;

    for (size_t len = name->len; w->at + len < s.len && len < MAX_NAME;) {
        if (len && (from[len] == '\n' || (w->quote && from[len] == w->quote)))
            return false;
        len++;
        w->work++;
        const size_t end = w->at + len;
        if (w->quote ? end < s.len && s.ptr[end] == w->quote
                     : !is_blank(s.ptr[end - 1]) && ends_argument(w, end)) {
            *name = (lvl_text){from, len};
            return true;
        }
    }
    return false;
}

/* Before the start of an argument. */
static bool ends_back(char c)
{
    switch (c) {
    case ',':
    case '(':
    case '=':
    case ';':
    case '{':
    case '}':
    case '\n':
    case ' ':
    case 0: return true;
    default: return is_quote(c);
    }
}

bool lvl_script_is_argument(const lvl_script_walk *w, const lvl_script_stem *command)
{
    const lvl_text s = w->text;
    const size_t at = w->at;
    size_t i = at;

    for (unsigned arg = 1; arg <= command->args; arg++) {
        if (i && is_quote(s.ptr[i - 1]))
            i--;
        i = skip_back(s, i);
        if (i && s.ptr[i - 1] == ',') { /* back to the start of the argument before it */
            for (i--; i && !ends_back(s.ptr[i - 1]) && at - i < MAX_COMMAND * 2;)
                i--;
            continue;
        }
        while (i && (s.ptr[i - 1] == '(' || s.ptr[i - 1] == '='))
            i--;
        i = skip_back(s, i);
        const lvl_text word = lvl_text_of(command->command);
        return i >= word.len && lvl_text_equal_nocase((lvl_text){s.ptr + i - word.len, word.len}, word) &&
               (i == word.len || !is_word(s.ptr[i - word.len - 1]));
    }
    return false;
}

const lvl_script_stem *lvl_label_stem(const lvl_doc *doc, const void *record, const lvl_table *table)
{
    const lvl_field *label = lvl_label_of(table);
    const lvl_script_stem *c = doc->format->calls->script_stems;

    if (!label || label->kind != LVL_TEXT || !lvl_field_present(record, label))
        return NULL;
    while (c && c->command && !lvl_text_equal_nocase(lvl_get_text(record, label), lvl_text_of(c->command)))
        c++;
    return c && c->command ? c : NULL;
}
