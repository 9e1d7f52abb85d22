/*
 * lines/list.h: what the files of the line-grammar engine share.
 */
#ifndef LVL_LINES_LIST_H
#define LVL_LINES_LIST_H

#include "base/hash.h"
#include "lines/grammar.h"

/* ---- parts (rules.c) ---------------------------------------------------------------------- */

typedef enum lvl_part_place {
    LVL_PART_ALONE, /* a line or block by itself; */
    LVL_PART_BEGIN, /* or of a block of rows the line that begins it, */
    LVL_PART_ROW, /* a row, */
    LVL_PART_END /* and the line that ends it */
} lvl_part_place;

enum {
    LVL_PART_REPLACED = 1, /* a SINGLE that a later line replaces */
    LVL_PART_MORE = 2, /* its first line, or its row, has text that no member has */
    LVL_PART_MORE_LINES = 4, /* so has its body */
    LVL_PART_MISREAD = 8, /* a word of its first line is not the number or name that it should be */
    LVL_PART_ANEW = 16, /* of a document to write: its source is not copied */
    LVL_PART_APART = 32, /* of a document to write: a blank line precedes it */
    LVL_PART_DEFAULT =
        64 /* of a text: its members have their defaults, so no line would be written for them */
};

/* A line or block of a text, or of a document to write. Offsets are from the start of the text. */
typedef struct lvl_part {
    uint8_t rule, place, flags;
    uint8_t keyword; /* characters before its words; 0: not known */
    uint32_t index; /* of its item */
    /* of a grid: its number times the rows of a grid, plus the row; of rows of several lines: their kind */
    uint32_t row;
    size_t lead; /* the lines before it that are not parts begin here, */
    size_t head; /* its first line, or its row, */
    size_t body; /* the lines after that, */
    size_t close; /* the line that ends it (empty if that is missing), */
    size_t end; /* and what follows it */
    uint64_t head_hash, body_hash; /* of the members in its first line or row, and in the lines after that */
} lvl_part;

/* The parts of a text: doc->state of a document that was read for an edit. */
typedef struct lvl_parts {
    const lvl_grammar *grammar;
    lvl_part *items; /* NULL: only counted, as nothing needs them after reading */
    bool only_counted;
    uint32_t count;
    size_t cap;
    uint64_t most; /* limits.items */
    /* of a text that was read for an edit: the hashes of its parts are noted, and that of the document */
    bool noted;
    uint64_t hash;
} lvl_parts;

/* Appends to parts from malloc, or counts one. LVL_ERR_LIMIT, LVL_ERR_MEMORY. */
lvl_status lvl_parts_append(lvl_parts *parts, const lvl_ctx *ctx, const lvl_part *part);
static inline lvl_status lvl_parts_add(lvl_parts *parts, const lvl_ctx *ctx, const lvl_part *part)
{
    if (!parts->only_counted || parts->count >= parts->most)
        return lvl_parts_append(parts, ctx, part);
    parts->count++;
    return LVL_OK;
}

/* ---- rules (rules.c) ---------------------------------------------------------------------- */

/* A rule compiled. */
typedef struct lvl_rule_form {
    bool ready;
    const lvl_field *list; /* NULL: its members are those of the root */
    bool zeros; /* all bytes of an item of the list are 0 if its members have their defaults */
    lvl_line_form line, body;
} lvl_rule_form;

enum { LVL_LETTERS = 32 }; /* by which rules are found: the low bits of a character */

/* The rules of a grammar, each compiled when it is first needed, and what of them occurred in a text. */
typedef struct lvl_rules {
    const lvl_grammar *grammar;
    const lvl_table *table; /* of the root */
    /* A bit for each rule: those whose word begins with such a letter; LVL_RULE_FIRST; LVL_RULE_INSIDE. */
    uint32_t by_letter[LVL_LETTERS], first, inside;
    size_t word_length[LVL_RULES];
    uint32_t last[LVL_RULES]; /* number of the last part of a rule, plus 1 */
    bool any; /* there was a part */
    lvl_rule_form form[LVL_RULES];
} lvl_rules;

void lvl_rules_init(lvl_rules *rules, const lvl_grammar *grammar, const lvl_table *table);
const lvl_rule_form *lvl_rules_compile(lvl_rules *rules, uint32_t rule);
static inline const lvl_rule_form *lvl_rules_form(lvl_rules *rules, uint32_t rule)
{
    return rules->form[rule].ready ? &rules->form[rule] : lvl_rules_compile(rules, rule);
}
/* The list that a part's item is in; NULL: the part has no item. `form`: of its rule. */
static inline const lvl_field *lvl_part_list(const lvl_part *part, const lvl_rule_form *form)
{
    return part->place == LVL_PART_BEGIN || part->place == LVL_PART_END ? NULL : form->list;
}
static inline const lvl_field *lvl_rules_list(lvl_rules *rules, const lvl_part *part)
{
    return lvl_part_list(part, lvl_rules_form(rules, part->rule));
}
/* The record that a part describes, and its place: an item, or the root. */
void *lvl_rules_record(lvl_rules *rules, void *root, const lvl_part *part);
lvl_where lvl_rules_where(lvl_rules *rules, const lvl_part *part);
/* The slot of a part: each rule has three, for a line or the one that begins a block, the one that ends
 * it, and all items of its list; then come the rows of grids. Parts of a slot that is not a list are what a
 * document has once. */
size_t lvl_rules_slot(lvl_rules *rules, const lvl_part *part);
static inline size_t lvl_slot_of_list(uint32_t first_rule)
{
    return 3 * (size_t)first_rule + 2;
}
static inline bool lvl_slot_is_list(size_t slot)
{
    return slot < (size_t)3 * LVL_RULES && slot % 3 == 2;
}
static inline bool lvl_slot_is_row(size_t slot)
{
    return slot >= (size_t)3 * LVL_RULES;
}
/* A number above the slots of all parts, at least `least`. */
size_t lvl_rules_slots(lvl_rules *rules, const lvl_parts *parts, size_t least);
/* The first line of a document, by a rule of that kind; NULL: it has none. */
const char *lvl_rules_first_line(lvl_rules *rules, uint32_t rule, const void *root);
/* The rule of a line. */
typedef struct lvl_rule_match {
    uint32_t rule; /* LVL_RULES: none, */
    lvl_line_problem why; /* for this reason */
    size_t keyword; /* characters before its words */
    bool always; /* all lines that begin with the same word and a blank are of this rule */
} lvl_rule_match;

/* The rule of a line outside of blocks of rows. */
lvl_rule_match lvl_rules_match(lvl_rules *rules, lvl_text line);
/* The text after the word of a line that matches a rule. */
lvl_text lvl_rules_words(const lvl_rules *rules, uint32_t rule, lvl_text line);
/* Whether a line in a body would be a whole command outside of it. */
bool lvl_rules_match_inside(lvl_rules *rules, lvl_text line);
bool lvl_line_is_comment(const lvl_grammar *grammar, lvl_text line);
/* Whether a line is the word that ends a block. */
bool lvl_line_ends_block(const lvl_grammar *grammar, const char *word, lvl_text line);
lvl_cells lvl_grid_cells(const lvl_line_grid *grid, const void *item);

/* ---- reading (read.c, report.c, grid.c) ------------------------------------ */

typedef struct lvl_line_reader {
    lvl_rules rules;
    lvl_doc *doc;
    lvl_sink *sink;
    lvl_findings *findings;
    lvl_lines_text text;
    lvl_line_store store;
    lvl_parts parts;
    const char *lead; /* after the last part */
    const char *shown; /* after the last span */
    lvl_text single[LVL_RULES]; /* the last line of a SINGLE rule */
    lvl_text same; /* lines that begin like this are of `same_rule`; empty: none */
    uint8_t same_rule;
    uint32_t block; /* the rule whose block of one-line rows is open; LVL_RULES: none */
    uint32_t other, grid; /* the rules of these kinds; LVL_RULES: none */
    uint32_t next_row; /* no line had this row of grid 0 or one after it */
    uint8_t *board; /* the cells of grid 0, which nearly all lines have; NULL: none had it */
    uint16_t grid_of[LVL_GRIDS]; /* index of an item by its number, plus 1 */
} lvl_line_reader;

void lvl_reader_report(const lvl_line_reader *r, lvl_line_problem problem, const lvl_where *where,
                       lvl_text at, const char *what);
/* The same, at the place of a part; NULL: of the root. */
void lvl_reader_report_part(lvl_line_reader *r, lvl_line_problem problem, const lvl_part *part, lvl_text at,
                            const char *what);
void lvl_reader_report_words(const lvl_line_reader *r, const lvl_where *where, lvl_text line,
                             unsigned problems);
/* Emits a span from the end of the last one to `to`, if there is a sink: of a member of the record at
 * `where`, or (`field` NULL) of the record. `index`: of an item of the member, or LVL_NO_INDEX. */
void lvl_reader_emit(lvl_line_reader *r, lvl_span_role role, const lvl_where *where, const lvl_field *field,
                     uint32_t index, const char *to, const char *note);
/* The words of a line that ends at `end`. `note`: what its keyword is called. */
void lvl_reader_emit_line(lvl_line_reader *r, const lvl_where *where, const lvl_line_form *form,
                          const lvl_text *found, const char *end, const char *note);
/* Appends an item with its defaults to the list of a rule; NULL without memory. */
void *lvl_reader_add_item(lvl_line_reader *r, const lvl_rule_form *form, uint32_t *index);
static inline lvl_text lvl_reader_line(const lvl_line_reader *r, const lvl_part *part)
{
    lvl_text line = {r->text.ptr + part->head, part->body - part->head};

    line.len -= line.len && line.ptr[line.len - 1] == '\n';
    line.len -= r->text.crlf && line.len && line.ptr[line.len - 1] == '\r';
    return line;
}
/* Prepares to read single parts of a text that doc was read from; what they need is allocated in `arena`. */
void lvl_reader_open(lvl_line_reader *r, lvl_doc *doc, lvl_text file, lvl_arena *arena);
/* Reads the first line, or the row, of a part into a record that has its defaults: an item, or the root. */
lvl_status lvl_reader_head(lvl_line_reader *r, const lvl_part *part, void *record);
/* Reads the line of a part that is of a grid. */
lvl_status lvl_reader_grid_line(lvl_line_reader *r, lvl_part *part);
/* Reads the line at *at if it is the next row of grid 0, in its usual spelling; *part is filled in. */
lvl_status lvl_reader_grid_row(lvl_line_reader *r, const char **at, lvl_part *part);
/* ---- writing (print.c, write.c) ----------------------------------------------- */

typedef struct lvl_line_writer {
    lvl_rules rules;
    const lvl_doc *doc;
    void *root; /* a copy of the root, with the derived members as they are to be written */
    bool crlf;
    lvl_arena arena;
    lvl_status status; /* the first error */
    lvl_parts parts; /* of the document, in the order of the canonical form */
    unsigned section; /* of the last one */
    bool listed;
    /* what was read to verify, if it is to be kept: its findings (NULL: not wanted), and the document */
    bool keeps;
    lvl_findings *found;
    lvl_doc *again;
} lvl_line_writer;

/* Prepares a writer; `derive`: derived members are recomputed. The caller closes it, also after an error. */
void lvl_writer_open(lvl_line_writer *w, const lvl_doc *doc, bool derive);
void lvl_writer_close(lvl_line_writer *w);
/* Lists the parts of the document, once. */
void lvl_writer_list(lvl_line_writer *w);
/* Lists them, and gives them their hashes. Returns the hash of all. */
uint64_t lvl_writer_hash(lvl_line_writer *w, const lvl_hash_seed *seed);
/* Append the canonical form: of the document, whose parts are listed; of a part; of its first line or row, as
 * `record` has it; of the lines after it; and of the line that ends it. */
void lvl_writer_put(lvl_line_writer *w, lvl_buffer *out);
void lvl_writer_put_part(lvl_line_writer *w, const lvl_part *part, lvl_buffer *out);
void lvl_writer_put_head(lvl_line_writer *w, const lvl_part *part, const void *record, lvl_buffer *out);
void lvl_writer_put_body(lvl_line_writer *w, const lvl_part *part, lvl_buffer *out);
void lvl_writer_put_close(lvl_line_writer *w, const lvl_part *part, lvl_buffer *out);
void lvl_writer_fail(lvl_line_writer *w, lvl_status status);
void lvl_writer_end_line(const lvl_line_writer *w, lvl_buffer *out);
lvl_text lvl_writer_source(const lvl_line_writer *w);
/* Reads a text as another document, which the caller frees; `parts`: with its parts. `found` may be NULL. */
lvl_status lvl_writer_reread(const lvl_line_writer *w, lvl_text text, bool parts, lvl_findings *found,
                             lvl_doc **out);
/* Whether another document has the content that is to be written. */
bool lvl_writer_same(const lvl_line_writer *w, const lvl_doc *other);
/* Whether the text from `from` on is read as the document. */
bool lvl_writer_verify(lvl_line_writer *w, const lvl_buffer *out, size_t from);
/* Appends the document with the unchanged parts of its source. The source of the items at the places
 * `rewritten` is not copied; the root: of its members, and missing lines are added. False: nothing was
 * appended, and w->status is LVL_ERR_LOSS if text of the source would be lost. */
bool lvl_writer_put_sourced(lvl_line_writer *w, const lvl_where *rewritten, size_t count, lvl_buffer *out);
/* lvl_grammar_write with such places. */
lvl_status lvl_grammar_rewrite(const lvl_doc *doc, const lvl_where *rewritten, size_t count, lvl_buffer *out);

#endif
