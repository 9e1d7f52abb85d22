/*
 * graal/gani/gani_info.c: the summary of an animation.
 */
#include "graal/gani/gani_internal.h"

#include "graal/gani/gani_pieces.h"

#include <string.h>

enum { MAX_NAMES = 256 };

/* Names in the order of their first occurrence. */
struct names {
    lvl_text items[MAX_NAMES];
    uint32_t count;
};

static void add_name(struct names *names, lvl_text name)
{
    if (!name.len || names->count == MAX_NAMES)
        return;
    for (uint32_t i = names->count; i-- > 0;) {
        if (lvl_text_equal(names->items[i], name))
            return;
    }
    names->items[names->count++] = name;
}

static void put_names(lvl_info *info, const char *key, const char *label, const struct names *names)
{
    if (!names->count)
        return;
    lvl_info_open(info, key, label, true);
    for (uint32_t i = 0; i < names->count; i++)
        lvl_info_text(info, NULL, NULL, names->items[i]);
    lvl_info_close(info);
}

static bool is_file(lvl_text name)
{
    return name.len && memchr(name.ptr, '.', name.len);
}

/* Layers, and file names of sheets and defaults. */
static void put_pictures(lvl_info *info, const lvl_gani *g)
{
    struct names files = {.count = 0}, layers = {.count = 0};

    for (uint32_t i = 0; i < g->sprite_count; i++)
        add_name(is_file(g->sprites[i].source) ? &files : &layers, g->sprites[i].source);
    put_names(info, "layers", "layers", &layers);
    for (uint32_t i = 0; i < g->default_count; i++) {
        if (is_file(g->defaults[i].value))
            add_name(&files, g->defaults[i].value);
    }
    put_names(info, "images", "pictures", &files);
}

static void put_sounds(lvl_info *info, const lvl_gani *g)
{
    struct names sounds = {.count = 0};

    for (uint32_t i = 0; i < g->frame_count; i++) {
        for (uint32_t k = 0; k < g->frames[i].sound_count; k++)
            add_name(&sounds, g->frames[i].sounds[k].file);
    }
    for (uint32_t a = 0; a < g->actor_count; a++) {
        if (!lvl_text_is(g->actors[a].kind, "SOUND"))
            continue;
        for (uint32_t k = 0; k < g->actors[a].keyframe_count; k++) {
            const lvl_gani_keyframe *key = &g->actors[a].keyframes[k];
            for (uint32_t v = 0; v < key->value_count; v++) {
                if (lvl_text_is(key->values[v].key, "file"))
                    add_name(&sounds, key->values[v].value);
            }
        }
    }
    put_names(info, "sounds", "sounds", &sounds);
}

static bool is_movie(const lvl_gani *g)
{
    return g->actor_count || (!g->frame_count && g->version == LVL_GANI0002);
}

static void put_duration(lvl_info *info, const lvl_gani *g)
{
    uint64_t ms = 0;

    if (is_movie(g)) {
        ms = (uint64_t)lvl_gani_movie_length(g) * LVL_GANI_TICK;
    } else {
        lvl_info_int(info, "directions", "directions", g->single_direction ? 1 : 4, NULL);
        for (uint32_t i = 0; i < g->frame_count; i++)
            ms += lvl_gani_duration(&g->frames[i]);
    }
    lvl_info_int(info, "duration", "duration", (int64_t)ms, "ms");
}

/* Adds computed facts, and handles fields that only movies or only animations have. */
static bool put_computed(lvl_info *info, const lvl_table *table, const void *record, const lvl_field *field,
                         void *user)
{
    const lvl_gani *g = record;

    (void)table;
    (void)user;
    switch (field->offset) {
    case offsetof(lvl_gani, frames): return is_movie(g);
    case offsetof(lvl_gani, length):
    case offsetof(lvl_gani, actors): return !is_movie(g);
    case offsetof(lvl_gani, sprites): put_duration(info, g); break;
    case offsetof(lvl_gani, script):
        put_pictures(info, g);
        put_sounds(info, g);
        break;
    default: break;
    }
    return false;
}

lvl_status lvl_gani_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art)
{
    (void)art;
    lvl_info_string(info, "kind", "kind", "%s", is_movie(doc->root) ? "movie" : "animation");
    lvl_info_fields(info, &lvl_gani_table, doc->root, put_computed, NULL);
    return LVL_OK;
}
