/*
 * Typos in scripts: at least nine of ten that are made here in scripts without a finding are found; and what
 * authors write that only looks like a mistake is not reported.
 */
#include "base/format.h"
#include "graal/level/graal_names.h"
#include "level_make.h"

#include "games/language.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

/* As in real levels: all forms of statements, none with a finding. */
static const char *const clean[] = {"// a guard\n"
                                    "if (created) {\n"
                                    "  showcharacter;\n"
                                    "  setcharprop #3,head12.png;\n"
                                    "  setcharprop #C1,darkblue;\n"
                                    "  setcharprop #n,Guard;\n"
                                    "  setcharani idle,;\n"
                                    "  dir=2;\n"
                                    "  drawunderplayer;\n"
                                    "}\n"
                                    "if (playertouchsme && strequals(#s(quest),done)) {\n"
                                    "  say2 Well done, friend (at last)!;\n"
                                    "  setlevel2 castle.nw,30,25.5;\n"
                                    "  play fanfare.wav;\n"
                                    "  lay2 greenrupee,x+1,y-1;\n"
                                    "}\n"
                                    "else if (playerchats) {\n"
                                    "  message #c;\n"
                                    "  timeout = 0.05;\n"
                                    "}\n"
                                    "while (this.i < 5) {\n"
                                    "  putleaps 0,x,y;\n"
                                    "  this.i++;\n"
                                    "}\n",
                                    "//#CLIENTSIDE\n"
                                    "if (playerenters) {\n"
                                    "  setimgpart door.png,0,0,32,48;\n"
                                    "  setshape 1,32,32;\n"
                                    "  setcoloreffect 1,0.9,0.8,0.99;\n"
                                    "  setzoomeffect 1.5;\n"
                                    "  setstring this.door,closed;\n"
                                    "  timereverywhere;\n"
                                    "  dontblock;\n"
                                    "  showimg 1,lamp.png,x+1,y;\n"
                                    "  changeimgvis 1,3;\n"
                                    "  changeimgcolors 1,1,1,0,0.5;\n"
                                    "  /* not yet */\n"
                                    "  seteffect 0,0,0,0.6;\n"
                                    "}\n"
                                    "if (playertouchsme && getdir(1,0) == playerdir) {\n"
                                    "  freezeplayer 1;\n"
                                    "  hurt 2;\n"
                                    "  putcomp redsoldier,20,15;\n"
                                    "  shootarrow left;\n"
                                    "  triggeraction x,y,open,1;\n"
                                    "  toweapons Lamp;\n"
                                    "  hide;\n"
                                    "}\n"
                                    "if (timeout) {\n"
                                    "  hitplayer 0,2,x,y;\n"
                                    "  putexplosion 1,x,y;\n"
                                    "  sleep 0.5;\n"
                                    "  setplayerprop #8,body3.png;\n"
                                    "  destroy;\n"
                                    "}\n",
                                    "join(\"door\");\n"
                                    "function onCreated() {\n"
                                    "  setshape(1, 32, 32);\n"
                                    "  this.name = \"a \" @ \"door\";\n"
                                    "  setcharani(\"idle\", \"\");\n"
                                    "}\n"
                                    "function onPlayerTouchsMe() {\n"
                                    "  triggeraction(x, y, \"open\", 1);\n"
                                    "  open();\n"
                                    "  say2(\"Two\nlines\");\n"
                                    "}\n"
                                    "function open() {\n"
                                    "  showcharacter();\n"
                                    "  drawunderplayer();\n"
                                    "}\n"};

static size_t findings_in(const char *script, size_t len, bool shown)
{
    char *copy = malloc(len + 1);
    lvl_doc *doc = lvl_make_level(&ctx, LVL_GLEVNW01, 0);
    lvl_findings *found = lvl_findings_new(&ctx);
    const lvl_check_request request = {.findings = found};

    assert_non_null(copy);
    memcpy(copy, script, len);
    copy[len] = 0;
    lvl_make_npc(doc, 1, 1, "a.png", copy);
    assert_int_equal(lvl_doc_format(doc)->calls->check(doc, &request), LVL_OK);
    const size_t count = lvl_findings_count(found);
    for (size_t i = 0; shown && i < count; i++)
        fprintf(stderr, "%s: %s\n", lvl_findings_at(found, i)->def->id, lvl_findings_at(found, i)->text);
    lvl_findings_free(found);
    lvl_doc_free(doc);
    free(copy);
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
        fprintf(stderr, "%s at %zu: %.*s\n", t->kind, at, 30, other + at);
    free(other);
}

static bool is_letter(char c)
{
    return c >= 'a' && c <= 'z';
}

static void seed_words(tally *t, const char *script)
{
    for (size_t i = 0; script[i]; i++) {
        size_t len = 0;
        char text[64];
        while (is_letter(script[i + len]) || (len && script[i + len] == '2'))
            len++;
        const bool starts = i == 0 || strchr(" \n{;", script[i - 1]);
        if (starts && len && lvl_language_find(&lvl_language_gs1, (lvl_text){script + i, len})) {
            for (size_t k = 0; k + 1 < len; k++) {
                memcpy(text, script + i, len);
                text[len] = 0;
                text[k] = script[i + k + 1]; /* swapped */
                text[k + 1] = script[i + k];
                if (text[k] != text[k + 1])
                    seed(t, script, i, len, text);
                seed(t, script, i + k, 1, ""); /* left out */
                seed(t, script, i + k, 1, "q"); /* replaced */
                snprintf(text, sizeof text, "%c%c", script[i + k], script[i + k]);
                seed(t, script, i + k, 1, text); /* doubled */
            }
        }
        if (len)
            i += len - 1;
    }
}

static void seed_characters(tally *t, const char *script, const char *characters)
{
    for (size_t i = 0; script[i]; i++) {
        if (strchr(characters, script[i]))
            seed(t, script, i, 1, "");
    }
}

static void nine_of_ten_typos_are_found(void **state)
{
    enum { WORDS, BRACES, CONDITIONS, SEMICOLONS, ARGUMENTS, CODES, QUOTES, COMMENTS, KINDS };
    tally t[KINDS] = {{"command", 0, 0},   {"brace", 0, 0}, {"parenthesis", 0, 0},    {"semicolon", 0, 0},
                      {"arguments", 0, 0}, {"code", 0, 0},  {"quotation mark", 0, 0}, {"comment", 0, 0}};
    unsigned made = 0, found = 0;

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(clean); i++) {
        const char *script = clean[i];
        assert_int_equal(findings_in(script, strlen(script), true), 0);
        seed_words(&t[WORDS], script);
        seed_characters(&t[BRACES], script, "{}");
        seed_characters(&t[QUOTES], script, "\"");
        for (size_t at = 0; script[at]; at++) {
            const char *line_end = strchr(script + at, '\n'), *open = strstr(script + at, ") {\n");
            if (open && open < line_end && strncmp(script + at, "if (", 4) == 0)
                seed(&t[CONDITIONS], script, (size_t)(open - script), 1, "");
            if (script[at] == ';' && script[at + 1] == '\n' && i != 2)
                seed(&t[SEMICOLONS], script, at, 1, "");
            if (script[at] == '#' && strchr("C38", script[at + 1]) && script[at - 1] == ' ')
                seed(&t[CODES], script, at + 1, 1, "4");
            if (strncmp(script + at, "*/", 2) == 0)
                seed(&t[COMMENTS], script, at, 2, "");
            /* the last argument of a command that needs all */
            if (script[at] == ',' && strchr("0123456789xy", script[at + 1]) &&
                strchr(script + at, ';') < line_end &&
                !memchr(script + at + 1, ',', (size_t)(strchr(script + at, ';') - script) - at - 1) && i == 1)
                seed(&t[ARGUMENTS], script, at, (size_t)(strchr(script + at, ';') - script) - at, "");
        }
    }
    for (size_t k = 0; k < KINDS; k++) {
        fprintf(stderr, "%s: %u of %u\n", t[k].kind, t[k].found, t[k].made);
        assert_true(t[k].made > 0);
        made += t[k].made;
        found += t[k].found;
    }
    assert_true(found * 10 >= made * 9);
}

static void what_only_looks_wrong_is_not_reported(void **state)
{
    static const char *const scripts[] = {"",
                                          "hide",
                                          "hide;;show;",
                                          "sleep0.05;sleep.2;sleep 1",
                                          "setskincolororange;shootarrowup;messageHi;",
                                          "message It's 5\" long, {he} said :( ;",
                                          "setcharprop #n,Ann {away};",
                                          "setcharprop #C#v(i),red;",
                                          "setcharprop #c,;",
                                          "message;say2;",
                                          "tokens={1,2,{3,4}};",
                                          "setshape2 2,1,{22,22};",
                                          "if (x in {1,2}) hide;",
                                          "switch=1;",
                                          "for (i=0;i<3;i++) { hide; }",
                                          "playerx = 5; this.x+=2; save[0]=1;",
                                          "hideimg (n+1); sleep(3); putbomb (1),x,y;",
                                          "join(\"a\");",
                                          "function shoot() { hide; } shoot();",
                                          "setstring this.text,\nsay hello;",
                                          "setstring a,b;c=5;",
                                          "sparringzone\nsparringzone",
                                          "// fi (x) hid;",
                                          "/* unset */ hide; // the end",
                                          "openurl www.example.com;",
                                          "putnpc2 30,30,{\n  if (created) hide;\n};",
                                          "unknownclassfunction(1,2);",
                                          "player.setlevel2(\"a.nw\",1,2);",
                                          "lay bow;putcomp spider,1,2;",
                                          "setmood(1);",
                                          "a=\"/*\""};

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(scripts); i++) {
        if (findings_in(scripts[i], strlen(scripts[i]), true))
            fail_msg("a finding in: %s", scripts[i]);
    }
}

/* Messages say which line, and what was meant. */
static void messages(void **state)
{
    static const char *const scripts[][2] = {
        {"hide;\ndrawunverplayer;",
         "line 2: \"drawunverplayer\" is not a command, so it is not run; did you mean drawunderplayer?"},
        {"whlie (created) {\nhide;\n}",
         "line 1: \"whlie\" is not a command, so it is not run; did you mean while?"},
        {"setmode 1;", "line 1: \"setmode\" is not a known command, so it may do nothing"},
        {"join_door;",
         "line 1: \"join_door\" is not a known command, so it may do nothing: join needs a blank after it"},
        {"sleep;", "line 1: sleep has 0 of 1 arguments, so it is not run, or with 0"},
        {"putcomp redsoldier,1,2,3;",
         "line 1: putcomp has 4 arguments and uses 3: the others have no effect"},
        {"setcharprop #C2,black\nsetcharprop #C3,red;",
         "line 1: setcharprop has no ; before setcharprop, so setcharprop is not run"},
        {"setcharprop #p1,a;", "line 1: setcharprop of \"#p1\" cannot be set, so nothing changes"},
        {"setskincolor grey;",
         "line 1: setskincolor: there is no colour \"grey\", so nothing appears or changes"},
        {"lay gold;", "line 1: lay: there is no item \"gold\", so nothing appears or changes"},
        {"if (playersays(hi) {hide;}",
         "line 1: the parentheses of if do not match, so what depends on it may run always or never"},
        {"hide;\n\n/* a\nb", "line 3: /* has no */, so the rest is not run"},
        {"join(\"door);",
         "line 1: a quotation mark is missing, so code is read as a text or a text as code"}};

    (void)state;
    for (size_t i = 0; i < LVL_COUNT_OF(scripts); i++) {
        lvl_doc *doc = lvl_make_level(&ctx, LVL_GLEVNW01, 0);
        lvl_findings *found = lvl_findings_new(&ctx);
        const lvl_check_request request = {.findings = found};
        lvl_make_npc(doc, 1, 1, "a.png", scripts[i][0]);
        assert_int_equal(lvl_doc_format(doc)->calls->check(doc, &request), LVL_OK);
        assert_true(lvl_findings_count(found) > 0);
        assert_string_equal(lvl_findings_at(found, 0)->text, scripts[i][1]);
        lvl_findings_free(found);
        lvl_doc_free(doc);
    }
}

/* The book: names are found, and each kind of argument. */
static void the_language(void **state)
{
    const lvl_language_command *c = lvl_language_find(&lvl_language_gs1, lvl_text_of("SetLevel2"));

    (void)state;
    assert_non_null(c);
    assert_true(c->least == 3 && c->most == 3 && !c->rest && !c->blank);
    assert_true(lvl_text_is(lvl_language_arg(c, 0), "level") && lvl_text_is(lvl_language_arg(c, 2), "dy"));
    assert_int_equal(lvl_language_arg(c, 3).len, 0);
    assert_null(lvl_language_find(&lvl_language_gs1, lvl_text_of("setlevel3")));
    for (uint32_t i = 1; i < lvl_language_gs1.command_count; i++)
        assert_true(strcmp(lvl_language_gs1.commands[i - 1].name, lvl_language_gs1.commands[i].name) < 0);
    assert_non_null(lvl_language_code_of(&lvl_language_gs1, lvl_text_of("#P30")));
    assert_null(lvl_language_code_of(&lvl_language_gs1, lvl_text_of("#P31")));
    assert_null(lvl_language_code_of(&lvl_language_gs1, lvl_text_of("#P")));
    assert_true(lvl_language_code_of(&lvl_language_gs1, lvl_text_of("#C7"))->set);
    assert_false(lvl_language_code_of(&lvl_language_gs1, lvl_text_of("#p"))->set);
    assert_int_equal(lvl_language_gs1.blocking_types, 15u << 20);
    assert_int_equal(lvl_language_gs1.jumped_types, 1u << 21);
}

/* Time is linear in the length of what looks like the start of something. */
static void long_scripts(void **state)
{
    static const char *const parts[] = {"{",  "a={",         "hidde;", "\"", "(\"",    "if(",
                                        "/*", "message x\n", "a(",     ",",  "sleep ("};
    enum { BYTES = 400000 };
    char *script = malloc(BYTES + 16);

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
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nine_of_ten_typos_are_found),
                                       cmocka_unit_test(what_only_looks_wrong_is_not_reported),
                                       cmocka_unit_test(messages), cmocka_unit_test(the_language),
                                       cmocka_unit_test(long_scripts)};

    lvl_ctx_init(&ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
