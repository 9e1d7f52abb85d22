/*
 * sketchy/sketchy_info.c: the summary of a drawing or pack. Nothing is decoded for it; pixels are only
 * counted on request.
 */
#include "base/cursor.h"
#include "base/text.h"
#include "games/book.h"
#include "sketchy/pack/pack.h"
#include "sketchy/look/pictures.h"
#include "sketchy/check/check.h"
#include "sketchy/model/programs.h"
#include "sketchy/sketchy_format.h"

#include <lvl/scene.h>

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

/* ---- counts ------------------------------------------------------------------------------------------ */

/* The px of a drawing by swatch and by layer. */
typedef struct counts {
    uint64_t *of; /* by index in the palette: UINT16_MAX + 1 of them, freed by the caller */
    uint64_t total, strange; /* strange: those whose index the palette does not have */
    uint64_t *layers; /* of each layer; freed by the caller */
    uint64_t broken; /* chunks that can't be decoded, or not all */
} counts;

static void free_counts(counts *c)
{
    free(c->of);
    free(c->layers);
}

static lvl_status count_pixels(const lvl_doc *doc, counts *c)
{
    const lvl_sketchy *d = doc->root;
    lvl_status status = LVL_OK;
    lvl_buffer storage = {0};

    memset(c, 0, sizeof *c);
    c->of = calloc((size_t)UINT16_MAX + 1, sizeof *c->of);
    c->layers = calloc((size_t)d->layer_count + 1, sizeof *c->layers);
    if (!c->of || !c->layers)
        status = LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < d->layer_count && status == LVL_OK; i++) {
        for (uint32_t k = 0; k < d->layers[i].chunk_count && status == LVL_OK; k++) {
            lvl_cells cells;
            status = lvl_sketchy_pixels(doc, &d->layers[i].chunks[k], &storage, &cells);
            c->broken += status == LVL_ERR_FORMAT;
            if (status == LVL_ERR_FORMAT)
                status = LVL_OK;
            const size_t n = status == LVL_OK && cells.ptr ? (size_t)cells.width * cells.height : 0;
            const uint64_t nothing = c->of[LVL_SKETCHY_NONE];
            for (size_t at = 0; at < n; at++)
                c->of[lvl_load_u16le(cells.ptr + at * 2)]++;
            c->layers[i] += n - (c->of[LVL_SKETCHY_NONE] - nothing);
        }
        c->total += status == LVL_OK ? c->layers[i] : 0;
    }
    for (uint32_t i = d->swatch_count; i < LVL_SKETCHY_NONE && status == LVL_OK; i++)
        c->strange += c->of[i];
    lvl_buffer_free(&storage);
    return status;
}

/* ---- pixels ------------------------------------------------------------------------------------------ */

static void info_chunks(const lvl_sketchy *d, const counts *all, lvl_info *info)
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
    lvl_info_int(info, "chunk_count", NULL, (int64_t)chunks, NULL);
    if (d->layer_count == 1)
        lvl_info_string(info, "chunks", "chunks", "%llu of %lu px", (unsigned long long)chunks,
                        (unsigned long)d->layers[0].size);
    else
        lvl_info_string(info, "chunks", "chunks", "%llu", (unsigned long long)chunks);
    if (chunks) {
        lvl_info_string(info, "chunks_span", "spanning", "%lld x %lld px from %lld,%lld",
                        (long long)(right - left), (long long)(bottom - top), (long long)left,
                        (long long)top);
        lvl_info_int(info, "left", NULL, left, "px");
        lvl_info_int(info, "top", NULL, top, "px");
        lvl_info_int(info, "right", NULL, right, "px");
        lvl_info_int(info, "bottom", NULL, bottom, "px");
    }
    if (all->of) {
        lvl_info_int(info, "pixel_count", "pixels", (int64_t)all->total, NULL);
        lvl_info_int(info, "strange_pixels", all->strange ? "of no swatch" : NULL, (int64_t)all->strange,
                     "px");
        lvl_info_int(info, "broken_chunks", all->broken ? "not decoded" : NULL, (int64_t)all->broken,
                     "chunks");
    }
}

static void info_layers(const lvl_sketchy *d, const counts *all, lvl_info *info)
{
    lvl_info_open(info, "layers", d->kind == LVL_SKETCHY_DOODAD ? "frames" : NULL, true);
    for (uint32_t i = 0; i < d->layer_count; i++) {
        lvl_info_open(info, NULL, "", false);
        lvl_info_fields(info, &lvl_sketchy_layer_table, &d->layers[i], NULL, NULL);
        if (all->of)
            lvl_info_int(info, "pixels", "", (int64_t)all->layers[i], "px");
        lvl_info_close(info);
    }
    lvl_info_close(info);
}

/* ---- palette ----------------------------------------------------------------------------------------- */

/* How a swatch behaves, in a line, and its px. */
static void info_swatch(const lvl_sketchy *d, const lvl_sketchy_swatch *s, const counts *all, lvl_info *info)
{
    const size_t index = (size_t)(s - d->swatches);
    char text[64] = "";
    size_t at = 0;

    for (uint32_t k = 0; k < lvl_sketchy_swatch_table.field_count; k++) {
        const lvl_field *f = &lvl_sketchy_swatch_table.fields[k];
        if (f->kind == LVL_TEXT || !((const uint8_t *)s)[f->offset])
            continue;
        const int n = snprintf(text + at, sizeof text - at, "%s%s", at ? ", " : "", f->name);
        at += n > 0 && (size_t)n < sizeof text - at ? (size_t)n : 0;
    }
    if (text[0])
        lvl_info_string(info, "behaves", "", "%s", text);
    if (all->of)
        lvl_info_int(info, "pixels", "", index < LVL_SKETCHY_NONE ? (int64_t)all->of[index] : 0, "px");
}

/* ---- actors ------------------------------------------------------------------------------------------ */

/* Appends to a line for people: "anvil 5, boy 4", cut after 40 names. */
static void list_name(lvl_buffer *line, unsigned n, lvl_text name, uint32_t count)
{
    enum { MAX_NAMES = 40 };
    char shown[80];

    if (n > MAX_NAMES)
        return;
    if (n == MAX_NAMES) {
        lvl_buffer_str(line, ", …");
        return;
    }
    name = lvl_sketchy_doodad_label(name);
    lvl_buffer_printf(line, "%s%s", n ? ", " : "", lvl_text_show(shown, sizeof shown, LVL_CP_UTF8, name));
    if (count)
        lvl_buffer_printf(line, " %lu", (unsigned long)count);
}

static void info_line(lvl_info *info, const char *key, const char *label, lvl_buffer *line)
{
    if (line->len && line->status == LVL_OK)
        lvl_info_text(info, key, label, (lvl_text){(const char *)line->data, line->len});
    lvl_buffer_free(line);
}

#ifndef LVL_WITHOUT_NAMES
/* What the game book says about a doodad; NULL: it is not the game's. */
static const lvl_book_doodad *book_doodad(lvl_text filename)
{
    const lvl_book_thing *thing = lvl_book_find(&lvl_book_sketchy, filename);

    return thing ? &lvl_book_sketchy.doodads[thing - lvl_book_sketchy.things] : NULL;
}

static void info_doodad_is(lvl_text filename, lvl_info *info)
{
    const lvl_book_doodad *doodad = book_doodad(filename);

    if (doodad)
        lvl_info_string(info, "is", "", "%s", doodad->is);
}

/* The option of the game's doodad that an actor sets; NULL: it has no such option. */
static const lvl_book_option *book_option(const lvl_sketchy_actor *a, lvl_text name)
{
    const lvl_book_doodad *doodad = book_doodad(a->filename);

    for (uint32_t i = 0; doodad && i < doodad->option_count; i++) {
        const lvl_book_option *o = &lvl_book_sketchy.options[doodad->first_option + i];
        if (lvl_text_is(name, o->name))
            return o;
    }
    return NULL;
}

/* The options that actors set, with what they mean. */
static void info_settings(const lvl_sketchy *d, lvl_info *info)
{
    enum { MOST = 64 };
    uint32_t shown = 0;

    for (uint32_t i = 0; i < d->actor_count; i++) {
        const lvl_sketchy_actor *a = &d->actors[i];
        for (uint32_t k = 0; k < a->option_count && shown < MOST; k++) {
            const lvl_book_option *o = book_option(a, a->options[k].name);
            if (!o)
                continue;
            if (!shown++)
                lvl_info_open(info, "settings", "settings", true);
            lvl_info_open(info, NULL, "", false);
            lvl_info_text(info, "filename", "", a->filename);
            lvl_info_text(info, "option", "", a->options[k].name);
            lvl_info_text(info, "value", "", a->options[k].value);
            lvl_info_string(info, "is", "", "%s", o->is);
            lvl_info_close(info);
        }
    }
    if (shown)
        lvl_info_close(info);
}
#endif

static lvl_status info_actors(const lvl_sketchy *d, lvl_info *info, const lvl_art *art)
{
    lvl_names there = {NULL, 0}, used = {NULL, 0};
    lvl_buffer all = {0}, lacking = {0};
    unsigned kinds = 0, pictures = 0;
    uint64_t links = 0;

    lvl_status status = lvl_names_below(&there, d->files, d->file_count, LVL_EMBEDDED_DOODADS);
    if (status == LVL_OK)
        status = lvl_names_of(&used, d->actors, d->actor_count, sizeof *d->actors,
                              offsetof(lvl_sketchy_actor, filename));
    if (status != LVL_OK)
        goto out;
    for (uint32_t i = 0; i < d->actor_count; i++)
        links += d->actors[i].link_count;
    lvl_info_int(info, "link_count", links ? "links" : NULL, (int64_t)links, NULL);
    lvl_info_open(info, "doodads", NULL, true);
    for (uint32_t i = 0, n; i < used.count; i += n) {
        const lvl_text name = used.list[i].name;
        for (n = 1; i + n < used.count && lvl_text_equal(name, used.list[i + n].name);)
            n++;
        lvl_info_open(info, NULL, "", false);
        const char *from = lvl_names_has(&there, name)            ? "in the level"
                           : lvl_sketchy_doodad_in_art(art, name) ? "found"
                                                                  : NULL;
        lvl_info_text(info, "filename", "", name);
        lvl_info_int(info, "count", "", n, NULL);
#ifndef LVL_WITHOUT_NAMES
        info_doodad_is(name, info);
#endif
        list_name(&all, kinds, name, n);
        if (!from)
            list_name(&lacking, kinds - pictures, name, 0);
        if (from)
            lvl_info_string(info, "from", "", "%s", from);
        lvl_info_close(info);
        pictures += from != NULL;
        kinds++;
    }
    lvl_info_close(info);
    info_line(info, NULL, "doodads", &all); /* the list is for programs */
#ifndef LVL_WITHOUT_NAMES
    info_settings(d, info);
#endif
    if (kinds)
        lvl_info_string(info, "pictures", "pictures", "%u of %u doodads found%s", pictures, kinds,
                        pictures < kinds ? " (use --art to name their folder)" : "");
    if (pictures)
        info_line(info, NULL, "missing", &lacking);
    lvl_buffer_free(&lacking);
out:
    lvl_names_free(&used);
    lvl_names_free(&there);
    return status;
}

/* The encoded size of a late part. */
static uint64_t stored_size(const lvl_doc *doc, uint32_t source)
{
    const lvl_source *s = lvl_sketchy_source(doc, source);

    return !s ? 0 : s->kind == LVL_SOURCE_MEMBER ? s->member.packed.len : s->text.len;
}

/* ---- drawings ---------------------------------------------------------------------------------------- */

static void info_embeds(const lvl_sketchy *d, lvl_info *info)
{
    if (d->save_doodads)
        lvl_info_string(info, "embeds", "embeds", "%s",
                        d->save_builtins ? "all doodads, when the game saves it"
                                         : "custom doodads, when the game saves it");
}

static void info_doodad(const lvl_sketchy *d, lvl_info *info)
{
    if (d->size.width || d->size.height)
        lvl_info_string(info, "size", "size", "%lld x %lld px", (long long)d->size.width,
                        (long long)d->size.height);
    lvl_info_string(info, "hitbox", "hitbox", "%lld x %lld px at %lld,%lld", (long long)d->hitbox.width,
                    (long long)d->hitbox.height, (long long)d->hitbox.x, (long long)d->hitbox.y);
    lvl_info_int(info, "script_size", d->script.len ? "script" : NULL, (int64_t)d->script.len, "bytes");
}

/* The sizes of its parts in the file, or in a gzip's text. */
static void info_bytes(const lvl_doc *doc, lvl_info *info)
{
    const lvl_sketchy *d = doc->root;
    uint64_t pixels = 0, files = 0;

    for (uint32_t i = 0; i < d->layer_count; i++) {
        for (uint32_t k = 0; k < d->layers[i].chunk_count; k++)
            pixels += stored_size(doc, d->layers[i].chunks[k].source);
    }
    for (uint32_t i = 0; i < d->file_count; i++)
        files += stored_size(doc, d->files[i].source);
    lvl_info_open(info, "stored", "stored", false);
    lvl_info_int(info, "pixels", "pixels", (int64_t)pixels, "bytes");
    lvl_info_int(info, "files", files ? "files" : NULL, (int64_t)files, "bytes");
    lvl_info_close(info);
}

struct info_request {
    const lvl_doc *doc;
    const lvl_art *art;
    counts counts;
    lvl_status status;
};

/* What is computed from fields, after them or in their place. */
static bool info_computed(lvl_info *info, const lvl_table *table, const void *record, const lvl_field *field,
                          void *user)
{
    struct info_request *r = user;
    const lvl_sketchy *d = r->doc->root;

    if (table == &lvl_sketchy_swatch_table && field->offset == offsetof(lvl_sketchy_swatch, solid))
        info_swatch(d, record, &r->counts, info);
    if (table != &lvl_sketchy_table)
        return false;
    switch (field->offset) {
    case offsetof(lvl_sketchy, generation):
        lvl_info_field(info, d, field);
        lvl_sketchy_info_programs(d, info);
        return true;
    case offsetof(lvl_sketchy, bounded_width):
        if (d->page_type == LVL_SKETCHY_BOUNDED || d->page_type == LVL_SKETCHY_BORDERED)
            lvl_info_string(info, "bounds", "bounds", "%lld x %lld px", (long long)d->bounded_width,
                            (long long)d->bounded_height);
        return false;
    case offsetof(lvl_sketchy, wallpaper):
        if (!d->wallpaper.len)
            lvl_info_string(info, "wallpaper", field->summary.label, "notebook.png");
        return !d->wallpaper.len;
    case offsetof(lvl_sketchy, signature): info_embeds(d, info); return false;
    case offsetof(lvl_sketchy, tags): info_doodad(d, info); return false;
    case offsetof(lvl_sketchy, actors):
        lvl_info_field(info, d, field);
        r->status = info_actors(d, info, r->art);
        return true;
    case offsetof(lvl_sketchy, layers):
        info_chunks(d, &r->counts, info);
        lvl_info_field(info, d, field);
        info_layers(d, &r->counts, info);
        return true;
    default: return false;
    }
}

lvl_status lvl_sketchy_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art)
{
    const lvl_sketchy *d = doc->root;
    struct info_request r = {.doc = doc, .art = art};

    r.status = lvl_info_wants_counts(info) ? count_pixels(doc, &r.counts) : LVL_OK;
    if (r.status == LVL_OK) {
        lvl_info_headline(info, d->kind == LVL_SKETCHY_DOODAD ? "Sketchy Maze doodad" : "Sketchy Maze level");
        lvl_info_fields(info, &lvl_sketchy_table, d, info_computed, &r);
        info_bytes(doc, info);
    }
    free_counts(&r.counts);
    return r.status;
}

/* ---- packs ------------------------------------------------------------------------------------------- */

/* Levels in the pack that the index does not have: they can't be played. */
static void info_unlisted(const lvl_names *there, const lvl_names *listed, lvl_info *info)
{
    bool any = false;

    for (uint32_t i = 0; i < there->count; i++)
        any = any || !lvl_names_has(listed, there->list[i].name);
    lvl_info_open(info, "unlisted", any ? "not in the index" : NULL, true);
    for (uint32_t i = 0; i < there->count; i++) {
        if (lvl_names_has(listed, there->list[i].name))
            continue;
        lvl_info_open(info, NULL, "", false);
        lvl_info_text(info, "filename", "", there->list[i].name);
        lvl_info_close(info);
    }
    lvl_info_close(info);
}

/* Counts the px of a level; -1: it can't be read. */
static lvl_status count_level(const lvl_doc *doc, const lvl_sketchy_file *file, int64_t *out)
{
    lvl_buffer storage = {0};
    counts n = {0};
    lvl_doc *level;

    lvl_status status = lvl_sketchy_open_file(doc, file, &storage, NULL, &level);
    if (status == LVL_OK)
        status = count_pixels(level, &n);
    *out = status == LVL_OK ? (int64_t)n.total : -1;
    free_counts(&n);
    lvl_doc_free(level);
    lvl_buffer_free(&storage);
    return status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT ? status : LVL_OK;
}

/* Counts the px of each file in `there`, by index; freed by the caller. */
static lvl_status count_levels(const lvl_doc *doc, const lvl_names *there, int64_t **out, int64_t *total)
{
    const lvl_levelpack *p = doc->root;
    lvl_status status = LVL_OK;

    *out = malloc(((size_t)p->file_count + 1) * sizeof **out);
    if (!*out)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < there->count && status == LVL_OK; i++) {
        const uint32_t file = there->list[i].index;
        status = count_level(doc, &p->files[file], &(*out)[file]);
        *total += status == LVL_OK && (*out)[file] > 0 ? (*out)[file] : 0;
    }
    return status;
}

struct pack_request {
    lvl_names there, doodads, listed;
    int64_t *pixels, total; /* pixels: NULL, or of each file, by index */
};

static void info_listed(const lvl_levelpack_level *level, const struct pack_request *r, lvl_info *info)
{
    const uint32_t at = lvl_names_find(&r->there, level->filename);

    if (at == r->there.count)
        lvl_info_string(info, "missing", "", "not in the pack");
    else if (r->pixels && r->pixels[r->there.list[at].index] >= 0)
        lvl_info_int(info, "pixels", "", r->pixels[r->there.list[at].index], "px");
}

/* What the pack has of its index, after its fields. */
static bool info_in_pack(lvl_info *info, const lvl_table *table, const void *record, const lvl_field *field,
                         void *user)
{
    const struct pack_request *r = user;

    if (table == &lvl_levelpack_level_table && field->offset == offsetof(lvl_levelpack_level, author)) {
        lvl_info_field(info, record, field);
        info_listed(record, r, info);
        return true;
    }
    if (table == &lvl_levelpack_table && field->offset == offsetof(lvl_levelpack, files)) {
        if (r->pixels)
            lvl_info_int(info, "pixel_count", "pixels", r->total, NULL);
        info_unlisted(&r->there, &r->listed, info);
        lvl_info_int(info, "doodad_count", r->doodads.count ? "doodads" : NULL, r->doodads.count, NULL);
    }
    return false;
}

lvl_status lvl_levelpack_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art)
{
    const lvl_levelpack *p = doc->root;
    struct pack_request r = {.pixels = NULL};

    (void)art;
    lvl_status status = lvl_names_below(&r.there, p->files, p->file_count, LVL_PACK_LEVELS);
    if (status == LVL_OK)
        status = lvl_names_below(&r.doodads, p->files, p->file_count, LVL_PACK_DOODADS);
    if (status == LVL_OK)
        status = lvl_names_of(&r.listed, p->levels, p->level_count, sizeof *p->levels,
                              offsetof(lvl_levelpack_level, filename));
    if (status == LVL_OK && lvl_info_wants_counts(info))
        status = count_levels(doc, &r.there, &r.pixels, &r.total);
    if (status == LVL_OK) {
        lvl_info_headline(info, "Sketchy Maze pack of levels");
        lvl_info_fields(info, &lvl_levelpack_table, p, info_in_pack, &r);
    }
    lvl_names_free(&r.there);
    lvl_names_free(&r.doodads);
    lvl_names_free(&r.listed);
    free(r.pixels);
    return status;
}
