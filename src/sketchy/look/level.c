/*
 * sketchy/look/level.c: makes a level of a level of another game: see render/convert_scene.c.
 *
 * Facts of the game: flags are 86 px wide and high, and touching the middle of one (from 38 to 59 px) reaches
 * it; a doodad that the start flag is linked to becomes the player. If the other game is seen from above the
 * player is a bird, since birds do not fall.
 */
#include "sketchy/look/level.h"

#include "base/text.h"
#include "sketchy/text/source.h"
#include "sketchy/drawing/convert.h"

#include <stdio.h>
#include <string.h>

enum { FLAG = 86, FLAG_MIDDLE_X = 48, FLAG_MIDDLE_Y = 51, BIRD_WIDTH = 46, BIRD_HEIGHT = 35 };

typedef struct page {
    lvl_doc *doc;
    uint32_t width;
    uint8_t **grids; /* of the current row of chunks; NULL: an empty chunk */
    uint32_t columns;
} page;

/* ---- pixels ------------------------------------------------------------------------------------------ */

static lvl_status take_row(void *user, uint32_t y, const uint16_t *indices)
{
    enum { SIZE = LVL_SKETCHY_CHUNK_SIZE };
    const lvl_field *list = LVL_FIELD(lvl_sketchy_layer, chunks);
    page *p = user;
    lvl_sketchy_layer *layer = ((lvl_sketchy *)p->doc->root)->layers;

    if (y % SIZE == 0)
        memset(p->grids, 0, p->columns * sizeof *p->grids);
    for (uint32_t x = 0; x < p->width; x++) {
        const uint32_t cx = x / SIZE;
        if (indices[x] == LVL_LEVEL_NOTHING)
            continue;
        if (!p->grids[cx]) {
            lvl_status status = lvl_list_insert(p->doc, layer, list, layer->chunk_count, 1);
            if (status == LVL_OK)
                status = lvl_sketchy_make_chunk(p->doc, SIZE, (int32_t)cx, (int32_t)(y / SIZE),
                                                &layer->chunks[layer->chunk_count - 1], &p->grids[cx]);
            if (status != LVL_OK)
                return status;
        }
        uint8_t *cell = p->grids[cx] + ((size_t)(y % SIZE) * SIZE + x % SIZE) * 2;
        cell[0] = (uint8_t)indices[x];
        cell[1] = (uint8_t)(indices[x] >> 8);
    }
    return LVL_OK;
}

static lvl_status put_swatches(lvl_doc *doc, const lvl_level_picture *picture)
{
    static const char *const names[LVL_LOOK_COUNT] = {[LVL_LOOK_SOLID] = "solid ",
                                                      [LVL_LOOK_GROUND] = "semisolid ",
                                                      [LVL_LOOK_DEATH] = "fire ",
                                                      [LVL_LOOK_WATER] = "water "};
    lvl_sketchy *d = doc->root;
    char name[32];

    d->swatches = lvl_arena_array(&doc->arena, (size_t)picture->color_count + 1, sizeof *d->swatches);
    if (!d->swatches)
        return LVL_ERR_MEMORY;
    for (uint32_t i = 0; i < picture->color_count; i++) {
        const lvl_level_color *c = &picture->colors[i];
        lvl_sketchy_swatch *s = &d->swatches[d->swatch_count++];
        const int n = snprintf(name, sizeof name, "%s#%02x%02x%02x", names[c->look] ? names[c->look] : "",
                               c->rgb[0], c->rgb[1], c->rgb[2]);
        s->name = lvl_doc_text(doc, lvl_text_of(name));
        if (!s->name.ptr)
            return LVL_ERR_MEMORY;
        s->color = (lvl_text){s->name.ptr + (n - 7), 7};
        s->solid = c->look == LVL_LOOK_SOLID;
        s->semisolid = c->look == LVL_LOOK_GROUND;
        s->fire = c->look == LVL_LOOK_DEATH;
        s->water = c->look == LVL_LOOK_WATER;
    }
    return LVL_OK;
}

/* ---- actors ------------------------------------------------------------------------------------------ */

static int64_t clamp_start(int64_t v, int64_t size, int64_t most)
{
    return v > most - size ? (most > size ? most - size : 0) : v < 0 ? 0 : v;
}

static lvl_sketchy_actor *add_actor(lvl_doc *doc, const char *filename, int64_t x, int64_t y)
{
    lvl_sketchy *d = doc->root;
    lvl_sketchy_actor *a = lvl_sketchy_add_actor(doc, d);
    char id[48];

    if (!a)
        return NULL;
    /* UUIDs of version 8 may be counted, so the same level gives the same file */
    snprintf(id, sizeof id, "00000000-0000-8000-8000-%012lx", (unsigned long)d->actor_count);
    a->id = lvl_doc_text(doc, lvl_text_of(id));
    a->filename = lvl_text_of(filename);
    a->point = (lvl_sketchy_point){x, y};
    return a->id.ptr ? a : NULL;
}

static lvl_status link_player(lvl_doc *doc, uint32_t flag, uint32_t player)
{
    lvl_sketchy *d = doc->root;
    lvl_text *links = lvl_arena_array(&doc->arena, 2, sizeof *links);

    if (!links)
        return LVL_ERR_MEMORY;
    links[0] = d->actors[player].id;
    links[1] = d->actors[flag].id;
    d->actors[flag].links = &links[0];
    d->actors[player].links = &links[1];
    d->actors[flag].link_count = d->actors[player].link_count = 1;
    return LVL_OK;
}

static lvl_status put_actors(lvl_doc *doc, const lvl_level_picture *picture)
{
    const bool above = picture->scene->from_above;
    lvl_sketchy *d = doc->root;
    lvl_status status = LVL_OK;

    for (uint32_t i = 0; i < picture->mark_count && status == LVL_OK; i++) {
        const lvl_level_mark *m = &picture->marks[i];
        const int64_t x = clamp_start(m->x - FLAG_MIDDLE_X, FLAG, picture->width);
        const int64_t y = clamp_start(m->y - (above ? FLAG_MIDDLE_Y : FLAG), FLAG, picture->height);
        const bool start = m->kind == LVL_THING_START;
        const uint32_t at = d->actor_count;
        if (!add_actor(doc,
                       start                       ? "start-flag.doodad"
                       : m->kind == LVL_THING_EXIT ? "exit-flag.doodad"
                                                   : "checkpoint-flag.doodad",
                       x, y))
            return LVL_ERR_MEMORY;
        if (!start)
            continue;
        d->scroll = (lvl_sketchy_point){-clamp_start(m->x - 640, 1280, picture->width),
                                        -clamp_start(m->y - 360, 720, picture->height)};
        if (!above)
            continue;
        if (!add_actor(doc, "bird-red.doodad", clamp_start(m->x - BIRD_WIDTH / 2, BIRD_WIDTH, picture->width),
                       clamp_start(m->y - BIRD_HEIGHT / 2, BIRD_HEIGHT, picture->height)))
            return LVL_ERR_MEMORY;
        status = link_player(doc, at, at + 1);
    }
    return status;
}

/* ---- all of it --------------------------------------------------------------------------------------- */

static lvl_status put_title(lvl_doc *doc, const lvl_level_picture *picture)
{
    lvl_sketchy *d = doc->root;
    lvl_buffer title = {0};

    lvl_text_to_utf8(&title, picture->scene->codepage, picture->scene->title);
    d->title =
        lvl_doc_text(doc, title.len ? (lvl_text){(const char *)title.data, title.len} : picture->title);
    const lvl_status status = title.status;
    lvl_buffer_free(&title);
    return status == LVL_OK && !d->title.ptr && (picture->title.len || picture->scene->title.len)
               ? LVL_ERR_MEMORY
               : status;
}

lvl_status lvl_sketchy_draw_level(lvl_doc *doc, lvl_level_picture *picture, lvl_findings *losses)
{
    const uint32_t columns = (picture->width + LVL_SKETCHY_CHUNK_SIZE - 1) / LVL_SKETCHY_CHUNK_SIZE;
    page p = {.doc = doc, .width = picture->width, .columns = columns};
    lvl_sketchy *d = doc->root;

    (void)losses;
    d->kind = LVL_SKETCHY_LEVEL;
    d->generation = LVL_SKETCHY_V3_1;
    d->version = 1;
    d->page_type = LVL_SKETCHY_BOUNDED;
    d->bounded_width = picture->width;
    d->bounded_height = picture->height;
    lvl_status status = put_title(doc, picture);
    if (status == LVL_OK)
        status = put_swatches(doc, picture);
    if (status == LVL_OK)
        status = put_actors(doc, picture);
    if (status == LVL_OK)
        status = lvl_list_insert(doc, d, LVL_FIELD(lvl_sketchy, layers), 0, 1);
    p.grids = lvl_arena_array(&doc->arena, columns, sizeof *p.grids);
    if (status == LVL_OK && !p.grids)
        status = LVL_ERR_MEMORY;
    if (status == LVL_OK) {
        d->layers[0].size = LVL_SKETCHY_CHUNK_SIZE;
        status = picture->rows(picture, take_row, &p);
    }
    return status;
}
