/*
 * container/archive_calls.h: the functions of libarchive that container/archive.c calls.
 */
#ifndef LVL_CONTAINER_ARCHIVE_CALLS_H
#define LVL_CONTAINER_ARCHIVE_CALLS_H

#include <lvl/base.h>

#ifdef LVL_HAVE_ARCHIVE

#include <archive.h>
#include <archive_entry.h>

#define LVL_ARCHIVE_CALLS(X)                \
    X(archive_entry_filetype)               \
    X(archive_entry_is_data_encrypted)      \
    X(archive_entry_mtime)                  \
    X(archive_entry_mtime_is_set)           \
    X(archive_entry_pathname)               \
    X(archive_entry_pathname_utf8)          \
    X(archive_entry_pathname_w)             \
    X(archive_entry_size)                   \
    X(archive_entry_size_is_set)            \
    X(archive_filter_count)                 \
    X(archive_format)                       \
    X(archive_read_data_block)              \
    X(archive_read_free)                    \
    X(archive_read_has_encrypted_entries)   \
    X(archive_read_new)                     \
    X(archive_read_next_header)             \
    X(archive_read_open_memory)             \
    X(archive_read_support_filter_bzip2)    \
    X(archive_read_support_filter_compress) \
    X(archive_read_support_filter_gzip)     \
    X(archive_read_support_filter_lz4)      \
    X(archive_read_support_filter_lzip)     \
    X(archive_read_support_filter_lzma)     \
    X(archive_read_support_filter_xz)       \
    X(archive_read_support_filter_zstd)     \
    X(archive_read_support_format_7zip)     \
    X(archive_read_support_format_ar)       \
    X(archive_read_support_format_cab)      \
    X(archive_read_support_format_cpio)     \
    X(archive_read_support_format_iso9660)  \
    X(archive_read_support_format_lha)      \
    X(archive_read_support_format_rar)      \
    X(archive_read_support_format_rar5)     \
    X(archive_read_support_format_raw)      \
    X(archive_read_support_format_tar)      \
    X(archive_read_support_format_zip_streamable)

typedef struct lvl_archive_calls {
#define LVL_MEMBER(name) __typeof__(name) *(name);
    LVL_ARCHIVE_CALLS(LVL_MEMBER)
#undef LVL_MEMBER
    void *library;
} lvl_archive_calls;

/* LVL_ERR_UNSUPPORTED: libarchive is not installed. Must be ended in any case. */
lvl_status lvl_archive_calls_begin(lvl_archive_calls *calls);
void lvl_archive_calls_end(lvl_archive_calls *calls);

#endif

#endif
