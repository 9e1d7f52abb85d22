/*
 * graal/server/serveroptions.c: the settings of a Graal server, config/serveroptions.txt:
 *
 *     # where players go who are stuck
 *     unstickmelevel = mill.nw
 *     unstickmex = 30
 *     jaillevels = jail1.nw,jail2.nw
 *     minimap = world.txt,world.png,10,10
 *     maxplayers = 128
 *
 * Of a key that is there twice the last line counts; a line without an equals sign is skipped.
 */
#include "base/text.h"
#include "graal/graal_format.h"
#include "graal/server/server_files.h"
#include "lines/grammar.h"

#include <lvl/server.h>

/* clang-format off */
static const lvl_field option_fields[] = {
    LVL_ROW_TEXT(lvl_server_setting, key, "key", .prose = "Name of the setting."),
    LVL_ROW_TEXT(lvl_server_setting, value, "value", .prose = "Its value."),
};
static const lvl_identity option_identities[] = {{1, {offsetof(lvl_server_setting, key)}}};
const lvl_table lvl_server_setting_table = {
    .name = "option", .prose = "A setting that names no file.", .struct_size = sizeof(lvl_server_setting),
    .fields = option_fields, .field_count = LVL_COUNT_OF(option_fields), .label = "key",
    .identities = option_identities, .identity_count = 1,
};

#define TEXT(m, prose_, ...) LVL_ROW_TEXT(lvl_server_settings, m, #m, .prose = (prose_), __VA_ARGS__)
#define NAME(m, use_, prose_) TEXT(m, prose_, .flags = LVL_F_FILE, .use = LVL_USE_##use_)
#define LIST(m, count, ...) LVL_ROW_TEXTS(lvl_server_settings, m, count, #m, __VA_ARGS__)
#define LEVELS(m, count, prose_) \
    LIST(m, count, .flags = LVL_F_FILE, .use = LVL_USE_LEVEL, .prose = (prose_), SHOWN(#m))
#define STEMS(m, count, use_, end, prose_) \
    LIST(m, count, .flags = LVL_F_STEM, .use = LVL_USE_##use_, .part_ending = (end), .prose = (prose_))
#define REAL(m, unit_, prose_) \
    LVL_ROW_REAL(lvl_server_settings, m, #m, .unit = (unit_), .prose = (prose_))
#define SHOWN(words) .summary = {.show = LVL_SHOW_FILLED, .label = (words)}

static const lvl_field options_fields[] = {
    TEXT(name, "Name in the list of servers.", .use = LVL_USE_TITLE, SHOWN("name")),
    TEXT(description, "What the list says about it.", .use = LVL_USE_DESCRIPTION),
    LEVELS(start_levels, start_level_count, "Where new players begin."),
    REAL(start_x, "tiles", "From the left of that level."), REAL(start_y, "tiles", "From the top."),
    NAME(unstick_level, LEVEL, "Where players go who say \"unstick me\"."),
    REAL(unstick_x, "tiles", "From the left of that level."), REAL(unstick_y, "tiles", "From the top."),
    LEVELS(jail_levels, jail_level_count, "Levels that players cannot leave."),
    STEMS(gmaps, gmap_count, LEVEL, "gmap", "World maps, without .gmap."),
    LEVELS(maps, map_count, "Bigmaps."),
    LEVELS(group_maps, group_map_count, "Maps of which each group of players has its own."),
    NAME(bigmap, LEVEL, "The bigmap that players see."), NAME(bigmap_image, PICTURE, "Its picture."),
    REAL(bigmap_x, NULL, "Where players are shown who are not on it."), REAL(bigmap_y, NULL, "The same."),
    NAME(minimap, LEVEL, "The bigmap of the small map."), NAME(minimap_image, PICTURE, "Its picture."),
    REAL(minimap_x, NULL, "Where players are shown who are not on it."), REAL(minimap_y, NULL, "The same."),
    NAME(staff_head, PICTURE, "Head of those who administer the server."),
    STEMS(protected_weapons, protected_count, DOODAD, "weapon*.txt", "Weapons that are protected."),
    LVL_ROW_LIST(lvl_server_settings, options, option_count, "options", &lvl_server_setting_table,
                 lvl_server_setting, .prose = "The other settings.", SHOWN("other settings")),
    LVL_SERVER_KEPT(lvl_server_settings),
};
const lvl_table lvl_server_settings_table = {
    .name = "serveroptions", .prose = "The settings of a server.", .struct_size = sizeof(lvl_server_settings),
    .fields = options_fields, .field_count = LVL_COUNT_OF(options_fields), .label = "name",
};

enum { NUMBER, WORDS, UNKNOWN, TWICE, UNWRITABLE, LEVEL_MISSING, PICTURE_MISSING, FINDINGS };
#define FINDING_INDEX(name) name
#include "base/finding_rows.h"
static const lvl_finding_def findings_table[FINDINGS] = {
    FINDING(NUMBER, "serveroptions.number", W, W, N, "Not a number: the digits at its start count, or 0.")
    FINDING(WORDS, "serveroptions.more", W, W, N, "A value has more than its key needs.")
    FINDING(UNKNOWN, "serveroptions.line", W, W, N, "A line without an equals sign: the server skips it.")
    FINDING(TWICE, "serveroptions.twice", W, W, N, "A key occurs twice: the last one counts.")
    FINDING(UNWRITABLE, "serveroptions.unwritable", E, E, E,
            "A line cannot hold this value: it would be read as something else.")
    FINDING(LEVEL_MISSING, "serveroptions.level.missing", W, W, N, "There is no level or map of that name.")
    FINDING(PICTURE_MISSING, "serveroptions.image.missing", W, W, N, "There is no picture of that name.")
};

#define NO_KEY "expected KEY = VALUE: the server skips this line"
#define KEY(word_, words_) {.word = (word_), .kind = LVL_RULE_SINGLE, .words = "= " words_}
static const lvl_rule rules[] = {
    KEY("name", "~name"), KEY("description", "~description"), KEY("startlevel", "start_levels,"),
    KEY("startx", "start_x"), KEY("starty", "start_y"), KEY("unstickmelevel", "~unstick_level"),
    KEY("unstickmex", "unstick_x"), KEY("unstickmey", "unstick_y"), KEY("jaillevels", "jail_levels,"),
    KEY("gmaps", "gmaps,"), KEY("maps", "maps,"), KEY("groupmaps", "group_maps,"),
    KEY("bigmap", ", [bigmap bigmap_image bigmap_x bigmap_y]"),
    KEY("minimap", ", [minimap minimap_image minimap_x minimap_y]"), KEY("staffhead", "~staff_head"),
    KEY("protectedweapons", "protected_weapons,"),
    {.kind = LVL_RULE_OTHER, .list = offsetof(lvl_server_settings, options), .words = "key = ~value"},
};
static const lvl_grammar grammar = {
    .rules = rules, .rule_count = LVL_COUNT_OF(rules), .comment = "#", .lenient = true, .by_hand = true,
    .source = offsetof(lvl_server_settings, source), .line_end = offsetof(lvl_server_settings, line_end),
    .findings = {[LVL_LINE_NUMBER] = &findings_table[NUMBER], [LVL_LINE_WORDS] = &findings_table[WORDS],
                 [LVL_LINE_UNKNOWN] = &findings_table[UNKNOWN],
                 [LVL_LINE_INCOMPLETE] = &findings_table[UNKNOWN],
                 [LVL_LINE_OUTSIDE] = &findings_table[UNKNOWN], [LVL_LINE_TWICE] = &findings_table[TWICE],
                 [LVL_LINE_UNWRITABLE] = &findings_table[UNWRITABLE]},
    .texts = {[LVL_LINE_NUMBER] = "not a number: the digits at its start count, or 0",
              [LVL_LINE_WORDS] = "this line has more than its key needs",
              [LVL_LINE_UNKNOWN] = NO_KEY, [LVL_LINE_INCOMPLETE] = NO_KEY, [LVL_LINE_OUTSIDE] = NO_KEY},
};
/* clang-format on */

static const lvl_grammar *grammar_of(const lvl_doc *doc)
{
    (void)doc;
    return &grammar;
}

static int probe(const lvl_probe_input *in)
{
    const lvl_text line = lvl_server_first_line(in->head);

    return lvl_server_is_named(in->name, "serveroptions") && line.len && memchr(line.ptr, '=', line.len) ? 24
                                                                                                         : 0;
}

static lvl_status check(const lvl_doc *doc, const lvl_check_request *request)
{
    static const lvl_server_missing missing = {&findings_table[LEVEL_MISSING],
                                               &findings_table[PICTURE_MISSING],
                                               "the server does not find it", "it is not shown"};

    return lvl_server_check_files(doc, request, &missing);
}

const lvl_format lvl_format_serveroptions = {
    .id = "serveroptions",
    .family = "graal",
    .title = "Settings of a Graal server",
    .extensions = "serveroptions.txt", /* not txt, which may be any text */
    .codepage = LVL_CP_1252,
    .table = &lvl_server_settings_table,
    .findings = findings_table,
    .finding_count = FINDINGS,
    .calls =
        &(const lvl_format_calls){
            .probe = probe,
            LVL_GRAMMAR_CALLS(lvl_grammar_read, lvl_grammar_check_writable, grammar_of),
            .check = check,
            .info = lvl_server_info,
        },
};
