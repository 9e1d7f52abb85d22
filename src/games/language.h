/*
 * games/language.h: the languages of scripts in levels, from the game book: commands and their arguments,
 * message codes, and which types of tiles block. Made from data/games by scripts/games; constant, for any
 * thread.
 */
#ifndef LVL_GAMES_LANGUAGE_H
#define LVL_GAMES_LANGUAGE_H

#include "base/format.h"

typedef struct lvl_language_command {
    const char *name;
    const char *args; /* kinds of its arguments, separated by blanks: "text", "x", "picture" … */
    uint8_t least, most; /* number of arguments */
    bool rest; /* the last argument may hold commas */
    bool blank; /* its name needs a blank after it; a number may follow others directly */
    bool value; /* it is not a function */
} lvl_language_command;

/* A message code, or a range of them: "#P1" to "#P30". */
typedef struct lvl_language_code {
    const char *name;
    uint8_t first, last; /* numbers after the name; 0: none */
    bool set; /* setcharprop may set it */
} lvl_language_code;

typedef struct lvl_language {
    const lvl_language_command *commands; /* sorted by name */
    uint32_t command_count;
    const char *const *keywords; /* these three are ended by NULL */
    const char *const *globals; /* names that the language itself has */
    const char *const *sounds; /* file names of the game's sounds */
    const lvl_language_code *codes;
    uint32_t code_count;
    uint32_t blocking_types; /* bits 1 << type: players do not walk there … */
    uint32_t jumped_types; /* … but they may jump over these */
} lvl_language;

extern const lvl_language lvl_language_gs1; /* Graal Online */
extern const lvl_language lvl_language_sketchy; /* JavaScript of Sketchy Maze */
/* Commands whose first arguments name animations, for lvl_format_calls.script_stems. */
extern const lvl_script_stem lvl_gs1_stems[];
extern const char lvl_gs1_own_files[]; /* lvl_format_calls.own_files */

/* NULL: no such command. */
const lvl_language_command *lvl_language_find(const lvl_language *language, lvl_text name);
bool lvl_language_is_keyword(const lvl_language *language, lvl_text word);
/* The keyword that a word before a block resembles; NULL: none. */
const char *lvl_language_near_keyword(const lvl_language *language, lvl_text word);
/* The command that a mistyped word most resembles; NULL: none. */
const char *lvl_language_near(const lvl_language *language, lvl_text word);
/* NULL: no such code. */
const lvl_language_code *lvl_language_code_of(const lvl_language *language, lvl_text code);
/* The kind of an argument, from 0; empty: the command has fewer. */
lvl_text lvl_language_arg(const lvl_language_command *command, uint32_t index);

#endif
