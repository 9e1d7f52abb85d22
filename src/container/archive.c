/*
 * container/archive.c: archives of other programs, read only: zips by container/zip.h, all others by
 * libarchive if available.
 *
 * For a zip only the directory is read at first; members are inflated on demand. Other archives may be
 * compressed as a whole, so that reading a member means reading everything before it: they are read once, in
 * file order, and kept in memory.
 */
#include "base/archive_kinds.h"
#include "container/archive_calls.h"
#include "container/container.h"

#include "base/buffer.h"
#include "base/cursor.h"
#include "os/locale.h"
#include "base/text.h"
#include "base/work.h"
#include "codec/inflate.h"
#include "container/zip.h"

#include <stdio.h>
#include <string.h>

/* ---- the container ------------------------------------------------------------------------------------ */

/* A member of an archive that was read as a whole. */
typedef struct stored_member {
    lvl_text path;
    lvl_bytes content;
    uint64_t size; /* declared size */
    int64_t time;
    bool is_dir, damaged, encrypted;
    struct stored_member *next;
} stored_member;

typedef struct foreign_archive {
    lvl_tree tree;
    lvl_arena arena; /* memory for what was read */
    lvl_bytes bytes;
    bool is_zip;
    lvl_archive_names names;
    lvl_zip zip;
    stored_member *first;
    bool damaged;
} foreign_archive;

/* ---- libarchive --------------------------------------------------------------------------------------- */

#ifdef LVL_HAVE_ARCHIVE

/* How much may still be read from an archive: memory for its content, limited in proportion to its own
 * size. */
typedef struct allowance {
    const lvl_ctx *ctx;
    const lvl_archive_calls *la;
    uint64_t most, left;
    uint64_t items;
    uint64_t entries; /* number of entries read */
    bool by_ratio; /* the limit comes from its size, not from the memory */
} allowance;

/* Charges `more` bytes of content that follow `len` bytes of the same member. */
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

/* Reads the content of the entry; if it is broken, as far as it goes. Reads blocks, since archive_read_data
 * drops what precedes an error. */
static lvl_status read_content(struct archive *a, allowance *allowed, lvl_buffer *content, bool *damaged)
{
    const lvl_archive_calls *la = allowed->la;
    lvl_status status = LVL_OK;

    while (status == LVL_OK) {
        const void *block;
        size_t n = 0;
        la_int64_t at = 0;
        const int found = la->archive_read_data_block(a, &block, &n, &at);
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

/* The path of an entry, in UTF-8 if the archive declares its encoding. If it cannot be converted, its number
 * among the entries, so that no content is left out. `made`: buffer for that name. */
static const char *path_of(struct archive_entry *e, const allowance *allowed, lvl_buffer *made)
{
    const lvl_archive_calls *la = allowed->la;
    const char *path = la->archive_entry_pathname(e);

    if (path && lvl_utf8_valid(lvl_text_of(path)))
        return path;
#ifdef _WIN32
    const wchar_t *wide = la->archive_entry_pathname_w(e);
    char *narrow = wide ? lvl_locale_narrow(wide, true) : NULL;
    if (narrow) {
        lvl_buffer_add(made, narrow, strlen(narrow) + 1);
        free(narrow);
        return made->status == LVL_OK ? (const char *)made->data : NULL;
    }
#endif
    path = la->archive_entry_pathname_utf8(e);
    path = path ? path : la->archive_entry_pathname(e);
    if (path)
        return path;
    lvl_buffer_printf(made, "unnamed-%llu", (unsigned long long)allowed->entries - 1);
    lvl_buffer_u8(made, 0);
    return made->status == LVL_OK ? (const char *)made->data : NULL;
}

/* One entry of the archive, as a member of the container. */
static lvl_status add_entry(foreign_archive *self, struct archive *a, struct archive_entry *e,
                            allowance *allowed, stored_member ***end)
{
    const lvl_archive_calls *la = allowed->la;
    const unsigned type = la->archive_entry_filetype(e);

    enum { HEADER_STEPS = 1024 }; /* reading one takes more than a microsecond */

    allowed->entries++;
    if (allowed->items-- == 0)
        return lvl_refuse(allowed->ctx, LVL_LIMIT_ITEMS, lvl_limits_of(allowed->ctx).items, 0);
    const lvl_status charged = lvl_charge(allowed->ctx, HEADER_STEPS);
    if (charged != LVL_OK || (type && type != AE_IFREG && type != AE_IFDIR))
        return charged; /* links and devices have no content */
    stored_member *m = lvl_arena_alloc(&self->arena, sizeof *m);
    lvl_buffer made = {0};
    const char *path = m ? path_of(e, allowed, &made) : NULL;
    const size_t len = path ? strlen(path) : 0;
    char *copy = path ? lvl_arena_copy(&self->arena, path, len + 1) : NULL;
    lvl_buffer_free(&made);
    if (!copy)
        return lvl_arena_status(&self->arena, LVL_ERR_MEMORY);
    *m = (stored_member){.path = {copy, len}, .is_dir = type == AE_IFDIR};
    m->time = la->archive_entry_mtime_is_set(e) ? (int64_t)la->archive_entry_mtime(e) : 0;
    **end = m;
    *end = &m->next;
    lvl_buffer content = {0};
    lvl_status status = m->is_dir ? LVL_OK : read_content(a, allowed, &content, &m->damaged);
    if (status == LVL_OK && content.len) {
        m->content = (lvl_bytes){lvl_arena_copy(&self->arena, content.data, content.len), content.len};
        status = m->content.ptr ? LVL_OK : lvl_arena_status(&self->arena, LVL_ERR_MEMORY);
    }
    lvl_buffer_free(&content);
    m->size = la->archive_entry_size_is_set(e) && la->archive_entry_size(e) > 0
                  ? (uint64_t)la->archive_entry_size(e)
                  : 0;
    if (m->size < m->content.len)
        m->size = m->content.len;
    m->encrypted = la->archive_entry_is_data_encrypted(e) > 0;
    m->damaged = (m->damaged || (!m->is_dir && m->size > m->content.len)) && !m->encrypted;
    self->damaged = self->damaged || m->damaged;
    return status;
}

/* The allowance for an archive of `len` bytes. */
static allowance allow_for(const lvl_ctx *ctx, const lvl_archive_calls *la, uint64_t len)
{
    const lvl_limits limits = lvl_limits_of(ctx);
    const uint64_t share = lvl_memory_share(ctx), ratio = (uint64_t)limits.inflate_ratio;
    const uint64_t by_size = len < share / ratio ? (len + 64) * ratio : share;
    const uint64_t most = by_size < share ? by_size : share;

    return (allowance){ctx, la, most, most, limits.items, 0, by_size < share};
}

/* None of these runs other programs. */
static void support_filters(const lvl_archive_calls *la, struct archive *a)
{
    la->archive_read_support_filter_gzip(a);
    la->archive_read_support_filter_bzip2(a);
    la->archive_read_support_filter_xz(a);
    la->archive_read_support_filter_lzma(a);
    la->archive_read_support_filter_zstd(a);
    la->archive_read_support_filter_lz4(a);
    la->archive_read_support_filter_lzip(a);
    la->archive_read_support_filter_compress(a);
}

/* What the bytes are as a single compressed stream. */
typedef struct stream_state {
    bool packed; /* they are one, perhaps with a broken beginning */
    bool begun; /* its content could be read, up to a break */
    bool broken;
} stream_state;

/* Appends the content of a single compressed stream. */
static lvl_status read_stream(lvl_bytes bytes, const lvl_ctx *ctx, const lvl_archive_calls *la,
                              lvl_buffer *content, stream_state *state)
{
    allowance allowed = allow_for(ctx, la, bytes.len);
    struct archive *a = la->archive_read_new();
    struct archive_entry *e = NULL;

    if (!a)
        return LVL_ERR_MEMORY;
    support_filters(la, a);
    la->archive_read_support_format_raw(a);
    int found = la->archive_read_open_memory(a, bytes.ptr, bytes.len);
    /* the last filter is the file itself; a filter that fails at the first bytes fails to open */
    state->packed = found != ARCHIVE_OK || la->archive_filter_count(a) > 1;
    if (found == ARCHIVE_OK)
        found = la->archive_read_next_header(a, &e);
    state->begun = state->packed && found == ARCHIVE_OK;
    state->broken = state->packed && found != ARCHIVE_OK && found != ARCHIVE_EOF;
    const lvl_status status = state->begun ? read_content(a, &allowed, content, &state->broken) : LVL_OK;
    la->archive_read_free(a);
    return status;
}

/* `filter`: by its first bytes this may be a single compressed file instead of an archive. */
static lvl_status read_all(foreign_archive *self, const lvl_ctx *ctx, const lvl_archive_calls *la,
                           bool filter)
{
    allowance allowed = allow_for(ctx, la, self->bytes.len);
    struct archive *a = la->archive_read_new();
    struct archive_entry *e = NULL;
    stored_member **end = &self->first;
    lvl_status status = LVL_OK;

    if (!a)
        return LVL_ERR_MEMORY;
    const lvl_locale locale = lvl_locale_begin(); /* names of 7z, cab and iso are converted */
    support_filters(la, a);
    la->archive_read_support_format_tar(a);
    la->archive_read_support_format_7zip(a);
    la->archive_read_support_format_rar(a);
    la->archive_read_support_format_rar5(a);
    la->archive_read_support_format_cab(a);
    la->archive_read_support_format_iso9660(a);
    la->archive_read_support_format_lha(a);
    la->archive_read_support_format_cpio(a);
    la->archive_read_support_format_ar(a);
    int found = la->archive_read_open_memory(a, self->bytes.ptr, self->bytes.len);
    while (status == LVL_OK && found == ARCHIVE_OK) {
        found = la->archive_read_next_header(a, &e);
        if (found == ARCHIVE_WARN || found == ARCHIVE_RETRY)
            found = ARCHIVE_OK;
        if (found == ARCHIVE_OK)
            status = add_entry(self, a, e, &allowed, &end);
    }
    if (status == LVL_OK && found != ARCHIVE_EOF) {
        self->damaged = true;
        /* libarchive must not be asked for more if it does not know the format */
        bool broken = la->archive_format(a) && !filter && la->archive_read_has_encrypted_entries(a) <= 0;
        if (!self->first && filter) {
            stream_state state;
            lvl_buffer content = {0};
            status = read_stream(self->bytes, ctx, la, &content, &state);
            lvl_buffer_free(&content);
            broken = status == LVL_OK && state.broken;
        }
        if (!self->first && status == LVL_OK)
            status = broken ? LVL_ERR_FORMAT : LVL_ERR_UNSUPPORTED;
    }
    la->archive_read_free(a);
    lvl_locale_end(&locale);
    return status;
}

static lvl_status read_stored(foreign_archive *self, const lvl_ctx *ctx, bool filter)
{
    lvl_archive_calls calls;

    lvl_status status = lvl_archive_calls_begin(&calls);
    if (status == LVL_OK)
        status = read_all(self, ctx, &calls, filter);
    lvl_archive_calls_end(&calls);
    return status;
}

/* Reads a zip member that is compressed by another method than deflate, by passing libarchive a zip with
 * only this member, with the sizes from the directory. LVL_ERR_UNSUPPORTED: libarchive does not know the
 * method. */
static lvl_status read_member(const lvl_ctx *ctx, const lvl_archive_calls *la, const lvl_zip_member *member,
                              lvl_buffer *storage, lvl_bytes *view)
{
    enum { FLAGS = 6, END_MARKER = 2, VERSION = 63 };
    allowance allowed = allow_for(ctx, la, member->packed.len);
    struct archive *a = la->archive_read_new();
    struct archive_entry *e = NULL;
    lvl_buffer file = {0};
    bool damaged = false;
    const uint32_t flags = member->local.len ? lvl_load_u16le(member->local.ptr + FLAGS) & END_MARKER : 0;

    if (!a)
        return LVL_ERR_MEMORY;
    lvl_buffer_add(&file, "PK\3\4", 4);
    lvl_buffer_u32le(&file, VERSION | flags << 16);
    lvl_buffer_u32le(&file, member->method);
    lvl_buffer_fill(&file, 0, 2); /* together with the two bytes before, its time */
    lvl_buffer_u32le(&file, member->crc);
    lvl_buffer_u32le(&file, (uint32_t)member->packed.len);
    lvl_buffer_u32le(&file, (uint32_t)member->size);
    lvl_buffer_u32le(&file, 1); /* length of its name, and no extra fields */
    lvl_buffer_u8(&file, 'x'); /* its name */
    lvl_buffer_add(&file, member->packed.ptr, member->packed.len);
    lvl_status status = file.status;
    if (status == LVL_OK) {
        la->archive_read_support_format_zip_streamable(a);
        int found = la->archive_read_open_memory(a, file.data, file.len);
        if (found == ARCHIVE_OK)
            found = la->archive_read_next_header(a, &e);
        status = found == ARCHIVE_OK ? read_content(a, &allowed, storage, &damaged) : LVL_ERR_UNSUPPORTED;
    }
    la->archive_read_free(a);
    lvl_buffer_free(&file);
    if (status != LVL_OK)
        return status;
    *view = (lvl_bytes){storage->data, storage->len};
    return storage->len == member->size && !damaged ? LVL_OK
           : storage->len                           ? LVL_ERR_LOSS
                                                    : LVL_ERR_UNSUPPORTED;
}

static lvl_status read_zip_other(const lvl_ctx *ctx, const lvl_zip_member *member, lvl_buffer *storage,
                                 lvl_bytes *view)
{
    lvl_archive_calls calls;

    lvl_status status = lvl_archive_calls_begin(&calls);
    if (status == LVL_OK)
        status = read_member(ctx, &calls, member, storage, view);
    lvl_archive_calls_end(&calls);
    return status;
}

/* A single compressed file, as an archive with one member: x.nw of x.nw.gz. */
static lvl_status read_one(foreign_archive *self, const lvl_ctx *ctx, const lvl_archive_calls *la,
                           const char *name)
{
    const char *dot = strrchr(name, '.');
    const size_t len = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    stored_member *m = lvl_arena_alloc(&self->arena, sizeof *m);
    char *copy = m ? lvl_arena_copy(&self->arena, name, len) : NULL;
    lvl_buffer content = {0};
    stream_state state;

    if (!copy)
        return LVL_ERR_MEMORY;
    lvl_status status = read_stream(self->bytes, ctx, la, &content, &state);
    if (status == LVL_OK && !state.begun)
        status = LVL_ERR_UNSUPPORTED;
    if (status == LVL_OK)
        *m = (stored_member){.path = {copy, len}, .damaged = state.broken};
    if (status == LVL_OK && content.len) {
        m->content = (lvl_bytes){lvl_arena_copy(&self->arena, content.data, content.len), content.len};
        status = m->content.ptr ? LVL_OK : LVL_ERR_MEMORY;
    }
    if (status == LVL_OK) {
        m->size = m->content.len;
        self->first = m;
        self->damaged = m->damaged;
    }
    lvl_buffer_free(&content);
    return status;
}

static lvl_status read_compressed(foreign_archive *self, const lvl_ctx *ctx, const char *name)
{
    lvl_archive_calls calls;

    lvl_status status = lvl_archive_calls_begin(&calls);
    if (status == LVL_OK)
        status = read_one(self, ctx, &calls, name);
    lvl_archive_calls_end(&calls);
    return status;
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

static lvl_status read_stored(foreign_archive *self, const lvl_ctx *ctx, bool filter)
{
    (void)self;
    (void)ctx;
    (void)filter;
    return LVL_ERR_UNSUPPORTED;
}

static lvl_status read_compressed(foreign_archive *self, const lvl_ctx *ctx, const char *name)
{
    (void)self;
    (void)ctx;
    (void)name;
    return LVL_ERR_UNSUPPORTED;
}

#endif

/* ---- its members -------------------------------------------------------------------------------------- */

static foreign_archive *archive_of(const lvl_container *c)
{
    return (foreign_archive *)(uintptr_t)c;
}

static void archive_close(lvl_container *c)
{
    foreign_archive *self = archive_of(c);

    lvl_tree_end(&self->tree);
    lvl_arena_free(&self->arena);
    lvl_mem_free(c->ctx, self);
}

static lvl_status archive_status(const lvl_container *c)
{
    return archive_of(c)->damaged ? LVL_ERR_LOSS : LVL_OK;
}

static bool is_encrypted(const lvl_zip_member *member)
{
    enum { LOCAL_FLAGS = 6, CENTRAL_FLAGS = 8, ENCRYPTED = 1 };
    const uint8_t *flags = member->central.len ? member->central.ptr + CENTRAL_FLAGS
                           : member->local.len ? member->local.ptr + LOCAL_FLAGS
                                               : NULL;

    return flags && lvl_load_u16le(flags) & ENCRYPTED;
}

/* Method numbers as in the zip specification. */
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

static const char *archive_obstacle(const lvl_container *c, const lvl_entry *entry)
{
    const stored_member *stored = lvl_tree_item(entry);

    return archive_of(c)->is_zip ? zip_obstacle(lvl_tree_item(entry))
           : stored->encrypted   ? LVL_ARCHIVE_ENCRYPTED
                                 : NULL;
}

static lvl_status read_zip(const foreign_archive *self, const lvl_zip_member *member, lvl_bytes *view,
                           lvl_buffer *storage)
{
    bool sound = false;

    if (member->faults & LVL_ZIP_UNKNOWN && !(member->faults & LVL_ZIP_SHARED) && !is_encrypted(member) &&
        member->packed.len < UINT32_MAX && member->size < UINT32_MAX)
        return read_zip_other(self->tree.base.ctx, member, storage, view);
    const lvl_status status = lvl_zip_inflate(self->tree.base.ctx, member, storage, view, &sound);
    if (status == LVL_ERR_MISSING)
        return LVL_ERR_FORMAT;
    return status == LVL_OK && !sound ? LVL_ERR_LOSS : status;
}

static lvl_status archive_read(const lvl_container *c, const lvl_entry *entry, lvl_bytes *view,
                               lvl_buffer *storage)
{
    const foreign_archive *self = archive_of(c);

    if (self->is_zip)
        return read_zip(self, lvl_tree_item(entry), view, storage);
    const stored_member *member = lvl_tree_item(entry);
    if (member->encrypted)
        return LVL_ERR_UNSUPPORTED;
    *view = member->content;
    return member->damaged ? LVL_ERR_LOSS : LVL_OK;
}

static const lvl_container_ops archive_ops = {
    .count = lvl_tree_count,
    .at = lvl_tree_at,
    .find = lvl_tree_find,
    .list = lvl_tree_list,
    .read = archive_read,
    .obstacle = archive_obstacle,
    .close = archive_close,
    .status = archive_status,
};

/* When a member was changed, in seconds since 1970, from the time in its entry, which has no time zone and is
 * taken as UTC. 0: unknown. */
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
    /* years begin in March, so that the leap day is the last day */
    const int64_t years = 1980 + (clock >> 25) - (month < 3), m = (month + 9) % 12;
    const int64_t days =
        years * 365 + years / 4 - years / 100 + years / 400 + (153 * m + 2) / 5 + day - 719469;
    return ((days * 24 + (clock >> 11 & 31)) * 60 + (clock >> 5 & 63)) * 60 + (clock & 31) * 2;
}

/* Code page 437 from 128, the encoding of names in a zip by default. */
static const uint16_t dos_letters[128] = {
    0x00c7, 0x00fc, 0x00e9, 0x00e2, 0x00e4, 0x00e0, 0x00e5, 0x00e7, 0x00ea, 0x00eb, 0x00e8, 0x00ef, 0x00ee,
    0x00ec, 0x00c4, 0x00c5, 0x00c9, 0x00e6, 0x00c6, 0x00f4, 0x00f6, 0x00f2, 0x00fb, 0x00f9, 0x00ff, 0x00d6,
    0x00dc, 0x00a2, 0x00a3, 0x00a5, 0x20a7, 0x0192, 0x00e1, 0x00ed, 0x00f3, 0x00fa, 0x00f1, 0x00d1, 0x00aa,
    0x00ba, 0x00bf, 0x2310, 0x00ac, 0x00bd, 0x00bc, 0x00a1, 0x00ab, 0x00bb, 0x2591, 0x2592, 0x2593, 0x2502,
    0x2524, 0x2561, 0x2562, 0x2556, 0x2555, 0x2563, 0x2551, 0x2557, 0x255d, 0x255c, 0x255b, 0x2510, 0x2514,
    0x2534, 0x252c, 0x251c, 0x2500, 0x253c, 0x255e, 0x255f, 0x255a, 0x2554, 0x2569, 0x2566, 0x2560, 0x2550,
    0x256c, 0x2567, 0x2568, 0x2564, 0x2565, 0x2559, 0x2558, 0x2552, 0x2553, 0x256b, 0x256a, 0x2518, 0x250c,
    0x2588, 0x2584, 0x258c, 0x2590, 0x2580, 0x03b1, 0x00df, 0x0393, 0x03c0, 0x03a3, 0x03c3, 0x00b5, 0x03c4,
    0x03a6, 0x0398, 0x03a9, 0x03b4, 0x221e, 0x03c6, 0x03b5, 0x2229, 0x2261, 0x00b1, 0x2265, 0x2264, 0x2320,
    0x2321, 0x00f7, 0x2248, 0x00b0, 0x2219, 0x00b7, 0x221a, 0x207f, 0x00b2, 0x25a0, 0x00a0,
};

/* The code page of a member's name: UTF-8 if it is valid UTF-8 and, with --encoding, the zip declares it;
 * else that of --encoding; else 437, and *name is converted to UTF-8. False: out of memory. */
static bool zip_name(foreign_archive *self, const lvl_zip_member *m, lvl_codepage *page, lvl_text *name)
{
    enum { CENTRAL_FLAGS = 8, LOCAL_FLAGS = 6, SAYS_UTF8 = 0x800 };
    const lvl_ctx *ctx = self->tree.base.ctx;
    const uint8_t *flags = m->central.len ? m->central.ptr + CENTRAL_FLAGS
                           : m->local.len ? m->local.ptr + LOCAL_FLAGS
                                          : NULL;
    const bool says = flags && lvl_load_u16le(flags) & SAYS_UTF8, valid = lvl_utf8_valid(m->name);
    bool ascii = true;
    lvl_buffer utf8 = {0};

    *page = valid && (says || !ctx->codepage_given) ? LVL_CP_UTF8 : ctx->codepage;
    for (size_t i = 0; i < m->name.len && ascii; i++)
        ascii = (uint8_t)m->name.ptr[i] < 0x80;
    if (!ascii && valid && !says && !ctx->codepage_given)
        self->names.utf8++;
    if (valid || ctx->codepage_given)
        return true;
    self->names.cp437++;
    *page = LVL_CP_UTF8;
    for (size_t i = 0; i < m->name.len; i++) {
        const uint8_t byte = (uint8_t)m->name.ptr[i];
        char letter[4];
        lvl_buffer_add(&utf8, letter, lvl_utf8_put(letter, byte < 128 ? byte : dos_letters[byte - 128]));
    }
    *name = (lvl_text){lvl_arena_copy(&self->arena, utf8.data, utf8.len), utf8.len};
    const bool made = utf8.status == LVL_OK && name->ptr;
    lvl_buffer_free(&utf8);
    return made;
}

static lvl_status fill_zip(lvl_tree *tree)
{
    foreign_archive *self = (foreign_archive *)tree;

    self->names = (lvl_archive_names){0};
    for (uint32_t i = 0; i < self->zip.count; i++) {
        lvl_zip_member *m = &self->zip.members[i];
        const bool is_dir = m->name.len && m->name.ptr[m->name.len - 1] == '/';
        if (!m->name.len)
            continue;
        lvl_text name = m->name;
        if (!zip_name(self, m, &tree->codepage, &name) ||
            !lvl_tree_add_path(tree, name, is_dir, m->size, zip_time(m), m))
            return LVL_ERR_MEMORY;
    }
    return LVL_OK;
}

static lvl_status fill_stored(lvl_tree *tree)
{
    const foreign_archive *self = (const foreign_archive *)tree;

    for (stored_member *m = self->first; m; m = m->next) {
        tree->codepage = lvl_utf8_valid(m->path) ? LVL_CP_UTF8 : LVL_CP_1252;
        if (m->path.len && !lvl_tree_add_path(tree, m->path, m->is_dir, m->size, m->time, m))
            return LVL_ERR_MEMORY;
    }
    return LVL_OK;
}

/* For a broken gzip stream: reads the tar in the part before the break, which libarchive may drop. */
static lvl_status read_broken_gzip(foreign_archive *self, const lvl_ctx *ctx)
{
    const uint64_t share = lvl_memory_share(ctx), ratio = lvl_limits_of(ctx).inflate_ratio;
    const uint64_t most = self->bytes.len < share / ratio ? self->bytes.len * ratio : share;
    lvl_work work = lvl_work_begin(ctx);
    lvl_inflate_report report;
    lvl_buffer tar = {0};
    lvl_status status = lvl_inflate_salvage(&work, LVL_WRAP_GZIP, self->bytes, &tar, (size_t)most, &report);

    const char *kind = status == LVL_OK ? lvl_archive_kind((lvl_bytes){tar.data, tar.len}) : NULL;
    if (kind && strcmp(kind, "tar") == 0) {
        self->bytes = (lvl_bytes){lvl_arena_copy(&self->arena, tar.data, tar.len), tar.len};
        status = self->bytes.ptr ? read_stored(self, ctx, false) : LVL_ERR_MEMORY;
        self->damaged = true;
    } else if (status == LVL_OK) {
        status = LVL_ERR_FORMAT;
    }
    lvl_buffer_free(&tar);
    return status;
}

lvl_status lvl_container_archive(const lvl_ctx *ctx, lvl_bytes bytes, const char *name, lvl_container **out)
{
    const char *kind = lvl_archive_kind(bytes);
    const bool is_zip = kind ? strcmp(kind, "zip") == 0 : bytes.len && lvl_zip_ends(bytes);

    *out = NULL;
    if (!kind && !is_zip)
        return LVL_ERR_UNSUPPORTED;
    foreign_archive *self = lvl_mem_alloc(ctx, sizeof *self);
    if (!self)
        return LVL_ERR_MEMORY;
    memset(self, 0, sizeof *self);
    lvl_arena_init(&self->arena, ctx);
    lvl_arena_init(&self->tree.arena, ctx);
    self->tree.base.ctx = ctx;
    self->bytes = bytes;
    self->is_zip = is_zip;
    lvl_status status = is_zip ? lvl_zip_read(&self->arena, ctx, bytes, &self->zip)
                               : read_stored(self, ctx, lvl_archive_is_filter(bytes));
    if (status == LVL_ERR_FORMAT && kind && strcmp(kind, "gzip") == 0)
        status = read_broken_gzip(self, ctx);
    if (status == LVL_ERR_UNSUPPORTED && name && !is_zip && lvl_archive_is_filter(bytes))
        status = read_compressed(self, ctx, name);
    self->damaged = self->damaged || (is_zip && self->zip.salvaged);
    if (status == LVL_OK)
        status = lvl_tree_begin(&self->tree, ctx, LVL_CP_UTF8, &archive_ops, is_zip ? fill_zip : fill_stored);
    if (status != LVL_OK) {
        status = lvl_arena_status(&self->arena, status);
        archive_close(&self->tree.base);
        return status;
    }
    *out = &self->tree.base;
    return LVL_OK;
}

lvl_archive_names lvl_archive_names_of(const lvl_container *archive)
{
    return archive_of(archive)->names;
}
