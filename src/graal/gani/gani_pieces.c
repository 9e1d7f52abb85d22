/*
 * graal/gani/gani_pieces.c: finds the picture of each sprite of an animation, and positions the pieces of its
 * frames.
 *
 * The source of a sprite is a file or a layer. The picture of a layer is, in this order: the caller's choice,
 * the picture in the layer's DEFAULT line, the game's own. Layers without a picture, and missing files, draw
 * nothing. The centre of an effect is the middle of its sprite; for the whole animation, the middle of the
 * character's square. Rotation is clockwise, as swinging lanterns in real animations show.
 */
#include "graal/gani/gani_pieces.h"

#include "base/arena.h"
#include "base/search.h"
#include "base/text.h"
#include "base/work.h"
#include "lines/words.h"
#include "graal/art/graal_pictures.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEPTH = 3, /* levels of attachments to attachments, as in other viewers */
    MAX_SHEETS = 4096, /* in one animation */
    STOCK_LAYER = 1 /* layer of sprites without a LAYER line */
};

/* ---- values ------------------------------------------------------------------------------------------ */

/* The caller's choice for a layer: of several, the last, as with options of a command. */
static bool choice_of(const lvl_gani_pieces *pieces, lvl_text name, lvl_text *out)
{
    for (uint32_t i = pieces->request->choice_count; i-- > 0;) {
        if (lvl_text_equal_nocase(pieces->request->choices[i].name, name)) {
            *out = pieces->request->choices[i].value;
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

    return order ? order : x < y ? -1 : x > y; /* both are in the same array */
}

static bool make_defaults(lvl_gani_pieces *pieces, lvl_scene *scene)
{
    const uint32_t count = pieces->gani->default_count;

    pieces->defaults = lvl_scene_alloc(scene, (size_t)count + 1, sizeof *pieces->defaults);
    if (!pieces->defaults)
        return false;
    for (uint32_t i = 0; i < count; i++)
        pieces->defaults[i] = &pieces->gani->defaults[i];
    qsort(pieces->defaults, count, sizeof *pieces->defaults, by_layer);
    return true;
}

/* The value of the last DEFAULT line for that layer. */
static bool default_of(const lvl_gani_pieces *pieces, lvl_text layer, lvl_text *out)
{
    size_t at;

    LVL_LOWER_BOUND(at, pieces->gani->default_count,
                    lvl_text_compare_nocase(pieces->defaults[at]->layer, layer) <= 0);
    if (!at || !lvl_text_equal_nocase(pieces->defaults[at - 1]->layer, layer))
        return false;
    *out = pieces->defaults[at - 1]->value;
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

/* Finds a picture by its name, else without its folder, else as a PNG instead of a GIF or the reverse. */
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

/* The length of a name without its number and ending: 4 for "head19.png". */
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

/* Whether the names of two pictures differ only in their number. They then have the same layout, so that one
 * can replace the other. */
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

static sheet find_sheet(const lvl_gani_pieces *pieces, const lvl_scene *scene, lvl_text source)
{
    const lvl_art *art = pieces->request->art;
    lvl_text file = {0};
    sheet s = {{0}, NULL};

    const bool chosen = choice_of(pieces, source, &file);
    const bool named = chosen || is_file_name(source) || default_of(pieces, source, &file);
    if (!chosen && is_file_name(source))
        file = source;
    s.file = file;
    if (art && file.len)
        s.image = find_picture(art, scene->codepage, file);
    if ((chosen && pieces->exact) || s.image || (named && !file.len))
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

static lvl_gani_ref *find_ref(const lvl_gani_pieces *pieces, int32_t id)
{
    size_t at;

    LVL_LOWER_BOUND(at, pieces->ref_count, pieces->refs[at].id < id);
    return at < pieces->ref_count && pieces->refs[at].id == id ? &pieces->refs[at] : NULL;
}

/* Sorts the sprites by id; of several with the same id the last is kept. */
static bool make_refs(lvl_gani_pieces *pieces, lvl_scene *scene)
{
    const lvl_gani *gani = pieces->gani;
    uint32_t count = 0;

    pieces->refs = lvl_scene_alloc(scene, (size_t)gani->sprite_count + 1, sizeof *pieces->refs);
    if (!pieces->refs)
        return false;
    for (uint32_t i = 0; i < gani->sprite_count; i++)
        pieces->refs[i] =
            (lvl_gani_ref){.id = gani->sprites[i].id, .index = i, .effect = lvl_scene_effect_sane(NULL)};
    qsort(pieces->refs, gani->sprite_count, sizeof *pieces->refs, by_id);
    for (uint32_t i = 0; i < gani->sprite_count; i++) {
        if (i + 1 < gani->sprite_count && pieces->refs[i + 1].id == pieces->refs[i].id)
            continue;
        pieces->refs[count++] = pieces->refs[i];
    }
    pieces->ref_count = count;
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
    /* zoom and stretch are multiplied */
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

static void take_effects(lvl_gani_pieces *pieces)
{
    for (uint32_t i = 0; i < pieces->gani->effect_count; i++) {
        const lvl_gani_effect *e = &pieces->gani->effects[i];
        lvl_gani_ref *ref = find_ref(pieces, e->sprite);
        if (ref && e->kind == LVL_GANI_LAYER) {
            ref->has_layer = e->value >= -1e6 && e->value <= 1e6;
            ref->layer = ref->has_layer ? (int32_t)e->value : 0;
        } else if (ref) {
            ref->has_effect = true;
            add_effect(&ref->effect, e);
        } else if (e->sprite == LVL_GANI_WHOLE && e->kind != LVL_GANI_LAYER) {
            pieces->has_whole = true;
            add_effect(&pieces->whole, e);
        }
    }
    for (uint32_t i = 0; i < pieces->ref_count; i++)
        pieces->refs[i].effect = lvl_scene_effect_sane(&pieces->refs[i].effect);
    pieces->whole = lvl_scene_effect_sane(&pieces->whole);
}

static int by_parent(const void *a, const void *b)
{
    const lvl_gani_attachment *x = *(const lvl_gani_attachment *const *)a;
    const lvl_gani_attachment *y = *(const lvl_gani_attachment *const *)b;

    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    return x < y ? -1 : x > y; /* both are in the same array */
}

static bool make_attachments(lvl_gani_pieces *pieces, lvl_scene *scene)
{
    const uint32_t count = pieces->gani->attachment_count;

    pieces->attachments = lvl_scene_alloc(scene, (size_t)count + 1, sizeof *pieces->attachments);
    if (!pieces->attachments)
        return false;
    for (uint32_t i = 0; i < count; i++)
        pieces->attachments[i] = &pieces->gani->attachments[i];
    qsort(pieces->attachments, count, sizeof *pieces->attachments, by_parent);
    return true;
}

/* Takes the colours of the body, which have two names each; false: a choice is not a colour. */
static bool take_dyes(const lvl_gani_pieces *pieces, lvl_gani_dye dyes[LVL_GANI_CLOTHES])
{
    bool fine = true;

    memset(dyes, 0, LVL_GANI_CLOTHES * sizeof *dyes);
    for (unsigned i = 0; i < LVL_GANI_CLOTHES; i++) {
        char number[] = "color0";
        lvl_text value;

        number[5] = (char)('0' + i);
        if ((choice_of(pieces, lvl_text_of(lvl_gani_cloth_name(i)), &value) ||
             choice_of(pieces, lvl_text_of(number), &value)) &&
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
static lvl_status find_sheets(lvl_gani_pieces *pieces, lvl_scene *scene)
{
    const uint32_t count = pieces->ref_count;
    lvl_gani_dye dyes[LVL_GANI_CLOTHES];
    sheet s = {{0}, NULL};
    uint32_t sheets = 0;

    if (!take_dyes(pieces, dyes))
        return LVL_ERR_ARG;
    const lvl_gani_sprite **order = lvl_scene_alloc(scene, (size_t)count + 1, sizeof *order);
    if (!order)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        order[i] = &pieces->gani->sprites[pieces->refs[i].index];
    qsort(order, count, sizeof *order, by_source);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || !lvl_text_equal(order[i]->source, order[i - 1]->source)) {
            if (++sheets > MAX_SHEETS)
                break;
            s = find_sheet(pieces, scene, order[i]->source);
            s.file = lvl_scene_text(scene, s.file);
            if (s.image && lvl_text_equal_nocase(order[i]->source, lvl_text_of("BODY"))) {
                s.image = lvl_gani_dyed(scene, s.image, dyes);
                if (!s.image)
                    return LVL_ERR_MEMORY;
            }
        }
        lvl_gani_ref *ref = find_ref(pieces, order[i]->id);
        if (ref) {
            ref->image = s.image;
            ref->picture = s.file;
        }
    }
    return LVL_OK;
}

lvl_status lvl_gani_pieces_make(lvl_gani_pieces *pieces, lvl_scene *scene, const lvl_gani *gani,
                                const lvl_scene_request *request, bool exact)
{
    memset(pieces, 0, sizeof *pieces);
    pieces->gani = gani;
    pieces->request = request;
    pieces->exact = exact;
    pieces->whole = lvl_scene_effect_sane(NULL);
    /* charged for sorting the lists, since programs that draw every frame make the pieces for each */
    const lvl_status status =
        lvl_charge(scene->ctx, 50 * ((uint64_t)gani->sprite_count + gani->attachment_count +
                                     gani->effect_count + gani->default_count));
    if (status != LVL_OK)
        return status;
    if (!make_refs(pieces, scene) || !make_attachments(pieces, scene) || !make_defaults(pieces, scene))
        return LVL_ERR_MEMORY;
    take_effects(pieces);
    return find_sheets(pieces, scene);
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

/* The visible part of a thing; false if nothing is visible. */
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

void lvl_gani_put_thing(lvl_gani_drawing *drawing, const lvl_scene_thing *thing)
{
    lvl_rect rect;

    if (drawing->status != LVL_OK || !seen_rect(thing, &rect))
        return;
    if (drawing->measure) {
        if (thing->flags & LVL_THING_HIDDEN)
            return;
        extend_box(&drawing->bounds, &drawing->any, &rect);
        if (thing->image)
            extend_box(&drawing->drawn, &drawing->any_drawn, &rect);
        return;
    }
    if (thing->flags & LVL_THING_MISSING)
        drawing->missing++;
    /* no real frame comes near these limits */
    drawing->pixels += (uint64_t)(rect.right - rect.left + 1) * (uint64_t)(rect.bottom - rect.top + 1);
    if (drawing->count >= LVL_GANI_MAX_THINGS || drawing->pixels > LVL_GANI_MAX_PIXELS)
        return;
    if (lvl_grow(&drawing->things, &drawing->cap, (size_t)drawing->count + 1, sizeof *drawing->things))
        drawing->things[drawing->count++] = *thing;
    else
        drawing->status = LVL_ERR_MEMORY;
}

void lvl_gani_drawing_free(lvl_gani_drawing *drawing)
{
    free(drawing->things);
    drawing->things = NULL;
    drawing->count = 0;
    drawing->cap = 0;
}

/* Applies the effect of the whole animation, whose centre is the middle of the character's square at ox, oy,
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
    lvl_gani_drawing *drawing;
    const lvl_gani_pieces *pieces;
    double ox, oy; /* corner of the character's square */
} putting;

static void put_sprite(const putting *p, const lvl_gani_ref *ref, double x, double y, int32_t layer)
{
    const lvl_gani_pieces *pieces = p->pieces;
    lvl_gani_drawing *drawing = p->drawing;
    const lvl_gani_sprite *sprite = &pieces->gani->sprites[ref->index];
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
    if (pieces->has_whole)
        take_whole(&pieces->whole, p->ox, p->oy, sprite->width, sprite->height, &x, &y, &effect);
    thing.x = whole_px(x);
    thing.y = whole_px(y);
    thing.z = drawing->layer + layer;
    if (ref->has_effect || pieces->has_whole) {
        thing.effect = &effect;
        if (!drawing->measure) {
            lvl_scene_effect *kept = lvl_scene_alloc(drawing->scene, 1, sizeof *kept);
            if (!kept) {
                drawing->status = LVL_ERR_MEMORY;
                return;
            }
            *kept = effect;
            thing.effect = kept;
        }
    }
    lvl_gani_put_thing(drawing, &thing);
}

static void sprite_of(const putting *p, int32_t id, double x, double y, int32_t layer, unsigned depth)
{
    const lvl_gani_pieces *pieces = p->pieces;
    const lvl_gani_ref *ref;
    size_t at;

    if (p->drawing->status != LVL_OK || p->drawing->steps >= LVL_GANI_MAX_STEPS)
        return;
    p->drawing->steps++;
    ref = find_ref(pieces, id);
    if (!ref)
        return;
    if (ref->has_layer)
        layer = ref->layer;
    LVL_LOWER_BOUND(at, pieces->gani->attachment_count, pieces->attachments[at]->parent < id);
    for (int over = 0; over <= 1; over++) {
        for (size_t i = at; depth < DEPTH && i < pieces->gani->attachment_count &&
                            pieces->attachments[i]->parent == id && p->drawing->steps < LVL_GANI_MAX_STEPS;
             i++) {
            const lvl_gani_attachment *a = pieces->attachments[i];
            if ((a->under == 0) == over)
                sprite_of(p, a->child, x + a->dx, y + a->dy, layer, depth + 1);
        }
        if (!over)
            put_sprite(p, ref, x, y, layer);
    }
}

void lvl_gani_put(lvl_gani_drawing *drawing, const lvl_gani_pieces *pieces, int32_t id, double x, double y)
{
    const putting p = {drawing, pieces, x, y};

    sprite_of(&p, id, x, y, STOCK_LAYER, 0);
}

/* The id of a piece's sprite; false if it is a PARAM without a number as its choice. */
static bool piece_id(const lvl_gani_pieces *pieces, const lvl_gani_piece *piece, int32_t *out)
{
    lvl_text value;

    if (!piece->param.len) {
        *out = piece->sprite;
        return true;
    }
    return (choice_of(pieces, piece->param, &value) || default_of(pieces, piece->param, &value)) &&
           lvl_word_int32(value, out);
}

void lvl_gani_put_frame(lvl_gani_drawing *drawing, const lvl_gani_pieces *pieces, uint32_t frame,
                        uint32_t direction)
{
    const lvl_gani *gani = pieces->gani;
    const putting p = {drawing, pieces, 0, 0};

    if (gani->frame_count == 0)
        return;
    const lvl_gani_frame *f = &gani->frames[frame < gani->frame_count ? frame : gani->frame_count - 1];
    if (gani->single_direction)
        direction = 0;
    if (direction >= f->direction_count)
        return; /* the file does not have its line */
    const lvl_gani_direction *d = &f->directions[direction];
    for (uint32_t i = 0; i < d->piece_count && drawing->steps < LVL_GANI_MAX_STEPS; i++) {
        int32_t id;
        if (piece_id(pieces, &d->pieces[i], &id))
            sprite_of(&p, id, d->pieces[i].dx, d->pieces[i].dy, STOCK_LAYER, 0);
        else
            drawing->steps++;
    }
}

uint32_t lvl_gani_duration(const lvl_gani_frame *frame)
{
    const double most = 3600 * 1000, ms = (frame->wait + 1) * (double)LVL_GANI_TICK;

    return !(ms >= 1) ? 1 : ms > most ? (uint32_t)most : (uint32_t)(ms + 0.5);
}
