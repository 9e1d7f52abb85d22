/*
 * lines/grammar.h: text formats whose lines are commands. A format gives one rule for each kind of line; the
 * rules define reading, what each byte is (spans), writing, whether a document can be written, and repair:
 *
 *     {"LINK", .kind = LVL_RULE_ITEM, .list = offsetof(level, links), .words = "target... x y width height"}
 *
 * The spelling of a file is the file itself, one member of the root, `source`. A text is read as a list of
 * its lines (lines/list.h): of each, where it stood, its rule, the item that it describes, and the hash of
 * its content. The writer goes through that list: a line whose content still has the hash is copied, a
 * changed one is printed by its rule with the words of the source that did not change, a new one follows the
 * line that precedes it in the order of the rules. The source of an unchanged document is copied as a whole.
 *
 *     text, words          a text as lines; the words of a line as members of a record
 *     rules                which rule a line matches
 *     read, report, grid   from a text to a document, findings and spans
 *     print                a document by the rules alone
 *     pair, weave, write   a document with the unchanged lines of its source, and words of changed ones
 *     check, repair        which values cannot be written, which text no member has; what the reader finds
 */
#ifndef LVL_LINES_GRAMMAR_H
#define LVL_LINES_GRAMMAR_H

#include "base/format.h"
#include "lines/text.h"
#include "lines/words.h"

/* ---- what can be wrong with a line ---------------------------------------------------------------- */

typedef enum lvl_line_problem {
    LVL_LINE_NUMBER, /* a word is not a number */
    LVL_LINE_NAME, /* a word is not a known name */
    LVL_LINE_WORDS, /* more words than members */
    LVL_LINE_QUOTE, /* a quote without an end */
    LVL_LINE_BODY, /* more lines than members */
    LVL_LINE_OPEN, /* the line that ends a block is missing */
    LVL_LINE_END, /* a line that ends a block, where none is open */
    LVL_LINE_INCOMPLETE, /* required words are missing */
    LVL_LINE_OUTSIDE, /* a row outside of its block */
    LVL_LINE_UNKNOWN, /* a line that matches no rule */
    LVL_LINE_TWICE, /* a later line of the same rule counts */
    LVL_LINE_UNWRITABLE, /* a value that would be read as something else */
    LVL_LINE_INSIDE, /* a command inside of a body: LVL_RULE_INSIDE */
    LVL_LINE_SECOND, /* a second block, where only one is read */
    LVL_LINE_BETWEEN, /* a line inside of a block of rows that belongs to no row */
    /* of lines of a grid */
    LVL_LINE_CELLS, /* fewer cells than the line declares, or characters that are not cells */
    LVL_LINE_HIDES, /* more cells than it declares */
    LVL_LINE_BEYOND, /* cells beyond the grid, or other text after the cells */
    LVL_LINE_LONG, /* it declares cells beyond the grid, or has a part of a cell */
    LVL_LINE_AGAIN, /* cells that an earlier line has set */
    LVL_LINE_PROBLEMS
} lvl_line_problem;

/* ---- rows of several lines ------------------------------------------------------------------------ */

/* A block of rows while its rows are found. */
typedef struct lvl_row_finder {
    lvl_lines_text text;
    const void *root; /* with what the lines before the block set */
    struct lvl_line_reader *reader;
    uint8_t rule;
    lvl_status status;
} lvl_row_finder;

/* A row while it is read. */
typedef struct lvl_row_reader {
    lvl_lines_text text; /* its lines */
    uint32_t kind; /* as lvl_row_found got it */
    lvl_line_store store;
    lvl_where where;
    bool shows; /* there is a sink */
    struct lvl_line_reader *reader;
    bool *more; /* set where a line has words that no member has */
} lvl_row_reader;

typedef struct lvl_line_rows {
    /* Calls lvl_row_found for each row of a block whose lines begin at `at`. Returns the line that ends the
     * block, or the end of the text. */
    const char *(*find)(lvl_row_finder *finder, const char *at);
    /* Reads the lines of a row into an item that has its defaults. */
    lvl_status (*read)(const lvl_row_reader *reader, void *item);
    /* Appends the lines of an item, each with its end. */
    void (*put)(const void *item, const char *line_end, lvl_buffer *out);
    /* Whether a line after the block looks like one of a row. */
    bool (*is_row)(lvl_text line);
} lvl_line_rows;

/* The lines from `from` to `to` are a row; `kind` is for its reader. */
void lvl_row_found(lvl_row_finder *finder, const char *from, const char *to, uint32_t kind);
void lvl_row_report(const lvl_row_reader *reader, lvl_line_problem problem, const lvl_where *where,
                    lvl_text line, const char *what);
/* Emits a span from the end of the last one to `to`. */
void lvl_row_emit(const lvl_row_reader *reader, lvl_span_role role, const lvl_where *where, const char *to,
                  const char *note);
/* A line of a row without content: reported unless it is blank or a comment. */
void lvl_row_other(const lvl_row_reader *reader, const lvl_where *where, const lvl_line_view *line);
/* Reads the words after a line's keyword into a record at `where`. */
lvl_status lvl_row_line(const lvl_row_reader *reader, const lvl_line_form *form, const lvl_where *where,
                        const lvl_line_view *line, lvl_text words, void *record);

/* ---- grids --------------------------------------------------------------------------------------- */

enum { LVL_GRIDS = 256 }; /* numbers of grids are below that */

/* What a line of a grid has: cells of one row, inside of the grid. */
typedef struct lvl_grid_line {
    uint32_t number; /* of the item */
    uint32_t x, y, width;
    unsigned problems; /* 1 << lvl_line_problem */
    lvl_text number_text, text; /* the words that are the number, and the cells */
} lvl_grid_line;

/* How the lines of a grid are spelled. A cell has two bytes; one whose bits are all set is absent: no line
 * has it. */
typedef struct lvl_line_grid {
    uint32_t number, cells; /* offsets of the item's members */
    uint32_t side; /* cells of a grid, each way; at most LVL_GRIDS */
    /* False: the line is none of the grid. `rest` is what follows its word. */
    bool (*parse)(lvl_text rest, lvl_grid_line *out);
    /* Fast path: decodes the line at `at` if it is all of row y of number 0 as editors write it, and returns
     * the next line; otherwise returns `at`. */
    const char *(*read_row)(const lvl_lines_text *text, const char *at, uint32_t y, uint8_t *cells);
    /* Decodes cells; false if characters are not cells: that cell stays as it was. */
    bool (*decode)(const lvl_grid_line *line, uint8_t *cells);
    void (*put)(const lvl_grid_line *line, const lvl_cells *cells, lvl_buffer *out);
} lvl_line_grid;

/* ---- rules --------------------------------------------------------------------------------------- */

typedef enum lvl_rule_kind {
    /* the first line that is not blank, if it begins with the letters of `word`; written as the name of the
     * value of its member in `words`, and not at all if that is 0; without a member: as `word` */
    LVL_RULE_FIRST,
    /* members of the root; of several lines the last counts */
    LVL_RULE_SINGLE,
    /* each is an item of `list` */
    LVL_RULE_ITEM,
    /* each line between `word` and `end` is an item of `list`, or as `rows` finds them; without a word: each
     * line of the file */
    LVL_RULE_ROWS,
    /* each line has cells of one row of an item of `list`: `grid` */
    LVL_RULE_GRID,
    /* each line that matches no rule is a text in `list`, or, if it has the `words`, an item; without such a
     * rule it belongs to the next line */
    LVL_RULE_OTHER
} lvl_rule_kind;

enum {
    LVL_RULE_ALWAYS = 1, /* SINGLE: written even if all of its members have their defaults; ROWS: even without
                            rows, after other lines, if no other block has any */
    LVL_RULE_STRICT = 2, /* a line whose words are not valid does not match */
    LVL_RULE_INSIDE = 4 /* such a line in the body of another rule is reported: the end of that body may be
                            missing */
};

/* One kind of line or block. The rules' order is the order of the canonical form. */
typedef struct lvl_rule {
    const char *word; /* the command that the line begins with */
    const char *end; /* the line that ends the block; NULL: it is one line */
    lvl_rule_kind kind;
    uint32_t list; /* offset of a list in the root */
    const char *words; /* the members of the line, or of a row (lines/words.h); NULL: none */
    const char *body; /* members of the lines up to `end`: one that has them all, or one for each line */
    unsigned flags;
    const char *alias; /* another word for `word` */
    uint8_t section; /* lines of different sections are written with a blank line between them; 0: none */
    const lvl_line_rows *rows; /* of rows of several lines; a blank line is written between them */
    const lvl_line_grid *grid;
} lvl_rule;

enum { LVL_RULES = 28 }; /* most that a grammar has; as the number of a rule: none */

typedef struct lvl_grammar {
    const lvl_rule *rules;
    uint32_t rule_count;
    uint32_t source; /* offset of the kept member (lvl_text) that is the file as it was */
    uint32_t line_end; /* offset of the kept member (uint8_t): 0 LF, 1 CRLF */
    const char *comment; /* lines that match no rule and begin so are not reported; or NULL */
    /* Blanks may precede a command; a line may lack words; words may follow the one that ends a block; of
     * blocks the first one is read, of ROWS the first of all; "#" begins a comment, too, and comments are no
     * LVL_RULE_OTHER. */
    bool lenient;
    bool by_hand; /* people write such files in text editors: a last line without a line end is whole */
    /* by lvl_line_problem; NULL: not reported */
    const lvl_finding_def *findings[LVL_LINE_PROBLEMS];
    /* what is reported in files that no game reads; NULL: the reader's text, which speaks of commands */
    const char *texts[LVL_LINE_PROBLEMS];
} lvl_grammar;

/* ---- documents ----------------------------------------------------------------------------------- */

/* All of these use the document's grammar (lvl_format_calls.grammar); most are calls of a format.
 *
 * Reads doc->input into the root, whose members have their defaults. LVL_ERR_LIMIT, LVL_ERR_MEMORY. */
lvl_status lvl_grammar_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings);
/* Whether a line of the file is the word that ends a block: a block without content is not cut off then. */
bool lvl_grammar_has_end(const lvl_grammar *grammar, const char *word, lvl_bytes file);
/* LVL_ERR_LOSS: a value cannot be written; lvl_grammar_check_writable reports which. */
lvl_status lvl_grammar_write(const lvl_doc *doc, lvl_buffer *out);
lvl_status lvl_grammar_write_read(const lvl_doc *doc, lvl_buffer *out, lvl_findings *found, lvl_doc **again);
/* Notes the hash of each line of a document that was read: its writer copies nothing of a source without. */
lvl_status lvl_grammar_note_pieces(lvl_doc *doc);
lvl_status lvl_grammar_check_writable(const lvl_doc *doc, lvl_findings *findings);
/* Whether the source is the canonical form. */
lvl_status lvl_grammar_can_regenerate(const lvl_doc *doc, const lvl_field *field, bool *out);
/* The size of the source if it is not. */
lvl_status lvl_grammar_kept(const lvl_doc *doc, uint64_t *bytes);
/* Visits the text of the source that no member has: lines that match no rule and are not blank, with the
 * place of the line that follows them; and lines with further text (`more`), with their own place. */
lvl_status lvl_grammar_unread(const lvl_doc *doc, lvl_unread_fn visit, void *user);
/* The calls that all formats of lines share. `read_` and `check_writable_` are often lvl_grammar_read and
 * lvl_grammar_check_writable; `grammar_`: lvl_format_calls.grammar. */
#define LVL_GRAMMAR_CALLS(read_, check_writable_, grammar_)                                                  \
    .read = (read_), .check_writable = (check_writable_), .grammar = (grammar_), .write = lvl_grammar_write, \
    .write_read = lvl_grammar_write_read, .note_pieces = lvl_grammar_note_pieces, .kept = lvl_grammar_kept,  \
    .unread = lvl_grammar_unread, .can_regenerate = lvl_grammar_can_regenerate,                              \
    .drop_spelling = lvl_doc_drop_kept_members

/* Repairs what the reader finds in the document and has a repair: ends bodies before commands inside of them
 * (LVL_RULE_INSIDE); extends a block to the rows next to it, if the file is sound then; removes a last line
 * that is incomplete; and writes the items of other findings in their canonical form, but for those that
 * `leaves` (may be NULL) marks: `leave` has a byte for each finding, 0 at first. */
typedef lvl_status (*lvl_leaves_fn)(const lvl_doc *doc, const lvl_findings *reread, uint8_t *leave);
lvl_status lvl_grammar_repair(lvl_doc *doc, const lvl_repairs *repairs, lvl_leaves_fn leaves);

#endif
