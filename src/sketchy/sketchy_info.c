/*
 * sketchy/sketchy_info.c: what a person wants to know of a drawing or pack first. Nothing is decoded for it: what only pixels could tell isn't told.
 */
#include "base/text.h"
#include "sketchy/sketchy_check.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

static void tell_text(lvl_info *info, const char *key, const char *label, lvl_text text)
{
    if (text.len)
        lvl_info_text(info, key, label, text);
}

/* ---- pixels -------------------------------------------------------------------------------------------------------------------------- */

static void tell_layers(const lvl_sketchy *d, lvl_info *info)
{
    uint64_t chunks = 0;
    int64_t left = INT64_MAX, top = INT64_MAX, right = INT64_MIN, bottom = INT64_MIN;

    for (uint32_t i = 0; i < d->layer_count; i++) {
        const int64_t size = d->layers[i].size;
        chunks += d->layers[i].chunk_count;
        for (uint32_t k = 0; k < d->layers[i].chunk_count; k++) {
            const lvl_sketchy_chunk *c = &d->layers[i].chunks[k];
            left = c->x * size < left ? c->x * size : left;
            top = c->y * size < top ? c->y * size : top;
            right = (c->x + INT64_C(1)) * size > right ? (c->x + INT64_C(1)) * size : right;
            bottom = (c->y + INT64_C(1)) * size > bottom ? (c->y + INT64_C(1)) * size : bottom;
        }
    }
    lvl_info_int(info, "chunk_count", "chunks", (int64_t)chunks, NULL);
    if (chunks) {
        lvl_info_string(info, "chunks_span", "spanning", "%lld x %lld px from %lld,%lld",
                        (long long)(right - left), (long long)(bottom - top), (long long)left,
                        (long long)top);
        lvl_info_int(info, "left", NULL, left, "px");
        lvl_info_int(info, "top", NULL, top, "px");
        lvl_info_int(info, "right", NULL, right, "px");
        lvl_info_int(info, "bottom", NULL, bottom, "px");
    }
    lvl_info_int(info, "layer_count", d->kind == LVL_SKETCHY_DOODAD ? "layers" : NULL, d->layer_count, NULL);
    lvl_info_open(info, "layers", d->kind == LVL_SKETCHY_DOODAD ? "frames" : NULL, true);
    for (uint32_t i = 0; i < d->layer_count; i++) {
        const lvl_sketchy_layer *l = &d->layers[i];
        lvl_info_open(info, NULL, "", false);
        lvl_info_text(info, "name", "", l->name);
        lvl_info_int(info, "chunk_size", "chunks of", l->size, "px");
        lvl_info_int(info, "chunks", NULL, l->chunk_count, NULL);
        lvl_info_close(info);
    }
    lvl_info_close(info);
}

/* ---- palette ------------------------------------------------------------------------------------------------------------------------- */

static void tell_palette(const lvl_sketchy *d, lvl_info *info)
{
    lvl_info_int(info, "swatch_count", "swatches", d->swatch_count, NULL);
    lvl_info_open(info, "swatches", "palette", true);
    for (uint32_t i = 0; i < d->swatch_count; i++) {
        const lvl_sketchy_swatch *s = &d->swatches[i];
        const struct {
            const char *name;
            bool set;
        } how[] = {{"solid", s->solid},
                   {"semisolid", s->semisolid},
                   {"fire", s->fire},
                   {"water", s->water},
                   {"slippery", s->slippery}};
        char text[64] = "";
        size_t at = 0;
        lvl_info_open(info, NULL, "", false);
        lvl_info_text(info, "name", "", s->name);
        lvl_info_text(info, "color", "", s->color);
        tell_text(info, "pattern", "", s->pattern);
        for (size_t k = 0; k < sizeof how / sizeof *how; k++) {
            if (!how[k].set)
                continue;
            const int n = snprintf(text + at, sizeof text - at, "%s%s", at ? ", " : "", how[k].name);
            at += n > 0 && (size_t)n < sizeof text - at ? (size_t)n : 0;
            lvl_info_bool(info, how[k].name, NULL, true);
        }
        if (text[0])
            lvl_info_string(info, "behaves", "", "%s", text);
        lvl_info_close(info);
    }
    lvl_info_close(info);
}

/* ---- actors -------------------------------------------------------------------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
    const lvl_text *x = a, *y = b;
    const size_t n = x->len < y->len ? x->len : y->len;
    const int d = n ? memcmp(x->ptr, y->ptr, n) : 0;

    return d ? d : (x->len > y->len) - (x->len < y->len);
}

static lvl_status tell_actors(const lvl_sketchy *d, lvl_info *info)
{
    lvl_text *names = malloc(((size_t)d->actor_count + 1) * sizeof *names);
    uint64_t links = 0;

    if (!names)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < d->actor_count; i++) {
        names[i] = d->actors[i].filename;
        links += d->actors[i].link_count;
    }
    qsort(names, d->actor_count, sizeof *names, by_text);
    lvl_info_int(info, "actor_count", "actors", d->actor_count, NULL);
    lvl_info_int(info, "link_count", links ? "links" : NULL, (int64_t)links, NULL);
    lvl_info_open(info, "doodads", d->actor_count ? "doodads" : NULL, true);
    for (uint32_t i = 0, n; i < d->actor_count; i += n) {
        for (n = 1; i + n < d->actor_count && lvl_text_equal(names[i], names[i + n]);)
            n++;
        lvl_info_open(info, NULL, "", false);
        lvl_info_text(info, "filename", "", names[i]);
        lvl_info_int(info, "count", "times", n, NULL);
        lvl_info_close(info);
    }
    lvl_info_close(info);
    free(names);
    return LVL_OK;
}

/* ---- files --------------------------------------------------------------------------------------------------------------------------- */

static void tell_files(const lvl_sketchy_file *files, uint32_t count, lvl_info *info)
{
    lvl_info_int(info, "file_count", count ? "files" : NULL, count, NULL);
    lvl_info_open(info, "files", count ? "paths" : NULL, true);
    for (uint32_t i = 0; i < count; i++) {
        lvl_info_open(info, NULL, "", false);
        lvl_info_text(info, "path", "", files[i].path);
        lvl_info_int(info, "size", "", (int64_t)files[i].data.len, "bytes");
        lvl_info_close(info);
    }
    lvl_info_close(info);
}

/* ---- drawings ------------------------------------------------------------------------------------------------------------------------ */

static const char *name_of(size_t member, int64_t value)
{
    const lvl_field *f = lvl_table_at(&lvl_sketchy_table, member);
    const char *name = f && f->names ? lvl_name_of(f->names, value) : NULL;

    return name ? name : "unknown";
}

static void tell_level(const lvl_sketchy *d, lvl_info *info)
{
    const char *page = name_of(offsetof(lvl_sketchy, page_type), d->page_type);

    lvl_info_string(info, "page_type", "page", "%s", page);
    if (d->page_type == LVL_SKETCHY_BOUNDED || d->page_type == LVL_SKETCHY_BORDERED)
        lvl_info_string(info, "bounds", "bounds", "%lld x %lld px", (long long)d->bounded_width,
                        (long long)d->bounded_height);
    lvl_info_int(info, "bounded_width", NULL, d->bounded_width, "px");
    lvl_info_int(info, "bounded_height", NULL, d->bounded_height, "px");
    lvl_info_text(info, "wallpaper", "wallpaper",
                  d->wallpaper.len ? d->wallpaper : lvl_text_of("notebook.png"));
    lvl_info_string(info, "difficulty", d->difficulty ? "difficulty" : NULL, "%s",
                    name_of(offsetof(lvl_sketchy, difficulty), d->difficulty));
    if (d->survival)
        lvl_info_bool(info, "survival", "survival", true);
    if (d->signature.len)
        lvl_info_bool(info, "signed", "signed", true);
}

static void tell_doodad(const lvl_sketchy *d, lvl_info *info)
{
    if (d->size.width || d->size.height)
        lvl_info_string(info, "size", "size", "%lld x %lld px", (long long)d->size.width,
                        (long long)d->size.height);
    lvl_info_string(info, "hitbox", "hitbox", "%lld x %lld px at %lld,%lld", (long long)d->hitbox.width,
                    (long long)d->hitbox.height, (long long)d->hitbox.x, (long long)d->hitbox.y);
    lvl_info_int(info, "script_size", d->script.len ? "script" : NULL, (int64_t)d->script.len, "bytes");
    if (d->hidden)
        lvl_info_bool(info, "hidden", "hidden", true);
    lvl_info_open(info, "tags", d->tag_count ? "tags" : NULL, true);
    for (uint32_t i = 0; i < d->tag_count; i++) {
        lvl_info_open(info, NULL, "", false);
        lvl_info_text(info, "name", "", d->tags[i].name);
        lvl_info_text(info, "value", "", d->tags[i].value);
        lvl_info_close(info);
    }
    lvl_info_close(info);
    lvl_info_int(info, "option_count", d->option_count ? "options" : NULL, d->option_count, NULL);
}

lvl_status lvl_sketchy_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art)
{
    const lvl_sketchy *d = doc->root;
    lvl_status status = LVL_OK;

    (void)art;
    lvl_info_string(info, "kind", "kind", "%s", d->kind == LVL_SKETCHY_DOODAD ? "doodad" : "level");
    lvl_info_string(info, "generation", "generation", "%s", lvl_sketchy_generation_name(d->generation));
    tell_text(info, "game_version", "saved by", d->game_version);
    tell_text(info, "title", "title", d->title);
    tell_text(info, "author", "author", d->author);
    tell_text(info, "uuid", NULL, d->uuid);
    if (d->locked)
        lvl_info_bool(info, "locked", "locked", true);
    if (d->kind == LVL_SKETCHY_LEVEL)
        tell_level(d, info);
    else
        tell_doodad(d, info);
    tell_layers(d, info);
    tell_palette(d, info);
    if (d->kind == LVL_SKETCHY_LEVEL)
        status = tell_actors(d, info);
    tell_files(d->files, d->file_count, info);
    return status;
}

/* ---- packs --------------------------------------------------------------------------------------------------------------------------- */

lvl_status lvl_levelpack_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art)
{
    const lvl_levelpack *p = doc->root;

    (void)art;
    tell_text(info, "title", "title", p->title);
    tell_text(info, "description", "about", p->description);
    tell_text(info, "author", "author", p->author);
    tell_text(info, "created", "created", p->created);
    if (p->signature.len)
        lvl_info_bool(info, "signed", "signed", true);
    lvl_info_int(info, "free_levels", p->free_levels ? "open from the start" : NULL, p->free_levels, NULL);
    lvl_info_int(info, "level_count", "levels", p->level_count, NULL);
    lvl_info_open(info, "levels", "index", true);
    for (uint32_t i = 0; i < p->level_count; i++) {
        lvl_info_open(info, NULL, "", false);
        lvl_info_text(info, "filename", "", p->levels[i].filename);
        lvl_info_text(info, "title", "", p->levels[i].title);
        tell_text(info, "author", "", p->levels[i].author);
        lvl_info_close(info);
    }
    lvl_info_close(info);
    tell_files(p->files, p->file_count, info);
    return LVL_OK;
}
