/*
 * cli/jobs/place.c: the format of a file that nothing in it tells, by its folder and the folders beside that.
 */
#include "base/format.h"
#include "base/work.h"
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

typedef struct neighbours {
    const lvl_format_place *place;
    uint64_t seen; /* entries */
    unsigned found;
} neighbours;

static bool count_folder(void *user, const lvl_entry *entry)
{
    neighbours *n = user;

    n->seen++;
    n->found +=
        entry->is_dir && lvl_text_list_has(n->place->beside, ' ', lvl_path_last(lvl_text_of(entry->path)));
    return n->found < n->place->least;
}

/* Whether the folders that are usual beside those of the place are in a folder. */
static lvl_status has_neighbours(const cli_input *in, const lvl_ctx *ctx, lvl_text folder,
                                 const lvl_format_place *place, bool *has)
{
    neighbours n = {.place = place};
    const char *beside = place->beside;
    lvl_text name;

    char *path = cli_format("%.*s", (int)folder.len, folder.ptr);
    lvl_status status = path ? LVL_OK : LVL_ERR_MEMORY;
    if (path && in->archive) {
        lvl_container_list(in->archive->container, path, false, count_folder, &n);
        status = lvl_charge(ctx, n.seen);
    }
    while (status == LVL_OK && !in->archive && n.found < place->least &&
           lvl_text_next_item(&beside, ' ', &name)) {
        char *other = cli_format("%s%s%.*s", path, *path && path[folder.len - 1] != '/' ? "/" : "",
                                 (int)name.len, name.ptr);
        status = other ? LVL_OK : LVL_ERR_MEMORY;
        n.found += other && lvl_file_kind_of(other) == LVL_FILE_FOLDER;
        free(other);
    }
    free(path);
    *has = n.found >= place->least;
    return status;
}

lvl_status cli_format_of_place(const cli_input *input, const lvl_ctx *ctx, lvl_bytes head,
                               const lvl_format **out)
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
            status = has_neighbours(input, ctx, rest, place, &has);
        *out = has ? format : NULL;
    }
    return status;
}
