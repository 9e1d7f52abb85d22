/*
 * cli/jobs/archives.h: the archives of a run, for what adds inputs (inputs.h) and reads them (source.c).
 */
#ifndef LVL_CLI_ARCHIVES_H
#define LVL_CLI_ARCHIVES_H

#include "cli/cli.h"

/* The message about an edit of an archive that no game reads. */
#define CLI_READ_ONLY \
    "archives of other programs are not changed: write the result elsewhere with -o, or unpack the archive"

/* An archive whose members are inputs. It is opened once; jobs on any thread only read it. */
struct cli_archive {
    cli_archive *next;
    char *name; /* as typed */
    size_t typed; /* of a file in a folder: how many bytes of the name the user typed; else 0 */
    uint64_t size; /* of the file on disk, and */
    int64_t time; /* the time of its last change, when it was opened; see cli_archive_look */
    lvl_file_lock *lock; /* of a file on disk that is changed in place; or NULL */
    lvl_buffer storage;
    lvl_bytes bytes; /* in `storage` or in `parent` */
    lvl_doc *doc;
    lvl_container *container;
    cli_archive *parent; /* an archive in an archive: the outer one */
    char *id; /* its path in `parent`; of a file on disk: lvl_file_entry_id */
    lvl_status status; /* of opening it; LVL_ERR_UNSUPPORTED: it is not an archive */
    bool is_foreign; /* no format of a game */
    const char *obstacle; /* lvl_archive_obstacle, or NULL */
    bool is_zip; /* of that kind; members of others are in memory */
    bool changed;
    bool written; /* to disk; with -n, it could be */
    /* members that will be replaced, all at once when it is saved; of an inner archive its new bytes */
    lvl_pack_item *queued;
    size_t queued_count, queued_cap;
    lvl_buffer saved;
};

/* The archive called `name`, a member of `parent` or a file on disk, opened on the first call. NULL: *status
 * is the reason, and `usage` has the limit that was exceeded. `change`: it may be saved later, so it is
 * locked. */
cli_archive *cli_archive_member(cli *c, cli_inputs *inputs, const char *name, cli_archive *parent,
                                const lvl_entry *entry, bool change, lvl_status *status, lvl_usage *usage);
/* The same without setting c->ctx.usage. `is_new`: it was not opened before. */
cli_archive *cli_archive_find(cli *c, cli_inputs *inputs, const char *name, cli_archive *parent,
                              const lvl_entry *entry, bool change, bool is_new, lvl_status *status);
/* Bytes that an archive in an archive needs: they multiply with each level of nesting, so they are limited in
 * total. */
uint64_t cli_archive_bytes(const cli_archive *archive);
void cli_archives_free(cli_inputs *inputs);

#endif
