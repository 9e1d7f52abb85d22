/*
 * cli/edit/tables.h: `lvl set --csv' and `lvl set --map' (edit/tables.c).
 */
#ifndef LVL_CLI_TABLES_H
#define LVL_CLI_TABLES_H

#include "cli/edit/paths.h"

/* Sets the values of the table --csv in the inputs; returns the exit code. */
int cli_set_table(cli *c);
/* Replaces the cells that paths find by the table --map; returns the exit code. */
int cli_set_map(cli *c, const cli_paths *paths);

#endif
