/*
 * graal/server/server_format.c: the files that a Graal server keeps beside its levels:
 *
 *     GRAWP001            GRNPC001              GRACC001
 *     REALNAME -bow       NAME Miller           NAME guest
 *     IMAGE bow.png       IMAGE miller.png      LEVEL mill.nw
 *     SCRIPT              STARTLEVEL mill.nw    X 30.50
 *     ...                 NPCSCRIPT             WEAPON -bow
 *     SCRIPTEND           ...                   CHEST 10:20:mill.nw
 *                         NPCSCRIPTEND
 *
 * A key is in capital letters at the beginning of a line, and its value is the rest of the line, often empty.
 * Keys for numbers and rights are kept as lines (`others`), since they name no files. New versions of the
 * server write GRALATS for RUPEES.
 */
#include "base/text.h"
#include "lines/grammar.h"
#include "graal/graal_format.h"
#include "graal/server/server_files.h"
#include "games/language.h"

#include <lvl/server.h>
#include <string.h>

/* ---- fields -------------------------------------------------------------------------------------- */

/* clang-format off */
static const lvl_name version_names[] = {
    {LVL_GRAWP001, "GRAWP001", "A weapon."},
    {LVL_GRNPC001, "GRNPC001", "An NPC of the server's database."},
    {LVL_GRACC001, "GRACC001", "An account of a player."},
    {0, NULL, NULL},
};
#define TABLE(name_, prose_, T, fields_, ...)                                                    \
    {.name = (name_), .prose = (prose_), .struct_size = sizeof(T), .fields = (fields_),          \
     .field_count = LVL_COUNT_OF(fields_), __VA_ARGS__}

static const lvl_field chest_fields[] = {
    LVL_ROW_INT(lvl_server_chest, x, "x", LVL_NO_PLACE, .unit = "tiles", .prose = "Column of the chest."),
    LVL_ROW_INT(lvl_server_chest, y, "y", LVL_NO_PLACE, .unit = "tiles", .prose = "Row of the chest."),
    LVL_ROW_TEXT(lvl_server_chest, level, "level", .flags = LVL_F_FILE, .use = LVL_USE_LEVEL,
                 .prose = "File name of the level that it is in."),
};
static const lvl_identity chest_identities[] = {
    {3, {offsetof(lvl_server_chest, level), offsetof(lvl_server_chest, x), offsetof(lvl_server_chest, y)}},
};
const lvl_table lvl_server_chest_table = TABLE("chest", "A chest that the player has opened.", lvl_server_chest,
    chest_fields, .identities = chest_identities, .identity_count = 1, .label = "level");

static const lvl_field weapon_fields[] = {
    LVL_ROW_TEXT(lvl_server_weapon, name, "name", .flags = LVL_F_STEM, .use = LVL_USE_DOODAD,
                 .part_ending = "weapon*.txt", .prose = "Name of the weapon, as in its file."),
};
static const lvl_identity weapon_identities[] = {{1, {offsetof(lvl_server_weapon, name)}}};
const lvl_table lvl_server_weapon_table = TABLE("weapon", "A weapon that the player has.", lvl_server_weapon,
    weapon_fields, .identities = weapon_identities, .identity_count = 1, .label = "name");

static const lvl_field attribute_fields[] = {
    LVL_ROW_TEXT(lvl_server_attribute, number, "number", .prose = "Which one, 1 to 30."),
    LVL_ROW_TEXT(lvl_server_attribute, value, "value", .flags = LVL_F_FILE, .use = LVL_USE_PICTURE,
                 .prose = "File name of a picture (1: the hat), or any text."),
};
static const lvl_identity attribute_identities[] = {{1, {offsetof(lvl_server_attribute, number)}}};
const lvl_table lvl_server_attribute_table = TABLE("attribute", "One of the attributes of a character.",
    lvl_server_attribute, attribute_fields, .identities = attribute_identities, .identity_count = 1,
    .label = "number");

static const lvl_field flag_fields[] = {
    LVL_ROW_TEXT(lvl_server_flag, value, "value", .prose = "Its name, or name=value."),
};
static const lvl_identity flag_identities[] = {{1, {offsetof(lvl_server_flag, value)}}};
const lvl_table lvl_server_flag_table = TABLE("flag", "A flag, which scripts set.", lvl_server_flag, flag_fields,
    .identities = flag_identities, .identity_count = 1, .label = "value");

#define BIT(version_)  ((uint64_t)1 << LVL_##version_)
#define WHEN(versions_) .when = {offsetof(lvl_server, version), 1, (versions_)}
#define WEAPON     WHEN(BIT(GRAWP001))
#define NPC        WHEN(BIT(GRNPC001))
#define ACCOUNT    WHEN(BIT(GRACC001))
#define CHARACTER  WHEN(BIT(GRNPC001) | BIT(GRACC001))
#define SCRIPTED   WHEN(BIT(GRAWP001) | BIT(GRNPC001))
#define SHOWN(words) .summary = {.show = LVL_SHOW_FILLED, .label = (words)}
#define TEXT(m, prose_, ...) LVL_ROW_TEXT(lvl_server, m, #m, .prose = (prose_), __VA_ARGS__)
#define PICTURE(m, prose_, ...) \
    LVL_ROW_TEXT(lvl_server, m, #m, .flags = LVL_F_FILE, .use = LVL_USE_PICTURE, .prose = (prose_), __VA_ARGS__)
#define LEVEL(m, prose_, ...) \
    LVL_ROW_TEXT(lvl_server, m, #m, .flags = LVL_F_FILE, .use = LVL_USE_LEVEL, .prose = (prose_), __VA_ARGS__)
#define REAL(m, unit_, prose_, ...) \
    LVL_ROW_REAL(lvl_server, m, #m, .unit = (unit_), .prose = (prose_), __VA_ARGS__)
#define LIST(m, count, T, prose_, ...) \
    LVL_ROW_LIST(lvl_server, m, count, #m, &T##_table, T, .prose = (prose_), __VA_ARGS__)

static const lvl_field server_fields[] = {
    LVL_ROW_UINT(lvl_server, version, "version", LVL_NO_PLACE, .names = version_names, .def = LVL_GRACC001,
                 .prose = "The file's first line.", .summary = {.show = LVL_SHOW, .label = "kind"}),
    LVL_ROW_TEXT(lvl_server, real_name, "real_name", WEAPON, .use = LVL_USE_DOODAD, .flags = LVL_F_STEM,
                 .part_ending = "weapon*.txt", .prose = "The weapon's name, whatever the file is called.",
                 SHOWN("name")),
    LVL_ROW_TEXT(lvl_server, name, "name", CHARACTER, .use = LVL_USE_TITLE,
                 .prose = "Its name.", SHOWN("name")),
    PICTURE(image, "File name of its picture.", SCRIPTED, SHOWN("picture")),
    TEXT(bytecode, "File name of the compiled script, in weapon_bytecode/.", WEAPON),
    TEXT(id, "Its number; below 10000 in levels.", NPC),
    TEXT(type, "What it is for.", NPC, SHOWN("type")),
    TEXT(scripter, "Account of the author of the script.", NPC),
    TEXT(owner, "Account of its owner.", NPC),
    LEVEL(start_level, "File name of the level where it starts.", NPC, SHOWN("starts in")),
    REAL(start_x, "tiles", "From the left of the level.", NPC),
    REAL(start_y, "tiles", "From the top.", NPC),
    REAL(start_z, "tiles", "Height.", NPC),
    LEVEL(level, "File name of the level, or of the gmap, where it is.", CHARACTER, SHOWN("level")),
    REAL(x, "tiles", "From the left of the level.", CHARACTER),
    REAL(y, "tiles", "From the top.", CHARACTER),
    REAL(z, "tiles", "Height.", CHARACTER),
    TEXT(nick, "The name that players see.", CHARACTER),
    TEXT(community_name, "Name of the account in the community.", ACCOUNT),
    REAL(max_hp, NULL, "Hearts that the player can have.", ACCOUNT),
    REAL(hp, NULL, "Hearts that the player has.", ACCOUNT),
    TEXT(gralats, "Money.", ACCOUNT),
    LVL_ROW_TEXT(lvl_server, ani, "ani", CHARACTER, .flags = LVL_F_STEM, .use = LVL_USE_ANIMATION,
                 .part_ending = "gani", .prose = "Animation that it shows, without .gani."),
    PICTURE(head, "File name of the head's picture.", CHARACTER),
    PICTURE(body, "File name of the body's picture.", CHARACTER),
    PICTURE(sword, "File name of the sword's picture.", CHARACTER),
    PICTURE(shield, "File name of the shield's picture.", CHARACTER),
    PICTURE(bow, "File name of the bow's picture.", CHARACTER),
    PICTURE(horse, "File name of the horse's picture.", NPC),
    TEXT(colors, "Colours of skin, coat, sleeves, shoes and belt, between commas.", CHARACTER),
    TEXT(joined_classes, "Classes that the NPC has joined.", NPC),
    LIST(attributes, attribute_count, lvl_server_attribute, "Attributes of the character.", CHARACTER),
    LIST(flags, flag_count, lvl_server_flag, "Flags of the player.", ACCOUNT, SHOWN("flags")),
    LIST(weapons, weapon_count, lvl_server_weapon, "Weapons of the player.", ACCOUNT, SHOWN("weapons")),
    LIST(chests, chest_count, lvl_server_chest, "Chests that the player has opened.", ACCOUNT, SHOWN("chests")),
    LVL_ROW_TEXTS(lvl_server, others, other_count, "others", .prose = "Lines with other keys."),
    LVL_ROW_TEXT(lvl_server, script, "script", SCRIPTED, .flags = LVL_F_LINES, .part = "scripts",
                 .prose = "Its script.",
                 .summary = {.show = LVL_SHOW_FILLED, .order = 1, .label = "script", .key = "script_lines"}),
    LVL_SERVER_KEPT(lvl_server),
};
const lvl_table lvl_server_table = TABLE("server", "A weapon, an NPC or an account of a server.", lvl_server,
    server_fields, .label = "name");

/* ---- findings ------------------------------------------------------------------------------------ */

enum { NUMBER, WORDS, INCOMPLETE, OPEN, END, TWICE, UNWRITABLE, HEADER, NO_NAME, LEVEL_MISSING, PICTURE_MISSING,
       FINDINGS };

#define FINDING_INDEX(name) name
#include "base/finding_rows.h"

static const lvl_finding_def findings_table[FINDINGS] = {
    FINDING(NUMBER, "server.number", W, W, N, "Not a number: the server reads the digits at its start, or 0.")
    FINDING(WORDS, "server.line.more", W, W, N, "A line has more than its key needs; the rest is ignored.")
    FINDING(INCOMPLETE, "server.line.short", W, W, N, "A line is incomplete: a chest needs x, y and a level.")
    FINDING(OPEN, "server.script.open", E, E, E,
            "The line that ends the script is missing: the file may be cut off there.")
    FINDING(END, "server.script.end", W, W, N, "A line ends a script that was not begun.")
    FINDING(TWICE, "server.key.twice", W, W, N, "A key occurs twice: the last one counts.")
    FINDING(UNWRITABLE, "server.unwritable", E, E, E,
            "A line cannot hold this value: it would be read as something else.")
    FINDING(HEADER, "server.header", E, E, W,
            "The first line is not GRAWP001, GRNPC001 or GRACC001: the server ignores the file.")
    FINDING(NO_NAME, "server.name.empty", E, E, W, "There is no name: the server does not load the file.")
    ABOUT(LEVEL_MISSING, "server.level.missing", W, W, N, NO_LEVEL, "There is no level of that name: the character appears at the server's start level instead.", NULL)
    ABOUT(PICTURE_MISSING, "server.image.missing", W, W, N, NO_PICTURE, "There is no picture of that name: nothing is shown.", NULL)
};

/* ---- lines --------------------------------------------------------------------------------------- */

#define KEY(word_, words_) {.word = (word_), .kind = LVL_RULE_SINGLE, .words = (words_)}
#define ALWAYS(word_, words_) {.word = (word_), .kind = LVL_RULE_SINGLE, .words = (words_), .flags = LVL_RULE_ALWAYS}
#define ITEMS(word_, m, words_) \
    {.word = (word_), .kind = LVL_RULE_ITEM, .list = offsetof(lvl_server, m), .words = (words_)}
#define SCRIPT(word_) {.word = (word_), .end = word_ "END", .kind = LVL_RULE_SINGLE, .body = "script"}
#define HEAD {.word = "GR", .kind = LVL_RULE_FIRST, .words = "version"}
#define OTHERS {.kind = LVL_RULE_OTHER, .list = offsetof(lvl_server, others)}

static const lvl_rule weapon_rules[] = {
    HEAD, ALWAYS("REALNAME", "~real_name"), KEY("IMAGE", "~image"), KEY("BYTECODE", "~bytecode"), OTHERS,
    SCRIPT("SCRIPT"),
};
static const lvl_rule npc_rules[] = {
    HEAD, ALWAYS("NAME", "~name"), KEY("ID", "~id"), KEY("TYPE", "~type"), KEY("SCRIPTER", "~scripter"),
    KEY("OWNER", "~owner"), KEY("IMAGE", "~image"), KEY("STARTLEVEL", "~start_level"), KEY("STARTX", "start_x"),
    KEY("STARTY", "start_y"), KEY("STARTZ", "start_z"), KEY("LEVEL", "~level"), KEY("X", "x"), KEY("Y", "y"),
    KEY("Z", "z"), KEY("NICK", "~nick"), KEY("ANI", "~ani"), KEY("HEAD", "~head"), KEY("BODY", "~body"),
    KEY("SWORD", "~sword"), KEY("SHIELD", "~shield"), KEY("BOW", "~bow"), KEY("HORSE", "~horse"),
    KEY("COLORS", "~colors"), ITEMS("ATTR", attributes, "+number ~value"),
    KEY("JOINEDCLASSES", "~joined_classes"), OTHERS, SCRIPT("NPCSCRIPT"),
};
static const lvl_rule account_rules[] = {
    HEAD, ALWAYS("NAME", "~name"), KEY("NICK", "~nick"), KEY("COMMUNITYNAME", "~community_name"),
    KEY("LEVEL", "~level"), KEY("X", "x"), KEY("Y", "y"), KEY("Z", "z"), KEY("MAXHP", "max_hp"), KEY("HP", "hp"),
    {.word = "GRALATS", .kind = LVL_RULE_SINGLE, .words = "~gralats", .alias = "RUPEES"},
    KEY("ANI", "~ani"), KEY("BOW", "~bow"), KEY("HEAD", "~head"), KEY("BODY", "~body"), KEY("SWORD", "~sword"),
    KEY("SHIELD", "~shield"), KEY("COLORS", "~colors"), ITEMS("ATTR", attributes, "+number ~value"),
    ITEMS("FLAG", flags, "~value"), ITEMS("WEAPON", weapons, "~name"), ITEMS("CHEST", chests, ": x y level"),
    OTHERS,
};

#define GRAMMAR(rules_)                                                                          \
    {.rules = (rules_), .rule_count = LVL_COUNT_OF(rules_), .source = offsetof(lvl_server, source), \
     .line_end = offsetof(lvl_server, line_end),                                                 \
     .findings = {                                                                               \
         [LVL_LINE_NUMBER] = &findings_table[NUMBER],                                            \
         [LVL_LINE_WORDS] = &findings_table[WORDS],                                              \
         [LVL_LINE_INCOMPLETE] = &findings_table[INCOMPLETE],                                    \
         [LVL_LINE_OPEN] = &findings_table[OPEN],                                                \
         [LVL_LINE_END] = &findings_table[END],                                                  \
         [LVL_LINE_TWICE] = &findings_table[TWICE],                                              \
         [LVL_LINE_UNWRITABLE] = &findings_table[UNWRITABLE],                                    \
     }}
static const lvl_grammar weapon_grammar = GRAMMAR(weapon_rules), npc_grammar = GRAMMAR(npc_rules),
                         account_grammar = GRAMMAR(account_rules);
/* clang-format on */

static const lvl_grammar *grammar_of(const lvl_doc *doc)
{
    const lvl_server *s = doc->root;

    return s->version == LVL_GRAWP001   ? &weapon_grammar
           : s->version == LVL_GRNPC001 ? &npc_grammar
                                        : &account_grammar;
}

/* The name of the version that the text begins with; NULL: none. */
static const lvl_name *version_of(lvl_text text)
{
    for (const lvl_name *n = version_names; n->name; n++) {
        if (lvl_text_begins(text, n->name))
            return n;
    }
    return NULL;
}

static lvl_status read_server(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    const lvl_name *version = version_of(lvl_lines_of_file(doc->input));
    lvl_server *s = doc->root;

    if (!version) {
        lvl_findings_add(findings, &findings_table[HEADER], NULL, NULL,
                         "expected GRAWP001, GRNPC001 or GRACC001 in the first line");
        return LVL_ERR_FORMAT;
    }
    s->version = (uint8_t)version->value;
    doc->version = (uint32_t)version->value;
    return lvl_grammar_read(doc, sink, findings);
}

static int probe(const lvl_probe_input *in)
{
    return version_of(lvl_lines_of_file(in->head)) ? 64 : 0;
}

/* ---- check --------------------------------------------------------------------------------------- */

static lvl_status check(const lvl_doc *doc, const lvl_check_request *request)
{
    static const lvl_server_missing missing = {
        &findings_table[LEVEL_MISSING], &findings_table[PICTURE_MISSING],
        "the character appears at the server's start level", "it is not shown"};
    const lvl_server *s = doc->root;
    const bool weapon = s->version == LVL_GRAWP001;

    if (!(weapon ? s->real_name.len : s->name.len))
        lvl_findings_add(request->findings, &findings_table[NO_NAME], NULL, NULL,
                         "there is no %s: the server does not load the file", weapon ? "REALNAME" : "NAME");
    if (s->version != LVL_GRACC001)
        lvl_server_check_script(doc, request, LVL_FIELD(lvl_server, script));
    return lvl_server_check_files(doc, request, &missing);
}

/* Findings which mean that content is missing. */
static const lvl_finding_def *const cuts[] = {&findings_table[OPEN], NULL};

static const lvl_signature signatures[] = {
    LVL_SIGNATURE("GRAWP001", LVL_BYTES_AT(0, "GRAWP001")),
    LVL_SIGNATURE("GRNPC001", LVL_BYTES_AT(0, "GRNPC001")),
    LVL_SIGNATURE("GRACC001", LVL_BYTES_AT(0, "GRACC001")),
    {0},
};

const lvl_format lvl_format_server = {
    .id = "server",
    .family = "graal",
    .title = "Graal server file (weapon, NPC, account)",
    .extensions = "account.txt", /* not txt, which may be any text */
    .mime = "text/x-graal-server",
    .codepage = LVL_CP_1252,
    .table = &lvl_server_table,
    .findings = findings_table,
    .finding_count = FINDINGS,
    .signatures = signatures,
    .calls =
        &(const lvl_format_calls){
            .cuts = cuts,
            .probe = probe,
            LVL_GRAMMAR_CALLS(read_server, lvl_grammar_check_writable, grammar_of),
            .check = check,
            .info = lvl_server_info,
            .script_stems = lvl_gs1_stems,
        },
};
