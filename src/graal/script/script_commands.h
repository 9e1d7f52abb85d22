/*
 * graal/script/script_commands.h: reads the statements of a script, and finds the commands that run as soon
 * as a player enters the level.
 */
#ifndef LVL_GRAAL_SCRIPT_SCRIPT_COMMANDS_H
#define LVL_GRAAL_SCRIPT_SCRIPT_COMMANDS_H

#include "base/format.h"

typedef enum lvl_graal_statement_kind {
    LVL_GRAAL_COMMAND, /* also an assignment or a call */
    LVL_GRAAL_CONDITION, /* if, else, for, while, with, switch; `args` is what its parentheses contain */
    LVL_GRAAL_FUNCTION /* `args` is its name */
} lvl_graal_statement_kind;

typedef struct lvl_graal_statement {
    lvl_text word, args; /* args: with their comments */
    uint32_t line; /* from 1 */
    lvl_graal_statement_kind kind;
    char end; /* of a command: ; or } or {, or 0 at the end of the script */
    bool open; /* the parentheses of a condition are missing or not closed */
    bool sure; /* a command that certainly runs when a player enters */
} lvl_graal_statement;

typedef void (*lvl_graal_statement_fn)(void *user, const lvl_graal_statement *statement);

/* Visits the statements in order. Takes time linear in the length of the script. */
void lvl_graal_script_statements(lvl_text script, lvl_graal_statement_fn visit, void *user);

/* A command of a script and its arguments. */
typedef void (*lvl_graal_command_fn)(void *user, lvl_text word, lvl_text args);

/* Visits, in order, the commands that certainly run when a player enters: those outside all conditions, and
 * those in `if (created)`, `if (playerenters)` and the like. Commands in other conditions, loops and
 * functions are skipped. Takes time linear in the length of the script. */
void lvl_graal_script_commands(lvl_text script, lvl_graal_command_fn visit, void *user);

/* Takes the next comma-separated argument, without surrounding blanks, quotes and parentheses; false if there
 * is none. */
bool lvl_graal_command_arg(lvl_text *args, lvl_text *out);
/* The same as a number; false if the argument is missing or not a plain number. */
bool lvl_graal_command_number(lvl_text *args, double *out);

#endif
