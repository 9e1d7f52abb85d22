/*
 * graal/art/graal_pictures.c: see graal_pictures.h.
 */
#include "graal/art/graal_pictures.h"

#include "base/text.h"
#include "scene/art.h"

#include <stdio.h>
#include <string.h>

static const char *const folders[] = {"",       "images/", "levels/images/", "npcs/",
                                      "heads/", "bodies/", "swords/",        "shields/",
                                      "hats/",  "horses/", "sprites/",       "tilesets/"};

bool lvl_graal_is_plain_name(lvl_text name)
{
    for (size_t i = 0; i < name.len; i++) {
        if ((uint8_t)name.ptr[i] < ' ' || memchr("/\\:", name.ptr[i], 3))
            return false;
    }
    return true;
}

bool lvl_graal_file_name(lvl_codepage page, lvl_text name, char out[LVL_GRAAL_NAME])
{
    /* uses the caller's memory, so that a failed allocation is never reported as a missing file */
    lvl_buffer utf8 = {.data = (uint8_t *)out, .cap = LVL_GRAAL_NAME, .max = LVL_GRAAL_NAME};

    lvl_text_to_utf8(&utf8, page, name);
    if (utf8.status != LVL_OK || !utf8.len || utf8.len == LVL_GRAAL_NAME || memchr(out, 0, utf8.len))
        return false;
    out[utf8.len] = 0;
    return true;
}

bool lvl_graal_other_ending(char *name)
{
    static const char *const endings[] = {".png", ".gif"};
    char *dot = strrchr(name, '.');

    for (size_t i = 0; dot && i < LVL_COUNT_OF(endings); i++) {
        if (lvl_text_equal_nocase(lvl_text_of(dot), lvl_text_of(endings[i]))) {
            memcpy(dot, endings[1 - i], 4);
            return true;
        }
    }
    return false;
}

const lvl_image *lvl_graal_picture_file(const lvl_art *art, const char *name)
{
    char path[LVL_GRAAL_NAME + 32];
    const size_t len = strlen(name) + 1;

    /* without printf, since a map may look up thousands of pictures */
    for (size_t i = 0; i < LVL_COUNT_OF(folders); i++) {
        const size_t folder = strlen(folders[i]);
        if (folder + len > sizeof path)
            continue;
        memcpy(path, folders[i], folder);
        memcpy(path + folder, name, len);
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
    char path[LVL_GRAAL_NAME + 32];

    for (size_t i = 0; i < LVL_COUNT_OF(folders); i++) {
        if (!(mask >> i & 1))
            continue;
        snprintf(path, sizeof path, "%s%s", folders[i], name);
        const char *found = lvl_art_find_name(art, path);
        if (found)
            return found;
    }
    return NULL;
}

const lvl_image *lvl_graal_picture(const lvl_art *art, lvl_text name)
{
    static const char *const endings[] = {".png", ".gif"};
    char buf[LVL_GRAAL_NAME];
    const lvl_image *image;

    if (!art || name.len == 0 || name.len + 5 > sizeof buf || memchr(name.ptr, 0, name.len))
        return NULL;
    memcpy(buf, name.ptr, name.len);
    buf[name.len] = 0;
    image = lvl_graal_picture_file(art, buf);
    if (image)
        return image;
    if (strchr(buf, '.'))
        return lvl_graal_other_ending(buf) ? lvl_graal_picture_file(art, buf) : NULL;
    for (size_t i = 0; i < LVL_COUNT_OF(endings) && !image; i++) {
        memcpy(buf + name.len, endings[i], 5);
        image = lvl_graal_picture_file(art, buf);
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
