/*
 * cli/jobs/archives.c: the archives whose members are inputs: each is opened once, and saved if members were
 * changed in place.
 */
#include "base/archive_kinds.h"
#include "cli/jobs/archives.h"
#include "tools/archive.h"
#include "tools/write.h"

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

bool cli_archives_change(const cli *c, const cli_inputs *inputs, const char *name)
{
    return inputs == &c->inputs && !c->opt.dry_run &&
           (c->opt.in_place || (c->opt.yes && c->opt.output && lvl_file_same(name, c->opt.output)));
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

/* ---- saving ------------------------------------------------------------------------------------------ */

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

    if (status == LVL_ERR_LOSS && (c->copy || c->verb->bit == VERB_REPAIR)) {
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

/* Writes a changed archive into its parent, or to disk. */
static int save_archive(cli *c, cli_archive *archive)
{
    const bool copied = c->copy && archive == c->copied;
    lvl_buffer out = {0};
    lvl_file_error why = {0};
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
    } else if (c->opt.dry_run) {
        archive->written = true;
    } else {
        const char *path = copied ? c->copy : archive->name;
        const unsigned flags = !copied || c->opt.yes ? LVL_SAVE_REPLACE : 0;
        lvl_file_lock *lock = NULL;
        const bool other = copied && !(archive->lock && lvl_file_same(path, archive->name));
        if (other)
            status = cli_lock_file(path, &lock, &why);
        if (status == LVL_OK)
            status = cli_save_bytes(path, copied ? 0 : archive->typed, lvl_buffer_bytes(&out), flags,
                                    other ? lock : archive->lock, &why);
        lvl_file_lock_free(lock);
        archive->written = status == LVL_OK;
        if (status == LVL_ERR_FORMAT) {
            cli_report(c, "%s: " CLI_CHANGED, path);
            code = EXIT_ENVIRONMENT;
        } else if (status != LVL_OK) {
            code = cli_report_file(c, path, status, &why);
        }
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

int cli_archives_save(cli *c)
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
        if (a->changed || (c->copy && a == c->copied))
            code = save_archive(c, a);
    }
    for (size_t i = 0; i < inputs->count; i++)
        free(paths[i]);
    free(paths);
    return code;
}
