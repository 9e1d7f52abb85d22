/*
 * codec/words.h: one line of a text format as members of a record, and back. A format writes down once
 * which words a line has:
 *
 *     "level... x y width height dest_x dest_y [dest_layer layer]"
 *
 * Each word is the name of a member in the record's table:
 *
 *     name      a text without blanks, or a number; an integer is written by the name of its value, if any
 *     #name     an integer that is written as a number, although its values have names
 *     -name     a text; "-" stands for an empty one
 *     !name     no word: the member is 1 because the line is there, or N with "!name=N". Of commands for the
 *               same list it decides which one is written
 *     +name     a text that follows the keyword without a blank
 *     ~name     the rest of the line; the blank before it is written even if there is nothing behind it
 *     name..    a text that may hold blanks: it takes what the members behind it leave; if their words do
 *               not fit, one word
 *     name...   the same; if they do not fit, all but as many words as have to follow
 *     name,     a list of texts in quotes, or of numbers, separated by commas, up to the end of the line
 *     name:N    a word that is written right-aligned in N columns
 *     [a b]     words that may be missing; they are written if one of them is not its default
 *
 * Nothing here knows a format. Texts that are read are views of the line, or lie in the arena.
 */
#ifndef LVL_CODEC_WORDS_H
#define LVL_CODEC_WORDS_H

#include "base/arena.h"

#include <lvl/doc.h>

enum {
    LVL_WORDS = 32,  /* words of a line that are distinguished; the last one is the rest of the line */
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
    LVL_WORD_DASH,   /* "-" */
    LVL_WORD_SWITCH, /* "!" */
    LVL_WORD_JOINED, /* "+" */
    LVL_WORD_REST,   /* "~" */
    LVL_WORD_LIST    /* "," */
} lvl_word_form;

typedef struct lvl_member {
    const lvl_field *field;
    lvl_word_form form;
    bool optional, plain;   /* plain: a number of 32 bits without names */
    uint8_t value, columns; /* of a switch; that the word is written in */
} lvl_member;

/* The description of a line, compiled. */
typedef struct lvl_line_form {
    const lvl_table *table;
    lvl_member member[LVL_MEMBERS];
    unsigned count, required; /* members; words that a line needs, beyond its keyword */
    unsigned wide;            /* index of the member that may hold blanks; `count`: none */
    bool wide_takes_most;     /* "..." */
    bool defaults;            /* members of the table have defaults other than 0 */
    bool list;                /* the line is a list with commas */
} lvl_line_form;

/* What is wrong with the words of a line. */
enum {
    LVL_WORDS_NUMBER = 1, /* a word is not the number that it should be: its first digits count, or 0 */
    LVL_WORDS_NAME = 2,   /* a word is not one of the member's names */
    LVL_WORDS_MORE = 4,   /* words follow that mean nothing */
    LVL_WORDS_QUOTE = 8,  /* a quoted text has no quote at its end */
    LVL_WORDS_FEW = 16    /* words that the form requires are missing: their members keep their defaults */
};

/* Where lists and texts go that are no views of the line, and how many items a list may have. */
typedef struct lvl_words_room {
    lvl_arena *arena;
    uint64_t items;
} lvl_words_room;

static inline bool lvl_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next word from *at on, which moves behind it; empty at the end. */
static inline lvl_text lvl_next_word(const char **at, const char *end)
{
    const char *p = *at;

    while (p < end && lvl_is_blank(*p))
        p++;
    const char *from = p;
    while (p < end && !lvl_is_blank(*p))
        p++;
    *at = p;
    return (lvl_text){from, (size_t)(p - from)};
}

/* `words` must be a valid description of members of the table; NULL: none. */
void lvl_line_form_of(const char *words, const lvl_table *table, lvl_line_form *out);
void lvl_words_split(const char *line, size_t len, lvl_words *out);
lvl_text lvl_text_trim(lvl_text text);

/* Reads the text behind a line's keyword into a record whose members have their defaults. *problems gets
 * bits of LVL_WORDS_…, `found` (may be NULL) each member's part of the line, in the order of the form;
 * ptr NULL where there is none. LVL_ERR_MEMORY, LVL_ERR_LIMIT. */
lvl_status lvl_line_read(const lvl_line_form *form, const lvl_words_room *room, lvl_text text, void *record,
                         unsigned *problems, lvl_text *found);
/* Whether the text has the words that the form requires; `strict`: and all of them are what the members
 * need. */
bool lvl_line_fits(const lvl_line_form *form, lvl_text text, bool strict);
/* Appends the line of a record, without its line end. `keyword` may be NULL. */
void lvl_line_put(const lvl_line_form *form, const char *keyword, const void *record, lvl_buffer *out);
/* Whether every member of the form has its default. */
bool lvl_line_is_default(const lvl_line_form *form, const void *record);
/* Whether all members of the form are equal, those of role derived included. */
bool lvl_line_equal(const lvl_line_form *form, const void *a, const void *b);

/* Appends the lines of a record that changed: `old` has them as they were; `was` and `now` are the lines
 * before and after the change as they are usually written. Words that did not change and the columns stay as
 * `old` has them; lines whose words cannot be separated are those of `now`. */
void lvl_words_patch(lvl_text old, lvl_text was, lvl_text now, lvl_buffer *out);

/* An item of a list with commas between them. Line ends separate as commas do, but begin no empty item. */
typedef struct lvl_list_item_view {
    lvl_text text;
    bool doubled; /* "" in it stands for a quote */
    bool open;    /* its quote has no end */
    bool more;    /* other text follows its quote */
} lvl_list_item_view;

/* The next item from *at on, which moves behind it and its comma; false at the end. */
bool lvl_list_next(lvl_text text, size_t *at, lvl_list_item_view *out);
lvl_status lvl_list_read(const lvl_words_room *room, lvl_text text, void *record, const lvl_field *field,
                         unsigned *problems);

/* A whole number: true if all of the word is one that 32 bits can hold. If not, *out is what its first
 * digits say, as games take it. */
bool lvl_word_int32(lvl_text word, int32_t *out);
bool lvl_word_real(lvl_text word, double *out);
/* Most words are whole numbers of a few digits: behind the one at `p`; NULL: it is another word. */
static inline const char *lvl_small_int(const char *p, const char *end, int32_t *out)
{
    enum { DIGITS = 8 };
    const bool negative = p < end && *p == '-';
    const char *from = p + negative;
    int32_t v = 0;

    for (p = from; p < end && *p >= '0' && *p <= '9' && p - from <= DIGITS; p++)
        v = v * 10 + (*p - '0');
    if (p == from || p - from > DIGITS || (negative && !v) || (p < end && *p != ' ' && *p != '\r'))
        return NULL;
    *out = negative ? -v : v;
    return p;
}
void lvl_put_int_word(lvl_buffer *out, int64_t value);
/* Puts blanks before what was written from `at` on, so that it takes as many columns. */
void lvl_buffer_align(lvl_buffer *out, size_t at, size_t columns);
/* The shortest decimal that reads back as the same ("30", "-0.5"); 0 for a value that is not finite. */
void lvl_put_real_word(lvl_buffer *out, double value);

#endif
