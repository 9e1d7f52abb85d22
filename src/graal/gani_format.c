/*
 * graal/gani_format.c: animations as the house knows them, and telling them from other texts.
 */
#include "graal/gani_format.h"

#include "base/text.h"
#include "graal/gani_findings.h"
#include "graal/gani_items.h"
#include "graal/gani_scene.h"
#include "graal/graal_format.h"

static bool named_gani(const char *name)
{
    const lvl_text n = lvl_text_of(name);

    return n.len > 5 && lvl_text_equal_nocase((lvl_text){n.ptr + n.len - 5, 5}, lvl_text_of(".gani"));
}

/* Half of the real files have no header and begin with their sprites, which look like nothing else: a word in
 * capitals and six fields of which five are numbers. Lines of other kinds count only in a file that is named
 * as ours. */
static int bare_bits(const char *at, const char *end, bool named)
{
    lvl_gani_sprite sprite;
    lvl_gani_attachment attachment;
    gani_line l;

    for (const char *p = at; p < end; p = l.next) {
        l = gani_line_at(p, end, LVL_GANI_LF);
        switch (gani_definition_kind(l.at, l.end)) {
        case GANI_K_BLANK:
        case GANI_K_STRAY: break;
        case GANI_K_SPRITE:
            return gani_sprite_read(l.at, l.end, GANI_SOURCE_WIDTH, &sprite) & GANI_WELL ? 56 : 0;
        case GANI_K_ATTACHMENT:
            return gani_attachment_read(l.at, l.end, GANI_OFFSET_WIDTH, &attachment) & GANI_WELL ? 48 : 0;
        case GANI_K_OTHER: return 0;
        default: return named ? 24 : 0;
        }
    }
    return 0;
}

int lvl_gani_probe(const lvl_probe_input *in)
{
    static const char mark[] = "\xEF\xBB\xBF";
    const char *at = (const char *)in->head.ptr;
    gani_line l;

    if (!at || !in->head.len)
        return 0;
    const char *end = at + in->head.len;
    if (in->head.len > 3 && memcmp(at, mark, 3) == 0)
        at += 3;
    if (memchr(at, 0, (size_t)(end - at)))
        return 0;
    for (const char *p = at; p < end; p = l.next) {
        l = gani_line_at(p, end, LVL_GANI_LF);
        const gani_kind kind = gani_definition_kind(l.at, l.end);
        if (kind == GANI_K_BLANK || kind == GANI_K_STRAY)
            continue;
        if (l.end - l.at >= 8 && memcmp(l.at, "GANI0", 5) == 0)
            return 64;
        break;
    }
    return bare_bits(at, end, named_gani(in->name));
}

/* A head that is just the version (the nine bytes "GANI0001" and its line's end) is no spelling. */
static uint64_t gani_kept(const lvl_doc *doc)
{
    const lvl_gani *g = doc->root;

    if (g->file.len)
        return g->file.len;
    return lvl_doc_kept_members(doc) - (g->head.len > 9 ? 9 : g->head.len);
}

const lvl_format lvl_format_gani = {
    .id = "gani",
    .family = "graal",
    .title = "Graal animation or movie",
    .extensions = "gani",
    .later = "GANI0",
    .mime = "text/x-graal-animation",
    .codepage = LVL_CP_1252,
    .table = &lvl_gani_table,
    .findings = lvl_gani_findings,
    .finding_count = LVL_GANI_F_COUNT,
    .calls =
        &(const lvl_format_calls){
            .probe = lvl_gani_probe,
            .read = lvl_gani_read,
            .write = lvl_gani_write,
            .kept = gani_kept,
            .drop_spelling = lvl_doc_drop_kept_members,
            .check = lvl_gani_check,
            .repair = lvl_gani_repair,
            .info = lvl_gani_info,
            .scene = lvl_gani_scene,
            .play = lvl_gani_animation,
        },
};
