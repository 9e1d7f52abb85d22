/*
 * wap32/wwd/art.c: see wap32/wwd/art.h. The name of an image set is a prefix and folders joined by '_', as in
 * the engine. The folders are those of the games: LEVELn/TILES, LEVELn/IMAGES, GAME/IMAGES, CLAW/IMAGES in
 * Claw, AREAn/TILEZ and the like in Gruntz, and CrazyHook's folder beside a custom level.
 */
#include "wap32/wwd/art.h"
#include "wap32/art/color.h"

#include "base/text.h"

#include <lvl/wwd.h>
#include <stdio.h>
#include <string.h>

/* Converts a path in a header ("\LEVEL1\TILES\", "LEVEL3_IMAGES") to one with '/' between folders. Without
 * slashes, '_' separates the folders. */
static void clean_path(char *out, size_t size, lvl_text path)
{
    bool slashes = false;
    size_t n = 0;

    for (size_t i = 1; i < path.len; i++)
        slashes = slashes || ((path.ptr[i] == '\\' || path.ptr[i] == '/') && i + 1 < path.len);
    for (size_t i = 0; i < path.len && path.ptr[i] && n + 1 < size; i++) {
        const char c = path.ptr[i];
        const bool separator = c == '\\' || c == '/' || (!slashes && c == '_');
        if (!separator)
            out[n++] = lvl_upper(c);
        else if (n && out[n - 1] != '/')
            out[n++] = '/';
    }
    while (n && out[n - 1] == '/')
        n--;
    out[n] = 0;
    /* a path in a level must not lead out of the art */
    if (strstr(out, "..") || strncmp(out, LVL_ART_OWN, strlen(LVL_ART_OWN)) == 0)
        out[0] = 0;
}

static void add_place(lvl_wwd_art *wa, const char *prefix, const char *folder)
{
    if (wa->place_count == LVL_WWD_ART_PLACES || !*folder)
        return;
    lvl_wwd_place *place = &wa->places[wa->place_count++];
    snprintf(place->prefix, sizeof place->prefix, "%s", prefix);
    snprintf(place->folder, sizeof place->folder, "%s", folder);
}

static void add_path(lvl_wwd_paths *paths, const char *path)
{
    if (paths->count < LVL_WWD_ART_PATHS && *path)
        snprintf(paths->items[paths->count++], sizeof paths->items[0], "%s", path);
}

/* Adds the folders that the game uses, by the level's number. */
static void add_game(lvl_wwd_art *wa, lvl_wwd_game game)
{
    const bool gruntz = game == LVL_WWD_GRUNTZ;
    const unsigned n = gruntz ? (wa->base_level - 1) / 4 + 1 : wa->base_level;
    const char *const bank = gruntz ? "AREA" : game == LVL_WWD_MEDIEVAL ? "DUNGEON" : "LEVEL";
    const char *const z = gruntz ? "Z" : "S";
    char path[64];

    if (wa->base_level) {
        snprintf(path, sizeof path, "%s%u/IMAGE%s", bank, n, z);
        add_place(wa, "LEVEL", path);
        snprintf(path, sizeof path, "%s%u/TILE%s", bank, n, z);
        add_path(&wa->tiles, path);
        snprintf(path, sizeof path, "%s%u/PALETTE%s/MAIN.PAL", bank, n, z);
        add_path(&wa->palettes, path);
        snprintf(path, sizeof path, "%s%u/PALETTES/MAIN.PAL", bank, n);
        add_path(&wa->palettes, path);
    }
    snprintf(path, sizeof path, "GAME/IMAGE%s", z);
    add_place(wa, "GAME", path);
    if (!gruntz)
        add_place(wa, "CLAW", "CLAW/IMAGES");
}

/* Adds the folders in the header, which the editor uses. */
static void add_header(lvl_wwd_art *wa, const lvl_wwd *wwd)
{
    const struct {
        const char *prefix, *folder;
    } pairs[] = {
        {wwd->prefix1, wwd->image_set1},
        {wwd->prefix2, wwd->image_set2},
        {wwd->prefix3, wwd->image_set3},
        {wwd->prefix4, wwd->image_set4},
    };
    char prefix[40], path[200];

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        clean_path(prefix, sizeof prefix, lvl_text_slot(pairs[i].prefix, sizeof wwd->prefix1));
        clean_path(path, sizeof path, lvl_text_slot(pairs[i].folder, sizeof wwd->image_set1));
        for (char *p = prefix; *p; p++)
            *p = *p == '/' ? '_' : *p;
        if (*prefix)
            add_place(wa, prefix, path);
    }
    clean_path(path, sizeof path, lvl_text_slot(wwd->image_dir, sizeof wwd->image_dir));
    add_path(&wa->tiles, path);
    clean_path(path, sizeof path, lvl_text_slot(wwd->pal_rez, sizeof wwd->pal_rez));
    add_path(&wa->palettes, path);
    if (*path && strlen(path) + 5 < sizeof path) {
        memcpy(path + strlen(path), ".PAL", 5);
        add_path(&wa->palettes, path);
    }
}

void lvl_wwd_art_init(lvl_wwd_art *out, const lvl_wwd *wwd, const lvl_art *art)
{
    const int32_t base = lvl_wwd_base_level(wwd);

    memset(out, 0, sizeof *out);
    out->art = art;
    out->base_level = base > 0 ? (unsigned)base : 0;
    add_place(out, "CUSTOM", LVL_ART_OWN "IMAGES");
    add_place(out, "LEVEL", LVL_ART_OWN "LEVEL/IMAGES");
    add_place(out, "LEVEL", LVL_ART_OWN "LEVEL");
    add_path(&out->tiles, LVL_ART_OWN "TILES");
    add_path(&out->palettes, LVL_ART_OWN "PALETTES/MAIN.PAL");
    add_path(&out->palettes, LVL_ART_OWN "PALETTES/MAIN.ACT");
    add_path(&out->palettes, LVL_ART_OWN "PALETTES/MAIN.TXT");
    add_game(out, lvl_wwd_game_of(wwd));
    add_header(out, wwd);
}

static bool is_own(const char *folder)
{
    return strncmp(folder, LVL_ART_OWN, strlen(LVL_ART_OWN)) == 0;
}

bool lvl_wwd_art_has_tiles(const lvl_wwd_art *wa, bool own)
{
    for (uint32_t i = 0; wa->art && i < wa->tiles.count; i++) {
        if ((own || !is_own(wa->tiles.items[i])) && lvl_art_has_folder(wa->art, wa->tiles.items[i]))
            return true;
    }
    return false;
}

bool lvl_wwd_without_prefix(lvl_text name, const char *prefix, lvl_text *rest)
{
    const size_t len = strlen(prefix);

    if (name.len <= len || name.ptr[len] != '_' ||
        !lvl_text_equal_nocase((lvl_text){name.ptr, len}, lvl_text_of(prefix)))
        return false;
    *rest = (lvl_text){name.ptr + len + 1, name.len - len - 1};
    return true;
}

bool lvl_wwd_art_covers(const lvl_wwd_art *wa, lvl_text image_set)
{
    bool own = false, shared = false, game = false;
    lvl_text rest;

    for (uint32_t i = 0; wa->art && i < wa->place_count; i++) {
        const char *folder = wa->places[i].folder;
        if (!lvl_wwd_without_prefix(image_set, wa->places[i].prefix, &rest))
            continue;
        shared = shared || !is_own(folder);
        if (is_own(folder))
            own = own || lvl_art_has_folder(wa->art, folder);
        else
            game = game || lvl_art_has_folder(wa->art, folder);
    }
    /* of a prefix of the game, a level's own folder has only some sets; what only comes with the level is
     * expected if the game's art is there, too */
    return shared ? game : own || lvl_wwd_art_has_tiles(wa, false);
}

/* Searches one more folder for the set. What the level's own folder does not have is taken from the game's.
 * Returns whether the set is complete. */
static bool add_set(const lvl_wwd_art *wa, const char *folder, lvl_text name, const lvl_art_set **set)
{
    const lvl_art_set *found = lvl_art_find(wa->art, folder, name);

    if (*set && found)
        lvl_art_set_append(*set, found);
    else if (found)
        *set = found;
    return found && !is_own(folder);
}

const lvl_art_set *lvl_wwd_art_tiles(const lvl_wwd_art *wa, lvl_text image_set)
{
    const lvl_art_set *set = NULL;
    bool whole = image_set.len == 0;

    for (uint32_t i = 0; wa->art && i < wa->tiles.count && !whole; i++)
        whole = add_set(wa, wa->tiles.items[i], image_set, &set);
    return set;
}

const lvl_art_set *lvl_wwd_art_images(const lvl_wwd_art *wa, lvl_text image_set)
{
    const lvl_art_set *set = NULL;
    bool whole = false;
    lvl_text rest;

    for (uint32_t i = 0; wa->art && i < wa->place_count && !whole; i++) {
        if (lvl_wwd_without_prefix(image_set, wa->places[i].prefix, &rest))
            whole = add_set(wa, wa->places[i].folder, rest, &set);
    }
    return set ? set : lvl_wwd_art_tiles(wa, image_set);
}

const lvl_palette *lvl_wwd_art_palette(const lvl_wwd_art *wa)
{
    const lvl_palette *palette = NULL;

    for (uint32_t i = 0; wa->art && i < wa->palettes.count && !palette; i++)
        palette = lvl_art_palette(wa->art, wa->palettes.items[i]);
    return palette;
}

lvl_wwd_missing lvl_wwd_art_missing(const lvl_wwd_plane *plane, const lvl_art_set *const *sets,
                                    uint32_t count)
{
    const lvl_cells *cells = &plane->tiles;
    uint8_t asked[0x10000 / 8] = {0}, absent[0x10000 / 8] = {0}; /* by number, of the first set */
    lvl_wwd_missing m = {0};

    for (uint32_t y = 0; y < cells->height; y++) {
        for (uint32_t x = 0; x < cells->width; x++) {
            const uint32_t value = lvl_cell(cells, x, y), number = value & 0xFFFF, set = value >> 16;
            const uint8_t bit = (uint8_t)(1u << number % 8);
            if (value == LVL_WWD_TILE_NONE || value == LVL_WWD_TILE_FILLED)
                continue;
            if (set || !count) {
                m.elsewhere += set >= count || !sets[set] || !lvl_art_set_has(sets[set], number);
                continue;
            }
            if (!(asked[number / 8] & bit)) {
                asked[number / 8] |= bit;
                if (!sets[0] || !lvl_art_set_has(sets[0], number)) {
                    absent[number / 8] |= bit;
                    m.numbers++;
                }
            }
            if (absent[number / 8] & bit && !m.cells++) {
                m.first = number;
                m.x = x;
                m.y = y;
            }
        }
    }
    return m;
}
