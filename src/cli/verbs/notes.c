/*
 * cli/verbs/notes.c: the file with notes of people about the files of a catalogue (lvl_notes_edit).
 */
#include "cli/cli.h"

#include "base/file.h"
#include "base/text.h"

#include <lvl/catalogue.h>

#include <stdlib.h>

enum { MAX_NOTES = 256 << 20 };

char *cli_notes_path(const cli *c, const char *catalogue)
{
    const lvl_text path = lvl_text_of(catalogue);
    const bool ending = lvl_text_has_ending(path, ".db");

    if (c->opt.notes)
        return cli_format("%s", c->opt.notes);
    return cli_format("%.*s.notes.json", (int)(path.len - (ending ? 3 : 0)), path.ptr);
}

int cli_notes_report(cli *c, const char *path, const lvl_catalogue *catalogue, lvl_status status,
                     lvl_buffer *why)
{
    const char *text =
        status == LVL_ERR_IO && catalogue ? lvl_catalogue_error(catalogue) : lvl_status_text(status);

    lvl_buffer_u8(why, 0);
    cli_report(c, "%s: %s", path, why->len > 1 && why->status == LVL_OK ? (const char *)why->data : text);
    return status == LVL_ERR_ARG ? EXIT_FOREIGN : cli_code_of(status);
}

int cli_notes_read(cli *c, const char *path, lvl_buffer *json)
{
    lvl_file_error why = {0};
    const lvl_status status = lvl_file_read(json, path, MAX_NOTES, &why);

    return status == LVL_OK ? EXIT_FINE : cli_report_file(c, path, status, &why);
}

int cli_notes_take(cli *c, lvl_catalogue *catalogue)
{
    lvl_buffer json = {0}, reason = {0};
    int code = EXIT_FINE;

    if (!c->opt.notes && lvl_catalogue_is_url(c->opt.output))
        return EXIT_FINE;
    char *path = cli_notes_path(c, c->opt.output);
    if (!path)
        return cli_no_memory(c);
    if (c->opt.notes || lvl_file_kind_of(path) != LVL_FILE_NONE) {
        code = cli_notes_read(c, path, &json);
        const lvl_status status =
            code ? LVL_OK : lvl_catalogue_set_notes(catalogue, lvl_buffer_text(&json), &reason);
        if (status != LVL_OK)
            code = cli_notes_report(c, path, catalogue, status, &reason);
    }
    free(path);
    lvl_buffer_free(&json);
    lvl_buffer_free(&reason);
    return code;
}
