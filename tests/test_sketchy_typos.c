/*
 * Typos in scripts of doodads: at least nine of ten that are made here in scripts without a finding are
 * found; and what authors write that only looks like a mistake is not reported, nor anything in the scripts
 * of the game.
 */
#include "base/format.h"
#include "base/text.h"
#include "corpus.h"
#include "games/book.h"
#include "games/javascript.h"
#include "games/language.h"
#include "sketchy_make.h"

#include <lvl/sketchy.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

/* As authors write them, none with a finding. The doodad has the layers "dark" and "lit", and the options
 * "on", "speed" and "name". */
static const char *const clean[] = {
    "// A lamp.\n"
    "const color = Self.GetTag(\"color\"),\n"
    "    isOn = Self.GetOption(\"on\") === true;\n"
    "let flashing = false, power = 'off';\n"
    "\n"
    "function main() {\n"
    "    Self.SetHitbox(0, 0, 24, 32);\n"
    "    Self.SetMobile(true);\n"
    "    Self.AddAnimation(\"flash\", 100, [\"dark\", \"lit\", 0, 1]);\n"
    "    Self.ShowLayerNamed(\"dark\");\n"
    "    Message.Subscribe(\"power\", (powered) => {\n"
    "        if (powered && !flashing) {\n"
    "            flashing = true;\n"
    "            Sound.Play(\"unlock.mp3\");\n"
    "            Self.PlayAnimation(\"flash\", () => {\n"
    "                flashing = false;\n"
    "            });\n"
    "        } else {\n"
    "            Self.StopAnimation();\n"
    "        }\n"
    "    });\n"
    "    Events.OnCollide(function(event) {\n"
    "        if (event.InHitbox && event.Actor.IsPlayer()) {\n"
    "            event.Actor.AddItem(\"key-blue.doodad\", 1);\n"
    "            Flash(\"You got %s, a key\", Self.Title);\n"
    "            Self.Destroy();\n"
    "        }\n"
    "        return false; /* push it back */\n"
    "    });\n"
    "    setInterval(tick, 250);\n"
    "    setTimeout(() => { power = \"on\"; }, 1000);\n"
    "}\n"
    "\n"
    "function tick() {\n"
    "    const place = Self.Position();\n"
    "    if (place.X / 2 > 100 && /^o[/]?n$/.test(power)) {\n"
    "        Self.MoveTo(Point(place.X + 1, place.Y));\n"
    "    }\n"
    "    console.log(`at ${place.X}, ${place.Y}: ${color}`);\n"
    "}\n",
    "/* A fish. */\n"
    "var speed = 4, direction = \"left\", lastSeen = null;\n"
    "function setup(names) {\n"
    "    for (let name of names) {\n"
    "        console.debug('layer %s', name);\n"
    "    }\n"
    "}\n"
    "function main() {\n"
    "    speed = Self.GetOption(\"speed\");\n"
    "    setup([\"dark\", \"lit\"]);\n"
    "    Self.SetGravity(false);\n"
    "    Self.SetVelocity(Vector(speed, 0));\n"
    "    Message.Subscribe(\"broadcast:state-change\", function(state) {\n"
    "        Self.ShowLayer(state ? 1 : 0);\n"
    "        Message.Publish(\"switch:toggle\", state);\n"
    "    });\n"
    "    Events.OnUse((e) => {\n"
    "        try {\n"
    "            lastSeen = Actors.FindPlayer();\n"
    "            if (lastSeen !== null && Self.HasItem(\"small-key.doodad\") > 0) {\n"
    "                Self.RemoveItem(\"small-key.doodad\", 1);\n"
    "                FailLevel(\"Watch out for \" + Self.GetOption(\"name\") + \"!\");\n"
    "            }\n"
    "        } catch (error) {\n"
    "            console.error(\"failed: %s\", error);\n"
    "        }\n"
    "    });\n"
    "    Events.OnKeypress((ev) => {\n"
    "        if (ev.Left) direction = \"left\";\n"
    "        else if (ev.Right) direction = \"right\";\n"
    "        if (Math.abs(Self.Velocity().X) < 1 && GetTick() % 2 === 0) Self.SetVelocity(Vector(-speed, "
    "0));\n"
    "    });\n"
    "    EndLevel();\n"
    "}\n"};

static lvl_findings *check(const char *script, size_t len)
{
    lvl_doc *doc = lvl_make_doodad(&ctx, LVL_SKETCHY_V3_1);
    static const char *const options[] = {"on", "speed", "name"};
    lvl_findings *found = lvl_findings_new(&ctx), *rules = lvl_findings_new(&ctx);
    const lvl_check_request request = {.findings = found};

    assert_non_null(doc);
    lvl_sketchy *d = lvl_doc_root(doc);
    char *copy = lvl_doc_alloc(doc, len + 1);
    memcpy(copy, script, len);
    d->script = (lvl_text){copy, len};
    d->options = lvl_doc_alloc(doc, 3 * sizeof *d->options);
    d->option_count = 3;
    for (int i = 0; i < 3; i++) {
        lvl_record_init(&d->options[i], &lvl_sketchy_option_table);
        d->options[i].name = lvl_text_of(options[i]);
        d->options[i].value = lvl_text_of("true");
    }
    assert_int_equal(d->layer_count, 2);
    d->layers[0].name = lvl_text_of("dark");
    d->layers[1].name = lvl_text_of("lit");
    assert_int_equal(lvl_doc_format(doc)->calls->check(doc, &request), LVL_OK);
    for (size_t i = 0; i < lvl_findings_count(found); i++) {
        const lvl_finding *f = lvl_findings_at(found, i);
        if (lvl_text_begins(lvl_text_of(f->def->id), "sketchy.script."))
            lvl_findings_add(rules, f->def, NULL, NULL, "%s", f->text);
    }
    lvl_findings_free(found);
    lvl_doc_free(doc);
    return rules;
}

static size_t findings_in(const char *script, size_t len, bool shown)
{
    lvl_findings *found = check(script, len);
    const size_t count = lvl_findings_count(found);

    for (size_t i = 0; shown && i < count; i++)
        fprintf(stderr, "%s: %s\n", lvl_findings_at(found, i)->def->id, lvl_findings_at(found, i)->text);
    lvl_findings_free(found);
    return count;
}

typedef struct tally {
    const char *kind;
    unsigned made, found;
} tally;

/* Replaces `cut` bytes at an offset and counts whether that is found. */
static void seed(tally *t, const char *script, size_t at, size_t cut, const char *text)
{
    const size_t len = strlen(script), added = strlen(text);
    char *other = malloc(len + added + 1);

    assert_non_null(other);
    memcpy(other, script, at);
    memcpy(other + at, text, added);
    memcpy(other + at + added, script + at + cut, len - at - cut + 1);
    t->made++;
    if (findings_in(other, strlen(other), false))
        t->found++;
    else if (getenv("LVL_SHOW_MISSED"))
        fprintf(stderr, "%s at %zu: %.*s\n", t->kind, at, 40, other + (at > 20 ? at - 20 : 0));
    free(other);
}

/* Typos in a word of the script: swapped, left out, replaced, doubled letters. */
static void seed_word(tally *t, const char *script, size_t at, size_t len)
{
    for (size_t k = 0; k + 1 < len; k++) {
        const char *p = script + at + k;
        const char swapped[] = {p[1], p[0], 0}, doubled[] = {p[0], p[0], 0};
        if (p[0] != p[1])
            seed(t, script, at + k, 2, swapped);
        seed(t, script, at + k, 1, "");
        seed(t, script, at + k, 1, "q");
        seed(t, script, at + k, 1, doubled);
    }
}

enum { GAME, NAMES, KEYWORDS, STRINGS, BRACKETS, QUOTES, COMMENTS, COMMAS, ARGUMENTS, KINDS };

/* Strings that name what the game or the doodad has; their content is a typo's target. */
static bool is_named(const lvl_js *js, uint32_t i)
{
    static const char *const calls[] = {"GetOption", "Subscribe",      "Publish",
                                        "Play",      "ShowLayerNamed", "AddItem"};

    for (size_t k = 0; i > 1 && k < LVL_COUNT_OF(calls); k++) {
        if (js->tokens[i - 1].text.ptr[0] == '(' && lvl_text_is(js->tokens[i - 2].text, calls[k]))
            return js->tokens[i].text.len > 5;
    }
    return false;
}

static void seed_token(tally *t, const char *script, const lvl_js *js, uint32_t i)
{
    const lvl_js_token *token = &js->tokens[i];
    const size_t at = (size_t)(token->text.ptr - script);
    const bool member = i && js->tokens[i - 1].text.ptr[0] == '.';
    const bool call = i + 1 < js->count && js->tokens[i + 1].text.ptr[0] == '(';

    if (token->kind == LVL_JS_STRING) {
        seed(&t[QUOTES], script, at, 1, "");
        seed(&t[QUOTES], script, at + token->text.len - 1, 1, "");
        if (is_named(js, i))
            seed_word(&t[STRINGS], script, at + 1, token->text.len - 2);
    } else if (token->kind == LVL_JS_TEMPLATE) {
        seed(&t[QUOTES], script, at + token->text.len - 1, 1, "");
    } else if (token->kind == LVL_JS_WORD) {
        const bool keyword = lvl_language_is_keyword(&lvl_language_sketchy, token->text);
        const bool game = token->text.ptr[0] >= 'A' && token->text.ptr[0] <= 'Z' && (!member || call);
        if (token->text.len > 3 && keyword)
            seed_word(&t[KEYWORDS], script, at, token->text.len);
        else if (token->text.len > 3 && game)
            seed_word(&t[GAME], script, at, token->text.len);
        else if (token->text.len > 3 && !member &&
                 !(i + 1 < js->count && js->tokens[i + 1].text.ptr[0] == '='))
            seed_word(&t[NAMES], script, at, token->text.len);
    } else if (token->kind == LVL_JS_MARK) {
        if (strchr("()[]{}", token->text.ptr[0]))
            seed(&t[BRACKETS], script, at, 1, "");
        if (token->text.ptr[0] == ',')
            seed(&t[COMMAS], script, at, 1, "");
    }
}

static void nine_of_ten_typos_are_found(void **state)
{
    tally t[KINDS] = {{"name of the game", 0, 0}, {"name", 0, 0},    {"keyword", 0, 0},
                      {"named in a text", 0, 0},  {"bracket", 0, 0}, {"quotation mark", 0, 0},
                      {"comment", 0, 0},          {"comma", 0, 0},   {"arguments", 0, 0}};
    unsigned made = 0, found = 0;

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(clean); i++) {
        const char *script = clean[i];
        lvl_js js;
        assert_int_equal(findings_in(script, strlen(script), true), 0);
        assert_int_equal(lvl_js_read(&js, lvl_text_of(script)), LVL_OK);
        assert_int_equal(js.fault, LVL_JS_SOUND);
        for (uint32_t k = 0; k < js.count; k++)
            seed_token(t, script, &js, k);
        lvl_js_free(&js);
        for (size_t at = 0; script[at]; at++) {
            if (strncmp(script + at, "*/", 2) == 0)
                seed(&t[COMMENTS], script, at, 2, "");
            /* the last argument */
            if (strncmp(script + at, ", 32)", 5) == 0 || strncmp(script + at, ", 250)", 6) == 0 ||
                strncmp(script + at, ", 1)", 4) == 0 || strncmp(script + at, ", 0)", 4) == 0) {
                seed(&t[ARGUMENTS], script, at, (size_t)(strchr(script + at, ')') - script) - at, "");
                seed(&t[ARGUMENTS], script, at, 0, ", 5");
            }
        }
    }
    for (size_t k = 0; k < KINDS; k++) {
        fprintf(stderr, "%s: %u of %u\n", t[k].kind, t[k].found, t[k].made);
        assert_true(t[k].made > 0);
        made += t[k].made;
        found += t[k].found;
    }
    fprintf(stderr, "all: %u of %u\n", found, made);
    assert_true(found * 10 >= made * 9);
}

#define MAIN "function main() {}\n"

static void what_only_looks_wrong_is_not_reported(void **state)
{
    static const char *const scripts[] = {
        "",
        "// nothing",
        MAIN,
        "function main() {}",
        "main = () => 5",
        "let main = function() { return }",
        "async function later() {} " MAIN,
        MAIN "a = 1\nb = a\n(function() { return a + b })()",
        MAIN "let x = 4 / 2 / 1, y = x /2; if (x) /re/.test('/');",
        MAIN "let r = [/[/\"]/g, /\\//, /'/]; return1 = r ? /a/ : /b/",
        MAIN "let s = 'it\\'s', t = \"a\\\nb\", u = `one\ntwo ${s + `${t}`} { ( `",
        MAIN "let o = {a: 1, 'b': 2, main() { return this.a }, get c() { return 3 }, [s]: 4}, s = o?.a ?? 1;",
        MAIN "const {a, b: c, ...rest} = Self.Options(), [d, , e] = [a, c, rest];",
        MAIN
        "class Fish extends Object { constructor(a) { super(a) } static swim(b) { return b } }; new Fish(1)",
        MAIN "outer: for (let i = 0; i < 5; i++) { if (i) continue outer; else break outer }",
        MAIN "switch (GetTick()) { case 1: case Math.PI: default: }",
        MAIN "do { var i = 0 } while (i)\nlet z = i",
        MAIN "for (const k in {}) console.log(k); for (var v of []) console.log(v)",
        MAIN "if (typeof nowhere === 'undefined') {}",
        MAIN "function f(a, b = a, ...c) { return [a, b, c] } f()",
        MAIN "let g = (a, {b, c}) => a + b + c, h = a => a; [g, h].forEach(f => f())",
        MAIN "try { throw new Error('x') } catch { } finally { }",
        MAIN "let Self2 = Self; Self2.Anything()",
        MAIN "let Self = {Foo() {}}; Self.Foo()",
        MAIN "Self.SetHitbox(...[0, 0, 1, 1])",
        MAIN "Message.Broadcast('my:message', 1, 2)",
        MAIN "if (Self.GetTag('color') === 'red') { Self.AddAnimation('a', 100, ['red-1']); "
             "Self.ShowLayerNamed('red') }",
        MAIN "if (Self.GetTag('color')) Self.ShowLayerNamed('red')",
        MAIN "Self.ShowLayer(Self.LayerCount() - 1); Self.AddAnimation('b', 9, ['dark' + 1])",
        MAIN "let \xC3\xA9t\xC3\xA9 = 1; console.log(\xC3\xA9t\xC3\xA9, $x = 1, _y = 2)",
        MAIN "Self.GetOption('on' + 'off'); Actors.New('my-own-thing.doodad')",
        MAIN "for (k in [1]) console.log(k); [p, q] = [1, 2]; console.log(p, q)",
        MAIN "console.log(1)\nouter: while (true) break outer",
        "\xEF\xBB\xBF" MAIN "let\xC2\xA0x = 1; console.log(x)"};

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(scripts); i++) {
        if (findings_in(scripts[i], strlen(scripts[i]), true))
            fail_msg("a finding in: %s", scripts[i]);
    }
}

/* Messages say where, and what was meant. */
static void messages(void **state)
{
    static const char *const scripts[][2] = {
        {"let a = 1;", "it has no function main, so the game shows an error and the doodad does nothing"},
        {MAIN "Self.Hdie();", "line 2, column 1: there is no function Self.Hdie, so the script stops here; "
                              "did you mean Self.Hide?"},
        {MAIN "EndLvel();",
         "line 2, column 1: there is no \"EndLvel\", so the script stops here; did you mean EndLevel?"},
        {MAIN "Slef.Hide();",
         "line 2, column 1: there is no \"Slef\", so the script stops here; did you mean Self?"},
        {MAIN "Events.OnUse((e) => e.Actor.IsPlayr());",
         "line 2, column 29: there is no function IsPlayr, so the script stops here; did you mean IsPlayer?"},
        {MAIN "  Self.SetHitbox(1, 2, 3);", "line 2, column 3: Self.SetHitbox takes 4 arguments and has 3"},
        {MAIN "Flash();", "line 2, column 1: Flash takes at least 1 argument and has 0"},
        {MAIN "Self.GetOption('sped');", "line 2, column 16: the doodad has no option \"sped\", so the "
                                         "script gets nothing; did you mean speed?"},
        {MAIN "Message.Subscribe('pwoer', () => {});",
         "line 2, column 19: no doodad of the game knows the message \"pwoer\", so probably nobody does; did "
         "you mean power?"},
        {MAIN "Sound.Play('unlock.wav');",
         "line 2, column 12: \"unlock.wav\" is not a sound of the game's "
         "doodads, so probably nothing is played; did you mean unlock.mp3?"},
        {MAIN "Actors.New('key-bleu.doodad');", "line 2, column 12: \"key-bleu.doodad\" is not a doodad of "
                                                "the game, so it is probably not found; did "
                                                "you mean key-blue.doodad?"},
        {MAIN "Self.AddAnimation('a', 9, ['dark', 'light']);",
         "line 2, column 36: the doodad has no layer 'light', so the function stops here"},
        {MAIN "Self.ShowLayer(2);",
         "line 2, column 16: the doodad has no layer 2, so the function stops here"},
        {MAIN "Self.ShowLayerNamed('light');",
         "line 2, column 21: the doodad has no layer 'light', so its picture stays as it is"},
        {"function main() {\n  if (true) {\n}\n",
         "line 1, column 17: the { is not closed, so the doodad does nothing"},
        {MAIN "foo(1]", "line 2, column 6: the ] closes nothing, so the doodad does nothing"},
        {MAIN "foo(1; }", "line 2, column 8: the } closes nothing, so the doodad does nothing"},
        {"function main() { foo(1; }", "line 1, column 22: the ( is not closed, so the doodad does nothing"},
        {MAIN "a = 'b",
         "line 2, column 5: a ' is missing at the end of the string, so the doodad does nothing"},
        {MAIN "a = `b ${1} c",
         "line 2, column 5: the template has no ` at its end, so the doodad does nothing"},
        {MAIN "a = /b",
         "line 2, column 5: the regular expression has no / at its end, so the doodad does nothing"},
        {MAIN "/* b", "line 2, column 1: the comment has no */, so the doodad does nothing"},
        {"fucntion main() {}\nfunction main() {}", "line 1, column 10: nothing is between fucntion and main, "
                                                   "so the doodad does nothing; did you mean function?"},
        {MAIN "try { main() } ctach (e) { }",
         "line 2, column 1: the try has neither catch nor finally after it, so the doodad does nothing"},
        {MAIN "console.log('a' 'b')",
         "line 2, column 17: nothing is between 'a' and 'b', so the doodad does nothing"}};

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(scripts); i++) {
        lvl_findings *found = check(scripts[i][0], strlen(scripts[i][0]));
        if (lvl_findings_count(found) == 0)
            fail_msg("nothing in: %s", scripts[i][0]);
        assert_string_equal(lvl_findings_at(found, 0)->text, scripts[i][1]);
        lvl_findings_free(found);
    }
    static const char twice[] = MAIN "Slef.Hide(); Slef.Show();";
    assert_int_equal(findings_in(twice, sizeof twice - 1, false), 1);
}

/* Time is linear in the length of what looks like the start of something, and no character is read beyond the
 * end of any beginning of a script. */
static void long_and_cut_scripts(void **state)
{
    static const char *const parts[] = {"{",        "(",       "a(",        "`${",
                                        "`",        "'\\\n",   "/[",        "/*",
                                        "let a",    "a => ",   "(a) => {",  "}",
                                        "}`",       ")",       "function ", "Self.Hidee();",
                                        "x1 ",      "let {a,", "[[",        "a.b(,",
                                        "((a,b)=>", "\"",      "a ? b : ",  "Self.AddAnimation(a,1,[",
                                        "let a=1 ", "f(a){};", "if(a){b};"};
    enum { BYTES = 200000 };
    char *script = malloc(BYTES + 64);

    (void)state;
    assert_non_null(script);
    for (size_t i = 0; i < LVL_COUNT_OF(parts); i++) {
        const size_t len = strlen(parts[i]);
        size_t at = 0;
        for (; at < BYTES; at += len)
            memcpy(script + at, parts[i], len);
        findings_in(script, at, false);
    }
    free(script);
    for (size_t i = 0; i < LVL_COUNT_OF(clean); i++) {
        for (size_t len = 0; len < strlen(clean[i]); len++) {
            char *cut = malloc(len + 1); /* so that a sanitizer sees what is read beyond it */
            lvl_js js;
            memcpy(cut, clean[i], len);
            assert_int_equal(lvl_js_read(&js, (lvl_text){cut, len}), LVL_OK);
            lvl_js_free(&js);
            free(cut);
        }
    }
}

/* The scripts of the game's doodads: fewer than 1 % have a finding; none has. */
static void scripts_of_the_game_are_sound(void **state)
{
    const char *corpus = lvl_corpus_dir();
    lvl_paths paths = {0};
    char folder[1024];

    (void)state;
    if (!corpus)
        skip();
    snprintf(folder, sizeof folder, "%s/sketchy/made/doodads-v3.1", corpus);
    assert_true(lvl_paths_below(&paths, folder, "doodad"));
    for (size_t i = 0; i < paths.count; i++) {
        lvl_findings *found = lvl_findings_new(&ctx);
        const lvl_check_request request = {.findings = found};
        lvl_doc *doc = NULL;
        assert_int_equal(lvl_load(&doc, &ctx, paths.items[i], NULL), LVL_OK);
        assert_int_equal(lvl_doc_format(doc)->calls->check(doc, &request), LVL_OK);
        for (size_t n = 0; n < lvl_findings_count(found); n++) {
            const lvl_finding *f = lvl_findings_at(found, n);
            if (lvl_text_begins(lvl_text_of(f->def->id), "sketchy.script.") ||
                strcmp(f->def->id, "sketchy.option.unread") == 0)
                fail_msg("%s: %s: %s", paths.items[i], f->def->id, f->text);
        }
        lvl_findings_free(found);
        lvl_doc_free(doc);
    }
    assert_true(paths.count > 50);
    lvl_paths_free(&paths);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nine_of_ten_typos_are_found),
                                       cmocka_unit_test(what_only_looks_wrong_is_not_reported),
                                       cmocka_unit_test(messages), cmocka_unit_test(long_and_cut_scripts),
                                       cmocka_unit_test(scripts_of_the_game_are_sound)};

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
