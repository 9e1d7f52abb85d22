/*
 * cli/jobs/place.c: formats that are known only by the folder of a file, and the folders beside that.
 */
#include "base/format.h"
#include "cli/jobs/archives.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* The path of an input where it lies: on disk, or in its archive. NULL: it lies nowhere. */
static const char *path_of(const cli_input *in)
{
    return in->archive ? in->entry->path : in->path;
}

/* Takes the last part of a path. */
static lvl_text take_last(lvl_text *path)
{
    const lvl_text last = lvl_path_last(*path);

    path->len -= last.len;
    path->len -= path->len > 0;
    return last;
}

static bool is_folder(const cli_input *in, const char *path)
{
    if (!in->archive)
        return lvl_file_kind_of(path) == LVL_FILE_FOLDER;
    const lvl_entry *entry = lvl_container_find(in->archive->container, path);
    return entry && entry->is_dir;
}

/* Whether the folders that are usual beside those of the place are in a folder. They are looked up, not listed:
 * a folder may have any number of files that ask. */
static lvl_status has_neighbours(const cli_input *in, lvl_text folder, const lvl_format_place *place,
                                 bool *has)
{
    const char *gap = folder.len && folder.ptr[folder.len - 1] != '/' ? "/" : "";
    const char *beside = place->beside;
    lvl_status status = LVL_OK;
    unsigned found = 0;
    lvl_text name;

    while (status == LVL_OK && found < place->least && lvl_text_next_item(&beside, ' ', &name)) {
        char *path = cli_format("%.*s%s%.*s", (int)folder.len, folder.ptr, gap, (int)name.len, name.ptr);
        status = path ? LVL_OK : LVL_ERR_MEMORY;
        found += path && is_folder(in, path);
        free(path);
    }
    *has = found >= place->least;
    return status;
}

lvl_status cli_format_of_place(const cli_input *input, lvl_bytes head, const lvl_format **out)
{
    const char *path = path_of(input);
    lvl_status status = LVL_OK;
    const lvl_format *format;

    *out = NULL;
    if (!path || !head.len || memchr(head.ptr, 0, head.len))
        return LVL_OK;
    for (size_t i = 0; status == LVL_OK && !*out && (format = lvl_format_at(i)) != NULL; i++) {
        const lvl_format_place *place = format->calls->place;
        const char *ending = cli_ending(path);
        lvl_text rest = lvl_text_of(path);
        bool has = false;
        if (!place || *ending != '.' ||
            !lvl_text_equal_nocase(lvl_text_of(ending + 1), lvl_text_of(place->ending)))
            continue;
        take_last(&rest);
        if (lvl_text_equal_nocase(take_last(&rest), lvl_text_of(place->folder)))
            status = has_neighbours(input, rest, place, &has);
        *out = has ? format : NULL;
    }
    return status;
}
