/*
 * sketchy/model/probe.c: recognizes drawings and packs: JSON by its keys, plain or in a gzip; zips by their
 * first bytes and the names in the directory at their end. One of the two is enough if the other is damaged,
 * cut off, or follows other bytes.
 */
#include "sketchy/model/probe.h"

#include "base/cursor.h"
#include "base/text.h"
#include "codec/inflate.h"
#include "codec/tokens.h"
#include "sketchy/model/member_names.h"
#include "container/zip.h"

#include <string.h>

bool lvl_sketchy_is_gzip(lvl_bytes in)
{
    return in.len > 2 && in.ptr[0] == 0x1F && in.ptr[1] == 0x8B && in.ptr[2] == 8;
}

static bool contains_text(lvl_bytes in, const char *text)
{
    const size_t n = strlen(text);

    for (size_t i = 0; i + n <= in.len; i++) {
        const uint8_t *p = memchr(in.ptr + i, text[0], in.len - i - n + 1);
        if (!p)
            return false;
        if (!memcmp(p, text, n))
            return true;
        i = (size_t)(p - in.ptr);
    }
    return false;
}

typedef struct known_key {
    const char *key;
    uint8_t bits;
} known_key;

/* Keys of the document, with their weights: those that other formats have, too (a title), weigh less. */
static const known_key keys[] = {
    {"gameVersion", 24}, {"passwd", 24},        {"saveDoodads", 24},  {"saveBuiltins", 24}, {"pageType", 24},
    {"wallpaper", 24},   {"boundedHeight", 16}, {"boundedWidth", 16}, {"locked", 16},       {"hitbox", 16},
    {"palette", 16},     {"chunks", 16},        {"actors", 16},       {"scroll", 8},        {"script", 8},
    {"layers", 8},       {"version", 8},        {"title", 8},         {"author", 8},        {"rules", 8},
    {"uuid", 8},         {"pixels", 8},         {"files", 8},
};

/* Tools may write keys in any order and case, so each key in the head counts. Below the root a few keys
 * count, since a level may begin with a thousand actors. `named`: the file's name has the extension. */
static int json_bits(lvl_bytes head, bool named)
{
    lvl_tokens t;
    uint32_t seen = 0;
    bool doodad = false, swatches = false, pattern = false, chunks = false, data = false, first = true;
    int bits = 0;
    bool mark;

    const size_t lead = lvl_sketchy_lead(head, &mark);
    if (lead == head.len || head.ptr[lead] != '{')
        return 0;
    head = (lvl_bytes){head.ptr + lead, head.len - lead};
    lvl_tokens_init(&t, (lvl_text){(const char *)head.ptr, head.len}, 0);
    for (lvl_token token;
         (token = lvl_tokens_next(&t)).kind != LVL_TOKEN_ERROR && token.kind != LVL_TOKEN_END;) {
        if (token.kind == LVL_TOKEN_STRING || token.kind == LVL_TOKEN_KEY)
            doodad = doodad || lvl_text_has_ending(token.text, ".doodad");
        if (token.kind != LVL_TOKEN_KEY)
            continue;
        if (first && lvl_token_is(&token, "lvl"))
            return 0; /* a dump of one */
        first = false;
        swatches = swatches || lvl_token_is_nocase(&token, "swatches");
        pattern = pattern || lvl_token_is_nocase(&token, "pattern");
        chunks = chunks || (t.depth == 2 && lvl_token_is_nocase(&token, "chunks"));
        data = data || (t.depth == 4 && lvl_token_is_nocase(&token, "data"));
        for (size_t i = 0; t.depth == 1 && i < sizeof keys / sizeof *keys; i++) {
            if (!(seen >> i & 1) && lvl_token_is_nocase(&token, keys[i].key)) {
                seen |= UINT32_C(1) << i;
                bits += keys[i].bits;
            }
        }
    }
    bits += (swatches ? 16 : 0) + (swatches && pattern ? 8 : 0) + (chunks ? 16 : 0) +
            (chunks && data ? 8 : 0) + (doodad ? 24 : 0);
    if (named && (bits || (first && !t.depth))) /* {} is an empty level */
        bits += 40;
    return bits < 40 ? 0 : bits < 96 ? bits : 96;
}

static bool is_named(const lvl_probe_input *in)
{
    const lvl_text name = lvl_text_of(in->name);

    return lvl_text_has_ending(name, ".level") || lvl_text_has_ending(name, ".doodad");
}

static bool is_named_pack(const lvl_probe_input *in)
{
    return lvl_text_has_ending(lvl_text_of(in->name), ".levelpack");
}

size_t lvl_sketchy_lead(lvl_bytes in, bool *mark)
{
    size_t i = 0;

    *mark = false;
    for (;;) {
        while (i < in.len &&
               (in.ptr[i] == ' ' || in.ptr[i] == '\t' || in.ptr[i] == '\n' || in.ptr[i] == '\r'))
            i++;
        if (*mark || in.len - i < 3 || memcmp(in.ptr + i, "\xEF\xBB\xBF", 3) != 0)
            return i;
        *mark = true;
        i += 3;
    }
}

size_t lvl_sketchy_find_json(lvl_bytes in)
{
    static const char first[] = "{\"version\""; /* the game's first key; any brace could be an inner one */
    const size_t n = sizeof first - 1;

    for (size_t i = 0; i + n < in.len && i < LVL_SKETCHY_MAX_LEAD; i++) {
        if (in.ptr[i] == '{' && !memcmp(in.ptr + i, first, n))
            return i;
    }
    return 0;
}

/* Whether a deflate stream that begins as a JSON object starts at `at`. */
static bool is_deflated_json(lvl_bytes in, size_t at)
{
    lvl_work work = lvl_work_begin(NULL); /* for a few bytes */
    lvl_inflate_report report;
    uint8_t plain[64];
    bool mark;

    if (in.len <= at || lvl_inflate_salvage_into(&work, LVL_WRAP_RAW, (lvl_bytes){in.ptr + at, in.len - at},
                                                 plain, sizeof plain, &report) != LVL_OK)
        return false;
    const size_t lead = lvl_sketchy_lead((lvl_bytes){plain, report.out_len}, &mark);
    return report.out_len > lead + 8 && plain[lead] == '{';
}

size_t lvl_sketchy_find_deflated(lvl_bytes in)
{
    enum { HEADER = 10, TRIES = 8 };
    unsigned tries = 0;

    if (is_deflated_json(in, HEADER))
        return HEADER;
    for (size_t i = 1; i + HEADER < in.len && i < LVL_SKETCHY_MAX_LEAD && tries < TRIES; i++) {
        if (!lvl_sketchy_is_gzip((lvl_bytes){in.ptr + i, in.len - i}) || in.ptr[i + 3])
            continue;
        tries++;
        if (is_deflated_json(in, i + HEADER))
            return i + HEADER;
    }
    return 0;
}

/* ---- zips -------------------------------------------------------------------------------------------- */

/* The kinds of names in a zip's directory. */
typedef struct listing {
    /* an end record exists, and the visible part of the directory consists of adjacent entries up to it, as
     * many as it declares */
    bool plausible;
    bool inside; /* the directory is of an archive that doesn't begin at the file's start */
    bool document, index, chunk, chunks, level, levels, other;
} listing;

static void list_name(lvl_text name, listing *out)
{
    const bool document = lvl_sketchy_is_document(name);
    const bool index = lvl_text_is(name, "index.json"), chunks = lvl_text_begins(name, LVL_CHUNK_FOLDER),
               levels = lvl_text_begins(name, LVL_PACK_LEVELS);
    uint32_t layer;
    lvl_text key;
    bool binary;

    out->document = out->document || document;
    out->index = out->index || index;
    out->chunks = out->chunks || chunks;
    out->levels = out->levels || levels;
    out->chunk = out->chunk || lvl_sketchy_chunk_name(name, &layer, &key, &binary);
    out->level = out->level || (levels && lvl_text_has_ending(name, ".level"));
    out->other = out->other || !(document || index || chunks || levels || lvl_text_begins(name, "assets/"));
}

enum { ENTRY = 46, END = 22, END64 = 56, LOCATOR64 = 20 };

/* The place of a zip's end record in the file's tail. */
static bool find_end(lvl_bytes tail, size_t *end)
{
    const uint8_t *p = tail.ptr;
    bool found = false;

    /* the last one. Each file is searched, and most are texts, in which memchr finds no byte 6 */
    for (size_t at = 3; tail.len >= END && at <= tail.len - END + 3; at++) {
        const uint8_t *six = memchr(p + at, 6, tail.len - END + 4 - at);
        if (!six)
            break;
        at = (size_t)(six - p);
        if (!memcmp(six - 3, "PK\5\6", 4) && lvl_load_u16le(six + 17) <= tail.len - (at - 3) - END) {
            *end = at - 3;
            found = true;
        }
    }
    return found;
}

uint64_t lvl_sketchy_probe_tail(lvl_bytes tail, uint64_t size)
{
    size_t end;

    (void)size;
    /* what follows the directory: the end record, those of a large archive before it, and a comment */
    return find_end(tail, &end)
               ? (uint64_t)lvl_load_u32le(tail.ptr + end + 12) + (tail.len - end) + END64 + LOCATOR64
               : 0;
}

/* Reads the part of the directory in the file's tail. Only its names count, since stored members may be
 * archives themselves. */
static void list_zip(lvl_bytes tail, uint64_t size, listing *out)
{
    const uint8_t *p = tail.ptr;
    size_t end;

    memset(out, 0, sizeof *out);
    if (!find_end(tail, &end))
        return;
    uint64_t said = lvl_load_u32le(p + end + 16);
    uint32_t len = lvl_load_u32le(p + end + 12);
    const uint32_t count = lvl_load_u16le(p + end + 10);
    const bool alone = !lvl_load_u32le(p + end + 4) && lvl_load_u16le(p + end + 8) == count;
    if (end >= END64 + LOCATOR64 && !memcmp(p + end - LOCATOR64, "PK\6\7", 4) &&
        !memcmp(p + end - LOCATOR64 - END64, "PK\6\6", 4)) {
        end -= END64 + LOCATOR64;
        len = lvl_load_u32le(p + end + 40);
        said = lvl_load_u32le(p + end + 48);
    }
    const uint64_t from = size - (tail.len - end) < len ? 0 : size - (tail.len - end) - len;
    uint32_t seen = 0;
    bool good = alone && len;
    out->inside = said != from;
    const bool whole = len <= end;
    for (size_t at = whole ? end - len : 0; end - at >= ENTRY;) {
        if (memcmp(p + at, "PK\1\2", 4) != 0) {
            good = good && !whole && !seen; /* otherwise the directory began before the tail */
            at++;
            continue;
        }
        const size_t n = lvl_load_u16le(p + at + 28), method = lvl_load_u16le(p + at + 10);
        const size_t more = (size_t)lvl_load_u16le(p + at + 30) + lvl_load_u16le(p + at + 32);
        if (n > end - at - ENTRY)
            break;
        seen++;
        good = good && (method == 0 || method == 8) && lvl_load_u32le(p + at + 42) <= said;
        list_name((lvl_text){(const char *)p + at + ENTRY, n}, out);
        if (more > end - at - ENTRY - n)
            break;
        at += ENTRY + n + more;
        if (at == end)
            out->plausible = good && (whole ? (seen & 0xFFFF) == count : seen < count);
    }
}

/* The name of the member at the file's start; empty: none. */
static lvl_text first_name(lvl_bytes head)
{
    enum { LOCAL = 30 };

    if (head.len < LOCAL || !lvl_zip_probe(head))
        return (lvl_text){NULL, 0};
    const size_t len = lvl_load_u16le(head.ptr + 26);
    return (lvl_text){(const char *)head.ptr + LOCAL, len < head.len - LOCAL ? len : head.len - LOCAL};
}

static bool is_of_pack(lvl_text name)
{
    return lvl_text_begins(name, "levels/") || lvl_text_begins(name, "doodads/") ||
           lvl_text_is(name, "index.json");
}

/* Whether the bytes contain headers of that kind and names of a drawing's members. */
static bool has_parts(lvl_bytes in, const char *magic, bool document)
{
    return contains_text(in, magic) &&
           (contains_text(in, LVL_CHUNK_FOLDER) || contains_text(in, "assets/")) &&
           (!document || contains_text(in, "level.json") || contains_text(in, "doodad.json"));
}

static int zip_bits(const lvl_probe_input *in)
{
    const bool begins = lvl_zip_probe(in->head), named = is_named(in);
    const lvl_text first = first_name(in->head);
    listing zip, beginning = {0};

    list_zip(in->tail, in->size, &zip);
    if (!begins && zip.plausible) /* its start is damaged, or follows other bytes */
        return zip.document && !zip.index && (zip.chunk || named) ? 60 : 0;
    if (!begins)
        return named && (has_parts(in->head, "PK\3\4", false) || has_parts(in->tail, "PK\1\2", true)) ? 60
                                                                                                      : 0;
    if (zip.inside && is_of_pack(first) && (zip.document || !zip.plausible))
        return 0; /* a truncated pack with a stored level */
    if (zip.document)
        return zip.chunks ? 32 + 40 + 40 : named || !zip.other ? 32 + 40 : 0;
    if (zip.plausible)
        return zip.chunks && !zip.index && named ? 60 : 0;
    list_name(first, &beginning); /* its directory is cut off or damaged */
    if (beginning.chunk)
        return 60;
    return named && !is_of_pack(first) && (!beginning.other || contains_text(in->head, LVL_CHUNK_FOLDER)) ? 60
                                                                                                          : 0;
}

int lvl_sketchy_probe(const lvl_probe_input *in)
{
    const lvl_bytes head = in->head;
    lvl_work work = lvl_work_begin(NULL); /* for the head */
    uint8_t plain[4096];
    size_t len = 0;

    if (lvl_zip_probe(head))
        return zip_bits(in);
    if (lvl_sketchy_is_gzip(head)) {
        lvl_inflate_report report = {.end = LVL_INFLATE_DONE};
        for (lvl_bytes rest = head;
             len < sizeof plain && report.end == LVL_INFLATE_DONE && lvl_sketchy_is_gzip(rest);) {
            if (lvl_inflate_salvage_into(&work, LVL_WRAP_GZIP, rest, plain + len, sizeof plain - len,
                                         &report) != LVL_OK)
                return 0;
            len += report.out_len;
            rest = (lvl_bytes){rest.ptr + report.in_used, rest.len - report.in_used};
        }
        if (len)
            return json_bits((lvl_bytes){plain, len}, is_named(in));
    }
    const int zip = zip_bits(in), json = json_bits(head, is_named(in));
    if (zip || json)
        return zip > json ? zip : json;
    /* a gzip with a damaged header, or JSON after other bytes: required are a part of the header or the
     * file's name, and JSON in the stream */
    const bool perhaps =
        head.len > 3 && ((head.ptr[0] == 0x1F && head.ptr[1] == 0x8B) || (head.ptr[2] == 8 && !head.ptr[3]));
    const size_t at = perhaps || is_named(in) ? lvl_sketchy_find_deflated(head) : 0;
    if (at) {
        const lvl_bytes rest = {head.ptr + at, head.len - at};
        lvl_inflate_report report;
        if (lvl_inflate_salvage_into(&work, LVL_WRAP_RAW, rest, plain, sizeof plain, &report) == LVL_OK)
            return json_bits((lvl_bytes){plain, report.out_len}, is_named(in));
    }
    const size_t from = is_named(in) ? lvl_sketchy_find_json(head) : 0;
    return from ? json_bits((lvl_bytes){head.ptr + from, head.len - from}, false) : 0;
}

int lvl_levelpack_probe(const lvl_probe_input *in)
{
    const bool begins = lvl_zip_probe(in->head), named = is_named_pack(in);
    const lvl_text first = first_name(in->head);
    listing zip;

    list_zip(in->tail, in->size, &zip);
    if (!begins && zip.plausible)
        return zip.index && !zip.document && (zip.level || (zip.levels && named)) ? 60 : 0;
    if (!begins)
        return named && contains_text(in->head, "PK\3\4") && contains_text(in->head, "levels/") ? 60 : 0;
    if (zip.inside && is_of_pack(first) && (zip.document || !zip.plausible))
        return named ? 60 : 0;
    if (zip.document && !(named && zip.index))
        return 0;
    if (zip.index && zip.level)
        return 32 + 80 + 56;
    if (!zip.plausible)
        return named && (is_of_pack(first) || contains_text(in->head, "levels/")) ? 60 : 0;
    return named && (zip.levels || zip.index) ? 60 : 0;
}
