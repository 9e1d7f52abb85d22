/*
 * cli/jobs/archives_save.c: saves the archives in which members were changed: inner ones into those around
 * them, the outermost ones to disk (sink.c).
 */
#include "cli/jobs/archives.h"
#include "tools/archive.h"
#include "tools/write.h"

#include <stdlib.h>
#include <string.h>

/* Opens an archive again whose own fields were changed, before its members are replaced. */
static int reopen(cli *c, cli_archive *archive, lvl_buffer *bytes)
{
    const lvl_format *format = lvl_doc_format(archive->doc);

    lvl_container_close(archive->container);
    lvl_doc_free(archive->doc);
    lvl_buffer_free(&archive->storage);
    archive->container = NULL;
    archive->doc = NULL;
    archive->storage = *bytes;
    memset(bytes, 0, sizeof *bytes);
    archive->changed = true;
    const lvl_bytes view = {archive->storage.data, archive->storage.len};
    lvl_status status = lvl_read(&archive->doc, &c->ctx, format, view, archive->name, LVL_READ_BORROW, NULL);
    if (status == LVL_OK)
        status = lvl_container_open(&archive->container, archive->doc);
    if (status != LVL_OK)
        cli_report(c, "%s: %s", archive->name, lvl_status_text(status));
    return cli_code_of(status);
}

/* Notes new bytes of a member. They and the path stay until the archive is saved. */
static int queue_file(cli *c, cli_archive *archive, const char *path, const lvl_buffer *bytes)
{
    archive->changed = true;
    if (!cli_grow(&archive->queued, &archive->queued_cap, archive->queued_count + 1, sizeof *archive->queued))
        return cli_no_memory(c);
    archive->queued[archive->queued_count++] = (lvl_pack_item){path, lvl_buffer_bytes(bytes), 0, false};
    return EXIT_FINE;
}

/* Puts the new members into the archive, which borrows their bytes. */
static int put_queued(cli *c, const cli_archive *archive)
{
    size_t done = 0;

    if (!archive->queued_count)
        return EXIT_FINE;
    const lvl_status status =
        lvl_container_put_all(archive->container, archive->queued, archive->queued_count, &done);
    if (status != LVL_OK)
        cli_report(c, "%s%s%s: %s", archive->name, done < archive->queued_count ? "//" : "",
                   done < archive->queued_count ? archive->queued[done].path : "",
                   status == LVL_ERR_UNSUPPORTED ? CLI_READ_ONLY : lvl_status_text(status));
    return cli_code_of(status);
}

/* Whether an archive with changed members may be saved: in place, its damage must stay visible. A copy may
 * look whole, since the damaged one is still there, and a repair may; both are reported. */
static lvl_status check_damage(cli *c, const cli_archive *archive, const lvl_buffer *now)
{
    const lvl_status status =
        archive->doc ? lvl_doc_may_replace(archive->doc, lvl_buffer_bytes(now)) : LVL_OK;

    if (status == LVL_ERR_LOSS && (c->plan->copied || cli_verb_is(c, CLI_REPAIRS))) {
        cli_report(c, "%s: was cut off or damaged; what could be read of it is written, and looks whole",
                   archive->name);
        return LVL_OK;
    }
    if (status == LVL_ERR_LOSS)
        cli_report(c, "%s: " CLI_LOOKS_WHOLE, archive->name);
    else if (status != LVL_OK)
        cli_report(c, "%s: %s", archive->name, lvl_status_text(status));
    return status;
}

/* Writes an archive to disk, as a job of its own. */
static int write_archive(cli *c, cli_archive *archive, bool copied, lvl_bytes bytes)
{
    const char *path = copied ? c->plan->output : archive->name;
    char *name = cli_copy(path), *shown = cli_shown(path);
    const cli_input named = {
        .name = name, .shown = shown, .path = name, .typed = copied ? 0 : archive->typed};
    cli_job job = {.lock = archive->lock, .locked = archive->name};

    if (!name || !shown) {
        free(name);
        free(shown);
        return cli_no_memory(c);
    }
    cli_job_begin(&job, c, &named);
    archive->written = cli_save(&job, path, bytes, !copied || c->opt->yes);
    job.lock = NULL; /* they are the archive's */
    job.locked = NULL;
    cli_job_end(&job);
    free(name);
    free(shown);
    return job.code;
}

/* Writes a changed archive into its parent, or to disk. */
static int save_archive(cli *c, cli_archive *archive)
{
    const bool copied = archive == c->plan->copied;
    lvl_buffer out = {0};
    int code = put_queued(c, archive);

    if (code)
        return code;
    lvl_findings *reported = lvl_findings_new(&c->ctx);
    lvl_status status = !reported      ? LVL_ERR_MEMORY
                        : archive->doc ? lvl_write(archive->doc, &out, reported)
                                       : LVL_ERR_UNSUPPORTED;
    for (size_t i = 0; (status == LVL_OK || status == LVL_ERR_LOSS) && i < lvl_findings_count(reported); i++)
        cli_report(c, "%s: %s: %s", archive->name, lvl_findings_at(reported, i)->def->id,
                   lvl_findings_at(reported, i)->text);
    lvl_findings_free(reported);
    if (status != LVL_OK) {
        cli_report(c, "%s: %s", archive->name, lvl_status_text(status));
        code = cli_code_of(status);
    } else if ((status = check_damage(c, archive, &out)) != LVL_OK) {
        code = cli_code_of(status);
    } else if (archive->parent && !copied) {
        archive->saved = out;
        out = (lvl_buffer){0};
        code = queue_file(c, archive->parent, archive->id, &archive->saved);
    } else if (c->opt->dry_run) {
        archive->written = true;
    } else {
        code = write_archive(c, archive, copied, lvl_buffer_bytes(&out));
    }
    lvl_buffer_free(&out);
    for (size_t i = 0; i < c->inputs.count; i++) {
        if (c->inputs.items[i].archive == archive)
            lvl_buffer_free(&c->inputs.items[i].changed);
    }
    return code;
}

bool cli_archive_is_saved(const cli_archive *archive)
{
    while (archive && !archive->written)
        archive = archive->parent;
    return archive != NULL;
}

int cli_archives_save(cli *c, bool copies)
{
    cli_inputs *inputs = &c->inputs;
    int code = EXIT_FINE;

    /* replacing a member invalidates all entries, so their paths are copied first */
    if (!inputs->archives)
        return EXIT_FINE;
    char **paths = calloc(inputs->count + 1, sizeof *paths);
    if (!paths)
        return cli_no_memory(c);
    for (size_t i = 0; i < inputs->count; i++) {
        if (inputs->items[i].has_changed && inputs->items[i].entry &&
            !(paths[i] = cli_copy(inputs->items[i].entry->path)))
            code = EXIT_ENVIRONMENT;
    }
    if (code)
        code = cli_no_memory(c);
    for (size_t i = 0; i < inputs->count && !code; i++) {
        if (inputs->items[i].has_changed && inputs->items[i].opened)
            code = reopen(c, inputs->items[i].opened, &inputs->items[i].changed);
    }
    for (size_t i = 0; i < inputs->count && !code; i++) {
        if (paths[i])
            code = queue_file(c, (cli_archive *)(uintptr_t)inputs->items[i].archive, paths[i],
                              &inputs->items[i].changed);
    }
    /* inner archives were opened later and come first; after an error nothing is saved */
    for (cli_archive *a = inputs->archives; a && !code; a = a->next) {
        if (a->changed || (copies && a == c->plan->copied))
            code = save_archive(c, a);
    }
    for (size_t i = 0; i < inputs->count; i++)
        free(paths[i]);
    free(paths);
    return code;
}
