/*
 * graal/gani/graal_character.c: see graal_character.h.
 */
#include "graal/gani/graal_character.h"

#include "base/format.h"
#include "base/text.h"
#include "graal/art/graal_pictures.h"
#include "graal/tiles/graal_tileset.h"
#include "scene/scene.h"
#include "scene/art.h"

#include <stdio.h>
#include <string.h>

enum {
    REACH = 40, /* px drawn around the position, in each direction */
    SIDE = LVL_GANI_PLACE + 2 * REACH,
    NAME_SIZE = 128
};

/* The game's own animation "idle", if the art path does not have it. */
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

/* The layers, by message code and by name. */
static const struct {
    const char *code, *name;
} layers[LVL_GRAAL_CHARACTER_LAYERS] = {
    {"#1", "sword"},    {"#2", "shield"},   {"#3", "head"},     {"#5", "horse"},    {"#8", "body"},
    {"#C0", "color0"},  {"#C1", "color1"},  {"#C2", "color2"},  {"#C3", "color3"},  {"#C4", "color4"},
    {"#P1", "attr1"},   {"#P2", "attr2"},   {"#P3", "attr3"},   {"#P4", "attr4"},   {"#P5", "attr5"},
    {"#P6", "attr6"},   {"#P7", "attr7"},   {"#P8", "attr8"},   {"#P9", "attr9"},   {"#P10", "attr10"},
    {"#P11", "attr11"}, {"#P12", "attr12"}, {"#P13", "attr13"}, {"#P14", "attr14"}, {"#P15", "attr15"},
    {"#P16", "attr16"}, {"#P17", "attr17"}, {"#P18", "attr18"}, {"#P19", "attr19"}, {"#P20", "attr20"},
    {"#P21", "attr21"}, {"#P22", "attr22"}, {"#P23", "attr23"}, {"#P24", "attr24"}, {"#P25", "attr25"},
    {"#P26", "attr26"}, {"#P27", "attr27"}, {"#P28", "attr28"}, {"#P29", "attr29"}, {"#P30", "attr30"},
};

/* The layer with that name or code; LVL_GRAAL_CHARACTER_LAYERS: none. */
static size_t layer_of(lvl_text text, bool is_code)
{
    size_t i = 0;

    while (i < LVL_GRAAL_CHARACTER_LAYERS && !lvl_text_is(text, is_code ? layers[i].code : layers[i].name))
        i++;
    return i;
}

static void set_layer(lvl_graal_character *character, size_t layer, lvl_text value)
{
    lvl_gani_dye dye;

    if (layer == LVL_GRAAL_CHARACTER_LAYERS ||
        (layers[layer].name[0] == 'c' && !lvl_gani_dye_parse(value, &dye)))
        return;
    character->given[layer] = true;
    character->values[layer] = value;
}

void lvl_graal_character_set(lvl_graal_character *character, lvl_text name, lvl_text value)
{
    set_layer(character, layer_of(name, false), value);
}

void lvl_graal_character_set_code(lvl_graal_character *character, lvl_text code, lvl_text value)
{
    if (!(value.len && memchr(value.ptr, '#', value.len)))
        set_layer(character, layer_of(code, true), value);
}

/* Reads the animation of a character from the art path; `standing` if it is missing. */
static lvl_status read_animation(const lvl_graal_character *character, const lvl_ctx *ctx, const lvl_art *art,
                                 lvl_buffer *bytes, lvl_doc **out)
{
    const lvl_text text = character->animation.len ? character->animation : lvl_text_of("idle");
    const lvl_format *format = lvl_formats_find(ctx, "gani");
    char name[NAME_SIZE];

    *out = NULL;
    if (text.len + 6 <= sizeof name && !memchr(text.ptr, 0, text.len) &&
        snprintf(name, sizeof name, "%.*s.gani", (int)text.len, text.ptr) > 0 &&
        lvl_art_read_loose(art, name, bytes) == LVL_OK) {
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

/* The frame `ms` after the start of the animation. */
static uint32_t frame_at(const lvl_gani *gani, uint64_t ms)
{
    uint64_t total = 0;
    uint32_t frame = 0;

    for (uint32_t i = 0; i < gani->frame_count; i++)
        total += lvl_gani_duration(&gani->frames[i]);
    if (ms >= total && total) /* 0: no frames */
        ms = gani->loop ? ms % total : total - 1;
    for (; frame + 1 < gani->frame_count && ms >= lvl_gani_duration(&gani->frames[frame]); frame++)
        ms -= lvl_gani_duration(&gani->frames[frame]);
    return frame;
}

/* ---- composition ------------------------------------------------------------------------------------- */

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
            uint8_t rgba[4], *to = canvas + (to_y * SIDE + to_x) * 4;
            lvl_graal_pixel(image, (size_t)y * image->width + (size_t)x, rgba);
            if (rgba[3] > 127 || rgba[3] > to[3])
                memcpy(to, rgba, 4);
            used->left = (int32_t)to_x < used->left ? (int32_t)to_x : used->left;
            used->right = (int32_t)to_x > used->right ? (int32_t)to_x : used->right;
            used->top = (int32_t)to_y < used->top ? (int32_t)to_y : used->top;
            used->bottom = (int32_t)to_y > used->bottom ? (int32_t)to_y : used->bottom;
        }
    }
}

/* Copies the used part of the canvas into a picture of the scene. */
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
    lvl_scene_choice choices[LVL_GRAAL_CHARACTER_LAYERS];
    lvl_scene_request request = {.art = art, .choices = choices};
    lvl_rect used = {SIDE, SIDE, -1, -1};
    lvl_scene *scratch = NULL; /* owns the pieces and the canvas */
    lvl_buffer bytes = {0};
    lvl_gani_pieces pieces;
    lvl_doc *doc = NULL;

    *out = NULL;
    for (size_t i = 0; i < LVL_GRAAL_CHARACTER_LAYERS; i++) {
        const lvl_scene_choice choice = {lvl_text_of(layers[i].name), character->values[i]};
        const bool needed = lvl_text_is(choice.name, "head") || lvl_text_is(choice.name, "body");
        /* if the picture of a head or body is missing, the game's own is used */
        if (character->given[i] && !(needed && choice.value.len && !lvl_graal_picture(art, choice.value)))
            choices[request.choice_count++] = choice;
    }
    lvl_status status = read_animation(character, scene->ctx, art, &bytes, &doc);
    if (status != LVL_OK)
        goto out;
    status = LVL_ERR_MEMORY;
    scratch = lvl_scene_new(scene->ctx);
    if (!scratch)
        goto out;
    status = lvl_gani_pieces_make(&pieces, scratch, lvl_doc_croot(doc), &request, false);
    if (status != LVL_OK)
        goto out;
    lvl_gani_drawing drawing = {.scene = scratch};
    lvl_gani_put_frame(&drawing, &pieces, frame_at(pieces.gani, character->ms),
                       character->direction < 4 ? character->direction : 2);
    uint8_t *canvas = lvl_scene_alloc(scratch, (size_t)SIDE * SIDE, 4);
    status = canvas ? drawing.status : LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < drawing.count && status == LVL_OK; i++) {
        if (drawing.things[i].image && !(drawing.things[i].flags & LVL_THING_HIDDEN))
            lay(canvas, &drawing.things[i], &used);
    }
    lvl_gani_drawing_free(&drawing);
    if (status == LVL_OK && used.right >= 0) {
        status = cut_out(scene, canvas, used, out);
        *left = used.left - REACH;
        *top = used.top - REACH;
    }
out:
    lvl_scene_free(scratch);
    lvl_doc_free(doc);
    lvl_buffer_free(&bytes);
    return status;
}
