/*
 * wap32/wwd/trailer.c: the bytes after the main block. WapMap appends
 *
 *     "<wm_meta>"                      9 bytes
 *     u8 type, u32 size, payload       blocks of type 0 start info, 2 header, 3 guides, 4 favourites,
 *                                      1 end info
 *     "</wm_meta>"                     10 bytes
 *
 * The start and end info have the size of the whole trailer, so that it can be found from either end. Two
 * real files have a line break there instead, from a transfer as text. A trailer that is not exactly as
 * WapMap writes it is kept as bytes.
 */
#include "base/buffer.h"
#include "base/cursor.h"
#include "wap32/wwd/internal.h"

static const char head_tag[] = "<wm_meta>", tail_tag[] = "</wm_meta>";
enum { HEAD = sizeof head_tag - 1, TAIL = sizeof tail_tag - 1, BLOCK_HEAD = 5, SMALLEST_ITEM = 5 };

/* Whether the payload of a block, or an item of a list in it, contains that member. Members are stored in
 * table order: numbers with the same size as in the struct, texts with a NUL, lists after their count, bytes
 * up to the end of the block. */
static bool is_stored(const void *record, const lvl_field *field)
{
    return field != LVL_FIELD(lvl_wwd_block, type) && lvl_field_present(record, field);
}

/* ---- writing ------------------------------------------------------------------------------------------- */

static void write_fields(const void *record, const lvl_table *table, uint32_t whole, lvl_buffer *out)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (!is_stored(record, f))
            continue;
        if (f->kind == LVL_INT) {
            const uint64_t value = f->role == LVL_DERIVED ? whole : (uint64_t)lvl_get_int(record, f);
            for (uint32_t k = 0; k < f->size; k++)
                lvl_buffer_u8(out, (uint8_t)(value >> 8 * k));
        } else if (f->kind == LVL_TEXT) {
            const lvl_text text = lvl_get_text(record, f);
            lvl_buffer_add(out, text.ptr, text.len);
            lvl_buffer_u8(out, 0);
        } else if (f->kind == LVL_BYTES) {
            const lvl_bytes bytes = lvl_get_bytes(record, f);
            lvl_buffer_add(out, bytes.ptr, bytes.len);
        } else {
            const uint32_t count = lvl_list_count(record, f);
            lvl_buffer_u32le(out, count);
            for (uint32_t k = 0; k < count; k++)
                write_fields(lvl_list_item(record, f, k), f->table, whole, out);
        }
    }
}

/* Appends the tags and the blocks between them; `whole` is their total size. */
static void write_blocks(const lvl_wwd *wwd, uint32_t whole, lvl_buffer *out)
{
    if (!wwd->wapmap_count)
        return;
    lvl_buffer_str(out, head_tag);
    for (uint32_t i = 0; i < wwd->wapmap_count; i++) {
        lvl_buffer_u8(out, wwd->wapmap[i].type);
        const size_t size_at = out->len;
        lvl_buffer_u32le(out, 0);
        write_fields(&wwd->wapmap[i], &lvl_wwd_block_table, whole, out);
        if (out->status == LVL_OK)
            lvl_store_u32le(out->data + size_at, (uint32_t)(out->len - size_at - 4));
    }
    lvl_buffer_str(out, tail_tag);
}

lvl_status lvl_wwd_trailer_size(const lvl_wwd *wwd, uint32_t *size)
{
    lvl_buffer blocks = {0};

    write_blocks(wwd, 0, &blocks);
    const lvl_status status = blocks.status;
    *size = (uint32_t)blocks.len;
    lvl_buffer_free(&blocks);
    return status;
}

lvl_status lvl_wwd_trailer_write(const lvl_wwd *wwd, lvl_buffer *out)
{
    uint32_t whole;
    const lvl_status status = lvl_wwd_trailer_size(wwd, &whole);

    if (status != LVL_OK)
        return status;
    write_blocks(wwd, whole, out);
    lvl_buffer_add(out, wwd->trailing.ptr, wwd->trailing.len);
    return out->status;
}

/* ---- reading ------------------------------------------------------------------------------------------- */

struct trailer {
    lvl_doc *doc;
    lvl_cursor at; /* failed: this is not WapMap's trailer */
    lvl_sink *sink; /* NULL until that is known */
    uint64_t offset;
    lvl_status status;
};

/* Emits the bytes from `from` up to the cursor. field NULL: a tag, a size or a count. */
static void emit_span(const struct trailer *t, size_t from, lvl_where where, const lvl_field *field,
                      const char *note)
{
    const bool derived = !field || field->role == LVL_DERIVED;

    if (!t->at.failed)
        lvl_emit_span(t->sink, t->offset + from, t->at.pos - from,
                      (lvl_span){.role = derived ? LVL_SPAN_DERIVED : LVL_SPAN_FIELD,
                                 .where = field ? lvl_where_to(where, field, LVL_NO_INDEX) : where,
                                 .field = field,
                                 .note = note});
}

static uint32_t read_u32(struct trailer *t, lvl_where where, const char *note)
{
    const size_t from = t->at.pos;
    const uint32_t v = lvl_cursor_u32le(&t->at);

    emit_span(t, from, where, NULL, note);
    return v;
}

static void read_number(struct trailer *t, void *record, const lvl_field *f)
{
    const uint8_t *p = lvl_cursor_take(&t->at, f->size);
    uint32_t v = 0;

    for (uint32_t k = f->size; p && k-- > 0;)
        v = v << 8 | p[k];
    lvl_put_int(record, f, f->flags & LVL_F_SIGNED ? (int32_t)v : (int64_t)v);
}

/* Reads the members of a record from the payload, which ends at `end`. */
static void read_fields(struct trailer *t, void *record, const lvl_table *table, size_t end, lvl_where where)
{
    for (uint32_t i = 0; i < table->field_count && !t->at.failed; i++) {
        const lvl_field *f = &table->fields[i];
        const size_t from = t->at.pos;
        if (!is_stored(record, f))
            continue;
        if (f->kind == LVL_LIST) {
            const uint32_t count = read_u32(t, where, "number of items");
            t->at.failed = t->at.failed || count > lvl_cursor_left(&t->at) / SMALLEST_ITEM;
            if (!t->at.failed && !lvl_list_count(record, f))
                t->status = lvl_list_insert(t->doc, record, f, 0, count);
            t->at.failed = t->at.failed || t->status != LVL_OK;
            for (uint32_t k = 0; k < count && !t->at.failed; k++)
                read_fields(t, (void *)(uintptr_t)lvl_list_item(record, f, k), f->table, end,
                            lvl_where_to(where, f, k));
            continue;
        }
        if (f->kind == LVL_INT) {
            read_number(t, record, f);
        } else if (f->kind == LVL_TEXT) {
            lvl_text text = {NULL, 0};
            t->at.failed = t->at.failed || !lvl_cursor_text(&t->at, &text);
            memcpy((uint8_t *)record + f->offset, &text, sizeof text);
        } else {
            const lvl_bytes bytes = {t->at.data + from, end - from};
            lvl_cursor_take(&t->at, bytes.len);
            memcpy((uint8_t *)record + f->offset, &bytes, sizeof bytes);
        }
        emit_span(t, from, where, f, NULL);
    }
}

static void read_block(struct trailer *t, lvl_wwd_block *b, lvl_where where)
{
    const size_t from = t->at.pos;

    b->type = lvl_cursor_u8(&t->at);
    emit_span(t, from, where, LVL_FIELD(lvl_wwd_block, type), NULL);
    const uint32_t size = read_u32(t, where, "size of the block");
    t->at.failed = t->at.failed || size > lvl_cursor_left(&t->at);
    const size_t end = t->at.pos + size;
    if (!t->at.failed)
        read_fields(t, b, &lvl_wwd_block_table, end, where);
    t->at.failed = t->at.failed || t->at.pos != end;
}

static lvl_status is_rewritten(const lvl_wwd *wwd, lvl_bytes bytes, bool *same)
{
    lvl_buffer out = {0};

    const lvl_status status = lvl_wwd_trailer_write(wwd, &out);
    *same = status == LVL_OK && out.len == bytes.len && memcmp(out.data, bytes.ptr, bytes.len) == 0;
    lvl_buffer_free(&out);
    return status;
}

static void read_tag(struct trailer *t, const char *tag, size_t len)
{
    const size_t from = t->at.pos;
    const uint8_t *s = lvl_cursor_take(&t->at, len);

    t->at.failed = t->at.failed || memcmp(s, tag, len) != 0;
    emit_span(t, from, lvl_where_root(), NULL, "WapMap's tag");
}

/* Reads the blocks and their tags; adds blocks that the document does not have yet. */
static void read_blocks(struct trailer *t)
{
    const lvl_field *list = LVL_FIELD(lvl_wwd, wapmap);
    lvl_wwd *wwd = t->doc->root;

    read_tag(t, head_tag, HEAD);
    for (uint32_t i = 0; !t->at.failed; i++) {
        const size_t left = lvl_cursor_left(&t->at);
        if (left >= TAIL && !memcmp(t->at.data + t->at.pos, tail_tag, TAIL))
            break;
        if (i == wwd->wapmap_count)
            t->status = lvl_list_insert(t->doc, wwd, list, i, 1);
        t->at.failed = t->status != LVL_OK;
        if (!t->at.failed)
            read_block(t, &wwd->wapmap[i], lvl_where_to(lvl_where_root(), list, i));
    }
    read_tag(t, tail_tag, TAIL);
}

lvl_status lvl_wwd_trailer_read(lvl_doc *doc, lvl_bytes bytes, uint64_t offset, lvl_sink *sink)
{
    struct trailer t = {.doc = doc, .at = lvl_cursor_of(bytes), .offset = offset};
    lvl_wwd *wwd = doc->root;
    bool same = false;

    wwd->wapmap = NULL;
    wwd->wapmap_count = 0;
    wwd->trailing = (lvl_bytes){NULL, 0};
    if (!bytes.len)
        return LVL_OK;
    read_blocks(&t);
    const size_t end = t.at.failed ? 0 : t.at.pos;
    lvl_status status = t.status;
    if (end)
        status = is_rewritten(wwd, (lvl_bytes){bytes.ptr, end}, &same);
    if (!same)
        wwd->wapmap_count = 0;
    t.sink = sink;
    t.at = lvl_cursor_of(bytes);
    if (same && sink)
        read_blocks(&t);
    const size_t used = same ? end : 0;
    wwd->trailing = (lvl_bytes){bytes.ptr + used, bytes.len - used};
    const lvl_field *trailing = LVL_FIELD(lvl_wwd, trailing);
    lvl_emit_field(sink, lvl_where_root(), trailing, offset + used, wwd->trailing.len, LVL_SPAN_FIELD);
    return status;
}
