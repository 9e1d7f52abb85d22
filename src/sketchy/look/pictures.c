/*
 * sketchy/look/pictures.c: pictures for the scene of a level: doodads, wallpapers, attached pictures.
 */
#include "sketchy/look/pictures.h"

#include "sketchy/chunks/codec.h"
#include "sketchy/model/member_names.h"
#include "sketchy/chunks/paint.h"
#include "scene/scene.h"
#include "scene/art.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void note_status(lvl_status *status, lvl_status what)
{
    if (what == LVL_ERR_MEMORY)
        *status = what;
}

/* A picture in the scene's memory, all clear; NULL without memory. */
static lvl_image *new_image(lvl_scene *scene, uint32_t width, uint32_t height, lvl_status *status)
{
    lvl_image *image = lvl_scene_alloc(scene, 1, sizeof *image);
    uint8_t *pixels = lvl_scene_alloc(scene, (size_t)width * height, 4);

    note_status(status, image && pixels ? LVL_OK : LVL_ERR_MEMORY);
    if (!image || !pixels)
        return NULL;
    *image = (lvl_image){.format = LVL_PIXELS_RGBA8, .width = width, .height = height, .pixels = pixels};
    return image;
}

/* How far a doodad's chunks extend to the right and down, px. Chunks at negative positions or far away are
 * never visible, nor are px beyond both its size and its first chunk. */
static void measure_reach(const lvl_sketchy *d, const lvl_sketchy_layer *layer, uint32_t *width,
                          uint32_t *height)
{
    enum { CHUNKS_MAX = 16, PIXELS_MAX = 1 << 22 };
    const bool sized = d->size.width > 0 && d->size.height > 0;

    *width = *height = 0;
    for (uint32_t i = 0; i < layer->chunk_count; i++) {
        const lvl_sketchy_chunk *c = &layer->chunks[i];
        if (c->x < 0 || c->y < 0 || c->x >= CHUNKS_MAX || c->y >= CHUNKS_MAX)
            continue;
        const uint32_t right = ((uint32_t)c->x + 1) * layer->size,
                       bottom = ((uint32_t)c->y + 1) * layer->size;
        *width = right > *width ? right : *width;
        *height = bottom > *height ? bottom : *height;
    }
    if (sized && *width > layer->size && d->size.width < *width)
        *width = d->size.width > layer->size ? (uint32_t)d->size.width : layer->size;
    if (sized && *height > layer->size && d->size.height < *height)
        *height = d->size.height > layer->size ? (uint32_t)d->size.height : layer->size;
    if ((uint64_t)*width * *height > PIXELS_MAX)
        *width = *height = layer->size; /* too large: only its first chunk */
}

/* Draws the part of a chunk that is inside of the doodad's picture. */
static lvl_status put_chunk(const lvl_doc *doc, const lvl_sketchy_layer *layer, const lvl_sketchy_chunk *c,
                            const lvl_paints *paints, lvl_image *image)
{
    const uint32_t size = layer->size, left = (uint32_t)c->x * size, top = (uint32_t)c->y * size;
    const uint32_t columns = image->width - left < size ? image->width - left : size;
    const uint32_t rows = image->height - top < size ? image->height - top : size;
    uint8_t *part = malloc((size_t)size * size * 4);
    lvl_buffer storage = {0};
    lvl_cells cells = {NULL, 0, 0, 0};
    lvl_status status = part ? lvl_sketchy_pixels(doc, c, &storage, &cells) : LVL_ERR_MEMORY;

    if (status == LVL_OK && (!cells.ptr || cells.width != size || cells.height != size))
        status = LVL_ERR_FORMAT;
    if (status == LVL_OK) {
        lvl_paint_grid(paints, &cells, left, top, NULL, 0, 0, part);
        for (uint32_t y = 0; y < rows; y++)
            memcpy(image->pixels + ((size_t)(top + y) * image->width + left) * 4, part + (size_t)y * size * 4,
                   (size_t)columns * 4);
    }
    lvl_buffer_free(&storage);
    free(part);
    return status;
}

static void draw_doodad(const lvl_doc *doc, lvl_scene *scene, const lvl_art *art, lvl_sketchy_doodad *out,
                        lvl_status *status)
{
    const lvl_sketchy *d = doc->root;
    const lvl_sketchy_layer *layer = d->layer_count ? &d->layers[0] : NULL;
    uint32_t width, height;
    lvl_paints paints;

    if (!layer || layer->size < 1 || layer->size > LVL_SKETCHY_CHUNK_SIZE_MAX)
        return;
    measure_reach(d, layer, &width, &height);
    if (!width)
        return;
    const lvl_status made = lvl_paints_make(scene, d->swatches, d->swatch_count, art, &paints);
    note_status(status, made);
    if (made != LVL_OK)
        return;
    lvl_image *image = new_image(scene, width, height, status);
    if (!image)
        return;
    /* the first of several chunks at one position counts, so it is drawn last */
    for (uint32_t i = layer->chunk_count; i-- > 0;) {
        const lvl_sketchy_chunk *c = &layer->chunks[i];
        if (c->x < 0 || c->y < 0 || (uint32_t)c->x * (uint64_t)layer->size >= width ||
            (uint32_t)c->y * (uint64_t)layer->size >= height)
            continue;
        const lvl_status drawn = put_chunk(doc, layer, c, &paints, image);
        note_status(status, drawn);
        if (drawn != LVL_OK)
            continue;
        out->image = image;
        if (!c->x && !c->y)
            out->shot = layer->size;
    }
}

static const char doodad_ending[] = ".doodad";
enum { ENDING = sizeof doodad_ending - 1 };

/* Case-sensitive, as in the game. */
static bool has_doodad_ending(lvl_text filename)
{
    return filename.len >= ENDING && !memcmp(filename.ptr + filename.len - ENDING, doodad_ending, ENDING);
}

lvl_text lvl_sketchy_doodad_label(lvl_text filename)
{
    if (filename.len > ENDING && has_doodad_ending(filename))
        filename.len -= ENDING;
    return filename;
}

const char *lvl_sketchy_doodad_in_art(const lvl_art *art, lvl_text filename)
{
    char name[300];

    if (!art || !filename.len || filename.len >= sizeof name - ENDING ||
        memchr(filename.ptr, '\0', filename.len))
        return NULL;
    snprintf(name, sizeof name, "%.*s%s", (int)filename.len, filename.ptr,
             has_doodad_ending(filename) ? "" : doodad_ending);
    return lvl_art_find_name(art, name);
}

void lvl_sketchy_doodad_picture(const lvl_doc *level, const lvl_names *attached, lvl_scene *scene,
                                const lvl_art *art, lvl_text filename, lvl_sketchy_doodad *out,
                                lvl_status *status)
{
    const lvl_sketchy_file *files = ((const lvl_sketchy *)level->root)->files;
    lvl_buffer bytes = {0};
    lvl_bytes view = {NULL, 0};
    lvl_doc *doodad = NULL;
    char name[300];

    *out = (lvl_sketchy_doodad){NULL, 0};
    if (!filename.len || filename.len > 200 || memchr(filename.ptr, '/', filename.len) ||
        memchr(filename.ptr, '\0', filename.len))
        return;
    for (uint32_t i = lvl_names_find(attached, filename);
         i < attached->count && !view.ptr && lvl_text_equal(attached->list[i].name, filename); i++) {
        const lvl_status got = lvl_sketchy_file_data(level, &files[attached->list[i].index], &bytes, &view);
        note_status(status, got);
        if (got != LVL_OK)
            view = (lvl_bytes){NULL, 0};
    }
    /* the level's own first, then the pack's, then the game's, whose extension may be missing in the name */
    snprintf(name, sizeof name, LVL_PACK_DOODADS "%.*s", (int)filename.len, filename.ptr);
    bool found = !view.ptr && art && lvl_art_read_home(art, name, &bytes) == LVL_OK;
    const char *called = view.ptr || found ? NULL : lvl_sketchy_doodad_in_art(art, filename);
    if (called)
        found = lvl_art_read_named(art, called, &bytes) == LVL_OK;
    if (found)
        view = (lvl_bytes){bytes.data, bytes.len};
    if (view.ptr)
        note_status(status, lvl_read(&doodad, level->ctx, level->format, view, NULL, LVL_READ_BORROW, NULL));
    if (doodad && ((const lvl_sketchy *)doodad->root)->kind == LVL_SKETCHY_DOODAD)
        draw_doodad(doodad, scene, art, out, status);
    lvl_doc_free(doodad);
    lvl_buffer_free(&bytes);
}

/* A decoded picture in the scene's memory, as RGBA, straight. */
static const lvl_image *copy_picture(lvl_scene *scene, const lvl_image *from, lvl_status *status)
{
    lvl_image *image = new_image(scene, from->width, from->height, status);

    if (image && from->format == LVL_PIXELS_RGBA8)
        memcpy(image->pixels, from->pixels, (size_t)from->width * from->height * 4);
    /* pictures with a palette have no partly transparent px */
    for (uint32_t y = 0; image && from->format != LVL_PIXELS_RGBA8 && y < from->height; y++) {
        for (uint32_t x = 0; x < from->width; x++)
            lvl_paint_sample(from, x, y, image->pixels + ((size_t)y * from->width + x) * 4);
    }
    return image;
}

lvl_status lvl_sketchy_unwrap_picture(lvl_buffer *storage, lvl_bytes *view)
{
    lvl_buffer plain = {0};

    const lvl_status status = lvl_chunk_base64((lvl_text){(const char *)view->ptr, view->len}, false, &plain);
    if (status == LVL_OK && lvl_picture_kind((lvl_bytes){plain.data, plain.len})) {
        storage->len = 0;
        lvl_buffer_add(storage, plain.data, plain.len);
        *view = (lvl_bytes){storage->data, storage->len};
    }
    lvl_buffer_free(&plain);
    return status == LVL_ERR_MEMORY ? status : storage->status;
}

const lvl_image *lvl_sketchy_own_picture(const lvl_doc *doc, lvl_scene *scene, const char *path, bool *there,
                                         lvl_status *status)
{
    const lvl_sketchy *d = doc->root;
    const lvl_image *found = NULL;
    lvl_buffer storage = {0};
    lvl_image image = {0};
    lvl_bytes view;

    *there = false;
    for (uint32_t i = 0; i < d->file_count && !found; i++) {
        if (!lvl_text_is(d->files[i].path, path))
            continue;
        *there = true;
        lvl_status got = lvl_sketchy_file_data(doc, &d->files[i], &storage, &view);
        note_status(status, got);
        if (got != LVL_OK)
            continue;
        got = lvl_sketchy_unwrap_picture(&storage, &view);
        if (got == LVL_OK)
            got = lvl_picture_read(doc->ctx, view, false, &image);
        note_status(status, got);
        if (got == LVL_OK) {
            found = copy_picture(scene, &image, status);
            lvl_image_clear(&image);
        }
    }
    lvl_buffer_free(&storage);
    return found;
}

static bool is_transparent(const lvl_image *image)
{
    const size_t count = (size_t)image->width * image->height;

    if (image->format == LVL_PIXELS_INDEX8)
        return image->mask && memchr(image->mask, 0, count);
    for (size_t i = 0; i < count; i++) {
        if (image->pixels[i * 4 + 3] != 255)
            return true;
    }
    return false;
}

const lvl_image *lvl_sketchy_sheet(lvl_scene *scene, const lvl_image *wallpaper, bool edges,
                                   lvl_status *status)
{
    const uint32_t width = wallpaper->width / 2, height = wallpaper->height / 2;

    if (!is_transparent(wallpaper))
        return wallpaper;
    lvl_image *image = new_image(scene, width * 2, height * 2, status);
    if (!image)
        return NULL;
    memset(image->pixels, 255, (size_t)width * height * 16);
    for (uint32_t y = 0; y < height * 2; y++) {
        for (uint32_t x = 0; x < width * 2; x++) {
            /* in this order: the quarter for everywhere else, of the left column, the top row, the corner */
            uint8_t *p = image->pixels + ((size_t)y * width * 2 + x) * 4, over[4];
            const bool left = edges && x < width, top = edges && y < height;
            for (unsigned k = 0; k < 4; k++) {
                if ((k == 1 && !left) || (k == 2 && !top) || (k == 3 && !(left && top)))
                    continue;
                lvl_paint_sample(wallpaper, (k & 1 ? 0 : width) + x % width,
                                 (k & 2 ? 0 : height) + y % height, over);
                lvl_paint_over(p, over);
            }
        }
    }
    return image;
}

const lvl_image *lvl_sketchy_own_paper(lvl_scene *scene, lvl_text wallpaper, lvl_status *status)
{
    enum { SIDE = 64, SQUARE = 16, MARGIN = SIDE - SQUARE };
    static const struct {
        const char *start;
        uint8_t ground[3], line[3], margin[3];
    } known[] = {
        {"blueprint", {28, 62, 118}, {52, 92, 156}, {120, 160, 214}},
        {"dots-dark", {58, 58, 62}, {72, 72, 78}, {110, 96, 96}},
        {"atmosphere", {150, 190, 224}, {160, 200, 232}, {186, 214, 238}},
        {"legal", {251, 246, 214}, {214, 222, 214}, {232, 186, 178}},
        {"white.", {255, 255, 255}, {255, 255, 255}, {255, 255, 255}},
        {"", {252, 251, 246}, {226, 234, 241}, {240, 204, 200}},
    };
    lvl_image *image = new_image(scene, SIDE * 2, SIDE * 2, status);
    size_t at = 0;

    if (!image)
        return NULL;
    while (!lvl_text_begins(wallpaper, known[at].start))
        at++;
    for (uint32_t y = 0; y < SIDE * 2; y++) {
        for (uint32_t x = 0; x < SIDE * 2; x++) {
            const bool margin = x == MARGIN || y == MARGIN, line = x % SQUARE == 0 || y % SQUARE == 0;
            uint8_t *p = image->pixels + ((size_t)y * SIDE * 2 + x) * 4;
            memcpy(p, margin ? known[at].margin : line ? known[at].line : known[at].ground, 3);
            p[3] = 255;
        }
    }
    return image;
}
