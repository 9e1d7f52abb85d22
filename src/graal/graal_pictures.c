/*
 * graal/graal_pictures.c: see graal_pictures.h.
 */
#include "graal/graal_pictures.h"

#include "base/text.h"
#include "scene/art.h"

#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 256 };

static const char *const folders[] = {"",       "images/", "levels/images/", "npcs/",
                                      "heads/", "bodies/", "swords/",        "shields/",
                                      "hats/",  "horses/", "sprites/",       "tilesets/"};

const lvl_image *lvl_graal_picture_file(const lvl_art *art, const char *name)
{
    char path[NAME_SIZE + 32];

    for (size_t i = 0; i < LVL_COUNT_OF(folders); i++) {
        snprintf(path, sizeof path, "%s%s", folders[i], name);
        const lvl_image *image = lvl_art_picture(art, path);
        if (image)
            return image;
    }
    return NULL;
}

uint32_t lvl_graal_picture_folders(const lvl_art *art)
{
    uint32_t mask = 1;

    for (size_t i = 1; i < LVL_COUNT_OF(folders); i++) {
        char path[32];
        snprintf(path, sizeof path, "%.*s", (int)strlen(folders[i]) - 1, folders[i]);
        if (lvl_art_has_folder(art, path))
            mask |= (uint32_t)1 << i;
    }
    return mask;
}

const char *lvl_graal_picture_name(const lvl_art *art, uint32_t mask, const char *name)
{
    char path[NAME_SIZE + 32];

    for (size_t i = 0; i < LVL_COUNT_OF(folders); i++) {
        if (!(mask >> i & 1))
            continue;
        snprintf(path, sizeof path, "%s%s", folders[i], name);
        const char *found = lvl_art_file_name(art, path);
        if (found)
            return found;
    }
    return NULL;
}

const lvl_image *lvl_graal_picture(const lvl_art *art, lvl_text name)
{
    static const char *const endings[] = {".png", ".gif"};
    char buf[NAME_SIZE];
    const lvl_image *image;

    if (!art || name.len == 0 || name.len + 5 > sizeof buf || memchr(name.ptr, 0, name.len))
        return NULL;
    memcpy(buf, name.ptr, name.len);
    buf[name.len] = 0;
    image = lvl_graal_picture_file(art, buf);
    if (image)
        return image;
    char *dot = strrchr(buf, '.');
    for (size_t i = 0; i < LVL_COUNT_OF(endings) && !image; i++) {
        const lvl_text ending = lvl_text_of(dot ? dot : "");
        if (dot && lvl_text_equal_nocase(ending, lvl_text_of(endings[1 - i]))) {
            memcpy(dot, endings[i], 5);
            return lvl_graal_picture_file(art, buf);
        }
        if (!dot) {
            memcpy(buf + name.len, endings[i], 5);
            image = lvl_graal_picture_file(art, buf);
        }
    }
    return image;
}

void lvl_graal_pixel(const lvl_image *image, size_t at, uint8_t out[4])
{
    if (image->format == LVL_PIXELS_RGBA8) {
        memcpy(out, image->pixels + at * 4, 4);
        return;
    }
    const uint8_t index = image->pixels[at];
    for (int c = 0; c < 3; c++)
        out[c] = image->palette ? image->palette->rgb[index][c] : index;
    out[3] = image->mask ? image->mask[at] : 255;
}
