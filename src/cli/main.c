/*
 * cli/main.c: the command `lvl`. All that it does is in cli/run.c, so that tests can call it as often as they
 * like.
 */
#include "cli/cli.h"

#ifdef _WIN32
#include <windows.h>

#include <stdlib.h>

/* Wildcards are expanded here (cli/arguments.c), not by the C library's start code. */
extern int _dowildcard;
int _dowildcard = 0;

/* The command line in UTF-8, to be freed; NULL without memory. */
static char *command_line(void)
{
    const wchar_t *wide = GetCommandLineW();
    const int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *line = size > 0 ? malloc((size_t)size) : NULL;

    if (line && !WideCharToMultiByte(CP_UTF8, 0, wide, -1, line, size, NULL, NULL)) {
        free(line);
        line = NULL;
    }
    return line;
}

int main(void)
{
    char *line = command_line();
    lvl_file_list arguments = {0};
    int code = EXIT_ENVIRONMENT;

    if (line && cli_split_command_line(line, &arguments))
        code = cli_main((int)arguments.count, arguments.names);
    else
        fprintf(stderr, "lvl: %s\n", lvl_status_text(LVL_ERR_MEMORY));
    lvl_file_list_free(&arguments);
    free(line);
    return code;
}

#else

int main(int argc, char **argv)
{
    return cli_main(argc, argv);
}

#endif
