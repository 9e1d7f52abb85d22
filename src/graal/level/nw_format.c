/*
 * graal/level/nw_format.c: text levels. The first line is GLEVNW01; each further line is a command, or
 * belongs to one:
 *
 *     BOARD x y width layer tiles nw_board.c LINK level x y width height destx desty [destlayer layer] the
 *     level's name may contain blanks SIGN x y [layer], lines, SIGNEND BADDY x y type [layer], up to three
 *     lines, BADDYEND the type is a number, or a name CHEST x y item sign [layer] the item is a name, or a
 *     number NPC image x y [layer], lines, NPCEND "-": no image; it may contain blanks HEIGHTS, nine lines of
 *     nine numbers between commas, HEIGHTSEND TILESET name [type], TILESETIMAGE name
 *
 * Layers, tilesets and heights are extensions of other editors, which write the words for layers only if they
 * are not 0, since some servers count words.
 */
#include "graal/level/nw_internal.h"

#include "base/cursor.h"

#include "base/header.h"
#include "base/text.h"
#include "graal/level/graal_findings.h"

static const char magic[] = "GLEVNW01";

/* ---- lines --------------------------------------------------------------------------------------- */

#define LIST(m) offsetof(lvl_graal, m)
/* clang-format off */
#define ITEM(word_, list_, words_, flags_) \
    {.word = (word_), .kind = LVL_RULE_ITEM, .list = LIST(list_), .words = (words_), .flags = (flags_)}
#define BLOCK(word_, list_, words_, body_, flags_) \
    {.word = (word_), .end = word_ "END", .kind = LVL_RULE_ITEM, .list = LIST(list_), .words = (words_), \
     .body = (body_), .flags = (flags_)}

static const lvl_rule nw_rules[] = {
    {.word = magic, .kind = LVL_RULE_FIRST, .words = "version"},
    {.word = "BOARD", .kind = LVL_RULE_GRID, .list = LIST(layers), .flags = LVL_RULE_INSIDE,
     .grid = &lvl_nw_grid},
    ITEM("LINK", links, LVL_GRAAL_LINK_WORDS " [dest_layer layer]", LVL_RULE_INSIDE),
    BLOCK("SIGN", signs, "x y [layer]", "text", 0),
    BLOCK("BADDY", baddies, "x y #type [layer]", "attack hurt win", 0),
    ITEM("CHEST", chests, "x y item sign [layer]", 0),
    BLOCK("NPC", npcs, "-image.. x y [layer]", "script", LVL_RULE_INSIDE),
    {.word = "HEIGHTS", .end = "HEIGHTSEND", .kind = LVL_RULE_SINGLE, .body = "heights:9"},
    ITEM("TILESET", tilesets, "name [type...]", 0),
    ITEM("TILESETIMAGE", tilesets, "!image name [type...]", 0),
};
/* clang-format on */

#define FINDING(finding) (&lvl_graal_findings[LVL_GRAAL_F_NW_##finding])

static const lvl_grammar nw_grammar = {
    .rules = nw_rules,
    .rule_count = LVL_COUNT_OF(nw_rules),
    .source = offsetof(lvl_graal, source),
    .line_end = offsetof(lvl_graal, line_end),
    .comment = "//",
    .findings = {[LVL_LINE_NUMBER] = FINDING(NUMBER),
                 [LVL_LINE_NAME] = FINDING(NAME),
                 [LVL_LINE_WORDS] = FINDING(WORDS),
                 [LVL_LINE_BODY] = FINDING(VERSES),
                 [LVL_LINE_OPEN] = FINDING(UNCLOSED),
                 [LVL_LINE_END] = FINDING(END_UNMATCHED),
                 [LVL_LINE_INCOMPLETE] = FINDING(COMMAND),
                 [LVL_LINE_OUTSIDE] = FINDING(LINE),
                 [LVL_LINE_UNKNOWN] = FINDING(LINE),
                 [LVL_LINE_UNWRITABLE] = FINDING(UNWRITABLE),
                 [LVL_LINE_INSIDE] = FINDING(INSIDE),
                 [LVL_LINE_CELLS] = FINDING(ROW),
                 [LVL_LINE_HIDES] = FINDING(ROW_HIDES),
                 [LVL_LINE_BEYOND] = FINDING(ROW_BEYOND),
                 [LVL_LINE_LONG] = FINDING(ROW_LONG),
                 [LVL_LINE_AGAIN] = FINDING(ROW_TWICE)},
};

const lvl_grammar *lvl_nw_grammar(const lvl_doc *doc)
{
    const lvl_graal *level = doc->root;

    return level->version == LVL_GLEVNW01 ? &nw_grammar : NULL;
}

/* ---- reading ------------------------------------------------------------------------------------- */

/* Whether a line of the text is a command. CR ends a line, too. */
static bool has_command(lvl_text text)
{
    const char *at = text.ptr;

    while (text.len) {
        size_t n = 0;
        while (n < text.len && at[n] != '\n' && at[n] != '\r')
            n++;
        for (size_t i = 1; i < LVL_COUNT_OF(nw_rules); i++) { /* rule 0 is the first line */
            if (lvl_line_has_word((lvl_text){at, n}, nw_rules[i].word))
                return true;
        }
        at += n + (n < text.len);
        text.len -= n + (n < text.len);
    }
    return false;
}

/* A text with more than the signature in its first line is a level only if it is named like one or has a
 * command: notes may begin with the word. */
int lvl_nw_probe(const lvl_probe_input *in)
{
    const size_t n = sizeof magic - 1;
    const lvl_text text = lvl_lines_of_file(in->head);

    if (!lvl_text_begins(text, magic))
        return 0;
    const lvl_text rest = {text.ptr + n, text.len - n};
    size_t i = 0;
    while (i < rest.len && lvl_is_blank(rest.ptr[i]))
        i++;
    const bool alone = i == rest.len || rest.ptr[i] == '\r' || rest.ptr[i] == '\n';
    if (alone || !in->name || lvl_text_has_ending(lvl_text_of(in->name), ".nw") || has_command(rest))
        return (int)n * 8;
    return 0;
}

lvl_text lvl_nw_after_header(lvl_text text)
{
    const lvl_lines_text lines = {text.ptr, text.ptr + text.len, false};
    const size_t n = sizeof magic - 1;
    enum { LEAST = 4 }; /* letters of the signature that must be left */

    for (const char *at = text.ptr; at < lines.end;) {
        const lvl_line_view line = lvl_line_at(&lines, at);
        lvl_text word = line.text;
        at = line.next;
        while (word.len && (lvl_is_blank(*word.ptr) || *word.ptr == '\r')) {
            word.ptr++;
            word.len--;
        }
        while (word.len && (lvl_is_blank(word.ptr[word.len - 1]) || word.ptr[word.len - 1] == '\r'))
            word.len--;
        if (!word.len)
            continue;
        if (word.len >= LEAST && word.len <= n &&
            lvl_text_equal_nocase(word, (lvl_text){magic + n - word.len, word.len}))
            return (lvl_text){at, (size_t)(lines.end - at)};
        break;
    }
    return text;
}

/* Whether a line of the text is the first line of a level, after a command. */
static bool has_second_header(lvl_text text)
{
    const lvl_lines_text lines = {text.ptr, text.ptr + text.len, lvl_lines_are_crlf(text)};
    bool command = false;

    for (const char *at = lvl_line_at(&lines, text.ptr).next; at < lines.end;) {
        const lvl_line_view line = lvl_line_at(&lines, at);
        if (command && lvl_text_is(line.text, magic))
            return true;
        command = command || has_command(line.text);
        at = line.next;
    }
    return false;
}

/* Reports that another level begins after commands of the first. Its first line must be read as an unknown
 * command; otherwise it is inside a text of the first level. */
static void report_joined(lvl_text text, lvl_findings *findings)
{
    bool unknown = false;

    for (size_t i = 0; i < lvl_findings_count(findings) && !unknown; i++) {
        const lvl_finding *f = lvl_findings_at(findings, i);
        unknown = f->def == &lvl_graal_findings[LVL_GRAAL_F_NW_LINE] && strstr(f->text, magic);
    }
    if (unknown && has_second_header(text))
        lvl_findings_add(findings, &lvl_graal_findings[LVL_GRAAL_F_NW_JOINED], NULL, NULL,
                         "another level begins after this one, and games mix both: cut the file in two, "
                         "before its second %s, with a "
                         "text editor",
                         magic);
}

static void report_first_line(const lvl_doc *doc, lvl_text text, lvl_findings *findings)
{
    const lvl_lines_text lines = {text.ptr, text.ptr + text.len, lvl_lines_are_crlf(text)};
    const lvl_line_view first = lvl_line_at(&lines, text.ptr);
    const lvl_position pos = {.bit = (uint64_t)(text.ptr - (const char *)doc->input.ptr) * 8,
                              .bits = (uint64_t)first.text.len * 8,
                              .known = true};
    const char *cr = memchr(first.text.ptr, '\r', first.text.len);

    if (cr && has_command((lvl_text){cr, first.text.len - (size_t)(cr - first.text.ptr)}))
        lvl_findings_add(
            findings, &lvl_graal_findings[LVL_GRAAL_F_NW_CR_LINES], NULL, &pos,
            "its lines end in CR alone, so no game can read the file: change the line ends with a text "
            "editor");
    else if (first.text.len != sizeof magic - 1)
        lvl_findings_add(findings, &lvl_graal_findings[LVL_GRAAL_F_NW_FIRST_LINE], NULL, &pos,
                         "the first line has more than %s: some programs do not load the file", magic);
}

static bool has_tiles(const uint8_t *row)
{
    for (uint32_t x = 0; x < LVL_GRAAL_SIDE; x++) {
        if ((row[x * 2] & row[x * 2 + 1]) != 0xFF)
            return true;
    }
    return false;
}

/* Whether the board has its first row but not its last, so that the file may be cut off between lines. */
static bool misses_last_rows(const lvl_graal *level)
{
    for (uint32_t i = 0; i < level->layer_count; i++) {
        const uint8_t *cells = level->layers[i].number ? NULL : level->layers[i].tiles.ptr;
        if (cells)
            return has_tiles(cells) && !has_tiles(cells + (LVL_GRAAL_SIDE - 1) * LVL_GRAAL_SIDE * 2);
    }
    return false;
}

/* Whether the last line that is not empty is one of the board, so that what editors write after it may be cut
 * off. */
static bool ends_in_board(lvl_text text)
{
    size_t end = text.len;

    while (end && strchr(" \t\r\n", text.ptr[end - 1]))
        end--;
    size_t at = end;
    while (at && text.ptr[at - 1] != '\n')
        at--;
    return lvl_text_begins((lvl_text){text.ptr + at, end - at}, "BOARD ");
}

/* The number of tiles of the board that no line sets. */
static uint32_t count_absent(const lvl_graal *level)
{
    enum { CELLS = LVL_GRAAL_SIDE * LVL_GRAAL_SIDE };
    uint32_t absent = CELLS;

    for (uint32_t i = 0; i < level->layer_count; i++) {
        const uint8_t *cells = level->layers[i].number ? NULL : level->layers[i].tiles.ptr;
        uint16_t set = 0;
        for (uint32_t k = 0; cells && k < CELLS; k++)
            set = (uint16_t)(set + (lvl_load_u16le(cells + k * 2) != LVL_GRAAL_ABSENT));
        absent -= set;
    }
    return absent;
}

static void report_level(const lvl_graal *level, lvl_findings *findings)
{
    const lvl_field *heights = LVL_FIELD(lvl_graal, heights), *layers = LVL_FIELD(lvl_graal, layers);
    lvl_where where = lvl_where_to(lvl_where_root(), heights, LVL_NO_INDEX);

    if (level->height_count && level->height_count != LVL_GRAAL_HEIGHTS)
        lvl_findings_add(findings, &lvl_graal_findings[LVL_GRAAL_F_NW_HEIGHTS], &where, NULL,
                         "%lu heights, expected %d", (unsigned long)level->height_count, LVL_GRAAL_HEIGHTS);
    const uint32_t absent = count_absent(level);
    where = lvl_where_to(lvl_where_root(), layers, LVL_NO_INDEX);
    for (uint32_t i = 0; i < level->layer_count; i++) {
        if (!level->layers[i].number)
            where.steps[0].index = i;
    }
    if (absent)
        lvl_findings_add(findings, &lvl_graal_findings[LVL_GRAAL_F_NW_ABSENT], &where, NULL,
                         "%lu of %d tiles are not set: games differ in what players see there",
                         (unsigned long)absent, LVL_GRAAL_SIDE * LVL_GRAAL_SIDE);
}

lvl_status lvl_nw_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    const lvl_text text = lvl_lines_of_file(doc->input);
    const bool headed = lvl_text_begins(text, magic);
    lvl_graal *level = doc->root;

    if (!headed) {
        const lvl_position pos = {.bits = (uint64_t)doc->input.len * 8, .known = true};
        lvl_findings_add(findings, &lvl_graal_findings[LVL_GRAAL_F_NW_HEADER], NULL, &pos,
                         "the first line is not %s: no game loads the file", magic);
        /* if one or two bytes of the line are wrong, the file is read as if they were right */
        lvl_header_match near;
        if (!has_command(text) || lvl_header_near(doc->format, doc->input, &near, 1))
            return LVL_ERR_FORMAT;
    }
    level->version = LVL_GLEVNW01;
    doc->version = LVL_GLEVNW01;
    const lvl_status status = lvl_grammar_read(doc, sink, findings);
    if (status == LVL_OK && ends_in_board(text) && misses_last_rows(level))
        lvl_doc_report_cut(doc, findings,
                           "the last rows of the board are missing: the file may be cut off, and everything "
                           "after them (links, signs, NPCs) is missing, too");
    if (status == LVL_OK && findings) {
        if (headed) {
            report_first_line(doc, text, findings);
            report_joined(text, findings);
        }
        report_level(level, findings);
    }
    return status;
}

/* ---- writing ------------------------------------------------------------------------------------- */

/* Why BOARD lines cannot represent a layer; NULL: they can. */
static const char *unfit_layer(const lvl_graal *level, uint32_t index)
{
    const lvl_graal_layer *layer = &level->layers[index];
    const lvl_cells *cells = &layer->tiles;

    if (layer->number >= LVL_GRIDS)
        return "expected a number below 256";
    for (uint32_t i = 0; i < index; i++) {
        if (level->layers[i].number == layer->number)
            return "expected a number that no other layer has";
    }
    if (cells->ptr && (cells->width != LVL_GRAAL_SIDE || cells->height != LVL_GRAAL_SIDE))
        return "expected 64 by 64 tiles";
    for (uint32_t i = 0; cells->ptr && i < cells->width * cells->height; i++) {
        const uint32_t tile = lvl_cell(cells, i % cells->width, i / cells->width);
        if (tile > 4095 && tile != LVL_GRAAL_ABSENT)
            return "expected tiles up to 4095";
    }
    return NULL;
}

lvl_status lvl_nw_check_writable(const lvl_doc *doc, lvl_findings *findings)
{
    const lvl_finding_def *def = &lvl_graal_findings[LVL_GRAAL_F_NW_UNWRITABLE];
    const lvl_field *layers = LVL_FIELD(lvl_graal, layers), *version = LVL_FIELD(lvl_graal, version);
    const lvl_graal *level = doc->root;
    bool any = false;

    if (level->version != LVL_GLEVNW01) {
        const lvl_where where = lvl_where_to(lvl_where_root(), version, LVL_NO_INDEX);
        lvl_findings_add(findings, def, &where, NULL,
                         "a text level is GLEVNW01; `convert` makes one of another form");
        return LVL_ERR_LOSS;
    }
    for (uint32_t i = 0; i < level->layer_count; i++) {
        const lvl_where where = lvl_where_to(lvl_where_root(), layers, i);
        const char *unfit = unfit_layer(level, i);
        if (unfit)
            lvl_findings_add(findings, def, &where, NULL, "%s", unfit);
        any |= unfit != NULL;
    }
    return any ? LVL_ERR_LOSS : lvl_grammar_check_writable(doc, findings);
}
