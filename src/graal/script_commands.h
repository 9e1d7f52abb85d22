/*
 * graal/script_commands.h: finds the commands of a script that run as soon as a player enters the level.
 */
#ifndef LVL_GRAAL_ORDERS_H
#define LVL_GRAAL_ORDERS_H

#include "base/format.h"

/* Commands that play an animation, `name.gani`. */
extern const lvl_script_stem lvl_graal_script_stems[];

/* A command of a script and its arguments. */
typedef void (*lvl_graal_command_fn)(void *user, lvl_text word, lvl_text args);

/* Visits, in order, the commands that certainly run when a player enters: those outside of all conditions,
 * and those in `if (created)`, `if (playerenters)` and the like. Commands in other conditions, loops and
 * functions are skipped. Takes time linear in the length of the script. */
void lvl_graal_script_commands(lvl_text script, lvl_graal_command_fn visit, void *user);

/* Takes the next of the arguments between commas, without blanks, quotes and parentheses around it; false if
 * there is none. */
bool lvl_graal_command_arg(lvl_text *args, lvl_text *out);
/* The same as a number; false if the argument is missing or no plain number. */
bool lvl_graal_command_number(lvl_text *args, double *out);

#endif
