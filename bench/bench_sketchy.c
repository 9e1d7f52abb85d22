/*
 * Sketchy Maze: each stage compared with its lower limit (inflating alone, filling the same amount of
 * memory), and with the time of the game's own tool.
 *
 * The game's times were measured once, on two cores, and serve only for ratios. Loading all chunks was
 * measured for exactly these files: Shapeshifter, Zoo and Tutorial 1 in v4. Saving was measured only for Boat
 * in v3.1 (1.9 s), which takes less than a v4: the release cannot write v4, and the newest source hangs on
 * v2. So Boat is compared with that time, and Shapeshifter with the same time for each pixel. Levels that the
 * corpus has in another generation are converted first.
 *
 * Times are processor times of one thread.
 */
#include "base/info.h"
#include "bench.h"

#include "base/cursor.h"
#include "base/format.h"

#include <libdeflate.h>
#include <lvl/render.h>
#include <lvl/sketchy.h>
#include <lvl/tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 5 };

typedef struct level {
    char name[120];
    lvl_bytes bytes;
    uint64_t inflated, cells; /* bytes of all grids */
} level;

typedef struct job {
    lvl_ctx ctx;
    const level *on;
    const lvl_doc *doc; /* of which read */
    const lvl_art *art;
    uint8_t *room;
    uint64_t pixels, written;
    const char *form;
    lvl_bytes sides[3]; /* OURS, BASE, THEIRS */
    bool wrong;
} job;

static lvl_doc *opened(job *j, lvl_bytes bytes, const char *name)
{
    lvl_doc *doc = NULL;

    if (lvl_read(&doc, &j->ctx, NULL, bytes, name, LVL_READ_BORROW, NULL) != LVL_OK)
        j->wrong = true;
    return doc;
}

/* ---- limits ------------------------------------------------------------------------------------------ */

static uint32_t get(const uint8_t *p, int bytes)
{
    uint32_t v = 0;

    while (bytes--)
        v = v << 8 | p[bytes];
    return v;
}

/* Inflates all members of a sound zip, or a gzip; returns the number of inflated bytes. */
static uint64_t inflate_all(lvl_bytes file)
{
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    const uint8_t *end = file.ptr + file.len - 22;
    uint64_t total = 0;

    if (file.ptr[0] == 0x1F) {
        const size_t size = get(file.ptr + file.len - 4, 4);
        uint8_t *out = malloc(size + 1);
        size_t got = 0;
        if (out)
            libdeflate_gzip_decompress(d, file.ptr, file.len, out, size, &got);
        free(out);
        total = got;
    } else if (get(end, 4) == 0x06054B50) {
        const uint8_t *entry = file.ptr + get(end + 16, 4);
        for (uint32_t i = get(end + 10, 2); i--;) {
            const uint32_t packed = get(entry + 20, 4), size = get(entry + 24, 4);
            const uint8_t *local = file.ptr + get(entry + 42, 4);
            uint8_t *out = malloc(size + 1u);
            size_t got = 0;
            if (out && get(entry + 10, 2) == 8)
                libdeflate_deflate_decompress(d, local + 30 + get(local + 26, 2) + get(local + 28, 2), packed,
                                              out, size, &got);
            free(out);
            total += got;
            entry += 46 + get(entry + 28, 2) + get(entry + 30, 2) + get(entry + 32, 2);
        }
    }
    libdeflate_free_decompressor(d);
    return total;
}

static void inflate_alone(void *user)
{
    inflate_all(((job *)user)->on->bytes);
}

static void fill_alone(void *user)
{
    job *j = user;

    memset(j->room, 255, (size_t)j->on->cells);
    j->pixels += j->room[j->on->cells / 2];
}

/* ---- stages ------------------------------------------------------------------------------------------ */

static uint64_t all_chunks(job *j, const lvl_doc *doc)
{
    const lvl_field *field = lvl_table_at(&lvl_sketchy_chunk_table, offsetof(lvl_sketchy_chunk, pixels));
    const lvl_sketchy *d = lvl_doc_croot(doc);
    lvl_buffer storage = {0};
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < d->layer_count; i++) {
        for (uint32_t k = 0; k < d->layers[i].chunk_count; k++) {
            lvl_cells cells;
            j->wrong |= lvl_doc_cells(doc, &d->layers[i].chunks[k], field, &storage, &cells) != LVL_OK;
            bytes += (uint64_t)cells.width * cells.height * cells.size;
        }
    }
    lvl_buffer_free(&storage);
    return bytes;
}

static void read_and_decode(void *user)
{
    job *j = user;
    lvl_doc *doc = opened(j, j->on->bytes, j->on->name);

    if (doc)
        all_chunks(j, doc);
    lvl_doc_free(doc);
}

static void read_alone(void *user)
{
    job *j = user;

    lvl_doc_free(opened(j, j->on->bytes, j->on->name));
}

static void info(void *user)
{
    job *j = user;
    lvl_doc *doc = opened(j, j->on->bytes, j->on->name);
    lvl_info *facts = NULL;

    if (doc)
        j->wrong |= lvl_doc_info(doc, NULL, false, &facts) != LVL_OK;
    lvl_info_free(facts);
    lvl_doc_free(doc);
}

static void convert(void *user)
{
    job *j = user;
    lvl_doc *doc = opened(j, j->on->bytes, j->on->name), *to = NULL;
    lvl_findings *losses = lvl_findings_new(&j->ctx);
    lvl_buffer out = {0};

    j->wrong |= !doc || !losses || lvl_convert(doc, j->form, true, losses, &to) != LVL_OK ||
                lvl_doc_write(to, &out) != LVL_OK;
    j->written = out.len;
    lvl_buffer_free(&out);
    lvl_findings_free(losses);
    lvl_doc_free(to);
    lvl_doc_free(doc);
}

/* ---- merging ----------------------------------------------------------------------------------------- */

/* Reads the three with all their chunks. With `form` set, also merges them; with "write", also writes and
 * verifies the result, as `lvl merge' does. */
static void merge(void *user)
{
    job *j = user;
    lvl_doc *docs[3] = {NULL, NULL, NULL};
    lvl_buffer out = {0};
    uint64_t conflicts = 1;

    for (int i = 0; i < 3; i++) {
        docs[i] = opened(j, j->sides[i], "a.level");
        j->wrong |= !docs[i] || (!j->form && lvl_doc_open(docs[i]) != LVL_OK);
    }
    if (!j->wrong && j->form)
        j->wrong |= lvl_merge(docs[0], docs[1], docs[2], NULL, &conflicts, NULL) != LVL_OK || conflicts;
    if (!j->wrong && j->form && *j->form)
        j->wrong |= lvl_write(docs[0], &out, NULL) != LVL_OK;
    for (int i = 0; i < 3; i++)
        lvl_doc_free(docs[i]);
    lvl_buffer_free(&out);
}

static lvl_status count_bytes(lvl_writer *writer, const void *data, size_t len)
{
    (void)writer;
    (void)data;
    (void)len;
    return LVL_OK;
}

/* Into `image`, or, if it is NULL, to a PNG that is thrown away. */
static void draw_level(job *j, lvl_image *image)
{
    const lvl_scene_request request = {.art = j->art};
    lvl_writer nowhere = {count_bytes};
    lvl_render_options options;
    lvl_scene *scene;

    lvl_render_options_init(&options);
    if (lvl_doc_scene(j->doc, &request, &scene) != LVL_OK) {
        j->wrong = true;
        return;
    }
    j->wrong |= (image ? lvl_render_image(scene, &options, image)
                       : lvl_render_png(scene, &options, &nowhere)) != LVL_OK;
    lvl_scene_free(scene);
}

static void draw(void *user)
{
    draw_level(user, NULL);
}

/* The pixels in j->room with another compressor at its fastest level. */
static void pack_pixels(void *user)
{
    job *j = user;
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(1);
    const size_t most = libdeflate_zlib_compress_bound(c, j->pixels);
    uint8_t *packed = malloc(most);

    j->written = c && packed ? libdeflate_zlib_compress(c, j->room, j->pixels, packed, most) : 0;
    j->wrong |= !j->written;
    free(packed);
    libdeflate_free_compressor(c);
}

/* ---- levels ------------------------------------------------------------------------------------------ */

static bool named(const char *path, const char *part)
{
    const char *slash = strrchr(path, '/');

    return strstr(slash ? slash + 1 : path, part) != NULL;
}

/* The first level with this file name and generation. */
static bool find(job *j, const bench_files *files, const char *name, unsigned generation, level *out)
{
    for (size_t i = 0; i < files->count; i++) {
        const bench_file *f = &files->items[i];
        lvl_doc *doc = NULL;
        if (!named(f->path, name) ||
            lvl_read(&doc, &j->ctx, lvl_format_find("sketchy"), (lvl_bytes){f->data, f->len}, f->path,
                     LVL_READ_BORROW, NULL) != LVL_OK)
            continue;
        const bool fits = ((const lvl_sketchy *)lvl_doc_croot(doc))->generation == generation;
        if (fits) {
            *out = (level){.bytes = {f->data, f->len}};
            snprintf(out->name, sizeof out->name, "%s, %s", name, lvl_sketchy_generation_name(generation));
            out->cells = all_chunks(j, doc);
        }
        lvl_doc_free(doc);
        if (fits)
            return true;
    }
    return false;
}

/* The largest level of the largest pack, as stored; the caller owns `bytes`. */
static bool largest(job *j, const bench_files *files, level *out, lvl_buffer *bytes)
{
    const lvl_field *data = lvl_table_at(&lvl_sketchy_file_table, offsetof(lvl_sketchy_file, data));
    const bench_file *pack = NULL;
    lvl_buffer storage = {0};
    lvl_doc *doc = NULL;

    for (size_t i = 0; i < files->count; i++) {
        if (named(files->items[i].path, ".levelpack") && (!pack || files->items[i].len > pack->len))
            pack = &files->items[i];
    }
    if (pack && (doc = opened(j, (lvl_bytes){pack->data, pack->len}, pack->path)) != NULL) {
        const lvl_levelpack *p = lvl_doc_croot(doc);
        for (uint32_t i = 0; i < p->file_count; i++) {
            lvl_bytes view;
            if (lvl_doc_bytes(doc, &p->files[i], data, &storage, &view) == LVL_OK && view.len > bytes->len) {
                const char *slash = memchr(p->files[i].path.ptr, '/', p->files[i].path.len);
                bytes->len = 0;
                lvl_buffer_add(bytes, view.ptr, view.len);
                snprintf(out->name, sizeof out->name, "%.*s",
                         (int)(p->files[i].path.len - (size_t)(slash ? slash + 1 - p->files[i].path.ptr : 0)),
                         slash ? slash + 1 : p->files[i].path.ptr);
            }
        }
        out->bytes = (lvl_bytes){bytes->data, bytes->len};
    }
    lvl_doc_free(doc);
    lvl_buffer_free(&storage);
    return out->bytes.len != 0;
}

/* Fills the level with pixels that differ from their neighbours, so that it becomes large. */
static void roughen(job *j, lvl_doc *doc)
{
    const lvl_field *field = lvl_table_at(&lvl_sketchy_chunk_table, offsetof(lvl_sketchy_chunk, pixels));
    lvl_sketchy *d = lvl_doc_root(doc);
    uint32_t seed = 1;

    for (uint32_t i = 0; i < d->layer_count; i++) {
        for (uint32_t k = 0; k < d->layers[i].chunk_count; k++) {
            uint8_t *p = lvl_cells_edit(doc, &d->layers[i].chunks[k], field);
            j->wrong |= !p;
            for (size_t n = p ? (size_t)d->layers[i].size * d->layers[i].size : 0; n--; p += 2) {
                seed = seed * 1664525 + 1013904223;
                lvl_store_u16le(p, (uint16_t)((seed >> 16) % (d->swatch_count + 1)));
            }
        }
    }
}

/* A level converted to another generation; the caller owns `bytes`. */
static bool turned(job *j, const level *from, const char *form, bool rough, level *out, lvl_buffer *bytes)
{
    lvl_doc *doc = opened(j, from->bytes, from->name), *to = NULL;
    lvl_findings *losses = lvl_findings_new(&j->ctx);

    *out = (level){.name = ""};
    if (doc && losses && lvl_convert(doc, form, true, losses, &to) == LVL_OK) {
        if (rough)
            roughen(j, to);
        bytes->len = 0;
        j->wrong |= lvl_doc_write(to, bytes) != LVL_OK;
        *out = (level){.bytes = {bytes->data, bytes->len}, .cells = all_chunks(j, doc)};
        snprintf(out->name, sizeof out->name, "%.100s in %s", from->name, form);
    }
    lvl_findings_free(losses);
    lvl_doc_free(to);
    lvl_doc_free(doc);
    return out->bytes.len != 0;
}

/* ---- tables ------------------------------------------------------------------------------------------ */

static void head(const level *on)
{
    printf("%s: %.2f MB, inflated %.2f MB", on->name, (double)on->bytes.len / 1e6,
           (double)inflate_all(on->bytes) / 1e6);
}

/* `game`: the time of the game's tool, measured elsewhere, in seconds; 0: not known. */
static void decoding(job *j, const level *on, double game)
{
    double inflating, filling, decoding, again;

    j->on = on;
    j->room = malloc((size_t)on->cells + 1);
    if (!j->room || !on->cells) {
        free(j->room);
        return;
    }
    inflating = bench_best_cpu(inflate_alone, j, ROUNDS);
    decoding = bench_best_cpu(read_and_decode, j, ROUNDS);
    again = bench_best_cpu(inflate_alone, j, ROUNDS);
    inflating = again < inflating ? again : inflating;
    filling = bench_best_cpu(fill_alone, j, ROUNDS);
    head(on);
    printf(", %.1f MB of cells\n", (double)on->cells / 1e6);
    bench_ratio("open, all chunks", decoding, "inflate alone (libdeflate)", inflating, 0);
    bench_ratio("open, all chunks", decoding, "inflate alone + memset", inflating + filling, 8);
    bench_value("", (double)on->cells / decoding / 1e6, "MB/s of cells");
    if (game > 0)
        bench_elsewhere("the game's tool", game);
    bench_ratio("read, no chunk decoded", bench_best_cpu(read_alone, j, ROUNDS), "open, all chunks", decoding,
                on->bytes.ptr[0] == 'P' ? 0.5 : 0); /* a gzip must be inflated in any case */
    free(j->room);
}

static void converting(job *j, const level *on, const char *form, double game, const char *what)
{
    char stage[64];

    j->on = on;
    j->form = form;
    const double seconds = bench_best_cpu(convert, j, 4), inflating = bench_best_cpu(inflate_alone, j, 4);
    head(on);
    printf(", in %s %.2f MB\n", form, (double)j->written / 1e6);
    snprintf(stage, sizeof stage, "convert to %s", form);
    bench_ratio(stage, seconds, "inflate alone (libdeflate)", inflating, 0);
    if (game > 0)
        bench_elsewhere(what, game);
}

/* As `lvl info` does it. In a `zip` only some members are inflated, so its limit is a part of the time for
 * all; any other file is inflated completely. */
static void summing_up(job *j, const level *on, bool zip)
{
    j->on = on;
    head(on);
    printf("\n");
    const double seconds = bench_best_cpu(info, j, ROUNDS);
    bench_ratio("info, reading included", seconds, "inflate alone (libdeflate)",
                bench_best_cpu(inflate_alone, j, ROUNDS), zip ? 1 : 2);
}

/* A level and two copies of it, each with a different edit. */
static void merging(job *j, const level *on)
{
    static const char *const edits[2][2] = {
        {"title=Ours", "layers[0].chunks[0].pixels[1,1 6,6]=1"},
        {"author=Theirs", "layers[0].chunks[1].pixels[1,1 6,6]=1"},
    };
    lvl_buffer sides[2] = {{0}, {0}};

    head(on);
    printf("\n");
    j->sides[1] = on->bytes;
    for (int i = 0; i < 2; i++) {
        lvl_doc *doc = opened(j, on->bytes, on->name);
        j->wrong |= !doc || lvl_set(doc, edits[i], 2, NULL, NULL) != LVL_OK ||
                    lvl_doc_write(doc, &sides[i]) != LVL_OK;
        j->sides[i * 2] = (lvl_bytes){sides[i].data, sides[i].len};
        lvl_doc_free(doc);
    }
    j->form = NULL;
    const double reading = bench_best_cpu(merge, j, ROUNDS);
    j->form = "";
    bench_ratio("read and merged", bench_best_cpu(merge, j, ROUNDS), "reading the three", reading,
                on->bytes.ptr[0] == 'P' ? 0 : 2); /* reading runs takes almost no time */
    j->form = "write";
    bench_ratio("written and verified, too", bench_best_cpu(merge, j, ROUNDS), "reading the three", reading,
                on->bytes.ptr[0] == 'P' ? 0 : 2);
    lvl_buffer_free(&sides[0]);
    lvl_buffer_free(&sides[1]);
}

static void drawing(job *j, const bench_files *files)
{
    const char *corpus = strstr(files->items[0].path, "/sketchy/");
    lvl_art *art = lvl_art_new(&j->ctx);
    char path[1024];
    level l;

    if (art && corpus && find(j, files, "Zoo", LVL_SKETCHY_V3_1, &l)) {
        for (int i = 0; i < 2; i++) {
            snprintf(path, sizeof path, "%.*s/sketchy/%s", (int)(corpus - files->items[0].path),
                     files->items[0].path, i ? "made/doodads-v3.1" : "assets");
            if (lvl_art_add(art, path) != LVL_OK)
                printf("no art at %s\n", path);
        }
        lvl_doc *doc = opened(j, l.bytes, l.name);
        j->doc = doc;
        j->art = art;
        if (doc) {
            lvl_image image = {0};
            const double seconds = bench_best_cpu(draw, j, ROUNDS);
            draw_level(j, &image);
            j->room = image.pixels;
            j->pixels = 3 * (uint64_t)image.width * image.height; /* RGB, as the PNG has it */
            for (size_t i = 0; image.format == LVL_PIXELS_RGBA8 && i < j->pixels; i++)
                image.pixels[i] = image.pixels[i / 3 * 4 + i % 3];
            bench_ratio("whole level as PNG, 4863 x 4351", seconds, "libdeflate 1 of its pixels",
                        bench_best_cpu(pack_pixels, j, ROUNDS), 1.5);
            lvl_image_clear(&image);
            bench_elsewhere("the game's tool", 104);
        }
        lvl_doc_free(doc);
    }
    lvl_art_free(art);
}

int main(void)
{
    const double boat = 1.9, boat_pixels = 1.66e6, shapeshifter_pixels = 8.79e6;
    bench_files files;
    lvl_buffer held = {0}, other = {0};
    level big = {.name = ""}, from, l;
    job j;

    memset(&j, 0, sizeof j);
    lvl_ctx_init(&j.ctx);
    if (!lvl_format_find("sketchy") || !bench_load(&files, "level levelpack"))
        return 0;
    const bool real = files.corpus, any = largest(&j, &files, &big, &held);
    /* open, and decode everything */
    if (any && turned(&j, &big, "v4", false, &l, &other))
        decoding(&j, &l, real ? 2.21 : 0);
    if (find(&j, &files, "Zoo", LVL_SKETCHY_V4, &l))
        decoding(&j, &l, 0.261);
    if (find(&j, &files, "Tutorial_1.c35a985", LVL_SKETCHY_V4, &l))
        decoding(&j, &l, 0.0178);
    if (any && turned(&j, &big, "v2", false, &l, &other))
        decoding(&j, &l, real ? 1.48 / boat_pixels * shapeshifter_pixels : 0);
    if (find(&j, &files, "Castle", LVL_SKETCHY_V3, &l))
        decoding(&j, &l, 0);
    /* convert */
    if (find(&j, &files, "Boat", LVL_SKETCHY_V3, &from) && turned(&j, &from, "v2", false, &l, &other))
        converting(&j, &l, "v4", boat, "the game's tool, from v2");
    if (any && turned(&j, &big, "v2", false, &l, &other))
        converting(&j, &l, "v4", real ? boat / boat_pixels * shapeshifter_pixels : 0,
                   "the game's tool, by its Boat");
    if (find(&j, &files, "Castle", LVL_SKETCHY_V2, &l))
        converting(&j, &l, "v4", 0, NULL);
    if (find(&j, &files, "Zoo", LVL_SKETCHY_V3_1, &l))
        converting(&j, &l, "v4", 0.757, "the game's tool, from v4");
    /* sum up */
    if (any && turned(&j, &big, "v2", false, &l, &other))
        summing_up(&j, &l, false);
    if (find(&j, &files, "Castle", LVL_SKETCHY_V2, &l))
        summing_up(&j, &l, false);
    if (any && turned(&j, &big, "v3.1", true, &l, &other))
        summing_up(&j, &l, true);
    /* merge */
    if (any && turned(&j, &big, "v2", false, &l, &other))
        merging(&j, &l);
    if (find(&j, &files, "Castle", LVL_SKETCHY_V2, &l))
        merging(&j, &l);
    if (find(&j, &files, "Zoo", LVL_SKETCHY_V4, &l))
        merging(&j, &l);
    if (real)
        drawing(&j, &files);
    bench_fact("nothing went wrong", !j.wrong, "");
    lvl_buffer_free(&held);
    lvl_buffer_free(&other);
    bench_free(&files);
    return bench_failed();
}
