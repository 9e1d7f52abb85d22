/*
 * codec/json.h: JSON out and in for our own documents (dumps, verbs with --json). Out: straight into a
 * buffer. In: yyjson, whose tree is used as it is (levels that are JSON themselves are read otherwise: yyjson
 * loses their spelling and positions). Strings, whole numbers, keys and commas: base/text.h.
 */
#ifndef LVL_CODEC_JSON_H
#define LVL_CODEC_JSON_H

#include "base/text.h"

#include <lvl/tools.h>

#include <yyjson.h>

/* The shortest decimal that reads back as the same number ("30", "-0.5", "1e+22"), whatever the locale; the
 * value must be finite. */
void lvl_json_real(lvl_buffer *out, double value);
/* Parses a decimal number: [+-] digits [. digits] [e [+-] digits], one side of
 * the point may be without digits, leading zeros are allowed; the decimal point is '.' in every locale.
 * Returns how many bytes at the start of `text` are such a number, at most LVL_REAL_LONGEST; 0: none. Beyond
 * the range of a double: *out is infinite. */
enum { LVL_REAL_LONGEST = 400 };
size_t lvl_real_prefix(lvl_text text, double *out);
/* Parses a whole text; false, and *out unchanged, if it is something else, or not finite. */
bool lvl_real_parse(lvl_text text, double *out);
/* {"base64":"…"} */
void lvl_json_base64(lvl_buffer *out, lvl_bytes bytes);
/* "00ff1a": hexadecimal digits without quotes. */
void lvl_json_hex(lvl_buffer *out, lvl_bytes bytes);

typedef struct lvl_json_error {
    lvl_status status; /* LVL_ERR_FORMAT: the members below; LVL_ERR_LIMIT, LVL_ERR_MEMORY, LVL_ERR_STOPPED */
    size_t offset, line, column;
    const char *text; /* static */
    lvl_usage refused; /* LVL_ERR_LIMIT for its memory: that limit; else LVL_LIMIT_NONE */
} lvl_json_error;

/* Reads a whole JSON text into a tree (free with yyjson_doc_free, which takes NULL, before the context's
 * allocator ends); NULL and `error` filled if that fails. A tree takes its text and 16 bytes for each
 * value, 24 while it grows, and may take half of limits.memory_bytes. */
yyjson_doc *lvl_json_read(const lvl_ctx *ctx, lvl_text json, lvl_json_error *error);

static inline lvl_text lvl_json_str(yyjson_val *val)
{
    lvl_text t = {yyjson_get_str(val), yyjson_get_len(val)};
    return t;
}

#endif
