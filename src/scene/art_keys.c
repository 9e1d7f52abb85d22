/*
 * scene/art_keys.c: files that a document names by keys, as games with archives do.
 */
#include "base/format.h"
#include "base/text.h"
#include "scene/art.h"

/* Whether the art has one of these folders; `game`: of those that come with the game. */
static bool has_folder(const lvl_art *art, const lvl_file_place *places, uint32_t count, bool game)
{
    for (uint32_t i = 0; i < count; i++) {
        if ((!game || !places[i].own) && lvl_art_has_folder(art, places[i].folder))
            return true;
    }
    return false;
}

lvl_key_state lvl_art_look_up(const lvl_art *art, const lvl_doc *doc, lvl_use use, lvl_text key)
{
    lvl_file_place places[LVL_FILE_PLACES];
    const uint32_t count = doc->format->calls->file_places(doc, use, key, places);
    bool game = false;

    for (uint32_t i = 0; i < count; i++) {
        const lvl_file_place *p = &places[i];
        if (lvl_art_has_key(art, p->folder, p->rest, p->joint, p->ending))
            return LVL_KEY_FOUND;
        game = game || !p->own;
    }
    /* of the keys of the game, a level's own folder has only some */
    if (has_folder(art, places, count, game))
        return LVL_KEY_MISSING;
    if (game)
        return LVL_KEY_UNKNOWN;
    const uint32_t all = doc->format->calls->file_places(doc, use, (lvl_text){"", 0}, places);
    return has_folder(art, places, all, true) ? LVL_KEY_MISSING : LVL_KEY_UNKNOWN;
}

lvl_status lvl_art_read_used(const lvl_art *art, const lvl_doc *doc, lvl_use use, const char *name,
                             lvl_buffer *out)
{
    lvl_file_place places[LVL_FILE_PLACES];
    lvl_status status = LVL_ERR_MISSING;

    if (!doc->format->calls->file_places)
        return lvl_art_read_loose(art, name, out);
    const uint32_t count = doc->format->calls->file_places(doc, use, lvl_text_of(name), places);
    for (uint32_t i = 0; i < count && status == LVL_ERR_MISSING; i++)
        status =
            lvl_art_read_key(art, places[i].folder, places[i].rest, places[i].joint, places[i].ending, out);
    return status;
}
