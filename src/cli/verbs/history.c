/*
 * cli/verbs/history.c: how much a version of a level changed since the one before, for `lvl find --history'.
 */
#include "cli/verbs/history.h"

#include "base/file.h"
#include "base/text.h"

#include <lvl/tools.h>

#include <stdlib.h>
#include <string.h>

enum { MAX_COMPARED = 200 }; /* versions of a search: each is read from its file */

static void clear(cli_version *v)
{
    cli_job_clear(&v->job);
    lvl_buffer_free(&v->job.out);
    lvl_buffer_free(&v->job.err);
    cli_inputs_free(&v->inputs);
    memset(v, 0, sizeof *v);
}

/* Whether these are the bytes that were scanned. */
static bool is_scanned(cli_history *h, const char *path, lvl_bytes bytes)
{
    bool same = false;

    return lvl_catalogue_has(h->catalogue, path, bytes, &same) == LVL_OK && same;
}

/* Whether the version could be read from its file; a file that is gone, or has changed since, is no error. */
static bool read_version(cli_history *h, cli_version *v, const char *path)
{
    char *disk = cli_disk_path(path);
    const char *inner = disk ? strstr(disk, "//") : NULL;
    char *file = disk ? cli_format("%.*s", (int)(inner ? (size_t)(inner - disk) : strlen(disk)), disk) : NULL;
    const bool there = file && lvl_file_kind_of(file) == LVL_FILE_REGULAR;

    h->failed = h->failed || !file || (there && !cli_input_add(h->c, &v->inputs, disk, false));
    free(file);
    free(disk);
    if (!there || h->failed)
        return false;
    if (v->inputs.count != 1 || v->inputs.items[0].error_text)
        return false;
    cli_job_begin(&v->job, h->c, &v->inputs.items[0]);
    v->doc =
        cli_job_read(&v->job, 0) && is_scanned(h, path, v->job.bytes) && lvl_doc_open(v->job.doc) == LVL_OK
            ? v->job.doc
            : NULL;
    return v->doc != NULL;
}

/* A change is an object on a line of its own. */
static bool count_changes(cli_history *h, const lvl_doc *before, const lvl_doc *now, uint64_t *changes)
{
    const lvl_diff_options options = {.json = true};
    lvl_buffer lines = {0};
    bool different;

    const lvl_status status = lvl_diff(before, now, &options, &different, &lines);
    *changes = 0;
    for (size_t i = 0; i < lines.len; i++)
        *changes += lines.data[i] == '\n';
    h->failed = h->failed || status == LVL_ERR_MEMORY;
    lvl_buffer_free(&lines);
    return status == LVL_OK;
}

/* Notes the hash of a version's bytes; whether those of the version before were the same. */
static bool has_same_bytes(cli_history *h, const char *path)
{
    char sha256[65];
    const lvl_status status = lvl_catalogue_sha256(h->catalogue, path, sha256);
    const bool same = status == LVL_OK && strcmp(sha256, h->sha256) == 0;

    h->failed = h->failed || status == LVL_ERR_MEMORY;
    memcpy(h->sha256, sha256, sizeof sha256);
    return same;
}

bool cli_history_next(cli_history *h, lvl_text path, uint64_t *changes)
{
    cli_version *now = &h->versions[h->count % 2], *before = &h->versions[(h->count + 1) % 2];
    const bool first = !h->count++;
    char *name = cli_format("%.*s", (int)path.len, path.ptr);
    bool known = false;

    *changes = 0;
    clear(now);
    if (!name) {
        h->failed = true;
    } else if (has_same_bytes(h, name) && !first) {
        known = true;
        (void)(h->count <= MAX_COMPARED && read_version(h, now, name));
    } else if (h->count <= MAX_COMPARED && read_version(h, now, name) && !first && before->doc) {
        known = count_changes(h, before->doc, now->doc, changes);
    }
    free(name);
    return known && !h->failed;
}

void cli_history_end(cli_history *h)
{
    clear(&h->versions[0]);
    clear(&h->versions[1]);
    if (h->count > MAX_COMPARED && !h->c->opt.quiet)
        cli_report(h->c, "only the first %d of %zu versions are compared", MAX_COMPARED, h->count);
}
