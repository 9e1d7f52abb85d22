/*
 * cli/jobs/look.c: a file that is opened once, to find out what it is and then to read it.
 */
#include "base/format.h"
#include "cli/cli.h"

#include <stdlib.h>

lvl_status cli_look_at(cli_look **out, const char *path, lvl_file_error *why)
{
    cli_look *look = calloc(1, sizeof *look);

    *out = NULL;
    if (!look)
        return LVL_ERR_MEMORY;
    lvl_status status = lvl_file_open(&look->file, path, why);
    if (status == LVL_OK)
        status = lvl_file_ends_of(look->file, &look->ends, why);
    if (status == LVL_OK)
        *out = look;
    else
        cli_look_free(look);
    return status;
}

const lvl_format *cli_look_format(cli_look *look, const char *name)
{
    const lvl_file_ends *ends = &look->ends;
    const lvl_bytes head = {ends->head, ends->head_len};
    lvl_bytes tail = {ends->tail, ends->tail_len};
    size_t got = 0;

    if (look->probed)
        return look->format;
    const size_t n = lvl_probe_tail(tail, ends->size);
    uint8_t *longer = n > tail.len ? malloc(n) : NULL;
    if (longer && lvl_file_at(look->file, ends->size - n, longer, n, &got, NULL) == LVL_OK && got == n)
        tail = (lvl_bytes){longer, n};
    look->format = lvl_probe(head, tail, ends->size, name, NULL);
    look->probed = true;
    free(longer);
    return look->format;
}

void cli_look_free(cli_look *look)
{
    if (look)
        lvl_file_close(look->file);
    free(look);
}
