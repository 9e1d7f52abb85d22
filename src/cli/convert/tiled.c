/*
 * cli/convert/tiled.c: `lvl convert` to and from maps of Tiled, with the files beside a map.
 */
#include "cli/convert/convert.h"
#include "tools/write.h"

#include <lvl/tiled.h>
#include <stdlib.h>
#include <string.h>

/* The path of a file that a map names: relative to the map's folder, unless it is a full path. To be freed.
 */
static char *path_beside(const char *map, const char *name)
{
    const bool full = name[0] == '/' || name[0] == '\\' || (name[0] && name[1] == ':');
    const int folder = map && !full ? (int)(lvl_file_name(map) - map) : 0;

    return cli_format("%.*s%s", folder, map ? map : "", name);
}

static lvl_status fetch(void *user, const char *name, lvl_buffer *out)
{
    const cli_job *job = user;
    char *path = path_beside(job->input->path, name);
    lvl_status status = LVL_ERR_MISSING;

    if (!path)
        return LVL_ERR_MEMORY;
    if (job->input->path && !job->input->archive && lvl_file_kind_of(path) == LVL_FILE_REGULAR)
        status = lvl_file_read(out, path, job->ctx.limits.input_bytes, NULL);
    if (status == LVL_ERR_LIMIT && out->status == LVL_OK)
        lvl_refuse(&job->ctx, LVL_LIMIT_INPUT, job->ctx.limits.input_bytes, 0);
    free(path);
    return status;
}

bool cli_read_map(cli_job *job, const cli_convert *p)
{
    lvl_art *art = p->to == TO_FORMAT && lvl_tiled_can(p->format) ? cli_art_take(job) : NULL;
    const lvl_tiled_read_options options = {.format = p->to == TO_FORMAT ? p->format : NULL,
                                            .fetch = fetch,
                                            .user = job,
                                            .art = art,
                                            .tileset_is = job->c->opt->tileset_is,
                                            .allow_loss = job->c->opt->allow_loss,
                                            .has_empty_is = job->c->opt->empty_is != NULL,
                                            .empty_is = p->empty_is};

    const lvl_status status =
        lvl_tiled_read(&job->doc, &job->ctx, job->bytes, &options, &job->edited, job->findings);
    cli_art_give(job, art);
    cli_job_status(job, status, job->findings, NULL);
    if (status != LVL_OK)
        return false;
    job->format = lvl_doc_format(job->doc);
    job->from_map = true;
    if (!job->c->opt->quiet)
        cli_job_findings(job, job->findings, LVL_WARNING);
    return true;
}

/* Whether a file is cut off or damaged, so that it does not have content. */
static lvl_status find_damaged(const cli_job *job, const char *path, bool *damaged)
{
    lvl_buffer is = {0};
    lvl_doc *doc = NULL;

    *damaged = false;
    lvl_status status = lvl_file_kind_of(path) != LVL_FILE_REGULAR
                            ? LVL_ERR_MISSING
                            : lvl_file_read(&is, path, job->ctx.limits.input_bytes, NULL);
    if (status == LVL_OK)
        status = lvl_read(&doc, &job->ctx, job->format, lvl_buffer_bytes(&is), path, LVL_READ_BORROW, NULL);
    if (status == LVL_OK)
        *damaged = lvl_doc_cuts(doc) > 0;
    lvl_doc_free(doc);
    lvl_buffer_free(&is);
    return status == LVL_ERR_MEMORY ? status : LVL_OK; /* of anything else the save decides */
}

bool cli_map_keeps_damage(cli_job *job, const cli_convert *p, lvl_bytes now)
{
    lvl_status status = job->edited ? lvl_doc_may_replace(job->doc, now) : LVL_OK;
    bool failed = false, damaged = false;

    if (status == LVL_ERR_LOSS) { /* the level that the map was made of; does it lie at the target? */
        char *path = cli_target_path(job, &p->output, &failed);
        status = path ? find_damaged(job, path, &damaged) : LVL_OK;
        free(path);
        if (status == LVL_OK && !failed)
            cli_job_fail(
                job, damaged ? EXIT_NEGATIVE : EXIT_SUCCESS,
                damaged ? "not saved: the level is cut off or damaged, and the saved one would look whole; "
                          "repair it first (`lvl repair'), or save under another name"
                        : "the level that the map was made of is cut off or damaged; this one has what "
                          "could be read of it, and looks whole");
    }
    if (status != LVL_OK)
        cli_job_status(job, status, NULL, NULL);
    return status == LVL_OK && !failed && !damaged;
}

/* The folder of the pictures, as the map names it, with a '/' at its end; to be freed. */
static char *folder_of(const cli_job *job, const char *path)
{
    const char *given = job->c->opt->pictures;

    if (given && *given)
        return cli_format("%s%s", given, given[strlen(given) - 1] == '/' ? "" : "/");
    char *stem = cli_stem_of(path ? path : job->input->name);
    char *folder = stem ? cli_format("%s" CLI_MAP_PICTURES "/", stem) : NULL;
    free(stem);
    return folder;
}

/* Whether a file of the map would replace one of another map, which the user did not allow. */
static lvl_status collides(const cli_job *job, const char *map, const lvl_tiled_files *files, bool *found)
{
    lvl_status status = LVL_OK;

    *found = false;
    if (job->c->opt->yes || job->c->opt->pictures)
        return LVL_OK;
    for (size_t i = 1; i < files->count && status == LVL_OK && !*found; i++) {
        cli_there place = CLI_THERE_NONE;
        char *path = path_beside(map, files->items[i].name);
        status = path ? cli_look_there(job, path, files->items[i].bytes, &place) : LVL_ERR_MEMORY;
        *found = place == CLI_THERE_OTHER;
        free(path);
    }
    return status;
}

/* Saves a file that the map names, unless it is there already. With --pictures, names depend on the content,
 * so an existing file is the same. */
static bool save_beside(cli_job *job, const char *map, const lvl_tiled_file *file)
{
    const bool bare = lvl_file_name(map) == map;
    char *path = path_beside(map, file->name);
    char *folder = path ? cli_format("%.*s", (int)(lvl_file_name(path) - path), path) : NULL;
    /* the user typed the folder of --pictures; else that of the map, and the pictures' folder is below it */
    char *place = folder ? cli_format("%s%s", bare ? "./" : "", path) : NULL;
    const size_t root = !place                  ? 0
                        : job->c->opt->pictures ? (size_t)(lvl_file_name(place) - place)
                        : bare                  ? 1
                                                : (size_t)(lvl_file_name(map) - map);
    lvl_file_error why = {0};
    lvl_status status;
    cli_there now = CLI_THERE_NONE;
    bool saved = true;

    if (!place) {
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    } else if (!cli_stays_below(job, root, place)) {
        saved = false;
    } else if (*folder && !job->c->opt->dry_run && (status = lvl_folder_make(folder, &why)) != LVL_OK) {
        cli_job_file_status(job, folder, status, &why);
        saved = false;
    } else if (job->c->opt->pictures) {
        saved = lvl_file_kind_of(path) == LVL_FILE_REGULAR || cli_save_to(job, path, file->bytes);
    } else if ((status = cli_look_there(job, path, file->bytes, &now)) != LVL_OK) {
        cli_job_status(job, status, NULL, NULL);
        saved = false;
    } else {
        saved = now == CLI_THERE_SAME || cli_save_to(job, path, file->bytes);
    }
    saved = saved && place;
    free(place);
    free(folder);
    free(path);
    return saved;
}

static void no_map(cli_job *job, const char *what)
{
    if (!job->input->named)
        job->outcome = CLI_SKIPPED_OTHER;
    else
        cli_job_fail(job, EXIT_NEGATIVE, "cannot convert %s to %s of Tiled", lvl_doc_format(job->doc)->title,
                     what);
}

void cli_write_world(cli_job *job, const cli_convert *p)
{
    lvl_buffer out = {0};

    const lvl_status status = lvl_tiled_world(job->doc, &out);
    if (status == LVL_ERR_UNSUPPORTED)
        no_map(job, "a world");
    else
        cli_job_status(job, status, NULL, NULL);
    if (status == LVL_OK)
        cli_deliver(job, lvl_buffer_bytes(&out), &p->output);
    lvl_buffer_free(&out);
}

void cli_write_map(cli_job *job, const cli_convert *p)
{
    lvl_tiled_files *files = NULL;
    bool failed = false;

    if (!lvl_tiled_can(lvl_doc_format(job->doc))) {
        no_map(job, lvl_tiled_can_world(lvl_doc_format(job->doc)) ? "a map, only to a .world" : "a map");
        return;
    }
    char *path = cli_target_path(job, &p->output, &failed);
    char *folder = failed ? NULL : folder_of(job, path);
    lvl_art *art = folder ? cli_art_take(job) : NULL;
    if (art) {
        lvl_tiled_options options = {.art = art,
                                     .json = p->json,
                                     .folder = folder,
                                     .by_content = job->c->opt->pictures != NULL,
                                     .no_origin = job->c->opt->no_kept,
                                     .typed = job->c->opt->property_types};
        lvl_findings_clear(job->findings);
        lvl_status status = lvl_tiled_write(job->doc, &options, &files, job->findings);
        bool taken = false;
        if (status == LVL_OK && path)
            status = collides(job, path, files, &taken);
        if (status == LVL_OK && taken) { /* names that no other map has */
            lvl_tiled_files_free(files);
            files = NULL;
            options.by_content = true;
            lvl_findings_clear(job->findings);
            status = lvl_tiled_write(job->doc, &options, &files, job->findings);
        }
        if (status != LVL_OK) {
            lvl_tiled_files_free(files);
            files = NULL;
        }
        cli_job_status(job, status, job->findings, NULL);
    } else if (!failed && !job->code) {
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
    }
    bool saved = files != NULL;
    for (size_t i = 1; saved && path && i < files->count; i++)
        saved = save_beside(job, path, &files->items[i]);
    if (saved)
        cli_deliver(job, files->items[0].bytes, &p->output);
    lvl_tiled_files_free(files);
    cli_art_give(job, art);
    free(folder);
    free(path);
}
