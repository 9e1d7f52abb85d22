/*
 * cli/main.c: the command `lvl`. All that it does is in cli/run.c, so that tests can call it as often as they
 * like.
 */
#include "cli/cli.h"

#ifdef _WIN32
#include "os/locale.h"

#include <windows.h>

#include <stdlib.h>

/* Wildcards are expanded here (cli/shared/arguments.c), not by the C library's start code. */
extern int _dowildcard;
int _dowildcard = 0;

int main(void)
{
    char *line = lvl_locale_narrow(GetCommandLineW(), false);
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
