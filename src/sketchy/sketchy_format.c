/*
 * sketchy/sketchy_format.c: drawings of Sketchy Maze as the house knows them: what they are known by, and what can be done with them.
 */
#include "sketchy/sketchy_format.h"

#include "base/cursor.h"
#include "base/text.h"
#include "codec/inflate.h"
#include "codec/tokens.h"
#include "sketchy/drawing_read.h"
#include "sketchy/drawing_write.h"
#include "sketchy/flat.h"
#include "sketchy/pack.h"
#include "sketchy/rechunk.h"
#include "sketchy/screenshots.h"
#include "sketchy/sketchy_check.h"
#include "sketchy/sketchy_convert.h"
#include "sketchy/sketchy_findings.h"
#include "sketchy/sketchy_image.h"
#include "sketchy/sketchy_programs.h"
#include "sketchy/sketchy_scene.h"

#include <stdlib.h>
#include <string.h>

static bool holds(lvl_bytes in, const char *text)
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

/* Keys of the document itself, with what each of them speaks for; others have a title, too. */
static const known_key keys[] = {
    {"gameVersion", 24}, {"passwd", 24},        {"saveDoodads", 24},  {"saveBuiltins", 24}, {"pageType", 24},
    {"wallpaper", 24},   {"boundedHeight", 16}, {"boundedWidth", 16}, {"locked", 16},       {"hitbox", 16},
    {"palette", 16},     {"chunks", 16},        {"actors", 16},       {"scroll", 8},        {"script", 8},
    {"layers", 8},       {"version", 8},        {"title", 8},         {"author", 8},        {"rules", 8},
    {"uuid", 8},         {"pixels", 8},         {"files", 8},
};

static bool ends_in(lvl_text text, const char *with)
{
    const lvl_text ending = lvl_text_of(with);

    return text.len > ending.len &&
           lvl_text_equal_nocase((lvl_text){text.ptr + text.len - ending.len, ending.len}, ending);
}

/* Keys may come in any order and case, as tools write them that aren't the game; so each that is seen in the head counts. Of what is below them
 * a few things count: a level may begin with a thousand actors. `named`: the file's name speaks for it. */
static int json_bits(lvl_bytes head, bool named)
{
    lvl_tokens t;
    uint32_t seen = 0;
    bool doodad = false, swatches = false, pattern = false, chunks = false, data = false, first = true;
    int bits = 0;

    if (!head.len || head.ptr[0] != '{')
        return 0;
    lvl_tokens_init(&t, (lvl_text){(const char *)head.ptr, head.len}, 0);
    for (lvl_token token;
         (token = lvl_tokens_next(&t)).kind != LVL_TOKEN_ERROR && token.kind != LVL_TOKEN_END;) {
        if (token.kind == LVL_TOKEN_STRING || token.kind == LVL_TOKEN_KEY)
            doodad = doodad || ends_in(token.text, ".doodad");
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
    if (named && (bits || (first && !t.depth))) /* {} is a level that says nothing */
        bits += 40;
    return bits < 40 ? 0 : bits < 96 ? bits : 96;
}

static bool named(const lvl_probe_input *in)
{
    const lvl_text name = lvl_text_of(in->name);

    return ends_in(name, ".level") || ends_in(name, ".doodad");
}

/* What a zip's directory lists, of what says what it is. */
typedef struct listing {
    bool document, index, chunks, levels;
} listing;

static bool begins_with(lvl_text text, const char *with)
{
    const size_t n = strlen(with);

    return text.len >= n && memcmp(text.ptr, with, n) == 0;
}

/* Reads what there is of the directory in the file's tail. Only names count: archives inside may lie there in the open. False: there is no end record. */
static bool list_zip(lvl_bytes tail, listing *out)
{
    enum { ENTRY = 46, END = 22, END64 = 56, LOCATOR64 = 20 };
    const uint8_t *p = tail.ptr;
    size_t end;

    memset(out, 0, sizeof *out);
    if (tail.len < END)
        return false;
    for (end = tail.len - END;
         memcmp(p + end, "PK\5\6", 4) != 0 || lvl_load_u16le(p + end + 20) > tail.len - end - END; end--) {
        if (!end)
            return false;
    }
    uint32_t size = lvl_load_u32le(p + end + 12);
    if (end >= END64 + LOCATOR64 && !memcmp(p + end - LOCATOR64, "PK\6\7", 4) &&
        !memcmp(p + end - LOCATOR64 - END64, "PK\6\6", 4)) {
        end -= END64 + LOCATOR64;
        size = lvl_load_u32le(p + end + 40);
    }
    for (size_t at = size < end ? end - size : 0; end - at >= ENTRY;) {
        if (memcmp(p + at, "PK\1\2", 4) != 0) {
            at++; /* the directory began before */
            continue;
        }
        const size_t len = lvl_load_u16le(p + at + 28);
        const size_t more = (size_t)lvl_load_u16le(p + at + 30) + lvl_load_u16le(p + at + 32);
        if (len > end - at - ENTRY)
            break;
        const lvl_text name = {(const char *)p + at + ENTRY, len};
        out->document = out->document || lvl_text_is(name, "level.json") || lvl_text_is(name, "doodad.json");
        out->index = out->index || lvl_text_is(name, "index.json");
        out->chunks = out->chunks || begins_with(name, "chunks/");
        out->levels = out->levels || begins_with(name, "levels/");
        if (more > end - at - ENTRY - len)
            break;
        at += ENTRY + len + more;
    }
    return true;
}

static int sketchy_probe(const lvl_probe_input *in)
{
    const lvl_bytes head = in->head;
    listing zip;

    if (lvl_zip_probe(head)) {
        if (list_zip(in->tail, &zip))
            return zip.document                            ? 32 + 40 + (zip.chunks ? 40 : 0)
                   : zip.chunks && !zip.index && named(in) ? 60
                                                           : 0;
        return holds(head, "chunks/0/") && named(in) ? 60 : 0; /* cut before its directory */
    }
    if (lvl_sketchy_is_gzip(head)) {
        uint8_t plain[4096];
        size_t len = 0;
        lvl_inflate_report report = {.end = LVL_INFLATE_DONE};
        for (lvl_bytes rest = head;
             len < sizeof plain && report.end == LVL_INFLATE_DONE && lvl_sketchy_is_gzip(rest);) {
            if (lvl_inflate_wrapped_salvage_into(LVL_WRAP_GZIP, rest, plain + len, sizeof plain - len,
                                                 &report) != LVL_OK)
                return 0;
            len += report.out_len;
            rest = (lvl_bytes){rest.ptr + report.in_used, rest.len - report.in_used};
        }
        return json_bits((lvl_bytes){plain, len}, named(in));
    }
    return json_bits(head, named(in));
}

static uint64_t sketchy_kept(const lvl_doc *doc)
{
    const lvl_sketchy *d = doc->root;
    uint64_t kept = d->gzip.len;

    if (d->file.len)
        return d->file.len;
    for (uint32_t i = 0; i < d->member_count; i++)
        kept += d->members[i].packed.len + d->members[i].local.len + d->members[i].behind.len +
                d->members[i].central.len + d->members[i].before.len;
    return kept + d->gap.len + d->after.len;
}

/* Derived: where chunks are, by their keys. */
static lvl_status sketchy_derive(lvl_doc *doc, lvl_derived_fn visit, void *user)
{
    const lvl_field *x = lvl_table_at(&lvl_sketchy_chunk_table, offsetof(lvl_sketchy_chunk, x));
    const lvl_field *y = lvl_table_at(&lvl_sketchy_chunk_table, offsetof(lvl_sketchy_chunk, y));
    lvl_sketchy *d = doc->root;

    for (uint32_t i = 0; i < d->layer_count; i++) {
        for (uint32_t k = 0; k < d->layers[i].chunk_count; k++) {
            lvl_sketchy_chunk *c = &d->layers[i].chunks[k];
            int32_t cx = 0, cy = 0;
            lvl_sketchy_key(c->key, &cx, &cy);
            visit(user, c, x, cx);
            visit(user, c, y, cy);
        }
    }
    return LVL_OK;
}

const lvl_format lvl_format_sketchy = {
    .id = "sketchy",
    .family = "sketchy",
    .title = "Sketchy Maze drawing (level or doodad)",
    .extensions = "level doodad",
    .mime = "application/x-sketchymaze-level",
    .notes = "A JSON document, pixels in square chunks, attached files. Of five generations: JSON (v1), gzip "
             "of it (v2), a zip with chunks as JSON (v3), as "
             "binary lists (v3.1), as runs (v4). Text is UTF-8.",
    .can = LVL_CAN_WRITE | LVL_CAN_CHECK | LVL_CAN_REPAIR | LVL_CAN_CONVERT | LVL_CAN_EXTRACT |
           LVL_CAN_RENDER | LVL_CAN_PLAY,
    .codepage = LVL_CP_UTF8,
    .table = &lvl_sketchy_table,
    .findings = lvl_sketchy_findings,
    .finding_count = LVL_SKETCHY_F_COUNT,
    .programs = lvl_sketchy_programs,
    .program_count = LVL_SKETCHY_PROGRAMS,
    .probe = sketchy_probe,
    .read = lvl_sketchy_read,
    .write = lvl_sketchy_write,
    .derive = sketchy_derive,
    .kept = sketchy_kept,
    .forget = lvl_doc_forget_members,
    .check = lvl_sketchy_check,
    .repair = lvl_sketchy_repair,
    .info = lvl_sketchy_info,
    .decode = lvl_sketchy_decode,
    .forms = lvl_sketchy_forms,
    .convert = lvl_sketchy_convert,
    .open_container = lvl_sketchy_open_container,
    .scene = lvl_sketchy_scene,
    .play = lvl_sketchy_play,
    .draw = lvl_sketchy_draw,
    .layer_image = lvl_sketchy_layer_image,
    .read_palette = lvl_sketchy_read_palette,
    .remake = lvl_sketchy_remake,
    .shoot = lvl_sketchy_shoot,
    .shot_width = LVL_SKETCHY_SHOT_WIDTH,
    .shot_height = LVL_SKETCHY_SHOT_HEIGHT,
};

/* ---- packs --------------------------------------------------------------------------------------------------------------------------- */

static int pack_probe(const lvl_probe_input *in)
{
    listing zip;

    if (!lvl_zip_probe(in->head))
        return 0;
    if (list_zip(in->tail, &zip))
        return zip.document || !zip.levels                    ? 0
               : zip.index                                    ? 32 + 80 + 56
               : ends_in(lvl_text_of(in->name), ".levelpack") ? 60
                                                              : 0;
    return holds(in->head, "levels/") && ends_in(lvl_text_of(in->name), ".levelpack") ? 60 : 0;
}

static uint64_t pack_kept(const lvl_doc *doc)
{
    const lvl_levelpack *p = doc->root;
    uint64_t kept = p->gap.len + p->after.len;

    if (p->file.len)
        return p->file.len;
    for (uint32_t i = 0; i < p->member_count; i++)
        kept += p->members[i].packed.len + p->members[i].local.len + p->members[i].behind.len +
                p->members[i].central.len + p->members[i].before.len;
    return kept;
}

const lvl_format lvl_format_levelpack = {
    .id = "levelpack",
    .family = "sketchy",
    .title = "Sketchy Maze levelpack",
    .extensions = "levelpack",
    .mime = "application/x-sketchymaze-levelpack",
    .notes = "A zip of levels/X.level, doodads/X.doodad and index.json, which says the order of play. Text "
             "is UTF-8.",
    .can = LVL_CAN_WRITE | LVL_CAN_CHECK | LVL_CAN_REPAIR | LVL_CAN_EXTRACT,
    .codepage = LVL_CP_UTF8,
    .table = &lvl_levelpack_table,
    .findings = lvl_sketchy_findings,
    .finding_count = LVL_SKETCHY_F_COUNT,
    .programs = lvl_sketchy_programs,
    .program_count = LVL_SKETCHY_PROGRAMS,
    .probe = pack_probe,
    .read = lvl_levelpack_read,
    .write = lvl_levelpack_write,
    .kept = pack_kept,
    .forget = lvl_doc_forget_members,
    .check = lvl_levelpack_check,
    .repair = lvl_levelpack_repair,
    .info = lvl_levelpack_info,
    .decode = lvl_sketchy_decode,
    .open_container = lvl_sketchy_open_container,
};
