/*
 * codec/grammar.h: text formats whose lines are commands. A format gives one rule for each kind of line;
 * from the rules come reading, what each byte is (spans), writing, whether a document can be written, and
 * the spelling that an edit keeps:
 *
 *     {"LINK", NULL, LVL_RULE_ITEM, offsetof(level, links), "target... x y width height", NULL, 0}
 *
 * Spelling is kept in one member of the root, `source`: the file as it was. The writer writes the
 * document, reads the source, and copies each part of the source whose content is still the document's: a
 * line, the lines of a body, whole blocks. What is new stands behind what comes before it in the usual
 * order. A file of which nothing changed is copied as a whole.
 */
#ifndef LVL_CODEC_GRAMMAR_H
#define LVL_CODEC_GRAMMAR_H

#include "base/format.h"
#include "codec/words.h"

#include <string.h>

/* ---- lines --------------------------------------------------------------------------------------- */

/* Text whose lines end in LF or in CRLF. In an LF text CR is a character; in a CRLF text the last line may
 * end in CR alone. */
typedef struct lvl_lines_text {
    const char *ptr, *end;
    bool crlf;
} lvl_lines_text;

typedef struct lvl_line_view {
    lvl_text text;    /* without its line end */
    const char *next; /* behind its line end */
} lvl_line_view;

static inline lvl_line_view lvl_line_at(const lvl_lines_text *t, const char *p)
{
    const char *nl = memchr(p, '\n', (size_t)(t->end - p));
    lvl_line_view line = {{p, (size_t)((nl ? nl : t->end) - p)}, nl ? nl + 1 : t->end};

    if (t->crlf && line.text.len && line.text.ptr[line.text.len - 1] == '\r')
        line.text.len--;
    return line;
}

/* Whether the line begins with that word. */
static inline bool lvl_line_has_word(lvl_text line, const char *word)
{
    size_t len = 0;

    while (word[len] && len < line.len && line.ptr[len] == word[len])
        len++;
    return !word[len] &&
           (line.len == len || line.ptr[len] == ' ' || line.ptr[len] == '\t' || line.ptr[len] == '\r');
}

/* Whether the line is that word, but for blanks behind it. */
static inline bool lvl_line_is_word(lvl_text line, const char *word)
{
    return lvl_line_has_word(line, word) &&
           !lvl_text_trim((lvl_text){line.ptr + strlen(word), line.len - strlen(word)}).len;
}

/* Whether lines end in CRLF: as the first one does, unless all others differ from it. */
bool lvl_lines_are_crlf(lvl_text text);

/* ---- rules --------------------------------------------------------------------------------------- */

typedef enum lvl_rule_kind {
    /* the first line that is not blank, if it begins with the letters of `word`; it holds no members */
    LVL_RULE_FIRST,
    /* members of the root; where there are several, the last one counts */
    LVL_RULE_SINGLE,
    /* each is an item of `list` */
    LVL_RULE_ITEM,
    /* each line between `word` and `end` is an item of `list`; without a word: each line of the file */
    LVL_RULE_ROWS,
    /* each line gives cells of one row of an item of `list`: lvl_grammar.grid */
    LVL_RULE_GRID,
    /* each line that no rule takes is a text in `list`; without such a rule it belongs to the next part */
    LVL_RULE_OTHER
} lvl_rule_kind;

enum {
    LVL_RULE_ALWAYS = 1, /* SINGLE: written even if all of its members have their defaults; ROWS: even without
                            rows, behind other lines, if no other block has any */
    LVL_RULE_STRICT = 2, /* a line whose words do not fit is not of this rule */
    /* a line of it inside of another rule's body is reported: the line that ends that body may be missing */
    LVL_RULE_INSIDE = 4,
    LVL_RULE_SHORT = 8,  /* a line of it may lack words: their members keep their defaults */
    LVL_RULE_NAMED = 16, /* FIRST: what is written is the name of its member's value, nothing for 0 */
    LVL_RULE_ALIAS = 32, /* another word for the rule before it; that one is written */
    LVL_RULE_ONCE = 64,  /* lines behind the first one are of no rule; ROWS: behind the first block of any */
    LVL_RULE_SECTION = 1 << 8 /* times a number: written with a blank line between one section and the next */
};

/* Rows that take several lines: how they are found, read and written. */
typedef struct lvl_row_finder lvl_row_finder;
typedef struct lvl_row_reader lvl_row_reader;
typedef struct lvl_line_rows {
    /* Calls lvl_row_found for each row of a block whose lines begin at `at`. Returns where the line is that
     * ends the block, or the end of the text. */
    const char *(*find)(lvl_row_finder *finder, const char *at);
    /* Reads the lines of a row into an item that has its defaults. */
    lvl_status (*read)(const lvl_row_reader *reader, void *item);
    /* Appends the lines of an item, each with its end. */
    void (*put)(const void *item, const char *line_end, lvl_buffer *out);
    /* Whether a line behind the block seems to belong into it. */
    bool (*is_row)(lvl_text line);
} lvl_line_rows;

/* One kind of line or block. The rules' order is the order in which a document is written that has no
 * source. */
typedef struct lvl_rule {
    const char *word; /* the command that the line begins with */
    const char *end;  /* the line that ends what follows, or NULL: it has one line */
    lvl_rule_kind kind;
    uint32_t list;     /* offset of a list in the root */
    const char *words; /* the members of the line (codec/words.h), or of a row; NULL: none */
    const char
        *body; /* members of the lines up to `end`: one that has them all, or one for each line; NULL: none */
    unsigned flags;
} lvl_rule;

enum { LVL_RULES = 28 }; /* most that a grammar has */

/* What can be wrong with a line. */
typedef enum lvl_line_problem {
    LVL_LINE_NUMBER,     /* a word is not a number */
    LVL_LINE_NAME,       /* a word is no name that is known */
    LVL_LINE_WORDS,      /* more words than members */
    LVL_LINE_QUOTE,      /* a quote without an end */
    LVL_LINE_BODY,       /* more lines than members */
    LVL_LINE_OPEN,       /* the line that ends a block is missing */
    LVL_LINE_END,        /* a line that ends a block, where none is open */
    LVL_LINE_INCOMPLETE, /* a command without the words that it needs */
    LVL_LINE_OUTSIDE,    /* a line that begins with a quote, outside of a block of rows */
    LVL_LINE_UNKNOWN,    /* a line that no rule takes */
    LVL_LINE_TWICE,      /* a later line of the same rule counts */
    LVL_LINE_UNWRITABLE, /* a value that would be read as something else */
    LVL_LINE_INSIDE,     /* a command inside of a body: LVL_RULE_INSIDE */
    LVL_LINE_SECOND,     /* a block behind one that may only be there once: LVL_RULE_ONCE */
    LVL_LINE_BETWEEN,    /* a line inside of a block of rows that is of no row */
    /* of lines of a grid */
    LVL_LINE_CELLS,  /* fewer cells than the line declares, or characters that are no cell */
    LVL_LINE_HIDES,  /* more cells than it declares */
    LVL_LINE_BEYOND, /* cells beyond the grid, or other text behind the cells */
    LVL_LINE_LONG,   /* it declares cells beyond the grid, or has a part of a cell */
    LVL_LINE_AGAIN,  /* cells that an earlier line gave */
    LVL_LINE_PROBLEMS
} lvl_line_problem;

enum { LVL_GRIDS = 256 }; /* numbers of grids are below that */

/* What a line of a grid gives: cells of one row, inside of the grid. */
typedef struct lvl_grid_line {
    uint32_t number; /* of the item */
    uint32_t x, y, width;
    unsigned problems;          /* 1 << lvl_line_problem */
    lvl_text number_text, text; /* the words that are the number, and the cells */
} lvl_grid_line;

/* How the lines of a grid are spelled. A cell has two bytes; one whose bits are all set is absent: no line
 * gives it. */
typedef struct lvl_line_grid {
    uint32_t number, cells; /* offsets of the item's members */
    uint32_t side;          /* cells of a grid, each way */
    /* False: the line is none of the grid. `rest` is what follows its word. */
    bool (*parse)(lvl_text rest, lvl_grid_line *out);
    /* Decodes lines as editors write them, each all of a row of number 0, from row *row on, which moves on.
     * Returns where it stopped, which may be `at`. Without cells: only whether there is such a line. */
    const char *(*read_usual)(const lvl_lines_text *text, const char *at, uint32_t *row, uint8_t *cells);
    /* Decodes cells; false if characters are no cell: that cell is left as it was. */
    bool (*decode)(const lvl_grid_line *line, uint8_t *cells);
    void (*put)(const lvl_grid_line *line, const lvl_cells *cells, lvl_buffer *out);
} lvl_line_grid;

typedef struct lvl_grammar {
    const lvl_rule *rules;
    uint32_t rule_count;
    uint32_t source;           /* offset of the kept member (lvl_text) that is the file as it was */
    uint32_t line_end;         /* offset of the kept member (uint8_t) that says how lines end: 0 LF, 1 CRLF */
    const lvl_line_grid *grid; /* of the rule of that kind; NULL: there is none */
    const lvl_line_rows *const *rows; /* by rule, where a row is more than a line; NULL: none is */
    uint32_t columns;                 /* numbers in a line of a body that is a list; 0: all */
    const char *comment; /* lines that no rule takes and that begin so are not reported; or NULL */
    bool loose; /* blanks may stand before a command and before a comment, which is in no list; other words
                   behind the one that ends a block; "#" begins a comment, too */
    /* by lvl_line_problem; NULL: not reported */
    const lvl_finding_def *findings[LVL_LINE_PROBLEMS];
} lvl_grammar;

/* ---- documents ----------------------------------------------------------------------------------- */

/* All of these go by the document's grammar (lvl_format_calls.grammar), and most are calls of a format.
 *
 * Reads doc->input into the root, whose members have their defaults. LVL_ERR_LIMIT, LVL_ERR_MEMORY. */
lvl_status lvl_grammar_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings);
/* LVL_ERR_LOSS: a value can't be written; lvl_grammar_check_writable says which. */
lvl_status lvl_grammar_write(const lvl_doc *doc, lvl_buffer *out);
lvl_status lvl_grammar_check_writable(const lvl_doc *doc, lvl_findings *findings);
/* Whether the source is what is written without it. */
lvl_status lvl_grammar_can_regenerate(const lvl_doc *doc, const lvl_field *field, bool *out);
/* The size of the source where it is not. */
lvl_status lvl_grammar_kept(const lvl_doc *doc, uint64_t *bytes);
/* Visits what of the source no member holds: lines that are no command and not blank, with the place of the
 * part that follows them, and lines with further text (`more`), with their own place. */
typedef void (*lvl_unread_fn)(void *user, lvl_text lines, bool more, const lvl_where *where);
lvl_status lvl_grammar_unread(const lvl_doc *doc, lvl_unread_fn visit, void *user);
/* Repairs what the reader finds in the lines of the document and has a repair: ends bodies before commands
 * inside of them (LVL_RULE_INSIDE), moves the lines that begin and end a block around rows that stand next to
 * it, if nothing is wrong with the file then, cuts a last line that is not whole, and writes anew the items
 * that other findings are about. `leaves` (may be NULL): whether what a finding is about stays as it is. */
typedef bool (*lvl_leaves_fn)(const lvl_doc *doc, const lvl_findings *reread, const lvl_finding *finding);
lvl_status lvl_grammar_repair(lvl_doc *doc, lvl_findings *log, lvl_leaves_fn leaves);

/* The text of a file, without a byte order mark. */
static inline lvl_text lvl_lines_of_file(lvl_bytes file)
{
    const lvl_text text = {file.len ? (const char *)file.ptr : "", file.len};
    const size_t mark = text.len >= 3 && memcmp(text.ptr, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;

    return (lvl_text){text.ptr + mark, text.len - mark};
}

/* ---- between the files of the engine ------------------------------------------------------------- */

typedef enum lvl_text_part_kind {
    LVL_PART_BLOCK, /* a whole SINGLE or ITEM, or the first line */
    LVL_PART_BEGIN, /* the line that begins a block of rows, */
    LVL_PART_ROW,   /* a line in it, */
    LVL_PART_END,   /* and the line that ends it */
    LVL_PART_OTHER,
    LVL_PART_GRID, /* a line of a grid */
    LVL_PART_KINDS
} lvl_text_part_kind;

/* A line or block of a file. Offsets are from the start of the text. */
typedef struct lvl_text_part {
    uint8_t kind; /* lvl_text_part_kind */
    uint8_t rule;
    bool closed;    /* the line that ends its body is there */
    bool twice;     /* a later line of the same rule counts; of a grid: cells that an earlier line gave */
    bool more;      /* its first line has text that means nothing, */
    bool further;   /* its body lines that do */
    bool misread;   /* a word of its first line is neither the number nor the name that it should be */
    bool odd;       /* of a grid: there is something to report */
    uint32_t index; /* of the item */
    uint32_t row;   /* of the item that is a grid: the first one, */
    uint32_t rows;  /* and how many follow in usual lines, at least 1 */
    size_t lead;    /* blank and unknown lines before it begin here, */
    size_t head;    /* its first line, */
    size_t body;    /* what follows that line, */
    size_t close;   /* the line that ends it, */
    size_t end;     /* and what follows it */
} lvl_text_part;

/* The parts of a text: doc->state of a document that was read. */
typedef struct lvl_text_parts {
    const lvl_grammar *grammar;
    lvl_text_part *items;
    uint32_t count;
} lvl_text_parts;

/* A block of rows while they are found. */
struct lvl_row_finder {
    const lvl_lines_text *text;
    const lvl_doc *doc;
    const uint32_t *seen; /* by rule: not 0 if a line of it came before */
    lvl_text_part part;   /* of the row */
    struct lvl_text_part_list *parts;
    lvl_status status;
};

/* A row has these lines; `kind` is for its reader. What lies before them belongs to none. */
void lvl_row_found(lvl_row_finder *finder, const char *from, const char *to, uint32_t kind);

/* A row while it is read. */
struct lvl_row_reader {
    lvl_lines_text text; /* its lines */
    uint32_t kind;
    lvl_words_room room;
    lvl_where where;
    bool shows; /* there is a sink, or there are findings */
    const void *engine;
    bool *more; /* set where it has words that mean nothing */
};

void lvl_row_report(const lvl_row_reader *reader, lvl_line_problem problem, const lvl_where *where,
                    lvl_text line, const char *what);
void lvl_row_emit(const lvl_row_reader *reader, lvl_span_role role, const lvl_where *where,
                  const lvl_field *field, const char *from, const char *to, const char *note);
/* A line of a row that says nothing: reported unless it is blank or a comment. */
void lvl_row_other(const lvl_row_reader *row, const lvl_where *where, const lvl_line_view *line);
/* Reads a line: what stands behind its word, into a record at `where`. `found` as lvl_line_read. */
lvl_status lvl_row_line(const lvl_row_reader *reader, const lvl_line_form *form, const lvl_where *where,
                        const lvl_line_view *line, lvl_text behind, void *record, lvl_text *found);

/* As lvl_grammar_write, but what stands for the items at these places is written as if there were no source;
 * the root: lines of members of it, and lines that are missing. */
lvl_status lvl_grammar_rewrite(const lvl_doc *doc, const lvl_where *places, size_t count, lvl_buffer *out);
/* Copies the text of a file and ends bodies before commands inside of them, each with a finding. Appends
 * nothing if there are none. */
lvl_status lvl_grammar_end_bodies(const lvl_doc *doc, lvl_bytes file, lvl_buffer *out, lvl_findings *log);

/* Parts while they are found. */
typedef struct lvl_text_part_list {
    lvl_text_part *items;
    uint32_t count, cap, most; /* parts, room, limit; 0: not known yet */
    lvl_text_part few[96];
} lvl_text_part_list;

/* A rule compiled. */
typedef struct lvl_rule_form {
    bool ready;
    const lvl_field *list; /* NULL: its members are those of the root */
    lvl_line_form line, body;
} lvl_rule_form;

/* The rules of a grammar, each compiled when it is first needed. */
typedef struct lvl_rule_forms {
    const lvl_grammar *grammar;
    const lvl_table *table; /* of the root */
    lvl_rule_form form[LVL_RULES];
} lvl_rule_forms;

void lvl_rule_forms_init(lvl_rule_forms *forms, const lvl_grammar *grammar, const lvl_table *table);
const lvl_rule_form *lvl_rule_form_of(lvl_rule_forms *forms, uint32_t rule);
void *lvl_rule_record(lvl_rule_forms *forms, void *root, const lvl_text_part *part);
/* The item's place, or that of the root. */
lvl_where lvl_rule_where(lvl_rule_forms *forms, const lvl_text_part *part);
lvl_cells lvl_grid_cells(const lvl_line_grid *grid, const void *item);
/* A line of a part that is rows of a grid: the first one, or (`before` not NULL) the one behind another. */
lvl_text_part lvl_grid_part_line(const lvl_lines_text *text, const lvl_text_part *part,
                                 const lvl_text_part *before);
void lvl_text_part_list_init(lvl_text_part_list *list);
void lvl_text_part_list_free(lvl_text_part_list *list);
/* LVL_ERR_LIMIT beyond limits.items parts. */
lvl_status lvl_text_part_list_add(lvl_text_part_list *list, const lvl_text_part *part, const lvl_ctx *ctx);

#endif
