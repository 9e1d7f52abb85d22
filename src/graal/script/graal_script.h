/*
 * graal/script/graal_script.h: scans scripts in both languages of Graal (`if (playertouchsme) { say 3; }`)
 * without parsing them, for unmatched braces and signs shown by number. Comments (`//` to the end of the
 * line, block comments) and strings that end on their line are skipped; everything else is code.
 */
#ifndef LVL_GRAAL_SCRIPT_H
#define LVL_GRAAL_SCRIPT_H

#include <lvl/base.h>

typedef struct lvl_script {
    lvl_text text;
    size_t at; /* offset of the next character */
    uint32_t line; /* its line, from 1 */
    size_t open; /* offset before which no quote begins a string, since the line ends first */
    lvl_text number; /* that lvl_script_report found, as it is written */
} lvl_script;

/* The offset of the next character of code (including blanks and line breaks), in line s->line; SIZE_MAX at
 * the end. */
size_t lvl_script_next(lvl_script *s);

typedef struct lvl_script_braces {
    uint32_t open; /* `{` without `}` at the end */
    uint32_t open_line; /* of the first of them */
    uint32_t close; /* `}` without `{` before it */
    uint32_t close_line; /* of the first of them */
} lvl_script_braces;

/* Lines count from 1. */
void lvl_script_braces_of(lvl_text script, lvl_script_braces *out);

/* Finds the next `say 3`, `say(3)` or `say3` (not `say2`, which is another command); false if there is
 * none. */
bool lvl_script_report(lvl_script *s, uint32_t *sign);

/* Visits the numbers of signs in a script; of lvl_format_calls. */
void lvl_graal_script_signs(lvl_text script, void (*visit)(void *user, uint32_t number, lvl_text written),
                            void *user);

#endif
