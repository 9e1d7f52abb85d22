/*
 * graal/gani/gani_format.c: animations. The first line may be the version. Definitions follow, a line each,
 * in any order; a script; and the frames (gani_frames.c), or the actors of a movie (gani_actors.c):
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
#include "graal/gani/gani_internal.h"

#include "base/text.h"
#include "graal/gani/gani_make.h"
#include "graal/gani/gani_scene.h"
#include "graal/graal_format.h"
#include "games/language.h"

/* ---- lines --------------------------------------------------------------------------------------- */

/* clang-format off */
#define LIST(m) offsetof(lvl_gani, m)
#define SINGLE(word_, words_) \
    {.word = (word_), .kind = LVL_RULE_SINGLE, .words = (words_), .section = 2}
#define ITEM(word_, list_, words_, section_) \
    {.word = (word_), .kind = LVL_RULE_ITEM, .list = LIST(list_), .words = (words_), .section = (section_)}
#define ROWS(word_, list_, rows_, flags_) \
    {.word = (word_), .end = word_ "END", .kind = LVL_RULE_ROWS, .list = LIST(list_), .flags = (flags_), \
     .section = 4, .rows = (rows_)}

static const lvl_rule gani_rules[] = {
    {.word = "GANI0", .kind = LVL_RULE_FIRST, .words = "version"},
    ITEM("SPRITE", sprites, "id:4 source:15 x:4 y:4 width:4 height:4 ~description", 1),
    ITEM("ATTACHSPRITE", attachments, "parent:4 child:4 dx:3 dy:3", 1),
    ITEM("ATTACHSPRITE2", attachments, "!under parent:3 child:4 dx:3 dy:3", 1),
    SINGLE("FRAMES", "length"),
    SINGLE("LOOP", "!loop"),
    SINGLE("CONTINUOUS", "!continuous"),
    {.word = "SINGLEDIRECTION", .alias = "SINGLEDIR", .kind = LVL_RULE_SINGLE, .words = "!single_direction",
     .section = 2},
    SINGLE("BACKCOLOR", "[back_color...]"),
    SINGLE("SETBACKTO", "[setback_to...]"),
    ITEM("DEFAULT", defaults, "+layer ~value", 2),
    ITEM("COLOREFFECT", effects, "!kind=0 sprite red green blue alpha", 2),
    ITEM("ZOOMEFFECT", effects, "!kind=1 sprite value", 2),
    ITEM("STRETCHXEFFECT", effects, "!kind=2 sprite value", 2),
    ITEM("STRETCHYEFFECT", effects, "!kind=3 sprite value", 2),
    ITEM("ROTATEEFFECT", effects, "!kind=4 sprite value", 2),
    ITEM("EFFECTMODE", effects, "!kind=5 sprite value", 2),
    ITEM("LAYER", effects, "!kind=6 sprite value", 2),
    {.word = "SCRIPT", .end = "SCRIPTEND", .kind = LVL_RULE_SINGLE, .body = "script", .section = 3},
    ROWS("ANI", frames, &lvl_gani_frames, LVL_RULE_ALWAYS),
    ROWS("MOVIE", actors, &lvl_gani_actors, 0),
    /* after the blocks, since this rule takes the lines of a second block */
    {.kind = LVL_RULE_OTHER, .list = LIST(others), .section = 5},
};
/* clang-format on */

#define FINDING(finding) (&lvl_gani_findings[LVL_GANI_F_##finding])

static const lvl_grammar gani_grammar = {
    .rules = gani_rules,
    .rule_count = LVL_COUNT_OF(gani_rules),
    .source = offsetof(lvl_gani, source),
    .line_end = offsetof(lvl_gani, line_end),
    .comment = "//",
    .lenient = true,
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

/* The next line that is neither blank nor a comment, trimmed; empty: there is none. */
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

/* The rule of a line by its first word; NULL: none. */
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
    /* frames come last: if there are none, they are probably cut off */
    if (!g->frame_count && !g->actor_count && !lvl_grammar_has_end(&gani_grammar, "ANIEND", doc->input))
        lvl_doc_report_cut(doc, findings, "there are no frames: the file may be cut off before them");
    return status;
}

/* Half of the real files have no header and begin with their sprites, which are recognized by the word SPRITE
 * and six words, five of them numbers. Other definitions count only in a file with the ending .gani. */
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
    if (strcmp(rule->word, "SPRITE") != 0)
        return lvl_text_has_ending(lvl_text_of(in->name), ".gani") ? 24 : 0;
    lvl_line_form_of(rule->words, &lvl_gani_sprite_table, &form);
    return lvl_line_fits(&form, (lvl_text){line.ptr + strlen(rule->word), line.len - strlen(rule->word)},
                         true)
               ? 56
               : 0;
}

/* Findings which mean that content is missing. */
static const lvl_finding_def *const cuts[] = {
    &lvl_gani_findings[LVL_GANI_F_NOT_ENDED],
    NULL,
};

/* Half of the real files have no header and begin with their sprites. */
static const lvl_signature signatures[] = {
    LVL_SIGNATURE("GANI0001", LVL_BYTES_AT(0, "GANI0001")),
    LVL_SIGNATURE("GANI0002", LVL_BYTES_AT(0, "GANI0002")),
    {NULL, {LVL_BYTES_AT(0, "SPRITE")}, "\\^SPRITE[\\ \\t]+-?[0-9]+[\\ \\t]+[^\\ ]+([\\ \\t]+-?[0-9]+){4}"},
    {0},
};

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
    .signatures = signatures,
    .finding_count = LVL_GANI_F_COUNT,
    .calls =
        &(const lvl_format_calls){
            .cuts = cuts,
            .probe = probe,
            LVL_GRAMMAR_CALLS(read_gani, lvl_grammar_check_writable, grammar_of),
            .check = lvl_gani_check,
            .repair = lvl_gani_repair,
            .info = lvl_gani_info,
            .scene = lvl_gani_scene,
            .play = lvl_gani_animation,
            .animate = LVL_DRAWING(lvl_gani_animate),
            .script_stems = lvl_gs1_stems,
        },
};
