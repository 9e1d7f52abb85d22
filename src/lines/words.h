/*
 * lines/words.h: one line of a text format as members of a record, and back. A format describes once which
 * words a line has:
 *
 *     "level... x y width height dest_x dest_y [dest_layer layer]"
 *
 * Each word is the name of a member in the record's table:
 *
 *     name      a text without blanks, or a number; an integer is written by the name of its value, if any
 *     #name     an integer that is written as a number, although its values have names
 *     -name     a text; "-" means an empty one
 *     !name     no word: the presence of the line sets the member to 1, or to N with "!name=N". Of rules for
 *               the same list it decides which one is written
 *     +name     a text that follows the keyword without a blank
 *     ~name     the rest of the line; the blank before it is written even if nothing follows
 *     name..    a text that may contain blanks: it takes the words that the members after it leave; if their
 *               words do not fit, one word
 *     name...   the same; if they do not fit, it takes all words but as many as the members after it require
 *     name,     a list of texts in quotes, or of numbers, separated by commas, up to the end of the line
 *     name:N    a word that is written right-aligned in N columns; a list in a body: N numbers in a line
 *     [a b]     optional words; they are written if one of them does not have its default. There is one such
 *               group, the last words of the line: brackets inside of it mean nothing
 *
 * A description that begins with a comma (", image start type") is of columns: words are separated by commas,
 * may hold blanks, and may be empty. Only name, #name and brackets may follow. With ":" they are separated by
 * colons.
 *
 * In "= ~level" or "key = ~value" an equals sign precedes the members after it, with or without blanks around
 * it: a line without one is none of the rule. Columns ("= , image x y") and lists ("= names,", whose texts
 * have no quotes) may follow it.
 *
 * Nothing here depends on a format. Texts that are read are views of the line, or are in the arena.
 */
#ifndef LVL_LINES_WORDS_H
#define LVL_LINES_WORDS_H

#include "base/arena.h"
#include "base/format.h"

enum {
    LVL_WORDS = 32, /* words that are distinguished; the last one is the rest of the line */
    LVL_MEMBERS = 12 /* members of a line */
};

/* A line split at blanks, tabs and CR. */
typedef struct lvl_words {
    lvl_text word[LVL_WORDS];
    unsigned count;
} lvl_words;

typedef enum lvl_word_form {
    LVL_WORD,
    LVL_WORD_NUMBER, /* "#" */
    LVL_WORD_DASH, /* "-" */
    LVL_WORD_SWITCH, /* "!" */
    LVL_WORD_JOINED, /* "+" */
    LVL_WORD_REST, /* "~" */
    LVL_WORD_LIST /* "," */
} lvl_word_form;

/* Nearly all members are one of these two. */
typedef enum lvl_word_plain {
    LVL_PLAIN_NOT,
    LVL_PLAIN_INT, /* a signed integer of 32 bits without names */
    LVL_PLAIN_TEXT /* a text as it is in the line */
} lvl_word_plain;

typedef struct lvl_member {
    const lvl_field *field;
    lvl_word_form form;
    bool optional;
    uint8_t plain; /* lvl_word_plain */
    uint8_t value, columns; /* of "!name=N" and "name:N" */
} lvl_member;

/* The description of a line, compiled. */
typedef struct lvl_line_form {
    lvl_member member[LVL_MEMBERS];
    unsigned count, required; /* members; words that a line needs after its keyword */
    unsigned wide; /* index of the member that may contain blanks; `count`: none */
    bool wide_takes_most; /* "..." */
    bool list; /* the line is a list with commas */
    unsigned sign; /* 1 + the members before the equals sign, at most one; 0: the line has none */
    char columns; /* what separates words that are columns, `,' or `:'; 0: they are separated by blanks */
} lvl_line_form;

/* What is wrong with the words of a line. */
enum {
    LVL_WORDS_NUMBER = 1, /* a word is not a number: the digits at its start count, or 0 */
    LVL_WORDS_NAME = 2, /* a word is not one of the member's names */
    LVL_WORDS_MORE = 4, /* more words than members */
    LVL_WORDS_QUOTE = 8, /* a quoted text has no quote at its end */
    LVL_WORDS_FEW = 16, /* required words are missing: their members keep their defaults */
    LVL_WORDS_UNNAMED = 32 /* a number that is not one of the member's names: the member has it */
};

/* Memory for lists and texts that are not views of the line, and how many items a list may have. */
typedef struct lvl_line_store {
    lvl_arena *arena;
    uint64_t items;
} lvl_line_store;

static inline bool lvl_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static inline const char *lvl_skip_blanks(const char *p, const char *end)
{
    while (p < end && *p == ' ') /* nearly all are, and columns have many */
        p++;
    while (p < end && lvl_is_blank(*p))
        p++;
    return p;
}

/* The word at `p`. */
static inline lvl_text lvl_word_at(const char *p, const char *end)
{
    const char *from = p;

    while (p < end && ((uint8_t)*p > ' ' || !lvl_is_blank(*p)))
        p++;
    return (lvl_text){from, (size_t)(p - from)};
}

/* The next word from *at on, which moves after it; empty at the end. */
static inline lvl_text lvl_next_word(const char **at, const char *end)
{
    const lvl_text word = lvl_word_at(lvl_skip_blanks(*at, end), end);

    *at = word.ptr + word.len;
    return word;
}

/* Compiles a description of members of the table; `words` NULL: none. */
void lvl_line_form_of(const char *words, const lvl_table *table, lvl_line_form *out);
void lvl_words_split(const char *line, size_t len, lvl_words *out);
lvl_text lvl_text_trim(lvl_text text);

/* Reads the text after a line's keyword into a record whose members have their defaults. *problems gets
 * LVL_WORDS_… bits, found[i] the text of member i (ptr NULL: none). LVL_ERR_MEMORY, LVL_ERR_LIMIT. */
lvl_status lvl_line_read(const lvl_line_form *form, const lvl_line_store *store, lvl_text text, void *record,
                         unsigned *problems, lvl_text found[LVL_MEMBERS]);
/* Whether the text has the required words; `strict`: and no more than the form's, each of them valid. */
bool lvl_line_fits(const lvl_line_form *form, lvl_text text, bool strict);
/* Appends the line of a record, without its line end. `keyword` may be NULL. */
void lvl_line_put(const lvl_line_form *form, const char *keyword, const void *record, lvl_buffer *out);
/* Whether every member of the form has its default. */
bool lvl_line_is_default(const lvl_line_form *form, const void *record);
/* Whether a member is the same in both records, whatever its role. */
static inline bool lvl_member_equal(const void *a, const void *b, const lvl_field *field)
{
    const lvl_table one = {.fields = field, .field_count = 1};

    return lvl_record_identical(a, b, &one);
}
bool lvl_line_equal(const lvl_line_form *form, const void *a, const void *b);

/* Appends the lines of a record that changed: `old_lines` are those of the source, `was_lines` and
 * `now_lines` the canonical ones before and after the change. Unchanged words and the columns are as in
 * `old_lines`. */
void lvl_words_patch(lvl_text old_lines, lvl_text was_lines, lvl_text now_lines, lvl_buffer *out);

/* An item of a list with commas between them. Line ends separate as commas do, but begin no empty item. */
typedef struct lvl_list_item_view {
    lvl_text text;
    bool doubled; /* "" in it means a quote */
    bool open; /* its quote has no end */
    bool more; /* other text follows its quote */
} lvl_list_item_view;

/* The next item from *at on, which moves after it and its comma; false at the end. */
bool lvl_list_next(lvl_text text, size_t *at, lvl_list_item_view *out);
/* The same of a list whose texts have no quotes: they are between commas, and may be empty. */
bool lvl_names_next(lvl_text text, size_t *at, lvl_text *out);
lvl_status lvl_list_read(const lvl_line_store *store, lvl_text text, void *record, const lvl_field *field,
                         unsigned *problems);

/* Reads an integer: true if the whole word is one of 32 bits. Otherwise *out is the value of the digits at
 * its start, as in the games. */
bool lvl_word_int32(lvl_text word, int32_t *out);
/* Reads a decimal: true if the whole word is one. One that is out of range is 0. */
bool lvl_word_real(lvl_text word, double *out);
/* Fast path, since most words are integers of a few digits: returns the end of the one at `p`; NULL: it is
 * another word. */
static inline const char *lvl_small_int(const char *p, const char *end, int32_t *out)
{
    enum { DIGITS = 8 };
    const bool negative = p < end && *p == '-';
    const char *from = p + negative;
    uint32_t v = 0, digit;

    for (p = from; p < end && (digit = (uint32_t)(uint8_t)*p - '0') <= 9; p++)
        v = v * 10 + digit;
    if (p == from || p - from > DIGITS || (negative && !v) || (p < end && *p != ' ' && *p != '\r'))
        return NULL;
    *out = negative ? -(int32_t)v : (int32_t)v;
    return p;
}

/* Right-aligns what was written from `at` on in a number of columns. */
void lvl_buffer_align(lvl_buffer *out, size_t at, size_t columns);
/* The shortest decimal that reads back as the same ("30", "-0.5"); 0 for a value that is not finite. */
void lvl_put_real_word(lvl_buffer *out, double value);

#endif
