/*
 * games/javascript.h: the tokens of a script in JavaScript, as far as it takes to know its names, calls and
 * brackets. No parser: the game itself reports other errors of syntax.
 */
#ifndef LVL_GAMES_JAVASCRIPT_H
#define LVL_GAMES_JAVASCRIPT_H

#include <lvl/base.h>

typedef enum lvl_js_kind {
    LVL_JS_WORD,
    LVL_JS_NUMBER,
    LVL_JS_STRING, /* with its quotation marks */
    LVL_JS_TEMPLATE, /* a piece of one, between ` and ${ and } */
    LVL_JS_REGEX,
    LVL_JS_MARK /* an operator, or a bracket; ${ and its } are none, but pieces are in its brackets */
} lvl_js_kind;

typedef struct lvl_js_token {
    lvl_text text;
    uint32_t partner; /* of a bracket: the other one's index; else LVL_NO_INDEX */
    uint32_t around; /* the innermost bracket that is open here; LVL_NO_INDEX: none */
    uint8_t kind; /* LVL_JS_… */
    bool breaks; /* a line break is before it */
} lvl_js_token;

typedef enum lvl_js_fault {
    LVL_JS_SOUND,
    LVL_JS_OPEN_STRING,
    LVL_JS_OPEN_TEMPLATE,
    LVL_JS_OPEN_REGEX,
    LVL_JS_OPEN_COMMENT,
    LVL_JS_OPEN_BRACKET, /* it is not closed */
    LVL_JS_CLOSE_BRACKET, /* it was not opened */
    LVL_JS_LONG /* there are more tokens than are read: the rest is unknown */
} lvl_js_fault;

typedef struct lvl_js {
    lvl_text text;
    lvl_js_token *tokens;
    uint32_t count;
    lvl_js_fault fault; /* the first; what follows it is not sure */
    size_t at; /* its offset */
} lvl_js;

/* The texts are pieces of `text`. The caller frees it, whatever is returned. LVL_ERR_MEMORY. Takes time
 * linear in the length of the text. */
lvl_status lvl_js_read(lvl_js *js, lvl_text text);
void lvl_js_free(lvl_js *js);
/* The line and column (in bytes) of an offset, from 1. */
void lvl_js_position(lvl_text text, size_t at, uint32_t *line, uint32_t *column);

#endif
