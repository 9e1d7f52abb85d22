/*
 * wwd/rez.c: REZ version 1, an archive:
 *
 *     0x00  CR LF, 60 bytes of text, CR LF, 60 bytes of text, CR LF, 0x1A
 *     0x7F  u32  version        1
 *     0x83  u32  root_pos       of the root directory's body
 *     0x87  u32  root_size      0: an empty archive
 *     0x8B  u32  root_time      often junk
 *     0x8F  u32  next_write     where the payloads end
 *     0x93  u32  time
 *     0x97  u32  largest_keys, largest_dir, largest_file, largest_comment
 *     0xA7  u8   is_sorted
 *     0xA8  payloads, then directories' bodies
 *
 * A body is entries one after the other, up to its size:
 *
 *     0x00  u32  kind           1: directory, 0: file
 *     0x04  u32  pos, size      of the payload or the directory's body
 *     0x0C  u32  time
 *     0x10  u32  id, type, key_count       files only; type is the extension, reversed
 *           name, NUL
 *           comment, NUL; key_count × u32  files only
 *
 * The game checks byte 0, byte 0x3F, byte 0x7E and the version, not the text. Archives that were worked on hold dead copies of directories between what is
 * alive; they are kept. Read from a LithTech Engine.REZ of 103 512 bytes and an empty archive; the grammar is that of a byte-matching
 * decompilation of Gruntz.
 */
#include "wwd/art_formats.h"
#include "wwd/rez.h"

#include "base/cursor.h"
#include "base/disk.h"
#include "base/text.h"

#include <stdlib.h>

/* clang-format off */
static const lvl_name kind_names[] = {
    {LVL_REZ_FILE, "file", NULL},
    {LVL_REZ_DIR, "dir", "a directory"},
    {0, NULL, NULL},
};
#define FILES_ONLY .when = {offsetof(lvl_rez_entry, kind), sizeof(uint32_t), 1u << LVL_REZ_FILE}
#define DIRS_ONLY  .when = {offsetof(lvl_rez_entry, kind), sizeof(uint32_t), 1u << LVL_REZ_DIR}
static const lvl_field entry_fields[] = {
    LVL_ROW_UINT(lvl_rez_entry, kind, "kind", 0, .names = kind_names, .prose = "file or directory"),
    LVL_ROW(lvl_rez_entry, pos, "pos", LVL_INT, .flags = LVL_F_HEX, .disk = 4, .role = LVL_KEPT, .unit = "bytes", .prose = "where payload or body are in the file; 0: where the writer puts them"),
    LVL_ROW_UINT(lvl_rez_entry, size, "size", 8, .role = LVL_DERIVED, .unit = "bytes", .prose = "of payload or body"),
    LVL_ROW_UINT(lvl_rez_entry, time, "time", 12, .unit = "s", .prose = "of the last change, since 1970"),
    LVL_ROW_UINT(lvl_rez_entry, id, "id", 16, FILES_ONLY, .prose = "a number; not unique"),
    LVL_ROW(lvl_rez_entry, type, "type", LVL_TEXT, .disk = 20, .disk_size = 4, FILES_ONLY, .prose = "the extension, at most four characters; reversed in the file"),
    LVL_ROW_UINT(lvl_rez_entry, key_count, "key_count", 24, .role = LVL_DERIVED, FILES_ONLY, .prose = "number of keys"),
    LVL_ROW_TEXT(lvl_rez_entry, name, "name", .prose = "without the extension; upper case in the games' archives, looked up whatever the case"),
    LVL_ROW_TEXT(lvl_rez_entry, comment, "comment", FILES_ONLY, .prose = "free text"),
    LVL_ROW_INTS(lvl_rez_entry, keys, key_count, "keys", FILES_ONLY, .prose = "numbers to find the file by"),
    LVL_ROW_BYTES(lvl_rez_entry, data, "data", FILES_ONLY, .prose = "the payload"),
    LVL_ROW_LIST(lvl_rez_entry, entries, entry_count, "entries", &lvl_rez_entry_table, lvl_rez_entry, DIRS_ONLY, .prose = "what the directory holds"),
    LVL_ROW_BYTES(lvl_rez_entry, rest, "rest", .role = LVL_UNKNOWN, DIRS_ONLY, .prose = "bytes after the last entry that could be read"),
};
static const lvl_field gap_fields[] = {
    LVL_ROW(lvl_rez_gap, pos, "pos", LVL_INT, .flags = LVL_F_HEX, .disk = LVL_NO_PLACE, .unit = "bytes", .prose = "where in the file"),
    LVL_ROW_BYTES(lvl_rez_gap, data, "data", .prose = "what stands there"),
};
static const lvl_table gap_table = {
    .name = "gap",
    .prose = "Bytes that nothing claims: dead copies of directories, payloads that were replaced.",
    .struct_size = sizeof(lvl_rez_gap),
    .fields = gap_fields,
    .field_count = LVL_COUNT_OF(gap_fields),
    .label = "pos",
};
static const lvl_field rez_fields[] = {
    LVL_ROW(lvl_rez, line_end_0, "line_end_0", LVL_INT, .flags = LVL_F_HEX, .disk = 0x00, .def = 0x0A0D, .prose = "CR LF; the game checks the CR"),
    LVL_ROW(lvl_rez, banner, "banner", LVL_TEXT, .flags = LVL_F_SLOT, .disk = 0x02, .disk_size = 60, .prose = "which program wrote it; blank-padded"),
    LVL_ROW(lvl_rez, line_end_1, "line_end_1", LVL_INT, .flags = LVL_F_HEX, .disk = 0x3E, .def = 0x0A0D, .prose = "CR LF; the game checks the LF"),
    LVL_ROW(lvl_rez, title, "title", LVL_TEXT, .flags = LVL_F_SLOT, .disk = 0x40, .disk_size = 60, .prose = "what it is; blank-padded"),
    LVL_ROW(lvl_rez, line_end_2, "line_end_2", LVL_INT, .flags = LVL_F_HEX, .disk = 0x7C, .def = 0x0A0D, .prose = "CR LF"),
    LVL_ROW(lvl_rez, text_end, "text_end", LVL_INT, .flags = LVL_F_HEX, .disk = 0x7E, .def = 0x1A, .prose = "ends a text for DOS; the game checks it"),
    LVL_ROW_UINT(lvl_rez, version, "version", 0x7F, .def = 1, .prose = "1"),
    LVL_ROW(lvl_rez, root_pos, "root_pos", LVL_INT, .flags = LVL_F_HEX, .disk = 0x83, .role = LVL_KEPT, .unit = "bytes", .prose = "where the root directory's body is; 0: where the writer puts it"),
    LVL_ROW_UINT(lvl_rez, root_size, "root_size", 0x87, .role = LVL_DERIVED, .unit = "bytes", .prose = "of the root directory's body"),
    LVL_ROW_UINT(lvl_rez, root_time, "root_time", 0x8B, .prose = "of the root directory; often junk"),
    LVL_ROW(lvl_rez, next_write, "next_write", LVL_INT, .flags = LVL_F_HEX, .disk = 0x8F, .role = LVL_DERIVED, .unit = "bytes", .prose = "where the payloads end"),
    LVL_ROW_UINT(lvl_rez, time, "time", 0x93, .unit = "s", .prose = "of the last change, since 1970"),
    LVL_ROW_UINT(lvl_rez, largest_keys, "largest_keys", 0x97, .role = LVL_DERIVED, .prose = "the most keys that a file has"),
    LVL_ROW_UINT(lvl_rez, largest_dir, "largest_dir", 0x9B, .role = LVL_DERIVED, .unit = "bytes", .prose = "the longest name of a directory, with its NUL"),
    LVL_ROW_UINT(lvl_rez, largest_file, "largest_file", 0x9F, .role = LVL_DERIVED, .unit = "bytes", .prose = "the longest name of a file, with its NUL"),
    LVL_ROW_UINT(lvl_rez, largest_comment, "largest_comment", 0xA3, .role = LVL_DERIVED, .unit = "bytes", .prose = "the longest comment, with its NUL"),
    LVL_ROW_UINT(lvl_rez, is_sorted, "is_sorted", 0xA7, .def = 1, .prose = "each directory's payloads lie together"),
    LVL_ROW_LIST(lvl_rez, entries, entry_count, "entries", &lvl_rez_entry_table, lvl_rez_entry, .prose = "what the root directory holds"),
    LVL_ROW_BYTES(lvl_rez, rest, "rest", .role = LVL_UNKNOWN, .prose = "bytes of the root directory after the last entry that could be read"),
    LVL_ROW_LIST(lvl_rez, gaps, gap_count, "gaps", &gap_table, lvl_rez_gap, .role = LVL_KEPT, .prose = "bytes that nothing claims"),
    LVL_ROW_UINT(lvl_rez, file_size, "file_size", LVL_NO_PLACE, .role = LVL_KEPT, .unit = "bytes", .prose = "size of the whole file where zeros follow all that is in it; else 0"),
};
/* clang-format on */

static const lvl_identity entry_identities[] = {
    {3, {offsetof(lvl_rez_entry, kind), offsetof(lvl_rez_entry, name), offsetof(lvl_rez_entry, type)}},
};

const lvl_table lvl_rez_entry_table = {
    .name = "entry",
    .prose = "A file or a directory.",
    .struct_size = sizeof(lvl_rez_entry),
    .disk_size = LVL_REZ_FILE_FIXED,
    .fields = entry_fields,
    .field_count = LVL_COUNT_OF(entry_fields),
    .identities = entry_identities,
    .identity_count = LVL_COUNT_OF(entry_identities),
    .label = "name",
};

const lvl_table lvl_rez_table = {
    .name = "rez",
    .prose = "An archive.",
    .struct_size = sizeof(lvl_rez),
    .disk_size = LVL_REZ_HEADER_SIZE,
    .fields = rez_fields,
    .field_count = LVL_COUNT_OF(rez_fields),
};

enum {
    HEADER_SHORT,
    HEADER_MARK,
    VERSION_UNKNOWN,
    ROOT_OUTSIDE,
    DIR_OUTSIDE,
    DIR_LOOP,
    DIR_DEEP,
    DIR_DAMAGED,
    ENTRY_OUTSIDE,
    ENTRY_OVERLAP,
    ENTRY_DOUBLE,
    NAME_UNSAFE,
    NAME_UNSAYABLE,
    GAP
};
static const lvl_finding_def rez_findings[] = {
    [HEADER_SHORT] = {"rez.header.short",
                      "The file is shorter than a REZ's header of 168 bytes.",
                      {LVL_FATAL, LVL_FATAL, LVL_FATAL},
                      NULL},
    [HEADER_MARK] = {"rez.header.mark",
                     "A byte that the game checks isn't what it wants: 0x0D at 0, 0x0A at 0x3F, 0x1A at "
                     "0x7E. It refuses the "
                     "archive.",
                     {LVL_ERROR, LVL_ERROR, LVL_WARNING},
                     NULL},
    [VERSION_UNKNOWN] = {"rez.version",
                         "The version isn't 1: the game refuses the archive.",
                         {LVL_ERROR, LVL_ERROR, LVL_WARNING},
                         NULL},
    [ROOT_OUTSIDE] =
        {"rez.root.outside",
         "The root directory isn't, or not all, within the file: it was cut, and what isn't listed can't be "
         "found.",
         {LVL_ERROR, LVL_ERROR, LVL_ERROR},
         NULL},
    [DIR_OUTSIDE] = {"rez.dir.outside",
                     "A directory's body isn't, or not all, within the file.",
                     {LVL_ERROR, LVL_ERROR, LVL_ERROR},
                     NULL},
    [DIR_LOOP] = {"rez.dir.loop",
                  "A directory's body is, or overlaps, another one that was read already, perhaps one that "
                  "it lies in. It "
                  "isn't entered.",
                  {LVL_ERROR, LVL_ERROR, LVL_ERROR},
                  NULL},
    [DIR_DEEP] = {"rez.dir.deep",
                  "Directories are nested deeper than the limit. This one isn't entered.",
                  {LVL_ERROR, LVL_ERROR, LVL_ERROR},
                  NULL},
    [DIR_DAMAGED] = {"rez.dir.damaged",
                     "A directory's body doesn't end with its last entry: an entry is cut off or is neither "
                     "file nor directory. "
                     "The entries before it are read.",
                     {LVL_ERROR, LVL_ERROR, LVL_ERROR},
                     NULL},
    [ENTRY_OUTSIDE] = {"rez.entry.outside",
                       "A file's payload isn't, or not all, within the archive. What is there is read.",
                       {LVL_ERROR, LVL_ERROR, LVL_ERROR},
                       NULL},
    [ENTRY_OVERLAP] = {"rez.entry.overlap",
                       "Payloads share bytes with each other, with a directory or with the header. Files "
                       "that were packed once and "
                       "listed twice do that, and so do archives made to unpack to far more than their size.",
                       {LVL_WARNING, LVL_WARNING, LVL_WARNING},
                       NULL},
    [ENTRY_DOUBLE] = {"rez.entry.double",
                      "Two entries of a directory have the same name and type, letter case aside. The game "
                      "finds one of them.",
                      {LVL_WARNING, LVL_WARNING, LVL_WARNING},
                      NULL},
    [NAME_UNSAFE] = {"rez.name.unsafe",
                     "A name is empty, or holds a separator, a drive, \"..\" or a control character. "
                     "Extracting it as it stands could "
                     "write outside the target folder; extract leaves it out.",
                     {LVL_ERROR, LVL_WARNING, LVL_WARNING},
                     NULL},
    [NAME_UNSAYABLE] =
        {"rez.name.unsayable",
         "A name or comment holds a NUL, or a type has more than four characters: writing fails.",
         {LVL_ERROR, LVL_ERROR, LVL_ERROR},
         NULL},
    [GAP] = {"rez.gap",
             "Bytes that no entry claims and that aren't zero: usually a dead copy of a directory or a "
             "replaced payload. They are kept.",
             {LVL_NOTE, LVL_NONE, LVL_NONE},
             NULL},
};

static const lvl_field *root_field(size_t offset)
{
    return lvl_table_at(&lvl_rez_table, offset);
}

static const lvl_field *entry_field(size_t offset)
{
    return lvl_table_at(&lvl_rez_entry_table, offset);
}

static int rez_probe(const lvl_probe_input *in)
{
    if (in->size < LVL_REZ_HEADER_SIZE || in->head.len < LVL_REZ_HEADER_SIZE)
        return 0;
    const uint8_t *p = in->head.ptr;
    if (lvl_load_u16le(p) != 0x0A0D || lvl_load_u16le(p + 0x3E) != 0x0A0D ||
        lvl_load_u16le(p + 0x7C) != 0x0A0D || p[0x7E] != 0x1A || lvl_load_u32le(p + 0x7F) != 1)
        return 0;
    return 16 * 3 + 8 + 32;
}

/* ---- reading ------------------------------------------------------------------------------------------------------------------------- */

/* A claimed stretch of the file. */
typedef struct stretch {
    uint64_t from, to;
} stretch;

struct reader {
    lvl_doc *doc;
    lvl_sink *sink;
    lvl_findings *findings;
    uint64_t items;  /* entries so far */
    uint64_t bytes;  /* of bodies so far */
    stretch *claims; /* payloads and bodies */
    size_t claim_count, claim_cap;
    lvl_status status;
};

static bool add_stretch(stretch **list, size_t *count, size_t *cap, uint64_t from, uint64_t to)
{
    if (*count == *cap) {
        size_t more = *cap ? *cap * 2 : 64;
        stretch *bigger = realloc(*list, more * sizeof **list);
        if (!bigger)
            return false;
        *list = bigger;
        *cap = more;
    }
    const stretch s = {from, to};
    (*list)[(*count)++] = s;
    return true;
}

static void claim(struct reader *r, uint64_t from, uint64_t len)
{
    if (len && !add_stretch(&r->claims, &r->claim_count, &r->claim_cap, from, from + len))
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

static void read_payload(struct reader *r, lvl_rez_entry *e, lvl_where where)
{
    const lvl_bytes in = r->doc->input;

    if (e->pos <= in.len) {
        e->data.len = e->size < in.len - e->pos ? e->size : in.len - e->pos;
        e->data.ptr = in.ptr + e->pos;
    }
    if (e->data.len < e->size)
        lvl_findings_add(r->findings, &rez_findings[ENTRY_OUTSIDE], &where, NULL,
                         "%u bytes at 0x%x, %llu are there", e->size, e->pos,
                         (unsigned long long)e->data.len);
    claim(r, e->pos, e->data.len);
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
    const lvl_limits *limits = &r->doc->ctx->limits;
    const lvl_bytes in = r->doc->input;
    const lvl_finding_def *outside = &rez_findings[depth ? DIR_OUTSIDE : ROOT_OUTSIDE];
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
        lvl_findings_add(r->findings, &rez_findings[DIR_LOOP], &where, NULL, "the body at 0x%x", pos);
        return LVL_OK;
    }
    if (depth >= (limits->depth ? limits->depth : 64)) {
        lvl_findings_add(r->findings, &rez_findings[DIR_DEEP], &where, NULL, "the body at 0x%x", pos);
        return LVL_OK;
    }
    claim(r, pos, size);

    const lvl_bytes body = {in.ptr + pos, size};
    lvl_cursor c = lvl_cursor_of(body);
    while (lvl_cursor_left(&c) && take_entry(&c, &raw))
        count++;
    const size_t end = c.pos;
    r->items += count;
    if (limits->items && r->items > limits->items)
        return LVL_ERR_LIMIT;
    b->rest->len = size - end;
    if (b->rest->len) {
        const lvl_where at = lvl_where_to(where, b->rest_field, LVL_NO_INDEX);
        b->rest->ptr = body.ptr + end;
        lvl_findings_add(r->findings, &rez_findings[DIR_DAMAGED], &at, NULL, "%llu bytes after %llu entries",
                         (unsigned long long)b->rest->len, (unsigned long long)count);
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
    tell(r, where, lvl_table_at(&gap_table, offsetof(lvl_rez_gap, data)), NULL, from, to - from,
         LVL_SPAN_SPELLING, "nothing claims it");
    lvl_findings_add(r->findings, &rez_findings[GAP], &where, &pos, "%llu bytes",
                     (unsigned long long)(to - from));
    return LVL_OK;
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
    if (overlap) {
        const lvl_position pos = {.bit = overlap_at * 8, .known = true};
        lvl_findings_add(r->findings, &rez_findings[ENTRY_OVERLAP], NULL, &pos,
                         "%llu payloads or directories begin within others", (unsigned long long)overlap);
    }
    return status;
}

/* Where everything is where our own writer would put it, no place needs keeping. */
static lvl_status drop_canonical(lvl_doc *doc)
{
    const lvl_rez *rez = doc->root;
    lvl_rez_layout layout;
    bool same = rez->gap_count == 0 && rez->file_size == 0;
    lvl_status status = lvl_rez_layout_make(doc, true, &layout);

    if (status != LVL_OK)
        return status;
    for (size_t i = 0; i < layout.count && same; i++) {
        const lvl_rez_place *p = &layout.places[i];
        same = p->pos == (p->entry ? p->entry->pos : rez->root_pos);
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
            lvl_findings_add(findings, &rez_findings[HEADER_MARK], &where, NULL, "0x%llx instead of 0x%llx",
                             (unsigned long long)value, (unsigned long long)f->def);
    }
    if (rez->version != 1) {
        const lvl_where where =
            lvl_where_to(lvl_where_root(), root_field(offsetof(lvl_rez, version)), LVL_NO_INDEX);
        lvl_findings_add(findings, &rez_findings[VERSION_UNKNOWN], &where, NULL, "%u", rez->version);
    }
}

static lvl_status rez_read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
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
        lvl_findings_add(findings, &rez_findings[HEADER_SHORT], NULL, NULL, "%llu bytes",
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

/* ---- checking, info ------------------------------------------------------------------------------------------------------------------ */

static bool is_unsafe(lvl_text name)
{
    if (name.len == 0 || lvl_text_is(name, ".") || lvl_text_is(name, ".."))
        return true;
    for (size_t i = 0; i < name.len; i++) {
        unsigned char c = (unsigned char)name.ptr[i];
        if (c < 0x20 || c == 0x7F || c == '/' || c == '\\' || c == ':')
            return true;
    }
    return false;
}

static int compare_text(lvl_text a, lvl_text b)
{
    size_t n = a.len < b.len ? a.len : b.len;

    for (size_t i = 0; i < n; i++) {
        unsigned char x = (unsigned char)lvl_lower(a.ptr[i]), y = (unsigned char)lvl_lower(b.ptr[i]);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return (a.len > b.len) - (a.len < b.len);
}

/* Pointers to entries, by name, type, and their order in the directory. */
static int by_name(const void *a, const void *b)
{
    const lvl_rez_entry *x = *(const lvl_rez_entry *const *)a, *y = *(const lvl_rez_entry *const *)b;
    int d = compare_text(x->name, y->name);

    if (d == 0 && x->kind != y->kind)
        d = x->kind < y->kind ? -1 : 1;
    if (d == 0)
        d = compare_text(x->type, y->type);
    return d ? d : (x > y) - (x < y);
}

static lvl_status check_doubles(const lvl_rez_entry *entries, uint32_t count, const lvl_field *list,
                                lvl_where where, lvl_findings *findings)
{
    const lvl_rez_entry **sorted = malloc((count ? count : 1) * sizeof *sorted);

    if (!sorted)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = &entries[i];
    qsort(sorted, count, sizeof *sorted, by_name);
    for (uint32_t i = 1; i < count; i++) {
        const lvl_rez_entry *a = sorted[i - 1], *b = sorted[i];
        if (a->kind == b->kind && compare_text(a->name, b->name) == 0 &&
            compare_text(a->type, b->type) == 0) {
            const lvl_where at = lvl_where_to(where, list, (uint32_t)(b - entries));
            lvl_findings_add(findings, &rez_findings[ENTRY_DOUBLE], &at, NULL, "as entry %u",
                             (unsigned)(a - entries));
        }
    }
    free(sorted);
    return LVL_OK;
}

static lvl_status check_entries(const lvl_doc *doc, const lvl_rez_entry *entries, uint32_t count,
                                const lvl_field *list, lvl_where where, lvl_findings *findings)
{
    lvl_status status = check_doubles(entries, count, list, where, findings);
    char shown[80];

    for (uint32_t i = 0; i < count && status == LVL_OK; i++) {
        const lvl_rez_entry *e = &entries[i];
        const lvl_where at = lvl_where_to(where, list, i);
        if (is_unsafe(e->name) || (e->type.len && is_unsafe(e->type)))
            lvl_findings_add(findings, &rez_findings[NAME_UNSAFE], &at, NULL, "\"%s\"",
                             lvl_text_show(shown, sizeof shown, doc->codepage, e->name));
        if ((e->name.len && memchr(e->name.ptr, 0, e->name.len)) || e->type.len > 4 ||
            (e->comment.len && memchr(e->comment.ptr, 0, e->comment.len)))
            lvl_findings_add(findings, &rez_findings[NAME_UNSAYABLE], &at, NULL, "\"%s\"",
                             lvl_text_show(shown, sizeof shown, doc->codepage, e->name));
        if (e->kind == LVL_REZ_DIR)
            status = check_entries(doc, e->entries, e->entry_count,
                                   entry_field(offsetof(lvl_rez_entry, entries)), at, findings);
    }
    return status;
}

static lvl_status rez_check(const lvl_doc *doc, const lvl_check_request *request)
{
    const lvl_rez *rez = doc->root;

    return check_entries(doc, rez->entries, rez->entry_count, root_field(offsetof(lvl_rez, entries)),
                         lvl_where_root(), request->findings);
}

struct totals {
    uint64_t files, dirs, bytes;
};

static void count_all(const lvl_rez_entry *entries, uint32_t count, struct totals *t)
{
    for (uint32_t i = 0; i < count; i++) {
        if (entries[i].kind == LVL_REZ_DIR) {
            t->dirs++;
            count_all(entries[i].entries, entries[i].entry_count, t);
        } else {
            t->files++;
            t->bytes += entries[i].data.len;
        }
    }
}

static lvl_text trimmed(const char *slot, size_t size)
{
    lvl_text t = lvl_text_slot(slot, size);

    while (t.len && t.ptr[t.len - 1] == ' ')
        t.len--;
    return t;
}

static lvl_status rez_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art)
{
    const lvl_rez *rez = doc->root;
    struct totals t = {0, 0, 0};
    uint64_t gaps = 0;

    (void)art;
    count_all(rez->entries, rez->entry_count, &t);
    for (uint32_t i = 0; i < rez->gap_count; i++)
        gaps += rez->gaps[i].data.len;
    lvl_info_text(info, "banner", "Written by", trimmed(rez->banner, sizeof rez->banner));
    lvl_info_text(info, "title", "Title", trimmed(rez->title, sizeof rez->title));
    lvl_info_int(info, "files", "Files", (int64_t)t.files, NULL);
    lvl_info_int(info, "dirs", "Directories", (int64_t)t.dirs, NULL);
    lvl_info_int(info, "payload", "Payload", (int64_t)t.bytes, "bytes");
    lvl_info_int(info, "dead", "Dead", (int64_t)gaps, "bytes");
    return lvl_info_status(info);
}

const lvl_format lvl_format_rez = {
    .id = "rez",
    .family = "wwd",
    .title = "Monolith resource archive",
    .extensions = "rez vrz zzz",
    .notes = "Files are named by name and type, so two of the same name and other types are no doubles. "
             "Payloads aren't compressed.",
    .can = LVL_CAN_WRITE | LVL_CAN_CHECK | LVL_CAN_EXTRACT,
    .codepage = LVL_CP_1252,
    .table = &lvl_rez_table,
    .findings = rez_findings,
    .finding_count = LVL_COUNT_OF(rez_findings),
    .probe = rez_probe,
    .read = rez_read,
    .write = lvl_rez_write,
    .derive = lvl_rez_derive,
    .kept = lvl_rez_kept,
    .forget = lvl_rez_forget,
    .check = rez_check,
    .info = rez_info,
    .open_container = lvl_rez_open_container,
};
