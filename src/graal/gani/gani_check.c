/*
 * graal/gani/gani_check.c: rules of animations: parts that are not drawn because something is missing, and
 * content that its lines cannot represent.
 */
#include "graal/gani/gani_internal.h"

#include "base/findings.h"
#include "base/format.h"
#include "base/search.h"
#include "base/text.h"
#include "graal/art/graal_pictures.h"
#include "scene/art.h"

#include <lvl/scene.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPORTED = 64 };

struct id {
    int32_t id;
    uint32_t index; /* of the sprite */
};

struct checker {
    const lvl_doc *doc;
    const lvl_gani *g;
    const lvl_art *art; /* or NULL */
    uint32_t folders; /* its folders: lvl_graal_picture_folders */
    lvl_findings *findings;
    struct id *ids; /* of all sprites, sorted */
    /* missing ids of pieces, each reported once */
    int32_t missing[REPORTED];
    uint32_t missing_count;
};

#define REPORT(c, what, where, ...) lvl_report_at((c)->findings, &lvl_gani_findings[what], where, __VA_ARGS__)

static lvl_where where_of(size_t member, uint32_t index)
{
    return lvl_where_item(lvl_where_root(), &lvl_gani_table, member, index);
}

/* ---- ids --------------------------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
    const struct id *x = a, *y = b;

    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static bool is_defined(const struct checker *c, int32_t id)
{
    size_t at;

    LVL_LOWER_BOUND(at, c->g->sprite_count, c->ids[at].id < id);
    return at < c->g->sprite_count && c->ids[at].id == id;
}

static void check_sprites(const struct checker *c)
{
    for (uint32_t i = 1; i < c->g->sprite_count; i++) {
        const struct id *was = &c->ids[i - 1], *is = &c->ids[i];
        if (was->id != is->id)
            continue;
        const lvl_where where = where_of(offsetof(lvl_gani, sprites), was->index);
        REPORT(c, LVL_GANI_F_SPRITE_TWICE, where, "sprites[%u] has id %d, too: this one is never drawn",
               is->index, is->id);
    }
}

static void check_attachments(const struct checker *c)
{
    for (uint32_t i = 0; i < c->g->attachment_count; i++) {
        const lvl_gani_attachment *a = &c->g->attachments[i];
        const lvl_where where = where_of(offsetof(lvl_gani, attachments), i);
        if (!is_defined(c, a->parent))
            REPORT(c, LVL_GANI_F_ATTACHMENT_PARENT, where,
                   "sprite %d is not defined, so %d, which is attached to it, is never drawn", a->parent,
                   a->child);
        else if (!is_defined(c, a->child))
            REPORT(c, LVL_GANI_F_ATTACHMENT_CHILD, where,
                   "sprite %d, which is attached to %d, is not defined: nothing is drawn there", a->child,
                   a->parent);
    }
}

static void check_effects(const struct checker *c)
{
    for (uint32_t i = 0; i < c->g->effect_count; i++) {
        const int32_t id = c->g->effects[i].sprite;
        if (id == LVL_GANI_WHOLE || is_defined(c, id))
            continue;
        const lvl_where where = where_of(offsetof(lvl_gani, effects), i);
        REPORT(c, LVL_GANI_F_EFFECT_SPRITE, where, "sprite %d is not defined: players do not see the effect",
               id);
    }
}

static void check_defaults(const struct checker *c)
{
    char shown[64];

    for (uint32_t i = 0; i < c->g->default_count; i++) {
        const lvl_gani_default *d = &c->g->defaults[i];
        const lvl_where where = where_of(offsetof(lvl_gani, defaults), i);
        if (!d->value.len)
            REPORT(c, LVL_GANI_F_DEFAULT_EMPTY, where,
                   "DEFAULT%s has no value: nothing is drawn unless the player has a picture for it",
                   lvl_text_show(shown, sizeof shown, c->doc->codepage, d->layer));
        for (uint32_t k = i + 1; k < c->g->default_count && k < i + REPORTED; k++) {
            if (!lvl_text_equal(c->g->defaults[k].layer, d->layer))
                continue;
            REPORT(c, LVL_GANI_F_DEFAULT_TWICE, where, "defaults[%u] is for %s, too: this one is not used", k,
                   lvl_text_show(shown, sizeof shown, c->doc->codepage, d->layer));
            break;
        }
    }
}

/* ---- frames ------------------------------------------------------------------------------------------ */

static bool was_reported(struct checker *c, int32_t id)
{
    for (uint32_t i = 0; i < c->missing_count; i++) {
        if (c->missing[i] == id)
            return true;
    }
    if (c->missing_count == REPORTED)
        return true;
    c->missing[c->missing_count++] = id;
    return false;
}

static void check_pieces(struct checker *c, uint32_t frame, uint32_t direction)
{
    const lvl_gani_direction *d = &c->g->frames[frame].directions[direction];

    for (uint32_t i = 0; i < d->piece_count; i++) {
        const lvl_gani_piece *p = &d->pieces[i];
        if (p->param.len || is_defined(c, p->sprite) || was_reported(c, p->sprite))
            continue;
        lvl_where where = where_of(offsetof(lvl_gani, frames), frame);
        where = lvl_where_item(where, &lvl_gani_frame_table, offsetof(lvl_gani_frame, directions), direction);
        where = lvl_where_item(where, &lvl_gani_direction_table, offsetof(lvl_gani_direction, pieces), i);
        REPORT(c, LVL_GANI_F_PIECE_SPRITE, where, "sprite %d is not defined: nothing is drawn there",
               p->sprite);
    }
}

static void check_frames(struct checker *c)
{
    const uint32_t wanted = c->g->single_direction ? 1 : 4;

    for (uint32_t i = 0; i < c->g->frame_count; i++) {
        const uint32_t count = c->g->frames[i].direction_count;
        if (count != wanted) {
            const lvl_where where = where_of(offsetof(lvl_gani, frames), i);
            REPORT(c, LVL_GANI_F_DIRECTIONS, where,
                   "%u direction%s, expected %u: players may see nothing, or a wrong picture", count,
                   count == 1 ? "" : "s", wanted);
        }
        for (uint32_t d = 0; d < count; d++)
            check_pieces(c, i, d);
    }
}

static void check_whole(const struct checker *c)
{
    const lvl_gani *g = c->g;
    const lvl_text to = g->setback_to;
    uint32_t frame = 0;
    bool number = to.len > 0 && to.len < 9;

    for (size_t i = 0; number && i < to.len; i++) {
        number = lvl_is_digit(to.ptr[i]);
        frame = frame * 10 + (uint32_t)(to.ptr[i] - '0');
    }
    const lvl_where where = where_of(offsetof(lvl_gani, setback_to), LVL_NO_INDEX);
    if (number && frame >= g->frame_count)
        REPORT(c, LVL_GANI_F_SETBACK_FRAME, where, "it goes back to frame %u, but has only %u frames", frame,
               g->frame_count);
    if (!g->frame_count && !g->actor_count && g->version != LVL_GANI0FP4)
        REPORT(c, LVL_GANI_F_EMPTY, lvl_where_root(), "there is no frame and no actor: players see nothing");
}

/* ---- pictures ---------------------------------------------------------------------------------------- */

/* Sets `out` to a file name without folders; false for a layer or an empty name. */
static bool file_name(const struct checker *c, lvl_text name, char *out)
{
    if (!name.len || !memchr(name.ptr, '.', name.len))
        return false;
    return lvl_graal_file_name(c->doc->codepage, lvl_path_last(name), out);
}

/* Whether the art has a picture with that name, or the PNG or GIF that is drawn instead. */
static bool has_picture(const struct checker *c, const char *file)
{
    char other[LVL_GRAAL_NAME];

    if (lvl_graal_picture_name(c->art, c->folders, file))
        return true;
    snprintf(other, sizeof other, "%s", file);
    return lvl_graal_other_ending(other) && lvl_graal_picture_name(c->art, c->folders, other);
}

/* The names of pictures, without those that no file can have. */
typedef struct pictures {
    bool report; /* report missing ones */
    uint32_t named, found;
} pictures;

static void look_for(const struct checker *c, lvl_text name, lvl_where where, pictures *p)
{
    char file[LVL_GRAAL_NAME], shown[LVL_GRAAL_NAME];

    if (!file_name(c, name, file))
        return;
    const bool found = has_picture(c, file);
    p->named++;
    p->found += found;
    if (!found && p->report)
        REPORT(c, LVL_GANI_F_IMAGE_MISSING, where, "%s" LVL_IS_MISSING ": nothing is drawn for it",
               lvl_text_show(shown, sizeof shown, LVL_CP_UTF8, lvl_text_of(file)));
}

static void look_for_all(const struct checker *c, pictures *p)
{
    for (uint32_t i = 0; i < c->g->sprite_count; i++) {
        const lvl_text source = c->g->sprites[i].source;
        bool again = false;
        for (uint32_t k = i; k-- > 0 && k + REPORTED > i && !again;)
            again = lvl_text_equal(c->g->sprites[k].source, source);
        if (!again)
            look_for(c, source,
                     lvl_where_item(where_of(offsetof(lvl_gani, sprites), i), &lvl_gani_sprite_table,
                                    offsetof(lvl_gani_sprite, source), LVL_NO_INDEX),
                     p);
    }
    for (uint32_t i = 0; i < c->g->default_count; i++)
        look_for(c, c->g->defaults[i].value,
                 lvl_where_item(where_of(offsetof(lvl_gani, defaults), i), &lvl_gani_default_table,
                                offsetof(lvl_gani_default, value), LVL_NO_INDEX),
                 p);
}

/* If none is found, the art is assumed to be elsewhere, unless the user gave it. */
static void check_pictures(struct checker *c)
{
    pictures p = {.report = lvl_art_given(c->art)};

    c->folders = lvl_graal_picture_folders(c->art);
    look_for_all(c, &p);
    if (p.found && !p.report)
        look_for_all(c, &(pictures){.report = true});
    else if (p.named && !p.report)
        lvl_findings_add(c->findings, &lvl_doc_art_absent, NULL, NULL, "pictures");
}

/* Reports content that no line can represent, which a document that was not read from a file may have. */
static lvl_status check_writing(const struct checker *c)
{
    lvl_buffer out = {0};

    if (c->doc->input.len)
        return LVL_OK;
    lvl_status status = lvl_doc_write(c->doc, &out);
    lvl_buffer_free(&out);
    if (status == LVL_ERR_LOSS)
        status = c->doc->format->calls->check_writable(c->doc, c->findings);
    return status == LVL_ERR_LOSS ? LVL_OK : status;
}

lvl_status lvl_gani_check(const lvl_doc *doc, const lvl_check_request *request)
{
    const lvl_gani *g = doc->root;
    struct checker c = {.doc = doc, .g = g, .art = request->art, .findings = request->findings};

    c.ids = lvl_mem_alloc(doc->ctx, g->sprite_count * sizeof *c.ids);
    if (!c.ids)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < g->sprite_count; i++) {
        c.ids[i].id = g->sprites[i].id;
        c.ids[i].index = i;
    }
    if (g->sprite_count)
        qsort(c.ids, g->sprite_count, sizeof *c.ids, by_id);
    check_sprites(&c);
    check_attachments(&c);
    check_effects(&c);
    check_defaults(&c);
    check_frames(&c);
    check_whole(&c);
    if (c.art)
        check_pictures(&c);
    lvl_mem_free(doc->ctx, c.ids);
    return check_writing(&c);
}
