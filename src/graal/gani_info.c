/*
 * graal/gani_info.c: the summary of an animation.
 */
#include "graal/gani_internal.h"

#include "graal/gani_cast.h"

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

static uint32_t lines_of(lvl_text text)
{
    uint32_t n = text.len != 0;

    for (size_t i = 0; i < text.len; i++)
        n += text.ptr[i] == '\n';
    return n;
}

lvl_status lvl_gani_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art)
{
    const lvl_gani *g = doc->root;
    const bool movie = g->actor_count || (!g->frame_count && g->version == LVL_GANI0002);
    const lvl_field *version = LVL_FIELD(lvl_gani, version);
    const char *name = lvl_name_of(version->names, g->version);
    uint64_t ms = 0;

    (void)art;
    lvl_info_string(info, "kind", "kind", "%s", movie ? "movie" : "animation");
    lvl_info_string(info, "version", "version", "%s", name ? name : "unknown");
    if (movie) {
        ms = (uint64_t)lvl_gani_movie_length(g) * LVL_GANI_TICK;
        lvl_info_int(info, "length", "length", g->length, "ticks");
        lvl_info_int(info, "actors", "actors", g->actor_count, NULL);
    } else {
        uint32_t directions = g->single_direction ? 1 : 4;
        for (uint32_t i = 0; i < g->frame_count; i++)
            ms += lvl_gani_duration(&g->frames[i]);
        lvl_info_int(info, "frames", "frames", g->frame_count, NULL);
        lvl_info_int(info, "directions", "directions", directions, NULL);
    }
    lvl_info_int(info, "duration", "duration", (int64_t)ms, "ms");
    lvl_info_bool(info, "loops", "loops", g->loop);
    lvl_info_bool(info, "continuous", "keeps its place", g->continuous);
    if (g->setback_to.len)
        lvl_info_text(info, "setback_to", "goes back to", g->setback_to);
    lvl_info_int(info, "sprites", "sprites", g->sprite_count, NULL);
    if (g->attachment_count)
        lvl_info_int(info, "attachments", "attachments", g->attachment_count, NULL);
    if (g->effect_count)
        lvl_info_int(info, "effects", "effects", g->effect_count, NULL);
    put_pictures(info, g);
    put_sounds(info, g);
    if (g->script.len)
        lvl_info_int(info, "script_lines", "script", lines_of(g->script), "lines");
    return LVL_OK;
}
