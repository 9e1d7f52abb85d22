/*
 * graal/server/folderconfig.c: which files a Graal server takes, config/foldersconfig.txt:
 *
 *     # a type, and a path below world/, in whose last part a star stands for any letters
 *     level   *.nw
 *     head    heads/head*.png
 *
 * Files of any type are found by name; of the types other than `file` they are what their type says, too.
 * Lines that begin with # are comments.
 */
#include "graal/graal_format.h"
#include "graal/server/server_files.h"
#include "lines/grammar.h"

#include <lvl/server.h>

/* clang-format off */
static const lvl_name type_names[] = {
    {LVL_FOLDER_FILE, "file", "Any file."}, {LVL_FOLDER_LEVEL, "level", "Levels."},
    {LVL_FOLDER_HEAD, "head", "Pictures of heads."}, {LVL_FOLDER_BODY, "body", "Pictures of bodies."},
    {LVL_FOLDER_SWORD, "sword", "Pictures of swords."}, {LVL_FOLDER_SHIELD, "shield", "Pictures of shields."},
    {0, NULL, NULL},
};
static const lvl_field folder_fields[] = {
    LVL_ROW_INT(lvl_server_folder, type, "type", LVL_NO_PLACE, .names = type_names,
                .prose = "What the files are."),
    LVL_ROW_TEXT(lvl_server_folder, path, "path", .prose = "Below world/, with * in its last part."),
};
static const lvl_identity folder_identities[] = {
    {2, {offsetof(lvl_server_folder, type), offsetof(lvl_server_folder, path)}},
};
const lvl_table lvl_server_folder_table = {
    .name = "folder", .prose = "Files that the server takes.", .struct_size = sizeof(lvl_server_folder),
    .fields = folder_fields, .field_count = LVL_COUNT_OF(folder_fields), .label = "path",
    .identities = folder_identities, .identity_count = 1,
};

static const lvl_field folders_fields[] = {
    LVL_ROW_LIST(lvl_server_folders, folders, folder_count, "folders", &lvl_server_folder_table,
                 lvl_server_folder, .prose = "Of two files with one name, that of the later line counts.",
                 .summary = {.show = LVL_SHOW, .label = "folders", .key = "folders"}),
    LVL_SERVER_KEPT(lvl_server_folders),
};
const lvl_table lvl_server_folders_table = {
    .name = "folderconfig", .prose = "Which files a server takes.", .struct_size = sizeof(lvl_server_folders),
    .fields = folders_fields, .field_count = LVL_COUNT_OF(folders_fields),
};

enum { TYPE, UNKNOWN, UNWRITABLE, FINDINGS };
#define FINDING_INDEX(name) name
#include "base/finding_rows.h"
static const lvl_finding_def findings_table[FINDINGS] = {
    FINDING(TYPE, "folderconfig.type", W, W, N,
            "A type that the server does not know: it finds the files by name only.")
    FINDING(UNKNOWN, "folderconfig.line", W, W, N, "A line without a path.")
    FINDING(UNWRITABLE, "folderconfig.unwritable", E, E, E,
            "A line cannot hold this value: it would be read as something else.")
};

static const lvl_rule rules[] = {
    {.kind = LVL_RULE_OTHER, .list = offsetof(lvl_server_folders, folders), .words = "type path..."},
};
static const lvl_grammar grammar = {
    .rules = rules, .rule_count = LVL_COUNT_OF(rules), .comment = "#", .lenient = true, .by_hand = true,
    .source = offsetof(lvl_server_folders, source), .line_end = offsetof(lvl_server_folders, line_end),
    .findings = {[LVL_LINE_NAME] = &findings_table[TYPE], [LVL_LINE_UNKNOWN] = &findings_table[UNKNOWN],
                 [LVL_LINE_OUTSIDE] = &findings_table[UNKNOWN],
                 [LVL_LINE_UNWRITABLE] = &findings_table[UNWRITABLE]},
    .texts = {[LVL_LINE_NAME] = "a type that is not known: the server finds these files by name only",
              [LVL_LINE_UNKNOWN] = "expected a type and a path",
              [LVL_LINE_OUTSIDE] = "expected a type and a path"},
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
    lvl_line_form form;

    lvl_line_form_of(rules[0].words, &lvl_server_folder_table, &form);
    return (lvl_server_is_named(in->name, "foldersconfig") ||
            lvl_server_is_named(in->name, "folderconfig")) &&
                   line.len && lvl_line_fits(&form, line, false)
               ? 24
               : 0;
}

const lvl_format lvl_format_folderconfig = {
    .id = "folderconfig",
    .family = "graal",
    .title = "Folders of a Graal server",
    .extensions = "foldersconfig.txt", /* not txt, which may be any text */
    .codepage = LVL_CP_1252,
    .table = &lvl_server_folders_table,
    .findings = findings_table,
    .finding_count = FINDINGS,
    .calls =
        &(const lvl_format_calls){
            .probe = probe,
            LVL_GRAMMAR_CALLS(lvl_grammar_read, lvl_grammar_check_writable, grammar_of),
            .info = lvl_server_info,
        },
};
