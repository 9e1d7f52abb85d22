/*
 * cli/main.c: the command `lvl`. All that it does is in cli/run.c, so that tests can call it as often as they
 * like.
 */
#include "cli/cli.h"

#ifdef _WIN32
/* The shells of Windows leave "*.wwd" to the program; mingw's start code expands it if this is set. */
extern int _dowildcard;
int _dowildcard = -1;
#endif

int main(int argc, char **argv)
{
    return cli_main(argc, argv);
}
