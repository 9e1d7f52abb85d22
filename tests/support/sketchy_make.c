/*
 * support/sketchy_make.c: see support/sketchy_make.h.
 */
#include "sketchy_make.h"

#include "base/format.h"

#include <string.h>

static uint8_t encoding_of(unsigned generation)
{
    return generation == LVL_SKETCHY_V4     ? LVL_SKETCHY_CHUNK_RUNS
           : generation == LVL_SKETCHY_V3_1 ? LVL_SKETCHY_CHUNK_MAP
                                            : LVL_SKETCHY_CHUNK_JSON;
}

uint8_t *lvl_make_chunk(lvl_doc *doc, lvl_sketchy_chunk *chunk, const char *key, int32_t x, int32_t y,
                        uint32_t size)
{
    uint8_t *grid = lvl_doc_alloc(doc, (size_t)size * size * 2);

    lvl_record_init(chunk, &lvl_sketchy_chunk_table);
    chunk->key = lvl_doc_text(doc, lvl_text_of(key));
    chunk->x = x;
    chunk->y = y;
    chunk->encoding = encoding_of(((const lvl_sketchy *)lvl_doc_croot(doc))->generation);
    chunk->pixels = (lvl_cells){grid, size, size, 2};
    if (grid)
        memset(grid, 0xFF, (size_t)size * size * 2);
    return grid;
}

static void dot(uint8_t *grid, uint32_t size, uint32_t x, uint32_t y, uint16_t index)
{
    grid[(y * size + x) * 2] = (uint8_t)index;
    grid[(y * size + x) * 2 + 1] = (uint8_t)(index >> 8);
}

static bool swatches(lvl_doc *doc)
{
    static const char *const names[] = {"ground", "decoration", "lava", "pond"}, *const colors[] = {
                                                                                     "#102030", "#abcdef",
                                                                                     "#ff0000", "#0000ff"};
    lvl_sketchy *d = lvl_doc_root(doc);

    d->swatches = lvl_doc_alloc(doc, 4 * sizeof *d->swatches);
    if (!d->swatches)
        return false;
    for (int i = 0; i < 4; i++) {
        lvl_record_init(&d->swatches[i], &lvl_sketchy_swatch_table);
        d->swatches[i].name = lvl_text_of(names[i]);
        d->swatches[i].color = lvl_text_of(colors[i]);
    }
    d->swatches[0].solid = 1;
    d->swatches[0].pattern = lvl_text_of("noise.png");
    d->swatches[2].fire = 1;
    d->swatches[3].water = 1;
    d->swatch_count = 4;
    return true;
}

static lvl_doc *begin(const lvl_ctx *ctx, unsigned kind, unsigned generation, uint32_t layers)
{
    lvl_doc *doc;

    if (lvl_doc_new(&doc, ctx, lvl_format_find("sketchy")) != LVL_OK)
        return NULL;
    lvl_sketchy *d = lvl_doc_root(doc);
    d->kind = (uint8_t)kind;
    d->generation = (uint8_t)generation;
    d->game_version = lvl_text_of("0.14.0");
    d->title = lvl_text_of("A <small> drawing");
    d->author = lvl_text_of("lvl");
    d->layers = lvl_doc_alloc(doc, layers * sizeof *d->layers);
    if (!d->layers || !swatches(doc)) {
        lvl_doc_free(doc);
        return NULL;
    }
    for (uint32_t i = 0; i < layers; i++) {
        lvl_record_init(&d->layers[i], &lvl_sketchy_layer_table);
        d->layers[i].size = 16;
    }
    d->layer_count = layers;
    return doc;
}

bool lvl_make_attached(lvl_doc *doc, const char *path, lvl_bytes data)
{
    const bool pack = doc->format->table == &lvl_levelpack_table;
    lvl_levelpack *p = pack ? doc->root : NULL;
    lvl_sketchy *d = pack ? NULL : doc->root;
    uint32_t *count = pack ? &p->file_count : &d->file_count;
    lvl_sketchy_file **files = pack ? &p->files : &d->files;
    lvl_sketchy_file *list = lvl_doc_alloc(doc, (*count + 1) * sizeof *list);
    uint8_t *copy = lvl_doc_alloc(doc, data.len + 1);

    if (!list || !copy)
        return false;
    if (*count)
        memcpy(list, *files, *count * sizeof *list);
    if (data.len)
        memcpy(copy, data.ptr, data.len);
    list[*count].path = lvl_doc_text(doc, lvl_text_of(path));
    list[*count].data = (lvl_bytes){copy, data.len};
    *files = list;
    (*count)++;
    return true;
}

static void draw(lvl_doc *doc, uint32_t layer)
{
    enum { SIZE = 16 };
    lvl_sketchy *d = lvl_doc_root(doc);
    lvl_sketchy_chunk *list = lvl_doc_alloc(doc, 3 * sizeof *list);

    if (!list)
        return;
    uint8_t *a = lvl_make_chunk(doc, &list[0], "0,0", 0, 0, SIZE),
            *b = lvl_make_chunk(doc, &list[1], "-1,2", -1, 2, SIZE);
    if (!a || !b || !lvl_make_chunk(doc, &list[2], "3,3", 3, 3, SIZE))
        return;
    for (uint32_t i = 2; i < 14; i++) {
        dot(a, SIZE, i, 5, 0);
        dot(a, SIZE, i, i, 1);
        dot(b, SIZE, 15, i, 2);
        dot(b, SIZE, 0, i, 3);
    }
    dot(b, SIZE, 15, 15, (uint16_t)(layer % 3)); /* a single pixel, and the last one */
    d->layers[layer].chunks = list;
    d->layers[layer].chunk_count = 3;
}

lvl_doc *lvl_make_sketch(const lvl_ctx *ctx, unsigned generation)
{
    static const char *const ids[] = {"a1", "b2"};
    lvl_doc *doc = begin(ctx, LVL_SKETCHY_LEVEL, generation, 1);

    if (!doc)
        return NULL;
    lvl_sketchy *d = lvl_doc_root(doc);
    draw(doc, 0);
    d->wallpaper = lvl_text_of("notebook.png");
    d->uuid = lvl_text_of("00000000-0000-4000-8000-000000000001");
    d->actors = lvl_doc_alloc(doc, 2 * sizeof *d->actors);
    for (int i = 0; d->actors && i < 2; i++) {
        lvl_sketchy_actor *actor = &d->actors[i];
        lvl_record_init(actor, &lvl_sketchy_actor_table);
        actor->id = lvl_text_of(ids[i]);
        actor->filename = lvl_text_of("switch.doodad");
        actor->point = (lvl_sketchy_point){10 * i, -5};
        actor->links = lvl_doc_alloc(doc, sizeof *actor->links);
        if (actor->links) {
            actor->links[0] = lvl_text_of(ids[1 - i]);
            actor->link_count = 1;
        }
        d->actor_count = (uint32_t)i + 1;
    }
    if (generation >= LVL_SKETCHY_V3 && !lvl_make_attached(doc, "assets/wallpapers/own.b64img",
                                                           (lvl_bytes){(const uint8_t *)"aGVsbG8=", 8})) {
        lvl_doc_free(doc);
        return NULL;
    }
    return doc;
}

lvl_doc *lvl_make_doodad(const lvl_ctx *ctx, unsigned generation)
{
    lvl_doc *doc = begin(ctx, LVL_SKETCHY_DOODAD, generation, 2);

    if (!doc)
        return NULL;
    lvl_sketchy *d = lvl_doc_root(doc);
    draw(doc, 0);
    draw(doc, 1);
    d->layers[0].name = lvl_text_of("off");
    d->layers[1].name = lvl_text_of("on");
    d->size = d->hitbox = (lvl_sketchy_rect){0, 0, 16, 16};
    d->script = lvl_text_of("function main() {\n\tSelf.SetHitbox(0, 0, 16, 16);\n}\n");
    d->tags = lvl_doc_alloc(doc, sizeof *d->tags);
    d->options = lvl_doc_alloc(doc, 2 * sizeof *d->options);
    if (!d->tags || !d->options) {
        lvl_doc_free(doc);
        return NULL;
    }
    d->tags[0] = (lvl_sketchy_tag){lvl_text_of("category"), lvl_text_of("gizmos")};
    d->tag_count = 1;
    d->options[0] = (lvl_sketchy_option){lvl_text_of("delay"), LVL_SKETCHY_INT, lvl_text_of("12")};
    d->options[1] = (lvl_sketchy_option){lvl_text_of("word"), LVL_SKETCHY_STRING, lvl_text_of("a \"b\"")};
    d->option_count = 2;
    return doc;
}

bool lvl_make_file(lvl_doc *doc, lvl_buffer *out)
{
    const bool good = doc && lvl_doc_write(doc, out) == LVL_OK;

    lvl_doc_free(doc);
    return good;
}

lvl_doc *lvl_make_pack(const lvl_ctx *ctx)
{
    static const char *const names[] = {"one.level", "two.level"};
    lvl_buffer one = {0}, two = {0}, doodad = {0};
    lvl_doc *doc = NULL;

    bool good = lvl_doc_new(&doc, ctx, lvl_format_find("levelpack")) == LVL_OK;
    lvl_doc *second = lvl_make_sketch(ctx, LVL_SKETCHY_V2);
    if (second)
        ((lvl_sketchy *)lvl_doc_root(second))->uuid = lvl_text_of("00000000-0000-4000-8000-000000000002");
    good = good && lvl_make_file(lvl_make_sketch(ctx, LVL_SKETCHY_V3_1), &one);
    good = lvl_make_file(second, &two) && good;
    good = good && lvl_make_file(lvl_make_doodad(ctx, LVL_SKETCHY_V4), &doodad);
    good = good && lvl_make_attached(doc, "levels/one.level", (lvl_bytes){one.data, one.len}) &&
           lvl_make_attached(doc, "levels/two.level", (lvl_bytes){two.data, two.len}) &&
           lvl_make_attached(doc, "doodads/switch.doodad", (lvl_bytes){doodad.data, doodad.len});
    lvl_levelpack *p = good ? lvl_doc_root(doc) : NULL;
    if (p) {
        p->title = lvl_text_of("Pack");
        p->created = lvl_text_of("2024-05-01T00:00:00Z");
        p->levels = lvl_doc_alloc(doc, 2 * sizeof *p->levels);
    }
    for (uint32_t i = 0; p && p->levels && i < 2; i++) {
        lvl_record_init(&p->levels[i], &lvl_levelpack_level_table);
        p->levels[i].filename = lvl_text_of(names[i]);
        p->levels[i].title = lvl_text_of("A <small> drawing");
        p->level_count = i + 1;
    }
    lvl_buffer_free(&one);
    lvl_buffer_free(&two);
    lvl_buffer_free(&doodad);
    if (good && p && p->levels)
        return doc;
    lvl_doc_free(doc);
    return NULL;
}
