/*
 * cli/catalog/open.c: the catalogue of a command: a file, or one in memory of files that are scanned for it.
 */
#include "cli/cli.h"

#include <lvl/catalogue.h>

#include <stdlib.h>

static const char in_memory[] = "the catalogue in memory"; /* its name in messages */

static int report_open(cli *c, const char *path, lvl_status status, lvl_buffer *why)
{
    lvl_buffer_u8(why, 0);
    cli_report(c, "%s: %s", path,
               why->len > 1 && why->status == LVL_OK ? (const char *)why->data : lvl_status_text(status));
    lvl_buffer_free(why);
    return status == LVL_ERR_FORMAT                                     ? EXIT_FOREIGN
           : status == LVL_ERR_UNSUPPORTED || status == LVL_ERR_MISSING ? EXIT_ENVIRONMENT
                                                                        : cli_code_of(status);
}

int cli_catalogue_open(cli *c, const char *path, struct lvl_catalogue **out)
{
    lvl_buffer why = {0};
    const lvl_status status = lvl_catalogue_open(out, &c->ctx, path, LVL_CATALOGUE_READ, &why);

    if (status != LVL_OK)
        return report_open(c, path, status, &why);
    lvl_buffer_free(&why);
    return EXIT_FINE;
}

int cli_catalogue_of_files(cli *c, const cli_strings *sources, uint32_t thumbnail, lvl_catalogue **out)
{
    cli_strings archives = {0};
    lvl_buffer why = {0};
    bool good = true;
    const lvl_status status = lvl_catalogue_open(out, &c->ctx, NULL, LVL_CATALOGUE_MEMORY, &why);

    if (status != LVL_OK)
        return report_open(c, in_memory, status, &why);
    lvl_buffer_free(&why);
    c->inside_packs = true;
    c->later = &archives; /* opened some at a time, as by a scan into a file */
    int code = sources ? EXIT_FINE : cli_take_inputs(c, 0, c->args.count);
    for (size_t i = 0; sources && i < sources->count && good; i++)
        good = cli_input_add(c, &c->inputs, sources->items[i], sources->count > 1);
    c->later = NULL;
    if (!code)
        code = good ? cli_scan(c, *out, in_memory, NULL, &archives, thumbnail) : cli_no_memory(c);
    for (size_t i = 0; i < archives.count; i++)
        free((void *)(uintptr_t)archives.items[i]);
    cli_strings_free(&archives);
    return code;
}
