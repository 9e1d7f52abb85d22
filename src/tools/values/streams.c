/*
 * tools/values/streams.c: see tools/values/streams.h.
 */
#include "tools/values/streams.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/search.h"
#include "tools/tools.h"

#include <stdlib.h>
#include <string.h>

const char *lvl_stream_library_name(lvl_deflate_library library)
{
    return library == LVL_DEFLATE_ZLIB ? "zlib" : "libdeflate";
}

static int compare(const lvl_stream *a, const void *record, const lvl_field *field)
{
    const uintptr_t x = (uintptr_t)a->record, y = (uintptr_t)record;

    return x != y ? (x > y) - (x < y) : (a->field > field) - (a->field < field);
}

static int by_member(const void *a, const void *b)
{
    const lvl_stream *y = b;

    return compare(a, y->record, y->field);
}

static void sort(lvl_streams *streams)
{
    if (streams->count)
        qsort(streams->items, streams->count, sizeof *streams->items, by_member);
}

/* The stream of that member in a sorted list, or NULL. */
static const lvl_stream *find(const lvl_streams *streams, const void *record, const lvl_field *field)
{
    size_t at;

    LVL_LOWER_BOUND(at, streams->count, compare(&streams->items[at], record, field) < 0);
    return at < streams->count && !compare(&streams->items[at], record, field) ? &streams->items[at] : NULL;
}

lvl_status lvl_streams_add(lvl_streams *streams, const lvl_stream *stream)
{
    if (streams->count == streams->cap) {
        const size_t cap = streams->cap ? streams->cap * 2 : 16;
        lvl_stream *bigger = realloc(streams->items, cap * sizeof *bigger);
        if (!bigger)
            return LVL_ERR_MEMORY;
        streams->items = bigger;
        streams->cap = cap;
    }
    streams->items[streams->count++] = *stream;
    return LVL_OK;
}

void lvl_streams_free(lvl_streams *streams)
{
    free(streams->items);
    *streams = (lvl_streams){0};
}

/* ---- how they were made ------------------------------------------------------------------------------ */

static lvl_status add_maker(void *user, const void *record, const lvl_field *field, int wrap,
                            lvl_bytes content)
{
    const lvl_bytes bytes = lvl_get_bytes(record, field);
    lvl_stream stream = {.record = record, .field = field};

    if (!bytes.len)
        return LVL_OK;
    const lvl_status status = lvl_deflate_find_maker((lvl_wrap)wrap, content, bytes, &stream.maker);
    return status == LVL_OK && stream.maker.library ? lvl_streams_add(user, &stream) : status;
}

lvl_status lvl_streams_find(const lvl_doc *doc, lvl_streams *out)
{
    *out = (lvl_streams){0};
    const lvl_status status =
        doc->format->calls->streams ? doc->format->calls->streams(doc, add_maker, out) : LVL_OK;
    sort(out);
    return status;
}

const lvl_deflate_maker *lvl_streams_maker(const lvl_streams *streams, const void *record,
                                           const lvl_field *field)
{
    const lvl_stream *stream = streams ? find(streams, record, field) : NULL;

    return stream ? &stream->maker : NULL;
}

/* ---- making them again ------------------------------------------------------------------------------- */

typedef struct remaking {
    lvl_doc *doc;
    const lvl_streams *streams;
    lvl_buffer made;
    const lvl_stream *first; /* of those with another CRC-32 */
    size_t others;
} remaking;

static lvl_status make_one(void *user, const void *record, const lvl_field *field, int wrap,
                           lvl_bytes content)
{
    remaking *r = user;
    const lvl_stream *stream = find(r->streams, record, field);
    bool same;

    if (!stream)
        return LVL_OK;
    r->made.len = 0;
    const lvl_status status = lvl_deflate_as((lvl_wrap)wrap, content, &stream->maker, &r->made, &same);
    if (status != LVL_OK)
        return status;
    if (!same) {
        if (!r->others++)
            r->first = stream;
        return LVL_OK;
    }
    const lvl_bytes bytes = {lvl_arena_copy(&r->doc->arena, r->made.data, r->made.len), r->made.len};
    if (!bytes.ptr)
        return lvl_arena_status(&r->doc->arena, LVL_ERR_MEMORY);
    memcpy((uint8_t *)(uintptr_t)record + field->offset, &bytes, sizeof bytes);
    return LVL_OK;
}

lvl_status lvl_streams_make(lvl_doc *doc, lvl_streams *streams, lvl_findings *findings)
{
    remaking r = {.doc = doc, .streams = streams};

    if (!streams->count || !doc->format->calls->streams)
        return LVL_OK;
    sort(streams);
    const lvl_status status = doc->format->calls->streams(doc, make_one, &r);
    lvl_buffer_free(&r.made);
    if (status == LVL_OK && r.others)
        lvl_findings_add(findings, &lvl_faults[LVL_FAULT_STREAM], &r.first->where, NULL,
                         "%zu stream%s compressed again by libdeflate: the content was edited, or %s has "
                         "another version than where the dump was made",
                         r.others, r.others == 1 ? "" : "s", lvl_stream_library_name(r.first->maker.library));
    return status;
}

/* ---- those of another document ----------------------------------------------------------------------- */

/* Copies what the members of a record point to, in place. False: out of memory. */
static bool copy_views(lvl_arena *arena, void *record, const lvl_table *table)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        lvl_bytes *view = (lvl_bytes *)(void *)((uint8_t *)record + f->offset);
        if ((f->kind != LVL_TEXT && f->kind != LVL_BYTES) || !view->len)
            continue;
        view->ptr = lvl_arena_copy(arena, view->ptr, view->len);
        if (!view->ptr)
            return false;
    }
    return true;
}

static bool has_stream(const lvl_table *table)
{
    for (uint32_t i = 0; table && i < table->field_count; i++) {
        if (table->fields[i].flags & LVL_F_STREAM)
            return true;
    }
    return false;
}

lvl_status lvl_streams_take(lvl_doc *to, const lvl_doc *from)
{
    const lvl_table *table = from->format->table;
    bool good = true;

    for (uint32_t i = 0; i < table->field_count && good; i++) {
        const lvl_field *f = &table->fields[i];
        if (lvl_field_is_default(from->root, f))
            continue;
        if (f->kind == LVL_BYTES && f->flags & LVL_F_STREAM) {
            const lvl_table one = {.fields = f, .field_count = 1};
            memcpy((uint8_t *)to->root + f->offset, (const uint8_t *)from->root + f->offset,
                   sizeof(lvl_bytes));
            good = copy_views(&to->arena, to->root, &one);
        } else if (f->kind == LVL_LIST && f->item == LVL_RECORD && f->role == LVL_KEPT &&
                   has_stream(f->table)) {
            const uint32_t count = lvl_list_count(from->root, f);
            lvl_field_reset(to->root, f);
            good = lvl_list_insert(to, to->root, f, 0, count) == LVL_OK;
            for (uint32_t k = 0; k < count && good; k++) {
                void *item = lvl_item_at(to->root, f, k);
                memcpy(item, lvl_list_item(from->root, f, k), f->table->struct_size);
                good = copy_views(&to->arena, item, f->table);
            }
        }
    }
    return good ? LVL_OK : lvl_arena_status(&to->arena, LVL_ERR_MEMORY);
}
