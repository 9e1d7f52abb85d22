/*
 * cli/shared/windows.h: what the command needs of Windows alone: its console, the browser.
 */
#ifndef LVL_CLI_SHARED_WINDOWS_H
#define LVL_CLI_SHARED_WINDOWS_H

#include "cli/cli.h"

#ifdef _WIN32

/* Whether the stream is a console; the device NUL, which isatty() takes for one, is not. */
bool cli_windows_is_console(FILE *stream);
/* Makes the console of the stream understand colours. False: it cannot. cli_windows_console_end restores
 * it. */
bool cli_windows_console_begin(FILE *stream);
void cli_windows_console_end(void);
/* Writes UTF-8 to the console of the stream, whatever its code page is. */
bool cli_windows_console_write(FILE *stream, const char *text, size_t len);
/* Columns of the console of standard error; 0: unknown. */
size_t cli_windows_console_columns(void);

/* The path of the program, to be freed; NULL: unknown, or no memory. */
char *cli_windows_own_path(void);
/* Opens the file with the program of its type, and does not wait for it. */
bool cli_windows_open(const char *path);

#endif
#endif
