/*
 * wap32/rez/tree.c: see wap32/rez/read.h.
 */
#include "wap32/formats.h"
#include "wap32/rez/read.h"

#include "base/arena.h"
#include "base/disk.h"
#include "base/work.h"

lvl_status lvl_rez_claim(lvl_rez_reader *r, uint64_t from, uint64_t to)
{
    if (!lvl_grow(&r->claims, &r->claim_cap, r->claim_count + 1, sizeof *r->claims))
        return LVL_ERR_MEMORY;
    r->claims[r->claim_count++] = (lvl_rez_range){.from = from, .to = to};
    return LVL_OK;
}

static lvl_status add_dir(lvl_rez_reader *r, lvl_rez_found_dir dir)
{
    if (!lvl_grow(&r->dirs, &r->dir_cap, r->dir_count + 1, sizeof *r->dirs))
        return LVL_ERR_MEMORY;
    r->dirs[r->dir_count++] = dir;
    return LVL_OK;
}

lvl_rez_dir lvl_rez_dir_at(const lvl_rez_reader *r, uint32_t k)
{
    const lvl_rez_found_dir *d = &r->dirs[k];

    if (k == 0)
        return lvl_rez_root(r->doc->root);
    return lvl_rez_dir_of(&(*lvl_rez_dir_at(r, d->parent).entries)[d->index]);
}

lvl_where lvl_rez_where_of(const lvl_rez_reader *r, uint32_t k)
{
    const lvl_rez_found_dir *d = &r->dirs[k];

    if (k == 0)
        return lvl_where_root();
    const lvl_field *list = d->parent ? LVL_FIELD(lvl_rez_entry, entries) : LVL_FIELD(lvl_rez, entries);
    return lvl_where_to(lvl_rez_where_of(r, d->parent), list, d->index);
}

/* ---- entries ----------------------------------------------------------------------------------------- */

bool lvl_rez_take_entry(lvl_cursor *c, lvl_rez_raw_entry *raw)
{
    lvl_cursor at = *c;

    if (lvl_cursor_left(&at) < LVL_REZ_DIR_FIXED)
        return false;
    raw->fixed = at.data + at.pos;
    const uint32_t kind = lvl_load_u32le(raw->fixed);
    raw->is_dir = kind == LVL_REZ_DIR;
    if (kind > LVL_REZ_DIR || !lvl_cursor_take(&at, raw->is_dir ? LVL_REZ_DIR_FIXED : LVL_REZ_FILE_FIXED) ||
        !lvl_cursor_text(&at, &raw->name))
        return false;
    if (!raw->is_dir) {
        const uint64_t keys = (uint64_t)lvl_load_u32le(raw->fixed + 24) * 4;
        if (!lvl_cursor_text(&at, &raw->comment) || keys > lvl_cursor_left(&at))
            return false;
        raw->keys = lvl_cursor_take(&at, (size_t)keys);
    }
    *c = at;
    return true;
}

lvl_text lvl_rez_type_of(const lvl_rez_raw_entry *raw, char buf[4])
{
    const uint32_t number = raw->is_dir ? 0 : lvl_load_u32le(raw->fixed + 20);
    lvl_text type = {buf, 0};

    for (int shift = 24; shift >= 0; shift -= 8) {
        const uint8_t c = (uint8_t)(number >> shift);
        if (c || type.len)
            buf[type.len++] = (char)c;
    }
    return type;
}

static lvl_status read_entry(lvl_rez_reader *r, const lvl_rez_raw_entry *raw, lvl_rez_entry *e,
                             lvl_where where)
{
    const lvl_table *table = &lvl_rez_entry_table;
    const size_t fixed = raw->is_dir ? LVL_REZ_DIR_FIXED : LVL_REZ_FILE_FIXED;
    uint64_t at = (uint64_t)(raw->fixed - r->doc->input.ptr);

    lvl_disk_load(e, table, raw->fixed, fixed);
    e->name = raw->name;
    lvl_emit_span(r->sink, at, fixed, (lvl_span){.where = where, .table = table});
    at += fixed;
    lvl_emit_field(r->sink, where, LVL_FIELD(lvl_rez_entry, name), at, e->name.len + 1, LVL_SPAN_FIELD);
    if (raw->is_dir)
        return LVL_OK;
    at += e->name.len + 1;
    e->comment = raw->comment;
    lvl_emit_field(r->sink, where, LVL_FIELD(lvl_rez_entry, comment), at, e->comment.len + 1, LVL_SPAN_FIELD);
    at += e->comment.len + 1;
    lvl_emit_field(r->sink, where, LVL_FIELD(lvl_rez_entry, keys), at, (uint64_t)e->key_count * 4,
                   LVL_SPAN_FIELD);
    e->keys = lvl_arena_array(&r->doc->arena, e->key_count, sizeof *e->keys);
    if (!e->keys)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < e->key_count; i++)
        e->keys[i] = lvl_load_u32le(raw->keys + (size_t)i * 4);
    char *type = lvl_arena_alloc(&r->doc->arena, 4);
    if (!type)
        return LVL_ERR_MEMORY;
    e->type = lvl_rez_type_of(raw, type);
    return LVL_OK;
}

bool lvl_rez_is_printable(lvl_text name)
{
    for (size_t i = 0; i < name.len; i++) {
        if ((uint8_t)name.ptr[i] < ' ')
            return false;
    }
    return name.len > 0;
}

/* ---- payloads ---------------------------------------------------------------------------------------- */

/* Payloads may share bytes, but their total size is limited to MAX_SHARED times the size of the file;
 * otherwise extracting a small file could fill a disk. */
enum { MAX_SHARED = 8, SHARED_SLACK = 1 << 20 };

lvl_status lvl_rez_read_payload(lvl_rez_reader *r, lvl_rez_entry *e, lvl_where where)
{
    const lvl_bytes in = r->doc->input;
    const uint64_t left = e->pos < in.len ? in.len - e->pos : 0, len = e->size < left ? e->size : left;

    if (len < e->size)
        lvl_findings_add(r->findings, &lvl_rez_findings[LVL_REZ_ENTRY_OUTSIDE], &where, NULL,
                         "%u bytes at 0x%x, but the archive has only %llu of them: the file in it is cut off",
                         e->size, e->pos, (unsigned long long)len);
    if ((r->payload + len) / MAX_SHARED > (uint64_t)in.len + SHARED_SLACK) {
        lvl_findings_add(r->findings, &lvl_rez_findings[LVL_REZ_ENTRY_MANY], &where, NULL,
                         "%llu bytes at 0x%x", (unsigned long long)len, e->pos);
        return LVL_OK;
    }
    if (!len)
        return LVL_OK;
    r->payload += len;
    e->data = (lvl_bytes){in.ptr + e->pos, (size_t)len};
    lvl_emit_field(r->sink, where, LVL_FIELD(lvl_rez_entry, data), e->pos, len, LVL_SPAN_FIELD);
    return lvl_rez_claim(r, e->pos, e->pos + len);
}

/* ---- directories ------------------------------------------------------------------------------------- */

bool lvl_rez_is_body(const lvl_rez_reader *r, int64_t pos, uint32_t size)
{
    const lvl_bytes in = r->doc->input;
    lvl_rez_raw_entry raw;

    if (!size || pos < LVL_REZ_HEADER_SIZE || (uint64_t)pos > in.len || size > in.len - (uint64_t)pos)
        return false;
    lvl_cursor c = lvl_cursor_of((lvl_bytes){in.ptr + pos, size});
    while (lvl_cursor_left(&c)) {
        if (!lvl_rez_take_entry(&c, &raw) || !lvl_rez_is_printable(raw.name))
            return false;
    }
    return true;
}

/* Finds a directory's body: at the position in its entry, or moved as far as the root directory. Bodies that
 * overlap are read a few times at most. */
static uint32_t place_dir(lvl_rez_reader *r, lvl_rez_entry *e)
{
    enum { TRIES = 4 };

    if (!r->shift || r->tried / TRIES > r->doc->input.len)
        return e->pos;
    r->tried += (uint64_t)e->size * 2;
    if (!lvl_rez_is_body(r, e->pos, e->size) && lvl_rez_is_body(r, e->pos + r->shift, e->size))
        e->pos = (uint32_t)(e->pos + r->shift);
    return e->pos;
}

lvl_status lvl_rez_read_entries(lvl_rez_reader *r, uint32_t k, uint64_t from, uint64_t to, uint32_t most)
{
    const lvl_bytes area = {r->doc->input.ptr + from, (size_t)(to - from)};
    const lvl_rez_dir dir = lvl_rez_dir_at(r, k);
    const lvl_where where = lvl_rez_where_of(r, k);
    const uint32_t old = *dir.count, depth = r->dirs[k].depth;
    lvl_cursor c = lvl_cursor_of(area);
    lvl_rez_raw_entry raw = {0};
    uint32_t count = 0;

    while (count < most && lvl_rez_take_entry(&c, &raw))
        count++;
    r->items += count;
    const uint64_t items = lvl_limits_of(r->doc->ctx).items;
    if (r->items > items)
        return lvl_refuse(r->doc->ctx, LVL_LIMIT_ITEMS, items, r->items);
    r->dirs[k].end = from + c.pos;
    lvl_status status = lvl_rez_claim(r, from, from + c.pos);
    lvl_rez_entry *entries = lvl_arena_array(&r->doc->arena, (size_t)old + count, sizeof *entries);
    if (!entries)
        return LVL_ERR_MEMORY;
    if (old)
        memcpy(entries, *dir.entries, old * sizeof *entries);
    *dir.entries = entries;
    *dir.count = old + count;
    c.pos = 0;
    for (uint32_t i = old; i < old + count && status == LVL_OK && lvl_rez_take_entry(&c, &raw); i++) {
        const lvl_where at = lvl_where_to(where, dir.list, i);
        status = read_entry(r, &raw, &entries[i], at);
        if (status == LVL_OK)
            status = raw.is_dir
                         ? add_dir(r, (lvl_rez_found_dir){k, i, depth + 1, place_dir(r, &entries[i]), 0, 0})
                     : r->shift ? LVL_OK /* lvl_rez_read_moved decides where they are */
                                : lvl_rez_read_payload(r, &entries[i], at);
    }
    return status;
}

static bool lies_in_itself(const lvl_rez_reader *r, uint32_t k)
{
    const uint32_t pos = r->dirs[k].pos;

    while (k) {
        k = r->dirs[k].parent;
        if (r->dirs[k].pos == pos)
            return true;
    }
    return false;
}

static lvl_status read_dir(lvl_rez_reader *r, uint32_t k)
{
    const uint64_t len = r->doc->input.len, left = r->dirs[k].pos < len ? len - r->dirs[k].pos : 0;
    const uint32_t pos = r->dirs[k].pos;
    const lvl_rez_dir dir = lvl_rez_dir_at(r, k);
    const uint32_t size =
        k ? ((const lvl_rez_entry *)dir.record)->size : ((const lvl_rez *)dir.record)->root_size;
    const lvl_where where = lvl_rez_where_of(r, k);

    r->dirs[k].end = r->dirs[k].limit = pos;
    if (size > left)
        lvl_findings_add(r->findings, &lvl_rez_findings[k ? LVL_REZ_DIR_OUTSIDE : LVL_REZ_ROOT_OUTSIDE],
                         &where, NULL, "%u bytes at 0x%x, the file has %llu", size, pos,
                         (unsigned long long)len);
    lvl_status status = left ? lvl_rez_claim(r, pos, pos) : LVL_OK;
    if (!size || !left || status != LVL_OK)
        return status;
    const uint64_t limit = pos + (size < left ? size : left);
    /* the total size of bodies that do not overlap is at most that of the file; this bounds the work */
    r->bytes += limit - pos;
    if (lies_in_itself(r, k) || r->bytes > len) {
        lvl_findings_add(r->findings, &lvl_rez_findings[LVL_REZ_DIR_LOOP], &where, NULL, "the body at 0x%x",
                         pos);
        return LVL_OK;
    }
    const uint32_t depth = lvl_limits_of(r->doc->ctx).depth;
    if (r->dirs[k].depth >= depth)
        return lvl_refuse(r->doc->ctx, LVL_LIMIT_DEPTH, depth, r->dirs[k].depth + 1);
    r->dirs[k].limit = limit;
    return lvl_rez_read_entries(r, k, pos, limit, UINT32_MAX);
}

lvl_status lvl_rez_read_dirs(lvl_rez_reader *r, uint32_t from)
{
    lvl_status status = LVL_OK;

    for (uint32_t k = from; k < r->dir_count && status == LVL_OK; k++)
        status = read_dir(r, k);
    return status;
}

lvl_status lvl_rez_read_tree(lvl_rez_reader *r)
{
    const lvl_rez *rez = r->doc->root;
    const lvl_status status = add_dir(r, (lvl_rez_found_dir){.pos = rez->root_pos});

    return status == LVL_OK ? lvl_rez_read_dirs(r, 0) : status;
}
