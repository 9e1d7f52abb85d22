/*
 * games/javascript.c: see javascript.h.
 */
#include "games/javascript.h"

#include "base/text.h"
#include "games/source.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TOKENS = 1 << 18 }; /* the longest real script has 2,500 */

typedef struct reader {
    lvl_js *js;
    size_t at;
    uint32_t capacity;
    uint32_t open; /* the innermost bracket; those around it by `around` */
    size_t no_regex; /* offset before which no regular expression ends, since the line ends first */
    bool breaks;
    lvl_status status;
} reader;

static char char_at(const reader *r, size_t at)
{
    return at < r->js->text.len ? r->js->text.ptr[at] : 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' ||
           (unsigned char)c >= 0x80;
}

/* The length of a character here that is not part of a word, though its bytes are above 0x7F: a no-break
 * space, a byte order mark, a line separator. */
static size_t odd_blank(const reader *r, size_t at)
{
    static const char *const blanks[] = {"\xC2\xA0", "\xEF\xBB\xBF", "\xE2\x80\xA8", "\xE2\x80\xA9"};

    for (size_t i = 0; i < LVL_COUNT_OF(blanks); i++) {
        const size_t len = strlen(blanks[i]);
        if (r->js->text.len - at >= len && memcmp(r->js->text.ptr + at, blanks[i], len) == 0)
            return len;
    }
    return 0;
}

static void fail(reader *r, lvl_js_fault fault, size_t at)
{
    if (r->js->fault != LVL_JS_SOUND)
        return;
    r->js->fault = fault;
    r->js->at = at;
}

static void add(reader *r, lvl_js_kind kind, size_t end)
{
    lvl_js *js = r->js;

    if (js->count == r->capacity) {
        const uint32_t more = r->capacity ? r->capacity * 2 : 256;
        lvl_js_token *tokens = more > MOST_TOKENS ? NULL : realloc(js->tokens, more * sizeof *js->tokens);
        if (!tokens) {
            if (more > MOST_TOKENS)
                fail(r, LVL_JS_LONG, r->at);
            else
                r->status = LVL_ERR_MEMORY;
            r->at = js->text.len;
            return;
        }
        js->tokens = tokens;
        r->capacity = more;
    }
    js->tokens[js->count++] = (lvl_js_token){.text = {js->text.ptr + r->at, end - r->at},
                                             .partner = LVL_NO_INDEX,
                                             .around = r->open,
                                             .kind = (uint8_t)kind,
                                             .breaks = r->breaks};
    r->breaks = false;
    r->at = end;
}

/* Whether a slash here begins a regular expression: no value is before it. */
static bool may_be_regex(const reader *r, bool *sure)
{
    static const char *const words[] = {"return", "typeof", "case", "in",   "of", "delete",
                                        "void",   "throw",  "new",  "else", "do", "instanceof"};
    const lvl_js_token *last = r->js->count ? &r->js->tokens[r->js->count - 1] : NULL;

    *sure = true;
    if (!last)
        return true;
    if (last->kind == LVL_JS_WORD) {
        for (size_t i = 0; i < LVL_COUNT_OF(words); i++) {
            if (lvl_text_is(last->text, words[i]))
                return true;
        }
    }
    if (last->kind != LVL_JS_MARK)
        return false;
    *sure = last->text.ptr[0] != '}'; /* of a block, or of an object */
    if (last->text.ptr[0] == ')' && last->partner != LVL_NO_INDEX && last->partner) { /* if (a) /b/.test(c) */
        const lvl_text before = r->js->tokens[last->partner - 1].text;
        return lvl_text_is(before, "if") || lvl_text_is(before, "while") || lvl_text_is(before, "for");
    }
    return last->text.ptr[0] != ')' && last->text.ptr[0] != ']';
}

static bool regex(reader *r)
{
    bool sure, class = false;
    size_t at = r->at + 1;

    if (r->at < r->no_regex || !may_be_regex(r, &sure))
        return false;
    for (; char_at(r, at) && char_at(r, at) != '\n' && (class || char_at(r, at) != '/'); at++) {
        if (char_at(r, at) == '\\' && char_at(r, at + 1) != '\n')
            at++;
        else if (char_at(r, at) == '[' || char_at(r, at) == ']')
            class = char_at(r, at) == '[';
    }
    if (char_at(r, at) != '/') {
        if (sure)
            fail(r, LVL_JS_OPEN_REGEX, r->at);
        r->no_regex = at;
        return false;
    }
    for (at++; is_word(char_at(r, at));)
        at++;
    add(r, LVL_JS_REGEX, at);
    return true;
}

/* A piece of a template, up to its end or the next ${. `start`: of the template. */
static void template_piece(reader *r, size_t start)
{
    size_t at = r->at + 1;

    while (at < r->js->text.len && char_at(r, at) != '`' &&
           !(char_at(r, at) == '$' && char_at(r, at + 1) == '{'))
        at += char_at(r, at) == '\\' ? 2 : 1;
    if (at >= r->js->text.len) {
        fail(r, LVL_JS_OPEN_TEMPLATE, start);
        r->at = r->js->text.len;
        return;
    }
    const bool more = char_at(r, at) == '$';
    add(r, LVL_JS_TEMPLATE, at + (more ? 2 : 1));
    if (more && r->js->count)
        r->open = r->js->count - 1; /* as a bracket */
}

static bool matches(char open, char close)
{
    return (open == '(' && close == ')') || (open == '[' && close == ']') || (open == '{' && close == '}') ||
           ((open == '`' || open == '}') && close == '}');
}

static char bracket_at(const reader *r, uint32_t index)
{
    return r->js->tokens[index].text.ptr[0];
}

static void close_bracket(reader *r)
{
    enum { LOOKED_AT = 64 }; /* brackets further out */
    const char c = char_at(r, r->at);
    uint32_t match = r->open;

    for (int i = 0; i < LOOKED_AT && match != LVL_NO_INDEX && !matches(bracket_at(r, match), c); i++)
        match = r->js->tokens[match].around;
    if (match == LVL_NO_INDEX || !matches(bracket_at(r, match), c)) {
        fail(r, LVL_JS_CLOSE_BRACKET, r->at);
        add(r, LVL_JS_MARK, r->at + 1);
        return;
    }
    if (match != r->open)
        fail(r, LVL_JS_OPEN_BRACKET, (size_t)(r->js->tokens[r->open].text.ptr - r->js->text.ptr));
    const lvl_js_token *open = &r->js->tokens[match];
    const bool template = open->kind == LVL_JS_TEMPLATE;
    const size_t start = (size_t)(open->text.ptr - r->js->text.ptr);
    r->open = open->around;
    if (template) {
        template_piece(r, start);
        return;
    }
    add(r, LVL_JS_MARK, r->at + 1);
    if (r->status != LVL_OK || r->js->fault == LVL_JS_LONG)
        return;
    r->js->tokens[match].partner = r->js->count - 1;
    r->js->tokens[r->js->count - 1].partner = match;
}

static size_t mark_end(const reader *r)
{
    static const char *const marks[] = {
        "===", "!==", "...", "**=", "<<=", ">>=", "=>", "==", "!=", "<=", ">=", "++", "--", "&&",
        "||",  "??",  "?.",  "**",  "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>"};

    for (size_t i = 0; i < LVL_COUNT_OF(marks); i++) {
        const size_t len = strlen(marks[i]);
        if (len <= r->js->text.len - r->at && memcmp(r->js->text.ptr + r->at, marks[i], len) == 0)
            return r->at + len;
    }
    return r->at + 1;
}

static void token(reader *r)
{
    const char c = char_at(r, r->at);
    size_t end = r->at;
    bool closed = true;

    if (c == '"' || c == '\'') {
        end = lvl_source_string_end(r->js->text, r->at, true, &closed);
        if (!closed)
            fail(r, LVL_JS_OPEN_STRING, r->at);
        add(r, LVL_JS_STRING, end);
    } else if (c == '`') {
        template_piece(r, r->at);
    } else if (is_digit(c) || (c == '.' && is_digit(char_at(r, r->at + 1)))) {
        while (is_word(char_at(r, end)) || char_at(r, end) == '.')
            end++;
        add(r, LVL_JS_NUMBER, end);
    } else if (is_word(c)) {
        while (is_word(char_at(r, end)) && !odd_blank(r, end))
            end++;
        add(r, LVL_JS_WORD, end);
    } else if (c == '(' || c == '[' || c == '{') {
        add(r, LVL_JS_MARK, r->at + 1);
        r->open = r->js->count ? r->js->count - 1 : LVL_NO_INDEX;
    } else if (c == ')' || c == ']' || c == '}') {
        close_bracket(r);
    } else if (c != '/' || !regex(r)) {
        add(r, LVL_JS_MARK, mark_end(r));
    }
}

lvl_status lvl_js_read(lvl_js *js, lvl_text text)
{
    reader r = {.js = js, .open = LVL_NO_INDEX, .status = LVL_OK};

    *js = (lvl_js){.text = text};
    while (r.at < text.len && r.status == LVL_OK) {
        bool closed;
        const size_t end = lvl_source_comment_end(text, r.at, &closed);
        if (!closed)
            fail(&r, LVL_JS_OPEN_COMMENT, r.at);
        if (end != r.at) {
            r.breaks = r.breaks || memchr(text.ptr + r.at, '\n', end - r.at);
            r.at = end;
        } else if (lvl_source_is_blank(char_at(&r, r.at)) || (unsigned char)char_at(&r, r.at) < ' ') {
            r.breaks = r.breaks || char_at(&r, r.at) == '\n';
            r.at++;
        } else if (odd_blank(&r, r.at)) {
            r.at += odd_blank(&r, r.at);
        } else {
            token(&r);
        }
    }
    if (r.status == LVL_OK && r.open != LVL_NO_INDEX && js->fault == LVL_JS_SOUND) {
        const lvl_js_token *open = &js->tokens[r.open];
        fail(&r, open->kind == LVL_JS_TEMPLATE ? LVL_JS_OPEN_TEMPLATE : LVL_JS_OPEN_BRACKET,
             (size_t)(open->text.ptr - text.ptr));
    }
    return r.status;
}

void lvl_js_free(lvl_js *js)
{
    free(js->tokens);
}

void lvl_js_position(lvl_text text, size_t at, uint32_t *line, uint32_t *column)
{
    size_t start = at;

    while (start && text.ptr[start - 1] != '\n')
        start--;
    *line = 1 + lvl_source_lines(text, 0, start);
    *column = (uint32_t)(at - start) + 1;
}
