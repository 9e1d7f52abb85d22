/*
 * codec/json.c: real numbers of JSON and bytes into a buffer; a JSON text into yyjson's tree.
 */
#include "codec/json.h"

#include "base/text.h"
#include "base/buffer.h"
#include "base/cursor.h"
#include "base/work.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lvl_json_real(lvl_buffer *out, double value)
{
    char text[40];

    /* most are whole and need no search */
    if (value > -1e15 && value < 1e15 && value == (double)(int64_t)value && (value < 0 || value > 0)) {
        lvl_json_int(out, (int64_t)value);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        double back = strtod(text, NULL);
        if (memcmp(&back, &value, sizeof back) == 0) /* NOLINT: -0 is not 0, and a NaN is itself */
            break;
    }
    for (char *p = text; *p; p++) {
        if ((*p < '0' || *p > '9') && *p != '-' && *p != '+' && *p != 'e')
            *p = '.'; /* the locale's decimal point */
    }
    lvl_buffer_str(out, text);
    if (strcmp(text, "-0") == 0) /* which would read back as the whole number 0 */
        lvl_buffer_str(out, ".0");
}

/* Where the decimal digits from `at` on end. */
static size_t end_of_digits(lvl_text t, size_t at)
{
    while (at < t.len && t.ptr[at] >= '0' && t.ptr[at] <= '9')
        at++;
    return at;
}

/* yyjson gets the number without plus sign, leading zeros and bare points: at most one character longer. */
size_t lvl_real_prefix(lvl_text text, double *out)
{
    char number[LVL_REAL_LONGEST + 2];
    size_t n = 0;
    yyjson_val val;

    const bool negative = text.len && text.ptr[0] == '-';
    size_t from = text.len && (text.ptr[0] == '-' || text.ptr[0] == '+');
    const size_t point = end_of_digits(text, from);
    const size_t mantissa =
        point < text.len && text.ptr[point] == '.' ? end_of_digits(text, point + 1) : point;
    if (mantissa - from - (mantissa > point) == 0)
        return 0;
    size_t end = mantissa;
    if (end < text.len && (text.ptr[end] == 'e' || text.ptr[end] == 'E')) {
        size_t digits = end + 1;
        digits += digits < text.len && (text.ptr[digits] == '-' || text.ptr[digits] == '+');
        const size_t last = end_of_digits(text, digits);
        end = last > digits ? last : end;
    }
    if (end > LVL_REAL_LONGEST)
        return 0;
    if (end == point && end - from < 16) { /* most are whole, and exact */
        int64_t whole = 0;
        for (; from < end; from++)
            whole = whole * 10 + (text.ptr[from] - '0');
        *out = negative ? -(double)whole : (double)whole;
        return end;
    }

    while (from + 1 < point && text.ptr[from] == '0')
        from++;
    if (negative)
        number[n++] = '-';
    if (from == point)
        number[n++] = '0';
    const size_t kept = mantissa == point + 1 ? point : mantissa; /* "5." */
    memcpy(number + n, text.ptr + from, kept - from);
    n += kept - from;
    memcpy(number + n, text.ptr + mantissa, end - mantissa);
    n += end - mantissa;
    number[n] = 0;
    if (!yyjson_read_number(number, &val, 0, NULL, NULL))
        *out = negative ? -HUGE_VAL : HUGE_VAL;
    else
        *out = yyjson_get_num(&val);
    if (negative && !(*out < 0))
        *out = -0.0;
    return end;
}

bool lvl_real_parse(lvl_text text, double *out)
{
    double value;

    if (!text.len || lvl_real_prefix(text, &value) != text.len || !isfinite(value))
        return false;
    *out = value;
    return true;
}

void lvl_json_hex(lvl_buffer *out, lvl_bytes bytes)
{
    static const char hex[] = "0123456789abcdef";

    if (bytes.len > SIZE_MAX / 2 || !lvl_buffer_reserve(out, bytes.len * 2))
        return;
    for (size_t i = 0; i < bytes.len; i++) {
        out->data[out->len++] = (uint8_t)hex[bytes.ptr[i] >> 4];
        out->data[out->len++] = (uint8_t)hex[bytes.ptr[i] & 15];
    }
}

void lvl_json_base64(lvl_buffer *out, lvl_bytes bytes)
{
    lvl_buffer_str(out, "{\"base64\":\"");
    lvl_base64_encode(out, bytes);
    lvl_buffer_str(out, "\"}");
}

/* The memory of one tree: counted, so that it stays within the limit. The counter is freed with the tree's
 * last piece, since yyjson has no call for that. */
typedef struct tree_memory {
    const lvl_ctx *ctx;
    uint64_t used, most, wanted; /* wanted: what was refused, or 0 */
    size_t pieces;
    bool reading;
} tree_memory;

typedef union piece {
    size_t size;
    max_align_t align;
} piece;

static bool may_take(tree_memory *memory, uint64_t size)
{
    if (size <= memory->most - memory->used)
        return true;
    memory->wanted = memory->used + size;
    return false;
}

static void *tree_alloc(void *user, size_t size)
{
    tree_memory *memory = user;
    size_t whole;

    if (!lvl_add_size(size, sizeof(piece), &whole) || !may_take(memory, whole))
        return NULL;
    piece *p = lvl_mem_alloc(memory->ctx, whole);
    if (!p)
        return NULL;
    p->size = whole;
    memory->used += whole;
    memory->pieces++;
    return p + 1;
}

static void tree_free(void *user, void *ptr)
{
    tree_memory *memory = user;
    piece *p = (piece *)ptr - 1;

    memory->used -= p->size;
    memory->pieces--;
    lvl_mem_free(memory->ctx, p);
    if (!memory->pieces && !memory->reading)
        lvl_mem_free(memory->ctx, memory);
}

static void *tree_resize(void *user, void *ptr, size_t old_size, size_t size)
{
    tree_memory *memory = user;
    piece *p = (piece *)ptr - 1;
    size_t whole;

    if (!lvl_add_size(size, sizeof(piece), &whole) || (whole > p->size && !may_take(memory, whole - p->size)))
        return NULL;
    if (!memory->ctx || !memory->ctx->allocator.alloc) {
        const size_t was = p->size;
        piece *moved = realloc(p, whole);
        if (!moved)
            return NULL;
        memory->used = memory->used - was + whole;
        moved->size = whole;
        return moved + 1;
    }
    void *moved = tree_alloc(user, size);
    if (moved) {
        memcpy(moved, ptr, old_size < size ? old_size : size);
        tree_free(user, ptr);
    }
    return moved;
}

/* Sets the place of a syntax error. */
static void locate_error(lvl_text json, const yyjson_read_err *err, lvl_json_error *error)
{
    error->status = LVL_ERR_FORMAT;
    error->offset = err->pos;
    error->text = err->msg ? err->msg : "not JSON";
    error->line = error->column = 1;
    for (size_t i = 0; i < err->pos && i < json.len; i++) {
        if (json.ptr[i] == '\n') {
            error->line++;
            error->column = 1;
        } else if (((uint8_t)json.ptr[i] & 0xC0) != 0x80) {
            error->column++;
        }
    }
}

yyjson_doc *lvl_json_read(const lvl_ctx *ctx, lvl_text json, lvl_json_error *error)
{
    tree_memory *memory = lvl_mem_alloc(ctx, sizeof *memory);
    yyjson_read_err err;
    yyjson_doc *doc = NULL;

    memset(error, 0, sizeof *error);
    error->status = memory ? lvl_charge(ctx, json.len / 4) : LVL_ERR_MEMORY;
    if (error->status != LVL_OK) {
        lvl_mem_free(ctx, memory);
        return NULL;
    }
    *memory = (tree_memory){.ctx = ctx, .most = lvl_limits_of(ctx).memory_bytes / 2, .reading = true};
    const yyjson_alc alc = {tree_alloc, tree_resize, tree_free, memory};
    /* without the flag for reading in place yyjson does not change the text, although the parameter is not
     * const */
    doc = yyjson_read_opts((char *)(uintptr_t)(json.len ? json.ptr : ""), json.len, YYJSON_READ_NOFLAG, &alc,
                           &err);
    memory->reading = false;
    if (doc)
        return doc;
    if (err.code != YYJSON_READ_ERROR_MEMORY_ALLOCATION) {
        locate_error(json, &err, error);
    } else if (memory->wanted) {
        error->refused =
            (lvl_usage){.limit = LVL_LIMIT_MEMORY, .allowed = memory->most, .wanted = memory->wanted};
        error->status = lvl_refuse(ctx, LVL_LIMIT_MEMORY, memory->most, memory->wanted);
    } else {
        error->status = LVL_ERR_MEMORY;
    }
    lvl_mem_free(ctx, memory);
    return NULL;
}
