/*
 * cli/shared/page.c: pages of one file: their template with a style, a script and data put into it. The
 * template allows only these, by their hashes, so no text of a level can run as a script.
 */
#include "cli/cli.h"

#include "base/hash.h"
#include "base/text.h"

#include <string.h>

/* "'sha256-…'", as a policy names a script or style. */
static void put_hash(lvl_buffer *out, lvl_bytes source)
{
    uint8_t raw[32];
    char hex[65];

    lvl_sha256_hex(source, hex);
    for (size_t i = 0; i < sizeof raw; i++) {
        const char high = hex[2 * i], low = hex[2 * i + 1];
        raw[i] = (uint8_t)((high <= '9' ? high - '0' : high - 'a' + 10) << 4 |
                           (low <= '9' ? low - '0' : low - 'a' + 10));
    }
    lvl_buffer_str(out, "'sha256-");
    lvl_base64_encode(out, (lvl_bytes){raw, sizeof raw});
    lvl_buffer_str(out, "'");
}

/* Appends JSON so that nothing in it ends its element or begins a comment: '<' can only be in a string.
 * Characters that change the direction of text are escaped, for readers of the page's source. */
static void put_data(lvl_buffer *out, const lvl_buffer *json)
{
    size_t done = 0;

    for (size_t i = 0; i < json->len; i++) {
        const uint8_t *p = json->data + i;
        const bool more = json->len - i >= 3;
        unsigned code = *p == '<' ? '<' : 0;
        size_t len = 1;

        if (*p == 0xd8 && more && p[1] == 0x9c) {
            code = 0x61c;
            len = 2;
        } else if (*p == 0xe2 && more && (p[1] == 0x80 || p[1] == 0x81)) {
            const unsigned c = 0x2000u | (unsigned)(p[1] & 0x3f) << 6 | (p[2] & 0x3f);
            code =
                (c >= 0x200e && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069)
                    ? c
                    : 0;
            len = code ? 3 : 1;
        }
        if (!code)
            continue;
        lvl_buffer_add(out, json->data + done, i - done);
        lvl_buffer_printf(out, "\\u%04x", code);
        done = i + len;
        i = done - 1;
    }
    lvl_buffer_add(out, json->data + done, json->len - done);
}

void cli_page_fill(lvl_buffer *out, lvl_text page, lvl_bytes style, lvl_bytes script, const lvl_buffer *json)
{
    while (page.len) {
        const char *mark = memchr(page.ptr, '{', page.len);
        const size_t len = mark ? (size_t)(mark - page.ptr) : page.len;
        lvl_buffer_add(out, page.ptr, len);
        page.ptr += len;
        page.len -= len;
        const char *end = mark ? memchr(page.ptr, '}', page.len) : NULL;
        if (!end)
            continue;
        if (lvl_text_begins(page, "{style-hash}"))
            put_hash(out, style);
        else if (lvl_text_begins(page, "{script-hash}"))
            put_hash(out, script);
        else if (lvl_text_begins(page, "{style}"))
            lvl_buffer_add(out, style.ptr, style.len);
        else if (lvl_text_begins(page, "{script}"))
            lvl_buffer_add(out, script.ptr, script.len);
        else if (lvl_text_begins(page, "{data}"))
            put_data(out, json);
        page.len -= (size_t)(end - page.ptr) + 1;
        page.ptr = end + 1;
    }
    if (json->status != LVL_OK)
        out->status = json->status;
}
