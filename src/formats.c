/*
 * formats.c: the one table of formats, and finding the right one for some bytes.
 */
#include "base/format.h"
#include "graal/graal_format.h"
#include "sketchy/sketchy_format.h"
#include "wap32/formats.h"

#include <string.h>

/* clang-format off */
static const lvl_format *const formats[] = {
    /* graal */
    &lvl_format_graal, &lvl_format_nw, &lvl_format_gmap, &lvl_format_tiledefs, &lvl_format_gani,
    &lvl_format_mng,
#ifndef LVL_WITHOUT_SERVER
    &lvl_format_server, &lvl_format_class, &lvl_format_serveroptions, &lvl_format_folderconfig,
#endif
    /* sketchy */
    &lvl_format_sketchy, &lvl_format_levelpack,
    /* wwd */
    &lvl_format_wwd, &lvl_format_rez, &lvl_format_pid, &lvl_format_pcx, &lvl_format_bmp, &lvl_format_ani,
    &lvl_format_pal,
#ifndef LVL_WITHOUT_MUSIC
    &lvl_format_xmi,
#endif
    NULL, /* ends the table */
};
/* clang-format on */

static const lvl_ctx all = {.formats = formats};

void lvl_ctx_init(lvl_ctx *out)
{
    memset(out, 0, sizeof *out);
    out->profile = LVL_PROFILE_GAME;
    out->codepage = LVL_CP_1252;
    out->limits = lvl_limits_of(NULL);
    out->formats = formats;
}

size_t lvl_format_count(void)
{
    return sizeof formats / sizeof formats[0] - 1;
}

const lvl_format *lvl_format_at(size_t index)
{
    return index < lvl_format_count() ? formats[index] : NULL;
}

const lvl_format *lvl_format_find(const char *id)
{
    return lvl_formats_find(&all, id);
}

const lvl_program *lvl_program_at(size_t index)
{
    for (const lvl_format *const *f = formats; *f; f++) {
        bool reported = false; /* formats of a family may share a table */
        for (const lvl_format *const *before = formats; before < f && !reported; before++)
            reported = (*before)->programs == (*f)->programs;
        if (reported)
            continue;
        if (index < (*f)->program_count)
            return &(*f)->programs[index];
        index -= (*f)->program_count;
    }
    return NULL;
}

bool lvl_ctx_set_profile(lvl_ctx *ctx, const char *name)
{
    if (lvl_profile_parse(name, &ctx->profile)) {
        ctx->program = NULL;
        return true;
    }
    const lvl_program *program;
    for (size_t i = 0; (program = lvl_program_at(i)) != NULL; i++) {
        if (!lvl_text_is(lvl_text_of(name), program->name))
            continue;
        ctx->profile = LVL_PROFILE_GAME;
        ctx->program = program;
        return true;
    }
    return false;
}

const lvl_format *lvl_probe_later(lvl_bytes head)
{
    for (const lvl_format *const *f = formats; *f; f++) {
        for (const char *p = (*f)->later ? (*f)->later : ""; *p;) {
            const size_t len = strcspn(p, " ");
            if (head.len >= len && memcmp(head.ptr, p, len) == 0 && !lvl_format_signature(*f, head))
                return *f;
            p += len + strspn(p + len, " ");
        }
    }
    return NULL;
}

size_t lvl_probe_tail(lvl_bytes tail, uint64_t size)
{
    return lvl_formats_probe_tail(&all, tail, size);
}

const lvl_format *lvl_probe(lvl_bytes head, lvl_bytes tail, uint64_t size, const char *name, int *bits)
{
    const lvl_probe_input in = {head, tail, size, name};

    return lvl_formats_probe(&all, &in, bits);
}
