/*
 * wap32/wwd_trailer.c: what stands after the main block. WapMap appends
 *
 *     "<wm_meta>"                      9 bytes
 *     u8 type, u32 size, payload       blocks of type 0 start info, 2 header, 3 guides, 4 favourites,
 *                                      1 end info
 *     "</wm_meta>"                     10 bytes
 *
 * and puts the whole trailer's size into the start and end info, so that it can be found from either side.
 * Two real files have a line end there instead, from a transfer as text. What isn't exactly as WapMap writes
 * it is kept as bytes.
 */
#include "base/cursor.h"
#include "wap32/wwd_internal.h"
#include "base/buffer.h"

static const char head_tag[] = "<wm_meta>", tail_tag[] = "</wm_meta>";
enum { HEAD = sizeof head_tag - 1, TAIL = sizeof tail_tag - 1, BLOCK_HEAD = 5 };
enum { START = 0, END = 1, HEADER = 2, GUIDES = 3, FAVOURITES = 4 };

/* ---- writing ------------------------------------------------------------------------------------------- */

static uint64_t payload_size(const lvl_wwd_block *b)
{
    uint64_t n = 4;

    switch (b->type) {
    case START:
    case END: return 4;
    case HEADER: return 8 + b->version.len + 1 + b->map_version.len + 1 + b->description.len + 1;
    case GUIDES: return 4 + (uint64_t)b->guide_count * 5;
    case FAVOURITES:
        for (uint32_t i = 0; i < b->favourite_count; i++)
            n += b->favourites[i].name.len + 1 + 8;
        return n;
    default: return b->payload.len;
    }
}

uint64_t lvl_wwd_trailer_size(const lvl_wwd *wwd)
{
    uint64_t size = HEAD + TAIL;

    if (!wwd->wapmap_count)
        return 0;
    for (uint32_t i = 0; i < wwd->wapmap_count; i++)
        size += BLOCK_HEAD + payload_size(&wwd->wapmap[i]);
    return size;
}

static void write_text(lvl_buffer *out, lvl_text text)
{
    lvl_buffer_add(out, text.ptr, text.len);
    lvl_buffer_u8(out, 0);
}

static void write_block(const lvl_wwd_block *b, uint32_t whole, lvl_buffer *out)
{
    lvl_buffer_u8(out, b->type);
    lvl_buffer_u32le(out, (uint32_t)payload_size(b));
    switch (b->type) {
    case START:
    case END: lvl_buffer_u32le(out, whole); break;
    case HEADER:
        lvl_buffer_u32le(out, b->build);
        write_text(out, b->version);
        lvl_buffer_u32le(out, b->map_build);
        write_text(out, b->map_version);
        write_text(out, b->description);
        break;
    case GUIDES:
        lvl_buffer_u32le(out, b->guide_count);
        for (uint32_t i = 0; i < b->guide_count; i++) {
            lvl_buffer_u8(out, b->guides[i].orientation);
            lvl_buffer_u32le(out, (uint32_t)b->guides[i].position);
        }
        break;
    case FAVOURITES:
        lvl_buffer_u32le(out, b->favourite_count);
        for (uint32_t i = 0; i < b->favourite_count; i++) {
            write_text(out, b->favourites[i].name);
            lvl_buffer_u32le(out, (uint32_t)b->favourites[i].x);
            lvl_buffer_u32le(out, (uint32_t)b->favourites[i].y);
        }
        break;
    default: lvl_buffer_add(out, b->payload.ptr, b->payload.len);
    }
}

void lvl_wwd_trailer_write(const lvl_wwd *wwd, lvl_buffer *out)
{
    if (wwd->wapmap_count) {
        lvl_buffer_str(out, head_tag);
        for (uint32_t i = 0; i < wwd->wapmap_count; i++)
            write_block(&wwd->wapmap[i], (uint32_t)lvl_wwd_trailer_size(wwd), out);
        lvl_buffer_str(out, tail_tag);
    }
    lvl_buffer_add(out, wwd->trailing.ptr, wwd->trailing.len);
}

/* ---- reading ------------------------------------------------------------------------------------------- */

struct trailer {
    lvl_doc *doc;
    lvl_cursor at;
    lvl_sink *sink; /* NULL while it isn't known to be WapMap's */
    uint64_t offset;
    lvl_where where;
};

/* Emits the bytes from `from` to where the cursor is. member SIZE_MAX: no field, a tag or a count. */
static void emit_span(const struct trailer *t, size_t from, const lvl_where *where, const lvl_table *table,
                      size_t member, const char *note)
{
    lvl_span span = {0};

    span.role = LVL_SPAN_DERIVED;
    span.where = *where;
    span.note = note;
    if (member != SIZE_MAX) {
        span.field = lvl_table_at(table, member);
        span.role = span.field->role == LVL_DERIVED ? LVL_SPAN_DERIVED : LVL_SPAN_FIELD;
        span.where = lvl_where_to(*where, span.field, LVL_NO_INDEX);
    }
    lvl_emit_span(t->sink, t->offset + from, t->at.pos - from, span);
}

static lvl_text read_text(struct trailer *t, const lvl_where *where, const lvl_table *table, size_t member)
{
    const size_t from = t->at.pos;
    lvl_text text = {NULL, 0};
    const uint8_t *nul = memchr(t->at.data + from, 0, lvl_cursor_left(&t->at));

    if (!nul) {
        t->at.failed = true;
        return text;
    }
    text.len = (size_t)(nul - (t->at.data + from));
    text.ptr = (const char *)lvl_cursor_take(&t->at, text.len + 1);
    emit_span(t, from, where, table, member, NULL);
    return text;
}

static uint32_t read_u32(struct trailer *t, const lvl_where *where, const lvl_table *table, size_t member,
                         const char *note)
{
    const size_t from = t->at.pos;
    uint32_t v = lvl_cursor_u32le(&t->at);

    if (!t->at.failed)
        emit_span(t, from, where, table, member, note);
    return v;
}

static void read_guides(struct trailer *t, lvl_wwd_block *b, const lvl_where *where)
{
    uint32_t n = read_u32(t, where, NULL, SIZE_MAX, "number of guides");

    if (t->at.failed || n > lvl_cursor_left(&t->at) / 5) {
        t->at.failed = true;
        return;
    }
    b->guides = lvl_arena_array(&t->doc->arena, n, sizeof *b->guides);
    if (!b->guides)
        return;
    b->guide_count = n;
    for (uint32_t i = 0; i < n; i++) {
        size_t from = t->at.pos;
        lvl_where w = lvl_where_item(*where, &lvl_wwd_block_table, offsetof(lvl_wwd_block, guides), i);
        const lvl_table *table = w.steps[w.depth - 1].field->table;
        b->guides[i].orientation = lvl_cursor_u8(&t->at);
        emit_span(t, from, &w, table, offsetof(lvl_wwd_guide, orientation), NULL);
        b->guides[i].position = (int32_t)read_u32(t, &w, table, offsetof(lvl_wwd_guide, position), NULL);
    }
}

static void read_favourites(struct trailer *t, lvl_wwd_block *b, const lvl_where *where)
{
    uint32_t n = read_u32(t, where, NULL, SIZE_MAX, "number of favourites");

    if (t->at.failed || n > lvl_cursor_left(&t->at) / 9) {
        t->at.failed = true;
        return;
    }
    b->favourites = lvl_arena_array(&t->doc->arena, n, sizeof *b->favourites);
    if (!b->favourites)
        return;
    b->favourite_count = n;
    for (uint32_t i = 0; i < n && !t->at.failed; i++) {
        lvl_where w = lvl_where_item(*where, &lvl_wwd_block_table, offsetof(lvl_wwd_block, favourites), i);
        const lvl_table *table = w.steps[w.depth - 1].field->table;
        b->favourites[i].name = read_text(t, &w, table, offsetof(lvl_wwd_favourite, name));
        b->favourites[i].x = (int32_t)read_u32(t, &w, table, offsetof(lvl_wwd_favourite, x), NULL);
        b->favourites[i].y = (int32_t)read_u32(t, &w, table, offsetof(lvl_wwd_favourite, y), NULL);
    }
}

static void read_block(struct trailer *t, lvl_wwd_block *b, uint32_t index)
{
    const lvl_table *table = &lvl_wwd_block_table;
    const lvl_where where = lvl_where_item(t->where, &lvl_wwd_table, offsetof(lvl_wwd, wapmap), index);
    size_t from = t->at.pos;

    b->type = lvl_cursor_u8(&t->at);
    emit_span(t, from, &where, table, offsetof(lvl_wwd_block, type), NULL);
    uint32_t size = read_u32(t, &where, NULL, SIZE_MAX, "size of the block");
    if (t->at.failed || size > lvl_cursor_left(&t->at)) {
        t->at.failed = true;
        return;
    }
    size_t end = t->at.pos + size;
    switch (b->type) {
    case START:
    case END: b->size = read_u32(t, &where, table, offsetof(lvl_wwd_block, size), NULL); break;
    case HEADER:
        b->build = read_u32(t, &where, table, offsetof(lvl_wwd_block, build), NULL);
        b->version = read_text(t, &where, table, offsetof(lvl_wwd_block, version));
        b->map_build = read_u32(t, &where, table, offsetof(lvl_wwd_block, map_build), NULL);
        b->map_version = read_text(t, &where, table, offsetof(lvl_wwd_block, map_version));
        b->description = read_text(t, &where, table, offsetof(lvl_wwd_block, description));
        break;
    case GUIDES: read_guides(t, b, &where); break;
    case FAVOURITES: read_favourites(t, b, &where); break;
    default:
        from = t->at.pos;
        b->payload.ptr = lvl_cursor_take(&t->at, size);
        b->payload.len = size;
        emit_span(t, from, &where, table, offsetof(lvl_wwd_block, payload), NULL);
    }
    if (t->at.pos != end)
        t->at.failed = true;
}

/* Number of blocks up to the tail tag, `*end` behind it; 0: it isn't WapMap's. */
static uint32_t count_blocks(lvl_bytes bytes, size_t *end)
{
    size_t pos = HEAD;
    uint32_t n = 0;

    if (bytes.len < HEAD + TAIL || memcmp(bytes.ptr, head_tag, HEAD) != 0)
        return 0;
    while (bytes.len - pos >= TAIL) {
        if (memcmp(bytes.ptr + pos, tail_tag, TAIL) == 0) {
            *end = pos + TAIL;
            return n;
        }
        uint32_t size = lvl_load_u32le(bytes.ptr + pos + 1);
        if (size > bytes.len - pos - BLOCK_HEAD)
            return 0;
        pos += BLOCK_HEAD + (size_t)size;
        n++;
    }
    return 0;
}

static bool same_again(const lvl_wwd *wwd, lvl_bytes bytes, lvl_status *status)
{
    lvl_buffer out = {0};

    lvl_wwd_trailer_write(wwd, &out);
    *status = out.status;
    bool same = out.status == LVL_OK && out.len == bytes.len && memcmp(out.data, bytes.ptr, bytes.len) == 0;
    lvl_buffer_free(&out);
    return same;
}

static void read_blocks(struct trailer *t, lvl_wwd *wwd, uint32_t n)
{
    const char *note = "WapMap's tag";

    t->at.pos = HEAD;
    emit_span(t, 0, &t->where, NULL, SIZE_MAX, note);
    for (uint32_t i = 0; i < n && !t->at.failed; i++)
        read_block(t, &wwd->wapmap[i], i);
    size_t from = t->at.pos;
    if (!t->at.failed && lvl_cursor_take(&t->at, TAIL))
        emit_span(t, from, &t->where, NULL, SIZE_MAX, note);
}

lvl_status lvl_wwd_trailer_read(lvl_doc *doc, lvl_bytes bytes, uint64_t offset, lvl_sink *sink)
{
    lvl_wwd *wwd = doc->root;
    lvl_status status = LVL_OK;
    size_t end = 0;

    wwd->wapmap = NULL;
    wwd->wapmap_count = 0;
    wwd->trailing.ptr = NULL;
    wwd->trailing.len = 0;
    if (!bytes.len)
        return LVL_OK;
    uint32_t n = count_blocks(bytes, &end);
    if (n) {
        struct trailer t = {doc, {bytes.ptr, end, 0, false}, NULL, offset, {0, {{NULL, 0}}}};
        wwd->wapmap = lvl_arena_array(&doc->arena, n, sizeof *wwd->wapmap);
        if (!wwd->wapmap)
            return LVL_ERR_MEMORY;
        wwd->wapmap_count = n;
        read_blocks(&t, wwd, n);
        lvl_bytes whole = {bytes.ptr, end};
        if (doc->arena.failed)
            return LVL_ERR_MEMORY;
        if (t.at.failed || !same_again(wwd, whole, &status)) {
            wwd->wapmap_count = 0;
            end = 0;
        } else if (sink) {
            t.at.pos = 0;
            t.sink = sink;
            read_blocks(&t, wwd, n);
        }
    }
    wwd->trailing.ptr = bytes.ptr + end;
    wwd->trailing.len = bytes.len - end;
    const lvl_field *trailing = LVL_FIELD(lvl_wwd, trailing);
    lvl_emit_field(sink, lvl_where_root(), trailing, offset + end, wwd->trailing.len, LVL_SPAN_FIELD);
    return status;
}
