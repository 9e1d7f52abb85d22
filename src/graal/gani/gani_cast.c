/*
 * graal/gani/gani_cast.c: finds the picture of each sprite of an animation, and places the pieces of its
 * frames.
 *
 * The source of a sprite is a file, or a layer whose picture is, in this order: the caller's choice, that
 * of the layer's DEFAULT line, the game's own. Layers without a picture, and missing files, draw nothing.
 * The centre of an effect is the middle of its sprite; of the whole animation, the middle of the
 * character's place. Rotation is clockwise, as swinging lanterns in real animations show.
 */
#include "graal/gani/gani_cast.h"

#include "base/arena.h"
#include "base/search.h"
#include "base/text.h"
#include "base/work.h"
#include "codec/words.h"
#include "graal/graal_pictures.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEPTH = 3, /* of attachments to attachments, as in other viewers */
    MAX_SHEETS = 4096, /* of one animation */
    STOCK_LAYER = 1 /* of sprites without a LAYER line */
};

/* ---- values ------------------------------------------------------------------------------------------ */

/* The caller's choice for a layer: the last one of that name, as with options of a command. */
static bool choice_of(const lvl_gani_cast *cast, lvl_text name, lvl_text *out)
{
    for (uint32_t i = cast->request->choice_count; i-- > 0;) {
        if (lvl_text_equal_nocase(cast->request->choices[i].name, name)) {
            *out = cast->request->choices[i].value;
            return true;
        }
    }
    return false;
}

static int by_layer(const void *a, const void *b)
{
    const lvl_gani_default *x = *(const lvl_gani_default *const *)a;
    const lvl_gani_default *y = *(const lvl_gani_default *const *)b;
    const int order = lvl_text_compare_nocase(x->layer, y->layer);

    return order ? order : x < y ? -1 : x > y; /* both are in one array */
}

static bool make_defaults(lvl_gani_cast *cast, lvl_scene *scene)
{
    const uint32_t count = cast->gani->default_count;

    cast->defaults = lvl_scene_alloc(scene, (size_t)count + 1, sizeof *cast->defaults);
    if (!cast->defaults)
        return false;
    for (uint32_t i = 0; i < count; i++)
        cast->defaults[i] = &cast->gani->defaults[i];
    qsort(cast->defaults, count, sizeof *cast->defaults, by_layer);
    return true;
}

/* The value of the last DEFAULT line of that layer. */
static bool default_of(const lvl_gani_cast *cast, lvl_text layer, lvl_text *out)
{
    size_t at;

    LVL_LOWER_BOUND(at, cast->gani->default_count,
                    lvl_text_compare_nocase(cast->defaults[at]->layer, layer) <= 0);
    if (!at || !lvl_text_equal_nocase(cast->defaults[at - 1]->layer, layer))
        return false;
    *out = cast->defaults[at - 1]->value;
    return true;
}

/* The game's own pictures of a layer. */
static const char *const *stock_of(lvl_text layer)
{
    static const struct {
        const char *layer;
        const char *files[3];
    } stock[] = {
        {"SPRITES", {"sprites.png"}}, {"HEAD", {"head0.png", "head19.png"}},
        {"BODY", {"body.png"}},       {"SWORD", {"sword1.png"}},
        {"SHIELD", {"shield1.png"}},  {"HORSE", {"ride.png"}},
        {"PICS", {"pics1.png"}},      {"ATTR1", {"hat0.png"}},
    };
    static const char *const none[] = {NULL};

    for (size_t i = 0; i < sizeof stock / sizeof *stock; i++) {
        if (lvl_text_equal_nocase(layer, lvl_text_of(stock[i].layer)))
            return stock[i].files;
    }
    return none;
}

/* ---- sheets ------------------------------------------------------------------------------------------ */

/* A picture by its name, else without its folder, else as a PNG in place of a GIF or the reverse. */
static const lvl_image *find_picture(const lvl_art *art, lvl_codepage page, lvl_text file)
{
    char name[LVL_GRAAL_NAME];

    if (!lvl_graal_file_name(page, file, name) || name[0] == '/' || strstr(name, "..") ||
        strpbrk(name, "\\:"))
        return NULL;
    const lvl_image *image = lvl_graal_picture_file(art, name);
    const char *base = strrchr(name, '/');
    if (!image && base)
        image = lvl_graal_picture_file(art, base + 1);
    if (!image && lvl_graal_other_ending(name))
        image = lvl_graal_picture_file(art, name);
    return image;
}

/* The length of a name without number and ending: 4 for "head19.png". */
static size_t stem_of(lvl_text name)
{
    size_t n = name.len;

    while (n && name.ptr[n - 1] != '.')
        n--;
    n = n ? n - 1 : name.len;
    while (n && name.ptr[n - 1] >= '0' && name.ptr[n - 1] <= '9')
        n--;
    return n;
}

/* Whether two pictures differ in their number only. They then have the same layout, so that one can stand in
 * for the other; sheets of other names have other layouts. */
static bool same_series(lvl_text a, lvl_text b)
{
    return lvl_text_equal_nocase((lvl_text){a.ptr, stem_of(a)}, (lvl_text){b.ptr, stem_of(b)});
}

static bool is_file_name(lvl_text source)
{
    return source.len && memchr(source.ptr, '.', source.len);
}

typedef struct sheet {
    lvl_text file; /* empty: the layer has no picture */
    const lvl_image *image;
} sheet;

static sheet find_sheet(const lvl_gani_cast *cast, const lvl_scene *scene, lvl_text source)
{
    const lvl_art *art = cast->request->art;
    lvl_text file = {0};
    sheet s = {{0}, NULL};

    const bool chosen = choice_of(cast, source, &file);
    const bool named = chosen || is_file_name(source) || default_of(cast, source, &file);
    if (!chosen && is_file_name(source))
        file = source;
    s.file = file;
    if (art && file.len)
        s.image = find_picture(art, scene->codepage, file);
    if ((chosen && cast->exact) || s.image || (named && !file.len))
        return s;
    for (const char *const *stock = stock_of(source); *stock && !s.image; stock++) {
        const lvl_text own = lvl_text_of(*stock);
        if (named && !same_series(s.file, own))
            continue;
        if (!s.file.len)
            s.file = own;
        if (art)
            s.image = find_picture(art, scene->codepage, own);
    }
    return s;
}

/* ---- sprites ----------------------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
    const lvl_gani_ref *x = a, *y = b;

    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static lvl_gani_ref *find_ref(const lvl_gani_cast *cast, int32_t id)
{
    size_t at;

    LVL_LOWER_BOUND(at, cast->ref_count, cast->refs[at].id < id);
    return at < cast->ref_count && cast->refs[at].id == id ? &cast->refs[at] : NULL;
}

/* Sorts the sprites by id; of several with the same id the last one is kept. */
static bool make_refs(lvl_gani_cast *cast, lvl_scene *scene)
{
    const lvl_gani *gani = cast->gani;
    uint32_t count = 0;

    cast->refs = lvl_scene_alloc(scene, (size_t)gani->sprite_count + 1, sizeof *cast->refs);
    if (!cast->refs)
        return false;
    for (uint32_t i = 0; i < gani->sprite_count; i++)
        cast->refs[i] =
            (lvl_gani_ref){.id = gani->sprites[i].id, .index = i, .effect = lvl_scene_effect_sane(NULL)};
    qsort(cast->refs, gani->sprite_count, sizeof *cast->refs, by_id);
    for (uint32_t i = 0; i < gani->sprite_count; i++) {
        if (i + 1 < gani->sprite_count && cast->refs[i + 1].id == cast->refs[i].id)
            continue;
        cast->refs[count++] = cast->refs[i];
    }
    cast->ref_count = count;
    return true;
}

static void add_effect(lvl_scene_effect *to, const lvl_gani_effect *effect)
{
    switch (effect->kind) {
    case LVL_GANI_COLOR:
        to->color[0] = effect->red;
        to->color[1] = effect->green;
        to->color[2] = effect->blue;
        to->color[3] = effect->alpha;
        break;
    /* zooming and stretching are multiplied */
    case LVL_GANI_ZOOM:
        to->scale_x *= effect->value;
        to->scale_y *= effect->value;
        break;
    case LVL_GANI_STRETCH_X: to->scale_x *= effect->value; break;
    case LVL_GANI_STRETCH_Y: to->scale_y *= effect->value; break;
    case LVL_GANI_ROTATE: to->angle = effect->value; break;
    case LVL_GANI_MODE:
        /* as numbered in the game's scripts: 0 light, 1 transparency, 2 shadow */
        to->blend = effect->value == 0   ? LVL_BLEND_ADD
                    : effect->value == 2 ? LVL_BLEND_SUBTRACT
                                         : LVL_BLEND_ALPHA;
        break;
    default: break;
    }
}

static void take_effects(lvl_gani_cast *cast)
{
    for (uint32_t i = 0; i < cast->gani->effect_count; i++) {
        const lvl_gani_effect *e = &cast->gani->effects[i];
        lvl_gani_ref *ref = find_ref(cast, e->sprite);
        if (ref && e->kind == LVL_GANI_LAYER) {
            ref->has_layer = e->value >= -1e6 && e->value <= 1e6;
            ref->layer = ref->has_layer ? (int32_t)e->value : 0;
        } else if (ref) {
            ref->has_effect = true;
            add_effect(&ref->effect, e);
        } else if (e->sprite == LVL_GANI_WHOLE && e->kind != LVL_GANI_LAYER) {
            cast->has_whole = true;
            add_effect(&cast->whole, e);
        }
    }
    for (uint32_t i = 0; i < cast->ref_count; i++)
        cast->refs[i].effect = lvl_scene_effect_sane(&cast->refs[i].effect);
    cast->whole = lvl_scene_effect_sane(&cast->whole);
}

static int by_parent(const void *a, const void *b)
{
    const lvl_gani_attachment *x = *(const lvl_gani_attachment *const *)a;
    const lvl_gani_attachment *y = *(const lvl_gani_attachment *const *)b;

    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    return x < y ? -1 : x > y; /* both are in one array */
}

static bool make_attachments(lvl_gani_cast *cast, lvl_scene *scene)
{
    const uint32_t count = cast->gani->attachment_count;

    cast->attachments = lvl_scene_alloc(scene, (size_t)count + 1, sizeof *cast->attachments);
    if (!cast->attachments)
        return false;
    for (uint32_t i = 0; i < count; i++)
        cast->attachments[i] = &cast->gani->attachments[i];
    qsort(cast->attachments, count, sizeof *cast->attachments, by_parent);
    return true;
}

/* The colours of the body, each by either of its names; false: a choice is no colour. */
static bool take_dyes(const lvl_gani_cast *cast, lvl_gani_dye dyes[LVL_GANI_CLOTHES])
{
    bool fine = true;

    memset(dyes, 0, LVL_GANI_CLOTHES * sizeof *dyes);
    for (unsigned i = 0; i < LVL_GANI_CLOTHES; i++) {
        char number[] = "color0";
        lvl_text value;

        number[5] = (char)('0' + i);
        if ((choice_of(cast, lvl_text_of(lvl_gani_cloth_name(i)), &value) ||
             choice_of(cast, lvl_text_of(number), &value)) &&
            value.len && !lvl_gani_dye_parse(value, &dyes[i]))
            fine = false;
    }
    return fine;
}

static int by_source(const void *a, const void *b)
{
    const lvl_gani_sprite *x = *(const lvl_gani_sprite *const *)a, *y = *(const lvl_gani_sprite *const *)b;

    return lvl_text_compare(x->source, y->source);
}

/* Finds the sheets of all sprites, sorted by source so that each sheet is looked up once. */
static lvl_status find_sheets(lvl_gani_cast *cast, lvl_scene *scene)
{
    const uint32_t count = cast->ref_count;
    lvl_gani_dye dyes[LVL_GANI_CLOTHES];
    sheet s = {{0}, NULL};
    uint32_t sheets = 0;

    if (!take_dyes(cast, dyes))
        return LVL_ERR_ARG;
    const lvl_gani_sprite **order = lvl_scene_alloc(scene, (size_t)count + 1, sizeof *order);
    if (!order)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        order[i] = &cast->gani->sprites[cast->refs[i].index];
    qsort(order, count, sizeof *order, by_source);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || !lvl_text_equal(order[i]->source, order[i - 1]->source)) {
            if (++sheets > MAX_SHEETS)
                break;
            s = find_sheet(cast, scene, order[i]->source);
            s.file = lvl_scene_text(scene, s.file);
            if (s.image && lvl_text_equal_nocase(order[i]->source, lvl_text_of("BODY"))) {
                s.image = lvl_gani_dyed(scene, s.image, dyes);
                if (!s.image)
                    return LVL_ERR_MEMORY;
            }
        }
        lvl_gani_ref *ref = find_ref(cast, order[i]->id);
        if (ref) {
            ref->image = s.image;
            ref->picture = s.file;
        }
    }
    return LVL_OK;
}

lvl_status lvl_gani_cast_make(lvl_gani_cast *cast, lvl_scene *scene, const lvl_gani *gani,
                              const lvl_scene_request *request, bool exact)
{
    memset(cast, 0, sizeof *cast);
    cast->gani = gani;
    cast->request = request;
    cast->exact = exact;
    cast->whole = lvl_scene_effect_sane(NULL);
    /* for sorting the lists: programs that draw every frame make a cast for each */
    const lvl_status status =
        lvl_charge(scene->ctx, 50 * ((uint64_t)gani->sprite_count + gani->attachment_count +
                                     gani->effect_count + gani->default_count));
    if (status != LVL_OK)
        return status;
    if (!make_refs(cast, scene) || !make_attachments(cast, scene) || !make_defaults(cast, scene))
        return LVL_ERR_MEMORY;
    take_effects(cast);
    return find_sheets(cast, scene);
}

/* ---- placing ----------------------------------------------------------------------------------------- */

static int32_t whole_px(double v)
{
    if (!(v > -1e9))
        return -1000000000;
    return v < 1e9 ? (int32_t)floor(v + 0.5) : 1000000000;
}

static int32_t clamp(int32_t v, int32_t least, int32_t most)
{
    return v < least ? least : v > most ? most : v;
}

/* The visible part of a thing; false if none is. */
static bool seen_rect(const lvl_scene_thing *thing, lvl_rect *out)
{
    if (!lvl_scene_thing_rect(thing, out) || out->right < -LVL_GANI_REACH || out->bottom < -LVL_GANI_REACH ||
        out->left >= LVL_GANI_REACH || out->top >= LVL_GANI_REACH)
        return false;
    out->left = clamp(out->left, -LVL_GANI_REACH, LVL_GANI_REACH - 1);
    out->top = clamp(out->top, -LVL_GANI_REACH, LVL_GANI_REACH - 1);
    out->right = clamp(out->right, -LVL_GANI_REACH, LVL_GANI_REACH - 1);
    out->bottom = clamp(out->bottom, -LVL_GANI_REACH, LVL_GANI_REACH - 1);
    return true;
}

static void extend_box(lvl_rect *box, bool *any, const lvl_rect *rect)
{
    if (!*any)
        *box = *rect;
    *any = true;
    box->left = rect->left < box->left ? rect->left : box->left;
    box->top = rect->top < box->top ? rect->top : box->top;
    box->right = rect->right > box->right ? rect->right : box->right;
    box->bottom = rect->bottom > box->bottom ? rect->bottom : box->bottom;
}

void lvl_gani_put_thing(lvl_gani_stage *stage, const lvl_scene_thing *thing)
{
    lvl_rect rect;

    if (stage->status != LVL_OK || !seen_rect(thing, &rect))
        return;
    if (stage->measure) {
        if (thing->flags & LVL_THING_HIDDEN)
            return;
        extend_box(&stage->bounds, &stage->any, &rect);
        if (thing->image)
            extend_box(&stage->drawn, &stage->any_drawn, &rect);
        return;
    }
    if (thing->flags & LVL_THING_MISSING)
        stage->missing++;
    /* no real frame comes near these limits */
    stage->pixels += (uint64_t)(rect.right - rect.left + 1) * (uint64_t)(rect.bottom - rect.top + 1);
    if (stage->count >= LVL_GANI_MAX_THINGS || stage->pixels > LVL_GANI_MAX_PIXELS)
        return;
    if (lvl_grow(&stage->things, &stage->cap, (size_t)stage->count + 1, sizeof *stage->things))
        stage->things[stage->count++] = *thing;
    else
        stage->status = LVL_ERR_MEMORY;
}

void lvl_gani_stage_free(lvl_gani_stage *stage)
{
    free(stage->things);
    stage->things = NULL;
    stage->count = 0;
    stage->cap = 0;
}

/* Applies the effect of the whole animation, whose centre is the middle of the character's place at ox, oy,
 * to a sprite of that size at *x, *y. */
static void take_whole(const lvl_scene_effect *whole, double ox, double oy, double width, double height,
                       double *x, double *y, lvl_scene_effect *effect)
{
    const double cx = ox + LVL_GANI_PLACE / 2.0, cy = oy + LVL_GANI_PLACE / 2.0;
    const double dx = (*x + width / 2 - cx) * whole->scale_x, dy = (*y + height / 2 - cy) * whole->scale_y;
    const double c = cos(whole->angle), s = sin(whole->angle);

    *x = cx + dx * c - dy * s - width / 2;
    *y = cy + dx * s + dy * c - height / 2;
    for (size_t i = 0; i < 4; i++)
        effect->color[i] *= whole->color[i];
    effect->scale_x *= whole->scale_x;
    effect->scale_y *= whole->scale_y;
    effect->angle += whole->angle;
    if (effect->blend == LVL_BLEND_ALPHA)
        effect->blend = whole->blend;
    *effect = lvl_scene_effect_sane(effect);
}

typedef struct putting {
    lvl_gani_stage *stage;
    const lvl_gani_cast *cast;
    double ox, oy; /* the character's place */
} putting;

static void put_sprite(const putting *p, const lvl_gani_ref *ref, double x, double y, int32_t layer)
{
    const lvl_gani_cast *cast = p->cast;
    lvl_gani_stage *stage = p->stage;
    const lvl_gani_sprite *sprite = &cast->gani->sprites[ref->index];
    lvl_scene_thing thing = {.kind = LVL_THING_SCENERY,
                             .flags = LVL_THING_CORNER,
                             .image = ref->image,
                             .has_part = true,
                             .label = sprite->source,
                             .picture = ref->picture,
                             .index = ref->index};
    lvl_scene_effect effect = ref->effect;

    if (sprite->width <= 0 || sprite->height <= 0)
        return;
    thing.part = (lvl_rect){sprite->x, sprite->y, 0, 0};
    /* no sheet is wider or higher than 2^31 - 1 px */
    thing.part.right = sprite->x > INT32_MAX - sprite->width ? INT32_MAX : sprite->x + sprite->width - 1;
    thing.part.bottom = sprite->y > INT32_MAX - sprite->height ? INT32_MAX : sprite->y + sprite->height - 1;
    if (!ref->image && ref->picture.len)
        thing.flags |= LVL_THING_MISSING;
    if (!ref->image && !ref->picture.len)
        thing.flags |= LVL_THING_HIDDEN; /* a layer without a picture */
    if (cast->has_whole)
        take_whole(&cast->whole, p->ox, p->oy, sprite->width, sprite->height, &x, &y, &effect);
    thing.x = whole_px(x);
    thing.y = whole_px(y);
    thing.z = stage->layer + layer;
    if (ref->has_effect || cast->has_whole) {
        thing.effect = &effect;
        if (!stage->measure) {
            lvl_scene_effect *kept = lvl_scene_alloc(stage->scene, 1, sizeof *kept);
            if (!kept) {
                stage->status = LVL_ERR_MEMORY;
                return;
            }
            *kept = effect;
            thing.effect = kept;
        }
    }
    lvl_gani_put_thing(stage, &thing);
}

static void cast_sprite(const putting *p, int32_t id, double x, double y, int32_t layer, unsigned depth)
{
    const lvl_gani_cast *cast = p->cast;
    const lvl_gani_ref *ref;
    size_t at;

    if (p->stage->status != LVL_OK || p->stage->steps >= LVL_GANI_MAX_STEPS)
        return;
    p->stage->steps++;
    ref = find_ref(cast, id);
    if (!ref)
        return;
    if (ref->has_layer)
        layer = ref->layer;
    LVL_LOWER_BOUND(at, cast->gani->attachment_count, cast->attachments[at]->parent < id);
    for (int over = 0; over <= 1; over++) {
        for (size_t i = at; depth < DEPTH && i < cast->gani->attachment_count &&
                            cast->attachments[i]->parent == id && p->stage->steps < LVL_GANI_MAX_STEPS;
             i++) {
            const lvl_gani_attachment *a = cast->attachments[i];
            if ((a->under == 0) == over)
                cast_sprite(p, a->child, x + a->dx, y + a->dy, layer, depth + 1);
        }
        if (!over)
            put_sprite(p, ref, x, y, layer);
    }
}

void lvl_gani_put(lvl_gani_stage *stage, const lvl_gani_cast *cast, int32_t id, double x, double y)
{
    const putting p = {stage, cast, x, y};

    cast_sprite(&p, id, x, y, STOCK_LAYER, 0);
}

/* The id of a piece's sprite; false if it is a PARAM without a number. */
static bool piece_id(const lvl_gani_cast *cast, const lvl_gani_piece *piece, int32_t *out)
{
    lvl_text value;

    if (!piece->param.len) {
        *out = piece->sprite;
        return true;
    }
    return (choice_of(cast, piece->param, &value) || default_of(cast, piece->param, &value)) &&
           lvl_word_int32(value, out);
}

void lvl_gani_put_frame(lvl_gani_stage *stage, const lvl_gani_cast *cast, uint32_t frame, uint32_t direction)
{
    const lvl_gani *gani = cast->gani;
    const putting p = {stage, cast, 0, 0};

    if (gani->frame_count == 0)
        return;
    const lvl_gani_frame *f = &gani->frames[frame < gani->frame_count ? frame : gani->frame_count - 1];
    if (gani->single_direction)
        direction = 0;
    if (direction >= f->direction_count)
        return; /* the file lacks its line */
    const lvl_gani_direction *d = &f->directions[direction];
    for (uint32_t i = 0; i < d->piece_count && stage->steps < LVL_GANI_MAX_STEPS; i++) {
        int32_t id;
        if (piece_id(cast, &d->pieces[i], &id))
            cast_sprite(&p, id, d->pieces[i].dx, d->pieces[i].dy, STOCK_LAYER, 0);
        else
            stage->steps++;
    }
}

uint32_t lvl_gani_duration(const lvl_gani_frame *frame)
{
    const double most = 3600 * 1000, ms = (frame->wait + 1) * (double)LVL_GANI_TICK;

    return !(ms >= 1) ? 1 : ms > most ? (uint32_t)most : (uint32_t)(ms + 0.5);
}
