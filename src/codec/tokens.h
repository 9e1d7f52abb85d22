/*
 * codec/tokens.h: JSON token by token, for levels that are JSON themselves. Unlike a tree it keeps positions,
 * spelling of strings and numbers, and the order of keys, takes no memory, and skips values at the speed of a
 * scan. Strict (RFC 8259), except that strings may have broken UTF-8 and unpaired surrogates, which some
 * writers make.
 */
#ifndef LVL_CODEC_TOKENS_H
#define LVL_CODEC_TOKENS_H

#include <lvl/doc.h>

typedef enum lvl_token_kind {
    LVL_TOKEN_END, /* the text's end, after one whole value */
    LVL_TOKEN_ERROR, /* see lvl_tokens.error and .at; every further token is this one */
    LVL_TOKEN_OBJECT, /* { */
    LVL_TOKEN_OBJECT_END,
    LVL_TOKEN_ARRAY, /* [ */
    LVL_TOKEN_ARRAY_END,
    LVL_TOKEN_KEY, /* a string in front of ':' */
    LVL_TOKEN_STRING,
    LVL_TOKEN_NUMBER,
    LVL_TOKEN_TRUE,
    LVL_TOKEN_FALSE,
    LVL_TOKEN_NULL
} lvl_token_kind;

#define LVL_TOKENS_DEPTH 1024

typedef struct lvl_token {
    lvl_token_kind kind;
    lvl_text text; /* as spelled; strings and keys without their quotes */
    bool escaped; /* strings and keys: holds a backslash */
    size_t at; /* offset of its first byte (the quote of a string) */
} lvl_token;

/* What may follow. */
enum {
    LVL_WANT_VALUE,
    LVL_WANT_FIRST_VALUE, /* or ']' */
    LVL_WANT_KEY,
    LVL_WANT_FIRST_KEY, /* or '}' */
    LVL_WANT_COLON,
    LVL_WANT_COMMA, /* or the end of array or object */
    LVL_WANT_END,
    LVL_WANT_NOTHING /* after an error */
};

typedef struct lvl_tokens {
    const char *start, *p, *end;
    const char *error; /* static English text, or NULL */
    size_t at; /* offset of the error */
    uint32_t depth, most;
    uint8_t expect; /* LVL_WANT_VALUE … */
    uint64_t arrays[LVL_TOKENS_DEPTH / 64]; /* bit by depth: an array, not an object */
} lvl_tokens;

/* Begins at the text's first byte. `most`: nesting allowed, at most LVL_TOKENS_DEPTH; 0: that. */
void lvl_tokens_init(lvl_tokens *t, lvl_text text, uint32_t most);
/* The next token. After the end of the one value, LVL_TOKEN_END if only white space follows, otherwise an
 * error. */
lvl_token lvl_tokens_next(lvl_tokens *t);
/* Takes the comma or colon that the next token begins with; false if it needs none, or none is there. */
bool lvl_tokens_accept_separator(lvl_tokens *t);
/* After a token that begins a value (anything but ends and keys): skips the rest of it, nothing for scalars.
 * Returns the text of the whole value as spelled, empty after an error. */
lvl_text lvl_tokens_skip(lvl_tokens *t, const lvl_token *first);
/* Whether a text begins with a whole value, which ends at *end; anything may follow. */
bool lvl_tokens_whole(lvl_text text, size_t *end);
/* Whether the innermost open value is an array; false at depth 0. */
static inline bool lvl_tokens_in_array(const lvl_tokens *t)
{
    return t->depth && (t->arrays[(t->depth - 1) / 64] >> (t->depth - 1) % 64 & 1);
}
/* Offset after the last token: at depth 0, after a value, its end. */
static inline size_t lvl_tokens_offset(const lvl_tokens *t)
{
    return (size_t)(t->p - t->start);
}

/* ---- strings and numbers ----------------------------------------------------------------------------- */

/* Appends a string's text without its escapes, as UTF-8; unpaired surrogates become U+FFFD. */
void lvl_token_unescape(lvl_buffer *out, lvl_text spelled);
/* Whether a token, with its escapes decoded, is this text. */
bool lvl_token_is(const lvl_token *token, const char *text);
/* The same with ASCII letters of any case: Go takes such a key for a field, too. */
bool lvl_token_is_nocase(const lvl_token *token, const char *text);
/* A whole number that fits 64 bits: no fraction, no exponent; false otherwise. */
bool lvl_token_int(const lvl_token *token, int64_t *value);
/* Appends text as a quoted JSON string as Go's encoding/json does: '<', '>', '&', U+2028, U+2029 and controls
 * are escaped; but broken UTF-8, which Go replaces by U+FFFD, is kept. */
void lvl_token_quote(lvl_buffer *out, lvl_text text);

#endif
