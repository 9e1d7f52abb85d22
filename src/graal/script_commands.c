/*
 * graal/script_commands.c: see script_commands.h. Reads both generations of the language: commands with bare
 * words up to a semicolon (`setimgpart door.png,0,0,32,32;`), and calls
 * (`setimgpart("door.png",0,0,32,32);`) in functions named after events.
 */
#include "graal/script_commands.h"

#include "base/text.h"
#include "codec/json.h"

#include <string.h>

const lvl_script_stem lvl_graal_script_stems[] = {
    {"setcharani", "gani", 1}, {"setani", "gani", 1},
    {"replaceani", "gani", 2}, {"ani", "gani", 1}, /* `npc.ani = "idle"` */
    {NULL, NULL, 0},
};

enum {
    DEPTH = 64, /* nested blocks; commands in deeper ones are skipped */
    CONDITION = 4096, /* length of a condition; longer ones count as false */
    NESTED = 16 /* nested parentheses in a condition: bounds how often a character is read */
};

typedef struct walk {
    lvl_text script;
    size_t at;
    bool sure[DEPTH + 1]; /* by open block: it certainly runs */
    size_t depth;
    bool next; /* no condition guards the next statement or block */
} walk;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

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
    while (text.len && is_blank(text.ptr[0])) {
        text.ptr++;
        text.len--;
    }
    while (text.len && is_blank(text.ptr[text.len - 1]))
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
        if (is_blank(char_ahead(w, 0))) {
            w->at++;
        } else if (char_ahead(w, 0) == '/' && char_ahead(w, 1) == '/') {
            while (w->at < w->script.len && char_ahead(w, 0) != '\n')
                w->at++;
        } else if (char_ahead(w, 0) == '/' && char_ahead(w, 1) == '*') {
            w->at += 2;
            while (w->at < w->script.len && !(char_ahead(w, 0) == '*' && char_ahead(w, 1) == '/'))
                w->at++;
            w->at = w->script.len - w->at > 2 ? w->at + 2 : w->script.len;
        } else {
            return;
        }
    }
}

static lvl_text take_word(walk *w)
{
    const size_t from = w->at;

    while (w->at < w->script.len && is_word(char_ahead(w, 0)))
        w->at++;
    return (lvl_text){w->script.ptr + from, w->at - from};
}

/* What stands in the parentheses that come next; nothing (and ptr NULL) where none do, or they don't end. */
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

/* The text up to the semicolon or brace that ends a statement, except for those in strings that end on their
 * line. */
static lvl_text take_args(walk *w)
{
    const size_t from = w->at;

    while (w->at < w->script.len) {
        const char c = char_ahead(w, 0);
        if (c == ';' || c == '{' || c == '}')
            break;
        if (c == '"') {
            size_t n = 1;
            while (n < w->script.len - w->at && char_ahead(w, n) != '"' && char_ahead(w, n) != '\n')
                n++;
            if (n < w->script.len - w->at && char_ahead(w, n) == '"')
                w->at += n;
        }
        w->at++;
    }
    return trim((lvl_text){w->script.ptr + from, w->at - from});
}

static bool runs_now(const walk *w)
{
    return w->next && w->depth <= DEPTH && w->sure[w->depth];
}

/* Reads a statement. */
static void statement(walk *w, lvl_graal_command_fn visit, void *user)
{
    const lvl_text word = take_word(w);

    if (equals_word(word, "if")) {
        w->next = holds_on_entry(take_parentheses(w)) && w->next;
    } else if (equals_word(word, "else")) {
        w->next = false;
    } else if (equals_word(word, "for") || equals_word(word, "while") || equals_word(word, "with")) {
        take_parentheses(w);
        w->next = false;
    } else if (equals_word(word, "function")) {
        skip_blanks(w);
        const lvl_text name = take_word(w);
        take_parentheses(w);
        w->next = w->next && (equals_word(name, "oncreated") || equals_word(name, "onplayerenters"));
    } else {
        const lvl_text args = take_args(w);
        const bool ends = char_ahead(w, 0) != '{';
        if (ends && runs_now(w))
            visit(user, word, args);
        w->next = ends;
    }
}

void lvl_graal_script_commands(lvl_text script, lvl_graal_command_fn visit, void *user)
{
    walk w = {.script = script, .next = true};

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
