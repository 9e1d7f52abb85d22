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

typedef enum lvl_rule_kind {
    /* the first line that is not blank, if it begins with the letters of `word`; it holds no members */
    LVL_RULE_FIRST,
    /* members of the root; where there are several, the last one counts */
    LVL_RULE_SINGLE,
    /* each is an item of `list` */
    LVL_RULE_ITEM,
    /* each line between `word` and `end` is an item of `list`; without a word: each line of the file */
    LVL_RULE_ROWS,
    /* each line that no rule takes is a text in `list`; without such a rule it belongs to the next part */
    LVL_RULE_OTHER
} lvl_rule_kind;

enum {
    LVL_RULE_ALWAYS = 1, /* SINGLE: written even if all of its members have their defaults */
    LVL_RULE_STRICT = 2  /* a line whose words do not fit is not of this rule */
};

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

enum { LVL_RULES = 20 }; /* most that a grammar has */

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
    LVL_LINE_PROBLEMS
} lvl_line_problem;

typedef struct lvl_grammar {
    const lvl_rule *rules;
    uint32_t rule_count;
    uint32_t source;   /* offset of the kept member (lvl_text) that is the file as it was */
    uint32_t line_end; /* offset of the kept member (uint8_t) that says how lines end: 0 LF, 1 CRLF */
    /* by lvl_line_problem; NULL: not reported */
    const lvl_finding_def *findings[LVL_LINE_PROBLEMS];
} lvl_grammar;

/* ---- lines --------------------------------------------------------------------------------------- */

/* Text whose lines end in LF or in CRLF. In an LF text CR is a character. */
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

    if (t->crlf && nl && line.text.len && nl[-1] == '\r')
        line.text.len--;
    return line;
}

/* Whether the line begins with that word. */
static inline bool lvl_line_has_word(lvl_text line, const char *word)
{
    const size_t len = strlen(word);

    return line.len >= len && line.ptr[0] == word[0] && memcmp(line.ptr, word, len) == 0 &&
           (line.len == len || line.ptr[len] == ' ' || line.ptr[len] == '\t' || line.ptr[len] == '\r');
}

/* Whether lines end in CRLF: as the first one does, unless all others differ from it. */
bool lvl_lines_are_crlf(lvl_text text);

/* ---- documents ----------------------------------------------------------------------------------- */

/* Reads doc->input into the root, whose members have their defaults. LVL_ERR_LIMIT, LVL_ERR_MEMORY. */
lvl_status lvl_grammar_read(const lvl_grammar *grammar, lvl_doc *doc, lvl_sink *sink, lvl_findings *findings);
/* Whether the last reading of the document met a line of the rule. */
bool lvl_grammar_has(const lvl_doc *doc, uint32_t rule);

/* LVL_ERR_LOSS: a value can't be written; lvl_grammar_check_writable says which. */
lvl_status lvl_grammar_write(const lvl_grammar *grammar, const lvl_doc *doc, lvl_buffer *out);
lvl_status lvl_grammar_check_writable(const lvl_grammar *grammar, const lvl_doc *doc, lvl_findings *findings);
/* Whether the source is what is written without it: for lvl_format.can_regenerate. */
lvl_status lvl_grammar_is_usual(const lvl_grammar *grammar, const lvl_doc *doc, bool *out);
/* The size of the source where it is not: for lvl_format.kept. */
uint64_t lvl_grammar_kept(const lvl_grammar *grammar, const lvl_doc *doc);

/* ---- between the files of the engine ------------------------------------------------------------- */

typedef enum lvl_text_part_kind {
    LVL_PART_BLOCK, /* a whole SINGLE or ITEM, or the first line */
    LVL_PART_BEGIN, /* the line that begins a block of rows, */
    LVL_PART_ROW,   /* a line in it, */
    LVL_PART_END,   /* and the line that ends it */
    LVL_PART_OTHER,
    LVL_PART_KINDS
} lvl_text_part_kind;

/* A line or block of a file. Offsets are from the start of the text. */
typedef struct lvl_text_part {
    uint8_t kind; /* lvl_text_part_kind */
    uint8_t rule;
    bool closed;    /* the line that ends its body is there */
    bool twice;     /* a later line of the same rule counts */
    bool more;      /* its first line has words that mean nothing */
    uint32_t index; /* of the item */
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

/* Parts while they are found. */
typedef struct lvl_text_part_list {
    lvl_text_part *items;
    uint32_t count, cap;
    lvl_text_part few[40];
} lvl_text_part_list;

/* The rules of a grammar with their lines compiled, each when it is first needed. */
typedef struct lvl_rule_forms {
    const lvl_grammar *grammar;
    const lvl_table *table; /* of the root */
    lvl_line_form form[LVL_RULES];
    bool ready[LVL_RULES];
} lvl_rule_forms;

const lvl_line_form *lvl_rule_form(lvl_rule_forms *forms, uint32_t rule);
/* The members of a rule's body; returns how many. */
unsigned lvl_rule_body(const lvl_rule_forms *forms, uint32_t rule, const lvl_field *out[LVL_MEMBERS]);
void *lvl_rule_record(const lvl_rule_forms *forms, void *root, const lvl_text_part *part);
void lvl_text_part_list_init(lvl_text_part_list *list);
void lvl_text_part_list_free(lvl_text_part_list *list);
/* LVL_ERR_LIMIT beyond limits.items parts. */
lvl_status lvl_text_part_list_add(lvl_text_part_list *list, const lvl_text_part *part, const lvl_ctx *ctx);

#endif
