/*
 * cli/catalog/catalog.h: catalogues of a command: files that are scanned into one, and rows that are printed.
 */
#ifndef LVL_CLI_CATALOG_H
#define LVL_CLI_CATALOG_H

#include "cli/cli.h"

#include <lvl/catalogue.h>

/* The catalogue of a command that names none. */
#define CLI_CATALOGUE "levels.db"

enum { CLI_THUMBNAIL = 256 }; /* px of pictures in catalogues */

/* Opens a catalogue (`path` NULL: a new one in memory), and reports errors; returns the exit code. */
int cli_catalogue_open(cli *c, const char *path, lvl_catalogue_mode mode, lvl_catalogue **out);
/* Takes the files and folders that are scanned, c->inputs (`sources` NULL: the arguments), and the paths of
 * archives in them, which are to be freed by cli_free_scanned after errors, too. Returns the exit code. */
int cli_take_scanned(cli *c, const cli_strings *sources, cli_strings *archives);
void cli_free_scanned(cli_strings *archives);
/* Scans c->inputs into a catalogue, which messages call `name`. `roots`: what was scanned as a whole, for
 * lvl_scan_end; NULL: the catalogue is in memory, and nothing is printed but errors. `archives`: paths of
 * archives, which are opened and closed some at a time. `thumbnail`: px of pictures; 0: none. Returns the
 * exit code. */
int cli_scan(cli *c, lvl_catalogue *catalogue, const char *name, const cli_strings *roots,
             const cli_strings *archives, uint32_t thumbnail);
/* Scans files and folders (NULL: the arguments) into a catalogue that is removed when it is closed;
 * `thumbnail` as above. *out is to be closed after errors, too. Returns the exit code. */
int cli_catalogue_of_files(cli *c, const cli_strings *sources, uint32_t thumbnail, lvl_catalogue **out);

/* Prints a row of CSV for each of these files and those in folders (files.c). Returns the exit code. */
int cli_print_files(cli *c, const cli_strings *sources);
/* Appends a row as a line of CSV (RFC 4180), or the names of its columns; as a line of JSON. Bytes are base64
 * (rows.c). */
void cli_put_csv(lvl_buffer *out, const lvl_catalogue_value *values, size_t count, bool names);
void cli_put_json(lvl_buffer *out, const lvl_catalogue_value *values, size_t count);

#endif
