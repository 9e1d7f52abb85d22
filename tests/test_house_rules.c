/*
 * Rules of one's own: what they find, and what a file of them may not be. Each mistake is named with its
 * line and column.
 */
#include "corpus.h"
#include "expect.h"
#include "tools/check/rules.h"

#include <lvl/scene.h>
#include <lvl/wwd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lvl_ctx ctx;

static lvl_doc *sample(const char *format, const char *name, uint8_t **data)
{
    lvl_doc *doc = NULL;
    char path[1024];
    size_t len;

    snprintf(path, sizeof path, "%s/%s", lvl_samples_dir(), name);
    *data = lvl_slurp(path, &len);
    assert_non_null(*data);
    assert_int_equal(lvl_read(&doc, &ctx, lvl_format_find(format), (lvl_bytes){*data, len}, NULL, 0, NULL),
                     LVL_OK);
    return doc;
}

/* How often rules find something in a sample: one text of JSON with ' for ". */
static size_t count(const char *quoted, const char *format, const char *name, const char *id)
{
    lvl_findings *findings = lvl_findings_new(&ctx);
    char json[4000];
    lvl_rules *rules = NULL;
    uint8_t *data;
    lvl_doc *doc = sample(format, name, &data);

    snprintf(json, sizeof json, "%s", quoted);
    for (char *p = json; *p; p++)
        *p = *p == '\'' ? '"' : *p;
    const lvl_status status = lvl_rules_read(&rules, &ctx, lvl_text_of(json), "r.json", findings);
    if (status != LVL_OK)
        fail_msg("%s: %s", json, lvl_findings_count(findings) ? lvl_findings_at(findings, 0)->text : "?");
    assert_int_equal(lvl_rules_check(rules, doc, findings), LVL_OK);
    const size_t n = lvl_count_id(findings, id);
    lvl_findings_free(findings);
    lvl_rules_free(rules);
    lvl_doc_free(doc);
    free(data);
    return n;
}

#define WWD(rules)  "{'format':'wwd','game':'claw','rules':[" rules "]}"
#define NW(rules)   "{'format':'nw','rules':[" rules "]}"
#define THING(uses) "{'format':'wwd','things':{'X':{'kind':'boss','uses':" uses "}},'rules':[]}"
#define HEAD        "{'id':'a.b','severity':'error','text':'x',"
#define CLIFFS      "wwd", "wwd/cliffs.wwd", "a.b"
#define VILLAGE     "nw", "graal/lakeside/lake_village.nw", "a.b"

static void what_they_find(void **state)
{
    (void)state;
    assert_int_equal(count(WWD(HEAD "'things':'Officer'}"), CLIFFS), 2);
    assert_int_equal(count("\xEF\xBB\xBF" WWD(HEAD "'things':'Officer'}"), CLIFFS), 2); /* as of Notepad */
    assert_int_equal(count(WWD(HEAD "'things':'Officer','most':2}"), CLIFFS), 0);
    assert_int_equal(count(WWD(HEAD "'things':'Officer','most':1}"), CLIFFS), 1);
    assert_int_equal(count(WWD(HEAD "'things':'Officer','least':3}"), CLIFFS), 1);
    assert_int_equal(
        count(WWD(HEAD "'things':'@enemy -Officer -Seagull','if':'logic = \\'Officer\\''}"), CLIFFS), 0);
    assert_int_equal(count(WWD(HEAD "'things':'Officer','if':'min_x > 1000'}"), CLIFFS), 1);
    assert_int_equal(
        count(WWD(HEAD "'things':'Officer','if':['min_x > 1000','min_x < 1000, x = 1..9999']}"), CLIFFS), 2);
    assert_int_equal(count(WWD(HEAD "'things':'Officer','if':'all min_x|max_x >= 3000'}"), CLIFFS), 1);
    assert_int_equal(count(WWD(HEAD "'things':'Officer','if':'max_x > min_x'}"), CLIFFS), 2);
    assert_int_equal(count(WWD(HEAD "'things':'Officer','if':'min_x > max_x'}"), CLIFFS), 0);
    assert_int_equal(count(WWD(HEAD "'path':'author','set':true}"), CLIFFS), 0);
    assert_int_equal(count(WWD(HEAD "'path':'title'}"), CLIFFS), 1);
    assert_int_equal(count(WWD(HEAD "'path':'planes[*].tiles[=999]'}"), CLIFFS), 0);
    assert_int_equal(count(WWD(HEAD "'path':'planes','most':3}"), CLIFFS), 1);
    assert_int_equal(count(NW(HEAD "'path':['links','npcs[image=none]'],'least':1}"), VILLAGE), 0);
    assert_int_equal(count(NW(HEAD "'path':'npcs','most':0}"), VILLAGE), 1);
    /* items: fields that the game's book, or a thing of the file, says to hold them */
    assert_int_equal(
        count(WWD(HEAD "'things':'Officer','if':'@item = 1..61'}"), CLIFFS),
        count(WWD(HEAD "'things':'Officer','if':'powerup|user_rect1.*|user_rect2.* = 1..61'}"), CLIFFS));
    assert_int_equal(count(WWD(HEAD "'things':'Officer','if':'@base = 1'}"), CLIFFS), 2);
    assert_int_equal(count(WWD(HEAD "'things':'Officer','if':'@base > 1'}"), CLIFFS), 0);
    assert_int_equal(count(WWD(HEAD "'things':'Officer','if':'@base = 2..|1, x > 0'}"), CLIFFS), 2);
    /* other formats are left out with a note */
    assert_int_equal(count(NW(HEAD "'path':'links','least':99}"), CLIFFS), 0);
    assert_int_equal(
        count(NW(HEAD "'path':'links','least':99}"), "wwd", "wwd/cliffs.wwd", "lvl.rules.skipped"), 1);
}

static void things_of_ones_own(void **state)
{
    uint8_t *data;
    lvl_doc *doc = sample("wwd", "wwd/cliffs.wwd", &data);
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_rules *rules = NULL;
    uint32_t main = 0;
    static const char json[] =
        "{\"format\":\"wwd\",\"game\":\"claw\","
        "\"parts\":{\"loot\":{\"fields\":\"powerup user_rect1.*\",\"value\":\"item\"}},"
        "\"things\":{\"CustomLogic/Wizard\":{\"kind\":\"boss\",\"uses\":[\"loot\"]},"
        "\"CustomLogic/Door\":{\"kind\":\"script\",\"uses\":[{\"fields\":\"smarts\",\"value\":\"item\"}]}},"
        "\"rules\":[{\"id\":\"a.b\",\"severity\":\"note\",\"text\":\"x\",\"things\":\"@boss\"},"
        "{\"id\":\"a.crown\",\"severity\":\"note\",\"text\":\"x\",\"things\":\"@boss @script\","
        "\"if\":\"@item = 45..48\"}]}";

    (void)state;
    assert_true(lvl_wwd_main_plane(lvl_wwd_of(doc), &main));
    lvl_wwd_object *o = lvl_wwd_of(doc)->planes[main].objects;
    o[0].logic = o[1].logic = lvl_text_of("CustomLogic");
    o[0].name = lvl_text_of("Wizard");
    o[1].name = lvl_text_of("Door");
    o[2].logic = lvl_text_of("Raux");
    o[0].user_rect1.bottom =
        45; /* items of a Wizard, which smarts is not; of a Door smarts, and not powerup */
    o[0].smarts = 0;
    o[1].powerup = 46;
    o[1].smarts = 0;
    assert_int_equal(lvl_rules_read(&rules, &ctx, lvl_text_of(json), "r.json", findings), LVL_OK);
    assert_int_equal(lvl_rules_check(rules, doc, findings), LVL_OK);
    assert_int_equal(lvl_count_id(findings, "a.b"), 2);
    assert_int_equal(lvl_count_id(findings, "a.crown"), 1);
    o[0].user_rect1.bottom = 0;
    o[0].smarts = 45;
    o[1].smarts = 48;
    assert_int_equal(lvl_rules_check(rules, doc, findings), LVL_OK);
    assert_int_equal(lvl_count_id(findings, "a.crown"), 2);
    lvl_findings_free(findings);
    lvl_rules_free(rules);
    lvl_doc_free(doc);
    free(data);
}

/* What the file says of its own things moves and is drawn, as a thing of the game's book with the same
 * uses. */
static void own_things_move(void **state)
{
    static const char json[] =
        "{\"format\":\"wwd\",\"things\":{\"CustomLogic/Guard\":{\"kind\":\"enemy\",\"uses\":["
        "{\"fields\":\"min_x max_x\",\"moves\":\"px\",\"zero\":\"each\",\"shape\":\"patrol\"},"
        "{\"fields\":\"min_x user1\",\"moves\":\"px\",\"zero\":\"always\"},"
        "{\"fields\":\"user3 user4\",\"moves\":\"px\",\"zero\":\"always\",\"if\":\"smarts = 2\"},"
        "{\"fields\":\"speed_x speed_y\",\"moves\":\"px\",\"zero\":\"both\",\"shape\":\"point\",\"follows\":"
        "\"place\"}]}}}";
    uint8_t *data;
    uint32_t main = 0;
    size_t arrows[2];
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_rules *rules = NULL;

    (void)state;
    assert_int_equal(lvl_rules_read(&rules, &ctx, lvl_text_of(json), "r.json", findings), LVL_OK);
    for (int own = 0; own < 2; own++) {
        lvl_doc *doc = sample("wwd", "wwd/cliffs.wwd", &data);
        lvl_scene *scene;
        char path[60];
        size_t changed;
        assert_true(lvl_wwd_main_plane(lvl_wwd_of(doc), &main));
        lvl_wwd_object *o = lvl_wwd_of(doc)->planes[main].objects;
        *o = (lvl_wwd_object){.logic = lvl_text_of("CustomLogic"),
                              .name = lvl_text_of("Guard"),
                              .x = 400,
                              .y = 500,
                              .min_x = 300,
                              .max_x = 600,
                              .user1 = 50,
                              .user3 = 7,
                              .smarts = own ? 2 : 0,
                              .speed_x = 900,
                              .speed_y = 700};
        if (own)
            lvl_rules_own(rules, &ctx);
        snprintf(path, sizeof path, "planes[%u].objects[0]", main);
        assert_int_equal(
            lvl_move(doc, &(lvl_move_options){.path = path, .dx = 64, .dy = 32}, &changed, findings), LVL_OK);
        assert_int_equal(o->x, 464);
        assert_int_equal(o->min_x,
                         364); /* once, though two uses name it; the game's book has it as a leftover */
        assert_int_equal(o->max_x, 664);
        assert_int_equal(o->user1, own ? 82 : 50); /* the second of two without a direction is vertical */
        assert_int_equal(o->user3, own ? 71 : 7);
        assert_int_equal(o->user4, own ? 32 : 0);
        assert_int_equal(o->speed_x, 900); /* a destination stays */
        assert_int_equal(lvl_doc_scene(doc, NULL, &scene), LVL_OK);
        const lvl_scene_thing *thing = scene->things;
        while (thing->x != 464 || thing->y != 532)
            thing++;
        assert_int_equal(thing->box_count, own);
        if (own)
            assert_true(thing->boxes[0].rect.left == 364 && thing->boxes[0].rect.right == 664);
        arrows[own] = scene->link_count;
        lvl_scene_free(scene);
        lvl_doc_free(doc);
        free(data);
        ctx.own = NULL;
    }
    assert_int_equal(arrows[1], arrows[0] + 1);
    lvl_findings_free(findings);
    lvl_rules_free(rules);
}

/* A level that breaks a rule is whole: an error makes it faulty, and less than that leaves it sound. */
static void verdicts(void **state)
{
    static const char *const severities[] = {"note", "warning", "error"};
    static const lvl_verdict expected[] = {LVL_SOUND, LVL_SOUND, LVL_FAULTY};
    char path[1024], json[200];
    size_t len;

    (void)state;
    snprintf(path, sizeof path, "%s/wwd/cliffs.wwd", lvl_samples_dir());
    uint8_t *data = lvl_slurp(path, &len);
    assert_non_null(data);
    for (int i = 0; i < 3; i++) {
        lvl_findings *findings = lvl_findings_new(&ctx);
        lvl_rules *rules = NULL;
        lvl_check_result result;
        snprintf(json, sizeof json,
                 "{\"format\":\"wwd\",\"rules\":[{\"id\":\"a.b\",\"severity\":\"%s\",\"text\":\"x\","
                 "\"path\":\"title\"}]}",
                 severities[i]);
        assert_int_equal(lvl_rules_read(&rules, &ctx, lvl_text_of(json), "r.json", findings), LVL_OK);
        const lvl_rules *const all[] = {rules, NULL};
        const lvl_check_options options = {.rules = all};
        assert_int_equal(
            lvl_check(&ctx, NULL, (lvl_bytes){data, len}, "cliffs.wwd", &options, findings, &result, NULL),
            LVL_OK);
        assert_int_equal(result.verdict, expected[i]);
        lvl_findings_free(findings);
        lvl_rules_free(rules);
    }
    free(data);
}

/* A file that is wrong, and the beginning of what is said about it. */
static const struct {
    const char *json, *text;
} mistakes[] = {
    {"", "r.json:1:1: "},
    {"[]", "r.json:1:1: "},
    {"{'format':'wwd'}", "r.json:1:1: "},
    {"{'format':'wwd','rules':[]", "r.json:1:27: "},
    {"{'format':'wwx','rules':[]}", "r.json:1:3: format: "},
    {"{'format':'wwd',\n'rulez':[]}", "r.json:2:2: there is no key \"rulez\" here; did you mean \"rules\"?"},
    {"{'format':'wwd','format':'wwd','rules':[]}", "r.json:1:18: format is given twice"},
    {"{'format':'wwd','game':'doom','rules':[]}", "r.json:1:18: game: "},
    {"{'format':'wwd','things':{'X':{'kind':'bos'}},'rules':[]}", "r.json:1:40: expected a kind"},
    {"{'format':'wwd','things':{'X':{'kind':'boss'},'X':{'kind':'boss'}},'rules':[]}",
     "r.json:1:48: things: \"X\" is given twice"},
    {"{'format':'wwd','game':'claw','things':{'Officer':{'kind':'boss'}},'rules':[]}",
     "r.json:1:42: things: "},
    {"{'format':'wwd','parts':{'p':{'fields':'x'},'p':{'fields':'y'}},'rules':[]}", "r.json:1:46: parts: "},
    {"{'format':'wwd','parts':[],'rules':[]}", "r.json:1:18: parts: expected an object"},
    {THING("3"), "r.json:1:47: uses: expected a list"},
    {THING("[3]"), "r.json:1:47: uses: expected uses as"},
    {THING("['loot']"), "r.json:1:55: there is no part \"loot\""},
    {THING("[{}]"), "r.json:1:47: uses: expected uses with fields"},
    {THING("[{'fields':'x',\n'field':'y'}]"),
     "r.json:2:2: there is no key \"field\" here; did you mean \"fields\"?"},
    {THING("[{'fields':'x powrup'}]"), "r.json:1:67: expected a field"},
    {THING("[{'fields':{'x':'left','powrup':'y'}}]"), "r.json:1:77: expected a field"},
    {THING("[{'fields':{'x':3}}]"), "r.json:1:66: x: expected a text"},
    {THING("[{'fields':''}]"), "r.json:1:56: fields: expected 1 to 32 fields"},
    {THING("[{'fields':'x','moves':'left'}]"),
     "r.json:1:69: moves: expected one of: px tile address relative"},
    {THING("[{'fields':'x','moves':'px'}]"),
     "r.json:1:47: uses: expected uses whose fields move to have \"zero\""},
    {THING("[{'fields':'x','zero':1}]"), "r.json:1:69: zero: expected one of:"},
    {THING("[{'fields':'x','shape':'circle'}]"), "r.json:1:69: shape: expected one of:"},
    {THING("[{'fields':'x','if':'y'}]"), "r.json:1:75: expected =, !=, <, <=, > or >="},
    {THING("[{'fields':'x','if':'@base = 1'}]"), "r.json:1:69: if: expected fields: @item"},
    {THING("[{'fields':'x','value':'item','if':'y = 1'}]"),
     "r.json:1:47: uses: expected items without \"if\""},
    {THING("[{'fields':'x','unread':1}]"), "r.json:1:69: unread: expected true"},
    {THING("[{'fields':'name','moves':'px','zero':'each'}]"), "r.json:1:72: moves: expected numbers"},
    {THING("[{'fields':'x','moves':'tile','zero':'each'}]"), "r.json:1:69: moves: expected \"game\""},
    {THING("[{'fields':'x','shape':'reach'}]"), "r.json:1:69: shape: expected \"game\""},
    {"{'format':'sketchy','things':{'a.png':{'kind':'boss','uses':[{'fields':'filename','moves':'px','zero':'"
     "each'}]}}}",
     "r.json:1:84: moves: expected no \"moves\""},
    {"{'format':'wwd','things':{},'rules':3}", "r.json:1:30: rules: expected a list"},
    {WWD("3"), "r.json:1:1: rules: "},
    {WWD("\n  {'id':'lvl.x'}"), "r.json:2:10: expected an id"},
    {WWD("{'id':'claw.no_exit'}"), "r.json:1:47: expected an id"},
    {WWD("{'id':'plain'}"), "r.json:1:47: expected an id"},
    {WWD("{'id':'a.b'}"), "r.json:1:42: a rule has id, severity and text"},
    {WWD(HEAD "'path':'author','severity':'fatal'}"), "r.json:1:99:"},
    {WWD(HEAD "'things':'Oficer'}"), "r.json:1:92: there is no thing \"Oficer\"; did you mean \"Officer\"?"},
    {WWD(HEAD "'things':'@monster'}"), "r.json:1:92: there is no kind \"monster\""},
    {WWD(HEAD "'things':'Officer','path':'title'}"), "r.json:1:42: a rule has things or path"},
    {WWD(HEAD "'path':'autor'}"), "r.json:1:90: wwd has no field \"autor\""},
    {WWD(HEAD "'path':'planes['}"), "r.json:1:90: "},
    {WWD(HEAD "'path':'title','if':'x = 1'}"), "r.json:1:42: \"if\" is about things"},
    {WWD(HEAD "'path':'title','most':-1}"), "r.json:1:98:"},
    {WWD(HEAD "'things':'Officer','if':'x = '}"), "r.json:1:111: expected a number"},
    {WWD(HEAD "'things':'Officer','if':'wealth > 1'}"), "r.json:1:107: expected a field"},
    {WWD(HEAD "'things':'Officer','if':'blocked > 1'}"), "r.json:1:107: expected a field"},
    {WWD(HEAD "'things':'Officer','if':'x > 1 y'}"), "r.json:1:113: expected a comma"},
    {WWD(HEAD "'things':'Officer','if':'logic > 1'}"), "r.json:1:115: expected a text"},
    {WWD(HEAD "'things':'Officer','if':'x ~ 1'}"), "r.json:1:109: expected ="},
    {WWD(HEAD "'things':'Officer','if':'@items = 1'}"), "r.json:1:107: expected a field, @item or @base"},
    {WWD(HEAD "'things':'Officer','if':'all @item = 1'}"), "r.json:1:111: expected fields after"},
    {WWD(HEAD "'things':'Officer','if':'@base != 1'}"), "r.json:1:113: expected ="},
    {WWD(HEAD "'things':'Officer','if':'@item = \\'coin\\''}"), "r.json:1:115: expected a number"},
    {"{'format':'wwd','rules':[" HEAD "'things':'','if':'@item = 1'}]}",
     "r.json:1:81: if: expected no @item"},
    {"{'format':'wwd','rules':[" HEAD "'things':'','if':'@base = 1'}]}",
     "r.json:1:81: if: expected \"game\""},
    {WWD(HEAD "'things':'Officer','if':[]}"), "r.json:1:102:"},
    {NW(HEAD "'things':'npc'}"), "r.json:1:68:"},
};

static void mistakes_are_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        lvl_findings *findings = lvl_findings_new(&ctx);
        lvl_rules *rules = NULL;
        char json[1000];
        snprintf(json, sizeof json, "%s", mistakes[i].json);
        for (char *p = json; *p; p++)
            *p = *p == '\'' ? '"' : *p;
        assert_int_equal(lvl_rules_read(&rules, &ctx, lvl_text_of(json), "r.json", findings), LVL_ERR_FORMAT);
        assert_null(rules);
        assert_int_equal(lvl_findings_count(findings), 1);
        const char *text = lvl_findings_at(findings, 0)->text;
        if (strncmp(text, mistakes[i].text, strlen(mistakes[i].text)) != 0)
            fail_msg("%s: expected \"%s\", got \"%s\"", json, mistakes[i].text, text);
        lvl_findings_free(findings);
    }
}

static void limits_hold(void **state)
{
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_rules *rules = NULL;
    size_t len = LVL_RULES_BYTES + 1;
    char *text = malloc(len + 100);

    (void)state;
    assert_non_null(text);
    memset(text, ' ', len);
    assert_int_equal(lvl_rules_read(&rules, &ctx, (lvl_text){text, len}, "r.json", findings), LVL_ERR_FORMAT);
    /* lists in lists */
    memset(text, '[', 100000);
    assert_int_equal(lvl_rules_read(&rules, &ctx, (lvl_text){text, 100000}, "r.json", findings),
                     LVL_ERR_FORMAT);
    /* many rules, each with many paths: too many are refused */
    len = (size_t)snprintf(text, 100, "{\"format\":\"wwd\",\"rules\":[1");
    for (int i = 0; i < LVL_RULES_COUNT; i++)
        len += (size_t)snprintf(text + len, 10, ",1");
    len += (size_t)snprintf(text + len, 10, "]}");
    assert_int_equal(lvl_rules_read(&rules, &ctx, (lvl_text){text, len}, "r.json", findings), LVL_ERR_FORMAT);
    free(text);
    lvl_findings_free(findings);
}

static void samples(void **state)
{
    static const char *const names[] = {"rules/contest.json", "rules/server.json"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        lvl_findings *findings = lvl_findings_new(&ctx);
        lvl_rules *rules = NULL;
        char path[1024];
        size_t len;
        snprintf(path, sizeof path, "%s/%s", lvl_samples_dir(), names[i]);
        uint8_t *data = lvl_slurp(path, &len);
        assert_non_null(data);
        if (lvl_rules_read(&rules, &ctx, (lvl_text){(const char *)data, len}, names[i], findings) != LVL_OK)
            fail_msg("%s", lvl_findings_count(findings) ? lvl_findings_at(findings, 0)->text : names[i]);
        free(data);
        lvl_rules_free(rules);
        lvl_findings_free(findings);
    }
}

/* A file that was cut at each byte, and one with each bit flipped: it is refused, or its rules are
 * evaluated. */
static void damaged(void **state)
{
    char path[1024];
    size_t len, read = 0;
    uint8_t *level;
    lvl_doc *doc = sample("wwd", "wwd/cliffs.wwd", &level);

    (void)state;
    snprintf(path, sizeof path, "%s/rules/contest.json", lvl_samples_dir());
    uint8_t *data = lvl_slurp(path, &len);
    assert_non_null(data);
    for (size_t i = 0; i < 9 * len; i++) {
        lvl_findings *findings = lvl_findings_new(&ctx);
        lvl_rules *rules = NULL;
        const bool cut = i < len;
        const size_t n = cut ? i : len;
        uint8_t *copy = malloc(n + 1); /* as long as it is read */
        assert_non_null(copy);
        memcpy(copy, data, n);
        if (!cut)
            copy[(i - len) / 8] ^= (uint8_t)(1u << (i & 7));
        const lvl_status status =
            lvl_rules_read(&rules, &ctx, (lvl_text){(const char *)copy, n}, "r.json", findings);
        assert_true(status == LVL_OK || (status == LVL_ERR_FORMAT && lvl_findings_count(findings)));
        if (status == LVL_OK) {
            lvl_scene *scene = NULL;
            assert_int_equal(lvl_rules_check(rules, doc, findings), LVL_OK);
            lvl_rules_own(rules, &ctx);
            assert_int_equal(lvl_doc_scene(doc, NULL, &scene), LVL_OK);
            lvl_scene_free(scene);
            ctx.own = NULL;
        }
        read += status == LVL_OK;
        lvl_findings_free(findings);
        lvl_rules_free(rules);
        free(copy);
    }
    assert_true(read > 0);
    free(data);
    lvl_doc_free(doc);
    free(level);
}

/* More uses than have numbers, more fields than a use has. */
static void uses_have_limits(void **state)
{
    static char json[200000];
    lvl_findings *findings = lvl_findings_new(&ctx);
    lvl_rules *rules = NULL;

    (void)state;
    for (int things = 1; things <= 300; things += 299) {
        size_t len = (size_t)snprintf(json, sizeof json, "{\"format\":\"wwd\",\"things\":{");
        for (int i = 0; i < things; i++)
            len += (size_t)snprintf(json + len, sizeof json - len,
                                    "%s\"T%d\":{\"kind\":\"boss\",\"uses\":[{\"fields\":\"x\"}]}",
                                    i ? "," : "", i);
        len += (size_t)snprintf(json + len, sizeof json - len, "},\"rules\":[]}");
        assert_int_equal(lvl_rules_read(&rules, &ctx, (lvl_text){json, len}, "r.json", findings),
                         things == 1 ? LVL_OK : LVL_ERR_FORMAT);
        lvl_rules_free(rules);
        rules = NULL;
    }
    assert_int_equal(lvl_findings_count(findings), 1);
    if (!strstr(lvl_findings_at(findings, 0)->text, "256 different uses"))
        fail_msg("%s", lvl_findings_at(findings, 0)->text);
    lvl_findings_free(findings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_they_find),  cmocka_unit_test(things_of_ones_own),
        cmocka_unit_test(verdicts),        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(limits_hold),     cmocka_unit_test(samples),
        cmocka_unit_test(damaged),         cmocka_unit_test(uses_have_limits),
        cmocka_unit_test(own_things_move),
    };

    lvl_ctx_init(&ctx);
    if (!lvl_samples_dir())
        return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
