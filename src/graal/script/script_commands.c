/*
 * graal/script/script_commands.c: see script_commands.h. Reads both generations of the language: commands
 * with bare words up to a semicolon (`setimgpart door.png,0,0,32,32;`), and calls
 * (`setimgpart("door.png",0,0,32,32);`) in functions named after events.
 */
#include "graal/script/script_commands.h"

#include "base/text.h"
#include "codec/json.h"
#include "games/source.h"

#include <string.h>

enum {
    DEPTH = 64, /* nested blocks; commands in deeper ones are skipped */
    CONDITION = 4096, /* length of a condition; longer ones count as false */
    NESTED = 16 /* nested parentheses in a condition; limits how often a character is read */
};

typedef struct walk {
    lvl_text script;
    size_t at;
    size_t counted; /* offset up to which line breaks are counted, */
    uint32_t line; /* and the line there, from 1 */
    bool lists_end; /* false: a `{` of a list had no `}`, so no other is searched */
    bool sure[DEPTH + 1]; /* for each open block: whether it certainly runs */
    size_t depth;
    bool next; /* no condition guards the next statement or block */
} walk;

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

static bool equals_word(lvl_text word, const char *other)
{
    return lvl_text_equal_nocase(word, lvl_text_of(other));
}

static lvl_text trim(lvl_text text)
{
    while (text.len && lvl_source_is_blank(text.ptr[0])) {
        text.ptr++;
        text.len--;
    }
    while (text.len && lvl_source_is_blank(text.ptr[text.len - 1]))
        text.len--;
    return text;
}

static char char_ahead(const walk *w, size_t ahead)
{
    return ahead < w->script.len - w->at ? w->script.ptr[w->at + ahead] : 0;
}

static void skip_blanks(walk *w)
{
    while (w->at < w->script.len) {
        const size_t after = lvl_source_is_blank(char_ahead(w, 0))
                                 ? w->at + 1
                                 : lvl_source_comment_end(w->script, w->at, NULL);
        if (after == w->at)
            return;
        w->at = after;
    }
}

static lvl_text take_word(walk *w)
{
    const size_t from = w->at;

    while (w->at < w->script.len && is_word(char_ahead(w, 0)))
        w->at++;
    return (lvl_text){w->script.ptr + from, w->at - from};
}

/* Takes the content of the parentheses that follow; empty (ptr NULL) if there are none, or they are not
 * closed. */
static lvl_text take_parentheses(walk *w)
{
    size_t depth = 0;

    skip_blanks(w);
    if (char_ahead(w, 0) != '(')
        return (lvl_text){0};
    for (size_t n = 0; n < CONDITION && n < w->script.len - w->at; n++) {
        const char c = char_ahead(w, n);
        if (c == '(') {
            if (++depth > NESTED)
                break;
        } else if (c == ')' && --depth == 0) {
            const lvl_text inside = {w->script.ptr + w->at + 1, n - 1};
            w->at += n + 1;
            return inside;
        }
    }
    w->at++;
    return (lvl_text){0};
}

/* Whether a condition holds when a player enters: one of its alternatives is that event. */
static bool holds_on_entry(lvl_text condition)
{
    static const char *const events[] = {"created", "playerenters", "true", "1"};
    size_t from = 0;

    if (!condition.ptr)
        return false;
    for (size_t i = 0; i <= condition.len; i++) {
        if (i < condition.len &&
            !(condition.ptr[i] == '|' && i + 1 < condition.len && condition.ptr[i + 1] == '|'))
            continue;
        lvl_text part = trim((lvl_text){condition.ptr + from, i - from});
        while (part.len > 1 && part.ptr[0] == '(' && part.ptr[part.len - 1] == ')')
            part = trim((lvl_text){part.ptr + 1, part.len - 2});
        for (size_t e = 0; e < sizeof events / sizeof *events; e++) {
            if (equals_word(part, events[e]))
                return true;
        }
        from = i + 2;
        i++;
    }
    return false;
}

/* The end of a string that begins at offset `at`, or of a comment; `at` itself if none does, or the string
 * does not end on its line. */
static size_t skip_quoted(const walk *w, size_t at)
{
    const lvl_text s = w->script;
    size_t n = at + 1;

    if (s.ptr[at] == '/')
        return lvl_source_comment_end(s, at, NULL);
    if (s.ptr[at] != '"')
        return at;
    while (n < s.len && s.ptr[n] != '"' && s.ptr[n] != '\n')
        n++;
    return n < s.len && s.ptr[n] == '"' ? n + 1 : at;
}

/* The end of the list `{...}` that begins here, if it is one: after a comma, parenthesis, brace or =, or the
 * word `in`; else its start. */
static size_t list_end(walk *w, size_t from)
{
    const lvl_text s = w->script;
    size_t before = w->at, depth = 0;

    while (before > from && lvl_source_is_blank(s.ptr[before - 1]))
        before--;
    if (before == from || !w->lists_end)
        return w->at;
    const bool after_in = before - from > 2 && s.ptr[before - 1] == 'n' && s.ptr[before - 2] == 'i' &&
                          !is_word(s.ptr[before - 3]);
    if (!after_in && !strchr(",(={", s.ptr[before - 1]))
        return w->at;
    for (size_t i = w->at; i < s.len; i++) {
        const size_t end = skip_quoted(w, i);
        if (end != i)
            i = end - 1;
        else if (s.ptr[i] == '{')
            depth++;
        else if (s.ptr[i] == '}' && --depth == 0)
            return i + 1;
    }
    w->lists_end = false;
    return w->at;
}

/* Takes the text up to the semicolon or brace that ends a statement, ignoring those in comments, in lists,
 * and in strings that end on their line. */
static lvl_text take_args(walk *w)
{
    const size_t from = w->at;

    while (w->at < w->script.len) {
        const char c = char_ahead(w, 0);
        if (c == ';' || c == '}')
            break;
        const size_t end = c == '{' ? list_end(w, from) : skip_quoted(w, w->at);
        if (end != w->at)
            w->at = end;
        else if (c == '{')
            break;
        else
            w->at++;
    }
    return trim((lvl_text){w->script.ptr + from, w->at - from});
}

/* Skips the rest of a condition whose parentheses are not closed. */
static lvl_text skip_condition(walk *w)
{
    const size_t from = w->at;

    while (w->at < w->script.len && !strchr(";{}", char_ahead(w, 0)))
        w->at++;
    return (lvl_text){w->script.ptr + from, w->at - from};
}

static bool runs_now(const walk *w)
{
    return w->next && w->depth <= DEPTH && w->sure[w->depth];
}

static uint32_t line_of(walk *w, size_t at)
{
    for (; w->counted < at; w->counted++)
        w->line += w->script.ptr[w->counted] == '\n';
    return w->line;
}

/* Reads a statement. */
static void statement(walk *w, lvl_graal_statement_fn visit, void *user)
{
    lvl_graal_statement s = {.line = line_of(w, w->at)};

    s.word = take_word(w);
    const bool is_if = equals_word(s.word, "if");

    skip_blanks(w);
    if (char_ahead(w, 0) != '=' && char_ahead(w, 0) != '[' && /* variables may have such names */
        (is_if || equals_word(s.word, "for") || equals_word(s.word, "while") || equals_word(s.word, "with") ||
         equals_word(s.word, "switch"))) {
        s.kind = LVL_GRAAL_CONDITION;
        s.args = take_parentheses(w);
        s.open = !s.args.ptr;
        if (s.open)
            s.args = skip_condition(w);
        w->next = is_if && !s.open && holds_on_entry(s.args) && w->next;
    } else if (equals_word(s.word, "else")) {
        s.kind = LVL_GRAAL_CONDITION;
        w->next = false;
    } else if (equals_word(s.word, "function")) {
        s.kind = LVL_GRAAL_FUNCTION;
        skip_blanks(w);
        s.args = take_word(w);
        take_parentheses(w);
        w->next = w->next && (equals_word(s.args, "oncreated") || equals_word(s.args, "onplayerenters"));
    } else {
        s.args = take_args(w);
        s.end = char_ahead(w, 0);
        s.sure = s.end != '{' && runs_now(w);
        w->next = s.end != '{';
    }
    visit(user, &s);
}

void lvl_graal_script_statements(lvl_text script, lvl_graal_statement_fn visit, void *user)
{
    walk w = {.script = script, .next = true, .line = 1, .lists_end = true};

    w.sure[0] = true;
    for (;;) {
        skip_blanks(&w);
        if (w.at >= script.len)
            return;
        const char c = char_ahead(&w, 0);
        if (is_word(c)) {
            statement(&w, visit, user);
            continue;
        }
        w.at++;
        if (c == '{') {
            const bool sure = runs_now(&w);
            if (++w.depth <= DEPTH)
                w.sure[w.depth] = sure;
            w.next = true;
        } else if (c == '}') {
            w.depth -= w.depth > 0;
            w.next = true;
        } else if (c == ';') {
            w.next = true;
        }
    }
}

typedef struct command_visit {
    lvl_graal_command_fn visit;
    void *user;
} command_visit;

static void visit_sure(void *user, const lvl_graal_statement *statement)
{
    const command_visit *v = user;

    if (statement->sure)
        v->visit(v->user, statement->word, statement->args);
}

void lvl_graal_script_commands(lvl_text script, lvl_graal_command_fn visit, void *user)
{
    command_visit v = {visit, user};

    lvl_graal_script_statements(script, visit_sure, &v);
}

bool lvl_graal_command_arg(lvl_text *args, lvl_text *out)
{
    lvl_text rest = trim(*args);
    size_t len = 0;

    /* The parentheses of a call. */
    if (rest.len > 1 && rest.ptr[0] == '(' && rest.ptr[rest.len - 1] == ')')
        rest = trim((lvl_text){rest.ptr + 1, rest.len - 2});
    if (rest.len == 0)
        return false;
    while (len < rest.len && rest.ptr[len] != ',')
        len++;
    *out = trim((lvl_text){rest.ptr, len});
    if (out->len > 1 && out->ptr[0] == '"' && out->ptr[out->len - 1] == '"')
        *out = (lvl_text){out->ptr + 1, out->len - 2};
    len += len < rest.len;
    *args = (lvl_text){rest.ptr + len, rest.len - len};
    return true;
}

bool lvl_graal_command_number(lvl_text *args, double *out)
{
    lvl_text word;

    if (!lvl_graal_command_arg(args, &word))
        return false;
    for (size_t i = 0; i < word.len; i++) {
        const char c = word.ptr[i];
        if (!((c >= '0' && c <= '9') || c == '.' || (c == '-' && i == 0)))
            return false; /* numbers of scripts have no plus sign and no exponent */
    }
    return lvl_real_parse(word, out);
}
