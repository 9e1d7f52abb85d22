/*
 * abi/art.c: files and pictures that documents share.
 */
#include "abi/abi.h"
#include "base/buffer.h"
#include "scene/art.h"

#include <stdlib.h>
#include <string.h>

struct lvl_abi_art {
    lvl_ctx ctx; /* of the first document that draws with it */
    lvl_usage usage;
    lvl_abi_files given; /* functions of the caller */
    lvl_files files;
    bool has_files;
    bool follows; /* each document that draws with it is the level */
    char *level; /* or NULL */
    char *home; /* of the document that it follows: the archive that holds it; NULL: none */
    char *roots; /* list of texts */
    uint32_t users;
    lvl_art *art; /* made when it is needed */
};

/* ---- files of the caller ----------------------------------------------------------------------------- */

void lvl_abi_give(void *to, const void *bytes, size_t len)
{
    if (to && len)
        lvl_buffer_add(to, bytes, len);
}

static lvl_file_kind kind_of(void *user, const char *path)
{
    const lvl_abi_files *given = user;
    const int32_t kind = given->kind(given->user, path);

    return kind == 1 ? LVL_FILE_REGULAR : kind == 2 ? LVL_FILE_FOLDER : LVL_FILE_NONE;
}

/* What a function of the caller returned, as a status that the library's functions may return. */
static lvl_status status_of(int32_t returned, const lvl_buffer *out)
{
    return returned == LVL_OK           ? out->status
           : returned == LVL_ERR_MEMORY ? LVL_ERR_MEMORY
           : returned == LVL_ERR_IO     ? LVL_ERR_IO
                                        : LVL_ERR_MISSING;
}

static lvl_status read_file(void *user, const char *path, lvl_buffer *out)
{
    const lvl_abi_files *given = user;

    return status_of(given->read(given->user, path, out), out);
}

static lvl_status list_files(void *user, const char *path, lvl_buffer *names)
{
    const lvl_abi_files *given = user;

    return status_of(given->list(given->user, path, names), names);
}

/* ---- art that is shared ------------------------------------------------------------------------------ */

/* The size of a list of texts in bytes, with its end. */
static size_t list_size(const char *list)
{
    const char *at = list;

    while (*at)
        at += strlen(at) + 1;
    return (size_t)(at - list) + 1;
}

lvl_abi_art *lvl_abi_art_new(const char *level, const char *roots, const lvl_abi_files *files)
{
    lvl_abi_art *a = calloc(1, sizeof *a);

    if (!a)
        return NULL;
    a->users = 1;
    a->level = level ? abi_copy_text(level) : NULL;
    a->roots = roots ? abi_copy(roots, list_size(roots)) : abi_copy_text("");
    if (files) {
        a->given = *files;
        a->files = (lvl_files){.user = &a->given, .kind = kind_of, .read = read_file, .list = list_files};
        a->has_files = true;
    }
    if (a->roots && (a->level || !level))
        return a;
    lvl_abi_art_free(a);
    return NULL;
}

lvl_abi_art *lvl_abi_art_shared(const char *roots)
{
    lvl_abi_art *a = lvl_abi_art_new(NULL, roots, NULL);

    if (a)
        a->follows = true;
    return a;
}

void lvl_abi_art_free(lvl_abi_art *a)
{
    if (!a || --a->users)
        return;
    lvl_art_free(a->art);
    free(a->level);
    free(a->home);
    free(a->roots);
    free(a);
}

lvl_abi_art *abi_art_keep(lvl_abi_art *a)
{
    if (a)
        a->users++;
    return a;
}

/* Makes the search path. Roots that cannot be opened are skipped: the caller's files may not have them. */
static lvl_status make(lvl_abi_art *a, const lvl_ctx *ctx)
{
    lvl_status status = LVL_OK;

    a->ctx = *ctx;
    a->ctx.usage = &a->usage;
    a->art = lvl_art_new(&a->ctx);
    if (!a->art)
        return LVL_ERR_MEMORY;
    if (a->has_files)
        lvl_art_set_files(a->art, &a->files);
    for (const char *root = a->roots; *root && status != LVL_ERR_MEMORY; root += strlen(root) + 1) {
        /* a root that is a part of the path is the archive that contains the level */
        const size_t len = strlen(root);
        const bool home = a->level && strncmp(a->level, root, len) == 0 && a->level[len] == '/';
        status = home ? lvl_art_add_home(a->art, root) : lvl_art_add(a->art, root);
    }
    if (status != LVL_ERR_MEMORY && a->level)
        status = lvl_art_level(a->art, a->level);
    if (status != LVL_ERR_MEMORY)
        return LVL_OK;
    lvl_art_free(a->art);
    a->art = NULL;
    return status;
}

static void forget(lvl_abi_art *a)
{
    lvl_art_free(a->art);
    free(a->home);
    a->art = NULL;
    a->home = NULL;
}

/* The art for a document that was loaded from a path, or (d NULL) for one that was not. */
static lvl_status follow(lvl_abi_art *a, const lvl_ctx *ctx, const lvl_abi_doc *d, const char **bad)
{
    const char *home = d ? d->archive : NULL;
    const bool same_home = home ? a->home && strcmp(home, a->home) == 0 : !a->home;
    lvl_status status = LVL_OK;

    if (a->art && !(same_home && lvl_art_renew(a->art)))
        forget(a);
    if (!a->art) {
        a->ctx = *ctx;
        a->ctx.usage = &a->usage;
        a->art = lvl_art_new(&a->ctx);
        status = a->art ? LVL_OK : LVL_ERR_MEMORY;
        for (const char *root = a->roots; *root && status == LVL_OK; root += strlen(root) + 1) {
            status = lvl_art_add(a->art, root);
            *bad = status == LVL_OK ? NULL : root;
        }
        if (status == LVL_OK && home) {
            a->home = abi_copy_text(home);
            if (!a->home || lvl_art_add_home(a->art, home) == LVL_ERR_MEMORY)
                status = LVL_ERR_MEMORY;
        }
    }
    if (status == LVL_OK && lvl_art_level(a->art, d ? d->name : NULL) == LVL_ERR_MEMORY)
        status = LVL_ERR_MEMORY;
    if (status != LVL_OK)
        forget(a);
    return status;
}

lvl_status abi_art_open(lvl_abi_art *a, const lvl_abi_doc *d, bool around, lvl_art **out, const char **bad)
{
    lvl_status status = LVL_OK;

    *out = NULL;
    *bad = NULL;
    a->usage = (lvl_usage){0};
    around = around && d->on_disk;
    if (a->follows && !around && !*a->roots)
        return LVL_OK;
    if (a->follows)
        status = follow(a, &d->ctx, around ? d : NULL, bad);
    else if (!a->art)
        status = make(a, &d->ctx);
    *out = a->art;
    return status;
}

bool abi_art_is(const lvl_abi_art *a, const lvl_art *art)
{
    return art && a && a->art == art;
}

bool abi_art_is_lasting(const lvl_abi_art *a, const lvl_art *art)
{
    return abi_art_is(a, art) && !a->follows;
}
