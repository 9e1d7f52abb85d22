/*
 * base/base64.c: base64 with the standard alphabet, padded.
 */
#include "base/buffer.h"
#include "base/text.h"

void lvl_base64_encode(lvl_buffer *out, lvl_bytes bytes)
{
    static const char abc[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    if (bytes.len > SIZE_MAX / 2 || !lvl_buffer_reserve(out, (bytes.len + 2) / 3 * 4))
        return;
    uint8_t *to = out->data + out->len;
    for (size_t i = 0; i < bytes.len; i += 3) {
        size_t n = bytes.len - i;
        uint32_t v = (uint32_t)bytes.ptr[i] << 16;
        v |= n > 1 ? (uint32_t)bytes.ptr[i + 1] << 8 : 0;
        v |= n > 2 ? bytes.ptr[i + 2] : 0;
        *to++ = (uint8_t)abc[v >> 18];
        *to++ = (uint8_t)abc[v >> 12 & 63];
        *to++ = (uint8_t)(n > 1 ? abc[v >> 6 & 63] : '=');
        *to++ = (uint8_t)(n > 2 ? abc[v & 63] : '=');
    }
    out->len = (size_t)(to - out->data);
}

bool lvl_base64_size(lvl_text text, size_t *size)
{
    if (text.len % 4)
        return false;
    *size = text.len / 4 * 3;
    if (text.len && text.ptr[text.len - 1] == '=')
        *size -= text.ptr[text.len - 2] == '=' ? 2 : 1;
    return true;
}

/* The value of a digit; -1: not a digit. */
static int base64_digit(char c)
{
    static const int8_t digits[128] = {
        -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
        -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 62,
        -1, -1, -1, 63, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, -1, -1, -1, -1, -1, -1, -1, 0,
        1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
        23, 24, 25, -1, -1, -1, -1, -1, -1, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38,
        39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, -1, -1, -1, -1, -1,
    };
    return (uint8_t)c < 128 ? digits[(uint8_t)c] : -1;
}

bool lvl_base64_decode(lvl_text text, uint8_t *out)
{
    size_t size;

    if (!lvl_base64_size(text, &size))
        return false;
    for (size_t i = 0, at = 0; i < text.len; i += 4) {
        uint32_t v = 0;
        if (at + 3 <= size) { /* not the padded end */
            int a = base64_digit(text.ptr[i]), b = base64_digit(text.ptr[i + 1]);
            int c = base64_digit(text.ptr[i + 2]), d = base64_digit(text.ptr[i + 3]);
            if ((a | b | c | d) < 0)
                return false;
            v = (uint32_t)a << 18 | (uint32_t)b << 12 | (uint32_t)c << 6 | (uint32_t)d;
            out[at++] = (uint8_t)(v >> 16);
            out[at++] = (uint8_t)(v >> 8);
            out[at++] = (uint8_t)v;
            continue;
        }
        for (size_t k = 0; k < 4; k++) {
            bool pad = text.ptr[i + k] == '=' && at + k > size && i + 4 == text.len;
            int d = pad ? 0 : base64_digit(text.ptr[i + k]);
            if (d < 0)
                return false;
            v = v << 6 | (uint32_t)d;
        }
        for (int shift = 16; shift >= 0 && at < size; shift -= 8)
            out[at++] = (uint8_t)(v >> shift);
    }
    return true;
}
