/*
 * wap32/wwd_info.c: the summary of a level.
 */
#include "base/text.h"
#include "wap32/logics.h"
#include "wap32/wwd_art.h"
#include "wap32/wwd_internal.h"
#include "wap32/wwd_stream.h"

#include <string.h>

/* ---- treasure ---------------------------------------------------------------------------------------- */

/* A kind of treasure: its folder in image sets, and the numbers of its items in crates and pockets. */
static const struct treasure {
    const char *key, *label, *folder;
    int32_t first, last;
} treasures[] = {
    {"coins", "coins", "COINS", 33, 33},      {"gold_bars", "gold bars", "GOLDBARS", 1, 1},
    {"rings", "rings", "RINGS", 2, 5},        {"necklaces", "necklaces", "NECKLACE", 6, 6},
    {"crosses", "crosses", "CROSSES", 7, 10}, {"scepters", "scepters", "SCEPTERS", 11, 14},
    {"geckos", "geckos", "GECKOS", 15, 18},   {"chalices", "chalices", "CHALICES", 41, 44},
    {"crowns", "crowns", "CROWNS", 45, 48},   {"skulls", "skulls", "JEWELEDSKULL", 49, 52},
};
enum { TREASURES = sizeof treasures / sizeof treasures[0] };

struct counts {
    size_t kinds[LVL_WWD_KIND_COUNT];
    size_t lying[TREASURES], hidden[TREASURES];
    size_t *logics; /* one for each of lvl_wwd_logics */
    /* of the object before: the next one often has the same, and a comparison is cheaper than a lookup */
    lvl_text logic, image_set;
    const lvl_wwd_logic *found;
    size_t treasure; /* its kind, or TREASURES */
};

static void count_item(struct counts *n, int32_t item)
{
    for (size_t i = 0; i < TREASURES; i++)
        n->hidden[i] += item >= treasures[i].first && item <= treasures[i].last;
}

/* Up to nine items: one in powerup, eight in the two rectangles. */
static void count_items(struct counts *n, const lvl_wwd_object *o)
{
    const lvl_wwd_rect *rects[] = {&o->user_rect1, &o->user_rect2};

    count_item(n, o->powerup);
    for (size_t i = 0; i < 2; i++) {
        count_item(n, rects[i]->left);
        count_item(n, rects[i]->top);
        count_item(n, rects[i]->right);
        count_item(n, rects[i]->bottom);
    }
}

/* The kind of treasure of an image set (GAME_TREASURE_COINS; custom levels have other prefixes), or
 * TREASURES. */
static size_t treasure_of(lvl_text image_set)
{
    static const char word[] = "TREASURE";
    const size_t len = sizeof word - 1;

    for (size_t at = 0; at + len < image_set.len; at++) {
        if (image_set.ptr[at] != 'T' || memcmp(image_set.ptr + at, word, len) != 0)
            continue;
        const lvl_text rest = {image_set.ptr + at + len + 1, image_set.len - at - len - 1};
        for (size_t i = 0; i < TREASURES; i++) {
            const size_t folder = strlen(treasures[i].folder);
            if (rest.len >= folder && memcmp(rest.ptr, treasures[i].folder, folder) == 0)
                return i;
        }
        break;
    }
    return TREASURES;
}

static void count_treasure(struct counts *n, lvl_text image_set)
{
    if (!lvl_text_equal(n->image_set, image_set)) {
        n->image_set = image_set;
        n->treasure = treasure_of(image_set);
    }
    if (n->treasure < TREASURES)
        n->lying[n->treasure]++;
}

static void count_object(struct counts *n, const lvl_wwd_object *o, const lvl_wwd_logic *logics)
{
    if (!lvl_text_equal(n->logic, o->logic)) {
        n->logic = o->logic;
        n->found = lvl_wwd_logic_find(o->logic);
    }
    const lvl_wwd_logic *logic = n->found;
    const lvl_wwd_kind kind = lvl_wwd_kind_with(logic, o);

    n->kinds[kind]++;
    if (logic)
        n->logics[logic - logics]++;
    if (kind == LVL_WWD_KIND_PICKUP)
        count_treasure(n, o->image_set);
    if (kind == LVL_WWD_KIND_CONTAINER || kind == LVL_WWD_KIND_ENEMY)
        count_items(n, o);
}

/* ---- facts ------------------------------------------------------------------------------------------- */

static void info_size(const lvl_wwd *wwd, lvl_info *info)
{
    const lvl_wwd_plane *p = lvl_wwd_main_plane(wwd, NULL);

    if (!p) {
        lvl_info_string(info, "size", "size", "no main plane");
        return;
    }
    const long long wide = (long long)p->tiles.width * p->tile_width,
                    high = (long long)p->tiles.height * p->tile_height;
    lvl_info_string(info, "size", "size", "%lld x %lld px, %u x %u tiles of %d x %d", wide, high,
                    p->tiles.width, p->tiles.height, p->tile_width, p->tile_height);
    lvl_info_int(info, "width", NULL, wide, "px");
    lvl_info_int(info, "height", NULL, high, "px");
    lvl_info_int(info, "tiles_wide", NULL, p->tiles.width, "tiles");
    lvl_info_int(info, "tiles_high", NULL, p->tiles.height, "tiles");
}

/* The fields of a plane, with its size after its name and its movement in one. */
static bool info_plane(const lvl_wwd_plane *p, lvl_info *info, const lvl_field *field)
{
    lvl_wwd_plane known;

    switch (field->offset) {
    case offsetof(lvl_wwd_plane, name):
        lvl_info_field(info, p, field);
        lvl_info_string(info, "size", "", "%u x %u tiles", p->tiles.width, p->tiles.height);
        lvl_info_int(info, "tiles_wide", NULL, p->tiles.width, "tiles");
        lvl_info_int(info, "tiles_high", NULL, p->tiles.height, "tiles");
        return true;
    case offsetof(lvl_wwd_plane, movement_x):
        lvl_info_string(info, "movement", "moves", "%d/%d %%", p->movement_x, p->movement_y);
        return false;
    case offsetof(lvl_wwd_plane, flags): /* without bits that no program reads */
        known = *p;
        known.flags &= LVL_WWD_PLANE_FLAGS;
        lvl_info_field(info, &known, field);
        return true;
    default: return false;
    }
}

/* Keys for JSON and labels for people, by kind. */
static const struct kind_name {
    const char *key, *label;
} kind_names[LVL_WWD_KIND_COUNT] = {
    {"unknown", "unknown"},     {"enemies", "enemies"},   {"bosses", "bosses and theirs"},
    {"pickups", "pickups"},     {"containers", "crates"}, {"platforms", "platforms"},
    {"hazards", "hazards"},     {"warps", "warps"},       {"sounds", "sounds"},
    {"checkpoints", "flow"},    {"exits", "exits"},       {"scenery", "scenery"},
    {"puzzles", "puzzles"},     {"units", "units"},       {"scripts", "scripts"},
    {"engine", "engine's own"},
};

static void info_treasure(const struct counts *n, lvl_info *info)
{
    size_t lying = 0, hidden = 0;

    for (size_t i = 0; i < TREASURES; i++) {
        lying += n->lying[i];
        hidden += n->hidden[i];
    }
    lvl_info_int(info, "treasure_count", NULL, (int64_t)(lying + hidden), NULL);
    if (!lying && !hidden)
        return;
    lvl_info_open(info, "treasure", "treasure", false);
    for (size_t i = 0; i < TREASURES; i++) {
        if (n->lying[i] + n->hidden[i])
            lvl_info_int(info, treasures[i].key, treasures[i].label, (int64_t)(n->lying[i] + n->hidden[i]),
                         NULL);
    }
    lvl_info_close(info);
    if (hidden)
        lvl_info_int(info, "treasure_hidden", "of these", (int64_t)hidden, "in crates and pockets");
}

static lvl_status info_objects(const lvl_doc *doc, const lvl_wwd *wwd, lvl_info *info)
{
    struct counts n = {.treasure = TREASURES};
    size_t logic_count, total = 0;
    const lvl_wwd_logic *logics = lvl_wwd_logics(&logic_count);

    n.logics = lvl_mem_alloc(doc->ctx, logic_count * sizeof *n.logics);
    if (!n.logics)
        return LVL_ERR_MEMORY;
    memset(n.logics, 0, logic_count * sizeof *n.logics);
    for (uint32_t i = 0; i < wwd->plane_count; i++) {
        const lvl_wwd_plane *p = &wwd->planes[i];
        total += p->object_count;
        for (uint32_t k = 0; k < p->object_count; k++)
            count_object(&n, &p->objects[k], logics);
    }
    lvl_info_int(info, "object_count", "objects", (int64_t)total, NULL);
    lvl_info_open(info, "kinds", "of these", false);
    for (size_t i = 1; i <= LVL_WWD_KIND_COUNT; i++) {
        const size_t kind = i % LVL_WWD_KIND_COUNT; /* unknown ones last */
        if (n.kinds[kind])
            lvl_info_int(info, kind_names[kind].key, kind_names[kind].label, (int64_t)n.kinds[kind], NULL);
    }
    lvl_info_close(info);
    if (n.kinds[LVL_WWD_KIND_ENEMY]) {
        lvl_info_open(info, "enemies", "enemies", false);
        for (size_t i = 0; i < logic_count; i++) {
            if (n.logics[i] && logics[i].kind == LVL_WWD_KIND_ENEMY)
                lvl_info_int(info, logics[i].name, logics[i].name, (int64_t)n.logics[i], NULL);
        }
        lvl_info_close(info);
    }
    info_treasure(&n, info);
    lvl_mem_free(doc->ctx, n.logics);
    return LVL_OK;
}

static void info_storage(const lvl_wwd *wwd, lvl_info *info)
{
    static const char *const rules[] = {"the game's rule", "WapMap's rule", "libwap32's rule",
                                        "no known rule"};
    const uint32_t rule =
        wwd->checksum_rule <= LVL_WWD_CHECKSUM_OTHER ? wwd->checksum_rule : LVL_WWD_CHECKSUM_OTHER;
    const bool packed = lvl_wwd_is_zlib(wwd->stream);

    lvl_info_bool(info, "compressed", NULL, packed);
    if (packed)
        lvl_info_string(info, "storage", "storage", "compressed, %llu of %u bytes (%s)",
                        (unsigned long long)wwd->stream.len, wwd->inflated_size,
                        wwd->compression == LVL_WWD_ZLIB_BEST ? "level 9, as WapMap packs"
                                                              : "level 6, as the editor packs");
    else
        lvl_info_string(info, "storage", "storage",
                        wwd->flags & LVL_WWD_COMPRESS ? "to be compressed" : "stored");
    lvl_info_string(info, "checksum", "checksum", "0x%08x, %s", wwd->checksum, rules[rule]);
    for (uint32_t i = 0; i < wwd->wapmap_count; i++)
        lvl_info_fields(info, &lvl_wwd_block_table, &wwd->wapmap[i], NULL, NULL);
}

static void info_art(const lvl_wwd *wwd, lvl_info *info, const lvl_art *art)
{
    lvl_wwd_art wa;

    if (!art || !lvl_art_root(art, 0)) {
        lvl_info_string(info, "art", "art", "none given");
        return;
    }
    lvl_wwd_art_init(&wa, wwd, art);
    lvl_info_string(info, "art", "art", "%s", lvl_wwd_art_has_tiles(&wa, true) ? "found" : "missing");
}

static void info_game(const lvl_wwd *wwd, lvl_info *info)
{
    static const char *const games[] = {"unknown", "Claw", "Gruntz", "Get Medieval"};
    const unsigned base = lvl_wwd_base_level(wwd);

    lvl_info_string(info, "game", "game", "%s", games[lvl_wwd_game_of(wwd)]);
    if (base)
        lvl_info_int(info, "base_level", "base level", base, NULL);
    else
        lvl_info_string(info, "base_level", "base level", "none in the title");
}

struct info_request {
    const lvl_doc *doc;
    lvl_status status;
};

/* What is computed: around the start, before what describes the tiles, and around the checksum's rule. */
static bool info_computed(lvl_info *info, const lvl_table *table, const void *record, const lvl_field *field,
                          void *user)
{
    struct info_request *r = user;
    const lvl_wwd *wwd = r->doc->root;

    if (table == &lvl_wwd_plane_table)
        return info_plane(record, info, field);
    switch (field->offset) {
    case offsetof(lvl_wwd, start_x):
        info_game(wwd, info);
        info_size(wwd, info);
        lvl_info_open(info, "start", "start", false);
        break;
    case offsetof(lvl_wwd, start_y):
        lvl_info_field(info, wwd, field);
        lvl_info_close(info);
        return true;
    case offsetof(lvl_wwd, tile_properties): r->status = info_objects(r->doc, wwd, info); break;
    case offsetof(lvl_wwd, checksum_rule): info_storage(wwd, info); break;
    default: break;
    }
    return false;
}

lvl_status lvl_wwd_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art)
{
    struct info_request request = {doc, LVL_OK};

    lvl_info_fields(info, &lvl_wwd_table, doc->root, info_computed, &request);
    if (request.status != LVL_OK)
        return request.status;
    info_art(doc->root, info, art);
    return lvl_info_status(info);
}
