/*
 * cli/verbs/cmd_scan.c: `lvl scan`: reads files into a catalogue.
 */
#include "cli/catalog/catalog.h"

/* The catalogue that is written. */
static const char *catalogue_path(const cli *c)
{
    return c->opt->output ? c->opt->output : CLI_CATALOGUE;
}

int cmd_scan(cli *c)
{
    cli_strings archives = {0};
    lvl_catalogue *catalogue;

    if (cli_is_stdout(catalogue_path(c)))
        return cli_usage(c, "-o: a catalogue cannot be written to standard output");
    if (c->opt->no_art && c->opt->art.count)
        return cli_usage(c, "--no-art and --art exclude each other");
    int code = cli_take_scanned(c, NULL, &archives);
    if (!code)
        code = cli_catalogue_open(c, catalogue_path(c), LVL_CATALOGUE_WRITE, &catalogue);
    if (!code) {
        code = cli_scan(c, catalogue, catalogue_path(c), &c->args, &archives,
                        c->opt->no_thumbnails ? 0 : CLI_THUMBNAIL);
        lvl_catalogue_close(catalogue);
    }
    cli_free_scanned(&archives);
    return code;
}
