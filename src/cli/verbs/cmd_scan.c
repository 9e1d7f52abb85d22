/*
 * cli/verbs/cmd_scan.c: `lvl scan`: reads files into a catalogue.
 */
#include "cli/cli.h"

#include <lvl/catalogue.h>

#include <stdlib.h>

/* The catalogue that is written. */
static const char *catalogue_path(const cli *c)
{
    return c->opt->output ? c->opt->output : CLI_CATALOGUE;
}

static void free_copies(cli_strings *list)
{
    for (size_t i = 0; i < list->count; i++)
        free((void *)(uintptr_t)list->items[i]);
    cli_strings_free(list);
}

int cmd_scan(cli *c)
{
    cli_strings archives = {0};
    lvl_buffer why = {0};
    lvl_catalogue *catalogue;

    if (cli_is_stdout(catalogue_path(c)))
        return cli_usage(c, "-o: a catalogue cannot be written to standard output");
    if (c->opt->no_art && c->opt->art.count)
        return cli_usage(c, "--no-art and --art exclude each other");
    c->inside_packs = true;
    c->later = &archives;
    int code = cli_take_inputs(c, 0, c->args.count);
    c->later = NULL;
    if (code) {
        free_copies(&archives);
        return code;
    }
    const lvl_status status =
        lvl_catalogue_open(&catalogue, &c->ctx, catalogue_path(c), LVL_CATALOGUE_WRITE, &why);
    lvl_buffer_u8(&why, 0);
    if (status != LVL_OK) {
        cli_report(c, "%s: %s", catalogue_path(c),
                   why.len > 1 && why.status == LVL_OK ? (const char *)why.data : lvl_status_text(status));
        lvl_buffer_free(&why);
        free_copies(&archives);
        return status == LVL_ERR_FORMAT ? EXIT_FOREIGN : cli_code_of(status);
    }
    lvl_buffer_free(&why);
    code = cli_scan(c, catalogue, catalogue_path(c), &c->args, &archives,
                    c->opt->no_thumbnails ? 0 : CLI_THUMBNAIL);
    lvl_catalogue_close(catalogue);
    free_copies(&archives);
    return code;
}
