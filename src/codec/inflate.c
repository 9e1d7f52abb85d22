/*
 * codec/inflate.c: thin wrappers of libdeflate (sound streams) and zlib (broken ones).
 */
#include "codec/inflate.h"
#include "base/buffer.h"

#include <libdeflate.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

const char *lvl_inflate_end_text(lvl_inflate_end end)
{
    switch (end) {
    case LVL_INFLATE_DONE: return "complete";
    case LVL_INFLATE_TRUNCATED: return "truncated";
    case LVL_INFLATE_BAD_HEADER: return "not a zlib stream";
    case LVL_INFLATE_BAD_DATA: return "invalid data";
    case LVL_INFLATE_BAD_CHECKSUM: return "wrong checksum";
    case LVL_INFLATE_NEED_DICT: return "needs a dictionary";
    case LVL_INFLATE_FULL: return "longer than the limit";
    }
    return "unknown";
}

bool lvl_inflate_impossible(uint64_t packed, uint64_t size, uint32_t ratio)
{
    return size / (ratio ? ratio : LVL_INFLATE_MAX_RATIO) > packed;
}

/* Decoding costs about a nanosecond per byte of input or output with libdeflate, three with zlib. */
static uint64_t fast_steps(size_t in, size_t out)
{
    return ((uint64_t)in + out) / 4 + 16;
}

static uint64_t slow_steps(size_t in, size_t out)
{
    return ((uint64_t)in + out) / 2 + 16;
}

lvl_status lvl_inflate_zlib(lvl_work *work, lvl_bytes in, uint8_t *out, size_t out_size, size_t *in_used,
                            size_t *out_len)
{
    return lvl_inflate_wrapped(work, LVL_WRAP_ZLIB, in, out, out_size, in_used, out_len);
}

lvl_status lvl_inflate_wrapped(lvl_work *work, lvl_wrap wrap, lvl_bytes in, uint8_t *out, size_t out_size,
                               size_t *in_used, size_t *out_len)
{
    uint8_t nothing[1];
    size_t used = 0, len = 0;
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();

    if (!d)
        return LVL_ERR_MEMORY;
    enum libdeflate_result (*const decompress)(struct libdeflate_decompressor *, const void *, size_t, void *,
                                               size_t, size_t *, size_t *) =
        wrap == LVL_WRAP_ZLIB   ? libdeflate_zlib_decompress_ex
        : wrap == LVL_WRAP_GZIP ? libdeflate_gzip_decompress_ex
                                : libdeflate_deflate_decompress_ex;
    enum libdeflate_result r =
        decompress(d, in.ptr ? in.ptr : nothing, in.len, out ? out : nothing, out_size, &used, &len);
    libdeflate_free_decompressor(d);
    /* how much was decoded before an error is not known */
    const bool done = r == LIBDEFLATE_SUCCESS;
    const size_t most = in.len < SIZE_MAX / LVL_INFLATE_MAX_RATIO && in.len * LVL_INFLATE_MAX_RATIO < out_size
                            ? in.len * LVL_INFLATE_MAX_RATIO
                            : out_size;
    if (!lvl_work_charge(work,
                         done ? fast_steps(used, len) : fast_steps(in.len < most ? in.len : most, most)))
        return work->status;
    if (r == LIBDEFLATE_INSUFFICIENT_SPACE)
        return LVL_ERR_LIMIT;
    if (r != LIBDEFLATE_SUCCESS)
        return LVL_ERR_FORMAT;
    if (in_used)
        *in_used = used;
    if (out_len)
        *out_len = len;
    return LVL_OK;
}

/* The output of a salvage: a piece of memory at a time. */
struct target {
    lvl_buffer *buffer; /* or NULL: out */
    uint8_t *out;
    size_t done, max;
};

/* A free piece of the target of at least one byte; 0 when it is full or (status) can't grow. */
static size_t target_space(struct target *t, uint8_t **at, lvl_status *status)
{
    size_t left = t->max - t->done;

    if (!left)
        return 0;
    if (!t->buffer) {
        *at = t->out + t->done;
        return left;
    }
    lvl_buffer *b = t->buffer;
    if (b->len == b->cap && !lvl_buffer_reserve(b, left < 65536 ? left : 65536)) {
        *status = b->status;
        return 0;
    }
    *at = b->data + b->len;
    return b->cap - b->len < left ? b->cap - b->len : left;
}

static lvl_inflate_end end_of_error(int code, const z_stream *z)
{
    if (code == Z_NEED_DICT)
        return LVL_INFLATE_NEED_DICT;
    if (code != Z_DATA_ERROR)
        return LVL_INFLATE_TRUNCATED;
    if (z->msg && !strcmp(z->msg, "incorrect data check"))
        return LVL_INFLATE_BAD_CHECKSUM;
    /* The three errors of inflate about the two bytes of the header come before any output. */
    if (z->total_in <= 2 && !z->total_out)
        return LVL_INFLATE_BAD_HEADER;
    return LVL_INFLATE_BAD_DATA;
}

/* zlib's memory for little output: on the stack, so that probing a file cannot run out of memory. What
 * does not fit comes from malloc: other builds of zlib need more. */
enum { LITTLE = 4096, LITTLE_BITS = 12, STACK = 14336 };

struct stack {
    size_t used;
    _Alignas(max_align_t) uint8_t memory[STACK];
};

static voidpf stack_take(voidpf user, uInt count, uInt size)
{
    struct stack *stack = user;
    const size_t align = _Alignof(max_align_t), want = ((size_t)count * size + align - 1) / align * align;

    if (want > STACK - stack->used)
        return malloc(want);
    stack->used += want;
    return stack->memory + stack->used - want;
}

static void stack_give(voidpf user, voidpf address)
{
    const struct stack *stack = user;

    if ((uintptr_t)address < (uintptr_t)stack->memory ||
        (uintptr_t)address >= (uintptr_t)stack->memory + STACK)
        free(address);
}

static lvl_status salvage(lvl_work *work, lvl_wrap wrap, lvl_bytes in, struct target *t,
                          lvl_inflate_report *report)
{
    struct stack stack;
    z_stream z;
    uint8_t beyond;
    size_t given = 0, charged = 0; /* bytes of input */
    lvl_status status = LVL_OK;

    memset(&z, 0, sizeof z);
    memset(report, 0, sizeof *report);
    int window = MAX_WBITS;
    if (!t->buffer && t->max <= LITTLE &&
        wrap != LVL_WRAP_ZLIB) { /* a zlib stream declares the window that it needs */
        stack.used = 0;
        z.zalloc = stack_take;
        z.zfree = stack_give;
        z.opaque = &stack;
        window = LITTLE_BITS; /* no copy reaches further back than all the output */
    }
    const int bits = wrap == LVL_WRAP_GZIP ? window + 16 : -window;
    if ((wrap == LVL_WRAP_ZLIB ? inflateInit(&z) : inflateInit2(&z, bits)) != Z_OK)
        return LVL_ERR_MEMORY;
    for (;;) {
        uint8_t *at = &beyond;
        size_t space = target_space(t, &at, &status);
        if (status != LVL_OK)
            break;
        /* When all is full, one byte more distinguishes a stream that ends here from one that continues. */
        bool full = !space;
        size_t want = full ? 1 : space < INT_MAX ? space : INT_MAX;
        if (!z.avail_in) {
            size_t next = in.len - given < INT_MAX ? in.len - given : INT_MAX;
            z.next_in = next ? (z_const Bytef *)(uintptr_t)(in.ptr + given) : NULL;
            z.avail_in = (uInt)next;
            given += next;
        }
        z.next_out = at;
        z.avail_out = (uInt)want;
        int code = inflate(&z, Z_NO_FLUSH);
        size_t came = want - z.avail_out;
        const size_t eaten = given - z.avail_in - charged;
        charged += eaten;
        if (!lvl_work_charge(work, slow_steps(eaten, came))) {
            status = work->status;
            break;
        }
        if (full && came) {
            report->end = LVL_INFLATE_FULL;
            break;
        }
        t->done += came;
        if (t->buffer)
            t->buffer->len += came;
        if (code == Z_STREAM_END)
            break;
        if (code == Z_MEM_ERROR) {
            status = LVL_ERR_MEMORY;
            break;
        }
        bool memory_failed = !z.avail_in && given == in.len && z.avail_out;
        if ((code != Z_OK && code != Z_BUF_ERROR) || memory_failed) {
            report->end = end_of_error(code, &z);
            break;
        }
    }
    report->in_used = given - z.avail_in;
    report->out_len = t->done;
    inflateEnd(&z);
    return status;
}

lvl_status lvl_inflate_salvage(lvl_work *work, lvl_wrap wrap, lvl_bytes in, lvl_buffer *out, size_t max,
                               lvl_inflate_report *report)
{
    struct target t = {out, NULL, 0, max};

    return salvage(work, wrap, in, &t, report);
}

lvl_status lvl_inflate_salvage_into(lvl_work *work, lvl_wrap wrap, lvl_bytes in, uint8_t *out,
                                    size_t out_size, lvl_inflate_report *report)
{
    struct target t = {NULL, out, 0, out_size};

    return salvage(work, wrap, in, &t, report);
}

lvl_status lvl_inflate_zlib_grow(lvl_work *work, lvl_bytes in, lvl_buffer *out, size_t max, size_t *in_used)
{
    lvl_inflate_report report;
    lvl_status status = lvl_inflate_salvage(work, LVL_WRAP_ZLIB, in, out, max, &report);

    if (status != LVL_OK)
        return status;
    if (report.end == LVL_INFLATE_FULL)
        return LVL_ERR_LIMIT;
    if (report.end != LVL_INFLATE_DONE)
        return LVL_ERR_FORMAT;
    if (in_used)
        *in_used = report.in_used;
    return LVL_OK;
}
