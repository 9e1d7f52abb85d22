/*
 * support/sketchy_turns.c: see support/sketchy_turns.h.
 */
#include "container/container.h"
#include "sketchy_turns.h"

#include "base/format.h"

#include <lvl/container.h>
#include <lvl/render.h>
#include <lvl/sketchy.h>
#include <lvl/tools.h>
#include <stdio.h>
#include <string.h>

static bool complain(const char *what)
{
    fprintf(stderr, "sketchy: %s\n", what);
    return false;
}

static void small(lvl_ctx *ctx)
{
    lvl_ctx_init(ctx);
    ctx->limits.memory_bytes = (uint64_t)32 << 20;
    ctx->limits.cells = (uint64_t)4 << 20;
    ctx->limits.items = (uint64_t)1 << 16;
    ctx->limits.findings = 200;
}

/* Writes and reads the drawing; NULL, and *good false, if that fails. A refusal because of a limit or a
 * loss is correct. */
static lvl_doc *again(const lvl_ctx *ctx, const lvl_doc *doc, lvl_buffer *file, bool *good)
{
    lvl_doc *read = NULL;

    file->len = 0;
    lvl_status status = lvl_doc_write(doc, file);
    if (status == LVL_ERR_LIMIT || status == LVL_ERR_LOSS)
        return NULL;
    if (status == LVL_OK)
        status = lvl_read(&read, ctx, lvl_doc_format(doc), (lvl_bytes){file->data, file->len}, NULL,
                          LVL_READ_BORROW, NULL);
    if (status != LVL_OK && status != LVL_ERR_LIMIT)
        *good = complain(status == LVL_ERR_ARG      ? "what was made can't be written: it is refused"
                         : status == LVL_ERR_FORMAT ? "what was made isn't read again"
                                                    : "what was made can't be written and read");
    return read;
}

/* ---- pixels ------------------------------------------------------------------------------------------ */

static const lvl_field *pixels_field(void)
{
    return lvl_table_at(&lvl_sketchy_chunk_table, offsetof(lvl_sketchy_chunk, pixels));
}

/* A hash of a layer's pixels, independent of its chunks and their order. *sound is false if a chunk cannot
 * be decoded completely. */
static uint64_t sum_of(const lvl_doc *doc, const lvl_sketchy_layer *layer, bool *sound)
{
    lvl_buffer storage = {0};
    uint64_t sum = 0;

    for (uint32_t c = 0; c < layer->chunk_count; c++) {
        lvl_cells cells = {NULL, 0, 0, 0};
        const lvl_status status = lvl_doc_cells(doc, &layer->chunks[c], pixels_field(), &storage, &cells);
        if (status != LVL_OK || cells.size != 2 || cells.width != layer->size || cells.height != layer->size)
            *sound = false;
        for (uint32_t y = 0; cells.ptr && y < cells.height; y++) {
            for (uint32_t x = 0; x < cells.width; x++) {
                const uint32_t index = lvl_cell(&cells, x, y);
                if (index == LVL_SKETCHY_NONE)
                    continue;
                uint64_t h = (uint64_t)((int64_t)layer->chunks[c].x * cells.width + x);
                h = (h * 0x9E3779B97F4A7C15u + (uint64_t)((int64_t)layer->chunks[c].y * cells.height + y)) *
                    0xC2B2AE3D27D4EB4Fu;
                h = (h ^ h >> 29 ^ index) * 0x165667B19E3779F9u;
                sum += h ^ h >> 32;
            }
        }
    }
    lvl_buffer_free(&storage);
    return sum;
}

/* Whether two drawings have the same pixels, layer by layer; also true if one of them cannot be decoded. */
static bool same_pixels(const lvl_doc *a, const lvl_doc *b)
{
    const lvl_sketchy *x = lvl_doc_croot(a), *y = lvl_doc_croot(b);
    bool sound = true;

    if (x->layer_count != y->layer_count)
        return false;
    for (uint32_t i = 0; i < x->layer_count; i++) {
        const uint64_t p = sum_of(a, &x->layers[i], &sound), q = sum_of(b, &y->layers[i], &sound);
        if (sound && p != q)
            return false;
    }
    return true;
}

/* Whether each chunk can be decoded and each place has only one. */
static bool all_decode(const lvl_doc *doc)
{
    const lvl_sketchy *d = lvl_doc_croot(doc);
    bool sound = true;

    for (uint32_t i = 0; i < d->layer_count; i++)
        sum_of(doc, &d->layers[i], &sound);
    return sound;
}

/* ---- conversions ------------------------------------------------------------------------------------- */

/* Zips are distinguished by their chunks. */
static bool has_chunks(const lvl_doc *doc)
{
    const lvl_sketchy *d = lvl_doc_croot(doc);
    uint32_t count = 0;

    for (uint32_t i = 0; i < d->layer_count; i++)
        count += d->layers[i].chunk_count;
    return count > 0;
}

static bool into_generation(const lvl_ctx *ctx, const lvl_doc *doc, unsigned generation)
{
    lvl_findings *losses = lvl_findings_new(ctx);
    lvl_buffer file = {0};
    lvl_doc *made = NULL, *read = NULL;
    bool good = losses != NULL;

    const lvl_status status =
        good ? lvl_convert(doc, lvl_sketchy_generation_name(generation), true, losses, &made)
             : LVL_ERR_MEMORY;
    if (status == LVL_OK)
        read = again(ctx, made, &file, &good);
    else if (status != LVL_ERR_LIMIT)
        good = complain("it can't become another generation");
    if (read && !lvl_findings_count(losses) && all_decode(doc)) {
        if (!same_pixels(doc, read))
            good = complain("another generation has other pixels, and no loss is named");
        else if (has_chunks(doc) && ((const lvl_sketchy *)lvl_doc_croot(read))->generation != generation)
            good = complain("another generation is read as yet another");
    }
    lvl_doc_free(read);
    lvl_doc_free(made);
    lvl_buffer_free(&file);
    lvl_findings_free(losses);
    return good;
}

static bool remade(const lvl_ctx *ctx, lvl_doc *doc, uint32_t chunk_size, bool trim)
{
    const lvl_draw_options draw_options = {.chunk_size = chunk_size, .trim_palette = trim};
    lvl_findings *losses = lvl_findings_new(ctx);
    lvl_doc *was = NULL, *read = NULL;
    lvl_buffer file = {0};
    bool good = losses != NULL;

    if (lvl_read(&was, ctx, lvl_doc_format(doc), lvl_doc_input(doc), NULL, LVL_READ_BORROW, NULL) != LVL_OK)
        good = false;
    const lvl_status status =
        good ? lvl_doc_format(doc)->calls->restructure(doc, &draw_options, losses) : LVL_ERR_MEMORY;
    if (status == LVL_OK)
        read = again(ctx, doc, &file, &good);
    else if (status != LVL_ERR_LIMIT && status != LVL_ERR_UNSUPPORTED && status != LVL_ERR_ARG)
        good = complain("it can't be made again");
    if (read && !trim && !lvl_findings_count(losses) && all_decode(was) && !same_pixels(was, read))
        good = complain("chunks of another size have other pixels, and no loss is named");
    lvl_doc_free(read);
    lvl_doc_free(was);
    lvl_buffer_free(&file);
    lvl_findings_free(losses);
    return good;
}

/* Whether a chunk exists twice: the second is then an attached file, and is dropped when the archive is
 * rewritten, as in the game. */
static bool has_shaded(const lvl_doc *doc)
{
    const lvl_sketchy *d = lvl_doc_croot(doc);
    bool found = false;

    for (uint32_t i = 0; lvl_doc_table(doc) == &lvl_sketchy_table && i < d->file_count; i++)
        found = found || (d->files[i].path.len > 7 && !memcmp(d->files[i].path.ptr, "chunks/", 7));
    return found;
}

/* Whether two documents have the same content, as far as it can be decoded. */
static bool same_content(const lvl_doc *a, const lvl_doc *b)
{
    const lvl_dump_options content = {.no_kept = true};
    lvl_buffer x = {0}, y = {0};
    bool same = true;

    if (lvl_dump(a, &content, &x, NULL) == LVL_OK && lvl_dump(b, &content, &y, NULL) == LVL_OK &&
        (x.len != y.len || memcmp(x.data, y.data, x.len) != 0)) {
        size_t at = 0;
        while (at < x.len && at < y.len && x.data[at] == y.data[at])
            at++;
        const size_t from = at < 60 ? 0 : at - 60;
        fprintf(stderr, "sketchy: %.*s\nbecame %.*s\n", (int)(x.len - from < 200 ? x.len - from : 200),
                (const char *)x.data + from, (int)(y.len - from < 200 ? y.len - from : 200),
                (const char *)y.data + from);
        same = complain("what was edited reads as something else");
    }
    lvl_buffer_free(&x);
    lvl_buffer_free(&y);
    return same;
}

static bool edited(const lvl_ctx *ctx, lvl_doc *doc, const char *assignment)
{
    lvl_doc *was = NULL, *read = NULL;
    lvl_buffer file = {0};
    bool good = true;

    if (lvl_read(&was, ctx, lvl_doc_format(doc), lvl_doc_input(doc), NULL, LVL_READ_BORROW, NULL) != LVL_OK)
        return complain("it reads once and not again");
    const lvl_status status = lvl_set(doc, &assignment, 1, NULL, NULL);
    if (status == LVL_OK)
        read = again(ctx, doc, &file, &good);
    else if (status != LVL_ERR_LIMIT && status != LVL_ERR_MISSING)
        good = complain("it can't be edited");
    if (read && lvl_doc_table(doc) == &lvl_sketchy_table && !same_pixels(was, read))
        good = complain("an edit of a text changes pixels");
    if (read && good && !has_shaded(doc))
        good = same_content(doc, read);
    lvl_doc_free(read);
    lvl_doc_free(was);
    lvl_buffer_free(&file);
    return good;
}

static bool repaired(const lvl_ctx *ctx, lvl_doc *doc, bool recover)
{
    const lvl_repair_options how = {.recover = recover};
    lvl_findings *changes = lvl_findings_new(ctx), *left = lvl_findings_new(ctx);
    lvl_check_result result;
    lvl_buffer file = {0};
    lvl_doc *read = NULL;
    bool good = true;

    const lvl_status status = changes && left ? lvl_repair(doc, &how, changes, &file) : LVL_ERR_MEMORY;
    if (status == LVL_ERR_FORMAT)
        good = complain("repairing twice changes more, or the result doesn't read");
    if (status == LVL_OK) {
        memset(&result, 0, sizeof result);
        if (lvl_check(ctx, lvl_doc_format(doc), (lvl_bytes){file.data, file.len}, NULL, NULL, left, &result,
                      &read) == LVL_OK &&
            result.residue)
            good = complain("a repaired file has bytes that nothing explains");
        lvl_doc_free(read);
    }
    lvl_buffer_free(&file);
    lvl_findings_free(changes);
    lvl_findings_free(left);
    return good;
}

static lvl_status nowhere(lvl_writer *writer, const void *data, size_t len)
{
    (void)writer, (void)data, (void)len;
    return LVL_OK;
}

static bool drawn(const lvl_doc *doc, bool schematic)
{
    lvl_writer writer = {.write = nowhere};
    lvl_render_options options;
    lvl_scene *scene = NULL;

    lvl_render_options_init(&options);
    options.schematic = schematic;
    options.size = 64;
    lvl_status status = lvl_doc_scene(doc, NULL, &scene);
    if (status == LVL_OK)
        status = lvl_render_png(scene, &options, &writer);
    lvl_scene_free(scene);
    return status == LVL_OK || status == LVL_ERR_LIMIT || status == LVL_ERR_UNSUPPORTED ||
                   status == LVL_ERR_MISSING || status == LVL_ERR_ARG
               ? true
               : complain("drawing it answers what it never should");
}

/* Replacing each member by itself changes nothing. */
static bool put_back(lvl_doc *doc)
{
    lvl_container *box = NULL;
    lvl_buffer before = {0}, after = {0}, storage = {0}, path = {0};
    lvl_bytes bytes;
    bool good = true;

    lvl_status status = lvl_doc_write(doc, &before);
    if (status == LVL_OK)
        status = lvl_container_open(&box, doc);
    for (size_t i = 0; status == LVL_OK && i < lvl_container_count(box) && i < 12; i++) {
        const lvl_entry *e = lvl_container_at(box, i);
        if (e->is_dir || !e->unique || lvl_container_read(box, e, &bytes, &storage, NULL) != LVL_OK)
            continue;
        path.len = 0; /* the entry becomes invalid */
        lvl_buffer_add(&path, e->path, strlen(e->path) + 1);
        status = lvl_container_put(box, (const char *)path.data, bytes, 0);
        if (status == LVL_ERR_ARG) /* a name that is displayed differently */
            status = LVL_OK;
    }
    if (status == LVL_OK)
        status = lvl_container_write(box, &after, NULL);
    if (status != LVL_OK && status != LVL_ERR_LIMIT && status != LVL_ERR_UNSUPPORTED &&
        status != LVL_ERR_MISSING)
        good = complain("members can't be put back");
    lvl_container_close(box);
    lvl_buffer_free(&before);
    lvl_buffer_free(&after);
    lvl_buffer_free(&storage);
    lvl_buffer_free(&path);
    return good;
}

bool lvl_sketchy_turn(lvl_bytes input, unsigned turn)
{
    static const uint32_t sizes[] = {5, 7, 64, 255};
    static const char *const edits[] = {"title=An \"odd\" <title>", "author=\xE2\x80\xA8",
                                        "swatches[0].name=x", "swatches[0].color=#123456"};
    lvl_doc *doc = NULL;
    bool good = true;
    lvl_ctx ctx;

    small(&ctx);
    const lvl_format *level = lvl_format_find("sketchy"), *pack = lvl_format_find("levelpack");
    const lvl_bytes head = {input.ptr, input.len < 4096 ? input.len : 4096};
    const lvl_bytes tail = {input.ptr + input.len - head.len, head.len};
    const lvl_format *format = lvl_probe(head, tail, input.len, NULL, NULL);
    if (format != pack)
        format = level;
    if (lvl_read(&doc, &ctx, format, input, NULL, LVL_READ_BORROW, NULL) != LVL_OK)
        return true;
    turn %= LVL_SKETCHY_TURNS;
    if (turn < LVL_SKETCHY_GENERATIONS)
        good = format == pack || into_generation(&ctx, doc, turn);
    else if (turn < 9)
        good = format == pack || remade(&ctx, doc, sizes[turn - 5], false);
    else if (turn == 9 || turn == 10)
        good = format == pack || remade(&ctx, doc, turn == 9 ? 0 : 32, true);
    else if (turn < 15)
        good = edited(&ctx, doc, edits[(turn - 11) % (format == pack ? 2 : 4)]);
    else if (turn < 17)
        good = repaired(&ctx, doc, turn == 16);
    else if (turn < 19)
        good = drawn(doc, turn == 18);
    else if (turn == 19)
        good = put_back(doc);
    else if (format != pack) /* forth and back */
        good = into_generation(&ctx, doc, turn % 5) &&
               (lvl_doc_open(doc) != LVL_OK || into_generation(&ctx, doc, (turn + 3) % 5));
    lvl_doc_free(doc);
    if (!good)
        fprintf(stderr, "sketchy: turn %u of %u bytes\n", turn, (unsigned)input.len);
    return good;
}
