/*
 * sketchy/pictures.c: pictures that a level is drawn with and that are drawings or attachments themselves: doodads, and the level's own wallpaper.
 */
#include "sketchy/pictures.h"

#include "codec/json.h"
#include "sketchy/paint.h"
#include "sketchy/sketchy_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void note(lvl_status *status, lvl_status what)
{
    if (what == LVL_ERR_MEMORY)
        *status = what;
}

const lvl_image *lvl_sketchy_doodad_image(const lvl_doc *doc, lvl_scene *scene, const lvl_art *art,
                                          lvl_status *status)
{
    const lvl_sketchy *d = doc->root;
    const lvl_sketchy_layer *layer = d->layer_count ? &d->layers[0] : NULL;
    const lvl_field *field = lvl_table_at(&lvl_sketchy_chunk_table, offsetof(lvl_sketchy_chunk, pixels));
    lvl_buffer storage = {0};
    lvl_paints paints;
    lvl_cells cells = {NULL, 0, 0, 0};
    lvl_image *image = lvl_scene_alloc(scene, 1, sizeof *image);

    note(status, image ? LVL_OK : LVL_ERR_MEMORY);
    if (!layer || !image || layer->size < 1 || layer->size > LVL_SKETCHY_CHUNK_SIZE_MAX)
        return NULL;
    const lvl_status made = lvl_paints_make(scene, d->swatches, d->swatch_count, art, &paints);
    note(status, made);
    if (made != LVL_OK)
        return NULL;
    uint8_t *pixels = lvl_scene_alloc(scene, (size_t)layer->size * layer->size, 4);
    note(status, pixels ? LVL_OK : LVL_ERR_MEMORY);
    /* the game's pictures show the first chunk alone, however large the doodad is */
    for (uint32_t i = 0; pixels && i < layer->chunk_count && !cells.ptr; i++) {
        if (layer->chunks[i].x || layer->chunks[i].y)
            continue;
        const lvl_status decoded = lvl_doc_cells(doc, &layer->chunks[i], field, &storage, &cells);
        note(status, decoded);
        if (decoded != LVL_OK || cells.width != layer->size || cells.height != layer->size)
            cells.ptr = NULL;
    }
    if (cells.ptr)
        lvl_paint_grid(&paints, &cells, 0, 0, NULL, 0, 0, pixels);
    lvl_buffer_free(&storage);
    if (!cells.ptr)
        return NULL;
    *image = (lvl_image){
        .format = LVL_PIXELS_RGBA8, .width = layer->size, .height = layer->size, .pixels = pixels};
    return image;
}

const lvl_image *lvl_sketchy_doodad_picture(const lvl_doc *level, lvl_scene *scene, const lvl_art *art,
                                            lvl_text filename, lvl_status *status)
{
    const lvl_field *data = lvl_table_at(&lvl_sketchy_file_table, offsetof(lvl_sketchy_file, data));
    const lvl_sketchy *d = level->root;
    static const char folder[] = "assets/doodads/";
    lvl_buffer bytes = {0};
    lvl_bytes view = {NULL, 0};
    const lvl_image *image = NULL;
    lvl_doc *doodad = NULL;
    char name[300];

    if (!filename.len || filename.len > 200 || memchr(filename.ptr, '/', filename.len) ||
        memchr(filename.ptr, '\0', filename.len))
        return NULL;
    snprintf(name, sizeof name, "%s%.*s", folder, (int)filename.len, filename.ptr);
    for (uint32_t i = 0; i < d->file_count && !view.ptr; i++) {
        if (!lvl_text_is(d->files[i].path, name))
            continue;
        const lvl_status got = lvl_doc_bytes(level, &d->files[i], data, &bytes, &view);
        note(status, got);
        if (got != LVL_OK)
            view = (lvl_bytes){NULL, 0};
    }
    if (!view.ptr && art && lvl_art_file_named(art, name + sizeof folder - 1, &bytes) == LVL_OK)
        view = (lvl_bytes){bytes.data, bytes.len};
    if (view.ptr)
        note(status, lvl_read(&doodad, level->ctx, &lvl_format_sketchy, view, NULL, LVL_READ_BORROW, NULL));
    if (doodad && ((const lvl_sketchy *)doodad->root)->kind == LVL_SKETCHY_DOODAD)
        image = lvl_sketchy_doodad_image(doodad, scene, art, status);
    lvl_doc_free(doodad);
    lvl_buffer_free(&bytes);
    return image;
}

/* A decoded picture in the scene's memory, as RGBA. */
static const lvl_image *adopt(lvl_scene *scene, const lvl_image *from)
{
    lvl_image *image = lvl_scene_alloc(scene, 1, sizeof *image);
    uint8_t *pixels = lvl_scene_alloc(scene, (size_t)from->width * from->height, 4);

    if (!image || !pixels)
        return NULL;
    for (uint32_t y = 0; y < from->height; y++) {
        for (uint32_t x = 0; x < from->width; x++)
            lvl_paint_sample(from, x, y, pixels + ((size_t)y * from->width + x) * 4);
    }
    *image = (lvl_image){
        .format = LVL_PIXELS_RGBA8, .width = from->width, .height = from->height, .pixels = pixels};
    return image;
}

/* What base64 text stands for, or NULL if it isn't such; line breaks in it count for nothing, as in the game. Freed by the caller. */
static uint8_t *from_base64(lvl_bytes text, size_t *size, lvl_status *status)
{
    char *letters = malloc(text.len + 1);
    uint8_t *plain = NULL;
    size_t n = 0;

    for (size_t i = 0; letters && i < text.len; i++) {
        if (text.ptr[i] != '\n' && text.ptr[i] != '\r')
            letters[n++] = (char)text.ptr[i];
    }
    note(status, letters ? LVL_OK : LVL_ERR_MEMORY);
    if (letters && n && lvl_base64_size((lvl_text){letters, n}, size)) {
        plain = malloc(*size + 1);
        note(status, plain ? LVL_OK : LVL_ERR_MEMORY);
    }
    if (plain && !lvl_base64_decode((lvl_text){letters, n}, plain)) {
        free(plain);
        plain = NULL;
    }
    free(letters);
    return plain;
}

const lvl_image *lvl_sketchy_own_picture(const lvl_doc *doc, lvl_scene *scene, const char *path,
                                         lvl_status *status)
{
    const lvl_field *data = lvl_table_at(&lvl_sketchy_file_table, offsetof(lvl_sketchy_file, data));
    const lvl_sketchy *d = doc->root;
    const lvl_image *found = NULL;
    lvl_buffer storage = {0};
    lvl_image image = {0};
    uint8_t *plain;
    lvl_bytes view;
    size_t size;

    for (uint32_t i = 0; i < d->file_count && !found; i++) {
        if (!lvl_text_is(d->files[i].path, path))
            continue;
        lvl_status got = lvl_doc_bytes(doc, &d->files[i], data, &storage, &view);
        note(status, got);
        if (got != LVL_OK)
            continue;
        plain = lvl_picture_kind(view) ? NULL : from_base64(view, &size, status);
        if (plain)
            view = (lvl_bytes){plain, size};
        got = lvl_picture_read(doc->ctx, view, &image);
        note(status, got);
        if (got == LVL_OK) {
            found = adopt(scene, &image);
            note(status, found ? LVL_OK : LVL_ERR_MEMORY);
            lvl_image_clear(&image);
        }
        free(plain);
    }
    lvl_buffer_free(&storage);
    return found;
}
