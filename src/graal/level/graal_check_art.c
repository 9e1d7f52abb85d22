/*
 * graal/level/graal_check_art.c: checks the files that a level refers to: levels of links, pictures of NPCs.
 * If no file of a kind is found around the level, they are assumed to be elsewhere, and only that is
 * reported, unless the user gave folders. Names are compared ignoring case, like the game does. A file that
 * exists with another ending (.nw for .graal, .png for .gif: a twin) is not reported as missing.
 */
#include "graal/level/graal_check.h"
#include "graal/level/graal_findings.h"
#include "graal/art/graal_pictures.h"
#include "graal/level/graal_stale.h"

#include "base/findings.h"
#include "base/text.h"
#include "games/ground.h"
#include "graal/level/graal_links.h"
#include "scene/art.h"

#include <lvl/scene.h>
#include <stdio.h>
#include <string.h>

static const char *const level_endings[] = {".nw", ".graal", ".zelda", NULL};
static const char *const picture_endings[] = {".png", ".gif", ".mng", ".bmp", ".jpg", NULL};

/* Converts a name to a file name without folders, NUL-ended UTF-8; false: no file can have it. */
static bool file_name(const lvl_graal_checker *c, lvl_text name, char *out)
{
    name = lvl_path_last(name);
    for (size_t i = 0; i < name.len; i++) {
        if ((uint8_t)name.ptr[i] < ' ')
            return false;
    }
    return lvl_graal_file_name(c->doc->codepage, name, out);
}

/* A kind of files that levels refer to. */
struct kind {
    bool pictures; /* false: levels of links */
    uint32_t folders; /* for pictures: lvl_graal_picture_folders */
    const char *const *endings; /* endings of twins */
    const char *what;
    int missing; /* the finding */
};

/* The file's name as spelled on disk, or NULL. */
static const char *find(const lvl_art *art, const struct kind *kind, const char *name)
{
    return kind->pictures ? lvl_graal_picture_name(art, kind->folders, name) : lvl_art_find_name(art, name);
}

/* The name of the file with another ending, or NULL. */
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

/* The name of a file or its twin as spelled on disk, or NULL. */
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
        lvl_graal_find(c->findings, kind->missing, where, "%s" LVL_IS_MISSING "%s", name,
                       kind->missing == LVL_GRAAL_F_LINK_MISSING ? ": players cannot go this way"
                                                                 : ": players do not see this picture");
    else if (is_twin)
        lvl_graal_find(c->findings, LVL_GRAAL_F_FILE_TWIN, where,
                       "there is no %s, only %s: the game may not find it", name, found);
    else if (strcmp(found, name) != 0)
        lvl_graal_find(c->findings, LVL_GRAAL_F_FILE_CASE, where, "%s is called %s: a server may not find it",
                       name, found);
}

/* The name of an item's file and the path of the field; false: it has none. */
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

/* Whether any of these files is found. The level itself does not count, since it is always there. */
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

/* ---- where links lead -------------------------------------------------------------------------------- */

/* The level that a link leads to, and where players can walk in it. */
typedef struct target {
    char name[LVL_GRAAL_NAME]; /* empty: none was read */
    bool known;
    lvl_ground ground;
    lvl_arena arena;
} target;

static lvl_status read_target(const lvl_graal_checker *c, target *t, const char *name)
{
    lvl_buffer bytes = {0};
    lvl_doc *doc = NULL;

    lvl_arena_free(&t->arena);
    lvl_arena_init(&t->arena, c->doc->ctx);
    snprintf(t->name, sizeof t->name, "%s", name);
    t->known = false;
    lvl_status status = lvl_art_read_named(c->art, name, &bytes);
    if (status == LVL_OK)
        status = lvl_read(&doc, c->doc->ctx, NULL, (lvl_bytes){bytes.data, bytes.len}, name, LVL_READ_BORROW,
                          NULL);
    if (status == LVL_OK && doc->format->table == &lvl_graal_table) {
        status = lvl_graal_ground(doc, &t->arena, &t->ground);
        t->known = status == LVL_OK;
    }
    lvl_doc_free(doc);
    lvl_buffer_free(&bytes);
    return status == LVL_ERR_MEMORY ? status : LVL_OK;
}

static lvl_status check_arrivals(const lvl_graal_checker *c)
{
    lvl_status status = LVL_OK;
    char name[LVL_GRAAL_NAME];
    target t = {.known = false};
    double x, y;

    lvl_arena_init(&t.arena, c->doc->ctx);
    for (uint32_t i = 0; i < c->level->link_count && status == LVL_OK; i++) {
        const lvl_graal_link *l = &c->level->links[i];
        if (lvl_graal_dest_kind(l->dest_x, &x) != LVL_DEST_NUMBER || x == -1 ||
            lvl_graal_dest_kind(l->dest_y, &y) != LVL_DEST_NUMBER || y == -1 || !file_name(c, l->level, name))
            continue;
        if (strcmp(name, t.name) != 0)
            status = read_target(c, &t, name);
        if (status == LVL_OK && t.known && lvl_graal_is_walled(&t.ground, x, y)) {
            const lvl_where where = lvl_graal_at(offsetof(lvl_graal, links), i);
            lvl_graal_find(c->findings, LVL_GRAAL_F_LINK_BLOCKED, &where,
                           "%s: the arrival at %g, %g is in walls, so players cannot move", name, x, y);
        }
    }
    lvl_arena_free(&t.arena);
    return status;
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
    return check_arrivals(c);
}
