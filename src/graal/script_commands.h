/*
 * graal/script_commands.h: enough of the script language to see what an NPC does as soon as a player enters
 * its level.
 */
#ifndef LVL_GRAAL_ORDERS_H
#define LVL_GRAAL_ORDERS_H

#include <lvl/base.h>

/* A command of a script, and what follows it up to its end. */
typedef void (*lvl_graal_command_fn)(void *user, lvl_text word, lvl_text args);

/* Visits, in their order, the commands that are surely given when a player enters: those outside of all
 * conditions, and those in `if (created)`, `if (playerenters)` and the like. What any other condition, loop
 * or function guards is left out. In time linear in the script's length. */
void lvl_graal_script_commands(lvl_text script, lvl_graal_command_fn visit, void *user);

/* Takes the next of the arguments, which commas part, without blanks, quotes and parentheses around it; false
 * when there is none left. */
bool lvl_graal_command_arg(lvl_text *args, lvl_text *out);
/* The same as a number; false when the argument is missing or anything else than a plain one. */
bool lvl_graal_command_number(lvl_text *args, double *out);

#endif
