/*
 * graal/graal_script.h: a light look at scripts, of the first language of Graal (`if (playertouchsme) { say
 * 3; }`) as of the second: which characters are code, where braces don't match, which signs are shown by
 * number. No grammar: comments (`//` to the end of the line, block comments) and strings that end on their
 * line are passed over, all else is code. `//#CLIENTSIDE` is a comment and needs no care of its own.
 */
#ifndef LVL_GRAAL_SCRIPT_H
#define LVL_GRAAL_SCRIPT_H

#include <lvl/base.h>

typedef struct lvl_script {
    lvl_text text;
    size_t at;     /* of the next character that wasn't looked at */
    uint32_t line; /* that it is on, from 1 */
    size_t open;   /* quotes before it begin no string: the line ends first */
} lvl_script;

/* The place of the next character of code (blanks and line ends among it), or SIZE_MAX at the end. `s->line`
 * is then its line. */
size_t lvl_script_next(lvl_script *s);

typedef struct lvl_script_braces {
    uint32_t open;       /* `{` without `}` at the end */
    uint32_t open_line;  /* of the first of them */
    uint32_t close;      /* `}` without `{` before it */
    uint32_t close_line; /* of the first of them */
} lvl_script_braces;

/* Lines count from 1. */
void lvl_script_braces_of(lvl_text script, lvl_script_braces *out);

/* Finds the next `say 3`, `say(3)` or `say3` (but not `say2`, which is another command) from `s` on; false if
 * there is no more. */
bool lvl_script_report(lvl_script *s, uint32_t *sign);

#endif
