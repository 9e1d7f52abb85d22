/*
 * graal/gani_format.c: animations. Perhaps the version in the first line; then definitions, a line each, in
 * any order; a script; and the frames (gani_frames.c), or the actors of a movie (gani_actors.c):
 *
 *     SPRITE id source x y width height [description]
 *     ATTACHSPRITE parent child dx dy            ATTACHSPRITE2: drawn before the parent
 *     LOOP, CONTINUOUS, SINGLEDIRECTION, FRAMES length, BACKCOLOR color, SETBACKTO name
 *     DEFAULTlayer [value]
 *     COLOREFFECT sprite red green blue alpha, ZOOMEFFECT sprite value and its like
 *     SCRIPT, lines, SCRIPTEND
 *     ANI, frames, ANIEND
 *     MOVIE, actors, MOVIEEND
 *
 * Editors align words in columns.
 */
#include "graal/gani_internal.h"

#include "base/text.h"
#include "graal/gani_scene.h"
#include "graal/graal_format.h"

/* ---- lines --------------------------------------------------------------------------------------- */

/* clang-format off */
#define LIST(m) offsetof(lvl_gani, m)
#define SETTINGS (2 * LVL_RULE_SECTION | LVL_RULE_SHORT)
#define LINE(word_, kind_, list_, words_, flags_) {word_, NULL, kind_, list_, words_, NULL, flags_}
#define SINGLE(word_, words_, flags_) LINE(word_, LVL_RULE_SINGLE, 0, words_, SETTINGS | (flags_))
#define ITEM(word_, list_, words_, section_) \
    LINE(word_, LVL_RULE_ITEM, LIST(list_), words_, (section_) * LVL_RULE_SECTION | LVL_RULE_SHORT)
#define ROWS(word_, list_, flags_) \
    {word_, word_ "END", LVL_RULE_ROWS, LIST(list_), NULL, NULL, \
     LVL_RULE_ONCE | 4 * LVL_RULE_SECTION | (flags_)}

static const lvl_rule gani_rules[] = {
    LINE("GANI0", LVL_RULE_FIRST, 0, "version", LVL_RULE_NAMED),
    [LVL_GANI_RULE_SPRITE] =
        ITEM("SPRITE", sprites, "id:4 source:15 x:4 y:4 width:4 height:4 ~description", 1),
    ITEM("ATTACHSPRITE", attachments, "parent:4 child:4 dx:3 dy:3", 1),
    ITEM("ATTACHSPRITE2", attachments, "!under parent:3 child:4 dx:3 dy:3", 1),
    SINGLE("FRAMES", "length", 0),
    SINGLE("LOOP", "!loop", 0),
    SINGLE("CONTINUOUS", "!continuous", 0),
    [LVL_GANI_RULE_SINGLE] = SINGLE("SINGLEDIRECTION", "!single_direction", 0),
    SINGLE("SINGLEDIR", "!single_direction", LVL_RULE_ALIAS),
    SINGLE("BACKCOLOR", "[back_color...]", 0),
    SINGLE("SETBACKTO", "[setback_to...]", 0),
    ITEM("DEFAULT", defaults, "+layer ~value", 2),
    ITEM("COLOREFFECT", effects, "!kind=0 sprite red green blue alpha", 2),
    ITEM("ZOOMEFFECT", effects, "!kind=1 sprite value", 2),
    ITEM("STRETCHXEFFECT", effects, "!kind=2 sprite value", 2),
    ITEM("STRETCHYEFFECT", effects, "!kind=3 sprite value", 2),
    ITEM("ROTATEEFFECT", effects, "!kind=4 sprite value", 2),
    ITEM("EFFECTMODE", effects, "!kind=5 sprite value", 2),
    ITEM("LAYER", effects, "!kind=6 sprite value", 2),
    {"SCRIPT", "SCRIPTEND", LVL_RULE_SINGLE, 0, NULL, "script", LVL_RULE_ONCE | 3 * LVL_RULE_SECTION},
    [LVL_GANI_RULE_ANI] = ROWS("ANI", frames, LVL_RULE_ALWAYS),
    [LVL_GANI_RULE_MOVIE] = ROWS("MOVIE", actors, 0),
    /* behind the blocks, since a second block is among them */
    LINE(NULL, LVL_RULE_OTHER, LIST(others), NULL, 5 * LVL_RULE_SECTION),
};
static const lvl_line_rows *const gani_rows[LVL_COUNT_OF(gani_rules)] = {
    [LVL_GANI_RULE_ANI] = &lvl_gani_frames,
    [LVL_GANI_RULE_MOVIE] = &lvl_gani_actors,
};
/* clang-format on */

#define FINDING(finding) (&lvl_gani_findings[LVL_GANI_F_##finding])

static const lvl_grammar gani_grammar = {
    .rules = gani_rules,
    .rule_count = LVL_COUNT_OF(gani_rules),
    .source = offsetof(lvl_gani, source),
    .line_end = offsetof(lvl_gani, line_end),
    .rows = gani_rows,
    .comment = "//",
    .loose = true,
    .findings = {[LVL_LINE_NUMBER] = FINDING(ODD_LINE),
                 [LVL_LINE_WORDS] = FINDING(ODD_LINE),
                 [LVL_LINE_INCOMPLETE] = FINDING(ODD_LINE),
                 [LVL_LINE_BETWEEN] = FINDING(ODD_LINE),
                 [LVL_LINE_OPEN] = FINDING(NOT_ENDED),
                 [LVL_LINE_END] = FINDING(UNKNOWN_LINE),
                 [LVL_LINE_UNKNOWN] = FINDING(UNKNOWN_LINE),
                 [LVL_LINE_OUTSIDE] = FINDING(OUTSIDE),
                 [LVL_LINE_SECOND] = FINDING(SECOND_BLOCK),
                 [LVL_LINE_UNWRITABLE] = FINDING(UNWRITABLE)},
};

static const lvl_grammar *grammar_of(const lvl_doc *doc)
{
    (void)doc;
    return &gani_grammar;
}

/* ---- reading ------------------------------------------------------------------------------------- */

static lvl_lines_text lines_of(lvl_bytes file)
{
    const lvl_text text = lvl_lines_of_file(file);

    return (lvl_lines_text){text.ptr, text.ptr + text.len, true};
}

/* The next line that is neither blank nor a comment, without the blanks around it; empty: there is none. */
static lvl_text next_line(lvl_lines_text *text)
{
    while (text->ptr < text->end) {
        const lvl_line_view line = lvl_line_at(text, text->ptr);
        const lvl_text t = lvl_text_trim(line.text);
        text->ptr = line.next;
        if (t.len && *t.ptr != '#' && !lvl_text_begins(t, "//"))
            return t;
    }
    return (lvl_text){text->end, 0};
}

/* The rule whose word a line begins with; NULL: none. */
static const lvl_rule *rule_of(lvl_text line)
{
    for (uint32_t k = 1; k < LVL_COUNT_OF(gani_rules); k++) {
        const lvl_rule *rule = &gani_rules[k];
        if (rule->word && (rule->words && *rule->words == '+' ? lvl_text_begins(line, rule->word)
                                                              : lvl_line_has_word(line, rule->word)))
            return rule;
    }
    return NULL;
}

static uint8_t version_of(lvl_text first)
{
    return !lvl_text_begins(first, "GANI0")     ? LVL_GANI_BARE
           : lvl_text_begins(first, "GANI0002") ? LVL_GANI0002
           : lvl_text_begins(first, "GANI0FP4") ? LVL_GANI0FP4
                                                : LVL_GANI0001;
}

static lvl_status read_gani(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    lvl_lines_text text = lines_of(doc->input);
    const lvl_text first = next_line(&text);
    lvl_gani *g = doc->root;
    char shown[80];

    g->version = version_of(first);
    if (g->version == LVL_GANI0001 && !lvl_text_begins(first, "GANI0001"))
        lvl_findings_add(findings, FINDING(VERSION), NULL, NULL, "expected GANI0001 or GANI0002, got \"%s\"",
                         lvl_text_show(shown, sizeof shown, doc->codepage, first));
    const lvl_status status = lvl_grammar_read(doc, sink, findings);
    if (g->version == LVL_GANI0FP4 && !g->sprite_count && !g->frame_count && !g->actor_count)
        lvl_findings_add(findings, FINDING(OBFUSCATED), NULL, NULL, "%zu bytes are kept as they are",
                         doc->input.len);
    return status;
}

/* Half of the real files have no header and begin with their sprites, which look like nothing else: a word in
 * capitals and six words of which five are numbers. Lines of other kinds count only in a file that is named
 * as ours. */
static int probe(const lvl_probe_input *in)
{
    lvl_lines_text text = lines_of(in->head);
    const lvl_text line = next_line(&text);
    lvl_line_form form;

    if (in->head.len && memchr(in->head.ptr, 0, in->head.len))
        return 0;
    if (lvl_text_begins(line, "GANI0") && line.len >= 8)
        return 64;
    const lvl_rule *rule = rule_of(line);
    if (!rule)
        return 0;
    if (rule != &gani_rules[LVL_GANI_RULE_SPRITE])
        return lvl_text_has_ending(lvl_text_of(in->name), ".gani") ? 24 : 0;
    lvl_line_form_of(rule->words, &lvl_gani_sprite_table, &form);
    return lvl_line_fits(&form, (lvl_text){line.ptr + strlen(rule->word), line.len - strlen(rule->word)},
                         true)
               ? 56
               : 0;
}

const lvl_format lvl_format_gani = {
    .id = "gani",
    .family = "graal",
    .title = "Graal animation or movie",
    .extensions = "gani",
    .later = "GANI0",
    .mime = "text/x-graal-animation",
    .codepage = LVL_CP_1252,
    .table = &lvl_gani_table,
    .findings = lvl_gani_findings,
    .finding_count = LVL_GANI_F_COUNT,
    .calls =
        &(const lvl_format_calls){
            .probe = probe,
            .read = read_gani,
            .write = lvl_grammar_write,
            .check_writable = lvl_grammar_check_writable,
            .kept = lvl_grammar_kept,
            .can_regenerate = lvl_grammar_can_regenerate,
            .drop_spelling = lvl_doc_drop_kept_members,
            .check = lvl_gani_check,
            .repair = lvl_gani_repair,
            .info = lvl_gani_info,
            .scene = lvl_gani_scene,
            .play = lvl_gani_animation,
            .grammar = grammar_of,
        },
};
