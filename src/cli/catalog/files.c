/*
 * cli/catalog/files.c: a line of CSV for each file, as the catalogue describes it.
 */
#include "catalogue/scan.h"
#include "cli/catalog/catalog.h"

typedef struct printer {
    cli *c;
    size_t rows;
    bool failed;
} printer;

static bool print_row(void *user, const lvl_catalogue_value *values, size_t count)
{
    printer *p = user;
    lvl_buffer out = {0};

    if (!p->rows++)
        cli_put_csv(&out, values, count, true);
    cli_put_csv(&out, values, count, false);
    p->failed = out.status != LVL_OK;
    cli_out_text(p->c, &out);
    return !p->failed && !cli_stopped();
}

int cli_print_files(cli *c, const cli_strings *sources)
{
    printer p = {.c = c};
    lvl_catalogue *catalogue = NULL;

    if (!sources->count)
        return cli_usage(c, "no input file");
    int code = cli_catalogue_of_files(c, sources, 0, &catalogue);
    if (!code && !cli_stopped()) {
        const lvl_status status = lvl_catalogue_files(catalogue, print_row, &p);
        if (status != LVL_OK && status != LVL_ERR_STOPPED) {
            cli_report(c, "the table cannot be made: %s", lvl_status_text(status));
            code = cli_code_of(status);
        } else if (p.failed) {
            code = cli_no_memory(c);
        }
    }
    lvl_catalogue_close(catalogue);
    return code;
}
