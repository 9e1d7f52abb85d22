/*
 * cli/verbs/cmd_gallery.c: `lvl gallery': a site of all levels of a catalogue (cli/pages/site.c).
 */
#include "cli/catalog/catalog.h"
#include "cli/pages/site.h"

int cmd_gallery(cli *c)
{
    const char *path = c->args.count ? c->args.items[0] : CLI_CATALOGUE;
    const char *folder = c->opt->files ? c->opt->files : ".";
    lvl_catalogue *catalogue = NULL;

    if (c->args.count > 1)
        return cli_usage(c, "%s: expected one catalogue", c->args.items[1]);
    if (lvl_file_kind_of(folder) != LVL_FILE_FOLDER)
        return cli_usage(c, "--files: %s is not a folder", folder);
    int code = cli_site_output(c);
    if (!code)
        code = cli_catalogue_open(c, path, LVL_CATALOGUE_READ, &catalogue);
    if (!code)
        code = cli_site(c, catalogue, NULL, folder);
    lvl_catalogue_close(catalogue);
    return code;
}
