/*
 * graal/tiles/tiledefs.c: a list of tile definitions, one per line:
 *
 *     image,level_start,type,x,y
 *     pics4_winter.png,snow_,0,0,0            the sheet of all levels whose names begin with snow_
 *     pics4_winter_part1.png,snow_,4,64,400   a picture that is pasted into it
 *
 * No signature: a file is recognized by its name, which contains "tiledefs", and its first line. The script
 * commands addtiledef and addtiledef2 make the same definitions (graal/tiles/graal_tileset.c).
 */
#include "graal/tiles/tiledefs.h"

#include "base/findings.h"
#include "base/info.h"
#include "base/text.h"
#include "lines/grammar.h"
#include "graal/graal_format.h"
#include "graal/art/graal_pictures.h"
#include "scene/art.h"

/* ---- fields -------------------------------------------------------------------------------------- */

/* clang-format off */
static const lvl_name type_names[] = {
    {LVL_TILEDEF_CLASSIC, "classic", "A sheet. Tiles block like those of the first game."},
    {LVL_TILEDEF_NEW_WORLD, "new_world", "A sheet. Tiles block like those of the New World."},
    {LVL_TILEDEF_NEW_WORLD_2, "new_world_2", "The same."},
    {LVL_TILEDEF_PASTE, "paste", "A picture that is pasted into the sheet at x, y."},
    {LVL_TILEDEF_NONE, "none", "A sheet. No tile blocks."},
    {0, NULL, NULL},
};
static const lvl_name line_end_names[] = {
    {LVL_TILEDEFS_LF, "lf", NULL},
    {LVL_TILEDEFS_CRLF, "crlf", NULL},
    {0, NULL, NULL},
};

#define PASTED .unit = "px", .min = -65536, .max = 65536
static const lvl_field tiledef_fields[] = {
    LVL_ROW_TEXT(lvl_tiledef, image, "image", .flags = LVL_F_FILE, .use = LVL_USE_TILESET,
                 .prose = "File name of the picture."),
    LVL_ROW_TEXT(lvl_tiledef, level_start, "level_start",
                 .prose = "For levels whose name begins with this, ignoring case; empty: for all. The "
                          "longest match counts."),
    LVL_ROW_INT(lvl_tiledef, type, "type", LVL_NO_PLACE, .names = type_names,
                .prose = "How the tiles behave, or that the picture is pasted."),
    LVL_ROW_INT(lvl_tiledef, x, "x", LVL_NO_PLACE, PASTED,
                .prose = "From the left of the sheet; of a pasted picture."),
    LVL_ROW_INT(lvl_tiledef, y, "y", LVL_NO_PLACE, PASTED, .prose = "From the top."),
};
static const lvl_identity tiledef_identities[] = {
    {5, {offsetof(lvl_tiledef, image), offsetof(lvl_tiledef, level_start), offsetof(lvl_tiledef, type),
         offsetof(lvl_tiledef, x), offsetof(lvl_tiledef, y)}},
    {3, {offsetof(lvl_tiledef, image), offsetof(lvl_tiledef, level_start), offsetof(lvl_tiledef, type)}},
};
const lvl_table lvl_tiledef_table = {
    .name = "def", .prose = "A definition: a picture, and the levels that it is for.",
    .struct_size = sizeof(lvl_tiledef),
    .fields = tiledef_fields, .field_count = LVL_COUNT_OF(tiledef_fields),
    .identities = tiledef_identities, .identity_count = LVL_COUNT_OF(tiledef_identities),
    .label = "image",
};

static const lvl_field tiledefs_fields[] = {
    LVL_ROW_LIST(lvl_tiledefs, defs, def_count, "defs", &lvl_tiledef_table, lvl_tiledef,
                 .prose = "Definitions, in the order in which pictures are pasted.",
                 .summary = {.show = LVL_SHOW, .label = "definitions", .key = "definitions"}),
    LVL_ROW(lvl_tiledefs, line_end, "line_end", LVL_INT, .role = LVL_KEPT, .disk = LVL_NO_PLACE,
            .names = line_end_names, .prose = "How lines end."),
    LVL_ROW(lvl_tiledefs, source, "source", LVL_TEXT, .role = LVL_KEPT, .disk = LVL_NO_PLACE,
            .prose = "The file as it was read; unchanged lines are copied from it."),
};
const lvl_table lvl_tiledefs_table = {
    .name = "tiledefs", .prose = "A list of tile definitions.", .struct_size = sizeof(lvl_tiledefs),
    .fields = tiledefs_fields, .field_count = LVL_COUNT_OF(tiledefs_fields),
};

/* ---- findings ------------------------------------------------------------------------------------ */

enum { NUMBER, NAME, WORDS, INCOMPLETE, TEXT, NO_IMAGE, MISSING, FINDINGS };

#define FINDING_INDEX(name) name
#include "base/finding_rows.h"

static const lvl_finding_def findings_table[FINDINGS] = {
    FINDING(NUMBER, "tiledefs.number", E, W, W,
            "An x or y is not a whole number: the digits at its start count, or 0.")
    FINDING(NAME, "tiledefs.type", N, N, N,
            "A type that is unknown or not a whole number. It is drawn as a classic sheet.")
    FINDING(WORDS, "tiledefs.line.more", E, E, E,
            "A line has more columns than image, level start, type, x and y; nothing reads them. They are "
            "kept.")
    FINDING(INCOMPLETE, "tiledefs.line.short", W, W, N,
            "A line has fewer than five columns. Without a type the game skips it; x and y are 0.")
    FINDING(TEXT, "tiledefs.text", E, E, E,
            "A line cannot hold this text, for example one with a comma: it would be read as something else.")
    FINDING(NO_IMAGE, "tiledefs.image.empty", W, W, N, "A line without a picture: the game skips it.")
    ABOUT(MISSING, "tiledefs.image.missing", W, W, N, NO_PICTURE, "There is no picture of that name: levels are drawn with another sheet.", NULL)
};

/* ---- lines --------------------------------------------------------------------------------------- */

#define COLUMNS ", image level_start #type x y"
static const lvl_rule rules[] = {
    {.kind = LVL_RULE_ROWS, .list = offsetof(lvl_tiledefs, defs), .words = COLUMNS},
};
static const lvl_grammar grammar = {
    .rules = rules, .rule_count = LVL_COUNT_OF(rules),
    .source = offsetof(lvl_tiledefs, source), .line_end = offsetof(lvl_tiledefs, line_end),
    .findings = {
        [LVL_LINE_NUMBER] = &findings_table[NUMBER],
        [LVL_LINE_NAME] = &findings_table[NAME],
        [LVL_LINE_WORDS] = &findings_table[WORDS],
        [LVL_LINE_INCOMPLETE] = &findings_table[INCOMPLETE],
        [LVL_LINE_UNWRITABLE] = &findings_table[TEXT],
    },
};
/* clang-format on */

static const lvl_grammar *grammar_of(const lvl_doc *doc)
{
    (void)doc;
    return &grammar;
}

lvl_status lvl_graal_tiledefs_visit(lvl_bytes file, lvl_status (*visit)(void *user, const lvl_tiledef *def),
                                    void *user)
{
    enum { COUNT = LVL_COUNT_OF(tiledef_fields), TYPE = 2 };
    const lvl_text text = lvl_lines_of_file(file);
    const lvl_lines_text lines = {text.ptr, text.ptr + text.len, false}; /* a CR counts as a blank */
    lvl_text found[LVL_MEMBERS];
    lvl_status status = LVL_OK;
    lvl_line_form form;
    lvl_line_view line;
    unsigned problems;

    lvl_line_form_of(COLUMNS, &lvl_tiledef_table, &form);
    for (const char *p = lines.ptr; p < lines.end && status == LVL_OK; p = line.next) {
        lvl_tiledef def = {{NULL, 0}, {NULL, 0}, 0, 0, 0};
        line = lvl_line_at(&lines, p);
        status = lvl_line_read(&form, NULL, line.text, &def, &problems, found);
        if (status == LVL_OK && def.image.len && found[TYPE].ptr)
            status = visit(user, &def);
    }
    return status;
}

/* Whether the name contains "tiledefs"; in collections it may begin with something else. */
static bool has_name(lvl_text name)
{
    while (name.len && !lvl_text_begins_nocase(name, "tiledefs")) {
        name.ptr++;
        name.len--;
    }
    return name.len != 0;
}

static int probe(const lvl_probe_input *in)
{
    const lvl_text name = lvl_path_last(lvl_text_of(in->name)), text = lvl_lines_of_file(in->head);
    const lvl_lines_text lines = {text.ptr, text.ptr + text.len, false};
    lvl_line_view line = {{NULL, 0}, lines.ptr};
    lvl_line_form form;

    if (!lvl_text_has_ending(name, ".txt") || !has_name(name))
        return 0;
    while (line.next < lines.end && !lvl_text_trim(line.text).len)
        line = lvl_line_at(&lines, line.next);
    if (!line.text.len)
        return 0;
    lvl_line_form_of(", image level_start #type [x y]", &lvl_tiledef_table, &form);
    return lvl_line_fits(&form, line.text, true) ? 24 : 0;
}

/* ---- check --------------------------------------------------------------------------------------- */

static lvl_status check(const lvl_doc *doc, const lvl_check_request *request)
{
    const uint32_t folders = request->art ? lvl_graal_picture_folders(request->art) : 0;
    const lvl_tiledefs *t = doc->root;
    char file[LVL_GRAAL_NAME];
    bool any = false;

    for (uint32_t i = 0; i < t->def_count && request->art && !any; i++)
        any = lvl_graal_file_name(doc->codepage, t->defs[i].image, file) &&
              lvl_graal_picture_name(request->art, folders, file);
    if (request->art && !any && t->def_count)
        lvl_findings_add(request->findings, &lvl_doc_art_absent, NULL, NULL, "pictures of the definitions");
    for (uint32_t i = 0; i < t->def_count; i++) {
        const lvl_where where = lvl_where_to(
            lvl_where_item(lvl_where_root(), &lvl_tiledefs_table, offsetof(lvl_tiledefs, defs), i),
            LVL_FIELD(lvl_tiledef, image), LVL_NO_INDEX);
        if (!t->defs[i].image.len)
            lvl_report_at(request->findings, &findings_table[NO_IMAGE], where, "definition %u has no picture",
                          i);
        else if (any && lvl_graal_file_name(doc->codepage, t->defs[i].image, file) &&
                 !lvl_graal_picture_name(request->art, folders, file))
            lvl_report_at(request->findings, &findings_table[MISSING], where,
                          "%s" LVL_IS_MISSING ": levels are drawn with another sheet", file);
    }
    return LVL_OK;
}

static lvl_status info_of_list(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art)
{
    (void)art;
    lvl_info_fields(info, &lvl_tiledefs_table, doc->root, NULL, NULL);
    return lvl_info_status(info);
}

const lvl_format lvl_format_tiledefs = {
    .id = "tiledefs",
    .family = "graal",
    .title = "Graal tile definitions",
    .extensions = "tiledefs.txt", /* not txt, which may be any text */
    .codepage = LVL_CP_1252,
    .table = &lvl_tiledefs_table,
    .findings = findings_table,
    .finding_count = FINDINGS,
    .calls =
        &(const lvl_format_calls){
            .probe = probe,
            LVL_GRAMMAR_CALLS(lvl_grammar_read, lvl_grammar_check_writable, grammar_of),
            .check = check,
            .info = info_of_list,
        },
};
