/*
 * wap32/wwd/info.c: the summary of a level.
 */
#include "base/text.h"
#include "wap32/wwd/art.h"
#include "wap32/wwd/book.h"
#include "wap32/wwd/internal.h"
#include "wap32/wwd/stream.h"

#include <string.h>

/* ---- items ------------------------------------------------------------------------------------------- */

struct counts {
    size_t kinds[LVL_KIND_COUNT];
    size_t lying[LVL_BOOK_GROUPS], hidden[LVL_BOOK_GROUPS]; /* items by their group */
    const lvl_book *book;
    size_t *logics; /* one for each thing of the book */
    /* those of the previous object: the next one often has the same, and comparing is cheaper than a
     * lookup */
    lvl_text logic, image_set;
    const lvl_book_thing *found;
    int32_t pictured;
};

static void count_item(const struct counts *n, size_t *groups, int64_t item)
{
    const lvl_book_group *group = item ? lvl_book_group_of(n->book, item) : NULL;

    if (group)
        groups[group - n->book->groups]++;
}

/* Counts what an object drops: up to nine items. */
static void count_drops(struct counts *n, const lvl_book_thing *logic, const lvl_wwd_object *o)
{
    const lvl_book *b = n->book;
    const lvl_book_use *use;

    for (uint32_t i = 0; logic && (use = lvl_book_use_at(b, logic, i)); i++) {
        if (!use->word || strcmp(b->words[use->word - 1], "drops") != 0 || !lvl_book_applies(b, use, o))
            continue;
        for (uint32_t k = 0; k < use->count; k++)
            count_item(n, n->hidden, lvl_book_number(&b->fields[use->first + k], o));
    }
}

static void count_pickup(struct counts *n, lvl_text image_set)
{
    if (!lvl_text_equal(n->image_set, image_set)) {
        n->image_set = image_set;
        n->pictured = lvl_book_pictured(n->book, image_set);
    }
    count_item(n, n->lying, n->pictured);
}

static void count_object(struct counts *n, const lvl_wwd_object *o)
{
    if (!lvl_text_equal(n->logic, o->logic)) {
        n->logic = o->logic;
        n->found = lvl_book_find(n->book, o->logic);
    }
    const lvl_book_thing *logic = n->found;
    const lvl_book_kind kind = lvl_wwd_kind_of(logic, o);

    n->kinds[kind]++;
    if (logic)
        n->logics[logic - n->book->things]++;
    if (kind == LVL_KIND_PICKUP)
        count_pickup(n, o->image_set);
    count_drops(n, logic, o);
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

/* Adds a plane's fields: its size after its name, and its movement as one fact. */
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
    case offsetof(lvl_wwd_plane, flags): /* omits bits that no program reads */
        known = *p;
        known.flags &= LVL_WWD_PLANE_FLAGS;
        lvl_info_field(info, &known, field);
        return true;
    default: return false;
    }
}

/* JSON keys and labels for people, by kind. */
static const struct kind_name {
    const char *key, *label;
} kind_names[LVL_KIND_COUNT] = {
    {"unknown", "unknown"},     {"enemies", "enemies"},   {"bosses", "bosses and theirs"},
    {"pickups", "pickups"},     {"containers", "crates"}, {"platforms", "platforms"},
    {"hazards", "hazards"},     {"warps", "warps"},       {"sounds", "sounds"},
    {"checkpoints", "flow"},    {"exits", "exits"},       {"scenery", "scenery"},
    {"puzzles", "puzzles"},     {"units", "units"},       {"scripts", "scripts"},
    {"engine", "engine's own"},
};

static void info_items(const struct counts *n, lvl_info *info)
{
    const lvl_book *b = n->book;
    size_t lying = 0, hidden = 0;

    for (size_t i = 0; i < b->group_count; i++) {
        lying += n->lying[i];
        hidden += n->hidden[i];
    }
    lvl_info_int(info, b->grouped_count, NULL, (int64_t)(lying + hidden), NULL);
    if (!lying && !hidden)
        return;
    lvl_info_open(info, b->grouped, b->grouped, false);
    for (size_t i = 0; i < b->group_count; i++) {
        const lvl_book_group *g = &b->groups[i];
        if (n->lying[i] + n->hidden[i])
            lvl_info_int(info, g->key, g->plural, (int64_t)(n->lying[i] + n->hidden[i]), NULL);
    }
    lvl_info_close(info);
    if (hidden)
        lvl_info_int(info, b->grouped_hidden, "of these", (int64_t)hidden, b->hidden);
}

static lvl_status info_objects(const lvl_doc *doc, const lvl_wwd *wwd, lvl_info *info)
{
    struct counts n = {.book = lvl_wwd_book(wwd)};
    const lvl_book_thing *logics = n.book->things;
    const size_t logic_count = n.book->thing_count;
    size_t total = 0;

    n.logics = lvl_mem_alloc(doc->ctx, logic_count * sizeof *n.logics);
    if (!n.logics)
        return LVL_ERR_MEMORY;
    memset(n.logics, 0, logic_count * sizeof *n.logics);
    for (uint32_t i = 0; i < wwd->plane_count; i++) {
        const lvl_wwd_plane *p = &wwd->planes[i];
        total += p->object_count;
        for (uint32_t k = 0; k < p->object_count; k++)
            count_object(&n, &p->objects[k]);
    }
    lvl_info_int(info, "object_count", "objects", (int64_t)total, NULL);
    lvl_info_open(info, "kinds", "of these", false);
    for (size_t i = 1; i <= LVL_KIND_COUNT; i++) {
        const size_t kind = i % LVL_KIND_COUNT; /* unknown ones last */
        if (n.kinds[kind])
            lvl_info_int(info, kind_names[kind].key, kind_names[kind].label, (int64_t)n.kinds[kind], NULL);
    }
    lvl_info_close(info);
    if (n.kinds[LVL_KIND_ENEMY]) {
        lvl_info_open(info, "enemies", "enemies", false);
        for (size_t i = 0; i < logic_count; i++) {
            if (n.logics[i] && logics[i].kind == LVL_KIND_ENEMY)
                lvl_info_int(info, logics[i].name, logics[i].name, (int64_t)n.logics[i], NULL);
        }
        lvl_info_close(info);
    }
    info_items(&n, info);
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
                        wwd->stream.ptr[1] >> 6 == 3 ? "level 9, as WapMap packs"
                                                     : "level 6, like the editor");
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
    const bool found = lvl_wwd_art_has_tiles(&wa, true);
    lvl_info_string(info, "art", "art", "%s", found ? "found" : "missing");
    if (!found)
        return;
    uint64_t missing = 0;
    for (uint32_t i = 0; i < wwd->plane_count; i++) {
        const lvl_wwd_plane *p = &wwd->planes[i];
        const lvl_art_set *set = p->image_set_count ? lvl_wwd_art_tiles(&wa, p->image_sets[0]) : NULL;
        missing += p->tiles.ptr ? lvl_wwd_art_missing(p, &set, 1).cells : 0;
    }
    lvl_info_int(info, "tiles_without_picture", missing ? "tiles without picture" : NULL, (int64_t)missing,
                 NULL);
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

/* Adds computed facts: around the start position, before the tile properties, and around the checksum's
 * rule. */
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
