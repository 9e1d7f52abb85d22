/*
 * container/archive.c: archives of other programs, read only: zips by container/zip.h, all others by
 * libarchive, where it is there.
 *
 * Of a zip only the directory is read; members are inflated when they are asked for. Other archives may be
 * compressed as a whole, so that reading one member means reading all before it: they are read once, in the
 * order of their bytes, and kept in memory.
 */
#include "container/container.h"

#include "base/buffer.h"
#include "base/locale.h"
#include "base/text.h"
#include "base/work.h"
#include "container/zip.h"

#include <stdio.h>
#include <string.h>

#ifdef LVL_HAVE_ARCHIVE
#include <archive.h>
#include <archive_entry.h>
#endif

/* ---- kinds ------------------------------------------------------------------------------------------------
 * */

static const struct {
    const char *kind;
    size_t at, len;
    const char *magic;
    bool is_filter; /* perhaps one compressed file, which is no archive */
} kinds[] = {
    {"zip", 0, 4, "PK\3\4", false},
    {"zip", 0, 4, "PK\5\6", false},
    {"7z", 0, 6, "7z\xBC\xAF\x27\x1C", false},
    {"rar", 0, 6, "Rar!\x1A\7", false},
    {"tar", 257, 5, "ustar", false},
    {"gzip", 0, 3, "\x1F\x8B\10", true},
    {"xz", 0, 6,
     "\xFD"
     "7zXZ",
     true},
    {"bzip2", 0, 3, "BZh", true},
    {"zstd", 0, 4, "\x28\xB5\x2F\xFD", true},
    {"lz4", 0, 4, "\4\x22\x4D\x18", true},
    {"lzip", 0, 4, "LZIP", true},
    {"lzma", 0, 3, "\x5D\0\0", true},
    {"compress", 0, 2, "\x1F\x9D", true},
    {"cab", 0, 4, "MSCF", false},
    {"lha", 2, 3, "-lh", false},
    {"lha", 2, 3, "-lz", false},
    {"cpio", 0, 5, "07070", false},
    {"cpio", 0, 2, "\xC7\x71", false},
    {"ar", 0, 8, "!<arch>\n", false},
    /* which libarchive does not read */
    {"lzop", 0, 4, "\x89LZO", true},
    {"lrzip", 0, 4, "LRZI", true},
    {"arj", 0, 2, "\x60\xEA", false},
    {"ace", 7, 7, "**ACE**", false},
    {"zoo", 0, 4, "ZOO ", false},
    {"StuffIt", 0, 4, "SIT!", false},
    {"StuffIt", 0, 7, "StuffIt", false},
};

static bool has_magic(size_t kind, lvl_bytes head)
{
    return head.len >= kinds[kind].at + kinds[kind].len &&
           memcmp(head.ptr + kinds[kind].at, kinds[kind].magic, kinds[kind].len) == 0;
}

/* The kind by the first bytes; LVL_COUNT_OF(kinds): none of them. */
static size_t find_magic(lvl_bytes head)
{
    size_t i = 0;

    while (i < LVL_COUNT_OF(kinds) && !has_magic(i, head))
        i++;
    return i;
}

const char *lvl_archive_kind(lvl_bytes head)
{
    enum { ISO_AT = 0x8001 };

    const size_t i = find_magic(head);

    if (i < LVL_COUNT_OF(kinds))
        return kinds[i].kind;
    return head.len >= ISO_AT + 5 && memcmp(head.ptr + ISO_AT, "CD001", 5) == 0 ? "iso" : NULL;
}

static bool is_filter(lvl_bytes head)
{
    const size_t i = find_magic(head);

    return i < LVL_COUNT_OF(kinds) && kinds[i].is_filter;
}

bool lvl_archive_is_foreign(lvl_bytes head)
{
    const size_t i = find_magic(head);

    if (i < LVL_COUNT_OF(kinds)) /* two bytes may also begin a palette */
        return strcmp(kinds[i].kind, "zip") != 0 && !kinds[i].is_filter && kinds[i].len > 2;
    return lvl_archive_kind(head) != NULL;
}

bool lvl_archive_named(const char *name)
{
    static const char *const endings[] = {".zip", ".7z",  ".rar", ".tar", ".tgz", ".gz",  ".tbz",
                                          ".bz2", ".txz", ".xz",  ".zst", ".lz4", ".lz",  ".lzma",
                                          ".tlz", ".z",   ".cab", ".iso", ".lha", ".lzh", ".cpio",
                                          ".lzo", ".arj", ".ace", ".zoo", ".sit"};
    const size_t len = strlen(name);

    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        const size_t n = strlen(endings[i]);
        if (len > n && lvl_path_compare(name + len - n, endings[i]) == 0)
            return true;
    }
    return false;
}

/* ---- the box ----------------------------------------------------------------------------------------------
 * */

/* A member of an archive that was read at once. */
typedef struct stored_member {
    lvl_text path;
    lvl_bytes content;
    uint64_t size; /* as declared */
    int64_t time;
    bool is_dir, damaged, encrypted;
    struct stored_member *next;
} stored_member;

typedef struct archive_box {
    lvl_tree tree;
    lvl_arena arena; /* what was read */
    lvl_bytes bytes;
    bool is_zip;
    lvl_zip zip;
    stored_member *first;
    bool damaged;
} archive_box;

static archive_box *box_of(const lvl_container *c)
{
    return (archive_box *)(uintptr_t)c;
}

static void box_close(lvl_container *c)
{
    archive_box *box = box_of(c);

    lvl_tree_end(&box->tree);
    lvl_arena_free(&box->arena);
    lvl_mem_free(c->ctx, box);
}

static lvl_status box_status(const lvl_container *c)
{
    return box_of(c)->damaged ? LVL_ERR_LOSS : LVL_OK;
}

static lvl_status read_zip(const archive_box *box, const lvl_zip_member *member, lvl_bytes *view,
                           lvl_buffer *storage)
{
    bool sound = false;

    const lvl_status status = lvl_zip_inflate(box->tree.base.ctx, member, storage, view, &sound);
    if (status == LVL_ERR_MISSING)
        return LVL_ERR_FORMAT;
    return status == LVL_OK && !sound ? LVL_ERR_LOSS : status;
}

static lvl_status box_read(const lvl_container *c, const lvl_entry *entry, lvl_bytes *view,
                           lvl_buffer *storage)
{
    const archive_box *box = box_of(c);

    if (box->is_zip)
        return read_zip(box, lvl_tree_item(entry), view, storage);
    const stored_member *member = lvl_tree_item(entry);
    if (member->encrypted)
        return LVL_ERR_UNSUPPORTED;
    *view = member->content;
    return member->damaged ? LVL_ERR_LOSS : LVL_OK;
}

static const lvl_container_ops box_ops = {
    .count = lvl_tree_count,
    .at = lvl_tree_at,
    .find = lvl_tree_find,
    .list = lvl_tree_list,
    .read = box_read,
    .close = box_close,
    .status = box_status,
};

static lvl_status fill_zip(lvl_tree *tree)
{
    const archive_box *box = (const archive_box *)tree;

    for (uint32_t i = 0; i < box->zip.count; i++) {
        lvl_zip_member *m = &box->zip.members[i];
        const bool is_dir = m->name.len && m->name.ptr[m->name.len - 1] == '/';
        if (!m->name.len)
            continue;
        tree->codepage = lvl_utf8_valid(m->name) ? LVL_CP_UTF8 : LVL_CP_1252;
        if (!lvl_tree_add_path(tree, m->name, is_dir, m->size, 0, m))
            return LVL_ERR_MEMORY;
    }
    return LVL_OK;
}

static lvl_status fill_stored(lvl_tree *tree)
{
    const archive_box *box = (const archive_box *)tree;

    for (stored_member *m = box->first; m; m = m->next) {
        tree->codepage = lvl_utf8_valid(m->path) ? LVL_CP_UTF8 : LVL_CP_1252;
        if (m->path.len && !lvl_tree_add_path(tree, m->path, m->is_dir, m->size, m->time, m))
            return LVL_ERR_MEMORY;
    }
    return LVL_OK;
}

/* ---- libarchive -------------------------------------------------------------------------------------------
 * */

#ifdef LVL_HAVE_ARCHIVE

/* What may still be read of an archive: memory for its content, and a share of its own size. */
typedef struct allowance {
    const lvl_ctx *ctx;
    uint64_t left, most;
    uint64_t items;
    uint64_t entries; /* that were read */
    bool by_ratio; /* the share of its size is less than the memory */
} allowance;

/* Counts `more` bytes of content, which stand at the end of `len` ones. */
static lvl_status allow(allowance *allowed, uint64_t len, uint64_t more)
{
    const uint64_t most = lvl_limits_of(allowed->ctx).input_bytes;

    if (more > allowed->left)
        return allowed->by_ratio ? lvl_refuse_ratio(allowed->ctx, allowed->most)
                                 : lvl_refuse(allowed->ctx, LVL_LIMIT_MEMORY, allowed->most, 0);
    allowed->left -= more;
    if (len + more > most)
        return lvl_refuse(allowed->ctx, LVL_LIMIT_INPUT, most, len + more);
    return lvl_charge(allowed->ctx, (size_t)more / 4);
}

/* Reads the content of the entry. A broken one is kept as far as it goes, for which blocks are read:
 * archive_read_data drops what precedes an error. */
static lvl_status read_content(archive_box *box, struct archive *a, allowance *allowed, stored_member *m)
{
    lvl_buffer content = {0};
    lvl_status status = LVL_OK;

    while (status == LVL_OK) {
        const void *block;
        size_t n = 0;
        la_int64_t at = 0;
        const int found = archive_read_data_block(a, &block, &n, &at);
        if (found == ARCHIVE_RETRY)
            continue;
        if (found == ARCHIVE_EOF) { /* a sparse file may end with a hole */
            if (at <= 0 || (uint64_t)at <= content.len)
                break;
            n = 0;
        } else if (found != ARCHIVE_OK) {
            m->damaged = true;
            if (found != ARCHIVE_WARN)
                break;
        }
        if (at < 0 || (uint64_t)at < content.len) {
            m->damaged = true;
            break;
        }
        const uint64_t hole = (uint64_t)at - content.len;
        status = allow(allowed, content.len, hole);
        if (status == LVL_OK)
            status = allow(allowed, (uint64_t)at, n);
        if (status != LVL_OK)
            break;
        lvl_buffer_fill(&content, 0, (size_t)hole);
        lvl_buffer_add(&content, block, n);
        status = content.status;
        if (found == ARCHIVE_EOF)
            break;
    }
    if (status == LVL_OK && content.len) {
        m->content = (lvl_bytes){lvl_arena_copy(&box->arena, content.data, content.len), content.len};
        status = m->content.ptr ? LVL_OK : lvl_arena_status(&box->arena, LVL_ERR_MEMORY);
    }
    lvl_buffer_free(&content);
    return status;
}

/* The path of an entry, in UTF-8 if the archive says which characters it has; of one that cannot be written
 * so, its number among the entries: no content is left out. `made`: where it may be. */
static const char *path_of(struct archive_entry *e, const allowance *allowed, lvl_buffer *made)
{
    const char *path = archive_entry_pathname(e);

    if (path && lvl_utf8_valid(lvl_text_of(path)))
        return path;
    if (lvl_locale_put_wide(made, archive_entry_pathname_w(e)))
        return (const char *)made->data;
    path = archive_entry_pathname_utf8(e);
    path = path ? path : archive_entry_pathname(e);
    if (path)
        return path;
    lvl_buffer_printf(made, "unnamed-%llu", (unsigned long long)allowed->entries - 1);
    lvl_buffer_u8(made, 0);
    return made->status == LVL_OK ? (const char *)made->data : NULL;
}

/* One entry of the archive, as a member of the box. */
static lvl_status add_entry(archive_box *box, struct archive *a, struct archive_entry *e, allowance *allowed,
                            stored_member ***end)
{
    const unsigned type = archive_entry_filetype(e);

    enum { HEADER_STEPS = 1024 }; /* reading one takes more than a microsecond */

    allowed->entries++;
    if (allowed->items-- == 0)
        return lvl_refuse(allowed->ctx, LVL_LIMIT_ITEMS, lvl_limits_of(allowed->ctx).items, 0);
    const lvl_status charged = lvl_charge(allowed->ctx, HEADER_STEPS);
    if (charged != LVL_OK || (type && type != AE_IFREG && type != AE_IFDIR))
        return charged; /* links and devices hold nothing */
    stored_member *m = lvl_arena_alloc(&box->arena, sizeof *m);
    lvl_buffer made = {0};
    const char *path = m ? path_of(e, allowed, &made) : NULL;
    const size_t len = path ? strlen(path) : 0;
    char *copy = path ? lvl_arena_copy(&box->arena, path, len + 1) : NULL;
    lvl_buffer_free(&made);
    if (!copy)
        return lvl_arena_status(&box->arena, LVL_ERR_MEMORY);
    *m = (stored_member){.path = {copy, len}, .is_dir = type == AE_IFDIR};
    m->time = archive_entry_mtime_is_set(e) ? (int64_t)archive_entry_mtime(e) : 0;
    **end = m;
    *end = &m->next;
    const lvl_status status = m->is_dir ? LVL_OK : read_content(box, a, allowed, m);
    m->size = archive_entry_size_is_set(e) && archive_entry_size(e) > 0 ? (uint64_t)archive_entry_size(e) : 0;
    if (m->size < m->content.len)
        m->size = m->content.len;
    m->encrypted = archive_entry_is_data_encrypted(e) > 0;
    m->damaged = (m->damaged || (!m->is_dir && m->size > m->content.len)) && !m->encrypted;
    box->damaged = box->damaged || m->damaged;
    return status;
}

/* `filter`: by its first bytes it may also be a single compressed file, which is no archive. */
static lvl_status read_stored(archive_box *box, const lvl_ctx *ctx, bool filter)
{
    const lvl_limits limits = lvl_limits_of(ctx);
    const uint64_t share = lvl_memory_share(ctx), ratio = (uint64_t)limits.inflate_ratio;
    const uint64_t by_size = box->bytes.len < share / ratio ? (box->bytes.len + 64) * ratio : share;
    allowance allowed = {ctx, by_size < share ? by_size : share, 0, limits.items, 0, by_size < share};
    struct archive *a = archive_read_new();
    struct archive_entry *e = NULL;
    stored_member **end = &box->first;
    lvl_status status = LVL_OK;

    allowed.most = allowed.left;
    if (!a)
        return LVL_ERR_MEMORY;
    const lvl_locale locale = lvl_locale_begin(); /* names of 7z, cab and iso are converted */
    /* no filters that run other programs */
    archive_read_support_filter_gzip(a);
    archive_read_support_filter_bzip2(a);
    archive_read_support_filter_xz(a);
    archive_read_support_filter_lzma(a);
    archive_read_support_filter_zstd(a);
    archive_read_support_filter_lz4(a);
    archive_read_support_filter_lzip(a);
    archive_read_support_filter_compress(a);
    archive_read_support_format_tar(a);
    archive_read_support_format_7zip(a);
    archive_read_support_format_rar(a);
    archive_read_support_format_rar5(a);
    archive_read_support_format_cab(a);
    archive_read_support_format_iso9660(a);
    archive_read_support_format_lha(a);
    archive_read_support_format_cpio(a);
    archive_read_support_format_ar(a);
    int found = archive_read_open_memory(a, box->bytes.ptr, box->bytes.len);
    while (status == LVL_OK && found == ARCHIVE_OK) {
        found = archive_read_next_header(a, &e);
        if (found == ARCHIVE_WARN || found == ARCHIVE_RETRY)
            found = ARCHIVE_OK;
        if (found == ARCHIVE_OK)
            status = add_entry(box, a, e, &allowed, &end);
    }
    if (status == LVL_OK && found != ARCHIVE_EOF) {
        box->damaged = true;
        /* libarchive must not be asked for more if it does not know the format */
        const bool known = archive_format(a) && !filter && archive_read_has_encrypted_entries(a) <= 0;
        if (!box->first)
            status = known ? LVL_ERR_FORMAT : LVL_ERR_UNSUPPORTED;
    }
    archive_read_free(a);
    lvl_locale_end(&locale);
    return status;
}

#else

static lvl_status read_stored(archive_box *box, const lvl_ctx *ctx, bool filter)
{
    (void)box;
    (void)ctx;
    (void)filter;
    return LVL_ERR_UNSUPPORTED;
}

#endif

lvl_status lvl_container_archive(const lvl_ctx *ctx, lvl_bytes bytes, lvl_container **out)
{
    const char *kind = lvl_archive_kind(bytes);
    const bool is_zip = kind ? strcmp(kind, "zip") == 0 : bytes.len && lvl_zip_ends(bytes);

    *out = NULL;
    if (!kind && !is_zip)
        return LVL_ERR_UNSUPPORTED;
    archive_box *box = lvl_mem_alloc(ctx, sizeof *box);
    if (!box)
        return LVL_ERR_MEMORY;
    memset(box, 0, sizeof *box);
    lvl_arena_init(&box->arena, ctx);
    lvl_arena_init(&box->tree.arena, ctx);
    box->tree.base.ctx = ctx;
    box->bytes = bytes;
    box->is_zip = is_zip;
    lvl_status status =
        is_zip ? lvl_zip_read(&box->arena, ctx, bytes, &box->zip) : read_stored(box, ctx, is_filter(bytes));
    box->damaged = box->damaged || (is_zip && box->zip.salvaged);
    if (status == LVL_OK)
        status = lvl_tree_begin(&box->tree, ctx, LVL_CP_UTF8, &box_ops, is_zip ? fill_zip : fill_stored);
    if (status != LVL_OK) {
        status = lvl_arena_status(&box->arena, status);
        box_close(&box->tree.base);
        return status;
    }
    *out = &box->tree.base;
    return LVL_OK;
}
