/*
 * base/archive_kinds.c: archives of other programs, and why the members of one cannot be read.
 */
#include "base/archive_kinds.h"

#include "base/cursor.h"
#include "os/library.h"
#include "base/text.h"

#include <string.h>

static const struct {
    const char *kind;
    size_t at, len;
    const char *magic;
    bool is_filter; /* may be a single compressed file, not an archive */
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
    /* not read by libarchive */
    {"xar", 0, 4, "xar!", false},
    {"wim", 0, 8, "MSWIM\0\0\0", false},
    {"zpaq", 0, 3, "7kS", false},
    {"zpaq", 0, 3, "zPQ", false},
    {"alz", 0, 4, "ALZ\1", false},
    {"egg", 0, 4, "EGGA", false},
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

/* The index of the kind that has these first bytes; LVL_COUNT_OF(kinds): unknown. */
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

bool lvl_archive_is_filter(lvl_bytes head)
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
    static const char *const endings[] = {".zip", ".7z",  ".rar", ".tar", ".tgz",  ".gz",   ".tbz", ".bz2",
                                          ".txz", ".xz",  ".zst", ".lz4", ".lz",   ".lzma", ".tlz", ".z",
                                          ".cab", ".iso", ".lha", ".lzh", ".cpio", ".lzo",  ".arj", ".ace",
                                          ".zoo", ".sit", ".xar", ".wim", ".zpaq", ".alz",  ".egg"};
    const size_t len = strlen(name);

    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        const size_t n = strlen(endings[i]);
        if (len > n && lvl_path_compare(name + len - n, endings[i]) == 0)
            return true;
    }
    return false;
}

/* ---- unreadable members ------------------------------------------------------------------------------- */

#define HIDDEN_IN_VOLUMES \
    "it is one of several volumes of an archive: unpack them with the program that made them"

/* Reads a number stored as 7 bits per byte, lowest first. */
static uint64_t take_rar5(lvl_bytes in, size_t *at)
{
    uint64_t value = 0;

    for (unsigned shift = 0; *at < in.len && shift < 64; shift += 7) {
        const uint8_t byte = in.ptr[(*at)++];
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            break;
    }
    return value;
}

/* Versions 1.5 to 4: the main header follows the signature. */
static const char *rar_obstacle(lvl_bytes in)
{
    enum { MAIN = 7, VOLUME = 1, ENCRYPTED = 0x80 };

    const unsigned flags = in.len >= MAIN + 5 ? lvl_load_u16le(in.ptr + MAIN + 3) : 0;
    return flags & ENCRYPTED ? LVL_ARCHIVE_ENCRYPTED : flags & VOLUME ? HIDDEN_IN_VOLUMES : NULL;
}

/* Version 5: the encryption header or the main header follows the signature. */
static const char *rar5_obstacle(lvl_bytes in)
{
    enum { FIRST = 8, CRC = 4, MAIN = 1, ENCRYPTION = 4, HAS_EXTRA = 1, VOLUME = 1 };
    size_t at = FIRST + CRC;

    take_rar5(in, &at); /* its size */
    const uint64_t type = take_rar5(in, &at), flags = take_rar5(in, &at);
    if (type == ENCRYPTION)
        return LVL_ARCHIVE_ENCRYPTED;
    if (flags & HAS_EXTRA)
        take_rar5(in, &at);
    return type == MAIN && take_rar5(in, &at) & VOLUME ? HIDDEN_IN_VOLUMES : NULL;
}

/* The list of members is at the end and may be compressed itself; its header names the coders. */
static const char *sevenzip_obstacle(lvl_bytes in)
{
    enum { START = 32, LIST_AT = 12, LIST_SIZE = 20, PACKED_LIST = 0x17 };
    static const char aes[] = {6, (char)0xF1, 7, 1};

    if (in.len < START)
        return NULL;
    const uint64_t at = lvl_load_u64le(in.ptr + LIST_AT), size = lvl_load_u64le(in.ptr + LIST_SIZE);
    if (at > in.len - START || size > in.len - START - at || !size || in.ptr[START + at] != PACKED_LIST)
        return NULL;
    for (uint64_t i = 0; i + sizeof aes <= size; i++) {
        if (memcmp(in.ptr + START + at + i, aes, sizeof aes) == 0)
            return LVL_ARCHIVE_ENCRYPTED;
    }
    return NULL;
}

/* Why archives other than zips cannot be read; NULL: no such reason. */
static const char *missing_library(void)
{
#ifdef LVL_ARCHIVE_SONAME
    void *library = lvl_library_open(LVL_ARCHIVE_SONAME);

    lvl_library_close(library);
    return library ? NULL
                   : "it is read by " LVL_ARCHIVE_SONAME
                     ", which is not installed (package " LVL_ARCHIVE_PACKAGE ")";
#else
    return NULL;
#endif
}

const char *lvl_archive_obstacle(lvl_bytes bytes)
{
    enum { RAR_VERSION_AT = 6 };
    const char *kind = lvl_archive_kind(bytes);
    const char *missing = kind && strcmp(kind, "zip") != 0 ? missing_library() : NULL;

    if (missing)
        return missing;
    if (kind && strcmp(kind, "7z") == 0)
        return sevenzip_obstacle(bytes);
    if (!kind || strcmp(kind, "rar") != 0 || bytes.len <= RAR_VERSION_AT)
        return NULL;
    return bytes.ptr[RAR_VERSION_AT] ? rar5_obstacle(bytes) : rar_obstacle(bytes);
}
