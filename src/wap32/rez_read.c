/*
 * wap32/rez_read.c: reading a REZ, damaged or not: the tree, entries after the end of a directory whose size
 * is too low, and the bytes that no entry refers to.
 */
#include "wap32/formats.h"
#include "wap32/rez.h"

#include "base/arena.h"
#include "base/cursor.h"
#include "base/disk.h"
#include "base/search.h"
#include "base/text.h"
#include "base/work.h"

#include <stdlib.h>

/* Bytes of the file from `from` up to `to`, exclusive. */
typedef struct range {
    uint64_t from, to;
    /* of a gap: no directory has more entries there, [0] one that ends before it, [1] one that extends into
     * it */
    bool hides_none[2];
} range;

/* A directory. Others refer to it by its index, since the list that has its entry may be reallocated. */
typedef struct found_dir {
    uint32_t parent, index; /* the directory that has its entry, and the entry's index; 0, 0 of the root */
    uint32_t depth;
    uint32_t pos;
    uint64_t end; /* of the entries that could be read */
    uint64_t limit; /* of the body by its size, at most the end of the file */
} found_dir;

struct reader {
    lvl_doc *doc;
    lvl_sink *sink;
    lvl_findings *findings;
    uint64_t items; /* entries so far */
    uint64_t bytes; /* of directories so far */
    uint64_t payload; /* bytes so far */
    range *claims; /* payloads and directories; and an empty range where each directory begins */
    size_t claim_count, claim_cap;
    found_dir *dirs;
    uint32_t dir_count;
    size_t dir_cap;
    uint64_t tried; /* bytes that place_dir read */
    int64_t shift; /* how far the root directory moved, and perhaps what is before it; 0: not */
};

static lvl_status claim(struct reader *r, uint64_t from, uint64_t to)
{
    if (!lvl_grow(&r->claims, &r->claim_cap, r->claim_count + 1, sizeof *r->claims))
        return LVL_ERR_MEMORY;
    r->claims[r->claim_count++] = (range){.from = from, .to = to};
    return LVL_OK;
}

static lvl_status add_dir(struct reader *r, found_dir dir)
{
    if (!lvl_grow(&r->dirs, &r->dir_cap, r->dir_count + 1, sizeof *r->dirs))
        return LVL_ERR_MEMORY;
    r->dirs[r->dir_count++] = dir;
    return LVL_OK;
}

static lvl_rez_dir dir_at(const struct reader *r, uint32_t k)
{
    const found_dir *d = &r->dirs[k];

    if (k == 0)
        return lvl_rez_root(r->doc->root);
    return lvl_rez_dir_of(&(*dir_at(r, d->parent).entries)[d->index]);
}

static lvl_where where_of(const struct reader *r, uint32_t k)
{
    const found_dir *d = &r->dirs[k];

    if (k == 0)
        return lvl_where_root();
    const lvl_field *list = d->parent ? LVL_FIELD(lvl_rez_entry, entries) : LVL_FIELD(lvl_rez, entries);
    return lvl_where_to(where_of(r, d->parent), list, d->index);
}

/* ---- entries ------------------------------------------------------------------------------------------- */

/* The parts of an entry in its directory's body. */
struct raw_entry {
    const uint8_t *fixed;
    lvl_text name, comment;
    const uint8_t *keys;
    bool is_dir;
};

/* Reads the next entry; false, with the cursor unchanged, if it is cut off or of no known kind. */
static bool take_entry(lvl_cursor *c, struct raw_entry *raw)
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

/* The extension: the number's bytes from the highest, without leading zeros. */
static lvl_text type_of(const struct raw_entry *raw, char buf[4])
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

static lvl_status read_entry(struct reader *r, const struct raw_entry *raw, lvl_rez_entry *e, lvl_where where)
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
    e->type = type_of(raw, type);
    return LVL_OK;
}

/* Payloads may share bytes, but in all they may have at most MAX_SHARED times the bytes of the file;
 * otherwise a small file could fill a disk when it is extracted. */
enum { MAX_SHARED = 8, SHARED_SLACK = 1 << 20 };

static lvl_status read_payload(struct reader *r, lvl_rez_entry *e, lvl_where where)
{
    const lvl_bytes in = r->doc->input;
    const uint64_t left = e->pos < in.len ? in.len - e->pos : 0, len = e->size < left ? e->size : left;

    if (len < e->size)
        lvl_findings_add(r->findings, &lvl_rez_findings[LVL_REZ_ENTRY_OUTSIDE], &where, NULL,
                         "%u bytes at 0x%x, found %llu", e->size, e->pos, (unsigned long long)len);
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
    return claim(r, e->pos, e->pos + len);
}

static bool is_printable(lvl_text name)
{
    for (size_t i = 0; i < name.len; i++) {
        if ((uint8_t)name.ptr[i] < ' ')
            return false;
    }
    return name.len > 0;
}

/* Whether `size` bytes at `pos` are the entries of a directory, end to end. */
static bool is_body(const struct reader *r, int64_t pos, uint32_t size)
{
    const lvl_bytes in = r->doc->input;
    struct raw_entry raw;

    if (!size || pos < LVL_REZ_HEADER_SIZE || (uint64_t)pos > in.len || size > in.len - (uint64_t)pos)
        return false;
    lvl_cursor c = lvl_cursor_of((lvl_bytes){in.ptr + pos, size});
    while (lvl_cursor_left(&c)) {
        if (!take_entry(&c, &raw) || !is_printable(raw.name))
            return false;
    }
    return true;
}

/* Where a directory's body is: where its entry says, or as far from there as the root directory. Bodies that
 * overlap are read a few times at most. */
static uint32_t place_dir(struct reader *r, lvl_rez_entry *e)
{
    enum { TRIES = 4 };

    if (!r->shift || r->tried / TRIES > r->doc->input.len)
        return e->pos;
    r->tried += (uint64_t)e->size * 2;
    if (!is_body(r, e->pos, e->size) && is_body(r, e->pos + r->shift, e->size))
        e->pos = (uint32_t)(e->pos + r->shift);
    return e->pos;
}

/* Appends the entries between two bytes of the file to directory `k`, at most `most` of them. */
static lvl_status read_entries(struct reader *r, uint32_t k, uint64_t from, uint64_t to, uint32_t most)
{
    const lvl_bytes area = {r->doc->input.ptr + from, (size_t)(to - from)};
    const lvl_rez_dir dir = dir_at(r, k);
    const lvl_where where = where_of(r, k);
    const uint32_t old = *dir.count, depth = r->dirs[k].depth;
    lvl_cursor c = lvl_cursor_of(area);
    struct raw_entry raw = {0};
    uint32_t count = 0;

    while (count < most && take_entry(&c, &raw))
        count++;
    r->items += count;
    const uint64_t items = lvl_limits_of(r->doc->ctx).items;
    if (r->items > items)
        return lvl_refuse(r->doc->ctx, LVL_LIMIT_ITEMS, items, r->items);
    r->dirs[k].end = from + c.pos;
    lvl_status status = claim(r, from, from + c.pos);
    lvl_rez_entry *entries = lvl_arena_array(&r->doc->arena, (size_t)old + count, sizeof *entries);
    if (!entries)
        return LVL_ERR_MEMORY;
    if (old)
        memcpy(entries, *dir.entries, old * sizeof *entries);
    *dir.entries = entries;
    *dir.count = old + count;
    c.pos = 0;
    for (uint32_t i = old; i < old + count && status == LVL_OK && take_entry(&c, &raw); i++) {
        const lvl_where at = lvl_where_to(where, dir.list, i);
        status = read_entry(r, &raw, &entries[i], at);
        if (status == LVL_OK)
            status = raw.is_dir ? add_dir(r, (found_dir){k, i, depth + 1, place_dir(r, &entries[i]), 0, 0})
                     : r->shift ? LVL_OK /* read_moved decides where they are */
                                : read_payload(r, &entries[i], at);
    }
    return status;
}

static bool lies_in_itself(const struct reader *r, uint32_t k)
{
    const uint32_t pos = r->dirs[k].pos;

    while (k) {
        k = r->dirs[k].parent;
        if (r->dirs[k].pos == pos)
            return true;
    }
    return false;
}

static lvl_status read_dir(struct reader *r, uint32_t k)
{
    const uint64_t len = r->doc->input.len, left = r->dirs[k].pos < len ? len - r->dirs[k].pos : 0;
    const uint32_t pos = r->dirs[k].pos;
    const lvl_rez_dir dir = dir_at(r, k);
    const uint32_t size =
        k ? ((const lvl_rez_entry *)dir.record)->size : ((const lvl_rez *)dir.record)->root_size;
    const lvl_where where = where_of(r, k);

    r->dirs[k].end = r->dirs[k].limit = pos;
    if (size > left)
        lvl_findings_add(r->findings, &lvl_rez_findings[k ? LVL_REZ_DIR_OUTSIDE : LVL_REZ_ROOT_OUTSIDE],
                         &where, NULL, "%u bytes at 0x%x, the file has %llu", size, pos,
                         (unsigned long long)len);
    lvl_status status = left ? claim(r, pos, pos) : LVL_OK;
    if (!size || !left || status != LVL_OK)
        return status;
    const uint64_t limit = pos + (size < left ? size : left);
    /* bodies that do not overlap have at most the bytes of the file in all; this bounds the work */
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
    return read_entries(r, k, pos, limit, UINT32_MAX);
}

/* ---- an archive of which bytes are missing, or there twice ------------------------------------------- */

/* Sets r->shift and the root's position if it is not where the header says, but ends with the file, as in all
 * known archives. doc->state becomes the position in the header. */
static lvl_status find_root(struct reader *r)
{
    lvl_rez *rez = r->doc->root;
    const size_t len = r->doc->input.len;

    if (is_body(r, rez->root_pos, rez->root_size) || rez->root_size > len || len > UINT32_MAX ||
        !is_body(r, (int64_t)(len - rez->root_size), rez->root_size))
        return LVL_OK;
    r->doc->state = lvl_arena_copy(&r->doc->arena, &rez->root_pos, sizeof rez->root_pos);
    r->shift = (int64_t)(len - rez->root_size) - rez->root_pos;
    rez->root_pos = (uint32_t)(len - rez->root_size);
    return r->doc->state ? LVL_OK : LVL_ERR_MEMORY;
}

/* A file whose payload may have moved. */
typedef struct moved_file {
    uint32_t dir, index; /* of its entry */
    uint32_t pos;
    /* 1: its bytes are of the kind that its name says where it would be if it moved, -1: where its entry
     * says */
    int8_t gain;
} moved_file;

static int by_pos(const void *a, const void *b)
{
    const moved_file *x = a, *y = b;

    return x->pos != y->pos ? (x->pos < y->pos ? -1 : 1) : 0;
}

/* Whether the bytes of an entry at that position are of the kind that its extension says. */
static bool is_of_kind(const struct reader *r, const lvl_rez_entry *e, int64_t pos)
{
    const lvl_bytes in = r->doc->input;
    char name[8] = "x.";

    if (pos < LVL_REZ_HEADER_SIZE || (uint64_t)pos >= in.len)
        return false;
    memcpy(name + 2, e->type.ptr, e->type.len);
    const uint64_t left = in.len - (uint64_t)pos;
    const lvl_bytes bytes = {in.ptr + pos, (size_t)(e->size < left ? e->size : left)};
    const lvl_format *format = lvl_formats_probe_file(r->doc->ctx, bytes, name, NULL);
    return format && lvl_format_has_extension(format, e->type);
}

/* The first of the files, sorted by position, that moved: most of the files from it on are of their kind
 * where they would be then, and most of those before it where their entries say. */
static size_t find_break(const moved_file *files, size_t count)
{
    int64_t gain = 0, best = 0;
    size_t first = count;

    for (size_t i = count; i-- > 0;) {
        gain += files[i].gain;
        if (gain > best) {
            best = gain;
            first = i;
        }
    }
    return first;
}

/* Lists the files of all directories. NULL: no memory. */
static moved_file *list_files(const struct reader *r, size_t *count)
{
    moved_file *files = malloc(((size_t)r->items + 1) * sizeof *files);

    *count = 0;
    for (uint32_t k = 0; files && k < r->dir_count; k++) {
        const lvl_rez_dir dir = dir_at(r, k);
        for (uint32_t i = 0; i < *dir.count; i++) {
            const lvl_rez_entry *e = &(*dir.entries)[i];
            if (e->kind != LVL_REZ_DIR)
                files[(*count)++] = (moved_file){k, i, e->pos, 0};
        }
    }
    if (*count)
        qsort(files, *count, sizeof *files, by_pos);
    return files;
}

/* Reads the payloads of an archive whose root moved. */
static lvl_status read_moved(struct reader *r)
{
    enum { PROBE = 8192 /* steps, of two probes */ };
    size_t count;
    moved_file *files = list_files(r, &count);
    lvl_status status = files ? lvl_charge(r->doc->ctx, (uint64_t)count * PROBE) : LVL_ERR_MEMORY;

    for (size_t i = 0; i < count && status == LVL_OK; i++) {
        const lvl_rez_entry *e = &(*dir_at(r, files[i].dir).entries)[files[i].index];
        files[i].gain = (int8_t)(is_of_kind(r, e, e->pos + r->shift) - is_of_kind(r, e, e->pos));
    }
    const size_t first = status == LVL_OK ? find_break(files, count) : 0;
    for (size_t i = 0; i < count && status == LVL_OK; i++) {
        const lvl_rez_dir dir = dir_at(r, files[i].dir);
        lvl_rez_entry *e = &(*dir.entries)[files[i].index];
        if (i >= first)
            e->pos = (uint32_t)(e->pos + r->shift);
        status = read_payload(r, e, lvl_where_to(where_of(r, files[i].dir), dir.list, files[i].index));
    }
    free(files);
    if (status == LVL_OK) {
        const lvl_rez *rez = r->doc->root;
        const uint32_t *declared = r->doc->state;
        lvl_report_at(r->findings, &lvl_rez_findings[LVL_REZ_ROOT_MOVED],
                      lvl_where_member(lvl_where_root(), &lvl_rez_table, offsetof(lvl_rez, root_pos)),
                      "expected at 0x%lx, found at 0x%lx; %zu of %zu files moved, too",
                      (unsigned long)*declared, (unsigned long)rez->root_pos, count - first, count);
    }
    return status;
}

/* ---- unclaimed bytes ----------------------------------------------------------------------------------- */

static int by_from(const void *a, const void *b)
{
    const range *x = a, *y = b;

    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* Sorts the claims and sets `gaps` to the ranges between them, at most one more than claims. `split`: a gap
 * also ends where a directory begins. `overlap` (may be NULL) gets the first claim that begins within
 * another. */
static size_t find_gaps(struct reader *r, bool split, range *gaps, range *overlap)
{
    const uint64_t len = r->doc->input.len;
    uint64_t at = LVL_REZ_HEADER_SIZE;
    size_t n = 0;

    if (r->claim_count)
        qsort(r->claims, r->claim_count, sizeof *r->claims, by_from);
    for (size_t i = 0; i < r->claim_count; i++) {
        const range *s = &r->claims[i];
        if (s->from == s->to && (!split || s->from < at))
            continue;
        if (s->from > at)
            gaps[n++] = (range){.from = at, .to = s->from};
        if (s->from < at && overlap && !overlap->to)
            *overlap = *s;
        at = s->to > at ? s->to : at;
    }
    if (at < len)
        gaps[n++] = (range){.from = at, .to = len};
    return n;
}

/* The gap that has all of these bytes, or NULL. */
static range *gap_with(range *gaps, size_t count, uint64_t from, uint64_t len)
{
    size_t at;

    LVL_LOWER_BOUND(at, count, gaps[at].from <= from);
    return at && len <= gaps[at - 1].to && from <= gaps[at - 1].to - len ? &gaps[at - 1] : NULL;
}

static bool is_listed(const lvl_rez_dir *dir, const struct raw_entry *raw)
{
    char buf[4];
    const lvl_text type = type_of(raw, buf);

    for (uint32_t i = 0; i < *dir->count; i++) {
        const lvl_rez_entry *e = &(*dir->entries)[i];
        if (lvl_text_equal(e->name, raw->name) && lvl_text_equal(e->type, type))
            return true;
    }
    return false;
}

/* The payload that an entry refers to, and its name. */
typedef struct target {
    uint32_t pos, size;
    lvl_text name;
} target;

static int by_target(const void *a, const void *b)
{
    const target *x = a, *y = b;

    if (x->pos != y->pos)
        return x->pos < y->pos ? -1 : 1;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    if (x->name.len != y->name.len)
        return x->name.len < y->name.len ? -1 : 1;
    return x->name.len ? memcmp(x->name.ptr, y->name.ptr, x->name.len) : 0;
}

/* The targets of all entries, sorted; NULL if out of memory. */
static target *list_targets(const struct reader *r, size_t *count)
{
    target *targets = malloc(((size_t)r->items + 1) * sizeof *targets);

    *count = 0;
    for (uint32_t k = 0; targets && k < r->dir_count; k++) {
        const lvl_rez_dir dir = dir_at(r, k);
        for (uint32_t i = 0; i < *dir.count; i++) {
            const lvl_rez_entry *e = &(*dir.entries)[i];
            targets[(*count)++] = (target){e->pos, e->size, e->name};
        }
    }
    if (*count)
        qsort(targets, *count, sizeof *targets, by_target);
    return targets;
}

/* What a search for hidden entries needs. */
struct hiding {
    range *gaps;
    size_t gap_count;
    target *targets; /* of the entries that were read */
    size_t target_count;
};

static bool is_zero(const lvl_cursor *c)
{
    for (size_t i = c->pos; i < c->len; i++) {
        if (c->data[i])
            return false;
    }
    return true;
}

/* The number of entries that follow the end of directory `k` and belong to it. Dead copies of directories lie
 * in such places, too. The entries differ from these: the directory's size ends within them, or one has a
 * payload that no other entry has, or only zeros follow them in the gap. They end before an entry whose
 * payload is outside of the file, or also listed elsewhere with the same name. */
static uint32_t count_hidden(const struct reader *r, uint32_t k, const struct hiding *h)
{
    const uint64_t from = r->dirs[k].end;
    range *gap = gap_with(h->gaps, h->gap_count, from, 1);
    const lvl_rez_dir dir = dir_at(r, k);
    struct raw_entry raw = {0};
    const bool extends = from < r->dirs[k].limit;
    bool alive = extends;
    uint32_t count = 0;

    if (!gap || gap->hides_none[extends])
        return 0;
    lvl_cursor c = lvl_cursor_of((lvl_bytes){r->doc->input.ptr + from, (size_t)(gap->to - from)});
    while (take_entry(&c, &raw) && is_printable(raw.name)) {
        const uint32_t pos = lvl_load_u32le(raw.fixed + 4), size = lvl_load_u32le(raw.fixed + 8);
        const bool claimed = size && !gap_with(h->gaps, h->gap_count, pos, size);
        const target t = {pos, size, raw.name};
        if (claimed && ((uint64_t)pos + size > r->doc->input.len ||
                        bsearch(&t, h->targets, h->target_count, sizeof t, by_target)))
            break;
        if (!count && is_listed(&dir, &raw))
            return 0;
        alive = alive || (size && !claimed) || is_zero(&c);
        count++;
    }
    gap->hides_none[extends] = !alive || !count;
    return alive ? count : 0;
}

/* The index of the first directory that hides entries, or dir_count; *count gets their number. Directories
 * without any entries go first, since another one may end where they begin. */
static uint32_t find_hiding(const struct reader *r, const struct hiding *h, uint32_t *count)
{
    for (int read = 0; read < 2; read++) {
        for (uint32_t k = 0; k < r->dir_count; k++) {
            *count = (r->dirs[k].end > r->dirs[k].pos) == read ? count_hidden(r, k, h) : 0;
            if (*count)
                return k;
        }
    }
    return r->dir_count;
}

/* Reads the entries that directories hide. */
static lvl_status read_hidden(struct reader *r)
{
    enum { ROUNDS = 8 }; /* directories; entries that more of them hide are kept as unclaimed bytes */
    lvl_status status = LVL_OK;
    bool found = true;

    for (int round = 0; round < ROUNDS && found && status == LVL_OK; round++) {
        struct hiding h = {.gaps = malloc((r->claim_count + 1) * sizeof *h.gaps)};
        const uint32_t dirs = r->dir_count;
        uint32_t count = 0, k = 0;
        h.targets = h.gaps ? list_targets(r, &h.target_count) : NULL;
        if (h.targets) {
            h.gap_count = find_gaps(r, true, h.gaps, NULL);
            k = find_hiding(r, &h, &count);
        } else {
            status = LVL_ERR_MEMORY;
        }
        free(h.gaps);
        free(h.targets);
        found = count > 0;
        if (!found)
            break;
        const lvl_where where = where_of(r, k);
        status = read_entries(r, k, r->dirs[k].end, r->doc->input.len, count);
        lvl_findings_add(r->findings, &lvl_rez_findings[LVL_REZ_DIR_HIDES], &where, NULL,
                         "declares %llu bytes, found %llu: %u more entries",
                         (unsigned long long)(r->dirs[k].limit - r->dirs[k].pos),
                         (unsigned long long)(r->dirs[k].end - r->dirs[k].pos), count);
        for (uint32_t i = dirs; i < r->dir_count && status == LVL_OK; i++)
            status = read_dir(r, i);
    }
    return status;
}

/* Bytes of directories after the last entry that could be read. */
static lvl_status read_rests(struct reader *r)
{
    lvl_status status = LVL_OK;

    for (uint32_t k = 0; k < r->dir_count && status == LVL_OK; k++) {
        const uint64_t end = r->dirs[k].end, limit = r->dirs[k].limit;
        const lvl_rez_dir dir = dir_at(r, k);
        if (end >= limit)
            continue;
        const lvl_where where = where_of(r, k), at = lvl_where_to(where, dir.rest_field, LVL_NO_INDEX);
        *dir.rest = (lvl_bytes){r->doc->input.ptr + end, (size_t)(limit - end)};
        lvl_findings_add(r->findings, &lvl_rez_findings[LVL_REZ_DIR_DAMAGED], &at, NULL,
                         "%llu bytes after %u entries", (unsigned long long)(limit - end), *dir.count);
        lvl_emit_field(r->sink, where, dir.rest_field, end, limit - end, LVL_SPAN_RESIDUE);
        status = claim(r, end, limit);
    }
    return status;
}

/* Zeros between parts are padding. Other unclaimed bytes are kept, and so are zeros at the end of the file,
 * which determine its size. */
static void keep_gap(struct reader *r, range gap)
{
    lvl_rez *rez = r->doc->root;
    const lvl_field *list = LVL_FIELD(lvl_rez, gaps), *data = LVL_FIELD(lvl_rez_gap, data);
    const uint64_t len = gap.to - gap.from;
    const uint8_t *p = r->doc->input.ptr;
    uint64_t i = gap.from;

    while (i < gap.to && p[i] == 0)
        i++;
    if (i == gap.to && gap.to < r->doc->input.len) {
        lvl_emit_span(r->sink, gap.from, len, (lvl_span){.role = LVL_SPAN_PADDING, .note = "zeros between"});
        return;
    }
    const lvl_where where = lvl_where_to(lvl_where_root(), list, rez->gap_count);
    const lvl_position pos = {.bit = gap.from * 8, .bits = len * 8, .known = true};
    rez->gaps[rez->gap_count++] = (lvl_rez_gap){(uint32_t)gap.from, {p + gap.from, (size_t)len}};
    lvl_emit_span(
        r->sink, gap.from, len,
        (lvl_span){
            .role = LVL_SPAN_SPELLING, .where = where, .field = data, .note = "no entry refers to it"});
    if (i < gap.to)
        lvl_findings_add(r->findings, &lvl_rez_findings[LVL_REZ_GAP], &where, &pos, "%llu bytes",
                         (unsigned long long)len);
}

static lvl_status read_gaps(struct reader *r)
{
    lvl_rez *rez = r->doc->root;
    range *gaps = malloc((r->claim_count + 1) * sizeof *gaps), overlap = {0};
    lvl_status status = gaps ? LVL_OK : LVL_ERR_MEMORY;

    rez->gaps = lvl_arena_array(&r->doc->arena, r->claim_count + 1, sizeof *rez->gaps);
    if (!rez->gaps)
        status = LVL_ERR_MEMORY;
    const size_t count = status == LVL_OK ? find_gaps(r, false, gaps, &overlap) : 0;
    for (size_t i = 0; i < count && status == LVL_OK; i++) {
        if (gaps[i].from > UINT32_MAX)
            status = lvl_refuse_fixed(r->doc->ctx, "bytes in a REZ archive", UINT32_MAX, gaps[i].from);
        else
            keep_gap(r, gaps[i]);
    }
    const lvl_position pos = {.bit = overlap.from * 8, .known = true};
    if (overlap.to)
        lvl_findings_add(r->findings, &lvl_rez_findings[LVL_REZ_ENTRY_OVERLAP], NULL, &pos,
                         "the payload or directory at 0x%llx begins within another",
                         (unsigned long long)overlap.from);
    free(gaps);
    return status;
}

/* Keeps the positions that the file gives, in the order of the nodes of a layout. */
static lvl_status keep_declared(lvl_doc *doc)
{
    const lvl_bytes in = doc->input;
    lvl_rez *rez = doc->root;
    lvl_rez_layout l;

    lvl_status status = lvl_rez_layout_make(doc, false, &l);
    if (status != LVL_OK)
        return status;
    uint32_t *declared = lvl_arena_array(&doc->arena, l.count, sizeof *declared);
    if (declared) {
        declared[0] = *(const uint32_t *)doc->state;
        rez->declared = declared;
        rez->declared_count = (uint32_t)l.count;
    }
    for (size_t i = 0; declared && i < l.count; i++) {
        const lvl_rez_node *node = &l.nodes[i];
        const uint32_t pos = node->entry ? node->entry->pos : rez->root_pos;
        const lvl_rez_dir dir = node->entry ? lvl_rez_dir_of(node->entry) : l.root;
        struct raw_entry raw;
        if (!lvl_rez_is_dir(node) || pos > in.len)
            continue;
        lvl_cursor c = lvl_cursor_of((lvl_bytes){in.ptr + pos, in.len - pos});
        for (uint32_t k = 0; k < *dir.count && take_entry(&c, &raw); k++)
            declared[node->first + k] = lvl_load_u32le(raw.fixed + LVL_FIELD(lvl_rez_entry, pos)->disk);
    }
    lvl_rez_layout_free(&l);
    return declared ? LVL_OK : LVL_ERR_MEMORY;
}

/* Drops the kept positions if the writer would choose the same ones. */
static lvl_status drop_canonical(lvl_doc *doc)
{
    const lvl_rez *rez = doc->root;
    lvl_rez_layout layout;
    lvl_status status = lvl_rez_layout_make(doc, true, &layout);

    if (status != LVL_OK)
        return status;
    bool same = rez->gap_count == 0;
    for (size_t i = 0; i < layout.count && same; i++)
        same = layout.nodes[i].pos == (i ? layout.nodes[i].entry->pos : rez->root_pos);
    if (same)
        lvl_doc_drop_kept_members(doc);
    lvl_rez_layout_free(&layout);
    return LVL_OK;
}

static void check_header(const lvl_rez *rez, lvl_findings *findings)
{
    static const struct {
        size_t offset;
        uint32_t mask; /* what the game checks */
        int finding;
    } marks[] = {
        {offsetof(lvl_rez, line_end_0), 0xFF, LVL_REZ_HEADER_MARK},
        {offsetof(lvl_rez, line_end_1), 0xFF00, LVL_REZ_HEADER_MARK},
        {offsetof(lvl_rez, text_end), 0xFF, LVL_REZ_HEADER_MARK},
        {offsetof(lvl_rez, version), UINT32_MAX, LVL_REZ_VERSION_UNKNOWN},
    };

    for (size_t i = 0; i < LVL_COUNT_OF(marks); i++) {
        const lvl_field *f = lvl_table_at(&lvl_rez_table, marks[i].offset);
        const int64_t value = lvl_get_int(rez, f);
        if ((value ^ f->def) & marks[i].mask)
            lvl_report_at(findings, &lvl_rez_findings[marks[i].finding],
                          lvl_where_to(lvl_where_root(), f, LVL_NO_INDEX), "expected 0x%llx, found 0x%llx",
                          (unsigned long long)f->def, (unsigned long long)value);
    }
}

lvl_status lvl_rez_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    lvl_rez *rez = doc->root;
    struct reader r = {.doc = doc, .sink = sink, .findings = findings};

    lvl_status status = lvl_read_header(doc, sink, &lvl_rez_findings[LVL_REZ_HEADER_SHORT], findings);
    if (status != LVL_OK)
        return status;
    check_header(rez, findings);
    status = find_root(&r);
    if (status == LVL_OK)
        status = add_dir(&r, (found_dir){.pos = rez->root_pos});
    for (uint32_t k = 0; k < r.dir_count && status == LVL_OK; k++)
        status = read_dir(&r, k);
    if (status == LVL_OK && r.shift)
        status = read_moved(&r);
    if (status == LVL_OK && !r.shift)
        status = read_hidden(&r);
    if (status == LVL_OK)
        status = read_rests(&r);
    if (status == LVL_OK)
        status = read_gaps(&r);
    if (status == LVL_OK)
        status = r.shift ? keep_declared(doc) : drop_canonical(doc);
    free(r.claims);
    free(r.dirs);
    return status;
}
