/*
 * sketchy/check/parts.c: the rules of palettes, actors, options and attached files.
 */
#include "sketchy/check/check.h"

#include "base/text.h"
#include "codec/tokens.h"
#include "games/book.h"
#include "sketchy/zip/members.h"
#include "sketchy/model/member_names.h"
#include "sketchy/chunks/paint.h"
#include "sketchy/look/pictures.h"
#include "scene/art.h"

#include <lvl/scene.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = LVL_SKETCHY_SHOWN };

static lvl_where item_member(size_t list, uint32_t index, const lvl_table *table, size_t member)
{
    return lvl_where_to(lvl_sketchy_item(list, index), lvl_table_at(table, member), LVL_NO_INDEX);
}

/* ---- palette ----------------------------------------------------------------------------------------- */

static void check_color(const lvl_sketchy_checker *c, uint32_t index)
{
    const lvl_where where = item_member(offsetof(lvl_sketchy, swatches), index, &lvl_sketchy_swatch_table,
                                        offsetof(lvl_sketchy_swatch, color));
    const lvl_text color = c->d->swatches[index].color;
    const size_t digits = color.len - (color.len && color.ptr[0] == '#');
    char shown[SHOWN];
    uint8_t rgba[4];

    lvl_sketchy_show(shown, color);
    if (!lvl_sketchy_color(color, rgba))
        lvl_sketchy_report(c->findings, LVL_SKETCHY_F_COLOR, &where,
                           "\"%s\" is not a colour such as #ff8000: the game %s", shown,
                           digits == 3 ? "crashes" : "does not load the file");
    else if (rgba[3] != 255)
        lvl_sketchy_report(c->findings, LVL_SKETCHY_F_ALPHA, &where,
                           "\"%s\" has an alpha, which the game drops on saving", shown);
}

bool lvl_sketchy_same_swatch(const lvl_sketchy_swatch *a, const lvl_sketchy_swatch *b)
{
    lvl_sketchy_swatch other = *b;
    uint8_t x[4], y[4];

    if (lvl_sketchy_color(a->color, x) && lvl_sketchy_color(b->color, y) && !memcmp(x, y, sizeof x))
        other.color = a->color; /* however it is spelled */
    return lvl_record_equal(a, &other, &lvl_sketchy_swatch_table);
}

uint32_t lvl_sketchy_first_swatch(const lvl_sketchy *d, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++) {
        if (lvl_sketchy_same_swatch(&d->swatches[i], &d->swatches[index]))
            return i;
    }
    return index;
}

static void check_pattern(const lvl_sketchy_checker *c, uint32_t index)
{
    const lvl_text pattern = c->d->swatches[index].pattern;
    char shown[SHOWN];

    if (!pattern.len || lvl_paint_is_pattern(pattern))
        return;
    const lvl_where where = item_member(offsetof(lvl_sketchy, swatches), index, &lvl_sketchy_swatch_table,
                                        offsetof(lvl_sketchy_swatch, pattern));
    lvl_sketchy_report(c->findings, LVL_SKETCHY_F_PATTERN, &where,
                       "\"%s\" is not a pattern of the game: it draws the plain colour",
                       lvl_sketchy_show(shown, pattern));
}

/* Whether the swatch has exactly that flag ('s'olid, 'f'ire, 'w'ater), or none for 0. */
static bool swatch_behaves(const lvl_sketchy_swatch *s, char how)
{
    return !s->semisolid && !s->slippery && s->solid == (how == 's') && s->fire == (how == 'f') &&
           s->water == (how == 'w');
}

/* Whether the swatches have exactly the flags of the default palette. */
static bool all_inherited(const lvl_sketchy *d)
{
    static const char defaults[] = {'s', 0, 'f', 'w'};

    for (uint32_t i = 0; i < d->swatch_count; i++) {
        if (!swatch_behaves(&d->swatches[i], i < 4 ? defaults[i] : 0))
            return false;
    }
    return d->swatch_count > 2;
}

/* The game reads a zipped doodad into a drawing that has the default palette, whose swatches are solid,
 * plain, fire and water. */
static void check_inherited(const lvl_sketchy_checker *c)
{
    const lvl_sketchy *d = c->d;

    if (d->kind == LVL_SKETCHY_DOODAD && d->generation >= LVL_SKETCHY_V3 && all_inherited(d)) {
        const lvl_where all = lvl_sketchy_at(offsetof(lvl_sketchy, swatches));
        lvl_sketchy_report(
            c->findings, LVL_SKETCHY_F_INHERITED, &all,
            "of %lu swatches the first is solid, the third fire, the fourth water, and no other has a flag",
            (unsigned long)d->swatch_count);
    }
}

static void check_palette(const lvl_sketchy_checker *c)
{
    enum { REFUSED = LVL_SKETCHY_COLORS + 2 };
    const lvl_sketchy *d = c->d;
    const lvl_where all = lvl_sketchy_item(offsetof(lvl_sketchy, swatches), LVL_NO_INDEX);

    if (d->swatch_count > LVL_SKETCHY_COLORS)
        lvl_sketchy_report(c->findings,
                           d->swatch_count >= REFUSED ? LVL_SKETCHY_F_COLORS : LVL_SKETCHY_F_COLORS_EDGE,
                           &all, "%lu swatches: the game refuses the 258th", (unsigned long)d->swatch_count);
    for (uint32_t i = 0; i < d->swatch_count && i < 4 * LVL_SKETCHY_COLORS; i++) {
        const lvl_where where = lvl_sketchy_item(offsetof(lvl_sketchy, swatches), i);
        const uint32_t first = lvl_sketchy_first_swatch(d, i);
        char shown[SHOWN];
        check_color(c, i);
        check_pattern(c, i);
        if (first != i)
            lvl_sketchy_report(c->findings, LVL_SKETCHY_F_SWATCH_DOUBLE, &where,
                               "\"%s\" is the same as number %lu",
                               lvl_sketchy_show(shown, d->swatches[i].name), (unsigned long)first);
    }
    check_inherited(c);
}

/* ---- actors ------------------------------------------------------------------------------------------ */

/* Whether the game itself has that doodad. */
static bool is_own(lvl_text filename)
{
    return lvl_book_find(&lvl_book_sketchy, filename) != NULL;
}

/* Whether messages go from the other doodad to this one only. */
static bool only_receives(lvl_text filename, lvl_text other)
{
    const lvl_book *book = &lvl_book_sketchy;
    const lvl_book_thing *a = lvl_book_find(book, filename), *b = lvl_book_find(book, other);

    if (!a || !b)
        return false;
    const lvl_book_doodad *to = &book->doodads[a - book->things], *from = &book->doodads[b - book->things];
    return (from->sends & to->receives) && !(to->sends & from->receives);
}

static void check_links(const lvl_sketchy_checker *c, const lvl_names *ids, uint32_t index)
{
    enum { LOOKED_AT = 4096 }; /* of another actor's links; with more, a link back is assumed */
    const lvl_sketchy_actor *a = &c->d->actors[index];

    for (uint32_t k = 0; k < a->link_count; k++) {
        const uint32_t other = lvl_names_last(ids, a->links[k]);
        const lvl_where where = lvl_where_to(lvl_sketchy_item(offsetof(lvl_sketchy, actors), index),
                                             LVL_FIELD(lvl_sketchy_actor, links), k);
        char shown[SHOWN];
        bool back = false;
        if (other == LVL_NO_INDEX) {
            lvl_sketchy_report(
                c->findings, LVL_SKETCHY_F_LINK_LOST, &where,
                "there is no actor %s, so nothing happens over this link; the game removes it on saving",
                lvl_sketchy_show(shown, a->links[k]));
            continue;
        }
        const lvl_sketchy_actor *b = &c->d->actors[other];
        for (uint32_t n = 0; n < b->link_count && !back; n++)
            back = n >= LOOKED_AT || lvl_text_equal(b->links[n], a->id);
        if (!back)
            lvl_sketchy_report(c->findings, LVL_SKETCHY_F_LINK_ONE_WAY, &where, "%s has no link back, %s",
                               lvl_sketchy_show(shown, b->id),
                               only_receives(a->filename, b->filename)
                                   ? "so nothing that it sends arrives here"
                                   : "which the game accepts");
    }
}

static bool is_whole(lvl_text text)
{
    const lvl_token token = {LVL_TOKEN_NUMBER, text, false, 0};
    int64_t value;

    return lvl_token_int(&token, &value);
}

static void check_options(const lvl_sketchy_checker *c, const lvl_sketchy_option *options, uint32_t count,
                          lvl_where list)
{
    for (uint32_t k = 0; k < count; k++) {
        const lvl_sketchy_option *o = &options[k];
        const lvl_where where = lvl_where_to(list, list.steps[list.depth - 1].field, k);
        char name[SHOWN], value[SHOWN];
        const bool fits = o->type == LVL_SKETCHY_BOOL
                              ? lvl_text_is(o->value, "true") || lvl_text_is(o->value, "false")
                          : o->type == LVL_SKETCHY_INT ? is_whole(o->value)
                                                       : true;
        if (!fits)
            lvl_sketchy_report(c->findings, LVL_SKETCHY_F_OPTION, &where,
                               "\"%s\" is \"%s\", which is not of its type%s",
                               lvl_sketchy_show(name, o->name), lvl_sketchy_show(value, o->value),
                               o->type == LVL_SKETCHY_BOOL
                                   ? ": the game's editor may crash when it shows the actor's options"
                                   : "");
    }
}

static bool is_embedded(const lvl_sketchy *d, const char *folder, lvl_text name)
{
    enum { LOOKED_AT = 4096 }; /* no level has as many */

    for (uint32_t i = 0; i < d->file_count && i < LOOKED_AT; i++) {
        if (lvl_text_equal(lvl_path_below(d->files[i].path, folder), name) ||
            lvl_text_equal(d->files[i].path, name))
            return true;
    }
    return false;
}

static bool art_has(const struct lvl_art *art, lvl_text name)
{
    char path[256];

    if (!name.len || name.len >= sizeof path || memchr(name.ptr, 0, name.len))
        return false;
    memcpy(path, name.ptr, name.len);
    path[name.len] = 0;
    return lvl_art_find_name(art, path) != NULL;
}

/* Reports doodads that neither the game nor the level nor the art has. Art without any of the level's doodads
 * is for another game. */
static void check_doodads(const lvl_sketchy_checker *c)
{
    const lvl_sketchy *d = c->d;
    uint8_t *lost = c->art && d->actor_count ? calloc(d->actor_count, 1) : NULL;
    uint32_t found = 0, absent = 0;

    if (!lost)
        return;
    for (uint32_t i = 0; i < d->actor_count; i++) {
        const lvl_text name = d->actors[i].filename;
        if (i && lvl_text_equal(name, d->actors[i - 1].filename)) {
            lost[i] = lost[i - 1];
            continue;
        }
        if (!name.len)
            continue;
        if (lvl_sketchy_doodad_in_art(c->art, name))
            found++;
        else
            lost[i] = !is_own(name) && !is_embedded(d, LVL_EMBEDDED_DOODADS, name);
        absent += lost[i];
    }
    if (absent && !found)
        lvl_findings_add(c->findings, &lvl_doc_art_absent, NULL, NULL, "doodads");
    for (uint32_t i = 0; i < d->actor_count && found; i++) {
        const lvl_where where = item_member(offsetof(lvl_sketchy, actors), i, &lvl_sketchy_actor_table,
                                            offsetof(lvl_sketchy_actor, filename));
        char shown[SHOWN];
        if (lost[i])
            lvl_sketchy_report(c->findings, LVL_SKETCHY_F_NO_DOODAD, &where,
                               "%s was not found: the actor is missing in the game",
                               lvl_sketchy_show(shown, d->actors[i].filename));
    }
    free(lost);
}

static lvl_status check_actors(const lvl_sketchy_checker *c)
{
    const lvl_sketchy *d = c->d;
    lvl_names ids;
    const lvl_status status =
        lvl_names_of(&ids, d->actors, d->actor_count, sizeof *d->actors, offsetof(lvl_sketchy_actor, id));

    for (uint32_t i = 0; i < d->actor_count && status == LVL_OK; i++) {
        const lvl_sketchy_actor *a = &d->actors[i];
        const lvl_where where = lvl_sketchy_item(offsetof(lvl_sketchy, actors), i);
        char shown[SHOWN];
        if (!a->id.len)
            lvl_sketchy_report(c->findings, LVL_SKETCHY_F_ACTOR_NAMELESS, &where,
                               "%s has no id, so nothing can be linked to it",
                               lvl_sketchy_show(shown, a->filename));
        if (lvl_names_last(&ids, a->id) != i)
            lvl_sketchy_report(c->findings, LVL_SKETCHY_F_ACTOR_DOUBLE, &where,
                               "another actor has the id %s, too: the game shows only that one",
                               lvl_sketchy_show(shown, a->id));
        check_links(c, &ids, i);
        check_options(c, a->options, a->option_count,
                      item_member(offsetof(lvl_sketchy, actors), i, &lvl_sketchy_actor_table,
                                  offsetof(lvl_sketchy_actor, options)));
    }
    lvl_names_free(&ids);
    check_doodads(c);
    return status;
}

/* ---- the page ---------------------------------------------------------------------------------------- */

static void check_wallpaper(const lvl_sketchy_checker *c)
{
    static const char *const known[] = {"atmosphere.png",      "blue-notebook.png",   "blue-parchment.png",
                                        "blueprint.png",       "dots-dark.png",       "dots.png",
                                        "graph.png",           "green-parchment.png", "legal.png",
                                        "notebook.png",        "red-parchment.png",   "white.png",
                                        "white-parchment.png", "yellow-parchment.png"};
    const lvl_where where = lvl_sketchy_at(offsetof(lvl_sketchy, wallpaper));
    const lvl_text name = c->d->wallpaper;
    char shown[SHOWN];

    if (!name.len || is_embedded(c->d, "assets/wallpapers/", name))
        return;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (lvl_text_is(name, known[i]))
            return;
    }
    if (!c->art || !art_has(c->art, name))
        lvl_sketchy_report(
            c->findings, LVL_SKETCHY_F_WALLPAPER, &where,
            "\"%s\" was not found: the game shows its notebook paper, and a screenshot may crash it",
            lvl_sketchy_show(shown, name));
}

static void check_level(const lvl_sketchy_checker *c)
{
    const lvl_sketchy *d = c->d;
    const lvl_where page = lvl_sketchy_at(offsetof(lvl_sketchy, page_type)),
                    difficulty = lvl_sketchy_at(offsetof(lvl_sketchy, difficulty));

    check_wallpaper(c);
    if (d->page_type < LVL_SKETCHY_UNBOUNDED || d->page_type > LVL_SKETCHY_BORDERED)
        lvl_sketchy_report(c->findings, LVL_SKETCHY_F_VALUE, &page,
                           "page type %lld, which the game does not know; expected 0 to 3",
                           (long long)d->page_type);
    if (d->difficulty < -1 || d->difficulty > 1)
        lvl_sketchy_report(c->findings, LVL_SKETCHY_F_DIFFICULTY, &difficulty,
                           "difficulty %lld, which the game does not know: it crashes where it shows the "
                           "difficulty; expected -1 to 1",
                           (long long)d->difficulty);
}

/* ---- files ------------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const lvl_sort_key *x = a, *y = b;
    const int d = lvl_text_compare_nocase(x->name, y->name);

    return d ? d : (x->index > y->index) - (x->index < y->index);
}

/* Names that lead out, and those that differ only in case. LVL_ERR_MEMORY. */
static lvl_status check_names(const lvl_sketchy_file *files, uint32_t count, const lvl_field *field,
                              lvl_findings *findings)
{
    lvl_sort_key *list = malloc(((size_t)count + 1) * sizeof *list);
    char shown[SHOWN], other[SHOWN];

    if (!list)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        const lvl_where where = lvl_where_to(lvl_where_root(), field, i);
        list[i] = (lvl_sort_key){files[i].path, i};
        if (lvl_sketchy_leads_out(files[i].path))
            lvl_sketchy_report(findings, LVL_SKETCHY_F_NAME_OUT, &where,
                               "\"%s\" leads out of the archive: other programs may write the file there",
                               lvl_sketchy_show(shown, files[i].path));
    }
    qsort(list, count, sizeof *list, by_name);
    for (uint32_t i = 1; i < count; i++) {
        const lvl_where where = lvl_where_to(lvl_where_root(), field, list[i].index);
        if (lvl_text_equal_nocase(list[i].name, list[i - 1].name) &&
            !lvl_text_equal(list[i].name, list[i - 1].name))
            lvl_sketchy_report(findings, LVL_SKETCHY_F_NAME_CASE, &where,
                               "\"%s\" and \"%s\" are one name on Windows and macOS",
                               lvl_sketchy_show(other, list[i - 1].name),
                               lvl_sketchy_show(shown, list[i].name));
    }
    free(list);
    return LVL_OK;
}

lvl_status lvl_sketchy_check_files(const lvl_doc *doc, const lvl_sketchy_file *files, uint32_t count,
                                   const lvl_field *field, lvl_findings *findings)
{
    lvl_status status = check_names(files, count, field, findings);
    lvl_buffer storage = {0};

    for (uint32_t i = 0; i < count && status == LVL_OK; i++) {
        const lvl_where where = lvl_where_to(lvl_where_root(), field, i);
        const lvl_source *source = lvl_sketchy_source(doc, files[i].source);
        char shown[SHOWN];
        lvl_bytes bytes;
        bool sound = true;
        if (files[i].data.ptr || !source)
            continue;
        status = lvl_sketchy_source_bytes(doc, source, &storage, &bytes, &sound);
        if (status == LVL_ERR_MEMORY || status == LVL_ERR_LIMIT)
            break;
        lvl_findings_set_member(findings, files[i].path);
        if (status != LVL_OK || !sound)
            lvl_sketchy_report(findings, LVL_SKETCHY_F_FILE_BAD, &where, "\"%s\": %s",
                               lvl_sketchy_show(shown, files[i].path),
                               source->kind == LVL_SOURCE_MEMBER
                                   ? "its compressed data is broken: the game cannot show it"
                                   : "it is not base64: the game cannot show it");
        lvl_findings_set_member(findings, (lvl_text){NULL, 0});
        status = LVL_OK;
    }
    lvl_buffer_free(&storage);
    return status;
}

/* Reports members of the zip that the game doesn't know. */
static void check_unknown_files(const lvl_sketchy_checker *c)
{
    const lvl_sketchy *d = c->d;

    for (uint32_t i = 0; d->generation >= LVL_SKETCHY_V3 && i < d->file_count; i++) {
        const lvl_text path = d->files[i].path;
        const lvl_where where = lvl_sketchy_item(offsetof(lvl_sketchy, files), i);
        char shown[SHOWN];
        uint32_t layer;
        lvl_text key;
        int32_t x, y;
        bool binary;
        if (lvl_text_begins(path, "assets/"))
            continue;
        const int kind = lvl_sketchy_name_kind(path, d->layer_count, &layer, &x, &y, &binary);
        const unsigned what = kind == LVL_NAME_CHUNK      ? LVL_SKETCHY_F_CHUNK_DOUBLE
                              : kind == LVL_NAME_NO_CHUNK ? LVL_SKETCHY_F_CHUNK_NAME
                              : kind == LVL_NAME_ALIAS    ? LVL_SKETCHY_F_CHUNK_ALIAS
                              : lvl_sketchy_chunk_name(path, &layer, &key, &binary)
                                  ? LVL_SKETCHY_F_CHUNK_LAYER
                                  : LVL_SKETCHY_F_STRANGER;
        lvl_findings_set_member(c->findings, path);
        lvl_sketchy_report(c->findings, what, &where, "\"%s\": %s", lvl_sketchy_show(shown, path),
                           what == LVL_SKETCHY_F_CHUNK_NAME    ? "the game cannot save a file with this name"
                           : what == LVL_SKETCHY_F_CHUNK_ALIAS ? "the game does not find it"
                           : what == LVL_SKETCHY_F_CHUNK_DOUBLE
                               ? "the chunk is there in two forms, and the game drops this one on saving"
                               : "the game does not use it, and drops it on saving");
    }
    lvl_findings_set_member(c->findings, (lvl_text){NULL, 0});
}

/* Reports chunks whose members the game doesn't look for. */
static void check_keys(const lvl_sketchy_checker *c)
{
    for (uint32_t i = 0; c->d->generation >= LVL_SKETCHY_V3 && i < c->d->layer_count; i++) {
        const lvl_sketchy_layer *layer = &c->d->layers[i];
        for (uint32_t k = 0; k < layer->chunk_count; k++) {
            const lvl_source *s = lvl_sketchy_source(c->doc, layer->chunks[k].source);
            const lvl_where where = lvl_sketchy_chunk_at(i, k);
            char key[32], shown[SHOWN];
            if (s && s->kind == LVL_SOURCE_MEMBER &&
                !lvl_text_equal(layer->chunks[k].key, lvl_sketchy_plain_key(key, s->x, s->y)))
                lvl_sketchy_report(
                    c->findings, LVL_SKETCHY_F_CHUNK_ALIAS, &where,
                    "\"%s\", but the game looks for \"%s\": it does not show this part of the picture",
                    lvl_sketchy_show(shown, s->member.name), key);
        }
    }
}

/* ---- all parts --------------------------------------------------------------------------------------- */

lvl_status lvl_sketchy_check_parts(const lvl_sketchy_checker *c)
{
    const lvl_sketchy *d = c->d;

    check_palette(c);
    if (d->kind == LVL_SKETCHY_LEVEL)
        check_level(c);
    else
        check_options(c, d->options, d->option_count, lvl_sketchy_at(offsetof(lvl_sketchy, options)));
    check_unknown_files(c);
    check_keys(c);
    if (d->generation < LVL_SKETCHY_V3 && d->file_count) {
        const lvl_where files = lvl_sketchy_at(offsetof(lvl_sketchy, files));
        lvl_sketchy_report(c->findings, LVL_SKETCHY_F_FILE_DROPPED, &files,
                           d->file_count == 1 ? "%lu file" : "%lu files", (unsigned long)d->file_count);
    }
    const lvl_status status = d->kind == LVL_SKETCHY_LEVEL ? check_actors(c) : LVL_OK;
    return status == LVL_OK ? lvl_sketchy_check_files(c->doc, d->files, d->file_count,
                                                      LVL_FIELD(lvl_sketchy, files), c->findings)
                            : status;
}
