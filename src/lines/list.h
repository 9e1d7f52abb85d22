/*
 * lines/list.h: a text as the list of its lines, and the compiled rules that say what each of them is.
 */
#ifndef LVL_LINES_LIST_H
#define LVL_LINES_LIST_H

#include "base/hash.h"
#include "lines/grammar.h"

/* ---- lines --------------------------------------------------------------------------------------- */

typedef enum lvl_line_place {
    LVL_PLACE_LINE, /* a line with words, by itself or before a body; */
    LVL_PLACE_BODY, /* the lines of its body, all at once; */
    LVL_PLACE_BEGIN, /* or the line that begins a block of rows, */
    LVL_PLACE_ROW, /* a row; */
    LVL_PLACE_END /* and the line that ends a body or a block of rows */
} lvl_line_place;

enum {
    LVL_MARK_REPLACED = 1, /* of a SINGLE rule, with a later line that counts instead */
    LVL_MARK_MORE = 2, /* it has text that no member has */
    LVL_MARK_MISREAD = 4, /* a word is not the number or name that it should be */
    LVL_MARK_DEFAULT = 8, /* of a text: without content, so that the document has no such line */
    LVL_MARK_ANEW = 16, /* of a document to write: its source is not copied */
    LVL_MARK_APART = 32 /* of a document to write: a blank line precedes it */
};

/* A line of a text or of a document to write: what it is, which item it describes, and its bytes (offsets
 * from the start of the text). Lines of no rule have no entry: they precede the next line that has one. */
typedef struct lvl_line {
    uint8_t rule, place, marks;
    uint32_t item; /* index */
    /* of a grid: its number times the rows of a grid, plus the row; of rows of several lines: their kind */
    uint32_t row;
    size_t lead, at, end; /* the lines of no rule before it, the line, and what follows it */
    uint64_t hash; /* of the members in it */
} lvl_line;

/* The lines of a text (doc->state of a document that was read for an edit), or of a document to write. */
typedef struct lvl_line_list {
    const lvl_grammar *grammar;
    lvl_line *lines;
    uint32_t count;
    size_t cap;
    uint64_t most; /* limits.items */
    /* of a text that was read for an edit: the hashes of its lines are noted, and that of the document */
    bool noted;
    uint64_t hash;
} lvl_line_list;

/* Appends to lines from malloc. LVL_ERR_LIMIT, LVL_ERR_MEMORY. */
lvl_status lvl_line_list_add(lvl_line_list *list, const lvl_ctx *ctx, const lvl_line *line);

/* Whether line `i` is of a body, or ends one. */
static inline bool lvl_line_is_inner(const lvl_line_list *list, uint32_t i)
{
    const lvl_line *line = &list->lines[i];

    return line->place == LVL_PLACE_BODY || (line->place == LVL_PLACE_END && i &&
                                             line[-1].place == LVL_PLACE_BODY && line[-1].rule == line->rule);
}

/* The first line of the body that line `i` is in, or `i`; and the line after that and its body. */
static inline uint32_t lvl_line_head(const lvl_line_list *list, uint32_t i)
{
    while (i && lvl_line_is_inner(list, i))
        i--;
    return i;
}
static inline uint32_t lvl_line_after(const lvl_line_list *list, uint32_t i)
{
    do
        i++;
    while (i < list->count && lvl_line_is_inner(list, i));
    return i;
}

/* ---- rules (rules.c) ---------------------------------------------------------------------- */

/* A rule compiled. */
typedef struct lvl_rule_form {
    bool ready;
    const lvl_field *list; /* NULL: its members are those of the root */
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
    uint32_t last[LVL_RULES]; /* number of the last line of a rule, plus 1 */
    bool any; /* there was a line */
    lvl_rule_form form[LVL_RULES];
} lvl_rules;

void lvl_rules_init(lvl_rules *rules, const lvl_grammar *grammar, const lvl_table *table);
const lvl_rule_form *lvl_rules_compile(lvl_rules *rules, uint32_t rule);
static inline const lvl_rule_form *lvl_rules_form(lvl_rules *rules, uint32_t rule)
{
    return rules->form[rule].ready ? &rules->form[rule] : lvl_rules_compile(rules, rule);
}
/* The list that a line's item is in; NULL: it has none. */
static inline const lvl_field *lvl_rules_list(lvl_rules *rules, const lvl_line *line)
{
    const bool fixed =
        line->place == LVL_PLACE_BEGIN ||
        (line->place == LVL_PLACE_END && rules->grammar->rules[line->rule].kind == LVL_RULE_ROWS);

    return fixed ? NULL : lvl_rules_form(rules, line->rule)->list;
}
/* The record that a line describes, and its place: an item, or the root. */
void *lvl_rules_record(lvl_rules *rules, void *root, const lvl_line *line);
lvl_where lvl_rules_where(lvl_rules *rules, const lvl_line *line);
/* Appends an item with its defaults to the list of a rule; NULL without memory. */
void *lvl_rules_add_item(const lvl_rule_form *form, lvl_doc *doc, uint32_t *index);
/* The first line of a document, by a rule of that kind; NULL: it has none. */
const char *lvl_rules_first_line(lvl_rules *rules, uint32_t rule, const void *root);
/* The rule of a line. */
typedef struct lvl_rule_match {
    uint32_t rule; /* LVL_RULES: none, */
    lvl_line_problem why; /* for this reason */
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

#endif
