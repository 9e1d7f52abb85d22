/*
 * graal/gani/gani_body.c: colours of clothes. The sheet of a body has a fixed colour for each piece of
 * clothing, which the game replaces by the player's colour. These are the colours of the stock bodies, as in
 * TilesEditor and other viewers.
 */
#include "graal/gani/gani_body.h"

#include "base/text.h"
#include "scene/scene.h"

#include <string.h>

enum { MAX_COPIED = 64 << 20 }; /* bytes of a body in RGBA that are copied to dye it */

static const struct {
    const char *name;
    uint8_t rgb[3];
} clothes[LVL_GANI_CLOTHES] = {
    [LVL_GANI_SKIN] = {"skin", {0xFF, 0xAD, 0x6B}},       [LVL_GANI_COAT] = {"coat", {0xFF, 0xFF, 0xFF}},
    [LVL_GANI_SLEEVES] = {"sleeves", {0xFF, 0x00, 0x00}}, [LVL_GANI_SHOES] = {"shoes", {0xCE, 0x18, 0x29}},
    [LVL_GANI_BELT] = {"belt", {0x00, 0x00, 0xFF}},
};

/* The game's twenty names, in its order. Orange is the skin of the stock body and heads. No file has the
 * other values, and viewers differ; they are chosen according to the names. */
static const struct {
    const char *name;
    uint8_t rgb[3];
} colours[] = {
    {"white", {255, 255, 255}},      {"yellow", {255, 255, 0}},      {"orange", {255, 173, 107}},
    {"pink", {255, 175, 175}},       {"red", {255, 0, 0}},           {"darkred", {206, 24, 41}},
    {"lightgreen", {144, 238, 144}}, {"green", {0, 160, 0}},         {"darkgreen", {0, 100, 0}},
    {"lightblue", {140, 190, 255}},  {"blue", {0, 0, 255}},          {"darkblue", {0, 0, 139}},
    {"brown", {139, 90, 43}},        {"cynober", {227, 66, 52}},     {"purple", {160, 32, 240}},
    {"darkpurple", {100, 20, 150}},  {"lightgray", {200, 200, 200}}, {"gray", {128, 128, 128}},
    {"black", {20, 20, 20}},         {"transparent", {0, 0, 0}},
};

const char *lvl_gani_cloth_name(unsigned cloth)
{
    return cloth < LVL_GANI_CLOTHES ? clothes[cloth].name : NULL;
}

static int hex_value(char c)
{
    const char l = lvl_lower(c);

    return l >= '0' && l <= '9' ? l - '0' : l >= 'a' && l <= 'f' ? l - 'a' + 10 : -1;
}

bool lvl_gani_dye_parse(lvl_text text, lvl_gani_dye *out)
{
    lvl_gani_dye dye = {.given = true};

    for (size_t i = 0; i < sizeof colours / sizeof *colours; i++) {
        if (lvl_text_equal_nocase(text, lvl_text_of(colours[i].name))) {
            memcpy(dye.rgb, colours[i].rgb, 3);
            dye.clear = lvl_text_is(lvl_text_of(colours[i].name), "transparent");
            *out = dye;
            return true;
        }
    }
    if (text.len != 7 || text.ptr[0] != '#')
        return false;
    for (size_t i = 0; i < 3; i++) {
        const int high = hex_value(text.ptr[1 + i * 2]), low = hex_value(text.ptr[2 + i * 2]);
        if (high < 0 || low < 0)
            return false;
        dye.rgb[i] = (uint8_t)(high * 16 + low);
    }
    *out = dye;
    return true;
}

/* The dye for a colour of the sheet; NULL: not dyed. */
static const lvl_gani_dye *dye_of(const lvl_gani_dye *dyes, const uint8_t rgb[3])
{
    for (size_t i = 0; i < LVL_GANI_CLOTHES; i++) {
        if (memcmp(rgb, clothes[i].rgb, 3) == 0)
            return dyes[i].given ? &dyes[i] : NULL;
    }
    return NULL;
}

/* Replaces the palette, and the mask if a dye is transparent; the pixels are shared with the sheet. */
static bool dye_palette(lvl_scene *scene, lvl_image *image, const lvl_gani_dye *dyes)
{
    const size_t count = (size_t)image->width * image->height;
    lvl_palette *palette = lvl_scene_alloc(scene, 1, sizeof *palette);
    bool clear[256] = {false}, any = false;

    if (!palette)
        return false;
    *palette = *image->palette;
    for (size_t i = 0; i < 256; i++) {
        const lvl_gani_dye *dye = dye_of(dyes, palette->rgb[i]);
        if (dye) {
            clear[i] = dye->clear;
            any = any || dye->clear;
            memcpy(palette->rgb[i], dye->rgb, 3);
        }
    }
    image->palette = palette;
    if (!any)
        return true;
    uint8_t *mask = lvl_scene_alloc(scene, count, 1);
    if (!mask)
        return false;
    for (size_t i = 0; i < count; i++)
        mask[i] = (image->mask && !image->mask[i]) || clear[image->pixels[i]] ? 0 : 255;
    image->mask = mask;
    return true;
}

static bool dye_pixels(lvl_scene *scene, lvl_image *image, const lvl_gani_dye *dyes)
{
    const size_t count = (size_t)image->width * image->height;
    const uint8_t *from = image->pixels;
    uint8_t *to = lvl_scene_alloc(scene, count, 4);

    if (!to)
        return false;
    for (size_t i = 0; i < count; i++) {
        const lvl_gani_dye *dye = dye_of(dyes, from + i * 4);
        memcpy(to + i * 4, dye ? dye->rgb : from + i * 4, 3);
        to[i * 4 + 3] = dye && dye->clear ? 0 : from[i * 4 + 3];
    }
    image->pixels = to;
    return true;
}

const lvl_image *lvl_gani_dyed(lvl_scene *scene, const lvl_image *body,
                               const lvl_gani_dye dyes[LVL_GANI_CLOTHES])
{
    const bool indexed = body->format == LVL_PIXELS_INDEX8;
    bool given = false;

    for (size_t i = 0; i < LVL_GANI_CLOTHES; i++)
        given = given || dyes[i].given;
    if (!given || (indexed && !body->palette) || (uint64_t)body->width * body->height > MAX_COPIED / 4)
        return body;
    lvl_image *image = lvl_scene_alloc(scene, 1, sizeof *image);
    if (!image)
        return NULL;
    *image = *body;
    if (!(indexed ? dye_palette(scene, image, dyes) : dye_pixels(scene, image, dyes)))
        return NULL;
    return image;
}
