/*
 * support/starve.c: see support/starve.h. Every __wrap_ function replaces the function of that name, which is
 * then called __real_.
 */
#include "starve.h"

#include <errno.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <yyjson.h>
#include <zlib.h>

#if defined(__APPLE__) || defined(_WIN32)

bool lvl_starve_works(void)
{
    return false;
}
void lvl_starve_from(uint64_t from, bool on)
{
    (void)from;
    (void)on;
}
uint64_t lvl_starve_calls(void)
{
    return 0;
}
uint64_t lvl_starve_blocks(void)
{
    return 0;
}
uint64_t lvl_starve_bytes(void)
{
    return 0;
}
uint64_t lvl_starve_peak(void)
{
    return 0;
}
void lvl_starve_mark(void)
{
}

#else

#include <malloc.h>

static struct {
    uint64_t calls, from, refused;
    uint64_t blocks, bytes, peak;
    bool on;
} starve;

#ifdef LVL_STARVE_LIBRARIES
#define __real_malloc  __libc_malloc
#define __real_calloc  __libc_calloc
#define __real_realloc __libc_realloc
#define __real_free    __libc_free
#endif

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *ptr, size_t size);
void __real_free(void *ptr);
int __real_inflateInit_(z_streamp z, const char *version, int size);
int __real_deflateInit2_(z_streamp z, int level, int method, int bits, int memory, int strategy,
                         const char *version, int size);
struct libdeflate_decompressor *__real_libdeflate_alloc_decompressor(void);
struct libdeflate_compressor *__real_libdeflate_alloc_compressor(int level);
yyjson_doc *__real_yyjson_read_opts(char *dat, size_t len, yyjson_read_flag flags, const yyjson_alc *alc,
                                    yyjson_read_err *err);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *ptr, size_t size);
void __wrap_free(void *ptr);
int __wrap_inflateInit_(z_streamp z, const char *version, int size);
int __wrap_deflateInit2_(z_streamp z, int level, int method, int bits, int memory, int strategy,
                         const char *version, int size);
struct libdeflate_decompressor *__wrap_libdeflate_alloc_decompressor(void);
struct libdeflate_compressor *__wrap_libdeflate_alloc_compressor(int level);
yyjson_doc *__wrap_yyjson_read_opts(char *dat, size_t len, yyjson_read_flag flags, const yyjson_alc *alc,
                                    yyjson_read_err *err);

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
void __sanitizer_print_stack_trace(void);
#define SHOWS
#endif
#endif

/* A place for a debugger's breakpoint. */
__attribute__((noinline)) void lvl_starve_refusing(void)
{
    starve.refused++;
}

bool lvl_starve_refused(void)
{
    starve.calls++;
    const bool no = starve.from && (starve.on ? starve.calls >= starve.from : starve.calls == starve.from);
#ifdef SHOWS
    if (no && starve.calls == starve.from && getenv("LVL_STARVE_SHOW")) /* NOLINT(concurrency-mt-unsafe) */
        __sanitizer_print_stack_trace();
#endif
    if (no) {
        lvl_starve_refusing();
        errno = ENOMEM; /* as malloc does */
    }
    return no;
}

/* In a library whose calls of malloc are not seen. */
static bool refused_whole(void)
{
#ifdef LVL_STARVE_LIBRARIES
    return false;
#else
    return lvl_starve_refused();
#endif
}

static void *taken(void *ptr)
{
    if (ptr) {
        starve.blocks++;
        starve.bytes += malloc_usable_size(ptr);
        if (starve.bytes > starve.peak)
            starve.peak = starve.bytes;
    }
    return ptr;
}

void *__wrap_malloc(size_t size)
{
    return lvl_starve_refused() ? NULL : taken(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return lvl_starve_refused() ? NULL : taken(__real_calloc(count, size));
}

void *__wrap_realloc(void *ptr, size_t size)
{
    if (lvl_starve_refused())
        return NULL;
    size_t before = ptr ? malloc_usable_size(ptr) : 0;
    void *grown = __real_realloc(ptr, size);
    if (grown && ptr) {
        starve.blocks--;
        starve.bytes -= before;
    }
    return taken(grown);
}

void __wrap_free(void *ptr)
{
    if (ptr) {
        starve.blocks--;
        starve.bytes -= malloc_usable_size(ptr);
    }
    __real_free(ptr);
}

int __wrap_inflateInit_(z_streamp z, const char *version, int size)
{
    return refused_whole() ? Z_MEM_ERROR : __real_inflateInit_(z, version, size);
}

int __wrap_deflateInit2_(z_streamp z, int level, int method, int bits, int memory, int strategy,
                         const char *version, int size)
{
    return refused_whole() ? Z_MEM_ERROR
                           : __real_deflateInit2_(z, level, method, bits, memory, strategy, version, size);
}

struct libdeflate_decompressor *__wrap_libdeflate_alloc_decompressor(void)
{
    return refused_whole() ? NULL : __real_libdeflate_alloc_decompressor();
}

struct libdeflate_compressor *__wrap_libdeflate_alloc_compressor(int level)
{
    return refused_whole() ? NULL : __real_libdeflate_alloc_compressor(level);
}

yyjson_doc *__wrap_yyjson_read_opts(char *dat, size_t len, yyjson_read_flag flags, const yyjson_alc *alc,
                                    yyjson_read_err *err)
{
    if (refused_whole()) {
        if (err) {
            err->code = YYJSON_READ_ERROR_MEMORY_ALLOCATION;
            err->msg = "memory allocation failed";
            err->pos = 0;
        }
        return NULL;
    }
    return __real_yyjson_read_opts(dat, len, flags, alc, err);
}

bool lvl_starve_works(void)
{
    return true;
}

void lvl_starve_from(uint64_t from, bool on)
{
    starve.calls = 0;
    starve.from = from;
    starve.on = on;
}

uint64_t lvl_starve_calls(void)
{
    return starve.calls;
}

uint64_t lvl_starve_blocks(void)
{
    return starve.blocks;
}

uint64_t lvl_starve_bytes(void)
{
    return starve.bytes;
}

uint64_t lvl_starve_peak(void)
{
    return starve.peak;
}

void lvl_starve_mark(void)
{
    starve.peak = starve.bytes;
}

#endif
