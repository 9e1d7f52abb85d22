/*
 * cli/jobs/archives.c: the archives whose members are inputs: each is opened once. Saving: archives_save.c.
 */
#include "base/archive_kinds.h"
#include "cli/jobs/archives.h"
#include "tools/archive.h"

#include <stdlib.h>
#include <string.h>

/* ---- opening ----------------------------------------------------------------------------------------- */

lvl_status cli_lock_file(const char *path, lvl_file_lock **lock, lvl_file_error *why)
{
    return lvl_file_lock_take(lock, path, LVL_LOCK_WAIT, why);
}

/* Locks an archive on disk. Two of a run may be hard links to one file, which has one lock. */
static lvl_status lock_archive(const cli_inputs *inputs, cli_archive *archive, lvl_file_error *why)
{
    const lvl_status status = lvl_file_lock_take(&archive->lock, archive->name, 0, why);

    if (status != LVL_ERR_IO)
        return status;
    for (const cli_archive *a = inputs->archives; a; a = a->next) {
        if (a->lock && lvl_file_same(a->name, archive->name))
            return lvl_file_lock_none(&archive->lock, archive->name);
    }
    return cli_lock_file(archive->name, &archive->lock, why);
}

cli_archive *cli_archive_find(cli *c, cli_inputs *inputs, const char *name, cli_archive *parent,
                              const lvl_entry *entry, bool change, bool is_new, lvl_status *status)
{
    char *id = parent ? cli_copy(entry->path) : lvl_file_entry_id(name);
    *status = LVL_ERR_MEMORY;
    /* what a walk finds in archives of other programs is not there yet; two may have one path */
    for (cli_archive *a = inputs->archives; a && id && !is_new; a = a->next) {
        if (a->parent == parent && strcmp(a->id, id) == 0) {
            free(id);
            *status = a->status;
            return a->container ? a : NULL;
        }
    }
    cli_archive *a = id ? calloc(1, sizeof *a) : NULL;
    if (!a) {
        free(id);
        return NULL;
    }
    a->id = id;
    a->next = inputs->archives;
    inputs->archives = a; /* freed with the list, also after an error */
    a->status = LVL_ERR_MEMORY;
    a->name = cli_copy(name);
    if (!a->name)
        return NULL;
    lvl_bytes bytes = {NULL, 0};
    a->parent = parent;
    if (parent) {
        *status = lvl_container_read(parent->container, entry, &bytes, &a->storage, NULL);
    } else {
        lvl_file_error why = {0};
        lvl_file_look(name, &a->size, &a->time); /* before it is read: it may change meanwhile */
        *status = change ? lock_archive(inputs, a, &why) : LVL_OK;
        if (*status == LVL_ERR_IO)
            cli_report_file(c, name, *status, &why);
        if (*status == LVL_OK)
            *status = lvl_file_read(&a->storage, name, c->ctx.limits.input_bytes, NULL);
        bytes.ptr = a->storage.data;
        bytes.len = a->storage.len;
        if (*status == LVL_ERR_MISSING)
            *status = LVL_ERR_IO; /* removed since the name was checked */
        if (*status == LVL_ERR_LIMIT)
            lvl_refuse(&c->ctx, LVL_LIMIT_INPUT, c->ctx.limits.input_bytes, 0);
    }
    a->bytes = bytes;
    if (*status == LVL_OK)
        *status = lvl_archive_open(&a->container, &a->doc, &c->ctx, bytes, lvl_file_name(name),
                                   &a->is_foreign, NULL);
    if (a->is_foreign) {
        const char *kind = lvl_archive_kind(bytes);
        a->is_zip = !kind || strcmp(kind, "zip") == 0;
        a->obstacle = lvl_archive_obstacle(bytes);
        if (a->obstacle && *status == LVL_ERR_UNSUPPORTED)
            *status = LVL_ERR_FORMAT;
    }
    a->status = *status;
    return *status == LVL_OK ? a : NULL;
}

cli_archive *cli_archive_member(cli *c, cli_inputs *inputs, const char *name, cli_archive *parent,
                                const lvl_entry *entry, bool change, lvl_status *status, lvl_usage *usage)
{
    memset(usage, 0, sizeof *usage);
    c->ctx.usage = usage;
    cli_archive *archive = cli_archive_find(c, inputs, name, parent, entry, change, false, status);
    c->ctx.usage = NULL; /* reading members counts against the limits of the job that reads */
    return archive;
}

lvl_status cli_archive_open(cli *c, const char *path, const lvl_container **container)
{
    lvl_status status;
    lvl_usage usage;
    const cli_archive *archive = cli_archive_member(c, &c->inputs, path, NULL, NULL, false, &status, &usage);

    *container = archive ? archive->container : NULL;
    return status;
}

const char *cli_archive_name(const cli_archive *archive)
{
    return archive->name;
}

void cli_archive_look(const cli_archive *archive, uint64_t *size, int64_t *time)
{
    while (archive->parent)
        archive = archive->parent;
    *size = archive->size;
    *time = archive->time;
}

bool cli_archive_is_foreign(const cli_archive *archive)
{
    return archive->is_foreign;
}

uint64_t cli_archive_bytes(const cli_archive *archive)
{
    enum { EACH = 1 << 15 }; /* its lists, what the arenas reserve, and the time to open it */
    uint64_t bytes = EACH + archive->storage.len + (archive->name ? strlen(archive->name) : 0);

    for (size_t i = 0; archive->container && i < lvl_container_count(archive->container); i++)
        bytes += sizeof(cli_input) + (archive->is_zip ? 0 : lvl_container_at(archive->container, i)->size);
    return bytes;
}

void cli_archives_free(cli_inputs *inputs)
{
    for (cli_archive *a = inputs->archives, *next; a; a = next) {
        next = a->next;
        lvl_container_close(a->container);
        lvl_doc_free(a->doc);
        lvl_buffer_free(&a->storage);
        lvl_buffer_free(&a->saved);
        free(a->queued);
        lvl_file_lock_free(a->lock);
        free(a->name);
        free(a->id);
        free(a);
    }
    inputs->archives = NULL;
}
