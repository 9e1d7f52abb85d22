/*
 * graal/level/graal_check_art.c: the files that a level names: levels of links, pictures of NPCs. If none
 * of a kind is found around the level they are assumed to be elsewhere, and only that is reported, unless
 * the user gave folders. Names are compared without case, as the game does. A file that exists with
 * another ending (.nw for .graal, .png for .gif: a twin) is not reported as missing.
 */
#include "graal/level/graal_check.h"
#include "graal/level/graal_findings.h"
#include "graal/graal_pictures.h"
#include "graal/level/graal_stale.h"

#include "base/text.h"
#include "scene/art.h"

#include <lvl/scene.h>
#include <stdio.h>
#include <string.h>

static const char *const level_endings[] = {".nw", ".graal", ".zelda", NULL};
static const char *const picture_endings[] = {".png", ".gif", ".mng", ".bmp", ".jpg", NULL};

/* A name as that of a file without folders, NUL-ended UTF-8; false: no file can have it. */
static bool file_name(const lvl_graal_checker *c, lvl_text name, char *out)
{
    name = lvl_graal_without_folder(name);
    for (size_t i = 0; i < name.len; i++) {
        if ((uint8_t)name.ptr[i] < ' ')
            return false;
    }
    return lvl_graal_file_name(c->doc->codepage, name, out);
}

/* A kind of files that levels name. */
struct kind {
    bool pictures; /* else levels of links */
    uint32_t folders; /* of pictures: lvl_graal_picture_folders */
    const char *const *endings; /* of twins */
    const char *what;
    int missing; /* the finding */
};

/* The file's name as it is spelled in the folders, or NULL. */
static const char *find(const lvl_art *art, const struct kind *kind, const char *name)
{
    return kind->pictures ? lvl_graal_picture_name(art, kind->folders, name) : lvl_art_find_name(art, name);
}

/* The name of a file with another of the endings, or NULL. */
static const char *find_twin(const lvl_art *art, const char *name, const struct kind *kind)
{
    char other[LVL_GRAAL_NAME + 8];
    const char *dot = strrchr(name, '.');
    const size_t stem = dot ? (size_t)(dot - name) : strlen(name);

    for (const char *const *ending = kind->endings; *ending; ending++) {
        snprintf(other, sizeof other, "%.*s%s", (int)stem, name, *ending);
        const char *found = find(art, kind, other);
        if (found)
            return found;
    }
    return NULL;
}

/* The name of a file or of a twin of it as spelled in the folders, or NULL. */
static const char *find_file(const lvl_art *art, const char *name, const struct kind *kind, bool *is_twin)
{
    const char *found = find(art, kind, name);

    *is_twin = !found;
    return found ? found : find_twin(art, name, kind);
}

static void check_name(const lvl_graal_checker *c, const struct kind *kind, const lvl_where *where,
                       const char *name)
{
    bool is_twin;
    const char *found = find_file(c->art, name, kind, &is_twin);

    if (!found)
        lvl_graal_find(c->findings, kind->missing, where, "%s", name);
    else if (is_twin)
        lvl_graal_find(c->findings, LVL_GRAAL_F_FILE_TWIN, where, "no %s, but %s", name, found);
    else if (strcmp(found, name) != 0)
        lvl_graal_find(c->findings, LVL_GRAAL_F_FILE_CASE, where, "%s is called %s", name, found);
}

/* The name of an item's file, and its place; false: it has none. */
static bool file_of_item(const lvl_graal_checker *c, const struct kind *kind, uint32_t index, char *name,
                         lvl_where *where)
{
    const lvl_graal *level = c->level;

    if (!kind->pictures) {
        *where = lvl_where_member(lvl_graal_at(offsetof(lvl_graal, links), index), &lvl_graal_link_table,
                                  offsetof(lvl_graal_link, level));
        return file_name(c, level->links[index].level, name);
    }
    *where = lvl_where_member(lvl_graal_at(offsetof(lvl_graal, npcs), index), &lvl_graal_npc_table,
                              offsetof(lvl_graal_npc, image));
    return level->npcs[index].image.len && file_name(c, level->npcs[index].image, name) &&
           lvl_graal_stale_npc(level, index) == LVL_STALE_NONE;
}

/* Whether any of these files is found. The level itself does not count, since it is always in its folder. */
static bool has_any(const lvl_graal_checker *c, const struct kind *kind, uint32_t count, bool *asked)
{
    const char *self = lvl_art_level_name(c->art);
    char name[LVL_GRAAL_NAME];
    lvl_where where;
    bool is_twin;

    for (uint32_t i = 0; i < count; i++) {
        if (!file_of_item(c, kind, i, name, &where) ||
            (self && lvl_text_equal_nocase(lvl_text_of(name), lvl_text_of(self))))
            continue;
        *asked = true;
        if (find_file(c->art, name, kind, &is_twin))
            return true;
    }
    return false;
}

static void check_kind(const lvl_graal_checker *c, const struct kind *kind, uint32_t count)
{
    char name[LVL_GRAAL_NAME];
    lvl_where where;
    bool asked = false;

    if (!lvl_art_given(c->art) && !has_any(c, kind, count, &asked)) {
        if (asked)
            lvl_findings_add(c->findings, &lvl_doc_art_absent, NULL, NULL, "%s", kind->what);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (file_of_item(c, kind, i, name, &where))
            check_name(c, kind, &where, name);
    }
}

lvl_status lvl_graal_check_files(const lvl_graal_checker *c)
{
    const struct kind levels = {
        .endings = level_endings, .what = "levels that links lead to", .missing = LVL_GRAAL_F_LINK_MISSING};
    const struct kind pictures = {.pictures = true,
                                  .folders = lvl_graal_picture_folders(c->art),
                                  .endings = picture_endings,
                                  .what = "pictures of NPCs",
                                  .missing = LVL_GRAAL_F_NPC_IMAGE_MISSING};

    check_kind(c, &levels, c->level->link_count);
    check_kind(c, &pictures, c->level->npc_count);
    return LVL_OK;
}
