/*
 * support/sketchy_vary.c: see support/sketchy_vary.h. The game reads all variants as the same drawing
 * (docs/formats/sketchy.md); none is damaged.
 */
#include "sketchy_vary.h"

#include "base/cursor.h"
#include "codec/deflate.h"
#include "codec/inflate.h"
#include "codec/tokens.h"
#include "container/zip.h"
#include "base/buffer.h"

#include <lvl/sketchy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t next(lvl_vary *v)
{
    v->state ^= v->state << 13;
    v->state ^= v->state >> 7;
    v->state ^= v->state << 17;
    return v->state >> 11;
}

unsigned lvl_vary_below(lvl_vary *v, unsigned n)
{
    return (unsigned)(next(v) % n);
}

/* True with this probability in 256. */
static bool chance(lvl_vary *v, unsigned in_256)
{
    return lvl_vary_below(v, 256) < in_256;
}

void lvl_vary_begin(lvl_vary *v, uint64_t seed)
{
    static const unsigned often[] = {0, 0, 16, 128, 256};

    memset(v, 0, sizeof *v);
    v->state = seed * UINT64_C(0x9E3779B97F4A7C15) | 1;
    for (int i = 0; i < 8; i++)
        next(v);
    v->blanks = lvl_vary_below(v, 4);
    v->cases = often[lvl_vary_below(v, 5)];
    v->order = often[lvl_vary_below(v, 5)];
    v->escapes = often[lvl_vary_below(v, 4)];
    v->extra = often[lvl_vary_below(v, 4)];
    v->chunks = often[lvl_vary_below(v, 5)];
}

/* ---- JSON -------------------------------------------------------------------------------------------- */

/* The role of an object for the game: the names of fields may have any case, keys of maps are data. */
typedef enum place {
    ROOT,
    FIELDS,
    CHUNKER,
    CHUNKS,
    CHUNK,
    PIXELS,
    ACTORS,
    ACTOR,
    RECORDS,
    TEXTS,
    LAYER,
    ANY
} place;

typedef struct member {
    lvl_text key, value;
} member;

static bool is_fields(place p)
{
    return p == ROOT || p == FIELDS || p == CHUNKER || p == CHUNK || p == ACTOR || p == LAYER;
}

/* A value after a key or in an array. */
static place below(place p, lvl_text key)
{
    static const struct {
        place in;
        const char *key;
        place is;
    } places[] = {
        {ROOT, "chunks", CHUNKER},   {ROOT, "palette", FIELDS},    {ROOT, "rules", FIELDS},
        {ROOT, "actors", ACTORS},    {ROOT, "files", RECORDS},     {ROOT, "layers", LAYER},
        {ROOT, "data", TEXTS},       {ROOT, "options", RECORDS},   {ROOT, "size", FIELDS},
        {ROOT, "hitbox", FIELDS},    {FIELDS, "swatches", FIELDS}, {LAYER, "chunks", CHUNKER},
        {CHUNKER, "chunks", CHUNKS}, {CHUNK, "data", PIXELS},      {ACTOR, "options", RECORDS},
    };

    if (p == CHUNKS)
        return CHUNK;
    if (p == ACTORS)
        return ACTOR;
    if (p == RECORDS)
        return FIELDS;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (places[i].in == p && lvl_text_equal(key, (lvl_text){places[i].key, strlen(places[i].key)}))
            return places[i].is;
    }
    return ANY;
}

static void blank(lvl_vary *v, lvl_buffer *out, unsigned depth)
{
    switch (v->blanks) {
    case 0: return;
    case 1:
        for (unsigned n = lvl_vary_below(v, 3); n--;)
            lvl_buffer_u8(out, " \t\n\r"[lvl_vary_below(v, 4)]);
        return;
    case 3: lvl_buffer_u8(out, '\r'); break;
    default: break;
    }
    lvl_buffer_u8(out, '\n');
    lvl_buffer_fill(out, '\t', depth);
}

static void put_escape(lvl_vary *v, lvl_buffer *out, unsigned unit)
{
    lvl_buffer_printf(out, chance(v, 128) ? "\\u%04x" : "\\u%04X", unit);
}

/* The content of a string: escapes stay, other letters may become escapes. */
static void put_spelled(lvl_vary *v, lvl_buffer *out, lvl_text text)
{
    for (size_t i = 0; i < text.len;) {
        const uint8_t c = (uint8_t)text.ptr[i];
        size_t n = c == '\\'  ? (text.ptr[i + 1] == 'u' ? 6 : 2)
                   : c < 0xC0 ? 1
                   : c < 0xE0 ? 2
                   : c < 0xF0 ? 3
                              : 4;
        n = n < text.len - i ? n : text.len - i;
        if (c == '\\' || !chance(v, v->escapes)) {
            lvl_buffer_add(out, text.ptr + i, n);
        } else if (n == 1) {
            if (c == '/' && chance(v, 128))
                lvl_buffer_str(out, "\\/");
            else
                put_escape(v, out, c);
        } else {
            uint32_t p = n == 2 ? c & 0x1F : n == 3 ? c & 0x0F : c & 7;
            for (size_t k = 1; k < n; k++)
                p = p << 6 | ((uint8_t)text.ptr[i + k] & 0x3F);
            if (p >= 0x10000) {
                put_escape(v, out, 0xD800 + ((p - 0x10000) >> 10));
                p = 0xDC00 + ((p - 0x10000) & 0x3FF);
            }
            put_escape(v, out, p);
        }
        i += n;
    }
}

static void put_key(lvl_vary *v, lvl_buffer *out, place p, lvl_text key)
{
    char text[64];
    size_t n = 0;

    lvl_buffer_u8(out, '"');
    if (is_fields(p) && key.len < sizeof text && chance(v, v->cases)) {
        const unsigned how = lvl_vary_below(v, 3);
        for (; n < key.len; n++) {
            const char c = key.ptr[n];
            const bool lower = c >= 'a' && c <= 'z', upper = c >= 'A' && c <= 'Z';
            text[n] = (char)(how == 0 && !n && lower ? c - 32
                             : how == 1 && lower     ? c - 32
                             : how == 2 && upper     ? c + 32
                                                     : c);
        }
        key = (lvl_text){text, n};
    } else if (p == PIXELS && chance(v, v->chunks / 4)) { /* as Go's Atoi takes them */
        const char *comma = memchr(key.ptr, ',', key.len);
        const int left = (int)(comma - key.ptr), right = (int)key.len - left - 1;
        const int len = snprintf(text, sizeof text, "%s%.*s,%.*s",
                                 *key.ptr == '-'  ? ""
                                 : chance(v, 128) ? "+"
                                                  : "0",
                                 left, key.ptr, right, comma + 1);
        key = (lvl_text){text, (size_t)len};
    }
    put_spelled(v, out, key);
    lvl_buffer_str(out, "\"");
}

static bool respell(lvl_vary *v, lvl_text text, place p, unsigned depth, lvl_buffer *out);

static void put_unknown(lvl_vary *v, lvl_buffer *out)
{
    static const char *const things[] = {
        "\"isSparkle\":true",
        "\"comment\":\"by hand\"",
        "\"zz\":{\"layers\":[1,{\"chunks\":null}],\"\\u0041\":-0.5e3}",
        "\"generator\":[[[[[]]]],{}]",
        "\"__v\":0",
        "\"w\":null",
    };
    lvl_buffer_str(out, things[lvl_vary_below(v, 6)]);
}

static bool respell_list(lvl_vary *v, lvl_text text, place p, unsigned depth, lvl_buffer *out)
{
    const bool array = text.ptr[0] == '[';
    member *list = NULL;
    size_t count = 0, room = 0;
    bool good = true;
    lvl_tokens t;

    lvl_tokens_init(&t, text, 0);
    lvl_tokens_next(&t);
    for (lvl_token token; good;) {
        member m = {{NULL, 0}, {NULL, 0}};
        token = lvl_tokens_next(&t);
        if (token.kind == LVL_TOKEN_ARRAY_END || token.kind == LVL_TOKEN_OBJECT_END)
            break;
        if (token.kind == LVL_TOKEN_KEY) {
            m.key = token.text;
            token = lvl_tokens_next(&t);
        }
        m.value = lvl_tokens_skip(&t, &token);
        if (count == room) {
            room = room ? room * 2 : 16;
            member *bigger = realloc(list, room * sizeof *list);
            good = bigger != NULL;
            list = bigger ? bigger : list;
        }
        good = good && m.value.ptr;
        if (good)
            list[count++] = m;
    }
    if (!array && (is_fields(p) || p == CHUNKS || p == PIXELS) && chance(v, v->order)) {
        for (size_t i = count; i-- > 1;) {
            const size_t k = (size_t)(next(v) % (i + 1));
            const member m = list[i];
            list[i] = list[k];
            list[k] = m;
        }
    }
    lvl_buffer_u8(out, array ? '[' : '{');
    for (size_t i = 0; i < count && good; i++) {
        if (i)
            lvl_buffer_u8(out, ',');
        blank(v, out, depth + 1);
        if (!array && is_fields(p) && chance(v, v->extra / 4)) {
            put_unknown(v, out);
            lvl_buffer_u8(out, ',');
        }
        if (!array) {
            put_key(v, out, p, list[i].key);
            if (v->blanks == 1)
                blank(v, out, 0);
            lvl_buffer_str(out, v->blanks > 1 ? ": " : ":");
        }
        good = respell(v, list[i].value, array ? p : below(p, list[i].key), depth + 1, out);
    }
    if (count)
        blank(v, out, depth);
    lvl_buffer_u8(out, array ? ']' : '}');
    free(list);
    return good;
}

static bool respell(lvl_vary *v, lvl_text text, place p, unsigned depth, lvl_buffer *out)
{
    if (text.ptr[0] == '{' || text.ptr[0] == '[')
        return respell_list(v, text, p, depth, out);
    if (text.ptr[0] == '"') {
        lvl_buffer_u8(out, '"');
        put_spelled(v, out, (lvl_text){text.ptr + 1, text.len - 2});
        lvl_buffer_u8(out, '"');
        return true;
    }
    if (text.len == 1 && text.ptr[0] == '0' && chance(v, v->escapes))
        lvl_buffer_u8(out, '-'); /* -0 */
    lvl_buffer_add(out, text.ptr, text.len);
    return true;
}

static bool vary_json(lvl_vary *v, lvl_bytes text, place p, lvl_buffer *out)
{
    lvl_tokens t;

    lvl_tokens_init(&t, (lvl_text){(const char *)text.ptr, text.len}, 0);
    const lvl_token first = lvl_tokens_next(&t);
    const lvl_text all = lvl_tokens_skip(&t, &first);
    const bool good = first.kind == LVL_TOKEN_OBJECT && all.ptr && respell(v, all, p, 0, out);
    if (chance(v, 200))
        lvl_buffer_str(out, v->blanks == 3 ? "\r\n" : "\n");
    return good;
}

/* ---- chunks ------------------------------------------------------------------------------------------ */

static uint64_t take_varint(const uint8_t **p, const uint8_t *end)
{
    uint64_t n = 0;

    for (unsigned shift = 0; *p < end; shift += 7) {
        const uint8_t b = *(*p)++;
        n |= (uint64_t)(b & 0x7F) << shift;
        if (b < 0x80)
            break;
    }
    return n;
}

/* A varint, sometimes longer than necessary. */
static void put_varint(lvl_vary *v, lvl_buffer *out, uint64_t n)
{
    unsigned more = chance(v, v->chunks / 8) ? 1 + lvl_vary_below(v, 3) : 0;

    while (n >= 0x80 || more) {
        more -= n < 0x80;
        lvl_buffer_u8(out, (uint8_t)(n | 0x80));
        n >>= 7;
    }
    lvl_buffer_u8(out, (uint8_t)n);
}

static void vary_chunk(lvl_vary *v, lvl_bytes chunk, lvl_buffer *out)
{
    const uint8_t *p = chunk.ptr + 1, *end = chunk.ptr + chunk.len;
    uint64_t list[512][3];

    lvl_buffer_u8(out, chunk.ptr[0]);
    while (p < end && chunk.ptr[0] == 1) { /* runs: in pieces, with some empty ones */
        const uint64_t index = take_varint(&p, end), count = take_varint(&p, end);
        const uint64_t first = count > 1 && chance(v, v->chunks / 4) ? 1 + next(v) % (count - 1) : 0;
        if (p == end && index == LVL_SKETCHY_NONE && chance(v, v->chunks))
            break; /* pixels after the last one may be left out */
        if (chance(v, v->chunks / 8)) {
            put_varint(v, out, 1);
            put_varint(v, out, 0);
        }
        if (first) {
            put_varint(v, out, index);
            put_varint(v, out, first);
        }
        put_varint(v, out, index);
        put_varint(v, out, count - first);
    }
    while (p < end) { /* pixels: some hundred in another order */
        size_t n = 0;
        for (; n < 512 && p < end; n++) {
            for (int i = 0; i < 3; i++)
                list[n][i] = take_varint(&p, end);
        }
        for (size_t i = n; i-- > 0;) {
            const size_t k = chance(v, v->chunks) ? (size_t)(next(v) % (i + 1)) : i;
            for (int m = 0; m < 3; m++) {
                put_varint(v, out, list[k][m]);
                list[k][m] = list[i][m];
            }
        }
    }
}

/* ---- gzip -------------------------------------------------------------------------------------------- */

static bool put_gzip(lvl_vary *v, lvl_bytes text, lvl_buffer *out)
{
    const unsigned flags = lvl_vary_below(v, 32);
    const size_t at = out->len;

    lvl_buffer_add(out, "\x1F\x8B\x08", 3);
    lvl_buffer_u8(out, (uint8_t)flags);
    lvl_buffer_u32le(out, (uint32_t)next(v));
    lvl_buffer_u8(out, (uint8_t)(lvl_vary_below(v, 3) * 2));
    lvl_buffer_u8(out, (uint8_t)lvl_vary_below(v, 14));
    if (flags & 4)
        lvl_buffer_add(out, "\5\0AB\1\0x", 7);
    if (flags & 8)
        lvl_buffer_add(out, "a.level", 8);
    if (flags & 16)
        lvl_buffer_add(out, "by hand", 8);
    if (flags & 2) {
        const uint32_t crc = lvl_crc32((lvl_bytes){out->data + at, out->len - at});
        lvl_buffer_u8(out, (uint8_t)crc);
        lvl_buffer_u8(out, (uint8_t)(crc >> 8));
    }
    const lvl_status status = lvl_deflate(LVL_WRAP_RAW, text, out);
    lvl_buffer_u32le(out, lvl_crc32(text));
    lvl_buffer_u32le(out, (uint32_t)text.len);
    return status == LVL_OK;
}

/* A gzip of one member or several, some of which may be empty. */
static bool vary_gzip(lvl_vary *v, lvl_bytes text, lvl_buffer *out)
{
    size_t at = 0;
    bool good = true;

    while (at < text.len && good) {
        const size_t left = text.len - at, n = chance(v, 160) ? left : (size_t)(next(v) % left) + 1;
        good = put_gzip(v, (lvl_bytes){text.ptr + at, n}, out);
        at += n;
    }
    if (chance(v, 16))
        good = good && put_gzip(v, (lvl_bytes){text.ptr, 0}, out);
    return good;
}

/* ---- zip --------------------------------------------------------------------------------------------- */

enum { WITH_DESCRIPTOR = 1, WITH_SIGNATURE = 2, STORED = 4, ZIP64_FIELDS = 8, TIMES = 16 };

typedef struct attachment_index {
    lvl_buffer *out;
    lvl_buffer directory;
    size_t start;
    unsigned count;
} attachment_index;

static void put_u16(lvl_buffer *out, unsigned n)
{
    lvl_buffer_u8(out, (uint8_t)n);
    lvl_buffer_u8(out, (uint8_t)(n >> 8));
}

static void put_u64(lvl_buffer *out, uint64_t n)
{
    lvl_buffer_u32le(out, (uint32_t)n);
    lvl_buffer_u32le(out, (uint32_t)(n >> 32));
}

/* Version, flags, method and time, which are equal in the local header and the entry. */
static void put_common(lvl_buffer *out, unsigned how)
{
    put_u16(out, how & ZIP64_FIELDS ? 45 : 20);
    put_u16(out, how & WITH_DESCRIPTOR ? 8 : 0);
    put_u16(out, how & STORED ? 0 : 8);
    lvl_buffer_u32le(out, how & TIMES ? 0x56A73C0F : 0);
}

static bool put_member(lvl_vary *v, attachment_index *s, unsigned how, lvl_text name, lvl_bytes content)
{
    const unsigned extra = chance(v, 64) ? 9 : 0, comment = chance(v, 16) ? 5 : 0;
    const bool wide = how & ZIP64_FIELDS, later = how & WITH_DESCRIPTOR;
    const uint32_t crc = lvl_crc32(content), all = UINT32_MAX;
    const size_t at = s->out->len - s->start;
    lvl_buffer *d = &s->directory, packed = {0};
    bool good = true;

    if (how & STORED)
        lvl_buffer_add(&packed, content.ptr, content.len);
    else
        good = lvl_deflate(LVL_WRAP_RAW, content, &packed) == LVL_OK;
    const uint64_t size = packed.len;
    lvl_buffer_str(s->out, "PK\3\4");
    put_common(s->out, how);
    lvl_buffer_u32le(s->out, later ? 0 : crc);
    lvl_buffer_u32le(s->out, wide ? all : later ? 0 : (uint32_t)size);
    lvl_buffer_u32le(s->out, wide ? all : later ? 0 : (uint32_t)content.len);
    put_u16(s->out, (unsigned)name.len);
    put_u16(s->out, extra + (wide ? 20 : 0));
    lvl_buffer_add(s->out, name.ptr, name.len);
    if (extra)
        lvl_buffer_add(s->out, "UT\5\0\1\0\0\0_", 9);
    if (wide) {
        lvl_buffer_add(s->out, "\1\0\20\0", 4);
        put_u64(s->out, later ? 0 : content.len);
        put_u64(s->out, later ? 0 : size);
    }
    lvl_buffer_add(s->out, packed.data, packed.len);
    if (later) {
        if (how & WITH_SIGNATURE)
            lvl_buffer_str(s->out, "PK\7\10");
        lvl_buffer_u32le(s->out, crc);
        lvl_buffer_u32le(s->out, (uint32_t)size);
        if (wide)
            lvl_buffer_u32le(s->out, 0);
        lvl_buffer_u32le(s->out, (uint32_t)content.len);
        if (wide)
            lvl_buffer_u32le(s->out, 0);
    }
    lvl_buffer_str(d, "PK\1\2");
    put_u16(d, how & TIMES ? 0x31E : 20);
    put_common(d, how);
    lvl_buffer_u32le(d, crc);
    lvl_buffer_u32le(d, wide ? all : (uint32_t)size);
    lvl_buffer_u32le(d, wide ? all : (uint32_t)content.len);
    put_u16(d, (unsigned)name.len);
    put_u16(d, extra + (wide ? 28 : 0));
    put_u16(d, comment);
    lvl_buffer_u32le(d, 0);
    lvl_buffer_u32le(d, how & TIMES ? 0x81A40000 : 0);
    lvl_buffer_u32le(d, wide ? all : (uint32_t)at);
    lvl_buffer_add(d, name.ptr, name.len);
    if (wide) {
        lvl_buffer_add(d, "\1\0\30\0", 4);
        put_u64(d, content.len);
        put_u64(d, size);
        put_u64(d, at);
    }
    if (extra)
        lvl_buffer_add(d, "UT\5\0\1\0\0\0_", 9);
    lvl_buffer_add(d, "drawn", comment);
    lvl_buffer_free(&packed);
    s->count++;
    return good;
}

static void end_zip(lvl_vary *v, attachment_index *s, bool zip64)
{
    static const char comment[] = "Made by hand; PK\5\6 is in it.";
    const unsigned length = chance(v, 64) ? sizeof comment - 1 : 0;
    const size_t at = s->out->len - s->start;
    lvl_buffer *out = s->out;

    lvl_buffer_add(out, s->directory.data, s->directory.len);
    if (zip64) {
        const size_t end = out->len - s->start;
        lvl_buffer_str(out, "PK\6\6");
        put_u64(out, 44);
        put_u16(out, 45);
        put_u16(out, 45);
        put_u64(out, 0);
        put_u64(out, s->count);
        put_u64(out, s->count);
        put_u64(out, s->directory.len);
        put_u64(out, at);
        lvl_buffer_str(out, "PK\6\7");
        lvl_buffer_u32le(out, 0);
        put_u64(out, end);
        lvl_buffer_u32le(out, 1);
    }
    const bool full = zip64 && chance(v, 128);
    lvl_buffer_str(out, "PK\5\6");
    lvl_buffer_u32le(out, 0);
    put_u16(out, full ? UINT16_MAX : s->count);
    put_u16(out, full ? UINT16_MAX : s->count);
    lvl_buffer_u32le(out, full ? UINT32_MAX : (uint32_t)s->directory.len);
    lvl_buffer_u32le(out, full ? UINT32_MAX : (uint32_t)at);
    put_u16(out, length);
    lvl_buffer_add(out, comment, length);
}

/* The content of a member in another spelling; false: it stays. */
static bool vary_member(lvl_vary *v, lvl_text name, lvl_bytes content, lvl_buffer *out)
{
    const size_t dot = name.len > 5 ? name.len - 5 : 0;
    const bool json = name.len > 5 && !memcmp(name.ptr + dot, ".json", 5);
    const bool chunk = name.len > 7 && !memcmp(name.ptr, "chunks/", 7);

    if (json)
        return vary_json(v, content, chunk ? CHUNK : ROOT, out);
    if (!chunk || !content.len || content.ptr[0] > 1)
        return false;
    vary_chunk(v, content, out);
    return true;
}

static bool put_zip(lvl_vary *v, const lvl_ctx *ctx, lvl_bytes file, bool rewritten, lvl_buffer *out)
{
    const unsigned how = lvl_vary_below(v, 32);
    const bool mixed = chance(v, 64), shuffled = chance(v, v->order);
    attachment_index s = {.out = out, .start = out->len};
    lvl_buffer content = {0}, varied = {0};
    lvl_arena arena;
    lvl_zip zip;

    lvl_arena_init(&arena, ctx);
    bool good = lvl_zip_read(&arena, ctx, file, &zip) == LVL_OK;
    for (uint32_t i = good && shuffled ? zip.count : 0; i-- > 1;) {
        const uint32_t k = (uint32_t)(next(v) % (i + 1));
        const lvl_zip_member m = zip.members[i];
        zip.members[i] = zip.members[k];
        zip.members[k] = m;
    }
    if (good && chance(v, v->extra))
        good = put_member(v, &s, how | STORED, lvl_text_of("chunks/"), (lvl_bytes){NULL, 0}) &&
               put_member(v, &s, how, lvl_text_of("readme.txt"), (lvl_bytes){(const uint8_t *)"Hello", 5});
    for (uint32_t i = 0; good && i < zip.count; i++) {
        const lvl_text name = zip.members[i].name;
        lvl_bytes bytes;
        good = lvl_zip_inflate(ctx, &zip.members[i], &content, &bytes, NULL) == LVL_OK;
        varied.len = 0;
        if (good && rewritten && vary_member(v, name, bytes, &varied))
            bytes = (lvl_bytes){varied.data, varied.len};
        good = good && put_member(v, &s, mixed ? lvl_vary_below(v, 32) : how, name, bytes);
    }
    end_zip(v, &s, (how & ZIP64_FIELDS) && chance(v, 128));
    if (chance(v, 16))
        lvl_buffer_str(out, "\r\n");
    lvl_buffer_free(&content);
    lvl_buffer_free(&varied);
    lvl_buffer_free(&s.directory);
    lvl_arena_free(&arena);
    return good && out->status == LVL_OK;
}

/* ---- public functions --------------------------------------------------------------------------------- */

bool lvl_vary_drawing(lvl_vary *v, const lvl_ctx *ctx, lvl_bytes file, lvl_buffer *out)
{
    lvl_buffer text = {0}, varied = {0};
    lvl_inflate_report report;

    if (lvl_zip_probe(file))
        return put_zip(v, ctx, file, true, out);
    if (file.ptr[0] == '{')
        return vary_json(v, file, ROOT, out) && out->status == LVL_OK;
    bool good = lvl_inflate_salvage(&(lvl_work){.left = UINT64_MAX}, LVL_WRAP_GZIP, file, &text,
                                    (size_t)1 << 26, &report) == LVL_OK &&
                report.end == LVL_INFLATE_DONE;
    good = good && vary_json(v, (lvl_bytes){text.data, text.len}, ROOT, &varied) &&
           vary_gzip(v, (lvl_bytes){varied.data, varied.len}, out);
    if (chance(v, 16))
        lvl_buffer_fill(out, 0, 3);
    lvl_buffer_free(&text);
    lvl_buffer_free(&varied);
    return good && out->status == LVL_OK;
}

bool lvl_vary_zip(lvl_vary *v, const lvl_ctx *ctx, lvl_bytes file, lvl_buffer *out)
{
    return put_zip(v, ctx, file, false, out);
}
