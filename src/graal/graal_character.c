/*
 * graal/graal_character.c: see graal_character.h.
 */
#include "graal/graal_character.h"

#include "base/format.h"
#include "base/text.h"
#include "graal/graal_pictures.h"
#include "graal/graal_tileset.h"
#include "scene/scene.h"
#include "scene/art.h"

#include <stdio.h>
#include <string.h>

enum {
    REACH = 40, /* px around the place that are kept */
    SIDE = LVL_GANI_PLACE + 2 * REACH,
    NAME_SIZE = 128
};

/* Where the game's own animation of standing has its pieces; for an art path without it. */
static const char standing[] = "GANI0001\n"
                               "SPRITE 0 SPRITES 0 0 24 12 shadow\n"
                               "SPRITE 1 HEAD 0 0 32 32\nSPRITE 2 HEAD 0 32 32 32\n"
                               "SPRITE 3 HEAD 0 64 32 32\nSPRITE 4 HEAD 0 96 32 32\n"
                               "SPRITE 5 BODY 0 0 32 32\nSPRITE 6 BODY 32 0 32 32\n"
                               "SPRITE 7 BODY 64 0 32 32\nSPRITE 8 BODY 96 0 32 32\n"
                               "ANI\n"
                               "0 12 34, 5 8 16, 1 8 2\n0 12 36, 6 12 16, 2 12 2\n"
                               "0 12 34, 7 8 16, 3 8 2\n0 12 36, 8 4 16, 4 4 2\n"
                               "ANIEND\n";

/* The choice that a message code stands for, NUL-ended in `buf`; false for one that shows nothing. */
static bool choice_of(lvl_text code, char *buf, size_t size)
{
    static const struct {
        const char *code, *choice;
    } codes[] = {{"#1", "sword"}, {"#2", "shield"}, {"#3", "head"}, {"#5", "horse"}, {"#8", "body"}};

    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        if (lvl_text_is(code, codes[i].code)) {
            snprintf(buf, size, "%s", codes[i].choice);
            return true;
        }
    }
    if (code.len < 3 || code.len > 4 || code.ptr[0] != '#')
        return false;
    if (code.ptr[1] == 'C' && code.len == 3 && code.ptr[2] >= '0' && code.ptr[2] < '0' + LVL_GANI_CLOTHES) {
        snprintf(buf, size, "color%c", code.ptr[2]);
        return true;
    }
    for (size_t i = 2; i < code.len; i++) {
        if (code.ptr[1] != 'P' || code.ptr[i] < '0' || code.ptr[i] > '9')
            return false;
    }
    snprintf(buf, size, "attr%.*s", (int)code.len - 2, code.ptr + 2);
    return true;
}

/* The same names in static storage. */
static const char *const lasting[] = {
    "sword",  "shield", "head",   "horse",  "body",   "color0", "color1", "color2", "color3", "color4",
    "attr1",  "attr2",  "attr3",  "attr4",  "attr5",  "attr6",  "attr7",  "attr8",  "attr9",  "attr10",
    "attr11", "attr12", "attr13", "attr14", "attr15", "attr16", "attr17", "attr18", "attr19", "attr20",
    "attr21", "attr22", "attr23", "attr24", "attr25", "attr26", "attr27", "attr28", "attr29", "attr30",
};

void lvl_graal_character_set(lvl_graal_character *character, lvl_text name, lvl_text value)
{
    lvl_gani_dye dye;
    size_t n = 0;

    while (n < LVL_COUNT_OF(lasting) && !lvl_text_is(name, lasting[n]))
        n++;
    if (n == LVL_COUNT_OF(lasting) || (lasting[n][0] == 'c' && !lvl_gani_dye_parse(value, &dye)))
        return;
    for (uint32_t i = 0; i < character->layer_count; i++) {
        if (lvl_text_equal(character->layers[i].name, name)) {
            character->layers[i].value = value;
            return;
        }
    }
    if (character->layer_count < LVL_GRAAL_CHARACTER_LAYERS)
        character->layers[character->layer_count++] = (lvl_scene_choice){lvl_text_of(lasting[n]), value};
}

void lvl_graal_character_set_code(lvl_graal_character *character, lvl_text code, lvl_text value)
{
    char name[16];

    if (choice_of(code, name, sizeof name) && !(value.len && memchr(value.ptr, '#', value.len)))
        lvl_graal_character_set(character, lvl_text_of(name), value);
}

/* Its animation from the art path, or standing. */
static lvl_status read_animation(const lvl_graal_character *character, const lvl_ctx *ctx, const lvl_art *art,
                                 lvl_buffer *bytes, lvl_doc **out)
{
    const lvl_text text = character->animation.len ? character->animation : lvl_text_of("idle");
    const lvl_format *format = lvl_formats_find(ctx, "gani");
    char name[NAME_SIZE];

    *out = NULL;
    if (text.len + 6 <= sizeof name && !memchr(text.ptr, 0, text.len) &&
        snprintf(name, sizeof name, "%.*s.gani", (int)text.len, text.ptr) > 0 &&
        lvl_art_loose_file(art, name, bytes) == LVL_OK) {
        lvl_status status =
            lvl_read(out, ctx, format, (lvl_bytes){bytes->data, bytes->len}, name, LVL_READ_BORROW, NULL);
        if (status == LVL_OK && ((const lvl_gani *)lvl_doc_croot(*out))->frame_count)
            return LVL_OK;
        lvl_doc_free(*out);
        *out = NULL;
        if (status == LVL_ERR_MEMORY)
            return status;
    }
    return lvl_read(out, ctx, format, (lvl_bytes){(const uint8_t *)standing, sizeof standing - 1},
                    "idle.gani", LVL_READ_BORROW, NULL);
}

/* The frame that is shown `ms` after the animation began. */
static uint32_t frame_at(const lvl_gani *gani, uint64_t ms)
{
    uint64_t total = 0;
    uint32_t frame = 0;

    for (uint32_t i = 0; i < gani->frame_count; i++)
        total += lvl_gani_duration(&gani->frames[i]);
    if (ms >= total && total) /* 0: an animation without a frame */
        ms = gani->loop ? ms % total : total - 1;
    for (; frame + 1 < gani->frame_count && ms >= lvl_gani_duration(&gani->frames[frame]); frame++)
        ms -= lvl_gani_duration(&gani->frames[frame]);
    return frame;
}

/* ---- one picture of many ----------------------------------------------------------------------------- */

static void lay_pixel(uint8_t *to, const lvl_image *image, size_t at)
{
    uint8_t rgba[4];

    if (image->format == LVL_PIXELS_RGBA8) {
        memcpy(rgba, image->pixels + at * 4, 4);
    } else {
        const uint8_t index = image->pixels[at];
        for (int c = 0; c < 3; c++)
            rgba[c] = image->palette ? image->palette->rgb[index][c] : index;
        rgba[3] = image->mask ? image->mask[at] : 255;
    }
    if (rgba[3] > 127 || rgba[3] > to[3])
        memcpy(to, rgba, 4);
}

static void lay(uint8_t *canvas, const lvl_scene_thing *thing, lvl_rect *used)
{
    const lvl_image *image = thing->image;
    const lvl_rect part = thing->part;

    for (int64_t y = part.top < 0 ? 0 : part.top; y <= part.bottom && y < image->height; y++) {
        const int64_t to_y = thing->y + y - part.top + REACH;
        if (to_y < 0 || to_y >= SIDE)
            continue;
        for (int64_t x = part.left < 0 ? 0 : part.left; x <= part.right && x < image->width; x++) {
            const int64_t to_x = thing->x + x - part.left + REACH;
            if (to_x < 0 || to_x >= SIDE)
                continue;
            lay_pixel(canvas + (to_y * SIDE + to_x) * 4, image, (size_t)y * image->width + (size_t)x);
            used->left = (int32_t)to_x < used->left ? (int32_t)to_x : used->left;
            used->right = (int32_t)to_x > used->right ? (int32_t)to_x : used->right;
            used->top = (int32_t)to_y < used->top ? (int32_t)to_y : used->top;
            used->bottom = (int32_t)to_y > used->bottom ? (int32_t)to_y : used->bottom;
        }
    }
}

/* The part of the canvas that is used, as a picture of the scene. */
static lvl_status cut_out(lvl_scene *scene, const uint8_t *canvas, lvl_rect used, const lvl_image **out)
{
    lvl_image *image = lvl_scene_alloc(scene, 1, sizeof *image);

    if (!image)
        return LVL_ERR_MEMORY;
    image->format = LVL_PIXELS_RGBA8;
    image->width = (uint32_t)(used.right - used.left + 1);
    image->height = (uint32_t)(used.bottom - used.top + 1);
    image->pixels = lvl_scene_alloc(scene, (size_t)image->width * image->height, 4);
    if (!image->pixels)
        return LVL_ERR_MEMORY;
    for (uint32_t y = 0; y < image->height; y++)
        memcpy(image->pixels + (size_t)y * image->width * 4,
               canvas + ((size_t)(used.top + (int32_t)y) * SIDE + (size_t)used.left) * 4,
               (size_t)image->width * 4);
    *out = image;
    return LVL_OK;
}

lvl_status lvl_graal_character_picture(const lvl_graal_character *character, lvl_scene *scene,
                                       const lvl_art *art, const lvl_image **out, int32_t *left, int32_t *top)
{
    lvl_scene_choice layers[LVL_GRAAL_CHARACTER_LAYERS];
    lvl_scene_request request = {.art = art, .choices = layers};
    lvl_rect used = {SIDE, SIDE, -1, -1};
    lvl_scene *stand = NULL; /* owns what the animation needs, until the picture is made */
    lvl_buffer bytes = {0};
    lvl_gani_cast cast;
    lvl_doc *doc = NULL;

    *out = NULL;
    for (uint32_t i = 0; i < character->layer_count; i++) {
        const lvl_scene_choice *c = &character->layers[i];
        /* Nobody goes without a head because its picture isn't there: the game's own is worn then. */
        if ((lvl_text_is(c->name, "head") || lvl_text_is(c->name, "body")) && c->value.len &&
            !lvl_graal_picture(art, c->value))
            continue;
        layers[request.choice_count++] = *c;
    }
    lvl_status status = read_animation(character, scene->ctx, art, &bytes, &doc);
    if (status != LVL_OK)
        goto out;
    status = LVL_ERR_MEMORY;
    stand = lvl_scene_new(scene->ctx);
    if (!stand)
        goto out;
    status = lvl_gani_cast_make(&cast, stand, lvl_doc_croot(doc), &request, false);
    if (status != LVL_OK)
        goto out;
    lvl_gani_stage stage = {.scene = stand, .ctx = scene->ctx};
    lvl_gani_put_frame(&stage, &cast, frame_at(cast.gani, character->ms),
                       character->direction < 4 ? character->direction : 2);
    uint8_t *canvas = lvl_scene_alloc(stand, (size_t)SIDE * SIDE, 4);
    status = canvas ? stage.status : LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < stage.count && status == LVL_OK; i++) {
        if (stage.things[i].image && !(stage.things[i].flags & LVL_THING_HIDDEN))
            lay(canvas, &stage.things[i], &used);
    }
    lvl_gani_stage_free(&stage);
    if (status == LVL_OK && used.right >= 0) {
        status = cut_out(scene, canvas, used, out);
        *left = used.left - REACH;
        *top = used.top - REACH;
    }
out:
    lvl_scene_free(stand);
    lvl_doc_free(doc);
    lvl_buffer_free(&bytes);
    return status;
}
