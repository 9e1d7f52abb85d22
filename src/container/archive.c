/*
 * container/archive.c: archives of other programs, read only: zips by container/zip.h, all others by
 * libarchive, where it is there.
 *
 * Of a zip only the directory is read; members are inflated when they are asked for. Other archives may be
 * compressed as a whole, so that reading one member means reading all before it: they are read once, in the
 * order of their bytes, and kept in memory.
 */
#include "container/archive.h"
#include "container/container.h"

#include "base/buffer.h"
#include "base/cursor.h"
#include "base/locale.h"
#include "base/text.h"
#include "base/work.h"
#include "codec/inflate.h"
#include "container/zip.h"

#include <stdio.h>
#include <string.h>

#ifdef LVL_HAVE_ARCHIVE
#include <archive.h>
#include <archive_entry.h>
#endif

/* ---- the box ------------------------------------------------------------------------------------------ */

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

/* ---- libarchive --------------------------------------------------------------------------------------- */

#ifdef LVL_HAVE_ARCHIVE

/* What may still be read of an archive: memory for its content, and a share of its own size. */
typedef struct allowance {
    const lvl_ctx *ctx;
    uint64_t most, left;
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
static lvl_status read_content(struct archive *a, allowance *allowed, lvl_buffer *content, bool *damaged)
{
    lvl_status status = LVL_OK;

    while (status == LVL_OK) {
        const void *block;
        size_t n = 0;
        la_int64_t at = 0;
        const int found = archive_read_data_block(a, &block, &n, &at);
        if (found == ARCHIVE_RETRY)
            continue;
        if (found == ARCHIVE_EOF) { /* a sparse file may end with a hole */
            if (at <= 0 || (uint64_t)at <= content->len)
                break;
            n = 0;
        } else if (found != ARCHIVE_OK) {
            *damaged = true;
            if (found != ARCHIVE_WARN)
                break;
        }
        if (at < 0 || (uint64_t)at < content->len) {
            *damaged = true;
            break;
        }
        const uint64_t hole = (uint64_t)at - content->len;
        status = allow(allowed, content->len, hole);
        if (status == LVL_OK)
            status = allow(allowed, (uint64_t)at, n);
        if (status != LVL_OK)
            break;
        lvl_buffer_fill(content, 0, (size_t)hole);
        lvl_buffer_add(content, block, n);
        status = content->status;
        if (found == ARCHIVE_EOF)
            break;
    }
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
    lvl_buffer content = {0};
    lvl_status status = m->is_dir ? LVL_OK : read_content(a, allowed, &content, &m->damaged);
    if (status == LVL_OK && content.len) {
        m->content = (lvl_bytes){lvl_arena_copy(&box->arena, content.data, content.len), content.len};
        status = m->content.ptr ? LVL_OK : lvl_arena_status(&box->arena, LVL_ERR_MEMORY);
    }
    lvl_buffer_free(&content);
    m->size = archive_entry_size_is_set(e) && archive_entry_size(e) > 0 ? (uint64_t)archive_entry_size(e) : 0;
    if (m->size < m->content.len)
        m->size = m->content.len;
    m->encrypted = archive_entry_is_data_encrypted(e) > 0;
    m->damaged = (m->damaged || (!m->is_dir && m->size > m->content.len)) && !m->encrypted;
    box->damaged = box->damaged || m->damaged;
    return status;
}

/* For `len` bytes of an archive. */
static allowance allow_for(const lvl_ctx *ctx, uint64_t len)
{
    const lvl_limits limits = lvl_limits_of(ctx);
    const uint64_t share = lvl_memory_share(ctx), ratio = (uint64_t)limits.inflate_ratio;
    const uint64_t by_size = len < share / ratio ? (len + 64) * ratio : share;
    const uint64_t most = by_size < share ? by_size : share;

    return (allowance){ctx, most, most, limits.items, 0, by_size < share};
}

/* None of these runs other programs. */
static void support_filters(struct archive *a)
{
    archive_read_support_filter_gzip(a);
    archive_read_support_filter_bzip2(a);
    archive_read_support_filter_xz(a);
    archive_read_support_filter_lzma(a);
    archive_read_support_filter_zstd(a);
    archive_read_support_filter_lz4(a);
    archive_read_support_filter_lzip(a);
    archive_read_support_filter_compress(a);
}

/* Whether it is a compressed file whose stream is broken. */
static lvl_status find_broken_stream(lvl_bytes bytes, const lvl_ctx *ctx, bool *broken)
{
    allowance allowed = allow_for(ctx, bytes.len);
    struct archive *a = archive_read_new();
    struct archive_entry *e = NULL;
    lvl_buffer content = {0};

    if (!a)
        return LVL_ERR_MEMORY;
    support_filters(a);
    archive_read_support_format_raw(a);
    int found = archive_read_open_memory(a, bytes.ptr, bytes.len);
    /* the last filter is the file itself; one that finds a break at once fails to open */
    const bool packed = found != ARCHIVE_OK || archive_filter_count(a) > 1;
    if (found == ARCHIVE_OK)
        found = archive_read_next_header(a, &e);
    *broken = packed && found != ARCHIVE_OK && found != ARCHIVE_EOF;
    const lvl_status status =
        packed && found == ARCHIVE_OK ? read_content(a, &allowed, &content, broken) : LVL_OK;
    lvl_buffer_free(&content);
    archive_read_free(a);
    return status;
}

/* `filter`: by its first bytes it may also be a single compressed file, which is no archive. */
static lvl_status read_stored(archive_box *box, const lvl_ctx *ctx, bool filter)
{
    allowance allowed = allow_for(ctx, box->bytes.len);
    struct archive *a = archive_read_new();
    struct archive_entry *e = NULL;
    stored_member **end = &box->first;
    lvl_status status = LVL_OK;

    if (!a)
        return LVL_ERR_MEMORY;
    const lvl_locale locale = lvl_locale_begin(); /* names of 7z, cab and iso are converted */
    support_filters(a);
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
        bool broken = archive_format(a) && !filter && archive_read_has_encrypted_entries(a) <= 0;
        if (!box->first && filter)
            status = find_broken_stream(box->bytes, ctx, &broken);
        if (!box->first && status == LVL_OK)
            status = broken ? LVL_ERR_FORMAT : LVL_ERR_UNSUPPORTED;
    }
    archive_read_free(a);
    lvl_locale_end(&locale);
    return status;
}

/* A member of a zip that is compressed otherwise than by deflate, which libarchive may know: it gets an
 * archive of its own, with the sizes that the directory has. LVL_ERR_UNSUPPORTED: it does not. */
static lvl_status read_zip_other(const lvl_ctx *ctx, const lvl_zip_member *member, lvl_buffer *storage,
                                 lvl_bytes *view)
{
    enum { FLAGS = 6, END_MARKER = 2, VERSION = 63 };
    allowance allowed = allow_for(ctx, member->packed.len);
    struct archive *a = archive_read_new();
    struct archive_entry *e = NULL;
    lvl_buffer file = {0};
    bool damaged = false;
    const uint32_t flags = member->local.len ? lvl_load_u16le(member->local.ptr + FLAGS) & END_MARKER : 0;

    if (!a)
        return LVL_ERR_MEMORY;
    lvl_buffer_add(&file, "PK\3\4", 4);
    lvl_buffer_u32le(&file, VERSION | flags << 16);
    lvl_buffer_u32le(&file, member->method);
    lvl_buffer_fill(&file, 0, 2); /* with the two bytes before, its time */
    lvl_buffer_u32le(&file, member->crc);
    lvl_buffer_u32le(&file, (uint32_t)member->packed.len);
    lvl_buffer_u32le(&file, (uint32_t)member->size);
    lvl_buffer_u32le(&file, 1); /* length of its name, and no extra fields */
    lvl_buffer_u8(&file, 'x'); /* its name */
    lvl_buffer_add(&file, member->packed.ptr, member->packed.len);
    lvl_status status = file.status;
    if (status == LVL_OK) {
        archive_read_support_format_zip_streamable(a);
        int found = archive_read_open_memory(a, file.data, file.len);
        if (found == ARCHIVE_OK)
            found = archive_read_next_header(a, &e);
        status = found == ARCHIVE_OK ? read_content(a, &allowed, storage, &damaged) : LVL_ERR_UNSUPPORTED;
    }
    archive_read_free(a);
    lvl_buffer_free(&file);
    if (status != LVL_OK)
        return status;
    *view = (lvl_bytes){storage->data, storage->len};
    return storage->len == member->size && !damaged ? LVL_OK
           : storage->len                           ? LVL_ERR_LOSS
                                                    : LVL_ERR_UNSUPPORTED;
}

#else

static lvl_status read_zip_other(const lvl_ctx *ctx, const lvl_zip_member *member, lvl_buffer *storage,
                                 lvl_bytes *view)
{
    (void)ctx;
    (void)member;
    (void)storage;
    (void)view;
    return LVL_ERR_UNSUPPORTED;
}

static lvl_status read_stored(archive_box *box, const lvl_ctx *ctx, bool filter)
{
    (void)box;
    (void)ctx;
    (void)filter;
    return LVL_ERR_UNSUPPORTED;
}

#endif

/* ---- its members -------------------------------------------------------------------------------------- */

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

static bool is_encrypted(const lvl_zip_member *member)
{
    enum { LOCAL_FLAGS = 6, CENTRAL_FLAGS = 8, ENCRYPTED = 1 };
    const uint8_t *flags = member->central.len ? member->central.ptr + CENTRAL_FLAGS
                           : member->local.len ? member->local.ptr + LOCAL_FLAGS
                                               : NULL;

    return flags && lvl_load_u16le(flags) & ENCRYPTED;
}

/* By the methods of zip's description. */
static const char *zip_obstacle(const lvl_zip_member *member)
{
    static const struct {
        uint16_t method;
        const char *text;
    } others[] = {
#define BY(method) "it is compressed by " method ", which lvl does not read: unpack it with another program"
        {1, BY("Shrink (method 1 of zip)")},      {2, BY("Reduce (method 2 of zip)")},
        {3, BY("Reduce (method 3 of zip)")},      {4, BY("Reduce (method 4 of zip)")},
        {5, BY("Reduce (method 5 of zip)")},      {6, BY("Implode (method 6 of zip)")},
        {9, BY("Deflate64 (method 9 of zip)")},   {10, BY("Implode (method 10 of zip)")},
        {12, BY("bzip2 (method 12 of zip)")},     {14, BY("LZMA (method 14 of zip)")},
        {93, BY("Zstandard (method 93 of zip)")}, {95, BY("xz (method 95 of zip)")},
        {98, BY("PPMd (method 98 of zip)")},
#undef BY
    };

    if (is_encrypted(member))
        return LVL_ARCHIVE_ENCRYPTED;
    for (size_t i = 0; i < LVL_COUNT_OF(others); i++) {
        if (others[i].method == member->method)
            return others[i].text;
    }
    return NULL;
}

static const char *box_obstacle(const lvl_container *c, const lvl_entry *entry)
{
    const stored_member *stored = lvl_tree_item(entry);

    return box_of(c)->is_zip   ? zip_obstacle(lvl_tree_item(entry))
           : stored->encrypted ? LVL_ARCHIVE_ENCRYPTED
                               : NULL;
}

static lvl_status read_zip(const archive_box *box, const lvl_zip_member *member, lvl_bytes *view,
                           lvl_buffer *storage)
{
    bool sound = false;

    if (member->faults & LVL_ZIP_UNKNOWN && !(member->faults & LVL_ZIP_SHARED) && !is_encrypted(member) &&
        member->packed.len < UINT32_MAX && member->size < UINT32_MAX)
        return read_zip_other(box->tree.base.ctx, member, storage, view);
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
    .obstacle = box_obstacle,
    .close = box_close,
    .status = box_status,
};

/* When a member was changed, in seconds since 1970: by its entry's clock, which has no time zone and is taken
 * as UTC. 0: not known. */
static int64_t zip_time(const lvl_zip_member *member)
{
    enum { CENTRAL_TIME = 12, LOCAL_TIME = 10 };
    const uint8_t *at = member->central.len ? member->central.ptr + CENTRAL_TIME
                        : member->local.len ? member->local.ptr + LOCAL_TIME
                                            : NULL;
    const uint32_t clock = at ? lvl_load_u32le(at) : 0;
    const int64_t month = clock >> 21 & 15, day = clock >> 16 & 31;

    if (!day || month < 1 || month > 12)
        return 0;
    /* years begin in March, so that the day of a leap year is the last */
    const int64_t years = 1980 + (clock >> 25) - (month < 3), m = (month + 9) % 12;
    const int64_t days =
        years * 365 + years / 4 - years / 100 + years / 400 + (153 * m + 2) / 5 + day - 719469;
    return ((days * 24 + (clock >> 11 & 31)) * 60 + (clock >> 5 & 63)) * 60 + (clock & 31) * 2;
}

static lvl_status fill_zip(lvl_tree *tree)
{
    const archive_box *box = (const archive_box *)tree;

    for (uint32_t i = 0; i < box->zip.count; i++) {
        lvl_zip_member *m = &box->zip.members[i];
        const bool is_dir = m->name.len && m->name.ptr[m->name.len - 1] == '/';
        if (!m->name.len)
            continue;
        tree->codepage = lvl_utf8_valid(m->name) ? LVL_CP_UTF8 : LVL_CP_1252;
        if (!lvl_tree_add_path(tree, m->name, is_dir, m->size, zip_time(m), m))
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

/* What a broken gzip stream has before its break, which libarchive may drop, if that is a tar. */
static lvl_status read_broken_gzip(archive_box *box, const lvl_ctx *ctx)
{
    const uint64_t share = lvl_memory_share(ctx), ratio = lvl_limits_of(ctx).inflate_ratio;
    const uint64_t most = box->bytes.len < share / ratio ? box->bytes.len * ratio : share;
    lvl_work work = lvl_work_begin(ctx);
    lvl_inflate_report report;
    lvl_buffer tar = {0};
    lvl_status status = lvl_inflate_salvage(&work, LVL_WRAP_GZIP, box->bytes, &tar, (size_t)most, &report);

    const char *kind = status == LVL_OK ? lvl_archive_kind((lvl_bytes){tar.data, tar.len}) : NULL;
    if (kind && strcmp(kind, "tar") == 0) {
        box->bytes = (lvl_bytes){lvl_arena_copy(&box->arena, tar.data, tar.len), tar.len};
        status = box->bytes.ptr ? read_stored(box, ctx, false) : LVL_ERR_MEMORY;
        box->damaged = true;
    } else if (status == LVL_OK) {
        status = LVL_ERR_FORMAT;
    }
    lvl_buffer_free(&tar);
    return status;
}

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
    lvl_status status = is_zip ? lvl_zip_read(&box->arena, ctx, bytes, &box->zip)
                               : read_stored(box, ctx, lvl_archive_is_filter(bytes));
    if (status == LVL_ERR_FORMAT && kind && strcmp(kind, "gzip") == 0)
        status = read_broken_gzip(box, ctx);
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
