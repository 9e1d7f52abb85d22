/*
 * graal/level/graal_check_script.c: rules of scripts: commands that do not exist, with the wrong arguments,
 * or that are not separated; quotation marks, comments and parentheses that do not match. What the language
 * has is in the game book (games/language.h). Scripts in the second generation of the language (GS2) call
 * functions of classes and servers that lvl does not see, so only certain mistakes are reported in them.
 *
 * Texts need no quotes in GS1, so quotation marks and parentheses in them are plain characters.
 */
#include "graal/level/graal_check.h"

#include "base/text.h"
#include "games/language.h"
#include "games/source.h"
#include "graal/gani/gani_body.h"
#include "graal/level/graal_names.h"
#include "graal/script/graal_script.h"
#include "graal/level/graal_findings.h"
#include "graal/script/script_commands.h"

#include <string.h>

enum {
    FUNCTIONS = 64, /* most functions of a script that are remembered */
    GUESSES = 64, /* most words of a script that are compared with all commands */
    SHOWN = 60 /* longer statements are not reported as unknown: they are texts */
};

/* What events need somewhere in the script. */
enum { HAS_TIMER = 0, HAS_WEAPON = 2, HAS_TIMEOUT = 4, HAS_SHAPE = 5, HAS_COUNT }; /* see has() */
enum { NOT_SEARCHED, ABSENT, PRESENT };

typedef struct script {
    const lvl_graal_checker *c;
    const lvl_graal_npc *npc;
    const lvl_where *where;
    lvl_text functions[FUNCTIONS];
    unsigned function_count;
    unsigned guesses;
    uint8_t has[HAS_COUNT]; /* what was searched in all of the script */
    bool gs2;
    bool in_text; /* a command's text may continue in braces: setcharprop #n,Steve {away}; */
    bool hides, shows; /* the NPC, for sure when a player enters, or anywhere */
} script;

#define REPORT(s, what, at_line, format, ...)                                                         \
    lvl_graal_find((s)->c->findings, what, (s)->where, "line %lu: " format, (unsigned long)(at_line), \
                   __VA_ARGS__)

typedef struct shown {
    char text[80];
} shown;

static const char *show(const script *s, lvl_text text, shown *out)
{
    lvl_text_show(out->text, sizeof out->text, s->c->doc->codepage, text);
    return out->text;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_letter(char c)
{
    c = lvl_lower(c);
    return (c >= 'a' && c <= 'z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
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

static bool equals(lvl_text text, const char *other)
{
    return lvl_text_equal_nocase(text, lvl_text_of(other));
}

/* ---- arguments --------------------------------------------------------------------------------------- */

typedef struct arguments {
    lvl_text text;
    uint32_t count;
    bool unbalanced; /* parentheses */
} arguments;

/* Takes the argument up to the next comma outside of parentheses and lists; false at the end. */
static bool take_argument(lvl_text *rest, lvl_text *out, int *depth)
{
    lvl_script s = {.text = *rest, .line = 1};
    size_t at;

    if (!rest->ptr)
        return false;
    while ((at = lvl_script_next(&s)) != SIZE_MAX) {
        const char c = rest->ptr[at];
        if (strchr("([{", c) && c)
            ++*depth;
        else if (strchr(")]}", c) && c)
            --*depth;
        else if (c == ',' && *depth <= 0)
            break;
    }
    const size_t len = at == SIZE_MAX ? rest->len : at;
    *out = trim((lvl_text){rest->ptr, len});
    *rest = at == SIZE_MAX ? (lvl_text){0} : (lvl_text){rest->ptr + len + 1, rest->len - len - 1};
    return true;
}

static arguments arguments_of(lvl_text text)
{
    arguments out = {text, 0, false};
    lvl_text rest = text, one;
    int depth = 0;

    if (!trim(text).len)
        return out;
    while (take_argument(&rest, &one, &depth)) {
        out.count++;
        out.unbalanced = out.unbalanced || depth != 0;
        depth = 0;
    }
    return out;
}

/* The text inside the parentheses, if they enclose all of it (a call). */
static bool is_call(lvl_text text, lvl_text *inside)
{
    lvl_script s = {.text = text, .line = 1};
    size_t at, depth = 0;

    if (text.len < 2 || text.ptr[0] != '(' || text.ptr[text.len - 1] != ')')
        return false;
    while ((at = lvl_script_next(&s)) != SIZE_MAX) {
        depth += text.ptr[at] == '(';
        depth -= text.ptr[at] == ')';
        if (!depth && at + 1 < text.len)
            return false;
    }
    *inside = (lvl_text){text.ptr + 1, text.len - 2};
    return depth == 0;
}

/* Without the comments at its start and end. */
static lvl_text without_comments(lvl_text args)
{
    lvl_script s = {.text = args, .line = 1};
    size_t at, first = SIZE_MAX, end = 0;

    if (!args.len || !memchr(args.ptr, '/', args.len))
        return args;
    while ((at = lvl_script_next(&s)) != SIZE_MAX) {
        if (is_blank(args.ptr[at]))
            continue;
        first = first == SIZE_MAX ? at : first;
        end = at + 1;
    }
    /* strings are not visited */
    if (memchr(args.ptr, '"', args.len))
        return args;
    return first == SIZE_MAX ? (lvl_text){args.ptr, 0} : (lvl_text){args.ptr + first, end - first};
}

/* A line of the arguments that begins with a command or `if`: the ; before it is missing. */
static bool next_command(const lvl_language_command *command, lvl_text args, lvl_text *out)
{
    char before = ' ';

    for (size_t i = 0; i + 1 < args.len && args.ptr[i] != '{'; i++) {
        if (!is_blank(args.ptr[i]))
            before = args.ptr[i];
        if (args.ptr[i] != '\n' || before == ',')
            continue;
        size_t from = i + 1, end;
        while (from < args.len && is_blank(args.ptr[from]))
            from++;
        for (end = from; end < args.len && (is_letter(args.ptr[end]) || is_digit(args.ptr[end]));)
            end++;
        const lvl_text word = {args.ptr + from, end - from};
        const lvl_language_command *next = lvl_language_find(&lvl_language_gs1, word);
        const lvl_text after = trim((lvl_text){args.ptr + end, args.len - end});
        const bool fits =
            next && (next->least ? after.len && !strchr("=+-*/<>!&|)", after.ptr[0]) : !after.len);
        if (fits || (equals(word, "if") && after.len && after.ptr[0] == '(')) {
            *out = word;
            return true;
        }
        if (command->rest)
            return false; /* a text may have more lines */
    }
    return false;
}

static bool is_named(lvl_text kind, lvl_text value, bool *known)
{
    const lvl_name *names = NULL;

    if (lvl_text_is(kind, "item"))
        names = lvl_graal_item_names;
    else if (lvl_text_is(kind, "baddy"))
        names = lvl_graal_baddy_names;
    if (names) {
        *known = lvl_text_is(value, "spider");
        for (; names->name && !*known; names++)
            *known = equals(value, names->name);
        return true;
    }
    if (lvl_text_is(kind, "colour")) {
        lvl_gani_dye dye;
        *known = lvl_gani_dye_parse(value, &dye);
        return true;
    }
    return false;
}

static bool is_plain_word(lvl_text text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (!is_letter(text.ptr[i]))
            return false;
    }
    return text.len > 0;
}

static void check_values(const script *s, const lvl_language_command *command, lvl_text args, uint32_t line)
{
    lvl_text value;
    shown a, b;
    int depth = 0;
    bool known;

    for (uint32_t i = 0; i < command->most && take_argument(&args, &value, &depth); i++, depth = 0) {
        const lvl_text kind = lvl_language_arg(command, i);
        if (value.len > 1 && value.ptr[0] == '"' && value.ptr[value.len - 1] == '"')
            value = (lvl_text){value.ptr + 1, value.len - 2};
        if (lvl_text_is(kind, "code")) {
            const lvl_language_code *code = lvl_language_code_of(&lvl_language_gs1, value);
            const bool computed = value.len > 1 && (memchr(value.ptr + 1, '#', value.len - 1) ||
                                                    memchr(value.ptr, '(', value.len));
            if (!(code && code->set) && !computed)
                REPORT(s, LVL_GRAAL_F_SCRIPT_CODE, line, "%s of \"%s\" cannot be set, so nothing changes",
                       command->name, show(s, value, &a));
        } else if (is_plain_word(value) && is_named(kind, value, &known) && !known) {
            REPORT(s, LVL_GRAAL_F_SCRIPT_NAME, line,
                   "%s: there is no %s \"%s\", so nothing appears or changes", command->name,
                   show(s, kind, &b), show(s, value, &a));
        }
    }
}

/* setshape 1,2,2 is meant in tiles, but a side of 2 px; setcharani walk.gani. */
static void check_units(const script *s, const lvl_language_command *command, lvl_text args, uint32_t line)
{
    double number;
    lvl_text value;
    shown a;

    if (equals(lvl_text_of(command->name), "setshape")) {
        for (int i = 0; i < 3 && lvl_graal_command_number(&args, &number); i++) {
            if (i && number >= 1 && number <= 8) {
                REPORT(s, LVL_GRAAL_F_SCRIPT_SHAPE, line,
                       "setshape has a side of %g: it counts in pixels, of which a tile has 16", number);
                return;
            }
        }
    } else if (lvl_text_is(lvl_language_arg(command, 0), "gani") && lvl_graal_command_arg(&args, &value) &&
               lvl_text_has_ending(value, ".gani")) {
        REPORT(s, LVL_GRAAL_F_SCRIPT_GANI, line, "%s names %s with its ending: the character may not move",
               command->name, show(s, value, &a));
    }
}

/* What makes the level a zone of its own must stand where servers look for it: the script begins with it, or
 * a line that begins in the first 100 characters ends with it. */
static void check_late(const script *s, const lvl_graal_statement *st)
{
    const lvl_text text = s->npc->script;
    const size_t at = (size_t)(st->word.ptr - text.ptr), after = at + st->word.len;
    size_t line = at, first = 0;

    while (line && text.ptr[line - 1] != '\n')
        line--;
    while (first < at && is_blank(text.ptr[first]))
        first++;
    const bool ends_line = after == text.len || text.ptr[after] == '\n' || text.ptr[after] == '\r';
    if (first < at && !(ends_line && line < 100))
        REPORT(
            s, LVL_GRAAL_F_SCRIPT_LATE, st->line,
            "%.*s is neither the first word of the script nor ends one of its first lines: it has no effect",
            (int)st->word.len, st->word.ptr);
}

static void check_arguments(const script *s, const lvl_language_command *command, lvl_text text,
                            uint32_t line)
{
    const arguments args = arguments_of(text);
    lvl_text next;
    shown a;

    if (next_command(command, text, &next)) {
        REPORT(s, LVL_GRAAL_F_SCRIPT_SEMICOLON, line, "%s has no ; before %s, so %s is not run",
               command->name, show(s, next, &a), a.text);
        return;
    }
    if (args.unbalanced) {
        if (!command->rest)
            REPORT(s, LVL_GRAAL_F_SCRIPT_PARENTHESIS, line,
                   "the parentheses of %s do not match, so its numbers may be read wrongly", command->name);
        return;
    }
    if (args.count < command->least)
        REPORT(s, LVL_GRAAL_F_SCRIPT_FEW, line, "%s has %u of %u arguments, so it is not run, or with 0",
               command->name, (unsigned)args.count, (unsigned)command->least);
    else if (args.count > command->most && !command->rest)
        REPORT(s, LVL_GRAAL_F_SCRIPT_MANY, line, "%s has %u arguments and uses %u: the others have no effect",
               command->name, (unsigned)args.count, (unsigned)command->most);
    check_values(s, command, text, line);
    check_units(s, command, text, line);
}

/* ---- statements -------------------------------------------------------------------------------------- */

static bool is_function(const script *s, lvl_text word)
{
    for (unsigned i = 0; i < s->function_count; i++) {
        if (lvl_text_equal_nocase(s->functions[i], word))
            return true;
    }
    return s->function_count == FUNCTIONS;
}

/* Whether a command's name may be followed by this without a blank: sleep0.05, shootarrowup, messageHello. */
static bool can_glue(const lvl_language_command *command, lvl_text rest)
{
    const lvl_text kind = lvl_language_arg(command, 0);
    bool known = false;

    if (is_digit(rest.ptr[0]) || rest.ptr[0] == '.')
        return true;
    if (lvl_text_is(kind, "text"))
        return rest.ptr[0] == '_' || (rest.ptr[0] >= 'A' && rest.ptr[0] <= 'Z');
    if (lvl_text_is(kind, "dir"))
        return equals(rest, "up") || equals(rest, "left") || equals(rest, "down") || equals(rest, "right");
    if (lvl_text_is(kind, "picture"))
        return memchr(rest.ptr, '.', rest.len) != NULL;
    return is_named(kind, rest, &known) && known;
}

/* The longest command that a word begins with, if its argument follows without a blank. */
static const lvl_language_command *glued(lvl_text word, lvl_text *rest)
{
    for (size_t len = word.len; len-- > 2;) {
        const lvl_language_command *c = lvl_language_find(&lvl_language_gs1, (lvl_text){word.ptr, len});
        *rest = (lvl_text){word.ptr + len, word.len - len};
        if (c && can_glue(c, *rest))
            return c;
    }
    return NULL;
}

/* The command that needs a blank and that the word begins with: unsetDoorOpen, but not of setmode. */
static const lvl_language_command *unblanked(lvl_text word)
{
    for (size_t len = word.len; len-- > 2;) {
        const lvl_language_command *c = lvl_language_find(&lvl_language_gs1, (lvl_text){word.ptr, len});
        if (c && c->blank && !(word.ptr[len] >= 'a' && word.ptr[len] <= 'z'))
            return c;
    }
    return NULL;
}

/* `name = ...`, `name++`, `name[...]`. */
static bool is_assignment(lvl_text args)
{
    const char a = args.len ? args.ptr[0] : 0, b = args.len > 1 ? args.ptr[1] : 0;

    return a == '=' || a == '[' || a == '.' || a == ':' || a == '@' ||
           (a && strchr("+-*/%^|&<>!", a) && b == '=') || (a == '+' && b == '+') || (a == '-' && b == '-');
}

static void check_unknown(script *s, const lvl_graal_statement *st, lvl_text args, bool call)
{
    shown a;

    for (size_t i = 0; i < st->word.len; i++) {
        if (!is_letter(st->word.ptr[i]) && !is_digit(st->word.ptr[i]))
            return;
    }
    /* the blank, bracket or end after the word; `player's` and the like are texts */
    const char after = args.len ? st->word.ptr[st->word.len] : ';';
    if (is_digit(st->word.ptr[0]) || !(is_blank(after) || after == ';' || after == '(' || after == '/') ||
        s->guesses++ >= GUESSES)
        return;
    const char *near = st->end == '{' ? lvl_language_near_keyword(&lvl_language_gs1, st->word)
                                      : lvl_language_near(&lvl_language_gs1, st->word);
    /* the function may belong to a class */
    if (near && (call || s->gs2) && lvl_text_distance(st->word, lvl_text_of(near), 1) > 1)
        near = NULL;
    if (near) {
        REPORT(s, LVL_GRAAL_F_SCRIPT_MISSPELT, st->line,
               "\"%s\" is not a command, so it is not run; did you mean %s?", show(s, st->word, &a), near);
        return;
    }
    if (s->gs2 || call || st->end == '{' || st->word.len + args.len > SHOWN)
        return;
    for (size_t i = 0; i < args.len; i++) {
        if (is_blank(args.ptr[i]))
            return;
    }
    const lvl_language_command *first = unblanked(st->word);
    if (first)
        REPORT(s, LVL_GRAAL_F_SCRIPT_UNKNOWN, st->line,
               "\"%s\" is not a known command, so it may do nothing: %s needs a blank after it",
               show(s, st->word, &a), first->name);
    else
        REPORT(s, LVL_GRAAL_F_SCRIPT_UNKNOWN, st->line, "\"%s\" is not a known command, so it may do nothing",
               show(s, st->word, &a));
}

static void check_command(script *s, const lvl_graal_statement *st)
{
    lvl_text args = without_comments(st->args), inside, rest;
    const bool call = is_call(args, &inside);
    const lvl_language_command *command = lvl_language_find(&lvl_language_gs1, st->word);

    if (!st->word.len || is_assignment(args) || lvl_language_is_keyword(&lvl_language_gs1, st->word) ||
        is_function(s, st->word))
        return;
    const bool in_text = s->in_text;
    s->in_text = command && command->rest && st->end == '{';
    if ((command && st->end == '{') || (in_text && st->end == '}'))
        return;
    if (command && !s->gs2) {
        if (equals(st->word, "sparringzone") || equals(st->word, "singleplayer"))
            check_late(s, st);
        check_arguments(s, command, call ? inside : args, st->line);
        return;
    }
    if (command) {
        if (call)
            check_values(s, command, inside, st->line);
        return;
    }
    command = glued(st->word, &rest);
    if (command) {
        if (!command->blank && !s->gs2)
            check_arguments(s, command, (lvl_text){rest.ptr, (size_t)(args.ptr + args.len - rest.ptr)},
                            st->line);
        return;
    }
    check_unknown(s, st, args, call || (args.len && args.ptr[0] == '('));
}

/* ---- events ------------------------------------------------------------------------------------------ */

/* Whether a text has this word as a part of it; letter case aside. */
static bool mentions(lvl_text text, const char *word)
{
    const size_t len = strlen(word);

    for (size_t i = 0; i + len <= text.len; i++) {
        if (lvl_text_begins_nocase((lvl_text){text.ptr + i, text.len - i}, word))
            return true;
    }
    return false;
}

static bool mentions_any(lvl_text text, const char *const *words)
{
    while (*words && !mentions(text, *words))
        words++;
    return *words != NULL;
}

/* Whether the script sets `timeout`, also that of another object. */
static bool sets_timeout(lvl_text text)
{
    static const char name[] = "timeout";
    enum { LENGTH = sizeof name - 1 };

    for (size_t i = 0; i + LENGTH < text.len; i++) {
        if (!lvl_text_begins_nocase((lvl_text){text.ptr + i, text.len - i}, name))
            continue;
        const lvl_text after = trim((lvl_text){text.ptr + i + LENGTH, text.len - i - LENGTH});
        if (after.len > 1 && strchr("=+-*", after.ptr[0]) && !(after.ptr[0] == '=' && after.ptr[1] == '='))
            return true;
    }
    return false;
}

/* Whether a condition needs this event: it is one of its parts that are joined by &&. */
static bool needs_event(lvl_text condition, const char *event)
{
    if (mentions(condition, "||"))
        return false;
    while (condition.len) {
        size_t len = 0;
        while (len < condition.len && condition.ptr[len] != '&')
            len++;
        if (equals(trim((lvl_text){condition.ptr, len}), event))
            return true;
        while (len < condition.len && condition.ptr[len] == '&')
            len++;
        condition = (lvl_text){condition.ptr + len, condition.len - len};
    }
    return false;
}

/* Whether something stands in the block, or is the statement, after a condition. */
static bool has_content(lvl_text text, lvl_text condition)
{
    size_t at = (size_t)(condition.ptr - text.ptr) + condition.len + 1;
    bool opened = false;

    while (at < text.len) {
        const size_t after = is_blank(text.ptr[at]) ? at + 1 : lvl_source_comment_end(text, at, NULL);
        if (after == at && (opened || text.ptr[at] != '{'))
            return text.ptr[at] != '}' && text.ptr[at] != ';';
        opened = opened || after == at;
        at = after + (after == at);
    }
    return false;
}

/* Whether the NPC is hidden from the start, and nothing shows it again. */
static bool stays_hidden(const script *s)
{
    static const char *const others[] = {"visible", "join", "toweapons", NULL};

    return s->hides && !s->shows && !mentions_any(s->npc->script, others);
}

/* Whether the script has what an event needs; it is searched once for each. */
static bool has(script *s, unsigned what)
{
    /* lists that end with NULL; HAS_ is where each begins */
    static const char *const words[] = {"settimer",    "sleep",  "join",   "toweapons",     NULL,
                                        "setshape",    "setimg", "setgif", "showcharacter", "setcharani",
                                        "setcharprop", "image",  "join",   "toweapons",     NULL};
    const lvl_text text = s->npc->script;

    if (s->has[what] == NOT_SEARCHED) {
        const bool found = what == HAS_TIMEOUT ? sets_timeout(text) : mentions_any(text, words + what);
        s->has[what] = found ? PRESENT : ABSENT;
    }
    return s->has[what] == PRESENT;
}

/* An event that never happens to this NPC, as far as can be seen in the level. */
static void check_event(script *s, const lvl_graal_statement *st)
{
    const bool no_picture = !s->npc->image.len || lvl_text_is(s->npc->image, "-"),
               touch = needs_event(st->args, "playertouchsme") || needs_event(st->args, "playertouchesme");

    if (!equals(st->word, "if") || !has_content(s->npc->script, st->args))
        return;
    if (needs_event(st->args, "timeout") && !has(s, HAS_TIMEOUT) && !has(s, HAS_TIMER))
        REPORT(s, LVL_GRAAL_F_SCRIPT_NEVER, st->line, "%s",
               "timeout never happens, as the script does not set it");
    else if (needs_event(st->args, "weaponfired") && !has(s, HAS_WEAPON))
        REPORT(s, LVL_GRAAL_F_SCRIPT_NEVER, st->line, "%s",
               "weaponfired never happens, as the NPC is no weapon (toweapons)");
    else if (touch && no_picture && !has(s, HAS_SHAPE))
        REPORT(s, LVL_GRAAL_F_SCRIPT_NEVER, st->line, "%s",
               "players never touch the NPC, as it has no picture and no shape");
    else if (touch && stays_hidden(s))
        REPORT(s, LVL_GRAAL_F_SCRIPT_NEVER, st->line, "%s",
               "players never touch the NPC, as it is hidden and nothing shows it");
}

static void check_statement(void *user, const lvl_graal_statement *st)
{
    script *s = user;

    if (st->kind == LVL_GRAAL_COMMAND)
        check_command(s, st);
    else if (st->kind == LVL_GRAAL_CONDITION && !st->open && !s->gs2 && !s->c->reached)
        check_event(s, st);
    else if (st->open && !s->gs2)
        REPORT(s, LVL_GRAAL_F_SCRIPT_PARENTHESIS, st->line,
               "the parentheses of %.*s do not match, so what depends on it may run always or never",
               (int)st->word.len, st->word.ptr);
}

/* Notes what the whole script has before its statements are checked: functions, and commands that hide or
 * show the NPC. */
static void note_statement(void *user, const lvl_graal_statement *st)
{
    script *s = user;

    if (st->kind == LVL_GRAAL_COMMAND && st->word.len >= 4) {
        s->hides = s->hides || (st->sure && (equals(st->word, "hide") || equals(st->word, "hidelocal")));
        s->shows = s->shows || equals(st->word, "show") || equals(st->word, "showlocal") ||
                   equals(st->word, "showcharacter");
    }
    if (st->kind != LVL_GRAAL_FUNCTION || !st->args.len)
        return;
    s->gs2 = s->gs2 ||
             (st->args.len > 2 && lvl_lower(st->args.ptr[0]) == 'o' && lvl_lower(st->args.ptr[1]) == 'n');
    if (s->function_count < FUNCTIONS)
        s->functions[s->function_count++] = st->args;
}

/* ---- characters -------------------------------------------------------------------------------------- */

/* Whether a string that begins at `at` ends on a later line: code follows the next quotation mark. */
static bool ends_later(lvl_text text, size_t at)
{
    const char *end = memchr(text.ptr + at + 1, '"', text.len - at - 1);
    size_t i = end ? (size_t)(end - text.ptr) + 1 : text.len;

    while (i < text.len && is_blank(text.ptr[i]))
        i++;
    return i < text.len && strchr("),;@+&|=!<>}]:", text.ptr[i]);
}

static void check_quotes(const script *s, lvl_text text)
{
    lvl_script code = {.text = text, .line = 1};
    char before = 0;
    size_t at;

    while ((at = lvl_script_next(&code)) != SIZE_MAX) {
        const char c = text.ptr[at];
        if (c == '"' && before && (s->gs2 || before == '(')) {
            if (is_letter(text.ptr[at - 1]) || is_digit(text.ptr[at - 1]) || !ends_later(text, at))
                REPORT(s, LVL_GRAAL_F_SCRIPT_STRING, code.line, "%s",
                       "a quotation mark is missing, so code is read as a text or a text as code");
            return; /* from here on, what is a string is unknown */
        }
        if (!is_blank(c))
            before = c;
    }
}

static void check_comment(const script *s, lvl_text text)
{
    lvl_script code = {.text = text, .line = 1};
    uint32_t line = 1;
    size_t at, last = 0;

    while ((at = lvl_script_next(&code)) != SIZE_MAX) {
        last = at + 1;
        line = code.line + (text.ptr[at] == '\n');
    }
    /* only comments and strings follow */
    for (size_t i = last; i + 1 < text.len; i++) {
        line += text.ptr[i] == '\n';
        if (text.ptr[i] == '/' && text.ptr[i + 1] == '/') {
            while (i + 1 < text.len && text.ptr[i + 1] != '\n')
                i++;
        } else if (text.ptr[i] == '"') {
            while (i + 1 < text.len && text.ptr[++i] != '"' && text.ptr[i] != '\n')
                ;
        } else if (text.ptr[i] == '/' && text.ptr[i + 1] == '*') {
            const uint32_t from = line;
            bool closed = false;
            for (i += 2; i + 1 < text.len && !closed; i++) {
                line += text.ptr[i] == '\n';
                closed = text.ptr[i] == '*' && text.ptr[i + 1] == '/';
            }
            if (!closed) {
                REPORT(s, LVL_GRAAL_F_SCRIPT_COMMENT, from, "%s", "/* has no */, so the rest is not run");
                return;
            }
        }
    }
}

bool lvl_graal_reaches_others(lvl_text text)
{
    return mentions(text, "npcs[") || mentions(text, "callnpc");
}

void lvl_graal_check_script(const lvl_graal_checker *c, const lvl_graal_npc *npc, const lvl_where *where)
{
    const lvl_text text = npc->script;
    script s = {.c = c, .npc = npc, .where = where};

    s.gs2 = lvl_text_begins(text, "//#GS2");
    /* everything below is linear in the length of the script, except guessing at words */
    lvl_graal_script_statements(text, note_statement, &s);
    lvl_graal_script_statements(text, check_statement, &s);
    check_quotes(&s, text);
    check_comment(&s, text);
}
