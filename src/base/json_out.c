/*
 * base/json_out.c: strings, whole numbers, keys and commas of JSON, appended to a buffer.
 */
#include "base/buffer.h"
#include "base/text.h"

#include <string.h>

static void put_escape(lvl_buffer *out, uint8_t c)
{
    static const char hex[] = "0123456789abcdef";
    char u[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};

    switch (c) {
    case '"': lvl_buffer_add(out, "\\\"", 2); return;
    case '\\': lvl_buffer_add(out, "\\\\", 2); return;
    case '\n': lvl_buffer_add(out, "\\n", 2); return;
    case '\r': lvl_buffer_add(out, "\\r", 2); return;
    case '\t': lvl_buffer_add(out, "\\t", 2); return;
    default: lvl_buffer_add(out, u, sizeof u);
    }
}

/* Appends valid UTF-8. C1 controls are escaped like the others, so that no output controls a terminal. */
static void put_string(lvl_buffer *out, lvl_text t)
{
    size_t plain = 0;

    lvl_buffer_u8(out, '"');
    for (size_t i = 0; i < t.len; i++) {
        uint8_t c = (uint8_t)t.ptr[i];
        bool c1 = c == 0xC2 && i + 1 < t.len && (uint8_t)t.ptr[i + 1] < 0xA0;
        if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7F && !c1)
            continue;
        lvl_buffer_add(out, t.ptr + plain, i - plain);
        if (c1)
            c = (uint8_t)t.ptr[++i];
        put_escape(out, c);
        plain = i + 1;
    }
    if (plain < t.len)
        lvl_buffer_add(out, t.ptr + plain, t.len - plain);
    lvl_buffer_u8(out, '"');
}

void lvl_json_text(lvl_buffer *out, lvl_codepage page, lvl_text text)
{
    lvl_buffer utf8 = {0};
    size_t i = 0;

    while (i < text.len && (uint8_t)text.ptr[i] < 0x80)
        i++;
    if (i == text.len) {
        put_string(out, text);
        return;
    }
    lvl_text_to_utf8(&utf8, page, text);
    if (utf8.status == LVL_OK) {
        lvl_text t = {(const char *)utf8.data, utf8.len};
        put_string(out, t);
    } else if (out->status == LVL_OK) {
        out->status = utf8.status;
    }
    lvl_buffer_free(&utf8);
}

void lvl_json_string(lvl_buffer *out, lvl_text utf8)
{
    lvl_json_text(out, LVL_CP_UTF8, utf8);
}

void lvl_json_uint(lvl_buffer *out, uint64_t value)
{
    char digits[20], *const end = digits + sizeof digits;
    const char *first = lvl_digits_before(end, value);

    lvl_buffer_add(out, first, (size_t)(end - first));
}

void lvl_json_int(lvl_buffer *out, int64_t value)
{
    if (value < 0) {
        lvl_buffer_u8(out, '-');
        lvl_json_uint(out, 0 - (uint64_t)value);
    } else {
        lvl_json_uint(out, (uint64_t)value);
    }
}

void lvl_json_next(lvl_buffer *out)
{
    /* after one of these bytes an item is the first of its list, or already separated */
    switch (out->len ? out->data[out->len - 1] : '(') {
    case '{':
    case '[':
    case '(':
    case ':':
    case ',':
    case '\n':
    case 0: return;
    default: lvl_buffer_u8(out, ',');
    }
}

void lvl_json_key(lvl_buffer *out, const char *key)
{
    lvl_json_next(out);
    if (!key)
        return;
    const size_t len = strlen(key);
    if (!lvl_buffer_reserve(out, len + 3))
        return;
    uint8_t *to = out->data + out->len;
    to[0] = '"';
    memcpy(to + 1, key, len);
    memcpy(to + 1 + len, "\":", 2);
    out->len += len + 3;
}

void lvl_json_open(lvl_buffer *out, const char *key, char bracket)
{
    lvl_json_key(out, key);
    lvl_buffer_u8(out, (uint8_t)bracket);
}

void lvl_json_put_text(lvl_buffer *out, const char *key, lvl_text utf8)
{
    lvl_json_key(out, key);
    lvl_json_string(out, utf8);
}

void lvl_json_put_string(lvl_buffer *out, const char *key, const char *text)
{
    if (text)
        lvl_json_put_text(out, key, lvl_text_of(text));
}

void lvl_json_put_int(lvl_buffer *out, const char *key, int64_t value)
{
    lvl_json_key(out, key);
    lvl_json_int(out, value);
}

void lvl_json_put_uint(lvl_buffer *out, const char *key, uint64_t value)
{
    lvl_json_key(out, key);
    lvl_json_uint(out, value);
}

void lvl_json_put_bool(lvl_buffer *out, const char *key, bool value)
{
    lvl_json_key(out, key);
    lvl_buffer_str(out, value ? "true" : "false");
}
