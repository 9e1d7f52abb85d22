/*
 * sketchy/check/script_rules.c: the rules of doodads' scripts: what is not closed, names that do not
 * exist, calls of the game with the wrong arguments, options, messages, layers and files that nobody has.
 * What the game gives to scripts is in the game book (games/language.h).
 */
#include "base/hash.h"
#include "base/text.h"
#include "codec/json.h"
#include "games/book.h"
#include "games/javascript.h"
#include "games/language.h"
#include "scene/art.h"
#include "sketchy/check/check.h"

#include <stdlib.h>
#include <string.h>

enum {
    SHOWN = LVL_SKETCHY_SHOWN,
    REPORTS = 32, /* of a script */
    GUESSES = 64, /* words that are compared with all names */
    IN_GROUP = 256 /* tokens of a list of parameters; with more, nothing is known about names */
};

typedef struct script {
    const lvl_sketchy_checker *c;
    const lvl_sketchy *d; /* the doodad */
    const lvl_where *where;
    const char *name; /* of the doodad in a level, with ": "; or "" */
    lvl_js js;
    lvl_hash declared; /* names that the script declares: indices of tokens */
    unsigned reports, guesses;
    bool vague; /* not all declarations are known */
    lvl_status status;
} script;

static const lvl_js_token nothing = {.text = {"", 0}, .partner = LVL_NO_INDEX, .kind = LVL_JS_MARK};

static const lvl_js_token *token_at(const script *s, uint32_t index)
{
    return index < s->js.count ? &s->js.tokens[index] : &nothing; /* before the first: UINT32_MAX */
}

static bool is_mark(const script *s, uint32_t index, const char *text)
{
    const lvl_js_token *t = token_at(s, index);

    return t->kind == LVL_JS_MARK && lvl_text_is(t->text, text);
}

static bool is_word(const script *s, uint32_t index, const char *text)
{
    const lvl_js_token *t = token_at(s, index);

    return t->kind == LVL_JS_WORD && lvl_text_is(t->text, text);
}

static bool is_one_of(lvl_text word, const char *list)
{
    lvl_text item;

    while (lvl_text_next_item(&list, ' ', &item)) {
        if (lvl_text_equal(item, word))
            return true;
    }
    return false;
}

static bool is_listed(lvl_text word, const char *const *list)
{
    for (; *list; list++) {
        if (lvl_text_is(word, *list))
            return true;
    }
    return false;
}

/* ---- reports ----------------------------------------------------------------------------------------- */

static const lvl_finding_def *rule_of(const char *id)
{
    return lvl_book_rule_def(&lvl_book_sketchy, id);
}

#define REPORT_AT(s, id, offset, format, ...)                                                    \
    do {                                                                                         \
        uint32_t line_, column_;                                                                 \
        if ((s)->reports++ < REPORTS) {                                                          \
            lvl_js_position((s)->js.text, offset, &line_, &column_);                             \
            lvl_findings_add((s)->c->findings, rule_of(id), (s)->where, NULL,                    \
                             "%sline %lu, column %lu: " format, (s)->name, (unsigned long)line_, \
                             (unsigned long)column_, __VA_ARGS__);                               \
        }                                                                                        \
    } while (0)

static size_t offset_of(const script *s, uint32_t index)
{
    return (size_t)(token_at(s, index)->text.ptr - s->js.text.ptr);
}

typedef struct shown {
    char text[SHOWN];
} shown;

static const char *show(lvl_text text, shown *out)
{
    return lvl_sketchy_show(out->text, text);
}

/* The nearer of two names, for "did you mean"; best: one more than the greatest distance. */
static void nearer(lvl_text word, lvl_text name, unsigned *best, lvl_text *near)
{
    const unsigned distance = lvl_text_distance(word, name, *best);

    if (distance < *best && (name.len > 3 || word.len == name.len)) {
        *best = distance;
        *near = name;
    }
}

static unsigned furthest(lvl_text word)
{
    return word.len <= 3 ? 0 : word.len <= 5 ? 2 : 3;
}

/* ", did you mean X?", or nothing. */
static const char *meant(lvl_text near, char out[SHOWN + 20])
{
    static const char before[] = "; did you mean ";

    out[0] = 0;
    if (near.len && near.len < SHOWN) {
        memcpy(out, before, sizeof before);
        memcpy(out + sizeof before - 1, near.ptr, near.len);
        memcpy(out + sizeof before - 1 + near.len, "?", 2);
    }
    return out;
}

/* ---- what is not closed ------------------------------------------------------------------------------ */

static void check_fault(script *s)
{
    const char c = s->js.at < s->js.text.len ? s->js.text.ptr[s->js.at] : ' ';

    switch (s->js.fault) {
    case LVL_JS_OPEN_STRING:
        REPORT_AT(s, "sketchy.script.string", s->js.at, "a %c is missing at the end of the string, %s", c,
                  "so the doodad does nothing");
        break;
    case LVL_JS_OPEN_TEMPLATE:
        REPORT_AT(s, "sketchy.script.string", s->js.at,
                  "the template has no `%s at its end, so the doodad does nothing", "");
        break;
    case LVL_JS_OPEN_REGEX:
        REPORT_AT(s, "sketchy.script.string", s->js.at,
                  "the regular expression has no /%s at its end, so the doodad does nothing", "");
        break;
    case LVL_JS_OPEN_COMMENT:
        REPORT_AT(s, "sketchy.script.comment", s->js.at,
                  "the comment has no */%s, so the doodad does nothing", "");
        break;
    case LVL_JS_OPEN_BRACKET:
        REPORT_AT(s, "sketchy.script.bracket", s->js.at, "the %c is not closed, so the doodad does nothing",
                  c);
        break;
    case LVL_JS_CLOSE_BRACKET:
        REPORT_AT(s, "sketchy.script.bracket", s->js.at, "the %c closes nothing, so the doodad does nothing",
                  c);
        break;
    case LVL_JS_SOUND:
    case LVL_JS_LONG: break;
    }
}

static bool is_keyword(const script *s, uint32_t index)
{
    return token_at(s, index)->kind == LVL_JS_WORD &&
           is_listed(token_at(s, index)->text, lvl_language_sketchy.keywords);
}

/* Whether an operator, a comma or a semicolon must be before this token, since a value ends before it. */
static bool ends_value(const script *s, uint32_t index)
{
    const lvl_js_token *t = token_at(s, index);

    if (t->kind == LVL_JS_WORD)
        return !is_keyword(s, index) || is_one_of(t->text, "this null true false super");
    if (t->kind != LVL_JS_MARK)
        return t->kind != LVL_JS_TEMPLATE || t->text.ptr[t->text.len - 1] == '`';
    if (is_mark(s, index, "]"))
        return true;
    /* not the condition of a statement */
    return is_mark(s, index, ")") && t->partner != LVL_NO_INDEX &&
           (t->partner == 0 ||
            !is_one_of(token_at(s, t->partner - 1)->text, "if for while with switch catch"));
}

static bool begins_value(const script *s, uint32_t index)
{
    const lvl_js_token *t = token_at(s, index);

    if (t->kind == LVL_JS_WORD)
        return !is_one_of(t->text, "in of instanceof extends as from else while catch finally");
    return t->kind == LVL_JS_NUMBER || t->kind == LVL_JS_STRING;
}

static bool is_inside(const script *s, uint32_t index, const char *bracket)
{
    const uint32_t around = token_at(s, index)->around;

    return around != LVL_NO_INDEX && is_mark(s, around, bracket);
}

/* Two values with nothing between them: a comma, operator or semicolon is missing, or a word is misspelt. */
static void check_between(script *s)
{
    shown a, b;

    for (uint32_t i = 1; i < s->js.count; i++) {
        const lvl_js_token *t = token_at(s, i);
        if (!begins_value(s, i) || !ends_value(s, i - 1))
            continue;
        if (t->breaks && !is_inside(s, i, "(") && !is_inside(s, i, "["))
            continue;
        if (is_one_of(token_at(s, i - 1)->text, "get set static async await of let yield") ||
            (i > 1 && is_mark(s, i - 2, ".") && token_at(s, i - 1)->kind != LVL_JS_WORD))
            continue;
        lvl_text near = {"", 0};
        unsigned best = furthest(token_at(s, i - 1)->text);
        char or_else[SHOWN + 20];
        for (const char *const *k = lvl_language_sketchy.keywords;
             *k && token_at(s, i - 1)->kind == LVL_JS_WORD && best; k++)
            nearer(token_at(s, i - 1)->text, lvl_text_of(*k), &best, &near);
        REPORT_AT(s, "sketchy.script.between", offset_of(s, i),
                  "nothing is between %s and %s, so the doodad does nothing%s",
                  show(token_at(s, i - 1)->text, &a), show(t->text, &b), meant(near, or_else));
        return; /* the game stops at the first, too */
    }
}

static void check_try(script *s)
{
    for (uint32_t i = 0; i < s->js.count; i++) {
        const uint32_t end = is_mark(s, i + 1, "{") ? token_at(s, i + 1)->partner : LVL_NO_INDEX;
        if (end == LVL_NO_INDEX || !is_word(s, i, "try") || (i && is_mark(s, i - 1, ".")) ||
            is_word(s, end + 1, "catch") || is_word(s, end + 1, "finally"))
            continue;
        REPORT_AT(s, "sketchy.script.between", offset_of(s, i),
                  "the try has neither catch nor %s after it, so the %s", "finally", "doodad does nothing");
        return;
    }
}

/* ---- names ------------------------------------------------------------------------------------------- */

static bool is_declared(const script *s, lvl_text name)
{
    const uint64_t hash = lvl_hash_bytes(&s->declared.seed, name.ptr, name.len);

    for (lvl_hash_at at = lvl_hash_first(&s->declared, hash); at.found;
         at = lvl_hash_next(&s->declared, at)) {
        if (lvl_text_equal(token_at(s, at.index)->text, name))
            return true;
    }
    return false;
}

static void declare(script *s, uint32_t index)
{
    const lvl_text name = token_at(s, index)->text;

    if (token_at(s, index)->kind == LVL_JS_WORD && s->status == LVL_OK && !is_declared(s, name))
        s->status = lvl_hash_add(&s->declared, lvl_hash_bytes(&s->declared.seed, name.ptr, name.len), index);
}

/* All words between brackets: parameters, or what an object or array is taken apart into. */
static void declare_group(script *s, uint32_t open)
{
    const uint32_t close = token_at(s, open)->partner;

    if (close == LVL_NO_INDEX || close - open > IN_GROUP)
        s->vague = true;
    else
        for (uint32_t i = open + 1; i < close; i++)
            declare(s, i);
}

/* The names after let, const or var. */
static void declare_list(script *s, uint32_t i)
{
    do {
        i++;
        if (is_mark(s, i, "{") || is_mark(s, i, "[")) {
            declare_group(s, i);
            i = token_at(s, i)->partner;
        } else {
            declare(s, i);
        }
        /* past the value, up to a comma */
        for (i = i == LVL_NO_INDEX ? s->js.count : i + 1; i < s->js.count; i++) {
            const lvl_js_token *t = token_at(s, i);
            if (is_mark(s, i, ",") || is_mark(s, i, ";") ||
                (t->kind == LVL_JS_WORD && t->breaks && is_keyword(s, i)) || is_word(s, i, "let") ||
                is_word(s, i, "const") || is_word(s, i, "var")) /* each list is walked through once */
                break;
            if (t->kind == LVL_JS_MARK && t->partner != LVL_NO_INDEX) {
                if (t->partner < i)
                    return;
                i = t->partner;
            }
        }
    } while (is_mark(s, i, ","));
}

/* Whether this names what follows, a method: open(a) { … } */
static bool is_method(const script *s, uint32_t i)
{
    const uint32_t close = is_mark(s, i + 1, "(") ? token_at(s, i + 1)->partner : LVL_NO_INDEX;

    return close != LVL_NO_INDEX && is_mark(s, close + 1, "{") && !is_keyword(s, i);
}

static void find_declarations(script *s)
{
    for (uint32_t i = 0; i < s->js.count && s->status == LVL_OK; i++) {
        if (is_mark(s, i, "=") && i && (is_mark(s, i - 1, "]") || is_mark(s, i - 1, "}")) &&
            token_at(s, i - 1)->partner != LVL_NO_INDEX)
            declare_group(s, token_at(s, i - 1)->partner);
        if (is_mark(s, i, "=>") && i) {
            if (is_mark(s, i - 1, ")") && token_at(s, i - 1)->partner != LVL_NO_INDEX)
                declare_group(s, token_at(s, i - 1)->partner);
            else
                declare(s, i - 1);
        }
        if (token_at(s, i)->kind != LVL_JS_WORD || (i && is_mark(s, i - 1, ".")))
            continue;
        if (is_word(s, i, "let") || is_word(s, i, "const") || is_word(s, i, "var")) {
            declare_list(s, i);
        } else if (is_word(s, i, "function") || is_word(s, i, "class")) {
            const uint32_t name = i + 1 + is_mark(s, i + 1, "*");
            const uint32_t open = name + (token_at(s, name)->kind == LVL_JS_WORD);
            declare(s, name);
            if (is_mark(s, open, "("))
                declare_group(s, open);
        } else if ((is_word(s, i, "catch") && is_mark(s, i + 1, "(")) || is_method(s, i)) {
            declare_group(s, i + 1);
        } else if (is_mark(s, i + 1, "=") || (i > 1 && is_mark(s, i - 1, "(") && is_word(s, i - 2, "for"))) {
            declare(s, i);
        }
    }
}

/* Whether the game has that name, as a function or as an object. */
static bool is_of_game(lvl_text word)
{
    for (uint32_t i = 0; i < lvl_language_sketchy.command_count; i++) {
        const char *name = lvl_language_sketchy.commands[i].name;
        if (memcmp(name, word.ptr, word.len < strlen(name) ? word.len : strlen(name)) == 0 &&
            (strlen(name) == word.len || (strlen(name) > word.len && name[word.len] == '.')))
            return true;
    }
    return false;
}

/* Whether the word is a name that is read here: no property, key, label or method. */
static bool is_read(const script *s, uint32_t i)
{
    if (token_at(s, i)->kind != LVL_JS_WORD || is_keyword(s, i) || is_method(s, i) ||
        is_one_of(token_at(s, i)->text, "get set static async await of"))
        return false;
    if (i && (is_mark(s, i - 1, ".") || is_mark(s, i - 1, "?.") || is_mark(s, i - 1, "#") ||
              is_mark(s, i - 1, "@") || is_word(s, i - 1, "typeof") || is_word(s, i - 1, "break") ||
              is_word(s, i - 1, "continue")))
        return false;
    return !is_mark(s, i + 1, ":") || (i && (is_mark(s, i - 1, "?") || is_word(s, i - 1, "case")));
}

static lvl_text near_name(const script *s, lvl_text word)
{
    enum { MOST = 4096 };
    unsigned best = furthest(word);
    lvl_text near = {"", 0};

    for (uint32_t i = 0; i < lvl_language_sketchy.command_count && best; i++) {
        const char *name = lvl_language_sketchy.commands[i].name;
        nearer(word, (lvl_text){name, strcspn(name, ".")}, &best, &near);
    }
    for (const char *const *g = lvl_language_sketchy.globals; *g && best; g++)
        nearer(word, lvl_text_of(*g), &best, &near);
    for (uint32_t i = 0; i < s->js.count && i < MOST && best; i++) {
        if (is_declared(s, token_at(s, i)->text))
            nearer(word, token_at(s, i)->text, &best, &near);
    }
    return near;
}

static void check_names(script *s)
{
    shown a;
    char or_else[SHOWN + 20];

    for (uint32_t i = 0; i < s->js.count && !s->vague; i++) {
        const lvl_text word = token_at(s, i)->text;
        if (!is_read(s, i) || is_declared(s, word) || is_of_game(word) ||
            is_listed(word, lvl_language_sketchy.globals) || s->guesses++ >= GUESSES)
            continue;
        REPORT_AT(s, "sketchy.script.name", offset_of(s, i), "there is no \"%s\", so the script stops here%s",
                  show(word, &a), meant(near_name(s, word), or_else));
        declare(s, i); /* it is reported once */
    }
}

/* ---- calls of the game ------------------------------------------------------------------------------- */

/* A call: its arguments, by the index of their first tokens. */
typedef struct call {
    uint32_t open, close; /* its parentheses */
    uint32_t count;
    uint32_t first[4], length[4];
    bool spread;
} call;

static void read_call(const script *s, uint32_t open, call *out)
{
    *out = (call){.open = open, .close = token_at(s, open)->partner};
    uint32_t from = open + 1;
    for (uint32_t i = from; i <= out->close; i++) {
        const lvl_js_token *t = token_at(s, i);
        out->spread = out->spread || is_mark(s, i, "...");
        if (i < out->close && !is_mark(s, i, ",")) {
            i = t->kind == LVL_JS_MARK && t->partner != LVL_NO_INDEX && t->partner > i ? t->partner : i;
            continue;
        }
        if (t->around != open && i < out->close) /* in a template */
            continue;
        if (i > from && out->count < 4) {
            out->first[out->count] = from;
            out->length[out->count] = i - from;
        }
        out->count += i > from;
        from = i + 1;
    }
}

/* The text of an argument that is a plain string. */
static bool literal(const script *s, const call *c, uint32_t index, lvl_text *out)
{
    if (index >= c->count || index >= 4 || c->length[index] != 1)
        return false;
    const lvl_js_token *t = token_at(s, c->first[index]);
    if (t->kind != LVL_JS_STRING || t->text.len < 2 || memchr(t->text.ptr, '\\', t->text.len))
        return false;
    *out = (lvl_text){t->text.ptr + 1, t->text.len - 2};
    return true;
}

static bool has_option(const lvl_sketchy *d, lvl_text name)
{
    for (uint32_t i = 0; i < d->option_count; i++) {
        if (lvl_text_equal(d->options[i].name, name))
            return true;
    }
    return false;
}

static bool has_layer(const lvl_sketchy *d, const lvl_js_token *t)
{
    double number;

    if (t->kind == LVL_JS_NUMBER)
        return !lvl_real_parse(t->text, &number) || number < d->layer_count;
    for (uint32_t i = 0; i < d->layer_count; i++) {
        if (t->text.len >= 2 &&
            lvl_text_equal(d->layers[i].name, (lvl_text){t->text.ptr + 1, t->text.len - 2}))
            return true;
    }
    return false;
}

/* Whether the statement that begins at a token is run in each doodad with the script: scripts that several
 * doodads share ask for a tag, and use layers that only some of them have. */
static bool is_unconditional(const script *s, uint32_t i)
{
    enum { DEPTH = 64 };
    uint32_t around = token_at(s, i)->around;

    if (i && !is_mark(s, i - 1, ";") && !is_mark(s, i - 1, "{") && !is_mark(s, i - 1, "}") &&
        !token_at(s, i)->breaks)
        return false;
    if (i && (is_mark(s, i - 1, ")") || is_word(s, i - 1, "else")) && !is_mark(s, i - 1, ";"))
        return ends_value(s, i - 1);
    for (int depth = 0; around != LVL_NO_INDEX; around = token_at(s, around)->around) {
        if (++depth > DEPTH || token_at(s, around)->kind == LVL_JS_TEMPLATE)
            return false;
        if (!around)
            continue;
        const uint32_t before = around - 1;
        if (is_word(s, before, "else") || is_word(s, before, "try") || is_word(s, before, "finally") ||
            (is_mark(s, before, ")") && token_at(s, before)->partner != LVL_NO_INDEX &&
             token_at(s, before)->partner &&
             is_one_of(token_at(s, token_at(s, before)->partner - 1)->text,
                       "if for while with switch catch")))
            return false;
    }
    return true;
}

static void check_layer(script *s, const lvl_language_command *command, const call *c, uint32_t i)
{
    shown a;
    const bool named = strcmp(command->name, "Self.ShowLayerNamed") == 0;
    const uint32_t arg = lvl_text_is(lvl_language_arg(command, 0), "animation") ? 2 : 0;

    if (arg >= c->count || !is_unconditional(s, i))
        return;
    uint32_t from = c->first[arg], to = from + c->length[arg];
    if (arg && is_mark(s, from, "[") && token_at(s, from)->partner == to - 1) {
        from++;
        to--;
    } else if (arg || to - from != 1) {
        return;
    }
    for (; from < to; from++) {
        const lvl_js_token *t = token_at(s, from);
        const bool alone = is_mark(s, from + 1, ",") || from + 1 == to;
        const bool first =
            is_mark(s, from - 1, ",") || is_mark(s, from - 1, "[") || is_mark(s, from - 1, "(");
        if (!alone || !first || (t->kind != LVL_JS_STRING && t->kind != LVL_JS_NUMBER) ||
            has_layer(s->d, t) || memchr(t->text.ptr, '\\', t->text.len))
            continue;
        if (named)
            REPORT_AT(s, "sketchy.script.show_layer", offset_of(s, from),
                      "the doodad has no layer %s, so its picture stays as it is", show(t->text, &a));
        else
            REPORT_AT(s, "sketchy.script.layer", offset_of(s, from),
                      "the doodad has no layer %s, so the function stops here", show(t->text, &a));
        return;
    }
}

static lvl_text near_message(lvl_text word)
{
    unsigned best = furthest(word);
    lvl_text near = {"", 0};

    for (const char *const *m = lvl_book_sketchy.messages; *m && best; m++)
        nearer(word, lvl_text_of(*m), &best, &near);
    return near;
}

/* Whether the script has that string twice: it sends and receives the message itself. */
static bool is_twice(const script *s, lvl_text word)
{
    unsigned count = 0;

    for (uint32_t i = 0; i < s->js.count && count < 2; i++) {
        const lvl_js_token *t = token_at(s, i);
        count += t->kind == LVL_JS_STRING && t->text.len == word.len + 2 &&
                 memcmp(t->text.ptr + 1, word.ptr, word.len) == 0;
    }
    return count > 1;
}

static bool art_has(const script *s, lvl_text name)
{
    char path[256];

    if (!s->c->art || !name.len || name.len >= sizeof path || memchr(name.ptr, 0, name.len))
        return false;
    memcpy(path, name.ptr, name.len);
    path[name.len] = 0;
    return lvl_art_find_name(s->c->art, path) != NULL;
}

static void check_sound(script *s, lvl_text name, size_t offset)
{
    shown a;
    char or_else[SHOWN + 20];
    unsigned best = furthest(name) + 2; /* .wav for .mp3 */
    lvl_text near = {"", 0};

    if (is_listed(name, lvl_language_sketchy.sounds) || art_has(s, name))
        return;
    for (const char *const *m = lvl_language_sketchy.sounds; *m; m++)
        nearer(name, lvl_text_of(*m), &best, &near);
    REPORT_AT(s, "sketchy.script.sound", offset,
              "\"%s\" is not a sound of the game's doodads, so probably nothing is played%s", show(name, &a),
              meant(near, or_else));
}

static void check_named(script *s, lvl_text kind, lvl_text value, size_t offset)
{
    const lvl_book_thing *thing;
    lvl_text near;
    shown a;
    char or_else[SHOWN + 20];

    if (lvl_text_is(kind, "sound")) {
        check_sound(s, value, offset);
    } else if (lvl_text_is(kind, "option") && !has_option(s->d, value)) {
        near = (lvl_text){"", 0};
        unsigned best = furthest(value);
        for (uint32_t i = 0; i < s->d->option_count && i < GUESSES; i++)
            nearer(value, s->d->options[i].name, &best, &near);
        REPORT_AT(s, "sketchy.script.option", offset,
                  "the doodad has no option \"%s\", so the script gets nothing%s", show(value, &a),
                  meant(near, or_else));
    } else if (lvl_text_is(kind, "message")) {
        near = near_message(value);
        if (near.len && !lvl_text_equal(near, value) && !is_twice(s, value))
            REPORT_AT(s, "sketchy.script.message", offset,
                      "no doodad of the game knows the message \"%s\", so probably nobody does%s",
                      show(value, &a), meant(near, or_else));
    } else if (lvl_text_is(kind, "doodad") && !lvl_book_find(&lvl_book_sketchy, value) &&
               !art_has(s, value)) {
        thing = lvl_book_near(&lvl_book_sketchy, value);
        if (thing)
            REPORT_AT(s, "sketchy.script.doodad", offset,
                      "\"%s\" is not a doodad of the game, so it is probably not found%s", show(value, &a),
                      meant(lvl_text_of(thing->name), or_else));
    }
}

static void check_call(script *s, const lvl_language_command *command, uint32_t i, uint32_t open)
{
    call c;
    lvl_text value;

    if (token_at(s, open)->partner == LVL_NO_INDEX)
        return;
    read_call(s, open, &c);
    if (!c.spread && (c.count < command->least || (c.count > command->most && !command->rest)))
        REPORT_AT(s, "sketchy.script.arguments", offset_of(s, i), "%s takes %s%u argument%s and has %u",
                  command->name,
                  command->rest || command->least < command->most
                      ? c.count < command->least ? "at least " : "up to "
                      : "",
                  (unsigned)(c.count < command->least ? command->least : command->most),
                  (c.count < command->least ? command->least : command->most) == 1 ? "" : "s",
                  (unsigned)c.count);
    for (uint32_t k = 0; k < command->most; k++) {
        if (literal(s, &c, k, &value))
            check_named(s, lvl_language_arg(command, k), value, offset_of(s, c.first[k]));
    }
    if (strncmp(command->name, "Self.ShowLayer", 14) == 0 || strcmp(command->name, "Self.AddAnimation") == 0)
        check_layer(s, command, &c, i);
}

/* The function of the game whose name is most like it. */
static lvl_text near_function(lvl_text name)
{
    unsigned best = furthest(name);
    lvl_text near = {"", 0};

    for (uint32_t i = 0; i < lvl_language_sketchy.command_count; i++) {
        if (!lvl_language_sketchy.commands[i].value)
            nearer(name, lvl_text_of(lvl_language_sketchy.commands[i].name), &best, &near);
    }
    return near;
}

static void report_function(script *s, uint32_t i, lvl_text name, lvl_text near)
{
    shown a;
    char or_else[SHOWN + 20];

    REPORT_AT(s, "sketchy.script.api", offset_of(s, i), "there is no function %s, so the script stops here%s",
              show(name, &a), meant(near, or_else));
}

/* A call of a method of an actor, which has the functions of Self: e.Actor.IsPlayer(). Other things have
 * methods, too, so only names that resemble one are reported. */
static void check_method(script *s, uint32_t i)
{
    char name[64] = "Self.";
    const lvl_text word = token_at(s, i)->text;

    if (word.len > 40 || word.ptr[0] < 'A' || word.ptr[0] > 'Z')
        return;
    memcpy(name + 5, word.ptr, word.len);
    name[5 + word.len] = 0;
    for (uint32_t k = 0; k < lvl_language_sketchy.command_count; k++) {
        const char *dot = strchr(lvl_language_sketchy.commands[k].name, '.');
        if (dot && lvl_text_is(word, dot + 1))
            return;
    }
    const lvl_text near =
        word.len > 3 && s->guesses++ < GUESSES ? near_function(lvl_text_of(name)) : (lvl_text){"", 0};
    if (near.len && lvl_text_begins(near, "Self.") && !is_declared(s, word))
        report_function(s, i, word, (lvl_text){near.ptr + 5, near.len - 5});
}

static void check_calls(script *s)
{
    for (uint32_t i = 0; i < s->js.count; i++) {
        const lvl_text word = token_at(s, i)->text;
        if (token_at(s, i)->kind != LVL_JS_WORD)
            continue;
        if (i && (is_mark(s, i - 1, ".") || is_mark(s, i - 1, "?."))) {
            if (is_mark(s, i + 1, "(") && i > 1 &&
                !(token_at(s, i - 2)->kind == LVL_JS_WORD && is_of_game(token_at(s, i - 2)->text) &&
                  !(i > 2 && is_mark(s, i - 3, "."))))
                check_method(s, i);
            continue;
        }
        if (is_declared(s, word) || is_word(s, i - 1, "new"))
            continue;
        const bool member = is_mark(s, i + 1, ".") && token_at(s, i + 2)->kind == LVL_JS_WORD;
        const uint32_t open = i + (member ? 3 : 1);
        if (!is_mark(s, open, "(") || !is_of_game(word))
            continue;
        const lvl_text last = member ? token_at(s, i + 2)->text : word;
        const lvl_text name = {word.ptr, (size_t)(last.ptr + last.len - word.ptr)};
        const lvl_language_command *command = lvl_language_find(&lvl_language_sketchy, name);
        if (command && lvl_text_is(name, command->name) && !command->value)
            check_call(s, command, i, open);
        else if (s->guesses++ < GUESSES && member)
            report_function(s, i, name, near_function(name));
    }
}

/* ---- the whole script -------------------------------------------------------------------------------- */

static void check_main(script *s)
{
    bool found = false;

    for (uint32_t i = 0; i < s->js.count && !found; i++)
        found = is_word(s, i, "main") && token_at(s, i)->around == LVL_NO_INDEX &&
                (is_word(s, i - 1, "function") || is_mark(s, i - 1, "*") || is_mark(s, i + 1, "="));
    if (!found)
        lvl_findings_add(s->c->findings, rule_of("sketchy.script.main"), s->where, NULL,
                         "%sit has no function main, so the game shows an error and the doodad does nothing",
                         s->name);
}

/* Options that the script never names. */
static void check_unread(script *s)
{
    lvl_where where = *s->where;
    shown a;

    for (uint32_t i = 0; i < s->js.count; i++) {
        const bool all = is_word(s, i, "Options");
        const bool computed = is_word(s, i, "GetOption") &&
                              (token_at(s, i + 2)->kind != LVL_JS_STRING || !is_mark(s, i + 3, ")"));
        if (all || computed)
            return;
    }
    for (uint32_t k = 0; k < s->d->option_count && k < GUESSES; k++) {
        const lvl_text name = s->d->options[k].name;
        bool read = false;
        for (uint32_t i = 0; i < s->js.count && !read; i++) {
            const lvl_text text = token_at(s, i)->text;
            read = token_at(s, i)->kind == LVL_JS_STRING && text.len == name.len + 2 &&
                   memcmp(text.ptr + 1, name.ptr, name.len) == 0;
        }
        if (!s->name[0])
            where = lvl_sketchy_item(offsetof(lvl_sketchy, options), k);
        if (!read)
            lvl_findings_add(s->c->findings, rule_of("sketchy.option.unread"), &where, NULL,
                             "%s\"%s\" is not read by the script, so setting it has no effect", s->name,
                             show(name, &a));
    }
}

lvl_status lvl_sketchy_check_script(const lvl_sketchy_checker *c, const lvl_sketchy *doodad,
                                    const lvl_where *where, const char *name)
{
    script s = {.c = c, .d = doodad, .where = where, .name = name, .status = LVL_OK};

    lvl_hash_init(&s.declared);
    lvl_status status = lvl_js_read(&s.js, doodad->script);
    if (status == LVL_OK && s.js.count) {
        check_fault(&s);
        if (s.js.fault == LVL_JS_SOUND) {
            check_between(&s);
            check_try(&s);
            find_declarations(&s);
            check_main(&s);
            check_names(&s);
            check_calls(&s);
            check_unread(&s);
        }
        status = s.status;
    }
    lvl_hash_free(&s.declared);
    lvl_js_free(&s.js);
    return status;
}
