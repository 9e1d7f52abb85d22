/*
 * wap32/rez_read.c: reading a REZ: the tree, within bounds whatever the file says, and what the tree leaves
 * out.
 */
#include "wap32/rez.h"

#include "base/cursor.h"
#include "base/disk.h"
#include "base/text.h"

#include <stdlib.h>

static const lvl_field *root_field(size_t offset)
{
    return lvl_table_at(&lvl_rez_table, offset);
}

static const lvl_field *entry_field(size_t offset)
{
    return lvl_table_at(&lvl_rez_entry_table, offset);
}

/* A claimed stretch of the file. */
typedef struct stretch {
    uint64_t from, to;
    bool is_dir;
} stretch;

struct reader {
    lvl_doc *doc;
    lvl_sink *sink;
    lvl_findings *findings;
    uint64_t items;   /* entries so far */
    uint64_t bytes;   /* of bodies so far */
    uint64_t payload; /* bytes so far */
    stretch *claims;  /* payloads and bodies */
    size_t claim_count, claim_cap;
    lvl_status status;
};

static bool add_stretch(stretch **list, size_t *count, size_t *cap, stretch s)
{
    if (*count == *cap) {
        size_t more = *cap ? *cap * 2 : 64;
        stretch *bigger = realloc(*list, more * sizeof **list);
        if (!bigger)
            return false;
        *list = bigger;
        *cap = more;
    }
    (*list)[(*count)++] = s;
    return true;
}

static void claim(struct reader *r, uint64_t from, uint64_t len, bool is_dir)
{
    if (len && !add_stretch(&r->claims, &r->claim_count, &r->claim_cap, (stretch){from, from + len, is_dir}))
        r->status = LVL_ERR_MEMORY;
}

static void tell(const struct reader *r, lvl_where where, const lvl_field *field, const lvl_table *table,
                 uint64_t at, uint64_t len, lvl_span_role role, const char *note)
{
    if (!r->sink || !len)
        return;
    const lvl_span span = {.bit = at * 8,
                           .bits = len * 8,
                           .role = role,
                           .where = where,
                           .table = table,
                           .field = field,
                           .note = note};
    r->sink->span(r->sink, &span);
}

/* Where one entry lies in its directory's body. */
struct raw_entry {
    const uint8_t *fixed;
    lvl_text name, comment;
    const uint8_t *keys;
    bool is_dir;
};

static bool take_name(lvl_cursor *c, lvl_text *name)
{
    size_t left = lvl_cursor_left(c);
    const uint8_t *from = c->data + c->pos, *nul = left ? memchr(from, 0, left) : NULL;

    if (!nul)
        return false;
    name->ptr = (const char *)from;
    name->len = (size_t)(nul - from);
    c->pos += name->len + 1;
    return true;
}

/* The next entry; false, with the cursor where it was, if there is none that can be read. */
static bool take_entry(lvl_cursor *c, struct raw_entry *raw)
{
    const size_t start = c->pos;

    if (lvl_cursor_left(c) < LVL_REZ_DIR_FIXED)
        return false;
    raw->fixed = c->data + c->pos;
    uint32_t kind = lvl_load_u32le(raw->fixed);
    raw->is_dir = kind == LVL_REZ_DIR;
    size_t fixed = raw->is_dir ? LVL_REZ_DIR_FIXED : LVL_REZ_FILE_FIXED;
    if (kind > LVL_REZ_DIR || lvl_cursor_left(c) < fixed)
        return false;
    c->pos += fixed;
    if (!take_name(c, &raw->name))
        goto back;
    if (raw->is_dir)
        return true;
    uint64_t keys = (uint64_t)lvl_load_u32le(raw->fixed + 24) * 4;
    if (!take_name(c, &raw->comment) || keys > lvl_cursor_left(c))
        goto back;
    raw->keys = c->data + c->pos;
    c->pos += (size_t)keys;
    return true;
back:
    c->pos = start;
    return false;
}

/* The extension: the number's bytes from the highest, without the zeros in front. */
static lvl_status take_type(lvl_doc *doc, uint32_t number, lvl_text *type)
{
    char *text = lvl_arena_alloc(&doc->arena, 4);

    if (!text)
        return LVL_ERR_MEMORY;
    type->ptr = text;
    type->len = 0;
    for (int shift = 24; shift >= 0; shift -= 8) {
        uint8_t c = (uint8_t)(number >> shift);
        if (c || type->len)
            text[type->len++] = (char)c;
    }
    return LVL_OK;
}

enum { SHARED_MOST = 8, SHARED_SLACK = 1 << 20 };

static void read_payload(struct reader *r, lvl_rez_entry *e, lvl_where where)
{
    const lvl_bytes in = r->doc->input;

    if (e->pos <= in.len) {
        e->data.len = e->size < in.len - e->pos ? e->size : in.len - e->pos;
        e->data.ptr = in.ptr + e->pos;
    }
    if (e->data.len < e->size)
        lvl_findings_add(r->findings, &lvl_rez_findings[LVL_REZ_ENTRY_OUTSIDE], &where, NULL,
                         "%u bytes at 0x%x, %llu are there", e->size, e->pos,
                         (unsigned long long)e->data.len);
    /* payloads may be shared, but not without end: unpacked, a small file would fill the disk */
    r->payload += e->data.len;
    if (r->payload / SHARED_MOST > (uint64_t)in.len + SHARED_SLACK) {
        r->payload -= e->data.len;
        lvl_findings_add(r->findings, &lvl_rez_findings[LVL_REZ_ENTRY_MANY], &where, NULL,
                         "%llu bytes at 0x%x", (unsigned long long)e->data.len, e->pos);
        e->data.ptr = NULL;
        e->data.len = 0;
        return;
    }
    claim(r, e->pos, e->data.len, false);
    const lvl_field *data = entry_field(offsetof(lvl_rez_entry, data));
    tell(r, lvl_where_to(where, data, LVL_NO_INDEX), data, NULL, e->pos, e->data.len, LVL_SPAN_FIELD, NULL);
}

static lvl_status read_entry(struct reader *r, const struct raw_entry *raw, lvl_rez_entry *e, lvl_where where)
{
    const uint64_t at = (uint64_t)(raw->fixed - r->doc->input.ptr);
    const size_t fixed = raw->is_dir ? LVL_REZ_DIR_FIXED : LVL_REZ_FILE_FIXED;
    const lvl_field *name = entry_field(offsetof(lvl_rez_entry, name)),
                    *comment = entry_field(offsetof(lvl_rez_entry, comment)),
                    *keys = entry_field(offsetof(lvl_rez_entry, keys));

    lvl_disk_load(e, &lvl_rez_entry_table, raw->fixed, fixed);
    e->name = raw->name;
    tell(r, where, NULL, &lvl_rez_entry_table, at, fixed, LVL_SPAN_FIELD, NULL);
    tell(r, lvl_where_to(where, name, LVL_NO_INDEX), name, NULL, at + fixed, e->name.len + 1, LVL_SPAN_FIELD,
         NULL);
    if (raw->is_dir)
        return LVL_OK;
    e->comment = raw->comment;
    e->keys = lvl_arena_array(&r->doc->arena, e->key_count, sizeof *e->keys);
    if (!e->keys)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < e->key_count; i++)
        e->keys[i] = lvl_load_u32le(raw->keys + (size_t)i * 4);
    tell(r, lvl_where_to(where, comment, LVL_NO_INDEX), comment, NULL, at + fixed + e->name.len + 1,
         e->comment.len + 1, LVL_SPAN_FIELD, NULL);
    tell(r, lvl_where_to(where, keys, LVL_NO_INDEX), keys, NULL,
         at + fixed + e->name.len + 1 + e->comment.len + 1, (uint64_t)e->key_count * 4, LVL_SPAN_FIELD, NULL);
    return take_type(r->doc, lvl_load_u32le(raw->fixed + 20), &e->type);
}

/* One directory: the places of its members in root or entry. */
struct body {
    const struct body *above; /* what it lies in; NULL for the root */
    uint32_t pos;
    lvl_rez_entry **entries;
    uint32_t *count;
    lvl_bytes *rest;
    const lvl_field *list, *rest_field;
};

static lvl_status read_body(struct reader *r, uint32_t size, const struct body *b, lvl_where where,
                            uint32_t depth);

static bool is_loop(const struct body *b)
{
    for (const struct body *up = b->above; up; up = up->above) {
        if (up->pos == b->pos)
            return true;
    }
    return false;
}

static lvl_status read_entries(struct reader *r, lvl_cursor *c, uint32_t count, const struct body *b,
                               lvl_where where, uint32_t depth)
{
    const lvl_field *list = entry_field(offsetof(lvl_rez_entry, entries)),
                    *rest = entry_field(offsetof(lvl_rez_entry, rest));
    lvl_rez_entry *entries = lvl_arena_array(&r->doc->arena, count, sizeof *entries);
    struct raw_entry raw = {0};
    lvl_status status = LVL_OK;

    if (!entries)
        return LVL_ERR_MEMORY;
    *b->entries = entries;
    *b->count = count;
    for (uint32_t i = 0; i < count && status == LVL_OK; i++) {
        const lvl_where at = lvl_where_to(where, b->list, i);
        if (!take_entry(c, &raw))
            return LVL_ERR_FORMAT; /* can't be: they were counted */
        status = read_entry(r, &raw, &entries[i], at);
        if (status == LVL_OK && !raw.is_dir)
            read_payload(r, &entries[i], at);
    }
    for (uint32_t i = 0; i < count && status == LVL_OK; i++) {
        lvl_rez_entry *e = &entries[i];
        const struct body inner = {b, e->pos, &e->entries, &e->entry_count, &e->rest, list, rest};
        if (e->kind == LVL_REZ_DIR)
            status = read_body(r, e->size, &inner, lvl_where_to(where, b->list, i), depth + 1);
    }
    return status;
}

static lvl_status read_body(struct reader *r, uint32_t size, const struct body *b, lvl_where where,
                            uint32_t depth)
{
    const uint32_t pos = b->pos;
    const lvl_limits limits = lvl_limits_of(r->doc->ctx);
    const lvl_bytes in = r->doc->input;
    const lvl_finding_def *outside = &lvl_rez_findings[depth ? LVL_REZ_DIR_OUTSIDE : LVL_REZ_ROOT_OUTSIDE];
    struct raw_entry raw = {0};
    uint64_t count = 0;

    if (size == 0)
        return LVL_OK;
    if (pos >= in.len || size > in.len - pos)
        lvl_findings_add(r->findings, outside, &where, NULL, "%u bytes at 0x%x, the file has %llu", size, pos,
                         (unsigned long long)in.len);
    if (pos >= in.len)
        return LVL_OK;
    if (size > in.len - pos)
        size = (uint32_t)(in.len - pos);
    /* bodies that don't overlap can't be more than the file in all, which bounds the work */
    r->bytes += size;
    if (is_loop(b) || r->bytes > in.len) {
        lvl_findings_add(r->findings, &lvl_rez_findings[LVL_REZ_DIR_LOOP], &where, NULL, "the body at 0x%x",
                         pos);
        return LVL_OK;
    }
    if (depth >= limits.depth) {
        lvl_findings_add(r->findings, &lvl_rez_findings[LVL_REZ_DIR_DEEP], &where, NULL, "the body at 0x%x",
                         pos);
        return LVL_OK;
    }
    claim(r, pos, size, true);

    const lvl_bytes body = {in.ptr + pos, size};
    lvl_cursor c = lvl_cursor_of(body);
    while (lvl_cursor_left(&c) && take_entry(&c, &raw))
        count++;
    const size_t end = c.pos;
    r->items += count;
    if (r->items > limits.items)
        return LVL_ERR_LIMIT;
    b->rest->len = size - end;
    if (b->rest->len) {
        const lvl_where at = lvl_where_to(where, b->rest_field, LVL_NO_INDEX);
        b->rest->ptr = body.ptr + end;
        lvl_findings_add(r->findings, &lvl_rez_findings[LVL_REZ_DIR_DAMAGED], &at, NULL,
                         "%llu bytes after %llu entries", (unsigned long long)b->rest->len,
                         (unsigned long long)count);
        tell(r, at, b->rest_field, NULL, (uint64_t)pos + end, b->rest->len, LVL_SPAN_RESIDUE, NULL);
    }
    c.pos = 0;
    lvl_status status = read_entries(r, &c, (uint32_t)count, b, where, depth);
    return status == LVL_OK ? r->status : status;
}

static int by_from(const void *a, const void *b)
{
    const stretch *x = a, *y = b;

    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* What nothing claims between two claims: zeros are padding, the rest is kept. */
static lvl_status read_gap(struct reader *r, uint64_t from, uint64_t to)
{
    lvl_rez *rez = r->doc->root;
    const uint8_t *p = r->doc->input.ptr;
    const lvl_field *list = root_field(offsetof(lvl_rez, gaps));
    uint64_t i = from;

    while (i < to && p[i] == 0)
        i++;
    if (i == to) {
        tell(r, lvl_where_root(), NULL, NULL, from, to - from, LVL_SPAN_PADDING, "zeros between");
        return LVL_OK;
    }
    if (from > UINT32_MAX)
        return LVL_ERR_LIMIT;
    lvl_rez_gap *gap = &rez->gaps[rez->gap_count];
    const lvl_where where = lvl_where_to(lvl_where_root(), list, rez->gap_count++);
    const lvl_position pos = {.bit = from * 8, .bits = (to - from) * 8, .known = true};
    gap->pos = (uint32_t)from;
    gap->data.ptr = p + from;
    gap->data.len = (size_t)(to - from);
    tell(r, where, lvl_table_at(&lvl_rez_gap_table, offsetof(lvl_rez_gap, data)), NULL, from, to - from,
         LVL_SPAN_SPELLING, "nothing claims it");
    lvl_findings_add(r->findings, &lvl_rez_findings[LVL_REZ_GAP], &where, &pos, "%llu bytes",
                     (unsigned long long)(to - from));
    return LVL_OK;
}

/* Whether something that is not only zeros, and that no entry claims, holds all of these bytes. */
static bool in_gap(const lvl_rez *rez, uint32_t pos, uint32_t size)
{
    uint32_t low = 0, high = rez->gap_count;

    while (low < high) {
        const uint32_t mid = low + (high - low) / 2;
        if (rez->gaps[mid].pos <= pos)
            low = mid + 1;
        else
            high = mid;
    }
    return low && size &&
           (uint64_t)pos + size <= rez->gaps[low - 1].pos + (uint64_t)rez->gaps[low - 1].data.len;
}

/* Whether entries go on in a gap behind a directory. Old copies of directories may stand there too, but what
 * they list is listed elsewhere: only an entry whose content nothing else claims is hidden. */
static bool hides_entries(const lvl_rez *rez, lvl_bytes gap)
{
    lvl_cursor c = lvl_cursor_of(gap);
    struct raw_entry raw = {0};

    while (lvl_cursor_left(&c) && take_entry(&c, &raw)) {
        bool is_name = raw.name.len > 0;
        for (size_t i = 0; i < raw.name.len; i++)
            is_name = is_name && (uint8_t)raw.name.ptr[i] >= ' ';
        if (!is_name)
            return false;
        if (in_gap(rez, lvl_load_u32le(raw.fixed + 4), lvl_load_u32le(raw.fixed + 8)))
            return true;
    }
    return false;
}

/* Entries behind the end of a directory, by a size that is too low. The claims are sorted, and so are the gaps
 * between them. */
static void find_hidden(const struct reader *r)
{
    const lvl_rez *rez = r->doc->root;
    uint64_t at = LVL_REZ_HEADER_SIZE;
    bool is_dir = false;
    uint32_t gap = 0;

    for (size_t i = 0; i <= r->claim_count && gap < rez->gap_count; i++) {
        const stretch end = {r->doc->input.len, r->doc->input.len, false};
        const stretch *s = i < r->claim_count ? &r->claims[i] : &end;
        if (s->from > at && rez->gaps[gap].pos == at) {
            const lvl_bytes data = rez->gaps[gap++].data;
            const lvl_position pos = {.bit = at * 8, .bits = (uint64_t)data.len * 8, .known = true};
            if (is_dir && hides_entries(rez, data))
                lvl_findings_add(r->findings, &lvl_rez_findings[LVL_REZ_DIR_HIDES], NULL, &pos,
                                 "the directory that ends at 0x%llx", (unsigned long long)at);
        }
        if (s->to >= at) {
            is_dir = s->is_dir || (is_dir && s->to == at);
            at = s->to;
        }
    }
}

static lvl_status read_gaps(struct reader *r)
{
    lvl_rez *rez = r->doc->root;
    const uint64_t len = r->doc->input.len;
    uint64_t at = LVL_REZ_HEADER_SIZE, overlap = 0, overlap_at = 0;
    lvl_status status = LVL_OK;

    if (r->claim_count)
        qsort(r->claims, r->claim_count, sizeof *r->claims, by_from);
    rez->gaps = lvl_arena_array(&r->doc->arena, r->claim_count + 1, sizeof *rez->gaps);
    if (!rez->gaps)
        return LVL_ERR_MEMORY;
    for (size_t i = 0; i < r->claim_count && status == LVL_OK; i++) {
        const stretch *s = &r->claims[i];
        if (s->from > at)
            status = read_gap(r, at, s->from);
        if (s->from < at && overlap++ == 0)
            overlap_at = s->from;
        at = s->to > at ? s->to : at;
    }
    if (status == LVL_OK && at < len) {
        /* zeros at the end of the file need its size to come again */
        const uint32_t gaps = rez->gap_count;
        status = read_gap(r, at, len);
        if (status == LVL_OK && rez->gap_count == gaps)
            rez->file_size = len <= UINT32_MAX ? (uint32_t)len : 0;
    }
    if (status == LVL_OK && r->findings)
        find_hidden(r);
    if (overlap) {
        rez->overlap = 1;
        const lvl_position pos = {.bit = overlap_at * 8, .known = true};
        lvl_findings_add(r->findings, &lvl_rez_findings[LVL_REZ_ENTRY_OVERLAP], NULL, &pos,
                         "%llu payloads or directories begin within others", (unsigned long long)overlap);
    }
    return status;
}

/* Where everything is where our own writer would put it, no place needs keeping. */
static lvl_status drop_canonical(lvl_doc *doc)
{
    const lvl_rez *rez = doc->root;
    lvl_rez_layout layout;
    bool same = rez->gap_count == 0 && rez->file_size == 0 && rez->overlap == 0;
    lvl_status status = lvl_rez_layout_make(doc, LVL_REZ_CANONICAL, &layout);

    if (status == LVL_ERR_LIMIT) /* payloads listed many times over: only their places make them fit */
        return LVL_OK;
    if (status != LVL_OK)
        return status;
    for (size_t i = 0; i < layout.count && same; i++) {
        const lvl_rez_place *p = &layout.places[i];
        same = p->entry ? p->pos == p->entry->pos && p->size == p->entry->size
                        : p->pos == rez->root_pos && p->size == rez->root_size;
    }
    if (same)
        lvl_rez_forget(doc);
    lvl_rez_layout_free(&layout);
    return LVL_OK;
}

static void check_header(const lvl_rez *rez, lvl_findings *findings)
{
    static const struct {
        size_t offset;
        int64_t mask;
    } marks[] = {
        {offsetof(lvl_rez, line_end_0), 0xFF},
        {offsetof(lvl_rez, line_end_1), 0xFF00},
        {offsetof(lvl_rez, text_end), 0xFF},
    };

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const lvl_field *f = root_field(marks[i].offset);
        const lvl_where where = lvl_where_to(lvl_where_root(), f, LVL_NO_INDEX);
        int64_t value = lvl_get_int(rez, f);
        if ((value & marks[i].mask) != (f->def & marks[i].mask))
            lvl_findings_add(findings, &lvl_rez_findings[LVL_REZ_HEADER_MARK], &where, NULL,
                             "0x%llx instead of 0x%llx", (unsigned long long)value,
                             (unsigned long long)f->def);
    }
    if (rez->version != 1) {
        const lvl_where where =
            lvl_where_to(lvl_where_root(), root_field(offsetof(lvl_rez, version)), LVL_NO_INDEX);
        lvl_findings_add(findings, &lvl_rez_findings[LVL_REZ_VERSION_UNKNOWN], &where, NULL, "%u",
                         rez->version);
    }
}

lvl_status lvl_rez_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    lvl_rez *rez = doc->root;
    struct reader r = {.doc = doc, .sink = sink, .findings = findings, .status = LVL_OK};
    struct body root = {NULL,
                        0,
                        &rez->entries,
                        &rez->entry_count,
                        &rez->rest,
                        root_field(offsetof(lvl_rez, entries)),
                        root_field(offsetof(lvl_rez, rest))};

    if (doc->input.len < LVL_REZ_HEADER_SIZE) {
        lvl_findings_add(findings, &lvl_rez_findings[LVL_REZ_HEADER_SHORT], NULL, NULL, "%llu bytes",
                         (unsigned long long)doc->input.len);
        return LVL_ERR_FORMAT;
    }
    lvl_disk_load(rez, &lvl_rez_table, doc->input.ptr, LVL_REZ_HEADER_SIZE);
    tell(&r, lvl_where_root(), NULL, &lvl_rez_table, 0, LVL_REZ_HEADER_SIZE, LVL_SPAN_FIELD, NULL);
    check_header(rez, findings);
    root.pos = rez->root_pos;
    lvl_status status = read_body(&r, rez->root_size, &root, lvl_where_root(), 0);
    if (status == LVL_OK)
        status = read_gaps(&r);
    if (status == LVL_OK)
        status = drop_canonical(doc);
    free(r.claims);
    return status;
}
