/*
 * wap32/wwd/level.c: properties of a level that check, info and scene need.
 */
#include "base/text.h"
#include "wap32/wwd/internal.h"

#include <string.h>

const lvl_wwd_plane *lvl_wwd_main_plane(const lvl_wwd *wwd, uint32_t *index)
{
    for (uint32_t i = 0; i < wwd->plane_count; i++) {
        if (wwd->planes[i].flags & LVL_WWD_PLANE_MAIN) {
            if (index)
                *index = i;
            return &wwd->planes[i];
        }
    }
    return NULL;
}

/* Whether the text begins with `word` and a digit, after an optional slash. */
static bool begins_with_bank(lvl_text text, const char *word)
{
    size_t i = text.len && (text.ptr[0] == '\\' || text.ptr[0] == '/');

    for (; *word; word++, i++) {
        if (i >= text.len || lvl_upper(text.ptr[i]) != *word)
            return false;
    }
    return i < text.len && text.ptr[i] >= '0' && text.ptr[i] <= '9';
}

lvl_wwd_game lvl_wwd_game_of(const lvl_wwd *wwd)
{
    const lvl_text texts[] = {
        lvl_text_slot(wwd->image_dir, sizeof wwd->image_dir),
        lvl_text_slot(wwd->image_set1, sizeof wwd->image_set1),
        lvl_text_slot(wwd->image_set2, sizeof wwd->image_set2),
        lvl_text_slot(wwd->image_set3, sizeof wwd->image_set3),
        lvl_text_slot(wwd->image_set4, sizeof wwd->image_set4),
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (begins_with_bank(texts[i], "LEVEL"))
            return LVL_WWD_CLAW;
        if (begins_with_bank(texts[i], "AREA"))
            return LVL_WWD_GRUNTZ;
        if (begins_with_bank(texts[i], "DUNGEON"))
            return LVL_WWD_MEDIEVAL;
    }
    return LVL_WWD_GAME_UNKNOWN;
}

unsigned lvl_wwd_base_level(const lvl_wwd *wwd)
{
    lvl_text name = lvl_text_slot(wwd->name, sizeof wwd->name);
    unsigned value = 0;
    bool digits = false;

    for (size_t i = 0; i < name.len && name.ptr[i]; i++) {
        char c = name.ptr[i];
        if (c >= '0' && c <= '9') {
            digits = true;
            value = value > 99999999 ? value : value * 10 + (unsigned)(c - '0');
        } else if (digits) {
            break;
        }
    }
    return value;
}
