/*
 * cli/main.c: the command `lvl`. All that it does is in cli/run.c, so that tests can call it as often as they
 * like.
 */
#include "cli/cli.h"

int main(int argc, char **argv)
{
    return cli_main(argc, argv);
}
