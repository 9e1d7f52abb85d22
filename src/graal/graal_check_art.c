/*
 * graal/graal_check_art.c: the files that a level names, where the user gave folders: levels that links lead to, pictures of NPCs. Names are compared
 * without case, as the game does; converted twins (.nw for .graal, .png for .gif) are told apart from what is missing.
 */
#include "graal/graal_check.h"
#include "graal/graal_findings.h"
#include "graal/graal_stale.h"

#include "base/text.h"

#include <lvl/scene.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 256 };

static const char *const level_endings[] = {".nw", ".graal", ".zelda", NULL};
static const char *const picture_endings[] = {".png", ".gif", ".mng", ".bmp", ".jpg", NULL};

/* As a file's name, NUL-ended UTF-8 without folders; false if it can't be one. */
static bool file_name(const lvl_graal_checker *c, lvl_text name, char *out)
{
    lvl_buffer utf8 = {0};
    bool good = name.len != 0;

    for (size_t i = 0; i < name.len; i++) {
        if (name.ptr[i] == '/' || name.ptr[i] == '\\') {
            name.ptr += i + 1;
            name.len -= i + 1;
            i = SIZE_MAX;
        } else if ((uint8_t)name.ptr[i] < ' ') {
            good = false;
        }
    }
    lvl_text_to_utf8(&utf8, c->doc->codepage, name);
    good = good && utf8.status == LVL_OK && utf8.len && utf8.len < NAME_SIZE;
    if (good) {
        memcpy(out, utf8.data, utf8.len);
        out[utf8.len] = 0;
    }
    lvl_buffer_free(&utf8);
    return good;
}

/* What the folders have of that name with another of the endings; NULL: nothing. */
static const char *twin(const lvl_art *art, const char *name, const char *const *endings)
{
    char other[NAME_SIZE + 8];
    const char *dot = strrchr(name, '.');
    const size_t stem = dot ? (size_t)(dot - name) : strlen(name);

    for (; *endings; endings++) {
        snprintf(other, sizeof other, "%.*s%s", (int)stem, name, *endings);
        const char *found = lvl_art_file_name(art, other);
        if (found)
            return found;
    }
    return NULL;
}

static void check_name(const lvl_graal_checker *c, int missing, const lvl_where *where, lvl_text text,
                       const char *const *endings)
{
    char name[NAME_SIZE];

    if (!file_name(c, text, name))
        return;
    const char *found = lvl_art_file_name(c->art, name);
    if (found) {
        if (strcmp(found, name) != 0)
            lvl_graal_say(c, LVL_GRAAL_F_FILE_CASE, where, "%s is called %s", name, found);
        return;
    }
    found = twin(c->art, name, endings);
    if (found)
        lvl_graal_say(c, LVL_GRAAL_F_FILE_TWIN, where, "no %s, but %s", name, found);
    else
        lvl_graal_say(c, missing, where, "%s", name);
}

lvl_status lvl_graal_check_files(const lvl_graal_checker *c)
{
    for (uint32_t i = 0; i < c->level->link_count; i++) {
        const lvl_where where = lvl_graal_member(lvl_graal_at(offsetof(lvl_graal, links), i),
                                                 &lvl_graal_link_table, offsetof(lvl_graal_link, level));
        check_name(c, LVL_GRAAL_F_LINK_MISSING, &where, c->level->links[i].level, level_endings);
    }
    for (uint32_t i = 0; i < c->level->npc_count; i++) {
        const lvl_where where = lvl_graal_member(lvl_graal_at(offsetof(lvl_graal, npcs), i),
                                                 &lvl_graal_npc_table, offsetof(lvl_graal_npc, image));
        if (c->level->npcs[i].image.len && lvl_graal_stale_npc(c->level, i) == LVL_STALE_NONE)
            check_name(c, LVL_GRAAL_F_NPC_IMAGE_MISSING, &where, c->level->npcs[i].image, picture_endings);
    }
    return LVL_OK;
}
