/*
 * support/fuzz_members.c: see support/fuzz_members.h.
 */
#include "fuzz_members.h"

#include "base/buffer.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 3, MOST = 200 };

typedef struct walk {
    const lvl_ctx *ctx;
    const lvl_container *box;
    lvl_fuzz_member_fn member;
    void *user;
    unsigned depth;
    unsigned *left;
} walk;

static void walk_archive(const walk *outer, lvl_bytes bytes, const char *name);

static void fail(const char *what, lvl_text path)
{
    fprintf(stderr, "%s: \"%.*s\"\n", what, (int)path.len, path.ptr);
    abort();
}

static bool take(void *user, const lvl_entry *entry)
{
    walk *w = user;
    lvl_buffer storage = {0};
    lvl_bytes bytes;

    if (!*w->left)
        return false;
    --*w->left;
    const lvl_text path = lvl_text_of(entry->path);
    if (!lvl_utf8_valid(path))
        fail("not UTF-8", path);
    if (entry->safe && (path.ptr[0] == '/' || strstr(entry->path, "../") || strchr(entry->path, '\\')))
        fail("not safe", path);
    if (entry->unique && !lvl_container_find(w->box, entry->path))
        fail("not found again", path);
    if (!entry->is_dir && lvl_container_read(w->box, entry, &bytes, &storage, NULL) == LVL_OK) {
        w->member(w->user, entry, bytes);
        if (w->depth < DEEPEST)
            walk_archive(w, bytes, entry->path);
    }
    lvl_buffer_free(&storage);
    return true;
}

static void walk_archive(const walk *outer, lvl_bytes bytes, const char *name)
{
    walk inner = *outer;
    lvl_container *box = NULL;

    if (lvl_container_from(&box, inner.ctx, bytes, name, NULL) == LVL_OK) {
        inner.box = box;
        inner.depth++;
        lvl_container_list(box, "", true, take, &inner);
        (void)lvl_container_status(box);
    }
    lvl_container_close(box);
}

void lvl_fuzz_members(const lvl_ctx *ctx, lvl_bytes archive, lvl_fuzz_member_fn member, void *user)
{
    unsigned left = MOST;
    const walk outer = {.ctx = ctx, .member = member, .user = user, .left = &left};

    walk_archive(&outer, archive, "archive");
}
