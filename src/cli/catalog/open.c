/*
 * cli/catalog/open.c: the catalogue of a command: a file, or one in memory of files that are scanned for it.
 */
#include "cli/catalog/catalog.h"

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

int cli_catalogue_open(cli *c, const char *path, lvl_catalogue_mode mode, struct lvl_catalogue **out)
{
    lvl_buffer why = {0};
    const lvl_status status = lvl_catalogue_open(out, &c->ctx, path, mode, &why);

    if (status != LVL_OK)
        return report_open(c, path ? path : in_memory, status, &why);
    lvl_buffer_free(&why);
    return EXIT_FINE;
}

/* Whether the arguments name nothing but pipes, which were skipped. */
static bool are_pipes(const cli *c)
{
    size_t i = 0;

    while (i < c->args.count && cli_is_named_pipe(c->args.items[i]))
        i++;
    return c->args.count && i == c->args.count;
}

int cli_take_scanned(cli *c, const cli_strings *sources, cli_strings *archives)
{
    bool memory = true;

    c->inside_packs = true;
    c->later = archives; /* opened some at a time */
    int code = sources ? EXIT_FINE : cli_take_inputs(c, 0, c->args.count);
    for (size_t i = 0; sources && i < sources->count && memory; i++)
        memory = cli_input_add(c, &c->inputs, sources->items[i], sources->count > 1);
    c->later = NULL;
    if (!memory)
        return cli_no_memory(c);
    if (!code && !sources && !c->inputs.count && are_pipes(c)) {
        cli_report(c, "no file that `lvl %s' can read", c->verb->name);
        return EXIT_NEGATIVE;
    }
    return code;
}

void cli_free_scanned(cli_strings *archives)
{
    for (size_t i = 0; i < archives->count; i++)
        free((void *)(uintptr_t)archives->items[i]);
    cli_strings_free(archives);
}

int cli_catalogue_of_files(cli *c, const cli_strings *sources, uint32_t thumbnail, lvl_catalogue **out)
{
    cli_strings archives = {0};
    int code = cli_catalogue_open(c, NULL, LVL_CATALOGUE_MEMORY, out);

    if (code)
        return code;
    code = cli_take_scanned(c, sources, &archives);
    if (!code)
        code = cli_scan(c, *out, in_memory, NULL, &archives, thumbnail);
    cli_free_scanned(&archives);
    return code;
}
