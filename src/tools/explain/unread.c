/*
 * tools/explain/unread.c: content of files that no member has, line by line.
 */
#include "tools/explain/unread.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

void lvl_unread_init(lvl_unread *u, const lvl_ctx *ctx, bool whole)
{
    memset(u, 0, sizeof *u);
    u->whole = whole;
    lvl_hash_init(&u->index);
    lvl_arena_init(&u->arena, ctx);
}

void lvl_unread_free(lvl_unread *u)
{
    lvl_hash_free(&u->index);
    free(u->lines);
    lvl_arena_free(&u->arena);
}

static void count_line(lvl_unread *u, lvl_text line, size_t key, bool more)
{
    const lvl_text wanted = {line.ptr + key, line.len - key};
    const uint64_t hash = lvl_hash_bytes(&u->index.seed, wanted.ptr, wanted.len);

    for (lvl_hash_at at = lvl_hash_first(&u->index, hash); at.found; at = lvl_hash_next(&u->index, at)) {
        lvl_unread_line *known = &u->lines[at.index];
        const lvl_text its = {known->text.ptr + known->key, known->text.len - known->key};
        if (known->more == more && lvl_text_equal(its, wanted)) {
            known->count[u->side]++;
            return;
        }
    }
    const char *copy = lvl_arena_copy(&u->arena, line.ptr, line.len);
    if (!copy || u->count >= UINT32_MAX || !lvl_grow(&u->lines, &u->cap, u->count + 1, sizeof *u->lines)) {
        u->status = LVL_ERR_MEMORY;
        return;
    }
    u->lines[u->count] = (lvl_unread_line){{copy, line.len}, key, more, u->side, {0}};
    u->lines[u->count].count[u->side] = 1;
    u->status = lvl_hash_add(&u->index, hash, (uint32_t)u->count++);
}

static lvl_text cut_blanks(lvl_text text)
{
    while (text.len && memchr(" \t\r\n", text.ptr[text.len - 1], 4))
        text.len--;
    return text;
}

/* Takes the first line off a text, without the blanks at its end. */
static lvl_text take_line(lvl_text *content)
{
    return cut_blanks(lvl_text_take_line(content));
}

static void count_lines(void *user, lvl_text content, bool more, const lvl_where *where)
{
    lvl_unread *u = user;

    (void)where;
    if (more && u->status == LVL_OK) {
        const lvl_text line = take_line(&content);
        size_t at = u->whole ? 0 : line.len;
        while (at && !memchr(" \t", line.ptr[at - 1], 2))
            at--;
        count_line(u, line, at, true);
    }
    while (!more && content.len && u->status == LVL_OK) {
        const lvl_text line = take_line(&content);
        if (line.len)
            count_line(u, line, 0, false);
    }
}

lvl_status lvl_unread_add(lvl_unread *u, const lvl_doc *doc, unsigned side)
{
    u->side = side;
    if (u->status == LVL_OK && doc->format->calls->unread) {
        const lvl_status status = doc->format->calls->unread(doc, count_lines, u);
        u->status = u->status == LVL_OK ? status : u->status;
    }
    return u->status;
}
