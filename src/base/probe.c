/*
 * base/probe.c: finds a format in the context's table, by its id or by the bytes of a file. The table is in
 * src/formats.c, so that base/ depends on no format.
 */
#include "base/format.h"
#include "base/header.h"
#include "base/text.h"

#include <string.h>

const lvl_format *const *lvl_formats_of(const lvl_ctx *ctx)
{
    static const lvl_format *const none[] = {NULL};

    return ctx && ctx->formats ? ctx->formats : none;
}

const lvl_format *lvl_formats_find(const lvl_ctx *ctx, const char *id)
{
    for (const lvl_format *const *f = lvl_formats_of(ctx); *f; f++) {
        if (lvl_text_is(lvl_text_of(id), (*f)->id))
            return *f;
    }
    return NULL;
}

enum { PROBED = 4096, MAX_TAIL = 1 << 20 };

size_t lvl_formats_probe_tail(const lvl_ctx *ctx, lvl_bytes tail, uint64_t size)
{
    uint64_t most = tail.len;

    for (const lvl_format *const *f = lvl_formats_of(ctx); *f; f++) {
        const uint64_t n = (*f)->calls->probe_tail ? (*f)->calls->probe_tail(tail, size) : 0;
        most = n > most ? n : most;
    }
    most = most < MAX_TAIL ? most : MAX_TAIL;
    return (size_t)(most < size ? most : size);
}

bool lvl_format_has_extension(const lvl_format *format, lvl_text ending)
{
    return lvl_text_list_has(format->extensions, ' ', ending);
}

static bool has_extension(const lvl_format *format, const char *name)
{
    const char *dot = name ? strrchr(name, '.') : NULL;

    return dot && dot != name && lvl_format_has_extension(format, lvl_text_of(dot + 1));
}

/* The format whose signature the head has, if that decides alone. The other formats, some of which search the
 * tail, need not be asked. */
static const lvl_format *find_signed(const lvl_ctx *ctx, const lvl_probe_input *in, int *bits)
{
    enum { SURE = 56 };

    for (const lvl_format *const *f = lvl_formats_of(ctx); *f; f++) {
        const int n =
            !(*f)->calls->probe_tail && lvl_format_signature(*f, in->head) ? (*f)->calls->probe(in) : 0;
        if (n < SURE)
            continue;
        if (bits)
            *bits = n;
        return *f;
    }
    return NULL;
}

const lvl_format *lvl_formats_probe(const lvl_ctx *ctx, const lvl_probe_input *in, int *bits)
{
    int most = 0;

    lvl_probe_input ends = *in;
    if (ends.tail.len > PROBED)
        ends.tail = (lvl_bytes){in->tail.ptr + (in->tail.len - PROBED), PROBED};
    const lvl_format *best = find_signed(ctx, &ends, bits);
    if (best)
        return best;
    for (const lvl_format *const *f = lvl_formats_of(ctx); *f; f++) {
        const int n = (*f)->calls->probe((*f)->calls->probe_tail ? in : &ends);
        if (n > most) {
            most = n;
            best = *f;
        }
    }
    for (const lvl_format *const *f = lvl_formats_of(ctx); *f && !best; f++) {
        if (has_extension(*f, in->name) && lvl_header_probe(*f, &ends)) {
            best = *f;
            most = LVL_PROBED_BY_HEADER;
        }
    }
    if (bits)
        *bits = most;
    return best;
}

const lvl_format *lvl_formats_probe_file(const lvl_ctx *ctx, lvl_bytes file, const char *name, int *bits)
{
    const size_t n = file.len < PROBED ? file.len : PROBED;
    lvl_probe_input in = {{file.ptr, n}, {n ? file.ptr + (file.len - n) : NULL, n}, file.len, name};

    const lvl_format *best = find_signed(ctx, &in, bits);
    if (best)
        return best;
    const size_t more = lvl_formats_probe_tail(ctx, in.tail, file.len);
    if (more > n)
        in.tail = (lvl_bytes){file.ptr + (file.len - more), more};

    return lvl_formats_probe(ctx, &in, bits);
}

const lvl_signature *lvl_format_signature(const lvl_format *format, lvl_bytes head)
{
    for (const lvl_signature *s = format->signatures; s && s->parts[0].len; s++) {
        bool same = !s->line;
        for (size_t i = 0; same && i < LVL_SIGNATURE_PARTS && s->parts[i].len; i++) {
            const lvl_signature_part *part = &s->parts[i];
            same = part->at <= head.len && part->len <= head.len - part->at &&
                   memcmp(head.ptr + part->at, part->bytes, part->len) == 0;
        }
        if (same)
            return s;
    }
    return NULL;
}

const lvl_ability lvl_abilities[LVL_ABILITIES] = {
    {LVL_CAN_WRITE, "write"},   {LVL_CAN_CHECK, "check"},     {LVL_CAN_REPAIR, "repair"},
    {LVL_CAN_RENDER, "render"}, {LVL_CAN_EXTRACT, "extract"}, {LVL_CAN_IMAGE | LVL_CAN_CONVERT, "convert"},
};

unsigned lvl_format_can(const lvl_format *format)
{
    const lvl_format_calls *calls = format->calls;

    /* every format can be checked: its reader reports findings */
    return (calls->write ? LVL_CAN_WRITE : 0) | LVL_CAN_CHECK | (calls->repair ? LVL_CAN_REPAIR : 0) |
           (calls->scene ? LVL_CAN_RENDER : 0) | (calls->open_container ? LVL_CAN_EXTRACT : 0) |
           (format->is_picture ? LVL_CAN_IMAGE : 0) | (calls->convert ? LVL_CAN_CONVERT : 0) |
           (calls->play ? LVL_CAN_PLAY : 0) | (calls->draw ? LVL_CAN_DRAW : 0) |
           (calls->to_image ? LVL_CAN_PICTURE : 0) | (calls->restructure ? LVL_CAN_RESTRUCTURE : 0) |
           (calls->to_palette ? LVL_CAN_PALETTE : 0) | (calls->links ? LVL_CAN_LINKS : 0) |
           (calls->draw_level ? LVL_CAN_DRAW_LEVEL : 0);
}
